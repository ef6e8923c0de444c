"""For each equation of each proof a false statement that this equation alone refuses; exclusions of held cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from attack_kit import (
    CARDS,
    GROUP,
    HELD,
    KEY,
    MASKED,
    MASKS,
    OTHER_KEY,
    POINT,
    SCOPE,
    VIEWER,
    A,
    X,
    Y,
    refusal,
    relocked,
    secret,
    table,
    venc_statement,
    weak,
)
from deal_rig import HAND, seeded

from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import BASE, ORDER, Point, scalar_bytes
from frp2p.deal.proofs import dleq, dleq_batch, exclude, pop, relock, venc
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.messages import Excluded, SealedContribution
from frp2p.games.verbs import Exclude, Seal

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
    statement: exclude.Statement, blinded: exclude.Blinded, factor: Callable[[Sequence[int]], int], secret: int = X
) -> exclude.ExclusionProof:
    """The honest responses for any points and secret; the blind may be chosen when the weights are known."""
    transcript = statement.transcript(blinded)
    weights = transcript.weights(len(blinded.cards) + len(blinded.slots))
    right, left = statement.combined(weights)
    r, u, v = factor(weights), 5, 50
    transcript.absorb("T1", GROUP.base(u))
    transcript.absorb("T2", GROUP.msm((BASE, statement.key), (v, -u % ORDER)))
    transcript.absorb("T3", GROUP.msm((right, left), (u, -v % ORDER)))
    c = transcript.challenge()
    scalars = (scalar_bytes(value % ORDER) for value in (c, u + c * r, v + c * r * secret))
    return exclude.ExclusionProof(blinded.blind, b"".join(blinded.cards), b"".join(blinded.slots), *scalars)


def false_exclusion(scope: Scope) -> exclude.Statement:
    """The holder of the first card says that it does not hold it."""
    return exclude.Statement(scope, KEY, HELD[:1], CARDS[:1])


def with_another_secret(scope: Scope) -> None:
    """b is not r x: slot and card are blinded to different points although the cards are equal."""
    statement = false_exclusion(scope)
    blinded = exclude.blind(statement, 4, 4 * Y % ORDER)
    exclude.verify(statement, forge_exclusion(statement, blinded, lambda _weights: 4, Y))


def with_another_point(scope: Scope) -> None:
    """Any point for the slot."""
    statement = false_exclusion(scope)
    blinded = replace(exclude.blind(statement, 4, 4 * X % ORDER), slots=[POINT])
    exclude.verify(statement, forge_exclusion(statement, blinded, lambda _weights: 4))


def with_a_late_blind(scope: Scope) -> None:
    """The card times 3 for the card and times 4 for the slot, and the blind that the weights then ask for."""
    statement = false_exclusion(scope)
    blinded = exclude.Blinded(POINT, [GROUP.mul(CARDS[0], 3)], [GROUP.mul(CARDS[0], 4)])

    def late(weights: Sequence[int]) -> int:
        card, slot = weights
        return (3 * card + 4 * slot) * pow(card + slot, -1, ORDER) % ORDER

    exclude.verify(statement, forge_exclusion(statement, blinded, late))


def with_equal_points(factor: int) -> Callable[[Scope], None]:
    """Everything is right, and slot and card are blinded to one point: equal cards, or no blind at all."""

    def attempt(scope: Scope) -> None:
        held = CARDS[:1] if factor else CARDS[1:2]
        statement = exclude.Statement(scope, KEY, HELD[:1], held)
        blinded = exclude.blind(statement, factor, factor * X % ORDER)
        exclude.verify(statement, forge_exclusion(statement, blinded, lambda _weights: factor))

    return attempt


class Blind(set[Point]):
    """A set that finds nothing in common with any other."""

    def isdisjoint(self, _other: object) -> bool:
        return True


@pytest.mark.pitfall(10, 16)
@pytest.mark.parametrize("factor", [4, 0])
def test_a_slot_and_a_card_that_come_out_equal(factor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the comparison of the points refuses it."""
    attempt = with_equal_points(factor)
    assert refusal(attempt, SCOPE) == "exclude-card"
    monkeypatch.setattr(exclude, "set", Blind, raising=False)
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
    "an exclusion with a late blind": ("exclude", "T1", with_a_late_blind),
    "an exclusion by another secret": ("exclude", "T2", with_another_secret),
    "an exclusion by any point": ("exclude", "T3", with_another_point),
}
"""False statement: the check that refuses it, and the one commitment whose recomputation finds it."""


@pytest.mark.pitfall(10, 12)
@pytest.mark.parametrize("equation", EQUATIONS.values(), ids=EQUATIONS)
def test_only_this_equation_refuses_it(equation: tuple[str, str, Callable[[Scope], None]]) -> None:
    """The honest prover's algorithm on a false statement: without the one equation it would be accepted."""
    check, label, attempt = equation
    attempt(weak(label))
    assert refusal(attempt, SCOPE) == check
