"""What every screen looks like at each of the three sizes in both languages."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion
from tui_kit import Table, by_default, cards, seats, snapshot, stage, status, stopped, text, view

from frp2p import locale
from frp2p.app.model_cards import mark, name
from frp2p.app.model_scores import hand_lines, seat_score
from frp2p.app.snapshot import Snapshot
from frp2p.table.events import Joined
from frp2p.tui.state import Stage, Ui

SIZES = ((120, 40), (80, 24), (60, 20))


@lru_cache(maxsize=1)
def game() -> tuple[Snapshot, ...]:
    """A real game of four, every snapshot of it, the last one over and verified."""
    table = Table(4, seed=7)
    shots = list(table.views(by_default))
    table.finish()
    return (*shots, table.snapshot())


def moment(phase: str, *, mine: bool, turn: int = 0) -> Snapshot:
    """The first moment of this kind that comes after a turn."""
    for shot in game():
        shown = shot.status.view
        if shown.phase == phase and (0 in shown.asked) == mine and shown.turn > turn:
            return shot
    raise LookupError(phase)


WILD_HAND = cards(49, 51, 52, 53, 9, 16, 38)
NECROMANTIC = cards(28, 31, 32, 21, 22, 23, 36)
LAID = cards(1, 2, 3, 24, 33, 27, 37, 8, 17, 30)


def lobby() -> Snapshot:
    empty = status(4, phase="lobby", seats=seats(2), shuffled_by=(), code="", step=0)
    return snapshot(empty, (Joined("Rui"), Joined("Ana")))


def waiting() -> Snapshot:
    shot = moment("draw", mine=False, turn=4)
    asked = shot.status.view.asked[0]
    lost = msgspec.structs.replace(shot.status, seats=seats(4, away=(asked,)), waiting_for=(asked,))
    return msgspec.structs.replace(shot, status=lost)


def setup() -> Snapshot:
    half = status(4, phase="play", shuffled_by=(0, 1), waiting_for=(2, 3), step=9, view=game()[0].status.view)
    return snapshot(half)


SCREENS: dict[str, Callable[[], tuple[Snapshot, Ui]]] = {
    "lobby": lambda: (lobby(), Ui()),
    "setup": lambda: (setup(), Ui()),
    "my draw": lambda: (moment("draw", mine=True, turn=10), Ui(area="discards", index=1)),
    "my draw, taking": lambda: (moment("draw", mine=True, turn=10), Ui(area="discards", index=1, armed=True)),
    "my discard": lambda: (moment("discard", mine=True, turn=10), Ui(index=4, armed=True)),
    "another's turn": lambda: (moment("draw", mine=False, turn=10), Ui(index=2)),
    "waiting for somebody lost": lambda: (waiting(), Ui()),
    "choices": lambda: (snapshot(status(4, view(WILD_HAND, LAID, "choices"))), Ui(field=3)),
    "extra": lambda: (snapshot(status(4, view(NECROMANTIC, LAID, "extra"))), Ui()),
    "scoring": lambda: (game()[-1], Ui(tab=1)),
    "help": lambda: (moment("draw", mine=True), Ui(overlay="help")),
    "log": lambda: (game()[-1], Ui(overlay="log", scroll=10_000)),
    "card": lambda: (moment("discard", mine=True, turn=10), Ui(overlay="card", index=1)),
    "quit": lambda: (moment("draw", mine=True), Ui(overlay="quit")),
    "stopped": lambda: (stopped(), Ui()),
}


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCREENS)
def test_screen(name: str, size: tuple[int, int], language: str, snapshot: SnapshotAssertion) -> None:
    shot, ui = SCREENS[name]()
    locale.use(language)
    assert text(stage(shot, *size, ui)) == snapshot


@pytest.mark.parametrize("size", [(59, 20), (60, 19), (20, 5), (1, 1)])
def test_too_small_says_what_is_needed(size: tuple[int, int]) -> None:
    shot, ui = SCREENS["my draw"]()
    shown = text(stage(shot, *size, ui))
    if size[0] > 20:
        assert "60x20" in shown
        assert f"{size[0]}x{size[1]}" in shown
    assert all(len(line) <= size[0] for line in shown.split("\n"))
    assert len(shown.split("\n")) == size[1]


def prompt_of(shown: Stage) -> str:
    return text(shown).split("\n")[-2]


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("size", SIZES[1:], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCREENS)
def test_questions_and_tasks_are_never_clipped(name: str, size: tuple[int, int], language: str) -> None:
    shot, ui = SCREENS[name]()
    locale.use(language)
    assert "…" not in prompt_of(stage(shot, *size, ui))


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("number", range(1, 54))
def test_no_card_name_is_clipped_at_80_columns(number: int, language: str) -> None:
    locale.use(language)
    (card,) = cards(number)
    others = tuple(other for other in cards(1, 7, 12, 17, 21, 29, 49) if mark(other) != mark(card))[:6]
    shown = view((card, *others), phase="discard", asked=(0,))
    lines = text(stage(snapshot(status(4, shown)))).split("\n")
    (row,) = (line.split("│")[0] for line in lines[2:9] if line.split("│")[0][3:].startswith(mark(card)))
    assert name(card) in row
    shown = view(others, (card,))
    assert "…" not in text(stage(snapshot(status(4, shown)))).split("\n")[11]


@pytest.mark.parametrize("seed", range(4))
def test_the_explained_hands_add_up_to_what_the_game_counted(seed: int) -> None:
    table = Table(2 + seed, seed=seed)
    last = list(table.views(by_default))[-1].status.view
    for seat in last.seats:
        score = seat_score(last, seat)
        assert score is not None
        assert score.total == seat.total == sum(part.points for part in score.cards)
        rows = ["".join(cell.text for cell in line) for line in hand_lines(table.snapshot(), seat.seat, 100)]
        assert rows[-1].split() == ["Total", str(seat.total)]


def test_the_hands_and_the_verdict_stay_readable_at_the_smallest_size() -> None:
    shown = text(stage(game()[-1], 60, 20))
    assert "verified by 4 of 4" in shown
    assert "2026-11-30-K7Q2MPX4.frp2p" in shown.replace("\n", "").replace(" ", "")
    assert isinstance(game()[-1].transcript, Path)
