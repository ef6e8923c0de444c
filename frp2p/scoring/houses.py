"""Contested rulings as changes of the data: the effects of a card as a table with these house rules reads them."""

from __future__ import annotations

import msgspec

from frp2p.cards import Card, Suit
from frp2p.cards.effects import BestStrength, Blanks, Each, Effect, Look, With
from frp2p.scoring.context import House


def bonus_of(card: Card, house: House) -> tuple[Effect, ...]:
    """The bonus of the card under these house rules."""
    return tuple(_bonus(card.en, effect, house) for effect in card.bonus)


def penalty_of(card: Card, house: House) -> tuple[Effect, ...]:
    """The penalty of the card under these house rules."""
    return tuple(_penalty(card.en, effect, house) for effect in card.penalty)


def _bonus(name: str, effect: Effect, house: House) -> Effect:
    if name == "Forest" and isinstance(effect, With) and house.forest_each:
        return Each(effect.points, effect.needs[0])
    if isinstance(effect, BestStrength) and not house.fountain_self:
        return BestStrength(msgspec.structs.replace(effect.look, other=True))
    return effect


def _penalty(name: str, effect: Effect, house: House) -> Effect:
    if name == "Wildfire" and isinstance(effect, Blanks):
        spared = (Suit.WILD,) * house.wildfire_wilds + (Suit.OUTSIDER,) * house.wildfire_outsiders
        return Blanks(effect.targets + ((Look(suits=spared),) if spared else ()), all_but=True)
    return effect


def without_word(effects: tuple[Effect, ...], word: Suit) -> tuple[Effect, ...]:
    """What is left of a penalty when the word is gone from it. A line that looked for nothing else is gone."""
    left: list[Effect] = []
    for effect in effects:
        looks = [getattr(effect, "look", None), *getattr(effect, "targets", ())]
        if not any(look is not None and word in look.suits for look in looks):
            left.append(effect)
        elif isinstance(effect, Blanks):
            targets = tuple(look for look in (_cut(look, word) for look in effect.targets) if look is not None)
            if targets:
                left.append(Blanks(targets, effect.all_but))
        else:
            look = _cut(looks[0], word)
            if look is not None:
                left.append(msgspec.structs.replace(effect, look=look))
    return tuple(left)


def _cut(look: Look, word: Suit) -> Look | None:
    """The look without the word; None if nothing is left to look for."""
    suits = tuple(suit for suit in look.suits if suit is not word)
    return msgspec.structs.replace(look, suits=suits) if suits or look.names else None
