"""The screens and keys of duels, extra suits and matches: every question can be seen and answered at every size."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pytest
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion
from tui_kit import Table, by_default, snapshot, stage, status, stopped, text

from frp2p import locale
from frp2p.app.snapshot import Snapshot
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.moves import Discard, DrawDeck, Drop, NextRound, PickExtra, SearchDeck, TakeDiscard
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.players.random_bot import Random
from frp2p.scoring import House
from frp2p.tui.actions import Commit, press
from frp2p.tui.state import DISCARD_KEYS, HAND_KEYS, Stage, Ui, mode

SIZES = ((120, 40), (80, 24), (60, 20))

EVERYTHING = Options(extra_suits=True, jester=True, phoenix="deluxe", rounds=3, house=House(forest_each=True))
DUEL = Options(mode="duel")
LARGE = Options(mode="duel", extra_suits=True, points=900, hints="score")

Decide = Callable[[View, tuple[Move, ...]], Move]


@lru_cache(maxsize=16)
def game(options: Options, seats: int, seed: int) -> tuple[Snapshot, ...]:
    """Every snapshot of a game by random moves: they meet more questions than good ones."""
    return tuple(Table(seats, seed, options=options).views(Random(seed).choose))


def moment(options: Options, seats: int, phase: str, fits: Callable[[View], bool] = lambda _view: True) -> Snapshot:
    """The first moment of this kind in which seat 0 is asked, in the first game that has one."""
    for seed in range(30):
        for shot in game(options, seats, seed):
            shown = shot.status.view
            if shown.phase == phase and 0 in shown.asked and fits(shown):
                return shot
    raise LookupError(phase)


@lru_cache(maxsize=1)
def over() -> Snapshot:
    table = Table(3, 2, options=EVERYTHING)
    list(table.views(by_default))
    table.finish()
    return table.snapshot()


SCREENS: dict[str, Callable[[], tuple[Snapshot, Ui]]] = {
    "lobby of a match": lambda: (snapshot(status(3, phase="lobby", options=EVERYTHING)), Ui()),
    "lobby of a duel": lambda: (snapshot(status(2, phase="lobby", options=LARGE)), Ui()),
    "duel, draw": lambda: (moment(DUEL, 2, "draw", lambda shown: shown.turn in (5, 6)), Ui()),
    "duel, keep": lambda: (moment(DUEL, 2, "keep", lambda shown: shown.turn in (7, 8)), Ui(index=2)),
    "nine cards": lambda: (moment(EVERYTHING, 3, "discard", lambda shown: len(shown.discards) > 8), Ui(index=8)),
    "most discards": lambda: (moment(LARGE, 2, "draw", lambda shown: len(shown.discards) > 12), Ui()),
    "search": lambda: (moment(EVERYTHING, 3, "search"), Ui()),
    "overflow": lambda: (moment(EVERYTHING, 3, "overflow"), Ui()),
    "pause": lambda: (moment(EVERYTHING, 3, "pause", lambda shown: shown.round == 2), Ui()),
    "over": lambda: (over(), Ui(tab=1)),
}


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCREENS)
def test_mode_screen(name: str, size: tuple[int, int], language: str, snapshot: SnapshotAssertion) -> None:
    shot, ui = SCREENS[name]()
    locale.use(language)
    shown = text(stage(shot, *size, ui))
    assert shown == snapshot
    assert "…" not in shown.split("\n")[-2]


def held(shown: Stage) -> list[object]:
    """Everything that the keys of this stage can commit, by every key for a card, by Enter and by y."""
    found = []
    for start in (*HAND_KEYS, *DISCARD_KEYS, "d", "home", "down", "up"):
        for last in ("enter", "y"):
            ui = press(shown, start)[0]
            step = press(replace(shown, ui=ui), last)
            if last == "enter" and step[0].armed:
                step = press(replace(shown, ui=step[0]), "enter")
            effect = step[1] or press(shown, start)[1]
            if isinstance(effect, Commit):
                found.append(effect.move)
    return found


@pytest.mark.parametrize(
    ("options", "seats", "phase", "kinds"),
    [
        (DUEL, 2, "draw", {DrawDeck, TakeDiscard}),
        (DUEL, 2, "keep", {Discard}),
        (EVERYTHING, 3, "discard", {Discard}),
        (EVERYTHING, 3, "search", {SearchDeck}),
        (EVERYTHING, 3, "overflow", {Drop}),
        (EVERYTHING, 3, "extra", {PickExtra}),
        (EVERYTHING, 3, "pause", {NextRound}),
    ],
)
def test_keys_answer_every_question(options: Options, seats: int, phase: str, kinds: set[type]) -> None:
    shot = moment(options, seats, phase, lambda shown: len(shown.discards) > 1)
    shown = stage(shot)
    moves = held(shown)
    assert {type(move) for move in moves} == kinds
    assert set(moves) <= set(GAME.legal(shot.status.view))
    if phase in ("keep", "discard", "draw"):
        assert set(moves) == set(GAME.legal(shot.status.view))


def test_the_marked_answer_is_the_default() -> None:
    for phase in ("search", "overflow", "extra"):
        shown = stage(moment(EVERYTHING, 3, phase))
        assert mode(shown) == "extra"
        effect = press(shown, "y")[1]
        assert isinstance(effect, Commit)
        assert effect.move == GAME.default(shown.snapshot.status.view)


def test_between_two_rounds_the_result_stays_until_enter() -> None:
    shown = stage(moment(EVERYTHING, 3, "pause"))
    assert mode(shown) == "scoring"
    assert "Enter begins the next one" in text(shown)
    assert press(shown, "right")[0].tab == 1
    waiting = replace(shown, asked=None)
    assert press(waiting, "enter") == (replace(waiting.ui, toast="It is not your turn."), None)
    ended = stage(over())
    assert press(ended, "enter")[0].toast == "No further round is waited for."


def test_the_log_tells_a_duel_and_the_rounds() -> None:
    shots = game(EVERYTHING, 3, 1)
    told = [entry.text for entry in stage(shots[-1]).entries]
    assert told.count("The hands lie open.") == 3
    assert "Round 2 begins." in told
    assert "Round 3 begins." in told


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_who_is_done_is_told_how_to_leave(size: tuple[int, int], language: str) -> None:
    locale.use(language)
    for shot in (over(), stopped()):
        assert {"en": " q quit", "pt_BR": " q sair"}[language] in text(stage(shot, *size)).split("\n")[-1]


def test_an_empty_hand_knows_what_a_take_is_worth() -> None:
    """In a duel everybody begins with one; nothing stays on "being computed" for ever."""
    shot = moment(DUEL, 2, "draw", lambda shown: not shown.seats[0].hand and len(shown.discards) > 0)
    shown = stage(shot)
    assert shown.worth is not None
    assert shown.worth.done
    assert shown.worth.total == 0
    assert set(shown.worth.takes) == set(shot.status.view.discards)
    assert "…" not in text(shown)
    hidden = moment(replace(DUEL, hints="off"), 2, "draw", lambda shown: not shown.seats[0].hand)
    assert not stage(hidden).worth.takes  # type: ignore[union-attr]


def test_while_the_own_item_is_open_the_line_tells_its_keys() -> None:
    options = Options(cursed_items=True)
    shown = stage(moment(options, 2, "draw"), ui=Ui(overlay="items"))
    assert text(shown).split("\n")[-2] == " Up and Down: what to do. Enter does it. i: back."
