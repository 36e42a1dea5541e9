"""Compare final scores with those of GNU Go, on games that it finishes against itself.

    python -m tests.tools.final_scores 50

In: a number of games, of 9 by 9 points.  Out: a line for each with both scores and the dead stones
by either, then how many agree.
"""

from __future__ import annotations

import os
import shutil
import sys
import time

from tests.shared.gtp_strict import GtpStrict

_LONGEST = 200
"""Moves of a game at most."""


def finished_game(engine: GtpStrict) -> tuple[list[str], str, set[str]]:
    """The moves of a game of an engine against itself, its score and its dead stones."""
    engine.begin(9)
    engine.ask("komi 6.5")
    moves = list[str]()
    while moves[-2:] != ["PASS", "PASS"] and len(moves) < _LONGEST:
        moves.append(engine.genmove(("black", "white")[len(moves) % 2]))
        if moves[-1] == "RESIGN":
            moves.pop()
            break
    score = engine.ask("final_score").replace(".0", "")
    return moves, score, set(engine.points(engine.ask("final_status_list dead")))


def main(count: int) -> int:
    """Compare so many games; returns how many scores differ."""
    gnugo = shutil.which("gnugo", path=f"{os.defpath}:/usr/games") or "gnugo"
    ours = GtpStrict(sys.executable, "-m", "rulewright", "gtp", "go", "--personality", "random")
    different = 0
    for seed in range(count):
        options = ("--mode", "gtp", "--level", "1", "--chinese-rules", "--seed", str(seed))
        other = GtpStrict(gnugo, *options)
        moves, score, dead = finished_game(other)
        other.close()
        ours.begin(9)
        ours.ask("komi 6.5")
        for number, move in enumerate(moves):
            ours.play(("black", "white")[number % 2], move)
        start = time.monotonic()
        own = ours.ask("final_score"), set(ours.points(ours.ask("final_status_list dead")))
        different += own[0] != score
        print(f"{seed:3} {own[0]:8} {score:8} {time.monotonic() - start:5.1f} s"
              f"  {' '.join(sorted(own[1]))} / {' '.join(sorted(dead))}", flush=True)  # fmt: skip
    ours.close()
    print(f"{count - different} of {count} scores agree")
    return different


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])) > 0)
