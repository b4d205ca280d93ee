"""What all calls reached: made two at a time, kept in a file, compared with the present lines."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from published import call as calls
from published.call import Reached
from published.lines import Call

FILE = Path(__file__).with_name("results.json")
# Worlds that run at the same time.
JOBS = 2


@dataclass(frozen=True)
class Result:
    """Of one call: what each end that sends reached, and what both ends said."""

    title: str
    digest: str
    says_transport_cc: bool
    reached: dict[str, Reached]
    warnings: tuple[str, ...]

    def problems(self) -> list[str]:
        """Why the lines do not keep what they promise."""
        return [
            *(
                f"at {end}: {problem}"
                for end, reached in self.reached.items()
                for problem in reached.problems(self.says_transport_cc)
            ),
            *self.warnings,
        ]


def of_call(call: Call, out: Path) -> Result:
    """Makes the call."""
    calls.make(call.commands(), out)
    return Result(
        title=call.title,
        digest=call.digest,
        says_transport_cc=call.says_transport_cc(),
        reached={end: calls.reached(out, end) for end in call.senders},
        warnings=tuple(calls.warnings(out)),
    )


def start(made: list[Call], out: Path) -> dict[str, Future[Result]]:
    """Starts a call for each different pair of lines; by digest."""
    pool = ThreadPoolExecutor(JOBS)
    different = {call.digest: call for call in made}
    started = {
        digest: pool.submit(of_call, call, out / digest) for digest, call in different.items()
    }
    pool.shutdown(wait=False)
    return started


def gstreamer() -> str:
    shown = subprocess.run(
        ["gst-launch-1.0", "--version"], capture_output=True, text=True, check=True
    )
    return shown.stdout.splitlines()[1]


def save(results: list[Result]) -> None:
    kept = {"versions": gstreamer(), "calls": [asdict(result) for result in results]}
    FILE.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def load() -> tuple[str, list[Result]]:
    """The version of GStreamer, and what was reached with it."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    return kept["versions"], [_result(each) for each in kept["calls"]]


def _result(kept: dict[str, Any]) -> Result:
    reached = {end: Reached(**numbers) for end, numbers in kept["reached"].items()}
    return Result(**{**kept, "reached": reached, "warnings": tuple(kept["warnings"])})
