"""The passphrase of a table, with bad company at the door."""

from __future__ import annotations

import pytest
from access_kit import SLOW, WORD, Door, Stranger, begun, fault, key, said, stranger_at
from table_kit import Options, new_peer

from frp2p.deal.group import IDENTITY
from frp2p.errors import UserError
from frp2p.ledger.codec import encode as canonical
from frp2p.ledger.provisions import provisions
from frp2p.table import cpace, limits
from frp2p.table.access import Access, read_passphrase
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
from frp2p.table.outputs import Close, Output


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
    eve = stranger_at(door, lambda _eve, heard: [Join(bytes(32), (), False)] if isinstance(heard, Hello) else [])
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
            return [Unlocked(tags.mine), Lobby("tiny", canonical(Options()), 2, "clear", provisions(2), (), None)]
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
    lobby = Lobby("tiny", canonical(Options()), 2, "clear", provisions(2), (), None)
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
