"""Words of styles become colours of the sixteen that every terminal has, readable on light and dark grounds."""

from __future__ import annotations

from prompt_toolkit.styles import Style

from frp2p.cards import Suit, colour

_ANSI = {
    "white": "ansigray", "brightwhite": "ansiwhite", "black": "ansiblack", "brightblack": "ansibrightblack",
}  # fmt: skip
_DARK = frozenset({"red", "magenta", "brightblack", "blue"})
"""Grounds on which letters must be light."""


def _ansi(name: str) -> str:
    return _ANSI.get(name, f"ansi{name}")


def _badge(name: str) -> str:
    """Letters and ground are both set, so the contrast does not depend on the terminal's own ground."""
    return f"bg:{_ansi(name)} {'ansiwhite' if name in _DARK else 'ansiblack'}"


def style() -> Style:
    """The one theme. No blue letters; gain and loss differ in more than red and green."""
    rules = {
        "bar": "reverse",
        "bar-strong": "reverse bold",
        "bar-turn": "reverse bold ansigreen",
        "bar-warn": "reverse bold ansimagenta",
        "title": "bold",
        "rule": "dim",
        "dim": "dim",
        "off": "dim",
        "strong": "bold",
        "key": "bold ansicyan",
        "cursor": "reverse bold",
        "turn": "bold",
        "me": "bold",
        "good": "bold ansigreen",
        "bad": "bold ansimagenta",
        "warn": "bold ansimagenta",
        "blank": "dim strike",
    }
    rules |= {f"suit-{suit.value}": _badge(colour(suit)) for suit in Suit}
    return Style.from_dict(rules)
