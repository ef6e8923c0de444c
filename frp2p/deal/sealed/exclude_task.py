"""Exclude: the holder proves that none of its slots holds any of these cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import Point
from frp2p.deal.proofs import exclude
from frp2p.deal.rounds import Task
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Excluded
from frp2p.deal.slots import SlotTable
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Exclude, Outcome, Seat, Slots


class ExcludeTask(Task):
    """One round with one speaker. Slots and cards come from the rules, never from the message."""

    def __init__(
        self,
        *,
        slots: SlotTable[Ciphertext],
        verb: Exclude,
        key: Point,
        cards: Sequence[Point],
        scope: Scope,
        me: Me | None,
    ) -> None:
        self._verb = verb
        self._holder = slots[verb.slots[0]].lock
        self._statement = exclude.Statement(scope, key, [slots[slot].body for slot in verb.slots], cards)
        self._me = me
        self._done = False

    def speakers(self) -> tuple[Seat, ...]:
        return () if self._done else (self._holder,)

    def speak(self) -> Excluded:
        """LocalError if the claim is false: there is no proof of it, and an attempt would show which card."""
        if self._me is None:
            raise LocalError("an observer has nothing to say")
        group, secret = self._statement.scope.group, self._me.secrets.deck
        for slot in self._statement.slots:
            if group.sub(slot.b, group.mul(slot.a, secret)) in self._statement.cards:
                raise LocalError("a slot holds a card that is to be excluded", code="exclude-false")
        return Excluded(exclude.prove(self._statement, secret, self._me.entropy))

    def check(self, seat: Seat, item: Any) -> None:
        if not isinstance(item, Excluded):
            raise PeerFault("item-type")
        exclude.verify(self._statement, item.proof)

    def close(self, items: Mapping[Seat, None]) -> None:
        self._done = True

    def settle(self) -> Outcome:
        return Slots(self._verb.slots)
