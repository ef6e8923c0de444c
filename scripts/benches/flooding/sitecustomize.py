"""Makes one bot of a table a flooder: python imports this at its start if the folder is on PYTHONPATH (benches/net.py).

The first bot that finds the file of FRP2P_BENCH_FLOOD not made yet makes it, and says everything four times from then
on, with a pull of the whole game each time. It reads as fast as it can and throws the answers away: a flooder that
chokes on them would only be a slow seat.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

COPIES = 4
NO_LIMIT = 1_000_000
"""Frames a second that it reads."""


def _flood() -> None:
    from frp2p.net import links
    from frp2p.table.messages import Hello, Pull
    from frp2p.table.outbox import Outbox
    from frp2p.table.seated import Seated

    plain = Outbox.send

    def send(self: Outbox, links: Iterable[int], message: Any) -> int:
        here = tuple(links)
        size = plain(self, here, message)
        if not isinstance(message, Hello):
            for _ in range(COPIES - 1):
                plain(self, here, message)
            plain(self, here, Pull(0, 0, 0))
        return size

    Outbox.send = send  # type: ignore[method-assign]
    Seated._take_final = lambda self, final, now: None  # type: ignore[method-assign]
    links.FRAMES_A_SECOND, links.FRAMES_BURST = NO_LIMIT, NO_LIMIT


if "bot" in sys.orig_argv and "FRP2P_BENCH_FLOOD" in os.environ:
    try:
        os.close(os.open(os.environ["FRP2P_BENCH_FLOOD"], os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        pass
    else:
        _flood()
