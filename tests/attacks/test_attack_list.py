"""The list of pitfalls is whole, and the page that is made from it is current."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from pitfalls import PITFALLS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_threat_table", ROOT / "scripts" / "make_threat_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_pitfall_is_answered(script: ModuleType) -> None:
    """By a test, unless it is out of scope and says so."""
    assert [pitfall.number for pitfall in PITFALLS] == list(range(1, 44))
    marks = script.marked()
    untested = {pitfall.number for pitfall in PITFALLS if not marks[pitfall.number] and not pitfall.tests}
    assert untested == {40, 41, 43}
    assert all(pitfall.limit for pitfall in PITFALLS if pitfall.number in untested)


def test_the_page_is_current(script: ModuleType) -> None:
    """If this fails: run scripts/make_threat_table.py."""
    text = script.PAGE.read_text(encoding="utf-8")
    assert script.page(text) == text
    assert text.count(script.BEGIN) == text.count(script.END) == 1
    assert script.page(text.replace("forty-three", "many")) == text


def test_names_that_are_not_there_are_found(script: ModuleType) -> None:
    for name in ("frp2p.deal.no_such_module", "frp2p.deal.coin.NoSuchTask", "frp2p.deal.coin.CoinTask.no_such_method"):
        with pytest.raises(ValueError, match="there is no frp2p"):
            script.look_up(name)
    assert script.look_up("frp2p.deal.coin.CoinTask.speak")
    for name in ("attacks/test_attack_list.py::test_no_such_test", "attacks/test_no_such_file.py::test_it"):
        with pytest.raises(ValueError, match="there is no test"):
            script.find_test(name)
