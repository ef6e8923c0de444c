"""Scores with the why of every point, and what stands when all is over: ranking, digest, transcript."""

from __future__ import annotations

import re
from typing import NamedTuple

from frp2p.app import model_cards as cards
from frp2p.app import model_items as items
from frp2p.app.model_table import card_cells, mark_cell, names, view_of
from frp2p.app.model_text import NAME_COLUMNS, Cell, Line, clean, clip, fit, line_width, pad, pieces, right, width, wrap
from frp2p.app.model_worth import Counted, counted, explained
from frp2p.app.snapshot import Snapshot
from frp2p.games.fantasy_realms.counting import context
from frp2p.games.fantasy_realms.view import SeatView, View
from frp2p.locale import _
from frp2p.scoring import CardScore, Choices, Score, render

FIGURE_COLUMNS = 8
"""Columns of points at the right edge, with a blank on both sides."""

PATH_ROWS = 4
"""Rows of a path at most; what is longer than that ends with an ellipsis."""


def seat_score(view: View, seat: SeatView) -> Score | None:
    """The explained score of an open hand; None while a card of it is hidden or a choice is missing."""
    hand = tuple(entry.card for entry in seat.hand if entry.card is not None)
    if len(hand) != len(seat.hand) or not hand or seat.points is None:
        return None
    hand = (*sorted(hand), *seat.extras)
    return explained(hand, seat.choices or Choices(), context(view.options, view.discards, len(view.seats)))


class Why(NamedTuple):
    """One reason: what it says, the points that it brings (empty for none) and the style of those."""

    text: str
    figure: str
    style: str

    def lines(self, columns: int, indent: int) -> list[Line]:
        """The reason, its points under the card's points at the right."""
        rows = wrap(self.text, max(8, columns - indent - FIGURE_COLUMNS - 1), "  ")
        figures = [self.figure, *[""] * len(rows)]
        return [
            fit((Cell(" " * indent), Cell(pad(row, columns - indent - FIGURE_COLUMNS)), self.cell(figure)), columns)
            for row, figure in zip(rows, figures, strict=False)
        ]

    def cell(self, figure: str) -> Cell:
        return Cell(right(figure, FIGURE_COLUMNS - 1) + " ", self.style)


def why(part: CardScore, score: Score | None) -> list[Why]:
    """Where every point of one card comes from."""
    rows = []
    if part.blanked is None:
        rows.append(Why(_("base strength"), str(part.base), ""))
    for text, points in render.reasons(part, score.steps if score is not None else ()):
        style = "good" if points > 0 else "bad" if points < 0 else "dim"
        rows.append(Why(text, f"{points:+d}" if points else "", style))
    return rows


def card_lines(part: Counted, score: Score, columns: int) -> list[Line]:
    """One card of a score: its line, then why."""
    card = part.score.card
    figure = right(_("blank") if part.blanked else str(part.points), FIGURE_COLUMNS - 1)
    style = "bad" if part.blanked or part.points < 0 else "strong"
    room = columns - 1 - FIGURE_COLUMNS
    reasons = why(part.score, score)
    note = ""
    if len(reasons) == 1 and not part.blanked:
        note, reasons = f"  {reasons[0].text}", []
    named = min(room, width(f"{cards.mark(card)} {part.shown}"))
    head = (Cell(" "), *card_cells(card, named, shown=part.shown, style="blank" if part.blanked else "strong"))
    lines = [fit((*head, Cell(pad(note, room - named), "dim"), Cell(figure, style)), columns)]
    for reason in reasons:
        lines += reason.lines(columns, 6)
    return lines


def ranking(snapshot: Snapshot, tab: int, columns: int) -> list[Line]:
    """One line a player, best first; the one whose hand is shown below is marked."""
    view, status = view_of(snapshot), snapshot.status
    if view is None:
        return []
    called = names(status)
    order = sorted(view.seats, key=lambda seat: (seat.seat in view.out, seat.rank or len(view.seats) + 1, seat.seat))
    lines: list[Line] = []
    for seat in order:
        gone = seat.seat in view.out
        rank = "-" if seat.rank is None or gone else str(seat.rank)
        open_yet = "" if view.phase == "over" else "…"
        total = "" if gone else open_yet if seat.total is None else str(seat.total)
        name = called[seat.seat] if seat.seat < len(called) else str(seat.seat)
        mine = " " + _("(you)") if seat.seat == view.me else ""
        counts = seat.total is not None or len(view.out) + 1 == len(view.seats)
        won = "  " + _("wins") if seat.rank == 1 and view.phase == "over" and counts else ""
        won = "  " + _("out before the end") if gone else won
        line: Line = (
            mark_cell(at=seat.seat == tab),
            Cell(f" {rank}. "),
            Cell(pad(name + mine, NAME_COLUMNS + 8), "cursor" if seat.seat == tab else ("me" if mine else "")),
            Cell(right(total, 6), "strong"),
        )
        line = (
            *line,
            Cell(rounds_text(view, seat, columns - line_width(line) - width(won)), "dim"),
            Cell(won, "warn" if gone else "good"),
        )
        lines.append(tuple(cell._replace(target=("tab", seat.seat)) for cell in fit(line, columns)))
    return lines


def rounds_text(view: View, seat: SeatView, room: int) -> str:
    """How the total of a match came together, as much of it as there is room for; the latest rounds always."""
    if not view.options.match:
        return ""
    points = [one.totals[seat.seat] for one in view.past] + ([] if seat.points is None else [seat.points])
    while points:
        text = "  " + _("rounds: {points}").format(points=" ".join(map(str, points)))
        if width(text) <= room:
            return text
        points = points[1:]
    return ""


def round_title(view: View | None) -> str:
    """The heading of a result: of the round, while a match goes on."""
    if view is not None and view.stopped:
        return _("Result: the game was stopped")
    if view is None or not view.options.match:
        return _("Result")
    return _("Result after {round}").format(round=round_text(view))


def round_text(view: View) -> str:
    """`round 2 of 5`, or `round 2` of a match for points."""
    if view.options.points:
        return _("round {number}, to {points} points").format(number=view.round, points=view.options.points)
    return _("round {number} of {count}").format(number=view.round, count=view.options.rounds)


def hand_lines(snapshot: Snapshot, tab: int, columns: int) -> list[Line]:
    """The hand of one seat, card by card, every point explained."""
    view = view_of(snapshot)
    if view is None or not 0 <= tab < len(view.seats):
        return []
    score = seat_score(view, view.seats[tab])
    if score is None and tab in view.out:
        return [fit((Cell("  " + _("Out before the end: the hand stays closed."), "dim"),), columns)]
    if score is None and view.phase == "over":
        text = _("Nothing is counted: {why}.").format(why=uncounted(len(view.seats) - len(view.out)))
        return [fit((Cell(f"  {text}", "dim"),), columns)]
    if score is None:
        return [fit((Cell("  " + _("This hand is not counted yet."), "dim"),), columns)]
    lines: list[Line] = []
    for part in score.cards:
        one = counted(score, part.card)
        lines += card_lines(one, score, columns) if one is not None else []
    lines += item_lines(view, view.seats[tab], columns)
    note = extra_note(view.seats[tab])
    if note:
        lines.append(fit((Cell(f"      {note}", "dim"),), columns))
    text = _("Total {points}").format(points=view.seats[tab].points)
    lines.append(fit((Cell(" " * max(1, columns - width(text) - 1)), Cell(text, "strong")), columns))
    return lines


def uncounted(live: int) -> str:
    """Why nobody has points though the game is over: everybody else is gone, or it was stopped before the deal."""
    return _("everybody else is out") if live < 2 else _("no card was dealt")


def item_lines(view: View, seat: SeatView, columns: int) -> list[Line]:
    """The items that lay face down, each with what it counts; the one that lay open counts nothing."""
    if not items.playing(view):
        return []
    down = items.pile(seat)
    title = _("Face-down items") if down else _("No face-down items")
    lines = [fit((Cell(" "), Cell(title, "dim")), columns)]
    for one in items.item_scores(down, len(view.seats)):
        note = "  " + _("with enough others") if one.extra else ""
        style = "good" if one.points > 0 else "bad"
        figure = Cell(right(str(one.points), FIGURE_COLUMNS - 1) + " ", style)
        line = (Cell("   "), Cell(cards.name(one.item), "strong"), Cell(note, "dim"))
        lines.append(fit((*fit(line, columns - FIGURE_COLUMNS), figure), columns))
    return lines


def verdict(snapshot: Snapshot, columns: int) -> list[Line]:
    """Who has verified the record, its digest, and where the transcript lies."""
    status = snapshot.status
    live = [seat.seat for seat in status.seats if not seat.out]
    count, seats = len(status.verified_by), len(live)
    text = _("verified by {count} of {seats}").format(count=count, seats=seats)
    whole = bool(seats) and count == seats
    called = names(status)
    line: Line = (Cell(f" {text}", "good" if whole else "warn"),)
    gone = [called[seat.seat] for seat in status.seats if seat.out]
    if gone:
        line = (*line, Cell(" " + _("(without {names})").format(names=", ".join(gone)), "warn"))
    if whole:
        note = Cell("  " + _("The record is the same at every seat."), "dim")
        line = (*line, note) if line_width((*line, note)) <= columns else line
    lines = [fit(line, columns)]
    if status.digest is not None:
        text = _("digest {digest}").format(digest=status.digest.hex())
        lines.append(fit((Cell(f" {text}"),), columns))
    if not whole:
        missing = [called[seat] for seat in live if seat not in status.verified_by]
        waiting = _("waiting for {names}").format(names=", ".join(missing))
        lines.append(fit((Cell(f" {waiting}", "dim"),), columns))
    if snapshot.transcript is not None:
        lines += [fit((Cell(f" {row}"),), columns) for row in _where(clean(str(snapshot.transcript)), columns - 2)]
    if snapshot.evidence is not None:
        told = _("evidence {path}").format(path=clean(str(snapshot.evidence)))
        lines += [fit((Cell(f" {row}", "bad"),), columns) for row in _broken(told, columns - 2)]
    return lines


def _where(path: str, columns: int) -> list[str]:
    """Where the transcript is: beside the word, else on rows of its own, where it can be marked and copied."""
    told = _("transcript {path}").format(path=path)
    if width(told) <= columns:
        return [told]
    return [_("transcript {path}").format(path="").rstrip(), *_broken(path, columns)]


def _broken(path: str, columns: int) -> list[str]:
    """A path in rows that end with a separator, where a name of it is not longer than a row; at most PATH_ROWS."""
    rows = [""]
    for name in re.findall(r"[^/\\]*[/\\]|[^/\\]+$", path):
        for piece in pieces(name, columns):
            if rows[-1] and width(rows[-1]) + width(piece) > columns:
                rows.append("")
            rows[-1] += piece
    if len(rows) > PATH_ROWS:
        rows[PATH_ROWS - 1] = clip(f"{rows[PATH_ROWS - 1]}…", columns)
    return rows[:PATH_ROWS]


def extra_note(seat: SeatView) -> str:
    """Which cards came at the end, in words; empty if none."""
    if not seat.extras:
        return ""
    return _("came at the end: {cards}").format(cards=", ".join(map(cards.name, seat.extras)))
