"""How an arbiter comes to a table: by the door that guests use, to a place of its own."""

from __future__ import annotations

import pytest
from access_kit import WORD, key
from table_kit import Options, new_peer

from frp2p.errors import UserError
from frp2p.ledger.provisions import provisions
from frp2p.table.access import Access
from frp2p.table.events import Asked, Joined, Left
from frp2p.table.peer import Peer
from frp2p.testing.network import Conditions, MemoryNetwork

ZOE = 5


class Lobby:
    """A host at p0 whose table of two has a place for an arbiter."""

    def __init__(self, access: Access | None = None, *, arbiter: bool = True, seats: int = 2) -> None:
        self.network = MemoryNetwork(1, Conditions(reorder=False))
        self.host = new_peer(0)
        self.network.add(key(0), self.host, "p0:1")
        provided = provisions(seats, arbiter=arbiter)
        self.host.host("tiny", Options(), seats, "clear", access=access or Access(), provided=provided)

    def come(self, place: int, *, arbiter: bool = False, passphrase: bytes = b"", name: str | None = None) -> Peer:
        peer = new_peer(place, name=name)
        self.network.add(key(place), peer, f"p{place}:1")
        peer.join(passphrase=passphrase, places=("p0:1",), arbiter=arbiter)
        self.network.dial(key(place), "p0:1")
        self.wait()
        return peer

    def wait(self, seconds: float = 2.0) -> None:
        self.network.run(lambda: False, seconds)


def fault(peer: Peer) -> str:
    found = peer.status().fault
    assert found is not None, peer.status()
    return found.code


@pytest.mark.parametrize("first", ["arbiter", "guest"])
def test_the_game_begins_when_both_are_here(first: str) -> None:
    lobby = Lobby()
    one = lobby.come(ZOE, arbiter=True) if first == "arbiter" else lobby.come(1)
    status = lobby.host.status()
    assert (status.phase, status.lacks_arbiter) == ("lobby", first == "guest")
    shown = one.status()
    assert (shown.phase, shown.watching, shown.arbitrating) == ("lobby", first == "arbiter", first == "arbiter")
    two = lobby.come(1) if first == "arbiter" else lobby.come(ZOE, arbiter=True)
    for peer in (lobby.host, one, two):
        status = peer.status()
        assert status.phase != "lobby"
        assert [seat.name for seat in status.seats] == ["Ana", "Bruno"]
        assert status.arbiter is not None
        assert (status.arbiter.name, status.arbiter.key, status.arbiter.seat) == ("Fatima", key(ZOE), 2)
    arbiter = one if first == "arbiter" else two
    assert (arbiter.status().me, arbiter.status().arbitrating) == (None, True)


def test_everybody_in_the_lobby_sees_who_the_arbiter_is() -> None:
    lobby = Lobby(seats=3)
    guest = lobby.come(1)
    lobby.come(ZOE, arbiter=True)
    for peer in (lobby.host, guest):
        status = peer.status()
        assert [seat.name for seat in status.seats] == ["Ana", "Bruno"]
        assert status.arbiter is not None
        assert (status.arbiter.name, status.arbiter.arbiter) == ("Fatima", True)
    assert Joined("Fatima") in lobby.network.events[key(0)]
    assert Joined("Fatima") in lobby.network.events[key(1)]


def test_an_arbiter_that_goes_before_the_game_leaves_its_place_free() -> None:
    lobby = Lobby(seats=3)
    arbiter = lobby.come(ZOE, arbiter=True)
    arbiter.go(lobby.network.clock.now)
    lobby.network.settle()
    lobby.wait()
    assert lobby.host.status().lacks_arbiter
    assert Left("Fatima") in lobby.network.events[key(0)]
    lobby.come(4, arbiter=True)
    assert not lobby.host.status().lacks_arbiter


def test_there_is_one_place_and_only_where_it_was_provided_for() -> None:
    lobby = Lobby(seats=3)
    lobby.come(ZOE, arbiter=True)
    assert fault(lobby.come(4, arbiter=True)) == "no-arbiter"
    assert fault(Lobby(arbiter=False).come(ZOE, arbiter=True)) == "no-arbiter"
    lobby.come(1)
    lobby.come(2)
    assert lobby.host.status().phase != "lobby"


def test_a_name_like_that_of_the_arbiter_is_taken() -> None:
    lobby = Lobby(seats=3)
    lobby.come(ZOE, arbiter=True)
    assert fault(lobby.come(1, name="fatima")) == "name-taken"
    assert fault(Lobby().come(ZOE, arbiter=True, name="ANA")) == "name-taken"


def test_an_arbiter_needs_the_passphrase_too() -> None:
    lobby = Lobby(Access(passphrase=WORD))
    assert fault(lobby.come(ZOE, arbiter=True)) == "passphrase-needed"
    lobby.come(4, arbiter=True, passphrase=WORD)
    lobby.come(1, passphrase=WORD)
    assert lobby.host.status().phase != "lobby"


def test_the_host_lets_an_arbiter_in_and_sends_it_away() -> None:
    lobby = Lobby(Access(ask=True), seats=3)
    first = lobby.come(ZOE, arbiter=True)
    second = lobby.come(4, arbiter=True)
    now = lobby.network.clock.now
    assert [(one.name, one.arbiter) for one in lobby.host.status().asking] == [("Fatima", True), ("Emeka", True)]
    assert Asked("Fatima") in lobby.network.events[key(0)]
    assert lobby.host.status().lacks_arbiter
    lobby.host.admit(key(ZOE), now)
    lobby.network.settle()
    lobby.wait()
    assert lobby.host.status().arbiter is not None
    with pytest.raises(UserError) as caught:
        lobby.host.admit(key(4), now)
    assert caught.value.code == "no-arbiter"
    lobby.host.remove(key(ZOE), now)
    lobby.network.settle()
    lobby.wait()
    assert fault(first) == "removed"
    lobby.host.admit(key(4), now)
    lobby.network.settle()
    lobby.wait()
    assert second.status().arbiter is not None


def test_the_moment_before_the_game_waits_for_the_arbiter_too() -> None:
    lobby = Lobby(Access(pause=5.0))
    lobby.come(1)
    assert not lobby.host.status().starting
    lobby.come(ZOE, arbiter=True)
    assert (lobby.host.status().starting, lobby.host.status().phase) == (True, "lobby")
    lobby.wait(6.0)
    assert lobby.host.status().phase != "lobby"


def test_who_watches_sees_the_arbiter_and_may_ask_it() -> None:
    """Its program has everything that is final, and shows it like a seat."""
    lobby = Lobby()
    lobby.come(1)
    arbiter = lobby.come(ZOE, arbiter=True)
    lobby.network.run(lambda: arbiter.status().step >= 3, 10)
    eye = new_peer(6)
    lobby.network.add(key(6), eye, "p6:1")
    eye.watch(0, (f"p{ZOE}:1",))
    lobby.network.dial(key(6), f"p{ZOE}:1")
    lobby.wait()
    status = eye.status()
    assert status.step >= 3
    assert status.arbiter is not None
    assert (status.arbiter.name, status.arbitrating) == ("Fatima", False)
