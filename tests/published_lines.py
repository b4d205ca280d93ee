"""Makes every line that the project publishes, and writes what each reached into
docs/compatibility.md.

build/venv/bin/python tests/published_lines.py           # makes all calls, in virtual time
build/venv/bin/python tests/published_lines.py --page    # the page alone, from what was kept
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import compatibility
from published import blocks, lines, results


def make() -> list[results.Result]:
    """All calls; those of the same words are made once."""
    made = lines.calls(blocks.published())
    with tempfile.TemporaryDirectory() as folder:
        started = results.start(made, Path(folder))
        return [replace(started[call.digest].result(), title=call.title) for call in made]


def main(words: list[str]) -> int:
    if words not in ([], ["--page"]):
        sys.stderr.write(__doc__ or "")
        return 2
    if not words:
        results.save(make())
    _, kept = results.load()
    compatibility.write_page()
    for result in kept:
        for problem in result.problems():
            print(f"failed: {result.title}: {problem}", file=sys.stderr)
    return int(any(result.problems() for result in kept))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
