"""A referee goes only forward. Where a vote has decided otherwise than this seat had applied, it is made anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from frp2p.deal.seeded import SeededEntropy
from frp2p.games.verbs import Seat
from frp2p.ledger.chain import step_digest, verdict_digest
from frp2p.ledger.records import read_part_body
from frp2p.ledger.referee import Referee
from frp2p.ledger.transcript import ClosedStep
from frp2p.ledger.votes import read_vote

NewReferee: TypeAlias = Callable[[SeededEntropy], Referee]
"""A referee of this table and seat, with this source of chance, that has seen nothing yet."""


def speak_again(referee: Referee, entropy: SeededEntropy) -> bytes:
    """The payload of my part; with the same entropy as before, the same one. The secrets behind it come back too."""
    entropy.turn(referee.head)
    return referee.speak()


def rebuild(new_referee: NewReferee, steps: list[ClosedStep], me: Seat, entropy: SeededEntropy) -> Referee:
    """The referee after these final steps, with the secrets of this seat. As long as the verification of the record."""
    referee = new_referee(entropy)
    for closed in steps:
        if not closed.parts:
            value = read_vote(closed.accepts[0]).value
            referee.verdict(value, verdict_digest(referee.digest, referee.step, referee.head, value))
            continue
        bodies = [read_part_body(part.body) for part in closed.parts]
        if me in (body.seat for body in bodies) and referee.expect().kind != "move":
            speak_again(referee, entropy)
        for body in bodies:
            referee.check_body(body)
        records = tuple(part.body for part in closed.parts)
        digest = step_digest(referee.digest, referee.step, referee.head, records)
        referee.close({body.seat: body.payload for body in bodies}, digest)
    return referee
