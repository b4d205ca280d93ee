"""Golden digests of published profiles never change, and the default's by a commit that says so."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import golden_history
import pytest
from golden_history import NoHistoryError

ROOT = Path(__file__).parent.parent
FILE = Path("tests/golden/digests.txt")
BEHAVIOUR = "The rate was too high.\n\nBehaviour: recommended"

LINES = {
    "sender": "a_s_bps reason",
    "recommended remb tcp": "aa 01 02",
    "goog-2020 remb tcp": "bb 03 04",
    "rtcweb-2013 remb tcp": "cc 05 06",
}


def test_no_commit_has_changed_what_must_stay() -> None:
    try:
        assert golden_history.problems(ROOT, FILE) == []
    except NoHistoryError as error:
        pytest.skip(f"no history: {error}")


def test_every_profile_with_digests_is_a_test() -> None:
    lines = (ROOT / FILE).read_text(encoding="utf-8").splitlines()
    profiles = {golden_history.profile(line) for line in lines} - set(golden_history.HEAD)
    build = (ROOT / "tests/golden/meson.build").read_text(encoding="utf-8")
    assert profiles | {"digests"} == set(re.findall(r"^  '([\w-]+)',$", build, re.MULTILINE))


# --- the walk, through a small history ---


class Repository:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.file = Path("digests.txt")
        self.lines = dict(LINES)
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("the first digests")

    def git(self, *words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgSign=false")
        subprocess.run(["git", *who, *words], cwd=self.root, check=True, capture_output=True)

    def write(self) -> None:
        text = "".join(f"{key} {digest}\n" for key, digest in self.lines.items())
        (self.root / self.file).write_text(text, encoding="utf-8")

    def commit(self, message: str) -> None:
        self.write()
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def change(self, key: str, digest: str, message: str) -> None:
        self.lines[key] = digest
        self.commit(message)

    def move(self, file: str) -> None:
        self.git("mv", str(self.file), file)
        self.file = Path(file)

    def problems(self) -> list[str]:
        """Without the names of the commits."""
        found = golden_history.problems(self.root, self.file)
        return [re.sub(r"^[0-9a-f]{7,} ", "", problem) for problem in found]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    return Repository(tmp_path)


def test_the_first_digests_are_good(repository: Repository) -> None:
    assert repository.problems() == []


def test_a_published_profile_that_changes_is_refused(repository: Repository) -> None:
    repository.change("goog-2020 remb tcp", "b0 03 04", f"a rule\n\n{BEHAVIOUR}")
    assert repository.problems() == ["changes a published profile: goog-2020 remb tcp"]


def test_a_change_that_is_undone_is_refused_all_the_same(repository: Repository) -> None:
    repository.change("goog-2020 remb tcp", "b0 03 04", "a rule")
    repository.change("goog-2020 remb tcp", "bb 03 04", "as before")
    assert repository.problems() == ["changes a published profile: goog-2020 remb tcp"] * 2


def test_a_published_profile_whose_line_goes_is_refused(repository: Repository) -> None:
    del repository.lines["rtcweb-2013 remb tcp"]
    repository.commit("a call less")
    assert repository.problems() == ["changes a published profile: rtcweb-2013 remb tcp"]


def test_the_default_changes_with_trailer_and_reason(repository: Repository) -> None:
    repository.change("recommended remb tcp", "a0 01 02", f"a rule\n\n{BEHAVIOUR}")
    assert repository.problems() == []


def test_the_default_does_not_change_without_the_trailer(repository: Repository) -> None:
    repository.change("recommended remb tcp", "a0 01 02", "a rule\n\nThe rate was too high.")
    assert repository.problems() == ["has no trailer `Behaviour: recommended`"]


def test_the_trailer_of_another_profile_does_not_count(repository: Repository) -> None:
    repository.change("recommended remb tcp", "a0 01 02", "a rule\n\nWhy.\n\nBehaviour: goog-2020")
    assert repository.problems() == ["has no trailer `Behaviour: recommended`"]


def test_the_default_does_not_change_without_a_reason(repository: Repository) -> None:
    repository.change("recommended remb tcp", "a0 01 02", "a rule\n\nBehaviour: recommended")
    assert repository.problems() == ["gives no reason in its body"]


def test_lines_of_new_calls_are_good(repository: Repository) -> None:
    lines = list(repository.lines.items())
    repository.lines = dict([*lines[:2], ("goog-2020 remb loss", "dd 07 08"), *lines[2:]])
    repository.commit("a call")
    assert repository.problems() == []


def test_lines_in_another_order_are_good(repository: Repository) -> None:
    repository.lines = dict(reversed(repository.lines.items()))
    repository.commit("the order")
    assert repository.problems() == []


def test_a_column_has_another_name(repository: Repository) -> None:
    repository.change("sender", "target_bps reason", "a name")
    assert repository.problems() == []


def test_a_move_is_good_and_hides_nothing(repository: Repository) -> None:
    repository.move("moved.txt")
    repository.commit("a move")
    assert repository.problems() == []
    repository.change("goog-2020 remb tcp", "b0 03 04", "a rule")
    repository.move("moved-again.txt")
    repository.commit("a move")
    assert repository.problems() == ["changes a published profile: goog-2020 remb tcp"]


def test_a_move_that_changes_a_line_is_refused(repository: Repository) -> None:
    repository.move("moved.txt")
    repository.change("goog-2020 remb tcp", "b0 03 04", "a move")
    assert repository.problems() == ["changes a published profile: goog-2020 remb tcp"]


def test_what_is_not_committed_yet_is_refused(repository: Repository) -> None:
    repository.lines["goog-2020 remb tcp"] = "b0 03 04"
    repository.write()
    assert repository.problems() == ["the file changes a published profile: goog-2020 remb tcp"]


def test_what_a_merge_changes_is_refused(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "side")
    repository.change("recommended remb loss", "ee 09 0a", "a call")
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    repository.change("goog-2020 remb tcp", "b0 03 04", "a merge")
    assert repository.problems() == ["the file changes a published profile: goog-2020 remb tcp"]


def test_a_shallow_clone_has_no_history(repository: Repository, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    source = repository.root.resolve().as_uri()
    repository.commit("another")
    repository.git("clone", "--quiet", "--depth=1", source, str(clone))
    with pytest.raises(NoHistoryError, match="shallow"):
        golden_history.problems(clone, repository.file)


def test_an_archive_has_no_history(tmp_path: Path) -> None:
    (tmp_path / "digests.txt").write_text("", encoding="utf-8")
    with pytest.raises(NoHistoryError):
        golden_history.problems(tmp_path, Path("digests.txt"))


def test_an_archive_inside_of_a_repository_has_no_history(repository: Repository) -> None:
    folder = repository.root / "archive"
    folder.mkdir()
    with pytest.raises(NoHistoryError, match="no repository of its own"):
        golden_history.problems(folder, repository.file)


def test_a_file_that_is_not_committed_has_no_history(repository: Repository) -> None:
    with pytest.raises(NoHistoryError, match="not committed"):
        golden_history.problems(repository.root, Path("other.txt"))
