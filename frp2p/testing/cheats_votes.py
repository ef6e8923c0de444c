"""Cheats that go for the votes by which a table decides about a seat, and seats that leave it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from frp2p.ledger.votes import (
    Accept,
    Accepted,
    How,
    Keep,
    Out,
    PrepareBody,
    Promise,
    PromiseBody,
    Propose,
    read_vote,
    sign_vote,
)
from frp2p.table.messages import AnyMessage
from frp2p.testing.cheat import Cheat
from frp2p.testing.watching import loop_of


class Gone(Cheat):
    """Goes away for good, without a word."""

    ends = frozenset({"over", "stuck"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        self.later(0.0, self.vanish)
        return ()


class Leaver(Cheat):
    """Says farewell in the middle of the game, and keeps to the rules. (No cheat, but it sits where one may.)"""

    ends = frozenset({"over", "stopped", "stuck"})
    honest = True

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        if not self.noise:
            self.noise = 1
            self.later(0.0, self._leave)
        return (message,)

    def _leave(self) -> None:
        if not self.idle:
            self.peer.leave(self.now)
            self.settle()


class Accuser(Cheat):
    """Says of everybody that they are too slow, all the time."""

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        body = self.mine(message)
        if body is None or self.since > body.step:
            return (message,)
        others = tuple(seat.seat for seat in self.peer.status().seats if seat.seat != body.seat)
        accused = PrepareBody(body.game, body.step, body.prev, body.seat, 7, others)
        return (message, *self.babble(sign_vote(self.signer, accused)))


class Usurper(Cheat):
    """Keeps its parts back, and when a vote about that begins, tries to have somebody else voted out."""

    ends = frozenset({"over", "stuck", "stopped"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        if self.mine(message) is not None:
            return ()
        if isinstance(message, Propose):
            body = read_vote(message)
            if body.seat == self.seat and isinstance(body.value, Out | Keep):
                innocent = next(
                    seat.seat for seat in self.peer.status().seats if seat.seat != self.seat and not seat.out
                )
                how: How = loop_of(self.peer).course.losses.how((innocent,)) or "stop"
                return (sign_vote(self.signer, msgspec.structs.replace(body, value=Out((innocent,), how))),)
        return (message,)


class Twister(Cheat):
    """Keeps its parts back, and in the vote about that promises and accepts one thing here and another there."""

    ends = frozenset({"over", "stuck", "stopped"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        if self.mine(message) is not None and self.since % 2:
            return ()
        if not isinstance(message, Promise | Accept | Propose) or not self.odd(key):
            return (message,)
        body = read_vote(message)
        if body.seat != self.seat:
            return (message,)
        keep = Keep(b"\5" * 32, b"\6" * 32)
        if isinstance(body, PromiseBody):
            body = msgspec.structs.replace(body, acked=None, accepted=Accepted(1, keep) if body.ballot > 1 else None)
        else:
            value = keep if isinstance(body.value, Out) else Out((self.seat,), "recover")
            body = msgspec.structs.replace(body, value=value)
        return (sign_vote(self.signer, body),)
