"""Every scenario that comes with the testbed loads, and its numbers are the published ones."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from gcc_testbed.scenario.flows import EncoderModel, GccFlow, TcpFlow
from gcc_testbed.scenario.link import DropTail, Queue, Sfq
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.scenario_file import load
from gcc_testbed.studies.sweeps import sweep_file
from gcc_testbed.support.paths import DATA

SCENARIOS = sorted((DATA / "scenarios").glob("*.toml"))
SWEEPS = sorted((DATA / "sweeps").glob("*.toml"))

RFC_QUEUE = DropTail(ms=300)
RFC_MEDIA = ("foreman", 150, 1500)


@dataclass(frozen=True)
class Published:
    """The numbers of RFC 8867 or a paper; times in s, rates in kbit/s, delays in ms."""

    duration: float
    rate: str
    delay: float
    # (start, stop or None, extra delay) of each media flow
    media: tuple[tuple[float, float | None, float], ...]
    queue: Queue = RFC_QUEUE
    source: tuple[str, int, int] = RFC_MEDIA
    backward: str | None = None
    # (count, start, stop or None)
    tcp: tuple[tuple[int, float, float | None], ...] = ()


ALL_ALONG = (0, None, 0)

PUBLISHED = {
    "rfc8867-5.1": Published(100, "0:1000,40:2500,60:600,80:1000", 50, (ALL_ALONG,)),
    "rfc8867-5.2": Published(
        125, "0:4000,25:2000,50:3500,75:1000,100:2000", 50, (ALL_ALONG, ALL_ALONG)
    ),
    "rfc8867-5.3": Published(
        100,
        "0:2000,20:1000,40:500,60:2000",
        50,
        (ALL_ALONG, ALL_ALONG),
        backward="0:2000,35:800,70:2000",
    ),
    "rfc8867-5.4": Published(120, "3500", 50, ((0, None, 0), (20, None, 0), (40, None, 0))),
    "rfc8867-5.5": Published(
        300,
        "4000",
        10,
        ((0, None, 0), (10, None, 15), (20, None, 40), (30, None, 90), (40, None, 140)),
    ),
    "rfc8867-5.6": Published(120, "2000", 50, ((5, 119, 0),), tcp=((1, 0, 119),)),
    "rfc8867-5.7": Published(
        300, "2000", 50, ((5, 299, 0), (5, 299, 0)), tcp=((2, 0, None), (8, 10, None))
    ),
    "rfc8867-5.8": Published(120, "3500", 50, (ALL_ALONG,) * 3),
    "pv13-figure-9": Published(
        400,
        "1000",
        25,
        (ALL_ALONG,),
        DropTail(ms=None, bytes=30_000),
        ("foreman", 50, 2000),
        tcp=((1, 100, None),),
    ),
    "fhmn13-figure-6": Published(
        700,
        "0:500,100:1000,200:1500,300:2000,400:1500,500:1000,600:500",
        25,
        (ALL_ALONG,),
        DropTail(ms=None, bytes=60_000),
        ("foreman", 50, 2000),
    ),
    "fhmn13-figure-4": Published(
        300,
        "2000",
        25,
        (ALL_ALONG,),
        DropTail(ms=None, bytes=60_000),
        ("foreman", 50, 2000),
    ),
    "key-frame-buffer": Published(
        120,
        "1000",
        25,
        (ALL_ALONG,),
        DropTail(ms=None, bytes=15_000),
        ("fourpeople", 50, 2000),
    ),
    "ietf88-latency-50": Published(300, "100000", 50, (ALL_ALONG,), source=("foreman", 50, 2000)),
    "ccr16-figure-8": Published(
        400,
        "100000",
        25,
        (ALL_ALONG,),
        Sfq(ms=300),
        ("fourpeople", 50, 2000),
        tcp=((99, 100, 300),),
    ),
}


def scenario(name: str) -> Scenario:
    return load(DATA / "scenarios" / f"{name}.toml")


def media(found: Scenario) -> list[GccFlow]:
    return [flow for flow in found.flows if isinstance(flow, GccFlow)]


def test_the_table_has_every_scenario() -> None:
    own = ("synthetic-", "model-", "both-ways-", "report-")
    ours = [file.stem for file in SCENARIOS if file.stem.startswith(own)]
    assert [file.stem for file in SCENARIOS] == sorted([*PUBLISHED, *ours])


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_the_link_is_the_published_one(name: str) -> None:
    link, published = scenario(name).link, PUBLISHED[name]
    assert str(link.forward.rate) == published.rate
    assert link.forward.queue == published.queue
    assert link.one_way_delay_ms == published.delay
    assert (link.jitter_ms, link.loss_percent) == (0, 0)
    backward = str(link.backward.rate) if link.backward else None
    assert backward == published.backward


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_the_flows_are_the_published_ones(name: str) -> None:
    found, published = scenario(name), PUBLISHED[name]
    assert found.duration_s == published.duration
    flows = media(found)
    times = tuple((flow.start_s, flow.stop_s, flow.extra_one_way_delay_ms) for flow in flows)
    assert times == published.media
    for flow in flows:
        assert (flow.sequence, flow.min_kbps, flow.max_kbps) == published.source
    tcp = [flow for flow in found.flows if isinstance(flow, TcpFlow)]
    groups = [(flow.start_s, flow.stop_s) for flow in tcp]
    counted = tuple((groups.count(key), *key) for key in dict.fromkeys(groups))
    assert counted == published.tcp
    assert {flow.congestion for flow in tcp} <= {"cubic"}
    assert len(flows) + len(tcp) == len(found.flows)


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_it_says_what_it_is_and_where_it_is_from(name: str) -> None:
    found = scenario(name)
    assert found.title
    # A figure, a section, a row.
    number = name.rsplit("-", 1)[-1]
    assert found.source and (number in found.source or not number[0].isdigit())
    opening = (DATA / "scenarios" / f"{name}.toml").read_text().splitlines()[0]
    assert opening.startswith("# ")


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_a_published_profile_stays_with_remb(name: str) -> None:
    for flow in media(scenario(name)):
        assert flow.feedback == ("auto" if flow.profile == "recommended" else "remb")


@pytest.mark.parametrize("name", [name for name in sorted(PUBLISHED) if name.startswith("rfc")])
def test_a_case_of_the_rfc_is_measured_once_all_its_flows_are_there(name: str) -> None:
    found = scenario(name)
    assert found.measure_from_s == max(flow.start_s for flow in media(found))
    assert {flow.start_kbps for flow in media(found)} == {150}


@pytest.mark.parametrize(
    ("name", "frame_rate", "model"),
    [
        ("model-60-frames", 60, EncoderModel()),
        (
            "model-key-frame-at-change",
            None,
            EncoderModel(key_frame_at_change=True, key_frame_bytes=25000),
        ),
        ("model-key-frames", None, EncoderModel(key_frame_every_s=3, key_frame_bytes=60000)),
    ],
)
def test_an_encoder_is_as_it_was_reported(
    name: str, frame_rate: int | None, model: EncoderModel
) -> None:
    (flow,) = media(scenario(name))
    assert (flow.source, flow.frame_rate, flow.model) == ("model", frame_rate, model)
    assert flow.profile == "recommended"


def test_only_5_3_sends_in_both_directions() -> None:
    for name in PUBLISHED:
        directions = [flow.direction for flow in scenario(name).flows]
        both = name == "rfc8867-5.3"
        assert set(directions) == ({"forward", "backward"} if both else {"forward"}), name


def test_5_7_fetches_small_files_with_rests() -> None:
    flows = [flow for flow in scenario("rfc8867-5.7").flows if isinstance(flow, TcpFlow)]
    assert len(flows) == 10
    for flow in flows:
        assert flow.transfers is not None
        assert (flow.transfers.bytes_min, flow.transfers.bytes_max) == (30_000, 50_000)
        assert flow.transfers.idle_mean_s == 10


def test_5_8_pauses_the_second_flow() -> None:
    pauses = [flow.pause for flow in media(scenario("rfc8867-5.8"))]
    assert pauses == [(), ((40.0, 60.0),), ()]


@pytest.mark.parametrize(
    ("name", "profile"),
    [
        ("pv13-figure-9", "rtcweb-2013"),
        ("fhmn13-figure-4", "rtcweb-2013"),
        ("fhmn13-figure-6", "rtcweb-2013"),
        ("key-frame-buffer", "rtcweb-2013"),
        ("ietf88-latency-50", "rtcweb-2013"),
        ("ccr16-figure-8", "rmcat-2016"),
    ],
)
def test_a_paper_is_run_with_its_generation(name: str, profile: str) -> None:
    assert {flow.profile for flow in media(scenario(name))} == {profile}


@pytest.mark.parametrize("file", SWEEPS, ids=lambda file: file.stem)
def test_every_call_of_a_shipped_sweep_is_right(file: Path) -> None:
    for run in sweep_file.load(file).runs:
        load(run.scenario, tuple(sweep_file.option(*item) for item in run.settings.items()))


def test_the_sweep_of_the_rfc_has_both_delays_and_both_queues() -> None:
    plan = sweep_file.load(DATA / "sweeps" / "rfc8867.toml")
    settings = [(run.scenario.stem, *run.settings.values()) for run in plan.runs]
    assert {("rfc8867-5.1", 50), ("rfc8867-5.1", 100)} <= set(settings)
    assert {("rfc8867-5.6", 300), ("rfc8867-5.6", 1000)} <= set(settings)
    assert {name for name, *_ in settings} == {f"rfc8867-5.{n}" for n in range(1, 9)}


def test_only_figure_4_is_protected() -> None:
    protected = {name for name in PUBLISHED if any(f.protection for f in media(scenario(name)))}
    assert protected == {"fhmn13-figure-4"}
    assert media(scenario("fhmn13-figure-4"))[0].protection == ("rtx", "fec")


def calls(sweep: str) -> list[Scenario]:
    plan = sweep_file.load(DATA / "sweeps" / f"{sweep}.toml")
    return [
        load(run.scenario, tuple(sweep_file.option(*item) for item in run.settings.items()))
        for run in plan.runs
    ]


def test_the_sweep_of_key_frames_differs_in_nothing_but_the_pacer() -> None:
    found = calls("key-frame-buffer")
    assert {media(call)[0].pacing_factor for call in found} == {0, 2.5}
    assert {media(call)[0].encoder for call in found} == {(("keyframe-max-dist", "60"),)}
    assert len({call.link for call in found}) == 1
