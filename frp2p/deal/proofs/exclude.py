"""None of my slots holds any of these cards: a blinded difference for every pair, none of which is the identity.

For slot (A, R) and card point M_m: C = r (R - M_m) - b A with b = r x and H = x g, so C = r (M - M_m): the identity if
and only if M = M_m (or r = 0, when it is the identity too), and otherwise a uniform point that shows nothing.
One challenge for all pairs (equality of logarithms as in Camenisch, Shoup 2003, section 5, turned to inequality).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated

import msgspec

from frp2p.deal.dealer import Entropy
from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import BASE, IDENTITY, ORDER, SIZE, Point, scalar_bytes
from frp2p.deal.limits import MAX_PAIRS
from frp2p.deal.parse import Bytes32, read_points, read_scalars, write_scalars
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import PeerFault

Pairs = Annotated[bytes, msgspec.Meta(min_length=SIZE, max_length=SIZE * MAX_PAIRS)]


class ExclusionProof(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The blinded differences, the challenge, and two responses a pair; pairs go slot by slot, card by card."""

    blinded: Pairs
    c: Bytes32
    s1: Pairs
    s2: Pairs


@dataclass(frozen=True)
class Statement:
    """`key` H of the holder, its `slots` and the points of the `cards` that none of them holds."""

    scope: Scope
    key: Point
    slots: Sequence[Ciphertext]
    cards: Sequence[Point]

    def pairs(self) -> Iterator[tuple[Point, Point]]:
        """A and R - M for every pair."""
        for slot, card in product(self.slots, self.cards):
            yield slot.a, self.scope.group.sub(slot.b, card)

    def transcript(self, blinded: Sequence[Point]) -> Transcript:
        transcript = self.scope.transcript("exclude")
        transcript.absorb("g", BASE)
        transcript.absorb("H", self.key)
        transcript.absorb_list("C", [point for slot in self.slots for point in slot])
        transcript.absorb_list("M", self.cards)
        transcript.absorb_list("blinded", blinded)
        return transcript


def prove(statement: Statement, secret: int, entropy: Entropy) -> ExclusionProof:
    """The proof; it fails its own verifier if the claim is false."""
    group = statement.scope.group
    pairs = list(statement.pairs())
    nonces = Nonces(secret=secret, entropy=entropy, state=statement.transcript(()).state())
    blinds = nonces.take(len(pairs))
    products = [blind * secret % ORDER for blind in blinds]
    blinded = [
        group.msm((rest, a), (blind, -b % ORDER)) for (a, rest), blind, b in zip(pairs, blinds, products, strict=True)
    ]
    transcript = statement.transcript(blinded)
    w1, w2 = nonces.take(len(pairs)), nonces.take(len(pairs))
    key = statement.key
    transcript.absorb_list(
        "T1", [group.msm((rest, a), (u, -v % ORDER)) for (a, rest), u, v in zip(pairs, w1, w2, strict=True)]
    )
    transcript.absorb_list("T2", [group.msm((BASE, key), (v, -u % ORDER)) for u, v in zip(w1, w2, strict=True)])
    c = transcript.challenge()
    s1 = [(u + c * blind) % ORDER for u, blind in zip(w1, blinds, strict=True)]
    s2 = [(v + c * b) % ORDER for v, b in zip(w2, products, strict=True)]
    return ExclusionProof(b"".join(blinded), scalar_bytes(c), write_scalars(s1), write_scalars(s2))


def verify(statement: Statement, proof: ExclusionProof) -> None:
    """PeerFault "exclude-card" where a blinded difference is the identity, "exclude" where the proof does not hold.

    T1 = s1 (R - M) - s2 A - c C and T2 = s2 g - s1 H for every pair.
    """
    group, key = statement.scope.group, statement.key
    count = len(statement.slots) * len(statement.cards)
    (c,) = read_scalars(proof.c, 1)
    s1, s2 = read_scalars(proof.s1, count), read_scalars(proof.s2, count)
    blinded = read_points(group, proof.blinded, count)
    if IDENTITY in blinded:
        raise PeerFault("exclude-card")
    transcript = statement.transcript(blinded)
    minus = -c % ORDER
    transcript.absorb_list(
        "T1",
        [
            group.msm((rest, a, point), (u, -v % ORDER, minus))
            for (a, rest), point, u, v in zip(statement.pairs(), blinded, s1, s2, strict=True)
        ],
    )
    transcript.absorb_list("T2", [group.msm((BASE, key), (v, -u % ORDER)) for u, v in zip(s1, s2, strict=True)])
    if transcript.challenge() != c:
        raise PeerFault("exclude")
