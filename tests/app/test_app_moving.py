"""A machine that gets another address while its table is in the lobby."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from app_kit import Slow

from frp2p.app import moving
from frp2p.app.tables import Seat
from frp2p.games.fantasy_realms.options import Options
from frp2p.net.address import Address
from frp2p.net.interfaces import LOOPBACK
from frp2p.store.identity import Identity


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_the_address_that_others_type_is_the_one_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shown at the host and told to the guests; a moment without any network changes nothing, and nor does a game."""
    places = [("192.168.7.1",)]
    monkeypatch.setattr(moving, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(moving, "interface_addresses", lambda _wanted: places[-1])
    with contextlib.ExitStack() as stack:
        seats = [Seat(Identity(bytes([n]) * 32), name, Slow(), loopback=True) for n, name in ((1, "Ana"), (2, "Ben"))]
        for seat in seats:
            stack.callback(seat.close)
        ana, ben = seats[0].host(Options(), 2), seats[1].join((Address(LOOPBACK, seats[0].port),))
        runs = [asyncio.create_task(ana.run())]
        following = asyncio.create_task(moving.follow_addresses(ana, 99, ("192.168.7.1:99",)))
        first = ana.snapshot().address
        await asyncio.sleep(0.1)
        assert ana.snapshot().address == first
        places.append((LOOPBACK,))
        await asyncio.sleep(0.1)
        assert ana.snapshot().address == first
        places.append(("192.168.7.2", "fe80::2"))
        await until(lambda: ana.snapshot().address == "192.168.7.2:99")
        runs.append(asyncio.create_task(ben.run()))
        await until(lambda: ben.snapshot().status.code)
        await until(following.done)
        following.result()
        ben.moved(("192.168.7.3:1",))
        assert ben.snapshot().address == str(Address(LOOPBACK, seats[0].port))  # a guest shows where its table is
        ana.leave()
        ben.leave()
        await asyncio.gather(*runs)


async def test_an_address_that_came_before_the_first_look_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the moment in which the seat was made and the one in which it is followed."""
    monkeypatch.setattr(moving, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(moving, "interface_addresses", lambda _wanted: ("192.168.7.2",))
    with contextlib.closing(Seat(Identity(bytes([1]) * 32), "Ana", Slow(), loopback=True)) as seat:
        ana = seat.host(Options(), 2)
        running = asyncio.create_task(ana.run())
        following = asyncio.create_task(moving.follow_addresses(ana, 99, seat.addresses))
        await until(lambda: ana.snapshot().address == "192.168.7.2:99")
        following.cancel()
        ana.leave()
        await asyncio.gather(running, following, return_exceptions=True)
