"""What the attacks share: verifiers made weaker on purpose, one claim of every proof type, provers that cheat.

An attack is worth something if it would succeed against a program without the defence. So most tests run it twice:
against a weakened variant, where it succeeds (the control), and against the product, where it must not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from deal_rig import HAND, ITEMS, Rig, seeded

from frp2p.deal import SealedKind
from frp2p.deal.elgamal import Ciphertext, remask
from frp2p.deal.generators import Generators
from frp2p.deal.group import ORDER, Group, Point, hash_to_group
from frp2p.deal.group.sodium import SodiumGroup
from frp2p.deal.proofs import dleq, dleq_batch, exclude, pop, relock, shuffle, venc
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces, Transcript
from frp2p.errors import PeerFault
from frp2p.games.verbs import TABLE, Seal, Seat, Shuffle, SlotId

GROUP = SodiumGroup()
GENERATORS = Generators(GROUP)
SCOPE = Scope(GROUP, b"ctx", b"event")
X, Y, W = 123456789, 192837465, 555
"""Secrets: of the prover, of a lie, of a viewer."""
KEY, OTHER_KEY, VIEWER = GROUP.base(X), GROUP.base(Y), GROUP.base(W)
POINT = hash_to_group(GROUP, "a point of which nobody knows anything")
CARDS = [hash_to_group(GROUP, f"card {at}") for at in range(6)]
MASKS = [31, 32, 33]
HELD = [
    Ciphertext(GROUP.base(mask), GROUP.add(card, GROUP.mul(KEY, mask)))
    for mask, card in zip((7, 8, 9), CARDS, strict=False)
]
"""The first three cards under KEY."""
A = [value.a for value in HELD]
SHARES = [GROUP.mul(point, X) for point in A]
MASKED = [remask(GROUP, KEY, value, mask) for value, mask in zip(HELD, MASKS, strict=True)]


class Forgetful(Transcript):
    """A transcript that leaves some labels out, as real programs did: whatever it forgets, no proof depends on."""

    def __init__(self, proof: str, forgets: frozenset[str], *, ctx: bytes, event: bytes) -> None:
        self._forgets = forgets
        super().__init__(proof, ctx=b"" if "ctx" in forgets else ctx, event=b"" if "event" in forgets else event)

    def absorb(self, label: str, data: bytes) -> None:
        if label not in self._forgets:
            super().absorb(label, data)

    def absorb_int(self, label: str, value: int) -> None:
        if label not in self._forgets:
            super().absorb_int(label, value)

    def absorb_list(self, label: str, items: Sequence[bytes]) -> None:
        if label not in self._forgets:
            super().absorb_list(label, items)


@dataclass(frozen=True)
class Weak(Scope):
    """A scope whose proofs forget some labels. The verifiers around it are the product's own."""

    forgets: frozenset[str] = field(default=frozenset())

    def transcript(self, proof: str) -> Transcript:
        return Forgetful(proof, self.forgets, ctx=self.ctx, event=self.event)


def weak(*labels: str) -> Weak:
    return Weak(GROUP, SCOPE.ctx, SCOPE.event, frozenset(labels))


@dataclass(frozen=True)
class Claim:
    """One true statement of a proof type: how it is proved and verified, and what a refusal may be called."""

    name: str
    checks: frozenset[str]
    prove: Callable[[Scope], Any]
    verify: Callable[[Scope, Any], None]


def _pop(role: Any) -> Claim:
    return Claim(
        f"pop-{role}",
        frozenset({f"pop-{role}"}),
        lambda scope: pop.prove(scope, 1, b"i" * 32, role, KEY, X, seeded("n")),
        lambda scope, proof: pop.verify(scope, 1, b"i" * 32, role, KEY, proof),
    )


def _shuffle_statement(scope: Scope) -> shuffle.Statement:
    after = [MASKED[1], MASKED[2], MASKED[0]]
    return shuffle.Statement(scope, GENERATORS, KEY, HELD, after)


def relocked(secret: int = X) -> list[Ciphertext]:
    """The three cards under OTHER_KEY, as somebody computes them who has this secret."""
    return [relock.relock(GROUP, OTHER_KEY, value, secret, mask) for value, mask in zip(HELD, MASKS, strict=True)]


def venc_statement(scope: Scope, e1: Sequence[Point], e2: Sequence[Point]) -> venc.Statement:
    return venc.Statement(scope, KEY, VIEWER, A, e1, e2)


SHUFFLE_CHECKS = frozenset(f"shuffle-{part}" for part in ("sum", "product", "weights", "mask-a", "mask-b", "chain"))
E1, E2 = venc.encrypt(SCOPE, VIEWER, A, X, MASKS)
CLAIMS = {
    claim.name: claim
    for claim in (
        _pop("deck"),
        _pop("view"),
        Claim(
            "dleq",
            frozenset({"dleq"}),
            lambda scope: dleq.prove(scope, KEY, A[0], SHARES[0], X, seeded("n")),
            lambda scope, proof: dleq.verify(scope, KEY, A[0], SHARES[0], proof),
        ),
        Claim(
            "dleq-batch",
            frozenset({"dleq-batch"}),
            lambda scope: dleq_batch.prove(scope, KEY, A, SHARES, X, seeded("n")),
            lambda scope, proof: dleq_batch.verify(scope, KEY, A, SHARES, proof),
        ),
        Claim(
            "remask",
            frozenset({"remask"}),
            lambda scope: remask_proof.prove(scope, KEY, HELD, MASKED, MASKS, seeded("n")),
            lambda scope, proof: remask_proof.verify(scope, KEY, HELD, MASKED, proof),
        ),
        Claim(
            "relock",
            frozenset({"relock"}),
            lambda scope: relock.prove(
                relock.Statement(scope, KEY, OTHER_KEY, HELD, relocked()), X, MASKS, seeded("n")
            ),
            lambda scope, proof: relock.verify(relock.Statement(scope, KEY, OTHER_KEY, HELD, relocked()), proof),
        ),
        Claim(
            "venc",
            frozenset({"venc"}),
            lambda scope: venc.prove(venc_statement(scope, E1, E2), X, MASKS, seeded("n")),
            lambda scope, proof: venc.verify(venc_statement(scope, E1, E2), proof),
        ),
        Claim(
            "exclude",
            frozenset({"exclude"}),
            lambda scope: exclude.prove(exclude.Statement(scope, KEY, HELD, CARDS[3:]), X, seeded("n")),
            lambda scope, proof: exclude.verify(exclude.Statement(scope, KEY, HELD, CARDS[3:]), proof),
        ),
        Claim(
            "shuffle",
            SHUFFLE_CHECKS,
            lambda scope: shuffle.Prover(_shuffle_statement(scope), [1, 2, 0], [32, 33, 31]).prove(X, seeded("n")),
            lambda scope, proof: shuffle.verify(_shuffle_statement(scope), proof),
        ),
    )
}
"""Every proof type of the protocol."""


def refusal(call: Callable[..., Any], *arguments: Any) -> str:
    """The check that refuses."""
    with pytest.raises(PeerFault) as caught:
        call(*arguments)
    return caught.value.check


# the sealed dealer under attack

KIND = SealedKind(GROUP)
SMALL = {"hand": HAND[:8], "items": ITEMS}


def table(seats: int = 3, **more: Any) -> Rig:
    """Every seat has its keys."""
    return Rig(KIND, seats, decks=SMALL, **more).setup()


def shuffled_deck(rig: Rig, size: int = 8) -> tuple[SlotId, ...]:
    (sealed,) = rig.do(Seal(HAND[:size], TABLE))
    (mixed,) = rig.do(Shuffle(sealed.slots, TABLE))
    return mixed.slots


def body(rig: Rig, slot: SlotId) -> Ciphertext:
    """The ciphertext in a slot, as everybody sees it."""
    return rig.peers[None].slots[slot].body


def secret(rig: Rig, seat: Seat) -> int:
    """A seat's deck secret: what a member of a coalition brings in."""
    return rig.peers[seat]._me.secrets.deck


def card_at(rig: Rig, point: Point) -> str | None:
    """The card with this point, if it is one: how anybody reads a card without its mask."""
    return rig.peers[None]._cards.get(point)


class Spy(Nonces):
    """Nonces whose values are kept. Coalitions keep their masks; honest programs forget them."""

    kept: list[list[int]] = []  # noqa: RUF012 - one list for all, emptied by `spy`

    def take(self, count: int) -> list[int]:
        made = super().take(count)
        self.kept.append(made)
        return made


def spy(monkeypatch: pytest.MonkeyPatch, module: str) -> list[list[int]]:
    """From now on the masks (and nonces) that this module takes are kept here, in the order in which they are made."""
    monkeypatch.setattr(f"{module}.Nonces", Spy)
    Spy.kept.clear()
    return Spy.kept


# groups and provers


class Counting:
    """A group that counts its expensive operations."""

    def __init__(self, group: Group = GROUP) -> None:
        self._group = group
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._group, name)
        if name not in ("base", "mul", "msm"):
            return found

        def counted(*arguments: Any) -> Any:
            self.count += 1
            return found(*arguments)

        return counted


class Trapdoor(Generators):
    """Generators whose logarithms somebody knows: h = trapdoor g."""

    def __init__(self, group: Group, trapdoor: int) -> None:
        super().__init__(group)
        self.trapdoor = trapdoor
        self.h = group.base(trapdoor)


class Mixer(shuffle.Prover):
    """Makes combinations of two cards out of two cards, e' = M^-1 e, with rows of M that add up to 1.

    It commits to M truly; only the product of the weights tells M from a permutation. With the logarithm of h it
    corrects the opening of the product too.
    """

    ROWS = ((2, -1), (-1, 2))

    def __init__(self, generators: Generators) -> None:
        third = pow(3, -1, ORDER)
        before, masks = HELD[:2], MASKS[:2]
        after = []
        for row, mask in zip(((2 * third, third), (third, 2 * third)), masks, strict=True):
            a, b = (GROUP.msm([value[part] for value in before], [k % ORDER for k in row]) for part in (0, 1))
            after.append(remask(GROUP, KEY, Ciphertext(a, b), mask))
        super().__init__(shuffle.Statement(SCOPE, generators, KEY, before, after), [0, 1], masks)

    def commit(self, nonces: Nonces) -> list[Point]:
        self.openings = nonces.take(2)
        generators = self.statement.generators.first(2)
        return [
            GROUP.add(GROUP.base(opening), GROUP.msm(generators, [k % ORDER for k in column]))
            for opening, column in zip(self.openings, zip(*self.ROWS, strict=True), strict=True)
        ]

    def turn(self) -> list[int]:
        return [sum(k * u for k, u in zip(row, self.weights, strict=True)) % ORDER for row in self.ROWS]

    def respond(self, x: int) -> tuple[list[int], list[int], list[int]]:
        s, s_links, s_order = super().respond(x)
        generators = self.statement.generators
        if isinstance(generators, Trapdoor):
            true = self.weights[0] * self.weights[1]
            s[1] = (s[1] + x * generators.trapdoor * (self.products[-1] - true)) % ORDER
        return s, s_links, s_order
