"""Who sits in our seat: a person at the full-screen client, a bot, or a program that speaks JSON lines."""

from __future__ import annotations

import os
import sys

import click
import msgspec

from frp2p.app.bots import BotProcesses
from frp2p.app.player import Player
from frp2p.app.result import Result
from frp2p.app.session import Session
from frp2p.cli import EXIT_FAILED
from frp2p.cli.outcome import summary, tell_people
from frp2p.cli.sitting import Sitting
from frp2p.cli.stopping import Stopping
from frp2p.cli.telling import Telling
from frp2p.games.registry import games
from frp2p.players.headless import Headless
from frp2p.players.human import Human
from frp2p.players.stdin import StdinLines
from frp2p.players.stdout import StdoutLines
from frp2p.store.identity import Identity


class Place:
    """`player` decides. A person is there if there is a terminal and nobody said `auto` or `headless`."""

    def __init__(self, level: str, name: str, *, auto: bool, headless: bool = False) -> None:
        self._name = name
        self._human = Human() if has_terminal() and not auto and not headless else None
        self._lines = StdoutLines()
        self._headless = Headless(self._lines.write) if headless else None
        self.player: Player = self._headless or self._human or bot(level)

    @property
    def full_screen(self) -> bool:
        return self._human is not None

    async def sit(
        self, session: Session, identity: Identity, stopping: Stopping, bots: BotProcesses | None, *, as_json: bool
    ) -> int:
        """Play to the end, say how it came out, return the exit code."""
        sitting = Sitting(session, stopping)
        if self._human is not None:
            from frp2p import tui

            human = self._human
            result = await sitting.run(lambda: tui.run(session, human), bots)
        elif self._headless is not None:
            async with self._lines.open(session.leave):
                with StdinLines(self._headless.line, session.leave):
                    self._headless.attach(session, games(), self._name, identity.fingerprint)
                    result = await sitting.run(bots=bots)
                self._headless.end(summary(result))
        else:
            with Telling(session):
                result = await sitting.run(bots=bots)
        if self._headless is None:
            _tell(result, as_json=as_json)
        return 0 if result.verified else EXIT_FAILED


def has_terminal() -> bool:
    """Whether the full-screen client can be shown."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _tell(result: Result, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(summary(result)))
    else:
        tell_people(result)


def bot(level: str) -> Player:
    """A bot of this level, in this process."""
    if level == "random":
        from frp2p.players.random_bot import Random

        return Random(int.from_bytes(os.urandom(8)))
    from frp2p.players.greedy import Greedy

    return Greedy()
