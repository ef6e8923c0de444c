"""Files of the user: private, whole, never over another file, never outside the home folder."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from frp2p.errors import UserError
from frp2p.store import home, identity, journal, records, settings

POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "deep" / "home"
    monkeypatch.setenv(home.VARIABLE, str(folder))
    return folder


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_without_the_variable_the_system_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(home.VARIABLE)
    assert home.home().name == "frp2p"


@POSIX
def homeless(path: str) -> str:
    raise RuntimeError(path)


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(home.VARIABLE)
    monkeypatch.setattr(home.platformdirs, "user_data_path", lambda *_names, **_options: homeless("~/.local/share"))
    for use in (home.home, identity.acquire, identity.load, settings.load, journal.paths):
        with pytest.raises(UserError, match=home.VARIABLE) as caught:
            use()
        assert caught.value.code == "no-home"
    assert home.crash_log("details") is None


def test_a_key_is_made_once_and_private(own_home: Path) -> None:
    with_mask = os.umask(0)
    try:
        first = identity.load()
    finally:
        os.umask(with_mask)
    assert first.path == own_home / "identity.key"
    assert mode(first.path) == home.FILE_MODE
    assert mode(own_home) == home.FOLDER_MODE
    assert identity.load().public_key == first.public_key
    assert first.path.read_bytes() == first.secret()


@POSIX
@pytest.mark.parametrize("open_mode", [0o640, 0o604, 0o644])
def test_a_key_that_others_can_read_is_refused(open_mode: int) -> None:
    path = identity.load().path
    assert path is not None
    path.chmod(open_mode)
    with pytest.raises(UserError, match="chmod 600"):
        identity.load()


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33])
def test_a_damaged_key_is_a_sentence(own_home: Path, content: bytes) -> None:
    home.folder(own_home)
    home.write_new(own_home / "identity.key", content)
    with pytest.raises(UserError, match=f"{len(content)} bytes"):
        identity.load()


def test_a_key_in_use_is_not_used_twice() -> None:
    first, second = identity.acquire(), identity.acquire()
    assert (first.number, second.number) == (1, 2)
    assert first.public_key != second.public_key
    first.release()
    again = identity.acquire()
    assert again.public_key == first.public_key
    second.release()
    again.release()
    again.release()


def test_another_process_sees_the_lock_and_its_end_frees_it() -> None:
    code = "from frp2p.store.identity import acquire; held = acquire(); print(held.number, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "1\n"
        mine = identity.acquire()
        assert mine.number == 2
        other.kill()
    first = identity.acquire()
    assert first.number == 1
    mine.release()
    first.release()


def test_there_is_an_end_of_keys() -> None:
    held = [identity.acquire() for _seat in range(identity.MAX_SEATS_OF_A_USER)]
    with pytest.raises(UserError):
        identity.acquire()
    for one in held:
        one.release()


def test_a_key_can_be_brought_along_but_not_over_another() -> None:
    seed = bytes(range(32))
    assert identity.install(seed).public_key == identity.load().public_key
    with pytest.raises(UserError):
        identity.install(seed)
    with pytest.raises(UserError, match="31"):
        identity.install(bytes(31))


def test_default_names_can_be_shown() -> None:
    for number in range(256):
        seed = number.to_bytes(32)
        settings.check_name(identity.Identity(seed).default_name())


def test_a_home_that_can_not_be_made_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(home.VARIABLE, str(tmp_path / "file" / "home"))
    with pytest.raises(UserError):
        identity.load()
    assert home.crash_log("details") is None


@POSIX
def test_records_are_private_and_named_by_content(own_home: Path) -> None:
    path = records.save_transcript(b"a game")
    assert path.parent == own_home / "transcripts"
    assert path.read_bytes() == b"a game"
    assert mode(path) == home.FILE_MODE
    assert records.save_transcript(b"a game") == path
    assert records.save_transcript(b"another") != path
    assert records.save_evidence(b"a lie").parent == own_home / "evidence"


@POSIX
def test_nothing_is_written_through_a_link_or_over_a_file(own_home: Path, tmp_path: Path) -> None:
    path = records.save_transcript(b"a game")
    path.unlink()
    victim = tmp_path / "victim"
    victim.write_bytes(b"a game")
    path.symlink_to(victim)
    with pytest.raises(FileExistsError):
        records.save_transcript(b"a game")
    path.unlink()
    path.write_bytes(b"something else")
    with pytest.raises(FileExistsError):
        records.save_transcript(b"a game")
    assert path.read_bytes() == b"something else"


def test_a_full_disk_leaves_nothing_behind(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        records.save_transcript(b"a game")
    assert list((own_home / "transcripts").iterdir()) == []


def test_settings_are_read() -> None:
    assert settings.load() == settings.Settings()
    write("name = 'Ana'\nlanguage = 'pt_BR'\n")
    assert settings.load() == settings.Settings("Ana", "pt_BR")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = \nlanguage = 1", "line 1"),
        ("name = 5", "name"),
        ("colour = 'red'", "colour"),
        ("language = 'xx'", "language"),
        ('name = "\\u001b[2J"', "name-character"),
        ("name = '12345678901234567'", "name-width"),
    ],
)
def test_settings_that_are_wrong_are_a_sentence(text: str, words: str) -> None:
    write(text)
    with pytest.raises(UserError, match=words):
        settings.load()


def write(text: str) -> None:
    home.folder(home.home())
    (home.home() / settings.FILE_NAME).write_text(text, encoding="utf-8")


def test_a_crash_log_is_the_latest_only(own_home: Path) -> None:
    for details in ("first", "second"):
        path = home.crash_log(details)
        assert path == own_home / "crash.log"
    assert path.read_text(encoding="utf-8") == "second"


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A home in which nothing can be written. (The mode of a folder does not bind the system's own user.)"""

    def refused(path: Path, *_content: bytes) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(identity, "write_new", refused)
    monkeypatch.setattr(identity, "try_lock", refused)


@pytest.mark.usefixtures("read_only")
@pytest.mark.parametrize("use", [identity.acquire, identity.load, lambda: identity.install(bytes(32))])
def test_a_home_that_is_read_only_is_a_sentence(use: Callable[[], object]) -> None:
    with pytest.raises(UserError, match=r"identity\.key can't be written \(Permission denied\)\."):
        use()


def test_a_key_in_a_home_that_is_read_only_can_be_looked_at(request: pytest.FixtureRequest) -> None:
    mine = identity.load().public_key
    request.getfixturevalue("read_only")
    assert identity.load().public_key == mine
    with pytest.raises(UserError, match="can't be written"):
        identity.acquire_key(mine)


@POSIX
@pytest.mark.parametrize("number", home.NO_LINKS)
def test_a_file_system_without_hard_links_will_do(own_home: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refused(_draft: Path, path: Path) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(os, "link", refused)
    path = records.save_transcript(b"a game")
    assert path.read_bytes() == b"a game"
    path.write_bytes(b"something else")
    with pytest.raises(FileExistsError):
        records.save_transcript(b"a game")


def test_settings_that_are_a_folder_are_a_sentence_without_numbers(own_home: Path) -> None:
    (own_home / settings.FILE_NAME).mkdir(parents=True)
    with pytest.raises(UserError, match="can't be used") as caught:
        settings.load()
    assert "Errno" not in caught.value.message


def make_pipe(path: Path) -> None:
    os.mkfifo(path, 0o600)


def make_endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@POSIX
@pytest.mark.parametrize("make", [make_pipe, make_endless, Path.mkdir])
@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("identity.key", identity.acquire),
        ("identity.key", identity.load),
        ("identity.key", lambda: identity.acquire_key(bytes(32))),
        (settings.FILE_NAME, settings.load),
    ],
)
def test_what_is_no_plain_file_is_a_sentence_and_waits_for_nobody(
    own_home: Path, make: Callable[[Path], None], name: str, use: Callable[[], object]
) -> None:
    own_home.mkdir(parents=True)
    make(own_home / name)
    with pytest.raises(UserError, match=r"can't be (read|used)"):
        use()
