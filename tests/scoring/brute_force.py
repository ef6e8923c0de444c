"""Every legal choice of a hand, tried one by one. Knows nothing of the search's short cuts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from frp2p.cards import CardId, Suit, card
from frp2p.scoring import Choices, Context, IllegalChoices, ability_of, check_choices, total

FAMILIES = {
    "mirage": [Suit.ARMY, Suit.LAND, Suit.WEATHER, Suit.FLOOD, Suit.FLAME],
    "shapeshifter": [Suit.ARTIFACT, Suit.LEADER, Suit.WIZARD, Suit.WEAPON, Suit.BEAST],
}
EXTRA_FAMILY = {"mirage": Suit.BUILDING, "shapeshifter": Suit.UNDEAD}


def options(ability: str, hand: Sequence[CardId], context: Context) -> list[Any]:
    """None, and everything that this choice could be."""
    found: list[Any] = [None]
    if ability in FAMILIES:
        family = FAMILIES[ability] + ([EXTRA_FAMILY[ability]] if context.extra_suits else [])
        found += [card_id for card_id in context.deck() if card(card_id).suit in family]
        found += [suit.value for suit in family]
    elif ability == "book":
        found += [(card_id, suit.value) for card_id in hand for suit in context.real_suits()]
    else:
        found += hand
    return found


def all_choices(hand: Sequence[CardId], context: Context) -> Iterator[Choices]:
    """Every legal way to choose."""
    abilities = [ability for ability in map(ability_of, hand) if ability is not None]
    for picked in product(*(options(ability, hand, context) for ability in abilities)):
        choices = Choices(**dict(zip(abilities, picked, strict=True)))
        try:
            check_choices(hand, choices, context)
        except IllegalChoices:
            continue
        yield choices


def ways(hand: Sequence[CardId], context: Context) -> int:
    """How many ways `all_choices` has to look at."""
    number = 1
    for ability in map(ability_of, hand):
        if ability is not None:
            number *= len(options(ability, hand, context))
    return number


def best_by_trying(hand: Sequence[CardId], context: Context) -> tuple[int, int]:
    """(best total, fewest choices that reach it)."""
    best = (-(10**9), 0)
    for choices in all_choices(hand, context):
        best = max(best, (total(hand, choices, context), -choices.count()))
    return best[0], -best[1]
