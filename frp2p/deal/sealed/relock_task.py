"""Give and put back: the holder moves its cards under another lock; before the table gets them, all others re-mask.

Why all: the holder knows the new mask r. Were the cards drawn with that mask, it could compute every share r H_k by
itself; after one re-mask by only some seats, those together could. The drawing seat's own re-mask stops it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from frp2p.cards import CardId
from frp2p.deal.elgamal import Ciphertext, write
from frp2p.deal.proofs import relock
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.keys import Locks
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Relocked
from frp2p.deal.sealed.remask_task import RemaskTask
from frp2p.deal.sealed.share_task import Lookup
from frp2p.deal.slots import Slot, SlotTable
from frp2p.errors import PeerFault
from frp2p.games.verbs import TABLE, Outcome, Seat, SlotId, Slots


class RelockTask(RemaskTask):
    """The holder speaks first; if `to` is the TABLE, the other seats re-mask after it, one a round in seat order."""

    def __init__(
        self,
        *,
        slots: SlotTable[Ciphertext],
        ids: tuple[SlotId, ...],
        holder: Seat,
        to: Seat,
        locks: Locks,
        scope: Callable[[Seat], Scope],
        lookup: Lookup,
        me: Me | None,
        eyes: Collection[Me],
    ) -> None:
        others = [seat for seat in locks.roster.present if seat != holder] if to == TABLE else []
        super().__init__(slots=slots, ids=ids, order=[holder, *others], key=locks[to], scope=scope, me=me)
        self._holder = holder
        self._holder_key = locks[holder]
        self._to = to
        self._lookup = lookup
        self._eyes = eyes

    def speak(self) -> Any:
        if self._round:
            return super().speak()
        me, scope, masks = self._turn()
        secret = me.secrets.deck
        after = [
            relock.relock(scope.group, self._key, value, secret, mask)
            for value, mask in zip(self._now, masks, strict=True)
        ]
        return Relocked(write(after), relock.prove(self._statement(scope, after), secret, masks, me.entropy))

    def check(self, seat: Seat, item: Any) -> list[Ciphertext]:
        if self._round:
            return super().check(seat, item)
        if not isinstance(item, Relocked):
            raise PeerFault("item-type")
        scope = self._scope(seat)
        after = self._read(scope, item.after)
        relock.verify(self._statement(scope, after), item.proof)
        return after

    def settle(self) -> Outcome:
        """The former holder can follow its cards, and so can whoever had been shown them."""
        old = [self._slots[slot] for slot in self._ids]
        cards = [(eye.seen, [self._card_seen(slot, eye) for slot in self._ids]) for eye in self._eyes]
        self._slots.spend(self._ids)
        made = self._slots.add(
            Slot(slot.deck, self._to, body, viewers=(slot.viewers | {self._holder}) - {self._to})
            for slot, body in zip(old, self._now, strict=True)
        )
        for seen, followed in cards:
            seen.update((at, card) for at, card in zip(made, followed, strict=True) if card is not None)
        return Slots(made)

    def _card_seen(self, at: SlotId, eye: Me) -> CardId | None:
        """The card that a seat may know of this slot: as its holder, or because it was shown to it."""
        slot, group = self._slots[at], self._scope(eye.seat).group
        if eye.seat != self._holder:
            return eye.seen.get(at)
        return self._lookup(slot.deck, group.sub(slot.body.b, group.mul(slot.body.a, eye.secrets.deck)))

    def _statement(self, scope: Scope, after: Sequence[Ciphertext]) -> relock.Statement:
        return relock.Statement(scope, self._holder_key, self._key, self._now, after)
