"""Peers that only write down what happens to them, on real sockets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from frp2p.games.game import Move
from frp2p.net import tls
from frp2p.net.address import Address, listening_socket
from frp2p.net.driver import Driver
from frp2p.table.events import Event
from frp2p.table.outputs import Output, Send

HELLO = b"hello from "


def key_of(number: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


class Recorder:
    """Greets every link, remembers everything; `on_frame` may answer."""

    def __init__(self) -> None:
        self.links: dict[int, tuple[bytes, bytes]] = {}
        self.lost: list[int] = []
        self.frames: list[tuple[int, bytes]] = []
        self.ticks: list[float] = []
        self.pending: list[Output] = []
        self.wake: float | None = None
        self.greets = True
        self.unfinished = False
        self.keys_found: list[bytes] = []
        self.on_frame: Callable[[int, bytes], list[Output]] = lambda _link, _frame: []
        self.on_tick: Callable[[], list[Output]] = list

    def found(self, key: bytes) -> None:
        """The driver's word about whose table this is."""
        self.keys_found.append(key)

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.links[link] = (key, channel)
        if self.greets:
            self.pending.append(Send(link, HELLO))

    def disconnected(self, link: int, now: float) -> None:
        self.lost.append(link)

    def receive(self, link: int, frame: bytes, now: float) -> None:
        self.frames.append((link, frame))
        self.pending += self.on_frame(link, frame)

    def act(self, move: Move, now: float) -> None:
        raise NotImplementedError("a recorder sits at no table")

    def moved(self, addresses: tuple[str, ...], now: float) -> None:
        raise NotImplementedError("a recorder is told nowhere")

    def admit(self, key: bytes, now: float) -> None:
        raise NotImplementedError("a recorder sits at no table")

    def remove(self, key: bytes, now: float) -> None:
        raise NotImplementedError("a recorder sits at no table")

    def leave(self, now: float) -> None:
        self.pending += [Send(link, b"bye") for link in self.links]

    def tick(self, now: float) -> None:
        self.ticks.append(now)
        self.wake = None
        self.pending += self.on_tick()

    def outputs(self) -> list[Output]:
        due, self.pending = self.pending, []
        return due

    def wake_at(self) -> float | None:
        return self.wake


class Host:
    """A recorder with a driver that listens on loopback."""

    def __init__(self, number: int) -> None:
        self.key = key_of(number)
        self.peer = Recorder()
        self.events: list[Event] = []
        self.looks = 0
        self.driver = Driver(self.peer, self.key, self._look, lambda events, _seen: self.events.extend(events))
        self.socket = listening_socket(0, loopback=True)
        self.address = Address(*self.socket.getsockname())

    def _look(self) -> None:
        self.looks += 1

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes_raw()


@contextlib.asynccontextmanager
async def hosts(*numbers: int) -> AsyncIterator[list[Host]]:
    made = [Host(number) for number in numbers]
    try:
        for host in made:
            await host.driver.start(host.socket)
        yield made
    finally:
        while CALLED:  # also where a test failed in the middle: an open socket would be the blame of a later test
            CALLED.pop().abort()
        for host in made:
            await host.driver.close()
            host.socket.close()


@contextlib.asynccontextmanager
async def server(
    talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[Address]:
    """Something that listens on loopback and is no table. In the end all its connections are closed."""
    talks: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    made = await asyncio.start_server(lambda *ends: talks.append(asyncio.ensure_future(serve(*ends))), "127.0.0.1", 0)
    async with made:
        yield Address(*made.sockets[0].getsockname())
    for task in talks:
        task.cancel()
    await asyncio.gather(*talks, return_exceptions=True)


async def until(condition: Callable[[], Any], seconds: float = 5.0) -> None:
    """Wait for something that must happen soon."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - a recorder has no events to wait for
            await asyncio.sleep(0.005)


CALLED: list[Attacker] = []
"""Those who have connected since the last hosts closed."""


class Attacker:
    """A stranger with a proper certificate who then says what he likes."""

    def __init__(self, number: int = 9) -> None:
        self._channel = tls.TlsChannel(tls.context(key_of(number)), server=False)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connect(self, address: Address) -> Attacker:
        self._streams = reader, writer = await asyncio.open_connection(*address)
        CALLED.append(self)
        while self._channel.exporter is None:
            writer.write(self._channel.drain())
            if not (data := await reader.read(65536)):
                raise ConnectionResetError
            self._channel.feed(data)
        writer.write(self._channel.drain())
        return self

    def abort(self) -> None:
        if self._streams is not None:
            self._streams[1].transport.abort()

    def say(self, plaintext: bytes) -> None:
        assert self._streams is not None
        self._channel.write(plaintext)
        self._streams[1].write(self._channel.drain())

    async def hear(self) -> bytes:
        """Plaintext until the other side closes."""
        heard = b""
        while chunk := await self._read():
            heard += self._channel.feed(chunk)
        return heard

    async def _read(self) -> bytes:
        """Nothing after the end, also where it came in the midst of what was said (a reset)."""
        assert self._streams is not None
        try:
            return await self._streams[0].read(65536)
        except ConnectionResetError:
            return b""
