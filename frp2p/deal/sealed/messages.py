"""What seats say to the sealed dealer: tagged arrays, each field bounded here and parsed by the checks."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from frp2p.deal.coin import Commit, Digest64, Open, Secret32
from frp2p.deal.elgamal import SIZE_ON_WIRE
from frp2p.deal.group import SIZE
from frp2p.deal.limits import MAX_LIVE, MAX_SEATS, MAX_VERBS
from frp2p.deal.parse import Bytes32
from frp2p.deal.proofs.exclude import ExclusionProof
from frp2p.deal.proofs.onefold import OnefoldProof
from frp2p.deal.proofs.shuffle import ShuffleProof
from frp2p.deal.proofs.twofold import TwofoldProof

Ciphertexts = Annotated[bytes, msgspec.Meta(min_length=SIZE_ON_WIRE, max_length=MAX_LIVE * SIZE_ON_WIRE)]
"""As many as are re-masked at most when a seat goes."""
KeyList = Annotated[bytes, msgspec.Meta(min_length=SIZE, max_length=MAX_SEATS * SIZE)]
EnvelopeList = Annotated[bytes, msgspec.Meta(min_length=2 * SIZE, max_length=MAX_SEATS * 2 * SIZE)]
Points = Annotated[bytes, msgspec.Meta(min_length=SIZE, max_length=MAX_LIVE * SIZE)]
"""As many as a seat that leaves has to open."""


class NonceCommit(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="nonce-commit"):
    """Set-up 1: the hash of my part of the game's id."""

    digest: Digest64


class NonceOpen(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="nonce-open"):
    """Set-up 2: my part of the game's id."""

    nonce: Secret32


class KeyCommit(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="key-commit"):
    """Set-up 3: the hash of my keys."""

    digest: Digest64


class KeyOpen(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="key-open"):
    """Set-up 4: my deck key H, my viewing key W, and that I know the secrets of both."""

    deck_key: Bytes32
    view_key: Bytes32
    deck_proof: OnefoldProof
    view_proof: OnefoldProof
    salt: Secret32


class EnvelopeKeys(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="envelope-keys"):
    """Sharing 1: one key for the envelope that I shall get from each other seat, seats ascending."""

    keys: KeyList


class KeyShares(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="key-shares"):
    """Sharing 2: commitments F_1.. to my polynomial, and an envelope with its share for each other seat."""

    commitments: KeyList
    envelopes: EnvelopeList


class NoComplaint(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="no-complaint"):
    """Sharing 3: all shares that I got are right."""


class Complaint(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="complaint"):
    """Sharing 3: the share of the key of `owner` is wrong; with this secret everybody can open its envelope to me."""

    owner: Annotated[int, msgspec.Meta(ge=0, lt=MAX_SEATS)]
    secret: Bytes32


SharingItem: TypeAlias = EnvelopeKeys | KeyShares | NoComplaint | Complaint
SetupMessage: TypeAlias = NonceCommit | NonceOpen | KeyCommit | KeyOpen | SharingItem


class Shuffled(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="shuffled"):
    """Shuffle of two cards or more: the ciphertexts in their new order, and the proof."""

    after: Ciphertexts
    proof: ShuffleProof


class Remasked(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="remasked"):
    """Shuffle of a single card, or my turn after somebody put cards back: the same cards in the same order."""

    after: Ciphertexts
    proof: OnefoldProof


class Relocked(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="relocked"):
    """My cards under another lock, in their order."""

    after: Ciphertexts
    proof: TwofoldProof


class Shown(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="shown"):
    """My decryption shares for a viewer, each encrypted as E1, E2 to its viewing key, with one proof for all."""

    shares: Ciphertexts
    proof: TwofoldProof


class Keys(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="keys"):
    """After the game: the secrets x and w of my deck key and my viewing key."""

    deck: Bytes32
    view: Bytes32


class Excluded(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="excluded"):
    """None of my slots holds any of the cards."""

    proof: ExclusionProof


class Shares(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="shares"):
    """My decryption shares x A for the slots that I am asked for, in their order, with one proof for all."""

    shares: Points
    proof: OnefoldProof


SealedItem: TypeAlias = Shuffled | Remasked | Relocked | Shares | Shown | Excluded | Commit | Open | SharingItem


class SealedContribution(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="sealed"):
    """One seat's items of one round, in the order of the verbs in which it speaks."""

    items: Annotated[tuple[SealedItem, ...], msgspec.Meta(min_length=1, max_length=MAX_VERBS)]
