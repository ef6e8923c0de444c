"""`frp2p rules`: how the game is played."""

from __future__ import annotations

import os
import shutil
import sys

import click

from frp2p import locale
from frp2p.cli.help import Command, prose
from frp2p.cli.language import lang_option
from frp2p.cli.lines import json_line
from frp2p.locale import N_
from frp2p.locale.columns import WIDTH
from frp2p.tui.terminal import speaks_unicode

WIDEST = 100
"""Columns of the page on a wide terminal: longer lines are hard to read."""

NARROWEST = 40
"""Columns below which a page is no longer squeezed."""


@click.command(
    "rules",
    cls=Command,
    help=prose(
        N_("The rules: how the game is played, and what is decided here."),
        N_(
            "PART is the name of one part, like chaos, duel or items, or its title; without it the whole page is "
            "shown, with the names of all parts at its beginning."
        ),
    ),
)
@click.argument("part", nargs=-1, metavar=N_("[PART]..."))
@click.option("--json", "as_json", is_flag=True, help=N_("One JSON object: {lang, parts: [{name, title, text}]}."))
@lang_option
@click.pass_context
def command(ctx: click.Context, part: tuple[str, ...], as_json: bool) -> None:
    from frp2p.cli import markdown, pages

    page = pages.rules(locale.language())
    shown = (pages.find(page, " ".join(part)),) if part else page
    if as_json:
        entries = [{"name": one.name, "title": one.title, "text": one.text} for one in shown]
        click.echo(json_line({"lang": locale.language(), "parts": entries}))
        return
    lines = markdown.lines("\n\n".join(one.text for one in shown), columns())
    text = "".join(f"{line}\n" for line in lines)
    if sys.stdout.isatty():
        if speaks_unicode(sys.stdout.encoding):  # less looks at LANG, which may name a language that is not installed
            os.environ.setdefault("LESSCHARSET", "utf-8")
        click.echo_via_pager(text, color=ctx.color)
    else:
        click.echo(text, nl=False)


def columns() -> int:
    """How wide the page is: as the terminal, where there is one, within limits."""
    size = shutil.get_terminal_size((WIDTH, 24))
    return max(NARROWEST, min(WIDEST, size.columns))
