"""Watching a table: everything public, verified; and nothing that a watcher does reaches the game."""

from __future__ import annotations

from io import BytesIO

import pytest
from table_kit import DEALERS, TINY, Options, Rig, View
from watching_kit import EYES, Stands, fault, key_of, seen_to_the_end

from frp2p.ledger.provisions import Clock, provisions
from frp2p.ledger.verify import verify
from frp2p.table import limits
from frp2p.table.access import Access
from frp2p.table.events import Moved
from frp2p.table.messages import Final
from frp2p.testing.network import Conditions


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
