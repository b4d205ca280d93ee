"""A call on a recording: its draws as the tables of a scenario file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gcc_testbed.scenario import recording
from gcc_testbed.studies.drawn import calls, draws
from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.drawn.draws import Draws, Population, Words
from gcc_testbed.studies.paths import folder
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

PATHS = DATA / "paths.toml"
LETTER = "p"
# As on shaped links.
MIN_KBPS, START_KBPS = 50, 300
WEB_LEAST_BYTES = 20_000

Table = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """All that calls are drawn from: a file of distributions and a folder of recordings."""

    population: Population
    # By the kind of path and the name.
    recordings: dict[str, dict[str, Path]]
    # Those of delays alone, by the name.
    delays: dict[str, Path]


def load(directory: Path = folder.RECORDINGS, file: Path = PATHS) -> Source:
    """The distributions, of the kinds of path that the folder has, each recording as likely."""
    found = folder.recordings(directory)
    population = draws.load(file)
    kinds = population.keys["path"]
    assert isinstance(kinds, Words)
    there = {kind: share for kind, share in kinds.shares.items() if kind in found}
    if not there:
        raise TestbedError(f"{file}: draw.path: the folder has none of these kinds")
    chosen = {"path": _of_100(there)}
    for kind, named in found.items():
        chosen[_key(kind)] = _any_of(named)
    delays = folder.delays(directory)
    if delays:
        chosen[_key(folder.DELAYS)] = _any_of(delays)
    return Source(replace(population, keys={**population.keys, **chosen}), found, delays)


def _any_of(names: Iterable[str]) -> Words:
    return _of_100(dict.fromkeys(names, 1.0))


def _of_100(shares: dict[str, float]) -> Words:
    total = sum(shares.values())
    return Words({word: 100 * share / total for word, share in shares.items()})


def _key(kind: str) -> str:
    """Of the draw among the recordings of a kind: those of another kind change nothing in it."""
    return f"recording of {kind}"


def name_of(seed: int, number: int) -> str:
    """`p3-017`: the seventeenth call of seed 3."""
    return calls.name_of(seed, number, LETTER)


def drawn(name: str, source: Source) -> Drawn:
    """The call of a name, whatever else is drawn."""
    call = Draws(calls.parts_of(name, LETTER)[0], source.population)
    kind = call.word("path")
    recorded = call.word(_key(kind))
    delays = _delays(call, kind, recorded, source)
    tables: Table = {
        **source.population.call,
        "link": _link(call, kind, [source.recordings[kind][recorded], *delays.values()]),
        "flow": [_media(call), *_beside(call)],
    }
    kinds = {"path": kind, "recording": recorded, "beside": call.word("beside")}
    title = _title(" with ".join([recorded, *delays]), call, tables)
    return Drawn(name, title, {"title": f"{name}: {title}", **tables}, kinds)


def check(found: Iterable[Drawn]) -> None:
    """Reads the recordings of calls, each once: a TestbedError names the first that is none."""
    for files in sorted({tuple(_recordings(call)) for call in found}):
        named = " and ".join(map(str, files))
        try:
            driven = recording.driven(files, 1.0)
        except TestbedError as problem:
            raise TestbedError(f"{named}: {problem}") from None
        if driven.rate is None:
            raise TestbedError(f"{named}: it has no rates: expected some in the column kbps")


def _recordings(call: Drawn) -> list[Path]:
    given = call.tables["link"]["recording"]
    return [Path(name) for name in (given if isinstance(given, list) else [given])]


def _delays(call: Draws, kind: str, recorded: str, source: Source) -> dict[str, Path]:
    """The recording that a path has its delays from, by its name, if its own has rates alone."""
    if kind != folder.DELAYED or not source.delays:
        return {}
    if folder.columns(source.recordings[kind][recorded]) != ("kbps",):
        return {}
    name = call.word(_key(folder.DELAYS))
    return {name: source.delays[name]}


def _link(call: Draws, kind: str, files: list[Path]) -> Table:
    names = [str(file) for file in files]
    return {
        "one_way_delay_ms": call.number("one_way_delay_ms"),
        "recording": names if len(names) > 1 else names[0],
        "forward": {"queue": _queue(call, kind)},
    }


def _queue(call: Draws, kind: str) -> Table:
    """That of a satellite drops its oldest packet, and its length does not follow the rate."""
    if kind == "starlink":
        return {"kind": "pfifo_head_drop", "packets": call.whole("head_drop_packets")}
    return {"kind": "droptail", "ms": call.number("queue_ms")}


def _media(call: Draws) -> Table:
    media: Table = {
        "kind": "gcc",
        "name": "media",
        "source": "model",
        "frame_rate": call.whole("frame_rate"),
        "min_kbps": MIN_KBPS,
        "start_kbps": START_KBPS,
        "max_kbps": call.whole("limit_kbps"),
    }
    if call.word("protection") != "none":
        media["protection"] = [call.word("protection")]
    return media


def _beside(call: Draws) -> list[Table]:
    beside = call.word("beside")
    since = {"start_s": round(call.number("beside_from") * call.population.call["duration_s"], 2)}
    if beside == "tcp":
        return [{"kind": "tcp", "name": "tcp", "congestion": "cubic", **since}]
    if beside == "call":
        return [{**_media(call), "name": "media-2", **since}]
    if beside == "web":
        transfers = {
            "bytes_min": WEB_LEAST_BYTES,
            "bytes_max": call.whole("web_most_bytes"),
            "idle_mean_s": call.number("web_idle_s"),
        }
        count = call.whole("web_connections")
        return [{"kind": "tcp", "name": "web", "count": count, "transfers": transfers}]
    return []


def _title(recorded: str, call: Draws, tables: Table) -> str:
    """The call in a line."""
    media = tables["flow"][0]
    beside = {
        "nobody": [],
        "web": ["beside {count} web connections"],
        "tcp": ["beside a CUBIC flow from {start_s:g} s"],
        "call": ["beside a second call from {start_s:g} s"],
    }[call.word("beside")]
    parts = [
        recorded,
        f"RTT {2 * tables['link']['one_way_delay_ms']:g} ms",
        _queue_words(tables["link"]["forward"]["queue"]),
        f"{media['max_kbps']} kbit/s at {media['frame_rate']}/s",
        *media.get("protection", []),
        *(words.format(**tables["flow"][1]) for words in beside),
    ]
    return ", ".join(parts)


def _queue_words(queue: Table) -> str:
    if "ms" in queue:
        return f"queue {queue['ms']:g} ms"
    return f"queue {queue['packets']} packets, head drop"
