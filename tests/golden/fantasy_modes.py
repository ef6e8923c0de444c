"""Golden games of the modes and options beside the base game: duel, extra suits, promos, house rules, matches."""

from __future__ import annotations

from fantasy_playthrough import Golden

from frp2p.games.fantasy_realms.options import Options
from frp2p.scoring import House

EXTRA = Options(extra_suits=True)


def straight(seats: int, deck: str, ends: dict[int, tuple[str, ...]], first: int = 0) -> dict[int, tuple[str, ...]]:
    """Scripts in which everybody draws the next card of `deck` and discards it; then each seat's moves of the end."""
    lines: dict[int, list[str]] = {seat: [] for seat in range(seats)}
    for number, name in enumerate(deck.split(", ")):
        lines[(first + number) % seats] += ["draw", f"discard {name}"]
    return {seat: (*line, *ends.get(seat, ())) for seat, line in lines.items()}


TWELVE = "Queen, Dragon, Forge, Smoke, Princess, Candle, Unicorn, Lightning, Warlord, Hydra, Empress, Blizzard"
"""The discards of a game with extra suits, in the order in which they are drawn."""

PLAIN = "Mountain, Cavern, Forest, Earth Elemental, Swamp, Fire Elemental, Air Elemental, Whirlwind"
"""A hand that is asked for nothing at the end."""

MODES_GAMES = {
    "duel": Golden(
        "duel: nobody has cards; two drawn and one kept, or one taken", seats=2, options=Options(mode="duel")
    ),
    "duel_takes": Golden(
        "duel: who takes below a full hand discards nothing, so the discards shrink; the end needs both hands full",
        seats=2,
        first=1,
        options=Options(mode="duel"),
        deck="King, Swamp, Queen, Smoke, Knights, Forge, Rangers, Candle, Hydra, Dragon, Forest, Cavern",
        scripts={
            0: ("draw", "discard Smoke", "take Smoke", "draw", "discard Candle"),
            1: ("draw", "discard Swamp", "take Swamp", "draw", "discard Forge", "take Forge"),
        },
    ),
    "duel_extra_suits": Golden(
        "duel with extra suits: eight cards, and fourteen discards or more",
        seats=2,
        options=Options(mode="duel", extra_suits=True),
    ),
    "extra_suits": Golden("extra suits: eight cards, the end at twelve discards", seats=3, options=EXTRA),
    "seven_seats": Golden(
        "seven players: only with the extra suits; the last card of the deck is drawn in the last turn",
        seats=7,
        first=3,
        options=EXTRA,
    ),
    "elinor": Golden(
        "Elinor (seat 0) holds Leprechaun, Genie and Necromancer: she draws, searches and takes, and drops a card at"
        " once whenever she has ten, but never one that she has used",
        seats=2,
        options=EXTRA,
        hands=("Leprechaun, Genie, Necromancer, King, Knights, Light Cavalry, Elven Archers, Rainstorm", PLAIN),
        deck=f"{TWELVE}, Great Flood",
        scripts=straight(2, TWELVE, {0: ("search Castle", "drop Great Flood", "extra Queen", "drop Rainstorm"), 1: ()}),
    ),
    "elinor_by_default": Golden(
        "the same end, decided by default: every pick and every drop is the best one",
        seats=2,
        options=EXTRA,
        hands=("Leprechaun, Genie, Necromancer, King, Knights, Light Cavalry, Elven Archers, Rainstorm", PLAIN),
        deck=f"{TWELVE}, Great Flood",
        scripts=straight(2, TWELVE, {}),
    ),
    "three_holders": Golden(
        "Leprechaun, then Genie, then Necromancer, each with another player; what was dropped can be taken back",
        seats=3,
        first=1,
        options=EXTRA,
        hands=(
            "Necromancer, King, Knights, Light Cavalry, Elven Archers, Dwarvish Infantry, Rangers, Bell Tower",
            "Genie, Mountain, Cavern, Forest, Earth Elemental, Garden, Swamp, Great Flood",
            "Leprechaun, Fire Elemental, Air Elemental, Whirlwind, Rainstorm, Crypt, Castle, Chapel",
        ),
        deck=f"{TWELVE}, Ghoul",
        scripts=straight(3, TWELVE, {1: ("search Lich",), 0: ("extra Queen",)}, first=1),
    ),
    "too_late": Golden(
        "Genie finds Leprechaun, whose step is past: it draws nothing; what the Leprechaun finds can still be used",
        seats=2,
        options=EXTRA,
        hands=("Genie, King, Knights, Light Cavalry, Elven Archers, Dwarvish Infantry, Rangers, Rainstorm", PLAIN),
        deck=TWELVE,
        scripts=straight(2, TWELVE, {0: ("search Leprechaun",)}),
    ),
    "leprechaun_finds_genie": Golden(
        "what Leprechaun draws may be Genie, and Genie may find the Necromancer: both come in time",
        seats=2,
        options=EXTRA,
        hands=("Leprechaun, King, Knights, Light Cavalry, Elven Archers, Dwarvish Infantry, Rangers, Rainstorm", PLAIN),
        deck=f"{TWELVE}, Genie",
        scripts=straight(2, TWELVE, {0: ("search Necromancer", "drop Rainstorm", "extra Queen", "drop Queen")}),
    ),
    "undead": Golden(
        "the Undead count the discard area as it is after all extra draws and drops; Angel guards a card",
        seats=2,
        options=EXTRA,
        hands=("Necromancer, Dark Queen, Ghoul, Specter, Death Knight, Angel, Demon, Judge", PLAIN),
        deck=TWELVE,
        scripts=straight(2, TWELVE, {0: ("extra Queen", "choose Angel=Dark Queen")}),
    ),
    "chaos": Golden(
        "Chaos Realms, a second is a tick: offers, a refusal, one taken back, one that moves on to another seat; swaps"
        " that nobody else sees; after a swap the hands are shuffled and open offers lapse; two swaps of one seat in"
        " one tick; taken and taken back at once is taken; the bell ends an open offer",
        seats=3,
        options=Options(mode="chaos", seconds=10),
        hands=(
            "King, Queen, Princess, Warlord, Empress, Candle, Smoke",
            "Mountain, Cavern, Forest, Bell Tower, Swamp, Knights, Rangers",
            "Dragon, Hydra, Unicorn, Warhorse, Basilisk, Forge, Lightning",
        ),
        scripts={
            0: (
                "offer Smoke to 1",
                "offer Smoke to 2",
                "wait",
                "offer King to 1",
                "offer Queen to 2",
                "withdraw 1",
                "wait",
                "wait",
                "wait",
                "offer Candle to 1",
            ),
            1: ("offer Swamp to 0", "refuse 0", "withdraw 0", "offer Rangers to 2", "wait", "accept 0 with Knights"),
            2: ("offer Hydra to 1", "wait", "accept 0 with Forge", "wait", "wait", "accept 0 with Dragon"),
        },
    ),
    "chaos_end": Golden(
        "Chaos Realms, the end: Leprechaun and Genie as usual; the Necromancer brings three cards (not the one that"
        " Genie has named) and one stays; what is set aside or dropped is no discard, so the Undead count nothing",
        seats=3,
        options=Options(mode="chaos", extra_suits=True, seconds=10),
        hands=(
            "Leprechaun, Genie, King, Knights, Light Cavalry, Elven Archers, Rainstorm, Bell Tower",
            "Necromancer, Ghoul, Specter, Dark Queen, Death Knight, Lich, Mirage, Queen",
            PLAIN,
        ),
        deck="Great Flood, Castle, Dragon, Hydra, Candle",
        scripts={0: (*("wait",) * 10, "search Castle"), 1: (*("wait",) * 10, "extra Candle")},
    ),
    "chaos_match": Golden(
        "Chaos Realms without shuffles of the hands: an offer outlives a swap of another card; two rounds",
        seats=3,
        options=Options(mode="chaos", seconds=10, rounds=2, unlinkable_hands=False),
        hands=(
            "Necromancer, King, Queen, Princess, Warlord, Empress, Candle",
            "Mountain, Cavern, Forest, Bell Tower, Swamp, Knights, Rangers",
        ),
        scripts={0: ("offer King to 1", "offer Queen to 2"), 1: ("wait", "wait", "accept 0 with Swamp")},
    ),
    "promos": Golden(
        "Jester and the Phoenix of the Deluxe box join the deck",
        seats=3,
        options=Options(jester=True, phoenix="deluxe"),
        hands=(
            "Jester, Phoenix, Mountain, Smoke, Collector, Doppelgänger, Queen",
            "Cavern, Forest, Earth Elemental, Swamp, Fire Elemental, Air Elemental, Whirlwind",
        ),
    ),
    "promo_phoenix": Golden(
        "the Phoenix in its first printing",
        seats=2,
        options=Options(phoenix="promo"),
        hands=("Phoenix, Great Flood, Mountain, Smoke, Collector, Queen, King",),
    ),
    "house_rules": Golden(
        "a house rule counts: Forest with two cards named Elven Archers",
        seats=2,
        options=Options(house=House(forest_each=True)),
        hands=("Forest, Elven Archers, Doppelgänger, Unicorn, Warhorse, King, Queen",),
    ),
    "match": Golden(
        "two rounds with extra suits: totals add up, the first seat moves on, the same cards are shuffled again; the"
        " card that Genie named in the first round never left its place in the deck",
        seats=2,
        options=Options(extra_suits=True, rounds=2),
        hands=("Genie, King, Knights, Light Cavalry, Elven Archers, Dwarvish Infantry, Rangers, Rainstorm", PLAIN),
        deck=TWELVE,
        scripts=straight(2, TWELVE, {0: ("search Castle", "next"), 1: ("next",)}),
    ),
    "points": Golden(
        "a match for points ends with the round in which somebody has them",
        seats=3,
        first=2,
        options=Options(points=250),
    ),
}
