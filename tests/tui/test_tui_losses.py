"""What the screen says of players who are slow, away, voted on or out, of clocks, and of leaving."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache

import pytest
from msgspec.structs import replace
from screen_rig import rig
from syrupy.assertion import SnapshotAssertion
from tui_kit import PEOPLE, Table, by_default, seats, snapshot, stage, status, stopped, text

from frp2p import locale
from frp2p.app import model_losses
from frp2p.app.model_leaving import ways
from frp2p.app.model_waiting import waiting_text
from frp2p.app.snapshot import Snapshot
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.view import HandCard, View
from frp2p.games.verbs import SlotId
from frp2p.ledger.provisions import Clock, Provisions, provisions
from frp2p.table.events import Convicted, SeatsOut, TimeUp
from frp2p.table.status import VoteStatus, Wait
from frp2p.tui import client
from frp2p.tui.actions import press
from frp2p.tui.leaving import Leave
from frp2p.tui.state import Ui

SIZES = ((80, 24), (60, 20))
CLOCK = Clock(30, 60, 5, 120)


@cache
def shots(count: int, *, items: bool = False) -> tuple[Snapshot, ...]:
    """A real game, every snapshot of it, the last one over and verified."""
    table = Table(count, seed=7, options=Options(cursed_items=items, extra_suits=count == 7))
    found = list(table.views(by_default))
    table.finish()
    return (*found, table.snapshot())


def turn(seat: int, count: int = 4, *, provided: Provisions | None = None, items: bool = False) -> Snapshot:
    """The first turn of this seat after the first round of turns."""
    for shot in shots(count, items=items):
        view = shot.status.view
        if view.phase == "draw" and view.asked == (seat,) and view.turn > count:
            return changed(shot, provisions=provided or provisions(count), waiting_for=(seat,))
    raise LookupError(seat)


def changed(shot: Snapshot, **changes: object) -> Snapshot:
    return replace(shot, status=replace(shot.status, **changes))


def away(seat: int, left: float | None, count: int = 4, gone: tuple[int, ...] = ()) -> Snapshot:
    """It is this seat's turn, and there is no connection to it, nor to those who are `gone`."""
    lost = seats(count, away=(seat, *gone))
    return changed(turn(seat, count), seats=lost, waits=(Wait(seat, connected=False, seconds_left=left),))


def out(shot: Snapshot, *gone: int, known: bool = True) -> Snapshot:
    """These seats are out; the game knows it already unless the dealer is not done."""
    view: View = shot.status.view
    rows = tuple(
        replace(row, points=None, total=None, rank=len(view.seats), hand=(HandCard(SlotId(1), None),))
        if row.seat in gone
        else row
        for row in view.seats
    )
    marked = tuple(replace(seat, out=seat.seat in gone, connected=seat.seat not in gone) for seat in shot.status.seats)
    return changed(shot, seats=marked, view=replace(view, seats=rows, out=gone) if known else view)


def clocks(seat: int, count: int, *, items: bool = False) -> Snapshot:
    """A table with a clock, and what everybody has in hand."""
    shot = turn(seat, count, provided=provisions(count, CLOCK), items=items)
    banks = tuple(replace(one, bank=12.0 * one.seat) for one in shot.status.seats)
    waits = () if seat == 0 else (Wait(seat, connected=True, seconds_left=12.0),)
    return changed(shot, seats=banks, waits=waits, clock=42.0 if seat == 0 else None)


def voting() -> Snapshot:
    return changed(away(1, 0.0), vote=VoteStatus(accused=(1,), ballot=1, promised=2, needed=3))


def silent() -> Snapshot:
    """Shares of a program are missing, and nobody is asked."""
    shot = turn(1)
    view = replace(shot.status.view, phase="dealing", asked=())
    return changed(shot, view=view, waits=(Wait(1, connected=True, seconds_left=95.0),))


def ended() -> Snapshot:
    shot = out(shots(4)[-1], 2)
    shot = changed(shot, view=replace(shot.status.view, stopped=True), verified_by=(0, 1, 3))
    return replace(shot, evidence=stopped().evidence)


SCREENS: dict[str, Callable[[], tuple[Snapshot, Ui]]] = {
    "away": lambda: (away(1, 95.0), Ui()),
    "silent": lambda: (silent(), Ui()),
    "voting": lambda: (voting(), Ui()),
    "minority": lambda: (away(1, 30.0, 5, (3, 4)), Ui()),
    "adjourned": lambda: (changed(away(1, 0.0, 2), stuck=(1,)), Ui()),
    "parting": lambda: (out(turn(1), 2, known=False), Ui()),
    "out": lambda: (out(turn(0), 2), Ui()),
    "I am out": lambda: (out(turn(1), 0), Ui()),
    "leaving": lambda: (changed(turn(1), leaving=True), Ui()),
    "clock of another": lambda: (clocks(1, 4), Ui()),
    "my clock": lambda: (clocks(0, 4), Ui()),
    "clocks of seven": lambda: (out(clocks(1, 7), 3), Ui()),
    "clocks and items": lambda: (clocks(1, 4, items=True), Ui()),
    "how to leave": lambda: (turn(1, provided=provisions(4, CLOCK, recovery=True)), Ui(overlay="quit")),
    "for good": lambda: (turn(1), Ui(overlay="quit", act=1, armed=True)),
    "stopped and scored": lambda: (ended(), Ui()),
    "the hand of who is out": lambda: (ended(), Ui(tab=2)),
    "lobby": lambda: (lobby(provisions(7, CLOCK, recovery=True)), Ui()),
}


def lobby(provided: Provisions, count: int = 7) -> Snapshot:
    return snapshot(status(count, phase="lobby", code="", seats=seats(count - 1), provisions=provided))


@pytest.mark.parametrize("language", locale.LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCREENS)
def test_screen(name: str, size: tuple[int, int], language: str, snapshot: SnapshotAssertion) -> None:
    shot, ui = SCREENS[name]()
    locale.use(language)
    shown = text(stage(shot, *size, ui))
    assert shown == snapshot
    assert "…" not in shown.split("\n")[-2]


WAITING = {
    "Bob: no connection, 95 s left.": lambda: away(2, 95.0),
    "Bob: no connection, 3:20 min left.": lambda: away(2, 200.0),
    "Bob: no connection; calling again.": lambda: away(2, None),
    "Ana: no connection; calling again.": lambda: away(1, 30.0, 2),  # two can't vote: nothing happens then
    "Ana: no answer, 95 s left.": silent,
    "Ana has 12 s to move.": lambda: clocks(1, 4),
    "The table votes about Ana.": voting,
    "Waiting: you are 2 of 5, the others may be going on.": lambda: away(1, 30.0, 5, (3, 4)),
    "Ana: away. The table waits; nothing is lost.": lambda: changed(away(1, 0.0, 2), stuck=(1,)),
    "Waiting for Ana.": lambda: turn(1),
    "": lambda: changed(turn(0), waiting_for=()),
}


@pytest.mark.parametrize("sentence", WAITING)
def test_what_is_waited_for_is_a_sentence(sentence: str) -> None:
    assert waiting_text(WAITING[sentence]()) == sentence


@pytest.mark.parametrize("sentence", WAITING)
def test_a_line_without_a_screen_does_not_count_seconds(sentence: str) -> None:
    shot = WAITING[sentence]()
    later = changed(shot, waits=tuple(replace(wait, seconds_left=1.0) for wait in shot.status.waits))
    assert waiting_text(shot, counting=False) == waiting_text(later, counting=False)


HOWS = {
    "leave": "Ana has left for good: the others go on.",
    "recover": "Ana is out: the others go on.",
    "stop": "Ana is out: the game is stopped and scored.",
    "last": "Ana is out: one player is left, the game is over.",
    "end": "Ana did not sign the end.",
}


@pytest.mark.parametrize("how", HOWS)
def test_whoever_is_out_is_told_once(how: str) -> None:
    event = SeatsOut(7, (1,), how)  # type: ignore[arg-type]
    shot = snapshot(status(4), (event,))
    assert model_losses.news(shot, 0) == HOWS[how]
    assert model_losses.news(shot, 1) == ""
    assert HOWS[how] in text(stage(shot, 80, 24, Ui(overlay="log")))


@pytest.mark.parametrize(("gone", "why"), [((1,), "no card was dealt"), ((1, 2, 3), "everybody else is out")])
def test_nobody_wins_a_game_in_which_no_card_was_dealt(gone: tuple[int, ...], why: str) -> None:
    """Unless nobody else is left."""
    view = GAME.view(GAME.stop(GAME.start(Options(), 4), gone), 0, {})
    shot = snapshot(status(4, view, phase="over"))
    shown = text(stage(shot))
    assert f"Nothing is counted: {why}." in shown
    assert ("wins" in shown) == (len(gone) == 3)


def test_a_convicted_player_is_told_with_the_check() -> None:
    shot = snapshot(status(4), (Convicted(1, "two-parts", b"proof"),))
    assert model_losses.news(shot, 0) == "Ana broke the protocol, and that is proved: two-parts."


def test_a_move_that_was_made_for_one_is_told() -> None:
    shot = snapshot(status(4), (TimeUp(),))
    told = "Your time was up: your program made a plain move for you."
    assert (model_losses.news(shot, 0), model_losses.news(shot, 1)) == (told, "")
    assert told in text(stage(shot, 80, 24, Ui(overlay="log")))


@pytest.mark.parametrize("key", ["d", "y", "\r", "s"])
async def test_a_key_hides_what_is_waited_for_only_for_a_while(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "TOAST_SECONDS", 0.3)
    table = Table(4, seed=7)
    waiting = "Ana: no connection, 95 s left."
    async with rig(table, table.human) as running:
        table.show(away(1, 95.0))
        await running.rest()
        assert waiting in running.text()
        await running.keys(key)
        assert waiting not in running.text()
        await asyncio.sleep(0.5)
        await running.rest()
        assert waiting in running.text()


def test_leaving_for_good_takes_two_keys_and_never_the_default() -> None:
    shot = turn(1)
    for keys, effect in {
        ("q", "enter"): Leave(),
        ("q", "y"): Leave(),
        ("c-c", "c-c"): Leave(),
        ("q", "down", "enter"): None,
        ("q", "down", "enter", "enter"): Leave(for_good=True),
        ("q", "down", "enter", "escape", "escape"): None,
        ("q", "f"): None,
        ("q", "f", "f"): Leave(for_good=True),
        ("q", "f", "up", "enter"): Leave(),
        ("q", "f", "down", "enter"): None,
        ("q", "up", "enter"): None,
        ("q", "n"): None,
    }.items():
        ui, last = Ui(), None
        for key in keys:
            ui, last = press(stage(shot, ui=ui), key)
        assert last == effect, keys
        assert effect is not None or ui.overlay == ("quit" if ui.armed else ""), keys


@pytest.mark.parametrize("shot", [out(turn(1), 0), changed(turn(1), leaving=True), changed(turn(1), me=None)])
def test_without_a_seat_at_stake_it_is_one_question(shot: Snapshot) -> None:
    asks = stage(shot, ui=Ui(overlay="quit"))
    assert "Leave? y: yes, n: no" in text(asks)
    assert press(asks, "y")[1] == Leave()
    ui, effect = press(asks, "f")
    assert effect is None
    assert ui.toast


@pytest.mark.parametrize(
    ("shot", "away_words", "good_words"),
    [
        (turn(1), "vote you out, and the game is stopped", "go on without you"),
        (turn(1, provided=provisions(4, recovery=True)), "vote you out, and the game goes on", "go on without you"),
        (turn(1, provided=provisions(4, on_loss="adjourn")), "The game waits for you", "go on without you"),
        (turn(1, 2), "The game waits for you", "left alone"),
        (away(1, 30.0, 5, (3, 4)), "vote you out", "Too many are away"),
        (changed(turn(1), phase="setup", view=None), "begins when you are back", "table ends"),
        (changed(turn(1), phase="closing"), "vote you out", "only your signature"),
    ],
)
def test_what_becomes_of_the_game_depends_on_the_table(shot: Snapshot, away_words: str, good_words: str) -> None:
    first, second, third = ways(shot.status)
    assert away_words in first.text
    assert good_words in second.text
    assert (first.what, second.what, third.what) == ("away", "good", "stay")


PROVIDED = [
    provisions(count, clock, recovery=recovery, on_loss=on_loss, watched=watched, audit=watched)
    for count in (2, 3, 7)
    for clock in (Clock(), CLOCK, Clock(bank_seconds=3600))
    for recovery in (False, True)
    if not (recovery and count == 2)
    for on_loss in ("stop", "adjourn")
    for watched in (False, True)
]


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_what_was_agreed_is_short_in_the_lobby_and_whole_in_the_help(language: str) -> None:
    locale.use(language)
    for provided in PROVIDED:
        short, whole = model_losses.provided(provided), model_losses.whole(provided)
        assert len(" ".join(short)) <= 5 * 76, short
        assert all(sentence.endswith(".") for sentence in (*short, *whole))
        assert len(set(whole)) == len(whole)
    assert len({model_losses.whole(provided) for provided in PROVIDED}) >= len(PROVIDED) // 3


def test_a_full_lobby_of_seven_shows_where_to_join_and_what_was_agreed() -> None:
    for provided in PROVIDED:
        shown = text(stage(lobby(provided)))
        assert "frp2p join 192.168.7.20:52701" in shown
        assert ("could look" in shown) is provided.recovery
        help_page = text(stage(lobby(provided), 80, 90, Ui(overlay="help")))
        assert "What was agreed at this table" in help_page


@pytest.mark.parametrize("count", range(2, 8))
def test_every_player_s_time_and_who_is_out_can_be_read(count: int) -> None:
    shot = out(clocks(1, count), count - 1) if count > 2 else clocks(1, count)
    for size in SIZES:
        lines = text(stage(shot, *size)).split("\n")
        table = "\n".join(lines[:9])
        assert "0:12" in table
        for seat in range(2, count - 1):
            assert f"{12 * seat // 60}:{12 * seat % 60:02d}" in table
        if count > 2:
            assert "out" in table
            assert f"x{PEOPLE[count - 1]}" in table or f"x  7  {PEOPLE[count - 1]}" in table or "x  1" in table
