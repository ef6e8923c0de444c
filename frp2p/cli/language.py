"""The language of this run: asked for, set by the user once, or what the environment says; in this order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from frp2p import locale
from frp2p.errors import UserError
from frp2p.locale import N_

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def choose(wanted: str | None) -> None:
    """Show everything in this language from now on; without a wish, in the one of the settings or the environment."""
    if wanted is None:
        from frp2p.store import settings

        wanted = settings.load().language or None
    try:
        locale.use(wanted or locale.preferred())
    except OSError:
        locale.use("en")
        if wanted is not None:
            # In English, because there is no other.
            raise UserError(f"The texts of {wanted} are not installed.") from None


def lang_option(function: Decorated) -> Decorated:
    """`--lang`, also after the name of a command."""

    def use(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> None:
        if value is not None:
            choose(value)

    return click.option(
        "--lang",
        type=click.Choice(locale.LANGUAGES),
        callback=use,
        is_eager=True,
        expose_value=False,
        help=N_("Language of everything shown."),
    )(function)
