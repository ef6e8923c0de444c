"""The suits of the Cursed Hoard: fifteen new cards and the eight replacements, as data."""

from __future__ import annotations

from frp2p.cards.base import (
    ARMY,
    ARTIFACT,
    BEAST,
    FLAME,
    FLOOD,
    LAND,
    LEADER,
    WEAPON,
    WEATHER,
    WILD,
    WIZARD,
    names,
    suits,
)
from frp2p.cards.card import Card, CardId
from frp2p.cards.effects import (
    AllDifferent,
    BestStrength,
    BlankedWith,
    Blanks,
    BlanksAlone,
    Clears,
    Each,
    EachDiscard,
    EachPenalty,
    EachPlayer,
    Effect,
    Exactly,
    FirstAndFurther,
    Guards,
    GuardsChosen,
    Look,
    SumOfStrengths,
    TakesCard,
    TakesName,
    With,
)
from frp2p.cards.suits import Suit

BUILDING, OUTSIDER, UNDEAD = Suit.BUILDING, Suit.OUTSIDER, Suit.UNDEAD


def _new(
    number: int,
    suit: Suit,
    strength: int,
    en: str,
    pt: str,
    *,
    bonus: tuple[Effect, ...] = (),
    penalty: tuple[Effect, ...] = (),
    replaces: str | None = None,
) -> Card:
    return Card(
        *(CardId(f"CH{number:02}"), suit, strength, en, pt, bonus, penalty),
        home="hoard",
        replaces=None if replaces is None else CardId(replaces),
    )


_NEW: tuple[Card, ...] = (
    _new(
        *(1, BUILDING, 7, "Dungeon", "Masmorra"),
        bonus=(
            FirstAndFurther(10, 5, (UNDEAD, BEAST, ARTIFACT)),
            Each(5, names("Necromancer", "Warlock Lord", "Demon")),
        ),
    ),
    _new(
        *(2, BUILDING, 10, "Castle", "Castelo"),
        bonus=(FirstAndFurther(10, 0, (LEADER, ARMY, LAND)), FirstAndFurther(10, 5, (BUILDING,), other=True)),
    ),
    _new(
        *(3, BUILDING, 21, "Crypt", "Cripta"),
        bonus=(SumOfStrengths(suits(UNDEAD)),),
        penalty=(Blanks((suits(LEADER),)),),
    ),
    _new(4, BUILDING, 2, "Chapel", "Capela", bonus=(Exactly(40, 2, suits(LEADER, WIZARD, OUTSIDER, UNDEAD)),)),
    _new(
        *(5, LAND, 11, "Garden", "Jardim"),
        bonus=(Each(11, suits(LEADER, BEAST)),),
        penalty=(BlankedWith(Look(suits=(UNDEAD,), names=("Necromancer", "Demon"))),),
    ),
    _new(6, OUTSIDER, -50, "Genie", "Gênio", bonus=(EachPlayer(10), TakesCard("deck"))),
    _new(7, OUTSIDER, 11, "Judge", "Juíza", bonus=(EachPenalty(10),)),
    _new(8, OUTSIDER, 16, "Angel", "Anjo", bonus=(GuardsChosen(),)),
    _new(9, OUTSIDER, 20, "Leprechaun", "Duende", bonus=(TakesCard("top"),)),
    _new(10, OUTSIDER, 45, "Demon", "Demônio", penalty=(BlanksAlone((OUTSIDER,)),)),
    _new(
        *(11, UNDEAD, 10, "Dark Queen", "Rainha das Trevas"),
        bonus=(EachDiscard(5, Look(suits=(LAND, FLOOD, FLAME, WEATHER), names=("Unicorn",))),),
    ),
    _new(12, UNDEAD, 8, "Ghoul", "Ghoul", bonus=(EachDiscard(4, suits(WIZARD, LEADER, ARMY, BEAST, UNDEAD)),)),
    _new(13, UNDEAD, 12, "Specter", "Fantasma", bonus=(EachDiscard(6, suits(WIZARD, ARTIFACT, OUTSIDER)),)),
    _new(
        *(14, UNDEAD, 13, "Lich", "Lich"),
        bonus=(With(10, (names("Necromancer"),)), Each(10, suits(UNDEAD, other=True)), Guards((UNDEAD,))),
    ),
    _new(15, UNDEAD, 14, "Death Knight", "Cavaleiro da Morte", bonus=(EachDiscard(7, suits(WEAPON, ARMY)),)),
)

_REPLACEMENTS: tuple[Card, ...] = (
    _new(
        *(16, BUILDING, 8, "Bell Tower", "Torre do Sino"),
        bonus=(With(15, (suits(WIZARD, UNDEAD),)),),
        replaces="FR03",
    ),
    _new(
        *(17, FLOOD, 1, "Fountain of Life", "Fonte da Vida"),
        bonus=(BestStrength(suits(WEAPON, FLOOD, FLAME, LAND, WEATHER, BUILDING)),),
        replaces="FR06",
    ),
    _new(
        *(18, FLOOD, 32, "Great Flood", "Grande Inundação"),
        penalty=(
            Blanks((suits(ARMY), suits(LAND, but=("Mountain",)), suits(FLAME, but=("Lightning",)), suits(BUILDING))),
        ),
        replaces="FR08",
    ),
    _new(
        *(19, ARMY, 5, "Rangers", "Patrulheiros"),
        bonus=(Each(10, suits(LAND, BUILDING)), Clears(word=ARMY)),
        replaces="FR25",
    ),
    _new(
        *(20, WIZARD, 3, "Necromancer", "Necromante"),
        bonus=(TakesCard("discards", (ARMY, LEADER, WIZARD, BEAST, UNDEAD), may=True), Guards((UNDEAD,))),
        replaces="FR28",
    ),
    _new(21, ARTIFACT, 2, "World Tree", "Árvore do Mundo", bonus=(AllDifferent(70),), replaces="FR48"),
    _new(
        *(22, WILD, 0, "Shapeshifter", "Metamorfo"),
        bonus=(TakesName((ARTIFACT, LEADER, WIZARD, WEAPON, BEAST, UNDEAD)),),
        replaces="FR51",
    ),
    _new(
        *(23, WILD, 0, "Mirage", "Miragem"),
        bonus=(TakesName((ARMY, LAND, WEATHER, FLOOD, FLAME, BUILDING)),),
        replaces="FR52",
    ),
)

HOARD: tuple[Card, ...] = _NEW + _REPLACEMENTS
