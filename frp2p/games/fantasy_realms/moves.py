"""The moves of Fantasy Realms."""

from __future__ import annotations

from typing import TypeAlias

from frp2p.cards import CardId
from frp2p.games.game import Move
from frp2p.games.verbs import SlotId
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


FantasyMove: TypeAlias = DrawDeck | TakeDiscard | Discard | Pass | SearchDeck | PickExtra | Drop | Choose | NextRound
