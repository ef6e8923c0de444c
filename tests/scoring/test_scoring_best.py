"""The search against trying everything, on random hands rich in special cards; and the best card to add."""

from __future__ import annotations

import random

import msgspec
import pytest
from brute_force import best_by_trying, ways
from hands import MEDDLERS

from frp2p.cards import CardId, card, deck
from frp2p.scoring import (
    Choices,
    Context,
    House,
    IllegalChoices,
    ability_of,
    best,
    best_extra,
    best_total,
    necromancer_may_take,
    total,
)
from frp2p.scoring.search import Search

MOST_WAYS = 3000
"""Ways to choose that one hand of these tests may have: trying them takes a tenth of a second."""

WHOLE = ("Collector", "World Tree", "Demon", "Judge", "Chapel", "Gem of Order", "Jester", "Dungeon", "Castle")


def random_table(seed: int) -> tuple[tuple[CardId, ...], Context]:
    """A hand of three to eight cards with one to four choosers, the others mostly meddlers."""
    source = random.Random(seed)
    while True:
        context = Context(
            players=source.choice((2, 4)),
            extra_suits=source.random() < 0.6,
            jester=source.random() < 0.3,
            phoenix=source.choice(("off", "deluxe", "promo")),
            house=House(
                book_wild=source.random() < 0.2,
                wildfire_wilds=source.random() < 0.8,
                phoenix_cleared=source.random() < 0.8,
                forest_each=source.random() < 0.2,
            ),
        )
        cards = context.deck()
        asking = [card_id for card_id in cards if ability_of(card_id) is not None]
        others = [card_id for card_id in cards if ability_of(card_id) is None]
        special = [card_id for card_id in others if card(card_id).en in MEDDLERS or card(card_id).en in WHOLE]
        size = source.randint(3, 8)
        number = source.randint(1, min(4, size))
        pool = special if source.random() < 0.6 else others
        hand = tuple(source.sample(asking, min(number, len(asking))))
        hand += tuple(source.sample(pool, size - len(hand)))
        if ways(hand, context) <= MOST_WAYS:
            return hand, context


@pytest.mark.parametrize("seed", range(120))
def test_the_search_finds_what_trying_everything_finds(seed: int) -> None:
    hand, context = random_table(seed)
    choices, result = best(hand, context)
    assert (result.total, choices.count()) == best_by_trying(hand, context)


COMPARERS = ("Collector", "World Tree", "Demon")


def comparing_table(seed: int) -> tuple[tuple[CardId, ...], Context]:
    """A small hand in which a card compares suits or names, with two or three cards that can change them."""
    source = random.Random(seed)
    while True:
        context = Context(extra_suits=source.random() < 0.7, house=House(book_wild=source.random() < 0.5))
        cards = context.deck()
        comparing = [card_id for card_id in cards if card(card_id).en in COMPARERS]
        changing = [
            card_id
            for card_id in cards
            if ability_of(card_id) in ("mirage", "shapeshifter", "book", "doppelganger", "angel")
        ]
        hand = [source.choice(comparing), *source.sample(changing, source.choice((2, 2, 3)))]
        others = [card_id for card_id in cards if card_id not in hand and ability_of(card_id) is None]
        hand += source.sample(others, source.randint(0, 5 - len(hand)))
        if ways(hand, context) <= MOST_WAYS:
            return tuple(hand), context


@pytest.mark.parametrize("seed", range(120))
def test_the_search_finds_what_trying_everything_finds_where_cards_compare(seed: int) -> None:
    hand, context = comparing_table(seed)
    choices, result = best(hand, context)
    assert (result.total, choices.count()) == best_by_trying(hand, context)


@pytest.mark.parametrize("seed", range(60))
def test_a_search_for_more_finds_the_best_or_nothing(seed: int) -> None:
    hand, context = random_table(seed)
    whole = Search(hand, context)
    whole.run()
    more = Search(hand, context, whole.total - 1)
    more.run()
    assert (more.total, more.choices) == (whole.total, whole.choices)
    nothing = Search(hand, context, whole.total)
    nothing.run()
    assert (nothing.total, nothing.choices) == (whole.total, Choices())


SIX = "FR49 FR53 FR09 CH08 CH22 CH23"
WORK = {
    f"{SIX} CH18 FR16 CH21": (50, 20, 1),
    f"{SIX} FR16 CH21 FR55": (2390, 55, 626),
    f"{SIX} CH21 FR55 CH03": (838, 9, 69),
    f"{SIX} FR07 FR16 CH21": (2437, 24, 528),
    f"{SIX} CH18 FR03 CH04": (20, 5, 3),
    f"{SIX} FR26 CH05 CH09": (279, 1, 2),
    f"{SIX} FR34 FR24 CH02": (203, 1, 30),
    f"{SIX} CH06 FR37 FR31": (2282, 208, 97),
    "FR51 FR52 FR53 FR48 FR26 FR16 FR12": (15, 8, 15),
    "FR51 FR49 FR31 FR32 FR43 FR46 FR47": (7, 1, 2),
    "FR52 FR09 FR08 FR16 FR41 FR45 FR13": (9, 8, 1),
    "FR53 FR49 FR48 FR37 FR08 FR16 FR07": (301, 203, 13),
}
"""What the search took for some hands when this was written (boards, settled, sums): a short cut lost takes more."""


@pytest.mark.parametrize("line", WORK)
def test_the_search_looks_no_further_than_it_must(line: str) -> None:
    hoard = "CH08" in line
    context = Context(extra_suits=hoard, jester=hoard, phoenix="deluxe" if hoard else "off")
    search = Search(tuple(map(CardId, line.split())), context)
    search.run()
    took = (search.boards, search.settled, search.sums)
    assert all(now <= then for now, then in zip(took, WORK[line], strict=True)), took


@pytest.mark.parametrize(
    ("line", "extra_suits", "choices"),
    [
        # an Army of its own finds itself and blanks no one: the royal couple lives
        ("FR37 FR31 FR32 FR21 FR49", False, Choices(book=(CardId("FR37"), "army"))),
        # the same where nobody else looks for an Army
        ("FR37 FR23 FR40 FR36 FR22 FR49", False, Choices(book=(CardId("FR37"), "army"))),
        # a Leader of its own finds itself, an Army doesn't beside Rangers
        ("FR37 FR25 FR31 FR32 FR22 FR49", False, Choices(book=(CardId("FR37"), "leader"))),
        # no Shapeshifter is a Land by itself, and the Elemental wants another one
        ("FR05 FR51 FR49", False, Choices(book=(CardId("FR51"), "land"))),
        # Great Flood blanks every Flame but Lightning, and Smoke needs one
        ("FR08 FR13 FR52", False, Choices(mirage="FR19")),
        # Demon spares an Outsider, and Chapel wants a second one
        ("CH10 CH04 CH02 FR36 FR49", True, Choices(book=(CardId("FR36"), "outsider"))),
        # Demon blanks a leader that the Book left alone: two of those that Chapel counts stay
        ("CH10 FR49 CH07 FR33 CH04 FR31", True, Choices(book=(CardId("FR31"), "building"))),
        # Basilisk blanks other Beasts, and nothing else tells a Beast from a Land
        ("FR37 FR49 FR36", False, Choices(book=(CardId("FR36"), "land"))),
        # World Tree wants no two of a suit, and Doppelgänger is as Wild as Mirage
        ("CH21 FR53 CH08 CH23", True, Choices(mirage="FR21")),
        # Dungeon wants either name, Collector the one that isn't there yet
        ("FR26 CH01 CH20 CH22", True, Choices(shapeshifter="FR29")),
        # Collector wants another name
        ("FR26 FR31 FR32 FR22 FR51", False, Choices(shapeshifter="FR33")),
    ],
)
def test_the_search_sees_what_only_one_card_sees(line: str, extra_suits: bool, choices: Choices) -> None:
    hand, context = tuple(map(CardId, line.split())), Context(extra_suits=extra_suits)
    found, result = best(hand, context)
    assert (result.total, found.count()) == best_by_trying(hand, context)
    assert found == choices


def test_the_deluxe_phoenix_is_never_changed() -> None:
    # as a Leader it would be worth ten to the Sword of Keth
    hand = tuple(map(CardId, ("FR55", "FR49", "FR37", "FR43")))
    assert best(hand, Context(phoenix="deluxe"))[0] == Choices()


def test_a_hand_without_a_choice_is_worth_what_it_is() -> None:
    for line in ("FR31 FR32 FR21", "FR08 FR16 FR12", "FR12 FR08", "FR29 FR31 FR37 FR35", "FR08 FR21"):
        hand = tuple(map(CardId, line.split()))
        choices, result = best(hand)
        assert choices == Choices()
        assert result.total == best_total(hand) == total(hand)


def test_angel_keeps_itself_without_being_chosen() -> None:
    angel, wildfire = CardId("CH08"), CardId("FR16")
    assert best((angel, wildfire), Context(extra_suits=True))[0] == Choices()
    assert best_total((angel, wildfire), Context(extra_suits=True)) == 16 + 40


def test_the_book_makes_a_card_wild_only_where_that_is_the_rule() -> None:
    # World Tree wants to be no second Artifact; Wildfire leaves it only suits that are there already, and Wild
    line = ("FR49", "FR48", "FR16", "FR26", "FR13", "FR44")
    hand = tuple(map(CardId, line))
    choices, result = best(hand, Context(house=House(book_wild=True)))
    assert choices == Choices(book=(CardId("FR48"), "wild"))
    assert result.total > best_total(hand)
    assert best(hand)[0].book != choices.book


@pytest.mark.parametrize(("line", "copied"), [("FR49 FR53 FR37", "FR49"), ("FR49 FR53 FR37 FR08", "FR08")])
def test_what_the_book_was_tried_for_is_forgotten(line: str, copied: str) -> None:
    # ways with the Book are tried before the best one, which leaves it closed
    assert best(tuple(map(CardId, line.split())))[0] == Choices(doppelganger=CardId(copied))


def test_of_equal_choices_the_fewest_are_taken() -> None:
    assert best((CardId("FR49"), CardId("FR37")))[0] == Choices()
    # Mirage as a Flood is enough; Island has nothing to clear
    assert best((CardId("FR09"), CardId("FR10"), CardId("FR52")))[0].count() == 1


def test_of_equal_choices_the_first_is_taken() -> None:
    # any Leader would do for the Knights; King is the first of them
    choices, _ = best((CardId("FR51"), CardId("FR21")))
    assert choices == Choices(shapeshifter="FR31")
    # Mirage takes a name that no card notices and that is not in the hand: Fire Elemental wants any Flame
    choices, _ = best((CardId("FR52"), CardId("FR20"), CardId("FR16")))
    assert choices == Choices(mirage="FR17")


def test_a_plain_suit_is_taken_where_the_hand_has_all_names() -> None:
    floods = tuple(card_id for card_id in deck() if card(card_id).suit == "flood")
    assert best((*floods[1:], CardId("FR52")))[0].mirage == floods[0]
    assert best((*floods, CardId("FR52")))[0].mirage == "flood"


def test_items_count_for_the_best_total_too() -> None:
    assert best_total((CardId("FR31"),), Context(items=(CardId("CH25"),))) == 8 + 5


def test_a_hand_that_cannot_be_is_refused() -> None:
    with pytest.raises(IllegalChoices):
        best((CardId("FR31"), CardId("FR31")))
    with pytest.raises(IllegalChoices):
        best((CardId("FR99"),))


def test_the_record_hand_of_the_base_game() -> None:
    hand = [CardId(one) for one in ("FR03", "FR17", "FR28", "FR38", "FR43", "FR46", "FR47", "FR49")]
    choices, result = best(hand)
    assert result.total == 397
    assert choices == Choices(book=(CardId("FR03"), "leader"))


def test_the_best_extra_card_is_found_with_its_choices() -> None:
    hand = (CardId("FR28"), CardId("FR32"), CardId("FR21"))
    discard = (CardId("FR16"), CardId("FR31"), CardId("FR22"))
    allowed = [card_id for card_id in discard if necromancer_may_take(card_id)]
    assert allowed == ["FR31", "FR22"]
    extra = best_extra(hand, allowed, Context(discard=discard))
    assert extra == ("FR31", best_total((*hand, CardId("FR31"))))


def test_no_extra_card_is_better_than_one_that_harms() -> None:
    hand = (CardId("FR28"), CardId("FR31"), CardId("FR32"), CardId("FR21"))
    harm = [CardId("FR37")]
    assert best_extra(hand, harm) == (None, best_total(hand))
    assert best_extra(hand, harm, must=True) == ("FR37", best_total((*hand, CardId("FR37"))))
    assert best_extra(hand, [], must=True) == (None, best_total(hand))


def test_of_equal_extra_cards_the_first_is_taken() -> None:
    equal = [CardId(one) for one in ("FR34", "FR20", "FR15", "FR10", "FR05")]  # each worth four beside a Unicorn
    for pool in (equal, equal[::-1], equal[2:] + equal[:2]):
        assert best_extra((CardId("FR36"),), pool) == ("FR05", 9 + 4)
        assert best_extra((CardId("FR36"),), [*pool, CardId("FR03")], must=True) == ("FR03", 9 + 8)


def test_no_extra_card_counts_the_items_once() -> None:
    context = Context(items=(CardId("CH25"),))
    hand = (CardId("FR31"), CardId("FR32"), CardId("FR21"))
    assert best_extra(hand, [CardId("FR37")], context) == (None, best_total(hand, context))


def test_a_card_taken_out_of_the_discard_area_does_not_count_there() -> None:
    context = Context(extra_suits=True, discard=(CardId("FR21"), CardId("FR42"), CardId("FR22")))
    hand = (CardId("CH15"), CardId("CH20"))  # Death Knight reads Weapons and Armies of the discard area
    assert best_total(hand, context) == 14 + 21 + 3
    assert best_extra(hand, [CardId("FR21")], context) == ("FR21", 14 + 14 + 3 + 20 - 8)


@pytest.mark.parametrize("must", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_the_best_extra_card_is_what_trying_each_card_finds(seed: int, must: bool) -> None:
    hand, around = random_table(seed)
    source = random.Random(seed)
    others = [card_id for card_id in around.deck() if card_id not in hand]
    pool = source.sample(others, 8)
    context = msgspec.structs.replace(around, discard=tuple(pool[:4]), items=(CardId("CH25"),))
    totals = [] if must else [(best_total(hand, context), True, "")]
    for candidate in pool[2:]:
        left = tuple(one for one in context.discard if one != candidate)
        totals.append(
            (best_total((*hand, candidate), msgspec.structs.replace(context, discard=left)), False, candidate)
        )
    most = max(total for total, _, _ in totals)
    reached = [(not nothing, card_id) for total, nothing, card_id in totals if total == most]
    expected = min(reached)[1] or None
    assert best_extra(hand, pool[2:], context, must=must) == (expected, most)


@pytest.mark.parametrize("name", ["Jester", "Phoenix"])
def test_the_necromancer_takes_promos_by_their_suit(name: str) -> None:
    found = next(one for one in deck(jester=True, phoenix="promo") if card(one).en == name)
    assert necromancer_may_take(found)


def test_the_necromancer_takes_undead_only_with_extra_suits() -> None:
    lich, mirage, knights = CardId("CH14"), CardId("FR52"), CardId("FR21")
    assert not necromancer_may_take(lich)
    assert necromancer_may_take(lich, extra_suits=True)
    assert not necromancer_may_take(mirage, extra_suits=True)
    assert necromancer_may_take(knights, extra_suits=True)
    assert not necromancer_may_take(CardId("CH09"), extra_suits=True)
