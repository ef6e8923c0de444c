"""The card under the cursor: its text, what it does in this hand, and what taking or discarding it would change."""

from __future__ import annotations

from frp2p.app import model_cards as cards
from frp2p.app import model_items
from frp2p.app.model_scores import why
from frp2p.app.model_table import rule
from frp2p.app.model_text import Cell, Line, fit, signed, wrap
from frp2p.app.model_worth import Worth
from frp2p.cards import CardId
from frp2p.locale import _


def heading(card: CardId, columns: int, *, more: bool = False) -> Line:
    """Name, suit and base strength; with `more` also which key shows the rest of the text."""
    if cards.is_item(card):
        return rule(cards.name(card), columns, _("cursed item"))
    suit = cards.suit_name(cards.suit(card))
    title = f"{cards.mark(card)} {cards.name(card)}"
    note = _("{suit}, base {strength}").format(suit=suit, strength=cards.strength(card))
    return rule(title, columns, note + " · " + _("v: more") if more else note)


def lines(card: CardId, worth: Worth | None, columns: int) -> list[Line]:
    """Everything there is to say about the card, the most useful first: what if, in this hand, the text."""
    if cards.is_item(card):
        return model_items.text_lines(card, columns)
    rows: list[tuple[str, str]] = []
    rows += [(row, "strong") for row in what_if(card, worth)]
    rows += [(row, "") for row in cards.rule(card)] or [(_("This card has no text."), "dim")]
    part = worth.card(card) if worth is not None else None
    if worth is not None and part is not None:
        shown = _("In your hand: {points}").format(points=_("blank") if part.blanked else part.points)
        rows.append((shown if part.shown == cards.name(card) else f"{shown} ({part.shown})", "strong"))
    shown_rows: list[Line] = []
    for text, style in rows:
        indent = len(text) - len(text.lstrip())
        broken = wrap(text.strip(), columns - 3 - indent, "  ")
        shown_rows += [fit((Cell(" " * (1 + indent)), Cell(row, style)), columns) for row in broken]
    if worth is not None and part is not None:
        for reason in why(part.score, worth.score):
            shown_rows += reason.lines(columns, 3)
    return shown_rows


def what_if(card: CardId, worth: Worth | None) -> list[str]:
    """What a take or a discard of this card would make of the hand, in sentences."""
    if worth is None or worth.total is None:
        return []
    if card in worth.without:
        left = worth.without[card]
        text = _("Discard it: {total} stay ({gain} to now).")
        if worth.trading:
            text = _("Without it: {total} stay ({gain} to now).")
        return [text.format(total=left, gain=signed(left - worth.total))]
    if card in worth.takes:
        total, gone = worth.takes[card]
        if gone is None:
            return [_("Take it: {total} ({gain} to now).").format(total=total, gain=signed(total - worth.total))]
        if gone == card:
            return [_("Taking it would not help: the best then is to give it back.")]
        text = _("Take it and discard {card}: {total} ({gain} to now).")
        return [text.format(card=cards.name(gone), total=total, gain=signed(total - worth.total))]
    return []


def fitted(card: CardId, worth: Worth | None, columns: int, rows: int) -> list[Line]:
    """Heading and text in at most `rows` lines; where text is missing, the heading says which key shows it."""
    if rows <= 0:
        return []
    body = lines(card, worth, columns)
    return [heading(card, columns, more=len(body) > rows - 1), *body[: rows - 1]]
