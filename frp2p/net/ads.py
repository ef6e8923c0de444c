"""What is announced on the LAN, and how it is read: anybody may have written it."""

from __future__ import annotations

import unicodedata

import msgspec

from frp2p.ledger.base32 import spell
from frp2p.ledger.charter import VERSION
from frp2p.ledger.limits import MAX_SEATS
from frp2p.ledger.names import name_problem

MAX_TXT_LENGTH = 32
"""Characters of one value of an announcement."""
INSTANCE_LETTERS = 16
"""Characters of an instance name: 60 bits of the key, 20 of the run."""
RUN_LETTERS = 4
CODE_LETTERS = 8
"""Characters of a table code without its hyphen."""


class TableAd(msgspec.Struct, frozen=True):
    """What a host tells the LAN about its table. `instance` is different in every run, so that a restart is seen."""

    instance: str
    key: str
    """The beginning of the host's fingerprint; a label to compare, not a proof."""
    name: str
    game: str
    seats: int
    free: int
    locked: bool = False
    """Whether it has a passphrase."""
    watched: bool = False
    """Whether others may watch."""
    arbiter: bool = False
    """Whether an arbiter is looked for."""

    def properties(self) -> dict[str, str]:
        """The TXT record."""
        return {
            "v": str(VERSION),
            "k": self.key,
            "n": self.name,
            "g": self.game,
            "s": str(self.seats),
            "f": str(self.free),
            "l": str(int(self.locked)),
            "w": str(int(self.watched)),
            "a": str(int(self.arbiter)),
        }


class SeatAd(msgspec.Struct, frozen=True):
    """What a seat tells others of its table that it misses: where it is now."""

    instance: str
    code: str
    """The code of the table, without its hyphen."""

    def properties(self) -> dict[str, str]:
        """The TXT record."""
        return {"v": str(VERSION), "t": self.code}


def may_be(instance: str, key: bytes) -> bool:
    """Whether who announces this says to have this key; who it is shows in the handshake."""
    return instance[:-RUN_LETTERS] == instance_name(key, bytes(3))[:-RUN_LETTERS]


def instance_name(key: bytes, run: bytes) -> str:
    """A name that can't clash: from the own key and 3 random bytes of this run."""
    return (spell(key, INSTANCE_LETTERS - RUN_LETTERS) + spell(run, RUN_LETTERS)).lower()


def bare_code(code: str) -> str:
    """A table code as it is announced."""
    return code.replace("-", "")


def read_ad(instance: str, properties: dict[str, str | None]) -> TableAd | None:
    """A table's announcement from its TXT record; None if it is of no use to us."""
    values = _values(properties, "vkngsflwa")
    if values is None or not is_instance(instance):
        return None
    if name_problem(values["n"]) or not all(_is_label(values[name]) for name in "kg"):
        return None
    seats, free = (int(text) if text.isascii() and text.isdigit() else -1 for text in (values["s"], values["f"]))
    flags = [values[name] for name in "lwa"]
    if not 1 < seats <= MAX_SEATS or not 0 <= free < seats or not set(flags) <= {"0", "1"}:
        return None
    return TableAd(instance, values["k"], values["n"], values["g"], seats, free, *(flag == "1" for flag in flags))


def read_seat_ad(instance: str, properties: dict[str, str | None]) -> SeatAd | None:
    """A seat's announcement from its TXT record; None if it is of no use to us."""
    values = _values(properties, "vt")
    if values is None or not is_instance(instance) or len(instance) != INSTANCE_LETTERS:
        return None
    code = values["t"]
    return SeatAd(instance, code) if len(code) == CODE_LETTERS and code.isascii() and code.isalnum() else None


def _values(properties: dict[str, str | None], names: str) -> dict[str, str] | None:
    """The values of these names; None if one is too long or the version is not ours."""
    values = {name: properties.get(name) or "" for name in names}
    fine = all(len(value) <= MAX_TXT_LENGTH for value in values.values()) and values["v"] == str(VERSION)
    return values if fine else None


def is_instance(text: str) -> bool:
    """Whether this can be the instance name of an announcement."""
    return len(text) <= MAX_TXT_LENGTH and text.isascii() and text.isalnum()


def _is_label(text: str) -> bool:
    return bool(text) and text.isascii() and all(unicodedata.category(letter)[0] in "LNP" for letter in text)
