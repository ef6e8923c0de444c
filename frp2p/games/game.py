"""What the table knows of a game. A game is a set of pure functions over a state that is a value.

The table asks `need`, gathers what is needed (moves of seats, or work of the dealer), and hands it to `apply` or
`dealt`; nothing else ever changes a state. No function knows which seat is "me": secrets live in a separate map
slot -> card (`Known`) which only `view` takes, so what a face, a bot or a script gets can't leak.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

import msgspec

from frp2p.cards import CardId
from frp2p.errors import Frp2pError
from frp2p.games.verbs import Outcome, Seat, SlotId, Verb

Known: TypeAlias = Mapping[SlotId, CardId]
"""What one seat knows of face-down slots; empty for the public."""


class IllegalMove(Frp2pError):
    """This move is not allowed now."""

    code = "illegal-move"


class Move(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """What a player decides. Each game has its own closed union of subclasses."""


class Decide(msgspec.Struct, frozen=True, tag=True):
    """The game waits for one move of each of these seats (usually one seat; several decide simultaneously)."""

    seats: tuple[Seat, ...]


class Deal(msgspec.Struct, frozen=True, tag=True):
    """The game waits for the dealer to do all of these; they are independent of each other and run side by side."""

    verbs: tuple[Verb, ...]


class Over(msgspec.Struct, frozen=True, tag=True):
    """Nothing more happens."""


Need: TypeAlias = Decide | Deal | Over


class Game(Protocol):
    """The rules of one game. All methods are pure; a state is a frozen msgspec.Struct, `out` in it are the seats that
    have left."""

    name: str
    """Stable name on the wire, `fantasy-realms`."""

    move_type: Any
    """The union of move structs, for typed decoding."""

    options_type: Any
    """The struct of the options that the charter carries."""

    state_type: Any
    """The struct of a state, for (de)serialising and hashing."""

    def catalogue(self) -> bytes:
        """32 bytes that bind the facts of all its cards: peers that agree on them score alike."""

    def decks(self, options: Any) -> Mapping[str, tuple[CardId, ...]]:
        """All cards that can ever be dealt or revealed with these options: decks by name, in canonical order."""

    def check_options(self, options: Any, seats: int) -> None:
        """Raise UserError if no table can be opened with these options and this number of seats."""

    def start(self, options: Any, seats: int) -> Any:
        """The first state."""

    def need(self, state: Any) -> Need: ...

    def check(self, state: Any, seat: Seat, move: Move) -> None:
        """Raise IllegalMove unless `seat` is asked now and may do `move`; uses public knowledge only."""

    def check_known(self, view: Any, move: Move) -> None:
        """Raise IllegalMove if the viewer can see, and only it, that it could not go through with its own move (which
        `check` allows): a statement about its hand that it would have to prove next."""

    def apply(self, state: Any, moves: Mapping[Seat, Move]) -> Any:
        """The state after the moves of exactly the seats of `Decide`; raises IllegalMove as `check` does."""

    def dealt(self, state: Any, outcomes: tuple[Outcome, ...]) -> Any:
        """The state after the dealer answered `Deal`, one outcome a verb in the same order."""

    def out(self, state: Any, seats: tuple[Seat, ...]) -> Any:
        """The state once these seats have left for good; the game goes on with the others.

        Called between two batches, after the dealer took them off the table (`Leave`, `Recover`), their slots spent and
        those of the TABLE as they were; a batch that was under way is asked for again. They are asked nothing more and
        rank last. With one seat left the game is over. A game that is over does not change.
        """

    def stop(self, state: Any, seats: tuple[Seat, ...]) -> Any:
        """The state once these seats are lost and no slot of the TABLE can be used any more (`Drop`): the game goes
        straight to its end and asks the dealer only for what the others lock themselves."""

    def view(self, state: Any, seat: Seat | None, known: Known) -> Any:
        """What this seat (None: the public) may know; the only thing that a screen, bot or script sees.

        Its `seats` have `seat`, `total` and `rank`, the latter two None until they are settled; `total` stays None for
        a seat that has left. `out` are these seats, `stopped` tells whether `stop` ended the game.
        """

    def legal(self, view: Any) -> tuple[Move, ...]:
        """Every move that the viewer may make now, in a stable order (empty if it is not asked).

        Where the moves are too many to list (the final choices of Fantasy Realms), it is a selection that holds the
        default; `check` allows more.
        """

    def default(self, view: Any) -> Move:
        """The move that is made for a viewer who does not decide; always legal."""

    def patience(self, view: Any) -> float | None:
        """After how many seconds the default is made for an asked viewer who does not decide; None: the table waits.

        Whoever decides for a seat keeps to it by its own clock. No rule depends on it and nobody can be caught: a seat
        that takes longer only makes the game slower.
        """
