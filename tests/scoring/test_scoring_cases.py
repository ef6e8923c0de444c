"""Every recorded hand: its total, the points of each card, and who is blanked."""

from __future__ import annotations

from typing import Any

import pytest
from scoring_cases import PROPOSED, SCORED, SEARCHED, choices_of, context_of, hand_of

from frp2p.cards import card
from frp2p.scoring import (
    ability_of,
    best,
    best_extra,
    best_total,
    necromancer_may_take,
    score,
    tie_strength,
    total,
)

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
    for at in range(1, len(hand)):  # every card in every place
        assert total(hand[at:] + hand[:at], choices, context) == case["expected"]
    for one in explained.cards:
        assert all(line.points > 0 if line.side == "bonus" else line.points < 0 for line in one.lines)
        if ability_of(one.card) not in ("doppelganger", "mirage", "shapeshifter"):
            assert (one.name, one.copied) == (card(one.card).en, None)
    assert all(step.cards or step.kind == "guise" for step in explained.steps)
    assert tie_strength(hand, choices, context) == explained.strength == sum(one.base for one in explained.cards)
    if "points" in case:
        points = {one.card: one.points for one in explained.cards} | {one.item: one.points for one in explained.items}
        assert points == case["points"]
        assert sorted(one.card for one in explained.cards if one.blanked) == case["blanked"]


@pytest.mark.parametrize("case", SEARCHED, ids=lambda case: case["id"])
def test_of_equal_choices_every_peer_proposes_the_same(case: dict[str, Any]) -> None:
    assert best(hand_of(case), context_of(case))[0] == choices_of({"choices": PROPOSED[case["id"]]})


PICKING = [case for case in SCORED if case["mode"] == "best" and {"FR28", "CH20"} & set(case["hand"])]
BEST = [case for case in SCORED if case["mode"] == "best" and case not in PICKING] + SEARCHED


@pytest.mark.parametrize("case", BEST, ids=lambda case: case["id"])
def test_the_search_finds_the_recorded_best(case: dict[str, Any]) -> None:
    hand, context = hand_of(case), context_of(case)
    choices, explained = best(hand, context)
    assert explained.total == case["expected"]
    assert total(hand, choices, context) == case["expected"]
    assert best_total(hand, context) == case["expected"]


@pytest.mark.parametrize("case", PICKING, ids=lambda case: case["id"])
def test_the_necromancer_picks_the_recorded_best(case: dict[str, Any]) -> None:
    hand, context = hand_of(case), context_of(case)
    allowed = [card_id for card_id in context.discard if necromancer_may_take(card_id)]
    assert best_extra(hand, allowed, context).total == case["expected"]
