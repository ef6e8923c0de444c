"""Attacks on what happens when a seat goes: shares of a draw that was broken off, keys in shares, complaints."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from attack_kit import GROUP, KIND, SMALL, body, card_at, secret, shuffled_deck, spy, table
from deal_rig import Rig

from frp2p.deal.elgamal import Ciphertext
from frp2p.deal.group import ORDER, Point
from frp2p.deal.sealed import sharing_task
from frp2p.deal.sealed.envelope import Address, Envelope, read, unseal, write
from frp2p.deal.sealed.messages import Complaint, KeyShares
from frp2p.deal.sealed.sharing import weights
from frp2p.errors import LocalError
from frp2p.games.verbs import TABLE, Draw, Leave, Peek, Recover, Reveal, Seat, Shuffle, SlotId, Verb


def share(rig: Rig, seat: Seat, a: Point) -> Point:
    return GROUP.mul(a, secret(rig, seat))


def opened(rig: Rig, value: Ciphertext, shares: dict[Seat, Point]) -> str | None:
    """The card under these shares, if they are all that was missing."""
    rest = value.b
    for one in shares.values():
        rest = GROUP.sub(rest, one)
    return card_at(rig, rest)


def broken_off(rig: Rig, *verbs: Verb) -> None:
    """All that a round asks for is said; then the batch is dropped."""
    rig.begin(*verbs)
    rig.one_round(rig.peers, rig.peers[None].speakers(), None)
    for peer in rig.peers.values():
        peer.abort()


# shares of a draw that was broken off

FIRST, SECOND, GONE = 0, 1, 3


@pytest.mark.pitfall(27, 28)
def test_a_draw_that_was_broken_off_and_another_of_the_same_slot() -> None:
    """Seat 0 was drawing when seat 3 vanished: three shares are public. Now seat 1 draws: is there a fourth?

    Were the slot as it was, the draw of seat 1 would ask seat 0 for the one that was missing, and everybody reads it.
    """
    rig = table(4, recovery=True)
    deck = shuffled_deck(rig)
    old = body(rig, deck[0])
    broken_off(rig, Draw(deck[:1], FIRST))
    public = {seat: share(rig, seat, old.a) for seat in (1, 2, 3)}
    careless = copy.deepcopy(rig)
    for peer in careless.peers.values():
        peer.touched = frozenset()
    careless.do(Draw(deck[:1], SECOND))
    public_then = public | {FIRST: share(rig, FIRST, old.a)}
    assert opened(rig, old, public_then) == careless.known(SECOND)[deck[0]]

    for verb in (Draw(deck[:1], SECOND), Draw(deck[:1], FIRST), Peek(deck[:1], SECOND), Reveal(deck[:1])):
        for peer in rig.peers.values():
            with pytest.raises(LocalError) as refused:
                peer.begin((verb,), b"e")
            assert refused.value.code == "deal-misuse"
    rig.do(Recover(GONE))
    new = body(rig, deck[0])
    assert new.a != old.a
    rig.do(Draw(deck[:1], SECOND))
    drawn = body(rig, deck[0])
    assert rig.known(SECOND)[deck[0]] == careless.known(SECOND)[deck[0]]
    for at in (public[SECOND], GROUP.sub(new.b, old.b), GROUP.sub(public[SECOND], old.a)):
        assert opened(rig, drawn, {SECOND: at}) is None
    assert opened(rig, drawn, {SECOND: share(rig, SECOND, drawn.a)}) is not None


@pytest.mark.pitfall(27)
def test_the_key_of_the_lost_seat_comes_off_after_the_new_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 3 itself was drawing: all other shares are public, and its own becomes so for every slot of the table.

    For the old ciphertext that would be the card itself; for the new one, all that was public opens nothing, even for
    two of the three who know their own part of the new mask.
    """
    rig = table(4, recovery=True)
    deck = shuffled_deck(rig)
    old = body(rig, deck[0])
    broken_off(rig, Draw(deck[:1], GONE))
    public = {seat: share(rig, seat, old.a) for seat in (0, 1, 2)}
    truth = opened(rig, old, public | {GONE: share(rig, GONE, old.a)})
    assert truth is not None
    kept = spy(monkeypatch, "frp2p.deal.sealed.remask_task")
    rig.do(Recover(GONE))
    new = body(rig, deck[0])
    masks = [row[0] for row in kept]
    assert len(masks) == 3
    assert opened(rig, new, public) is None
    keys = rig.peers[None].locks
    for known in ((0, 1), (0, 2), (1, 2)):
        total = sum(masks[seat] for seat in known) % ORDER
        guess = {seat: GROUP.add(public[seat], GROUP.mul(keys[seat], total)) for seat in (0, 1, 2)}
        assert opened(rig, new, guess) is None
    # The computation is the right one: with all three masks it opens.
    whole = {seat: GROUP.add(public[seat], GROUP.mul(keys[seat], sum(masks) % ORDER)) for seat in (0, 1, 2)}
    assert opened(rig, new, whole) == truth


@pytest.mark.pitfall(27)
def test_a_leave_that_was_broken_off_touches_the_whole_table() -> None:
    """The share of seat 3 is public for every slot, and seat 3 is still here: it may draw no such slot."""
    rig = table(4, recovery=True)
    deck = shuffled_deck(rig)
    value = body(rig, deck[0])
    broken_off(rig, Leave(GONE))
    public = {seat: share(rig, seat, value.a) for seat in range(4)}
    assert opened(rig, value, public) is not None
    for at in deck:
        for verb in (Draw((at,), GONE), Draw((at,), 0), Shuffle((at,), TABLE)):
            with pytest.raises(LocalError):
                rig.begin(verb)
    rig.do(Recover(2))
    before = {at: body(rig, at).a for at in deck}
    assert value.a not in before.values()
    rig.do(Draw(deck[:1], GONE))
    assert opened(rig, body(rig, deck[0]), {GONE: public[GONE]}) is None


# keys in shares


@pytest.mark.pitfall(37)
def test_fewer_than_all_others_do_not_read_a_hand() -> None:
    """Three of four together have seat 0's key in their shares (the price of recovery); any two have nothing."""
    rig = table(4, recovery=True)
    deck = shuffled_deck(rig)
    rig.do(Draw(deck[:1], 0))
    value = body(rig, deck[0])
    shares = {seat: rig.peers[seat]._sharing.mine[0] for seat in (1, 2, 3)}

    def together(seats: tuple[Seat, ...]) -> str | None:
        key = sum(w * shares[seat] for w, seat in zip(weights(seats), seats, strict=True)) % ORDER
        return opened(rig, value, {0: GROUP.mul(value.a, key)})

    assert together((1, 2, 3)) == rig.known(0)[deck[0]]
    for pair in ((1, 2), (1, 3), (2, 3)):
        assert together(pair) is None


def numbers(value: Any, seen: set[int]) -> Iterator[int]:
    """Every integer that can be reached from an object."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict):
        for item in (*value, *value.values()):
            yield from numbers(item, seen)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from numbers(item, seen)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from numbers(getattr(value, field.name), seen)
    elif hasattr(value, "__dict__"):
        yield from numbers(vars(value), seen)


@pytest.mark.pitfall(37)
def test_the_lost_key_is_rebuilt_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through a whole recovery nobody multiplies by it, and no object that the others hold has it."""
    used: set[int] = set()
    group = type(GROUP)

    def watch(name: str) -> None:
        true = getattr(group, name)

        def watched(self: Any, *arguments: Any) -> Any:
            for argument in arguments:
                used.update(argument if isinstance(argument, (list, tuple)) else (argument,))
            return true(self, *arguments)

        monkeypatch.setattr(group, name, watched)

    rig = table(4, recovery=True)
    deck = shuffled_deck(rig)
    lost = secret(rig, GONE)
    rig.peers[GONE]._me = None
    for name in ("base", "mul", "msm"):
        watch(name)
    rig.do(Recover(GONE))
    rig.do(Draw(deck[:2], 0))
    assert len(used) > 100
    assert lost not in used
    assert ORDER - lost not in used
    for seat in (0, 1, 2, None):
        held = set(numbers(rig.peers[seat], set()))
        assert lost not in held
        assert ORDER - lost not in held
        assert seat is None or secret(rig, seat) in held


# complaints


class OneKey(sharing_task.SharingTask):
    """What many programs do: a seat has one key for all envelopes."""

    def _make_keys(self, me: Any) -> Any:
        said = super()._make_keys(me)
        first = next(iter(self._secrets.values()))
        self._secrets = dict.fromkeys(self._secrets, first)
        return type(said)(GROUP.base(first) * len(self._secrets))


def copied_envelope(weak: bool, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Seat 2 sends seat 3 the R of seat 0's envelope and junk. Does the complaint of seat 3 open seat 0's share too?"""
    if weak:
        monkeypatch.setattr("frp2p.deal.sealed.setup.SharingTask", OneKey)
    rig = Rig(KIND, 4, decks=SMALL, recovery=True)
    for _ in range(5):
        rig.one_round(rig.setups, (0, 1, 2, 3), None)
    honest = read(GROUP, rig.setups[0].speak().envelopes, 3)[-1]

    def twist(seat: Seat, mine: KeyShares) -> KeyShares:
        if seat != 2:
            return mine
        envelopes = [*read(GROUP, mine.envelopes, 3)[:-1], Envelope(honest.r, 1)]
        return KeyShares(mine.commitments, write(envelopes))

    rig.one_round(rig.setups, (0, 1, 2, 3), twist)
    complaint = rig.setups[3].speak()
    assert isinstance(complaint, Complaint)
    assert complaint.owner == 2
    shown = int.from_bytes(complaint.secret, "little")
    task = rig.setups[None]._sharing
    address = Address(task._locks.ctx, 0, 3, task._keys[3][0])
    return task._right(0, 3, shown) and unseal(GROUP, address, honest, shown) > 0


@pytest.mark.pitfall(29)
def test_a_complaint_is_no_decryption_oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A liar copies what an honest seat sent, to have the victim open it before everybody."""
    assert not copied_envelope(False, monkeypatch)
    assert copied_envelope(True, monkeypatch)


@pytest.mark.pitfall(29, 36)
def test_a_look_that_was_broken_off_is_not_used_later() -> None:
    """Seat 1 was being shown a card when seat 3 vanished: the share of seat 0 has reached it, that of seat 2 has not.

    Were the slot as it was, a later draw by seat 0 would publish the missing one, and seat 1 would read the hand.
    """
    rig = table(4, recovery=True)
    deck = shuffled_deck(rig)
    value = body(rig, deck[0])
    rig.begin(Peek(deck[:1], 1))
    (shown,) = rig.peers[0].speak().items
    e1, e2 = Point(shown.shares[:32]), Point(shown.shares[32:])
    got = GROUP.sub(e2, GROUP.mul(e1, rig.peers[1]._me.secrets.view))
    assert got == share(rig, 0, value.a)
    for peer in rig.peers.values():
        peer.abort()
    others = {seat: share(rig, seat, value.a) for seat in (1, 2, 3)}
    assert opened(rig, value, {**others, 0: got}) is not None
    with pytest.raises(LocalError):
        rig.begin(Draw(deck[:1], 0))
    rig.do(Recover(GONE))
    rig.do(Draw(deck[:1], 0))
    drawn = body(rig, SlotId(deck[0]))
    assert opened(rig, drawn, {0: got}) is None
    assert opened(rig, drawn, {0: share(rig, 0, drawn.a)}) == rig.known(0)[deck[0]]
