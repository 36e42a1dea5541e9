"""What a budget counts of the reference: work that grows with sites or with texts is no gift."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType

import pytest

from rulewright.games.files.games import loads
from rulewright.ground.budget import within_steps
from rulewright.reference import operate
from rulewright.reference.operate import OPERATE, SITES

RULES = """format 1
game sums

players white black
board square {size} by {size}{stacked}
pieces man "mM"
links bridge along orthogonal

move place
  choose cell in a1
  need {condition}
  put man at cell
  write "{text}"

turn place
draw when ply > 20
"""
ASKING = {
    "step": "any near(empty)",
    "ahead": "any north(empty, 2)",
    "height": "height(empty) = 0",
    "linked": "no bridge(empty)",
    "whole_line": "any whole_line(empty, east)",
    "reach": "any reach(a1, empty, orthogonal)",
    "reach_linked": "no reach(empty, empty, bridge) or any empty",
    "groups": "some(g in groups(empty) : any g)",
    "groups_linked": "some(g in groups(empty, bridge) : any g)",
}


def steps(size: int = 6, condition: str = "any sites", text: str = "{cell}") -> int:
    """How many steps the decisions of the first position take."""
    stacked = " stacked 2" if condition.startswith("height") else ""
    rules = RULES.format(size=size, condition=condition, text=text, stacked=stacked)
    state = loads(rules).start("reference")
    with within_steps(10**9, "") as budget:
        assert len(state.situation.options) == 1
    return budget.spent


@pytest.mark.parametrize("operation", SITES)
def test_work_that_grows_with_sites_is_counted(operation: str) -> None:
    grown = steps(48, ASKING[operation]) - steps(48)
    assert grown > 9 * (steps(12, ASKING[operation]) - steps(12))


WALKS = {"bits", "flood", "components"}
"""What the meaning of an operation calls where it goes through sites."""
ALONE = {"image"}
"""Operations that go through sites and are given a single one."""


def walks(meaning: Callable[..., object]) -> bool:
    """Whether a function goes through sites, or another one of `operate` that it calls does."""
    code = meaning.__code__
    names = {
        *code.co_names,
        *(n for c in code.co_consts if isinstance(c, CodeType) for n in c.co_names),
    }
    helpers = (vars(operate).get(name) for name in names if name.startswith("_"))
    return bool(WALKS & names) or any(walks(h) for h in helpers if isinstance(h, FunctionType))


def test_every_operation_that_goes_through_sites_is_counted() -> None:
    """A row of `OPERATE` whose work grows with sites has one in `SITES` too."""
    assert set(SITES) <= set(OPERATE)
    assert {name for name, meaning in OPERATE.items() if walks(meaning)} - ALONE <= set(SITES)


def test_long_texts_of_decisions_are_counted() -> None:
    assert steps(text="{count own}" * 160) - steps() == 40
    assert steps(text="{cell}-{cell}") == steps()
