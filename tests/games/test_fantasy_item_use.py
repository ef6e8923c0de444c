"""When a cursed item can be used, and what answers its questions."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from item_board import PLENTY, Board, item

from frp2p.cards import CardId
from frp2p.cards.items import ITEMS
from frp2p.errors import UserError
from frp2p.games.fantasy_realms import notation
from frp2p.games.fantasy_realms.items.facts import why_not
from frp2p.games.fantasy_realms.items.prompt import MAX_ANSWERS, Prompt, answers, check_answer
from frp2p.games.fantasy_realms.moves import (
    Arrange,
    DrawDeck,
    FantasyMove,
    KeepItem,
    PickCards,
    PickSeat,
    PickSlots,
    PickSuit,
    SwapItem,
    TakeDiscard,
    UseItem,
)
from frp2p.games.game import IllegalMove
from frp2p.games.verbs import SlotId

# -- what an item needs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", [entry for entry in ITEMS if entry.timing != "after"], ids=lambda entry: entry.en)
def test_with_plenty_of_everything_an_item_can_be_used_before_the_draw(entry: Any) -> None:
    assert why_not(entry.id, PLENTY) is None


@pytest.mark.parametrize("entry", ITEMS, ids=lambda entry: entry.en)
def test_each_item_has_its_moment(entry: Any) -> None:
    allowed = [
        m for m in ("draw", "discard", "finish") if why_not(entry.id, msgspec.structs.replace(PLENTY, moment=m)) is None
    ]
    wanted = {"replace": ["draw"], "after": ["finish"]}.get(entry.timing, ["draw", "discard", "finish"])
    assert allowed == (["draw", "discard"] if entry.en == "Portal" else wanted)


@pytest.mark.parametrize(
    ("name", "lacks", "sentence"),
    [
        ("Gold Mirror", {"uncovered": 2}, "This needs 3 uncovered cards in the discard area."),
        ("Shovel", {"uncovered": 0}, "This needs an uncovered card in the discard area."),
        ("Sealed Vault", {"uncovered": 1}, "This needs 2 uncovered cards in the discard area."),
        ("Rake", {"takeable": 1}, "This needs 2 uncovered cards in the discard area."),
        ("Winged Boots", {"deck": 0}, "This needs a card in the deck."),
        ("Fishhook", {"deck": 1}, "This needs 2 cards in the deck."),
        ("Cauldron", {"deck": 2}, "This needs 3 cards in the deck."),
        ("Crystal Lens", {"deck": 0}, "This needs a card in the deck."),
        ("Wishing Ring", {"deck": 0}, "This needs a card in the deck."),
        ("Lantern", {"deck": 0}, "This needs a card in the deck."),
        ("Blindfold", {"deck": 0}, "This needs a card in the deck."),
        ("Sarcophagus", {"moment": "discard"}, "This item is used instead of a turn: before you draw or take a card."),
        ("Hourglass", {}, "This item is used after your turn, once you have discarded."),
        ("Portal", {"moment": "finish"}, "You have discarded already in this turn."),
        ("Staff of Transmutation", {"hand": 2}, "You have too few cards for this."),
        ("Spyglass", {"hands": 0}, "No other player has a card."),
        ("Backpack", {"spare": 0}, "There is no other item left."),
        ("Repair Kit", {"spare": 0}, "There is no other item left."),
        ("Larcenous Gloves", {"others": ()}, "No other player has an item that you could use now."),
        (
            "Larcenous Gloves",
            {"others": (CardId("CH38"),), "moment": "discard"},
            "No other player has an item that you could use now.",
        ),
        ("Junkyard Map", {"junk": ()}, "None of the 3 items discarded last could be used now."),
        (
            "Junkyard Map",
            {"junk": (CardId("CH36"), CardId("CH42"), CardId("CH42"), CardId("CH42"))},
            "None of the 3 items discarded last could be used now.",
        ),
    ],
)
def test_what_is_missing_is_said(name: str, lacks: dict[str, Any], sentence: str) -> None:
    assert why_not(item(name), msgspec.structs.replace(PLENTY, **lacks)) == sentence


def test_only_the_own_open_item_can_be_used_and_only_in_the_own_turn() -> None:
    board = Board("Winged Boots, Crystal Lens")
    assert board.refuses(0, UseItem(item=item("Crystal Lens"))) == "This item does not lie face up before you."
    assert "not this player's turn" in board.refuses(1, UseItem(item=item("Crystal Lens")))
    assert board.refuses(0, SwapItem()) == "Draw a card or take one first."
    assert board.refuses(0, PickSeat(seat=1)) == "Draw a card or take one first."
    board.play(0, "draw", "discard Queen")
    assert board.refuses(0, DrawDeck()) == "Leave your item, swap it or use it."


def test_a_used_item_can_not_be_used_again() -> None:
    board = Board("Winged Boots, Crystal Lens, Crystal Ball")
    board.play(0, "use Winged Boots")
    assert board.legal(0) == (DrawDeck(), TakeDiscard(card=board.state.discards[0]))
    board.play(0, "draw", "discard Princess")
    assert board.view(1).seat_in_turn == 1, "who has used its item is asked nothing at the end of the turn"
    assert board.view(None).seats[0].item == item("Crystal Ball")


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "move",
    [
        PickCards(cards=()),
        PickCards(cards=(CardId("FR01"),)),
        PickCards(cards=(CardId("FR01"), CardId("FR01"))),
        PickCards(cards=(CardId("FR01"), CardId("FR09"))),
        PickCards(cards=(CardId("FR01"), CardId("FR02"), CardId("FR03"))),
        PickSlots(slots=(SlotId(1), SlotId(2))),
        PickSeat(seat=1),
        PickSuit(suit="land"),
        Arrange(keep=SlotId(1), top=(), bottom=()),
        KeepItem(),
    ],
)
def test_only_an_answer_is_an_answer(move: FantasyMove) -> None:
    pool = tuple(CardId(f"FR0{number}") for number in range(1, 4))
    prompt = Prompt(item=CardId("CH32"), what="cover", kind="cards", least=2, most=2, cards=pool)
    check_answer(prompt, PickCards(cards=pool[:2][::-1]))
    with pytest.raises(IllegalMove):
        check_answer(prompt, move)


def test_cards_go_back_in_every_order_and_split() -> None:
    prompt = Prompt(item=CardId("CH44"), what="return", kind="arrange", slots=(SlotId(4), SlotId(5), SlotId(6)))
    ways = answers(prompt)
    assert len(set(ways)) == len(ways) == 3 * 2 * 3
    for way in ways:
        check_answer(prompt, way)
    for bad in (
        Arrange(keep=SlotId(4), top=(SlotId(5),), bottom=()),
        Arrange(keep=SlotId(4), top=(SlotId(5),), bottom=(SlotId(5),)),
        Arrange(keep=SlotId(4), top=(SlotId(5), SlotId(6)), bottom=(SlotId(6),)),
    ):
        with pytest.raises(IllegalMove):
            check_answer(prompt, bad)


def test_answers_are_bounded() -> None:
    many = tuple(CardId(f"FR{number:02}") for number in range(1, 54))
    assert (
        len(answers(Prompt(item=CardId("CH43"), what="bury", kind="cards", least=3, most=3, cards=many))) == MAX_ANSWERS
    )


@pytest.mark.parametrize("line", ["pick none", "return King", "use Excalibur", "seat one", "suit Cheese", "swap now"])
def test_lines_that_mean_nothing_are_refused(line: str) -> None:
    with pytest.raises(UserError):
        notation.parse(line, Board("Winged Boots, Crystal Lens").view(0))
