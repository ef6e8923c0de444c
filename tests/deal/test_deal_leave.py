"""A seat leaves: its key comes off the table, and the rest play on as if it had never sat there."""

from __future__ import annotations

import copy
import hashlib
from typing import Any

import msgspec
import pytest
from deal_rig import HAND, ITEMS, Rig, wire
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.deal import ClearKind, DealerKind, SealedKind
from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import Group, Point
from frp2p.deal.sealed.messages import SealedContribution
from frp2p.deal.slots import Slot
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import (
    TABLE,
    Cards,
    Coin,
    Draw,
    Exclude,
    Give,
    Leave,
    Number,
    Peek,
    PutBack,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Slots,
    Verb,
)

KINDS: tuple[DealerKind, ...] = (ClearKind(), SealedKind())
SMALL = {"hand": HAND[:10], "items": ITEMS[:3]}


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> DealerKind:
    return request.param


def dealt(kind: DealerKind, seats: int = 3) -> tuple[Rig, list[tuple[SlotId, ...]], tuple[SlotId, ...]]:
    """Two cards for each of three seats, the four others and three items on the table."""
    rig = Rig(kind, seats, decks=SMALL).setup()
    sealed, items = rig.do(Seal(SMALL["hand"], TABLE), Seal(SMALL["items"], TABLE))
    deck, _ = rig.do(Shuffle(sealed.slots, TABLE), Shuffle(items.slots, TABLE))
    hands = rig.do(*(Draw(deck.slots[2 * seat : 2 * seat + 2], seat) for seat in range(3)))
    return rig, [hand.slots for hand in hands], deck.slots[6:]


def table_slots(rig: Rig) -> tuple[SlotId, ...]:
    return tuple(at for at, slot in sorted(rig.peers[None].slots.live().items()) if slot.lock == TABLE)


def refused(call: Any, *arguments: Any) -> tuple[str, int | None]:
    with pytest.raises(PeerFault) as caught:
        call(*arguments)
    return caught.value.check, caught.value.seat


@pytest.mark.parametrize("gone", range(3))
@pytest.mark.parametrize("back", [False, True], ids=["hand shown", "hand put back"])
def test_the_rest_play_on(kind: DealerKind, gone: Seat, back: bool) -> None:
    """Every verb works without the one who left, who speaks nowhere; and every card is still there, once."""
    rig, hands, deck = dealt(kind, 4)
    (left,) = rig.do(PutBack(hands[gone], gone) if back else Reveal(hands[gone]))
    rest = [seat for seat in range(4) if seat != gone]
    before = {seat: dict(rig.known(seat)) for seat in rest}
    on_table = table_slots(rig)
    rig.begin(Leave(gone))
    assert rig.peers[None].speakers() == (gone,)
    rig.rounds(rig.peers)
    assert rig.finish() == (Slots(on_table),)
    assert {peer.present for peer in rig.peers.values()} == {tuple(rest)}
    assert {seat: dict(rig.known(seat)) for seat in rest} == before
    deck = (*deck, *left.slots) if back else deck
    rig.begin(Shuffle(deck, TABLE), Coin(6))
    spoke: list[tuple[Seat, ...]] = []
    while speakers := rig.peers[None].speakers():
        spoke.append(speakers)
        rig.one_round(rig.peers, speakers, None)
    assert spoke[:2] == [tuple(rest)] * 2
    assert [at[0] for at in spoke[2:]] == [rest[1]]
    mixed, toss = rig.finish()
    assert isinstance(toss, Number)
    one, two, three = rest
    rig.do(Draw(mixed.slots[:2], one), Draw(mixed.slots[2:3], two), Peek(mixed.slots[3:], three))
    drawn = dict(rig.known(one))
    other = tuple(card for card in SMALL["hand"] if card not in {drawn[at] for at in mixed.slots[:2]})
    rig.do(Exclude(mixed.slots[:2], other))
    given, put = rig.do(Give(mixed.slots[:1], one, two), PutBack(mixed.slots[1:2], one))
    assert rig.known(two)[given.slots[0]] == drawn[mixed.slots[0]]
    assert rig.do(Reveal(put.slots)) == (Cards((drawn[mixed.slots[1]],)),)
    others = [at for at, slot in rig.peers[None].slots.live().items() if slot.deck == "hand"]
    shown = {card for cards in rig.do(*(Reveal((at,)) for at in others)) for card in cards.cards}
    gone_cards = set() if back else set(left.cards)
    assert shown | gone_cards | {drawn[mixed.slots[1]]} == set(SMALL["hand"])


def test_who_left_knows_what_it_saw_until_the_others_shuffle(kind: DealerKind) -> None:
    rig, hands, deck = dealt(kind)
    rig.do(Peek(deck[:1], 1))
    (back,) = rig.do(PutBack(hands[1], 1))
    seen = dict(rig.known(1))
    assert set(seen) == {deck[0], *back.slots}
    rig.do(Leave(1))
    assert rig.known(1) == seen
    rig.do(Shuffle((*deck, *back.slots), TABLE))
    assert rig.known(1) == {}


def test_one_after_the_other(kind: DealerKind) -> None:
    """Seats keep their numbers; two remain at last, and no third may go."""
    rig, hands, deck = dealt(kind, 4)
    rig.do(Leave(3))
    rig.do(Reveal(hands[1]))
    rig.do(Leave(1))
    assert {peer.present for peer in rig.peers.values()} == {(0, 2)}
    (mixed,) = rig.do(Shuffle(deck, TABLE))
    rig.do(Draw(mixed.slots[:1], 2))
    assert len(rig.known(2)) == 3
    rig.do(Reveal(hands[0]))
    with pytest.raises(LocalError):
        rig.begin(Leave(0))


def test_a_leave_with_nothing_on_the_table(kind: DealerKind) -> None:
    """There is nothing to open, so nobody speaks, as with a seal; but the epoch changes."""
    rig = Rig(kind, 3, decks=SMALL).setup()
    before = rig.digests()
    rig.begin(Leave(0))
    assert rig.peers[None].speakers() == ()
    assert rig.finish() == (Slots(()),)
    assert rig.digests() != before
    (deck,) = rig.do(Seal(SMALL["hand"], TABLE))
    (deck,) = rig.do(Shuffle(deck.slots, TABLE))
    assert {card for cards in rig.do(Reveal(deck.slots)) for card in cards.cards} == set(SMALL["hand"])


def test_a_single_slot_and_all_slots_of_two_decks(kind: DealerKind) -> None:
    """One share has the single proof; 128 and 128 slots are opened at once."""
    cards = {name: tuple(f"{name}{at}" for at in range(128)) for name in ("a", "b")}
    rig = Rig(kind, 3, decks=cards).setup()
    rig.do(Seal(cards["a"][:1], TABLE))
    rig.do(Leave(1))
    rig = Rig(kind, 3, decks=cards).setup()
    a, b = rig.do(Seal(cards["a"], TABLE), Seal(cards["b"], TABLE))
    assert rig.do(Leave(2)) == (Slots((*a.slots, *b.slots)),)


def illegal(hands: list[tuple[SlotId, ...]], deck: tuple[SlotId, ...]) -> dict[str, tuple[Verb, ...]]:
    """After seat 3 of four has left."""
    return {
        "twice": (Leave(3),),
        "nobody": (Leave(4),),
        "the table": (Leave(TABLE),),
        "beside another verb": (Leave(2), Coin(2)),
        "two at once": (Leave(2), Leave(1)),
        "a draw by one who left": (Draw(deck[:1], 3),),
        "a peek by one who left": (Peek(deck[:1], 3),),
        "a gift to one who left": (Give(hands[0], 0, 3),),
        "a seal to one who left": (Seal(SMALL["items"][:1], 3),),
        "a shuffle by one who left": (Shuffle(deck[:1], 3),),
    }


def test_what_is_refused(kind: DealerKind) -> None:
    rig, hands, deck = dealt(kind, 4)
    rig.do(Peek(deck[:1], 3), Reveal(hands[2]))
    rig.do(Leave(3))
    before = rig.digests()
    for name, verbs in illegal(hands, deck).items():
        with pytest.raises(LocalError) as caught:
            rig.begin(*verbs)
        assert caught.value.code == "deal-misuse", name
    assert rig.digests() == before
    rig.begin(Coin(2))
    assert refused(rig.peers[None].check, 3, rig.peers[0].speak()) == ("deal-speaker", 3)
    with pytest.raises(LocalError):
        rig.peers[3].speak()


def test_no_leave_while_a_batch_is_pending(kind: DealerKind) -> None:
    """Shares that were said of an unfinished draw would be forgotten by the slots."""
    rig, _, deck = dealt(kind, 4)
    rig.begin(Draw(deck[:1], 0))
    rig.one_round(rig.peers, (1, 2, 3), None)
    with pytest.raises(LocalError):
        rig.begin(Leave(3))


@pytest.mark.parametrize("verb", [Draw((SlotId(19),), 0), Reveal((SlotId(19),))], ids=["draw", "reveal"])
def test_nothing_said_in_an_old_epoch_holds_in_the_new_one(kind: DealerKind, verb: Verb) -> None:
    """Two futures of one table get the same request from the same step: an answer of the one is none of the other.

    The A of a slot is the same in both, so but for ctx it would be a right answer.
    """
    rig, _, deck = dealt(kind, 4)
    assert deck[-1] == SlotId(22)
    stayed = copy.deepcopy(rig)
    rig.do(Leave(3))
    step = hashlib.sha256(b"one step").digest()
    for table in (stayed, rig):
        for peer in table.peers.values():
            peer.begin((verb,), step)
    check = {"clear": "clear-token", "sealed": "dleq"}[kind.name]
    for seat in (1, 2):
        assert refused(rig.peers[None].check, seat, stayed.peers[seat].speak()) == (check, seat)
        rig.peers[None].check(seat, rig.peers[seat].speak())


def test_a_coin_of_an_old_epoch_does_not_open(kind: DealerKind) -> None:
    """The same secret, committed to under the other ctx."""
    rig, _, _ = dealt(kind, 4)
    stayed = copy.deepcopy(rig)
    rig.do(Leave(3))
    step = hashlib.sha256(b"one step").digest()
    for table in (stayed, rig):
        for peer in table.peers.values():
            peer.begin((Coin(6),), step)
    old = stayed.peers[1].speak()
    said = {seat: old if seat == 1 else rig.peers[seat].speak() for seat in (0, 1, 2)}
    rig.peers[None].close(said)
    stayed.one_round(stayed.peers, (0, 1, 2, 3), None)
    assert refused(rig.peers[None].check, 1, stayed.peers[1].speak()) == ("coin-commitment", 1)


# what a cheater may try when it leaves a sealed table


class Leaving:
    """Seat 2 of three is about to say its shares."""

    def __init__(self) -> None:
        self.rig, hands, self.deck = dealt(SealedKind())
        self.rig.do(Reveal(hands[2]))
        self.rig.begin(Leave(2))
        self.said = self.rig.peers[2].speak()
        (self.item,) = self.said.items
        self.group: Group = self.rig.peers[2].group

    def verdict(self, shares: bytes, seat: Seat = 2) -> str | None:
        changed = SealedContribution((msgspec.structs.replace(self.item, shares=shares),))
        try:
            self.rig.peers[None].check(seat, wire(changed, SealedContribution))
        except PeerFault as fault:
            return fault.check
        return None


def test_a_leave_that_is_not_whole_or_not_true() -> None:
    at = Leaving()
    shares = at.item.shares
    first, second = shares[:32], shares[32:64]
    shifted = at.group.add(Point(first), at.group.base(5)) + at.group.sub(Point(second), at.group.base(5))
    for wrong, check in (
        (shares[:-32], "list-length"),
        (shares + shares[:32], "list-length"),
        (shares[:-32] + at.group.base(7), "dleq-batch"),
        (second + first + shares[64:], "dleq-batch"),
        (shifted + shares[64:], "dleq-batch"),
        (bytes(32) + shares[32:], "dleq-batch"),
        (b"\xff" * 32 + shares[32:], "point-encoding"),
    ):
        assert at.verdict(wrong) == check
    assert at.verdict(shares) is None
    assert at.verdict(shares, seat=1) == "deal-speaker"


def test_a_leave_in_place_of_a_draw_and_the_other_way_round() -> None:
    """The same slots, the same step: who was asked for what is in the event."""
    rig, hands, deck = dealt(SealedKind())
    rig.do(Reveal(hands[2]), Reveal(table_slots(rig)[-3:]))
    assert set(table_slots(rig)) == set(deck)
    other = copy.deepcopy(rig)
    step = hashlib.sha256(b"one step").digest()
    for table, verb in ((rig, Leave(2)), (other, Draw(deck, 0))):
        for peer in table.peers.values():
            peer.begin((verb,), step)
    leave, draw = (table.peers[2].speak() for table in (rig, other))
    assert leave.items[0].shares == draw.items[0].shares
    assert refused(rig.peers[None].check, 2, draw) == ("dleq-batch", 2)
    assert refused(other.peers[None].check, 2, leave) == ("dleq-batch", 2)


def test_who_left_reads_nothing_with_all_it_has() -> None:
    """Its key is off the cards: with its secret, and with one more seat's, they stay shut; all the rest open them."""
    rig, hands, _ = dealt(SealedKind())
    rig.do(Reveal(hands[2]))
    rig.do(Leave(2))
    observer = rig.peers[None]
    group, points = observer.group, observer._cards
    for at in table_slots(rig):
        a, b = observer.slots[at].body
        secrets = [rig.peers[seat]._me.secrets.deck for seat in range(3)]
        for known in ((2,), (0,), (1,), (0, 2), (1, 2), (0, 1, 2)):
            assert group.sub(b, group.mul(a, sum(secrets[seat] for seat in known))) not in points
        assert group.sub(b, group.mul(a, secrets[0] + secrets[1])) in points


def test_a_key_comes_off_once() -> None:
    slot = Slot("hand", TABLE, "card").left(1, "card")
    with pytest.raises(LocalError):
        slot.left(1, "card")
    with pytest.raises(LocalError):
        Slot("hand", 0, "card").left(1, "card")
    assert slot.published == {1}
    assert slot.drawn(0, "card", [2]).published == {1, 2}


def test_ciphertexts_keep_their_masks() -> None:
    """Only B changes, by the shares that were said."""
    at = Leaving()
    before = {slot: at.rig.peers[None].slots[slot].body for slot in table_slots(at.rig)}
    at.rig.rounds(at.rig.peers)
    at.rig.finish()
    shares = [Point(at.item.shares[place : place + 32]) for place in range(0, len(at.item.shares), 32)]
    for (slot, (a, b)), share in zip(before.items(), shares, strict=True):
        assert at.rig.peers[None].slots[slot].body == Ciphertext(a, at.group.sub(b, share))


@given(st.data())
@settings(deadline=None, max_examples=12)
def test_any_order_of_leaving_and_playing(data: st.DataObject) -> None:
    """From four seats down to two, drawing, shuffling and putting back in between: cards are conserved."""
    rig = Rig(data.draw(st.sampled_from(KINDS)), 4, decks={"hand": HAND[:8]}).setup()
    (sealed,) = rig.do(Seal(HAND[:8], TABLE))
    (deck,) = rig.do(Shuffle(sealed.slots, TABLE))
    on_table = list(deck.slots)
    shown: list[Any] = []
    while len(present := rig.peers[None].present) > 2:
        taker = data.draw(st.sampled_from(present))
        rig.do(Draw((on_table.pop(),), taker))
        gone = data.draw(st.sampled_from(present))
        if held := tuple(rig.peers[None].slots.of(gone)):
            (outcome,) = rig.do(data.draw(st.sampled_from((Reveal(held), PutBack(held, gone)))))
            if isinstance(outcome, Cards):
                shown += outcome.cards
            else:
                on_table += outcome.slots
        rig.do(Leave(gone))
        if data.draw(st.booleans()):
            (mixed,) = rig.do(Shuffle(tuple(on_table), TABLE))
            on_table = list(mixed.slots)
    last = rig.peers[None].slots.live()
    cards = [card for outcome in rig.do(*(Reveal((at,)) for at in last)) for card in outcome.cards]
    assert sorted([*shown, *cards]) == sorted(HAND[:8])
