"""Every bound of the table in one place, with its unit and its reason."""

from __future__ import annotations

from frp2p.ledger.limits import MAX_CHARTER, MAX_RECORD, MAX_SEATS, MAX_VOTE, MAX_VOTERS

HELLO_BYTES = 4096
"""Largest frame before a valid Hello: a Hello takes under 300 bytes, and a stranger gets no more memory than a page."""

SMALL_BYTES = 1024
"""Largest Pull, Bye, Ack: a few numbers and a signature."""

LOBBY_BYTES = 16 * 1024
"""Largest Join, lobby state or proposal: seven members and an arbiter with names, keys, nonces and eight addresses
each."""

PART_BYTES = MAX_RECORD
"""Largest Part: the heaviest record of the ledger."""

PROOF_BYTES = MAX_CHARTER + 2 * MAX_RECORD + SMALL_BYTES
"""Largest evidence on the wire: two records and the charter. (A bad record is passed on as it is.)"""

VOTE_BYTES = MAX_VOTE + SMALL_BYTES
"""Largest proposal in a vote: the promises of all seats."""

FINAL_BYTES = MAX_SEATS * (MAX_RECORD + 3 * SMALL_BYTES) + SMALL_BYTES
"""Largest Final: a part, an ack, a farewell and an accept of every seat, and an accept of the arbiter. No frame is
longer, so this is also the cap of the framing."""

MAX_LINKS = 16 + MAX_VOTERS
"""Links at a time: those of the seats and an arbiter, and sixteen of people who have not said Hello or not joined yet.
Once there is a charter only those are let in, so strangers can't take their places."""

JOIN_SECONDS = 10.0
"""How long somebody who said Hello may look at a lobby without joining."""

ASK_SECONDS = 120.0
"""How long somebody waits at the door for the host to say yes or no; the host may be fetching a drink."""

MAX_ASKING = 8
"""People at the door at a time: more than a table has seats, few enough for a screen."""

MAX_REMOVED = 256
"""Keys that were sent away and may not come back, the oldest forgotten first: more than anybody presses by hand."""

UNLOCK_TRIES = 3
"""Links on which a guest answers for the passphrase; each lets whoever plays the host test one guess."""

MAX_ADDRESSES = 8
"""Listen addresses of one member: several interfaces, IPv4 and IPv6."""

ADDRESS_BYTES = 96
"""Length of one address: the longest IPv6 address with a scope and a port takes under 80."""

HELLO_SECONDS = 5.0
"""A link that has not said Hello by then is closed, so that idle strangers hold no place."""

LOBBY_SECONDS = 1.0
"""How often a guest repeats Join until it has the charter; the answer repeats what a lost frame said."""

HOST_SECONDS = 30.0
"""How long a guest looks for a host that went away in the lobby before it gives up."""

LEAVE_SECONDS = 30.0
"""How long a seat that has said farewell stays for the others to take note and to go on without it."""

COUNT_SECONDS = 1.0
"""While somebody's time runs down, the status is worth looking at so often."""

PULL_FIRST = 0.5
"""Seconds without news until a step counts as stalled and is pulled; above any LAN round trip."""

PULL_LAST = 4.0
"""The pull interval doubles up to this while nothing comes: people think long, and a lost frame is repaired in time."""

PULL_PAGE = 256 * 1024
"""Bytes of closed steps in one answer to a Pull (at least one step is sent); the puller asks again for more."""

PULL_RATE = 4 * 1024 * 1024
"""Bytes a second that one link gets in answers to Pulls: a whole game in a second, and no amplifier for floods."""

MAX_WATCHERS = 4
"""People who watch at one seat: a table of seven has room for 28 of them, and no seat works for more than four."""

WATCH_PAGE = 128 * 1024
"""Bytes of closed steps in one answer to a watcher (at least one step is sent): well below what a link queues."""

WATCH_RATE = 512 * 1024
"""Bytes a second that one watcher gets: a game so far in some seconds, and four of them cost less than one seat."""

WATCH_SECONDS = 3.0
"""How often a watcher repeats what it asks for."""

WATCH_PATIENCE = 30.0
"""How long a watcher looks for anybody who lets it watch before it gives up."""

DIAL_FIRST = 0.2
"""Seconds until a lost seat is dialled again."""

DIAL_SECOND = 3.0
"""How much later than the one with the lower key the other seat begins to dial."""

DIAL_LAST = 5.0
"""The dial interval doubles up to this."""
