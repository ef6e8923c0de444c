"""Discovery on loopback only, and what strangers may write into an announcement."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from net_kit import until
from zeroconf import ServiceStateChange
from zeroconf.asyncio import AsyncZeroconf

from frp2p.ledger.charter import VERSION
from frp2p.ledger.names import name_problem
from frp2p.net import discovery
from frp2p.net.address import Address, listening_socket
from frp2p.net.ads import INSTANCE_LETTERS, TableAd, instance_name, may_be, read_ad, read_seat_ad
from frp2p.net.discovery import Discovery

LOOPBACK = ("127.0.0.1",)
GOOD = {
    "v": str(VERSION), "k": "K7Q2M-9XW3D", "n": "Ana", "g": "fantasy-realms", "s": "4", "f": "3", "l": "1", "w": "0",
    "a": "0",
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback is shared with every other test and program of this machine; the name of the service is not."""
    monkeypatch.setattr(discovery, "SERVICE", f"_t{os.urandom(5).hex()}._tcp.local.")
    monkeypatch.setattr(discovery, "SEAT_SERVICE", f"_s{os.urandom(5).hex()}._tcp.local.")


def ad_of(name: str) -> TableAd:
    return TableAd(instance_name(os.urandom(32), os.urandom(3)), "K7Q2M-9XW3D", name, "fantasy-realms", 4, 3)


async def until_tables(found: Discovery, *names: str, free: int = 3) -> None:
    """Wait until exactly these are listed (zeroconf calls back inside: there is no event to wait for)."""
    await until(lambda: {(table.ad.name, table.ad.free) for table in found.tables()} == {(n, free) for n in names}, 10)


async def test_a_table_is_found_changed_and_withdrawn() -> None:
    with listening_socket(0, loopback=True) as socket:
        port = socket.getsockname()[1]
        async with Discovery(LOOPBACK) as host, Discovery(LOOPBACK) as guest:
            guest.browse()
            ad = ad_of("Ana")
            await host.announce(ad, port)
            await until_tables(guest, "Ana")
            assert [address.port for address in guest.tables()[0].addresses] == [port]
            await host.announce(replace(ad, free=1), port)
            await until_tables(guest, "Ana", free=1)
            await host.withdraw()
            await until_tables(guest)
            assert host.problem == guest.problem == ""


async def test_a_table_that_nobody_answers_at_is_not_listed() -> None:
    with listening_socket(0, loopback=True) as closing:
        dead_port = closing.getsockname()[1]
    with listening_socket(0, loopback=True) as socket:
        async with Discovery(LOOPBACK) as dead, Discovery(LOOPBACK) as host, Discovery(LOOPBACK) as guest:
            guest.browse()
            await dead.announce(ad_of("Ghost"), dead_port)
            await host.announce(ad_of("Ana"), socket.getsockname()[1])
            await until_tables(guest, "Ana")


async def test_an_announcement_makes_nobody_call_outside_or_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever announces a table at somebody else's address must not make every machine of the LAN call there."""
    called: list[str] = []

    async def probe(addresses: tuple[Address, ...]) -> bool:
        called.extend(address.host for address in addresses)
        return bool(addresses)

    monkeypatch.setattr(discovery, "_first_answer", probe)
    async with Discovery(LOOPBACK) as host, Discovery(LOOPBACK) as guest:
        guest.browse()
        monkeypatch.setattr(discovery, "interface_addresses", lambda _wanted: ("9.9.9.9", "127.0.0.1", "192.168.7.7"))
        await host.announce(ad_of("Ana"), 47377)
        await until_tables(guest, "Ana")
        assert set(called) == {"192.168.7.7", "127.0.0.1"}
        called.clear()
        monkeypatch.setattr(discovery, "interface_addresses", lambda _wanted: ("192.168.7.1",))
        assert not guest._leads_to_others("127.0.0.1")


@pytest.mark.parametrize("open_still", [True, False], ids=["by somebody else", "by its host"])
async def test_a_table_is_taken_back(*, open_still: bool) -> None:
    """In the name of a host that is there, or by a host that goes: who listens there shows which."""
    with listening_socket(0, loopback=True) as socket, contextlib.ExitStack() as closing:
        async with Discovery(LOOPBACK) as host, Discovery(LOOPBACK) as guest:
            guest.browse()
            await host.announce(ad_of("Ana"), socket.getsockname()[1])
            await until_tables(guest, "Ana")
            assert await guest.taken_back() == ()
            async with AsyncZeroconf(interfaces=list(LOOPBACK)) as liar:
                assert host._announced is not None
                for _time in range(3):  # as who takes something back does it
                    liar.zeroconf.send(liar.zeroconf.generate_service_broadcast(host._announced, 0))
                    await asyncio.sleep(0.15)
                await until_tables(guest)
            if not open_still:
                closing.callback(socket.detach)
                socket.close()
            assert [table.ad.name for table in await guest.taken_back()] == ["Ana"] * open_still


HOSTILE = ["g\x1b[2J", "a" * 63, "a.b.c", "a" * 30 + "\0", "\u202eevil", "_tcp", "x" * 200]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
async def test_a_name_that_is_none_of_ours_is_not_even_asked_for(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """zeroconf raises for some of them, in a task of ours, which would be told as our own mistake."""
    async with Discovery(LOOPBACK) as guest:
        guest.browse()
        assert guest._zeroconf is not None
        full = f"{name}.{discovery.SERVICE}"
        guest._on_change(guest._zeroconf.zeroconf, discovery.SERVICE, full, ServiceStateChange.Added)
        assert guest._resolving == {}
        await asyncio.sleep(0)
        gc.collect()
        assert guest.problem == ""
    assert caplog.records == []


async def test_a_host_does_not_find_its_own_table() -> None:
    with listening_socket(0, loopback=True) as socket:
        async with Discovery(LOOPBACK) as host:
            host.browse()
            await host.announce(ad_of("Ana"), socket.getsockname()[1])
            await asyncio.sleep(0.3)
            assert host.tables() == ()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.EADDRINUSE, "Address already in use"), "Address already in use"),
        (RuntimeError("No interfaces to listen on"), "no network to listen on"),
    ],
)
async def test_a_network_without_multicast_is_a_sentence(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_arguments: object) -> None:
        raise error

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", broken)
    async with Discovery(LOOPBACK) as found:
        found.browse()
        await found.announce(ad_of("Ana"), 1)
        await found.withdraw()
        assert found.tables() == ()
        assert words in found.problem


async def test_a_taken_name_is_a_sentence_and_not_the_end() -> None:
    with listening_socket(0, loopback=True) as socket:
        port = socket.getsockname()[1]
        async with Discovery(LOOPBACK) as first, Discovery(LOOPBACK) as second:
            ad = ad_of("Ana")
            await first.announce(ad, port)
            await second.announce(ad, port)
            assert "NonUniqueName" in second.problem


def test_a_good_announcement_is_read() -> None:
    ad = read_ad("abc123", dict(GOOD))
    assert ad == TableAd("abc123", "K7Q2M-9XW3D", "Ana", "fantasy-realms", 4, 3, locked=True)
    assert read_ad("abc123", {**GOOD, "l": "0", "w": "1"}) == replace(ad, locked=False, watched=True)
    assert read_ad("abc123", {**GOOD, "a": "1", "f": "0"}) == replace(ad, arbiter=True, free=0)


BAD = {
    "other version": {"v": str(VERSION + 1)},
    "no version": {"v": None},
    "no name": {"n": None},
    "escape in the name": {"n": "\x1b[2JAna"},
    "turned text": {"n": "Ana\u202e"},
    "endless name": {"n": "A" * 1000},
    "escape in the key": {"k": "\x1b[2J"},
    "spaces in the game": {"g": "a b"},
    "seats in words": {"s": "four"},
    "one seat": {"s": "1"},
    "too many seats": {"s": "99"},
    "no number": {"f": "³"},
    "more free than seats": {"f": "4"},
    "negative": {"f": "-1"},
    "neither locked nor not": {"l": "yes"},
    "not a word about the lock": {"l": None},
    "not a word about watching": {"w": None},
    "not a word about an arbiter": {"a": None},
    "half an arbiter": {"a": "0.5"},
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_announcement_is_of_no_use(what: str) -> None:
    assert read_ad("abc123", {**GOOD, **BAD[what]}) is None


@pytest.mark.parametrize("instance", ["", "a b", "\x1b[2J", "a" * 40, "ä", "a.b"])
def test_a_bad_instance_is_of_no_use(instance: str) -> None:
    assert read_ad(instance, dict(GOOD)) is None


@given(st.text(max_size=40), st.dictionaries(st.sampled_from("vkngsflwa"), st.text(max_size=40) | st.none()))
@settings(max_examples=200, deadline=None)
def test_whatever_is_read_can_be_drawn(instance: str, properties: dict[str, str | None]) -> None:
    ad = read_ad(instance, {**GOOD, **properties})
    if ad is not None:
        assert (ad.instance + ad.key + ad.game).isascii()
        assert (ad.instance + ad.key + ad.game).isprintable()
        assert name_problem(ad.name) is None


async def test_no_more_tables_are_kept_than_can_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "MAX_TABLES", 2)
    with listening_socket(0, loopback=True) as socket:
        port = socket.getsockname()[1]
        async with contextlib.AsyncExitStack() as stack:
            guest = await stack.enter_async_context(Discovery(LOOPBACK))
            guest.browse()
            hosts = [await stack.enter_async_context(Discovery(LOOPBACK)) for _n in range(4)]
            await asyncio.gather(*(host.announce(ad_of(f"Host {n}"), port) for n, host in enumerate(hosts)))
            await asyncio.sleep(0.5)
            assert len(guest.tables()) == 2


async def test_one_machine_that_announces_many_tables_leaves_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The many are at one address; the next one is at another."""
    monkeypatch.setattr(discovery, "MAX_TABLES_PER_HOST", 2)
    with listening_socket(0, loopback=True) as socket:
        port = socket.getsockname()[1]
        async with contextlib.AsyncExitStack() as stack:
            guest = await stack.enter_async_context(Discovery(LOOPBACK))
            guest.browse()
            hosts = [await stack.enter_async_context(Discovery(LOOPBACK)) for _n in range(5)]
            await asyncio.gather(*(host.announce(ad_of(f"Fake {n}"), port) for n, host in enumerate(hosts[:4])))
            await asyncio.sleep(0.5)
            assert len(guest.tables()) == 2
            monkeypatch.setattr(discovery, "interface_addresses", lambda _wanted: ("192.168.7.7", "127.0.0.1"))
            monkeypatch.setattr(discovery, "_first_answer", answers)
            monkeypatch.setattr(guest, "_leads_to_others", lambda host: host == "192.168.7.7")
            await hosts[4].announce(ad_of("Ana"), port)
            await until(lambda: "Ana" in {table.ad.name for table in guest.tables()}, 10)
            assert len(guest.tables()) == 3


async def answers(_addresses: tuple[Address, ...]) -> bool:
    """A probe of an address that this machine does not have."""
    return True


def test_instances_differ_between_keys_and_runs() -> None:
    keys, runs = [bytes([n]) * 32 for n in range(3)], [bytes([n]) * 3 for n in range(3)]
    names = {instance_name(key, run) for key in keys for run in runs}
    assert len(names) == 9
    assert all(len(name) == INSTANCE_LETTERS and name.isalnum() for name in names)


SEAT = {"v": str(VERSION), "t": "K7Q2MPXA"}


def test_the_announcement_of_a_seat_is_read() -> None:
    key = os.urandom(32)
    ad = read_seat_ad(instance_name(key, b"abc"), dict(SEAT))
    assert ad is not None
    assert (ad.code, ad.properties()) == ("K7Q2MPXA", SEAT)
    assert may_be(ad.instance, key)
    assert not may_be(ad.instance, os.urandom(32))


@pytest.mark.parametrize(
    ("instance", "changes"),
    [
        ("a" * 16, {"v": "9"}),
        ("a" * 16, {"t": None}),
        ("a" * 16, {"t": "K7Q2-MPX"}),
        ("a" * 16, {"t": "K7Q2MPXAA"}),
        ("a" * 16, {"t": "\x1b[2Jabc"}),
        ("a" * 15, {}),
        ("ä" * 16, {}),
    ],
)
def test_a_bad_announcement_of_a_seat_is_of_no_use(instance: str, changes: dict[str, str | None]) -> None:
    assert read_seat_ad(instance, {**SEAT, **changes}) is None


async def test_many_tables_and_hosts_of_one_name_are_told_apart() -> None:
    """Four tables of two people with one name, two of them on one machine: each is listed, with its own label."""
    ads = [
        TableAd(instance_name(key, os.urandom(3)), label, "Ana", "fantasy-realms", 4, 3)
        for key, label in ((b"a" * 32, "AAAAA-AAAAA"), (b"a" * 32, "AAAAA-AAAAA"), (b"b" * 32, "BBBBB-BBBBB"))
    ]
    async with contextlib.AsyncExitStack() as stack:
        guest = await stack.enter_async_context(Discovery(LOOPBACK))
        guest.browse()
        ports = []
        for ad in ads:
            socket = stack.enter_context(listening_socket(0, loopback=True))
            ports.append(socket.getsockname()[1])
            host = await stack.enter_async_context(Discovery(LOOPBACK))
            await host.announce(ad, ports[-1])
        await until(lambda: len(guest.tables()) == len(ads), 10)
        found = {table.ad.instance: table for table in guest.tables()}
        assert [found[ad.instance].addresses[0].port for ad in ads] == ports
        assert len({(table.ad.key, table.addresses[0]) for table in guest.tables()}) == len(ads)


@pytest.mark.parametrize("cut", ["time", "cancelled", "fault"])
async def test_sockets_are_closed_where_the_goodbyes_are_cut_short(cut: str, monkeypatch: pytest.MonkeyPatch) -> None:
    saying = asyncio.Event()

    async def goodbyes(_zeroconf: AsyncZeroconf) -> None:
        saying.set()
        if cut == "fault":
            raise OSError("the cable is out")
        await asyncio.Event().wait()

    monkeypatch.setattr(AsyncZeroconf, "async_close", goodbyes)
    monkeypatch.setattr(discovery, "CLOSE_SECONDS", 0.05 if cut == "time" else 60.0)
    made = AsyncZeroconf(interfaces=list(LOOPBACK))
    await made.zeroconf.async_wait_for_start()
    transports = [wrapped.transport for wrapped in (*made.zeroconf.engine.senders, *made.zeroconf.engine.readers)]
    assert transports
    assert not any(transport.is_closing() for transport in transports)
    closing = asyncio.create_task(discovery.close(made))
    await saying.wait()
    if cut == "cancelled":
        closing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await closing
    assert all(transport.is_closing() for transport in transports)
