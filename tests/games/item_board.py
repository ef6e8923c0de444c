"""A table with stacked decks and cursed items, for single rules."""

from __future__ import annotations

from typing import Any

import pytest

from frp2p.cards import CardId, sets
from frp2p.cards.notation import find_card
from frp2p.games.fantasy_realms import GAME, Options, notation
from frp2p.games.fantasy_realms.items.facts import Facts
from frp2p.games.fantasy_realms.moves import (
    FantasyMove,
)
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Deal, IllegalMove
from frp2p.players.stacked import StackedCroupier

HANDS = (
    "Knights, King, Forest, Unicorn, Warhorse, Elven Archers, Necromancer",
    "Mountain, Cavern, Candle, Smoke, Island, Dragon, Wildfire",
)
DECK = "Queen, Princess, Rainstorm, Forge, Lightning, Warlord, Great Flood, Bell Tower, World Tree, Blizzard, Rangers"

PLENTY = Facts(
    moment="draw",
    deck=20,
    hand=7,
    takeable=5,
    uncovered=5,
    pile=0,
    spare=10,
    junk=(CardId("CH36"),),
    others=(CardId("CH33"),),
    hands=2,
)


def item(name: str) -> CardId:
    return find_card(name, sets.items())


class Board:
    """A game with stacked decks, driven line by line; seat 0 begins."""

    def __init__(self, items: str, deck: str = DECK, **options: Any) -> None:
        self.options = Options(cursed_items=True, **options)
        hand_deck = GAME.decks(self.options)[GAME.name]
        cards = [find_card(name, hand_deck) for text in (*HANDS, deck) for name in text.split(", ")]
        top = (*cards, *(item(name) for name in items.split(", ")))
        self.croupier = StackedCroupier(top, coin=0)
        self.state: State = GAME.start(self.options, 2)
        self.deal()

    def deal(self) -> None:
        while isinstance(need := GAME.need(self.state), Deal):
            self.state = GAME.dealt(self.state, self.croupier.carry_out(need.verbs))

    def view(self, seat: int | None) -> View:
        return GAME.view(self.state, seat, {} if seat is None else self.croupier.known(seat))

    def play(self, seat: int, *lines: str) -> None:
        for line in lines:
            self.state = GAME.apply(self.state, {seat: notation.parse(line, self.view(seat))})
            self.deal()

    def legal(self, seat: int) -> tuple[FantasyMove, ...]:
        return GAME.legal(self.view(seat))

    def refuses(self, seat: int, move: FantasyMove) -> str:
        with pytest.raises(IllegalMove) as caught:
            GAME.check(self.state, seat, move)
        return caught.value.message
