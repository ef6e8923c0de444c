"""Seats that break the protocol, each in one way: real peers whose words are changed on the way out.

`ends` says what the honest seats may come to: `over` (it harms nobody), `stopped` (it is caught, with evidence), or
`stuck` (it only keeps silent, and there is no majority without it).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from frp2p.ledger.codec import encode
from frp2p.ledger.evidence import BadRecord, BadStep, Contradiction, write_evidence
from frp2p.ledger.records import Ack, Part, read_ack_body, read_part_body, sign_ack, sign_part
from frp2p.ledger.transcript import write_transcript
from frp2p.table.messages import AnyMessage, Bye, Evidence, Final, Hello, Pull
from frp2p.table.messages import encode as frame_of
from frp2p.table.outputs import Output, Persist, Send
from frp2p.testing.cheat import Cheat, other_payload
from frp2p.testing.cheats_votes import Accuser, Gone, Leaver, Twister, Usurper
from frp2p.testing.machine import Machine


class Silent(Cheat):
    """Says nothing any more."""

    ends = frozenset({"stuck", "over"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        return ()


class NoAck(Cheat):
    """Keeps its acks to itself."""

    ends = frozenset({"stuck", "over"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        if isinstance(message, Ack):
            body = read_ack_body(message.body)
            if body.seat == self.seat and body.step >= self.since:
                return ()
        return (message,)


class Withholder(Cheat):
    """Keeps its shares and shuffles to itself."""

    ends = frozenset({"stuck", "over"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        body = self.mine(message)
        return () if body is not None and body.kind == "deal" else (message,)


class Equivocator(Cheat):
    """Tells half of the others another part."""

    ends = frozenset({"stopped", "over", "stuck"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        body = self.mine(message)
        if body is None or not self.odd(key) or body.kind in ("charter", "attest"):
            return (message,)
        return (self.signed(body, payload=other_payload(body)),)


class Twins(Cheat):
    """Two programs with one key, which part ways: each plays with half of the others."""

    ends = frozenset({"stopped", "over", "stuck"})

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._twin: Machine | None = None

    def part_ways(self) -> Machine:
        """The other one, made of what this one wrote; its chance is another one."""
        if self._twin is None:
            peer = self.reborn()
            peer.outputs()
            loop = getattr(peer._desk.phase, "_loop", None)
            if loop is not None:
                loop.course._entropy._seed = bytes(32)
            self._twin = Machine(peer, self._rate, self._ahead)
        return self._twin

    def other(self, key: bytes) -> Machine | None:
        """The twin that this peer talks to, None if that is this one."""
        return self.part_ways() if self.cheating and self.odd(key) else None

    def connected(self, link: int, key: bytes, channel: bytes, now: float) -> None:
        self.keys[link] = key
        twin = self.other(key)
        if twin is not None:
            twin.connected(link, key, channel, now)
        else:
            super().connected(link, key, channel, now)

    def receive(self, link: int, frame: bytes, now: float) -> None:
        twin = self.other(self.keys[link])
        if twin is not None:
            twin.receive(link, frame, now)
        else:
            super().receive(link, frame, now)

    def disconnected(self, link: int, now: float) -> None:
        if self._twin is not None:
            self._twin.disconnected(link, now)
        super().disconnected(link, now)

    def tick(self, now: float) -> None:
        super().tick(now)
        if self._twin is not None:
            self._twin.tick(now)
            if self._twin.peer.asked:
                self._twin.act(self.dice.choice(self._twin.peer.legal()), now)

    def wake_at(self) -> float | None:
        wakes = [super().wake_at(), self._twin.wake_at() if self._twin is not None else None]
        return min((wake for wake in wakes if wake is not None), default=None)

    def outputs(self) -> list[Output]:
        mine = super().outputs()
        if self._twin is None:
            return mine
        theirs = [output for output in self._twin.outputs() if not isinstance(output, Persist)]
        return mine + theirs

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        return () if self._twin is not None and self.odd(key) else (message,)


class DoubleVoter(Cheat):
    """Acks other parts, or another state, to half of the others."""

    ends = frozenset({"stopped", "stuck", "over"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        if not isinstance(message, Ack) or not self.odd(key):
            return (message,)
        body = read_ack_body(message.body)
        if body.seat != self.seat or body.step < self.since:
            return (message,)
        field = "step_digest" if self.since % 2 else "state_digest"
        return (sign_ack(self.signer, msgspec.structs.replace(body, **{field: b"\7" * 32})),)


class BadProver(Cheat):
    """Its shares, or whatever else it has to say, do not hold; the same to everybody."""

    ends = frozenset({"stopped", "over", "stuck"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        body = self.mine(message)
        if body is None or body.kind not in ("deal", "setup"):
            return (message,)
        if self.since % 3 == 0:
            return (self.bad(body, payload=b"\xc1"),)
        shown = b"clear-show" in body.payload
        changed = self.bad if shown else self.signed  # any other mix is as good as the one that it made
        return (changed(body, payload=other_payload(body)),)


class IllegalMover(Cheat):
    """Makes moves that there are not."""

    ends = frozenset({"stopped", "over"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        body = self.mine(message)
        if body is None or body.kind != "move":
            return (message,)
        payloads = (encode(["Bet", 99]), encode(["SearchDeck", "FR01"]), encode(["Nothing"]), b"")
        return (self.bad(body, payload=payloads[self.since % len(payloads)]),)


class Misplacer(Cheat):
    """Its parts belong to another history, kind or step."""

    ends = frozenset({"stopped", "over", "stuck"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        body = self.mine(message)
        if body is None:
            return (message,)
        match self.since % 3:
            case 0:
                return (self.bad(body, prev=b"\3" * 32),)
            case 1:
                return (self.bad(body, kind="attest" if body.kind != "attest" else "move", payload=b"\x90"),)
            case _:
                return (message, self.signed(body, step=body.step + 1))


class Flooder(Cheat):
    """Sends what nobody asked for: noise, pulls, huge frames."""

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        what = self.dice.randrange(5)
        noise: tuple[AnyMessage | bytes, ...] = (
            self.dice.randbytes(self.dice.randrange(1, 200)),
            Pull(0, 0, 0),
            Pull(2**32 - 1, 0, 0),
            b"\x94\xa4part" + bytes(100_000),
            b"\x93\xa3ack" + self.dice.randbytes(40),
        )
        return (message, *self.babble(*([noise[what]] * self.dice.randrange(1, 6))))


class Replayer(Cheat):
    """Says again what others said, to anybody."""

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        old = [self.dice.choice(self.heard) for _ in range(2) if self.heard]
        return (message, *self.babble(*(frame for frame in old if not frame.startswith(b"\x97\xa5hello"))))


class Slanderer(Cheat):
    """Shows evidence that is none, against others."""

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        forged = self._forged(message)
        return (message, *(self.babble(forged) if forged is not None else ()))

    def _forged(self, message: AnyMessage) -> AnyMessage | None:
        loop = getattr(self.peer._desk.phase, "_loop", None)
        if loop is None or not loop.steps or not isinstance(message, Part | Ack):
            return None
        step = self.dice.choice(loop.steps)
        others = [part for part in step.parts if read_part_body(part.body).seat != self.seat]
        if not others:
            return None
        part = self.dice.choice(others)
        body = read_part_body(part.body)
        other = sign_part(self.signer, msgspec.structs.replace(body, payload=b"other"))
        match self.dice.randrange(5):
            case 0:
                proof = write_evidence(Contradiction(loop.charter, part, other))
            case 1:
                proof = write_evidence(Contradiction(loop.charter, part, part))
            case 2:
                proof = write_evidence(Contradiction(loop.charter, part, self.dice.choice(step.acks)))
            case 3:
                before = write_transcript(loop.charter, loop.steps[: body.step])
                proof = write_evidence(BadStep(before, step.parts, "share-wrong"))
            case _:
                proof = write_evidence(BadRecord(b"frp2p transcript 1\n", part, "illegal-move"))
        return Evidence(proof)


class Impostor(Cheat):
    """Speaks in the name of others, with its own signature."""

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        body = self.mine(message)
        if body is None:
            return (message,)
        victim = self.dice.choice([seat.seat for seat in self.peer.status().seats if seat.seat != body.seat])
        forged = self.signed(body, seat=victim, payload=other_payload(body))
        return (message, *self.babble(forged, Final(body.step, (forged,), (), (), ())))


class Deceiver(Cheat):
    """Answers pulls with half of the truth, says that it is far ahead, and hangs up."""

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        match message:
            case Final(step, parts, acks, farewells, accepts):
                return (Final(step, parts[:1], acks[1:], farewells, accepts[1:]), message)
            case Pull(step, parts, acks):
                return (message, *self.babble(Pull(step + 1_000, 0, 0), Final(step, (), (), (), ())))
            case Ack() if self.dice.random() < 0.1:
                return (message, *self.babble(Bye("left")))
        return (message,)


class DeafTo(Cheat):
    """Tells nothing to one of the others; who has to hear it from the rest."""

    ends = frozenset({"over", "stuck"})

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        victim = max(self.keys.values())
        return () if key == victim and not isinstance(message, Hello) else (message,)


class Dawdler(Cheat):
    """Says everything at the last moment."""

    def changed(self, key: bytes, message: AnyMessage) -> Iterable[AnyMessage | bytes]:
        if not isinstance(message, Part | Ack):
            return (message,)

        said_by = self.peer

        def say() -> None:
            link = next((link for link, there in reversed(self.keys.items()) if there == key), None)
            if link is not None and self.peer is said_by:  # a program that died meanwhile may not have kept it
                self._extra.append(Send(link, frame_of(message)))
                self.settle()

        self.later(self.dice.uniform(1.0, 4.0), say)
        return ()


CHEATS: dict[str, type[Cheat]] = {
    "silent": Silent,
    "no-ack": NoAck,
    "withholder": Withholder,
    "equivocator": Equivocator,
    "twins": Twins,
    "double-voter": DoubleVoter,
    "bad-prover": BadProver,
    "illegal-mover": IllegalMover,
    "misplacer": Misplacer,
    "flooder": Flooder,
    "replayer": Replayer,
    "slanderer": Slanderer,
    "impostor": Impostor,
    "deceiver": Deceiver,
    "deaf-to-one": DeafTo,
    "dawdler": Dawdler,
    "gone": Gone,
    "leaver": Leaver,
    "accuser": Accuser,
    "usurper": Usurper,
    "twister": Twister,
}
"""All of them by name."""
