"""Attacks on nonces, masks, permutations and coins."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from attack_kit import (
    CARDS,
    GROUP,
    HELD,
    KEY,
    MASKED,
    SCOPE,
    SHARES,
    A,
    X,
    body,
    card_at,
    refusal,
    secret,
    shuffled_deck,
    table,
)
from deal_rig import HAND, Rig, seeded

from frp2p.cards import CardId
from frp2p.deal.coin import Commit, Open, commitment
from frp2p.deal.elgamal import Ciphertext, remask, trivial, write
from frp2p.deal.entropy import fresh, permutation
from frp2p.deal.fields import hash_fields
from frp2p.deal.group import ORDER, scalar
from frp2p.deal.proofs import dleq
from frp2p.deal.proofs.shuffle import Prover
from frp2p.deal.scope import Scope
from frp2p.deal.sealed import shuffle_task
from frp2p.deal.sealed.masks import mask_state
from frp2p.deal.sealed.messages import SealedContribution, Shuffled
from frp2p.deal.stream import Stream
from frp2p.deal.transcript import hedged
from frp2p.errors import LocalError
from frp2p.games.verbs import TABLE, Coin, Draw, Reveal, Seal, Shuffle, SlotId

# 23 predictable generators


@pytest.mark.pitfall(23)
def test_a_shuffle_by_the_time_of_day() -> None:
    """A permutation from a seed of seconds is found by trying an hour; the product's follows from no seed."""
    started = 1_700_000_123
    cards = list(range(40))
    random.Random(started).shuffle(cards)

    def guess(wanted: list[int]) -> int | None:
        for moment in range(1_700_000_000, 1_700_000_400):
            tried = list(range(40))
            random.Random(moment).shuffle(tried)
            if tried == wanted:
                return moment
        return None

    assert guess(cards) == started
    state = random.getstate()
    first = permutation(fresh, 40)
    random.setstate(state)
    assert guess(first) is None
    assert permutation(fresh, 40) != first


def orders(rig: Rig, hand: tuple[SlotId, ...], steps: Sequence[bytes]) -> list[list[CardId]]:
    """What seat 0 makes of its hand at each request, with a generator that starts anew each time."""
    made = []
    for step in steps:
        peer = copy.deepcopy(rig.peers[0])
        peer._me = replace(peer._me, entropy=broken)
        peer.begin((Shuffle(hand, 0),), step)
        peer.close({0: peer.speak()})
        (mixed,) = peer.finish()
        made.append([peer.known()[slot] for slot in mixed.slots])
    return made


@pytest.mark.pitfall(23, 24)
def test_a_generator_that_repeats_repeats_no_permutation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A restored snapshot, a broken generator: whoever knows one order knows no other. Bare bytes give the same one."""
    rig = table()
    (hand,) = rig.do(Draw(shuffled_deck(rig)[:10], 0))
    first, again, other = orders(rig, hand.slots, (b"a" * 32, b"a" * 32, b"b" * 32))
    assert first == again
    assert first != other
    monkeypatch.setattr(shuffle_task, "hedged", lambda *, secret, entropy, state: entropy)
    first, _, other = orders(rig, hand.slots, (b"a" * 32, b"a" * 32, b"b" * 32))
    assert first == other


@pytest.mark.pitfall(23, 24)
def test_what_a_permutation_and_masks_follow_from() -> None:
    """Another secret, other bytes, another request, other cards: each alone gives another stream."""

    def stream(secret: int = X, fill: bytes = b"e", scope: Scope = SCOPE, cards: Sequence[Ciphertext] = HELD) -> bytes:
        draw = hedged(secret=secret, entropy=lambda size: fill * size, state=mask_state(scope, cards))
        return draw(32) + draw(32)

    made = [stream(), stream(X + 1), stream(fill=b"f"), stream(scope=ELSEWHERE), stream(cards=MASKED)]
    assert len(set(made)) == len(made)
    assert stream() == stream()
    assert stream()[:32] != stream()[32:]


# 24 nonces


def solve(first: Any, second: Any) -> int:
    """The secret behind two proofs with one nonce: x = (s - s') / (c - c')."""
    c, s, c2, s2 = (scalar(data) for proof in (first, second) for data in (proof.c, proof.s))
    return (s - s2) * pow(c - c2, -1, ORDER) % ORDER


def broken(_length: int) -> bytes:
    """A generator that gives zeros."""
    return bytes(_length)


ELSEWHERE = Scope(GROUP, b"ctx", b"another event")


@pytest.mark.pitfall(24)
@pytest.mark.parametrize("entropy", [lambda: broken, lambda: seeded("snapshot")], ids=["zeros", "restored snapshot"])
def test_one_nonce_for_two_challenges(entropy: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator that repeats itself: nonces that are nothing but its bytes give the key away, hedged ones do not."""

    def two() -> tuple[Any, Any]:
        return (
            dleq.prove(SCOPE, KEY, A[0], SHARES[0], X, entropy()),
            dleq.prove(ELSEWHERE, KEY, A[0], SHARES[0], X, entropy()),
        )

    assert solve(*two()) != X

    class Bare:
        def __init__(self, *, entropy: Any, **_: Any) -> None:
            self.next = lambda: int.from_bytes(entropy(32), "little") % ORDER or 1

    monkeypatch.setattr(dleq, "Nonces", Bare)
    assert solve(*two()) == X


@pytest.mark.pitfall(24, 38)
def test_asked_twice_it_answers_the_same() -> None:
    """A second answer with another nonce would be half of the attack above: the first one is kept."""
    rig = table()
    deck = shuffled_deck(rig)
    rig.begin(Draw(deck[:2], 0))
    assert rig.peers[1].speak() is rig.peers[1].speak()


@pytest.mark.pitfall(24)
def test_a_broken_generator_at_the_table() -> None:
    """A seat whose generator gives zeros in two requests: its key stays its own."""
    rig = table()
    deck = shuffled_deck(rig)
    object.__setattr__(rig.peers[1]._me, "entropy", broken)
    proofs = []
    for slot in deck[:2]:
        rig.begin(Draw((slot,), 0))
        proofs.append(rig.peers[1].speak().items[0].proof)
        rig.rounds(rig.peers)
        rig.finish()
    assert solve(*proofs) != secret(rig, 1)


# 25 one mask for two cards


@pytest.mark.pitfall(25)
def test_one_reveal_opens_two_cards() -> None:
    """Equal masks make equal shares: once one of two cards is shown, everybody takes its share for the other."""
    rig = table()
    (sealed,) = rig.do(Seal(HAND[:3], TABLE))
    rig.begin(Shuffle(sealed.slots, TABLE))
    task, masks = rig.peers[0]._batch.tasks[0], [5, 5, 6]
    after = [remask(GROUP, task._key, value, mask) for value, mask in zip(task._now, masks, strict=True)]
    whole = sum(secret(rig, seat) for seat in range(3)) % ORDER
    published = GROUP.mul(after[0].a, whole)
    assert card_at(rig, GROUP.sub(after[1].b, published)) == HAND[1]
    proof = Prover(task._statement(task._scope(0), after), [0, 1, 2], masks).prove(1, seeded("n"))
    said = SealedContribution((Shuffled(write(after), proof),))
    assert refusal(rig.peers[1].check, 0, said) == "mask-repeat"


@pytest.mark.pitfall(25)
def test_the_difference_of_two_cards() -> None:
    """Equal masks also show the difference of the cards, which a list of differences names."""
    pairs = {GROUP.sub(a, b): (one, two) for one, a in enumerate(CARDS) for two, b in enumerate(CARDS) if one != two}
    same = [remask(GROUP, KEY, trivial(GROUP, card, KEY), 4711) for card in CARDS[2:4]]
    assert pairs[GROUP.sub(same[0].b, same[1].b)] == (2, 3)
    rig = table()
    slots = shuffled_deck(rig)
    points = rig.peers[None]._points
    known = {GROUP.sub(points[a], points[b]) for a in HAND[:8] for b in HAND[:8] if a != b}
    bodies = [body(rig, slot) for slot in slots]
    assert not any(GROUP.sub(a.b, b.b) in known for a in bodies for b in bodies if a is not b)


# 26 coins


def naive_coin(secrets: list[bytes], sides: int) -> int:
    return Stream(hash_fields("coin", ("secrets", secrets))).below(sides)


@pytest.mark.pitfall(26)
def test_the_last_mover_chooses_the_coin() -> None:
    """Who speaks last without a commitment gets the number that it wants; with one it can say one thing only."""
    others, wanted = [b"a" * 32, b"b" * 32], 5
    steered = next(mine for k in range(1000) if naive_coin([*others, mine := k.to_bytes(32, "big")], 6) == wanted)
    assert naive_coin([*others, steered], 6) == wanted
    rig = table()
    rig.begin(Coin(6))
    rig.one_round(rig.peers, (0, 1, 2), None)
    context, event = (getattr(rig.peers[2]._batch.tasks[0], name) for name in ("_context", "_event"))
    secrets = [rig.peers[seat].speak().items[0].secret for seat in (0, 1)]
    for k in range(1000):
        mine = k.to_bytes(32, "big")
        seed = hash_fields("coin", ("ctx", context), ("event", event), ("secrets", [*secrets, mine]))
        if Stream(seed).below(6) == wanted:
            break
    assert refusal(rig.peers[0].check, 2, SealedContribution((Open(mine),))) == "coin-commitment"


@pytest.mark.pitfall(26, 14)
def test_a_copied_commitment_opens_nothing() -> None:
    """Seat 2 commits to what seat 1 committed to, and repeats its opening: were it accepted, two parts would cancel."""
    rig = table()
    rig.begin(Coin(6))
    copied = rig.peers[1].speak()
    assert isinstance(copied.items[0], Commit)
    rig.one_round(rig.peers, (0, 1, 2), lambda seat, mine: copied if seat == 2 else mine)
    assert refusal(rig.peers[0].check, 2, rig.peers[1].speak()) == "coin-commitment"
    assert commitment(b"c", b"e", 1, b"s") != commitment(b"c", b"e", 2, b"s")


@pytest.mark.pitfall(26)
def test_a_refused_opening_is_no_new_toss() -> None:
    """The others have opened and the last one keeps silent: the coin stays in the air, nothing else begins."""
    rig = table()
    rig.begin(Coin(6))
    rig.one_round(rig.peers, (0, 1, 2), None)
    peer = rig.peers[0]
    said = {seat: rig.peers[seat].speak() for seat in (0, 1)}
    with pytest.raises(LocalError):
        peer.close(said)
    with pytest.raises(LocalError):
        peer.finish()
    for again in (Coin(6), Seal(HAND[:1], TABLE)):
        with pytest.raises(LocalError):
            peer.begin((again,), b"another step")
    assert peer.speakers() == (0, 1, 2)


@pytest.mark.pitfall(26)
def test_a_refused_share_is_no_new_draw() -> None:
    """The same with a card: whoever withholds its share stops the game, the card stays the same."""
    rig = table()
    deck = shuffled_deck(rig)
    rig.begin(Reveal(deck[:1]))
    with pytest.raises(LocalError):
        rig.peers[0].close({0: rig.peers[0].speak()})
    with pytest.raises(LocalError):
        rig.peers[0].begin((Reveal(deck[1:2]),), b"another step")
