"""Answers which play GNU Backgammon chooses; runs inside its own Python (`gnubg -t -p inside.py`).

In, a line each from the pipe whose number GNUBG_IN holds: `DIE DIE PLIES NOISE` and 50 numbers of
men, those of the other side first, each side's from its own first point to the bar.  Out, to the
pipe of GNUBG_OUT: the points from which and to which men go, two numbers for each man.  With dice
of 0 the answer is what the position is worth to the side to throw, in millionths.
"""

import os

import gnubg  # type: ignore[import-not-found]  # exists in that program alone

MATCH_OF_ONE = (1, -1, 0, 1, (0, 0), 0)
"""A cube that is not used, in a match of one point: winning is all that counts."""


def choose(line: str) -> str:
    """Return the points of the best play, or the worth of a position."""
    first, second, plies, noise, *men = line.split()
    numbers = [int(word) for word in men]
    board = (tuple(numbers[:25]), tuple(numbers[25:]))
    # Noise comes anew in every call, else a position would always be misjudged alike.
    judge: dict[str, float] = {"cubeful": 0, "plies": int(plies), "deterministic": 0, "prune": 1}
    judge["noise"] = float(noise)
    if first == "0":
        return str(round(1e6 * gnubg.evaluate(board, gnubg.cubeinfo(*MATCH_OF_ONE), judge)[5]))
    gnubg.command(f"set dice {first} {second}")
    points = gnubg.findbestmove(board, gnubg.cubeinfo(*MATCH_OF_ONE), judge)
    return " ".join(map(str, points or ()))


def main() -> None:
    """Answer until the pipe is closed."""
    for command in ("set player 0 human", "set player 1 human", "new session", "new game"):
        gnubg.command(command)
    with (
        os.fdopen(int(os.environ["GNUBG_IN"])) as lines,
        os.fdopen(int(os.environ["GNUBG_OUT"]), "w", buffering=1) as answers,
    ):
        for line in lines:
            answers.write(choose(line) + "\n")


main()
