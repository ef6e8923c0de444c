"""A rendered score: nothing is lost, nothing is wider than the page, and the JSON adds up."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from scoring_cases import SCORED, choices_of, context_of, hand_of
from syrupy.assertion import SnapshotAssertion
from wcwidth import wcswidth

from frp2p import locale
from frp2p.cards import CardId
from frp2p.cards.notation import find_card, shown_name
from frp2p.locale.columns import WIDTH
from frp2p.scoring import Blanked, CardScore, Choices, Context, Line, Score, best, render, score
from frp2p.scoring.notation import parse_line
from frp2p.scoring.render import blanked_text, choices_json, reasons, score_json, score_text

LANGUAGES = pytest.mark.parametrize("language", locale.LANGUAGES)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    locale.use("en")
    yield
    locale.use("en")


def scored(case: dict[str, Any]) -> tuple[Choices, Score]:
    if case["mode"] == "best":
        return best(hand_of(case), context_of(case))
    choices = choices_of(case)
    return choices, score(hand_of(case), choices, context_of(case))


CASES = [(case["id"], *scored(case)) for case in SCORED]


@LANGUAGES
def test_the_text_fits_and_leaves_nothing_out(language: str) -> None:
    locale.use(language)
    for name, _choices, result in CASES:
        check_text(name, result)


def check_text(name: str, result: Score) -> None:
    lines = score_text(result)
    assert all(line.isprintable() and wcswidth(line) <= 80 and not set(line) & set("{}") for line in lines), name
    total = next(index for index, line in enumerate(lines) if re.fullmatch(rf"Total +{result.total}", line))
    above, below = "\n".join(lines[:total]), lines[total + 1 :]
    for each in result.cards:
        row = rf"^{re.escape(shown_name(each.card))} .* {each.base} +{each.points}$"
        assert re.search(row, above, re.MULTILINE), name
    flat = " ".join(above.split())
    for each in result.cards:
        for note, points in reasons(each, result.steps):
            assert f"{points:+d} {note}" in flat if points else note in flat, name
    assert sum(line[:5].strip().rstrip(".").isdigit() for line in below) == len(result.steps), name


@LANGUAGES
def test_the_json_adds_up_and_names_every_cause(language: str) -> None:
    locale.use(language)
    for name, choices, result in CASES:
        check_json(name, choices, result)


def check_json(name: str, choices: Choices, result: Score) -> None:
    plain = json.loads(json.dumps(score_json(result, choices)))
    assert plain["total"] == sum(each["points"] for each in plain["cards"] + plain["items"]) == result.total, name
    assert len(plain["choices"]) == choices.count(), name
    assert [step["kind"] for step in plain["steps"]] == [step.kind for step in result.steps], name
    for each, card in zip(plain["cards"], result.cards, strict=True):
        assert each["points"] == each["base"] + sum(line["points"] for line in each["lines"]), name
        assert each["suit"] == each["suits"][0], name
        assert set(each["suits"]) == {suit.value for suit in card.suits}, name
        assert (each["blanked"] is None) == (not each["blanked_by"]) == (card.blanked is None), name
        clearers = [shown_name(cleared.by) for cleared in card.cleared]
        assert [entry["name"] for entry in each["cleared_by"]] == clearers, name
        for line, data in zip(each["lines"], card.lines, strict=True):
            assert line["cards"] == [shown_name(cause) for cause in data.causes], name
            assert line["text"].endswith("."), name
        if card.blanked is not None and card.blanked.by != (card.card,):
            assert all(by in each["blanked"]["text"] for by in each["blanked_by"]), name


def explained(text: str, context: Context) -> Score:
    line = parse_line(text, context.deck())
    return score(line.hand, line.choices, context)


DELUXE = Context(extra_suits=True, phoenix="deluxe", players=2, items=(CardId("CH24"), CardId("CH39")))

HANDS = {
    "base": ("Mountain, Great Flood, Smoke, Air Elemental, Whirlwind, Wildfire, Mirage; Mirage=Rainstorm", Context()),
    "loop": ("Basilisk, Doppelgänger, Warhorse; Doppelgänger=Basilisk", Context()),
    "self": ("Blizzard, Book of Changes, Smoke, War Dirigible; Book of Changes=Blizzard:Flood", Context()),
    "words": ("Judge, Knights, Rangers, Dwarvish Infantry, Swamp", Context(extra_suits=True)),
    "angel": ("Demon, Angel, King, Knights, Elven Archers, Swamp; Angel=King", Context(extra_suits=True)),
    "sets": ("Collector, Gem of Order, King, Queen, Empress, Bell Tower, Mirage; Mirage=land", Context()),
    "many": ("Phoenix, Beastmaster, Great Flood, Lich, Ghoul, Garden, Candle", DELUXE),
}


@LANGUAGES
@pytest.mark.parametrize("name", HANDS)
def test_some_hands_in_full(name: str, language: str, snapshot: SnapshotAssertion) -> None:
    """To be read by people."""
    locale.use(language)
    assert "\n".join(score_text(explained(*HANDS[name]))) == snapshot


def test_some_json_in_full(snapshot: SnapshotAssertion) -> None:
    text, context = HANDS["self"]
    line = parse_line(text, context.deck())
    assert json.dumps(score_json(explained(text, context), line.choices), indent=1) == snapshot


def test_choices_are_shown_where_they_are_made() -> None:
    assert choices_json(Choices()) == {}
    made = Choices(mirage="FR11", shapeshifter="weapon", book=(CardId("FR12"), "flame"), angel=CardId("FR31"))
    assert choices_json(made) == {
        "mirage": {"id": "FR11", "name": "Rainstorm"},
        "shapeshifter": {"suit": "weapon"},
        "book": {"id": "FR12", "name": "Blizzard", "suit": "flame"},
        "angel": {"id": "FR31", "name": "King"},
    }


def test_the_cards_of_a_loop_name_the_others_and_a_loop_of_one_itself() -> None:
    pair = Blanked("loop", (CardId("FR37"), CardId("FR53")))
    assert blanked_text(CardId("FR37"), pair) == "Blanked in a loop with Doppelgänger."
    assert blanked_text(CardId("FR12"), Blanked("loop", (CardId("FR12"),))) == "Blanked by its own penalty."


def test_the_suit_on_the_card_comes_first() -> None:
    phoenix = explained("Phoenix", Context(phoenix="deluxe"))
    assert score_json(phoenix, Choices())["cards"][0]["suit"] == "beast"


def test_without_the_steps_only_the_guard_is_missing() -> None:
    result = explained(*HANDS["angel"])
    king = next(each for each in result.cards if each.card == "FR31")
    alone, whole = reasons(king), reasons(king, result.steps)
    assert set(whole) - set(alone) == {("Cannot be blanked, because of Angel.", 0)}


def test_a_line_says_its_points_and_its_causes() -> None:
    line = Line("bonus", 10, explained("King, Knights", Context()).cards[0].lines[0].effect, (CardId("FR21"),))
    each = CardScore(CardId("FR31"), "King", (), 8, (line,), 18)
    assert reasons(each)[-1] == ("+5 for each Army; with Queen +20 instead. [Knights]", 10)


@LANGUAGES
@pytest.mark.parametrize("phoenix", ["promo", "deluxe"])
def test_the_card_of_most_suits_fits_beside_the_longest_name(
    language: str, phoenix: Literal["promo", "deluxe"]
) -> None:
    locale.use(language)
    context = Context(extra_suits=True, jester=True, phoenix=phoenix)
    book, burning = CardId("FR49"), find_card("Phoenix", context.deck())
    longest = max(context.deck(), key=lambda each: wcswidth(shown_name(each)))
    hand = tuple({book, burning, longest})
    moves = [(burning, suit.value) for suit in context.real_suits()] if phoenix == "promo" else []
    for move in (None, *moves):
        assert max(table_widths(score(hand, Choices(book=move), context))) <= WIDTH


def table_widths(result: Score) -> list[int]:
    """Columns of each line of the table, from the head to the last card: without what is said about the cards."""
    lines = score_text(result)
    total = next(at for at, line in enumerate(lines) if line.endswith(f" {result.total}"))
    return [wcswidth(line) for line in lines[: total + 1] if not line.startswith("    ")]


@pytest.mark.parametrize("title", ["Base", "Points", "Card", "Suit"])
def test_a_long_title_widens_its_column(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "_", lambda text: text + "x" * 12 if text == title else text)
    assert len(set(table_widths(explained("Knights, Dwarvish Infantry", Context())))) == 1


def test_nothing_follows_the_total_where_nothing_happened() -> None:
    assert re.fullmatch(r"Total +14", score_text(explained("King, Queen", Context()))[-1])


def test_an_item_is_explained_only_where_its_value_depends_on_something() -> None:
    line = parse_line("King", Context().deck())
    items = tuple(map(CardId, ("CH26", "CH24", "CH39")))
    lines = score_text(score(line.hand, line.choices, Context(items=items)))
    about = {line.split("  ")[0]: after.strip() for line, after in itertools.pairwise(lines)}
    assert about["Blindfold"].startswith("Spyglass")
    assert about["Spyglass"] == "Counts -1 face down (-10 with two players)."
    assert about["Treasure Chest"].startswith("Counts -5 face down, and +25 more")


def test_a_card_that_blanks_itself_names_what_is_there() -> None:
    with_smoke = explained("War Dirigible, Knights, Smoke, Candle", Context()).cards[0]
    assert reasons(with_smoke) == (("Its own penalty: Blanked with any Weather. [Smoke]", 0),)
    without = explained("War Dirigible, Candle", Context()).cards[0]
    assert reasons(without) == (("Its own penalty: Blanked without any Army.", 0),)


def test_the_json_says_what_a_card_counts_as_what_it_copies_and_the_word_it_lost() -> None:
    line = parse_line(
        "Mirage, Doppelgänger, Rangers, Dwarvish Infantry; Mirage=flame; Doppelgänger=Dwarvish Infantry",
        Context().deck(),
    )
    cards = score_json(score(line.hand, line.choices, Context()), line.choices)["cards"]
    assert [(each["counts_as"], each["copied"], each["cleared_by"]) for each in cards] == [
        (None, None, []),
        ("Dwarvish Infantry", "Dwarvish Infantry", [{"name": "Rangers", "word": "army"}]),
        ("Rangers", None, []),
        ("Dwarvish Infantry", None, [{"name": "Rangers", "word": "army"}]),
    ]
    mountain = explained("Mountain, Great Flood", Context())
    assert score_json(mountain, Choices())["cards"][1]["cleared_by"] == [{"name": "Mountain", "word": None}]
