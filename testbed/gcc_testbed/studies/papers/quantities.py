"""The papers' quantities by their own symbols, computed from a call's metrics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Number = float | None


@dataclass(frozen=True)
class Quantity:
    """A number of a call; `of` computes it from the metrics, with `dynamics` among them."""

    label: str
    of: Callable[[dict[str, Any]], Number]
    digits: int = 2


def _first(*path: str, times: float = 1.0) -> Callable[[dict[str, Any]], Number]:
    return lambda call: _scaled(_at(call["flows"][0], *path), times)


def _flow(number: int, *path: str, times: float = 1.0) -> Callable[[dict[str, Any]], Number]:
    return lambda call: (
        _scaled(_at(call["flows"][number], *path), times) if number < len(call["flows"]) else None
    )


def _at(table: Any, *path: str) -> Any:  # noqa: ANN401
    for key in path:
        table = (table or {}).get(key)
    return table


def _scaled(value: Number, times: float) -> Number:
    return None if value is None else value * times


def _sent(call: dict[str, Any]) -> Number:
    """The received and the lost bytes."""
    flow = call["flows"][0]
    loss = flow["loss_ratio"]
    return None if loss is None or loss >= 1 else float(flow["received_kbps"] / (1 - loss))


def _of_received(call: dict[str, Any]) -> Number:
    """Two of the papers divide what was lost by what was received."""
    loss = call["flows"][0]["loss_ratio"]
    return None if loss is None or loss >= 1 else loss / (1 - loss)


def _part_of_link(name: str) -> Callable[[dict[str, Any]], Number]:
    def of(call: dict[str, Any]) -> Number:
        rate = _at(call["flows"][0], "rates_kbps", name)
        return None if rate is None else rate / call["capacity_kbps"]

    return of


def _fair_share(call: dict[str, Any]) -> Number:
    """R over an equal part of the capacity."""
    flows = call["flows"]
    return float(flows[0]["received_kbps"] * len(flows) / call["capacity_kbps"])


def _smallest_share(call: dict[str, Any]) -> Number:
    rates = [flow["received_kbps"] for flow in call["flows"]]
    return min(rates) / sum(rates) if sum(rates) else None


def _of_first(call: dict[str, Any]) -> Number:
    rates = [flow["received_kbps"] for flow in call["flows"]]
    return rates[0] / sum(rates) if sum(rates) else None


def _after_step(call: dict[str, Any]) -> Number:
    found = call["flows"][0].get("convergence") or []
    after: Number = found[1]["s"] if len(found) > 1 else None
    return after


QUANTITIES: dict[str, Quantity] = {
    "R": Quantity("R (kbit/s)", _first("received_kbps"), 0),
    "sent": Quantity("sent (kbit/s)", _sent, 0),
    "U": Quantity("U", _first("utilisation"), 3),
    "U_2": Quantity("U of the second flow", _flow(1, "utilisation"), 3),
    "U_all": Quantity("U of all flows", lambda call: call["link"]["utilisation"], 3),
    "g": Quantity("g", _first("good_utilisation"), 3),
    "v": Quantity("video / b", _part_of_link("video"), 3),
    "r_FEC": Quantity("FEC / b", _part_of_link("fec"), 3),
    "r_RTX": Quantity("RTX / b", _part_of_link("rtx"), 3),
    "l": Quantity("loss (%)", _first("loss_ratio", times=100)),
    "l_received": Quantity("lost / received", _of_received, 4),
    "residual": Quantity("residual loss (%)", _first("residual_loss_ratio", times=100)),
    "n_dd": Quantity("$n_{dd}$", _first("n_dd"), 0),
    "T_q": Quantity("$T_q$ (ms)", _first("rtt_queueing_ms", "mean"), 1),
    "T_q p5": Quantity("5th percentile of $T_q$ (ms)", _first("rtt_queueing_ms", "p5"), 1),
    "T_q p25": Quantity("25th percentile of $T_q$ (ms)", _first("rtt_queueing_ms", "p25"), 1),
    "T_q p50": Quantity("median $T_q$ (ms)", _first("rtt_queueing_ms", "p50"), 1),
    "T_q p75": Quantity("75th percentile of $T_q$ (ms)", _first("rtt_queueing_ms", "p75"), 1),
    "T_q p95": Quantity("95th percentile of $T_q$ (ms)", _first("rtt_queueing_ms", "p95"), 1),
    "T_q max": Quantity("largest $T_q$ (ms)", _first("rtt_queueing_ms", "max"), 1),
    "fair share": Quantity("R / fair share", _fair_share),
    "first's share": Quantity("the first flow's share", _of_first, 3),
    "smallest share": Quantity("the smallest share", _smallest_share, 3),
    "step": Quantity("time to follow the step (s)", _after_step, 0),
    # From the traces: dynamics.py.
    "R beside": Quantity(
        "R while all flows are there (kbit/s)", _first("dynamics", "beside_kbps"), 0
    ),
    "floor": Quantity("time until A_s is at its least (s)", _first("dynamics", "floor_s"), 0),
    "over-use": Quantity("part of groups in over-use", _first("dynamics", "overuse_part"), 3),
    "m above": Quantity("part of groups with m > γ", _first("dynamics", "m_above_part"), 3),
    "m p95": Quantity("95th percentile of |m| (ms)", _first("dynamics", "m_p95_ms"), 1),
    "gamma": Quantity("median γ (ms)", _first("dynamics", "gamma_ms"), 1),
    "REMB": Quantity("part of the time A_s is A_r", _first("dynamics", "by_delay_part"), 3),
    "REMBs": Quantity("REMBs", _first("dynamics", "rembs"), 0),
    "n_dd 2": Quantity("$n_{dd}$ at eq. (2)", _first("dynamics", "rembs_below"), 0),
    "lost reports": Quantity("reports with > 10 % lost", _first("dynamics", "lost_reports"), 0),
}


def of_call(call: dict[str, Any]) -> dict[str, float]:
    """Every quantity that the call has."""
    found = {name: quantity.of(call) for name, quantity in QUANTITIES.items()}
    return {name: float(value) for name, value in found.items() if value is not None}
