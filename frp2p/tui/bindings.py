"""The one table of keys: the footer, the help and the dispatch are all made from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from frp2p.app import model_items, model_leaving, model_prompt, model_table
from frp2p.games.fantasy_realms.moves import TakeDiscard
from frp2p.games.fantasy_realms.offer import leaving
from frp2p.games.fantasy_realms.options import Options
from frp2p.locale import _, language
from frp2p.tui import hosting
from frp2p.tui.state import DISCARD_KEYS, HAND_KEYS, QUESTIONS, Mode, Stage, mode

Action: TypeAlias = Literal[
    "draw", "hand", "discards", "commit", "yes", "no", "up", "down", "left", "right", "page_up", "page_down", "first",
    "last", "best", "go_on", "mark", "item", "card", "escape", "log", "mouse", "language", "help", "quit", "interrupt",
    "admit", "remove", "forfeit",
]  # fmt: skip

Words: TypeAlias = Callable[[], str]


class Binding(NamedTuple):
    """One row. `keys` as prompt_toolkit names them; `shown` how a person reads them; `label` for the footer, `help` for
    the help screen; `footer` its rank there, 0 for help only; `why` says why the key does nothing now, or ``""``.
    """

    action: Action
    keys: tuple[str, ...]
    shown: Words
    label: Words
    help: Words
    modes: frozenset[Mode]
    footer: int = 0
    why: Callable[[Stage], str] = lambda _stage: ""


def _modes(*names: Mode) -> frozenset[Mode]:
    return frozenset(names)


TABLES = _modes("table", "finish", "trading")
ENDS = _modes("scoring", "stopped")
SCREENS = TABLES | _modes("lobby", "setup", "scoring", "stopped")
DIALOGS = _modes("choices", "extra", "prompt", "trade")
SCROLLED = _modes("help", "log", "card", "scoring", "stopped", "lobby", "setup")
LISTS = TABLES | DIALOGS


def _not_asked(stage: Stage) -> str:
    if stage.asked is None:
        return _("It is not your turn.")
    return ""


def why_not_draw(stage: Stage) -> str:
    """Why the deck can't be drawn from now."""
    if stage.asked is None or stage.phase not in ("draw", "keep", "discard"):
        return _not_asked(stage) or _("Nothing is drawn now.")
    if stage.phase in ("keep", "discard"):
        return _("You have a new card already; discard one.")
    return ""


def why_not_commit(stage: Stage) -> str:
    """Why the card under the cursor can be neither taken nor discarded now."""
    if mode(stage) in DIALOGS or mode(stage) in ("items", "finish", "trading"):
        return ""
    if stage.phase in ("choices", "item") or stage.phase in QUESTIONS:
        return ""
    if stage.asked is None:
        return _not_asked(stage)
    card = stage.cursor
    if stage.phase == "draw":
        if stage.ui.area == "hand":
            return _("Draw first: d for the deck, a digit for a discard.")
        return "" if card is not None and TakeDiscard(card) in stage.asked[1] else _why_not_take(stage)
    if stage.ui.area == "discards":
        return _("Now discard a card of your hand.")
    if stage.phase == "keep" and card not in [held for _slot, held in leaving(stage.asked[0])]:
        return _("Discard one of the two cards that you drew.")
    if stage.phase == "discard" and card is not None and card not in [held for _slot, held in leaving(stage.asked[0])]:
        return _("The card that the Lantern has found stays in your hand.")
    return "" if card is not None else _("Your hand is empty.")


def _why_not_take(stage: Stage) -> str:
    view, card = stage.view, stage.cursor
    seat = model_items.covered_by(view, card) if view is not None and card is not None else None
    if seat is None or view is None or seat == view.me:
        return _("This card can't be taken.")
    return _("Only {name} may take this card.").format(name=model_table.names(stage.snapshot.status)[seat])


def why_not_discards(stage: Stage) -> str:
    """Why there is no card to put the cursor on."""
    if stage.view is not None and stage.view.options.mode == "chaos":
        return _("There is no discard area in this game.")
    return ""


def why_not_item(stage: Stage) -> str:
    """Why there is nothing to see of items."""
    if stage.view is None or model_items.playing(stage.view):
        return ""
    return _("This table plays without cursed items.")


def why_not_mark(stage: Stage) -> str:
    """Why nothing is marked in this question of an item."""
    prompt = model_prompt.prompt_of(stage.asked)
    if prompt is not None and (model_prompt.single(prompt) or prompt.kind == "arrange" or model_prompt.fixed(prompt)):
        return _("Nothing is marked here: Enter answers.")
    return ""


def why_not_go_on(stage: Stage) -> str:
    """Why no round can be begun now."""
    if stage.phase == "pause":
        return ""
    return _("No further round is waited for.") if stage.snapshot.status.phase == "over" else _not_asked(stage)


def why_not_forfeit(stage: Stage) -> str:
    """Why there is nothing to leave for good."""
    return "" if model_leaving.asks_how(stage.snapshot.status) else _("You have no seat in a running game.")


def _other_language() -> str:
    """The name of the language that the key brings, in that language."""
    return "Português" if language() == "en" else "English"


def _hand_keys() -> str:
    return f"{HAND_KEYS[0]}-{HAND_KEYS[-1]}"


TABLE: tuple[Binding, ...] = (
    Binding("draw", ("d",), lambda: "d", lambda: _("draw"), lambda: _("draw from the deck; pass once it is empty"),
            _modes("table"), 1, why_not_draw),
    Binding("draw", ("d",), lambda: "d", lambda: _("draw"), lambda: _("draw from the deck; pass once it is empty"),
            _modes("finish"), 0, why_not_draw),
    Binding("hand", tuple(HAND_KEYS), _hand_keys, lambda: _("hand"),
            lambda: _("put the cursor on a card of your hand ({keys})").format(keys=" ".join(HAND_KEYS)),
            TABLES | _modes("trade"), 4),
    Binding("discards", tuple(DISCARD_KEYS), lambda: "1-0", lambda: _("discards"),
            lambda: _("put the cursor on a card of the discard area"),
            (TABLES - _modes("trading")) | _modes("extra"), 3, why_not_discards),
    Binding("discards", tuple(DISCARD_KEYS), lambda: "1-0", lambda: _("pick"),
            lambda: _("in an item's question: put the cursor there; where several are picked, mark it"),
            _modes("prompt"), 3),
    Binding("mark", (" ",), lambda: _("Space"), lambda: _("mark"),
            lambda: _("in an item's question: mark what is under the cursor, or unmark it"),
            _modes("prompt"), 2, why_not_mark),
    Binding("commit", ("enter",), lambda: _("Enter"), lambda: _("take or discard"),
            lambda: _("take or discard the card under the cursor; Enter again confirms"), _modes("table"), 2,
            why_not_commit),
    Binding("commit", ("enter",), lambda: _("Enter"), lambda: _("choose"),
            lambda: _("choose what is marked; Enter again confirms"), DIALOGS - _modes("trade"), 1),
    Binding("commit", ("enter",), lambda: _("Enter"), lambda: _("swap"),
            lambda: _("what can be done with the card under the cursor"), _modes("trading"), 1),
    Binding("commit", ("enter",), lambda: _("Enter"), lambda: _("do it"),
            lambda: _("do what is marked with the card under the cursor"), _modes("trade"), 1),
    Binding("commit", ("enter",), lambda: _("Enter"), lambda: _("leave item"),
            lambda: _("at the end of your turn: leave your item face up"), _modes("finish"), 1),
    Binding("commit", ("enter",), lambda: _("Enter"), lambda: _("do it"),
            lambda: _("with your item: do what is marked; Enter again confirms"), _modes("items"), 1),
    Binding("yes", ("y",), lambda: "y", lambda: _("yes"),
            lambda: _("do at once what Enter twice does"), LISTS | _modes("items"), 6, why_not_commit),
    Binding("item", ("i",), lambda: "i", lambda: _("items"),
            lambda: _("your item: use, swap or leave it; everybody's items and what you were shown"),
            TABLES | DIALOGS | _modes("scoring"), 5, why_not_item),
    Binding("item", ("i",), lambda: "i", lambda: _("close"), lambda: _("close the items"), _modes("items"), 2),
    Binding("up", ("up", "k"), lambda: _("Up k"), lambda: _("up"), lambda: _("move up"),
            LISTS | SCROLLED | _modes("items", "quit")),
    Binding("down", ("down", "j"), lambda: _("Down j"), lambda: _("down"), lambda: _("move down"),
            LISTS | SCROLLED | _modes("items", "quit")),
    Binding("left", ("left", "h"), lambda: _("Left h"), lambda: _("hand"),
            lambda: _("to the hand; in a dialog the choice before"), LISTS - _modes("prompt")),
    Binding("right", ("right", "tab"), lambda: _("Right Tab"), lambda: _("next"),
            lambda: _("to the discards; in a dialog the next choice"), LISTS - _modes("prompt")),
    Binding("left", ("left", "h"), lambda: _("Left h"), lambda: _("earlier"),
            lambda: _("in an item's question: the card comes earlier in the order"), _modes("prompt")),
    Binding("right", ("right", "tab"), lambda: _("Right Tab"), lambda: _("later"),
            lambda: _("in an item's question: the card comes later in the order"), _modes("prompt")),
    Binding("right", ("right", "tab"), lambda: _("Right Tab"), lambda: _("next player"),
            lambda: _("the score of the next player"), _modes("scoring"), 1),
    Binding("left", ("left", "h"), lambda: _("Left h"), lambda: _("player before"),
            lambda: _("the score of the player before"), _modes("scoring"), 2),
    Binding("page_up", ("pageup",), lambda: _("PgUp"), lambda: _("page up"), lambda: _("a page up"),
            SCROLLED | _modes("items")),
    Binding("page_down", ("pagedown", " "), lambda: _("PgDn Space"), lambda: _("page down"),
            lambda: _("a page down"), _modes("help", "log", "card", "scoring", "items"), 3),
    Binding("page_down", ("pagedown", " "), lambda: _("PgDn Space"), lambda: _("page down"),
            lambda: _("a page down"), _modes("stopped", "lobby", "setup")),
    Binding("first", ("home",), lambda: _("Home"), lambda: _("start"), lambda: _("to the start"),
            SCROLLED | LISTS | _modes("items")),
    Binding("last", ("end",), lambda: _("End"), lambda: _("end"), lambda: _("to the end"),
            SCROLLED | LISTS | _modes("items")),
    Binding("best", ("b",), lambda: "b", lambda: _("best"),
            lambda: _("back to the best choices"), _modes("choices"), 2),
    Binding("best", ("b",), lambda: "b", lambda: _("best"),
            lambda: _("back to the best choices"), _modes("prompt"), 4),
    Binding("go_on", ("enter", "y"), lambda: _("Enter"), lambda: _("next round"),
            lambda: _("between two rounds: begin the next one"), _modes("scoring"), -1, why_not_go_on),
    Binding("card", ("v",), lambda: "v", lambda: _("view card"),
            lambda: _("the whole text of the card under the cursor"), TABLES | _modes("prompt"), 5),
    Binding("card", ("v",), lambda: "v", lambda: _("close"), lambda: _("close the card"), _modes("card"), 2),
    Binding("admit", ("y",), lambda: "y", lambda: _("let in"),
            lambda: _("as the host: let in who is at the door, under the cursor"), _modes("lobby"), 1,
            hosting.why_not_admit),
    Binding("remove", ("x",), lambda: "x", lambda: _("send away"),
            lambda: _("as the host, before the game: send away who is under the cursor; twice confirms"),
            _modes("lobby"), 2, hosting.why_not_remove),
    Binding("escape", ("escape",), lambda: _("Esc"), lambda: _("back"),
            lambda: _("leave what is open; in a dialog look at the table first"),
            LISTS | _modes("help", "log", "card", "items", "quit"), 7),
    Binding("log", ("l",), lambda: "l", lambda: _("log"), lambda: _("the log of the game"),
            SCREENS | DIALOGS | _modes("log", "items"), 8),
    Binding("mouse", ("m",), lambda: "m", lambda: _("mouse"),
            lambda: _("mouse on or off; a click only selects (Shift marks text)"), SCREENS | DIALOGS, 10),
    Binding("language", ("L",), lambda: "L", _other_language, lambda: _("English or Portuguese"),
            SCREENS | DIALOGS | _modes("help", "log", "card", "items"), 11),
    Binding("help", ("?", "f1"), lambda: "?", lambda: _("help"), lambda: _("this help"),
            SCREENS | DIALOGS | _modes("help", "log", "card", "items"), -1),
    Binding("quit", ("q",), lambda: "q", lambda: _("quit"), lambda: _("leave the game (asks first)"),
            (SCREENS - ENDS) | DIALOGS | _modes("help", "log", "card", "items"), 9),
    Binding("quit", ("q",), lambda: "q", lambda: _("quit"), lambda: _("leave the game (asks first)"), ENDS, 1),
    Binding("commit", ("enter",), lambda: _("Enter"), lambda: _("choose"),
            lambda: _("when you leave: do what is marked"), _modes("quit"), 1),
    Binding("yes", ("y",), lambda: "y", lambda: _("leave"),
            lambda: _("when you leave: do at once what is marked"), _modes("quit"), 2),
    Binding("no", ("n",), lambda: "n", lambda: _("stay"), lambda: _("stay in the game"), _modes("quit"), 3),
    Binding("forfeit", ("f",), lambda: "f", lambda: _("for good"),
            lambda: _("when you leave: for good; twice confirms"), _modes("quit"), 4, why_not_forfeit),
    Binding("interrupt", ("c-c", "<sigint>"), lambda: "Ctrl-C", lambda: _("leave"),
            lambda: _("asks whether to leave; a second time leaves"),
            SCREENS | DIALOGS | _modes("help", "log", "card", "items", "quit")),
)  # fmt: skip


def every_key() -> tuple[str, ...]:
    """Every key of the table, once."""
    return tuple(dict.fromkeys(key for binding in TABLE for key in binding.keys))


def find(key: str, current: Mode) -> Binding | None:
    """The row that a key means in this mode."""
    return next((row for row in TABLE if key in row.keys and current in row.modes), None)


def elsewhere(key: str) -> Binding | None:
    """A row that the key means in some other mode, for the sentence about a key that does nothing here."""
    return next((row for row in TABLE if key in row.keys), None)


def at_table(options: Options) -> list[Binding]:
    """The rows that can ever do something at a table with these options."""
    never = set[Mode]() if options.cursed_items else {"items", "finish", "prompt"}
    never |= {"table", "finish"} if options.mode == "chaos" else {"trading", "trade"}
    gone: dict[Action, bool] = {
        "go_on": not options.match,
        "item": not options.cursed_items,
        "discards": options.mode == "chaos",
    }
    return [row for row in TABLE if row.modes - never and not gone.get(row.action, False)]


def footer(current: Mode, options: Options) -> list[Binding]:
    """The rows of the footer in the order of their rank; help (rank -1) stands first and is never cut."""
    rows = [row for row in at_table(options) if current in row.modes and row.footer]
    return sorted(rows, key=lambda row: row.footer)
