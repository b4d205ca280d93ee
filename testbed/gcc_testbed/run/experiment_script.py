"""The script that runs inside a world: topology, captures, pipelines, the link's schedule.

It is bash, made from an experiment; a world adds only what its kernel needs. Output lines that
begin with `@` report its progress: `@time S`, `@failed REASON`, `@done`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from gcc_testbed.run import topology
from gcc_testbed.run.experiment import INSIDE, LEAD_IN_S, NUDGES_PROGRAM, Experiment, lives
from gcc_testbed.scenario import run_files
from gcc_testbed.scenario.flows import GccFlow, LaunchFlow, VideoFlow
from gcc_testbed.scenario.link import DIRECTIONS, Shaper
from gcc_testbed.scenario.scenario import REPAIR_MARGIN_MS, Scenario

MEMORY_EVERY_S = 60
# tcpdump gets packets from the kernel in blocks, the last one a second after its first packet.
LAST_BLOCK_S = 1.1

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

# One process makes all changes of a recorded link: starting one for each takes too long.
change_link() { printf '%s\n' "$*" >&"$changes"; }

# So does one that sends frames into the queue of a link that has opened or stopped.
nudge_link() { printf '%s\n' "$*" >&"$nudges"; }

link_rate() { echo "$EPOCHREALTIME,$1" >>"$run/${2:-link.csv}"; }
"""


# tc reads its commands from a pipe; a wrong one ends it, which all_alive notices.
_CHANGES = (
    'exec {changes}> >(exec tc -n r -batch - >"$run/logs/link-changes.log" 2>&1)',
    "names[$!]=link-changes",
)
_NUDGES = (
    f"exec {{nudges}}> >(exec ip netns exec r python3 -ISB {INSIDE}/logs/{NUDGES_PROGRAM.name} "
    '>"$run/logs/link-nudges.log" 2>&1)',
    "names[$!]=link-nudges",
)
# A change has taken effect by then.
NUDGE_AFTER_S = 0.0005


def script(experiment: Experiment, extra_environment: dict[str, str]) -> str:
    """The whole experiment, as bash."""
    scenario = experiment.scenario
    lines = {
        name: f"in_host {host} {name} {shlex.join(command)}"
        for host, name, command in experiment.processes()
    }
    begin = [name for name in lines if name not in {**_late(scenario), **_restarts(scenario)}]
    senders = [name for name in begin if name.startswith(("sender-", "traffic-"))]
    return "\n".join(
        [
            *_prepared(experiment.run, {**_environment(scenario.seed), **extra_environment}),
            "",
            "# The hosts and the link between them.",
            *topology.build(scenario),
            *(_CHANGES if _changes_often(scenario) else ()),
            *(_NUDGES if any(_nudge_events(scenario)) else ()),
            "",
            "# What listens.",
            *(lines[name] for name in begin if name not in senders),
            "trap - ERR",
            "start_us=${EPOCHREALTIME/./}",
            f"sleep_until_us {round(LEAD_IN_S * 1e6)}; all_alive",
            "",
            "# Time zero.",
            *_time_zero(_shaped(scenario)),
            *(lines[name] for name in senders),
            *_timeline(scenario, lines),
            "",
            "# What the link counted: sent, dropped, waiting.",
            'tc -n r -s qdisc show >"$run/logs/qdisc.txt"',
            "",
            "# Packets on the way arrive, then everything closes its files.",
            *_end(experiment),
            "echo @done",
            "",
        ]
    )


def _prepared(run: Path, environment: dict[str, str]) -> Iterable[str]:
    return (
        f"run={INSIDE}",
        *(f"export {name}={shlex.quote(text)}" for name, text in environment.items()),
        "declare -A names",
        _FUNCTIONS,
        f'mkdir "$run" && mount --bind {shlex.quote(str(run))} "$run" && cd "$run" ||'
        " failed 'the run directory is not there'",
        "mkfifo /run/never && exec 7<>/run/never || failed 'no fifo in /run'",
        "trap 'failed \"$BASH_COMMAND\"' ERR",
    )


def _environment(seed: int) -> dict[str, str]:
    """The environment of every process inside, independent of the user's."""
    return {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/tmp",
        "LC_ALL": "C",
        "PYTHONHASHSEED": str(seed),
        "GST_DEBUG_NO_COLOR": "1",
        "GST_REGISTRY_FORK": "no",
        "GST_REGISTRY_UPDATE": "no",
        # Frame buffers stay mapped: page faults are what is slow in a user-mode kernel.
        "MALLOC_MMAP_THRESHOLD_": str(64 << 20),
        "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
        "MALLOC_TOP_PAD_": str(16 << 20),
    }


def _time_zero(shaped: dict[str, Shaper]) -> Iterable[str]:
    """The logs of the link begin, and the time that every end of a flow knows."""
    return (
        *(f'echo "time_s,kbps" >"$run/{run_files.LINK_LOGS[direction]}"' for direction in shaped),
        "start_us=${EPOCHREALTIME/./}",
        *(
            f"link_rate {shaper.rate.steps[0].kbps:g}{_log_argument(direction)}"
            for direction, shaper in shaped.items()
        ),
        "export CALL_ORIGIN_US=$start_us",
    )


def _end(experiment: Experiment) -> Iterable[str]:
    scenario = experiment.scenario
    drained = scenario.duration_s + drain_s(scenario)
    return (
        "stop INT 'sender-*'",
        *(["stop INT 'traffic-*'"] if experiment.traffic("send") else []),
        f"sleep_until_us {round(drained * 1e6)}",
        "stop INT 'receiver-*'",
        *(["stop INT 'sink-*'"] if experiment.traffic("sink") else []),
        f"sleep_until_us {round((drained + LAST_BLOCK_S) * 1e6)}",
        "stop TERM 'capture-*'",
        "stop TERM 'link-*'",
    )


def drain_s(scenario: Scenario) -> float:
    """How long after the call's end its last packet may still be in flight."""
    link, longest = scenario.link, 0.0
    for shaper in _shaped(scenario).values():
        rates = [shaper.queue_kbps(step.kbps) for step in shaper.rate.steps]
        slowest, fullest = min(rates), max(map(shaper.queue.limit_bytes, rates))
        longest = max(longest, fullest * 8 / slowest / 1000)
    extra = max(flow.extra_one_way_delay_ms for flow in scenario.flows)
    repair = REPAIR_MARGIN_MS / 1000 if scenario.protected_directions() else 0.0
    return min((link.rtt_ms + 2 * extra) / 1000 + longest + repair + 0.5, 30.0)


def _shaped(scenario: Scenario) -> dict[str, Shaper]:
    """The directions with a bottleneck."""
    found = {name: scenario.link.shaper(name) for name in DIRECTIONS}
    return {name: shaper for name, shaper in found.items() if shaper is not None}


def _changes_often(scenario: Scenario) -> bool:
    """Whether the link is driven by a recording, with thousands of changes."""
    traced = any(shaper.trace for shaper in _shaped(scenario).values())
    return traced or bool(scenario.link.conditions)


def _changes(scenario: Scenario, direction: str) -> list[tuple[float, float, str]]:
    """(time, new rate, command) for every change of a direction's rate."""
    shaper, found = _shaped(scenario)[direction], []
    for at, kbps, command in topology.rate_changes(scenario.link, direction):
        if shaper.trace:
            command = command.replace("tc -n r", "change_link")
        found.append((at, kbps, command))
    return found


def _late(scenario: Scenario) -> dict[str, float]:
    """Start times of the senders that start later than the call."""
    return {
        f"sender-{flow.name}": flow.start_s
        for flow in scenario.flows
        if isinstance(flow, VideoFlow | LaunchFlow) and flow.start_s > 0
    }


def _restarts(scenario: Scenario) -> dict[str, float]:
    """When a later life of a flow's end begins, and the earlier one ends."""
    found: dict[str, float] = {}
    for flow in scenario.flows:
        if isinstance(flow, GccFlow):
            for side, times in (
                ("sender", flow.sender_restarts_s),
                ("receiver", flow.receiver_restarts_s),
            ):
                found |= dict(zip(lives(side, flow)[1:], times, strict=True))
    return found


# A time in seconds of the call, and what is done then.
_Event = tuple[float, str]


def _timeline(scenario: Scenario, lines: dict[str, str]) -> list[str]:
    """Every change of the link and the flows at its time, and a check each second."""
    seconds = range(1, int(scenario.duration_s) + 1)
    events = [
        *_rate_events(scenario),
        *_nudge_events(scenario),
        *_flow_events(scenario, lines),
        *_weather_events(scenario),
        *(
            (second, f"log_memory {second}")
            for second in seconds[MEMORY_EVERY_S - 1 :: MEMORY_EVERY_S]
        ),
        *((second, f"all_alive; echo @time {second}") for second in seconds),
        (scenario.duration_s, ":"),
    ]
    return [
        f"sleep_until_us {round(at * 1e6)}; {line}"
        for at, line in sorted(events, key=lambda event: event[0])
    ]


def _rate_events(scenario: Scenario) -> Iterator[_Event]:
    for direction in _shaped(scenario):
        for at, kbps, command in _changes(scenario, direction):
            if at < scenario.duration_s:
                logged = f"link_rate {kbps:g}{_log_argument(direction)}"
                yield at, f"{command} && {logged} || failed 'the link did not change'"


def _nudge_events(scenario: Scenario) -> Iterator[_Event]:
    for direction in DIRECTIONS:
        for at, line in topology.nudges(direction, scenario.link):
            if at + NUDGE_AFTER_S < scenario.duration_s:
                yield at + NUDGE_AFTER_S, f"nudge_link {line}"


def _flow_events(scenario: Scenario, lines: dict[str, str]) -> Iterator[_Event]:
    """Flows end, begin, and begin again."""
    for flow in scenario.flows:
        if isinstance(flow, VideoFlow | LaunchFlow) and flow.stop_s is not None:
            yield flow.stop_s, f"end_flow {lives('sender', flow)[-1]}"
    for name, at in _late(scenario).items():
        yield at, lines[name]
    for flow in scenario.flows:
        for side in ("sender", "receiver"):
            names = lives(side, flow)
            for before, name in zip(names, names[1:], strict=False):
                yield _restarts(scenario)[name], f"stop KILL {before}; {lines[name]}"


def _weather_events(scenario: Scenario) -> Iterator[_Event]:
    program = "change_link" if scenario.link.conditions else "tc -n r"
    for at, arguments in topology.weather_changes(scenario.link):
        if at < scenario.duration_s:
            yield at, f"{program} {arguments} || failed 'the link did not change'"


def _log_argument(direction: str) -> str:
    return "" if direction == "forward" else f" {run_files.LINK_LOGS[direction]}"
