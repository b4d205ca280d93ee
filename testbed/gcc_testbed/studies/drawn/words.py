"""A call on a shaped link in words: its properties in a line, and its kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gcc_testbed.studies.drawn.draws import Draws

_QUEUES = {
    "droptail": "drop tail",
    "codel": "CoDel",
    "pie": "PIE",
    "sfq": "SFQ",
    "fq_codel": "FQ-CoDel",
}
_ENCODERS = {
    "late": "encoder {late_ms} ms late",
    "coarse": "encoder sends {rate_factor:g} of its target",
    "key-frames": "a key frame of {key_frame_bytes} bytes each {key_frame_every_s:g} s",
    "starts-over": "a key frame of {key_frame_bytes} bytes at each change",
}
# Keys of numbers that calls are grouped by, with the bound between few and much.
_SPLIT = {"capacity_kbps": 1000.0, "rtt_ms": 150.0, "loss_percent": 0.0, "jitter_ms": 0.0}
_UNITS = {"capacity_kbps": "kbit/s", "rtt_ms": "ms", "loss_percent": "%", "jitter_ms": "ms"}
_TITLES = {
    "capacity_kbps": "capacity",
    "rtt_ms": "RTT",
    "loss_percent": "random loss",
    "jitter_ms": "jitter",
    "course": "rate",
    "way_back": "way back",
}
_WORDS = (
    *("course", "queue", "bucket", "arrival", "route", "way_back"),
    *("beside", "source", "encoder", "protection"),
)

# Where the rate changes all the time: each change of a shaper's rate fills its bucket.
_CHANGING = ("fading", "trace")


def bucket(draws: Draws) -> str:
    """The token bucket of a call: more than a packet's only where the link's rate stays."""
    return "packet" if draws.word("course") in _CHANGING else draws.word("bucket")


def kinds(draws: Draws) -> dict[str, str]:
    """For each key by which calls are grouped, the side on which this call is."""
    found = {}
    for key, bound in _SPLIT.items():
        above = draws.number(key) > bound
        some = f"above {bound:g} {_UNITS[key]}" if bound else "some"
        none = f"up to {bound:g} {_UNITS[key]}" if bound else "none"
        found[_TITLES[key]] = some if above else none
    if draws.word("course") == "trace":
        # Whose rate is its own.
        del found[_TITLES["capacity_kbps"]]
    for key in _WORDS:
        found[_TITLES.get(key, key)] = _QUEUES.get(draws.word(key), draws.word(key))
    found["bucket"] = bucket(draws)
    if found["bucket"] == "policer":
        found["queue"] = "none"
    if draws.word("source") != "model":
        del found["encoder"]
    return found


def title(draws: Draws, capacity_kbps: float, tables: dict[str, Any]) -> str:
    """The special properties of the call, in a line; usual ones are left out."""
    parts = (*_path(draws, capacity_kbps, tables["link"]), *_flows(draws, tables["flow"]))
    return ", ".join(parts)


def _path(draws: Draws, capacity_kbps: float, link: dict[str, Any]) -> Iterator[str]:
    course, forward = draws.word("course"), link["forward"]
    yield {
        "trace": f"trace {draws.word('trace')}",
        "constant": f"{capacity_kbps:g} kbit/s",
        "steps": f"{forward['rate_kbps']} kbit/s",
        "fading": f"{capacity_kbps:g} kbit/s, fading each {draws.number('fading_every_s'):g} s",
    }[course]
    yield f"RTT {2 * link['one_way_delay_ms']:g} ms"
    queue = forward["queue"]
    if bucket(draws) == "policer":
        yield f"policer of {forward['burst_bytes']} bytes"
    else:
        yield _QUEUES[queue["kind"]] + (f" {queue['ms']:g} ms" if "ms" in queue else "")
        if "burst_bytes" in forward:
            yield f"bucket of {forward['burst_bytes']} bytes"
    for key, words in (
        ("loss_percent", "{:g} % loss"),
        ("jitter_ms", "jitter {:g} ms"),
        ("arrival_tick_ms", "arrival each {:g} ms"),
        ("arrival_noise_ms", "arrival noise {:g} ms"),
    ):
        if key in link:
            yield words.format(link[key])
    yield from _routes(draws)
    yield from _way_back(draws, link)


def _routes(draws: Draws) -> Iterator[str]:
    route = draws.word("route")
    if route == "moves":
        yield f"another route each {draws.number('route_every_s'):g} s"
    elif route != "same":
        yield f"a route {draws.number('route_ms'):g} ms {route}"


def _way_back(draws: Draws, link: dict[str, Any]) -> Iterator[str]:
    way_back = draws.word("way_back")
    if way_back == "lossy":
        yield f"way back loses {draws.number('way_back_loss_percent'):g} %"
    elif "backward" in link:
        yield f"way back {link['backward']['rate_kbps']:g} kbit/s"
        if way_back == "full":
            yield "an upload on it"


def _flows(draws: Draws, flows: list[dict[str, Any]]) -> Iterator[str]:
    media = flows[0]
    rate = f" {media['frame_rate']}/s" if "frame_rate" in media else ""
    yield f"{media.get('source', media.get('sequence'))}{rate}"
    if "source" in media and (encoder := draws.word("encoder")) != "as-told":
        yield _ENCODERS[encoder].format(**media["model"])
    yield f"{media['start_kbps']} to {media['max_kbps']} kbit/s"
    if "protection" in media:
        yield " and ".join(media["protection"])
    beside = draws.word("beside")
    if beside == "tcp":
        tcp = [flow["congestion"] for flow in flows if flow.get("congestion")]
        yield f"beside {' + '.join(tcp)}"
    elif beside == "web":
        yield f"beside {draws.whole('web_connections')} web connections"
    elif beside == "cbr":
        yield f"beside {flows[1]['rate_kbps']:g} kbit/s of UDP"
    elif beside == "calls":
        count = draws.whole("other_calls")
        yield f"beside {count} more {'call' if count == 1 else 'calls'}"
