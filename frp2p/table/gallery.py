"""The gallery: people who watch a running table get what is final, when they ask, and can do nothing else.

Who watches has no seat, says nothing but Hello and Pull, and gets the charter and then closed steps. A pull that asks
for a step that is not final yet is kept (one for each link) and answered when it is: who asks slowly is served slowly,
and nothing is queued for anybody. The table never waits for the gallery.
"""

from __future__ import annotations

from frp2p.errors import PeerFault
from frp2p.table import limits
from frp2p.table.course import Course
from frp2p.table.desk import Desk
from frp2p.table.links import Link
from frp2p.table.messages import AnyMessage, Final, Join, Proposal, Pull


class Gallery:
    """Of one seat; there is room for MAX_WATCHERS where the charter allows any."""

    def __init__(self, desk: Desk, course: Course, proposal: Proposal, *, allowed: bool) -> None:
        self._desk = desk
        self._course = course
        self._proposal = proposal
        self._allowed = allowed
        self._wanted: dict[int, int] = {}
        """By link number, the step that was asked for last and not answered yet."""
        self._served: dict[int, int] = {}
        """By link number, the first step that was not sent there yet, for all who have ever asked."""

    def welcome(self, key: bytes) -> bool:
        """Whether there is room for this one; a new link of somebody who is here takes the place of the old one."""
        keys = self._keys()
        return self._allowed and (key in keys or len(keys) < limits.MAX_WATCHERS)

    def greeted(self, link: Link, game: bytes | None, now: float) -> None:
        """Show the charter and where the seats are. PeerFault `wrong-game`, and `table-full` where too many came at
        once."""
        if link.game not in (None, game):
            raise PeerFault("wrong-game", "Somebody of another table.")
        if not self._allowed or len(self._keys()) > limits.MAX_WATCHERS:
            raise PeerFault("table-full", "Nobody more can watch here.")
        link.watches = True
        self._desk.send(link, self._proposal)

    def adopt(self, link: Link, now: float) -> None:
        """Somebody who watched the lobby and asked from there."""
        self._wanted[link.number] = self._served[link.number] = 0
        self._desk.send(link, self._proposal)

    def handle(self, link: Link, message: AnyMessage, now: float) -> None:
        """A pull; anything else is none of a watcher's business (`watcher-speaks`)."""
        if isinstance(message, Join):
            raise PeerFault("table-full", "All seats are taken.")
        if not isinstance(message, Pull):
            raise PeerFault("watcher-speaks", "Who watches only asks.")
        self._wanted[link.number] = message.step
        self._served[link.number] = message.step
        self._answer(link, now)

    def lost(self, link: Link) -> None:
        self._wanted.pop(link.number, None)
        self._served.pop(link.number, None)

    def serving(self) -> bool:
        """Whether somebody who asked was not sent all that is final."""
        return any(step < self._course.height for step in self._served.values())

    def progress(self, now: float) -> None:
        """Answer those who waited for what is final now. The end of the game comes unasked: seats may go after it, and
        the next question is on its way."""
        if self._course.over:
            self._wanted |= {number: step for number, step in self._served.items() if step < self._course.height}
        for number in list(self._wanted):
            link = self._desk.links.get(number)
            if link is None:
                del self._wanted[number]
            else:
                self._answer(link, now)

    def wake_at(self) -> float | None:
        """When somebody who was given enough for a while may have more."""
        links = (self._desk.links.get(number) for number in self._wanted)
        times = [
            link.answer_after for link in links if link is not None and self._wanted[link.number] < self._course.height
        ]
        return min(times, default=None)

    def _keys(self) -> frozenset[bytes]:
        """Everybody here who has no seat and no vote."""
        return frozenset(link.key for link in self._desk.links.besides(frozenset(self._course.charter.voter_keys)))

    def _answer(self, link: Link, now: float) -> None:
        first = self._wanted[link.number]
        if first >= self._course.height or now < link.answer_after:
            return
        del self._wanted[link.number]
        sent, step = 0, first
        while step < self._course.height and sent < limits.WATCH_PAGE:
            closed = self._course.steps[step]
            final = Final(step, closed.parts, closed.acks, closed.farewells, closed.accepts)
            sent += self._desk.send(link, final)
            step += 1
        self._served[link.number] = step
        link.answer_after = now + sent / limits.WATCH_RATE
        self._desk.send(link, Pull(self._course.height, 0, 0))  # the end of the page: how far the table is
