"""Which names of people may be shown and signed: an accept-list, because a terminal and a reader trust what they see.

Terminal escapes, bidirectional marks, invisible characters and piles of combining marks are refused at the gate; nobody
cleans a name afterwards. Two names at one table must also look different, not only be different.
"""

from __future__ import annotations

import unicodedata

from wcwidth import wcswidth

from frp2p.errors import PeerFault

MAX_NAME_BYTES = 64
"""Bytes of a name in UTF-8: sixteen characters of four."""

MAX_NAME_WIDTH = 16
"""Terminal cells of a name; what a seat line has room for."""

MAX_MARKS = 2
"""Combining marks on one base character; written languages need no more."""

_REFUSED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories: control, format (bidi, zero width), surrogate, private, unassigned, line, paragraph separator."""

_INVISIBLE = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and symbols that show nothing at all (fillers of Hangul and Khmer, the empty Braille cell)."""

_DRAWN_ALIKE = {
    "a": "аα", "b": "вβ", "c": "сϲ", "d": "ԁ", "e": "3еε", "h": "һнη", "i": "1l|!ıіӏι", "j": "јϳ", "k": "кκ", "m": "мμ",
    "n": "ν", "o": "0оοσ", "p": "рρ", "q": "ԛ", "s": "5ѕ", "t": "тτ", "u": "υ", "v": "ѵ", "w": "ԝω", "x": "хχ",
    "y": "уγ", "z": "ζ",
}  # fmt: skip
"""Digits, Latin, Cyrillic and Greek characters that a monospaced font draws much like the letter, in either case."""

_PLAIN = str.maketrans({drawn: letter for letter, alike in _DRAWN_ALIKE.items() for drawn in alike})


def name_problem(name: str, *, max_width: int = MAX_NAME_WIDTH) -> str | None:
    """The first check that the name fails, or None: `name-empty`, `name-form` (not NFC), `name-character`,
    `name-space` (outside, doubled or unusual), `name-marks`, `name-width`."""
    if not name or not name.strip():
        return "name-empty"
    if any(unicodedata.category(character) in _REFUSED or character in _INVISIBLE for character in name):
        return "name-character"
    if not unicodedata.is_normalized("NFC", name):
        return "name-form"
    if name != " ".join(name.split()):
        return "name-space"
    if _most_marks(name) > MAX_MARKS:
        return "name-marks"
    width = wcswidth(name)
    if not 1 <= width <= max_width or len(name.encode()) > 4 * max_width:
        return "name-width"
    return None


def check_name(name: str, *, seat: int | None = None) -> None:
    """PeerFault with the check that `name_problem` names."""
    problem = name_problem(name)
    if problem:
        raise PeerFault(problem, "A name that can't be shown.", seat=seat)


def looks_like(name: str) -> str:
    """A form that is equal for names which people could take for each other."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    bare = "".join(letter for letter in folded if not unicodedata.combining(letter) and not letter.isspace())
    return bare.translate(_PLAIN).replace("rn", "m").replace("vv", "w")


def _most_marks(name: str) -> int:
    most = run = 0
    for character in name:
        run = run + 1 if unicodedata.category(character) in {"Mn", "Mc", "Me"} else 0
        most = max(most, run)
    return most
