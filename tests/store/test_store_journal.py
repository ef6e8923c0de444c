"""Journals on disk: safe before the call returns, torn tails dropped, damage refused, one program at a time."""

from __future__ import annotations

import errno
import os
import stat
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.errors import LocalError, UserError
from frp2p.store import home, journal
from frp2p.store.journal import TableJournal

GAME = bytes(range(32))
KEY = bytes([7] * 32)
WRITES = ((b"opening" * 9,), (b"part", b"ack"), (b"x" * 300,), (b"last part", b"last ack"))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(home.VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


def written() -> Path:
    kept = TableJournal(KEY)
    for records in WRITES:
        kept.append(GAME, records)
    kept.close()
    assert kept.path is not None
    return kept.path


def read(path: Path) -> list[bytes]:
    kept, records = TableJournal.reopen(path)
    kept.close()
    return records


def flat(writes: tuple[tuple[bytes, ...], ...]) -> list[bytes]:
    return [record for records in writes for record in records]


def ends(path: Path) -> list[int]:
    """Where each frame of the file ends."""
    return [end for _content, end in journal._frames(path.read_bytes())]


def test_what_was_written_is_read_and_goes_on() -> None:
    path = written()
    kept, records = TableJournal.reopen(path)
    assert records == flat(WRITES)
    kept.append(GAME, (b"more",))
    kept.close()
    assert read(path) == [*flat(WRITES), b"more"]
    assert journal.paths() == (path,)
    assert journal.first_record(path) == WRITES[0][0]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_it_is_private_and_named_by_the_table(own_home: Path) -> None:
    path = written()
    assert path == own_home / "tables" / f"{GAME.hex()}-07070707.journal"
    assert stat.S_IMODE(path.stat().st_mode) == home.FILE_MODE
    assert stat.S_IMODE(path.parent.stat().st_mode) == home.FOLDER_MODE


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_it_follows_no_link_and_replaces_no_file(own_home: Path) -> None:
    path = journal.seat_path(GAME, KEY)
    path.parent.mkdir(parents=True)
    path.symlink_to(own_home / "elsewhere")
    with pytest.raises(FileExistsError):
        TableJournal(KEY).append(GAME, WRITES[0])
    (own_home / "elsewhere").write_bytes(b"")
    with pytest.raises(UserError):
        TableJournal.reopen(path)
    assert (own_home / "elsewhere").read_bytes() == b""


def test_a_torn_tail_is_dropped_wherever_it_is_torn() -> None:
    path = written()
    whole = path.read_bytes()
    safe = ends(path)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        count = sum(end <= length for end in safe)
        assert read(path) == flat(WRITES[:count])
        assert path.stat().st_size in (0, *safe)
        kept, _records = TableJournal.reopen(path)
        kept.append(GAME, (b"more",))
        kept.close()
        assert read(path) == [*flat(WRITES[:count]), b"more"]


@pytest.mark.parametrize("blank", [1, 7, 8, 20, 4096])
def test_a_tail_that_was_never_filled_is_dropped(blank: int) -> None:
    path = written()
    path.write_bytes(path.read_bytes() + bytes(blank))
    assert read(path) == flat(WRITES)


@settings(deadline=None, max_examples=300)
@given(at=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_a_flipped_bit_is_never_read(at: int, bit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(home.VARIABLE, os.environ[home.VARIABLE] + f"-{at}-{bit}-{os.urandom(4).hex()}")
        path = written()
        damaged = bytearray(path.read_bytes())
        damaged[at % len(damaged)] ^= 1 << bit
        path.write_bytes(damaged)
        try:
            records = read(path)
        except LocalError as error:
            assert error.code == "journal-corrupt"  # noqa: PT017 - it may also be read
        else:
            assert records == flat(WRITES[:-1])  # what is wrong at the very end may be torn


@pytest.mark.parametrize("number", range(len(WRITES) - 1))
def test_a_wrong_length_is_no_torn_end_where_something_safe_follows(number: int) -> None:
    """Whichever bit of it is wrong; and nothing is cut off that was sent."""
    path = written()
    whole = path.read_bytes()
    at = [len(journal.MAGIC), *ends(path)][number]
    for bit in range(32):
        damaged = bytearray(whole)
        damaged[at + bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises(LocalError) as caught:
            TableJournal.reopen(path)
        assert caught.value.code == "journal-corrupt"
        assert path.read_bytes() == damaged


@pytest.mark.parametrize("piece", [b"\x00\x00\x00\x09", b"\x00\x01", b"\xff\xff\xff", bytes(range(256))])
def test_an_end_that_would_take_long_to_search_is_damage(piece: bytes) -> None:
    """Lengths upon lengths, as a peer might have put them into a record; no time is lost with them."""
    path = written()
    for count, torn in ((40, True), (2 << 20, False)):
        path.write_bytes(path.read_bytes()[: ends(path)[-1]] + b"\x7f" + piece * (count // len(piece)))
        if torn:
            assert read(path) == flat(WRITES)
        else:
            began = time.monotonic()
            with pytest.raises(LocalError, match="damaged"):
                TableJournal.reopen(path)
            assert time.monotonic() - began < 20


def test_damage_before_the_last_frame_is_told_and_nothing_is_changed() -> None:
    path = written()
    damaged = bytearray(path.read_bytes())
    damaged[ends(path)[1] - 1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(LocalError, match=r"damaged at byte") as caught:
        TableJournal.reopen(path)
    assert caught.value.code == "journal-corrupt"
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("content", [b"", b"frp2p jou", bytes(40)])
def test_a_file_that_died_young_holds_nothing(content: bytes) -> None:
    path = journal.seat_path(GAME, KEY)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert read(path) == []
    with pytest.raises(LocalError):
        journal.first_record(path)


def test_another_file_is_no_journal() -> None:
    path = written()
    path.write_bytes(b"frp2p transcript 1\n" + bytes(100))
    with pytest.raises(LocalError) as caught:
        TableJournal.reopen(path)
    assert caught.value.code == "journal-corrupt"


@pytest.mark.parametrize("failing", range(len(WRITES)))
@pytest.mark.parametrize("place", ["_write", "_to_disk", "_folder_to_disk", "half"])
@pytest.mark.parametrize("times", [1, 3])
def test_a_full_disk_adds_nothing_until_there_is_room(
    failing: int, place: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = TableJournal(KEY)
    write = journal._write
    for number, records in enumerate(WRITES):
        if number == failing and (place != "_folder_to_disk" or number == 0):
            for _time in range(times):
                with monkeypatch.context() as patch:

                    def full(*arguments: object) -> None:
                        if place == "half":
                            file, data = arguments
                            write(file, data[: len(data) // 2])  # type: ignore[arg-type, index]
                        raise OSError(errno.ENOSPC, "No space left on device")

                    patch.setattr(journal, "_write" if place == "half" else place, full)
                    with pytest.raises(OSError, match="space"):
                        kept.append(GAME, records)
        kept.append(GAME, records)
    kept.close()
    assert kept.path is not None
    content = kept.path.read_bytes()
    assert read(kept.path) == flat(WRITES)
    kept.path.unlink()
    assert written().read_bytes() == content


def test_a_disk_without_room_for_a_new_file_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = TableJournal(KEY)

    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for _time in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(journal.os, "open", full)
            with pytest.raises(OSError, match="space"):
                kept.append(GAME, WRITES[0])
    kept.append(GAME, WRITES[0])
    kept.close()
    assert kept.path is not None
    assert read(kept.path) == flat(WRITES[:1])


@pytest.mark.parametrize("place", ["_write", "_to_disk", "_folder_to_disk"])
def test_a_table_of_which_nothing_was_written_leaves_no_file(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    kept = TableJournal(KEY)
    with monkeypatch.context() as patch:
        patch.setattr(journal, place, full)
        with pytest.raises(OSError, match="No space"):
            kept.append(GAME, WRITES[0])
    kept.close()
    assert not kept.exists()
    assert not list((own_home / "tables").iterdir())


def test_one_program_at_a_time() -> None:
    path = written()
    first, _records = TableJournal.reopen(path)
    assert journal.in_use(path)
    with pytest.raises(UserError) as caught:
        TableJournal.reopen(path)
    assert caught.value.code == "table-in-use"
    first.close()
    assert not journal.in_use(path)
    read(path)


def test_a_journal_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = TableJournal(KEY)
    kept.append(GAME, WRITES[0])
    monkeypatch.setattr(journal, "MAX_BYTES", 200)
    with pytest.raises(LocalError) as caught:
        kept.append(GAME, (bytes(200),))
    assert caught.value.code == "journal-size"
    kept.close()


def test_what_is_over_is_gone_and_what_stopped_is_offered_no_more() -> None:
    path = written()
    kept, _records = TableJournal.reopen(path)
    kept.retire()
    assert journal.paths() == ()
    assert path.with_suffix(".stopped").exists()
    path = written()
    kept, _records = TableJournal.reopen(path)
    kept.discard()
    assert [file.name for file in path.parent.iterdir()] == [path.with_suffix(".stopped").name]
