"""What a cursed item is worth to a bot now: the points that using it should bring, its own value included.

Each estimate asks what the hand would be worth with the item, compared with a turn as usual; where nothing can be
counted (looks at hands, say) the item is worth its printed value, so those that only cost are left or swapped.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from frp2p.cards import CARDS, CardId
from frp2p.cards import actions as do
from frp2p.cards.card import Item
from frp2p.cards.catalogue import item as item_of
from frp2p.cards.items import ITEMS
from frp2p.games.fantasy_realms.items.facts import Facts, Moment, reusable, stealable
from frp2p.games.fantasy_realms.items.offer import copyable, facts_seen, takeable
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.options import measure
from frp2p.games.fantasy_realms.turn import OPEN_TURNS
from frp2p.games.fantasy_realms.view import View
from frp2p.players.outlook import Outlook

TAKES_LOOKED_AT: Final = 4
"""Discards of which each pair is tried for the Rake: of more the worse ones never win."""

TEMPO_LOST: Final = 0.5
"""How much each turn that is still to come takes from the worth of a better draw now; found by playing."""

CHEST: Final = next(item for item in ITEMS if isinstance(item.action, do.NoAction))

CHEST_SOON: Final = 1.5
"""Items that are used in each own turn still to come, once a Treasure Chest is there to be filled; found by playing."""

KIT: Final = next(item.id for item in ITEMS if isinstance(item.action, do.CopyOwn))

WAITED_FOR: Final = (do.ReversedTurn, do.KeepDrawn)
"""Actions for which a bot of this kind waits a turn. Any other item that brings nothing now is swapped: the next one
may be better, and a swap costs nothing."""

PORTAL_GROWS: Final = 5.0
"""Points that a card more in the hand gains in each own turn still to come; found by playing."""

FRESH_HANDS: Final = 12
"""Random hands that are tried for the Staff of Transmutation."""


class ItemSense:
    """Estimates for the viewer, in whose turn it is, at this moment."""

    def __init__(self, outlook: Outlook, moment: Moment) -> None:
        self.outlook = outlook
        self.view: View = outlook.view
        self.moment = moment
        self.hand = outlook.hand

    def worth(self, item: CardId) -> float:
        """Points that its use should bring in all."""
        entry = item_of(item)
        value = entry.value if entry.value_of_two is None or len(self.view.seats) > 2 else entry.value_of_two
        return value + self._gain(entry) + (0.0 if entry is CHEST else self._filling)

    def _gain(self, entry: Item) -> float:
        if self.moment == "draw":
            found = self._instead(entry)
            if found is not None:
                return self.tempo * (found - self.usual)
        match entry.action:
            case do.KeepDrawn() if self.moment == "discard" and self.view.full < len(self.hand) <= self._cap():
                more = self.outlook.total(self.hand) - max(self.outlook.without(self.hand).values())
                return more + PORTAL_GROWS * self.turns_left
            case do.NoAction():
                filled = self._others + CHEST_SOON * self.turns_left >= CHEST.extra_needs
                return float(CHEST.extra) if filled else 0.0
            case do.ExtraTurn():
                return self.tempo * (self.usual - self.outlook.total(self.hand))
            case do.UseOther(source="seat"):
                return max((self.worth(item) for item in stealable(self._facts())), default=0.0)
            case do.UseOther(top=top):
                return max((self.worth(item) for item in reusable(self._facts(), top)), default=0.0)
            case do.CopyOwn():
                return self._copied()
        return 0.0

    def _instead(self, entry: Item) -> float | None:
        """What the hand is worth after a turn with this item, on average; None if it does nothing for the draw."""
        match entry.action:
            case do.TopToDiscards() if entry.timing == "replace":
                return float(self.outlook.total(self.hand))
            case do.ReversedTurn():
                left = self.outlook.without(self.hand)
                kept = tuple(card for card in self.hand if card != max(left, key=lambda gone: (left[gone], gone)))
                return _mean([self.outlook.total((*kept, card)) for card in self.outlook.draws(self.hand)])
            case do.SeeTop():
                return _mean([max(self.best_take, value) for value in self.drawn])
            case do.DrawAndDiscard(count=count) | do.DrawAndReturn(draw=count):
                return _best_of(self.drawn, count)
            case do.SearchToTop():
                here = self.view.deck_left / max(1, len(self.outlook.unseen()))
                return _first_there(sorted(self.drawn, reverse=True), here)
            case do.Hunt():
                return self._hunted()
            case do.TakeDiscards(count=count):
                return self._raked(count)
            case do.Replace(least=least):
                return self._refreshed(least)
        return None

    @cached_property
    def drawn(self) -> tuple[int, ...]:
        """What the hand would be worth after each card that may be drawn."""
        return tuple(self.outlook.after(card, self.hand) for card in self.outlook.draws(self.hand))

    @cached_property
    def best_take(self) -> int:
        """What it would be worth after the best discard; as it is now if there is none to take."""
        free = takeable(self.view) if self.view.turn <= OPEN_TURNS else ()
        return max((self.outlook.after(card, self.hand) for card in free), default=self.outlook.total(self.hand))

    @cached_property
    def usual(self) -> float:
        """What a turn as usual leaves."""
        return max(float(self.best_take), _mean(self.drawn)) if self.view.deck_left else float(self.best_take)

    def _hunted(self) -> float:
        suits: dict[str, list[int]] = {}
        for card in self.outlook.draws(self.hand):
            suits.setdefault(CARDS[card].suit, []).append(self.outlook.after(card, self.hand))
        return max((_mean(found) for found in suits.values()), default=0.0)

    def _refreshed(self, count: int) -> float:
        """With so many unknown cards in place of those that are missed least, on average."""
        draws = self.outlook.draws(self.hand)
        if len(draws) <= count:
            return float(self.outlook.total(self.hand))
        kept = tuple(card for card in self.hand if card not in self.outlook.likely(self.hand)[:count])
        apart = len(draws) // count
        fresh = (tuple(draws[(at + step * apart) % len(draws)] for step in range(count)) for at in range(FRESH_HANDS))
        return _mean([self.outlook.total((*kept, *cards)) for cards in fresh])

    def _raked(self, count: int) -> float:
        slow = len(self.drawn) < len(self.outlook.unseen())
        free = sorted(takeable(self.view), key=lambda card: self.outlook.after(card, self.hand))
        likely = free[-(count if slow else TAKES_LOOKED_AT) :]
        wider = ((*self.hand, *pair) for pair in itertools.combinations(likely, count))
        return float(max((self._shed(cards, count) for cards in wider), default=0))

    def _shed(self, cards: tuple[CardId, ...], count: int) -> int:
        """What is left of so many cards too many at best."""
        return max(self.outlook.total(kept) for kept in itertools.combinations(cards, len(cards) - count))

    def _copied(self) -> float:
        mine = self.view.seats[self.view.me or 0]
        own = tuple(entry.card for entry in mine.pile if entry.card is not None)
        kit = Prompt(item=KIT, what="copy", kind="slots", moment=self.moment)
        usable = (item for item in own if copyable(item, kit, self.view))
        return max((self._gain(item_of(item)) for item in usable), default=0.0)

    @property
    def tempo(self) -> float:
        """How much of what is won in one draw is still there at the end: a hand that is good early gains less later."""
        return 1 / (1 + TEMPO_LOST * self.turns_left)

    @property
    def turns_left(self) -> float:
        """Own turns still to come, if everybody draws."""
        players = len(self.view.seats) - len(self.view.out)
        return max(0, self.view.threshold - len(self.view.discards)) / players

    @property
    def _filling(self) -> float:
        """What one more used item brings, if a Treasure Chest waits for it."""
        there = any(entry.card == CHEST.id for entry in self.view.seats[self.view.me or 0].pile)
        return CHEST.extra / CHEST.extra_needs if there and self._others < CHEST.extra_needs else 0.0

    @property
    def _others(self) -> int:
        """Own used items beside a Treasure Chest."""
        return sum(entry.card != CHEST.id for entry in self.view.seats[self.view.me or 0].pile)

    def _cap(self) -> int:
        return measure(self.view.options).cap

    def _facts(self) -> Facts:
        return facts_seen(self.view, self.moment)


def useless(item: CardId) -> bool:
    """Whether a bot that can't gain by this item now would rather have any other one."""
    entry = item_of(item)
    top = isinstance(entry.action, do.TopToDiscards) and entry.timing == "replace"
    return not (top or isinstance(entry.action, WAITED_FOR))


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0.0


def _best_of(values: Sequence[int], count: int) -> float:
    """The best of so many values drawn at random, on average."""
    total = sorted(values)
    size = float(len(total))
    chances = [float(((at + 1) / size) ** count - (at / size) ** count) for at in range(len(total))]
    return sum(value * chance for value, chance in zip(total, chances, strict=True))


def _first_there(values: Sequence[int], chance: float) -> float:
    """The first of these that is there, each with this chance, on average."""
    left, found = 1.0, 0.0
    for value in values:
        found += left * chance * value
        left *= 1 - chance
    return found + left * (values[-1] if values else 0)
