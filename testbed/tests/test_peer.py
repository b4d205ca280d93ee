"""rtpgccbwe as a kind of flow: in scenarios, and in a call where it is built."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gcc_testbed.run import peer
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.scenario.flows import RtpGccBweFlow
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.scenario_file import from_data, to_data
from gcc_testbed.scenario.sequence import Sequence
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import PEER_BUILDER


def scenario_with(**keys: Any) -> Scenario:  # noqa: ANN401
    flow = {"kind": "rtpgccbwe", **keys}
    link = {"forward": {"rate_kbps": 1000}}
    return from_data({"title": "t", "duration_s": 9, "link": link, "flow": [flow]}, "s.toml", None)


def test_a_peer_takes_the_keys_of_its_video_and_its_estimator() -> None:
    scenario = scenario_with(estimator="linear-regression", max_kbps=900, pause=[[2, 4]])
    assert scenario.flows == (
        RtpGccBweFlow(estimator="linear-regression", max_kbps=900, pause=((2.0, 4.0),)),
    )
    assert from_data(to_data(scenario), "again.toml", None) == scenario


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("estimator", "magic", "expected one of kalman, linear-regression"),
        ("profile", "recommended", "unknown key flow.0..profile"),
        ("protection", ["rtx"], "unknown key flow.0..protection"),
    ],
)
def test_what_a_peer_does_not_have_is_refused(key: str, value: object, said: str) -> None:
    with pytest.raises(TestbedError, match=said):
        scenario_with(**{key: value})


def test_without_cargo_one_line_says_what_to_install(tmp_path: Path) -> None:
    for program in ("bash", "sh", "mkdir", "cat", "head", "dirname"):
        for directory in ("/bin", "/usr/bin"):
            if (Path(directory) / program).exists():
                (tmp_path / program).symlink_to(Path(directory) / program)
                break
    done = subprocess.run(
        [tmp_path / "bash", str(PEER_BUILDER)],
        env={"PATH": str(tmp_path), "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: rtpgccbwe: cargo is not here; install Rust")


def test_a_call_with_a_peer_that_is_not_built_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    absent = tmp_path / "build.sh"
    absent.write_text("#!/bin/sh\necho 'error: rtpgccbwe: cargo is not here' >&2\nexit 2\n")
    absent.chmod(0o755)
    monkeypatch.setattr(peer, "PEER_BUILDER", absent)
    with pytest.raises(TestbedError, match="^no rtpgccbwe: cargo is not here; run .*build.sh$"):
        peer.check()


def test_the_sender_runs_in_the_program_that_sets_the_rate(
    monkeypatch: pytest.MonkeyPatch, sequence: Sequence, tmp_path: Path
) -> None:
    monkeypatch.setattr(peer, "plugin", lambda: Path("/p/libgstrsrtp.so"))
    experiment = Experiment(scenario_with(), (sequence,), tmp_path)
    commands = {name: command for _, name, command in experiment.processes()}
    sender = commands["sender-rtpgccbwe-1"]
    assert sender[:2] == [peer.PYTHON, "-IB"]
    assert json.loads(sender[3]) == {"estimates": "/run/call/sender.csv"}
    assert sender[4] == "--gst-plugin-load=/p/libgstrsrtp.so"
    experiment.write_inputs()
    assert (tmp_path / "logs" / Path(sender[2]).name).is_file()


def built() -> bool:
    try:
        peer.check()
    except TestbedError:
        return False
    return True


@pytest.mark.virtual
@pytest.mark.skipif(not built(), reason="rtpgccbwe is not built: testbed/peer/build.sh")
def test_a_call_under_rtpgccbwe(tmp_path: Path, testbed: Callable[..., None]) -> None:
    (tmp_path / "s.toml").write_text(
        'title = "A peer"\nduration_s = 8\nmeasure_from_s = 2\n[link.forward]\nrate_kbps = 1000\n'
        '[[flow]]\nkind = "rtpgccbwe"\n'
    )
    testbed(tmp_path, "run", "s.toml", "--quiet", "--out", "out")
    measured = json.loads((tmp_path / "out" / "metrics.json").read_text())
    (flow,) = measured["flows"]
    assert measured["profile"] == "rtpgccbwe kalman"
    assert flow["received_kbps"] > 200
    assert flow["frame_delay_ms"]["p95"] is not None
    with (tmp_path / "out" / "sender.csv").open(newline="") as content:
        rates = [int(row["a_s_bps"]) for row in csv.DictReader(content)]
    # Feedback comes, and the estimate leaves its start.
    assert rates[0] == 300_000
    assert len(set(rates)) > 10
