"""The messages between two peers: one frame is one message, a canonical array that begins with its kind.

The signed records of the ledger (part, ack) are messages as they are, and anybody may relay them.
`decode` looks at the kind first, refuses what is too long for it, and only then decodes (protocol/05-table.md).
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from frp2p.errors import PeerFault
from frp2p.ledger import codec
from frp2p.ledger.charter import NONCE_SIZE, VERSION
from frp2p.ledger.limits import MAX_CHARTER, MAX_OPTIONS, MAX_SEATS, MAX_VOTERS, MIN_SEATS
from frp2p.ledger.provisions import Provisions
from frp2p.ledger.records import Ack, Digest, Key, Part, Signature
from frp2p.ledger.votes import Accept, Farewell, Prepare, Promise, Propose
from frp2p.table import limits
from frp2p.table.cpace import SHARE_SIZE, TAG_SIZE

Nonce: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=NONCE_SIZE, max_length=NONCE_SIZE)]
Address: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=limits.ADDRESS_BYTES)]
Addresses: TypeAlias = Annotated[tuple[Address, ...], msgspec.Meta(max_length=limits.MAX_ADDRESSES)]
ShortText: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Height: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
Share: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=SHARE_SIZE, max_length=SHARE_SIZE)]
Tag: TypeAlias = Annotated[bytes, msgspec.Meta(min_length=TAG_SIZE, max_length=TAG_SIZE)]
Mask: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**MAX_SEATS)]


class Message(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of all messages; the tag is the first item on the wire."""


class Hello(Message, frozen=True, tag="hello"):
    """The first message on a link, in both directions. `game` is the digest of the charter once there is one, `height`
    the number of steps that are final here; the signature covers everything before it and the channel.
    """

    version: Annotated[int, msgspec.Meta(ge=1, le=127)]
    key: Key
    name: ShortText
    game: Digest | None
    height: Height
    signature: Signature


class Member(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Somebody in the lobby."""

    key: Key
    name: ShortText
    addresses: Addresses


class Lobby(Message, frozen=True, tag="lobby"):
    """The host: what will be played and provided, who is here, in the order of joining, and who is the arbiter, if
    somebody is. Sent after every change."""

    game: ShortText
    options: Annotated[bytes, msgspec.Meta(max_length=MAX_OPTIONS)]
    seats: Annotated[int, msgspec.Meta(ge=MIN_SEATS, le=MAX_SEATS)]
    dealer: ShortText
    provisions: Provisions
    members: Annotated[tuple[Member, ...], msgspec.Meta(max_length=MAX_SEATS)]
    arbiter: Member | None

    def everybody(self) -> tuple[Member, ...]:
        """The members and the arbiter."""
        return self.members if self.arbiter is None else (*self.members, self.arbiter)


class Locked(Message, frozen=True, tag="locked"):
    """The host of a table with a passphrase: show that you know it. `share` is the initiator's in CPace."""

    share: Share


class Unlock(Message, frozen=True, tag="unlock"):
    """A guest: the responder's share, and the tag that only the passphrase gives."""

    share: Share
    tag: Tag


class Unlocked(Message, frozen=True, tag="unlocked"):
    """The host: it is right, and I know it too."""

    tag: Tag


class Join(Message, frozen=True, tag="join"):
    """A guest: let me sit down, or be the arbiter. Repeated unchanged until the charter comes."""

    nonce: Nonce
    addresses: Addresses
    arbiter: bool


class Proposal(Message, frozen=True, tag="proposal"):
    """The host: the table is full, this is its charter; and where each seat listens, in order, then the arbiter."""

    charter: Annotated[bytes, msgspec.Meta(min_length=1, max_length=MAX_CHARTER)]
    addresses: Annotated[tuple[Addresses, ...], msgspec.Meta(max_length=MAX_VOTERS)]


class Pull(Message, frozen=True, tag="pull"):
    """I am at `step`: send me what I lack. The bits of `parts` and `acks` are the seats whose record I hold for it."""

    step: Height
    parts: Mask
    acks: Mask


class Final(Message, frozen=True, tag="final"):
    """A closed step as it stands in the transcript, each kind of record in seat order."""

    step: Height
    parts: Annotated[tuple[Part, ...], msgspec.Meta(max_length=MAX_SEATS)]
    acks: Annotated[tuple[Ack, ...], msgspec.Meta(max_length=MAX_SEATS)]
    farewells: Annotated[tuple[Farewell, ...], msgspec.Meta(max_length=MAX_SEATS)]
    accepts: Annotated[tuple[Accept, ...], msgspec.Meta(max_length=MAX_VOTERS)]


class Evidence(Message, frozen=True, tag="evidence"):
    """Signed bytes that show a third person who broke the protocol. Forwarded once."""

    proof: Annotated[bytes, msgspec.Meta(min_length=1, max_length=limits.PROOF_BYTES)]


class Bye(Message, frozen=True, tag="bye"):
    """This link is closed for that reason (a code of registry/error-codes.csv)."""

    reason: Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[a-z0-9-]+\Z")]


AnyMessage: TypeAlias = (
    Hello
    | Locked
    | Unlock
    | Unlocked
    | Lobby
    | Join
    | Proposal
    | Part
    | Ack
    | Pull
    | Final
    | Evidence
    | Bye
    | Prepare
    | Promise
    | Propose
    | Accept
    | Farewell
)

CAPS: dict[str, int] = {
    "hello": limits.HELLO_BYTES,
    "locked": limits.SMALL_BYTES,
    "unlock": limits.SMALL_BYTES,
    "unlocked": limits.SMALL_BYTES,
    "lobby": limits.LOBBY_BYTES,
    "join": limits.HELLO_BYTES,
    "proposal": limits.LOBBY_BYTES,
    "part": limits.PART_BYTES,
    "ack": limits.SMALL_BYTES,
    "pull": limits.SMALL_BYTES,
    "final": limits.FINAL_BYTES,
    "prepare": limits.SMALL_BYTES,
    "promise": limits.SMALL_BYTES,
    "propose": limits.VOTE_BYTES,
    "accept": limits.SMALL_BYTES,
    "farewell": limits.SMALL_BYTES,
    "evidence": limits.PROOF_BYTES + limits.SMALL_BYTES,
    "bye": limits.SMALL_BYTES,
}
"""Largest frame of each kind, in bytes."""

_ARRAY, _TEXT, _BITS = 0x90, 0xA0, 0xE0
"""MessagePack: an array of up to 15 items, a text of up to 31 bytes, and the bits that tell a text from its length."""


def encode(message: AnyMessage) -> bytes:
    """The frame of a message."""
    return codec.encode(message)


def kind(frame: bytes) -> str:
    """The kind that a frame claims to have, without decoding it; PeerFault `unknown-kind`."""
    if len(frame) >= 2 and frame[0] & 0xF0 == _ARRAY and frame[1] & _BITS == _TEXT:
        name = frame[2 : 2 + (frame[1] & ~_BITS)].decode("ascii", "replace")
        if name in CAPS:
            return name
    raise PeerFault("unknown-kind", "A frame of no known kind.")


def decode(frame: bytes, *, greeted: bool) -> AnyMessage:
    """The message in a frame; before the Hello (`greeted` False) nothing longer than a Hello is looked at.

    PeerFault `unknown-kind`, `frame-size`, `wrong-version`, or what the codec finds.
    """
    name = kind(frame)
    if len(frame) > (CAPS[name] if greeted else limits.HELLO_BYTES):
        raise PeerFault("frame-size", f"{len(frame)} bytes in a frame of kind {name}.")
    if name == "hello" and _version(frame) != VERSION:
        # Looked at first: the rest of a Hello of another version may have any shape.
        raise PeerFault("wrong-version", "Another version of the protocol.")
    message: AnyMessage = codec.decode(frame, AnyMessage, cap=CAPS[name])
    return message


def _version(frame: bytes) -> int:
    """The version byte of a Hello; it stands at the same place in every version. 0 if the frame ends before it."""
    place = 2 + len("hello")
    return frame[place] if len(frame) > place else 0
