"""The certificate of a step that a vote has closed: accepts of a strict majority for one value in one ballot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from frp2p.errors import PeerFault
from frp2p.games.verbs import Seat
from frp2p.ledger.referee import Referee
from frp2p.ledger.votes import Accept, AcceptBody, Farewell, FarewellBody, Value, open_vote, quorum


class Place(NamedTuple):
    """What is voted about: a step, after which head, by whom (none: nothing is voted about before the game): the
    `seats` that are live, whose acks the step takes, and the arbiter, if there is one. `keys`: those of all voters."""

    game: bytes
    step: int
    head: bytes
    seats: tuple[Seat, ...]
    electors: tuple[Seat, ...]
    keys: tuple[bytes, ...]


def place_of(referee: Referee) -> Place:
    """The present step of this referee."""
    charter, live = referee.charter, referee.live
    everybody = live if charter.arbiter_number is None else (*live, charter.arbiter_number)
    electors = everybody if referee.stage in ("play", "open", "attest") else ()
    return Place(referee.digest, referee.step, referee.head, live, electors, charter.voter_keys)


def check_place(body: Any, place: Place) -> None:
    """PeerFault unless this body of a vote is about this place and of a seat that has a vote there.

    Checks: `vote-game`, `vote-step`, `vote-prev`, `vote-elector`.
    """
    if body.game != place.game:
        raise PeerFault("vote-game", "A vote of another ledger.", seat=body.seat)
    if body.step != place.step:
        raise PeerFault("vote-step", f"A vote about step {body.step} in step {place.step}.", seat=body.seat)
    if body.prev != place.head:
        raise PeerFault("vote-prev", "A vote about another history.", seat=body.seat)
    if body.seat not in place.electors:
        raise PeerFault("vote-elector", f"Seat {body.seat} has no vote here.", seat=body.seat)


def open_certificate(accepts: Iterable[Accept], place: Place) -> Value:
    """The value that these accepts decide.

    PeerFault: those of `open_vote` and `check_place`; `vote-order` (not ascending by seat), `vote-split` (about
    different ballots or values), `vote-quorum` (too few).
    """
    seats: list[Seat] = []
    decided: tuple[int, Value] | None = None
    for accept in accepts:
        body: AcceptBody = open_vote(accept, place.keys)
        check_place(body, place)
        if seats and body.seat <= seats[-1]:
            raise PeerFault("vote-order", "The accepts do not stand in the order of seats.", seat=body.seat)
        if decided not in (None, (body.ballot, body.value)):
            raise PeerFault("vote-split", "The accepts are not about one thing.", seat=body.seat)
        decided = body.ballot, body.value
        seats.append(body.seat)
    if decided is None or len(seats) < quorum(place.electors):
        raise PeerFault("vote-quorum", f"{len(seats)} of {len(place.electors)} have accepted.")
    return decided[1]


def open_farewell(farewell: Farewell, referee: Referee) -> Seat:
    """Who says farewell; PeerFault as `open_vote`, `vote-game`."""
    body: FarewellBody = open_vote(farewell, referee.charter.keys)
    if body.game != referee.digest:
        raise PeerFault("vote-game", "A farewell of another ledger.", seat=body.seat)
    return body.seat
