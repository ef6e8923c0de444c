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
from frp2p.deal.group import BASE, IDENTITY, ORDER, Point, scalar_bytes
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
