"""`frp2p doctor`: why nobody is found, and what to do about it."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from frp2p.cli.help import Command, prose
from frp2p.cli.language import lang_option
from frp2p.cli.options import json_option
from frp2p.locale import N_

MAX_SECONDS = 60
"""The longest that anybody wants to listen."""


@click.command(
    "doctor",
    cls=Command,
    help=prose(
        N_(
            "Find out what keeps players from each other on this network; with HOST also whether a table there is "
            "reached."
        ),
        N_("Nothing is changed, and nothing outside the local network is contacted."),
        N_(
            "Exit code 0: all is well. 1: tables are not found by themselves, but typed addresses work. 2: those do "
            "not work."
        ),
    ),
)
@click.argument("host", required=False, metavar=N_("[HOST[:PORT]]"))
@click.option("--port", type=click.IntRange(1, 65535), help=N_("The port of your own table."))
@click.option(
    "--interface",
    "interfaces",
    multiple=True,
    metavar=N_("NAME"),
    help=N_("Look at this interface (name or address) only."),
)
@click.option(
    "--listen",
    type=click.IntRange(1, MAX_SECONDS),
    default=5,
    show_default=True,
    metavar=N_("SECONDS"),
    help=N_("How long to listen for others."),
)
@json_option
@lang_option
@click.pass_context
def command(
    ctx: click.Context,
    host: str | None,
    port: int | None,
    interfaces: tuple[str, ...],
    listen: int,
    as_json: bool,
) -> None:
    from frp2p.net.address import DEFAULT_PORT, parse
    from frp2p.net.doctor import examine
    from frp2p.net.finding import Finding, exit_code

    def tell(finding: Finding) -> None:
        if not as_json:
            click.echo(_line(finding.level, finding.text))

    address = parse(host) if host is not None else None
    found = asyncio.run(
        examine(tell, host=address, port=port or DEFAULT_PORT, interfaces=interfaces, seconds=float(listen))
    )
    code = exit_code(found)
    if as_json:
        click.echo(_report(found, code))
    else:
        click.echo()
        click.echo(_verdict(code))
    ctx.exit(code)


MARKS = {"fine": ("ok", "green"), "note": ("--", None), "warning": ("!!", "yellow"), "broken": ("XX", "red")}


def _line(level: str, text: str) -> str:
    mark, colour = MARKS[level]
    return f"{click.style(mark, fg=colour)}  {text}"


def _verdict(code: int) -> str:
    from frp2p.locale import _

    return (
        _("All is well: tables are found, and addresses work."),
        _("Tables are not found by themselves here; typing an address works: frp2p join HOST:PORT"),
        _("Players can't connect; the lines marked XX say why."),
    )[code]


def _report(found: list[Any], code: int) -> bytes:
    """One JSON object for a report: `ok`, `exit`, `verdict`, `findings` (check, part, level, text, facts)."""
    import msgspec

    return msgspec.json.encode({"ok": code == 0, "exit": code, "verdict": _verdict(code), "findings": found})
