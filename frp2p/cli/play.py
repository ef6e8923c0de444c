"""`frp2p play`: a table on this machine, with bots that are processes of their own."""

from __future__ import annotations

from typing import Any

import click

from frp2p.cli.help import Command, prose
from frp2p.cli.options import face_options, level_option, name_option, terms_options
from frp2p.locale import N_


@click.command(
    "play",
    cls=Command,
    help=prose(
        N_("A table on this machine: you and bots, each a process with its own key."),
        N_("Without a terminal, or with --auto, a bot plays in your seat to the end."),
    ),
)
@click.option("--bots", type=click.IntRange(1, 6), default=3, show_default=True, help=N_("Opponents."))
@level_option
@name_option
@terms_options
@face_options
@click.pass_context
def command(
    ctx: click.Context,
    bots: int,
    level: str,
    name: str | None,
    auto: bool,
    as_json: bool,
    terms: dict[str, Any],
) -> None:
    from frp2p.cli.hosting import Wish, host
    from frp2p.cli.resuming import mention
    from frp2p.cli.stopping import run

    wish = Wish(
        seats=bots + 1,
        bots=bots,
        level=level,
        name=name,
        auto=auto,
        as_json=as_json,
        loopback=True,
        terms=terms,
    )
    mention()
    ctx.exit(run(lambda stopping: host(wish, stopping)))
