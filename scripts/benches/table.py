"""Real tables on loopback: four processes, TLS, the sealed dealer; how long set-up and turns take. Then the set-up of
the largest table that there is, seven processes with both decks.

The players decide at once (the program at our seat takes the first legal move, the bots any), so what is measured is
the protocol: signatures, acks of all seats, decryption shares and their proofs, and the processes taking turns on the
cores of this machine.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

Row = tuple[str, float, str]
BOTS = 3
GAMES = 3
LARGEST = ("--bots", "6", "--extra-suits", "--items")
"""68 cards and 24 items; every seat shuffles both decks and its hand, and opens its part of 49 cards."""
MILLI = 1e3
GAME_SECONDS = 300.0
"""What a game may take before it is given up; on a free machine it is a tenth of that."""


class Measured:
    """Times of one game, in seconds of `time.perf_counter`."""

    def __init__(
        self, options: tuple[str, ...] = ("--bots", str(BOTS)), *, whole: bool = True, limit: float = GAME_SECONDS
    ) -> None:
        """With `whole` to the verified end, else until the hands are dealt; `limit`: seconds until it is given up."""
        self._options = options
        self._limit = limit
        self._given_up = False
        self._whole = whole
        self.address = ""
        """Where the seat that is measured listens, once it has said so."""
        self.at_end: Callable[[subprocess.Popen[str]], object] = lambda process: None
        """Called when the game is over and all processes are still there."""
        self.at_move: Callable[[subprocess.Popen[str]], object] = lambda process: None
        """Called before each move of ours, when everybody waits for it; `latest` is then the last step with a move."""
        self.latest = 0
        self.started = time.perf_counter()
        self.opened = 0.0
        self.dealt = 0.0
        self.ended = 0.0
        self.steps = 0
        self.turns: list[float] = []
        """When each turn began."""
        self.moves: list[float] = []
        """From a move of ours, written to stdin, to its being final at this seat."""
        self.last: float | None = None
        """From the last of them, where it ended the game, until all seats have read the whole record again."""

    def play(self) -> None:
        """One game; RuntimeError if it has no verified end in time."""
        command = [sys.executable, "-m", "frp2p", "headless", "play", *self._options, "--level", "random"]
        with tempfile.TemporaryDirectory(prefix="frp2p-bench-", ignore_cleanup_errors=True) as home:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                env={**os.environ, "FRP2P_HOME": home},
            )
            # The bots end when the program at our seat is gone.
            watch = threading.Timer(self._limit, self._give_up, (process,))
            watch.start()
            try:
                with process:
                    self._follow(process)
            finally:
                watch.cancel()
                process.kill()
        if self._given_up:
            raise RuntimeError(f"no end within {self._limit:.0f} s")
        if self._whole and process.returncode != 0:
            raise RuntimeError(f"the game was not verified (exit code {process.returncode})")

    def _give_up(self, process: subprocess.Popen[str]) -> None:
        self._given_up = True
        process.kill()

    def _follow(self, process: subprocess.Popen[str]) -> None:
        if process.stdin is None or process.stdout is None:
            raise TypeError(process)
        me: int | None = None
        sent, began, last = 0.0, 0.0, -1
        for text in process.stdout:
            now = time.perf_counter()
            if self.dealt and not self._whole:
                process.stdin.close()
                break
            line: dict[str, Any] = json.loads(text)
            match line["type"]:
                case "hello":
                    self.address = line["address"]
                case "view":
                    me = line["view"]["me"]
                    self._see(line["view"], now)
                case "event":
                    event = line["event"]
                    if event["type"] == "Opened":
                        self.opened = now
                    elif event["type"] == "Closed":
                        self.at_end(process)
                        if last == self.latest:
                            self.last = now - began
                    elif event["type"] == "Moved" and event["seat"] == me and sent:
                        self.moves.append(now - sent)
                        sent, began, last = 0.0, sent, event["step"]
                    if event["type"] == "Moved":
                        self.latest = event["step"]
                case "your-move":
                    self.at_move(process)
                    process.stdin.write('{"type": "move", "index": 0}\n')
                    process.stdin.flush()
                    sent = time.perf_counter()
                case "end":
                    self.ended = now
                    self.steps = line["steps"]

    def _see(self, view: dict[str, Any], now: float) -> None:
        if view["phase"] != "dealing" and not self.dealt:
            self.dealt = now
        if view["phase"] == "draw" and view["turn"] > len(self.turns):
            self.turns.append(now)


def run(quick: bool) -> list[Row]:
    """Rows of (what, figure, unit); one game if `quick`, else the medians over GAMES games."""
    games = []
    for _game in range(1 if quick else GAMES):
        games.append(Measured())
        games[-1].play()
    largest = Measured(LARGEST, whole=False)
    largest.play()
    turns = [later - earlier for game in games for earlier, later in zip(game.turns, game.turns[1:], strict=False)]
    moves = [move for game in games for move in game.moves]
    return [
        ("4 seats: four processes started, until all have signed", _median(g.opened - g.started for g in games), "s"),
        ("4 seats: keys, a shuffle by each seat, opening deal", _median(g.dealt - g.opened for g in games), "s"),
        ("4 seats: one turn (draw, shares, discard, hand shuffle)", MILLI * _median(turns), "ms"),
        ("4 seats: a move of ours until it is final", MILLI * _median(moves), "ms"),
        ("4 seats: whole game, verified by all", _median(g.ended - g.opened for g in games), "s"),
        ("4 seats: steps of the ledger", _median(g.steps for g in games), "steps"),
        ("7 seats, both decks: keys, shuffles, opening deal", largest.dealt - largest.opened, "s"),
    ]


def _median(values: Any) -> float:
    return float(statistics.median(values))
