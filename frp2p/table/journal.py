"""What a seat keeps on disk so that it can come back: the content of a journal, without any file.

A journal is a list of records in canonical encoding. The first is the `Opening`; then come the signed records of the
ledger in the order in which they were needed: an own part or vote before it is sent, the parts of a step and then the
own ack before that is sent, what else closed the step with the next own record. Secrets are in the seed alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec

from frp2p.deal.seeded import SEED_SIZE
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Seat
from frp2p.ledger.charter import Charter, charter_digest, read_charter
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.limits import MAX_CHARTER, MAX_RECORD, MAX_VOTERS
from frp2p.ledger.records import Ack, Key, Part
from frp2p.ledger.votes import Accept, Farewell, Promise, Propose, read_binding, read_vote
from frp2p.table import limits
from frp2p.table.messages import Addresses, Message

VERSION = 3
"""Of the journal. A program reads only its own version: others may not make the same statements from the same seed."""

_KIND = b"\xa7journal"
_VERSION_PLACE = 1 + len(_KIND)
"""In an opening of any version."""

MAX_OPENING = MAX_CHARTER + limits.LOBBY_BYTES
"""Bytes of the first record."""

MAX_JOURNAL_RECORD = max(MAX_RECORD, MAX_OPENING)
"""Bytes of any record."""


class Opening(Message, frozen=True, tag="journal"):
    """Whose seat at which table (or who is its arbiter): identity key, seed of all its randomness, charter, and where
    everybody listens."""

    version: Annotated[int, msgspec.Meta(ge=1, lt=1 << 16)]
    key: Key
    seed: Annotated[bytes, msgspec.Meta(min_length=SEED_SIZE, max_length=SEED_SIZE)]
    charter: Annotated[bytes, msgspec.Meta(min_length=1, max_length=MAX_CHARTER)]
    addresses: Annotated[tuple[Addresses, ...], msgspec.Meta(max_length=MAX_VOTERS)]


Entry: TypeAlias = Opening | Part | Ack | Promise | Propose | Accept | Farewell


class Memory(msgspec.Struct, frozen=True):
    """A journal that was read. `me`: the seat, or the arbiter's number. `parts`, `acks` and `votes` are what it said,
    by step, `farewell` that it leaves, and `others` what it took in.
    """

    opening: Opening
    charter: Charter
    me: Seat
    parts: dict[int, Part]
    acks: dict[int, Ack]
    votes: dict[int, list[Any]]
    farewell: Farewell | None
    others: tuple[Part | Ack | Accept | Farewell, ...]


def write_entries(entries: Iterable[Entry]) -> tuple[bytes, ...]:
    """The records of these entries."""
    return tuple(encode(entry) for entry in entries)


def read_opening(record: bytes) -> Opening:
    """The first record; LocalError `journal-form`, `journal-version`."""
    head = record[: _VERSION_PLACE + 1]
    if head[1:-1] == _KIND and head[-1] != VERSION:
        # Looked at first: the rest of an opening of another version may have any shape.
        raise LocalError("The journal is of another version of this program.", code="journal-version")
    entry = _entry(record)
    if not isinstance(entry, Opening):
        raise LocalError("The journal does not begin with its table.", code="journal-form")
    return entry


def opening_charter(opening: Opening) -> Charter:
    """The charter in an opening; LocalError `journal-form`."""
    try:
        return read_charter(opening.charter)
    except PeerFault as fault:
        raise LocalError(f"No charter in the journal: {fault.message}", code="journal-form") from fault


def read_journal(records: Sequence[bytes]) -> Memory:
    """What the journal says; LocalError if it can't be one of this program. What it says is judged by the table."""
    if not records:
        raise LocalError("The journal is empty.", code="journal-form")
    opening = read_opening(records[0])
    charter = opening_charter(opening)
    keys = charter.voter_keys
    if opening.key not in keys or len(opening.addresses) != len(keys):
        raise LocalError("The journal is about somebody else.", code="journal-form")
    game, me = charter_digest(charter), keys.index(opening.key)
    said = _Said()
    others = [entry for record in records[1:] if (entry := _place(said, _entry(record), game, me)) is not None]
    return Memory(opening, charter, me, said.parts, said.acks, said.votes, said.farewell, tuple(others))


class _Said:
    """The own statements, as they are found."""

    def __init__(self) -> None:
        self.parts: dict[int, Part] = {}
        self.acks: dict[int, Ack] = {}
        self.votes: dict[int, list[Any]] = {}
        self.farewell: Farewell | None = None
        self._places: dict[Any, Any] = {}

    def put(self, entry: Any, body: Any) -> None:
        """LocalError if there is another one for the same place."""
        place = type(entry), getattr(body, "step", None), getattr(body, "ballot", None)
        if self._places.setdefault(place, entry) != entry:
            raise LocalError("The journal holds two statements for one place.", code="journal-form")
        if isinstance(entry, Part):
            self.parts[body.step] = entry
        elif isinstance(entry, Ack):
            self.acks[body.step] = entry
        elif isinstance(entry, Farewell):
            self.farewell = entry
        else:
            self.votes.setdefault(body.step, []).append(entry)


def _place(said: _Said, entry: Entry, game: bytes, me: Seat) -> Any:
    """Put an own statement where it belongs; the entry if it is somebody else's."""
    if isinstance(entry, Opening):
        raise LocalError("Two tables in one journal.", code="journal-form")
    try:
        body = read_vote(entry) if isinstance(entry, Farewell) else read_binding(entry)
    except PeerFault as fault:
        raise LocalError(f"A record of the journal can't be read: {fault.message}", code="journal-form") from fault
    if body.game != game:
        raise LocalError("A record of another table in the journal.", code="journal-form")
    if body.seat != me:
        return entry
    said.put(entry, body)
    return None


def _entry(record: bytes) -> Entry:
    try:
        entry: Entry = decode(record, Entry, cap=MAX_JOURNAL_RECORD)
    except PeerFault as fault:
        raise LocalError(f"A record of the journal can't be read: {fault.message}", code="journal-form") from fault
    return entry
