"""What a person reads with `--lang pt_BR`, and a game whose record and journal can be broken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner
from ledger_kit import Guess, Rig

from frp2p.cli import main
from frp2p.deal.sealed import SealedKind
from frp2p.games.registry import games
from frp2p.ledger.codec import encode
from frp2p.ledger.records import Part, PartBody, sign_part

GAME = games()["fantasy-realms"]

replace = msgspec.structs.replace

ENGLISH = re.compile(
    r"\b(an|and|be|been|can't|could|does|expected|got|has|in|invalid|is|must|not|nothing|object|of|or|such|that|the|this"
    r"|to|was|while|with)\b",
    re.IGNORECASE,
)
"""Words of English sentences that Portuguese does not have."""


def told(*arguments: str, text_in: str | None = None, code: int | None = None) -> str:
    """What a person reads of it in Portuguese; it is something, and not English."""
    return checked(["--lang", "pt_BR", *arguments], text_in, code)


def checked(arguments: Sequence[str], text_in: str | None, code: int | None) -> str:
    result = CliRunner().invoke(main, arguments, input=text_in)
    assert result.exit_code != 0 if code is None else result.exit_code == code, result.output
    assert result.output.strip()
    for line in result.output.replace(str(Path.cwd()), "").splitlines():
        assert not ENGLISH.search(line), line
    return result.output


@cache
def rig() -> Rig:
    """Some way into a game of two; nothing after it is needed to find a fault before it."""
    played = Rig(2, GAME, SealedKind())
    played.until("move")
    played.step()
    played.step()
    return played


def statement(**changes: Any) -> Part:
    observer = rig().observer
    return sign_part(
        rig().signers[1], replace(PartBody(observer.digest, 3, bytes(32), 1, "move", encode(Guess(3))), **changes)
    )
