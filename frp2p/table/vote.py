"""One seat's side of the vote about one step: which statement comes next, given what is here (protocol/09-votes.md).

A voter is a seat, or an arbiter, which has no part in the step: it acks nothing, and nobody waits for it. It keeps no
clock and signs nothing: the step loop tells it what it finds (`Facts`) and the time, takes the bodies that
`due` returns, signs, keeps and sends them, and puts them into the box, until nothing more is due.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from frp2p.errors import PeerFault
from frp2p.games.verbs import Seat
from frp2p.ledger.certificate import Place, check_place
from frp2p.ledger.votes import (
    Accept,
    AcceptBody,
    Accepted,
    How,
    Keep,
    Out,
    PrepareBody,
    Promise,
    PromiseBody,
    ProposeBody,
    Value,
    bound,
    coordinator,
    open_vote,
    quorum,
)
from frp2p.table.ballot_box import BallotBox, HeldVote

GRACE_SECONDS = 1.0
"""From the moment when a majority says that a seat's time is up until this seat promises: one who is here has heard it
by then, and moves."""

BALLOT_SECONDS = 2.0
"""A ballot takes three messages; then the next one has another coordinator."""

LONGEST_BALLOT = 16.0
"""Once every seat has been coordinator in vain the network must be slow: ballots get longer, up to this."""

FETCH_SECONDS = 1.0
"""How long a coordinator looks for parts that somebody says it has acked, before it takes them for invented."""


class Facts(msgspec.Struct, frozen=True):
    """What this seat finds about the present step.

    `overdue`: seats that it has waited for too long, or that have to go (`hurried`: they said farewell or are convicted
    of a lie; nobody waits a second for them). `mine`: what the step does, if all parts are here. `acked`: likewise, if
    it was acked. `here`: whether other parts that are here make it do this (where a seat made two). `how`: what would
    become of the table without these seats. `allowed`: whether a verdict may be passed. `convicted`
    may hold the arbiter, whose word counts for nothing then.
    """

    overdue: tuple[Seat, ...]
    hurried: frozenset[Seat]
    convicted: frozenset[Seat]
    mine: Keep | None
    acked: Keep | None
    here: Callable[[Keep], bool]
    how: Callable[[tuple[Seat, ...]], How | None]
    allowed: Callable[[Out], bool]


class Vote:
    """`place`: the step and who votes; `me` is None for whoever has no vote and only wants to know the result."""

    def __init__(self, place: Place, me: Seat | None, box: BallotBox) -> None:
        self.place = place
        self.me = me if me in place.electors else None
        self.box = box
        self.quorum = quorum(place.electors) if place.electors else 1
        self._wanted_since: float | None = None
        """When a majority wanted to vote, as far as this seat knew."""
        self._joined: tuple[int, float] | None = None
        """A ballot, and since when a majority has been in it."""
        self._asked: float | None = None
        """Since when this coordinator could propose, if it had the parts."""

    # -- what is known -------------------------------------------------------------------------------------------------

    @property
    def ballot(self) -> int:
        """The highest ballot that this seat has promised or accepted in, 0 if none: from 1 on it must not ack."""
        if self.me is None:
            return 0
        promised = self.box.promises.get(self.me)
        accepted = [ballot for ballot, _ in self.box.accepts.get(self.me, {})]
        return max([promised.body.ballot if promised else 0, *accepted])

    @property
    def going_on(self) -> bool:
        """Whether anybody has promised."""
        return bool(self.box.promises)

    def decided(self) -> tuple[Value, tuple[Accept, ...]] | None:
        """What a majority has accepted in one ballot, and the certificate."""
        if not self.box.accepts:
            return None
        count = Counter(place for mine in self.box.accepts.values() for place in mine)
        for place, number in count.items():
            if number >= self.quorum:
                held = (mine.get(place) for _seat, mine in sorted(self.box.accepts.items()))
                return place[1], tuple(one.record for one in held if one is not None)
        return None

    def accused(self) -> tuple[Seat, ...]:
        """The seats that anybody says to have waited for too long."""
        return tuple(sorted({seat for held in self.box.prepares.values() for seat in held.body.accused}))

    def standing(self) -> tuple[int, int]:
        """The highest ballot, and how many have promised in it."""
        ballots = [held.body.ballot for held in self.box.promises.values()]
        highest: int = max(ballots, default=0)
        return highest, ballots.count(highest)

    def accused_by(self, seat: Seat) -> int:
        """How many electors say that they have waited too long for this seat."""
        return sum(seat in held.body.accused for held in self.box.prepares.values())

    def silenced(self, voter: Seat, convicted: frozenset[Seat]) -> bool:
        """Whether this is an arbiter who lies. Others who do are voted out, and have no vote then; an arbiter can't be,
        so nobody builds on what it promises or proposes."""
        return voter in convicted and voter not in self.place.seats

    # -- what comes next -----------------------------------------------------------------------------------------------

    def due(self, now: float, facts: Facts) -> Any:
        """The body of the next statement, None if there is nothing to say."""
        if self.me is None or self.decided() is not None:
            return None
        return self._prepare(facts) or self._promise(now, facts) or self._propose(now, facts) or self._accept(facts)

    def wake_at(self) -> float | None:
        """When something may be due that no message brings."""
        wakes = []
        if self._wanted_since is not None and self.ballot == 0:
            wakes.append(self._wanted_since + GRACE_SECONDS)
        if self._joined is not None and self._joined[0] == self.ballot:
            wakes.append(self._joined[1] + self._length(self.ballot))
        if self._asked is not None:
            wakes.append(self._asked + FETCH_SECONDS)
        return min(wakes, default=None)

    def _about(self) -> tuple[bytes, int, bytes, Seat]:
        return self.place.game, self.place.step, self.place.head, self.me or 0

    def _prepare(self, facts: Facts) -> PrepareBody | None:
        """Say whom this seat waits for in vain, and again when that changes."""
        said = self.box.prepares.get(self.me or 0)
        if facts.overdue == (said.body.accused if said else ()):
            return None
        return PrepareBody(*self._about(), said.body.number + 1 if said else 1, facts.overdue)

    def _promise(self, now: float, facts: Facts) -> PromiseBody | None:
        """Enter the first ballot when a majority wants to, or when the step is here and can't be acked by all; follow a
        majority into a later one; go on when it takes too long. No minority can move this seat further.
        """
        ballots = sorted((held.body.ballot for held in self.box.promises.values()), reverse=True)
        common = ballots[self.quorum - 1] if len(ballots) >= self.quorum else 0
        mine = self.ballot
        entered = common > mine or (mine == 0 and (self._unacked(facts) or self._time_to_vote(now, facts)))
        if entered:
            return self._promise_body(max(common, 1), facts)
        if mine == 0 or common < mine:
            self._joined = None
            return None
        if self._joined is None or self._joined[0] != mine:
            self._joined, self._asked = (mine, now), None
        if now >= self._joined[1] + self._length(mine):
            return self._promise_body(mine + 1, facts)
        return None

    def _unacked(self, facts: Facts) -> bool:
        """Whether all parts are here, and somebody who has promised will not ack them: only a vote can keep them."""
        promised = [self.box.promises[seat].body for seat in self.place.seats if seat in self.box.promises]
        return facts.mine is not None and any(body.acked is None for body in promised)

    def _time_to_vote(self, now: float, facts: Facts) -> bool:
        wanted = {seat for seat, held in self.box.prepares.items() if held.body.accused} | set(self.box.promises)
        if not facts.overdue or len(wanted) < self.quorum:
            self._wanted_since = None
            return False
        if self._wanted_since is None:
            self._wanted_since = now
        return facts.hurried >= set(facts.overdue) or now >= self._wanted_since + GRACE_SECONDS

    def _promise_body(self, ballot: int, facts: Facts) -> PromiseBody:
        last = max(self.box.accepts.get(self.me or 0, {}), key=lambda place: place[0], default=None)
        accepted = Accepted(*last) if last is not None else None
        return PromiseBody(*self._about(), ballot, facts.acked, accepted, facts.overdue)

    def _length(self, ballot: int) -> float:
        rounds = (ballot - 1) // max(1, len(self.place.electors))
        return min(BALLOT_SECONDS * (1 << min(rounds, 8)), LONGEST_BALLOT)

    # -- the coordinator -----------------------------------------------------------------------------------------------

    def _propose(self, now: float, facts: Facts) -> ProposeBody | None:
        ballot = self.ballot
        if ballot == 0 or coordinator(self.place.step, ballot, self.place.electors) != self.me:
            return None
        said = self.box.proposals.get(self.me)
        held = [held for _, held in sorted(self.box.promises.items()) if held.body.ballot == ballot]
        if (said is not None and said.body.ballot >= ballot) or len(held) < self.quorum:
            return None
        used, waiting = self._usable(now, held, facts)
        value = None if waiting else self._choose(now, tuple(one.body for one in used), facts)
        if value is None:
            return None
        self._asked = None
        return ProposeBody(*self._about(), ballot, value, tuple(one.record for one in used))

    def _usable(self, now: float, held: list[HeldVote], facts: Facts) -> tuple[list[HeldVote], bool]:
        """The promises to build upon, and whether to wait. Some may bind to a value that nobody can support: parts that
        only a liar claims to have. Those are left out after a while, if the others are a majority: then nothing is
        decided yet, for a majority that had accepted it would be among them.
        """
        promises = held
        while (forced := self._bound(tuple(one.body for one in promises))) is not None:
            if self._possible(forced, facts):
                break
            rest = [one for one in promises if not self._claims(one.body, forced)]
            if len(rest) < self.quorum:
                return held, False
            if self._may_come(now):
                return held, True
            promises = rest
        return promises, False

    def _bound(self, promises: tuple[PromiseBody, ...]) -> Value | None:
        return bound(promises, self.place.seats)

    def _possible(self, value: Value, facts: Facts) -> bool:
        """Whether this seat could support the value, as far as what is here goes."""
        if isinstance(value, Keep):
            return value == facts.mine or facts.here(value)
        return facts.allowed(value) and set(value.seats) <= {*facts.overdue, *facts.convicted}

    def _claims(self, promise: PromiseBody, value: Value) -> bool:
        """Whether this promise binds to the value."""
        accepted = promise.accepted
        return promise.acked == value or (accepted is not None and accepted.value == value)

    def _may_come(self, now: float) -> bool:
        """Whether the parts that somebody says to have may still come."""
        if self._asked is None:
            self._asked = now
        return now < self._asked + FETCH_SECONDS

    def _choose(self, now: float, promises: tuple[PromiseBody, ...], facts: Facts) -> Value | None:
        """What the promises leave; where they leave the choice, the step as it is rather than a seat less."""
        forced = self._bound(promises)
        if forced is not None:
            return forced
        acked = self._acked(promises, facts)
        if facts.mine is not None and acked <= {facts.mine}:
            return facts.mine
        if len(acked) == 1 and facts.mine is None and self._may_come(now):
            return None  # somebody has the parts, and they have been asked for
        accused = Counter(seat for promise in promises for seat in promise.accused)
        seats = tuple(seat for seat in facts.overdue if accused[seat] >= self.quorum)
        how = facts.how(seats) if seats else None
        return Out(seats, how) if how is not None else facts.mine

    # -- the others ----------------------------------------------------------------------------------------------------

    def _accept(self, facts: Facts) -> AcceptBody | None:
        """Support the proposal of the highest ballot, if this seat may and finds it right."""
        ballot, accepts = self.ballot, {place[0] for place in self.box.accepts.get(self.me or 0, {})}
        for held in sorted(self.box.proposals.values(), key=lambda one: -int(one.body.ballot)):
            body: ProposeBody = held.body
            if body.ballot < max(ballot, 1) or body.ballot in accepts:
                return None
            if self._supports(body, facts):
                return AcceptBody(*self._about(), body.ballot, body.value)
        return None

    def _supports(self, proposal: ProposeBody, facts: Facts) -> bool:
        promises = self._promises(proposal, facts)
        if promises is None:
            return False
        forced, value = self._bound(promises), proposal.value
        if forced is not None and value != forced:
            return False
        if isinstance(value, Keep):
            return value == facts.mine or (value == forced and facts.here(value))
        if not facts.allowed(value):
            return False
        if forced is not None:
            supporters = sum(one.accepted is not None and one.accepted.value == value for one in promises)
            # A single seat may have invented that it accepted this; two are more than one liar.
            return supporters >= 2 or set(value.seats) <= {*facts.overdue, *facts.convicted}
        split = not self._acked(promises, facts) <= {facts.mine}
        return set(value.seats) <= set(facts.overdue) and (facts.mine is None or split)

    def _acked(self, promises: tuple[PromiseBody, ...], facts: Facts) -> set[Keep]:
        """What those seats say to have acked that are not known to lie."""
        said = {one.acked for one in promises if one.seat in self.place.seats and one.seat not in facts.convicted}
        return {acked for acked in said if acked is not None}

    def _promises(self, proposal: ProposeBody, facts: Facts) -> tuple[PromiseBody, ...] | None:
        """The promises in a proposal, if they are what its ballot takes."""
        if coordinator(self.place.step, proposal.ballot, self.place.electors) != proposal.seat:
            return None
        found: dict[Seat, PromiseBody] = {}
        for record in proposal.promises:
            body = self._open(record)
            if body is None or body.ballot != proposal.ballot or self.silenced(body.seat, facts.convicted):
                return None
            found[body.seat] = body
        return tuple(found.values()) if len(found) >= self.quorum else None

    def _open(self, record: Promise) -> PromiseBody | None:
        known: list[PromiseBody] = [held.body for held in self.box.promises.values() if held.record == record]
        if known:
            return known[0]
        try:
            body: PromiseBody = open_vote(record, self.place.keys)
            check_place(body, self.place)
        except PeerFault:
            return None
        return body
