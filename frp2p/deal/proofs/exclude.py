"""None of my slots holds any of these cards: all of them blinded by one factor, and no two come out equal.

The holder publishes P = r g, Y_m = r M_m for every card point asked for, and X_k = r R_k - b A_k with b = r x for every
slot (A_k, R_k) under H = x g, so X_k = r M for the card point M in the slot. X_k = Y_m if and only if the cards are one
(or r = 0, when all are the identity). That r and b are the same everywhere is one Sigma protocol over a random
combination of the Y and X: P fixes r, and with H it fixes b, before the weights are known.

What it shows beyond the claim is r times points that are hashed from their names, for a fresh r: nothing, by DDH. The
cards are intersected as in Huberman, Franklin, Hogg, "Enhancing Privacy and Trust in Electronic Communities" (1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from frp2p.deal.dealer import Entropy
from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import BASE, ORDER, SIZE, Point, scalar_bytes
from frp2p.deal.limits import MAX_SLOTS
from frp2p.deal.parse import Bytes32, read_points, read_scalars
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import PeerFault

Row = Annotated[bytes, msgspec.Meta(min_length=SIZE, max_length=SIZE * MAX_SLOTS)]
"""One point for every card, or for every slot."""


class ExclusionProof(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """P, the blinded cards Y, the blinded contents X of the slots, and the proof in challenge form (c, s1, s2)."""

    blind: Bytes32
    cards: Row
    slots: Row
    c: Bytes32
    s1: Bytes32
    s2: Bytes32


@dataclass(frozen=True)
class Blinded:
    """P, Y and X."""

    blind: Point
    cards: Sequence[Point]
    slots: Sequence[Point]


@dataclass(frozen=True)
class Statement:
    """`key` H of the holder, its `slots` and the points of the `cards` that none of them holds."""

    scope: Scope
    key: Point
    slots: Sequence[Ciphertext]
    cards: Sequence[Point]

    def transcript(self, blinded: Blinded | None) -> Transcript:
        """With all that is known before the weights; None: before the blinding."""
        transcript = self.scope.transcript("exclude")
        transcript.absorb("g", BASE)
        transcript.absorb("H", self.key)
        transcript.absorb_list("C", [point for slot in self.slots for point in slot])
        transcript.absorb_list("M", self.cards)
        if blinded is not None:
            transcript.absorb("P", blinded.blind)
            transcript.absorb_list("Y", blinded.cards)
            transcript.absorb_list("X", blinded.slots)
        return transcript

    def combined(self, weights: Sequence[int]) -> tuple[Point, Point]:
        """B* = sum z (M of the cards, then R of the slots) and A* = sum z A of the slots."""
        group, count = self.scope.group, len(self.cards)
        b = group.msm([*self.cards, *(slot.b for slot in self.slots)], weights)
        return b, group.msm([slot.a for slot in self.slots], weights[count:])


def blind(statement: Statement, factor: int, product: int) -> Blinded:
    """P, Y and X for r = `factor` and b = `product`."""
    group, minus = statement.scope.group, -product % ORDER
    return Blinded(
        group.base(factor),
        [group.mul(card, factor) for card in statement.cards],
        [group.msm((slot.b, slot.a), (factor, minus)) for slot in statement.slots],
    )


def prove(statement: Statement, secret: int, entropy: Entropy) -> ExclusionProof:
    """The proof; it fails its own verifier if the claim is false (and shows why: don't send it then)."""
    group = statement.scope.group
    nonces = Nonces(secret=secret, entropy=entropy, state=statement.transcript(None).state())
    r, u, v = nonces.take(3)
    b = r * secret % ORDER
    blinded = blind(statement, r, b)
    transcript = statement.transcript(blinded)
    right, left = statement.combined(transcript.weights(len(statement.cards) + len(statement.slots)))
    transcript.absorb("T1", group.base(u))
    transcript.absorb("T2", group.msm((BASE, statement.key), (v, -u % ORDER)))
    transcript.absorb("T3", group.msm((right, left), (u, -v % ORDER)))
    c = transcript.challenge()
    s1, s2 = (u + c * r) % ORDER, (v + c * b) % ORDER
    rows = b"".join(blinded.cards), b"".join(blinded.slots)
    return ExclusionProof(blinded.blind, *rows, scalar_bytes(c), scalar_bytes(s1), scalar_bytes(s2))


def verify(statement: Statement, proof: ExclusionProof) -> None:
    """PeerFault "exclude-card" where a slot and a card are blinded to one point, "exclude" where the proof fails.

    T1 = s1 g - c P, T2 = s2 g - s1 H, T3 = s1 B* - s2 A* - c S*, where S* = sum z (Y, then X).
    """
    group = statement.scope.group
    c, s1, s2 = read_scalars(proof.c + proof.s1 + proof.s2, 3)
    (factor,) = read_points(group, proof.blind, 1)
    cards = read_points(group, proof.cards, len(statement.cards))
    slots = read_points(group, proof.slots, len(statement.slots))
    if not set(cards).isdisjoint(slots):
        raise PeerFault("exclude-card")
    transcript = statement.transcript(Blinded(factor, cards, slots))
    weights = transcript.weights(len(cards) + len(slots))
    right, left = statement.combined(weights)
    total = group.msm([*cards, *slots], weights)
    minus_c, minus_s1, minus_s2 = -c % ORDER, -s1 % ORDER, -s2 % ORDER
    transcript.absorb("T1", group.msm((BASE, factor), (s1, minus_c)))
    transcript.absorb("T2", group.msm((BASE, statement.key), (s2, minus_s1)))
    transcript.absorb("T3", group.msm((right, left, total), (s1, minus_s2, minus_c)))
    if transcript.challenge() != c:
        raise PeerFault("exclude")
