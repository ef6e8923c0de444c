"""What keys do in the question of an item and in the dialog of the own one: cursor, marks, order. Pure."""

from __future__ import annotations

import msgspec

from frp2p.app import model_items, model_prompt
from frp2p.locale import _
from frp2p.tui.state import Stage, Ui

END = 1_000_000
"""A scroll position behind every text; the frame moves it back to the last line."""


def shown_act(stage: Stage) -> int:
    """The marked row in the dialog of the own item."""
    count = len(model_items.acts(stage.view, stage.asked))
    if stage.ui.act < 0:
        return model_items.first_act(stage.view, stage.asked)
    return max(0, min(stage.ui.act, count - 1))


def point(stage: Stage, ui: Ui, number: int, *, marks: bool = True) -> Ui:
    """The cursor on this option of an item's question; where several are picked, the option is marked, or unmarked."""
    prompt = model_prompt.prompt_of(stage.asked)
    count = len(model_prompt.options(prompt)) if prompt is not None else 0
    if prompt is None or not count or (marks and number >= count):
        return msgspec.structs.replace(ui, toast=_("There is no such card."))
    ui = msgspec.structs.replace(ui, at=min(number, count - 1), armed=False)
    if not marks or model_prompt.single(prompt) or prompt.kind == "arrange" or model_prompt.fixed(prompt):
        return ui
    return msgspec.structs.replace(ui, picks=model_prompt.toggled(prompt, stage.worth, ui.picks, ui.at))


def walk(stage: Stage, ui: Ui, step: int) -> Ui:
    """Up and down in an item's question; cards that are put in order are walked through in that order."""
    prompt = model_prompt.prompt_of(stage.asked)
    if prompt is None:
        return ui
    at = model_prompt.cursor(prompt, stage.worth, ui.at)
    order = list(range(len(model_prompt.options(prompt))))
    if prompt.kind == "arrange":
        placed = model_prompt.picked(prompt, stage.worth, ui.picks) or tuple(order)
        order = [number for number in placed if number != model_prompt.DECK]
    if not order:
        return ui
    place = order.index(at) + step if at is not None else 0
    return msgspec.structs.replace(ui, at=order[place % len(order)], armed=False)


def shift(stage: Stage, ui: Ui, step: int) -> Ui:
    """Moves the card under the cursor in the order that is being made."""
    prompt = model_prompt.prompt_of(stage.asked)
    at = model_prompt.cursor(prompt, stage.worth, ui.at) if prompt is not None else None
    if prompt is None or prompt.kind != "arrange" or at is None:
        return msgspec.structs.replace(ui, toast=_("Up and Down move in this list."))
    return msgspec.structs.replace(
        ui, at=at, picks=model_prompt.shifted(prompt, stage.worth, ui.picks, at, step), armed=False
    )


def mark(stage: Stage, ui: Ui) -> Ui:
    """Marks the option under the cursor, or takes the mark away."""
    prompt = model_prompt.prompt_of(stage.asked)
    at = model_prompt.cursor(prompt, stage.worth, ui.at) if prompt is not None else None
    return point(stage, ui, at) if at is not None else ui
