"""`frp2p rules`: the page in both languages, its parts, its width; and that what it says is so."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click import unstyle
from click.testing import CliRunner, Result
from wcwidth import wcswidth

from frp2p import locale
from frp2p.cards import CARDS, item, sets
from frp2p.cli import main, markdown, pages
from frp2p.cli.options import TERMS
from frp2p.games.fantasy_realms.options import MODES, Options, measure
from frp2p.scoring import House

ROOT = Path(__file__).parents[2]
NAMES = (
    "idea", "reading", "setup", "options", "turn", "end", "ties", "extra-suits", "promos", "duel", "items", "chaos",
    "match", "leaving", "house", "decisions", "notation", "cards", "all-items",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("FRP2P_HOME", str(tmp_path))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    yield
    locale.use("en")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rules", *arguments])


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text(language: str) -> str:
    return "\n\n".join(part.text for part in pages.rules(language))


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_the_tables_are_current(language: str) -> None:
    maker = script("scripts/make_rules_tables.py")
    now = maker.PAGES[language].read_text(encoding="utf-8")
    assert maker.page(language, now) == now
    for thing in [*CARDS.values(), *map(item, sets.items())]:
        assert f"| {thing.name(language)}" in now


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_both_languages_have_the_same_parts(language: str) -> None:
    page = pages.rules(language)
    assert tuple(part.name for part in page) == ("", *NAMES)
    assert text(language).count("\n## ") == len(NAMES), "every heading has a name"
    links = set(re.findall(r"\]\(#([^)]+)\)", text(language)))
    assert links == set(NAMES), "every part is in the list at the beginning, and every link leads somewhere"
    tables = [len(re.findall(r"^\|---", part.text, re.MULTILINE)) for part in page]
    assert tables == [len(re.findall(r"^\|---", part.text, re.MULTILINE)) for part in pages.rules("en")]


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_everything_that_can_be_chosen_is_on_the_page(language: str) -> None:
    page = text(language)
    options = {"cursed_items": "--items"}
    for term in TERMS:
        assert f"`{options.get(term, '--' + term.replace('_', '-'))}" in page, term
    for switch in House.__struct_fields__:
        default = "on" if getattr(House(), switch) else "off"
        assert re.search(rf"^\| `{switch}` \|.*\| {default} \|$", page, re.MULTILINE), switch


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_the_numbers_of_the_modes_are_those_of_the_program(language: str) -> None:
    for mode in MODES:
        for extra in (False, True):
            numbers = measure(Options(mode=mode, extra_suits=extra))
            rows = re.findall(rf"^\| {mode}(, [^|]+)? \|(.*)\|$", text(language), re.MULTILINE)
            [cells] = [found[1].split("|") for found in rows if bool(found[0]) is extra]
            hand, end, cap, players = ([int(figure) for figure in re.findall(r"\d+", cell)] for cell in cells)
            assert (hand, end, cap) == ([numbers.hand], [numbers.threshold] * (mode != "chaos"), [numbers.cap])
            assert players == sorted({numbers.seats_min, numbers.seats_max})


@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_the_examples_are_right(language: str) -> None:
    found = re.findall(r"^```hands\n(.*?)^```$", text(language), re.MULTILINE | re.DOTALL)
    lines = "".join(found).splitlines()
    assert len(lines) == 2
    for line in lines:
        hand, _equals, total = line.rpartition(" = ")
        result = CliRunner().invoke(main, ["score", hand, "--json"])
        assert json.loads(result.stdout)["total"] == int(total)


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 160])
@pytest.mark.parametrize("language", locale.LANGUAGES)
def test_the_page_fits_into_the_terminal(language: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = run("--lang", language)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == pages.rules(language)[0].title
    examples = {
        line.strip() for block in re.findall(r"```\w*\n(.*?)```", text(language), re.S) for line in block.split("\n")
    }
    for line in lines:
        assert wcswidth(line) <= min(columns, 100) or line.strip() in examples, line
    assert not re.search(r"\*\*|`|\]\(|\| |<a ", result.stdout), "no marks are left"


def test_no_word_of_the_page_is_lost() -> None:
    """However narrow: the words of the source, without its marks, are those that are shown."""

    def words(shown: str) -> list[str]:
        return re.findall(r"[^\W_]+", shown)

    for part in pages.rules("en"):
        shown = unstyle("\n".join(markdown.lines(part.text, 1000)))
        source = markdown.plain(re.sub(r"^(```.*|<.*>|\|[-|]+)$", "", part.text, flags=re.MULTILINE))
        assert words(shown) == words(source)
        heads = re.findall(r"^\| (\w+) .*\n\|-", part.text, re.MULTILINE)  # not named where a table becomes a list
        assert sorted({*words(source)} - {*heads} - {*words(unstyle("\n".join(markdown.lines(part.text, 72))))}) == []


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("chaos", "chaos"), ("Chaos Realms", "chaos"), ("CHAOS", "chaos"), ("extra", "extra-suits"), ("duel", "duel"),
        ("all", ""), ("jester", "promos"), ("switches", "house"), ("items", "items"), ("cursed items", "items"),
    ],
)  # fmt: skip
def test_one_part(wanted: str, name: str) -> None:
    result = run(*wanted.split())
    if not name:
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "Several parts are named like 'all': cards, all-items.\n"
        return
    assert result.exit_code == 0
    titles = {part.name: part.title for part in pages.rules("en")}
    assert result.stdout.splitlines()[0] == titles[name]
    assert run(name).stdout == result.stdout


def test_one_part_in_portuguese() -> None:
    shown = [run(wanted, "--lang", "pt_BR").stdout for wanted in ("duel", "o duelo", "Duelo")]
    assert len(set(shown)) == 1
    assert shown[0].startswith("O duelo\n-------\n")
    assert run("preparacao", "--lang", "pt_BR").stdout.startswith("Preparação\n")


def test_a_part_that_is_not_there() -> None:
    near = run("choas")
    assert (near.exit_code, near.stdout) == (2, "")
    assert near.stderr == "There is no part 'choas'. Did you mean chaos?\n"
    nothing = run("xyzzy")
    assert nothing.exit_code == 2
    assert nothing.stderr == f"There is no part 'xyzzy'. There are: {', '.join(NAMES)}.\n"
    assert run("").exit_code == 2
    assert run("choas", "--json").stdout == ""


def test_json() -> None:
    plain: dict[str, Any] = json.loads(run("chaos", "--json", "--lang", "pt_BR").stdout)
    assert (plain["lang"], len(plain["parts"])) == ("pt_BR", 1)
    assert plain["parts"][0].keys() == {"name", "title", "text"}
    assert plain["parts"][0]["name"] == "chaos"
    assert [part["name"] for part in json.loads(run("--json").stdout)["parts"]] == ["", *NAMES]


def test_a_page_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pages, "_PACKAGE", tmp_path / "frp2p")
    result = run()
    assert (result.exit_code, result.stderr) == (2, "The page rules.md is not installed.\n")
    (tmp_path / "frp2p" / "docs").mkdir(parents=True)
    (tmp_path / "frp2p" / "docs" / "rules.md").write_text("# Rules\n\nPlay.\n", encoding="utf-8")
    assert run().stdout == "Rules\n=====\n\nPlay.\n"


def test_a_wheel_holds_the_pages(tmp_path: Path) -> None:
    hook = script("hatch_build.py").CompileCatalogues(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize("standard", data)
    assert set(data["force_include"].values()) == {"frp2p/docs/rules.md", "frp2p/docs/rules.pt_BR.md"}
    assert all((ROOT / path).is_file() for path in data["force_include"])


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_only_the_beginning_is_read(tmp_path: Path) -> None:
    """As `frp2p rules --lang pt_BR | head`; and a reader who goes away before anything is said."""
    environment = {**os.environ, "FRP2P_HOME": str(tmp_path), "FRP2P": f"{sys.executable} -m frp2p"}
    headed = subprocess.run(
        ["sh", "-c", "$FRP2P rules --lang pt_BR | head"],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (headed.returncode, headed.stderr) == (0, "")
    assert headed.stdout.splitlines()[:2] == ["Como se joga aqui", "================="]
    assert len(headed.stdout.splitlines()) == 10
    with subprocess.Popen(
        [sys.executable, "-m", "frp2p", "rules"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")
def test_a_terminal_gets_a_pager_and_a_pipe_does_not(tmp_path: Path) -> None:
    import pexpect

    pager = tmp_path / "pager"
    pager.write_text('#!/bin/sh\nread first\necho "paged: $first $LESSCHARSET"\ncat > /dev/null\n', encoding="utf-8")
    pager.chmod(0o755)
    environment = {**os.environ, "FRP2P_HOME": str(tmp_path), "PAGER": str(pager), "TERM": "xterm", "NO_COLOR": "1"}
    environment |= {"LANG": "xx_YY", "PYTHONUTF8": "1"}
    environment.pop("LESSCHARSET", None)
    shown, code = pexpect.run(
        f"{sys.executable} -m frp2p rules", env=environment, withexitstatus=True, timeout=60, encoding="utf-8"
    )
    assert (shown.strip(), code) == ("paged: How the game is played here utf-8", 0)
    as_json, code = pexpect.run(
        f"{sys.executable} -m frp2p rules chaos --json", env=environment, withexitstatus=True, timeout=60
    )
    assert (json.loads(as_json)["parts"][0]["name"], code) == ("chaos", 0)
