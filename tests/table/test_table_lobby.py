"""Opening, joining, refusing and leaving, before there is a charter."""

from __future__ import annotations

import pytest
from table_kit import Options, Rig, new_peer, signer, with_cheat

from frp2p.errors import UserError
from frp2p.ledger.codec import encode as canonical
from frp2p.ledger.provisions import provisions
from frp2p.table import limits
from frp2p.table.access import Access
from frp2p.table.events import Joined, Left, Opened, Stopped
from frp2p.table.messages import Bye, Lobby, Member, Proposal, decode, encode
from frp2p.table.peer import Peer
from frp2p.testing.network import Conditions, MemoryNetwork
from frp2p.testing.table import seeded


class Lobbies:
    """A host and as many others as a test likes, who join by hand."""

    def __init__(self, seats: int = 3) -> None:
        self.network = MemoryNetwork(1, Conditions(reorder=False))
        self.host = self.add(0)
        self.host.host("tiny", Options(), seats, "clear")

    def add(self, place: int, name: str | None = None) -> Peer:
        peer = new_peer(place, name=name)
        self.network.add(signer(place).public_key, peer, f"p{place}:1")
        return peer

    def guest(self, place: int, name: str | None = None, host: bytes | None = signer(0).public_key) -> Peer:
        peer = self.add(place, name)
        peer.join(host)
        self.network.dial(signer(place).public_key, "p0:1")
        return peer

    def wait(self, seconds: float = 2.0) -> None:
        self.network.run(lambda: False, seconds)

    def reason(self, peer: Peer) -> str:
        """Why this peer gave up."""
        status = peer.status()
        assert status.phase == "stopped"
        assert status.fault is not None
        assert (status.fault.seat, status.me) == (None, status.me)
        assert peer.settled()
        return status.fault.code


def names(peer: Peer) -> list[str]:
    return [seat.name for seat in peer.status().seats]


def test_everybody_sees_who_is_here_and_what_will_be_played() -> None:
    lobby = Lobbies(4)
    guests = []
    for place in (1, 2):
        guests.append(lobby.guest(place))
        lobby.wait()
    for peer in (lobby.host, *guests):
        status = peer.status()
        assert (status.phase, status.game, status.options, status.seats_wanted) == ("lobby", "tiny", Options(), 4)
        assert names(peer) == ["Ana", "Bruno", "Chiara"]
        assert (status.code, status.waiting_for, status.view, status.digest) == ("", (), None, None)
        assert status.seats[0].fingerprint != status.seats[1].fingerprint
        assert all(seat.connected for seat in status.seats)
    assert [peer.status().me for peer in (lobby.host, *guests)] == [0, 1, 2]
    assert lobby.network.events[signer(0).public_key] == [Joined("Bruno"), Joined("Chiara")]


@pytest.mark.parametrize("name", ["Ana", "ANA", "Аna", "Àna", "An a"])
def test_a_name_that_looks_like_one_at_the_table_is_refused(name: str) -> None:
    lobby = Lobbies()
    guest = lobby.guest(1, name)
    lobby.wait()
    assert lobby.reason(guest) == "name-taken"
    assert names(lobby.host) == ["Ana"]
    other = lobby.guest(2)
    lobby.wait()
    assert names(other) == ["Ana", "Chiara"]


@pytest.mark.parametrize("name", ["", "x" * 17, "a\x1b[2J", "e\u202evil", " x"])
def test_a_name_that_cannot_be_shown_makes_no_peer(name: str) -> None:
    with pytest.raises(UserError):
        Peer(signer(1), name, games={}, dealers={}, addresses=(), entropy=seeded(1))


def test_a_stranger_after_the_table_is_full_is_told_so() -> None:
    lobby = Lobbies(2)
    lobby.guest(1)
    lobby.wait()
    late = lobby.guest(2)
    lobby.wait()
    assert lobby.network.closed[signer(0).public_key] == ["table-full"]
    assert lobby.reason(late) == "table-full"


def test_who_looked_at_the_lobby_when_it_became_full_is_told_so() -> None:
    lobby = Lobbies(2)
    looker = lobby.add(3)
    lobby.network.dial(signer(3).public_key, "p0:1")
    lobby.wait()
    lobby.guest(1)
    lobby.wait()
    assert "table-full" in lobby.network.closed[signer(0).public_key]
    assert looker.status().phase == "lobby"


def test_who_only_looks_is_shown_out_after_a_while() -> None:
    lobby = Lobbies()
    lobby.add(3)
    lobby.network.dial(signer(3).public_key, "p0:1")
    lobby.wait(limits.JOIN_SECONDS + 1)
    assert lobby.network.closed[signer(0).public_key] == ["join-timeout"]


def test_a_guest_that_leaves_makes_room() -> None:
    lobby = Lobbies(3)
    guest, other = lobby.guest(1), None
    lobby.wait()
    guest.leave(lobby.network.clock.now)
    lobby.wait()
    assert names(lobby.host) == ["Ana"]
    assert Left("Bruno") in lobby.network.events[signer(0).public_key]
    assert lobby.reason(guest) == "left"
    for place in (2, 3):
        other = lobby.guest(place)
        lobby.wait()
    assert other is not None
    assert Opened(("Ana", "Chiara", "Dmitri")) in lobby.network.events[signer(3).public_key]


def test_guests_hear_that_the_host_leaves() -> None:
    lobby = Lobbies()
    guest = lobby.guest(1)
    lobby.wait()
    lobby.host.leave(lobby.network.clock.now)
    lobby.wait()
    assert lobby.reason(guest) == "host-left"
    assert lobby.reason(lobby.host) == "left"
    assert lobby.host.wake_at() is None


def test_a_host_that_is_lost_is_looked_for_and_then_given_up() -> None:
    lobby = Lobbies()
    guest = lobby.guest(1)
    lobby.wait()
    lobby.network.cut(signer(1).public_key)
    lobby.wait(3)
    assert names(guest) == names(lobby.host) == ["Ana", "Bruno"]
    lobby.network.remove(signer(0).public_key)
    lobby.wait(limits.HOST_SECONDS - 1)
    assert guest.status().phase == "lobby"
    lobby.wait(3)
    assert lobby.reason(guest) == "host-left"
    assert isinstance(lobby.network.events[signer(1).public_key][-1], Stopped)


def test_a_guest_without_a_key_takes_the_first_table_and_one_with_a_key_only_that() -> None:
    lobby = Lobbies()
    free, bound = lobby.guest(1, host=None), lobby.guest(2, host=signer(5).public_key)
    lobby.wait()
    assert names(free) == ["Ana", "Bruno"]
    assert names(bound) == []


def test_a_guest_that_called_a_host_listens_to_no_other_lobby() -> None:
    lobby = Lobbies()
    rogue = lobby.add(5)
    rogue.host("tiny", Options(), 2, "clear")
    guest = lobby.add(1)
    guest.join()
    guest.found(signer(0).public_key)
    lobby.network.dial(signer(5).public_key, "p1:1")
    lobby.wait()
    assert names(rogue) == [rogue.status().seats[0].name]
    assert names(guest) == []
    lobby.network.dial(signer(1).public_key, "p0:1")
    lobby.wait()
    guest.found(signer(5).public_key)
    assert names(guest) == names(lobby.host) == ["Ana", "Bruno"]


def test_another_version_is_refused_by_both_sides() -> None:
    rig = Rig(2)

    cheat = with_cheat(rig, 0, lambda key, message: [message])
    rig.peers[0].host("tiny", Options(), 2, "clear")
    rig.peers[1].join(rig.keys[0])
    rig.network.dial(rig.keys[1], "p0:1")
    cheat.frames = lambda frame: frame.replace(b"\xa5hello\x02", b"\xa5hello\x03")
    rig.network.run(lambda: False, 2)
    fault = rig.peers[1].status().fault
    assert fault is not None
    assert fault.code == "wrong-version"


def test_a_table_that_cannot_be_is_not_opened() -> None:
    for game, options, seats, dealer in (
        ("chess", Options(), 2, "clear"),
        ("tiny", Options(), 2, "trusted"),
        ("tiny", Options(), 1, "clear"),
        ("tiny", Options(), 8, "clear"),
        ("tiny", Options(9), 2, "clear"),
    ):
        with pytest.raises(UserError):
            new_peer(0).host(game, options, seats, dealer)


def test_messages_of_strangers_move_no_guest() -> None:
    """Somebody who is not the host shows another lobby, a charter and a farewell."""
    lobby = Lobbies(3)
    guest = lobby.guest(1)
    lobby.wait()
    member = Member(signer(6).public_key, "Goro", ())
    stranger = new_peer(6)
    link, channel = 900, b"c" * 32
    key = signer(1).public_key
    stranger.connected(1, key, channel, lobby.network.clock.now)
    guest.connected(link, signer(6).public_key, channel, lobby.network.clock.now)
    hello = stranger.outputs()[0]
    frames = [
        hello.frame,  # type: ignore[union-attr]
        encode(Lobby("tiny", canonical(Options(3)), 2, "clear", provisions(2), (member,), None)),
        encode(Proposal(b"\x90", ())),
        encode(Bye("host-left")),
    ]
    for frame in frames:
        guest.receive(link, frame, lobby.network.clock.now)
    assert names(guest) == ["Ana", "Bruno"]
    assert guest.status().options == Options()


def test_five_hundred_strangers_hold_no_more_than_the_links_there_are() -> None:
    lobby = Lobbies(2)
    now = lobby.network.clock.now
    for number in range(500):
        lobby.host.connected(1000 + number, number.to_bytes(32, "big"), b"c" * 32, now)
    links = lobby.host._desk.links
    assert len(links) <= limits.MAX_LINKS
    lobby.host.outputs()
    lobby.host.tick(now + limits.HELLO_SECONDS)
    assert len(links) == 0
    lobby.network.settle()
    guest = lobby.guest(1)
    lobby.wait()
    assert guest.status().phase != "lobby"


def test_a_peer_does_not_talk_to_itself_nor_twice_to_one_key() -> None:
    lobby = Lobbies()
    now = lobby.network.clock.now
    host = lobby.host
    host.connected(1, signer(0).public_key, b"c" * 32, now)
    assert [getattr(output, "reason", "") for output in host.outputs()][-1] == "own-key"
    host.connected(2, signer(1).public_key, b"c" * 32, now)
    host.connected(3, signer(1).public_key, b"d" * 32, now)
    assert [output.reason for output in host.outputs() if hasattr(output, "reason")] == ["replaced"]
    assert len(host._desk.links) == 1


@pytest.mark.parametrize("who", range(3), ids=["the host", "a guest", "the arbiter"])
@pytest.mark.parametrize("ask", [False, True], ids=["sitting", "at the door"])
def test_the_charter_says_where_everybody_is_now(who: int, *, ask: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine may get another address in the lobby, on links that live on; by the old one nobody would reach it."""
    network = MemoryNetwork(1, Conditions(reorder=False))
    peers = [new_peer(place) for place in range(3)]
    for place, peer in enumerate(peers):
        network.add(signer(place).public_key, peer, f"p{place}:1")
    access = Access(ask=ask, pause=5.0)
    peers[0].host("tiny", Options(), 2, "clear", access=access, provided=provisions(2, arbiter=True))
    for place in (1, 2):
        peers[place].join(signer(0).public_key, arbiter=place == 2)
        network.dial(signer(place).public_key, "p0:1")
    told: list[tuple[tuple[str, ...], ...]] = []
    original = peers[1].receive

    def listen(link: int, frame: bytes, now: float) -> None:
        message = decode(frame, greeted=True)
        told.extend([message.addresses] if isinstance(message, Proposal) else [])
        original(link, frame, now)

    monkeypatch.setattr(peers[1], "receive", listen)
    network.run(lambda: False, 2.0)
    assert not told
    peers[who].moved((f"p{who}:9", "x" * (limits.ADDRESS_BYTES + 1)), network.clock.now)
    network.run(lambda: False, 2.0)
    for place in (1, 2) if ask else ():
        peers[0].admit(signer(place).public_key, network.clock.now)
    network.run(lambda: bool(told), 10.0)
    assert told[0] == tuple((f"p{place}:{9 if place == who else 1}",) for place in range(3))
