"""A call's points: the scorecard's, for the rate that it could use, and its viewer's frames."""

from __future__ import annotations

from dataclasses import dataclass

from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.studies.drawn import link_share
from gcc_testbed.studies.scorecard import measures
from gcc_testbed.studies.scorecard.measures import Values

# Of what arrives whole of the frames: where a fifth lacks a packet, the points are halved.
WHOLE_POWER = 3
# So much of the time frozen halves the points.
HALF_FROZEN_PERCENT = 5.0


@dataclass(frozen=True)
class Terms:
    """The limits of a call that do not depend on the contender."""

    usable: float = 1.0
    fair_share: float | None = None
    path_loss_percent: float = 0.0


def terms(scenario: Scenario) -> Terms:
    """Of a drawn call."""
    return Terms(
        link_share.usable(scenario),
        link_share.fair_share(scenario),
        scenario.link.loss_percent,
    )


def seen(values: Values) -> float:
    """The frames' quality for a viewer, 0 to 1: less for incomplete ones, and for freezes."""
    incomplete, frozen = values["incomplete_percent"], values["frozen_percent"]
    whole = 1.0 if incomplete is None else 1 - incomplete / 100
    waits = 0.0 if frozen is None else frozen / HALF_FROZEN_PERCENT
    return float(whole**WHOLE_POWER / (1 + waits))


def points(values: Values, call: Terms) -> float:
    """0 to 100; a call without any media has none."""
    used = values["utilisation"]
    of_usable = {**values, "utilisation": None if used is None else used / call.usable}
    of_card = measures.points(
        of_usable, fair_share=call.fair_share, path_loss_percent=call.path_loss_percent
    )
    return 0.0 if of_card is None else of_card * seen(values)
