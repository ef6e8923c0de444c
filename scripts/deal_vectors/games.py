"""Whole tables as a silent third party sees them, with contributions that must be refused on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from deal_vectors.common import GROUP, seeded
from deal_vectors.lost_seats import lost_seats
from deal_vectors.table import DECKS, Row, Table
from frp2p.deal.elgamal import remask, write
from frp2p.deal.group import ORDER, Point
from frp2p.deal.proofs import dleq, pop
from frp2p.deal.proofs.onefold import OnefoldProof
from frp2p.deal.proofs.shuffle import Prover, Statement
from frp2p.deal.scope import Scope
from frp2p.deal.sealed.messages import Excluded, KeyCommit, KeyOpen, NonceOpen, Remasked, SealedContribution, Shuffled
from frp2p.deal.sealed.setup import key_commitment
from frp2p.games.verbs import (
    TABLE,
    Coin,
    Draw,
    Exclude,
    Give,
    Leave,
    Peek,
    PutBack,
    Reveal,
    Seal,
    Shuffle,
)


def tests() -> list[Row]:
    return [_game(), _leave(), *lost_seats(), *_setups()]


def _game() -> Row:
    """Every verb, and what must be refused at each."""
    table = Table("all-verbs")
    table.round()
    table.refuse("another nonce", 1, NonceOpen(bytes(32)), "nonce-commitment")
    table.refuse("a nonce out of turn", 3, NonceOpen(bytes(32)), "deal-speaker")
    table.round()
    table.refuse("the wrong message", 1, NonceOpen(bytes(32)), "deal-type")
    table.round()
    honest = table.machines[1].speak()
    table.refuse("another salt", 1, msgspec.structs.replace(honest, salt=bytes(32)), "key-commitment")
    table.round()
    table.start()
    (sealed,) = table.do(Seal(DECKS["hand"], TABLE))
    table.begin(Shuffle(sealed.slots, TABLE))
    _refuse_shuffles(table)
    (deck,) = table.end()
    deck = deck.slots
    table.begin(Draw(deck[:2], 0), Draw(deck[2:4], 1))
    _refuse_shares(table)
    hands = table.end()
    table.begin(Coin(6))
    table.round()
    (toss,) = table.machines[2].speak().items
    table.refuse("another coin", 2, SealedContribution((type(toss)(bytes(32)),)), "coin-commitment")
    table.end()
    table.do(Shuffle(hands[0].slots, 0), Peek(deck[4:6], 2))
    _moving(table, hands[1].slots, deck)
    _side_by_side(table)
    _open_keys(table)
    return table.done()


def _open_keys(table: Table) -> None:
    """The end of a table that agreed to an open audit."""
    for seat in range(3):
        table.open(f"the keys of seat {seat}", seat, table.machines[seat].keys())
    keys, other = table.machines[1].keys(), table.machines[2].keys()
    top = (int.from_bytes(keys.view, "little") + ORDER).to_bytes(32, "little")
    for name, wrong, check in (
        ("another deck key", msgspec.structs.replace(keys, deck=other.deck), "open-deck-key"),
        ("another viewing key", msgspec.structs.replace(keys, view=other.view), "open-view-key"),
        ("the two keys exchanged", msgspec.structs.replace(keys, deck=keys.view, view=keys.deck), "open-deck-key"),
        ("a viewing key in a second form", msgspec.structs.replace(keys, view=top), "scalar-range"),
        ("something else than keys", NonceOpen(bytes(32)), "deal-type"),
    ):
        table.open(name, 1, wrong, check)


def _leave() -> Row:
    """One of three goes; an answer of the epoch before, and one of who has gone, are refused."""
    table = Table("a-seat-leaves")
    for _ in range(4):
        table.round()
    table.start()
    sealed, items = table.do(Seal(DECKS["hand"], TABLE), Seal(DECKS["items"], TABLE))
    deck, _ = table.do(Shuffle(sealed.slots, TABLE), Shuffle(items.slots, TABLE))
    hand, _, _ = table.do(Draw(deck.slots[:2], 1), Draw(deck.slots[2:4], 2), Peek(deck.slots[4:5], 1))
    table.do(Reveal(hand.slots[:1]), PutBack(hand.slots[1:], 1))
    table.begin(Leave(1))
    (item,) = table.machines[1].speak().items
    for name, shares, check in (
        ("a key left on one card", item.shares[:-32], "list-length"),
        ("a key taken off wrongly", item.shares[:-32] + GROUP.base(1), "dleq-batch"),
        ("two shares exchanged", item.shares[32:64] + item.shares[:32] + item.shares[64:], "dleq-batch"),
    ):
        wrong = msgspec.structs.replace(item, shares=shares)
        table.refuse(name, 1, SealedContribution((wrong,)), check)
    table.refuse("a share for who leaves", 0, SealedContribution((item,)), "deal-speaker")
    past = table.machines[2].ctx
    table.end()
    table.begin(Draw(deck.slots[5:6], 0), Coin(6))
    _refuse_the_past(table, past)
    table.end()
    left = [at for at, slot in table.machines[None].slots.live().items() if slot.lock == TABLE and slot.deck == "hand"]
    (mixed,) = table.do(Shuffle(tuple(left), TABLE))
    (given,) = table.do(Give(deck.slots[5:6], 0, 2))
    (back,) = table.do(PutBack(given.slots, 2))
    table.do(Peek(mixed.slots, 0))
    table.do(Reveal(mixed.slots), Reveal(back.slots))
    return table.done()


def _refuse_the_past(table: Table, past: bytes) -> None:
    """The share that is right now, with a proof for the ctx in which seat 1 still sat here."""
    peer = table.machines[2]
    share, coin = peer.speak().items
    scope = peer._batch.tasks[0]._scope(2, peer._batch.tasks[0]._asked[2])
    a = peer._batch.tasks[0]._masks(2)[0]
    old = Scope(GROUP, past, scope.event)
    proof = dleq.prove(old, peer.locks[2], a, Point(share.shares), peer._me.secrets.deck, seeded("past"))
    wrong = msgspec.structs.replace(share, proof=proof)
    table.refuse("a proof of the epoch before", 2, SealedContribution((wrong, coin)), "dleq")
    table.refuse("a word of who has left", 1, SealedContribution((share, coin)), "deal-speaker")


def _side_by_side(table: Table) -> None:
    """Two shuffles in one batch; the cheater takes one mask for a card of each."""
    first, second = table.do(Seal(DECKS["items"], 2), Seal(DECKS["hand"][:2], 2))
    table.begin(Shuffle(first.slots, 2), Shuffle(second.slots, 2))
    tasks = table.machines[2]._batch.tasks
    items = tuple(_masked(task, masks) for task, masks in zip(tasks, ([5, 6], [6, 7]), strict=True))
    table.refuse("one mask in two verbs", 2, SealedContribution(items), "mask-repeat")
    table.end()


def _masked(task: Any, masks: list[int], seat: int = 2) -> Shuffled:
    """The cards in their order under these masks, with the right proof of that."""
    after = [remask(GROUP, task._key, value, mask % ORDER) for value, mask in zip(task._now, masks, strict=True)]
    statement = Statement(task._scope(seat), task._generators, task._key, task._now, after)
    prover = Prover(statement, range(len(masks)), [mask % ORDER for mask in masks])
    return Shuffled(write(after), prover.prove(7, seeded("masks")))


def _moving(table: Table, hand: tuple[Any, ...], deck: tuple[Any, ...]) -> None:
    (mixed,) = table.do(Shuffle(deck[4:6], 2))
    table.begin(Peek(mixed.slots, 0))
    _flip(table, 1, "a false encrypted share", "shares", "venc")
    table.end()
    table.begin(Give(hand[:1], 1, 2))
    _flip(table, 1, "a false gift", "after", "relock")
    (given,) = table.end()
    table.begin(PutBack(hand[1:], 1))
    table.round()
    _flip(table, 0, "a false re-mask", "after", "remask")
    (back,) = table.end()
    table.do(Shuffle(back.slots, TABLE))
    other = tuple(card for card in DECKS["hand"] if card != table.machines[2].known()[given.slots[0]])
    table.begin(Exclude(given.slots, other[:3]))
    said = table.machines[2].speak()
    nothing = msgspec.structs.replace(said.items[0].proof, blind=bytes(32), cards=bytes(32 * 3), slots=bytes(32))
    table.refuse("blind zero", 2, SealedContribution((Excluded(nothing),)), "exclude-card")
    table.end()
    live = [at for at, slot in table.machines[None].slots.live().items() if slot.lock in (0, TABLE)]
    table.do(Reveal(given.slots), Reveal(tuple(live)), Coin(1 << 32))


def _flip(table: Table, seat: int, name: str, part: str, check: str) -> None:
    """Two points of the item exchanged, or the last one replaced by the base point."""
    (item,) = table.machines[seat].speak().items
    row = getattr(item, part)
    wrong = msgspec.structs.replace(item, **{part: row[:-32] + GROUP.base(1)})
    table.refuse(name, seat, SealedContribution((wrong,)), check)


def _refuse_shuffles(table: Table) -> None:
    """The first shuffle of fresh cards, all of which still have the mask 1."""
    task = table.machines[0]._batch.tasks[0]

    def masked(masks: list[int]) -> SealedContribution:
        return SealedContribution((_masked(task, masks, 0),))

    masks = list(range(5, 5 + len(task._now)))
    table.refuse("a card laid open", 0, masked([-1, *masks[1:]]), "mask-identity")
    table.refuse("two cards under one mask", 0, masked([masks[1], *masks[1:]]), "mask-repeat")
    table.refuse("a card left as it was", 0, masked([0, *masks[1:]]), "mask-repeat")
    said = table.machines[0].speak()
    (item,) = said.items
    rows = {
        "a lost card": (msgspec.structs.replace(item, after=item.after[:-64]), "list-length"),
        "no point": (msgspec.structs.replace(item, after=item.after[:-32] + b"\xff" * 32), "point-encoding"),
        "exchanged halves": (
            msgspec.structs.replace(item, after=item.after[:-64] + item.after[-32:] + item.after[-64:-32]),
            "shuffle-sum",
        ),
    }
    for name, (wrong, check) in rows.items():
        table.refuse(name, 0, SealedContribution((wrong,)), check)
    other = Remasked(item.after, OnefoldProof(bytes(32), bytes(32)))
    table.refuse("a re-mask for a shuffle", 0, SealedContribution((other,)), "item-type")
    table.refuse("two items for one verb", 0, SealedContribution((item, item)), "deal-items")
    table.refuse("a shuffle out of turn", 1, said, "deal-speaker")


def _refuse_shares(table: Table) -> None:
    said = table.machines[2].speak()
    first, second = said.items
    cut = msgspec.structs.replace(first, shares=first.shares[:-32])
    false = msgspec.structs.replace(first, shares=first.shares[:-32] + GROUP.base(1))
    for name, items, check in (
        ("a missing share", (cut, second), "list-length"),
        ("a false share", (false, second), "dleq-batch"),
        ("shares of the other verb", (second, first), "dleq-batch"),
    ):
        table.refuse(name, 2, SealedContribution(items), check)
    table.refuse("another seat's shares", 1, SealedContribution((first,)), "dleq-batch")


def _setups() -> list[Row]:
    """Keys that must not be accepted: one table each, up to the opening that is refused."""
    cases: Mapping[str, tuple[int, int, str, str]] = {
        "identity deck key": (0, 6, "", "point-identity"),
        "identity viewing key": (5, 0, "", "point-identity"),
        "one key for both roles": (5, 5, "", "key-duplicate"),
        "deck key without its secret": (5, 6, "deck_key", "pop-deck"),
        "viewing key without its secret": (5, 6, "view_key", "pop-view"),
    }
    rows = []
    for name, (deck, view, foreign, check) in cases.items():
        table = Table(name)
        table.round()
        table.round()
        scope = table.machines[1]._bound()
        identity, draw = table.identities[1], seeded(name)
        keys = GROUP.base(deck), GROUP.base(view)
        opened = KeyOpen(
            *keys,
            pop.prove(scope, 1, identity, "deck", keys[0], deck, draw),
            pop.prove(scope, 1, identity, "view", keys[1], view, draw),
            draw(32),
        )
        if foreign:
            opened = msgspec.structs.replace(opened, **{foreign: GROUP.base(9)})
        commit = KeyCommit(key_commitment(scope.ctx, 1, opened))
        table.round(lambda seat, mine, commit=commit: commit if seat == 1 else mine)  # type: ignore[misc]
        table.refuse(name, 1, opened, check)
        rows.append({**table.row, "setup": table.said, "batches": [], "refused": table.refused})
    return rows
