"""The page that specifies the state, the structs of the program, and the vectors agree."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.agenda import AnyTask
from frp2p.games.fantasy_realms.items.shelf import Covered, Shelf, Shown
from frp2p.games.fantasy_realms.moves import FantasyMove
from frp2p.games.fantasy_realms.ranking import Result
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.task import Asking, Automatic, Dealing, OfSeat, OfTurn, Task
from frp2p.games.fantasy_realms.trade import Offer, Swap
from frp2p.games.game import Deal, Decide
from frp2p.games.verbs import Cards, Number, Slots
from frp2p.ledger.codec import decode, encode

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "protocol" / "11-fantasy-realms-state.md").read_text(encoding="utf-8")
RULES: Final = (ROOT / "protocol" / "11-fantasy-realms.md").read_text(encoding="utf-8")
VECTORS: Final = json.loads((ROOT / "protocol" / "vectors" / "fantasy-realms-states.json").read_text(encoding="utf-8"))
TASKS: Final[tuple[type[Task], ...]] = get_args(AnyTask)
CAP: Final = 1 << 16
"""Bytes; more than any state takes."""


def tables(page: str) -> list[list[list[str]]]:
    """Every table of a page: its rows of cells, without the rule below the head."""
    found = re.findall(r"(?:^\|.*\|\n)+", page, re.MULTILINE)
    return [[[cell.strip() for cell in row.strip("|\n").split("|")] for row in table.splitlines()] for table in found]


def fields_of(table: list[list[str]]) -> list[str]:
    """The names in the first column."""
    return [row[0].strip("`") for row in table[2:]]


STATE, RESULT, SHELF, SMALL, TASK_TABLE = tables(PAGE)


@pytest.mark.parametrize(("table", "record"), [(STATE, State), (RESULT, Result), (SHELF, Shelf)])
def test_the_fields_of_a_record_are_those_of_the_page(table: list[list[str]], record: Any) -> None:
    assert tuple(fields_of(table)) == record.__struct_fields__
    assert record.__struct_config__.array_like
    assert record.__struct_config__.tag is None


def test_the_small_records_are_those_of_the_page() -> None:
    records: dict[str, Any] = {one.__name__: one for one in (Covered, Shown, Offer, Swap)}
    assert {row[0].strip("`"): tuple(row[1].split(", ")) for row in SMALL[2:]} == {
        name: record.__struct_fields__ for name, record in records.items()
    }


def test_every_task_stands_on_the_page_as_it_is() -> None:
    rows = {row[0].strip("`"): row for row in TASK_TABLE[2:]}
    assert len(rows) == len(TASK_TABLE) - 2
    assert set(rows) == {str(task.__struct_config__.tag) for task in TASKS}
    for task in TASKS:
        _tag, fields, kind, owner, stays, what = rows[task.__name__]
        assert tuple(filter(None, fields.split(", "))) == task.__struct_fields__, task
        assert {"A": Automatic, "D": Dealing, "Q": Asking}[kind] in task.__mro__, task
        alone = "turn" if task.whose is OfTurn.whose else "" if task.whose is Task.whose else "seat"
        assert owner == alone, task
        kept = task.stays or task.__name__ in ("AskChoices", "SwapCards")
        assert (stays == "yes") == kept, task
        assert what, task
    assert issubclass(OfSeat, Task)


def test_the_options_and_moves_are_those_of_the_page() -> None:
    options, *others = tables(RULES)
    assert tuple(fields_of(options)) == Options.__struct_fields__
    tags = [row for table in others for row in table if re.fullmatch(r"(`[A-Z]\w+`(, )?)+", row[0])]
    written = {tag.strip("`"): row[1] for row in tags for tag in row[0].split(", ")}
    moves = {move.__name__: move for move in get_args(FantasyMove)}
    assert set(written) == set(moves)
    for name, move in moves.items():
        named = set(re.findall(r"[a-z_]+", re.sub(r":[^;]*", "", written[name])))
        assert named == set(move.__struct_fields__), name


@pytest.mark.parametrize("test", VECTORS["tests"], ids=lambda test: str(test["id"]))
def test_the_program_comes_to_the_states_of_the_vectors(test: dict[str, Any]) -> None:
    options = decode(bytes.fromhex(test["options"]), Options, cap=CAP)
    state = GAME.start(options, test["seats"])
    compare(state, test["start"])
    for event in test["events"]:
        need = GAME.need(state)
        if "moves" in event:
            moves = {
                int(seat): decode(bytes.fromhex(move), FantasyMove, cap=CAP) for seat, move in event["moves"].items()
            }
            assert isinstance(need, Decide)
            state = GAME.apply(state, moves)
        elif "outcomes" in event:
            assert isinstance(need, Deal)
            answers = [decode(bytes.fromhex(one), Slots | Cards | Number, cap=CAP) for one in event["outcomes"]]
            state = GAME.dealt(state, tuple(answers))
        elif "out" in event:
            state = GAME.out(state, tuple(event["out"]))
        else:
            state = GAME.stop(state, tuple(event["stop"]))
        compare(state, event)
    assert state.agenda == ()


def compare(state: State, told: dict[str, Any]) -> None:
    wire = encode(state)
    assert sha256(wire).hexdigest() == told["sha256"]
    if "state" in told:
        assert wire.hex() == told["state"]
        assert decode(wire, State, cap=CAP) == state


def test_the_vectors_are_what_their_script_writes() -> None:
    script = ROOT / "scripts" / "make_state_vectors.py"
    assert subprocess.run([sys.executable, str(script), "--check"], check=False).returncode == 0


def test_the_vectors_have_every_mode_and_both_kinds_of_departure() -> None:
    assert {decode(bytes.fromhex(one["options"]), Options, cap=CAP).mode for one in VECTORS["tests"]} == {
        *("standard", "duel", "chaos")
    }
    assert VECTORS["count"] == len(VECTORS["tests"])
    assert {how for one in VECTORS["tests"] for event in one["events"] for how in ("out", "stop") if how in event} == {
        *("out", "stop")
    }
