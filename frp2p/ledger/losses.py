"""What becomes of a table without some of its seats: one function of what was agreed and of what has happened."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from frp2p.errors import PeerFault
from frp2p.games.verbs import Drop, Leave, Recover, Seat, Verb
from frp2p.ledger.provisions import OnLoss
from frp2p.ledger.votes import How, Out


class Parting(msgspec.Struct, frozen=True):
    """Seats that are out, as long as the dealer has not done what that takes."""

    seats: tuple[Seat, ...]
    how: How

    def verb(self) -> Verb:
        """What the dealer has to do."""
        if self.how == "leave":
            return Leave(self.seats[0])
        return Recover(self.seats[0]) if self.how == "recover" else Drop(self.seats)


class Losses(msgspec.Struct, frozen=True):
    """The table before a step: the seats that are not out (`live`), those whose parting is not done (`parting`),
    whether the others can take the key of one seat off (`recoverable`), and whether the game is `over` but for its
    attestation.
    """

    live: tuple[Seat, ...]
    parting: tuple[Seat, ...]
    recoverable: bool
    over: bool
    on_loss: OnLoss

    def how(self, seats: Collection[Seat], leaving: Collection[Seat] = ()) -> How | None:
        """How these seats are out; `leaving` have said farewell. None if nothing can be decided about them: the table
        waits, or is taken up again some day.
        """
        lost = {*seats, *self.parting}
        rest = [seat for seat in self.live if seat not in lost]
        if not rest or not seats:
            return None
        if self.over:
            return "end"
        if len(rest) == 1:
            return "last"
        if len(lost) == 1:
            if not self.parting and lost <= set(leaving):
                return "leave"
            if self.recoverable:
                return "recover"
        # Who is out already, and whose keys are still on the table, can't come back: nobody waits for it.
        return "stop" if self.on_loss == "stop" or lost <= set(self.parting) else None

    def check(self, out: Out, leaving: Collection[Seat]) -> None:
        """PeerFault unless this may be decided; `leaving`: the seats whose farewell is here.

        Checks: `verdict-seats`, `verdict-how`.
        """
        known = {*self.live, *self.parting}
        if list(out.seats) != sorted(set(out.seats)) or not known.issuperset(out.seats):
            raise PeerFault("verdict-seats", "A verdict about seats that are not at the table.")
        if out.how not in (self.how(out.seats, leaving), self.how(out.seats)):
            raise PeerFault("verdict-how", f"These seats are not out as {out.how}.")
