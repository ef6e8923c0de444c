"""Where frp2p keeps its files, and how it writes them: private, whole or not at all, never over another file."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import platformdirs

from frp2p.deal.entropy import fresh
from frp2p.errors import UserError
from frp2p.locale import _
from frp2p.locale.reason import reason

FOLDER_MODE = 0o700
FILE_MODE = 0o600
DRAFT_BYTES = 8
"""Random bytes in the name of a file that is being written: two programs never draft the same one."""
NO_LINKS = (errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)
"""How file systems without hard links say so: FAT, and some that lie on another machine."""
VARIABLE = "FRP2P_HOME"
"""Environment variable that names another folder."""


def home() -> Path:
    """The folder of this user's files (not made yet): FRP2P_HOME, or what the system uses for data of programs.
    UserError if it knows none."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    try:
        return Path(platformdirs.user_data_path("frp2p", appauthor=False))
    except RuntimeError:
        text = _("This user has no home folder; say where to keep files: set {variable} to a folder.")
        raise UserError(text.format(variable=VARIABLE), code="no-home") from None


def folder(path: Path) -> Path:
    """Make a private folder where there is none; UserError where that is not possible."""
    try:
        path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            _("The folder {path} can't be made ({reason}).").format(path=path, reason=reason(error))
        ) from None
    return path


def read_plain(path: Path, limit: int) -> bytes:
    """At most so many bytes of a file; OSError also for what is no plain file: a pipe or a device may have no end, or
    nobody at the other one."""
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))
        return file.read(limit)


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write_new(path: Path, content: bytes) -> None:
    """Make a private file that must not exist, whole at once; FileExistsError if it does, OSError as the disk gives it.

    A symbolic link counts as existing. Nothing half-written can be seen under this name or stays behind.
    """
    draft = path.with_name(f".{path.name}.{fresh(DRAFT_BYTES).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(draft, flags, FILE_MODE), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _publish(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _publish(draft: Path, path: Path) -> None:
    """Give the file its name, unless there is a file of that name."""
    if os.name == "nt":
        draft.rename(path)  # there it does not replace a file
        return
    try:
        os.link(draft, path)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        draft.rename(path)


def crash_log(details: str) -> Path | None:
    """Keep the details of our latest mistake; the file, or None where nothing can be written."""
    try:
        path = home() / "crash.log"
        folder(path.parent)
        path.unlink(missing_ok=True)
        write_new(path, details.encode("utf-8", "backslashreplace"))
    except (OSError, UserError):
        return None
    return path
