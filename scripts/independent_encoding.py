"""The encoding of everything that is said: section 1 of protocol/04-encoding.md, and how types are written with it.

See verify_vectors_independent.py, on which this builds.
"""

from __future__ import annotations

import re

from verify_vectors_independent import Refused, need, u

# 1. Canonical encoding: MessagePack, but only its shortest forms, and neither maps, floats nor extensions.

MOST_ITEMS, DEEPEST = 4096, 8
ATOMS = {0xC0: None, 0xC2: False, 0xC3: True}
TEXT, BYTES, LIST = {1: 0xD9, 2: 0xDA, 4: 0xDB}, {1: 0xC4, 2: 0xC5, 4: 0xC6}, {2: 0xDC, 4: 0xDD}  # by bytes of length
WIDTHS = {tag: width for tags in (TEXT, BYTES, LIST) for width, tag in tags.items()}


def header(size, tags, fixed=0, below=0):
    if size < below:
        return u(1, fixed + size)
    width = next(width for width in tags if size < 256**width)
    return u(1, tags[width]) + u(width, size)


def pack(value):
    """The one encoding of a value."""
    if value is None or isinstance(value, bool):
        return u(1, next(tag for tag, atom in ATOMS.items() if atom is value))
    if isinstance(value, int):
        if -32 <= value < 128:
            return u(1, value)
        size = next(size for size in (1, 2, 4, 8) if -(256**size) <= 2 * value and value < 256**size)
        tag = (0xCC if value >= 0 else 0xD0) + size.bit_length() - 1
        return u(1, tag) + value.to_bytes(size, "big", signed=value < 0)
    if isinstance(value, str):
        return header(len(value.encode()), TEXT, 0xA0, 32) + value.encode()
    if isinstance(value, bytes):
        return header(len(value), BYTES) + value
    return header(len(value), LIST, 0x90, 16) + b"".join(map(pack, value))


def unpack(data):
    """The value that spans these bytes, whether in its shortest form or not (check 2)."""
    value, end = unpack_at(data, 0, 0)
    need(end == len(data), "encoding-form")
    return value


def unpack_at(data, at, depth):
    """The value that begins here, inside so many arrays, and where it ends."""
    (tag,), at = take(data, at, 1)
    if tag < 0x80 or tag >= 0xE0 or tag in ATOMS:
        return ATOMS.get(tag, tag - (256 if tag >= 0xE0 else 0)), at
    if 0xCC <= tag <= 0xD3:
        raw, at = take(data, at, 1 << (tag & 3))
        return int.from_bytes(raw, "big", signed=tag >= 0xD0), at
    if 0x90 <= tag < 0xC0:
        size = tag & (15 if tag < 0xA0 else 31)
    else:
        need(tag in WIDTHS, "encoding-form")
        raw, at = take(data, at, WIDTHS[tag])
        size = int.from_bytes(raw, "big")
    if 0x90 <= tag < 0xA0 or tag in LIST.values():
        need(size <= MOST_ITEMS and depth < DEEPEST, "encoding-form")
        items = []
        for _ in range(size):
            item, at = unpack_at(data, at, depth + 1)
            items.append(item)
        return items, at
    raw, at = take(data, at, size)
    try:
        return (raw if tag in BYTES.values() else raw.decode()), at
    except UnicodeDecodeError:
        raise Refused("encoding-form") from None


def take(data, at, size):
    need(at + size <= len(data), "encoding-form")
    return data[at : at + size], at + size


# Types (check 3): what reads a value, refuses it, and gives it the form that it has in the JSON of the vectors.


def plain(kind, holds=lambda value: True, form=lambda value: value):
    def read_plain(value):
        need(type(value) is kind and holds(value), "encoding-type")
        return form(value)

    return read_plain


def integer(least, most):
    return plain(int, lambda value: least <= value <= most)


def blob(least, most):
    return plain(bytes, lambda value: least <= len(value) <= most, bytes.hex)


def text(least, most, pattern=".*"):
    return plain(str, lambda value: least <= len(value) <= most and re.fullmatch(pattern, value, re.DOTALL))


def one_of(*words):
    return plain(str, lambda value: value in words)


def array(kind, least=0, most=MOST_ITEMS):
    return plain(list, lambda value: least <= len(value) <= most, lambda value: [kind(item) for item in value])


def maybe(kind):
    return lambda value: None if value is None else kind(value)


def record(tag, **fields):
    start = [tag] if tag else []

    def form(value):
        pairs = zip(fields.items(), value[len(start) :], strict=True)
        return ({"tag": tag} if tag else {}) | {name: kind(item) for (name, kind), item in pairs}

    return plain(list, lambda value: value[: len(start)] == start and len(value) == len(start) + len(fields), form)


def by_tag(**kinds):
    def read_tagged(value):
        need(type(value) is list and value[:1] in [[tag] for tag in kinds], "encoding-type")
        return kinds[value[0]](value)

    return read_tagged


def read(data, most, kind):
    """The JSON form of a value of this kind, by all four checks."""
    need(len(data) <= most, "encoding-size")
    value = unpack(data)
    shown = kind(value)
    need(pack(value) == data, "encoding-canonical")
    return shown
