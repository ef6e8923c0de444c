"""A scalar for one seat's eyes in the open record: hashed ElGamal, in the group of everything else.

Envelope (R, c) with R = r g and c = m + pad mod L, where pad hashes table, sender, receiver, E, R and Z = r E = e R
(Abdalla, Bellare, Rogaway 2001, with the scalar itself under the pad). The key E = e g is for one envelope: whoever got
a wrong one shows e, everybody opens that envelope, and nothing else. All of it follows from the seat's own `Entropy`,
so that a seat which comes back says the same again (HPKE as libraries offer it takes its randomness elsewhere).
"""

from __future__ import annotations

from dataclasses import dataclass

from frp2p.deal.fields import hash_fields, u8
from frp2p.deal.group import ORDER, SIZE, Group, Point, scalar_bytes, wide_scalar
from frp2p.deal.parse import read_points, read_scalars
from frp2p.games.verbs import Seat


@dataclass(frozen=True)
class Envelope:
    """`r` R and `content` c."""

    r: Point
    content: int


@dataclass(frozen=True)
class Address:
    """Who writes to whom at which table; `key` is the receiver's E for this sender."""

    ctx: bytes
    sender: Seat
    receiver: Seat
    key: Point

    def pad(self, r: Point, common: Point) -> int:
        """The scalar under which the content hides; `common` is Z."""
        return wide_scalar(
            hash_fields(
                "envelope",
                ("ctx", self.ctx),
                ("sender", u8(self.sender)),
                ("receiver", u8(self.receiver)),
                ("points", [self.key, r, common]),
            )
        )


def seal(group: Group, address: Address, content: int, nonce: int) -> Envelope:
    """The envelope with this content; `nonce` r is used once."""
    r = group.base(nonce)
    return Envelope(r, (content + address.pad(r, group.mul(address.key, nonce))) % ORDER)


def unseal(group: Group, address: Address, envelope: Envelope, secret: int) -> int:
    """The content, with the secret e of the address's key. Every envelope has one, right or wrong."""
    return (envelope.content - address.pad(envelope.r, group.mul(envelope.r, secret))) % ORDER


def write(envelopes: list[Envelope]) -> bytes:
    """64 bytes each: R, c."""
    return b"".join(envelope.r + scalar_bytes(envelope.content) for envelope in envelopes)


def read(group: Group, blob: bytes, count: int) -> list[Envelope]:
    """Exactly `count` envelopes out of a peer's bytes; PeerFault otherwise."""
    parts = [blob[at : at + SIZE] for at in range(0, len(blob), SIZE)]
    points = read_points(group, b"".join(parts[::2]), count)
    scalars = read_scalars(b"".join(parts[1::2]), count)
    return [Envelope(*pair) for pair in zip(points, scalars, strict=True)]
