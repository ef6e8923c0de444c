"""What the client's screen depends on: the session's snapshot, and what the person has done to the screen. Values."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from frp2p.app import model_prompt, model_trade
from frp2p.app.model_log import Entry
from frp2p.app.model_worth import Worth, own_hand
from frp2p.app.snapshot import Snapshot
from frp2p.cards import CardId
from frp2p.games.fantasy_realms.options import Options
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.scoring import Choices

Overlay: TypeAlias = Literal["", "help", "log", "card", "items", "trade", "quit"]
Scene: TypeAlias = Literal["lobby", "setup", "table", "scoring", "stopped"]
Mode: TypeAlias = Literal[
    "lobby", "setup", "table", "finish", "scoring", "stopped", "choices", "extra", "prompt", "help", "log", "card",
    "items", "trading", "trade", "quit",
]  # fmt: skip
"""`finish` is the table while one is asked about the own item, `prompt` the question of an item; `trading` the table in
Chaos Realms, `trade` the dialog for the card under the cursor."""

HAND_KEYS = "abcefgnopr"
"""The keys of hand cards: the alphabet without the letters that are commands (d h i j k l m), so that no letter
means two things. Ten: a hand with the card just drawn has at most nine; one that items have made larger still (Portal,
then Fishhook) is reached with the cursor."""

DISCARD_KEYS = "1234567890stuwxz"
"""The keys of the discard area: digits, then letters that nothing else means. A duel with extra suits may bring sixteen
cards there; a seventeenth is reached with the cursor."""

QUESTIONS = frozenset({"search", "extra", "overflow"})
"""Phases at the end that ask for one card of a list."""

SMALLEST = (60, 20)
"""Columns and rows below which there is no honest way to show a table."""


class Ui(msgspec.Struct, frozen=True):
    """What the person has done to the screen; nothing of it is known to anybody else.

    `area` and `index` are the cursor, `armed` that Enter was pressed once, `tab` the seat whose score is shown,
    `draft` the choices being edited (None: the best ones), `field` which of them, `away` that a dialog was left to
    look at the table, `toast` a sentence about the last key, for a while, `extra` the marked extra card (-1: the best).
    `act` is the marked row of the own item's dialog (-1: the first that helps), `at` the cursor in an item's question
    (-1: on what is proposed), `picks` what was marked or put in order there (None: what is proposed).
    """

    area: Literal["hand", "discards"] = "hand"
    index: int = 0
    armed: bool = False
    overlay: Overlay = ""
    scroll: int = 0
    tab: int = -1
    draft: Choices | None = None
    field: int = 0
    extra: int = -1
    act: int = -1
    at: int = -1
    picks: model_prompt.Picks | None = None
    away: bool = False
    toast: str = ""
    mouse: bool = True


class Stage(msgspec.Struct, frozen=True):
    """Everything that a frame is made of. `asked` is the view and the legal moves while this seat is to move, `fresh`
    the card that came into the hand this turn."""

    snapshot: Snapshot
    asked: tuple[View, tuple[Move, ...]] | None
    worth: Worth | None
    entries: tuple[Entry, ...]
    ui: Ui
    columns: int
    rows: int
    fresh: CardId | None = None

    @property
    def view(self) -> View | None:
        """The game as this seat sees it; None before it starts."""
        view = self.snapshot.status.view
        return view if isinstance(view, View) else None

    @property
    def options(self) -> Options:
        """What is played; as usual while that is unknown."""
        options = self.snapshot.status.options
        return options if isinstance(options, Options) else Options()

    @property
    def phase(self) -> str:
        """What this seat is asked for (a phase of the view), empty if for nothing."""
        return self.asked[0].phase if self.asked is not None else ""

    @property
    def hand(self) -> tuple[CardId, ...]:
        """The cards of this seat's hand, in their order."""
        return own_hand(self.view) if self.view is not None else ()

    @property
    def discards(self) -> tuple[CardId, ...]:
        return self.view.discards if self.view is not None else ()

    @property
    def cursor(self) -> CardId | None:
        """The card (or item) under the cursor, which is moved back into its area where that shrank."""
        if asking(self) and not self.ui.away:
            return model_prompt.under_cursor(self.asked, self.worth, self.ui.at)
        cards = self.hand if self.ui.area == "hand" else self.discards
        return cards[min(self.ui.index, len(cards) - 1)] if cards else None


def too_small(stage: Stage) -> bool:
    """Whether the terminal is smaller than the smallest layout."""
    return stage.columns < SMALLEST[0] or stage.rows < SMALLEST[1]


def scene(stage: Stage) -> Scene:
    """Which screen the state of the table asks for."""
    status = stage.snapshot.status
    if status.phase == "stopped":
        return "stopped"
    if status.phase == "lobby":
        return "lobby"
    view = stage.view
    if status.phase == "setup" or view is None:
        return "setup"
    if status.phase in ("closing", "over") or view.phase in ("over", "pause"):
        return "scoring"
    if view.phase == "dealing" and view.turn <= 1 and not view.discards and not stage.hand:
        return "setup"
    return "table"


def asking(stage: Stage) -> bool:
    """Whether an item asks this seat."""
    return model_prompt.prompt_of(stage.asked) is not None


def mode(stage: Stage) -> Mode:
    """Who gets the keys: an overlay, else a dialog that waits for an answer, else the screen."""
    trading = model_trade.trading(stage.view)
    if stage.ui.overlay and (trading or stage.ui.overlay != "trade"):
        return stage.ui.overlay
    here = scene(stage)
    if here == "table" and trading:
        return "trading"
    if here == "table" and stage.phase == "finish":
        return "finish"
    if here == "table" and not stage.ui.away:
        if asking(stage):
            return "prompt"
        if stage.phase == "choices":
            return "choices"
        if stage.phase in QUESTIONS:
            return "extra"
    return here
