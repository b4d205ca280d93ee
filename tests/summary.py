"""Adds up JUnit files: names what failed and what was skipped, and why."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def main(files: list[str]) -> int:
    passed = failed = skipped = 0
    for file in files:
        if not Path(file).is_file():
            print(f"failed: {file} was not written: its tests did not run")
            failed += 1
            continue
        for case in ET.parse(file).getroot().iter("testcase"):
            name = f"{case.get('classname')}: {case.get('name')}"
            skip = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                print(f"failed: {name}")
                failed += 1
            elif skip is not None:
                print(f"skipped: {name}: {skip.get('message') or skip.text or 'no reason given'}")
                skipped += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
