"""Names of cards, items and suits: every way of writing one, and every way of getting it wrong."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p import locale
from frp2p.cards import CARDS, CardId, Suit, deck, sets, suit_name
from frp2p.cards.notation import (
    MAX_NAME,
    SUGGESTIONS,
    NameFault,
    Pool,
    clean,
    find_card,
    find_printings,
    find_suit,
    fold,
    named,
)
from frp2p.cards.sets import PhoenixOption

SETTINGS = settings(max_examples=200, deadline=None)

PHOENIX: tuple[PhoenixOption, ...] = ("off", "deluxe", "promo")
DECKS: tuple[Pool, ...] = tuple(
    deck(extra_suits=extra, jester=jester, phoenix=phoenix)
    for extra in (False, True)
    for jester in (False, True)
    for phoenix in PHOENIX
)
POOLS: tuple[Pool, ...] = (*DECKS, sets.items())


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    locale.use("en")
    yield
    locale.use("en")


def fault(text: str, pool: Pool) -> NameFault:
    with pytest.raises(NameFault) as caught:
        find_card(text, pool)
    return caught.value


def found_or_fault(text: str, pool: Pool) -> CardId | NameFault:
    try:
        return find_card(text, pool)
    except NameFault as error:
        return error


def spellings(member: CardId) -> list[str]:
    this = named(member)
    return [member, this.en, this.pt, *this.aliases]


@pytest.mark.parametrize("pool", POOLS)
def test_every_spelling_of_every_card_means_it(pool: Pool) -> None:
    for member in pool:
        for spelling in spellings(member):
            assert find_card(spelling, pool) == member


@SETTINGS
@given(st.data())
def test_case_accents_and_spaces_do_not_matter(data: st.DataObject) -> None:
    pool = data.draw(st.sampled_from(POOLS))
    member = data.draw(st.sampled_from(pool))
    text = data.draw(st.sampled_from(spellings(member)))
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    written = data.draw(st.sampled_from([text.upper(), text.lower(), plain, f"  {text} ", text.replace(" ", "   ")]))
    assert find_card(written, pool) == member


@SETTINGS
@given(st.data())
def test_a_beginning_means_a_card_exactly_if_no_other_card_begins_so(data: st.DataObject) -> None:
    pool = data.draw(st.sampled_from(POOLS))
    name = fold(data.draw(st.sampled_from(spellings(data.draw(st.sampled_from(pool))))))
    text = name[: data.draw(st.integers(1, len(name)))].strip()
    whole = {member for member in pool if text in map(fold, (*spellings(member), member.removeprefix("FR")))}
    begins = {member for member in pool if any(fold(spelling).startswith(text) for spelling in spellings(member))}
    elsewhere = {member for member in CARDS if text in map(fold, spellings(member))} - set(pool)
    if whole or (len(begins) == 1 and not elsewhere):
        assert {find_card(text, pool)} == (whole or begins)
    else:
        assert fault(text, pool).code in ("ambiguous-card", "card-not-in-play")


@SETTINGS
@given(st.text(max_size=MAX_NAME + 10), st.sampled_from(POOLS))
def test_any_text_is_a_card_or_a_coded_sentence(text: str, pool: Pool) -> None:
    found = found_or_fault(text, pool)
    if not isinstance(found, NameFault):
        assert found in pool
        return
    assert found.code in ("missing-name", "unknown-card", "ambiguous-card", "card-not-in-play")
    assert found.message.isprintable()
    assert len(found.message) < 300
    assert len(found.suggestions) <= SUGGESTIONS


@pytest.mark.parametrize("number", [1, 9, 31, 53])
def test_a_number_is_the_id_of_a_base_card(number: int) -> None:
    assert find_card(str(number), deck()) == f"FR{number:02}"


@pytest.mark.parametrize(
    ("slip", "name"),
    [
        ("Kng", "King"),
        ("Baselisk", "Basilisk"),
        ("Fountian of Life", "Fountain of Life"),
        ("Dopelganger", "Doppelgänger"),
    ],
)
def test_a_slip_gets_the_nearest_name(slip: str, name: str) -> None:
    error = fault(slip, deck())
    assert (error.code, error.suggestions[0]) == ("unknown-card", name)
    assert name in error.message


def test_a_portuguese_slip_gets_the_name_in_the_language_in_use() -> None:
    locale.use("pt_BR")
    assert fault("Dragaum", deck()).suggestions[0] == "Dragão"


def test_an_ambiguous_beginning_shows_the_names_that_begin_so() -> None:
    error = fault("rain", deck())
    assert error.message == '"rain" may be Rainstorm or Queen (Rainha).'
    assert (error.code, error.suggestions) == ("ambiguous-card", ("Rainstorm", "Queen"))
    assert fault("c", deck()).message.endswith("or another card.")


@pytest.mark.parametrize(
    ("old", "new"), [(c.replaces, c.id) for c in CARDS.values() if c.home == "hoard" and c.replaces]
)
def test_a_shared_name_means_the_printing_of_the_deck(old: CardId, new: CardId) -> None:
    base, extra = deck(), deck(extra_suits=True)
    assert (find_card(named(old).en, base), find_card(named(old).en, extra)) == (old, new)
    without, within = fault(new, base), fault(old, extra)
    assert (without.code, within.code) == ("card-not-in-play", "card-not-in-play")
    assert (without.suggestions, within.suggestions) == ((old,), (new,))
    for said in (without.message, within.message):
        assert all(part in said for part in (old, new, "the base game", "the extra suits"))


def test_phoenix_is_the_printing_that_is_in_the_deck() -> None:
    promo, deluxe = deck(phoenix="promo"), deck(phoenix="deluxe")
    assert (find_card("Phoenix", promo), find_card("fenix", deluxe)) == ("FR55P", "FR55")
    assert fault("FR55", promo).suggestions == ("FR55P",)
    assert fault("Phoenix (Promo)", deluxe).suggestions == ("FR55",)
    assert fault("Phoenix", deck()).card == "FR55"


def test_the_name_of_an_absent_card_is_never_read_as_the_beginning_of_another_one() -> None:
    """Rainha is the Queen, and Rainha das Trevas the Dark Queen."""
    error = fault("Rainha", (CardId("FR31"), CardId("CH11")))
    assert (error.code, error.card) == ("card-not-in-play", "FR32")
    assert fault("Spyglass", deck()).message.endswith("the cursed items.")


def test_hostile_text_is_repeated_harmlessly_and_shortly() -> None:
    error = fault("King\x1b[31m\u202e", deck())
    assert "\x1b" not in error.message
    assert "\u202e" not in error.message
    assert len(clean("x" * 10_000)) <= 40
    assert fault("x" * (MAX_NAME + 1), deck()).code == "unknown-card"
    assert fault(" .,- ", deck()).code == "missing-name"


def test_printings_are_all_cards_of_one_name() -> None:
    pool = tuple(CARDS)
    assert find_printings("Bell Tower", pool) == ("CH16", "FR03")
    assert find_printings("bell", pool) == ("CH16", "FR03")
    assert find_printings("FR03", pool) == ("FR03",)
    assert find_printings("Basil", pool) == ("FR37",)
    with pytest.raises(NameFault, match="may be"):
        find_printings("ca", pool)


def test_every_spelling_of_every_suit_means_it() -> None:
    for suit in Suit:
        for spelling in (suit.value, suit_name(suit), suit_name(suit, "pt_BR"), suit.value.upper()):
            assert find_suit(spelling) is suit
    assert (find_suit("lea"), find_suit("exer"), find_suit("MORTO VIVO")) == (Suit.LEADER, Suit.ARMY, Suit.UNDEAD)


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [("arm", "ambiguous-suit", "Army"), ("flmae", "unknown-suit", "Flame"), ("zzz", "unknown-suit", None)],
)
def test_a_wrong_suit_gets_the_nearest_name(text: str, code: str, suggestion: str | None) -> None:
    with pytest.raises(NameFault) as caught:
        find_suit(text)
    assert caught.value.code == code
    assert suggestion is None or suggestion in caught.value.suggestions
