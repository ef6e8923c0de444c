"""CPace: two sides that know the same password come to the same key; whoever does not learns nothing to guess with.

CPACE-RISTR255-SHA512 of draft-irtf-cfrg-cpace-21 (Abdalla, Haase, Hesse), in its initiator-responder form, with the
key confirmation of its section 10.4. Names are those of the draft: PRS is the password, CI names channel and parties,
sid the session, AD what each side adds; Y is a share, K the secret point, ISK the key.

Whoever takes part without the password can test one password in each run and nothing afterwards: the tags depend on
the discrete logarithms of shares that were made from the passwords of both sides.
"""

from __future__ import annotations

import hashlib
import hmac

from frp2p.deal.dealer import Entropy
from frp2p.deal.group import IDENTITY, SIZE, NotCanonical, Point
from frp2p.deal.group.choose import default_group
from frp2p.errors import PeerFault

SHARE_SIZE = SIZE
"""Bytes of a share."""

TAG_SIZE = 64
"""Bytes of a tag: HMAC-SHA-512, not shortened."""

_DSI = b"CPaceRistretto255"
_BLOCK = 128
"""s_in_bytes: bytes of an input block of SHA-512."""
_SCALAR_BITS = 252
"""group_size_bits: a scalar of so many uniform bits is below the order of the group."""


class Run:
    """One side of one run. `share` is what it sends first; a run answers one share, once."""

    def __init__(self, prs: bytes, ci: bytes, sid: bytes, ad: bytes, entropy: Entropy, *, initiator: bool) -> None:
        self._sid = sid
        self._ad = ad
        self._initiator = initiator
        self._scalar = _sample_scalar(entropy)
        self.share: bytes = default_group().mul(generator(prs, ci, sid), self._scalar)

    def finish(self, other_share: bytes, other_ad: bytes) -> Tags:
        """What both sides now say to show that they have the same key; PeerFault `pake-share` where the draft aborts:
        no point, or the identity."""
        secret = scalar_mult_vfy(self._scalar, other_share)
        if secret == IDENTITY:
            raise PeerFault("pake-share", "A share that is no point of the group, or its identity.")
        mine, theirs = (self.share, self._ad), (other_share, other_ad)
        first, second = (mine, theirs) if self._initiator else (theirs, mine)
        key = hashlib.sha512(b"CPaceMac" + self._sid + session_key(self._sid, secret, first, second)).digest()
        return Tags(_tag(key, mine), _tag(key, theirs))


class Tags:
    """`mine` is to be sent; what came is compared in constant time."""

    def __init__(self, mine: bytes, expected: bytes) -> None:
        self.mine = mine
        self._expected = expected

    def fits(self, tag: bytes) -> bool:
        """Whether the other side has the same key: the same password, parties and session."""
        return hmac.compare_digest(self._expected, tag)


def generator(prs: bytes, ci: bytes, sid: bytes) -> Point:
    """calculate_generator, 8.3: the point whose multiples are the shares."""
    return default_group().from_uniform(hashlib.sha512(generator_string(prs, ci, sid)).digest())


def generator_string(prs: bytes, ci: bytes, sid: bytes) -> bytes:
    """8.1: DSI and PRS fill the first block, so that the time to hash does not depend on the length of the password."""
    padding = max(0, _BLOCK - 1 - len(prepend_len(prs)) - len(prepend_len(_DSI)))
    return lv_cat(_DSI, prs, bytes(padding), ci, sid)


def session_key(sid: bytes, secret: bytes, first: tuple[bytes, bytes], second: tuple[bytes, bytes]) -> bytes:
    """ISK, 7.2, from K and from share and AD of the initiator and of the responder."""
    return hashlib.sha512(lv_cat(_DSI + b"_ISK", sid, secret) + lv_cat(*first) + lv_cat(*second)).digest()


def scalar_mult_vfy(scalar: int, share: bytes) -> Point:
    """8.3: the multiple of a share; the identity where the share is no point."""
    group = default_group()
    try:
        return group.mul(group.point(share), scalar)
    except NotCanonical:
        return IDENTITY


def prepend_len(data: bytes) -> bytes:
    """The length in LEB128, then the data."""
    length, head = len(data), bytearray()
    while length >= 0x80:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes((*head, length)) + data


def lv_cat(*items: bytes) -> bytes:
    """Each item after its length."""
    return b"".join(map(prepend_len, items))


def _sample_scalar(entropy: Entropy) -> int:
    return int.from_bytes(entropy(SIZE), "little") & (1 << _SCALAR_BITS) - 1


def _tag(key: bytes, said: tuple[bytes, bytes]) -> bytes:
    return hmac.digest(key, lv_cat(*said), "sha512")
