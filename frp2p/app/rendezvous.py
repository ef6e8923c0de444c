"""Seats of a game that miss each other find each other again, also where their addresses have changed.

A seat that misses another one for a while announces where it is, under the code of the table, and listens for others
that do the same. What it hears is a hint: it is dialled as the seat that it says to be, and the handshake decides.
"""

from __future__ import annotations

import asyncio

from frp2p.app.session import Session
from frp2p.deal.entropy import fresh
from frp2p.net.ads import SeatAd, bare_code, instance_name
from frp2p.net.discovery import SeatDiscovery
from frp2p.net.interfaces import interface_addresses
from frp2p.table.status import SeatStatus, Status

PATIENCE_SECONDS = 5.0
"""How long a seat is missed before anything is announced: by then the addresses that are known have been tried."""
LOOK_SECONDS = 1.0
"""Between two looks at what was heard."""
RUN_BYTES = 3
"""Random bytes that tell two runs of one seat apart."""


async def meet(session: Session, key: bytes, port: int, interfaces: tuple[str, ...] = ()) -> None:
    """As long as the session runs (it is cancelled then), look for seats that are missed. Troubles of the network mean
    that nobody is found; they are no trouble of the game."""
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    try:
        while True:
            if _missed(session.snapshot().status):
                await asyncio.sleep(PATIENCE_SECONDS)
            if _missed(session.snapshot().status):
                await _search(session, key, port, interfaces)
            changed.clear()
            if not _missed(session.snapshot().status):
                await changed.wait()
    finally:
        unsubscribe()


async def _search(session: Session, key: bytes, port: int, interfaces: tuple[str, ...]) -> None:
    """Announce and listen until nobody is missed, or until this machine has other addresses."""
    addresses = interface_addresses(interfaces)
    code = bare_code(session.snapshot().status.code)
    async with SeatDiscovery(interfaces) as discovery:
        discovery.browse()
        await discovery.announce(SeatAd(instance_name(key, fresh(RUN_BYTES)), code), port)
        while missed := _missed(session.snapshot().status):
            for found in discovery.found():
                for seat in missed:
                    if found.ad.code == code and found.ad.may_be(seat.key):
                        session.hint(seat.key, found.addresses)
            await asyncio.sleep(LOOK_SECONDS)
            if addresses != await asyncio.to_thread(interface_addresses, interfaces):
                return


def _missed(status: Status) -> tuple[SeatStatus, ...]:
    """The seats of a game that goes on to which there is no link, and its arbiter."""
    if not status.code or status.phase == "stopped":
        return ()
    arbiter = () if status.arbiter is None else (status.arbiter,)
    return tuple(seat for seat in (*status.seats, *arbiter) if not seat.connected and not seat.out)
