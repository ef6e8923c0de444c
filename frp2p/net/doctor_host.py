"""Whether a table at an address can be reached: name, TCP, TLS, protocol and round trip, step by step."""

from __future__ import annotations

import asyncio
import errno
import socket
import statistics
import sys
from collections.abc import AsyncIterator

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from frp2p.errors import PeerFault
from frp2p.ledger.charter import VERSION
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.names import name_problem
from frp2p.locale import _
from frp2p.locale.reason import reason
from frp2p.net import frames, tls
from frp2p.net.address import Address
from frp2p.net.dialling import CONNECT_SECONDS
from frp2p.net.finding import Finding
from frp2p.net.interfaces import is_inside, scoped
from frp2p.table.messages import Bye, Hello, decode

LOOKUP_SECONDS = 5.0
"""For the address of a name."""
ANSWER_SECONDS = 5.0
"""For the handshake and what the other side says first."""
PINGS = 5
"""Round trips that are measured."""
READ_BYTES = 64 * 1024
MAX_FRAMES = 16
"""Frames of the other side that are looked at while one is awaited."""


async def examine_host(address: Address) -> list[Finding]:
    """What stands between this machine and the table at this address, up to the first thing that does not work."""
    try:
        hosts = await _look_up(address)
    except (OSError, TimeoutError, UnicodeError):
        text = _("The name {name} is not known here; ask for the address in numbers.").format(name=address.host)
        return [Finding("host-name", "direct", "broken", text, {"host": address.host})]
    inside = [host for host in hosts if is_inside(host)]
    if not inside:
        text = _("{address} is not on a network of this machine; the doctor calls nobody outside.")
        return [Finding("host-name", "direct", "broken", text.format(address=address), {"addresses": hosts})]
    failures = []
    for host in inside:
        finding, streams = await _connect(Address(host, address.port))
        if streams is not None:
            return [finding, *await _talk(*streams)]
        failures.append(finding)
    return failures


async def _look_up(address: Address) -> list[str]:
    """The numeric addresses of a host, each once."""
    loop = asyncio.get_running_loop()
    hosts: dict[str, None] = {}
    async with asyncio.timeout(LOOKUP_SECONDS):
        for name in scoped(address.host):
            for _family, _kind, _protocol, _canonical, where in await loop.getaddrinfo(
                name, address.port, type=socket.SOCK_STREAM
            ):
                scope = f"%{where[3]}" if len(where) == 4 and where[3] and "%" not in str(where[0]) else ""
                hosts[f"{where[0]}{scope}"] = None
    return list(hosts)


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _connect(address: Address) -> tuple[Finding, Streams | None]:
    loop = asyncio.get_running_loop()
    started = loop.time()
    facts: dict[str, object] = {"address": str(address)}
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            streams = await asyncio.open_connection(address.host, address.port)
    except TimeoutError:
        text = _(
            "Nothing comes back from {address}: the machine is off or on another network, or a firewall there drops "
            "connections."
        )
        return Finding("host-tcp", "direct", "broken", text.format(address=address), facts), None
    except OSError as error:
        text = _("No connection to {address}: {reason}.").format(address=address, reason=in_words(error))
        return Finding("host-tcp", "direct", "broken", text, facts | {"errno": error.errno}), None
    milliseconds = 1000 * (loop.time() - started)
    facts["milliseconds"] = round(milliseconds, 3)
    text = _("{address} takes connections ({milliseconds:.1f} ms).").format(address=address, milliseconds=milliseconds)
    return Finding("host-tcp", "direct", "fine", text, facts), streams


def in_words(error: OSError) -> str:
    """What it means that a connection can't be made."""
    if error.errno == errno.EHOSTUNREACH and sys.platform == "darwin":
        return _("no route; the terminal may lack the permission Local Network")
    words = {
        errno.ECONNREFUSED: _("the machine is there, but no table is open on this port"),
        errno.EHOSTUNREACH: _("no machine answers at this address"),
        errno.ENETUNREACH: _("this machine has no way to that network"),
        errno.ETIMEDOUT: _("nothing comes back"),
        errno.EACCES: _("a firewall on this machine forbids it"),
        errno.EPERM: _("a firewall on this machine forbids it"),
        errno.ECONNRESET: _("the other side cut it"),
    }
    return words.get(error.errno or 0) or reason(error)


class _Conversation:
    """Frames through TLS under a key that is thrown away; PeerFault and OSError as they come."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._channel = tls.TlsChannel(tls.context(Ed25519PrivateKey.generate()), server=False)
        self._decoder = frames.FrameDecoder()

    @property
    def key(self) -> bytes | None:
        return self._channel.peer_key

    async def shake_hands(self) -> None:
        """Until the other side is known by its key."""
        while self._channel.exporter is None:
            await self._step()

    async def frames(self) -> AsyncIterator[frames.Frame]:
        """What the other side says, at most MAX_FRAMES."""
        count = 0
        while count < MAX_FRAMES:
            for frame in self._decoder.frames():
                count += 1
                yield frame
            await self._step()

    def send(self, kind: int, payload: bytes) -> None:
        self._channel.write(frames.encode(kind, payload))
        self._writer.write(self._channel.drain())

    async def _step(self) -> None:
        self._writer.write(self._channel.drain())
        data = await self._reader.read(READ_BYTES)
        if not data or self._channel.ended:
            raise ConnectionResetError(errno.ECONNRESET, "closed")
        self._decoder.feed(self._channel.feed(data))
        self._writer.write(self._channel.drain())


async def _talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> list[Finding]:
    """Handshake, first words, round trips."""
    talk = _Conversation(reader, writer)
    findings: list[Finding] = []
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await talk.shake_hands()
            key = talk.key or b""
            text = _("It proves the key {fingerprint} (TLS 1.3).").format(fingerprint=fingerprint(key))
            findings.append(Finding("host-tls", "direct", "fine", text, {"fingerprint": fingerprint(key)}))
            first = await _first_words(talk)
            findings.append(first)
            if first.level == "fine":
                findings.append(await _round_trip(talk))
    except (PeerFault, OSError, TimeoutError) as error:
        check = error.check if isinstance(error, PeerFault) else type(error).__name__
        findings.append(_broken_off(check, shaken=talk.key is not None))
    finally:
        writer.transport.abort()
    return findings


def _broken_off(check: str, *, shaken: bool) -> Finding:
    facts = {"reason": check}
    if not shaken:
        text = _("What answers there is no table of frp2p (no TLS handshake: {reason}).").format(reason=check)
        return Finding("host-tls", "direct", "broken", text, facts)
    text = _("It did not say what a table of frp2p says ({reason}).").format(reason=check)
    return Finding("host-version", "direct", "broken", text, facts)


async def _first_words(talk: _Conversation) -> Finding:
    """The Hello of a table with free seats, or the goodbye of one that is full."""
    async for frame in talk.frames():
        if frame.kind != frames.DATA:
            continue
        try:
            message = decode(frame.payload, greeted=False)
        except PeerFault as fault:
            if fault.check != "wrong-version":
                raise
            text = _("It speaks another version of the protocol than {version}; both sides need the same frp2p.")
            return Finding("host-version", "direct", "broken", text.format(version=VERSION), {"protocol": VERSION})
        if isinstance(message, Hello):
            name = "" if name_problem(message.name) else message.name
            facts = {"protocol": message.version, "name": name, "playing": message.game is not None}
            text = _("It speaks protocol {version}; its player is called {name}.").format(version=VERSION, name=name)
            return Finding("host-version", "direct", "fine", text, facts)
        if isinstance(message, Bye):
            reason = message.reason if message.reason.isascii() and message.reason.isprintable() else "?"
            text = _("It is a table of frp2p, but takes nobody now ({reason}).").format(reason=reason)
            return Finding("host-version", "direct", "note", text, {"reason": reason})
    raise PeerFault("frame-count")


async def _round_trip(talk: _Conversation) -> Finding:
    loop = asyncio.get_running_loop()
    times = []
    for number in range(PINGS):
        started = loop.time()
        payload = number.to_bytes(frames.PING_BYTES, "big")
        talk.send(frames.PING, payload)
        async for frame in talk.frames():
            if frame == frames.Frame(frames.PONG, payload):
                break
        times.append(1000 * (loop.time() - started))
    median = statistics.median(times)
    text = _("A round trip takes {milliseconds:.1f} ms.").format(milliseconds=median)
    facts = {"median_ms": round(median, 3), "slowest_ms": round(max(times), 3)}
    return Finding("host-round-trip", "direct", "fine", text, facts)
