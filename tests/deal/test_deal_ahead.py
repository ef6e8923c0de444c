"""The next shuffler works while the one before is being checked: the same words, sooner, and none before its turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from deal_rig import HAND, Rig, seeded

from frp2p.deal import SealedKind
from frp2p.deal.group.pure import PureGroup
from frp2p.deal.group.sodium import SodiumGroup
from frp2p.errors import PeerFault
from frp2p.games.verbs import TABLE, Seal, Shuffle, Verb

DECK = {"hand": HAND[:3]}


T = TypeVar("T")


class Shelf:
    """A `Beside` that does each job at once, and counts."""

    def __init__(self) -> None:
        self.jobs = 0

    def __call__(self, job: Callable[[], T], /) -> Callable[[], T]:
        self.jobs += 1
        made = job()
        return lambda: made


def cascade(rig: Rig) -> tuple[Verb, ...]:
    (deck,) = rig.do(Seal(HAND[:3], TABLE))
    return (Shuffle(deck.slots, TABLE),)


def words(kind: SealedKind) -> list[Any]:
    """All that is said in a cascade of three seats."""
    rig, said = Rig(kind, 3, decks=DECK).setup(), []
    rig.begin(*cascade(rig))

    def listen(seat: int, contribution: Any) -> Any:
        said.append((seat, contribution))
        return contribution

    rig.rounds(rig.peers, listen)
    rig.finish()
    return said


def test_made_ahead_or_when_asked_it_is_the_same() -> None:
    """A seat that comes back makes its turn when it is asked; the others compare it with what it said before."""
    shelf = Shelf()
    assert words(SealedKind(SodiumGroup(shelf))) == words(SealedKind(SodiumGroup()))
    assert shelf.jobs == 2


@pytest.mark.parametrize(
    ("group", "works"), [(SodiumGroup(Shelf()), True), (SodiumGroup(), False), (PureGroup(), False)]
)
def test_only_the_next_seat_works_ahead(group: Any, works: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """And only where it is told how."""
    rig = Rig(SealedKind(group), 3, decks=DECK).setup()
    rig.begin(*cascade(rig))
    (first,) = rig.peers[0].speakers()
    said = rig.peers[first].speak()
    tasks = {seat: peer._batch.tasks[0] for seat, peer in rig.peers.items()}
    for peer in rig.peers.values():
        peer.check(first, said)
    assert [seat for seat, task in tasks.items() if task._ahead is not None] == [(first + 1) % 3] * works
    for peer in rig.peers.values():
        peer.close({first: said})
    made: list[int] = []
    for seat, task in tasks.items():
        monkeypatch.setattr(task, "_make", lambda *_of, seat=seat: made.append(seat))
    if works:
        rig.peers[(first + 1) % 3].speak()
    assert made == []


def test_what_was_made_for_a_refused_shuffle_is_never_said() -> None:
    """The proof of the seat before is wrong: what I made of its output is thrown away, I begin again on the next."""
    rig = Rig(SealedKind(SodiumGroup(Shelf())), 3, decks=DECK).setup()
    rig.begin(*cascade(rig))
    (first,) = rig.peers[0].speakers()
    right = rig.peers[first].speak()
    other = Rig(SealedKind(), 3, decks=DECK, seed="other").setup()
    other.begin(*cascade(other))
    wrong = other.peers[first].speak()
    follower = rig.peers[(first + 1) % 3]
    with pytest.raises(PeerFault):
        follower.check(first, wrong)
    task = follower._batch.tasks[0]
    wasted = task._ahead
    assert wasted is not None
    for peer in rig.peers.values():
        peer.check(first, right)
        peer.close({first: right})
    assert task._ahead is not wasted
    said = follower.speak()
    assert said.items[0] != wasted[1]().item
    rig.peers[None].check((first + 1) % 3, said)


def test_the_fresh_bytes_are_drawn_when_the_batch_begins() -> None:
    """One draw for each cascade that a seat takes part in, at a moment that does not depend on threads."""
    draws: list[int] = []
    source = seeded("count")

    def counting(length: int) -> bytes:
        draws.append(length)
        return source(length)

    rig = Rig(SealedKind(), 3, decks=DECK).setup()
    object.__setattr__(rig.peers[1]._me, "entropy", counting)
    verbs = cascade(rig)
    assert draws == []
    rig.begin(*verbs)
    assert draws == [32]
    rig.rounds(rig.peers)
    assert draws == [32]
