"""Whole sessions in one process: real peers, real sockets on loopback, the real dealer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from app_kit import Hasty, Slow, until

from frp2p.app import session as session_module
from frp2p.app.result import Result
from frp2p.app.session import Session
from frp2p.app.tables import Seat, dealers
from frp2p.games.fantasy_realms.moves import DrawDeck, Pass
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.game import IllegalMove, Move
from frp2p.games.registry import games
from frp2p.ledger.verify import verify
from frp2p.net.address import Address
from frp2p.net.interfaces import LOOPBACK
from frp2p.players.human import Human
from frp2p.store.identity import Identity


class Table:
    """Two sessions; the host first."""

    def __init__(self, ana: Any, ben: Any) -> None:
        seats = [
            Seat(Identity(bytes([number]) * 32), name, player, loopback=True)
            for number, (name, player) in enumerate((("Ana", ana), ("Ben", ben)), 1)
        ]
        self.ana = seats[0].host(Options(), 2)
        self.ben = seats[1].join((Address(LOOPBACK, seats[0].port),))
        self.seats = seats
        self.runs: list[asyncio.Task[Result]] = []

    def start(self) -> None:
        self.runs = [asyncio.create_task(session.run()) for session in (self.ana, self.ben)]

    async def results(self) -> list[Result]:
        return list(await asyncio.gather(*self.runs))


@contextlib.asynccontextmanager
async def table(ana: Any, ben: Any) -> AsyncIterator[Table]:
    made = Table(ana, ben)
    made.start()
    try:
        yield made
    finally:
        for run in made.runs:
            run.cancel()
        await asyncio.gather(*made.runs, return_exceptions=True)
        for seat in made.seats:
            seat.close()


async def test_a_game_ends_verified_and_saved_at_every_seat(own_home: Path) -> None:
    async with table(Hasty(), Hasty()) as both:
        ana, ben = await both.results()
    assert ana.verified
    assert ben.verified
    assert ana.status.digest == ben.status.digest
    assert ana.transcript == ben.transcript
    assert ana.transcript is not None
    assert ana.transcript.parent == own_home / "transcripts"
    with ana.transcript.open("rb") as file:
        report = verify(file, games(), dealers())
    assert report.digest == ana.status.digest
    assert [seat.total for seat in report.seats] == [seat.total for seat in ana.status.view.seats]


async def test_a_snapshot_follows_the_table() -> None:
    async with table(Slow(), Slow()) as both:
        assert both.ana.snapshot().status.phase == "lobby"
        await until(both.ana, lambda now: now.status.phase == "play" and now.status.view.phase == "draw")
        now = both.ana.snapshot()
        assert now is both.ana.snapshot()
        assert [seat.name for seat in now.status.seats] == ["Ana", "Ben"]
        assert now.event_count == len(now.events)
        # Where others sit down: at the host's address, also as a guest says it.
        assert now.address == both.ben.snapshot().address == f"{LOOPBACK}:{both.seats[0].port}"
        both.ana.report("the cable is out")
        assert both.ana.snapshot().problem == "the cable is out"


async def test_who_leaves_is_gone_and_the_other_knows() -> None:
    async with table(Slow(), Slow()) as both:
        for session in (both.ana, both.ben):
            await until(session, lambda now: now.status.view is not None and now.status.view.phase == "draw")
        both.ben.leave()
        left = await both.runs[1]
        assert not left.verified
        assert left.status.fault is not None
        assert left.status.fault.code == "left"
        await until(both.ana, lambda now: not now.status.seats[1].connected)
        both.ana.leave()
        assert not (await both.runs[0]).verified


async def test_who_is_killed_is_waited_for_by_name() -> None:
    async with table(Hasty(), Slow()) as both:
        await until(both.ben, lambda now: now.status.asked)
        both.runs[1].cancel()  # no goodbye
        await until(both.ana, lambda now: not now.status.seats[1].connected)
        status = both.ana.snapshot().status
        assert status.phase == "play"
        assert [status.seats[seat].name for seat in status.waiting_for] == ["Ben"]
        assert not both.runs[0].done()


async def test_a_game_survives_its_connections() -> None:
    async with table(Hasty(), Hasty()) as both:
        for turn in range(1, 5):
            await until(both.ana, lambda now, turn=turn: now.status.view is not None and now.status.view.turn >= turn)
            cut(both.ana)
        results = await both.results()
    assert all(result.verified for result in results)


def cut(session: Session) -> None:
    """Break every connection of this peer, without a goodbye."""
    assert session._driver is not None
    for link in tuple(session._driver._links.values()):
        link.abort()


async def test_leaving_the_lobby_needs_nobody() -> None:
    seat = Seat(Identity(bytes([1]) * 32), "Ana", Slow(), loopback=True)
    session = seat.host(Options(), 4)
    run = asyncio.create_task(session.run())
    await asyncio.sleep(0.05)
    session.leave(for_good=True)
    assert not session.for_good  # there is no game of which the others would have to take note
    result = await asyncio.wait_for(run, 5)
    assert result.status.phase == "stopped"
    seat.close()


class Stubborn(Hasty):
    """Tries something that is not allowed before every move, and may."""

    def __init__(self) -> None:
        self.refusals: list[IllegalMove] = []
        self.tried = False

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        self.tried = not self.tried
        return Pass() if self.tried else await super().decide(view, legal)

    def refused(self, error: IllegalMove) -> None:
        self.refusals.append(error)


async def test_a_player_may_be_told_that_its_move_is_not_allowed() -> None:
    stubborn = Stubborn()
    async with table(stubborn, Hasty()) as both:
        await until(both.ben, lambda now: now.status.view is not None and now.status.view.turn > 2)
        assert len(stubborn.refusals) >= 1
        assert all(error.code == "illegal-move" for error in stubborn.refusals)


class Wrong:
    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return Pass()


async def test_a_bot_that_breaks_the_rules_is_our_mistake() -> None:
    async with table(Wrong(), Wrong()) as both:
        done, _pending = await asyncio.wait(both.runs, return_when=asyncio.FIRST_COMPLETED, timeout=20)
        assert [type(run.exception()) for run in done] == [IllegalMove]


async def test_a_full_disk_is_a_sentence_and_not_a_verified_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_content: bytes) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(session_module, "save_transcript", full)
    async with table(Hasty(), Hasty()) as both:
        ana, _ben = await both.results()
    assert ana.status.phase == "over"
    assert not ana.verified
    assert "No space left" in ana.problem


async def test_a_human_is_asked_and_answers() -> None:
    human = Human()
    asked: list[bool] = []
    human.subscribe(lambda: asked.append(human.asked is not None))
    with pytest.raises(IllegalMove):
        human.answer(DrawDeck())
    deciding = asyncio.create_task(human.decide("a view", (DrawDeck(),)))
    await asyncio.sleep(0)
    assert human.asked == ("a view", (DrawDeck(),))
    human.answer(DrawDeck())
    with pytest.raises(IllegalMove):
        human.answer(DrawDeck())
    assert await deciding == DrawDeck()
    assert human.asked is None
    assert asked == [True, False]


async def test_a_human_who_is_not_asked_any_more_is_told() -> None:
    human = Human()
    deciding = asyncio.create_task(human.decide("a view", (DrawDeck(),)))
    await asyncio.sleep(0)
    deciding.cancel()
    await asyncio.gather(deciding, return_exceptions=True)
    assert human.asked is None
    human.refused(IllegalMove("not now"))
    assert human.refusal == "not now"
