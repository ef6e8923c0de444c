"""The types of the vector files: their JSON Schemas are generated from here, and tests decode the files strictly."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec

Hex = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$")]
Point = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes: a point or a scalar."""

Pair = tuple[Point, Point]
Deck = tuple[str, list[str]]


class Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Nothing but the listed fields."""

    id: str


class HashToGroup(Strict, tag_field="kind", tag="hash-to-group"):
    text: str
    point: Point


class PointEncoding(Strict, tag_field="kind", tag="point"):
    hex: Hex
    valid: bool


class ScalarEncoding(Strict, tag_field="kind", tag="scalar"):
    hex: Hex
    valid: bool


class Field(Strict, tag_field="kind", tag="field"):
    label: str
    data: Hex
    hex: Hex


class Fields(Strict, tag_field="kind", tag="fields"):
    label: str
    data: list[Hex]
    hex: Hex


class Hashed(Strict, tag_field="kind", tag="H"):
    name: str
    label: str
    data: Hex
    hex: Hex


class Event(Strict, tag_field="kind", tag="event"):
    step: Hex
    verb: int
    sender: int
    deck: str
    slots: list[int]
    hex: Hex


class Params(Strict, tag_field="kind", tag="params"):
    charter: Hex
    options: Hex
    seats: int
    decks: list[Deck]
    hex: Hex


class Context(Strict, tag_field="kind", tag="ctx"):
    game: Hex
    params: Hex
    roster: Hex
    epoch: int
    hex: Hex


class Stream(Strict, tag_field="kind", tag="stream"):
    seed: Hex
    sides: int
    values: list[int]


class Envelope(Strict, tag_field="kind", tag="envelope"):
    """Of section 3.1: `secret` e, `nonce` r, `content` m; `hex` is R and c."""

    ctx: Hex
    sender: int
    receiver: int
    secret: Point
    nonce: Point
    content: Point
    hex: Hex


class ShareKey(Strict, tag_field="kind", tag="share-key"):
    """P of this holder."""

    commitments: list[Point]
    holder: int
    point: Point


class Interpolation(Strict, tag_field="kind", tag="interpolation"):
    """lambda of each of these holders."""

    holders: list[int]
    values: list[Point]


class Transcript(Strict, tag_field="kind", tag="transcript"):
    what: str
    challenge: Point
    vector: list[Point]
    weights: list[Point]


class Statement(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Which of these a proof has depends on its type (page 06, section 8)."""

    key: Point
    seat: int | None = None
    identity: Point | None = None
    role: Literal["deck", "view"] | None = None
    viewer: Point | None = None
    to: Point | None = None
    a: Point | list[Point] | None = None
    d: Point | list[Point] | None = None
    e1: list[Point] | Point | None = None
    e2: list[Point] | Point | None = None
    before: list[Pair] | None = None
    after: list[Pair] | None = None
    slots: list[Pair] | None = None
    cards: list[Point] | None = None


class Proof(Strict):
    type: Literal["pop", "dleq", "dleq-batch", "remask", "venc", "relock", "exclude", "shuffle"]
    ctx: Hex
    event: Hex
    statement: Statement
    proof: list[Hex]
    check: str | None


class Secrets(msgspec.Struct, forbid_unknown_fields=True):
    deck: Point
    view: Point


class Batch(msgspec.Struct, forbid_unknown_fields=True):
    """If `aborted`, it was dropped after these rounds: no outcomes, and the digest and hands are those after it."""

    event: Hex
    verbs: list[list[Any]]
    rounds: list[dict[str, Hex]]
    outcomes: list[list[Any]]
    digest: Point
    known: list[dict[str, str]]
    aborted: bool = False


class Refusal(Strict):
    batch: int | None
    round: int
    seat: int
    contribution: Hex
    check: str


class Blamed(msgspec.Struct, forbid_unknown_fields=True):
    """The last round of a set-up: each of its contributions passes, all together are refused."""

    round: dict[str, Hex]
    check: str
    seat: int


class Opened(Strict):
    """Keys that a seat gives away after the game, and the check that they fail, if any."""

    seat: int
    keys: Hex
    check: str | None


class Game(Strict):
    charter: Hex
    options: Hex
    identities: list[Point]
    decks: list[Deck]
    setup: list[dict[str, Hex]]
    batches: list[Batch]
    refused: list[Refusal]
    ctx: Hex | None = None
    joint: Point | None = None
    secrets: list[Secrets] | None = None
    recovery: bool = False
    blamed: Blamed | None = None
    opened: list[Opened] | None = None


class Primitives(msgspec.Struct, forbid_unknown_fields=True):
    version: Literal[1]
    generator: str
    count: int
    tests: list[
        HashToGroup
        | PointEncoding
        | ScalarEncoding
        | Field
        | Fields
        | Hashed
        | Event
        | Params
        | Context
        | Stream
        | Envelope
        | ShareKey
        | Interpolation
        | Transcript
    ]


class Proofs(msgspec.Struct, forbid_unknown_fields=True):
    version: Literal[1]
    generator: str
    count: int
    tests: list[Proof]


class Games(msgspec.Struct, forbid_unknown_fields=True):
    version: Literal[1]
    generator: str
    count: int
    tests: list[Game]


FILES: dict[str, Any] = {"deal-primitives": Primitives, "deal-proofs": Proofs, "deal-games": Games}


def schema(name: str) -> str:
    """The text of the schema of this vector file."""
    made = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        **msgspec.json.schema(FILES[name]),
    }
    return json.dumps(made, indent=1) + "\n"
