"""Max^n and the paranoid search: reference and machine code say what the plain recursion says."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from attrs import evolve

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.games import load, loads
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.model.patterns import Patterns
from rulewright.model.personality import Consider, Opening, Pick, Search, Setting
from rulewright.model.personality import Personality as Model
from rulewright.players.personality import Personality
from rulewright.reference.matching import Matcher, placements
from rulewright.search.candidates import Proposing
from rulewright.search.results import FAR, Number
from rulewright.search.several import worths_of
from tests.shared.backends import needs_llvm
from tests.shared.evaluating import written

RULES = """format 1
game corner
players red blue green
board square 4 by 3
pieces man
setup
  put red man at a1 or b1
  put blue man at a3 or b3
  put green man at d2 or d1
move step
  choose a in own
  choose b in near(a) and not own
  move a to b
turn step
lose when stuck
win when no enemy
draw when ply = 12
"""
EVALUATOR = """format 1
evaluator crowd for corner
factor worth = 10 in 0..100 "each man"
let good = worth * count own + sum(s in own : x(s)) + count near(own) / 4
value of position for mover = good - max(p in others : good for p), count(s in own : y(s) = 1)
"""
Score = tuple[Number, ...]


DROPS = """format 1
game drops
players red blue green
board square 5 by 4
pieces man, stone
setup
  put nobody stone at c2
move drop
  choose a in empty
  put man at a
turn drop
win when some(l in lines(3) : l in own)
draw when stuck
"""
ROWS = """format 1
evaluator rows for drops
let good = sum(l in lines(3) : 0 if any enemy l else count own l)
path span
  from left empty costs 2
  from left own costs 0
  to right by 2
  step near into empty costs 1
  step near into own costs 0
  else 9
let worth = 4 * good + sum(s in own : x(s)) - span
value of position for mover = worth - max(p in others : worth for p)
"""
PROPOSING = """format 1
Patterns for drops
Around {around}
Off row  # towards a row of three
  | @ o + |
  Priority 9
Def stop
  | @ x + |
  Priority 8
Def hole
  | @ + x |
  Priority 8
Off beside
  | @ + |
Off between  # two enemies side by side, of whomever
  | @ x x + |
  Priority 5
Def about
  | . + |
  | @ . |
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def player(game: Game, kind: str, depth: int) -> Personality:
    evaluator, search = written(EVALUATOR, game), Search(kind, (Setting("depth", depth),))
    factors = tuple(factor.default for factor in evaluator.factors)
    picks = (Pick("best", "value"),)
    model = Model("plain", "corner", evaluator, factors, search, picks, (), "first", Opening())
    return Personality.of(model, game)


def score(personality: Personality, state: State, distance: int, who: int) -> Score:
    """What a position is worth to a player where looking stops."""
    outcome, position = state.situation.outcome, state.situation.position
    if outcome is not None:
        worth = worths_of(outcome, 3)[who]
        return (worth * (FAR - distance) if abs(worth) == 1 else 0, 0)
    assert personality.judge is not None
    asked = evolve(position, mover=who)
    return (
        0,
        *personality.judge.of_position(personality.value(), asked, personality.model.factors),
    )


def leaf(
    personality: Personality, state: State, depth: int, best: Callable[..., int]
) -> list[Score]:
    """The scores for all players of the leaf that play leads to; *best* chooses among those."""

    def look(state: State, left: int, distance: int) -> list[Score]:
        if state.over or left == 0:
            return [score(personality, state, distance, who) for who in range(3)]
        after = [look(state.play_decision(m), left - 1, distance + 1) for m in state.moves.texts]
        return after[best(after, state.position.mover)]

    return look(state, depth, 1)


def plain(personality: Personality, state: State, depth: int, paranoid: bool) -> dict[str, Score]:
    """The scores of all decisions, without any shortcut."""
    me = state.position.mover

    def best(leaves: list[list[Score]], mover: int) -> int:
        numbers = range(len(leaves))
        if not paranoid:
            return max(numbers, key=lambda n: leaves[n][mover])
        return (max if mover == me else min)(numbers, key=lambda n: leaves[n][me])

    return {
        m: leaf(personality, state.play_decision(m), depth - 1, best)[me] for m in state.moves.texts
    }


def middle(game: Game, seed: int) -> State:
    """A position that some random decisions lead to."""
    state, random = game.start(), Random(seed)
    for _ in range(seed):
        after = state.play_decision(random.choice(state.moves.texts))
        if after.over:
            break
        state = after
    return state


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=needs_llvm)])
@pytest.mark.parametrize("kind", ["maxn", "paranoid"])
@pytest.mark.parametrize("seed", [0, 5, 9, 11])
def test_scores_are_those_of_the_plain_recursion(
    game: Game, kind: str, seed: int, native: bool
) -> None:
    state = middle(game, seed)
    for depth in (1, 2, 3):
        personality = evolve(player(game, kind, depth), native=native)
        lines = personality.root(state)
        wanted = plain(personality, state, depth, kind == "paranoid")
        scores = {text: line and line.score for text, line in lines.items()}
        assert scores == {text: pytest.approx(score) for text, score in wanted.items()}
        assert {line.score[0] != 0 for line in lines.values() if line} <= {True, False}
        best = max((line for line in lines.values() if line), key=lambda line: line.score)
        end = state.play(" ".join(best.moves))
        assert len(best.moves) == depth or end.over


def test_a_limit_of_nodes_keeps_the_last_whole_depth(game: Game) -> None:
    shallow, deep = player(game, "maxn", 1), player(game, "maxn", 3)
    number = len(game.start().moves)
    limits = evolve(
        deep.model.search, settings=(*deep.model.search.settings, Setting("nodes", number + 3))
    )
    cut = evolve(deep, model=evolve(deep.model, search=limits))
    scores = [
        {t: line and line.score for t, line in p.root(game.start()).items()} for p in (shallow, cut)
    ]
    assert scores[0] == scores[1]


# --- narrowed by patterns ---


@pytest.fixture(scope="module")
def drops(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("drops")
    (folder / "rows.eval").write_text(ROWS, "utf-8")
    (folder / "drops.rules").write_text(DROPS, "utf-8")
    return load(folder / "drops.rules")


def proposing(game: Game, around: str, more: str = "") -> Patterns:
    text = PROPOSING.format(around=around) + more
    report = check_file(PATTERNS, "p.patterns", text.encode(), FileContext(game))
    assert [d.render() for d in report.diagnostics] == []
    assert report.model is not None
    return report.model


SYMMETRIC, ASIDE = "own\nSymmetry all", "Off aside\n  Left 1\n  Set 0 2\n"


@pytest.mark.parametrize(
    ("around", "more", "least"), [(SYMMETRIC, "", 5), ("own", ASIDE, 5), ("ends of span", "", 3)]
)
def test_kernels_propose_to_one_of_three_what_the_reference_proposes(
    drops: Game, around: str, more: str, least: int
) -> None:
    """Enemies are all others around an own point, and in a defence whose point it is.

    What counts, and ends of paths, are not asked of all points at once.
    """
    file, used = proposing(drops, around, more), set[int]()
    kernels, matcher = Proposing.of(Engine(drops.play, "python"), file), Matcher(drops.play, file)
    for seed in range(6, 13):
        position = middle(drops, seed).situation.position
        legal, theirs = placements(drops.play, position), matcher.proposals(position)
        ours = {s: p for s, p in kernels.proposals(position).items() if s in legal}
        assert ours == theirs
        used |= {number for patterns in theirs.values() for number in patterns}
    assert len(used) >= least


def narrowed(game: Game, kind: str, depth: int, most: int) -> Personality:
    evaluator = written(ROWS, game)
    wide = Search(kind, (Setting("depth", depth),))
    consider = Consider(proposing(game, SYMMETRIC), most, 0)
    model = Model(
        "narrow", "drops", evaluator, (), wide, (Pick("best", "value"),), (), "first", Opening(),
        consider=consider,
    )  # fmt: skip
    return Personality.of(model, game)


@pytest.mark.parametrize("kind", ["maxn", "paranoid"])
def test_patterns_narrow_what_is_looked_at_alike(drops: Game, kind: str) -> None:
    """Here and behind: no root leaves out what wins at once, or what alone stops the next one."""
    fewer = False
    for seed in range(5, 13):
        state = middle(drops, seed)
        fast = narrowed(drops, kind, 3, 3)
        scores = [
            {text: line and line.score for text, line in p.root(state, exact=True).items()}
            for p in (fast, evolve(fast, native=False))
        ]
        assert scores[0] == scores[1]
        only = fast.considered.root(state.situation) if fast.considered else []
        assert {text for text, score in scores[0].items() if score is not None} == set(only)
        fewer |= len(only) < len(state.moves)
    assert fewer
