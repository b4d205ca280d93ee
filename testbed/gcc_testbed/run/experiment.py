"""The script that runs inside a world: topology, captures, pipelines, the link's schedule.

It is generated from a scenario; a world adds only what its kernel needs. Output lines that begin
with `@` report its progress: `@time S`, `@failed REASON`, `@done`.
"""

from __future__ import annotations

import json
import random
import shlex
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from gcc_testbed.run import peer, pipelines, topology
from gcc_testbed.scenario import run_files
from gcc_testbed.scenario.flows import (
    AnyFlow,
    CbrFlow,
    GccFlow,
    LaunchFlow,
    RtpGccBweFlow,
    TcpFlow,
    VideoFlow,
)
from gcc_testbed.scenario.link import DIRECTIONS, Shaper
from gcc_testbed.scenario.network import ADDRESS, Ports, ends
from gcc_testbed.scenario.scenario import REPAIR_MARGIN_MS, Scenario
from gcc_testbed.scenario.sequence import Sequence
from gcc_testbed.support.paths import WALL_CLOCK

# Receivers and captures are up before the first packet leaves.
LEAD_IN_S = 1.0
# Where the processes see the run directory, the same for every run: the length of a path changes
# the memory layout of a program, and with it the microsecond in which its threads wake.
INSIDE = Path("/run/call")
CAPTURE_LENGTH = 96
# Copied into the run directory: the hosts see nothing else of this package.
TRAFFIC_PROGRAM = Path(__file__).with_name("traffic.py")
PLAYER_PROGRAM = Path(__file__).with_name("player.py")
MEMORY_EVERY_S = 60

_FUNCTIONS = r"""
failed() { echo "@failed $*"; exit 1; }

# A host's process: its own mount namespace (from ip netns exec), with seeded random numbers in it.
in_host() {
  local host=$1 name=$2; shift 2
  ip netns exec "$host" sh -c 'mount --bind "$0" /dev/urandom && exec "$@"' \
    "$run/seeds/$name" "$@" >"$run/logs/$name.log" 2>&1 &
  names[$!]=$name
}

# Waits without starting a process: forks are the slowest thing in a user-mode kernel.
sleep_until_us() {
  local left=$(( start_us + $1 - ${EPOCHREALTIME/./} )) text
  (( left > 0 )) || return 0
  printf -v text '%d.%06d' $(( left / 1000000 )) $(( left % 1000000 ))
  read -rt "$text" -u 7 || true
}

all_alive() {
  local pid
  for pid in "${!names[@]}"; do
    kill -0 "$pid" 2>/dev/null ||
      failed "${names[$pid]} ended too early, see logs/${names[$pid]}.log"
  done
}

stop() {
  local signal=$1 pattern=$2 pid left
  for pid in "${!names[@]}"; do
    if [[ ${names[$pid]} == $pattern ]]; then kill -"$signal" "$pid" 2>/dev/null || true; fi
  done
  for pid in "${!names[@]}"; do
    if [[ ${names[$pid]} == $pattern ]]; then
      for (( left = 50; left > 0; left-- )); do
        kill -0 "$pid" 2>/dev/null || break
        read -rt 0.1 -u 7 || true
      done
      kill -KILL "$pid" 2>/dev/null || true
      unset "names[$pid]"
    fi
  done
}

# One flow ends, the others go on: nobody waits for it until the call is over.
end_flow() {
  local pid
  for pid in "${!names[@]}"; do
    if [[ ${names[$pid]} == "$1" ]]; then
      kill -INT "$pid" 2>/dev/null || true
      unset "names[$pid]"
    fi
  done
}

# Of every end of a flow, without starting a process.
log_memory() {
  local pid key size rest
  for pid in "${!names[@]}"; do
    case ${names[$pid]} in
      sender-*|receiver-*)
        while read -r key size rest; do
          [[ $key != VmRSS: ]] || echo "$1,${names[$pid]},$size" >>"$run/memory.csv"
        done <"/proc/$pid/status" ;;
    esac
  done
}

# One process makes all changes of a traced link: starting one for each takes too long.
trace_rate() { printf '%s\n' "$*" >&"$changes"; }

link_rate() { echo "$EPOCHREALTIME,$1" >>"$run/${2:-link.csv}"; }
"""


# tc reads its commands from a pipe; a wrong one ends it, which all_alive tells.
_CHANGES = (
    'exec {changes}> >(exec tc -n r -batch - >"$run/logs/link-changes.log" 2>&1)',
    "names[$!]=link-changes",
)


@dataclass(frozen=True)
class Experiment:
    """A scenario with everything it needs on this machine."""

    scenario: Scenario
    sequences: tuple[Sequence, ...]
    run: Path

    def processes(self) -> list[tuple[str, str, list[str]]]:
        """(host, name, command) of everything that runs, in the order of starting."""
        found: list[tuple[str, str, list[str]]] = [
            (host, f"capture-{host}", _capture(run_files.capture(host), device))
            for host, device in topology.CAPTURE_POINTS.items()
        ]
        for direction in self.scenario.protected_directions():
            command = _capture(run_files.REPAIRED[direction], "lo")
            found.append((ends(direction)[1], f"capture-repaired-{direction}", command))
        media = [
            (number, flow)
            for number, flow in enumerate(self.scenario.flows)
            if isinstance(flow, VideoFlow | LaunchFlow)
        ]
        for number, flow in media:
            for again, name in enumerate(_lives("receiver", flow)):
                command = self._receiver(number, flow, again)
                found.append((ends(flow.direction)[1], name, command))
        for host in self.traffic("sink"):
            found.append((host, f"sink-{host}", self._traffic_command("sink", host)))
        for number, flow in media:
            for again, name in enumerate(_lives("sender", flow)):
                command = self._sender(number, flow, again)
                found.append((ends(flow.direction)[0], name, command))
        for host in self.traffic("send"):
            found.append((host, f"traffic-{host}", self._traffic_command("send", host)))
        return found

    def _sequence(self, flow: VideoFlow | LaunchFlow) -> Sequence:
        """The sequence of a flow that sends one."""
        return self.sequences[self.scenario.sequences().index(flow.sequence)]

    def _receiver(self, number: int, flow: VideoFlow | LaunchFlow, again: int) -> list[str]:
        trace, ports = self._trace("receiver", number, again), Ports.of_flow(number)
        if isinstance(flow, LaunchFlow):
            return pipelines.user_pipeline(flow, flow.receiver, ports, self._sequence(flow), trace)
        kept = str(INSIDE / run_files.recording(flow)) if self.scenario.quality else None
        if isinstance(flow, RtpGccBweFlow):
            return pipelines.peer_receiver(flow, ports, kept)
        assert isinstance(flow, GccFlow)
        latency = self.scenario.repair_latency_ms(flow)
        line = pipelines.receiver(flow, ports, trace, kept, latency)
        if flow.wall_clock_steps:
            steps = ",".join(f"{at + LEAD_IN_S:g}:{by:g}" for at, by in flow.wall_clock_steps)
            return ["env", f"LD_PRELOAD={WALL_CLOCK}", f"WALL_CLOCK_STEPS={steps}", *line]
        return line

    def _sender(self, number: int, flow: VideoFlow | LaunchFlow, again: int) -> list[str]:
        trace, ports = self._trace("sender", number, again), Ports.of_flow(number)
        if isinstance(flow, LaunchFlow):
            return pipelines.user_pipeline(flow, flow.sender, ports, self._sequence(flow), trace)
        if isinstance(flow, RtpGccBweFlow):
            line = pipelines.peer_sender(flow, self._sequence(flow), ports)
            return self._played({"estimates": trace}, [f"--gst-plugin-load={peer.plugin()}", *line])
        assert isinstance(flow, GccFlow)
        if flow.source == "model":
            line = pipelines.sender(flow, None, ports, trace, self._noise_seed(flow))
        else:
            line = pipelines.sender(flow, self._sequence(flow), ports, trace)
        if not flow.played:
            return line
        plan = {
            "clock_skew_ppm": flow.clock_skew_ppm,
            "device_clock_ppm": flow.device_clock_ppm or 0.0,
            "ssrc_changes_s": flow.ssrc_changes_s,
            "clock_losses_s": flow.clock_losses_s,
            "clock_stops": flow.clock_stops,
            "clock_changes_s": flow.clock_changes_s,
            "blocks": flow.blocks,
        }
        return self._played({key: value for key, value in plan.items() if value}, line[1:])

    @staticmethod
    def _played(plan: dict[str, object], elements: list[str]) -> list[str]:
        """A pipeline, played by a program that can do more to it than gst-launch-1.0."""
        program = str(INSIDE / "logs" / PLAYER_PROGRAM.name)
        return [peer.PYTHON, "-IB", program, json.dumps(plan), *elements]

    def _trace(self, side: str, number: int, again: int = 0) -> str:
        file = run_files.trace(self.scenario, side, number)
        return str(INSIDE / run_files.restarted(file, again))

    def _noise_seed(self, flow: GccFlow) -> int:
        """The model's random seed, different for each seed and flow."""
        return random.Random(f"{self.scenario.seed}/{flow.name}").getrandbits(32)

    def traffic(self, what: str) -> dict[str, list[dict[str, object]]]:
        """The flows that traffic.py sends or receives, by host."""
        plans: dict[str, list[dict[str, object]]] = {}
        for number, flow in enumerate(self.scenario.flows):
            if isinstance(flow, TcpFlow | CbrFlow):
                source, sink = ends(flow.direction)
                host = source if what == "send" else sink
                plans.setdefault(host, []).append(self._traffic_flow(number, flow, sink))
        return plans

    def _traffic_flow(self, number: int, flow: AnyFlow, sink: str) -> dict[str, object]:
        ports = Ports.of_flow(number)
        plan: dict[str, object] = {
            "kind": flow.kind,
            "name": flow.name,
            "address": ADDRESS[sink],
            "port": ports.rtp,
            "start_s": flow.start_s,
            "stop_s": flow.active(0.0, self.scenario.duration_s)[1],
        }
        if isinstance(flow, TcpFlow):
            transfers = None if flow.transfers is None else asdict(flow.transfers)
            plan |= {
                "source_port": ports.tcp_source,
                "congestion": flow.congestion,
                "transfers": transfers,
                "seed": f"{self.scenario.seed}/{flow.name}",
            }
        elif isinstance(flow, CbrFlow):
            plan |= {
                "source_port": ports.rtp + 1000,
                "rate_kbps": flow.rate_kbps,
                "packet_bytes": flow.packet_bytes,
            }
        return plan

    @staticmethod
    def _traffic_command(what: str, host: str) -> list[str]:
        program, file = INSIDE / "logs" / "traffic.py", INSIDE / "logs" / f"{what}-{host}.json"
        return ["python3", "-ISB", str(program), what, str(file)]

    def environment(self) -> dict[str, str]:
        """The environment of every process inside, independent of the user's."""
        return {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/tmp",
            "LC_ALL": "C",
            "PYTHONHASHSEED": str(self.scenario.seed),
            "GST_DEBUG_NO_COLOR": "1",
            "GST_REGISTRY_FORK": "no",
            "GST_REGISTRY_UPDATE": "no",
            # Frame buffers stay mapped: page faults are what is slow in a user-mode kernel.
            "MALLOC_MMAP_THRESHOLD_": str(64 << 20),
            "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
            "MALLOC_TOP_PAD_": str(16 << 20),
        }

    def write_inputs(self) -> None:
        """Random bytes for each process (with one file for all, both ends had one SSRC); plans."""
        (self.run / "seeds").mkdir()
        for _, name, _ in self.processes():
            numbers = random.Random(f"{self.scenario.seed}/{name}")
            (self.run / "seeds" / name).write_bytes(numbers.randbytes(4096))
        logs = self.run / "logs"
        logs.mkdir(exist_ok=True)
        for what in ("sink", "send"):
            for host, flows in self.traffic(what).items():
                plan = {"log": str(INSIDE / run_files.TCP_LOGS[host]), "flows": flows}
                (logs / f"{what}-{host}.json").write_text(json.dumps(plan, indent=1) + "\n")
                shutil.copyfile(TRAFFIC_PROGRAM, logs / "traffic.py")
        shutil.copyfile(PLAYER_PROGRAM, logs / PLAYER_PROGRAM.name)

    def script(self, extra_environment: dict[str, str]) -> str:
        """The whole experiment, as bash."""
        environment = {**self.environment(), **extra_environment}
        lines = {
            name: f"in_host {host} {name} {shlex.join(command)}"
            for host, name, command in self.processes()
        }
        late = {**self._late(), **self._restarts()}
        start_last = {
            name: line for name, line in lines.items() if name.startswith(("sender-", "traffic-"))
        }
        shaped = self._shaped()
        return "\n".join(
            [
                f"run={INSIDE}",
                *(f"export {name}={shlex.quote(text)}" for name, text in environment.items()),
                "declare -A names",
                _FUNCTIONS,
                f'mkdir "$run" && mount --bind {shlex.quote(str(self.run))} "$run" && cd "$run" ||'
                " failed 'the run directory is not there'",
                "mkfifo /run/never && exec 7<>/run/never || failed 'no fifo in /run'",
                "trap 'failed \"$BASH_COMMAND\"' ERR",
                "",
                "# The hosts and the link between them.",
                *topology.build(self.scenario),
                *(_CHANGES if any(shaper.trace for shaper in shaped.values()) else ()),
                "",
                "# What listens.",
                *(
                    line
                    for name, line in lines.items()
                    if name not in start_last and name not in late
                ),
                "trap - ERR",
                "start_us=${EPOCHREALTIME/./}",
                f"sleep_until_us {round(LEAD_IN_S * 1e6)}; all_alive",
                "",
                "# Time zero.",
                *(
                    f'echo "time_s,kbps" >"$run/{run_files.LINK_LOGS[direction]}"'
                    for direction in shaped
                ),
                "start_us=${EPOCHREALTIME/./}",
                *(
                    f"link_rate {shaper.rate.steps[0].kbps:g}{_log_argument(direction)}"
                    for direction, shaper in shaped.items()
                ),
                "export CALL_ORIGIN_US=$start_us",
                *(line for name, line in start_last.items() if name not in late),
                *self._timeline(lines),
                "",
                "# What the link counted: sent, dropped, waiting.",
                'tc -n r -s qdisc show >"$run/logs/qdisc.txt"',
                "",
                "# Packets on the way arrive, then everything closes its files.",
                "stop INT 'sender-*'",
                *(["stop INT 'traffic-*'"] if self.traffic("send") else []),
                f"sleep_until_us {round((self.scenario.duration_s + self.drain_s()) * 1e6)}",
                "stop INT 'receiver-*'",
                *(["stop INT 'sink-*'"] if self.traffic("sink") else []),
                "stop TERM 'capture-*'",
                "stop TERM 'link-changes'",
                "echo @done",
                "",
            ]
        )

    def drain_s(self) -> float:
        """How long after the call's end its last packet may still be in flight."""
        link, longest = self.scenario.link, 0.0
        for shaper in self._shaped().values():
            rates = [shaper.queue_kbps(step.kbps) for step in shaper.rate.steps]
            slowest, fullest = min(rates), max(map(shaper.queue.limit_bytes, rates))
            longest = max(longest, fullest * 8 / slowest / 1000)
        extra = max(flow.extra_one_way_delay_ms for flow in self.scenario.flows)
        repair = REPAIR_MARGIN_MS / 1000 if self.scenario.protected_directions() else 0.0
        return min((link.rtt_ms + 2 * extra) / 1000 + longest + repair + 0.5, 30.0)

    def _shaped(self) -> dict[str, Shaper]:
        """The directions with a bottleneck."""
        found = {name: self.scenario.link.shaper(name) for name in DIRECTIONS}
        return {name: shaper for name, shaper in found.items() if shaper is not None}

    def _changes(self, direction: str) -> list[tuple[float, float, str]]:
        """(time, new rate, command) for every change of a direction's rate."""
        shaper, found = self._shaped()[direction], []
        before = shaper.rate.steps[0].kbps
        for at, kbps, command in topology.rate_changes(self.scenario.link, direction):
            if shaper.trace:
                command = command.replace("tc -n r", "trace_rate")
                if before == 0:
                    command += f" && {topology.waking(direction)}"
            found.append((at, kbps, command))
            before = kbps
        return found

    def _late(self) -> dict[str, float]:
        """Start times of the senders that start later than the call."""
        return {
            f"sender-{flow.name}": flow.start_s
            for flow in self.scenario.flows
            if isinstance(flow, VideoFlow | LaunchFlow) and flow.start_s > 0
        }

    def _restarts(self) -> dict[str, float]:
        """When a later life of a flow's end begins, and the earlier one ends."""
        found: dict[str, float] = {}
        for flow in self.scenario.flows:
            if isinstance(flow, GccFlow):
                for side, times in (
                    ("sender", flow.sender_restarts_s),
                    ("receiver", flow.receiver_restarts_s),
                ):
                    found |= dict(zip(_lives(side, flow)[1:], times, strict=True))
        return found

    def _timeline(self, lines: dict[str, str]) -> list[str]:
        """Every change of the link and the flows at its time, and a check each second."""
        duration = self.scenario.duration_s
        events = [
            (
                at,
                f"{command} && link_rate {kbps:g}{_log_argument(direction)} || "
                "failed 'the link did not change'",
            )
            for direction in self._shaped()
            for at, kbps, command in self._changes(direction)
            if at < duration
        ]
        for flow in self.scenario.flows:
            if isinstance(flow, VideoFlow | LaunchFlow) and flow.stop_s is not None:
                events.append((flow.stop_s, f"end_flow {_lives('sender', flow)[-1]}"))
        events += [(at, lines[name]) for name, at in self._late().items()]
        for flow in self.scenario.flows:
            for side in ("sender", "receiver"):
                lives = _lives(side, flow)
                for before, name in zip(lives, lives[1:], strict=False):
                    at = self._restarts()[name]
                    events.append((at, f"stop KILL {before}; {lines[name]}"))
        events += [
            (at, f"{command} || failed 'the link did not change'")
            for at, command in topology.fault_changes(self.scenario.link)
            if at < duration
        ]
        events += [
            (float(second), f"log_memory {second}")
            for second in range(MEMORY_EVERY_S, int(duration) + 1, MEMORY_EVERY_S)
        ]
        events += [
            (float(second), f"all_alive; echo @time {second}")
            for second in range(1, int(duration) + 1)
        ]
        events.append((duration, ":"))
        return [
            f"sleep_until_us {round(at * 1e6)}; {line}"
            for at, line in sorted(events, key=lambda event: event[0])
        ]


def _lives(side: str, flow: AnyFlow) -> list[str]:
    """The names of a flow's end: started once, and again after each restart."""
    again = getattr(flow, f"{side}_restarts_s", ())
    first = f"{side}-{flow.name}"
    return [first, *(f"{first}-restarted-{n}" for n in range(1, len(again) + 1))]


def _capture(file: str, device: str) -> list[str]:
    return [
        # Through stdout: tcpdump would change the owner of a file it opens itself, which an
        # ordinary user's virtual world cannot do.
        *("sh", "-c", 'exec "$@" >"$0"', str(INSIDE / file)),
        *("tcpdump", "-i", device, "-n", "-p", "-Z", "root"),
        *("--time-stamp-precision=nano", "-s", str(CAPTURE_LENGTH), "-B", "16384"),
        *("-w", "-", "udp or tcp"),
    ]


def _log_argument(direction: str) -> str:
    return "" if direction == "forward" else f" {run_files.LINK_LOGS[direction]}"
