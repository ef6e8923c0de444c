"""What the user set once and for all: `settings.toml` in the home folder, written by hand, never by us."""

from __future__ import annotations

import re
import tomllib
from typing import Literal

import msgspec

from frp2p.errors import UserError
from frp2p.ledger.names import name_problem
from frp2p.locale import _
from frp2p.locale.reason import reason
from frp2p.store.home import home, read_plain

FILE_NAME = "settings.toml"
MAX_BYTES = 64 * 1024
"""Of the file; it holds a handful of lines."""
MAX_QUOTED = 80
"""Characters of a value that is wrong in what is said about it."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`name`: shown to the others; `language`: of everything shown (empty: what the environment asks for)."""

    name: str = ""
    language: Literal["", "en", "pt_BR"] = ""


def load() -> Settings:
    """The user's settings, the defaults where there are none; UserError names the line or field that is wrong."""
    path = home() / FILE_NAME
    try:
        settings = _read(read_plain(path, MAX_BYTES))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise UserError(_("The settings {path} can't be used: {reason}").format(path=path, reason=why)) from None
    if settings.name:
        check_name(settings.name)
    return settings


def _read(content: bytes) -> Settings:
    """What the file says; ValueError with what is wrong with it, in the language in use."""
    try:
        fields = tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise ValueError(_("it is not UTF-8 text")) from None
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+), column (\d+)", str(error))
        if at is None:
            raise ValueError(_("it is not TOML, or ends too early")) from None
        text = _("line {line} is not TOML from column {column} on")
        raise ValueError(text.format(line=at[1], column=at[2])) from None
    for name, value in fields.items():
        try:
            msgspec.convert({name: value}, Settings)
        except msgspec.ValidationError:
            text = _("{name} can't be {value}")
            if name not in Settings.__struct_fields__:
                text = _("there is no setting {name}")
            raise ValueError(text.format(name=ascii(name), value=ascii(value)[:MAX_QUOTED])) from None
    return msgspec.convert(fields, Settings)


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
