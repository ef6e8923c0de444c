"""Pull repair: who lacks something asks for it, from anybody. Lost frames, late links and restarts look the same."""

from __future__ import annotations

from frp2p.games.verbs import Seat
from frp2p.table import limits
from frp2p.table.course import Course
from frp2p.table.desk import Desk
from frp2p.table.links import Link
from frp2p.table.mesh import Mesh
from frp2p.table.messages import Final, Pull
from frp2p.table.slots import mask


class Repair:
    """Pulls when news stay away, answers pulls, and knows how far the other seats are."""

    def __init__(self, desk: Desk, mesh: Mesh, course: Course, now: float) -> None:
        self._desk = desk
        self._mesh = mesh
        self._course = course
        self._heights: dict[Seat, int] = {}
        """The most steps that a seat said, or showed, to have final."""
        self._interval = limits.PULL_FIRST
        self._due = now + self._interval
        self._seen: tuple[int, ...] = ()

    def settled(self) -> bool:
        """Whether the ledger is closed here, and at every other seat that may still come, as far as they said."""
        course = self._course
        if not course.over:
            return False
        missed = [seat for seat in self._mesh.others() if seat in course.live or self._mesh.connected(seat)]
        return all(self._heights.get(seat, 0) >= course.height for seat in missed)

    def heard(self, link: Link, height: int, now: float, *, said: bool = True) -> None:
        """The seat at this link has `height` steps final, as it said, or as a record of the step after shows.

        Those that are not here are asked for at once; but where a record is only one step early, what is missing is
        most probably on its way on another link.
        """
        seat = self._mesh.seat(link.key)
        news = height > self._heights.get(seat, 0)
        self._heights[seat] = max(height, self._heights.get(seat, 0))
        behind = height - self._course.height
        if behind > (0 if said else 1) and (news or self._course.height > link.asked):
            self._pull(link)

    def progress(self, now: float) -> None:
        """After every input: news put off the next pull; a fork asks everybody for what they have."""
        seen = self._course.seen()
        if seen != self._seen:
            self._seen = seen
            self._interval = limits.PULL_FIRST
            self._due = now + self._interval
            if self._course.fork or self._course.over:
                self.pull()

    def pull(self) -> None:
        """Ask everybody; at the end of the game this also tells them that it is closed here."""
        for seat in self._mesh.others():
            if (link := self._mesh.link(seat)) is not None:
                self._pull(link)

    def tick(self, now: float) -> None:
        if now >= self._due and not self.settled():
            self.pull()
            self._due = now + self._interval
            self._interval = min(2 * self._interval, limits.PULL_LAST)

    def wake_at(self) -> float | None:
        return None if self.settled() else self._due

    def answer(self, link: Link, pull: Pull, now: float) -> None:
        """Send what the seat at this link lacks: a page of closed steps, or records of the present step."""
        self.heard(link, pull.step, now)
        if now < link.answer_after or pull.step > self._course.height:
            return
        everything = mask(range(len(self._course.charter.seats)))
        if (
            self._course.over
            and pull.step == self._course.height
            and (pull.parts, pull.acks) != (everything, everything)
        ):
            # The seat is at the end and wants to hear that I am too. Lacking nothing, this asks for no answer.
            self._desk.send(link, Pull(self._course.height, everything, everything))
        sent = 0
        if pull.step == self._course.height:
            for record in self._course.missing(pull.parts, pull.acks):
                sent += self._desk.send(link, record)
        for step in range(pull.step, self._course.height):
            if sent >= limits.PULL_PAGE:
                break
            closed = self._course.steps[step]
            final = Final(step, closed.parts, closed.acks, closed.farewells, closed.accepts)
            sent += self._desk.send(link, final)
        if pull.step < self._course.height:
            self._pull(link)  # says how far I am, so that the other end asks for the next page
        link.answer_after = now + sent / limits.PULL_RATE

    def _pull(self, link: Link) -> None:
        link.asked = self._course.height
        self._desk.send(link, Pull(self._course.height, *self._course.masks()))
