"""Write the test vectors of the ledger into protocol/vectors: encoding.json, keys.json, signatures.json,
chain.json.

Deterministic: the same program writes the same bytes (a test compares). `--check` only compares; exit code 1 if a file
would change.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

import msgspec

from frp2p.errors import PeerFault
from frp2p.games.fantasy_realms import GAME as FANTASY_REALMS
from frp2p.games.fantasy_realms import Options
from frp2p.ledger import limits
from frp2p.ledger.chain import head_digest, step_digest, tagged_hash
from frp2p.ledger.charter import ChartedSeat, Charter, charter_digest, new_charter, params_digest, table_code
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.provisions import Clock, provisions
from frp2p.ledger.records import Ack, AckBody, Consent, Part, PartBody, sign_ack, sign_part
from frp2p.ledger.signing import Signer, check_key, signed_bytes, verify

FOLDER = Path(__file__).resolve().parents[1] / "protocol" / "vectors"
SEEDS = tuple(sha256(f"frp2p vector seat {seat}".encode()).digest() for seat in range(2))
SIGNERS = tuple(Signer(seed) for seed in SEEDS)
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
ORDER_8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
ELAPSED_MS = 200
"""What every ack of the vectors states."""

CHARTER = new_charter(
    FANTASY_REALMS,
    Options(extra_suits=True, jester=True, phoenix="promo", cursed_items=True),
    "sealed",
    tuple(
        ChartedSeat(signer.public_key, name, sha256(f"frp2p vector nonce {name}".encode()).digest())
        for signer, name in zip(SIGNERS, ("Ana", "João"), strict=True)
    ),
    provisions(2, Clock(move_seconds=90, away_seconds=300)),
)
"""One that may be signed, with every card and item but the other Phoenix."""
ARBITER = ChartedSeat(
    Signer(sha256(b"frp2p vector arbiter").digest()).public_key, "Zoe", sha256(b"frp2p vector nonce Zoe").digest()
)
WITH_ARBITER = msgspec.structs.replace(CHARTER, provisions=provisions(2, arbiter=True), arbiter=ARBITER)
"""The same with an arbiter."""
GAME = charter_digest(CHARTER)
PART = PartBody(GAME, 0, GAME, 1, "charter", encode(Consent()))
ACK = AckBody(GAME, 0, 1, sha256(b"step").digest(), sha256(b"state").digest(), ELAPSED_MS)

KINDS: dict[str, tuple[Any, int]] = {
    "part-body": (PartBody, limits.MAX_BODY),
    "ack-body": (AckBody, limits.MAX_BODY),
    "record": (Charter | Part | Ack, limits.MAX_RECORD),
}
"""Type and size limit of what a vector is decoded as."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    same = True
    for name, content in files().items():
        path = FOLDER / name
        if check and path.read_text(encoding="utf-8") != content:
            print(f"{path} is out of date: run {Path(__file__).name}", file=sys.stderr)
            same = False
        elif not check:
            path.write_text(content, encoding="utf-8", newline="\n")
    return 0 if same else 1


def files() -> dict[str, str]:
    """Every file by name."""
    vectors = {"encoding.json": list(encodings()), "keys.json": list(keys())}
    vectors |= {"signatures.json": list(signatures()), "chain.json": [chain()]}
    return {name: _file(tests) for name, tests in vectors.items()}


def _file(tests: list[dict[str, Any]]) -> str:
    head = {"version": 1, "generator": Path(__file__).name, "count": len(tests), "tests": tests}
    return json.dumps(head, indent=1, ensure_ascii=False) + "\n"


def encodings() -> Iterator[dict[str, Any]]:
    """Valid ones with their value; invalid ones with the check that our decoder names."""
    part, ack = sign_part(SIGNERS[1], PART), sign_ack(SIGNERS[1], ACK)
    valid = [
        ("part-body", "charter", PART),
        ("part-body", "largest-step", msgspec.structs.replace(PART, step=limits.MAX_STEPS - 1)),
        ("part-body", "empty-payload", msgspec.structs.replace(PART, kind="move", payload=b"")),
        ("part-body", "payload-256", msgspec.structs.replace(PART, kind="move", payload=bytes(256))),
        ("ack-body", "ack", ACK),
        ("ack-body", "longest-wait", msgspec.structs.replace(ACK, elapsed_ms=limits.MAX_ELAPSED)),
        ("record", "part", part),
        ("record", "ack", ack),
        ("record", "charter", CHARTER),
        ("record", "charter-with-arbiter", WITH_ARBITER),
    ]
    for kind, name, value in valid:
        yield {
            "id": f"{kind}/{name}",
            "kind": kind,
            "result": "valid",
            "hex": encode(value).hex(),
            "value": _json(value),
        }
    for kind, name, data in invalid():
        test = {"id": f"{kind}/{name}", "kind": kind, "result": "invalid", "check": _check(kind, data)}
        yield test | {"hex": data.hex()}


def invalid() -> Iterator[tuple[str, str, bytes]]:
    """Each has one thing wrong."""
    good = encode(PART)
    head, game, step, rest = good[:1], good[1:35], good[35:36], good[36:]
    for name, other in {
        "uint-8": b"\xcc\x00", "uint-16": b"\xcd\x00\x00", "uint-32": b"\xce" + bytes(4), "uint-64": b"\xcf" + bytes(8),
        "int-8": b"\xd0\x00", "int-64": b"\xd3" + bytes(8), "negative": b"\xff", "too-large": b"\xcd\xc3\x50",
        "float-32": b"\xca" + bytes(4), "float-64": b"\xcb" + bytes(8), "nil": b"\xc0", "false": b"\xc2",
        "text": b"\xa10", "empty-map": b"\x80",
        "extension": b"\xd4\x01\x00", "time-stamp": b"\xd6\xff" + bytes(4), "reserved": b"\xc1",
    }.items():  # fmt: skip
        yield "part-body", f"step-as-{name}", head + game + other + rest
    yield "part-body", "long-array-header", b"\xdc\x00\x06" + good[1:]
    yield "part-body", "long-bytes-header", head + b"\xc5\x00\x20" + good[3:]
    yield "part-body", "long-text-header", good.replace(b"\xa7charter", b"\xd9\x07charter")
    yield "part-body", "bytes-as-text", head + b"\xd9\x20" + b"g" * 32 + step + rest
    yield "part-body", "text-as-bytes", good.replace(b"\xa7charter", b"\xc4\x07charter")
    yield "part-body", "short-digest", head + b"\xc4\x1f" + good[4:]
    yield "part-body", "unknown-kind", good.replace(b"\xa7charter", b"\xa7chapter")
    yield "part-body", "kind-not-utf-8", good.replace(b"\xa7charter", b"\xa7charte\xff")
    yield "part-body", "field-missing", b"\x95" + good[1:-11]
    yield "part-body", "field-too-many", b"\x97" + good[1:] + b"\xc0"
    yield "part-body", "trailing-byte", good + b"\x00"
    yield "part-body", "truncated", good[:-1]
    yield "part-body", "empty", b""
    yield "part-body", "as-a-map", b"\x81\xa4step\x00"
    yield "part-body", "duplicate-keys", b"\x82\xa4step\x00\xa4step\x01"
    yield "part-body", "array-of-2^32-1", b"\xdd\xff\xff\xff\xff"
    yield "part-body", "nested-5000-deep", b"\x91" * 5000 + b"\x90"
    yield "ack-body", "waits-too-long", encode(msgspec.structs.replace(ACK, elapsed_ms=limits.MAX_ELAPSED + 1))
    yield "ack-body", "is-a-part", good
    yield "record", "unknown-tag", encode(["vote", b"", bytes(64)])
    yield "record", "short-signature", encode(Part(good, bytes(63)))
    yield "record", "charter-of-one", encode(msgspec.structs.replace(CHARTER, seats=CHARTER.seats[:1]))
    charter = encode(CHARTER)
    yield "record", "charter-without-its-last-field", bytes([charter[0] - 1]) + charter[1:-1]


def _check(kind: str, data: bytes) -> str:
    type_, cap = KINDS[kind]
    try:
        decode(data, type_, cap=cap)
    except PeerFault as fault:
        return fault.check
    raise ValueError(f"not refused: {data.hex()}")


def keys() -> Iterator[dict[str, Any]]:
    """Public keys, and why they are refused."""
    small = {"order-4": 0, "order-1": 1, "order-2": P - 1, "order-8": ORDER_8, "order-8-negative": P - ORDER_8}
    named = {f"{name}-sign-{sign}": y | sign << 255 for name, y in small.items() for sign in (0, 1)}
    named |= {f"p-plus-{more}": P + more for more in (0, 1, 18)} | {"off-curve": 2, "all-ones": 2**256 - 1}
    for name, number in named.items():
        key = number.to_bytes(32, "little")
        yield {"id": name, "key": key.hex(), "result": "invalid", "check": _key_check(key)}
    for seat, signer in enumerate(SIGNERS):
        shown = {"fingerprint": fingerprint(signer.public_key), "seed": SEEDS[seat].hex()}
        yield {"id": f"seat-{seat}", "key": signer.public_key.hex(), "result": "valid", **shown}


def _key_check(key: bytes) -> str:
    try:
        check_key(key)
    except PeerFault as fault:
        return fault.check
    raise ValueError(f"not refused: {key.hex()}")


def signatures() -> Iterator[dict[str, Any]]:
    """Signatures of seat 1, and whether they hold. Libraries differ about the unusual ones."""
    key, body = SIGNERS[1].public_key, encode(PART)
    good = SIGNERS[1].sign("part", body)
    larger = int.from_bytes(good[32:], "little") + L
    cases = {
        "deterministic": good,
        "of-another-kind": SIGNERS[1].sign("ack", body),
        "of-another-body": SIGNERS[1].sign("part", encode(msgspec.structs.replace(PART, step=1))),
        "of-another-key": SIGNERS[0].sign("part", body),
        "s-plus-l": good[:32] + larger.to_bytes(32, "little"),
        "neutral-commitment": _with_commitment(1, body),
        "neutral-commitment-second-encoding": _with_commitment(P + 1, body),
        "commitment-of-order-8": _with_commitment(ORDER_8, body),
    }
    for name, signature in cases.items():
        holds = verify(key, "part", body, signature)
        test = {"id": name, "key": key.hex(), "kind": "part", "body": body.hex(), "signature": signature.hex()}
        yield test | ({"result": "valid"} if holds else {"result": "invalid", "check": "signature"})


def _with_commitment(y: int, body: bytes) -> bytes:
    """A signature of seat 1 whose first half is this number: right if that is decoded as the neutral point, or if the
    equation is multiplied by the cofactor and it is a point of small order."""
    commitment = y.to_bytes(32, "little")
    secret = int.from_bytes(sha512(SEEDS[1]).digest()[:32], "little") & (1 << 254) - 8 | 1 << 254
    digest = sha512(commitment + SIGNERS[1].public_key + signed_bytes("part", body)).digest()
    return commitment + (int.from_bytes(digest, "little") * secret % L).to_bytes(32, "little")


def chain() -> dict[str, Any]:
    """The first step of a ledger of two, every value on the way."""
    bodies = tuple(encode(msgspec.structs.replace(PART, seat=seat)) for seat in range(2))
    parts = [sign_part(signer, msgspec.structs.replace(PART, seat=seat)) for seat, signer in enumerate(SIGNERS)]
    digest = step_digest(GAME, 0, GAME, bodies)
    state = tagged_hash("state", ["setup", None, None])
    acks = [sign_ack(signer, AckBody(GAME, 0, seat, digest, state, ELAPSED_MS)) for seat, signer in enumerate(SIGNERS)]
    return {
        "id": "charter-step",
        "seeds": [seed.hex() for seed in SEEDS],
        "charter": encode(CHARTER).hex(),
        "charter_value": _json(CHARTER),
        "game": GAME.hex(),
        "params": params_digest(CHARTER).hex(),
        "table_code": table_code(GAME),
        "part_bodies": [body.hex() for body in bodies],
        "signed_bytes": signed_bytes("part", bodies[0]).hex(),
        "parts": [encode(part).hex() for part in parts],
        "step_digest": digest.hex(),
        "state_digest": state.hex(),
        "head": head_digest(digest, state).hex(),
        "elapsed_ms": ELAPSED_MS,
        "acks": [encode(ack).hex() for ack in acks],
    }


def _json(value: Any) -> Any:
    """The fields by name, bytes as hexadecimal."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [_json(item) for item in value]
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag
        fields = {name: _json(getattr(value, name)) for name in value.__struct_fields__}
        return fields if tag is None else {"tag": tag, **fields}
    return value


if __name__ == "__main__":
    sys.exit(main())
