"""Every seat shares its key among the others: envelope keys, then shares, then what is wrong with them.

All of it is in the open record, and everybody checks everything but the content of an envelope, as its receiver does.
A receiver whose share does not fit the commitments shows the key of that one envelope, and then everybody can see who
of the two is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frp2p.deal.group import Group, Point, scalar_bytes
from frp2p.deal.parse import read_key, read_points, read_scalars
from frp2p.deal.rounds import Task
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.envelope import Address, Envelope, read, seal, unseal, write
from frp2p.deal.sealed.keys import Locks
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import Complaint, EnvelopeKeys, KeyShares, NoComplaint
from frp2p.deal.sealed.sharing import Sharing, share, share_key
from frp2p.deal.transcript import Nonces
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Outcome, Seat, Slots

_ROUNDS: tuple[tuple[type, ...], ...] = ((EnvelopeKeys,), (KeyShares,), (NoComplaint, Complaint))


@dataclass(frozen=True)
class Dealt:
    """What one seat gave: commitments F_0.. to its polynomial, and an envelope for every other seat."""

    commitments: tuple[Point, ...]
    envelopes: Mapping[Seat, Envelope]


class SharingTask(Task):
    """Three rounds in which all who are present speak. `locks` are the keys that are shared and hold afterwards."""

    def __init__(self, locks: Locks, me: Me | None) -> None:
        self._locks = locks
        self._group: Group = locks.group
        self._seats = locks.roster.present
        self._me = me if me is not None and me.seat in self._seats else None
        self._round = 0
        self._secrets: dict[Seat, int] = {}
        self._keys: Mapping[Seat, Mapping[Seat, Point]] = {}
        self._dealt: Mapping[Seat, Dealt] = {}

    def speakers(self) -> tuple[Seat, ...]:
        return self._seats if self._round < len(_ROUNDS) else ()

    def awaited(self) -> tuple[type, ...]:
        """The types of item of the present round."""
        return _ROUNDS[self._round]

    def speak(self) -> EnvelopeKeys | KeyShares | Complaint | NoComplaint:
        if self._me is None:
            raise LocalError("an observer has nothing to say")
        if self._round == 0:
            return self._make_keys(self._me)
        return self._deal(self._me) if self._round == 1 else self._judge(self._me.seat)

    def check(self, seat: Seat, item: Any) -> Any:
        """The envelope keys by sender; what was dealt; the seat that is complained of, rightly, or None."""
        if not isinstance(item, self.awaited()):
            raise PeerFault("item-type")
        others = self._others(seat)
        if isinstance(item, EnvelopeKeys):
            points = read_points(self._group, item.keys, len(others))
            return {other: read_key(self._group, point) for other, point in zip(others, points, strict=True)}
        if isinstance(item, KeyShares):
            points = read_points(self._group, item.commitments, len(others) - 1)
            envelopes = read(self._group, item.envelopes, len(others))
            return Dealt((self._locks[seat], *points), dict(zip(others, envelopes, strict=True)))
        if isinstance(item, Complaint):
            self._check_complaint(seat, item)
            return item.owner
        return None

    def close(self, items: Mapping[Seat, Any]) -> None:
        """PeerFault "share-wrong" with the seat that gave a wrong share (the first one); then nothing has changed."""
        if self._round == 0:
            self._keys = dict(items)
        elif self._round == 1:
            self._dealt = dict(items)
        elif wrong := [owner for owner in items.values() if owner is not None]:
            raise PeerFault("share-wrong", "A share of a key is another one than was committed to.", seat=min(wrong))
        self._round += 1

    def settle(self) -> Outcome:
        return Slots(())

    def sharing(self) -> Sharing:
        """The shares that hold from now on, once all rounds are over."""
        if self.speakers():
            raise LocalError("the keys are not shared yet")
        mine: dict[Seat, int] = {}
        if self._me is not None:
            me = self._me.seat
            mine = {owner: self._open(owner, me, self._secrets[owner]) for owner in self._others(me)}
        return Sharing({seat: dealt.commitments for seat, dealt in self._dealt.items()}, mine)

    def _others(self, seat: Seat) -> tuple[Seat, ...]:
        return tuple(other for other in self._seats if other != seat)

    def _make_keys(self, me: Me) -> EnvelopeKeys:
        if not self._secrets:
            others = self._others(me.seat)
            self._secrets = dict(zip(others, self._nonces(me, "envelope-keys").take(len(others)), strict=True))
        return EnvelopeKeys(b"".join(self._group.base(secret) for secret in self._secrets.values()))

    def _deal(self, me: Me) -> KeyShares:
        others = self._others(me.seat)
        nonces = self._nonces(me, "key-shares")
        polynomial = [me.secrets.deck, *nonces.take(len(others) - 1)]
        envelopes = [
            seal(self._group, self._address(me.seat, other), share(polynomial, other), nonces.next())
            for other in others
        ]
        return KeyShares(b"".join(self._group.base(factor) for factor in polynomial[1:]), write(envelopes))

    def _judge(self, me: Seat) -> Complaint | NoComplaint:
        for owner, secret in self._secrets.items():
            if not self._right(owner, me, secret):
                return Complaint(owner, scalar_bytes(secret))
        return NoComplaint()

    def _check_complaint(self, seat: Seat, complaint: Complaint) -> None:
        """PeerFault unless it is about an envelope for this seat, opens it, and finds another share than promised."""
        if complaint.owner not in self._others(seat):
            raise PeerFault("complaint-owner")
        (secret,) = read_scalars(complaint.secret, 1)
        if self._group.base(secret) != self._keys[seat][complaint.owner]:
            raise PeerFault("complaint-key")
        if self._right(complaint.owner, seat, secret):
            raise PeerFault("complaint-false")

    def _right(self, owner: Seat, holder: Seat, secret: int) -> bool:
        """Whether the share in this envelope fits the commitments."""
        key = share_key(self._group, self._dealt[owner].commitments, holder)
        return self._group.base(self._open(owner, holder, secret)) == key

    def _open(self, owner: Seat, holder: Seat, secret: int) -> int:
        return unseal(self._group, self._address(owner, holder), self._dealt[owner].envelopes[holder], secret)

    def _address(self, sender: Seat, receiver: Seat) -> Address:
        return Address(self._locks.ctx, sender, receiver, self._keys[receiver][sender])

    def _nonces(self, me: Me, label: str) -> Nonces:
        state = Scope(self._group, self._locks.ctx, b"").transcript(label).state()
        return Nonces(secret=me.secrets.deck, entropy=me.entropy, state=state)
