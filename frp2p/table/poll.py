"""The vote about the present step, with what this seat finds: whom it has waited for too long, and what may be decided.

Nothing is settled here: the step loop closes the step as `decided` says.
"""

from __future__ import annotations

from typing import Any

from frp2p.errors import PeerFault
from frp2p.games.verbs import Seat
from frp2p.ledger.certificate import check_place
from frp2p.ledger.votes import Accept, AcceptBody, Value
from frp2p.table.course import Course
from frp2p.table.court import Court
from frp2p.table.limits import COUNT_SECONDS
from frp2p.table.speaker import Speaker
from frp2p.table.vote import Facts, Vote
from frp2p.table.waits import Waits


class Poll:
    """`vote` is the one about the present step."""

    def __init__(self, course: Course, court: Court, waits: Waits, speaker: Speaker) -> None:
        self._course = course
        self._court = court
        self._waits = waits
        self._speaker = speaker
        self.vote = Vote(course.place, course.me, course.present.box)

    def renew(self) -> None:
        """Another step is the present one."""
        self.vote = Vote(self._course.place, self._course.me, self._course.present.box)

    def sift(self) -> None:
        """Forget votes that are not about the present step after this history, of seats that have none, and of an
        arbiter that is convicted, but for what it accepted: a majority may have been made with that."""
        self._course.present.box.keep_only(self._counts)

    def _counts(self, body: Any) -> bool:
        try:
            check_place(body, self._course.place)
        except PeerFault:
            return False
        return isinstance(body, AcceptBody) or not self.vote.silenced(body.seat, self._court.convictions.seats)

    # -- whom this seat waits for --------------------------------------------------------------------------------------

    @property
    def _deciding(self) -> bool:
        """Whether players are waited for."""
        return self._course.applied is None and self._course.expect.kind == "move"

    def deadline(self, seat: Seat) -> float | None:
        """Until when this seat, which is waited for, may take."""
        return self._waits.deadline(seat, deciding=self._deciding)

    def _limit(self, seat: Seat) -> float | None:
        """When it is late."""
        return self._waits.limit(seat, deciding=self._deciding)

    def late(self, now: float) -> set[Seat]:
        """The seats that have been waited for too long."""
        course = self._course
        waited = [(seat, self._limit(seat)) for seat in course.waiting_for() if seat != course.me]
        return {seat for seat, until in waited if course.differs(seat) or (until is not None and now >= until)}

    def hurried(self, now: float) -> bool:
        """Whether the own player's time is up: by the own clock, or by those of a majority, which would vote next."""
        until = self._waits.move_by()
        return until is not None and (now >= until or self.vote.accused_by(self._course.me) >= self.vote.quorum)

    def stuck(self, now: float) -> tuple[Seat, ...]:
        """The seats that have been waited for too long and about which nothing can be decided here and now: the charter
        says so, or there is no majority to vote."""
        course, late, convicted = self._course, self.late(now), self._court.convictions.seats
        if not late:
            return ()
        electors = [voter for voter in course.place.electors if not self.vote.silenced(voter, convicted)]
        linked = sum(voter == course.me or self._waits.linked(voter) for voter in electors)
        possible = course.applied is not None or course.how(late) is not None
        if possible and linked >= self.vote.quorum:
            return ()
        return tuple(sorted(late))

    def wakes(self, now: float) -> list[float | None]:
        """When somebody is late, or something is due in the vote; and while somebody's time runs down, soon."""
        course = self._course
        limits = [self._limit(seat) for seat in course.waiting_for() if seat != course.me]
        counting = any(limit is not None for limit in limits)
        return [*limits, self.vote.wake_at(), now + COUNT_SECONDS if counting else None]

    # -- what is said and decided --------------------------------------------------------------------------------------

    def say(self, now: float) -> bool:
        """Say what is due; whether there was anything."""
        if not self._course.present.box.news and not self._court.going() and not self.late(now):
            return False  # nobody has voted and nobody is late, as after nearly every record
        spoke = False
        while (body := self.vote.due(now, self._facts(now))) is not None:
            self._speaker.vote(body)
            spoke = True
        return spoke

    def decided(self) -> tuple[Value, tuple[Accept, ...]] | None:
        """What a majority has decided, and the certificate."""
        return self.vote.decided()

    def _facts(self, now: float) -> Facts:
        course, going = self._course, self._court.going()
        late = self.late(now) | going.intersection(course.waiting_for())
        if course.applied is None:
            late |= going
            if course.how(late) is None:
                late = set(going)
        acked = course.present.acks.get(course.me)
        return Facts(
            overdue=tuple(sorted(late)),
            hurried=going,
            convicted=self._court.convictions.seats,
            mine=course.applied,
            acked=None if acked is None else acked.value,
            here=course.here,
            how=course.how,
            allowed=course.allowed,
        )
