"""Seats that leave for good, and games that are stopped early.

What a seat had is taken away first; then every task on the agenda, the last one first, says what is left of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import msgspec

from frp2p.errors import LocalError
from frp2p.games.fantasy_realms.agenda import AnyTask
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.turn import EndTurn
from frp2p.games.verbs import Seat


def out(state: State, seats: Iterable[Seat]) -> State:
    """These seats have left; the game goes on without them, or is over if only one seat is there.

    Face-down cards and items of theirs are gone for the match, unseen. Their open items and the cards that lay open
    before them are discarded. Nothing changes once the game is over.
    """
    gone = _leavers(state, seats)
    if not state.agenda:
        return state
    state = _bereft(state, gone)
    return _over(state) if len(state.live()) < 2 else _without(state, gone).advanced()


def stop(state: State, seats: Iterable[Seat]) -> State:
    """These seats are lost, and no card of the decks can be opened any more: the round is counted as it stands.

    A seat that has got its card in this turn still discards one. A round without hands yet is not counted.
    """
    gone = _leavers(state, seats)
    if not state.agenda:
        return state
    dealt = any(state.hands) or any(state.opened)
    state = msgspec.structs.replace(_bereft(state, gone), stopped=True, deck=()).with_items(deck=())
    if state.totals or not dealt or len(state.live()) < 2:
        return _over(state)
    rest = _without(state, gone)
    return _finishing(rest, _owing(state)).with_items(shown=()).advanced()


def _leavers(state: State, seats: Iterable[Seat]) -> frozenset[Seat]:
    gone = frozenset(seats)
    if not gone <= set(state.live()):
        raise LocalError("who leaves a game has a seat in it")
    return gone


def _over(state: State) -> State:
    """Nobody does anything any more; what was on its way to somebody, or was shown for a while, is discarded."""
    state = _without(state, frozenset(range(state.seats)))
    state = state.laid(tuple(one.card for one in state.items.shown))
    return msgspec.structs.replace(state, agenda=(), seat_in_turn=None, took=None, drawn=()).with_items(shown=())


def _bereft(state: State, gone: frozenset[Seat]) -> State:
    """The state in which these seats hold nothing; their tasks are still on the agenda."""
    shelf = state.items
    places = frozenset(slot for seat in gone for slot in state.hands[seat])
    opened = [item for seat in sorted(gone) for item in (shelf.face_up[seat], *shelf.aside[seat]) if item is not None]
    state = state.unnamed(places).with_items(
        face_up=tuple(None if seat in gone else item for seat, item in enumerate(shelf.face_up)),
        aside=tuple(() if seat in gone else items for seat, items in enumerate(shelf.aside)),
        piles=tuple(() if seat in gone else pile for seat, pile in enumerate(shelf.piles)),
        discards=(*shelf.discards, *opened),
        covered=tuple(one for one in shelf.covered if one.seat not in gone),
    )
    return msgspec.structs.replace(
        state,
        out=tuple(sorted({*state.out, *gone})),
        hands=tuple(() if seat in gone else hand for seat, hand in enumerate(state.hands)),
        drawn=() if state.seat_in_turn in gone else state.drawn,
        took=None if state.seat_in_turn in gone else state.took,
        dry=0,
    )


def _without(state: State, gone: frozenset[Seat]) -> State:
    """The state with what is left of its agenda."""
    tasks, state = state.agenda, msgspec.structs.replace(state, agenda=())
    for task in reversed(tasks):
        state = task.without(state, gone)
    return state


def _owing(state: State) -> tuple[AnyTask, ...]:
    """What is to be done in this turn so that the hand has as many cards as before, if it has more now."""
    turn = tuple(itertools.takewhile(lambda task: not isinstance(task, EndTurn), state.agenda))
    if state.seat_in_turn in (None, *state.out) or sum(task.owed() for task in turn) <= 0:
        return ()
    return tuple(task for task in turn if task.owed() > 0)


def _finishing(state: State, owing: tuple[AnyTask, ...]) -> State:
    """The state in which this is done before the turn ends."""
    end = next((at for at, task in enumerate(state.agenda) if isinstance(task, EndTurn)), 0)
    return msgspec.structs.replace(state, agenda=(*state.agenda[:end], *owing, *state.agenda[end:]))
