"""What the peer asks its driver to do. The driver drains these after every input and carries them out in order."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from frp2p.table.events import Event


class Send(msgspec.Struct, frozen=True, tag=True):
    """Send this frame on this link; drop it silently if the link is gone (pull repair catches up)."""

    link: int
    frame: bytes


class Persist(msgspec.Struct, frozen=True, tag=True):
    """Write these records to the journal of the table `game`, all or none, and have them on disk before anything that
    comes after this is carried out. While that is not possible nothing is carried out and no input is given.
    """

    game: bytes
    records: tuple[bytes, ...]


class Close(msgspec.Struct, frozen=True, tag=True):
    """Close this link once what was sent on it before is flushed. The peer has forgotten it already: neither
    `receive` nor `disconnected` for it does anything any more. `reason` is a code of error-codes.csv.
    """

    link: int
    reason: str


class Dial(msgspec.Struct, frozen=True, tag=True):
    """Try these addresses (`host:port`, best first) and call `connected` if one answers with this key.

    The peer asks again, later and later, until there is a link to the key; a driver that is still trying ignores it.
    """

    key: bytes
    addresses: tuple[str, ...]


class Notice(msgspec.Struct, frozen=True, tag=True):
    """Something happened at the table."""

    event: Event


Output: TypeAlias = Persist | Send | Close | Dial | Notice
