"""The passphrase of a table: typed, from a file, or from the environment; never an argument, which all can see."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

import click

from frp2p.app.bots import PASSPHRASE_VARIABLE
from frp2p.errors import UserError
from frp2p.locale import _
from frp2p.table.access import MAX_PASSPHRASE, read_passphrase

READ_BYTES = 4 * MAX_PASSPHRASE
"""Of the first line of a file, before white space is trimmed."""


def given(*, ask: bool, file: BinaryIO | None) -> str:
    """What the user gave, as text that is a passphrase; empty if nothing. UserError if it can't be one."""
    if file is not None:
        try:
            text = file.readline(READ_BYTES).decode().rstrip("\r\n")
        except UnicodeDecodeError:
            raise UserError(_("The file with the passphrase is not UTF-8 text."), code="passphrase-form") from None
        return _checked(text)
    text = os.environ.get(PASSPHRASE_VARIABLE, "")
    if ask and not text:
        return prompt()
    return _checked(text) if text else ""


def prompt() -> str:
    """Ask at the terminal; UserError without one."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        text = _("There is nobody to ask for the passphrase: use --passphrase-file, or {variable}.")
        raise UserError(text.format(variable=PASSPHRASE_VARIABLE), code="passphrase-form")
    return _checked(click.prompt(_("Passphrase of the table"), hide_input=True, err=True))


def as_bytes(text: str) -> bytes:
    """What is proved: empty for no passphrase."""
    return read_passphrase(text) if text else b""


def _checked(text: str) -> str:
    read_passphrase(text)
    return text
