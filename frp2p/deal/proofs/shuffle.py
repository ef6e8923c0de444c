"""A list of ciphertexts is another one, re-masked and permuted: the proof of Terelius and Wikstroem.

Source: Terelius, Wikstroem, "Proofs of Restricted Shuffles" (2010), in the form of Haenni, Locher, Koenig, Dubuis,
"Pseudo-Code Algorithms for Verifiable Re-encryption Mix-Nets" (2017), with the chain commitments in closed form.

Symbols: e = (a, b) inputs, e' outputs, e'_i = e_psi(i) + r'_i (g, K); c commits to the matrix of psi; u weights; c^ the
chain c^_i = r^_i g + u'_i c^_(i-1) with c^_0 = h and u'_i = u_psi(i) (`links` here); x the challenge. The proof travels
with its commitments t, so a back end with a fast sum of products can check all equations at once.

The verifier checks all equations at once; only if that fails it looks at each by itself, so that a refusal names the
first one that does not hold. All indices here count from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from frp2p.deal.dealer import Entropy
from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.generators import Generators
from frp2p.deal.group import BASE, IDENTITY, ORDER, SIZE, Group, Point
from frp2p.deal.limits import MAX_SLOTS
from frp2p.deal.parse import read_points, read_scalars, write_scalars
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import LocalError, PeerFault

Row = Annotated[bytes, msgspec.Meta(min_length=2 * SIZE, max_length=MAX_SLOTS * SIZE)]
"""One point or scalar for every card; a shuffle has at least two cards."""

Five = Annotated[bytes, msgspec.Meta(min_length=5 * SIZE, max_length=5 * SIZE)]
Four = Annotated[bytes, msgspec.Meta(min_length=4 * SIZE, max_length=4 * SIZE)]


class ShuffleProof(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Commitment form; 32 (5 N + 9) bytes for N cards."""

    c: Row
    links: Row
    t: Five
    t_links: Row
    s: Four
    s_links: Row
    s_order: Row


@dataclass(frozen=True)
class Statement:
    """What is proved: `after` is `before` re-masked under `key` and permuted. Lists of one length, two at least."""

    scope: Scope
    generators: Generators
    key: Point
    before: Sequence[Ciphertext]
    after: Sequence[Ciphertext]

    def transcript(self) -> Transcript:
        """The transcript with the whole statement absorbed."""
        transcript = self.scope.transcript("shuffle")
        transcript.absorb("g", BASE)
        transcript.absorb("h", self.generators.h)
        transcript.absorb("K", self.key)
        transcript.absorb_int("N", len(self.before))
        for label, values in (("e", self.before), ("e'", self.after)):
            transcript.absorb_list(label, [point for value in values for point in value])
        return transcript


class Prover:
    """The prover in its steps. It holds the secret permutation and masks: drop it as soon as the proof is made.

    `order[i]` is psi(i): which input became output i; `masks[i]` is r'_i.
    """

    def __init__(self, statement: Statement, order: Sequence[int], masks: Sequence[int]) -> None:
        self.statement = statement
        self.group = statement.scope.group
        self.size = len(order)
        self.order = order
        self.masks = masks
        self.transcript = statement.transcript()

    def prove(self, secret: int, entropy: Entropy) -> ShuffleProof:
        """The proof; `secret` hedges the nonces (the prover's deck key)."""
        nonces = Nonces(secret=secret, entropy=entropy, state=self.transcript.state())
        c = self.commit(nonces)
        self.transcript.absorb_list("c", c)
        self.weights = self.transcript.challenges(self.size)
        links = self.link(nonces)
        t, t_links = self.announce(nonces)
        self.transcript.absorb_list("links", links)
        self.transcript.absorb_list("t", t)
        self.transcript.absorb_list("t-links", t_links)
        s, s_links, s_order = self.respond(self.transcript.challenge())
        return ShuffleProof(
            b"".join(c),
            b"".join(links),
            b"".join(t),
            b"".join(t_links),
            write_scalars(s),
            write_scalars(s_links),
            write_scalars(s_order),
        )

    def commit(self, nonces: Nonces) -> list[Point]:
        """Step 1: c_psi(i) = r_psi(i) g + h_i."""
        self.openings = nonces.take(self.size)
        base, add = self.group.base, self.group.add
        c = [BASE] * self.size
        for at, generator in zip(self.order, self.statement.generators.first(self.size), strict=True):
            c[at] = add(base(self.openings[at]), generator)
        return c

    def turn(self) -> list[int]:
        """u'_i = u_psi(i)."""
        return [self.weights[at] for at in self.order]

    def link(self, nonces: Nonces) -> list[Point]:
        """Step 3: c^_i = R_i g + U_i h, where R_i = r^_i + u'_i R_(i-1) and U_i = u'_i U_(i-1)."""
        self.turned = self.turn()
        self.link_openings = nonces.take(self.size)
        self.sums, self.products = [0], [1]
        for opening, weight in zip(self.link_openings, self.turned, strict=True):
            self.sums.append((opening + weight * self.sums[-1]) % ORDER)
            self.products.append(weight * self.products[-1] % ORDER)
        return self._pedersen(self.sums[1:], self.products[1:])

    def announce(self, nonces: Nonces) -> tuple[list[Point], list[Point]]:
        """Step 4: the commitments t1, t2, t3, t4a, t4b and t^_i to the nonces of all responses."""
        self.w = nonces.take(4)
        self.w_links = nonces.take(self.size)
        self.w_order = nonces.take(self.size)
        group, after = self.group, self.statement.after
        minus = -self.w[3] % ORDER
        generators = self.statement.generators.first(self.size)
        t = [
            group.base(self.w[0]),
            group.base(self.w[1]),
            group.msm((BASE, *generators), (self.w[2], *self.w_order)),
            group.msm((BASE, *(value.a for value in after)), (minus, *self.w_order)),
            group.msm((self.statement.key, *(value.b for value in after)), (minus, *self.w_order)),
        ]
        t_links = self._pedersen(
            [(w + v * total) % ORDER for w, v, total in zip(self.w_links, self.w_order, self.sums, strict=False)],
            [v * product % ORDER for v, product in zip(self.w_order, self.products, strict=False)],
        )
        return t, t_links

    def respond(self, x: int) -> tuple[list[int], list[int], list[int]]:
        """Step 6: s1..s4, s^_i and s'_i."""
        tail, factor = 0, 1
        for opening, weight in zip(reversed(self.link_openings), reversed(self.turned), strict=True):
            tail += opening * factor
            factor = factor * weight % ORDER
        secrets = [
            sum(self.openings),
            tail,
            sum(r * u for r, u in zip(self.openings, self.weights, strict=True)),
            sum(r * u for r, u in zip(self.masks, self.turned, strict=True)),
        ]
        return (
            [(w + x * secret) % ORDER for w, secret in zip(self.w, secrets, strict=True)],
            [(w + x * secret) % ORDER for w, secret in zip(self.w_links, self.link_openings, strict=True)],
            [(w + x * secret) % ORDER for w, secret in zip(self.w_order, self.turned, strict=True)],
        )

    def _pedersen(self, left: Sequence[int], right: Sequence[int]) -> list[Point]:
        """left[i] g + right[i] h."""
        base, mul, add, h = self.group.base, self.group.mul, self.group.add, self.statement.generators.h
        return [add(base(k), mul(h, m)) for k, m in zip(left, right, strict=True)]


@dataclass(frozen=True)
class Parsed:
    """A proof whose encodings and lengths are right."""

    c: list[Point]
    links: list[Point]
    t: list[Point]
    t_links: list[Point]
    s: list[int]
    s_links: list[int]
    s_order: list[int]


def parse(group: Group, proof: ShuffleProof, size: int) -> Parsed:
    """PeerFault "list-length", "point-encoding" or "scalar-range". The cheap checks, before any multiplication."""
    s, s_links, s_order = read_scalars(proof.s, 4), read_scalars(proof.s_links, size), read_scalars(proof.s_order, size)
    c, links = read_points(group, proof.c, size), read_points(group, proof.links, size)
    t, t_links = read_points(group, proof.t, 5), read_points(group, proof.t_links, size)
    return Parsed(c, links, t, t_links, s, s_links, s_order)


def verify(statement: Statement, proof: ShuffleProof) -> None:
    """PeerFault with the first equation that does not hold (see `failing`), or with a fault of encoding."""
    group = statement.scope.group
    parsed = parse(group, proof, len(statement.before))
    if not holds_combined(statement, parsed):
        for check in failing(statement, parsed):
            raise PeerFault(check)
        raise LocalError("All equations of a shuffle hold, and their sum does not.")


def failing(statement: Statement, proof: Parsed) -> Iterator[str]:
    """The names of all equations that do not hold: sum, product, weights, mask-a, mask-b, chain (each shuffle-...)."""
    group, size = statement.scope.group, len(statement.before)
    u, x, _ = _challenges(statement, proof)
    s1, s2, s3, s4 = proof.s
    minus_x, minus_s4 = -x % ORDER, -s4 % ORDER
    h, key = statement.generators.h, statement.key
    generators = statement.generators.first(size)
    product = _product(u)
    minus = group.sub(_sum(group, proof.c), statement.generators.sum(size))
    scaled = [minus_x * weight % ORDER for weight in u]
    # Each line: the equation as sum of products that must give the commitment t.
    if group.msm((BASE, minus), (s1, minus_x)) != proof.t[0]:
        yield "shuffle-sum"
    if group.msm((BASE, proof.links[-1], h), (s2, minus_x, x * product % ORDER)) != proof.t[1]:
        yield "shuffle-product"
    if group.msm((BASE, *generators, *proof.c), (s3, *proof.s_order, *scaled)) != proof.t[2]:
        yield "shuffle-weights"
    for part, base, name in ((0, BASE, "shuffle-mask-a"), (1, key, "shuffle-mask-b")):
        points = [base, *(value[part] for value in statement.after), *(value[part] for value in statement.before)]
        if group.msm(points, (minus_s4, *proof.s_order, *scaled)) != proof.t[3 + part]:
            yield name
    if any(
        group.msm((BASE, before, link), (s_link, s_order, minus_x)) != t
        for before, link, t, s_link, s_order in zip(
            (h, *proof.links), proof.links, proof.t_links, proof.s_links, proof.s_order, strict=False
        )
    ):
        yield "shuffle-chain"


def holds_combined(statement: Statement, proof: Parsed) -> bool:
    """All equations at once: their sum with weights of 128 bits is the identity. 8 N multiplications, or one `msm`.

    The weights are hashed from the statement and the whole proof, so all verifiers agree; a proof with a wrong equation
    passes with probability 2**-128.
    """
    group, size = statement.scope.group, len(statement.before)
    u, x, transcript = _challenges(statement, proof)
    transcript.absorb("responses", write_scalars([*proof.s, *proof.s_links, *proof.s_order]))
    (w1, w2, w3, wa, wb), w = transcript.weights(5), transcript.weights(size)
    s1, s2, s3, s4 = proof.s
    order = proof.s_order
    next_w = [weight * s for weight, s in zip(w[1:], order[1:], strict=True)]
    last = [0] * (size - 1) + [w2 * x]
    terms: list[tuple[Sequence[Point], Sequence[int]]] = [
        (
            (BASE, statement.generators.h, statement.key),
            (
                w1 * s1 + w2 * s2 + w3 * s3 - wa * s4 + sum(a * b for a, b in zip(w, proof.s_links, strict=True)),
                w2 * x * _product(u) + w[0] * order[0],
                -wb * s4,
            ),
        ),
        (statement.generators.first(size), [w1 * x + w3 * s for s in order]),
        (proof.c, [-x * (w1 + w3 * weight) for weight in u]),
        (proof.links, [after - x * own - end for after, own, end in zip([*next_w, 0], w, last, strict=True)]),
        (proof.t, [-w1, -w2, -w3, -wa, -wb]),
        (proof.t_links, [-weight for weight in w]),
    ]
    for part, weight in ((0, wa), (1, wb)):
        terms.append(([value[part] for value in statement.after], [weight * s for s in order]))
        terms.append(([value[part] for value in statement.before], [-weight * x * challenge for challenge in u]))
    points = [point for row, _ in terms for point in row]
    return group.msm(points, [scalar % ORDER for _, row in terms for scalar in row]) == IDENTITY


def _challenges(statement: Statement, proof: Parsed) -> tuple[list[int], int, Transcript]:
    """u and x, and the transcript after them."""
    transcript = statement.transcript()
    transcript.absorb_list("c", proof.c)
    u = transcript.challenges(len(statement.before))
    transcript.absorb_list("links", proof.links)
    transcript.absorb_list("t", proof.t)
    transcript.absorb_list("t-links", proof.t_links)
    return u, transcript.challenge(), transcript


def _product(values: Sequence[int]) -> int:
    product = 1
    for value in values:
        product = product * value % ORDER
    return product


def _sum(group: Group, points: Sequence[Point]) -> Point:
    total = points[0]
    for point in points[1:]:
        total = group.add(total, point)
    return total
