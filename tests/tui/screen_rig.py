"""The real client on a screen in memory: keys go in through a pipe, what it draws is read back from pyte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pyte
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from frp2p.tui.client import Chooser, Client, TableSession

ESCAPE_SECONDS = 0.15
"""A lone Esc is only told from the start of a longer key by the time that follows it."""

PATIENCE_SECONDS = 20.0
"""How long a test waits for the screen to come to rest before it fails."""


class Glass:
    """A terminal's output side: what is written to it appears on a pyte screen; the raw bytes are kept too."""

    encoding = "utf-8"

    def __init__(self, columns: int, rows: int) -> None:
        self.size = Size(rows=rows, columns=columns)
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self.raw = ""

    def write(self, text: str) -> int:
        self.raw += text
        self._stream.feed(text)
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("a glass has no file")


class Rig:
    """One running client. `task` ends when the client does."""

    def __init__(self, client: Client, glass: Glass, send: object, task: asyncio.Task[None]) -> None:
        self.client = client
        self.glass = glass
        self.task = task
        self._send = send
        self._escaped = False

    def press(self, text: str) -> None:
        """Keys as a terminal sends them."""
        self._escaped = text == "\x1b"
        self._send(text)  # type: ignore[operator]

    async def keys(self, *texts: str) -> None:
        """Keys one by one, each drawn before the next."""
        for text in texts:
            self.press(text)
            await self.rest()

    async def rest(self) -> None:
        """Until everything is computed and drawn."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            for _again in range(2):  # what was computed is drawn in a second round
                await asyncio.sleep(ESCAPE_SECONDS if self._escaped else 0.02)
                self._escaped = False
                while self._busy():  # noqa: ASYNC110 - the worker tells only the client
                    await asyncio.sleep(0.01)

    def _busy(self) -> bool:
        worth = self.client.worker.worth
        computing = worth is not None and not worth.done
        return (computing or self.client.app.invalidated) and not self.task.done()

    def resize(self, columns: int, rows: int) -> None:
        self.glass.size = Size(rows=rows, columns=columns)
        self.glass.screen.resize(rows, columns)
        self.client.app._on_resize()

    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.glass.screen.display]

    def text(self) -> str:
        return "\n".join(self.lines())


@asynccontextmanager
async def rig(
    session: TableSession, human: Chooser, columns: int = 80, rows: int = 24, *, ascii: bool = False
) -> AsyncIterator[Rig]:
    """A client that runs while inside; left over, it is told to leave."""
    glass = Glass(columns, rows)
    output = Vt100_Output(glass, lambda: glass.size, term="xterm-256color", enable_cpr=False)  # type: ignore[arg-type]
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=output):
        client = Client(session, human, ascii=ascii)
        task = asyncio.create_task(client.run())
        running = Rig(client, glass, pipe.send_text, task)
        await running.rest()
        try:
            yield running
        finally:
            if not task.done():
                client.app.exit()
            await asyncio.wait_for(asyncio.gather(task, return_exceptions=True), PATIENCE_SECONDS)
