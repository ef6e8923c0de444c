"""The doctor's checks, with real sockets on loopback and systems that are only described."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from net_kit import Host, hosts, server

from frp2p import locale
from frp2p.app.tables import dealers
from frp2p.deal.entropy import fresh
from frp2p.deal.group.choose import VARIABLE, default_group
from frp2p.games.fantasy_realms import GAME
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.registry import games
from frp2p.ledger.charter import VERSION
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.signing import Signer
from frp2p.net import doctor, doctor_hints, doctor_host, doctor_machine, doctor_multicast
from frp2p.net.address import Address, listening_socket
from frp2p.net.driver import Driver
from frp2p.net.finding import Finding, exit_code
from frp2p.table.messages import Bye, encode
from frp2p.table.outputs import Close, Send
from frp2p.table.peer import Peer

LOOPBACK = ("127.0.0.1",)
SEED = bytes(range(32))


def by_check(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.check: finding for finding in findings}


@contextlib.asynccontextmanager
async def table() -> AsyncIterator[tuple[Address, bytes]]:
    """A real table with a free seat that listens on loopback, and the key of its host."""
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    peer = Peer(Signer(SEED), "Ana", games=games(), dealers=dealers(), addresses=(), entropy=fresh)
    peer.host(GAME.name, Options(), 2)
    driver = Driver(peer, key, lambda: None, lambda _events, _seen: None)
    listener = listening_socket(0, loopback=True)
    address = Address(*listener.getsockname())
    await driver.start(listener)
    try:
        yield address, key.public_key().public_bytes_raw()
    finally:
        await driver.close()


# -- a table at an address --------------------------------------------------------------------------------------------


async def test_a_table_is_examined_to_the_round_trip() -> None:
    async with table() as (address, key):
        found = await doctor_host.examine_host(address)
    assert [finding.check for finding in found] == ["host-tcp", "host-tls", "host-version", "host-round-trip"]
    assert {finding.level for finding in found} == {"fine"}
    checks = by_check(found)
    assert checks["host-tls"].facts == {"fingerprint": fingerprint(key)}
    assert checks["host-version"].facts == {"protocol": VERSION, "name": "Ana", "playing": False}
    assert 0 < checks["host-round-trip"].facts["median_ms"] <= checks["host-round-trip"].facts["slowest_ms"] < 5000


async def test_an_examined_table_has_lost_nothing() -> None:
    """Whoever looks takes no seat: afterwards the table takes the next one as before."""
    async with table() as (address, _key):
        for _time in range(2):
            assert (await doctor_host.examine_host(address))[-1].check == "host-round-trip"


async def test_a_full_table_is_a_table() -> None:
    async with hosts(1) as (full,):
        full.peer.on_frame = lambda _link, _frame: []
        full.peer.greets = False
        _say_goodbye(full)
        found = await doctor_host.examine_host(full.address)
    assert found[-1].check == "host-version"
    assert found[-1].level == "note"
    assert found[-1].facts == {"reason": "table-full"}
    assert exit_code(found) == 0


def _say_goodbye(host: Host) -> None:
    known = host.peer.connected

    def connected(link: int, key: bytes, channel: bytes, now: float) -> None:
        known(link, key, channel, now)
        host.peer.pending += [Send(link, encode(Bye("table-full"))), Close(link, "table-full")]

    host.peer.connected = connected  # type: ignore[method-assign]


async def test_another_version_is_said_so() -> None:
    async with hosts(1) as (other,):
        other.peer.greets = False
        hello = b"\x96\xa5hello" + bytes([VERSION + 1]) + b"whatever comes then"
        known = other.peer.connected

        def connected(link: int, key: bytes, channel: bytes, now: float) -> None:
            known(link, key, channel, now)
            other.peer.pending.append(Send(link, hello))

        other.peer.connected = connected  # type: ignore[method-assign]
        found = await doctor_host.examine_host(other.address)
    assert found[-1].check == "host-version"
    assert "another version" in found[-1].text
    assert exit_code(found) == 2


async def test_nobody_listens() -> None:
    with listening_socket(0, loopback=True) as closing:
        address = Address(*closing.getsockname())
    found = await doctor_host.examine_host(address)
    assert [(finding.check, finding.level) for finding in found] == [("host-tcp", "broken")]
    assert found[0].facts["errno"] == errno.ECONNREFUSED
    assert "no table is open" in found[0].text


async def _http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(10)
    writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    await writer.drain()


async def _closes(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    return


async def _mute(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    while await reader.read(1000):
        pass


async def _endless(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while True:
            writer.write(b"\x16\x03\x03\x40\x00" + bytes(16384))
            await writer.drain()


@pytest.mark.parametrize("talk", [_http, _closes, _mute, _endless])
async def test_something_else_is_no_table(
    talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_host, "ANSWER_SECONDS", 0.5)
    async with server(talk) as address, asyncio.timeout(5):
        found = await doctor_host.examine_host(address)
    assert [finding.check for finding in found] == ["host-tcp", "host-tls"]
    assert "no table of frp2p" in found[-1].text
    assert exit_code(found) == 2


@pytest.mark.parametrize("first", [b"", b"\xc0", b"\x92\xa3bye\xa9\x1b[2J\x1b[31m", b"x" * 5000])
async def test_nonsense_after_the_handshake_is_a_sentence(first: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_host, "ANSWER_SECONDS", 0.5)
    async with hosts(1) as (odd,):
        odd.peer.greets = False
        known = odd.peer.connected

        def connected(link: int, key: bytes, channel: bytes, now: float) -> None:
            known(link, key, channel, now)
            odd.peer.pending.append(Send(link, first))

        odd.peer.connected = connected  # type: ignore[method-assign]
        found = await doctor_host.examine_host(odd.address)
    assert found[-1].check == "host-version"
    assert found[-1].text.isprintable()


async def test_nobody_outside_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    async def forbidden(*_arguments: object, **_options: object) -> None:
        raise AssertionError("a connection to the outside")

    monkeypatch.setattr(asyncio, "open_connection", forbidden)
    for outside in ("9.9.9.9", "2620:fe::fe"):
        found = await doctor_host.examine_host(Address(outside, 47377))
        assert [(finding.check, finding.level) for finding in found] == [("host-name", "broken")]


async def test_a_name_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unknown(*_arguments: object, **_options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
    found = await doctor_host.examine_host(Address("no-such-host.invalid", 1))
    assert [(finding.check, finding.level) for finding in found] == [("host-name", "broken")]


@pytest.mark.parametrize("number", [errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EACCES, 12345])
def test_every_errno_has_words(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    error = OSError(number, "the system's words")
    assert doctor_host.in_words(error)
    assert doctor_multicast.in_words(error)
    assert doctor_host.in_words(OSError(12345, "the system's words")) == "the system's words"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "Local Network" in doctor_host.in_words(OSError(errno.EHOSTUNREACH, "No route to host"))


# -- multicast --------------------------------------------------------------------------------------------------------


async def test_multicast_works_on_loopback() -> None:
    finding = await doctor_multicast.self_test(LOOPBACK)
    assert finding.level == "fine", finding
    assert finding.facts["seconds"] < doctor_multicast.SELF_TEST_SECONDS


async def test_a_network_that_swallows_multicast_is_noticed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_multicast, "SELF_TEST_SECONDS", 0.2)
    finding = await doctor_multicast.self_test(LOOPBACK)
    assert (finding.check, finding.level) == ("self-test", "broken")


async def test_no_zeroconf_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_arguments: object) -> None:
        raise OSError(errno.EADDRINUSE, "Address already in use")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", broken)
    finding = await doctor_multicast.self_test(LOOPBACK)
    assert finding.level == "broken"
    assert "5353" in finding.text


def test_an_interface_without_multicast_is_a_warning_and_all_of_them_are_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = doctor_multicast.ear

    def ear(way: str | int) -> socket.socket:
        if way == "10.99.99.99":
            raise OSError(errno.ENODEV, "No such device")
        return real(way)

    monkeypatch.setattr(doctor_multicast, "ear", ear)
    monkeypatch.setattr(doctor_multicast, "multicast_interfaces", lambda _wanted: ["127.0.0.1", "10.99.99.99"])
    with doctor_multicast.Ears() as ears:
        assert [finding.level for finding in ears.findings] == ["fine", "warning"]
        assert exit_code(ears.findings) == 0
    monkeypatch.setattr(doctor_multicast, "multicast_interfaces", lambda _wanted: ["10.99.99.99"])
    with doctor_multicast.Ears() as ears:
        assert [finding.level for finding in ears.findings] == ["warning", "broken"]
        assert exit_code(ears.findings) == 1


async def test_own_words_are_not_those_of_others() -> None:
    """Our own question comes back on loopback; it must not count as another machine."""
    with doctor_multicast.Ears(LOOPBACK) as ears:
        assert "127.0.0.1" not in await ears.hear(0.3)


def test_what_is_heard_and_listed_is_said() -> None:
    assert doctor_multicast.heard(frozenset()).level == "note"
    two = doctor_multicast.heard(frozenset({"10.0.0.2", "10.0.0.3"}))
    assert (two.level, two.facts) == ("fine", {"senders": ["10.0.0.2", "10.0.0.3"]})
    assert doctor_multicast.listed((), "").level == "note"
    assert doctor_multicast.listed((), "no multicast").level == "broken"


# -- hints ------------------------------------------------------------------------------------------------------------


def test_firewalls_that_are_on_get_their_line(tmp_path: Path) -> None:
    (tmp_path / "etc/ufw").mkdir(parents=True)
    (tmp_path / "etc/avahi").mkdir()
    assert doctor_hints.linux(47377, tmp_path, "") == []
    (tmp_path / "etc/ufw/ufw.conf").write_text("# comment\nENABLED=no\n")
    (tmp_path / "etc/avahi/avahi-daemon.conf").write_text("[server]\n#disallow-other-stacks=yes\n")
    assert doctor_hints.linux(47377, tmp_path, "not running\n") == []
    (tmp_path / "etc/ufw/ufw.conf").write_text("# comment\nENABLED=yes\n")
    (tmp_path / "etc/avahi/avahi-daemon.conf").write_text("[server]\ndisallow-other-stacks = yes\n")
    found = by_check(doctor_hints.linux(47378, tmp_path, "running\n"))
    assert "ufw allow 47378/tcp" in found["ufw"].text
    assert "--add-port=47378/tcp" in found["firewalld"].text
    assert found["avahi"].level == "warning"


def test_the_mac_names_the_terminal() -> None:
    assert "iTerm.app" in doctor_hints.mac({"TERM_PROGRAM": "iTerm.app"})[0].text
    assert "your terminal" in doctor_hints.mac({})[0].text


def test_a_public_profile_of_windows_is_a_warning() -> None:
    assert doctor_hints.windows("Private\nDomainAuthenticated\n") == []
    assert doctor_hints.windows("") == []
    assert doctor_hints.windows("Private\r\nPublic\r\n")[0].level == "warning"


async def test_a_program_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_hints, "ASK_SECONDS", 0.2)
    async with asyncio.timeout(5):
        assert await doctor_hints._say(sys.executable, "-c", "import time; time.sleep(60)") == ""
    assert await doctor_hints._say("no-such-program-anywhere") == ""
    monkeypatch.setattr(doctor_hints, "ASK_SECONDS", 10.0)
    assert (await doctor_hints._say(sys.executable, "-c", "print('running')")).strip() == "running"


@pytest.mark.parametrize(
    ("wanted", "level", "facts"),
    [
        ("sodium", "fine", {"group": "sodium", "constant_time": True}),
        ("pure", "note", {"group": "pure", "constant_time": False}),
        ("abacus", "broken", {}),
    ],
)
def test_the_back_end_is_named(
    wanted: str, level: str, facts: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, wanted)
    default_group.cache_clear()
    try:
        found = doctor_machine.back_end()
    finally:
        default_group.cache_clear()
    assert (found.check, found.level, found.facts) == ("group", level, facts)
    assert wanted in found.text
    assert ("not in constant time" in found.text) == (wanted == "pure")


# -- all of it --------------------------------------------------------------------------------------------------------


async def test_the_whole_examination_tells_what_it_returns() -> None:
    told: list[Finding] = []
    async with table() as (address, _key):
        found = await doctor.examine(told.append, host=address, interfaces=LOOPBACK, seconds=0.5)
    assert told == found
    checks = [finding.check for finding in found]
    for check in (
        "versions",
        "group",
        "terminal",
        "interface",
        "port",
        "multicast",
        "self-test",
        "heard",
        "tables",
        "host-tcp",
    ):
        assert check in checks
    assert exit_code(found) == 0


def test_a_table_that_is_reached_and_not_heard_means_filtered_multicast() -> None:
    reached = Finding("host-version", "direct", "fine", "")
    silent, loud = Finding("heard", "discovery", "note", ""), Finding("heard", "discovery", "fine", "")
    far, near = Address("10.0.0.9", 1), Address("127.0.0.1", 1)
    assert exit_code(doctor.filtered(far, [reached, silent], LOOPBACK)) == 1
    assert doctor.filtered(far, [reached, loud], LOOPBACK) == []
    assert doctor.filtered(far, [silent], LOOPBACK) == []
    assert doctor.filtered(near, [reached, silent], LOOPBACK) == []


def test_the_worst_part_decides_the_exit_code() -> None:
    def broken(part: str) -> Finding:
        return Finding("x", part, "broken", "")  # type: ignore[arg-type]

    assert exit_code([]) == 0
    assert exit_code([Finding("x", "direct", "warning", "")]) == 0
    assert exit_code([broken("discovery")]) == 1
    assert exit_code([broken("discovery"), broken("direct")]) == 2


async def test_it_speaks_portuguese() -> None:
    locale.use("pt_BR")
    try:
        assert "porta" in doctor_machine.port_free(0).text
    finally:
        locale.use("en")
