"""Open audit: with the keys that seats give away, an observer reads what they saw, no more and no less."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from deal_rig import HAND, ITEMS, Rig, wire

from frp2p.cards import CardId
from frp2p.deal import ClearKind, DealerKind, SealedKind
from frp2p.deal.group import ORDER, scalar_bytes
from frp2p.deal.sealed.messages import Keys
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import TABLE, Draw, Drop, Give, Leave, Peek, PutBack, Reveal, Seal, Seat, Shuffle, SlotId, Verb

KINDS: tuple[DealerKind, ...] = (ClearKind(), SealedKind())
DECKS = {"hand": HAND[:9], "items": ITEMS[:4]}


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> DealerKind:
    return request.param


class AuditRig(Rig):
    """`auditor` is one more observer, which reads with the keys of some seats and hears what all others hear."""

    def open(self, *seats: Seat) -> Any:
        """An audit has the keys from the end of the record; here they are taken before the first card."""
        keys = {seat: wire(self.peers[seat].keys(), self.peers[seat].keys_type) for seat in seats}
        for seat, given in keys.items():
            self.peers[None].check_keys(seat, given)
        self.peers[None].audit(keys)
        return self.peers[None]


def opened(kind: DealerKind, seats: int, *given: Seat) -> AuditRig:
    rig = AuditRig(kind, seats, decks=DECKS)
    rig.setup()
    rig.open(*given)
    return rig


def same(rig: AuditRig, *seats: Seat) -> None:
    """The audit knows of these seats what they know themselves."""
    for seat in seats:
        assert dict(rig.peers[None].known_to(seat)) == dict(rig.known(seat)), seat


def shuffled(rig: Rig, cards: tuple[CardId, ...] = DECKS["hand"]) -> tuple[SlotId, ...]:
    (sealed,) = rig.do(Seal(cards, TABLE))
    slots: tuple[SlotId, ...] = rig.do(Shuffle(sealed.slots, TABLE))[0].slots
    return slots


def test_all_keys_read_everything_through_every_verb(kind: DealerKind) -> None:
    rig = opened(kind, 3, 0, 1, 2)
    deck = shuffled(rig)
    order = dict(rig.peers[None].table_cards())
    assert set(order) == set(deck)
    assert sorted(order.values()) == sorted(DECKS["hand"])

    def do(*verbs: Verb) -> Any:
        outcomes = rig.do(*verbs)
        same(rig, 0, 1, 2)
        return outcomes

    do(Draw(deck[:2], 0), Draw(deck[2:4], 1), Draw(deck[4:5], 2))
    do(Peek(deck[5:7], 2), Peek(deck[:1], 1))
    assert set(rig.peers[None].known_to(2)) == set(deck[4:7])
    ((mixed,), (given,), (back,)) = (outcome.slots for outcome in do(
        Shuffle(deck[4:5], 2), Give(deck[:1], 0, 2), PutBack(deck[2:3], 1)
    ))  # fmt: skip
    assert rig.peers[None].known_to(0)[given] == order[deck[0]] == rig.peers[None].known_to(1)[given]
    assert rig.peers[None].table_cards()[back] == order[deck[2]]
    (hidden,) = do(Shuffle(deck[5:7], 2))
    assert {rig.peers[None].known_to(2)[at] for at in hidden.slots} == {order[at] for at in deck[5:7]}
    (shown,) = do(Reveal((mixed, given, *hidden.slots)))
    assert sorted(shown.cards) == sorted(order[deck[at]] for at in (4, 0, 5, 6))
    (again,) = do(Seal(shown.cards[:2], TABLE))
    assert [rig.peers[None].table_cards()[at] for at in again.slots] == list(shown.cards[:2])
    do(Leave(1))
    same(rig, 0, 2)
    assert set(rig.peers[None].table_cards()) == set(rig.peers[None].slots.of(TABLE))
    do(Drop((0,)))
    assert rig.peers[None].table_cards() == {}


def test_some_keys_read_what_their_owners_saw_and_nothing_else(kind: DealerKind) -> None:
    rig = opened(kind, 3, 0, 2)
    deck = shuffled(rig)
    rig.do(Draw(deck[:2], 0), Draw(deck[2:4], 1), Draw(deck[4:5], 2))
    rig.do(Peek(deck[5:7], 2), Peek(deck[2:3], 0), Peek(deck[7:8], 1))
    auditor = rig.peers[None]
    same(rig, 0, 2)
    assert auditor.table_cards() == {}
    assert not {deck[3], deck[7], deck[8]} & {*auditor.known_to(0), *auditor.known_to(2)}
    with pytest.raises(LocalError):
        auditor.known_to(1)
    # What a seat gave away it can follow, and so can the audit; after seat 1 is gone the table is theirs.
    (moved,) = rig.do(Give(deck[:1], 0, 1))
    same(rig, 0, 2)
    assert moved.slots[0] in auditor.known_to(0)
    rig.do(Leave(1))
    same(rig, 0, 2)
    assert set(auditor.table_cards()) == set(deck[5:])
    assert auditor.table_cards()[deck[5]] == auditor.known_to(2)[deck[5]]


def test_the_order_of_an_own_shuffle_takes_all_keys() -> None:
    """The shuffler alone knows it; its keys tell which cards there are, and not which one lies where."""
    for given in ((0, 1), (0,)):
        rig = opened(SealedKind(), 2, *given)
        deck = shuffled(rig)
        rig.do(Peek(deck[:3], 0))
        (mixed,) = rig.do(Shuffle(deck[:3], 0))
        known = rig.peers[None].known_to(0)
        if len(given) == 2:
            assert {at: known[at] for at in mixed.slots} == {at: rig.known(0)[at] for at in mixed.slots}
        else:
            assert not set(known) & set(mixed.slots)


def test_only_an_observer_audits_and_only_a_seat_has_keys(kind: DealerKind) -> None:
    rig = AuditRig(kind, 2, decks=DECKS).setup()
    with pytest.raises(LocalError):
        rig.peers[None].keys()
    with pytest.raises(LocalError):
        rig.peers[0].audit({1: rig.peers[1].keys()})
    with pytest.raises(LocalError):
        rig.peers[None].known_to(0)
    assert rig.peers[None].table_cards() == {}


def test_keys_of_another_kind(kind: DealerKind) -> None:
    rig = AuditRig(kind, 2, decks=DECKS).setup()
    with pytest.raises(PeerFault) as caught:
        rig.peers[0].check_keys(1, object())
    assert (caught.value.check, caught.value.seat) == ("deal-type", 1)


def one_more(secret: bytes) -> bytes:
    return scalar_bytes((int.from_bytes(secret, "little") + 1) % ORDER)


@pytest.mark.parametrize(
    ("check", "wrong"),
    [
        ("open-deck-key", lambda keys: Keys(one_more(keys.deck), keys.view)),
        ("open-view-key", lambda keys: Keys(keys.deck, one_more(keys.view))),
        ("open-deck-key", lambda keys: Keys(bytes(32), keys.view)),
        (
            "scalar-range",
            lambda keys: Keys(keys.deck, (int.from_bytes(keys.view, "little") + ORDER).to_bytes(32, "little")),
        ),
    ],
)
def test_wrong_keys_are_refused_by_one_check_each(check: str, wrong: Any) -> None:
    rig = AuditRig(SealedKind(), 2, decks=DECKS).setup()
    keys = rig.peers[1].keys()
    for me in (0, 1, None):
        rig.peers[me].check_keys(1, keys)
        with pytest.raises(PeerFault) as caught:
            rig.peers[me].check_keys(1, wrong(keys))
        assert (caught.value.check, caught.value.seat) == (check, 1)
    # Right keys, of another seat: the first one that is compared tells.
    with pytest.raises(PeerFault) as caught:
        rig.peers[None].check_keys(0, keys)
    assert caught.value.check == "open-deck-key"


def test_keys_have_one_form_on_the_wire() -> None:
    rig = AuditRig(SealedKind(), 2, decks=DECKS).setup()
    keys = rig.peers[0].keys()
    packed = msgspec.msgpack.encode(keys)
    assert msgspec.msgpack.decode(packed) == ["keys", keys.deck, keys.view]
    assert len(packed) == 74
    assert "deck" not in repr(rig.peers[0]._me.secrets)
