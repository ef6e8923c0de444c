"""Every proof once as it should be, and once for each way in which it can be wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from deal_vectors.common import GROUP, seeded
from frp2p.deal.elgamal import Ciphertext, remask
from frp2p.deal.generators import Generators
from frp2p.deal.group import ORDER, Point, hash_to_group
from frp2p.deal.proofs import dleq, dleq_batch, exclude, pop, relock, shuffle, venc
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.scope import Scope
from frp2p.deal.transcript import Nonces
from frp2p.errors import PeerFault

SCOPE = Scope(GROUP, b"\xc0" * 64, b"an event")
X, W, OTHER = 123456789, 555, 987654321
KEY, VIEWER, TO = GROUP.base(X), GROUP.base(W), GROUP.base(OTHER)
IDENTITY_KEY = b"i" * 32
CARDS = [hash_to_group(GROUP, f"card {at}") for at in range(6)]
HELD = [Ciphertext(GROUP.base(at + 7), GROUP.add(CARDS[at], GROUP.mul(KEY, at + 7))) for at in range(3)]
POINT = hash_to_group(GROUP, "a point")
Row = dict[str, Any]
Verify = Callable[[Any, Any], None]


def tests() -> list[Row]:
    rows: list[Row] = []
    for kind, statement, proof, verify, encode in _small():
        rows += _faults(kind, statement, proof, verify, encode)
    return [*rows, *_shuffles()]


def _hex(points: Sequence[bytes]) -> list[str]:
    return [point.hex() for point in points]


def _pairs(values: Sequence[Ciphertext]) -> list[list[str]]:
    return [_hex(value) for value in values]


def _row(name: str, kind: str, encoded: Row, proof: Any, check: str | None) -> Row:
    return {
        "id": f"{kind} {name}",
        "type": kind,
        "ctx": SCOPE.ctx.hex(),
        "event": SCOPE.event.hex(),
        "statement": encoded,
        "proof": [part.hex() for part in msgspec.structs.astuple(proof)],
        "check": check,
    }


def _verdict(verify: Verify, statement: Any, proof: Any) -> str | None:
    try:
        verify(statement, proof)
    except PeerFault as fault:
        return fault.check
    return None


def _small() -> Iterator[tuple[str, Any, Any, Verify, Callable[[Any], Row]]]:
    """Type, statement, proof, verifier, and the statement as JSON."""
    draw = seeded("proofs")
    for role in ("deck", "view"):
        claim = {"seat": 1, "identity": IDENTITY_KEY, "role": role, "key": KEY}
        proof = pop.prove(SCOPE, *claim.values(), X, draw)  # type: ignore[arg-type]
        yield (
            "pop",
            claim,
            proof,
            lambda claim, proof: pop.verify(SCOPE, *claim.values(), proof),
            lambda claim: {**claim, "identity": claim["identity"].hex(), "key": claim["key"].hex()},
        )
    a = [value.a for value in HELD]
    d = [GROUP.mul(point, X) for point in a]
    one = {"key": KEY, "a": a[0], "d": d[0]}
    yield (
        "dleq",
        one,
        dleq.prove(SCOPE, *one.values(), X, draw),
        lambda claim, proof: dleq.verify(SCOPE, *claim.values(), proof),
        lambda claim: {name: value.hex() for name, value in claim.items()},
    )
    many = {"key": KEY, "a": a, "d": d}
    yield (
        "dleq-batch",
        many,
        dleq_batch.prove(SCOPE, KEY, a, d, X, draw),
        lambda claim, proof: dleq_batch.verify(SCOPE, *claim.values(), proof),
        lambda claim: {"key": claim["key"].hex(), "a": _hex(claim["a"]), "d": _hex(claim["d"])},
    )
    yield from _moving(draw, a)


def _moving(draw: Any, a: list[Point]) -> Iterator[tuple[str, Any, Any, Verify, Callable[[Any], Row]]]:
    masks = [31, 32, 33]
    after = [remask(GROUP, KEY, value, mask) for value, mask in zip(HELD, masks, strict=True)]
    claim = {"key": KEY, "before": HELD, "after": after}
    yield (
        "remask",
        claim,
        remask_proof.prove(SCOPE, KEY, HELD, after, masks, draw),
        lambda claim, proof: remask_proof.verify(SCOPE, *claim.values(), proof),
        lambda claim: {
            "key": claim["key"].hex(),
            "before": _pairs(claim["before"]),
            "after": _pairs(claim["after"]),
        },
    )
    e1, e2 = venc.encrypt(SCOPE, VIEWER, a, X, masks)
    shown = venc.Statement(SCOPE, KEY, VIEWER, a, e1, e2)
    yield (
        "venc",
        shown,
        venc.prove(shown, X, masks, draw),
        venc.verify,
        lambda s: {"key": s.key.hex(), "viewer": s.viewer.hex(), "a": _hex(s.a), "e1": _hex(s.e1), "e2": _hex(s.e2)},
    )
    moved = [relock.relock(GROUP, TO, value, X, mask) for value, mask in zip(HELD, masks, strict=True)]
    given = relock.Statement(SCOPE, KEY, TO, HELD, moved)
    yield (
        "relock",
        given,
        relock.prove(given, X, masks, draw),
        relock.verify,
        lambda s: {"key": s.key.hex(), "to": s.to.hex(), "before": _pairs(s.before), "after": _pairs(s.after)},
    )
    none = exclude.Statement(SCOPE, KEY, HELD[:2], CARDS[2:5])
    yield (
        "exclude",
        none,
        exclude.prove(none, X, draw),
        exclude.verify,
        lambda s: {"key": s.key.hex(), "slots": _pairs(s.slots), "cards": _hex(s.cards)},
    )


def _with(statement: Any, **changed: Any) -> Any:
    return {**statement, **changed} if isinstance(statement, dict) else replace(statement, **changed)


def _get(statement: Any, name: str) -> Any:
    return statement[name] if isinstance(statement, dict) else getattr(statement, name)


def _faults(kind: str, statement: Any, proof: Any, verify: Verify, encode: Callable[[Any], Row]) -> list[Row]:
    """Valid; then every part of the statement and of the proof changed, alone."""
    name = f"{statement['role']} " if kind == "pop" else ""
    rows = [_row(f"{name}valid", kind, encode(statement), proof, _verdict(verify, statement, proof))]
    if rows[0]["check"] is not None:
        raise SystemExit(f"{kind}: the honest proof is refused")
    parts = statement if isinstance(statement, dict) else statement.__dataclass_fields__
    for part in parts:
        if part in ("scope", "role"):
            continue
        value = _get(statement, part)
        other: Any = (value + 1) % 7 if isinstance(value, int) else b"j" * 32 if part == "identity" else POINT
        if isinstance(value, list):
            other = [*value[1:], value[0]]
        wrong = _with(statement, **{part: other})
        rows.append(_row(f"{name}other {part}", kind, encode(wrong), proof, _verdict(verify, wrong, proof)))
    for part in proof.__struct_fields__:
        row = getattr(proof, part)
        for what, changed in (
            ("flipped", bytes([row[0] ^ 1]) + row[1:]),
            ("out of range", row[:-32] + b"\xff" * 32),
        ):
            bad = msgspec.structs.replace(proof, **{part: changed})
            rows.append(_row(f"{name}{part} {what}", kind, encode(statement), bad, _verdict(verify, statement, bad)))
    if any(row["check"] is None for row in rows[1:]):
        raise SystemExit(f"{kind}: a fault is not found")
    return rows


class Changed(shuffle.Prover):
    """Changes one commitment before the challenge, so that one equation alone fails."""

    which = 0

    def announce(self, nonces: Nonces) -> tuple[list[Point], list[Point]]:
        t, links = super().announce(nonces)
        row, at = (t, self.which) if self.which < 5 else (links, self.which - 5)
        row[at] = GROUP.add(row[at], POINT)
        return t, links


def _shuffles() -> list[Row]:
    order, masks = [2, 0, 3, 1], [41, 42, 43, 44]
    before = [Ciphertext(GROUP.base(at + 2), GROUP.add(CARDS[at], GROUP.mul(KEY, at + 2))) for at in range(4)]
    after = [remask(GROUP, KEY, before[at], mask) for at, mask in zip(order, masks, strict=True)]
    statement = shuffle.Statement(SCOPE, Generators(GROUP), KEY, before, after)

    def encode(claim: Any) -> Row:
        return {"key": claim.key.hex(), "before": _pairs(claim.before), "after": _pairs(claim.after)}

    proof = shuffle.Prover(statement, order, masks).prove(X, seeded("shuffle"))
    rows = [_row("valid", "shuffle", encode(statement), proof, _verdict(shuffle.verify, statement, proof))]
    names = ("sum", "product", "weights", "mask-a", "mask-b", "chain", "chain", "chain", "chain")
    for which, check in enumerate(names):
        prover = Changed(statement, order, masks)
        prover.which = which
        wrong = prover.prove(X, seeded(f"changed {which}"))
        verdict = _verdict(shuffle.verify, statement, wrong)
        if verdict != f"shuffle-{check}":
            raise SystemExit(f"shuffle: {verdict} instead of {check}")
        rows.append(_row(f"only {check} fails ({which})", "shuffle", encode(statement), wrong, verdict))
    for part in proof.__struct_fields__:
        row = getattr(proof, part)
        for what, changed in (("short", row[:-32]), ("out of range", row[:-32] + b"\xff" * 32)):
            bad = msgspec.structs.replace(proof, **{part: changed})
            verdict = _verdict(shuffle.verify, statement, bad)
            rows.append(_row(f"{part} {what}", "shuffle", encode(statement), bad, verdict))
    for part, other in (("key", TO), ("before", before[::-1]), ("after", after[::-1])):
        claim = replace(statement, **{part: other})
        rows.append(_row(f"other {part}", "shuffle", encode(claim), proof, _verdict(shuffle.verify, claim, proof)))
    high = (int.from_bytes(proof.s[:32], "little") + ORDER).to_bytes(32, "little") + proof.s[32:]
    bad = msgspec.structs.replace(proof, s=high)
    rows.append(_row("s and L", "shuffle", encode(statement), bad, _verdict(shuffle.verify, statement, bad)))
    if rows[0]["check"] is not None or any(row["check"] is None for row in rows[1:]):
        raise SystemExit("shuffle: a verdict is wrong")
    return rows
