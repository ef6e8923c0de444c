"""The small faults that can be put into a source, one at a time: scripts/mutate.py tries them."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from types import CodeType
from typing import Any

PAIRS = "Lt LtE, Gt GtE, Eq NotEq, Is IsNot, In NotIn, And Or, BitAnd BitOr, LShift RShift, Add Sub"
TURNED: dict[type, Any] = {ast.BitXor: ast.BitOr, ast.Mult: ast.Add, ast.Mod: ast.Mult, ast.FloorDiv: ast.Mult}
for one, other in (pair.split() for pair in PAIRS.split(", ")):
    TURNED |= {getattr(ast, one): getattr(ast, other), getattr(ast, other): getattr(ast, one)}

Change = Callable[[], object]


def turned(op: ast.AST) -> str:
    return f"{TURNED[type(op)].__name__} for {type(op).__name__}"


def faults(node: ast.AST, put: Callable[[Any], object], inside: bool) -> Iterator[tuple[str, Change]]:
    """What can be wrong at this node. `put` replaces it; `inside`: of a function."""
    match node:
        case ast.BinOp(left=ast.Constant(value=str())):
            return
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                yield (
                    f"{TURNED[type(op)].__name__} for {type(op).__name__}",
                    partial(ops.__setitem__, at, TURNED[type(op)]()),
                )
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) if type(op) in TURNED:
            yield (
                f"{TURNED[type(op)].__name__} for {type(op).__name__}",
                partial(setattr, node, "op", TURNED[type(op)]()),
            )
        case ast.UnaryOp(operand=operand) if not isinstance(operand, ast.Constant):
            yield f"no {type(node.op).__name__}", partial(put, operand)
        case ast.Constant(value=bool(value)) if inside:
            yield str(not value), partial(setattr, node, "value", not value)
        case ast.Constant(value=int(value)) if inside:
            yield f"{value + 1} for {value}", partial(setattr, node, "value", value + 1)
        case ast.If() | ast.IfExp():
            for value in (True, False):
                yield f"always {value}", partial(setattr, node, "test", ast.Constant(value))
        case ast.While():
            yield "never", partial(setattr, node, "test", ast.Constant(False))
        case ast.comprehension(ifs=ifs):
            for at in range(len(ifs)):
                yield "any", partial(ifs.__setitem__, at, ast.Constant(True))
        case (
            ast.Raise()
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
            | ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom())
        ):
            yield "left out", partial(put, ast.Pass())
        case ast.Continue():
            yield "break", partial(put, ast.Break())


def sites(node: ast.AST, put: Callable[[Any], object], inside: bool = False) -> Iterator[tuple[int, str, Change]]:
    """(line, fault, function that puts it in) of every fault of this tree."""
    if isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.dump(node.annotation)
    ):
        return
    line = getattr(node, "lineno", 0) or getattr(getattr(node, "target", None), "lineno", 0)
    for label, change in faults(node, put, inside):
        yield line, label, change
    inside = inside or isinstance(node, ast.FunctionDef | ast.Lambda)
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list"):
            for at, child in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(child, ast.AST):
                    change = (
                        partial(value.__setitem__, at) if isinstance(value, list) else partial(setattr, node, field)
                    )
                    yield from sites(child, change, inside)


def mutants(source: str, name: str) -> Iterator[tuple[int, str, CodeType]]:
    """(line, fault, code) of every mutant of this source."""
    for number in itertools.count():
        tree = ast.parse(source)
        found = next(itertools.islice(sites(tree, lambda _: None), number, None), None)
        if found is None:
            return
        line, label, change = found
        change()
        yield line, label, compile(ast.fix_missing_locations(tree), name, "exec")
