"""A whole table in memory: real peers, a network from a seed, and players that decide by dice."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, TypeAlias

from frp2p.deal.dealer import DealerKind, Entropy
from frp2p.errors import LocalError
from frp2p.games.game import Game, Move
from frp2p.ledger.signing import Signer
from frp2p.table.peer import Peer
from frp2p.testing.network import Conditions, MemoryNetwork

NAMES = ("Ana", "Bruno", "Chiara", "Dmitri", "Emeka", "Fatima", "Goro", "Hana")
"""Seven for seats, and one more for an arbiter."""

REDIAL_SECONDS = 6.0
"""How long a guest waits for the host's lobby before it dials again; a silent link is closed after five."""

Chooser: TypeAlias = Callable[[Game, Any, tuple[Move, ...], random.Random], Move]
"""How a player decides: the game, its view, the legal moves, and dice."""


def seeded(*parts: object) -> Entropy:
    """Bytes that look random and are the same for the same parts: `Entropy` for tests, never for a game."""
    source = random.Random(sha256(repr(parts).encode()).digest())  # noqa: S311 - repeats itself on purpose
    return source.randbytes


def by_default(game: Game, view: Any, legal: tuple[Move, ...], dice: random.Random) -> Move:
    """The move that is made for somebody who does not decide."""
    return game.default(view)


def by_dice(game: Game, view: Any, legal: tuple[Move, ...], dice: random.Random) -> Move:
    """Any legal move; every other time the first (the deck, where there is one), so that a game comes to its end."""
    return dice.choice(legal) if dice.random() < 0.5 else legal[0]


class MemoryTable:
    """`seats` peers on one network; the first hosts, the others dial it. `peers` and `keys` in that order, which is
    also the order of the seats unless the network lets somebody join earlier.

    Everything follows from `seed`: identities, nonces, cards, delays and what the players do.
    """

    def __init__(
        self,
        seed: int,
        seats: int,
        game: Game,
        options: Any,
        dealer: DealerKind,
        *,
        conditions: Conditions | None = None,
        choose: Chooser = by_dice,
        think: float = 0.1,
    ) -> None:
        """`think`: the longest time that a player takes for a move, in seconds."""
        self.game = game
        self.network = MemoryNetwork(seed, conditions)
        self.peers: list[Peer] = []
        self.keys: list[bytes] = []
        self._choose = choose
        self._think = think
        self._dice = random.Random(seed)  # noqa: S311 - repeats itself on purpose
        self._deciding: set[bytes] = set()
        for place in range(seats):
            signer = Signer(sha256(f"{seed} {place}".encode()).digest())
            self._add(signer, place, {game.name: game}, {dealer.name: dealer}, seeded(seed, place))
        self.peers[0].host(game.name, options, seats, dealer.name)
        for key, peer in zip(self.keys[1:], self.peers[1:], strict=True):
            peer.join(self.keys[0])
            self._dial(key, peer)

    def _add(
        self, signer: Signer, place: int, games: Mapping[str, Game], dealers: Mapping[str, DealerKind], entropy: Entropy
    ) -> None:
        address = f"{NAMES[place].lower()}:1" if place else "host:1"
        peer = Peer(signer, NAMES[place], games=games, dealers=dealers, addresses=(address,), entropy=entropy)
        self.peers.append(peer)
        self.keys.append(signer.public_key)
        self.network.add(signer.public_key, peer, address)

    def _dial(self, key: bytes, peer: Peer) -> None:
        """As somebody would who waits for the lobby to show up."""
        if peer.status().phase == "lobby" and not peer.status().seats:
            self.network.dial(key, "host:1")
            self.network.later(REDIAL_SECONDS, partial(self._dial, key, peer))

    def play(self, seconds: float = 3600.0, until: Callable[[], bool] | None = None) -> bool:
        """Play until this holds, by default until the table is over (or stopped) at every peer; False if it takes
        longer than `seconds` of the table's time.
        """
        wanted = until or self.ended

        def watch() -> bool:
            self._decide()
            return wanted()

        return self.network.run(watch, seconds)

    def ended(self) -> bool:
        """Whether every peer has come to its end."""
        return all(peer.ended for peer in self.peers)

    def _decide(self) -> None:
        """Whoever is asked begins to think, and moves a little later."""
        for key, peer in zip(self.keys, self.peers, strict=True):
            if key not in self._deciding and peer.asked:
                self._deciding.add(key)
                self.network.later(self._dice.uniform(0, self._think), partial(self._act, key, peer))

    def _act(self, key: bytes, peer: Peer) -> None:
        self._deciding.discard(key)
        if not peer.asked:
            return
        legal = peer.legal()
        if not legal:
            raise LocalError("a player is asked and has no legal move")
        peer.act(self._choose(self.game, peer.status().view, legal, self._dice), self.network.clock.now)
        self.network.settle()
