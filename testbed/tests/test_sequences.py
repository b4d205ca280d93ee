"""Where sequences come from."""

import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest

from gcc_testbed.run import sequences
from gcc_testbed.scenario.sequence import Sequence
from gcc_testbed.support.errors import TestbedError

needs_ffmpeg = pytest.mark.skipif(not shutil.which("ffmpeg"), reason="ffmpeg is not installed")


@pytest.fixture(autouse=True)
def nothing_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("GCC_SEQUENCES", raising=False)
    monkeypatch.setattr(sequences, "PROJECT", tmp_path / "project")


def make_video(file: Path, frames: int, size: str = "64x48", rate: int = 30) -> Path:
    source = f"testsrc=s={size}:r={rate}"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source]
        + ["-frames:v", str(frames), str(file)],
        check=True,
    )
    return file


def test_the_users_own_directory_comes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for place in ("mine", "shared/sequences", "cache/gcc-testbed/sequences"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "foreman_cif.mp4").write_text("x")
    monkeypatch.setenv("GCC_SEQUENCES", str(tmp_path / "mine"))
    named = sequences.NAMED["foreman"]
    found = []
    for place in ("mine", "shared/sequences", "cache/gcc-testbed/sequences"):
        file = sequences.find(named)
        assert file == tmp_path / place / "foreman_cif.mp4"
        found.append(file)
        file.unlink()
    assert sequences.find(named) is None


@needs_ffmpeg
def test_a_file_becomes_one_raw_frame_a_file(tmp_path: Path) -> None:
    file = make_video(tmp_path / "clip.mkv", frames=5)
    sequence = sequences.prepare(str(file), lambda text: None, lambda what, part: None)
    assert (sequence.name, sequence.frame_count, sequence.fps) == ("clip", 5, "30/1")
    frames = sorted(Path(sequence.frames).iterdir())
    assert [frame.name for frame in frames][:2] == ["f0000.i420", "f0001.i420"]
    assert {frame.stat().st_size for frame in frames} == {64 * 48 * 3 // 2}


@needs_ffmpeg
def test_the_60_fps_sequence_loses_frame_0_and_every_second(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GCC_SEQUENCES", str(tmp_path))
    make_video(tmp_path / "FourPeople_1280x720_60.mkv", frames=9, rate=60)
    named = sequences.NAMED["fourpeople"]
    monkeypatch.setitem(
        sequences.NAMED,
        "fourpeople",
        sequences.Named(("FourPeople_1280x720_60.mkv",), *list(vars(named).values())[1:]),
    )
    sequence = sequences.prepare("fourpeople", lambda text: None, lambda what, part: None)
    assert (sequence.frame_count, sequence.fps) == (4, "30/1")


@needs_ffmpeg
def test_a_still_screen_is_the_first_frame_for_a_minute_then_all_that_moves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_video(tmp_path / "foreman_cif.mkv", frames=7)
    monkeypatch.setenv("GCC_SEQUENCES", str(tmp_path))
    named = sequences.NAMED["foreman"]
    files = sequences.Named(("foreman_cif.mkv",), *list(vars(named).values())[1:])
    monkeypatch.setitem(sequences.NAMED, "foreman", files)
    moving = sequences.prepare("foreman", lambda text: None, lambda what, part: None)
    still = sequences.prepare("still-foreman", lambda text: None, lambda what, part: None)
    assert (still.name, still.frame_count) == ("still-foreman", 3000)

    def frame(of: Sequence, number: int) -> bytes:
        return (Path(of.frames) / f"f{number:04d}.i420").read_bytes()

    for number in (0, 1, 1799, 1800):
        assert frame(still, number) == frame(moving, 0)
    assert frame(still, 1801) == frame(moving, 1)
    assert frame(still, 1807) == frame(moving, 0)
    assert frame(still, 2999) == frame(moving, 1199 % 7)


@needs_ffmpeg
def test_without_file_and_network_a_generated_source_is_used_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_network(*_: object, **__: object) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(urllib.request, "urlopen", no_network)
    named = sequences.NAMED["foreman"]
    small = sequences.Named(named.files, named.url, 64, 48, named.fps, 6)
    monkeypatch.setitem(sequences.NAMED, "foreman", small)
    said: list[str] = []
    sequence = sequences.prepare("foreman", said.append, lambda what, part: None)
    assert sequence.name == "generated (in place of foreman)"
    assert (sequence.width, sequence.height, sequence.frame_count) == (64, 48, 6)
    assert len(sequence.sha256) == 64
    assert "foreman: download failed: no route to host" in said
    assert any("generated moving source" in line for line in said)
    again = sequences.prepare("foreman", said.append, lambda what, part: None)
    assert again == sequence


def test_a_download_cut_short_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Answer:
        headers = {"Content-Length": "64000000"}
        parts = [b"half", b""]

        def read(self, _: int) -> bytes:
            return self.parts.pop(0)

        def __enter__(self) -> "Answer":
            return self

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: Answer())
    named = sequences.NAMED["foreman"]
    said: list[str] = []
    assert sequences._download("foreman", named, said.append, lambda what, part: None) is None
    assert "foreman: 64 MB" in said
    assert list((tmp_path / "cache/gcc-testbed/sequences").iterdir()) == []


@needs_ffmpeg
def test_a_text_file_is_not_video(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    with pytest.raises(TestbedError, match=r"--sequence .*a.txt: not video"):
        sequences.probe(tmp_path / "a.txt")
