"""Values of decisions and beams by machine code: what the reference says, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import SWAPPED, Unsupported
from rulewright.compiler.lower.game import lower_value
from rulewright.errors import Fault
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.games import load_with
from rulewright.games.files.kinds import FileContext, check_file, load_file
from rulewright.model.evaluation import Evaluator, Factor
from rulewright.model.expressions import MOVER
from rulewright.players.machine import SearchTask, native_evaluator, weigh
from rulewright.players.personality import Personality
from rulewright.reference.evaluation import StaticEvaluator
from rulewright.search.kernels.root import OVER
from rulewright.search.one_ply import OnePlyArrays
from rulewright.search.reference_search import SearchBudget, beam
from rulewright.search.results import BeamShape, Limits, Score
from tests.shared.backends import BACKENDS, needs_llvm
from tests.shared.bundled import SMALL
from tests.shared.playing import played_on

SIZES: dict[str, dict[str, int | bool]] = {
    "connect5": {"size": 7}, "spanit": {"size": 3}, "connect4": {"width": 5, "height": 4, "run": 3},
    "pente": {"size": 7},
}  # fmt: skip
VALUES = [
    ("connect5", "connect5", "win"),
    ("connect5", "connect5", "stop_five"),
    ("connect4", "eager", "value"),
    ("pente", "pente", "value"),
    ("spanit", "spanit", "value"),
    ("spanit 4", "spanit", "value"),
    ("spanit", "pairing", "value"),
]
NATIVE = needs_llvm


@cache
def game(name: str) -> Game:
    """A small game; `NAME 4` is one of that size."""
    name, _, size = name.partition(" ")
    return load_with(name, {"size": int(size)} if size else dict(SIZES.get(name, {})))


@cache
def engine(name: str, backend: str) -> Engine:
    return Engine(game(name).play, backend)


@cache
def evaluator(name: str, file: str) -> Evaluator:
    return load_file(EVALUATOR, game(name), file)


def some_factor(factor: Factor, random: Random) -> float:
    """A value of a factor; what is drawn at random is drawn from a single number."""
    if factor.name == "NodeRandom":
        return 0
    if factor.whole:
        return random.randint(max(int(factor.low), -9), min(int(factor.high), 9))
    return random.uniform(factor.low, factor.high)


def random_state(start: State, random: Random, most: int) -> State:
    return played_on(start, random, random.randint(0, most), to_the_end=False)


def weigh_decisions(scales: OnePlyArrays, rows: Sequence[int]) -> dict[int, Score | None]:
    """The parts of the value of each decision, better for whom the value is said for."""
    scales.weigh(rows)
    assert scales.ask("weigh_on") == OVER
    player = scales.value_of.player
    sign = 1 if player == MOVER or player ^ scales.game[0][SWAPPED] == scales.person else -1
    lines = ((row, scales.line("", row)) for row in rows)
    return {row: None if line is None else sign_parts(line.score, sign) for row, line in lines}


def sign_parts(score: Score, sign: int) -> Score:
    """The parts of a value, as somebody sees them."""
    return tuple(sign * part for part in score[1:])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "file", "value"), VALUES)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_kernels_value_decisions_as_the_reference_does(
    name: str, file: str, value: str, backend: str, seed: int
) -> None:
    """Mutations this has caught: a change seen by the wrong player, a need that was not asked."""
    kernels, judged = engine(name, backend), evaluator(name, file)
    chosen = judged.value(value)
    assert chosen is not None
    random = Random(seed)
    factors = tuple(some_factor(f, random) for f in judged.factors)
    found = native_evaluator(kernels, judged, chosen, factors, judges_ends=False)
    assert found is not None
    scales, judge = (
        OnePlyArrays(engine=kernels, evaluator=found, value_of=chosen),
        StaticEvaluator(game(name).play, judged),
    )
    for _ in range(2 if backend == "python" else 12):
        here = random_state(game(name).start(), random, 25).situation
        assert scales.place(here.position) == len(here.options)
        some = range(len(here.options))
        tried = some if backend == "native" else random.sample(some, min(4, len(some)))
        weighed = weigh_decisions(scales, tried)
        for number in tried:
            choice = judge.choices(here.position, here.options[number])
            assert choice is not None
            theirs = judge.of_move(chosen, here.position, choice, factors)
            assert weighed[number] == theirs


# --- whole decisions ---


def both_roots(player: Personality, state: State, seed: int) -> tuple[object, object]:
    """The scores of all decisions by machine code and by the reference."""
    roots = [
        evolve(player, native=native).root(state, random=Random(seed), exact=True)
        for native in (True, False)
    ]
    one, two = ({t: line and (line.score, line.moves) for t, line in r.items()} for r in roots)
    return one, two


@NATIVE
@pytest.mark.parametrize(
    ("name", "who"),
    [("connect5", "smart"), ("connect4", "eager"), ("pente", "builder"), ("spanit", "perfect"),
     ("spanit", "default"), ("spanit", "scatterer"), ("hex", "builder")],
)  # fmt: skip
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_decisions_are_scored_as_over_the_reference(name: str, who: str, seed: int) -> None:
    """Mutations this has caught: a breadth rounded down, a reply not faded, the wrong line."""
    small = load_with(name, {"size": 4}) if name == "hex" else game(name)
    player, random = Personality.load(who, small), Random(seed)
    model = player.model
    kind = "one_ply" if model.search.kind == "alphabeta" else model.search.kind
    kept = tuple(s for s in model.search.settings if s.name != "time")
    search = evolve(model.search, kind=kind, settings=kept)
    player = Personality.of(evolve(model, search=search), small)
    state = random_state(small.start(), random, 12)
    native = load_engine(small)
    assert not isinstance(native, str)
    one, two = both_roots(player, state, seed)
    assert one == two


@NATIVE
@settings(max_examples=3, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    breadth=st.integers(1, 6),
    depth=st.integers(1, 4),
    trim=st.sampled_from([0.0, 0.2, 0.5, -0.25]),
    fade=st.sampled_from([0, 0.15, 1.0, -0.5]),
)
def test_beams_of_all_shapes_agree(
    seed: int, breadth: int, depth: int, trim: float, fade: float
) -> None:
    player = Personality.load("default", game("spanit"))
    state = random_state(game("spanit").start(), Random(seed), 10)
    scorer, limits = player.scorer(state, "", Random(0)), Limits(None)
    shape = BeamShape(breadth, depth, trim, fade)
    ours = weigh(state, SearchTask(scorer, limits), shape, "all")
    theirs = beam(state, scorer, SearchBudget(limits), shape)
    assert ours is not None
    for text, line in theirs.items():
        mine = ours[text]
        assert (mine and mine.score) == (line and line.score)
        assert (mine and mine.moves) == (line and line.moves)


@NATIVE
def test_finished_games_count_as_their_personality_says(tmp_path: Path) -> None:
    (tmp_path / "full.eval").write_text(
        "format 1\nevaluator full for tictactoe\n"
        "value of position for mover = count own - count enemy, x(c1 if c1 in own else a1)\n"
    )
    for ends in ("decided", "valued"):
        path = tmp_path / f"{ends}.personality"
        path.write_text(
            f"format 1\npersonality {ends} for tictactoe\nuse full\nsearch one_ply, ends {ends}\n"
        )
        start = load_with("tictactoe", {}).start()
        player = Personality.load(path, start.game)
        for moves in ("a1 b1 a2 b2", "a1 b1 a2 b2 c3", "a1 a2 a3 b1 b3 b2 c1 c3"):
            one, two = both_roots(player, start.play(moves), 0)
            assert one == two


@NATIVE
def test_a_fault_is_reported_by_the_reference_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.eval").write_text(
        'format 1\nevaluator bad for tictactoe\nfactor zero = 0 in 0..1 "nothing"\n'
        "value of move place for mover = 1 / zero\n"
    )
    path = tmp_path / "bad.personality"
    path.write_text("format 1\npersonality bad for tictactoe\nuse bad\nsearch one_ply\n")
    start = load_with("tictactoe", {}).start()
    with pytest.raises(Fault, match=r"bad.eval:4: .*divide-by-zero"):
        Personality.load(path, start.game).choose(start)


@NATIVE
def test_a_whole_number_that_no_float_holds_is_left_to_the_reference(tmp_path: Path) -> None:
    (tmp_path / "big.eval").write_text(
        "format 1\nevaluator big for tictactoe\n"
        "value of move place for mover = power(3, 38) + x(cell)\n"
    )
    path = tmp_path / "big.personality"
    path.write_text(
        "format 1\npersonality big for tictactoe\nuse big\nsearch beam, breadth 3, depth 3\n"
    )
    start = load_with("tictactoe", {}).start()
    player = Personality.load(path, start.game)
    one, two = both_roots(player, start, 0)
    assert one == two
    scorer = player.scorer(start, "", Random(0))
    asked = SearchTask(scorer, Limits(None))
    assert weigh(start, asked, BeamShape(3, 3, 0.0, 0), "all") is None
    assert weigh(start, asked) is not None


# --- changes, in games of every kind ---

CHANGES = """format 1
evaluator changes for {game}
let worth(g) = count g * count g + max(s in g : x(s)) - 3 * min(s in g : y(s))
let shapes = sum(g in groups(own) : worth(g) if count g > 1 else 1)
let places = sum(s in own : x(s) * y(s)) - count enemy
let slopes = sum(g in groups(own, {way}) : count g * count g)
let gain = change(shapes) - change(places) + 2 * change(count groups(own or enemy))
value of move {move} for mover = gain - 3 * gain for enemy + 5 * change(slopes)
"""


@NATIVE
@pytest.mark.parametrize(
    ("name", "move"),
    [("pente", "place"), ("othello", "place"), ("breakthrough", "step"), ("amazons", "slide"),
     ("amazons", "shoot"), ("hex", "place"), ("twixt", "place"), ("morris", "take"),
     ("morris", "drop"), ("conniption", "drop"), ("coins", "snip")],
)  # fmt: skip
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_changes_are_those_of_the_reference(name: str, move: str, seed: int) -> None:
    """Mutations this has caught: an effect of the enemy's on own pieces, a group next to none."""
    (small, judged), random = judging(name, move), Random(seed)
    native = load_engine(small)
    assert not isinstance(native, str)
    (value,) = judged.values
    found = native_evaluator(native, judged, value, (), judges_ends=False)
    assert found is not None
    scales, judge = (
        OnePlyArrays(engine=native, evaluator=found, value_of=value),
        StaticEvaluator(small.play, judged),
    )
    here = random_state(small.start(), random, 30).situation
    weighed = weigh_decisions(scales, range(scales.place(here.position)))
    for number, option in enumerate(here.options):
        if option.move in value.moves:
            choice = judge.choices(here.position, option)
            assert choice is not None
            assert weighed[number] == judge.of_move(value, here.position, choice)
        else:
            assert weighed[number] is None


@pytest.mark.parametrize(
    ("name", "move", "reason"),
    [("loa", "slide", "a ray that the other player"), ("go", "play", "a need of the other player"),
     ("draughts", "walk", "a ray that the other player"), ("dots", "mark", "")],
)  # fmt: skip
def test_what_kernels_do_not_cover_is_refused_with_the_reason(
    name: str, move: str, reason: str
) -> None:
    small, judged = judging(name, move)
    plan = Engine(small.play, "python").plan
    if not reason:
        assert "def worth(" in lower_value(plan, judged, judged.values[0]).text
        return
    with pytest.raises(Unsupported, match=reason):
        lower_value(plan, judged, judged.values[0])


@cache
def judging(name: str, move: str) -> tuple[Game, Evaluator]:
    """A small game, and an evaluator of one of its moves."""
    small = load_with(name, dict(SMALL.get(name, {})))
    way = "near" if small.rules.board.is_drawn else "east or northeast"  # one way
    text = CHANGES.format(game=name, move=move, way=way)
    report = check_file(EVALUATOR, "changes", text.encode(), FileContext(small))
    assert report.model is not None, report.diagnostics
    return small, report.model
