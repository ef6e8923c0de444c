"""Whole tables drawn from seeds: faults, cheats and clocks, and every promise checked (scripts/soak.py runs more).

A seed that failed once stands in FOUND with what it found. To look at one: `scripts/soak.py --seeds 137..138`.
"""

from __future__ import annotations

from collections import Counter

import pytest
from mutants import MUTANTS, broken_by

from frp2p.errors import Frp2pError
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import MODES
from frp2p.testing.cheats import CHEATS
from frp2p.testing.cheats_arbiter import ARBITER_CHEATS
from frp2p.testing.plan import Plan, draw_plan
from frp2p.testing.trial import Broken, Result, play

SEEDS = 2000
PER_TEST = 50
"""Seeds in one test, so that several workers share them."""

FOUND = (
    (26, 4, "withholder"),  # a liar said in every ballot that it had accepted parts that nobody else had
    (71, 3, "equivocator"),  # a majority had the other part of a seat that made two
    (74, 3, "equivocator"),
    (15, 3, "double-voter"),  # one seat stopped at another state, and left the rest without a majority
    (104, 4, "double-voter"),
)

FOUND_WITH_ARBITER = (
    (10, 2, "equivocator"),  # the seats had acked other parts than those that the arbiter had got first
    (28, 2, "equivocator"),  # parts that one seat supports in a vote were not asked for, as nobody had acked them
    (29, 2, "gone"),  # a vote was bound to put out a seat that was asleep, and the seat that wanted it was gone
)
"""Seed, seats and cheat of trials that have failed: the table as it is drawn today need not be the one that failed, but
it is of its kind."""


def checked(plan: Plan) -> Result:
    """One trial, with its number on whatever it raises."""
    try:
        return play(plan)
    except BaseException as error:
        error.add_note(f".venv/bin/python scripts/soak.py --seeds {plan.seed}..{plan.seed + 1}")
        raise


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, SEEDS, PER_TEST))
def test_every_promise_holds(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        result = checked(draw_plan(seed))
        assert result.cheat is not None or result.outcome in ("over", "unopened")


@pytest.mark.parametrize(("seed", "seats", "cheat"), FOUND)
def test_what_was_found_stays_away(seed: int, seats: int, cheat: str) -> None:
    checked(draw_plan(seed, seats=seats, cheat=cheat))


@pytest.mark.parametrize(("seed", "seats", "cheat"), FOUND_WITH_ARBITER)
def test_what_was_found_with_an_arbiter_stays_away(seed: int, seats: int, cheat: str) -> None:
    checked(draw_plan(seed, seats=seats, cheat=cheat, arbiter=True))


def test_the_seeds_hold_everything() -> None:
    """Every cheat, fault, mode, option, dealer and number of seats is drawn often enough to mean something."""
    plans = [draw_plan(seed) for seed in range(SEEDS)]
    assert {plan.seats for plan in plans} == set(range(2, 8))
    assert {plan.dealer for plan in plans} == {"clear", "sealed"}
    realms = [plan.options for plan in plans if plan.game == "fantasy-realms"]
    assert {options.mode for options in realms} == set(MODES)
    assert any(options.cursed_items for options in realms)
    assert any(options.match for options in realms)
    cheats = Counter(plan.cheat for plan in plans)
    assert min(cheats[name] for name in CHEATS) > SEEDS // 100
    faults = Counter(fault.kind for plan in plans for fault in plan.faults)
    assert min(faults[kind] for kind in ("partition", "sleep", "full-disk", "kill", "jump")) > SEEDS // 20
    assert sum(bool(plan.deaths) for plan in plans) > SEEDS // 4
    arbiters = [plan for plan in plans if plan.provided.arbiter]
    assert {plan.seats for plan in arbiters} == set(range(2, 8))
    assert {plan.cheat for plan in arbiters if plan.lying_arbiter} == set(ARBITER_CHEATS)
    assert sum(any(death.place == plan.seats for death in plan.deaths) for plan in arbiters) > SEEDS // 30
    assert sum(any(fault.places == (plan.seats,) for fault in plan.faults) for plan in arbiters) > SEEDS // 30
    provided = Counter((plan.provided.recovery, plan.provided.on_loss) for plan in plans)
    assert len(provided) == 4


@pytest.mark.parametrize("seats", range(2, 8))
def test_so_many_seats_as_are_asked_for_can_play(seats: int) -> None:
    for seed in range(0, SEEDS, 40):
        plan = draw_plan(seed, seats=seats)
        assert plan.seats == seats
        if plan.game == "fantasy-realms":
            GAME.check_options(plan.options, seats)


def test_a_seed_is_one_trial() -> None:
    assert checked(draw_plan(17)) == checked(draw_plan(17))


@pytest.mark.parametrize("cheat", ["equivocator", "double-voter", "illegal-mover"])
def test_who_lies_is_convicted(cheat: str) -> None:
    """Where there is a majority without it. A lie may come too late, or where there is nothing to lie about."""
    results = [checked(draw_plan(seed, seats=4, cheat=cheat)) for seed in range(300, 312)]
    assert sum(result.convicted for result in results) >= 6


@pytest.mark.parametrize("name", MUTANTS)
def test_every_mutant_is_caught(name: str) -> None:
    """By a trial at which the protocol as it is holds."""
    mutant = MUTANTS[name]
    plan = draw_plan(mutant.seed, seats=mutant.seats, cheat=mutant.cheat)
    checked(plan)
    with broken_by(name), pytest.raises((Broken, Frp2pError)):
        play(plan)


def test_there_are_mutants_enough() -> None:
    assert len(MUTANTS) >= 8
