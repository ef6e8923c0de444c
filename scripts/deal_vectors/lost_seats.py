"""Tables of which seats are lost: keys in shares, batches that are broken off, recovery, and giving up."""

from __future__ import annotations

from typing import Any

import msgspec

from deal_vectors.common import GROUP
from deal_vectors.table import DECKS, Row, Table
from frp2p.deal.group import IDENTITY, scalar_bytes
from frp2p.deal.sealed.messages import (
    Complaint,
    EnvelopeKeys,
    KeyShares,
    NoComplaint,
    SealedContribution,
    Shares,
)
from frp2p.games.verbs import TABLE, Coin, Draw, Drop, Leave, Peek, PutBack, Recover, Reveal, Seal, Shuffle

BAD_POINT = b"\xff" * 32
BAD_SCALAR = scalar_bytes(0)[:-1] + b"\xff"


def lost_seats() -> list[Row]:
    return [_recovered(), _given_up(), *(_liar(name) for name in ("share", "polynomial"))]


def _end(blob: bytes, last: bytes) -> bytes:
    return blob[: -len(last)] + last


def _four_rounds(name: str, seats: int = 4) -> Table:
    table = Table(name, seats, recovery=True)
    for _ in range(4):
        table.round()
    return table


def _recovered() -> Row:
    """Of five seats one is lost while it draws, then one leaves while another is shown a card, then one is lost."""
    table = _four_rounds("a-seat-is-recovered", 5)
    _share_keys(table)
    table.start()
    sealed, items = table.do(Seal(DECKS["hand"], TABLE), Seal(DECKS["items"], TABLE))
    deck, _ = table.do(Shuffle(sealed.slots, TABLE), Shuffle(items.slots, TABLE))
    deck = deck.slots
    table.do(Draw(deck[:1], 4), Draw(deck[1:2], 0), Peek(deck[2:3], 1))
    table.begin(Draw(deck[2:4], 4), Shuffle(deck[4:], TABLE), PutBack(deck[1:2], 0))
    table.round()
    table.round()
    table.abort()
    table.begin(Recover(4))
    _refuse_departure(table)
    table.end()
    table.begin(Peek(deck[2:4], 2), Coin(6))
    table.round()
    table.abort()
    table.begin(Recover(2))
    table.round()
    table.abort()
    table.do(Leave(2))
    table.do(Peek(deck[2:4], 1), Coin(6))
    table.begin(Recover(3))
    (item,) = table.machines[0].speak().items
    table.refuse("the shares of another seat", 1, SealedContribution((item,)), "dleq-batch")
    table.end()
    left = [at for at, slot in table.machines[None].slots.live().items() if slot.deck == "hand" and slot.lock == TABLE]
    (mixed,) = table.do(Shuffle(tuple(left), TABLE))
    table.do(Reveal((*mixed.slots, *deck[1:2])))
    return table.done()


def _share_keys(table: Table) -> None:
    """Rounds 5 to 7 of the set-up."""
    good = table.machines[1].speak()
    for name, keys, check in (
        ("an envelope key too few", good.keys[:-32], "list-length"),
        ("an envelope key that is no point", _end(good.keys, BAD_POINT), "point-encoding"),
        ("an envelope key that is nothing", _end(good.keys, IDENTITY), "point-identity"),
    ):
        table.refuse(name, 1, EnvelopeKeys(keys), check)
    table.refuse("a complaint too early", 1, NoComplaint(), "deal-type")
    table.round()
    good = table.machines[1].speak()
    f, envelopes = good.commitments, good.envelopes
    for name, said, check in (
        ("a commitment too few", KeyShares(f[:-32], envelopes), "list-length"),
        ("a commitment that is no point", KeyShares(_end(f, BAD_POINT), envelopes), "point-encoding"),
        ("an envelope too few", KeyShares(f, envelopes[:-64]), "list-length"),
        ("half an envelope", KeyShares(f, envelopes[:-32]), "list-length"),
        ("an envelope without a point", KeyShares(f, BAD_POINT + envelopes[32:]), "point-encoding"),
        ("an envelope without a scalar", KeyShares(f, _end(envelopes, BAD_SCALAR)), "scalar-range"),
    ):
        table.refuse(name, 1, said, check)
    table.round()
    secrets = table.machines[1]._sharing._secrets
    for name, owner, secret, check in (
        ("a complaint about a right share", 0, scalar_bytes(secrets[0]), "complaint-false"),
        ("a complaint with another secret", 0, scalar_bytes(secrets[2]), "complaint-key"),
        ("a complaint without a secret", 0, BAD_SCALAR, "scalar-range"),
        ("a complaint about oneself", 1, scalar_bytes(secrets[0]), "complaint-owner"),
        ("a complaint about nobody", 6, scalar_bytes(secrets[0]), "complaint-owner"),
    ):
        table.refuse(name, 1, Complaint(owner, secret), check)
    table.round()


def _refuse_departure(table: Table) -> None:
    """The first words of each phase; seat 4 is lost."""
    (item,) = table.machines[0].speak().items
    for name, after, check in (
        ("a touched slot left as it is", item.after[:-64], "list-length"),
        ("touched slots exchanged", item.after[64:] + item.after[:64], "remask"),
        ("a touched slot laid open", IDENTITY + item.after[32:], "mask-identity"),
    ):
        table.refuse(name, 0, SealedContribution((msgspec.structs.replace(item, after=after),)), check)
    table.refuse("a mask out of turn", 1, SealedContribution((item,)), "deal-speaker")
    for _ in range(4):
        table.round()
    said = table.machines[1].speak()
    (item,) = said.items
    for name, shares, check in (
        ("a recovery share too few", item.shares[:-32], "list-length"),
        ("a wrong recovery share", _end(item.shares, GROUP.base(1)), "dleq-batch"),
        ("recovery shares exchanged", item.shares[32:64] + item.shares[:32] + item.shares[64:], "dleq-batch"),
    ):
        table.refuse(name, 1, SealedContribution((Shares(shares, item.proof),)), check)
    table.refuse("the own shares of another", 2, said, "dleq-batch")
    table.refuse("a word of who is lost", 4, said, "deal-speaker")
    table.round()
    table.refuse("shares before keys", 1, said, "item-type")
    table.round()
    (good,) = table.machines[1].speak().items
    short = KeyShares(good.commitments, good.envelopes[:-64])
    table.refuse("a new envelope too few", 1, SealedContribution((short,)), "list-length")
    table.round()
    false = Complaint(4, scalar_bytes(1))
    table.refuse("a complaint about who is lost", 1, SealedContribution((false,)), "complaint-owner")


def _given_up() -> Row:
    """Two of four are lost and the table is given up; the others show what they have and deal themselves new cards."""
    table = Table("the-table-is-given-up", 4)
    for _ in range(4):
        table.round()
    table.start()
    (sealed,) = table.do(Seal(DECKS["hand"], TABLE))
    (deck,) = table.do(Shuffle(sealed.slots, TABLE))
    table.do(*(Draw(deck.slots[seat : seat + 1], seat) for seat in range(4)), Peek(deck.slots[4:5], 0))
    table.begin(Draw(deck.slots[4:5], 1))
    table.round()
    table.abort()
    table.do(Drop((1, 3)))
    (shown,) = table.do(Reveal(deck.slots[:1]))
    (sealed,) = table.do(Seal(shown.cards, TABLE))
    (mixed,) = table.do(Shuffle(sealed.slots, TABLE))
    table.do(Draw(mixed.slots, 2))
    table.do(Drop((0,)))
    table.do(Reveal((*mixed.slots, *deck.slots[2:3])))
    return table.done()


def _liar(wrong: str) -> Row:
    """Seat 2 gives seat 3 another share, or everybody shares of another polynomial than it committed to."""
    table = _four_rounds(f"a-wrong-{wrong}")
    table.round()

    def lie(seat: int, mine: Any) -> Any:
        if seat != 2:
            return mine
        part, last = ("envelopes", scalar_bytes(1)) if wrong == "share" else ("commitments", GROUP.base(1))
        return msgspec.structs.replace(mine, **{part: _end(getattr(mine, part), last)})

    table.round(lie)
    table.blame("share-wrong", 2)
    return {**table.row, "setup": table.said, "batches": [], "refused": table.refused}
