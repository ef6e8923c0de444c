"""Scoring: plain, explained, and the search for the best choices."""

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
    ("CH18", "CH03", "FR36"),  # Great Flood, Crypt, Unicorn
    ("CH21", "FR37", "FR36"),  # World Tree, Basilisk, Unicorn
    ("CH21", "FR12", "FR04"),  # World Tree, Blizzard, Forest
    ("CH10", "FR16", "CH21"),  # Demon, Wildfire, World Tree
    ("FR26", "CH10", "CH02"),  # Collector, Demon, Castle
    ("FR26", "CH18", "CH05"),  # Collector, Great Flood, Garden
)
"""What the six special cards are joined with: the slowest companions that we know."""

Row = tuple[str, float, str]


def rate(work: Callable[[], object], seconds: float) -> float:
    """How often a second `work` can be done: the best of three times."""
    best = 0.0
    for _ in range(3):
        count, started = 0, time.perf_counter()
        while time.perf_counter() - started < seconds / 3:
            for _ in range(20):
                work()
            count += 20
        best = max(best, count / (time.perf_counter() - started))
    return best


def times(hands: Sequence[tuple[CardId, ...]], context: Context) -> list[float]:
    """Milliseconds of the search for each hand."""
    found = []
    for hand in hands:
        started = time.perf_counter()
        best_total(hand, context)
        found.append((time.perf_counter() - started) * 1000)
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
    six = [card_id for card_id in hoard.deck() if ability_of(card_id) is not None]
    found = times(hands_with(6, 8, count // 5, hoard), hoard)
    rows.append(("best choices, all six special cards, 8 cards: median", statistics.median(found), "ms"))
    rows.append(("best choices, all six special cards, 8 cards: slowest", max(found), "ms"))
    found = times([(*six, *map(CardId, others)) for others in HARD], hoard)
    rows.append(("best choices, all six, 9 cards, hard ones: slowest", max(found), "ms"))
    rows.append(("Necromancer's pick out of ten discards: median", statistics.median(picks(count // 5)), "ms"))
    return rows


def picks(count: int) -> list[float]:
    """Milliseconds of the best pick for random base hands with the Necromancer."""
    source = random.Random(SEED)
    found = []
    for _ in range(count):
        cards = source.sample([card_id for card_id in deck() if card_id != "FR28"], 16)
        hand, discard = (CardId("FR28"), *cards[:6]), tuple(cards[6:])
        allowed = [card_id for card_id in discard if necromancer_may_take(card_id)]
        started = time.perf_counter()
        best_extra(hand, allowed, Context(discard=discard))
        found.append((time.perf_counter() - started) * 1000)
    return found
