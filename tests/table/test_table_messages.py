"""Frames: what is accepted, what is refused before and after it is decoded."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.errors import PeerFault
from frp2p.ledger.charter import VERSION
from frp2p.ledger.provisions import provisions
from frp2p.ledger.records import Ack, Part
from frp2p.ledger.votes import Accept, Farewell, Prepare, Promise, Propose
from frp2p.table import limits
from frp2p.table.messages import (
    CAPS,
    AnyMessage,
    Bye,
    Evidence,
    Final,
    Hello,
    Join,
    Lobby,
    Locked,
    Member,
    Proposal,
    Pull,
    Unlock,
    Unlocked,
    decode,
    encode,
    kind,
)

KEY, DIGEST, SIGNATURE = b"k" * 32, b"d" * 32, b"s" * 64
FAREWELL, ACCEPT = Farewell(b"\x90", SIGNATURE), Accept(b"\x90", SIGNATURE)
MEMBER = Member(KEY, "Ana", ("10.0.0.1:1", "[fe80::1%eth0]:1"))
EXAMPLES: dict[str, AnyMessage] = {
    "hello": Hello(VERSION, KEY, "Ana", None, 0, SIGNATURE),
    "lobby": Lobby("tiny", b"\x91\x01", 2, "clear", provisions(2, arbiter=True), (MEMBER,), MEMBER),
    "locked": Locked(DIGEST),
    "unlock": Unlock(DIGEST, SIGNATURE),
    "unlocked": Unlocked(SIGNATURE),
    "join": Join(DIGEST, ("10.0.0.1:1",), True),
    "proposal": Proposal(b"\x90", ((), ("a:1",))),
    "part": Part(b"\x90", SIGNATURE),
    "ack": Ack(b"\x90", SIGNATURE),
    "pull": Pull(7, 0b101, 0),
    "final": Final(7, (Part(b"\x90", SIGNATURE),), (Ack(b"\x90", SIGNATURE),), (FAREWELL,), (ACCEPT,)),
    "prepare": Prepare(b"\x90", SIGNATURE),
    "promise": Promise(b"\x90", SIGNATURE),
    "propose": Propose(b"\x90", SIGNATURE),
    "accept": ACCEPT,
    "farewell": FAREWELL,
    "evidence": Evidence(b"x"),
    "bye": Bye("left"),
}


def refusal(frame: bytes, *, greeted: bool = True) -> str:
    with pytest.raises(PeerFault) as caught:
        decode(frame, greeted=greeted)
    assert caught.value.seat is None
    return caught.value.check


def test_there_is_an_example_of_every_kind() -> None:
    assert EXAMPLES.keys() == CAPS.keys()


@pytest.mark.parametrize("name", sorted(CAPS))
def test_every_kind_travels(name: str) -> None:
    frame = encode(EXAMPLES[name])
    assert kind(frame) == name
    assert decode(frame, greeted=True) == decode(frame, greeted=False) == EXAMPLES[name]


@pytest.mark.parametrize("name", sorted(CAPS))
def test_every_kind_has_a_cap_that_is_looked_at_first(name: str) -> None:
    head = encode(EXAMPLES[name])
    assert refusal(head + b"\0" * (CAPS[name] - len(head))) in ("encoding-form", "encoding-size")
    assert refusal(head + b"\0" * (CAPS[name] + 1 - len(head))) == "frame-size"
    assert refusal(head + b"\0" * limits.HELLO_BYTES, greeted=False) == "frame-size"
    assert CAPS[name] <= limits.FINAL_BYTES


@pytest.mark.parametrize("name", sorted(CAPS))
def test_truncated_extended_and_other_forms_are_refused(name: str) -> None:
    frame = encode(EXAMPLES[name])
    for length in range(len(frame)):
        assert refusal(frame[:length]) in ("unknown-kind", "encoding-form", "encoding-type", "wrong-version")
    assert refusal(frame + b"\0") == "encoding-form"
    items = msgpack.unpackb(frame)
    assert refusal(msgpack.packb([*items, 0])) in ("encoding-type", "encoding-canonical")
    assert refusal(msgpack.packb(items[:-1])) in ("encoding-type", "wrong-version")
    wide = b"\xdc" + len(items).to_bytes(2, "big") + frame[1:]
    assert refusal(wide) == "unknown-kind"
    if name == "pull":
        assert refusal(frame.replace(b"\x07", b"\xcc\x07")) == "encoding-canonical"


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\x91",
        b"\x80",
        b"\xc1",
        b"\x91\xa3dog",
        b"\x91\xa5Hello",
        b"\x91\xa4hell",
        b"\x82\xa4pull\x01\x01\x02",
        b"\x91\x01",
    ],
)
def test_what_is_no_message_is_refused(frame: bytes) -> None:
    assert refusal(frame) == "unknown-kind"


def test_a_hello_of_another_version_is_refused_whatever_else_it_holds() -> None:
    assert refusal(msgpack.packb(["hello", VERSION + 1, {"new": "fields"}]), greeted=False) == "wrong-version"
    assert refusal(msgpack.packb(["hello"]), greeted=False) == "wrong-version"


@pytest.mark.parametrize(
    "items",
    [
        ["pull", -1, 0, 0],
        ["pull", 2**32, 0, 0],
        ["pull", 0, 128, 0],
        ["pull", 0, 0, 1.0],
        ["pull", 0, 0, True],
        ["pull", 0, 0, None],
        ["join", b"n" * 31, []],
        ["join", b"n" * 32, ["x" * 97]],
        ["join", b"n" * 32, ["x"] * 9],
        ["join", "n" * 32, []],
        ["final", 0, [["part", b"", b"s" * 64]] * 8, []],
        ["final", 0, [["ack", b"", b"s" * 64]], []],
        ["lobby", "tiny", b"", 8, "clear", []],
        ["bye", ""],
        ["bye", "\x1b[2J"],
        ["bye", "left\n"],
        ["bye", {}],
    ],
)
def test_values_out_of_bounds_are_refused(items: list[object]) -> None:
    assert refusal(msgpack.packb(items)) in ("encoding-type", "encoding-form")


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_do_anything_but_decode_or_be_refused(data: bytes) -> None:
    for frame in (data, b"\x94\xa4pull" + data, b"\x97\xa5hello\x01" + data):
        for greeted in (True, False):
            try:
                message = decode(frame, greeted=greeted)
            except PeerFault:
                continue
            assert encode(message) == frame
