"""A card made ready for scoring: its data turned into traits and functions, once for each set of house rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from frp2p.cards import CardId, Suit, card
from frp2p.cards import effects as data
from frp2p.cards.effects import Effect
from frp2p.scoring.context import House
from frp2p.scoring.houses import bonus_of, penalty_of, without_word
from frp2p.scoring.limit import Bound, limits
from frp2p.scoring.traits import NAME_TRAIT, SUIT_TRAIT, Held, Mask, Trait
from frp2p.scoring.worth import Worth, traits_of, worths

Ability: TypeAlias = Literal["doppelganger", "mirage", "shapeshifter", "book", "island", "angel"]
"""A choice that a card gives to its owner; the field of Choices."""

WORD = Suit.ARMY
"""The only word that any card clears. `Penalty` keeps the two forms of every penalty ready."""

FACES_KEPT = 1024
"""Faces kept ready: all cards under several sets of house rules."""

_SELF_BLANK_ORDER = ("Phoenix", "Smoke", "Warship", "Garden", "War Dirigible")
"""Where nothing else decides which card that blanks itself is settled first, this does."""

_ABILITIES: dict[type[Effect], Ability] = {
    data.Copies: "doppelganger",
    data.ChangesSuit: "book",
    data.ClearsChosen: "island",
    data.GuardsChosen: "angel",
}


class Penalty:
    """One form of a penalty: whole, or without the word.

    `targets`: for each Blanks its finder. `clauses`: the lines by which the card blanks itself, (effect, traits, lives)
    where `lives` tells that a card of the traits keeps it alive, else such a card blanks it. `rank`: place in the fixed
    order of those cards. `blanks`: whether it may blank any card.
    """

    __slots__ = ("alone", "blanks", "clauses", "effects", "rank", "targets", "worths")

    def __init__(self, effects: tuple[Effect, ...], name: str) -> None:
        self.effects = effects
        self.worths: tuple[Worth, ...] = worths(effects)
        self.targets = tuple(Target(effect) for effect in effects if isinstance(effect, data.Blanks))
        self.alone = tuple(effect for effect in effects if isinstance(effect, data.BlanksAlone))
        self.clauses = tuple(
            (effect, traits_of(effect.look), isinstance(effect, data.BlankedUnless))
            for effect in effects
            if isinstance(effect, data.BlankedUnless | data.BlankedWith)
        )
        self.blanks = bool(self.targets or self.alone or self.clauses)
        self.rank = _SELF_BLANK_ORDER.index(name) if self.clauses else -1


class Target:
    """Whom one Blanks finds."""

    __slots__ = ("all_but", "looks", "plain")

    def __init__(self, effect: data.Blanks) -> None:
        self.all_but = effect.all_but
        # looks that are bare traits are found by one `or`; the others have names to leave out or leave the card out
        self.plain = tuple(t for look in effect.targets if not look.but and not look.other for t in traits_of(look))
        self.looks = tuple(
            (traits_of(look), tuple(NAME_TRAIT[name] for name in look.but), look.other)
            for look in effect.targets
            if look.but or look.other
        )

    def find(self, held: Held, me: Mask, full: Mask) -> Mask:
        """The cards that it blanks where nothing protects them."""
        mask = 0
        for trait in self.plain:
            mask |= held[trait]
        for traits, but, other in self.looks:
            found = 0
            for trait in traits:
                found |= held[trait]
            for name in but:
                found &= ~held[name]
            mask |= found & ~me if other else found
        return full & ~mask if self.all_but else mask


class Face:
    """A card ready for scoring. `ability` is the choice that it gives, None for most cards."""

    __slots__ = (
        "ability",
        "aloof",
        "also",
        "clears",
        "effects",
        "guards",
        "keeps",
        "limits",
        "name",
        "penalty",
        "silent",
        "strength",
        "suit",
        "takes",
        "wordless",
        "worths",
    )

    def __init__(self, card_id: CardId, house: House) -> None:
        printed = card(card_id)
        bonus, penalty = bonus_of(printed, house), penalty_of(printed, house)
        self.suit: Trait = SUIT_TRAIT[printed.suit]
        self.name: Trait = NAME_TRAIT[printed.en]
        self.strength = printed.strength
        self.worths: tuple[Worth, ...] = worths(bonus)
        self.limits: tuple[Bound, ...] = limits(bonus)
        self.penalty = Penalty(penalty, printed.en) if penalty else None
        left = without_word(penalty, WORD)
        self.effects = bonus + penalty + left
        # a penalty without the word is still a penalty, even if it can't do anything any more
        self.wordless = Penalty(left, printed.en)
        self.clears = tuple(
            (tuple(SUIT_TRAIT[suit] for suit in effect.suits) or None, effect.word is not None)
            for effect in bonus
            if isinstance(effect, data.Clears)
        )
        self.guards = tuple(
            SUIT_TRAIT[suit] for effect in bonus if isinstance(effect, data.Guards) for suit in effect.suits
        )
        self.also = tuple(
            SUIT_TRAIT[suit] for effect in bonus if isinstance(effect, data.AlsoSuits) for suit in effect.suits
        )
        self.aloof = any(isinstance(effect, data.Aloof) for effect in bonus)
        self.keeps = any(isinstance(effect, data.KeepsSuits) for effect in bonus)
        self.takes = tuple(suit for effect in bonus if isinstance(effect, data.TakesName) for suit in effect.suits)
        self.ability = self._ability(bonus, printed.en)
        self.silent = not (self.clears or self.guards or self.also or self.aloof or self.keeps or self.ability)

    @staticmethod
    def _ability(bonus: tuple[Effect, ...], name: str) -> Ability | None:
        for effect in bonus:
            if isinstance(effect, data.TakesName):
                return "mirage" if name == "Mirage" else "shapeshifter"
            if type(effect) in _ABILITIES:
                return _ABILITIES[type(effect)]
        return None


@lru_cache(maxsize=FACES_KEPT)
def face(card_id: CardId, house: House) -> Face:
    """The card under these house rules; KeyError for an unknown card."""
    return Face(card_id, house)
