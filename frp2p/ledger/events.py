"""What the closing of a step did, for whoever watches the table. Everything here is public."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from frp2p.games.game import Move
from frp2p.games.verbs import Outcome, Seat, Verb
from frp2p.ledger.votes import How


class Spoke(msgspec.Struct, frozen=True, tag=True):
    """`seat`'s part in a dealer's round was verified and is final (shuffles take several rounds).

    `verbs` is the batch that the round belongs to; its verbs are carried out side by side.
    """

    step: int
    seat: Seat
    verbs: tuple[Verb, ...]


class Dealt(msgspec.Struct, frozen=True, tag=True):
    """The dealer finished a verb."""

    step: int
    verb: Verb
    outcome: Outcome


class Moved(msgspec.Struct, frozen=True, tag=True):
    """A seat's move is final."""

    step: int
    seat: Seat
    move: Move


class SeatsOut(msgspec.Struct, frozen=True, tag=True):
    """A majority has decided that these seats are out of the game for good; `how` is said in `ledger/votes.py`."""

    step: int
    seats: tuple[Seat, ...]
    how: How


StepEvent: TypeAlias = Spoke | Dealt | Moved | SeatsOut
