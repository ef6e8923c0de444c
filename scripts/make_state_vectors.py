"""Write the test vectors of the state of Fantasy Realms into protocol/vectors/fantasy-realms-states.json.

Deterministic: the same program writes the same bytes (a test compares). `--check` only compares; exit code 1 if the
file would change.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from frp2p.games.fantasy_realms import GAME, Options
from frp2p.games.fantasy_realms.moves import UseItem
from frp2p.games.fantasy_realms.state import State
from frp2p.games.game import Deal, Decide, Move
from frp2p.games.verbs import Drop, Leave, Seat
from frp2p.ledger.codec import encode
from frp2p.players.quick import QuickCroupier
from frp2p.players.random_bot import Random

PATH = Path(__file__).resolve().parents[1] / "protocol" / "vectors" / "fantasy-realms-states.json"

WHOLE_EVERY = 40
"""Of so many states one is given whole, beside the last one; of the others the digest, to keep the file small."""

TABLES: dict[str, tuple[Options, int, tuple[int, str, Seat] | None]] = {
    "standard": (Options(), 2, None),
    "linkable-hands": (Options(unlinkable_hands=False, jester=True, phoenix="promo"), 3, None),
    "duel": (Options(mode="duel"), 2, None),
    "chaos": (Options(mode="chaos", seconds=10, extra_suits=True), 3, None),
    "extra-suits": (Options(extra_suits=True), 3, None),
    "items": (Options(cursed_items=True), 3, None),
    "match": (Options(rounds=2), 2, None),
    "left": (Options(cursed_items=True, extra_suits=True), 4, (60, "out", 1)),
    "stopped": (Options(cursed_items=True), 3, (70, "stop", 2)),
}
"""Options, seats, and for some the event after which a seat is gone, how, and which one."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    text = document()
    if check:
        return 0 if PATH.read_text(encoding="utf-8") == text else 1
    PATH.write_text(text, encoding="utf-8")
    return 0


def document() -> str:
    tests = [_game(name, number) for number, name in enumerate(TABLES)]
    head = {"version": 1, "generator": "scripts/make_state_vectors.py", "count": len(tests), "tests": tests}
    return json.dumps(head, indent=1) + "\n"


def _game(name: str, seed: int) -> dict[str, Any]:
    options, seats, _gone = TABLES[name]
    first = GAME.start(options, seats)
    events = list(_events(name, seed, first))
    return {
        "id": name,
        "options": encode(options).hex(),
        "seats": seats,
        "start": _told(first, whole=True),
        "events": events,
    }


def _events(name: str, seed: int, state: State) -> Iterator[dict[str, Any]]:
    """What happened, one after the other, each with the state that it led to."""
    options, seats, gone = TABLES[name]
    croupier = QuickCroupier(GAME.decks(options), seats, seed)
    players = [Random(10 * seed + seat) for seat in range(seats)]
    number = 0
    while True:
        need = GAME.need(state)
        if gone is not None and number == gone[0]:
            _number, how, seat = gone
            croupier.carry_out((Leave(seat=seat) if how == "out" else Drop(seats=(seat,)),))
            state = GAME.out(state, (seat,)) if how == "out" else GAME.stop(state, (seat,))
            event: dict[str, Any] = {how: [seat]}
        elif isinstance(need, Decide):
            moves = {at: _move(players[at], state, at, croupier) for at in need.seats}
            state = GAME.apply(state, moves)
            event = {"moves": {str(at): encode(move).hex() for at, move in moves.items()}}
        elif isinstance(need, Deal):
            outcomes = croupier.carry_out(need.verbs)
            state = GAME.dealt(state, outcomes)
            event = {"outcomes": [encode(outcome).hex() for outcome in outcomes]}
        else:
            return
        number += 1
        last = not isinstance(GAME.need(state), Decide | Deal)
        yield {**event, **_told(state, whole=last or number % WHOLE_EVERY == 0)}


def _move(player: Random, state: State, seat: Seat, croupier: QuickCroupier) -> Move:
    """A random one; an item is used as soon as it can be."""
    legal = GAME.legal(GAME.view(state, seat, croupier.known(seat)))
    uses = tuple(move for move in legal if isinstance(move, UseItem))
    return player.choose(None, uses or legal)


def _told(state: State, *, whole: bool) -> dict[str, str]:
    wire = encode(state)
    return {"sha256": sha256(wire).hexdigest(), **({"state": wire.hex()} if whole else {})}


if __name__ == "__main__":
    sys.exit(main())
