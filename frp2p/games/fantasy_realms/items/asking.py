"""The questions of items: one seat at a time, or several at the same time (offers, cards of a suit)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.items.prompt import Prompt, check_answer
from frp2p.games.fantasy_realms.task import Asking, OfTurn
from frp2p.games.game import Move
from frp2p.games.verbs import Seat

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase


class AskItem(OfTurn, Asking, frozen=True):
    """The item asks the seat in turn. There is always an answer: what an item needs is checked before it is used."""

    item: CardId

    def phase(self) -> Phase:
        return "item"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (state.turn_seat(),)

    def prompt(self, state: State, seat: Seat) -> Prompt:
        """The question to this asked seat, from what is public. Abstract, as in `task.py`."""
        raise NotImplementedError

    def check(self, state: State, seat: Seat, move: Move) -> None:
        check_answer(self.prompt(state, seat), move)
