"""Sitting at a table until its end, with the screen or without one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

import click

from frp2p.app.bots import BotProcesses
from frp2p.app.model_waiting import voters
from frp2p.app.result import Result
from frp2p.app.session import Session
from frp2p.cli.stopping import Stopping
from frp2p.locale import _
from frp2p.store import settings
from frp2p.store.identity import Identity, acquire
from frp2p.table.status import Status

Face = Callable[[], Awaitable[None]]


def identity_and_name(name: str | None) -> tuple[Identity, str]:
    """The key that no other program of this user has in use, and the player's name; UserError if that is no name."""
    if name is not None:
        settings.check_name(name)
    identity = acquire()
    if identity.number > 1:
        click.echo(_("Your key is at another table; this one plays with key {n}.").format(n=identity.number), err=True)
        return identity, name or identity.default_name()
    return identity, name or settings.load().name or identity.default_name()


@contextlib.asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Do this as long as something else goes on; its errors are ours and end up where stray ones do."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


class Sitting:
    """Runs a session to its end."""

    def __init__(self, session: Session, stopping: Stopping) -> None:
        self.session = session
        self._stopping = stopping
        self._showing: asyncio.Future[None] | None = None

    async def run(self, face: Face | None = None, bots: BotProcesses | None = None) -> Result:
        """The result. With a face it goes on until the player leaves it; without one a bot that fails ends it."""
        running = asyncio.create_task(self.session.run(shown=face is not None))
        watching = asyncio.create_task(self._watch(bots, stop=face is None)) if bots else None
        self._stopping.gently = self._leave
        try:
            if face is not None:
                await self._show(running, face)
            return await running
        finally:
            for task in (watching, running):
                if task is not None and not task.done():
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)

    async def _show(self, running: asyncio.Task[Result], face: Face) -> None:
        self._showing = asyncio.ensure_future(face())
        try:
            await asyncio.wait({running, self._showing}, return_when=asyncio.FIRST_COMPLETED)
            if not self._showing.done() and running.exception() is None:
                await asyncio.wait({self._showing})  # the scores stay until the player has seen them
        finally:
            if not self._showing.done():
                self._showing.cancel()
                await asyncio.gather(self._showing, return_exceptions=True)
        if not self.session.leaving:
            self.session.leave()
        elif self.session.for_good and not running.done():
            click.echo(_("Leaving for good; the others take note of it. Ctrl-C: at once."), err=True)
        if not self._showing.cancelled():
            self._showing.result()

    async def _watch(self, bots: BotProcesses, *, stop: bool) -> None:
        words = await bots.failed
        self.session.report(_("A bot has ended: {words}").format(words=words))
        if stop:
            await self._until_stuck()
            self.session.leave()

    async def _until_stuck(self) -> None:
        """As long as the table may go on without the bot."""
        changed = asyncio.Event()
        unsubscribe = self.session.subscribe(changed.set)
        try:
            while _may_go_on(self.session.snapshot().status):
                changed.clear()
                await changed.wait()
        finally:
            unsubscribe()

    def _leave(self) -> None:
        """The first signal: get up from the table, close the screen."""
        self.session.leave()
        if self._showing is not None:
            self._showing.cancel()


def _may_go_on(status: Status) -> bool:
    """Whether the others can decide about a seat that is lost, or have no need to any more."""
    provided = status.provisions
    decided = provided is not None and (provided.recovery or provided.on_loss == "stop") and voters(status) > 2
    return status.phase == "over" or (status.phase in ("play", "closing") and decided and not status.stuck)
