"""Every way in which a program can get up from a table: for now, so that the seat can be taken again, or for good."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from app_kit import Slow

from frp2p.app.left import LeftTable, open_tables
from frp2p.app.result import Result
from frp2p.app.session import LINGER_SECONDS, Session
from frp2p.app.tables import Seat
from frp2p.cli.sitting import Sitting
from frp2p.cli.stopping import Stopping
from frp2p.games.fantasy_realms.options import Options
from frp2p.ledger.provisions import Clock, provisions
from frp2p.net.address import Address
from frp2p.net.interfaces import LOOPBACK
from frp2p.players.headless import Headless
from frp2p.players.stdin import StdinLines
from frp2p.store.identity import Identity
from frp2p.table.access import OPEN
from frp2p.table.events import SeatsOut

SECONDS = 30.0
"""For anything that must happen, on a busy machine."""


PATIENT = Clock(away_seconds=60)
"""Nobody is voted out in a test."""

HASTY = Clock(move_seconds=1, away_seconds=5)
"""Programs move for players who do not, and seats that are gone are soon out."""


class Table:
    """A table with a game that has begun; the session under test has the last seat."""

    def __init__(self, count: int, player: Any, clock: Clock) -> None:
        players = [Slow() for _seat in range(count - 1)] + [player]
        names = ("Ana", "Ben", "Eva")
        self.seats = [
            Seat(Identity(bytes([number + 1]) * 32), names[number], one, loopback=True)
            for number, one in enumerate(players)
        ]
        provided = provisions(count, clock)
        host = self.seats[0].host(Options(), count, OPEN, provided)
        where = Address(LOOPBACK, self.seats[0].port)
        self.others = [host, *(seat.join((where,)) for seat in self.seats[1:-1])]
        self.mine = self.seats[-1].join((where,))
        self.runs: list[asyncio.Task[Result]] = []

    async def begin(self, mine: Callable[[], Awaitable[Result]]) -> None:
        """Until the first draw is asked; `mine` runs the session under test."""
        self.runs = [asyncio.create_task(session.run()) for session in self.others]
        self.runs.append(asyncio.ensure_future(mine()))
        for session in (*self.others, self.mine):
            await until(session, lambda now: now.status.view is not None and now.status.view.phase == "draw")

    async def left(self) -> Result:
        """How it came out for the session under test."""
        async with asyncio.timeout(SECONDS):
            return await self.runs[-1]

    def outs(self, session: Session) -> list[SeatsOut]:
        return [event for event in session.snapshot().events if isinstance(event, SeatsOut)]


@contextlib.asynccontextmanager
async def table(count: int, player: Any | None = None, clock: Clock = PATIENT) -> AsyncIterator[Table]:
    made = Table(count, player or Slow(), clock)
    try:
        yield made
    finally:
        for run in made.runs:
            run.cancel()
        await asyncio.gather(*made.runs, return_exceptions=True)
        for seat in made.seats:
            seat.close()


async def until(session: Session, condition: Any) -> None:
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    try:
        async with asyncio.timeout(SECONDS):
            while not condition(session.snapshot()):
                changed.clear()
                await changed.wait()
    finally:
        unsubscribe()


class Pipe:
    """The stdin of a program."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()

    def close(self) -> None:
        os.close(self.writer)


async def _by_call(made: Table) -> None:
    await made.begin(made.mine.run)
    made.mine.leave()


async def _by_signal(made: Table, name: str = "SIGTERM") -> None:
    with Stopping() as stopping:
        await made.begin(lambda: Sitting(made.mine, stopping).run())
        os.kill(os.getpid(), getattr(signal, name))
        await made.left()


async def _by_face(made: Table) -> None:
    """The screen ends without a word: `q`, for now, is that too."""
    closed = asyncio.Event()

    async def face() -> None:
        await closed.wait()

    await made.begin(lambda: Sitting(made.mine, Stopping()).run(face))
    closed.set()


async def _by_crash_of_the_face(made: Table) -> None:
    closed = asyncio.Event()

    async def face() -> None:
        await closed.wait()
        raise ZeroDivisionError

    async def run() -> Result:
        with pytest.raises(ZeroDivisionError):
            await Sitting(made.mine, Stopping()).run(face)
        return Result(made.mine.snapshot().status, None, None, "")

    await made.begin(run)
    closed.set()


async def _by_stdin(made: Table) -> None:
    pipe = Pipe()
    with StdinLines(lambda _line: None, made.mine.leave, handle=pipe.reader):
        await made.begin(made.mine.run)
        pipe.close()
        await made.left()


async def _by_kill(made: Table) -> None:
    """No word at all."""

    async def run() -> Result:
        with contextlib.suppress(asyncio.CancelledError):
            await made.mine.run()
        return Result(made.mine.snapshot().status, None, None, "")

    await made.begin(run)
    made.runs[-1].cancel()


def _say(line: bytes) -> Callable[[Table], Awaitable[None]]:
    async def way(made: Table) -> None:
        program = Headless(lambda _line: None)
        program._session = made.mine
        await made.begin(made.mine.run)
        program.line(line)

    return way


FOR_NOW: dict[str, Callable[[Table], Awaitable[None]]] = {
    "leave": _by_call,
    "SIGTERM": _by_signal,
    "SIGINT": lambda made: _by_signal(made, "SIGINT"),
    "SIGHUP": lambda made: _by_signal(made, "SIGHUP"),
    "the screen is closed": _by_face,
    "the screen fails": _by_crash_of_the_face,
    "stdin closes": _by_stdin,
    "killed": _by_kill,
    "quit": _say(b'{"type": "quit"}'),
}


@pytest.mark.parametrize("way", FOR_NOW)
async def test_a_seat_that_is_left_for_now_stays_ones_own(way: str) -> None:
    if way.startswith("SIG") and os.name != "posix":
        pytest.skip("Windows has no such signals")
    async with table(2) as made:
        await FOR_NOW[way](made)
        result = await made.left()
        assert not result.status.leaving
        assert not result.status.seats[1].out
        assert made.mine.resumable
        [other] = made.others
        await until(other, lambda now: not now.status.seats[1].connected)
        assert made.outs(other) == []
        assert other.snapshot().status.phase == "play"


async def _for_good(made: Table) -> None:
    await made.begin(made.mine.run)
    made.mine.leave(for_good=True)


async def _by_the_screen_for_good(made: Table) -> None:
    """The screen says so before it ends."""
    closed = asyncio.Event()

    async def face() -> None:
        await closed.wait()
        made.mine.leave(for_good=True)

    await made.begin(lambda: Sitting(made.mine, Stopping()).run(face))
    closed.set()


FOR_GOOD: dict[str, Callable[[Table], Awaitable[None]]] = {
    "leave": _for_good,
    "the screen": _by_the_screen_for_good,
    "quit": _say(b'{"type": "quit", "for_good": true}'),
}


@pytest.mark.parametrize("way", FOR_GOOD)
async def test_a_seat_that_is_left_for_good_is_out_and_can_not_be_taken_again(way: str) -> None:
    async with table(3) as made:
        await FOR_GOOD[way](made)
        result = await made.left()
        assert result.status.seats[result.status.me or 0].name == "Eva"
        assert result.status.seats[result.status.me or 0].out
        assert not made.mine.resumable
        for other in made.others:
            await until(other, lambda now: any(seat.out for seat in now.status.seats))
            [out] = made.outs(other)
            assert out.how == "leave"
            assert other.snapshot().status.phase == "play"


async def test_to_leave_for_good_alone_ends_at_once_where_there_is_nobody_to_tell() -> None:
    seat = Seat(Identity(bytes([1]) * 32), "Ana", Slow(), loopback=True)
    session = seat.host(Options(), 4)
    run = asyncio.create_task(session.run())
    await asyncio.sleep(0.05)
    session.leave(for_good=True)
    result = await asyncio.wait_for(run, 5)
    assert result.status.phase == "stopped"
    assert not session.resumable
    seat.close()


async def test_to_leave_for_good_can_be_cut_short() -> None:
    """Nobody else is there to take note: a second word goes at once, and the seat is kept for whoever needs it."""
    async with table(3) as made:
        await made.begin(made.mine.run)
        for run in made.runs[:-1]:
            run.cancel()
        await asyncio.gather(*made.runs[:-1], return_exceptions=True)
        made.mine.leave(for_good=True)
        await until(made.mine, lambda now: now.status.leaving)
        assert not made.runs[-1].done()
        made.mine.leave()
        result = await asyncio.wait_for(made.runs[-1], 10)
        assert result.status.leaving
        assert made.mine.resumable


async def test_who_was_voted_out_and_comes_back_after_the_end_has_it_where_the_result_is_still_shown() -> None:
    """Ben's program has gone by then, and Ana's would have, without her screen."""
    closed = asyncio.Event()

    async def face() -> None:
        await closed.wait()

    async with table(3, clock=HASTY) as made:
        ana, ben = made.others
        shown = asyncio.create_task(Sitting(ana, Stopping()).run(face))
        made.runs = [shown, *(asyncio.create_task(session.run()) for session in (ben, made.mine))]
        await until(made.mine, lambda now: now.status.view is not None and now.status.view.phase == "draw")
        made.runs[2].cancel()
        await asyncio.gather(made.runs[2], return_exceptions=True)
        made.seats[2].close()
        ended = await asyncio.wait_for(made.runs[1], SECONDS)
        assert [seat.name for seat in ended.status.seats if seat.out] == ["Eva"]
        await asyncio.sleep(LINGER_SECONDS + 1)

        [left] = [one for one in open_tables() if one.key == made.seats[2].identity.public_key]
        back = Seat(Identity(bytes([3]) * 32), "Eva", Slow(), loopback=True, port=0)
        try:
            again = back.resume(LeftTable(left))
            made.runs.append(asyncio.create_task(again.run()))
            await until(again, lambda now: now.transcript is not None)
        finally:
            back.close()
        assert again.snapshot().status.digest == ended.status.digest
        assert not shown.done()
        closed.set()
        assert (await asyncio.wait_for(shown, SECONDS)).verified
