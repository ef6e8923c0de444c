"""No frame raises, and every frame is exactly as large as the terminal, at any size in any state."""

from __future__ import annotations

from functools import lru_cache

import items_kit
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tui_kit import Table, cards, snapshot, stage, status, stopped, view

from frp2p import locale
from frp2p.app.model_text import line_width
from frp2p.app.model_worth import own_hand
from frp2p.app.snapshot import Snapshot
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.items.prompt import check_answer
from frp2p.games.fantasy_realms.moves import Arrange, Choose, PickCards, PickSlots
from frp2p.games.game import Move
from frp2p.scoring import Context, check_choices
from frp2p.tui.actions import Commit, press
from frp2p.tui.bindings import every_key
from frp2p.tui.compose import compose
from frp2p.tui.leaving import Leave
from frp2p.tui.state import Stage, Ui


@lru_cache(maxsize=1)
def moments() -> tuple[Stage, ...]:
    """Every kind of moment, computed once: games of 2 to 6, dialogs, faults, an observer."""
    shots: list[Snapshot] = []
    for count in (2, 4, 6):
        table = Table(count, seed=count)
        game = list(table.views(lambda shown, _legal: GAME.default(shown)))
        table.finish()
        shots += [*game[:: max(1, len(game) // 8)], game[-1], table.snapshot()]
    shots.append(stopped())
    shots.append(snapshot(status(4, phase="lobby", code="", seats=())))
    shots.append(snapshot(status(4, phase="setup")))
    shots.append(snapshot(status(3, view(cards(49, 51, 52, 53, 9, 16, 38), cards(28, 31), "choices", count=3))))
    shots.append(snapshot(status(3, view(cards(28, 51, 52, 53, 9, 16, 38), cards(31, 36), "extra", count=3))))
    shots += [items_kit.shot(shown) for shown in items_kit.PROMPTS.values()]
    shots += [
        items_kit.shot(items_kit.peeked()),
        items_kit.shot(items_kit.table(phase="finish")),
        items_kit.shot(items_kit.table(mine=None, asked=(1,))),
        *items_kit.game(4, 8)[::40],
    ]
    shots.append(snapshot(status(3, view(cards(1, 2), (), asked=(1,), count=3, me=None), me=None, asked=False)))
    return tuple(stage(shot) for shot in shots)


def allowed(shown: Stage, move: Move) -> bool:
    """Whether the game would take this move of seat 0."""
    if shown.asked is None:
        return False
    if isinstance(move, PickCards | PickSlots | Arrange):
        GAME.check_known(shown.asked[0], move)
        check_answer(shown.asked[0].prompt, move)
        return True
    if not isinstance(move, Choose):
        return move in shown.asked[1]
    check_choices(own_hand(shown.asked[0]), move.choices, Context(players=len(shown.asked[0].seats)))
    return True


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 200), st.lists(st.sampled_from([*every_key(), "enter", "y", "down", "i", " "]), max_size=14))
def test_whatever_is_pressed_only_legal_moves_come_out(number: int, keys: list[str]) -> None:
    one = moments()[number % len(moments())]
    ui = Ui()
    for key in keys:
        ui, effect = press(replace(one, ui=ui), key)
        compose(replace(one, ui=ui))
        if isinstance(effect, Commit):
            assert allowed(one, effect.move), (key, effect.move)
        if isinstance(effect, Leave):
            return


screens = st.builds(
    Ui,
    area=st.sampled_from(["hand", "discards"]),
    index=st.integers(0, 12),
    armed=st.booleans(),
    overlay=st.sampled_from(["", "help", "log", "card", "items", "quit"]),
    scroll=st.integers(0, 200),
    tab=st.integers(-1, 8),
    field=st.integers(0, 7),
    extra=st.integers(-1, 12),
    act=st.integers(-1, 5),
    at=st.integers(-1, 30),
    picks=st.none() | st.lists(st.integers(-1, 25), max_size=5).map(tuple),
    away=st.booleans(),
    toast=st.sampled_from(["", "No."]),
)


@settings(deadline=None, max_examples=300)
@given(
    st.integers(0, 200), st.integers(1, 200), st.integers(1, 60), screens, st.sampled_from(locale.LANGUAGES),
    st.booleans(),
)  # fmt: skip
def test_every_frame_fits(number: int, columns: int, rows: int, ui: Ui, language: str, known: bool) -> None:
    locale.use(language)
    one = moments()[number % len(moments())]
    shown = Stage(one.snapshot, one.asked, one.worth if known else None, one.entries, ui, columns, rows)
    frame = compose(shown)
    assert len(frame.lines) == rows
    assert all(line_width(line) == columns for line in frame.lines)
    assert frame.scroll_end >= 0
