"""What holds in every state of every game with cursed items, checked on random play over clear dealers."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.cards import CardId, sets
from frp2p.games.fantasy_realms import GAME, Options, notation
from frp2p.games.fantasy_realms.items.looking import TakeBack
from frp2p.games.fantasy_realms.items.searching import KeepHit
from frp2p.games.fantasy_realms.items.stow import StowItem
from frp2p.games.fantasy_realms.moves import UseItem
from frp2p.games.fantasy_realms.options import measure
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.turn import ended
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Decide, Known, Move, Over
from frp2p.games.verbs import Seat
from frp2p.ledger.codec import decode, encode
from frp2p.players.random_bot import Random
from frp2p.players.selfplay import Decider, run_quick

STATE_BYTES = 1 << 14
"""More than any state takes."""

TABLES = (
    (2, Options(cursed_items=True)),
    (3, Options(cursed_items=True, unlinkable_hands=False)),
    (6, Options(cursed_items=True)),
    (2, Options(cursed_items=True, mode="duel")),
    (2, Options(cursed_items=True, mode="duel", extra_suits=True)),
    (4, Options(cursed_items=True, extra_suits=True, jester=True, phoenix="promo")),
    (7, Options(cursed_items=True, extra_suits=True, jester=True, phoenix="deluxe")),
    (3, Options(cursed_items=True, rounds=2)),
)


class Moment(NamedTuple):
    state: State
    known: tuple[Known, ...]
    moves: Mapping[Seat, Move]


@functools.lru_cache(maxsize=6)
def watched(seed: int, table: int) -> tuple[Moment, ...]:
    """All states of a random game, what every seat knew in each, and the moves that led to it."""
    seats, options = TABLES[table]
    found: list[Moment] = []

    def watch(state: State, known: tuple[Known, ...], moves: Mapping[Seat, Move]) -> None:
        found.append(Moment(state, tuple(dict(one) for one in known), dict(moves)))

    players = [Random(seed * 10 + seat) for seat in range(seats)]

    def chooser(player: Random) -> Decider:
        def choose(view: object, legal: tuple[Move, ...]) -> Move:
            uses = [move for move in legal if isinstance(move, UseItem)]
            return player.choose(view, (*legal, *uses * len(legal)))  # every other time it uses its item

        return choose

    run_quick(GAME, options, [chooser(player) for player in players], seed, watch)
    return tuple(found)


games = given(seed=st.integers(0, 10_000), table=st.integers(0, len(TABLES) - 1))
some = settings(max_examples=8, deadline=None)


def hidden(state: State, known: tuple[Known, ...]) -> Iterator[tuple[Seat, CardId]]:
    for seat, hand in enumerate(state.hands):
        yield from ((seat, known[seat][slot]) for slot in hand)


@games
@some
def test_hand_cards_and_items_are_conserved(seed: int, table: int) -> None:
    _seats, options = TABLES[table]
    decks = GAME.decks(options)
    for state, known, _moves in watched(seed, table):
        shelf = state.items
        if state.turn == 0 or state.searched is not None:
            continue
        open_cards = [*state.discards, *(card for row in (*state.opened, *state.extras) for card in row)]
        open_cards += [one.card for one in shelf.shown]
        assert {one.card for one in shelf.covered} <= set(state.discards)
        limbo = sum(len(cards) for task in state.agenda for cards in _returning(task))
        in_hands = [card for _seat, card in hidden(state, known)]
        assert len(state.deck) + len(in_hands) + len(open_cards) + limbo == len(decks[GAME.name])
        assert len({*open_cards, *in_hands}) == len(open_cards) + len(in_hands)
        open_items = [*shelf.discards, *filter(None, shelf.face_up), *(i for row in shelf.aside for i in row)]
        open_items += [item for row in shelf.opened for item in row]
        open_items += [task.item for task in state.agenda if isinstance(task, StowItem)]
        piles = [known[seat][slot] for seat, pile in enumerate(shelf.piles) for slot in pile]
        assert len(shelf.deck) + len(piles) + len(open_items) == len(sets.items())
        assert len({*piles, *open_items}) == len(piles) + len(open_items)


def _returning(task: object) -> Iterator[tuple[CardId, ...]]:
    """Cards that lie open between a look at them and the hands that they return to."""
    match task:
        case TakeBack(cards=back):
            yield from (cards for _seat, cards in back)
        case KeepHit(card=card):
            yield (card,)


@games
@some
def test_one_item_lies_open_after_each_turn_and_hands_keep_their_cap(seed: int, table: int) -> None:
    seats, options = TABLES[table]
    before: State | None = None
    for state, _known, _moves in watched(seed, table):
        if before is not None and state.turn > before.turn and before.turn and state.round == before.round:
            seat = before.turn_seat()
            assert len(state.hands[seat]) <= measure(options).cap
            used_up = not before.items.deck and not before.items.discards and not before.items.aside[seat]
            full = len(state.hands[seat]) >= measure(options).hand
            if full and not (used_up or state.seat_in_turn == seat):
                assert state.items.face_up[seat] is not None
            growing = [other for other in range(seats) if len(state.hands[other]) < measure(options).hand]
            assert not any(state.items.face_up[other] for other in growing)
            assert not state.items.shown
            assert not state.items.skip
            assert not state.items.mix
        before = state


@games
@some
def test_a_game_ends_and_only_when_the_discards_are_enough(seed: int, table: int) -> None:
    _seats, options = TABLES[table]
    moments = watched(seed, table)
    last = moments[-1].state
    assert isinstance(GAME.need(last), Over)
    assert len(last.totals) == len(last.ranks) == last.seats
    for before, after in itertools.pairwise(moments):
        if before.state.seat_in_turn is not None and after.state.seat_in_turn is None and after.state.turn:
            assert len(after.state.discards) >= measure(options).threshold or after.state.dry >= last.seats
            assert ended(after.state)


@games
@some
def test_a_state_is_a_value(seed: int, table: int) -> None:
    for state, _known, _moves in watched(seed, table):
        wire = encode(state)
        again = decode(wire, State, cap=STATE_BYTES)
        assert again == state
        assert encode(again) == wire
        assert GAME.need(again) == GAME.need(state)


@games
@some
def test_answers_are_legal_and_their_lines_are_read_back(seed: int, table: int) -> None:
    for state, known, _moves in watched(seed, table):
        need = GAME.need(state)
        for seat in need.seats if isinstance(need, Decide) else ():
            view = GAME.view(state, seat, known[seat])
            legal = GAME.legal(view)
            assert legal
            assert len(set(legal)) == len(legal)
            default = GAME.default(view)
            GAME.check(state, seat, default)
            GAME.check_known(view, default)
            for move in {*legal[:6], *legal[-6:], default}:
                GAME.check(state, seat, move)
                assert notation.parse(notation.text(move, view), view) == move


@games
@some
def test_nobody_else_sees_what_is_hidden(seed: int, table: int) -> None:
    """A view holds a face-down card only if the dealer showed it to the viewer, or everybody saw where it went."""
    for state, known, _moves in watched(seed, table):
        names = dict(state.named)
        for viewer in (None, *range(state.seats)):
            mine = known[viewer] if viewer is not None else {}
            view = GAME.view(state, viewer, mine)
            for entry in (entry for seat in view.seats for entry in (*seat.hand, *seat.pile)):
                if entry.slot is not None and entry.card is not None:
                    assert entry.card == mine.get(entry.slot, names.get(entry.slot))
            for one in view.seen:
                slot = state.deck[one.place]
                assert one.card == mine.get(slot, names.get(slot))
            if viewer is None:
                assert not any(entry.card for seat in view.seats for entry in seat.pile if entry.slot is not None)
            assert viewer in view.asked or view.prompt is None


@games
@some
def test_what_everybody_can_name_is_there(seed: int, table: int) -> None:
    """The open knowledge about face-down places and hands is true; a used item is named nowhere once it is used."""
    for state, known, _moves in watched(seed, table):
        truth = {slot: card for one in known for slot, card in one.items()}
        assert all(truth.get(slot, card) == card for slot, card in state.named)
        places = {slot for slot, _card in state.named}
        assert places <= {*state.deck, *(slot for hand in state.hands for slot in hand)}
        for seat, hand in enumerate(state.hands):
            assert set(state.holds[seat]) <= {known[seat][slot] for slot in hand}
        piles = {known[seat][slot] for seat, pile in enumerate(state.items.piles) for slot in pile}
        if GAME.view(state, None, {}).phase in ("draw", "discard", "finish"):
            assert not any(item.encode() in encode(state) for item in piles)


def test_every_item_is_used_in_these_games() -> None:
    used: Counter[CardId] = Counter()
    for seed in range(6):
        for table in (0, 2, 6, 7):
            for moment in watched(seed, table):
                used.update(move.item for move in moment.moves.values() if isinstance(move, UseItem))
    assert set(used) == set(sets.items())


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_whoever_never_decides_comes_to_the_end(table: int) -> None:
    seats, options = TABLES[table]

    def default(view: View, _legal: tuple[Move, ...]) -> Move:
        return GAME.default(view)

    last = run_quick(GAME, options, [default] * seats, 5)
    assert last.totals


def test_the_same_seed_makes_the_same_game() -> None:
    first = [msgspec.msgpack.encode(one.state) for one in watched(3, 0)]
    watched.cache_clear()
    assert first == [msgspec.msgpack.encode(one.state) for one in watched(3, 0)]
