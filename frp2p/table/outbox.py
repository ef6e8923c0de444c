"""What is due to go out, in order, until the driver drains it."""

from __future__ import annotations

from collections.abc import Iterable

from frp2p.table.events import Event
from frp2p.table.messages import AnyMessage, Bye, encode
from frp2p.table.outputs import Close, Dial, Notice, Output, Persist, Send


class Outbox:
    """The outputs since the last drain. Bounded by the inputs: each causes a bounded number of them."""

    def __init__(self) -> None:
        self._outputs: list[Output] = []

    def drain(self) -> list[Output]:
        outputs, self._outputs = self._outputs, []
        return outputs

    def persist(self, game: bytes, records: tuple[bytes, ...]) -> None:
        """Keep these on disk before anything else happens."""
        self._outputs.append(Persist(game, records))

    def send(self, links: Iterable[int], message: AnyMessage) -> int:
        """The same message on each of these links; the bytes that it takes on one."""
        frame = encode(message)
        self._outputs += [Send(link, frame) for link in links]
        return len(frame)

    def close(self, link: int, reason: str, *, tell: bool = True) -> None:
        """Close a link; `tell` says Bye first."""
        if tell:
            self.send((link,), Bye(reason))
        self._outputs.append(Close(link, reason))

    def dial(self, key: bytes, addresses: tuple[str, ...]) -> None:
        self._outputs.append(Dial(key, addresses))

    def notice(self, event: Event) -> None:
        self._outputs.append(Notice(event))
