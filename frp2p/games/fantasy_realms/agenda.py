"""The closed union of all tasks, and the agenda that a game starts with."""

from __future__ import annotations

from typing import TypeAlias

from frp2p.games.fantasy_realms.ending import (
    AskChoices,
    AskExtra,
    CallChoices,
    CallNecromancer,
    CountUp,
    RevealHands,
)
from frp2p.games.fantasy_realms.opening import DealHands, SealDeck, ShuffleDeck, ShuffleHands, TossFirst
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.turn import AskDiscard, AskDraw, BeginTurn, DrawTop, EndTurn, LayOpen, TakeCard

AnyTask: TypeAlias = (
    SealDeck
    | ShuffleDeck
    | TossFirst
    | DealHands
    | ShuffleHands
    | BeginTurn
    | AskDraw
    | DrawTop
    | TakeCard
    | AskDiscard
    | LayOpen
    | EndTurn
    | RevealHands
    | CallNecromancer
    | AskExtra
    | CallChoices
    | AskChoices
    | CountUp
)


def first_agenda(options: Options, seats: int) -> tuple[AnyTask, ...]:
    """What is to be done from the box of cards to the first turn."""
    shuffles = (ShuffleHands(seats=tuple(range(seats))),) if options.unlinkable_hands else ()
    return (SealDeck(), ShuffleDeck(), TossFirst(), DealHands(), *shuffles, BeginTurn())
