"""Arbiters who lie: all that is theirs is a vote, so that is what they lie with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from frp2p.ledger.votes import (
    Accept,
    AcceptBody,
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
from frp2p.testing.cheats_votes import Gone, Usurper
from frp2p.testing.watching import loop_of

NOBODYS = Keep(b"\5" * 32, b"\6" * 32)
"""Parts that nobody has."""


class HangingJudge(Cheat):
    """Accuses everybody in every step, promises before anybody asks for it, and accepts what nobody has proposed."""

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        course = loop_of(self.peer).course
        if not course.place.electors or course.over:
            return (message,)
        about = course.place.game, course.place.step, course.place.head, self.seat
        last = course.live[-1]
        bodies: tuple[Any, ...] = (
            PrepareBody(*about, 7, course.live),
            PromiseBody(*about, 1, None, None, course.live),
            AcceptBody(*about, 1, Out((last,), _how(self, last))),
        )
        return (message, *self.babble(*(sign_vote(self.signer, body) for body in bodies)))


class Waverer(Cheat):
    """Promises, proposes and accepts one thing here and another there."""

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        if not isinstance(message, Promise | Accept | Propose) or not self.odd(key):
            return (message,)
        body = read_vote(message)
        if body.seat != self.seat:
            return (message,)
        if isinstance(body, PromiseBody):
            body = msgspec.structs.replace(body, acked=NOBODYS, accepted=Accepted(body.ballot, NOBODYS))
        else:
            last = loop_of(self.peer).live[-1]
            value = NOBODYS if isinstance(body.value, Out) else Out((last,), _how(self, last))
            body = msgspec.structs.replace(body, value=value)
        return (sign_vote(self.signer, body),)


def _how(cheat: Cheat, seat: int) -> How:
    how: How | None = loop_of(cheat.peer).course.how((seat,))
    return how or "stop"


ARBITER_CHEATS: dict[str, type[Cheat]] = {
    "arbiter-gone": Gone,
    "arbiter-usurper": Usurper,
    "hanging-judge": HangingJudge,
    "waverer": Waverer,
}
"""All of them by name."""
