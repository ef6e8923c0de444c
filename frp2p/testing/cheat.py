"""A seat that breaks the protocol: a real peer whose words are changed on the way out (see `testing/cheats.py`)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import msgspec

from frp2p.ledger.records import Part, PartBody, read_part_body, sign_part
from frp2p.ledger.signing import Signer
from frp2p.table.messages import AnyMessage, decode
from frp2p.table.messages import encode as frame_of
from frp2p.table.outputs import Output, Send
from frp2p.table.peer import Peer
from frp2p.testing.machine import Machine
from frp2p.testing.watching import loop_of

MAX_NOISE = 40
"""Frames of noise that a cheat sends in all: each may cost it its link, and it has to play, too."""


class Cheat(Machine):
    """`since`: the step from which on it cheats. `signer`: its own, real key."""

    ends: ClassVar[frozenset[str]] = frozenset({"over"})
    honest: ClassVar[bool] = False
    """Whether nothing that it does is wrong, so that nobody may blame it."""

    def __init__(self, peer: Peer, rate: float, ahead: float, signer: Signer, dice: random.Random, since: int) -> None:
        super().__init__(peer, rate, ahead)
        self.signer = signer
        self.dice = dice
        self.since = since
        self.noise = 0
        self.later: Callable[[float, Callable[[], None]], None] = lambda seconds, action: None
        """Do something in so many seconds; set by whoever builds the world."""
        self.settle: Callable[[], None] = lambda: None
        self.world: Callable[[], float] = lambda: 0.0
        """The time of the world."""
        self.vanish: Callable[[], None] = lambda: None
        """Be gone for good."""
        self.reborn: Callable[[], Peer] = lambda: peer
        """Another peer of the same seat, made of its journal."""
        self.wrong: set[bytes] = set()
        """Bodies of own parts that no honest seat may ever take for right."""
        self.heard: list[bytes] = []
        """Frames of others, to be said again."""
        self.keys: dict[int, bytes] = {}
        """Who is at the other end of each link."""
        self._extra: list[Output] = []

    @property
    def now(self) -> float:
        """What its clock shows; set by whoever builds the world."""
        return self.local(self.world())

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.keys[link] = key
        super().connected(link, key, channel, now)

    def receive(self, link: int, frame: bytes, now: float) -> None:
        if len(self.heard) < 400:
            self.heard.append(frame)
        super().receive(link, frame, now)

    def outputs(self) -> list[Output]:
        result: list[Output] = []
        for output in super().outputs():
            if isinstance(output, Send):
                key = self.keys[output.link]
                for message in self.instead(key, decode(output.frame, greeted=True)):
                    result.append(Send(output.link, message if isinstance(message, bytes) else frame_of(message)))
            else:
                result.append(output)
        result += self._extra
        self._extra = []
        return result

    def instead(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        """What is sent to this peer instead of this message."""
        if not self.cheating:
            return (message,)
        return self.changed(key, message)

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        """The same, once it cheats."""
        return (message,)

    @property
    def cheating(self) -> bool:
        """Whether the time has come."""
        phase = self.peer._desk.phase
        return phase.game is not None and phase.height >= self.since

    def mine(self, message: AnyMessage) -> PartBody | None:
        """The body of my own part from the first step of cheating on, None for anything else."""
        if not isinstance(message, Part):
            return None
        body = read_part_body(message.body)
        return body if body.seat == self.seat and body.step >= self.since else None

    @property
    def seat(self) -> int:
        """My own seat, or the arbiter's number; the charter is there when it cheats."""
        loop = loop_of(self.peer)
        return loop.me if loop is not None else 0

    def odd(self, key: bytes) -> bool:
        """Half of the others."""
        return bool(key[0] & 1) if len(set(self.keys.values())) > 2 else key == max(self.keys.values())

    def signed(self, body: PartBody, **changes: Any) -> Part:
        """A part of mine with other content."""
        return sign_part(self.signer, msgspec.structs.replace(body, **changes))

    def bad(self, body: PartBody, **changes: Any) -> Part:
        """The same, with content that is wrong."""
        part = self.signed(body, **changes)
        self.wrong.add(part.body)
        return part

    def babble(self, *messages: AnyMessage | bytes) -> tuple[AnyMessage | bytes, ...]:
        """These, as long as it has not said too much."""
        self.noise += len(messages)
        return messages if self.noise <= MAX_NOISE else ()


def other_payload(body: PartBody) -> bytes:
    """Another payload of the same form where that is easy (a mix of the clear dealer, a bet), else a damaged one."""
    data = bytearray(body.payload)
    if len(data) > 3:
        data[-1] = (data[-1] + 1) % (10 if body.kind == "move" else 256)
    return bytes(data) or b"\x90"
