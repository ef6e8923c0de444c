"""Watch the games of protocol/vectors/deal-games.json: sections 3 to 5 and 9 of protocol/06-deal.md.

A table, as one sees it who has no key. See verify_vectors_independent.py, on which this builds.
"""

from __future__ import annotations

from hashlib import sha512

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
    stream,
    u,
    unhex,
    verdict,
    verify,
)

# Page 04, section 1: the canonical MessagePack of what dealing says.


def pack(value):
    """Arrays, short texts, integers: what verbs are made of."""
    if isinstance(value, list):
        head = bytes([0x90 + len(value)]) if len(value) < 16 else b"\xdc" + u(2, len(value))
        return head + b"".join(map(pack, value))
    if isinstance(value, str):
        return bytes([0xA0 + len(value.encode())]) + value.encode()
    size = next(size for size in (1, 2, 4, 8) if value < 256**size)
    return u(1, value) if -32 <= value < 128 else bytes([0xCB + size.bit_length()]) + u(size, value)


def unpack(data, at=0):
    """A value (arrays, texts, byte strings) and where it ends."""
    tag, at = data[at], at + 1
    width = {0xC4: 1, 0xC5: 2, 0xD9: 1, 0xDC: 2}.get(tag, 0)
    size = int.from_bytes(data[at : at + width], "big") if width else tag & (31 if tag >= 0xA0 else 15)
    items, at = [], at + width
    if tag not in range(0x90, 0xA0) and tag != 0xDC:
        return data[at : at + size] if tag in (0xC4, 0xC5) else data[at : at + size].decode(), at + size
    for _ in range(size):
        item, at = unpack(data, at)
        items.append(item)
    return items, at


# 3 to 5 and 9. A table, as one sees it who has no key. A slot is [deck, lock, (A, B), published, viewers].

SETUP = ("nonce-commit", "nonce-open", "key-commit", "key-open")
OPENING, MASKING = ("Draw", "Reveal", "Peek", "Leave"), ("Shuffle", "Give", "PutBack")
TAGS = {
    "Give": ["relocked"],
    "PutBack": ["relocked", "remasked"],
    "Exclude": ["excluded"],
    "Coin": ["commit", "open"],
    "Draw": ["shares"],
    "Reveal": ["shares"],
    "Leave": ["shares"],
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

    def check_setup(self, seat, message):
        need(seat in self.here, "deal-speaker")
        need(message[0] == SETUP[len(self.said)], "deal-type")
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
        self.said.append(said)
        if len(self.said) == 2:
            self.game = H("game", nonces=[said[seat][1] for seat in self.here], params=self.params)[:32]
            self.ctx = ctx_of(self.game, self.params, b"")
        if len(self.said) == 4:
            need(len({key for pair in self.keys.values() for key in pair}) == 2 * len(self.here), "key-duplicate")
            self.agree()

    def agree(self):
        """J and ctx of those who are here, in this epoch."""
        rows = [(self.identities[seat], *self.keys[seat]) for seat in self.here]
        names, h, w = map(list, zip(*rows, strict=True))
        self.joint = lin(*((1, key) for key in h))
        self.ctx = ctx_of(self.game, self.params, H("roster", identity=names, deck_key=h, view_key=w), self.epoch)

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
        return [] if kind == "Seal" or (kind == "Leave" and not first) else [rest[:1]]

    def begin(self, event, verbs):
        self.chain, self.event, self.round = sha512(join(event=event, verbs=pack(verbs))).digest(), event, 0
        self.batch, self.said = [], []
        for at, (kind, first, *rest) in enumerate(verbs):
            if kind == "Leave":
                first, rest = sorted(slot for slot in self.slots if self.slots[slot][1] == TABLE), [first]
            now = [self.slots[slot][2] for slot in first] if kind not in ("Seal", "Coin") else []
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

    def check_item(self, seat, task, tag, content, proof=None):
        (kind, ids, rest), now = task["verb"], flat(task["now"])
        tags = TAGS.get(kind) or ["shuffled" if len(ids) > 1 else "remasked"]
        need(tag == tags[min(self.round, len(tags) - 1)], "item-type")
        if kind == "Coin":
            event = event_of(self.event, task["at"], TABLE, "", [])
            made = H("commit", ctx=self.ctx, event=event, seat=u(1, seat), secret=content)
            need(self.round == 0 or made == task["said"][0][seat], "coin-commitment")
            return content
        ids = [slot for slot in ids if seat in self.holders(slot)] if kind in OPENING else ids
        event = event_of(self.event, task["at"], seat, "" if kind == "Leave" else self.slots[ids[0]][0], ids)
        names, a = {"H": self.keys[seat][0], "C": now}, [self.slots[slot][2][0] for slot in ids]
        if tag == "excluded":
            names["M"] = [self.point_of[card] for card in rest[0]]
            return verify("exclude", (self.ctx, event), content, names)
        made = points(content, len(ids) * (1 if tag == "shares" else 2))
        pairs = list(zip(made[::2], made[1::2], strict=False))
        if tag == "shares":
            one = len(ids) == 1
            names = {**names, "A": a[0] if one else a, "D": made[0] if one else made}
            verify("dleq" if one else "dleq-batch", (self.ctx, event), proof, names)
            return dict(zip(ids, made, strict=True))
        if tag == "shown":
            need(IDENTITY not in made[::2], "point-identity")
            names = {**names, "W": self.keys[rest[0]][1], "A": a, "E1": made[::2], "E2": made[1::2]}
            verify("venc", (self.ctx, event), proof, names)
            return dict(zip(ids, pairs, strict=True))
        masks, live = set(made[::2]), {slot[2][0] for slot in self.slots.values()} | set(now[::2])
        need(IDENTITY not in masks, "mask-identity")
        need(len(masks) == len(pairs) and not masks & live, "mask-repeat")
        to = {"Give": rest[-1], "PutBack": TABLE, "Shuffle": self.slots[ids[0]][1]}[kind]
        verify(TYPES[tag], (self.ctx, event), proof, {**names, "K": self.key(to), "C'": made})
        return pairs

    def close(self, said, values):
        parts = [u(1, seat) + said[seat] for seat in sorted(said)]
        tasks = {seat: self.asked(seat) for seat in said}
        for task in self.batch:
            mine = {seat: values[seat][tasks[seat].index(task)] for seat in said if task in tasks[seat]}
            task["said"] += [mine] if mine else []
            if mine and task["verb"][0] in MASKING:
                (task["now"],) = mine.values()
        self.chain = sha512(join(chain=self.chain, round=u(2, self.round), said=parts)).digest()
        self.round += 1

    def finish(self):
        return [self.settle(task["at"], *task["verb"], task["now"], task["said"]) for task in self.batch]

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
        if kind == "Leave":
            self.here, self.epoch = [seat for seat in self.here if seat not in rest], self.epoch + 1
            self.agree()
        if kind in ("Draw", "Leave", "Peek", "Exclude"):
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
        public = {"ctx": self.ctx, "joint": self.joint, "cascades": u(4, self.cascades), "next": u(4, self.next)}
        down = sorted(card.encode() for card in self.down)
        return sha512(join(**public, slots=slots, face_down=down, pending=b"")).digest()[:32]


# 10. The vectors.


def check_game(test):
    table = Table(test)
    for at, said in enumerate(test["setup"]):
        refuse(test, None, at, table.check_setup)
        messages = {int(seat): unpack(unhex(data))[0] for seat, data in said.items()}
        for seat, message in messages.items():
            table.check_setup(seat, message)
        table.close_setup(messages)
    if len(test["setup"]) < len(SETUP):
        return refuse(test, None, len(test["setup"]), table.check_setup)
    expect(test["id"], [table.ctx.hex(), table.joint.hex()], [test["ctx"], test["joint"]])
    for number, batch in enumerate(test["batches"]):
        table.begin(unhex(batch["event"]), batch["verbs"])
        for at, said in enumerate(batch["rounds"]):
            refuse(test, number, at, table.check)
            raw = {int(seat): unhex(data) for seat, data in said.items()}
            table.close(raw, {seat: table.check(seat, unpack(data)[0]) for seat, data in raw.items()})
        expect(f"{test['id']} outcomes {number}", table.finish(), batch["outcomes"])
        expect(f"{test['id']} digest {number}", table.digest().hex(), batch["digest"])
        for seat, secret in enumerate(test["secrets"]):
            check_hand(table, seat, secret, batch["known"][seat])


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
            message = unpack(unhex(case["contribution"]))[0]
            expect(case["id"], verdict(check, case["seat"], message), case["check"])
