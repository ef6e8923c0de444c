"""The two pipes of a program at a seat: it never waits for the other side, and nothing piles up without a bound."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Iterator

import pytest

from frp2p.errors import LocalError
from frp2p.players import stdin, stdout
from frp2p.players.stdin import StdinLines
from frp2p.players.stdout import StdoutLines

LINES = [b"{}", b"x" * 300_000, b"", b"y" * 9000, *(str(number).encode() for number in range(500))]
"""Short and long ones: some are larger than any pipe."""


class Pipe:
    """A reader, a writer, and what somebody has read."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        self.read = b""

    def take_all(self, *, pause: float = 0.0) -> threading.Thread:
        """Read to the end, in a thread of its own."""

        def take() -> None:
            while chunk := os.read(self.reader, 1 << 16):
                self.read += chunk
                time.sleep(pause)

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        return thread

    def close(self) -> None:
        for handle in (self.reader, self.writer):
            with contextlib.suppress(OSError):  # a test has closed it
                os.close(handle)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdout, "LAST_SECONDS", 0.2)
    monkeypatch.setattr(stdout, "MAX_WAITING", 400_000)


@pytest.mark.parametrize("blocking", [True, False])
async def test_every_line_comes_whole_and_in_order(pipe: Pipe, *, blocking: bool) -> None:
    os.set_blocking(pipe.writer, blocking)
    reading = pipe.take_all()
    lines = StdoutLines(handle=pipe.writer)
    lines.write(b"before it began")
    async with lines.open(lambda: None):
        for line in LINES:
            lines.write(line)
    os.close(pipe.writer)
    await asyncio.to_thread(reading.join)
    assert pipe.read == b"".join(line + b"\n" for line in (b"before it began", *LINES))


@pytest.mark.usefixtures("impatient")
async def test_a_slow_reader_is_waited_for_as_long_as_it_takes_something(pipe: Pipe) -> None:
    reading = pipe.take_all(pause=0.1)
    lines = StdoutLines(handle=pipe.writer)
    began = time.monotonic()
    async with lines.open(lambda: None):
        lines.write(b"x" * 380_000)
    assert time.monotonic() - began > stdout.LAST_SECONDS
    os.close(pipe.writer)
    await asyncio.to_thread(reading.join)
    assert len(pipe.read) == 380_001


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("count", [1, 100])
async def test_who_reads_nothing_stops_nothing_and_is_told_of_once(pipe: Pipe, count: int) -> None:
    """A single line that does not fit the pipe; and so many that no more of them are kept."""
    deaf: list[bool] = []
    lines = StdoutLines(handle=pipe.writer)
    began = time.monotonic()

    async def write() -> None:
        async with lines.open(lambda: deaf.append(True)):
            for _number in range(count):
                lines.write(b"x" * 100_000)
            assert time.monotonic() - began < stdout.LAST_SECONDS

    with pytest.raises(LocalError) as caught:
        await write()
    assert caught.value.code == "lines-unread"
    assert deaf == [True] * (count > 1)
    assert lines._given <= stdout.MAX_WAITING + (1 << 17)


@pytest.mark.usefixtures("impatient")
async def test_a_reader_that_goes_away_is_told_of_at_once_and_once(pipe: Pipe) -> None:
    gone = asyncio.Event()
    lines = StdoutLines(handle=pipe.writer)
    os.close(pipe.reader)

    async def write() -> None:
        async with lines.open(gone.set):
            lines.write(b"hello")
            async with asyncio.timeout(10):
                await gone.wait()
            gone.clear()
            lines.write(b"anybody?")

    with pytest.raises(BrokenPipeError):
        await write()
    assert not gone.is_set()


async def test_an_error_of_the_table_is_not_covered_by_one_of_the_pipe(pipe: Pipe) -> None:
    os.close(pipe.reader)
    lines = StdoutLines(handle=pipe.writer)

    async def fail() -> None:
        async with lines.open(lambda: None):
            lines.write(b"hello")
            raise KeyError

    with pytest.raises(KeyError):
        await fail()


async def test_no_more_is_read_than_the_loop_takes(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdin, "MAX_WAITING", 4)
    taken: list[bytes] = []
    ended = asyncio.Event()
    with StdinLines(taken.append, ended.set, handle=pipe.reader) as lines:
        os.write(pipe.writer, b"a\n" * 1000)
        time.sleep(0.3)  # noqa: ASYNC251 - the loop is busy with something else
        assert lines._room._value == 0
        assert len(asyncio.get_running_loop()._ready) <= 8  # type: ignore[attr-defined]
        os.close(pipe.writer)
        async with asyncio.timeout(10):
            await ended.wait()
    assert taken == [b"a"] * 1000
