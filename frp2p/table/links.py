"""The links of this peer: who is at the other end, and what was heard there."""

from __future__ import annotations

from frp2p.table.messages import Hello


class Link:
    """One authenticated connection. `hello` is what the other end said first, None until it did."""

    def __init__(self, number: int, key: bytes, channel: bytes, now: float) -> None:
        self.number = number
        self.key = key
        self.channel = channel
        self.since = now
        self.hello: Hello | None = None
        self.answer_after = now
        """When this link may get the next answer to a Pull."""
        self.watches = False
        """Whether the other end only watches: it has asked for the record and has no seat."""
        self.asked = -1
        """The step of the last Pull that was sent there."""

    @property
    def greeted(self) -> bool:
        return self.hello is not None

    @property
    def game(self) -> bytes | None:
        """The table that the other end was at when it said Hello."""
        return self.hello.game if self.hello else None

    @property
    def height(self) -> int:
        """The steps that were final for the other end when it said Hello."""
        return self.hello.height if self.hello else 0

    @property
    def name(self) -> str:
        """What the other end calls itself; empty before its Hello."""
        return self.hello.name if self.hello else ""


class Links:
    """All links, by their number and by the key at the other end (one greeted link a key, the newest)."""

    def __init__(self) -> None:
        self._all: dict[int, Link] = {}
        self._by_key: dict[bytes, Link] = {}

    def __len__(self) -> int:
        return len(self._all)

    def add(self, link: Link) -> None:
        self._all[link.number] = link

    def get(self, number: int) -> Link | None:
        return self._all.get(number)

    def greet(self, link: Link, hello: Hello) -> Link | None:
        """The other end said Hello; the older link of the same key, which it replaces."""
        link.hello = hello
        older = self._by_key.get(link.key)
        self._by_key[link.key] = link
        return older

    def remove(self, number: int) -> Link | None:
        """Forget a link; the link if it was the one in use for its key (nobody is away because of another)."""
        link = self._all.pop(number, None)
        if link is None or self._by_key.get(link.key) is not link:
            return None
        del self._by_key[link.key]
        return link

    def of(self, key: bytes) -> Link | None:
        """The link in use for this key."""
        return self._by_key.get(key)

    def greeted(self) -> tuple[Link, ...]:
        """The links in use, one a key."""
        return tuple(self._by_key.values())

    def silent(self) -> tuple[Link, ...]:
        """The links whose other end has not said Hello."""
        return tuple(link for link in self._all.values() if not link.greeted)

    def besides(self, keys: frozenset[bytes]) -> tuple[Link, ...]:
        """The links of anybody but these."""
        return tuple(link for link in self._all.values() if link.key not in keys)
