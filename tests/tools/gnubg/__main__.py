"""GNU Backgammon as a player of the text protocol: `python -m tests.tools.gnubg [--noise N]`.

`rulewright match backgammon blockader "engine:python -m tests.tools.gnubg --plies 0"` plays against
it with the dice of the match.  It plays to win; a gammon is worth no more to it.  Its levels are
noise added to its own values: 0.06 is its beginner, 0.05 casual, 0.04 intermediate, 0.015 advanced,
0 its expert (with 0 plies).  Needs the program `gnubg` with its Python (Debian's has it).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from attrs import frozen

from tests.independent.backgammon import Backgammon, start, steps

GAMES = "/usr/games"
"""Where Debian keeps it, which is not on every user's path."""
BAR, WON = 25, 15
"""Where men on the bar are counted, and how many are off when the game is won."""


@frozen
class Adviser:
    """The running program, and how well it shall play."""

    asked: TextIO
    answers: TextIO
    plies: int
    noise: float

    def choose(self, position: Backgammon) -> list[int]:
        """Ask for the points of the best play."""
        return self._ask(
            position.dice[:2], position.men[1 - position.mover], position.men[position.mover]
        )

    def worth(self, position: Backgammon, mover: int) -> int:
        """Ask what a position at the end of a turn is worth to who had it, in millionths."""
        if position.winner():
            return 1_000_000 if position.men[mover][0] == WON else -1_000_000
        (worth,) = self._ask((0, 0), position.men[mover], position.men[1 - mover])
        return -worth

    def _ask(
        self, dice: tuple[int, ...], other: tuple[int, ...], own: tuple[int, ...]
    ) -> list[int]:
        words = [*dice, self.plies, self.noise, *other[1:], *own[1:]]
        self.asked.write(" ".join(map(str, words)) + "\n")
        return [int(word) for word in self.answers.readline().split()]


def open_adviser(plies: int, noise: float) -> Adviser:
    """Start the program; it ends when this one does, since its pipe is closed then."""
    ask_from, ask_to = os.pipe()
    answer_from, answer_to = os.pipe()
    subprocess.Popen(
        ["gnubg", "-t", "-q", "-r", "-p", str(Path(__file__).with_name("inside.py"))],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=(ask_from, answer_to),
        env={
            **os.environ,
            "PATH": f"{os.environ['PATH']}:{GAMES}",
            "GNUBG_IN": str(ask_from),
            "GNUBG_OUT": str(answer_to),
        },
    )
    os.close(ask_from)
    os.close(answer_to)
    return Adviser(os.fdopen(ask_to, "w", buffering=1), os.fdopen(answer_from), plies, noise)


def men_after(position: Backgammon, points: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Move men between points of the side to move; returns both sides' men, its own first."""
    own, other = list(position.men[position.mover]), list(position.men[1 - position.mover])
    for origin, goal in zip(points[::2], points[1::2], strict=True):
        if not origin:  # the rest of the numbers is filled up with 0
            break
        own[origin] -= 1
        own[max(goal, 0)] += 1
        if goal > 0 and other[BAR - goal]:
            other[BAR - goal] -= 1
            other[BAR] += 1
    return tuple(own), tuple(other)


def plans(position: Backgammon, mover: int) -> Iterator[tuple[list[str], Backgammon]]:
    """Every way through the turn, with the position that it leads to."""
    if position.mover != mover or position.winner():
        yield [], position
        return
    for text in steps(position):
        for rest, end in plans(position.play(text), mover):
            yield [text, *rest], end


def plan(position: Backgammon, points: list[int]) -> list[str]:
    """The decisions of a play."""
    mover, wanted = position.mover, men_after(position, points)
    for texts, end in plans(position, mover):
        if (end.men[mover], end.men[1 - mover]) == wanted:
            return texts
    raise ValueError(f"GNU Backgammon's play {points} is not legal in {position}")


def continuation(position: Backgammon, adviser: Adviser) -> list[str]:
    """The best way through the rest of a turn that somebody else has begun."""
    mover = position.mover
    ends = {(end.men, tuple(texts)): end for texts, end in plans(position, mover)}
    best = max(ends, key=lambda key: adviser.worth(ends[key], mover))
    return [*best[1]]


def replay(moves: list[str]) -> Backgammon:
    """The position after these decisions."""
    position = start()
    for text in moves:
        position = position.play(text)
    return position


def serve(adviser: Adviser) -> None:
    """Answer the text protocol until it says `quit`."""
    moves: list[str] = []
    planned: dict[str, str] = {}  # the decision behind these decisions, of the turn at hand
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        answer = "ok"
        if word == "quit":
            return
        if word == "rulewright":
            answer = "rulewright 1 gnubg"
        elif word == "position":
            try:
                replay(rest[1:])
                moves = rest[1:]
            except (KeyError, ValueError, IndexError) as error:
                answer = f"error no such decision here: {error}"
        elif word == "go" and replay(moves).played < 0:
            answer = "error there is nothing to decide: dice are to be thrown, or the game is over"
        elif word == "go":
            key = " ".join(moves)
            if key not in planned:
                position = replay(moves)
                is_whole = position.played == 0
                texts = (
                    plan(position, adviser.choose(position))
                    if is_whole
                    else continuation(position, adviser)
                )
                planned = {" ".join([*moves, *texts[:i]]): texts[i] for i in range(len(texts))}
            answer = f"best {planned[key]}"
        print(answer, flush=True)


def main() -> None:
    """Read how well it shall play, and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--noise", type=float, default=0.0)
    options = parser.parse_args()
    serve(open_adviser(options.plies, options.noise))


if __name__ == "__main__":
    main()
