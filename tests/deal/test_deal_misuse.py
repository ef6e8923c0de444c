"""What both dealers refuse: calls, batches, contributions and decks that make no sense."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from deal_contract import KINDS, SHORT, deck_of, table
from deal_rig import HAND, ITEMS, Rig, wire

from frp2p.deal import DealerKind, SealedKind
from frp2p.deal.group.pure import PureGroup
from frp2p.deal.group.sodium import SodiumGroup
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import (
    TABLE,
    Coin,
    Draw,
    Exclude,
    Give,
    Peek,
    PutBack,
    Reveal,
    Seal,
    Shuffle,
    SlotId,
)


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> DealerKind:
    return request.param


HAND_SLOT, DECK_SLOT = SlotId(14), SlotId(15)


@functools.cache
def dealt(kind: DealerKind) -> Rig:
    """Slot 14 in the hand of seat 1, slots 15.. in the deck (seat 0 has seen 17), 28 an item."""
    rig = table(kind)
    deck = deck_of(rig, HAND[:14])
    rig.do(Draw(deck[:1], 1))
    rig.do(Seal(ITEMS[:1], TABLE), Peek(deck[3:4], 0))
    return rig


MISUSE = {
    "no verbs": (),
    "unknown slot": (Reveal((SlotId(99),)),),
    "spent slot": (Reveal((SlotId(0),)),),
    "no slots": (Reveal(()),),
    "slot twice in a verb": (Reveal((DECK_SLOT, DECK_SLOT)),),
    "slot twice in a batch": (Reveal((DECK_SLOT,)), Draw((DECK_SLOT,), 0)),
    "two decks in a verb": (Reveal((DECK_SLOT, SlotId(28))),),
    "draw out of a hand": (Draw((HAND_SLOT,), 0),),
    "draw of the own hand": (Draw((HAND_SLOT,), 1),),
    "draw by nobody": (Draw((DECK_SLOT,), 3),),
    "draw by the table": (Draw((DECK_SLOT,), TABLE),),
    "all shuffle a hand": (Shuffle((HAND_SLOT,), TABLE),),
    "one shuffles the deck": (Shuffle((DECK_SLOT, SlotId(16)), 1),),
    "one shuffles another's hand": (Shuffle((HAND_SLOT,), 0),),
    "shuffle by nobody": (Shuffle((DECK_SLOT,), 7),),
    "seal of nothing": (Seal((), TABLE),),
    "seal of a foreign card": (Seal(("XX01",), TABLE),),
    "seal of a card that is face down": (Seal(HAND[:1], TABLE),),
    "seal to nobody": (Seal(ITEMS[1:2], 3),),
    "card twice": (Seal((ITEMS[1], ITEMS[1]), TABLE),),
    "card twice in a batch": (Seal(ITEMS[1:2], TABLE), Seal(ITEMS[1:2], 0)),
    "peek at the own hand": (Peek((HAND_SLOT,), 1),),
    "peek by nobody": (Peek((DECK_SLOT,), 3),),
    "gift of another's card": (Give((HAND_SLOT,), 0, 2),),
    "gift out of the deck": (Give((DECK_SLOT,), 0, 2),),
    "gift to itself": (Give((HAND_SLOT,), 1, 1),),
    "gift to the table": (Give((HAND_SLOT,), 1, TABLE),),
    "another's card put back": (PutBack((HAND_SLOT,), 0),),
    "deck put back": (PutBack((DECK_SLOT,), TABLE),),
    "exclusion from the deck": (Exclude((DECK_SLOT,), HAND[:1]),),
    "exclusion of nothing": (Exclude((HAND_SLOT,), ()),),
    "exclusion of one card twice": (Exclude((HAND_SLOT,), HAND[:1] * 2),),
    "exclusion of a foreign card": (Exclude((HAND_SLOT,), ITEMS[:1]),),
    "shuffle of what was not seen": (Shuffle((DECK_SLOT, SlotId(16)), 0),),
    "shuffle of what was seen in part": (Shuffle((SlotId(17), SlotId(18)), 0),),
    "all shuffle with a hand": (Shuffle((HAND_SLOT, DECK_SLOT), TABLE),),
    "coin without sides": (Coin(0),),
    "coin with too many sides": (Coin((1 << 32) + 1),),
    "too many verbs": (Coin(2),) * 65,
    "too many slots": (Reveal(tuple(SlotId(at) for at in range(129))),),
}


@pytest.mark.parametrize("verbs", MISUSE.values(), ids=MISUSE)
def test_misuse_is_refused_and_changes_nothing(kind: DealerKind, verbs: tuple[Any, ...]) -> None:
    rig = dealt(kind)
    before = rig.digests()
    for peer in rig.peers.values():
        with pytest.raises(LocalError) as refused:
            peer.begin(verbs, b"event")
        assert refused.value.code == "deal-misuse"
    assert rig.digests() == before


def test_calls_out_of_order_are_refused(kind: DealerKind) -> None:
    rig = Rig(kind, 2, decks=SHORT)
    with pytest.raises(LocalError):
        rig.setups[0].finish()
    with pytest.raises(LocalError):
        rig.setups[None].speak()
    with pytest.raises(LocalError):
        rig.setups[0].close({0: rig.setups[0].speak()})
    rig.setup()
    for setup in rig.setups.values():
        with pytest.raises(LocalError):
            setup.speak()
        with pytest.raises(LocalError):
            setup.close({})
    peer = rig.peers[0]
    for call in (peer.speakers, peer.speak, peer.finish):
        with pytest.raises(LocalError):
            call()
    rig.begin(Coin(2))
    with pytest.raises(LocalError):
        peer.begin((Coin(2),), b"event")
    for call in (peer.finish, lambda: peer.close({0: peer.speak()})):
        with pytest.raises(LocalError) as refused:
            call()
        assert refused.value.code == "deal-misuse"
    with pytest.raises(LocalError):
        rig.peers[None].speak()


def fault(call: Any, *arguments: Any) -> tuple[str, int | None]:
    """The check that fails, and whose it is."""
    with pytest.raises(PeerFault) as caught:
        call(*arguments)
    return caught.value.check, caught.value.seat


def test_contributions_of_the_wrong_shape_are_refused(kind: DealerKind) -> None:
    rig = table(kind)
    deck = deck_of(rig)
    rig.begin(Draw(deck[:1], 1), Coin(2))
    observer = rig.peers[None]
    said = rig.peers[0].speak()
    assert fault(observer.check, 0, "text") == ("deal-type", 0)
    assert fault(observer.check, 0, type(said)(said.items[:1])) == ("deal-items", 0)
    assert fault(observer.check, 0, type(said)(said.items * 2)) == ("deal-items", 0)
    assert fault(observer.check, 0, type(said)(said.items[::-1])) == ("item-type", 0)
    assert fault(observer.check, 9, said) == ("deal-speaker", 9)
    rig.rounds(rig.peers)
    rig.finish()
    rig.begin(Shuffle(deck[1:], TABLE))
    (speaker,) = observer.speakers()
    assert fault(observer.check, (speaker + 1) % 3, said) == ("deal-speaker", (speaker + 1) % 3)
    assert fault(observer.check, speaker, type(said)(said.items[:1])) == ("item-type", speaker)


def test_the_set_up_refuses_the_wrong_shape(kind: DealerKind) -> None:
    rig = Rig(kind, 2, decks=SHORT)
    assert fault(rig.setups[None].check, 1, "text") == ("deal-type", 1)
    assert fault(rig.setups[None].check, 2, rig.setups[1].speak()) == ("deal-speaker", 2)


def test_a_false_opening_of_a_coin_is_refused(kind: DealerKind) -> None:
    rig = table(kind)
    rig.begin(Coin(6))
    rig.one_round(rig.peers, (0, 1, 2), None)
    good = rig.peers[2].speak()
    false = type(good)((type(good.items[0])(bytes(32)),))
    assert fault(rig.peers[0].check, 2, false) == ("coin-commitment", 2)
    assert fault(rig.peers[0].check, 1, good) == ("coin-commitment", 1)
    with pytest.raises(PeerFault):
        rig.peers[0].close({0: rig.peers[0].speak(), 1: good, 2: good})


def test_closing_checks_what_was_not_checked(kind: DealerKind) -> None:
    rig = table(kind)
    rig.begin(Coin(6))
    said = {seat: rig.peers[seat].speak() for seat in range(3)}
    for peer in rig.peers.values():
        peer.close({seat: wire(value, peer.contribution_type) for seat, value in said.items()})
    assert len(rig.digests()) == 1


@pytest.mark.parametrize("seats", [1, 8])
def test_tables_of_other_sizes_are_refused(kind: DealerKind, seats: int) -> None:
    with pytest.raises(LocalError):
        Rig(kind, seats)


BAD_DECKS = {
    "none": {},
    "three": {"a": HAND[:1], "b": HAND[1:2], "c": HAND[2:3]},
    "empty": {"a": ()},
    "unnamed": {"": HAND},
    "too many": {"a": tuple(f"C{at}" for at in range(129))},
    "card in two": {"a": HAND, "b": HAND[:1]},
    "card twice": {"a": HAND[:1] * 2},
}


@pytest.mark.parametrize("decks", BAD_DECKS.values(), ids=BAD_DECKS)
def test_bad_decks_are_refused(kind: DealerKind, decks: Any) -> None:
    with pytest.raises(LocalError):
        kind.setup(charter_digest=b"c", params_digest=b"p", identities=(b"a", b"b"), decks=decks, me=0, entropy=bytes)


def test_back_ends_play_together() -> None:
    """One seat on libsodium, one on the pure back end, an observer on either: the same game, byte for byte."""
    tables = [Rig(SealedKind(group), 2, decks={"hand": HAND[:6]}) for group in (SodiumGroup(), PureGroup())]
    mixed = tables[0]
    mixed.setups[1] = tables[1].setups[1]
    mixed.setup()
    (deck,) = mixed.do(Seal(HAND[:6], TABLE))
    (deck,) = mixed.do(Shuffle(deck.slots, TABLE))
    hands = mixed.do(Draw(deck.slots[:2], 0), Draw(deck.slots[2:4], 1), Coin(6))
    mixed.do(Shuffle(hands[0].slots, 0), Shuffle(hands[1].slots, 1))
    assert {mixed.peers[seat].group.name for seat in (0, 1)} == {"sodium", "pure"}
    assert len(set(mixed.known(0).values()) | set(mixed.known(1).values())) == 4
