"""What a cheating seat may say in a shuffle, and what nobody else may know."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from deal_faults import GROUP, deck, fault, only, table
from deal_rig import HAND, ITEMS, Rig, seeded

from frp2p.deal.elgamal import remask, write
from frp2p.deal.group import BASE, ORDER, scalar_bytes
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.proofs.onefold import OnefoldProof
from frp2p.deal.proofs.shuffle import Prover, Statement
from frp2p.deal.sealed.keys import Secrets
from frp2p.deal.sealed.messages import Remasked, SealedContribution, Shuffled
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import TABLE, Draw, PutBack, Seal, Shuffle


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
