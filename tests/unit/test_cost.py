"""What an expression is said to cost: every part by its formula, and never less than what is done.

The formulas are written down anew, by the sites of a board (`n`) and its longest line (`k`): a
number or a sign that is changed in `language/resolve/cost.py` is another formula.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rulewright.compiler.lower.evaluators import REALS
from rulewright.compiler.lower.operations import OPERATIONS as LOWERED
from rulewright.errors import Fault
from rulewright.games.files.games import check, loads
from rulewright.ground import budget, limits
from rulewright.language.resolve.cost import (
    BOARD,
    CHOICE,
    POSITION,
    STATE,
    STUCK,
    TABLE,
    UNBOUNDED,
    Measure,
    Measures,
    longest_line,
)  # fmt: skip
from rulewright.model import expressions as m
from rulewright.model.expressions import Type
from rulewright.model.rules import Rules
from rulewright.reference.evaluate import evaluate
from rulewright.reference.operate import OPERATE
from tests.generators import rule_files
from tests.shared.effort import tries

RULES = """format 1
game costly
players red blue
board square {width} by {height}
pieces stone
state kept = 0 in 0..7
let ahead for red = north
let ahead for blue = south
let beside = near(own)
move place
  choose c in empty
  put stone at c
  kept := 0
turn place
draw when stuck
win when {condition}
"""
Formula = Callable[[int, int], int]
FORMULAS: dict[str, Formula] = {
    "any own": lambda n, k: 4,
    "any near(own)": lambda n, k: n + 6,
    "count lines(2) = 1": lambda n, k: 20 * n + 7,
    "count groups(own) = 1": lambda n, k: 2 * n + 9,
    "any reach(own, full)": lambda n, k: 2 * n + 8,
    "any row(ply)": lambda n, k: 2 * n + 5,
    "any beside": lambda n, k: n + 7,
    "some(a in own, b in enemy : a = b)": lambda n, k: 4 * n * n + 2 * n + 4,
    "some(a in own : any whole_line(a, orthogonal))": lambda n, k: n * (2 * k * 4 + 5) + 4,
    "some(l in lines(2) : l in own)": lambda n, k: 4 * n * 5 + 20 * n + 4,
    "some(i in 1..5 : i = ply)": lambda n, k: 5 * 5 + 3,
    "some(i in 2..2 : i = ply)": lambda n, k: 5 + 3,
    "some(i in 1..kept : i = ply)": lambda n, k: 5 * 7 + 6,
    "some(i in 1..kept + 2 : i = ply)": lambda n, k: 5 * 9 + 9,
    "some(i in kept - 3..4 : i = ply)": lambda n, k: 5 * 8 + 9,
    "some(i in 0..count own : i = ply)": lambda n, k: (4 * n + 1) * 5 + 9,
    "some(i in 1..ply : i = ply)": lambda n, k: 5 * n + 7,
    "some(i in kept + 1..kept + 3 : i = ply)": lambda n, k: 5 * 10 + 12,
    "some(i in kept - 1..9 : i = ply)": lambda n, k: 5 * 11 + 9,
    "some(i in 1..3 - kept : i = ply)": lambda n, k: 5 * 3 + 9,
    "some(i in count own..9 : i = ply)": lambda n, k: 5 * 10 + 9,
    "some(i in 1..count own - 1 : i = ply)": lambda n, k: 5 * (4 * n - 1) + 12,
    "some(i in kept + 9..2 : i = ply)": lambda n, k: 5 + 9,
    "some(i in 3 + kept..9 : i = ply)": lambda n, k: 5 * 7 + 9,
    "some(i in 1..kept + ply : i = ply)": lambda n, k: 5 * n + 10,
    "some(i in kept + 2..count own + kept : i = ply)": lambda n, k: 5 * (4 * n + 6) + 15,
    "some(i in kept - kept..9 : i = ply)": lambda n, k: 5 * 17 + 9,
    "some(i in [kept, 2, ply] : i = ply)": lambda n, k: 5 * 3 + 8,
    "some(i in [1, 3, 4] : i = ply)": lambda n, k: 5 * 3 + 3,
    "some(f in [own, enemy] : any f)": lambda n, k: 2 * 3 + 8,
    "some(f in sides : any f)": lambda n, k: 4 * 3 + 3,
    "some(d in orthogonal : any d(own))": lambda n, k: 4 * (n + 6) + 3,
    "any ray from own along orthogonal /[enemy]/": lambda n, k: 4 * n * (k + 1) + 8,
    "any ray from own along orthogonal /[enemy+], own/": (
        lambda n, k: 4 * n * k * (k + k * k + 1) + 11
    ),
    "any ray from own along orthogonal /(enemy | own)+/": (
        lambda n, k: 4 * n * (k + k * k * (2 * k)) + 11
    ),
    "any ray from own along orthogonal /([enemy] | [own])+/": (
        lambda n, k: 4 * n * k * 2**k * (2 * (k + 1) * k) + 11
    ),
    "any ray from own along orthogonal /[enemy]+/": (lambda n, k: 4 * n * k * k * (k + 1) + 9),
}


def measures(rules: Rules) -> Measures:
    board = rules.board
    ranges = {0: (0, 7)}
    return Measures(rules.functions, board.sites.bit_count(), longest_line(board), ranges)


@pytest.mark.parametrize("condition", FORMULAS)
@settings(max_examples=4, deadline=None)
@given(width=st.integers(2, 6), height=st.integers(2, 6))
def test_a_part_costs_what_its_formula_says(condition: str, width: int, height: int) -> None:
    rules = loads(RULES.format(width=width, height=height, condition=condition)).rules
    found = measures(rules).of(rules.ends[1].condition).cost
    expected = FORMULAS[condition](width * height, max(width, height))
    assert found == expected


@pytest.mark.parametrize(
    ("condition", "height", "flags"),
    [
        ("any own", 2, POSITION), ("any near(own)", 3, POSITION | BOARD),
        ("kept > 0 or any near(own)", 4, POSITION | STATE | BOARD),
        ("stuck", 1, STUCK | POSITION), ("some(l in lines(2) : any ends(l))", 5, TABLE | BOARD),
        ("some(i in 1..ply : i = 3)", 4, POSITION | UNBOUNDED),
    ],
)  # fmt: skip
def test_levels_and_what_is_looked_at(condition: str, height: int, flags: int) -> None:
    rules = loads(RULES.format(width=3, height=3, condition=condition)).rules
    end = next(e for e in rules.ends if e.verdict == "win")
    found = measures(rules).of(end.condition)
    assert (found.height, found.flags) == (height, flags)


def test_a_change_costs_twice_what_it_is_of_and_copies() -> None:
    own = m.Apply(Type.SITES, "own")
    size = m.Apply(Type.INT, "count", (own,))
    known = Measures((), sites=9)
    found = known.of(m.Change(Type.INT, size))
    assert (known.of(size).cost, found.cost, found.height) == (4, 2 * 4 + 20 * 9 + 1, 3)
    assert found.flags == POSITION | CHOICE
    assert known.of(m.ChosenValue(Type.SITE, "cell")).flags == POSITION | CHOICE
    assert Measure() == Measure(1, 1, 0, frozenset())


def test_a_walk_costs_what_it_was_measured_at() -> None:
    own = m.Apply(Type.SITES, "own")
    walk = Measure(70, 3, BOARD)
    known = Measures((), sites=9, walks={(m.ScanValue, 2): walk})
    found = known.of(m.ScanValue(Type.INT, 2, own, m.Const(Type.STEPS, ())))
    assert (found.cost, found.flags) == (2 + 1 + 70 + 1, POSITION | BOARD)
    assert (Measures(()).sites, Measures(()).longest) == (1, 1)


def test_what_is_worked_out_once_is_counted_twice_and_apart() -> None:
    rules = loads(RULES.format(width=3, height=3, condition="any beside or no beside")).rules
    known = measures(rules)
    condition = rules.ends[1].condition
    whole = known.of(condition).cost
    known.forget()
    known.settles = True
    found = known.of(condition)
    (number,) = found.once
    inside = known.function(number).cost
    assert whole - found.cost == 2 * inside
    assert known.steps(found) == found.cost + 2 * inside


@pytest.mark.parametrize(
    ("board", "length"),
    [("square 3 by 7", 7), ("square 1 by 1", 1), ("hexagon 3", 5),
     ("square 5 by 5 where not column(3)", 5),
     ("graph\n  line a b c d\n  line d a", 4), ("rhombus 4 by 2", 4)],
)  # fmt: skip
def test_the_longest_line_of_a_board(board: str, length: int) -> None:
    text = RULES.format(width=1, height=1, condition="no own").replace("square 1 by 1", board)
    for name in ("let ahead for red = north\n", "let ahead for blue = south\n"):
        text = text.replace(name, "")
    assert longest_line(loads(text).rules.board) == length


@settings(max_examples=tries(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(text=rule_files(), seed=st.integers(0, 2**32))
def test_no_end_takes_more_steps_than_it_is_said_to(text: str, seed: int) -> None:
    """In positions of a random game, by the reference, whose steps are counted."""
    report = check(text)
    assume(report.game is not None)
    assert report.game is not None
    rules, random = report.game.rules, Random(seed)
    known = measures(rules)
    ranges = {i: (s.low, s.high) for i, s in enumerate(rules.states) if s.low is not None}
    known.ranges = ranges  # type: ignore[assignment]
    try:
        here = report.game.play.start()
        for _ in range(6):
            for end in rules.ends:
                spent = steps(report.game, here, end.condition)
                assert spent <= known.of(end.condition).cost
            if here.ended or not here.options:
                break
            here = here.after(random.choice(here.options))
    except Fault:
        return


def steps(game: object, here: object, condition: object) -> int:
    """The steps of the reference for a condition; none that a fault cuts short."""
    with budget.within_steps(10**9, "") as counted:
        context = game.play.context(here.position)  # type: ignore[attr-defined]
        evaluate(condition, context)  # type: ignore[arg-type]
    return counted.spent


def test_what_passes_all_bounds_is_cut_off() -> None:
    text = RULES.format(width=40, height=40, condition="no own")
    wide = (
        "some(a in sites, b in sites, c in sites, d in sites, e in sites : a = b or c = d or e = a)"
    )
    rules = loads(text).rules
    report = check(text.replace("no own", wide))
    assert report.game is None
    assert limits.PLAY_COST < 1600**5
    assert measures(rules).of(rules.ends[1].condition).cost < limits.PLAY_COST


WRITTEN_OUT = (Type.FAMILY, Type.STEPS, Type.RANGE, Type.NUMBERS, Type.KINDS)
"""What kernels never hold as a value: they walk it, and write its parts out."""


def test_an_operation_has_its_row_its_meaning_and_its_kernels() -> None:
    """Whatever one of the three tables lacks is named here."""
    import_module("rulewright.reference.evaluation")  # adds what only evaluators have
    assert OPERATE.keys() == m.OPERATIONS.keys()
    held = {name for name, row in m.OPERATIONS.items() if row.gives not in WRITTEN_OUT}
    assert held - {*LOWERED, *REALS} == set()
    assert {*LOWERED, *REALS} <= m.OPERATIONS.keys()


def test_a_row_without_a_part_is_refused() -> None:
    with pytest.raises(TypeError, match="steps"):
        m.Operation((Type.SITES,), Type.TRUTH)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="most"):
        m.Operation((Type.SITES,), Type.INT, 1)
    with pytest.raises(ValueError, match="most"):
        m.Operation((Type.SITES,), Type.SITES, 1, 7)
    assert m.Operation((Type.SITES,), Type.INT, 1, 7).most == 7
