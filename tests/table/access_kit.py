"""A door at which guests stand, honest ones and others."""

from __future__ import annotations

from collections.abc import Callable

from table_kit import Options, new_peer, signer

from frp2p.ledger.charter import VERSION
from frp2p.ledger.codec import encode as canonical
from frp2p.table.access import Access, read_passphrase
from frp2p.table.messages import (
    AnyMessage,
    Bye,
    Hello,
    Join,
    decode,
    encode,
)
from frp2p.table.outputs import Output, Send
from frp2p.table.peer import Peer
from frp2p.testing.network import Conditions, MemoryNetwork

WORD = read_passphrase("three green apples")
SLOW = 30.0
"""Seconds that cover every repetition of a guest."""


class Door:
    """A host at p0 and whoever comes."""

    def __init__(self, access: Access, seats: int = 2) -> None:
        self.network = MemoryNetwork(1, Conditions(reorder=False))
        self.sent: list[tuple[bytes, bytes, AnyMessage]] = []
        self.network.on_send = lambda sender, receiver, frame: self.sent.append(
            (sender, receiver, decode(frame, greeted=True))
        )
        self.host = new_peer(0)
        self.network.add(key(0), self.host, "p0:1")
        self.host.host("tiny", Options(), seats, "clear", access=access)

    def guest(self, place: int, *, passphrase: bytes = b"", at: str = "p0:1", name: str | None = None) -> Peer:
        peer = new_peer(place, name=name)
        self.network.add(key(place), peer, f"p{place}:1")
        peer.join(passphrase=passphrase, places=(at,))
        self.network.dial(key(place), at)
        return peer

    def wait(self, seconds: float = 2.0) -> None:
        self.network.run(lambda: False, seconds)

    def say(self, action: Callable[[bytes, float], None], place: int) -> None:
        action(key(place), self.network.clock.now)
        self.network.settle()

    def here(self) -> list[str]:
        return [seat.name for seat in self.host.status().seats]

    def asking(self) -> list[str]:
        return [seat.name for seat in self.host.status().asking]

    def events(self) -> list[object]:
        return list(self.network.events[key(0)])

    def shown(self, place: int) -> list[AnyMessage]:
        """What the host sent there, apart from greetings."""
        said = [message for sender, there, message in self.sent if (sender, there) == (key(0), key(place))]
        return [message for message in said if not isinstance(message, Hello | Bye)]


def key(place: int) -> bytes:
    return signer(place).public_key


def fault(peer: Peer) -> str:
    found = peer.status().fault
    assert found is not None, peer.status().phase
    return found.code


def begun(peer: Peer) -> bool:
    return bool(peer.status().code)


class Stranger:
    """Says Hello and then whatever `answer` makes of what is heard; joins at once if there is none."""

    def __init__(self, number: int, answer: Callable[[Stranger, AnyMessage], list[AnyMessage]] | None = None) -> None:
        self.signer = signer(1000 + number)
        self.key = self.signer.public_key
        self.name = f"s {number}".replace("0", "q").replace("1", "z").replace("5", "w").replace("3", "y")
        self.heard: list[AnyMessage] = []
        self.links: list[int] = []
        self.channel = b""
        self.pending: list[Output] = []
        self._answer = answer

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.links.append(link)
        self.channel = channel
        signed = self.signer.sign("hello", canonical([VERSION, self.key, self.name, None, 0, channel]))
        self.say(link, Hello(VERSION, self.key, self.name, None, 0, signed))
        if self._answer is None:
            self.say(link, Join(bytes(32), (), False))

    def disconnected(self, link: int, now: float) -> None:
        """It does not come back."""

    def receive(self, link: int, frame: bytes, now: float) -> None:
        message = decode(frame, greeted=True)
        self.heard.append(message)
        for said in self._answer(self, message) if self._answer is not None else []:
            self.say(link, said)

    def say(self, link: int, message: AnyMessage) -> None:
        self.pending.append(Send(link, encode(message)))

    def tick(self, now: float) -> None:
        """Nothing is due."""

    def wake_at(self) -> float | None:
        return None

    def outputs(self) -> list[Output]:
        due, self.pending = self.pending, []
        return due


def stranger_at(door: Door, answer: Callable[[Stranger, AnyMessage], list[AnyMessage]], number: int = 0) -> Stranger:
    stranger = Stranger(number, answer)
    door.network.add(stranger.key, stranger, f"s{number}:1")
    door.network.dial(stranger.key, "p0:1")
    door.wait()
    return stranger


def said(stranger: Stranger, kind: type[AnyMessage]) -> list[AnyMessage]:
    return [message for message in stranger.heard if isinstance(message, kind)]
