"""Frames, addresses and buckets: pure values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.errors import PeerFault, UserError
from frp2p.net import address, frames
from frp2p.net.bucket import Bucket
from frp2p.net.interfaces import interfaces

PAYLOADS = st.lists(st.binary(max_size=300), max_size=8)


@given(PAYLOADS, st.integers(1, 50))
@settings(max_examples=100, deadline=None)
def test_frames_survive_any_cutting(payloads: list[bytes], size: int) -> None:
    stream = b"".join(frames.encode(frames.DATA, payload) for payload in payloads)
    decoder = frames.FrameDecoder()
    got = []
    for start in range(0, len(stream), size):
        decoder.feed(stream[start : start + size])
        got += [frame.payload for frame in decoder.frames()]
    assert got == payloads
    assert not decoder.partial


@pytest.mark.parametrize("length", [0, frames.MAX_FIRST_FRAME + 2, 2**31, 2**32 - 1])
def test_a_wrong_length_is_refused_by_its_header_alone(length: int) -> None:
    decoder = frames.FrameDecoder()
    decoder.feed(length.to_bytes(4, "big"))
    with pytest.raises(PeerFault) as caught:
        list(decoder.frames())
    assert caught.value.check == "frame-length"


@pytest.mark.parametrize("cap", [frames.MAX_FIRST_FRAME, frames.MAX_FRAME])
def test_the_longest_frame_passes(cap: int) -> None:
    decoder = frames.FrameDecoder(cap)
    decoder.feed(frames.encode(frames.DATA, bytes(cap)))
    assert [len(frame.payload) for frame in decoder.frames()] == [cap]


def test_the_cap_counts_as_it_is_when_a_frame_is_cut() -> None:
    decoder = frames.FrameDecoder()
    decoder.feed(frames.encode(frames.DATA, b"hello") + frames.encode(frames.DATA, bytes(frames.MAX_FIRST_FRAME + 1)))
    sizes = []
    for frame in decoder.frames():
        sizes.append(len(frame.payload))
        decoder.cap = frames.MAX_FRAME
    assert sizes == [5, frames.MAX_FIRST_FRAME + 1]


@pytest.mark.parametrize("frame", [b"\x00\x00\x00\x01\x03", b"\x00\x00\x00\x01\xff", frames.encode(frames.PING, b"1")])
def test_an_unknown_kind_or_a_malformed_ping_is_refused(frame: bytes) -> None:
    decoder = frames.FrameDecoder()
    decoder.feed(frame)
    with pytest.raises(PeerFault) as caught:
        list(decoder.frames())
    assert caught.value.check == "frame-kind"


def test_a_bucket_lets_a_burst_pass_and_then_its_rate() -> None:
    bucket = Bucket(rate=10, burst=100, now=0.0)
    for _taken in range(100):
        bucket.take(1, 0.0)
    assert bucket.wait(0.0) == 0
    bucket.take(5, 0.0)
    assert bucket.wait(0.0) == pytest.approx(0.5)
    assert bucket.wait(0.5) == 0
    bucket.take(50, 1000.0)
    assert bucket.wait(1000.0) == 0


HERE = interfaces()[0]
GOOD = {
    "ana.local": ("ana.local", address.DEFAULT_PORT),
    "10.0.0.1:99": ("10.0.0.1", 99),
    "::1": ("::1", address.DEFAULT_PORT),
    f"[fe80::1%{HERE.name}]:80": (f"fe80::1%{HERE.name}", 80),
    f"fe80::1%{HERE.index}": (f"fe80::1%{HERE.index}", address.DEFAULT_PORT),
    "[::1]": ("::1", address.DEFAULT_PORT),
}


@pytest.mark.parametrize("text", GOOD)
def test_addresses_as_people_type_them(text: str) -> None:
    parsed = address.parse(text)
    assert parsed == GOOD[text]
    assert address.parse(str(parsed)) == parsed


NO_ADDRESS = ["", ":", "a:", "a:b", "a:65536", "a:0", "a b", "[::1", "[::1]x", "[::1]:", "a:-1", "\x1b[2J"]
NO_ADDRESS += ["fe80::1%nope", "[fe80::1%99999]:80", "a:" + "9" * 5000, "a" * 5000, "a.b:\u0663"]


@pytest.mark.parametrize("text", NO_ADDRESS, ids=lambda text: ascii(text[:20]))
def test_what_is_no_address_is_a_sentence(text: str) -> None:
    if text == "[::1":
        assert address.parse(text).host == "::1"  # a forgotten bracket does no harm
        return
    with pytest.raises(UserError) as caught:
        address.parse(text)
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    "text",
    ["ana.local:1", "224.0.0.1:1", "0.0.0.0:1", "10.0.0.1:0", "1" * 70, "", "[::]:1", "http://10.0.0.1:1", "\0:1"],
)
def test_a_peer_can_make_us_dial_only_numbers(text: str) -> None:
    assert address.parse_literal(text) is None


def test_a_taken_port_is_an_error_on_every_kind_of_socket() -> None:
    for loopback in (True, False):
        with address.listening_socket(0, loopback=loopback) as first:
            port = first.getsockname()[1]
            with pytest.raises(OSError, match=r".*"):
                address.listening_socket(port, loopback=loopback)
