"""Attacks on the state of cards: nothing that is proved here is wrong, the order of right messages is."""

from __future__ import annotations

import msgspec
import pytest
from attack_kit import (
    CARDS,
    GROUP,
    HELD,
    KEY,
    KIND,
    SCOPE,
    SMALL,
    X,
    body,
    card_at,
    refusal,
    secret,
    shuffled_deck,
    spy,
    table,
)
from deal_rig import HAND, ITEMS, Rig, seeded

from frp2p.deal.elgamal import Ciphertext, remask, write
from frp2p.deal.group import IDENTITY, ORDER, Point
from frp2p.deal.proofs import exclude, relock
from frp2p.deal.proofs import remask as remask_proof
from frp2p.deal.sealed.messages import Relocked, Remasked, SealedContribution
from frp2p.errors import LocalError, PeerFault
from frp2p.games import verbs
from frp2p.games.verbs import TABLE, Draw, Exclude, Give, Peek, PutBack, Reveal, Seal, Seat, Shuffle


def share(rig: Rig, seat: Seat, a: Point) -> Point:
    """x A of this seat: what it publishes when it is asked for it."""
    return GROUP.mul(a, secret(rig, seat))


def unlocked(rig: Rig, value: Ciphertext, shares: list[Point]) -> str | None:
    """The card under these shares, if they are all that was missing."""
    rest = value.b
    for one in shares:
        rest = GROUP.sub(rest, one)
    return card_at(rig, rest)


# 27 shares used again after a card went back

DRAWER, RETURNER, COLLUDER = 2, 0, 1


@pytest.mark.pitfall(27)
def test_shares_of_a_returned_card_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 0 drew a card: the share of seat 2 for it is public. Seat 1 knows its own mask on the returned card.

    If only seat 1 had re-masked the old ciphertext, it could compute seat 2's new share and read what seat 2 draws.
    """
    rig = table()
    deck = shuffled_deck(rig)
    old = body(rig, deck[0])
    rig.do(Draw(deck[:1], RETURNER))
    truth = rig.known(RETURNER)[deck[0]]
    public = {seat: share(rig, seat, old.a) for seat in (COLLUDER, DRAWER)}

    joint, mask = rig.peers[None].locks.joint, 987654321
    weak = remask(GROUP, joint, old, mask)
    stolen = GROUP.add(public[DRAWER], GROUP.mul(rig.peers[None].locks[DRAWER], mask))
    assert stolen == share(rig, DRAWER, weak.a)
    others = [share(rig, seat, weak.a) for seat in (RETURNER, COLLUDER)]
    assert unlocked(rig, weak, [*others, stolen]) == truth

    kept = spy(monkeypatch, "frp2p.deal.sealed.remask_task")
    (back,) = rig.do(PutBack(deck[:1], RETURNER))
    now = body(rig, back.slots[0])
    by_seat = dict(zip((RETURNER, COLLUDER, DRAWER), (row[0] for row in kept), strict=True))
    rig.do(Draw(back.slots, DRAWER))
    others = [share(rig, seat, now.a) for seat in (RETURNER, COLLUDER)]
    for known in ((COLLUDER,), (RETURNER,), (RETURNER, COLLUDER)):
        total = sum(by_seat[seat] for seat in known)
        for start in (public[DRAWER], IDENTITY):
            guess = GROUP.add(start, GROUP.mul(rig.peers[None].locks[DRAWER], total))
            assert guess != share(rig, DRAWER, now.a)
            assert unlocked(rig, now, [*others, guess]) is None
    # The computation is the right one: only the mask of the drawing seat itself is missing.
    total = sum(by_seat.values())
    whole = GROUP.mul(rig.peers[None].locks[DRAWER], total % ORDER)
    assert unlocked(rig, now, [*others, whole]) == rig.known(DRAWER)[back.slots[0]] == truth


@pytest.mark.pitfall(27)
def test_a_returned_card_skips_no_seat() -> None:
    """Every seat re-masks before the slot lives: not one may be left out, and nobody may speak twice."""
    rig = table()
    deck = shuffled_deck(rig)
    rig.do(Draw(deck[:1], 1))
    rig.begin(PutBack(deck[:1], 1))
    order = []
    while speakers := rig.peers[None].speakers():
        order.append(speakers)
        rig.one_round(rig.peers, speakers, None)
    assert order == [(1,), (0,), (2,)]


@pytest.mark.pitfall(27)
def test_a_card_returned_under_the_own_lock() -> None:
    """The holder only re-masks where it has to re-encrypt: the proof is right, and nobody could ever read the card."""
    rig = table()
    deck = shuffled_deck(rig)
    rig.do(Draw(deck[:1], 0))
    rig.begin(PutBack(deck[:1], 0))
    value, joint, scope = body(rig, deck[0]), rig.peers[0].locks.joint, rig.peers[0]._batch.tasks[0]._scope(0)
    after = [remask(GROUP, joint, value, 5)]
    whole = [share(rig, seat, after[0].a) for seat in range(3)]
    assert unlocked(rig, after[0], whole) is None
    proof = remask_proof.prove(scope, joint, [value], after, [5], seeded("n"))
    remask_proof.verify(scope, joint, [value], after, proof)
    assert refusal(rig.peers[1].check, 0, SealedContribution((Remasked(write(after), proof),))) == "item-type"


# 28 a second reader


@pytest.mark.pitfall(28)
def test_a_card_in_a_hand_is_drawn_by_another() -> None:
    """Two draws of one ciphertext: together they publish every share, so everybody reads it. No dealer begins it."""
    rig = table()
    deck = shuffled_deck(rig)
    value = body(rig, deck[0])
    rig.do(Draw(deck[:1], 0))
    first = {seat: share(rig, seat, value.a) for seat in (1, 2)}
    second = {seat: share(rig, seat, value.a) for seat in (0, 1)}
    assert unlocked(rig, value, list({**first, **second}.values())) == rig.known(0)[deck[0]]
    for peer in rig.peers.values():
        for verb in (Draw(deck[:1], 2), Draw(deck[:1], 0), Shuffle(deck[:2], TABLE), Give(deck[:1], 2, 1)):
            with pytest.raises(LocalError):
                peer.begin((verb,), b"e")
    slot = rig.peers[0].slots[deck[0]]
    with pytest.raises(LocalError):
        slot.drawn(1, slot.body, (0, 2))


@pytest.mark.pitfall(28)
def test_a_look_and_then_a_draw_publish_too_little() -> None:
    """Seat 0 looks, seat 1 draws. All that is public, and the keys of the third seat, do not open the card."""
    rig = table()
    deck = shuffled_deck(rig)
    value = body(rig, deck[0])
    rig.begin(Peek(deck[:1], 0))
    said = {seat: rig.peers[seat].speak().items[0] for seat in rig.peers[None].speakers()}
    rig.rounds(rig.peers)
    rig.finish()
    rig.do(Draw(deck[:1], 1))
    truth = rig.known(1)[deck[0]]
    public = [share(rig, 0, value.a), share(rig, 2, value.a)]
    view = rig.peers[0]._me.secrets.view
    (envelope,) = [Ciphertext(Point(said[1].shares[:32]), Point(said[1].shares[32:]))]
    for guess in (envelope.b, GROUP.sub(envelope.b, share(rig, 2, envelope.a)), IDENTITY):
        assert unlocked(rig, value, [*public, guess]) is None
    opened = GROUP.sub(envelope.b, GROUP.mul(envelope.a, view))
    assert unlocked(rig, value, [*public, opened]) == truth == rig.known(0)[deck[0]]


# 29 decryption oracles


@pytest.mark.pitfall(29)
def test_no_request_carries_a_point() -> None:
    """Verbs name slots, cards, seats and numbers: a program that computes a share finds the point in its own state."""
    found = [name for name in verbs.__dict__.values() if isinstance(name, type) and issubclass(name, verbs.Verb)]
    assert len(found) == 13
    for verb in found:
        for field in msgspec.structs.fields(verb):
            assert "bytes" not in str(field.type)


@pytest.mark.pitfall(29)
def test_an_envelope_passed_off_as_a_card() -> None:
    """Seat 0 wants the look of seat 2 opened. It moves its own card so that A is the E1 of the envelope: were viewing
    key and deck key one, seat 2 would open the envelope with its next share.
    """
    rig = table()
    deck = shuffled_deck(rig)
    rig.do(Draw(deck[:1], 0))
    rig.begin(Peek(deck[1:2], 2))
    envelope = Ciphertext(*(Point(rig.peers[1].speak().items[0].shares[at : at + 32]) for at in (0, 32)))
    rig.rounds(rig.peers)
    rig.finish()
    target = body(rig, deck[1])
    view = rig.peers[2]._me.secrets.view
    leaked = GROUP.sub(envelope.b, GROUP.mul(envelope.a, view))
    assert leaked == share(rig, 1, target.a)
    # With separate keys the oracle would say nothing, and it is not even asked:
    assert GROUP.sub(envelope.b, share(rig, 2, envelope.a)) != leaked
    rig.begin(Give(deck[:1], 0, 2))
    task = rig.peers[0]._batch.tasks[0]
    after = [Ciphertext(envelope.a, GROUP.base(3))]
    proof = relock.prove(task._statement(task._scope(0), after), secret(rig, 0), [7], seeded("n"))
    said = SealedContribution((Relocked(write(after), proof),))
    assert refusal(rig.peers[2].check, 0, said) == "relock"


# 30 positions


@pytest.mark.pitfall(30)
def test_a_returned_card_is_followed_until_all_shuffle() -> None:
    """Whoever put it back knows where it lies, and the state says so; a shuffle by all ends that for everybody."""
    rig = table()
    deck = shuffled_deck(rig)
    rig.do(Draw(deck[:1], 0))
    card = rig.known(0)[deck[0]]
    (back,) = rig.do(PutBack(deck[:1], 0))
    assert rig.known(0) == {back.slots[0]: card}
    assert rig.peers[None].slots[back.slots[0]].viewers == {0}
    (mixed,) = rig.do(Shuffle((*deck[1:], *back.slots), TABLE))
    assert rig.known(0) == {}
    assert all(rig.peers[None].slots[slot].viewers == frozenset() for slot in mixed.slots)


# 31 what a refusal or a proof says by its shape


@pytest.mark.pitfall(31)
def test_exclusions_of_different_hands_look_alike() -> None:
    """Same number of slots and cards, same size, no point in common, whatever the hands hold."""
    proofs = []
    for hand in (HAND[:3], HAND[3:6]):
        rig = table()
        (held,) = rig.do(Seal(hand, 0))
        rig.begin(Exclude(held.slots, HAND[6:8]))
        proofs.append(rig.peers[0].speak().items[0].proof)
    first, second = (msgspec.msgpack.encode(proof) for proof in proofs)
    assert len(first) == len(second)
    rows = [proof.blind + proof.cards + proof.slots for proof in proofs]
    points = [row[at : at + 32] for row in rows for at in range(0, len(row), 32)]
    assert len(set(points)) == len(points) == 12


@pytest.mark.pitfall(31)
def test_two_exclusions_of_one_card_are_not_linked() -> None:
    """With a blind that others know the point would name the card that is held: the control tries all cards."""
    statement = exclude.Statement(SCOPE, KEY, HELD[:1], CARDS[3:4])
    known = 77
    naive = exclude.blind(statement, known, known * X % ORDER).slots[0]
    assert {GROUP.mul(card, known): at for at, card in enumerate(CARDS)}[naive] == 0
    blinded = {exclude.prove(statement, X, seeded(seed)).slots for seed in "ab"}
    assert len(blinded) == 2
    assert not blinded & {*CARDS, *(GROUP.mul(card, known) for card in CARDS)}


@pytest.mark.pitfall(31)
def test_a_false_exclusion_says_nothing_to_the_table() -> None:
    """The program refuses by itself; it neither sends an attempt nor tells which card it was."""
    rig = table()
    (held,) = rig.do(Seal(HAND[:3], 0))
    rig.begin(Exclude(held.slots, HAND[2:5]))
    with pytest.raises(LocalError) as refused:
        rig.peers[0].speak()
    assert not any(card in refused.value.message for card in HAND)


# 32, 33 the deck at the beginning


@pytest.mark.pitfall(32)
def test_nobody_sends_the_deck() -> None:
    """All compute it; a seat that wants to say something in a seal is refused, whatever it says."""
    rig = table()
    rig.begin(Seal(HAND[:3], TABLE))
    assert rig.peers[None].speakers() == ()
    with pytest.raises(PeerFault) as refused:
        rig.peers[None].check(0, SealedContribution((Relocked(bytes(64), None),)))  # type: ignore[arg-type]
    assert refused.value.check == "deal-speaker"
    (sealed,) = rig.finish()
    points, joint = rig.peers[None]._points, rig.peers[None].locks.joint
    assert [GROUP.sub(body(rig, slot).b, joint) for slot in sealed.slots] == [points[card] for card in HAND[:3]]


@pytest.mark.pitfall(33)
@pytest.mark.parametrize(
    "other",
    [{"hand": HAND[:7], "items": ITEMS}, {"hand": (*HAND[:7], HAND[9]), "items": ITEMS}, {"hand": HAND[7::-1]}],
    ids=["one less", "another card", "another order"],
)
def test_a_seat_with_another_deck(other: dict[str, tuple[str, ...]]) -> None:
    """It signed another list of cards: nothing that it says from the first opening on fits."""
    here, there = Rig(KIND, 3, decks=SMALL), Rig(KIND, 3, decks=other)  # type: ignore[arg-type]
    foreign = there.setups[1]
    here.one_round(here.setups, (0, 1, 2), lambda seat, mine: foreign.speak() if seat == 1 else mine)
    there.one_round(there.setups, (0, 1, 2), None)
    assert refusal(here.setups[0].check, 1, foreign.speak()) == "nonce-commitment"


# 34 lazy shufflers and coalitions


@pytest.mark.pitfall(34, 37)
def test_one_honest_shuffler_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats 0 and 2 leave the order as it is and keep their masks. They follow the cards up to seat 1, no further."""
    kept = spy(monkeypatch, "frp2p.deal.sealed.shuffle_task")
    monkeypatch.setattr("frp2p.deal.sealed.shuffle_task.permutation", lambda entropy, size: list(range(size)))
    rig = table()
    (sealed,) = rig.do(Seal(HAND[:8], TABLE))
    before = [body(rig, slot) for slot in sealed.slots]
    (mixed,) = rig.do(Shuffle(sealed.slots, TABLE))
    after = [body(rig, slot) for slot in mixed.slots]
    joint = rig.peers[None].locks.joint
    first, honest, last = kept
    for masks, found in (((first, honest, last), 8), ((first, last), 0)):
        totals = [sum(rows) % ORDER for rows in zip(*masks, strict=True)]
        moved = {remask(GROUP, joint, value, k) for value in before for k in totals}
        assert len(moved & set(after)) == found


@pytest.mark.pitfall(34)
def test_no_seat_is_left_out_of_a_cascade() -> None:
    rig = table()
    (deck,) = rig.do(Seal(HAND[:3], TABLE))
    for _ in range(4):
        rig.begin(Shuffle(deck.slots, TABLE))
        spoke = []
        while speakers := rig.peers[None].speakers():
            spoke += speakers
            rig.one_round(rig.peers, speakers, None)
        (deck,) = rig.finish()
        assert sorted(spoke) == [0, 1, 2]


@pytest.mark.pitfall(37)
@pytest.mark.parametrize("seats", [2, 3, 7])
def test_all_others_together_do_not_read_a_hand(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They pool their keys and every mask that they ever used; what they miss is in the last seat's key."""
    kept = spy(monkeypatch, "frp2p.deal.sealed.shuffle_task")
    rig = table(seats)
    deck = shuffled_deck(rig, 4)
    owner = seats - 1
    value = body(rig, deck[0])
    rig.do(Draw(deck[:1], owner))
    truth = rig.known(owner)[deck[0]]
    pooled = [share(rig, seat, value.a) for seat in range(seats - 1)]
    key = rig.peers[None].locks[owner]
    guesses = [IDENTITY, key, *(GROUP.mul(key, sum(row[at] for row in kept[:-1]) % ORDER) for at in range(4))]
    assert {unlocked(rig, value, [*pooled, guess]) for guess in guesses} == {None}
    assert unlocked(rig, value, [*pooled, share(rig, owner, value.a)]) == truth


@pytest.mark.pitfall(29)
def test_viewing_keys_make_no_shares() -> None:
    """Nothing that a seat publishes in a draw or reveal is made with its viewing key."""
    rig = table()
    deck = shuffled_deck(rig)
    rig.begin(Reveal(deck[:1]))
    for seat in range(3):
        (item,) = rig.peers[seat].speak().items
        secrets = rig.peers[seat]._me.secrets
        assert secrets.view != secrets.deck
        assert item.shares == GROUP.mul(body(rig, deck[0]).a, secrets.deck)
