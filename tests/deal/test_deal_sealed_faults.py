"""What a cheating seat may try against the sealed dealer: each is refused by one named check, and its seat is named."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from deal_rig import HAND, ITEMS, Rig, seeded

from frp2p.deal import SealedKind
from frp2p.deal.elgamal import remask, write
from frp2p.deal.group import BASE, IDENTITY, ORDER, scalar_bytes
from frp2p.deal.proofs import dleq_batch, pop
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.proofs.onefold import OnefoldProof
from frp2p.deal.proofs.shuffle import Prover, Statement
from frp2p.deal.sealed.keys import Secrets
from frp2p.deal.sealed.messages import KeyCommit, KeyOpen, NonceOpen, Remasked, SealedContribution, Shares, Shuffled
from frp2p.deal.sealed.setup import key_commitment
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import TABLE, Draw, PutBack, Reveal, Seal, Seat, Shuffle, SlotId

KIND = SealedKind()
GROUP = KIND.group
SHORT = {"hand": HAND[:8], "items": ITEMS}


def rig(**more: Any) -> Rig:
    return Rig(KIND, 3, decks=SHORT, **more)


def table(**more: Any) -> Rig:
    return rig(**more).setup()


def fault(machine: Any, seat: Seat, contribution: Any) -> str:
    """The failing check, the same at this peer as at the observer; nothing changed."""
    with pytest.raises(PeerFault) as caught:
        machine.check(seat, contribution)
    assert caught.value.seat == seat
    return caught.value.check


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


def deck(made: Rig) -> tuple[SlotId, ...]:
    (sealed,) = made.do(Seal(HAND[:8], TABLE))
    (mixed,) = made.do(Shuffle(sealed.slots, TABLE))
    return mixed.slots


def only(contribution: Any, item: Any) -> Any:
    """A contribution of this item alone."""
    return SealedContribution((item,))


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


# shuffles


def shuffle_by(peer: Any, masks: list[int], order: list[int] | None = None, verb: int = 0) -> SealedContribution:
    """What this seat says if it shuffles with these masks: a right proof of just that."""
    task = peer._batch.tasks[verb]
    order = order or list(range(len(masks)))
    after = [remask(GROUP, task._key, task._now[at], mask % ORDER) for at, mask in zip(order, masks, strict=True)]
    scope = task._scope(peer.me)
    if len(masks) == 1:
        proof = remask_proof.prove(scope, task._key, task._now, after, [masks[0] % ORDER], seeded("r"))
        return SealedContribution((Remasked(write(after), proof),))
    statement = Statement(scope, task._generators, task._key, task._now, after)
    made = Prover(statement, order, [mask % ORDER for mask in masks]).prove(7, seeded("p"))
    return SealedContribution((Shuffled(write(after), made),))


def first_shuffle(*verbs: Any) -> Rig:
    """Seat 0 is about to shuffle three freshly sealed cards: all masks are still 1."""
    made = table()
    (sealed,) = made.do(Seal(HAND[:3], TABLE))
    made.begin(Shuffle(sealed.slots, TABLE))
    return made


def test_the_helper_is_honest() -> None:
    made = first_shuffle()
    made.peers[1].check(0, shuffle_by(made.peers[0], [4, 5, 6]))


def test_a_card_laid_open() -> None:
    """Mask -1 on mask 1: A = 0, the card would lie there for all. The proof is right."""
    made = first_shuffle()
    assert fault(made.peers[1], 0, shuffle_by(made.peers[0], [4, -1, 6])) == "mask-identity"


def test_two_cards_under_one_mask() -> None:
    """Equal A: one reveal would give both away. The proof is right."""
    made = first_shuffle()
    assert fault(made.peers[1], 0, shuffle_by(made.peers[0], [4, 4, 6])) == "mask-repeat"


def test_a_mask_of_another_live_slot() -> None:
    """A of a slot in the cheater's hand, whose mask it knows: the same relation across two lists."""
    made = table()
    (hand,) = made.do(Seal(ITEMS[:2], 0))
    made.begin(Shuffle(hand.slots, 0))
    said = shuffle_by(made.peers[0], [9, 10])
    for peer in made.peers.values():
        peer.check(0, said)
        peer.close({0: said})
    made.finish()
    (sealed,) = made.do(Seal(HAND[:3], TABLE))
    made.begin(Shuffle(sealed.slots, TABLE))
    assert fault(made.peers[1], 0, shuffle_by(made.peers[0], [4, 9, 6])) == "mask-repeat"


def test_a_card_left_as_it_was() -> None:
    """Mask 0: everybody could follow this card."""
    made = first_shuffle()
    assert fault(made.peers[1], 0, shuffle_by(made.peers[0], [4, 0, 6])) == "mask-repeat"


def test_one_mask_in_two_verbs() -> None:
    """Side by side in one contribution, each proof right: the A of one shuffle among those of another."""
    made = table()
    first, second = made.do(Seal(HAND[:2], TABLE), Seal(ITEMS[:2], 0))
    made.begin(Shuffle(first.slots, TABLE), Shuffle(second.slots, 0))
    peer = made.peers[0]

    def said(left: list[int], right: list[int]) -> SealedContribution:
        parts = [shuffle_by(peer, masks, verb=at).items[0] for at, masks in enumerate((left, right))]
        return SealedContribution(tuple(parts))

    assert fault(made.peers[1], 0, said([4, 5], [5, 6])) == "mask-repeat"
    with pytest.raises(PeerFault):
        made.peers[1].close({0: said([4, 5], [5, 6])})
    made.peers[1].check(0, said([4, 5], [6, 7]))


def test_one_mask_in_two_rounds() -> None:
    """The same in a later round: seat 1 shuffles its hand while the cascade of seat 0 is there already."""
    made = table()
    first, second = made.do(Seal(HAND[:2], TABLE), Seal(ITEMS[:2], 1))
    made.begin(Shuffle(first.slots, TABLE), PutBack(second.slots, 1))
    good = [shuffle_by(made.peers[0], [4, 5]).items[0], *made.peers[1].speak().items]
    said = {0: SealedContribution((good[0],)), 1: SealedContribution((good[1],))}
    for peer in made.peers.values():
        for seat, contribution in said.items():
            peer.check(seat, contribution)
        peer.close(said)
    task = made.peers[0]._batch.tasks[1]
    wanted = made.peers[0]._batch.tasks[0]._now[0].a
    task._now[0] = task._now[0]._replace(a=GROUP.sub(wanted, GROUP.base(9)))
    made.peers[2]._batch.tasks[1]._now = list(task._now)
    scope, key = task._scope(0), task._key
    after = [remask(GROUP, key, value, mask) for value, mask in zip(task._now, (9, 10), strict=True)]
    proof = remask_proof.prove(scope, key, task._now, after, [9, 10], seeded("r"))
    cascade = made.peers[1].speak()
    assert fault(made.peers[2], 0, SealedContribution((Remasked(write(after), proof),))) == "mask-repeat"
    made.peers[2].check(1, cascade)


def test_a_single_card_changed() -> None:
    made = table()
    (sealed,) = made.do(Seal(HAND[:1], TABLE))
    made.begin(Shuffle(sealed.slots, TABLE))
    said = shuffle_by(made.peers[0], [9])
    made.peers[1].check(0, said)
    (item,) = said.items
    changed = item.after[:32] + BASE
    assert fault(made.peers[1], 0, only(said, msgspec.structs.replace(item, after=changed))) == "remask"
    assert fault(made.peers[1], 0, shuffle_by(made.peers[0], [-1])) == "mask-identity"
    bad = msgspec.structs.replace(item.proof, c=b"\xff" * 32)
    assert fault(made.peers[1], 0, only(said, msgspec.structs.replace(item, proof=bad))) == "scalar-range"


def test_a_truncated_or_padded_shuffle() -> None:
    made = first_shuffle()
    said = made.peers[0].speak()
    (item,) = said.items
    for after in (item.after[:128], item.after + item.after[:64], item.after[:-1]):
        assert fault(made.peers[1], 0, only(said, msgspec.structs.replace(item, after=after))) == "list-length"
    junk = item.after[:160] + b"\xff" * 32
    assert fault(made.peers[1], 0, only(said, msgspec.structs.replace(item, after=junk))) == "point-encoding"


def test_outputs_in_another_order_than_proved() -> None:
    made = first_shuffle()
    said = made.peers[0].speak()
    (item,) = said.items
    turned = item.after[64:] + item.after[:64]
    check = fault(made.peers[1], 0, only(said, msgspec.structs.replace(item, after=turned)))
    assert check.startswith("shuffle-")


def test_a_shuffle_of_another_seat_or_game() -> None:
    """The successor says what its predecessor said; and a whole shuffle out of another game."""
    made, other = first_shuffle(), table(game="b")
    said = made.peers[0].speak()
    made.one_round(made.peers, (0,), None)
    assert fault(made.peers[0], 1, said) == "mask-repeat"
    (sealed,) = other.do(Seal(HAND[:3], TABLE))
    other.begin(Shuffle(sealed.slots, TABLE))
    fresh = first_shuffle()
    assert fault(fresh.peers[1], 0, other.peers[0].speak()).startswith("shuffle-")


def test_one_kind_of_shuffle_for_another() -> None:
    """One card takes a re-mask proof, several a proof of shuffle."""
    made = first_shuffle()
    proof = OnefoldProof(scalar_bytes(1), scalar_bytes(1))
    assert fault(made.peers[1], 0, SealedContribution((Remasked(bytes(64), proof),))) == "item-type"


def test_own_shuffles_are_checked_by_all() -> None:
    """Seat 1 exchanges a card of its hand for one that was never dealt."""
    made = table()
    (hand,) = made.do(Draw(deck(made)[:3], 1))
    made.begin(Shuffle(hand.slots, 1))
    said = made.peers[1].speak()
    (item,) = said.items
    peer = made.peers[1]
    foreign = write([remask(GROUP, peer.locks[1], peer.slots[hand.slots[0]].body, 5)])
    changed = foreign + item.after[64:]
    check = fault(made.peers[2], 1, only(said, msgspec.structs.replace(item, after=changed)))
    assert check.startswith("shuffle-")


# what nobody else may know


def test_others_can_not_read_a_hand() -> None:
    """All other seats and the observer together hold every published share and still miss the owner's."""
    made = table()
    (hand,) = made.do(Draw(deck(made)[:3], 1))
    owner = made.peers[1]
    for slot in hand.slots:
        body = made.peers[0].slots[slot].body
        for other in (0, 2):
            secret = made.peers[other]._me.secrets.deck
            assert GROUP.sub(body.b, GROUP.mul(body.a, secret)) not in owner._cards
        assert body.b not in owner._cards
        assert made.peers[0].slots[slot].published == frozenset({0, 2})
        assert made.peers[0].slots[slot].reader == 1
    assert made.known(0) == made.known(2) == made.known(None) == {}


def test_secrets_are_not_shown() -> None:
    made = table()
    secrets = made.peers[0]._me.secrets
    for shown in (repr(secrets), repr(made.peers[0]._me)):
        assert str(secrets.deck) not in shown
        assert str(secrets.view) not in shown


def test_a_slot_without_a_card_is_our_fault() -> None:
    """It can't come from a peer, so it is no PeerFault: the state was changed behind the dealer's back."""
    made = table()
    (hand,) = made.do(Draw(deck(made)[:1], 1))
    peer = made.peers[1]
    slot = peer.slots[hand.slots[0]]
    peer.slots.replace(hand.slots[0], type(slot)("items", slot.lock, slot.body))
    with pytest.raises(LocalError) as refused:
        peer.known()
    assert refused.value.code == "deal-card"


def test_an_observer_has_no_secrets() -> None:
    made = table()
    peer = made.peers[0]
    with pytest.raises(LocalError):
        type(peer)(
            me=None,
            decks=peer.decks,
            locks=peer.locks,
            secrets=Secrets(1, 2),
            sharing=None,
            entropy=bytes,
        )
