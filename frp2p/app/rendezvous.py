"""Seats of a game that miss each other find each other again, also where their addresses have changed; so does a guest
the host of its lobby.

A seat that misses another one for a while announces where it is, under the code of the table, and listens for others
that do the same; a host announces its table anyway. What is heard is a hint: it is dialled as the key that it says to
be, and the handshake decides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from frp2p.app.session import Session
from frp2p.deal.entropy import fresh
from frp2p.net.address import Address
from frp2p.net.ads import SeatAd, bare_code, instance_name, may_be
from frp2p.net.discovery import Announcements, Discovery, Found, SeatDiscovery
from frp2p.net.interfaces import MAX_ADDRESSES, interface_addresses
from frp2p.table.status import SeatStatus, Status

PATIENCE_SECONDS = 5.0
"""How long a seat is missed before anything is announced: by then the addresses that are known have been tried."""
LOOK_SECONDS = 1.0
"""Between two looks at what was heard."""
RUN_BYTES = 3
"""Random bytes that tell two runs of one seat apart."""
START_BYTES = 4
"""Random bytes that choose among the addresses at which a seat is said to be."""


async def meet(session: Session, key: bytes, port: int, interfaces: tuple[str, ...] = ()) -> None:
    """As long as the session runs (it is cancelled then), look for seats that are missed. Troubles of the network mean
    that nobody is found; they are no trouble of the game."""
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    try:
        while True:
            if _missed(session.snapshot().status):
                await asyncio.sleep(PATIENCE_SECONDS)
            status = session.snapshot().status
            if status.code and _missed(status):
                await _search(session, key, port, interfaces)
            elif _missed(status):
                await _search_host(session, interfaces)
            changed.clear()
            if not _missed(session.snapshot().status):
                await changed.wait()
    finally:
        unsubscribe()


async def _search(session: Session, key: bytes, port: int, interfaces: tuple[str, ...]) -> None:
    """Announce and listen until nobody of the game is missed, or until this machine has other addresses."""
    code = bare_code(session.snapshot().status.code)
    addresses = interface_addresses(interfaces)
    async with SeatDiscovery(interfaces) as discovery:
        await discovery.announce(SeatAd(instance_name(key, fresh(RUN_BYTES)), code), port)
        await _listen(session, discovery, lambda found: found.ad.code == code, interfaces, addresses)


async def _search_host(session: Session, interfaces: tuple[str, ...]) -> None:
    """Listen until the host of this lobby is not missed any more, or until this machine has other addresses."""
    addresses = interface_addresses(interfaces)
    async with Discovery(interfaces) as discovery:
        await _listen(session, discovery, lambda _found: True, interfaces, addresses)


async def _listen(
    session: Session,
    discovery: Announcements[Any],
    fits: Callable[[Found[Any]], bool],
    interfaces: tuple[str, ...],
    addresses: tuple[str, ...],
) -> None:
    discovery.browse()
    in_lobby = not session.snapshot().status.code
    while (missed := _missed(session.snapshot().status)) and in_lobby == (not session.snapshot().status.code):
        for seat in missed:
            told = [
                found.addresses for found in discovery.found() if fits(found) and may_be(found.ad.instance, seat.key)
            ]
            session.hint(seat.key, _some(told))
        await asyncio.sleep(LOOK_SECONDS)
        if addresses != await asyncio.to_thread(interface_addresses, interfaces):
            return


def _some(told: list[tuple[Address, ...]]) -> tuple[Address, ...]:
    """As many of these addresses as are tried at once, others each time: anybody can announce a seat, and whoever takes
    the call and says nothing keeps a round busy."""
    known = list(dict.fromkeys(address for addresses in told for address in addresses))
    if len(known) <= MAX_ADDRESSES:
        return tuple(known)
    start = int.from_bytes(fresh(START_BYTES)) % len(known)
    return tuple((known + known)[start : start + MAX_ADDRESSES])


def _missed(status: Status) -> tuple[SeatStatus, ...]:
    """The seats of a game that goes on to which there is no link, and its arbiter; before the game, the host."""
    if status.phase == "stopped":
        return ()
    if not status.code:
        return tuple(seat for seat in status.seats[:1] if not seat.connected)
    arbiter = () if status.arbiter is None else (status.arbiter,)
    return tuple(seat for seat in (*status.seats, *arbiter) if not seat.connected and not seat.out)
