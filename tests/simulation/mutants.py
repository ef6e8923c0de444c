"""The protocol, broken on purpose: each mutant drops one rule. The simulator has to notice (docs/reliability.md).

A mutant is a function that puts something else into the place of a function of the product, and returns what undoes it.
`soak.py --mutant NAME` looks for seeds that catch it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from frp2p.deal.clear.dealer import ClearDealer
from frp2p.deal.clear.tasks import ShowTask
from frp2p.errors import PeerFault
from frp2p.games.verbs import Seat
from frp2p.ledger import records, votes
from frp2p.ledger.referee import Referee
from frp2p.table.course import Course
from frp2p.table.loop import StepLoop
from frp2p.table.outbox import Outbox
from frp2p.table.outputs import Persist
from frp2p.table.own import Own
from frp2p.table.repair import Repair
from frp2p.table.vote import Vote
from frp2p.testing.shared import everywhere, replaced

Undo = Callable[[], None]


class Mutant(NamedTuple):
    """What it breaks, in words; how; and a trial that is known to catch it: seed, seats and cheat (None: as drawn)."""

    breaks: str
    apply: Callable[[], Undo]
    seed: int
    seats: int | None = None
    cheat: str | None = None


def _minority_vote() -> Undo:
    return everywhere(votes.quorum, lambda electors: max(1, len(electors) // 2))


def _no_contradiction() -> Undo:
    return everywhere(votes.contradiction, lambda first, second: None)


def _no_signatures() -> Undo:
    def unchecked(kind: str, record: Any, body: Any, keys: tuple[bytes, ...]) -> None:
        if body.seat >= len(keys):
            raise PeerFault("seat-range")

    return everywhere(records.check_signature, unchecked)


def _no_journal() -> Undo:
    def flush(self: Own) -> None:
        self._loose = []

    return replaced(Own, "flush", flush)


def _send_before_disk() -> Undo:
    def drain(self: Outbox) -> Any:
        outputs, self._outputs = self._outputs, []
        return sorted(outputs, key=lambda output: isinstance(output, Persist))

    return replaced(Outbox, "drain", drain)


def _acks_of_a_majority() -> Undo:
    all_of_them = Course.waiting_for

    def waiting_for(self: Course) -> tuple[Seat, ...]:
        agreed = sum(self.agrees(seat) for seat in self.live)
        enough = self.applied is not None and agreed >= votes.quorum(self.live)
        return () if enough else all_of_them(self)

    return replaced(Course, "waiting_for", waiting_for)


def _no_finality() -> Undo:
    return replaced(Course, "agrees", lambda self, seat: self.applied is not None)


def _blind_acks() -> Undo:
    return replaced(Course, "agrees", lambda self, seat: seat in self.present.acks)


def _ack_after_promise() -> Undo:
    plain = StepLoop._apply

    def apply(self: StepLoop, now: float) -> None:
        undo = replaced(Vote, "ballot", 0)
        try:
            plain(self, now)
        finally:
            undo()

    return replaced(StepLoop, "_apply", apply)


def _no_clock_of_my_own() -> Undo:
    plain = Vote._supports

    def supports(self: Vote, proposal: Any, facts: Any) -> bool:
        value = proposal.value
        return (isinstance(value, votes.Out) and facts.allowed(value)) or plain(self, proposal, facts)

    return replaced(Vote, "_supports", supports)


def _unchecked_deal() -> Undo:
    return replaced(ShowTask, "check", lambda self, seat, item: None)


def _unchecked_moves() -> Undo:
    plain = Referee._judge

    def judge(self: Referee, kind: Any, seat: int, value: Any) -> None:
        if kind != "move":
            plain(self, kind, seat, value)

    return replaced(Referee, "_judge", judge)


def _unchecked_history() -> Undo:
    return replaced(Referee, "check_body", lambda self, body: self.check(body.seat, body.payload))


def _all_seeing_dealer() -> Undo:
    return replaced(ClearDealer, "known", lambda self: {at: slot.body for at, slot in self.slots.live().items()})


def _no_repair() -> Undo:
    return replaced(Repair, "answer", lambda self, link, pull, now: self.heard(link, pull.step, now))


def _new_randomness() -> Undo:
    from frp2p.deal import seeded

    plain, lives = seeded.SeededEntropy.__init__, iter(range(1 << 30))

    def init(self: Any, seed: bytes) -> None:
        plain(self, next(lives).to_bytes(4, "big") + seed[4:])

    return replaced(seeded.SeededEntropy, "__init__", init)


MUTANTS: dict[str, Mutant] = {
    "minority-vote": Mutant("half of the electors decide", _minority_vote, 4),
    "no-contradiction": Mutant("a second part or ack of a seat is no fault", _no_contradiction, 10, 3, "equivocator"),
    "no-signatures": Mutant("records and evidence are believed unsigned", _no_signatures, 19),
    "no-journal": Mutant("own records are not kept", _no_journal, 9, 2),
    "send-before-disk": Mutant("records are sent before they are kept", _send_before_disk, 11),
    "acks-of-a-majority": Mutant("a majority of acks makes a step final", _acks_of_a_majority, 1, 4, "twins"),
    "no-finality": Mutant("the next step begins, secrets and all, before the acks are here", _no_finality, 1),
    "blind-acks": Mutant("an ack counts whatever parts it is about", _blind_acks, 3, 3, "equivocator"),
    "ack-after-promise": Mutant("a seat acks though it has promised not to", _ack_after_promise, 235, 4, "dawdler"),
    "no-clock-of-my-own": Mutant("a seat votes out whom others accuse", _no_clock_of_my_own, 12, 4, "usurper"),
    "unchecked-deal": Mutant("shares are taken as they come", _unchecked_deal, 4, 3, "bad-prover"),
    "unchecked-moves": Mutant("moves are taken as they come", _unchecked_moves, 5, 3, "illegal-mover"),
    "unchecked-history": Mutant("a part may continue another history", _unchecked_history, 1, 3, "misplacer"),
    "all-seeing-dealer": Mutant("a seat is told of every card", _all_seeing_dealer, 1),
    "no-repair": Mutant("nobody answers a pull", _no_repair, 14),
    "new-randomness": Mutant("a seat that comes back draws anew", _new_randomness, 3),
}
"""All of them by name."""


@contextmanager
def broken_by(name: str) -> Iterator[None]:
    """Within this the protocol is broken."""
    undo = MUTANTS[name].apply()
    try:
        yield
    finally:
        undo()


__all__ = ["MUTANTS", "Mutant", "broken_by"]
