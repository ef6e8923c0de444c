"""Watching a table: the charter and every final step from any seat, verified as a third person would, and shown.

A watcher is nobody at the table: it has no seat, no secrets and no voice. It says Hello and Pull. Whoever sends it a
step that does not hold is left, and another seat is asked; the steps before do not change by that.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec

from frp2p.errors import PeerFault, UserError
from frp2p.games.verbs import TABLE, Draw, Seat, Shuffle
from frp2p.ledger.charter import Charter, charter_digest, read_charter, table_code
from frp2p.ledger.codec import decode
from frp2p.ledger.events import Dealt, Spoke, StepEvent
from frp2p.ledger.fingerprint import fingerprint
from frp2p.ledger.limits import MAX_OPTIONS
from frp2p.ledger.names import check_name
from frp2p.ledger.referee import Referee
from frp2p.ledger.transcript import ClosedStep
from frp2p.ledger.witness import Witness
from frp2p.table import limits
from frp2p.table.desk import Desk
from frp2p.table.events import Closed, Opened
from frp2p.table.links import Link
from frp2p.table.lobby import BeforeCharter
from frp2p.table.messages import AnyMessage, Final, Lobby, Locked, Proposal, Pull
from frp2p.table.phase import TableStop
from frp2p.table.status import Phase, SeatStatus, Status

REFUSED = frozenset({"table-full", "busy", "watcher-speaks", "join-timeout"})
"""Reasons of a seat that does not want us; the next one is asked."""

_PHASES: dict[str, Phase] = {
    "charter": "setup", "setup": "setup", "open": "closing", "attest": "closing", "closed": "over"
}  # fmt: skip


class Shown(msgspec.Struct, frozen=True):
    """The table after a step, and what happened in it."""

    status: Status
    events: tuple[Any, ...]


class Watching(BeforeCharter):
    """`delay`: how many steps the screen stays behind what is final; at the end everything is shown. `places`: the
    addresses at which the table is looked for."""

    def __init__(self, desk: Desk, delay: int, places: tuple[str, ...]) -> None:
        super().__init__(desk)
        self._delay = delay
        self._places = places
        self._host: bytes | None = None
        """The key that answered where the table was looked for, until the charter says who the seats are."""
        self._lobby: Lobby | None = None
        self._options: Any = None
        self._charter: Charter | None = None
        self._witness: Witness | None = None
        self._addresses: dict[bytes, tuple[str, ...]] = {}
        self._liars: set[bytes] = set()
        """Keys that sent what does not hold; at most one for each seat."""
        self._hidden: deque[Shown] = deque()
        """Final and not shown yet."""
        self._now_shown: Status | None = None
        self._shuffled: set[Seat] = set()
        self._dealt_cards = False
        self._again: float | None = None
        """When something is due: the question once more, or the next seat; None before the first tick."""
        self._turn = 0
        """Whose turn it is to be dialled."""
        self._patience: float | None = None

    # -- links ---------------------------------------------------------------------------------------------------------

    def found(self, key: bytes) -> None:
        """The table is the one of the first key that answered where it was looked for."""
        if self._host is None:
            self._host = key
            self._addresses = {key: self._places}

    def welcome(self, key: bytes) -> bool:
        """Seats of this table and its arbiter, as soon as they are known."""
        return key not in self._liars and (self._charter is None or key in self._charter.voter_keys)

    def greeted(self, link: Link, now: float) -> None:
        if self._trusts(link):
            self._patience = None
            self._ask(link, now)

    def lost(self, link: Link, now: float) -> None:
        self._again = now + limits.DIAL_FIRST

    def dismissed(self, link: Link, reason: str, now: float) -> None:
        """The host of a lobby has gone; any other reason means that another seat is asked."""
        if reason == "host-left" and self._charter is None and self._trusts(link):
            raise TableStop(reason, None, "The host has gone away.")
        if reason in REFUSED:
            self._turn += 1

    def _trusts(self, link: Link) -> bool:
        """Whether this may be a seat: the charter says so, or before it the one that was called."""
        if self._charter is not None:
            return link.key in self._charter.voter_keys and link.key not in self._liars
        return self._host in (None, link.key)

    # -- messages ------------------------------------------------------------------------------------------------------

    def handle(self, link: Link, message: AnyMessage, now: float) -> None:
        """What a seat shows; anything else is dropped."""
        if not self._trusts(link):
            return
        match message:
            case Lobby() if self._charter is None:
                self._take_lobby(link, message, now)
            case Locked() if self._charter is None:
                raise TableStop("passphrase-needed", None, "The lobby of this table has a passphrase.")
            case Proposal():
                self._take_charter(link, message, now)
            case Final():
                self._take_final(link, message, now)
            case Pull():
                self._ask(link, now)  # the end of a page

    def _take_lobby(self, link: Link, lobby: Lobby, now: float) -> None:
        for member in lobby.everybody():
            check_name(member.name)
        game = self.desk.games.get(lobby.game)
        if game is None:
            raise TableStop("unknown-game", None, "This program does not know the game of this table.")
        if not lobby.provisions.watched:
            raise TableStop("not-watched", None, "This table is not to be watched.")
        self._options = decode(lobby.options, game.options_type, cap=MAX_OPTIONS)
        try:
            game.check_options(self._options, lobby.seats)
        except UserError as error:
            raise TableStop("charter-options", None, error.message) from error
        self._lobby, self._host = lobby, link.key

    def _take_charter(self, link: Link, proposal: Proposal, now: float) -> None:
        """The charter of the table that was found. Another one later is of another table, whoever sends it."""
        try:
            charter = read_charter(proposal.charter)
            if self._charter is not None:
                if charter != self._charter:
                    self._liars.add(link.key)
                    raise PeerFault("wrong-game", "The charter of another table.")
                return
            if not charter.provisions.watched or link.key not in charter.voter_keys:
                raise TableStop("not-watched", None, "This table is not to be watched.")
            self._witness = Witness(charter, self.desk.games, self.desk.dealers)
        except PeerFault as fault:
            if self._charter is not None:
                raise
            raise TableStop(fault.check, None, fault.message) from fault
        self._charter, self.game = charter, charter_digest(charter)
        if len(proposal.addresses) == len(charter.voters):
            self._addresses = dict(zip(charter.voter_keys, proposal.addresses, strict=True))
        self._show(Shown(self._state(self._witness.referee), ()))

    def _take_final(self, link: Link, final: Final, now: float) -> None:
        witness = self._witness
        if witness is None or witness.over or final.step != self.height:
            return
        kind = witness.referee.expect().kind
        try:
            events = witness.take(ClosedStep(final.parts, final.acks, final.farewells, final.accepts))
        except PeerFault:
            self._liars.add(link.key)
            self._turn += 1
            raise
        self.height += 1
        self._hidden.append(Shown(self._state(witness.referee, events), self._told(kind, events, witness.referee)))
        while len(self._hidden) > (0 if witness.over else self._delay):
            self._show(self._hidden.popleft())

    def _ask(self, link: Link, now: float) -> None:
        self._again = now + limits.WATCH_SECONDS
        if self._witness is None or not self._witness.over:
            self.desk.send(link, Pull(self.height, 0, 0))

    # -- time ----------------------------------------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        if self._again is None:
            self._again = now + limits.WATCH_SECONDS
        if self.over or now < self._again:
            return
        links = [link for link in self.desk.links.greeted() if self._trusts(link)]
        if links:
            self._patience = None
            self._ask(links[self._turn % len(links)], now)
            return
        if self._patience is None:
            self._patience = now + limits.WATCH_PATIENCE
        elif now >= self._patience:
            raise TableStop("nobody-shows", None, "Nobody of this table shows it (any more).")
        self._again = now + limits.DIAL_LAST / 2
        self._dial()

    def _dial(self) -> None:
        """The next seat that may be of use."""
        keys = [key for key, told in self._addresses.items() if told and key not in self._liars]
        if keys:
            key = keys[self._turn % len(keys)]
            self._turn += 1
            self.desk.outbox.dial(key, self._addresses[key])

    def wake_at(self) -> float | None:
        return None if self.over else (self._again or 0.0)

    # -- what it looks like --------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the ledger is closed, and shown to its end."""
        return self._witness is not None and self._witness.over

    def transcript(self) -> bytes | None:
        return self._witness.transcript() if self._witness is not None and self.over else None

    def status(self) -> Status:
        if self._now_shown is not None:
            linked = any(self._trusts(link) for link in self.desk.links.greeted()) or self.over
            seats = tuple(msgspec.structs.replace(seat, connected=linked) for seat in self._now_shown.seats)
            return msgspec.structs.replace(self._now_shown, seats=seats)
        lobby = self._lobby
        if lobby is None:
            return self.lobby_status("", None, 0, ())
        shown = self.lobby_status(lobby.game, self._options, lobby.seats, lobby.members, lobby.arbiter)
        return msgspec.structs.replace(shown, provisions=lobby.provisions, watching=True)

    def _show(self, shown: Shown) -> None:
        self._now_shown = shown.status
        for event in shown.events:
            self.desk.notice(event)

    def _told(self, kind: str, events: tuple[StepEvent, ...], referee: Referee) -> tuple[Any, ...]:
        """What the faces hear of a step."""
        told: tuple[Any, ...] = events
        if kind == "charter":
            told = (Opened(tuple(seat.name for seat in referee.charter.seats)), *told)
        if referee.record_digest is not None:
            told = (*told, Closed(referee.record_digest))
        return told

    def _state(self, referee: Referee, events: tuple[StepEvent, ...] = ()) -> Status:
        """The public state after a step."""
        for event in events:
            self._note_shuffle(event)
        charter, expect, over = referee.charter, referee.expect(), referee.record_digest is not None
        seats = tuple(
            SeatStatus(seat, entry.name, entry.key, fingerprint(entry.key), True, seat not in referee.live)
            for seat, entry in enumerate(charter.seats)
        )
        return Status(
            phase=_PHASES.get(referee.stage, "play"),
            me=None,
            code=table_code(referee.digest),
            game=charter.game,
            options=referee.options,
            seats_wanted=len(seats),
            seats=seats,
            step=referee.step,
            waiting_for=expect.speakers,
            asked=False,
            shuffled_by=tuple(sorted(self._shuffled)),
            verified_by=referee.live if over else (),
            digest=referee.record_digest,
            fault=None,
            view=referee.view(None),
            provisions=charter.provisions,
            watching=True,
            arbiter=_arbiter(charter),
        )

    def _note_shuffle(self, event: StepEvent) -> None:
        """Until the first card is dealt, a shuffle of the table's slots is the opening one."""
        match event:
            case Spoke(seat=seat, verbs=verbs) if not self._dealt_cards:
                if any(isinstance(verb, Shuffle) and verb.by == TABLE for verb in verbs):
                    self._shuffled.add(seat)
            case Dealt(verb=Draw()):
                self._dealt_cards = True
            case _:
                pass


def _arbiter(charter: Charter) -> SeatStatus | None:
    """As far as a watcher knows."""
    who, number = charter.arbiter, len(charter.seats)
    if who is None:
        return None
    return SeatStatus(number, who.name, who.key, fingerprint(who.key), connected=True, arbiter=True)
