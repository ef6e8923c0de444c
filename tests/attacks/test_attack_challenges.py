"""Attacks on challenges: weak, replayed, ambiguous, ground; and on the encoding of proofs. Controls: see attack_kit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from attack_kit import (
    CLAIMS,
    GROUP,
    HELD,
    KEY,
    MASKED,
    POINT,
    SCOPE,
    SHARES,
    A,
    Claim,
    Counting,
    Weak,
    X,
    refusal,
    shuffled_deck,
    table,
    weak,
)
from deal_rig import HAND

from frp2p.deal.context import context, event
from frp2p.deal.fields import field, fields
from frp2p.deal.group import BASE, ORDER, Point, scalar_bytes
from frp2p.deal.proofs import dleq, pop, shuffle
from frp2p.deal.proofs.onefold import OnefoldProof
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.messages import SealedContribution, Shares
from frp2p.deal.transcript import Transcript
from frp2p.games.verbs import TABLE, Draw, Seal, Shuffle


@pytest.fixture(params=CLAIMS.values(), ids=CLAIMS)
def claim(request: pytest.FixtureRequest) -> Claim:
    return request.param


# 1 weak challenges


def forged_share(scope: Scope, a: Point) -> tuple[Point, OnefoldProof]:
    """Choose the commitments, get the challenge, then solve for the share. It needs a challenge without the share."""
    nonce = 42
    transcript = scope.transcript("dleq")
    for label, data in (("g", BASE), ("H", KEY), ("A", a), ("D", POINT), ("T1", GROUP.base(nonce)), ("T2", POINT)):
        transcript.absorb(label, data)
    c = transcript.challenge()
    s = (nonce + c * X) % ORDER
    share = GROUP.mul(GROUP.sub(GROUP.mul(a, s), POINT), pow(c, -1, ORDER))
    return share, OnefoldProof(scalar_bytes(c), scalar_bytes(s))


@pytest.mark.pitfall(1)
def test_a_share_solved_after_its_challenge() -> None:
    share, proof = forged_share(weak("D"), A[0])
    assert share != SHARES[0]
    dleq.verify(weak("D"), KEY, A[0], share, proof)
    for hoped in (weak("D"), SCOPE):
        share, proof = forged_share(hoped, A[0])
        assert refusal(dleq.verify, SCOPE, KEY, A[0], share, proof) == "dleq"


@pytest.mark.pitfall(1)
def test_a_key_solved_after_its_challenge() -> None:
    """The same with a public key: a key that nobody knows the secret of."""

    def forge(scope: Scope) -> tuple[Point, OnefoldProof]:
        transcript = scope.transcript("pop")
        transcript.absorb_int("seat", 1)
        for label, data in (("identity", b"i"), ("role", b"deck"), ("H", POINT), ("T", POINT)):
            transcript.absorb(label, data)
        c, s = transcript.challenge(), 42
        key = GROUP.mul(GROUP.sub(GROUP.base(s), POINT), pow(c, -1, ORDER))
        return key, OnefoldProof(scalar_bytes(c), scalar_bytes(s))

    key, proof = forge(weak("H"))
    pop.verify(weak("H"), 1, b"i", "deck", key, proof)
    for hoped in (weak("H"), SCOPE):
        key, proof = forge(hoped)
        assert refusal(pop.verify, SCOPE, 1, b"i", "deck", key, proof) == "pop-deck"


@pytest.mark.pitfall(1)
def test_a_forged_share_at_the_table() -> None:
    """Seat 1 garbles the card that seat 0 draws."""
    rig = table()
    deck = shuffled_deck(rig)
    rig.begin(Draw(deck[:1], 0))
    task = rig.peers[1]._batch.tasks[0]
    scope = task._scope(1, deck[:1])
    for hoped in (scope, Weak(GROUP, scope.ctx, scope.event, frozenset({"D"}))):
        share, proof = forged_share(hoped, task._masks(1)[0])
        assert refusal(rig.peers[2].check, 1, SealedContribution((Shares(share, proof),))) == "dleq"


HASHED = {
    "pop-deck": "seat identity role H T",
    "pop-view": "seat identity role H T",
    "dleq": "g H A D T1 T2",
    "dleq-batch": "g H A D T1 T2",
    "remask": "g K C C' Ka Kb",
    "relock": "g H K C C' T1 T2 T3",
    "venc": "g H W A E1 E2 T1 T2 T3",
    "exclude": "g H C M P Y X T1 T2 T3",
    "shuffle": "g h K N e e' c links t t-links",
}
"""What the challenge of each proof depends on, beside ctx and event (protocol/06-deal.md, section 8)."""


@pytest.mark.pitfall(1)
@pytest.mark.parametrize("name", CLAIMS)
def test_no_part_of_a_statement_is_left_out(name: str) -> None:
    """A prover that leaves out one field is refused; were the field not hashed by the verifier, it would not be."""
    claim = CLAIMS[name]
    for label in ("ctx", "event", *HASHED[name].split()):
        proof = claim.prove(weak(label))
        claim.verify(weak(label), proof)
        assert refusal(claim.verify, SCOPE, proof) in claim.checks


class Disguised(Scope):
    """Proofs of another type."""

    def transcript(self, proof: str) -> Transcript:
        return Transcript(f"{proof}-of-something-else", ctx=self.ctx, event=self.event)


@pytest.mark.pitfall(1, 3)
def test_a_proof_of_one_type_is_none_of_another(claim: Claim) -> None:
    other = Disguised(GROUP, SCOPE.ctx, SCOPE.event)
    proof = claim.prove(other)
    claim.verify(other, proof)
    assert refusal(claim.verify, SCOPE, proof) in claim.checks


# 3 replay


GAME = {"game_id": b"g" * 32, "params": b"p" * 64, "roster": b"r" * 64, "epoch": 0}
REQUEST: dict[str, Any] = {"step": b"s" * 32, "verb": 0, "sender": 1, "deck": "hand", "slots": (3, 4)}
ELSEWHERE: dict[str, tuple[str, Any]] = {
    "game": ("game_id", b"h" * 32),
    "rules": ("params", b"q" * 64),
    "keys": ("roster", b"s" * 64),
    "epoch": ("epoch", 1),
    "step": ("step", b"t" * 32),
    "verb": ("verb", 1),
    "sender": ("sender", 2),
    "deck": ("deck", "items"),
    "slot": ("slots", (3, 5)),
    "fewer slots": ("slots", (3,)),
}


def place(name: str = "", value: Any = None) -> tuple[bytes, bytes]:
    """ctx and event of a request; with one thing changed."""
    game, request = dict(GAME), dict(REQUEST)
    (game if name in game else request)[name] = value
    if not name:
        del request[name]
    return context(**game), event(**request)


@pytest.mark.pitfall(3, 14)
@pytest.mark.parametrize("other", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_proof_replayed_elsewhere(claim: Claim, other: tuple[str, Any]) -> None:
    """The same statement in another game, epoch, step, verb, of another sender, deck or slot."""
    here, there = (Scope(GROUP, *place(*where)) for where in ((), other))
    proof = claim.prove(here)
    claim.verify(here, proof)
    assert refusal(claim.verify, there, proof) in claim.checks


@pytest.mark.pitfall(3)
def test_without_its_binding_a_proof_is_replayed(claim: Claim) -> None:
    """The control: a verifier that forgets ctx and event takes it anywhere."""
    forgetful = weak("ctx", "event")
    proof = claim.prove(forgetful)
    claim.verify(replace(forgetful, ctx=b"another table", event=b"another request"), proof)


# 4 ambiguous hashing


@pytest.mark.pitfall(4)
def test_two_requests_never_hash_alike() -> None:
    """Joined without lengths, a deck name takes over the beginning of the next field."""
    one, other = [("deck", b"items"), ("slot", b"1")], [("deck", b"item"), ("slot", b"s1")]
    assert b"".join(data for _, data in one) == b"".join(data for _, data in other)
    assert b"".join(field(*item) for item in one) != b"".join(field(*item) for item in other)
    lists = ([b"12", b"3"], [b"1", b"23"], [b"123"])
    assert len({b"".join(items) for items in lists}) == 1
    assert len({fields("slot", items) for items in lists}) == 3
    assert fields("slot", [b"1"]) + fields("slot", []) != fields("slot", []) + fields("slot", [b"1"])


@pytest.mark.pitfall(4)
def test_a_list_can_not_be_cut_elsewhere() -> None:
    """Inputs and outputs of a re-mask follow each other in its challenge; the border between them can't be moved."""
    joined = [*HELD, *MASKED]
    digests = set()
    for cut in range(1, 6):
        transcript = SCOPE.transcript("remask")
        for label, values in (("C", joined[:cut]), ("C'", joined[cut:])):
            transcript.absorb_list(label, [point for value in values for point in value])
        digests.add(transcript.state())
    assert len(digests) == 5


# 7 one proof, one encoding


def raised(proof: Any) -> list[Any]:
    """This proof with the group's order added to one scalar: every scalar in turn, in each row the last."""
    found = []
    for name in proof.__struct_fields__:
        if name in ("c", "s", "sa", "sb", "s1", "s2", "s_links", "s_order") and not (
            name == "c" and isinstance(proof, shuffle.ShuffleProof)
        ):
            row = getattr(proof, name)
            high = (int.from_bytes(row[-32:], "little") + ORDER).to_bytes(32, "little")
            found.append(msgspec.structs.replace(proof, **{name: row[:-32] + high}))
    return found


@pytest.mark.pitfall(7, 42)
def test_a_second_encoding_of_a_proof(claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    """s + L is the same number mod L. A parser that reduces takes both, and one proof has two hashes."""
    others = raised(claim.prove(SCOPE))
    assert len(others) >= 2
    for other in others:
        assert refusal(claim.verify, SCOPE, other) == "scalar-range"
    monkeypatch.setattr("frp2p.deal.parse.scalar", lambda data: int.from_bytes(data, "little") % ORDER)
    for other in others:
        claim.verify(SCOPE, other)


# 8 grinding


class OneByte(Transcript):
    """Challenges of 8 bits, as in a proof with eight rounds of cut and choose."""

    def challenge(self) -> int:
        return super().challenge() % 256


class Ground(Scope):
    def transcript(self, proof: str) -> Transcript:
        return OneByte(proof, ctx=self.ctx, event=self.event)


def grind(scope: Scope, tries: int) -> tuple[int, int] | None:
    """Guess the challenge, make commitments that fit it, and look whether the hash agrees."""
    for s in range(tries):
        proof = s % 256, s
        if dleq.holds(GROUP, dleq._statement(scope, KEY, A[0], POINT), KEY, A[0], POINT, proof):
            return proof
    return None


@pytest.mark.pitfall(8)
def test_grinding_for_a_lucky_challenge() -> None:
    """A false share, tried 1,500 times: small challenges fall (this search succeeds), ours have 252 bits."""
    assert grind(Ground(GROUP, SCOPE.ctx, SCOPE.event), 1500) is not None
    assert grind(SCOPE, 1500) is None


# 39 cheap checks first


@pytest.mark.pitfall(39)
def test_junk_costs_no_multiplication(claim: Claim) -> None:
    """Wrong encodings are found before the first expensive operation; a wrong proof costs what it costs, once."""
    group = Counting()
    scope = Scope(group, SCOPE.ctx, SCOPE.event)
    proof = claim.prove(SCOPE)
    claim.verify(scope, proof)
    honest, group.count = group.count, 0
    assert honest > 0
    for other in raised(proof):
        assert refusal(claim.verify, scope, other) == "scalar-range"
    assert group.count == 0


@pytest.mark.pitfall(39)
def test_a_junk_shuffle_costs_no_multiplication() -> None:
    rig = table()
    (sealed,) = rig.do(Seal(HAND[:8], TABLE))
    rig.begin(Shuffle(sealed.slots, TABLE))
    (item,) = rig.peers[0].speak().items
    task = rig.peers[1]._batch.tasks[0]
    group = Counting()
    task._scope = lambda seat: Scope(group, SCOPE.ctx, SCOPE.event)
    for junk in (
        msgspec.structs.replace(item, after=item.after[:-64]),
        msgspec.structs.replace(item, after=item.after[:-32] + b"\xff" * 32),
        msgspec.structs.replace(item, after=item.after[:64] * 8),
        msgspec.structs.replace(item, proof=msgspec.structs.replace(item.proof, t=bytes(159) + b"\xff")),
    ):
        assert refusal(rig.peers[1].check, 0, SealedContribution((junk,)))
    assert group.count == 0


def test_the_controls_weaken_one_thing() -> None:
    """With nothing forgotten, the weakened transcript is the product's."""
    for claim in CLAIMS.values():
        claim.verify(weak(), claim.prove(SCOPE))
