"""`frp2p host`: a table that others on the LAN join."""

from __future__ import annotations

from typing import Any

import click

from frp2p.cli.help import Command, prose
from frp2p.cli.options import (
    face_options,
    interface_option,
    level_option,
    name_option,
    passphrase_options,
    port_option,
    seats_option,
    terms_options,
)
from frp2p.locale import N_


@click.command(
    "host",
    cls=Command,
    help=prose(
        N_("Open a table on the LAN and play at it."),
        N_("Others find it with `frp2p join`, or type one of the addresses that are shown here."),
        N_(
            "Whoever comes sits down; until the game begins you can send a guest away. With --ask nobody sits down "
            "before you let them in, and with --passphrase only those come in who know it."
        ),
    ),
)
@seats_option
@click.option(
    "--bots", type=click.IntRange(0, 6), default=0, show_default=True, help=N_("How many of the seats are bots.")
)
@level_option
@name_option
@port_option
@interface_option
@click.option("--no-discovery", is_flag=True, help=N_("Do not announce the table on the LAN."))
@click.option("--ask", is_flag=True, help=N_("Nobody sits down before you let them in."))
@click.option(
    "--spectators/--no-spectators",
    default=None,
    help=N_("Whether others may watch what is public; without a passphrase they may."),
)
@passphrase_options
@terms_options
@face_options
@click.pass_context
def command(
    ctx: click.Context,
    seats: int,
    bots: int,
    level: str,
    name: str | None,
    port: int | None,
    interfaces: tuple[str, ...],
    no_discovery: bool,
    ask: bool,
    spectators: bool | None,
    passphrase: str,
    auto: bool,
    as_json: bool,
    terms: dict[str, Any],
) -> None:
    from frp2p.cli.hosting import Wish, host
    from frp2p.cli.resuming import mention
    from frp2p.cli.stopping import run

    wish = Wish(
        seats=seats,
        bots=bots,
        level=level,
        name=name,
        auto=auto,
        as_json=as_json,
        loopback=False,
        terms=terms,
        port=port,
        discovery=not no_discovery,
        interfaces=interfaces,
        passphrase=passphrase,
        ask=ask,
        spectators=spectators,
    )
    mention()
    ctx.exit(run(lambda stopping: host(wish, stopping)))
