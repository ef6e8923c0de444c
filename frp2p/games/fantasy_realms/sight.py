"""What of a state a seat, or the public, may know."""

from __future__ import annotations

import msgspec

from frp2p.cards import CardId
from frp2p.games.fantasy_realms.items.asking import AskItem
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.items.searching import AskOther
from frp2p.games.fantasy_realms.necromancy import AskBrought, OpenBrought
from frp2p.games.fantasy_realms.options import measure
from frp2p.games.fantasy_realms.ranking import standing, sums
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.task import Asking
from frp2p.games.fantasy_realms.trade import tick_of
from frp2p.games.fantasy_realms.view import HandCard, Phase, SeatView, Seen, View
from frp2p.games.game import Known
from frp2p.games.verbs import Seat, SlotId


def view(state: State, seat: Seat | None, known: Known) -> View:
    """The view of `seat` (None: the public). `known` is that seat's own knowledge of face-down slots:
    its hand and items, and what it was shown of the deck and of other hands."""
    task = state.next_task()
    asked = task.seats(state) if isinstance(task, Asking) else ()
    names = {**dict(state.named), **known}
    standings = _standings(state)
    tick = tick_of(state)
    numbers = measure(state.options)
    return View(
        me=seat,
        out=state.out,
        stopped=state.stopped,
        phase=_phase(state),
        asked=asked,
        turn=state.turn,
        seat_in_turn=state.seat_in_turn,
        first_seat=state.first_seat,
        seats=tuple(_seat_view(state, other, known, names, standings[other]) for other in range(state.seats)),
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
        items_left=len(state.items.deck),
        item_discards=state.items.discards,
        covered=state.items.covered,
        shown=state.items.shown,
        using=task.item if isinstance(task, AskItem) else None,
        prompt=_prompt(state, seat, known) if seat in asked else None,
        skip=state.items.skip,
        mix=state.items.mix,
        seen=_seen(state, names),
        ticks_left=tick.left if tick is not None else 0,
        offers=tick.offers if tick is not None else (),
        brought=task.cards if isinstance(task, AskBrought | OpenBrought) else (),
        stays=task.hit(state) if isinstance(task, AskOther) else None,
    )


def _prompt(state: State, seat: Seat, known: Known) -> Prompt | None:
    """What an item asks this seat, with the cards that it knows."""
    task = state.next_task()
    if not isinstance(task, AskItem):
        return None
    prompt = task.prompt(state, seat)
    return msgspec.structs.replace(prompt, faces=tuple(known.get(slot) for slot in prompt.slots))


def _seen(state: State, names: dict[SlotId, CardId]) -> tuple[Seen, ...]:
    """The cards of the deck that this viewer was shown, and those that everybody saw going there."""
    return tuple(Seen(place=place, card=names[slot]) for place, slot in enumerate(state.deck) if slot in names)


def _phase(state: State) -> Phase:
    task = state.next_task()
    if task is None:
        return "over"
    return task.phase() if isinstance(task, Asking) else "dealing"


def _standings(state: State) -> tuple[tuple[int | None, int | None], ...]:
    """Points and rank of each seat in the whole match, once they are settled."""
    rounds = state.rounds()
    if not state.totals and state.agenda:
        return ((None, None),) * state.seats
    totals = sums(rounds, state.seats) if rounds else (None,) * state.seats
    ranks = standing(rounds, state.seats, state.out)
    return tuple((None if seat in state.out else totals[seat], ranks[seat]) for seat in range(state.seats))


def _seat_view(
    state: State, seat: Seat, known: Known, names: dict[SlotId, CardId], standings: tuple[int | None, int | None]
) -> SeatView:
    if state.opened:
        hand = tuple(HandCard(slot=None, card=card) for card in state.opened[seat])
    else:
        hand = tuple(HandCard(slot=slot, card=names.get(slot)) for slot in state.hands[seat])
    return SeatView(
        seat=seat,
        hand=hand,
        holds=state.holds[seat],
        extras=state.extras[seat],
        choices=state.choices[seat],
        points=state.totals[seat] if state.totals else None,
        total=standings[0],
        rank=standings[1],
        item=state.items.face_up[seat],
        aside=state.items.aside[seat],
        pile=_pile(state, seat, known),
    )


def _pile(state: State, seat: Seat, known: Known) -> tuple[HandCard, ...]:
    if state.items.opened[seat]:
        return tuple(HandCard(slot=None, card=card) for card in state.items.opened[seat])
    return tuple(HandCard(slot=slot, card=known.get(slot)) for slot in state.items.piles[seat])
