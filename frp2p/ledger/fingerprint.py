"""The short text by which people compare keys: `K7Q2M-9XW3D-...`, four groups with a check character each.

80 bits of SHA-256("frp2p/1/fingerprint\\0" || key). Finding another key with the same text takes 2^80 tries; a slip
of the tongue or of the finger shows in its group.
"""

from __future__ import annotations

from hashlib import sha256

from frp2p.ledger.base32 import ALPHABET, spell, tidy

GROUPS = 4
LETTERS = 4
"""Characters of a group before its check character."""


def fingerprint(key: bytes) -> str:
    """The text of a public key, 23 characters."""
    text = spell(sha256(b"frp2p/1/fingerprint\0" + key).digest(), GROUPS * LETTERS)
    groups = [text[start : start + LETTERS] for start in range(0, len(text), LETTERS)]
    return "-".join(group + _check(place, group) for place, group in enumerate(groups))


def read_fingerprint(text: str) -> str:
    """A fingerprint as somebody typed it, in its one spelling; ValueError(number of the wrong group, 0: the length)."""
    typed = tidy(text)
    size = LETTERS + 1
    if len(typed) != GROUPS * size:
        raise ValueError(0)
    groups = [typed[start : start + size] for start in range(0, len(typed), size)]
    for place, group in enumerate(groups):
        if not set(group) <= set(ALPHABET) or _check(place, group[:-1]) != group[-1]:
            raise ValueError(place + 1)
    return "-".join(groups)


def _check(place: int, group: str) -> str:
    # Odd weights have inverses modulo 32, so every single wrong character shows; the place shows swapped groups.
    total = place + sum((2 * index + 1) * ALPHABET.index(letter) for index, letter in enumerate(group))
    return ALPHABET[total % 32]
