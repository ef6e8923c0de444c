"""The referee: the one place where a part has consequences, mine and everybody's alike.

A referee knows the charter, the state of the game and the dealer. It says what the ledger waits for, judges payloads,
and moves on when a step closes. The table, the verifier and every replay drive the same class; `me` only decides whose
secret contributions it can make and whose cards it can see. Protocol of use:

    expect = referee.expect()                    # kind and speakers of the present step; no speakers: closed
    payload = referee.speak()                    # for every kind but `move`; once, after the step before is final
    referee.check(seat, payload)                 # PeerFault(check, seat); changes nothing
    events = referee.close({seat: payload, ...}, step_digest)       # all speakers, all checked
    events = referee.verdict(out, verdict_digest)                   # or this: seats are out, the parts are void
    referee.state_digest(), referee.head, referee.step              # after it
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NoReturn, TypeAlias

import msgspec

from frp2p.deal.dealer import Dealer, DealerKind, DealerSetup, Entropy
from frp2p.errors import LocalError, PeerFault
from frp2p.games.game import Deal, Decide, Game, IllegalMove, Move
from frp2p.games.verbs import Seat, Verb
from frp2p.ledger import limits
from frp2p.ledger.chain import head_digest, tagged_hash
from frp2p.ledger.charter import Charter, charter_digest, params_digest, read_options
from frp2p.ledger.codec import decode, encode
from frp2p.ledger.events import Dealt, Moved, SeatsOut, Spoke, StepEvent
from frp2p.ledger.losses import Losses, Parting
from frp2p.ledger.records import Attest, Consent, Kind, PartBody
from frp2p.ledger.votes import Out
from frp2p.locale import _

Stage: TypeAlias = Literal["charter", "setup", "play", "open", "attest", "closed"]

MAX_SILENT_BATCHES = 64
"""Batches in a row in which nobody speaks (open cards laid face down). More would be a game that never asks."""


class Expect(msgspec.Struct, frozen=True):
    """What the ledger waits for: one part of this kind from each speaker, ascending; none once it is closed."""

    kind: Kind
    speakers: tuple[Seat, ...]


def no_entropy(_size: int) -> NoReturn:
    """The entropy of an observer, who has nothing to be random about."""
    raise LocalError("An observer asked for randomness.")


class Referee:
    """See the page above. `step` is the number of the present step, `head` the `prev` of its parts."""

    def __init__(
        self,
        charter: Charter,
        game: Game,
        dealer_kind: DealerKind,
        me: Seat | None = None,
        entropy: Entropy = no_entropy,
    ) -> None:
        """`charter` has passed `check_charter` for this game; `dealer_kind` is the one that it names."""
        if (charter.game, charter.dealer) != (game.name, dealer_kind.name):
            raise LocalError("This charter is about another game or dealer.")
        self.charter = charter
        self.game = game
        self.me = me
        self.digest = charter_digest(charter)
        self.step = 0
        self.head = self.digest
        self.stage: Stage = "charter"
        self.record_digest: bytes | None = None
        self.options = read_options(charter, game)
        self.outs: dict[Seat, SeatsOut] = {}
        """The seats that are out for good, and the decision about each."""
        self._parting: Parting | None = None
        self._state: Any = None
        self._dealer: Dealer | None = None
        self._batch: tuple[Verb, ...] | None = None
        self._deciding: tuple[Seat, ...] = ()
        self._checked: dict[Seat, tuple[bytes, Any]] = {}
        self._setup: DealerSetup = dealer_kind.setup(
            charter_digest=self.digest,
            params_digest=params_digest(charter),
            identities=charter.keys,
            decks=game.decks(self.options),
            me=me,
            entropy=entropy,
            recovery=charter.provisions.recovery,
        )
        self._digest = self._digest_now()

    # what is asked

    def expect(self) -> Expect:
        """Kind and speakers of the present step."""
        if self.stage == "setup":
            return Expect("setup", self._setup.speakers())
        if self.stage == "play":
            if self._batch is not None:
                return Expect("deal", self._the_dealer().speakers())
            return Expect("move", self._deciding)
        if self.stage == "closed":
            return Expect("attest", ())
        return Expect(self.stage, self.live)

    @property
    def live(self) -> tuple[Seat, ...]:
        """The seats that are not out, ascending: their acks make a step final, and they vote."""
        return tuple(seat for seat in range(len(self.charter.seats)) if seat not in self.outs)

    def speak(self) -> bytes:
        """The payload of my part where it is no decision of a player; call once a step and keep it."""
        expect = self.expect()
        if self.me is None or self.me not in expect.speakers or expect.kind == "move":
            raise LocalError("It is not for me to speak.")
        if expect.kind == "setup":
            return encode(self._setup.speak())
        if expect.kind == "deal":
            return encode(self._the_dealer().speak())
        if expect.kind == "open":
            return encode(self._the_dealer().keys())
        return encode(Consent() if expect.kind == "charter" else Attest(self.head))

    # judging

    def check_body(self, body: PartBody) -> None:
        """PeerFault unless this body (of a part whose signature is good) belongs into the present step and is right.

        Checks: `part-game`, `part-step`, `part-prev`, `part-kind`, and those of `check`.
        """
        if body.game != self.digest:
            raise PeerFault("part-game", "A part of another ledger.", seat=body.seat)
        if body.step != self.step:
            raise PeerFault("part-step", f"A part of step {body.step} in step {self.step}.", seat=body.seat)
        if body.prev != self.head:
            raise PeerFault("part-prev", "A part that continues another history.", seat=body.seat)
        if body.kind != self.expect().kind:
            raise PeerFault("part-kind", f"A part of kind {body.kind}.", seat=body.seat)
        self.check(body.seat, body.payload)

    def check(self, seat: Seat, payload: bytes) -> None:
        """PeerFault with this seat unless the payload may stand in the present step; changes nothing.

        Checks: `wrong-speaker`, those of `decode`, `illegal-move`, `attest-digest`, and those of the dealer.
        """
        known = self._checked.get(seat)
        if known is not None and known[0] == payload:
            return  # proofs are expensive; the same bytes are judged once a step
        expect = self.expect()
        if seat not in expect.speakers:
            raise PeerFault("wrong-speaker", f"Seat {seat} is not asked.", seat=seat)
        try:
            value = decode(payload, self._payload_type(expect.kind), cap=limits.MAX_PAYLOAD[expect.kind])
            self._judge(expect.kind, seat, value)
        except PeerFault as fault:
            if fault.seat == seat:
                raise
            raise PeerFault(fault.check, fault.message, seat=seat, evidence=fault.evidence) from fault
        self._checked[seat] = (payload, value)

    def check_move(self, seat: Seat, move: Move) -> bytes:
        """The payload of this move; IllegalMove unless the seat is asked now and may do it (mine: as far as I see)."""
        if self.stage != "play" or self._batch is not None:
            raise IllegalMove(_("It is not your turn."))
        self.game.check(self._state, seat, move)
        if seat == self.me:
            self.game.check_known(self.view(seat), move)
        return encode(move)

    def _payload_type(self, kind: Kind) -> Any:
        if kind == "setup":
            return self._setup.contribution_type
        if kind == "deal":
            return self._the_dealer().contribution_type
        if kind == "move":
            return self.game.move_type
        if kind == "open":
            return self._the_dealer().keys_type
        return Consent if kind == "charter" else Attest

    def _judge(self, kind: Kind, seat: Seat, value: Any) -> None:
        if kind == "setup":
            self._setup.check(seat, value)
        elif kind == "deal":
            self._the_dealer().check(seat, value)
        elif kind == "open":
            self._the_dealer().check_keys(seat, value)
        elif kind == "move":
            try:
                self.game.check(self._state, seat, value)
            except IllegalMove as error:
                raise PeerFault("illegal-move", error.message, seat=seat) from error
        elif kind == "attest" and value.digest != self.head:
            raise PeerFault("attest-digest", "It attests another record.", seat=seat)

    # moving on

    def close(self, payloads: Mapping[Seat, bytes], step_digest: bytes) -> tuple[StepEvent, ...]:
        """Close the step with the checked payloads of all its speakers; what happened, in order."""
        expect = self.expect()
        if tuple(sorted(payloads)) != expect.speakers or not expect.speakers:
            raise LocalError("A step closes with the parts of all its speakers.")
        values = {}
        for seat in expect.speakers:
            payload, value = self._checked.get(seat, (None, None))
            if payload != payloads[seat]:
                raise LocalError("A step closes with checked parts only.")
            values[seat] = value
        self._checked = {}
        events = self._advance(expect.kind, values, step_digest)
        self._count(step_digest)
        return events

    def _advance(self, kind: Kind, values: dict[Seat, Any], event: bytes) -> tuple[StepEvent, ...]:
        if kind == "charter":
            self.stage = "setup"
            return self._end_setup(event)
        if kind == "setup":
            self._setup.close(values)
            return self._end_setup(event)
        if kind == "deal":
            spoke = [Spoke(self.step, seat, self._batch or ()) for seat in values]
            self._the_dealer().close(values)
            return (*spoke, *self._go_on(event))
        if kind == "move":
            self._state = self.game.apply(self._state, values)
            return (*(Moved(self.step, seat, move) for seat, move in values.items()), *self._go_on(event))
        if kind == "open":
            self.stage = "attest"
            return ()
        self.record_digest = self.head
        self.stage = "closed"
        return ()

    # seats that are lost or leave

    def losses(self) -> Losses:
        """What can be decided about the present step, should seats be lost."""
        return Losses(
            live=self.live,
            parting=self._parting.seats if self._parting is not None else (),
            recoverable=self._dealer is not None and self._dealer.recoverable,
            over=self.stage in ("open", "attest"),
            on_loss=self.charter.provisions.on_loss,
        )

    def verdict(self, out: Out, digest: bytes) -> tuple[StepEvent, ...]:
        """Close the step with a checked verdict (`losses().check`); its `digest` takes the place of a step digest.

        The parts are void, the dealer's batch is dropped, and once the dealer has done what the parting takes, the
        game goes on without the seats.
        """
        self._checked = {}
        decided = SeatsOut(self.step, out.seats, out.how)
        self.outs |= {seat: decided for seat in out.seats if seat not in self.outs}
        events: tuple[StepEvent, ...] = (decided,)
        if self.stage == "play":
            if self._batch is not None:
                self._the_dealer().abort()
                self._batch = None
            before = self._parting.seats if self._parting is not None else ()
            self._parting = Parting(tuple(sorted({*before, *out.seats})), out.how)
            events += self._go_on(digest)
        self._count(digest)
        return events

    def _count(self, digest: bytes) -> None:
        self.step += 1
        self._digest = self._digest_now()
        self.head = head_digest(digest, self._digest)

    def _parted(self, parting: Parting) -> Any:
        """The state of the game without these seats."""
        without = self.game.stop if parting.how == "stop" else self.game.out
        return without(self._state, parting.seats)

    def _end_setup(self, event: bytes) -> tuple[StepEvent, ...]:
        if self._setup.speakers():
            return ()
        self._dealer = self._setup.finish()
        self._state = self.game.start(self.options, len(self.charter.seats))
        self.stage = "play"
        return self._go_on(event)

    def _go_on(self, event: bytes) -> tuple[StepEvent, ...]:
        """Finish what nobody has to speak for any more, and ask the dealer for what the game needs next."""
        events: list[StepEvent] = []
        dealer = self._the_dealer()
        for _silent in range(MAX_SILENT_BATCHES):
            if self._batch is not None:
                if dealer.speakers():
                    return tuple(events)
                outcomes = dealer.finish()
                events += (Dealt(self.step, *pair) for pair in zip(self._batch, outcomes, strict=True))
                self._batch = None
                if self._parting is None:
                    self._state = self.game.dealt(self._state, outcomes)
                else:
                    self._state, self._parting = self._parted(self._parting), None
            if self._parting is not None:
                self._batch = (self._parting.verb(),)
                dealer.begin(self._batch, event)
                continue
            need = self.game.need(self._state)
            if not isinstance(need, Deal):
                self._deciding = tuple(sorted(need.seats)) if isinstance(need, Decide) else ()
                if not self._deciding:
                    self.stage = "open" if self.charter.provisions.audit else "attest"
                return tuple(events)
            dealer.begin(need.verbs, event)
            self._batch = need.verbs
        raise LocalError("The game asks the dealer without end.")

    # what is known

    def state_digest(self) -> bytes:
        """32 bytes that bind stage, game state and dealer, as the last closed step left them."""
        return self._digest

    def _digest_now(self) -> bytes:
        dealer = self._dealer.digest() if self._dealer is not None else None
        return tagged_hash("state", [self.stage, self._state, dealer])

    def view(self, seat: Seat | None) -> Any:
        """The game's view of a seat (None: the public), None before the game starts.

        Only my own view holds cards that are not public.
        """
        if self._dealer is None:
            return None
        return self.game.view(self._state, seat, self._dealer.known() if seat is not None and seat == self.me else {})

    def audit(self, keys: Mapping[Seat, bytes]) -> tuple[Dealer, tuple[Seat, ...]]:
        """For a reader without a seat, once the cards are there: the dealer, which reads with these keys from here on,
        and the seats whose they are. Keys that are not right, or of no seat, are left out; the step that holds them
        refuses them.
        """
        dealer, good = self._the_dealer(), {}
        for seat, payload in keys.items():
            if seat >= len(self.charter.seats):
                continue
            try:
                good[seat] = decode(payload, dealer.keys_type, cap=limits.MAX_PAYLOAD["open"])
                dealer.check_keys(seat, good[seat])
            except PeerFault:
                good.pop(seat, None)
        dealer.audit(good)
        return dealer, tuple(sorted(good))

    def _the_dealer(self) -> Dealer:
        if self._dealer is None:
            raise LocalError("There is no dealer yet.")
        return self._dealer
