"""What should never happen: tasks asked by the wrong one or too early, slots that are not there, unknown verbs."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from deal_rig import HAND, ITEMS, Rig, seeded

from frp2p import deal
from frp2p.deal import ClearKind, DealerKind, SealedKind, stream, transcript
from frp2p.deal.clear.messages import ClearContribution, Mix, Show
from frp2p.deal.coin import Commit, Open
from frp2p.deal.group.choose import default_group
from frp2p.deal.group.sodium import _remove_copy
from frp2p.deal.rounds import Task
from frp2p.deal.sealed import dealer as sealed_dealer
from frp2p.deal.sealed.messages import SealedContribution
from frp2p.deal.slots import Slot, SlotTable
from frp2p.errors import LocalError, PeerFault, UserError
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
    Slots,
    Verb,
)

KINDS: dict[str, tuple[DealerKind, Any]] = {
    "clear": (ClearKind(), ClearContribution),
    "sealed": (SealedKind(), SealedContribution),
}


@pytest.fixture(params=KINDS)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def dealt(name: str) -> tuple[Rig, tuple[Any, ...], tuple[Any, ...]]:
    """Two cards in the hand of seat 0, and the rest of the deck."""
    rig = Rig(KINDS[name][0], 2, decks={"hand": HAND[:6], "items": ITEMS}).setup()
    (deck,) = rig.do(Seal(HAND[:6], TABLE))
    rig.do(Draw(deck.slots[:2], 0))
    return rig, deck.slots[:2], deck.slots[2:]


def verbs(hand: tuple[Any, ...], deck: tuple[Any, ...]) -> Iterator[Verb]:
    """Every verb for which somebody speaks."""
    yield Shuffle(deck, TABLE)
    yield Shuffle(deck[:1], TABLE)
    yield Shuffle(hand, 0)
    yield Draw(deck[:1], 0)
    yield Reveal(hand)
    yield Peek(deck[:2], 0)
    yield Give(hand, 0, 1)
    yield PutBack(hand, 0)
    yield Exclude(hand, HAND[2:4])
    yield Coin(6)


def test_every_task_refuses_items_of_other_verbs(name: str) -> None:
    """In each round of each verb, everything that is not what is asked is refused by its type."""
    _, contribution = KINDS[name]
    for which in range(10):
        rig, hand, deck = dealt(name)
        rig.begin(list(verbs(hand, deck))[which])
        while speakers := rig.peers[None].speakers():
            asked = rig.peers[speakers[0]].speak().items[0]
            for other in (Commit(bytes(64)), Open(bytes(32)), Mix(bytes(32)), Show(bytes(32))):
                if type(other) is type(asked):
                    continue
                with pytest.raises(PeerFault) as fault:
                    rig.peers[None].check(speakers[0], contribution((other,)))
                assert (fault.value.check, fault.value.seat) == ("item-type", speakers[0])
            rig.one_round(rig.peers, speakers, None)
        rig.finish()


def test_an_observer_speaks_in_no_task(name: str) -> None:
    """The tasks themselves refuse, not only the dealer around them. (A mix of the clear dealer is no secret.)"""
    for which in range(10):
        rig, hand, deck = dealt(name)
        verb = list(verbs(hand, deck))[which]
        rig.begin(verb)
        if name == "clear" and isinstance(verb, Shuffle):
            continue
        with pytest.raises(LocalError):
            rig.peers[None]._batch.tasks[0].speak()


def test_nothing_is_opened_that_was_not_committed_to(name: str) -> None:
    """A program that comes back without its memory can't open a coin; it must not invent one."""
    rig, _, _ = dealt(name)
    rig.begin(Coin(6))
    task = rig.peers[0]._batch.tasks[0]
    with pytest.raises(LocalError):
        task.settle()
    task.close({0: bytes(64), 1: bytes(64)})
    with pytest.raises(LocalError):
        task.speak()


def test_a_set_up_without_memory() -> None:
    rig = Rig(SealedKind(), 2, decks={"hand": HAND[:2]})
    setup = rig.setups[0]
    for call in (setup._bound, lambda: setup._open_nonce(0), lambda: setup._open_keys(0)):
        with pytest.raises(LocalError):
            call()


def test_a_task_without_rounds() -> None:
    """Seal: nobody speaks, and if somebody did it would be our mistake."""
    rig, _, _ = dealt("sealed")
    rig.begin(Seal(ITEMS[:1], TABLE))
    task = rig.peers[0]._batch.tasks[0]
    assert isinstance(task, Task)
    for call in (task.speak, lambda: task.check(0, None), lambda: task.close({})):
        with pytest.raises(LocalError):
            call()


class Juggle(Verb, frozen=True):
    """A verb that no dealer knows."""


def test_unknown_verbs(name: str) -> None:
    """Refused when a batch begins; and if a verb were legal without a task, that too."""
    rig, _, _ = dealt(name)
    for call in (lambda: rig.begin(Juggle()), lambda: rig.peers[0]._task(Juggle(), 0, b"event")):
        with pytest.raises(LocalError) as refused:
            call()
        assert refused.value.code == "deal-misuse"


def test_slots_that_are_not_there() -> None:
    slots: SlotTable[str] = SlotTable()
    (slot,) = slots.add([Slot("hand", 0, "card")])
    slots.spend([slot])
    for call in (
        lambda: slots[slot],
        lambda: slots.spend([slot]),
        lambda: slots.replace(slot, Slot("hand", 0, "card")),
        lambda: slots.turn_up([HAND[0]]),
    ):
        with pytest.raises(LocalError):
            call()
    assert slots.next_id == 1


def test_a_nonce_is_never_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    values = iter([0, 0, 5])
    monkeypatch.setattr(transcript, "wide_scalar", lambda _: next(values))
    assert transcript.Nonces(secret=1, entropy=seeded("z"), state=b"").next() == 5


def test_two_cards_with_one_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take a collision of SHA-512; a deck must not begin that way."""
    monkeypatch.setattr(sealed_dealer, "card_point", lambda group, deck, card: group.base(2))
    with pytest.raises(LocalError):
        Rig(SealedKind(), 2, decks={"hand": HAND[:2]}).setup()


@pytest.mark.parametrize("forced", ["", "sodium"])
def test_a_library_that_does_not_load(monkeypatch: pytest.MonkeyPatch, forced: str) -> None:
    """In this process: the import fails, as with a temporary directory from which nothing may run."""
    true_import = builtins.__import__

    def refuse(module: str, *rest: Any) -> Any:
        if module == "frp2p.deal.group.sodium":
            raise OSError("failed to map segment from shared object")
        return true_import(module, *rest)

    monkeypatch.setenv("FRP2P_GROUP", forced)
    monkeypatch.setattr(builtins, "__import__", refuse)
    default_group.cache_clear()
    try:
        if forced:
            with pytest.raises(UserError, match="failed to map"):
                default_group()
        else:
            assert default_group().name == "pure"
    finally:
        default_group.cache_clear()


def test_the_unpacked_library_may_be_gone_already() -> None:
    """Another cleaner was faster; and removing twice is harmless."""
    _remove_copy()
    _remove_copy()


def test_a_stream_skips_words_above_the_last_multiple(monkeypatch: pytest.MonkeyPatch) -> None:
    class High:
        def __init__(self, _: bytes) -> None: ...

        def digest(self, length: int) -> bytes:
            return b"\xff" * 8 + (5).to_bytes(8, "big") + bytes(length - 16)

    monkeypatch.setattr(stream.hashlib, "shake_256", High)
    assert stream.Stream(b"seed").below(3) == 2


def test_outcomes_name_slots_in_the_order_asked(name: str) -> None:
    rig, hand, deck = dealt(name)
    turned = deck[::-1]
    assert rig.do(Peek(turned, 1)) == (Slots(turned),)
    assert rig.do(Draw(turned[:2], 1)) == (Slots(turned[:2]),)
    assert rig.do(Exclude(hand[::-1], HAND[2:4])) == (Slots(hand[::-1]),)


def test_the_house_of_secrets() -> None:
    """One file knows the system's generator; nothing is checked by `assert`, which -O removes; no weak randomness."""
    root = Path(deal.__file__).parent
    found = {"secrets": set[str](), "assert": set[str](), "random": set[str]()}
    for file in root.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
            names |= {str(node.module)} if isinstance(node, ast.ImportFrom) else set()
            for name in names & {"secrets", "random"}:
                found[name].add(file.name)
            if isinstance(node, ast.Assert):
                found["assert"].add(file.name)
    assert found == {"secrets": {"entropy.py"}, "assert": set(), "random": set()}
