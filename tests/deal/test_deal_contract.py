"""What both dealers must do, at every number of seats: one suite, run on each."""

from __future__ import annotations

import pytest
from deal_contract import KINDS, SEVEN, SHORT, deck_of, table
from deal_rig import HAND, ITEMS, Rig

from frp2p.deal import DealerKind
from frp2p.errors import LocalError
from frp2p.games.verbs import (
    TABLE,
    Cards,
    Coin,
    Draw,
    Exclude,
    Give,
    Number,
    Peek,
    PutBack,
    Reveal,
    Seal,
    Shuffle,
    SlotId,
    Slots,
)


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> DealerKind:
    return request.param


@pytest.mark.parametrize("seats", range(2, 8))
def test_a_whole_opening(kind: DealerKind, seats: int) -> None:
    """Deal seven cards each out of 53, shuffle every hand, toss for the first seat, show everything."""
    rig = Rig(kind, seats).setup()
    deck = deck_of(rig, HAND)
    *hands, first = rig.do(
        *(Draw(deck[SEVEN * seat : SEVEN * seat + SEVEN], seat) for seat in range(seats)), Coin(seats)
    )
    assert isinstance(first, Number)
    assert 0 <= first.value < seats
    before = [set(rig.known(seat).values()) for seat in range(seats)]
    assert all(len(cards) == SEVEN for cards in before)
    assert len(set().union(*before)) == SEVEN * seats
    hidden = rig.do(*(Shuffle(hand.slots, seat) for seat, hand in enumerate(hands)))
    for seat, hand in enumerate(hidden):
        assert set(rig.known(seat)) == set(hand.slots)
        assert set(rig.known(seat).values()) == before[seat]
        assert not set(hand.slots) & set(hands[seat].slots)
    assert rig.known(None) == {}
    shown = rig.do(*(Reveal(hand.slots) for hand in hidden), Reveal(deck[SEVEN * seats :]))
    assert [set(cards.cards) for cards in shown[:-1]] == before
    assert sorted(card for cards in shown for card in cards.cards) == sorted(HAND)
    assert all(rig.known(seat) == {} for seat in range(seats))


def test_a_hand_is_known_card_by_card(kind: DealerKind) -> None:
    """What the owner believes of each slot is what a reveal shows, before and after the own shuffle."""
    rig = table(kind)
    deck = deck_of(rig)
    (hand,) = rig.do(Draw(deck[:5], 1))
    (hand,) = rig.do(Shuffle(hand.slots, 1))
    known = dict(rig.known(1))
    (cards,) = rig.do(Reveal(hand.slots))
    assert cards == Cards(tuple(known[slot] for slot in hand.slots))


def test_seal_to_a_hand(kind: DealerKind) -> None:
    """Open cards go face down into a hand; its owner shuffles them and one is shown: by the owner alone."""
    rig = table(kind)
    (mine,) = rig.do(Seal(ITEMS[:4], 2))
    assert rig.known(2) == dict(zip(mine.slots, ITEMS, strict=False))
    assert rig.known(0) == rig.known(1) == {}
    (mixed,) = rig.do(Shuffle(mine.slots, 2))
    assert set(rig.known(2).values()) == set(ITEMS[:4])
    rig.begin(Reveal(mixed.slots[:1]))
    assert rig.peers[None].speakers() == (2,)
    rig.rounds(rig.peers)
    (cards,) = rig.finish()
    assert cards.cards[0] in ITEMS[:4]
    assert len(rig.known(2)) == 3


def test_revealed_cards_can_be_sealed_again(kind: DealerKind) -> None:
    """Cards are conserved through seal, shuffle, reveal and seal."""
    rig = table(kind)
    deck = deck_of(rig)
    for _ in range(2):
        (cards,) = rig.do(Reveal(deck))
        assert set(cards.cards) == set(HAND[:14])
        deck = deck_of(rig, cards.cards)


def test_a_single_slot_can_be_shuffled(kind: DealerKind) -> None:
    rig = table(kind)
    deck = deck_of(rig)
    (one,) = rig.do(Shuffle(deck[:1], TABLE))
    (hand,) = rig.do(Draw(one.slots, 0))
    (hand,) = rig.do(Shuffle(hand.slots, 0))
    known = rig.known(0)
    assert rig.do(Reveal(hand.slots)) == (Cards((known[hand.slots[0]],)),)


def test_who_speaks_when(kind: DealerKind) -> None:
    """A cascade has one speaker a round and begins one seat further each time; shares need one round, coins two."""
    rig = table(kind)
    (deck,) = rig.do(Seal(HAND[:4], TABLE))
    for first in range(4):
        rig.begin(Shuffle(deck.slots, TABLE))
        spoke = []
        while speakers := rig.peers[None].speakers():
            spoke.append(speakers)
            rig.one_round(rig.peers, speakers, None)
        assert spoke == [((first + at) % 3,) for at in range(3)]
        (deck,) = rig.finish()
    rig.begin(Draw(deck.slots[:1], 0), Draw(deck.slots[1:2], 2), Coin(6))
    rounds = []
    while speakers := rig.peers[None].speakers():
        rounds.append((speakers, len(rig.peers[1].speak().items)))
        rig.one_round(rig.peers, speakers, None)
    assert rounds == [((0, 1, 2), 3), ((0, 1, 2), 1)]
    rig.finish()
    rig.begin(Reveal(deck.slots[:1]), Reveal(deck.slots[3:]))
    assert [len(rig.peers[seat].speak().items) for seat in range(3)] == [2, 1, 1]


def test_seal_alone_needs_no_round(kind: DealerKind) -> None:
    rig = table(kind)
    rig.begin(Seal(HAND[:2], TABLE), Seal(HAND[2:4], 0))
    assert rig.peers[0].speakers() == ()
    assert rig.finish() == (Slots((SlotId(0), SlotId(1))), Slots((SlotId(2), SlotId(3))))


def test_the_digest_follows_every_change(kind: DealerKind) -> None:
    """Every step of a batch changes the digest, at all peers alike, and nothing else does."""
    rig = table(kind)
    seen = [rig.digests()]
    (deck,) = rig.do(Seal(HAND[:4], TABLE))
    seen.append(rig.digests())
    rig.begin(Shuffle(deck.slots, TABLE))
    seen.append(rig.digests())
    while speakers := rig.peers[None].speakers():
        mine = rig.peers[speakers[0]].speak()
        rig.peers[None].check(speakers[0], mine)
        assert rig.digests() == seen[-1]
        rig.one_round(rig.peers, speakers, None)
        seen.append(rig.digests())
    rig.finish()
    seen.append(rig.digests())
    assert all(len(digests) == 1 for digests in seen)
    assert len(set().union(*seen)) == len(seen)


def test_same_seeds_same_game(kind: DealerKind) -> None:
    first, again, other = (table(kind, seed=seed) for seed in ("s", "s", "t"))
    decks = [deck_of(rig) for rig in (first, again, other)]
    assert decks[0] == decks[1]
    assert first.digests() == again.digests() != other.digests()


def test_speaking_twice_says_the_same(kind: DealerKind) -> None:
    """A second answer to one question would give secrets away; and it is checked like everybody's."""
    rig = table(kind)
    rig.begin(Coin(6))
    assert rig.peers[0].speak() is rig.peers[0].speak()
    fresh = Rig(kind, 2, decks=SHORT)
    assert fresh.setups[0].speak() is fresh.setups[0].speak()


def test_coins_are_spread(kind: DealerKind) -> None:
    rig = table(kind, 2)
    values = {rig.do(Coin(2))[0].value for _ in range(20)}
    assert values == {0, 1}
    assert rig.do(Coin(1)) == (Number(0),)


def dealt_hands(rig: Rig) -> tuple[list[tuple[SlotId, ...]], tuple[SlotId, ...]]:
    """Two cards for each of three seats, and the rest of the deck."""
    deck = deck_of(rig)
    hands = rig.do(*(Draw(deck[2 * seat : 2 * seat + 2], seat) for seat in range(3)))
    return [hand.slots for hand in hands], deck[6:]


def test_peek_at_the_deck(kind: DealerKind) -> None:
    """The viewer alone learns, the slots stay what they are, and a reveal shows what it saw."""
    rig = table(kind)
    hands, deck = dealt_hands(rig)
    before = [dict(rig.known(seat)) for seat in range(3)]
    assert rig.do(Peek(deck[:3], 2)) == (Slots(deck[:3]),)
    seen = {slot: card for slot, card in rig.known(2).items() if slot not in hands[2]}
    assert set(seen) == set(deck[:3])
    assert [rig.known(seat) for seat in (0, 1)] == before[:2]
    assert rig.do(Reveal(deck[:3])) == (Cards(tuple(seen[slot] for slot in deck[:3])),)
    assert rig.known(2) == before[2]


def test_peek_at_a_hand(kind: DealerKind) -> None:
    """One speaker, the owner; and what was seen can't be followed through the owner's shuffle."""
    rig = table(kind)
    hands, _ = dealt_hands(rig)
    rig.begin(Peek(hands[0], 1))
    assert rig.peers[None].speakers() == (0,)
    rig.rounds(rig.peers)
    rig.finish()
    theirs = dict(rig.known(0))
    assert {slot: rig.known(1)[slot] for slot in hands[0]} == theirs
    rig.do(Shuffle(hands[0], 0))
    assert set(rig.known(1)) == set(hands[1])


def test_two_may_peek_and_a_third_may_draw(kind: DealerKind) -> None:
    """Peeks publish nothing, so they do not make a reader."""
    rig = table(kind)
    _, deck = dealt_hands(rig)
    rig.do(Peek(deck[:1], 0))
    rig.do(Peek(deck[:1], 1))
    rig.do(Draw(deck[:1], 2))
    assert len({rig.known(seat)[deck[0]] for seat in range(3)}) == 1
    card = rig.known(2)[deck[0]]
    assert rig.do(Reveal(deck[:1])) == (Cards((card,)),)


def test_the_looker_shuffles_what_it_saw(kind: DealerKind) -> None:
    """It keeps track of its cards, nobody else does; who looked before has lost them."""
    rig = table(kind)
    hands, deck = dealt_hands(rig)
    rig.do(Peek(deck[:3], 0))
    rig.do(Peek(deck[:3], 2))
    before = {card for slot, card in rig.known(2).items() if slot in deck}
    (mixed,) = rig.do(Shuffle(deck[:3], 2))
    seen = {slot: rig.known(2)[slot] for slot in mixed.slots}
    assert set(seen.values()) == before
    assert set(rig.known(0)) == set(hands[0])
    assert rig.do(Reveal(mixed.slots)) == (Cards(tuple(seen[slot] for slot in mixed.slots)),)


def test_a_shuffle_by_all_hides_what_was_seen(kind: DealerKind) -> None:
    rig = table(kind)
    hands, deck = dealt_hands(rig)
    rig.do(Peek(deck, 0))
    assert len(rig.known(0)) == len(deck) + 2
    rig.do(Shuffle(deck, TABLE))
    assert set(rig.known(0)) == set(hands[0])


def test_give(kind: DealerKind) -> None:
    """Giver and taker know the card, the third does not; the taker's shuffle hides which one it is."""
    rig = table(kind)
    hands, _ = dealt_hands(rig)
    given = rig.known(0)[hands[0][0]]
    rig.begin(Give(hands[0][:1], 0, 1))
    assert rig.peers[None].speakers() == (0,)
    rig.rounds(rig.peers)
    (moved,) = rig.finish()
    assert rig.known(1)[moved.slots[0]] == rig.known(0)[moved.slots[0]] == given
    assert set(rig.known(2)) == set(hands[2])
    (mixed,) = rig.do(Shuffle((*hands[1], *moved.slots), 1))
    assert set(rig.known(0)) == set(hands[0][1:])
    known = rig.known(1)
    assert given in known.values()
    assert rig.do(Reveal(mixed.slots)) == (Cards(tuple(known[slot] for slot in mixed.slots)),)


def test_swap(kind: DealerKind) -> None:
    """Two gifts side by side."""
    rig = table(kind)
    hands, _ = dealt_hands(rig)
    cards = [rig.known(seat)[hands[seat][0]] for seat in (0, 1)]
    first, second = rig.do(Give(hands[0][:1], 0, 1), Give(hands[1][:1], 1, 0))
    assert rig.known(1)[first.slots[0]] == cards[0]
    assert rig.known(0)[second.slots[0]] == cards[1]


def test_put_back_and_draw_again(kind: DealerKind) -> None:
    """The holder speaks, then the others in order; the next reader reads the same card, the former holder knows it."""
    rig = table(kind)
    hands, deck = dealt_hands(rig)
    cards = [rig.known(1)[slot] for slot in hands[1]]
    rig.begin(PutBack(hands[1], 1))
    spoke = []
    while speakers := rig.peers[None].speakers():
        spoke.append(speakers)
        rig.one_round(rig.peers, speakers, None)
    (back,) = rig.finish()
    assert spoke == [(1,), (0,), (2,)]
    assert rig.known(1) == dict(zip(back.slots, cards, strict=True))
    rig.do(Draw(back.slots, 2))
    assert [rig.known(2)[slot] for slot in back.slots] == cards
    rig.do(PutBack(back.slots, 2))
    assert set(rig.known(0)) == set(hands[0])
    (again,) = rig.do(Shuffle(deck, TABLE))
    assert len(again.slots) == 8


def test_who_saw_a_hand_follows_its_cards_back(kind: DealerKind) -> None:
    """Seen in a hand, put back, still seen: positions are public."""
    rig = table(kind)
    hands, _ = dealt_hands(rig)
    rig.do(Peek(hands[0], 2))
    cards = [rig.known(2)[slot] for slot in hands[0]]
    (back,) = rig.do(PutBack(hands[0], 0))
    for seat in (0, 2):
        assert [rig.known(seat)[slot] for slot in back.slots] == cards
    rig.do(Draw(back.slots, 2))
    assert [rig.known(2)[slot] for slot in back.slots] == cards


def test_exclude(kind: DealerKind) -> None:
    """All cards that the hand does not hold can be excluded; nothing changes."""
    rig = table(kind)
    hands, _ = dealt_hands(rig)
    others = tuple(card for card in HAND[:14] if card not in rig.known(0).values())
    rig.begin(Exclude(hands[0], others))
    assert rig.peers[None].speakers() == (0,)
    rig.rounds(rig.peers)
    assert rig.finish() == (Slots(hands[0]),)
    assert set(rig.known(0)) == set(hands[0])


def test_a_false_exclusion_is_not_said(kind: DealerKind) -> None:
    rig = table(kind)
    hands, _ = dealt_hands(rig)
    rig.begin(Exclude(hands[0], tuple(rig.known(0).values())))
    with pytest.raises(LocalError) as refused:
        rig.peers[0].speak()
    assert refused.value.code == "exclude-false"


def test_all_verbs_side_by_side(kind: DealerKind) -> None:
    """One batch of everything: each verb takes its own rounds, and outcomes come in the order of the verbs."""
    rig = table(kind)
    hands, deck = dealt_hands(rig)
    excluded = tuple(card for card in HAND[:14] if card not in rig.known(2).values())[:2]
    outcomes = rig.do(
        Coin(6),
        PutBack(hands[0][:1], 0),
        Peek(deck[:1], 1),
        Shuffle(deck[1:4], TABLE),
        Give(hands[1][:1], 1, 0),
        Exclude(hands[2], excluded),
        Draw(deck[4:5], 0),
        Reveal(deck[5:6]),
        Seal(ITEMS[:2], 2),
        Shuffle(hands[1][1:], 1),
    )
    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [Number, Slots, Slots, Slots, Slots, Slots, Slots, Cards, Slots, Slots]
    live = rig.peers[None].slots.live()
    assert len(live) == 14 - 1 + 2
    assert len(rig.peers[None].slots.face_down) == len(live)
