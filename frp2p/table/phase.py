"""The phases of a table, as the peer sees them: idle, lobby of the host, lobby of a guest, seated, stopped.

Every phase takes the same inputs. One that ends puts the next one on the desk (`desk.phase`); whatever finds that the
table can't go on raises `TableStop`, which the peer turns into the last phase.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from frp2p.errors import UserError
from frp2p.games.game import Move
from frp2p.games.verbs import Seat
from frp2p.table.links import Link
from frp2p.table.messages import AnyMessage
from frp2p.table.status import Status


class Patience(NamedTuple):
    """How long a player may think in a game that does not wait, in seconds, and the move that is made then."""

    seconds: float
    move: Move


class NotAsked(UserError):
    """It is not your turn to decide."""

    code = "not-asked"


class TableStop(Exception):
    """The table can't go on: the failing check, who is to blame (None: nobody, or nobody provably), the sentence for
    people, the evidence that is shown to third persons, and what the other seats get so that they stop too.
    """

    def __init__(
        self, check: str, seat: Seat | None, message: str, evidence: bytes = b"", tell: AnyMessage | None = None
    ) -> None:
        super().__init__(check)
        self.check = check
        self.seat = seat
        self.message = message
        self.evidence = evidence
        self.tell = tell


class Phase(Protocol):
    """One phase of a table."""

    @property
    def game(self) -> bytes | None:
        """The digest of the charter, once there is one."""

    @property
    def height(self) -> int:
        """How many steps are final here."""

    @property
    def asked(self) -> bool:
        """Whether the player has to decide."""

    def welcome(self, key: bytes) -> bool:
        """Whether a link to this key may be of use."""

    def greeted(self, link: Link, now: float) -> None:
        """Somebody said a valid Hello."""

    def lost(self, link: Link, now: float) -> None:
        """The link in use for its key is gone."""

    def dismissed(self, link: Link, reason: str, now: float) -> None:
        """One side said why it closes this link (a code of error-codes.csv); it is lost in any case."""

    def handle(self, link: Link, message: AnyMessage, now: float) -> None:
        """A message of a greeted link; PeerFault refuses it and closes the link."""

    def act(self, move: Move, now: float) -> None:
        """The player decided; IllegalMove, UserError `not-asked`."""

    def legal(self) -> tuple[Move, ...]:
        """What the player may do now; empty if it is not asked."""

    def patience(self) -> Patience | None:
        """How long the player may think, and what is done then; None if it is not asked or has all the time."""

    def tick(self, now: float) -> None:
        """Whatever is due by now."""

    def wake_at(self) -> float | None:
        """When something is due."""

    def status(self) -> Status: ...

    def transcript(self) -> bytes | None: ...
