"""What a budget counts of the reference: work that grows with sites or with texts is no gift."""

from __future__ import annotations

import pytest

from rulewright.games.files.games import loads
from rulewright.ground.budget import within_steps
from rulewright.reference.operate import OPERATE, SITES

RULES = """format 1
game sums

players white black
board square {size} by {size}
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
    "linked": "no bridge(empty)",
    "whole_line": "any whole_line(empty, east)",
    "reach": "any reach(a1, empty, orthogonal)",
    "reach_linked": "no reach(empty, empty, bridge) or any empty",
    "groups": "some(g in groups(empty) : any g)",
    "groups_linked": "some(g in groups(empty, bridge) : any g)",
}


def steps(size: int = 6, condition: str = "any sites", text: str = "{cell}") -> int:
    """How many steps the decisions of the first position take."""
    rules = RULES.format(size=size, condition=condition, text=text)
    state = loads(rules).start("reference")
    with within_steps(10**9, "") as budget:
        assert len(state.situation.options) == 1
    return budget.spent


@pytest.mark.parametrize("operation", SITES)
def test_work_that_grows_with_sites_is_counted(operation: str) -> None:
    grown = steps(48, ASKING[operation]) - steps(48)
    assert grown > 9 * (steps(12, ASKING[operation]) - steps(12))


def test_what_is_counted_is_an_operation() -> None:
    assert set(SITES) <= set(OPERATE)


def test_long_texts_of_decisions_are_counted() -> None:
    assert steps(text="{count own}" * 160) - steps() == 40
    assert steps(text="{cell}-{cell}") == steps()
