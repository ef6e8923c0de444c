"""One table from the first connection to the saved record, whoever decides at our seat."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from frp2p.app.evidence import SavedEvidence
from frp2p.app.player import Corrigible, Player
from frp2p.app.reaching import reach
from frp2p.app.result import Result
from frp2p.app.snapshot import Snapshot
from frp2p.errors import UserError
from frp2p.games.game import IllegalMove, Move
from frp2p.locale import _
from frp2p.locale.reason import reason
from frp2p.net.address import Address
from frp2p.net.driver import DrivenPeer, Driver
from frp2p.store.journal import TableJournal
from frp2p.store.records import save_transcript
from frp2p.table.events import Convicted, Event, Stopped
from frp2p.table.limits import LEAVE_SECONDS
from frp2p.table.phase import Patience
from frp2p.table.status import Status

EVENTS_KEPT = 500
"""Events in a snapshot; a face shows a page of them, a whole game has some hundreds."""
FAREWELL_SECONDS = LEAVE_SECONDS + 5.0
"""A peer that has said farewell ends by itself within LEAVE_SECONDS; the rest is for one that is deep in thought."""
LINGER_SECONDS = 2.0
"""After a game that nothing has broken the others have the end at once, or have trouble of their own."""


class TablePeer(DrivenPeer, Protocol):
    """What a session needs of `table.peer.Peer`."""

    def status(self) -> Status: ...

    def legal(self) -> tuple[Move, ...]: ...

    def patience(self) -> Patience | None: ...

    def transcript(self) -> bytes | None: ...

    def settled(self) -> bool: ...

    def serving(self) -> bool: ...


class _Seen(NamedTuple):
    """What is looked at after every input, in the thread in which the peer thinks. `legal` is empty unless asked."""

    status: Status
    legal: tuple[Move, ...]
    patience: Patience | None
    settled: bool
    serving: bool


class Session:
    """Runs a peer that was told to host or join. `run` once; the rest works before, while and after it runs.

    `dial`: where the table is that we join, empty for a host; `label`: how the fingerprint of who answers there must
    begin, empty where that is not known. `listener` and `journal` belong to the session from now
    on; without a journal nothing is kept and the seat can't be taken again (for tests). `linger`: seconds to stay after
    the end, while another seat may still need our last records.
    """

    def __init__(
        self,
        peer: TablePeer,
        key: Ed25519PrivateKey,
        player: Player,
        listener: socket.socket,
        *,
        address: str,
        dial: tuple[Address, ...] = (),
        label: str = "",
        journal: TableJournal | None = None,
        linger: float = LINGER_SECONDS,
        interfaces: tuple[str, ...] = (),
    ) -> None:
        self.problem = ""
        self._journal = journal
        self._linger = linger
        self._interfaces = interfaces
        self._paused = ""
        self._peer = peer
        self._key = key
        self._player = player
        self._listener = listener
        self._address = address
        self._dial = dial
        self._label = label
        self._events: deque[Event] = deque(maxlen=EVENTS_KEPT)
        self._event_count = 0
        self._evidence = SavedEvidence()
        self._transcript: Path | None = None
        self._snapshot: Snapshot | None = None
        self._subscribers: list[Callable[[], None]] = []
        self._wake = asyncio.Event()
        self._driver: Driver[_Seen] | None = None
        self._seen = self._look()
        self._leaving = self._for_good = self._hurried = False

    def snapshot(self) -> Snapshot:
        """What is the case now."""
        if self._snapshot is None:
            self._snapshot = Snapshot(
                status=self._seen.status,
                events=tuple(self._events),
                event_count=self._event_count,
                address=self._address,
                transcript=self._transcript,
                evidence=self._evidence.path,
                problem=self.problem,
            )
        return self._snapshot

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call this after every change, in the event loop; returns the function that ends that."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def report(self, problem: str) -> None:
        """Show a sentence about the network or the disk; empty takes it back."""
        if problem != self.problem:
            self.problem = problem
            self._tell()

    @property
    def resumable(self) -> bool:
        """Whether the seat can be taken again, or other seats may still need it."""
        return self._journal is not None and self._journal.exists()

    async def admit(self, key: bytes) -> None:
        """As the host, let this guest in who asks; UserError if that is not possible (any more)."""
        await self._running().admit(key)

    async def remove(self, key: bytes) -> None:
        """As the host, before the game begins, send this guest away; UserError if that is not possible (any more)."""
        await self._running().remove(key)

    def hint(self, key: bytes, addresses: tuple[Address, ...]) -> None:
        """Somebody says that the seat with this key is at one of these addresses now; who answers there shows it."""
        if self._driver is not None:
            self._driver.hint(key, addresses)

    def moved(self, addresses: tuple[str, ...]) -> None:
        """This machine is at these addresses now: so others are told, as long as there is no charter."""
        if not self._dial:
            self._address = addresses[0]
            self._tell()
        if self._driver is not None:
            self._driver.moved(addresses)

    def _running(self) -> Driver[_Seen]:
        if self._driver is None:
            raise UserError(_("The table is not open yet."), code="not-host")
        return self._driver

    def leave(self, *, for_good: bool = False) -> None:
        """Get up from the table: the others are told, `run` ends soon. A seat that is left `for_good` is out of the
        game, which goes on without it; any other can be taken again, unless the others vote it out in the meantime.
        Once more: do not wait for anybody who could take note of it.
        """
        self._hurried = self._leaving
        self._leaving = True
        self._for_good = self._for_good or for_good
        self._wake.set()

    @property
    def leaving(self) -> bool:
        """Whether `leave` was called."""
        return self._leaving

    @property
    def for_good(self) -> bool:
        """Whether a game goes on without this seat by that."""
        return self._for_good and bool(self._seen.status.code)

    async def run(self, *, shown: bool = False) -> Result:
        """Play to the end (or until `leave`), save what is to be saved. UserError if the table can't be reached. Where
        the result is `shown` until the player leaves, whoever comes back late can have the end here for as long.
        """
        driver = Driver(
            self._peer,
            self._key,
            self._look,
            self._changed,
            keeper=self._journal,
            on_disk=self._disk_says,
            interfaces=self._interfaces,
        )
        self._driver = driver
        decision: asyncio.Task[Move] | None = None
        try:
            await driver.start(self._listener)
            if self._dial:
                await reach(driver, self._dial, self._label, lambda: self._leaving)
            while not self._leaving and self.snapshot().status.phase not in ("over", "stopped"):
                decision = self._decide(decision)
                await self._next_change(driver, decision)
                if decision is not None and decision.done() and self.snapshot().status.asked:
                    await self._act(driver, decision.result())
                    decision = None
            await _cancel(decision)
            await self._get_up(driver)
            await self._save(driver)
            await self._part(shown=shown)
        finally:
            await _cancel(decision)
            await driver.close()
            self._put_journal_away()
        return self._result()

    # -- inside --------------------------------------------------------------------------------------------------------

    def _disk_says(self, error: OSError | None) -> None:
        """The journal can't be written, or can again. Others only see that we are waited for."""
        if error is not None:
            self._paused = _(
                "Cannot write to disk ({reason}): the game is paused and goes on when there is room."
            ).format(reason=reason(error))
            self.report(self._paused)
        elif self.problem == self._paused:
            self.report("")

    def _put_journal_away(self) -> None:
        """Nobody needs the journal of a game that is over everywhere and saved here; nobody can go on with a table that
        has stopped; any other stays where it is.
        """
        status = self._seen.status
        if self._journal is None:
            return
        try:
            if status.phase == "over" and self._transcript is not None and self._seen.settled:
                self._journal.discard()
            elif status.phase == "over" and self._transcript is not None and not self.problem:
                self.problem = _("Not everybody has heard of the end; frp2p resume tells whoever comes back.")
            elif status.phase == "stopped" and status.fault is not None and self._is_final(status):
                self._journal.retire()
        except OSError as error:
            self.problem = self.problem or _("The journal could not be put away: {reason}").format(reason=reason(error))
        self._journal.close()

    def _is_final(self, status: Status) -> bool:
        """Whether a table that stopped here is no use to come back to."""
        out = status.me is not None and status.seats[status.me].out
        return out or (status.fault is not None and status.fault.code != "left")

    def _look(self) -> _Seen:
        status = self._peer.status()
        peer = self._peer
        legal = peer.legal() if status.asked else ()
        return _Seen(status, legal, peer.patience(), peer.settled(), peer.serving())

    def _changed(self, events: list[Event], seen: _Seen) -> None:
        self._seen = seen
        self._events.extend(events)
        self._event_count += len(events)
        for event in events:
            if isinstance(event, Stopped | Convicted) and event.evidence:
                self._evidence.take(event.evidence)
        self._tell()

    def _tell(self) -> None:
        self._snapshot = None
        self._wake.set()
        for callback in tuple(self._subscribers):
            callback()

    def _decide(self, decision: asyncio.Task[Move] | None) -> asyncio.Task[Move] | None:
        """Ask the player if the game asks this seat, and stop asking once it does not any more."""
        status, legal, patience, *_after_the_end = self._seen
        if not status.asked:
            if decision is not None:
                decision.cancel()
            return None
        return decision or asyncio.create_task(_choice(self._player, status.view, legal, patience))

    async def _act(self, driver: Driver[_Seen], move: Move) -> None:
        """Make the player's move; what it may do if that was not allowed depends on who it is."""
        try:
            await driver.act(move)
        except IllegalMove as error:
            if not isinstance(self._player, Corrigible):
                raise
            self._player.refused(error)
        except UserError:
            # Nothing is asked any more: the table has stopped in the meantime, as the snapshot shows.
            return

    async def _next_change(self, driver: Driver[_Seen], decision: asyncio.Task[Move] | None) -> None:
        """Wait for news, for the player, or for a failure of ours (which is raised)."""
        changed = asyncio.create_task(self._wake.wait())
        waited: list[asyncio.Future[Any]] = [changed, driver.failure]
        if decision is not None:
            waited.append(decision)
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancel(changed)
        self._wake.clear()
        if driver.failure.done():
            driver.failure.result()

    async def _part(self, *, shown: bool) -> None:
        """After the end stay as long as somebody may need our records."""
        status = self.snapshot().status
        if status.phase not in ("over", "stopped"):
            return
        if shown and status.phase == "over":
            out = any(seat.out for seat in status.seats)
            await self._stay(None, lambda: out or not self._seen.settled)
        end = asyncio.get_running_loop().time()
        await self._stay(end + self._linger, lambda: not self._seen.settled)
        await self._stay(end + LINGER_SECONDS, lambda: self._seen.serving)

    async def _get_up(self, driver: Driver[_Seen]) -> None:
        """Before the end: go, or say farewell and stay until the others can do without us."""
        if self._seen.status.phase in ("over", "stopped"):
            return
        if not self._for_good:
            driver.go()
            return
        driver.leave()
        deadline = asyncio.get_running_loop().time() + FAREWELL_SECONDS
        with contextlib.suppress(TimeoutError):  # the disk is full, or something takes very long: the seat is kept
            async with asyncio.timeout_at(deadline):
                while self._seen.status.phase not in ("over", "stopped") and not self._hurried:
                    await self._next_change(driver, None)
        if self._seen.status.phase not in ("over", "stopped"):
            driver.go()

    async def _stay(self, deadline: float | None, needed: Callable[[], bool]) -> None:
        """Until then at the latest, or until the player leaves, as long as somebody needs us."""
        while not self._leaving and needed():
            self._wake.clear()
            try:
                async with asyncio.timeout_at(deadline):
                    await self._wake.wait()
            except TimeoutError:
                return

    async def _save(self, driver: Driver[_Seen]) -> None:
        over = self._seen.status.phase == "over"
        content = await driver.ask(self._peer.transcript) if over else None
        self._try_to_save(self._evidence.save)
        if content is not None:
            self._try_to_save(lambda: self._save_transcript(content))
            if self._transcript is None and self.resumable:
                again = _("frp2p resume {code} tries again").format(code=self._seen.status.code)
                self.problem = f"{self.problem}; {again}"
        self._tell()

    def _save_transcript(self, content: bytes) -> None:
        self._transcript = save_transcript(content)

    def _try_to_save(self, save: Callable[[], None]) -> None:
        try:
            save()
        except (OSError, UserError) as error:
            why = reason(error) if isinstance(error, OSError) else error.message.rstrip(".")
            self.problem = _("The record could not be saved: {reason}").format(reason=why)

    def _result(self) -> Result:
        return Result(self.snapshot().status, self._transcript, self._evidence.path, self.problem)


async def _choice(player: Player, view: Any, legal: tuple[Move, ...], patience: Patience | None) -> Move:
    """The player's decision, or what is done for it when it takes too long for this game."""
    if patience is None:
        return await player.decide(view, legal)
    try:
        async with asyncio.timeout(patience.seconds):
            return await player.decide(view, legal)
    except TimeoutError:
        return patience.move


async def _cancel(task: asyncio.Task[Any] | None) -> None:
    if task is not None and not task.done():
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
