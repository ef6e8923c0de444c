"""Before the first card and after a fault: who sits here, what is being waited for, what went wrong; in words."""

from __future__ import annotations

from frp2p.app import model_losses
from frp2p.app.faults import sentence
from frp2p.app.model_blame import culprit, own_key
from frp2p.app.model_options import described
from frp2p.app.model_table import names, rule, view_of
from frp2p.app.model_text import NAME_COLUMNS, Cell, Line, clean, clip, fit, pad, wrap
from frp2p.app.snapshot import Snapshot
from frp2p.deal.group.choose import default_group
from frp2p.games.fantasy_realms.options import Options
from frp2p.locale import _, ngettext
from frp2p.table.status import SeatStatus, Status

LOOPBACKS = ("127.", "[::1]")
"""How addresses begin that only this machine can reach, and that are not announced."""


def hosting(status: Status) -> bool:
    """Whether this is the lobby of a host: its own seat is the first."""
    return status.phase == "lobby" and status.me == 0


def guests(status: Status) -> tuple[SeatStatus, ...]:
    """Whom a host can let in or send away: who asks, then who sits; empty for anybody else."""
    return (*status.asking, *_here(status)[1:]) if hosting(status) else ()


def _here(status: Status) -> tuple[SeatStatus, ...]:
    """Everybody who sits, and the arbiter."""
    return status.seats if status.arbiter is None else (*status.seats, status.arbiter)


def lobby(snapshot: Snapshot, columns: int, cursor: int = -1) -> list[Line]:
    """Seats filled and wanted, names with fingerprints, and the address that others type. `cursor`: the guest that the
    host points at."""
    status = snapshot.status
    count = ""  # where nothing is known yet
    if status.seats_wanted:
        count = _("{filled} of {wanted} seats are taken").format(filled=len(status.seats), wanted=status.seats_wanted)
    lines = [rule(_("Lobby"), columns, count), *_terms(snapshot, columns), *_asking(snapshot, columns, cursor)]
    lines += _seats(snapshot, columns, cursor)
    free = status.seats_wanted - len(status.seats)
    if status.seats_wanted == 0:
        lines += _text(_("The host has not shown its table yet."), columns, "strong")
        if snapshot.address:
            lines += _text(_("It is called at {address}.").format(address=snapshot.address), columns)
    elif status.seats and not status.seats[0].connected:
        lines += _text(_("No connection to the host; it is looked for, for half a minute."), columns, "warn")
    elif status.arbitrating and status.arbiter is not None:
        lines += _text(_("You are the arbiter; the game has not begun."), columns, "strong")
    elif status.watching and not status.arbitrating:
        lines += _text(_("You are watching; the game has not begun."), columns, "strong")
    elif status.seats and status.me is None:
        lines += _text(_("The host has not let you in yet."), columns, "strong")
    elif status.starting:
        lines += _text(_("All seats are taken; the game begins in a few seconds."), columns, "strong")
    elif free > 0:
        text = ngettext("Waiting for {count} more player.", "Waiting for {count} more players.", free)
        lines += _text(text.format(count=free), columns, "strong")
    elif status.lacks_arbiter:
        lines += _text(_("Waiting for the arbiter."), columns, "strong")
    else:
        lines += _text(_("All seats are taken; the table is being signed."), columns, "strong")
    lines.append(fit((Cell(" "),), columns))
    if snapshot.address and status.seats_wanted:
        lines += _text(_("Others sit down with:"), columns)
        lines += _text(
            f"  frp2p join {snapshot.address}" + (" --passphrase" if status.locked else ""), columns, "strong"
        )
        if not snapshot.address.startswith(LOOPBACKS):
            lines += _text(_("or, on the same network, with frp2p join alone."), columns)
        if status.lacks_arbiter:
            lines += _text(_("The arbiter comes with:"), columns)
            lines += _text(
                f"  frp2p arbiter {snapshot.address}" + (" --passphrase" if status.locked else ""), columns, "strong"
            )
    lines.append(fit((Cell(" "),), columns))
    lines += [*_provided(snapshot, columns), *_text(clean(snapshot.problem), columns, "warn")]
    lines += _text(_("Compare the fingerprints aloud if you want to be sure who is who."), columns, "dim")
    return [*lines, *arithmetic(columns)]


def arbiter_lines(columns: int) -> list[Line]:
    """In the place of a hand, for the arbiter."""
    lines = [rule(_("You are the arbiter"), columns)]
    lines += _text(_("You see what everybody at the table may see, no more."), columns, "dim")
    text = _("Your program votes by its own clock when a player is lost; there is nothing to press.")
    return lines + _text(text, columns, "dim")


def watcher_lines(columns: int) -> list[Line]:
    """In the place of a hand, for somebody who has none."""
    lines = [rule(_("You are watching"), columns)]
    lines += _text(_("You see what everybody at the table may see, no more."), columns, "dim")
    return lines + _text(_("Every step is verified here before it is shown."), columns, "dim")


def out_lines(columns: int) -> list[Line]:
    """In the place of a hand, for somebody whose hand is out of the game."""
    lines = [rule(_("You are out of the game"), columns)]
    lines += _text(_("The others go on; you see what everybody at the table may see."), columns, "dim")
    return lines + _text(_("Every step is verified here before it is shown."), columns, "dim")


def setup(snapshot: Snapshot, columns: int) -> list[Line]:
    """From the signatures to the first card: the table code and how far keys and shuffles are."""
    status = snapshot.status
    lines = [rule(_("The table is being set up"), columns), *_seats(snapshot, columns)]
    if status.code:
        text = _("Table code {code}: the same on every screen.")
        lines += _text(text.format(code=clean(status.code)), columns, "strong")
    lines.append(fit((Cell(" "),), columns))
    for text, done in progress(snapshot):
        lines.append(fit((Cell("  ● " if done else "  ○ ", "good" if done else "dim"), Cell(text)), columns))
    return [*lines, fit((Cell(" "),), columns), *arithmetic(columns)]


def arithmetic(columns: int) -> list[Line]:
    """Which back end hides this seat's cards; a warning where its timing is not hidden."""
    group = default_group()
    if group.constant_time:
        return _text(_("Back end {name}: cards are hidden in constant time.").format(name=group.name), columns, "dim")
    text = _("Back end {name}: slower, and not in constant time.")
    return _text(text.format(name=group.name), columns, "warn")


def progress(snapshot: Snapshot) -> list[tuple[str, bool]]:
    """The stages before the first turn, each with whether it is done."""
    status, seats = snapshot.status, len(snapshot.status.seats)
    playing = view_of(snapshot) is not None and status.phase != "setup"
    shuffled = len(status.shuffled_by)
    shuffle = _("shuffled by {count} of {seats}").format(count=shuffled, seats=seats)
    if shuffled == seats and playing:
        shuffle = _("shuffled by {count} of {seats}, all proofs are right").format(count=shuffled, seats=seats)
    return [
        (_("the table is signed by everybody"), bool(status.code)),
        (_("keys exchanged"), playing),
        (shuffle, playing and shuffled == seats),
        (_("cards dealt"), False),
    ]


def stopped(snapshot: Snapshot, columns: int) -> list[Line]:
    """Who broke what, by which check, and where the evidence lies."""
    status = snapshot.status
    lines = [rule(_("The table has stopped"), columns)]
    fault = status.fault
    if fault is not None:
        who = culprit(status)
        text = _("{name} broke the protocol.").format(name=who) if who else _("The game can't go on.")
        lines += _text(text, columns, "bad")
        lines += _text(clean(sentence(fault.code, fault.message)), columns)
        lines += _text(own_key(status), columns, "warn") if own_key(status) else []
        lines += _text(_("Check: {check}").format(check=clean(fault.code)), columns)
    lines.append(fit((Cell(" "),), columns))
    if snapshot.evidence is not None:
        lines += _text(_("The signed evidence is kept in {path}").format(path=snapshot.evidence), columns)
        lines += _text(_("Anybody can check it with: frp2p verify FILE"), columns, "dim")
    elif fault is not None and fault.seat is not None:
        lines += _text(_("There is nothing signed that would prove it to others."), columns, "dim")
    lines += _text(_("q leaves the table."), columns, "strong")
    return lines


def _terms(snapshot: Snapshot, columns: int) -> list[Line]:
    """What will be played."""
    options = snapshot.status.options
    return _text(" ".join(described(options)), columns) if isinstance(options, Options) else []


def _provided(snapshot: Snapshot, columns: int) -> list[Line]:
    """What is done about losses, with time, and with those who watch."""
    provided = snapshot.status.provisions
    if provided is None:
        return []
    told = [*model_losses.provided(provided), _("? tells more.")]
    return [*_text(" ".join(told), columns), fit((Cell(" "),), columns)]


def _asking(snapshot: Snapshot, columns: int, cursor: int) -> list[Line]:
    """Who waits at the door of this host."""
    asking = snapshot.status.asking
    if not asking:
        return []
    lines = _text(_("At the door, until you let them in:"), columns, "strong")
    for index, guest in enumerate(asking):
        name = clean(guest.name) + (" " + _("(arbiter)") if guest.arbiter else "")
        line = (
            Cell("> " if index == cursor else "  ", "key"),
            Cell("? ", "warn"),
            Cell(pad(name, NAME_COLUMNS + 8)),
            Cell(clip(clean(guest.fingerprint), max(0, columns - NAME_COLUMNS - 14)), "dim"),
        )
        lines.append(fit(line, columns))
    return [*lines, fit((Cell(" "),), columns)]


def _seats(snapshot: Snapshot, columns: int, cursor: int = -1) -> list[Line]:
    status = snapshot.status
    called = names(status)
    lines: list[Line] = []
    for index, seat in enumerate(_here(status)):
        mine = status.arbitrating if seat.arbiter else index == status.me
        linked = mine or seat.connected
        name = called[index] + " " + _("(you)") if mine else called[index]
        name += " " + _("(arbiter)") if seat.arbiter and not mine else ""
        state = "" if linked else "  " + _("not connected")
        pointed = cursor >= 0 and index == cursor - len(status.asking) + 1 and index > 0
        line = (
            Cell("> " if pointed else "  ", "key"),
            Cell("● " if linked else "○ ", "good" if linked else "bad"),
            Cell(pad(name, NAME_COLUMNS + 8), "me" if mine else ""),
            Cell(clip(clean(seat.fingerprint), max(0, columns - NAME_COLUMNS - 14)), "dim"),
            Cell(state, "warn"),
        )
        lines.append(fit(line, columns))
    for _number in range(status.seats_wanted - len(status.seats)):
        lines.append(fit((Cell("  ○ "), Cell(_("free seat"), "dim")), columns))
    if status.lacks_arbiter:
        lines.append(fit((Cell("  ○ "), Cell(_("place of the arbiter"), "dim")), columns))
    lines.append(fit((Cell(" "),), columns))
    return lines


def _text(text: str, columns: int, style: str = "") -> list[Line]:
    indent = len(text) - len(text.lstrip())
    return [fit((Cell(" " * (2 + indent)), Cell(row, style)), columns) for row in wrap(text, columns - 4 - indent)]
