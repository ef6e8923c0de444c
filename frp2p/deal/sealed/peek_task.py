"""Peek: whoever locks a slot sends its share encrypted to the viewer, in the open record; nothing becomes public."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from frp2p.deal.elgamal import Ciphertext, read, write
from frp2p.deal.group import Point
from frp2p.deal.parse import read_key
from frp2p.deal.proofs import venc
from frp2p.deal.rounds import Task
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Shown
from frp2p.deal.sealed.share_task import Lookup, Opening
from frp2p.deal.transcript import Nonces
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import TABLE, Outcome, Peek, Seat, SlotId, Slots


class PeekTask(Task):
    """One round. A share travels as (E1, E2) = (r g, x A + r W); the viewer's key w is used for nothing else."""

    def __init__(self, verb: Peek, viewer: Point, lookup: Lookup, opening: Opening, eyes: Mapping[Seat, Me]) -> None:
        self._verb = verb
        self._viewer = viewer
        self._lookup = lookup
        self._opening = opening
        self._slots = opening.slots
        self._me = opening.me
        self._eyes = eyes
        self._shares: dict[SlotId, list[Ciphertext]] = {}
        self._done = False

    def speakers(self) -> tuple[Seat, ...]:
        return () if self._done else tuple(sorted(self._opening.asked))

    def speak(self) -> Shown:
        if self._me is None:
            raise LocalError("an observer has nothing to say")
        me, asked = self._me, self._opening.asked[self._me.seat]
        scope = self._opening.scope(me.seat, asked)
        state = scope.transcript("masks").state()
        masks = Nonces(secret=me.secrets.deck, entropy=me.entropy, state=state).take(len(asked))
        e1, e2 = venc.encrypt(scope, self._viewer, self._masks(asked), me.secrets.deck, masks)
        shares = [Ciphertext(*pair) for pair in zip(e1, e2, strict=True)]
        return Shown(write(shares), venc.prove(self._statement(me.seat, shares), me.secrets.deck, masks, me.entropy))

    def check(self, seat: Seat, item: Any) -> list[Ciphertext]:
        if not isinstance(item, Shown):
            raise PeerFault("item-type")
        group = self._opening.group
        shares = read(group, item.shares, len(self._opening.asked[seat]))
        for share in shares:
            read_key(group, share.a)
        venc.verify(self._statement(seat, shares), item.proof)
        return shares

    def close(self, items: Mapping[Seat, list[Ciphertext]]) -> None:
        for seat, shares in items.items():
            for slot, share in zip(self._opening.asked[seat], shares, strict=True):
                self._shares.setdefault(slot, []).append(share)
        self._done = True

    def settle(self) -> Outcome:
        viewer = self._eyes.get(self._verb.viewer)
        for at in self._verb.slots:
            slot = self._slots[at]
            self._slots.replace(at, replace(slot, viewers=slot.viewers | {self._verb.viewer}))
            if viewer is not None:
                self._see(at, viewer)
        return Slots(self._verb.slots)

    def _see(self, at: SlotId, me: Me) -> None:
        """M = B - all shares: the others' decrypted, and mine where the slot is the table's."""
        slot, group = self._slots[at], self._opening.group
        rest = slot.body.b
        for share in self._shares[at]:
            rest = group.sub(rest, group.sub(share.b, group.mul(share.a, me.secrets.view)))
        if slot.lock == TABLE:
            rest = group.sub(rest, group.mul(slot.body.a, me.secrets.deck))
        me.seen[at] = self._lookup(slot.deck, rest)

    def _masks(self, asked: Sequence[SlotId]) -> list[Point]:
        return [self._slots[slot].body.a for slot in asked]

    def _statement(self, seat: Seat, shares: Sequence[Ciphertext]) -> venc.Statement:
        asked = self._opening.asked[seat]
        return venc.Statement(
            scope=self._opening.scope(seat, asked),
            key=self._opening.keys[seat],
            viewer=self._viewer,
            a=self._masks(asked),
            e1=[share.a for share in shares],
            e2=[share.b for share in shares],
        )
