"""What a table has provided for the case that somebody is slow, is lost or leaves, whether others may watch, whether
the hands are opened after the game, and whether an arbiter votes. It stands in the charter, so every seat has signed
it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from frp2p.errors import UserError

MAX_MOVE_SECONDS = 24 * 3600
"""Seconds for one move, in a bank or an increment; a longer limit is no limit."""

MIN_AWAY_SECONDS = 5
MAX_AWAY_SECONDS = 3600
"""Seconds that a seat may be away. Below, every hiccup of a radio would cost a seat; above, nobody waits any more."""

MIN_RECOVERY_SEATS = 3
"""With two seats the shares of a key would be the key itself."""

OnLoss: TypeAlias = Literal["stop", "adjourn"]
"""What is done about a seat that is lost and whose keys nobody can take off: the game is stopped and scored without the
deck, or the table waits and can be taken up again."""

Seconds: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MAX_MOVE_SECONDS)]


class Clock(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How long the others wait, in seconds.

    A move may take `move_seconds`; what it takes longer comes out of the seat's bank, which begins with `bank_seconds`
    and grows by `increment_seconds` with each move. Without any of them a player who is here may think as long as it
    likes. `away_seconds`: how long a seat that is not linked may stay away, and how long its program may take to answer
    where no player decides.
    """

    move_seconds: Seconds = 0
    bank_seconds: Seconds = 0
    increment_seconds: Seconds = 0
    away_seconds: Annotated[int, msgspec.Meta(ge=MIN_AWAY_SECONDS, le=MAX_AWAY_SECONDS)] = 180

    @property
    def limited(self) -> bool:
        """Whether players have to move in time."""
        return self.move_seconds + self.bank_seconds > 0


class Provisions(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`recovery`: the keys of each seat are shared among all others, so that they can go on without any one of them
    (and could, all together, look into its hand). `watched`: whoever likes may follow what is public. `audit`: once the
    game is over every seat gives its keys away, and whoever has the record can read every hand and every peek.
    `arbiter`: somebody without a seat, whom the charter names, votes about seats that are lost."""

    clock: Clock
    recovery: bool
    on_loss: OnLoss
    watched: bool = True
    audit: bool = False
    arbiter: bool = False


def provisions(
    seats: int,
    clock: Clock | None = None,
    *,
    recovery: bool = False,
    on_loss: OnLoss | None = None,
    watched: bool = True,
    audit: bool = False,
    arbiter: bool = False,
) -> Provisions:
    """What a table of so many seats provides for unless it says otherwise; UserError if it can't be."""
    if on_loss is None:
        on_loss = "adjourn" if seats < MIN_RECOVERY_SEATS and not arbiter else "stop"
    made = Provisions(clock or Clock(), recovery, on_loss, watched, audit, arbiter)
    problem = problem_with(made, seats)
    if problem:
        raise UserError(problem, code="charter-provisions")
    return made


def problem_with(provided: Provisions, seats: int) -> str:
    """Why a table of so many seats can't have these, empty if it can."""
    clock = provided.clock
    if provided.recovery and seats < MIN_RECOVERY_SEATS:
        return "Keys can be shared at a table of three or more seats."
    if clock.increment_seconds and not clock.limited:
        return "An increment needs a limit to add to."
    if provided.arbiter and provided.on_loss == "adjourn" and seats < MIN_RECOVERY_SEATS:
        return "With an arbiter a table of two decides, and is not adjourned."
    return ""


def named(provided: Provisions) -> dict[str, Any]:
    """The same for programs, with the names of the fields, which the charter leaves out."""
    return {**msgspec.structs.asdict(provided), "clock": msgspec.structs.asdict(provided.clock)}
