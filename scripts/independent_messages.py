"""What dealing says: the encoding of page 04, and section 3.1 of protocol/06-deal.md, in which keys are shared.

See verify_vectors_independent.py, on which this builds.
"""

from __future__ import annotations

from verify_vectors_independent import IDENTITY, G, L, lin, need, pad_of, points, scalars, share_key, u

# Page 04, section 1: the canonical MessagePack of what dealing says.


def pack(value):
    """Arrays, short texts, integers: what verbs are made of."""
    if isinstance(value, list):
        head = bytes([0x90 + len(value)]) if len(value) < 16 else b"\xdc" + u(2, len(value))
        return head + b"".join(map(pack, value))
    if isinstance(value, str):
        return bytes([0xA0 + len(value.encode())]) + value.encode()
    size = next(size for size in (1, 2, 4, 8) if value < 256**size)
    return u(1, value) if -32 <= value < 128 else bytes([0xCB + size.bit_length()]) + u(size, value)


def unpack(data, at=0):
    """A value (arrays, texts, byte strings) and where it ends."""
    tag, at = data[at], at + 1
    width = {0xC4: 1, 0xC5: 2, 0xD9: 1, 0xDC: 2}.get(tag, 0)
    if tag < 0x80:
        return tag, at
    size = int.from_bytes(data[at : at + width], "big") if width else tag & (31 if tag >= 0xA0 else 15)
    items, at = [], at + width
    if tag not in range(0x90, 0xA0) and tag != 0xDC:
        return data[at : at + size] if tag in (0xC4, 0xC5) else data[at : at + size].decode(), at + size
    for _ in range(size):
        item, at = unpack(data, at)
        items.append(item)
    return items, at


# 3.1.


class Sharing:
    """Section 3.1 among these seats, whose keys are H."""

    def __init__(self, ctx, h):
        self.ctx, self.h, self.closed = ctx, h, []

    def check(self, seat, tag, content=None, more=None):
        """The value of a message; of a complaint, whom it is about."""
        others = [other for other in sorted(self.h) if other != seat]
        if tag == "envelope-keys":
            keys = points(content, len(others))
            need(IDENTITY not in keys, "point-identity")
            return dict(zip(others, keys, strict=True))
        if tag == "key-shares":
            f = [self.h[seat], *points(content, len(others) - 1)]
            need(len(more) == 64 * len(others), "list-length")
            halves = [more[at : at + 32] for at in range(0, len(more), 32)]
            r, c = points(b"".join(halves[::2]), len(others)), scalars(b"".join(halves[1::2]), len(others))
            return f, dict(zip(others, zip(r, c, strict=True), strict=True))
        if tag == "complaint":
            need(content in others, "complaint-owner")
            (secret,), key = scalars(more, 1), self.closed[0][seat][content]
            need(lin((secret, G)) == key, "complaint-key")
            f, (r, c) = self.closed[1][content][0], self.closed[1][content][1][seat]
            share = (c - pad_of(self.ctx, content, seat, key, r, lin((secret, r)))) % L
            need(lin((share, G)) != share_key(f, seat), "complaint-false")
        return content

    def close(self, values):
        need(len(self.closed) < 2 or set(values.values()) == {None}, "share-wrong")
        self.closed.append(values)

    def commitments(self):
        return {seat: f for seat, (f, _) in self.closed[1].items()}
