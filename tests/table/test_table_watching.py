"""Watching a table: everything public, verified; and nothing that a watcher does reaches the game."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from io import BytesIO

import msgspec
import pytest
from table_kit import DEALERS, TINY, Cheat, Options, Rig, View, new_peer, signer, with_cheat

from frp2p.errors import PeerFault
from frp2p.ledger.charter import VERSION
from frp2p.ledger.codec import encode as canonical
from frp2p.ledger.provisions import Clock, provisions
from frp2p.ledger.records import Ack, Part, read_part_body
from frp2p.ledger.verify import verify
from frp2p.table import limits
from frp2p.table.access import Access
from frp2p.table.events import Closed, Event, Moved, Opened, Refused
from frp2p.table.messages import AnyMessage, Bye, Final, Hello, Join, Proposal, Pull, decode, encode
from frp2p.table.outputs import Output, Send
from frp2p.table.peer import Peer
from frp2p.testing.network import Conditions

EYES = 20
"""Places from here on watch."""


class Stands:
    """A table that is played, and people around it."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.watchers: list[Peer] = []
        self.said: list[tuple[bytes, bytes, AnyMessage]] = []
        rig.network.on_send = self._note

    def _note(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        with contextlib.suppress(PeerFault):  # a test may send what nobody can read
            self.said.append((sender, receiver, decode(frame, greeted=True)))

    def watch(self, at: int = 0, *, delay: int = 0) -> Peer:
        place = EYES + len(self.watchers)
        peer = new_peer(0, seed=place, name=f"eye {'abcdefgh'[len(self.watchers)]}", addresses=())
        self.rig.network.add(key_of(place), peer, f"w{place}:1")
        peer.watch(delay, (f"p{at}:1",))
        peer.found(self.rig.keys[at])
        self.rig.network.dial(key_of(place), f"p{at}:1")
        self.watchers.append(peer)
        return peer

    def events(self, number: int = 0) -> list[Event]:
        return self.rig.network.events[key_of(EYES + number)]

    def run(self, until: Callable[[], bool] | None = None, seconds: float = 60.0) -> bool:
        return self.rig.run(until or (lambda: self.rig.ended() and all(peer.ended for peer in self.watchers)), seconds)

    def sent(self, number: int = 0) -> list[AnyMessage]:
        return [message for sender, _to, message in self.said if sender == key_of(EYES + number)]

    def got(self, number: int = 0) -> list[AnyMessage]:
        return [message for _from, to, message in self.said if to == key_of(EYES + number)]


def key_of(place: int) -> bytes:
    return signer(0, place).public_key


def fault(peer: Peer) -> str:
    found = peer.status().fault
    assert found is not None, peer.status().phase
    return found.code


def seen_to_the_end(stands: Stands, number: int = 0) -> None:
    """The watcher has the whole game, verified by itself, and was told what the seats were told."""
    peer, rig = stands.watchers[number], stands.rig
    status, wanted = peer.status(), rig.peers[0].status()
    assert (status.phase, status.me, status.digest) == ("over", None, wanted.digest)
    assert status.verified_by == wanted.verified_by
    record = peer.transcript()
    assert record is not None
    assert verify(BytesIO(record), {"tiny": TINY}, DEALERS).digest == wanted.digest
    told = [event for event in stands.events(number) if isinstance(event, Opened | Moved | Closed)]
    assert told == [event for event in rig.events(0) if isinstance(event, Opened | Moved | Closed)]
    assert {type(message) for message in stands.sent(number)} <= {Hello, Pull, Bye}


@pytest.mark.parametrize(("step", "dealer"), [(0, "clear"), (1, "clear"), (6, "clear"), (12, "clear"), (6, "sealed")])
def test_who_comes_at_any_step_sees_the_whole_game(step: int, dealer: str) -> None:
    stands = Stands(Rig(3, dealer=dealer))
    stands.rig.open()
    stands.run(lambda: stands.rig.step() >= step)
    stands.watch(step % 3)
    assert stands.run()
    seen_to_the_end(stands)


def test_who_comes_before_the_game_sees_the_lobby_and_then_the_game() -> None:
    stands = Stands(Rig(2))
    rig = stands.rig
    rig.peers[0].host("tiny", Options(), 2, "clear")
    watcher = stands.watch()
    stands.run(lambda: False, 3 * limits.JOIN_SECONDS)
    status = watcher.status()
    assert (status.phase, status.watching, [seat.name for seat in status.seats]) == ("lobby", True, ["Ana"])
    assert len(rig.peers[0].status().seats) == 1
    rig.peers[1].join(rig.keys[0])
    rig.network.dial(rig.keys[1], "p0:1")
    assert stands.run()
    seen_to_the_end(stands)


def test_what_is_seen_is_what_anybody_may_know() -> None:
    stands = Stands(Rig(3, dealer="sealed"))
    watcher = stands.watch(1)
    stands.rig.open()
    views: list[View] = []

    def look() -> bool:
        view = watcher.status().view
        if isinstance(view, View):
            views.append(view)
        return watcher.ended

    assert stands.run(look)
    assert views
    for view in views:
        assert view.me is None
        # A card is known only once it was shown, one seat after the other.
        cards = [seat.card for seat in view.seats]
        assert all(card is None for card in cards[cards.index(None) :]) if None in cards else True
    assert [seat.card for seat in views[0].seats] == [None] * 3
    assert watcher.legal() == ()
    assert not watcher.asked


def test_with_a_delay_the_screen_stays_behind_until_the_end() -> None:
    stands = Stands(Rig(2, rounds=3))
    watcher = stands.watch(delay=5)
    stands.rig.open()
    behind: list[int] = []

    def look() -> bool:
        if not watcher.ended and watcher.status().step:
            behind.append(stands.rig.step() - watcher.status().step)
            assert len([e for e in stands.events() if isinstance(e, Moved)]) <= len(
                [e for e in stands.rig.events(0) if isinstance(e, Moved)]
            )
        return stands.rig.ended() and watcher.ended

    assert stands.run(look)
    assert behind
    assert min(behind) >= 5
    seen_to_the_end(stands)


@pytest.mark.parametrize("seed", range(4))
def test_a_bad_network_costs_time_only(seed: int) -> None:
    stands = Stands(Rig(3, seed=seed, rounds=3))
    stands.watch(1)
    stands.watch(2)
    stands.rig.open()
    stands.run(lambda: all(peer.status().code for peer in stands.watchers))
    stands.rig.network.conditions = Conditions(loss=0.1, duplicate=0.05)
    for time in range(1, 10):
        stands.rig.network.later(time / 2, lambda eye=time % 2: stands.rig.network.cut(key_of(EYES + eye)))
    assert stands.run(seconds=600)
    for number in range(2):
        assert stands.watchers[number].status().digest == stands.rig.peers[0].status().digest


def test_four_watch_at_one_seat_and_the_next_one_goes_elsewhere() -> None:
    stands = Stands(Rig(2))
    stands.rig.held = {0, 1}
    stands.rig.open()
    for _eye in range(limits.MAX_WATCHERS + 1):
        stands.watch(0)
        stands.run(lambda: False, 1)
    late = stands.watchers[-1]
    assert late.status().code == ""  # it has not heard of other seats and goes on asking here
    assert [peer.status().code for peer in stands.watchers[:-1]] == [stands.rig.peers[0].status().code] * 4
    elsewhere = stands.watch(1)
    stands.run(lambda: False, 1)
    assert elsewhere.status().code
    assert stands.run(lambda: late.ended, 3 * limits.WATCH_PATIENCE)
    assert fault(late) == "nobody-shows"
    stands.watchers.remove(late)
    stands.rig.held = set()
    assert stands.run()


@pytest.mark.parametrize("lobby", [True, False])
def test_a_table_that_is_not_to_be_watched(lobby: bool) -> None:
    stands = Stands(Rig(2, provided=provisions(2, watched=False)))
    if not lobby:
        stands.rig.open()
    else:
        stands.rig.peers[0].host("tiny", Options(), 2, "clear", provided=provisions(2, watched=False))
    watcher = stands.watch()
    assert stands.run(lambda: watcher.ended, 2 * limits.WATCH_PATIENCE)
    assert fault(watcher) == ("not-watched" if lobby else "nobody-shows")
    assert not [message for message in stands.got() if isinstance(message, Final)]


def test_a_lobby_with_a_passphrase_shows_nothing_to_who_watches() -> None:
    stands = Stands(Rig(2))
    stands.rig.peers[0].host("tiny", Options(), 2, "clear", access=Access(passphrase=b"three green apples"))
    watcher = stands.watch()
    assert stands.run(lambda: watcher.ended)
    assert fault(watcher) == "passphrase-needed"


def test_when_the_seat_goes_another_one_is_asked() -> None:
    stands = Stands(Rig(3, provided=provisions(3, Clock(away_seconds=5))))
    watcher = stands.watch(2)
    stands.rig.open()
    stands.run(lambda: stands.rig.step() >= 8)
    stands.run(lambda: watcher.status().step >= 7)
    stands.rig.network.remove(stands.rig.keys[2])
    assert stands.run(lambda: all(peer.ended for peer in (*stands.rig.peers[:2], watcher)), 300)
    status = watcher.status()
    assert status.phase == "over"
    assert [seat.out for seat in status.seats] == [False, False, True]  # by the votes of the others, which are in it
    assert status.digest == stands.rig.peers[0].status().digest
    record = watcher.transcript()
    assert record is not None
    verify(BytesIO(record), {"tiny": TINY}, DEALERS)


def test_when_all_are_gone_the_watcher_goes_too() -> None:
    stands = Stands(Rig(2))
    stands.rig.held = {0, 1}
    watcher = stands.watch()
    stands.rig.open()
    stands.run(lambda: watcher.status().step >= 3)
    for key in stands.rig.keys:
        stands.rig.network.remove(key)
    stands.rig.network.run(lambda: watcher.ended, 2 * limits.WATCH_PATIENCE)
    assert fault(watcher) == "nobody-shows"


# -- seats that lie to those who watch ---------------------------------------------------------------------------------


def wrong_final(final: Final, what: str) -> Final:
    replace = msgspec.structs.replace
    if what == "no acks":
        return replace(final, acks=())
    if what == "an ack too few":
        return replace(final, acks=final.acks[:-1])
    if what == "a signature":
        return replace(final, acks=(*final.acks[:-1], replace(final.acks[-1], signature=bytes(64))))
    if what == "nothing":
        return replace(final, parts=(), acks=())
    if what == "a record twice":
        return replace(final, parts=(*final.parts, final.parts[-1]))
    return replace(final, parts=tuple(replace(part, body=part.body[:-1] + b"\x01") for part in final.parts))


@pytest.mark.parametrize(
    "what", ["no acks", "an ack too few", "a signature", "nothing", "a record twice", "another body"]
)
@pytest.mark.parametrize("step", [0, 7])
def test_a_seat_that_shows_what_is_not_so_is_left(what: str, step: int) -> None:
    stands = Stands(Rig(3))
    stands.watch(1)
    lied: list[int] = []

    def tamper(there: bytes, message: AnyMessage) -> list[AnyMessage]:
        if there == key_of(EYES) and isinstance(message, Final) and message.step == step:
            lied.append(step)
            return [wrong_final(message, what)]
        return [message]

    cheat = with_cheat(stands.rig, 1, tamper)
    assert isinstance(cheat, Cheat)
    stands.rig.open()
    assert stands.run()
    assert lied == [step]  # it was not asked again
    assert [event.check for event in stands.events() if isinstance(event, Refused)]
    seen_to_the_end(stands)


def test_a_seat_cannot_show_another_table_later() -> None:
    """The charter of another table, on a link of a seat of this one: that seat is left."""
    other = Rig(3, seed=0, rounds=2)
    proposals: list[AnyMessage] = []
    other.network.on_send = lambda _from, _to, frame: proposals.append(decode(frame, greeted=True))
    other.open()
    [false, *_same] = [message for message in proposals if isinstance(message, Proposal)]
    stands = Stands(Rig(3))
    watcher = stands.watch(1)

    def tamper(there: bytes, message: AnyMessage) -> list[AnyMessage]:
        later = there == key_of(EYES) and isinstance(message, Final) and message.step == 5
        return [false, message] if later else [message]

    with_cheat(stands.rig, 1, tamper)
    stands.rig.open()
    assert stands.run()
    assert [event.check for event in stands.events() if isinstance(event, Refused)] == ["wrong-game"]
    assert watcher.status().code == stands.rig.peers[0].status().code
    seen_to_the_end(stands)


# -- watchers that do not behave ---------------------------------------------------------------------------------------


class Eye:
    """Somebody without a seat who says Hello, and then what a test makes it say."""

    def __init__(self, answer: Callable[[AnyMessage], list[bytes]]) -> None:
        self.signer = signer(0, 99)
        self.key = self.signer.public_key
        self.heard: list[AnyMessage] = []
        self.pending: list[Output] = []
        self.link = 0
        self._answer = answer

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.link = link
        signed = self.signer.sign("hello", canonical([VERSION, self.key, "eye", None, 0, channel]))
        self.say(encode(Hello(VERSION, self.key, "eye", None, 0, signed)))

    def disconnected(self, link: int, now: float) -> None:
        """It stays away."""

    def receive(self, link: int, frame: bytes, now: float) -> None:
        message = decode(frame, greeted=True)
        self.heard.append(message)
        for said in self._answer(message):
            self.say(said)

    def say(self, frame: bytes) -> None:
        self.pending.append(Send(self.link, frame))

    def tick(self, now: float) -> None:
        """Nothing is due."""

    def wake_at(self) -> float | None:
        return None

    def outputs(self) -> list[Output]:
        due, self.pending = self.pending, []
        return due


def with_eye(stands: Stands, answer: Callable[[AnyMessage], list[bytes]]) -> Eye:
    eye = Eye(answer)
    stands.rig.network.add(eye.key, eye, "eye:1")
    stands.rig.network.dial(eye.key, "p0:1")
    return eye


def test_who_speaks_is_shown_out_and_the_game_goes_on() -> None:
    stands = Stands(Rig(2))
    stands.rig.open()
    stands.run(lambda: stands.rig.step() >= 4)
    records = {type(m): encode(m) for _f, _t, m in stands.said if isinstance(m, Part | Ack | Final)}
    for frame, reason in (
        *((frame, "watcher-speaks") for frame in records.values()),
        (encode(Join(bytes(32), ())), "table-full"),
        (b"\x91\xa4junk", "unknown-kind"),
    ):
        eye = with_eye(stands, lambda message, frame=frame: [frame] if isinstance(message, Hello) else [])
        stands.run(lambda: False, 0.5)
        assert [m.reason for m in eye.heard if isinstance(m, Bye)] == [reason]
    assert stands.run()
    assert {event.seat for event in stands.rig.events(0) if isinstance(event, Refused)} == {None}


def flood(count: int) -> Callable[[AnyMessage], list[bytes]]:
    """Asks for everything ten times whenever anything comes, so many times in all."""
    left = [count]

    def answer(message: AnyMessage) -> list[bytes]:
        now = min(10, left[0])
        left[0] -= now
        return [encode(Pull(0, 0, 0))] * now

    return answer


def steps_in(rig: Rig) -> tuple[bytes | None, int]:
    return rig.peers[0].status().digest, rig.step()


def played(answer: Callable[[AnyMessage], list[bytes]] | None) -> tuple[tuple[bytes | None, int], float, Stands]:
    """The result of a game and how long it took, with such a watcher or without one."""
    stands = Stands(Rig(3, rounds=3))
    if answer is not None:
        with_eye(stands, answer)
    stands.rig.open()
    assert stands.run()
    return steps_in(stands.rig), stands.rig.now, stands


def test_nobody_waits_for_a_watcher_that_is_slow_or_silent_or_floods() -> None:
    """The result is the same, and the game takes as long as without anybody: chance of the network apart."""
    _result, alone, _stands = played(None)
    for answer in (lambda _m: [], flood(400)):
        (digest, _steps), took, _stands = played(answer)
        assert digest is not None
        assert took <= alone + 2


def test_a_watcher_that_never_asks_is_sent_nothing() -> None:
    stands = Stands(Rig(2))
    eye = with_eye(stands, lambda _message: [])
    stands.rig.open()
    stands.run(lambda: stands.rig.step() >= 4)
    late = with_eye(stands, lambda _message: [])
    assert stands.run()
    for somebody in (eye, late):
        assert not [m for m in somebody.heard if isinstance(m, Final | Part | Ack)]


def test_the_same_pull_again_and_again_is_no_amplifier() -> None:
    stands = Stands(Rig(2, rounds=3))
    stands.rig.held = {0, 1}
    stands.rig.open()
    stands.run(lambda: stands.rig.step() >= 8)
    eye = with_eye(stands, flood(400))
    before = stands.rig.now
    stands.run(lambda: False, 10)
    sent = sum(len(encode(m)) for m in eye.heard)
    assert sent <= limits.WATCH_RATE * (stands.rig.now - before) + 2 * limits.WATCH_PAGE
    stands.rig.held = set()
    assert stands.run()


def test_a_watcher_gets_no_record_of_a_step_that_is_not_final() -> None:
    stands = Stands(Rig(3))
    eye = with_eye(stands, lambda m: [encode(Pull(0, 0, 0))] if isinstance(m, Hello) else [])
    heights: list[tuple[int, int]] = []

    def look(_sender: bytes, receiver: bytes, frame: bytes) -> None:
        message = decode(frame, greeted=True)
        if receiver == eye.key and isinstance(message, Final):
            heights.append((message.step, stands.rig.step()))
        assert not (receiver == eye.key and isinstance(message, Part | Ack))

    stands.rig.network.on_send = look
    stands.rig.open()
    assert stands.run()
    assert heights
    assert all(step < height for step, height in heights)


def test_parts_of_a_final_are_those_of_the_table() -> None:
    stands = Stands(Rig(2))
    stands.watch()
    stands.rig.open()
    assert stands.run()
    finals = [message for message in stands.got() if isinstance(message, Final)]
    assert [final.step for final in finals] == list(range(len(finals)))
    assert all(read_part_body(part.body).step == final.step for final in finals for part in final.parts)
