"""A real table on loopback: four processes, TLS, the sealed dealer. How long it takes to set up, and what a turn takes.

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
import time
from typing import Any

Row = tuple[str, float, str]
BOTS = 3
GAMES = 3
MILLI = 1e3


class Measured:
    """Times of one game, in seconds of `time.perf_counter`."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.opened = 0.0
        self.dealt = 0.0
        self.ended = 0.0
        self.steps = 0
        self.turns: list[float] = []
        """When each turn began."""
        self.moves: list[float] = []
        """From a move of ours, written to stdin, to its being final at this seat."""

    def play(self) -> None:
        """One game of four seats to its verified end; RuntimeError if it has none."""
        command = [sys.executable, "-m", "frp2p", "headless", "play", "--bots", str(BOTS), "--level", "random"]
        with tempfile.TemporaryDirectory(prefix="frp2p-bench-") as home:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                env={**os.environ, "FRP2P_HOME": home},
            )
            with process:
                self._follow(process)
        if process.returncode != 0:
            raise RuntimeError(f"the game was not verified (exit code {process.returncode})")

    def _follow(self, process: subprocess.Popen[str]) -> None:
        if process.stdin is None or process.stdout is None:
            raise TypeError(process)
        me: int | None = None
        sent = 0.0
        for text in process.stdout:
            now = time.perf_counter()
            line: dict[str, Any] = json.loads(text)
            match line["type"]:
                case "view":
                    me = line["view"]["me"]
                    self._see(line["view"], now)
                case "event":
                    event = line["event"]
                    if event["type"] == "Opened":
                        self.opened = now
                    elif event["type"] == "Moved" and event["seat"] == me and sent:
                        self.moves.append(now - sent)
                        sent = 0.0
                case "your-move":
                    process.stdin.write('{"type": "move", "index": 0}\n')
                    process.stdin.flush()
                    sent = time.perf_counter()
                case "end":
                    self.ended = now
                    self.steps = line["steps"]

    def _see(self, view: dict[str, Any], now: float) -> None:
        if view["phase"] == "draw" and view["turn"] > len(self.turns):
            if not self.turns:
                self.dealt = now
            self.turns.append(now)


def run(quick: bool) -> list[Row]:
    """Rows of (what, figure, unit); one game if `quick`, else the medians over GAMES games."""
    games = []
    for _game in range(1 if quick else GAMES):
        games.append(Measured())
        games[-1].play()
    turns = [later - earlier for game in games for earlier, later in zip(game.turns, game.turns[1:], strict=False)]
    moves = [move for game in games for move in game.moves]
    return [
        ("4 seats: four processes started, until all have signed", _median(g.opened - g.started for g in games), "s"),
        ("4 seats: keys, a shuffle by each seat, opening deal", _median(g.dealt - g.opened for g in games), "s"),
        ("4 seats: one turn (draw, shares, discard, hand shuffle)", MILLI * _median(turns), "ms"),
        ("4 seats: a move of ours until it is final", MILLI * _median(moves), "ms"),
        ("4 seats: whole game, verified by all", _median(g.ended - g.opened for g in games), "s"),
        ("4 seats: steps of the ledger", _median(g.steps for g in games), "steps"),
    ]


def _median(values: Any) -> float:
    return float(statistics.median(values))
