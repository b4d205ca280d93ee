"""Three pictures of one camera through one gccsender to an SFU, in virtual time."""

from __future__ import annotations

from test_bundle_calls import foreman, passed

CALL = "the_layers_that_fit_reach_the_sfu"


def test_the_layers_that_fit_reach_the_sfu() -> None:
    """tests/element/simulcast-calls.c has the steps of the link, and what is promised."""
    assert passed(foreman(), program="simulcast-calls") == [CALL]
