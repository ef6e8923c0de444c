"""Section 8: the verifiers. A statement's points are encodings; `proof` is the list of byte strings that travels."""

from __future__ import annotations

from independent.hashing import Transcript, field, fields, u
from independent.ristretto import G, L, hash_to_group, lin, need, points, scalars


def flat(pairs):
    return [point for pair in pairs for point in pair]


def verify_pop(scope, proof, seat, identity, role, key):
    c, s = scalars(b"".join(proof), 2)
    t = Transcript("pop", scope).absorb(field("seat", u(4, seat)), field("identity", identity), field("role", role))
    t.absorb(field("H", key), field("T", lin((s, G), (-c, key))))
    need(t.challenge() == c, "pop-" + role)


def verify_dleq(scope, proof, key, a, d):
    c, s = scalars(b"".join(proof), 2)
    t = Transcript("dleq", scope).absorb(field("g", G), field("H", key), field("A", a), field("D", d))
    t.absorb(field("T1", lin((s, G), (-c, key))), field("T2", lin((s, a), (-c, d))))
    need(t.challenge() == c, "dleq")


def verify_dleq_batch(scope, proof, key, a, d):
    c, s = scalars(b"".join(proof), 2)
    t = Transcript("dleq-batch", scope).absorb(field("g", G), field("H", key), fields("A", a), fields("D", d))
    z = t.weights(len(a))
    a1, d1 = lin(*zip(z, a, strict=True)), lin(*zip(z, d, strict=True))
    t.absorb(field("T1", lin((s, G), (-c, key))), field("T2", lin((s, a1), (-c, d1))))
    need(t.challenge() == c, "dleq-batch")


def verify_remask(scope, proof, key, before, after):
    c, s = scalars(b"".join(proof), 2)
    t = Transcript("remask", scope).absorb(
        field("g", G), field("K", key), fields("C", flat(before)), fields("C'", flat(after))
    )
    z = t.weights(len(before))
    for label, base, part in (("Ka", G, 0), ("Kb", key, 1)):
        new = [(-c * k, pair[part]) for k, pair in zip(z, after, strict=True)]
        old = [(c * k, pair[part]) for k, pair in zip(z, before, strict=True)]
        t.absorb(field(label, lin((s, base), *new, *old)))
    need(t.challenge() == c, "remask")


def verify_venc(scope, proof, key, viewer, a, e1, e2):
    c, sa, sb = scalars(b"".join(proof), 3)
    t = Transcript("venc", scope).absorb(field("g", G), field("H", key), field("W", viewer))
    t.absorb(fields("A", a), fields("E1", e1), fields("E2", e2))
    z = t.weights(len(a))
    a1, f1, f2 = (lin(*zip(z, row, strict=True)) for row in (a, e1, e2))
    t.absorb(field("T1", lin((sa, G), (-c, key))), field("T2", lin((sb, G), (-c, f1))))
    t.absorb(field("T3", lin((sa, a1), (sb, viewer), (-c, f2))))
    need(t.challenge() == c, "venc")


def verify_relock(scope, proof, key, to, before, after):
    c, sa, sb = scalars(b"".join(proof), 3)
    t = Transcript("relock", scope).absorb(field("g", G), field("H", key), field("K", to))
    t.absorb(fields("C", flat(before)), fields("C'", flat(after)))
    z = t.weights(len(before))
    a1 = lin(*((k, pair[0]) for k, pair in zip(z, before, strict=True)))
    a2 = lin(*((k, pair[0]) for k, pair in zip(z, after, strict=True)))
    rest = lin(
        *((k, o[1]) for k, o in zip(z, before, strict=True)), *((-k, n[1]) for k, n in zip(z, after, strict=True))
    )
    t.absorb(field("T1", lin((sa, G), (-c, key))), field("T2", lin((sb, G), (-c, a2))))
    t.absorb(field("T3", lin((sa, a1), (-sb, to), (-c, rest))))
    need(t.challenge() == c, "relock")


def verify_exclude(scope, proof, key, slots, cards):
    c, s1, s2 = scalars(b"".join(proof[3:]), 3)
    (blind,), y, x = points(proof[0], 1), points(proof[1], len(cards)), points(proof[2], len(slots))
    need(not set(y) & set(x), "exclude-card")
    t = Transcript("exclude", scope).absorb(field("g", G), field("H", key))
    t.absorb(fields("C", flat(slots)), fields("M", cards), field("P", blind), fields("Y", y), fields("X", x))
    z = t.weights(len(y) + len(x))
    b1 = lin(*zip(z, [*cards, *(r for _, r in slots)], strict=True))
    a1 = lin(*zip(z[len(y) :], [a for a, _ in slots], strict=True))
    total = lin(*zip(z, y + x, strict=True))
    t.absorb(field("T1", lin((s1, G), (-c, blind))), field("T2", lin((s2, G), (-s1, key))))
    t.absorb(field("T3", lin((s1, b1), (-s2, a1), (-c, total))))
    need(t.challenge() == c, "exclude")


def verify_shuffle(scope, proof, key, before, after):
    n = len(before)
    (s1, s2, s3, s4), sl, so = scalars(proof[4], 4), scalars(proof[5], n), scalars(proof[6], n)
    c, links, ts, tl = points(proof[0], n), points(proof[1], n), points(proof[2], 5), points(proof[3], n)
    h, hs = hash_to_group("frp2p/v1/gen/h"), [hash_to_group(f"frp2p/v1/gen/{at + 1}") for at in range(n)]
    t = Transcript("shuffle", scope).absorb(field("g", G), field("h", h), field("K", key), field("N", u(4, n)))
    t.absorb(fields("e", flat(before)), fields("e'", flat(after)), fields("c", c))
    us = t.vector(n)
    x = t.absorb(fields("links", links), fields("t", ts), fields("t-links", tl)).challenge()
    product = 1
    for value in us:
        product = product * value % L

    def row(scale, left, right):
        return [(scale * k, p) for k, p in zip(left, right, strict=True)]

    ones = [1] * n
    need(lin((s1, G), *row(-x, ones, c), *row(x, ones, hs)) == ts[0], "shuffle-sum")
    need(lin((s2, G), (-x, links[-1]), (x * product, h)) == ts[1], "shuffle-product")
    need(lin((s3, G), *row(1, so, hs), *row(-x, us, c)) == ts[2], "shuffle-weights")
    for at, base, name in ((0, G, "a"), (1, key, "b")):
        new, old = row(1, so, [e[at] for e in after]), row(-x, us, [e[at] for e in before])
        need(lin((-s4, base), *new, *old) == ts[3 + at], "shuffle-mask-" + name)
    for at, link in enumerate(links):
        last = links[at - 1] if at else h
        need(lin((sl[at], G), (so[at], last), (-x, link)) == tl[at], "shuffle-chain")
