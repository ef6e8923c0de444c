"""What a card does at scoring, as data. Text generation and the scoring engine read the same values.

"Card" below always means an unblanked card of the own hand, as it is after wild cards and Book of Changes. An effect
in `Card.bonus` is part of the bonus text, one in `Card.penalty` part of the penalty text; there, points are negative.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from frp2p.cards.suits import Suit

Source: TypeAlias = Literal["discards", "top", "deck"]
"""Where an extra card comes from at the end: the discard area, the top of the deck, or a search through the deck."""


class Look(msgspec.Struct, frozen=True):
    """Which cards an effect looks at: those of any of these suits (but not of the names `but`), and those of any of
    these names. `other`: never the card itself."""

    suits: tuple[Suit, ...] = ()
    names: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    other: bool = False


class Effect(msgspec.Struct, frozen=True, tag=True):
    """One line of a card's text."""


class Each(Effect, frozen=True):
    """`points` for each card of `look`; a card that has two of the suits counts for both.

    With `boost`, the points are `boosted` instead where a card of `boost` is there.
    """

    points: int
    look: Look
    boost: Look | None = None
    boosted: int = 0


class With(Effect, frozen=True):
    """`points` once, if for every look of `needs` there is a card."""

    points: int
    needs: tuple[Look, ...]


class BestWith(Effect, frozen=True):
    """The first of these lines whose needs are met, and only that one."""

    lines: tuple[With, ...]


class Without(Effect, frozen=True):
    """`points` once, if there is no card of `look`."""

    points: int
    look: Look


class SumOfStrengths(Effect, frozen=True):
    """The base strengths of all cards of `look` together."""

    look: Look


class BestStrength(Effect, frozen=True):
    """The base strength of one card of `look`; the best one is taken."""

    look: Look


class FirstAndFurther(Effect, frozen=True):
    """For each of the suits by itself: `first` points for the first card of it, `further` for every one after that.

    `other`: the card itself is not counted, where it has the suit.
    """

    first: int
    further: int
    suits: tuple[Suit, ...]
    other: bool = False


class Exactly(Effect, frozen=True):
    """`points` once, if all cards of `look` together are exactly `count`."""

    points: int
    count: int
    look: Look


class Runs(Effect, frozen=True):
    """Runs of consecutive base strengths; every run scores and each card is in at most one.

    `table`: (length, points), ascending; a longer run than the last scores as the last.
    """

    table: tuple[tuple[int, int], ...]


class Sets(Effect, frozen=True):
    """For each suit by itself, cards of different names; every suit scores. `table` as in Runs."""

    table: tuple[tuple[int, int], ...]


class AllDifferent(Effect, frozen=True):
    """`points` once, if no two cards share a suit."""

    points: int


class OddStrengths(Effect, frozen=True):
    """`each` for every other card with an odd base strength; `whole` instead if the whole hand is odd, none blanked."""

    each: int
    whole: int


class EachPenalty(Effect, frozen=True):
    """`points` for each card whose penalty is not wholly cleared, whether it costs something or not."""

    points: int


class EachPlayer(Effect, frozen=True):
    """`points` for each other player."""

    points: int


class EachDiscard(Effect, frozen=True):
    """`points` for each card of `look` in the discard area at the end; printed suits and names count there."""

    points: int
    look: Look


class Clears(Effect, frozen=True):
    """Removes the penalty of all cards of these suits (empty: of all cards); with `word`, only that suit's word in it.

    Permanent, even if the clearing card is blanked afterwards.
    """

    suits: tuple[Suit, ...] = ()
    word: Suit | None = None


class ClearsChosen(Effect, frozen=True):
    """Removes the penalty of one chosen card of these suits."""

    suits: tuple[Suit, ...]


class Guards(Effect, frozen=True):
    """Cards of these suits can't be blanked, by anything."""

    suits: tuple[Suit, ...]


class GuardsChosen(Effect, frozen=True):
    """Neither this card nor one other chosen card can be blanked, by anything."""


class AlsoSuits(Effect, frozen=True):
    """In a hand, this card has these suits besides its own."""

    suits: tuple[Suit, ...]


class Aloof(Effect, frozen=True):
    """Book of Changes can't change it, no other card blanks it, and no other card is blanked because of it."""


class KeepsSuits(Effect, frozen=True):
    """When it is blanked, its strength is 0 but it keeps its suits."""


class TakesName(Effect, frozen=True):
    """May take name and suit of any card of the game of these suits; strength stays, no bonus, no penalty."""

    suits: tuple[Suit, ...]


class Copies(Effect, frozen=True):
    """May take name, strength, suit and penalty of one other card of the hand, before other choices are made."""


class ChangesSuit(Effect, frozen=True):
    """May change the suit of one other card of the hand."""


class TakesCard(Effect, frozen=True):
    """At the end an extra card joins the hand: of these suits (empty: of any)."""

    source: Source
    suits: tuple[Suit, ...] = ()
    may: bool = False


class Blanks(Effect, frozen=True):
    """Blanks every card that any of `targets` finds; with `all_but`, every card that none of them finds."""

    targets: tuple[Look, ...]
    all_but: bool = False


class BlanksAlone(Effect, frozen=True):
    """Before any other blanking: every card that is the only one of its suit is blanked, cards of `but` excepted."""

    but: tuple[Suit, ...]


class BlankedUnless(Effect, frozen=True):
    """Blanks itself unless a card of `look` is there."""

    look: Look


class BlankedWith(Effect, frozen=True):
    """Blanks itself if a card of `look` is there."""

    look: Look
