"""`frp2p bot`: a bot that sits down at somebody's table."""

from __future__ import annotations

import click

from frp2p.cli.help import Command, prose
from frp2p.cli.language import lang_option
from frp2p.cli.options import json_option, level_option, name_option, passphrase_options
from frp2p.locale import N_


@click.command(
    "bot",
    cls=Command,
    help=prose(
        N_("A bot takes a seat at the table at this address and plays to the end."),
    ),
)
@click.argument("address", metavar=N_("HOST[:PORT]"))
@level_option
@name_option
@passphrase_options
@click.option("--loopback", is_flag=True, hidden=True)
@click.option("--until-stdin-closes", "watch", is_flag=True, hidden=True)
@json_option
@lang_option
@click.pass_context
def command(
    ctx: click.Context,
    address: str,
    level: str,
    name: str | None,
    passphrase: str,
    loopback: bool,
    watch: bool,
    as_json: bool,
) -> None:
    from frp2p.cli.joining import Sought, Wish, join
    from frp2p.cli.stopping import run
    from frp2p.net.address import parse

    sought = Sought((parse(address),), passphrase=passphrase)
    wish = Wish(
        name=name,
        level=level,
        auto=True,
        as_json=as_json,
        loopback=loopback,
        watch_stdin=watch,
    )
    ctx.exit(run(lambda stopping: join(sought, wish, stopping)))
