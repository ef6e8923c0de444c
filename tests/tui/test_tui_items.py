"""Cursed items on the screen: what is shown at every size, and that keys answer every question of every item."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, get_args

import pytest
from items_kit import (
    DECK_TOP,
    EIGHT,
    HAND,
    HOURGLASS,
    LAID,
    PORTAL,
    PROMPTS,
    STAFF,
    asked,
    game,
    peeked,
    shot,
    table,
)
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion
from tui_kit import cards, snapshot, stage, status, text, view

from frp2p import locale
from frp2p.app import model_cards, model_items, model_prompt
from frp2p.app.model_scores import hand_lines
from frp2p.app.snapshot import Snapshot
from frp2p.cards.catalogue import item
from frp2p.cards.sets import items as all_items
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.items.prompt import Prompt, What, answers, check_answer
from frp2p.games.fantasy_realms.moves import (
    Arrange,
    KeepItem,
    PickCards,
    PickSlots,
    SwapItem,
    TakeDiscard,
    UseItem,
)
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.games.verbs import SlotId
from frp2p.tui.actions import Commit, click, press
from frp2p.tui.bindings import every_key
from frp2p.tui.state import DISCARD_KEYS, Stage, Ui, mode

SIZES = ((120, 40), (80, 24), (60, 20))


def scored() -> Snapshot:
    return game(3, 5)[-1]


def by_hand(prompt: Prompt | None) -> dict[str, Any]:
    """Cursor and marks that do not depend on what the game would propose."""
    if prompt is None or prompt.kind == "arrange":
        return {"at": 2, "picks": (2, 0, model_prompt.DECK, 1)}
    return {"at": 1, "picks": tuple(range(prompt.least))}


PICKED = {what: by_hand(shown.prompt) for what, shown in PROMPTS.items()}

SCREENS: dict[str, Callable[[], tuple[Snapshot, Ui]]] = {
    "draw": lambda: (shot(peeked()), Ui(area="discards", index=3)),
    "finish": lambda: (shot(table(phase="finish", mine=HOURGLASS)), Ui()),
    "my item": lambda: (shot(table(mine=STAFF, phase="discard", hand=EIGHT)), Ui(overlay="items")),
    "using it": lambda: (shot(table()), Ui(overlay="items", armed=True)),
    "what I know": lambda: (shot(peeked()), Ui(overlay="items")),
    "seven players": lambda: (shot(table(count=7, asked=(3,), seat_in_turn=3)), Ui()),
    "waiting for offers": lambda: (shot(replace(PROMPTS["bargain"], asked=(1, 2), prompt=None)), Ui()),
    "items counted": lambda: (scored(), Ui(tab=2, scroll=100)),
    **{f"asked: {what}": lambda what=what: (shot(PROMPTS[what]), Ui(**PICKED[what])) for what in PROMPTS},  # type: ignore[misc]
    "asked: bury, being marked": lambda: (shot(PROMPTS["bury"]), Ui(at=4, picks=(0, 4))),
    "asked: return, other order": lambda: (shot(PROMPTS["return"]), Ui(at=0, picks=(1, 0, -1, 2), armed=True)),
}


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCREENS)
def test_item_screen(name: str, size: tuple[int, int], language: str, snapshot: SnapshotAssertion) -> None:
    shown, ui = SCREENS[name]()
    locale.use(language)
    drawn = text(stage(shown, *size, ui))
    assert drawn == snapshot
    assert "…" not in drawn.split("\n")[-2]


def test_every_kind_of_question_is_there() -> None:
    assert set(PROMPTS) == set(get_args(What))


def answered(shown: Stage, *keys: str) -> Move | None:
    """What these keys commit."""
    for key in keys:
        ui, effect = press(shown, key)
        shown = replace(shown, ui=ui)
        if isinstance(effect, Commit):
            return effect.move
    return None


@pytest.mark.parametrize("what", PROMPTS)
def test_what_is_proposed_is_the_default(what: str) -> None:
    shown = stage(shot(PROMPTS[what]))
    assert mode(shown) == "prompt"
    wanted, got = GAME.default(PROMPTS[what]), answered(shown, "enter", "enter")
    assert got == answered(shown, "y")
    if isinstance(wanted, PickCards | PickSlots):
        assert type(got) is type(wanted)
        field = "cards" if isinstance(wanted, PickCards) else "slots"
        assert sorted(getattr(got, field)) == sorted(getattr(wanted, field))
    else:
        assert got == wanted


@pytest.mark.parametrize("what", [what for what, shown in PROMPTS.items() if shown.prompt and shown.prompt.most == 1])
def test_every_single_answer_has_its_key(what: str) -> None:
    prompt = PROMPTS[what].prompt
    assert prompt is not None
    if prompt.kind == "arrange":
        return
    found = {answered(stage(shot(PROMPTS[what])), key, "y") for key in DISCARD_KEYS}
    found |= {answered(stage(shot(PROMPTS[what])), *("down",) * steps, "y") for steps in range(len(prompt.slots))}
    assert found - {None} == set(GAME.legal(PROMPTS[what]))


@pytest.mark.parametrize("what", ["bury", "cover", "take", "offer", "put-under", "lay"])
def test_every_choice_of_several_cards_can_be_composed(what: str) -> None:
    prompt = PROMPTS[what].prompt
    assert prompt is not None
    shown = stage(shot(PROMPTS[what]))
    offered = model_prompt.options(prompt)
    empty = replace(shown, ui=Ui(picks=()))
    for size in range(prompt.most + 2):
        for chosen in itertools.combinations(range(len(offered)), min(size, len(offered))):
            keys = [DISCARD_KEYS[number] for number in chosen]
            got = answered(empty, *keys, "y")
            if not prompt.least <= len(chosen) <= prompt.most:
                assert got is None or len(chosen) > prompt.most
                continue
            values = {offered[number].value for number in chosen}
            assert got is not None
            check_answer(prompt, got)
            assert values == set(got.cards if isinstance(got, PickCards) else got.slots)  # type: ignore[union-attr]


def test_every_order_can_be_made_card_by_card() -> None:
    prompt = PROMPTS["return"].prompt
    assert prompt is not None
    start = model_prompt.preset(prompt, stage(shot(PROMPTS["return"])).worth)
    assert start is not None
    seen, todo = {start}, [start]
    while todo:
        now = todo.pop()
        for number, step in itertools.product(range(3), (-1, 1)):
            after = model_prompt.shifted(prompt, None, now, number, step)
            assert after is not None
            if after not in seen:
                seen.add(after)
                todo.append(after)
    made = {answered(stage(shot(PROMPTS["return"]), ui=Ui(picks=order)), "y") for order in seen}
    assert made == set(answers(prompt))


def test_left_and_right_move_the_card_under_the_cursor() -> None:
    shown = stage(shot(PROMPTS["return"]))
    wanted = GAME.default(PROMPTS["return"])
    assert isinstance(wanted, Arrange)
    got = answered(shown, "down", "left", "y")
    assert got == Arrange(keep=wanted.keep, top=wanted.bottom[:1], bottom=wanted.bottom[1:])
    assert answered(shown, "down", "left", "left", "y") == Arrange(
        keep=wanted.bottom[0], top=(wanted.keep,), bottom=wanted.bottom[1:]
    )
    assert answered(shown, "down", "left", "b", "y") == wanted


def test_all_cards_of_a_suit_are_shown_and_nothing_else_can_be() -> None:
    shown = stage(shot(PROMPTS["show-suit"]))
    prompt = PROMPTS["show-suit"].prompt
    assert prompt is not None
    leaders = tuple(slot for slot, face in zip(prompt.slots, prompt.faces, strict=True) if face in cards(31, 32))
    for keys in (("y",), (" ", "y"), ("1", "2", "y"), ("down", " ", "enter", "enter")):
        got = answered(shown, *keys)
        assert got == PickSlots(slots=leaders) == GAME.legal(PROMPTS["show-suit"])[0]


def test_too_few_marks_are_counted_out() -> None:
    shown = stage(shot(PROMPTS["bury"]), ui=Ui(picks=(0,)))
    ui, effect = press(shown, "enter")
    assert effect is None
    assert ui.toast == "Mark 3 cards with Space: 1 is marked."
    assert not ui.armed


def test_an_item_that_can_not_be_copied_says_so() -> None:
    shown = stage(shot(PROMPTS["copy"]))
    ui, effect = press(replace(shown, ui=Ui(at=2)), "enter")
    assert effect is None
    assert "can't be copied" in ui.toast
    assert answered(shown, "1", "y") == PickSlots(slots=())
    assert answered(shown, "2", "y") == PickSlots(slots=(SlotId(500),))


def test_nothing_is_answered_while_the_proposal_is_unknown() -> None:
    for what in ("steal", "bury", "return"):
        unknown = replace(stage(shot(PROMPTS[what])), worth=None)
        ui, effect = press(unknown, "y")
        assert effect is None
        assert "computing" in ui.toast
        text(unknown)


def test_one_key_leaves_the_item_at_the_end_of_a_turn() -> None:
    shown = stage(shot(table(phase="finish", mine=HOURGLASS)))
    assert mode(shown) == "finish"
    for key in ("enter", "y"):
        assert press(shown, key)[1] == Commit(KeepItem())
    assert answered(shown, "i", "enter") == KeepItem()


def test_the_dialog_uses_and_swaps_after_a_second_key() -> None:
    shown = stage(shot(table(phase="finish", mine=HOURGLASS)))
    assert answered(shown, "i", "home", "enter") is None
    assert answered(shown, "i", "home", "enter", "enter") == UseItem(HOURGLASS)
    assert answered(shown, "i", "up", "enter") is None
    assert answered(shown, "i", "up", "y") == SwapItem()
    drawing = stage(shot(table()))
    assert answered(drawing, "i", "enter", "enter") == UseItem(PORTAL)
    assert answered(drawing, "i", "end", "enter") is None
    assert press(replace(drawing, ui=Ui(overlay="items", act=2)), "enter")[0].overlay == ""


@pytest.mark.parametrize(
    ("view", "act", "why"),
    [
        (table(phase="discard", hand=EIGHT, mine=STAFF), 0, "instead of a turn"),
        (table(mine=HOURGLASS), 0, "after your turn"),
        (table(), 1, "at the end of your turn"),
        (table(asked=(1,), seat_in_turn=1), 0, "not your turn"),
        (table(phase="finish", items_left=0, item_discards=()), 1, "no other item left"),
    ],
)
def test_an_act_that_is_off_says_why(view: View, act: int, why: str) -> None:
    shown = stage(shot(view), ui=Ui(overlay="items", act=act))
    for key in ("enter", "y"):
        ui, effect = press(shown, key)
        assert effect is None
        assert why in ui.toast
    assert why in " ".join(text(shown).split())


def test_a_table_without_items_says_so() -> None:
    shown = stage(snapshot(status(4, view(HAND, LAID))))
    assert press(shown, "i")[0].toast == "This table plays without cursed items."
    assert "i items" not in text(shown)


def test_a_covered_card_says_who_may_take_it() -> None:
    shown = stage(shot(peeked()), ui=Ui(area="discards", index=3))
    assert "Bob" in press(shown, "enter")[0].toast
    mine = stage(shot(peeked()), ui=Ui(area="discards", index=1))
    assert answered(mine, "y") == TakeDiscard(LAID[1])
    assert mine.worth is not None
    assert LAID[3] not in mine.worth.takes
    assert LAID[1] in mine.worth.takes


def test_others_used_items_are_a_number_and_the_own_ones_have_names() -> None:
    shown = text(stage(shot(table(count=3)), 120, 60, Ui(overlay="items")))
    assert "Your face-down items (-9 together): Rake (-4), Treasure Chest (-5)" in shown
    assert "Ana: Larcenous Gloves (-3), 1 face down" in shown
    assert "Bob: Staff of Transmutation (-4), 2 face down" in shown
    assert "Item deck: 13" in shown
    assert "Discarded items, the newest first: Backpack (-2), Junkyard Map (-3)" in shown


def test_what_was_looked_at_is_told_from_the_nearer_end() -> None:
    shown = " ".join(text(stage(shot(peeked()), 120, 60, Ui(overlay="items"))).split())
    top, *rest = (model_cards.name(card) for card in DECK_TOP)
    assert f"from the top: 1. {top}" in shown
    assert f"from the bottom: 1. {rest[1]}, 2. {rest[0]}" in shown
    assert "in the hand of Eve: Cavern, Bell Tower, Forest" in shown
    assert f"{top} is next" in text(stage(shot(peeked())))


def test_the_score_now_counts_used_items() -> None:
    known = stage(shot(table()))
    assert known.worth is not None
    assert f"You {known.worth.total}-9={known.worth.total - 9}" in text(known)  # type: ignore[operator]


@pytest.mark.parametrize("count", [2, 4])
def test_counted_hands_and_items_make_the_points(count: int) -> None:
    over = game(count, 3)[-1]
    shown = over.status.view
    assert any(seat.pile for seat in shown.seats)
    for seat in shown.seats:
        rows = ["".join(cell.text for cell in line) for line in hand_lines(over, seat.seat, 100)]
        assert rows[-1].split() == ["Total", str(seat.points)]
        heads = [row for row in rows[:-1] if not row.startswith("      ") and row.split()[-1].lstrip("-").isdigit()]
        assert sum(int(row.split()[-1]) for row in heads) == seat.points
        for entry in seat.pile:
            assert model_cards.name(entry.card) in "\n".join(rows)


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("one", all_items())
def test_the_text_of_every_item_is_whole_at_the_smallest_size(one: str, language: str) -> None:
    locale.use(language)
    shown = " ".join(text(stage(shot(table(mine=item(one).id)), 60, 20, Ui(overlay="items"))).split())  # type: ignore[arg-type]
    for sentence in model_items.rule(item(one).id):  # type: ignore[arg-type]
        assert sentence in shown


def test_a_click_in_a_question_only_points() -> None:
    ui, effect = click(stage(shot(PROMPTS["bury"])), "prompt", 2)
    assert effect is None
    assert ui.at == 2
    assert click(stage(shot(table()), ui=Ui(overlay="items")), "act", 1)[0].act == 1


def test_the_question_can_be_left_to_look_at_the_table() -> None:
    shown = stage(shot(PROMPTS["bury"]))
    ui = press(shown, "escape")[0]
    assert mode(replace(shown, ui=ui)) == "table"
    assert "Discard area" in text(replace(shown, ui=ui))
    assert mode(replace(shown, ui=press(replace(shown, ui=ui), "enter")[0])) == "prompt"


STATES = {**PROMPTS, "finish": table(phase="finish"), "draw": peeked(), "discard": table(EIGHT, phase="discard")}


@pytest.mark.parametrize("name", STATES)
def test_whatever_is_pressed_only_legal_moves_come_out(name: str) -> None:
    shown = stage(shot(STATES[name]))
    for first, second in itertools.product(every_key(), ("", "down", " ", "i", "right")):
        ui = press(shown, first)[0]
        ui = press(replace(shown, ui=ui), second)[0] if second else ui
        for last in ("enter", "y", *(("enter",) if ui.armed else ())):
            ui, effect = press(replace(shown, ui=ui), last)
            if isinstance(effect, Commit):
                assert allowed(STATES[name], effect.move), (first, second, effect.move)


def allowed(shown: View, move: Move) -> bool:
    if shown.prompt is None or shown.prompt.what in ("show-suit", "copy"):
        legal = GAME.legal(shown)
        as_sets = {frozenset(one.slots) for one in legal if isinstance(one, PickSlots)}
        return move in legal or (isinstance(move, PickSlots) and frozenset(move.slots) in as_sets)
    check_answer(shown.prompt, move)
    return True


def test_marks_made_for_another_question_count_for_nothing() -> None:
    prompt = Prompt(PORTAL, "bury", "cards", least=1, most=1, cards=LAID[:1])
    assert model_prompt.picked(prompt, None, (7, 0, 3)) == (0,)
    order = PROMPTS["return"].prompt
    assert order is not None
    proposed = model_prompt.preset(order, stage(shot(PROMPTS["return"])).worth)
    assert model_prompt.picked(order, stage(shot(PROMPTS["return"])).worth, (-1, 0, 1, 2)) == proposed
    text(stage(shot(asked(prompt)), ui=Ui(at=9, picks=(3, 4))))
