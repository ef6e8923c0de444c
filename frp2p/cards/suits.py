"""The suits, their names, their two-letter marks and colours."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Suit(StrEnum):
    """A suit; the value is its stable code on the wire and in notation. The order is that of the rule book."""

    LAND = "land"
    FLOOD = "flood"
    WEATHER = "weather"
    FLAME = "flame"
    ARMY = "army"
    WIZARD = "wizard"
    LEADER = "leader"
    BEAST = "beast"
    WEAPON = "weapon"
    ARTIFACT = "artifact"
    WILD = "wild"
    BUILDING = "building"
    OUTSIDER = "outsider"
    UNDEAD = "undead"


class Style(msgspec.Struct, frozen=True):
    """How a suit appears: `mark` is unique among suits; `colour` is one of the sixteen terminal colours, by name."""

    mark: str
    colour: str
    en: str
    pt: str


STYLES: dict[Suit, Style] = {
    Suit.LAND: Style("La", "yellow", "Land", "Terreno"),
    Suit.FLOOD: Style("Fd", "brightblue", "Flood", "Inundação"),
    Suit.WEATHER: Style("We", "cyan", "Weather", "Clima"),
    Suit.FLAME: Style("Fm", "brightred", "Flame", "Chama"),
    Suit.ARMY: Style("Ar", "white", "Army", "Exército"),
    Suit.WIZARD: Style("Wz", "magenta", "Wizard", "Mago"),
    Suit.LEADER: Style("Le", "brightmagenta", "Leader", "Líder"),
    Suit.BEAST: Style("Be", "green", "Beast", "Animal"),
    Suit.WEAPON: Style("Wp", "brightwhite", "Weapon", "Arma"),
    Suit.ARTIFACT: Style("At", "brightyellow", "Artifact", "Artefato"),
    Suit.WILD: Style("Wi", "brightcyan", "Wild", "Coringa"),
    Suit.BUILDING: Style("Bu", "red", "Building", "Construção"),
    Suit.OUTSIDER: Style("Ou", "brightgreen", "Outsider", "Exterior"),
    Suit.UNDEAD: Style("Un", "brightblack", "Undead", "Morto-vivo"),
}

BASE_SUITS: tuple[Suit, ...] = tuple(Suit)[:10]
"""The ten suits of the base game, Wild not among them."""

EXTRA_SUITS: tuple[Suit, ...] = (Suit.BUILDING, Suit.OUTSIDER, Suit.UNDEAD)
"""The three suits of the Cursed Hoard."""


def mark(suit: Suit) -> str:
    """The two letters that stand for the suit beside its colour."""
    return STYLES[suit].mark


def colour(suit: Suit) -> str:
    """The name of one of the sixteen terminal colours."""
    return STYLES[suit].colour


def suit_name(suit: Suit, language: str = "en") -> str:
    """The name of the suit, in the singular."""
    style = STYLES[suit]
    return style.pt if language.startswith("pt") else style.en


def real_suits(*, extra_suits: bool) -> tuple[Suit, ...]:
    """The suits in play without Wild: ten, or thirteen."""
    return BASE_SUITS + EXTRA_SUITS if extra_suits else BASE_SUITS
