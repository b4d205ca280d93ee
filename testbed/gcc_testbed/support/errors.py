"""Errors, each one line that a user can act on, and exit codes."""

from __future__ import annotations

import sys

# Exit codes: some calls failed; wrong use, nothing was done; interrupted.
EXIT_SOME_FAILED = 1
EXIT_BAD_USE = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def tell(problem: object) -> None:
    """An error as one line on stderr, with whatever a name or a value in it holds."""
    text = "".join(each if each.isprintable() else _escaped(each) for each in str(problem))
    print(f"error: {text}", file=sys.stderr)


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def reason(problem: OSError) -> str:
    """The file and the reason of an error of the system; an open file has no name there."""
    if problem.args and isinstance(problem.args[0], list):
        # That of the first of many files, from shutil.
        return str(problem.args[0][0][-1])
    said = problem.strerror or str(problem)
    return f"cannot write: {said}" if problem.filename is None else f"{problem.filename}: {said}"


class TestbedError(Exception):
    """The command line turns this into `error: ...` on stderr and exit code 2."""

    __test__ = False  # not a test class, whatever pytest thinks of its name
