"""Who may sit down: what the host of a table decided before anybody came, and the passphrase as bytes."""

from __future__ import annotations

import unicodedata

import msgspec

from frp2p.errors import UserError
from frp2p.locale import _

MIN_PASSPHRASE = 4
"""Characters; whatever is shorter is found by trying in minutes."""

MAX_PASSPHRASE = 256
"""Bytes in UTF-8; a sentence."""


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """Without any of these every guest sits down, and the game begins when all seats are taken.

    `passphrase`: from `read_passphrase`; whoever does not know it sees nothing of the table. `ask`: a guest sits down
    only when the host lets it in. `invited`: keys that need not be asked about. `pause`: seconds between the last guest
    and the charter, in which the host can still send somebody away.
    """

    passphrase: bytes = b""
    ask: bool = False
    invited: frozenset[bytes] = frozenset()
    pause: float = 0.0


OPEN = Access()
"""Everybody is welcome."""


def read_passphrase(text: str) -> bytes:
    """The password of the protocol (page 05, section 3): NFC, white space trimmed and single, in UTF-8.

    UserError `passphrase-form` if it is too short or too long, or has characters that nobody can type twice.
    """
    spaced = " ".join(unicodedata.normalize("NFC", text).split())
    data = spaced.encode("utf-8", "replace")
    control = any(unicodedata.category(letter) in ("Cc", "Cs", "Cn") for letter in spaced)
    if control or len(spaced) < MIN_PASSPHRASE or len(data) > MAX_PASSPHRASE:
        sentence = _("A passphrase has at least {least} characters and at most {most} bytes, none of them for control.")
        raise UserError(sentence.format(least=MIN_PASSPHRASE, most=MAX_PASSPHRASE), code="passphrase-form")
    return data
