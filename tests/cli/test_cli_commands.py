"""The command line itself: help without imports, values that are refused in one sentence, languages, keys."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from frp2p import __version__, cli, locale
from frp2p.cli import main
from frp2p.errors import LocalError, PeerFault, UserError
from frp2p.store.home import VARIABLE
from frp2p.store.settings import Settings


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "home"))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def english_again() -> object:
    yield
    locale.use("en")


def run(*arguments: str, text_in: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(arguments), input=text_in)
    return result.exit_code, result.stdout, result.stderr


def test_help_lists_every_command() -> None:
    code, out, _err = run("--help")
    assert code == 0
    for name in cli.COMMANDS:
        assert f"\n  {name} " in out


def test_no_command_is_help() -> None:
    assert run()[1] == run("--help")[1]


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help(name: str) -> None:
    code, out, _err = run(name, "--help")
    assert code == 0
    assert out.startswith("Usage: ")


def test_the_version() -> None:
    assert run("--version") == (0, f"frp2p {__version__}\n", "")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    """A quick answer is one that imports little."""
    code = (
        "import sys; from frp2p.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "heavy = {'asyncio', 'cryptography', 'OpenSSL', 'zeroconf', 'prompt_toolkit', 'msgspec', 'rbcl'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_python_m_frp2p_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "frp2p", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"frp2p {__version__}\n"


BAD = [
    ["nonsense"],
    ["--nonsense"],
    ["--lang", "xx"],
    ["play", "--bots", "0"],
    ["play", "--bots", "6"],
    ["play", "--bots", "three"],
    ["play", "--level", "perfect"],
    ["play", "--mode", "chess"],
    ["play", "--mode", "duel"],
    ["play", "--mode", "chaos", "--chaos-seconds", "9"],
    ["play", "--mode", "chaos", "--chaos-seconds", "901"],
    ["play", "--mode", "chaos", "--bots", "1"],
    ["play", "--mode", "chaos", "--items"],
    ["play", "--mode", "chaos", "--rounds", "4"],
    ["play", "--mode", "chaos", "--points", "200"],
    ["play", "--phoenix", "both"],
    ["play", "--rounds", "0"],
    ["play", "--rounds", "21"],
    ["play", "--points", "9999"],
    ["play", "--rounds", "2", "--points", "500"],
    ["play", "--hints", "loud"],
    ["play", "--house", "forest-each"],
    ["play", "--house", "forest-each=maybe"],
    ["play", "--house", "\x1b[2J=on"],
    ["host", "--mode", "duel", "--seats", "3"],
    ["play", "--name", ""],
    ["play", "--name", "x" * 17],
    ["play", "--name", "\x1b[2J"],
    ["play", "surplus"],
    ["host", "--seats", "1"],
    ["host", "--seats", "7", "--no-discovery"],
    ["host", "--seats", "2", "--bots", "2"],
    ["host", "--port", "65536"],
    ["join", "host:port"],
    ["join", ""],
    ["join", "  "],
    ["headless", "join", ""],
    ["bot", ""],
    ["join", "127.0.0.1:99999"],
    ["bot"],
    ["headless", "dance"],
    ["headless", "play", "--bots", "9"],
    ["identity", "import", "abc"],
    ["identity", "import", "00"],
    ["identity", "import", "zz" * 32],
]


@pytest.mark.parametrize("name", ["", " ", "\t"])
@pytest.mark.parametrize("command", [("join",), ("watch",), ("arbiter",), ("headless", "join")], ids=" ".join)
def test_an_empty_name_is_refused_at_once(command: tuple[str, ...], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is looked for on the network."""

    async def search(*_wanted: object) -> None:
        raise AssertionError

    monkeypatch.setattr("frp2p.cli.joining.find", search)
    assert run(*command, name)[2] == "The name of a table can't be empty; without one all tables are looked for.\n"


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_what_is_not_possible_is_one_sentence(arguments: list[str]) -> None:
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.strip().isprintable()


def broken(error: BaseException) -> click.Command:
    @click.command("broken")
    def command() -> None:
        raise error

    return command


ERRORS = [
    (UserError("There is no such table."), 2, "There is no such table.\n"),
    (PeerFault("signature", "Not signed."), 1, "A signature does not fit what it signs. (code signature)\n"),
    (
        LocalError("The journal is full.", code="journal-size"),
        1,
        "The journal of this table is as large as it may be. (code journal-size)\n",
    ),
    (KeyboardInterrupt(), 130, "\n"),  # after the ^C of the terminal
    (OSError(28, "No space left on device"), 1, "The disk is full.\n"),
]


@pytest.mark.parametrize(("error", "code", "said"), ERRORS, ids=lambda value: type(value).__name__)
def test_expected_errors_are_sentences(
    error: BaseException, code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frp2p.cli.identity.command", broken(error))
    assert run("identity") == (code, "", said)


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("division"), OSError(5, "Input/output error"), LocalError("Wrong here.")]
)
def test_a_mistake_of_ours_is_a_sentence_and_a_file(
    error: Exception, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frp2p.cli.identity.command", broken(error))
    code, out, err = run("identity")
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert str(own_home / "crash.log") in err
    assert "Traceback" in (own_home / "crash.log").read_text(encoding="utf-8")


def test_a_mistake_of_ours_is_a_sentence_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("frp2p.cli.identity.command", broken(ZeroDivisionError("division")))
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file"))
    monkeypatch.setattr("frp2p.store.settings.load", Settings)
    code, out, err = run("identity")
    assert (code, out) == (1, "")
    assert re.fullmatch(r"frp2p made a mistake \(ZeroDivisionError: division; \w+\.py:\d+\)\.\n", err)


def test_the_reader_of_a_pipe_may_go_away(own_home: Path) -> None:
    command = f"{sys.executable} -m frp2p cards | head -c 1 > {os.devnull}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""


@pytest.mark.parametrize("module", ["click", "difflib", "msgspec"])
def test_an_interrupt_while_it_starts_is_no_traceback(tmp_path: Path, module: str) -> None:
    """Ctrl-C in the first tenth of a second, when the program is still being imported."""
    (tmp_path / f"{module}.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "frp2p", "identity", "show"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


def test_a_key_is_shown_exported_and_brought_along(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _err = run("identity", "show", "--json")
    assert code == 0
    shown = json.loads(out)
    assert shown.keys() == {"name", "fingerprint", "key", "path"}
    assert shown["path"] == str(own_home / "identity.key")
    assert shown["fingerprint"] in run("identity", "show")[1]
    secret = run("identity", "export")[1]
    assert bytes.fromhex(secret) == (own_home / "identity.key").read_bytes()
    assert run("identity", "import", "-", text_in=secret)[0] == 2  # not over another key

    monkeypatch.setenv(VARIABLE, str(own_home / "other"))
    code, out, _err = run("identity", "import", "-", text_in=secret)
    assert code == 0
    assert shown["fingerprint"] in out
    assert json.loads(run("identity", "show", "--json")[1])["key"] == shown["key"]

    monkeypatch.setenv(VARIABLE, str(own_home / "third"))
    code, out, _err = run("identity", "import", "-", "--json", text_in=secret)
    assert code == 0
    path = str(own_home / "third" / "identity.key")
    assert json.loads(out) == {"fingerprint": shown["fingerprint"], "key": shown["key"], "path": path}


def test_the_language_is_asked_for_set_or_of_the_environment(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    @click.command("look")
    def look() -> None:
        seen.append(locale.language())

    monkeypatch.setattr("frp2p.cli.identity.command", look)
    monkeypatch.setattr(
        locale.gettext, "translation", lambda *_arguments, **_options: locale.gettext.NullTranslations()
    )
    run("identity")
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    run("identity")
    own_home.mkdir()
    (own_home / "settings.toml").write_text("language = 'en'", encoding="utf-8")
    run("identity")
    run("--lang", "pt_BR", "identity")
    assert seen == ["en", "pt_BR", "en", "pt_BR"]


def test_a_language_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_arguments: object, **_options: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(locale.gettext, "translation", missing)
    code, _out, err = run("--lang", "pt_BR", "identity", "show")
    assert code == 2
    assert "pt_BR" in err
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    assert run("identity", "show")[0] == 0


def test_wrong_settings_are_a_sentence(own_home: Path) -> None:
    own_home.mkdir()
    (own_home / "settings.toml").write_text("nome = 'Ana'", encoding="utf-8")
    code, _out, err = run("identity", "show")
    assert code == 2
    assert "nome" in err


@pytest.mark.skipif(os.name == "nt", reason="a shell that closes descriptors")
@pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", ["score --stdin", "identity import -", "cards King", "join 127.0.0.1:1"])
def test_closed_standard_streams_are_empty_ones(own_home: Path, closed: str, arguments: str) -> None:
    """No command makes a mistake of ours out of them: it answers as with /dev/null, and with the same exit code."""
    command = f"{sys.executable} -m frp2p {arguments}"
    done = subprocess.run(["sh", "-c", f"{command} {closed}"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    plain = subprocess.run(["sh", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == plain.returncode
    assert done.stderr in ("", plain.stderr)
    assert done.stdout in ("", plain.stdout)
    assert not (own_home / "crash.log").exists()
