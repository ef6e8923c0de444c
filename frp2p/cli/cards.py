"""`frp2p cards`: the card reference."""

from __future__ import annotations

from typing import Any, TypeAlias

import click

from frp2p import locale
from frp2p.cards import CARDS, Card, CardId, Item, Suit, deck, item, sets, suit_name
from frp2p.cards.item_text import action_text, item_timing, item_value
from frp2p.cards.notation import find_printings, find_suit, set_name
from frp2p.cards.text import effect_text
from frp2p.cli.help import Command, prose
from frp2p.cli.language import lang_option
from frp2p.cli.lines import json_line
from frp2p.errors import UserError
from frp2p.locale import N_, _
from frp2p.locale.columns import hanging, padded

Pool: TypeAlias = tuple[CardId, ...]

SETS = ("base", "promo", "hoard", "items", "all")

_NAME, _SUIT, _STRENGTH = 26, 14, 5
"""Columns: the longest name has 24, the longest suit 12 (Portuguese), the lowest strength three."""


@click.command(
    "cards",
    cls=Command,
    help=prose(
        N_("The card reference: what cards say."),
        N_(
            "NAME is a name (English or Portuguese), the beginning of one, or an id, and is looked up in every set. "
            "Without NAME the cards of the base game are listed, unless an option asks for others."
        ),
    ),
)
@click.argument("name", nargs=-1, metavar=N_("[NAME]..."))
@click.option("--suit", metavar=N_("SUIT"), help=N_("Only cards of this suit."))
@click.option("--set", "box", type=click.Choice(SETS), help=N_("Only cards of this set."))
@click.option("--extra-suits", is_flag=True, help=N_("The deck with the suits of the Cursed Hoard, not the base game."))
@click.option("--json", "as_json", is_flag=True, help=N_("One JSON object: {cards: [...], items: [...]}."))
@lang_option
def command(name: tuple[str, ...], suit: str | None, box: str | None, extra_suits: bool, as_json: bool) -> None:
    pool = _pool(box, extra_suits, everything=bool(name))
    found = find_printings(" ".join(name), pool) if name else pool
    if suit is not None:
        found = _of_suit(found, find_suit(suit))
    cards = [CARDS[member] for member in found if member in CARDS]
    items = [item(member) for member in found if member not in CARDS]
    if as_json:
        entries = {"cards": [_card_json(card) for card in cards], "items": [_item_json(each) for each in items]}
        click.echo(json_line(entries))
        return
    blocks = [_card_lines(card) for card in cards] + [_item_lines(each) for each in items]
    click.echo("\n\n".join("\n".join(block) for block in blocks))


def _pool(box: str | None, extra_suits: bool, *, everything: bool) -> Pool:
    if extra_suits:
        pool = deck(extra_suits=True)
    elif box is not None or everything:
        pool = (*CARDS, *sets.items())
    else:
        pool = deck()
    if box in (None, "all"):
        return pool
    if box == "items":
        return sets.items()
    return tuple(member for member in pool if member in CARDS and CARDS[member].home == box)


def _of_suit(pool: Pool, suit: Suit) -> Pool:
    found = tuple(member for member in pool if member in CARDS and CARDS[member].suit is suit)
    if not found:
        sentence = _("No card here has the suit {suit}.").format(suit=suit_name(suit, locale.language()))
        if any(CARDS[member].suit is suit for member in deck(extra_suits=True)):
            sentence = _("{sentence} {option} adds more cards.").format(sentence=sentence, option="--extra-suits")
        raise UserError(sentence, code="no-cards")
    return found


def _card_lines(card: Card) -> list[str]:
    head = _head(card, suit_name(card.suit, locale.language()), card.strength)
    return [head, *_texts(_("Bonus"), _sentences(card.bonus)), *_texts(_("Penalty"), _sentences(card.penalty))]


def _item_lines(this: Item) -> list[str]:
    head = _head(this, _("cursed item"), this.value)
    action = f"{item_timing(this)} {action_text(this.action)}"
    return [head, *_texts(_("Value"), item_value(this)), *_texts(_("Use"), action)]


def _head(card: Card | Item, kind: str, value: int) -> str:
    name = card.name(locale.language())
    row = f"{padded(name, _NAME)}{padded(kind, _SUIT)}{padded(str(value), -_STRENGTH)}"
    return f"{row}   {padded(card.id, 6)} {set_name(card.id)}"


def _texts(title: str, text: str) -> list[str]:
    return hanging(f"    {padded(title, 12)}", text) if text else []


def _sentences(effects: tuple[Any, ...]) -> str:
    return " ".join(map(effect_text, effects))


def _card_json(card: Card) -> dict[str, Any]:
    return {
        "id": card.id,
        "name": card.name(locale.language()),
        "suit": card.suit.value,
        "suit_name": suit_name(card.suit, locale.language()),
        "strength": card.strength,
        "bonus": list(map(effect_text, card.bonus)),
        "penalty": list(map(effect_text, card.penalty)),
        "set": card.home,
        "replaces": card.replaces,
    }


def _item_json(this: Item) -> dict[str, Any]:
    return {
        "id": this.id,
        "name": this.name(locale.language()),
        "value": this.value,
        "timing": this.timing,
        "texts": [item_value(this), item_timing(this), action_text(this.action)],
    }
