"""A hand line: what is written is read back, in both languages; what is wrong gets its own code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p import locale
from frp2p.cards import CardId, Suit, card, deck, sets
from frp2p.errors import UserError
from frp2p.scoring import Choices
from frp2p.scoring.notation import (
    CHOOSERS,
    MAX_HAND,
    MAX_LINE,
    PLAYERS,
    HandLine,
    parse_line,
    parse_players,
    write_line,
)

SETTINGS = settings(max_examples=150, deadline=None)

BASE = deck()
FULL = deck(extra_suits=True, jester=True, phoenix="deluxe")
DECKS = (BASE, FULL, deck(extra_suits=True, phoenix="promo"), deck(jester=True))


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    locale.use("en")
    yield
    locale.use("en")


@st.composite
def written_hands(draw: st.DrawFn) -> tuple[HandLine, tuple[CardId, ...]]:
    """A hand rich in cards that choose, and the deck that it comes from. Choices need not be legal, only writable."""
    cards = draw(st.sampled_from(DECKS))
    choosers = [member for member in cards if card(member).en in CHOOSERS]
    ordinary = [member for member in cards if member not in choosers]
    some = draw(st.lists(st.sampled_from(choosers), unique=True, max_size=6))
    rest = draw(st.lists(st.sampled_from(ordinary), unique=True, min_size=1, max_size=MAX_HAND + 6))
    hand, discard = (*some, *rest)[:MAX_HAND], tuple(rest)[MAX_HAND - len(some) :]
    suits = [suit.value for suit in Suit]
    made = {}
    for member in hand:
        field = CHOOSERS.get(card(member).en)
        if field is None or draw(st.booleans()):
            continue
        if field in ("mirage", "shapeshifter"):
            made[field] = draw(st.sampled_from([*cards, *suits]))
        elif field == "book":
            made[field] = (draw(st.sampled_from(hand)), draw(st.sampled_from(suits)))
        else:
            made[field] = draw(st.sampled_from(hand))
    items = draw(st.none() | st.lists(st.sampled_from(sets.items()), unique=True, max_size=4).map(tuple))
    players = draw(st.none() | st.sampled_from(PLAYERS))
    return HandLine(hand, Choices(**made), draw(st.sampled_from([None, discard])), items, players), cards


@SETTINGS
@given(written_hands(), st.sampled_from(locale.LANGUAGES), st.sampled_from(locale.LANGUAGES))
def test_what_is_written_is_read_back_whatever_the_languages(
    made: tuple[HandLine, tuple[CardId, ...]], written_in: str, read_in: str
) -> None:
    line, cards = made
    locale.use(read_in)
    assert parse_line(write_line(line, written_in), cards) == line


@SETTINGS
@given(st.text(alphabet=st.sampled_from("King, Queen;=|:disc 4\n\x00é"), max_size=80) | st.text(max_size=80))
def test_any_text_is_a_hand_or_a_user_error(text: str) -> None:
    try:
        line = parse_line(text, BASE)
    except UserError:
        return
    assert set(line.hand) <= set(BASE)
    assert parse_line(write_line(line), BASE) == line


def test_the_line_of_the_manual() -> None:
    line = parse_line(
        "King, Queen, Mirage, Book of Changes, bell; mirage=Rainstorm; book=Bell Tower:Leader"
        " | discard: Hydra, 17 | players: 3 | items: portal",
        BASE,
    )
    assert line.hand == ("FR31", "FR32", "FR52", "FR49", "FR03")
    assert line.choices == Choices(mirage="FR11", book=(CardId("FR03"), "leader"))
    assert (line.discard, line.items, line.players) == (("FR40", "FR17"), ("CH46",), 3)
    assert write_line(line, "pt_BR") == (
        "Rei, Rainha, Miragem, Livro da Transfiguração, Torre do Sino; Miragem=Tempestade; "
        "Livro da Transfiguração=Torre do Sino:Líder | descarte: Hidra, Vela | itens: Portal | jogadores: 3"
    )


def test_a_wild_card_may_take_a_plain_suit() -> None:
    assert parse_line("Mirage; Mirage=flood", BASE).choices.mirage == "flood"
    assert parse_line("Metamorfo; Metamorfo=Líder", BASE).choices.shapeshifter == "leader"
    assert parse_line("Shapeshifter; Shapeshifter=Líder M", BASE).choices.shapeshifter == "FR34"


def test_a_target_in_the_hand_needs_only_be_told_from_the_other_cards_of_it() -> None:
    assert parse_line("Angel, Knights, Queen; angel=k", FULL).choices.angel == "FR21"


def test_items_may_stand_alone() -> None:
    line = parse_line("| items: Portal", BASE)
    assert (line.hand, line.items) == ((), ("CH46",))
    assert parse_line(write_line(line), BASE) == line


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no-cards"),
        (" | items: ", "no-cards"),
        ("; Mirage=King | items: Portal", "no-cards"),
        (" ; Mirage=King", "no-cards"),
        ("King,", "missing-name"),
        ("King,,Queen", "missing-name"),
        ("King, rei", "duplicate-card"),
        ("King | discard: King", "duplicate-card"),
        ("King | discard: Queen, Queen", "duplicate-card"),
        ("King | items: Portal, CH46", "duplicate-card"),
        ("King; ", "bad-choice"),
        ("King; Queen", "bad-choice"),
        ("King; King=Queen", "bad-choice"),
        ("Mirage; Mirage=King; Mirage=Queen", "bad-choice"),
        ("Book of Changes, King; Book of Changes=King", "bad-choice"),
        ("Book of Changes, King; Book of Changes=King:Quark", "unknown-suit"),
        ("King; Mirage=Swamp", "card-not-in-hand"),
        ("Island, King; Island=Swamp", "card-not-in-hand"),
        ("Island, King; Island=Quark", "unknown-card"),
        ("Island, King, Queen, Knights; Island=Demon", "card-not-in-play"),
        ("King | foo: Queen", "bad-section"),
        ("King | discard", "bad-section"),
        ("King | ", "bad-section"),
        ("King | players: 3 | jogadores: 3", "bad-section"),
        ("King | players: 1", "bad-players"),
        ("King | players: 8", "bad-players"),
        ("King | players: ٣", "bad-players"),
        ("King | players: -3", "bad-players"),
        ("King | players: " + "9" * 300, "bad-players"),
        ("x" * (MAX_LINE + 1), "line-too-long"),
        (", ".join(BASE[: MAX_HAND + 1]), "hand-too-big"),
        ("King" + ", Queen" * 500, "unknown-card"),
    ],
)
def test_everything_wrong_has_its_code(text: str, code: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_line(text, BASE)
    assert caught.value.code == code
    assert len(caught.value.message) < 250


def test_a_whole_deck_of_discards_fits_into_a_line() -> None:
    for language in locale.LANGUAGES:
        line = HandLine(FULL[:1], discard=FULL[1:], items=sets.items(), players=7)
        assert parse_line(write_line(line, language), FULL) == line


def test_a_line_is_written_in_the_language_that_is_asked_for() -> None:
    line = parse_line(
        "Rei, Miragem, Livro da Transfiguração; Miragem=Exército; Livro=Rei:Líder | descarte: Hidra | itens: Portal"
        " | jogadores: 3",
        BASE,
    )
    assert write_line(line) == (
        "King, Mirage, Book of Changes; Mirage=Army; Book of Changes=King:Leader"
        " | discard: Hydra | items: Portal | players: 3"
    )


def test_the_longest_line_and_the_biggest_hand_are_read() -> None:
    assert parse_line("King |" + "players: 3".rjust(MAX_LINE - 6), BASE).players == 3
    assert parse_line(", ".join(BASE[:MAX_HAND]), BASE).hand == BASE[:MAX_HAND]


def test_the_refusal_says_how_many_may_play() -> None:
    with pytest.raises(UserError, match=r"from 2 to 7\."):
        parse_players("8")


def test_of_cards_that_a_target_may_mean_only_those_of_the_hand_are_named() -> None:
    with pytest.raises(UserError) as caught:
        parse_line("Island, Forge, Forest; Island=Fo", BASE)
    assert "Forest" in caught.value.message
    assert "Fountain" not in caught.value.message
