"""`frp2p resume`: back to a table that was left before its end."""

from __future__ import annotations

import click

from frp2p.cli.help import Command, prose
from frp2p.cli.options import face_options, interface_option, level_option
from frp2p.locale import N_


@click.command(
    "resume",
    cls=Command,
    help=prose(
        N_("Take your seat again at a table that you left, by a crash or on purpose, and play on."),
        N_("TABLE is the code of the table; without it the one that was left, or the list of them."),
    ),
)
@click.argument("table", required=False, metavar=N_("[TABLE]"))
@click.option("--list", "listing", is_flag=True, help=N_("Only list the tables that were left."))
@click.option("--forget", is_flag=True, help=N_("Give the seat up for good: nobody else can take it."))
@click.option(
    "--at", "places", multiple=True, metavar=N_("HOST[:PORT]"), help=N_("Where another seat of the table is now.")
)
@interface_option
@click.option("--until-stdin-closes", "watch", is_flag=True, hidden=True)
@level_option
@face_options
@click.pass_context
def command(
    ctx: click.Context,
    table: str | None,
    listing: bool,
    forget: bool,
    places: tuple[str, ...],
    interfaces: tuple[str, ...],
    watch: bool,
    level: str,
    auto: bool,
    as_json: bool,
) -> None:
    from frp2p.app.bots import throw_away
    from frp2p.app.left import forget as give_up
    from frp2p.app.left import open_tables
    from frp2p.cli.lines import json_line
    from frp2p.cli.resuming import Wish, entry, pick, resume, show
    from frp2p.cli.stopping import run
    from frp2p.net.address import parse

    if listing:
        if as_json:
            click.echo(json_line({"tables": list(map(entry, open_tables()))}))
        else:
            show(open_tables(), err=False)
        return
    dial = tuple(parse(place) for place in places)
    found = pick(table, whole=not forget)
    if forget:
        give_up(found)
        throw_away(found.path.name)
        return
    wish = Wish(level=level, auto=auto, as_json=as_json, watch_stdin=watch, dial=dial, interfaces=interfaces)
    ctx.exit(run(lambda stopping: resume(found, wish, stopping)))
