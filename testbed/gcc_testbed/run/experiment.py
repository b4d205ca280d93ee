"""A call on this machine: its processes, their hosts and their input.

A host's processes are commands; experiment_script.py starts and ends them.
"""

from __future__ import annotations

import json
import random
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
from gcc_testbed.scenario.network import ADDRESS, Ports, ends
from gcc_testbed.scenario.scenario import Scenario
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
NUDGES_PROGRAM = Path(__file__).with_name("nudges.py")


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
            for again, name in enumerate(lives("receiver", flow)):
                command = self._receiver(number, flow, again)
                found.append((ends(flow.direction)[1], name, command))
        for host in self.traffic("sink"):
            found.append((host, f"sink-{host}", self._traffic_command("sink", host)))
        for number, flow in media:
            for again, name in enumerate(lives("sender", flow)):
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
        for program in (PLAYER_PROGRAM, NUDGES_PROGRAM):
            shutil.copyfile(program, logs / program.name)


def lives(side: str, flow: AnyFlow) -> list[str]:
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
