"""Moves that chance makes: how likely what is, in every execution, and who throws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright
from rulewright.app.play.seats import Seat
from rulewright.app.play.session import Session
from rulewright.compiler.runtime import float_bits, place
from rulewright.errors import RulewrightError
from rulewright.games.engine.kernels import load_engine
from rulewright.games.engine.luck import random_decision, rolled, throw
from rulewright.games.files.games import loads
from rulewright.matches.referee import GameTerms, play_game
from rulewright.players.builtin import RandomPlayer
from rulewright.players.machine import native_evaluator
from rulewright.reference.evaluation import StaticEvaluator
from rulewright.search.kernels import thread
from rulewright.search.kernels.chance import (
    PROBING,
    add_value,
    begin_outcomes,
    end_probing,
    highest,
    in_a_mean,
    lowest,
    mean_value,
)
from rulewright.search.kernels.thread import SURE, Thread
from tests.shared.backends import needs_llvm
from tests.shared.evaluating import written

RACE = """format 1
game race

players red blue
board square 5 by 1
pieces man "RB"

state die = 0 in 0..9 within turn

let odds = [0, 1, 0, 3]

{setup}

move roll
{roll}

move go
  choose a in own
  choose b in east(a, die) or west(a, die)
  move a to b

move rest
  write "rest"

turn roll (go else rest)

win when no enemy
draw when ply = 8
"""
PLAIN = "setup\n  put red man at a1\n  put blue man at e1"
TWO = """  chance d in 1..3
  chance e in 1..3
  need d + e <> 4
  die := d + e
  write "{d}{e}" if d > e else "{e}{d}\""""
SHUFFLED = """setup
  chance a in sites
  chance b in sites
  need a <> b
  put red man at a
  put blue man at b
  write "{a}{b}\""""
WEIGHED = "  chance n in 1..3 by odds(n)\n  die := n"


def text(roll: str = TWO, setup: str = PLAIN) -> str:
    return RACE.replace("{setup}", setup).replace("{roll}", roll)


def game(folder: Path, roll: str = TWO, setup: str = PLAIN, backend: str = "") -> rulewright.Game:
    path = folder / "race.rules"
    path.write_text(text(roll, setup), "utf-8")
    return rulewright.load(path, backend=backend or None)


def test_outcomes_that_are_one_add_up_and_needs_throw_again(tmp_path: Path) -> None:
    chances = game(tmp_path).start().probabilities()
    sixths = {t: Fraction(2, 6) if t[0] != t[1] else Fraction(1, 6) for t in ("11", "21", "32")}
    assert chances == {**sixths, "33": Fraction(1, 6)}


def test_weights_say_how_likely_members_are_and_0_is_never(tmp_path: Path) -> None:
    state = game(tmp_path, WEIGHED).start()
    assert state.probabilities() == {"1": Fraction(1, 4), "3": Fraction(3, 4)}
    assert state.chooser == "chance"
    assert state.mover == "red"
    after = state.play("3")
    assert (after.chooser, after.probabilities()) == ("red", {})
    assert after.game.read(after.text()).moves.texts == after.moves.texts == ["a1-d1"]


@pytest.mark.parametrize("roll", [TWO, WEIGHED])
@pytest.mark.parametrize("setup", [PLAIN, SHUFFLED])
def test_every_execution_counts_the_same(tmp_path: Path, roll: str, setup: str) -> None:
    counts = [
        [game(tmp_path, roll, setup, backend).start().perft(depth) for depth in range(1, 5)]
        for backend in ("reference", "python", "llvm")
    ]
    assert counts[0] == counts[1] == counts[2]


def test_a_shuffled_set_up_is_the_first_decision(tmp_path: Path) -> None:
    state = game(tmp_path, setup=SHUFFLED).start()
    assert len(state.moves) == 20
    assert set(state.probabilities().values()) == {Fraction(1, 20)}
    after = state.play("a1c1")
    assert (after.ply, after.mover, after.by_chance) == (0, "red", True)
    assert after.board().splitlines()[0] == "1 R . B . ."


def exact(state: rulewright.State, left: int) -> Counter[str | None]:
    """How often a game ends how in which all draw at random, in exact fractions."""
    ways: Counter[str | None] = Counter()
    if state.result or not left:
        ways[state.result.winner if state.result else "open"] = Fraction(1)  # type: ignore[assignment]
        return ways
    share = Fraction(1, len(state.moves))
    chances = state.probabilities() or dict.fromkeys(state.moves.texts, share)
    for move, chance in chances.items():
        for end, part in exact(state.play_decision(move), left - 1).items():
            ways[end] += chance * part  # type: ignore[assignment]
    return ways


@needs_llvm
@pytest.mark.parametrize(("roll", "setup"), [(TWO, PLAIN), (WEIGHED, SHUFFLED)])
def test_random_games_of_machine_code_end_as_exact_sums_say(
    tmp_path: Path, roll: str, setup: str
) -> None:
    here = game(tmp_path, roll, setup)
    expected = exact(here.start(), 2 * 4 + (setup == SHUFFLED))
    assert sum(expected.values()) == 1
    engine = load_engine(here)
    assert not isinstance(engine, str)
    number, most = 40_000, 8 + (setup == SHUFFLED)
    _, (red, blue, _, faults) = engine.playouts(here.play.first, number, 7, most)
    assert not faults
    for count, name in ((red, "red"), (blue, "blue")):
        share = float(expected[name])
        assert abs(count / number - share) < 4 * (share * (1 - share) / number) ** 0.5


Worth = Callable[[rulewright.State], Fraction]
"""What a position is worth to the player at move where looking stops."""


def expected(
    state: rulewright.State, depth: int, person: str, worth: Worth | None = None
) -> Fraction:
    """What a position is worth for a person *depth* decisions deep, exactly, a win `WON`."""
    won = Fraction(SURE, 2) if worth else Fraction(1)
    mine = state.mover == person
    if state.result:
        winner = state.result.winner
        return Fraction(0) if winner is None else won if winner == person else -won
    if not depth:
        return Fraction(0) if worth is None else worth(state) * (1 if mine else -1)
    texts = state.moves.texts
    values = {m: expected(state.play_decision(m), depth - 1, person, worth) for m in texts}
    if state.by_chance:
        return sum((p * values[m] for m, p in state.probabilities().items()), Fraction(0))
    return max(values.values()) if mine else min(values.values())


@needs_llvm
@pytest.mark.parametrize("depth", [2, 3, 5])
@pytest.mark.parametrize("roll", [TWO, WEIGHED])
def test_alpha_beta_finds_the_exact_expectation(tmp_path: Path, roll: str, depth: int) -> None:
    start = game(tmp_path, roll, SHUFFLED).start().play("c1e1")
    state = start.play("11" if roll == TWO else "1")
    mover = str(state.mover)
    result = rulewright.search(state, depth=depth, algorithm="exact")
    for move, value in result.root:
        exact_value = expected(state.play_decision(move), depth - 1, mover)
        assert value == pytest.approx(float(exact_value), abs=1e-9)


# --- what need not be looked at ---


class Words(list[int]):
    """Words of a thread, by number and by name."""

    def __getattr__(self, name: str) -> int:
        return self[place(thread.Control, name)]

    def __setattr__(self, name: str, value: int) -> None:
        self[place(thread.Control, name)] = value


QUARTERS = st.integers(-3, 3).map(lambda n: n * SURE / 8)
"""What is open; a sure result counts four quarters in a mean."""
VALUES = st.sampled_from([thread.WIN - 5.0, 7.0 - thread.WIN]) | QUARTERS


@given(
    st.lists(st.tuples(st.integers(1, 4), VALUES, st.integers(0, 3)), min_size=2, max_size=5),
    QUARTERS,
    st.integers(1, 6),
    st.sampled_from([1, 3]),
)
def test_bounds_of_means_leave_out_what_cannot_matter(
    outcomes: list[tuple[int, float, int]], alpha: float, width: int, depth: int
) -> None:
    """Wins, losses and open values mixed; a probe finds a decision that may be worse than the best.

    What is said without all values is true of the mean of them.
    """
    beta = alpha + width * SURE / 8
    shares, values = [o[0] for o in outcomes], [o[1] for o in outcomes]
    probes = [
        v if v < -SURE or not less else max(-3 * SURE / 8, min(v, SURE / 2) - less * SURE / 8)
        for _, v, less in outcomes
    ]
    mean = sum(s * in_a_mean(v) for s, v, _ in outcomes) / sum(shares)
    count = len(shares)
    words = Words([0] * thread.CONTROL)
    words.row = 1
    rows, ranks = [float_bits(float(share)) for share in shares], [0] * count
    game = SimpleNamespace(rows=rows)
    t = cast(Thread, SimpleNamespace(control=words, ranks=ranks, game=game))
    begin_outcomes(t, depth, beta, 0, 0, count)  # of depth 1 nothing is probed
    if words[thread.FRAMES + thread.TRYING] == PROBING:
        if bound_of(t, probes, alpha, beta) >= beta:
            assert mean >= beta - 1e3
            return
        end_probing(t, 0, 0)
    said = bound_of(t, values, alpha, beta)
    if said == alpha:
        assert mean <= alpha + 1e3
    elif said == beta:
        assert mean >= beta - 1e3
    else:
        assert said == pytest.approx(mean, abs=1e3) or abs(said) > SURE


def bound_of(t: Thread, values: list[float], alpha: float, beta: float) -> float:
    """What is said of a mean while the values are asked for, each within its window."""
    for value in values:
        low = lowest(t, 0, alpha)
        high = highest(t, 0, beta, low)
        if not low < value < high:
            return alpha if value <= low else beta
        add_value(t, 0, value)
    return float(mean_value(t, 0))


CHASE = """format 1
evaluator chase for race
let weight(s) = x(s) * x(s) + 3 * y(s) * x(s)
value of position for mover = sum(s in own : weight(s)) - sum(s in enemy : weight(s))
"""
CROWD = "setup\n  put red man at a1 or e1\n  put blue man at c2"
THREE = "  chance n in 1..3\n  die := n"
ASIDE = "west(a, die) or north(a) or south(a)"


@needs_llvm
@pytest.mark.parametrize("turn", ["roll (go else rest)", "roll (go go? else rest)"])
def test_what_is_left_out_changes_no_expectation(turn: str) -> None:
    """Values of an evaluator between wins and losses, where windows cut chance short."""
    rules = text(THREE, CROWD).replace("5 by 1", "6 by 2").replace("roll (go else rest)", turn)
    here = loads(rules.replace("west(a, die)", ASIDE).replace("ply = 8", "ply = 40"))
    judged, engine = written(CHASE, here), load_engine(here)
    assert not isinstance(engine, str)
    judge = native_evaluator(engine, judged, judged.values[0], (), judges_ends=False)
    wise, random = StaticEvaluator(here.play, judged), Random(5)

    def worth(state: rulewright.State) -> Fraction:
        return Fraction(wise.of_position(judged.values[0], state.situation.position)[0])

    for length in range(1, 12, 2):
        state = here.start()
        while state.by_chance or state.over or len(state.decisions()) < length:
            state = here.start() if state.over else state
            state = state.play_decision(random_decision(state, random))
        for evaluator, values_of in ((judge, worth), (None, None)):
            best = best_value(state, 4, values_of)
            for algorithm in ("exact", "alphabeta"):
                found = rulewright.search(
                    state, depth=4, algorithm=algorithm, evaluator=evaluator
                ).value  # a proven win is worth more than one in a mean
                most = SURE / 2 if evaluator else 1.0
                assert min(most, max(-most, found)) == pytest.approx(best, rel=1e-12, abs=1e-9)


def best_value(state: rulewright.State, depth: int, worth: Worth | None) -> float:
    """What the best decision is worth for the player at move."""
    after = [state.play_decision(move) for move in state.moves.texts]
    return float(max(expected(a, depth - 1, str(state.mover), worth) for a in after))


@needs_llvm
def test_a_tree_draws_what_chance_decides_as_likely_as_it_is(tmp_path: Path) -> None:
    state = rolled(game(tmp_path, WEIGHED).start(), 1)
    result = rulewright.search(state, nodes=60_000, algorithm="montecarlo")
    best = max(expected(state.play_decision(m), 14, "red") for m in state.moves.texts)
    assert result.value == pytest.approx(float(best), abs=0.1)
    with pytest.raises(RulewrightError, match="chance decides here"):
        rulewright.search(game(tmp_path, WEIGHED).start(), depth=1)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("turn roll (go else rest)", "turn roll or go", "who-decides"),
        ("turn roll (go else rest)", "turn roll? go", "who-decides"),
        ("turn roll (go else rest)", "turn longest (roll go)", "who-decides"),
        ("  choose b in", "  chance b in", "two-choosers"),
        ("  chance d in 1..3", "  chance d in 1..3 by 0", "out-of-range"),
        ("state die = 0", "state die = count own", "not-constant"),
    ],
)
def test_mistakes(old: str, new: str, code: str) -> None:
    codes = [d.code for d in rulewright.check(text(setup=SHUFFLED).replace(old, new)).diagnostics]
    assert code in codes


def test_one_seed_throws_the_same_in_every_game_of_it(tmp_path: Path) -> None:
    start = game(tmp_path, WEIGHED).start()
    throws = [throw(start, seed) for seed in range(200)]
    assert throws == [throw(start, seed) for seed in range(200)]
    assert 110 < throws.count("3") < 190
    assert not rolled(start, 3).by_chance


def test_a_session_throws_by_itself_and_shows_it(tmp_path: Path) -> None:
    here = game(tmp_path, WEIGHED)
    sessions = [
        Session("race", here.start(), (Seat.of("human", here), Seat.of("human", here)), seed=5)
        for _ in range(2)
    ]
    first, second = sessions
    assert first.state.decisions() == second.state.decisions()
    assert first.luck() == f"chance: {first.state.move}"
    first.play(first.state.moves.texts[0])
    assert not first.state.by_chance or first.over
    assert first.undo() == 1
    assert not first.state.by_chance


def test_both_games_of_a_pair_have_the_same_luck(tmp_path: Path) -> None:
    here = game(tmp_path, WEIGHED)

    def luck(seeds: tuple[int, int]) -> list[str]:
        terms = GameTerms(luck=11)
        played = play_game(here, (RandomPlayer(), RandomPlayer()), seeds=seeds, terms=terms)
        assert played.reason == "rules"
        assert not played.fixed
        return [move.text for move in played.moves if move.text.isdigit()]

    first, second = luck((1, 2)), luck((3, 4))
    shared = min(len(first), len(second))
    assert first[:shared] == second[:shared]


def test_what_does_not_throw_says_so(tmp_path: Path) -> None:
    here = game(tmp_path, WEIGHED)
    state = rolled(here.start(), 1)
    with pytest.raises(RulewrightError, match="a proof cannot search such games"):
        rulewright.solve(state)
