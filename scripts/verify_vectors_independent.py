#!/usr/bin/env python3
"""Check protocol/vectors/deal-*.json with nothing but the standard library and protocol/06-deal.md.

    python3 scripts/verify_vectors_independent.py protocol/vectors

A second reading of the page (`scripts/independent/`): slow, plain, and without a line of the program.
Exit code 0 if every vector comes out as stated.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from independent import proofs
from independent.hashing import H, Transcript, ctx_of, event_of, field, fields, params_of, stream
from independent.msgpack import unpack
from independent.ristretto import TABLE, Refused, hash_to_group, lin, points, scalars
from independent.table import Table


def expect(name, got, wanted):
    if got != wanted:
        raise SystemExit(f"{name}: {got!r} instead of {wanted!r}")


def verdict(check, *arguments):
    try:
        check(*arguments)
    except Refused as refusal:
        return str(refusal)
    return None


def unhex(value):
    if isinstance(value, list):
        return [tuple(map(bytes.fromhex, item)) if isinstance(item, list) else bytes.fromhex(item) for item in value]
    return bytes.fromhex(value) if isinstance(value, str) else value


BYTES = ("step", "charter", "options", "game", "params", "roster", "data", "seed")


def check_primitive(test):
    kind, name = test["kind"], test["id"]
    raw = {key: unhex(value) for key, value in test.items() if key in BYTES}
    if kind == "hash-to-group":
        return expect(name, hash_to_group(test["text"]).hex(), test["point"])
    if kind in ("point", "scalar"):
        refused = verdict(points if kind == "point" else scalars, bytes.fromhex(test["hex"]), 1)
        return expect(name, refused is None, test["valid"])
    if kind == "stream":
        values = stream(raw["seed"], test["sides"])
        return expect(name, [next(values) for _ in test["values"]], test["values"])
    if kind == "transcript":
        t = Transcript("test", (b"c", b"e")).absorb(field("m", b"1"), fields("l", [b"2", b"3"]))
        one, two, three = t.challenge(), t.vector(2), t.weights(2)
        made = [value.to_bytes(32, "little").hex() for value in (one, *two, *three)]
        return expect(name, made, [test["challenge"], *test["vector"], *test["weights"]])
    made = {
        "field": lambda: field(test["label"], raw["data"]),
        "fields": lambda: fields(test["label"], raw["data"]),
        "H": lambda: H(test["name"], field(test["label"], raw["data"])),
        "event": lambda: event_of(raw["step"], test["verb"], test["sender"], test["deck"], test["slots"]),
        "params": lambda: params_of(raw["charter"], raw["options"], test["seats"], test["decks"]),
        "ctx": lambda: ctx_of(raw["game"], raw["params"], raw["roster"], test["epoch"]),
    }[kind]()
    return expect(name, made.hex(), test["hex"])


def check_proof(test):
    verify = getattr(proofs, "verify_" + test["type"].replace("-", "_"))
    statement = {key: value if key == "role" else unhex(value) for key, value in test["statement"].items()}
    scope = bytes.fromhex(test["ctx"]), bytes.fromhex(test["event"])
    expect(test["id"], verdict(lambda: verify(scope, unhex(test["proof"]), **statement)), test["check"])


def check_game(test):
    table = Table(test)
    for at, said in enumerate(test["setup"]):
        refuse(test, None, at, table.check_setup)
        messages = {int(seat): unpack(bytes.fromhex(data))[0] for seat, data in said.items()}
        for seat, message in messages.items():
            table.check_setup(seat, message)
        table.close_setup(messages)
    if len(test["setup"]) < 4:
        refuse(test, None, len(test["setup"]), table.check_setup)
    else:
        expect(test["id"], [table.ctx.hex(), table.joint.hex()], [test["ctx"], test["joint"]])
    for number, batch in enumerate(test["batches"]):
        table.begin(bytes.fromhex(batch["event"]), batch["verbs"])
        for at, said in enumerate(batch["rounds"]):
            refuse(test, number, at, table.check)
            raw = {int(seat): bytes.fromhex(data) for seat, data in said.items()}
            table.close(raw, {seat: table.check(seat, unpack(data)[0]) for seat, data in raw.items()})
        expect(f"{test['id']} outcomes {number}", table.finish(), batch["outcomes"])
        expect(f"{test['id']} digest {number}", table.digest().hex(), batch["digest"])
        for seat, secret in enumerate(test["secrets"]):
            keys = [int.from_bytes(bytes.fromhex(secret[role]), "little") for role in ("deck", "view")]
            check_hand(table, seat, *keys, batch["known"][seat])


def check_hand(table, seat, deck, view, known):
    """Every slot of the own hand, and every slot that was just shown, reads as stated."""
    for slot, (_, lock, (a, b), _, _) in table.slots.items():
        missing = [(-deck, a)] if lock in (seat, TABLE) else []
        if lock == seat:
            expect(f"slot {slot} of seat {seat}", lin((1, b), *missing), table.point_of[known[str(slot)]])
        for e1, e2 in table.shown.pop((slot, seat), ()) if (slot, seat) in table.shown else ():
            missing += [(-1, e2), (view, e1)]
        if len(missing) > 1:
            expect(f"slot {slot} shown to {seat}", lin((1, b), *missing), table.point_of[known[str(slot)]])


def refuse(test, batch, at, check):
    for case in test["refused"]:
        if (case["batch"], case["round"]) == (batch, at):
            message = unpack(bytes.fromhex(case["contribution"]))[0]
            expect(case["id"], verdict(check, case["seat"], message), case["check"])


def main(folder):
    for name, check in (("primitives", check_primitive), ("proofs", check_proof), ("games", check_game)):
        tests = json.loads((Path(folder) / f"deal-{name}.json").read_text(encoding="utf-8"))["tests"]
        for test in tests:
            check(test)
        print(f"deal-{name}: {len(tests)} vectors as stated")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "protocol" / "vectors")
