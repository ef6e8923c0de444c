"""Draw, reveal, leave, recover: seats whose keys are in the way publish their decryption shares x A, with a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frp2p.cards import CardId
from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import Group, Point
from frp2p.deal.parse import read_points
from frp2p.deal.proofs import dleq, dleq_batch
from frp2p.deal.rounds import Task
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Shares
from frp2p.deal.slots import SlotTable
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Cards, Draw, Outcome, Reveal, Seat, SlotId, Slots

Lookup = Callable[[str, Point], CardId]
"""The card of this deck with this point; LocalError if there is none."""


@dataclass(frozen=True)
class Opening:
    """Who opens what: `asked` are the slots of each speaker, `keys` the public keys of the shares, `me` has my secret.

    `scope(seat, slots)` binds a seat's proof to exactly those slots.
    """

    slots: SlotTable[Ciphertext]
    asked: Mapping[Seat, tuple[SlotId, ...]]
    keys: Mapping[Seat, Point]
    scope: Callable[[Seat, Sequence[SlotId]], Scope]
    group: Group
    me: Me | None


class ShareTask(Task):
    """One round. A share is computed from our own state by slot id, never from a point in a message."""

    def __init__(self, opening: Opening) -> None:
        self._slots = opening.slots
        self._asked = opening.asked
        self._keys = opening.keys
        self._scope = opening.scope
        self._group = opening.group
        self._me = opening.me
        self._shares: dict[SlotId, dict[Seat, Point]] = {}
        self._done = False

    def speakers(self) -> tuple[Seat, ...]:
        return () if self._done else tuple(sorted(self._asked))

    def speak(self) -> Shares:
        if self._me is None:
            raise LocalError("an observer has nothing to say")
        seat, secret, entropy = self._me.seat, self._me.secrets.deck, self._me.entropy
        scope, a = self._scope(seat, self._asked[seat]), self._masks(seat)
        d = [self._group.mul(point, secret) for point in a]
        if len(a) == 1:
            proof = dleq.prove(scope, self._keys[seat], a[0], d[0], secret, entropy)
        else:
            proof = dleq_batch.prove(scope, self._keys[seat], a, d, secret, entropy)
        return Shares(b"".join(d), proof)

    def check(self, seat: Seat, item: Any) -> list[Point]:
        if not isinstance(item, Shares):
            raise PeerFault("item-type")
        scope, a = self._scope(seat, self._asked[seat]), self._masks(seat)
        d = read_points(self._group, item.shares, len(a))
        if len(a) == 1:
            dleq.verify(scope, self._keys[seat], a[0], d[0], item.proof)
        else:
            dleq_batch.verify(scope, self._keys[seat], a, d, item.proof)
        return d

    def close(self, items: Mapping[Seat, list[Point]]) -> None:
        for seat, points in items.items():
            for slot, point in zip(self._asked[seat], points, strict=True):
                self._shares.setdefault(slot, {})[seat] = point
        self._done = True

    def _masks(self, seat: Seat) -> list[Point]:
        return [self._slots[slot].body.a for slot in self._asked[seat]]

    def _residual(self, slot: SlotId) -> Point:
        """B less all shares of this round."""
        rest = self._slots[slot].body.b
        for share in self._shares[slot].values():
            rest = self._group.sub(rest, share)
        return rest


class DrawTask(ShareTask):
    """All others publish; what is left is locked by the drawing seat alone."""

    def __init__(self, verb: Draw, opening: Opening) -> None:
        super().__init__(opening)
        self._verb = verb

    def settle(self) -> Outcome:
        for at in self._verb.slots:
            slot = self._slots[at]
            body = Ciphertext(slot.body.a, self._residual(at))
            self._slots.replace(at, slot.drawn(self._verb.seat, body, self._asked))
        return Slots(self._verb.slots)


class TakeOffTask(ShareTask):
    """Leave and recover: B := B - x A in every slot of the TABLE, x the key of a seat that is going.

    That seat publishes x A itself (one speaker of weight 1), or x A is the sum of what the others publish, each share
    times its weight. The cards stay hidden under the keys of the others.
    """

    def __init__(self, seat: Seat, weights: Mapping[Seat, int], opening: Opening) -> None:
        super().__init__(opening)
        self._seat = seat
        self._weights = weights

    def settle(self) -> Outcome:
        for at, shares in self._shares.items():
            slot = self._slots[at]
            share = self._group.msm([shares[seat] for seat in self._weights], list(self._weights.values()))
            body = Ciphertext(slot.body.a, self._group.sub(slot.body.b, share))
            self._slots.replace(at, slot.left(self._seat, body))
        return Slots(tuple(self._shares))


class RevealTask(ShareTask):
    """Whoever still locks a slot publishes; a claimed card is never believed, the point is looked up."""

    def __init__(self, verb: Reveal, lookup: Lookup, opening: Opening) -> None:
        super().__init__(opening)
        self._verb = verb
        self._lookup = lookup

    def settle(self) -> Outcome:
        cards = tuple(self._lookup(self._slots[slot].deck, self._residual(slot)) for slot in self._verb.slots)
        self._slots.spend(self._verb.slots)
        self._slots.turn_up(cards)
        return Cards(cards)
