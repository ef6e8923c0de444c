"""Section 1: ristretto255 (RFC 9496) in extended coordinates, slow and plain; lists of points and scalars."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
I = pow(2, (P - 1) // 4, P)  # noqa: E741
ZERO = (0, 1, 1, 0)
TABLE = -1  # as a lock: the keys of all seats


class Refused(Exception):
    """A named check failed."""


def need(holds, check):
    if not holds:
        raise Refused(check)


def sqrt_ratio(u, v):
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check, u = v * r * r % P, u % P
    if check in (-u % P, -u * I % P) and u:
        r = r * I % P
    return check in (u, -u % P), (P - r if r & 1 else r)


def sqrt_of(value, odd):
    root = sqrt_ratio(value % P, 1)[1]
    return root if root & 1 == odd else P - root


SQRT_AD1, INV_AD = sqrt_of(-D - 1, 1), sqrt_ratio(1, (-1 - D) % P)[1]


def decode(data):
    s = int.from_bytes(data, "little")
    need(len(data) == 32 and s < P and not s & 1, "point-encoding")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inv = sqrt_ratio(1, v * u2 * u2)
    x = 2 * s * inv * u2 % P
    x = P - x if x & 1 else x
    y = u1 * inv * inv * u2 * v % P
    need(square and not x * y % P & 1 and y, "point-encoding")
    return (x, y, 1, x * y % P)


def encode(point):
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    inv = sqrt_ratio(1, u1 * u2 * u2)[1]
    d1, d2 = inv * u1 % P, inv * u2 % P
    zinv = d1 * d2 * t % P
    if t * zinv % P & 1:
        x, y, den = y * I % P, x * I % P, d1 * INV_AD % P
    else:
        den = d2
    s = den * (z - (-y if x * zinv % P & 1 else y)) % P
    return (P - s if s & 1 else s).to_bytes(32, "little")


def plus(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * D * p[3] * q[3], 2 * p[2] * q[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(k, p):
    total = ZERO
    for bit in bin(k % L)[2:]:
        total = plus(total, total)
        if bit == "1":
            total = plus(total, p)
    return total


def lin(*terms):
    """The encoding of a sum of scalar * point; points as encodings."""
    total = ZERO
    for k, p in terms:
        total = plus(total, times(k, decode(p)))
    return encode(total)


def elligator(data):
    t = (int.from_bytes(data, "little") % 2**255) % P
    r = I * t * t % P
    u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    c = -1 if square else r
    if not square:
        s = s * t % P
        s = s if s & 1 else -s % P
    n = (c * (r - 1) * (D - 1) ** 2 - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD1, 1 - s * s, 1 + s * s
    return tuple(w % P for w in (w0 * w3, w2 * w1, w1 * w3, w0 * w2))


def hash_to_group(text):
    wide = hashlib.sha512(text.encode()).digest()
    return encode(plus(elligator(wide[:32]), elligator(wide[32:])))


G = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
IDENTITY = bytes(32)


def points(blob, count):
    need(len(blob) == 32 * count, "list-length")
    parts = [blob[at : at + 32] for at in range(0, len(blob), 32)]
    for part in parts:
        decode(part)
    return parts


def scalars(blob, count):
    need(len(blob) == 32 * count, "list-length")
    values = [int.from_bytes(blob[at : at + 32], "little") for at in range(0, len(blob), 32)]
    need(all(value < L for value in values), "scalar-range")
    return values


def cards_of(blob, count):
    flat = points(blob, 2 * count)
    return list(zip(flat[::2], flat[1::2], strict=True))
