"""Calls with each encoder over 2, 0.5 and 2 Mbit/s: the table of docs/encoder.md.

    GCC_BUILD_DIR=build build/venv/bin/python testbed/tools/encoder_steps.py [NAME...] [--runs DIR]

Each call is a scenario of the testbed, in virtual time. A call that is in DIR is not made again; an
encoder that is not installed has a row that says so. Stubs of the element tests stand for encoders
whose hardware is missing: the build makes them a plugin.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from measure_profiles import testbed
from page_table import replace_rows

from gcc_testbed.scenario.run_files import METRICS
from gcc_testbed.support.paths import BUILD

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "encoder.md"
HEADER = "| encoder over 2, 0.5, 2 Mbit/s |"
RUNS = Path("encoder-steps")
DURATION_S = 90
# Measured from the end of the start on.
FROM_S = 5
SCENARIO = """
title = "{name} over 2, 0.5, 2 Mbit/s"
duration_s = {duration_s}
measure_from_s = {from_s}
[link.forward]
rate_kbps = "0:2000,30:500,60:2000"
[[flow]]
kind = "launch"
sequence = "foreman"
sender = \"""-v {plugin}rtpbin name=rtp rtp-profile=avpf {{source}} ! {name} name=encoder
  ! {pay} mtu=1200 pt=96{as_video}
  ! gccsender feedback=transport-cc manage=all max-bitrate=2500000 {unit}
  ! rtp.send_rtp_sink_0
  rtp.send_rtp_src_0 ! udpsink host={{b}} port={{rtp}} sync=false async=false
  rtp.send_rtcp_src_0 ! udpsink host={{b}} port={{rtcp}} sync=false async=false
  udpsrc port={{feedback}} ! rtp.recv_rtcp_sink_0\"""
receiver = \"""rtpbin name=rtp rtp-profile=avpf udpsrc port={{rtp}} socket-timestamp=realtime
  caps=application/x-rtp,media=video,encoding-name={codec},clock-rate=90000,payload=96
  ! gccreceiver feedback=transport-cc ! rtp.recv_rtp_sink_0
  rtp. ! application/x-rtp{as_it_was} ! {depay} ! fakesink sync=false async=false
  udpsrc port={{rtcp}} ! rtp.recv_rtcp_sink_0
  rtp.send_rtcp_src_0 ! udpsink host={{a}} port={{feedback}} sync=false async=false\"""
"""


@dataclass(frozen=True)
class Encoder:
    """An encoder, its bitrate, and its RTP format."""

    name: str
    bitrate: str
    codec: str
    is_stub: bool = False

    @property
    def payloader(self) -> str:
        return f"rtp{self.codec.lower().removeprefix('x-')}pay"

    @property
    def missing(self) -> str | None:
        """An element of the call that is not installed."""
        names = (self.payloader,) if self.is_stub else (self.name, self.payloader)
        return next((name for name in names if not exists(name)), None)

    def scenario(self) -> str:
        return SCENARIO.format(
            name=self.name,
            plugin=f"--gst-plugin-load={stub_plugins()} " if self.is_stub else "",
            unit="encoder-bitrate-unit=1" if self.is_stub else "",
            codec=self.codec,
            as_video=media_is("video") if self.codec == OTHER else "",
            as_it_was=media_is("application") if self.codec == OTHER else "",
            pay=self.payloader,
            depay=self.payloader.replace("pay", "depay"),
            duration_s=DURATION_S,
            from_s=FROM_S,
        )


def media_is(kind: str) -> str:
    """An element that says so in the caps."""
    return f" ! capssetter caps=application/x-rtp,media={kind}"


def exists(element: str) -> bool:
    """Whether GStreamer has it."""
    return subprocess.run(["gst-inspect-1.0", "--exists", element], check=False).returncode == 0


def stub_plugins() -> str:
    """The stubs and what they are made of; the last one is loaded first."""
    shown = [
        subprocess.run(["gst-inspect-1.0", name], check=True, capture_output=True, text=True).stdout
        for name in ("vpx", "x264")
    ]
    files = [re.findall(r"^\s*Filename\s+(\S+)", text, re.MULTILINE)[0] for text in shown]
    return ",".join([str(STUBS), *files])


# Caps of any kind in RTP, as those of an application, which nothing probes with. The payloader of
# AV1 is one of gst-plugins-rs.
OTHER = "X-GST"
STUBS = BUILD / "tests" / "element" / "libgststubencoders.so"
ENCODERS = (
    Encoder("vp8enc", "target-bitrate", "VP8"),
    Encoder("vp9enc", "target-bitrate", "VP9"),
    Encoder("x264enc", "bitrate", "H264"),
    Encoder("openh264enc", "bitrate", "H264"),
    Encoder("x265enc", "bitrate", "H265"),
    Encoder("av1enc", "target-bitrate", OTHER),
    Encoder("svtav1enc", "target-bitrate", OTHER),
    Encoder("v4l2h264enc", "extra-controls", "VP8", is_stub=True),
    Encoder("nvav1enc", "bitrate", "VP8", is_stub=True),
    Encoder("omxh264enc", "target-bitrate", "H264", is_stub=True),
    Encoder("stubenc_steps", "bitrate", "VP8", is_stub=True),
)


@dataclass(frozen=True)
class Made:
    """The call of an encoder."""

    encoder: Encoder
    directory: Path

    def make(self) -> None:
        if (self.directory / METRICS).is_file():
            return
        file = self.directory.parent / f"{self.encoder.name}.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.encoder.scenario(), encoding="utf-8")
        testbed("run", str(file), out=self.directory)

    def changes(self) -> int:
        """How often the bitrate became another one: gst-launch-1.0 -v tells what is set."""
        logs = (self.directory / "logs").glob("sender-*.log")
        text = "".join(log.read_text(encoding="utf-8", errors="replace") for log in logs)
        told = re.findall(rf":encoder: {self.encoder.bitrate} = (.+)", text)
        return sum(before != after for before, after in pairwise(told))

    def row(self) -> str:
        (flow,) = json.loads((self.directory / METRICS).read_text(encoding="utf-8"))["flows"]
        return row(self.encoder, flow, self.changes())


def row(encoder: Encoder, flow: dict[str, Any], changes: int) -> str:
    """One of the table."""
    queueing = flow["one_way_queueing_ms"]
    cells = (
        f"*{encoder.name}*" if encoder.is_stub else encoder.name,
        f"{flow['utilisation']:.2f}",
        f"{queueing['p95']:.0f} ms",
        f"{100 * flow['loss_ratio']:.2f} %",
        f"{changes / DURATION_S * 60:.0f}",
    )
    return f"| {' | '.join(cells)} |"


def rows(chosen: Sequence[str], runs: Path) -> Iterator[str]:
    """Those of the table; calls that are missing are made."""
    for encoder in ENCODERS:
        if chosen and encoder.name not in chosen:
            continue
        if encoder.missing is not None:
            yield f"| {encoder.name} | without {encoder.missing} | | | |"
            continue
        made = Made(encoder, runs / encoder.name)
        made.make()
        yield made.row()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="encoders; default: all")
    parser.add_argument("--runs", type=Path, default=RUNS, metavar="DIR")
    options = parser.parse_args()
    made = list(rows(options.names, options.runs))
    print("\n".join(made))
    if not options.names:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(replace_rows(page, HEADER, made), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
