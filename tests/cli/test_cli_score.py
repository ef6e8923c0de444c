"""`frp2p score` as people and scripts use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from frp2p import locale
from frp2p.cards import CardId, deck
from frp2p.cli import main
from frp2p.cli.lines import MAX_BYTES, read_lines
from frp2p.errors import UserError
from frp2p.scoring import Choices
from frp2p.scoring.notation import MAX_LINE, HandLine, write_line

RECORDED = json.loads((Path(__file__).parents[1] / "scoring" / "scoring_cases.json").read_text(encoding="utf-8"))
"""The recorded hands of the scoring tests."""

RECORD = "Bell Tower, Candle, Necromancer, Warhorse, Sword of Keth, Shield of Keth, Gem of Order, Book of Changes"
"""The best hand of the base game that is known."""


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("FRP2P_HOME", str(tmp_path))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield
    locale.use("en")


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(main, ["score", *arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def scored(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    plain: dict[str, Any] = json.loads(result.stdout)
    return plain


@pytest.mark.parametrize(
    ("total", "arguments"),
    [
        (114, ["Demon, Angel, King, Knights, Elven Archers; Angel=King", "--extra-suits"]),
        (64, ["Great Flood, Phoenix, Beastmaster", "--phoenix", "deluxe"]),
        (53, ["Rainstorm, Great Flood, Book of Changes, Blizzard; Book of Changes=Blizzard:Flame"]),
        (91, ["Judge, Knights, Rangers, Dwarvish Infantry, Swamp", "--extra-suits"]),
        (0, ["Basilisk, Doppelgänger; Doppelgänger=Basilisk"]),
        (260, ["Mountain, Great Flood, Smoke, Air Elemental, Whirlwind, Wildfire, Mirage", "--best"]),
        (397, [RECORD, "--best"]),
    ],
)
def test_known_hands(total: int, arguments: list[str]) -> None:
    plain = scored(*arguments)
    assert plain["total"] == total
    assert {"name", "points", "base", "lines", "blanked_by", "suit"} <= plain["cards"][0].keys()
    assert str(total) in run(*arguments).stdout


def recorded_lines() -> dict[tuple[str, ...], list[tuple[int, str]]]:
    """The recorded hands with fixed choices as lines, by the options that they need: (expected total, line)."""
    groups: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for number, case in enumerate(RECORDED):
        if case["mode"] != "fixed" or len(case["hand"]) > 9:
            continue
        options = ["--phoenix", case.get("phoenix", "off")]
        options += ["--extra-suits"] * case.get("extra_suits", False) + ["--jester"] * case.get("jester", False)
        given = dict(case["choices"])
        if "book" in given:
            given["book"] = tuple(given["book"])
        line = HandLine(
            tuple(map(CardId, case["hand"])),
            Choices(**given),
            tuple(map(CardId, case.get("discard", ()))),
            tuple(map(CardId, case.get("items", ()))),
            case["players"],
        )
        language = locale.LANGUAGES[number % len(locale.LANGUAGES)]
        groups.setdefault(tuple(options), []).append((case["expected"], write_line(line, language)))
    return groups


@pytest.mark.parametrize(("options", "cases"), recorded_lines().items())
def test_recorded_hands_as_a_stream_in_both_languages(options: tuple[str, ...], cases: list[tuple[int, str]]) -> None:
    result = run("--stdin", "--json", *options, stdin="".join(f"{line}\n" for _total, line in cases))
    assert (result.exit_code, result.stderr) == (0, "")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["total"] for answer in answers] == [total for total, _line in cases]
    assert [answer["line"] for answer in answers] == list(range(1, len(cases) + 1))


def test_the_hand_that_it_repeats_scores_the_same() -> None:
    first = scored("28, 49, mirage, 12", "--best", "--discard", "hydra")
    again = scored(first["hand"])
    assert (again["total"], again["choices"], again["hand"]) == (first["total"], first["choices"], first["hand"])


def test_a_bad_line_is_answered_and_the_next_one_read() -> None:
    lines = ["King", "Kng", "", "King, Queen, Mirage; Mirage=King", "\x00\x1b[2J", "Queen"]
    result = run("--stdin", "--json", stdin="\n".join(lines))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["line"] for answer in answers] == [1, 2, 3, 4, 5, 6]
    codes = [answer.get("error", {}).get("code") for answer in answers]
    assert codes == [None, "unknown-card", "no-cards", "choice-wrong-suit", "unknown-card", None]
    assert answers[1]["error"]["suggestions"] == ["King", "Knights"]
    assert (result.exit_code, result.stderr) == (1, "")


def test_without_json_the_errors_of_a_stream_are_talk() -> None:
    result = run("--stdin", stdin="King\nKng\nQueen\n")
    assert result.exit_code == 1
    assert result.stdout.count("Total") == 2
    assert result.stderr.splitlines() == ['line 2: Nothing here is called "Kng". Did you mean King or Knights?']


def test_an_empty_stream_is_no_error() -> None:
    assert run("--stdin", "--json", stdin="").exit_code == 0


def test_a_stream_may_hold_anything() -> None:
    junk = (
        b"King\r\n" + b"\xff\xfe\n" + b"x" * (3 * MAX_BYTES) + b"\n" + "\ufeffQueen\n".encode() + b"K" * (MAX_LINE + 1)
    )
    result = run("--stdin", "--json", stdin=junk)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    codes = [answer.get("error", {}).get("code") for answer in answers]
    assert codes == [None, "bad-text", "line-too-long", None, "line-too-long"]


def test_lines_are_read_in_bounded_pieces() -> None:
    """No read asks for more than a line may have, however long the line is."""

    class Endless:
        asked = 0

        def readline(self, size: int) -> bytes:
            self.asked = max(self.asked, size)
            self.left = getattr(self, "left", 50) - 1
            return b"x" * size if self.left > 0 else b""

    stream = Endless()
    found = list(read_lines(stream))  # type: ignore[arg-type]
    assert [isinstance(each, UserError) for each in found] == [True]
    assert stream.asked <= MAX_BYTES + 1


def test_a_line_is_answered_before_the_next_one_comes() -> None:
    command = [sys.executable, "-m", "frp2p", "score", "--stdin", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for name in ("King", "Queen"):
            process.stdin.write(f"{name}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["cards"][0]["name"] == name
        process.stdin.close()
        assert process.wait(30) == 0


def test_json_survives_an_output_without_utf_8(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "frp2p", "score", "Doppelgänger", "--json"]
    around = os.environ | {"PYTHONIOENCODING": "ascii", "FRP2P_HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, env=around, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("ascii"))["cards"][0]["name"] == "Doppelgänger"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "--stdin"),
        (["King", "--stdin"], "--stdin"),
        (["Kng"], "Did you mean King or Knights?"),
        (["ca"], "may be"),
        (["King, Rei"], "only once"),
        (["Demon"], "--extra-suits adds it."),
        (["CH16"], "FR03"),
        (["FR03", "--extra-suits"], "CH16"),
        (["Jester"], "--jester adds it."),
        (["Phoenix"], "--phoenix deluxe adds it."),
        (["FR55P", "--phoenix", "deluxe"], "--phoenix promo adds it."),
        (["Portal"], "--items adds it."),
        (["King", "--discard", "Demon"], "--extra-suits adds it."),
        (["King", "--discard", "King"], "only once"),
        (["King", "--items", "Portal, Portal"], "only once"),
        (["King", "--items", "King"], "the base game"),
        (["King", "--players", "1"], "--players"),
        (["King", "--players", "x"], "--players"),
        (["King", "--phoenix", "x"], "--phoenix"),
        (["King", "--house", "forest_each"], "NAME=on"),
        (["King", "--house", "forest_each=maybe"], "NAME=on"),
        (["King", "--house", "forest=on"], "forest_each"),
        (["King", "--lang", "tlh"], "--lang"),
        (["King", "--nothing"], "--nothing"),
        (["Mirage; Mirage=King"], "Mirage=King is not possible"),
        (["Mirage, Island, King; Mirage=Swamp; Island=King"], "Island=King is not possible"),
        (["Angel, King; Angel=Angel", "--extra-suits"], "Angel=Angel is not possible"),
        (["Mirage; Mirage=Crypt"], "the extra suits"),
        (["Book of Changes, Phoenix; Book of Changes=Phoenix:Army", "--phoenix", "deluxe"], "cannot be changed"),
        (["Book of Changes, King; Book of Changes=King:Undead"], "does not reach that suit"),
        (["Mirage; Mirage=Swamp", "--best"], "leave them out"),
        (["King | players: 9"], "from 2 to 7"),
    ],
)
def test_what_is_not_possible_is_one_sentence_and_exit_2(arguments: list[str], part: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert part in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_the_deck_decides_which_printing_a_name_means() -> None:
    hand = "Bell Tower, Ghoul"
    assert scored(hand, "--extra-suits")["cards"][0]["id"] == "CH16"
    assert scored("Bell Tower")["cards"][0]["id"] == "FR03"
    assert scored("Fênix", "--phoenix", "promo")["cards"][0]["id"] == "FR55P"


def test_a_line_goes_before_the_options() -> None:
    genie = ["--extra-suits", "--players", "6", "--discard", "Knights", "--items", "Blindfold"]
    assert scored("Genie, Death Knight", *genie)["total"] == -50 + 50 + 14 + 7 + 5
    assert scored("Genie, Death Knight | players: 2 | discard: | items: ", *genie)["total"] == -50 + 10 + 14


def test_house_rules_change_the_score() -> None:
    hand = "Wildfire, Judge"
    assert scored(hand, "--extra-suits")["total"] == 40
    assert scored(hand, "--extra-suits", "--house", "wildfire_outsiders=on")["total"] == 61
    assert scored("Book of Changes, King; Book of Changes=King:wild")["total"] == 11
    refused = run("Book of Changes, King; Book of Changes=King:wild", "--house", "book_wild=off")
    assert refused.exit_code == 2


def test_best_names_the_card_for_the_necromancer() -> None:
    plain = scored("Necromancer, Beastmaster", "--discard", "Unicorn, Rangers", "--best")
    assert (plain["total"], plain["extra"]) == (12, {"id": "FR36", "name": "Unicorn", "total": 30})
    assert "Unicorn" in run("Necromancer, Beastmaster | discard: Unicorn", "--best").stdout
    assert "extra" not in scored("Necromancer, Beastmaster", "--discard", "Unicorn")
    assert "extra" not in scored("Beastmaster", "--discard", "Unicorn", "--best")


def test_everything_is_said_in_portuguese() -> None:
    result = run("Tempestade, Grande Inundação, Livro, Nevasca; Livro=Nevasca:Chama", "--lang", "pt_BR")
    assert result.exit_code == 0
    assert "Anulada por Tempestade." in result.stdout
    assert not {"Blanked", "Suit", "Rainstorm", "order"} & set(result.stdout.replace(":", " ").split())
    refused = run("Kng", "--lang", "pt_BR")
    assert refused.stderr == 'Nada aqui se chama "Kng". Você quis dizer Rei ou Cavaleiros?\n'


def test_names_may_come_as_several_words() -> None:
    assert scored("Great", "Flood,", "King")["hand"].startswith("Great Flood, King")
    assert len(scored(", ".join(deck()[:10]))["cards"]) == 10
