"""Peek: whoever locks a slot sends its share encrypted to the viewer, in the open record; nothing becomes public."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from frp2p.deal.elgamal import Ciphertext, read, write
from frp2p.deal.group import Point
from frp2p.deal.parse import read_key
from frp2p.deal.proofs import venc
from frp2p.deal.rounds import Task
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.keys import Locks
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Shown
from frp2p.deal.sealed.share_task import Lookup
from frp2p.deal.slots import SlotTable, holders
from frp2p.deal.transcript import Nonces
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Outcome, Peek, Seat, SlotId, Slots


class PeekTask(Task):
    """One round. A share travels as (E1, E2) = (r g, x A + r W); the viewer's key w is used for nothing else."""

    def __init__(
        self,
        *,
        slots: SlotTable[Ciphertext],
        verb: Peek,
        locks: Locks,
        scope: Callable[[Seat, Sequence[SlotId]], Scope],
        lookup: Lookup,
        me: Me | None,
    ) -> None:
        self._slots = slots
        self._verb = verb
        self._locks = locks
        self._scope = scope
        self._lookup = lookup
        self._me = me
        self._asked: dict[Seat, list[SlotId]] = {}
        for at in verb.slots:
            for seat in holders(slots[at], locks.roster.present):
                if seat != verb.viewer:
                    self._asked.setdefault(seat, []).append(at)
        self._shares: dict[SlotId, list[Ciphertext]] = {}
        self._done = False

    def speakers(self) -> tuple[Seat, ...]:
        return () if self._done else tuple(sorted(self._asked))

    def speak(self) -> Shown:
        if self._me is None:
            raise LocalError("an observer has nothing to say")
        me, asked = self._me, self._asked[self._me.seat]
        scope = self._scope(me.seat, asked)
        state = scope.transcript("masks").state()
        masks = Nonces(secret=me.secrets.deck, entropy=me.entropy, state=state).take(len(asked))
        viewer = self._locks.roster.view_keys[self._verb.viewer]
        e1, e2 = venc.encrypt(scope, viewer, self._masks(asked), me.secrets.deck, masks)
        shares = [Ciphertext(*pair) for pair in zip(e1, e2, strict=True)]
        return Shown(write(shares), venc.prove(self._statement(me.seat, shares), me.secrets.deck, masks, me.entropy))

    def check(self, seat: Seat, item: Any) -> list[Ciphertext]:
        if not isinstance(item, Shown):
            raise PeerFault("item-type")
        group = self._scope(seat, ()).group
        shares = read(group, item.shares, len(self._asked[seat]))
        for share in shares:
            read_key(group, share.a)
        venc.verify(self._statement(seat, shares), item.proof)
        return shares

    def close(self, items: Mapping[Seat, list[Ciphertext]]) -> None:
        for seat, shares in items.items():
            for slot, share in zip(self._asked[seat], shares, strict=True):
                self._shares.setdefault(slot, []).append(share)
        self._done = True

    def settle(self) -> Outcome:
        for at in self._verb.slots:
            slot = self._slots[at]
            self._slots.replace(at, replace(slot, viewers=slot.viewers | {self._verb.viewer}))
            if self._me is not None and self._me.seat == self._verb.viewer:
                self._see(at, self._me)
        return Slots(self._verb.slots)

    def _see(self, at: SlotId, me: Me) -> None:
        """M = B - all shares: the others' decrypted, and mine where the slot is the table's."""
        slot, group = self._slots[at], self._scope(me.seat, ()).group
        rest = slot.body.b
        for share in self._shares[at]:
            rest = group.sub(rest, group.sub(share.b, group.mul(share.a, me.secrets.view)))
        if me.seat in holders(slot, self._locks.roster.present):
            rest = group.sub(rest, group.mul(slot.body.a, me.secrets.deck))
        me.seen[at] = self._lookup(slot.deck, rest)

    def _masks(self, asked: Sequence[SlotId]) -> list[Point]:
        return [self._slots[slot].body.a for slot in asked]

    def _statement(self, seat: Seat, shares: Sequence[Ciphertext]) -> venc.Statement:
        return venc.Statement(
            scope=self._scope(seat, self._asked[seat]),
            key=self._locks.roster.deck_keys[seat],
            viewer=self._locks.roster.view_keys[self._verb.viewer],
            a=self._masks(self._asked[seat]),
            e1=[share.a for share in shares],
            e2=[share.b for share in shares],
        )
