"""What holds in every state of every game of Fantasy Realms, checked on random play over clear dealers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.cards import CardId
from frp2p.errors import LocalError
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.moves import Choose, Discard, DrawDeck, FantasyMove, Pass, PickExtra, TakeDiscard
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Deal, Decide, IllegalMove, Known, Move, Over
from frp2p.games.verbs import Number, Seat, SlotId
from frp2p.ledger.codec import decode, encode
from frp2p.players.random_bot import Random
from frp2p.players.selfplay import run_quick
from frp2p.scoring import Choices

DECK = GAME.decks(Options())[GAME.name]
STATE_BYTES = 1 << 14
"""More than any state takes."""

games = given(seed=st.integers(0, 2**32), seats=st.integers(2, 6), unlinkable=st.booleans())


def watched(seed: int, seats: int, unlinkable: bool) -> tuple[list[State], list[tuple[Known, ...]]]:
    """All states of a random game, and what every seat knew in each."""
    states: list[State] = []
    knowledge: list[tuple[Known, ...]] = []

    def watch(state: State, known: tuple[Known, ...], moves: Mapping[Seat, Move]) -> None:
        states.append(state)
        knowledge.append(tuple(dict(one) for one in known))

    deciders = [Random(seed + seat).choose for seat in range(seats)]
    last = run_quick(GAME, Options(unlinkable_hands=unlinkable), deciders, seed, watch)
    assert last == states[-1]
    return states, knowledge


@games
@settings(max_examples=15, deadline=None)
def test_cards_are_conserved(seed: int, seats: int, unlinkable: bool) -> None:
    states, knowledge = watched(seed, seats, unlinkable)
    for state, known in zip(states, knowledge, strict=True):
        if state.turn == 0:
            continue
        open_cards = [*state.discards, *(card for hand in state.opened for card in hand)]
        open_cards += [card for extras in state.extras for card in extras]
        hidden = [slot for hand in state.hands for slot in hand]
        assert len(state.deck) + len(hidden) + len(open_cards) == len(DECK)
        assert len(set(state.deck) | set(hidden)) == len(state.deck) + len(hidden)
        in_hands = [known[seat][slot] for seat, hand in enumerate(state.hands) for slot in hand]
        assert len({*open_cards, *in_hands}) == len(open_cards) + len(in_hands)
        held = [card for cards in state.holds for card in cards]
        assert all(set(cards) <= {known[seat][s] for s in state.hands[seat]} for seat, cards in enumerate(state.holds))
        assert len(held) == len(set(held))


@games
@settings(max_examples=8, deadline=None)
def test_a_state_is_a_value(seed: int, seats: int, unlinkable: bool) -> None:
    states, _knowledge = watched(seed, seats, unlinkable)
    for state in states:
        wire = encode(state)
        again = decode(wire, State, cap=STATE_BYTES)
        assert again == state
        assert hash(again) == hash(state)
        assert encode(again) == wire
        assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
        assert GAME.need(again) == GAME.need(state)
    assert len(set(states)) == len(states)


@games
@settings(max_examples=15, deadline=None)
def test_a_view_holds_nothing_that_its_seat_may_not_know(seed: int, seats: int, unlinkable: bool) -> None:
    states, knowledge = watched(seed, seats, unlinkable)
    for state, known in zip(states, knowledge, strict=True):
        if state.opened:
            continue
        for viewer in (None, *range(seats)):
            view = GAME.view(state, viewer, {} if viewer is None else known[viewer])
            for seat, entry in enumerate(view.seats):
                shown = {held.card for held in entry.hand} - {None}
                if seat == viewer:
                    assert all(held.card == known[seat][held.slot] for held in entry.hand)
                else:
                    # Only a take that its owner has not hidden by a shuffle yet has a name in a place.
                    assert shown <= ({state.took} if unlinkable else set(entry.holds))
                assert set(entry.holds) == set(state.holds[seat])
                assert (entry.total, entry.rank, entry.choices) == (None, None, None)


def universe(state: State) -> Iterator[FantasyMove]:
    """Every move that could be meant in this state, and many that could not."""
    yield from (DrawDeck(), Pass(), PickExtra(card=None))
    for card in (*DECK, CardId("FR99")):
        yield from (TakeDiscard(card=card), PickExtra(card=card))
    slots = {slot for hand in (*state.hands, state.deck) for slot in hand}
    yield from (Discard(slot=slot) for slot in sorted({*slots, SlotId(-1), SlotId(10**6)}))


def allowed(state: State, seat: Seat, move: Move) -> bool:
    try:
        GAME.check(state, seat, move)
    except IllegalMove:
        return False
    return True


@games
@settings(max_examples=6, deadline=None)
def test_what_is_legal_is_allowed_and_nothing_else(seed: int, seats: int, unlinkable: bool) -> None:
    states, knowledge = watched(seed, seats, unlinkable)
    for state, known in zip(states, knowledge, strict=True):
        need = GAME.need(state)
        for seat in (-1, *range(seats + 1)):
            view = GAME.view(state, seat, known[seat]) if 0 <= seat < seats else None
            legal = GAME.legal(view) if view is not None else ()
            asked = isinstance(need, Decide) and seat in need.seats
            assert bool(legal) == asked
            assert len(set(legal)) == len(legal)
            assert all(allowed(state, seat, move) for move in legal)
            others = set(universe(state)) - set(legal)
            assert not any(allowed(state, seat, move) for move in others)
            if not (asked and view is not None and view.phase == "choices"):
                assert not allowed(state, seat, Choose(choices=Choices()))
        assert GAME.legal(GAME.view(state, None, {})) == ()


@games
@settings(max_examples=8, deadline=None)
def test_the_default_is_legal_and_follows_from_the_view(seed: int, seats: int, unlinkable: bool) -> None:
    states, knowledge = watched(seed, seats, unlinkable)
    for state, known in zip(states, knowledge, strict=True):
        need = GAME.need(state)
        for seat in range(seats):
            view = GAME.view(state, seat, known[seat])
            if isinstance(need, Decide) and seat in need.seats:
                assert GAME.default(view) in GAME.legal(view)
                assert GAME.default(view) == GAME.default(msgspec.structs.replace(view))
            else:
                with pytest.raises(LookupError):
                    GAME.default(view)


@games
@settings(max_examples=15, deadline=None)
def test_a_game_ends_exactly_with_the_tenth_discard(seed: int, seats: int, unlinkable: bool) -> None:
    states, _knowledge = watched(seed, seats, unlinkable)
    full = [number for number, state in enumerate(states) if len(state.discards) == 10]
    assert all(len(state.discards) < 10 for state in states[: full[0]])
    assert isinstance(GAME.need(states[full[0]]), Deal)
    assert not any(phase_of(state) in ("draw", "discard") for state in states[full[0] :])
    taken = sum(map(len, states[-1].extras))
    assert len(states[-1].discards) == 10 - taken
    assert isinstance(GAME.need(states[-1]), Over)
    assert len(states[0].deck) == 0
    assert len(DECK) - 7 * seats - len(states[-1].deck) == 10
    assert sorted(states[-1].ranks)[0] == 1


def phase_of(state: State) -> str:
    view: View = GAME.view(state, None, {})
    return view.phase


@games
@settings(max_examples=3, deadline=None)
def test_the_same_moves_make_the_same_states(seed: int, seats: int, unlinkable: bool) -> None:
    assert watched(seed, seats, unlinkable)[0] == watched(seed, seats, unlinkable)[0]


def test_the_dealer_must_answer_what_was_asked() -> None:
    state = GAME.start(Options(), 2)
    for outcomes in ((), (Number(value=0),), (Number(value=0), Number(value=0))):
        with pytest.raises(LocalError):
            GAME.dealt(state, outcomes)
