"""A table is announced while it is in the lobby, found by guests, and gone once it is full."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from app_kit import Slow

from frp2p.app import announcing, finding, tables
from frp2p.app.session import Session
from frp2p.app.tables import Seat
from frp2p.errors import UserError
from frp2p.games.fantasy_realms.options import Options
from frp2p.ledger.provisions import provisions
from frp2p.net import discovery
from frp2p.net.address import listening_socket
from frp2p.net.discovery import Discovery
from frp2p.store.identity import Identity

LOOPBACK = ("127.0.0.1",)
PATIENCE = 60.0
"""Seconds that a busy machine may take over something that must happen."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "FIRST_SECONDS", PATIENCE)
    monkeypatch.setattr(finding, "MORE_SECONDS", 0.3)
    # Loopback is shared with every other test and program of this machine; the name of the service is not.
    monkeypatch.setattr(discovery, "SERVICE", f"_t{os.urandom(5).hex()}._tcp.local.")


async def until(condition: Callable[[], Any]) -> None:
    """Wait for something that nobody tells us about."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def lobby(
    number: int, name: str, seats: int, *, watched: bool = False, arbiter: bool = False
) -> AsyncIterator[tuple[Session, Seat]]:
    identity = Identity(bytes([number]) * 32)
    seat = Seat(identity, name, Slow(), loopback=True)
    session = seat.host(Options(), seats, provided=provisions(seats, watched=watched, arbiter=arbiter))
    tasks = [
        asyncio.create_task(session.run()),
        asyncio.create_task(announcing.announce(session, identity, name, seat.port, LOOPBACK)),
    ]
    try:
        yield session, seat
    finally:
        session.leave()
        await asyncio.gather(*tasks)
        seat.close()


async def test_a_guest_finds_the_table_and_its_filling_ends_the_announcement() -> None:
    async with lobby(1, "Ana", 2) as (_ana, seat):
        found, problem = await finding.find(None, LOOPBACK)
        assert problem == ""
        assert [(table.ad.name, table.ad.seats, table.ad.free) for table in found] == [("Ana", 2, 1)]
        assert [address.port for address in found[0].addresses] == [seat.port]
        assert seat.identity.fingerprint.startswith(found[0].ad.key)

        guest = Seat(Identity(bytes([2]) * 32), "Ben", Slow(), loopback=True)
        session = guest.join(found[0].addresses)
        run = asyncio.create_task(session.run())
        async with Discovery(LOOPBACK) as browser:
            browser.browse()
            await until(lambda: session.snapshot().status.phase != "lobby" and not browser.tables())
        session.leave()
        await run
        guest.close()


async def test_a_table_that_may_be_watched_is_found_by_watchers_until_its_end() -> None:
    async with lobby(1, "Ana", 2, watched=True) as (ana, _seat), lobby(3, "Cleo", 2):
        guest = Seat(Identity(bytes([2]) * 32), "Ben", Slow(), loopback=True)
        joined, _problem = await finding.find("Ana", LOOPBACK)
        session = guest.join(joined[0].addresses)
        run = asyncio.create_task(session.run())
        async with Discovery(LOOPBACK) as browser:
            browser.browse()
            await until(lambda: {table.ad.name: table.ad.free for table in browser.tables()} == {"Ana": 0, "Cleo": 1})
            found, problem = await finding.find(None, LOOPBACK, "watch")
            assert ([table.ad.name for table in found], problem) == (["Ana"], "")
            assert [table.ad.name for table in (await finding.find(None, LOOPBACK))[0]] == ["Cleo"]
            session.leave()
            await run
            ana.leave()
            await until(lambda: [table.ad.name for table in browser.tables()] == ["Cleo"])
        guest.close()


async def test_a_table_that_looks_for_an_arbiter_is_found_until_it_has_one() -> None:
    async with lobby(1, "Ana", 2, arbiter=True) as (ana, _seat), lobby(3, "Cleo", 2):
        found, problem = await finding.find(None, LOOPBACK, "arbitrate")
        assert ([table.ad.name for table in found], problem) == (["Ana"], "")
        arbiter = Seat(Identity(bytes([2]) * 32), "Zoe", Slow(), loopback=True)
        session = arbiter.join(found[0].addresses, arbiter=True)
        run = asyncio.create_task(session.run())
        async with Discovery(LOOPBACK) as browser:
            browser.browse()
            wanted = {"Ana": (1, False), "Cleo": (1, False)}
            await until(lambda: {one.ad.name: (one.ad.free, one.ad.arbiter) for one in browser.tables()} == wanted)
        assert session.snapshot().status.arbitrating
        assert ana.snapshot().status.arbiter is not None
        session.leave()
        await run
        arbiter.close()
        await until(lambda: ana.snapshot().status.lacks_arbiter)


async def test_a_table_is_found_by_the_name_of_its_host(monkeypatch: pytest.MonkeyPatch) -> None:
    async with lobby(1, "Ana", 2), lobby(3, "Cleo", 3):
        async with asyncio.timeout(PATIENCE):
            found, _problem = await finding.find(None, LOOPBACK)
            while len(found) < 2:  # the second one may take longer than the search waits for more
                found, _problem = await finding.find(None, LOOPBACK)
        assert [table.ad.name for table in found] == ["Ana", "Cleo"]
        found, _problem = await finding.find("cleo", LOOPBACK)
        assert [table.ad.name for table in found] == ["Cleo"]
        monkeypatch.setattr(finding, "FIRST_SECONDS", 0.5)
        assert await finding.find("nobody", LOOPBACK) == ((), "")


async def test_two_hosts_of_one_name_are_told_apart_by_their_keys() -> None:
    async with lobby(1, "Ana", 2) as (_one, first), lobby(3, "Ana", 2) as (_other, second):
        async with asyncio.timeout(PATIENCE):
            found, _problem = await finding.find("ana", LOOPBACK)
            while len(found) < 2:
                found, _problem = await finding.find("ana", LOOPBACK)
        for seat in (first, second):
            [label] = {table.ad.key for table in found if table.addresses[0].port == seat.port}
            assert seat.identity.fingerprint.startswith(label)
            [one] = (await finding.find(label.lower(), LOOPBACK))[0]
            assert one.addresses[0].port == seat.port


def test_a_second_table_on_one_machine_takes_another_port(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening_socket(0, loopback=False) as free:
        port = free.getsockname()[1]
    monkeypatch.setattr(tables, "DEFAULT_PORT", port)
    seats = [Seat(Identity(bytes([number]) * 32), "Ana", Slow(), loopback=False) for number in (1, 2, 3)]
    try:
        assert seats[0].port == port
        assert len({seat.port for seat in seats}) == 3
        with pytest.raises(UserError, match=str(port)):  # one that was asked for is taken or refused
            Seat(Identity(bytes([4]) * 32), "Ana", Slow(), loopback=False, port=port)
    finally:
        for seat in seats:
            seat.close()


async def test_other_addresses_are_announced_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "LOOK_SECONDS", 0.05)
    made: list[Discovery] = []

    class Counted(Discovery):
        async def __aenter__(self) -> Discovery:
            made.append(self)
            return await super().__aenter__()

    monkeypatch.setattr(announcing, "Discovery", Counted)
    now = ["10.0.0.1"]
    monkeypatch.setattr(announcing, "interface_addresses", lambda _interfaces: tuple(now))
    async with lobby(1, "Ana", 2):
        await until(lambda: len(made) == 1)
        now.append("10.0.0.2")
        await until(lambda: len(made) == 2)


async def test_a_network_without_multicast_is_reported_and_the_table_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_arguments: object) -> None:
        raise OSError(98, "Address already in use")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", broken)
    async with lobby(1, "Ana", 2) as (session, _seat):
        await until(lambda: session.snapshot().problem)
        assert "Address already in use" in session.snapshot().problem
        assert session.snapshot().status.phase == "lobby"
        found, problem = await finding.find(None, LOOPBACK)
        assert found == ()
        assert "Address already in use" in problem
