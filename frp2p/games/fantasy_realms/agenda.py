"""The closed union of all tasks, and the agenda that a game starts with."""

from __future__ import annotations

from typing import TypeAlias

from frp2p.games.fantasy_realms.ending import AskChoices, CallChoices, CountUp, RevealHands
from frp2p.games.fantasy_realms.extras import (
    AskExtra,
    AskOverflow,
    AskSearch,
    CallGenie,
    CallLeprechaun,
    CallNecromancer,
    CapHand,
    OpenTop,
)
from frp2p.games.fantasy_realms.match import AskNext, CloseRound, GatherCards, round_tasks
from frp2p.games.fantasy_realms.opening import DealHands, SealDeck, ShuffleDeck, ShuffleHands, TossFirst
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.turn import (
    AskDiscard,
    AskDraw,
    AskKeep,
    BeginTurn,
    DrawTop,
    EndTurn,
    LayOpen,
    TakeCard,
)

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
    | AskKeep
    | AskDiscard
    | LayOpen
    | EndTurn
    | RevealHands
    | CallLeprechaun
    | OpenTop
    | CallGenie
    | AskSearch
    | CallNecromancer
    | AskExtra
    | CapHand
    | AskOverflow
    | CallChoices
    | AskChoices
    | CountUp
    | CloseRound
    | AskNext
    | GatherCards
)


def first_agenda(options: Options, seats: int) -> tuple[AnyTask, ...]:
    """What is to be done from the box of cards to the end of the first round."""
    return (SealDeck(), ShuffleDeck(), TossFirst(), *round_tasks(options, seats))
