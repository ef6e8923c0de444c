"""The round machinery that both dealers share: tasks side by side, one contribution of a seat a round."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic

import msgspec

from frp2p.cards import CardId
from frp2p.deal.decks import Decks
from frp2p.deal.fields import field, fields, u8, u16, u32
from frp2p.deal.legal import check_batch, misuse, shares_asked
from frp2p.deal.slots import Body, Slot, SlotTable
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Outcome, Seat, SlotId, Verb


class Task(ABC):
    """One verb being carried out. Nothing of the dealer changes before `settle`."""

    @abstractmethod
    def speakers(self) -> tuple[Seat, ...]:
        """Who speaks in the present round, ascending; empty once the task can be settled."""

    def speak(self) -> Any:
        """My item for the present round."""
        raise LocalError("this task has no rounds")

    def check(self, seat: Seat, item: Any) -> Any:
        """What `close` needs of this item, parsed and verified; PeerFault (its seat is filled in by the dealer)."""
        raise LocalError("this task has no rounds")

    def close(self, items: Mapping[Seat, Any]) -> None:
        """All speakers' checked items of this round (as returned by `check`)."""
        raise LocalError("this task has no rounds")

    @abstractmethod
    def settle(self) -> Outcome:
        """Change the slots of the dealer and answer."""


class Batch:
    """The pending verbs: their tasks, and the hash chain over what was said so far."""

    def __init__(self, verbs: tuple[Verb, ...], event: bytes, tasks: list[Task]) -> None:
        self.verbs = verbs
        self.tasks = tasks
        self.round = 0
        self.chain = hashlib.sha512(field("event", event) + field("verbs", msgspec.msgpack.encode(verbs))).digest()
        self.mine: Any = None
        self.checked: dict[Seat, tuple[Any, list[Any]]] = {}

    def speakers(self) -> tuple[Seat, ...]:
        return tuple(sorted({seat for task in self.tasks for seat in task.speakers()}))

    def asked(self, seat: Seat) -> list[Task]:
        """The tasks in which this seat speaks in the present round, in the order of the verbs."""
        return [task for task in self.tasks if seat in task.speakers()]

    def close(self, contributions: Mapping[Seat, Any]) -> None:
        """Give every task its items and go to the next round."""
        items: dict[int, dict[Seat, Any]] = {}
        for seat in contributions:
            for task, value in zip(self.asked(seat), self.checked[seat][1], strict=True):
                items.setdefault(id(task), {})[seat] = value
        said = [u8(seat) + msgspec.msgpack.encode(contributions[seat]) for seat in sorted(contributions)]
        for task in self.tasks:
            if id(task) in items:
                task.close(items[id(task)])
        self.chain = hashlib.sha512(
            field("chain", self.chain) + field("round", u16(self.round)) + fields("said", said)
        ).digest()
        self.round += 1
        self.mine = None
        self.checked.clear()


class RoundDealer(ABC, Generic[Body]):
    """A dealer whose verbs are tasks. Subclasses say what a task does and what lies in a slot."""

    contribution_type: Any
    """A struct with one field `items`."""

    def __init__(self, *, me: Seat | None, seats: int, decks: Decks, recoverable: bool) -> None:
        self.me = me
        self.seats = seats
        self.present: tuple[Seat, ...] = tuple(range(seats))
        self.recoverable = recoverable
        self.touched: frozenset[SlotId] = frozenset()
        self.decks = decks
        self.slots: SlotTable[Body] = SlotTable()
        self._batch: Batch | None = None
        self._encoded: dict[SlotId, tuple[Slot[Body], bytes]] = {}

    @abstractmethod
    def _task(self, verb: Verb, position: int, event: bytes) -> Task:
        """The task of this verb, the `position`-th of its batch."""

    @abstractmethod
    def _encode_body(self, body: Body) -> bytes:
        """What lies in a slot, for `digest`."""

    @abstractmethod
    def _encode_rest(self) -> bytes:
        """Everything public that is not in a slot, for `digest`."""

    def _depart(self, seats: frozenset[Seat]) -> None:
        """These seats are gone, and the slots fit for the rest. The keys are shared with seats that are not here."""
        self.present = tuple(seat for seat in self.present if seat not in seats)
        self.touched = frozenset()
        self.recoverable = False

    @abstractmethod
    def known(self) -> Mapping[SlotId, CardId]: ...

    def begin(self, verbs: tuple[Verb, ...], event: bytes) -> None:
        if self._batch is not None:
            raise misuse("a batch is pending")
        check_batch(verbs, self.slots, self.decks, self.present, touched=self.touched, recoverable=self.recoverable)
        self._batch = Batch(verbs, event, [self._task(verb, at, event) for at, verb in enumerate(verbs)])

    def abort(self) -> None:
        self.touched |= shares_asked(self._pending().verbs, self.slots)
        self._batch = None

    def speakers(self) -> tuple[Seat, ...]:
        return self._pending().speakers()

    def speak(self) -> Any:
        """This seat's contribution to the present round; the same object if asked again before the round closes."""
        batch = self._pending()
        if self.me is None or self.me not in batch.speakers():
            raise misuse("this seat does not speak now")
        if batch.mine is None:
            batch.mine = self.contribution_type(tuple(task.speak() for task in batch.asked(self.me)))
        return batch.mine

    def check(self, seat: Seat, contribution: Any) -> None:
        batch = self._pending()
        if seat not in batch.speakers():
            raise PeerFault("deal-speaker", seat=seat)
        if not isinstance(contribution, self.contribution_type):
            raise PeerFault("deal-type", seat=seat)
        tasks = batch.asked(seat)
        if len(contribution.items) != len(tasks):
            raise PeerFault("deal-items", seat=seat)
        try:
            values = [task.check(seat, item) for task, item in zip(tasks, contribution.items, strict=True)]
        except PeerFault as fault:
            raise PeerFault(fault.check, fault.message, seat=seat) from None
        batch.checked[seat] = (contribution, values)

    def close(self, contributions: Mapping[Seat, Any]) -> None:
        batch = self._pending()
        if not contributions or set(contributions) != set(batch.speakers()):
            raise misuse("a round closes with one contribution of every speaker")
        for seat, contribution in contributions.items():
            if seat not in batch.checked or batch.checked[seat][0] != contribution:
                self.check(seat, contribution)
        batch.close(contributions)

    def finish(self) -> tuple[Outcome, ...]:
        batch = self._pending()
        if batch.speakers():
            raise misuse("the batch is not finished")
        self._batch = None
        return tuple(task.settle() for task in batch.tasks)

    def digest(self) -> bytes:
        # Most slots stay as they are from step to step: only those that were replaced are encoded again.
        known = self._encoded
        self._encoded = {
            at: known[at] if at in known and known[at][0] is slot else (slot, self._encode_slot(at, slot))
            for at, slot in self.slots.live().items()
        }
        slots = [encoded for _, encoded in self._encoded.values()]
        pending = b"" if self._batch is None else self._batch.chain
        state = (
            self._encode_rest()
            + field("next", u32(self.slots.next_id))
            + fields("slots", slots)
            + fields("face-down", [card.encode() for card in sorted(self.slots.face_down)])
            + field("pending", pending)
        )
        if self.touched:
            state += fields("touched", [u32(at) for at in sorted(self.touched)])
        return hashlib.sha512(state).digest()[:32]

    def _encode_slot(self, at: SlotId, slot: Slot[Body]) -> bytes:
        return (
            u32(at)
            + field("deck", slot.deck.encode())
            + u8(slot.lock % 256)
            + fields("published", [u8(seat) for seat in sorted(slot.published)])
            + fields("viewers", [u8(seat) for seat in sorted(slot.viewers)])
            + self._encode_body(slot.body)
        )

    def _pending(self) -> Batch:
        if self._batch is None:
            raise misuse("no batch is pending")
        return self._batch
