"""What a count depends on beside the hand, and which cards bring extra cards at the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from frp2p import scoring
from frp2p.cards import CARDS, CardId
from frp2p.cards.effects import Source, TakesCard
from frp2p.games.fantasy_realms.options import Options, deck
from frp2p.scoring import necromancer_may_take


def _takers(source: Source) -> frozenset[CardId]:
    """The cards that bring one from there at the end."""
    found = (card for card in CARDS.values() for effect in card.bonus if isinstance(effect, TakesCard))
    return frozenset(
        card.id for card in found if any(isinstance(one, TakesCard) and one.source == source for one in card.bonus)
    )


LEPRECHAUNS: Final = _takers("top")
GENIES: Final = _takers("deck")
NECROMANCERS: Final = _takers("discards")
"""Every printing of the card that draws, that searches the deck, and that takes a discard; a table has at most one."""


def context(
    options: Options, discards: tuple[CardId, ...], seats: int, items: tuple[CardId, ...] = ()
) -> scoring.Context:
    """What a count at this table depends on beside the hand; Chaos Realms has no discard area.

    `items`: those face down before the owner of the hand.
    """
    return scoring.Context(
        players=seats,
        discard=() if options.mode == "chaos" else discards,
        extra_suits=options.extra_suits,
        jester=options.jester,
        phoenix=options.phoenix,
        items=items,
        house=options.house,
    )


def extra_candidates(options: Options, discards: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """The discards that the Necromancer may take, oldest first; none in Chaos Realms, where it brings cards."""
    if options.mode == "chaos":
        return ()
    return tuple(card for card in discards if necromancer_may_take(card, extra_suits=options.extra_suits))


def search_candidates(options: Options, seen: Iterable[CardId]) -> tuple[CardId, ...]:
    """The cards that lie in the deck when all others (`seen`) lie open, in canonical order: what Genie may pick."""
    open_cards = frozenset(seen)
    return tuple(card for card in deck(options) if card not in open_cards)
