"""What a table waits for, in words: who is away or silent and for how long yet, a vote, a table that is stuck."""

from __future__ import annotations

from frp2p.app.model_clock import duration, limited
from frp2p.app.model_losses import stuck_text
from frp2p.app.model_table import names, view_of
from frp2p.app.snapshot import Snapshot
from frp2p.games.verbs import Seat
from frp2p.locale import _
from frp2p.table.status import Status, Wait

SILENT_SECONDS = 10.0
"""A program that has not answered for so long is silent; until then it may be busy with proofs."""


def waiting_text(snapshot: Snapshot, *, counting: bool = True) -> str:
    """`Waiting for Ana and Bob.`, or what is wrong; empty when nobody else is waited for. Without `counting` no number
    of seconds is in it: it changes only when something does."""
    status = snapshot.status
    waited = _others(status)
    if not waited:
        return trouble(snapshot, counting=counting)
    return trouble(snapshot, counting=counting) or hurry(snapshot, counting=counting) or _plain(status, waited)


def trouble(snapshot: Snapshot, *, counting: bool = True) -> str:
    """Why the table does not go on as it should; empty if it does."""
    status = snapshot.status
    if status.phase not in ("setup", "play", "closing"):
        return ""
    for text in (_own(status), _minority(status), _voting(status), _stuck(status)):
        if text:
            return text
    away = [wait for wait in _waits(status) if not wait.connected]
    if away:
        return _away(status, away, counting=counting)
    silent = [wait for wait in _waits(status) if _is_silent(snapshot, wait)]
    if silent:
        return _silent(status, silent, counting=counting)
    return _parting(snapshot)


def live(status: Status) -> tuple[Seat, ...]:
    """The seats that are not out."""
    return tuple(seat.seat for seat in status.seats if not seat.out)


def voters(status: Status) -> int:
    """How many have a vote: those seats, and the arbiter."""
    return len(live(status)) + (status.arbiter is not None)


def here(status: Status) -> int:
    """How many of those this seat is linked to, itself included."""
    arbiter = status.arbiter is not None and (status.arbitrating or status.arbiter.connected)
    return arbiter + sum(seat == status.me or status.seats[seat].connected for seat in live(status))


def can_vote(status: Status, gone: int = 0) -> bool:
    """Whether those who are here, without `gone` of them, are a strict majority of those who have a vote."""
    return 2 * (here(status) - gone) > voters(status)


# -- the sentences -----------------------------------------------------------------------------------------------------


def _own(status: Status) -> str:
    if status.leaving:
        return _("You are leaving; the others take note of it.")
    if status.me is not None and status.seats[status.me].out:
        return _("You are out of the game; the others go on. q leaves.")
    return ""


def _minority(status: Status) -> str:
    """Somebody is waited for, and those who are here can decide nothing."""
    total = voters(status)
    if total <= 2 or can_vote(status) or not any(not wait.connected for wait in _waits(status)):
        return ""
    text = _("Waiting: you are {here} of {count}, the others may be going on.")
    return text.format(here=here(status), count=total)


def _voting(status: Status) -> str:
    vote = status.vote
    if vote is None or not (vote.accused or vote.ballot):
        return ""
    if not vote.accused:
        return _("The table votes about the last step.")
    return _("The table votes about {names}.").format(names=_called(status, vote.accused))


def _stuck(status: Status) -> str:
    if not status.stuck:
        return ""
    return stuck_text(status.stuck, names(status))


def _away(status: Status, away: list[Wait], *, counting: bool) -> str:
    called = _called(status, tuple(wait.seat for wait in away))
    left = _least(away)
    if left is None or not counting or not can_vote(status):
        return _("{names}: no connection; calling again.").format(names=called)
    return _("{names}: no connection, {time} left.").format(names=called, time=duration(left))


def _silent(status: Status, silent: list[Wait], *, counting: bool) -> str:
    called = _called(status, tuple(wait.seat for wait in silent))
    left = _least(silent)
    if left is None or not counting or not can_vote(status, len(silent)):
        return _("{names}: no answer.").format(names=called)
    return _("{names}: no answer, {time} left.").format(names=called, time=duration(left))


def _parting(snapshot: Snapshot) -> str:
    """A majority has said that a seat is out, and the dealer is not done with it."""
    view, status = view_of(snapshot), snapshot.status
    if view is None or status.phase != "play":
        return ""
    parting = tuple(seat.seat for seat in status.seats if seat.out and seat.seat not in view.out)
    return _("Out: {names}. The cards are put in order.").format(names=_called(status, parting)) if parting else ""


def hurry(snapshot: Snapshot, *, counting: bool = True) -> str:
    """Who has to move, and how long yet."""
    status = snapshot.status
    waits = [wait for wait in _waits(status) if _decides(snapshot, wait.seat) and wait.seconds_left is not None]
    if not counting or not limited(status) or not waits:
        return ""
    called = names(status)
    if len(waits) == 1:
        left = waits[0].seconds_left or 0.0
        return _("{name} has {time} to move.").format(name=called[waits[0].seat], time=duration(left))
    each = (f"{called[wait.seat]} ({duration(wait.seconds_left or 0.0)})" for wait in waits)
    return _("Waiting for {names}.").format(names=", ".join(each))


def _plain(status: Status, waited: tuple[Seat, ...]) -> str:
    return _("Waiting for {names}.").format(names=_called(status, waited))


# -- what is the case --------------------------------------------------------------------------------------------------


def _others(status: Status) -> tuple[Seat, ...]:
    return tuple(seat for seat in status.waiting_for if seat != status.me and 0 <= seat < len(status.seats))


def _waits(status: Status) -> list[Wait]:
    return [wait for wait in status.waits if 0 <= wait.seat < len(status.seats)]


def _decides(snapshot: Snapshot, seat: Seat) -> bool:
    view = view_of(snapshot)
    return view is not None and snapshot.status.phase == "play" and seat in view.asked


def _is_silent(snapshot: Snapshot, wait: Wait) -> bool:
    """Whether a program that has nothing to ask anybody has not answered for long."""
    provisions = snapshot.status.provisions
    if provisions is None or wait.seconds_left is None or _decides(snapshot, wait.seat):
        return False
    return wait.seconds_left <= provisions.clock.away_seconds - SILENT_SECONDS


def _least(waits: list[Wait]) -> float | None:
    return min((wait.seconds_left for wait in waits if wait.seconds_left is not None), default=None)


def _called(status: Status, seats: tuple[Seat, ...]) -> str:
    called = names(status)
    return ", ".join(called[seat] for seat in seats if 0 <= seat < len(called))
