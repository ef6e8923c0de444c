"""Bots as processes of their own: each has its own key and home, and ends with us whatever happens to us.

The homes are under our own. They stay when the table was left before its end, with the journals of the bots in them, so
that the table can be gone on with.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import time
from pathlib import Path
from typing import IO

from frp2p.deal.entropy import fresh
from frp2p.ledger.names import looks_like
from frp2p.locale import _
from frp2p.store.home import VARIABLE, folder, home
from frp2p.store.identity import make_key
from frp2p.store.journal import SUFFIX

NAMES = ("Fern", "Lark", "Moss", "Rook", "Sage", "Wren", "Flint", "Brook")
"""More than a table needs, so that one which looks like somebody's name can be left out."""
GOODBYE_SECONDS = 3.0
"""For a bot to end by itself, then once more after it was told to."""
OLD_SECONDS = 24 * 3600.0
"""A home of a bot without a journal that is older than this belongs to nobody any more."""
PASSPHRASE_VARIABLE = "FRP2P_PASSPHRASE"  # noqa: S105 - the name of one
"""Environment variable with the passphrase of a table; empty is the same as none."""
RUN_BYTES = 6
"""Random bytes in the name of a bot's home."""
LAST_WORDS_BYTES = 2000
"""Of a failed bot's stderr."""


class BotProcesses:
    """An async context manager. `keep_homes`: whether the bots are needed once more, to be said before the end.

    `failed` is a future with the last words of the first bot that ended in a wrong way.

    A bot reads the pipe that is its stdin: when this process ends, even by kill -9, the pipe closes and the bot leaves.
    """

    def __init__(self) -> None:
        self.failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.keep_homes = False
        self._exits = contextlib.ExitStack()
        self._homes: list[Path] = []
        self._prepared: list[tuple[Path, str, str]] = []
        """Home, name and level of those that were prepared and not started yet."""
        self._processes: list[asyncio.subprocess.Process] = []
        self._watchers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> BotProcesses:
        return self

    async def __aexit__(self, *_error: object) -> None:
        try:
            await self._end()
        finally:
            for watcher in self._watchers:
                watcher.cancel()
            await asyncio.gather(*self._watchers, return_exceptions=True)
            self.failed.cancel()
            self._exits.close()
            if not self.keep_homes:
                for place in self._homes:
                    shutil.rmtree(place, ignore_errors=True)

    def prepare(self, count: int, level: str, taken: str) -> frozenset[bytes]:
        """Give this many bots a home and a key; none looks like the name `taken`. Their public keys."""
        _sweep()
        names = [name for name in NAMES if looks_like(name) != looks_like(taken)][:count]
        keys = []
        for name in names:
            place = folder(_homes() / f"{level}-{fresh(RUN_BYTES).hex()}")
            self._homes.append(place)
            self._prepared.append((place, name, level))
            keys.append(make_key(place))
        return frozenset(keys)

    async def start(self, address: str, passphrase: str = "") -> None:
        """Start those that were prepared; they join the table at this address."""
        prepared, self._prepared = self._prepared, []
        for place, name, level in prepared:
            arguments = ("bot", address, "--name", name, "--level", level, "--loopback")
            await self._start(place, name, *arguments, passphrase=passphrase)

    async def revive(self, table: bytes) -> int:
        """Start those again that sat at the table with this charter digest and were ours; their number."""
        homes = _homes_at(table.hex())
        for place in homes:
            level = place.name.partition("-")[0]
            self._homes.append(place)
            await self._start(place, place.name, "resume", table.hex(), "--auto", "--level", level)
        return len(homes)

    async def _start(self, place: Path, name: str, *arguments: str, passphrase: str = "") -> None:
        # In the environment, because the arguments of a process are for everybody to see; one of ours is not for bots.
        own = {VARIABLE: str(place), PASSPHRASE_VARIABLE: passphrase}
        log = place / "stderr"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "frp2p", *arguments, "--until-stdin-closes"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=self._log(log),
            env={**os.environ, **own},
            start_new_session=True,  # Ctrl-C is for us; what it means for them is our decision
        )
        self._processes.append(process)
        self._watchers.append(asyncio.create_task(self._watch(process, name, log)))

    def _log(self, path: Path) -> IO[bytes]:
        """What a bot says goes to a file, so that it can neither fill a pipe nor spoil the screen."""
        return self._exits.enter_context(path.open("wb"))

    async def _watch(self, process: asyncio.subprocess.Process, name: str, log: Path) -> None:
        code = await process.wait()
        if code != 0 and not self.failed.done():
            self.failed.set_result(f"{name}: {_last_line(log) or _ending(code)}")

    async def _end(self) -> None:
        """Let them finish, close their stdin, tell them, kill them: in this order, each only if it must be."""
        running = [process for process in self._processes if process.returncode is None]
        for process in running:
            if process.stdin is not None:
                process.stdin.close()
        for last_word in ("terminate", "kill"):
            if await _all_ended(running):
                return
            for process in running:
                with contextlib.suppress(ProcessLookupError):
                    getattr(process, last_word)()
        await _all_ended(running)


def _homes() -> Path:
    return home() / "bots"


def _homes_at(table: str) -> list[Path]:
    return sorted(path.parent.parent for path in _homes().glob(f"*/tables/{table}-*{SUFFIX}"))


def throw_away(name: str) -> None:
    """Nobody will go on with the table whose journal is called so: the bots that sat there are not needed any more."""
    for place in _homes_at(name.partition("-")[0]):
        shutil.rmtree(place, ignore_errors=True)


def _sweep() -> None:
    """Throw away what bots left behind whose program was killed before there was a table to go on with."""
    for place in _homes().glob("*"):
        with contextlib.suppress(OSError):
            if not any(place.glob(f"tables/*{SUFFIX}")) and time.time() - place.stat().st_mtime > OLD_SECONDS:
                shutil.rmtree(place, ignore_errors=True)


async def _all_ended(processes: list[asyncio.subprocess.Process]) -> bool:
    try:
        async with asyncio.timeout(GOODBYE_SECONDS):
            for process in processes:
                await process.wait()
    except TimeoutError:
        return False
    return True


def _ending(code: int) -> str:
    """How a program without a last word came to its end."""
    if code < 0:
        return _("ended by signal {number}").format(number=-code)
    return _("exit code {number}").format(number=code)


def _last_line(log: Path) -> str:
    words = log.read_bytes()[-LAST_WORDS_BYTES:].decode("utf-8", "replace").strip()
    return words.splitlines()[-1] if words else ""
