"""Sections 3 to 5 and 9: a table, as one sees it who has no key."""

from __future__ import annotations

import hashlib

from independent import proofs
from independent.hashing import H, ctx_of, event_of, field, fields, params_of, stream, u
from independent.msgpack import pack
from independent.ristretto import IDENTITY, TABLE, G, cards_of, hash_to_group, lin, need, points


class Table:
    def __init__(self, test):
        self.identities = [bytes.fromhex(key) for key in test["identities"]]
        self.n = len(self.identities)
        charter, options = bytes.fromhex(test["charter"]), bytes.fromhex(test["options"])
        self.params = params_of(charter, options, self.n, test["decks"])
        self.deck_of = {card: deck for deck, cards in test["decks"] for card in cards}
        self.point_of = {card: hash_to_group(f"frp2p/v1/card/{deck}/{card}") for card, deck in self.deck_of.items()}
        self.said, self.keys, self.slots, self.next, self.cascades = [], {}, {}, 0, 0
        self.down, self.batch, self.shown = set(), None, {}
        self.here, self.epoch = list(range(self.n)), 0

    # 3. Set-up.

    def check_setup(self, seat, message):
        kind = ("nonce-commit", "nonce-open", "key-commit", "key-open")[len(self.said)]
        need(seat < self.n, "deal-speaker")
        need(message[0] == kind, "deal-type")
        if kind == "nonce-open":
            made = H(
                "nonce-commit", field("params", self.params), field("seat", u(1, seat)), field("nonce", message[1])
            )
            need(made == self.said[0][seat][1], "nonce-commitment")
        if kind == "key-open":
            self.check_keys(seat, *message[1:])

    def check_keys(self, seat, deck, view, one, two, salt):
        keys = field("deck-key", deck) + field("view-key", view) + fields("proofs", [*one, *two]) + field("salt", salt)
        made = H("key-commit", field("ctx", self.ctx), field("seat", u(1, seat)), keys)
        need(made == self.said[2][seat][1], "key-commitment")
        need(IDENTITY not in points(deck, 1) + points(view, 1), "point-identity")
        need(deck != view, "key-duplicate")
        for role, key, proof in (("deck", deck, one), ("view", view, two)):
            proofs.verify_pop((self.ctx, b""), proof, seat, self.identities[seat], role, key)
        self.keys[seat] = (deck, view)

    def close_setup(self, said):
        self.said.append(said)
        if len(self.said) == 2:
            nonces = [said[seat][1] for seat in range(self.n)]
            self.game = H("game", fields("nonces", nonces), field("params", self.params))[:32]
            self.ctx = ctx_of(self.game, self.params, b"")
        if len(self.said) == 4:
            need(len({key for pair in self.keys.values() for key in pair}) == 2 * self.n, "key-duplicate")
            self.h, self.w = ([self.keys[seat][at] for seat in range(self.n)] for at in (0, 1))
            self.agree()

    def agree(self):
        """J and ctx of those who are here, in this epoch."""
        names, h, w = ([keys[seat] for seat in self.here] for keys in (self.identities, self.h, self.w))
        self.joint = lin(*((1, key) for key in h))
        roster = H("roster", fields("identity", names), fields("deck-key", h), fields("view-key", w))
        self.ctx = ctx_of(self.game, self.params, roster, self.epoch)

    # 4 and 5. Slots, batches, rounds. A slot is [deck, lock, (A, B), published, viewers].

    def lock(self, seat):
        return self.joint if seat == TABLE else self.h[seat]

    def holders(self, slot):
        return set(self.here) if self.slots[slot][1] == TABLE else {self.slots[slot][1]}

    def begin(self, event, verbs):
        self.chain = hashlib.sha512(field("event", event) + field("verbs", pack(verbs))).digest()
        self.event, self.round, self.batch = event, 0, []
        for at, (kind, first, *rest) in enumerate(verbs):
            everyone = self.here
            if kind == "Seal":
                rounds = []
            elif kind == "Shuffle":
                start = self.cascades % len(everyone)
                turn = everyone[start:] + everyone[:start]
                rounds = [[seat] for seat in (turn if rest[0] == TABLE else rest)]
                self.cascades += rest[0] == TABLE
            elif kind in ("Draw", "Reveal", "Peek"):
                rounds = [sorted({seat for slot in first for seat in self.holders(slot)} - set(rest))]
            elif kind == "Coin":
                rounds = [everyone, everyone]
            elif kind == "Leave":
                first, rest = sorted(slot for slot in self.slots if self.slots[slot][1] == TABLE), [first]
                rounds = [rest] if first else []
            elif kind == "PutBack":
                rounds = [[seat] for seat in (rest[0], *(seat for seat in everyone if seat != rest[0]))]
            else:
                rounds = [[self.slots[first[0]][1]]]
            now = [self.slots[slot][2] for slot in first] if kind not in ("Seal", "Coin") else []
            self.batch.append(
                {"at": at, "kind": kind, "first": first, "rest": rest, "rounds": rounds, "now": now, "said": []}
            )

    def asked(self, seat):
        return [task for task in self.batch if self.round < len(task["rounds"]) and seat in task["rounds"][self.round]]

    def check(self, seat, message):
        """The checked values of all items, in the order of the verbs."""
        tasks = self.asked(seat)
        need(tasks, "deal-speaker")
        need(message[0] == "sealed", "deal-type")
        need(len(message[1]) == len(tasks), "deal-items")
        values = [self.check_item(seat, task, *item) for task, item in zip(tasks, message[1], strict=True)]
        masking = [task for task in self.batch if task["kind"] in ("Shuffle", "Give", "PutBack")]
        said = [(task["at"], {a for a, _ in new}) for task, new in zip(tasks, values, strict=True) if task in masking]
        there = [(task["at"], {a for a, _ in task["now"]}) for task in masking]
        for mine, masks in said:
            need(not any(masks & taken for other, taken in said + there if other != mine), "mask-repeat")
        return values

    def check_item(self, seat, task, tag, *rest):
        kind, now, ids = task["kind"], task["now"], task["first"]
        tags = {"Draw": "shares", "Reveal": "shares", "Peek": "shown", "Give": "relocked", "Exclude": "excluded"}
        tags |= {"Shuffle": "shuffled" if len(now) > 1 else "remasked", "Coin": ("commit", "open")[self.round > 0]}
        tags["Leave"] = "shares"
        tags["PutBack"] = "remasked" if self.round else "relocked"
        need(tag == tags[kind], "item-type")
        if kind == "Coin":
            return self.check_coin(seat, task, rest[0])
        if kind in ("Draw", "Reveal", "Peek"):
            ids = [slot for slot in ids if seat in self.holders(slot)]
        deck = "" if kind == "Leave" else self.slots[ids[0]][0]
        scope = self.ctx, event_of(self.event, task["at"], seat, deck, ids)
        a = [self.slots[slot][2][0] for slot in ids]
        if kind == "Exclude":
            return proofs.verify_exclude(
                scope, rest[0], self.h[seat], now, [self.point_of[card] for card in task["rest"][0]]
            )
        if tag == "shares":
            d = points(rest[0], len(a))
            single = len(a) == 1
            (proofs.verify_dleq if single else proofs.verify_dleq_batch)(
                scope, rest[1], self.h[seat], *((a[0], d[0]) if single else (a, d))
            )
            return dict(zip(ids, d, strict=True))
        after = cards_of(rest[0], len(ids))
        if tag == "shown":
            need(IDENTITY not in [e1 for e1, _ in after], "point-identity")
            proofs.verify_venc(
                scope, rest[1], self.h[seat], self.w[task["rest"][0]], a, *map(list, zip(*after, strict=True))
            )
            return dict(zip(ids, after, strict=True))
        masks = {a for a, _ in after}
        need(IDENTITY not in masks, "mask-identity")
        live = {slot[2][0] for slot in self.slots.values()} | {a for a, _ in now}
        need(len(masks) == len(after) and not masks & live, "mask-repeat")
        to = {"Give": task["rest"][-1], "PutBack": TABLE, "Shuffle": self.slots[ids[0]][1]}[kind]
        if tag == "relocked":
            proofs.verify_relock(scope, rest[1], self.h[seat], self.lock(to), now, after)
        else:
            (proofs.verify_remask if tag == "remasked" else proofs.verify_shuffle)(
                scope, rest[1], self.lock(to), now, after
            )
        return after

    def check_coin(self, seat, task, value):
        event = event_of(self.event, task["at"], TABLE, "", [])
        made = H(
            "commit", field("ctx", self.ctx), field("event", event), field("seat", u(1, seat)), field("secret", value)
        )
        need(self.round == 0 or made == task["said"][0][seat], "coin-commitment")
        return value

    def close(self, said, values):
        parts = [u(1, seat) + said[seat] for seat in sorted(said)]
        chain = field("chain", self.chain) + field("round", u(2, self.round)) + fields("said", parts)
        tasks = {seat: self.asked(seat) for seat in said}
        for task in self.batch:
            mine = {seat: values[seat][tasks[seat].index(task)] for seat in said if task in tasks[seat]}
            if mine:
                task["said"].append(mine)
            if mine and task["kind"] in ("Shuffle", "PutBack", "Give"):
                (task["now"],) = mine.values()
        self.chain, self.round = hashlib.sha512(chain).digest(), self.round + 1

    def finish(self):
        batch, self.batch = self.batch, None
        return [self.settle(task) for task in batch]

    def add(self, slots):
        ids = list(range(self.next, self.next + len(slots)))
        self.slots |= dict(zip(ids, slots, strict=True))
        self.next += len(slots)
        return ["Slots", ids]

    def settle(self, task):
        kind, first, rest, now = task["kind"], task["first"], task["rest"], task["now"]
        if kind == "Seal":
            self.down |= set(first)
            key = self.lock(rest[0])
            bodies = {card: (G, lin((1, self.point_of[card]), (1, key))) for card in first}
            return self.add([[self.deck_of[card], rest[0], bodies[card], set(), set()] for card in first])
        if kind == "Coin":
            event = event_of(self.event, task["at"], TABLE, "", [])
            secrets = [secret for _, secret in sorted(task["said"][1].items())]
            seed = H("coin", field("ctx", self.ctx), field("event", event), fields("secrets", secrets))
            return ["Number", next(stream(seed, first))]
        if kind == "Draw":
            for slot in first:
                deck, _, (a, b), published, viewers = self.slots[slot]
                b = lin((1, b), *((-1, said[slot]) for said in task["said"][0].values()))
                self.slots[slot] = [deck, rest[0], (a, b), published | set(task["said"][0]), viewers]
            return ["Slots", first]
        if kind == "Leave":
            for slot in first:
                deck, lock, (a, b), published, viewers = self.slots[slot]
                b = lin((1, b), (-1, task["said"][0][rest[0]][slot]))
                self.slots[slot] = [deck, lock, (a, b), published | set(rest), viewers]
            self.here, self.epoch = [seat for seat in self.here if seat not in rest], self.epoch + 1
            self.agree()
            return ["Slots", first]
        if kind == "Peek":
            for slot in first:
                self.slots[slot][4] = self.slots[slot][4] | {rest[0]}
                self.shown[slot, rest[0]] = [said[slot] for said in task["said"][0].values() if slot in said]
        if kind in ("Peek", "Exclude"):
            return ["Slots", first]
        old = [self.slots.pop(slot) for slot in first]
        if kind == "Reveal":
            back = {point: card for card, point in self.point_of.items()}
            cards = []
            for slot, gone in zip(first, old, strict=True):
                shares = [(-1, said[slot]) for said in task["said"][0].values() if slot in said]
                cards.append(back[lin((1, gone[2][1]), *shares)])
            self.down -= set(cards)
            return ["Cards", cards]
        if kind == "Shuffle":
            viewers = {rest[0]} if old[0][1] == TABLE != rest[0] else set()
            return self.add([[old[0][0], old[0][1], body, set(), viewers] for body in now])
        holder, to = rest[0], rest[-1] if kind == "Give" else TABLE
        return self.add([[o[0], to, b, set(), (o[4] | {holder}) - {to}] for o, b in zip(old, now, strict=True)])

    # 9. State digest.

    def digest(self):
        slots = []
        for at, (deck, lock, body, published, viewers) in sorted(self.slots.items()):
            row = (
                u(4, at)
                + field("deck", deck)
                + u(1, lock)
                + fields("published", [u(1, seat) for seat in sorted(published)])
            )
            slots.append(row + fields("viewers", [u(1, seat) for seat in sorted(viewers)]) + body[0] + body[1])
        state = field("ctx", self.ctx) + field("joint", self.joint) + field("cascades", u(4, self.cascades))
        state += field("next", u(4, self.next)) + fields("slots", slots)
        state += fields("face-down", sorted(card.encode() for card in self.down)) + field("pending", b"")
        return hashlib.sha512(state).digest()[:32]
