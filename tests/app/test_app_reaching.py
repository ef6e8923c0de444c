"""What is said about an address at which the table is not: nobody, something else, or somebody else."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from app_kit import Slow

from frp2p.app import reaching
from frp2p.app.tables import Seat, watch
from frp2p.errors import UserError
from frp2p.games.fantasy_realms.options import Options
from frp2p.ledger.fingerprint import fingerprint
from frp2p.net import links
from frp2p.net.address import Address
from frp2p.net.interfaces import LOOPBACK
from frp2p.store.identity import Identity

ANSWERS = {
    "silence": None,
    "cut off": b"",
    "ssh": b"SSH-2.0-OpenSSH_9.2\r\n",
    "http": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "half a TLS record": b"\x16\x03\x03\x40\x00",
}
HOST = Identity(bytes([1]) * 32)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "PAUSE", 0.01)
    monkeypatch.setattr(links, "TICK", 0.02)


async def sentence(dial: tuple[Address, ...], label: str = "", *, watching: bool = False) -> str:
    """Why a guest, or somebody who watches, does not get to the table there."""
    identity = Identity(bytes([2]) * 32)
    with contextlib.closing(Seat(identity, "Ben", Slow(), loopback=True)) as seat:
        session = watch(identity, "Ben", dial, 0, label) if watching else seat.join(dial, label=label)
        with pytest.raises(UserError) as caught:
            await session.run()
    return caught.value.message


async def test_nobody_there() -> None:
    assert "Nobody answers at 127.0.0.1:1." in await sentence((Address(LOOPBACK, 1),))


@pytest.mark.parametrize("what", ANSWERS)
async def test_something_else_is_there(what: str) -> None:
    ends: list[asyncio.StreamWriter] = []

    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends.append(writer)
        answer = ANSWERS[what]
        if answer:
            writer.write(answer)
        if answer == b"":
            writer.close()

    async with await asyncio.start_server(serve, LOOPBACK, 0) as server:
        address = Address(*server.sockets[0].getsockname())
        said = await sentence((Address(LOOPBACK, 1), address))
        for writer in ends:
            writer.close()
    assert "no table answers there" in said
    assert f"{address}" in said


async def test_an_address_that_swallows_each_call_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[asyncio.StreamWriter] = []
    monkeypatch.setattr(reaching, "REACH_SECONDS", 0.0)
    async with await asyncio.start_server(lambda _reader, writer: calls.append(writer), LOOPBACK, 0) as server:
        await sentence((Address(*server.sockets[0].getsockname()),))
        for writer in calls:
            writer.close()
    assert len(calls) == 1


@pytest.mark.parametrize("watching", [False, True], ids=["join", "watch"])
async def test_somebody_else_at_the_address_of_a_table_that_was_announced(*, watching: bool) -> None:
    """Anybody can announce a table under the label of somebody's key; only that key is believed."""
    other = fingerprint(Identity(bytes([7]) * 32).public_key)[:11]
    with contextlib.closing(Seat(HOST, "Ana", Slow(), loopback=True)) as seat:
        run = asyncio.create_task((session := seat.host(Options(), 2)).run())
        said = await sentence((Address(LOOPBACK, seat.port),), other, watching=watching)
        assert [member.name for member in session.snapshot().status.seats] == ["Ana"]
        session.leave()
        await run
    assert "Somebody else answers" in said
    assert other in said


async def test_the_host_is_reached_behind_somebody_else_who_announces_it_too() -> None:
    """An announcement that was added to leads to the liar first; the table is found all the same."""
    liar = Seat(Identity(bytes([3]) * 32), "Eve", Slow(), loopback=True)
    seat = Seat(HOST, "Ana", Slow(), loopback=True)
    guest = Seat(Identity(bytes([2]) * 32), "Ben", Slow(), loopback=True)
    dial = Address(LOOPBACK, liar.port), Address(LOOPBACK, seat.port)
    sessions = liar.host(Options(), 2), seat.host(Options(), 2), guest.join(dial, label=HOST.fingerprint[:11])
    runs = [asyncio.create_task(session.run()) for session in sessions]
    async with asyncio.timeout(60):
        while not sessions[2].snapshot().status.code:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert [member.name for member in sessions[2].snapshot().status.seats] == ["Ana", "Ben"]
    assert [member.name for member in sessions[0].snapshot().status.seats] == ["Eve"]
    for session in sessions:
        session.leave()
    await asyncio.gather(*runs)
    for one in (liar, seat, guest):
        one.close()
