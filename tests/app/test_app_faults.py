"""Faults in words: whatever a program of ours can refuse, people read in their language."""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from frp2p import locale
from frp2p.app.faults import SENTENCES, sentence

ROOT = Path(__file__).parents[2]
REGISTRY = ROOT / "protocol" / "registry" / "error-codes.csv"
PACKAGE = ROOT / "frp2p"

FAMILIES = {"PeerFault": "peer-fault", "LocalError": "local-error", "UserError": "user-error"} | {
    "TableStop": "", "Fault": "", "NameFault": "", "NotAsked": "not-asked",
    "IllegalMove": "illegal-move", "IllegalChoices": "illegal-choices",
}  # fmt: skip
"""What is raised with a code and a message, and its code where it is given none."""

CHECK_FIRST = ("PeerFault", "TableStop", "Fault")
"""Of these the code is the first argument and the message the next one that is a text."""

NEVER = {
    "bad-line": "an answer to a program, in JSON",
    "deal-card": "a mistake of ours: told by its name, with the details in a file",
    "deal-joint-key": "a mistake of ours",
    "deal-misuse": "a mistake of ours",
    "encoding-local": "a mistake of ours",
    "exclude-false": "a mistake of ours",
    "local-error": "a mistake of ours",
    "no-card-text": "a mistake of ours",
    "peer-fault": "a family, every member has a code of its own",
}
"""Codes whose message no person is shown."""


ONLY_ENGLISH = {"frp2p/cli/language.py"}
"""Says that there are no texts in the other language."""

COMPUTED = {
    "frp2p/deal/proofs/pop.py": {"pop-deck", "pop-view"},
    "frp2p/deal/proofs/shuffle.py": {"shuffle-chain", "shuffle-mask-a", "shuffle-mask-b"}
    | {"shuffle-product", "shuffle-sum", "shuffle-weights"},
    "frp2p/deal/sealed/dealer.py": {"mask-repeat", "scalar-range"},
    "frp2p/ledger/names.py": {"name-empty", "name-form", "name-character", "name-space", "name-marks", "name-width"},
    "frp2p/ledger/signing.py": {"key-size", "key-canonical", "key-curve", "key-small-order"},
    "frp2p/table/peer.py": {"name-empty", "name-form", "name-character", "name-space", "name-marks", "name-width"},
    "frp2p/table/watching.py": {"host-left"},
}
"""Where a code is not written beside its English message, and what it can be."""


class Site(NamedTuple):
    """A place that raises: its code (empty: not written there), and whether the message is English text."""

    where: str
    line: int
    code: str
    plain: bool


def registered() -> list[str]:
    with REGISTRY.open(encoding="utf-8", newline="") as file:
        return [row["code"] for row in csv.DictReader(file)]


def is_plain(node: ast.expr | None, function: ast.AST) -> bool:
    """Whether the message is written there as English text: no message at all is the English docstring."""
    if isinstance(node, ast.Name):
        given = [
            one.value
            for one in ast.walk(function)
            if isinstance(one, ast.Assign) and any(isinstance(to, ast.Name) and to.id == node.id for to in one.targets)
        ]
        return any(isinstance(value, ast.Constant | ast.JoinedStr) for value in given)
    return node is None or isinstance(node, ast.Constant | ast.JoinedStr)


def site(call: ast.Call, name: str, function: ast.AST, where: tuple[str, int]) -> Site:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if name in CHECK_FIRST:
        code, texts = (
            call.args[0],
            [one for one in call.args[1:] if not (isinstance(one, ast.Constant) and one.value is None)],
        )
    else:
        code, texts = named.get("code", ast.Constant(FAMILIES[name])), call.args
    written = str(code.value) if isinstance(code, ast.Constant) else ""
    return Site(*where, written, is_plain(texts[0] if texts else None, function))


def sites() -> Iterator[Site]:
    """Every place in the program that makes such an error."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if "testing" in path.parts:
            continue
        where, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        for function in functions:
            for node in ast.walk(function):
                name = getattr(getattr(node, "func", None), "id", "")
                if isinstance(node, ast.Call) and name in FAMILIES and (node.args or name not in CHECK_FIRST):
                    yield site(node, name, function, (where, node.lineno))
                elif isinstance(node, ast.Raise) and getattr(node.exc, "id", "") in FAMILIES:
                    yield Site(where, node.lineno, FAMILIES[node.exc.id], True)  # type: ignore[union-attr]


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    locale.use("en")


def test_every_code_has_a_sentence_or_is_one_where_it_is_raised() -> None:
    """A code without an entry is raised with a text in the language in use everywhere, or never shown."""
    found = list(sites())
    assert len({one.code for one in found}) > 150, "the search finds no codes"
    plain = {one.code: one.where for one in found if one.plain and one.where not in ONLY_ENGLISH}
    raised = {one.code for one in found}
    for code in registered():
        if code in SENTENCES or code in NEVER:
            continue
        assert code not in plain, f"{plain[code]}: people would read this in English"
        assert code in raised or code == "illegal-choices", f"{code} has no sentence"


def test_a_computed_code_has_a_sentence() -> None:
    assert {one.where for one in sites() if one.plain and not one.code} == COMPUTED.keys()
    assert set().union(*COMPUTED.values()) <= SENTENCES.keys()


def test_no_sentence_is_left_over() -> None:
    known = set(registered())
    assert known >= set(SENTENCES)
    assert known >= set(NEVER)
    assert not NEVER.keys() & SENTENCES.keys()


def test_a_sentence_with_a_message_in_it_gets_a_translated_one() -> None:
    quoting = {code for code, text in SENTENCES.items() if "{message}" in text}
    assert quoting == {"illegal-move", "charter-options"}
    assert not [one for one in sites() if one.code in quoting and one.plain]


@pytest.mark.parametrize("code", SENTENCES)
def test_each_sentence_speaks_the_language_in_use(code: str) -> None:
    english = sentence(code, "")
    assert english[0].isupper()
    locale.use("pt_BR")
    assert sentence(code, "") != english


def test_an_unknown_code_keeps_its_message() -> None:
    """Another program may close a link for a reason that this one has never heard of."""
    message = "The link to the host was closed for a reason that is not known here."
    assert sentence("of-a-later-version", message) == message
    locale.use("pt_BR")
    assert sentence("of-a-later-version", message) == (
        "A conexão com o anfitrião foi fechada por um motivo desconhecido aqui."
    )
    assert sentence("of-a-later-version", "") == ""
