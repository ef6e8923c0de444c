"""Strangers with bad manners on real sockets: each is cut off, and an honest peer notices nothing."""

from __future__ import annotations

import asyncio
import time

import pytest
from net_kit import HELLO, Attacker, Host, hosts, key_of, until
from OpenSSL import SSL

from frp2p.net import driver, frames, links, tls
from frp2p.net.door import is_loopback
from frp2p.table.outputs import Send

FAST_TICK = 0.05
"""Seconds; the deadlines are counted in ticks, so they come twenty times sooner here."""
PATIENCE = 60
"""Seconds that a busy machine may take over a deadline of a few ticks; without the deadline nothing would ever end."""


@pytest.fixture(autouse=True)
def fast_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "TICK", FAST_TICK)


async def still_welcome(ana: Host, ben: Host) -> None:
    """An honest peer can come and talk."""
    assert await ben.driver.connect([ana.address])
    await until(lambda: any(ana.peer.links[link][0] == ben.public for link, frame in ana.peer.frames if frame == HELLO))


async def closed(reader: asyncio.StreamReader) -> bytes:
    """What the other side says until it closes."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await reader.read()
    except ConnectionResetError:
        return b""


CLEAR = {
    "garbage": bytes(range(256)) * 20,
    "http": b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a frame without TLS": frames.encode(frames.DATA, HELLO),
    "half a client hello": b"\x16\x03\x01\x02\x00\x01\x00",
    "nothing": b"",
}


@pytest.mark.parametrize("what", CLEAR)
async def test_what_is_not_tls_is_cut_off(what: str) -> None:
    async with hosts(1, 2) as (ana, ben):
        reader, writer = await asyncio.open_connection(*ana.address)
        writer.write(CLEAR[what])
        await closed(reader)
        writer.close()
        assert ana.peer.links == {}
        await still_welcome(ana, ben)


async def test_a_byte_now_and_then_does_not_hold_a_place() -> None:
    async with hosts(1, 2) as (ana, ben):
        reader, writer = await asyncio.open_connection(*ana.address)
        for byte in b"\x16\x03\x01\x02\x00" + bytes(500):
            writer.write(bytes([byte]))
            try:
                async with asyncio.timeout(FAST_TICK / 2):
                    await reader.read(1)
                    break
            except TimeoutError:
                continue
            except ConnectionResetError:
                break
        else:
            pytest.fail("all of it was waited for")
        writer.close()
        await still_welcome(ana, ben)


BAD_FRAMES = {
    "length 0": b"\x00\x00\x00\x00",
    "one byte too long": (frames.MAX_FIRST_FRAME + 2).to_bytes(4, "big"),
    "2 GiB": b"\x80\x00\x00\x00",
    "4 GiB": b"\xff\xff\xff\xff",
    "unknown kind": b"\x00\x00\x00\x02\x09x",
    "long ping": frames.encode(frames.PING, bytes(9)),
}


@pytest.mark.parametrize("what", BAD_FRAMES)
async def test_bad_frames_close_the_link_at_once(what: str) -> None:
    async with hosts(1, 2) as (ana, ben):
        eve = await Attacker().connect(ana.address)
        eve.say(BAD_FRAMES[what])
        async with asyncio.timeout(PATIENCE):
            await eve.hear()
        eve.abort()
        assert all(frame == HELLO for _link, frame in ana.peer.frames)
        await still_welcome(ana, ben)


async def test_silence_after_the_handshake_ends_in_time() -> None:
    async with hosts(1, 2) as (ana, ben):
        eve = await Attacker().connect(ana.address)
        async with asyncio.timeout(PATIENCE):
            await eve.hear()
        eve.abort()
        await until(lambda: ana.peer.lost)
        await still_welcome(ana, ben)


async def test_half_a_frame_and_silence_ends_in_time() -> None:
    async with hosts(1, 2) as (ana, _ben):
        eve = await Attacker().connect(ana.address)
        eve.say(frames.encode(frames.DATA, HELLO) + b"\x00\x00\x01\x00\x00half")
        await until(lambda: ana.peer.frames)
        async with asyncio.timeout(PATIENCE):
            await eve.hear()
        eve.abort()
        await until(lambda: ana.peer.lost)


async def test_a_slow_frame_does_not_live_on_its_drops() -> None:
    """Each byte breaks the silence, none completes the frame: the frame has a deadline of its own."""
    async with hosts(1, 2) as (ana, _ben):
        eve = await Attacker().connect(ana.address)
        eve.say(frames.encode(frames.DATA, HELLO) + b"\x00\x00\x10\x00\x00")
        hearing = asyncio.create_task(eve.hear())
        for _drop in range(0x1000 - 10):  # the frame that was promised stays incomplete
            if hearing.done():
                break
            eve.say(b"x")
            await asyncio.sleep(FAST_TICK / 2)
        assert hearing.done()
        await hearing
        eve.abort()


async def test_a_link_that_went_dead_is_given_up() -> None:
    async with hosts(1, 2) as (ana, _ben):
        eve = await Attacker().connect(ana.address)
        eve.say(frames.encode(frames.DATA, HELLO))
        await until(lambda: ana.peer.frames)
        await until(lambda: ana.peer.lost, seconds=4 * links.DEAD_TICKS * FAST_TICK)
        eve.abort()


async def test_a_pong_for_another_ping_measures_nothing() -> None:
    async with hosts(1, 2) as (ana, _ben):
        eve = await Attacker().connect(ana.address)
        eve.say(frames.encode(frames.DATA, HELLO) + frames.encode(frames.PONG, bytes(8)))
        await until(lambda: ana.peer.frames)
        assert ana.driver.latencies() == {}
        eve.abort()


async def test_a_flood_is_slowed_down_and_nothing_of_it_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "TICK", 1.0)
    monkeypatch.setattr(links, "FRAMES_A_SECOND", 400)
    monkeypatch.setattr(links, "FRAMES_BURST", 100)
    count = 400
    async with hosts(1, 2) as (ana, ben):
        eve = await Attacker().connect(ana.address)
        started = time.monotonic()
        eve.say(b"".join(frames.encode(frames.DATA, n.to_bytes(2, "big")) for n in range(count)))
        await until(lambda: len(ana.peer.frames) >= 100)
        await still_welcome(ana, ben)
        mine = [link for link, (key, _channel) in ana.peer.links.items() if key != ben.public]
        await until(lambda: sum(link in mine for link, _frame in ana.peer.frames) == count)
        assert time.monotonic() - started > 0.9 * (count - 100) / 400
        assert [frame for link, frame in ana.peer.frames if link in mine] == [
            n.to_bytes(2, "big") for n in range(count)
        ]
        eve.abort()


async def test_many_bytes_are_slowed_down_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "TICK", 1.0)
    monkeypatch.setattr(links, "BYTES_A_SECOND", 2_000_000)
    monkeypatch.setattr(links, "BYTES_BURST", 1_000_000)
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames and ben.peer.frames)
        (link,) = ben.peer.links
        started = time.monotonic()
        ben.peer.pending += [Send(link, bytes(250_000))] * 7
        ben.driver.wake()
        await until(lambda: len(ana.peer.frames) == 8)
        assert time.monotonic() - started > 0.2


async def test_a_peer_that_does_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "TICK", 1.0)
    async with hosts(1, 2) as (ana, _ben):
        eve = await Attacker().connect(ana.address)
        eve.say(frames.encode(frames.DATA, HELLO))
        await until(lambda: ana.peer.frames)
        (link,) = ana.peer.links
        for _burst in range(40):
            ana.peer.pending += [Send(link, bytes(200_000))] * 5
            ana.driver.wake()
            await asyncio.sleep(0)
            if ana.peer.lost:
                break
        await until(lambda: ana.peer.lost)
        eve.abort()


async def test_a_crowd_of_strangers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "TICK", 1.0)
    async with hosts(1, 2) as (ana, ben):
        crowd = [await asyncio.open_connection(*ana.address) for _stranger in range(40)]
        await until(lambda: len(ana.driver._links) == driver.MAX_STRANGERS)
        await asyncio.sleep(0.05)
        assert len(ana.driver._links) == driver.MAX_STRANGERS
        for _reader, writer in crowd:
            writer.transport.abort()
        await until(lambda: not ana.driver._links)
        await still_welcome(ana, ben)


async def test_one_machine_outside_gets_three_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "is_loopback", lambda _remote: False)
    async with hosts(1, 2) as (ana, _ben):
        crowd = [await asyncio.open_connection(*ana.address) for _stranger in range(8)]
        await until(lambda: len(ana.driver._links) == driver.MAX_STRANGERS_PER_HOST)
        for _reader, writer in crowd:
            writer.transport.abort()


@pytest.mark.parametrize(
    ("remote", "loopback"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("10.0.0.1", False),
        ("fe80::1%eth0", False),
        ("", False),
    ],
)
def test_which_addresses_are_this_machine(remote: str, loopback: bool) -> None:
    assert is_loopback(remote) is loopback


async def test_tls_1_2_gets_nothing() -> None:
    context = SSL.Context(SSL.TLS_METHOD)
    context.set_max_proto_version(SSL.TLS1_2_VERSION)
    context.use_certificate(tls.certificate(key_of(9)))
    context.use_privatekey(key_of(9))
    connection = SSL.Connection(context, None)
    connection.set_connect_state()
    with pytest.raises(SSL.WantReadError):
        connection.do_handshake()
    async with hosts(1, 2) as (ana, ben):
        reader, writer = await asyncio.open_connection(*ana.address)
        writer.write(connection.bio_read(65536))
        connection.bio_write(await closed(reader))
        with pytest.raises(SSL.Error):
            connection.do_handshake()
        writer.close()
        assert ana.peer.links == {}
        await still_welcome(ana, ben)
