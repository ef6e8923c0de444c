"""What the peer wants to have on disk is there before anything else of its outputs is carried out.

A disk that is full or broken stops the table here, not the game: nothing leaves, no input is given to the peer, links
live on, and it goes on once the disk takes what it was given.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from frp2p.errors import LocalError
from frp2p.table.outputs import Output, Persist

FIRST_PAUSE = 0.25
"""Seconds until the disk is tried again; doubles up to the last one."""
LAST_PAUSE = 4.0
"""Somebody who has just made room should not wait long."""


class Keeper(Protocol):
    """A journal: `store.journal.TableJournal`."""

    def append(self, game: bytes, records: Sequence[bytes]) -> None:
        """Have these on disk; OSError as the disk gives it, and then the same call is made again."""


class Keeping:
    """`persist` is called in the thread of the peer, `give_up` in any. `on_trouble` hears, in the thread of the peer,
    each error of the disk, and None when it is over.
    """

    def __init__(self, keeper: Keeper | None, on_trouble: Callable[[OSError | None], None]) -> None:
        self._keeper = keeper
        self._on_trouble = on_trouble
        self._given_up = threading.Event()

    def persist(self, outputs: Iterable[Output]) -> None:
        """Returns once all that is to be kept is on disk; LocalError `not-kept` if it was given up before."""
        kept = [output for output in outputs if isinstance(output, Persist)]
        if self._keeper is None or not kept:
            return
        if self._given_up.is_set():
            raise LocalError("This table has ended.", code="not-kept")
        records = [record for output in kept for record in output.records]
        pause = 0.0
        while not self._append(self._keeper, kept[0].game, records):
            pause = min(2 * pause or FIRST_PAUSE, LAST_PAUSE)
            if self._given_up.wait(pause):
                raise LocalError("The disk took nothing until the end.", code="not-kept")
        if pause:
            self._on_trouble(None)

    def give_up(self) -> None:
        """Try no more; what was not kept is never sent."""
        self._given_up.set()

    def _append(self, keeper: Keeper, game: bytes, records: Sequence[bytes]) -> bool:
        try:
            keeper.append(game, records)
        except OSError as error:
            self._on_trouble(error)
            return False
        return True
