"""Who may sit down: the host's yes and no, with bad company at the door."""

from __future__ import annotations

import pytest
from access_kit import SLOW, WORD, Door, Stranger, begun, fault, key
from table_kit import new_peer

from frp2p.errors import UserError
from frp2p.table import limits
from frp2p.table.access import Access
from frp2p.table.events import Asked, Joined, Left


def test_a_guest_sits_down_when_the_host_says_so() -> None:
    door = Door(Access(ask=True))
    guest = door.guest(1)
    door.wait()
    assert (door.here(), door.asking()) == (["Ana"], ["Bruno"])
    assert door.host.status().asking[0].key == key(1)
    status = guest.status()
    assert (status.phase, status.me, [seat.name for seat in status.seats]) == ("lobby", None, ["Ana"])
    door.say(door.host.admit, 1)
    door.wait()
    assert door.events()[:2] == [Asked("Bruno"), Joined("Bruno")]
    assert begun(door.host)
    assert begun(guest)


def test_who_is_not_let_in_is_told_so_after_a_while() -> None:
    door = Door(Access(ask=True))
    guest = door.guest(1)
    door.wait(limits.ASK_SECONDS - 5)
    assert door.asking() == ["Bruno"]
    door.wait(10)
    assert fault(guest) == "not-admitted"
    assert door.asking() == []


def test_who_asks_may_leave_and_ask_again() -> None:
    door = Door(Access(ask=True))
    guest = door.guest(1)
    door.wait()
    door.network.cut(key(1))
    door.network.run(lambda: not door.asking(), 5)
    assert door.asking() == []
    door.network.run(lambda: bool(door.asking()), SLOW)  # it dials again by itself
    door.say(door.host.admit, 1)
    door.wait()
    assert begun(guest)


def test_invited_keys_are_not_asked_about() -> None:
    door = Door(Access(ask=True, invited=frozenset({key(1)})), seats=3)
    door.guest(1)
    door.guest(2)
    door.wait()
    assert (door.here(), door.asking()) == (["Ana", "Bruno"], ["Chiara"])


def test_not_more_ask_than_fit_a_screen_and_their_names_differ() -> None:
    door = Door(Access(ask=True))
    for place in range(1, limits.MAX_ASKING + 3):
        door.guest(place, name=f"guest {'abcdfghkpruxyz'[place]}")
    late = door.guest(30, name="Guest A")
    door.wait()
    assert len(door.asking()) == limits.MAX_ASKING
    assert late.status().phase == "lobby"  # busy is no refusal: it tries again
    door.say(door.host.remove, 1)
    assert len(door.asking()) == limits.MAX_ASKING - 1


@pytest.mark.parametrize("ask", [False, True])
def test_who_is_sent_away_stays_away(ask: bool) -> None:
    door = Door(Access(ask=ask), seats=3)
    guest = door.guest(1)
    door.wait()
    door.say(door.host.remove, 1)
    door.wait()
    assert fault(guest) == "removed"
    assert (door.here(), door.asking()) == (["Ana"], [])
    assert (Left("Bruno") in door.events()) == (not ask)
    again = new_peer(1)
    door.network.replace(key(1), again)
    again.join()
    door.network.dial(key(1), "p0:1")
    door.wait()
    assert fault(again) == "removed"
    assert (door.here(), door.asking()) == (["Ana"], [])
    other = door.guest(2)
    door.wait()
    assert other.status().phase == "lobby"
    assert "Chiara" in door.here() + door.asking()


def test_a_full_table_leaves_the_host_time_to_send_somebody_away() -> None:
    door = Door(Access(pause=5.0))
    eve = door.guest(1)
    door.wait(4)
    assert door.host.status().starting
    assert not begun(door.host)
    door.say(door.host.remove, 1)
    door.wait(10)
    assert not begun(door.host)
    assert not door.host.status().starting
    assert fault(eve) == "removed"
    guest = door.guest(2)
    door.wait(1)
    late = door.guest(3)
    door.wait(3)
    assert not begun(door.host)
    assert fault(late) == "table-full"
    door.wait(3)
    assert begun(door.host)
    assert begun(guest)


def test_a_guest_that_goes_stops_the_clock() -> None:
    door = Door(Access(pause=5.0))
    guest = door.guest(1)
    door.wait(4)
    guest.leave(door.network.clock.now)
    door.wait(10)
    assert not begun(door.host)
    assert door.here() == ["Ana"]


def test_only_the_host_decides_and_only_in_the_lobby() -> None:
    door = Door(Access(ask=True))
    guest = door.guest(1)
    door.wait()
    for action, there, code in (
        (door.host.admit, key(2), "nobody-asks"),
        (door.host.remove, key(2), "nobody-asks"),
        (door.host.remove, key(0), "nobody-asks"),
        (guest.admit, key(1), "not-host"),
        (guest.remove, key(0), "not-host"),
    ):
        with pytest.raises(UserError) as error:
            action(there, door.network.clock.now)
        assert error.value.code == code
    door.say(door.host.admit, 1)
    door.wait()
    with pytest.raises(UserError) as error:
        door.host.remove(key(1), door.network.clock.now)
    assert error.value.code == "not-host"


def test_nobody_is_let_in_where_no_seat_is_free() -> None:
    door = Door(Access(ask=True, pause=60.0))
    door.guest(1)
    door.guest(2)
    door.wait()
    door.say(door.host.admit, 1)
    with pytest.raises(UserError) as error:
        door.host.admit(key(2), door.network.clock.now)
    assert error.value.code == "table-full"
    assert door.asking() == ["Chiara"]


@pytest.mark.parametrize("access", [Access(ask=True), Access(passphrase=WORD), Access(ask=True, passphrase=WORD)])
def test_five_hundred_false_names_do_not_take_the_table(access: Access) -> None:
    """They hold the links there are for a while; the guest who is meant still sits down."""
    door = Door(access)
    for number in range(500):
        stranger = Stranger(number)
        door.network.add(stranger.key, stranger, f"s{number}:1")
        door.network.dial(stranger.key, "p0:1")
    door.wait()
    assert len(door.asking()) <= limits.MAX_ASKING
    guest = door.guest(1, passphrase=access.passphrase)
    for _try in range(8):
        door.wait(limits.JOIN_SECONDS)
        door.network.dial(key(1), "p0:1")
        if "Bruno" in door.here() + door.asking() or begun(guest):
            break
        for seat in door.host.status().asking:  # the host sends those away whom it does not know
            if seat.name != "Bruno":
                door.host.remove(seat.key, door.network.clock.now)
        door.network.settle()
    if access.ask:
        door.say(door.host.admit, 1)
    door.wait()
    assert begun(guest)
