"""Lines in and out: from a stream that never ends perhaps, none longer than a limit; values as one line of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from frp2p.errors import UserError
from frp2p.locale import _
from frp2p.scoring.notation import MAX_LINE

MAX_BYTES = 4 * MAX_LINE
"""Bytes of one line: MAX_LINE characters of at most four bytes in UTF-8."""


def read_lines(stream: BinaryIO) -> Iterator[str | UserError]:
    """Each line without its end; in place of a line that is too long or no UTF-8, the error that says so."""
    while chunk := stream.readline(MAX_BYTES + 1):
        if len(chunk) > MAX_BYTES and not chunk.endswith(b"\n"):
            _skip_line(stream)
            sentence = _("The line is longer than {count} characters.").format(count=MAX_LINE)
            yield UserError(sentence, code="line-too-long")
            continue
        try:
            yield chunk.decode().removeprefix("\ufeff").rstrip("\r\n")
        except UnicodeDecodeError:
            yield UserError(_("The line is not UTF-8 text."), code="bad-text")


def _skip_line(stream: BinaryIO) -> None:
    while chunk := stream.readline(MAX_BYTES):
        if chunk.endswith(b"\n"):
            return


def json_line(value: dict[str, Any]) -> str:
    """The value as JSON on one line, which also a stdout that can't write every character takes."""
    return json.dumps(value, ensure_ascii=(sys.stdout.encoding or "").lower() not in ("utf-8", "utf8"))
