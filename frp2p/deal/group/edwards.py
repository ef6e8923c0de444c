"""ristretto255 over Python integers: field, curve, encoding and map of RFC 9496, section 4, written for speed.

An element is (x, y, z, t) in extended coordinates of the twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2 over
p = 2^255 - 19. Addition is complete (Hisil, Wong, Carter, Dawson 2008). Nothing here is constant time.
"""

from __future__ import annotations

from typing import TypeAlias

from frp2p.deal.group.group import SIZE, NotCanonical

Element: TypeAlias = tuple[int, int, int, int]
"""Affine x and y are x / z and y / z; t = x y / z. All mod p."""

Addend: TypeAlias = tuple[int, int, int, int]
"""An element prepared for repeated addition: y - x, y + x, 2 z, 2 d t."""

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)

# The roots of RFC 9496, 4.1, whose signs the map and the encoding depend on.
_SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
_INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578

_D2 = 2 * D % P
_ONE_MINUS_D_SQUARED = (1 - D * D) % P
_D_MINUS_ONE_SQUARED = (D - 1) ** 2 % P
_ROOT_EXPONENT = (P - 5) // 8

NEUTRAL: Element = (0, 1, 1, 0)


def decode(data: bytes) -> Element:
    """The element with this encoding (RFC 9496, 4.3.1); NotCanonical if it is none."""
    s = int.from_bytes(data, "little")
    if len(data) != SIZE or s >= P or s & 1:
        raise NotCanonical("not a canonical point")
    ss = s * s % P
    u1, u2 = 1 - ss, 1 + ss
    u2_squared = u2 * u2 % P
    v = (-D * u1 % P * u1 - u2_squared) % P
    square, inverse = _sqrt_ratio(1, v * u2_squared % P)
    den_x = inverse * u2 % P
    x = 2 * s * den_x % P
    x = P - x if x & 1 else x
    y = u1 * (inverse * den_x % P * v % P) % P
    t = x * y % P
    if not square or t & 1 or y == 0:
        raise NotCanonical("not a canonical point")
    return x, y, 1, t


def encode(element: Element) -> bytes:
    """The one encoding of the element's class (RFC 9496, 4.3.2)."""
    x, y, z, t = element
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, inverse = _sqrt_ratio(1, u1 * u2 % P * u2 % P)
    den1, den2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = den1 * den2 % P * t % P
    if t * z_inverse % P & 1:
        x, y, den = y * SQRT_M1 % P, x * SQRT_M1 % P, den1 * _INVSQRT_A_MINUS_D % P
    else:
        den = den2
    if x * z_inverse % P & 1:
        y = -y
    s = den * (z - y) % P
    return (P - s if s & 1 else s).to_bytes(SIZE, "little")


def from_uniform(data: bytes) -> Element:
    """The one-way map of 64 uniform bytes (RFC 9496, 4.3.4)."""
    return add(_map(data[:SIZE]), prepare(_map(data[SIZE:])))


def prepare(element: Element) -> Addend:
    x, y, z, t = element
    return y - x, y + x, 2 * z, _D2 * t % P


def add(left: Element, right: Addend) -> Element:
    """left + right; any two elements."""
    x, y, z, t = left
    minus, plus, z2, t2 = right
    a, b, c, d = (y - x) * minus % P, (y + x) * plus % P, t * t2 % P, z * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(element: Element) -> Element:
    x, y, z, _ = element
    a, b = x * x % P, y * y % P
    h = a + b
    e, g = h - (x + y) ** 2 % P, a - b
    f = 2 * z * z % P + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negative(element: Element) -> Element:
    x, y, z, t = element
    return -x % P, y, z, -t % P


def _map(data: bytes) -> Element:
    """MAP of RFC 9496, 4.3.4: an element from 32 bytes, of which the top bit is ignored."""
    t = (int.from_bytes(data, "little") & (1 << 255) - 1) % P
    r = SQRT_M1 * t % P * t % P
    u = (r + 1) * _ONE_MINUS_D_SQUARED % P
    v = (-1 - r * D) * (r + D) % P
    square, s = _sqrt_ratio(u, v)
    c = P - 1
    if not square:
        s = s * t % P
        s = s if s & 1 else -s
        c = r
    n = (c * (r - 1) % P * _D_MINUS_ONE_SQUARED - v) % P
    w0, w1, w2, w3 = 2 * s * v % P, n * _SQRT_AD_MINUS_ONE % P, (1 - s * s) % P, (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def _sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """(True, sqrt(u / v)), or (False, sqrt(i u / v)) where u / v is no square; the even root (RFC 9496, 4.2)."""
    v3 = v * v % P * v % P
    root = u * v3 % P * pow(u * v3 % P * v3 % P * v % P, _ROOT_EXPONENT, P) % P
    check = v * root % P * root % P
    u %= P
    flipped = check == -u % P
    if flipped or check == -u * SQRT_M1 % P:
        root = root * SQRT_M1 % P
    return check == u or flipped, P - root if root & 1 else root
