"""The question whether to leave: what can be done, and what becomes of the seat and of the table then."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from frp2p.app.model_clock import duration
from frp2p.app.model_table import mark_cell
from frp2p.app.model_text import Cell, Line, fit, wrap
from frp2p.app.model_waiting import can_vote, live, voters
from frp2p.locale import _
from frp2p.table.status import Status

What: TypeAlias = Literal["away", "good", "stay"]


class Way(NamedTuple):
    """One answer: what is done, in a few words and in whole."""

    what: What
    title: str
    text: str


def asks_how(status: Status) -> bool:
    """Whether there is a seat at stake, so that it matters how one leaves."""
    seated = status.me is not None and status.phase in ("setup", "play", "closing")
    return seated and not status.leaving and not status.seats[status.me or 0].out


def ways(status: Status) -> tuple[Way, ...]:
    """What can be answered; the first is what is done by default."""
    return (
        Way("away", _("Go away for now; frp2p resume takes the seat again"), _away(status)),
        Way("good", _("Leave for good; nobody can take the seat again"), _good(status)),
        Way("stay", _("Stay"), ""),
    )


def _away(status: Status) -> str:
    """What the others do while one is away."""
    if status.phase == "setup":
        return _("The game begins when you are back.")
    provided = status.provisions
    if provided is None or voters(status) <= 2 or not _decided(status):
        return _("The game waits for you.")
    clock = provided.clock
    text = _("The others wait for {time}; then they can vote you out, and {rest}.")
    if clock.limited:
        text = _("The others wait for your time to move and {time} more; then they can vote you out, and {rest}.")
    return text.format(time=duration(clock.away_seconds), rest=_rest(status))


def _decided(status: Status) -> bool:
    """Whether the others would decide anything about a seat that is away."""
    provided = status.provisions
    return provided is not None and (provided.recovery or provided.on_loss == "stop")


def _rest(status: Status) -> str:
    if len(live(status)) <= 2:
        return _("the game is over")
    if status.provisions is not None and status.provisions.recovery:
        return _("the game goes on")
    return _("the game is stopped and scored")


def _good(status: Status) -> str:
    """What the others do without one."""
    if status.phase == "setup":
        return _("The game has not begun: this table ends.")
    if status.phase == "closing":
        return _("The game is over; only your signature would be missing.")
    if len(live(status)) <= 2:
        return _("The other player is left alone: the game is over, and you come last.")
    if not can_vote(status, 0):
        return _("Too many are away to decide about it now: the table waits for them, then the others go on.")
    return _("The others go on without you. Your hand stays closed, and you come last. It takes some seconds.")


def lines(status: Status, at: int, columns: int) -> list[Line]:
    """The answers, the marked one first to see; below each what becomes of it."""
    shown: list[Line] = []
    for number, way in enumerate(ways(status)):
        marked = number == at
        head = (Cell(" "), mark_cell(at=marked), Cell(" "), Cell(way.title, "cursor" if marked else "strong"))
        shown.append(tuple(cell._replace(target=("way", number)) for cell in fit(head, columns)))
        shown += [fit((Cell("     "), Cell(row, "dim")), columns) for row in wrap(way.text, columns - 7)]
        shown.append(fit((Cell(" "),), columns))
    return shown
