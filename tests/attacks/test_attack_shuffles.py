"""Attacks on shuffles and batches: what is wrong as a whole and looks right in sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from attack_kit import (
    GENERATORS,
    GROUP,
    HELD,
    KEY,
    MASKED,
    MASKS,
    POINT,
    SCOPE,
    SHARES,
    A,
    Mixer,
    Trapdoor,
    X,
    refusal,
    secret,
    table,
    weak,
)
from deal_rig import HAND, seeded

from frp2p.deal.elgamal import Ciphertext, remask, trivial, write
from frp2p.deal.group import BASE, IDENTITY, ORDER, Point, hash_to_group
from frp2p.deal.proofs import dleq_batch, shuffle
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.messages import SealedContribution, Shuffled
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import LocalError
from frp2p.games.verbs import TABLE, Seal, Shuffle

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


@pytest.mark.pitfall(6)
def test_responses_made_for_known_weights() -> None:
    """The combined check of a shuffle: whoever knows its weights before the responses lets two of these cancel out."""
    proof = shuffle.Prover(_claim(weak("responses")), [0, 1, 2], MASKS).prove(X, seeded("n"))
    parsed = shuffle.parse(GROUP, proof, 3)
    _, _, transcript = shuffle._challenges(_claim(weak("responses")), parsed)
    w1, w2, *_ = transcript.weights(5)
    s1, s2, *rest = parsed.s
    false = replace(parsed, s=[(s1 + w2) % ORDER, (s2 - w1) % ORDER, *rest])
    assert list(shuffle.failing(_claim(SCOPE), false)) == ["shuffle-sum", "shuffle-product"]
    assert shuffle.holds_combined(_claim(weak("responses")), false)
    assert not shuffle.holds_combined(_claim(SCOPE), false)
    assert shuffle.holds_combined(_claim(SCOPE), parsed)


def _claim(scope: Scope) -> shuffle.Statement:
    return shuffle.Statement(scope, GENERATORS, KEY, HELD, MASKED)


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
