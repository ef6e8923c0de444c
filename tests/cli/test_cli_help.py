"""The help pages and what is wrong with a command line, in both languages."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from frp2p import locale
from frp2p.cli import COMMANDS, main
from frp2p.locale import N_, translated

WIDTH = 80


def pages() -> list[tuple[str, ...]]:
    """Every command and subcommand there is."""
    found: list[tuple[str, ...]] = [()]
    context = click.Context(main)
    for name in COMMANDS:
        found.append((name,))
        command = main.get_command(context, name)
        if isinstance(command, click.Group):
            found += [(name, other) for other in command.list_commands(context)]
    return found


def page(path: tuple[str, ...], language: str) -> str:
    result = CliRunner().invoke(main, ["--lang", language, *path, "-h"], terminal_width=WIDTH)
    assert result.exit_code == 0, result.output
    return result.output


def texts(path: tuple[str, ...]) -> list[str]:
    """Every marked text of a page: paragraphs of the help, and the help of each option."""
    command: click.Command = main
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None
        command = found
    options = [option.help or "" for option in command.params if isinstance(option, click.Option)]
    return [text for text in (*(command.help or "").split("\n\n"), *options) if " " in text]


@pytest.fixture(autouse=True)
def english_afterwards() -> object:
    yield
    locale.use("en")


@pytest.mark.parametrize("path", pages(), ids=" ".join)
def test_a_page_is_in_the_language_in_use_and_fits(path: tuple[str, ...]) -> None:
    english, portuguese = page(path, "en"), page(path, "pt_BR")
    assert english.startswith("Usage: ")
    assert portuguese.startswith("Uso: ")
    flat = " ".join(portuguese.split())
    locale.use("pt_BR")
    for text in texts(path):
        if translated(text) != text:  # an example of notation is the same in every language
            assert " ".join(text.split()) not in flat
            assert " ".join(translated(text).split()) in flat
    for line in (english + portuguese).splitlines():
        assert len(line) <= WIDTH, line


@pytest.mark.parametrize(
    ("line", "english", "portuguese"),
    [
        ("play --bots", "--bots needs a value after it.", "--bots precisa de um valor em seguida."),
        ("play --json=x", "--json takes no value.", "--json não leva valor."),
        ("headless --lang {language}", "A command is missing.", "Falta um comando."),
        ("identity foo", "There is no command 'foo'.", "Não existe o comando 'foo'."),
        (
            "play some words",
            "Nothing is known to do with this: some words",
            "Não se sabe o que fazer com isto: some words",
        ),
    ],
)
def test_a_wrong_command_line_is_one_sentence_in_the_language_in_use(line: str, english: str, portuguese: str) -> None:
    for language, sentence in (("en", english), ("pt_BR", portuguese)):
        command = [sys.executable, "-m", "frp2p", "--lang", language, *line.format(language=language).split()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, encoding="utf-8")
        assert (done.returncode, done.stdout, done.stderr.splitlines()) == (2, "", [sentence])


def test_a_mark_changes_nothing_until_it_is_shown() -> None:
    locale.use("pt_BR")
    assert N_("The version.") == "The version."
    assert translated("The version.") == "A versão."
    assert translated("") == ""
