"""`frp2p host`: a table that others on the LAN join."""

from __future__ import annotations

from typing import Any

import click

from frp2p.cli.help import Command, prose
from frp2p.cli.options import face_options, hosting_options
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
@hosting_options
@face_options
@click.pass_context
def command(ctx: click.Context, /, *, auto: bool, as_json: bool, **wished: Any) -> None:
    from frp2p.cli.hosting import Wish, host
    from frp2p.cli.resuming import mention
    from frp2p.cli.stopping import run

    wish = Wish(auto=auto, as_json=as_json, loopback=False, **wished)
    mention()
    ctx.exit(run(lambda stopping: host(wish, stopping)))
