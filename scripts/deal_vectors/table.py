"""A table whose peers and silent observer write down what is said: the recorder of game vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from deal_vectors.common import GROUP, seeded
from frp2p.cards import CardId
from frp2p.deal import SealedKind
from frp2p.errors import PeerFault
from frp2p.games.verbs import Verb

SEATS = 3
DECKS = {
    "hand": tuple(CardId(f"FR{at:02}") for at in range(1, 9)),
    "items": (CardId("CI01"), CardId("CI02")),
}
Row = dict[str, Any]
Twist = Callable[[int, Any], Any]


def _pack(value: Any) -> str:
    return msgspec.msgpack.encode(value).hex()


class Table:
    """All peers of a table and an observer; writes down what is said."""

    def __init__(self, name: str, seats: int = SEATS, recovery: bool = False) -> None:
        kind = SealedKind(GROUP)
        self.seats = seats
        self.charter, self.options = name.encode().ljust(32, b"."), b"o" * 32
        self.identities = tuple(bytes([0x30 + at]) * 32 for at in range(seats))
        self.machines: dict[int | None, Any] = {
            me: kind.setup(
                charter_digest=self.charter,
                params_digest=self.options,
                identities=self.identities,
                decks=DECKS,
                me=me,
                entropy=seeded(f"{name}/{me}"),
                recovery=recovery,
            )
            for me in (*range(seats), None)
        }
        self.said: list[dict[str, str]] = []
        self.refused: list[Row] = []
        self.batch: int | None = None
        self.batches: list[Row] = []
        self.row: Row = {
            "id": name,
            "charter": self.charter.hex(),
            "options": self.options.hex(),
            "identities": [key.hex() for key in self.identities],
            "decks": [[deck, list(cards)] for deck, cards in DECKS.items()],
        }
        if recovery:
            self.row["recovery"] = True

    def round(self, twist: Twist | None = None) -> None:
        """Everybody who must speaks, everybody hears."""
        speakers = self.machines[None].speakers()
        said: dict[int, Any] = {}
        for seat in speakers:
            mine = self.machines[seat].speak()
            said[seat] = twist(seat, mine) if twist else mine
        for machine in self.machines.values():
            for seat in speakers:
                machine.check(seat, said[seat])
            machine.close(said)
        self.said.append({str(seat): _pack(value) for seat, value in said.items()})

    def refuse(self, name: str, seat: int, contribution: Any, check: str) -> None:
        """The observer must refuse this now, before anything else of the round, under this name."""
        try:
            self.machines[None].check(seat, contribution)
        except PeerFault as fault:
            if fault.check != check:
                raise SystemExit(f"{name}: {fault.check} instead of {check}") from fault
        else:
            raise SystemExit(f"{name}: accepted")
        at = {"batch": self.batch, "round": len(self.said)}
        self.refused.append({"id": name, **at, "seat": seat, "contribution": _pack(contribution), "check": check})

    def blame(self, check: str, seat: int) -> None:
        """All that is said now passes, and together it is refused under this name."""
        said = {at: self.machines[at].speak() for at in self.machines[None].speakers()}
        try:
            self.machines[None].close(said)
        except PeerFault as fault:
            if (fault.check, fault.seat) != (check, seat):
                raise SystemExit(f"{self.row['id']}: {fault.check} of {fault.seat}") from fault
        else:
            raise SystemExit(f"{self.row['id']}: closed")
        packed = {str(at): _pack(value) for at, value in said.items()}
        self.row["blamed"] = {"round": packed, "check": check, "seat": seat}

    def start(self) -> None:
        """The set-up is over."""
        self.machines = {me: setup.finish() for me, setup in self.machines.items()}
        observer = self.machines[None]
        self.row |= {"setup": self.said, "ctx": observer.ctx.hex(), "joint": observer.locks.joint.hex()}
        secrets = [self.machines[seat]._me.secrets for seat in range(self.seats)]
        self.row["secrets"] = [
            {"deck": one.deck.to_bytes(32, "little").hex(), "view": one.view.to_bytes(32, "little").hex()}
            for one in secrets
        ]

    def open(self, name: str, seat: int, keys: Any, check: str | None = None) -> None:
        """A seat gives keys away; with `check` the observer must refuse them under this name."""
        try:
            self.machines[None].check_keys(seat, keys)
        except PeerFault as fault:
            if fault.check != check:
                raise SystemExit(f"{name}: {fault.check} instead of {check}") from fault
        else:
            if check is not None:
                raise SystemExit(f"{name}: accepted")
        self.row.setdefault("opened", []).append({"id": name, "seat": seat, "keys": _pack(keys), "check": check})

    def begin(self, *verbs: Verb) -> None:
        self.batch = len(self.batches)
        self.said = []
        self.event = bytes([self.batch]) * 32
        self.verbs = verbs
        for machine in self.machines.values():
            machine.begin(verbs, self.event)

    def end(self) -> tuple[Any, ...]:
        while self.machines[None].speakers():
            self.round()
        outcomes = [machine.finish() for machine in self.machines.values()]
        self._write_batch(outcomes=msgspec.to_builtins(outcomes[0]))
        return outcomes[0]

    def abort(self) -> None:
        """The batch has not happened."""
        for machine in self.machines.values():
            machine.abort()
        self._write_batch(outcomes=[], aborted=True)

    def _write_batch(self, outcomes: list[Any], **more: Any) -> None:
        self.batches.append(
            {
                "event": self.event.hex(),
                "verbs": msgspec.to_builtins(self.verbs),
                "rounds": self.said,
                "outcomes": outcomes,
                "digest": self.machines[None].digest().hex(),
                "known": [
                    {str(slot): card for slot, card in sorted(self.machines[seat].known().items())}
                    for seat in range(self.seats)
                ],
                **more,
            }
        )

    def do(self, *verbs: Verb) -> tuple[Any, ...]:
        self.begin(*verbs)
        return self.end()

    def done(self) -> Row:
        return {**self.row, "batches": self.batches, "refused": self.refused}
