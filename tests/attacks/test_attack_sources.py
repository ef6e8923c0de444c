"""What the source itself must not contain: scans of every file of the program, each with a control that is found."""

from __future__ import annotations

import ast
import csv
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from attack_kit import CLAIMS

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "frp2p"
CORE = ("cards", "scoring", "games", "deal", "ledger", "table")
Finder = Callable[[ast.AST], bool]


def sources(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    """Name and syntax tree of every file in these folders of the program (all of it if none is named)."""
    for folder in folders or (".",):
        for path in sorted((PROGRAM / folder).rglob("*.py")):
            yield path.relative_to(PROGRAM).as_posix(), parsed(path)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def where(finder: Finder, *folders: str) -> set[str]:
    """The files in which it finds something."""
    return {name for name, tree in sources(*folders) if any(map(finder, ast.walk(tree)))}


def finds(finder: Finder, text: str) -> bool:
    return any(map(finder, ast.walk(ast.parse(text))))


def imports(*modules: str) -> Finder:
    def finder(node: ast.AST) -> bool:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        return any(name == module or name.startswith(f"{module}.") for name in names for module in modules)

    return finder


def calls(*names: str) -> Finder:
    """Calls of builtins by name, or of attributes by name."""

    def finder(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        called = node.func
        return getattr(called, "id", getattr(called, "attr", "")) in names

    return finder


def is_assert(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert)


LOADERS = imports("pickle", "marshal", "shelve", "dill", "yaml", "jsonpickle")
RUNNERS = calls("eval", "exec", "__import__")
RANDOM, SECRETS = imports("random"), imports("secrets")
OTHER_SOURCES = calls("urandom", "getrandom", "SystemRandom", "uuid1", "uuid4", "getrandbits")
THREADS = imports("threading", "concurrent", "multiprocessing")


@pytest.mark.pitfall(42)
def test_no_check_vanishes_with_the_optimiser() -> None:
    """`python -O` drops assert statements, so there are none."""
    assert finds(is_assert, "assert proof")
    assert where(is_assert) == set()


@pytest.mark.pitfall(42)
def test_nothing_loads_or_runs_what_it_was_sent() -> None:
    assert finds(LOADERS, "from pickle import loads")
    assert finds(RUNNERS, "eval('1')")
    assert where(LOADERS) == where(RUNNERS) == set()


@pytest.mark.pitfall(23)
def test_where_randomness_comes_from() -> None:
    """The system's generator in one file; the predictable one only in bots and in networks for tests."""
    assert finds(SECRETS, "import secrets")
    assert finds(RANDOM, "from random import shuffle")
    assert finds(OTHER_SOURCES, "os.urandom(32)")
    assert where(SECRETS) == {"deal/entropy.py"}
    assert where(RANDOM, *CORE) == set()
    assert {name.split("/")[0] for name in where(RANDOM)} <= {"players", "testing"}
    assert where(OTHER_SOURCES, *CORE, "app", "net", "store", "tui") == set()


@pytest.mark.pitfall(42)
def test_no_fault_is_lost_in_a_thread() -> None:
    """Proofs are verified where their refusal is seen: the core starts no threads."""
    assert finds(THREADS, "from concurrent.futures import ThreadPoolExecutor")
    assert where(THREADS, *CORE) == set()


FALSE_SHARE = """
from frp2p.deal.entropy import fresh
from frp2p.deal.group import BASE
from frp2p.deal.group.sodium import SodiumGroup
from frp2p.deal.proofs import dleq
from frp2p.deal.scope import Scope
from frp2p.errors import PeerFault
group = SodiumGroup()
scope, key = Scope(group, b"", b""), group.base(5)
assert False, "not optimised"
dleq.verify(scope, key, key, group.mul(key, 5), dleq.prove(scope, key, key, group.mul(key, 5), 5, fresh))
try:
    dleq.verify(scope, key, key, BASE, dleq.prove(scope, key, key, BASE, 5, fresh))
except PeerFault as fault:
    print(fault.check)
"""


@pytest.mark.pitfall(42)
def test_a_false_share_is_refused_without_asserts() -> None:
    """A program started with `python -O` refuses what every other one refuses."""
    done = subprocess.run(
        [sys.executable, "-O", "-c", FALSE_SHARE], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == ["dleq"]


# every proof and every check is attacked


def texts(tree: ast.AST) -> set[str]:
    """All string constants, but those that stand alone as a statement (docstrings)."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in alone)
    return {node.value for node in constants if isinstance(node.value, str)}


def raised() -> set[str]:
    """The names of all checks of the dealers: what they refuse a contribution with."""
    found: set[str] = set()
    for _, tree in sources("deal"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "PeerFault":
                found |= texts(node.args[0])
            if isinstance(node, ast.Yield) and node.value is not None:
                found |= texts(node.value)
    found |= {"pop-deck", "pop-view", "shuffle-mask-a", "shuffle-mask-b"}
    return found - {"pop-"}


@pytest.mark.pitfall(3, 12)
def test_every_proof_type_is_attacked() -> None:
    """The claims of this suite are all proof types that there are: whoever adds one has to add it here."""
    types: set[str] = set()
    for _, tree in sources("deal/proofs"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "transcript":
                types |= {
                    arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                }
    assert {name.removesuffix("-deck").removesuffix("-view") for name in CLAIMS} == types
    assert set().union(*(claim.checks for claim in CLAIMS.values())) <= raised()


@pytest.mark.pitfall(12)
def test_every_check_is_registered_and_has_a_test() -> None:
    with (ROOT / "protocol" / "registry" / "error-codes.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["layer"] == "deal"]
    registered = {row["code"] for row in rows if not row["meaning"].startswith("Own program")}
    checks = raised()
    assert checks <= registered
    tested: set[str] = set()
    for folder in ("deal", "attacks"):
        for path in (ROOT / "tests" / folder).glob("test_*.py"):
            if path != Path(__file__):
                tested |= texts(parsed(path))
    assert checks - tested == set()
