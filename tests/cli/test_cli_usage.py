"""What is wrong with a command line is one sentence, in the language in use, and the exit code is 2."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from frp2p import locale
from frp2p.cli import main
from frp2p.store.home import VARIABLE

WRONG = {
    "--bots takes a whole number from 1 to 6.": "play --bots x",
    "--port takes a whole number from 0 to 65535.": "host --port 99999",
    "--rounds takes a whole number from 1 on.": "play --rounds 0",
    "--level takes one of these: greedy, random.": "play --level z",
    "There is no option --playrs. Did you mean --players?": "score --playrs 3",
    "There is no option --foo.": "--foo",
    "There is no command 'foo'.": "foo",
    "There is no command 'pley'. Did you mean play?": "pley",
    "FILE is missing.": "verify",
}


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield
    locale.use("en")


@pytest.mark.parametrize("said", WRONG)
def test_a_wrong_line_is_one_sentence(said: str) -> None:
    result = CliRunner().invoke(main, WRONG[said].split())
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", said + "\n")


@pytest.mark.parametrize("said", WRONG)
@pytest.mark.parametrize("line", ["--lang pt_BR {}", "--lang=pt_BR {}", "{} --lang pt_BR", "{}"])
def test_it_is_in_the_language_in_use(said: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if line == "{}":
        monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    result = CliRunner().invoke(main, line.format(WRONG[said]).split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr != said + "\n"


def test_the_list_of_commands_is_in_the_language_in_use() -> None:
    assert "Abr" in CliRunner().invoke(main, ["--lang", "pt_BR", "--help"]).stdout
