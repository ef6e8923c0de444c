"""The slots of a table: what is face down, who locks it, and who may ever read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from frp2p.cards import CardId
from frp2p.errors import LocalError
from frp2p.games.verbs import TABLE, Seat, SlotId

Body = TypeVar("Body")
"""What lies in a slot: a ciphertext, or (clear dealer) a card."""


@dataclass(frozen=True, slots=True)
class Slot(Generic[Body]):
    """One face-down place.

    `published` are the seats whose decryption share of this very ciphertext is public. `viewers` are the seats that
    were shown the card and can follow this slot (by a peek, or because they gave it away).
    """

    deck: str
    lock: Seat
    body: Body
    published: frozenset[Seat] = frozenset()
    viewers: frozenset[Seat] = frozenset()

    @property
    def reader(self) -> Seat | None:
        """The one seat whose key alone reads the card, None while it takes all keys.

        There is no way to a second reader but a new ciphertext (docs/cryptography.md, single reader).
        """
        return None if self.lock == TABLE else self.lock

    def drawn(self, seat: Seat, body: Body, published: Iterable[Seat]) -> Slot[Body]:
        """The slot once all shares but `seat`'s are public. LocalError if that would make a second reader."""
        public = self.published | frozenset(published)
        if self.lock != TABLE or seat in public:
            raise LocalError("this ciphertext has a reader already", code="deal-misuse")
        return Slot(self.deck, seat, body, public, self.viewers)

    def remasked(self, body: Body) -> Slot[Body]:
        """The same card in its place under a new mask: of this ciphertext no share is public."""
        return replace(self, body=body, published=frozenset())

    def left(self, seat: Seat, body: Body) -> Slot[Body]:
        """The slot of the TABLE once the share of `seat`, which leaves, is public and off. LocalError if it was."""
        if self.lock != TABLE or seat in self.published:
            raise LocalError("this key is off the ciphertext already", code="deal-misuse")
        return replace(self, body=body, published=self.published | {seat})


class SlotTable(Generic[Body]):
    """All live slots by id. Ids count up from 0 and are never used again."""

    def __init__(self) -> None:
        self._slots: dict[SlotId, Slot[Body]] = {}
        self._next = 0
        self._face_down: set[CardId] = set()

    def copy(self) -> SlotTable[Body]:
        """The same slots, to change without changing these."""
        made: SlotTable[Body] = SlotTable()
        made.adopt(self)
        return made

    def adopt(self, other: SlotTable[Body]) -> None:
        """Become as `other` is."""
        self._slots, self._next, self._face_down = dict(other._slots), other._next, set(other._face_down)

    def __getitem__(self, slot: SlotId) -> Slot[Body]:
        """The live slot of this id; LocalError if there is none (spent or never dealt)."""
        try:
            return self._slots[slot]
        except KeyError:
            raise LocalError(f"slot {slot} is not live", code="deal-misuse") from None

    def live(self) -> Mapping[SlotId, Slot[Body]]:
        """Every live slot, oldest first."""
        return self._slots

    def of(self, lock: Seat) -> tuple[SlotId, ...]:
        """The ids of the slots with this lock, ascending."""
        return tuple(sorted(at for at, slot in self._slots.items() if slot.lock == lock))

    @property
    def next_id(self) -> int:
        return self._next

    @property
    def face_down(self) -> frozenset[CardId]:
        """Which cards lie in some slot: public, because every seal and every reveal is."""
        return frozenset(self._face_down)

    def add(self, slots: Iterable[Slot[Body]]) -> tuple[SlotId, ...]:
        """New slots in this order; their ids."""
        ids = []
        for slot in slots:
            fresh = SlotId(self._next)
            self._next += 1
            self._slots[fresh] = slot
            ids.append(fresh)
        return tuple(ids)

    def replace(self, slot: SlotId, value: Slot[Body]) -> None:
        """The slot keeps its id."""
        if slot not in self._slots:
            raise LocalError(f"slot {slot} is not live", code="deal-misuse")
        self._slots[slot] = value

    def spend(self, slots: Iterable[SlotId]) -> None:
        """These ids are gone for good."""
        for slot in slots:
            if self._slots.pop(slot, None) is None:
                raise LocalError(f"slot {slot} is not live", code="deal-misuse")

    def turn_down(self, cards: Iterable[CardId]) -> None:
        """Open cards are face down from now on."""
        self._face_down.update(cards)

    def turn_up(self, cards: Iterable[CardId]) -> None:
        """Face-down cards are open from now on; LocalError if one of them was not face down."""
        for card in cards:
            if card not in self._face_down:
                raise LocalError(f"card {card} was revealed but never sealed", code="deal-card")
            self._face_down.remove(card)


def holders(slot: Slot[Body], present: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats whose keys still lock the slot, ascending. `present`: those that have not left."""
    return tuple(present) if slot.lock == TABLE else (slot.lock,)


def held(
    slots: SlotTable[Body], ids: Sequence[SlotId], present: Sequence[Seat], but: Seat | None = None
) -> dict[Seat, tuple[SlotId, ...]]:
    """Which of these slots the key of each seat locks, in their order; of `but` and of all that lock none: nothing."""
    made: dict[Seat, tuple[SlotId, ...]] = {}
    for at in ids:
        for seat in holders(slots[at], present):
            if seat != but:
                made[seat] = (*made.get(seat, ()), at)
    return made
