"""The forty-three pitfalls of programs that deal cards by cryptography, and what answers each one here.

A pitfall is answered by tests (those of this folder are found by their marker `pitfall`, those named in `tests` by
their place), by a construct of the program that leaves no room for it, or by a line that says that it is out of scope.
scripts/make_threat_table.py writes docs/threat-model.md from this list and checks all that it names.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pitfall:
    """`attack` and `answer` are for people; `constructs` dotted names; `limit` says what stays open."""

    number: int
    attack: str
    answer: str
    constructs: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    limit: str = ""


PITFALLS = (
    Pitfall(
        1,
        "Weak challenge: the hash leaves out a part of the statement, and the prover solves for that part afterwards",
        "every transcript absorbs type, table, request and the whole statement before the commitments",
        ("frp2p.deal.scope.Scope.transcript",),
    ),
    Pitfall(
        2,
        "Generators with a trapdoor: whoever knows their logarithms proves shuffles that are none",
        "all generators are hashed from fixed labels; nobody draws or sends one",
        ("frp2p.deal.generators.Generators",),
    ),
    Pitfall(
        3,
        "Replay of a proof in another game, epoch or step, by another sender, for another deck or slot",
        "ctx and event of every challenge name all of these",
        ("frp2p.deal.context.context", "frp2p.deal.context.event"),
        ("deal/test_deal_leave.py::test_nothing_said_in_an_old_epoch_holds_in_the_new_one",),
    ),
    Pitfall(
        4,
        "Two different tuples that hash alike because their parts were only strung together",
        "label and length stand before every field, a count before every list",
        ("frp2p.deal.fields.field", "frp2p.deal.fields.fields"),
    ),
    Pitfall(
        5,
        "Shuffles that are right in sum only: doubled, foreign, shifted, lost or added cards",
        "a proof of shuffle that commits to the permutation before the weights are known",
        ("frp2p.deal.proofs.shuffle.failing",),
        ("deal/test_deal_shuffle_proof.py::test_only_the_product_stops_mixed_cards",),
    ),
    Pitfall(
        6,
        "Batches of checks in which two faults cancel each other out",
        "weights of 128 bits from a hash over all that they weigh; a group of prime order",
        ("frp2p.deal.transcript.Transcript.weights",),
        ("deal/test_deal_small_proofs.py::test_a_batch_hides_no_pair_of_false_shares",),
    ),
    Pitfall(
        7,
        "A second encoding of one scalar (s plus the order), hence of one proof",
        "scalars at or above the order are refused when they are read",
        ("frp2p.deal.group.group.scalar",),
        ("deal/test_deal_group.py::test_bad_encodings",),
    ),
    Pitfall(
        8,
        "Small challenges, as in cut and choose with few rounds, tried until one is lucky",
        "no proof cuts and chooses; a challenge is a whole scalar of 252 bits",
        ("frp2p.deal.transcript.Transcript.challenge",),
    ),
    Pitfall(
        9,
        "A proof about a list of cases that the prover chose itself",
        "cards and slots of a statement come from the verifier's own state; there are no proofs of alternatives",
        ("frp2p.deal.sealed.exclude_task.ExcludeTask",),
    ),
    Pitfall(
        10,
        "A proof that a card is not held which holds for every card: no blind, or another secret in it",
        "blinded cards and slots are compared; the equations tie the blind to its commitment, the secret to the key",
        ("frp2p.deal.proofs.exclude.verify",),
        ("deal/test_deal_moving_proofs.py::test_blind_zero_proves_nothing",),
    ),
    Pitfall(
        11,
        "Something that the paper takes for granted and nobody checks: lengths, distinct cards and generators",
        "lengths are checked when lists are read, cards and their points when a table is made",
        ("frp2p.deal.decks.Decks", "frp2p.deal.parse.read_points"),
        ("deal/test_deal_misuse.py::test_bad_decks_are_refused",),
    ),
    Pitfall(
        12,
        "A check that has always passed, whatever it was given",
        "for every equation of every verifier a false statement that this equation alone refuses",
        (),
        (
            "deal/test_deal_shuffle_proof.py::test_each_equation_alone",
            "deal/test_deal_shuffle_proof.py::test_only_the_sum_stops_scaled_cards",
            "deal/test_deal_shuffle_proof.py::test_only_the_chain_stops_a_bent_link",
            "deal/test_deal_shuffle_proof.py::test_only_the_weights_stop_another_permutation",
            "deal/test_deal_shuffle_proof.py::test_only_one_mask_equation_stops_a_changed_half",
        ),
    ),
    Pitfall(
        13,
        "Rogue key: the last seat chooses its key from those of the others and owns the joint key alone",
        "keys are committed to before any is shown, and each comes with a proof of possession",
        ("frp2p.deal.sealed.setup.SealedSetup",),
    ),
    Pitfall(
        14,
        "Copies of what another seat said: its key, its proof, its commitment",
        "seat and identity are in every commitment and proof; no key may occur twice",
        ("frp2p.deal.sealed.setup.key_commitment",),
        ("deal/test_deal_sealed_faults.py::test_two_seats_with_one_key",),
    ),
    Pitfall(
        15,
        "Points with a part of small order, whose multiples leak bits of a secret",
        "ristretto255 has prime order and no such points; Ed25519 keys of small order are refused",
        ("frp2p.deal.group.group.Group.point", "frp2p.ledger.signing.check_key"),
    ),
    Pitfall(
        16,
        "The identity as a key, a mask or a difference: the card lies open",
        "refused by name in keys, masks, envelopes and exclusions",
        ("frp2p.deal.parse.read_key", "frp2p.deal.sealed.masks.check_masks"),
    ),
    Pitfall(
        17,
        "A library that reports an invalid point and an identity in the same way",
        "points are validated when they are read; identities are handled before the library is asked",
        ("frp2p.deal.group.sodium.SodiumGroup",),
        ("deal/test_deal_group.py::test_laws",),
    ),
    Pitfall(
        18,
        "Groups of numbers modulo a prime, with subgroups that must be checked for",
        "no such group is there, and no message can name a group",
        ("frp2p.deal.group.choose.default_group",),
    ),
    Pitfall(
        19,
        "Cards whose points are known multiples of each other: read without a key",
        "card points are hashed from the names of the cards",
        ("frp2p.deal.generators.card_point",),
    ),
    Pitfall(
        20,
        "Masking without randomness: whoever guesses a card sees whether it is right",
        "ElGamal with a fresh mask for every card and every turn",
        ("frp2p.deal.elgamal.remask",),
    ),
    Pitfall(
        21,
        "Short secrets and masks, found by counting",
        "all are scalars of the full range",
        ("frp2p.deal.transcript.Nonces",),
    ),
    Pitfall(
        22,
        "Signatures with several forms that make one statement look like two",
        "digests take bodies and never signatures; equal bodies are one statement; S below the order",
        ("frp2p.ledger.chain.step_digest", "frp2p.ledger.signing.verify"),
        ("ledger/test_ledger_signing.py::test_a_signature_has_no_second_form",),
    ),
    Pitfall(
        23,
        "Permutations from a generator that can be predicted, or that favours some orders",
        "the system's generator, in one file, hedged with key, request and cards; Fisher and Yates with rejection",
        ("frp2p.deal.entropy.permutation", "frp2p.deal.transcript.hedged"),
        ("deal/test_deal_hashing.py::test_permutations_are_uniform",),
    ),
    Pitfall(
        24,
        "One nonce for two challenges: the secret follows by a division",
        "nonces are hashed from secret, fresh bytes and the statement; an answer is made once and kept",
        ("frp2p.deal.transcript.Nonces", "frp2p.deal.rounds.RoundDealer.speak"),
    ),
    Pitfall(
        25,
        "One mask for two cards: the share of one opens the other",
        "a mask that occurs twice, in a list or among all live slots, is refused",
        ("frp2p.deal.sealed.masks.check_masks",),
        ("deal/test_deal_shuffle_faults.py::test_a_mask_of_another_live_slot",),
    ),
    Pitfall(
        26,
        "Coins that the last one to speak steers, or tosses again by refusing",
        "all commit before anybody opens; a batch that is not finished stays as it is",
        ("frp2p.deal.coin.CoinTask",),
        limit="who refuses to open stops the table, under its name",
    ),
    Pitfall(
        27,
        "Old shares of a card that went back to the deck open it for whoever knows its new mask",
        "the holder re-encrypts and then every other seat re-masks before the slot lives again; a slot whose draw was "
        "broken off is unusable until all who stay have re-masked it",
        ("frp2p.deal.sealed.relock_task.RelockTask", "frp2p.deal.sealed.depart_task.DepartTask"),
        ("deal/test_deal_moving_faults.py::test_put_back_resists_the_former_holder",),
    ),
    Pitfall(
        28,
        "A second reader of one ciphertext: all shares are public together and everybody reads it",
        "a slot has one reader and the dealer begins nothing else; looks are encrypted to the viewer",
        ("frp2p.deal.slots.Slot.drawn",),
        ("deal/test_deal_moving_faults.py::test_no_second_reader",),
    ),
    Pitfall(
        29,
        "Decryption oracle: a request that smuggles in a point to be multiplied with a secret",
        "requests name slots; points come from the own state; viewing keys are other keys than deck keys",
        ("frp2p.games.verbs.Verb", "frp2p.deal.sealed.share_task.ShareTask"),
        ("deal/test_deal_sealed_faults.py::test_one_key_for_both_roles",),
    ),
    Pitfall(
        30,
        "A card that was only re-masked is still known by its place",
        "the state keeps who can follow a slot; only a shuffle by all clears it",
        ("frp2p.deal.slots.Slot",),
    ),
    Pitfall(
        31,
        "Refusals, or the number and shape of proofs, that tell about a hand",
        "an exclusion covers all slots and cards asked for, in their order; a false one is never sent",
        ("frp2p.deal.sealed.exclude_task.ExcludeTask.speak",),
        limit="cards that are shown narrow down the others, as at every table",
    ),
    Pitfall(
        32,
        "A deck with other cards in it from the start",
        "everybody computes the sealed deck; nobody sends it",
        ("frp2p.deal.sealed.dealer.SealTask",),
    ),
    Pitfall(
        33,
        "Seats that play with different decks or options",
        "decks and options are hashed into the parameters, and these into everything",
        ("frp2p.deal.context.params_hash",),
        ("ledger/test_ledger_charter.py::test_the_digest_binds_every_field_and_the_params_all_but_the_people",),
    ),
    Pitfall(
        34,
        "Lazy or colluding shufflers",
        "every seat shuffles, every time; one honest one is enough",
        ("frp2p.deal.sealed.shuffle_task.ShuffleTask",),
    ),
    Pitfall(
        35,
        "Equivocation: different requests to different seats, to get an answer to each",
        "a secret leaves only when all have acknowledged the same step; two statements are evidence",
        ("frp2p.table.loop.StepLoop",),
        (
            "table/test_table_play.py::test_no_part_of_a_step_leaves_before_the_step_before_is_final",
            "table/test_table_adversary.py::test_two_different_parts_are_proved_to_everybody",
        ),
    ),
    Pitfall(
        36,
        "Faults that only one peer sees, and false blame for them",
        "every check is public and the same everywhere; evidence is signed by the accused; a seat that goes silent is"
        " voted out and blamed for nothing, for silence is no evidence",
        ("frp2p.ledger.evidence.judge",),
        ("table/test_table_adversary.py::test_a_wrong_part_that_only_one_peer_gets_is_shown_to_the_others",),
    ),
    Pitfall(
        37,
        "Collusion",
        "all other seats together do not read the last hand; with recovery, which the charter names, all others but "
        "one do not",
        ("frp2p.deal.sealed.sharing.Sharing",),
        limit="friends can tell each other their own cards",
    ),
    Pitfall(
        38,
        "A program that answers a repeated question anew",
        "the first answer is on disk before it is sent, and sent again byte for byte, by a new process too",
        ("frp2p.deal.rounds.RoundDealer.speak", "frp2p.table.repair.Repair", "frp2p.table.loop.StepLoop.restore"),
        ("table/test_table_crash.py::test_a_sealed_seat_comes_back_with_its_keys",),
    ),
    Pitfall(
        39,
        "Junk that is cheap to send and dear to refuse",
        "size, turn, signature and encodings come before the first multiplication",
        ("frp2p.deal.parse.read_scalars", "frp2p.table.messages.decode"),
        (
            "table/test_table_fuzz.py::test_an_oversized_frame_of_every_kind_closes_the_link",
            "net/test_net_hostile.py::test_a_flood_is_slowed_down_and_nothing_of_it_is_lost",
        ),
    ),
    Pitfall(
        40,
        "Secrets measured by the time that they take",
        "libsodium works in constant time",
        ("frp2p.deal.group.sodium.SodiumGroup.constant_time", "frp2p.deal.group.pure.PureGroup.constant_time"),
        limit="the back end in Python does not, and says so of itself",
    ),
    Pitfall(
        41,
        "A changed program or another user on the own machine",
        "not answered",
        limit="whoever controls a machine sees the cards of its player",
    ),
    Pitfall(
        42,
        "Traps of the language: checks that vanish, loaders that run code, comparison of two encodings, lost faults",
        "no assert, no loader, no thread in the core; points are equal if and only if their bytes are",
        ("frp2p.deal.group.group.Point", "frp2p.deal.group.sodium._remove_copy"),
        ("deal/test_deal_group.py::test_the_unpacked_library_is_removed",),
        "memory that held a secret can't be wiped",
    ),
    Pitfall(
        43,
        "A quantum computer of the future that opens recorded games",
        "not answered; keys are made for one game, so old hands are all that it would read",
        ("frp2p.deal.sealed.keys.Secrets",),
        limit="records of today may be opened one day",
    ),
)
