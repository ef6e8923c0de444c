"""The canonical encoding: one value has exactly one encoding, and everything else is refused.

The profile (protocol/04-encoding.md): msgpack with arrays, integers, strings, byte strings, booleans and nil only;
every length in its shortest form; structs are arrays of their fields in order, the tag first where the type has one.
msgpack makes the bytes, msgspec types what was read, and a decoded value is encoded again and compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
from msgspec import inspect

from frp2p.errors import LocalError, PeerFault

MAX_ARRAY = 1 << 12
"""Items of one array. The longest honest one is the list of group elements of a shuffle proof, below 1,000."""

_ATOMS = frozenset({type(None), bool, int, str, bytes})
"""What stands for itself. Looked at first, because most values are of these types (and not of subclasses)."""

_MAX_KINDS = 256
"""Types whose way of encoding is remembered: messages, bodies, payloads of the games and dealers; below a hundred."""

_PACKER = msgspec.msgpack.Encoder()

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
        fields = [item if type(item) in _ATOMS else plain(item) for item in msgspec.structs.astuple(value)]
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
        value = msgspec.convert(raw, _narrowed(kind, raw), strict=True, builtin_types=(bytes,))
    except (msgspec.ValidationError, RecursionError) as error:
        raise PeerFault("encoding-type", _quotable(error)) from error
    again = _PACKER.encode(value) if _is_wire(kind) else encode(value)
    if again != data:
        raise PeerFault("encoding-canonical", "The same value has a shorter or another encoding.")
    return value


def _narrowed(kind: Any, raw: Any) -> Any:
    """The one struct of a union whose tag the value begins with; any other type as it is. msgspec would look at all
    members of a union anew for each value."""
    if isinstance(kind, type) or not isinstance(raw, tuple) or not raw or not isinstance(raw[0], str):
        return kind
    return _by_tag(kind).get(raw[0], kind)


@lru_cache(maxsize=_MAX_KINDS)
def _by_tag(kind: Any) -> dict[str, Any]:
    """The tagged structs of a union; none of any other type."""
    info = inspect.type_info(kind)
    members = info.types if isinstance(info, inspect.UnionType) else ()
    return {one.tag: one.cls for one in members if isinstance(one, inspect.StructType) and isinstance(one.tag, str)}


@lru_cache(maxsize=_MAX_KINDS)
def _is_wire(kind: Any) -> bool:
    """Whether msgspec's own encoder, which takes a tenth of the time, gives values of this type the same bytes: arrays
    and what stands for itself, through and through."""
    return _all_wire(inspect.type_info(kind), frozenset())


def _all_wire(info: inspect.Type, above: frozenset[type]) -> bool:
    """`above`: the structs that this type is a part of."""
    match info:
        case inspect.IntType() | inspect.StrType() | inspect.BytesType() | inspect.BoolType() | inspect.NoneType():
            return True
        case inspect.LiteralType():
            return True
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return _all_wire(item, above)
        case inspect.TupleType(item_types=items) | inspect.UnionType(types=items):
            return all(_all_wire(item, above) for item in items)
        case inspect.StructType(cls=made, fields=fields, array_like=True):
            inside = above | {made}
            return made in above or all(_all_wire(field.type, inside) for field in fields)
        case _:
            return False


def _quotable(error: Exception) -> str:
    """What a library says about the data, which may quote it: printable and short, for logs and terminals."""
    said = "".join(character if character.isprintable() else "?" for character in str(error))
    return said[:_MAX_QUOTE]


def _packed(item: Any) -> bytes:
    packed: bytes = msgpack.packb(item, use_bin_type=True)
    return packed
