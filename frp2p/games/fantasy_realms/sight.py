"""What of a state a seat, or the public, may know."""

from __future__ import annotations

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.options import measure
from frp2p.games.fantasy_realms.ranking import standing, sums
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.task import Asking
from frp2p.games.fantasy_realms.view import HandCard, Phase, SeatView, View
from frp2p.games.game import Known
from frp2p.games.verbs import Seat, SlotId


def view(state: State, seat: Seat | None, known: Known) -> View:
    """The view of `seat` (None: the public). `known` is that seat's own knowledge of face-down slots."""
    task = state.next_task()
    asked = task.seats(state) if isinstance(task, Asking) else ()
    named = dict(state.named)
    numbers = measure(state.options)
    return View(
        me=seat,
        phase=_phase(state),
        asked=asked,
        turn=state.turn,
        seat_in_turn=state.seat_in_turn,
        first_seat=state.first_seat,
        seats=tuple(_seat_view(state, other, known if other == seat else {}, named) for other in range(state.seats)),
        deck_left=len(state.deck) - (state.searched is not None),
        discards=state.discards,
        threshold=numbers.threshold,
        took=state.took,
        drawn=state.drawn,
        full=numbers.hand,
        spent=state.spent,
        round=state.round,
        past=state.past,
        options=state.options,
    )


def _phase(state: State) -> Phase:
    task = state.next_task()
    if task is None:
        return "over"
    return task.phase() if isinstance(task, Asking) else "dealing"


def _seat_view(state: State, seat: Seat, known: Known, named: dict[SlotId, CardId]) -> SeatView:
    if state.opened:
        hand = tuple(HandCard(slot=None, card=card) for card in state.opened[seat])
    else:
        hand = tuple(HandCard(slot=slot, card=known.get(slot, named.get(slot))) for slot in state.hands[seat])
    counted = bool(state.totals)
    return SeatView(
        seat=seat,
        hand=hand,
        holds=state.holds[seat],
        extras=state.extras[seat],
        choices=state.choices[seat],
        points=state.totals[seat] if counted else None,
        total=sums(state.rounds(), state.seats)[seat] if counted else None,
        rank=standing(state.rounds(), state.seats)[seat] if counted else None,
    )
