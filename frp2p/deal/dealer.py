"""The one interface of both dealers. A dealer is a public value (the same at every peer) plus one seat's secrets.

A batch of verbs is carried out in rounds. In each round a fixed set of seats speaks, one contribution each; when all
have spoken and every contribution was checked, the round closes. Protocol of use:

    dealer.begin(verbs, event)          # event: digest of the closed step that asked
    while dealer.speakers():            # who speaks in this round; empty when the batch is done
        mine = dealer.speak()           # only if my seat is among the speakers
        dealer.check(seat, contribution)            # PeerFault with the failing check; changes nothing
        dealer.close({seat: contribution, ...})     # all speakers of the round, each checked before
    outcomes = dealer.finish()          # one outcome a verb; nothing is pending any more
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from frp2p.cards import CardId
from frp2p.deal.slots import SlotTable
from frp2p.games.verbs import Outcome, Seat, SlotId, Verb

Entropy: TypeAlias = Callable[[int], bytes]
"""Fresh random bytes, as many as asked for: `secrets.token_bytes` in the product, seeded in tests."""


class Dealer(Protocol):
    """Deck, hands and coins without anybody who could look. `me` is None for an observer, who can only check."""

    me: Seat | None
    seats: int
    """How many sat down; they keep their numbers."""
    slots: SlotTable[Any]
    """Every face-down place: its deck, who locks it, who has seen it."""
    present: tuple[Seat, ...]
    """Those who have not left, ascending."""
    recoverable: bool
    """Whether the others could take the key of any one seat off: each key is shared among all others who are here."""
    contribution_type: Any
    """The union of msgspec structs that `speak` returns and `check` takes."""
    keys_type: Any
    """The struct of a seat's secret keys, as `keys` gives them away."""

    def begin(self, verbs: tuple[Verb, ...], event: bytes) -> None:
        """Start a batch. LocalError if one is pending or if a verb does not fit the state of its slots."""

    def abort(self) -> None:
        """Drop the pending batch: no verb of it has happened, whatever was said. LocalError if none is pending.

        Shares of TABLE slots that the batch asked for may be public now, so no verb can use those slots until a Leave,
        Recover or Drop; the first two re-mask them. Hence a batch is aborted only because a seat is out.
        """

    def speakers(self) -> tuple[Seat, ...]:
        """The seats that speak in the present round, ascending; empty when the batch can be finished."""

    def speak(self) -> Any:
        """This seat's contribution to the present round; call once, keep it, send the same bytes ever after."""

    def check(self, seat: Seat, contribution: Any) -> None:
        """Verify one contribution; PeerFault(check=..., seat=...) names the first check that fails."""

    def close(self, contributions: Mapping[Seat, Any]) -> None:
        """Close the round with the contributions of all speakers (already checked).

        PeerFault(check=..., seat=...) where each is right and together they show that a seat was wrong before (a share
        that somebody rightly complains of); then nothing has changed.
        """

    def finish(self) -> tuple[Outcome, ...]:
        """The outcomes of the finished batch, one a verb."""

    def known(self) -> Mapping[SlotId, CardId]:
        """The face-down slots whose card this seat knows (its own hand)."""

    def digest(self) -> bytes:
        """32 bytes that bind the whole public state: slots, locks, ciphertexts, pending batch."""

    # open audit: once the game is over, seats may give their keys away

    def keys(self) -> Any:
        """The secret keys of this seat. Whoever gets them reads all that the seat saw, so nobody may before the end."""

    def check_keys(self, seat: Seat, keys: Any) -> None:
        """PeerFault unless these are the keys of this seat: `open-deck-key`, `open-view-key`."""

    def audit(self, keys: Mapping[Seat, Any]) -> None:
        """Observers only: read with these keys, which were checked, from here on. Peeks before this stay unread."""

    def known_to(self, seat: Seat) -> Mapping[SlotId, CardId]:
        """What `known` was for this seat, whose keys are here. Where it shuffled what it had seen of the table, only
        the keys of all who are present tell the order; without them these slots are left out."""

    def table_cards(self) -> Mapping[SlotId, CardId]:
        """The cards in the slots of the TABLE; none unless the keys of all who are present are here."""


class DealerSetup(Protocol):
    """What comes before the first verb (game nonces and keys, each by commit then open), in rounds like a batch."""

    contribution_type: Any

    def speakers(self) -> tuple[Seat, ...]: ...

    def speak(self) -> Any: ...

    def check(self, seat: Seat, contribution: Any) -> None: ...

    def close(self, contributions: Mapping[Seat, Any]) -> None: ...

    def finish(self) -> Dealer:
        """The dealer of this table, once no round is left."""


class DealerKind(Protocol):
    """How a table deals; the charter names it."""

    name: str
    """`sealed` or `clear`; only tests and simulations open a table with a clear dealer."""

    def setup(
        self,
        *,
        charter_digest: bytes,
        params_digest: bytes,
        identities: tuple[bytes, ...],
        decks: Mapping[str, tuple[CardId, ...]],
        me: Seat | None,
        entropy: Entropy,
        recovery: bool = False,
    ) -> DealerSetup:
        """Begin. `identities`: the Ed25519 keys in seat order; `params_digest`: 32 bytes over version and options.

        With `recovery` each key is shared among the others (three seats at least), so that all of them together can
        take it off the table should its seat be gone: then nobody's hand is safe from all others together.
        """
