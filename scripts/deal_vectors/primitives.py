"""Hashes, points and numbers from which all else is made."""

from __future__ import annotations

from typing import Any

from deal_vectors.common import GROUP
from frp2p.cards import CardId
from frp2p.deal.context import context, event, params_hash
from frp2p.deal.decks import Decks
from frp2p.deal.fields import field, fields, hash_fields
from frp2p.deal.generators import Generators, card_point
from frp2p.deal.group import ORDER, NotCanonical, scalar, scalar_bytes
from frp2p.deal.sealed.envelope import Address, seal, write
from frp2p.deal.sealed.sharing import share_key, weights
from frp2p.deal.stream import Stream
from frp2p.deal.transcript import Transcript
from frp2p.games.verbs import TABLE, SlotId


def tests() -> list[dict[str, Any]]:
    return [*_points(), *_encodings(), *_hashes(), *_streams(), *_sharing(), _transcript()]


def _points() -> list[dict[str, Any]]:
    generators = Generators(GROUP)
    made = {"frp2p/v1/gen/h": generators.h}
    made |= {f"frp2p/v1/gen/{at}": generators.first(78)[at - 1] for at in (1, 2, 53, 78)}
    for deck, card in (("hand", "FR01"), ("hand", "FR53"), ("items", "FR01")):
        made[f"frp2p/v1/card/{deck}/{card}"] = card_point(GROUP, deck, CardId(card))
    return [
        {"id": f"hash-to-group {text}", "kind": "hash-to-group", "text": text, "point": point.hex()}
        for text, point in made.items()
    ]


def _encodings() -> list[dict[str, Any]]:
    """Points and scalars that a reader must refuse; the identity passes as a point."""
    rows: list[dict[str, Any]] = []
    for name, data in {
        "identity": bytes(32),
        "base": GROUP.base(1),
        "negative": b"\1" + bytes(31),
        "not reduced": (2**255 - 19).to_bytes(32, "little"),
        "top bit": bytes(31) + b"\x80",
        "all ones": b"\xff" * 32,
        "short": bytes(31),
        "long": bytes(33),
    }.items():
        rows.append({"id": f"point {name}", "kind": "point", "hex": data.hex(), "valid": _valid(GROUP.point, data)})
    for name, value in {
        "zero": 0,
        "last": ORDER - 1,
        "order": ORDER,
        "order and one": ORDER + 1,
        "top": 1 << 255,
    }.items():
        data = value.to_bytes(32, "little")
        rows.append({"id": f"scalar {name}", "kind": "scalar", "hex": data.hex(), "valid": _valid(scalar, data)})
    return rows


def _valid(read: Any, data: bytes) -> bool:
    try:
        read(data)
    except NotCanonical:
        return False
    return True


def _hashes() -> list[dict[str, Any]]:
    decks = Decks({"hand": (CardId("FR01"), CardId("FR02")), "items": (CardId("CI01"),)})
    params = params_hash(charter=b"c" * 32, params=b"o" * 32, seats=3, decks=decks)
    bound = event(step=b"s" * 32, verb=2, sender=1, deck="hand", slots=(SlotId(5), SlotId(300)))
    coin = event(step=b"s" * 32, verb=0, sender=TABLE, deck="", slots=())
    step, listed = b"s" * 32, [[name, list(cards)] for name, cards in decks.cards.items()]
    share = {"step": step.hex(), "verb": 2, "sender": 1, "deck": "hand", "slots": [5, 300]}
    toss = {"step": step.hex(), "verb": 0, "sender": 255, "deck": "", "slots": []}
    agreed = {"charter": (b"c" * 32).hex(), "options": (b"o" * 32).hex(), "seats": 3, "decks": listed}
    scope = {"game": (b"g" * 32).hex(), "params": params.hex(), "roster": "", "epoch": 0}
    ctx = context(game_id=b"g" * 32, params=params, roster=b"", epoch=0)
    rows: list[tuple[str, str, dict[str, Any], bytes]] = [
        ("field", "field", {"label": "ab", "data": b"xyz".hex()}, field("ab", b"xyz")),
        ("fields", "fields", {"label": "a", "data": ["78", ""]}, fields("a", [b"x", b""])),
        ("H", "H", {"name": "t", "label": "a", "data": "78"}, hash_fields("t", ("a", b"x"))),
        ("event of a share", "event", share, bound),
        ("event of a coin", "event", toss, coin),
        ("params", "params", agreed, params),
        ("ctx", "ctx", scope, ctx),
    ]
    return [{"id": name, "kind": kind, **given, "hex": made.hex()} for name, kind, given, made in rows]


def _streams() -> list[dict[str, Any]]:
    rows = []
    for sides in (1, 2, 6, 53, 1 << 32):
        stream = Stream(b"seed")
        values = [stream.below(sides) for _ in range(4)]
        rows.append(
            {"id": f"stream {sides}", "kind": "stream", "seed": b"seed".hex(), "sides": sides, "values": values}
        )
    return rows


def _sharing() -> list[dict[str, Any]]:
    """What section 3.1 is made of."""

    def number(value: int) -> str:
        return scalar_bytes(value).hex()

    ctx, secret, nonce, content = b"c" * 64, 11, 12, ORDER - 13
    address = Address(ctx, 1, 4, GROUP.base(secret))
    envelope = write([seal(GROUP, address, content, nonce)])
    given = {"secret": number(secret), "nonce": number(nonce), "content": number(content)}
    rows: list[dict[str, Any]] = [
        {"id": "envelope", "kind": "envelope", "ctx": ctx.hex(), "sender": 1, "receiver": 4, **given}
        | {"hex": envelope.hex()}
    ]
    polynomial = [GROUP.base(factor) for factor in (21, 22, ORDER - 23)]
    for holder in (0, 3, 6):
        point = share_key(GROUP, polynomial, holder)
        listed = [point.hex() for point in polynomial]
        rows.append(
            {"id": f"share key {holder}", "kind": "share-key", "commitments": listed, "holder": holder}
            | {"point": point.hex()}
        )
    for holders in ((0, 1), (0, 2, 3), (1, 2, 3, 4, 5, 6)):
        values = [number(value) for value in weights(holders)]
        rows.append(
            {"id": f"interpolation {holders}", "kind": "interpolation", "holders": list(holders), "values": values}
        )
    return rows


def _transcript() -> dict[str, Any]:
    transcript = Transcript("test", ctx=b"c", event=b"e")
    transcript.absorb("m", b"1")
    transcript.absorb_list("l", [b"2", b"3"])
    challenge = transcript.challenge()
    vector, weights = transcript.challenges(2), transcript.weights(2)
    return {
        "id": "transcript",
        "kind": "transcript",
        "what": 'type test, ctx 0x63, event 0x65, field("m", 0x31), fields("l", [0x32, 0x33]); '
        "one challenge, a vector of 2, weights of 2; as little-endian scalars",
        "challenge": challenge.to_bytes(32, "little").hex(),
        "vector": [value.to_bytes(32, "little").hex() for value in vector],
        "weights": [value.to_bytes(32, "little").hex() for value in weights],
    }
