"""Snapshots for tests of the screen: made by hand, or by real games that a clear dealer deals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from frp2p.app.model_log import LogBook
from frp2p.app.model_table import names
from frp2p.app.model_worth import Worth, appraise
from frp2p.app.snapshot import Snapshot
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.view import HandCard, SeatView, View
from frp2p.games.game import Deal, Decide, IllegalMove, Move
from frp2p.games.verbs import Shuffle, SlotId
from frp2p.players.human import Human
from frp2p.players.selfplay import ClearCroupier
from frp2p.table.events import Dealt, Event, Joined, LinkUp, Moved, Opened, Spoke
from frp2p.table.status import Fault, SeatStatus, Status
from frp2p.tui.compose import compose
from frp2p.tui.state import Stage, Ui

PEOPLE = ("Rui", "Ana", "Bob", "Eve", "Zoe", "Max", "Lia")


def cards(*numbers: int) -> tuple[CardId, ...]:
    """Base cards by their numbers."""
    return tuple(CardId(f"FR{number:02}") for number in numbers)


def seats(count: int, *, away: tuple[int, ...] = (), people: tuple[str, ...] = PEOPLE) -> tuple[SeatStatus, ...]:
    return tuple(
        SeatStatus(seat, people[seat], bytes([seat]) * 32, f"K7Q2-M{seat}PX-44RA", seat not in away)
        for seat in range(count)
    )


def status(count: int = 4, view: View | None = None, **changes: Any) -> Status:
    plain = Status(
        phase="play", me=0, code="K7Q2MPX4", game="fantasy-realms", options=Options(), seats_wanted=count,
        seats=seats(count), step=40, waiting_for=(), asked=view is not None and 0 in view.asked,
        shuffled_by=tuple(range(count)), verified_by=(), digest=None, fault=None, view=view,
    )  # fmt: skip
    return msgspec.structs.replace(plain, **changes)


def snapshot(state: Status, events: tuple[Event, ...] = (), **changes: Any) -> Snapshot:
    plain = Snapshot(
        status=state, events=events, event_count=len(events), address="192.168.7.20:52701", transcript=None,
        evidence=None, problem="",
    )  # fmt: skip
    return msgspec.structs.replace(plain, **changes)


def view(
    hand: tuple[CardId, ...],
    discards: tuple[CardId, ...] = (),
    phase: Any = "draw",
    asked: tuple[int, ...] = (0,),
    count: int = 4,
    **changes: Any,
) -> View:
    """A view of seat 0; the other hands are face down."""
    mine = tuple(HandCard(SlotId(100 + index), card) for index, card in enumerate(hand))
    hidden = tuple(HandCard(SlotId(index), None) for index in range(7))
    rows = tuple(SeatView(seat, mine if seat == 0 else hidden) for seat in range(count))
    plain = View(
        me=0, phase=phase, asked=asked, turn=13, seat_in_turn=asked[0] if asked else 1, first_seat=1, seats=rows,
        deck_left=53 - 7 * count - len(discards), discards=discards, threshold=10,
    )  # fmt: skip
    return msgspec.structs.replace(plain, **changes)


@lru_cache(maxsize=500)
def worth_of(shown: View | None) -> Worth | None:
    """Everything computed."""
    if shown is None or shown.me is None:
        return None
    return list(appraise(shown, "what-if"))[-1]


def stage(shot: Snapshot, columns: int = 80, rows: int = 24, ui: Ui | None = None) -> Stage:
    """A stage with everything computed; this seat is asked if the view says so."""
    shown = shot.status.view
    asked = None
    if isinstance(shown, View) and shown.me is not None and shown.me in shown.asked:
        asked = (shown, GAME.legal(shown))
    book = LogBook()
    book.feed(shot)
    entries = book.entries(names(shot.status))
    fresh = shown.took if isinstance(shown, View) and asked is not None and shown.phase == "discard" else None
    return Stage(shot, asked, worth_of(shown), entries, ui or Ui(), columns, rows, fresh)


def text(shown: Stage) -> str:
    """The frame as plain text, lines stripped at the right."""
    return "\n".join("".join(cell.text for cell in line).rstrip() for line in compose(shown).lines)


def by_default(shown: View, _legal: tuple[Move, ...]) -> Move:
    """The default move, but a discard is taken where that is possible: the log shows both."""
    takes = [move for move in GAME.legal(shown) if type(move).__name__ == "TakeDiscard"]
    return takes[0] if shown.turn % 3 == 0 and takes else GAME.default(shown)


class Table:
    """A real game in one process behind the interface of a session: seat 0 decides through a Human."""

    def __init__(
        self,
        count: int = 4,
        seed: int = 1,
        folder: Path = Path("/home/rui/.local/share/frp2p"),
        options: Options = Options(),  # noqa: B008 - a frozen value
    ) -> None:
        self.human = Human()
        self.left = self.left_for_good = False
        self._count = count
        self._options = options
        self._folder = folder
        self._croupier = ClearCroupier(GAME.decks(options), count, seed)
        self._subscribers: list[Callable[[], None]] = []
        self._events: list[Event] = [Joined(name) for name in PEOPLE[:count]]
        self._events += [Opened(PEOPLE[:count]), *(LinkUp(seat) for seat in range(1, count))]
        self._step = 0
        self.state = GAME.start(options, count)
        self._shot = self._snapshot()

    def snapshot(self) -> Snapshot:
        return self._shot

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def leave(self, *, for_good: bool = False) -> None:
        self.left = True
        self.left_for_good = for_good

    def show(self, shot: Snapshot) -> None:
        """Put any snapshot on the screen."""
        self._shot = shot
        for callback in tuple(self._subscribers):
            callback()

    def views(self, decide: Callable[[View, tuple[Move, ...]], Move]) -> Iterator[Snapshot]:
        """Play to the end with one decider for all seats; every snapshot on the way."""
        yield self._shot
        while isinstance(need := GAME.need(self.state), Decide | Deal):
            if isinstance(need, Decide):
                shown = {seat: self._view(seat) for seat in need.seats}
                self._apply({seat: decide(one, GAME.legal(one)) for seat, one in shown.items()})
            else:
                self._deal(need)
            yield self._shot

    async def run(self) -> None:
        """Play with the person at seat 0, the others by default moves; then over and verified."""
        while isinstance(need := GAME.need(self.state), Decide | Deal):
            await asyncio.sleep(0)
            if isinstance(need, Deal):
                self._deal(need)
                continue
            moves = {seat: GAME.default(self._view(seat)) for seat in need.seats if seat}
            while 0 in need.seats and 0 not in moves:
                shown = self._view(0)
                move = await self.human.decide(shown, GAME.legal(shown))
                try:
                    GAME.check(self.state, 0, move)
                    moves[0] = move
                except IllegalMove as error:
                    self.human.refused(error)
            self._apply(moves)
        self.finish()

    def finish(self) -> None:
        """Everybody has verified."""
        everybody = tuple(range(self._count))
        over = msgspec.structs.replace(self._status(), phase="over", verified_by=everybody, digest=bytes(range(32)))
        path = self._folder / "transcripts" / "2026-11-30-K7Q2MPX4.frp2p"
        self.show(snapshot(over, tuple(self._events), transcript=path))

    def _view(self, seat: int) -> View:
        shown = GAME.view(self.state, seat, self._croupier.known(seat))
        if not isinstance(shown, View):
            raise TypeError(shown)
        return shown

    def _apply(self, moves: dict[int, Move]) -> None:
        self.state = GAME.apply(self.state, moves)
        self._step += 1
        self._events += [Moved(self._step, seat, move) for seat, move in moves.items()]
        self.show(self._snapshot())

    def _deal(self, need: Deal) -> None:
        outcomes = self._croupier.carry_out(need.verbs)
        self._step += 1
        for verb, outcome in zip(need.verbs, outcomes, strict=True):
            if isinstance(verb, Shuffle) and verb.by < 0:
                self._events += [Spoke(self._step, seat, (verb,)) for seat in range(self._count)]
            self._events.append(Dealt(self._step, verb, outcome))
        self.state = GAME.dealt(self.state, outcomes)
        self.show(self._snapshot())

    def _status(self) -> Status:
        return status(self._count, self._view(0), step=self._step, options=self._options)

    def _snapshot(self) -> Snapshot:
        return snapshot(self._status(), tuple(self._events))


def stopped() -> Snapshot:
    fault = Fault("shuffle-chain", 2, "shuffle-chain")
    where = Path("/home/rui/.local/share/frp2p/evidence/2026-11-30-K7Q2MPX4.frp2p-evidence")
    return snapshot(status(4, phase="stopped", fault=fault), evidence=where)
