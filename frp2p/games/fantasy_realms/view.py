"""What one seat, or the public, may know of a game of Fantasy Realms."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.items.shelf import Covered, Shown
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.ranking import Result
from frp2p.games.fantasy_realms.trade import Offer
from frp2p.games.verbs import Seat, SlotId
from frp2p.scoring import Choices

Phase: TypeAlias = Literal[
    "dealing",
    "draw",
    "keep",
    "discard",
    "item",
    "finish",
    "search",
    "extra",
    "overflow",
    "trade",
    "choices",
    "pause",
    "over",
]
"""What the game waits for: `dealing` is the dealer at work, `draw` and `discard` are the halves of a turn, `keep` is
the second half of a duel's turn in which one of two drawn cards goes; `item` is a question of a cursed item (see
`View.prompt`), `finish` the end of a turn with an unused item: keep, swap or use it; at the end of a round `search` is
Genie's pick from the deck, `extra` the Necromancer's from the discards, `overflow` a card too many, `choices` the wild
cards; `trade` is a tick of Chaos Realms; `pause` is between two rounds of a match."""


class HandCard(msgspec.Struct, frozen=True):
    """One card of a hand. `slot` is None once the hand lies open; `card` is None where the viewer can't know it."""

    slot: SlotId | None
    card: CardId | None


class Seen(msgspec.Struct, frozen=True):
    """A card of the deck that the viewer knows; `place` counts from the top, 0 is drawn next."""

    place: int
    card: CardId


class SeatView(msgspec.Struct, frozen=True):
    """One seat as the viewer sees it. What is not settled yet is None.

    `holds`: cards of the face-down hand that everybody saw it take and has not seen it give back. `extras`: the cards
    that came at the end, in their order, on top of `hand`. `points`: what the hand counts in this round. `total` and
    `rank` (from 1): of the whole match as it stands, once this round is counted or the game is over; a single game is a
    match of one round. Who has left comes last, without a total.
    `item`: its face-up cursed item. `aside`: the items that its Backpack set aside. `pile`: its used items; the cards
    are the owner's to see, and everybody's at the end.
    """

    seat: Seat
    hand: tuple[HandCard, ...]
    holds: tuple[CardId, ...] = ()
    extras: tuple[CardId, ...] = ()
    choices: Choices | None = None
    points: int | None = None
    total: int | None = None
    rank: int | None = None
    item: CardId | None = None
    aside: tuple[CardId, ...] = ()
    pile: tuple[HandCard, ...] = ()


class View(msgspec.Struct, frozen=True):
    """Everything that the viewer may know.

    `asked`: the seats whose move is awaited; the viewer decides if `me` is among them. `turn` counts from 1 in each
    round. `took` is the card that the seat in turn took from the discards this turn (public), None after a deck draw.
    `drawn`: the places of the two cards of which one must be discarded (phase `keep`). `full`: cards of a full hand.
    `spent`: cards that have done their drawing at the end and can't be dropped. `round` counts from 1; `past` are the
    results of the rounds before this one.

    `out`: the seats that have left for good; what they openly held (`holds`) is out of the match. `stopped`: the game
    was ended early, and counted as it stood.

    With cursed items: `items_left` in their deck; `item_discards`, oldest first. `covered`: discards that only one seat
    may take. `shown`: cards that lie open on the table for the moment. `using`: the item that asks somebody, `prompt`:
    what it asks the viewer. `skip`: the seat in turn leaves out its discard. `mix`: the deck is shuffled when the turn
    ends. `seen`: the cards of the deck that the viewer knows, top first. `stays`: the place in the hand that can't be
    discarded now (Lantern).

    In Chaos Realms `turn` counts ticks: `ticks_left` until the bell, this one included; `offers` stand open, everybody
    sees between whom. `brought`: the cards of which the Necromancer's holder keeps one; `discards` are the others, set
    aside.
    """

    me: Seat | None
    phase: Phase
    asked: tuple[Seat, ...]
    turn: int
    seat_in_turn: Seat | None
    first_seat: Seat | None
    seats: tuple[SeatView, ...]
    deck_left: int
    discards: tuple[CardId, ...]
    threshold: int
    took: CardId | None = None
    drawn: tuple[SlotId, ...] = ()
    full: int = 7
    spent: tuple[CardId, ...] = ()
    round: int = 1
    past: tuple[Result, ...] = ()
    items_left: int = 0
    item_discards: tuple[CardId, ...] = ()
    covered: tuple[Covered, ...] = ()
    shown: tuple[Shown, ...] = ()
    using: CardId | None = None
    prompt: Prompt | None = None
    skip: bool = False
    mix: bool = False
    seen: tuple[Seen, ...] = ()
    stays: SlotId | None = None
    ticks_left: int = 0
    offers: tuple[Offer, ...] = ()
    brought: tuple[CardId, ...] = ()
    out: tuple[Seat, ...] = ()
    stopped: bool = False
    options: Options = Options()
