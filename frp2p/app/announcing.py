"""A table that seats are free at is announced on the LAN; once it is full or over it is not."""

from __future__ import annotations

import asyncio
import contextlib

from frp2p.app.session import Session
from frp2p.deal.entropy import fresh
from frp2p.net.ads import TableAd, instance_name
from frp2p.net.discovery import Discovery
from frp2p.net.interfaces import interface_addresses
from frp2p.store.identity import Identity

LOOK_SECONDS = 5.0
"""Between two looks at the addresses of this machine."""
LABEL_LETTERS = 11
"""Two groups of the fingerprint, to compare by eye."""
RUN_BYTES = 3
"""Random bytes that tell two runs of one host apart."""


async def announce(
    session: Session, identity: Identity, name: str, port: int, interfaces: tuple[str, ...] = ()
) -> None:
    """Announce the table as long as it is in the lobby; troubles are reported to the session, never raised.

    When this machine's addresses change (a cable, a Wi-Fi, a sleep), the announcement is made anew.
    """
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    instance = instance_name(identity.public_key, fresh(RUN_BYTES))
    try:
        while session.snapshot().status.phase == "lobby":
            addresses = interface_addresses(interfaces)
            async with Discovery(interfaces) as discovery:
                while addresses == await asyncio.to_thread(interface_addresses, interfaces):
                    if not await _tell(session, discovery, instance, identity, name, port):
                        await discovery.withdraw()
                        return
                    changed.clear()
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(LOOK_SECONDS):
                            await changed.wait()
    finally:
        unsubscribe()


async def _tell(
    session: Session, discovery: Discovery, instance: str, identity: Identity, name: str, port: int
) -> bool:
    """Announce the table as it is now; False once it is not in the lobby any more."""
    status = session.snapshot().status
    if status.phase != "lobby":
        return False
    label = identity.fingerprint[:LABEL_LETTERS]
    free = status.seats_wanted - len(status.seats)
    ad = TableAd(instance, label, name, status.game, status.seats_wanted, free, locked=status.locked)
    await discovery.announce(ad, port)
    session.report(discovery.problem)
    return True
