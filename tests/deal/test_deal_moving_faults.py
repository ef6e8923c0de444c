"""Cheating while cards are shown, moved and excluded; and the attacks that a missing re-mask would open."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from deal_rig import HAND, ITEMS, Rig, seeded

from frp2p.deal import SealedKind
from frp2p.deal.elgamal import read, remask, write
from frp2p.deal.group import BASE, ORDER
from frp2p.deal.proofs import exclude, relock, venc
from frp2p.deal.proofs.onefold import OnefoldProof
from frp2p.deal.sealed.messages import Excluded, Relocked, Remasked, SealedContribution, Shown
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import TABLE, Draw, Exclude, Give, Peek, PutBack, Seal, Seat, Shuffle, SlotId

KIND = SealedKind()
GROUP = KIND.group
SHORT = {"hand": HAND[:8], "items": ITEMS}


def fault(machine: Any, seat: Seat, item: Any) -> str:
    """The check that refuses a contribution of this one item."""
    with pytest.raises(PeerFault) as caught:
        machine.check(seat, SealedContribution((item,)))
    assert caught.value.seat == seat
    return caught.value.check


@pytest.fixture
def dealt() -> tuple[Rig, tuple[SlotId, ...], tuple[SlotId, ...]]:
    """Two cards in the hand of seat 0, and the rest of the deck."""
    made = Rig(KIND, 3, decks=SHORT).setup()
    (sealed,) = made.do(Seal(HAND[:8], TABLE))
    (mixed,) = made.do(Shuffle(sealed.slots, TABLE))
    made.do(Draw(mixed.slots[:2], 0))
    return made, mixed.slots[:2], mixed.slots[2:]


Dealt = tuple[Rig, tuple[SlotId, ...], tuple[SlotId, ...]]


def said(made: Rig, seat: Seat) -> Any:
    (item,) = made.peers[seat].speak().items
    return item


# peeks


def test_a_false_encrypted_share(dealt: Dealt) -> None:
    made, _, deck = dealt
    made.begin(Peek(deck[:2], 2))
    item = said(made, 1)
    for shares in (
        item.shares[64:] + item.shares[:64],
        item.shares[:32] + BASE + item.shares[64:],
        BASE + item.shares[32:],
    ):
        assert fault(made.peers[0], 1, msgspec.structs.replace(item, shares=shares)) == "venc"
    assert fault(made.peers[0], 1, msgspec.structs.replace(item, shares=item.shares[:64])) == "list-length"
    assert fault(made.peers[0], 1, msgspec.structs.replace(item, shares=b"\xff" * 128)) == "point-encoding"
    assert fault(made.peers[1], 0, item) == "venc"


def test_an_open_share_in_a_peek(dealt: Dealt) -> None:
    """Randomness 0: the share would lie open for all. Its proof is right."""
    made, _, deck = dealt
    made.begin(Peek(deck[:1], 2))
    peer = made.peers[1]
    task = peer._batch.tasks[0]
    scope = task._opening.scope(1, deck[:1])
    secret = peer._me.secrets.deck
    e1, e2 = venc.encrypt(scope, peer.locks.roster.view_keys[2], task._masks(deck[:1]), secret, [0])
    statement = venc.Statement(scope, peer.locks[1], peer.locks.roster.view_keys[2], task._masks(deck[:1]), e1, e2)
    item = Shown(e1[0] + e2[0], venc.prove(statement, secret, [0], seeded("z")))
    assert fault(made.peers[0], 1, item) == "point-identity"


def test_an_equivocated_peek_gets_nothing(dealt: Dealt) -> None:
    """The same slot shown to another viewer is another statement: the answer to one request fits no other."""
    made, _, deck = dealt
    made.begin(Peek(deck[:1], 2))
    item = said(made, 0)
    other, _, slots = _again()
    other.begin(Peek(slots[:1], 1))
    assert fault(other.peers[2], 0, item) == "venc"


def _again() -> Dealt:
    made = Rig(KIND, 3, decks=SHORT).setup()
    (sealed,) = made.do(Seal(HAND[:8], TABLE))
    (mixed,) = made.do(Shuffle(sealed.slots, TABLE))
    made.do(Draw(mixed.slots[:2], 0))
    return made, mixed.slots[:2], mixed.slots[2:]


def test_a_peek_shows_nothing_to_others(dealt: Dealt) -> None:
    """With all encrypted shares and every key but the viewer's: no card comes out."""
    made, _, deck = dealt
    slot = deck[0]
    made.begin(Peek((slot,), 2))
    items = {seat: said(made, seat) for seat in (0, 1)}
    made.rounds(made.peers)
    made.finish()
    body = made.peers[0].slots[slot].body
    for thief in (0, 1):
        me = made.peers[thief]._me.secrets
        for key in (me.view, me.deck):
            rest = GROUP.sub(body.b, GROUP.mul(body.a, me.deck))
            for seat in {0, 1} - {thief}:
                (share,) = read(GROUP, items[seat].shares, 1)
                rest = GROUP.sub(rest, GROUP.sub(share.b, GROUP.mul(share.a, key)))
            assert rest not in made.peers[2]._cards
    assert made.peers[0].slots[slot].published == frozenset()


# new locks


def test_another_card_given_away(dealt: Dealt) -> None:
    made, hand, _ = dealt
    made.begin(Give(hand, 0, 1))
    item = said(made, 0)
    swapped = item.after[64:] + item.after[:64]
    assert fault(made.peers[1], 0, msgspec.structs.replace(item, after=swapped)) == "relock"
    foreign = item.after[:32] + BASE + item.after[64:]
    assert fault(made.peers[1], 0, msgspec.structs.replace(item, after=foreign)) == "relock"
    assert fault(made.peers[1], 0, msgspec.structs.replace(item, after=item.after[:64])) == "list-length"


def relocked(made: Rig, to: Seat, masks: list[int]) -> Relocked:
    """What seat 0 says with these masks: a right proof of just that."""
    peer = made.peers[0]
    task = peer._batch.tasks[0]
    scope, secret, key = task._scope(0), peer._me.secrets.deck, peer.locks[to]
    after = [relock.relock(GROUP, key, value, secret, mask) for value, mask in zip(task._now, masks, strict=True)]
    statement = relock.Statement(scope, peer.locks[0], key, task._now, after)
    return Relocked(write(after), relock.prove(statement, secret, masks, seeded("r")))


def test_masks_of_moved_cards(dealt: Dealt) -> None:
    """Mask 0 lays a card open; one mask for two cards, or an A that is live elsewhere, ties two cards together."""
    made, hand, _ = dealt
    made.do(Seal(ITEMS[:1], TABLE))
    made.begin(Give(hand, 0, 1))
    made.peers[1].check(0, SealedContribution((relocked(made, 1, [5, 6]),)))
    assert fault(made.peers[1], 0, relocked(made, 1, [0, 6])) == "mask-identity"
    assert fault(made.peers[1], 0, relocked(made, 1, [5, 5])) == "mask-repeat"
    assert fault(made.peers[1], 0, relocked(made, 1, [1, 6])) == "mask-repeat"


def test_a_card_given_under_another_lock(dealt: Dealt) -> None:
    """To seat 2 instead of seat 1: the receiver could never read it, its friend could."""
    made, hand, _ = dealt
    made.begin(Give(hand, 0, 1))
    assert fault(made.peers[1], 0, relocked(made, 2, [5, 6])) == "relock"


def test_rounds_of_put_back(dealt: Dealt) -> None:
    made, hand, _ = dealt
    made.begin(PutBack(hand, 0))
    first = said(made, 0)
    masked = Remasked(first.after, OnefoldProof(first.proof.c, first.proof.sa))
    assert fault(made.peers[1], 0, masked) == "item-type"
    made.one_round(made.peers, (0,), None)
    assert fault(made.peers[2], 1, first) == "item-type"
    item = said(made, 1)
    swapped = item.after[64:] + item.after[:64]
    assert fault(made.peers[2], 1, msgspec.structs.replace(item, after=swapped)) == "remask"
    assert fault(made.peers[2], 1, msgspec.structs.replace(item, after=first.after)) == "mask-repeat"


# exclusions


def test_exclusions_are_bound_to_the_rules_list(dealt: Dealt) -> None:
    """The list of cards comes from the verb: a proof about other cards is none."""
    made, hand, _ = dealt
    others = tuple(card for card in HAND[:8] if card not in made.known(0).values())
    made.begin(Exclude(hand, others[:2]))
    item = said(made, 0)
    other = _again()[0]
    other.begin(Exclude(hand, others[2:4]))
    assert fault(other.peers[1], 0, item) == "exclude"


def test_a_false_exclusion_of_a_changed_program(dealt: Dealt) -> None:
    """A holder whose program does not refuse to lie."""
    made, hand, _ = dealt
    held = made.known(0)[hand[0]]
    made.begin(Exclude(hand, (held,)))
    task = made.peers[0]._batch.tasks[0]
    lie = Excluded(exclude.prove(task._statement, made.peers[0]._me.secrets.deck, seeded("l")))
    assert fault(made.peers[1], 0, lie) == "exclude-card"


# share reuse


def test_put_back_resists_the_former_holder(dealt: Dealt) -> None:
    """The holder m knows its new mask r. With no re-mask by the next reader k, k's share of the card drawn later would
    be r H_k, which m computes without k. The attack is run: it works on the ciphertext that m made, and fails on the
    one that everybody re-masked, with all shares that are public then and all secrets but k's.
    """
    made, hand, _ = dealt
    thief, reader, mask = made.peers[0], 2, 77
    made.begin(PutBack(hand[:1], 0))
    item = relocked_one(made, mask)
    for peer in made.peers.values():
        contribution = SealedContribution((item,))
        peer.check(0, contribution)
        peer.close({0: contribution})
    (half,) = read(GROUP, item.after, 1)
    share_of_reader = GROUP.mul(thief.locks[reader], mask)
    others = [made.peers[seat]._me.secrets.deck for seat in (0, 1)]
    rest = GROUP.sub(half.b, share_of_reader)
    for secret in others:
        rest = GROUP.sub(rest, GROUP.mul(half.a, secret))
    assert rest in thief._cards
    made.rounds(made.peers)
    (back,) = made.finish()
    made.do(Draw(back.slots, reader))
    body = thief.slots[back.slots[0]].body
    assert GROUP.sub(body.b, share_of_reader) not in thief._cards
    assert GROUP.mul(body.a, made.peers[reader]._me.secrets.deck) != share_of_reader


def relocked_one(made: Rig, mask: int) -> Relocked:
    return relocked(made, TABLE, [mask])


def test_a_partial_remask_would_not_do(dealt: Dealt) -> None:
    """The same with one re-mask by a friend: m and the friend together still know the whole mask."""
    made, hand, _ = dealt
    value = made.peers[0].slots[hand[0]].body
    secret = made.peers[0]._me.secrets.deck
    key = made.peers[0].locks[TABLE]
    twice = remask(GROUP, key, relock.relock(GROUP, key, value, secret, 77), 88)
    reader_key = made.peers[0].locks[2]
    assert GROUP.mul(reader_key, (77 + 88) % ORDER) == GROUP.mul(twice.a, made.peers[2]._me.secrets.deck)


def test_no_second_reader(dealt: Dealt) -> None:
    """The state machine itself: a drawn ciphertext can't be drawn by another, even past the checks of the verb."""
    made, hand, _ = dealt
    slot = made.peers[1].slots[hand[0]]
    assert slot.reader == 0
    with pytest.raises(LocalError):
        slot.drawn(1, slot.body, (0, 2))
    table_slot = type(slot)(slot.deck, TABLE, slot.body, frozenset({1, 2}))
    assert table_slot.reader is None
    with pytest.raises(LocalError):
        table_slot.drawn(1, slot.body, (0, 2))
