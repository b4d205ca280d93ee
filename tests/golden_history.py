"""What commits have done to the golden digests (tests/golden/digests.txt).

A line of a published profile never changes. A commit that changes one of the default's says so in
a trailer, and why in its body.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

DEFAULT = "recommended"
TRAILER = "Behaviour"
# Lines that are no digests: the names of the columns.
HEAD = ("sender", "receiver")

COMMIT, FIELD = "\x1d", "\x1e"
FORMAT = "%x1d" + "%x1e".join(
    ("%h", "%b", "%(trailers:only)", f"%(trailers:key={TRAILER},valueonly)", "")
)


class NoHistoryError(Exception):
    """There is none that could be walked; the message says why."""


@dataclass(frozen=True)
class Commit:
    name: str
    # The body without trailers.
    reason: str
    behaviours: tuple[str, ...]
    added: tuple[str, ...]
    # Or changed: then the line that replaces it is in `added`.
    removed: tuple[str, ...]


def git(root: Path, *words: str) -> str:
    command = ("git", "-c", "log.showSignature=false", *words)
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    except FileNotFoundError as error:
        raise NoHistoryError("git is not installed") from error
    except subprocess.CalledProcessError as error:
        raise NoHistoryError(error.stderr.strip()) from error
    return done.stdout


def profile(line: str) -> str:
    return line.split(" ", 1)[0]


def call(line: str) -> str:
    """Profile, feedback and call."""
    return " ".join(line.split(" ")[:3])


def is_published(line: str) -> bool:
    return profile(line) not in (*HEAD, DEFAULT)


def _changes(diff: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lines that are added and removed; one that only moves is neither."""
    _, *hunks = diff.split("\n@@ ")
    lines = [line for hunk in hunks for line in hunk.splitlines()[1:]]
    added = Counter(line[1:] for line in lines if line.startswith("+"))
    removed = Counter(line[1:] for line in lines if line.startswith("-"))
    return tuple(added - removed), tuple(removed - added)


def _parse(text: str) -> Commit:
    name, body, trailers, behaviours, diff = text.split(FIELD)
    reason = [line for line in body.splitlines() if line not in trailers.splitlines()]
    return Commit(name, "\n".join(reason).strip(), tuple(behaviours.split()), *_changes(diff))


def commits(root: Path, file: Path) -> list[Commit]:
    """Those that touch the file, wherever it was, the newest first."""
    if Path(git(root, "rev-parse", "--show-toplevel").strip()) != root.resolve():
        raise NoHistoryError("this is no repository of its own")
    if git(root, "rev-parse", "--is-shallow-repository").strip() == "true":
        raise NoHistoryError("the clone is shallow")
    diff = ("-p", "-U0", "-M", "--no-color", "--no-ext-diff", "--no-textconv")
    log = git(root, "log", "--follow", *diff, f"--format={FORMAT}", "--", str(file))
    found = [_parse(text) for text in log.split(COMMIT)[1:]]
    if not found:
        raise NoHistoryError(f"{file} is not committed")
    return found


def _problems_of(commit: Commit) -> list[str]:
    problems = [
        f"{commit.name} changes a published profile: {call(line)}"
        for line in commit.removed
        if is_published(line)
    ]
    if any(profile(line) == DEFAULT for line in commit.removed):
        if DEFAULT not in commit.behaviours:
            problems.append(f"{commit.name} has no trailer `{TRAILER}: {DEFAULT}`")
        if not commit.reason:
            problems.append(f"{commit.name} gives no reason in its body")
    return problems


def problems(root: Path, file: Path) -> list[str]:
    """What is wrong in the history, and in the file that lies there now."""
    history = commits(root, file)
    known = {line for commit in history for line in commit.added}
    calls = {call(line) for line in known}
    return [problem for commit in history for problem in _problems_of(commit)] + [
        f"the file changes a published profile: {call(line)}"
        for line in (root / file).read_text(encoding="utf-8").splitlines()
        if is_published(line) and call(line) in calls and line not in known
    ]
