"""The table as lines: status bar, players, hand, discard area. Words or figures say all that colour says."""

from __future__ import annotations

from collections.abc import Sequence

from frp2p.app import model_cards as cards
from frp2p.app import model_clock as clock
from frp2p.app import model_items as items
from frp2p.app import model_trade as trade
from frp2p.app.model_text import (
    NAME_COLUMNS,
    Cell,
    Line,
    clean,
    clip,
    fit,
    line_width,
    pad,
    right,
    signed,
    spread,
    width,
)
from frp2p.app.model_worth import Worth
from frp2p.app.snapshot import Snapshot
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.view import View
from frp2p.locale import _
from frp2p.table.status import Status

BASE_COLUMNS = 3
POINTS_COLUMNS = 5
GAIN_COLUMNS = 6


def names(status: Status) -> tuple[str, ...]:
    """What the seats are called, in seat order, and last the arbiter, if there is one: cleaned, clipped, and told apart
    where two are the same."""
    shown: list[str] = []
    for seat in status.seats if status.arbiter is None else (*status.seats, status.arbiter):
        plain = clip(clean(seat.name), NAME_COLUMNS) or _("seat {number}").format(number=seat.seat + 1)
        name, number = plain, 2
        while name in shown:
            name = f"{clip(plain, NAME_COLUMNS - 3)}#{number}"
            number += 1
        shown.append(name)
    return tuple(shown)


def view_of(snapshot: Snapshot) -> View | None:
    """The game's view, None before the game starts."""
    view = snapshot.status.view
    return view if isinstance(view, View) else None


def rule(title: str, columns: int, note: str = "") -> Line:
    """A heading: the title in a horizontal rule, a note at its right end."""
    head = Cell(f"── {title} ", "title") if title else Cell("", "title")
    tail = (Cell(f" {note} ", "dim"),) if note else ()
    room = columns - width(head.text) - line_width(tail)
    if room < 1:
        return fit((head,), columns)
    return (head, Cell("─" * (room - (1 if note else 0)), "rule"), *tail, *((Cell("─", "rule"),) if note else ()))


def status_bar(snapshot: Snapshot, worth: Worth | None, columns: int) -> Line:
    """Table code, discards, deck, whose turn, the own clock, my score now; what fits, clock and score always."""
    status, view = snapshot.status, view_of(snapshot)
    end: Line = (*_clock(status), Cell(f" {_score_now(snapshot, worth)} ", "bar-strong"))
    parts = [Cell(f" {_code(status)} ", "bar-strong")]
    if view is not None and any(seat.hand for seat in view.seats):
        turn = Cell(f" {whose_turn(snapshot)} ", "bar-turn" if status.asked else "bar")
        if view.options.match:
            parts.append(Cell(f" {round_short(view)} ", "bar"))
        if view.options.mode == "chaos":
            count = trade.time_left(view)
        else:
            count = _("Discards {count}/{limit}").format(count=len(view.discards), limit=view.threshold)
        deck = _("Deck {count}").format(count=view.deck_left)
        parts += [*([Cell(f" {count} ", "bar")] if count else []), turn, Cell(f" {deck} ", "bar")]
    while len(parts) > 1 and line_width((*parts, *end)) > columns:
        parts.pop()
    return spread(tuple(parts), end, columns, "bar")


def _clock(status: Status) -> Line:
    """The own time that runs."""
    if status.clock is None:
        return ()
    return (Cell(f" {clock.face(status.clock)} ", "bar-warn" if status.clock < clock.SHORT_SECONDS else "bar-turn"),)


def round_short(view: View) -> str:
    """Which round of a match it is, for the status bar."""
    if view.options.points:
        return _("Round {number}").format(number=view.round)
    return _("Round {number}/{count}").format(number=view.round, count=view.options.rounds)


def _code(status: Status) -> str:
    return clean(status.code) or "frp2p"


def _score_now(snapshot: Snapshot, worth: Worth | None) -> str:
    view = view_of(snapshot)
    if view is not None and view.me is not None and not view.seats[view.me].hand:
        return ""
    if view is None or view.me is None:
        return "" if view is None else _("arbiter") if snapshot.status.arbitrating else _("watching")
    total = view.seats[view.me].points
    if total is None and worth is not None:
        total = worth.total
    mine = items.own_points(view) if view.seats[view.me].points is None else 0
    if total is None or not mine:
        return _("You {points}").format(points="…" if total is None else total)
    return _("You {points}").format(points=f"{total}{mine:+d}={total + mine}")


def whose_turn(snapshot: Snapshot) -> str:
    """What the game waits for, in a few words."""
    status, view = snapshot.status, view_of(snapshot)
    called = names(status)
    if view is None:
        return ""
    asked = [seat for seat in view.asked if 0 <= seat < len(called)]
    if view.phase == "over":
        return _("The game is over")
    if view.phase == "pause":
        return _("Pause")
    if trade.trading(view):
        return _("Trading")
    if view.me is not None and view.me in asked:
        mine = view.phase in ("draw", "keep", "discard", "finish")
        return _("Turn {turn}: you").format(turn=view.turn) if mine else _("Your choice")
    if view.phase == "choices":
        return _("Final choices")
    seat = view.seat_in_turn if view.seat_in_turn is not None else (asked[0] if asked else None)
    if seat is None or not 0 <= seat < len(called) or not view.turn:
        return _("Dealing")
    if seat == view.me:
        return _("Turn {turn}: you").format(turn=view.turn)
    return _("Turn {turn}: {name}").format(turn=view.turn, name=called[seat])


def mark_cell(text: str = "▸", *, at: bool) -> Cell:
    """The mark of what is under the cursor, and as much room where it is not."""
    return Cell(text, "key") if at else Cell(" " * width(text))


def card_cells(card: CardId, columns: int, *, shown: str = "", style: str = "") -> Line:
    """Suit mark and name in `columns` columns; the mark is coloured, and readable without colour."""
    mark = cards.mark(card)
    name = pad(shown or cards.name(card), max(0, columns - width(mark) - 1))
    return (Cell(mark, f"suit-{cards.suit(card)}"), Cell(" "), Cell(name, style))


def hand(
    held: Sequence[CardId],
    worth: Worth | None,
    cursor: int | None,
    keys: str,
    columns: int,
    *,
    fresh: CardId | None = None,
    without: bool = False,
) -> list[Line]:
    """The heading and one line a card: key, suit, name, base strength, points as it stands, total without the card."""
    name_room = columns - 4 - BASE_COLUMNS - 1 - POINTS_COLUMNS - (GAIN_COLUMNS if without else 0)
    heads = right(_("base"), BASE_COLUMNS + 3) + right(_("now"), POINTS_COLUMNS + 1)
    heads += right(_("rest"), GAIN_COLUMNS) if without else ""
    lines = [_heads(_("Your hand"), heads, columns)]
    best = max((worth.without.get(card, 0) for card in held), default=0) if worth is not None else 0
    for index, card in enumerate(held):
        at = index == cursor
        counted = worth.card(card) if worth is not None else None
        style = "cursor" if at else ("blank" if counted is not None and counted.blanked else "")
        shown = counted.shown if counted is not None else cards.name(card)
        shown = f"{shown} *" if card == fresh else shown
        line: Line = (
            mark_cell(at=at),
            Cell(f"{keys[index] if index < len(keys) else ' '} ", "key"),
            *card_cells(card, name_room, shown=shown, style=style),
            Cell(right(str(cards.strength(card)), BASE_COLUMNS), "dim"),
            *_points(worth, card),
        )
        if without:
            line = (*line, *_without(worth, card, best))
        lines.append(tuple(cell._replace(target=("hand", index)) for cell in fit(line, columns)))
    return lines


def _heads(title: str, heads: str, columns: int) -> Line:
    start = rule(title, columns - width(heads))
    return fit((*start, Cell(heads, "dim")), columns)


def _points(worth: Worth | None, card: CardId) -> Line:
    if worth is None:
        return (Cell(right("…", POINTS_COLUMNS + 1), "dim"),)
    counted = worth.card(card)
    if counted is None:
        return (Cell(" " * (POINTS_COLUMNS + 1)),)
    if counted.blanked:
        return (Cell(right(_("blank"), POINTS_COLUMNS + 1), "bad"),)
    style = "bad" if counted.points < 0 else ("good" if counted.points > cards.strength(card) else "")
    return (Cell(right(str(counted.points), POINTS_COLUMNS + 1), style),)


def _without(worth: Worth | None, card: CardId, best: int) -> Line:
    total = worth.without.get(card) if worth is not None else None
    if total is None:
        known = worth is not None and worth.without
        return (Cell(right("" if known else "…", GAIN_COLUMNS), "dim"),)
    return (Cell(right(str(total), GAIN_COLUMNS), "good" if total == best else "dim"),)


def discards(
    view: View, worth: Worth | None, cursor: int | None, keys: str, columns: int, across: int, *, gains: bool,
    called: tuple[str, ...] = (),
) -> list[Line]:  # fmt: skip
    """The heading and the discard area in `across` columns, filled downwards; each card with what taking it gains."""
    title = _("Discard area {count}/{limit}").format(count=len(view.discards), limit=view.threshold)
    note = next((note for note in _notes(view, gains=gains) if width(title) + width(note) + 9 <= columns), "")
    lines = [rule(title, columns, note)]
    if not view.discards:
        return [*lines, fit((Cell("  " + _("Nothing lies there yet."), "dim"),), columns)]
    down = -(-len(view.discards) // across)
    room = columns // across
    for row in range(down):
        cells: list[Cell] = []
        for column in range(across):
            index = column * down + row
            if index < len(view.discards):
                shown = _covered(view, view.discards[index], called)
                cells += _discard(view.discards[index], index, worth, index == cursor, keys, room, shown, gains=gains)
        lines.append(fit(tuple(cells), columns))
    return lines


def _notes(view: View, *, gains: bool) -> list[str]:
    """What the heading of the discard area says of the deck, the longest first."""
    deck, top = _("deck {count}").format(count=view.deck_left), items.next_card(view)
    if top is not None:
        deck += ": " + _("{card} is next").format(card=cards.name(top))
    return [deck + " · " + _("+ is the gain of a take"), deck] if gains else [deck]


def _covered(view: View, card: CardId, called: tuple[str, ...]) -> str:
    """Whose a covered discard is, ` [Ana]`; empty for one that lies open to all."""
    seat = items.covered_by(view, card)
    if seat is None:
        return ""
    return f" [{clip(called[seat] if seat < len(called) else str(seat + 1), 6)}]"


def _discard(
    card: CardId, index: int, worth: Worth | None, at: bool, keys: str, room: int, cover: str, *, gains: bool
) -> list[Cell]:
    gain_room = POINTS_COLUMNS if gains else 0
    named = room - 4 - BASE_COLUMNS - gain_room
    shown = clip(cards.name(card), named - 3 - width(cover)) + cover
    line: Line = (
        mark_cell(at=at),
        Cell(f"{keys[index] if index < len(keys) else ' '} ", "key"),
        *card_cells(card, named, shown=shown, style="cursor" if at else ""),
        Cell(right(str(cards.strength(card)), BASE_COLUMNS), "dim"),
    )
    if gains:
        taken = worth.takes.get(card) if worth is not None else None
        gain = None if taken is None or worth is None or worth.total is None else taken[0] - worth.total
        text = (" " if cover else "…") if gain is None else signed(gain)
        style = "dim" if gain is None or gain <= 0 else "good"
        line = (*line, Cell(right(text, gain_room), style))
    return [cell._replace(target=("discards", index)) for cell in fit(line, room)]
