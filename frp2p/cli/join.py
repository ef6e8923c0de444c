"""`frp2p join`: a seat at a table that somebody hosts."""

from __future__ import annotations

import click

from frp2p.cli.help import Command, prose
from frp2p.cli.options import (
    face_options,
    interface_option,
    level_option,
    name_option,
    passphrase_options,
    port_option,
)
from frp2p.locale import N_


@click.command(
    "join",
    cls=Command,
    help=prose(
        N_(
            "Sit down at a table on the LAN: the one that is found, the one of this player, or the one at this address."
        ),
    ),
)
@click.argument("table", required=False, metavar=N_("[NAME | HOST[:PORT]]"))
@level_option
@name_option
@port_option
@interface_option
@passphrase_options
@face_options
@click.pass_context
def command(
    ctx: click.Context,
    table: str | None,
    level: str,
    name: str | None,
    port: int | None,
    interfaces: tuple[str, ...],
    passphrase: str,
    auto: bool,
    as_json: bool,
) -> None:
    from frp2p.cli.joining import Wish, join, seek
    from frp2p.cli.resuming import mention
    from frp2p.cli.stopping import run

    mention()
    sought = seek(table, interfaces, passphrase)
    wish = Wish(
        name=name,
        level=level,
        auto=auto,
        as_json=as_json,
        port=port,
        interfaces=interfaces,
    )
    ctx.exit(run(lambda stopping: join(sought, wish, stopping)))
