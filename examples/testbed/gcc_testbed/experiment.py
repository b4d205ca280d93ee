"""The script that runs inside a world: topology, captures, pipelines, the link's schedule.

It is text made from a scenario; a world only adds what its kernel needs around it. Lines it prints
that begin with `@` are for us: `@time S`, `@failed WORDS`, `@done`.
"""

from __future__ import annotations

import random
import shlex
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed import pipelines, topology
from gcc_testbed.pipelines import Ports
from gcc_testbed.scenario import Scenario
from gcc_testbed.sequences import Sequence

# Receivers and captures are up before the first packet leaves.
LEAD_IN_S = 1.0
LINK_LOG = "link.csv"
# Where the processes see the run directory, the same for every run: the length of a path shifts
# what a program has in memory, and with it the microsecond in which its threads wake.
INSIDE = Path("/run/call")
CAPTURE_LENGTH = 96

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

link_rate() { echo "$EPOCHREALTIME,$1" >>"$run/link.csv"; }
"""


@dataclass(frozen=True)
class Experiment:
    """A scenario with everything it needs on this machine."""

    scenario: Scenario
    sequences: tuple[Sequence, ...]
    run: Path

    def processes(self) -> list[tuple[str, str, list[str]]]:
        """(host, name, command) of everything that runs, in the order of starting."""
        found: list[tuple[str, str, list[str]]] = [
            (host, f"capture-{host}", self._capture(host, device))
            for host, device in topology.CAPTURE_POINTS.items()
        ]
        named = list(zip(self.scenario.flows, self.sequences, strict=True))
        for number, (flow, _) in enumerate(named):
            trace = str(INSIDE / self.trace("receiver", number))
            command = pipelines.receiver(flow, Ports.of_flow(number), trace)
            found.append(("b", f"receiver-{flow.name}", command))
        for number, (flow, sequence) in enumerate(named):
            trace = str(INSIDE / self.trace("sender", number))
            command = pipelines.sender(flow, sequence, Ports.of_flow(number), trace)
            found.append(("a", f"sender-{flow.name}", command))
        return found

    def trace(self, side: str, number: int) -> str:
        """A trace's file name: plain for a single flow, by flow for several."""
        if len(self.scenario.flows) == 1:
            return f"{side}.csv"
        return f"{side}-{self.scenario.flows[number].name}.csv"

    def environment(self) -> dict[str, str]:
        """What every process inside sees; the same whatever the user's own environment holds."""
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

    def write_seeds(self) -> None:
        """A file of random bytes for each process: with one for all, both ends had one SSRC."""
        (self.run / "seeds").mkdir()
        for _, name, _ in self.processes():
            numbers = random.Random(f"{self.scenario.seed}/{name}")
            (self.run / "seeds" / name).write_bytes(numbers.randbytes(4096))

    def script(self, extra_environment: dict[str, str]) -> str:
        """The whole experiment, as bash."""
        environment = {**self.environment(), **extra_environment}
        start_early, start_last = [], []
        for host, name, command in self.processes():
            line = f"in_host {host} {name} {shlex.join(command)}"
            (start_last if name.startswith("sender-") else start_early).append(line)
        link = self.scenario.link
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
                *topology.build(link),
                "",
                "# What listens.",
                *start_early,
                "trap - ERR",
                "start_us=${EPOCHREALTIME/./}",
                f"sleep_until_us {round(LEAD_IN_S * 1e6)}; all_alive",
                "",
                "# Time zero.",
                f'echo "time_s,kbps" >"$run/{LINK_LOG}"',
                "start_us=${EPOCHREALTIME/./}",
                f"link_rate {link.rate.steps[0].kbps:g}",
                *start_last,
                *self._timeline(),
                "",
                "# Packets on the way arrive, then everything closes its files.",
                "stop INT 'sender-*'",
                f"sleep_until_us {round((self.scenario.duration_s + self.drain_s()) * 1e6)}",
                "stop INT 'receiver-*'",
                "stop TERM 'capture-*'",
                "echo @done",
                "",
            ]
        )

    def drain_s(self) -> float:
        """How long after its end the last packet of a call may still be on its way."""
        link = self.scenario.link
        slowest = min(step.kbps for step in link.rate.steps)
        fullest = max(link.queue.limit_bytes(step.kbps) for step in link.rate.steps)
        return min(link.rtt_ms / 1000 + fullest * 8 / slowest / 1000 + 0.5, 30.0)

    def _timeline(self) -> list[str]:
        """Every change of the link at its time, and a sign of life each second."""
        events = [
            (at, f"{command} && link_rate {kbps:g} || failed 'the link did not change'")
            for at, kbps, command in topology.rate_changes(self.scenario.link)
            if at < self.scenario.duration_s
        ]
        duration = self.scenario.duration_s
        events += [
            (float(second), f"all_alive; echo @time {second}")
            for second in range(1, int(duration) + 1)
        ]
        events.append((duration, ":"))
        return [
            f"sleep_until_us {round(at * 1e6)}; {line}"
            for at, line in sorted(events, key=lambda event: event[0])
        ]

    def _capture(self, host: str, device: str) -> list[str]:
        return [
            # Through stdout: tcpdump would change the owner of a file it opens itself, which an
            # ordinary user's virtual world cannot do.
            *("sh", "-c", 'exec "$@" >"$0"', str(INSIDE / f"{host}.pcap")),
            *("tcpdump", "-i", device, "-n", "-p", "-Z", "root"),
            *("--time-stamp-precision=nano", "-s", str(CAPTURE_LENGTH), "-B", "16384"),
            *("-w", "-", "udp or tcp"),
        ]
