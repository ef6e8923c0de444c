"""What one seat, or the public, may know of a game of Fantasy Realms."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from frp2p.cards import CardId
from frp2p.games.verbs import Seat, SlotId
from frp2p.scoring import Choices

Phase: TypeAlias = Literal["dealing", "draw", "discard", "extra", "choices", "over"]
"""What the game waits for: `dealing` is the dealer at work, `draw` and `discard` are the halves of a turn, `extra` is
the Necromancer's pick, `choices` are the wild cards at the end."""


class HandCard(msgspec.Struct, frozen=True):
    """One card of a hand. `slot` is None once the hand lies open; `card` is None where the viewer can't know it."""

    slot: SlotId | None
    card: CardId | None


class SeatView(msgspec.Struct, frozen=True):
    """One seat as the viewer sees it. `choices` and `total` are there once they are settled; `rank` counts from 1.

    `holds`: cards of the face-down hand that everybody saw it take and has not seen it give back.
    """

    seat: Seat
    hand: tuple[HandCard, ...]
    holds: tuple[CardId, ...] = ()
    extra: CardId | None = None
    choices: Choices | None = None
    total: int | None = None
    rank: int | None = None


class View(msgspec.Struct, frozen=True):
    """Everything that the viewer may know.

    `asked`: the seats whose move is awaited; the viewer decides if `me` is among them. `turn` counts from 1.
    `took` is the card that the seat in turn took from the discards this turn (public), None after a deck draw.
    """

    me: Seat | None
    phase: Phase
    asked: tuple[Seat, ...]
    turn: int
    seat_in_turn: Seat | None
    first_seat: Seat | None
    seats: tuple[SeatView, ...]
    deck_left: int
    discards: tuple[CardId, ...]
    threshold: int
    took: CardId | None = None
