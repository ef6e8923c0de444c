"""Sentences for what is wrong with the dealing of cards: who reads them knows cards, the check names the equation."""

from __future__ import annotations

from frp2p.locale import N_

_REVEALED = N_("A seat showed something else than it had committed itself to.")
_COMPLAINT = N_("A seat complained about its share of a key without reason.")
_OTHER = N_("A seat sent something else than what the dealing needs.")
_NOT_ASKED = N_("A seat spoke that was not asked.")
_UNLOCKED = N_("The proof that a card was unlocked honestly is wrong.")
_NUMBER = N_("A number in a key or a proof is not one that can be trusted.")
_OWNER = N_("A seat did not prove that its key is its own.")
_SAME = N_("The proof that cards stayed the same under a new lock is wrong.")
_SHUFFLED = N_("The proof that the cards were only shuffled is wrong.")
_OPENED = N_("A key that was given away is not the one that the game was played with.")

SENTENCES = {
    "clear-token": _OTHER,
    "coin-commitment": _REVEALED,
    "complaint-false": _COMPLAINT,
    "complaint-key": _COMPLAINT,
    "complaint-owner": _COMPLAINT,
    "deal-items": _OTHER,
    "deal-speaker": _NOT_ASKED,
    "deal-type": _OTHER,
    "dleq": _UNLOCKED,
    "dleq-batch": _UNLOCKED,
    "exclude": N_("The proof of which cards a hand does not hold is wrong."),
    "exclude-card": N_("A hand holds a card that it should not hold."),
    "item-type": _OTHER,
    "key-commitment": _REVEALED,
    "key-duplicate": N_("One key is used twice."),
    "list-length": _OTHER,
    "mask-identity": N_("A card that should be hidden lies open."),
    "mask-repeat": N_("Two hidden cards can be recognised as one."),
    "nonce-commitment": _REVEALED,
    "open-deck-key": _OPENED,
    "open-view-key": _OPENED,
    "point-encoding": _NUMBER,
    "point-identity": _NUMBER,
    "pop-deck": _OWNER,
    "pop-view": _OWNER,
    "relock": _SAME,
    "remask": _SAME,
    "scalar-range": _NUMBER,
    "share-wrong": N_("A share of a key is another one than was committed to."),
    "shuffle-chain": _SHUFFLED,
    "shuffle-mask-a": _SHUFFLED,
    "shuffle-mask-b": _SHUFFLED,
    "shuffle-product": _SHUFFLED,
    "shuffle-sum": _SHUFFLED,
    "shuffle-weights": _SHUFFLED,
    "venc": _UNLOCKED,
}
