"""Golden games in which a seat leaves, or the game is stopped."""

from __future__ import annotations

from fantasy_modes import EXTRA, PLAIN, TWELVE, straight
from fantasy_playthrough import Golden

from frp2p.games.fantasy_realms.options import Options

ITEMS = Options(cursed_items=True)

LEAVING_GAMES = {
    "leaves_in_its_turn": Golden(
        "a seat leaves in its turn, after it has taken a card: its hand is gone with that card, its open item is"
        " discarded, what it had covered is free, and the next seat is in turn",
        seats=3,
        options=ITEMS,
        items="Sealed Vault, Spyglass, Portal, Blindfold",
        hands=(
            "King, Knights, Rangers, Elven Archers, Light Cavalry, Warship, Shield of Keth",
            "Mountain, Cavern, Forest, Bell Tower, Swamp, Gem of Order, World Tree",
            "Wildfire, Basilisk, Warlock Lord, Beastmaster, Collector, Warhorse, Magic Wand",
        ),
        deck="Queen, Dragon, Forge, Smoke, Princess, Candle, Unicorn, Lightning, Warlord, Hydra",
        scripts={
            0: (
                *("draw", "discard Queen", "leave"),
                *("use Sealed Vault", "pick Queen, Dragon", "take Queen", "leaves"),
            ),
            1: ("draw", "discard Dragon", "leave", "take Dragon", "discard Dragon", "leave"),
            2: ("draw", "discard Forge", "leave"),
        },
    ),
    "leaves_while_others_are_asked": Golden(
        "who is asked for an offer leaves: only the others are waited for; the asker leaves: its ware is discarded, and"
        " the others take back what they have shown",
        seats=4,
        options=ITEMS,
        items="Market Wagon, Spyglass, Portal, Blindfold",
        hands=(
            "King, Queen, Princess, Warlord, Empress, Candle, Smoke",
            "Mountain, Cavern, Forest, Bell Tower, Swamp, Knights, Rangers",
            "Dragon, Hydra, Unicorn, Warhorse, Basilisk, Forge, Lightning",
        ),
        scripts={
            0: ("use Market Wagon", "pick Smoke", "leaves"),
            1: ("leaves",),
            2: ("pick Dragon, Hydra",),
            3: ("pick none",),
        },
    ),
    "leaves_at_the_end": Golden(
        "a seat has left, so nobody knows which cards are in the deck: it is shown before Genie's pick; at the final"
        " choices another one leaves: its open hand stays where it is and is not counted",
        seats=4,
        first=3,
        options=EXTRA,
        hands=(
            "Genie, King, Knights, Light Cavalry, Elven Archers, Dwarvish Infantry, Rangers, Rainstorm",
            PLAIN,
            "Mirage, Bell Tower, Basilisk, Warhorse, Crypt, Castle, Chapel, Ghoul",
            "Specter, Lich, Dark Queen, Death Knight, Angel, Demon, Leprechaun, Great Flood",
        ),
        deck=f"Judge, {TWELVE}",
        scripts={
            **straight(3, TWELVE, {0: ("search Collector",), 1: (), 2: ("leaves",)}),
            3: ("draw", "leaves"),
        },
    ),
    "stopped_in_a_turn": Golden(
        "seat 2 is lost and the game stops: who has drawn still discards, then all hands are opened and counted; the"
        " Necromancer takes a discard, but Leprechaun and Genie have no deck any more; the match ends with this round",
        seats=3,
        options=Options(extra_suits=True, rounds=5),
        hands=(
            "Genie, Leprechaun, Knights, Light Cavalry, Elven Archers, Dwarvish Infantry, Rangers, Rainstorm",
            "Necromancer, King, Bell Tower, Basilisk, Warhorse, Crypt, Castle, Chapel",
            PLAIN,
        ),
        deck=TWELVE,
        scripts={0: ("draw", "discard Queen", "draw", "lost 2", "discard Knights"), 1: ("draw", "discard Dragon")},
    ),
    "chaos_without_one": Golden(
        "Chaos Realms: a seat leaves, offers from and to it lapse; the others trade on, and nobody can offer it a card",
        seats=4,
        options=Options(mode="chaos", seconds=10),
        hands=(
            "King, Queen, Princess, Warlord, Empress, Candle, Smoke",
            "Mountain, Cavern, Forest, Bell Tower, Swamp, Knights, Rangers",
            "Dragon, Hydra, Unicorn, Warhorse, Basilisk, Forge, Lightning",
        ),
        scripts={
            0: ("offer Smoke to 1", "offer King to 2", "wait", "accept 2 with Smoke"),
            1: ("wait", "offer Swamp to 0", "leaves"),
            2: ("offer Hydra to 0",),
        },
    ),
    "duel_alone": Golden(
        "a duel of which one has left is over, without a count",
        seats=2,
        options=Options(mode="duel"),
        scripts={1: ("draw", "leaves")},
    ),
}
