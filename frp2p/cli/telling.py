"""What a table without a screen says on stderr while it runs: that it stands still, for whom, who is out, and that it
goes on."""

from __future__ import annotations

import asyncio

import click

from frp2p.app.model_losses import news
from frp2p.app.model_waiting import waiting_text
from frp2p.app.session import Session
from frp2p.locale import _

PATIENCE_SECONDS = 2.0
"""Before anything is said: at the start of a game, and when a link is replaced, somebody is away for a moment."""


class Telling:
    """A context manager: while it is open, a line when the table waits for somebody out of reach, one when somebody is
    out of the game, and one when all are back."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = ""
        self._events = 0
        self._problem = ""
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> Telling:
        self._unsubscribe = self._session.subscribe(self._look)
        return self

    def __exit__(self, *_error: object) -> None:
        self._unsubscribe()
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        if self._session.problem != self._problem:
            self._problem = self._session.problem
            click.echo(self._problem or _("It goes on."), err=True)
        snapshot = self._session.snapshot()
        if text := news(snapshot, self._events):
            click.echo(text, err=True)
        self._events = snapshot.event_count
        status = snapshot.status
        away = any(not status.seats[seat].connected for seat in status.waiting_for)
        if away and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, self._tell)
        elif not away and self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._told and all(seat.connected or seat.out for seat in status.seats):
            self._told = ""
            if not any(seat.out for seat in status.seats):
                click.echo(_("Everybody is connected again."), err=True)

    def _tell(self) -> None:
        """Somebody has been away for long; say so, and again if it becomes somebody else."""
        snapshot = self._session.snapshot()
        text = waiting_text(snapshot, counting=False)
        if text != self._told:
            self._told = text
            click.echo(waiting_text(snapshot), err=True)
        self._timer = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, self._tell)
