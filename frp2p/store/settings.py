"""What the user set once and for all: `settings.toml` in the home folder, written by hand, never by us."""

from __future__ import annotations

import tomllib
from typing import Literal

import msgspec

from frp2p.errors import UserError
from frp2p.ledger.names import name_problem
from frp2p.locale import _
from frp2p.store.home import home, reason

FILE_NAME = "settings.toml"
MAX_BYTES = 64 * 1024
"""Of the file; it holds a handful of lines."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`name`: shown to the others; `language`: of everything shown (empty: what the environment asks for)."""

    name: str = ""
    language: Literal["", "en", "pt_BR"] = ""


def load() -> Settings:
    """The user's settings, the defaults where there are none; UserError names the line or field that is wrong."""
    path = home() / FILE_NAME
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES)
        settings = msgspec.convert(tomllib.loads(content.decode("utf-8")), Settings)
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:  # TOML, UTF-8 and msgspec errors are ValueErrors
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise UserError(_("The settings {path} can't be used: {reason}").format(path=path, reason=why)) from None
    if settings.name:
        check_name(settings.name)
    return settings


def check_name(name: str) -> str:
    """The name, if it may be shown at a table; else UserError."""
    problem = name_problem(name)
    if problem is not None:
        raise UserError(
            _("The name {name} can't be used ({problem}): 1 to 16 visible characters.").format(
                name=ascii(name), problem=problem
            )
        )
    return name
