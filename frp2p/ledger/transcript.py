"""The transcript file: a ledger as bytes (protocol/10-transcript.md). Two honest peers have the same ones, but for the
certificates of steps that a vote closed: any majority of accepts will do.

    file   = "frp2p transcript 2\\n" frame*
    frame  = length as 4 bytes, big-endian || canonical encoding of one record
    order  = charter, then for every step its parts by seat, its acks by seat, and where a vote closed it, the farewell
             of a seat that left and the accepts by seat; if that voided the parts, there are no parts and acks

No compression, no index, no time stamps: every byte is magic, a length, a signed body or a signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeAlias

import msgspec

from frp2p.errors import PeerFault
from frp2p.ledger import limits
from frp2p.ledger.charter import Charter
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.records import Ack, Part
from frp2p.ledger.votes import Accept, Farewell

MAGIC = b"frp2p transcript 2\n"

Record: TypeAlias = Charter | Part | Ack | Farewell | Accept

_LENGTH_SIZE = 4
"""Bytes of the length in front of a record."""


class Source(Protocol):
    """Something to read bytes from, such as a file opened as binary."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""


class ClosedStep(msgspec.Struct, frozen=True):
    """The records of one final step, each kind by seat; see the page above."""

    parts: tuple[Part, ...]
    acks: tuple[Ack, ...]
    farewells: tuple[Farewell, ...] = ()
    accepts: tuple[Accept, ...] = ()

    def records(self) -> tuple[Record, ...]:
        """In the order of the file."""
        return (*self.parts, *self.acks, *self.farewells, *self.accepts)


def frame(record: Record) -> bytes:
    """One record as it stands in the file."""
    data = encode(record)
    return len(data).to_bytes(_LENGTH_SIZE, "big") + data


def write_transcript(charter: Charter, steps: Iterable[ClosedStep]) -> bytes:
    """The bytes of the file."""
    records = (frame(record) for step in steps for record in step.records())
    return b"".join((MAGIC, frame(charter), *records))


def read_records(source: Source) -> Iterator[Record]:
    """The records of a file, one by one; nothing about them is checked but their encoding.

    PeerFault: `transcript-magic`, `transcript-size` (more than MAX_TRANSCRIPT), `transcript-length` (a frame longer
    than a record can be, or empty), `transcript-truncated`, and those of `decode`.
    """
    if _read(source, len(MAGIC)) != MAGIC:
        raise PeerFault("transcript-magic", "Not a transcript of this version.")
    total = len(MAGIC)
    while head := _read(source, _LENGTH_SIZE):
        length = int.from_bytes(head, "big")
        if len(head) < _LENGTH_SIZE:
            raise PeerFault("transcript-truncated", "The file ends within a record.")
        if not 1 <= length <= limits.MAX_RECORD:
            raise PeerFault("transcript-length", f"A record of {length} bytes.")
        total += _LENGTH_SIZE + length
        if total > limits.MAX_TRANSCRIPT:
            raise PeerFault("transcript-size", f"More than {limits.MAX_TRANSCRIPT} bytes.")
        data = _read(source, length)
        if len(data) < length:
            raise PeerFault("transcript-truncated", "The file ends within a record.")
        yield decode(data, Record, cap=limits.MAX_RECORD)


def _read(source: Source, size: int) -> bytes:
    """Exactly `size` bytes, or all that are left."""
    chunks = []
    while size > 0 and (chunk := source.read(size)):
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)
