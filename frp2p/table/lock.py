"""A table with a passphrase: both sides show that they know it, and nobody learns it by that.

The host begins a run of CPace on every link (`locked`), bound to the channel and to both keys; the guest answers with
its share and its tag (`unlock`), and the host with its own tag (`unlocked`). Each link is good for one try.
"""

from __future__ import annotations

import msgspec

from frp2p.errors import PeerFault
from frp2p.table import cpace, limits
from frp2p.table.desk import Desk
from frp2p.table.links import Link
from frp2p.table.messages import Locked, Unlock, Unlocked
from frp2p.table.phase import TableStop

_PARTY = b"frp2p/1/table"
_HOST, _GUEST = b"host", b"guest"
"""What each side adds (ADa, ADb), so that nothing that one said can be said by the other."""


class HostLock:
    """The side of the host. With an empty passphrase every link is open."""

    def __init__(self, desk: Desk, passphrase: bytes) -> None:
        self._desk = desk
        self._passphrase = passphrase
        self._runs: dict[int, cpace.Run] = {}
        self._opened: dict[int, tuple[Unlock, Unlocked]] = {}
        """By link number. Both are bounded by the links that there are: a link that goes is forgotten."""

    @property
    def locked(self) -> bool:
        return bool(self._passphrase)

    def open_to(self, link: Link) -> bool:
        """Whether this link has shown that it knows the passphrase, or need not."""
        return not self._passphrase or link.number in self._opened

    def ask(self, link: Link) -> None:
        """Ask for the passphrase; again with the same words where they were lost."""
        run = self._runs.get(link.number)
        if run is None:
            party = _party(self._desk.key, link.key)
            run = cpace.Run(self._passphrase, party, link.channel, _HOST, self._desk.entropy, initiator=True)
            self._runs[link.number] = run
        self._desk.send(link, Locked(run.share))

    def take(self, link: Link, unlock: Unlock) -> bool:
        """Judge an answer; whether the link is open by it now. PeerFault `wrong-passphrase`, `pake-share`; an answer
        that nobody asked for does nothing, and neither does a second one.
        """
        if (done := self._opened.get(link.number)) is not None:
            if unlock == done[0]:
                self._desk.send(link, done[1])
            return False
        run = self._runs.pop(link.number, None)
        if run is None:
            return False
        tags = run.finish(unlock.share, _GUEST)
        if not tags.fits(unlock.tag):
            raise PeerFault("wrong-passphrase", "Another passphrase than the one of this table.")
        self._opened[link.number] = unlock, Unlocked(tags.mine)
        self._desk.send(link, Unlocked(tags.mine))
        return True

    def forget(self, link: Link) -> None:
        """The link is gone."""
        self._runs.pop(link.number, None)
        self._opened.pop(link.number, None)


class _Try(msgspec.Struct, frozen=True):
    """What was asked on a link, what was answered, and what the host has to know."""

    link: int
    asked: Locked
    answer: Unlock
    tags: cpace.Tags


class GuestKey:
    """The side of a guest. With a passphrase it talks to nobody who has not shown that he knows it too."""

    def __init__(self, desk: Desk, passphrase: bytes) -> None:
        self._desk = desk
        self._passphrase = passphrase
        self._try: _Try | None = None
        self._tries = 0
        self._done: int | None = None
        """The link on which the host has shown last that it knows the passphrase."""
        self._proven: bytes | None = None
        """The key of that host: it need not show it again where a link broke."""

    def trusts(self, link: Link) -> bool:
        """Whether the host at this link may be listened to."""
        return not self._passphrase or self._proven == link.key

    def asked(self, link: Link, locked: Locked) -> None:
        """Answer the host; TableStop `passphrase-needed`, or `passphrase-tries` where a host asks again and again
        (each time it could test a guess of its own)."""
        if not self._passphrase:
            raise TableStop("passphrase-needed", None, "This table has a passphrase.")
        if self._done == link.number:
            return
        if self._try is None or self._try.link != link.number:
            self._answer(link, locked)
        elif self._try.asked != locked:
            raise PeerFault("pake-share", "Another share on the same link.")
        self.repeat(link)

    def _answer(self, link: Link, locked: Locked) -> None:
        self._tries += self._proven != link.key
        if self._tries > limits.UNLOCK_TRIES:
            raise TableStop("passphrase-tries", None, "The host asks for the passphrase again and again.")
        party = _party(link.key, self._desk.key)
        run = cpace.Run(self._passphrase, party, link.channel, _GUEST, self._desk.entropy, initiator=False)
        tags = run.finish(locked.share, _HOST)
        self._try = _Try(link.number, locked, Unlock(run.share, tags.mine), tags)

    def repeat(self, link: Link) -> None:
        """Say the same answer (again), where one is due on this link."""
        if self._try is not None and self._try.link == link.number:
            self._desk.send(link, self._try.answer)

    def told(self, link: Link, unlocked: Unlocked) -> bool:
        """Whether the host is known to know the passphrase by this; TableStop `wrong-passphrase` if it does not."""
        if self._try is None or self._try.link != link.number or self._done == link.number:
            return False
        if not self._try.tags.fits(unlocked.tag):
            raise TableStop("wrong-passphrase", None, "The host does not know this passphrase.")
        self._done, self._proven = link.number, link.key
        return True

    def waits(self, link: Link) -> bool:
        """Whether an answer was given on this link that the host has not taken yet."""
        return self._try is not None and self._try.link == link.number and self._done != link.number


def _party(host: bytes, guest: bytes) -> bytes:
    """CI: what this is about, the initiator, the responder."""
    return cpace.lv_cat(_PARTY, host, guest)
