"""Commands on the pages of docs/how-to do as the pages say."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FALLS = ROOT / "docs" / "how-to" / "find-out-why-the-rate-fell.md"


def test_the_falls_of_a_trace_are_listed(tmp_path: Path) -> None:
    command = re.search(r"```\n(   awk .*?sender\.csv)\n", FALLS.read_text(encoding="utf-8"), re.S)
    assert command is not None
    (tmp_path / "sender.csv").write_text(
        "time_s,event,a_s_bps,reason\n"
        "1577836801.000050,start,300000,start\n"
        "1577836802.500050,transport-feedback,2000000,probe\n"
        "1577836803.000050,transport-feedback,1990000,overuse\n"
        "1577836821.180050,transport-feedback,360000,drain\n"
    )
    listed = subprocess.run(
        ["sh", "-c", command[1]], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert listed.stdout == "20.18 s: 1990 to 360 kbit/s, drain\n"
