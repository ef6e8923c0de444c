"""Options that go together or don't, and how a match is ranked."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from frp2p.errors import UserError
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.counting import context
from frp2p.games.fantasy_realms.match import decided
from frp2p.games.fantasy_realms.options import MAX_POINTS, MAX_ROUNDS, measure
from frp2p.games.fantasy_realms.ranking import Result, standing, sums, wins
from frp2p.games.game import Deal
from frp2p.games.verbs import Seal
from frp2p.players.random_bot import Random
from frp2p.players.selfplay import run_quick
from frp2p.scoring import House


@pytest.mark.parametrize(
    ("options", "hand", "threshold", "cap", "most"),
    [
        (Options(), 7, 10, 8, 6),
        (Options(jester=True, phoenix="deluxe"), 7, 10, 8, 6),
        (Options(extra_suits=True), 8, 12, 9, 7),
        (Options(extra_suits=True, jester=True, phoenix="promo"), 8, 12, 9, 7),
        (Options(mode="duel"), 7, 12, 8, 2),
        (Options(mode="duel", extra_suits=True), 8, 14, 9, 2),
    ],
)
def test_the_numbers_of_a_table(options: Options, hand: int, threshold: int, cap: int, most: int) -> None:
    numbers = measure(options)
    assert (numbers.hand, numbers.threshold, numbers.cap, numbers.seats_max) == (hand, threshold, cap, most)
    for seats in range(2, 9):
        if seats <= most:
            GAME.check_options(options, seats)
        else:
            with pytest.raises(UserError):
                GAME.check_options(options, seats)


@pytest.mark.parametrize(
    ("options", "seats", "sentence"),
    [
        (Options(mode="duel"), 3, "A duel seats two players, not 3"),
        (Options(), 7, "For seven players the deck is too small"),
        (Options(extra_suits=True), 8, "seats 2 to 7 players, not 8"),
        (Options(rounds=2, points=500), 3, "either a number of rounds or a target of points"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(options: Options, seats: int, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        GAME.check_options(options, seats)
    with pytest.raises(UserError, match=sentence):
        GAME.start(options, seats)


@pytest.mark.parametrize(
    "changed",
    [{"rounds": 0}, {"rounds": MAX_ROUNDS + 1}, {"points": -1}, {"points": MAX_POINTS + 1}, {"phoenix": "both"}],
)
def test_options_of_a_peer_are_within_their_bounds(changed: dict[str, Any]) -> None:
    plain = msgspec.to_builtins(msgspec.structs.replace(Options(), **changed))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(plain, Options, strict=True)


def test_the_deck_follows_from_the_options() -> None:
    sizes = {
        Options(): 53,
        Options(jester=True): 54,
        Options(jester=True, phoenix="deluxe"): 55,
        Options(extra_suits=True): 68,
        Options(extra_suits=True, jester=True, phoenix="promo"): 70,
    }
    for options, size in sizes.items():
        assert len(set(GAME.decks(options)[GAME.name])) == size


ROUNDS = (Result((100, 80, 90), (1, 3, 2)), Result((80, 100, 90), (3, 1, 2)), Result((70, 70, 70), (1, 1, 1)))


def test_a_match_adds_up_and_shares() -> None:
    assert sums(ROUNDS, 3) == (250, 250, 250)
    assert wins(ROUNDS, 3) == (2, 2, 1)
    assert standing(ROUNDS, 3) == (1, 1, 3)
    assert standing(ROUNDS[:1], 3) == (1, 3, 2)
    assert standing(ROUNDS[:2], 3) == (1, 1, 3)


def test_a_single_round_keeps_its_own_tie_break() -> None:
    """Two equal totals: the weaker hand was first in the round, so it is first in the match of one round."""
    assert standing((Result((50, 50), (2, 1)),), 2) == (2, 1)


@pytest.mark.parametrize(("points", "over"), [(180, True), (179, True), (181, False)])
def test_a_target_ends_the_match_when_it_is_reached(points: int, *, over: bool) -> None:
    state = GAME.start(Options(points=points), 2)
    state = msgspec.structs.replace(state, round=2, past=(Result((90, 80), (1, 2)),), totals=(90, 10), ranks=(1, 2))
    assert decided(state) == over
    assert decided(msgspec.structs.replace(state, round=MAX_ROUNDS))


def test_a_round_brings_all_cards_together_and_looks_at_none() -> None:
    """The next round asks the dealer to seal exactly the cards that lay open, and shuffles the rest unseen."""
    options = Options(extra_suits=True, rounds=2)
    asked: list[tuple[Any, Any]] = []

    def watch(state: Any, _known: Any, _moves: Any) -> None:
        need = GAME.need(state)
        if isinstance(need, Deal):
            asked.append((state, need.verbs))

    run_quick(GAME, options, [Random(seat).choose for seat in range(3)], 4, watch)
    seals = [(state, verbs[0]) for state, verbs in asked if isinstance(verbs[0], Seal) and len(verbs[0].cards) > 1]
    assert len(seals) == 2
    state, seal = seals[1]
    assert len(seal.cards) + len(state.deck) == 68
    assert set(seal.cards) == set(state.open_cards()) - {state.searched}
    at = asked.index((state, (seal,)))
    (shuffle,) = asked[at + 1][1]
    assert shuffle.slots[: len(state.deck)] == state.deck
    assert len(shuffle.slots) == 68


def test_the_count_knows_everything_that_was_agreed() -> None:
    house = House(forest_each=True, book_wild=True)
    options = Options(extra_suits=True, jester=True, phoenix="promo", house=house)
    discards = GAME.decks(options)[GAME.name][:3]
    around = context(options, discards, 5)
    assert (around.players, around.discard, around.house) == (5, discards, house)
    assert around.deck() == GAME.decks(options)[GAME.name]
