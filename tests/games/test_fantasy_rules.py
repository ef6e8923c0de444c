"""Single rules of Fantasy Realms, each in a state made for it: options, the deal, turns, an empty deck."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from rule_table import DECK, HANDS, Table, cards

from frp2p.errors import LocalError, UserError
from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.moves import Discard, DrawDeck, Pass, TakeDiscard
from frp2p.games.fantasy_realms.offer import own_slots
from frp2p.games.fantasy_realms.options import measure
from frp2p.games.fantasy_realms.task import Asking, Automatic, Dealing
from frp2p.games.fantasy_realms.turn import OPEN_TURNS
from frp2p.games.game import Deal
from frp2p.games.verbs import TABLE, Cards, Draw, Number, Seal, Shuffle, SlotId, Slots
from frp2p.players.greedy import Greedy
from frp2p.players.selfplay import run_quick
from frp2p.players.stacked import StackedCroupier

# -- options -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_two_to_six_seats_can_play(seats: int) -> None:
    GAME.check_options(Options(), seats)
    table = Table(seats=seats)
    assert [len(hand) for hand in table.state.hands] == [7] * seats
    assert len(table.state.deck) == 53 - 7 * seats >= measure(Options()).threshold


@pytest.mark.parametrize("seats", [-1, 0, 1, 8])
def test_other_numbers_of_seats_are_refused_with_a_sentence(seats: int) -> None:
    with pytest.raises(UserError, match=rf"seats 2 to 6 players, not {seats}"):
        GAME.check_options(Options(), seats)
    with pytest.raises(UserError):
        GAME.start(Options(), seats)


@pytest.mark.parametrize(
    "plain", [["standard", True, "loud"], ["chess", True, "off"], ["standard", 1, "off"], [[]], [""]]
)
def test_options_are_typed(plain: list[object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(plain, Options, strict=True)


# -- the deal ----------------------------------------------------------------------------------------------------------


def test_what_the_dealer_is_asked_for() -> None:
    state = GAME.start(Options(), 3)
    asked = []
    croupier = StackedCroupier((), coin=2)
    while isinstance(need := GAME.need(state), Deal):
        asked.append(need.verbs)
        state = GAME.dealt(state, croupier.carry_out(need.verbs))
    assert asked[0] == (Seal(cards=DECK, lock=TABLE),)
    assert asked[1] == (Shuffle(slots=tuple(map(SlotId, range(53))), by=TABLE),)
    assert [type(verb).__name__ for verb in asked[2]] == ["Coin"]
    assert [(verb.seat, len(verb.slots)) for verb in asked[3] if isinstance(verb, Draw)] == [(0, 7), (1, 7), (2, 7)]
    assert [(verb.by, len(verb.slots)) for verb in asked[4] if isinstance(verb, Shuffle)] == [(0, 7), (1, 7), (2, 7)]
    assert len(asked) == 5
    assert (state.first_seat, state.seat_in_turn, state.turn) == (2, 2, 1)


@pytest.mark.parametrize(
    "outcome",
    [Slots(slots=(SlotId(0),)), Number(value=1), Cards(cards=DECK), Slots(slots=())],
)
def test_a_dealer_that_answers_nonsense_is_our_mistake(outcome: Any) -> None:
    with pytest.raises(LocalError):
        GAME.dealt(GAME.start(Options(), 2), (outcome,))


def test_a_coin_shows_one_of_its_sides_and_a_reveal_the_cards_it_was_asked_for() -> None:
    table = Table()
    state = GAME.start(Options(), 2)
    for _count in range(2):
        need = GAME.need(state)
        assert isinstance(need, Deal)
        state = (
            GAME.dealt(state, StackedCroupier((), 0).carry_out(need.verbs))
            if _count == 0
            else GAME.dealt(state, (Slots(slots=tuple(map(SlotId, range(53, 106)))),))
        )
    for outcome in (Number(value=2), Number(value=-1), Slots(slots=())):
        with pytest.raises(LocalError):
            GAME.dealt(state, (outcome,))
    table.move(0, DrawDeck())
    state = GAME.apply(table.state, {0: table.legal(0)[0]})
    for shown in (Cards(cards=()), Cards(cards=DECK[:2]), Slots(slots=(SlotId(1),))):
        with pytest.raises(LocalError):
            GAME.dealt(state, (shown,))


# -- a turn ------------------------------------------------------------------------------------------------------------


def test_the_first_player_can_only_draw() -> None:
    table = Table(HANDS)
    assert table.legal(0) == (DrawDeck(),)
    assert table.legal(1) == ()
    assert table.refuses(0, TakeDiscard(card=cards("King")[0])) == "This card can't be taken from the discard area."
    assert table.refuses(0, Pass()) == "You may only pass when the deck is empty."
    assert table.refuses(0, Discard(slot=table.state.hands[0][0])) == "Draw a card or take one first."
    assert table.refuses(1, DrawDeck()) == "It is not this player's turn to decide."


def test_any_discard_can_be_taken_and_the_card_just_taken_can_go_back() -> None:
    table = Table(HANDS)
    table.move(0, DrawDeck())
    table.discard(0, "Unicorn")
    table.move(1, DrawDeck())
    table.discard(1, "Smoke")
    unicorn, smoke = cards("Unicorn, Smoke")
    assert table.state.discards == (unicorn, smoke)
    assert table.legal(0) == (DrawDeck(), TakeDiscard(card=unicorn), TakeDiscard(card=smoke))
    table.move(0, TakeDiscard(card=unicorn))
    assert table.state.discards == (smoke,)
    assert (table.view(1).took, table.view(1).phase, table.view(1).asked) == (unicorn, "discard", (0,))
    assert table.refuses(0, DrawDeck()) == "Discard a card of your hand."
    assert table.refuses(0, Discard(slot=table.state.hands[1][0])) == "This card is not in your hand."
    table.discard(0, "Unicorn")
    assert table.state.discards == (smoke, unicorn)
    assert table.state.took is None


def test_what_was_taken_is_known_to_all_until_it_is_shown_but_not_where() -> None:
    table = Table(HANDS)
    table.move(0, DrawDeck())
    table.discard(0, "Unicorn")
    table.move(1, TakeDiscard(card=cards("Unicorn")[0]))
    for viewer in (None, 0, 1):
        assert table.view(viewer).seats[1].holds == cards("Unicorn")
    assert all(held.card is None for held in table.view(0).seats[1].hand)
    table.discard(1, "Smoke")
    assert table.view(0).seats[1].holds == cards("Unicorn")
    table.move(0, DrawDeck())
    table.discard(0, "Dragon")
    table.move(1, DrawDeck())
    table.discard(1, "Unicorn")
    assert table.view(0).seats[1].holds == ()


def test_between_the_take_and_the_shuffle_the_place_is_known_too() -> None:
    table = Table(HANDS)
    table.move(0, DrawDeck())
    table.discard(0, "Unicorn")
    state = GAME.apply(table.state, {1: TakeDiscard(card=cards("Unicorn")[0])})
    need = GAME.need(state)
    assert isinstance(need, Deal)
    assert need.verbs == (Seal(cards=cards("Unicorn"), lock=1),)
    state = GAME.dealt(state, table.croupier.carry_out(need.verbs))
    assert [held.card for held in GAME.view(state, None, {}).seats[1].hand][7:] == list(cards("Unicorn"))
    need = GAME.need(state)
    assert isinstance(need, Deal)
    assert need.verbs == (Shuffle(slots=state.hands[1], by=1),)
    assert not set(GAME.dealt(state, table.croupier.carry_out(need.verbs)).hands[1]) & set(state.hands[1])


def test_without_own_shuffles_places_stay() -> None:
    table = Table(HANDS, unlinkable_hands=False)
    before = table.state.hands[0]
    table.move(0, DrawDeck())
    assert table.state.hands[0][:7] == before
    table.discard(0, "Unicorn")
    assert table.state.hands[0] == before


# -- an empty deck, and games without end ------------------------------------------------------------------------------


def test_with_an_empty_deck_a_discard_is_taken_or_the_turn_is_passed() -> None:
    table = Table(HANDS)
    table.move(0, DrawDeck())
    table.change(deck=())
    table.discard(0, "Unicorn")
    assert table.legal(1) == (Pass(), TakeDiscard(card=cards("Unicorn")[0]))
    assert GAME.default(table.view(1)) == Pass()
    assert table.refuses(1, DrawDeck()) == "The deck is empty."


@pytest.mark.parametrize("takes", [False, True])
def test_after_the_turn_that_empties_the_deck_everybody_else_has_one_more(takes: bool) -> None:
    table = Table(HANDS, seats=3)
    table.move(0, DrawDeck())
    table.change(deck=())
    table.discard(0, "King")
    for seat in (1, 2):
        assert table.state.dry == seat
        assert not table.state.opened
        if takes:
            table.move(seat, TakeDiscard(card=cards("King")[0]))
            table.discard(seat, "King")
        else:
            table.move(seat, Pass())
    assert len(table.state.opened) == 3
    assert table.view(None).phase in ("choices", "over")


def test_the_last_lap_is_over_when_the_deck_has_cards_again() -> None:
    table = Table(HANDS)
    deck = table.state.deck
    table.change(deck=())
    table.move(0, Pass())
    assert table.state.dry == 1
    table.change(deck=deck)
    table.move(1, DrawDeck())
    table.discard(1, "Unicorn")
    assert table.state.dry == 0
    assert table.view(0).phase == "draw"


def test_after_many_turns_the_discard_area_is_closed_so_that_every_game_ends() -> None:
    table = Table(HANDS)
    table.move(0, DrawDeck())
    table.discard(0, "Unicorn")
    table.change(turn=OPEN_TURNS)
    assert TakeDiscard(card=cards("Unicorn")[0]) in table.legal(1)
    table.change(turn=OPEN_TURNS + 1)
    assert table.legal(1) == (DrawDeck(),)
    table.refuses(1, TakeDiscard(card=cards("Unicorn")[0]))
    table.change(deck=())
    assert table.legal(1) == (Pass(),)


@pytest.mark.parametrize("seed", range(6))
def test_a_crowded_table_whose_items_empty_the_deck_ends_soon(seed: int) -> None:
    turns: list[int] = []
    options = Options(extra_suits=True, cursed_items=True)
    run_quick(GAME, options, [Greedy().choose] * 7, seed, lambda state, *_rest: turns.append(state.turn))
    assert max(turns) < OPEN_TURNS / 2


# -- the parts themselves ----------------------------------------------------------------------------------------------


def test_the_kinds_of_task_do_nothing_themselves() -> None:
    state = Table().state
    for call in (
        lambda: Automatic().run(state),
        lambda: Dealing().verbs(state),
        lambda: Dealing().dealt(state, ()),
        lambda: Asking().phase(),
        lambda: Asking().seats(state),
        lambda: Asking().check(state, 0, Pass()),
        lambda: Asking().apply(state, {}),
    ):
        with pytest.raises(NotImplementedError):
            call()


def test_before_the_deal_nobody_is_in_turn_and_nobody_knows_a_hand() -> None:
    with pytest.raises(LookupError):
        GAME.start(Options(), 2).turn_seat()
    table = Table(HANDS)
    table.move(0, DrawDeck())
    with pytest.raises(LookupError):
        own_slots(GAME.view(table.state, 0, {}))
