"""Evaluators as kernels: the same values, to the last bit, as the reference gives."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.compiler.lower.game import lower_value
from rulewright.errors import Fault
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.games import load_with, loads
from rulewright.games.files.kinds import FileContext, check_file, load_file
from rulewright.model.evaluation import Evaluator
from rulewright.model.personality import Opening, Pick, Search, Setting
from rulewright.model.personality import Personality as Model
from rulewright.players.machine import SearchTask, native_evaluator, pack_values, parts_at
from rulewright.players.machine import full_width as by_kernels
from rulewright.players.personality import Personality
from rulewright.reference.evaluation import StaticEvaluator, side
from rulewright.reference.position import Position
from rulewright.search.best import best
from rulewright.search.one_ply import OnePlyArrays
from rulewright.search.reference_search import SearchBudget, full_width
from rulewright.search.results import Limits
from tests.shared.backends import BACKENDS, needs_llvm
from tests.shared.bundled import SMALL
from tests.shared.effort import tries
from tests.shared.playing import played_on

VALUES = [
    ("conniption", "conniption", "sols"),
    ("conniption", "conniption", "cells"),
    ("conniption", "conniption", "flip"),
    ("connect4", "connect4", "value"),
    ("connect5", "lines", "value"),
    ("othello", "othello", "value"),
    ("othello", "frontier", "value"),
    ("draughts", "kings", "value"),
    ("amazons", "territory", "value"),
    ("breakthrough", "breakthrough", "value"),
    ("hex", "hex", "value"),
    ("twixt", "t1", "value"),
    ("twixt", "turns", "value"),
]


@cache
def game(name: str) -> Game:
    return load_with(name, dict(SMALL.get(name, {})))


@cache
def engine(name: str, backend: str) -> Engine:
    return Engine(game(name).play, backend)


@cache
def evaluator(name: str, file: str) -> Evaluator:
    return load_file(EVALUATOR, game(name), file)


def positions(name: str, seed: int, most: int) -> list[Position]:
    """Positions of a random game, by the reference."""
    random, situation, found = Random(seed), game(name).play.start(), list[Position]()
    while len(found) < most and situation.outcome is None:
        found.append(situation.position)
        situation = situation.after(random.choice(situation.options))
    return found


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "file", "value"), VALUES)
@settings(max_examples=1, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_kernels_value_positions_as_the_reference_does(
    name: str, file: str, value: str, backend: str, seed: int
) -> None:
    kernels, judged = engine(name, backend), evaluator(name, file)
    chosen = judged.value(value)
    assert chosen is not None
    random = Random(seed)
    factors = tuple(
        random.randint(int(f.low), int(f.high)) if f.whole else random.uniform(f.low, f.high)
        for f in judged.factors
    )
    found = native_evaluator(kernels, judged, chosen, factors, judges_ends=False)
    assert found is not None
    functions = kernels.linked(found.linked)
    sizes, judge = kernels.sizes(), StaticEvaluator(kernels.play, judged)
    arrays = [kernels.constants if a == "K" else kernels.array([0] * sizes[a]) for a in "SKMHXT"]
    values = kernels.array([*pack_values(judged.factors, factors), 0.0])
    for position in positions(name, seed, 12 if backend == "python" else 30):
        kernels.put(position, arrays[0], arrays[3])
        before = list(arrays[0])
        ours = functions["value"](*arrays, values)
        assert list(arrays[0]) == before
        theirs = float(judge.of_position(chosen, position, factors)[0])
        assert ours == (-theirs if side(chosen, position) else theirs)


def test_a_changed_factor_changes_no_kernel() -> None:
    judged = evaluator("connect4", "connect4")
    value = judged.values[0]
    kernels = engine("connect4", "python")
    one = native_evaluator(kernels, judged, value, judged.defaults, judges_ends=False)
    two = native_evaluator(kernels, judged, value, [0] * len(judged.factors), judges_ends=False)
    assert one is not None
    assert two is not None
    assert one.linked is two.linked
    assert one.factors != two.factors


def test_the_text_of_an_evaluator_names_no_factor_value() -> None:
    judged = evaluator("conniption", "conniption")
    value = judged.value("flip")
    assert value is not None
    text = lower_value(Engine(game("conniption").play, "python").plan, judged, value).text
    assert "1024" not in text


@needs_llvm
@pytest.mark.parametrize(
    ("name", "who"),
    [("conniption", "sols"), ("conniption", "flip"), ("connect4", "counter"), ("hex", "builder")],
)
@settings(max_examples=tries(4), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_native_searches_score_decisions_as_those_over_the_reference(
    name: str, who: str, seed: int
) -> None:
    """Mutations this has caught: a depth off by one, a sign, ends valued or not."""
    options = {"connect4": {"width": 4, "height": 3, "run": 3}, "hex": {"size": 3}}
    small = load_with(name, dict(options.get(name, {})))
    player = Personality.load(who, small)
    search = player.model.search
    shallow = evolve(search, settings=tuple(_shallow(s) for s in search.settings))
    player = Personality.of(evolve(player.model, search=shallow), small)
    random, state = Random(seed), small.start()
    state = played_on(state, random, random.randint(0, 8))
    if state.over:
        return
    limits = player.limits(None)
    value = player.value()
    scorer = player.scorer(state, value.name, Random(0))
    native = by_kernels(state, SearchTask(scorer, limits, exact=True))
    assert native is not None
    theirs = full_width(state, scorer, SearchBudget(limits), exact=True)
    assert {t: line and line.score for t, line in native.items()} == {
        t: line and line.score for t, line in theirs.items()
    }


@needs_llvm
@pytest.mark.parametrize(
    ("name", "who"),
    [("conniption", "flip"), ("connect4", "counter"), ("connect5", "smart"),
     ("othello", "cornered"), ("hex", "builder")],
)  # fmt: skip
@settings(max_examples=1, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_explanations_take_from_kernels_what_the_reference_says(
    name: str, who: str, seed: int
) -> None:
    """Mutations this has caught: the row before, the same factors for all."""
    player, random = Personality.load(who, game(name)), Random(seed)
    state = played_on(game(name).start(), random, random.randint(0, 8))
    judge, value = player.judge, player.value()
    assert judge is not None
    position, options = state.situation.position, state.situation.options
    rows = [i for i, o in enumerate(options) if o.move in value.moves] if value.of_move else [None]
    for row in random.sample(rows, min(2, len(rows))):
        choice = None if row is None else judge.choices(position, options[row])
        factors, scorer = player.model.factors, player.scorer(state, value.name, Random(0))
        sets = [factors, *((*factors[:i], 0, *factors[i + 1 :]) for i in range(len(factors)))]
        ours = parts_at(state, SearchTask(scorer, Limits()), (position, row), sets)
        theirs = [judge.of_move(value, position, choice, numbers) for numbers in sets]
        assert repr(ours) == repr(theirs)


def _shallow(setting: Setting) -> Setting:
    return (
        evolve(setting, value=1 if setting.unit == "turns" else 2)
        if setting.name == "depth"
        else setting
    )


def test_random_numbers_are_those_of_the_seed_and_in_their_range() -> None:
    start = load_with("conniption", {}).start()
    judged = load_file(EVALUATOR, start.game, "conniption")
    value = judged.value("random")
    assert value is not None
    kernels = load_engine(start.game)
    if isinstance(kernels, str):
        pytest.skip(kernels)
    judge = native_evaluator(kernels, judged, value, judged.defaults, judges_ends=True)
    assert judge is not None
    assert judge.draws
    limits = Limits(None, None, 3)
    found = [best(start, limits, seed, "exact", evaluator=judge).root for seed in (1, 1, 2, 3, 4)]
    assert found[0] == found[1]
    assert len(set(found)) > 1
    values = {v for root in found for _, v in root}
    assert values <= {float(n) for n in range(11)}
    assert len(values) > 1


def test_a_fault_of_an_evaluator_ends_the_search(tmp_path: Path) -> None:
    path = tmp_path / "bad.eval"
    path.write_text(
        "format 1\nevaluator bad for tictactoe\nlet worth = [0, 1]\n"
        "value of position for cross = worth(count full)\n"
    )
    start = load_with("tictactoe", {}).start()
    judged = load_file(EVALUATOR, start.game, path)
    kernels = load_engine(start.game)
    if isinstance(kernels, str):
        pytest.skip(kernels)
    judge = native_evaluator(kernels, judged, judged.values[0], judged.defaults, judges_ends=True)
    with pytest.raises(Fault, match="not-in-list"):
        best(start, Limits(None, None, 3), 0, "exact", evaluator=judge)


def test_shapes_that_only_an_evaluator_asks_for_have_kernels() -> None:
    """Their places lie behind those of the rules, which is where kernels note what they chose."""
    board = load_with("tictactoe", {})
    text = """format 1
evaluator rows for tictactoe
value of position for mover = (5 if some(l in lines(3) : l in own) else 0) + count own
"""
    read = check_file(EVALUATOR, "rows.eval", text.encode(), FileContext(board))
    assert read.model is not None
    wise = StaticEvaluator(board.play, read.model)
    model = Model("m", "tictactoe", read.model, (), Search("one_ply"), (Pick("best"),), (),
                  "first", Opening())  # fmt: skip
    state = board.start().play("a1 a2 b1")
    root = Personality.of(model, board).root(state)
    for move, line in root.items():
        assert line is not None
        after = state.play(move).situation.position
        assert line.score[1] == -wise.of_position(read.model.values[0], after)[0]


LONGEST_BY = """format 1
game strides
players red blue
board square 4 by 1
pieces man
setup
  put red man at a1
state total = 0 in 0..9 within turn
move stride
  choose a in red
  choose d in 1..2
  need any east(a, d) empty
  total := total + d
  move a to east(a, d)
turn longest by total stride*
draw when stuck
draw when ply = 3
"""
VALUED = """format 1
evaluator places for strides
value of position for red = count red - count blue
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_decision_ahead_has_kernels_where_ways_have_lengths(backend: str) -> None:
    """The kernel of how long a way is once had the name that values of moves have."""
    strides = loads(LONGEST_BY)
    engine = Engine(strides.play, backend)
    read = check_file(EVALUATOR, "places.eval", VALUED.encode(), FileContext(strides)).model
    assert isinstance(read, Evaluator)
    value = read.values[0]
    kernel = native_evaluator(engine, read, value, read.defaults, False)
    assert kernel is not None
    scales = OnePlyArrays(engine=engine, evaluator=kernel, value_of=value)
    assert scales.place(strides.play.first) == len(strides.play.start().options)
