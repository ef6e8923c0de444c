"""Views of tables with cursed items: made by hand, so that a golden screen changes only with what is drawn."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec.structs import replace
from tui_kit import Table, cards, snapshot, status, view

from frp2p.app.snapshot import Snapshot
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.items.shelf import Covered, Shown
from frp2p.games.fantasy_realms.moves import SwapItem, UseItem
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.view import HandCard, Seen, View
from frp2p.games.verbs import SlotId
from frp2p.players.random_bot import Random

ITEMS = Options(cursed_items=True)
HAND = cards(16, 21, 31, 32, 36, 39, 43)
EIGHT = (*HAND, cards(49)[0])
LAID = cards(1, 10, 28, 30, 12)


def items(*numbers: int) -> tuple[CardId, ...]:
    """Items by their numbers."""
    return tuple(CardId(f"CH{number}") for number in numbers)


SPYGLASS, PROPHECY, BALL, WAGON, GLOVES, MAP, STAFF = items(24, 27, 28, 29, 34, 35, 37)
RAKE, FISHHOOK, KIT, MIRROR, CAULDRON, LANTERN, PORTAL, RING = items(38, 40, 41, 43, 44, 45, 46, 47)
CHEST, VAULT, BACKPACK, HOURGLASS = items(39, 32, 30, 42)


def slots(*numbers: int) -> tuple[SlotId, ...]:
    return tuple(SlotId(number) for number in numbers)


def pile(seat: int, down: int, known: tuple[CardId, ...] = ()) -> tuple[HandCard, ...]:
    faces = known or (None,) * down
    return tuple(HandCard(SlotId(500 + 10 * seat + index), face) for index, face in enumerate(faces))


def table(
    hand: tuple[CardId, ...] = HAND,
    discards: tuple[CardId, ...] = LAID,
    phase: Any = "draw",
    mine: CardId | None = PORTAL,
    down: tuple[CardId, ...] = (RAKE, CHEST),
    count: int = 4,
    **changes: Any,
) -> View:
    """Seat 0 looks: its item and its used ones, and what the others have."""
    plain = view(
        hand, discards, phase, count=count, options=ITEMS, deck_left=20, items_left=13, item_discards=(MAP, BACKPACK)
    )
    others = (GLOVES, STAFF, HOURGLASS, LANTERN, VAULT, KIT)
    seats = [replace(plain.seats[0], item=mine, pile=pile(0, len(down), down))]
    for seat in plain.seats[1:]:
        held = cards(17) if seat.seat == 1 else ()
        seats.append(replace(seat, item=others[seat.seat - 1], pile=pile(seat.seat, seat.seat % 3), holds=held))
    return replace(plain, seats=tuple(seats), **changes)


def asked(prompt: Prompt, hand: tuple[CardId, ...] = HAND, **changes: Any) -> View:
    """The same table while an item asks seat 0."""
    mine = changes.pop("mine", None)
    return table(hand, phase="item", mine=mine, using=prompt.item, prompt=prompt, **changes)


def own(hand: tuple[CardId, ...]) -> dict[str, Any]:
    """The places of the own hand, with the cards there."""
    return {"slots": slots(*range(100, 100 + len(hand))), "faces": hand}


def shot(shown: View, **changes: Any) -> Snapshot:
    return snapshot(status(len(shown.seats), shown, options=ITEMS), **changes)


DECK_TOP = cards(24, 13, 18)
PROMPTS: dict[str, View] = {
    "look": asked(Prompt(SPYGLASS, "look", "seat", seats=(1, 2, 3))),
    "steal": asked(Prompt(GLOVES, "steal", "seat", seats=(1, 2))),
    "name-suit": asked(Prompt(BALL, "name-suit", "suit", suits=("land", "flood", "army", "leader", "wild"))),
    "hunt": asked(Prompt(LANTERN, "hunt", "suit", suits=("land", "flood", "army", "leader"))),
    "bury": asked(Prompt(MIRROR, "bury", "cards", least=3, most=3, cards=LAID)),
    "cover": asked(Prompt(VAULT, "cover", "cards", least=2, most=2, cards=LAID)),
    "take": asked(Prompt(RAKE, "take", "cards", least=2, most=2, cards=LAID)),
    "junk": asked(Prompt(MAP, "junk", "cards", cards=(BACKPACK, SPYGLASS))),
    "aside": asked(Prompt(BACKPACK, "aside", "cards", cards=(CAULDRON, PROPHECY, RING))),
    "bargain": asked(
        Prompt(WAGON, "bargain", "cards", least=0, cards=(*cards(34, 5), HAND[6])),
        HAND[:6],
        shown=(Shown(0, HAND[6]), Shown(1, cards(34)[0]), Shown(2, cards(5)[0])),
    ),
    "show": asked(Prompt(WAGON, "show", "slots", **own(HAND))),
    "offer": asked(
        Prompt(WAGON, "offer", "slots", least=0, most=3, **own(HAND)),
        mine=PORTAL, seat_in_turn=1, shown=(Shown(1, cards(34)[0]),),
    ),
    "show-suit": asked(Prompt(BALL, "show-suit", "slots", 0, 7, suits=("leader",), **own(HAND)), seat_in_turn=2),
    "put-under": asked(Prompt(STAFF, "put-under", "slots", 3, 7, **own(HAND))),
    "lay": asked(Prompt(FISHHOOK, "lay", "slots", 2, 2, **own((*EIGHT, cards(50)[0]))), (*EIGHT, cards(50)[0])),
    "copy": asked(
        Prompt(KIT, "copy", "slots", least=0, slots=slots(500, 501), faces=(RAKE, CHEST), moment="draw"),
    ),
    "top": asked(Prompt(RING, "top", "slots", slots=slots(*range(40, 60)), faces=cards(*range(2, 9), *range(40, 53)))),
    "return": asked(Prompt(CAULDRON, "return", "arrange", slots=slots(40, 41, 42), faces=DECK_TOP)),
}  # fmt: skip
"""One question of every kind."""


def peeked() -> View:
    """Seat 0 has used Spyglass, Crystal Lens and Book of Prophecy."""
    plain = table(
        seen=(Seen(0, DECK_TOP[0]), Seen(18, DECK_TOP[1]), Seen(19, DECK_TOP[2])),
        covered=(Covered(LAID[1], 0), Covered(LAID[3], 2)),
    )
    hand = tuple(HandCard(SlotId(index), card) for index, card in enumerate(cards(2, 3, 4, 5, 6, 7, 8)))
    return replace(plain, seats=(*plain.seats[:3], replace(plain.seats[3], hand=hand)))


@lru_cache(maxsize=8)
def game(count: int, seed: int, options: Options = ITEMS) -> tuple[Snapshot, ...]:
    """Every snapshot of a game in which items are used whenever that is possible, and swapped otherwise."""
    chance = Random(seed)

    def eager(shown: View, legal: tuple[Any, ...]) -> Any:
        wanted = [move for move in legal if isinstance(move, UseItem | SwapItem)]
        return wanted[-1] if wanted else chance.choose(shown, legal)

    played = Table(count, seed, options=options)
    shots = list(played.views(eager))
    played.finish()
    return (*shots, played.snapshot())
