"""What went wrong, in one line a user can act on."""


class TestbedError(Exception):
    """The command line turns this into `error: ...` on stderr and exit code 2."""

    __test__ = False  # not a test class, whatever pytest thinks of its name
