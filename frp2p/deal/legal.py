"""Which batches of verbs fit the slots as they are. A refusal is our own mistake: the rules of a game asked for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from frp2p.deal.decks import Decks
from frp2p.deal.limits import MAX_PAIRS, MAX_SIDES, MAX_SLOTS, MAX_VERBS
from frp2p.deal.slots import SlotTable
from frp2p.errors import LocalError
from frp2p.games.verbs import (
    TABLE,
    Coin,
    Draw,
    Exclude,
    Give,
    Peek,
    PutBack,
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


def check_batch(verbs: Sequence[Verb], slots: SlotTable[Any], decks: Decks, seats: int) -> None:
    """Raise LocalError unless all these verbs fit the state, each alone and side by side; changes nothing."""
    if not 1 <= len(verbs) <= MAX_VERBS:
        raise misuse(f"a batch has 1 to {MAX_VERBS} verbs, not {len(verbs)}")
    touched: list[object] = []
    for verb in verbs:
        touched.extend(_check_verb(verb, slots, decks, seats))
    if len(set(touched)) != len(touched):
        raise misuse("a slot or a card occurs twice in one batch")


def _check_verb(verb: Verb, slots: SlotTable[Any], decks: Decks, seats: int) -> Sequence[object]:
    """Check one verb; the slots (ints) and cards (texts) that it touches."""
    match verb:
        case Seal():
            _check_seal(verb, slots, decks, seats)
            return verb.cards
        case Shuffle():
            _check_shuffle(verb, slots, seats)
        case Draw():
            _check_draw(verb, slots, seats)
        case Reveal():
            _check_slots(verb.slots, slots)
        case Peek():
            _check_peek(verb, slots, seats)
        case Give():
            _check_give(verb, slots, seats)
        case PutBack():
            _check_held(verb.slots, verb.seat, slots, seats)
        case Exclude():
            _check_exclude(verb, slots, decks, seats)
        case Coin():
            if not 1 <= verb.sides <= MAX_SIDES:
                raise misuse(f"a coin has 1 to {MAX_SIDES} sides, not {verb.sides}")
            return ()
        case _:
            raise misuse(f"this dealer does not know {type(verb).__name__}")
    return verb.slots


def _check_seal(verb: Seal, slots: SlotTable[Any], decks: Decks, seats: int) -> None:
    if not 1 <= len(verb.cards) <= MAX_SLOTS:
        raise misuse(f"1 to {MAX_SLOTS} cards are sealed at once, not {len(verb.cards)}")
    if verb.lock != TABLE:
        _check_seat(verb.lock, seats)
    for card in verb.cards:
        if card not in decks.deck_of:
            raise misuse(f"card {card} is in no deck of this table")
        if card in slots.face_down:
            raise misuse(f"card {card} is face down already")


def _check_shuffle(verb: Shuffle, slots: SlotTable[Any], seats: int) -> None:
    _check_slots(verb.slots, slots)
    if verb.by != TABLE:
        _check_seat(verb.by, seats)
    locks = {slots[slot].lock for slot in verb.slots}
    seen = locks == {TABLE} and all(verb.by in slots[slot].viewers for slot in verb.slots)
    if locks != {verb.by} and not seen:
        raise misuse("a shuffler shuffles what it locks, or what it has seen of the table")


def _check_draw(verb: Draw, slots: SlotTable[Any], seats: int) -> None:
    _check_slots(verb.slots, slots)
    _check_seat(verb.seat, seats)
    for slot in verb.slots:
        if slots[slot].lock != TABLE:
            raise misuse(f"slot {slot} is in a hand")


def _check_peek(verb: Peek, slots: SlotTable[Any], seats: int) -> None:
    _check_slots(verb.slots, slots)
    _check_seat(verb.viewer, seats)
    if any(slots[slot].lock == verb.viewer for slot in verb.slots):
        raise misuse("nobody peeks at the own hand")


def _check_held(ids: Sequence[SlotId], holder: Seat, slots: SlotTable[Any], seats: int) -> None:
    _check_slots(ids, slots)
    _check_seat(holder, seats)
    if any(slots[slot].lock != holder for slot in ids):
        raise misuse(f"a slot is not in the hand of seat {holder}")


def _check_give(verb: Give, slots: SlotTable[Any], seats: int) -> None:
    _check_held(verb.slots, verb.giver, slots, seats)
    _check_seat(verb.to, seats)
    if verb.to == verb.giver:
        raise misuse("nobody gives to itself")


def _check_exclude(verb: Exclude, slots: SlotTable[Any], decks: Decks, seats: int) -> None:
    _check_slots(verb.slots, slots)
    _check_held(verb.slots, slots[verb.slots[0]].lock, slots, seats)
    if not verb.cards or len(set(verb.cards)) != len(verb.cards):
        raise misuse("cards to exclude are some, and each is named once")
    if len(verb.cards) * len(verb.slots) > MAX_PAIRS:
        raise misuse(f"at most {MAX_PAIRS} pairs of slot and card are excluded at once")
    if any(decks.deck_of.get(card) != slots[verb.slots[0]].deck for card in verb.cards):
        raise misuse("a card to exclude is not of the deck of the slots")


def _check_slots(ids: Sequence[SlotId], slots: SlotTable[Any]) -> None:
    if not 1 <= len(ids) <= MAX_SLOTS:
        raise misuse(f"a verb takes 1 to {MAX_SLOTS} slots, not {len(ids)}")
    if len({slots[slot].deck for slot in ids}) != 1:
        raise misuse("the slots of one verb are of one deck")


def _check_seat(seat: Seat, seats: int) -> None:
    if not 0 <= seat < seats:
        raise misuse(f"there is no seat {seat}")
