"""Golden games of Fantasy Realms. `pytest tests/golden --snapshot-update` writes them anew; review the difference."""

from __future__ import annotations

import msgspec
import pytest
from fantasy_leaving import LEAVING_GAMES
from fantasy_modes import MODES_GAMES
from fantasy_playthrough import Golden, play
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from frp2p.games.fantasy_realms.options import MODES, Options

GAMES = {
    "two_seats": Golden("two players: five turns each if nobody takes a discard", seats=2, first=1),
    "three_seats": Golden("three players: draws, takes, the end in mid-round", seats=3, first=2),
    "six_seats": Golden("six players: one card of the deck is left at the end", seats=6, first=4),
    "linkable_hands": Golden(
        "a table without own-hand shuffles: everybody can follow a taken card to its discard",
        seats=2,
        options=Options(unlinkable_hands=False),
        hands=(
            "Mountain, Cavern, Bell Tower, Forest, Earth Elemental, Swamp, Knights",
            "King, Queen, Princess, Warlord, Empress, Candle, Fire Elemental",
        ),
        scripts={
            0: ("draw", "discard Knights", "draw", "discard Mountain", "take Candle", "discard Swamp"),
            1: ("take Knights", "discard Candle", "draw", "discard Knights"),
        },
    ),
    "necromancer": Golden(
        "the Necromancer's holder takes a Leader out of the discard area and has eight cards",
        seats=2,
        hands=(
            "Necromancer, King, Knights, Light Cavalry, Elven Archers, Dwarvish Infantry, Rangers",
            "Mountain, Cavern, Bell Tower, Forest, Earth Elemental, Swamp, Fire Elemental",
        ),
        deck="Queen, Dragon, Mirage, Smoke, Princess, Candle, Unicorn, Forge, Warlord, Lightning",
        scripts={
            0: (
                *("draw", "discard Queen", "draw", "discard Mirage", "draw", "discard Princess"),
                *("draw", "discard Unicorn", "draw", "discard Warlord", "extra Queen"),
            ),
            1: (
                *("draw", "discard Dragon", "draw", "discard Smoke", "draw", "discard Candle"),
                *("draw", "discard Forge", "draw", "discard Lightning"),
            ),
        },
    ),
    "necromancer_declines": Golden(
        "the Necromancer's holder may take nothing",
        seats=2,
        first=1,
        hands=(
            "Mountain, Cavern, Bell Tower, Forest, Earth Elemental, Swamp, Fire Elemental",
            "Necromancer, King, Knights, Light Cavalry, Elven Archers, Dwarvish Infantry, Rangers",
        ),
        deck="Basilisk, Smoke, Gem of Order, Candle, World Tree, Forge, Magic Wand, Lightning, Rainstorm, Blizzard",
        scripts={
            0: (
                *("draw", "discard Smoke", "draw", "discard Candle", "draw", "discard Forge"),
                *("draw", "discard Lightning", "draw", "discard Blizzard"),
            ),
            1: (
                *("draw", "discard Basilisk", "draw", "discard Gem of Order", "draw", "discard World Tree"),
                *("draw", "discard Magic Wand", "draw", "discard Rainstorm", "extra none"),
            ),
        },
    ),
    "wild_choices": Golden(
        "two players choose for their wild cards, Book of Changes and Island at the same time; one not the best way",
        seats=2,
        hands=(
            "Doppelgänger, Mirage, Queen, King, Knights, Rangers, Swamp",
            "Book of Changes, Island, Bell Tower, Wildfire, Dragon, Basilisk, Warlock Lord",
        ),
        deck="Smoke, Forge, Candle, Whirlwind, Unicorn, Hydra, Warlord, Collector, Princess, Cavern",
        scripts={
            0: (
                *("draw", "discard Smoke", "draw", "discard Candle", "draw", "discard Unicorn"),
                *("draw", "discard Warlord", "draw", "discard Princess"),
                "choose Doppelgänger=King; Mirage=Army",
            ),
            1: (
                *("draw", "discard Forge", "draw", "discard Whirlwind", "draw", "discard Hydra"),
                *("draw", "discard Collector", "draw", "discard Cavern"),
            ),
        },
    ),
    **MODES_GAMES,
    **LEAVING_GAMES,
    "tie": Golden(
        "three equal totals: the two weaker hands share the first place, the strongest is third",
        seats=3,
        first=1,
        hands=(
            "Blizzard, Light Cavalry, Beastmaster, Queen, Dragon, Magic Wand, World Tree",
            "Elven Archers, Warlock Lord, Warlord, Warship, Sword of Keth, Shield of Keth, Protection Rune",
            "Great Flood, Water Elemental, Rainstorm, Whirlwind, Knights, Enchantress, Hydra",
        ),
        deck="Mountain, Cavern, Bell Tower, Forest, Smoke, Swamp, Fire Elemental, Candle, Forge, Unicorn",
        scripts={
            0: ("draw", "discard Bell Tower", "draw", "discard Swamp", "draw", "discard Forge"),
            1: (
                *("draw", "discard Mountain", "draw", "discard Forest", "draw", "discard Fire Elemental"),
                *("draw", "discard Unicorn"),
            ),
            2: ("draw", "discard Cavern", "draw", "discard Smoke", "draw", "discard Candle"),
        },
    ),
}


class Playthrough(SingleFileSnapshotExtension):
    """One text file a game."""

    file_extension = "txt"
    _write_mode = WriteMode.TEXT


@pytest.mark.parametrize("name", GAMES)
def test_golden_game(name: str, snapshot: SnapshotAssertion) -> None:
    assert play(GAMES[name]) == snapshot(extension_class=Playthrough)


def test_no_mode_lacks_a_golden_game() -> None:
    assert {golden.options.mode for golden in GAMES.values()} == set(MODES)


def test_no_option_lacks_a_golden_game() -> None:
    for name, usual in msgspec.structs.asdict(Options()).items():
        if name not in ("hints", "cursed_items"):
            assert any(getattr(golden.options, name) != usual for golden in GAMES.values()), name
    assert {golden.options.phoenix for golden in GAMES.values()} == {"off", "deluxe", "promo"}
