"""Chaos Realms: what holds in every tick, checked on random trade, and the options that it can be opened with."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.cards import CardId
from frp2p.errors import UserError
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.moves import AcceptOffer, OfferCard, RefuseOffer, Wait, WithdrawOffer
from frp2p.games.fantasy_realms.options import SECONDS_MAX, TICK_SECONDS
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.trade import Offer, Swap, tick_of, told
from frp2p.games.game import Decide, IllegalMove, Known, Move
from frp2p.games.verbs import Seat, SlotId
from frp2p.players.greedy import Greedy
from frp2p.players.random_bot import Random
from frp2p.players.selfplay import run_quick

Moment = tuple[State, tuple[dict[SlotId, CardId], ...], dict[Seat, Move]]
"""A state, what each seat knows in it, and the moves that led to it."""


def traded(options: Options, seats: int, seed: int) -> list[Moment]:
    moments: list[Moment] = []

    def watch(state: State, known: tuple[Known, ...], moves: Mapping[Seat, Move]) -> None:
        moments.append((state, tuple(dict(one) for one in known), dict(moves)))

    run_quick(GAME, options, [Random(seed * 10 + seat).choose for seat in range(seats)], seed, watch)
    return moments


def cards_held(moment: Moment) -> list[frozenset[CardId]]:
    state, known, _moves = moment
    return [frozenset(known[seat][slot] for slot in hand) for seat, hand in enumerate(state.hands)]


tables = given(
    seats=st.integers(3, 7), seed=st.integers(0, 50), extra_suits=st.booleans(), unlinkable_hands=st.booleans()
)


@tables
@settings(max_examples=12, deadline=None)
def test_a_swap_moves_one_card_each_way_and_nothing_else_moves_a_card(
    seats: int, seed: int, extra_suits: bool, unlinkable_hands: bool
) -> None:
    options = Options(mode="chaos", seconds=15, extra_suits=extra_suits, unlinkable_hands=unlinkable_hands)
    ticks = [moment for moment in traded(options, seats, seed) if GAME.view(moment[0], None, {}).phase == "trade"]
    assert [tick_of(state).left for state, _known, _moves in ticks] == list(range(15, 0, -1))  # type: ignore[union-attr]
    swapped = 0
    for before, after in itertools.pairwise(ticks):
        held, now = cards_held(before), cards_held(after)
        assert frozenset().union(*held) == frozenset().union(*now)
        assert [len(hand) for hand in held] == [len(hand) for hand in now]
        tick = tick_of(before[0])
        assert tick is not None
        moves = after[2] or _moves_to(before, traded(options, seats, seed))
        _offers, swaps = told(tick.offers, moves)
        swapped += len(swaps)
        expected = [set(hand) for hand in held]
        for swap in swaps:
            giver, to = swap.offer.giver, swap.offer.to
            given, back = before[1][giver][swap.offer.slot], before[1][to][swap.slot]
            expected[giver] ^= {given, back}
            expected[to] ^= {given, back}
        assert expected == [set(hand) for hand in now]
    assert swapped


def _moves_to(before: Moment, moments: list[Moment]) -> Mapping[Seat, Move]:
    """The moves of the tick that this state opens (the states after it may belong to the dealer)."""
    at = next(number for number, moment in enumerate(moments) if moment[0] == before[0])
    return moments[at + 1][2]


@tables
@settings(max_examples=8, deadline=None)
def test_nobody_else_learns_a_card_by_a_swap(seats: int, seed: int, extra_suits: bool, unlinkable_hands: bool) -> None:
    options = Options(mode="chaos", seconds=15, extra_suits=extra_suits, unlinkable_hands=unlinkable_hands)
    gave: dict[Seat, set[CardId]] = {seat: set() for seat in range(seats)}
    own: dict[Seat, set[CardId]] = {seat: set() for seat in range(seats)}
    for state, known, _moves in traded(options, seats, seed):
        if state.opened:
            break
        public = GAME.view(state, None, {})
        assert all(card.card is None for seat in public.seats for card in seat.hand)
        for viewer in range(seats):
            view = GAME.view(state, viewer, known[viewer])
            own[viewer] |= {card.card for card in view.seats[viewer].hand if card.card}
            others = {card.card for seat in view.seats if seat.seat != viewer for card in seat.hand} - {None}
            assert others <= own[viewer] | gave[viewer]  # what it gave away itself, until that is shuffled
            if unlinkable_hands and view.phase == "trade":
                assert not others


@tables
@settings(max_examples=8, deadline=None)
def test_offers_stand_on_cards_that_are_there(seats: int, seed: int, extra_suits: bool, unlinkable_hands: bool) -> None:
    options = Options(mode="chaos", seconds=15, extra_suits=extra_suits, unlinkable_hands=unlinkable_hands)
    for state, _known, _moves in traded(options, seats, seed):
        view = GAME.view(state, None, {})
        if view.phase != "trade":
            continue
        assert all(offer.slot in state.hands[offer.giver] for offer in view.offers)
        assert len({(offer.giver, offer.to) for offer in view.offers}) == len(view.offers)
        assert len({offer.slot for offer in view.offers}) == len(view.offers)


MINE, YOURS = Offer(0, 1, SlotId(5)), Offer(1, 0, SlotId(15))


@pytest.mark.parametrize(
    ("moves", "offers", "swaps"),
    [
        ({0: Wait(), 1: Wait(), 2: Wait()}, (MINE, YOURS), ()),
        ({0: WithdrawOffer(seat=1), 1: Wait()}, (YOURS,), ()),
        ({0: Wait(), 1: RefuseOffer(seat=0)}, (YOURS,), ()),
        ({0: OfferCard(slot=SlotId(6), to=1)}, (Offer(0, 1, SlotId(6)), YOURS), ()),
        ({0: OfferCard(slot=SlotId(5), to=2)}, (Offer(0, 2, SlotId(5)), YOURS), ()),
        ({0: OfferCard(slot=SlotId(5), to=1)}, (MINE, YOURS), ()),
        ({1: AcceptOffer(seat=0, slot=SlotId(16))}, (YOURS,), (Swap(MINE, SlotId(16)),)),
        ({0: WithdrawOffer(seat=1), 1: AcceptOffer(seat=0, slot=SlotId(16))}, (YOURS,), (Swap(MINE, SlotId(16)),)),
        (
            {0: AcceptOffer(seat=1, slot=SlotId(6)), 1: AcceptOffer(seat=0, slot=SlotId(16))},
            (),
            (Swap(YOURS, SlotId(6)), Swap(MINE, SlotId(16))),
        ),
    ],
)
def test_what_is_said_in_one_tick(moves: dict[Seat, Move], offers: tuple[Offer, ...], swaps: tuple[Swap, ...]) -> None:
    for order in itertools.permutations(moves):
        assert told((MINE, YOURS), {seat: moves[seat] for seat in order}) == (offers, swaps)


def test_no_slot_is_given_twice_whatever_is_said() -> None:
    for state, _known, moves in traded(Options(mode="chaos", seconds=60, unlinkable_hands=False), 7, 3):
        verbs = getattr(GAME.need(state), "verbs", ())
        slots = [slot for verb in verbs for slot in getattr(verb, "slots", ())]
        assert len(slots) == len(set(slots)), moves


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (Options(mode="chaos"), 2),
        (Options(mode="chaos", cursed_items=True), 4),
        (Options(mode="chaos", rounds=4), 4),
        (Options(mode="chaos", points=100), 4),
    ],
)
def test_tables_that_can_not_be_opened(options: Options, seats: int) -> None:
    with pytest.raises(UserError):
        GAME.check_options(options, seats)


def test_tables_that_can() -> None:
    for seats in range(3, 8):
        for extra_suits in (False, True):
            GAME.check_options(Options(mode="chaos", extra_suits=extra_suits, rounds=3), seats)
            GAME.check_options(Options(mode="chaos", extra_suits=extra_suits, seconds=SECONDS_MAX), seats)


def test_only_a_tick_is_not_waited_for() -> None:
    for state, known, _moves in traded(Options(mode="chaos", extra_suits=True, seconds=10), 4, 1):
        need = GAME.need(state)
        for seat in need.seats if isinstance(need, Decide) else ():
            view = GAME.view(state, seat, known[seat])
            assert GAME.patience(view) == (TICK_SECONDS if view.phase == "trade" else None)
            assert view.phase != "trade" or GAME.default(view) == Wait()


def test_a_card_that_is_offered_can_not_be_given_for_another_one() -> None:
    moments = traded(Options(mode="chaos", seconds=10), 3, 1)
    state = next(moment[0] for moment in moments if GAME.view(moment[0], None, {}).phase == "trade")
    mine = state.hands[0]
    for moves in (
        {0: OfferCard(slot=mine[0], to=1), 1: OfferCard(slot=state.hands[1][0], to=0), 2: Wait()},
        {0: Wait(), 1: Wait(), 2: Wait()},
    ):
        state = GAME.apply(state, moves)
    with pytest.raises(IllegalMove):
        GAME.check(state, 0, AcceptOffer(seat=1, slot=mine[0]))
    GAME.check(state, 0, AcceptOffer(seat=1, slot=mine[1]))


def test_the_bot_trades_its_hand_up() -> None:
    def average(make: type[Greedy] | None) -> float:
        points: list[int] = []
        for seed in range(5):
            deciders = [make().choose if make else _still for _seat in range(5)]
            points += run_quick(GAME, Options(mode="chaos", seconds=60), deciders, seed).totals
        return sum(points) / len(points)

    assert average(Greedy) > average(None) + 15


def _still(view: object, legal: tuple[Move, ...]) -> Move:
    return GAME.default(view)  # type: ignore[arg-type]
