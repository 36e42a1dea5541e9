"""The sites of lines by shifts: sets, and values of moves that share them, beside the reference."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.compiler.lower.game import lower_value
from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.games import load_with
from rulewright.games.files.kinds import FileContext, check_file, load_file
from rulewright.model.evaluation import Evaluator
from rulewright.players.machine import native_evaluator, pack_values
from rulewright.reference.evaluation import StaticEvaluator, side
from rulewright.reference.play import Situation
from tests.shared.backends import needs_llvm
from tests.shared.effort import tries

pytestmark = needs_llvm

ENDS = ("", " and count (empty ends(l)) = 2", " and no own ends(l)", " and no enemy ends(l)")
COUNTS = ("count (own l) = {n}", "count (own l) >= {n}", "own meets l", "no own l")
OTHERS = ("", " and no enemy l", " and count (enemy l) < 2")
WHERES = ("l", "(l or ends(l))", "ends(l)")
WHOLE = "(those(l in lines({k}) : {c}))"
SOME = "those(s in {d} : some(l in lines({k}) : s in {w} and {c}))"
EVERY = "those(s in {d} : every(l in lines({k}) : s in {w} or not ({c})))"
OR_ELSE = "those(s in {d} : every(l in lines({k}) : s in {w} or {c}))"
OUTSIDE = "those(s in {d} : every(l in lines({k}) : not (s in {w}) or not ({c})))"


@st.composite
def sets(draw: st.DrawFn) -> str:
    """A set of sites of lines."""
    condition = draw(st.sampled_from(COUNTS)).format(n=draw(st.integers(0, 4)))
    condition += draw(st.sampled_from(OTHERS)) + draw(st.sampled_from(ENDS))
    form = draw(st.sampled_from((WHOLE, SOME, EVERY)))
    where, domain = draw(st.sampled_from(WHERES)), draw(st.sampled_from(("empty", "sites")))
    return form.format(k=draw(st.integers(2, 5)), c=condition, w=where, d=domain)


def game(width: int, height: int) -> Game:
    return load_with("connect5", {"width": width, "height": height, "run": 4})


def evaluator(board: Game, one: str, two: str) -> Evaluator:
    text = (
        "format 1\nevaluator made for connect5\n"
        f"let one = {one}\nlet two = {two}\nlet both = (one for enemy) or two\n"
        "let chosen = one if any two else both\n"
        "value here of position for mover = count one + 100 * count two + 10000 * count chosen\n"
        "let which = 1 if point in chosen else 2 if point in both else 0\n"
        "value there of move place for mover = which\n"
        "value after of move place for mover = change(count chosen) + count both\n"
    )
    return check_file(EVALUATOR, "made.eval", text.encode(), FileContext(board, None)).loaded()


def situations(board: Game, seed: int) -> list[Situation]:
    random, situation, found = Random(seed), board.play.start(), list[Situation]()
    while situation.outcome is None and len(found) < 10:
        found.append(situation)
        situation = situation.after(random.choice(situation.options))
    return found[3::3]


def assert_agreed(engine: Engine, judged: Evaluator, name: str, places: list[Situation]) -> None:
    value = judged.value(name)
    assert value is not None
    found = native_evaluator(engine, judged, value, judged.defaults, judges_ends=False)
    assert found is not None
    kernels, judge, sizes = (
        engine.linked(found.linked),
        StaticEvaluator(engine.play, judged),
        engine.sizes(),
    )
    arrays = [engine.constants if a == "K" else engine.array([0] * sizes[a]) for a in "SKMHXT"]
    factors = engine.array([*pack_values(judged.factors, judged.defaults), 0.0])
    for situation in places:
        position = situation.position
        engine.put(position, arrays[0], arrays[3])
        kernels["decisions"](*arrays, 0)
        sign = -1 if side(value, position) else 1
        if not value.of_move:
            theirs = float(judge.of_position(value, position, judged.defaults)[0])
            assert kernels["value"](*arrays, factors) == sign * theirs
            continue
        kernels["look"](*arrays, factors)
        for row, option in enumerate(situation.options):
            choice = judge.choices(position, option)
            assert choice is not None
            theirs = float(judge.of_move(value, position, choice, judged.defaults, Random(0))[0])
            assert kernels["worth"](*arrays, factors, row * engine.row) == sign * theirs


@settings(max_examples=tries(5), deadline=None)
@given(
    st.sampled_from([(5, 5), (7, 4), (9, 8)]), sets(), sets(), st.integers(0, 2**32),
    st.sampled_from(["here", "there", "after"]),
)  # fmt: skip
def test_sites_of_lines_are_those_of_the_reference(
    size: tuple[int, int], one: str, two: str, seed: int, name: str
) -> None:
    """It has caught sets of the position before a choice that stood for those after it."""
    board = game(*size)
    assert_agreed(
        Engine(board.play, "python"), evaluator(board, one, two), name, situations(board, seed)
    )


LINES_WHERE = "count(l in lines({k}) : {c})"
ANY_WHERE = "1 if some(l in lines({k}) : {c}) else 0"


@settings(max_examples=tries(5), deadline=None)
@given(
    st.sampled_from([(5, 5), (7, 4), (9, 8)]), st.integers(2, 5), st.sampled_from(COUNTS),
    st.integers(0, 4), st.sampled_from(OTHERS), st.sampled_from(ENDS), st.integers(0, 2**32),
)  # fmt: skip
def test_lines_where_a_condition_holds_are_counted_as_the_reference_does(
    size: tuple[int, int], k: int, count: str, n: int, other: str, ends: str, seed: int
) -> None:
    """Lines are added over all directions, each once, though several conditions count bits."""
    board, condition = game(*size), count.format(n=n) + other + ends
    text = (
        "format 1\nevaluator made for connect5\n"
        f"value here of position for mover = ({LINES_WHERE.format(k=k, c=condition)})"
        f" + 1000 * ({ANY_WHERE.format(k=k, c=condition)})\n"
    )
    judged = check_file(EVALUATOR, "made.eval", text.encode(), FileContext(board, None)).loaded()
    assert_agreed(Engine(board.play, "python"), judged, "here", situations(board, seed))


@pytest.mark.parametrize("form", [OR_ELSE, OUTSIDE])
@pytest.mark.parametrize("condition", ["count (own l) = 2", "no own l"])
def test_conditions_that_only_look_alike_are_not_taken_for_these(form: str, condition: str) -> None:
    """`A or not C` has shifts; `A or C` and `not A or not C` had those of `A or not C`."""
    board = game(5, 5)
    one = form.format(k=3, d="sites", w="l", c=condition)
    two = WHOLE.format(k=3, c="no own l")
    judged = evaluator(board, one, two)
    assert_agreed(Engine(board.play, "python"), judged, "here", situations(board, 1))


def test_machine_code_finds_the_same() -> None:
    board = game(9, 9)
    one = EVERY.format(k=4, d="empty", w="(l or ends(l))", c="count (own l) >= 2 and no enemy l")
    two = SOME.format(k=3, d="empty", w="l", c="count (own l) = 1 and count (empty ends(l)) = 2")
    judged = evaluator(board, one, two)
    for name in ("here", "there"):
        assert_agreed(Engine(board.play, "native"), judged, name, situations(board, 4)[1:4])


def test_threats_of_rows_are_shifted_and_shared() -> None:
    """Decisions look their sets up; none of them goes through lines, nor does the position."""
    board = load_with("connect5", {})
    judged = load_file(EVALUATOR, board, "threats")
    for name in ("reply", "strikes", "fourth", "promising", "position"):
        value = judged.value(name)
        assert value is not None
        text = lower_value(Engine(board.play, "python").plan, judged, value).text
        assert "while" not in text
