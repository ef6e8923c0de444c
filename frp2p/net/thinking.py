"""A peer in a thread of its own: what comes in waits in a row, what it has to say comes back to the event loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Generic, NamedTuple, Protocol, TypeVar

from frp2p.net.keeping import Keeping
from frp2p.net.worker import Worker
from frp2p.table.outputs import Notice, Output

MAX_AT_ONCE = 64
"""Inputs that the peer takes before what it has to say about them is carried out, if it says nothing before."""

Seen = TypeVar("Seen")


class Thinker(Protocol):
    """What is asked of a peer after its inputs."""

    @property
    def unfinished(self) -> bool: ...

    def outputs(self) -> list[Output]: ...

    def wake_at(self) -> float | None: ...


class _Input(NamedTuple):
    """Something for the peer, and what to do once it has been dealt with. `pressing`: look at the peer at once."""

    call: Callable[[], None]
    after: Callable[[], None] | None
    pressing: bool


class Look(NamedTuple, Generic[Seen]):
    """What was seen of the peer, and when it wants to be woken."""

    wake: float | None
    seen: Seen


class Thought(NamedTuple, Generic[Seen]):
    """What came of some inputs; without a look where they brought no news."""

    outputs: list[Output]
    afters: list[Callable[[], None]]
    look: Look[Seen] | None


class Thinking(Generic[Seen]):
    """`then` gets each thought and `failed` what the peer (or the disk, given up) raised, both in the event loop.

    A peer that is not finished goes on with `tick` before it takes anything else, after what it has said so far was
    handed over.
    """

    def __init__(
        self,
        peer: Thinker,
        observe: Callable[[], Seen],
        keeping: Keeping,
        worker: Worker,
        tick: Callable[[], None],
        then: Callable[[Thought[Seen]], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._peer = peer
        self._observe = observe
        self._keeping = keeping
        self._worker = worker
        self._tick = tick
        self._then = then
        self._failed = failed
        self._inbox: deque[_Input] = deque()
        """Bounded by the links: each hands over MAX_OUTSTANDING frames at most."""

    def put(self, call: Callable[[], None], after: Callable[[], None] | None, *, pressing: bool) -> None:
        """Let the peer take this in its turn."""
        self._inbox.append(_Input(call, after, pressing))
        self._worker.post(self._think)

    def _think(self) -> Callable[[], None] | None:
        """In the thread: take what has come in until there is something to say; None if an earlier call took it all.
        What is to be kept is on disk when this returns.
        """
        outputs: list[Output] = []
        afters: list[Callable[[], None]] = []
        pressing, taken = False, 0
        try:
            while self._inbox and not outputs and not pressing and taken < MAX_AT_ONCE:
                call, after, pressing = self._inbox.popleft()
                taken += 1
                call()
                outputs = self._peer.outputs()
                if after is not None:
                    afters.append(after)
            if not taken:
                return None
            self._keeping.persist(outputs)
            unfinished = self._peer.unfinished
            look = None
            if pressing or any(isinstance(output, Notice) for output in outputs):
                look = Look(None if unfinished else self._peer.wake_at(), self._observe())
            if unfinished:
                self._inbox.appendleft(_Input(self._tick, None, pressing=False))
                self._worker.post(self._think)
        except Exception as error:  # whatever went wrong must not vanish in a thread
            return partial(self._failed, error)
        return partial(self._then, Thought(outputs, afters, look))
