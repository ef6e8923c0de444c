"""Real tables of four and of seven processes on loopback: how long until a move is final, also while others attack;
what a seat weighs after a long match; how long `frp2p --help` takes.

All processes share the cores of this machine, so with seven seats on few cores it is mostly they that are measured. The
attacks: a stranger that connects again and again and sends noise as fast as it can, and a seat that says everything
four times, each time with a pull of the whole game.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benches.table import Measured
from frp2p.errors import PeerFault
from frp2p.net import frames, tls

Row = tuple[str, float | None, str]
"""What, figure, unit; where there is no figure, the reason in place of the unit."""
MILLI = 1e3
GAMES = 3
LONG_ROUNDS = 20
MATCH_SECONDS = 1200.0
"""What the long match may take."""
HELPS = 10
HELP_SECONDS = 30.0
LINK_SECONDS = 1.0
"""What the stranger waits for an answer, or for its noise to be taken."""
MIB = 1024
"""Kibibytes."""


class Stranger:
    """Connects to the table again and again and sends what it likes. `sent`: bytes."""

    def __init__(self, measured: Measured) -> None:
        self.sent = 0
        self._measured = measured
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Stranger:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        self._thread.join(10 * LINK_SECONDS)

    def _run(self) -> None:
        context = tls.context(Ed25519PrivateKey.generate())
        noise = frames.encode(frames.DATA, b"\x93\xa3ack" + os.urandom(200)) * 50
        while not self._stop.is_set():
            address = self._measured.address
            if not address:
                time.sleep(0.05)
                continue
            host, _, port = address.rpartition(":")
            try:
                with socket.create_connection((host.strip("[]"), int(port)), timeout=LINK_SECONDS) as link:
                    self._talk(link, context, noise)
            except (OSError, PeerFault):
                time.sleep(0.01)  # likewise

    def _talk(self, link: socket.socket, context: tls.SSL.Context, noise: bytes) -> None:
        channel = tls.TlsChannel(context, server=False)
        link.sendall(channel.drain())
        while not self._stop.is_set():
            if channel.exporter is None:
                if not (answer := link.recv(1 << 16)):
                    return  # turned away
                channel.feed(answer)
            else:
                channel.write(noise)
            data = channel.drain()
            link.sendall(data)
            self.sent += len(data)


def run(quick: bool) -> Iterator[Row]:
    """Rows as they come; shorter and without the long match if `quick`. What fails does not keep the rest back."""
    sections: list[tuple[str, Callable[[], Iterable[Row]]]] = [
        ("frp2p --help", _help),
        ("4 seats", partial(_finality, 4, quick)),
        ("7 seats", partial(_finality, 7, quick)),
        ("4 seats, a stranger sends noise", _noise),
        ("4 seats, a seat floods", _flooded),
    ]
    if not quick:
        sections.append((f"4 seats, a match of {LONG_ROUNDS} rounds", _long_match))
    for title, section in sections:
        try:
            yield from section()
        except (RuntimeError, OSError, subprocess.SubprocessError, ValueError) as error:
            yield title, None, str(error) or type(error).__name__


def _finality(seats: int, quick: bool) -> list[Row]:
    games = [_played(seats) for _ in range(1 if quick else GAMES)]
    work = [game.work for game in games]
    moves = sorted(move for game in games for move in game.moves)
    steps = sum(game.steps for game in games) / sum(game.ended - game.opened for game in games)
    last = [game.last for game in games if game.last is not None]
    at_end = f"{seats} seats: the last move, until all have read the record again"
    return [
        *([(at_end, max(last), "s")] if last else []),
        (f"{seats} seats: a step until it is final, median", MILLI * _share(moves, 0.5), "ms"),
        (f"{seats} seats: likewise, 99 of 100", MILLI * _share(moves, 0.99), "ms"),
        (f"{seats} seats: steps of a whole game", steps, "a second"),
        (f"{seats} seats: processor time of a seat for a step, proofs included", MILLI * statistics.median(work), "ms"),
    ]


class Worked(Measured):
    """Also counts processor time. `work`: seconds that a seat spent on a step, between two moves of ours."""

    def __init__(self, seats: int) -> None:
        super().__init__(("--bots", str(seats - 1), *(("--extra-suits",) if seats == 7 else ())))
        self._seats = seats
        self._counts: list[tuple[int, float]] = []
        self.at_move = lambda process: self._counts.append((self.latest, _processor_time(process)))

    @property
    def work(self) -> float:
        """From our second move on; RuntimeError if there are too few."""
        if len(self._counts) < 3 or self._counts[-1][0] == self._counts[1][0]:
            raise RuntimeError("too few moves to tell the processor time")
        (first, before), (last, after) = self._counts[1], self._counts[-1]
        return (after - before) / (last - first) / self._seats


def _played(seats: int) -> Worked:
    measured = Worked(seats)
    measured.play()
    return measured


def _processor_time(process: subprocess.Popen[str]) -> float:
    """Seconds of this process and its children so far, as Linux tells."""
    ticks = 0
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = entry.read_text().rpartition(")")
        except OSError:
            continue  # has just ended
        fields = rest.split()
        if process.pid in (int(name.split(" ", 1)[0]), int(fields[1])):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _noise() -> list[Row]:
    """A game of four in which a stranger floods the seat that is measured."""
    harried = Measured()
    with Stranger(harried) as stranger:
        harried.play()
    rate = stranger.sent / (harried.ended - harried.started) / 1e6
    return [
        ("4 seats, a stranger sends noise: a step, median", MILLI * _share(sorted(harried.moves), 0.5), "ms"),
        ("4 seats, a stranger sends noise: what got in", rate, "MB/s"),
    ]


def _flooded() -> list[Row]:
    """One of the bots is of the flooding kind: the same program with one function of it replaced."""
    with tempfile.TemporaryDirectory(prefix="frp2p-bench-") as folder:
        own = {"PYTHONPATH": str(Path(__file__).resolve().parent / "flooding"), "FRP2P_BENCH_FLOOD": f"{folder}/one"}
        os.environ.update(own)
        try:
            game = _played(4)
        finally:
            for name in own:
                del os.environ[name]
        if not Path(own["FRP2P_BENCH_FLOOD"]).exists():
            raise RuntimeError("nobody flooded")
    return [("4 seats, a seat floods: a step, median", MILLI * _share(sorted(game.moves), 0.5), "ms")]


def _long_match() -> list[Row]:
    weights: list[float] = []
    game = Measured(("--bots", "3", "--rounds", str(LONG_ROUNDS)), limit=MATCH_SECONDS)
    game.at_end = lambda process: weights.extend(_weights(process))
    game.play()
    return [
        (f"4 seats, a match of {LONG_ROUNDS} rounds: memory of a seat, most", max(weights) / MIB, "MiB"),
        (f"4 seats, a match of {LONG_ROUNDS} rounds: steps", game.steps, "steps"),
    ]


def _weights(process: subprocess.Popen[str]) -> list[float]:
    """Resident kibibytes of this process and its children, as Linux tells."""
    tree, found = [process.pid], []
    for entry in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in entry.read_text().splitlines() if ":" in line)
        except OSError:
            continue  # has just ended
        if int(fields["PPid"]) in tree or int(fields["Pid"]) in tree:
            found.append(float(fields.get("VmRSS", "0 kB").split()[0]))
    return found


def _help() -> list[Row]:
    times = []
    for _ in range(HELPS):
        started = time.perf_counter()
        command = [sys.executable, "-m", "frp2p", "--help"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, timeout=HELP_SECONDS)
        times.append(time.perf_counter() - started)
    return [("frp2p --help", MILLI * statistics.median(times), "ms")]


def _share(values: list[float], share: float) -> float:
    """The value below which this share of the sorted values lies; RuntimeError of none."""
    if not values:
        raise RuntimeError("nothing was measured")
    return values[min(len(values) - 1, int(share * len(values)))]
