"""Encrypted shares, new locks, exclusions: complete, bound to their statement, and what each attack runs into."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest
from deal_rig import seeded
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import ORDER, Point, hash_to_group
from frp2p.deal.group.sodium import SodiumGroup
from frp2p.deal.proofs import exclude, relock, venc
from frp2p.deal.scope import Scope
from frp2p.errors import PeerFault

GROUP = SodiumGroup()
SCOPE = Scope(GROUP, b"ctx", b"event")
X, W, OTHER = 123456789, 555, 987654321
KEY, VIEWER, TO = GROUP.base(X), GROUP.base(W), GROUP.base(OTHER)
CARDS = [hash_to_group(GROUP, f"card {at}") for at in range(6)]
HELD = [
    Ciphertext(GROUP.base(mask), GROUP.add(card, GROUP.mul(KEY, mask)))
    for mask, card in zip((7, 8), CARDS, strict=False)
]
MASKS = [31, 32]
A = [slot.a for slot in HELD]
E1, E2 = venc.encrypt(SCOPE, VIEWER, A, X, MASKS)
MOVED = [relock.relock(GROUP, TO, slot, X, mask) for slot, mask in zip(HELD, MASKS, strict=True)]
POINT = hash_to_group(GROUP, "a point that nobody knows")


@dataclass(frozen=True)
class Case:
    check: str
    statement: Any
    prove: Callable[[Any], Any]
    verify: Callable[[Any, Any], None]
    others: list[dict[str, Any]]
    scalars: tuple[str, ...]


CASES = {
    "venc": Case(
        "venc",
        venc.Statement(SCOPE, KEY, VIEWER, A, E1, E2),
        lambda statement: venc.prove(statement, X, MASKS, seeded("n")),
        venc.verify,
        [
            {"key": TO},
            {"viewer": TO},
            {"a": A[::-1]},
            {"a": [A[0], POINT]},
            {"e1": [E1[0], POINT]},
            {"e2": [POINT, E2[1]]},
            {"e2": [GROUP.add(E2[0], POINT), GROUP.sub(E2[1], POINT)]},
            {"a": A[:1], "e1": E1[:1], "e2": E2[:1]},
        ],
        ("c", "sa", "sb"),
    ),
    "relock": Case(
        "relock",
        relock.Statement(SCOPE, KEY, TO, HELD, MOVED),
        lambda statement: relock.prove(statement, X, MASKS, seeded("n")),
        relock.verify,
        [
            {"key": TO},
            {"to": VIEWER},
            {"before": HELD[::-1]},
            {"after": MOVED[::-1]},
            {"after": [MOVED[0]._replace(a=POINT), MOVED[1]]},
            {"after": [MOVED[0]._replace(b=GROUP.add(MOVED[0].b, POINT)), MOVED[1]]},
            {
                "after": [
                    MOVED[0]._replace(b=GROUP.add(MOVED[0].b, POINT)),
                    MOVED[1]._replace(b=GROUP.sub(MOVED[1].b, POINT)),
                ]
            },
            {"before": HELD[:1], "after": MOVED[:1]},
        ],
        ("c", "sa", "sb"),
    ),
    "exclude": Case(
        "exclude",
        exclude.Statement(SCOPE, KEY, HELD, CARDS[2:5]),
        lambda statement: exclude.prove(statement, X, seeded("n")),
        exclude.verify,
        [
            {"key": TO},
            {"slots": HELD[::-1]},
            {"slots": [HELD[0], HELD[0]]},
            {"cards": CARDS[3:6]},
            {"cards": CARDS[2:5][::-1]},
        ],
        ("c", "s1", "s2"),
    ),
}
BLINDED = ("blind", "cards", "slots")


@pytest.fixture(params=CASES.values(), ids=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


def refused(case: Case, proof: Any, **changed: Any) -> str:
    with pytest.raises(PeerFault) as fault:
        case.verify(replace(case.statement, **changed), proof)
    return fault.value.check


def test_honest(case: Case) -> None:
    case.verify(case.statement, case.prove(case.statement))


def test_bound_to_every_part_of_the_statement(case: Case) -> None:
    proof = case.prove(case.statement)
    for other in case.others:
        assert refused(case, proof, **other) == case.check
    for scope in (Scope(GROUP, b"other", b"event"), Scope(GROUP, b"ctx", b"other")):
        assert refused(case, proof, scope=scope) == case.check


@pytest.mark.parametrize("name", ["venc", "relock"])
def test_false_statements_have_no_proof(name: str) -> None:
    """The honest algorithm, run on a false statement (those of one length); pairs of faults that cancel among them."""
    case = CASES[name]
    for other in case.others[:-1]:
        assert refused(case, case.prove(replace(case.statement, **other)), **other) == case.check


def test_changed_and_oversized_scalars(case: Case) -> None:
    proof = case.prove(case.statement)
    for name in case.scalars:
        row = getattr(proof, name)
        flipped = bytes([row[0] ^ 1]) + row[1:]
        assert refused(case, msgspec.structs.replace(proof, **{name: flipped})) == case.check
        high = (int.from_bytes(row[:32], "little") + ORDER).to_bytes(32, "little") + row[32:]
        assert refused(case, msgspec.structs.replace(proof, **{name: high})) == "scalar-range"


def test_only_the_viewer_decrypts() -> None:
    for point, e1, e2 in zip(A, E1, E2, strict=True):
        assert GROUP.sub(e2, GROUP.mul(e1, W)) == GROUP.mul(point, X)
        assert GROUP.sub(e2, GROUP.mul(e1, OTHER)) != GROUP.mul(point, X)


def test_the_new_lock_holds_the_card() -> None:
    for card, moved in zip(CARDS, MOVED, strict=False):
        assert GROUP.sub(moved.b, GROUP.mul(moved.a, OTHER)) == card
        assert GROUP.sub(moved.b, GROUP.mul(moved.a, X)) != card


def test_a_held_card_can_not_be_excluded() -> None:
    """Slot and card are blinded to one point, whatever the blind."""
    case = CASES["exclude"]
    for cards in (CARDS[1:3], CARDS[:1]):
        proof = exclude.prove(replace(case.statement, cards=cards), X, seeded("n"))
        assert refused(case, proof, cards=cards) == "exclude-card"


def test_a_held_card_is_not_hidden_by_another_secret() -> None:
    """b = r x' with another x' gives another point for the slot than for its card: the second equation refuses it."""
    case = CASES["exclude"]
    claim = replace(case.statement, cards=CARDS[:1])
    proof = exclude.prove(claim, OTHER, seeded("n"))
    assert proof.cards not in [proof.slots[:32], proof.slots[32:]]
    assert refused(case, proof, cards=CARDS[:1]) == "exclude"


def test_blind_zero_proves_nothing() -> None:
    """r = 0 would satisfy all equations for every card."""
    case = CASES["exclude"]
    nothing = exclude.ExclusionProof(bytes(32), bytes(32 * 3), bytes(32 * 2), bytes(32), bytes(32), bytes(32))
    assert refused(case, nothing) == "exclude-card"


def test_parts_of_an_exclusion_exchanged() -> None:
    case = CASES["exclude"]
    proof = case.prove(case.statement)
    for name in ("cards", "slots"):
        row = getattr(proof, name)
        swapped = row[32:64] + row[:32] + row[64:]
        assert refused(case, msgspec.structs.replace(proof, **{name: swapped})) == "exclude"
        for wrong in (row[:-32], row + row[:32]):
            assert refused(case, msgspec.structs.replace(proof, **{name: wrong})) == "list-length"
    for name in BLINDED:
        row = getattr(proof, name)
        other = msgspec.structs.replace(proof, **{name: row[:-32] + POINT})
        assert refused(case, other) == "exclude"
        junk = msgspec.structs.replace(proof, **{name: row[:-32] + b"\xff" * 32})
        assert refused(case, junk) == "point-encoding"


def test_faults_of_an_exclusion_that_cancel_without_weights() -> None:
    """One blinded card too high by a point and another one too low: their plain sum is right."""
    case = CASES["exclude"]
    proof = case.prove(case.statement)
    first, second, *rest = (proof.cards[at : at + 32] for at in (0, 32, 64))
    moved = [GROUP.add(first, POINT), GROUP.sub(second, POINT), *rest]
    assert refused(case, msgspec.structs.replace(proof, cards=b"".join(moved))) == "exclude"


def test_the_work_of_an_exclusion_is_the_sum_of_slots_and_cards() -> None:
    """Multiplications by any point: for every slot and every card a few, not for every pair."""

    class Counting(SodiumGroup):
        count = 0

        def mul(self, point: Point, scalar: int) -> Point:
            self.count += 1
            return super().mul(point, scalar)

    group = Counting()
    slots = [Ciphertext(GROUP.base(at + 2), GROUP.add(CARDS[0], GROUP.mul(KEY, at + 2))) for at in range(7)]
    claim = exclude.Statement(Scope(group, b"ctx", b"event"), KEY, slots, CARDS[1:])
    proof = exclude.prove(claim, X, seeded("n"))
    assert group.count == 4 * 7 + 2 * 5 + 3
    group.count = 0
    exclude.verify(claim, proof)
    assert group.count == 3 * 7 + 2 * 5 + 5


@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_exclusion_is_true(data: st.DataObject) -> None:
    """Whatever is held and asked: accepted if and only if no held card is among those asked."""
    held = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True))
    asked = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True))
    slots = [Ciphertext(GROUP.base(at + 2), GROUP.add(CARDS[at], GROUP.mul(KEY, at + 2))) for at in held]
    claim = exclude.Statement(SCOPE, KEY, slots, [CARDS[at] for at in asked])
    proof = exclude.prove(claim, X, seeded("n"))
    if set(held) & set(asked):
        with pytest.raises(PeerFault, match="exclude-card"):
            exclude.verify(claim, proof)
    else:
        exclude.verify(claim, proof)
