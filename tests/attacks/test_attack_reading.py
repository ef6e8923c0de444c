"""Attempts to read cards without a key, and signatures in two forms."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from inspect import signature

import msgspec
import pytest
from attack_curve import TORSION, affine, times
from attack_kit import (
    GROUP,
    OTHER_KEY,
    POINT,
    SMALL,
    X,
    body,
    shuffled_deck,
    table,
)
from deal_rig import HAND, Rig, seeded
from table_kit import Rig as Table
from table_kit import signer, with_cheat

from frp2p.deal.elgamal import Ciphertext, remask
from frp2p.deal.group import BASE, IDENTITY, ORDER, Point, scalar
from frp2p.deal.group.edwards import P as FIELD
from frp2p.deal.group.edwards import add, decode, prepare
from frp2p.deal.transcript import Nonces
from frp2p.games.verbs import TABLE, Draw, Reveal, Seal, Shuffle
from frp2p.ledger.chain import step_digest
from frp2p.ledger.records import Part, read_part_body
from frp2p.ledger.signing import signed_bytes, verify
from frp2p.table.messages import AnyMessage

# 19, 20, 21 reading without a key


def multiples(values: list[Point]) -> dict[int, int]:
    """The values that are 2, 3, .. 60 times the first, with their factors."""
    found, now = {}, values[0]
    for factor in range(2, 61):
        now = GROUP.add(now, values[0])
        if now in values:
            found[values.index(now)] = factor
    return found


@pytest.mark.pitfall(19, 20)
def test_cards_that_are_multiples_of_each_other() -> None:
    """Cards i g, all multiplied by one secret: whoever tries each value as the first card reads all, without a key."""
    count = 10
    naive = [GROUP.mul(GROUP.base(at + 1), X) for at in range(count)]
    assert multiples(naive) == {at: at + 1 for at in range(1, count)}
    points = table().peers[None]._points
    ours = [GROUP.mul(points[card], X) for card in HAND[: min(count, len(SMALL["hand"]))]]
    for first in range(len(ours)):
        assert multiples(ours[first:] + ours[:first]) == {}


def dictionary(rig: Rig) -> Mapping[Point, str]:
    """B of every card that nobody has masked yet."""
    joint = rig.peers[None].locks.joint
    return {GROUP.add(point, joint): card for point, card in rig.peers[None]._cards.items()}


@pytest.mark.pitfall(20, 32)
def test_a_dictionary_of_the_open_deck() -> None:
    """Before the first shuffle the deck is public and the dictionary reads it; after it not a single card."""
    rig = table()
    (sealed,) = rig.do(Seal(HAND[:8], TABLE))
    words = dictionary(rig)
    assert [words[body(rig, slot).b] for slot in sealed.slots] == list(HAND[:8])
    (mixed,) = rig.do(Shuffle(sealed.slots, TABLE))
    assert not any(body(rig, slot).b in words for slot in mixed.slots)


@pytest.mark.pitfall(20)
def test_a_card_never_looks_the_same_twice() -> None:
    """Every ciphertext of a game differs from every other in both halves, although the cards come back."""
    rig = table()
    seen: set[Point] = set()
    for _ in range(3):
        slots = shuffled_deck(rig, 4)
        halves = {half for slot in slots for half in body(rig, slot)}
        assert len(halves) == 8
        assert not halves & seen
        seen |= halves
        rig.do(Draw(slots, 1))
        rig.do(Reveal(slots))


@pytest.mark.pitfall(21)
def test_short_masks_are_tried_out() -> None:
    """A mask of 10 bits is found by counting; ours use the whole range."""
    table_of = {}
    now = IDENTITY
    for mask in range(1 << 10):
        table_of[now] = mask
        now = GROUP.add(now, BASE)
    short = remask(GROUP, OTHER_KEY, Ciphertext(IDENTITY, POINT), 777)
    assert GROUP.sub(short.b, GROUP.mul(OTHER_KEY, table_of[short.a])) == POINT
    rig = table()
    assert not any(body(rig, slot).a in table_of for slot in shuffled_deck(rig))
    drawn = Nonces(secret=X, entropy=seeded("n"), state=b"").take(500)
    assert max(drawn) > ORDER * 9 // 10
    assert sum(value.bit_length() > 245 for value in drawn) > 490


# 22 signatures that can be changed


def second_signature(place: int, text: bytes, nonce: int) -> bytes:
    """Another valid signature of the same text: Ed25519 with a nonce of the signer's choice (RFC 8032, 5.1.6)."""
    seed = hashlib.sha256(f"table kit 0 {place}".encode()).digest()
    half = bytearray(hashlib.sha512(seed).digest()[:32])
    half[0] &= 248
    half[31] = half[31] & 63 | 64
    y = 4 * pow(5, -1, FIELD) % FIELD
    choices = [add(decode(BASE), prepare(times(TORSION, k))) for k in range(4)]
    base = next(point for point in choices if affine(point)[1] == y and affine(point)[0] % 2 == 0)
    x, y = affine(times(base, nonce))
    r = (y | (x & 1) << 255).to_bytes(32, "little")
    challenge = int.from_bytes(hashlib.sha512(r + signer(place).public_key + text).digest(), "little")
    s = (nonce + challenge * int.from_bytes(half, "little")) % ORDER
    return r + s.to_bytes(32, "little")


@pytest.mark.pitfall(22)
def test_two_signatures_of_one_statement_are_one_statement() -> None:
    """A seat that signs everything twice: nobody is accused, and the table agrees on one record all the same."""
    rig = Table(3)

    def tamper(key: bytes, message: AnyMessage) -> list[AnyMessage]:
        if isinstance(message, Part) and read_part_body(message.body).seat == 1 and key == rig.keys[2]:
            other = second_signature(1, signed_bytes("part", message.body), 987654321)
            assert other != message.signature
            assert verify(rig.keys[1], "part", message.body, other)
            return [msgspec.structs.replace(message, signature=other), message]
        return [message]

    with_cheat(rig, 1, tamper)
    rig.open()
    assert rig.run()
    assert [peer.status().phase for peer in rig.peers] == ["over"] * 3
    assert len({peer.status().digest for peer in rig.peers}) == 1


@pytest.mark.pitfall(22)
def test_a_signature_is_not_part_of_what_it_signs() -> None:
    """S + L is no signature; and the digest of a step takes bodies, never signatures."""
    text = b"body"
    good = signer(0).sign("part", text)
    high = good[:32] + (scalar(good[32:]) + ORDER).to_bytes(32, "little")
    assert verify(signer(0).public_key, "part", text, good)
    assert not verify(signer(0).public_key, "part", text, high)
    assert list(signature(step_digest).parameters) == ["game", "step", "prev", "bodies"]
