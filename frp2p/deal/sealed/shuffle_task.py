"""A cascade: each shuffler in its turn re-masks and permutes what the one before left, and proves it.

The next shuffler begins as soon as it sees that output, beside checking the proof of it (where there is a `beside` for
the back end). What it makes it says only when it is asked, after all have acknowledged the step before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Made:
    """What a seat says in its turn, and `order`, which is secret: `order[i]` is where the i-th of `after` lay."""

    item: Shuffled | Remasked
    after: list[Ciphertext]
    order: list[int]


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
        self._mine: Made | None = None
        self._ahead: tuple[list[Ciphertext], Callable[[], Made]] | None = None
        """What I make of these ciphertexts, should they be what I am asked to shuffle."""
        self._followed: list[int] = []
        # Drawn now: when my turn is made is a matter of luck, and a seat that comes back must make the same again.
        self._fresh = me.entropy(32) if me is not None and me.seat in order else b""
        generators.first(len(self._now))  # two threads will read them

    def speakers(self) -> tuple[Seat, ...]:
        return (self._order[self._round],) if self._round < len(self._order) else ()

    def speak(self) -> Shuffled | Remasked:
        """Made ahead, or now. Permutation and masks live in `_make` only, but for a seat that shuffles what it has
        seen of the table. What I know of my own hand afterwards follows from my key.
        """
        if self._me is None:
            raise LocalError("an observer has nothing to say")
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead[0] == self._now:
            made = ahead[1]()
        else:
            made = self._make(self._me, self._scope(self._me.seat), self._now)
        self._mine = made
        if self._seen_by_shuffler():
            self._followed = made.order
        return made.item

    def _make(self, me: Me, scope: Scope, now: list[Ciphertext]) -> Made:
        """My turn on these ciphertexts. It follows from them, the request, my key and `_fresh`, and changes nothing."""
        size, secret = len(now), me.secrets.deck
        state = mask_state(scope, now)
        draws = hedged(secret=secret, entropy=lambda _length: self._fresh, state=state)
        order = permutation(draws, size)
        masks = Nonces(secret=secret, entropy=draws, state=state).take(size)
        after = [remask(scope.group, self._key, now[at], mask) for at, mask in zip(order, masks, strict=True)]
        if size == 1:
            remasked = remask_proof.prove(scope, self._key, now, after, masks, draws)
            return Made(Remasked(write(after), remasked), after, order)
        statement = shuffle_proof.Statement(scope, self._generators, self._key, now, after)
        prover = shuffle_proof.Prover(statement, order, masks)
        return Made(Shuffled(write(after), prover.prove(secret, draws)), after, order)

    def _begin_ahead(self, after: list[Ciphertext]) -> None:
        """If I am next: my turn on what is being checked just now."""
        me = self._me
        if me is None or me.seat not in self._order[self._round + 1 : self._round + 2]:
            return
        scope, known = self._scope(me.seat), self._ahead is not None and self._ahead[0] == after
        if scope.group.beside is not None and not known:
            self._ahead = (after, scope.group.beside(lambda: self._make(me, scope, after)))

    def check(self, seat: Seat, item: Any) -> list[Ciphertext]:
        if self._mine is not None and item == self._mine.item:
            return self._mine.after
        size = len(self._now)
        if not isinstance(item, Remasked if size == 1 else Shuffled):
            raise PeerFault("item-type")
        scope = self._scope(seat)
        after = read(scope.group, item.after, size)
        check_masks(after, self._now, self._slots)
        self._begin_ahead(after)
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
