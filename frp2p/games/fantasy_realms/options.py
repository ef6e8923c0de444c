"""What the players agree on before a game of Fantasy Realms: the part of the charter that is ours."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from frp2p.errors import UserError
from frp2p.locale import _

ModeName: TypeAlias = Literal["standard"]
Hints: TypeAlias = Literal["off", "score", "what-if"]


class Options(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The options of a table.

    `unlinkable_hands`: after every draw and take the owner shuffles the own hand, so that nobody can tell from the
    place of a discard how long it was held. `hints`: what the program may tell a player about the own hand: nothing,
    its present score, or also the gain of each take and discard; no rule depends on it.
    """

    mode: ModeName = "standard"
    unlinkable_hands: bool = True
    hints: Hints = "what-if"


class Measure(msgspec.Struct, frozen=True):
    """The numbers of a mode: cards dealt to each hand, discards that end the game, and how many can play."""

    hand: int
    threshold: int
    seats_min: int
    seats_max: int


MODES: Final[dict[ModeName, Measure]] = {"standard": Measure(hand=7, threshold=10, seats_min=2, seats_max=6)}
"""Seven seats would leave four of 53 cards for the ten draws that a game takes; six leave eleven."""


def measure(options: Options) -> Measure:
    """The numbers that hold with these options."""
    return MODES[options.mode]


def check_options(options: Options, seats: int) -> None:
    """Raise UserError, with a sentence for the player, if no table can be opened this way."""
    numbers = measure(options)
    if not numbers.seats_min <= seats <= numbers.seats_max:
        raise UserError(
            _("A table of the {mode} game seats {least} to {most} players, not {seats}.").format(
                mode=options.mode, least=numbers.seats_min, most=numbers.seats_max, seats=seats
            )
        )
