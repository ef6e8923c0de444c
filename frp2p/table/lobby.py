"""What the two sides of a lobby have in common: who is here, and how that looks from outside."""

from __future__ import annotations

from typing import Any

import msgspec

from frp2p.games.game import Move
from frp2p.ledger.fingerprint import fingerprint
from frp2p.table.desk import Desk
from frp2p.table.links import Link
from frp2p.table.messages import Member
from frp2p.table.phase import NotAsked, Patience
from frp2p.table.status import SeatStatus, Status

NOTHING_YET = Status(
    phase="lobby",
    me=None,
    code="",
    game="",
    options=None,
    seats_wanted=0,
    seats=(),
    step=0,
    waiting_for=(),
    asked=False,
    shuffled_by=(),
    verified_by=(),
    digest=None,
    fault=None,
    view=None,
)
"""The status of a table that nobody has opened."""


class BeforeCharter:
    """A phase in which there is no game yet."""

    game: bytes | None = None
    height = 0
    asked = False

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def welcome(self, key: bytes) -> bool:
        """Everybody, until the table is full."""
        return True

    def dismissed(self, link: Link, reason: str, now: float) -> None:
        """Nothing to learn from that."""

    def act(self, move: Move, now: float) -> None:
        """Nobody is asked before the game starts."""
        raise NotAsked

    def legal(self) -> tuple[Move, ...]:
        return ()

    def patience(self) -> Patience | None:
        return None

    def transcript(self) -> bytes | None:
        return None

    def lobby_status(
        self, game: str, options: Any, wanted: int, members: tuple[Member, ...], arbiter: Member | None = None
    ) -> Status:
        """The status of a lobby with these members and this arbiter."""
        shown = seat_statuses(self.desk, members if arbiter is None else (*members, arbiter))
        seats = shown[: len(members)]
        me = next((seat.seat for seat in seats if seat.key == self.desk.key), None)
        made = msgspec.structs.replace(NOTHING_YET, me=me, game=game, options=options, seats_wanted=wanted, seats=seats)
        return made if arbiter is None else msgspec.structs.replace(made, arbiter=as_arbiter(shown[-1]))


def as_arbiter(status: SeatStatus) -> SeatStatus:
    """The same, of somebody who is or wants to be the arbiter."""
    return msgspec.structs.replace(status, arbiter=True)


def seat_statuses(desk: Desk, members: tuple[Member, ...]) -> tuple[SeatStatus, ...]:
    """How these look, in this order. The host lists only whom it has a link to, so whoever has one to the host knows
    that all of them are here.
    """
    host = members[0].key if members else desk.key
    told = host == desk.key or desk.links.of(host) is not None
    return tuple(
        SeatStatus(
            seat=place,
            name=member.name,
            key=member.key,
            fingerprint=fingerprint(member.key),
            connected=told or member.key == desk.key,
        )
        for place, member in enumerate(members)
    )
