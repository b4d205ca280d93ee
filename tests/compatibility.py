"""Writes docs/compatibility.md from what ran: tests/compatibility/SUITE.json, one for each release,
and tests/published/results.json.

tests/on.sh --with chromium --with firefox-esr --with janus SUITE   # as root; leaves build/on-SUITE
build/venv/bin/python tests/compatibility.py take SUITE build/on-SUITE
tests/on.sh SUITE tests/published.sh -k l4s            # a part, with a row of its own
build/venv/bin/python tests/compatibility.py take SUITE-l4s build/on-SUITE 'the lines of L4S'
build/venv/bin/python tests/compatibility.py take wine build/windows/results   # of tests/windows.sh
build/venv/bin/python tests/compatibility.py             # the page alone, anew
"""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import summary
from published import page, results

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "tests" / "compatibility"
PAGE = ROOT / "docs" / "compatibility.md"

# What a peer or a placement is called, and the tests that try it.
COLUMNS = {
    "gst-launch": r"\btest_(launch|published_lines)\b",
    "wheel": r"\btest_elements_wheel\b",
    "rtpsink": r"/rtpsink\b",
    "webrtcbin": r"/webrtcbin\b",
    "Chromium": r"\btest_browsers\b.*\bchromium\b",
    "Firefox": r"\btest_browsers\b.*\bfirefox\b",
    "Janus": r"\btest_janus\b",
    "aiortc": r"\btest_aiortc\b",
}
VERSIONS = {
    "Chromium": "chromium",
    "Firefox": "firefox-esr",
    "Janus": "janus",
    "aiortc": "aiortc",
}

HEADER = """# Compatibility

Each row is a run of `./tests/run.sh` on a bare system of that release. A number counts tests; the
version of the peer is in brackets. `tests/compatibility.py` writes this page from what
`tests/on.sh` left. The row of Wine is what `tests/windows.sh` tries: the unit tests of the library,
pip with the wheel, and a call. A row of the wheel is `tests/test_elements_wheel.py` alone; one of
some lines is `tests/published.sh`.
"""


@dataclass
class Outcome:
    """Of some tests: how many passed, which failed, and which were skipped, with the reason."""

    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)

    def cell(self) -> str:
        counts = {
            "passed": self.passed,
            "**failed**": len(self.failed),
            "skipped": len(self.skipped),
        }
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count > 0) or "–"


@dataclass(frozen=True)
class Case:
    """One test: its name, and what became of it."""

    name: str
    failed: bool
    skipped: str | None


def read_junit(file: Path) -> Iterator[Case]:
    for case in ET.fromstring(summary.readable(file)).iter("testcase"):
        skip = case.find("skipped")
        reason = None if skip is None else skip.get("message") or skip.text or "no reason given"
        failed = case.find("failure") is not None or case.find("error") is not None
        yield Case(f"{case.get('classname')}: {case.get('name')}", failed, reason)


def read_results(folder: Path) -> list[Case]:
    cases: list[Case] = []
    for file in sorted(folder.glob("*.xml")):
        cases += read_junit(file)
    for file in sorted(folder.glob("*.json")):
        # a program that died stands for the tests that it still had
        cases += [Case(f"/{told.split(' / ')[-1]}", True, None) for told in summary.died(file)]
    return cases


def outcome(cases: Iterable[Case]) -> Outcome:
    result = Outcome()
    for case in cases:
        if case.failed:
            result.failed.append(case.name)
        elif case.skipped is not None:
            result.skipped[case.name] = case.skipped
        else:
            result.passed += 1
    return result


def take(name: str, folder: Path, part: str | None = None) -> None:
    """Keeps what a run of tests/on.sh left, of all tests or of a part."""
    lines = (folder / "facts.tsv").read_text(encoding="utf-8").splitlines()
    facts = dict(line.split("\t", 1) for line in lines)
    if part is not None:
        facts["distribution"] += f", {part}"
    cases = read_results(folder)
    columns = {
        name: outcome(case for case in cases if re.search(pattern, case.name))
        for name, pattern in COLUMNS.items()
    }
    taken = {
        "facts": facts,
        "columns": {name: asdict(result) for name, result in columns.items()},
        "all": asdict(outcome(cases)),
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(taken, indent=2, ensure_ascii=False) + "\n"
    (RESULTS / f"{name}.json").write_text(text, encoding="utf-8")


def version(run: dict[str, Any]) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", run["facts"]["gstreamer"])]


def row(run: dict[str, Any]) -> str:
    facts = run["facts"]
    cells = [facts["gstreamer"], facts["distribution"]]
    for name in COLUMNS:
        # a run may be older than the column
        cell = Outcome(**run["columns"].get(name, {})).cell()
        peer = facts.get(VERSIONS.get(name, ""))
        cells.append(f"{cell} ({peer})" if peer else cell)
    cells += [Outcome(**run["all"]).cell(), facts["date"]]
    return f"| {' | '.join(cells)} |\n"


def exceptions(run: dict[str, Any]) -> Iterator[str]:
    """What did not pass, by name; tests that were skipped for one reason are told once."""
    every = Outcome(**run["all"])
    for name in every.failed:
        yield f"* {run['facts']['gstreamer']}: failed: `{name}`\n"
    for reason in dict.fromkeys(every.skipped.values()):
        count = list(every.skipped.values()).count(reason)
        yield f"* {run['facts']['gstreamer']}: {count} skipped: {reason.strip()}\n"


def render(runs: list[dict[str, Any]]) -> str:
    runs = sorted(runs, key=version)
    titles = ["GStreamer", "system", *COLUMNS, "all tests", "date"]
    lines = [HEADER, "\n", f"| {' | '.join(titles)} |\n", "|---" * len(titles) + "|\n"]
    lines += map(row, runs)
    rest = [line for run in runs for line in exceptions(run)]
    if rest:
        lines += ["\nWhat did not pass:\n\n", *rest]
    return "".join(lines)


def taken() -> list[dict[str, Any]]:
    return [json.loads(file.read_text(encoding="utf-8")) for file in sorted(RESULTS.glob("*.json"))]


def whole_page() -> str:
    return f"{render(taken())}\n{page.text(*results.load())}"


def write_page() -> None:
    PAGE.write_text(whole_page(), encoding="utf-8")


def main(words: list[str]) -> int:
    if words and (words[0] != "take" or len(words) not in (3, 4)):
        sys.stderr.write(__doc__ or "")
        return 2
    if words:
        take(words[1], Path(words[2]), *words[3:])
    write_page()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
