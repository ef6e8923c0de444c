"""The players as lines: whose turn, connection, name, cards in hand, what each does, time; who is out says so."""

from __future__ import annotations

from frp2p.app import model_cards as cards
from frp2p.app import model_clock as clock
from frp2p.app import model_items as items
from frp2p.app import model_trade as trade
from frp2p.app.model_table import names, rule, view_of
from frp2p.app.model_text import NAME_COLUMNS, Cell, Line, clip, fit, line_width, pad, right, width
from frp2p.app.snapshot import Snapshot
from frp2p.games.fantasy_realms.view import View
from frp2p.games.verbs import Seat
from frp2p.locale import _
from frp2p.table.status import Status

ITEM_COLUMNS = 34
"""Columns of a player's line without its name: marks, cards in hand, the longest name of an item, how many lie face
down. Where a whole name does not fit too, SHORT_NAME columns of it are shown."""

SHORT_NAME = 8


def player_state(snapshot: Snapshot, seat: int) -> tuple[str, str]:
    """What a seat is doing, in words, and the style of it."""
    status, view = snapshot.status, view_of(snapshot)
    if status.seats[seat].out:
        return _("out"), "warn"
    if not status.seats[seat].connected and seat != status.me:
        return _("reconnecting"), "warn"
    if view is not None and trade.trading(view):
        return trade.state_of(view, seat)
    if view is not None and seat in view.asked:
        halves = {"draw": _("to draw"), "discard": _("to discard"), "keep": _("to discard")}
        doing = halves.get(view.phase, _("to choose"))
        return doing, "turn"
    if seat in status.waiting_for:
        return _("to answer"), "dim"
    return "", ""


def players(snapshot: Snapshot, columns: int) -> list[Line]:
    """A heading and one line a player: turn, connection, name, cards in hand, what it does, cards known to be there.

    With items: the face-up one and how many lie face down take the place of what it does.
    """
    status, view = snapshot.status, view_of(snapshot)
    if view is not None and items.playing(view):
        return _with_items(snapshot, view, columns)
    called = names(status)
    timed = _time_columns(status)
    lines = [rule(_("Cards and players"), columns, _("time") if timed else "")]
    for index in range(len(status.seats)):
        word, style = player_state(snapshot, index)
        mine = index == status.me
        count = _held(view, index)
        turn = view is not None and view.seat_in_turn == index
        room = columns - 8 - width(word) - timed
        line: Line = (
            Cell("▸" if turn else " ", "turn"),
            _mark(status, index),
            Cell(" "),
            Cell(right(str(count), 2) + "  ", "dim"),
            Cell(pad(called[index], min(NAME_COLUMNS, room)), "me" if mine else ""),
            Cell(" " + word, style),
        )
        known = _known(view, index, columns - line_width(line) - timed)
        lines.append(_with_time((*line, *known), status, index, columns, timed))
    return lines


def _mark(status: Status, seat: Seat) -> Cell:
    """The dot of the connection; a letter for who is out."""
    if status.seats[seat].out:
        return Cell("x", "bad")
    linked = seat == status.me or status.seats[seat].connected
    return Cell("●" if linked else "○", "good" if linked else "bad")


def _time_columns(status: Status) -> int:
    """Columns of the longest time that is shown at the end of a player's line, with a blank before it."""
    times = [clock.shown(status, seat.seat) for seat in status.seats]
    return max((width(time) + 1 for time in times if time), default=0)


def _with_time(line: Line, status: Status, seat: Seat, columns: int, timed: int) -> Line:
    if not timed:
        return fit(line, columns)
    left = clock.running(status, seat)
    style = "dim" if left is None else "warn" if left < clock.SHORT_SECONDS else "turn"
    return (*fit(line, columns - timed), Cell(right(clock.shown(status, seat), timed), style))


def _with_items(snapshot: Snapshot, view: View, columns: int) -> list[Line]:
    status, called = snapshot.status, names(snapshot.status)
    timed = _time_columns(status)
    title = _("Players")
    notes = (_("item, face down, time"), _("item, down, time")) if timed else (_("item, face down"),)
    lines = [rule(title, columns, next((note for note in notes if width(title + note) + 8 <= columns), ""))]
    wide = columns >= ITEM_COLUMNS + NAME_COLUMNS + timed
    named = NAME_COLUMNS if wide else min(SHORT_NAME, max(map(width, called), default=0))
    for index in range(len(status.seats)):
        mine, here = index == status.me, view.seats[index]
        word, style = player_state(snapshot, index)
        room = columns - 6 - named - 2 - 3 - timed
        shown = word if style == "warn" else cards.name(here.item) if here.item is not None else "-"
        line: Line = (
            Cell("▸" if view.seat_in_turn == index else " ", "turn"),
            _mark(status, index),
            Cell(" "),
            Cell(right(str(len(here.hand)), 2) + " ", "dim"),
            Cell(pad(called[index], named) + "  ", "me" if mine else ""),
            Cell(pad(shown, room), style if style == "warn" else ""),
            Cell(right(str(len(here.pile)), 3), "dim"),
        )
        lines.append(_with_time(line, status, index, columns, timed))
        if wide and (known := _seen_held(view, index)):
            lines.append(fit((Cell(f"       {known}", "dim"),), columns))
    return lines


def _seen_held(view: View, seat: int) -> str:
    """Cards that the viewer knows in another seat's hand."""
    if seat == view.me:
        return ""
    known = (*view.seats[seat].holds, *items.peeked(view, view.seats[seat]))
    return _("holds {cards}").format(cards=", ".join(map(cards.name, known))) if known else ""


def items_row(snapshot: Snapshot, columns: int) -> Line:
    """The face-up item of every player and how many lie face down, each under its name in `players_row`."""
    view, count = view_of(snapshot), max(1, len(snapshot.status.seats))
    if view is None:
        return ()
    room = columns // count
    cells: list[Cell] = []
    for seat in view.seats:
        down = str(len(seat.pile))
        shown = cards.name(seat.item) if seat.item is not None else "-"
        cells.append(Cell(f"  {pad(shown, room - 4 - width(down))} "))
        cells.append(Cell(f"{down} ", "dim"))
    return fit(tuple(cells), columns)


def _held(view: View | None, seat: int) -> int:
    """How many cards a seat has, extra ones included."""
    if view is None or seat >= len(view.seats):
        return 0
    return len(view.seats[seat].hand) + len(view.seats[seat].extras)


def _known(view: View | None, seat: int, room: int) -> Line:
    """Cards that everybody saw the seat take and that it still holds, where there is room for them."""
    if view is None or seat == view.me or seat >= len(view.seats) or not view.seats[seat].holds:
        return ()
    text = "  " + _("holds {cards}").format(cards=", ".join(map(cards.name, view.seats[seat].holds)))
    return (Cell(text, "dim"),) if width(text) <= room else ()


def players_row(snapshot: Snapshot, columns: int) -> Line:
    """All players in one line, for small screens."""
    status, view = snapshot.status, view_of(snapshot)
    called = names(status)
    even = items.playing(view)
    room = max(3, columns // max(1, len(called)) - 5)
    cells: list[Cell] = []
    for index in range(len(status.seats)):
        turn = view is not None and view.seat_in_turn == index
        count = _held(view, index)
        cells.append(Cell("▸" if turn else " ", "turn"))
        cells.append(_mark(status, index))
        shown = pad(called[index], room) if even else clip(called[index], room)
        cells.append(Cell(shown, "me" if index == status.me else ""))
        cells.append(Cell(f" {count} ", "dim"))
    return fit(tuple(cells), columns)


def times_row(snapshot: Snapshot, columns: int) -> Line:
    """The time of every player, each under its name in `players_row`; empty where nobody has to hurry."""
    status = snapshot.status
    if not _time_columns(status):
        return ()
    room = columns // max(1, len(status.seats))
    cells = []
    for seat in status.seats:
        left = clock.running(status, seat.seat)
        style = "dim" if left is None else "warn" if left < clock.SHORT_SECONDS else "turn"
        text = _("out") if seat.out else clock.shown(status, seat.seat)
        cells.append(Cell(pad(f"  {text}", room), style))
    return fit(tuple(cells), columns)
