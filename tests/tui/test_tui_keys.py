"""The one table of keys: complete, free of conflicts, and what the footer and the help are made of."""

from __future__ import annotations

from typing import get_args

import pytest
from tui_kit import Table, cards, snapshot, stage, status, stopped, text, view

from frp2p.app.model_worth import appraise, start
from frp2p.app.snapshot import Snapshot
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.moves import Choose, Discard, DrawDeck, Pass, PickExtra, TakeDiscard
from frp2p.games.fantasy_realms.options import Options
from frp2p.scoring import check_choices
from frp2p.tui import hosting, leaving
from frp2p.tui.actions import _ACTIONS, Commit, SwitchLanguage, click, press
from frp2p.tui.bindings import TABLE, Action, every_key, find, footer
from frp2p.tui.leaving import Leave
from frp2p.tui.state import HAND_KEYS, Mode, Stage, Ui, mode

HAND = cards(16, 21, 31, 32, 36, 39, 43)
EIGHT = (*HAND, cards(49)[0])
LAID = cards(1, 10, 28, 30)
WILD = cards(49, 51, 52, 53, 9, 16, 38)


def drawing(ui: Ui | None = None) -> Stage:
    return stage(snapshot(status(4, view(HAND, LAID))), ui=ui)


def discarding(ui: Ui | None = None) -> Stage:
    return stage(snapshot(status(4, view(EIGHT, LAID, "discard"))), ui=ui)


def watching(ui: Ui | None = None) -> Stage:
    return stage(snapshot(status(4, view(HAND, LAID, asked=(2,)))), ui=ui)


def choosing(ui: Ui | None = None) -> Stage:
    return stage(snapshot(status(4, view(WILD, LAID, "choices"))), ui=ui)


def picking(ui: Ui | None = None) -> Stage:
    return stage(snapshot(status(4, view(cards(28, 31, 32, 21, 22, 23, 36), LAID, "extra"))), ui=ui)


@pytest.mark.parametrize("name", get_args(Mode))
def test_no_key_means_two_things_in_one_mode(name: Mode) -> None:
    taken = [key for row in TABLE if name in row.modes for key in row.keys]
    assert len(taken) == len(set(taken))


@pytest.mark.parametrize("name", get_args(Mode))
def test_every_mode_shows_help_or_a_way_back(name: Mode) -> None:
    every = Options(cursed_items=True) if name not in ("trading", "trade") else Options(mode="chaos")
    assert {"help", "no"} & {row.action for row in footer(name, every)}
    assert find("c-c", name) is not None


def test_every_action_has_a_key_and_a_meaning() -> None:
    assert {row.action for row in TABLE} == set(get_args(Action)) == {*_ACTIONS, *hosting.ACTIONS, *leaving.ACTIONS}


def test_no_letter_of_the_hand_is_a_command() -> None:
    commands = {key for row in TABLE if "table" in row.modes and row.action != "hand" for key in row.keys}
    assert not commands & set(HAND_KEYS)


@pytest.mark.parametrize("name", ["drawing", "discarding", "watching", "choosing", "picking"])
@pytest.mark.parametrize("key", every_key())
def test_every_key_can_be_pressed_at_any_time(name: str, key: str) -> None:
    """It does something, says why not, or changes nothing; the screen can be drawn after it."""
    shown: Stage = globals()[name]()
    ui, _effect = press(shown, key)
    text(stage(shown.snapshot, ui=ui))


def test_d_draws() -> None:
    assert press(drawing(), "d")[1] == Commit(DrawDeck())


def test_a_digit_and_enter_twice_take() -> None:
    ui, effect = press(drawing(), "2")
    assert effect is None
    ui, effect = press(drawing(ui), "enter")
    assert effect is None
    assert "Take" in text(drawing(ui))
    assert press(drawing(ui), "enter")[1] == Commit(TakeDiscard(LAID[1]))
    assert press(drawing(ui), "escape")[0].armed is False


def test_a_letter_and_y_discard() -> None:
    ui, _effect = press(discarding(), HAND_KEYS[3])
    shown = discarding(ui)
    slot = next(held.slot for held in shown.asked[0].seats[0].hand if held.card == shown.cursor)  # type: ignore[index]
    assert press(shown, "y")[1] == Commit(Discard(slot))


@pytest.mark.parametrize(
    ("name", "ui", "key", "words"),
    [
        ("watching", Ui(), "d", "not your turn"),
        ("watching", Ui(), "enter", "not your turn"),
        ("watching", Ui(), "y", "not your turn"),
        ("discarding", Ui(), "d", "new card already"),
        ("discarding", Ui(area="discards"), "enter", "discard a card of your hand"),
        ("drawing", Ui(), "enter", "Draw first"),
        ("drawing", Ui(), "9", "no such card"),
        ("drawing", Ui(), "r", "no such card"),
        ("drawing", Ui(), "b", ""),
        ("picking", Ui(), "1", "can't take this card"),
        ("watching", Ui(overlay="log"), "d", "does nothing here"),
    ],
)
def test_a_key_that_is_off_says_why(name: str, ui: Ui, key: str, words: str) -> None:
    after, effect = press(globals()[name](ui), key)
    assert words in after.toast
    assert effect is None
    assert not after.armed


@pytest.mark.parametrize("laid", [LAID, ()])
def test_with_an_empty_deck_the_key_of_the_deck_passes(laid: tuple[CardId, ...]) -> None:
    shown = stage(snapshot(status(4, view(HAND, laid, deck_left=0))))
    assert press(shown, "d")[1] == Commit(Pass())
    assert "d passes" in text(shown)


def test_arrows_go_round_and_into_the_discards() -> None:
    assert press(drawing(), "up")[0].index == len(HAND) - 1
    assert press(drawing(), "k")[0].index == len(HAND) - 1
    assert press(drawing(Ui(index=6)), "down")[0].index == 0
    assert press(drawing(), "right")[0].area == "discards"
    assert press(drawing(Ui(area="discards")), "tab")[0].area == "hand"
    assert press(drawing(Ui(area="discards")), "h")[0].area == "hand"
    assert press(drawing(), "end")[0].index == len(HAND) - 1


def test_every_option_of_every_choice_can_be_reached_and_is_legal() -> None:
    ui, seen = Ui(), 0
    for field in range(5):
        ui = Ui(field=field)
        for _step in range(80):
            after, _effect = press(choosing(ui), "up")
            if after.draft == ui.draft:
                break
            ui = after
        for _step in range(120):
            before = ui
            if ui.draft is not None:
                check_choices(choosing().worth.hand, ui.draft, choosing().worth.around)  # type: ignore[union-attr]
                seen += 1
            ui = press(choosing(ui), "down")[0]
            if ui.draft == before.draft:
                break
    assert seen > 100


def test_enter_twice_scores_with_the_best_choices() -> None:
    ui, _effect = press(choosing(), "enter")
    _ui, effect = press(choosing(ui), "enter")
    assert isinstance(effect, Commit)
    assert isinstance(effect.move, Choose)
    assert effect.move.choices == choosing().worth.choices  # type: ignore[union-attr]


def test_a_changed_choice_is_what_is_scored_and_b_goes_back() -> None:
    ui, _effect = press(choosing(), "up")
    assert ui.draft is not None
    assert "the best is" in text(choosing(ui))
    _ui, effect = press(choosing(ui), "y")
    assert effect == Commit(Choose(ui.draft))
    assert press(choosing(ui), "b")[0].draft is None


def test_the_dialog_can_be_left_to_look_and_comes_back() -> None:
    ui, _effect = press(choosing(), "escape")
    assert mode(choosing(ui)) == "table"
    assert "Discard area" in text(choosing(ui))
    assert mode(choosing(press(choosing(ui), "enter")[0])) == "choices"


def test_the_extra_pick_starts_at_the_best_and_takes_what_is_marked() -> None:
    best = max(picking().worth.extras.items(), key=lambda pair: pair[1])[0]  # type: ignore[union-attr]
    assert press(picking(), "y")[1] == Commit(PickExtra(best))
    ui, _effect = press(picking(), "home")
    assert press(picking(ui), "y")[1] == Commit(PickExtra(None))
    ui, _effect = press(picking(), "4")
    assert press(picking(ui), "y")[1] == Commit(PickExtra(LAID[3]))


def test_nothing_is_committed_while_the_best_is_unknown() -> None:
    shown = choosing()
    unknown = Stage(shown.snapshot, shown.asked, None, (), Ui(), 80, 24)
    ui, effect = press(unknown, "y")
    assert effect is None
    assert "computing" in ui.toast
    text(unknown)


def test_quitting_asks_unless_it_is_over() -> None:
    assert press(drawing(), "q")[0].overlay == "quit"
    assert press(drawing(Ui(overlay="quit")), "y")[1] == Leave()
    assert press(drawing(Ui(overlay="quit")), "c-c")[1] == Leave()
    assert press(drawing(Ui(overlay="quit")), "escape")[0].overlay == ""
    assert press(stage(stopped()), "q")[1] == Leave()
    table = Table(2, seed=4)
    table.finish()
    assert press(stage(table.snapshot()), "q")[1] == Leave()


def test_a_click_only_selects() -> None:
    for area, index in (("hand", 3), ("discards", 1)):
        for make in (drawing, discarding):
            ui, effect = click(make(), area, index)
            assert effect is None
            assert (ui.area, ui.index, ui.armed) == (area, index, False)
    ui, effect = click(choosing(), "option", 2)
    assert effect is None
    assert ui.draft is not None
    assert click(picking(), "extra", 1)[0].extra == 1
    assert click(choosing(), "field", 3)[0].field == 3


def test_nothing_is_played_on_a_screen_that_is_too_small() -> None:
    small = stage(drawing().snapshot, 40, 10)
    for key in every_key():
        assert not isinstance(press(small, key)[1], Commit)
    asks = press(small, "c-c")[0]
    assert press(stage(drawing().snapshot, 40, 10, asks), "c-c")[1] == Leave()


def test_trouble_is_told_but_never_instead_of_my_turn() -> None:
    mine = snapshot(status(4, view(HAND, LAID)), problem="The disk is full.")
    assert "Your turn" in text(stage(mine))
    other = snapshot(status(4, view(HAND, LAID, asked=(2,))), problem="The disk is full.")
    assert "The disk is full." in text(stage(other))
    lobby = snapshot(status(4, phase="lobby", seats=()), problem="The disk is full.")
    assert "The disk is full." in text(stage(lobby))


def test_language_is_an_effect() -> None:
    assert press(drawing(), "L")[1] == SwitchLanguage()


def test_hints_off_tells_nothing_of_the_hand() -> None:
    shown = view(HAND, LAID)
    last = list(appraise(shown, "off"))[-1]
    assert last.score is None
    assert last.choices is None
    assert not last.takes
    last = list(appraise(shown, "score"))[-1]
    assert last.score is not None
    assert not last.takes


def snapshot_of(count: int) -> Snapshot:
    return snapshot(status(count, view(HAND, LAID, count=count)))


@pytest.mark.parametrize("count", range(2, 7))
def test_every_number_of_players_fits(count: int) -> None:
    shown = text(stage(snapshot_of(count)))
    for name in ("Rui", "Ana", "Bob", "Eve", "Zoe", "Max")[:count]:
        assert name in shown


def test_known_figures_stay_while_they_are_computed_again() -> None:
    known = list(appraise(view(HAND, LAID, asked=(2,)), "what-if"))[-1]
    later = start(view(HAND, (*LAID[1:], *cards(2)), "discard", asked=(3,)), known)
    assert later.total == known.total
    assert set(later.takes) == set(LAID[1:])
    assert not later.done
    other = start(view(EIGHT, LAID, "discard"), known)
    assert other.score is None
    assert not other.takes
