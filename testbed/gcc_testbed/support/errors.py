"""Errors, each one line that a user can act on, and exit codes."""

# Exit codes: some calls failed; wrong use, nothing was done; interrupted.
EXIT_SOME_FAILED = 1
EXIT_BAD_USE = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


class TestbedError(Exception):
    """The command line turns this into `error: ...` on stderr and exit code 2."""

    __test__ = False  # not a test class, whatever pytest thinks of its name
