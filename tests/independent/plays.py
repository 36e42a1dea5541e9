"""Plays of backgammon that OpenSpiel lists too: `python -m tests.independent.plays GAMES`.

Plays random games by the rules of `backgammon.py` and of OpenSpiel (`pyspiel`, which has to be
there) at once, stops where both do not leave the same boards, and prints each turn with how many
boards all plays of its roll leave, and their checksum.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from random import Random
from typing import Any
from zlib import crc32

from .backgammon import Backgammon, start

Men = tuple[tuple[int, ...], tuple[int, ...]]


def plays(position: Backgammon, mover: int) -> dict[Men, tuple[str, ...]]:
    """The boards after a turn whose dice are thrown, each with decisions that lead there."""
    if position.mover != mover or position.fresh() or position.over():
        return {position.men: ()}
    boards: dict[Men, tuple[str, ...]] = {}
    for text in position.decisions():
        for men, path in plays(position.play(text), mover).items():
            boards.setdefault(men, (text, *path))
    return boards


def checksum(boards: Iterable[Men]) -> str:
    """A sum of the boards in any order."""
    return f"{crc32(repr(sorted(boards)).encode()):08x}"


def men_of(state: Any, swapped: bool) -> Men:
    """The men of a state of OpenSpiel, each side's points from its own end."""
    scores = [int(word.strip(",")) for word in str(state).split("Scores, X: ")[1].split()[::2]]
    sides = []
    for player, off in zip((0, 1), scores, strict=True):
        row = [state.board(player, i) for i in range(24)]
        points = row[::-1] if player == 0 else row
        sides.append((off, *points, 15 - off - sum(points)))
    return (sides[1], sides[0]) if swapped else (sides[0], sides[1])


def ends_of(state: Any, mover: int, swapped: bool) -> dict[Men, Any]:
    """The states after a turn of OpenSpiel's, in which half a double is an action."""
    ends: dict[Men, Any] = {}
    for action in state.legal_actions():
        after = state.child(action)
        if not after.is_terminal() and after.current_player() == mover:
            ends |= ends_of(after, mover, swapped)
        else:
            ends[men_of(after, swapped)] = after
    return ends


def lines(random: Random, state: Any) -> Iterator[str]:
    """Play a game by both, and tell its turns."""
    position, swapped = start(), False
    while not state.is_terminal():
        outcome = random.choice([outcome for outcome, _ in state.chance_outcomes()])
        dice = state.action_to_string(outcome)[-3:-1]
        state.apply_action(outcome)
        if position.turns == 0:
            swapped = state.current_player() == 1
        roll = max(dice, dice[::-1])
        boards = plays(position.play(roll), position.mover)
        others = ends_of(state, state.current_player(), swapped)
        assert boards.keys() == others.keys(), f"{position} {roll}"
        chosen = random.choice(sorted(boards))
        yield f"{' '.join((roll, *boards[chosen]))} : {len(boards)} {checksum(boards)}"
        for text in (roll, *boards[chosen]):
            position = position.play(text)
        state = others[chosen]


def main() -> None:
    """Print games with the seeds from 1 on."""
    pyspiel = import_module("pyspiel")

    for seed in range(1, int(sys.argv[1]) + 1):
        print(f"# {seed}")
        print(*lines(Random(seed), pyspiel.load_game("backgammon").new_initial_state()), sep="\n")


if __name__ == "__main__":
    main()
