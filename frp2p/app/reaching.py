"""Reaching the table that we were told to join or to watch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from frp2p.errors import UserError
from frp2p.locale import _
from frp2p.net.address import Address
from frp2p.net.driver import Driver

TRIES = 5
PAUSE = 0.5
"""Seconds between two tries."""
REACH_SECONDS = 10.0
"""After so long there is no further try: where nothing comes back each one takes seconds."""


async def reach(driver: Driver[Any], dial: tuple[Address, ...], label: str, given_up: Callable[[], bool]) -> None:
    """Connect to whoever is at one of these addresses, if its fingerprint begins with `label`. UserError, which says
    what was met there instead of the table."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + REACH_SECONDS
    dialling = driver.dialling(dial, label=label)
    for attempt in range(TRIES):
        if attempt:
            await asyncio.sleep(PAUSE)
            dialling = driver.dialling(dial, label=label)
        if await dialling.run() or given_up():
            return
        if loop.time() >= deadline:
            break
    sentences = {
        "nobody": _("Nobody answers at {address}. To find out why: frp2p doctor {first}"),
        "no-table": _(
            "{address} takes connections, but no table answers there; one that had too many calls or wrong "
            "passphrases from here answers after ten seconds again. To find out more: frp2p doctor {first}"
        ),
        "somebody-else": _("Somebody else answers at {address}, not the host whose table was announced ({label})."),
    }
    address = ", ".join(map(str, dial))
    raise UserError(sentences[dialling.outcome].format(address=address, first=dial[0], label=label))
