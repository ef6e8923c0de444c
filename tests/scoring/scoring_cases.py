"""The recorded hands: read from the JSON files beside this one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from frp2p.cards import CardId
from frp2p.scoring import Choices, Context, House

_HERE = Path(__file__).parent

SCORED: list[dict[str, Any]] = json.loads((_HERE / "scoring_cases.json").read_text(encoding="utf-8"))
"""Hands with their score: `fixed` with these choices, `best` with the best ones."""

SEARCHED: list[dict[str, Any]] = json.loads((_HERE / "best_cases.json").read_text(encoding="utf-8"))
"""Hands with the best score over all choices, found by trying all of them with another program."""

PROPOSED: dict[str, dict[str, Any]] = json.loads((_HERE / "best_choices.json").read_text(encoding="utf-8"))
"""By id of those hands, the choices that we take of all the best ones: the fewest, then the first in our order."""


def hand_of(case: dict[str, Any]) -> tuple[CardId, ...]:
    return tuple(CardId(card_id) for card_id in case["hand"])


def choices_of(case: dict[str, Any]) -> Choices:
    given = dict(case["choices"])
    if "book" in given:
        given["book"] = tuple(given["book"])
    return Choices(**given)


def context_of(case: dict[str, Any]) -> Context:
    wild = case["choices"].get("book", ["", ""])[1] == "wild"
    return Context(
        players=case["players"],
        discard=tuple(CardId(card_id) for card_id in case.get("discard", ())),
        extra_suits=case.get("extra_suits", False),
        jester=case.get("jester", False),
        phoenix=case.get("phoenix", "off"),
        items=tuple(CardId(item_id) for item_id in case.get("items", ())),
        house=House(book_wild=wild),
    )
