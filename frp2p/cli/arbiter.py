"""`frp2p arbiter`: a vote at somebody's table, and no cards."""

from __future__ import annotations

import click

from frp2p.cli.help import Command, prose
from frp2p.cli.language import lang_option
from frp2p.cli.options import interface_option, json_option, name_option, passphrase_options, port_option
from frp2p.locale import N_


@click.command(
    "arbiter",
    cls=Command,
    help=prose(
        N_(
            "Be the arbiter of a table on the LAN that was opened with --arbiter: the one that is found, the one of "
            "this host, or the one at this address."
        ),
        N_(
            "An arbiter has no cards. When a player is lost, its program votes with the others by its own clock, so "
            "that even a table of two can decide. You see what everybody at the table may see and no more; the record "
            "is verified here and saved at the end. After a crash frp2p resume takes the place again."
        ),
    ),
)
@click.argument("table", required=False, metavar=N_("[NAME | HOST[:PORT]]"))
@name_option
@port_option
@interface_option
@passphrase_options
@click.option("--auto", is_flag=True, help=N_("Without a screen."))
@json_option
@lang_option
@click.pass_context
def command(
    ctx: click.Context,
    table: str | None,
    name: str | None,
    port: int | None,
    interfaces: tuple[str, ...],
    passphrase: str,
    auto: bool,
    as_json: bool,
) -> None:
    from frp2p.cli.arbitrating import Wish, arbitrate
    from frp2p.cli.joining import seek
    from frp2p.cli.stopping import run

    sought = seek(table, interfaces, passphrase, arbiter=True)
    wish = Wish(name=name, port=port, interfaces=interfaces, auto=auto, as_json=as_json)
    ctx.exit(run(lambda stopping: arbitrate(sought, wish, stopping)))
