"""Unpacking of what the dealer answered. The dealer is our own code, so a surprise here is our mistake."""

from __future__ import annotations

from frp2p.cards import CardId
from frp2p.errors import LocalError
from frp2p.games.verbs import Cards, Number, Outcome, SlotId, Slots


def slots_of(outcome: Outcome, count: int) -> tuple[SlotId, ...]:
    """The `count` slots of an answer to Seal, Shuffle or Draw."""
    if not isinstance(outcome, Slots) or len(outcome.slots) != count:
        raise LocalError(f"the dealer owes {count} slots, not {outcome}")
    return outcome.slots


def cards_of(outcome: Outcome, count: int) -> tuple[CardId, ...]:
    """The `count` cards of an answer to Reveal."""
    if not isinstance(outcome, Cards) or len(outcome.cards) != count:
        raise LocalError(f"the dealer owes {count} cards, not {outcome}")
    return outcome.cards


def number_of(outcome: Outcome, sides: int) -> int:
    """The value of a Coin with `sides` sides."""
    if not isinstance(outcome, Number) or not 0 <= outcome.value < sides:
        raise LocalError(f"the dealer owes a number below {sides}, not {outcome}")
    return outcome.value
