"""What happens rarely: our own mistakes, impossible games, records from strange places."""

from __future__ import annotations

import pytest
from table_kit import DEALERS, TINY, Options, Rig, Show, new_peer, signer, with_cheat

from frp2p.deal.clear.dealer import ClearDealer
from frp2p.errors import LocalError, PeerFault, UserError
from frp2p.ledger.records import PartBody, sign_part
from frp2p.ledger.referee import Referee
from frp2p.table import loop, seated
from frp2p.table.events import Refused
from frp2p.table.messages import Pull, encode
from frp2p.table.peer import Peer
from frp2p.table.status import Fault
from frp2p.table.stopped import Stopped
from frp2p.testing.clock import ManualClock
from frp2p.testing.network import Conditions, MemoryNetwork
from frp2p.testing.table import MemoryTable, by_default, seeded

LIAR = 1


def codes(rig: Rig) -> set[tuple[str, int | None]]:
    faults = [peer.status().fault for peer in rig.peers]
    return {(fault.code, fault.seat) for fault in faults if fault is not None}


def test_a_record_of_a_seat_that_is_not_there_closes_the_link() -> None:
    rig = Rig(3)
    cheat = with_cheat(rig, LIAR, lambda key, message: [message])
    rig.open()
    rig.run(lambda: rig.step() >= 2)
    referee = rig.peers[0]._desk.phase._loop.referee
    body = PartBody(referee.digest, referee.step, referee.head, 5, "deal", b"")
    cheat.say(rig.keys[0], encode(sign_part(signer(LIAR), body)))
    assert rig.run()
    assert Refused(LIAR, "seat-range") in rig.events(0)
    assert codes(rig) == set()


def test_parts_that_are_right_alone_and_not_together_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def close(self: ClearDealer, contributions: object) -> None:
        raise PeerFault("deal-card", "No such card.")

    rig = Rig(2)
    monkeypatch.setattr(ClearDealer, "close", close)
    rig.open()
    assert rig.run()
    assert codes(rig) == {("deal-card", None)}


def test_a_game_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "MAX_STEPS", 5)
    rig = Rig(2)
    rig.open()
    assert rig.run()
    assert codes(rig) == {("too-many-steps", None)}


def test_a_part_of_ours_that_others_would_refuse_is_our_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig(2)
    monkeypatch.setattr(Referee, "speak", lambda self: b"\xc1")
    with pytest.raises(LocalError, match="My own part"):
        rig.open()


def test_nobody_attests_a_record_that_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> Referee:
        raise PeerFault("signature", "Broken on the way.")

    rig = Rig(2)
    monkeypatch.setattr(seated, "replay", broken)
    rig.open()
    assert rig.run()
    assert codes(rig) == {("record-wrong", None)}


def test_nobody_attests_another_state_than_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = seated.replay

    def elsewhere(*arguments: object) -> Referee:
        referee = honest(*arguments)  # type: ignore[arg-type]
        referee.head = b"\0" * 32
        return referee

    rig = Rig(2)
    monkeypatch.setattr(seated, "replay", elsewhere)
    rig.open()
    assert rig.run()
    assert codes(rig) == {("record-wrong", None)}


def test_somebody_of_another_table_is_sent_away() -> None:
    rig, other = Rig(2), Rig(2)
    rig.open()
    rig.run(lambda: rig.step() >= 2)
    stray = Peer(
        signer(1),
        "Bruno",
        games=other.peers[1]._desk.games,
        dealers=other.peers[1]._desk.dealers,
        addresses=("p1:1",),
        entropy=seeded("stray"),
    )
    other.peers[1] = stray
    other.network.replace(other.keys[1], stray)
    other.open()
    other.run(lambda: stray.status().phase == "setup")
    rig.network.cut(rig.keys[1])
    rig.network.replace(rig.keys[1], stray)
    rig.network.dial(rig.keys[1], "p0:1")
    rig.run(lambda: False, seconds=2)
    assert Refused(1, "wrong-game") in rig.events(0)


def test_a_guest_whose_host_stopped_is_told_to_go() -> None:
    rig = Rig(3)
    rig.open()
    rig.run(lambda: rig.step() >= 1)
    rig.network.cut(rig.keys[2])
    late = new_peer(2)
    late.join(rig.keys[0])
    rig.network.replace(rig.keys[2], late)
    host = rig.peers[0]
    host._desk.phase = Stopped(host._desk, host._desk.phase, Fault("state-mismatch", None, ""), None)
    rig.network.dial(rig.keys[2], "p0:1")
    rig.run(lambda: late.ended, seconds=5)
    fault = late.status().fault
    assert fault is not None
    assert fault.code == "host-left"
    with pytest.raises(UserError):
        host.act(Show(), rig.now)
    host.tick(rig.now)
    assert host.legal() == ()


def test_a_seat_without_addresses_is_waited_for_until_it_dials() -> None:
    network = MemoryNetwork(4, Conditions(reorder=False))
    peers = [new_peer(place, addresses=() if place else ("p0:1",)) for place in range(2)]
    for place, peer in enumerate(peers):
        network.add(signer(place).public_key, peer, f"p{place}:1")
    peers[0].host("tiny", Options(), 2, "clear")
    peers[1].join(signer(0).public_key)
    network.dial(signer(1).public_key, "p0:1")
    network.run(lambda: peers[0].status().phase == "play", 5)
    network.cut(signer(0).public_key)
    assert not peers[0].status().seats[1].connected
    assert network.run(lambda: peers[0].status().seats[1].connected, 3)


def test_messages_before_any_table_are_dropped() -> None:
    rig = Rig(2)
    idle, other = rig.peers
    rig.network.dial(rig.keys[1], "p0:1")
    rig.network.run(lambda: False, 1)
    link = idle._desk.links.of(rig.keys[1])
    assert link is not None
    idle.receive(link.number, encode(Pull(0, 0, 0)), rig.now)
    assert idle.status().phase == "lobby"
    assert idle.transcript() is None
    assert idle.legal() == ()
    rig.network.cut(rig.keys[0])
    idle.tick(rig.now)
    idle.host("tiny", Options(), 2, "clear")
    rig.network.dial(rig.keys[1], "p0:1")
    rig.network.run(lambda: False, 1)
    link = idle._desk.links.of(rig.keys[1])
    assert link is not None
    idle.receive(link.number, encode(Pull(0, 0, 0)), rig.now)
    assert idle.legal() == ()
    assert [seat.name for seat in idle.status().seats] == ["Ana"]
    assert not other.settled()


def test_a_guest_is_in_no_hurry() -> None:
    guest = new_peer(1)
    guest.join()
    guest.tick(0.0)
    wake = guest.wake_at()
    assert wake is not None
    guest.tick(wake / 2)
    assert guest.wake_at() == wake


def test_a_clock_does_not_go_back() -> None:
    clock = ManualClock(5.0)
    assert clock.advance(1.5) == clock.now == 6.5
    with pytest.raises(ValueError, match="back"):
        clock.set(6.0)
    with pytest.raises(ValueError, match="back"):
        clock.advance(-1.0)


def test_the_memory_table_of_the_kit_plays_any_game() -> None:
    table = MemoryTable(5, 3, TINY, Options(2), DEALERS["clear"], choose=by_default)
    assert table.play()
    assert len({peer.transcript() for peer in table.peers}) == 1


def test_two_ends_of_a_network_are_found_by_address_only_if_they_are_there() -> None:
    network = MemoryNetwork(1)
    peer = new_peer(0)
    network.add(signer(0).public_key, peer, "p0:1")
    network.dial(signer(0).public_key, "p0:1")
    network.dial(signer(0).public_key, "nobody:1")
    network.dial(b"?" * 32, "p0:1")
    assert not network.run(lambda: False, 5)
    assert len(peer._desk.links) == 0
