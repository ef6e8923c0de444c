"""`frp2p cards`: the reference finds every card, in both languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from wcwidth import wcswidth

from frp2p import locale
from frp2p.cards import CARDS, Suit, deck, sets
from frp2p.cards.text import card_text
from frp2p.cli import main


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("FRP2P_HOME", str(tmp_path))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield
    locale.use("en")


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["cards", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def listed(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    plain: dict[str, Any] = json.loads(result.stdout)
    return plain


def ids(*arguments: str) -> list[str]:
    plain = listed(*arguments)
    return [each["id"] for each in plain["cards"] + plain["items"]]


def test_a_card_says_its_text() -> None:
    result = run("Basilisk")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "Basilisk                  Beast            35   FR37   the base game",
        "    Penalty     Blanks each Army, each Leader and each other Beast.",
    ]


def test_a_card_says_its_text_in_portuguese() -> None:
    result = run("Basilisk", "--lang", "pt_BR")
    assert "Basilisco" in result.stdout
    assert "Anula cada Exército, cada Líder e cada outra carta de Animal." in result.stdout


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ([], list(deck())),
        (["--extra-suits"], list(deck(extra_suits=True))),
        (["--set", "all"], [*CARDS, *sets.items()]),
        (["--set", "items"], list(sets.items())),
        (["--set", "promo"], ["FR54", "FR55", "FR55P"]),
        (["--set", "hoard", "--suit", "land"], ["CH05"]),
        (["--suit", "undead", "--extra-suits"], ["CH11", "CH12", "CH13", "CH14", "CH15"]),
        (["--suit", "Mago"], ["FR26", "FR27", "FR28", "FR29", "FR30"]),
        (["bell", "tower"], ["CH16", "FR03"]),
        (["bell tower", "--extra-suits"], ["CH16"]),
        (["bell tower", "--set", "base"], ["FR03"]),
        (["CH16"], ["CH16"]),
        (["31"], ["FR31"]),
        (["Demônio"], ["CH10"]),
        (["phoenix"], ["FR55", "FR55P"]),
        (["treasure"], ["CH39"]),
        (["pá"], ["CH31"]),
        (["garden", "--suit", "land"], ["CH05"]),
    ],
)
def test_what_is_asked_for_is_found(arguments: list[str], found: list[str]) -> None:
    assert ids(*arguments) == found


def test_the_json_says_all_of_a_card() -> None:
    lich = listed("Lich")["cards"][0]
    assert lich == {
        "id": "CH14",
        "name": "Lich",
        "suit": "undead",
        "suit_name": "Undead",
        "strength": 13,
        "bonus": list(card_text(CARDS[lich["id"]].id)),
        "penalty": [],
        "set": "hoard",
        "replaces": None,
    }
    assert listed("CH16", "--lang", "pt_BR")["cards"][0]["replaces"] == "FR03"
    chest = listed("CH39")["items"][0]
    assert (chest["value"], chest["timing"], len(chest["texts"])) == (-5, "any", 3)


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_the_whole_list_fits_and_leaves_no_text_out(language: str) -> None:
    result = run("--set", "all", "--lang", language)
    assert all(line.isprintable() and wcswidth(line) <= 80 for line in result.stdout.splitlines())
    flat = " ".join(result.stdout.split())
    for card in CARDS.values():
        assert card.name(language) in flat
        assert all(sentence in flat for sentence in card_text(card.id))


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["Basilsk"], "Did you mean Basilisk?"),
        (["ca"], "may be"),
        (["King", "--set", "promo"], "the base game"),
        (["--suit", "undead"], "--extra-suits adds more cards."),
        (["King", "--suit", "land"], "Land"),
        (["--suit", "quark"], "There is no suit"),
        (["--suit", "arm"], "Weapon (arma)"),
        (["--set", "items", "--suit", "wild"], "Wild"),
        (["--set", "x"], "--set"),
        (["x" * 1000], "too long"),
        (["\x1b[31m"], "Nothing here"),
    ],
)
def test_what_is_not_possible_is_one_sentence_and_exit_2(arguments: list[str], part: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert part in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "\x1b" not in result.stderr


def test_every_suit_has_a_list() -> None:
    assert sum(len(ids("--set", "all", "--suit", suit.value)) for suit in Suit) == len(CARDS)
