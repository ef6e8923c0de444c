"""Suits and names as small numbers, so that a hand becomes bit masks.

A hand of n cards has the positions 0..n-1; a set of its cards is an int with bit i for position i. A trait is a suit or
a name; `held[trait]` is the set of positions that have it. No step of scoring can depend on the order of the hand,
because a step only ever sees sets.
"""

from __future__ import annotations

from typing import TypeAlias

from frp2p.cards import CARDS, Suit

Mask: TypeAlias = int
"""A set of positions of the hand."""

Trait: TypeAlias = int
"""A suit or a name: index into `held`."""

Held: TypeAlias = list[Mask]
"""For each trait the positions that have it."""

SUITS: tuple[Suit, ...] = tuple(Suit)
SUIT_TRAIT: dict[str, Trait] = {suit.value: number for number, suit in enumerate(SUITS)}
NAMES: tuple[str, ...] = tuple(dict.fromkeys(card.en for card in CARDS.values()))
NAME_TRAIT: dict[str, Trait] = {name: len(SUITS) + number for number, name in enumerate(NAMES)}
NOTHING: Held = [0] * (len(SUITS) + len(NAMES))


def gather(held: Held, traits: tuple[Trait, ...]) -> Mask:
    """The positions that have any of these traits."""
    mask = 0
    for trait in traits:
        mask |= held[trait]
    return mask


def positions(mask: Mask) -> list[int]:
    """The positions in the set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
