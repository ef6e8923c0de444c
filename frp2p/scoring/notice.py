"""What the cards of a hand can notice: the search leaves out choices that no card could tell apart.

Two suits (or two names) have the same `sign` if every look of every card of the hand has both or neither. Then swapping
them changes no score, unless a card compares suits with each other (Collector, World Tree, Demon) or names (Collector).
Cards that blank others only tell apart whom they blank and whom they don't: two suits are alike to them if both are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from frp2p.cards import CardId, Suit
from frp2p.cards import effects as data
from frp2p.cards.effects import Effect, Look
from frp2p.scoring.context import House
from frp2p.scoring.face import FACES_KEPT, face
from frp2p.scoring.traits import NAME_TRAIT, NAMES, NOTHING, SUIT_TRAIT, SUITS, Trait
from frp2p.scoring.worth import traits_of

_COMPARING = (data.Sets, data.AllDifferent, data.BlanksAlone)


class Eyes(NamedTuple):
    """What one card looks for. `looks`: sets of traits that it can't tell apart. `aims`: whom it blanks, which
    is all that it can tell of them. And whether it compares suits, or names."""

    looks: tuple[frozenset[Trait], ...]
    aims: tuple[tuple[Look, ...], ...]
    compares_suits: bool
    compares_names: bool


@lru_cache(maxsize=FACES_KEPT)
def eyes_of(card_id: CardId, house: House) -> Eyes:
    """The eyes of this card; its penalty looks whole and without the word that others may clear."""
    effects = face(card_id, house).effects
    return Eyes(
        tuple(dict.fromkeys(look for effect in effects for look in _looks(effect))),
        tuple(aim for effect in effects if isinstance(effect, data.Blanks) for aim in _aims(effect)),
        any(isinstance(effect, _COMPARING) for effect in effects),
        any(isinstance(effect, data.Sets) for effect in effects),
    )


def _aims(effect: data.Blanks) -> Iterator[tuple[Look, ...]]:
    """The looks that find whom it blanks: those that may find the card itself, and those that can't."""
    for other in (False, True):
        yield tuple(look for look in effect.targets if look.other is other)


def _looks(effect: Effect) -> Iterator[frozenset[Trait]]:
    """The sets of traits that the effect looks for in the hand; members of one set are alike to it."""
    if isinstance(effect, data.EachDiscard | data.TakesName | data.TakesCard | data.AlsoSuits):
        return
    if isinstance(effect, data.FirstAndFurther):
        for suit in effect.suits:
            yield frozenset((SUIT_TRAIT[suit],))
    elif isinstance(effect, data.BestWith):
        for line in effect.lines:
            yield from _looks(line)
    elif isinstance(effect, data.BlanksAlone):
        yield frozenset(SUIT_TRAIT[suit] for suit in effect.but)
    elif isinstance(effect, data.Clears | data.ClearsChosen | data.Guards):
        yield frozenset(SUIT_TRAIT[suit] for suit in effect.suits)
    elif isinstance(effect, data.Blanks):
        for target in effect.targets:
            yield frozenset(NAME_TRAIT[name] for name in target.names)
            yield frozenset(NAME_TRAIT[name] for name in target.but)
    else:
        for look in (getattr(effect, "look", None), getattr(effect, "boost", None), *getattr(effect, "needs", ())):
            if look is not None:
                yield frozenset(traits_of(look))


class Notice:
    """What a whole hand can notice. `names` by trait: the signs of names, 0 where no card looks for it."""

    __slots__ = ("_aims", "_by_name", "_suits", "compares_names", "compares_suits", "names")

    def __init__(self, hand: Sequence[CardId], house: House) -> None:
        self.names = NOTHING.copy()
        self.compares_suits = self.compares_names = False
        self._aims: list[tuple[Look, ...]] = []
        self._by_name: dict[Trait, list[int]] = {}
        bit = 1
        for card_id in hand:
            eyes = eyes_of(card_id, house)
            self.compares_suits |= eyes.compares_suits
            self.compares_names |= eyes.compares_names
            self._aims += eyes.aims
            for look in eyes.looks:
                for trait in look:
                    self.names[trait] |= bit
                bit <<= 1
        self._suits = self.names[: len(SUITS)]

    def suits(self, name: Trait) -> list[int]:
        """The signs of the suits for a card of this name."""
        key = name if self.names[name] else -1
        found = self._by_name.get(key)
        if found is None:
            found = self._suits
            for aim in self._aims:
                hit = _hit(aim, NAMES[name - len(SUITS)])
                found = [sign << 1 | (suit in hit) for suit, sign in zip(SUITS, found, strict=True)]
            self._by_name[key] = found
        return found


def _hit(aim: tuple[Look, ...], name: str) -> tuple[Suit, ...]:
    """The suits in which a card of this name is found."""
    if any(name in look.names for look in aim):
        return SUITS
    return tuple(suit for look in aim if name not in look.but for suit in look.suits)
