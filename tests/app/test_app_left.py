"""Tables that were left: which are found, however many there are and whatever is in their files."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_kit import Slow

from frp2p.app import left
from frp2p.app.left import OpenTable, choose, forget, open_tables
from frp2p.app.tables import Seat
from frp2p.errors import UserError
from frp2p.games.fantasy_realms.options import Options
from frp2p.net.address import Address
from frp2p.net.interfaces import LOOPBACK
from frp2p.store import locks
from frp2p.store.identity import Identity
from frp2p.store.journal import MAGIC, TableJournal, first_record
from frp2p.table.journal import VERSION, read_opening, write_entries


async def leave_a_table() -> None:
    """Two seats, both left as soon as both have written."""
    keys = Identity(b"\x01" * 32), Identity(b"\x02" * 32)
    seats = [Seat(key, name, Slow(), loopback=True) for key, name in zip(keys, ("Ana", "Ben"), strict=True)]
    sessions = [seats[0].host(Options(), 2), seats[1].join((Address(LOOPBACK, seats[0].port),))]
    running = asyncio.gather(*(session.run() for session in sessions))
    async with asyncio.timeout(30):
        while not all(session.resumable for session in sessions):  # noqa: ASYNC110 - a session tells of no file
            await asyncio.sleep(0.02)
        for session in sessions:
            session.leave()
        await running
    for seat in seats:
        seat.close()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The journal of one seat."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("left")
        patch.setenv("FRP2P_HOME", str(folder))
        asyncio.run(leave_a_table())
        found = open_tables()
    assert {table.name for table in found} == {"Ana", "Ben"}
    return found[0].path.read_bytes()


@pytest.fixture
def journals(own_home: Path, written: bytes) -> list[Path]:
    """More tables than are listed; the first was left last."""
    folder = own_home / "tables"
    folder.mkdir()
    made = []
    for number in range(left.MAX_LISTED + 20):
        path = folder / f"{number:064x}-01020304.journal"
        path.write_bytes(written)
        os.utime(path, (10_000 - number, 10_000 - number))
        made.append(path)
    return made


def test_every_table_can_be_called_by_its_file_though_not_all_are_listed(journals: list[Path]) -> None:
    listed = open_tables()
    assert [table.path for table in listed] == journals[: left.MAX_LISTED]
    for path in (journals[0], journals[left.MAX_LISTED], journals[-1]):
        assert choose(path.name[:64]).path == path
    assert choose(listed[0].code).path == journals[0]
    assert not list(journals[0].parent.glob("*.lock"))  # to look leaves nothing behind


def test_the_last_one_can_be_called_by_its_code(journals: list[Path], written: bytes) -> None:
    code = open_tables()[0].code
    for path in journals[:-1]:
        path.write_bytes(b"")
    assert choose(code).path == journals[-1]


@pytest.mark.parametrize("version", [0, 1, VERSION - 1, VERSION + 1, 100])
@pytest.mark.parametrize("shape", [b"", b"\x01", b"\xc0" * 40])
def test_another_version_is_called_so_whatever_its_shape(own_home: Path, version: int, shape: bytes) -> None:
    kept = TableJournal(b"\x01\x02\x03\x04")
    kept.append(bytes(32), [b"\x96\xa7journal" + bytes([version]) + shape])
    kept.close()
    [table] = open_tables()
    assert (table.check, table.code) == ("journal-version", "")


def test_a_charter_that_can_not_be_read_is_told_as_a_journal(own_home: Path, journals: list[Path]) -> None:
    opening = read_opening(first_record(journals[0]))
    for path in journals:
        path.unlink()
    kept = TableJournal(opening.key)
    changed = type(opening)(opening.version, opening.key, opening.seed, opening.charter[:-1], opening.addresses)
    kept.append(bytes(32), write_entries((changed,)))
    kept.close()
    assert [table.check for table in open_tables()] == ["journal-form"]


def damaged(content: bytes) -> Iterator[bytes]:
    yield b""
    yield b"hello"
    yield content[:100]
    yield MAGIC + bytes(8) + content


def test_what_can_not_be_read_can_be_thrown_away(journals: list[Path], written: bytes) -> None:
    for path, content in zip(journals, damaged(written), strict=False):
        path.write_bytes(content)
        table = choose(path.name[:64])
        assert table.check == "journal-corrupt"
        forget(table)
        assert not path.exists()


def test_what_somebody_sits_at_is_not_thrown_away_though_it_was_free_when_it_was_looked_at(
    journals: list[Path],
) -> None:
    table: OpenTable = choose(journals[0].name[:64])
    assert not table.in_use
    playing, _records = TableJournal.reopen(journals[0])
    with pytest.raises(UserError) as caught:
        forget(table)
    assert caught.value.code == "table-in-use"
    assert journals[0].exists()
    playing.close()


@pytest.mark.skipif(os.name == "nt", reason="locks of POSIX")
def test_a_file_system_without_locks_is_not_another_program(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno
    import fcntl

    def refuse(_file: object, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(OSError, match="No locks"):
        locks.try_lock(own_home / "some.lock")
