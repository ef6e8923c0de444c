"""An explained score: where every point comes from, and the order in which the hand was resolved."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from frp2p.cards import CardId, Suit
from frp2p.cards.effects import Effect


class Line(msgspec.Struct, frozen=True):
    """Points of one effect of a card. A line is only there if its points are not 0.

    `effect` is what the card says (a word that was cleared is already gone from it); `causes` are the cards of the
    hand (EachDiscard: of the discard area) that brought the points, in hand order. Runs and Sets give one line for
    each run and each set; `suit` is the suit of the set.
    """

    side: Literal["bonus", "penalty"]
    points: int
    effect: Effect
    causes: tuple[CardId, ...]
    suit: Suit | None = None


class Cleared(msgspec.Struct, frozen=True):
    """A penalty, or one word of it, that is gone, because of the card `by`."""

    by: CardId
    word: Suit | None = None


BlankReason: TypeAlias = Literal["alone", "blanks", "loop", "itself"]
"""Blanked by Demon as the only one of its suit; by the penalty of another card; as part of a loop of cards that would
all blank each other; or by its own penalty."""


class Blanked(msgspec.Struct, frozen=True):
    """Why a card counts for nothing. `by`: the blanking cards (the other cards of a loop; itself for `itself`).

    For `itself`, `effect` is the line of the penalty that did it and `causes` the cards that are there (BlankedWith).
    """

    why: BlankReason
    by: tuple[CardId, ...]
    effect: Effect | None = None
    causes: tuple[CardId, ...] = ()


class CardScore(msgspec.Struct, frozen=True):
    """One card of the hand. `points` = `base` + the points of `lines`; all 0 and empty if it is `blanked`.

    `name` and `suits` are what the card was after wild cards and Book of Changes, before blanking: `name` an English
    card name as in `Card.en`, None for a wild card that took a plain suit. `base` is the strength that it scores.
    `copied` is the card whose name (Doppelgänger: and penalty) it took.
    """

    card: CardId
    name: str | None
    suits: tuple[Suit, ...]
    base: int
    lines: tuple[Line, ...]
    points: int
    copied: CardId | None = None
    cleared: tuple[Cleared, ...] = ()
    blanked: Blanked | None = None


class ItemScore(msgspec.Struct, frozen=True):
    """One face-down item: its value (with two players its other value) and what it adds beside enough other items."""

    item: CardId
    value: int
    extra: int

    @property
    def points(self) -> int:
        """All that it counts."""
        return self.value + self.extra


StepKind: TypeAlias = Literal["copy", "guise", "suit", "clear", "word", "guard", "alone", "blank", "loop", "itself"]
"""copy: `card` (Doppelgänger) copied `cards[0]`. guise: a wild card became `name`/`suit`. suit: `card` (Book) gave
`cards[0]` the suit. clear: `card` cleared the penalties of `cards`; word: only the word `suit` of them. guard: `card`
keeps `cards` from being blanked. alone: `card` (Demon) blanked `cards`. blank: `card` blanked `cards`. loop: `cards`
blanked each other. itself: `card` blanked itself."""


class Step(msgspec.Struct, frozen=True):
    """One event of the resolution. Steps that change nothing are left out (a blanker that finds no card)."""

    kind: StepKind
    card: CardId
    cards: tuple[CardId, ...] = ()
    name: str | None = None
    suit: Suit | None = None


class Score(msgspec.Struct, frozen=True):
    """`total` = the points of all `cards` and `items`. `cards` are in the order of the hand, `steps` in the order of
    resolution. `strength` is the tie-break: the base strengths of unblanked cards together (the lower one wins)."""

    total: int
    cards: tuple[CardScore, ...]
    steps: tuple[Step, ...]
    items: tuple[ItemScore, ...] = ()
    strength: int = 0
