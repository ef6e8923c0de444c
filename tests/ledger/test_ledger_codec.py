"""The canonical codec: one value has one encoding; everything else is refused with the layer that refuses it."""

from __future__ import annotations

import tracemalloc
from enum import Enum
from typing import Annotated, Any, TypeAlias

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.errors import LocalError, PeerFault
from frp2p.ledger.charter import ChartedSeat, Charter
from frp2p.ledger.codec import decode, encode, plain
from frp2p.ledger.evidence import BadRecord, BadStep, Contradiction, Evidence
from frp2p.ledger.provisions import Clock, Provisions
from frp2p.ledger.records import Ack, AckBody, Attest, Consent, Part, PartBody


class Point(msgspec.Struct, frozen=True, array_like=True, tag="point"):
    x: Annotated[int, msgspec.Meta(ge=-5, le=300)]
    label: str
    data: bytes
    flag: bool
    maybe: int | None
    rest: tuple[int, ...] = ()


class Other(msgspec.Struct, frozen=True, array_like=True, tag="other"):
    pass


class Node(msgspec.Struct, frozen=True, array_like=True):
    below: tuple[Node, ...]


Shape: TypeAlias = Point | Other

GOOD = Point(7, "é", b"\x00\xff", True, None, (1, 2))
GOOD_BYTES = bytes.fromhex("97a5706f696e7407a2c3a9c40200ffc3c0920102")


def body(x: bytes = b"\x07", label: bytes = b"\xa0", data: bytes = b"\xc4\x00", flag: bytes = b"\xc3",
         maybe: bytes = b"\xc0", rest: bytes = b"\x90", head: bytes = b"\x97", tag: bytes = b"\xa5point",
         more: bytes = b"") -> bytes:  # fmt: skip
    """The encoding of a Point, piece by piece."""
    return head + tag + x + label + data + flag + maybe + rest + more


def test_the_bytes_are_those_of_the_page() -> None:
    assert encode(GOOD) == GOOD_BYTES
    assert decode(GOOD_BYTES, Shape, cap=100) == GOOD
    assert decode(body(), Shape, cap=100) == Point(7, "", b"", True, None)


REFUSED = {
    "empty": (b"", "encoding-form"),
    "only a header": (b"\x97", "encoding-form"),
    "cut in the middle": (GOOD_BYTES[:-1], "encoding-form"),
    "one byte more": (GOOD_BYTES + b"\x00", "encoding-form"),
    "the value twice": (GOOD_BYTES * 2, "encoding-form"),
    "the reserved byte": (b"\xc1", "encoding-form"),
    "not UTF-8": (body(label=b"\xa1\xff"), "encoding-form"),
    "a surrogate in UTF-8": (body(label=b"\xa3\xed\xa0\x80"), "encoding-form"),
    "overlong UTF-8": (body(label=b"\xa2\xc0\x80"), "encoding-form"),
    "a map": (b"\x81\xa1x\x07", "encoding-form"),
    "duplicate keys": (b"\x82\xa1x\x07\xa1x\x08", "encoding-form"),
    "an empty map": (b"\x80", "encoding-type"),
    "an empty map inside": (body(rest=b"\x80"), "encoding-type"),
    "a map with 2^32 - 1 pairs": (b"\xdf\xff\xff\xff\xff", "encoding-form"),
    "an array of 2^32 - 1 items": (b"\xdd\xff\xff\xff\xff", "encoding-form"),
    "an array longer than the data": (body(rest=b"\xdc\x10\x00"), "encoding-form"),
    "bytes of 2^32 - 1": (body(data=b"\xc6\xff\xff\xff\xff"), "encoding-form"),
    "text of 2^32 - 1": (body(label=b"\xdb\xff\xff\xff\xff"), "encoding-form"),
    "an extension": (body(rest=b"\xd4\x01\x00"), "encoding-form"),
    "an empty extension": (body(rest=b"\xc7\x00\x01"), "encoding-type"),
    "a time stamp": (body(rest=b"\xd6\xff\x00\x00\x00\x00"), "encoding-form"),
    "nested 3,000 deep": (b"\x91" * 3000 + b"\x90", "encoding-form"),
    "nested 1,000 deep": (b"\x91" * 1000 + b"\x90", "encoding-type"),
    "a single float": (body(x=b"\xca\x40\xe0\x00\x00"), "encoding-type"),
    "a double float": (body(x=b"\xcb" + bytes.fromhex("401c000000000000")), "encoding-type"),
    "not a number": (body(x=b"\xcb" + bytes.fromhex("7ff8000000000000")), "encoding-type"),
    "True for 1": (body(x=b"\xc3"), "encoding-type"),
    "1 for True": (body(flag=b"\x01"), "encoding-type"),
    "a number in text": (body(x=b"\xa17"), "encoding-type"),
    "text for bytes": (body(data=b"\xa0"), "encoding-type"),
    "bytes for text": (body(label=b"\xc4\x00"), "encoding-type"),
    "nil for a number": (body(x=b"\xc0"), "encoding-type"),
    "out of bounds": (body(x=b"\xcd\x01\x2d"), "encoding-type"),
    "below the bounds": (body(x=b"\xfa"), "encoding-type"),
    "2^64 - 1": (body(x=b"\xcf" + b"\xff" * 8), "encoding-type"),
    "an unknown tag": (body(tag=b"\xa5paint"), "encoding-type"),
    "a tag that is no text": (body(tag=b"\x07"), "encoding-type"),
    "no tag": (b"\x90", "encoding-type"),
    "a bare number": (b"\x07", "encoding-type"),
    "a bare text": (b"\xa5point", "encoding-type"),
    "a field missing": (b"\x92\xa5point\x07", "encoding-type"),
    "a field with a default missing": (b"\x96" + body(rest=b"")[1:], "encoding-canonical"),
    "a field too many": (body(head=b"\x98", more=b"\x07"), "encoding-canonical"),
    "7 in two bytes": (body(x=b"\xcc\x07"), "encoding-canonical"),
    "7 in three bytes": (body(x=b"\xcd\x00\x07"), "encoding-canonical"),
    "7 in five bytes": (body(x=b"\xce\x00\x00\x00\x07"), "encoding-canonical"),
    "7 in nine bytes": (body(x=b"\xcf" + b"\x00" * 7 + b"\x07"), "encoding-canonical"),
    "7 as a signed byte": (body(x=b"\xd0\x07"), "encoding-canonical"),
    "7 as a signed long": (body(x=b"\xd3" + b"\x00" * 7 + b"\x07"), "encoding-canonical"),
    "-1 in two bytes": (body(x=b"\xd0\xff"), "encoding-canonical"),
    "a short text with a long header": (body(label=b"\xd9\x00"), "encoding-canonical"),
    "short bytes with a long header": (body(data=b"\xc5\x00\x00"), "encoding-canonical"),
    "a short array with a long header": (body(rest=b"\xdc\x00\x00"), "encoding-canonical"),
    "the outer array with a long header": (body(head=b"\xdc\x00\x07"), "encoding-canonical"),
    "the tag with a long header": (body(tag=b"\xd9\x05point"), "encoding-canonical"),
}


@pytest.mark.parametrize(("data", "check"), REFUSED.values(), ids=REFUSED)
def test_everything_else_is_refused(data: bytes, check: str) -> None:
    with pytest.raises(PeerFault) as caught:
        decode(data, Shape, cap=1 << 16)
    assert (caught.value.check, caught.value.seat) == (check, None)


def test_every_byte_of_padding_in_a_header_is_refused_by_name() -> None:
    """Nothing decodes to the good value but its one encoding, whatever msgpack itself accepts."""
    accepted = [data for data, _check in REFUSED.values() if _loose(data) is not None]
    assert len(accepted) > 20, "the corpus should hold many inputs that msgpack alone takes"


def _loose(data: bytes) -> Any:
    try:
        return msgpack.unpackb(data, strict_map_key=False)
    except (ValueError, msgpack.UnpackException):
        return None


def test_the_cap_is_looked_at_first() -> None:
    assert decode(GOOD_BYTES, Shape, cap=len(GOOD_BYTES)) == GOOD
    for data in (GOOD_BYTES, b"\xc1" * len(GOOD_BYTES)):
        with pytest.raises(PeerFault) as caught:
            decode(data, Shape, cap=len(GOOD_BYTES) - 1)
        assert caught.value.check == "encoding-size"


@pytest.mark.parametrize(
    "filler", [b"\x90", b"\x91", b"\x91\x90", b"\xa0", b"\xc4\x00", b"\x80", b"\xc0", b"\x01", b"\xdf"]
)
def test_no_bomb_takes_much_memory(filler: bytes) -> None:
    """64 KiB of whatever is small never become more than 4 MiB."""
    count = (1 << 16) // len(filler)
    bombs = [filler * count, b"\xdc\x10\x00" + filler * 4096, b"\xdd\x00\x00\xff\xff" + filler * count]
    tracemalloc.start()
    try:
        for bomb in bombs:
            with pytest.raises(PeerFault):
                decode(bomb, Shape, cap=1 << 20)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def test_a_recursive_type_does_not_exhaust_the_stack() -> None:
    value = Node(())
    for _ in range(100):
        value = Node((value,))
    assert decode(encode(value), Node, cap=1000) == value
    with pytest.raises(PeerFault) as caught:
        decode(b"\x91" * 1022 + b"\x90", Node, cap=2000)
    assert caught.value.check == "encoding-type"


class Colour(Enum):
    RED = "red"


class Loose(msgspec.Struct):
    named: Any


def test_what_is_hashed_but_never_travels() -> None:
    assert plain(Loose({"b": 1, "a": {3, 2}})) == [[["a", [2, 3]], ["b", 1]]]
    assert plain(frozenset({"b", "a"})) == ["a", "b"]
    assert plain(Colour.RED) == "red"
    assert encode({1: 2, 0: 1}) == encode({0: 1, 1: 2})


@pytest.mark.parametrize(
    "value", [1.5, float("nan"), 1 << 64, -(1 << 63) - 1, "\ud800", object(), bytearray(b"x"), [1.0]]
)
def test_values_without_an_encoding_are_our_own_fault(value: Any) -> None:
    with pytest.raises(LocalError) as caught:
        encode(Loose(value))
    assert caught.value.code == "encoding-local"


digests = st.binary(min_size=32, max_size=32)
signatures = st.binary(min_size=64, max_size=64)
part_bodies = st.builds(
    PartBody,
    digests,
    st.integers(0, 49_999),
    digests,
    st.integers(0, 6),
    st.sampled_from(["charter", "setup", "deal", "move", "attest"]),
    st.binary(max_size=300),
)
ack_bodies = st.builds(
    AckBody, digests, st.integers(0, 49_999), st.integers(0, 6), digests, digests, st.integers(0, 604_800_000)
)
parts = st.builds(Part, st.binary(max_size=300), signatures)
acks = st.builds(Ack, st.binary(max_size=300), signatures)
names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=16).filter(lambda name: len(name) <= 64)
people = st.builds(ChartedSeat, digests, names, digests)
charters = st.builds(
    Charter,
    st.integers(1, 65_535),
    st.from_regex(r"[a-z][a-z0-9-]{0,31}", fullmatch=True),
    st.binary(max_size=300),
    st.sampled_from(["sealed", "clear"]),
    digests,
    st.builds(
        Provisions,
        st.builds(Clock, *(st.integers(0, 86_400),) * 3, st.integers(5, 3_600)),
        st.booleans(),
        st.sampled_from(["stop", "adjourn"]),
    ),
    st.lists(people, min_size=2, max_size=7).map(tuple),
    st.none() | people,
)
points = st.builds(
    Point,
    st.integers(-5, 300),
    st.text(st.characters(codec="utf-8")),
    st.binary(),
    st.booleans(),
    st.none() | st.integers(-(2**63), 2**64 - 1),
    st.lists(st.integers(-(2**63), 2**63 - 1)).map(tuple),
)
checks = st.from_regex(r"[a-z0-9-]{1,64}", fullmatch=True)
evidence = st.one_of(
    st.builds(Contradiction, charters, parts, parts),
    st.builds(BadRecord, st.binary(max_size=300), parts, checks),
    st.builds(BadStep, st.binary(max_size=300), st.lists(parts, min_size=1, max_size=7).map(tuple), checks),
)
wire = st.one_of(
    *(values.map(lambda value, kind=kind: (value, kind)) for values, kind in [
        (part_bodies, PartBody), (ack_bodies, AckBody), (parts, Part | Ack), (acks, Part | Ack), (charters, Charter),
        (points, Shape), (evidence, Evidence), (st.builds(Attest, digests), Consent | Attest),
        (st.just(Consent()), Consent | Attest),
    ])
)  # fmt: skip


@given(wire)
@settings(max_examples=300, deadline=None)
def test_every_struct_comes_back(pair: tuple[Any, Any]) -> None:
    value, kind = pair
    data = encode(value)
    assert decode(data, kind, cap=len(data)) == value
    assert msgpack.unpackb(data, use_list=True) == plain(value)


@given(wire, st.data())
@settings(max_examples=300, deadline=None)
def test_no_other_bytes_mean_the_same(pair: tuple[Any, Any], data: st.DataObject) -> None:
    """Whatever is done to an encoding, it is refused or means something else."""
    value, kind = pair
    good = encode(value)
    at = data.draw(st.integers(0, len(good)))
    cut = data.draw(st.integers(0, 3))
    bad = good[:at] + data.draw(st.binary(max_size=3)) + good[at + cut :]
    other = _attempt(bad, kind)
    assert isinstance(other, str) or (other == value) == (bad == good)


@given(st.binary(max_size=200))
@settings(max_examples=500, deadline=None)
def test_noise_is_refused_or_canonical(data: bytes) -> None:
    value = _attempt(data, Shape | Part | Ack | Charter)
    assert isinstance(value, str) or encode(value) == data


def _attempt(data: bytes, kind: Any) -> Any:
    """The value, or the check that refused it; anything but a coded refusal fails the test."""
    try:
        return decode(data, kind, cap=1 << 16)
    except PeerFault as fault:
        return fault.check
