"""A cascade: each shuffler in its turn re-masks and permutes what the one before left, and proves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from frp2p.deal.elgamal import Ciphertext, read, remask, write
from frp2p.deal.entropy import permutation
from frp2p.deal.generators import Generators
from frp2p.deal.group import Point
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.proofs import shuffle as shuffle_proof
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.masks import MaskingTask, check_masks, mask_state
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Remasked, Shuffled
from frp2p.deal.slots import Slot, SlotTable
from frp2p.deal.transcript import Nonces, hedged
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import TABLE, Outcome, Seat, Shuffle, Slots


class ShuffleTask(MaskingTask):
    """One speaker a round. `scope(seat)` binds the seat's proof."""

    def __init__(
        self,
        *,
        slots: SlotTable[Ciphertext],
        verb: Shuffle,
        order: Sequence[Seat],
        key: Point,
        generators: Generators,
        scope: Callable[[Seat], Scope],
        me: Me | None,
    ) -> None:
        self._slots = slots
        self._verb = verb
        self._order = order
        self._key = key
        self._generators = generators
        self._scope = scope
        self._me = me
        self._now = [slots[slot].body for slot in verb.slots]
        self._round = 0
        self._mine: tuple[Shuffled | Remasked, list[Ciphertext]] | None = None
        self._followed: list[int] = []

    def speakers(self) -> tuple[Seat, ...]:
        return (self._order[self._round],) if self._round < len(self._order) else ()

    def speak(self) -> Shuffled | Remasked:
        """Permutation and masks live in this call only, but for a seat that shuffles what it has seen of the table.

        What I know of my own hand afterwards follows from my key.
        """
        if self._me is None:
            raise LocalError("an observer has nothing to say")
        me, scope, size = self._me, self._scope(self._me.seat), len(self._now)
        state = mask_state(scope, self._now)
        order = permutation(hedged(secret=me.secrets.deck, entropy=me.entropy, state=state), size)
        masks = Nonces(secret=me.secrets.deck, entropy=me.entropy, state=state).take(size)
        after = [remask(scope.group, self._key, self._now[at], mask) for at, mask in zip(order, masks, strict=True)]
        item: Shuffled | Remasked
        if size == 1:
            proof = remask_proof.prove(scope, self._key, self._now, after, masks, me.entropy)
            item = Remasked(write(after), proof)
        else:
            prover = shuffle_proof.Prover(self._statement(scope, after), order, masks)
            item = Shuffled(write(after), prover.prove(me.secrets.deck, me.entropy))
        self._mine = (item, after)
        if self._seen_by_shuffler():
            self._followed = order
        return item

    def check(self, seat: Seat, item: Any) -> list[Ciphertext]:
        if self._mine is not None and item == self._mine[0]:
            return self._mine[1]
        size = len(self._now)
        if not isinstance(item, Remasked if size == 1 else Shuffled):
            raise PeerFault("item-type")
        scope = self._scope(seat)
        after = read(scope.group, item.after, size)
        check_masks(after, self._now, self._slots)
        if isinstance(item, Remasked):
            remask_proof.verify(scope, self._key, self._now, after, item.proof)
        else:
            shuffle_proof.verify(self._statement(scope, after), item.proof)
        return after

    def masks(self) -> set[Point]:
        return {value.a for value in self._now}

    def close(self, items: Mapping[Seat, list[Ciphertext]]) -> None:
        (self._now,) = items.values()
        self._mine = None
        self._round += 1

    def settle(self) -> Outcome:
        """Nobody can follow a card into its new slot, but a seat that shuffled what it had seen of the table."""
        viewers = frozenset({self._verb.by}) if self._seen_by_shuffler() else frozenset[Seat]()
        first = self._slots[self._verb.slots[0]]
        self._slots.spend(self._verb.slots)
        made = self._slots.add(Slot(first.deck, first.lock, body, viewers=viewers) for body in self._now)
        if self._me is not None:
            for at, slot in zip(self._followed, made, strict=False):
                self._me.seen[slot] = self._me.seen[self._verb.slots[at]]
        self._followed = []
        return Slots(made)

    def _seen_by_shuffler(self) -> bool:
        return self._verb.by != TABLE and self._slots[self._verb.slots[0]].lock == TABLE

    def _statement(self, scope: Scope, after: Sequence[Ciphertext]) -> shuffle_proof.Statement:
        return shuffle_proof.Statement(scope, self._generators, self._key, self._now, after)
