"""Two rules of the vote that only a moment of bad luck needs: what may be decided already is kept, and a seat that
comes back votes as before. Each is shown to matter: without it two seats decide differently, or one says two things.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import combinations
from typing import Any

import pytest
from table_kit import signer
from vote_kit import VoteRig

from frp2p.games.verbs import Seat
from frp2p.ledger import votes
from frp2p.ledger.certificate import Place
from frp2p.ledger.records import Ack
from frp2p.ledger.votes import (
    Keep,
    Out,
    Promise,
    PromiseBody,
    Value,
    contradiction,
    coordinator,
    read_binding,
    sign_vote,
)
from frp2p.table.ballot_box import BallotBox
from frp2p.table.messages import decode
from frp2p.table.own import Own
from frp2p.table.vote import Facts, Vote
from frp2p.testing.shared import computed_once, everywhere, replaced

SEATS = 5
LATE = 4
"""The seat whose part comes too late."""
STEP = 4
"""Of five seats the first coordinator of this step is seat 0, the second one seat 1."""
ALL = tuple(range(SEATS))
PLACE = Place(b"g" * 32, STEP, b"h" * 32, ALL, ALL, tuple(signer(seat).public_key for seat in ALL))
GONE = Out((LATE,), "stop")
WHOLE = Keep(b"s" * 32, b"t" * 32)
"""The step with the late part."""


@pytest.fixture
def mutant() -> Iterator[ExitStack]:
    with ExitStack() as undone:
        yield undone


class Electors:
    """The seats that are there, with what each has heard."""

    def __init__(self) -> None:
        self.votes = {seat: Vote(PLACE, seat, BallotBox()) for seat in range(SEATS) if seat != LATE}
        self.facts = dict.fromkeys(self.votes, _facts((LATE,), None))

    def say(self, speaker: Seat, now: float, hearers: tuple[Seat, ...]) -> None:
        """Whatever is due at this seat, told to these and itself."""
        while (body := self.votes[speaker].due(now, self.facts[speaker])) is not None:
            record = sign_vote(signer(speaker), body)
            for seat in {speaker, *hearers}:
                self.votes[seat].box.put(record, body)

    def decided(self, seat: Seat) -> Value | None:
        found = self.votes[seat].decided()
        return None if found is None else found[0]


def _facts(overdue: tuple[Seat, ...], mine: Keep | None) -> Facts:
    return Facts(
        overdue=overdue,
        hurried=frozenset(),
        convicted=frozenset(),
        mine=mine,
        acked=None,
        here=lambda value: False,
        how=lambda seats: "stop",
        allowed=lambda out: True,
    )


def _two_ballots() -> set[Value | None]:
    """Seats 0, 1 and 2 vote the late one out, but only 0 hears enough to know it. Then its part comes, 0 is cut off,
    and 1, 2 and 3 vote again. What seats 0 and 1 have decided.
    """
    table = Electors()
    for seat in (0, 1, 2):
        body = PromiseBody(*PLACE[:3], seat, 1, None, None, (LATE,))
        for hearer in (0, 1, 2):
            table.votes[hearer].box.put(sign_vote(signer(seat), body), body)
    table.say(0, 0.0, (1, 2))  # the proposal, and its own accept
    for seat in (1, 2):
        table.say(seat, 0.0, (0,))
    assert table.decided(0) == GONE
    assert [table.decided(seat) for seat in (1, 2, 3)] == [None] * 3
    table.facts = {seat: _facts((LATE,) if seat == 3 else (), WHOLE) for seat in table.votes}
    for now in range(1, 40):
        for seat in (1, 2, 3):
            table.say(seat, float(now), (1, 2, 3))
    return {table.decided(0), table.decided(1)}


def test_a_later_ballot_keeps_what_an_earlier_one_may_have_decided() -> None:
    assert coordinator(STEP, 1, PLACE.electors) == 0
    assert _two_ballots() == {GONE}


def test_with_a_free_choice_two_seats_would_decide_differently(mutant: ExitStack) -> None:
    mutant.callback(everywhere(votes.bound, lambda promises, seats: None))
    assert _two_ballots() == {GONE, WHOLE}


class Sayings:
    """Every promise and ack that was sent, by seat and step."""

    def __init__(self, rig: VoteRig) -> None:
        self.bodies: dict[tuple[Seat, int], set[Any]] = {}
        self._before = rig.network.on_send
        rig.network.on_send = self._look

    def _look(self, sender: bytes, receiver: bytes, frame: bytes) -> None:
        if self._before is not None:
            self._before(sender, receiver, frame)
        record = decode(frame, greeted=True)
        if isinstance(record, Promise | Ack):
            body = read_binding(record)
            self.bodies.setdefault((body.seat, body.step), set()).add(body)

    def promised(self) -> set[Seat]:
        said = [body for bodies in self.bodies.values() for body in bodies]
        return {body.seat for body in said if isinstance(body, PromiseBody)}

    def lies(self) -> set[str]:
        pairs = [pair for bodies in self.bodies.values() for pair in combinations(bodies, 2)]
        return {check for pair in pairs if (check := contradiction(*pair)) is not None}


def _all_die_in_a_vote() -> set[str]:
    """Seat 3 is away; as soon as two have promised, all others die too; then all are back. What anybody said twice."""
    with computed_once():
        rig = VoteRig(4, recovery=True)
        sayings = Sayings(rig)
        rig.open()
        assert rig.run(lambda: max(map(rig.step, range(4))) >= 7)
        rig.kill(3)
        assert rig.run(lambda: len(sayings.promised()) >= 2)
        for place in range(3):
            rig.kill(place)
        for place in range(4):
            rig.revive(place)
        rig.run(lambda: bool(sayings.lies()) or rig.ended(), seconds=300)
        if not sayings.lies():
            assert not any(seat.out is not None for seat in rig.check_end().seats)
        return sayings.lies()


def test_a_seat_that_comes_back_votes_as_before() -> None:
    assert _all_die_in_a_vote() == set()


def test_a_seat_that_forgot_its_votes_would_contradict_itself(mutant: ExitStack) -> None:
    mutant.callback(replaced(Own, "votes_of", lambda self, step: []))
    assert _all_die_in_a_vote() == {"ack-or-promise"}
