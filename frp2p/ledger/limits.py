"""What a ledger may weigh. Everything that a peer or a file can make us hold is bounded here."""

from __future__ import annotations

MIN_SEATS = 2
"""Seats; alone there is nobody to hide cards from."""

MAX_SEATS = 7
"""Seats; the largest table of any mode."""

MAX_VOTERS = MAX_SEATS + 1
"""Who may have a vote: the seats, and an arbiter."""

MAX_STEPS = 50_000
"""Steps of one ledger. A game of seven takes about 1,000; the rest is room for long modes."""

MAX_TRANSCRIPT = 64 << 20
"""Bytes of one transcript. A game of seven with all proofs weighs below 2 MiB."""

MAX_PAYLOAD = {
    "charter": 16,  # bytes; a consent is one word
    "setup": 4 << 10,  # bytes; a key, a nonce and proofs of possession are a few hundred
    "deal": 48
    << 10,  # bytes; a shuffle of 78 cards with its proof is about 18 kB, and two decks may be shuffled at once
    "move": 2 << 10,  # bytes; the longest move names a handful of cards
    "open": 96,  # bytes; two secret keys are 74
    "attest": 64,  # bytes; one digest
}
"""Bytes of the payload of one part, by the kind of its step."""

PART_OVERHEAD = 256
"""Bytes of a part around its payload: two digests, signature, numbers and headers are 180."""

MAX_BALLOT = 1 << 31
"""Ballots of one vote. A ballot takes two seconds at least, and no minority can make others skip any."""

MAX_VOTE = 8 << 10
"""Bytes of the body of a vote: a proposal brings the promises of eight voters, some 500 bytes each."""

MAX_BODY = max(MAX_PAYLOAD.values()) + PART_OVERHEAD // 2
"""Bytes of a signed body."""

MAX_RECORD = max(MAX_PAYLOAD.values()) + PART_OVERHEAD
"""Bytes of one encoded record: a signed part, an ack or the charter."""

MAX_CHARTER = 8 << 10
"""Bytes of a charter: seven seats and an arbiter of about 140 bytes, and the options."""

MAX_OPTIONS = 2 << 10
"""Bytes of the encoded options of a game."""

MAX_ELAPSED = 7 * 24 * 3600 * 1000
"""Milliseconds that an ack can state; a table may rest for a week. Longer waits are stated as this."""
