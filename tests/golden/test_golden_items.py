"""Golden games of the cursed items, at least one an item. `pytest tests/golden --snapshot-update` writes them anew."""

from __future__ import annotations

import pytest
from fantasy_playthrough import Golden, play
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from frp2p.cards.items import ITEMS
from frp2p.games.fantasy_realms.options import Options

ITEMS_ON = Options(cursed_items=True)
HANDS = (
    "Knights, King, Forest, Unicorn, Warhorse, Elven Archers, Magic Wand",
    "Mountain, Cavern, Candle, Smoke, Island, Dragon, Wildfire",
    "Basilisk, Hydra, Warship, Collector, Beastmaster, Empress, Swamp",
)
DECK = "Queen, Princess, Rainstorm, Forge, Lightning, Warlord, Great Flood, Bell Tower, World Tree, Blizzard, Rangers"
PLAIN = {
    "a": ("draw", "discard Queen", "leave"),
    "b": ("draw", "discard Princess", "leave"),
    "c": ("draw", "discard Rainstorm", "leave"),
    "d": ("draw", "discard Forge", "leave"),
}
"""The first turns of a table of two without the use of an item: seat 0, seat 1, seat 0, seat 1."""


def game(why: str, items: str, *scripts: tuple[str, ...], seats: int = 2, turns: int = 1, deck: str = DECK) -> Golden:
    """A table with the same hands each time; seat 0 begins."""
    options = ITEMS_ON
    hands = HANDS[:seats]
    by_seat = dict(enumerate(scripts))
    return Golden(why, seats, options=options, hands=hands, deck=deck, scripts=by_seat, items=items, turns=turns)


LATER = (*PLAIN["a"], *PLAIN["c"])
"""Two plain turns of seat 0; Queen and Rainstorm lie in the discard area then, and what seat 1 put there."""

OTHER = (*PLAIN["b"], *PLAIN["d"])
"""The same of seat 1: Princess and Forge."""

GAMES = {
    "spyglass": game(
        "Spyglass: one seat sees a hand, nobody else does; with two players it counts -10",
        "Spyglass, Shovel",
        ("use Spyglass", "seat 1", "draw", "discard Queen"),
        turns=0,
    ),
    "sarcophagus": game(
        "Sarcophagus: the top card goes to the discard area, the turn is over, the hand unchanged",
        "Sarcophagus, Shovel",
        ("use Sarcophagus",),
        PLAIN["b"],
        turns=2,
    ),
    "blindfold": game(
        "Blindfold: discard first, then draw from the deck",
        "Blindfold, Shovel",
        ("use Blindfold", "discard Magic Wand"),
    ),
    "book_of_prophecy": game(
        "Book of Prophecy: the bottom seven cards are seen by one and stay where they are",
        "Book of Prophecy, Shovel",
        ("draw", "use Book of Prophecy", "discard Queen"),
    ),
    "crystal_ball": game(
        "Crystal Ball: all others show their Flames and prove that they have no other one",
        "Crystal Ball, Shovel, Rake",
        ("use Crystal Ball", "suit Flame", "draw", "discard Queen"),
        ("pick Candle, Wildfire",),
        ("pick none",),
        seats=3,
    ),
    "market_wagon_swaps": game(
        "Market Wagon: a card is swapped for one of those that the others offer face up",
        "Market Wagon, Shovel, Rake",
        ("use Market Wagon", "pick Magic Wand", "pick Empress"),
        ("pick Smoke, Candle, Dragon",),
        ("pick Empress",),
        seats=3,
    ),
    "market_wagon_keeps": game(
        "Market Wagon: nothing is good enough, all cards go back",
        "Market Wagon, Shovel, Rake",
        ("use Market Wagon", "pick Magic Wand", "pick none"),
        ("pick Smoke",),
        ("pick none",),
        seats=3,
    ),
    "market_wagon_draws": game(
        "Market Wagon: nobody offers anything; the shown card is discarded and a card is drawn",
        "Market Wagon, Shovel, Rake",
        ("use Market Wagon", "pick Magic Wand", "pick Magic Wand"),
        ("pick none",),
        ("pick none",),
        seats=3,
    ),
    "backpack": game(
        "Backpack: three items lie aside; the next replacements are chosen from them",
        "Backpack, Shovel, Portal, Rake, Spyglass, Fishhook",
        ("draw", "discard Queen", "use Backpack", "pick Rake", "draw", "discard Rainstorm", "swap", "pick Spyglass"),
        OTHER,
        turns=3,
    ),
    "shovel": game(
        "Shovel: a discard goes under the deck, face down; everybody knows that it is there",
        "Shovel, Rake",
        (*LATER, "use Shovel", "pick Princess", "draw", "discard Lightning"),
        OTHER,
        turns=5,
    ),
    "sealed_vault": game(
        "Sealed Vault: two covered cards still count; only their owner may take them, Gold Mirror finds too few left",
        "Sealed Vault, Gold Mirror, Shovel",
        (
            *(*LATER, "use Sealed Vault", "pick Queen, Forge", "draw", "discard Lightning"),
            *("take Queen", "discard Magic Wand", "leave"),
        ),
        (*OTHER, "draw", "discard Warlord", "leave"),
        turns=7,
    ),
    "crystal_lens": game(
        "Crystal Lens: the top card is seen before the choice between deck and discards",
        "Crystal Lens, Shovel",
        ("use Crystal Lens", "draw", "discard Magic Wand"),
    ),
    "larcenous_gloves": game(
        "Larcenous Gloves: the other's item is used at once and lies with the thief; its owner has a new one at once",
        "Larcenous Gloves, Winged Boots, Shovel, Rake",
        ("use Larcenous Gloves", "seat 1", "draw", "discard Princess"),
    ),
    "gloves_take_the_turn": game(
        "Larcenous Gloves before the draw: a stolen item may take the place of the turn",
        "Larcenous Gloves, Sarcophagus, Shovel, Rake",
        ("use Larcenous Gloves", "seat 1"),
    ),
    "gloves_map_kit": game(
        "A chain: Gloves steal a Map, the Map finds a Repair Kit, the Kit copies the Gloves, and those steal Boots",
        "Repair Kit, Junkyard Map, Larcenous Gloves, Winged Boots",
        (
            *("draw", "discard Queen", "swap"),
            *("use Larcenous Gloves", "seat 1", "pick Repair Kit", "pick Larcenous Gloves", "seat 1"),
            *("draw", "discard Forge"),
        ),
        ("draw", "discard Princess", "leave"),
        turns=3,
    ),
    "junkyard_map": game(
        "Junkyard Map: one of the three items discarded last is used at once",
        "Winged Boots, Shovel, Junkyard Map, Rake",
        ("draw", "discard Queen", "swap", "draw", "use Junkyard Map", "pick Winged Boots", "discard Rainstorm"),
        PLAIN["b"],
        turns=3,
    ),
    "winged_boots": game(
        "Winged Boots: the top card of the deck goes straight to the discard area, after the discard too",
        "Winged Boots, Shovel",
        ("draw", "discard Queen", "use Winged Boots"),
    ),
    "staff_of_transmutation": game(
        "Staff of Transmutation: hand cards go under the deck unseen and as many are drawn",
        "Staff of Transmutation, Shovel",
        ("use Staff of Transmutation", "pick Magic Wand, Unicorn, Warhorse, Forest"),
    ),
    "rake": game(
        "Rake: two discards are taken, two cards discarded",
        "Rake, Shovel",
        (*LATER, "use Rake", "pick Queen, Princess", "pick Magic Wand, Forest"),
        OTHER,
        turns=5,
    ),
    "treasure_chest": game(
        "Treasure Chest: beside three other used items it counts -5 and +25",
        "Treasure Chest, Shovel, Book of Prophecy, Crystal Lens, Crystal Ball, Rake",
        (
            *("use Treasure Chest", "draw", "discard Queen"),
            *("use Book of Prophecy", "draw", "discard Rainstorm"),
            *("use Crystal Lens", "draw", "discard Lightning"),
            *("use Crystal Ball", "suit Army", "draw", "discard Great Flood"),
            *("draw", "discard World Tree", "leave"),
        ),
        (
            *(*OTHER, "draw", "discard Warlord", "leave", "pick none"),
            *("draw", "discard Bell Tower", "leave", "draw", "discard Blizzard"),
        ),
        turns=0,
    ),
    "fishhook": game(
        "Fishhook: two cards are drawn, any two discarded",
        "Fishhook, Shovel",
        ("use Fishhook", "pick Queen, Magic Wand"),
    ),
    "repair_kit": game(
        "Repair Kit: an item used before is shown, turned down again and used once more",
        "Winged Boots, Shovel, Repair Kit, Rake",
        ("use Winged Boots", "draw", "discard Princess", "use Repair Kit", "pick Winged Boots", "draw", "discard King"),
        ("draw", "discard Rainstorm", "leave"),
        turns=3,
    ),
    "repair_kit_alone": game(
        "Repair Kit with no used item: it is discarded and another one comes at once",
        "Repair Kit, Shovel, Winged Boots, Rake",
        ("use Repair Kit", "use Winged Boots", "draw", "discard Princess"),
    ),
    "repair_kit_excludes": game(
        "Repair Kit can't copy a Treasure Chest: only its owner sees what lies there, so it may have copied nothing",
        "Treasure Chest, Shovel, Repair Kit, Rake",
        (
            "use Treasure Chest",
            "draw",
            "discard Queen",
            "use Repair Kit",
            "pick Treasure Chest",
            "draw",
            "discard King",
        ),
        PLAIN["b"],
        turns=3,
    ),
    "hourglass": game(
        "Hourglass: one more turn; the replacement comes after it",
        "Hourglass, Shovel, Rake",
        ("draw", "discard Queen", "use Hourglass", "draw", "discard Princess"),
        ("draw", "discard Rainstorm", "leave"),
        turns=3,
    ),
    "gold_mirror": game(
        "Gold Mirror: three discards go under the deck, three cards from its top take their place",
        "Gold Mirror, Shovel",
        (*LATER, "use Gold Mirror", "pick Queen, Rainstorm, Forge", "draw", "discard Bell Tower"),
        OTHER,
        turns=5,
    ),
    "cauldron": game(
        "Cauldron: one of the three top cards is kept, the others go where nobody else can tell, then a discard",
        "Cauldron, Shovel",
        ("use Cauldron", "return Princess; top: Rainstorm; bottom: Queen", "discard Magic Wand"),
    ),
    "lantern": game(
        "Lantern: the first Flame is kept, another card discarded, what was shown is shuffled back",
        "Lantern, Shovel",
        ("use Lantern", "suit Flame", "discard Magic Wand"),
    ),
    "lantern_misses": game(
        "Lantern: no hit in ten cards leaves the hand as it was, without a discard; Mirage is no Land",
        "Lantern, Shovel",
        ("use Lantern", "suit Land"),
        deck="Queen, Mirage, Rainstorm, Forge, Lightning, Warlord, Great Flood, Hydra, Blizzard, Rangers, Bell Tower",
    ),
    "portal": game(
        "Portal: the discard of this turn is left out, the hand is larger by one from now on",
        "Portal, Shovel, Rake",
        ("draw", "use Portal", "draw", "discard Magic Wand", "leave"),
        PLAIN["b"],
        turns=3,
    ),
    "portal_before_the_draw": game(
        "Portal: used before the draw it works the same",
        "Portal, Shovel",
        ("use Portal", "draw"),
    ),
    "wishing_ring": game(
        "Wishing Ring: any card goes on top, seen by one only, and the deck is shuffled when the turn ends",
        "Wishing Ring, Shovel",
        ("use Wishing Ring", "pick Warlord", "draw", "discard Magic Wand"),
    ),
    "threshold_in_mid_turn": game(
        "Winged Boots lay the tenth card before the draw: the turn is played to its end, then the game ends",
        "Shovel, Winged Boots",
        (
            *(*LATER, "draw", "discard Lightning", "leave"),
            *("draw", "discard Great Flood", "leave", "draw", "discard World Tree", "leave"),
        ),
        (
            *(*OTHER, "draw", "discard Warlord", "leave"),
            *("draw", "discard Bell Tower", "leave", "use Winged Boots", "draw", "discard Candle"),
        ),
        turns=0,
    ),
    "portal_and_necromancer": game(
        "with a Portal the hand has eight cards; the Necromancer's makes nine, and one must go",
        "Portal, Shovel, Rake",
        (
            *("draw", "use Portal", "draw", "discard Rainstorm", "leave", "draw", "discard Lightning", "leave"),
            *("draw", "discard Great Flood", "leave", "draw", "discard World Tree", "leave"),
            *("draw", "discard Rangers", "extra Princess", "drop Magic Wand"),
        ),
        (
            *(*OTHER, "draw", "discard Warlord", "leave", "draw", "discard Bell Tower", "leave"),
            *("draw", "discard Blizzard", "leave"),
        ),
        deck=DECK.replace("Queen", "Necromancer"),
        turns=0,
    ),
    "duel_gets_items_late": Golden(
        "duel: nobody has an item before its hand is full; the first one comes at the end of that turn",
        seats=2,
        options=Options(mode="duel", cursed_items=True),
        items="Crystal Lens, Shovel, Rake",
        turns=16,
    ),
    "two_rounds": Golden(
        "a second round: all items that lay open or were shown go back into their deck",
        seats=2,
        options=Options(rounds=2, cursed_items=True),
        items="Portal, Crystal Lens, Shovel, Rake",
        scripts={0: ("use Portal",)},
        turns=0,
    ),
}


class Playthrough(SingleFileSnapshotExtension):
    """One text file a game."""

    file_extension = "txt"
    _write_mode = WriteMode.TEXT


@pytest.mark.parametrize("name", GAMES)
def test_golden_item(name: str, snapshot: SnapshotAssertion) -> None:
    assert play(GAMES[name]) == snapshot(extension_class=Playthrough)


def test_no_item_lacks_a_golden_game() -> None:
    lines = [line for golden in GAMES.values() for script in golden.scripts.values() for line in script]
    assert {line.removeprefix("use ") for line in lines if line.startswith("use ")} == {item.en for item in ITEMS}
