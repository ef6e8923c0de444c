"""What `join`, `bot` and `arbiter` do: find a table, sit down at it, or be its arbiter."""

from __future__ import annotations

import asyncio
import contextlib
import sys

import click
import msgspec

from frp2p.app.finding import find
from frp2p.app.rendezvous import meet
from frp2p.app.tables import Seat
from frp2p.cli.asking import number_up_to
from frp2p.cli.passphrase import as_bytes, prompt
from frp2p.cli.place import Place
from frp2p.cli.sitting import beside, identity_and_name
from frp2p.cli.stopping import Stopping
from frp2p.errors import UserError
from frp2p.locale import _, ngettext
from frp2p.net.address import Address, parse
from frp2p.net.discovery import FoundTable
from frp2p.players.stdin import StdinLines


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for. `watch_stdin`: leave when stdin closes (a bot must not outlive its table's host)."""

    name: str | None
    level: str
    auto: bool
    as_json: bool
    headless: bool = False
    loopback: bool = False
    watch_stdin: bool = False
    port: int | None = None
    interfaces: tuple[str, ...] = ()
    passphrase: str = ""


async def join(dial: tuple[Address, ...], wish: Wish, stopping: Stopping) -> int:
    """Play at the table that is reached at one of these addresses, to its end; the exit code."""
    identity, name = identity_and_name(wish.name)
    place = Place(wish.level, name, auto=wish.auto, headless=wish.headless)
    made = Seat(identity, name, place.player, loopback=wish.loopback, port=wish.port, interfaces=wish.interfaces)
    with contextlib.closing(made) as seat:
        session = seat.join(dial, as_bytes(wish.passphrase))
        async with contextlib.AsyncExitStack() as stack:
            if wish.watch_stdin:
                stack.enter_context(StdinLines(_ignore, session.leave))
            if not wish.loopback:
                meeting = meet(session, identity.public_key, seat.port, wish.interfaces)
                await stack.enter_async_context(beside(meeting))
            return await place.sit(session, identity, stopping, None, as_json=wish.as_json)


def _ignore(_line: bytes) -> None:
    """Nobody talks to a bot; only the end of its stdin counts."""


def seek_to_watch(table: str | None, interfaces: tuple[str, ...]) -> tuple[Address, ...]:
    """Where a table to watch is, as `seek`."""
    if table is not None and _is_address(table):
        return (parse(table),)
    click.echo(_("Looking for tables on this network ..."), err=True)
    found, problem = asyncio.run(find(table, interfaces, "watch"))
    if not found and table is not None and table.strip() and " " not in table:
        return (parse(table),)  # no table of that name; it may be the name of a machine
    if not found:
        raise UserError(problem or _("No table to watch was found; frp2p watch HOST:PORT needs no search."))
    return (found[0] if len(found) == 1 else _choose(found)).addresses


def seek(
    table: str | None, interfaces: tuple[str, ...], passphrase: str, *, arbiter: bool = False
) -> tuple[tuple[Address, ...], str]:
    """Where the table with a free seat, or a place for an `arbiter`, is: an address as typed, or what is found on the
    LAN; and its passphrase, which is asked for where the table says that it has one. Not for use within an event loop,
    as the user may be asked."""
    if table is not None and not table.strip():
        raise UserError(_("The name of a table can't be empty; without one all tables are looked for."))
    if table is not None and _is_address(table):
        return (parse(table),), passphrase
    click.echo(_("Looking for tables on this network ..."), err=True)
    found, problem = asyncio.run(find(table, interfaces, "arbitrate" if arbiter else "sit"))
    if not found and table is not None and " " not in table:
        return (parse(table),), passphrase  # no table of that name; it may be the name of a machine
    if not found and arbiter:
        none = _("No table that looks for an arbiter was found; frp2p arbiter HOST:PORT needs no search.")
        raise UserError(problem or none)
    if not found and table is not None:
        raise UserError(problem or _("No table of {name} with a free seat was found.").format(name=ascii(table)))
    if not found:
        raise UserError(problem or _("No table with a free seat was found; frp2p join HOST:PORT needs no search."))
    chosen = found[0] if len(found) == 1 else _choose(found)
    if chosen.ad.locked and not passphrase:
        passphrase = prompt()
    return chosen.addresses, passphrase


def _is_address(text: str) -> bool:
    return " " not in text and (":" in text or "." in text or text == "localhost")


def _choose(found: tuple[FoundTable, ...]) -> FoundTable:
    """Ask which one; without a terminal that is an error with the list."""
    for number, table in enumerate(found, 1):
        free = ngettext("{free} free seat", "{free} free seats", table.ad.free).format(free=table.ad.free)
        locked = " " + _("(with a passphrase)") if table.ad.locked else ""
        click.echo(f"{number}. {table.ad.name} ({table.ad.key}), {free}{locked}, {table.addresses[0]}", err=True)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(_("Several tables were found; name one by its host, the label of its key or its address."))
    return found[number_up_to(len(found)) - 1]
