"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from frp2p.cli.language import lang_option
from frp2p.ledger.limits import MAX_SEATS, MIN_SEATS

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

LEVELS = ("greedy", "random")


def name_option(function: Decorated) -> Decorated:
    """`--name`: how the others see this player."""
    return click.option("--name", metavar="NICK", help="Your name at the table.")(function)


def level_option(function: Decorated) -> Decorated:
    """`--level`: how well the bots play."""
    return click.option(
        "--level", type=click.Choice(LEVELS), default="greedy", show_default=True, help="How the bots play."
    )(function)


def port_option(function: Decorated) -> Decorated:
    """`--port`: where others connect to."""
    return click.option("--port", type=click.IntRange(0, 65535), help="TCP port to listen on.")(function)


def seats_option(function: Decorated) -> Decorated:
    """`--seats`: players at the table, bots and oneself included."""
    return click.option(
        "--seats", type=click.IntRange(MIN_SEATS, MAX_SEATS), default=4, show_default=True, help="Players at the table."
    )(function)


def json_option(function: Decorated) -> Decorated:
    """`--json`: stdout is for a program."""
    return click.option("--json", "as_json", is_flag=True, help="The result as one JSON object.")(function)


def face_options(function: Decorated) -> Decorated:
    """`--auto`, `--json`, `--lang`: who plays at our seat and how the end is told."""
    function = click.option("--auto", is_flag=True, help="A bot plays in your seat.")(function)
    return lang_option(json_option(function))
