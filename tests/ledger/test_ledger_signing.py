"""Identities: domains of signatures, keys that are refused, fingerprints and table codes."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.errors import PeerFault
from frp2p.ledger import signing
from frp2p.ledger.base32 import ALPHABET, spell, tidy
from frp2p.ledger.charter import table_code
from frp2p.ledger.fingerprint import fingerprint, read_fingerprint
from frp2p.ledger.signing import Signer, check_key, signed_bytes, verify

SIGNER = Signer(bytes(range(32)))
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493


def test_the_key_is_that_of_rfc_8032() -> None:
    signer = Signer(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    assert signer.public_key.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


def test_a_signature_is_of_one_kind_body_and_key() -> None:
    signature = SIGNER.sign("part", b"body")
    assert verify(SIGNER.public_key, "part", b"body", signature)
    assert not verify(SIGNER.public_key, "ack", b"body", signature)
    assert not verify(SIGNER.public_key, "part", b"bodx", signature)
    assert not verify(Signer(bytes(32)).public_key, "part", b"body", signature)
    assert not verify(SIGNER.public_key[:31], "part", b"body", signature)
    assert not verify(SIGNER.public_key, "part", b"body", signature[:63])
    assert signed_bytes("part", b"\0x") == b"frp2p/1/part\0\0x"


def test_every_flipped_bit_of_a_signature_is_seen() -> None:
    signature = SIGNER.sign("part", b"body")
    for bit in range(512):
        flipped = bytearray(signature)
        flipped[bit // 8] ^= 1 << bit % 8
        assert not verify(SIGNER.public_key, "part", b"body", bytes(flipped))


def test_what_was_found_good_is_good_for_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Good signatures are remembered: with all that they are about, only the good ones, and not without end."""
    monkeypatch.setattr(signing, "_GOOD_KEPT", 4)
    monkeypatch.setattr(signing, "_good", set())
    one, two = Signer(bytes(32)), Signer(bytes([1]) * 32)
    for number in range(12):
        body = bytes([number])
        good = one.sign("part", body)
        for _again in range(2):
            assert verify(one.public_key, "part", body, good)
            assert not verify(two.public_key, "part", body, good)
            assert not verify(one.public_key, "ack", body, good)
            assert not verify(one.public_key, "part", body + b"x", good)
            assert not verify(one.public_key, "part", body, good[:-1] + bytes([good[-1] ^ 1]))
        assert 1 <= len(signing._good) <= 4


def test_a_signature_has_no_second_form() -> None:
    """S + L satisfies the same equation."""
    signature = SIGNER.sign("part", b"body")
    larger = int.from_bytes(signature[32:], "little") + L
    assert not verify(SIGNER.public_key, "part", b"body", signature[:32] + larger.to_bytes(32, "little"))


def _points_of_small_order() -> set[bytes]:
    """All eight, computed here from the curve equation: y with 8 * (x, y) = the neutral point, both signs of x."""
    d = -121665 * pow(121666, -1, P) % P
    root = pow(2, (P - 1) // 4, P)

    def sqrt(a: int) -> int | None:
        r = pow(a, (P + 3) // 8, P)
        return r if r * r % P == a % P else r * root % P if (r * root) ** 2 % P == a % P else None

    # Order 8: doubling gives order 4, y = 0, so x^2 + y^2 = 0 in the addition law: x^2 = -y^2 on the curve.
    found = {0, 1, P - 1}
    # -x^2 + y^2 = 1 + d x^2 y^2 with x^2 = -y^2: 2 y^2 = 1 - d y^4
    for sign in (1, -1):
        disc = sqrt(4 + 4 * d)
        assert disc is not None
        square = (-2 + sign * disc) * pow(2 * d, -1, P) % P
        y = sqrt(square)
        if y is not None:
            found |= {y, P - y}
    assert len(found) == 5
    return {(y | bit << 255).to_bytes(32, "little") for y in found for bit in (0, 1)}


def test_keys_of_small_order_are_refused() -> None:
    points = _points_of_small_order()
    assert len(points) == 10  # eight points; two of them have x = 0 and so a second, improper sign
    for key in points:
        with pytest.raises(PeerFault) as caught:
            check_key(key)
        assert caught.value.check == "key-small-order"


def test_why_they_are_refused() -> None:
    """With the neutral point as key, one signature fits every message, and the library says so."""
    neutral = (1).to_bytes(32, "little")
    forged = neutral + bytes(32)
    for message in (b"I resign", b"I win"):
        Ed25519PublicKey.from_public_bytes(neutral).verify(forged, message)


@pytest.mark.parametrize("y", [*range(P, 2**255)])
def test_second_encodings_are_refused(y: int) -> None:
    for bit in (0, 1):
        with pytest.raises(PeerFault) as caught:
            check_key((y | bit << 255).to_bytes(32, "little"))
        assert caught.value.check == "key-canonical"


def test_other_keys() -> None:
    check_key(SIGNER.public_key)
    for bad, check in ((b"", "key-size"), (bytes(33), "key-size"), ((2).to_bytes(32, "little"), "key-curve")):
        with pytest.raises(PeerFault) as caught:
            check_key(bad)
        assert caught.value.check == check


@given(st.binary(min_size=32, max_size=32))
@settings(max_examples=100, deadline=None)
def test_every_made_key_is_good(seed: bytes) -> None:
    check_key(Signer(seed).public_key)


def test_spelling() -> None:
    assert spell(b"\x00\x00\x00\x00\x00", 8) == "00000000"
    assert spell(b"\xff\xff\xff\xff\xff", 8) == "ZZZZZZZZ"
    assert spell(b"\x08\x42", 3) == "111"
    assert tidy(" k7q2-mpxa oil") == "K7Q2MPXA011"
    with pytest.raises(ValueError, match="9"):
        spell(bytes(5), 9)


def test_a_table_code_is_short() -> None:
    code = table_code(bytes(32))
    assert code == table_code(bytes(32)) != table_code(bytes(31) + b"\1")
    assert len(code) == 9
    assert code[4] == "-"
    assert set(code) <= set(ALPHABET + "-")


def test_a_fingerprint_is_read_as_it_was_typed() -> None:
    text = fingerprint(SIGNER.public_key)
    assert len(text) == 23
    assert read_fingerprint(text) == text
    assert read_fingerprint(text.lower().replace("-", " ").replace("1", "l").replace("0", "o")) == text
    for wrong in ("", text[:-1], text + "0"):
        with pytest.raises(ValueError, match="0"):
            read_fingerprint(wrong)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 19), st.integers(1, 31))
@settings(max_examples=200, deadline=None)
def test_every_single_slip_shows_in_its_group(key: bytes, place: int, by: int) -> None:
    letters = tidy(fingerprint(key))
    wrong = ALPHABET[(ALPHABET.index(letters[place]) + by) % 32]
    with pytest.raises(ValueError, match=f"^{place // 5 + 1}$"):
        read_fingerprint(letters[:place] + wrong + letters[place + 1 :])


@given(st.binary(min_size=32, max_size=32), st.permutations(range(4)))
@settings(max_examples=50, deadline=None)
def test_swapped_groups_show(key: bytes, order: list[int]) -> None:
    groups = fingerprint(key).split("-")
    mixed = "-".join(groups[at] for at in order)
    if order != [0, 1, 2, 3]:
        with pytest.raises(ValueError, match=r"[1-4]"):
            read_fingerprint(mixed)
