"""What `resume` does: find a table that was left, take the seat again, and start its bots where they were ours."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from typing import Any

import click
import msgspec

from frp2p.app.bots import BotProcesses
from frp2p.app.faults import sentence
from frp2p.app.left import LeftTable, OpenTable, choose, open_tables
from frp2p.app.rendezvous import meet
from frp2p.app.tables import Seat
from frp2p.cli.asking import number_up_to
from frp2p.cli.place import Place
from frp2p.cli.sitting import beside
from frp2p.cli.stopping import Stopping
from frp2p.errors import LocalError, UserError
from frp2p.locale import _, ngettext
from frp2p.net.address import Address
from frp2p.net.interfaces import LOOPBACK
from frp2p.players.stdin import StdinLines
from frp2p.store.identity import Identity, acquire_key

SHOWN_DIGITS = 16
"""Of the name of a file that stands for a table without a code."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for. `dial`: where another seat is, should the addresses have changed; `watch_stdin`: leave
    when stdin closes (a bot must not outlive its table's host)."""

    level: str
    auto: bool
    as_json: bool
    headless: bool = False
    watch_stdin: bool = False
    dial: tuple[Address, ...] = ()
    interfaces: tuple[str, ...] = ()


async def resume(table: OpenTable, wish: Wish, stopping: Stopping) -> int:
    """Go on with this table to its end; the exit code."""
    try:
        return await _resume(table, wish, stopping)
    except LocalError as error:
        if not error.code.startswith("journal-"):
            raise
        text = _("This table can't be gone on with: {reason} ({code})")
        raise UserError(text.format(reason=sentence(error.code, error.message), code=error.code)) from error


async def _resume(table: OpenTable, wish: Wish, stopping: Stopping) -> int:
    left = LeftTable(table)
    with contextlib.ExitStack() as exits:
        exits.callback(left.journal.close)
        identity = acquire_key(table.key)
        exits.callback(identity.release)
        place = Place(wish.level, table.name, auto=wish.auto, headless=wish.headless)
        seat = exits.enter_context(contextlib.closing(_seat(table, identity, place, wish)))
        async with contextlib.AsyncExitStack() as stack:
            bots = await stack.enter_async_context(BotProcesses())
            bots.keep_homes = True
            count = await bots.revive(table.digest)
            _tell(table, count)
            if not count and not wish.watch_stdin and _is_loopback(table):
                click.echo(_("No bots of this table are here: it goes on only if the others come back."), err=True)
            session = seat.resume(left, wish.dial)
            stack.enter_context(StdinLines(_ignore, session.leave) if wish.watch_stdin else contextlib.nullcontext())
            if not _is_loopback(table):
                meeting = meet(session, identity.public_key, seat.port, wish.interfaces)
                await stack.enter_async_context(beside(meeting))
            try:
                return await place.sit(session, identity, stopping, bots if count else None, as_json=wish.as_json)
            finally:
                bots.keep_homes = session.resumable


def mention() -> None:
    """One line on stderr where a table can be gone on with; whoever opens another one may have forgotten it."""
    tables = [table for table in open_tables() if not table.in_use and not table.problem]
    if tables:
        text = ngettext(
            "You left {count} table before its end ({code}); frp2p resume takes your seat again.",
            "You left {count} tables before their end (the latest {code}); frp2p resume takes your seat again.",
            len(tables),
        )
        click.echo(text.format(count=len(tables), code=tables[0].code), err=True)


def pick(wanted: str | None, *, whole: bool = True) -> OpenTable:
    """The table to go on with; without a name the only one, or the user is asked. `whole`: its journal must be one that
    can be read. Not for use within an event loop."""
    if wanted is not None:
        found = choose(wanted)
        return _whole(found) if whole else found
    tables = open_tables()
    free = [table for table in tables if not table.in_use and not table.problem]
    if not free:
        if tables:
            show(tables)
            raise UserError(_("None of your tables can be gone on with now."), code="no-open-table")
        raise UserError(_("You have left no table before its end."), code="no-open-table")
    if len(free) == 1:
        return free[0]
    show(free)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(_("Several tables are open; name one of them by its code."), code="no-open-table")
    return free[number_up_to(len(free)) - 1]


def show(tables: Sequence[OpenTable], *, err: bool = True) -> None:
    """One line a table."""
    for number, table in enumerate(tables, 1):
        if table.problem:
            line = _unreadable(table)
        else:
            line = _("{code}, {name} with {others}").format(
                code=table.code, name=table.name, others=", ".join(table.others)
            )
        if table.in_use:
            line += " " + _("(open in another program)")
        click.echo(f"{number}. {line}", err=err)


def entry(table: OpenTable) -> dict[str, Any]:
    """A table in the list for programs; `code`, `name` and `others` are empty where `problem` is not.
    `check` is the code of the problem, empty where the system says it."""
    return {
        "code": table.code,
        "name": table.name,
        "others": list(table.others),
        "in_use": table.in_use,
        "check": table.check,
        "problem": table.problem,
        "file": str(table.path),
    }


def _whole(table: OpenTable) -> OpenTable:
    if table.problem:
        raise UserError(_unreadable(table))
    return table


def _unreadable(table: OpenTable) -> str:
    text = _("{file} can't be read: {reason}").format(file=table.path, reason=sentence(table.check, table.problem))
    if not table.check:
        return text
    return text + " " + _("frp2p resume --forget {name} throws it away.").format(name=table.path.name[:SHOWN_DIGITS])


def _seat(table: OpenTable, identity: Identity, place: Place, wish: Wish) -> Seat:
    """Listening where the others look for this seat, if that is possible."""
    loopback = _is_loopback(table)
    port = table.addresses[0].port if table.addresses else None
    try:
        return Seat(identity, table.name, place.player, loopback=loopback, port=port, interfaces=wish.interfaces)
    except UserError:
        # Taken: this seat dials the others, and announces where it listens now if it misses somebody.
        return Seat(identity, table.name, place.player, loopback=loopback, port=0, interfaces=wish.interfaces)


def _is_loopback(table: OpenTable) -> bool:
    """Whether this seat could be reached from this machine only."""
    return bool(table.addresses) and all(address.host == LOOPBACK for address in table.addresses)


def _tell(table: OpenTable, bots: int) -> None:
    text = _("Taking the seat of {name} at table {code} again ...")
    if table.arbiter:
        text = _("{name} is the arbiter of table {code} again ...")
    click.echo(text.format(name=table.name, code=table.code), err=True)
    if bots:
        text = ngettext("{count} bot comes back too.", "{count} bots come back too.", bots)
        click.echo(text.format(count=bots), err=True)


def _ignore(_line: bytes) -> None:
    """Nobody talks to a bot; only the end of its stdin counts."""
