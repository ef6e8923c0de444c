"""Choices that a hand doesn't allow are refused, each with its own code."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hand_lines import read

from frp2p.cards import CardId
from frp2p.scoring import Choices, Context, House, IllegalChoices, ability_of, check_choices, choosers, score

HAND = tuple(CardId(one) for one in ("FR49", "FR51", "FR52", "FR53", "FR09", "FR31"))


def refusal(hand: tuple[CardId, ...], choices: Choices, context: Context | None = None) -> str:
    with pytest.raises(IllegalChoices) as refused:
        check_choices(hand, choices, context or Context())
    assert refused.value.message
    with pytest.raises(IllegalChoices):
        score(hand, choices, context or Context())
    return refused.value.code


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ({"doppelganger": "FR53"}, "choice-not-in-hand"),
        ({"doppelganger": "FR32"}, "choice-not-in-hand"),
        ({"doppelganger": "FR99"}, "choice-not-in-hand"),
        ({"mirage": "FR31"}, "choice-wrong-suit"),
        ({"mirage": "leader"}, "choice-wrong-suit"),
        ({"mirage": "wild"}, "choice-wrong-suit"),
        ({"mirage": "nonsense"}, "choice-wrong-suit"),
        ({"mirage": "CH01"}, "choice-not-in-game"),
        ({"mirage": "building"}, "choice-wrong-suit"),
        ({"shapeshifter": "FR21"}, "choice-wrong-suit"),
        ({"shapeshifter": "CH14"}, "choice-not-in-game"),
        ({"shapeshifter": "FR54"}, "choice-not-in-game"),
        ({"shapeshifter": "FR51"}, "choice-wrong-suit"),
        ({"book": ("FR49", "land")}, "choice-not-in-hand"),
        ({"book": ("FR21", "land")}, "choice-not-in-hand"),
        ({"book": ("FR31", "undead")}, "choice-wrong-suit"),
        ({"book": ("FR31", "wild")}, "choice-wrong-suit"),
        ({"book": ("FR31", "")}, "choice-wrong-suit"),
        ({"island": "FR31"}, "choice-wrong-suit"),
        ({"island": "FR07"}, "choice-not-in-hand"),
        ({"angel": "FR31"}, "choice-without-card"),
    ],
)
def test_an_illegal_choice_is_refused(choices: dict[str, Any], code: str) -> None:
    assert refusal(HAND, Choices(**choices)) == code


@pytest.mark.parametrize("field", ["doppelganger", "mirage", "shapeshifter", "island", "angel"])
def test_a_choice_needs_its_card(field: str) -> None:
    assert refusal((CardId("FR31"), CardId("FR10")), Choices(**{field: "FR10"})) == "choice-without-card"  # type: ignore[arg-type]


def test_a_book_needs_its_card() -> None:
    assert refusal((CardId("FR31"),), Choices(book=(CardId("FR31"), "army"))) == "choice-without-card"


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"doppelganger": "FR31"},
        {"doppelganger": "FR52"},
        {"mirage": "FR01"},
        {"mirage": "flood"},
        {"shapeshifter": "FR49"},
        {"shapeshifter": "weapon"},
        {"book": ("FR31", "army")},
        {"book": ("FR52", "leader")},
        {"book": ("FR31", "leader")},
        {"island": "FR09"},
        {"mirage": "flame", "island": "FR52"},
        {"book": ("FR31", "flood"), "island": "FR31"},
    ],
)
def test_a_legal_choice_is_taken(choices: dict[str, Any]) -> None:
    check_choices(HAND, Choices(**choices), Context())


def test_island_sees_suits_after_the_book() -> None:
    hand = tuple(CardId(one) for one in ("FR49", "FR09", "FR16"))
    assert refusal(hand, Choices(book=(CardId("FR16"), "army"), island=CardId("FR16"))) == "choice-wrong-suit"


def test_the_deck_in_use_decides_what_may_be_named() -> None:
    hand = tuple(CardId(one) for one in ("CH22", "CH23", "FR49", "CH08", "FR31"))
    extra = Context(extra_suits=True)
    check_choices(hand, Choices(mirage="CH01", shapeshifter="CH14", book=(CardId("FR31"), "undead")), extra)
    check_choices(hand, Choices(mirage="building", shapeshifter="undead", angel=CardId("FR31")), extra)
    assert refusal(hand, Choices(shapeshifter="CH08"), extra) == "choice-wrong-suit"
    assert refusal(hand, Choices(mirage="FR03"), extra) == "choice-not-in-game"  # CH16 has taken its place
    assert refusal(hand, Choices(angel=CardId("CH08")), extra) == "choice-not-in-hand"
    check_choices(hand, Choices(shapeshifter="FR54"), Context(extra_suits=True, jester=True))
    check_choices(hand, Choices(shapeshifter="FR55"), Context(extra_suits=True, phoenix="deluxe"))
    assert refusal(hand, Choices(mirage="FR55"), Context(extra_suits=True, phoenix="deluxe")) == "choice-wrong-suit"


def test_the_book_can_not_change_the_deluxe_phoenix() -> None:
    deluxe = (CardId("FR49"), CardId("FR55"))
    assert refusal(deluxe, Choices(book=(CardId("FR55"), "army")), Context(phoenix="deluxe")) == "choice-immune"
    check_choices((CardId("FR49"), CardId("FR55P")), Choices(book=(CardId("FR55P"), "army")), Context(phoenix="promo"))


def test_a_house_rule_lets_the_book_make_a_card_wild() -> None:
    check_choices(HAND, Choices(book=(CardId("FR31"), "wild")), Context(house=House(book_wild=True)))


def test_refusals_are_one_family() -> None:
    assert IllegalChoices().code == "illegal-choices"


def test_impossible_hands_are_refused() -> None:
    assert refusal((CardId("FR31"), CardId("FR31")), Choices()) == "duplicate-card"
    assert refusal((CardId("CH24"),), Choices()) == "unknown-card"
    assert refusal((CardId("bogus"),), Choices()) == "unknown-card"


def test_who_asks_for_a_choice() -> None:
    hand, _, _ = read("King, Book of Changes, Angel, Genie, Mirage, Necromancer, Island", extra_suits=True)
    assert choosers(hand) == ("FR49", "CH08", "CH23", "FR09")
    abilities = [ability_of(CardId(one)) for one in ("FR53", "FR51", "CH22", "FR52", "CH23", "FR49", "FR09", "CH08")]
    assert abilities == ["doppelganger", "shapeshifter", "shapeshifter", "mirage", "mirage", "book", "island", "angel"]
    assert ability_of(CardId("FR28")) is None


def test_choices_travel_as_an_array() -> None:
    choices = Choices(mirage="army", book=(CardId("FR31"), "army"))
    plain = msgspec.json.decode(msgspec.json.encode(choices))
    assert plain == [None, "army", None, ["FR31", "army"], None, None]
    assert msgspec.convert([None, "army", None, ["FR31", "army"], None, None], Choices) == choices
    assert choices.count() == 2
