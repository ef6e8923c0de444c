"""A disk without room pauses the table in words; nothing that was not kept leaves, and the game goes on with room."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path
from typing import Any

import pytest

from frp2p.app.left import LeftTable, open_tables
from frp2p.app.result import Result
from frp2p.app.session import Session
from frp2p.app.tables import Seat
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.game import Move
from frp2p.net import keeping
from frp2p.net.address import Address
from frp2p.net.driver import Driver
from frp2p.net.interfaces import LOOPBACK
from frp2p.store import journal
from frp2p.store.identity import Identity
from frp2p.store.journal import TableJournal
from frp2p.table.messages import decode
from frp2p.table.outputs import Output, Send


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(keeping, "LAST_PAUSE", 0.05)


class Hasty:
    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        return legal[0]


def table() -> tuple[list[Seat], list[Session]]:
    seats = [
        Seat(Identity(bytes([number]) * 32), name, Hasty(), loopback=True)
        for number, name in enumerate(("Ana", "Ben"), 1)
    ]
    return seats, [seats[0].host(Options(), 2), seats[1].join((Address(LOOPBACK, seats[0].port),))]


async def play(sessions: list[Session]) -> list[Result]:
    return list(await asyncio.wait_for(asyncio.gather(*(session.run() for session in sessions)), 60))


def full(*_arguments: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


async def test_a_disk_that_fails_at_every_write_of_a_game_once(monkeypatch: pytest.MonkeyPatch, own_home: Path) -> None:
    append = TableJournal.append
    tries: list[int] = []
    safe: set[bytes] = set()

    def twice(self: TableJournal, game: bytes, records: list[bytes]) -> None:
        tries.append(len(tries))
        if len(tries) % 2:
            with monkeypatch.context() as patch:
                patch.setattr(journal, "_to_disk", full)
                append(self, game, records)
        append(self, game, records)
        safe.update(records)

    carry_out = Driver._carry_out

    def checked(self: Any, due: list[Output]) -> Any:
        for output in due:
            if isinstance(output, Send) and output.frame[2:6] in (b"part", b"ack"):
                assert output.frame in safe, decode(output.frame, greeted=True)
        return carry_out(self, due)

    monkeypatch.setattr(TableJournal, "append", twice)
    monkeypatch.setattr(Driver, "_carry_out", checked)
    seats, sessions = table()
    said: set[str] = set()
    for session in sessions:
        session.subscribe(lambda session=session: said.add(session.problem))
    results = await play(sessions)
    for seat in seats:
        seat.close()
    assert all(result.verified and result.problem == "" for result in results)
    assert len({result.status.digest for result in results}) == 1
    assert len(tries) > 100
    assert any("Cannot write to disk (No space left on device)" in problem for problem in said)
    assert not list((own_home / "tables").iterdir())


async def test_who_leaves_a_paused_table_has_sent_nothing(monkeypatch: pytest.MonkeyPatch, own_home: Path) -> None:
    monkeypatch.setattr(journal, "_to_disk", full)
    seats, sessions = table()
    paused = asyncio.Event()
    # The host can't keep the charter, so nobody gets to see it.
    sessions[0].subscribe(lambda: paused.set() if "Cannot write to disk" in sessions[0].problem else None)
    running = asyncio.gather(*(session.run() for session in sessions))
    async with asyncio.timeout(20):
        await paused.wait()
        for session in sessions:
            session.leave()
        results = await running
    for seat in seats:
        seat.close()
    assert {(result.status.code, result.status.step) for result in results} == {("", 0)}
    assert not any(result.verified for result in results)


async def test_a_record_that_could_not_be_saved_is_saved_by_who_resumes(
    monkeypatch: pytest.MonkeyPatch, own_home: Path
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("frp2p.app.session.save_transcript", full)
        seats, sessions = table()
        results = await play(sessions)
    for seat in seats:
        seat.close()
    assert not any(result.verified for result in results)
    left = open_tables()
    assert {table.name for table in left} == {"Ana", "Ben"}
    for result in results:
        assert f"No space left on device; frp2p resume {left[0].code}" in result.problem
    again = [
        Seat(
            Identity(bytes([1 + (table.name == "Ben")]) * 32),
            table.name,
            Hasty(),
            loopback=True,
            port=table.addresses[0].port,
        )
        for table in left
    ]
    results = await play([seat.resume(LeftTable(table)) for seat, table in zip(again, left, strict=True)])
    for seat in again:
        seat.close()
    assert all(result.verified and result.problem == "" for result in results)
    assert len({result.transcript.read_bytes() for result in results if result.transcript}) == 1
    assert not open_tables()
