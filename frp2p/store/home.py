"""Where frp2p keeps its files, and how it writes them: private, whole or not at all, never over another file."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from frp2p.errors import UserError
from frp2p.locale import _

FOLDER_MODE = 0o700
FILE_MODE = 0o600
VARIABLE = "FRP2P_HOME"
"""Environment variable that names another folder."""


def home() -> Path:
    """The folder of this user's files (not made yet): FRP2P_HOME, or what the system uses for data of programs."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path(platformdirs.user_data_path("frp2p", appauthor=False))


def folder(path: Path) -> Path:
    """Make a private folder where there is none; UserError where that is not possible."""
    try:
        path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            _("The folder {path} can't be made ({reason}).").format(path=path, reason=error.strerror)
        ) from None
    return path


def write_new(path: Path, content: bytes) -> None:
    """Write a private file that must not exist; FileExistsError if it does, OSError as the disk gives it.

    A symbolic link counts as existing, and nothing half-written stays behind.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, FILE_MODE)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise


def crash_log(details: str) -> Path | None:
    """Keep the details of our latest mistake; the file, or None where nothing can be written."""
    path = home() / "crash.log"
    try:
        folder(path.parent)
        path.unlink(missing_ok=True)
        write_new(path, details.encode("utf-8", "backslashreplace"))
    except (OSError, UserError):
        return None
    return path
