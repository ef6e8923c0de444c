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

    All slots have one lock. `by` = TABLE needs the lock TABLE; a seat shuffles what it alone locks (its own hand), or
    slots of the TABLE at each of which it has peeked: it still knows them afterwards, nobody else can follow them.
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


class Peek(Verb, frozen=True):
    """`viewer` learns the cards in the slots (of the TABLE, or of other seats); the slots stay what they are."""

    slots: tuple[SlotId, ...]
    viewer: Seat


class Give(Verb, frozen=True):
    """Slots of `giver` become slots of `to`, unseen by the rest; fresh ids. The giver still knows them."""

    slots: tuple[SlotId, ...]
    giver: Seat
    to: Seat


class PutBack(Verb, frozen=True):
    """Slots of `seat` become slots of the TABLE, unseen by the rest; fresh ids. The seat still knows them."""

    slots: tuple[SlotId, ...]
    seat: Seat


class Exclude(Verb, frozen=True):
    """The seat that locks all these slots proves that none of them holds any of these cards, and no more."""

    slots: tuple[SlotId, ...]
    cards: tuple[CardId, ...]


class Leave(Verb, frozen=True):
    """`seat` takes its key off every slot of the TABLE and has no part in anything from then on; the ids stay.

    It stands alone in its batch, and two others at least remain. Slots that the seat locks are spent, unopened. What it
    has seen it can follow until the others shuffle.
    """

    seat: Seat


class Recover(Verb, frozen=True):
    """As `Leave`, but `seat` is not here any more: the others take its key off together, from the shares of it that
    they hold. Only while `dealer.recoverable`.
    """

    seat: Seat


class Drop(Verb, frozen=True):
    """These seats are gone and their keys stay: every slot of the TABLE and of theirs is spent, unopened.

    It stands alone in its batch; one seat at least remains. No seat speaks for it.
    """

    seats: tuple[Seat, ...]


class Coin(Verb, frozen=True):
    """A joint uniform integer in 0..sides-1, by commit then reveal."""

    sides: int


class Outcome(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """What the dealer did: public, the same at every peer."""


class Slots(Outcome, frozen=True):
    """Answer to Seal, Shuffle, Give and PutBack: the new slots in their order. To Draw, Peek and Exclude: as asked.

    To Leave and Recover: all slots of the TABLE, ascending. To Drop: none.
    """

    slots: tuple[SlotId, ...]


class Cards(Outcome, frozen=True):
    """Answer to Reveal: the cards in the order of the slots."""

    cards: tuple[CardId, ...]


class Number(Outcome, frozen=True):
    """Answer to Coin."""

    value: int
