"""Bots as processes of their own: each has its own key and home, and ends with us whatever happens to us."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
from pathlib import Path
from typing import IO

from frp2p.ledger.names import looks_like
from frp2p.store.home import VARIABLE

NAMES = ("Fern", "Lark", "Moss", "Rook", "Sage", "Wren", "Flint", "Brook")
"""More than a table needs, so that one which looks like somebody's name can be left out."""
GOODBYE_SECONDS = 3.0
"""For a bot to end by itself, then once more after it was told to."""
LAST_WORDS_BYTES = 2000
"""Of a failed bot's stderr."""


class BotProcesses:
    """An async context manager. `failed` is a future with the last words of the first bot that ended in a wrong way.

    A bot reads the pipe that is its stdin: when this process ends, even by kill -9, the pipe closes and the bot leaves.
    """

    def __init__(self) -> None:
        self.failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._exits = contextlib.ExitStack()
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

    async def start(self, address: str, count: int, level: str, taken: str) -> None:
        """Start this many bots that join the table at this address; none looks like the name `taken`."""
        names = [name for name in NAMES if looks_like(name) != looks_like(taken)][:count]
        for name in names:
            home = self._exits.enter_context(
                tempfile.TemporaryDirectory(prefix="frp2p-bot-", ignore_cleanup_errors=True)
            )
            command = [sys.executable, "-m", "frp2p", "bot", address, "--name", name, "--level", level]
            log = Path(home, "stderr")
            process = await asyncio.create_subprocess_exec(
                *command,
                "--loopback",
                "--until-stdin-closes",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=self._log(log),
                env={**os.environ, VARIABLE: home},
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
            self.failed.set_result(f"{name}: {_last_line(log) or code}")

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


async def _all_ended(processes: list[asyncio.subprocess.Process]) -> bool:
    try:
        async with asyncio.timeout(GOODBYE_SECONDS):
            for process in processes:
                await process.wait()
    except TimeoutError:
        return False
    return True


def _last_line(log: Path) -> str:
    words = log.read_bytes()[-LAST_WORDS_BYTES:].decode("utf-8", "replace").strip()
    return words.splitlines()[-1] if words else ""
