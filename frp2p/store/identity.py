"""The key that is this player: 32 secret bytes in a private file, made at the first start.

One key can sit at one table at a time only (two programs with one key would contradict each other, and that looks like
cheating), so whoever uses a key holds a lock. A second table on the same machine gets a key of its own, the second
file, and so on.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import IO

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from frp2p.deal import entropy
from frp2p.errors import UserError
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.signing import KEY_SIZE, Signer
from frp2p.locale import _
from frp2p.locale.reason import reason
from frp2p.store.home import folder, home, read_plain, write_new
from frp2p.store.locks import try_lock

MAX_SEATS_OF_A_USER = 8
"""Keys of one user in use at the same time; a whole table by hand on one machine, and one more."""
FIRST_KEY = "identity.key"
"""Name of the file of a user's own key."""
_FIRST = (
    "Amber", "Brave", "Calm", "Dark", "Early", "Faint", "Gentle", "Hidden",
    "Iron", "Jolly", "Keen", "Lone", "Misty", "Noble", "Old", "Proud",
)  # fmt: skip
_SECOND = (
    "Archer", "Badger", "Crow", "Dancer", "Eagle", "Falcon", "Goose", "Heron",
    "Ibex", "Jackal", "Kite", "Lynx", "Marten", "Newt", "Otter", "Pike",
)  # fmt: skip


class Identity:
    """A key in use. `number` is 1 for the user's own, 2 and more for further tables at the same time."""

    def __init__(self, seed: bytes, path: Path | None = None, number: int = 1, lock: IO[bytes] | None = None) -> None:
        self._seed = seed
        self._lock = lock
        self.path = path
        self.number = number
        self.signer = Signer(seed)
        self.tls_key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public_key(self) -> bytes:
        return self.signer.public_key

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.public_key)

    def default_name(self) -> str:
        """A name for somebody who has not chosen one: always the same for a key, rarely the same for two."""
        first, second, number = self.public_key[0] % len(_FIRST), self.public_key[1] % len(_SECOND), self.public_key[2]
        return f"{_FIRST[first]} {_SECOND[second]} {number % 100}"

    def secret(self) -> bytes:
        """The 32 secret bytes, for an export that the user asked for."""
        return self._seed

    def release(self) -> None:
        """Let another program use this key."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def acquire() -> Identity:
    """The first of this user's keys that no running program uses; made if there is none. UserError if all are used."""
    for number in range(1, MAX_SEATS_OF_A_USER + 1):
        path = key_path(number)
        folder(path.parent)
        lock = _lock_key(path)
        if lock is not None:
            with contextlib.ExitStack() as unused:
                unused.callback(lock.close)
                seed = _load_or_make(path)
                unused.pop_all()
            return Identity(seed, path, number, lock)
    raise UserError(_("All {count} keys of this user are in use at tables.").format(count=MAX_SEATS_OF_A_USER))


def acquire_key(public_key: bytes) -> Identity:
    """This very key of the user. UserError if there is none, or if another program uses it."""
    for number in range(1, MAX_SEATS_OF_A_USER + 1):
        path = key_path(number)
        if not path.exists():
            continue
        seed = _load_or_make(path)
        if Signer(seed).public_key == public_key:
            lock = _lock_key(path)
            if lock is None:
                raise UserError(_("Your key is at a table in another program; end that first."), code="key-in-use")
            return Identity(seed, path, number, lock)
    raise UserError(_("The key that sat at this table is not here any more."), code="key-gone")


def load() -> Identity:
    """The user's own key, to look at (made if there is none); not locked."""
    path = key_path(1)
    folder(path.parent)
    return Identity(_load_or_make(path), path)


def install(seed: bytes) -> Identity:
    """Make these secret bytes the user's own key; UserError if there is one already or they are no key."""
    if len(seed) != KEY_SIZE:
        raise UserError(_("A key has {size} bytes, this has {length}.").format(size=KEY_SIZE, length=len(seed)))
    path = key_path(1)
    folder(path.parent)
    try:
        write_new(path, seed)
    except FileExistsError:
        raise UserError(_("There is a key at {path} already; move it away first.").format(path=path)) from None
    except OSError as error:
        raise _unwritable(path, error) from None
    return Identity(seed, path)


def make_key(place: Path) -> bytes:
    """Make the key of somebody who has this folder as home; its public key."""
    seed = entropy.fresh(KEY_SIZE)
    path = place / FIRST_KEY
    try:
        write_new(path, seed)
    except OSError as error:
        raise _unwritable(path, error) from None
    return Signer(seed).public_key


def key_path(number: int) -> Path:
    """The file of the user's n-th key."""
    return home() / (FIRST_KEY if number == 1 else f"identity-{number}.key")


def _lock_key(path: Path) -> IO[bytes] | None:
    """The lock of a key; None if another program has it."""
    try:
        return try_lock(path.with_suffix(".lock"))
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> UserError:
    return UserError(_("The key {path} can't be written ({reason}).").format(path=path, reason=reason(error)))


def _load_or_make(path: Path) -> bytes:
    try:
        write_new(path, entropy.fresh(KEY_SIZE))
    except FileExistsError:
        pass
    except OSError as error:
        if not path.exists():  # in a folder that is read-only a key can still be looked at
            raise _unwritable(path, error) from None
    try:
        seed = read_plain(path, KEY_SIZE + 1)
        mode = path.stat().st_mode
    except OSError as error:
        raise UserError(_("The key {path} can't be read ({reason}).").format(path=path, reason=reason(error))) from None
    if len(seed) != KEY_SIZE:
        raise UserError(
            _("The key {path} is damaged: it has {length} bytes.").format(path=path, length=path.stat().st_size)
        )
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UserError(_("The key {path} is open to other users; run: chmod 600 {path}").format(path=path))
    return seed
