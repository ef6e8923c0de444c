"""What the cards of a hand can notice: the search leaves out choices that no card could tell apart.

Two suits (or two names) have the same `sign` if every look of every card of the hand has both or neither. Then swapping
them changes no score, unless a card compares suits with each other (Collector, World Tree, Demon) or names (Collector).
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
from frp2p.scoring.traits import NAME_TRAIT, NOTHING, SUIT_TRAIT, Trait
from frp2p.scoring.worth import traits_of

_COMPARING = (data.Sets, data.AllDifferent, data.BlanksAlone)


class Eyes(NamedTuple):
    """What one card looks for: sets of traits that it can't tell apart, and whether it compares suits or names."""

    looks: tuple[frozenset[Trait], ...]
    compares_suits: bool
    compares_names: bool


@lru_cache(maxsize=FACES_KEPT)
def eyes_of(card_id: CardId, house: House) -> Eyes:
    """The eyes of this card; its penalty looks whole and without the word that others may clear."""
    one = face(card_id, house)
    effects = one.effects
    looks = dict.fromkeys(look for effect in effects for look in _looks(effect))
    if one.aloof and not house.phoenix_cleared:
        looks[frozenset((SUIT_TRAIT[Suit.FLOOD],))] = None
    return Eyes(
        tuple(look for look in looks if look),
        any(isinstance(effect, _COMPARING) for effect in effects),
        any(isinstance(effect, data.Sets) for effect in effects),
    )


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
    else:
        looks: list[Look | None] = [getattr(effect, "look", None), getattr(effect, "boost", None)]
        for look in (*looks, *getattr(effect, "needs", ()), *getattr(effect, "targets", ())):
            if look is not None:
                yield frozenset(traits_of(look))
                yield frozenset(NAME_TRAIT[name] for name in look.but)


class Notice:
    """What a whole hand can notice. `signs` by trait: 0 where no card looks for it."""

    __slots__ = ("compares_names", "compares_suits", "signs")

    def __init__(self, hand: Sequence[CardId], house: House) -> None:
        self.signs = NOTHING.copy()
        self.compares_suits = self.compares_names = False
        bit = 1
        for card_id in hand:
            eyes = eyes_of(card_id, house)
            self.compares_suits |= eyes.compares_suits
            self.compares_names |= eyes.compares_names
            for look in eyes.looks:
                for trait in look:
                    self.signs[trait] |= bit
                bit <<= 1
