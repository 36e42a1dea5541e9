"""What evaluators cost: values a second, and search nodes a second with and without each.

    python benchmarks/evaluators.py                       # every evaluator of every bundled game
    python benchmarks/evaluators.py spanit twixt --seconds 1

In: names of games.  Out: a table in Markdown.  Rates are per second of processor time, on one core,
the median of three rounds.  `values` counts positions of random games, or decisions in them, each
valued with what it changes; `search` is alpha-beta by that value from the first position and from
one six decisions on, `without` the same alpha-beta that knows results alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median

from attrs import frozen

from rulewright.compiler.backend import Linked, signatures
from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.games import bundled_games, load_with
from rulewright.games.files.kinds import files_of, load_file
from rulewright.model.evaluation import Evaluator, ValueOf
from rulewright.players.machine import native_evaluator
from rulewright.search.best import best
from rulewright.search.one_ply import OnePlyArrays
from rulewright.search.results import Limits
from rulewright.search.thread_arrays import LinkedEvaluator

ROUNDS, POSITIONS, EARLY = 3, 8, 6
TIMES = 100
"""Values (of moves: positions with all of their decisions) in one call."""
OPTIONS: dict[str, dict[str, int | bool]] = {"twixt": {"pie": False}, "hex": {"pie": False}}
RECORD = """class GameArrays:
    state: ints
    tables: ints
    rows: ints
    past: ints
    scratch: ints
    trial: ints


"""
POSITION_LOOP = """def again(g: GameArrays, f: floats, rows: i64, row: i64, times: i64) -> f64:
    total = 0.0
    for i in range(times):
        total = total + value(g, f)
    return total
"""
MOVE_LOOP = """def again(g: GameArrays, f: floats, rows: i64, row: i64, times: i64) -> f64:
    total = 0.0
    for i in range(times):
        look(g, f)
        for j in range(rows):
            total = total + worth(g, f, j * row)
    return total
"""


@frozen
class Case:
    """A value of an evaluator, with its kernels."""

    game: Game
    engine: Engine
    evaluator: Evaluator
    value: ValueOf
    kernel: LinkedEvaluator

    @property
    def name(self) -> str:
        """How the case is called in the table."""
        return f"{self.game.name}, `{self.evaluator.name}` {self.value.name}"


def cases(names: list[str]) -> Iterator[Case]:
    """Every value that has kernels."""
    for name in names:
        game = load_with(name, dict(OPTIONS.get(name, {})))
        engine = load_engine(game)
        if isinstance(engine, str):
            continue
        for one in files_of(EVALUATOR, game):
            judged = load_file(EVALUATOR, game, one)
            for value in judged.values:
                kernel = native_evaluator(engine, judged, value, judged.defaults, False)
                if kernel is not None:
                    yield Case(game, engine, judged, value, kernel)


def positions(game: Game) -> list[State]:
    """Positions of random games, from the first decision to far on."""
    random, found = Random(1), list[State]()
    while len(found) < POSITIONS:
        states = [game.start()]
        while not states[-1].over and len(states) < 60:
            states.append(states[-1].play_decision(random.choice(states[-1].moves.texts)))
        found += random.sample(states[:-1], min(2, len(states) - 1))
    return found


def early(game: Game) -> list[State]:
    """The first position, and one a few random decisions on."""
    random, state = Random(2), game.start()
    for _ in range(EARLY):
        state = state.play_decision(random.choice(state.moves.texts))
    return [game.start(), state]


def timed(work: Callable[[], int], seconds: float) -> float:
    """How much of the work is done in a second."""
    begun, done = time.process_time(), 0
    while time.process_time() - begun < seconds:
        done += work()
    return done / (time.process_time() - begun)


def values(case: Case, states: list[State], seconds: float) -> float:
    """Values a second."""
    scales = OnePlyArrays(case.engine, evaluator=case.kernel, value_of=case.value)
    known = signatures([case.kernel.linked.module])
    text = MOVE_LOOP if case.value.of_move else POSITION_LOOP
    loop = Linked(RECORD + text, known)
    again = case.engine.linked(case.kernel.linked, loop)["again"]
    factors, row, rates = case.engine.array([*case.kernel.factors, 0.0]), case.engine.row, []
    for state in states:
        rows = scales.place(state.situation.position)

        def work(rows: int = rows) -> int:
            again(*scales.game, factors, rows, row, TIMES)
            return TIMES * (rows if case.value.of_move else 1)

        rates.append(timed(work, seconds / len(states)))
    return len(rates) / sum(1 / rate for rate in rates)


def nodes(game: Game, kernel: LinkedEvaluator | None, states: list[State], seconds: float) -> float:
    """Nodes of alpha-beta a second."""
    done = spent = 0.0
    best(states[0], Limits(seconds), 1, "alphabeta", evaluator=kernel)  # compiled while it runs
    for state in states:
        begun = time.process_time()
        limits = Limits(seconds)
        done += best(state, limits, 1, "alphabeta", evaluator=kernel).nodes
        spent += time.process_time() - begun
    return done / spent


def rounds(measure: Callable[[], float]) -> str:
    """The median of the rounds, in millions."""
    return f"{median(measure() for _ in range(ROUNDS)) / 1e6:.3g}"


def main() -> None:
    """Read the arguments, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.5)
    a = parser.parse_args()
    print("| value | M values/s | search, M nodes/s | without |\n|---|---|---|---|")
    for case in cases(a.games or list(bundled_games())):
        states = positions(case.game)
        found = [rounds(lambda c=case, s=states: values(c, s, a.seconds))]  # type: ignore[misc]
        for kernel in [] if case.value.of_move else [case.kernel, None]:
            begin = early(case.game)
            measure = lambda k=kernel, c=case, s=begin: nodes(c.game, k, s, a.seconds)  # noqa: E731
            found.append(rounds(measure))
        print(f"| {case.name} | {' | '.join([*found, '', ''][:3])} |", flush=True)


if __name__ == "__main__":
    main()
