"""A table from the first Hello to the record, on a network that behaves."""

from __future__ import annotations

from io import BytesIO

import pytest
from table_kit import DEALERS, TINY, Bet, Rig, Show

from frp2p.errors import LocalError, UserError
from frp2p.games.game import IllegalMove
from frp2p.ledger.records import PartBody
from frp2p.ledger.verify import verify
from frp2p.table.events import Closed, Dealt, LinkUp, Moved, Opened, Spoke
from frp2p.table.loop import StepLoop
from frp2p.testing.finality import FinalityWatch
from frp2p.testing.network import Conditions


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_every_size_of_table_plays_to_one_record(seats: int) -> None:
    rig = Rig(seats)
    rig.open()
    assert rig.run(lambda: all(peer.settled() for peer in rig.peers))
    [record] = {peer.transcript() for peer in rig.peers}
    assert record is not None
    report = verify(BytesIO(record), {"tiny": TINY}, DEALERS)
    for place, peer in enumerate(rig.peers):
        status = peer.status()
        assert (status.phase, status.me, status.digest) == ("over", place, report.digest)
        assert status.verified_by == status.shuffled_by == tuple(range(seats))
        assert status.waiting_for == ()
        assert peer.legal() == ()
    assert [seat.name for seat in report.seats] == [seat.name for seat in rig.peers[0].status().seats]


def test_the_events_of_all_peers_tell_the_same_story() -> None:
    rig = Rig(3)
    rig.open()
    rig.run()
    stories = [
        [event for event in rig.events(place) if isinstance(event, Opened | Spoke | Dealt | Moved | Closed)]
        for place in range(3)
    ]
    assert stories[0] == stories[1] == stories[2]
    assert stories[0][0] == Opened(("Ana", "Bruno", "Chiara"))
    assert isinstance(stories[0][-1], Closed)
    moves = [event.move for event in stories[0] if isinstance(event, Moved)]
    assert moves == [Bet(0), Bet(1), Bet(2), Show(), Show(), Show()]
    assert {event.seat for event in rig.events(0) if isinstance(event, LinkUp)} == {1, 2}


def test_the_status_follows_the_table() -> None:
    rig = Rig(3)
    rig.held = {0, 1, 2}
    rig.open()
    assert rig.run(lambda: all(peer.asked for peer in rig.peers))
    status = rig.peers[1].status()
    assert (status.phase, status.game, status.seats_wanted, status.asked) == ("play", "tiny", 3, True)
    assert status.waiting_for == (0, 1, 2)
    assert status.shuffled_by == (0, 1, 2)
    assert status.verified_by == ()
    assert {peer.status().code for peer in rig.peers} == {status.code}
    assert all(seat.connected for seat in status.seats)
    assert [seat.card is not None for seat in status.view.seats] == [False, True, False]
    rig.held = {2}
    assert not rig.run(lambda: rig.peers[2].status().waiting_for == (), seconds=30)
    assert all(peer.status().waiting_for == (2,) for peer in rig.peers)
    assert not rig.peers[1].asked


def test_only_a_seat_that_is_asked_may_move_and_only_as_the_rules_say() -> None:
    rig = Rig(2)
    with pytest.raises(UserError) as caught:
        rig.peers[0].act(Show(), 0.0)
    assert caught.value.code == "not-asked"
    rig.held = {0, 1}
    rig.open()
    rig.run(lambda: rig.peers[0].asked and rig.peers[1].asked)
    for wrong in (Show(), Bet(10), Bet(-1)):
        with pytest.raises(IllegalMove):
            rig.peers[0].act(wrong, rig.now)
    rig.peers[0].act(Bet(7), rig.now)
    with pytest.raises(UserError):
        rig.peers[0].act(Bet(7), rig.now)
    rig.held = {0}
    rig.run(lambda: rig.peers[0].asked)
    with pytest.raises(UserError):
        rig.peers[1].act(Show(), rig.now)


def test_a_peer_has_one_table_in_its_life() -> None:
    rig = Rig(2)
    rig.open()
    for peer in rig.peers:
        with pytest.raises(LocalError):
            peer.join()


@pytest.mark.parametrize("seed", range(5))
def test_no_part_of_a_step_leaves_before_the_step_before_is_final(seed: int) -> None:
    """The rule that keeps cards hidden, on every frame, while frames overtake each other."""
    rig = Rig(4, seed=seed, conditions=Conditions(delay=(0.0, 0.5)))
    watch = FinalityWatch(rig.network, rig.peers[0])
    rig.open()
    assert rig.run()
    assert watch.parts_seen > 50


def test_the_watch_itself_notices_a_part_that_is_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 1 answers the next request as soon as it knows it, without waiting for the acks."""
    rig = Rig(3)
    FinalityWatch(rig.network, rig.peers[0])
    honest = StepLoop._apply

    def hasty(self: StepLoop, now: float) -> None:
        honest(self, now)
        referee = self.referee
        if self.me == 1 and referee.expect().kind == "setup":
            body = PartBody(referee.digest, referee.step, referee.head, 1, "setup", referee.speak())
            self._own.part(body)

    monkeypatch.setattr(StepLoop, "_apply", hasty)
    rig.open()
    with pytest.raises(LocalError, match="seat 1 spoke in step 1 after 2 acks"):
        rig.run()
