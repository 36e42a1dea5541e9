"""What a player does when a game is about to be decided: positions from the ends of recorded games.

`python benchmarks/composure.py twixt t1 games.txt --time 0.2 --judge turns`

The last decisions of every game (lines of moves, as `strength.py --record` writes them) are tried
anew.  Three questions, each with how often the answer was right and how often it was asked:

- wins: can it win at once, and does it?
- blocks: would some decisions let the opponent win at once and others not; does it make one of the
  others?  Both are told by an exact search two decisions deep.
- holds on: in games that its side lost, at which place among all decisions (1 the best, 0 the
  worst, 0.5 by chance) does another personality's value put the one that it makes?
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from random import Random

from attrs import define, field

from rulewright.games.engine.game import Game, State
from rulewright.games.files.games import load_with
from rulewright.players.personality import Personality
from rulewright.search.best import search

LOST = -0.99


@define
class Told:
    """What came of the questions."""

    wins: list[bool] = field(factory=list)
    blocks: list[bool] = field(factory=list)
    hopeless: int = 0
    places: list[float] = field(factory=list)


def ask(player: Personality, judge: Personality | None, state: State, told: Told, a: float) -> None:
    """Try one position."""
    now = dict(search(state, depth=1, algorithm="exact", roots=True).root)
    won = {move for move, value in now.items() if value is not None and value > -LOST}
    if won:
        told.wins.append(player.choose(state, Random(0), a) in won)
        return
    then = dict(search(state, depth=2, algorithm="exact", roots=True).root)
    lost = {move for move, value in then.items() if value is not None and value < LOST}
    if lost and len(lost) < len(then):
        told.blocks.append(player.choose(state, Random(0), a) not in lost)
    elif lost:
        told.hopeless += 1
    elif judge is not None:
        move = player.choose(state, Random(0), a)
        scores = {m: line.score for m, line in judge.root(state).items() if line is not None}
        if move in scores and len(scores) > 1:
            below = sum(s < scores[move] for s in scores.values())
            equal = sum(s == scores[move] for s in scores.values()) - 1
            told.places.append((below + equal / 2) / (len(scores) - 1))


def ends(game: Game, lines: list[str], last: int) -> list[tuple[State, bool]]:
    """The last states of games, each with whether the one to move there lost the game."""
    found = []
    for line in lines:
        states = game.start().play(line).states()
        result = states[-1].result
        for state in states[-1 - last : -1]:
            winner = result.winner if result else None
            found.append((state, winner is not None and winner != state.mover))
    return found


def shown(name: str, right: list[bool]) -> str:
    """A share in words."""
    return f"{name} {sum(right)} of {len(right)}"


def main() -> None:
    """Ask everything, and print what came of it."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("game")
    p.add_argument("player")
    p.add_argument("files", nargs="+", type=Path)
    p.add_argument("--time", type=float, default=0.2, help="seconds a decision")
    p.add_argument("--last", type=int, default=6, help="decisions of each game")
    p.add_argument("--games", type=int, default=100, help="at the most, of all files")
    p.add_argument("--judge", help="the personality that judges decisions of lost games")
    p.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    a = p.parse_args()
    game = load_with(a.game, dict(pair.split("=", 1) for pair in a.set))
    player = Personality.load(a.player, game)
    judge = Personality.load(a.judge, game) if a.judge else None
    lines = [line for file in a.files for line in file.read_text("utf-8").splitlines()]
    told = Told()
    for number, (state, lost) in enumerate(ends(game, lines[: a.games], a.last), 1):
        ask(player, judge if lost else None, state, told, a.time)
        if sys.stderr.isatty():
            print(f"\r{number}", end="", file=sys.stderr)
    middle = statistics.median(told.places) if told.places else float("nan")
    print(
        f"{a.player}: {shown('wins', told.wins)}; {shown('blocks', told.blocks)}; "
        f"cannot be blocked {told.hopeless}; holds on at {middle:.3f} (median of "
        f"{len(told.places)} decisions in lost games)"
    )


if __name__ == "__main__":
    main()
