"""What a cheating seat may try against the sealed dealer: each is refused by one named check, and its seat is named."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from deal_faults import GROUP, deck, fault, only, rig, table
from deal_rig import HAND, ITEMS, Rig, seeded

from frp2p.deal.group import BASE, IDENTITY, ORDER
from frp2p.deal.proofs import dleq_batch, pop
from frp2p.deal.sealed.keys import Secrets
from frp2p.deal.sealed.messages import KeyCommit, KeyOpen, NonceOpen, SealedContribution, Shares
from frp2p.deal.sealed.setup import key_commitment
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Draw, Reveal, Seal, Seat

# set-up


def before_keys(at: int = 2, **more: Any) -> Rig:
    """A table before its round `at` (0 nonces committed, 1 opened, 2 keys committed, 3 opened)."""
    made = rig(**more)
    for _ in range(at):
        made.one_round(made.setups, (0, 1, 2), None)
    return made


def test_another_nonce_than_committed() -> None:
    made = before_keys(1)
    assert fault(made.setups[0], 2, NonceOpen(bytes(32))) == "nonce-commitment"
    assert fault(made.setups[0], 1, made.setups[2].speak()) == "nonce-commitment"


def opening(made: Rig, seat: Seat, deck: Any, view: Any, secrets: Secrets) -> KeyOpen:
    """Keys with proofs made by the honest algorithm from these secrets, be they right or not."""
    scope = made.setups[seat]._bound()
    identity = made.setups[seat]._identities[seat]
    entropy = seeded("o")
    return KeyOpen(
        deck,
        view,
        pop.prove(scope, seat, identity, "deck", deck, secrets.deck, entropy),
        pop.prove(scope, seat, identity, "view", view, secrets.view, entropy),
        entropy(32),
    )


def open_as(made: Rig, seat: Seat, opened: KeyOpen) -> str:
    """Seat 2 (say) commits to `opened` in time and opens it; what the observer finds."""
    ctx = made.setups[seat]._bound().ctx
    false = KeyCommit(key_commitment(ctx, seat, opened))
    made.one_round(made.setups, (0, 1, 2), lambda at, mine: false if at == seat else mine)
    return fault(made.setups[None], seat, opened)


def test_other_keys_than_committed() -> None:
    made = before_keys(3)
    false = opening(made, 2, GROUP.base(5), GROUP.base(6), Secrets(5, 6))
    assert fault(made.setups[0], 2, false) == "key-commitment"
    honest = made.setups[2].speak()
    assert fault(made.setups[0], 2, msgspec.structs.replace(honest, salt=bytes(32))) == "key-commitment"


def test_a_rogue_key() -> None:
    """H = y g - (all others), were the others known in time: the joint key would be y g. There is no proof for it."""
    made = before_keys()
    others = before_keys(3)
    rogue = GROUP.base(7)
    for seat in (0, 1):
        rogue = GROUP.sub(rogue, others.setups[seat]._key_open.deck_key)
    assert open_as(made, 2, opening(made, 2, rogue, GROUP.base(6), Secrets(7, 6))) == "pop-deck"


@pytest.mark.parametrize(("field", "check"), [("deck_key", "pop-deck"), ("view_key", "pop-view")])
def test_a_key_without_its_secret(field: str, check: str) -> None:
    made = before_keys()
    opened = opening(made, 1, GROUP.base(5), GROUP.base(6), Secrets(5, 6))
    assert open_as(made, 1, msgspec.structs.replace(opened, **{field: GROUP.base(9)})) == check


@pytest.mark.parametrize("secrets", [Secrets(0, 6), Secrets(5, 0)])
def test_the_identity_is_no_key(secrets: Secrets) -> None:
    """Its proofs are right: the secret is 0. It would lock nothing, and open every peek."""
    made = before_keys()
    opened = opening(made, 1, GROUP.base(secrets.deck), GROUP.base(secrets.view), secrets)
    assert IDENTITY in (opened.deck_key, opened.view_key)
    assert open_as(made, 1, opened) == "point-identity"


@pytest.mark.parametrize("field", ["deck_key", "view_key"])
def test_a_key_that_is_no_point(field: str) -> None:
    made = before_keys()
    opened = opening(made, 1, GROUP.base(5), GROUP.base(6), Secrets(5, 6))
    assert open_as(made, 1, msgspec.structs.replace(opened, **{field: b"\xff" * 32})) == "point-encoding"


def test_one_key_for_both_roles() -> None:
    """A decryption oracle in the making: shares under the viewing key."""
    made = before_keys()
    assert open_as(made, 1, opening(made, 1, GROUP.base(5), GROUP.base(5), Secrets(5, 5))) == "key-duplicate"


@pytest.mark.parametrize("mirrored", [False, True])
def test_two_seats_with_one_key(mirrored: bool) -> None:
    """Friends who share a secret (also one's deck key as the other's viewing key): all their proofs are right."""
    made = before_keys()
    first = opening(made, 1, GROUP.base(5), GROUP.base(6), Secrets(5, 6))
    second = opening(
        made,
        2,
        *((GROUP.base(8), GROUP.base(5), Secrets(8, 5)) if mirrored else (GROUP.base(5), GROUP.base(8), Secrets(5, 8))),
    )
    ctx = made.setups[0]._bound().ctx
    commits = {1: KeyCommit(key_commitment(ctx, 1, first)), 2: KeyCommit(key_commitment(ctx, 2, second))}
    made.one_round(made.setups, (0, 1, 2), commits.get)
    said = {2: second, 1: first, 0: made.setups[0].speak()}
    for setup in made.setups.values():
        for seat in (2, 1, 0):
            setup.check(seat, said[seat])
        with pytest.raises(PeerFault) as caught:
            setup.close(said)
        assert (caught.value.check, caught.value.seat) == ("key-duplicate", 2)


def test_a_copied_proof_of_possession() -> None:
    """Seat 2 says the same keys and proofs as seat 1: the seat and identity in the challenge refuse it."""
    made = before_keys()
    first = opening(made, 1, GROUP.base(5), GROUP.base(6), Secrets(5, 6))
    assert open_as(made, 2, first) == "pop-deck"


def test_keys_of_another_game() -> None:
    made, other = before_keys(), before_keys(3, game="b")
    assert open_as(made, 1, other.setups[1].speak()) == "pop-deck"


def test_a_joint_key_that_is_nothing() -> None:
    """Friends whose keys cancel each other and everybody's can't be: they would have to know all secrets."""
    made = rig()
    keys = {0: 5, 1: 6, 2: ORDER - 11}
    for _ in range(2):
        made.one_round(made.setups, (0, 1, 2), None)
    opened = {
        seat: opening(made, seat, GROUP.base(key), GROUP.base(100 + seat), Secrets(key, 100 + seat))
        for seat, key in keys.items()
    }
    ctx = made.setups[0]._bound().ctx
    made.one_round(made.setups, (0, 1, 2), lambda at, _: KeyCommit(key_commitment(ctx, at, opened[at])))
    made.one_round(made.setups, (0, 1, 2), lambda at, _: opened[at])
    with pytest.raises(LocalError) as refused:
        made.setups[0].finish()
    assert refused.value.code == "deal-joint-key"


# shares


@pytest.fixture
def drawing() -> tuple[Rig, Any]:
    """Seat 0 draws three slots; the honest contribution of seat 1."""
    made = table()
    made.begin(Draw(deck(made)[:3], 0))
    return made, made.peers[1].speak()


def test_shares_of_another_length(drawing: tuple[Rig, Any]) -> None:
    made, said = drawing
    (item,) = said.items
    for shares in (item.shares[:64], item.shares + item.shares[:32], item.shares[:70]):
        assert fault(made.peers[2], 1, only(said, msgspec.structs.replace(item, shares=shares))) == "list-length"


def test_shares_that_are_no_points(drawing: tuple[Rig, Any]) -> None:
    made, said = drawing
    (item,) = said.items
    for bad in (b"\xff" * 32, b"\x01" + bytes(31)):
        shares = item.shares[:64] + bad
        assert fault(made.peers[2], 1, only(said, msgspec.structs.replace(item, shares=shares))) == "point-encoding"


def test_a_false_share_in_a_batch(drawing: tuple[Rig, Any]) -> None:
    """Also with a proof made for it by the honest algorithm."""
    made, said = drawing
    (item,) = said.items
    false = item.shares[:64] + BASE
    assert fault(made.peers[2], 1, only(said, msgspec.structs.replace(item, shares=false))) == "dleq-batch"
    peer = made.peers[1]
    task = peer._batch.tasks[0]
    scope = task._scope(1, task._asked[1])
    d = [GROUP.point(false[at : at + 32]) for at in (0, 32, 64)]
    key, secret = peer.locks[1], peer._me.secrets.deck
    proof = dleq_batch.prove(scope, key, task._masks(1), d, secret, seeded("f"))
    assert fault(made.peers[2], 1, only(said, Shares(false, proof))) == "dleq-batch"


def test_swapped_shares(drawing: tuple[Rig, Any]) -> None:
    made, said = drawing
    (item,) = said.items
    swapped = item.shares[32:64] + item.shares[:32] + item.shares[64:]
    assert fault(made.peers[2], 1, only(said, msgspec.structs.replace(item, shares=swapped))) == "dleq-batch"


def test_shares_of_another_seat(drawing: tuple[Rig, Any]) -> None:
    made, said = drawing
    assert fault(made.peers[0], 2, said) == "dleq-batch"


def test_a_false_single_share() -> None:
    made = table()
    made.begin(Draw(deck(made)[:1], 0))
    (item,) = made.peers[1].speak().items
    assert fault(made.peers[2], 1, only(None, msgspec.structs.replace(item, shares=BASE))) == "dleq"
    high = (int.from_bytes(item.proof.s, "little") + ORDER).to_bytes(32, "little")
    other = msgspec.structs.replace(item, proof=msgspec.structs.replace(item.proof, s=high))
    assert fault(made.peers[2], 1, only(None, other)) == "scalar-range"


def test_shares_are_bound_to_their_request() -> None:
    """The same slot, the same share, another step: asked again after an honest draw that never closed elsewhere."""
    first, second = table(), table()
    slots = deck(first)
    assert deck(second) == slots
    first.begin(Draw(slots[:2], 0))
    second.do(Seal(ITEMS[:1], 0))
    second.begin(Draw(slots[:2], 0))
    said, again = first.peers[1].speak(), second.peers[1].speak()
    assert said.items[0].shares == again.items[0].shares
    first.peers[2].check(1, said)
    assert fault(second.peers[2], 1, said) == "dleq-batch"


def test_shares_are_bound_to_their_verb() -> None:
    """Two verbs of one batch: items exchanged."""
    made = table()
    slots = deck(made)
    made.begin(Draw(slots[:2], 0), Draw(slots[2:4], 0))
    said = made.peers[1].speak()
    assert fault(made.peers[2], 1, SealedContribution(said.items[::-1])) == "dleq-batch"


def test_shares_of_another_game() -> None:
    made, other = table(), table(game="b")
    slots = deck(made)
    assert deck(other) == slots
    for one in (made, other):
        one.begin(Draw(slots[:2], 0))
    assert fault(made.peers[2], 1, other.peers[1].speak()) == "dleq-batch"


def test_a_reveal_of_another_card(drawing: tuple[Rig, Any]) -> None:
    """The owner shows a share that would turn its card into another one of the deck."""
    made, _ = drawing
    made.rounds(made.peers)
    (hand,) = made.finish()
    slot = hand.slots[0]
    made.begin(Reveal((slot,)))
    peer = made.peers[0]
    (item,) = peer.speak().items
    residual = GROUP.sub(peer.slots[slot].body.b, peer._points[HAND[0]])
    true = GROUP.sub(peer.slots[slot].body.b, peer._points[HAND[1]])
    for wanted in {residual, true} - {item.shares}:
        assert fault(made.peers[1], 0, only(None, msgspec.structs.replace(item, shares=wanted))) == "dleq"
