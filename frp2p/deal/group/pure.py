"""ristretto255 without libsodium: for machines on which it does not load, and to check one against the other.

Not constant time: somebody who measures this program closely could learn about its keys. The lobby says when it runs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Generic, TypeVar

from frp2p.deal.group.edwards import (
    NEUTRAL,
    Addend,
    Element,
    add,
    decode,
    double,
    encode,
    from_uniform,
    negative,
    prepare,
)
from frp2p.deal.group.group import BASE, Beside, Point

_WINDOW = 4
"""Bits of a scalar that one addition takes care of."""

_DIGITS = 64
"""Windows of a scalar: 64 * 4 bits hold every scalar below 2**253."""

_MAX_DECODED = 1 << 13
"""Points whose coordinates are kept: those of one shuffle of 128 cards, and its generators, several times."""

_MAX_TABLES = 16
"""Points with a table of multiples (g, h, J and the keys of seven seats); one takes about 200 kB."""

_USES_BEFORE_TABLE = 6
"""Multiplications of one point after which its table (worth about four of them) is made."""

_MANY = 48
"""Points from which on buckets are cheaper than one ladder for all."""

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """A map that forgets what was not used for the longest time."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._map: OrderedDict[Point, Value] = OrderedDict()

    def get(self, key: Point) -> Value | None:
        value = self._map.get(key)
        if value is not None:
            self._map.move_to_end(key)
        return value

    def put(self, key: Point, value: Value) -> None:
        self._map[key] = value
        self._map.move_to_end(key)
        if len(self._map) > self._limit:
            self._map.popitem(last=False)


class PureGroup:
    """The `Group` in Python integers. Keeps the coordinates of recent points, and tables of much used ones."""

    name = "pure"
    constant_time = False
    beside: Beside | None = None

    def __init__(self) -> None:
        self._decoded: Recent[Element] = Recent(_MAX_DECODED)
        self._tables: Recent[list[list[Addend]]] = Recent(_MAX_TABLES)
        self._uses: Recent[int] = Recent(_MAX_DECODED)
        self._base = _table(decode(BASE))

    def point(self, data: bytes) -> Point:
        self._coordinates(Point(data))
        return Point(data)

    def base(self, scalar: int) -> Point:
        return self._point(_by_table(self._base, scalar))

    def mul(self, point: Point, scalar: int) -> Point:
        return self._point(self._times(point, scalar))

    def add(self, left: Point, right: Point) -> Point:
        return self._point(add(self._coordinates(left), prepare(self._coordinates(right))))

    def sub(self, left: Point, right: Point) -> Point:
        return self._point(add(self._coordinates(left), prepare(negative(self._coordinates(right)))))

    def msm(self, points: Sequence[Point], scalars: Sequence[int]) -> Point:
        total = NEUTRAL
        rest: list[tuple[Element, int]] = []
        for point, scalar in zip(points, scalars, strict=True):
            table = self._base if point == BASE else self._tables.get(point)
            if table is not None:
                total = add(total, prepare(_by_table(table, scalar)))
            else:
                rest.append((self._coordinates(point), scalar))
        if rest:
            method: Callable[[list[tuple[Element, int]]], Element] = _buckets if len(rest) > _MANY else _ladder
            total = add(total, prepare(method(rest)))
        return self._point(total)

    def from_uniform(self, data: bytes) -> Point:
        return self._point(from_uniform(data))

    def _coordinates(self, point: Point) -> Element:
        element = self._decoded.get(point)
        if element is None:
            element = decode(point)
            self._decoded.put(point, element)
        return element

    def _point(self, element: Element) -> Point:
        point = Point(encode(element))
        self._decoded.put(point, element)
        return point

    def _times(self, point: Point, scalar: int) -> Element:
        table = self._base if point == BASE else self._tables.get(point)
        if table is not None:
            return _by_table(table, scalar)
        uses = (self._uses.get(point) or 0) + 1
        self._uses.put(point, uses)
        if uses < _USES_BEFORE_TABLE:
            return _ladder([(self._coordinates(point), scalar)])
        table = _table(self._coordinates(point))
        self._tables.put(point, table)
        return _by_table(table, scalar)


def _digits(scalar: int) -> bytes:
    """The windows of a scalar, lowest first."""
    return bytes(nibble for byte in scalar.to_bytes(_DIGITS // 2, "little") for nibble in (byte & 15, byte >> _WINDOW))


def _row(element: Element) -> list[Addend]:
    """0, 1, ..., 15 times the element."""
    step, row, now = prepare(element), [prepare(NEUTRAL)], NEUTRAL
    for _ in range(15):
        now = add(now, step)
        row.append(prepare(now))
    return row


def _table(element: Element) -> list[list[Addend]]:
    """A row for every window: 16**i times the element."""
    table = []
    for _ in range(_DIGITS):
        table.append(_row(element))
        for _ in range(_WINDOW):
            element = double(element)
    return table


def _by_table(table: list[list[Addend]], scalar: int) -> Element:
    total = NEUTRAL
    for row, digit in zip(table, _digits(scalar), strict=True):
        if digit:
            total = add(total, row[digit])
    return total


def _ladder(terms: list[tuple[Element, int]]) -> Element:
    """Few terms: one ladder of doublings for all (Straus)."""
    rows = [_row(element) for element, _ in terms]
    columns = zip_longest(*(reversed(_digits(scalar)) for _, scalar in terms))
    total = NEUTRAL
    for column in columns:
        if total is not NEUTRAL:
            total = double(double(double(double(total))))
        for row, digit in zip(rows, column, strict=True):
            if digit:
                total = add(total, row[digit])
    return total


def _buckets(terms: list[tuple[Element, int]]) -> Element:
    """Many terms: sort them into buckets by digit, window by window (Pippenger)."""
    width = max(4, len(terms).bit_length() - 2)
    mask, buckets = (1 << width) - 1, 1 << width
    prepared = [(prepare(element), scalar) for element, scalar in terms if scalar]
    top = max((scalar.bit_length() for _, scalar in prepared), default=0)
    total = NEUTRAL
    for low in reversed(range(0, top, width)):
        for _ in range(width):
            total = double(total)
        sums: list[Element | None] = [None] * buckets
        for addend, scalar in prepared:
            digit = scalar >> low & mask
            if digit:
                filled = sums[digit]
                sums[digit] = add(NEUTRAL if filled is None else filled, addend)
        running = collected = NEUTRAL
        for digit in range(mask, 0, -1):
            filled = sums[digit]
            if filled is not None:
                running = add(running, prepare(filled))
            if running is not NEUTRAL:
                collected = add(collected, prepare(running))
        total = add(total, prepare(collected))
    return total
