"""How a game came out: for people, or as one JSON object."""

from __future__ import annotations

import click

from frp2p.app.faults import sentence
from frp2p.app.model_blame import culprit, own_key
from frp2p.app.model_scores import rounds_text, seat_score, uncounted
from frp2p.app.result import Result
from frp2p.games.fantasy_realms.view import SeatView
from frp2p.locale import _
from frp2p.scoring.render import score_text
from frp2p.table.status import Status

ROUNDS_COLUMNS = 200
"""Columns for the points of each round of a match, which is all of them: lines may be as long as they are."""


def summary(result: Result) -> dict[str, object]:
    """The result as the object that `--json` prints; docs/headless.md names its fields."""
    status = result.status
    views = status.view.seats if status.view is not None else ()
    scores = {view.seat: view for view in views}
    digest = status.digest.hex() if status.digest else None
    return {
        "ok": result.verified,
        "mode": getattr(status.options, "mode", ""),
        "rounds": getattr(status.view, "round", 0),
        "stopped": getattr(status.view, "stopped", False),
        "seats": [
            {
                "name": seat.name,
                "score": scores[seat.seat].total if seat.seat in scores else None,
                "rank": scores[seat.seat].rank if seat.seat in scores else None,
                "out": seat.out,
            }
            for seat in status.seats
        ],
        "steps": status.step,
        "transcript": str(result.transcript) if result.transcript else None,
        "digest": digest,
        "verified": len(status.verified_by),
        **({} if result.verified else _what_failed(result)),
    }


def _what_failed(result: Result) -> dict[str, object]:
    fault = result.status.fault
    told = sentence(fault.code, fault.message) if fault is not None else ""
    return {
        "phase": result.status.phase,
        "problem": result.problem or told,
        "check": fault.code if fault is not None else None,
        "seat": fault.seat if fault is not None else None,
        "message": fault.message if fault is not None else "",
    }


def tell_people(result: Result) -> None:
    """Scores and files on stdout, what went wrong on stderr."""
    status = result.status
    if status.phase == "over":
        _tell_scores(result)
    elif status.fault is not None and status.fault.code != "left":
        reason = sentence(status.fault.code, status.fault.message)
        click.echo(_("The table stopped: {reason}").format(reason=reason), err=True)
        if who := culprit(status):
            click.echo(_("{name} broke the protocol.").format(name=who), err=True)
        if told := own_key(status):
            click.echo(told, err=True)
    elif status.arbitrating and status.code:
        click.echo(_("You went before the end of the game."), err=True)
        click.echo(_("You are still its arbiter: frp2p resume {code}").format(code=status.code), err=True)
    elif status.watching:
        click.echo(_("You went before the end of the game."), err=True)
    else:
        _tell_leaver(status)
    if result.problem:
        click.echo(result.problem, err=True)
    if result.evidence is not None:
        click.echo(_("Evidence: {path}").format(path=result.evidence), err=True)


def _total(status: Status, seat: SeatView) -> str:
    """The points of a seat, of every round where there are several; or why there are none."""
    if seat.seat in status.view.out:
        return _("out before the end")
    if seat.total is None:
        return uncounted(len(status.view.seats) - len(status.view.out))
    return f"{seat.total}{rounds_text(status.view, seat, ROUNDS_COLUMNS)}"


def _tell_leaver(status: Status) -> None:
    """Whether the seat can be taken again."""
    if status.me is not None and status.seats[status.me].out:
        click.echo(_("You left the game for good."), err=True)
        return
    click.echo(_("You left the table before the end."), err=True)
    if status.code and status.leaving:
        text = _("The others have not taken note yet that you leave for good; frp2p resume {code} tells them.")
        click.echo(text.format(code=status.code), err=True)
    elif status.code:
        click.echo(_("Your seat stays yours: frp2p resume {code}").format(code=status.code), err=True)


def _tell_scores(result: Result) -> None:
    status = result.status
    if status.view.stopped:
        click.echo(_("The game was stopped, and scored as it stood."))
    names = {seat.seat: seat.name for seat in status.seats}
    for seat in sorted(status.view.seats, key=lambda seat: (seat.rank or 0, seat.seat)):
        click.echo(f"{seat.rank}. {names[seat.seat]}: {_total(status, seat)}")
        score = seat_score(status.view, seat)
        for line in score_text(score) if score is not None else ():
            click.echo(f"   {line}")
        click.echo()
    if status.digest is not None:
        live = sum(not seat.out for seat in status.seats)
        verified = _("Verified by {count} of {seats}: digest {digest}")
        click.echo(verified.format(count=len(status.verified_by), seats=live, digest=status.digest.hex()))
        gone = [seat.name for seat in status.seats if seat.out]
        if gone:
            click.echo(_("Out: {names}").format(names=", ".join(gone)))
    if result.transcript is not None:
        click.echo(_("Transcript: {path}").format(path=result.transcript))
