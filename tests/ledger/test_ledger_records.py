"""Signed records: bounds, whose signature, and nothing that fits anywhere else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from ledger_kit import signers

from frp2p.errors import PeerFault
from frp2p.ledger import limits
from frp2p.ledger.chain import head_digest, step_digest, tagged_hash
from frp2p.ledger.codec import encode
from frp2p.ledger.records import (
    Ack,
    AckBody,
    Part,
    PartBody,
    open_ack,
    open_part,
    read_part_body,
    sign_ack,
    sign_part,
)

ONE, TWO = signers(2)
KEYS = (ONE.public_key, TWO.public_key)
PART = PartBody(b"g" * 32, 3, b"p" * 32, 0, "move", b"payload")
ACK = AckBody(b"g" * 32, 3, 1, b"s" * 32, b"t" * 32, 12)


def refused(check: str, seat: int | None, act: Any, *args: Any) -> None:
    with pytest.raises(PeerFault) as caught:
        act(*args)
    assert (caught.value.check, caught.value.seat) == (check, seat)


def test_a_record_opens_for_the_seat_that_signed_it() -> None:
    assert open_part(sign_part(ONE, PART), KEYS) == PART
    assert open_ack(sign_ack(TWO, ACK), KEYS) == ACK


def test_a_record_of_another_signer_is_refused() -> None:
    refused("signature", None, open_part, sign_part(TWO, PART), KEYS)
    refused("signature", None, open_ack, sign_ack(ONE, ACK), KEYS)


def test_a_part_is_never_an_ack() -> None:
    """The same bytes signed as one kind do not verify as the other, even where the body would decode."""
    ack = sign_ack(TWO, ACK)
    part = Part(ack.body, ack.signature)
    refused("encoding-type", None, open_part, part, KEYS)
    data = encode(ACK)
    refused("signature", None, open_ack, Ack(data, TWO.sign("part", data)), KEYS)


def test_a_seat_that_is_not_there() -> None:
    refused("seat-range", None, open_part, sign_part(ONE, msgspec.structs.replace(PART, seat=2)), KEYS)
    refused("seat-range", None, open_ack, sign_ack(ONE, msgspec.structs.replace(ACK, seat=6)), KEYS)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", b"g" * 31), ("game", b"g" * 33), ("step", -1), ("step", limits.MAX_STEPS), ("prev", b""),
        ("seat", -1), ("seat", 7), ("kind", "vote"), ("kind", ""), ("payload", bytes(limits.MAX_PAYLOAD["deal"] + 1)),
    ],
)  # fmt: skip
def test_every_field_of_a_part_is_bounded(field: str, value: Any) -> None:
    data = encode(msgspec.structs.replace(PART, **{field: value}))
    refused("encoding-type", None, read_part_body, data)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", b"g" * 31), ("step", limits.MAX_STEPS), ("seat", 7), ("step_digest", b"s" * 33),
        ("state_digest", b""), ("elapsed_ms", -1), ("elapsed_ms", limits.MAX_ELAPSED + 1),
    ],
)  # fmt: skip
def test_every_field_of_an_ack_is_bounded(field: str, value: Any) -> None:
    refused("encoding-type", None, open_ack, sign_ack(TWO, msgspec.structs.replace(ACK, **{field: value})), KEYS)


@pytest.mark.parametrize("kind", limits.MAX_PAYLOAD)
def test_payloads_are_bounded_by_their_kind(kind: Any) -> None:
    cap = limits.MAX_PAYLOAD[kind]
    largest = msgspec.structs.replace(PART, kind=kind, payload=bytes(cap))
    part = sign_part(ONE, largest)
    assert open_part(part, KEYS) == largest
    assert len(encode(part)) <= cap + limits.PART_OVERHEAD <= limits.MAX_RECORD
    beyond = encode(msgspec.structs.replace(largest, payload=bytes(cap + 1)))
    with pytest.raises(PeerFault) as caught:
        read_part_body(beyond)
    assert caught.value.check == ("encoding-type" if kind == "deal" else "payload-size")


def test_a_body_longer_than_any_is_not_looked_at() -> None:
    refused("encoding-size", None, read_part_body, bytes(limits.MAX_BODY + 1))


def test_the_chain_is_what_the_page_says() -> None:
    from hashlib import sha256

    bodies = (b"one", b"two")
    listed = b"\x94" + b"\xc4\x20" + b"g" * 32 + b"\x03" + b"\xc4\x20" + b"p" * 32 + b"\x92\xc4\x03one\xc4\x03two"
    step = sha256(b"frp2p/1/step\0" + listed).digest()
    assert step_digest(b"g" * 32, 3, b"p" * 32, bodies) == step
    head = sha256(b"frp2p/1/head\0\x92\xc4\x20" + step + b"\xc4\x20" + b"t" * 32).digest()
    assert head_digest(step, b"t" * 32) == head
    assert tagged_hash("step", []) == sha256(b"frp2p/1/step\0\x90").digest()


def test_the_chain_binds_everything() -> None:
    base: dict[str, Any] = {"game": b"g" * 32, "step": 3, "prev": b"p" * 32, "bodies": (b"ab", b"c")}
    changes: list[dict[str, Any]] = [
        {}, {"game": b"h" * 32}, {"step": 4}, {"prev": b"q" * 32}, {"bodies": (b"a", b"bc")},
        {"bodies": (b"c", b"ab")}, {"bodies": (b"abc",)}, {"bodies": (b"ab", b"c", b"")},
    ]  # fmt: skip
    digests = {step_digest(**(base | change)) for change in changes}
    assert len(digests) == len(changes)
