"""What each verb does at a clear dealer, in the rounds that it takes at a sealed one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from frp2p.cards import CardId
from frp2p.deal.clear.messages import MIX_SIZE, Mix, Show
from frp2p.deal.dealer import Entropy
from frp2p.deal.decks import Decks
from frp2p.deal.fields import hash_fields, u8
from frp2p.deal.rounds import Task
from frp2p.deal.slots import Slot, SlotTable
from frp2p.deal.stream import Stream
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import (
    TABLE,
    Cards,
    Draw,
    Exclude,
    Outcome,
    Peek,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Slots,
)

Table: TypeAlias = SlotTable[CardId]


class SealTask(Task):
    """Open cards are turned down."""

    def __init__(self, slots: Table, verb: Seal, decks: Decks) -> None:
        self._slots = slots
        self._verb = verb
        self._decks = decks

    def speakers(self) -> tuple[Seat, ...]:
        return ()

    def settle(self) -> Outcome:
        made = [Slot(self._decks.deck_of[card], self._verb.lock, card) for card in self._verb.cards]
        self._slots.turn_down(self._verb.cards)
        return Slots(self._slots.add(made))


class ShuffleTask(Task):
    """One speaker a round; each adds 32 bytes from which its permutation follows."""

    def __init__(
        self, slots: Table, verb: Shuffle, order: Sequence[Seat], seed: bytes, entropy: Entropy, event: bytes
    ) -> None:
        self._slots = slots
        self._verb = verb
        self._order = order
        self._seed = seed
        self._entropy = entropy
        self._event = event
        first = slots[verb.slots[0]]
        seen = verb.by != TABLE and first.lock == TABLE
        viewers = frozenset({verb.by}) if seen else frozenset[Seat]()
        self._now = [Slot(first.deck, first.lock, slots[slot].body, viewers=viewers) for slot in verb.slots]
        self._round = 0

    def speakers(self) -> tuple[Seat, ...]:
        return (self._order[self._round],) if self._round < len(self._order) else ()

    def speak(self) -> Mix:
        return Mix(self._entropy(MIX_SIZE))

    def check(self, seat: Seat, item: Any) -> bytes:
        if not isinstance(item, Mix):
            raise PeerFault("item-type")
        return item.mix

    def close(self, items: Mapping[Seat, bytes]) -> None:
        ((seat, mix),) = items.items()
        seed = hash_fields("clear-mix", ("seed", self._seed), ("event", self._event), ("seat", u8(seat)), ("mix", mix))
        self._now = [self._now[at] for at in Stream(seed).permutation(len(self._now))]
        self._round += 1

    def settle(self) -> Outcome:
        self._slots.spend(self._verb.slots)
        return Slots(self._slots.add(self._now))


@dataclass(frozen=True)
class Showing:
    """Who agrees that cards are read or moved: the speakers of each round, and what each of them has to say."""

    slots: Table
    rounds: Sequence[Sequence[Seat]]
    token: Callable[[Seat], bytes]
    me: Seat | None


class ShowTask(Task):
    """Everybody whose key would be needed says so."""

    def __init__(self, showing: Showing) -> None:
        self._slots = showing.slots
        self._rounds = [tuple(speakers) for speakers in showing.rounds]
        self._token = showing.token
        self._me = showing.me
        self._round = 0

    def speakers(self) -> tuple[Seat, ...]:
        return self._rounds[self._round] if self._round < len(self._rounds) else ()

    def speak(self) -> Show:
        if self._me is None:
            raise LocalError("an observer shows nothing")
        return Show(self._token(self._me))

    def check(self, seat: Seat, item: Any) -> None:
        if not isinstance(item, Show):
            raise PeerFault("item-type")
        if item.token != self._token(seat):
            raise PeerFault("clear-token")

    def close(self, items: Mapping[Seat, None]) -> None:
        self._round += 1

    @abstractmethod
    def settle(self) -> Outcome: ...


class DrawTask(ShowTask):
    def __init__(self, verb: Draw, showing: Showing) -> None:
        super().__init__(showing)
        self._verb = verb

    def settle(self) -> Outcome:
        for at in self._verb.slots:
            slot = self._slots[at]
            self._slots.replace(at, slot.drawn(self._verb.seat, slot.body, self._rounds[0]))
        return Slots(self._verb.slots)


class RevealTask(ShowTask):
    def __init__(self, verb: Reveal, showing: Showing) -> None:
        super().__init__(showing)
        self._verb = verb

    def settle(self) -> Outcome:
        cards = tuple(self._slots[slot].body for slot in self._verb.slots)
        self._slots.spend(self._verb.slots)
        self._slots.turn_up(cards)
        return Cards(cards)


class PeekTask(ShowTask):
    def __init__(self, verb: Peek, showing: Showing) -> None:
        super().__init__(showing)
        self._verb = verb

    def settle(self) -> Outcome:
        for at in self._verb.slots:
            slot = self._slots[at]
            self._slots.replace(at, replace(slot, viewers=slot.viewers | {self._verb.viewer}))
        return Slots(self._verb.slots)


class RelockTask(ShowTask):
    """Give and put back."""

    def __init__(self, ids: tuple[SlotId, ...], holder: Seat, to: Seat, showing: Showing) -> None:
        super().__init__(showing)
        self._ids = ids
        self._holder = holder
        self._to = to

    def settle(self) -> Outcome:
        old = [self._slots[slot] for slot in self._ids]
        self._slots.spend(self._ids)
        return Slots(
            self._slots.add(
                Slot(slot.deck, self._to, slot.body, viewers=(slot.viewers | {self._holder}) - {self._to})
                for slot in old
            )
        )


class DepartTask(ShowTask):
    """Leave and Recover: all whose words it takes agree; then the seat is gone (`depart`)."""

    def __init__(
        self,
        seat: Seat,
        touched: frozenset[SlotId],
        showing: Showing,
        depart: Callable[[frozenset[Seat]], None],
    ) -> None:
        super().__init__(showing)
        self._seat = seat
        self._touched = touched
        self._depart = depart

    def settle(self) -> Outcome:
        self._slots.spend(self._slots.of(self._seat))
        ids = self._slots.of(TABLE)
        for at in ids:
            slot = self._slots[at]
            if at in self._touched:
                slot = slot.remasked(slot.body)
            self._slots.replace(at, slot.left(self._seat, slot.body))
        self._depart(frozenset({self._seat}))
        return Slots(ids)


class ExcludeTask(ShowTask):
    def __init__(self, verb: Exclude, showing: Showing) -> None:
        super().__init__(showing)
        self._verb = verb

    def speak(self) -> Show:
        if self._false():
            raise LocalError("a slot holds a card that is to be excluded", code="exclude-false")
        return super().speak()

    def check(self, seat: Seat, item: Any) -> None:
        super().check(seat, item)
        if self._false():
            raise PeerFault("exclude-card")

    def settle(self) -> Outcome:
        return Slots(self._verb.slots)

    def _false(self) -> bool:
        return any(self._slots[slot].body in self._verb.cards for slot in self._verb.slots)
