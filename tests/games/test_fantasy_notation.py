"""Moves as text and back."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.cards import CardId
from frp2p.errors import UserError
from frp2p.games.fantasy_realms import GAME, Options, notation
from frp2p.games.fantasy_realms.moves import Choose, Discard, DrawDeck, FantasyMove, Pass, PickExtra, TakeDiscard
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.view import HandCard, Phase, SeatView, View
from frp2p.games.game import Known, Move
from frp2p.games.verbs import Seat, SlotId
from frp2p.players.random_bot import Random
from frp2p.players.selfplay import run_clear
from frp2p.scoring import Choices


def seen(hand: str, phase: Phase, discards: str = "", me: Seat | None = 0, extras: tuple[CardId, ...] = ()) -> View:
    """A view with one hand; a card `?` is unknown; slots count from 10, and are none once the hand lies open."""
    places = [SlotId(10 + number) if phase == "discard" else None for number in range(9)]
    cards = [None if card == "?" else CardId(card) for card in hand.split()]
    held = tuple(HandCard(slot=slot, card=card) for slot, card in zip(places, cards, strict=False))
    return View(
        me=me,
        phase=phase,
        asked=(0,),
        turn=1,
        seat_in_turn=0,
        first_seat=0,
        seats=(SeatView(seat=0, hand=held, extras=extras),),
        deck_left=30,
        discards=tuple(map(CardId, discards.split())),
        threshold=10,
    )


DISCARDING = seen("FR31 FR32 FR20 FR52", "discard")
DRAWING = seen("FR31", "draw", discards="FR32 FR01 FR47")
CHOOSING = seen("FR52 FR49 FR09 FR16 FR31", "choices", extras=(CardId("FR32"),))


@pytest.mark.parametrize(
    ("line", "view", "move"),
    [
        ("draw", DRAWING, DrawDeck()),
        ("pass", DRAWING, Pass()),
        ("take Queen", DRAWING, TakeDiscard(card=CardId("FR32"))),
        ("extra none", DRAWING, PickExtra(card=None)),
        ("extra Mountain", DRAWING, PickExtra(card=CardId("FR01"))),
        ("discard King", DISCARDING, Discard(slot=SlotId(10))),
        ("discard #99", DISCARDING, Discard(slot=SlotId(99))),
        ("choose", CHOOSING, Choose(choices=Choices())),
        (
            "choose Mirage=Rainstorm; Book of Changes=King:Army; Island=Wildfire",
            CHOOSING,
            Choose(choices=Choices(mirage="FR11", book=(CardId("FR31"), "army"), island=CardId("FR16"))),
        ),
        ("choose Mirage=Flood", CHOOSING, Choose(choices=Choices(mirage="flood"))),
        ("choose Book of Changes=Queen:Land", CHOOSING, Choose(choices=Choices(book=(CardId("FR32"), "land")))),
    ],
)
def test_a_line_and_its_move(line: str, view: View, move: FantasyMove) -> None:
    assert notation.parse(line, view) == move
    assert notation.text(move, view) == line


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("  DRAW ", DrawDeck()),
        ("take rainha", TakeDiscard(card=CardId("FR32"))),
        ("Take moun", TakeDiscard(card=CardId("FR01"))),
        ("take 47", TakeDiscard(card=CardId("FR47"))),
        ("extra NONE", PickExtra(card=None)),
    ],
)
def test_other_ways_to_write_it(line: str, move: FantasyMove) -> None:
    assert notation.parse(line, DRAWING) == move


@pytest.mark.parametrize(
    "line",
    [
        *(
            "",
            " ",
            "draw King",
            "pass now",
            "drow",
            "take",
            "take Unicorn",
            "extra",
            "discard King",
            "discard",
            "discard #",
        ),
        *("discard #x", "discard #²", "discard #1234567890", "take " + "x" * 9999, "\x1b[2J"),
        *("choose Mirage", "choose King=Queen", "choose Mirage=Rainstorm | players: 4", "choose ; ;"),
    ],
)
@pytest.mark.parametrize("view", [DRAWING, CHOOSING, seen("? ?", "discard"), seen("FR01", "draw", me=None)])
def test_a_line_that_means_nothing(line: str, view: View) -> None:
    with pytest.raises(UserError) as caught:
        notation.parse(line, view)
    assert "\x1b" not in caught.value.message


def test_what_the_viewer_cannot_name_stands_there_as_a_place() -> None:
    move = Discard(slot=SlotId(11))
    assert notation.text(move, seen("? ?", "discard", me=None)) == "discard #11"
    assert notation.text(Choose(choices=Choices()), seen("FR52", "choices", me=None)) == "choose"
    assert (
        notation.text(Choose(choices=Choices(mirage="flood")), seen("FR52", "choices", me=None), 0)
        == "choose Mirage=Flood"
    )


@given(seed=st.integers(0, 2**32), seats=st.integers(2, 6))
@settings(max_examples=5, deadline=None)
def test_every_legal_move_can_be_written_and_read(seed: int, seats: int) -> None:
    def watch(state: State, known: tuple[Known, ...], moves: Mapping[Seat, Move]) -> None:
        for seat in range(seats):
            view = GAME.view(state, seat, known[seat])
            for move in GAME.legal(view):
                assert notation.parse(notation.text(move, view), view) == move

    run_clear(GAME, Options(), [Random(seat).choose for seat in range(seats)], seed, watch)
