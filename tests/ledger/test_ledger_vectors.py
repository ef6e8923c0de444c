"""The vectors of the protocol, read twice: by the program, and by a small reader made from the page alone."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from frp2p.errors import PeerFault
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.signing import check_key

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "protocol" / "vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    data = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    tests: list[dict[str, Any]] = data["tests"]
    assert data["count"] == len(tests) == len({test["id"] for test in tests})
    return tests


ENCODING = vectors("encoding.json")
KEYS = vectors("keys.json")
[CHAIN] = vectors("chain.json")


def ids(tests: list[dict[str, Any]]) -> list[str]:
    return [test["id"] for test in tests]


# the small reader: protocol/04-encoding.md, section 1, without any library


def write(value: Any) -> bytes:
    """The canonical encoding."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _write_int(value)
    if isinstance(value, str):
        return _header(len(value.encode()), 0xA0, 32, b"\xd9\xda\xdb") + value.encode()
    if isinstance(value, bytes):
        return _header(len(value), 0, 0, b"\xc4\xc5\xc6") + value
    return _header(len(value), 0x90, 16, b"\0\xdc\xdd") + b"".join(write(item) for item in value)


def _write_int(value: int) -> bytes:
    if -32 <= value < 128:
        return (value & 0xFF).to_bytes(1, "big")
    for power, size in enumerate((1, 2, 4, 8)):
        if 0 <= value < 1 << 8 * size:
            return bytes([0xCC + power]) + value.to_bytes(size, "big")
        if value < 0 and -(1 << 8 * size - 1) <= value:
            return bytes([0xD0 + power]) + value.to_bytes(size, "big", signed=True)
    raise ValueError(value)


def _header(length: int, fixed: int, fixed_below: int, heads: bytes) -> bytes:
    if length < fixed_below:
        return bytes([fixed | length])
    for head, size in zip(heads, (1, 2, 4), strict=True):
        if head and length < 1 << 8 * size:
            return bytes([head]) + length.to_bytes(size, "big")
    raise ValueError(length)


def read(data: bytes) -> Any:
    """The value; ValueError for everything that is not canonical."""
    value, end = _read(data, 0, 8)
    if end != len(data) or write(value) != data:
        raise ValueError("not canonical")
    return value


def _read(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    if at >= len(data) or depth < 0:
        raise ValueError("too short or too deep")
    head = data[at]
    if head < 0x80 or head >= 0xE0:
        return head - 256 * (head >= 0xE0), at + 1
    if head in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[head], at + 1
    if 0xCC <= head <= 0xD3:
        size = 1 << (head & 3)
        return int.from_bytes(_take(data, at + 1, size), "big", signed=head >= 0xD0), at + 1 + size
    if 0x90 <= head < 0xC0:
        start, length = at + 1, head & (0x0F if head < 0xA0 else 0x1F)
    elif head in b"\xc4\xc5\xc6\xd9\xda\xdb\xdc\xdd":
        size = {0xC4: 1, 0xD9: 1, 0xC5: 2, 0xDA: 2, 0xDC: 2}.get(head, 4)
        start, length = at + 1 + size, int.from_bytes(_take(data, at + 1, size), "big")
    else:
        raise ValueError("not in the profile")
    if head in b"\xc4\xc5\xc6":
        return _take(data, start, length), start + length
    if 0xA0 <= head < 0xC0 or head in b"\xd9\xda\xdb":
        return _take(data, start, length).decode(), start + length
    items = []
    for _ in range(length):
        item, start = _read(data, start, depth - 1)
        items.append(item)
    return items, start


def _take(data: bytes, at: int, size: int) -> bytes:
    if at + size > len(data):
        raise ValueError("too short")
    return data[at : at + size]


def tagged(name: str, value: Any) -> bytes:
    return sha256(b"frp2p/1/" + name.encode() + b"\0" + write(value)).digest()


def fields(value: Any) -> Any:
    """The JSON form of a value as the list that travels."""
    if isinstance(value, dict):
        return [fields(item) for item in value.values()]
    return [fields(item) for item in value] if isinstance(value, list) else value


def as_json(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    return [as_json(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("test", ENCODING, ids=ids(ENCODING))
def test_encodings_for_the_small_reader(test: dict[str, Any]) -> None:
    data = bytes.fromhex(test["hex"])
    if test["result"] == "valid":
        assert as_json(read(data)) == fields(test["value"])
    elif test["check"] != "encoding-type" and not test["id"].endswith("field-too-many"):
        with pytest.raises(ValueError, match=r"."):
            read(data)


def test_the_chain_for_the_small_reader() -> None:
    charter, game = read(bytes.fromhex(CHAIN["charter"])), bytes.fromhex(CHAIN["game"])
    _tag, version, name, options, dealer, catalogue, provided, seats = charter
    assert game == tagged("charter", charter)
    params = tagged("params", [version, name, options, dealer, catalogue, provided, len(seats)])
    assert params == bytes.fromhex(CHAIN["params"])
    letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    number = int.from_bytes(sha256(b"frp2p/1/code\0" + game).digest()[:5], "big")
    code = "".join(letters[number >> 5 * place & 31] for place in reversed(range(8)))
    assert CHAIN["table_code"] == f"{code[:4]}-{code[4:]}"
    bodies = [bytes.fromhex(body) for body in CHAIN["part_bodies"]]
    step = tagged("step", [game, 0, game, bodies])
    state = tagged("state", ["setup", None, None])
    assert (step.hex(), state.hex()) == (CHAIN["step_digest"], CHAIN["state_digest"])
    assert tagged("head", [step, state]).hex() == CHAIN["head"]
    for seat in (0, 1):
        private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(CHAIN["seeds"][seat]))
        assert private.public_key().public_bytes_raw() == seats[seat][0]
        for kind, body in (("part", bodies[seat]), ("ack", write([game, 0, seat, step, state, 200]))):
            record = read(bytes.fromhex(CHAIN[f"{kind}s"][seat]))
            assert record[:2] == [kind, body]
            signed = b"frp2p/1/" + kind.encode() + b"\0" + body
            Ed25519PublicKey.from_public_bytes(seats[seat][0]).verify(record[2], signed)
            assert record[2] == private.sign(signed)
    assert bytes.fromhex(CHAIN["signed_bytes"]) == b"frp2p/1/part\0" + bodies[0]


@pytest.mark.parametrize("test", KEYS, ids=ids(KEYS))
def test_keys(test: dict[str, Any]) -> None:
    key = bytes.fromhex(test["key"])
    if test["result"] == "valid":
        check_key(key)
        assert fingerprint(key) == test["fingerprint"]
    else:
        with pytest.raises(PeerFault) as caught:
            check_key(key)
        assert caught.value.check == test["check"]


def test_the_files_are_those_that_the_generator_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import make_ledger_vectors

    for name, content in make_ledger_vectors.files().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == content, (
            f"run scripts/{Path(make_ledger_vectors.__file__).name}"
        )
    del sys.modules["make_ledger_vectors"]
