"""What happens in one trial of the simulator: everything follows from a number, the seed."""

from __future__ import annotations

import random
from typing import Any, Literal, TypeAlias

import msgspec

from frp2p.errors import UserError
from frp2p.games.fantasy_realms.game import GAME
from frp2p.games.fantasy_realms.options import Options as RealmsOptions
from frp2p.ledger.provisions import Clock, OnLoss, Provisions
from frp2p.testing import pocket
from frp2p.testing.cheats import CHEATS
from frp2p.testing.cheats_arbiter import ARBITER_CHEATS
from frp2p.testing.network import Conditions

GAMES: dict[str, Any] = {"pocket": pocket.POCKET, GAME.name: GAME}
"""The games of the simulator by name."""

AUDIT_EVERY = 9
"""Every so many seeds end with all keys laid open."""
REALMS_EVERY = 40
"""Every so many seeds play Fantasy Realms instead of the small game: the same table takes ten times as long."""

SEALED_EVERY = 50
"""Every so many seeds are dealt by the sealed dealer, whose proofs cost a hundred times what the clear one does."""

ARBITER_EVERY = 6
"""Every so many seeds there is an arbiter."""

SEATS = (2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 7)
"""How many sit down; large tables cost more than they teach."""

SEALED_SEATS = (2, 3, 4)
"""The same at the small game with the sealed dealer."""

REALMS = (
    (2, RealmsOptions(unlinkable_hands=False)),
    (2, RealmsOptions(mode="duel")),
    (3, RealmsOptions(unlinkable_hands=False)),
    (2, RealmsOptions(mode="duel", extra_suits=True)),
    (3, RealmsOptions(mode="chaos", seconds=10)),
    (2, RealmsOptions(cursed_items=True)),
    (2, RealmsOptions(extra_suits=True, jester=True, phoenix="deluxe", unlinkable_hands=False)),
    (2, RealmsOptions(rounds=2, unlinkable_hands=False)),
    (3, RealmsOptions(cursed_items=True, unlinkable_hands=False)),
    (4, RealmsOptions(unlinkable_hands=False)),
    (4, RealmsOptions(mode="chaos", extra_suits=True, seconds=10)),
    (2, RealmsOptions(mode="duel", cursed_items=True)),
    (3, RealmsOptions(extra_suits=True, phoenix="promo", points=100, unlinkable_hands=False)),
    (5, RealmsOptions(unlinkable_hands=False)),
)
"""Tables of Fantasy Realms in turn: every mode and option."""

WEATHER = (
    Conditions(delay=(0.001, 0.02), reorder=False),
    Conditions(delay=(0.0, 0.5)),
    Conditions(delay=(0.01, 0.1), loss=0.05, duplicate=0.05),
    Conditions(delay=(0.0, 0.1), loss=0.2, duplicate=0.1),
    Conditions(delay=(0.001, 0.05), reorder=False, cut_every=2.0),
    Conditions(delay=(0.0, 0.15), loss=0.05, duplicate=0.05, cut_every=3.0),
)
"""From a good cable to a bad radio."""

SLOWEST = 0.8
"""Seconds of the slowest clock in a second of the world."""

FaultKind: TypeAlias = Literal["partition", "sleep", "full-disk", "kill", "jump"]


class Death(msgspec.Struct, frozen=True):
    """The seat at `place` is killed at its write number `write`, just before it or just after it, and is back after
    `away` seconds with what it wrote."""

    place: int
    write: int
    before: bool
    away: float


class Fault(msgspec.Struct, frozen=True):
    """Something that happens `at` so many seconds and lasts. `places`: whom it is about; of a partition, one side."""

    kind: FaultKind
    at: float
    lasts: float
    places: tuple[int, ...]
    lost: bool = False
    """Of a sleep: whether the clock stands meanwhile."""


class Plan(msgspec.Struct, frozen=True):
    """One trial. `cheat`: the name of an adversary (of `CHEATS` or `ARBITER_CHEATS`) who is at `cheat_place` and cheats
    from step `cheat_step` on. `clocks`: by place, rate and start of its clock."""

    seed: int
    seats: int
    game: str
    options: Any
    provided: Provisions
    dealer: str
    conditions: Conditions
    clocks: tuple[tuple[float, float], ...]
    deaths: tuple[Death, ...] = ()
    faults: tuple[Fault, ...] = ()
    cheat: str | None = None
    cheat_place: int = 0
    cheat_step: int = 0

    @property
    def places(self) -> int:
        """How many programs there are: the seats, and behind them the arbiter, if there is one."""
        return self.seats + self.provided.arbiter

    @property
    def lying_arbiter(self) -> bool:
        """Whether the cheat is the arbiter."""
        return self.cheat is not None and self.cheat_place == self.seats

    @property
    def may_be_stuck(self) -> bool:
        """Whether a seat may be gone for good and nothing can be decided about it."""
        lone = self.seats == 2 and not self.provided.arbiter
        waits = self.seats > 2 and self.provided.on_loss == "adjourn"
        return self.cheat is not None and (lone or waits or not self.calm)

    @property
    def calm(self) -> bool:
        """Whether nothing happens that could cost an honest seat its place: no loss, no fault, nobody away."""
        fair = self.conditions.loss == 0 and self.conditions.cut_every == 0
        return fair and not self.deaths and not self.faults


def draw_plan(
    seed: int,
    *,
    dealer: str | None = None,
    seats: int | None = None,
    cheat: str | None = None,
    arbiter: bool | None = None,
) -> Plan:
    """The plan of this seed; the arguments overrule a part of it (a table of which the number of seats or the cheat is
    given has no arbiter unless it is asked for)."""
    dice = random.Random(seed)  # noqa: S311 - a simulation repeats itself on purpose
    deals = dealer or ("sealed" if seed % SEALED_EVERY == SEALED_EVERY // 2 else "clear")
    game, places, options = _table(seed, dice, SEALED_SEATS if deals == "sealed" else SEATS, seats)
    places = seats or places
    # Four in ten have an adversary, and seven in ten more trouble than the weather; some have both.
    liar = cheat or (dice.choice(sorted(CHEATS)) if dice.random() < 0.4 else None)
    liar_place = dice.randrange(places)
    harm = dice.random() < 0.7
    plan = Plan(
        seed=seed,
        seats=places,
        game=game,
        options=options,
        provided=msgspec.structs.replace(
            _provisions(dice, places, 20 if liar is None else 5), audit=seed % AUDIT_EVERY == AUDIT_EVERY - 1
        ),
        dealer=deals,
        conditions=dice.choice(WEATHER),
        clocks=tuple(_clock(dice) for _ in range(places)),
        deaths=_deaths(dice, places) if harm else (),
        faults=_faults(dice, places) if harm else (),
        cheat=liar,
        cheat_place=liar_place,
        cheat_step=dice.randrange(1, 12),
    )
    if arbiter is None:
        arbiter = seats is None and cheat is None and seed % ARBITER_EVERY == 3
    return _with_arbiter(plan, harm=harm) if arbiter else plan


def _with_arbiter(plan: Plan, *, harm: bool) -> Plan:
    """The same table with an arbiter, to whom things happen too; where a seat was going to lie, sometimes it lies."""
    dice = random.Random(f"arbiter {plan.seed}")  # noqa: S311 - as above
    place, deaths, faults = plan.seats, plan.deaths, plan.faults
    if harm:
        for write in range(2, 2 + dice.choice((0, 0, 1, 2, 4))):
            deaths += (Death(place, write, dice.random() < 0.5, dice.uniform(0.2, 4.0)),)
        kind: FaultKind = dice.choice(("kill", "sleep", "full-disk", "jump"))
        at, lasts = dice.uniform(0.3, 12.0), dice.uniform(0.3, 15.0)
        faults = tuple(_other_side(fault, place, dice) for fault in faults)
        faults += (Fault(kind, at, lasts, (place,), lost=dice.random() < 0.5),)
    provided = msgspec.structs.replace(plan.provided, arbiter=True)
    if plan.seats == 2:
        provided = msgspec.structs.replace(provided, on_loss="stop")
    lies = plan.cheat is not None and dice.random() < 0.4
    return msgspec.structs.replace(
        plan,
        provided=provided,
        clocks=(*plan.clocks, _clock(dice)),
        deaths=deaths,
        faults=faults,
        cheat=dice.choice(sorted(ARBITER_CHEATS)) if lies else plan.cheat,
        cheat_place=place if lies else plan.cheat_place,
    )


def _other_side(fault: Fault, arbiter: int, dice: random.Random) -> Fault:
    """The arbiter stands on either side of a partition."""
    if fault.kind != "partition" or dice.random() < 0.5:
        return fault
    return msgspec.structs.replace(fault, places=(*fault.places, arbiter))


def _table(seed: int, dice: random.Random, often: tuple[int, ...], seats: int | None) -> tuple[str, int, Any]:
    """Game, seats and options; where a number of seats is asked for, options with which so many can play."""
    if seed % REALMS_EVERY == 0:
        rows = [(places, realms) for places, realms in REALMS if seats is None or _playable(realms, seats)]
        places, realms = rows[seed // REALMS_EVERY % len(rows)]
        return GAME.name, places, realms
    change, coin, peek = (dice.random() < chance for chance in (0.5, 0.7, 0.7))
    options = pocket.Options(bets=dice.choice((1, 1, 2)), peek=peek, change=change, coin=coin)
    return pocket.POCKET.name, dice.choice(often), options


def _playable(options: RealmsOptions, seats: int) -> bool:
    try:
        GAME.check_options(options, seats)
    except UserError:
        return False
    return True


def _provisions(dice: random.Random, seats: int, away: int) -> Provisions:
    """Short clocks, so that they run out; the players of the simulator take less than a second. `away`: the shortest
    time that a seat may be away; tables of honest people should not be lost before they have begun."""
    move = dice.choice((0, 0, 5, 20))
    clock = Clock(
        move, dice.choice((0, 10)) if move else 0, dice.choice((0, 1)) if move else 0, dice.choice((5, 20, 60))
    )
    on_loss: OnLoss = "stop" if dice.random() < (0.3 if seats == 2 else 0.9) else "adjourn"
    return Provisions(clock, seats > 2 and dice.random() < 0.5, on_loss)


def _clock(dice: random.Random) -> tuple[float, float]:
    if dice.random() < 0.5:
        return 1.0, 0.0
    return dice.uniform(SLOWEST, 1.2), dice.uniform(0.0, 1e6)


def _deaths(dice: random.Random, seats: int) -> tuple[Death, ...]:
    """Never at the first write: whoever dies before it has not sat down yet."""
    found = []
    for place in range(seats):
        if dice.random() < 0.35:
            for _ in range(dice.choice((1, 1, 2, 3))):
                away = dice.uniform(10.0, 40.0) if dice.random() < 0.1 else dice.uniform(0.2, 4.0)
                found.append(Death(place, dice.randrange(2, 36), dice.random() < 0.5, away))
    return tuple(found)


def _faults(dice: random.Random, seats: int) -> tuple[Fault, ...]:
    found = []
    if dice.random() < 0.4:
        side = tuple(sorted(dice.sample(range(seats), dice.randrange(1, seats))))
        found.append(Fault("partition", dice.uniform(0.3, 12.0), dice.uniform(0.5, 12.0), side))
    chances: dict[FaultKind, float] = {"sleep": 0.3, "full-disk": 0.3, "kill": 0.2, "jump": 0.2}
    for kind, chance in chances.items():
        if dice.random() < chance:
            where = (dice.randrange(seats),)
            at, lasts = dice.uniform(0.3, 12.0), dice.uniform(0.3, 15.0)
            found.append(Fault(kind, at, lasts, where, lost=dice.random() < 0.5))
    return tuple(found)
