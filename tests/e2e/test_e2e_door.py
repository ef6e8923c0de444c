"""Who may sit down, with the program as people run it: --ask, sending away, and a passphrase."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from e2e_kit import PROGRAM, Program, ended, environment, run, started

HOST = ("--no-discovery", "--port", "0")


def first(legal: list[object]) -> object:
    return legal[0]


class Host(Program):
    """A program that hosts."""

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next line about the lobby that fits."""
        while not wanted(line := self.play("lobby")):
            pass
        return line

    @property
    def port(self) -> str:
        return str(self.lines[0]["address"]).rpartition(":")[2]


@contextlib.contextmanager
def hosting(home: Path, *arguments: str) -> Iterator[tuple[Host, subprocess.Popen[str]]]:
    with started(home, "headless", "host", *HOST, *arguments) as process:
        host = Host(process, first)
        host.play("hello")
        yield host, process


def key_of(line: dict[str, Any], name: str) -> str:
    return next(str(seat["key"]) for seat in (*line["seats"], *line["asking"]) if seat["name"] == name)


def here(line: dict[str, Any], where: str) -> list[str]:
    return [seat["name"] for seat in line[where]]


def test_the_host_says_who_sits_down(tmp_path: Path) -> None:
    with hosting(tmp_path / "ana", "--seats", "3", "--bots", "1", "--ask", "--name", "Ana") as (host, process):
        with_bot = host.until(lambda line: len(line["seats"]) == 2)
        assert with_bot["asking"] == []  # the own bot is not asked about
        address = f"127.0.0.1:{host.port}"
        with started(tmp_path / "eve", "join", address, "--name", "Eve", "--auto", "--json") as eve:
            asks = host.until(lambda line: here(line, "asking") == ["Eve"])
            host.say({"type": "remove", "key": key_of(asks, "Eve")})
            host.until(lambda line: here(line, "asking") == [])
            out, err = ended(eve)
            assert eve.returncode == 1, err
            assert "The host did not want you at this table." in out
        for line in ({"type": "admit", "key": "zz"}, {"type": "admit", "key": "00" * 32}, {"type": "remove"}):
            host.say(line)
            host.play("error")
        with started(tmp_path / "ben", "join", address, "--name", "Ben", "--auto", "--json") as ben:
            asks = host.until(lambda line: here(line, "asking") == ["Ben"])
            assert asks["asking"][0]["fingerprint"]
            host.say({"type": "admit", "key": key_of(asks, "Ben")})
            assert host.play()["ok"]
            assert json.loads(ended(ben)[0])["ok"]
        ended(process)
        assert {line["code"] for line in host.lines if line["type"] == "error"} == {"bad-line", "nobody-asks"}


def test_only_who_knows_the_passphrase_comes_in(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("three green apples\n", encoding="utf-8")
    locked = ("--seats", "3", "--bots", "1", "--passphrase-file", str(secret))
    with hosting(tmp_path / "ana", *locked) as (host, process):
        host.until(lambda line: len(line["seats"]) == 2)  # the bot was told
        address = f"127.0.0.1:{host.port}"
        without = run(tmp_path / "eve", "join", address, "--auto")
        assert (without.returncode, "--passphrase" in without.stderr) == (1, True), without.stderr
        secret.write_text("three green pears\n", encoding="utf-8")
        wrong = run(tmp_path / "eve", "join", address, "--auto", "--passphrase-file", str(secret))
        assert wrong.returncode == 1
        assert "That is not the passphrase of this table." in wrong.stderr
        env = {**environment(tmp_path / "ben"), "FRP2P_PASSPHRASE": " three  green apples "}
        guest = subprocess.Popen(
            [*PROGRAM, "join", address, "--auto", "--json"], env=env, stdout=subprocess.PIPE, encoding="utf-8"
        )
        with guest:
            end = host.play()
            assert guest.stdout is not None
            assert json.loads(guest.stdout.read())["ok"]
        ended(process)
        assert end["ok"]
        assert guest.returncode == 0


def test_a_passphrase_is_nothing_for_the_bots_of_another_table(tmp_path: Path) -> None:
    """Who has one in the environment still plays at home."""
    env = {**environment(tmp_path), "FRP2P_PASSPHRASE": "three green apples"}
    played = subprocess.run(
        [*PROGRAM, "play", "--auto", "--bots", "1", "--json"], env=env, capture_output=True, timeout=90, check=False
    )
    assert played.returncode == 0, played.stderr


def test_what_is_no_passphrase_is_said_at_once(tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.write_bytes(b"abc\n")
    for arguments in (
        ("host", "--passphrase-file", str(short)),
        ("join", "127.0.0.1:1", "--passphrase-file", str(short)),
        ("join", "127.0.0.1:1", "--passphrase"),
        ("host", "--interface", "wlan-none", *HOST),
    ):
        told = run(tmp_path, *arguments)
        assert told.returncode == 2, arguments
        assert len(told.stderr.strip().splitlines()) == 1, told.stderr
    assert os.listdir(tmp_path / "bots") == [] if (tmp_path / "bots").exists() else True
