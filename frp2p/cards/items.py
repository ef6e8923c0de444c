"""The 24 cursed items, as data."""

from __future__ import annotations

from frp2p.cards.actions import (
    Action,
    CopyOwn,
    Cover,
    DiscardsToBottom,
    DrawAndDiscard,
    DrawAndReturn,
    ExtraTurn,
    Hunt,
    KeepDrawn,
    Market,
    NoAction,
    Replace,
    ReversedTurn,
    SearchToTop,
    SeeBottom,
    SeeHand,
    SeeTop,
    SetAside,
    ShowSuit,
    TakeDiscards,
    TopToDiscards,
    UseOther,
)
from frp2p.cards.card import CardId, Item, Timing


def _item(number: int, value: int, timing: Timing, en: str, pt: str, action: Action) -> Item:
    return Item(CardId(f"CH{number}"), value, timing, en, pt, action)


ITEMS: tuple[Item, ...] = (
    Item(CardId("CH24"), -1, "any", "Spyglass", "Luneta", SeeHand(), value_of_two=-10),
    _item(25, 5, "replace", "Sarcophagus", "Sarcófago", TopToDiscards(1)),
    Item(CardId("CH26"), 5, "replace", "Blindfold", "Venda", ReversedTurn(), aliases=("Vendado",)),
    _item(27, -1, "any", "Book of Prophecy", "Livro de Profecias", SeeBottom(7)),
    _item(28, -1, "any", "Crystal Ball", "Bola de Cristal", ShowSuit()),
    _item(29, -2, "replace", "Market Wagon", "Carroça de Mercado", Market(3)),
    _item(30, -2, "any", "Backpack", "Mochila", SetAside(3)),
    _item(31, -2, "any", "Shovel", "Pá", DiscardsToBottom(1)),
    _item(32, -4, "any", "Sealed Vault", "Cofre Lacrado", Cover(2)),
    _item(33, -2, "any", "Crystal Lens", "Lente de Cristal", SeeTop(1)),
    Item(
        *(CardId("CH34"), -3, "any", "Larcenous Gloves", "Luvas de Ladrão", UseOther("seat")),
        aliases=("Luvas Ladrões",),
    ),
    Item(
        *(CardId("CH35"), -3, "any", "Junkyard Map", "Mapa de Ferro-velho", UseOther("discards", 3)),
        aliases=("Mapa de Ferro Velho",),
    ),
    _item(36, -4, "any", "Winged Boots", "Botas Aladas", TopToDiscards(1)),
    _item(37, -4, "replace", "Staff of Transmutation", "Bastão de Transmutação", Replace(3, 8)),
    _item(38, -4, "replace", "Rake", "Ancinho", TakeDiscards(2)),
    Item(CardId("CH39"), -5, "any", "Treasure Chest", "Baú do Tesouro", NoAction(), extra=25, extra_needs=3),
    _item(40, -6, "replace", "Fishhook", "Gancho de Pesca", DrawAndDiscard(2)),
    _item(
        *(41, -6, "copy", "Repair Kit", "Kit de Reparo"),
        CopyOwn(("Backpack", "Sarcophagus", "Blindfold", "Treasure Chest")),
    ),
    _item(42, -7, "after", "Hourglass", "Ampulheta", ExtraTurn()),
    _item(43, -8, "any", "Gold Mirror", "Espelho de Ouro", DiscardsToBottom(3, refill=True)),
    _item(44, -9, "replace", "Cauldron", "Caldeirão", DrawAndReturn(3, 2)),
    _item(45, -10, "replace", "Lantern", "Lanterna", Hunt(10)),
    _item(46, -20, "any", "Portal", "Portal", KeepDrawn()),
    _item(47, -30, "any", "Wishing Ring", "Anel dos Desejos", SearchToTop()),
)
