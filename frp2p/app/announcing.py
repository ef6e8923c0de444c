"""A table with free seats is announced on the LAN, and one that may be watched until it is over."""

from __future__ import annotations

import asyncio
import contextlib

from frp2p.app.session import Session
from frp2p.deal.entropy import fresh
from frp2p.net.ads import TableAd, instance_name
from frp2p.net.discovery import Discovery
from frp2p.net.interfaces import interface_addresses
from frp2p.store.identity import Identity
from frp2p.table.status import Status

LOOK_SECONDS = 5.0
"""Between two looks at the addresses of this machine."""
LABEL_LETTERS = 11
"""Two groups of the fingerprint, to compare by eye."""
RUN_BYTES = 3
"""Random bytes that tell two runs of one host apart."""


async def announce(
    session: Session, identity: Identity, name: str, port: int, interfaces: tuple[str, ...] = ()
) -> None:
    """Announce the table as long as somebody may sit down or watch; troubles are reported to the session, never raised.

    When this machine's addresses change (a cable, a Wi-Fi, a sleep), the announcement is made anew.
    """
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    instance = instance_name(identity.public_key, fresh(RUN_BYTES))
    try:
        while _is_open(session.snapshot().status):
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
    """Announce the table as it is now; False once nobody can come any more."""
    status = session.snapshot().status
    if not _is_open(status):
        return False
    label = identity.fingerprint[:LABEL_LETTERS]
    free = status.seats_wanted - len(status.seats)
    watched = status.provisions is not None and status.provisions.watched
    flags = {"locked": status.locked, "watched": watched, "arbiter": status.lacks_arbiter}
    ad = TableAd(instance, label, name, status.game, status.seats_wanted, free, **flags)
    await discovery.announce(ad, port)
    if status.phase == "lobby":
        session.report(discovery.problem)  # later it would hide what matters more, and nobody is looked for
    return True


def _is_open(status: Status) -> bool:
    watched = status.provisions is not None and status.provisions.watched
    return status.phase == "lobby" or (watched and status.phase in ("setup", "play", "closing"))
