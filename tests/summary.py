"""Adds up JUnit files, and meson's log: names what failed and what was skipped, and why."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

# What meson calls a program that did not come to its end; its JUnit file has only the tests before.
DIED = ("ERROR", "TIMEOUT", "INTERRUPT")


def died(log: Path) -> list[str]:
    """The programs of meson's testlog.json that did, each with what became of it."""
    told = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return [f"{each['name']}: {each['result']}" for each in told if each["result"] in DIED]


def readable(file: Path) -> str:
    """The file without what XML forbids: Meson writes down whatever a program has printed."""
    text = file.read_text(encoding="utf-8", errors="replace")
    text = re.sub(r"^<\?xml[^>]*\?>", "", text)
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)


def why(case: ET.Element, skip: ET.Element) -> str:
    """Why a test was skipped. The reason of a whole program is in its output only, with Meson."""
    printed = re.search(r"# SKIP (.+)", case.findtext("system-out") or "")
    return skip.get("message") or skip.text or (printed[1] if printed else "no reason given")


def main(files: list[str]) -> int:
    passed = failed = skipped = 0
    for file in files:
        if not Path(file).is_file():
            print(f"failed: {file} was not written: its tests did not run")
            failed += 1
            continue
        if file.endswith(".json"):
            for program in died(Path(file)):
                print(f"failed: {program}")
                failed += 1
            continue
        for case in ET.fromstring(readable(Path(file))).iter("testcase"):
            name = f"{case.get('classname')}: {case.get('name')}"
            skip = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                print(f"failed: {name}")
                failed += 1
            elif skip is not None:
                print(f"skipped: {name}: {why(case, skip)}")
                skipped += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
