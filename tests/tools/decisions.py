"""Tell what players decide, to compare before and after a change, or at home and taken away.

`python -m tests.tools.decisions [GAME | GAME/PLAYER ...] [--positions 20] [--nodes 1500] > FILE`
writes a line for each decision: of every bundled personality, and of the search that knows the
rules alone.  `--against FILE` tells what has changed since a file was written; `--engines` what
engines to take away decide otherwise than players at home.  The exit status is 1 where anything
differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from attrs import evolve

from rulewright.app.build import native
from rulewright.app.build.engine_plan import engine_for, plan
from rulewright.app.build.judge import judge_of
from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import bundled_games, load
from rulewright.players.builtin import limited
from rulewright.players.personality import Personality
from rulewright.players.player import GameLimits
from rulewright.search import decide
from rulewright.search.best import best
from rulewright.search.results import ALGORITHMS, Limits, Lines, SearchResult, counting_searches
from tests.shared.engines import decided, declared

COMPUTER = "computer"
"""The search that knows the rules alone, by each of its algorithms."""
POSITIONS, NODES = 20, 1500
ENDLESS = 10**9
"""Nodes of a search that nobody bounds: a beam ends by itself."""
_LENGTHS = (1, 2, 3, 9, 16)
"""Decisions of random games that lead to a position."""


class Even(Random):
    """Chance that always says 0, as a seed too, and leaves lists as they are."""

    def getrandbits(self, k: int, /) -> int:
        return 0

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        return list(population)


def players(wanted: list[str]) -> Iterator[tuple[str, str]]:
    """The games and the players that are asked for; without a word all of them."""
    for name, rules in sorted(bundled_games().items()):
        known = sorted(path.stem for path in rules.parent.glob("*.personality"))
        for player in (COMPUTER, *known):
            if not wanted or name in wanted or f"{name}/{player}" in wanted:
                yield name, player


def positions(rules: Game, count: int = len(_LENGTHS) + 1) -> list[State]:
    """Positions of random games in which a player decides; the first one too."""
    random, reached = Random(11), list[State]()
    for number in range(count):
        state = rules.start()
        length = _LENGTHS[(number - 1) % len(_LENGTHS)] if number else 0
        while len(state.decisions()) < length and not state.over:
            state = state.play_decision(random.choice(state.moves.texts))
        while state.by_chance:
            state = state.play_decision(random.choice(state.moves.texts))
        reached += [] if state.over else [state]
    return reached


# --- at home ---


def bounded(personality: Personality, nodes: int) -> Personality:
    """A personality whose search ends by nodes, where it can."""
    if personality.model.search.kind in ("alphabeta", "minimax", "mcts"):
        limits = GameLimits(nodes=nodes)
        return evolve(personality, model=limited(personality.model, limits))
    return personality


def possible(personality: Personality, state: State, nodes: int = NODES) -> set[str]:
    """What a personality plays here: where chance decides, all that it might play."""
    personality = bounded(personality, nodes)
    first = personality.decide(state, Even())
    if first.settled.startswith("opening"):
        return {personality.choose(state, Random(seed)) for seed in range(60)}
    return {first.move, *first.tied}


def decision(personality: Personality, state: State, nodes: int) -> dict[str, Any]:
    """A decision with all that is told of it, and the scores of all decisions."""
    with counting_searches() as spent:
        chosen = personality.decide(state, Random(3))
    fields = {
        "move": chosen.move, "tied": chosen.tied, "how": chosen.settled,
        "line": chosen.line and [chosen.line.score, chosen.line.moves],
        "nodes": spent.nodes, "depth": spent.depth, "root": _scores(dict(chosen.root)),
    }  # fmt: skip
    if personality.model.search.kind in ("alphabeta", "beam"):
        fields["exact"] = _scores(personality.root(state, "", Random(3), exact=True))
    return fields


def _scores(lines: Lines) -> dict[str, Any]:
    return {text: line and line.score for text, line in lines.items()}


def by_rules(state: State, nodes: int) -> dict[str, Any]:
    """What the search says that knows the rules alone, by each algorithm."""
    return {
        f"{algorithm}{' roots' * roots}": _told(
            best(state, Limits(None, nodes), 3, algorithm, roots=roots)
        )
        for algorithm in ALGORITHMS
        for roots in (False, True)
    }


def _told(result: SearchResult) -> list[Any]:
    return [
        result.move, result.value, result.proven, result.distance, result.pv, result.nodes,
        result.depth, result.root,
    ]  # fmt: skip


def written(name: str, player: str, count: int, nodes: int) -> Iterator[str]:
    """A line for each decision of a player."""
    rules = load(name)
    personality = None
    if player != COMPUTER:
        personality = bounded(Personality.load(player, rules), nodes)
    for number, state in enumerate(positions(rules, count)):
        told = decision(personality, state, nodes) if personality else by_rules(state, nodes)
        yield json.dumps([f"{name}/{player}", number, told])


# --- taken away ---


def different(name: str, player: str, count: int, nodes: int) -> Iterator[str]:
    """The positions in which an engine to take away decides as its player would not."""
    rules = load(name)
    engine, personality = engine_for(rules), Personality.load(player, rules)
    files = native.files(plan(engine, rules, judge_of(engine, personality)))
    with TemporaryDirectory() as folder:
        for file, code in files.items():
            Path(folder, file).write_bytes(code)
        library = next(file for file in files if not file.endswith(".h"))
        made = declared(Path(folder, library))
        most = ENDLESS if personality.model.search.kind == "beam" else nodes
        for number, state in enumerate(positions(rules, count)):
            expected = possible(personality, state, nodes)
            move = decided(made, state.decisions(), most)
            if move not in expected:
                yield f"{name}/{player} {number}: {move}, at home {' '.join(sorted(expected))}"


def main(words: list[str] | None = None) -> int:
    """Write the lines, or what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wanted", nargs="*", help="GAME, or GAME/PLAYER")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--against", type=Path, help="lines that were written before")
    parser.add_argument("--engines", action="store_true", help="compare engines to take away")
    given = parser.parse_args(words)
    before = set(given.against.read_text("utf-8").splitlines()) if given.against else None
    differing = 0
    if given.engines:
        setattr(decide, "Random", Even)  # noqa: B010  (a module exports no import)
    for name, player in players(given.wanted):
        if given.engines:
            lines = different(name, player, given.positions, given.nodes)
            lines = iter(()) if player == COMPUTER else lines
        else:
            lines = written(name, player, given.positions, given.nodes)
        for line in lines:
            if before is None or line not in before:
                differing += given.engines or before is not None
                print(line, flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
