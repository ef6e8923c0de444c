"""The catalogue: counts, decks, names, and the generated file."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from frp2p.cards import CARDS, Card, CardId, PhoenixOption, Suit, card, catalogue_digest, deck, item, suits
from frp2p.cards.base import BASE, PROMOS
from frp2p.cards.catalogue import export
from frp2p.cards.effects import Look
from frp2p.cards.hoard import HOARD
from frp2p.cards.sets import items

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("extra_suits", "jester", "phoenix", "size"),
    [
        (False, False, "off", 53),
        (False, True, "off", 54),
        (False, True, "deluxe", 55),
        (False, True, "promo", 55),
        (True, False, "off", 68),
        (True, True, "deluxe", 70),
        (True, True, "promo", 70),
    ],
)
def test_every_deck_has_its_number_of_different_cards(
    extra_suits: bool, jester: bool, phoenix: PhoenixOption, size: int
) -> None:
    cards = deck(extra_suits=extra_suits, jester=jester, phoenix=phoenix)
    assert len(cards) == len(set(cards)) == size
    assert len({card(card_id).en for card_id in cards}) == size  # no two cards of a deck have one name


def test_each_suit_has_its_number_of_cards() -> None:
    base = Counter(card(card_id).suit for card_id in deck())
    assert base == {**dict.fromkeys(suits.BASE_SUITS, 5), Suit.WILD: 3}
    extra = Counter(card(card_id).suit for card_id in deck(extra_suits=True))
    assert extra == {**dict.fromkeys(suits.BASE_SUITS + suits.EXTRA_SUITS, 5), Suit.WILD: 3}
    both = Counter(card(card_id).suit for card_id in deck(jester=True, phoenix="deluxe"))
    assert (both[Suit.WIZARD], both[Suit.BEAST]) == (6, 6)


def test_extra_suits_bring_the_eight_replacements_as_one_group() -> None:
    plain, extra = deck(), deck(extra_suits=True)
    replaced = {new.replaces for new in HOARD if new.replaces is not None}
    assert len(replaced) == 8
    assert set(plain) - set(extra) == replaced
    for new in HOARD:
        if new.replaces is not None:
            assert new.en == card(new.replaces).en
            assert extra.index(new.id) == plain.index(new.replaces)


def test_the_two_printings_of_the_phoenix_never_meet() -> None:
    assert "FR55P" not in deck(phoenix="deluxe")
    assert "FR55" not in deck(phoenix="promo")


def test_the_items_have_their_timings_and_values() -> None:
    all_items = [item(item_id) for item_id in items()]
    assert len(all_items) == 24
    assert Counter(one.timing for one in all_items) == {"any": 14, "replace": 8, "after": 1, "copy": 1}
    values = [-1, 5, 5, -1, -1, -2, -2, -2, -4, -2, -3, -3, -4, -4, -4, -5, -6, -6, -7, -8, -9, -10, -20, -30]
    assert [one.value for one in all_items] == values
    assert [one.en for one in all_items if one.value > 0] == ["Sarcophagus", "Blindfold"]
    assert len({msgspec.json.encode(one.action) for one in all_items}) == 23  # Sarcophagus and Winged Boots share one


def test_ids_count_up_without_a_gap() -> None:
    assert [one.id for one in BASE] == [f"FR{number:02}" for number in range(1, 54)]
    assert [one.id for one in PROMOS] == ["FR54", "FR55", "FR55P"]
    assert [one.id for one in HOARD] == [f"CH{number:02}" for number in range(1, 24)]
    assert list(items()) == [f"CH{number}" for number in range(24, 48)]


def test_an_item_is_no_card() -> None:
    with pytest.raises(KeyError):
        card(CardId("CH24"))
    with pytest.raises(KeyError):
        item(CardId("FR01"))


def test_names_of_one_deck_are_unique_in_both_languages() -> None:
    for extra in (False, True):
        for phoenix in ("deluxe", "promo"):
            cards = [card(one) for one in deck(extra_suits=extra, jester=True, phoenix=phoenix)]
            things = [*cards, *(item(one) for one in items())]
            for language in ("en", "pt_BR"):
                names = Counter(one.name(language).casefold() for one in things)
                assert names.most_common(1)[0][1] == 1
            spoken = Counter(alias.casefold() for one in things for alias in {one.en, one.pt, *one.aliases})
            assert [name for name, count in spoken.items() if count > 1] == []


def _looks(value: Any) -> list[Look]:
    if isinstance(value, Look):
        return [value]
    if isinstance(value, msgspec.Struct):
        return [look for field in value.__struct_fields__ for look in _looks(getattr(value, field))]
    if isinstance(value, tuple):
        return [look for one in value for look in _looks(one)]
    return []


@pytest.mark.parametrize("one", CARDS.values(), ids=lambda one: one.id)
def test_every_name_that_a_card_looks_for_exists_in_its_deck(one: Card) -> None:
    extra = one.home == "hoard"
    names = {card(card_id).en for card_id in deck(extra_suits=extra)}
    wanted = {name for look in _looks(one.effects) for name in look.names + look.but}
    assert wanted <= names
    if not extra:
        looked = {suit for look in _looks(one.effects) for suit in look.suits}
        assert not looked & set(suits.EXTRA_SUITS)


def test_penalties_cost_and_bonuses_pay() -> None:
    for one in CARDS.values():
        assert all(getattr(effect, "points", -1) < 0 for effect in one.penalty), one.id
        assert all(getattr(effect, "points", 1) > 0 for effect in one.bonus), one.id


def test_marks_are_unique_and_colours_are_terminal_colours() -> None:
    styles = suits.STYLES
    assert list(styles) == list(Suit)
    assert len({style.mark for style in styles.values()}) == 14
    assert all(len(style.mark) == 2 for style in styles.values())
    plain = {"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}
    assert {style.colour for style in styles.values()} <= plain | {f"bright{name}" for name in plain}
    assert len({style.colour for style in styles.values()}) == 14
    assert [suits.suit_name(Suit.LEADER, language) for language in ("en", "pt_BR")] == ["Leader", "Líder"]
    assert (suits.mark(Suit.FLAME), suits.colour(Suit.FLAME)) == ("Fm", "brightred")


def test_the_published_file_is_current() -> None:
    checked = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "gen_cards.py"), "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_anybody_can_compute_the_digest_from_the_published_file() -> None:
    published = json.loads((ROOT / "protocol" / "cards.json").read_text(encoding="utf-8"))
    facts = {
        section: [
            {field: value for field, value in entry.items() if field not in ("pt", "aliases", "home")}
            for entry in published[section]
        ]
        for section in ("cards", "items")
    }
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).digest() == catalogue_digest()
    assert len(catalogue_digest()) == 32


def test_the_digest_sees_rules_and_not_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    before = catalogue_digest()
    king = card(CardId("FR31"))
    monkeypatch.setitem(CARDS, king.id, msgspec.structs.replace(king, pt="O Rei", aliases=("Roi",)))
    assert catalogue_digest() == before
    monkeypatch.setitem(CARDS, king.id, msgspec.structs.replace(king, strength=9))
    assert catalogue_digest() != before


def test_the_export_has_every_card() -> None:
    assert {entry["id"] for entry in export()["cards"]} == set(CARDS)
