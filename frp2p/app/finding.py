"""The tables on the LAN that one can sit down at, watch, or be the arbiter of."""

from __future__ import annotations

import asyncio
from typing import Literal, TypeAlias

from frp2p.net.ads import TableAd
from frp2p.net.discovery import Discovery, FoundTable

FIRST_SECONDS = 6.0
"""For the first table to show up; an announcement takes 1.3 s, a lost packet another second or two."""
MORE_SECONDS = 1.5
"""For others, once one was found; two hosts may have one name."""
POLL_SECONDS = 0.1


Purpose: TypeAlias = Literal["sit", "watch", "arbitrate"]
"""What a table is looked for."""


async def find(
    name: str | None, interfaces: tuple[str, ...] = (), purpose: Purpose = "sit"
) -> tuple[tuple[FoundTable, ...], str]:
    """The tables with a free seat, or those to watch, or that look for an arbiter (of this host, if a name is given, or
    the label of its key), and the sentence about why there may be none."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + FIRST_SECONDS
    async with Discovery(interfaces) as discovery:
        discovery.browse()
        found: tuple[FoundTable, ...] = ()
        while loop.time() < deadline and not (discovery.problem and not found):
            await asyncio.sleep(POLL_SECONDS)
            wanted = _wanted(discovery.tables(), name, purpose)
            if wanted and not found:
                deadline = min(deadline, loop.time() + MORE_SECONDS)
            found = wanted
        return found + _wanted(await discovery.taken_back(), name, purpose), discovery.problem


def _wanted(tables: tuple[FoundTable, ...], name: str | None, purpose: Purpose) -> tuple[FoundTable, ...]:
    fitting = [table for table in tables if _fits(table.ad, purpose)]
    called = None if name is None else name.casefold()
    return tuple(table for table in fitting if called in (None, table.ad.name.casefold(), table.ad.key.casefold()))


def _fits(ad: TableAd, purpose: Purpose) -> bool:
    if purpose == "sit":
        return ad.free > 0
    return ad.watched if purpose == "watch" else ad.arbiter
