"""Hashing without ambiguity, transcripts, numbers out of seeds, fair choices."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from deal_rig import seeded
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.deal.entropy import below, fresh, permutation
from frp2p.deal.fields import field, fields, hash_fields
from frp2p.deal.group import ORDER, wide_scalar
from frp2p.deal.stream import Stream
from frp2p.deal.transcript import Transcript
from frp2p.errors import LocalError

PIECES = st.lists(st.tuples(st.text(max_size=3), st.binary(max_size=3)), max_size=4)


@settings(deadline=None, max_examples=200)
@given(left=PIECES, right=PIECES)
def test_different_tuples_hash_differently(left: list[tuple[str, bytes]], right: list[tuple[str, bytes]]) -> None:
    """Moving a byte between label and data, or between two fields, changes the bytes that are hashed."""
    joined = [b"".join(field(*piece) for piece in side) for side in (left, right)]
    assert (joined[0] == joined[1]) == (left == right)


def test_lists_are_not_their_concatenation() -> None:
    assert fields("a", [b"xy"]) != fields("a", [b"x", b"y"])
    assert fields("a", []) + fields("a", []) != fields("a", [])
    assert hash_fields("d", ("a", b"x")) != hash_fields("d", ("a", [b"x"])) != hash_fields("e", ("a", [b"x"]))


def test_the_encoding_is_the_published_one() -> None:
    assert field("ab", b"xyz") == b"\x00\x02ab\x00\x00\x00\x03xyz"
    assert fields("a", [b"x", b""]) == b"\x00\x01a\0\0\0\4\0\0\0\2" + b"\x00\x01a\0\0\0\1x" + b"\x00\x01a\0\0\0\0"
    domain = b"\x00\x06domain\x00\x00\x00\x0afrp2p/v1/t"
    assert hash_fields("t", ("a", b"x")) == hashlib.sha512(domain + field("a", b"x")).digest()


def test_the_transcript_is_the_published_one() -> None:
    transcript = Transcript("test", ctx=b"c", event=b"e")
    transcript.absorb("m", b"1")
    transcript.absorb_int("n", 7)
    transcript.absorb_list("l", [b"2"])
    said = field("version", b"frp2p/v1") + field("proof", b"test") + field("ctx", b"c") + field("event", b"e")
    said += field("m", b"1") + field("n", b"\0\0\0\7") + fields("l", [b"2"])
    first = hashlib.sha512(said).digest()
    assert transcript.state() == first
    assert transcript.challenge() == int.from_bytes(first, "little") % ORDER
    second = hashlib.sha512(field("rekey", first)).digest()
    assert transcript.challenges(2) == [
        wide_scalar(hashlib.sha512(second + bytes([0, 0, 0, at])).digest()) for at in range(2)
    ]
    third = hashlib.sha512(field("rekey", second)).digest()
    weight = hashlib.sha512(third + bytes(4)).digest()[:16]
    assert transcript.weights(1) == [int.from_bytes(weight, "little")]


@pytest.mark.parametrize("bound", [0, -1, (1 << 32) + 1])
def test_bounds(bound: int) -> None:
    with pytest.raises(LocalError):
        below(fresh, bound)
    with pytest.raises(LocalError):
        Stream(b"seed").below(bound)


def test_draws_above_the_last_multiple_are_thrown_away() -> None:
    """With 3 sides 2**64 - 1 would favour 0: it is drawn again."""
    words = iter([b"\xff" * 8, (5).to_bytes(8, "big")])
    assert below(lambda _: next(words), 3) == 2
    assert below(lambda _: b"\xff" * 8, 1 << 32) == (1 << 32) - 1


def test_a_stream_reads_shake_word_by_word() -> None:
    stream = Stream(b"seed")
    words = hashlib.shake_256(b"seed").digest(24)
    assert [stream.below(10) for _ in range(3)] == [int.from_bytes(words[at : at + 8], "big") % 10 for at in (0, 8, 16)]


def test_a_stream_ends() -> None:
    stream = Stream(b"seed")
    for _ in range(1024):
        stream.below(2)
    with pytest.raises(LocalError):
        stream.below(2)


def test_permutations_are_uniform() -> None:
    """All 24 orders of 4, each within five deviations of its share, from both sources."""
    draw = seeded("p")
    for made in (
        [tuple(permutation(draw, 4)) for _ in range(4800)],
        [tuple(Stream(b"%d" % at).permutation(4)) for at in range(4800)],
    ):
        counts = Counter(made)
        assert len(counts) == 24
        assert all(abs(count - 200) < 5 * 200**0.5 for count in counts.values())


def test_fresh_bytes_differ() -> None:
    assert len({fresh(16) for _ in range(100)}) == 100
