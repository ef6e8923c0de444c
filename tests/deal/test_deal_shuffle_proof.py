"""The proof of shuffle: complete, and one attack for every equation that only this equation stops."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from deal_rig import seeded
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.deal.elgamal import Ciphertext, remask
from frp2p.deal.entropy import permutation
from frp2p.deal.generators import Generators
from frp2p.deal.group import BASE, IDENTITY, ORDER, Point, hash_to_group, scalar_bytes
from frp2p.deal.group.sodium import SodiumGroup
from frp2p.deal.proofs.shuffle import Prover, ShuffleProof, Statement, failing, holds_combined, parse, verify
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces
from frp2p.errors import PeerFault

GROUP = SodiumGroup()
GENERATORS = Generators(GROUP)
SECRET = 987654321
KEY = GROUP.base(SECRET)
SCOPE = Scope(GROUP, b"ctx", b"event")
X = hash_to_group(GROUP, "a point that nobody knows")


def deck(size: int) -> list[Ciphertext]:
    """Masked cards."""
    cards = [hash_to_group(GROUP, f"card {at}") for at in range(size)]
    return [Ciphertext(GROUP.base(at + 2), GROUP.add(card, GROUP.mul(KEY, at + 2))) for at, card in enumerate(cards)]


def statement(before: list[Ciphertext], order: list[int], masks: list[int]) -> Statement:
    """The honest outputs."""
    after = [remask(GROUP, KEY, before[at], mask) for at, mask in zip(order, masks, strict=True)]
    return Statement(SCOPE, GENERATORS, KEY, before, after)


def shuffled(size: int = 4, seed: str = "s") -> tuple[Statement, list[int], list[int]]:
    entropy = seeded(seed)
    order = permutation(entropy, size)
    masks = Nonces(secret=0, entropy=entropy, state=b"").take(size)
    return statement(deck(size), order, masks), order, masks


def made(prover: Prover) -> ShuffleProof:
    return prover.prove(SECRET, seeded("nonces"))


def names(claim: Statement, proof: ShuffleProof) -> list[str]:
    """All equations that fail; the combined check always comes to the same verdict."""
    parsed = parse(GROUP, proof, len(claim.before))
    found = list(failing(claim, parsed))
    assert holds_combined(claim, parsed) == (not found)
    return found


@pytest.mark.parametrize("size", [2, 3, 7, 24])
def test_honest(size: int) -> None:
    claim, order, masks = shuffled(size)
    proof = made(Prover(claim, order, masks))
    assert names(claim, proof) == []
    verify(claim, proof)
    assert sum(len(part) for part in msgspec.structs.astuple(proof)) == 32 * (5 * size + 9)


@settings(deadline=None, max_examples=15)
@given(data=st.data(), size=st.integers(2, 6))
def test_every_permutation_with_every_mask(data: st.DataObject, size: int) -> None:
    """Also masks 0 and permutations that move nothing: lazy is allowed, it harms only the lazy."""
    order = data.draw(st.permutations(range(size)))
    masks = data.draw(st.lists(st.sampled_from([0, 1, 5, ORDER - 1]), min_size=size, max_size=size))
    claim = statement(deck(size), order, masks)
    assert names(claim, made(Prover(claim, order, masks))) == []


class Matrix(Prover):
    """A prover of u' = M u and e' = (M^T)^-1 e for any 2x2 matrix M: it commits to M truly. An honest M permutes."""

    def __init__(self, rows: list[list[int]], masks: list[int]) -> None:
        self.rows = rows
        (p, q), (r, s) = rows
        factor = pow(p * s - q * r, -1, ORDER)
        inverse = [[s * factor, -r * factor], [-q * factor, p * factor]]
        before = deck(2)
        mixed = [
            Ciphertext(*(GROUP.msm([value[part] for value in before], [k % ORDER for k in row]) for part in (0, 1)))
            for row in inverse
        ]
        after = [remask(GROUP, KEY, value, mask) for value, mask in zip(mixed, masks, strict=True)]
        super().__init__(Statement(SCOPE, GENERATORS, KEY, before, after), [0, 1], masks)

    def commit(self, nonces: Nonces) -> list[Point]:
        self.openings = nonces.take(2)
        columns = zip(*self.rows, strict=True)
        generators = GENERATORS.first(2)
        return [
            GROUP.add(GROUP.base(opening), GROUP.msm(generators, [value % ORDER for value in column]))
            for opening, column in zip(self.openings, columns, strict=True)
        ]

    def turn(self) -> list[int]:
        return [sum(k * u for k, u in zip(row, self.weights, strict=True)) % ORDER for row in self.rows]


HALF = pow(2, -1, ORDER)


def test_the_matrix_prover_is_a_prover() -> None:
    """With a permutation matrix it is accepted, so what stops it below is not a mistake in the attack."""
    for rows in ([[1, 0], [0, 1]], [[0, 1], [1, 0]]):
        prover = Matrix(rows, [5, 6])
        assert names(prover.statement, made(prover)) == []


def test_only_the_sum_stops_scaled_cards() -> None:
    """e'_1 = e_1 / 2, e'_2 = 2 e_2: the product of the weights is right."""
    prover = Matrix([[2, 0], [0, HALF]], [5, 6])
    assert names(prover.statement, made(prover)) == ["shuffle-sum"]


def test_only_the_product_stops_mixed_cards() -> None:
    """Rows that add up to 1 without being a permutation: cards become combinations of cards."""
    prover = Matrix([[2, -1], [-1, 2]], [5, 6])
    assert names(prover.statement, made(prover)) == ["shuffle-product"]


class CutChain(Matrix):
    """Mixes cards and bends the last link so that the product comes out right."""

    def link(self, nonces: Nonces) -> list[Point]:
        links = super().link(nonces)
        self.products[-1] = self.weights[0] * self.weights[1] % ORDER
        links[-1] = self._pedersen(self.sums[-1:], self.products[-1:])[0]
        return links


def test_only_the_chain_stops_a_bent_link() -> None:
    prover = CutChain([[2, -1], [-1, 2]], [5, 6])
    assert names(prover.statement, made(prover)) == ["shuffle-chain"]


class OtherOrder(Prover):
    """Commits to one permutation and shuffles by another."""

    def commit(self, nonces: Nonces) -> list[Point]:
        true, self.order = self.order, list(range(self.size))
        try:
            return super().commit(nonces)
        finally:
            self.order = true


def test_only_the_weights_stop_another_permutation() -> None:
    before, order, masks = deck(3), [1, 2, 0], [5, 6, 7]
    claim = statement(before, order, masks)
    assert names(claim, made(OtherOrder(claim, order, masks))) == ["shuffle-weights"]


@pytest.mark.parametrize(("part", "check"), [("a", "shuffle-mask-a"), ("b", "shuffle-mask-b")])
def test_only_one_mask_equation_stops_a_changed_half(part: str, check: str) -> None:
    """Something added to one half of one output."""
    claim, order, masks = shuffled()
    after = list(claim.after)
    after[1] = after[1]._replace(**{part: GROUP.add(getattr(after[1], part), X)})
    wrong = replace(claim, after=after)
    assert names(wrong, made(Prover(wrong, order, masks))) == [check]


def test_a_duplicated_card_is_refused() -> None:
    """One card twice, another lost."""
    _, _, masks = shuffled()
    before = deck(4)
    wrong = statement(before, [0, 0, 2, 3], masks)
    assert names(wrong, made(Prover(wrong, [0, 1, 2, 3], masks))) == ["shuffle-mask-a", "shuffle-mask-b"]


def test_a_foreign_card_is_refused() -> None:
    claim, order, masks = shuffled()
    after = [remask(GROUP, KEY, Ciphertext(BASE, GROUP.add(X, KEY)), 3), *claim.after[1:]]
    wrong = replace(claim, after=after)
    assert names(wrong, made(Prover(wrong, order, masks))) == ["shuffle-mask-a", "shuffle-mask-b"]


def test_a_shifted_pair_is_refused() -> None:
    """+X on one card and -X on another: sums and products of whole lists do not see it."""
    claim, order, masks = shuffled()
    after = list(claim.after)
    after[0] = after[0]._replace(b=GROUP.add(after[0].b, X))
    after[1] = after[1]._replace(b=GROUP.sub(after[1].b, X))
    wrong = replace(claim, after=after)
    assert names(wrong, made(Prover(wrong, order, masks))) == ["shuffle-mask-b"]


def test_another_key_is_refused() -> None:
    """The masks are of KEY, the claim is about another lock."""
    claim, order, masks = shuffled()
    wrong = replace(claim, key=X)
    assert names(wrong, made(Prover(wrong, order, masks))) == ["shuffle-mask-b"]


@pytest.mark.parametrize(
    ("response", "checks"),
    [
        (0, ["shuffle-sum"]),
        (1, ["shuffle-product"]),
        (2, ["shuffle-weights"]),
        (3, ["shuffle-mask-a", "shuffle-mask-b"]),
    ],
)
def test_changed_responses(response: int, checks: list[str]) -> None:
    claim, order, masks = shuffled()
    proof = made(Prover(claim, order, masks))
    s = bytearray(proof.s)
    s[32 * response] ^= 1
    assert names(claim, msgspec.structs.replace(proof, s=bytes(s))) == checks


class OtherCommitment(Prover):
    """Changes one of the commitments t1 .. t4b before the challenge; all else is consistent."""

    def __init__(self, which: int, *rest: Any) -> None:
        super().__init__(*rest)
        self.which = which

    def announce(self, nonces: Nonces) -> tuple[list[Point], list[Point]]:
        t, links = super().announce(nonces)
        row = t if self.which < 5 else links
        row[self.which % 5] = GROUP.add(row[self.which % 5], X)
        return t, links


ALL = ("shuffle-sum", "shuffle-product", "shuffle-weights", "shuffle-mask-a", "shuffle-mask-b", "shuffle-chain")


@pytest.mark.parametrize(("which", "check"), list(enumerate((*ALL, *ALL[-1:] * 3))))
def test_each_equation_alone(which: int, check: str) -> None:
    """Every commitment is checked, every link of the chain too."""
    claim, order, masks = shuffled()
    assert names(claim, made(OtherCommitment(which, claim, order, masks))) == [check]
    with pytest.raises(PeerFault) as fault:
        verify(claim, made(OtherCommitment(which, claim, order, masks)))
    assert fault.value.check == check


def test_a_proof_holds_in_its_scope_only() -> None:
    """Replay for another game, request, input, output, key or with lists swapped."""
    claim, order, masks = shuffled()
    proof = made(Prover(claim, order, masks))
    others = [
        replace(claim, scope=Scope(GROUP, b"other", b"event")),
        replace(claim, scope=Scope(GROUP, b"ctx", b"other")),
        replace(claim, before=list(claim.before[::-1])),
        replace(claim, after=list(claim.after[::-1])),
        replace(claim, before=claim.after, after=claim.before),
        replace(claim, key=X),
    ]
    for other in others:
        assert len(names(other, proof)) >= 5


FIELDS = ("c", "links", "t", "t_links", "s", "s_links", "s_order")


@pytest.mark.parametrize(("field", "change"), list(itertools.product(FIELDS, ("short", "long", "range"))))
def test_encodings(field: str, change: str) -> None:
    """Lists of another length, points that are none, scalars of L and more: refused before any mathematics."""
    claim, order, masks = shuffled()
    proof = made(Prover(claim, order, masks))
    row = getattr(proof, field)
    bad = {"short": row[:-32], "long": row + row[:32], "range": row[:-32] + b"\xff" * 32}[change]
    scalars = field.startswith("s")
    expected = ("scalar-range" if scalars else "point-encoding") if change == "range" else "list-length"
    with pytest.raises(PeerFault) as fault:
        verify(claim, msgspec.structs.replace(proof, **{field: bad}))
    assert fault.value.check == expected


def test_a_scalar_has_one_encoding() -> None:
    """s + L would be the same number: a second encoding of one proof."""
    claim, order, masks = shuffled()
    proof = made(Prover(claim, order, masks))
    for at in range(4):
        value = int.from_bytes(proof.s[32 * at : 32 * at + 32], "little") + ORDER
        s = proof.s[: 32 * at] + value.to_bytes(32, "little") + proof.s[32 * at + 32 :]
        with pytest.raises(PeerFault) as fault:
            verify(claim, msgspec.structs.replace(proof, s=s))
        assert fault.value.check == "scalar-range"


def test_generators_are_distinct_and_fixed() -> None:
    """Hashed from their labels; none is a card, the base or the identity."""
    points = [GENERATORS.h, *GENERATORS.first(128), BASE, IDENTITY]
    assert len(set(points)) == len(points)
    assert GENERATORS.h == hash_to_group(GROUP, "frp2p/v1/gen/h")
    assert GENERATORS.first(3)[2] == hash_to_group(GROUP, "frp2p/v1/gen/3")
    assert GENERATORS.sum(2) == GROUP.add(*GENERATORS.first(2))


def test_nonces_differ_with_every_input() -> None:
    """Same generator, other secret or state: other nonces; and never zero or repeated."""

    def take(secret: int, state: bytes, seed: str) -> list[int]:
        return Nonces(secret=secret, entropy=seeded(seed), state=state).take(3)

    rows = [take(1, b"a", "s"), take(2, b"a", "s"), take(1, b"b", "s"), take(1, b"a", "t")]
    assert len({value for row in rows for value in row}) == 12
    assert take(1, b"a", "s") == rows[0]
    assert all(len(scalar_bytes(value)) == 32 and 0 < value < ORDER for row in rows for value in row)
