"""Sets that compare a coordinate of each site with a number are found a line at a time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.compiler.plan import plan_lines
from rulewright.games.files.games import loads
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries
from tests.tools.agreement.pair import Pair

RULES = """format 1
game x
players red blue
board square {size}
pieces stone
state deep = 1 in -9..9
move go
  choose a in empty
  let b = {within}
  put stone at a
  clear those(s in {domain} : {test})
  deep := (deep + 5) mod 17 - 8
turn go
draw when ply = 12
draw when stuck
"""
NUMBERS = {
    "y": (
        "deep", "x(s) - deep", "count (column(x(s)) full)", "(deep if s in b else x(s))",
        "(0 if s in b else count (column(x(s)) own)) + (x(s) + ply) div 3",
        "sum(t in column(x(s)) : y(t) if s in b else 1) - 4",
    ),
    "x": ("deep + y(s) mod 3", "(count b if not s in b else y(s))", "3"),
}  # fmt: skip


@st.composite
def rules(draw: st.DrawFn) -> str:
    key = draw(st.sampled_from("xy"))
    number = draw(st.sampled_from(NUMBERS[key]))
    sides = [f"{key}(s)", number]
    if draw(st.booleans()):
        sides.reverse()
    return RULES.format(
        size=draw(st.sampled_from(("4 by 3", "3 by 5", "9 by 9"))),
        within=draw(st.sampled_from(("column(x(a))", "own", "(not row(2))"))),
        domain=draw(st.sampled_from(("sites", "full", "(not border)"))),
        test=draw(st.sampled_from(("<", "<=", ">", ">=", "="))).join(sides),
    )


def alike(text: str, backend: str) -> None:
    play = loads(text).play
    pair = Pair(play, Engine(play, backend, use_cache=False))
    assert any("a line of the board at a time" in line for line in plan_lines(pair.kernels.plan))
    pair.game(1, 8)
    pair.sampled(2, 12)


@settings(deadline=None, max_examples=tries(6))
@given(rules())
def test_a_line_at_a_time_finds_the_same_sites(text: str) -> None:
    alike(text, "python")


@needs_llvm
@settings(deadline=None, max_examples=1)
@given(rules())
def test_a_line_at_a_time_finds_the_same_sites_as_machine_code(text: str) -> None:
    alike(text, "native")


@pytest.mark.parametrize(
    "test", ["y(s) <= 3 div deep", "y(s) <= count (north(s) full)", "y(s) + x(s) <= 5"]
)
def test_what_asks_for_more_of_a_site_is_asked_of_each(test: str) -> None:
    """Other faults could be of another site; a step leads out of the line."""
    text = RULES.format(size="4 by 3", within="own", domain="sites", test=test)
    play = loads(text).play
    pair = Pair(play, Engine(play, "python"))
    assert not any("at a time" in line for line in plan_lines(pair.kernels.plan))
    pair.game(1, 5)


def test_a_number_too_large_is_the_fault_that_it_is_elsewhere() -> None:
    large = "y(s) <= 1000000007 * 1000000007 * (3 * x(s) if s in b else 1 - x(s))"
    for within in ("own", "column(x(a))", "(not full)"):
        play = loads(RULES.format(size="4 by 3", within=within, domain="full", test=large)).play
        Pair(play, Engine(play, "python")).game(1, 5)
