"""What stands on the agenda of a game: the three kinds of task.

The state holds its pending work as a stack of tasks, first the next one. A task is a value (it is serialised with the
state) that knows how it is done. It gets the state without itself on the agenda and returns the state after it, often
with new tasks put in front.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import msgspec

from frp2p.games.game import Move
from frp2p.games.verbs import Outcome, Seat, Verb

if TYPE_CHECKING:  # a state contains tasks, so their modules can't import it when they load
    from frp2p.games.fantasy_realms.state import State
    from frp2p.games.fantasy_realms.view import Phase


class Task(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """One thing to do; exactly one of the kinds below.

    What only raises NotImplementedError in the kinds is abstract: every task defines it. (A struct has a metaclass of
    its own, so they are no ABCs; `agenda.py` lists the tasks, and each is played in tests.)
    """

    stays: ClassVar[bool] = False
    """Whether it is done in a stopped game too: it needs no card of a deck, and brings the round to its count."""

    def whose(self, state: State) -> Seat | None:
        """The seat that does this for itself; None if it is a matter of the whole table."""
        return None

    def owed(self) -> int:
        """By how many cards this makes the hand of the seat in turn smaller; larger, if below 0."""
        return 0

    def falls(self, state: State, gone: frozenset[Seat]) -> bool:
        """Whether this is not done any more, now that these seats have left or the game is stopped."""
        return self.whose(state) in gone or (state.stopped and not self.stays)

    def without(self, state: State, gone: frozenset[Seat]) -> State:
        """What is left of this once these seats have left or the game is stopped: the state, from whose agenda it has
        been taken, with it in front again, with something in its place, or with nothing.

        Their hands and items are gone from the state already. Open cards that are nowhere but in this task must not get
        lost.
        """
        return state if self.falls(state, gone) else state.put(self)


class OfTurn(Task, frozen=True):
    """A part of the turn: it goes with the seat in turn. Stands before the kind in a list of bases."""

    def whose(self, state: State) -> Seat | None:
        return state.seat_in_turn


class OfSeat(Task, frozen=True):
    """What one seat does, in turn or not; goes with it. Stands before the kind in a list of bases."""

    seat: Seat

    def whose(self, state: State) -> Seat | None:
        return self.seat


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
