"""Every recorded hand: its total, the points of each card, and who is blanked."""

from __future__ import annotations

from typing import Any

import pytest
from scoring_cases import SCORED, choices_of, context_of, hand_of

from frp2p.scoring import score, total

FIXED = [case for case in SCORED if case["mode"] == "fixed"]


def test_all_recorded_hands_are_here() -> None:
    assert len(SCORED) == 408
    assert len(FIXED) == 380


@pytest.mark.parametrize("case", FIXED, ids=lambda case: case["id"])
def test_a_recorded_hand_scores_as_recorded(case: dict[str, Any]) -> None:
    hand, choices, context = hand_of(case), choices_of(case), context_of(case)
    explained = score(hand, choices, context)
    assert explained.total == case["expected"]
    assert total(hand, choices, context) == case["expected"]
    if "points" in case:
        points = {one.card: one.points for one in explained.cards} | {one.item: one.points for one in explained.items}
        assert points == case["points"]
        assert sorted(one.card for one in explained.cards if one.blanked) == case["blanked"]
