"""A table with a stacked deck, for single rules."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from frp2p.cards import CardId
from frp2p.cards.notation import find_card
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.moves import Discard, FantasyMove
from frp2p.games.fantasy_realms.offer import own_slots
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Deal, IllegalMove, Move
from frp2p.players.stacked import StackedCroupier

DECK = GAME.decks(Options())[GAME.name]


def cards(names: str) -> tuple[CardId, ...]:
    return tuple(find_card(name, DECK) for name in names.split(", "))


class Table:
    """A game with a stacked deck, driven move by move; seat 0 begins."""

    def __init__(self, top_first: str = "", seats: int = 2, **options: Any) -> None:
        self.croupier = StackedCroupier(cards(top_first) if top_first else (), coin=0)
        self.state: State = GAME.start(Options(**options), seats)
        self.deal()

    def deal(self) -> None:
        while isinstance(need := GAME.need(self.state), Deal):
            self.state = GAME.dealt(self.state, self.croupier.carry_out(need.verbs))

    def change(self, **fields: Any) -> None:
        self.state = msgspec.structs.replace(self.state, **fields)

    def view(self, seat: int | None) -> View:
        return GAME.view(self.state, seat, {} if seat is None else self.croupier.known(seat))

    def move(self, seat: int, move: Move) -> None:
        self.state = GAME.apply(self.state, {seat: move})
        self.deal()

    def discard(self, seat: int, name: str) -> None:
        slots = {card: slot for slot, card in own_slots(self.view(seat))}
        self.move(seat, Discard(slot=slots[cards(name)[0]]))

    def legal(self, seat: int) -> tuple[FantasyMove, ...]:
        return GAME.legal(self.view(seat))

    def refuses(self, seat: int, move: Move) -> str:
        with pytest.raises(IllegalMove) as caught:
            GAME.check(self.state, seat, move)
        with pytest.raises(IllegalMove):
            GAME.apply(self.state, {seat: move})
        return caught.value.message


HANDS = (
    "King, Queen, Princess, Knights, Rangers, Swamp, Forge, "
    "Mountain, Cavern, Bell Tower, Forest, Candle, Smoke, Hydra, Unicorn, Dragon"
)
