"""What the text `twixt/t1j` says of TwixT positions, beside what T1j says of them.

    python benchmarks/t1j/text.py tests/data/t1j.jsonl [--every N] [--patterns t1j]

In: positions as for compare.py.  Out: how many of T1j's values the evaluator gives, how many of its
reference points the path has and how many others, and the same of the candidates of the patterns
(unsaid, those that the personality considers).
Everything is asked of the reference.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from attrs import evolve

from rulewright.games.engine.game import Game
from rulewright.games.files.catalog import EVALUATOR, PATTERNS
from rulewright.games.files.games import load_with
from rulewright.games.files.kinds import load_file
from rulewright.model.expressions import PathValue, Type
from rulewright.reference.evaluate import evaluate
from rulewright.reference.evaluation import StaticEvaluator
from rulewright.reference.matching import Matcher, placements
from rulewright.reference.position import Position

SIDES = ("red", "blue")
WAYS = (("north", "south"), ("west", "east"))
CONSIDERED = "t1j_rare"
"""The patterns of the personality `twixt/t1j`."""


@cache
def asked(
    width: int, height: int, patterns: str = CONSIDERED
) -> tuple[Game, StaticEvaluator, Matcher]:
    """The game of a size, its evaluator and its patterns."""
    game = load_with("twixt", {"width": width, "height": height, "pie": False})
    judge = StaticEvaluator(game.play, load_file(EVALUATOR, game, "t1j"))
    return game, judge, Matcher(game.play, load_file(PATTERNS, game, patterns))


def way(judge: StaticEvaluator, position: Position, side: int) -> int:
    """How far a side has to go, by the path of the text."""
    number = next(n for n, path in enumerate(judge.evaluator.paths) if path.name == "way")
    context = judge.context(position, side, judge.evaluator.defaults, Random(0))
    found: int = evaluate(PathValue(Type.INT, number), context)
    return found


def compared(rows: Iterable[Mapping[str, Any]], patterns: str = CONSIDERED) -> Counter[str]:
    """What is equal, found and wrong, of how many."""
    counts: Counter[str] = Counter()
    for row in rows:
        game, judge, matcher = asked(row["width"], row["height"], patterns)
        state = game.start().play(row["moves"])
        position = state.situation.position
        for side, name in enumerate(SIDES):
            for mover, turn in enumerate(("red_next", "blue_next")):
                value = way(judge, evolve(position, mover=mover), side)
                counts["values"] += 1
                counts["values equal"] += value == row["values"][turn][name]
            ends = judge.path_ends("way", evolve(position, mover=side), side)
            names = game.rules.board.names
            points = {(names[end.site], WAYS[side][end.forward]) for end in ends}
            _count(counts, "points", points, set(map(tuple, row["points"][name])))
        legal = placements(game.play, position)
        holes = {legal[site] for site in matcher.proposals(position) if site in legal}
        _count(counts, "candidates", holes, set(row["candidates"]))
    return counts


def _count(counts: Counter[str], what: str, ours: set[Any], theirs: set[Any]) -> None:
    counts[what] += len(theirs)
    counts[f"{what} found"] += len(ours & theirs)
    counts[f"{what} wrong"] += len(ours - theirs)


def main() -> None:
    """Print what is equal."""
    parser = argparse.ArgumentParser(description="twixt/t1j beside T1j")
    parser.add_argument("file", type=Path)
    parser.add_argument("--every", type=int, default=1, help="only every N-th position")
    parser.add_argument("--patterns", default=CONSIDERED, help="the pattern file that is compared")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.file.read_text("utf-8").splitlines()]
    counts = compared(rows[:: given.every], given.patterns)
    print("| of T1j's | found | of | others |\n| --- | --- | --- | --- |")
    print(f"| values | {counts['values equal']} | {counts['values']} | |")
    for what in ("points", "candidates"):
        found, wrong = (counts[f"{what} {which}"] for which in ("found", "wrong"))
        print(f"| {what} | {found} | {counts[what]} | {wrong} |")


if __name__ == "__main__":
    main()
