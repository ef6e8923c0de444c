"""This machine gets another address (a Wi-Fi, a cable, a sleep) while its table is not full yet."""

from __future__ import annotations

import asyncio

from frp2p.app.session import Session
from frp2p.net.address import Address
from frp2p.net.interfaces import LOOPBACK, interface_addresses

LOOK_SECONDS = 5.0
"""Between two looks at the addresses of this machine; each takes a millisecond."""


async def follow_addresses(
    session: Session, port: int, told: tuple[str, ...], interfaces: tuple[str, ...] = ()
) -> None:
    """Until there is a charter (it tells the others where this seat is for the whole game), keep the session's
    addresses, which are `told` at first, those that this machine has."""
    while not session.snapshot().status.code:
        await asyncio.sleep(LOOK_SECONDS)
        hosts = await asyncio.to_thread(interface_addresses, interfaces)
        now = tuple(str(Address(host, port)) for host in hosts)
        if hosts != (LOOPBACK,) and now != told:  # without any network it stays where it was: most come back there
            told = now
            session.moved(now)
