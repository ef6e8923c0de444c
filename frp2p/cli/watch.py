"""`frp2p watch`: look on at somebody's table."""

from __future__ import annotations

import click

from frp2p.cli.help import Command, prose
from frp2p.cli.language import lang_option
from frp2p.cli.options import interface_option
from frp2p.locale import N_

MAX_DELAY = 10_000
"""Steps; longer than any game, so that nothing is shown before its end."""


@click.command(
    "watch",
    cls=Command,
    help=prose(
        N_("Watch a table on the LAN: the one that is found, the one of this host, or the one at this address."),
        N_(
            "You see what everybody at the table may see and no more. Every step is verified here, and the record is "
            "saved at the end. Nobody at the table waits for you."
        ),
    ),
)
@click.argument("table", required=False, metavar=N_("[NAME | HOST[:PORT]]"))
@click.option(
    "--delay",
    type=click.IntRange(0, MAX_DELAY),
    default=0,
    show_default=True,
    help=N_("Steps that the screen stays behind."),
)
@interface_option
@click.option("--json", "as_json", is_flag=True, help=N_("JSON lines, as docs/headless.md says."))
@lang_option
@click.pass_context
def command(ctx: click.Context, table: str | None, delay: int, interfaces: tuple[str, ...], as_json: bool) -> None:
    from frp2p.cli.joining import seek_to_watch
    from frp2p.cli.stopping import run
    from frp2p.cli.watching import watch

    sought = seek_to_watch(table, interfaces)
    ctx.exit(run(lambda stopping: watch(sought, delay, stopping, as_json=as_json)))
