"""A program at a seat: a JSON object a line in and out, as docs/headless.md says. Errors are answered, never fatal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import msgspec

from frp2p import __version__
from frp2p.app.session import Session
from frp2p.errors import UserError
from frp2p.games.game import Game, IllegalMove, Move
from frp2p.ledger.provisions import named
from frp2p.players.stdin import MAX_LINE
from frp2p.table.status import Status

VERSION = 1
"""Of the lines; a program checks it in `hello`."""


class MoveLine(msgspec.Struct, frozen=True, tag="move", forbid_unknown_fields=True):
    """Do this move, or the one at this place in `legal`."""

    move: Any = None
    index: int | None = None


class AdmitLine(msgspec.Struct, frozen=True, tag="admit", forbid_unknown_fields=True):
    """As the host: let in who has this key (hexadecimal, as `lobby` gives it)."""

    key: str


class RemoveLine(msgspec.Struct, frozen=True, tag="remove", forbid_unknown_fields=True):
    """As the host: send away who has this key."""

    key: str


class QuitLine(msgspec.Struct, frozen=True, tag="quit", forbid_unknown_fields=True):
    """Leave the table; `for_good`: be out of the game, which goes on without this seat."""

    for_good: bool = False


class Headless:
    """Writes what happens to `write` (a line without its end) and decides by the lines that it is given."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._session: Session | None = None
        self._games: Mapping[str, Game] = {}
        self._events_told = 0
        self._view_told: Any = None
        self._lobby_told: Any = None
        self._deciding: set[asyncio.Task[None]] = set()
        self._legal: tuple[Move, ...] = ()
        self._answer: asyncio.Future[Move] | None = None
        self._refusal: IllegalMove | None = None

    def attach(self, session: Session, games: Mapping[str, Game], name: str, fingerprint: str) -> None:
        """Say hello, then tell what happens at this table."""
        self._session = session
        self._games = games
        hello = {"version": VERSION, "program": f"frp2p {__version__}", "name": name, "fingerprint": fingerprint}
        self._tell("hello", **hello, address=session.snapshot().address)
        session.subscribe(self._changed)

    async def decide(self, view: Any, legal: tuple[Move, ...]) -> Move:
        self._changed()
        if self._refusal is not None:
            self._tell("error", code=self._refusal.code, message=self._refusal.message)
            self._refusal = None
        self._legal = legal
        self._answer = asyncio.get_running_loop().create_future()
        clock = self._session.snapshot().status.clock if self._session is not None else None
        self._tell("your-move", legal=legal, clock=clock)
        try:
            return await self._answer
        finally:
            self._answer = None

    def refused(self, error: IllegalMove) -> None:
        """The move was not allowed; the question comes again after this answer."""
        self._refusal = error

    def line(self, text: bytes) -> None:
        """Take one line of the program."""
        if not text.strip():
            return
        if len(text) > MAX_LINE:
            self._tell("error", code="line-too-long", message=f"a line has at most {MAX_LINE} bytes")
            return
        try:
            match msgspec.json.decode(text, type=MoveLine | AdmitLine | RemoveLine | QuitLine):
                case MoveLine() as line:
                    self._move(line)
                case AdmitLine() | RemoveLine() as line:
                    self._decide_about(line)
                case QuitLine(for_good=for_good):
                    if self._session is not None:
                        self._session.leave(for_good=for_good)
        except (msgspec.MsgspecError, RecursionError) as error:
            self._tell("error", code="bad-line", message=str(error))

    def end(self, summary: Mapping[str, object]) -> None:
        """The last line."""
        self._changed()
        self._tell("end", **summary)

    def _move(self, line: MoveLine) -> None:
        if self._answer is None or self._answer.done() or self._session is None:
            self._tell("error", code="not-asked", message="no move is awaited")
        elif (line.index is None) == (line.move is None):
            self._tell("error", code="bad-line", message="give either a move or an index")
        elif line.index is None:
            game = self._games[self._session.snapshot().status.game]
            self._answer.set_result(msgspec.convert(line.move, game.move_type))
        elif 0 <= line.index < len(self._legal):
            self._answer.set_result(self._legal[line.index])
        else:
            self._tell("error", code="illegal-move", message=f"there are {len(self._legal)} moves")

    def _decide_about(self, line: AdmitLine | RemoveLine) -> None:
        """The host lets somebody in or sends somebody away; an error is answered when it is known."""
        session = self._session
        if session is None:
            return
        try:
            key = bytes.fromhex(line.key)
        except ValueError:
            self._tell("error", code="bad-line", message="a key is written in hexadecimal digits")
            return
        decision = session.admit(key) if isinstance(line, AdmitLine) else session.remove(key)
        task = asyncio.get_running_loop().create_task(self._answered(decision))
        self._deciding.add(task)
        task.add_done_callback(self._deciding.discard)

    async def _answered(self, decision: Coroutine[Any, Any, None]) -> None:
        try:
            await decision
        except UserError as error:
            self._tell("error", code=error.code, message=error.message)

    def _changed(self) -> None:
        if self._session is None:
            return
        snapshot = self._session.snapshot()
        self._tell_lobby(snapshot.status)
        new = snapshot.event_count - self._events_told
        for event in snapshot.events[-new:] if new else ():
            self._tell("event", event=event)
        self._events_told = snapshot.event_count
        view = snapshot.status.view
        if view is not None and view != self._view_told:
            self._view_told = view
            self._tell("view", view=view)

    def _tell_lobby(self, status: Status) -> None:
        """Who sits here and who asks, whenever that changed before the game begins."""
        here = status.seats, status.arbiter, status.asking
        if status.phase == "lobby" and status.seats and here != self._lobby_told:
            self._lobby_told = here
            self._tell(
                "lobby",
                me=status.me,
                wanted=status.seats_wanted,
                seats=status.seats,
                arbiter=status.arbiter,
                asking=status.asking,
                provisions=named(status.provisions) if status.provisions is not None else None,
            )

    def _tell(self, kind: str, **fields: object) -> None:
        builtins = msgspec.to_builtins({"type": kind, **fields}, builtin_types=(bytes,))
        self._write(msgspec.json.encode(_with_hex(builtins)))


def _with_hex(value: Any) -> Any:
    """Digests and keys as people write them."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: _with_hex(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_with_hex(item) for item in value]
    return value
