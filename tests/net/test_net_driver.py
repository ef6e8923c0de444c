"""The driver: links between real processes' sockets, one input at a time, and an end that never hangs."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading

import pytest
from net_kit import HELLO, Recorder, hosts, key_of, until

from frp2p.net import driver, links
from frp2p.net.address import Address, listening_socket
from frp2p.net.driver import Driver
from frp2p.table.events import Event, Joined
from frp2p.table.outputs import Close, Dial, Notice, Output, Send


async def test_two_peers_meet_and_talk() -> None:
    async with hosts(1, 2) as (ana, ben):
        assert await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames and ben.peer.frames)
        ((_link, (key, channel)),) = ana.peer.links.items()
        assert key == ben.public
        assert next(iter(ben.peer.links.values())) == (ana.public, channel)
        assert ana.peer.frames == [(next(iter(ana.peer.links)), HELLO)]


async def test_the_peer_hears_whose_key_answered_where_it_looked_for_a_table() -> None:
    async with hosts(1, 2, 3) as (ana, ben, chiara):
        assert await ben.driver.connect([ana.address])
        assert await ben.driver.connect([chiara.address], wanted=chiara.public)
        await until(lambda: len(ben.peer.links) == 2 and ana.peer.links and chiara.peer.links)
        assert (ben.peer.keys_found, ana.peer.keys_found) == ([ana.public], [])


async def test_frames_keep_their_order_and_arrive_whole() -> None:
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames and ben.peer.frames)
        sent = [bytes([n % 256]) * (n * 997 % 70_000) for n in range(100)]
        ben.peer.pending += [Send(next(iter(ben.peer.links)), frame) for frame in sent]
        ben.driver.wake()
        await until(lambda: len(ana.peer.frames) == 101)
        assert [frame for _link, frame in ana.peer.frames[1:]] == sent


async def test_the_first_good_address_wins_and_only_one_link_is_made() -> None:
    with listening_socket(0, loopback=True) as silent:
        dead = Address("127.0.0.1", 1)
        mute = Address(*silent.getsockname())
        async with hosts(1, 2) as (ana, ben):
            assert await ben.driver.connect([dead, mute, ana.address, ana.address])
            await asyncio.sleep(0.6)
            assert len(ben.peer.links) == 1
            assert len(ana.peer.links) - len(ana.peer.lost) == 1


async def test_nobody_there_is_false_and_not_an_error() -> None:
    async with hosts(1) as (ana,):
        assert not await ana.driver.connect([Address("127.0.0.1", 1)])
        assert not await ana.driver.connect([Address("no such host.invalid", 1)])
        assert not await ana.driver.connect([])


async def test_somebody_else_at_the_address_is_refused() -> None:
    async with hosts(1, 2) as (ana, ben):
        assert not await ben.driver.connect([ana.address], wanted=b"another key".ljust(32))
        assert ben.peer.links == {}


async def test_a_peer_does_not_talk_to_itself() -> None:
    async with hosts(1) as (ana,):
        assert not await ana.driver.connect([ana.address], wanted=bytes(32))
        await ana.driver.connect([ana.address])
        assert ana.peer.links == {}


async def test_dial_reaches_a_seat_once_however_often_it_is_asked() -> None:
    async with hosts(1, 2) as (ana, ben):
        ben.peer.pending += [Dial(ana.public, ("no-name:1", str(ana.address)))] * 3
        ben.driver.wake()
        await until(lambda: ben.peer.links)
        await asyncio.sleep(0.1)
        assert len(ana.peer.links) == 1


async def test_hearsay_keeps_nobody_from_calling_where_the_peer_wants_to() -> None:
    """Somebody says that Ana is where a socket takes the call and says nothing: that round takes seconds."""
    with listening_socket(0, loopback=True) as silent:
        async with hosts(1, 2) as (ana, ben):
            ben.driver.hint(ana.public, (Address(*silent.getsockname()),))
            await asyncio.sleep(0.1)
            ben.peer.pending.append(Dial(ana.public, (str(ana.address),)))
            ben.driver.wake()
            await until(lambda: ben.peer.links, 2.0)


async def test_close_flushes_and_is_not_reported_back() -> None:
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames)
        (link,) = ana.peer.links
        ana.peer.pending += [Send(link, bytes(200_000)), Close(link, "table-full"), Send(link, b"too late")]
        ana.driver.wake()
        await until(lambda: ben.peer.lost)
        assert [len(frame) for _link, frame in ben.peer.frames] == [len(HELLO), 200_000]
        assert ana.peer.lost == []


async def test_leaving_says_goodbye_before_the_end() -> None:
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames)
        ben.driver.leave()
        await ben.driver.close()
        await until(lambda: ana.peer.lost)
        assert ana.peer.frames[-1][1] == b"bye"


async def test_events_are_told_and_timers_fire() -> None:
    async with hosts(1) as (ana,):
        loop = asyncio.get_running_loop()
        await until(lambda: ana.peer.ticks)
        ana.peer.pending.append(Notice(Joined("Ben")))
        ana.peer.wake = due = loop.time() + 0.05
        ticks = len(ana.peer.ticks)
        ana.driver._input(lambda: None)
        await until(lambda: ana.events == [Joined("Ben")])
        await until(lambda: len(ana.peer.ticks) > ticks)
        assert ana.peer.ticks[-1] >= due


async def test_frames_without_news_are_looked_at_once_for_all_and_soon() -> None:
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames and ben.peer.frames)
        await asyncio.sleep(2 * driver.LOOK_SECONDS)
        before = ana.looks
        (link,) = ben.peer.links
        for number in range(20):
            ben.peer.pending.append(Send(link, bytes([number])))
            ben.driver.wake()
        await until(lambda: len(ana.peer.frames) == 21)
        await until(lambda: ana.looks > before, 10 * driver.LOOK_SECONDS)
        await asyncio.sleep(2 * driver.LOOK_SECONDS)
        assert ana.looks - before < 20
        assert [frame for _link, frame in ana.peer.frames[1:]] == [bytes([number]) for number in range(20)]


async def test_news_are_looked_at_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "LOOK_SECONDS", 3600.0)
    async with hosts(1, 2) as (ana, ben):
        ana.peer.on_frame = lambda _link, frame: [Notice(Joined("Ben"))] if frame == b"news" else []
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames and ben.peer.frames)
        (link,) = ben.peer.links
        for frame in (b"nothing", b"news", b"nothing"):
            ben.peer.pending.append(Send(link, frame))
        before = ana.looks
        ben.driver.wake()
        await until(lambda: len(ana.peer.frames) == 4 and ana.events == [Joined("Ben")])
        assert ana.looks == before + 1


async def test_what_came_while_the_peer_was_busy_is_one_turn_of_it() -> None:
    """Each frame is taken in its order, and what the peer says ends the turn, so that it leaves at once."""
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames and ben.peer.frames)
        await asyncio.sleep(2 * driver.LOOK_SECONDS)
        turns: list[int] = []
        carried_out = ana.driver._carry_out

        def carry_out(outputs: list[Output]) -> list[Event]:
            turns.append(len(ana.peer.frames))
            return carried_out(outputs)

        ana.driver._carry_out = carry_out  # type: ignore[method-assign]
        ana.peer.on_frame = lambda back, frame: [Send(back, b"yes")] if frame == b"5" else []
        busy = threading.Event()
        asked = asyncio.ensure_future(ana.driver.ask(lambda: busy.wait(5)))
        (link,) = ben.peer.links
        ben.peer.pending += [Send(link, str(number).encode()) for number in range(10)]
        ben.driver.wake()
        await asyncio.sleep(0.2)
        assert turns == []
        busy.set()
        await asked
        await until(lambda: ben.peer.frames[-1][1] == b"yes" and len(ana.peer.frames) == 11)
        assert [frame for _link, frame in ana.peer.frames[1:]] == [str(number).encode() for number in range(10)]
        assert len(turns) < 6  # two where all of them had come in time


async def test_what_is_said_leaves_before_a_peer_goes_on_with_long_work() -> None:
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames and ben.peer.frames)
        (there,), (link,) = ana.peer.links, ben.peer.links
        proved, working = threading.Event(), threading.Event()

        def final(back: int, _frame: bytes) -> list[Output]:
            ana.peer.unfinished = True
            return [Notice(Joined("Ben")), Send(back, b"final")]

        def prove() -> list[Output]:
            if not ana.peer.unfinished:
                return []
            working.set()
            proved.wait(5)
            ana.peer.unfinished = False
            return [Send(there, b"proof")]

        ana.peer.on_frame, ana.peer.on_tick = final, prove
        ben.peer.pending += [Send(link, b"the last ack"), Send(link, b"more")]
        ben.driver.wake()
        await until(working.is_set)
        await until(lambda: ana.events == [Joined("Ben")] and ben.peer.frames[-1][1] == b"final")
        assert len(ana.peer.frames) == 2  # nothing else is taken before
        ana.peer.on_frame = lambda _link, _frame: []
        proved.set()
        await until(lambda: ben.peer.frames[-1][1] == b"proof" and len(ana.peer.frames) == 3)


async def test_a_timer_in_the_past_does_not_spin() -> None:
    async with hosts(1) as (ana,):

        def always_due(now: float) -> None:
            ana.peer.ticks.append(now)
            ana.peer.wake = 0.0

        ana.peer.tick = always_due  # type: ignore[method-assign]
        ana.driver.wake()
        before = len(ana.peer.ticks)
        await asyncio.sleep(0.1)
        assert len(ana.peer.ticks) - before < 150


async def test_a_mistake_of_the_peer_is_ours_and_stops_everything() -> None:
    async with hosts(1, 2) as (ana, ben):

        def mistake(_link: int, _frame: bytes) -> list[object]:
            raise ZeroDivisionError

        ana.peer.on_frame = mistake  # type: ignore[assignment]
        await ben.driver.connect([ana.address])
        with pytest.raises(ZeroDivisionError):
            await asyncio.wait_for(ana.driver.failure, 5)
        frames = len(ana.peer.frames)
        ana.driver.wake()
        assert len(ana.peer.frames) == frames


async def test_the_round_trip_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "TICK", 0.02)
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.driver.latencies() and ben.driver.latencies())
        assert 0 < ana.driver.latencies()[ben.public] < 1


async def test_no_frame_waits_for_the_one_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """At neither end; whose socket was accepted has to ask for that as well."""
    made: list[links.Link] = []
    opened = Driver.link_opened

    def watched(self: Driver[None], link: links.Link) -> None:
        made.append(link)
        opened(self, link)

    monkeypatch.setattr(Driver, "link_opened", watched)
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames and ben.peer.frames)
        ends = {link.server: link._transport for link in made}
        assert set(ends) == {False, True}
        for transport in ends.values():
            assert transport is not None
            assert transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("turns", range(6))
async def test_who_connects_just_as_it_closes_is_hung_up_on(turns: int) -> None:
    """At whatever turn of the loop; a socket that nobody closes would keep the other side waiting."""
    async with hosts(1) as (ana,):
        ana.driver.failure.cancel()  # it closes without a last word, so that the turns are those of this test
        with socket.create_connection(ana.address) as knocking:
            for _turn in range(turns):
                await asyncio.sleep(0)
            await ana.driver.close()
            knocking.settimeout(5.0)
            with contextlib.suppress(ConnectionResetError):
                while knocking.recv(1 << 16):
                    pass


async def test_close_never_hangs_with_a_peer_that_does_not_read() -> None:
    loop = asyncio.get_running_loop()
    async with hosts(1) as (ana,):
        ben = Recorder()
        alone = Driver(ben, key_of(2), lambda: None, lambda _events, _seen: None)
        assert await alone.connect([ana.address])
        await until(lambda: ana.peer.frames)
        for link in ana.driver._links.values():
            assert link._transport is not None
            link._transport.pause_reading()
        (number,) = ben.links
        ben.pending += [Send(number, bytes(1 << 20))]
        alone.wake()
        before = loop.time()
        await alone.close()
        assert loop.time() - before < 3 * links.CLOSE_SECONDS


async def test_nothing_is_written_into_a_broken_connection(caplog: pytest.LogCaptureFixture) -> None:
    """asyncio warns of each such write, on a terminal that belongs to the client."""
    async with hosts(1, 2) as (ana, ben):
        await ben.driver.connect([ana.address])
        await until(lambda: ana.peer.frames)
        (link,) = ana.driver._links.values()
        assert link._transport is not None
        link._transport.abort()
        for _frame in range(20):
            link.send(b"x")
        link.close()
        await until(lambda: ana.peer.lost)
    assert not caplog.records
