"""Who broke the protocol, when a table has stopped, and what it means if it was the own key."""

from __future__ import annotations

from frp2p.app.model_table import names
from frp2p.locale import _
from frp2p.table.status import Status

TWO_STATEMENTS = frozenset({"two-parts", "two-acks", "two-votes", "ack-or-promise", "vote-or-promise"})
"""The checks that two statements of one key fail together, as `contradiction` in `ledger/votes.py` names them."""


def culprit(status: Status) -> str:
    """Who it was, empty if that is nobody or not known."""
    called, fault = names(status), status.fault
    return called[fault.seat] if fault is not None and fault.seat is not None and fault.seat < len(called) else ""


def own_key(status: Status) -> str:
    """What somebody has to know who lied without knowing it, empty for anybody else."""
    fault, me = status.fault, len(status.seats) if status.arbitrating else status.me
    if fault is None or fault.seat is None or fault.seat != me or fault.code not in TWO_STATEMENTS:
        return ""
    return _(
        "It is your own key that signed both. Either a copy of your frp2p folder plays somewhere else, or the folder "
        "was put back to an older state."
    )
