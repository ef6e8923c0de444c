"""The canonical encoding: one value has exactly one encoding, and everything else is refused.

The profile (protocol/04-encoding.md): msgpack with arrays, integers, strings, byte strings, booleans and nil only;
every length in its shortest form; structs are arrays of their fields in order, the tag first where the type has one.
msgpack makes the bytes, msgspec types what was read, and a decoded value is encoded again and compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec

from frp2p.errors import LocalError, PeerFault

MAX_ARRAY = 1 << 12
"""Items of one array. The longest honest one is the list of group elements of a shuffle proof, below 1,000."""

_ATOMS = frozenset({type(None), bool, int, str, bytes})
"""What stands for itself. Looked at first, because most values are of these types (and not of subclasses)."""

_MAX_QUOTE = 200
"""Characters of a library's message that a fault repeats."""


def encode(value: Any) -> bytes:
    """The canonical encoding of a struct (or of plain values); LocalError if the value has none."""
    try:
        packed: bytes = msgpack.packb(plain(value), use_bin_type=True)
    except (OverflowError, ValueError, RecursionError) as error:  # an integer above 64 bits, a lone surrogate
        raise LocalError(f"No canonical encoding: {error}", code="encoding-local") from error
    return packed


def plain(value: Any) -> Any:
    """The value as nested lists of int, str, bytes, bool and None; LocalError for anything else.

    Structs become the list of their fields (tag first), mappings the sorted list of their pairs and sets the sorted
    list of their items. Mappings and sets never travel (no wire type has any), but the state of a game may hold some.
    """
    if type(value) in _ATOMS:
        return value
    if isinstance(value, msgspec.Struct):
        fields = [plain(getattr(value, field)) for field in value.__struct_fields__]
        tag = value.__struct_config__.tag
        return fields if tag is None else [tag, *fields]
    if isinstance(value, tuple | list):
        return [item if type(item) in _ATOMS else plain(item) for item in value]
    if isinstance(value, bytes | int | str) and not isinstance(value, Enum):
        return value
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Mapping):
        return sorted(([plain(key), plain(item)] for key, item in value.items()), key=_packed)
    if isinstance(value, frozenset | set):
        return sorted((plain(item) for item in value), key=_packed)
    raise LocalError(f"{type(value).__name__} has no canonical encoding.", code="encoding-local")


def decode(data: bytes, kind: Any, *, cap: int) -> Any:
    """The value of type `kind` (a struct, or a union of tagged structs) whose canonical encoding `data` is.

    `cap` is the most bytes that are looked at. PeerFault without a seat: `encoding-size` (longer than the cap),
    `encoding-form` (not one msgpack value of the profile), `encoding-type` (another type, or out of its bounds),
    `encoding-canonical` (the same value has another encoding).
    """
    if len(data) > cap:
        raise PeerFault("encoding-size", f"{len(data)} bytes where at most {cap} may be.")
    try:
        # Tuples rather than lists: every empty one is the same object, so that empty arrays cost no memory.
        raw = msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            max_array_len=min(MAX_ARRAY, len(data)),
            max_str_len=len(data),
            max_bin_len=len(data),
            max_map_len=0,
            max_ext_len=0,
        )
    except (ValueError, RecursionError, MemoryError, msgpack.UnpackException) as error:
        raise PeerFault("encoding-form", f"Not a value: {_quotable(error)}") from error
    try:
        # bytes are builtin: otherwise a text would be taken as their base64 form.
        value = msgspec.convert(raw, kind, strict=True, builtin_types=(bytes,))
    except (msgspec.ValidationError, RecursionError) as error:
        raise PeerFault("encoding-type", _quotable(error)) from error
    if encode(value) != data:
        raise PeerFault("encoding-canonical", "The same value has a shorter or another encoding.")
    return value


def _quotable(error: Exception) -> str:
    """What a library says about the data, which may quote it: printable and short, for logs and terminals."""
    said = "".join(character if character.isprintable() else "?" for character in str(error))
    return said[:_MAX_QUOTE]


def _packed(item: Any) -> bytes:
    packed: bytes = msgpack.packb(item, use_bin_type=True)
    return packed
