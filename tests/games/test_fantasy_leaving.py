"""Seats leave, are lost, or the game is stopped, at any state of random play in every mode."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leaving_rig import Departure, Played, all_cards, play

from frp2p.cards import CardId, sets
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.extras import CloseDeck
from frp2p.games.fantasy_realms.items.looking import TakeBack
from frp2p.games.fantasy_realms.items.searching import KeepHit
from frp2p.games.fantasy_realms.items.stow import StowItem
from frp2p.games.fantasy_realms.necromancy import AskBrought, OpenBrought
from frp2p.games.fantasy_realms.state import State
from frp2p.games.game import Decide, Known, Over
from frp2p.ledger.codec import decode, encode

TABLES: Final = (
    (Options(), 2),
    (Options(), 4),
    (Options(unlinkable_hands=False, rounds=3), 3),
    (Options(extra_suits=True), 7),
    (Options(extra_suits=True, rounds=2, jester=True), 3),
    (Options(mode="duel"), 2),
    (Options(mode="chaos", seconds=10), 4),
    (Options(mode="chaos", seconds=10, extra_suits=True, rounds=2), 5),
    (Options(cursed_items=True), 3),
    (Options(cursed_items=True, unlinkable_hands=False), 5),
    (Options(cursed_items=True, rounds=2), 3),
    (Options(cursed_items=True, extra_suits=True, phoenix="deluxe"), 7),
    (Options(mode="duel", cursed_items=True), 2),
)

STATE_BYTES: Final = 1 << 14
"""More than any state takes."""

departure = st.builds(
    Departure,
    at=st.integers(0, 400),
    how=st.sampled_from(("leave", "recover", "leave", "stop")),
    nearest=st.sampled_from(((0,), (0,), (1,), (2,), (0, 1))),
)


@lru_cache(maxsize=64)
def played(table: int, seed: int, plan: tuple[Departure, ...]) -> Played:
    """Of four seats or fewer keys are recovered once: then they are not shared any more."""
    options, seats = TABLES[table]
    return play(options, seats, seed, tuple(one if seats > 4 or one is plan[0] else one.in_person() for one in plan))


any_game = given(
    table=st.integers(0, len(TABLES) - 1),
    seed=st.integers(0, 1_000),
    plan=st.lists(departure, min_size=1, max_size=2).map(tuple),
)
some = settings(max_examples=20, deadline=None)


@any_game
@some
def test_the_game_ends_and_nobody_who_is_out_is_asked(table: int, seed: int, plan: tuple[Departure, ...]) -> None:
    game = played(table, seed, plan)
    for state, known in game.moments():
        need = GAME.need(state)
        assert set(state.out) <= set(range(game.seats))
        for seat in need.seats if isinstance(need, Decide) else ():
            assert seat in state.live()
            view = GAME.view(state, seat, known[seat])
            legal = GAME.legal(view)
            for move in (GAME.default(view), *legal):
                GAME.check(state, seat, move)
        for seat in state.out:
            assert GAME.legal(GAME.view(state, seat, known[seat])) == ()
            assert not state.hands[seat]
            assert state.items.face_up[seat] is None
    assert GAME.need(game.last) == Over()


def limbo(state: State) -> Iterator[CardId]:
    """Cards and items that lie open and are only on the agenda."""
    for task in state.agenda:
        match task:
            case TakeBack(cards=back):
                yield from (card for _seat, cards in back for card in cards)
            case KeepHit(card=card) | StowItem(item=card):
                yield card
            case OpenBrought(cards=cards) | AskBrought(cards=cards) | CloseDeck(cards=cards):
                yield from cards


def everything(state: State, known: tuple[Known, ...]) -> list[CardId]:
    """Every card and item that is in the game and not in a deck, as its owner knows it."""
    shelf = state.items
    cards = [*state.open_cards()] if state.opened else [*state.discards]
    cards += [known[seat][slot] for seat, hand in enumerate(state.hands) for slot in hand]
    cards += [*(one.card for one in shelf.shown), *limbo(state), *shelf.discards, *filter(None, shelf.face_up)]
    cards += [item for row in (*shelf.aside, *shelf.opened) for item in row]
    cards += [known[seat][slot] for seat, pile in enumerate(shelf.piles) for slot in pile]
    return cards


def all_of(options: Options) -> set[CardId]:
    """The cards and items of both decks."""
    return {*all_cards(options), *(sets.items() if options.cursed_items else ())}


def in_decks(state: State) -> int:
    return len(state.deck) - (state.searched is not None) + len(state.items.deck)


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_nothing_that_lies_open_gets_lost_where_one_seat_is_left(table: int) -> None:
    """Whoever stays, at any state: also what is on its way to somebody lies open in the end."""
    for seed in range(3):
        game = played(table, seed, ())
        for state, known in game.moments():
            if not state.agenda or not state.turn:
                continue
            for stays in state.live():
                gone = tuple(seat for seat in state.live() if seat != stays)
                after = GAME.out(state, gone)
                there = everything(after, known)
                hidden = sum(len(state.hands[seat]) + len(state.items.piles[seat]) for seat in gone)
                assert len(set(there)) == len(there)
                assert len(there) + in_decks(after) + hidden == len(all_of(game.options))


@any_game
@some
def test_only_what_was_hidden_gets_lost(table: int, seed: int, plan: tuple[Departure, ...]) -> None:
    """No card is in two places; the cards that are missing are as many as the hands and piles that have gone."""
    game = played(table, seed, plan)
    lost = 0
    whole = all_of(game.options)
    for number, (state, known) in enumerate(game.moments()):
        if state.stopped:
            break
        if number in game.departures:
            before = game.states[number - 1]
            gone = set(state.out) - set(before.out)
            lost += sum(len(before.hands[seat]) + len(before.items.piles[seat]) for seat in gone)
        there = everything(state, known)
        assert len(set(there)) == len(there)
        assert set(there) <= whole
        if state.turn:
            assert len(there) + in_decks(state) + lost == len(whole)
        for seat in state.live():
            assert set(state.holds[seat]) <= {known[seat][slot] for slot in state.hands[seat]}


@any_game
@some
def test_a_view_holds_nothing_that_its_seat_may_not_know(table: int, seed: int, plan: tuple[Departure, ...]) -> None:
    game = played(table, seed, plan)
    for state, known in game.moments():
        names = dict(state.named)
        for viewer in (None, *range(game.seats)):
            mine = known[viewer] if viewer is not None else {}
            view = GAME.view(state, viewer, mine)
            assert (view.out, view.stopped) == (state.out, state.stopped)
            for entry in (entry for seat in view.seats for entry in (*seat.hand, *seat.pile)):
                if entry.slot is not None and entry.card is not None:
                    assert entry.card == mine.get(entry.slot, names.get(entry.slot))


@any_game
@some
def test_who_left_comes_last(table: int, seed: int, plan: tuple[Departure, ...]) -> None:
    game = played(table, seed, plan)
    last = game.last
    view = GAME.view(last, None, {})
    ranks = {seat.seat: seat.rank for seat in view.seats}
    assert sorted(rank for seat, rank in ranks.items() if rank and seat in last.live())[0] == 1
    for seat in last.out:
        assert ranks[seat] == len(last.live()) + 1
        assert view.seats[seat].total is None
    if len(last.live()) > 1 and last.totals:
        assert all(last.totals[seat] is not None for seat in last.live())
    if last.stopped:
        assert last.round <= game.options.last_round()


@any_game
@settings(max_examples=15, deadline=None)
def test_a_state_is_a_value(table: int, seed: int, plan: tuple[Departure, ...]) -> None:
    game = played(table, seed, plan)
    for state in game.states:
        wire = encode(state)
        assert decode(wire, State, cap=STATE_BYTES) == state
