"""A hand, what its owner chooses and what lies around it, written as one line.

    King, Queen, Knights; Mirage=Rainstorm; Book of Changes=Bell Tower:Leader; Island=Wildfire; Angel=Queen
        | discard: Hydra, Candle | items: Portal | players: 4

(one line; broken here for the page). A Mirage or Shapeshifter may also take a plain suit: `Mirage=Army`. Choices, and
sections, may stand in any order; items may stand alone. Names are read as frp2p.cards.notation says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from frp2p.cards import CardId, Suit, sets, suit_name
from frp2p.cards.notation import (
    NameFault,
    Pool,
    clean,
    either,
    find_card,
    find_suit,
    fold,
    named,
    shown_name,
    whole_name,
    whole_suit,
)
from frp2p.errors import UserError
from frp2p.locale import _
from frp2p.scoring.choices import Choices, Guise

MAX_LINE = 4096
"""Characters of one line: a whole deck of 70 cards in the discard area takes half of it."""

MAX_HAND = 10
"""Cards of one hand. The largest that the rules know has nine; one more to ask "what if"."""

PLAYERS = range(2, 8)
"""Seats of a table."""

CHOOSERS = {
    "Doppelgänger": "doppelganger",
    "Mirage": "mirage",
    "Shapeshifter": "shapeshifter",
    "Book of Changes": "book",
    "Island": "island",
    "Angel": "angel",
}
"""The cards whose owner chooses (by the name of the rules), and the field of Choices that holds it."""

_SECTIONS = {
    "discard": ("discard", "descarte"),
    "items": ("items", "itens"),
    "players": ("players", "jogadores"),
}
"""Each section and how it is written: English, Portuguese."""


class HandLine(msgspec.Struct, frozen=True):
    """What one line says. None stands for a section that was not written."""

    hand: tuple[CardId, ...]
    choices: Choices = Choices()
    discard: tuple[CardId, ...] | None = None
    items: tuple[CardId, ...] | None = None
    players: int | None = None


def parse_line(line: str, deck: Pool) -> HandLine:
    """Read a line whose cards are of this deck.

    UserError (NameFault for a name) with a code of its own for each way in which a line can be wrong: `line-too-long`,
    `bad-section`, `bad-choice`, `bad-players`, `no-cards`, `hand-too-big`, `duplicate-card`, `card-not-in-hand`.
    """
    if len(line) > MAX_LINE:
        raise UserError(_("The line is longer than {count} characters.").format(count=MAX_LINE), code="line-too-long")
    first, *rest = line.split("|")
    cards, *choices = first.split(";")
    sections: dict[str, Any] = {}
    for text in rest:
        key, value = _section(text, deck)
        if key in sections:
            raise UserError(_('"{text}" stands there twice.').format(text=clean(text)), code="bad-section")
        sections[key] = value
    # Items count by themselves.
    hand = () if sections.get("items") and not first.strip() else parse_hand(cards, deck)
    refuse_duplicates((*hand, *sections.get("discard", ())))
    return HandLine(hand, _choices(choices, hand, deck), **sections)


def parse_hand(text: str, deck: Pool) -> tuple[CardId, ...]:
    """The cards of a hand, separated by commas."""
    if not text.strip():
        raise UserError(_("No card is named."), code="no-cards")
    hand = parse_cards(text, deck)
    if len(hand) > MAX_HAND:
        raise UserError(_("A hand has {count} cards at most.").format(count=MAX_HAND), code="hand-too-big")
    return hand


def parse_cards(text: str, pool: Pool) -> tuple[CardId, ...]:
    """Different cards of the pool, separated by commas; none if the text is empty."""
    if not text.strip():
        return ()
    names = text.split(",", len(pool))
    cards = tuple(find_card(name, pool) for name in names)
    refuse_duplicates(cards)
    return cards


def refuse_duplicates(cards: tuple[CardId, ...]) -> None:
    """UserError if a card is there twice: every card exists once."""
    seen: set[CardId] = set()
    for card in cards:
        if card in seen:
            sentence = _("{name} is there twice; every card exists only once.").format(name=shown_name(card))
            raise UserError(sentence, code="duplicate-card")
        seen.add(card)


def parse_players(text: str) -> int:
    """A number of players."""
    word = text.strip()
    if not (word.isascii() and word.isdigit() and len(word) == 1 and int(word) in PLAYERS):
        sentence = _("The number of players is from {least} to {most}.")
        raise UserError(sentence.format(least=PLAYERS[0], most=PLAYERS[-1]), code="bad-players")
    return int(word)


def write_line(line: HandLine, language: str = "en") -> str:
    """The line in full names; `parse_line` with the same deck gives the same value back."""
    tongue = 1 if language.startswith("pt") else 0

    def cards(members: tuple[CardId, ...]) -> str:
        return ", ".join(named(member).name(language) for member in members)

    text = "; ".join((cards(line.hand), *written_choices(line, language)))
    for key, words in _SECTIONS.items():
        value = getattr(line, key)
        if value is not None:
            text += f" | {words[tongue]}: {value if isinstance(value, int) else cards(value)}".rstrip()
    return text


def written_choices(line: HandLine, language: str = "en") -> list[str]:
    """The choices that are made, each as `CARD=TARGET`, in the order of the hand."""
    written = []
    for card in line.hand:
        field = CHOOSERS.get(named(card).en)
        chosen = None if field is None else getattr(line.choices, field)
        if chosen is None:
            continue
        target, suit = chosen if isinstance(chosen, tuple) else (chosen, None)
        text = suit_name(Suit(target), language) if target in set(Suit) else named(target).name(language)
        text += "" if suit is None else f":{suit_name(Suit(suit), language)}"
        written.append(f"{named(card).name(language)}={text}")
    return written


def _section(text: str, deck: Pool) -> tuple[str, Any]:
    word, colon, value = text.partition(":")
    readers: dict[str, Callable[[str], Any]] = {
        "discard": lambda written: parse_cards(written, deck),
        "items": lambda written: parse_cards(written, sets.items()),
        "players": parse_players,
    }
    for key, words in _SECTIONS.items():
        if colon and fold(word) in words:
            return key, readers[key](value)
    known = either(f"{words[0]}:" for words in _SECTIONS.values())
    sentence = _('After "|" comes {known}, not "{text}".').format(known=known, text=clean(text))
    raise UserError(sentence, code="bad-section")


def _choices(texts: list[str], hand: tuple[CardId, ...], deck: Pool) -> Choices:
    made: dict[str, Any] = {}
    for text in texts:
        chooser, equals, target = text.partition("=")
        if not equals:
            sentence = _('A choice is written CARD=TARGET, not "{text}".').format(text=clean(text))
            raise UserError(sentence, code="bad-choice")
        card = find_in_hand(chooser, hand, deck)
        field = CHOOSERS.get(named(card).en)
        if field is None:
            raise UserError(_("{name} lets nobody choose.").format(name=shown_name(card)), code="bad-choice")
        if field in made:
            raise UserError(_("{name} chooses twice.").format(name=shown_name(card)), code="bad-choice")
        made[field] = _target(field, target, hand, deck)
    return Choices(**made)


def _target(field: str, text: str, hand: tuple[CardId, ...], deck: Pool) -> Guise | CardId | tuple[CardId, str]:
    if field in ("mirage", "shapeshifter"):
        return _guise(text, deck)
    if field != "book":
        return find_in_hand(text, hand, deck)
    card, colon, suit = text.partition(":")
    if not colon:
        sentence = _('Book of Changes is written with a card and a suit, CARD:SUIT, not "{text}".')
        raise UserError(sentence.format(text=clean(text)), code="bad-choice")
    return find_in_hand(card, hand, deck), find_suit(suit).value


def _guise(text: str, deck: Pool) -> Guise:
    """A card of the deck or a plain suit; a whole name of either wins over the beginning of one."""
    card, suit = whole_name(text, deck), whole_suit(text)
    if card is None and suit is not None:
        return suit.value
    return card or find_card(text, deck)


def find_in_hand(text: str, hand: tuple[CardId, ...], deck: Pool) -> CardId:
    """The card of the hand that the text means: there, a shorter beginning of its name is enough."""
    try:
        return find_card(text, hand)
    except NameFault as fault:
        if fault.code not in ("unknown-card", "card-not-in-play"):
            raise
    card = find_card(text, deck)
    sentence = _("{name} is not in this hand.").format(name=shown_name(card))
    raise UserError(sentence, code="card-not-in-hand")
