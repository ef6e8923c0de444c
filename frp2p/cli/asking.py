"""A question at the terminal."""

from __future__ import annotations

import click

from frp2p.locale import _


def number_up_to(most: int) -> int:
    """Which one of so many, from 1 on; asks until it is one of them. click.Abort where nobody answers."""
    while True:
        answer = str(click.prompt(_("Which one"), err=True)).strip()
        if answer in map(str, range(1, most + 1)):
            return int(answer)
        click.echo(_("A whole number from {least} to {most} is needed.").format(least=1, most=most), err=True)
