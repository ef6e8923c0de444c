"""The verbs of the dealer: what a rule asks for, and what it gets back. Values only; `deal/` carries them out."""

from __future__ import annotations

from typing import NewType, TypeAlias

import msgspec

from frp2p.cards import CardId

Seat: TypeAlias = int
"""A player's place at the table, 0..n-1, clockwise."""

SlotId = NewType("SlotId", int)
"""One face-down place that holds exactly one card. Ids count up from 0 and are never used again."""

TABLE: Seat = -1
"""As a lock: the keys of all seats together. As a shuffler: every seat in turn."""


class Verb(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """Something that the dealer is asked to do."""


class Seal(Verb, frozen=True):
    """Open cards become slots locked by `lock` (TABLE or a seat); fresh ids. Known to all until somebody shuffles."""

    cards: tuple[CardId, ...]
    lock: Seat


class Shuffle(Verb, frozen=True):
    """The slots are re-masked and permuted with a proof, by every seat in turn (`by` = TABLE) or by one; fresh ids.

    All slots have one lock. `by` = TABLE needs the lock TABLE; a seat shuffles what it alone locks (its own hand).
    """

    slots: tuple[SlotId, ...]
    by: Seat


class Draw(Verb, frozen=True):
    """Slots of the TABLE become known to `seat` alone and are locked by it from now on; the ids stay."""

    slots: tuple[SlotId, ...]
    seat: Seat


class Reveal(Verb, frozen=True):
    """The cards in the slots become public and the slots are spent."""

    slots: tuple[SlotId, ...]


class Coin(Verb, frozen=True):
    """A joint uniform integer in 0..sides-1, by commit then reveal."""

    sides: int


class Outcome(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """What the dealer did: public, the same at every peer."""


class Slots(Outcome, frozen=True):
    """Answer to Seal, Shuffle and Draw: the slots in their new order (Draw: as asked)."""

    slots: tuple[SlotId, ...]


class Cards(Outcome, frozen=True):
    """Answer to Reveal: the cards in the order of the slots."""

    cards: tuple[CardId, ...]


class Number(Outcome, frozen=True):
    """Answer to Coin."""

    value: int
