"""Scoring: plain, explained, and the search for the best choices. Times are those of one core, waiting not counted."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence

from frp2p.cards import CardId, deck
from frp2p.scoring import Choices, Context, ability_of, best_extra, best_total, necromancer_may_take, score, total

SEED = 20260
FIXED: tuple[CardId, ...] = tuple(CardId(one) for one in ("FR17", "FR18", "FR31", "FR32", "FR43", "FR46", "FR47"))
"""Candle, Forge, King, Queen, Sword of Keth, Shield of Keth, Gem of Order."""

HARD: tuple[tuple[str, ...], ...] = (
    ("FR16", "FR37", "CH10"),  # Wildfire, Basilisk, Demon
    ("FR12", "FR16", "CH10"),  # Blizzard, Wildfire, Demon
    ("CH18", "FR12", "FR16"),  # Great Flood, Blizzard, Wildfire
    ("FR16", "CH06", "CH10"),  # Wildfire, Genie, Demon
    ("FR26", "FR29", "CH01"),  # Collector, Warlock Lord, Dungeon
    ("FR16", "FR37", "CH06"),  # Wildfire, Basilisk, Genie
    ("CH21", "CH05", "CH10"),  # World Tree, Garden, Demon
    ("CH18", "FR16", "CH21"),  # Great Flood, Wildfire, World Tree
    ("FR16", "CH21", "FR55"),  # Wildfire, World Tree, Phoenix
)
"""What the six special cards are joined with: the slowest companions among all hands of nine with the six."""

Row = tuple[str, float, str]


def rate(work: Callable[[], object], seconds: float) -> float:
    """How often a second `work` can be done: the best of three times."""
    best = 0.0
    for _ in range(3):
        count, started = 0, time.process_time()
        while time.process_time() - started < seconds / 3:
            for _ in range(20):
                work()
            count += 20
        best = max(best, count / (time.process_time() - started))
    return best


def times(hands: Sequence[tuple[CardId, ...]], context: Context) -> list[float]:
    """Milliseconds (of one core) of the search for each hand."""
    found = []
    for hand in hands:
        started = time.process_time()
        best_total(hand, context)
        found.append((time.process_time() - started) * 1000)
    return found


def hands_with(specials: int | None, size: int, count: int, context: Context) -> list[tuple[CardId, ...]]:
    """Random hands; with exactly this number of the cards that ask for a choice, or however many come."""
    source = random.Random(SEED)
    cards = context.deck()
    asking = [card_id for card_id in cards if ability_of(card_id) is not None]
    others = [card_id for card_id in cards if ability_of(card_id) is None]
    if specials is None:
        return [tuple(source.sample(cards, size)) for _ in range(count)]
    return [tuple(source.sample(asking, specials) + source.sample(others, size - specials)) for _ in range(count)]


def run(quick: bool) -> list[Row]:
    """(name, value, unit); `quick` measures fewer hands."""
    seconds, count = (0.6, 150) if quick else (3.0, 2000)
    plain, hoard = Context(), Context(extra_suits=True)
    rows: list[Row] = [
        ("plain score, one hand of 7", rate(lambda: total(FIXED), seconds), "hands/s"),
        ("explained score, one hand of 7", rate(lambda: score(FIXED, Choices()), seconds), "hands/s"),
    ]
    for name, context, size in (("base, 7 cards", plain, 7), ("extra suits, 8 cards", hoard, 8)):
        found = times(hands_with(None, size, count, context), context)
        rows.append((f"best choices, random hands, {name}: median", statistics.median(found), "ms"))
        found = times(hands_with(2, size, count, context), context)
        rows.append((f"best choices, two special cards, {name}: median", statistics.median(found), "ms"))
        rows.append((f"best choices, two special cards, {name}: slowest", max(found), "ms"))
    for name, context, size in (
        ("five, base, 7 cards", plain, 7),
        ("six, extra suits, 8 cards", hoard, 8),
        ("six, extra suits, 9 cards", hoard, 9),
    ):
        every = sum(ability_of(card_id) is not None for card_id in context.deck())
        found = times(hands_with(every, size, count // 5, context), context)
        rows.append((f"best choices, all {name}: median", statistics.median(found), "ms"))
        rows.append((f"best choices, all {name}: slowest", max(found), "ms"))
    whole = Context(extra_suits=True, jester=True, phoenix="deluxe")
    six = [card_id for card_id in whole.deck() if ability_of(card_id) is not None]
    found = times([(*six, *map(CardId, others)) for others in HARD], whole)
    rows.append(("best choices, all six, 9 cards, the hardest: slowest", max(found), "ms"))
    rows.append(("Necromancer's pick out of ten discards: median", statistics.median(picks(count // 5)), "ms"))
    found = deck_picks(count // 20, whole)
    rows.append(("Genie's pick out of the deck, two special cards: median", statistics.median(found), "ms"))
    rows.append(("Genie's pick out of the deck, two special cards: slowest", max(found), "ms"))
    return rows


def deck_picks(count: int, context: Context) -> list[float]:
    """Milliseconds of the best card of the whole deck for random hands of seven with two special cards."""
    found = []
    for hand in hands_with(2, 7, count, context):
        rest = [card_id for card_id in context.deck() if card_id not in hand]
        started = time.process_time()
        best_extra(hand, rest, context, must=True)
        found.append((time.process_time() - started) * 1000)
    return found


def picks(count: int) -> list[float]:
    """Milliseconds of the best pick for random base hands with the Necromancer."""
    source = random.Random(SEED)
    found = []
    for _ in range(count):
        cards = source.sample([card_id for card_id in deck() if card_id != "FR28"], 16)
        hand, discard = (CardId("FR28"), *cards[:6]), tuple(cards[6:])
        allowed = [card_id for card_id in discard if necromancer_may_take(card_id)]
        started = time.process_time()
        best_extra(hand, allowed, Context(discard=discard))
        found.append((time.process_time() - started) * 1000)
    return found
