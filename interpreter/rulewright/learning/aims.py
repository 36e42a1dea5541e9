"""Where mined patterns are tried: around which points, and up to which symmetry.

In: a game, and a pattern file whose reference points are used, or none.  Out: a file without
patterns.  Its symmetry is what the rules claim, and what follows from that; nothing else is
believed.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import evolve

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.model import patterns as m
from rulewright.model.board import Board, Step, symmetry_map
from rulewright.model.patterns import Pattern, Patterns
from rulewright.reference.matching import Matcher

PROBE = Pattern("probe", False, False, (), (0, 1))
"""A pattern for files that are only asked for their reference points."""


def claimed_symmetry(game: Game, direction: Step = m.NORTH) -> str:
    """Return the symmetry that a file of patterns may have, by what the rules claim.

    `all` where every frame of the lattice follows from the claims, `mirror` where the reflection
    does that keeps the direction, else `none`.
    """
    board, claims = game.rules.board, game.rules.claims
    turns = {
        (_turn(claim.what, board), claim.swap)
        for claim in claims
        if claim.kind == "symmetric" and not claim.settings
    }
    group = _generated(turns)
    plain = {turn for turn, swap in group if not swap}
    frames = m.frames(board)
    first = m.frames_towards(board, direction)
    if all(_between(first[0], frame) in plain for frame in frames):
        return "all"
    return "mirror" if _between(*first) in plain else "none"


Turn: TypeAlias = tuple[Step, Step]
"""Where a symmetry takes a step to the right, and one down."""


def _turn(name: str, board: Board) -> Turn:
    place = symmetry_map(name, board)
    (x, y), right, down = place(0, 0), place(1, 0), place(0, 1)
    return (right[0] - x, right[1] - y), (down[0] - x, down[1] - y)


def _image(turn: Turn, step: Step) -> Step:
    (a, b), (c, d) = turn
    return step[0] * a + step[1] * c, step[0] * b + step[1] * d


def _between(first: m.Frame, second: m.Frame) -> Turn:
    """Return the turn that takes one frame to another."""
    (a, b), (c, d) = first.left, first.ahead
    size = a * d - b * c  # 1 or -1, as the lattice has one site for each place
    return second((d * size, -b * size)), second((-c * size, a * size))


def _generated(turns: set[tuple[Turn, bool]]) -> set[tuple[Turn, bool]]:
    """Return all symmetries that follow from some: done one after the other."""
    group = {(((1, 0), (0, 1)), False)}
    new = group
    while new:
        new = {
            ((_image(second, first[0]), _image(second, first[1])), swap != other)
            for first, swap in group
            for second, other in turns
        } - group
        group |= new
    return group


def aim(game: Game, like: Patterns | None) -> Patterns:
    """Return a file without patterns: reference points are those of *like*, or all own stones.

    Raises `RulewrightError` on boards on which patterns cannot lie.
    """
    board = game.rules.board
    if board.is_irregular or not m.has_frames(board):
        raise RulewrightError(f"the board of {game.name} is no plain lattice: nothing can be mined")
    around = like.around if like else ()
    probe = Patterns("", game.name, around, "none", ())
    direction = Matcher(game.play, probe).directions[0][0]
    return evolve(probe, symmetry=claimed_symmetry(game, direction))
