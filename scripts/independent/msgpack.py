"""Page 04: the canonical MessagePack that dealing needs."""

from __future__ import annotations

from independent.hashing import u


def pack(value):
    if isinstance(value, int):
        if -32 <= value < 128:
            return u(1, value)
        size = next(size for size in (1, 2, 4, 8) if value < 256**size)
        return {1: b"\xcc", 2: b"\xcd", 4: b"\xce", 8: b"\xcf"}[size] + value.to_bytes(size, "big")
    if isinstance(value, str):
        data = value.encode()
        return (bytes([0xA0 + len(data)]) if len(data) < 32 else b"\xd9" + u(1, len(data))) + data
    head = bytes([0x90 + len(value)]) if len(value) < 16 else b"\xdc" + u(2, len(value))
    return head + b"".join(pack(item) for item in value)


def unpack(data, at=0):
    """A value and where it ends: arrays, texts and byte strings."""
    tag, at = data[at], at + 1
    if 0x90 <= tag < 0xA0 or tag == 0xDC:
        count, at = (tag - 0x90, at) if tag < 0xA0 else (int.from_bytes(data[at : at + 2], "big"), at + 2)
        items = []
        for _ in range(count):
            item, at = unpack(data, at)
            items.append(item)
        return items, at
    width = {0xC4: 1, 0xC5: 2, 0xD9: 1}.get(tag, 0)
    size = int.from_bytes(data[at : at + width], "big") if width else tag - 0xA0
    raw = data[at + width : at + width + size]
    return raw if tag in (0xC4, 0xC5) else raw.decode(), at + width + size
