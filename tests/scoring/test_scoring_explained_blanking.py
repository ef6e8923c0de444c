"""What the explained score says about blanking: who, whom, why, and in which order."""

from __future__ import annotations

import pytest
from hand_lines import part, scored

from frp2p.scoring import Blanked, Step


def test_who_blanked_whom() -> None:
    result = scored("Great Flood, Knights, Candle, Wildfire, Mountain, Lightning, Cavern")
    # Mountain clears Great Flood, so Wildfire acts: it spares Mountain and Great Flood by name
    assert {one.card: one.blanked for one in result.cards if one.blanked} == {
        "FR21": Blanked("blanks", ("FR16",)),
        "FR02": Blanked("blanks", ("FR16",)),
    }


def test_two_cards_that_blank_one_are_both_named() -> None:
    result = scored("Basilisk, Great Flood, Knights")
    assert part(result, "FR21").blanked == Blanked("blanks", ("FR37", "FR08"))
    assert [(step.kind, step.card, step.cards) for step in result.steps] == [
        ("blank", "FR37", ("FR21",)),
        ("blank", "FR08", ("FR21",)),
    ]


def test_a_loop_is_named_as_one() -> None:
    result = scored("Basilisk, Doppelgänger, Warhorse; Doppelgänger=Basilisk")
    assert part(result, "FR37").blanked == Blanked("loop", ("FR37", "FR53"))
    assert part(result, "FR38").blanked is None
    assert [(step.kind, step.cards) for step in result.steps] == [("copy", ("FR37",)), ("loop", ("FR37", "FR53"))]


def test_a_loop_of_a_loop_hits_nobody_else() -> None:
    # Great Flood and Blizzard (a Flame) would blank each other; what hangs on the loop is left alone
    result = scored("Great Flood, Book of Changes, Blizzard, Island, Knights; Book of Changes=Blizzard:Flame")
    assert {one.card for one in result.cards if one.blanked} == {"FR08", "FR12"}
    assert result.total == 3 + 14 + 20 - 8


def test_three_that_all_reach_each_other_are_one_loop() -> None:
    line = "Wildfire, Great Flood, Blizzard, Book of Changes, Knights; Book of Changes=Blizzard:Army"
    result = scored(line)
    assert part(result, "FR21").blanked is None
    assert {one.card for one in result.cards if one.blanked} == {"FR16", "FR08", "FR12"}
    assert [step.kind for step in result.steps] == ["suit", "loop"]


def test_a_card_behind_a_loop_acts_after_it() -> None:
    line = "Basilisk, Doppelgänger, Blizzard, Book of Changes, Island; "
    result = scored(line + "Doppelgänger=Basilisk; Book of Changes=Blizzard:Army")
    assert [(step.kind, step.cards) for step in result.steps[2:]] == [
        ("loop", ("FR37", "FR53")),
        ("blank", ("FR09",)),
    ]
    assert result.total == 30 - 5 + 3


def test_a_loop_behind_a_loop_is_blanked_after_it() -> None:
    line = "Basilisk, Doppelgänger, Blizzard, Book of Changes, Great Flood; "
    result = scored(line + "Doppelgänger=Basilisk; Book of Changes=Blizzard:Army")
    assert [(step.kind, set(step.cards)) for step in result.steps[2:]] == [
        ("loop", {"FR37", "FR53"}),
        ("loop", {"FR12", "FR08"}),
    ]
    assert result.total == 3


def test_demon_is_named_first() -> None:
    result = scored("Demon, Wildfire, Knights, Rangers", extra_suits=True)
    assert part(result, "FR16").blanked == Blanked("alone", ("CH10",))
    assert [step.cards for step in result.steps if step.kind == "alone"] == [("FR16",)]


@pytest.mark.parametrize(
    ("line", "card_id", "causes"),
    [
        ("Smoke, King", "FR13", ()),
        ("War Dirigible, Knights, Rainstorm", "FR45", ("FR11",)),
        ("War Dirigible, King", "FR45", ()),
        ("Warship, King", "FR41", ()),
    ],
)
def test_a_card_that_blanks_itself_says_why(line: str, card_id: str, causes: tuple[str, ...]) -> None:
    result = scored(line)
    blanked = part(result, card_id).blanked
    assert (blanked.why, blanked.by, blanked.causes) == ("itself", (card_id,), causes)
    assert blanked.effect is not None
    assert Step("itself", card_id, (card_id,)) in result.steps


def test_angel_and_lich_say_whom_they_keep() -> None:
    result = scored("Basilisk, Lich, Angel, Queen, Ghoul; Angel=Queen", extra_suits=True)
    assert {(step.kind, step.card, step.cards) for step in result.steps} == {
        ("guard", "CH08", ("CH08", "FR32")),
        ("guard", "CH14", ("CH14", "CH12")),
    }
