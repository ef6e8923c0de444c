"""Attacks on keys and group elements."""

from __future__ import annotations

from typing import Any

import pytest
from attack_curve import TORSION, affine, times
from attack_kit import (
    GROUP,
    KIND,
    OTHER_KEY,
    POINT,
    SMALL,
    W,
    X,
    Y,
    body,
    card_at,
    refusal,
    secret,
    shuffled_deck,
    table,
)
from deal_rig import HAND, Rig, seeded

from frp2p.deal.elgamal import Ciphertext, remask, trivial, write
from frp2p.deal.group import BASE, IDENTITY, ORDER, NotCanonical, Point
from frp2p.deal.group.edwards import add, decode, encode, prepare
from frp2p.deal.group.pure import PureGroup
from frp2p.deal.parse import read_key
from frp2p.deal.proofs import pop, venc
from frp2p.deal.proofs.shuffle import Prover
from frp2p.deal.sealed.keys import Roster
from frp2p.deal.sealed.messages import KeyCommit, KeyOpen, SealedContribution, Shown, Shuffled
from frp2p.deal.sealed.setup import key_commitment
from frp2p.errors import PeerFault
from frp2p.games.verbs import TABLE, Peek, Seal, Shuffle
from frp2p.ledger.signing import check_key, verify

# 13, 14 keys of others


def opening(rig: Rig, seat: int, deck: Point, deck_secret: int) -> KeyOpen:
    """Keys and proofs as the honest algorithm makes them from this secret, be it the right one or not."""
    setup = rig.setups[seat]
    scope, identity, entropy = setup._bound(), setup._identities[seat], seeded("o")
    return KeyOpen(
        deck,
        GROUP.base(W),
        pop.prove(scope, seat, identity, "deck", deck, deck_secret, entropy),
        pop.prove(scope, seat, identity, "view", GROUP.base(W), W, entropy),
        bytes(32),
    )


def before(round_: int) -> Rig:
    """Three seats before a round of the set-up: 2 is the commitment to keys, 3 their opening."""
    rig = Rig(KIND, 3, decks=SMALL)
    for _ in range(round_):
        rig.one_round(rig.setups, (0, 1, 2), None)
    return rig


def rogue_key(rig: Rig) -> Point:
    """X g less the keys of all others, which must be known for it."""
    rogue = GROUP.base(X)
    for seat in (0, 1):
        rogue = GROUP.sub(rogue, rig.setups[seat]._key_open.deck_key)
    return rogue


@pytest.mark.pitfall(13)
def test_a_rogue_key() -> None:
    """The last to say its key makes itself the owner of the joint one, and reads the deck alone."""
    rig = before(3)
    rogue = rogue_key(rig)
    keys = (*(rig.setups[seat]._key_open.deck_key for seat in (0, 1)), rogue)
    joint = Roster((b"a", b"b", b"c"), keys, keys).joint(GROUP)
    unknown = remask(GROUP, joint, trivial(GROUP, POINT, joint), 0xABCDEF)
    assert GROUP.sub(unknown.b, GROUP.mul(unknown.a, X)) == POINT
    false = opening(rig, 2, rogue, X)
    assert refusal(rig.setups[0].check, 2, false) == "key-commitment"


@pytest.mark.pitfall(13)
def test_a_rogue_key_in_time() -> None:
    """Had the others' keys leaked before: there is no proof of its secret, which nobody knows."""
    early = before(2)
    false = opening(early, 2, rogue_key(before(3)), X)
    commit = KeyCommit(key_commitment(early.setups[2]._bound().ctx, 2, false))
    early.one_round(early.setups, (0, 1, 2), lambda seat, mine: commit if seat == 2 else mine)
    assert refusal(early.setups[0].check, 2, false) == "pop-deck"


@pytest.mark.pitfall(14)
def test_an_echo_of_anothers_key() -> None:
    """Seat 2 repeats what seat 1 says, commitment and opening: its seat is in the commitment."""
    rig = before(2)
    copied = rig.setups[1].speak()
    rig.one_round(rig.setups, (0, 1, 2), lambda seat, mine: copied if seat == 2 else mine)
    assert refusal(rig.setups[0].check, 2, rig.setups[1].speak()) == "key-commitment"


@pytest.mark.pitfall(14)
def test_a_copied_proof_under_an_own_commitment() -> None:
    """Were the keys known in time: the proof names seat and identity of whom it is of."""
    rig = before(2)
    copied = opening(rig, 1, OTHER_KEY, Y)
    commit = KeyCommit(key_commitment(rig.setups[2]._bound().ctx, 2, copied))
    rig.one_round(rig.setups, (0, 1, 2), lambda seat, mine: commit if seat == 2 else mine)
    assert refusal(rig.setups[0].check, 2, copied) == "pop-deck"


@pytest.mark.pitfall(14, 36)
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_two_seats_with_one_key(order: tuple[int, ...]) -> None:
    """Friends who share their secrets: whatever arrives first, everybody names the same seat."""
    rig = before(2)
    pair = {seat: opening(rig, seat, OTHER_KEY, Y) for seat in (1, 2)}
    ctx = rig.setups[0]._bound().ctx
    commits = {seat: KeyCommit(key_commitment(ctx, seat, opened)) for seat, opened in pair.items()}
    rig.one_round(rig.setups, (0, 1, 2), commits.get)
    said = {0: rig.setups[0].speak(), **pair}
    for seat in order:
        rig.setups[None].check(seat, said[seat])
    with pytest.raises(PeerFault) as caught:
        rig.setups[None].close(said)
    assert (caught.value.check, caught.value.seat) == ("key-duplicate", 2)


# 15 small subgroups

SMALL_ORDER = [
    bytes.fromhex(text)
    for text in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
]
"""Every Ed25519 encoding of a point of small order that programs have accepted, canonical or not."""


@pytest.mark.pitfall(15)
@pytest.mark.parametrize("x", range(X, X + 4))
def test_a_torsion_point_in_disguise(x: int) -> None:
    """The attacker asks for x (P + T) and knows x P. On the curve the rest tells x mod 4; here it does not exist."""
    point = decode(POINT)
    asked = add(point, prepare(TORSION))
    rest = {affine(add(times(point, x), prepare(times(TORSION, k)))): k for k in range(4)}
    assert rest[affine(times(asked, x))] == x % 4
    assert encode(asked) == POINT
    assert encode(times(asked, x)) == GROUP.mul(POINT, x)


@pytest.mark.pitfall(15, 16)
@pytest.mark.parametrize("data", SMALL_ORDER, ids=lambda data: data.hex()[:4] + data.hex()[-4:])
def test_no_point_of_small_order_is_a_key(data: bytes) -> None:
    for group in (GROUP, PureGroup()):
        assert refusal(read_key, group, data) == ("point-identity" if data == IDENTITY else "point-encoding")


@pytest.mark.pitfall(15, 22)
def test_a_signature_that_fits_everything() -> None:
    """Under the key of order 1, R = 1 and S = 0 sign any text (the library says so); such a key takes no seat."""
    key = b"\x01" + bytes(31)
    forged = key + bytes(32)
    assert all(verify(key, "part", text, forged) for text in (b"I fold", b"I win"))
    assert refusal(check_key, key) == "key-small-order"
    for data in SMALL_ORDER:
        assert refusal(check_key, data) in ("key-small-order", "key-canonical")


# 16 the identity


@pytest.mark.pitfall(16)
def test_a_card_laid_open_by_its_mask() -> None:
    """Mask -1 on mask 1 gives A = 0, and B is the card itself. The proof is right."""
    rig = table()
    (sealed,) = rig.do(Seal(HAND[:2], TABLE))
    rig.begin(Shuffle(sealed.slots, TABLE))
    task, masks = rig.peers[0]._batch.tasks[0], [ORDER - 1, 5]
    after = [remask(GROUP, task._key, value, mask) for value, mask in zip(task._now, masks, strict=True)]
    assert (after[0].a, card_at(rig, after[0].b)) == (IDENTITY, HAND[0])
    proof = Prover(task._statement(task._scope(0), after), [0, 1], masks).prove(1, seeded("n"))
    assert refusal(rig.peers[1].check, 0, SealedContribution((Shuffled(write(after), proof),))) == "mask-identity"


@pytest.mark.pitfall(16)
def test_a_look_that_everybody_shares() -> None:
    """Mask 0 to the viewer: the share lies open, and with all shares the card would. The proof is right."""
    rig = table()
    deck = shuffled_deck(rig)
    rig.begin(Peek(deck[:1], 2))
    said, rest = {}, body(rig, deck[0]).b
    for seat in (0, 1, 2):
        rest = GROUP.sub(rest, GROUP.mul(body(rig, deck[0]).a, secret(rig, seat)))
    assert card_at(rig, rest)
    for seat in (0, 1):
        task = rig.peers[seat]._batch.tasks[0]
        share = GROUP.mul(body(rig, deck[0]).a, secret(rig, seat))
        statement = task._statement(seat, [Ciphertext(IDENTITY, share)])
        proof = venc.prove(statement, secret(rig, seat), [0], seeded("n"))
        venc.verify(statement, proof)
        said[seat] = SealedContribution((Shown(IDENTITY + share, proof),))
    for seat, lie in said.items():
        assert refusal(rig.peers[2].check, seat, lie) == "point-identity"


@pytest.mark.pitfall(16)
@pytest.mark.parametrize("field", ["deck", "view"])
def test_a_key_that_locks_nothing(field: str) -> None:
    """Secret 0: cards given to it would lie open. Its proof of possession is right."""
    assert relocked_under(IDENTITY) == POINT
    rig = before(2)
    scope, identity, entropy = rig.setups[2]._bound(), rig.setups[2]._identities[2], seeded("o")
    secrets = {"deck": X, "view": W, field: 0}
    deck, view = (GROUP.base(secrets[role]) for role in ("deck", "view"))
    opened = KeyOpen(
        deck,
        view,
        pop.prove(scope, 2, identity, "deck", deck, secrets["deck"], entropy),
        pop.prove(scope, 2, identity, "view", view, secrets["view"], entropy),
        bytes(32),
    )
    pop.verify(scope, 2, identity, "deck", deck, opened.deck_proof)
    pop.verify(scope, 2, identity, "view", view, opened.view_proof)
    commit = KeyCommit(key_commitment(scope.ctx, 2, opened))
    rig.one_round(rig.setups, (0, 1, 2), lambda seat, mine: commit if seat == 2 else mine)
    assert refusal(rig.setups[0].check, 2, opened) == "point-identity"


def relocked_under(key: Point) -> Point:
    """What everybody sees of a card under this lock."""
    return remask(GROUP, key, trivial(GROUP, POINT, key), 99).b


# 17, 18 the back ends


@pytest.mark.pitfall(17)
def test_the_library_reports_a_fault_and_an_identity_alike() -> None:
    """Nothing invalid comes as far as the multiplication, and if it did, it would raise; identities come out right."""
    for group in (GROUP, PureGroup()):
        with pytest.raises(NotCanonical):
            group.point(b"\xff" * 32)
        with pytest.raises((NotCanonical, RuntimeError)):
            group.mul(Point(b"\xff" * 32), 5)
        assert group.mul(POINT, 0) == group.mul(IDENTITY, 5) == group.base(0) == IDENTITY
        assert group.add(group.mul(POINT, ORDER - 1), POINT) == IDENTITY


@pytest.mark.pitfall(18)
@pytest.mark.parametrize("group", [GROUP, PureGroup()], ids=lambda group: group.name)
def test_the_group_has_prime_order(group: Any) -> None:
    """Fermat for three bases says that L is prime; every point but the identity has that order."""
    assert all(pow(base, ORDER - 1, ORDER) == 1 for base in (2, 3, 5))
    for point in (BASE, POINT, OTHER_KEY):
        assert point != IDENTITY
        assert group.add(group.mul(point, ORDER - 1), point) == IDENTITY
