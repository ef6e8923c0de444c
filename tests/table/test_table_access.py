"""Who may sit down: the host's yes and no, and the passphrase, with bad company at the door."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from table_kit import Options, new_peer, signer

from frp2p.deal.group import IDENTITY
from frp2p.errors import UserError
from frp2p.ledger.charter import VERSION
from frp2p.ledger.codec import encode as canonical
from frp2p.ledger.provisions import provisions
from frp2p.table import cpace, limits
from frp2p.table.access import Access, read_passphrase
from frp2p.table.events import Asked, Joined, Left
from frp2p.table.messages import (
    AnyMessage,
    Bye,
    Hello,
    Join,
    Lobby,
    Locked,
    Part,
    Proposal,
    Unlock,
    Unlocked,
    decode,
    encode,
)
from frp2p.table.outputs import Close, Output, Send
from frp2p.table.peer import Peer
from frp2p.testing.network import Conditions, MemoryNetwork

WORD = read_passphrase("three green apples")
SLOW = 30.0
"""Seconds that cover every repetition of a guest."""


class Door:
    """A host at p0 and whoever comes."""

    def __init__(self, access: Access, seats: int = 2) -> None:
        self.network = MemoryNetwork(1, Conditions(reorder=False))
        self.sent: list[tuple[bytes, bytes, AnyMessage]] = []
        self.network.on_send = lambda sender, receiver, frame: self.sent.append(
            (sender, receiver, decode(frame, greeted=True))
        )
        self.host = new_peer(0)
        self.network.add(key(0), self.host, "p0:1")
        self.host.host("tiny", Options(), seats, "clear", access=access)

    def guest(self, place: int, *, passphrase: bytes = b"", at: str = "p0:1", name: str | None = None) -> Peer:
        peer = new_peer(place, name=name)
        self.network.add(key(place), peer, f"p{place}:1")
        peer.join(passphrase=passphrase, places=(at,))
        self.network.dial(key(place), at)
        return peer

    def wait(self, seconds: float = 2.0) -> None:
        self.network.run(lambda: False, seconds)

    def say(self, action: Callable[[bytes, float], None], place: int) -> None:
        action(key(place), self.network.clock.now)
        self.network.settle()

    def here(self) -> list[str]:
        return [seat.name for seat in self.host.status().seats]

    def asking(self) -> list[str]:
        return [seat.name for seat in self.host.status().asking]

    def events(self) -> list[object]:
        return list(self.network.events[key(0)])

    def shown(self, place: int) -> list[AnyMessage]:
        """What the host sent there, apart from greetings."""
        said = [message for sender, there, message in self.sent if (sender, there) == (key(0), key(place))]
        return [message for message in said if not isinstance(message, Hello | Bye)]


def key(place: int) -> bytes:
    return signer(place).public_key


def fault(peer: Peer) -> str:
    found = peer.status().fault
    assert found is not None, peer.status().phase
    return found.code


def begun(peer: Peer) -> bool:
    return bool(peer.status().code)


# -- yes and no --------------------------------------------------------------------------------------------------------


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


# -- the passphrase ----------------------------------------------------------------------------------------------------


class Stranger:
    """Says Hello and then whatever `answer` makes of what is heard; joins at once if there is none."""

    def __init__(self, number: int, answer: Callable[[Stranger, AnyMessage], list[AnyMessage]] | None = None) -> None:
        self.signer = signer(1000 + number)
        self.key = self.signer.public_key
        self.name = f"s {number}".replace("0", "q").replace("1", "z").replace("5", "w").replace("3", "y")
        self.heard: list[AnyMessage] = []
        self.links: list[int] = []
        self.channel = b""
        self.pending: list[Output] = []
        self._answer = answer

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.links.append(link)
        self.channel = channel
        signed = self.signer.sign("hello", canonical([VERSION, self.key, self.name, None, 0, channel]))
        self.say(link, Hello(VERSION, self.key, self.name, None, 0, signed))
        if self._answer is None:
            self.say(link, Join(bytes(32), ()))

    def disconnected(self, link: int, now: float) -> None:
        """It does not come back."""

    def receive(self, link: int, frame: bytes, now: float) -> None:
        message = decode(frame, greeted=True)
        self.heard.append(message)
        for said in self._answer(self, message) if self._answer is not None else []:
            self.say(link, said)

    def say(self, link: int, message: AnyMessage) -> None:
        self.pending.append(Send(link, encode(message)))

    def tick(self, now: float) -> None:
        """Nothing is due."""

    def wake_at(self) -> float | None:
        return None

    def outputs(self) -> list[Output]:
        due, self.pending = self.pending, []
        return due


def stranger_at(door: Door, answer: Callable[[Stranger, AnyMessage], list[AnyMessage]], number: int = 0) -> Stranger:
    stranger = Stranger(number, answer)
    door.network.add(stranger.key, stranger, f"s{number}:1")
    door.network.dial(stranger.key, "p0:1")
    door.wait()
    return stranger


def said(stranger: Stranger, kind: type[AnyMessage]) -> list[AnyMessage]:
    return [message for message in stranger.heard if isinstance(message, kind)]


def test_who_knows_the_passphrase_sits_down() -> None:
    door = Door(Access(passphrase=WORD), seats=3)
    guests = [door.guest(place, passphrase=WORD) for place in (1, 2)]
    assert door.host.status().locked
    door.wait()
    assert all(begun(peer) for peer in (door.host, *guests))
    for place in (1, 2):
        assert [type(message) for message in door.shown(place)][:3] == [Locked, Unlocked, Lobby]
    assert not any(WORD in encode(message) for _from, _to, message in door.sent)


@pytest.mark.parametrize("when", [Unlock, Unlocked, Join, Lobby, Proposal, Part])
def test_a_link_that_breaks_anywhere_on_the_way_in_costs_no_seat(when: type[AnyMessage]) -> None:
    """Also where the table fills up meanwhile: then the host has no lobby any more that could ask again."""
    door = Door(Access(passphrase=WORD), seats=3)
    cuts = [0]

    def cut(sender: bytes, receiver: bytes, frame: bytes) -> None:
        if isinstance(decode(frame, greeted=True), when) and key(1) in (sender, receiver) and cuts[0] < 2:
            cuts[0] += 1
            door.network.later(0.0, lambda: door.network.cut(key(1), key(0)))

    door.network.on_send = cut
    guests = [door.guest(place, passphrase=WORD) for place in (1, 2)]
    assert door.network.run(lambda: all(begun(peer) for peer in (door.host, *guests)), 60)
    assert cuts[0] == 2


@pytest.mark.parametrize(
    ("locked", "given", "reason"),
    [
        (WORD, b"", "passphrase-needed"),
        (WORD, b"three green pears", "wrong-passphrase"),
        (b"", WORD, "not-locked"),
    ],
)
def test_any_other_passphrase_shows_nothing(locked: bytes, given: bytes, reason: str) -> None:
    door = Door(Access(passphrase=locked))
    guest = door.guest(1, passphrase=given)
    door.wait(SLOW)
    assert fault(guest) == reason
    assert door.here() == ["Ana"]
    if locked:
        assert {type(message) for message in door.shown(1)} == {Locked}


def test_a_join_without_the_passphrase_is_asked_for_it() -> None:
    door = Door(Access(passphrase=WORD))
    eve = stranger_at(door, lambda _eve, heard: [Join(bytes(32), ())] if isinstance(heard, Hello) else [])
    assert {type(message) for message in eve.heard} == {Hello, Locked}
    assert len({message.share for message in eve.heard if isinstance(message, Locked)}) == 1
    assert (door.here(), door.asking()) == (["Ana"], [])


def test_a_link_is_good_for_one_guess() -> None:
    door = Door(Access(passphrase=WORD))
    guesses = [b"four green apples", WORD]

    def guess(eve: Stranger, heard: AnyMessage) -> list[AnyMessage]:
        if not isinstance(heard, Locked):
            return []
        answers: list[AnyMessage] = []
        for word in guesses:
            ci = cpace.lv_cat(b"frp2p/1/table", key(0), eve.key)
            run = cpace.Run(word, ci, eve.channel, b"guest", lambda size: b"\7" * size, initiator=False)
            answers.append(Unlock(run.share, run.finish(heard.share, b"host").mine))
        return answers

    eve = stranger_at(door, guess)
    assert said(eve, Bye) == [Bye("wrong-passphrase")]
    assert not said(eve, Unlocked)
    guesses.reverse()
    assert said(stranger_at(door, guess, 1), Unlocked)


def test_an_answer_of_another_link_opens_nothing() -> None:
    """Replay: what somebody said who knew it, said again by somebody else and by himself later."""
    door = Door(Access(passphrase=WORD), seats=3)
    door.guest(1, passphrase=WORD)
    door.wait()
    [old] = [message for _from, _to, message in door.sent if isinstance(message, Unlock)]
    eve = stranger_at(door, lambda _eve, heard: [old] if isinstance(heard, Locked) else [])
    assert said(eve, Bye) == [Bye("wrong-passphrase")]
    assert door.here() == ["Ana", "Bruno"]


def test_the_own_words_of_the_host_open_nothing() -> None:
    """Reflection: its share comes back, with every tag that can be had."""
    door = Door(Access(passphrase=WORD))
    eve = stranger_at(door, lambda _eve, heard: [Unlock(heard.share, bytes(64))] if isinstance(heard, Locked) else [])
    assert said(eve, Bye) == [Bye("wrong-passphrase")]


@pytest.mark.parametrize("share", [bytes(IDENTITY), b"\xff" * 32, b"\1" + bytes(31)])
def test_a_share_that_is_no_share_is_refused_by_both_sides(share: bytes) -> None:
    door = Door(Access(passphrase=WORD))
    eve = stranger_at(door, lambda _eve, heard: [Unlock(share, bytes(64))] if isinstance(heard, Locked) else [])
    assert said(eve, Bye) == [Bye("pake-share")]
    false = Stranger(7, lambda _self, heard: [Locked(share)] if isinstance(heard, Hello) else [])
    door.network.add(false.key, false, "false:1")
    guest = door.guest(1, passphrase=WORD, at="false:1")
    door.wait()
    assert fault(guest) == "pake-share"
    assert not said(false, Unlock)


def test_a_false_host_learns_one_guess_and_no_more() -> None:
    """It makes its run with a guess; the guest finds out, and tells nothing of itself."""

    def play(eve: Stranger, heard: AnyMessage) -> list[AnyMessage]:
        ci = cpace.lv_cat(b"frp2p/1/table", eve.key, key(1))
        run = cpace.Run(b"a guess", ci, eve.channel, b"host", lambda size: b"\7" * size, initiator=True)
        if isinstance(heard, Hello):
            return [Locked(run.share)]
        if isinstance(heard, Unlock):
            tags = run.finish(heard.share, b"guest")
            assert not tags.fits(heard.tag)
            return [Unlocked(tags.mine), Lobby("tiny", canonical(Options()), 2, "clear", provisions(2), ())]
        return []

    door = Door(Access(passphrase=WORD))
    false = Stranger(7, play)
    door.network.add(false.key, false, "false:1")
    guest = door.guest(1, passphrase=WORD, at="false:1")
    door.wait(SLOW)
    assert fault(guest) == "wrong-passphrase"
    assert len(said(false, Unlock)) == 1
    assert not said(false, Join)


def test_a_host_that_breaks_off_gets_a_few_answers_only() -> None:
    def play(eve: Stranger, heard: AnyMessage) -> list[AnyMessage]:
        ci = cpace.lv_cat(b"frp2p/1/table", eve.key, key(1))
        run = cpace.Run(b"a guess", ci, eve.channel, b"host", lambda size: b"\7" * size, initiator=True)
        if isinstance(heard, Unlock):
            eve.pending.append(Close(eve.links[-1], "again"))
        return [Locked(run.share)] if isinstance(heard, Hello) else []

    door = Door(Access(passphrase=WORD))
    false = Stranger(7, play)
    door.network.add(false.key, false, "false:1")
    guest = door.guest(1, passphrase=WORD, at="false:1")
    for _again in range(8):
        door.wait(3)
        door.network.dial(key(1), "false:1")
    assert fault(guest) == "passphrase-tries"
    assert len({message.share for message in said(false, Unlock) if isinstance(message, Unlock)}) == limits.UNLOCK_TRIES


class Relay:
    """Mallory between a guest and the host: greets both as herself and passes everything else on."""

    def __init__(self) -> None:
        self.ends = [Stranger(8, lambda _end, _heard: []), Stranger(8, lambda _end, _heard: [])]
        self.key = self.ends[0].key
        self.places: dict[int, int] = {}
        self.passed: list[AnyMessage] = []

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.places[link] = len(self.places)
        self.ends[self.places[link]].connected(link, key, channel, now)

    def disconnected(self, link: int, now: float) -> None:
        """The other one is still there."""

    def receive(self, link: int, frame: bytes, now: float) -> None:
        message = decode(frame, greeted=True)
        if isinstance(message, Hello) or len(self.places) < 2:
            return
        self.passed.append(message)
        other = self.ends[1 - self.places[link]]
        other.say(other.links[0], message)

    def tick(self, now: float) -> None:
        """Nothing is due."""

    def wake_at(self) -> float | None:
        return None

    def outputs(self) -> list[Output]:
        return [output for end in self.ends for output in end.outputs()]


def test_whoever_sits_between_two_who_know_it_gets_nothing() -> None:
    door = Door(Access(passphrase=WORD))
    mallory = Relay()
    door.network.add(mallory.key, mallory, "m:1")
    guest = new_peer(1)
    door.network.add(key(1), guest, "p1:1")
    guest.join(passphrase=WORD)
    door.network.dial(key(1), "m:1")
    door.wait(0.5)
    door.network.dial(mallory.key, "p0:1")
    door.wait()
    assert [type(message) for message in mallory.passed][:3] == [Locked, Unlock, Bye]
    assert door.here() == ["Ana"]
    assert fault(guest) == "wrong-passphrase"


def test_a_lobby_that_comes_before_the_proof_is_not_believed() -> None:
    """A host that asks, and then shows a lobby without having shown that it knows the passphrase."""
    door = Door(Access())
    lobby = Lobby("tiny", canonical(Options()), 2, "clear", provisions(2), ())
    share = cpace.Run(WORD, b"", b"", b"", lambda size: b"\7" * size, initiator=True).share
    false = Stranger(7, lambda _self, heard: [Locked(share), lobby] if isinstance(heard, Hello) else [])
    door.network.add(false.key, false, "false:1")
    guest = door.guest(1, passphrase=WORD, at="false:1")
    door.wait(SLOW)
    assert guest.status().game == ""
    assert not said(false, Join)


@pytest.mark.parametrize("text", ["", "abc", "  ab  ", "x" * 257, "tab\x07s here", "a\u0000bcd"])
def test_what_is_no_passphrase(text: str) -> None:
    with pytest.raises(UserError) as error:
        read_passphrase(text)
    assert error.value.code == "passphrase-form"


def test_one_passphrase_however_it_is_typed() -> None:
    assert read_passphrase(" três  maçãs\n") == read_passphrase("tre\u0302s mac\u0327a\u0303s") == "três maçãs".encode()
    assert read_passphrase("Apples") != read_passphrase("apples")
