"""The best choices, and the best card to add."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from frp2p.cards import CardId
from frp2p.scoring.choices import Choices
from frp2p.scoring.context import Context
from frp2p.scoring.explain import PLAIN, score, score_items, total
from frp2p.scoring.legal import check_hand
from frp2p.scoring.score import Score
from frp2p.scoring.search import LOWEST, Search


def best(hand: Sequence[CardId], context: Context = PLAIN) -> tuple[Choices, Score]:
    """The choices with the highest total, and that score. Of equals the one with the fewest choices, then the first in
    a fixed order of all ways; the order of the hand doesn't matter. Exact."""
    check_hand(hand)
    choices = _searched(hand, context).choices
    return choices, score(hand, choices, context)


def best_total(hand: Sequence[CardId], context: Context = PLAIN) -> int:
    """The total of `best`, without the explanation."""
    return _searched(hand, context).total + _items(context)


def _searched(hand: Sequence[CardId], context: Context, above: int = LOWEST) -> Search:
    search = Search(hand, context, above)
    search.run()
    return search


def _items(context: Context) -> int:
    return sum(one.points for one in score_items(context))


class Extra(NamedTuple):
    """The best card to add to a hand (None: none of them improves it), and the best total with it, items included."""

    card: CardId | None
    total: int


def best_extra(
    hand: Sequence[CardId], candidates: Iterable[CardId], context: Context = PLAIN, *, must: bool = False
) -> Extra:
    """Which of the candidates makes the hand best, with the best choices for each.

    For the Necromancer the candidates are the cards of the discard area that it may take, for Genie the deck. A
    candidate that lies in `context.discard` doesn't lie there any more once it is taken. `must`: None is no answer (but
    for no candidates). Of equals none, then the lowest id.
    """
    items = _items(context)
    pool = set(candidates)
    found = Extra(None, LOWEST if must and pool else best_total(hand, context) - items)
    # what is good as it is comes first: the higher the best so far, the less there is to search
    for candidate in sorted(pool, key=lambda card_id: -total((*hand, card_id), context=context)):
        left = tuple(card_id for card_id in context.discard if card_id != candidate)
        around = msgspec.structs.replace(context, discard=left)
        above = found.total - (found.card is not None and candidate < found.card)
        reached = _searched((*hand, candidate), around, above).total
        if reached > above:
            found = Extra(candidate, reached)
    return Extra(found.card, found.total + items)
