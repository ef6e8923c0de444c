"""How much better the greedy bot plays than random play: `python3 scripts/measure_bots.py MODE [GAMES]`.

It sits at each seat in turn, all other seats play at random. Printed are points with 95 % margins, and the time of a
decision on one core. docs/bots.md has what came out.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence

from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.ranking import sums
from frp2p.games.fantasy_realms.state import State
from frp2p.games.fantasy_realms.view import View
from frp2p.games.game import Move
from frp2p.players.greedy import Greedy
from frp2p.players.random_bot import Random
from frp2p.players.selfplay import Decider, run_quick

TABLES = {
    "standard": (Options(), 4),
    "duel": (Options(mode="duel"), 2),
    "chaos": (Options(mode="chaos", seconds=60), 4),
    "extra": (Options(extra_suits=True), 4),
    "items": (Options(cursed_items=True), 4),
    "match": (Options(rounds=3), 4),
    "all": (Options(cursed_items=True, extra_suits=True, jester=True, phoenix="deluxe"), 5),
}
"""Options and seats."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=TABLES)
    parser.add_argument("games", type=int, nargs="?", default=200)
    arguments = parser.parse_args()
    options, seats = TABLES[arguments.mode]
    mine: list[float] = []
    theirs: list[float] = []
    seconds: list[float] = []
    first = 0
    for seed in range(arguments.games):
        totals = list(_totals(options, seats, seed, seconds))
        own = totals.pop(seed % seats)
        first += own > max(totals)
        mine.append(own)
        theirs.append(statistics.mean(totals))
    lead = [one - other for one, other in zip(mine, theirs, strict=True)]
    sys.stdout.write(
        f"{arguments.mode}: {arguments.games} games of {seats}; greedy {_with_margin(mine)}, random"
        f" {_with_margin(theirs)}, lead {_with_margin(lead)}; alone in front in {first}; a decision takes"
        f" {1000 * statistics.mean(seconds):.0f} ms on average, {1000 * _quantile(seconds, 0.99):.0f} ms in 99 of 100\n"
    )
    return 0


def _totals(options: Options, seats: int, seed: int, seconds: list[float]) -> tuple[int, ...]:
    """The points of all seats; the bot sits at `seed % seats`."""
    bot = Greedy()

    def greedy(view: View, legal: tuple[Move, ...]) -> Move:
        start = time.process_time()
        move = bot.choose(view, legal)
        seconds.append(time.process_time() - start)
        return move

    deciders: list[Decider] = [Random(100 * seed + seat).choose for seat in range(seats)]
    deciders[seed % seats] = greedy
    last: State = run_quick(GAME, options, deciders, seed)
    return sums(last.rounds(), seats)


def _with_margin(values: Sequence[float]) -> str:
    margin = 1.96 * statistics.stdev(values) / len(values) ** 0.5
    return f"{statistics.mean(values):.1f} +- {margin:.1f}"


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * len(values))]


if __name__ == "__main__":
    sys.exit(main())
