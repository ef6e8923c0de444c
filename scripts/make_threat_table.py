"""Write the table of pitfalls into docs/threat-model.md, from tests/attacks/pitfalls.py and the markers of the tests.

Every dotted name and every test that the table names is looked up; one that is not there ends the script. `--check`
only compares; exit code 1 if the page would change.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
PAGE = ROOT / "docs" / "threat-model.md"
BEGIN = "<!-- begin: written by scripts/make_threat_table.py from tests/attacks; do not edit -->"
END = "<!-- end: written by scripts/make_threat_table.py -->"
TITLE = """
## Dealing: forty-three pitfalls

Attacks on programs that deal cards by cryptography, and faults of such programs, each with what answers it here. Tests
in `attacks/` run the attack; most run it against a weakened variant too, where it succeeds.

| # | attack | answer | where |
| --- | --- | --- | --- |
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    now = PAGE.read_text(encoding="utf-8")
    wanted = page(now)
    if check and now != wanted:
        print(f"{PAGE} is out of date: run {Path(__file__).name}", file=sys.stderr)
        return 1
    if not check:
        PAGE.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


def page(now: str) -> str:
    """The page with the section as it should be, at its place or at the end."""
    section = f"{BEGIN}\n{TITLE}{''.join(map(row, pitfalls()))}\n{END}\n"
    if BEGIN in now and END in now:
        head, rest = now.split(BEGIN, 1)
        return head + section + rest.split(END, 1)[1].removeprefix("\n")
    return f"{now.rstrip()}\n\n{section}"


def pitfalls() -> list[Any]:
    """The list of tests/attacks/pitfalls.py; ValueError unless every number is there once and answered."""
    spec = importlib.util.spec_from_file_location("pitfalls", TESTS / "attacks" / "pitfalls.py")
    if spec is None or spec.loader is None:
        raise ValueError("there is no list of pitfalls")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found: list[Any] = list(module.PITFALLS)
    if [pitfall.number for pitfall in found] != list(range(1, len(found) + 1)):
        raise ValueError("the numbers of the pitfalls have gaps")
    marks = marked()
    if unknown := set(marks) - {pitfall.number for pitfall in found}:
        raise ValueError(f"tests are marked with pitfalls that are none: {sorted(unknown)}")
    for pitfall in found:
        if not (marks[pitfall.number] or pitfall.tests or pitfall.constructs or pitfall.limit):
            raise ValueError(f"pitfall {pitfall.number} is not answered")
    return found


def row(pitfall: Any) -> str:
    for name in pitfall.constructs:
        look_up(name)
    for name in pitfall.tests:
        find_test(name)
    names = [*pitfall.constructs, *marked()[pitfall.number], *pitfall.tests]
    answer = pitfall.answer + (f". Open: {pitfall.limit}" if pitfall.limit else "")
    where = "<br>".join(f"`{name}`" for name in names)
    return f"| {pitfall.number} | {pitfall.attack} | {answer} | {where} |\n"


@cache
def marked() -> dict[int, list[str]]:
    """By number: the tests of tests/attacks with `@pytest.mark.pitfall(number, ...)`, in the order of the files."""
    found: dict[int, list[str]] = defaultdict(list)
    for path in sorted((TESTS / "attacks").glob("test_*.py")):
        for node in parsed(path).body:
            for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.pitfall":
                    for number in mark.args:
                        found[ast.literal_eval(number)].append(f"attacks/{path.name}::{node.name}")
    return found


def look_up(name: str) -> object:
    """The thing with this dotted name; ValueError if there is none."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        try:
            for part in parts[length:]:
                found = getattr(found, part)
        except AttributeError:
            break
        return found
    raise ValueError(f"there is no {name}")


def find_test(name: str) -> None:
    """ValueError unless there is a test `folder/file.py::function`."""
    file, function = name.split("::")
    path = TESTS / file
    nodes = parsed(path).body if path.exists() else []
    if not any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function for node in nodes):
        raise ValueError(f"there is no test {name}")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
