"""A seat is lost: the batch is dropped, the rest take its key off or give the table up, and play on. Both dealers."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest
from deal_rig import HAND, ITEMS, Rig
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.deal import ClearKind, DealerKind, SealedKind
from frp2p.errors import LocalError
from frp2p.games.verbs import (
    TABLE,
    Cards,
    Coin,
    Draw,
    Drop,
    Exclude,
    Give,
    Leave,
    Peek,
    PutBack,
    Recover,
    Reveal,
    Seal,
    Seat,
    Shuffle,
    SlotId,
    Slots,
    Verb,
)

KINDS: tuple[DealerKind, ...] = (ClearKind(), SealedKind())
SHORT = {"hand": HAND[:10], "items": ITEMS[:2]}
Hands = dict[Seat, tuple[SlotId, ...]]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> DealerKind:
    return request.param


def dealt(kind: DealerKind, seats: int, recovery: bool = True) -> tuple[Rig, Hands, tuple[SlotId, ...]]:
    """One card for each seat; the other hand cards and two items on the table. Seat 1 has seen the next card."""
    return copy.deepcopy(deal_once(kind, seats, recovery))


@functools.cache
def deal_once(kind: DealerKind, seats: int, recovery: bool) -> tuple[Rig, Hands, tuple[SlotId, ...]]:
    rig = Rig(kind, seats, decks=SHORT, recovery=recovery).setup()
    sealed, items = rig.do(Seal(SHORT["hand"], TABLE), Seal(SHORT["items"], TABLE))
    deck, _ = rig.do(Shuffle(sealed.slots, TABLE), Shuffle(items.slots, TABLE))
    hands = {seat: deck.slots[seat : seat + 1] for seat in range(seats)}
    rig.do(*(Draw(slots, seat) for seat, slots in hands.items()))
    rig.do(Peek(deck.slots[seats : seats + 1], 1))
    return rig, hands, deck.slots[seats:]


def present(rig: Rig) -> tuple[Seat, ...]:
    (here,) = {peer.present for peer in rig.peers.values()}
    return here


def recoverable(rig: Rig) -> bool:
    (answer,) = {peer.recoverable for peer in rig.peers.values()}
    return answer


def slots_of(rig: Rig, lock: Seat, deck: str | None = None) -> tuple[SlotId, ...]:
    live = sorted(rig.peers[None].slots.live().items())
    return tuple(at for at, slot in live if slot.lock == lock and deck in (None, slot.deck))


def abort(rig: Rig) -> None:
    for peer in rig.peers.values():
        peer.abort()
    assert len(rig.digests()) == 1


def known(rig: Rig, seats: tuple[Seat, ...]) -> dict[Seat, dict[SlotId, Any]]:
    live = rig.peers[None].slots.live()
    return {seat: {at: card for at, card in rig.known(seat).items() if at in live} for seat in seats}


def show_all(rig: Rig) -> set[Any]:
    """Shuffle the table and open every slot; each is what whoever knew it believed."""
    if table := slots_of(rig, TABLE, "hand"):
        rig.do(Shuffle(table, TABLE))
    believed = {at: card for seat in present(rig) for at, card in rig.known(seat).items()}
    live = sorted(rig.peers[None].slots.live())
    shown = [cards.cards[0] for cards in rig.do(*(Reveal((at,)) for at in live))]
    assert {at: card for at, card in zip(live, shown, strict=True) if at in believed} == believed
    return set(shown)


@pytest.mark.parametrize("seats", range(3, 8))
def test_the_rest_recover_a_lost_seat_and_play_on(kind: DealerKind, seats: int) -> None:
    """Its key is off the table, its hand is gone, the hands and looks of the rest are what they were."""
    rig, hands, deck = dealt(kind, seats)
    assert recoverable(rig)
    gone = seats - 1
    rest = tuple(range(gone))
    lost, before = set(rig.known(gone).values()), known(rig, rest)
    table = slots_of(rig, TABLE)
    assert rig.do(Recover(gone)) == (Slots(table),)
    assert present(rig) == rest
    assert known(rig, rest) == before
    assert slots_of(rig, gone) == ()
    assert recoverable(rig) == (seats > 3)
    (mine,) = rig.do(Draw(deck[1:2], 0))
    rig.do(Peek(deck[2:3], 1), Coin(6))
    other = tuple(card for card in SHORT["hand"] if card != rig.known(0)[mine.slots[0]])
    rig.do(Exclude(mine.slots, other))
    rig.do(Give(hands[0], 0, 1), PutBack(mine.slots, 0))
    assert show_all(rig) == {*SHORT["hand"], *SHORT["items"]} - lost


def test_who_speaks_when_a_seat_goes(kind: DealerKind) -> None:
    """All re-mask in turn if something was touched, then shares, then three rounds in which the rest share keys."""
    for verb, first in ((Recover(1), (0, 2, 3)), (Leave(1), (1,))):
        for touched in (False, True):
            rig, _, deck = dealt(kind, 4)
            if touched:
                rig.begin(Draw(deck[:1], 1))
                abort(rig)
            rig.begin(verb)
            spoke = []
            while speakers := rig.peers[None].speakers():
                spoke.append(speakers)
                rig.one_round(rig.peers, speakers, None)
            rig.finish()
            assert spoke == [(0,), (2,), (3,)] * touched + [first] + [(0, 2, 3)] * 3


def test_a_leave_without_recovery_shares_nothing(kind: DealerKind) -> None:
    rig, _, _ = dealt(kind, 4, recovery=False)
    assert not recoverable(rig)
    rig.begin(Leave(1))
    rig.one_round(rig.peers, (1,), None)
    rig.finish()
    assert not recoverable(rig)


def test_who_leaves_takes_its_cards_along_unopened(kind: DealerKind) -> None:
    rig, _, _ = dealt(kind, 3, recovery=False)
    lost = set(rig.known(2).values())
    rig.do(Leave(2))
    assert slots_of(rig, 2) == ()
    with pytest.raises(LocalError) as refused:
        rig.begin(Seal(tuple(lost), TABLE))
    assert refused.value.code == "deal-misuse"
    assert show_all(rig) == {*SHORT["hand"], *SHORT["items"]} - lost


@pytest.mark.parametrize("order", [(Recover(3), Recover(0)), (Leave(3), Recover(0)), (Recover(3), Leave(0))], ids=str)
def test_one_after_the_other(kind: DealerKind, order: tuple[Verb, ...]) -> None:
    """The keys were shared anew among those who are here; once two are left there is nobody to share with."""
    rig, _, deck = dealt(kind, 4)
    before = known(rig, (1, 2))
    for verb in order:
        rig.begin(Draw(deck[:2], 1))
        rig.one_round(rig.peers, rig.peers[None].speakers(), None)
        abort(rig)
        rig.do(verb)
    assert present(rig) == (1, 2)
    assert not recoverable(rig)
    slots = rig.peers[None].slots
    assert [slots[at].published for at in deck[:3]] == [
        {0},
        {0},
        {0, 3},
    ]  # of touched ones only the last ciphertext counts
    assert known(rig, (1, 2)) == before
    rig.do(Draw(deck[:2], 1))
    assert len(show_all(rig)) == len(SHORT["hand"]) + len(SHORT["items"]) - 2


def batches(hands: Hands, deck: tuple[SlotId, ...]) -> dict[str, tuple[Verb, ...]]:
    """What a seat may vanish from."""
    return {
        "draw": (Draw(deck[:2], 2), Draw(deck[2:3], 0)),
        "put back": (PutBack(hands[1], 1), Draw(deck[:1], 2)),
        "cascade": (Shuffle(deck, TABLE), Reveal(hands[0])),
        "peek": (Peek(deck[:2], 2), Peek(hands[0], 1)),
        "reveal": (Reveal((*deck[:1], *hands[2])), Coin(6)),
        "give": (Give(hands[0], 0, 2), Draw(deck[1:3], 1)),
        "own shuffle": (Shuffle(hands[1], 1), Shuffle(deck[:1], 1)),
        "leave": (Leave(2),),
        "recover": (Recover(0),),
    }


@pytest.mark.parametrize("name", batches(dict.fromkeys(range(3), ()), ()))
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_a_batch_is_broken_off_anywhere(name: str, data: st.DataObject) -> None:
    """In any round of any batch anybody may go, of both dealers; the batch can then be asked for again and ends."""
    seats = data.draw(st.integers(3, 4), label="seats")
    for kind in KINDS:
        rig, hands, deck = dealt(kind, seats)
        verbs = batches(hands, deck)[name]
        for gone in data.draw(st.permutations(range(seats)), label="gone")[: seats - 2]:
            rest = tuple(seat for seat in present(rig) if seat != gone)
            lost = set(slots_of(rig, gone))
            before = known(rig, rest)
            again = True
            try:
                rig.begin(*verbs)
            except LocalError:
                again = False  # somebody of it has gone before
            if again:
                for _ in range(data.draw(st.integers(0, 9), label="rounds")):
                    if speakers := rig.peers[None].speakers():
                        rig.one_round(rig.peers, speakers, None)
                abort(rig)
            verb = data.draw(st.sampled_from([Leave(gone), Recover(gone)]), label="how")
            rig.do(verb)
            assert known(rig, rest) == before
            assert not lost & set(rig.peers[None].slots.live())
        try:
            rig.begin(*verbs)
        except LocalError:
            pass
        else:
            rig.rounds(rig.peers)
            rig.finish()
        show_all(rig)


def test_touched_slots_wait_until_a_seat_has_gone(kind: DealerKind) -> None:
    """Shares of them may be public; so nothing uses them, while everything else goes on."""
    rig, hands, deck = dealt(kind, 4)
    rig.begin(Draw(deck[:1], 0), Peek(deck[1:2], 1), Reveal((deck[2], *hands[0])), Give(hands[1], 1, 2), Coin(3))
    abort(rig)
    for at in deck[:3]:
        for verb in (
            Draw((at,), 0),
            Draw((at,), 2),
            Reveal((at,)),
            Peek((at,), 3),
            Shuffle((at,), TABLE),
            Shuffle(slots_of(rig, TABLE, "hand"), TABLE),
        ):
            with pytest.raises(LocalError) as refused:
                rig.begin(verb)
            assert refused.value.code == "deal-misuse"
    marked = rig.digests()
    rig.do(Draw(deck[3:4], 0), Give(hands[1], 1, 2), Reveal(hands[0]))
    assert rig.digests() != marked
    rig.do(Recover(3))
    rig.do(Draw(deck[:1], 0), Peek(deck[1:2], 1), Reveal(deck[2:3]))


def test_the_digest_tells_what_is_touched(kind: DealerKind) -> None:
    rig, _, deck = dealt(kind, 3)
    before = rig.digests()
    rig.begin(Draw(deck[:1], 0))
    abort(rig)
    one = rig.digests()
    rig.begin(Draw(deck[1:2], 0))
    abort(rig)
    assert len({*before, *one, *rig.digests()}) == 3


def test_a_departure_can_be_begun_again(kind: DealerKind) -> None:
    """Nothing of it has happened before it ends, in whichever round it is dropped; all slots are touched then."""
    rig, _, deck = dealt(kind, 4)
    rig.begin(Draw(deck[:1], 0))
    abort(rig)
    rounds = 3 + 1 + 3
    for after in (0, 3, 5, rounds):
        tried = copy.deepcopy(rig)
        before = known(tried, (0, 1, 2, 3))
        tried.begin(Recover(2))
        for _ in range(after):
            tried.one_round(tried.peers, tried.peers[None].speakers(), None)
        assert (tried.peers[None].speakers() == ()) == (after == rounds)
        abort(tried)
        assert present(tried) == (0, 1, 2, 3)
        assert known(tried, (0, 1, 2, 3)) == before
        assert tried.peers[None].touched == set(slots_of(tried, TABLE))
        tried.do(Recover(3) if after % 2 else Leave(2))
        assert len(present(tried)) == 3
        show_all(tried)


def test_a_table_is_given_up(kind: DealerKind) -> None:
    """What the lost keys lock can't be opened any more; what the rest lock alone can, and new cards can be dealt."""
    rig, hands, deck = dealt(kind, 4)
    rig.do(Reveal(hands[0]))
    (new,) = rig.do(Draw(deck[1:3], 0))
    mine = [rig.known(0)[at] for at in new.slots]
    rig.begin(Draw(deck[:1], 0))
    abort(rig)
    before = rig.digests()
    rig.begin(Drop((1, 3)))
    assert rig.peers[None].speakers() == ()
    assert rig.finish() == (Slots(()),)
    assert rig.digests() != before
    assert present(rig) == (0, 2)
    assert not recoverable(rig)
    assert set(rig.peers[None].slots.live()) == {*new.slots, *hands[2]}
    for verb in (Draw(deck[:1], 0), Reveal(hands[1]), Recover(2), Seal(ITEMS[:1], TABLE)):
        with pytest.raises(LocalError):
            rig.begin(verb)
    (mixed,) = rig.do(Shuffle(new.slots, 0))
    (cards,) = rig.do(Reveal(mixed.slots))
    assert sorted(cards.cards) == sorted(mine)
    (again,) = rig.do(Seal(cards.cards, TABLE))
    (again,) = rig.do(Shuffle(again.slots, TABLE))
    rig.do(Draw(again.slots, 2))
    assert set(mine) < set(rig.known(2).values())


def test_one_seat_may_remain(kind: DealerKind) -> None:
    """It shows its hand, and that is the end."""
    rig, hands, _ = dealt(kind, 3)
    rig.do(Drop((0, 2)))
    mine = rig.known(1)[hands[1][0]]
    assert rig.do(Reveal(hands[1])) == (Cards((mine,)),)
    with pytest.raises(LocalError):
        rig.begin(Drop((1,)))


MISUSED: tuple[tuple[Verb, ...], ...] = (
    (Recover(4),),
    (Recover(TABLE),),
    (Recover(1), Coin(2)),
    (Recover(1), Leave(2)),
    (Drop(()),),
    (Drop((1, 1)),),
    (Drop((0, 1, 2, 3)),),
    (Drop((4,)),),
    (Drop((TABLE,)),),
    (Drop((1,)), Coin(2)),
)


def test_what_is_refused(kind: DealerKind) -> None:
    rig, _, _ = dealt(kind, 4)
    before = rig.digests()
    for verbs in MISUSED:
        with pytest.raises(LocalError) as refused:
            rig.begin(*verbs)
        assert refused.value.code == "deal-misuse", verbs
    for peer in rig.peers.values():
        with pytest.raises(LocalError) as refused:
            peer.abort()
        assert refused.value.code == "deal-misuse"
    assert rig.digests() == before


def test_nobody_is_recovered_without_recovery(kind: DealerKind) -> None:
    rig, _, _ = dealt(kind, 4, recovery=False)
    with pytest.raises(LocalError):
        rig.begin(Recover(1))
    with pytest.raises(LocalError):
        Rig(kind, 2, recovery=True)


def test_a_withheld_word_holds_up_the_round(kind: DealerKind) -> None:
    """A departure goes on with the words of all who are asked, or not at all."""
    rig, _, _ = dealt(kind, 4)
    rig.begin(Recover(3))
    while speakers := rig.peers[None].speakers():
        said = {seat: rig.peers[seat].speak() for seat in speakers}
        for silent in speakers:
            with pytest.raises(LocalError) as refused:
                rig.peers[None].close({seat: word for seat, word in said.items() if seat != silent})
            assert refused.value.code == "deal-misuse"
        rig.one_round(rig.peers, speakers, None)
    rig.finish()
