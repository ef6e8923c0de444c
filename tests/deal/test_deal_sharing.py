"""Keys in shares at a sealed table: the mathematics, the envelopes, and what a cheating seat may say."""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from deal_rig import HAND, Rig, wire
from hypothesis import given, settings
from hypothesis import strategies as st

from frp2p.deal import SealedKind
from frp2p.deal.group import IDENTITY, ORDER, Point, scalar_bytes
from frp2p.deal.sealed.envelope import Address, Envelope, seal, unseal
from frp2p.deal.sealed.messages import Complaint, EnvelopeKeys, KeyShares, NoComplaint, SealedContribution, Shares
from frp2p.deal.sealed.sharing import share, share_key, weights
from frp2p.errors import LocalError, PeerFault
from frp2p.games.verbs import TABLE, Draw, Recover, Reveal, Seal, Seat, Shuffle, Slots

KIND = SealedKind()
GROUP = KIND.group
CARDS = HAND[:5]
N = 4
SCALARS = st.integers(0, ORDER - 1)


# interpolation


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_t_shares_make_the_secret_and_fewer_do_not(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 7))
    polynomial = data.draw(st.lists(SCALARS, min_size=size, max_size=size))
    holders = data.draw(st.permutations(range(8)))[:size]
    shares = [share(polynomial, holder) for holder in holders]
    factors = weights(holders)
    assert sum(factor * one for factor, one in zip(factors, shares, strict=True)) % ORDER == polynomial[0]
    assert sum(factors) % ORDER == 1
    if size > 1 and polynomial[-1]:
        # The last of the interpolated polynomial's coefficients is missing: another secret fits fewer shares.
        fewer = sum(f * one for f, one in zip(weights(holders[1:]), shares[1:], strict=True)) % ORDER
        assert fewer != polynomial[0]


@settings(max_examples=20, deadline=None)
@given(polynomial=st.lists(SCALARS, min_size=1, max_size=6), holder=st.integers(0, 6))
def test_the_key_of_a_share_follows_from_the_commitments(polynomial: list[int], holder: Seat) -> None:
    commitments = [GROUP.base(factor) for factor in polynomial]
    assert share_key(GROUP, commitments, holder) == GROUP.base(share(polynomial, holder))


# envelopes


@settings(max_examples=20, deadline=None)
@given(content=SCALARS, secret=st.integers(1, ORDER - 2), nonce=st.integers(1, ORDER - 2))
def test_an_envelope_opens_for_its_address_alone(content: int, secret: int, nonce: int) -> None:
    address = Address(b"ctx", 1, 2, GROUP.base(secret))
    envelope = seal(GROUP, address, content, nonce)
    assert unseal(GROUP, address, envelope, secret) == content
    others = (
        Address(b"ctz", 1, 2, address.key),
        Address(b"ctx", 0, 2, address.key),
        Address(b"ctx", 1, 3, address.key),
        Address(b"ctx", 1, 2, GROUP.base(secret + 1)),
    )
    assert all(unseal(GROUP, other, envelope, secret) != content for other in others)
    assert unseal(GROUP, address, envelope, secret + 1) != content
    assert unseal(GROUP, address, Envelope(GROUP.base(nonce + 1), envelope.content), secret) != content


# the set-up with recovery


@functools.cache
def set_up_until(rounds: int) -> Rig:
    made = Rig(KIND, N, decks={"hand": CARDS}, recovery=True)
    for _ in range(rounds):
        made.one_round(made.setups, tuple(range(N)), None)
    return made


def before(rounds: int) -> Rig:
    """A table before its round `rounds` (4: envelope keys, 5: shares, 6: complaints)."""
    return copy.deepcopy(set_up_until(rounds))


def refused(made: Rig, seat: Seat, said: Any) -> str:
    """The same check at everybody, and nothing has changed: the honest word still passes."""
    found = set()
    for machine in made.setups.values():
        with pytest.raises(PeerFault) as caught:
            machine.check(seat, said)
        assert caught.value.seat == seat
        found.add(caught.value.check)
        machine.check(seat, made.setups[seat].speak())
    (check,) = found
    return check


def last_point(blob: bytes, point: bytes) -> bytes:
    return blob[:-32] + point


def test_envelope_keys_that_are_none() -> None:
    made = before(4)
    good = made.setups[1].speak()
    assert isinstance(good, EnvelopeKeys)
    for keys, check in (
        (good.keys[:-32], "list-length"),
        (good.keys + good.keys[:32], "list-length"),
        (last_point(good.keys, b"\xff" * 32), "point-encoding"),
        (last_point(good.keys, IDENTITY), "point-identity"),
    ):
        assert refused(made, 1, EnvelopeKeys(keys)) == check
    assert refused(made, 1, NoComplaint()) == "deal-type"


def test_shares_that_are_none() -> None:
    made = before(5)
    good = made.setups[1].speak()
    assert isinstance(good, KeyShares)
    (commitments, envelopes) = good.commitments, good.envelopes
    for said, check in (
        (KeyShares(commitments[:-32], envelopes), "list-length"),
        (KeyShares(commitments + commitments[:32], envelopes), "list-length"),
        (KeyShares(last_point(commitments, b"\xff" * 32), envelopes), "point-encoding"),
        (KeyShares(commitments, envelopes[:-64]), "list-length"),
        (KeyShares(commitments, envelopes[:-32]), "list-length"),
        (KeyShares(commitments, envelopes + envelopes[:64]), "list-length"),
        (KeyShares(commitments, b"\xff" * 32 + envelopes[32:]), "point-encoding"),
        (KeyShares(commitments, last_point(envelopes, scalar_bytes(0)[:-1] + b"\xff")), "scalar-range"),
    ):
        assert refused(made, 1, said) == check


def test_the_wrong_message_in_the_last_round() -> None:
    made = before(6)
    assert refused(made, 1, set_up_until(5).setups[1].speak()) == "deal-type"
    assert isinstance(made.setups[1].speak(), NoComplaint)


def test_a_false_complaint_is_refused_and_names_the_complainer() -> None:
    made = before(6)
    secrets = made.setups[1]._sharing._secrets
    right, other = scalar_bytes(secrets[0]), scalar_bytes(secrets[2])
    for said, check in (
        (Complaint(0, right), "complaint-false"),
        (Complaint(0, other), "complaint-key"),
        (Complaint(0, b"\xff" * 32), "scalar-range"),
        (Complaint(1, right), "complaint-owner"),
        (Complaint(N, right), "complaint-owner"),
    ):
        assert refused(made, 1, said) == check


def lying(made: Rig, change: Callable[[KeyShares], KeyShares], liar: Seat = 2) -> list[Any]:
    """Seat 2 deals other shares than it should; what everybody says about it in the next round."""
    everybody = tuple(range(N))
    made.one_round(made.setups, everybody, lambda seat, mine: change(mine) if seat == liar else mine)
    return [made.setups[seat].speak() for seat in everybody]


def other_content(said: KeyShares) -> KeyShares:
    return msgspec.structs.replace(said, envelopes=last_point(said.envelopes, scalar_bytes(1)))


def first_content(said: KeyShares) -> KeyShares:
    return msgspec.structs.replace(said, envelopes=said.envelopes[:32] + scalar_bytes(1) + said.envelopes[64:])


def other_mask(said: KeyShares) -> KeyShares:
    rest = said.envelopes
    return msgspec.structs.replace(said, envelopes=rest[:-64] + GROUP.base(5) + rest[-32:])


def other_receiver(said: KeyShares) -> KeyShares:
    return msgspec.structs.replace(said, envelopes=said.envelopes[:-64] + said.envelopes[:64])


def other_polynomial(said: KeyShares) -> KeyShares:
    return msgspec.structs.replace(said, commitments=last_point(said.commitments, GROUP.base(9)))


@pytest.mark.parametrize(
    ("change", "harmed"),
    [(other_content, (3,)), (other_mask, (3,)), (other_receiver, (3,)), (other_polynomial, (0, 1, 3))],
)
def test_a_wrong_share_is_shown_to_everybody(change: Callable[[KeyShares], KeyShares], harmed: tuple[Seat]) -> None:
    """Who got it complains; all agree, the observer too, that seat 2 is wrong. Then the round does not close."""
    made = before(5)
    words = lying(made, change)
    assert [isinstance(word, Complaint) for word in words] == [seat in harmed for seat in range(N)]
    said = {seat: wire(word, made.setups[seat].contribution_type) for seat, word in enumerate(words)}
    for machine in made.setups.values():
        for seat, word in said.items():
            machine.check(seat, word)
        with pytest.raises(PeerFault) as caught:
            machine.close(said)
        assert (caught.value.check, caught.value.seat) == ("share-wrong", 2)
        assert machine.speakers() == tuple(range(N))
        with pytest.raises(LocalError):
            machine.finish()


def test_of_two_that_are_wrong_everybody_names_the_same() -> None:
    made = before(5)
    everybody = tuple(range(N))
    changes = {0: other_content, 2: first_content}
    made.one_round(made.setups, everybody, lambda seat, mine: changes.get(seat, lambda same: same)(mine))
    said = {seat: made.setups[seat].speak() for seat in everybody}
    assert {word.owner for word in said.values() if isinstance(word, Complaint)} == {0, 2}
    for machine in made.setups.values():
        with pytest.raises(PeerFault) as caught:
            machine.close(said)
        assert (caught.value.check, caught.value.seat) == ("share-wrong", 0)


def test_a_complaint_opens_one_envelope_and_no_other() -> None:
    """Its secret fits nothing else that seat 3 got, nor what seat 2 gave to others."""
    made = before(5)
    complaint = lying(made, other_content)[3]
    secret = int.from_bytes(complaint.secret, "little")
    task = made.setups[None]._sharing
    for owner in range(N):
        for holder in range(N):
            if holder != owner and (owner, holder) != (2, 3):
                assert task._keys[holder][owner] != GROUP.base(secret)
                assert not task._right(owner, holder, secret)


def test_what_was_said_can_be_said_again() -> None:
    """The same seed gives the same words, so a seat that comes back does not contradict itself."""
    once, again = (Rig(KIND, N, decks={"hand": CARDS}, recovery=True) for _ in range(2))
    while speakers := once.setups[None].speakers():
        assert [once.setups[seat].speak() for seat in speakers] == [again.setups[seat].speak() for seat in speakers]
        for made in (once, again):
            made.one_round(made.setups, speakers, None)


# recovery shares


@functools.cache
def dealt_once() -> tuple[Rig, Slots]:
    rig = Rig(KIND, N, decks={"hand": CARDS}, recovery=True).setup()
    (sealed,) = rig.do(Seal(CARDS, TABLE))
    (deck,) = rig.do(Shuffle(sealed.slots, TABLE))
    return rig, deck


def dealt() -> tuple[Rig, Slots]:
    return copy.deepcopy(dealt_once())


def verdict(rig: Rig, seat: Seat, item: Any) -> str | None:
    """The check that fails at the observer; None if it accepts."""
    try:
        rig.peers[None].check(seat, wire(SealedContribution((item,)), SealedContribution))
    except PeerFault as fault:
        return fault.check if fault.seat == seat else "another seat"
    return None


def item_of(rig: Rig, seat: Seat) -> Any:
    (item,) = rig.peers[seat].speak().items
    return item


def by_secret(rig: Rig, seat: Seat, secret: int) -> Shares:
    """What the honest algorithm says of this secret in the place of the share."""
    peer = copy.deepcopy(rig.peers[seat])
    task = peer._batch.tasks[0]._phases[0]
    task._me = dataclasses.replace(task._me, secrets=dataclasses.replace(task._me.secrets, deck=secret))
    return task.speak()


def test_recovery_shares_that_are_not_true() -> None:
    rig, _ = dealt()
    rig.begin(Recover(3))
    good = item_of(rig, 1)
    first, second, rest = good.shares[:32], good.shares[32:64], good.shares[64:]
    shifted = GROUP.add(Point(first), GROUP.base(5)) + GROUP.sub(Point(second), GROUP.base(5)) + rest
    for shares, check in (
        (good.shares[:-32], "list-length"),
        (good.shares + first, "list-length"),
        (last_point(good.shares, b"\xff" * 32), "point-encoding"),
        (last_point(good.shares, GROUP.base(1)), "dleq-batch"),
        (second + first + rest, "dleq-batch"),
        (shifted, "dleq-batch"),
    ):
        assert verdict(rig, 1, Shares(shares, good.proof)) == check
    assert verdict(rig, 2, good) == "dleq-batch"
    assert verdict(rig, 1, NoComplaint()) == "item-type"
    peer = rig.peers[1]
    own, shared = peer._me.secrets.deck, peer._sharing.mine
    assert verdict(rig, 1, by_secret(rig, 1, own)) == "dleq-batch"
    assert verdict(rig, 1, by_secret(rig, 1, shared[2])) == "dleq-batch"
    assert by_secret(rig, 1, shared[3]).shares == good.shares
    assert verdict(rig, 1, good) is None


def test_a_share_of_the_old_polynomial_is_none_of_the_new_one() -> None:
    """After a recovery the keys are shared anew: what was held before, and said before, is worth nothing."""
    rig, _ = dealt()
    old = dict(rig.peers[1]._sharing.mine)
    other = copy.deepcopy(rig)
    other.begin(Recover(2))
    said = item_of(other, 1)
    rig.do(Recover(3))
    assert set(rig.peers[1]._sharing.mine) == {0, 2}
    rig.begin(Recover(2))
    assert verdict(rig, 1, by_secret(rig, 1, old[2])) == "dleq-batch"
    assert verdict(rig, 1, said) == "dleq-batch"
    assert verdict(rig, 1, item_of(rig, 1)) is None


def test_a_recovery_of_a_single_slot() -> None:
    """One share has the single proof."""
    rig = Rig(KIND, 3, decks={"hand": CARDS}, recovery=True).setup()
    rig.do(Seal(CARDS[:1], TABLE))
    rig.begin(Recover(2))
    good = item_of(rig, 0)
    assert verdict(rig, 0, Shares(GROUP.base(1), good.proof)) == "dleq"
    assert verdict(rig, 0, good) is None
    assert verdict(rig, 1, good) == "dleq"


def test_nothing_false_is_shared_anew() -> None:
    """The three rounds after a recovery have the checks of the set-up; a liar stops them, and nothing has changed."""
    rig, _ = dealt()
    rig.begin(Recover(3))
    rig.one_round(rig.peers, (0, 1, 2), None)
    assert verdict(rig, 1, NoComplaint()) == "item-type"
    assert verdict(rig, 1, EnvelopeKeys(item_of(rig, 1).keys[:32])) == "list-length"
    rig.one_round(rig.peers, (0, 1, 2), None)

    def twist(seat: Seat, mine: Any) -> Any:
        return SealedContribution((other_content(mine.items[0]),)) if seat == 0 else mine

    rig.one_round(rig.peers, (0, 1, 2), twist)
    said = {seat: rig.peers[seat].speak() for seat in (0, 1, 2)}
    assert said[2].items[0].owner == 0
    assert verdict(rig, 1, Complaint(3, bytes(32))) == "complaint-owner"
    for peer in rig.peers.values():
        with pytest.raises(PeerFault) as caught:
            peer.close(said)
        assert (caught.value.check, caught.value.seat) == ("share-wrong", 0)
        peer.abort()
        assert peer.present == (0, 1, 2, 3)
        assert peer.recoverable


def test_two_remasked_chains_are_checked() -> None:
    """The turns before the key comes off: a wrong card, a wrong number, somebody else's turn."""
    rig, deck = dealt()
    rig.begin(Draw(deck.slots[:2], 3))
    rig.one_round(rig.peers, (0, 1, 2), None)
    for peer in rig.peers.values():
        peer.abort()
    rig.begin(Recover(3))
    good = item_of(rig, 0)
    for after, check in (
        (good.after[:-64], "list-length"),
        (last_point(good.after, GROUP.base(1)), "remask"),
        (good.after[64:] + good.after[:64], "remask"),
        (good.after[:64] * 2, "mask-repeat"),
        (IDENTITY + good.after[32:], "mask-identity"),
    ):
        assert verdict(rig, 0, msgspec.structs.replace(good, after=after)) == check
    assert verdict(rig, 1, good) == "deal-speaker"
    rig.rounds(rig.peers)
    rig.finish()
    (cards,) = rig.do(Reveal(deck.slots))
    assert set(cards.cards) == set(CARDS)


def test_shares_are_not_shown() -> None:
    rig, _ = dealt()
    for value in rig.peers[0]._sharing.mine.values():
        assert str(value) not in repr(rig.peers[0]._sharing)
