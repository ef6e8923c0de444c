"""Frames on a link: 4 bytes length (big endian, of what follows), 1 byte kind, payload. See protocol/03-session.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from frp2p.errors import PeerFault
from frp2p.table import limits

DATA = 0
PING = 1
PONG = 2

MAX_FRAME = limits.FINAL_BYTES
"""Bytes of payload: the longest message of the table."""
MAX_FIRST_FRAME = limits.HELLO_BYTES
"""Bytes of payload until the first frame was accepted: a stranger has nothing long to say."""
PING_BYTES = 8
"""A ping's payload is its sender's counter; the pong brings it back."""
_LENGTH_BYTES = 4


class Frame(NamedTuple):
    kind: int
    payload: bytes


def encode(kind: int, payload: bytes) -> bytes:
    """The bytes of one frame."""
    return (len(payload) + 1).to_bytes(_LENGTH_BYTES, "big") + bytes([kind]) + payload


class FrameDecoder:
    """Cuts a stream into frames. `cap` is the longest payload allowed and may be raised between two frames; a longer
    one is refused by its length alone, before any of it is kept."""

    def __init__(self, cap: int = MAX_FIRST_FRAME) -> None:
        self.cap = cap
        self._buffer = bytearray()

    @property
    def partial(self) -> bool:
        """A frame has begun and is not complete."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take bytes of the stream; `frames` cuts them."""
        self._buffer += data

    def frames(self) -> Iterator[Frame]:
        """The complete frames so far, cut one at a time, so that `cap` counts as it is when each is cut.

        PeerFault: `frame-length`, `frame-kind`.
        """
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> Frame | None:
        if len(self._buffer) < _LENGTH_BYTES:
            return None
        length = int.from_bytes(self._buffer[:_LENGTH_BYTES], "big")
        if not 1 <= length <= self.cap + 1:
            raise PeerFault("frame-length", f"a frame of {length} bytes")
        end = _LENGTH_BYTES + length
        if len(self._buffer) < end:
            return None
        kind = self._buffer[_LENGTH_BYTES]
        if kind not in (DATA, PING, PONG) or (kind != DATA and length != PING_BYTES + 1):
            raise PeerFault("frame-kind", f"a frame of kind {kind} and {length} bytes")
        payload = bytes(self._buffer[_LENGTH_BYTES + 1 : end])
        del self._buffer[:end]
        return Frame(kind, payload)
