"""A table that seats are free at is announced on the LAN; once it is full or over it is not."""

from __future__ import annotations

import asyncio

from frp2p.app.session import Session
from frp2p.deal.entropy import fresh
from frp2p.net.discovery import Discovery, TableAd, instance_name
from frp2p.store.identity import Identity

RUN_BYTES = 3
"""Random bytes that tell two runs of one host apart."""


async def announce(session: Session, identity: Identity, name: str, port: int) -> None:
    """Announce the table as long as it is in the lobby; troubles are reported to the session, never raised."""
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    instance = instance_name(identity.public_key, fresh(RUN_BYTES))
    shown: TableAd | None = None
    try:
        async with Discovery() as discovery:
            while (status := session.snapshot().status).phase == "lobby":
                free = status.seats_wanted - len(status.seats)
                ad = TableAd(instance, identity.fingerprint[:11], name, status.game, status.seats_wanted, free)
                if ad != shown:
                    await discovery.announce(ad, port)
                    session.report(discovery.problem)
                    shown = ad
                changed.clear()
                await changed.wait()
            await discovery.withdraw()
    finally:
        unsubscribe()
