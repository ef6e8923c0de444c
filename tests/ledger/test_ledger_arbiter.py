"""An arbiter in the ledger: named by the charter, counted by certificates, and never taken for a seat."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from ledger_kit import CLEAR, DEALERS, GAMES, TINY, TinyOptions, make_charter, signers

from frp2p.errors import LocalError, PeerFault
from frp2p.ledger.certificate import Place, open_certificate, open_farewell, place_of
from frp2p.ledger.charter import (
    ChartedSeat,
    Charter,
    charter_digest,
    check_charter,
    new_charter,
    params_digest,
    read_charter,
)
from frp2p.ledger.codec import encode
from frp2p.ledger.evidence import Contradiction, Verdict, judge, read_evidence, write_evidence
from frp2p.ledger.provisions import Clock, Provisions, provisions
from frp2p.ledger.records import AckBody, PartBody, sign_ack, sign_part
from frp2p.ledger.referee import Referee
from frp2p.ledger.signing import Signer
from frp2p.ledger.votes import (
    Accept,
    AcceptBody,
    FarewellBody,
    Keep,
    Out,
    PrepareBody,
    PromiseBody,
    bound,
    coordinator,
    open_vote,
    quorum,
    read_vote,
    sign_vote,
)

replace = msgspec.structs.replace

ZOE = Signer(sha256(b"arbiter").digest())
ARBITER = ChartedSeat(ZOE.public_key, "Zoe", bytes(32))


def charter_with_arbiter(seats: int) -> Charter:
    provided = provisions(seats, arbiter=True)
    return new_charter(TINY, TinyOptions(), "clear", make_charter(seats).seats, provided, ARBITER)


CHARTER = charter_with_arbiter(2)
ANA, BRUNO = signers(2)
EVERYBODY = (ANA, BRUNO, ZOE)


# -- the charter -------------------------------------------------------------------------------------------------------


def test_a_charter_that_names_an_arbiter() -> None:
    assert check_charter(CHARTER, GAMES) is TINY
    assert read_charter(encode(CHARTER)) == CHARTER
    assert CHARTER.keys == (ANA.public_key, BRUNO.public_key)
    assert CHARTER.voter_keys == (*CHARTER.keys, ZOE.public_key)
    assert CHARTER.arbiter_number == 2


def test_an_arbiter_is_part_of_what_is_signed_and_not_of_what_binds_the_cards() -> None:
    plain, other = make_charter(2), replace(CHARTER, arbiter=replace(ARBITER, nonce=b"\1" * 32))
    assert len({charter_digest(charter) for charter in (plain, CHARTER, other)}) == 3
    assert params_digest(CHARTER) == params_digest(other) != params_digest(plain)


REFUSED: dict[str, tuple[Charter, str, int | None]] = {
    "provided for, and nobody named": (replace(CHARTER, arbiter=None), "charter-arbiter", None),
    "named, and not provided for": (replace(CHARTER, provisions=provisions(2)), "charter-arbiter", None),
    "who is to decide nothing": (
        replace(CHARTER, provisions=Provisions(Clock(), False, "adjourn", arbiter=True)),
        "charter-provisions",
        None,
    ),
    "who has a seat": (replace(CHARTER, arbiter=replace(ARBITER, key=ANA.public_key)), "charter-keys", None),
    "called like a seat": (replace(CHARTER, arbiter=replace(ARBITER, name="ANA")), "charter-names", None),
    "with a hostile name": (replace(CHARTER, arbiter=replace(ARBITER, name="a\x1b[2J")), "name-character", 2),
    "with a key of small order": (
        replace(CHARTER, arbiter=replace(ARBITER, key=(1).to_bytes(32, "little"))),
        "key-small-order",
        2,
    ),
}


@pytest.mark.parametrize(("charter", "check", "seat"), REFUSED.values(), ids=REFUSED)
def test_arbiters_that_nobody_signs(charter: Charter, check: str, seat: int | None) -> None:
    with pytest.raises(PeerFault) as caught:
        check_charter(charter, GAMES)
    assert (caught.value.check, caught.value.seat) == (check, seat)


def test_our_own_charter_with_a_forgotten_arbiter_is_our_fault() -> None:
    with pytest.raises(LocalError):
        new_charter(TINY, TinyOptions(), "clear", make_charter(2).seats, provisions(2, arbiter=True))


def test_a_charter_without_the_field_is_none() -> None:
    data = encode(make_charter(2))
    with pytest.raises(PeerFault) as caught:
        read_charter(bytes([data[0] - 1]) + data[1:-1])
    assert caught.value.check == "encoding-type"


# -- certificates ------------------------------------------------------------------------------------------------------


def in_play(charter: Charter) -> Place:
    referee = Referee(charter, TINY, CLEAR)
    referee.stage = "play"
    return place_of(referee)


PLACE = in_play(CHARTER)
GONE = Out((1,), "last")


def accept(voter: int, signer: Signer | None = None, **changes: Any) -> Accept:
    body = AcceptBody(*PLACE[:3], voter, 1, GONE)
    made: Accept = sign_vote(signer or EVERYBODY[voter], replace(body, **changes))
    return made


def test_the_arbiter_is_an_elector_and_acks_nothing() -> None:
    assert (PLACE.seats, PLACE.electors) == ((0, 1), (0, 1, 2))
    assert quorum(PLACE.electors) == 2
    assert in_play(make_charter(2)).electors == (0, 1)
    assert in_play(charter_with_arbiter(6)).electors == tuple(range(7))
    before = place_of(Referee(CHARTER, TINY, CLEAR))
    assert (before.seats, before.electors) == ((0, 1), ())
    assert [coordinator(0, ballot, PLACE.electors) for ballot in (1, 2, 3)] == [1, 2, 0]


@pytest.mark.parametrize("voters", [(0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_any_two_of_two_seats_and_an_arbiter_decide(voters: tuple[int, ...]) -> None:
    assert open_certificate([accept(voter) for voter in voters], PLACE) == GONE


BAD: dict[str, tuple[str, Callable[[], list[Accept]]]] = {
    "a seat alone": ("vote-quorum", lambda: [accept(0)]),
    "the arbiter alone": ("vote-quorum", lambda: [accept(2)]),
    "signed by a seat": ("signature", lambda: [accept(0), accept(2, BRUNO)]),
    "signed by a stranger": ("signature", lambda: [accept(0), accept(2, Signer(bytes(32)))]),
    "the arbiter signs for a seat": ("signature", lambda: [accept(0, ZOE), accept(2)]),
    "the arbiter twice": ("vote-order", lambda: [accept(2), accept(2)]),
    "the arbiter first": ("vote-order", lambda: [accept(2), accept(0)]),
    "about something else": ("vote-split", lambda: [accept(0), accept(2, value=Keep(bytes(32), bytes(32)))]),
    "in another ballot": ("vote-split", lambda: [accept(0), accept(2, ballot=2)]),
    "of another ledger": ("vote-game", lambda: [accept(0), accept(2, game=bytes(32))]),
    "of another step": ("vote-step", lambda: [accept(0), accept(2, step=1)]),
    "of another history": ("vote-prev", lambda: [accept(0), accept(2, prev=bytes(32))]),
    "a number too high": ("seat-range", lambda: [accept(0), accept(3, ZOE)]),
}


@pytest.mark.parametrize(("check", "accepts"), BAD.values(), ids=BAD)
def test_a_certificate_with_one_thing_wrong(check: str, accepts: Callable[[], list[Accept]]) -> None:
    with pytest.raises(PeerFault) as caught:
        open_certificate(accepts(), PLACE)
    assert caught.value.check == check


def test_nobody_is_an_arbiter_at_a_table_without_one() -> None:
    place = in_play(make_charter(3))
    for voter, check in ((2, "signature"), (3, "seat-range")):
        with pytest.raises(PeerFault) as caught:
            open_certificate([sign_vote(ZOE, AcceptBody(*place[:3], voter, 1, Out((1,), "stop")))], place)
        assert caught.value.check == check


def test_the_number_of_an_arbiter_of_seven_fits_and_no_higher_one() -> None:
    body = AcceptBody(bytes(32), 0, bytes(32), 7, 1, GONE)
    assert read_vote(sign_vote(ZOE, body)) == body
    with pytest.raises(PeerFault):
        read_vote(sign_vote(ZOE, replace(body, seat=8)))
    with pytest.raises(PeerFault):
        read_vote(sign_vote(ZOE, PrepareBody(bytes(32), 0, bytes(32), 0, 1, (7,))))  # and nobody can accuse it


def test_an_arbiter_makes_no_part_no_ack_and_no_farewell() -> None:
    referee = Referee(CHARTER, TINY, CLEAR)
    digest = charter_digest(CHARTER)
    part, ack = PartBody(digest, 0, digest, 2, "charter", b"\x90"), AckBody(digest, 0, 2, bytes(32), bytes(32), 0)
    records = [sign_part(ZOE, part), sign_part(ZOE, replace(part, payload=b"\x91\x01"))]
    acks = [sign_ack(ZOE, ack), sign_ack(ZOE, replace(ack, elapsed_ms=1))]
    for first, second in (records, acks):
        with pytest.raises(PeerFault) as caught:
            judge(Contradiction(CHARTER, first, second), GAMES, DEALERS)
        assert caught.value.check == "seat-range"
    farewell = sign_vote(ZOE, FarewellBody(digest, 2))
    with pytest.raises(PeerFault) as caught:
        open_farewell(farewell, referee)
    assert caught.value.check == "seat-range"
    assert open_vote(farewell, CHARTER.voter_keys).seat == 2  # it is well signed; that is not what is wrong


# -- what promises bind to ---------------------------------------------------------------------------------------------


def promise(voter: int, **changes: Any) -> PromiseBody:
    return replace(PromiseBody(*PLACE[:3], voter, 2, None, None, ()), **changes)


KEEP = Keep(b"\1" * 32, b"\2" * 32)


def test_that_an_arbiter_has_acked_nothing_frees_nobody() -> None:
    """The seat may have acked as the last one, and then the step is final somewhere."""
    assert bound((promise(0, acked=KEEP), promise(2)), PLACE.seats) == KEEP
    assert bound((promise(0), promise(2)), PLACE.seats) is None
    assert bound((promise(0), promise(1, acked=KEEP), promise(2)), PLACE.seats) is None


def test_what_an_arbiter_says_to_have_acked_binds_nobody() -> None:
    assert bound((promise(0), promise(2, acked=KEEP)), PLACE.seats) is None
    other = Keep(b"\3" * 32, b"\4" * 32)
    assert bound((promise(0, acked=KEEP), promise(2, acked=other)), PLACE.seats) == KEEP


# -- evidence ----------------------------------------------------------------------------------------------------------


def test_two_votes_of_an_arbiter_convict_it() -> None:
    for first, second, check in (
        (accept(2), accept(2, value=KEEP), "two-votes"),
        (sign_vote(ZOE, promise(2)), sign_vote(ZOE, promise(2, accused=(1,))), "two-votes"),
        (accept(2), sign_vote(ZOE, promise(2)), "vote-or-promise"),
    ):
        proof = write_evidence(Contradiction(CHARTER, first, second))
        verdict = judge(read_evidence(proof), GAMES, DEALERS)
        assert verdict == Verdict(PLACE.game, 0, 2, "Zoe", ZOE.public_key, check)


def test_a_seat_cannot_be_held_to_what_an_arbiter_said() -> None:
    for first, second, check in (
        (accept(1), accept(2, value=KEEP), "evidence-slot"),
        (accept(2), accept(2, BRUNO, value=KEEP), "signature"),
        (accept(2), accept(2), "evidence-same"),
    ):
        with pytest.raises(PeerFault) as caught:
            judge(Contradiction(CHARTER, first, second), GAMES, DEALERS)
        assert caught.value.check == check
