"""Attacks on proofs and their challenges. Controls run against weakened verifiers; see attack_kit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from attack_kit import (
    CARDS,
    CLAIMS,
    GENERATORS,
    GROUP,
    HELD,
    KEY,
    MASKED,
    MASKS,
    OTHER_KEY,
    POINT,
    SCOPE,
    SHARES,
    VIEWER,
    A,
    Claim,
    Counting,
    Mixer,
    Trapdoor,
    Weak,
    X,
    Y,
    refusal,
    relocked,
    secret,
    shuffled_deck,
    table,
    venc_statement,
    weak,
)
from deal_rig import HAND, seeded

from frp2p.deal.context import context, event
from frp2p.deal.elgamal import Ciphertext, remask, trivial, write
from frp2p.deal.fields import field, fields
from frp2p.deal.group import BASE, IDENTITY, ORDER, Point, hash_to_group, scalar_bytes
from frp2p.deal.proofs import dleq, dleq_batch, exclude, pop, relock, shuffle, venc
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.proofs.dleq import EqualityProof
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.messages import Excluded, SealedContribution, Shares, Shuffled
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import LocalError
from frp2p.games.verbs import TABLE, Draw, Exclude, Seal, Shuffle

pytestmark = pytest.mark.timeout(60)


@pytest.fixture(params=CLAIMS.values(), ids=CLAIMS)
def claim(request: pytest.FixtureRequest) -> Claim:
    return request.param


# 1 weak challenges


def forged_share(scope: Scope, a: Point) -> tuple[Point, EqualityProof]:
    """Choose the commitments, get the challenge, then solve for the share. It needs a challenge without the share."""
    nonce = 42
    transcript = scope.transcript("dleq")
    for label, data in (("g", BASE), ("H", KEY), ("A", a), ("D", POINT), ("T1", GROUP.base(nonce)), ("T2", POINT)):
        transcript.absorb(label, data)
    c = transcript.challenge()
    s = (nonce + c * X) % ORDER
    share = GROUP.mul(GROUP.sub(GROUP.mul(a, s), POINT), pow(c, -1, ORDER))
    return share, EqualityProof(scalar_bytes(c), scalar_bytes(s))


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

    def forge(scope: Scope) -> tuple[Point, pop.PossessionProof]:
        transcript = scope.transcript("pop")
        transcript.absorb_int("seat", 1)
        for label, data in (("identity", b"i"), ("role", b"deck"), ("H", POINT), ("T", POINT)):
            transcript.absorb(label, data)
        c, s = transcript.challenge(), 42
        key = GROUP.mul(GROUP.sub(GROUP.base(s), POINT), pow(c, -1, ORDER))
        return key, pop.PossessionProof(scalar_bytes(c), scalar_bytes(s))

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
    "exclude": "g H C M blinded T1 T2",
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


# 2 generators with a trapdoor


@pytest.mark.pitfall(2)
def test_a_trapdoor_in_the_generators() -> None:
    """Who knows the logarithm of h opens the product of the weights as anything, and deals blends of cards."""
    trapdoor, ours = Mixer(Trapdoor(GROUP, 777)), Mixer(GENERATORS)
    forged = trapdoor.prove(X, seeded("n"))
    shuffle.verify(trapdoor.statement, forged)
    assert refusal(shuffle.verify, ours.statement, forged).startswith("shuffle-")
    assert refusal(shuffle.verify, ours.statement, ours.prove(X, seeded("n"))) == "shuffle-product"
    labels = ["frp2p/v1/gen/h", *(f"frp2p/v1/gen/{at}" for at in range(1, 129))]
    assert [GENERATORS.h, *GENERATORS.first(128)] == [hash_to_group(GROUP, label) for label in labels]


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


# 5 shuffles that only look right in sum


def total(values: Sequence[Ciphertext], weights: Sequence[int]) -> Ciphertext:
    """The sum of weighted ciphertexts: all that some programs check of a shuffle."""
    return Ciphertext(*(GROUP.msm([value[part] for value in values], weights) for part in (0, 1)))


def shifted(by: Sequence[int]) -> list[Ciphertext]:
    """The honest outputs, with multiples of a point added to the first two cards."""
    pairs = zip(MASKED, (*by, 0), strict=True)
    return [value._replace(b=GROUP.add(value.b, GROUP.mul(POINT, k % ORDER))) for value, k in pairs]


def sums_agree(after: Sequence[Ciphertext], weights: Sequence[int]) -> bool:
    """Whether a sum-only verifier is content, who is told the sum of the masks."""
    mask = sum(k * m for k, m in zip(weights, MASKS, strict=True)) % ORDER
    return remask(GROUP, KEY, total(HELD, weights), mask) == total(after, weights)


@pytest.mark.pitfall(5)
@pytest.mark.parametrize("weights", [(1, 1, 1), (11, 13, 17)])
def test_a_shifted_pair_of_cards(weights: tuple[int, int, int]) -> None:
    """+X on one card, -X on another (or in the ratio of weights that are known too early)."""
    after = shifted((weights[1], -weights[0]))
    assert sums_agree(after, weights)
    statement = shuffle.Statement(SCOPE, GENERATORS, KEY, HELD, after)
    proof = shuffle.Prover(statement, [0, 1, 2], MASKS).prove(X, seeded("n"))
    assert refusal(shuffle.verify, statement, proof) == "shuffle-mask-b"


STACKED: dict[str, Callable[[list[Point], Point], list[Point]]] = {
    "a card twice": lambda cards, _: [cards[0], cards[0], cards[2]],
    "all the same": lambda cards, _: [cards[1]] * 3,
    "a foreign card": lambda cards, foreign: [foreign, *cards[1:]],
    "a shifted pair": lambda cards, _: [GROUP.add(cards[0], POINT), GROUP.sub(cards[1], POINT), cards[2]],
}
"""What lies in the outputs of a shuffle, given what lay in its three inputs and a card from elsewhere."""


@pytest.mark.pitfall(5)
@pytest.mark.parametrize("stack", STACKED.values(), ids=STACKED)
def test_a_stacked_deck_at_the_table(stack: Callable[[list[Point], Point], list[Point]]) -> None:
    """A seat proves as well as it can a shuffle that is none. Unchecked, these very cards would be played."""
    rig = table()
    (sealed,) = rig.do(Seal(HAND[:3], TABLE))
    rig.begin(Shuffle(sealed.slots, TABLE))
    peer = rig.peers[0]
    task, masks = peer._batch.tasks[0], [21, 22, 23]
    cards = [peer._points[card] for card in HAND[:3]]
    points = stack(cards, peer._points[HAND[5]])
    after = [
        remask(GROUP, task._key, trivial(GROUP, point, task._key), mask)
        for point, mask in zip(points, masks, strict=True)
    ]
    whole = sum(secret(rig, seat) for seat in range(3)) % ORDER
    assert [GROUP.sub(b, GROUP.mul(a, whole)) for a, b in after] == points
    assert sorted(points) != sorted(cards)
    proof = shuffle.Prover(task._statement(task._scope(0), after), [0, 1, 2], masks).prove(1, seeded("n"))
    said = SealedContribution((Shuffled(write(after), proof),))
    assert refusal(rig.peers[1].check, 0, said) == "shuffle-mask-b"


@pytest.mark.pitfall(5, 11)
@pytest.mark.parametrize("cards", [2, 4])
def test_a_shuffle_that_loses_or_adds_a_card(cards: int) -> None:
    """With a right proof of the shorter or longer list."""
    rig = table()
    (sealed,) = rig.do(Seal(HAND[:3], TABLE))
    rig.begin(Shuffle(sealed.slots, TABLE))
    task = rig.peers[0]._batch.tasks[0]
    before = [*task._now, *task._now][:cards]
    after = [remask(GROUP, task._key, value, mask) for mask, value in enumerate(before, 5)]
    statement = replace(task._statement(task._scope(0), after), before=before)
    proof = shuffle.Prover(statement, range(cards), range(5, 5 + cards)).prove(X, seeded("n"))
    shuffle.verify(statement, proof)
    said = SealedContribution((Shuffled(write(after), proof),))
    assert refusal(rig.peers[1].check, 0, said) == "list-length"


# 6 batches


@pytest.mark.pitfall(6)
def test_false_shares_that_cancel_out() -> None:
    """The weights of a batch depend on all shares; a verifier whose weights do not is played against."""
    forgetful = weak("D")
    transcript = forgetful.transcript("dleq-batch")
    for label, data in (("g", BASE), ("H", KEY)):
        transcript.absorb(label, data)
    transcript.absorb_list("A", A)
    z = transcript.weights(3)
    lies = [
        GROUP.add(SHARES[0], GROUP.mul(POINT, z[1])),
        GROUP.sub(SHARES[1], GROUP.mul(POINT, z[0])),
        SHARES[2],
    ]
    dleq_batch.verify(forgetful, KEY, A, lies, dleq_batch.prove(forgetful, KEY, A, lies, X, seeded("n")))
    proof = dleq_batch.prove(SCOPE, KEY, A, lies, X, seeded("n"))
    assert refusal(dleq_batch.verify, SCOPE, KEY, A, lies, proof) == "dleq-batch"


class Cancelling(shuffle.Prover):
    """Adds a point to one commitment and takes it from another."""

    def announce(self, nonces: Nonces) -> tuple[list[Point], list[Point]]:
        t, links = super().announce(nonces)
        return [GROUP.add(t[0], POINT), GROUP.sub(t[1], POINT), *t[2:]], links


@pytest.mark.pitfall(6)
def test_false_equations_that_cancel_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The combined check of a shuffle has random weights; with equal ones two faults hide each other."""
    statement = shuffle.Statement(SCOPE, GENERATORS, KEY, HELD, MASKED)
    proof = shuffle.parse(GROUP, Cancelling(statement, [0, 1, 2], MASKS).prove(X, seeded("n")), 3)
    assert list(shuffle.failing(statement, proof)) == ["shuffle-sum", "shuffle-product"]
    assert not shuffle.holds_combined(statement, proof)
    monkeypatch.setattr(Transcript, "weights", lambda self, count: [1] * count)
    assert shuffle.holds_combined(statement, proof)


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


# 9 lists that the prover would like to choose


@pytest.mark.pitfall(9)
def test_the_holder_leaves_out_the_card_that_it_holds() -> None:
    """A right proof about the rest of the suit. What is excluded comes from the rules, so it is no proof of that."""
    rig = table()
    (hand,) = rig.do(Seal(HAND[:2], 0))
    suit = HAND[1:4]
    rig.begin(Exclude(hand.slots, suit))
    task = rig.peers[0]._batch.tasks[0]
    for cards in (HAND[2:4], HAND[2:5]):
        points = [rig.peers[0]._points[card] for card in cards]
        statement = replace(task._statement, cards=points)
        proof = exclude.prove(statement, secret(rig, 0), seeded("n"))
        exclude.verify(statement, proof)
        said = SealedContribution((Excluded(proof),))
        assert refusal(rig.peers[1].check, 0, said) in ("list-length", "exclude")


# 10 exclusion


def forge_exclusion(
    statement: exclude.Statement, blinds: Sequence[int], products: Sequence[int], blinded: Sequence[Point]
) -> exclude.ExclusionProof:
    """The honest responses for chosen blinds, b's and differences, whether they belong together or not."""
    transcript = statement.transcript(blinded)
    pairs = list(statement.pairs())
    w1, w2 = ([5 + at for at in range(len(pairs))], [50 + at for at in range(len(pairs))])
    t1 = [GROUP.msm((rest, a), (u, -v % ORDER)) for (a, rest), u, v in zip(pairs, w1, w2, strict=True)]
    t2 = [GROUP.msm((BASE, statement.key), (v, -u % ORDER)) for u, v in zip(w1, w2, strict=True)]
    transcript.absorb_list("T1", t1)
    transcript.absorb_list("T2", t2)
    c = transcript.challenge()
    s1, s2 = (
        b"".join(scalar_bytes((w + c * k) % ORDER) for w, k in zip(row, values, strict=True))
        for row, values in ((w1, blinds), (w2, products))
    )
    return exclude.ExclusionProof(b"".join(blinded), scalar_bytes(c), s1, s2)


def false_exclusion(scope: Scope) -> exclude.Statement:
    """The holder of the first card says that it does not hold it."""
    return exclude.Statement(scope, KEY, HELD[:1], CARDS[:1])


def with_another_secret(scope: Scope) -> None:
    """b is not r x: the difference looks blinded although the cards are equal."""
    statement = false_exclusion(scope)
    ((a, rest),) = statement.pairs()
    b = (4 * X + 1) % ORDER
    exclude.verify(statement, forge_exclusion(statement, [4], [b], [GROUP.msm((rest, a), (4, -b % ORDER))]))


def with_another_difference(scope: Scope) -> None:
    """Any point instead of the difference."""
    statement = false_exclusion(scope)
    exclude.verify(statement, forge_exclusion(statement, [4], [4 * X % ORDER], [POINT]))


def with_nothing(blind: int) -> Callable[[Scope], None]:
    """Everything is right, and the difference is the identity: equal cards, or no blind at all."""

    def attempt(scope: Scope) -> None:
        held = CARDS[:1] if blind else CARDS[1:2]
        statement = exclude.Statement(scope, KEY, HELD[:1], held)
        exclude.verify(statement, forge_exclusion(statement, [blind], [blind * X % ORDER], [IDENTITY]))

    return attempt


@pytest.mark.pitfall(10, 16)
@pytest.mark.parametrize("blind", [4, 0])
def test_a_difference_of_nothing(blind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the look at the difference refuses it."""
    attempt = with_nothing(blind)
    assert refusal(attempt, SCOPE) == "exclude-card"
    monkeypatch.setattr(exclude, "IDENTITY", None)
    attempt(SCOPE)


# 12 each equation alone


def _equal(name: str, share: Point, claimed: int) -> Callable[[Scope], None]:
    """A share (alone, or first of a batch) and the secret that the prover uses."""

    def attempt(scope: Scope) -> None:
        if name == "dleq":
            proof = dleq.prove(scope, KEY, A[0], share, claimed, seeded("n"))
            dleq.verify(scope, KEY, A[0], share, proof)
        else:
            rest = [GROUP.mul(point, claimed) for point in A[1:]]
            proof = dleq_batch.prove(scope, KEY, A, [share, *rest], claimed, seeded("n"))
            dleq_batch.verify(scope, KEY, A, [share, *rest], proof)

    return attempt


def _remasked(part: str) -> Callable[[Scope], None]:
    def attempt(scope: Scope) -> None:
        after = [moved(MASKED[0], part), *MASKED[1:]]
        remask_proof.verify(scope, KEY, HELD, after, remask_proof.prove(scope, KEY, HELD, after, MASKS, seeded("n")))

    return attempt


def moved(value: Ciphertext, part: str) -> Ciphertext:
    return value._replace(**{part: GROUP.add(getattr(value, part), POINT)}) if part else value


def _relocked(part: str, claimed: int = X) -> Callable[[Scope], None]:
    def attempt(scope: Scope) -> None:
        first, *rest = relocked(claimed)
        statement = relock.Statement(scope, KEY, OTHER_KEY, HELD, [moved(first, part), *rest])
        relock.verify(statement, relock.prove(statement, claimed, MASKS, seeded("n")))

    return attempt


def _encrypted(part: str, claimed: int = X) -> Callable[[Scope], None]:
    def attempt(scope: Scope) -> None:
        e1, e2 = venc.encrypt(scope, VIEWER, A, claimed, MASKS)
        row = {"e1": e1, "e2": e2}.get(part)
        if row:
            row[0] = GROUP.add(row[0], POINT)
        statement = venc_statement(scope, e1, e2)
        venc.verify(statement, venc.prove(statement, claimed, MASKS, seeded("n")))

    return attempt


def _possessed(role: Any) -> Callable[[Scope], None]:
    def attempt(scope: Scope) -> None:
        proof = pop.prove(scope, 1, b"i", role, KEY, Y, seeded("n"))
        pop.verify(scope, 1, b"i", role, KEY, proof)

    return attempt


EQUATIONS: dict[str, tuple[str, str, Callable[[Scope], None]]] = {
    "a key with another secret": ("pop-deck", "T", _possessed("deck")),
    "a viewing key with another secret": ("pop-view", "T", _possessed("view")),
    "a share by another key": ("dleq", "T1", _equal("dleq", GROUP.mul(A[0], Y), Y)),
    "a share of another card": ("dleq", "T2", _equal("dleq", POINT, X)),
    "shares by another key": ("dleq-batch", "T1", _equal("dleq-batch", GROUP.mul(A[0], Y), Y)),
    "one share of another card": ("dleq-batch", "T2", _equal("dleq-batch", POINT, X)),
    "a re-mask of the first half": ("remask", "Ka", _remasked("a")),
    "a re-mask to another card": ("remask", "Kb", _remasked("b")),
    "a move by another key": ("relock", "T1", _relocked("", Y)),
    "a move with another mask": ("relock", "T2", _relocked("a")),
    "a move of another card": ("relock", "T3", _relocked("b")),
    "a look by another key": ("venc", "T1", _encrypted("", Y)),
    "a look that can't be opened": ("venc", "T2", _encrypted("e1")),
    "a look at another card": ("venc", "T3", _encrypted("e2")),
    "an exclusion by any point": ("exclude", "T1", with_another_difference),
    "an exclusion by another secret": ("exclude", "T2", with_another_secret),
}
"""False statement: the check that refuses it, and the one commitment whose recomputation finds it."""


@pytest.mark.pitfall(10, 12)
@pytest.mark.parametrize("equation", EQUATIONS.values(), ids=EQUATIONS)
def test_only_this_equation_refuses_it(equation: tuple[str, str, Callable[[Scope], None]]) -> None:
    """The honest prover's algorithm on a false statement: without the one equation it would be accepted."""
    check, label, attempt = equation
    attempt(weak(label))
    assert refusal(attempt, SCOPE) == check


# 11 what the mathematics takes for granted


@pytest.mark.pitfall(11)
def test_one_point_for_two_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were two cards one point, nobody could say which one lies there."""
    monkeypatch.setattr("frp2p.deal.sealed.dealer.card_point", lambda group, deck, card: POINT)
    with pytest.raises(LocalError):
        table()


@pytest.mark.pitfall(11)
def test_generators_are_distinct() -> None:
    points = [GENERATORS.h, *GENERATORS.first(128), BASE, IDENTITY]
    assert len(set(points)) == len(points)


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
