"""A result directory that appears only when it is complete. Standard library only."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType

from gcc_testbed.support import locks, temporary
from gcc_testbed.support.errors import TestbedError, reason

# Identifies a directory of results; one without it is never replaced.
MARK = "call.json"
SCRATCH = "gcc-testbed-"


def write_whole(file: Path, content: bytes) -> None:
    """The file is there with all of its content, or as it was before."""
    beside = file.with_name(f".{file.name}.new")
    try:
        beside.write_bytes(content)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def check_mark(out: Path, mark: str, other: str) -> None:
    """Refuses a file, and a directory that is not empty and lacks the mark."""
    if out.exists() and not out.is_dir():
        raise TestbedError(f"--out {out}: expected a directory, and this is not one")
    others = out.is_dir() and any(entry.name != locks.NAME for entry in out.iterdir())
    if others and not (out / mark).is_file():
        raise TestbedError(f"--out {out}: it holds {other}")


def check(final: Path) -> None:
    """Refuses a directory that may not be replaced."""
    if final.is_symlink():
        raise TestbedError(f"--out {final}: expected a directory, and this is not one")
    check_mark(
        final,
        MARK,
        "something other than a call's results; expected an empty or new directory",
    )
    parent = final.absolute().parent
    if not parent.is_dir():
        raise TestbedError(f"--out {final}: {parent} is not a directory")


class Output:
    """The directory a run writes to, put into its final place by `keep`.

    It is created in the system's temporary directory: a path of the same length for every run,
    whatever the name of the result. The length of a path changes the memory layout of programs,
    and in the end the microsecond in which something happens.
    """

    def __init__(self, final: Path) -> None:
        check(final)
        self.final = final.absolute()

    def __enter__(self) -> Output:
        with ExitStack() as stack:
            beside = temporary.directory(f".{self.final.name}.", self.final.parent)
            try:
                stack.enter_context(locks.only_one(self.final, self._lock()))
                self._beside = stack.enter_context(beside)
            except OSError as problem:
                raise TestbedError(f"--out {self.final}: {problem.strerror}") from None
            self.scratch = stack.enter_context(temporary.directory(SCRATCH, temporary.plain()))
            self._made = stack.pop_all()
        self.path = self.scratch / "run"
        self.path.mkdir()
        return self

    def keep(self) -> None:
        """Moves the directory to its final name, replacing an earlier call's."""
        whole = self._beside / "run"
        try:
            shutil.copytree(self.path, whole)
            check(self.final)
            if self.final.exists():
                self.final.rename(self._beside / "old")
            whole.rename(self.final)
        except OSError as problem:
            raise TestbedError(f"--out {self.final}: {reason(problem)}") from None

    @contextmanager
    def finished(self) -> Iterator[None]:
        """The call is made: a fault in what comes next leaves its files, and the error says where.

        A full disk, say, is no reason to make it again.
        """
        try:
            yield
        except (OSError, TestbedError) as problem:
            text = reason(problem) if isinstance(problem, OSError) else problem
            raise TestbedError(f"{text}; {self._left()}") from None
        except Exception as problem:
            problem.add_note(self._left())
            raise

    def _left(self) -> str:
        """Puts the files where no later run removes them."""
        left = self.scratch.with_name(self.scratch.name.replace(SCRATCH, f"{SCRATCH}kept-"))
        # A rename takes no space.
        self.scratch.rename(left)
        made = shlex.quote(str(left / self.path.name))
        return f"the call is made, and left in {made}: gcc-testbed report {made} measures it again"

    def _lock(self) -> Path:
        return self.final.with_name(f".{self.final.name}{locks.NAME}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._made.close()
