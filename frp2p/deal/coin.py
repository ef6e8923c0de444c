"""A joint uniform number by commit, then reveal. It suffices here because the secret is meant to be known in the end.

The last to open may refuse (the table then stops with its name); it can't choose the number.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from frp2p.deal.dealer import Entropy
from frp2p.deal.fields import hash_fields, u8
from frp2p.deal.rounds import Task
from frp2p.deal.stream import Stream
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Number, Outcome, Seat

SECRET_SIZE = 32
"""Bytes of one seat's part of a coin."""

Digest64 = Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]
Secret32 = Annotated[bytes, msgspec.Meta(min_length=SECRET_SIZE, max_length=SECRET_SIZE)]


class Commit(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="commit"):
    """First round: the hash of my part."""

    digest: Digest64


class Open(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="open"):
    """Second round: my part."""

    secret: Secret32


def commitment(context: bytes, event: bytes, seat: Seat, secret: bytes) -> bytes:
    """64 bytes that bind `seat` to `secret` in this very event and show nothing of it."""
    return hash_fields("commit", ("ctx", context), ("event", event), ("seat", u8(seat)), ("secret", secret))


class CoinTask(Task):
    """Two rounds: all commit, all open."""

    def __init__(
        self,
        *,
        everybody: tuple[Seat, ...],
        me: Seat | None,
        sides: int,
        context: bytes,
        event: bytes,
        entropy: Entropy,
    ) -> None:
        self._everybody = everybody
        self._me = me
        self._sides = sides
        self._context = context
        self._event = event
        self._entropy = entropy
        self._secret: bytes | None = None
        self._digests: Mapping[Seat, bytes] | None = None
        self._secrets: Mapping[Seat, bytes] | None = None

    def speakers(self) -> tuple[Seat, ...]:
        return self._everybody if self._secrets is None else ()

    def speak(self) -> Commit | Open:
        if self._me is None:
            raise LocalError("an observer has no part in a coin")
        if self._digests is None:
            if self._secret is None:
                self._secret = self._entropy(SECRET_SIZE)
            return Commit(commitment(self._context, self._event, self._me, self._secret))
        if self._secret is None:
            raise LocalError("nothing was committed to")
        return Open(self._secret)

    def check(self, seat: Seat, item: Any) -> bytes:
        if self._digests is None:
            if not isinstance(item, Commit):
                raise PeerFault("item-type")
            return item.digest
        if not isinstance(item, Open):
            raise PeerFault("item-type")
        expected = commitment(self._context, self._event, seat, item.secret)
        if not hmac.compare_digest(expected, self._digests[seat]):
            raise PeerFault("coin-commitment")
        return item.secret

    def close(self, items: Mapping[Seat, bytes]) -> None:
        if self._digests is None:
            self._digests = dict(items)
        else:
            self._secrets = dict(items)

    def settle(self) -> Outcome:
        if self._secrets is None:
            raise LocalError("the coin is still in the air")
        secrets = [self._secrets[seat] for seat in self._everybody]
        seed = hash_fields("coin", ("ctx", self._context), ("event", self._event), ("secrets", secrets))
        return Number(Stream(seed).below(self._sides))
