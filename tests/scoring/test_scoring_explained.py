"""What an explained score says: lines with causes, clearing, blanking, and the steps in order."""

from __future__ import annotations

import itertools

import pytest
from hand_lines import part, points, read, scored

from frp2p.cards import CARDS, Suit
from frp2p.cards.effects import BestStrength, Blanks, Each
from frp2p.scoring import Blanked, Cleared, Context, House, ItemScore, Step, score, tie_strength
from frp2p.scoring.houses import bonus_of, penalty_of


def test_every_line_names_the_cards_that_brought_it() -> None:
    king = part(scored("King, Queen, Knights, Elven Archers"), "FR31")
    assert (king.base, king.points) == (8, 48)
    assert [(line.side, line.points, set(line.causes)) for line in king.lines] == [
        ("bonus", 40, {"FR32", "FR21", "FR22"})
    ]


def test_a_penalty_line_costs() -> None:
    empress = part(scored("Empress, King, Knights"), "FR35")
    assert [(line.side, line.points, line.causes) for line in empress.lines] == [
        ("bonus", 10, ("FR21",)),
        ("penalty", -5, ("FR31",)),
    ]


def test_runs_and_sets_give_a_line_each() -> None:
    gem = part(scored("Gem of Order, Magic Wand, World Tree, Book of Changes, Knights, Sword of Keth, King"), "FR47")
    assert [(line.points, set(line.causes)) for line in gem.lines] == [(10, {"FR42", "FR48", "FR49"})]
    line = "Collector, Swamp, Island, Water Elemental, Air Elemental, Smoke, Whirlwind, Candle"
    collector = part(scored(line), "FR26")
    assert [(line.points, line.suit, len(line.causes)) for line in collector.lines] == [
        (10, Suit.FLOOD, 3),
        (10, Suit.WEATHER, 3),
    ]


def test_castle_gives_a_line_for_each_suit() -> None:
    castle = part(scored("Castle, King, Queen, Knights, Crypt, Dungeon", extra_suits=True), "CH02")
    assert {(line.points, line.suit) for line in castle.lines} == {(10, Suit.ARMY), (15, Suit.BUILDING)}


def test_dungeon_counts_names_also_of_copies() -> None:
    dungeon = part(scored("Dungeon, Warlock Lord, Doppelgänger; Doppelgänger=Warlock Lord", extra_suits=True), "CH01")
    assert [(line.points, set(line.causes)) for line in dungeon.lines] == [(10, {"FR29", "FR53"})]


def test_the_discard_area_is_named_as_cause() -> None:
    ghoul = part(scored("Ghoul | discard: King, Candle, Hydra", extra_suits=True), "CH12")
    assert [(line.points, line.causes) for line in ghoul.lines] == [(8, ("FR31", "FR40"))]
    queen = part(scored("Dark Queen | discard: Unicorn, Candle, Hydra", extra_suits=True), "CH11")
    assert [(line.points, line.causes) for line in queen.lines] == [(10, ("FR36", "FR17"))]


def test_genie_counts_the_other_players() -> None:
    genie = part(scored("Genie | players: 5", extra_suits=True), "CH06")
    assert (genie.base, genie.points) == (-50, -10)


def test_what_was_cleared_names_the_clearer() -> None:
    result = scored("Swamp, Knights, Fire Elemental, Rangers, Mountain")
    swamp = part(result, "FR07")
    assert set(swamp.cleared) == {Cleared("FR25", Suit.ARMY), Cleared("FR01")}
    assert swamp.points == 18
    assert part(result, "FR21").cleared == ()  # the penalty of Knights does not say Army
    assert {(step.kind, step.card, step.cards, step.suit) for step in result.steps} == {
        ("word", "FR25", ("FR07",), Suit.ARMY),
        ("clear", "FR01", ("FR07",), None),
    }


def test_the_word_is_gone_from_the_line_that_is_left() -> None:
    result = scored("Swamp, Knights, Fire Elemental, Rangers")
    (line,) = part(result, "FR07").lines
    assert line.effect.look.suits == (Suit.FLAME,)
    assert (line.points, line.causes) == (-3, ("FR20",))


def test_island_clears_what_was_chosen() -> None:
    result = scored("Blizzard, Wildfire, Island, Basilisk; Island=Wildfire")
    assert part(result, "FR16").cleared == (Cleared("FR09"),)
    assert part(result, "FR09").blanked == Blanked("blanks", ("FR12",))
    assert Step("clear", "FR09", ("FR16",)) in result.steps


def test_wild_cards_and_book_are_steps_in_the_order_of_the_rules() -> None:
    line = (
        "Book of Changes, Shapeshifter, Mirage, Doppelgänger, King; "
        "Book of Changes=Mirage:Leader; Shapeshifter=Queen; Mirage=army; Doppelgänger=King"
    )
    result = scored(line)
    assert [(step.kind, step.card, step.cards, step.name, step.suit) for step in result.steps] == [
        ("copy", "FR53", ("FR31",), None, None),
        ("guise", "FR52", (), None, Suit.ARMY),
        ("guise", "FR51", (), "Queen", Suit.LEADER),
        ("suit", "FR49", ("FR52",), None, Suit.LEADER),
    ]
    mirage, shapeshifter, copy = (part(result, card_id) for card_id in ("FR52", "FR51", "FR53"))
    assert (mirage.name, mirage.suits, mirage.copied) == (None, (Suit.LEADER,), None)
    assert (shapeshifter.name, shapeshifter.suits, shapeshifter.copied) == ("Queen", (Suit.LEADER,), "FR32")
    assert (copy.name, copy.suits, copy.copied, copy.base) == ("King", (Suit.LEADER,), "FR31", 8)


def test_an_unused_wild_card_keeps_its_name() -> None:
    mirage = part(scored("Mirage, King"), "FR52")
    assert (mirage.name, mirage.suits, mirage.copied, mirage.points) == ("Mirage", (Suit.WILD,), None, 0)


def test_the_phoenix_shows_its_three_suits() -> None:
    phoenix = part(scored("Phoenix, King", phoenix="deluxe"), "FR55")
    assert phoenix.suits == (Suit.WEATHER, Suit.FLAME, Suit.BEAST)


def test_items_are_scored_one_by_one() -> None:
    result = scored("King | items: Treasure Chest, Spyglass, Sarcophagus, Portal | players: 2")
    assert result.items == (
        ItemScore("CH39", -5, 25),
        ItemScore("CH24", -10, 0),
        ItemScore("CH25", 5, 0),
        ItemScore("CH46", -20, 0),
    )
    assert [one.points for one in result.items] == [20, -10, 5, -20]
    assert result.total == 8 - 5


@pytest.mark.parametrize(("line", "extra"), [("Chest, Rake, Shovel", 0), ("Chest, Rake, Shovel, Portal", 25)])
def test_the_treasure_chest_wants_three_others(line: str, extra: int) -> None:
    items = line.replace("Chest", "Treasure Chest")
    assert part_of_item(items).extra == extra


def part_of_item(items: str) -> ItemScore:
    return scored(f"King | items: {items}").items[0]


def test_ties_are_broken_by_the_strength_of_living_cards() -> None:
    result = scored("Basilisk, King, Doppelgänger, Hydra, Candle; Doppelgänger=Candle")
    assert result.strength == 35 + 2 + 2
    assert tie_strength(("FR31", "FR32"), context=Context()) == 14


def test_nameless_wilds_are_two_different_cards_for_collector() -> None:
    line = "Collector, Mirage, Shapeshifter, Book of Changes, Candle; Mirage=flame; Shapeshifter=weapon; "
    assert points(line + "Book of Changes=Shapeshifter:Flame") == 7 + 10 + 3 + 2


def test_an_empty_hand_scores_nothing() -> None:
    assert score(()).total == 0


def test_printed_rules_of_other_and_self() -> None:
    assert points("Warlock Lord, Book of Changes; Book of Changes=Warlock Lord:Leader") == 25 - 10 + 3
    assert points("Princess, Book of Changes; Book of Changes=Princess:Army") == 2 + 8 + 3
    assert points("Crypt, Book of Changes; Book of Changes=Crypt:Undead", extra_suits=True) == 21 + 21 + 3
    assert points("Crypt, Book of Changes; Book of Changes=Crypt:Leader", extra_suits=True) == 3
    assert points("Garden, Book of Changes; Book of Changes=Garden:Undead", extra_suits=True) == 3
    assert points("Castle, Book of Changes; Book of Changes=Castle:Land", extra_suits=True) == 10 + 10 + 3


@pytest.mark.parametrize(
    ("card", "suit", "worth"),
    [
        ("Elven Archers", "Weather", 10),
        ("Knights", "Leader", 20),
        ("Dragon", "Wizard", 30),
        ("Bell Tower", "Wizard", 8 + 15),
        ("Warhorse", "Leader", 6 + 14),
        ("Magic Wand", "Wizard", 1 + 25),
        ("Sword of Keth", "Leader", 7 + 10),
        ("Shield of Keth", "Leader", 4 + 15),
        ("Warlord", "Army", 4 + 4),
        ("King", "Army", 8 + 5),
        ("Forest", "Beast", 7 + 12),
        ("Swamp", "Army", 18 - 3),
        ("Swamp", "Flame", 18 - 3),
        ("Light Cavalry", "Land", 17 - 2),
        ("Dwarvish Infantry", "Army", 15),
        ("Smoke", "Flame", 27),
        ("War Dirigible", "Army", 35),
        ("War Dirigible", "Weather", 0),
        ("Warship", "Flood", 23),
        ("Basilisk", "Beast", 35),
        ("Basilisk", "Army", 0),
        ("Rainstorm", "Flood", 8 + 10),
        ("Rainstorm", "Flame", 0),
        ("Blizzard", "Flood", 0),
        ("Blizzard", "Beast", 30 - 5),
        ("Great Flood", "Land", 0),
        ("Wildfire", "Army", 0),
        ("Wildfire", "Wizard", 40),
        ("Empress", "Army", 15 + 10),
        ("Enchantress", "Land", 5 + 5),
        ("Beastmaster", "Beast", 9 + 9),
        ("Water Elemental", "Land", 4),
        ("Forge", "Weapon", 9 + 9 + 9),
    ],
)
def test_a_card_counts_itself_where_its_text_does_not_say_other(card: str, suit: str, worth: int) -> None:
    """Book of Changes is the only other card: an Artifact, for the Forge."""
    result = scored(f"{card}, Book of Changes; Book of Changes={card}:{suit}")
    assert result.cards[0].points == worth


def test_chapel_counts_wherever_the_cards_stand() -> None:
    for line in ("King, Chapel, Collector", "Collector, King, Chapel", "Chapel, Collector, King"):
        assert points(line, extra_suits=True) == 2 + 40 + 8 + 7


def test_a_blanked_first_promo_keeps_its_suits_without_strength() -> None:
    result = scored("Phoenix, Rainstorm, Smoke, Jester", phoenix="promo", jester=True)
    phoenix = part(result, "FR55P")
    assert (phoenix.points, phoenix.blanked) == (0, Blanked("blanks", ("FR11",)))
    assert part(result, "FR13").points == 27
    assert points("Phoenix, Swamp, Smoke, Beastmaster", phoenix="promo") == 14 + 18 - 3 + 27 + 9 + 9
    # blanked by itself it still is a Flame for the Smoke, in whatever order they are settled
    assert points("Phoenix, Water Elemental, Smoke", phoenix="promo") == 4 + 27


def test_demon_and_the_phoenix() -> None:
    assert points("Demon, Phoenix", extra_suits=True, phoenix="promo") == 45
    assert points("Demon, Phoenix, Candle, Basilisk", extra_suits=True, phoenix="promo") == 45 + 2 + 35
    assert points("Demon, Phoenix", extra_suits=True, phoenix="deluxe") == 45 + 14


def test_the_book_moves_the_first_promo_but_leaves_its_further_suits() -> None:
    line = "Phoenix, Book of Changes, Blizzard; Book of Changes=Phoenix:Army"
    assert points(line, phoenix="promo") == 14 + 3 + 30 - 10
    back = part(scored("Phoenix, Book of Changes; Book of Changes=Phoenix:Flame", phoenix="promo"), "FR55P")
    assert back.suits == (Suit.WEATHER, Suit.FLAME)


@pytest.mark.parametrize(
    "line",
    [
        "Angel, King, Knights; Angel=King",  # no penalty blanks
        "Lich, Ghoul, King, Knights",
        "Basilisk, Lich, Book of Changes, King; Book of Changes=Lich:Leader",  # no Undead is there to keep
    ],
)
def test_nothing_is_kept_where_nothing_blanks_or_nobody_is_there(line: str) -> None:
    assert not [step for step in scored(line, extra_suits=True).steps if step.kind == "guard"]


@pytest.mark.parametrize("cleared", [True, False])
@pytest.mark.parametrize("blanker", ["Basilisk", "Rainstorm", "Wildfire", "Blizzard"])
def test_only_a_flood_ever_blanks_the_deluxe_phoenix(blanker: str, cleared: bool) -> None:
    result = scored(f"Phoenix, {blanker}", phoenix="deluxe", phoenix_cleared=cleared)
    assert part(result, "FR55").blanked is None


@pytest.mark.parametrize("line", ["Candle, Phoenix, Great Flood", "Great Flood, Candle, Phoenix"])
def test_the_flood_that_blanks_the_deluxe_phoenix_spares_nobody_else(line: str) -> None:
    result = scored(line, phoenix="deluxe", phoenix_cleared=False)
    assert {one.card for one in result.cards if one.blanked} == {"FR17", "FR55"}


@pytest.mark.parametrize(
    ("line", "blanked"),
    [
        # Phoenix waits for the Flood that Smoke is now, and Smoke for the Flame: Phoenix is first
        ("Phoenix, Smoke, Book of Changes; Book of Changes=Smoke:Flood", {"FR55", "FR13"}),
        # Smoke waits for the Flame, and the Flame for the Weather: Smoke is first
        ("Smoke, War Dirigible, Book of Changes, Knights; Book of Changes=War Dirigible:Flame", {"FR45"}),
        # of two of the same name the lower id
        (
            "Smoke, Doppelgänger, War Dirigible, Book of Changes, Knights; "
            "Doppelgänger=Smoke; Book of Changes=War Dirigible:Flame",
            {"FR53", "FR45"},
        ),
    ],
)
def test_where_each_waits_for_the_other_the_fixed_order_decides(line: str, blanked: set[str]) -> None:
    hand, choices, context = read(line, phoenix="deluxe")
    for order in itertools.permutations(hand):
        assert {one.card for one in score(order, choices, context).cards if one.blanked} == blanked


@pytest.mark.parametrize(
    ("line", "causes"),
    [
        ("Bell Tower, Warlock Lord, Knights", ("FR29",)),
        ("Candle, Knights, Bell Tower, Book of Changes, Warlock Lord", ("FR03", "FR49", "FR29")),
        ("Fountain of Life, Knights, Water Elemental, Fire Elemental, Candle", ("FR10",)),  # the first of equals
        ("Elven Archers, Knights", ()),
        ("Warlord, Candle, Knights, Light Cavalry", ("FR21", "FR23")),
        ("World Tree, Knights, Candle", ("FR48", "FR21", "FR17")),
        ("Jester, Knights, Candle, Magic Wand", ("FR42",)),
        ("Jester, Magic Wand, Dragon", ("FR42",)),
        ("Genie, Knights", ()),
    ],
)
def test_a_line_names_all_its_causes_and_no_others(line: str, causes: tuple[str, ...]) -> None:
    (found,) = scored(line, jester=True, extra_suits="Genie" in line).cards[0].lines
    assert found.causes == causes


def test_other_stands_only_where_it_is_read() -> None:
    for house in (House(), House(fountain_self=False)):
        for printed in CARDS.values():
            for effect in bonus_of(printed, house) + penalty_of(printed, house):
                if not isinstance(effect, Each | Blanks | BestStrength):
                    looks = [
                        getattr(effect, "look", None),
                        *getattr(effect, "needs", ()),
                        getattr(effect, "boost", None),
                    ]
                    for line in getattr(effect, "lines", ()):
                        looks += line.needs
                    assert not any(look.other for look in looks if look is not None), printed.en


def test_angel_without_a_choice_keeps_only_itself() -> None:
    hand, choices, context = read("Knights, Angel, Basilisk, Empress", extra_suits=True)
    for order in itertools.permutations(hand):
        assert {one.card for one in score(order, choices, context).cards if one.blanked} == {"FR21", "FR35"}
