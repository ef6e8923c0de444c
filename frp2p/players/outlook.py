"""What a player can work out from its view alone: what hands would be worth, and which cards may still come."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec

from frp2p.cards import CARDS, CardId
from frp2p.cards.effects import EachDiscard
from frp2p.games.fantasy_realms.counting import NECROMANCERS, extra_candidates
from frp2p.games.fantasy_realms.offer import context_of, own_cards
from frp2p.games.fantasy_realms.turn import PAIR
from frp2p.games.fantasy_realms.view import View
from frp2p.scoring import Context, best_total, choosers

TOTALS_KEPT: Final = 200_000
"""Totals remembered, some 100 MB at most; a game of six asks for about 30,000 different hands."""

SAMPLE: Final = (46, 12, 6, 3)
"""Cards tried as the next draw, by the number of cards in hand that want a choice (the Necromancer is one of them):
each of them makes a count several times slower, and a bot shall answer at once."""

LIKELY: Final = 3
"""Cards of the hand, those that it misses least, of which one goes for a new card if the new one itself does not."""


@lru_cache(maxsize=TOTALS_KEPT)
def _total(hand: tuple[CardId, ...], around: Context) -> int:
    return best_total(hand, around)


def _reads_discards(card: CardId) -> bool:
    return any(isinstance(effect, EachDiscard) for effect in CARDS[card].effects)


class Outlook:
    """The prospects of the viewer; `hand` is its whole hand."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.hand = own_cards(view)
        self._around = context_of(view)
        self._bare = msgspec.structs.replace(self._around, discard=())
        self._extras = extra_candidates(view.options, view.discards)
        self._likely: dict[tuple[CardId, ...], tuple[CardId, ...]] = {}

    def total(self, hand: Iterable[CardId]) -> int:
        """The points of a hand with its best choices, and with the discard that a Necromancer would take now."""
        cards = tuple(sorted(hand))
        own = self._plain(cards)
        if NECROMANCERS.isdisjoint(cards):
            return own
        extras = (card for card in self._extras if card not in cards)
        return max([own, *(self._plain(tuple(sorted((*cards, card)))) for card in extras)])

    def _plain(self, cards: tuple[CardId, ...]) -> int:
        return _total(cards, self._around if any(map(_reads_discards, cards)) else self._bare)

    def without(self, hand: tuple[CardId, ...]) -> dict[CardId, int]:
        """What is left for each card of the hand that could be discarded."""
        return {gone: self.total(card for card in hand if card != gone) for gone in hand}

    def after(self, card: CardId, hand: tuple[CardId, ...]) -> int:
        """What the hand is worth after getting this card and discarding one that is likely to go; a hand that is not
        full (duel) keeps all its cards."""
        if self.grows(hand):
            return self.total((*hand, card))
        wide = (*hand, card)
        return max(self.total(other for other in wide if other != gone) for gone in (*self.likely(hand), card))

    def likely(self, hand: tuple[CardId, ...]) -> tuple[CardId, ...]:
        """The cards that this hand misses least, the first one least."""
        if hand not in self._likely:
            left = self.without(hand)
            self._likely[hand] = tuple(sorted(hand, key=lambda card: (-left[card], card))[:LIKELY])
        return self._likely[hand]

    def grows(self, hand: tuple[CardId, ...]) -> bool:
        """Whether a turn adds a card to this hand."""
        return len(hand) < self.view.full

    def after_draw(self, hand: tuple[CardId, ...]) -> float:
        """What the hand is worth after drawing, on average; the better of two cards where two are drawn."""
        found = sorted(self.after(card, hand) for card in self.draws(hand))
        if not self.grows(hand) or self.view.deck_left < PAIR or len(found) < PAIR:
            return sum(found) / len(found)
        # Of all pairs of these, the one at place `at` is the better one in `at` of them.
        return sum(at * value for at, value in enumerate(found)) / (len(found) * (len(found) - 1) / 2)

    def replaced(self, gone: CardId) -> float:
        """What the hand is worth with a card that is not known in place of this one, on average."""
        rest = tuple(card for card in self.hand if card != gone)
        found = [self.total((*rest, card)) for card in self.draws(self.hand)]
        return sum(found) / len(found)

    def help(self, card: CardId) -> int:
        """Points that the card would add to what the others openly hold; of several, to whom it helps most."""
        helped = [self._plain(tuple(sorted((*held, card)))) - self._plain(held) for held in self._others()]
        return max(helped, default=0)

    def _others(self) -> list[tuple[CardId, ...]]:
        here = (seat for seat in self.view.seats if seat.seat not in (self.view.me, *self.view.out))
        return [tuple(sorted(seat.holds)) for seat in here if seat.holds]

    def unseen(self) -> tuple[CardId, ...]:
        """Every card that may be on top of the deck: neither in the own hand nor open nor openly taken by others."""
        seen = {*self.hand, *self.view.discards}
        for seat in self.view.seats:
            seen.update(seat.holds)
        return tuple(card for card in self._around.deck() if card not in seen)

    def draws(self, hand: tuple[CardId, ...]) -> tuple[CardId, ...]:
        """Cards that stand for all unseen ones: all of them, or an even sample where counting this hand is slow."""
        unseen = self.unseen()
        slow = len(choosers(hand)) + (not NECROMANCERS.isdisjoint(hand))
        count = min(len(unseen), SAMPLE[min(slow, len(SAMPLE) - 1)])
        turn = 0 if self.view.phase == "trade" else self.view.turn  # a hand that stays the same is counted once
        start = turn % max(1, len(unseen))
        turned = (*unseen[start:], *unseen[:start])
        return tuple(turned[number * len(turned) // count] for number in range(count))
