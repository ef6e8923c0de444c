"""What `arbiter` does: take the arbiter's place at a table, and follow the game to its end."""

from __future__ import annotations

import contextlib

import msgspec

from frp2p.app.moving import follow_addresses
from frp2p.app.rendezvous import meet
from frp2p.app.tables import Seat
from frp2p.cli.joining import Sought
from frp2p.cli.passphrase import as_bytes
from frp2p.cli.place import Place
from frp2p.cli.sitting import beside, identity_and_name
from frp2p.cli.stopping import Stopping


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for. `auto`: no screen, though there is a terminal."""

    name: str | None
    port: int | None
    interfaces: tuple[str, ...]
    auto: bool
    as_json: bool


async def arbitrate(sought: Sought, wish: Wish, stopping: Stopping) -> int:
    """Be the arbiter of this table to its end; the exit code."""
    identity, name = identity_and_name(wish.name)
    place = Place("greedy", name, auto=wish.auto)  # nobody there is ever asked for a move
    made = Seat(identity, name, place.player, loopback=False, port=wish.port, interfaces=wish.interfaces)
    with contextlib.closing(made) as seat:
        session = seat.join(sought.dial, as_bytes(sought.passphrase), arbiter=True, label=sought.label)
        meeting = meet(session, identity.public_key, seat.port, wish.interfaces)
        async with beside(meeting), beside(follow_addresses(session, seat.port, seat.addresses, wish.interfaces)):
            return await place.sit(session, identity, stopping, None, as_json=wish.as_json)
