"""Hands for tests, written as lines."""

from __future__ import annotations

from typing import Any

from frp2p.cards import CardId, sets
from frp2p.scoring import Choices, Context, House, Score, score, total
from frp2p.scoring.notation import parse_line


def read(line: str, **options: Any) -> tuple[tuple[CardId, ...], Choices, Context]:
    """(hand, choices, context) of a line; options are fields of Context, or house rules by name."""
    house = {name: options.pop(name) for name in House.__struct_fields__ if name in options}
    context = Context(**options, house=House(**house))
    found = parse_line(line, context.deck() + sets.items())
    around = Context(
        players=found.players or context.players,
        discard=found.discard or (),
        items=found.items or (),
        extra_suits=context.extra_suits,
        jester=context.jester,
        phoenix=context.phoenix,
        house=context.house,
    )
    return found.hand, found.choices, around


def scored(line: str, **options: Any) -> Score:
    return score(*read(line, **options))


def points(line: str, **options: Any) -> int:
    return total(*read(line, **options))


def part(result: Score, card_id: str) -> Any:
    """The score of one card."""
    return next(one for one in result.cards if one.card == card_id)
