"""Hashing of tuples without ambiguity: every field carries its length, every list its count.

    field(label, data)  = len(label) as u16 | label | len(data) as u32 | data
    fields(label, list) = field(label, count as u32), then field(label, item) for each item

Integers are big-endian. Two different tuples never give the same bytes, so no proof or commitment can be read as one
about something else (the fault of CVE-2022-47931).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

VERSION = "frp2p/v1"
"""Begins the domain of every hash of the protocol."""


def u8(value: int) -> bytes:
    return value.to_bytes(1, "big")


def u16(value: int) -> bytes:
    return value.to_bytes(2, "big")


def u32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def field(label: str, data: bytes) -> bytes:
    """One labelled field."""
    name = label.encode()
    return u16(len(name)) + name + u32(len(data)) + data


def fields(label: str, items: Sequence[bytes]) -> bytes:
    """A list of fields under one label, preceded by their count."""
    name = label.encode()
    head = u16(len(name)) + name
    sizes = {len(item) for item in items}
    if len(sizes) == 1:  # points: their heads are alike
        return (head + u32(sizes.pop())).join((head + u32(4) + u32(len(items)), *items))
    return head + u32(4) + u32(len(items)) + b"".join(head + u32(len(item)) + item for item in items)


def hash_fields(domain: str, *items: tuple[str, bytes] | tuple[str, Sequence[bytes]]) -> bytes:
    """64 bytes: SHA-512 over field("domain", frp2p/v1/<domain>) and the labelled fields (lists as `fields`)."""
    state = hashlib.sha512(field("domain", f"{VERSION}/{domain}".encode()))
    for label, data in items:
        state.update(field(label, data) if isinstance(data, bytes) else fields(label, data))
    return state.digest()
