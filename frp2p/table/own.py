"""The own statements of a seat: each is signed once, kept before it is sent, and sent as the same bytes ever after."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from frp2p.errors import LocalError
from frp2p.games.verbs import Seat
from frp2p.ledger.records import Ack, AckBody, Part, PartBody, open_ack, sign_ack, sign_part
from frp2p.ledger.signing import Signer
from frp2p.ledger.votes import Farewell, FarewellBody, PrepareBody, Vote, VoteBody, sign_vote
from frp2p.table.journal import Memory

Kept: TypeAlias = Part | Ack | Farewell | Vote

Keep = Callable[[tuple[Kept, ...]], None]
"""Write these records to the journal before anything that is said after this."""

Say = Callable[[Kept], None]
"""Send an own record to everybody."""


class Own:
    """What `me` says, and what it has to keep of the others."""

    def __init__(self, me: Seat, signer: Signer, keys: tuple[bytes, ...], keep: Keep, say: Say) -> None:
        self.me = me
        self._signer = signer
        self._keys = keys
        self._keep = keep
        self._say = say
        self._remembering = False
        self._parts: dict[int, Part] = {}
        self._acks: dict[int, Ack] = {}
        self._votes: dict[int, list[Vote]] = {}
        """What was said before a crash, by step, until its step comes."""
        self._farewell: Farewell | None = None
        self._loose: list[Kept] = []
        """Records of others that are not kept yet. They go with the next own one: until then others have them too."""

    def remember(self, memory: Memory) -> None:
        """What comes in from now on is on disk already, until `remembered`."""
        self._remembering = True
        self._parts, self._acks, self._farewell = dict(memory.parts), dict(memory.acks), memory.farewell
        self._votes = {step: list(votes) for step, votes in memory.votes.items()}

    def remembered(self) -> None:
        self._remembering = False

    # -- what was said before ------------------------------------------------------------------------------------------

    def part_of(self, step: int) -> Part | None:
        """My part of this step, if it was said before a crash; it is given once."""
        return self._parts.pop(step, None)

    def ack_of(self, step: int) -> Ack | None:
        """Likewise, my ack."""
        return self._acks.pop(step, None)

    def votes_of(self, step: int) -> list[Vote]:
        """Likewise, my votes."""
        return self._votes.pop(step, [])

    def again(self, record: Kept) -> None:
        """Send what was said before."""
        self._say(record)

    # -- what is said now ----------------------------------------------------------------------------------------------

    def part(self, body: PartBody) -> Part:
        """Sign, keep and send."""
        made: Part = self._made(sign_part(self._signer, body))
        return made

    def ack(self, body: AckBody) -> tuple[Ack, AckBody]:
        """Sign, keep and send; or send what was said before a crash, which must be about the state that this is."""
        before = self.ack_of(body.step)
        if before is None:
            return self._made(sign_ack(self._signer, body)), body
        said = open_ack(before, self._keys)
        if (said.step_digest, said.state_digest) != (body.step_digest, body.state_digest):
            raise LocalError("The journal leads to another state than before.", code="journal-differs")
        self._say(before)
        return before, said

    def vote(self, body: VoteBody) -> Vote:
        """Sign, keep and send; a `Prepare` binds nobody and is not kept."""
        record: Vote = sign_vote(self._signer, body)
        if isinstance(body, PrepareBody):
            self._say(record)
        else:
            self._made(record)
        return record

    def farewell(self, game: bytes) -> Farewell:
        """Sign, keep and send; there is only one."""
        if self._farewell is None:
            self._farewell = self._made(sign_vote(self._signer, FarewellBody(game, self.me)))
        return self._farewell

    def _made(self, record: Any) -> Any:
        self._loose.append(record)
        self.flush()
        self._say(record)
        return record

    # -- what others said ----------------------------------------------------------------------------------------------

    def note(self, records: Iterable[Kept]) -> None:
        """Keep these with the next own record."""
        if not self._remembering:
            self._loose += records

    def flush(self) -> None:
        """Have on disk what others said."""
        kept, self._loose = tuple(self._loose), []
        if kept:
            self._keep(kept)
