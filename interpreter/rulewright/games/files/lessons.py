"""Lessons: the pictures with sentences, and the puzzle, by which somebody learns a game.

In: a game.  Out: its `Introduction`, as the look says it, or, where that says nothing, three
positions of a random game with the comments behind the rules that made them.  A position that
the game does not have, as on a smaller board, is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random

from attrs import frozen

from rulewright.errors import Fault, MoveError, OutOfBudget
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import random_decision
from rulewright.games.files.dresser import dressing_of, look_of
from rulewright.games.files.looks import LessonPositions
from rulewright.ground.budget import within_steps
from rulewright.ground.limits import LOOKING_STEPS
from rulewright.model.look import Lesson

PICTURES = 3
_LONGEST = 60
"""Decisions of a random game that is shown to its end."""


@frozen
class Picture:
    """A position, and what it shows."""

    state: State
    text: str


@frozen
class PuzzlePosition:
    """A position with a question, and the decisions that solve it."""

    state: State
    text: str
    answer: str


@frozen
class Introduction:
    """The lessons of a game: pictures with texts, and a puzzle."""

    pictures: tuple[Picture, ...]
    puzzle: PuzzlePosition | None


def introduction(game: Game) -> Introduction:
    """The pictures and the puzzle of a game."""
    look = look_of(game)
    layers = look.layers if look is not None else ()
    lessons = [lesson for layer in layers for lesson in layer.lessons]
    puzzle_lessons = [lesson for layer in layers for lesson in layer.puzzles]
    positions = LessonPositions(game)
    pictures = [Picture(state, lesson.text) for lesson, state in _reached(lessons, positions)]
    puzzles = [
        PuzzlePosition(s, puzzle.text, puzzle.answer)
        for puzzle, s in _reached(puzzle_lessons, positions)
    ]
    shown = pictures or _played(game)
    return Introduction(tuple(shown[:PICTURES]), puzzles[-1] if puzzles else None)


def _reached(
    lessons: Iterable[Lesson], positions: LessonPositions
) -> Iterator[tuple[Lesson, State]]:
    for lesson in lessons:
        with suppress(MoveError, Fault, OutOfBudget), within_steps(LOOKING_STEPS, ""):
            yield lesson, positions.of(lesson)


def _played(game: Game) -> list[Picture]:
    """The first position, one after a few turns, and the last of a random game."""
    states = [game.start()]
    with suppress(Fault, OutOfBudget), within_steps(LOOKING_STEPS, ""):
        chance = Random(1)
        while not states[-1].over and len(states) <= _LONGEST:
            states.append(states[-1].play_decision(random_decision(states[-1], chance)))
    tell = dressing_of(game).tell or f"{str(states[0].mover).capitalize()} begins."
    pictures = [Picture(states[0], tell)]
    later = states[1 : 1 + max(1, len(states) // 3)]
    if later:
        pictures.append(Picture(later[-1], _about_moves(game)))
    if states[-1].result is not None:
        pictures.append(Picture(states[-1], _sentence(_ending(states[-1]))))
    return pictures


def _ending(state: State) -> str:
    """Who has won and why, without the clause that says so: that is for authors."""
    assert state.result is not None
    text, reason = state.result.description.partition(" (")[0], state.scene.reason
    return text.partition(": ")[0] if reason in text else text


def _about_moves(game: Game) -> str:
    """The comments behind the moves of a game; their names where there is none."""
    origins = (game.rules.origins[move.origin] for move in game.rules.moves)
    abouts = [origin.about for origin in origins if origin.about]
    names = ", ".join(move.name.replace("_", " ") for move in game.rules.moves)
    return _sentence("; ".join(abouts[:2]) or f"moves: {names}")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
