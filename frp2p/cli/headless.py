"""`frp2p headless`: a program at a seat, JSON lines on stdin and stdout."""

from __future__ import annotations

from typing import Any

import click

from frp2p.cli.help import Group, prose
from frp2p.cli.language import lang_option
from frp2p.cli.options import (
    hosting_options,
    interface_option,
    level_option,
    name_option,
    passphrase_options,
    port_option,
    terms_options,
)
from frp2p.locale import N_


@click.group(
    "headless",
    cls=Group,
    help=prose(
        N_("A program at a seat: JSON lines on stdin and stdout, described in docs/headless.md."),
    ),
)
@lang_option
def command() -> None:
    """What a program at a seat can do."""


@command.command(
    "play",
    help=prose(
        N_("A table on this machine against bots."),
    ),
)
@click.option("--bots", type=click.IntRange(1, 6), default=3, show_default=True, help=N_("Opponents."))
@level_option
@name_option
@terms_options
@lang_option
@click.pass_context
def play(ctx: click.Context, bots: int, level: str, name: str | None, terms: dict[str, Any]) -> None:
    from frp2p.cli.hosting import Wish, host
    from frp2p.cli.stopping import run

    wish = Wish(
        seats=bots + 1,
        bots=bots,
        level=level,
        name=name,
        auto=False,
        as_json=True,
        loopback=True,
        terms=terms,
        headless=True,
    )
    ctx.exit(run(lambda stopping: host(wish, stopping)))


@command.command(
    "host",
    help=prose(
        N_("Open a table on the LAN."),
    ),
)
@hosting_options
@lang_option
@click.pass_context
def open_table(ctx: click.Context, /, **wished: Any) -> None:
    from frp2p.cli.hosting import Wish, host
    from frp2p.cli.stopping import run

    wish = Wish(auto=False, as_json=True, loopback=False, headless=True, **wished)
    ctx.exit(run(lambda stopping: host(wish, stopping)))


@command.command(
    "join",
    help=prose(
        N_("Sit down at a table on the LAN."),
    ),
)
@click.argument("table", required=False, metavar=N_("[NAME | HOST[:PORT]]"))
@name_option
@port_option
@interface_option
@passphrase_options
@lang_option
@click.pass_context
def join_table(
    ctx: click.Context,
    table: str | None,
    name: str | None,
    port: int | None,
    interfaces: tuple[str, ...],
    passphrase: str,
) -> None:
    from frp2p.cli.joining import Wish, join, seek
    from frp2p.cli.stopping import run

    sought = seek(table, interfaces, passphrase)
    wish = Wish(
        name=name,
        level="greedy",
        auto=False,
        as_json=True,
        headless=True,
        port=port,
        interfaces=interfaces,
    )
    ctx.exit(run(lambda stopping: join(sought, wish, stopping)))


@command.command(
    "resume",
    help=prose(
        N_("Take your seat again at a table that you left."),
    ),
)
@click.argument("table", required=False, metavar=N_("[TABLE]"))
@level_option
@lang_option
@click.pass_context
def resume_table(ctx: click.Context, table: str | None, level: str) -> None:
    from frp2p.cli.resuming import Wish, pick, resume
    from frp2p.cli.stopping import run

    found = pick(table)
    wish = Wish(level=level, auto=False, as_json=True, headless=True)
    ctx.exit(run(lambda stopping: resume(found, wish, stopping)))
