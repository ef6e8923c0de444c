"""The 53 cards of the base game and the three promos, as data. Facts only; wording is made from them elsewhere."""

from __future__ import annotations

from frp2p.cards.card import Card, CardId
from frp2p.cards.effects import (
    AllDifferent,
    Aloof,
    AlsoSuits,
    BestStrength,
    BestWith,
    BlankedUnless,
    BlankedWith,
    Blanks,
    ChangesSuit,
    Clears,
    ClearsChosen,
    Copies,
    Each,
    Effect,
    KeepsSuits,
    Look,
    OddStrengths,
    Runs,
    Sets,
    SumOfStrengths,
    TakesCard,
    TakesName,
    With,
    Without,
)
from frp2p.cards.suits import Suit

LAND, FLOOD, WEATHER, FLAME = Suit.LAND, Suit.FLOOD, Suit.WEATHER, Suit.FLAME
ARMY, WIZARD, LEADER, BEAST = Suit.ARMY, Suit.WIZARD, Suit.LEADER, Suit.BEAST
WEAPON, ARTIFACT, WILD = Suit.WEAPON, Suit.ARTIFACT, Suit.WILD


def suits(*wanted: Suit, other: bool = False, but: tuple[str, ...] = ()) -> Look:
    """The cards of these suits."""
    return Look(suits=wanted, other=other, but=but)


def names(*wanted: str) -> Look:
    """The cards of these names."""
    return Look(names=wanted)


def _card(
    number: int,
    suit: Suit,
    strength: int,
    en: str,
    pt: str,
    *,
    bonus: tuple[Effect, ...] = (),
    penalty: tuple[Effect, ...] = (),
    aliases: tuple[str, ...] = (),
) -> Card:
    return Card(CardId(f"FR{number:02}"), suit, strength, en, pt, bonus, penalty, aliases)


WILDFIRE_SPARES = (
    suits(FLAME, WIZARD, WEATHER, WEAPON, ARTIFACT),
    names("Mountain", "Great Flood", "Island", "Unicorn", "Dragon"),
)
GEM_TABLE = ((3, 10), (4, 30), (5, 60), (6, 100), (7, 150))
COLLECTOR_TABLE = ((3, 10), (4, 40), (5, 100))

_LAND_TO_FLAME: tuple[Card, ...] = (
    _card(
        *(1, LAND, 9, "Mountain", "Montanha"),
        bonus=(With(50, (names("Smoke"), names("Wildfire"))), Clears((FLOOD,))),
    ),
    _card(
        *(2, LAND, 6, "Cavern", "Caverna"),
        bonus=(With(25, (names("Dwarvish Infantry", "Dragon"),)), Clears((WEATHER,))),
        aliases=("Underground Caverns", "Cavernas Subterrâneas"),
    ),
    _card(3, LAND, 8, "Bell Tower", "Torre do Sino", bonus=(With(15, (suits(WIZARD),)),)),
    _card(
        *(4, LAND, 7, "Forest", "Floresta"),
        bonus=(Each(12, suits(BEAST)), With(12, (names("Elven Archers"),))),
    ),
    _card(5, LAND, 4, "Earth Elemental", "Elemental da Terra", bonus=(Each(15, suits(LAND, other=True)),)),
    _card(
        *(6, FLOOD, 1, "Fountain of Life", "Fonte da Vida"),
        bonus=(BestStrength(suits(WEAPON, FLOOD, FLAME, LAND, WEATHER)),),
    ),
    _card(7, FLOOD, 18, "Swamp", "Pântano", penalty=(Each(-3, suits(ARMY, FLAME)),)),
    _card(
        *(8, FLOOD, 32, "Great Flood", "Grande Inundação"),
        penalty=(Blanks((suits(ARMY), suits(LAND, but=("Mountain",)), suits(FLAME, but=("Lightning",)))),),
    ),
    _card(9, FLOOD, 14, "Island", "Ilha", bonus=(ClearsChosen((FLOOD, FLAME)),)),
    _card(10, FLOOD, 4, "Water Elemental", "Elemental da Água", bonus=(Each(15, suits(FLOOD, other=True)),)),
    _card(
        *(11, WEATHER, 8, "Rainstorm", "Tempestade"),
        bonus=(Each(10, suits(FLOOD)),),
        penalty=(Blanks((suits(FLAME, but=("Lightning",)),)),),
    ),
    _card(
        *(12, WEATHER, 30, "Blizzard", "Nevasca"),
        penalty=(Blanks((suits(FLOOD),)), Each(-5, suits(ARMY, LEADER, BEAST, FLAME))),
    ),
    _card(13, WEATHER, 27, "Smoke", "Fumaça", penalty=(BlankedUnless(suits(FLAME)),)),
    _card(
        *(14, WEATHER, 13, "Whirlwind", "Furacão"),
        bonus=(With(40, (names("Rainstorm"), names("Blizzard", "Great Flood"))),),
    ),
    _card(15, WEATHER, 4, "Air Elemental", "Elemental do Ar", bonus=(Each(15, suits(WEATHER, other=True)),)),
    _card(16, FLAME, 40, "Wildfire", "Incêndio", penalty=(Blanks(WILDFIRE_SPARES, all_but=True),)),
    _card(
        *(17, FLAME, 2, "Candle", "Vela"),
        bonus=(With(100, (names("Book of Changes"), names("Bell Tower"), suits(WIZARD))),),
    ),
    _card(18, FLAME, 9, "Forge", "Forja", bonus=(Each(9, suits(WEAPON, ARTIFACT)),)),
    _card(19, FLAME, 11, "Lightning", "Relâmpago", bonus=(With(30, (names("Rainstorm"),)),)),
    _card(20, FLAME, 4, "Fire Elemental", "Elemental do Fogo", bonus=(Each(15, suits(FLAME, other=True)),)),
)

_ARMY_TO_LEADER: tuple[Card, ...] = (
    _card(
        *(21, ARMY, 20, "Knights", "Cavaleiros"),
        penalty=(Without(-8, suits(LEADER)),),
        aliases=("Celestial Knights", "Cavaleiros Celestiais"),
    ),
    _card(22, ARMY, 10, "Elven Archers", "Arqueiros Elfos", bonus=(Without(5, suits(WEATHER)),)),
    _card(
        *(23, ARMY, 17, "Light Cavalry", "Cavalaria Leve"),
        penalty=(Each(-2, suits(LAND)),),
        aliases=("Cavalry", "Cavalaria"),
    ),
    _card(24, ARMY, 15, "Dwarvish Infantry", "Infantaria Anã", penalty=(Each(-2, suits(ARMY, other=True)),)),
    _card(25, ARMY, 5, "Rangers", "Patrulheiros", bonus=(Each(10, suits(LAND)), Clears(word=ARMY))),
    _card(26, WIZARD, 7, "Collector", "Colecionador", bonus=(Sets(COLLECTOR_TABLE),)),
    _card(
        *(27, WIZARD, 9, "Beastmaster", "Mestre dos Animais"),
        bonus=(Each(9, suits(BEAST)), Clears((BEAST,))),
    ),
    _card(
        *(28, WIZARD, 3, "Necromancer", "Necromante"),
        bonus=(TakesCard("discards", (ARMY, LEADER, WIZARD, BEAST), may=True),),
    ),
    _card(
        *(29, WIZARD, 25, "Warlock Lord", "Lorde dos Bruxos"),
        penalty=(Each(-10, suits(LEADER)), Each(-10, suits(WIZARD, other=True))),
        aliases=("Senhor Feiticeiro",),
    ),
    _card(
        *(30, WIZARD, 5, "Enchantress", "Feiticeira"),
        bonus=(Each(5, suits(LAND, WEATHER, FLOOD, FLAME)),),
        aliases=("Elemental Enchantress", "Feiticeira Elemental"),
    ),
    _card(31, LEADER, 8, "King", "Rei", bonus=(Each(5, suits(ARMY), names("Queen"), 20),)),
    _card(32, LEADER, 6, "Queen", "Rainha", bonus=(Each(5, suits(ARMY), names("King"), 20),)),
    _card(
        33, LEADER, 2, "Princess", "Princesa", bonus=(Each(8, suits(ARMY, WIZARD)), Each(8, suits(LEADER, other=True)))
    ),
    _card(34, LEADER, 4, "Warlord", "Líder Militar", bonus=(SumOfStrengths(suits(ARMY)),)),
    _card(
        *(35, LEADER, 15, "Empress", "Imperatriz"),
        bonus=(Each(10, suits(ARMY)),),
        penalty=(Each(-5, suits(LEADER, other=True)),),
    ),
)

_BEAST_TO_WILD: tuple[Card, ...] = (
    _card(
        *(36, BEAST, 9, "Unicorn", "Unicórnio"),
        bonus=(BestWith((With(30, (names("Princess"),)), With(15, (names("Empress", "Queen", "Enchantress"),)))),),
    ),
    _card(
        *(37, BEAST, 35, "Basilisk", "Basilisco"),
        penalty=(Blanks((suits(ARMY), suits(LEADER), suits(BEAST, other=True))),),
    ),
    _card(38, BEAST, 6, "Warhorse", "Cavalo de Guerra", bonus=(With(14, (suits(LEADER, WIZARD),)),)),
    _card(39, BEAST, 30, "Dragon", "Dragão", penalty=(Without(-40, suits(WIZARD)),)),
    _card(40, BEAST, 12, "Hydra", "Hidra", bonus=(With(28, (names("Swamp"),)),)),
    _card(
        *(41, WEAPON, 23, "Warship", "Navio de Guerra"),
        bonus=(Clears((FLOOD,), word=ARMY),),
        penalty=(BlankedUnless(suits(FLOOD)),),
    ),
    _card(42, WEAPON, 1, "Magic Wand", "Varinha Mágica", bonus=(With(25, (suits(WIZARD),)),)),
    _card(
        *(43, WEAPON, 7, "Sword of Keth", "Espada de Keth"),
        bonus=(BestWith((With(40, (suits(LEADER), names("Shield of Keth"))), With(10, (suits(LEADER),)))),),
    ),
    _card(
        *(44, WEAPON, 3, "Elven Longbow", "Arco Longo Élfico"),
        bonus=(With(30, (names("Elven Archers", "Warlord", "Beastmaster"),)),),
    ),
    _card(
        *(45, WEAPON, 35, "War Dirigible", "Dirigível de Guerra"),
        penalty=(BlankedUnless(suits(ARMY)), BlankedWith(suits(WEATHER))),
    ),
    _card(
        *(46, ARTIFACT, 4, "Shield of Keth", "Escudo de Keth"),
        bonus=(BestWith((With(40, (suits(LEADER), names("Sword of Keth"))), With(15, (suits(LEADER),)))),),
    ),
    _card(47, ARTIFACT, 5, "Gem of Order", "Gema da Ordem", bonus=(Runs(GEM_TABLE),)),
    _card(48, ARTIFACT, 2, "World Tree", "Árvore do Mundo", bonus=(AllDifferent(50),)),
    _card(49, ARTIFACT, 3, "Book of Changes", "Livro da Transfiguração", bonus=(ChangesSuit(),)),
    _card(50, ARTIFACT, 1, "Protection Rune", "Runa de Proteção", bonus=(Clears(),)),
    _card(
        *(51, WILD, 0, "Shapeshifter", "Metamorfo"),
        bonus=(TakesName((ARTIFACT, LEADER, WIZARD, WEAPON, BEAST)),),
    ),
    _card(52, WILD, 0, "Mirage", "Miragem", bonus=(TakesName((ARMY, LAND, WEATHER, FLOOD, FLAME)),)),
    _card(53, WILD, 0, "Doppelgänger", "Doppelgänger", bonus=(Copies(),), aliases=("Doppelganger",)),
)

BASE: tuple[Card, ...] = _LAND_TO_FLAME + _ARMY_TO_LEADER + _BEAST_TO_WILD

_PHOENIX_PENALTY = (BlankedWith(suits(FLOOD)),)

PROMOS: tuple[Card, ...] = (
    Card(CardId("FR54"), WIZARD, 3, "Jester", "Bobo da Corte", bonus=(OddStrengths(3, 50),), home="promo"),
    Card(
        *(CardId("FR55"), BEAST, 14, "Phoenix", "Fênix"),
        bonus=(AlsoSuits((FLAME, WEATHER)), Aloof()),
        penalty=_PHOENIX_PENALTY,
        aliases=("Phoenix (Deluxe)", "Fênix (Deluxe)"),
        home="promo",
    ),
    Card(
        *(CardId("FR55P"), BEAST, 14, "Phoenix", "Fênix"),
        bonus=(AlsoSuits((FLAME, WEATHER)), KeepsSuits()),
        penalty=_PHOENIX_PENALTY,
        aliases=("Phoenix (Promo)", "Fênix (Promo)"),
        home="promo",
        replaces=CardId("FR55"),
    ),
)
