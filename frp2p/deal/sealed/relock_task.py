"""Give and put back: the holder moves its cards under another lock; before the table gets them, all others re-mask.

Why all: the holder knows the new mask r. Were the cards drawn with that mask, it could compute every share r H_k by
itself; after one re-mask by only some seats, those together could. The drawing seat's own re-mask stops it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frp2p.cards import CardId
from frp2p.deal.elgamal import Ciphertext, read, remask, write
from frp2p.deal.group import Point
from frp2p.deal.proofs import relock
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.keys import Locks
from frp2p.deal.sealed.masks import MaskingTask, check_masks, mask_state
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Relocked, Remasked
from frp2p.deal.sealed.share_task import Lookup
from frp2p.deal.slots import Slot, SlotTable
from frp2p.deal.transcript import Nonces
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import TABLE, Outcome, Seat, SlotId, Slots


class RelockTask(MaskingTask):
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
    ) -> None:
        self._lookup = lookup
        self._slots = slots
        self._ids = ids
        self._holder = holder
        self._to = to
        self._locks = locks
        self._scope = scope
        self._me = me
        others = [seat for seat in locks.roster.present if seat != holder]
        self._order = [holder, *others] if to == TABLE else [holder]
        self._now = [slots[slot].body for slot in ids]
        self._round = 0

    def speakers(self) -> tuple[Seat, ...]:
        return (self._order[self._round],) if self._round < len(self._order) else ()

    def speak(self) -> Relocked | Remasked:
        if self._me is None:
            raise LocalError("an observer has nothing to say")
        me, scope, key = self._me, self._scope(self._me.seat), self._locks[self._to]
        state, size = mask_state(scope, self._now), len(self._now)
        masks = Nonces(secret=me.secrets.deck, entropy=me.entropy, state=state).take(size)
        pairs = list(zip(self._now, masks, strict=True))
        if self._round:
            after = [remask(scope.group, key, value, mask) for value, mask in pairs]
            return Remasked(write(after), remask_proof.prove(scope, key, self._now, after, masks, me.entropy))
        after = [relock.relock(scope.group, key, value, me.secrets.deck, mask) for value, mask in pairs]
        proof = relock.prove(self._statement(scope, after), me.secrets.deck, masks, me.entropy)
        return Relocked(write(after), proof)

    def check(self, seat: Seat, item: Any) -> list[Ciphertext]:
        if not isinstance(item, Remasked if self._round else Relocked):
            raise PeerFault("item-type")
        scope = self._scope(seat)
        after = read(scope.group, item.after, len(self._now))
        check_masks(after, self._now, self._slots)
        if isinstance(item, Relocked):
            relock.verify(self._statement(scope, after), item.proof)
        else:
            remask_proof.verify(scope, self._locks[self._to], self._now, after, item.proof)
        return after

    def masks(self) -> set[Point]:
        return {value.a for value in self._now}

    def close(self, items: Mapping[Seat, list[Ciphertext]]) -> None:
        (self._now,) = items.values()
        self._round += 1

    def settle(self) -> Outcome:
        """The former holder can follow its cards, and so can whoever had been shown them."""
        old = [self._slots[slot] for slot in self._ids]
        cards = [self._card_seen(slot, self._me) for slot in self._ids] if self._me else []
        self._slots.spend(self._ids)
        made = self._slots.add(
            Slot(slot.deck, self._to, body, viewers=(slot.viewers | {self._holder}) - {self._to})
            for slot, body in zip(old, self._now, strict=True)
        )
        if self._me is not None:
            self._me.seen.update((at, card) for at, card in zip(made, cards, strict=True) if card is not None)
        return Slots(made)

    def _card_seen(self, at: SlotId, me: Me) -> CardId | None:
        """The card that I may know of this slot: as its holder, or because it was shown to me."""
        slot, group = self._slots[at], self._scope(me.seat).group
        if me.seat != self._holder:
            return me.seen.get(at)
        return self._lookup(slot.deck, group.sub(slot.body.b, group.mul(slot.body.a, me.secrets.deck)))

    def _statement(self, scope: Scope, after: Sequence[Ciphertext]) -> relock.Statement:
        key = self._locks.roster.deck_keys[self._holder]
        return relock.Statement(scope, key, self._locks[self._to], self._now, after)
