"""Dealing: shuffles with their proofs against the floor, shares, coins, and the set-up of a whole table.

The floor of a job is the group operations that it does (counted by an instrumented group), measured alone, as many of
them in a row, so the ratio shows what Python adds. Times are the least of several runs: a busy machine only adds.
Those of the jobs are processor time of one thread, as if each seat had a core to itself.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import cycle, islice, pairwise
from typing import Any

import msgspec

from frp2p.cards import CardId
from frp2p.deal import SealedKind
from frp2p.deal.elgamal import Ciphertext, remask
from frp2p.deal.entropy import fresh, permutation
from frp2p.deal.generators import Generators
from frp2p.deal.group import Group, Point, hash_to_group
from frp2p.deal.group.pure import PureGroup
from frp2p.deal.group.sodium import SodiumGroup
from frp2p.deal.proofs import dleq, dleq_batch, exclude
from frp2p.deal.proofs.shuffle import Prover, Statement, verify
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces
from frp2p.games.verbs import TABLE, Coin, Draw, Seal, Shuffle, Verb

Row = tuple[str, float, str]
MILLI, MICRO = 1e3, 1e6


class CountingGroup(SodiumGroup):
    """Counts what is done; sums of products count as the operations that they are made of."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def point(self, data: bytes) -> Point:
        self.counts["point"] += 1
        return super().point(data)

    def base(self, scalar: int) -> Point:
        self.counts["base"] += 1
        return super().base(scalar)

    def mul(self, point: Point, scalar: int) -> Point:
        self.counts["mul"] += 1
        return super().mul(point, scalar)

    def add(self, left: Point, right: Point) -> Point:
        self.counts["add"] += 1
        return super().add(left, right)

    def sub(self, left: Point, right: Point) -> Point:
        self.counts["add"] += 1
        return super().sub(left, right)


def least(repeats: int, job: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the fastest run."""
    best = float("inf")
    for _ in range(repeats):
        started = clock()
        job()
        best = min(best, clock() - started)
    return best


class Operations:
    """Group operations and nothing else, over many different operands, as in a proof."""

    OPERANDS = 100

    def __init__(self) -> None:
        self.group = SodiumGroup()
        self.points = [hash_to_group(self.group, f"operand {at}") for at in range(self.OPERANDS)]
        self.scalars = Nonces(secret=1, entropy=fresh, state=b"").take(self.OPERANDS)

    def do(self, work: Mapping[str, int]) -> None:
        """So many of each: the floor of a job that does these."""
        group, points = self.group, cycle(self.points)
        pairs, terms = cycle(pairwise(self.points)), cycle(zip(self.points, self.scalars, strict=True))
        for scalar in islice(cycle(self.scalars), work.get("base", 0)):
            group.base(scalar)
        for point, scalar in islice(terms, work.get("mul", 0)):
            group.mul(point, scalar)
        for one, two in islice(pairs, work.get("add", 0)):
            group.add(one, two)
        for point in islice(points, work.get("point", 0)):
            group.point(point)


class Job:
    """One shuffle of `size` cards: what each part takes with `group`."""

    def __init__(self, group: Group, size: int) -> None:
        self.group = group
        self.key = group.base(12345)
        self.generators = Generators(group)
        self.generators.sum(size)
        cards = [hash_to_group(group, f"card {at}") for at in range(size)]
        self.before = [
            Ciphertext(group.base(at + 2), group.add(card, group.mul(self.key, at + 2)))
            for at, card in enumerate(cards)
        ]
        self.order = permutation(fresh, size)
        self.masks = Nonces(secret=1, entropy=fresh, state=b"").take(size)
        self.shuffle()
        self.prove()

    def shuffle(self) -> None:
        self.after = [
            remask(self.group, self.key, self.before[at], mask) for at, mask in zip(self.order, self.masks, strict=True)
        ]

    def statement(self) -> Statement:
        return Statement(Scope(self.group, b"ctx", b"event"), self.generators, self.key, self.before, self.after)

    def prove(self) -> None:
        self.proof = Prover(self.statement(), self.order, self.masks).prove(1, fresh)

    def verify(self) -> None:
        verify(self.statement(), self.proof)


def against_floor(jobs: Mapping[str, tuple[Callable[[], object], Mapping[str, int]]], repeats: int) -> list[Row]:
    """Milliseconds of each job (with what it does), and their ratio to the floor.

    A job and its floor take turns and the least of each counts: the machine's pace drifts, and others want it.
    """
    rows: list[Row] = []
    operations = Operations()
    for name, (job, work) in jobs.items():
        took = floor = float("inf")
        for _ in range(repeats):
            floor = min(floor, least(1, partial(operations.do, work), time.thread_time))
            took = min(took, least(1, job, time.thread_time))
        rows.append((name, took * MILLI, "ms"))
        rows.append((f"{name}, times the floor", took / floor, "x"))
    return rows


def counted(counting: CountingGroup, job: Callable[[], object]) -> dict[str, int]:
    """The operations of one run with this group."""
    counting.counts.clear()
    job()
    return dict(counting.counts)


def shuffles(size: int, repeats: int) -> list[Row]:
    """Shuffle, prove and verify: milliseconds, and the ratio to the floor of each."""
    counting = CountingGroup()
    with_counts, timed = Job(counting, size), Job(SodiumGroup(), size)
    jobs = {
        f"{name} {size} cards": (getattr(timed, name), counted(counting, getattr(with_counts, name)))
        for name in ("shuffle", "prove", "verify")
    }
    proof = float(len(msgspec.msgpack.encode(timed.proof)))
    return [*against_floor(jobs, repeats), (f"proof of shuffle, {size} cards", proof, "bytes")]


def shares(count: int, repeats: int) -> list[Row]:
    """Decryption shares of one seat with their proof."""
    group = SodiumGroup()
    secret = 987654321
    key, scope = group.base(secret), Scope(group, b"ctx", b"event")
    a = [hash_to_group(group, f"mask {at}") for at in range(count)]
    d = [group.mul(point, secret) for point in a]
    prove: Callable[[], Any] = partial(dleq_batch.prove, scope, key, a, d, secret, fresh)
    check: Callable[[Any], object] = partial(dleq_batch.verify, scope, key, a, d)
    if count == 1:
        prove = partial(dleq.prove, scope, key, a[0], d[0], secret, fresh)
        check = partial(dleq.verify, scope, key, a[0], d[0])
    proof = prove()
    return [
        (f"prove {count} decryption share(s)", least(repeats, prove) * MILLI, "ms"),
        (f"verify {count} decryption share(s)", least(repeats, lambda: check(proof)) * MILLI, "ms"),
    ]


def exclusion(repeats: int) -> list[Row]:
    """A hand of seven holds none of five cards."""
    secret, counting = 987654321, CountingGroup()

    def claim(group: Group) -> exclude.Statement:
        key = group.base(secret)
        cards = [hash_to_group(group, f"card {at}") for at in range(12)]
        hand = [Ciphertext(group.base(7), group.add(card, group.mul(key, 7))) for card in cards[:7]]
        return exclude.Statement(Scope(group, b"ctx", b"event"), key, hand, cards[7:])

    timed, with_counts = claim(SodiumGroup()), claim(counting)
    proof = exclude.prove(timed, secret, fresh)
    name = "exclude 5 cards from a hand of 7"
    jobs = {
        f"{name}: prove": (
            lambda: exclude.prove(timed, secret, fresh),
            counted(counting, lambda: exclude.prove(with_counts, secret, fresh)),
        ),
        f"{name}: verify": (
            lambda: exclude.verify(timed, proof),
            counted(counting, lambda: exclude.verify(with_counts, proof)),
        ),
    }
    return [*against_floor(jobs, repeats), (f"{name}: proof", float(len(msgspec.msgpack.encode(proof))), "bytes")]


def pure(size: int) -> list[Row]:
    """The back end without libsodium, with all its tables and decoded points warm."""
    job = Job(PureGroup(), size)
    job.verify()
    return [
        (f"{name} {size} cards, pure back end", least(2, getattr(job, name)) * MILLI, "ms")
        for name in ("shuffle", "prove", "verify")
    ]


class Meter:
    """All peers of a table in one process; adds up the critical path as if each seat had a core of its own.

    Processor time. `saved`: what a second core of each seat takes off, as the next shuffles while it checks the last.
    """

    def __init__(self, seats: int, decks: Mapping[str, tuple[CardId, ...]]) -> None:
        kind = SealedKind(SodiumGroup())
        identities = tuple(bytes([at]) * 32 for at in range(seats))
        self.path = 0.0
        self.saved = 0.0
        self.bytes = 0
        setups = {
            me: kind.setup(
                charter_digest=b"c" * 32,
                params_digest=b"p" * 32,
                identities=identities,
                decks=decks,
                me=me,
                entropy=fresh,
            )
            for me in range(seats)
        }
        self.run(setups)
        self.peers: dict[int, Any] = {me: self.timed(setup.finish) for me, setup in setups.items()}

    def timed(self, job: Callable[..., Any], *arguments: Any) -> Any:
        started = time.thread_time()
        value = job(*arguments)
        self.last = time.thread_time() - started
        return value

    def run(self, machines: Mapping[int, Any], cascade: bool = False) -> None:
        """Every round: the slowest speaker, then the slowest listener."""
        before = 0.0
        while speakers := machines[0].speakers():
            said, speaking, listening = {}, [], []
            for seat in speakers:
                said[seat] = self.timed(machines[seat].speak)
                speaking.append(self.last)
                self.bytes += len(msgspec.msgpack.encode(said[seat]))
            for machine in machines.values():
                listening.append(0.0)
                for seat in speakers:
                    self.timed(machine.check, seat, said[seat])
                    listening[-1] += self.last
                self.timed(machine.close, said)
                listening[-1] += self.last
            self.path += max(speaking) + max(listening)
            self.saved += min(before, max(speaking)) if cascade else 0.0
            before = max(listening)

    def do(self, *verbs: Verb) -> tuple[Any, ...]:
        slowest, outcomes = 0.0, ()
        for peer in self.peers.values():
            self.timed(peer.begin, verbs, b"e" * 32)
            slowest = max(slowest, self.last)
        self.run(self.peers, cascade=any(isinstance(verb, Shuffle) and verb.by == TABLE for verb in verbs))
        for peer in self.peers.values():
            outcomes = self.timed(peer.finish)
            slowest = max(slowest, self.last)
        self.path += slowest
        return outcomes

    def ready(self, name: str, size: int, hands: int) -> None:
        """Seal, shuffle by all, draw a hand for every seat, hide the hands."""
        cards = self.peers[0].decks.cards[name][:size]
        (deck,) = self.do(Seal(cards, TABLE))
        (deck,) = self.do(Shuffle(deck.slots, TABLE))
        if hands:
            drawn = self.do(*(Draw(deck.slots[hands * at : hands * (at + 1)], at) for at in self.peers))
            self.do(*(Shuffle(hand.slots, at) for at, hand in enumerate(drawn)))


def tables(quick: bool) -> list[Row]:
    """From the first nonce to the hands dealt and hidden: sum of all work and critical path, from measured parts."""
    rows: list[Row] = []
    for seats, hand, items in ((4, 53, 0),) if quick else ((4, 53, 0), (7, 78, 24)):
        decks = {"hand": tuple(CardId(f"H{at}") for at in range(hand))}
        if items:
            decks["items"] = tuple(CardId(f"I{at}") for at in range(items))
        started = time.thread_time()
        meter = Meter(seats, decks)
        meter.ready("hand", hand, 7)
        if items:
            meter.ready("items", items, 0)
        work = time.thread_time() - started
        name = f"{seats} seats, {hand}{f' + {items}' if items else ''} cards ready"
        rows.append((f"{name}, a core each (critical path)", meter.path * MILLI, "ms"))
        rows.append((f"{name}, two cores each", (meter.path - meter.saved) * MILLI, "ms"))
        rows.append((f"{name}, work of all seats", work * MILLI, "ms"))
        rows.append((f"{name}, said by all seats", meter.bytes / 1e3, "kB"))
    meter = Meter(4, {"hand": (CardId("H0"),)})
    meter.path = 0.0
    meter.do(Coin(4))
    rows.append(("coin of 4 seats (critical path)", meter.path * MILLI, "ms"))
    return rows


def run(quick: bool) -> list[Row]:
    """Name, value and unit of every figure."""
    repeats, operations, many = 8 if quick else 25, Operations(), 200
    rows: list[Row] = []
    for kind in ("base", "mul", "add", "point"):
        took = least(repeats, partial(operations.do, {kind: many}), time.thread_time)
        rows.append((f"one group operation: {kind}", took / many * MICRO, "us"))
    for size in (53, 78) if quick else (7, 24, 53, 78):
        rows += shuffles(size, repeats)
    for count in (1, 7, 49):
        rows += shares(count, repeats)
    return rows + exclusion(repeats) + pure(53) + tables(quick)
