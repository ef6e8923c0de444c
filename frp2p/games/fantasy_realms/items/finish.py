"""The end of a turn with cursed items: keep, swap or use the open one; the replacement of a used one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from frp2p.games.fantasy_realms.items.setup import Replenish, due
from frp2p.games.fantasy_realms.items.stow import check_use, facts, use
from frp2p.games.fantasy_realms.moves import KeepItem, SwapItem, UseItem
from frp2p.games.fantasy_realms.opening import ShuffleDeck
from frp2p.games.fantasy_realms.task import Asking, Automatic, OfTurn
from frp2p.games.game import IllegalMove, Move
from frp2p.games.verbs import Seat
from frp2p.locale import _

if TYPE_CHECKING:
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase


class CallFinish(OfTurn, Automatic, frozen=True):
    """Whoever still has an open item is asked about it, unless the round ends with this turn."""

    def run(self, state: State) -> State:
        # Only here: a turn ends with this task.
        from frp2p.games.fantasy_realms.turn import ended

        has_item = state.items.face_up[state.turn_seat()] is not None
        return state.put(AskFinish()) if has_item and not ended(state) else state


class AskFinish(OfTurn, Asking, frozen=True):
    """Leave the open item, swap it, or use it after the discard."""

    def phase(self) -> Phase:
        return "finish"

    def seats(self, state: State) -> tuple[Seat, ...]:
        return (state.turn_seat(),)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        match move:
            case KeepItem():
                pass
            case SwapItem():
                if not facts(state, seat, "finish").spare:
                    raise IllegalMove(_("There is no other item left."))
            case UseItem(item=item):
                check_use(state, seat, item, "finish")
            case _other:
                raise IllegalMove(_("Leave your item, swap it or use it."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        seat = state.turn_seat()
        match moves[seat]:
            case SwapItem():
                return state.put(Replenish(seat=seat))
            case UseItem(item=item):
                return use(state, seat, item, "finish", CallFinish())
        return state


class SettleTurn(Automatic, frozen=True):
    """The deck that a Wishing Ring has searched is shuffled, and a used item is replaced."""

    def run(self, state: State) -> State:
        seat = state.turn_seat()
        mixing = (ShuffleDeck(),) if state.items.mix and state.deck else ()
        getting = (Replenish(seat=seat),) if due(state, seat) else ()
        return state.with_items(skip=False, mix=False).put(*mixing, *getting)
