"""What must hold when a trial of the simulator is at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import product
from typing import Any, Literal, TypeAlias

from frp2p.deal.dealer import DealerKind
from frp2p.games.game import Game
from frp2p.ledger.evidence import judge, read_evidence
from frp2p.ledger.verify import verify
from frp2p.ledger.votes import quorum
from frp2p.table.events import Convicted, Event, Refused, SeatsOut, Stopped, VoteBegan
from frp2p.table.peer import Peer
from frp2p.testing.cheats import CHEATS
from frp2p.testing.cheats_arbiter import ARBITER_CHEATS
from frp2p.testing.plan import Plan
from frp2p.testing.watching import Broken, finals_of, loop_of

Outcome: TypeAlias = Literal["over", "unopened", "stopped", "stuck"]
"""`over`: every honest seat that is left has the end of the game; `unopened`: the table was lost before its game began;
`stopped`: because of a cheat; `stuck`: a seat is gone, and nothing can be decided about it."""

EVERY_CHEAT = CHEATS | ARBITER_CHEATS

UNOPENED = ("table-lost", "host-left")
"""The faults of a table that was given up before the first card."""


class Checks:
    """`peers`: the honest ones, by place; `events` by key, `keys` by place."""

    def __init__(
        self,
        plan: Plan,
        game: Game,
        dealers: Mapping[str, DealerKind],
        peers: Mapping[int, Peer],
        events: Mapping[bytes, Sequence[Event]],
        keys: Sequence[bytes],
    ) -> None:
        self.convicted = False
        self._plan = plan
        self._games = {plan.game: game}
        self._dealers = dealers
        self._peers = peers
        self._events = {place: events[keys[place]] for place in peers}
        self._keys = keys
        self._liar = keys[plan.cheat_place] if plan.cheat else None

    # -- safety --------------------------------------------------------------------------------------------------------

    def agreement(self, lives: Sequence[list[tuple[bytes, ...]]]) -> None:
        """Nobody honest ever had another final than anybody else had; `lives`: the finals of those who died."""
        agreed: list[tuple[bytes, ...]] = []
        for finals in [*lives, *(finals_of(peer) for peer in self._peers.values())]:
            for step, (one, other) in enumerate(zip(agreed, finals, strict=False)):
                if one != other:
                    raise Broken("agreement", f"two versions of step {step}")
            agreed += finals[len(agreed) :]
        heads = {(loop.height, loop.referee.head) for loop in self._loops() if loop.course.applied is None}
        if len({height for height, _head in heads}) != len(heads):
            raise Broken("agreement", "two states after the same steps")

    def wrong(self, bodies: set[bytes]) -> None:
        """Nothing that breaks the rules is final anywhere."""
        for peer in self._peers.values():
            if any(not bodies.isdisjoint(step) for step in finals_of(peer)):
                raise Broken("wrong", "a part that breaks the rules became final")

    def convictions(self, heard: set[bytes]) -> None:
        """Whoever was told two things about one place has convicted whoever said them."""
        for place in self._peers:
            proved = any(isinstance(event, Convicted | Stopped) and event.evidence for event in self._events[place])
            if self._keys[place] in heard and not proved:
                raise Broken("conviction", f"place {place} was told two things, and says nothing")

    def blame(self) -> None:
        """Nobody honest was blamed, and what was shown as evidence convinces a third person."""
        for place, peer in self._peers.items():
            status = peer.status()
            keys = [seat.key for seat in (*status.seats, *((status.arbiter,) if status.arbiter else ()))]
            for event in self._events[place]:
                if isinstance(event, Refused | Stopped | Convicted):
                    self._blamed(event, keys)
                elif (
                    isinstance(event, SeatsOut) and self._plan.calm and [keys[at] for at in event.seats] != [self._liar]
                ):
                    raise Broken("voted-out", f"an honest seat that was there: {event}")

    def _blamed(self, event: Refused | Stopped | Convicted, keys: Sequence[bytes]) -> None:
        if event.check in UNOPENED:
            return
        if self._liar is None or EVERY_CHEAT[self._plan.cheat or ""].honest:
            raise Broken("blame", f"an honest table: {event}")
        if event.seat is not None and keys[event.seat] != self._liar:
            raise Broken("blame", f"an honest seat: {event}")
        if isinstance(event, Stopped | Convicted) and event.evidence:
            verdict = judge(read_evidence(event.evidence), self._games, self._dealers)
            if verdict.key != self._liar:
                raise Broken("evidence", f"against somebody else: {verdict}")
            self.convicted = True

    # -- liveness ------------------------------------------------------------------------------------------------------

    def end(self, finished: bool) -> Outcome:
        """How it ended; Broken if it may not end so."""
        faults = {place: peer.status().fault for place, peer in self._peers.items()}
        over = [peer for peer in self._peers.values() if peer.status().phase == "over"]
        lost = [place for place, fault in faults.items() if fault is not None and fault.code in UNOPENED]
        if lost and self._plan.calm and self._plan.cheat is None:
            raise Broken("end", "a table that was lost though nothing happened")
        self._check_records(over)
        lobby = any(peer.status().phase == "lobby" for peer in self._peers.values())
        if (lobby or lost) and not over and not self._plan.calm:
            return "unopened"  # somebody gave up; a host waits for the next one, a seat that went on early for nobody
        if finished and len(over) + len(lost) == len(self._peers):
            return "over" if over else "unopened"
        if self._plan.cheat is None or ("stopped" not in EVERY_CHEAT[self._plan.cheat].ends and finished):
            raise Broken("end", self._states())
        if not finished:
            if self._decidable():
                raise Broken("end", f"nothing goes on: {self._states()}")
            return "stuck"
        if any(fault is not None and self._votable(place) for place, fault in faults.items()):
            raise Broken("end", f"stopped where a vote was possible: {self._states()}")
        return "stopped"

    def _decidable(self) -> bool:
        """Whether the honest seats could have decided about the cheat."""
        plan = self._plan
        loop = max(self._loops(), key=lambda loop: int(loop.height), default=None)
        if loop is None or not loop.course.place.electors:
            return plan.calm and plan.seats > 2
        if loop.course.expect.kind == "move" and loop.course.applied is None and not self._plan.provided.clock.limited:
            return False  # who is linked may think as long as it likes
        if plan.lying_arbiter:
            return True  # all who have to go on are honest, and more than half of the electors
        keys = loop.charter.voter_keys
        # Who gave up in the set-up, which may be over for others already, has no part in a vote.
        early = [one for one in self._peers.values() if one.status().phase == "stopped" and not _votes(one)]
        gone = {self._keys[place] for place, one in self._peers.items() if one in early}
        electors = loop.course.place.electors
        if any(keys[seat] != self._liar for value in _accepted(loop) for seat in getattr(value, "seats", ())):
            return False  # it may be decided that an honest seat is out, which that seat alone does not help to decide
        honest = [voter for voter in electors if keys[voter] != self._liar and keys[voter] not in gone]
        liars = [seat for seat in loop.course.live if keys[seat] == self._liar]
        waiting = loop.course.losses.how(liars, loop.course.farewells) is None and loop.course.losses.how(liars) is None
        return len(honest) >= quorum(electors) and not waiting

    def _votable(self, place: int) -> bool:
        """Whether this seat stopped though the others could have gone on without the cheat."""
        loop, status = loop_of(self._peers[place]), self._peers[place].status()
        if loop is None or status.fault is None or status.fault.code in (*UNOPENED, "state-mismatch"):
            return False  # a seat that lies about the state can stop a table; whose programs differ can't be told
        return bool(loop.course.place.electors) and self._decidable()

    def _check_records(self, over: Sequence[Peer]) -> None:
        """Whoever reads a record comes to the same end, whoever wrote it. (Where a vote closed a step, records differ:
        each holds the votes that its seat had seen; a cheat may add acks that differ in their remarks.)"""
        records = {peer.transcript() or b"" for peer in over}
        voted = any(isinstance(event, VoteBegan) for events in self._events.values() for event in events)
        if len(records) > 1 and not voted and self._liar is None:
            raise Broken("record", f"{len(records)} records of one game")
        reports = [verify(BytesIO(record), self._games, self._dealers) for record in records]
        for peer, report in product(over, reports):
            status = peer.status()
            results = [(seat.total, seat.rank) for seat in status.view.seats]
            if status.digest != report.digest or results != [(seat.total, seat.rank) for seat in report.seats]:
                raise Broken("record", "the record leads to another end")

    def _loops(self) -> list[Any]:
        return [loop for peer in self._peers.values() if (loop := loop_of(peer)) is not None]

    def _states(self) -> str:
        states = [peer.status() for peer in self._peers.values()]
        return str([(s.phase, s.step, s.waiting_for, s.vote, s.stuck, s.fault) for s in states])


def _accepted(loop: Any) -> list[Any]:
    """The values that anybody has accepted about the present step, as far as this loop knows."""
    return [value for mine in loop.course.present.box.accepts.values() for _ballot, value in mine]


def _votes(peer: Peer) -> bool:
    """Whether this peer has come as far as to have a vote."""
    loop = loop_of(peer)
    return loop is not None and bool(loop.course.place.electors)
