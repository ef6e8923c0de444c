"""The terminal itself: whether there is one, and that it is given back as it was, whatever happens."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from frp2p.errors import UserError
from frp2p.locale import _

RESET = "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?25h\x1b[0m\x1b[?1049l"
"""Mouse tracking and bracketed paste off, cursor on, plain letters, back from the alternate screen."""


def require() -> None:
    """UserError with a sentence if no full screen can be drawn here."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError(_("There is no terminal here. Use --auto to let a bot play, or frp2p headless for programs."))
    if os.environ.get("TERM", "") in ("dumb", "unknown"):
        raise UserError(_("This terminal can't show a full screen. Use --auto, or frp2p headless for programs."))


def speaks_unicode(encoding: str | None) -> bool:
    """Whether the signs of the screen can be written in this encoding."""
    return (encoding or "").lower().replace("-", "").replace("_", "") in ("utf8", "utf16", "utf32", "cp65001")


@contextmanager
def restored(write: Callable[[str], None]) -> Iterator[None]:
    """If the program ends while inside without unwinding (`sys.exit` in a thread, a crash of the loop), the reset
    sequence is written at exit. Only a kill -9 leaves the terminal as it is; docs/playing.md names `reset`."""

    def reset() -> None:
        write(RESET)

    atexit.register(reset)
    try:
        yield
    finally:
        atexit.unregister(reset)
