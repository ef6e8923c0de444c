"""The options that several commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from frp2p.cli.language import lang_option
from frp2p.ledger.limits import MAX_SEATS, MIN_SEATS
from frp2p.ledger.provisions import MAX_AWAY_SECONDS, MAX_MOVE_SECONDS, MIN_AWAY_SECONDS, Clock
from frp2p.locale import N_

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

LEVELS = ("greedy", "random")

TERMS = (
    "mode",
    "extra_suits",
    "cursed_items",
    "jester",
    "phoenix",
    "rounds",
    "points",
    "chaos_seconds",
    "hints",
    "house",
)
"""The parameters that say what is played; `cli/terms.py` makes the options of a table from them."""

PROVIDED = ("recovery", "on_loss", "move_seconds", "bank_seconds", "increment_seconds", "away_seconds", "open_audit")
"""Those that say what is done about players who are slow or lost, and after the game; they make the provisions of the
charter."""


def name_option(function: Decorated) -> Decorated:
    """`--name`: how the others see this player."""
    return click.option("--name", metavar=N_("NICK"), help=N_("Your name at the table."))(function)


def level_option(function: Decorated) -> Decorated:
    """`--level`: how well the bots play."""
    return click.option(
        "--level", type=click.Choice(LEVELS), default="greedy", show_default=True, help=N_("How the bots play.")
    )(function)


def port_option(function: Decorated) -> Decorated:
    """`--port`: where others connect to."""
    return click.option("--port", type=click.IntRange(0, 65535), help=N_("TCP port to listen on."))(function)


def interface_option(function: Decorated) -> Decorated:
    """`--interface`: at which interfaces of this machine the others are; the command gets a tuple `interfaces`."""
    return click.option(
        "--interface",
        "interfaces",
        multiple=True,
        metavar=N_("NAME"),
        help=N_("Only this network interface, by name or address; repeat."),
    )(function)


def passphrase_options(function: Decorated) -> Decorated:
    """`--passphrase`, `--passphrase-file`: the command gets the passphrase of the table as text, empty for none."""

    @functools.wraps(function)
    def command(*args: Any, **values: Any) -> Any:
        from frp2p.cli.passphrase import given

        ask, file = values.pop("ask_passphrase"), values.pop("passphrase_file")
        return function(*args, passphrase=given(ask=ask, file=file), **values)

    decorated: Any = command
    decorated = click.option(
        "--passphrase-file",
        type=click.File("rb"),
        metavar=N_("FILE"),
        help=N_("The passphrase is the first line of this file."),
    )(decorated)
    found: Decorated = click.option(
        "--passphrase",
        "ask_passphrase",
        is_flag=True,
        help=N_("The table has a passphrase: asks for it, or takes it from FRP2P_PASSPHRASE."),
    )(decorated)
    return found


def json_option(function: Decorated) -> Decorated:
    """`--json`: stdout is for a program."""
    return click.option("--json", "as_json", is_flag=True, help=N_("The result as one JSON object."))(function)


def face_options(function: Decorated) -> Decorated:
    """`--auto`, `--json`, `--lang`: who plays at our seat and how the end is told."""
    function = click.option("--auto", is_flag=True, help=N_("A bot plays in your seat."))(function)
    return lang_option(json_option(function))


def terms_options(function: Decorated) -> Decorated:
    """What is played and what is provided for: the command gets all of it as one mapping `terms`."""

    @functools.wraps(function)
    def command(*args: Any, **values: Any) -> Any:
        terms = {name: values.pop(name) for name in (*TERMS, *PROVIDED)}
        return function(*args, terms=terms, **values)

    decorated: Any = command
    for option in reversed(_TERMS):
        decorated = option(decorated)
    found: Decorated = decorated
    return found


def hosting_options(function: Decorated) -> Decorated:
    """What a table on the LAN is opened with: the command gets the fields of `cli/hosting.py`'s `Wish` by name."""
    decorated = passphrase_options(terms_options(function))
    for option in reversed(_HOSTING):
        decorated = option(decorated)
    return decorated


_TERMS = (
    click.option(
        "--mode",
        type=click.Choice(("standard", "duel", "chaos")),
        help=N_("How it is played; for two the duel, else standard; chaos is real time, 3 to 7 players."),
    ),
    click.option("--extra-suits", is_flag=True, help=N_("With Buildings, Outsiders and Undead.")),
    click.option("--items", "cursed_items", is_flag=True, help=N_("With the cursed items.")),
    click.option("--jester", is_flag=True, help=N_("With the Jester.")),
    click.option(
        "--phoenix",
        type=click.Choice(("off", "deluxe", "promo")),
        default="off",
        show_default=True,
        help=N_("With the Phoenix, in one of its printings."),
    ),
    click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help=N_("Rounds of a match.")),
    click.option("--points", type=click.IntRange(0), default=0, help=N_("A match until somebody has so many points.")),
    click.option(
        "--chaos-seconds",
        type=click.IntRange(1),
        default=300,
        show_default=True,
        help=N_("How long a round of chaos is traded."),
    ),
    click.option(
        "--hints",
        type=click.Choice(("off", "score", "what-if")),
        default="what-if",
        show_default=True,
        help=N_("What the program tells players about their hands."),
    ),
    click.option(
        "--recovery/--no-recovery",
        default=False,
        show_default=True,
        help=N_("Share all keys, so that the game can go on without one player (and all others together could look)."),
    ),
    click.option(
        "--on-loss",
        type=click.Choice(("stop", "adjourn")),
        help=N_("When a player is lost without that: stop and score, or wait; for two adjourn, else stop."),
    ),
    click.option(
        "--move-seconds",
        type=click.IntRange(0, MAX_MOVE_SECONDS),
        default=0,
        show_default=True,
        help=N_("Time for a move; 0: as long as one likes."),
    ),
    click.option(
        "--bank",
        "bank_seconds",
        type=click.IntRange(0, MAX_MOVE_SECONDS),
        default=0,
        show_default=True,
        help=N_("Time in hand for the whole game, used when a move takes longer."),
    ),
    click.option(
        "--increment",
        "increment_seconds",
        type=click.IntRange(0, MAX_MOVE_SECONDS),
        default=0,
        show_default=True,
        help=N_("What each move adds to that time."),
    ),
    click.option(
        "--away-seconds",
        type=click.IntRange(MIN_AWAY_SECONDS, MAX_AWAY_SECONDS),
        default=Clock().away_seconds,
        show_default=True,
        help=N_("How long a player may be away before the others vote."),
    ),
    click.option(
        "--open-audit",
        is_flag=True,
        help=N_("After the game all keys are opened: whoever has the record can read every hand and every look."),
    ),
    click.option(
        "--house", multiple=True, metavar=N_("NAME=on|off"), help=N_("A contested ruling (docs/scoring.md); repeat.")
    ),
)

_HOSTING = (
    click.option(
        "--seats",
        type=click.IntRange(MIN_SEATS, MAX_SEATS),
        default=4,
        show_default=True,
        help=N_("Players at the table."),
    ),
    click.option(
        "--bots", type=click.IntRange(0, 6), default=0, show_default=True, help=N_("How many of the seats are bots.")
    ),
    level_option,
    name_option,
    port_option,
    interface_option,
    click.option(
        "--no-discovery",
        "discovery",
        is_flag=True,
        flag_value=False,
        default=True,
        help=N_("Do not announce the table on the LAN."),
    ),
    click.option("--ask", is_flag=True, help=N_("Nobody sits down before you let them in.")),
    click.option(
        "--arbiter",
        is_flag=True,
        help=N_("Wait for an arbiter (frp2p arbiter), whose vote lets even two go on when a player is lost."),
    ),
    click.option(
        "--spectators/--no-spectators",
        default=None,
        help=N_("Whether others may watch what is public; without a passphrase they may."),
    ),
)
