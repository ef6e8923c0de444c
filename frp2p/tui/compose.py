"""A whole screen as lines: which pane stands where at which size. Pure; exactly `rows` lines of `columns` columns."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from frp2p.app import (
    model_card,
    model_choices,
    model_extra,
    model_items,
    model_leaving,
    model_lobby,
    model_losses,
    model_players,
    model_prompt,
    model_prompt_lines,
    model_scores,
    model_table,
    model_trade,
)
from frp2p.app.model_log import Entry
from frp2p.app.model_table import rule
from frp2p.app.model_text import Cell, Line, fit, wrap
from frp2p.app.model_worth import Worth, explained
from frp2p.games.fantasy_realms.items.prompt import Prompt
from frp2p.games.fantasy_realms.options import Options
from frp2p.ledger.provisions import Provisions
from frp2p.locale import _
from frp2p.tui import feet, leaving, trading
from frp2p.tui.actions import shown_tab
from frp2p.tui.bindings import at_table
from frp2p.tui.prompting import shown_act
from frp2p.tui.state import DISCARD_KEYS, HAND_KEYS, QUESTIONS, SMALLEST, Stage, mode, scene, too_small

WIDE = (110, 30)
"""Columns and rows from which log and players get a column of their own beside everything else."""

NORMAL = (76, 23)
"""Columns and rows from which the players stand beside the hand, one a line."""

TALL = 30
"""Rows from which the middle layout has a log of its own below the card."""


class Frame(NamedTuple):
    """`scroll_end` is the largest scroll position that shows anything new."""

    lines: tuple[Line, ...]
    scroll_end: int = 0


def compose(stage: Stage) -> Frame:
    """The screen of this stage at its size."""
    if too_small(stage):
        return Frame(_exactly(_too_small(stage), stage.columns, stage.rows))
    body, end = _body(stage, stage.rows - 3)
    bar = model_table.status_bar(stage.snapshot, stage.worth, stage.columns)
    lines = [bar, *_exactly(body, stage.columns, stage.rows - 3), feet.prompt(stage), feet.keys(stage)]
    return Frame(_exactly(lines, stage.columns, stage.rows), end)


def _exactly(lines: list[Line], columns: int, rows: int) -> tuple[Line, ...]:
    empty: list[Line] = [()] * max(0, rows - len(lines))
    return tuple(fit(line, columns) for line in (*lines[:rows], *empty))


def _too_small(stage: Stage) -> list[Line]:
    need, have = f"{SMALLEST[0]}x{SMALLEST[1]}", f"{stage.columns}x{stage.rows}"
    text = _("This window is too small: {need} is needed, it is {have}.").format(need=need, have=have)
    return [(Cell(row, "strong"),) for row in wrap(text, max(1, stage.columns))]


def _body(stage: Stage, rows: int) -> tuple[list[Line], int]:
    columns, snapshot = stage.columns, stage.snapshot
    match mode(stage):
        case "help":
            agreed = snapshot.status.provisions
            return _scrolled(rule(_("Keys"), columns), help_lines(columns, stage.options, agreed), stage, rows)
        case "log":
            return _scrolled(rule(_("Log"), columns), _entries(stage.entries, columns), stage, rows)
        case "card" if stage.cursor is not None:
            text = model_card.lines(stage.cursor, stage.worth, columns)
            return _scrolled(model_card.heading(stage.cursor, columns), text, stage, rows)
        case "items":
            return _items(stage, rows)
        case "quit" if model_leaving.asks_how(snapshot.status):
            head = rule(_("Leave the table?"), columns)
            return [head, (), *model_leaving.lines(snapshot.status, leaving.shown(stage), columns)], 0
        case "trade":
            return _trade(stage, rows), 0
        case "choices" | "extra" | "prompt":
            return _dialog(stage, rows), 0
    match scene(stage):
        case "lobby":
            return _scrolled(None, model_lobby.lobby(snapshot, columns, _pointed(stage)), stage, rows)
        case "setup":
            return _scrolled(None, model_lobby.setup(snapshot, columns), stage, rows)
        case "stopped":
            return _scrolled(None, model_lobby.stopped(snapshot, columns), stage, rows)
        case "scoring":
            return _scoring(stage, rows)
        case _:
            return _table(stage, rows), 0


def _pointed(stage: Stage) -> int:
    """The place of the guest that a host points at, -1 where there is none."""
    count = len(model_lobby.guests(stage.snapshot.status))
    return min(stage.ui.index, count - 1)


def _items(stage: Stage, rows: int) -> tuple[list[Line], int]:
    """The own item and what can be done about it, then everything about items, which scrolls."""
    columns, view = stage.columns, stage.view
    item = model_items.mine(view)
    title = _("Cursed items")
    if view is not None and item is not None:
        title = _("Your item: {item}").format(item=model_items.short(item, len(view.seats)))
    top = [rule(title, columns), *model_items.act_lines(view, stage.asked, shown_act(stage), columns)]
    text = model_items.page(view, model_table.names(stage.snapshot.status), columns)
    rest, end = _scrolled(rule(_("On the table"), columns), text, stage, max(2, rows - len(top)))
    return [*top, *rest], end


def _scrolled(head: Line | None, text: list[Line], stage: Stage, rows: int) -> tuple[list[Line], int]:
    """Text under a fixed heading, from the scroll position on; the last row says if more follows."""
    top = [head] if head is not None else []
    room = max(1, rows - len(top))
    if len(text) <= room:
        return [*top, *text], 0
    room = max(1, room - 1)
    end = max(0, len(text) - room)
    at = min(stage.ui.scroll, end)
    note = _("lines {first} to {last} of {count}").format(first=at + 1, last=min(at + room, len(text)), count=len(text))
    return [*top, *text[at : at + room], rule("", stage.columns, note)], end


def _table(stage: Stage, rows: int) -> list[Line]:
    if stage.columns >= WIDE[0] and stage.rows >= WIDE[1]:
        return _wide(stage, rows)
    if stage.columns >= NORMAL[0] and stage.rows >= NORMAL[1]:
        return _normal(stage, rows)
    return _small(stage, rows)


def _wide(stage: Stage, rows: int) -> list[Line]:
    left = max(66, stage.columns * 9 // 16)
    right = stage.columns - left - 3
    start = [*_hand(stage, left, _hand_rows(stage)), *_discards(stage, left, 2, reserve=True)]
    start += _card(stage, left, rows - len(start))
    side: list[Line] = [*model_players.players(stage.snapshot, right), ()]
    side += _log(stage, right, rows - len(side))
    return _beside(start, side, left, right, rows)


def _normal(stage: Stage, rows: int) -> list[Line]:
    lines = _top(stage)
    lines += _discards(stage, stage.columns, 2 if stage.columns < 120 else 3, reserve=True)
    left = rows - len(lines)
    log = left - 10 if stage.rows >= TALL else 0
    lines += _padded(_card(stage, stage.columns, left - log), left - log)
    return lines + _log(stage, stage.columns, log)


def _top(stage: Stage) -> list[Line]:
    """Hand and players side by side; the log in what the players leave free."""
    left = max(45, stage.columns * 9 // 16)
    right = stage.columns - left - 3
    rows = _hand_rows(stage)
    side = model_players.players(stage.snapshot, right)
    side += _log(stage, right, 1 + rows - len(side))
    return _beside(_hand(stage, left, rows), side, left, right, 1 + rows)


def _hand_rows(stage: Stage) -> int:
    """A full hand and the card just drawn: kept free, so that nothing below moves when a card comes or goes."""
    full = stage.view.full if stage.view is not None else 7
    return max(full + 1, len(stage.hand))


def _small(stage: Stage, rows: int) -> list[Line]:
    lines = [model_players.players_row(stage.snapshot, stage.columns)]
    if times := model_players.times_row(stage.snapshot, stage.columns):
        lines.append(times)
    if model_items.playing(stage.view):
        lines.append(model_players.items_row(stage.snapshot, stage.columns))
    lines += _hand(stage, stage.columns, len(stage.hand))
    down = rows - len(lines) - 1
    lines += _discards(stage, stage.columns, 2 if len(stage.discards) <= 2 * down else 3, reserve=False)
    return lines + _card(stage, stage.columns, rows - len(lines))


def _hand(stage: Stage, columns: int, rows: int) -> list[Line]:
    ui = stage.ui
    if stage.snapshot.status.arbitrating:
        return _padded(model_lobby.arbiter_lines(columns), 1 + rows)
    if stage.snapshot.status.watching:
        return _padded(model_lobby.watcher_lines(columns), 1 + rows)
    if _am_out(stage):
        return _padded(model_lobby.out_lines(columns), 1 + rows)
    cursor = min(ui.index, len(stage.hand) - 1) if ui.area == "hand" else None
    choosing = stage.phase in ("keep", "discard") or (stage.asked is not None and model_trade.trading(stage.view))
    without = choosing and _hints(stage) == "what-if"
    lines = model_table.hand(stage.hand, stage.worth, cursor, HAND_KEYS, columns, fresh=stage.fresh, without=without)
    return _padded(lines, 1 + rows)


def _am_out(stage: Stage) -> bool:
    """Whether this seat is out of the game, and only looks on."""
    return stage.view is not None and stage.view.me in stage.view.out


def _discards(stage: Stage, columns: int, across: int, *, reserve: bool) -> list[Line]:
    view, ui = stage.view, stage.ui
    if view is None:
        return []
    if view.options.mode == "chaos":
        title = _("Offers") if model_trade.trading(view) else _("Out of the game")
        board = model_trade.board(view, model_table.names(stage.snapshot.status), columns, len(view.seats))
        lines = [rule(title, columns, _("deck {count}").format(count=view.deck_left)), *board]
        return _padded(lines, 1 + len(view.seats)) if reserve else lines
    cursor = min(ui.index, len(view.discards) - 1) if ui.area == "discards" else None
    gains = _hints(stage) == "what-if" and view.me is not None and stage.phase not in ("keep", "discard")
    gains = gains and not _am_out(stage)
    called = model_table.names(stage.snapshot.status)
    lines = model_table.discards(view, stage.worth, cursor, DISCARD_KEYS, columns, across, gains=gains, called=called)
    return _padded(lines, 1 + -(-max(view.threshold, len(view.discards)) // across)) if reserve else lines


def _hints(stage: Stage) -> str:
    return stage.options.hints


def _card(stage: Stage, columns: int, rows: int) -> list[Line]:
    shown: list[Line] = []
    if stage.view is not None and stage.view.shown:
        texts = model_items.shown_rows(stage.view, model_table.names(stage.snapshot.status))
        shown = [fit((Cell(f" {row}", "strong"),), columns) for text in texts for row in wrap(text, columns - 2, "  ")]
    if stage.cursor is None:
        return shown
    return shown[: max(0, rows)] + model_card.fitted(stage.cursor, stage.worth, columns, rows - len(shown))


def _log(stage: Stage, columns: int, rows: int) -> list[Line]:
    if rows < 2:
        return []
    return [rule(_("Log"), columns), *_entries(stage.entries[-(rows - 1) :], columns)[-(rows - 1) :]]


def _entries(entries: tuple[Entry, ...], columns: int) -> list[Line]:
    lines: list[Line] = []
    for entry in entries:
        turn = f"{entry.turn:>3} " if entry.turn else "    "
        for number, row in enumerate(wrap(entry.text, max(1, columns - 4))):
            lines.append(fit((Cell(turn if number == 0 else "    ", "dim"), Cell(row, entry.style)), columns))
    return lines


def _beside(left: list[Line], right: list[Line], left_columns: int, right_columns: int, rows: int) -> list[Line]:
    pairs = zip(_exactly(left, left_columns, rows), _exactly(right, right_columns, rows), strict=True)
    return [(*one, Cell(" │ ", "rule"), *two) for one, two in pairs]


def _padded(lines: list[Line], rows: int) -> list[Line]:
    empty: list[Line] = [()] * max(0, rows - len(lines))
    return [*lines[:rows], *empty]


def _dialog(stage: Stage, rows: int) -> list[Line]:
    """The hand stays on the screen, counted as the form stands; the dialog takes the place of what is below it."""
    held = msgspec.structs.replace(stage, worth=_drafted(stage), ui=msgspec.structs.replace(stage.ui, index=-1))
    wide = stage.columns >= NORMAL[0] and stage.rows >= NORMAL[1]
    lines = _top(held) if wide else _hand(held, stage.columns, len(stage.hand))
    ui, columns = stage.ui, stage.columns
    prompt = model_prompt.prompt_of(stage.asked)
    if prompt is not None and not wide and prompt.what in model_prompt.OWN_HAND:
        lines = []
    room = rows - len(lines) - 1
    if prompt is not None:
        return lines + _question(stage, prompt, room)
    if stage.phase in QUESTIONS:
        lines.append(
            rule(model_extra.title(stage.phase, chaos=bool(stage.view and stage.view.brought)), columns, _("total"))
        )
        return lines + model_extra.lines(stage.asked, stage.worth, ui.extra, DISCARD_KEYS, columns, room)
    lines.append(rule(_("Your final choices"), columns, _("total, * is the best")))
    return lines + model_choices.lines(stage.worth, ui.draft, ui.field, columns, room)


def _trade(stage: Stage, rows: int) -> list[Line]:
    """The hand stays on the screen; below it what can be done with the card under the cursor."""
    wide = stage.columns >= NORMAL[0] and stage.rows >= NORMAL[1]
    lines = _top(stage) if wide else _hand(stage, stage.columns, len(stage.hand))
    called = model_table.names(stage.snapshot.status)
    at, room = trading.shown(stage), rows - len(lines) - 1
    lines.append(rule(_("Swap a card"), stage.columns))
    return lines + model_trade.act_lines(stage.view, stage.cursor, at, called, stage.columns, room)


def _question(stage: Stage, prompt: Prompt, rows: int) -> list[Line]:
    """What an item asks, in a heading and at most `rows` lines."""
    ui, columns = stage.ui, stage.columns
    note = model_prompt_lines.figures_title(prompt) if _hints(stage) == "what-if" else ""
    called = model_table.names(stage.snapshot.status)
    head = rule(model_prompt_lines.title(prompt), columns, note)
    return [
        head,
        *model_prompt_lines.lines(stage.asked, stage.worth, ui.at, ui.picks, called, DISCARD_KEYS, columns, rows),
    ]


def _drafted(stage: Stage) -> Worth | None:
    worth, draft = stage.worth, stage.ui.draft
    if worth is None or draft is None or stage.phase != "choices":
        return worth
    return msgspec.structs.replace(worth, score=explained(worth.hand, draft, worth.around), choices=draft)


def _scoring(stage: Stage, rows: int) -> tuple[list[Line], int]:
    columns, tab = stage.columns, shown_tab(stage)
    names = model_table.names(stage.snapshot.status)
    title = model_scores.round_title(stage.view)
    top = [rule(title, columns), *model_scores.ranking(stage.snapshot, tab, columns)]
    paused = stage.view is not None and stage.view.phase == "pause"
    tail = [] if paused else model_scores.verdict(stage.snapshot, columns)
    name = names[tab] if tab < len(names) else ""
    head = rule(_("The hand of {name}").format(name=name), columns)
    room = rows - len(top) - len(tail)
    text = model_scores.hand_lines(stage.snapshot, tab, columns)
    middle, end = _scrolled(head, text, stage, room)
    return [*top, *_padded(middle, room), *tail], end


def help_lines(columns: int, options: Options, agreed: Provisions | None = None) -> list[Line]:
    """Every key that can do something at this table with what it does, from the table of keys; what the signs mean, and
    what was `agreed` about losses and clocks."""
    lines: list[Line] = []
    told: set[tuple[str, str]] = set()
    for row in at_table(options):
        shown, text = row.shown(), row.help()
        if (shown, text) in told:
            continue
        told.add((shown, text))
        for number, part in enumerate(wrap(text, max(1, columns - 16))):
            key = shown if number == 0 else ""
            lines.append(fit((Cell(f" {key:<13} ", "key"), Cell(part)), columns))
    lines.append(())
    for text in _legend(options):
        lines += [fit((Cell(f" {part}", "dim"),), columns) for part in wrap(text, columns - 2)]
    if agreed is not None:
        lines += [(), rule(_("What was agreed at this table"), columns)]
        for text in model_losses.whole(agreed):
            lines += [fit((Cell(f" {part}"),), columns) for part in wrap(text, columns - 2, "  ")]
    return lines


def _legend(options: Options) -> list[str]:
    """What the signs of the screen mean, and where the rules are."""
    told = [
        _("The two letters before a name are its suit. base is the printed strength, now what the card counts in your "
          "hand with the best choices, rest what your hand makes without it."),
        _("* marks the card that is new in your hand. ● is a player with a connection, ○ one without, "
          "x one who is out."),
    ]  # fmt: skip
    if options.mode != "chaos":
        told.append(
            _("In the discard area + says how much better your hand gets if you take the card and discard the worst.")
        )
    if options.cursed_items:
        told.append(
            _("With cursed items: each player's face-up item and how many lie face down. A name in brackets in the "
              "discard area: only this player may take the card. You 50-9=41: your hand, your face-down items, both.")
        )  # fmt: skip
    return [*told, _("The rules of the game: frp2p rules, in another terminal.")]
