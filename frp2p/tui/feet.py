"""The two lowest lines: what is to be decided (or was refused), and the keys that do it."""

from __future__ import annotations

from frp2p.app import model_cards as cards
from frp2p.app import model_items, model_leaving, model_prompt, model_table, model_trade, model_waiting
from frp2p.app.model_text import Cell, Line, clean, fit, line_width
from frp2p.games.fantasy_realms.moves import Pass
from frp2p.games.fantasy_realms.view import View
from frp2p.locale import _
from frp2p.tui.bindings import Binding, footer
from frp2p.tui.prompting import shown_act
from frp2p.tui.state import QUESTIONS, Stage, asking, mode, scene

RARE = ("go_on", "item", "mark", "admit", "remove", "forfeit")
"""Actions that most tables never offer: shown only where they do something."""


def prompt(stage: Stage) -> Line:
    """A question that is open, else the answer to the last key, else trouble, else what to do now."""
    if stage.ui.overlay == "quit":
        return _line(stage, _question_quit(stage), "bar-warn")
    if stage.ui.toast:
        return _line(stage, stage.ui.toast, "bar-warn")
    if stage.ui.armed:
        return _line(stage, _question(stage), "bar-turn")
    problem = clean(stage.snapshot.problem)
    if problem and stage.asked is None:
        return _line(stage, problem, "bar-warn")
    style = "bar-turn" if stage.asked is not None and scene(stage) == "table" else "bar"
    return _line(stage, _task(stage), style)


def _line(stage: Stage, text: str, style: str) -> Line:
    return fit((Cell(f" {text}", style),), stage.columns)


def _question_quit(stage: Stage) -> str:
    if not model_leaving.asks_how(stage.snapshot.status):
        return _("Leave? y: yes, n: no")
    if stage.ui.armed:
        return _("Leave for good? Enter or y: yes, Esc: no")
    return _("How do you want to leave? Up and Down, then Enter.")


def _question(stage: Stage) -> str:
    if stage.ui.overlay == "items":
        return _question_item(stage)
    if asking(stage):
        return _("Answer like this? Enter or y: yes, Esc: no")
    if stage.phase == "choices":
        return _("Score like this? Enter or y: yes, Esc: no")
    if stage.phase == "overflow":
        return _("Drop this? Enter or y: yes, Esc: no")
    if stage.phase in QUESTIONS:
        return _("Choose this? Enter or y: yes, Esc: no")
    name = cards.name(stage.cursor) if stage.cursor is not None else ""
    if stage.phase == "draw":
        return _("Take {card}? Enter or y: yes, Esc: no").format(card=name)
    left = stage.worth.without.get(stage.cursor) if stage.worth is not None and stage.cursor is not None else None
    if left is None:
        return _("Discard {card}? Enter or y: yes, Esc: no").format(card=name)
    return _("Discard {card}? {points} stay. Enter or y: yes, Esc: no").format(card=name, points=left)


def _question_item(stage: Stage) -> str:
    item = model_items.mine(stage.view)
    name = cards.name(item) if item is not None else ""
    acts = model_items.acts(stage.view, stage.asked)
    if acts and acts[shown_act(stage)].what == "swap":
        return _("Swap {item}? Enter or y: yes, Esc: no").format(item=name)
    return _("Use {item}? Enter or y: yes, Esc: no").format(item=name)


def _task(stage: Stage) -> str:
    """What the person can do now, or what is waited for."""
    if mode(stage) == "items":
        return _("Up and Down: what to do. Enter does it. i: back.")
    match scene(stage):
        case "lobby":
            return _("The game begins when all seats are taken.")
        case "setup":
            return model_waiting.waiting_text(stage.snapshot) or _("The cards are being shuffled.")
        case "scoring":
            if stage.view is not None and stage.view.phase == "pause":
                return _pause(stage)
            if stage.snapshot.status.phase == "over":
                return _("The game is over, thank you for playing. q leaves.")
            return _("Every seat is verifying the record.")
        case "stopped":
            return _("The table has stopped.")
        case _:
            return _turn(stage)


def _pause(stage: Stage) -> str:
    if stage.phase == "pause":
        return _("The round is counted: Enter begins the next one.")
    return model_waiting.waiting_text(stage.snapshot) or _("The cards are on their way.")


def _turn(stage: Stage) -> str:
    if stage.view is not None and stage.asked is not None and model_trade.trading(stage.view):
        return _trade(stage.view, stage)
    match stage.phase:
        case "draw" if stage.asked is not None and Pass() in stage.asked[1]:
            return _("The deck is empty: d passes; a digit and Enter take a discard.")
        case "draw" if stage.view is not None and len(stage.hand) < stage.view.full:
            return _("Your turn: d draws two; a digit and Enter take one.")
        case "draw":
            return _("Your turn: d draws; a digit and Enter take a discard.")
        case "discard":
            return _("Discard a card: its letter, then Enter.")
        case "keep":
            return _("Keep one of the two: the other's letter, then Enter.")
        case "search":
            return _("Genie: the best card is marked; Enter takes it.")
        case "overflow":
            return _("Too many cards: one to drop is marked; Enter drops it.")
        case "choices":
            return _("Your choices: the best are marked; Enter scores.")
        case "extra":
            return _("An extra card: the best is marked; Enter takes it.")
        case "finish":
            return _("Your turn ends: Enter leaves your item; i: use or swap.")
        case "item" if stage.view is not None and stage.view.prompt is not None:
            return _how(stage)
    view, status = stage.view, stage.snapshot.status
    trouble = model_waiting.trouble(stage.snapshot)
    if trouble:
        return trouble
    if view is not None and view.me is not None and view.me in view.asked:
        return _("Your move is on its way.")
    if view is None or not view.asked:
        return model_waiting.waiting_text(stage.snapshot) or _("The cards are on their way.")
    names = model_table.names(status)
    called = ", ".join(names[seat] for seat in view.asked if seat < len(names))
    if view.using is not None:
        return _("Waiting for {names}: {item}.").format(names=called, item=cards.name(view.using))
    return model_waiting.hurry(stage.snapshot) or _("Waiting for {names}.").format(names=called)


def _trade(view: View, stage: Stage) -> str:
    """What can be done while cards are traded."""
    if mode(stage) == "trade":
        return _("A letter: your card. Up and Down: what. Enter does it.")
    if model_trade.offering(view):
        return _("A card is offered to you: pick yours for it, then Enter.")
    return _("Swap cards: the letter of one, then Enter.")


def _how(stage: Stage) -> str:
    """How the question of an item is answered."""
    prompt = model_prompt.prompt_of(stage.asked)
    if prompt is None:
        return ""
    item = cards.name(prompt.item)
    if prompt.kind == "arrange":
        return _("{item}: Left and Right move a card, Enter is done.").format(item=item)
    if model_prompt.fixed(prompt):
        return _("{item}: these cards are shown; Enter.").format(item=item)
    if model_prompt.single(prompt):
        return _("{item}: Up and Down, then Enter.").format(item=item)
    picked = model_prompt.picked(prompt, stage.worth, stage.ui.picks)
    if picked is not None and prompt.least <= len(picked) <= prompt.most:
        return _("{item}: Space marks, Enter is done.").format(item=item)
    return model_prompt.counting(prompt, len(picked or ()))


def keys(stage: Stage) -> Line:
    """The keys of the present state in the order of their rank, as many as fit; what is off goes first, help never."""
    rows = [(row, bool(row.why(stage))) for row in footer(mode(stage), stage.options)]
    rows = [(row, off) for row, off in rows if not (off and row.action in RARE)]
    if _width(rows) > stage.columns:
        rows = [(row, off) for row, off in rows if not off]
    while len(rows) > 1 and _width(rows) > stage.columns:
        rows.pop()
    return fit(tuple(cell for row, off in rows for cell in _key(row, off=off)), stage.columns)


def _width(rows: list[tuple[Binding, bool]]) -> int:
    return sum(line_width(_key(row, off=off)) for row, off in rows)


def _key(row: Binding, *, off: bool) -> Line:
    return (Cell(f" {row.shown()}", "dim" if off else "key"), Cell(f" {row.label()} ", "off" if off else ""))
