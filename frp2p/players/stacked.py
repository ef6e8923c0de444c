"""A croupier with a stacked deck, for games that shall go a certain way: golden games, demonstrations."""

from __future__ import annotations

import itertools

from frp2p.cards import CardId
from frp2p.errors import LocalError
from frp2p.games.game import Known
from frp2p.games.verbs import (
    TABLE,
    Cards,
    Coin,
    Draw,
    Drop,
    Exclude,
    Give,
    Leave,
    Number,
    Outcome,
    Peek,
    PutBack,
    Recover,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Slots,
    Verb,
)


class StackedCroupier:
    """See `frp2p.players.selfplay.Croupier`. The shuffle of all seats brings the cards into the order `top_first`
    (cards that are not named follow as they were), a coin shows `coin`, and a seat's own shuffle reverses what it
    shuffles: its hand, its face-down items, or cards of the deck that it has seen."""

    def __init__(self, top_first: tuple[CardId, ...], coin: int) -> None:
        self._order = {card: place for place, card in enumerate(top_first)}
        self._coin = coin
        self._ids = itertools.count()
        self._cards: dict[SlotId, CardId] = {}
        self._locks: dict[SlotId, Seat] = {}
        self._viewers: dict[SlotId, frozenset[Seat]] = {}

    def carry_out(self, verbs: tuple[Verb, ...]) -> tuple[Outcome, ...]:
        return tuple(self._one(verb) for verb in verbs)

    def known(self, seat: Seat) -> Known:
        return {slot: self._cards[slot] for slot in self._locks if seat in self._readers(slot)}

    def _readers(self, slot: SlotId) -> frozenset[Seat]:
        return self._viewers.get(slot, frozenset()) | {self._locks[slot]}

    def _one(self, verb: Verb) -> Outcome:
        match verb:
            case Seal(cards=cards, lock=lock):
                return self._new(cards, lock)
            case Shuffle(slots=slots, by=seat):
                lock = self._locks[slots[0]]
                taken = [self._spend(slot) for slot in slots]
                mixed = sorted(taken, key=self._place) if seat == TABLE else taken[::-1]
                return self._new(tuple(mixed), lock, frozenset({seat}) - {lock, TABLE})
            case Draw(slots=slots, seat=seat):
                self._locks.update(dict.fromkeys(slots, seat))
                return Slots(slots=slots)
            case Reveal(slots=slots):
                return Cards(cards=tuple(self._spend(slot) for slot in slots))
            case Coin(sides=sides):
                return Number(value=self._coin % sides)
            case _other:
                return self._moved(verb)

    def _moved(self, verb: Verb) -> Outcome:
        match verb:
            case Peek(slots=slots, viewer=seat):
                self._viewers.update({slot: self._readers(slot) - {TABLE} | {seat} for slot in slots})
                return Slots(slots=slots)
            case Give(slots=slots, giver=seat, to=to):
                return self._new(tuple(self._spend(slot) for slot in slots), to, frozenset({seat}))
            case PutBack(slots=slots, seat=seat):
                return self._new(tuple(self._spend(slot) for slot in slots), TABLE, frozenset({seat}))
            case Exclude(slots=slots, cards=cards):
                if any(self._cards[slot] in cards for slot in slots):
                    raise LocalError("a slot holds a card that is to be excluded", code="exclude-false")
                return Slots(slots=slots)
            case _other:
                return self._departed(verb)

    def _departed(self, verb: Verb) -> Outcome:
        match verb:
            case Leave(seat=seat) | Recover(seat=seat):
                self._clear(frozenset({seat}))
            case Drop(seats=seats):
                self._clear(frozenset({TABLE, *seats}))
            case _other:
                raise LocalError(f"a stacked croupier does not know {type(verb).__name__}")
        return Slots(slots=tuple(sorted(slot for slot, lock in self._locks.items() if lock == TABLE)))

    def _clear(self, locks: frozenset[Seat]) -> None:
        """The slots with these locks are spent unopened."""
        for slot in [slot for slot, lock in self._locks.items() if lock in locks]:
            self._spend(slot)

    def _place(self, card: CardId) -> int:
        return self._order.get(card, len(self._order))

    def _new(self, cards: tuple[CardId, ...], lock: Seat, viewers: frozenset[Seat] = frozenset()) -> Slots:
        slots = tuple(SlotId(next(self._ids)) for _card in cards)
        self._cards.update(zip(slots, cards, strict=True))
        self._locks.update(dict.fromkeys(slots, lock))
        self._viewers.update(dict.fromkeys(slots, viewers))
        return Slots(slots=slots)

    def _spend(self, slot: SlotId) -> CardId:
        del self._locks[slot], self._viewers[slot]
        return self._cards.pop(slot)
