"""Everything that reads bytes of somebody else, each as a function of bytes alone: the one list that all fuzzers drive.

A target returns nothing and raises nothing, unless something is wrong: it takes the errors that the reader is allowed
to raise, and checks what must hold of a value that was read. `SAMPLES` are good inputs, to be bent.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from frp2p.cards import deck
from frp2p.deal.clear import ClearKind
from frp2p.errors import LocalError, PeerFault, UserError
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import Options
from frp2p.ledger import codec
from frp2p.ledger.evidence import judge, read_evidence
from frp2p.ledger.signing import Signer
from frp2p.ledger.verify import verify
from frp2p.net import frames, tls
from frp2p.players.headless import Headless
from frp2p.scoring.notation import parse_line, write_line
from frp2p.store.journal import _frames, _records
from frp2p.table import messages
from frp2p.table.greeting import check_hello, make_hello
from frp2p.table.journal import read_journal
from frp2p.table.links import Link
from frp2p.table.peer import Peer
from frp2p.testing.pocket import POCKET
from frp2p.testing.pocket import Options as PocketOptions
from frp2p.testing.table import MemoryTable, seeded

GAMES: dict[str, Any] = {GAME.name: GAME, POCKET.name: POCKET}
DEALERS: dict[str, Any] = {"clear": ClearKind()}
CHANNEL = b"c" * 32


@cache
def played() -> MemoryTable:
    """A small game: its frames, journals and record are what the fuzzers start from."""
    table = MemoryTable(1, 2, POCKET, PocketOptions(), ClearKind())
    seen: set[bytes] = set()
    table.network.on_send = lambda sender, receiver, frame: seen.add(frame)
    table.play()
    table.frames = sorted(seen)  # type: ignore[attr-defined]
    return table


def one_codec(data: bytes) -> None:
    """What the codec reads it would write the same way."""
    for kind in (messages.AnyMessage, GAME.move_type, Options):
        try:
            value = codec.decode(data, kind, cap=1 << 16)
        except PeerFault:
            continue
        if codec.encode(value) != data:
            raise ValueError("two encodings of one value")


def one_message(data: bytes) -> None:
    """A frame of the table, before and after the greeting."""
    for greeted in (False, True):
        try:
            message = messages.decode(data, greeted=greeted)
        except PeerFault:
            continue
        if messages.encode(message) != data:
            raise ValueError("two encodings of one message")


def one_stream(data: bytes) -> None:
    """Bytes of a connection, cut into frames at every place."""
    cut: list[list[frames.Frame] | str] = []
    for size in (1, 7, len(data) or 1):
        decoder, found = frames.FrameDecoder(), []
        try:
            for start in range(0, len(data), size):
                decoder.feed(data[start : start + size])
                found += list(decoder.frames())
            cut.append(found)
        except PeerFault as fault:
            cut.append(fault.check)
    if any(one != cut[0] for one in cut):
        raise ValueError("frames depend on how the bytes came")


def one_handshake(data: bytes) -> None:
    """Bytes of somebody who connects: instead of TLS, and as a greeting on a link that is up."""
    channel = tls.TlsChannel(_context(), server=True)
    with contextlib.suppress(PeerFault):
        channel.feed(data)
    if channel.drain() and not data:
        raise ValueError("an answer to nothing")
    peer = Peer(Signer(b"h" * 32), "Host", games=GAMES, dealers=DEALERS, addresses=(), entropy=seeded("fuzz"))
    peer.host(POCKET.name, PocketOptions(), 2, "clear")
    peer.connected(1, Signer(b"g" * 32).public_key, CHANNEL, 0.0)
    peer.receive(1, data, 0.0)
    peer.tick(1.0)
    try:
        hello = messages.decode(data, greeted=False)
        if isinstance(hello, messages.Hello):
            check_hello(hello, Link(1, hello.key, CHANNEL, 0.0))
    except PeerFault:
        pass


def one_transcript(data: bytes) -> None:
    """A transcript of somebody; where it holds, it is the one that was played."""
    try:
        verify(BytesIO(data), GAMES, DEALERS)
    except PeerFault:
        return
    if data != played().peers[0].transcript():
        raise ValueError("another transcript that holds")


def one_evidence(data: bytes) -> None:
    """Evidence of somebody; there is none against anybody here."""
    try:
        judge(read_evidence(data), GAMES, DEALERS)
    except PeerFault:
        return
    raise ValueError("evidence against an honest seat")


def one_journal(data: bytes) -> None:
    """A journal file, and a journal of these records."""
    try:
        records = [record for content, _end in _frames(data) for record in _records(content)]
        read_journal(records)
    except LocalError:
        pass
    with contextlib.suppress(LocalError):
        read_journal([data])
    with contextlib.suppress(LocalError):
        read_journal([played().network.journals[played().keys[0]][0][0], data])


def one_notation(data: bytes) -> None:
    """A line that describes a hand; what was read is written so that it is read the same way."""
    text = data.decode("utf-8", "replace")
    pool = deck(extra_suits=True, jester=True, phoenix="deluxe")
    try:
        line = parse_line(text, pool)
    except UserError:
        return
    if parse_line(write_line(line), pool) != line:
        raise ValueError("a line that is written otherwise than it is read")


def one_headless_line(data: bytes) -> None:
    """A line of a program at a seat: answered by at most one line of JSON."""
    answers: list[bytes] = []
    Headless(answers.append).line(data)
    for answer in answers:
        if b"\n" in answer or msgspec.json.decode(answer)["type"] != "error":
            raise ValueError("an answer that is none")


@cache
def _context() -> Any:
    return tls.context(Ed25519PrivateKey.from_private_bytes(b"k" * 32))


@cache
def samples() -> dict[str, tuple[bytes, ...]]:
    """Good inputs of each target."""
    table = played()
    desk = table.peers[1]._desk
    hello = messages.encode(make_hello(desk, Link(0, desk.key, CHANNEL, 0.0)))
    frame_samples = tuple(table.frames)  # type: ignore[attr-defined]
    journal = table.network.journals[table.keys[0]]
    record = table.peers[0].transcript() or b""
    content = codec.encode(list(journal[0]))
    return {
        "codec": frame_samples[::9],
        "message": frame_samples[::5],
        "stream": tuple(frames.encode(frames.DATA, one) for one in frame_samples[::20]),
        "handshake": (hello, b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03", b"GET / HTTP/1.1\r\n\r\n"),
        "transcript": (record,),
        "evidence": (b"frp2p evidence 1\n" + frame_samples[0],),
        "journal": (
            *(record for write in journal[:6] for record in write),
            b"frp2p journal 1\n" + len(content).to_bytes(4, "big") + bytes(4) + content,
        ),
        "notation": (b"King, Queen, Knights; Mirage=Rainstorm | discard: Hydra | players: 4", b"Rainha, Sino"),
        "headless": (b'{"type": "move", "index": 0}', b'{"type": "quit"}', b'{"type": "admit", "key": "00"}'),
    }


TARGETS: dict[str, Callable[[bytes], None]] = {
    "codec": one_codec,
    "message": one_message,
    "stream": one_stream,
    "handshake": one_handshake,
    "transcript": one_transcript,
    "evidence": one_evidence,
    "journal": one_journal,
    "notation": one_notation,
    "headless": one_headless_line,
}
"""All of them by name."""
