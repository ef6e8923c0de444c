"""The question of an item as a list: one option is under the cursor, several are marked, or cards are put in order."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from frp2p.app import model_cards as cards
from frp2p.app import model_items as items
from frp2p.app.model_table import card_cells, mark_cell
from frp2p.app.model_text import Cell, Line, fit, line_width, pad, right, width
from frp2p.app.model_worth import Worth
from frp2p.cards import CARDS, CardId
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.moves import Arrange, PickCards, PickSeat, PickSlots, PickSuit
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.games.verbs import SlotId
from frp2p.locale import _, ngettext

Asked: TypeAlias = items.Asked
Picks: TypeAlias = tuple[int, ...]
"""Numbers of options in the order in which they were picked. For an arrangement: the kept card, the cards on the top of
the deck, `DECK`, the cards under it."""

DECK = -1
"""In an arrangement: the deck between what goes on its top and what goes under it."""

OPTION_COLUMNS = 38
"""Columns of one option: key, mark, the longest card name and a figure."""

OWN_HAND = frozenset({"show", "offer", "show-suit", "put-under", "lay"})
"""Questions about the own hand: their list takes its place on a small screen."""


class Option(NamedTuple):
    """What can be picked: a seat, a suit, an open card or item, or a place with the card there if it is known; None
    for nothing."""

    value: int | str | SlotId | None
    card: CardId | None = None


def prompt_of(asked: Asked) -> Prompt | None:
    """The question that is open."""
    return asked[0].prompt if asked is not None and asked[0].phase == "item" else None


def options(prompt: Prompt) -> tuple[Option, ...]:
    """Everything that can be picked, in the order of the question; nothing comes first where that is an answer."""
    found: list[Option] = []
    if single(prompt) and prompt.least == 0:
        found.append(Option(None))
    found += [Option(seat) for seat in prompt.seats if prompt.kind == "seat"]
    found += [Option(suit) for suit in prompt.suits if prompt.kind == "suit"]
    found += [Option(card, card) for card in prompt.cards]
    found += [Option(slot, face) for slot, face in zip(prompt.slots, prompt.faces, strict=True)]
    return tuple(found)


def single(prompt: Prompt) -> bool:
    """Whether the cursor alone answers: one thing is picked, at most."""
    return prompt.kind in ("seat", "suit") or (prompt.kind != "arrange" and prompt.most == 1 and not fixed(prompt))


def fixed(prompt: Prompt) -> bool:
    """Whether there is only one honest answer: all own cards of a suit are shown, and a proof says that no other is."""
    return prompt.what == "show-suit"


def preset(prompt: Prompt, worth: Worth | None) -> Picks | None:
    """What is picked when the list opens; None while that is being computed."""
    offered = options(prompt)
    if fixed(prompt):
        return tuple(at for at, one in enumerate(offered) if one.card and CARDS[one.card].suit == prompt.suits[0])
    at = {option.value: index for index, option in enumerate(offered)}
    match worth.answer if worth is not None else None:
        case PickSeat(seat=value) | PickSuit(suit=value) if value in at:
            return (at[value],)
        case PickCards(cards=values) | PickSlots(slots=values) if all(value in at for value in values):
            return tuple(at[value] for value in values) or ((at[None],) if None in at else ())
        case Arrange(keep=keep, top=top, bottom=bottom):
            return (at[keep], *(at[slot] for slot in top), DECK, *(at[slot] for slot in bottom))
    return None


def picked(prompt: Prompt, worth: Worth | None, picks: Picks | None) -> Picks | None:
    """What is picked as things stand: by the person, else what was preset."""
    return picks if picks is not None and not fixed(prompt) else preset(prompt, worth)


def cursor(prompt: Prompt, worth: Worth | None, at: int) -> int | None:
    """The option under the cursor: where it was put (`at` >= 0), else on what is preset."""
    count = len(options(prompt))
    if at >= 0:
        return min(at, count - 1) if count else None
    start = preset(prompt, worth)
    if start is None and single(prompt):
        return None
    return start[0] if start else (0 if count else None)


def toggled(prompt: Prompt, worth: Worth | None, picks: Picks | None, number: int) -> Picks:
    """The picks with this option marked, or not any more; a mark too many takes the place of the oldest."""
    now = picked(prompt, worth, picks) or ()
    if number in now:
        return tuple(one for one in now if one != number)
    return (*now, number)[-prompt.most :]


def shifted(prompt: Prompt, worth: Worth | None, picks: Picks | None, number: int, step: int) -> Picks | None:
    """The arrangement with this card one place further up or down; the first place, which is kept, is never empty."""
    now = picked(prompt, worth, picks) or (*range(len(prompt.slots)), DECK)
    order, place = list(now), now.index(number)
    other = place + step
    if 0 <= other < len(order) and DECK in (order[place], order[other]) and 0 in (place, other):
        other += step
    if not 0 <= other < len(order):
        return now
    order[place], order[other] = order[other], order[place]
    return tuple(order)


def move(asked: Asked, worth: Worth | None, at: int, picks: Picks | None) -> Move | None:
    """The answer as things stand; None if there is none yet, `missing` says why."""
    prompt = prompt_of(asked)
    if asked is None or prompt is None or missing(asked, worth, at, picks):
        return None
    offered = options(prompt)
    number = cursor(prompt, worth, at)
    chosen = ((number,) if number is not None else ()) if single(prompt) else picked(prompt, worth, picks) or ()
    values = tuple(offered[one].value for one in chosen if one != DECK and offered[one].value is not None)
    match prompt.kind:
        case "seat":
            return PickSeat(seat=int(values[0] or 0))
        case "suit":
            return PickSuit(suit=str(values[0]))
        case "cards":
            return PickCards(cards=tuple(CardId(str(value)) for value in values))
        case "slots":
            return PickSlots(slots=tuple(SlotId(int(value or 0)) for value in values))
        case "arrange":
            return _arranged(prompt, chosen)


def _arranged(prompt: Prompt, order: Picks) -> Arrange:
    cut = order.index(DECK)
    slots = [prompt.slots[one] if one != DECK else None for one in order]
    top = tuple(slot for slot in slots[1:cut] if slot is not None)
    return Arrange(
        keep=prompt.slots[order[0]], top=top, bottom=tuple(slot for slot in slots[cut + 1 :] if slot is not None)
    )


def missing(asked: Asked, worth: Worth | None, at: int, picks: Picks | None) -> str:
    """Why this can't be answered yet; empty if it can."""
    prompt = prompt_of(asked)
    if asked is None or prompt is None:
        return _("It is not your turn.")
    if single(prompt):
        number = cursor(prompt, worth, at)
        if number is None:
            return _("Still computing; a moment.")
        return _why_not(asked, prompt, options(prompt)[number])
    now = picked(prompt, worth, picks)
    if now is None:
        return _("Still computing; a moment.")
    if prompt.kind == "arrange" or fixed(prompt) or prompt.least <= len(now) <= prompt.most:
        return ""
    return counting(prompt, len(now))


def _why_not(asked: tuple[View, tuple[Move, ...]], prompt: Prompt, option: Option) -> str:
    """Why a face-down item can't be copied; other options are offered because they can be picked."""
    if prompt.what != "copy" or option.value is None or PickSlots(slots=(SlotId(int(option.value)),)) in asked[1]:
        return ""
    return _("This item can't be copied now.")


def counting(prompt: Prompt, count: int) -> str:
    """How many are to be marked, and how many are."""
    if prompt.least == prompt.most:
        text = ngettext("Mark {most} card with Space", "Mark {most} cards with Space", prompt.most)
    elif prompt.least:
        text = _("Mark {least} to {most} cards with Space")
    else:
        text = ngettext("Mark up to {most} card with Space", "Mark up to {most} cards with Space", prompt.most)
    so_far = ngettext("{count} is marked", "{count} are marked", count).format(count=count)
    return f"{text.format(least=prompt.least, most=prompt.most)}: {so_far}."


def under_cursor(asked: Asked, worth: Worth | None, at: int) -> CardId | None:
    """The card or item under the cursor; None if it is neither, or unknown."""
    prompt = prompt_of(asked)
    if prompt is None:
        return None
    number = cursor(prompt, worth, at)
    return options(prompt)[number].card if number is not None else None


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
        figure = Cell(right(self.figure, 6) + " ", "dim") if self.figure else Cell("")
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
    wide = prompt.kind == "seat" or any(one.card is not None and one.card not in CARDS for one in offered)
    across = 1 if wide else max(1, columns // OPTION_COLUMNS)
    rows = max(1, rows)
    down = min(rows, -(-len(offered) // across))
    first = max(0, min(at - down * across // 2, len(offered) - down * across))
    window = offered[first : first + down * across]
    room = columns // across
    return [fit(tuple(cell for row in window[line::down] for cell in row.line(room)), columns) for line in range(down)]


def _arrange_lines(
    prompt: Prompt, worth: Worth | None, at: int | None, picks: Picks | None, columns: int
) -> list[Line]:
    """Kept, top, deck, bottom, from the hand downwards."""
    order = picked(prompt, worth, picks)
    if order is None:
        return [fit((Cell("  " + _("Computing the best choices ..."), "dim"),), columns)]
    places = _places(order)
    room = max(len(place) for place in places) + 2
    lines: list[Line] = []
    for place, number in zip(places, order, strict=True):
        if number == DECK:
            lines.append(fit((Cell("    " + _("the deck"), "dim"),), columns))
            continue
        card = prompt.faces[number]
        style = "cursor" if number == at else ""
        shown = f"{cards.name(card)} {cards.strength(card)}" if card is not None else _("an unknown card")
        known = worth.extras.get(card) if worth is not None else None
        name: Line = card_cells(card, OPTION_COLUMNS, shown=shown, style=style) if card else (Cell(shown, style),)
        head: Line = (mark_cell("  ▸ ", at=number == at), Cell(pad(place, room), "strong"))
        line = (*head, *name, Cell(right("" if known is None else str(known), 6)))
        lines.append(tuple(cell._replace(target=("prompt", number)) for cell in fit(line, columns)))
    return lines


def _places(order: Picks) -> list[str]:
    """What happens to each entry of an arrangement."""
    cut, last = order.index(DECK), len(order) - 1
    found = []
    for place in range(len(order)):
        if place == 0:
            found.append(_("you keep"))
        elif place < cut:
            found.append(_("drawn next") if place == 1 else _("then drawn"))
        elif place == last:
            found.append(_("at the very bottom") if place > cut else "")
        else:
            found.append(_("under the deck") if place > cut else "")
    return found
