"""Rule texts say what the data says: each effect in one sentence, every number, suit and name of it, and no other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from frp2p import locale
from frp2p.cards import CARDS, Card, Item, Suit, item, sets, suit_name
from frp2p.cards import actions as do
from frp2p.cards import effects as fx
from frp2p.cards.item_text import action_text, item_timing, item_value
from frp2p.cards.text import card_text, effect_text
from frp2p.errors import LocalError

SETTINGS = settings(max_examples=100, deadline=None)

LANGUAGES = pytest.mark.parametrize("language", locale.LANGUAGES)
ITEMS = tuple(item(member) for member in sets.items())
EFFECTS = tuple(dict.fromkeys(effect for card in CARDS.values() for effect in card.effects))


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    locale.use("en")
    yield
    locale.use("en")


def facts(value: Any) -> Counter[Any]:
    """Every number (but 0, which stands for "no such part"), suit and card name in a piece of data."""
    if isinstance(value, Suit):
        return Counter([value])
    if isinstance(value, bool) or value is None:
        return Counter()
    if isinstance(value, int):
        return Counter([value] if value else [])
    if isinstance(value, str):
        return Counter([value] if any(value == each.en for each in (*CARDS.values(), *ITEMS)) else [])
    if isinstance(value, tuple):
        return sum(map(facts, value), Counter())
    return sum((facts(getattr(value, field)) for field in value.__struct_fields__), Counter())


def said(text: str, language: str) -> Counter[Any]:
    """Every number (but 0), suit and card name in a text; a longer name is found before one that is a part of it."""
    words: dict[str, Any] = {suit_name(suit, language): suit for suit in Suit}
    words |= {each.name(language): each.en for each in (*CARDS.values(), *ITEMS)}
    names = "|".join(rf"\b{re.escape(word)}\b" for word in sorted(words, key=len, reverse=True))
    found: Counter[Any] = Counter(words[match] for match in re.findall(names, text))
    return found + Counter(number for number in map(int, re.findall(r"[+-]?\d+", text)) if number)


@LANGUAGES
@pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.id)
def test_a_card_says_all_its_effects_and_nothing_else(card: Card, language: str) -> None:
    locale.use(language)
    sentences = card_text(card.id)
    assert len(sentences) == len(card.effects) > 0
    for sentence, effect in zip(sentences, card.effects, strict=True):
        assert said(sentence, language) == facts(effect)


@LANGUAGES
def test_different_effects_have_different_sentences(language: str) -> None:
    locale.use(language)
    assert len(set(map(effect_text, EFFECTS))) == len(EFFECTS)


@LANGUAGES
def test_sentences_are_whole(language: str) -> None:
    locale.use(language)
    texts = [effect_text(effect) for effect in EFFECTS]
    texts += [text for each in ITEMS for text in (item_value(each), item_timing(each), action_text(each.action))]
    for text in texts:
        assert re.fullmatch(r"[A-Z+-][^{}]*[^\s.]\.", text), text
        assert "  " not in text


def test_every_kind_of_effect_and_action_has_a_wording() -> None:
    assert set(fx.Effect.__subclasses__()) <= set(effect_text.registry)
    assert set(do.Action.__subclasses__()) <= set(action_text.registry)


def test_a_kind_without_wording_is_an_error_of_ours() -> None:
    with pytest.raises(LocalError, match="no wording") as caught:
        effect_text(fx.Effect())
    assert caught.value.code == "no-card-text"
    with pytest.raises(LocalError, match="no wording"):
        action_text(do.Action())
    with pytest.raises(LocalError, match="no card"):
        effect_text(fx.With(1, (fx.Look(names=("Nobody",)),)))


def test_no_text_stays_english_in_portuguese() -> None:
    english = {effect: effect_text(effect) for effect in EFFECTS}
    of_items = {each: action_text(each.action) for each in ITEMS}
    locale.use("pt_BR")
    assert not [effect for effect, text in english.items() if effect_text(effect) == text]
    assert not [each for each, text in of_items.items() if action_text(each.action) == text]


@LANGUAGES
@pytest.mark.parametrize("this", ITEMS, ids=lambda this: this.id)
def test_an_item_says_its_value_and_its_action(this: Item, language: str) -> None:
    locale.use(language)
    value = facts((this.value, this.value_of_two, this.extra, this.extra_needs))
    assert said(item_value(this), language) == value
    spoken = said(action_text(this.action), language)
    wanted = facts(this.action)
    for entry in spoken.keys() | wanted.keys():
        # "the top card", and "three items ... your next three".
        assert entry in wanted or entry is Suit.WILD
        assert entry in spoken or entry == 1


def may_mean_itself(effect: fx.Effect) -> bool:
    """Whether the text must say if the card itself is meant too."""
    look = getattr(effect, "look", None)
    return look is not None and bool(look.suits) and not isinstance(effect, fx.Exactly)


def looks() -> st.SearchStrategy[fx.Look]:
    suits = st.lists(st.sampled_from(Suit), unique=True, max_size=4).map(tuple)
    names = st.lists(st.sampled_from([each.en for each in CARDS.values()]), unique=True, max_size=3).map(tuple)
    return st.builds(fx.Look, suits, names, names, st.booleans()).filter(lambda look: look.suits or look.names)


def other_data() -> st.SearchStrategy[fx.Effect]:
    """Effects that no card of ours has, made of the same parts."""
    points = st.integers(-99, 99).filter(bool)
    each = looks()
    simple = each.map(lambda look: msgspec.structs.replace(look, but=()))
    suits = st.lists(st.sampled_from(Suit), unique=True, min_size=1, max_size=4).map(tuple)
    table = st.lists(st.tuples(st.integers(2, 9), points), min_size=2, max_size=5).map(tuple)
    line = st.builds(fx.With, points, st.lists(simple, min_size=1, max_size=3).map(tuple))
    return st.one_of(
        st.builds(fx.Each, points, each),
        st.builds(fx.Each, points, each, simple, points),
        line,
        st.builds(fx.BestWith, st.lists(line, min_size=2, max_size=3).map(tuple)),
        st.builds(fx.Without, points, simple),
        st.builds(fx.SumOfStrengths, each),
        st.builds(fx.BestStrength, simple),
        st.builds(fx.FirstAndFurther, points, st.integers(0, 9), suits, st.booleans()),
        st.builds(fx.Exactly, points, st.integers(2, 9), simple),
        st.builds(fx.Runs, table),
        st.builds(fx.Sets, table),
        st.builds(fx.EachDiscard, points, each),
        st.builds(fx.Clears, suits, st.none() | st.sampled_from(Suit)),
        st.builds(fx.Blanks, st.lists(each, min_size=1, max_size=3).map(tuple)),
        st.builds(fx.BlanksAlone, suits),
        st.builds(fx.BlankedUnless, simple),
        st.builds(fx.BlankedWith, simple),
    )


@SETTINGS
@given(other_data(), st.sampled_from(locale.LANGUAGES))
def test_other_data_is_worded_as_truly(effect: fx.Effect, language: str) -> None:
    locale.use(language)
    assert said(effect_text(effect), language) == facts(effect)


@LANGUAGES
@pytest.mark.parametrize("effect", [effect for effect in EFFECTS if may_mean_itself(effect)])
def test_an_other_card_is_told_from_any_card(effect: fx.Effect, language: str) -> None:
    locale.use(language)
    look = msgspec.structs.replace(effect.look, other=not effect.look.other)  # type: ignore[attr-defined]
    swapped = msgspec.structs.replace(effect, look=look)  # type: ignore[call-arg]
    assert effect_text(swapped) != effect_text(effect)


@LANGUAGES
def test_all_texts(language: str, snapshot: SnapshotAssertion) -> None:
    """Every text in full, to be read by people."""
    locale.use(language)
    lines = [f"{card.id} {card.name(language)}: {' '.join(card_text(card.id))}" for card in CARDS.values()]
    lines += [
        f"{each.id} {each.name(language)}: {item_value(each)} {item_timing(each)} {action_text(each.action)}"
        for each in ITEMS
    ]
    assert "\n".join(lines) == snapshot
