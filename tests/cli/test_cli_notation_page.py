"""docs/notation.md says the truth: its examples, its limits, its keys."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from frp2p import locale
from frp2p.cli import main
from frp2p.scoring.notation import MAX_HAND, MAX_LINE, PLAYERS

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^frp2p (score .*?) +# (-?\d+)$", PAGE, re.MULTILINE)


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("FRP2P_HOME", str(tmp_path))
    yield
    locale.use("en")


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == PAGE.count("\nfrp2p ") == 8


@pytest.mark.parametrize(("command", "total"), EXAMPLES)
def test_an_example_scores_as_the_page_says(command: str, total: str) -> None:
    result = CliRunner().invoke(main, [*shlex.split(command), "--json"])
    assert json.loads(result.stdout)["total"] == int(total)


def test_the_limits_are_those_of_the_program() -> None:
    for said in (f"{MAX_LINE} characters", f"{MAX_HAND} cards at most", f"{PLAYERS[0]} to {PLAYERS[-1]}"):
        assert said in PAGE


def test_every_key_of_the_json_is_on_the_page() -> None:
    stream = "Necromancer, Smoke | discard: Unicorn | items: Portal\nKng\n"
    result = CliRunner().invoke(main, ["score", "--stdin", "--best", "--json"], input=stream)
    good, bad = map(json.loads, result.stdout.splitlines())
    keys = [*good, *bad, *bad["error"], *good["extra"]]
    keys += [key for card in good["cards"] for key in card]
    keys += [key for item in good["items"] for key in item]
    keys += [key for step in good["steps"] for key in step]
    told = {key.removesuffix("[]") for key in re.findall(r"`([a-z_\[\]]+)`", PAGE)}
    assert set(keys) <= told
