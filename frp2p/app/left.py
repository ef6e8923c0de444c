"""Tables that this player left before their end, by a crash or on purpose: which there are, and going on with one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from frp2p.errors import LocalError, UserError
from frp2p.ledger.base32 import tidy
from frp2p.ledger.charter import charter_digest, table_code
from frp2p.locale import _
from frp2p.locale.reason import reason
from frp2p.net.address import Address, parse_literal
from frp2p.store import journal
from frp2p.store.journal import TableJournal
from frp2p.table.journal import Opening, opening_charter, read_opening

MAX_LISTED = 100
"""Tables in a list; nobody leaves so many behind, but a folder may hold anything."""

_MIN_DIGITS = 8
"""Of the file's name that stand for a table, where it is not called by its code."""


class OpenTable(msgspec.Struct, frozen=True):
    """A table to go on with. `problem` says why its journal can't be read, `check` which check it fails (empty: the
    system can't read it); the fields after them are empty then."""

    path: Path
    in_use: bool
    check: str = ""
    problem: str = ""
    code: str = ""
    digest: bytes = b""
    name: str = ""
    others: tuple[str, ...] = ()
    key: bytes = b""
    addresses: tuple[Address, ...] = ()
    """Where this seat listened."""
    arbiter: bool = False
    """Whether it is no seat, but the place of the arbiter."""


class LeftTable:
    """A table that is being gone on with: its journal, locked, and what it says."""

    def __init__(self, table: OpenTable) -> None:
        """UserError if another program has it; LocalError if it is damaged."""
        self.table = table
        self.journal: TableJournal
        self.records: Sequence[bytes]
        self.journal, self.records = TableJournal.reopen(table.path)


def open_tables() -> tuple[OpenTable, ...]:
    """The latest ones, the latest first."""
    return tuple(_look_at(path) for path in journal.paths()[:MAX_LISTED])


def choose(wanted: str) -> OpenTable:
    """Of all tables that were left the one with this code, or whose file begins with this, at best one where nobody
    sits now; UserError if it is none of them.
    """
    found = [table for table in map(_look_at, journal.paths()) if _is_called(table, wanted)]
    if not found:
        raise UserError(_("No table {table} of yours is open.").format(table=ascii(wanted)), code="no-open-table")
    return next((table for table in found if not table.in_use), found[0])


def forget(table: OpenTable) -> None:
    """Give the seat up for good. UserError if a program sits there."""
    if journal.in_use(table.path):
        raise UserError(_("This table is open in another program."), code="table-in-use")
    try:
        table.path.unlink(missing_ok=True)
        table.path.with_suffix(".lock").unlink(missing_ok=True)
    except OSError as error:
        text = _("The journal {path} can't be used ({reason}).")
        raise UserError(text.format(path=table.path, reason=reason(error))) from None


def _is_called(table: OpenTable, wanted: str) -> bool:
    if table.code and tidy(table.code) == tidy(wanted):
        return True
    return len(wanted) >= _MIN_DIGITS and table.path.name.startswith(wanted.lower())


def _look_at(path: Path) -> OpenTable:
    try:
        opening = read_opening(journal.first_record(path))
        return _described(path, opening)
    except LocalError as error:
        return OpenTable(path, in_use=False, check=error.code, problem=error.message)
    except OSError as error:
        return OpenTable(path, in_use=False, problem=reason(error))


def _described(path: Path, opening: Opening) -> OpenTable:
    charter = opening_charter(opening)
    keys = charter.voter_keys
    me = keys.index(opening.key) if opening.key in keys else 0
    mine = opening.addresses[me] if me < len(opening.addresses) else ()
    return OpenTable(
        path=path,
        in_use=journal.in_use(path),
        code=table_code(charter_digest(charter)),
        digest=charter_digest(charter),
        name=charter.voters[me].name,
        arbiter=me == charter.arbiter_number,
        others=tuple(seat.name for seat in charter.seats if seat.key != opening.key),
        key=opening.key,
        addresses=tuple(address for text in mine if (address := parse_literal(text)) is not None),
    )
