"""Seats that miss each other: both have come back elsewhere, nobody knows where, and they find each other."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from app_kit import Slow
from hypothesis import given
from hypothesis import strategies as st

from frp2p.app import rendezvous
from frp2p.app.left import LeftTable, open_tables
from frp2p.app.session import Session
from frp2p.app.tables import Seat
from frp2p.games.fantasy_realms.options import Options
from frp2p.net import discovery
from frp2p.net.address import Address
from frp2p.net.ads import SeatAd, TableAd, instance_name
from frp2p.net.discovery import Discovery, SeatDiscovery
from frp2p.net.interfaces import LOOPBACK, MAX_ADDRESSES
from frp2p.store.identity import Identity

PATIENCE = 60.0
"""Seconds that a busy machine may take over something that must happen."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendezvous, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(rendezvous, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(discovery, "SEAT_SERVICE", f"_s{os.urandom(5).hex()}._tcp.local.")
    monkeypatch.setattr(discovery, "SERVICE", f"_t{os.urandom(5).hex()}._tcp.local.")


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def running(*sessions: Session) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(session.run()) for session in sessions]
    try:
        yield
    finally:
        for session in sessions:
            session.leave()
        await asyncio.gather(*tasks)


def identity(number: int) -> Identity:
    return Identity(bytes([number]) * 32)


def linked(*sessions: Session) -> bool:
    states = [session.snapshot().status for session in sessions]
    return all(state.code and all(seat.connected for seat in state.seats) for state in states)


async def test_two_seats_that_have_both_moved_find_each_other() -> None:
    seats = [Seat(identity(number), name, Slow(), loopback=True) for number, name in ((1, "Ana"), (2, "Ben"))]
    ana = seats[0].host(Options(), 2)
    ben = seats[1].join((Address(LOOPBACK, seats[0].port),))
    async with running(ana, ben):
        await until(lambda: linked(ana, ben))
    old = [seat.port for seat in seats]
    for seat in seats:
        seat.close()
    left = {table.key: LeftTable(table) for table in open_tables()}
    again = [Seat(identity(number), name, Slow(), loopback=True, port=0) for number, name in ((1, "Ana"), (2, "Ben"))]
    assert not {seat.port for seat in again} & set(old)
    sessions = [seat.resume(left[seat.identity.public_key]) for seat in again]
    meeting: list[asyncio.Task[None]] = []
    try:
        async with running(*sessions):
            await asyncio.sleep(0.5)
            assert not linked(*sessions)
            meeting += [
                asyncio.create_task(rendezvous.meet(session, seat.identity.public_key, seat.port, (LOOPBACK,)))
                for session, seat in zip(sessions, again, strict=True)
            ]
            await until(lambda: linked(*sessions))
    finally:
        for task in meeting:
            task.cancel()
        await asyncio.gather(*meeting, return_exceptions=True)
        for seat in again:
            seat.close()


async def test_whoever_says_to_be_the_missing_seat_is_asked_for_its_key_and_no_more() -> None:
    """Ben is away; Eve announces herself as Ben. She is called, shows another key, and sits nowhere."""
    seats = [Seat(identity(number), name, Slow(), loopback=True) for number, name in ((1, "Ana"), (2, "Ben"))]
    ana = seats[0].host(Options(), 2)
    ben = seats[1].join((Address(LOOPBACK, seats[0].port),))
    eve = Seat(identity(3), "Eve", Slow(), loopback=True)
    called = asyncio.Event()
    listening = eve.host(Options(), 2)
    try:
        async with running(ana, listening):
            async with running(ben):
                await until(lambda: linked(ana, ben))
            seats[1].close()
            await until(lambda: not linked(ana))
            hints: list[bytes] = []
            original = ana.hint

            def hint(key: bytes, addresses: tuple[Address, ...]) -> None:
                hints.append(key)
                called.set()
                original(key, addresses)

            ana.hint = hint  # type: ignore[method-assign]
            code = ana.snapshot().status.code.replace("-", "")
            meeting = asyncio.create_task(rendezvous.meet(ana, identity(1).public_key, seats[0].port, (LOOPBACK,)))
            async with SeatDiscovery((LOOPBACK,)) as false:
                await false.announce(SeatAd(instance_name(identity(2).public_key, b"eve"), code), eve.port)
                async with asyncio.timeout(PATIENCE):
                    await called.wait()
                await asyncio.sleep(0.5)
            assert set(hints) == {identity(2).public_key}
            assert not linked(ana)
            assert [seat.name for seat in ana.snapshot().status.seats] == ["Ana", "Ben"]
            meeting.cancel()
            await asyncio.gather(meeting, return_exceptions=True)
    finally:
        for seat in (*seats, eve):
            seat.close()


@pytest.mark.parametrize("who", ["the host", "somebody else"])
async def test_a_guest_finds_the_host_of_its_lobby_elsewhere_and_nobody_else(who: str) -> None:
    """The host comes back at another port, as it does at another address; somebody else only says to be the host."""
    first = Seat(identity(1), "Ana", Slow(), loopback=True)
    guest = Seat(identity(2), "Ben", Slow(), loopback=True)
    ana, ben = first.host(Options(), 3), guest.join((Address(LOOPBACK, first.port),))
    again = Seat(identity(1 if who == "the host" else 3), "Ana", Slow(), loopback=True, port=0)
    table = again.host(Options(), 3)
    key = instance_name(identity(1).public_key, b"new")
    ad = TableAd(key, identity(1).fingerprint[:11], "Ana", "fantasy-realms", 3, 2)

    def sitting(session: Session) -> list[str]:
        status = session.snapshot().status
        return [seat.name for seat in status.seats if seat.connected]

    async with running(ben, table):
        # Ana's machine goes to another network: her first table is gone without a word.
        run = asyncio.create_task(ana.run())
        await until(lambda: sitting(ben) == ["Ana", "Ben"])
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        first.close()
        await until(lambda: sitting(ben) == ["Ben"])
        meeting = asyncio.create_task(rendezvous.meet(ben, identity(2).public_key, guest.port, (LOOPBACK,)))
        async with Discovery((LOOPBACK,)) as announced:
            await announced.announce(ad, again.port)
            if who == "the host":
                await until(lambda: sitting(ben) == ["Ana", "Ben"] == sitting(table))
            else:
                await asyncio.sleep(2.5)
                assert (sitting(ben), sitting(table)) == (["Ben"], ["Ana"])
        meeting.cancel()
        await asyncio.gather(meeting, return_exceptions=True)
    for seat in (guest, again):
        seat.close()


@given(st.lists(st.lists(st.integers(1, 99), max_size=9), max_size=12))
def test_whoever_announces_a_seat_many_times_keeps_nobody_from_trying_the_rest(told: list[list[int]]) -> None:
    """Each round is a few of the addresses; sooner or later each one is in a round."""
    addresses = [tuple(Address(LOOPBACK, port) for port in ports) for ports in told]
    known = {address for some in addresses for address in some}
    rounds = [rendezvous._some(addresses) for _round in range(1 if len(known) <= MAX_ADDRESSES else 2000)]
    assert all(len(set(some)) == len(some) <= MAX_ADDRESSES for some in rounds)
    assert {address for some in rounds for address in some} == known


async def test_nothing_is_announced_while_nobody_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr(rendezvous, "SeatDiscovery", made.append)
    seat = Seat(identity(1), "Ana", Slow(), loopback=True)
    session = seat.host(Options(), 2)
    meeting = asyncio.create_task(rendezvous.meet(session, identity(1).public_key, seat.port, (LOOPBACK,)))
    async with running(session):
        await asyncio.sleep(0.4)
    meeting.cancel()
    await asyncio.gather(meeting, return_exceptions=True)
    seat.close()
    assert made == []
