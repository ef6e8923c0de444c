#!/usr/bin/env python3
"""Check all of protocol/vectors with nothing but the standard library and the pages of the protocol.

    python3 scripts/verify_vectors_independent.py [protocol/vectors]

A second reading of the pages: slow, plain, and without a line of the program. This file is about deal-primitives.json
and deal-proofs.json; read it beside protocol/06-deal.md, whose sections the numbers are. On it builds the rest:
independent_encoding.py and independent_ledger.py (page 04), independent_messages.py and independent_table.py (games of
page 06), independent_states.py (page 11). Exit code 0 if every vector comes out as stated.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha512, shake_256
from itertools import islice
from pathlib import Path

# 1. The group: ristretto255 (RFC 9496) in extended coordinates; wherever a point is kept, it is its encoding.

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, I = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)  # noqa: E741
SQRT_AD1 = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INV_AD = 54469307008909316920995813868745141605393597292927456921205312896311721017578
G, IDENTITY = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"), bytes(32)
NEUTRAL = (0, 1, 1, 0)  # with coordinates
TABLE = -1  # as a lock: the keys of all seats


def flat(rows):
    return [one for row in rows for one in row]


def unhex(value):
    if isinstance(value, list):
        return flat(map(unhex, value)) if value and isinstance(value[0], list) else [unhex(item) for item in value]
    return bytes.fromhex(value) if isinstance(value, str) else value


class Refused(Exception):
    """A named check failed."""


def need(holds, check):
    if not holds:
        raise Refused(check)


def sqrt_ratio(u, v):
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check, u = v * r * r % P, u % P
    r = r * I % P if check in (-u % P, -u * I % P) and u else r
    return check in (u, -u % P), (P - r if r & 1 else r)


def decode(data):
    s = int.from_bytes(data, "little")
    need(len(data) == 32 and s < P and not s & 1, "point-encoding")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inv = sqrt_ratio(1, v * u2 * u2)
    x, y = 2 * s * inv * u2 % P, u1 * inv * inv * u2 * v % P
    x = P - x if x & 1 else x
    need(square and not x * y % P & 1 and y, "point-encoding")
    return x, y, 1, x * y % P


def encode(point):
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    inv = sqrt_ratio(1, u1 * u2 * u2)[1]
    d1, d2 = inv * u1 % P, inv * u2 % P
    zinv = d1 * d2 * t % P
    x, y, d2 = (y * I % P, x * I % P, d1 * INV_AD % P) if t * zinv % P & 1 else (x, y, d2)
    s = d2 * (z - (-y if x * zinv % P & 1 else y)) % P
    return (P - s if s & 1 else s).to_bytes(32, "little")


def plus(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * D * p[3] * q[3], 2 * p[2] * q[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    total = NEUTRAL
    while scalar:
        total = plus(total, point) if scalar & 1 else total
        point, scalar = plus(point, point), scalar >> 1
    return total


def lin(*terms):
    """The sum of scalar * point."""
    total = NEUTRAL
    for scalar, point in terms:
        total = plus(total, times(scalar % L, decode(point)))
    return encode(total)


def elligator(data):
    t = int.from_bytes(data, "little") % 2**255
    r = I * t * t % P
    v = (-1 - r * D) * (r + D)
    square, s = sqrt_ratio((r + 1) * (1 - D * D), v)
    other = s * t % P
    c, s = (-1, s) if square else (r, other if other & 1 else -other)
    n = c * (r - 1) * (D - 1) ** 2 - v
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD1, 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def hash_to_group(text):
    wide = sha512(text.encode()).digest()
    return encode(plus(elligator(wide[:32]), elligator(wide[32:])))


def split(blob, count):
    need(len(blob) == 32 * count, "list-length")
    return [blob[at : at + 32] for at in range(0, len(blob), 32)]


def points(blob, count):
    return [encode(decode(one)) for one in split(blob, count)]


def scalars(blob, count):
    values = [int.from_bytes(one, "little") for one in split(blob, count)]
    need(all(value < L for value in values), "scalar-range")
    return values


# 1 and 2. Fields, hashes, streams, transcripts. A keyword is a label, with _ for -.


def u(width, value):
    return (value % 256 if width == 1 else value).to_bytes(width, "big")


def field(label, data):
    """A field; of a list, its fields."""
    if isinstance(data, list):
        return field(label, u(4, len(data))) + b"".join(field(label, item) for item in data)
    data = data.encode() if isinstance(data, str) else data
    return u(2, len(label.encode())) + label.encode() + u(4, len(data)) + data


def join(**parts):
    return b"".join(field(label.replace("_", "-"), data) for label, data in parts.items())


def H(name, **parts):
    return sha512(join(domain="frp2p/v1/" + name) + join(**parts)).digest()


def stream(seed, sides):
    blob = shake_256(seed).digest(8 * 1024)
    words = [int.from_bytes(blob[at : at + 8], "big") for at in range(0, len(blob), 8)]
    return (word % sides for word in words if word < 2**64 // sides * sides)


class Transcript:
    def __init__(self, kind, ctx, event):
        self.said = join(version="frp2p/v1", proof=kind, ctx=ctx, event=event)

    def absorb(self, *labelled):
        self.said += b"".join(field(label, u(4, it) if isinstance(it, int) else it) for label, it in labelled)

    def challenge(self):
        digest, self.said = sha512(self.said).digest(), join(rekey=sha512(self.said).digest())
        return int.from_bytes(digest, "little") % L

    def vector(self, count, size=64):
        """Challenges, or with size 16 weights."""
        digest, self.said = sha512(self.said).digest(), join(rekey=sha512(self.said).digest())
        return [int.from_bytes(sha512(digest + u(4, at)).digest()[:size], "little") % L for at in range(count)]


def event_of(step, verb, sender, deck, slots):
    return join(step=step, verb=u(2, verb), sender=u(1, sender), deck=deck, slot=[u(4, slot) for slot in slots])


def ctx_of(game, params, roster, epoch=0):
    return H("ctx", game=game, params=params, roster=roster, epoch=u(4, epoch))


def params_of(charter, options, seats, decks):
    listed = b"".join(join(deck=name, card=cards) for name, cards in sorted(decks))
    return H("params", charter=charter, options=options, seats=u(1, seats), decks=listed)


# 3.1. Keys in shares.


def pad_of(ctx, sender, receiver, key, r, common):
    made = H("envelope", ctx=ctx, sender=u(1, sender), receiver=u(1, receiver), points=[key, r, common])
    return int.from_bytes(made, "little") % L


def envelope_of(ctx, sender, receiver, secret, nonce, content):
    secret, nonce, content = (scalars(blob, 1)[0] for blob in (secret, nonce, content))
    key, r = lin((secret, G)), lin((nonce, G))
    c = (content + pad_of(ctx, sender, receiver, key, r, lin((nonce, key)))) % L
    return r + c.to_bytes(32, "little")


def share_key(commitments, holder):
    return lin(*((pow(holder + 1, power, L), point) for power, point in enumerate(commitments)))


def weights(holders):
    """lambda of every holder."""
    made = []
    for p in (holder + 1 for holder in holders):
        value = 1
        for q in {holder + 1 for holder in holders} - {p}:
            value = value * q * pow(q - p, -1, L) % L
        made.append(value)
    return made


# 8. Proofs, by the names of that section. C and C' are lists a b a b ...; a and b (a' and b') are their halves.

PROOFS = {  # type: statement; what the proof holds; sums with the weights z; commitments, from the responses
    "pop": ("seat identity role H", "c s", "", "T = s g - c H"),
    "dleq": ("g H A D", "c s", "", "T1 = s g - c H; T2 = s A - c D"),
    "dleq-batch": ("g H A D", "c s", "A* = z A; D* = z D", "T1 = s g - c H; T2 = s A* - c D*"),
    "remask": ("g K C C'", "c s", "a* = z a' - z a; b* = z b' - z b", "Ka = s g - c a*; Kb = s K - c b*"),
    "venc": (
        "g H W A E1 E2",
        "c sa sb",
        "A* = z A; E1* = z E1; E2* = z E2",
        "T1 = sa g - c H; T2 = sb g - c E1*; T3 = sa A* + sb W - c E2*",
    ),
    "relock": (
        "g H K C C'",
        "c sa sb",
        "A* = z a; A'* = z a'; F* = z b - z b'",
        "T1 = sa g - c H; T2 = sb g - c A'*; T3 = sa A* - sb K - c F*",
    ),
    "exclude": (
        "g H C M P Y X",
        "P Y X c s1 s2",
        "B* = zM M + zC b; A* = zC a; S* = zM Y + zC X",
        "T1 = s1 g - c P; T2 = s2 g - s1 H; T3 = s1 B* - s2 A* - c S*",
    ),
}


def combine(text, names):
    """`name = k P - l Q ...`: a label and a point. Where k and P are lists, k P is the sum of their products."""
    label, _, *words = text.split()
    terms, sign = [], 1
    while words:
        if words[0] in "+-":
            sign = 1 if words.pop(0) == "+" else -1
        k, p = names[words.pop(0)], names[words.pop(0)]
        terms += zip([sign * one for one in k], p, strict=True) if isinstance(k, list) else [(sign * k, p)]
    return label, lin(*terms)


def verify(kind, scope, proof, names):
    """`names`: the statement; `proof`: the byte strings as they travel."""
    if kind == "shuffle":
        return verify_shuffle(scope, proof, names["K"], names["C"], names["C'"])
    statement, parts, sums, commitments = PROOFS[kind]
    names = {"g": G, "M": [], **names}
    for mark in ("", "'"):
        names |= {half + mark: names.get("C" + mark, [])[at::2] for at, half in enumerate("ab")}
    given = dict(zip(parts.split(), proof, strict=True))
    names |= {name: scalars(blob, 1)[0] for name, blob in given.items() if name[0].islower()}
    if kind == "exclude":
        names |= {"P": points(given["P"], 1)[0], "Y": points(given["Y"], len(names["M"]))}
        names |= {"X": points(given["X"], len(names["a"]))}
        need(not set(names["X"]) & set(names["Y"]), "exclude-card")
    t = Transcript(kind, *scope)
    t.absorb(*((name, names[name]) for name in statement.split()))
    if sums:
        m = len(names["M"])
        z = t.vector(m + len(names.get("A", names["a"])), 16)
        names |= {"z": z, "zM": z[:m], "zC": z[m:]}
        names |= dict([combine(text, names) for text in sums.split("; ")])
    t.absorb(*(combine(text, names) for text in commitments.split("; ")))
    need(t.challenge() == names["c"], f"pop-{names['role']}" if kind == "pop" else kind)


def verify_shuffle(scope, proof, key, before, after):
    n = len(before) // 2
    (s1, s2, s3, s4), sl, so = scalars(proof[4], 4), scalars(proof[5], n), scalars(proof[6], n)
    c, links, ts, tl = points(proof[0], n), points(proof[1], n), points(proof[2], 5), points(proof[3], n)
    h, *hs = (hash_to_group(f"frp2p/v1/gen/{at or 'h'}") for at in range(n + 1))
    t = Transcript("shuffle", *scope)
    t.absorb(("g", G), ("h", h), ("K", key), ("N", n), ("e", before), ("e'", after), ("c", c))
    us = t.vector(n)
    t.absorb(("links", links), ("t", ts), ("t-links", tl))
    x = t.challenge()
    product = 1
    for value in us:
        product = product * value % L
    minus = [-x * value for value in us]
    need(lin((s1, G), *((-x, one) for one in c), *((x, one) for one in hs)) == ts[0], "shuffle-sum")
    need(lin((s2, G), (-x, links[-1]), (x * product, h)) == ts[1], "shuffle-product")
    need(lin((s3, G), *zip(so, hs, strict=True), *zip(minus, c, strict=True)) == ts[2], "shuffle-weights")
    for at, base, name in ((0, G, "a"), (1, key, "b")):
        moved = *zip(so, after[at::2], strict=True), *zip(minus, before[at::2], strict=True)
        need(lin((-s4, base), *moved) == ts[3 + at], "shuffle-mask-" + name)
    for last, link, wanted, s, o in zip([h, *links[:-1]], links, tl, sl, so, strict=True):
        need(lin((s, G), (o, last), (-x, link)) == wanted, "shuffle-chain")


# 10. The vectors.

HEX = {"step", "charter", "options", "game", "params", "roster", "data", "seed", "hex"}
HEX |= {"ctx", "secret", "nonce", "content", "commitments"}
LETTERS = (
    "seat:seat identity:identity role:role key:H a:A d:D viewer:W e1:E1 e2:E2 to:K before:C after:C' slots:C cards:M"
)
NAMES = dict(pair.split(":") for pair in LETTERS.split())  # of the statements, as section 8 has them


def expect(name, got, wanted):
    if got != wanted:
        raise SystemExit(f"{name}: {got!r} instead of {wanted!r}")


def verdict(check, *arguments):
    try:
        check(*arguments)
    except Refused as refusal:
        return str(refusal)
    return None


MAKERS = {  # what makes the value of a primitive vector, and of what
    "hash-to-group": (hash_to_group, "text"),
    "field": (field, "label data"),
    "fields": (field, "label data"),
    "H": (lambda name, label, data: H(name, **{label: data}), "name label data"),
    "event": (event_of, "step verb sender deck slots"),
    "params": (params_of, "charter options seats decks"),
    "ctx": (ctx_of, "game params roster epoch"),
    "point": (lambda blob: verdict(points, blob, 1) is None, "hex"),
    "scalar": (lambda blob: verdict(scalars, blob, 1) is None, "hex"),
    "stream": (lambda seed, sides, values: list(islice(stream(seed, sides), len(values))), "seed sides values"),
    "envelope": (envelope_of, "ctx sender receiver secret nonce content"),
    "share-key": (share_key, "commitments holder"),
    "interpolation": (lambda holders: [value.to_bytes(32, "little").hex() for value in weights(holders)], "holders"),
    "transcript": (lambda _what: transcript(), "what"),
}


def transcript():
    t = Transcript("test", b"c", b"e")
    t.absorb(("m", b"1"), ("l", [b"2", b"3"]))
    return [value.to_bytes(32, "little").hex() for value in (t.challenge(), *t.vector(2), *t.vector(2, 16))]


def check_primitive(test):
    """Bytes are hexadecimal in some arguments, by name; the rest are texts and numbers."""
    maker, arguments = MAKERS[test["kind"]]
    raw = {**test, **{name: unhex(test[name]) for name in HEX if name in test}}
    made = maker(*(raw[name] for name in arguments.split()))
    wanted = next(test[name] for name in ("point", "valid", "values", "challenge", "hex") if name in test)
    wanted = [wanted, *test["vector"], *test["weights"]] if test["kind"] == "transcript" else wanted
    expect(test["id"], made.hex() if isinstance(made, bytes) else made, wanted)


def check_proof(test):
    names = {**NAMES, "key": "K"} if test["type"] in ("remask", "shuffle") else NAMES
    names = {names[key]: value if key == "role" else unhex(value) for key, value in test["statement"].items()}
    scope = unhex(test["ctx"]), unhex(test["event"])
    expect(test["id"], verdict(verify, test["type"], scope, unhex(test["proof"]), names), test["check"])


def main(folder):
    from independent_ledger import CHECKS  # these build on this file
    from independent_states import check_states
    from independent_table import check_game

    checks = {**CHECKS, "deal-primitives": check_primitive, "deal-proofs": check_proof, "deal-games": check_game}
    checks["fantasy-realms-states"] = check_states
    expect("files", sorted(path.stem for path in Path(folder).glob("*.json")), sorted(checks))
    for name, check in checks.items():
        file = json.loads((Path(folder) / f"{name}.json").read_text(encoding="utf-8"))
        expect(name, len(file["tests"]), file["count"])
        for test in file["tests"]:
            try:
                check(test)
            except Exception as error:
                error.add_note(f"in {name}: {test['id']}")
                raise
        print(f"{name}: {file['count']} vectors as stated" + ", but for the rules" * (check is check_states))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "protocol" / "vectors")
