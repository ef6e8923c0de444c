"""Locks of files: only one program at a time, and none once it has ended, however it ended."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO


def try_lock(path: Path) -> IO[bytes] | None:
    """An open file that holds the lock until it is closed, also by the end of the process; None if it is taken."""
    file = open(path, "ab")  # noqa: SIM115 - it stays open as long as the lock is held
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
