"""The votes that are here about one step: of each seat what counts, and no more than that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from frp2p.games.verbs import Seat
from frp2p.ledger.votes import (
    AcceptBody,
    Keep,
    PrepareBody,
    PromiseBody,
    ProposeBody,
    Value,
    Vote,
)

MAX_ACCEPTS = 4
"""Accepts of one seat that are kept, those of its highest ballots: one may be decided while the seat is further."""


class HeldVote(NamedTuple):
    """A vote with a good signature, and what it says."""

    record: Any
    body: Any


class BallotBox:
    """Bounded by the number of seats, whatever comes."""

    def __init__(self) -> None:
        self.prepares: dict[Seat, HeldVote] = {}
        self.promises: dict[Seat, HeldVote] = {}
        """The one of the highest ballot of each seat."""
        self.proposals: dict[Seat, HeldVote] = {}
        """Likewise."""
        self.accepts: dict[Seat, dict[tuple[int, Value], HeldVote]] = {}
        """By ballot and value. Two of one ballot are a lie, and both count: a majority may have been made of either."""
        self.news = 0
        """Counts what was put in."""

    def put(self, record: Vote, body: Any) -> None:
        """Keep this vote unless a later one of its seat is here."""
        held, seat = HeldVote(record, body), body.seat
        match body:
            case PrepareBody():
                older = self.prepares.get(seat)
                if older is not None and older.body.number >= body.number:
                    return
                self.prepares[seat] = held
            case PromiseBody() | ProposeBody():
                place = self.promises if isinstance(body, PromiseBody) else self.proposals
                older = place.get(seat)
                if older is not None and older.body.ballot >= body.ballot:
                    return
                place[seat] = held
            case AcceptBody():
                mine = self.accepts.setdefault(seat, {})
                if (body.ballot, body.value) in mine:
                    return
                mine[body.ballot, body.value] = held
                while len(mine) > MAX_ACCEPTS:
                    del mine[min(mine, key=lambda place: place[0])]
        self.news += 1

    def of(self, seat: Seat) -> list[HeldVote]:
        """What is here of this seat."""
        single = (self.prepares, self.promises, self.proposals)
        return [place[seat] for place in single if seat in place] + list(self.accepts.get(seat, {}).values())

    def has(self, record: Vote, seat: Seat) -> bool:
        """Whether these very bytes are here."""
        return any(held.record.body == record.body for held in self.of(seat))

    def records(self) -> tuple[Vote, ...]:
        """All that is here, the accepts first: they may settle it."""
        found: list[Any] = [held.record for mine in self.accepts.values() for held in mine.values()]
        for place in (self.proposals, self.promises, self.prepares):
            found += [held.record for held in place.values()]
        return tuple(found)

    def keeps(self) -> Iterator[Keep]:
        """Whatever somebody has accepted or proposed to keep, or says so."""
        values = [held.body.value for held in self.proposals.values()]
        values += [value for mine in self.accepts.values() for _ballot, value in mine]
        said = (held.body.accepted for held in self.promises.values())
        values += [accepted.value for accepted in said if accepted is not None]
        return (value for value in values if isinstance(value, Keep))

    def keep_only(self, wanted: Any) -> None:
        """Forget what `wanted(body)` is not true of: what came before its step, and does not belong there."""
        for place in (self.prepares, self.promises, self.proposals):
            for seat in [seat for seat, held in place.items() if not wanted(held.body)]:
                del place[seat]
        for mine in self.accepts.values():
            for vote in [vote for vote, held in mine.items() if not wanted(held.body)]:
                del mine[vote]
