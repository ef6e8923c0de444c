"""What `play` and `host` do: open a table, fill it, sit at it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import click
import msgspec

from frp2p.app.announcing import announce
from frp2p.app.bots import BotProcesses
from frp2p.app.moving import follow_addresses
from frp2p.app.rendezvous import meet
from frp2p.app.session import Session
from frp2p.app.tables import Seat
from frp2p.cli.passphrase import as_bytes
from frp2p.cli.place import Place
from frp2p.cli.sitting import beside, identity_and_name
from frp2p.cli.stopping import Stopping
from frp2p.cli.terms import options as options_of
from frp2p.cli.terms import provided
from frp2p.errors import UserError
from frp2p.ledger.provisions import Provisions
from frp2p.locale import _
from frp2p.net.address import parse
from frp2p.net.interfaces import LOOPBACK, is_link_local
from frp2p.table.access import Access

START_SECONDS = 5.0
"""Between the last guest and the charter; long enough to read a name and press a key, short enough not to annoy."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for. `terms`: what is played, see `cli/terms.py`. `loopback`: nobody outside this machine can
    join; `headless`: JSON lines decide; `interfaces`: where others come from; `ask`: the host lets each guest
    in; `spectators`: whether others may watch, None for what is usual; `arbiter`: whether one has a vote."""

    seats: int
    bots: int
    level: str
    name: str | None
    auto: bool
    as_json: bool
    loopback: bool
    terms: Mapping[str, Any]
    headless: bool = False
    port: int | None = None
    discovery: bool = False
    interfaces: tuple[str, ...] = ()
    passphrase: str = ""
    ask: bool = False
    spectators: bool | None = None
    arbiter: bool = False


async def host(wish: Wish, stopping: Stopping) -> int:
    """Host a table to its end; the exit code."""
    if wish.bots >= wish.seats:
        raise UserError(_("{bots} bots and you do not fit {seats} seats.").format(bots=wish.bots, seats=wish.seats))
    options = options_of(wish.terms, wish.seats)
    identity, name = identity_and_name(wish.name)
    place = Place(wish.level, name, auto=wish.auto, headless=wish.headless)
    seat = Seat(identity, name, place.player, loopback=wish.loopback, port=wish.port, interfaces=wish.interfaces)
    with contextlib.closing(seat):
        async with contextlib.AsyncExitStack() as stack:
            bots = await stack.enter_async_context(BotProcesses())
            invited = bots.prepare(wish.bots, wish.level, name)
            access = _access(wish, invited, attended=place.full_screen)
            session = seat.host(options, wish.seats, access, _provided(wish))
            await bots.start(f"{LOOPBACK}:{seat.port}", wish.passphrase)
            if wish.discovery:
                announcing = announce(session, identity, name, seat.port, wish.interfaces)
                await stack.enter_async_context(beside(announcing))
                await stack.enter_async_context(beside(meet(session, identity.public_key, seat.port, wish.interfaces)))
            if not wish.loopback:
                await stack.enter_async_context(
                    beside(follow_addresses(session, seat.port, seat.addresses, wish.interfaces))
                )
                _show_addresses(session, seat.addresses, code=not place.full_screen, arbiter=wish.arbiter)
            try:
                return await place.sit(session, identity, stopping, bots, as_json=wish.as_json)
            finally:
                bots.keep_homes = session.resumable


def _access(wish: Wish, invited: frozenset[bytes], *, attended: bool) -> Access:
    """Who may sit down. A person at the screen gets a moment to send somebody away, unless it let everybody in itself
    (a table that only this machine reaches needs neither)."""
    pause = START_SECONDS if attended and not wish.ask and not wish.loopback else 0.0
    return Access(passphrase=as_bytes(wish.passphrase), ask=wish.ask, invited=invited, pause=pause)


def _provided(wish: Wish) -> Provisions:
    """What the charter provides for. A table that is locked, or that nobody else reaches, is nothing to be watched
    unless its host says so."""
    private = bool(wish.passphrase) or wish.loopback
    watched = not private if wish.spectators is None else wish.spectators
    return provided(wish.terms, wish.seats, watched=watched, arbiter=wish.arbiter)


def _show_addresses(session: Session, addresses: tuple[str, ...], *, code: bool, arbiter: bool) -> None:
    """On stderr: where others connect to; also the changes of that and the table code once there is one, where there is
    no full-screen client to show them (`code`)."""
    click.echo(_("The table is open. Others type: frp2p join, or one of these:"), err=True)
    # Longer to type, and only needed where there is nothing else.
    short = tuple(address for address in addresses if not is_link_local(parse(address).host))
    for address in short or addresses:
        click.echo(f"  frp2p join {address}", err=True)
    if arbiter:
        click.echo(_("The game begins when the arbiter is here: frp2p arbiter, with the same addresses."), err=True)

    shown = session.snapshot().address

    def show_change() -> None:
        nonlocal shown
        snapshot = session.snapshot()
        if snapshot.address != shown:
            shown = snapshot.address
            click.echo(
                _("This machine is at another address now: frp2p join {address}").format(address=shown), err=True
            )
        if snapshot.status.code:
            unsubscribe()
            click.echo(_("Table code: {code}").format(code=snapshot.status.code), err=True)

    if code:
        unsubscribe = session.subscribe(show_change)
