"""Text in columns of a terminal, as wcwidth counts them: for lists and explanations that go to stdout."""

from __future__ import annotations

from wcwidth import wcswidth

WIDTH = 80
"""Columns that printed text fits into: the narrowest terminal that people use for reading."""


def padded(text: str, width: int) -> str:
    """The text in that many columns, blanks after it; before it if the width is negative. Longer text stays whole."""
    blanks = " " * max(0, abs(width) - wcswidth(text))
    return text + blanks if width > 0 else blanks + text


def hanging(head: str, text: str) -> list[str]:
    """The head and the text beside it, wrapped at blanks to WIDTH columns; further lines start under the text."""
    lines, line, start = [], head, True
    for word in text.split():
        if not start and wcswidth(line) + 1 + wcswidth(word) > WIDTH:
            lines.append(line)
            line, start = " " * wcswidth(head), True
        line += word if start else f" {word}"
        start = False
    return [*lines, line.rstrip()]
