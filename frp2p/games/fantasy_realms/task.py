"""What stands on the agenda of a game: the three kinds of task.

The state holds its pending work as a stack of tasks, first the next one. A task is a value (it is serialised with the
state) that knows how it is done. It gets the state without itself on the agenda and returns the state after it, often
with new tasks put in front.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from frp2p.games.game import Move
from frp2p.games.verbs import Outcome, Seat, Verb

if TYPE_CHECKING:  # a state contains tasks, so their modules can't import it when they load
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase


class Task(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """One thing to do; exactly one of the kinds below."""


class Automatic(Task, frozen=True):
    """Follows from the state alone; it never waits on the agenda."""

    def run(self, state: State) -> State:
        raise NotImplementedError


class Dealing(Task, frozen=True):
    """Asks the dealer for something."""

    def verbs(self, state: State) -> tuple[Verb, ...]:
        """What the dealer shall do; never empty."""
        raise NotImplementedError

    def dealt(self, state: State, outcomes: tuple[Outcome, ...]) -> State:
        """After the dealer did it; one outcome a verb."""
        raise NotImplementedError


class Asking(Task, frozen=True):
    """Asks one or several seats for a move."""

    def phase(self) -> Phase:
        """How a view names what the game waits for."""
        raise NotImplementedError

    def seats(self, state: State) -> tuple[Seat, ...]:
        """Who decides, ascending; never empty."""
        raise NotImplementedError

    def check(self, state: State, seat: Seat, move: Move) -> None:
        """IllegalMove unless this asked seat may do this move."""
        raise NotImplementedError

    def apply(self, state: State, moves: Mapping[Seat, Move]) -> State:
        """After the checked moves of all asked seats."""
        raise NotImplementedError
