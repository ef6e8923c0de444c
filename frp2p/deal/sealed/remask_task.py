"""Slots that stay where they are get new masks, from one seat after the other, each with a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frp2p.deal.elgamal import Ciphertext, read, remask, write
from frp2p.deal.group import Point
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.masks import MaskingTask, check_masks, mask_state
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Remasked
from frp2p.deal.slots import SlotTable
from frp2p.deal.transcript import Nonces
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Outcome, Seat, SlotId, Slots


class RemaskTask(MaskingTask):
    """One speaker a round. `key` is that of the lock under which the cards come to be; `scope(seat)` binds the proof.

    Afterwards nobody knows the whole mask of any of these ciphertexts but all speakers together, and no share of any is
    public.
    """

    def __init__(
        self,
        *,
        slots: SlotTable[Ciphertext],
        ids: tuple[SlotId, ...],
        order: Sequence[Seat],
        key: Point,
        scope: Callable[[Seat], Scope],
        me: Me | None,
    ) -> None:
        self._slots = slots
        self._ids = ids
        self._order = order
        self._key = key
        self._scope = scope
        self._me = me
        self._now = [slots[slot].body for slot in ids]
        self._round = 0

    def speakers(self) -> tuple[Seat, ...]:
        return (self._order[self._round],) if self._round < len(self._order) else ()

    def speak(self) -> Any:
        me, scope, masks = self._turn()
        after = [remask(scope.group, self._key, value, mask) for value, mask in zip(self._now, masks, strict=True)]
        return Remasked(write(after), remask_proof.prove(scope, self._key, self._now, after, masks, me.entropy))

    def check(self, seat: Seat, item: Any) -> list[Ciphertext]:
        if not isinstance(item, Remasked):
            raise PeerFault("item-type")
        scope = self._scope(seat)
        after = self._read(scope, item.after)
        remask_proof.verify(scope, self._key, self._now, after, item.proof)
        return after

    def masks(self) -> set[Point]:
        return {value.a for value in self._now}

    def close(self, items: Mapping[Seat, list[Ciphertext]]) -> None:
        (self._now,) = items.values()
        self._round += 1

    def settle(self) -> Outcome:
        for at, body in zip(self._ids, self._now, strict=True):
            self._slots.replace(at, self._slots[at].remasked(body))
        return Slots(self._ids)

    def _turn(self) -> tuple[Me, Scope, list[int]]:
        """Who I am, what my proof is bound to, and a fresh mask for each ciphertext."""
        if self._me is None:
            raise LocalError("an observer has nothing to say")
        me, scope = self._me, self._scope(self._me.seat)
        state = mask_state(scope, self._now)
        return me, scope, Nonces(secret=me.secrets.deck, entropy=me.entropy, state=state).take(len(self._now))

    def _read(self, scope: Scope, blob: bytes) -> list[Ciphertext]:
        """The ciphertexts that a seat makes of those before; PeerFault if there is something wrong with their masks."""
        after = read(scope.group, blob, len(self._now))
        check_masks(after, self._now, self._slots)
        return after
