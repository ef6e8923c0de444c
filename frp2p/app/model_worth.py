"""What a hand is worth as it stands, and what each take and discard would change: computed aside, shown when ready."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import msgspec

from frp2p import scoring
from frp2p.app import model_cards as cards
from frp2p.cards import CARDS, CardId, Suit, mark
from frp2p.cards.effects import EachDiscard
from frp2p.games.fantasy_realms import foresight, offer
from frp2p.games.fantasy_realms.counting import context
from frp2p.games.fantasy_realms.items.offer import takeable
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.options import Hints
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.scoring import CardScore, Choices, Context, Score

QUESTIONS = frozenset({"search", "extra", "overflow"})
"""Phases at the end in which one card is picked or dropped."""

_SUIT_ORDER = tuple(Suit)

TOTALS_KEPT = 20_000
"""Totals of hands that are remembered: a turn asks for at most 10 takes x 8 discards, a game has some 60 views."""

Key: TypeAlias = tuple[tuple[CardId, ...], tuple[CardId, ...], str, int, Prompt | None]

_NOTHING: Mapping[CardId, int] = MappingProxyType({})
_NO_TAKES: Mapping[CardId, tuple[int, CardId | None]] = MappingProxyType({})


class Counted(NamedTuple):
    """One card as it counts now. `shown` is its name with what it became."""

    shown: str
    base: int
    points: int
    blanked: bool
    score: CardScore


class Worth(msgspec.Struct, frozen=True):
    """`score` and `choices` are the best for `hand` (None where hints are off); `without` the best total after
    discarding a card, `takes` the best total after taking one and the card then to discard (None: no card has to go),
    `extras` the best total after each answer to a question at the end (an extra card or None, a card to drop), and
    `pick` the best answer. `answer`: what is proposed to the question of an item, `extras` then what each card in
    question would make of the hand. `done`: nothing more is being computed."""

    key: Key
    hand: tuple[CardId, ...]
    around: Context
    score: Score | None = None
    choices: Choices | None = None
    without: Mapping[CardId, int] = _NOTHING
    takes: Mapping[CardId, tuple[int, CardId | None]] = _NO_TAKES
    extras: Mapping[CardId | None, int] = MappingProxyType({})
    pick: CardId | None = None
    answer: Move | None = None
    done: bool = False

    @property
    def total(self) -> int | None:
        """What the hand counts; nothing in it counts nothing."""
        if self.score is None:
            return 0 if not self.hand and self.takes else None
        return self.score.total

    @property
    def trading(self) -> bool:
        """Whether the hand is one that is traded (Chaos Realms)."""
        return self.key[2] == "trade"

    def card(self, card: CardId) -> Counted | None:
        """How a card of the hand counts; None if it is not there or nothing may be told."""
        return counted(self.score, card)


def counted(score: Score | None, card: CardId) -> Counted | None:
    """How one card counts in an explained score."""
    found = next((part for part in score.cards if part.card == card), None) if score is not None else None
    if found is None:
        return None
    return Counted(became(found), found.base, found.points, found.blanked is not None, found)


def became(part: CardScore) -> str:
    """The name of a card with what wild cards and Book of Changes made of it: `Mirage=Rainstorm`, `King (Ar)`."""
    name = cards.name(part.card)
    if part.copied is not None:
        return f"{name}={cards.name(part.copied)}"
    if part.suits and CARDS[part.card].suit not in part.suits:
        return f"{name} ({' '.join(map(mark, part.suits))})"
    return name


def own_hand(view: View) -> tuple[CardId, ...]:
    """The viewer's hand in catalogue order, so that suits lie together; the extra card comes last."""
    if view.me is None:
        return ()
    mine = view.seats[view.me]
    return (*sorted((entry.card for entry in mine.hand if entry.card is not None), key=place), *mine.extras)


def place(card: CardId) -> tuple[int, CardId]:
    """Sorts cards so that suits lie together."""
    return _SUIT_ORDER.index(CARDS[card].suit), card


def key(view: View) -> Key:
    """Two views with one key have one worth."""
    return own_hand(view), view.discards, view.phase, len(view.seats), view.prompt


def start(view: View, before: Worth | None = None) -> Worth:
    """A worth of which nothing is computed yet, but for what `before` knows of the same hand: figures that stay true
    must not vanish from the screen while they are computed again."""
    hand = own_hand(view)
    fresh = Worth(key(view), hand, _around(view, hand))
    if before is None or (before.hand, before.around) != (fresh.hand, fresh.around):
        return fresh
    takes = {card: taken for card, taken in before.takes.items() if card in view.discards}
    return msgspec.structs.replace(fresh, score=before.score, choices=before.choices, takes=MappingProxyType(takes))


def appraise(view: View, hints: Hints) -> Iterator[Worth]:
    """The worth of the viewer's hand, better known with every step: the score, then discards, then takes."""
    worth = start(view)
    final = view.phase in ("choices", "pause", "over")
    if view.prompt is not None and view.me in view.asked:
        worth = msgspec.structs.replace(worth, answer=offer.default(view))
        yield worth
    if not worth.hand or (hints == "off" and not final and view.phase not in QUESTIONS):
        for better in _what_if(view, worth) if hints == "what-if" and view.phase == "draw" else ():
            worth = better
            yield worth
        yield msgspec.structs.replace(worth, done=True)
        return
    choices, score = best(worth.hand, worth.around)
    told = hints != "off" or final
    worth = msgspec.structs.replace(worth, score=score if told else None, choices=choices if told else None)
    yield worth
    if view.phase in QUESTIONS and view.me in view.asked:
        extras: dict[CardId | None, int] = {}
        for card in _answers(view):
            extras[card] = foresight.outcome(offer.prospect(view), view.phase, card)
            worth = msgspec.structs.replace(worth, extras=MappingProxyType(dict(extras)))
            yield worth
        worth = msgspec.structs.replace(worth, pick=_pick(view))
    elif hints == "what-if" and view.prompt is not None:
        for card, points in _in_question(view, worth):
            worth = msgspec.structs.replace(worth, extras=MappingProxyType({**worth.extras, card: points}))
            yield worth
    elif hints == "what-if" and not final:
        for better in _what_if(view, worth):
            worth = better
            yield worth
    yield msgspec.structs.replace(worth, done=True)


def _what_if(view: View, worth: Worth) -> Iterator[Worth]:
    if view.phase in ("discard", "keep", "trade") and view.me in view.asked:
        going = [card for _slot, card in offer.leaving(view)]
        left = {card: best_total(_less(worth.hand, card), worth.around) for card in going}
        worth = msgspec.structs.replace(worth, without=MappingProxyType(left))
        yield worth
        return
    takes: dict[CardId, tuple[int, CardId | None]] = {}
    for card in takeable(view):
        takes[card] = _with_card(worth, card, full=len(worth.hand) >= view.full and not view.skip)
        worth = msgspec.structs.replace(worth, takes=MappingProxyType(dict(takes)))
        yield worth


def _with_card(worth: Worth, card: CardId, *, full: bool) -> tuple[int, CardId | None]:
    """The best total with this card, and the card that goes for it if the hand is full."""
    hand = (*worth.hand, card)
    if not full:
        return best_total(tuple(sorted(hand)), worth.around), None
    return max((best_total(_less(hand, gone), worth.around), gone) for gone in hand)


def _in_question(view: View, worth: Worth) -> Iterator[tuple[CardId | None, int]]:
    """What each card that an item asks about would make of the hand: without it, with it in place of the worst, or
    (Market Wagon) with it as one more, the hand having lent one."""
    prompt = view.prompt
    if prompt is None or prompt.what in ("junk", "aside", "copy"):
        return
    for card in (*prompt.cards, *(face for face in prompt.faces if face is not None)):
        if card in worth.hand or (prompt.what == "bargain" and card == view.shown[0].card):
            yield card, best_total(_less(worth.hand, card), worth.around)
        else:
            yield card, _with_card(worth, card, full=prompt.what != "bargain")[0]
    if prompt.what == "bargain":
        yield None, _with_card(worth, view.shown[0].card, full=False)[0]


def _answers(view: View) -> list[CardId | None]:
    return [getattr(move, "card", None) for move in offer.legal(view)]


def _pick(view: View) -> CardId | None:
    picked: CardId | None = getattr(offer.default(view), "card", None)
    return picked


def _less(hand: tuple[CardId, ...], card: CardId) -> tuple[CardId, ...]:
    return tuple(sorted(other for other in hand if other != card))


def _around(view: View, hand: tuple[CardId, ...]) -> Context:
    """What the count depends on; the discard area only where a card asks for it, so that totals can be remembered."""
    looks = any(isinstance(effect, EachDiscard) for card in hand for effect in CARDS[card].effects)
    return context(view.options, view.discards if looks else (), len(view.seats))


@lru_cache(maxsize=256)
def best(hand: tuple[CardId, ...], around: Context) -> tuple[Choices, Score]:
    """The best choices of a hand and its explained score with them."""
    return scoring.best(hand, around)


@lru_cache(maxsize=TOTALS_KEPT)
def best_total(hand: tuple[CardId, ...], around: Context) -> int:
    """The total of a hand with its best choices."""
    return scoring.best_total(hand, around)


@lru_cache(maxsize=TOTALS_KEPT)
def total(hand: tuple[CardId, ...], choices: Choices, around: Context) -> int:
    """The total of a hand with these choices."""
    return scoring.total(hand, choices, around)


@lru_cache(maxsize=256)
def explained(hand: tuple[CardId, ...], choices: Choices, around: Context) -> Score:
    """The explained score of a hand with these choices."""
    return scoring.score(hand, choices, around)
