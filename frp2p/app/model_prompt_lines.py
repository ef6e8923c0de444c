"""The question of an item as lines: what is asked, the options with their figures, the order that is being made."""

from __future__ import annotations

from typing import NamedTuple

from frp2p.app import model_cards as cards
from frp2p.app import model_items as items
from frp2p.app.model_prompt import DECK, Asked, Option, Picks, cursor, fixed, options, picked, prompt_of, single
from frp2p.app.model_table import card_cells, mark_cell
from frp2p.app.model_text import Cell, Line, fit, line_width, pad, right, width
from frp2p.app.model_window import window
from frp2p.app.model_worth import Worth
from frp2p.cards import CARDS, CardId
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.view import View
from frp2p.locale import _, ngettext

OPTION_COLUMNS = 38
"""Columns of one option: key, mark, the longest card name and a figure."""

FIGURE_COLUMNS = 6
"""Columns of a total."""


def title(prompt: Prompt) -> str:
    """What is asked, in a few words."""
    item = cards.name(prompt.item)
    return f"{item}: {_question(prompt)}"


def _question(prompt: Prompt) -> str:
    questions = {
        "look": _("whose hand?"),
        "steal": _("whose item do you use?"),
        "name-suit": _("which suit do all others show?"),
        "hunt": _("which suit do you look for?"),
        "bury": _("what goes under the deck?"),
        "cover": _("what do you cover?"),
        "take": _("what do you take?"),
        "junk": _("which item do you use?"),
        "aside": _("which item lies face up next?"),
        "bargain": _("what do you take?"),
        "show": _("which card is on offer?"),
        "offer": _("what do you offer?"),
        "show-suit": _("your cards of this suit are shown"),
        "put-under": _("what goes under the deck?"),
        "lay": _("what do you discard?"),
        "copy": _("which item do you use again?"),
        "top": _("what goes on top of the deck?"),
        "return": _("what do you keep, and where does the rest go?"),
    }
    return questions[prompt.what]


def figures_title(prompt: Prompt) -> str:
    """What the figures at the right mean; empty if there are none."""
    if prompt.what in ("take", "top", "return"):
        return _("total with it")
    if prompt.what in ("show", "offer", "put-under", "lay"):
        return _("total without it")
    return _("total") if prompt.what == "bargain" else ""


def lines(
    asked: Asked, worth: Worth | None, at: int, picks: Picks | None, called: tuple[str, ...], keys: str,
    columns: int, rows: int,
) -> list[Line]:  # fmt: skip
    """The list in at most `rows` lines, scrolled to the cursor; below it the text of the item under the cursor."""
    prompt = prompt_of(asked)
    if asked is None or prompt is None:
        return []
    number = cursor(prompt, worth, at)
    head = [fit((Cell(f"  {text}", "strong"),), columns) for text in _told(asked[0], prompt, called)]
    foot = _foot(prompt, number, columns)
    room = max(1, rows - len(head))
    if prompt.kind == "arrange":
        return [*head, *_arrange_lines(prompt, worth, number, picks, columns)][:rows]
    if len(foot) + min(4, len(options(prompt))) > room:
        foot = foot[: max(0, room - min(4, len(options(prompt))))]
    offered = [
        _option(asked[0], prompt, worth, index, number, picked(prompt, worth, picks) or (), called, keys)
        for index in range(len(options(prompt)))
    ]
    return [*head, *_in_columns(offered, number or 0, prompt, columns, room - len(foot)), *foot][:rows]


def _told(view: View, prompt: Prompt, called: tuple[str, ...]) -> list[str]:
    """What one has to know to answer: cards that lie open for the moment, or the suit to show."""
    if fixed(prompt):
        return [_("Everybody shows the cards of this suit: {suit}").format(suit=cards.suit_name(prompt.suits[0]))]
    return items.shown_rows(view, called) if prompt.what == "offer" else []


def _foot(prompt: Prompt, number: int | None, columns: int) -> list[Line]:
    """The text of the item under the cursor."""
    offered = options(prompt)
    card = offered[number].card if number is not None else None
    return items.text_lines(card, columns, "dim") if card is not None and card not in CARDS else []


class _Row(NamedTuple):
    """One option before it has a width: what stands left of its name, the name, and a figure."""

    head: Line
    name: str
    card: CardId | None
    style: str
    figure: str
    number: int

    def line(self, columns: int) -> Line:
        figure = Cell(right(self.figure, FIGURE_COLUMNS) + " ", "dim") if self.figure else Cell("")
        room = columns - line_width(self.head) - width(figure.text)
        if self.card is not None and self.card in CARDS:
            name: Line = card_cells(self.card, room, shown=self.name, style=self.style)
        else:
            name = (Cell(pad(self.name, room), self.style),)
        return tuple(
            cell._replace(target=("prompt", self.number)) for cell in fit((*self.head, *name, figure), columns)
        )


def _option(
    view: View, prompt: Prompt, worth: Worth | None, index: int, at: int | None, marks: Picks,
    called: tuple[str, ...], keys: str,
) -> _Row:  # fmt: skip
    option = options(prompt)[index]
    box = "" if single(prompt) else ("[x] " if index in marks else "[ ] ")
    key = f"{keys[index]} " if index < len(keys) and not fixed(prompt) else "  "
    head: Line = (mark_cell(at=index == at), Cell(key, "key"), Cell(box, "key" if index in marks else ""))
    style = "cursor" if index == at else ("strong" if index in marks else "")
    figure = _figure(option, prompt, worth)
    return _Row(head, text(view, prompt, option, called), option.card, style, figure, index)


def _figure(option: Option, prompt: Prompt, worth: Worth | None) -> str:
    if worth is None or not figures_title(prompt) or option.card not in worth.extras:
        return ""
    return str(worth.extras[option.card])


def text(view: View, prompt: Prompt, option: Option, called: tuple[str, ...]) -> str:
    """An option in words."""
    if option.value is None:
        return _("keep your own card") if prompt.what == "bargain" else _("none of them")
    if prompt.kind == "seat":
        return _seat_text(view, prompt, int(option.value), called)
    if prompt.kind == "suit":
        return cards.suit_name(str(option.value))
    if option.card is None:
        return _("an unknown card")
    if option.card not in CARDS:
        return items.short(option.card, len(view.seats))
    if prompt.what == "bargain":
        whose = next((one.seat for one in view.shown if one.card == option.card), None)
        if whose == view.me:
            return _("{card}: discard it and draw").format(card=cards.name(option.card))
        if whose is not None:
            return _("{card} of {name}").format(card=cards.name(option.card), name=called[whose])
    return f"{cards.name(option.card)} {cards.strength(option.card)}"


def _seat_text(view: View, prompt: Prompt, number: int, called: tuple[str, ...]) -> str:
    seat = view.seats[number]
    if prompt.what == "steal" and seat.item is not None:
        return f"{called[number]}: {items.short(seat.item, len(view.seats))}"
    count = len(seat.hand)
    held = ngettext("{name}, {count} card", "{name}, {count} cards", count).format(name=called[number], count=count)
    known = ", ".join(map(cards.name, seat.holds))
    return f"{held}: {known}" if known else held


def _in_columns(offered: list[_Row], at: int, prompt: Prompt, columns: int, rows: int) -> list[Line]:
    """The options from top to bottom, in as many columns as there is room for, those around the cursor."""
    wide = (
        prompt.kind == "seat"
        or prompt.what == "bargain"
        or any(one.card is not None and one.card not in CARDS for one in offered)
    )
    across = 1 if wide else max(1, columns // OPTION_COLUMNS)
    part = window(len(offered), at, max(1, rows), across)
    shown = offered[part.first : part.last]
    down, room = -(-len(shown) // across), columns // across
    lines = [fit(tuple(cell for row in shown[line::down] for cell in row.line(room)), columns) for line in range(down)]
    return lines + part.note(columns, rows)


def _arrange_lines(
    prompt: Prompt, worth: Worth | None, at: int | None, picks: Picks | None, columns: int
) -> list[Line]:
    """Kept, top, deck, bottom, from the hand downwards."""
    order = picked(prompt, worth, picks)
    if order is None:
        return [fit((Cell("  " + _("Computing the best choices ..."), "dim"),), columns)]
    places = _places(order)
    room = max(map(width, places)) + 2
    lines: list[Line] = []
    for entry, number in zip(places, order, strict=True):
        if number == DECK:
            lines.append(fit((Cell("    " + _("the deck"), "dim"),), columns))
            continue
        card = prompt.faces[number]
        style = "cursor" if number == at else ""
        shown = f"{cards.name(card)} {cards.strength(card)}" if card is not None else _("an unknown card")
        known = worth.extras.get(card) if worth is not None else None
        head: Line = (mark_cell("  ▸ ", at=number == at), Cell(pad(entry, room), "strong"))
        named = min(OPTION_COLUMNS, columns - line_width(head) - FIGURE_COLUMNS)
        name: Line = card_cells(card, named, shown=shown, style=style) if card else (Cell(shown, style),)
        line = (*head, *name, Cell(right("" if known is None else str(known), FIGURE_COLUMNS)))
        lines.append(tuple(cell._replace(target=("prompt", number)) for cell in fit(line, columns)))
    return lines


def _places(order: Picks) -> list[str]:
    """What happens to each entry of an arrangement."""
    cut, last = order.index(DECK), len(order) - 1
    found = []
    for entry in range(len(order)):
        if entry == 0:
            found.append(_("you keep"))
        elif entry < cut:
            found.append(_("drawn next") if entry == 1 else _("then drawn"))
        elif entry == last:
            found.append(_("at the very bottom") if entry > cut else "")
        else:
            found.append(_("under the deck") if entry > cut else "")
    return found
