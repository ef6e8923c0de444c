"""Locks of files: only one program at a time, and none once it has ended, however it ended."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import IO

from frp2p.store.home import FILE_MODE

TAKEN = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
"""How systems say that another program has the lock."""


def try_lock(path: Path) -> IO[bytes] | None:
    """An open file that holds the lock until it is closed, also by the end of the process; None if it is taken.
    OSError if there can be no file or no lock."""
    file = open(path, "ab", opener=_private)  # noqa: SIM115 - it stays open as long as the lock is held
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if error.errno not in TAKEN:
            raise
        return None
    return file


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, FILE_MODE)
