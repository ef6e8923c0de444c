"""Which batches of verbs fit the slots as they are. A refusal is our own mistake: the rules of a game asked for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from frp2p.deal.decks import Decks
from frp2p.deal.limits import MAX_SIDES, MAX_SLOTS, MAX_VERBS, MIN_SEATS
from frp2p.deal.slots import SlotTable
from frp2p.errors import LocalError
from frp2p.games.verbs import (
    TABLE,
    Coin,
    Draw,
    Drop,
    Exclude,
    Give,
    Leave,
    Peek,
    PutBack,
    Recover,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Verb,
)


def misuse(message: str) -> LocalError:
    """The error of a verb that can't be carried out."""
    return LocalError(message, code="deal-misuse")


def check_batch(
    verbs: Sequence[Verb],
    slots: SlotTable[Any],
    decks: Decks,
    present: Sequence[Seat],
    *,
    touched: Collection[SlotId],
    recoverable: bool,
) -> None:
    """Raise LocalError unless all these verbs fit the state, each alone and side by side; changes nothing.

    `present`: the seats that have not left. `touched`: slots that an aborted batch has left with public shares.
    """
    if not 1 <= len(verbs) <= MAX_VERBS:
        raise misuse(f"a batch has 1 to {MAX_VERBS} verbs, not {len(verbs)}")
    if len(verbs) > 1 and any(isinstance(verb, Leave | Recover | Drop) for verb in verbs):
        raise misuse("a seat goes between batches, by a batch of its own: what others say would be of two epochs")
    if any(isinstance(verb, Recover) for verb in verbs) and not recoverable:
        raise misuse("the keys of this table are not shared")
    used: list[object] = []
    for verb in verbs:
        used.extend(_check_verb(verb, slots, decks, present))
    if len(set(used)) != len(used):
        raise misuse("a slot or a card occurs twice in one batch")
    if not set(used).isdisjoint(touched):
        raise misuse("shares of a slot may be public since a batch was aborted, and no seat has gone since")


def shares_asked(verbs: Sequence[Verb], slots: SlotTable[Any]) -> frozenset[SlotId]:
    """The slots of the TABLE of which a batch of these verbs asks for any share, in the open or for a viewer."""
    asked: set[SlotId] = set()
    for verb in verbs:
        match verb:
            case Draw() | Reveal() | Peek():
                asked.update(verb.slots)
            case Leave() | Recover():
                asked.update(slots.of(TABLE))
    return frozenset(at for at in asked if slots[at].lock == TABLE)


def _check_verb(verb: Verb, slots: SlotTable[Any], decks: Decks, present: Sequence[Seat]) -> Sequence[object]:
    """Check one verb; the slots (ints) and cards (texts) that it uses."""
    match verb:
        case Seal():
            _check_seal(verb, slots, decks, present)
            return verb.cards
        case Shuffle():
            _check_shuffle(verb, slots, present)
        case Draw():
            _check_draw(verb, slots, present)
        case Reveal():
            _check_slots(verb.slots, slots)
        case Peek():
            _check_peek(verb, slots, present)
        case Give():
            _check_give(verb, slots, present)
        case PutBack():
            _check_held(verb.slots, verb.seat, slots, present)
        case Exclude():
            _check_exclude(verb, slots, decks, present)
        case Leave() | Recover():
            _check_seat(verb.seat, present)
            if len(present) <= MIN_SEATS:
                raise misuse(f"{MIN_SEATS} seats must remain")
            return ()
        case Drop():
            _check_drop(verb, present)
            return ()
        case Coin():
            if not 1 <= verb.sides <= MAX_SIDES:
                raise misuse(f"a coin has 1 to {MAX_SIDES} sides, not {verb.sides}")
            return ()
        case _:
            raise misuse(f"this dealer does not know {type(verb).__name__}")
    return verb.slots


def _check_seal(verb: Seal, slots: SlotTable[Any], decks: Decks, present: Sequence[Seat]) -> None:
    if not 1 <= len(verb.cards) <= MAX_SLOTS:
        raise misuse(f"1 to {MAX_SLOTS} cards are sealed at once, not {len(verb.cards)}")
    if verb.lock != TABLE:
        _check_seat(verb.lock, present)
    for card in verb.cards:
        if card not in decks.deck_of:
            raise misuse(f"card {card} is in no deck of this table")
        if card in slots.face_down:
            raise misuse(f"card {card} is face down already")


def _check_shuffle(verb: Shuffle, slots: SlotTable[Any], present: Sequence[Seat]) -> None:
    _check_slots(verb.slots, slots)
    if verb.by != TABLE:
        _check_seat(verb.by, present)
    locks = {slots[slot].lock for slot in verb.slots}
    seen = locks == {TABLE} and all(verb.by in slots[slot].viewers for slot in verb.slots)
    if locks != {verb.by} and not seen:
        raise misuse("a shuffler shuffles what it locks, or what it has seen of the table")


def _check_draw(verb: Draw, slots: SlotTable[Any], present: Sequence[Seat]) -> None:
    _check_slots(verb.slots, slots)
    _check_seat(verb.seat, present)
    for slot in verb.slots:
        if slots[slot].lock != TABLE:
            raise misuse(f"slot {slot} is in a hand")


def _check_peek(verb: Peek, slots: SlotTable[Any], present: Sequence[Seat]) -> None:
    _check_slots(verb.slots, slots)
    _check_seat(verb.viewer, present)
    if any(slots[slot].lock == verb.viewer for slot in verb.slots):
        raise misuse("nobody peeks at the own hand")


def _check_held(ids: Sequence[SlotId], holder: Seat, slots: SlotTable[Any], present: Sequence[Seat]) -> None:
    _check_slots(ids, slots)
    _check_seat(holder, present)
    if any(slots[slot].lock != holder for slot in ids):
        raise misuse(f"a slot is not in the hand of seat {holder}")


def _check_give(verb: Give, slots: SlotTable[Any], present: Sequence[Seat]) -> None:
    _check_held(verb.slots, verb.giver, slots, present)
    _check_seat(verb.to, present)
    if verb.to == verb.giver:
        raise misuse("nobody gives to itself")


def _check_exclude(verb: Exclude, slots: SlotTable[Any], decks: Decks, present: Sequence[Seat]) -> None:
    _check_slots(verb.slots, slots)
    _check_held(verb.slots, slots[verb.slots[0]].lock, slots, present)
    if not verb.cards or len(set(verb.cards)) != len(verb.cards):
        raise misuse("cards to exclude are some, and each is named once")
    if any(decks.deck_of.get(card) != slots[verb.slots[0]].deck for card in verb.cards):
        raise misuse("a card to exclude is not of the deck of the slots")


def _check_drop(verb: Drop, present: Sequence[Seat]) -> None:
    for seat in verb.seats:
        _check_seat(seat, present)
    if not 1 <= len(set(verb.seats)) == len(verb.seats) < len(present):
        raise misuse("one seat or more go, each is named once, and one at least remains")


def _check_slots(ids: Sequence[SlotId], slots: SlotTable[Any]) -> None:
    if not 1 <= len(ids) <= MAX_SLOTS:
        raise misuse(f"a verb takes 1 to {MAX_SLOTS} slots, not {len(ids)}")
    if len({slots[slot].deck for slot in ids}) != 1:
        raise misuse("the slots of one verb are of one deck")


def _check_seat(seat: Seat, present: Sequence[Seat]) -> None:
    if seat not in present:
        raise misuse(f"there is no seat {seat}")
