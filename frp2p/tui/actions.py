"""What a key does to the screen, and what it asks of the program: pure, so that every key can be tested."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from frp2p.app import model_choices, model_extra, model_items, model_prompt
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.moves import Choose, Discard, DrawDeck, KeepItem, NextRound, Pass, TakeDiscard
from frp2p.games.game import Move
from frp2p.locale import _
from frp2p.tui import hosting, leaving, prompting, trading
from frp2p.tui.bindings import Action, elsewhere, find
from frp2p.tui.state import DISCARD_KEYS, HAND_KEYS, QUESTIONS, Stage, Ui, asking, mode, scene, too_small

TABLES = ("table", "finish", "trading")
"""The modes in which the cursor is on the table."""

PAGE = 8
"""Lines that a page key scrolls: most of the smallest scrolled area."""

LEAVING: frozenset[Action] = frozenset({"quit", "interrupt", "yes", "no", "escape"})
"""What can be done while nothing can be seen; `yes` only answers the question whether to leave."""


class Commit(msgspec.Struct, frozen=True):
    """The person has decided."""

    move: Move


class SwitchLanguage(msgspec.Struct, frozen=True):
    """The next language."""


Effect: TypeAlias = Commit | leaving.Leave | SwitchLanguage | hosting.Admit | hosting.Remove | None
Step: TypeAlias = tuple[Ui, Effect]


def press(stage: Stage, key: str) -> Step:
    """The screen after this key, and what is to be done. A key that does nothing says why in the toast."""
    now = mode(stage)
    row = find(key, now)
    ui = _with(stage.ui, toast="")
    if too_small(stage) and (row is None or row.action not in LEAVING or (row.action == "yes" and not ui.overlay)):
        return ui, None
    if row is None:
        other = elsewhere(key)
        if other is None:
            return ui, None
        return _with(ui, toast=_("{key} does nothing here; ? shows the keys.").format(key=other.shown())), None
    refused = row.why(stage)
    if refused:
        return _with(ui, toast=refused, armed=False), None
    if now == "lobby" and row.action in hosting.ACTIONS and hosting.pointed(stage) is not None:
        return hosting.press(stage, ui, row.action)
    if now == "quit" and row.action in leaving.ACTIONS:
        return leaving.press(stage, ui, row.action)
    if row.action in trading.ACTIONS.get(now, ()):
        ui, move = trading.press(stage, ui, row.action)
        return ui, Commit(move) if move is not None else None
    return _ACTIONS[row.action](stage, ui, key)


def click(stage: Stage, area: str, index: int) -> Step:
    """A click selects and never commits."""
    ui = _with(stage.ui, toast="", armed=False)
    now = mode(stage)
    if now in TABLES and area in ("hand", "discards"):
        return _select(stage, ui, area, index), None
    if now == "scoring" and area == "tab":
        return _with(ui, tab=index, scroll=0), None
    if now == "extra" and area == "extra":
        return _with(ui, extra=index), None
    if (now in ("items", "trade") and area == "act") or (now == "quit" and area == "way"):
        return _with(ui, act=index), None
    if now == "prompt" and area == "prompt":
        return _with(ui, at=index), None
    if now == "choices" and area == "field":
        return _with(ui, field=index), None
    if now == "choices" and area == "option":
        return _pick(stage, ui, index), None
    return ui, None


def wheel(stage: Stage, lines: int) -> Step:
    """The mouse wheel scrolls what scrolls."""
    key = "up" if lines < 0 else "down"
    row = find(key, mode(stage))
    return _ACTIONS[row.action](stage, _with(stage.ui, toast=""), key) if row is not None else (stage.ui, None)


def _with(ui: Ui, **changes: object) -> Ui:
    return msgspec.structs.replace(ui, **changes)


def _select(stage: Stage, ui: Ui, area: str, index: int) -> Ui:
    cards = stage.hand if area == "hand" else stage.discards
    if not 0 <= index < len(cards):
        return _with(ui, toast=_("There is no such card."))
    return _with(ui, area=area, index=index, armed=False)


def _draw(stage: Stage, ui: Ui, _key: str) -> Step:
    passes = stage.asked is not None and Pass() in stage.asked[1]
    return _with(ui, armed=False, area="hand", index=0), Commit(Pass() if passes else DrawDeck())


def _hand(stage: Stage, ui: Ui, key: str) -> Step:
    return _select(stage, ui, "hand", HAND_KEYS.index(key)), None


def _discards(stage: Stage, ui: Ui, key: str) -> Step:
    index = DISCARD_KEYS.index(key)
    if mode(stage) in TABLES:
        return _select(stage, ui, "discards", index), None
    if mode(stage) == "prompt":
        return prompting.point(stage, ui, index), None
    if stage.phase != "extra":
        return _with(ui, toast=_("Up and Down move in this list.")), None
    options = model_extra.options(stage.asked)
    wanted = stage.discards[index] if index < len(stage.discards) else None
    if wanted is None or wanted not in options:
        return _with(ui, toast=_("The Necromancer can't take this card.")), None
    return _with(ui, extra=options.index(wanted), armed=False), None


def _has_dialog(stage: Stage) -> bool:
    """Whether what is asked has a dialog of its own, which may have been left to look at the table."""
    return stage.phase == "choices" or stage.phase in QUESTIONS or asking(stage)


def _commit(stage: Stage, ui: Ui, key: str) -> Step:
    now = mode(stage)
    if now == "finish":
        return _yes(stage, ui, key)
    if now == "items":
        return _act(stage, ui, ask=not ui.armed)
    refused = model_prompt.missing(stage.asked, stage.worth, ui.at, ui.picks) if now == "prompt" else ""
    if refused:
        return _with(ui, armed=False, toast=refused), None
    if _has_dialog(stage) and mode(stage) == "table":
        return _with(ui, away=False, armed=False), None
    if not ui.armed:
        return _with(ui, armed=True), None
    return _yes(stage, ui, key)


def _act(stage: Stage, ui: Ui, *, ask: bool) -> Step:
    """What is marked in the dialog of the own item. What changes nothing is not asked about."""
    acts = model_items.acts(stage.view, stage.asked)
    if not acts:
        return _with(ui, overlay="", armed=False), None
    act = acts[prompting.shown_act(stage)]
    if act.why:
        return _with(ui, armed=False, toast=act.why), None
    if act.what == "leave" or not ask:
        return _answered(ui), Commit(act.move) if act.move is not None else None
    return _with(ui, armed=True), None


def _answered(ui: Ui) -> Ui:
    """The screen after an answer: nothing is left open or half done."""
    overlay = "" if ui.overlay == "items" else ui.overlay
    return _with(ui, armed=False, draft=None, extra=-1, field=0, act=-1, at=-1, picks=None, overlay=overlay)


def _yes(stage: Stage, ui: Ui, _key: str) -> Step:
    if mode(stage) == "items":
        return _act(stage, ui, ask=False)
    if stage.asked is None:
        return ui, None
    if _has_dialog(stage) and mode(stage) == "table":
        return _with(ui, away=False, armed=False), None
    move = _decided(stage)
    if move is None:
        missing = model_prompt.missing(stage.asked, stage.worth, ui.at, ui.picks) if asking(stage) else ""
        return _with(ui, armed=False, toast=missing or _("Still computing; a moment.")), None
    return _answered(ui), Commit(move)


def _decided(stage: Stage) -> Move | None:
    """The move that the cursor or the dialog means."""
    if stage.asked is None:
        return None
    view, legal = stage.asked
    if stage.phase == "finish":
        return KeepItem()
    if asking(stage):
        return model_prompt.move(stage.asked, stage.worth, stage.ui.at, stage.ui.picks)
    if stage.phase == "choices":
        chosen = model_choices.chosen(stage.worth, stage.ui.draft)
        return Choose(chosen) if chosen is not None else None
    if stage.phase in QUESTIONS:
        index = model_extra.index(stage.asked, stage.worth, stage.ui.extra)
        return model_extra.move(stage.asked, index) if index is not None else None
    card = stage.cursor
    if card is None or view.me is None:
        return None
    if stage.phase == "draw":
        return TakeDiscard(card)
    return next((move for move in legal if isinstance(move, Discard) and _holds(stage, move, card)), None)


def _holds(stage: Stage, move: Discard, card: CardId) -> bool:
    view = stage.asked[0] if stage.asked is not None else None
    if view is None or view.me is None:
        return False
    return any(held.slot == move.slot and held.card == card for held in view.seats[view.me].hand)


def _vertical(stage: Stage, ui: Ui, step: int) -> Step:
    now = mode(stage)
    if now in TABLES:
        cards = stage.hand if ui.area == "hand" else stage.discards
        if not cards:
            return ui, None
        return _with(ui, index=(min(ui.index, len(cards) - 1) + step) % len(cards), armed=False), None
    if now == "choices":
        return _pick_near(stage, ui, step), None
    if now == "items":
        count = len(model_items.acts(stage.view, stage.asked))
        return _with(ui, act=(prompting.shown_act(stage) + step) % max(1, count), armed=False), None
    if now == "prompt":
        return prompting.walk(stage, ui, step), None
    if now == "extra":
        index = model_extra.index(stage.asked, stage.worth, ui.extra)
        count = len(model_extra.options(stage.asked))
        return (_with(ui, extra=(index + step) % count, armed=False) if index is not None and count else ui), None
    return _with(ui, scroll=max(0, ui.scroll + step)), None


def _up(stage: Stage, ui: Ui, _key: str) -> Step:
    return _vertical(stage, ui, -1)


def _down(stage: Stage, ui: Ui, _key: str) -> Step:
    return _vertical(stage, ui, 1)


def _page_up(_stage: Stage, ui: Ui, _key: str) -> Step:
    return _with(ui, scroll=max(0, ui.scroll - PAGE)), None


def _page_down(_stage: Stage, ui: Ui, _key: str) -> Step:
    return _with(ui, scroll=ui.scroll + PAGE), None


def _edge(stage: Stage, ui: Ui, *, last: bool) -> Step:
    now = mode(stage)
    if now == "items":
        return _with(ui, act=prompting.END if last else 0, armed=False), None
    if now == "prompt":
        return prompting.point(stage, ui, prompting.END if last else 0, marks=False), None
    if now in TABLES:
        cards = stage.hand if ui.area == "hand" else stage.discards
        return _with(ui, index=max(0, len(cards) - 1) if last else 0, armed=False), None
    if now == "extra":
        return _with(ui, extra=len(model_extra.options(stage.asked)) - 1 if last else 0, armed=False), None
    if now == "choices":
        return _pick(stage, ui, prompting.END if last else 0), None
    return _with(ui, scroll=prompting.END if last else 0), None


def _first(stage: Stage, ui: Ui, _key: str) -> Step:
    return _edge(stage, ui, last=False)


def _last(stage: Stage, ui: Ui, _key: str) -> Step:
    return _edge(stage, ui, last=True)


def _sideways(stage: Stage, ui: Ui, step: int, *, around: bool) -> Step:
    now = mode(stage)
    if now == "scoring":
        seats = len(stage.snapshot.status.seats)
        return _with(ui, tab=(shown_tab(stage) + step) % max(1, seats), scroll=0), None
    if now == "choices":
        count = len(model_choices.fields(stage.worth))
        return _with(ui, field=(ui.field + step) % max(1, count), armed=False), None
    if now == "extra":
        return ui, None
    if now == "prompt":
        return prompting.shift(stage, ui, step), None
    wanted = "discards" if step > 0 else "hand"
    if around and ui.area == "discards":
        wanted = "hand"
    if wanted == "discards" and not stage.discards:
        return _with(ui, toast=_("The discard area is empty.")), None
    return (ui if wanted == ui.area else _with(ui, area=wanted, index=0, armed=False)), None


def _left(stage: Stage, ui: Ui, _key: str) -> Step:
    return _sideways(stage, ui, -1, around=False)


def _right(stage: Stage, ui: Ui, key: str) -> Step:
    return _sideways(stage, ui, 1, around=key == "tab")


def shown_tab(stage: Stage) -> int:
    """The seat whose score is shown: the one that was picked, at first one's own."""
    seats = len(stage.snapshot.status.seats)
    tab = stage.ui.tab if stage.ui.tab >= 0 else (stage.snapshot.status.me or 0)
    return min(tab, max(0, seats - 1))


def _pick_near(stage: Stage, ui: Ui, step: int) -> Ui:
    at = model_choices.marked(stage.worth, ui.draft, ui.field)
    return ui if at is None else _pick(stage, ui, at + step)


def _pick(stage: Stage, ui: Ui, index: int) -> Ui:
    draft = model_choices.picked(stage.worth, ui.draft, ui.field, index)
    return ui if draft is None else _with(ui, draft=draft, armed=False)


def _mark(stage: Stage, ui: Ui, _key: str) -> Step:
    return prompting.mark(stage, ui), None


def _item(_stage: Stage, ui: Ui, _key: str) -> Step:
    overlay = "" if ui.overlay == "items" else "items"
    return _with(ui, overlay=overlay, act=-1, scroll=0, armed=False), None


def _go_on(_stage: Stage, ui: Ui, _key: str) -> Step:
    return _with(ui, tab=-1, scroll=0, draft=None, extra=-1, field=0, away=False), Commit(NextRound())


def _best(_stage: Stage, ui: Ui, _key: str) -> Step:
    return _with(ui, draft=None, at=-1, picks=None, armed=False), None


def _card(stage: Stage, ui: Ui, _key: str) -> Step:
    if ui.overlay == "card":
        return _with(ui, overlay="", scroll=0), None
    if stage.cursor is None:
        return _with(ui, toast=_("There is no card under the cursor.")), None
    return _with(ui, overlay="card", scroll=0, armed=False), None


def _escape(stage: Stage, ui: Ui, _key: str) -> Step:
    if ui.armed:
        return _with(ui, armed=False), None
    if ui.overlay:
        return _with(ui, overlay="", scroll=0), None
    if mode(stage) in ("choices", "extra", "prompt"):
        return _with(ui, away=True, toast=_("Enter opens the choice again.")), None
    return ui, None


def _log(_stage: Stage, ui: Ui, _key: str) -> Step:
    if ui.overlay == "log":
        return _with(ui, overlay="", scroll=0), None
    return _with(ui, overlay="log", scroll=prompting.END, armed=False), None


def _help(_stage: Stage, ui: Ui, _key: str) -> Step:
    return _with(ui, overlay="" if ui.overlay == "help" else "help", scroll=0, armed=False), None


def _mouse(_stage: Stage, ui: Ui, _key: str) -> Step:
    toast = _("The mouse is off: the terminal marks text.") if ui.mouse else _("The mouse is on: a click selects.")
    return _with(ui, mouse=not ui.mouse, toast=toast), None


def _language(_stage: Stage, ui: Ui, _key: str) -> Step:
    return ui, SwitchLanguage()


def _quit(stage: Stage, ui: Ui, _key: str) -> Step:
    """A finished table is left at once; any other asks first."""
    if scene(stage) == "stopped" or stage.snapshot.status.phase == "over":
        return ui, leaving.Leave()
    return _with(ui, overlay="quit", armed=False, act=-1), None


def _stay(_stage: Stage, ui: Ui, _key: str) -> Step:
    return _with(ui, overlay="", armed=False, act=-1), None


_ACTIONS: Mapping[Action, Callable[[Stage, Ui, str], Step]] = {
    "draw": _draw, "hand": _hand, "discards": _discards, "commit": _commit, "yes": _yes, "no": _stay, "up": _up,
    "down": _down, "left": _left, "right": _right, "page_up": _page_up, "page_down": _page_down, "first": _first,
    "last": _last, "best": _best, "go_on": _go_on, "mark": _mark, "item": _item, "card": _card, "escape": _escape,
    "log": _log, "mouse": _mouse, "language": _language, "help": _help, "quit": _quit, "interrupt": _quit,
}  # fmt: skip
