"""What holds in every state of every mode and option, checked on random play over clear dealers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.cards import CardId
from frp2p.games.fantasy_realms import GAME, Options, notation
from frp2p.games.fantasy_realms.moves import (
    AcceptOffer,
    Choose,
    Discard,
    DrawDeck,
    Drop,
    FantasyMove,
    NextRound,
    OfferCard,
    Pass,
    PickExtra,
    RefuseOffer,
    SearchDeck,
    TakeDiscard,
    Wait,
    WithdrawOffer,
)
from frp2p.games.fantasy_realms.options import measure
from frp2p.games.fantasy_realms.ranking import standing
from frp2p.games.fantasy_realms.state import State
from frp2p.games.game import Decide, IllegalMove, Known, Move, Over
from frp2p.games.verbs import Seat, SlotId
from frp2p.ledger.codec import decode, encode
from frp2p.players.random_bot import Random
from frp2p.players.selfplay import run_quick
from frp2p.scoring import Choices

TABLES = (
    (Options(mode="duel"), 2),
    (Options(mode="duel", extra_suits=True, unlinkable_hands=False), 2),
    (Options(mode="duel", jester=True, rounds=2), 2),
    (Options(extra_suits=True), 2),
    (Options(extra_suits=True, jester=True, phoenix="deluxe"), 7),
    (Options(extra_suits=True, rounds=3), 3),
    (Options(phoenix="promo", points=150), 2),
    (Options(extra_suits=True, unlinkable_hands=False), 4),
    (Options(mode="chaos", seconds=10), 3),
    (Options(mode="chaos", extra_suits=True, seconds=10, rounds=2), 7),
    (Options(mode="chaos", seconds=10, phoenix="promo", unlinkable_hands=False), 5),
)
"""Options and seats; every mode and option is in some of them."""

STATE_BYTES = 1 << 14
"""More than any state takes."""


class Watched(NamedTuple):
    """All states of a random game, and what every seat knew in each."""

    options: Options
    seats: int
    states: tuple[State, ...]
    knowledge: tuple[tuple[Known, ...], ...]

    def moments(self) -> Iterator[tuple[State, tuple[Known, ...]]]:
        return zip(self.states, self.knowledge, strict=True)


@lru_cache(maxsize=64)
def watched(table: int, seed: int) -> Watched:
    options, seats = TABLES[table]
    states: list[State] = []
    knowledge: list[tuple[Known, ...]] = []

    def watch(state: State, known: tuple[Known, ...], moves: Mapping[Seat, Move]) -> None:
        states.append(state)
        knowledge.append(tuple(dict(one) for one in known))

    run_quick(GAME, options, [Random(seed + seat).choose for seat in range(seats)], seed, watch)
    return Watched(options, seats, tuple(states), tuple(knowledge))


games = given(game=st.builds(watched, st.integers(0, len(TABLES) - 1), st.integers(0, 5)))
few = settings(max_examples=16, deadline=None)


@games
@few
def test_cards_are_conserved(game: Watched) -> None:
    deck = GAME.decks(game.options)[GAME.name]
    for state, known in game.moments():
        if state.turn == 0:
            continue
        open_cards = state.open_cards() if state.opened else state.discards
        open_cards += GAME.view(state, None, {}).brought
        hidden = [known[seat][slot] for seat, hand in enumerate(state.hands) for slot in hand]
        assert len({*open_cards, *hidden}) == len(open_cards) + len(hidden)
        in_deck = len(state.deck) - (state.searched is not None)
        assert in_deck + len(open_cards) + len(hidden) == len(deck)
        assert {*open_cards, *hidden} <= set(deck)
        slots = [*state.deck, *(slot for hand in state.hands for slot in hand)]
        assert len(set(slots)) == len(slots)


@games
@few
def test_no_hand_grows_over_its_size(game: Watched) -> None:
    numbers = measure(game.options)
    for state in game.states:
        asked = GAME.view(state, None, {}).phase
        for seat in range(game.seats):
            assert len(state.hands[seat]) <= numbers.hand + 1
            if state.opened:
                most = numbers.cap + (asked == "overflow" and GAME.view(state, None, {}).asked == (seat,))
                assert len(state.cards_of(seat)) <= most
        if (game.options.mode, asked) in (("standard", "draw"), ("chaos", "trade")):
            assert {len(hand) for hand in state.hands} == {numbers.hand}
    last = game.states[-1]
    assert all(numbers.hand <= len(last.cards_of(seat)) <= numbers.cap for seat in range(game.seats))


@games
@few
def test_a_round_ends_with_the_discard_that_is_too_much(game: Watched) -> None:
    if game.options.mode == "chaos":
        return
    numbers = measure(game.options)
    for before, after in zip(game.states, game.states[1:], strict=False):
        full = len(after.discards) >= numbers.threshold
        grown = all(len(hand) >= numbers.hand for hand in after.hands)
        if before.seat_in_turn is not None and after.seat_in_turn is None and after.round == before.round:
            assert full
            assert grown
        if after.seat_in_turn is not None and after.turn > before.turn:
            assert not (full and grown)


@games
@few
def test_a_duel_adds_one_card_a_turn_below_a_full_hand(game: Watched) -> None:
    if game.options.mode != "duel":
        return
    full = measure(game.options).hand
    sizes: dict[int, int] = {}
    for state in game.states:
        if GAME.view(state, None, {}).phase == "draw":
            seat = state.turn_seat()
            assert len(state.hands[seat]) == min(full, (state.turn - 1) // 2)
            sizes[state.turn] = len(state.discards)
    assert sizes[1] == 0


@games
@settings(max_examples=8, deadline=None)
def test_a_state_is_a_value(game: Watched) -> None:
    for state in game.states:
        wire = encode(state)
        again = decode(wire, State, cap=STATE_BYTES)
        assert again == state
        assert hash(again) == hash(state)
        assert encode(again) == wire
    assert len(set(game.states)) == len(game.states)


@games
@few
def test_a_view_holds_nothing_that_its_seat_may_not_know(game: Watched) -> None:
    for state, known in game.moments():
        if state.opened:
            continue
        for viewer in (None, *range(game.seats)):
            view = GAME.view(state, viewer, {} if viewer is None else known[viewer])
            for seat, entry in enumerate(view.seats):
                shown = {held.card for held in entry.hand} - {None}
                if seat == viewer:
                    assert all(held.card == known[seat][held.slot] for held in entry.hand)
                elif game.options.mode != "chaos":  # a seat knows what it gave, see test_fantasy_chaos.py
                    assert shown <= set(entry.holds)
                assert (entry.points, entry.total, entry.rank, entry.extras) == (None, None, None, ())


def universe(state: State) -> Iterator[FantasyMove]:
    """Every move that could be meant in this state, and many that could not."""
    yield from (DrawDeck(), Pass(), PickExtra(card=None), NextRound(), Wait())
    for card in (*GAME.decks(state.options)[GAME.name], CardId("FR99")):
        yield from (TakeDiscard(card=card), PickExtra(card=card), SearchDeck(card=card), Drop(card=card))
    slots = {slot for hand in (*state.hands, state.deck) for slot in hand}
    places = sorted({*slots, SlotId(-1), SlotId(10**6)})
    yield from (Discard(slot=slot) for slot in places)
    for seat in range(-1, state.seats + 1):
        yield from (RefuseOffer(seat=seat), WithdrawOffer(seat=seat))
        for slot in places if state.options.mode == "chaos" else ():
            yield from (OfferCard(slot=slot, to=seat), AcceptOffer(seat=seat, slot=slot))


def allowed(state: State, seat: Seat, move: Move) -> bool:
    try:
        GAME.check(state, seat, move)
    except IllegalMove:
        return False
    return True


@games
@settings(max_examples=5, deadline=None)
def test_what_is_legal_is_allowed_and_nothing_else(game: Watched) -> None:
    for state, known in game.moments():
        need = GAME.need(state)
        everything = set(universe(state))
        for seat in range(game.seats):
            view = GAME.view(state, seat, known[seat])
            legal = GAME.legal(view)
            asked = isinstance(need, Decide) and seat in need.seats
            assert bool(legal) == asked
            assert all(allowed(state, seat, move) for move in legal)
            assert not any(allowed(state, seat, move) for move in everything - set(legal))
            if view.phase != "choices":
                assert not allowed(state, seat, Choose(choices=Choices()))


@games
@settings(max_examples=8, deadline=None)
def test_the_default_is_legal_and_every_move_can_be_written(game: Watched) -> None:
    for state, known in game.moments():
        need = GAME.need(state)
        for seat in need.seats if isinstance(need, Decide) else ():
            view = GAME.view(state, seat, known[seat])
            legal = GAME.legal(view)
            assert GAME.default(view) in legal
            for move in legal:
                assert notation.parse(notation.text(move, view), view) == move


@games
@few
def test_a_match_adds_up(game: Watched) -> None:
    last = game.states[-1]
    assert GAME.need(last) == Over()
    rounds = last.rounds()
    assert len(rounds) == last.round == len(last.past) + 1
    view = GAME.view(last, None, {})
    assert [seat.total for seat in view.seats] == [
        sum(one.totals[seat] for one in rounds) for seat in range(game.seats)
    ]
    assert tuple(seat.rank for seat in view.seats) == standing(rounds, game.seats)
    if game.options.points:
        assert max(seat.total or 0 for seat in view.seats) >= game.options.points or last.round == 20
        assert max(sum(one.totals[seat] for one in last.past) for seat in range(game.seats)) < game.options.points
    else:
        assert last.round == game.options.rounds
    firsts = {state.round: state.first_seat for state in game.states if state.turn > 0}
    if game.options.mode == "chaos":
        assert set(firsts.values()) == {None}
        return
    assert all(firsts[number + 1] == ((firsts[number] or 0) + 1) % game.seats for number in range(1, last.round))


@games
@few
def test_extra_cards_come_in_their_order(game: Watched) -> None:
    """Leprechaun's, then Genie's, then the Necromancer's; none of the cards that brought one has gone."""
    order = ("CH09", "CH06", "CH20", "FR28")
    for state in game.states:
        places = [order.index(card) for card in state.spent]
        assert places == sorted(places)
        if state.opened:
            assert set(state.spent) <= {card for seat in range(game.seats) for card in state.cards_of(seat)}


def test_random_play_meets_every_question() -> None:
    phases = {
        GAME.view(state, None, {}).phase for table in range(len(TABLES)) for seed in range(6)
        for state in watched(table, seed).states
    }  # fmt: skip
    assert phases == {
        *("dealing", "draw", "keep", "discard", "trade", "search", "extra", "overflow", "choices", "pause", "over")
    }


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_the_same_moves_make_the_same_states(table: int) -> None:
    one = watched(table, 3)
    watched.cache_clear()
    assert watched(table, 3) == one
    assert msgspec.json.decode(msgspec.json.encode(one.states[-1]), type=State) == one.states[-1]
