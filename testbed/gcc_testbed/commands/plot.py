"""`gcc-testbed plot`: a picture of any call, from the traces that the elements have written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gcc_testbed.commands.arguments import Parser
from gcc_testbed.support.errors import TestbedError

if TYPE_CHECKING:
    from gcc_testbed.measure.whole_trace import Points

_FORMATS = (".png", ".svg")
_BIN_S = 0.5


def parser() -> Parser:
    """The options."""
    found = Parser(
        prog="gcc-testbed plot",
        description="Draws a call from the traces of its elements (property trace-location), that "
        "of one side or of both: rates, round trip, loss, states, probes, falls with their "
        "reasons, and the detector.",
    )
    found.add_argument(
        "traces", metavar="TRACE.csv", nargs="+", help="of gccsender, of gccreceiver, or both"
    )
    found.add_argument(
        "--pcap",
        metavar="FILE",
        help="a capture of the call (pcap, Ethernet, IPv4): the rate of its largest RTP flow is "
        "drawn, too",
    )
    found.add_argument(
        "--out",
        metavar="FILE",
        help="the picture, a .png or .svg (default: TRACE.png, in this directory)",
    )
    return found


def main(arguments: list[str]) -> int:
    """Draws; the exit code."""
    options = parser().parse_args(arguments)
    if len(options.traces) > 2:
        raise TestbedError(f"expected one trace or two, got {len(options.traces)}")
    files = [Path(name) for name in options.traces]
    out = Path(options.out or f"{files[0].stem or 'call'}.png")
    if out.suffix not in _FORMATS:
        raise TestbedError(f"--out {out}: expected a name that ends in .png or .svg")
    if out.exists() and any(out.samefile(file) for file in files if file.exists()):
        raise TestbedError(f"--out {out}: it is the trace itself")

    from gcc_testbed.measure import whole_trace
    from gcc_testbed.report import trace_picture

    trace = whole_trace.read(files)
    captured = _captured(Path(options.pcap), trace.origin_s) if options.pcap else None
    try:
        trace_picture.draw(trace, [file.name for file in files], captured, out)
    except OSError as problem:
        raise TestbedError(f"--out {out}: {problem.strerror}") from None
    print(f"picture: {out}")
    return 0


def _captured(file: Path, origin_s: float) -> Points:
    from gcc_testbed.measure import captures

    rates = captures.largest_rtp_flow(captures.read(file, origin_s), _BIN_S)
    if not len(rates[0]):
        raise TestbedError(f"{file}: expected RTP over UDP, IPv4 and Ethernet, and there is none")
    return rates
