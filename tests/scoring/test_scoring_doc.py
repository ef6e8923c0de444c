"""Every example of docs/scoring.md is scored."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from frp2p.cards import sets
from frp2p.scoring import Context, House, score
from frp2p.scoring.notation import parse_line

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scoring.md"
EXAMPLE = re.compile(r"^(?P<line>.+) = (?P<total>-?\d+)(?: \((?P<options>[^)]*)\))?$")


def examples() -> list[str]:
    blocks = re.findall(r"^```hands\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def context_with(options: str) -> Context:
    given: dict[str, Any] = {}
    house: dict[str, bool] = {}
    for option in filter(None, options.split(", ")):
        words = option.split()
        if words[0] == "phoenix":
            given["phoenix"] = words[1]
        elif option == "extra suits":
            given["extra_suits"] = True
        elif option == "jester":
            given["jester"] = True
        else:
            house[words[0]] = {"on": True, "off": False}[words[1]]
    return Context(**given, house=House(**house))


def test_there_are_examples_for_every_house_rule() -> None:
    text = "\n".join(examples())
    assert len(examples()) > 60
    for name in House.__struct_fields__:
        assert re.search(rf"\b{name} (on|off)", text), name


@pytest.mark.parametrize("example", examples())
def test_an_example_scores_as_the_page_says(example: str) -> None:
    found = EXAMPLE.match(example)
    assert found, example
    context = context_with(found["options"] or "")
    line = parse_line(found["line"], context.deck() + sets.items())
    around = Context(
        players=line.players or 4,
        discard=line.discard or (),
        items=line.items or (),
        extra_suits=context.extra_suits,
        jester=context.jester,
        phoenix=context.phoenix,
        house=context.house,
    )
    assert score(line.hand, line.choices, around).total == int(found["total"])
