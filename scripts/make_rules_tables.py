#!/usr/bin/env python3
"""Write the tables of cards and items into docs/rules.md and docs/rules.pt_BR.md, from the catalogue.

Run it with the project's own interpreter: `.venv/bin/python scripts/make_rules_tables.py`. `--check` only compares;
exit code 1 if a page would change.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from frp2p import locale
from frp2p.cards import CARDS, Card, Suit, deck, item, sets, suit_name
from frp2p.cards.item_text import action_text, item_timing, item_value
from frp2p.cards.text import card_text

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = {"en": DOCS / "rules.md", "pt_BR": DOCS / "rules.pt_BR.md"}
BEGIN = "<!-- begin: written by scripts/make_rules_tables.py; do not edit -->"
END = "<!-- end: written by scripts/make_rules_tables.py -->"

TIMINGS = ("any", "replace", "after", "copy")

PRINTINGS = {"FR55": "deluxe", "FR55P": "promo"}
"""What `--phoenix` calls the printings of the one card that has two."""

WORDS = {
    "en": {
        "cards": "All cards", "base": "The base game", "hoard": "With the extra suits", "promo": "Jester and Phoenix",
        "changed": "Changed with the extra suits", "items": "All cursed items",
        "card": "card", "strength": "strength", "text": "what it says", "item": "item", "action": "what it does",
        "cards about": "Each table is a suit; strength is the base strength.",
        "items about": "The tables are sorted by the moment at which an item is used. What an item counts, it counts "
                       "face down, after it was used.",
    },
    "pt_BR": {
        "cards": "Todas as cartas", "base": "O jogo base", "hoard": "Com os naipes extras",
        "promo": "Bobo da Corte e Fênix", "changed": "Mudadas com os naipes extras",
        "items": "Todos os itens amaldiçoados",
        "card": "carta", "strength": "força", "text": "o que diz", "item": "item", "action": "o que faz",
        "cards about": "Cada tabela é um naipe; a força é a força básica.",
        "items about": "As tabelas seguem o momento em que um item se usa. O que um item conta, ele conta virado para "
                       "baixo, depois de usado.",
    },
}  # fmt: skip


def tables(language: str) -> str:
    """Both parts in this language, as Markdown."""
    locale.use(language)
    try:
        return "\n".join([*_cards(WORDS[language]), *_items(WORDS[language])])
    finally:
        locale.use("en")


def _cards(words: dict[str, str]) -> Iterable[str]:
    base = [CARDS[card] for card in deck()]
    hoard = [card for card in CARDS.values() if card.home == "hoard"]
    groups = {
        "base": base,
        "hoard": [card for card in hoard if card.replaces is None],
        "changed": [card for card in hoard if card.replaces is not None],
        "promo": [card for card in CARDS.values() if card.home == "promo"],
    }
    yield from ('<a id="cards"></a>', "", f"## {words['cards']}", "", words["cards about"], "")
    for group, cards in groups.items():
        for suit in Suit:
            yield from _suit(f"{words[group]}: {suit_name(suit, locale.language())}", cards, suit, words)


def _suit(title: str, cards: list[Card], suit: Suit, words: dict[str, str]) -> Iterable[str]:
    rows = [
        (_named(card), str(card.strength), " ".join(card_text(card.id)) or "-") for card in cards if card.suit is suit
    ]
    if rows:
        yield from _table(title, (words["card"], words["strength"], words["text"]), rows)


def _named(card: Card) -> str:
    name = card.name(locale.language())
    return f"{name} ({PRINTINGS[card.id]})" if card.id in PRINTINGS else name


def _items(words: dict[str, str]) -> Iterable[str]:
    yield from ('<a id="all-items"></a>', "", f"## {words['items']}", "", words["items about"], "")
    items = [item(each) for each in sets.items()]
    for timing in TIMINGS:
        found = [one for one in items if one.timing == timing]
        rows = [(one.name(locale.language()), f"{action_text(one.action)} {item_value(one)}") for one in found]
        yield from _table(item_timing(found[0]).rstrip("."), (words["item"], words["action"]), rows)


def _table(title: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterable[str]:
    yield from (f"### {title}", "")
    yield from (f"| {' | '.join(heads)} |", "|---" * len(heads) + "|")
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def page(language: str, now: str) -> str:
    """The page with its tables as they should be; ValueError if there is no place for them."""
    head, begin, rest = now.partition(BEGIN)
    _old, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page in {language} has no place for tables")
    return f"{head}{BEGIN}\n\n{tables(language)}\n{END}{tail}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    stale = []
    for language, path in PAGES.items():
        now = path.read_text(encoding="utf-8")
        wanted = page(language, now)
        if now != wanted and check:
            stale.append(path.name)
        elif now != wanted:
            path.write_text(wanted, encoding="utf-8", newline="\n")
    if stale:
        print(f"{', '.join(stale)}: out of date; run {Path(__file__).name}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
