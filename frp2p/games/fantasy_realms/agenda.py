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
    CloseDeck,
    OpenDeck,
    OpenTop,
)
from frp2p.games.fantasy_realms.items.drawing import AskReturn, AskUnder, DrawCards, MixTop, PutUnder
from frp2p.games.fantasy_realms.items.finish import AskFinish, CallFinish, SettleTurn
from frp2p.games.fantasy_realms.items.heap import (
    AskBury,
    AskCover,
    AskLay,
    AskTake,
    BuryCards,
    LayCards,
    OpenTopCards,
    TakeCards,
)
from frp2p.games.fantasy_realms.items.looking import AskLook, AskShow, AskSuit, PeekAt, ShowSuit, TakeBack
from frp2p.games.fantasy_realms.items.market import AskBargain, AskOffers, AskWare, OpenCards
from frp2p.games.fantasy_realms.items.others import (
    AskCopy,
    AskJunk,
    AskSteal,
    CallAside,
    CallMore,
    OpenAside,
    OpenCopied,
)
from frp2p.games.fantasy_realms.items.searching import AskHunt, AskOther, AskTop, CallBack, HuntTop, KeepHit, SealShown
from frp2p.games.fantasy_realms.items.setup import (
    AskAside,
    CallItems,
    CallPiles,
    DealItems,
    DrawItem,
    Replenish,
    RevealPiles,
    SealItems,
    SealJunk,
    ShuffleItems,
)
from frp2p.games.fantasy_realms.items.stow import Perform, ShufflePile, StowItem
from frp2p.games.fantasy_realms.match import AskNext, CloseRound, GatherCards, round_tasks
from frp2p.games.fantasy_realms.necromancy import AskBrought, CallBringer, OpenBrought
from frp2p.games.fantasy_realms.opening import DealHands, SealDeck, ShuffleDeck, ShuffleHands, TossFirst
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.trade import AskTick, Lapse, StartTrade, SwapCards
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
    | DrawCards
    | AskUnder
    | PutUnder
    | MixTop
    | AskReturn
    | CallFinish
    | AskFinish
    | SettleTurn
    | OpenTopCards
    | AskBury
    | BuryCards
    | AskCover
    | AskTake
    | TakeCards
    | AskLay
    | LayCards
    | AskLook
    | PeekAt
    | AskSuit
    | AskShow
    | ShowSuit
    | TakeBack
    | AskWare
    | OpenCards
    | AskOffers
    | AskBargain
    | AskSteal
    | AskJunk
    | AskCopy
    | OpenCopied
    | CallAside
    | CallMore
    | OpenAside
    | AskHunt
    | HuntTop
    | KeepHit
    | CallBack
    | SealShown
    | AskOther
    | AskTop
    | SealItems
    | SealJunk
    | ShuffleItems
    | DealItems
    | Replenish
    | DrawItem
    | AskAside
    | RevealPiles
    | CallItems
    | CallPiles
    | StowItem
    | ShufflePile
    | Perform
    | StartTrade
    | AskTick
    | SwapCards
    | Lapse
    | CallBringer
    | OpenBrought
    | AskBrought
    | OpenDeck
    | CloseDeck
)


def first_agenda(options: Options, seats: int) -> tuple[AnyTask, ...]:
    """What is to be done from the box of cards to the end of the first round."""
    toss = (TossFirst(),) if options.mode != "chaos" else ()
    return (SealDeck(), ShuffleDeck(), *toss, *round_tasks(options, tuple(range(seats))))
