"""What seats say to share their keys: section 3.1 of protocol/06-deal.md.

See verify_vectors_independent.py, on which this builds.
"""

from __future__ import annotations

from verify_vectors_independent import IDENTITY, G, L, lin, need, pad_of, points, scalars, share_key


class Sharing:
    """Section 3.1 among these seats, whose keys are H."""

    def __init__(self, ctx, h):
        self.ctx, self.h, self.closed = ctx, h, []

    def check(self, seat, tag, content=None, more=None):
        """The value of a message; of a complaint, whom it is about."""
        others = [other for other in sorted(self.h) if other != seat]
        if tag == "envelope-keys":
            keys = points(content, len(others))
            need(IDENTITY not in keys, "point-identity")
            return dict(zip(others, keys, strict=True))
        if tag == "key-shares":
            f = [self.h[seat], *points(content, len(others) - 1)]
            need(len(more) == 64 * len(others), "list-length")
            halves = [more[at : at + 32] for at in range(0, len(more), 32)]
            r, c = points(b"".join(halves[::2]), len(others)), scalars(b"".join(halves[1::2]), len(others))
            return f, dict(zip(others, zip(r, c, strict=True), strict=True))
        if tag == "complaint":
            need(content in others, "complaint-owner")
            (secret,), key = scalars(more, 1), self.closed[0][seat][content]
            need(lin((secret, G)) == key, "complaint-key")
            f, (r, c) = self.closed[1][content][0], self.closed[1][content][1][seat]
            share = (c - pad_of(self.ctx, content, seat, key, r, lin((secret, r)))) % L
            need(lin((share, G)) != share_key(f, seat), "complaint-false")
        return content

    def close(self, values):
        need(len(self.closed) < 2 or set(values.values()) == {None}, "share-wrong")
        self.closed.append(values)

    def commitments(self):
        return {seat: f for seat, (f, _) in self.closed[1].items()}
