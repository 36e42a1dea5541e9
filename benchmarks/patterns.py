"""How fast patterns are: loading a file, matching a position, searching with them.

`python benchmarks/patterns.py` prints processor seconds, so that other work on the machine counts
little; the best of five rounds each.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from random import Random

from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.games import load
from rulewright.games.files.kinds import FileContext, check_file, load_file
from rulewright.model.patterns import Patterns
from rulewright.players.machine import native_evaluator
from rulewright.players.personality import Personality
from rulewright.search.best import decide
from rulewright.search.candidates import candidates, narrowed_root
from rulewright.search.decide import SearchOptions
from rulewright.search.results import Limits
from rulewright.search.thread_arrays import ThreadArrays

ROUNDS = 5


def least(task: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The fewest processor seconds that a task takes."""
    found = []
    for _ in range(rounds):
        begun = time.process_time()
        task()
        found.append(time.process_time() - begun)
    return min(found)


def random_file(count: int, seed: int) -> str:
    """A file of random patterns with links, five conditions each."""
    random = Random(seed)
    lines = ["format 1", "Patterns for twixt", "Around ends of rows in t1"]
    steps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
    spots = [(x, y) for x in range(-5, 6) for y in range(-4, 7) if (x, y) != (0, 0)]
    for number in range(count):
        (x, y), *places = random.sample(spots, 4)
        dx, dy = random.choice(steps)
        lines += [f"{random.choice(('Off', 'Def'))} p{number}", f"Set {x} {y}"]
        tests = ("Own", "Opp", "NStrong")
        lines += [f"{random.choice(tests)} {u} {v}" for u, v in places]
        lines.append(f"BPoss {x} {y} {x + dx} {y + dy}")
    return "\n".join(lines) + "\n"


def position(game: Game, pegs: int, seed: int) -> State:
    """A state after so many random pegs."""
    random, state = Random(seed), game.start()
    while len(state.decisions()) < pegs:
        option = game.play.sample(state.situation.position, random)
        assert option is not None
        state = state.play_decision(option.text)
    return state


def loading(game: Game, count: int) -> float:
    """Seconds from the bytes of a file with *count* patterns to its tables, kernels compiled."""
    texts = [random_file(count, seed).encode() for seed in range(ROUNDS + 1)]
    engine = load_engine(game)
    assert isinstance(engine, Engine)

    def one() -> None:
        read = check_file(PATTERNS, "x.patterns", texts.pop(), FileContext(game)).model
        assert read is not None
        candidates(engine, read)

    one()  # the evaluator is read once
    return least(one)


def matching(engine: Engine, file: Patterns, state: State, times: int = 2000) -> float:
    """Seconds in which all reference points of a position are matched."""
    worker = ThreadArrays(engine, 0, candidates=candidates(engine, file, 14))
    worker.place(state.situation.position)
    matched = worker.kernels["matched"]

    def many() -> None:
        for _ in range(times):
            matched(*worker.game)

    return least(many) / times


def searching(name: str, game: Game, state: State, nodes: int) -> tuple[float, int]:
    """Nodes a second (of the processor) of a personality's search, and its depth."""
    player = Personality.load(name, game)
    engine, model = load_engine(game), player.model
    assert isinstance(engine, Engine)
    assert model.evaluator is not None
    assert model.consider is not None
    judge = native_evaluator(engine, model.evaluator, player.value(), model.factors, False)
    kept, only = narrowed_root(state, engine, model.consider)
    assert judge is not None
    options = SearchOptions("alphabeta", 0, judge, candidates=kept, only=only)
    found = []

    def one() -> None:
        found.append(decide(state, Limits(None, nodes, line=False), options))

    one()
    return found[0].nodes / least(one, 3), found[0].depth


def main() -> None:
    """Print the three figures."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--nodes", type=int, default=30_000, help="of a search (default 30000)")
    a = p.parse_args()
    game = load("twixt")
    engine = load_engine(game)
    assert isinstance(engine, Engine)
    print(f"loading 500 random patterns: {loading(game, 500) * 1e3:.0f} ms")
    for name in ("basics", "chains"):
        file = load_file(PATTERNS, game, name)
        rates = [matching(engine, file, position(game, pegs, pegs)) for pegs in (6, 12, 24, 40)]
        print(f"matching {name}: " + ", ".join(f"{r * 1e6:.0f}" for r in rates) + " us", flush=True)
    for name in ("t1", "chains"):
        for pegs in (6, 20):
            rate, depth = searching(name, game, position(game, pegs, pegs), a.nodes)
            print(f"search {name}, {pegs} pegs: {rate / 1000:.0f} k nodes/s, depth {depth}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
