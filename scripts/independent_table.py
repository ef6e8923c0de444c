"""Watch the games of protocol/vectors/deal-games.json: sections 3 to 5 and 9 of protocol/06-deal.md.

A table, as one sees it who has no key. See verify_vectors_independent.py, on which this builds.
"""

from __future__ import annotations

from hashlib import sha512

from independent_encoding import pack, unpack
from independent_messages import Sharing
from verify_vectors_independent import (
    IDENTITY,
    TABLE,
    G,
    H,
    ctx_of,
    event_of,
    expect,
    field,
    flat,
    hash_to_group,
    join,
    lin,
    need,
    params_of,
    points,
    scalars,
    share_key,
    stream,
    u,
    unhex,
    verdict,
    verify,
    weights,
)

# 3 to 5 and 9. A table, as one sees it who has no key. A slot is [deck, lock, (A, B), published, viewers].

SETUP = (["nonce-commit"], ["nonce-open"], ["key-commit"], ["key-open"])
SHARING = (["envelope-keys"], ["key-shares"], ["no-complaint", "complaint"])
OPENING, MASKING, GOING = ("Draw", "Reveal", "Peek"), ("Shuffle", "Give", "PutBack"), ("Leave", "Recover")
TAGS = {
    "Give": ["relocked"],
    "PutBack": ["relocked", "remasked"],
    "Exclude": ["excluded"],
    "Coin": ["commit", "open"],
    "Draw": ["shares"],
    "Reveal": ["shares"],
    "Peek": ["shown"],
}  # of a shuffle: by its size
TYPES = {"relocked": "relock", "remasked": "remask", "shuffled": "shuffle"}


class Table:
    def __init__(self, test):
        self.identities = unhex(test["identities"])
        self.params = params_of(unhex(test["charter"]), unhex(test["options"]), len(self.identities), test["decks"])
        self.deck_of = {card: deck for deck, cards in test["decks"] for card in cards}
        self.point_of = {card: hash_to_group(f"frp2p/v1/card/{deck}/{card}") for card, deck in self.deck_of.items()}
        self.said, self.keys, self.slots, self.down, self.shown = [], {}, {}, set(), {}
        self.here, self.epoch, self.next, self.cascades = list(range(len(self.identities))), 0, 0, 0
        self.recovery, self.touched, self.sharing, self.shared = test.get("recovery", False), set(), None, {}

    def check_setup(self, seat, message):
        need(seat in self.here, "deal-speaker")
        need(message[0] in (*SETUP, *SHARING)[len(self.said)], "deal-type")
        if self.sharing:
            return self.sharing.check(seat, *message)
        if message[0] == "nonce-open":
            made = H("nonce-commit", params=self.params, seat=u(1, seat), nonce=message[1])
            need(made == self.said[0][seat][1], "nonce-commitment")
        if message[0] == "key-open":
            _, h, w, one, two, salt = message
            keys = {"deck_key": h, "view_key": w, "proofs": [*one, *two], "salt": salt}
            need(H("key-commit", ctx=self.ctx, seat=u(1, seat), **keys) == self.said[2][seat][1], "key-commitment")
            need(IDENTITY not in points(h, 1) + points(w, 1), "point-identity")
            need(h != w, "key-duplicate")
            for role, key, proof in (("deck", h, one), ("view", w, two)):
                names = {"seat": seat, "identity": self.identities[seat], "role": role, "H": key}
                verify("pop", (self.ctx, b""), proof, names)
            self.keys[seat] = (h, w)

    def close_setup(self, said):
        if self.sharing:
            self.sharing.close({seat: self.check_setup(seat, message) for seat, message in said.items()})
        self.said.append(said)
        if len(self.said) == 2:
            self.game = H("game", nonces=[said[seat][1] for seat in self.here], params=self.params)[:32]
            self.ctx = ctx_of(self.game, self.params, b"")
        if len(self.said) == 4:
            need(len({key for pair in self.keys.values() for key in pair}) == 2 * len(self.here), "key-duplicate")
            self.agree()
            self.sharing = self.share(self.here, self.ctx) if self.recovery else None
        if len(self.said) == 7:
            self.shared = self.sharing.commitments()

    def share(self, seats, ctx):
        return Sharing(ctx, {seat: self.keys[seat][0] for seat in seats})

    def agree(self):
        """J and ctx of those who are here, in this epoch."""
        self.joint = lin(*((1, self.keys[seat][0]) for seat in self.here))
        self.ctx = self.ctx_with(self.here, self.epoch)

    def ctx_with(self, seats, epoch):
        names, h, w = map(list, zip(*((self.identities[seat], *self.keys[seat]) for seat in seats), strict=True))
        return ctx_of(self.game, self.params, H("roster", identity=names, deck_key=h, view_key=w), epoch)

    def check_keys(self, seat, message):
        need(message[0] == "keys", "deal-type")
        deck, view = scalars(message[1] + message[2], 2)
        need(lin((deck, G)) == self.keys[seat][0], "open-deck-key")
        need(lin((view, G)) == self.keys[seat][1], "open-view-key")

    def key(self, lock):
        return self.joint if lock == TABLE else self.keys[lock][0]

    def holders(self, slot):
        return set(self.here) if self.slots[slot][1] == TABLE else {self.slots[slot][1]}

    def rounds(self, kind, first, rest):
        """Who speaks, round by round."""
        if kind == "Shuffle" and rest[0] == TABLE:
            start, self.cascades = self.cascades % len(self.here), self.cascades + 1
            return [[seat] for seat in self.here[start:] + self.here[:start]]
        if kind in ("Draw", "Reveal", "Peek"):
            return [sorted({seat for slot in first for seat in self.holders(slot)} - set(rest))]
        if kind == "PutBack":
            return [rest, *([seat] for seat in self.here if seat != rest[0])]
        if kind == "Coin":
            return [self.here, self.here]
        if kind == "Exclude":
            return [sorted(self.holders(first[0]))]
        return [] if kind in ("Seal", "Drop") else [rest[:1]]

    def depart(self, kind, seat):
        """Phases of a leave or recovery: what is said, and the speakers of each round."""
        rest, ids = [other for other in self.here if other != seat], self.of(TABLE)
        rounds = [("remasked", [one]) for one in rest] if self.touched else []
        rounds += [("shares", [seat] if kind == "Leave" else rest)] if ids else []
        anew = self.share(rest, self.ctx_with(rest, self.epoch + 1)) if self.shared and len(rest) > 2 else None
        rounds += [(tags, rest) for tags in SHARING] if anew else []
        task = {"rounds": [seats for _, seats in rounds], "tags": [tag for tag, _ in rounds], "sharing": anew}
        return {**task, "bodies": {slot: self.slots[slot][2] for slot in ids}, "shares": {}}

    def of(self, lock):
        return sorted(slot for slot in self.slots if self.slots[slot][1] == lock)

    def begin(self, event, verbs):
        self.chain, self.event, self.round = sha512(join(event=event, verbs=pack(verbs))).digest(), event, 0
        self.batch, self.said = [], []
        for at, (kind, first, *rest) in enumerate(verbs):
            if kind in GOING:
                task = {"at": 0, "verb": (kind, [], [first]), "now": [], "said": []}
                self.batch.append({**task, **self.depart(kind, first)})
                continue
            now = [self.slots[slot][2] for slot in first] if kind not in ("Seal", "Coin", "Drop") else []
            task = {"at": at, "verb": (kind, first, rest), "rounds": self.rounds(kind, first, rest), "now": now}
            self.batch.append({**task, "said": []})

    def asked(self, seat):
        return [task for task in self.batch if seat in (task["rounds"][self.round :] or [[]])[0]]

    def check(self, seat, message):
        """The checked values of all items, in the order of the verbs."""
        tasks = self.asked(seat)
        need(tasks, "deal-speaker")
        need(message[0] == "sealed", "deal-type")
        need(len(message[1]) == len(tasks), "deal-items")
        values = [self.check_item(seat, task, *item) for task, item in zip(tasks, message[1], strict=True)]
        masking = [task for task in self.batch if task["verb"][0] in MASKING]
        said = [(task["at"], {a for a, _ in new}) for task, new in zip(tasks, values, strict=True) if task in masking]
        there = [(task["at"], {a for a, _ in task["now"]}) for task in masking]
        for mine, masks in said:
            need(not any(masks & taken for other, taken in said + there if other != mine), "mask-repeat")
        return values

    def check_departure(self, seat, task, tag, content=None, proof=None):
        kind, _, (gone,) = task["verb"]
        tags = task["tags"][self.round]
        need(tag in tags if isinstance(tags, list) else tag == tags, "item-type")
        if tag in flat(SHARING):
            return task["sharing"].check(seat, tag, content, proof)
        ids = sorted(self.touched if tag == "remasked" else task["bodies"])
        scope, before = (self.ctx, event_of(self.event, 0, seat, "", ids)), [task["bodies"][slot] for slot in ids]
        if tag == "shares":
            h = self.keys[seat][0] if kind == "Leave" else share_key(self.shared[gone], seat)
            return dict(zip(ids, self.check_shares(scope, h, [a for a, _ in before], content, proof), strict=True))
        made = self.check_masks(content, flat(before))
        verify("remask", scope, proof, {"K": self.joint, "C": flat(before), "C'": made})
        return dict(zip(ids, zip(made[::2], made[1::2], strict=True), strict=True))

    def check_shares(self, scope, h, a, content, proof):
        d = points(content, len(a))
        one = len(a) == 1
        names = {"H": h, "A": a[0] if one else a, "D": d[0] if one else d}
        verify("dleq" if one else "dleq-batch", scope, proof, names)
        return d

    def check_masks(self, content, before):
        made = points(content, len(before))
        masks, live = set(made[::2]), {slot[2][0] for slot in self.slots.values()} | set(before[::2])
        need(IDENTITY not in masks, "mask-identity")
        need(len(masks) == len(made) // 2 and not masks & live, "mask-repeat")
        return made

    def check_item(self, seat, task, tag, content=None, proof=None):
        (kind, ids, rest), now = task["verb"], flat(task["now"])
        if kind in GOING:
            return self.check_departure(seat, task, tag, content, proof)
        tags = TAGS.get(kind) or ["shuffled" if len(ids) > 1 else "remasked"]
        need(tag == tags[min(self.round, len(tags) - 1)], "item-type")
        if kind == "Coin":
            event = event_of(self.event, task["at"], TABLE, "", [])
            made = H("commit", ctx=self.ctx, event=event, seat=u(1, seat), secret=content)
            need(self.round == 0 or made == task["said"][0][seat], "coin-commitment")
            return content
        ids = [slot for slot in ids if seat in self.holders(slot)] if kind in OPENING else ids
        event = event_of(self.event, task["at"], seat, self.slots[ids[0]][0], ids)
        names, a = {"H": self.keys[seat][0], "C": now}, [self.slots[slot][2][0] for slot in ids]
        if tag == "excluded":
            names["M"] = [self.point_of[card] for card in rest[0]]
            return verify("exclude", (self.ctx, event), content, names)
        if tag == "shares":
            shares = self.check_shares((self.ctx, event), names["H"], a, content, proof)
            return dict(zip(ids, shares, strict=True))
        if tag == "shown":
            made = points(content, 2 * len(ids))
            need(IDENTITY not in made[::2], "point-identity")
            names = {**names, "W": self.keys[rest[0]][1], "A": a, "E1": made[::2], "E2": made[1::2]}
            verify("venc", (self.ctx, event), proof, names)
            return dict(zip(ids, zip(made[::2], made[1::2], strict=True), strict=True))
        made = self.check_masks(content, now)
        to = {"Give": rest[-1], "PutBack": TABLE, "Shuffle": self.slots[ids[0]][1]}[kind]
        verify(TYPES[tag], (self.ctx, event), proof, {**names, "K": self.key(to), "C'": made})
        return list(zip(made[::2], made[1::2], strict=True))

    def close(self, said, values):
        parts = [u(1, seat) + said[seat] for seat in sorted(said)]
        tasks = {seat: self.asked(seat) for seat in said}
        for task in self.batch:
            mine = {seat: values[seat][tasks[seat].index(task)] for seat in said if task in tasks[seat]}
            task["said"] += [mine] if mine else []
            if mine and task["verb"][0] in MASKING:
                (task["now"],) = mine.values()
            if mine and task["verb"][0] in GOING:
                self.close_phase(task, mine)
        self.chain = sha512(join(chain=self.chain, round=u(2, self.round), said=parts)).digest()
        self.round += 1

    def close_phase(self, task, mine):
        tag = task["tags"][self.round]
        if tag == "remasked":
            (made,) = mine.values()
            task["bodies"] |= made
        elif tag == "shares":
            factors = weights(sorted(mine)) if task["verb"][0] == "Recover" else [1]
            rows = [mine[seat] for seat in sorted(mine)]
            for slot in task["bodies"]:
                task["shares"][slot] = lin(*((k, row[slot]) for k, row in zip(factors, rows, strict=True)))
        else:
            task["sharing"].close(mine)

    def finish(self):
        if self.batch and self.batch[0]["verb"][0] in GOING:
            return [self.go(self.batch[0])]
        return [self.settle(task["at"], *task["verb"], task["now"], task["said"]) for task in self.batch]

    def go(self, task):
        (gone,), anew = task["verb"][2], task["sharing"]
        for slot, (a, b) in task["bodies"].items():
            published = set() if slot in self.touched else self.slots[slot][3]
            self.slots[slot][2:4] = (a, lin((1, b), (-1, task["shares"][slot]))), published | {gone}
        self.lose([gone], self.of(gone), anew.commitments() if anew else {})
        return ["Slots", self.of(TABLE)]

    def lose(self, gone, spent, shared):
        for slot in spent:
            del self.slots[slot]
        self.here, self.epoch = [seat for seat in self.here if seat not in gone], self.epoch + 1
        self.touched, self.shared = set(), shared
        self.agree()

    def abort(self):
        for kind, first, *_ in (task["verb"] for task in self.batch):
            asked = self.of(TABLE) if kind in GOING else first if kind in OPENING else []
            self.touched |= set(asked) & set(self.of(TABLE))

    def add(self, slots):
        ids = list(range(self.next, self.next + len(slots)))
        self.slots |= dict(zip(ids, slots, strict=True))
        self.next += len(slots)
        return ["Slots", ids]

    def settle(self, at, kind, first, rest, now, said):
        """What changes, and the outcome."""
        if kind == "Seal":
            self.down |= set(first)
            bodies = {card: (G, lin((1, self.point_of[card]), (1, self.key(rest[0])))) for card in first}
            return self.add([[self.deck_of[card], rest[0], bodies[card], set(), set()] for card in first])
        if kind == "Coin":
            event, secrets = event_of(self.event, at, TABLE, "", []), [said[1][seat] for seat in self.here]
            return ["Number", next(stream(H("coin", ctx=self.ctx, event=event, secrets=secrets), first))]
        opened = {}
        for slot in first if kind in OPENING else ():
            _, lock, (a, b), published, viewers = self.slots[slot]
            shares = {seat: row[slot] for row in said for seat, row in row.items() if slot in row}
            if kind == "Peek":
                self.shown[slot, rest[0]] = list(shares.values())
                self.slots[slot][4] = viewers | {rest[0]}
                continue
            opened[slot] = lin((1, b), *((-1, share) for share in shares.values()))
            self.slots[slot][1:4] = rest[0] if kind == "Draw" else lock, (a, opened[slot]), published | set(shares)
        if kind == "Drop":
            self.lose(first, flat(map(self.of, (TABLE, *first))), {})
            return ["Slots", []]
        if kind in ("Draw", "Peek", "Exclude"):
            return ["Slots", first]
        old = [self.slots.pop(slot) for slot in first]
        if kind == "Reveal":
            cards = [next(card for card, point in self.point_of.items() if point == opened[slot]) for slot in first]
            self.down -= set(cards)
            return ["Cards", cards]
        by, to = rest[0], {"Shuffle": old[0][1], "PutBack": TABLE, "Give": rest[-1]}[kind]
        if kind == "Shuffle":
            viewers = {by} if to == TABLE != by else set()
            return self.add([[old[0][0], to, body, set(), viewers] for body in now])
        return self.add([[o[0], to, body, set(), (o[4] | {by}) - {to}] for o, body in zip(old, now, strict=True)])

    def digest(self):
        slots = []
        for at, (deck, lock, body, *sets) in sorted(self.slots.items()):
            published, viewers = ([u(1, seat) for seat in sorted(seats)] for seats in sets)
            seats = join(published=published, viewers=viewers)
            slots.append(u(4, at) + field("deck", deck) + u(1, lock) + seats + b"".join(body))
        state = join(ctx=self.ctx, joint=self.joint, cascades=u(4, self.cascades))
        if self.shared:
            state += join(sharing=[u(1, seat) + b"".join(f) for seat, f in sorted(self.shared.items())])
        down = sorted(card.encode() for card in self.down)
        state += join(next=u(4, self.next), slots=slots, face_down=down, pending=b"")
        state += join(touched=[u(4, slot) for slot in sorted(self.touched)]) if self.touched else b""
        return sha512(state).digest()[:32]


# 10. The vectors.


def check_game(test):
    table = Table(test)
    for at, said in enumerate(test["setup"]):
        refuse(test, None, at, table.check_setup)
        messages = {int(seat): unpack(unhex(data)) for seat, data in said.items()}
        for seat, message in messages.items():
            table.check_setup(seat, message)
        table.close_setup(messages)
    if "blamed" in test:
        messages = {int(seat): unpack(unhex(data)) for seat, data in test["blamed"]["round"].items()}
        found = {seat: table.check_setup(seat, message) for seat, message in messages.items()}
        expect(test["id"], min(seat for seat in found.values() if seat is not None), test["blamed"]["seat"])
        return expect(test["id"], verdict(table.close_setup, messages), test["blamed"]["check"])
    if len(test["setup"]) < len(SETUP):
        return refuse(test, None, len(test["setup"]), table.check_setup)
    expect(test["id"], [table.ctx.hex(), table.joint.hex()], [test["ctx"], test["joint"]])
    for number, batch in enumerate(test["batches"]):
        table.begin(unhex(batch["event"]), batch["verbs"])
        for at, said in enumerate(batch["rounds"]):
            refuse(test, number, at, table.check)
            raw = {int(seat): unhex(data) for seat, data in said.items()}
            table.close(raw, {seat: table.check(seat, unpack(data)) for seat, data in raw.items()})
        outcomes = table.abort() or [] if batch.get("aborted") else table.finish()
        expect(f"{test['id']} outcomes {number}", outcomes, batch["outcomes"])
        expect(f"{test['id']} digest {number}", table.digest().hex(), batch["digest"])
        for seat, secret in enumerate(test["secrets"]):
            check_hand(table, seat, secret, batch["known"][seat])
    for case in test.get("opened", ()):
        message = unpack(unhex(case["keys"]))
        expect(case["id"], verdict(table.check_keys, case["seat"], message), case["check"])


def check_hand(table, seat, secret, known):
    """Every slot of the own hand, and every slot that was just shown, reads as stated."""
    deck, view = (scalars(unhex(secret[role]), 1)[0] for role in ("deck", "view"))
    for slot, (_, lock, (a, b), _, _) in table.slots.items():
        own = [(-deck, a)] if lock in (seat, TABLE) else []
        shown = [term for e1, e2 in table.shown.pop((slot, seat), ()) for term in ((-1, e2), (view, e1))]
        if lock == seat or shown:
            expect(f"slot {slot} of seat {seat}", lin((1, b), *own, *shown), table.point_of[known[str(slot)]])


def refuse(test, batch, at, check):
    for case in test["refused"]:
        if (case["batch"], case["round"]) == (batch, at):
            message = unpack(unhex(case["contribution"]))
            expect(case["id"], verdict(check, case["seat"], message), case["check"])
