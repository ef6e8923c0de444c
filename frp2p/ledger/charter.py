"""The charter: what all seats sign before anything else, and what the whole ledger is named after."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any

import msgspec

from frp2p.errors import LocalError, PeerFault, UserError
from frp2p.games.game import Game
from frp2p.ledger import limits
from frp2p.ledger.base32 import spell
from frp2p.ledger.chain import tagged_hash
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.names import MAX_NAME_BYTES, check_name, looks_like
from frp2p.ledger.provisions import Provisions, problem_with, provisions
from frp2p.ledger.records import Digest, Key
from frp2p.ledger.signing import check_key

VERSION = 2
"""Of the protocol. It is in the charter, which every record names by its digest: no record fits two versions."""

NONCE_SIZE = 32
"""Bytes that every seat draws afresh for each table: no two charters are equal, so no record fits two games."""

_CODE_LETTERS = 8
"""Characters of a table code: 40 bits, enough to notice that two screens show different tables."""

_Word = Annotated[str, msgspec.Meta(min_length=1, max_length=32, pattern=r"^[a-z][a-z0-9-]*\Z")]


class ChartedSeat(msgspec.Struct, frozen=True, array_like=True):
    """Who sits in a seat."""

    key: Key
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME_BYTES)]
    nonce: Annotated[bytes, msgspec.Meta(min_length=NONCE_SIZE, max_length=NONCE_SIZE)]


class Charter(msgspec.Struct, frozen=True, array_like=True, tag="charter"):
    """The game, its options (canonical bytes of `Game.options_type`), how cards are dealt, the digest of the cards that
    can appear, what is provided for losses, the seats in order, and who votes without a seat, if anybody."""

    version: Annotated[int, msgspec.Meta(ge=1, lt=1 << 16)]
    game: _Word
    options: Annotated[bytes, msgspec.Meta(max_length=limits.MAX_OPTIONS)]
    dealer: _Word
    catalogue: Digest
    provisions: Provisions
    seats: Annotated[tuple[ChartedSeat, ...], msgspec.Meta(min_length=limits.MIN_SEATS, max_length=limits.MAX_SEATS)]
    arbiter: ChartedSeat | None

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The identity keys in seat order."""
        return tuple(seat.key for seat in self.seats)

    @property
    def voters(self) -> tuple[ChartedSeat, ...]:
        """Everybody who may have a vote: the seats in order, then the arbiter, whose number is that of the seats."""
        return self.seats if self.arbiter is None else (*self.seats, self.arbiter)

    @property
    def voter_keys(self) -> tuple[bytes, ...]:
        """The identity keys of these."""
        return tuple(voter.key for voter in self.voters)

    @property
    def arbiter_number(self) -> int | None:
        """What stands for the arbiter where a seat's number would."""
        return None if self.arbiter is None else len(self.seats)


def new_charter(
    game: Game,
    options: Any,
    dealer: str,
    seats: tuple[ChartedSeat, ...],
    provided: Provisions | None = None,
    arbiter: ChartedSeat | None = None,
) -> Charter:
    """The charter of a table with these seats; LocalError if it would not pass `check_charter`."""
    provided = provided or provisions(len(seats), arbiter=arbiter is not None)
    catalogue = catalogue_digest(game, options)
    charter = Charter(VERSION, game.name, encode(options), dealer, catalogue, provided, seats, arbiter)
    try:
        check_charter(charter, {game.name: game})
    except PeerFault as fault:
        raise LocalError(f"Such a charter would be refused: {fault.message}") from fault
    return charter


def read_charter(data: bytes) -> Charter:
    """The charter in these bytes, canonical and within its bounds, not yet checked."""
    charter: Charter = decode(data, Charter, cap=limits.MAX_CHARTER)
    return charter


def check_charter(charter: Charter, games: Mapping[str, Game]) -> Game:
    """The game that it is about; PeerFault if nobody should sign this charter.

    Checks: `charter-version`, `charter-game`, `charter-seats`, `charter-keys` and `charter-names` (two alike), those of
    `check_key` and `check_name`, `charter-options`, `charter-catalogue` (other cards than ours), `charter-provisions`,
    `charter-arbiter` (provided for and not named, or the other way round).
    """
    if charter.version != VERSION:
        raise PeerFault("charter-version", f"Version {charter.version} of the protocol.")
    game = games.get(charter.game)
    if game is None:
        raise PeerFault("charter-game", "A game that this program does not know.")
    if not limits.MIN_SEATS <= len(charter.seats) <= limits.MAX_SEATS:
        raise PeerFault("charter-seats", f"{len(charter.seats)} seats.")
    for seat, entry in enumerate(charter.voters):
        check_name(entry.name, seat=seat)
        check_key(entry.key, seat=seat)
    if len(set(charter.voter_keys)) < len(charter.voters):
        raise PeerFault("charter-keys", "One key in two places.")
    if len({looks_like(entry.name) for entry in charter.voters}) < len(charter.voters):
        raise PeerFault("charter-names", "Two names that look alike.")
    options = read_options(charter, game)
    if charter.catalogue != catalogue_digest(game, options):
        raise PeerFault("charter-catalogue", "Other cards than the ones this program has.")
    problem = problem_with(charter.provisions, len(charter.seats))
    if problem:
        raise PeerFault("charter-provisions", problem)
    if charter.provisions.arbiter != (charter.arbiter is not None):
        raise PeerFault("charter-arbiter", "An arbiter is named if one is provided for, and only then.")
    return game


def read_options(charter: Charter, game: Game) -> Any:
    """The options of the table, of the game's own type; PeerFault `charter-options`, or as `decode`."""
    options = decode(charter.options, game.options_type, cap=limits.MAX_OPTIONS)
    try:
        game.check_options(options, len(charter.seats))
    except UserError as error:
        raise PeerFault("charter-options", error.message) from error
    return options


def charter_digest(charter: Charter) -> bytes:
    """The name of the ledger in every record, 32 bytes."""
    return tagged_hash("charter", charter)


def params_digest(charter: Charter) -> bytes:
    """32 bytes over everything that was agreed apart from who plays."""
    agreed = [charter.version, charter.game, charter.options, charter.dealer, charter.catalogue, charter.provisions]
    return tagged_hash("params", [*agreed, len(charter.seats)])


def catalogue_digest(game: Game, options: Any) -> bytes:
    """32 bytes over the facts of the cards, and over those that can appear with these options, in canonical order."""
    cards = [card for deck in game.decks(options).values() for card in deck]
    return tagged_hash("catalogue", [game.name, game.catalogue(), cards])


def table_code(digest: bytes) -> str:
    """The code that players read to each other, `K7Q2-MPXA`, from the digest of the charter."""
    text = spell(sha256(b"frp2p/1/code\0" + digest).digest(), _CODE_LETTERS)
    return f"{text[:4]}-{text[4:]}"
