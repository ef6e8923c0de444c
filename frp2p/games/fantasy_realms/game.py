"""Fantasy Realms behind the interface that the table knows. Every rule is a task; this file only drives the agenda."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frp2p.cards import CardId, catalogue_digest
from frp2p.cards.sets import items
from frp2p.errors import LocalError
from frp2p.games.fantasy_realms import leaving, offer
from frp2p.games.fantasy_realms.agenda import first_agenda
from frp2p.games.fantasy_realms.moves import FantasyMove
from frp2p.games.fantasy_realms.options import TICK_SECONDS, Options, check_options, deck
from frp2p.games.fantasy_realms.sight import view
from frp2p.games.fantasy_realms.state import State, first_state
from frp2p.games.fantasy_realms.task import Asking, Dealing
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Deal, Decide, IllegalMove, Known, Move, Need, Over
from frp2p.games.verbs import Outcome, Seat
from frp2p.locale import _


class FantasyRealms:
    """See `frp2p.games.game.Game`."""

    name = "fantasy-realms"
    move_type: Any = FantasyMove
    options_type: Any = Options
    state_type: Any = State

    def catalogue(self) -> bytes:
        return catalogue_digest()

    def decks(self, options: Options) -> dict[str, tuple[CardId, ...]]:
        """The hand cards under the name of the game, and the cursed items under `items`."""
        return {self.name: deck(options), **({"items": items()} if options.cursed_items else {})}

    def check_options(self, options: Options, seats: int) -> None:
        check_options(options, seats)

    def start(self, options: Options, seats: int) -> State:
        """UserError as `check_options`."""
        check_options(options, seats)
        return first_state(options, seats, first_agenda(options, seats)).advanced()

    def need(self, state: State) -> Need:
        match state.next_task():
            case Asking() as task:
                return Decide(seats=task.seats(state))
            case Dealing() as task:
                return Deal(verbs=task.verbs(state))
            case _nothing:
                return Over()

    def check(self, state: State, seat: Seat, move: Move) -> None:
        task = state.next_task()
        if not isinstance(task, Asking) or seat not in task.seats(state):
            raise IllegalMove(_("It is not this player's turn to decide."))
        task.check(state, seat, move)

    def check_known(self, view: View, move: Move) -> None:
        if view.prompt is not None and view.prompt.what == "show-suit" and move not in offer.legal(view):
            raise IllegalMove(_("Show all your cards of the suit: you will have to prove that none is left."))

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        task = state.next_task()
        if not isinstance(task, Asking) or set(moves) != set(task.seats(state)):
            raise IllegalMove(_("It is not this player's turn to decide."))
        for seat, move in moves.items():
            task.check(state, seat, move)
        return task.apply(state.popped(), moves).advanced()

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        task = state.next_task()
        if not isinstance(task, Dealing) or len(outcomes) != len(task.verbs(state)):
            raise LocalError("the dealer answered something that was not asked")
        return task.dealt(state.popped(), outcomes).advanced()

    def out(self, state: State, seats: tuple[Seat, ...]) -> State:
        return leaving.out(state, seats)

    def stop(self, state: State, seats: tuple[Seat, ...]) -> State:
        return leaving.stop(state, seats)

    def view(self, state: State, seat: Seat | None, known: Known) -> View:
        return view(state, seat, known)

    def legal(self, view: View) -> tuple[FantasyMove, ...]:
        return offer.legal(view)

    def default(self, view: View) -> FantasyMove:
        return offer.default(view)

    def patience(self, view: View) -> float | None:
        return TICK_SECONDS if view.phase == "trade" else None


GAME = FantasyRealms()
