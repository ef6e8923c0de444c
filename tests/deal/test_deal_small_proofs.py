"""Possession, equal logarithms (one, many) and re-masking: complete, bound to their statement, and not forgeable."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from deal_rig import seeded

from frp2p.deal.elgamal import Ciphertext, remask, trivial
from frp2p.deal.group import BASE, ORDER, Point, hash_to_group, scalar_bytes, wide_scalar
from frp2p.deal.group.sodium import SodiumGroup
from frp2p.deal.proofs import dleq, dleq_batch, pop
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.proofs.onefold import OnefoldProof
from frp2p.deal.scope import Scope
from frp2p.errors import PeerFault

GROUP = SodiumGroup()
SCOPE = Scope(GROUP, b"ctx", b"event")
X, OTHER = 123456789, 987654321
KEY, OTHER_KEY = GROUP.base(X), GROUP.base(OTHER)
POINTS = [hash_to_group(GROUP, f"point {at}") for at in range(4)]
SHARES = [GROUP.mul(point, X) for point in POINTS]
CARD = trivial(GROUP, POINTS[0], KEY)
MASKED = remask(GROUP, KEY, CARD, 77)
AGAIN = remask(GROUP, KEY, MASKED, 78)


@dataclass(frozen=True)
class Case:
    """One proof system: what is proved, as keyword arguments, and other statements for which it must not hold."""

    check: str
    prove: Callable[..., Any]
    verify: Callable[..., None]
    statement: dict[str, Any]
    secret: Any
    others: dict[str, Any]


CASES = {
    "pop": Case(
        "pop-deck",
        pop.prove,
        pop.verify,
        {"scope": SCOPE, "seat": 1, "identity": b"i" * 32, "role": "deck", "key": KEY},
        X,
        {"seat": 2, "identity": b"j" * 32, "key": OTHER_KEY},
    ),
    "pop-view": Case(
        "pop-view",
        pop.prove,
        pop.verify,
        {"scope": SCOPE, "seat": 1, "identity": b"i" * 32, "role": "view", "key": KEY},
        X,
        {"seat": 0, "identity": b"", "key": OTHER_KEY},
    ),
    "dleq": Case(
        "dleq",
        dleq.prove,
        dleq.verify,
        {"scope": SCOPE, "key": KEY, "a": POINTS[0], "d": SHARES[0]},
        X,
        {"key": OTHER_KEY, "a": POINTS[1], "d": SHARES[1]},
    ),
    "dleq-batch": Case(
        "dleq-batch",
        dleq_batch.prove,
        dleq_batch.verify,
        {"scope": SCOPE, "key": KEY, "a": POINTS, "d": SHARES},
        X,
        {"key": OTHER_KEY, "a": POINTS[::-1], "d": [*SHARES[:3], POINTS[0]]},
    ),
    "remask": Case(
        "remask",
        remask_proof.prove,
        remask_proof.verify,
        {"scope": SCOPE, "key": KEY, "before": [CARD, MASKED], "after": [MASKED, AGAIN]},
        [77, 78],
        {"key": OTHER_KEY, "before": [MASKED, CARD], "after": [MASKED, CARD]},
    ),
}


@pytest.fixture(params=CASES.values(), ids=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


def proof_of(case: Case, **changed: Any) -> Any:
    return case.prove(*{**case.statement, **changed}.values(), case.secret, seeded("n"))


def refused(case: Case, proof: Any, **changed: Any) -> str:
    with pytest.raises(PeerFault) as fault:
        case.verify(*{**case.statement, **changed}.values(), proof)
    return fault.value.check


def test_honest(case: Case) -> None:
    case.verify(*case.statement.values(), proof_of(case))


def test_bound_to_every_part_of_the_statement(case: Case) -> None:
    """One part exchanged after the proof was made."""
    proof = proof_of(case)
    for name, value in case.others.items():
        assert refused(case, proof, **{name: value}) == case.check


def test_bound_to_table_and_request(case: Case) -> None:
    proof = proof_of(case)
    for scope in (Scope(GROUP, b"other", b"event"), Scope(GROUP, b"ctx", b"other"), Scope(GROUP, b"ctxe", b"vent")):
        assert refused(case, proof, scope=scope) == case.check


def test_false_statements_have_no_proof(case: Case) -> None:
    """The honest algorithm run on a false statement."""
    for name, value in case.others.items():
        if name not in ("seat", "identity"):
            assert refused(case, proof_of(case, **{name: value}), **{name: value}) == case.check


def test_changed_proofs(case: Case) -> None:
    proof = proof_of(case)
    for name in ("c", "s"):
        for at in (0, 31):
            row = bytearray(getattr(proof, name))
            row[at] ^= 1
            assert refused(case, msgspec.structs.replace(proof, **{name: bytes(row)})) == case.check


def test_scalars_below_the_order_only(case: Case) -> None:
    """c + L and s + L are refused: one proof has one encoding. So are the top bits."""
    proof = proof_of(case)
    for name in ("c", "s"):
        value = int.from_bytes(getattr(proof, name), "little")
        for wrong in (value + ORDER, value | 1 << 255):
            other = msgspec.structs.replace(proof, **{name: wrong.to_bytes(32, "little")})
            assert refused(case, other) == "scalar-range"


def test_nonces_are_fresh(case: Case) -> None:
    """Two proofs of one statement share no commitment, so their responses give no secret away."""
    first, second = (case.prove(*case.statement.values(), case.secret, seeded(seed)) for seed in "ab")
    assert first != second
    again = case.prove(*case.statement.values(), case.secret, seeded("a"))
    assert first == again


def test_a_role_is_no_other_role() -> None:
    case = CASES["pop"]
    assert refused(case, proof_of(case), role="view") == "pop-view"


def test_a_proof_is_of_one_type() -> None:
    """A proof for one share is none for a batch of one, and the other way round."""
    single, batch = CASES["dleq"], CASES["dleq-batch"]
    one = {"a": POINTS[:1], "d": SHARES[:1]}
    assert refused(batch, proof_of(single), **one) == "dleq-batch"
    assert refused(single, proof_of(batch, **one)) == "dleq"


def test_a_batch_hides_no_pair_of_false_shares() -> None:
    """+X on one share and -X on another cancel in a plain sum; the weights keep them apart."""
    case = CASES["dleq-batch"]
    shares = [GROUP.add(SHARES[0], POINTS[3]), GROUP.sub(SHARES[1], POINTS[3]), *SHARES[2:]]
    assert refused(case, proof_of(case, d=shares), d=shares) == "dleq-batch"


def weak_forgery() -> tuple[Point, int, int]:
    """A false share that a verifier accepts whose challenge omits the share: pick T1, T2, then solve for D."""
    nonce, t2 = 42, hash_to_group(GROUP, "any point")
    t1 = GROUP.base(nonce)
    c = wide_scalar(hashlib.sha512(t1 + t2).digest())
    s = (nonce + c * X) % ORDER
    d = GROUP.mul(GROUP.sub(GROUP.mul(POINTS[0], s), t2), pow(c, -1, ORDER))
    return d, c, s


def test_weak_fiat_shamir_would_be_forged_and_ours_is_not() -> None:
    d, c, s = weak_forgery()
    assert d != SHARES[0]
    t1 = GROUP.msm((BASE, KEY), (s, -c % ORDER))
    t2 = GROUP.msm((POINTS[0], d), (s, -c % ORDER))
    assert wide_scalar(hashlib.sha512(t1 + t2).digest()) == c
    forged = OnefoldProof(scalar_bytes(c), scalar_bytes(s))
    assert refused(CASES["dleq"], forged, d=d) == "dleq"


def test_a_remask_keeps_the_card() -> None:
    """The card exchanged with the masks right; and a mask of one half only."""
    case = CASES["remask"]
    other = Ciphertext(MASKED.a, GROUP.add(MASKED.b, POINTS[2]))
    assert refused(case, proof_of(case, after=[other, AGAIN]), after=[other, AGAIN]) == "remask"
    half = Ciphertext(MASKED.a, CARD.b)
    assert refused(case, proof_of(case, after=[half, AGAIN]), after=[half, AGAIN]) == "remask"
