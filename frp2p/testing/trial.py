"""One trial of the simulator: a plan is played by real peers, and everything that must hold is checked.

Agreement: no two honest seats ever have different finals. No false accusation: nobody honest is ever blamed or signs
two statements for one place. Honest games finish: unless somebody cheats, all seats come to one record, which a third
person can verify. No secret before finality: on every frame. Private cards are in nobody else's view.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from hashlib import sha256

import msgspec

from frp2p.deal.clear import ClearKind
from frp2p.deal.dealer import DealerKind
from frp2p.deal.sealed import SealedKind
from frp2p.ledger.signing import Signer
from frp2p.table.peer import Peer
from frp2p.testing.cheat import Cheat
from frp2p.testing.cheats import CHEATS
from frp2p.testing.cheats_arbiter import ARBITER_CHEATS
from frp2p.testing.checks import Checks, Outcome
from frp2p.testing.machine import Machine
from frp2p.testing.network import Disk, MemoryNetwork
from frp2p.testing.plan import GAMES, SLOWEST, Fault, Plan
from frp2p.testing.table import NAMES, REDIAL_SECONDS, seeded
from frp2p.testing.watching import Broken, Clashes, Privacy, Statements, finals_of

DEALERS: dict[str, DealerKind] = {"clear": ClearKind(), "sealed": SealedKind()}

PATIENCE = 3600.0
"""Seconds of the world in which an honest table has to come to its end; the longest match takes a quarter of this."""

STUCK = 100.0
"""Seconds of the world, after the last fault and the time that a seat may be away, in which something has to become
final at a table that may be stuck, or it is given up: for the clocks of moves, and for ballots."""

MAX_FRAMES = 400_000
"""Frames of one trial; the largest match takes a tenth. More is a storm."""

DEAD_LINK = 10.0
"""Seconds of sleep after which the others have given up the links."""

LOOK_EVERY = 13
"""Every so many inputs the views of a seat are looked at."""

THINK = 0.2
"""The longest time that a player takes for a move, in seconds."""


class Result(msgspec.Struct, frozen=True):
    """How a trial ended. `convicted`: whether an honest seat has evidence against the cheat; `faults`: what was done to
    the table, by kind; `steps`: final ones; `seconds`: of its world.
    """

    seed: int
    outcome: Outcome
    cheat: str | None
    convicted: bool
    steps: int
    frames: int
    seconds: float
    faults: dict[str, int]


class Trial:
    """The world of one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game = GAMES[plan.game]
        self.network = MemoryNetwork(plan.seed, plan.conditions)
        self.machines: list[Machine] = []
        self.keys: list[bytes] = []
        self.faults: Counter[str] = Counter()
        self.honest = [place for place in range(plan.places) if plan.cheat is None or place != plan.cheat_place]
        self._dice = random.Random(f"trial {plan.seed}")  # noqa: S311 - repeats itself on purpose
        self._signers = [Signer(sha256(f"trial {plan.seed} {place}".encode()).digest()) for place in range(plan.places)]
        self._deciding: set[int] = set()
        self._ended: set[int] = set()
        self._dead: set[int] = set()
        self._inputs = 0
        self._privacy = [Privacy() for _ in range(plan.places)]
        self._writes: Counter[int] = Counter()
        self._lives: list[tuple[int, list[tuple[bytes, ...]]]] = []
        """What was final for a seat when it died."""
        self._deaths = {(death.place, death.write): death for death in plan.deaths}
        for place in range(plan.places):
            self._sit_down(place)
        honest = frozenset(self.keys[place] for place in self.honest)
        self.statements = Statements(self.network, self.machines[0].peer, honest)
        peers = {self.keys[place]: partial(self._now_at, place) for place in self.honest}
        self.clashes = Clashes(self.network, peers, self.keys[plan.cheat_place]) if plan.cheat and plan.calm else None
        self.network.on_persist = self._at_write
        for fault in plan.faults:
            self.network.later(fault.at, partial(self._begin, fault))

    # -- the table -----------------------------------------------------------------------------------------------------

    def _peer(self, place: int, *chance: object) -> Peer:
        return Peer(
            self._signers[place],
            NAMES[place],
            games={self.plan.game: self.game},
            dealers={self.plan.dealer: DEALERS[self.plan.dealer]},
            addresses=(f"p{place}:1",),
            entropy=seeded(self.plan.seed, place, *chance),
        )

    def _sit_down(self, place: int) -> None:
        plan, peer, signer = self.plan, self._peer(place), self._signers[place]
        rate, ahead = plan.clocks[place]
        if place in self.honest or plan.cheat is None:
            machine = Machine(peer, rate, ahead)
        else:
            machine = self._cheat((CHEATS | ARBITER_CHEATS)[plan.cheat], peer, rate, ahead, signer)
        machine.after = partial(self._look, place)
        self.machines.append(machine)
        self.keys.append(signer.public_key)
        self.network.add(signer.public_key, machine, f"p{place}:1")
        if place == 0:
            peer.host(plan.game, plan.options, plan.seats, plan.dealer, provided=plan.provided)
        else:
            peer.join(self.keys[0], arbiter=place == plan.seats)
            self._dial(place)

    def _cheat(self, kind: type[Cheat], peer: Peer, rate: float, ahead: float, signer: Signer) -> Cheat:
        dice = random.Random(f"cheat {self.plan.seed}")  # noqa: S311 - repeats itself on purpose
        cheat = kind(peer, rate, ahead, signer, dice, self.plan.cheat_step)
        cheat.later = self.network.later
        cheat.settle = self.network.settle
        cheat.world = lambda: self.network.clock.now
        cheat.reborn = partial(self._reborn, self.plan.cheat_place)
        cheat.vanish = partial(self._vanish, self.plan.cheat_place)
        return cheat

    def _dial(self, place: int) -> None:
        """As somebody would who waits for the lobby to show up."""
        status = self.machines[place].peer.status()
        if status.phase == "lobby" and not status.seats:
            if place not in self._dead:
                self.network.dial(self.keys[place], "p0:1")
            self.network.later(REDIAL_SECONDS, partial(self._dial, place))

    def _now_at(self, place: int) -> Peer:
        return self.machines[place].peer

    # -- players -------------------------------------------------------------------------------------------------------

    def _look(self, place: int) -> None:
        """After every input of this seat."""
        peer = self.machines[place].peer
        if peer.ended:
            self._ended.add(place)
        elif peer.asked and place not in self._deciding:
            self._deciding.add(place)
            self.network.later(self._dice.uniform(0, THINK), partial(self._act, place))
        self._inputs += 1
        if self._inputs % LOOK_EVERY == 0 and place in self.honest:
            self.network.later(0.0, partial(self._look_closer, place))

    def _look_closer(self, place: int) -> None:
        """Once what it had to tell is told."""
        machine = self.machines[place]
        if place not in self._dead and not machine.idle:
            self._privacy[place].check(machine.peer, self.network.events[self.keys[place]])

    def _act(self, place: int) -> None:
        self._deciding.discard(place)
        machine = self.machines[place]
        if place in self._dead or machine.idle or not machine.peer.asked:
            return
        legal = machine.peer.legal()
        if not legal:
            raise Broken("legal", f"seat of place {place} is asked and has no legal move")
        move = self._dice.choice(legal) if self._dice.random() < 0.5 else legal[0]
        machine.act(move, self.network.clock.now)
        self.network.settle()
        self._look(place)

    # -- faults --------------------------------------------------------------------------------------------------------

    def _at_write(self, key: bytes) -> Disk:
        place = self.keys.index(key)
        self._writes[place] += 1
        death = self._deaths.get((place, self._writes[place]))
        if death is None:
            return "fine"
        self._die(place, death.away)
        return "dies-before" if death.before else "dies-after"

    def _vanish(self, place: int) -> None:
        """It is gone for good."""
        if self.network.has(self.keys[place]):
            self._dead.add(place)
            self.faults["gone"] += 1
            self.network.remove(self.keys[place])

    def _die(self, place: int, away: float) -> None:
        self.faults["killed"] += 1
        self._dead.add(place)
        self._lives.append((place, finals_of(self.machines[place].peer)))
        self.network.later(away, partial(self._revive, place))

    def _revive(self, place: int) -> None:
        """A new process with nothing but the journal; its own generator says other things now."""
        network, key, machine = self.network, self.keys[place], self.machines[place]
        if self.faults["gone"] and place not in self.honest:
            return
        peer = self._reborn(place)
        self._dead.discard(place)
        self._ended.discard(place)
        self._deciding.discard(place)
        machine.restart(peer)
        network.replace(key, machine)
        network.settle()
        self._look(place)

    def _reborn(self, place: int) -> Peer:
        """A peer with nothing but the journal of this seat."""
        peer, network = self._peer(place, "life", len(self._lives)), self.network
        records = [record for write in network.journals[self.keys[place]] for record in write]
        peer.restore(records, self.machines[place].local(network.clock.now))
        return peer

    def _begin(self, fault: Fault) -> None:
        place = fault.places[0]
        machine = self.machines[place]
        phase = machine.peer.status().phase
        if (fault.kind in ("sleep", "jump") and phase == "lobby") or (fault.kind == "jump" and phase == "setup"):
            self.network.later(1.0, partial(self._begin, fault))  # it would only give the table up before it begins
            return
        if fault.kind != "partition" and (place in self._dead or machine.idle):
            return
        match fault.kind:
            case "partition":
                self.network.partition([self.keys[place] for place in fault.places])
                self.network.later(fault.lasts, self.network.heal)
            case "sleep":
                machine.sleep()
                if fault.lasts > DEAD_LINK:
                    self.network.cut(self.keys[place])
                lost = fault.lasts if fault.lost else 0.0
                self.network.later(fault.lasts, partial(self._up, place, partial(machine.wake, lost)))
            case "full-disk":
                machine.full = True
                self.network.later(fault.lasts, partial(self._up, place, machine.make_room))
            case "jump":
                machine.jump(100 * fault.lasts)
            case "kill":
                if len(self.network.journals.get(self.keys[place], ())) < (1 if place == self.plan.seats else 2):
                    return
                self._die(place, fault.lasts)
                self.network.remove(self.keys[place])
        self.faults[fault.kind] += 1

    def _up(self, place: int, action: Callable[[float], None]) -> None:
        """Its computer can go on, unless it was switched off meanwhile."""
        machine = self.machines[place]
        if place in self._dead or not (machine.asleep or machine.full):
            return
        action(self.network.clock.now)
        self.network.settle()
        self._look(place)

    # -- the end -------------------------------------------------------------------------------------------------------

    def run(self) -> Result:
        """Play and check. Broken if something does not hold; whatever a peer raises is a fault of it, too."""
        plan, network = self.plan, self.network
        everybody = set(self.honest)

        def done() -> bool:
            if network.frames > MAX_FRAMES:
                raise Broken("storm", f"{network.frames} frames")
            return self._ended >= everybody and not self._dead & everybody

        finished = self._play_on(done) if plan.may_be_stuck else network.run(done, PATIENCE)
        peers = {place: self.machines[place].peer for place in self.honest}
        checks = Checks(plan, self.game, DEALERS, peers, network.events, self.keys)
        checks.agreement([life for place, life in self._lives if place in self.honest])
        checks.blame()
        if isinstance(liar := self.machines[plan.cheat_place], Cheat):
            checks.wrong(liar.wrong)
        if self.clashes is not None:
            checks.convictions(self.clashes.heard)
        outcome = checks.end(finished)
        self.faults.update({"lost": network.lost, "doubled": network.doubled, "cut": network.cuts})
        faults = {kind: count for kind, count in sorted(self.faults.items()) if count}
        steps = max(len(finals_of(peer)) for peer in peers.values())
        return Result(
            plan.seed, outcome, plan.cheat, checks.convicted, steps, network.frames, network.clock.now, faults
        )

    def _play_on(self, done: Callable[[], bool]) -> bool:
        """Until the end, or until nothing has become final for as long as anybody may have to be waited for."""
        # A seat that was killed begins to wait anew, and clocks may be slow.
        waits = self.plan.provided.clock.away_seconds * (1 + len(self.plan.deaths)) / SLOWEST
        limit, before = self._last_fault() + waits + STUCK, -1
        while self._final() > before and self.network.clock.now < PATIENCE:
            before = self._final()
            if self.network.run(done, limit):
                return True
        return False

    def _final(self) -> int:
        """The steps that are final at the honest seats, all together."""
        return sum(self.machines[place].peer.status().step for place in self.honest)

    def _last_fault(self) -> float:
        faults = [fault.at + fault.lasts for fault in self.plan.faults]
        return max(faults, default=0.0) + sum(death.away for death in self.plan.deaths)


def play(plan: Plan) -> Result:
    """One trial."""
    return Trial(plan).run()


__all__ = ["DEALERS", "Broken", "Outcome", "Result", "Trial", "play"]
