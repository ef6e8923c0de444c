"""Journals on disk: what a seat needs to come back, there before anything that it covers is sent.

    file   = "frp2p journal 1\\n" frame*
    frame  = length of the content || CRC-32 of length and content, 4 bytes each, big-endian || content
    content = canonical encoding of an array of records (table/journal.py)

A frame is on disk before the next one is written, so only the last can be torn: it is dropped when the file is opened,
for nothing that it covers was sent. Anything else that is wrong is damage, and nobody signs anything upon it. The name
of a file comes from the digest of the charter and the key of the seat.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from frp2p.errors import LocalError, PeerFault, UserError
from frp2p.ledger.codec import MAX_ARRAY, decode, encode
from frp2p.locale import _
from frp2p.locale.reason import reason
from frp2p.store.home import FILE_MODE, FOLDER_MODE, home
from frp2p.store.locks import try_lock
from frp2p.table.journal import MAX_JOURNAL_RECORD

MAGIC = b"frp2p journal 1\n"
SUFFIX = ".journal"
STOPPED_SUFFIX = ".stopped"
MAX_BYTES = 64 << 20
"""Of a journal: as much as a transcript may weigh. A game of seven with all proofs takes about 2 MiB."""
SEARCH_BYTES = 64 << 20
"""Looked at, some more than once, to find out whether an end is torn: less than two seconds. With _STEP for each place,
enough for an end of one MiB, which is several times the largest frame of a game."""
_STEP = 64
_KEY_DIGITS = 8
"""Of a key in the name of a file: tells a handful of keys of one user apart."""
_HEAD = 8
"""Bytes in front of the content of a frame."""


class TableJournal:
    """The journal of one seat. Of a new table nothing is on disk before the first `append`."""

    def __init__(self, key: bytes) -> None:
        """`key`: the identity key that sits there; several of one user may sit at one table."""
        self._key = key
        self.path: Path | None = None
        self._file: io.FileIO | None = None
        self._lock: IO[bytes] | None = None
        self._size = 0
        self._new = True
        """Whether the file was made by this program."""

    @classmethod
    def reopen(cls, path: Path) -> tuple[TableJournal, list[bytes]]:
        """The journal of a table that was left, to go on with, and its records. UserError if another program has it or
        it can't be read; LocalError `journal-corrupt` if it is damaged.
        """
        journal = cls(b"")
        journal._new = False
        journal.path = path
        try:
            journal._take(path, os.O_RDWR)
            if path.stat().st_size > MAX_BYTES:
                raise LocalError("The journal is larger than any.", code="journal-size")
            records = journal._read()
        except OSError as error:
            journal.close()
            raise UserError(
                _("The journal {path} can't be used ({reason}).").format(path=path, reason=reason(error))
            ) from None
        except BaseException:
            journal.close()
            raise
        return journal, records

    def append(self, game: bytes, records: Sequence[bytes]) -> None:
        """Add these records and have them on disk. OSError as the disk gives it: then nothing was added, and the same
        call may be made again. LocalError `journal-size` if the journal is full.
        """
        content = encode(list(records))
        head = len(content).to_bytes(4, "big")
        frame = head + zlib.crc32(head + content).to_bytes(4, "big") + content
        if self._size + len(frame) > MAX_BYTES:
            raise LocalError("The journal is full.", code="journal-size")
        file = self._file or self._create(game)
        first = self._size == 0
        data = MAGIC + frame if first else frame
        # Always from the end of what is safe: after a failure the system may have forgotten what it was given.
        file.seek(self._size)
        _write(file, data)
        _to_disk(file.fileno())
        if first and self.path is not None:
            _folder_to_disk(self.path.parent)
        self._size += len(data)

    def exists(self) -> bool:
        """Whether there is a table to go on with."""
        return self.path is not None and self.path.exists()

    def discard(self) -> None:
        """The table has come to its end, and its record is saved elsewhere."""
        self.close()
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            _lock_path(self.path).unlink(missing_ok=True)

    def retire(self) -> None:
        """The table can't go on: keep the journal for whoever looks into it, but offer it no more."""
        self.close()
        if self.path is not None and self.path.exists():
            self.path.replace(self.path.with_suffix(STOPPED_SUFFIX))
            _lock_path(self.path).unlink(missing_ok=True)

    def close(self) -> None:
        """Let another program go on with it; what nothing could be written to is no table."""
        if self._file is not None and self._new and self._size == 0 and self.path is not None:
            self._file.close()
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)
                _lock_path(self.path).unlink(missing_ok=True)
        for file in (self._file, self._lock):
            if file is not None:
                file.close()
        self._file = self._lock = None

    def _create(self, game: bytes) -> io.FileIO:
        path = seat_path(game, self._key)
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        self._take(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        self.path = path
        if self._file is None:
            raise TypeError(path)
        return self._file

    def _take(self, path: Path, flags: int) -> None:
        """Lock it, then open it."""
        self._lock = try_lock(_lock_path(path))
        if self._lock is None:
            raise UserError(_("This table is open in another program."), code="table-in-use")
        flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        try:
            self._file = io.FileIO(os.open(path, flags, FILE_MODE), "r+b")
        except OSError:
            self.close()
            raise

    def _read(self) -> list[bytes]:
        """All records; what is torn at the end is cut off."""
        if self._file is None:
            raise TypeError(self.path)
        records: list[bytes] = []
        for content, end in _frames(self._file.readall()):
            records += _records(content)
            self._size = end
        self._file.truncate(self._size)
        _to_disk(self._file.fileno())
        return records


def seat_path(game: bytes, key: bytes) -> Path:
    """Where the journal of this key at the table with this charter digest is."""
    return home() / "tables" / f"{game.hex()}-{key.hex()[:_KEY_DIGITS]}{SUFFIX}"


def paths() -> tuple[Path, ...]:
    """The journals of all tables that can be gone on with, the latest first."""
    found = []
    for path in (home() / "tables").glob(f"*{SUFFIX}"):
        with contextlib.suppress(OSError):  # its game has just ended
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                found.append((status.st_mtime, path))
    return tuple(path for _time, path in sorted(found, reverse=True))


def first_record(path: Path) -> bytes:
    """The record that says what the journal is about. OSError; LocalError `journal-corrupt`."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC) + _HEAD + 2 * MAX_JOURNAL_RECORD)
    for content, _end in _frames(start):
        return _records(content)[0]
    raise LocalError(f"The journal {path.name} is empty.", code="journal-corrupt")


def in_use(path: Path) -> bool:
    """Whether a program sits at this table; makes no file to find out. OSError."""
    if not _lock_path(path).exists():
        return False
    lock = try_lock(_lock_path(path))
    if lock is None:
        return True
    lock.close()
    return False


def _lock_path(path: Path) -> Path:
    return path.with_suffix(".lock")


def _frames(data: bytes) -> Iterator[tuple[bytes, int]]:
    """The content of each whole frame and where it ends; LocalError if something before the last frame is wrong."""
    if data[: len(MAGIC)] != MAGIC:
        if MAGIC.startswith(data[: len(MAGIC)]) or not any(data):
            return  # died while it was made
        raise _corrupt(0)
    at = len(MAGIC)
    while len(data) - at >= _HEAD:
        end = at + _HEAD + int.from_bytes(data[at : at + 4], "big")
        if not any(data[at:]):
            return
        if end > len(data):
            if _holds_frame(data, at + 1):
                raise _corrupt(at)  # the length itself is wrong: what follows was safe, and was sent
            return
        if not _is_whole(data, at, end):
            if end == len(data):
                return
            raise _corrupt(at)
        yield data[at + _HEAD : end], end
        at = end


def _holds_frame(data: bytes, start: int) -> bool:
    """Whether a whole frame begins here or later, or so much would have to be looked at that no write is torn there."""
    left = SEARCH_BYTES
    for at in range(start, len(data) - _HEAD):
        end = at + _HEAD + int.from_bytes(data[at : at + 4], "big")
        left -= _STEP + (end - at if end <= len(data) else 0)
        if left < 0 or (end <= len(data) and _is_whole(data, at, end)):
            return True
    return False


def _is_whole(data: bytes, at: int, end: int) -> bool:
    crc = zlib.crc32(data[at + _HEAD : end], zlib.crc32(data[at : at + 4]))
    return crc == int.from_bytes(data[at + 4 : at + _HEAD], "big")


def _records(content: bytes) -> tuple[bytes, ...]:
    try:
        records: tuple[bytes, ...] = decode(content, tuple[bytes, ...], cap=MAX_ARRAY * MAX_JOURNAL_RECORD)
    except PeerFault as fault:
        raise LocalError(f"The journal is damaged: {fault.message}", code="journal-corrupt") from fault
    if not records:
        raise LocalError("The journal is damaged: a frame without a record.", code="journal-corrupt")
    return records


def _corrupt(at: int) -> LocalError:
    return LocalError(f"The journal is damaged at byte {at}.", code="journal-corrupt")


def _write(file: io.FileIO, data: bytes) -> None:
    """All of it; an unbuffered file may take less at once."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def _to_disk(file: int) -> None:
    """Wait until the content is where a power cut can't take it."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(file, fcntl.F_FULLFSYNC)  # fsync leaves it in the cache of the drive there
    elif hasattr(os, "fdatasync"):
        os.fdatasync(file)
    else:
        os.fsync(file)


def _folder_to_disk(path: Path) -> None:
    """The name of a new file too; Windows does not know how to ask for that."""
    if os.name == "posix":
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
