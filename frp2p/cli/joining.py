"""What `join`, `bot` and `arbiter` do: find a table, sit down at it, or be its arbiter."""

from __future__ import annotations

import asyncio
import contextlib
import sys

import click
import msgspec

from frp2p.app.finding import Purpose, find
from frp2p.app.moving import follow_addresses
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


class Sought(msgspec.Struct, frozen=True):
    """Where a table is. `label`: how the fingerprint of its host begins, empty where an address was typed; `locked`:
    whether it says that it has a passphrase."""

    dial: tuple[Address, ...]
    label: str = ""
    locked: bool = False
    passphrase: str = ""


async def join(sought: Sought, wish: Wish, stopping: Stopping) -> int:
    """Play at this table to its end; the exit code."""
    identity, name = identity_and_name(wish.name)
    place = Place(wish.level, name, auto=wish.auto, headless=wish.headless)
    made = Seat(identity, name, place.player, loopback=wish.loopback, port=wish.port, interfaces=wish.interfaces)
    with contextlib.closing(made) as seat:
        session = seat.join(sought.dial, as_bytes(sought.passphrase), label=sought.label)
        async with contextlib.AsyncExitStack() as stack:
            if wish.watch_stdin:
                stack.enter_context(StdinLines(_ignore, session.leave))
            if not wish.loopback:
                meeting = meet(session, identity.public_key, seat.port, wish.interfaces)
                await stack.enter_async_context(beside(meeting))
                await stack.enter_async_context(
                    beside(follow_addresses(session, seat.port, seat.addresses, wish.interfaces))
                )
            return await place.sit(session, identity, stopping, None, as_json=wish.as_json)


def _ignore(_line: bytes) -> None:
    """Nobody talks to a bot; only the end of its stdin counts."""


def seek_to_watch(table: str | None, interfaces: tuple[str, ...]) -> Sought:
    """Where a table to watch is, as `seek`."""
    sought = _typed(table)
    if sought is not None:
        return sought
    return _found(table, interfaces, "watch", _("No table to watch was found; frp2p watch HOST:PORT needs no search."))


def seek(table: str | None, interfaces: tuple[str, ...], passphrase: str, *, arbiter: bool = False) -> Sought:
    """Where the table with a free seat, or a place for an `arbiter`, is: an address as typed, or what is found on the
    LAN; and its passphrase, which is asked for where the table says that it has one. Not for use within an event loop,
    as the user may be asked."""
    sought = _typed(table)
    if sought is None and arbiter:
        none = _("No table that looks for an arbiter was found; frp2p arbiter HOST:PORT needs no search.")
        sought = _found(table, interfaces, "arbitrate", none)
    elif sought is None:
        none = _("No table with a free seat was found; frp2p join HOST:PORT needs no search.")
        sought = _found(table, interfaces, "sit", none)
    asked = prompt() if sought.locked and not passphrase else passphrase
    return msgspec.structs.replace(sought, passphrase=asked)


def _typed(table: str | None) -> Sought | None:
    """The address that was typed; None if it is none. UserError for nothing at all."""
    if table is not None and not table.strip():
        raise UserError(_("The name of a table can't be empty; without one all tables are looked for."))
    return Sought((parse(table),)) if table is not None and _is_address(table) else None


def _found(table: str | None, interfaces: tuple[str, ...], purpose: Purpose, none: str) -> Sought:
    """The table on the LAN, of this host if `table` is a name; UserError, which says `none`, if there is none."""
    click.echo(_("Looking for tables on this network ..."), err=True)
    found, problem = asyncio.run(find(table, interfaces, purpose))
    if not found and table is not None and " " not in table:
        return Sought((parse(table),))  # no table of that name; it may be the name of a machine
    if not found and table is not None and purpose == "sit":
        raise UserError(problem or _("No table of {name} with a free seat was found.").format(name=ascii(table)))
    if not found:
        raise UserError(problem or none)
    chosen = found[0] if len(found) == 1 else _choose(found)
    return Sought(chosen.addresses, chosen.ad.key, chosen.ad.locked)


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
