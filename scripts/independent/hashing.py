"""Sections 1 and 2: fields, hashes, transcripts, streams."""

from __future__ import annotations

import hashlib

from independent.ristretto import L


def u(width, value):
    return (value % 256 if width == 1 else value).to_bytes(width, "big")


def field(label, data):
    data = data.encode() if isinstance(data, str) else data
    return u(2, len(label.encode())) + label.encode() + u(4, len(data)) + data


def fields(label, items):
    return field(label, u(4, len(items))) + b"".join(field(label, item) for item in items)


def H(name, *parts):
    return hashlib.sha512(field("domain", "frp2p/v1/" + name) + b"".join(parts)).digest()


def wide(digest):
    return int.from_bytes(digest, "little") % L


class Transcript:
    def __init__(self, kind, scope):
        self.said = (
            field("version", "frp2p/v1") + field("proof", kind) + field("ctx", scope[0]) + field("event", scope[1])
        )

    def absorb(self, *parts):
        self.said += b"".join(parts)
        return self

    def digest(self):
        digest = hashlib.sha512(self.said).digest()
        self.said = field("rekey", digest)
        return digest

    def challenge(self):
        return wide(self.digest())

    def vector(self, count):
        digest = self.digest()
        return [wide(hashlib.sha512(digest + u(4, at)).digest()) for at in range(count)]

    def weights(self, count):
        digest = self.digest()
        return [int.from_bytes(hashlib.sha512(digest + u(4, at)).digest()[:16], "little") for at in range(count)]


def stream(seed, sides):
    words = hashlib.shake_256(seed).digest(8 * 1024)
    for at in range(0, len(words), 8):
        word = int.from_bytes(words[at : at + 8], "big")
        if word < 2**64 // sides * sides:
            yield word % sides


def event_of(step, verb, sender, deck, slots):
    slots = fields("slot", [u(4, slot) for slot in slots])
    return field("step", step) + field("verb", u(2, verb)) + field("sender", u(1, sender)) + field("deck", deck) + slots


def ctx_of(game, params, roster, epoch=0):
    return H("ctx", field("game", game), field("params", params), field("roster", roster), field("epoch", u(4, epoch)))


def params_of(charter, options, seats, decks):
    listed = b"".join(field("deck", name) + fields("card", cards) for name, cards in sorted(decks))
    return H(
        "params",
        field("charter", charter),
        field("options", options),
        field("seats", u(1, seats)),
        field("decks", listed),
    )
