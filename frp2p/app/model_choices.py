"""The final choices as a form: one field an ability, every legal option with the total it would make."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from frp2p import scoring
from frp2p.app import model_cards as cards
from frp2p.app.model_table import mark_cell
from frp2p.app.model_text import Cell, Line, fit, pad, right, width
from frp2p.app.model_window import window
from frp2p.app.model_worth import Worth, total
from frp2p.cards import CARDS, CardId
from frp2p.errors import Frp2pError
from frp2p.locale import _
from frp2p.scoring import Choices, Context

FieldName: TypeAlias = Literal["doppelganger", "mirage", "shapeshifter", "book", "island", "angel"]
OPTION_COLUMNS = 38
"""Columns of one option: the longest card name (23 in Portuguese) with mark and total; Book of Changes adds a suit."""

Value: TypeAlias = CardId | str | tuple[CardId, str] | None


class Field(NamedTuple):
    """One ability of a card of the hand that its owner decides about."""

    name: FieldName
    card: CardId


class Option(NamedTuple):
    """One value of a field, and the choices that follow if it is picked."""

    value: Value
    choices: Choices
    total: int


def fields(worth: Worth | None) -> tuple[Field, ...]:
    """The fields of this hand, in the order of resolution."""
    if worth is None:
        return ()
    found = [Field(name, card) for card in worth.hand if (name := scoring.ability_of(card)) is not None]
    order: list[str] = list(Choices.__struct_fields__)
    return tuple(sorted(found, key=lambda field: order.index(field.name)))


def chosen(worth: Worth | None, draft: Choices | None) -> Choices | None:
    """What is chosen as the form stands: the draft, else the best; None while that is being computed."""
    return draft if draft is not None else (worth.choices if worth is not None else None)


def options(worth: Worth | None, draft: Choices | None, field: int) -> tuple[Option, ...]:
    """All options of a field beside the present other choices, `none` first, then in catalogue order."""
    form = fields(worth)
    now = chosen(worth, draft)
    if worth is None or now is None or not form:
        return ()
    return _options(worth.hand, worth.around, now, form[field % len(form)])


@lru_cache(maxsize=64)
def _options(hand: tuple[CardId, ...], around: Context, now: Choices, field: Field) -> tuple[Option, ...]:
    found = []
    for value in _values(hand, around, field):
        choices = _with(hand, around, now, field.name, value)
        if choices is not None:
            found.append(Option(value, choices, total(hand, choices, around)))
    return tuple(found)


def _values(hand: tuple[CardId, ...], around: Context, field: Field) -> Iterator[Value]:
    others = [card for card in hand if card != field.card]
    yield None
    if field.name in ("mirage", "shapeshifter"):
        yield from around.deck()
        yield from (suit.value for suit in around.real_suits())
    elif field.name == "book":
        yield from ((card, suit.value) for card in others for suit in around.real_suits())
    else:
        yield from others


def _with(hand: tuple[CardId, ...], around: Context, now: Choices, name: str, value: Value) -> Choices | None:
    """`now` with one field changed; if another choice becomes illegal by that, it is dropped; None if nothing helps."""
    changed = msgspec.structs.replace(now, **{name: value})
    if _legal(hand, changed, around):
        return changed
    for other in ("island", "book", "angel", "doppelganger"):
        if other != name and getattr(changed, other) is not None:
            less = msgspec.structs.replace(changed, **{other: None})
            if _legal(hand, less, around):
                return less
    return None


def _legal(hand: tuple[CardId, ...], choices: Choices, around: Context) -> bool:
    try:
        scoring.check_choices(hand, choices, around)
    except Frp2pError:
        return False
    return True


def marked(worth: Worth | None, draft: Choices | None, field: int) -> int | None:
    """The index of the option that is chosen now."""
    form, now = fields(worth), chosen(worth, draft)
    if not form or now is None:
        return None
    value = getattr(now, form[field % len(form)].name)
    found = [index for index, option in enumerate(options(worth, draft, field)) if option.value == value]
    return found[0] if found else 0


def picked(worth: Worth | None, draft: Choices | None, field: int, index: int) -> Choices | None:
    """The choices after picking an option by its index, which is moved into the list; None without a list."""
    offered = options(worth, draft, field)
    return offered[max(0, min(index, len(offered) - 1))].choices if offered else None


def value_text(name: FieldName, value: Value) -> str:
    """An option in words."""
    if value is None:
        return _("not used")
    if isinstance(value, tuple):
        return _("{card} becomes {suit}").format(card=cards.name(value[0]), suit=cards.suit_name(value[1]))
    if value in CARDS:
        return cards.name(CardId(value))
    return _("any {suit}, without a name").format(suit=cards.suit_name(value))


def field_text(field: Field) -> str:
    """What a field asks."""
    name = cards.name(field.card)
    match field.name:
        case "doppelganger":
            return _("{card} copies:").format(card=name)
        case "island":
            return _("{card} clears:").format(card=name)
        case "angel":
            return _("{card} guards:").format(card=name)
        case "book":
            return _("{card}:").format(card=name)
        case _:
            return _("{card} becomes:").format(card=name)


def lines(worth: Worth | None, draft: Choices | None, field: int, columns: int, rows: int) -> list[Line]:
    """The form in at most `rows` lines: the fields with what is chosen, then the options of the field in hand."""
    form, now = fields(worth), chosen(worth, draft)
    if worth is None or now is None:
        return [(Cell("  " + _("Computing the best choices ..."), "dim"),)]
    at = field % max(1, len(form))
    shown: list[Line] = []
    for index, one in enumerate(form):
        value = value_text(one.name, getattr(now, one.name))
        line = (mark_cell("▸ ", at=index == at), Cell(f"{field_text(one)} "), Cell(value, "strong"))
        shown.append(tuple(cell._replace(target=("field", index)) for cell in fit(line, columns)))
    best, mine = worth.total, total(worth.hand, now, worth.around)
    verdict = _("the best there is") if mine == best else _("the best is {points}").format(points=best)
    text = _("Total {points}").format(points=mine)
    shown.append(fit((Cell(f"  {text} ", "strong"), Cell(f"({verdict})", "good" if mine == best else "warn")), columns))
    return shown + _option_lines(worth, draft, at, columns, rows - len(shown))


def _option_lines(worth: Worth, draft: Choices | None, field: int, columns: int, rows: int) -> list[Line]:
    offered = options(worth, draft, field)
    at = marked(worth, draft, field) or 0
    name = fields(worth)[field].name
    across = max(1, columns // (OPTION_COLUMNS + (20 if name == "book" else 0)))
    part = window(len(offered), at, max(1, rows), across)
    room = columns // across
    lines: list[Line] = []
    shown = list(enumerate(offered))[part.first : part.last]
    height = -(-len(shown) // across)
    for row in range(height):
        cells: list[Cell] = []
        for index, option in shown[row::height][:across]:
            cells += _option(index, option, name, worth, room, at=index == at)
        lines.append(fit(tuple(cells), columns))
    return lines + part.note(columns, rows)


def _option(index: int, option: Option, name: FieldName, worth: Worth, room: int, *, at: bool) -> Line:
    figure = right(str(option.total), 5)
    text = pad(value_text(name, option.value), max(0, room - 5 - width(figure)))
    best = option.total == worth.total
    line = (
        mark_cell("  ▸ ", at=at),
        Cell(text, "cursor" if at else ""),
        Cell(figure, "good" if best else "dim"),
        Cell("*" if best else " ", "good"),
    )
    return tuple(cell._replace(target=("option", index)) for cell in fit(line, room))
