"""Game id and keys, each by commit then open, and with recovery shares of the keys: every seat speaks in each round.

Commit then open is enough here: what is committed to becomes public in the next round, it only must not depend on what
the others said. So no seat can choose its key after the others' (rogue key), nor steer the game's id.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from typing import Any

from frp2p.deal.context import Epoch
from frp2p.deal.dealer import Entropy
from frp2p.deal.decks import Decks
from frp2p.deal.fields import hash_fields, u8
from frp2p.deal.group import Group, Point
from frp2p.deal.parse import read_key
from frp2p.deal.proofs import pop
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.dealer import SealedDealer
from frp2p.deal.sealed.keys import Locks, Roster, Secrets
from frp2p.deal.sealed.me import Me
from frp2p.deal.sealed.messages import KeyCommit, KeyOpen, NonceCommit, NonceOpen, SetupMessage
from frp2p.deal.sealed.sharing_task import SharingTask
from frp2p.deal.transcript import Nonces
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import Seat

_ROUNDS = (NonceCommit, NonceOpen, KeyCommit, KeyOpen)
_SALT_SIZE = 32
"""Bytes of nonces and salts."""


def nonce_commitment(params: bytes, seat: Seat, nonce: bytes) -> bytes:
    """64 bytes that bind a seat to its part of the game's id."""
    return hash_fields("nonce-commit", ("params", params), ("seat", u8(seat)), ("nonce", nonce))


def key_commitment(ctx: bytes, seat: Seat, opened: KeyOpen) -> bytes:
    """64 bytes that bind a seat to its keys and proofs; the salt hides them."""
    deck, view = opened.deck_proof, opened.view_proof
    return hash_fields(
        "key-commit",
        ("ctx", ctx),
        ("seat", u8(seat)),
        ("deck-key", opened.deck_key),
        ("view-key", opened.view_key),
        ("proofs", [deck.c, deck.s, view.c, view.s]),
        ("salt", opened.salt),
    )


class SealedSetup:
    """`DealerSetup` of the sealed dealer."""

    contribution_type: Any = SetupMessage

    def __init__(
        self,
        *,
        group: Group,
        params: bytes,
        identities: tuple[bytes, ...],
        decks: Decks,
        me: Seat | None,
        entropy: Entropy,
        recovery: bool,
    ) -> None:
        self._group = group
        self._params = params
        self._identities = identities
        self._decks = decks
        self._me = me
        self._entropy = entropy
        self._recovery = recovery
        self._sharing: SharingTask | None = None
        self._round = 0
        self._mine: SetupMessage | None = None
        self._closed: list[Mapping[Seat, Any]] = []
        self._keys: dict[Seat, tuple[Point, Point]] = {}
        self._nonce = b""
        self._secrets: Secrets | None = None
        self._key_open: KeyOpen | None = None
        self._game_id = b""
        self._scope: Scope | None = None

    def speakers(self) -> tuple[Seat, ...]:
        if self._round < len(_ROUNDS):
            return tuple(range(len(self._identities)))
        return self._sharing.speakers() if self._sharing is not None else ()

    def speak(self) -> SetupMessage:
        if self._me is None or self._me not in self.speakers():
            raise LocalError("this seat does not speak now", code="deal-misuse")
        if self._mine is None and self._sharing is not None:
            self._mine = self._sharing.speak()
        if self._mine is None:
            speech: tuple[Callable[[Seat], SetupMessage], ...] = (
                self._commit_nonce,
                self._open_nonce,
                self._commit_keys,
                self._open_keys,
            )
            self._mine = speech[self._round](self._me)
        return self._mine

    def check(self, seat: Seat, contribution: Any) -> None:
        if seat not in self.speakers():
            raise PeerFault("deal-speaker", seat=seat)
        awaited = _ROUNDS[self._round] if self._sharing is None else self._sharing.awaited()
        if not isinstance(contribution, awaited):
            raise PeerFault("deal-type", seat=seat)
        try:
            if self._sharing is not None:
                self._sharing.check(seat, contribution)
            elif isinstance(contribution, NonceOpen):
                self._check_nonce(seat, contribution)
            elif isinstance(contribution, KeyOpen):
                self._check_keys(seat, contribution)
        except PeerFault as fault:
            raise PeerFault(fault.check, fault.message, seat=seat) from None

    def close(self, contributions: Mapping[Seat, Any]) -> None:
        if not contributions or set(contributions) != set(self.speakers()):
            raise LocalError("a round closes with one contribution of every speaker", code="deal-misuse")
        for seat in sorted(contributions):
            self.check(seat, contributions[seat])
        if self._sharing is not None:
            self._sharing.close({seat: self._sharing.check(seat, said) for seat, said in contributions.items()})
        if self._round == len(_ROUNDS) - 1:
            self._check_owners()
            if self._recovery:
                self._sharing = SharingTask(self._locks(), self._myself())
        self._closed.append(dict(contributions))
        self._mine = None
        self._round += 1
        if self._round == 2:
            nonces = [contributions[seat].nonce for seat in sorted(contributions)]
            self._game_id = hash_fields("game", ("nonces", nonces), ("params", self._params))[:32]
            self._scope = Scope(self._group, Epoch(self._game_id, self._params).context(b""), b"")

    def finish(self) -> SealedDealer:
        if self.speakers():
            raise LocalError("the set-up is not finished", code="deal-misuse")
        return SealedDealer(
            me=self._me,
            decks=self._decks,
            locks=self._locks(),
            secrets=self._secrets,
            sharing=self._sharing.sharing() if self._sharing is not None else None,
            entropy=self._entropy,
        )

    def _locks(self) -> Locks:
        """The keys of the table, once all are open."""
        pairs = [self._keys[seat] for seat in range(len(self._identities))]
        roster = Roster(self._identities, tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs))
        return Locks.of(self._group, Epoch(self._game_id, self._params), roster)

    def _myself(self) -> Me | None:
        if self._me is None or self._secrets is None:
            return None
        return Me(self._me, self._secrets, self._entropy)

    def _commit_nonce(self, me: Seat) -> NonceCommit:
        self._nonce = self._entropy(_SALT_SIZE)
        return NonceCommit(nonce_commitment(self._params, me, self._nonce))

    def _open_nonce(self, me: Seat) -> NonceOpen:
        if not self._nonce:
            raise LocalError("no nonce was committed to")
        return NonceOpen(self._nonce)

    def _commit_keys(self, me: Seat) -> KeyCommit:
        scope = self._bound()
        drawn = Nonces(secret=0, entropy=self._entropy, state=scope.ctx)
        secrets = Secrets(deck=drawn.next(), view=drawn.next())
        deck, view = self._group.base(secrets.deck), self._group.base(secrets.view)
        identity = self._identities[me]
        opened = KeyOpen(
            deck,
            view,
            pop.prove(scope, me, identity, "deck", deck, secrets.deck, self._entropy),
            pop.prove(scope, me, identity, "view", view, secrets.view, self._entropy),
            self._entropy(_SALT_SIZE),
        )
        self._secrets, self._key_open = secrets, opened
        return KeyCommit(key_commitment(scope.ctx, me, opened))

    def _open_keys(self, me: Seat) -> KeyOpen:
        if self._key_open is None:
            raise LocalError("no keys were committed to")
        return self._key_open

    def _check_nonce(self, seat: Seat, opened: NonceOpen) -> None:
        expected = nonce_commitment(self._params, seat, opened.nonce)
        if not hmac.compare_digest(expected, self._closed[0][seat].digest):
            raise PeerFault("nonce-commitment")

    def _check_keys(self, seat: Seat, opened: KeyOpen) -> None:
        scope = self._bound()
        if not hmac.compare_digest(key_commitment(scope.ctx, seat, opened), self._closed[2][seat].digest):
            raise PeerFault("key-commitment")
        deck, view = read_key(self._group, opened.deck_key), read_key(self._group, opened.view_key)
        if deck == view:
            raise PeerFault("key-duplicate")
        pop.verify(scope, seat, self._identities[seat], "deck", deck, opened.deck_proof)
        pop.verify(scope, seat, self._identities[seat], "view", view, opened.view_proof)
        self._keys[seat] = (deck, view)

    def _check_owners(self) -> None:
        """No two seats have one key. Two that do have both proved that they know it, and each opening is right alone;
        so they are judged together, in the order of the seats, and all peers name the same one.
        """
        taken: set[Point] = set()
        for seat in sorted(self._keys):
            if not taken.isdisjoint(self._keys[seat]):
                raise PeerFault("key-duplicate", "Two seats have one key.", seat=seat)
            taken.update(self._keys[seat])

    def _bound(self) -> Scope:
        if self._scope is None:
            raise LocalError("the game has no id yet")
        return self._scope
