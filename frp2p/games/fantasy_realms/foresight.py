"""What an open hand can still become at the end: the best picks and drops, counted to the last point.

Each question is answered for the best that its owner can make of it alone: the pick with the drop that follows, and
where the Necromancer is still to come, its pick and drop too. What other seats do afterwards isn't foreseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.counting import NECROMANCERS, context, extra_candidates
from frp2p.games.fantasy_realms.options import Options, measure
from frp2p.scoring import Context, best_total

LOOKED_INTO: Final = 4
"""Picks and drops, best at once first, that are followed through the Necromancer's step. All of them would be tens of
thousands of counts; those that are far behind never catch up."""


TOTALS_KEPT: Final = 20_000
"""Totals remembered, some 10 MB: a question with its look ahead asks for a few thousand, some of them twice."""


@lru_cache(maxsize=TOTALS_KEPT)
def _total(hand: tuple[CardId, ...], around: Context) -> int:
    return best_total(hand, around)


class Prospect(msgspec.Struct, frozen=True):
    """An open hand, the discard area, the cards that have brought an extra card, and the table. `barred`: discards that
    another seat has covered."""

    hand: tuple[CardId, ...]
    discards: tuple[CardId, ...]
    spent: tuple[CardId, ...]
    options: Options
    seats: int
    barred: tuple[CardId, ...] = ()

    def total(self) -> int:
        """What the hand counts as it is, with the best choices."""
        return _total(tuple(sorted(self.hand)), context(self.options, self.discards, self.seats))

    def over(self) -> bool:
        """Whether a card must go."""
        return len(self.hand) > measure(self.options).cap

    def waits(self) -> bool:
        """Whether the Necromancer is in the hand and has not been asked."""
        return any(card in NECROMANCERS and card not in self.spent for card in self.hand)

    def droppable(self) -> tuple[CardId, ...]:
        return tuple(card for card in self.hand if card not in self.spent)

    def dropped(self, gone: CardId) -> Prospect:
        hand = tuple(card for card in self.hand if card != gone)
        return msgspec.structs.replace(self, hand=hand, discards=(*self.discards, gone))

    def got(self, card: CardId) -> Prospect:
        """With a card more, from wherever it lies."""
        left = tuple(other for other in self.discards if other != card)
        return msgspec.structs.replace(self, hand=(*self.hand, card), discards=left)

    def asked(self) -> Prospect:
        """The Necromancer's step has come."""
        used = tuple(card for card in self.hand if card in NECROMANCERS)
        return msgspec.structs.replace(self, spent=(*self.spent, *used))


def outcome(now: Prospect, phase: str, card: CardId | None) -> int:
    """What the hand counts after this answer in the phase `search`, `extra` or `overflow`, once within its cap."""
    if card is None:
        return now.asked().total()
    if phase == "overflow":
        return _settled(now.dropped(card))[0]
    return _settled((now.asked() if phase == "extra" else now).got(card))[0]


def best_drop(now: Prospect) -> CardId:
    """The card to drop from a hand that is over its cap; of equals the first in catalogue order."""
    return _best(now.droppable(), {card: now.dropped(card) for card in now.droppable()})


def best_search(now: Prospect, candidates: Sequence[CardId]) -> CardId:
    """The card of the deck to pick; of equals the first in catalogue order."""
    return _best(candidates, {card: now.got(card) for card in candidates})


def best_pick(now: Prospect) -> CardId | None:
    """The discard to take with the Necromancer; None if none makes the hand better."""
    return _best_pick(now.asked())[1]


def _best(cards: Sequence[CardId], after: dict[CardId, Prospect]) -> CardId:
    """The card after which most is left: by what is left at once, and of the best few by what becomes of them."""
    at_once = {card: _settled(after[card])[0] for card in cards}
    order = sorted(at_once, key=lambda card: (-at_once[card], card))
    if not any(after[card].waits() for card in order):
        return order[0]
    return max(order[:LOOKED_INTO], key=lambda card: (_final(after[card]), [-ord(sign) for sign in card]))


def _settled(now: Prospect) -> tuple[int, Prospect]:
    """The best of what is left once the hand is within its cap, and what the hand is then."""
    if not now.over():
        return now.total(), now
    ways = [now.dropped(card) for card in sorted(now.droppable())]
    totals = [way.total() if not way.over() else _settled(way)[0] for way in ways]
    best = max(range(len(ways)), key=lambda at: (totals[at], -at))
    return (totals[best], ways[best]) if not ways[best].over() else _settled(ways[best])


def _final(now: Prospect) -> int:
    """What the hand counts in the end, the Necromancer's step included."""
    _total, settled = _settled(now)
    return _best_pick(settled.asked())[0] if settled.waits() else settled.total()


def _best_pick(now: Prospect) -> tuple[int, CardId | None]:
    best: tuple[int, CardId | None] = (now.total(), None)
    free = tuple(card for card in now.discards if card not in now.barred)
    for card in sorted(extra_candidates(now.options, free)):
        total = _settled(now.got(card))[0]
        if total > best[0]:
            best = (total, card)
    return best
