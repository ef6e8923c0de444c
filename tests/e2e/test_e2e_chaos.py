"""Chaos Realms by hand: a person at the full-screen client trades with a program, each in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo terminals", allow_module_level=True)

from e2e_kit import DEADLINE, free_port, run, started
from pty_kit import Terminal

from frp2p.cards import CARDS, CardId

SECONDS = "20"
WAIT = ["Wait"]


class Trader(threading.Thread):
    """A program that waits, but answers the first offer of `whom` with an offer of its own to the same player."""

    def __init__(self, process: subprocess.Popen[str], whom: str = "") -> None:
        super().__init__(daemon=True)
        self._process = process
        self._whom = whom
        self._names: list[str] = []
        self._view: dict[str, Any] = {}
        self.listens = threading.Event()
        self.offered = ""
        self.hand: list[str] = []
        self.ended: dict[str, Any] = {}
        self.start()

    def run(self) -> None:
        if self._process.stdout is None or self._process.stdin is None:
            raise TypeError
        for text in self._process.stdout:
            line = json.loads(text)
            if line["type"] == "hello":
                self.listens.set()
            elif line["type"] == "event" and line["event"]["type"] == "Opened":
                self._names = line["event"]["names"]
            elif line["type"] == "view":
                self._view = line["view"]
                self.hand = [held["card"] for held in self._view["seats"][self._view["me"]]["hand"]]
            elif line["type"] == "end":
                self.ended = line
            elif line["type"] == "your-move":
                move = self._trade() if WAIT in line["legal"] else line["legal"][0]
                self._process.stdin.write(json.dumps({"type": "move", "move": move}) + "\n")
                self._process.stdin.flush()

    def _trade(self) -> list[Any]:
        me = self._view["me"]
        if not self._whom or self.offered:
            return WAIT
        seat = self._names.index(self._whom)
        if not any((giver, to) == (seat, me) for giver, to, _slot in self._view["offers"]):
            return WAIT
        held = self._view["seats"][me]["hand"][0]
        self.offered = held["card"]
        return ["OfferCard", held["slot"], seat]


def hand_of(screen: str) -> list[str]:
    """The names of the cards in the hand on the screen, in their order, without what wild cards become there."""
    rows = re.findall(r"^[ ▸][a-r] [A-Z][a-z] (.{20})", screen, re.MULTILINE)
    return [re.split(r"=| \*| \(|  ", row)[0].strip() for row in rows]


def marked(word: str) -> str:
    return rf"▸ {word}"


@pytest.mark.slow
def test_an_offer_a_counter_offer_a_swap_and_the_bell(tmp_path: Path) -> None:
    port = free_port()
    with ExitStack() as exits:
        host = ("--mode", "chaos", "--chaos-seconds", SECONDS, "--seats", "3", "--no-discovery", "--port", str(port))
        ana = exits.enter_context(started(tmp_path / "ana", "headless", "host", "--name", "Ana", *host))
        quiet = Trader(ana)
        assert quiet.listens.wait(DEADLINE)
        bob = exits.enter_context(
            started(tmp_path / "bob", "headless", "join", f"127.0.0.1:{port}", "--name", "Bob", "--port", "0")
        )
        trader = Trader(bob, "Lia")
        lia = exits.enter_context(Terminal(tmp_path / "lia", "join", f"127.0.0.1:{port}", "--name", "Lia"))
        shown = lia.until(lambda text: "Swap cards" in text and len(hand_of(text)) == 7)
        hand = hand_of(shown)

        lia.press("a\r")
        lia.until(lambda text: "Swap a card" in text)
        for _row in range(4):
            if re.search(marked("Offer Bob"), lia.text()):
                break
            lia.press("\x1b[B")
            lia.pump()
        assert re.search(marked(f"Offer Bob {re.escape(hand[0])} for any card"), lia.text()), lia.text()
        bells = lia.raw.count("\x07")
        lia.press("\r")
        lia.until(lambda text: "Bob offers you a card." in text)
        assert f"You offer Bob {hand[0]}." in lia.text()
        assert lia.raw.count("\x07") == bells + 1

        lia.press("b\r")
        shown = lia.until(lambda text: re.search(marked("Give Bob"), text) is not None)
        assert re.search(marked(f"Give Bob {re.escape(hand[1])} for the offered card"), shown), shown
        lia.press("\r")
        got = CARDS[CardId(trader.offered)].en
        shown = lia.until(lambda text: f"You got {got}." in text)
        assert sorted(hand_of(shown)) == sorted([*hand[:1], *hand[2:], got])
        assert "Bob offers you a card." not in shown

        lia.until(lambda text: "Swap cards" not in text and "Time" not in text)
        lia.until(lambda text: "verified by 3 of 3" in text and "transcript" in text, lambda _text: lia.press("y"))
        lia.press("q")
        assert lia.end() == 0
        assert lia.restored()
        for thread, process in ((quiet, ana), (trader, bob)):
            process.wait(DEADLINE)
            thread.join(DEADLINE)
        assert hand[1] in [CARDS[CardId(card)].en for card in trader.hand]
        assert trader.offered not in trader.hand
        assert trader.ended["verified"] == quiet.ended["verified"] == 3
    verified = run(tmp_path / "nobody", "verify", trader.ended["transcript"], "--json")
    assert json.loads(verified.stdout)["digest"] == trader.ended["digest"]
