"""Check encoding.json, keys.json, signatures.json and chain.json. The numbers are sections of protocol/04-encoding.md.

See verify_vectors_independent.py, whose curve this uses (ristretto255 is made of that of Ed25519).
"""

from __future__ import annotations

import json
from hashlib import sha256, sha512
from pathlib import Path

from independent_encoding import array, blob, by_tag, integer, maybe, one_of, pack, plain, read, record, text, unpack
from verify_vectors_independent import D, L, P, Refused, expect, need, plus, sqrt_ratio, times, unhex

# 1. Tagged hashes.


def T(name, value):
    return sha256(domain(name) + pack(value)).digest()


def domain(name):
    return b"frp2p/1/" + name.encode() + b"\0"


# 2. Ed25519 (RFC 8032), fingerprints.

BASE_Y = 4 * pow(5, -1, P) % P
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def point(key):
    """A point by its encoding, by the checks of a public key."""
    need(len(key) == 32, "key-size")
    y, sign = int.from_bytes(key, "little") % 2**255, key[31] >> 7
    need(y < P, "key-canonical")
    square, x = sqrt_ratio(y * y - 1, D * y * y + 1)
    need(square, "key-curve")
    x = x if x & 1 == sign else P - x
    found = x, y, 1, x * y % P
    eighth = times(8, found)
    need(eighth[0] % P or eighth[1] != eighth[2], "key-small-order")
    return found


def key_of(point):
    x, y, z, _ = point
    x, y = (one * pow(z, -1, P) % P for one in (x, y))
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = point(BASE_Y.to_bytes(32, "little"))


def number(*parts):
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little") % L


def expand(seed):
    """Secret scalar, prefix and public key."""
    wide = sha512(seed).digest()
    secret = int.from_bytes(wide[:32], "little") % 2**254 // 8 * 8 + 2**254
    return secret, wide[32:], key_of(times(secret, BASE))


def sign(seed, message):
    secret, prefix, key = expand(seed)
    r = number(prefix, message)
    commitment = key_of(times(r, BASE))
    return commitment + ((r + number(commitment, key, message) * secret) % L).to_bytes(32, "little")


def verify(key, message, signature):
    s, (x, y, z, t) = int.from_bytes(signature[32:], "little"), point(key)
    minus = times(number(signature[:32], key, message), (P - x, y, z, P - t))
    need(s < L and key_of(plus(times(s, BASE), minus)) == signature[:32], "signature")


def spell(text, count):
    """The first bits of the hash of a text, as so many characters of five."""
    bits = int.from_bytes(sha256(text).digest(), "big") >> 256 - 5 * count
    return "".join(ALPHABET[bits >> 5 * place & 31] for place in reversed(range(count)))


def fingerprint(key):
    letters, groups = spell(domain("fingerprint") + key, 16), []
    for g in range(4):
        four = letters[4 * g : 4 * g + 4]
        check = g + sum(k * ALPHABET.index(letter) for k, letter in zip((1, 3, 5, 7), four, strict=True))
        groups.append(four + ALPHABET[check % 32])
    return "-".join(groups)


# 3 and 5. Records. Page 09, section 1: provisions. Page 11, section 1: options.

DIGEST, SIGNATURE, SEAT, STEP, TRUTH = blob(32, 32), blob(64, 64), integer(0, 6), integer(0, 49_999), plain(bool)
MOST_PAYLOAD, MOST_BODY, MOST_RECORD, MOST_CHARTER, MOST_OPTIONS = 49_152, 49_280, 49_408, 8_192, 2_048
MOST_OF = {"charter": 16, "setup": 4_096, "deal": MOST_PAYLOAD, "move": 2_048, "open": 96, "attest": 64}
WORD, SECONDS = text(1, 32, "[a-z][a-z0-9-]*"), integer(0, 86_400)

CLOCK = {"move_seconds": SECONDS, "bank_seconds": SECONDS, "increment_seconds": SECONDS}
CLOCK = record("", **CLOCK, away_seconds=integer(5, 3_600))
MORE = dict.fromkeys(("watched", "audit", "arbiter"), TRUTH)
PROVISIONS = record("", clock=CLOCK, recovery=TRUTH, on_loss=one_of("stop", "adjourn"), **MORE)
PERSON = record("", key=DIGEST, name=text(1, 64), nonce=DIGEST)
CHARTER = record(
    "charter",
    version=integer(1, 65_535),
    game=WORD,
    options=blob(0, MOST_OPTIONS),
    dealer=WORD,
    catalogue=DIGEST,
    provisions=PROVISIONS,
    seats=array(PERSON, 2, 7),
    arbiter=maybe(PERSON),
)
OPENING = {"game": DIGEST, "step": STEP}
PART_BODY = record("", **OPENING, prev=DIGEST, seat=SEAT, kind=one_of(*MOST_OF), payload=blob(0, MOST_PAYLOAD))
ACK_BODY = {"seat": SEAT, "step_digest": DIGEST, "state_digest": DIGEST, "elapsed_ms": integer(0, 604_800_000)}
ACK_BODY = record("", **OPENING, **ACK_BODY)
SIGNED = {kind: record(kind, body=blob(0, MOST_BODY), signature=SIGNATURE) for kind in ("part", "ack")}
KINDS = {
    "part-body": (MOST_BODY, PART_BODY),
    "ack-body": (MOST_BODY, ACK_BODY),
    "record": (MOST_RECORD, by_tag(charter=CHARTER, **SIGNED)),
}
HOUSE = ("forest_each", "fountain_self", "wildfire_wilds", "wildfire_outsiders", "book_wild", "phoenix_cleared")
OPTIONS = record(
    "",
    mode=one_of("standard", "duel", "chaos"),
    unlinkable_hands=TRUTH,
    hints=one_of("off", "score", "what-if"),
    extra_suits=TRUTH,
    jester=TRUTH,
    phoenix=one_of("off", "deluxe", "promo"),
    cursed_items=TRUTH,
    rounds=integer(1, 20),
    points=integer(0, 5_000),
    house=record("", **dict.fromkeys(HOUSE, TRUTH)),
    seconds=integer(10, 900),
)
CARDS = Path(__file__).resolve().parent.parent / "protocol" / "cards.json"


def catalogue(game, options):
    """Section 3, and of page 08 section 1."""
    facts = {name: rows for name, rows in json.loads(CARDS.read_text(encoding="utf-8")).items() if name != "suits"}
    ids, items = ([one["id"] for one in facts[name]] for name in ("cards", "items"))
    hoard = {one["id"]: one["replaces"] for one in facts["cards"] if one["id"][:2] == "CH" and options["extra_suits"]}
    instead = {old: new for new, old in hoard.items()}
    deck = [instead.get(one, one) for one in ids if "FR01" <= one <= "FR53"] + ["FR54"] * options["jester"]
    deck += {"off": [], "deluxe": ["FR55"], "promo": ["FR55P"]}[options["phoenix"]]
    deck += [new for new, old in hoard.items() if old is None] + items * options["cursed_items"]
    for one in facts["cards"] + facts["items"]:
        for shown in {"pt", "aliases", "home"} & set(one):
            del one[shown]
    told = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return T("catalogue", [game, sha256(told.encode()).digest(), deck])


# The vectors.

ALIKE = "encoding-form", "encoding-type", "encoding-canonical"


def outcome(check, *arguments):
    """What it gives, or the check that refuses."""
    try:
        return check(*arguments)
    except Refused as refusal:
        return str(refusal)


def same(name, got, wanted):
    """In JSON, where the order of fields counts and true is not 1."""
    expect(name, json.dumps(got), json.dumps(wanted))


def stated(test):
    """The check that refuses an invalid vector; nil of a valid one."""
    return {"valid": None, "invalid": test.get("check")}[test["result"]]


def check_encoding(test):
    got = outcome(read, unhex(test["hex"]), *KINDS[test["kind"]])
    check = stated(test)
    if check is None:
        return same(test["id"], got, test["value"])
    return same(test["id"], check if got in ALIKE and check in ALIKE else got, check)


def check_key(test):
    key = unhex(test["key"])
    got = outcome(lambda: point(key) and None)
    same(test["id"], got, stated(test))
    if got is None:
        same(test["id"], [fingerprint(key), expand(unhex(test["seed"]))[2].hex()], [test["fingerprint"], test["key"]])


def check_signature(test):
    key, body, signature = unhex([test["key"], test["body"], test["signature"]])
    got = outcome(verify, key, domain(test["kind"]) + body, signature)
    same(test["id"], got, stated(test))


def check_chain(test):
    """Step 0 of a ledger of two, from their seeds and the charter."""
    seeds, raw = unhex(test["seeds"]), unhex(test["charter"])
    shown, charter = read(raw, MOST_CHARTER, CHARTER), unpack(raw)
    _, version, game, options, dealer, cards, provisions, seats, _ = charter
    same("keys", [seat["key"] for seat in shown["seats"]], [expand(seed)[2].hex() for seed in seeds])
    same("catalogue", cards.hex(), catalogue(game, read(options, MOST_OPTIONS, OPTIONS)).hex())
    ledger, params = T("charter", charter), [version, game, options, dealer, cards, provisions, len(seats)]
    code = spell(domain("code") + ledger, 8)
    made = {"charter_value": shown, "game": ledger, "params": T("params", params)}
    made["table_code"] = code[:4] + "-" + code[4:]
    bodies = [pack([ledger, 0, ledger, seat, "charter", pack(["consent"])]) for seat in range(len(seats))]
    made |= {"part_bodies": bodies, "signed_bytes": domain("part") + bodies[0]}
    step, state = T("step", [ledger, 0, ledger, bodies]), T("state", ["setup", None, None])
    made |= {"step_digest": step, "state_digest": state, "head": T("head", [step, state])}
    acks = [pack([ledger, 0, seat, step, state, test["elapsed_ms"]]) for seat in range(len(seats))]
    for kind, said in (("part", bodies), ("ack", acks)):
        made[kind + "s"] = []
        for body, seed, seat in zip(said, seeds, seats, strict=True):
            read(body, *KINDS[kind + "-body"])
            signature = sign(seed, domain(kind) + body)
            verify(seat[0], domain(kind) + body, signature)
            made[kind + "s"].append(pack([kind, body, signature]))
    same(test["id"], sorted(test), sorted(["id", "seeds", "charter", "elapsed_ms", *made]))
    for name, value in made.items():
        same(f"{test['id']} {name}", in_hex(value), test[name])


def in_hex(value):
    if isinstance(value, list):
        return [in_hex(item) for item in value]
    return value.hex() if isinstance(value, bytes) else value


CHECKS = {"encoding": check_encoding, "keys": check_key, "signatures": check_signature, "chain": check_chain}
