"""What a seat keeps on disk so that it can come back: the content of a journal, without any file.

A journal is a list of records in canonical encoding. The first is the `Opening`; then come the signed records of the
ledger in the order in which they were needed: an own part before it is sent, the parts of a step and then the own ack
before that is sent, the acks of the others with the next own record. Secrets are in the seed alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, TypeAlias

import msgspec

from frp2p.deal.seeded import SEED_SIZE
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Seat
from frp2p.ledger.charter import Charter, charter_digest, read_charter
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.limits import MAX_CHARTER, MAX_RECORD, MAX_SEATS
from frp2p.ledger.records import Ack, Key, Part, read_ack_body, read_part_body
from frp2p.table import limits
from frp2p.table.messages import Addresses, Message

VERSION = 1
"""Of the journal. A program reads only its own version: others may not make the same statements from the same seed."""

MAX_OPENING = MAX_CHARTER + limits.LOBBY_BYTES
"""Bytes of the first record."""

MAX_JOURNAL_RECORD = max(MAX_RECORD, MAX_OPENING)
"""Bytes of any record."""


class Opening(Message, frozen=True, tag="journal"):
    """Whose seat at which table: identity key, seed of all its randomness, charter, and where each seat listens."""

    version: Annotated[int, msgspec.Meta(ge=1, lt=1 << 16)]
    key: Key
    seed: Annotated[bytes, msgspec.Meta(min_length=SEED_SIZE, max_length=SEED_SIZE)]
    charter: Annotated[bytes, msgspec.Meta(min_length=1, max_length=MAX_CHARTER)]
    addresses: Annotated[tuple[Addresses, ...], msgspec.Meta(max_length=MAX_SEATS)]


Entry: TypeAlias = Opening | Part | Ack


class Memory(msgspec.Struct, frozen=True):
    """A journal that was read. `parts` and `acks` are what this seat said, by step; `others` what it took in."""

    opening: Opening
    charter: Charter
    me: Seat
    parts: dict[int, Part]
    acks: dict[int, Ack]
    others: tuple[Part | Ack, ...]


def write_entries(entries: Iterable[Entry]) -> tuple[bytes, ...]:
    """The records of these entries."""
    return tuple(encode(entry) for entry in entries)


def read_opening(record: bytes) -> Opening:
    """The first record; LocalError `journal-form`, `journal-version`."""
    entry = _entry(record)
    if not isinstance(entry, Opening):
        raise LocalError("The journal does not begin with its table.", code="journal-form")
    if entry.version != VERSION:
        raise LocalError("The journal is of another version of this program.", code="journal-version")
    return entry


def read_journal(records: Sequence[bytes]) -> Memory:
    """What the journal says; LocalError if it can't be one of this program. What it says is judged by the table."""
    if not records:
        raise LocalError("The journal is empty.", code="journal-form")
    opening = read_opening(records[0])
    try:
        charter = read_charter(opening.charter)
    except PeerFault as fault:
        raise LocalError(f"No charter in the journal: {fault.message}", code="journal-form") from fault
    if opening.key not in charter.keys or len(opening.addresses) != len(charter.seats):
        raise LocalError("The journal is about somebody else.", code="journal-form")
    memory = Memory(opening, charter, charter.keys.index(opening.key), {}, {}, ())
    others = [entry for record in records[1:] if (entry := _place(memory, _entry(record))) is not None]
    return msgspec.structs.replace(memory, others=tuple(others))


def _place(memory: Memory, entry: Entry) -> Part | Ack | None:
    """Put an own statement where it belongs; the entry if it is somebody else's."""
    if isinstance(entry, Opening):
        raise LocalError("Two tables in one journal.", code="journal-form")
    body = read_part_body(entry.body) if isinstance(entry, Part) else read_ack_body(entry.body)
    if body.game != charter_digest(memory.charter):
        raise LocalError("A record of another table in the journal.", code="journal-form")
    if body.seat != memory.me:
        return entry
    said = memory.parts if isinstance(entry, Part) else memory.acks
    if said.setdefault(body.step, entry) != entry:  # type: ignore[arg-type]
        raise LocalError("The journal holds two statements for one place.", code="journal-form")
    return None


def _entry(record: bytes) -> Entry:
    try:
        entry: Entry = decode(record, Entry, cap=MAX_JOURNAL_RECORD)
    except PeerFault as fault:
        raise LocalError(f"A record of the journal can't be read: {fault.message}", code="journal-form") from fault
    return entry
