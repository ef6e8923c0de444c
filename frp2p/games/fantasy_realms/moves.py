"""The moves of Fantasy Realms."""

from __future__ import annotations

from typing import TypeAlias

from frp2p.cards import CardId
from frp2p.games.game import Move
from frp2p.games.verbs import Seat, SlotId
from frp2p.scoring import Choices


class DrawDeck(Move, frozen=True):
    """Draw the top card of the deck; in a duel, below a full hand, the two top cards."""


class TakeDiscard(Move, frozen=True):
    """Take this card from the discard area."""

    card: CardId


class Discard(Move, frozen=True):
    """Put the card in this slot of the own hand face up into the discard area."""

    slot: SlotId


class Pass(Move, frozen=True):
    """Neither deck nor discards has a card to take."""


class SearchDeck(Move, frozen=True):
    """Genie at the end: this card of the deck joins the hand."""

    card: CardId


class PickExtra(Move, frozen=True):
    """Necromancer at the end: take this card from the discard area as an extra one, or None."""

    card: CardId | None


class Drop(Move, frozen=True):
    """At the end: put this card of the own open hand, which is over its limit, into the discard area."""

    card: CardId


class Choose(Move, frozen=True):
    """The final choices for the own wild cards, Book of Changes, Island and Angel."""

    choices: Choices


class NextRound(Move, frozen=True):
    """Between two rounds of a match: go on."""


class UseItem(Move, frozen=True):
    """Use the own face-up item; what it has to know is asked for next (`view.prompt`)."""

    item: CardId


class SwapItem(Move, frozen=True):
    """At the end of the own turn: put the unused face-up item away and get another one."""


class KeepItem(Move, frozen=True):
    """At the end of the own turn: leave the face-up item where it is."""


class PickSeat(Move, frozen=True):
    """An item's question: this other seat."""

    seat: Seat


class PickSuit(Move, frozen=True):
    """An item's question: the suit of this code."""

    suit: str


class PickCards(Move, frozen=True):
    """An item's question: these open cards (or items), in this order."""

    cards: tuple[CardId, ...]


class PickSlots(Move, frozen=True):
    """An item's question: these face-down cards, in this order."""

    slots: tuple[SlotId, ...]


class Arrange(Move, frozen=True):
    """An item's question: keep one of the cards; the others go on the top and under the bottom of the deck.

    `top`: its first card is drawn next. `bottom`: its last card is the last of the deck.
    """

    keep: SlotId
    top: tuple[SlotId, ...]
    bottom: tuple[SlotId, ...]


class Wait(Move, frozen=True):
    """Chaos: say nothing in this tick."""


class OfferCard(Move, frozen=True):
    """Chaos: offer the card in this slot of the own hand to a seat for any one card; it takes the place of the own
    offers to this seat and of this card."""

    slot: SlotId
    to: Seat


class AcceptOffer(Move, frozen=True):
    """Chaos: take what this seat offers, and give the card in this slot of the own hand for it."""

    seat: Seat
    slot: SlotId


class RefuseOffer(Move, frozen=True):
    """Chaos: what this seat offers is not wanted."""

    seat: Seat


class WithdrawOffer(Move, frozen=True):
    """Chaos: the own offer to this seat does not stand any more."""

    seat: Seat


TradeMove: TypeAlias = Wait | OfferCard | AcceptOffer | RefuseOffer | WithdrawOffer

ItemMove: TypeAlias = UseItem | SwapItem | KeepItem | PickSeat | PickSuit | PickCards | PickSlots | Arrange

FantasyMove: TypeAlias = (
    DrawDeck | TakeDiscard | Discard | Pass | SearchDeck | PickExtra | Drop | Choose | NextRound | ItemMove | TradeMove
)
