"""Thirty-two characters that survive being read aloud: Crockford's alphabet, without I, L, O and U."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

_ALIKE = str.maketrans({"I": "1", "L": "1", "O": "0"})


def spell(data: bytes, characters: int) -> str:
    """The first 5 * `characters` bits of the data."""
    bits = int.from_bytes(data, "big")
    surplus = 8 * len(data) - 5 * characters
    if surplus < 0:
        raise ValueError(characters)
    bits >>= surplus
    return "".join(ALPHABET[(bits >> 5 * place) & 31] for place in reversed(range(characters)))


def tidy(text: str) -> str:
    """What somebody typed, as the alphabet has it: upper case, I and L as 1, O as 0, without spaces and dashes."""
    return "".join(text.upper().split()).replace("-", "").translate(_ALIKE)
