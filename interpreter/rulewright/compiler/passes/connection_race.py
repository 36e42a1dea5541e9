"""Whether a game is a race of connections: proven from the rules, not believed.

In: rules.  Out: by which steps either player's pieces hang together, and which two sets a group has
to meet.  In such a game the one decision there ever is puts an own piece on an empty site, and
the one way to win is a group of own pieces that meets both sets.  So pieces are never lost, and one
more is never bad.

It is also proven that both players cannot be connected at once.  Draw every site at its place on
the lattice, and a segment between any two sites that hang together.  Where each step leads to one
of the eight sites around, and all diagonal ones lean to the same side, no two segments meet but at
a common end.  So groups of different players never touch.  One player's two sets lie in the first
and the last row of the board, the other's in the first and the last column, and all else between
them: a path from side to side of a rectangle meets every path between the other two sides.

Refuses (`Unsupported`, with the reason) everything else.  That somebody is connected on every full
board is not proven here, and how a game ends for who is stuck is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.lines import Groups, read_groups
from rulewright.compiler.passes.normalize import FALSE as NEVER
from rulewright.compiler.passes.normalize import TRUE, Normalizer, is_apply
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Mask, Step, mask_of
from rulewright.model.expressions import Const, Type

Goals: TypeAlias = tuple[Mask, Mask]
_EMPTY = m.Apply(Type.SITES, "empty")


@record
class ConnectionRace(Record):
    """For each player: the steps that connect pieces, and the two sets to be connected."""

    steps: tuple[tuple[Step, ...], tuple[Step, ...]]
    goals: tuple[Goals, Goals]


def connection_race(rules: r.Rules) -> ConnectionRace:
    """Prove that rules are a race of connections; raises `Unsupported` with the reason."""
    if rules.looks_back:
        raise Unsupported("the rules look back")
    if rules.board.stacked:
        raise Unsupported("pieces may lie on each other")
    _check_moves(rules)
    (first, first_goals), (second, second_goals) = (_aim(rules, player) for player in (0, 1))
    race = ConnectionRace((first, second), (first_goals, second_goals))
    _check_drawing(race.steps)
    if not _is_crossing(rules.board, race.goals):
        raise Unsupported("the players do not connect opposite sides of the board")
    return race


# --- moves ---


def _check_moves(rules: r.Rules) -> None:
    """Raise `Unsupported` unless the one move puts an own piece on any empty site."""
    if rules.course != rules.first_course:
        raise Unsupported("the first turn is another one")
    moves = [rules.moves[number] for number in _numbers(rules.course)]
    moves = [move for move in moves if not _is_ruled_out(rules, move)]
    if len(moves) != 1:
        raise Unsupported(f"there are {len(moves)} kinds of moves")
    normals = [Normalizer(rules, player, player) for player in (0, 1)]
    if not all(_only_puts(moves[0], normal) for normal in normals):
        raise Unsupported(f"`{moves[0].name}` does more than to put a piece on any empty site")


def _numbers(course: r.Course) -> Iterator[int]:
    """Walk the moves of which a turn is one; raises `Unsupported`."""
    match course:
        case r.OneMove(move=move):
            yield move
        case r.Either(items=items):
            for item in items:
                yield from _numbers(item)
        case _:
            raise Unsupported("a turn is more than one move")


def _is_ruled_out(rules: r.Rules, move: r.MoveKind) -> bool:
    """Whether options say that a move is never made."""
    normals = [Normalizer(rules, player, player) for player in (0, 1)]
    needs = [s.condition for s in move.body if isinstance(s, r.Need)]
    return any(all(normal(need) == NEVER for normal in normals) for need in needs)


def _only_puts(move: r.MoveKind, normal: Normalizer) -> bool:
    """Whether a move chooses an empty site and puts an own piece there, and no more."""
    slots, puts = list[int](), list[r.Put]()
    for s in move.body:
        match s:
            case r.Choose(slot=slot, domain=domain) if not slots and normal(domain) == _EMPTY:
                slots.append(slot)
            case r.Put(owner=r.OWN, kind=Const()) if not puts:
                puts.append(s)
            case r.Need(condition=condition) if normal(condition) == TRUE:
                pass
            case r.Write():
                pass
            case _:
                return False
    return bool(puts) and isinstance(puts[0].sites, m.Local) and [puts[0].sites.slot] == slots


# --- the end ---


def _aim(rules: r.Rules, player: int) -> tuple[tuple[Step, ...], Goals]:
    """Return the steps and the two sets of a player; raises `Unsupported`."""
    ends = [end for end in rules.ends if not end.stuck]
    if len(ends) != 1 or ends[0].verdict != "win" or ends[0].after_turn:
        raise Unsupported("the game has other ends than one rule that wins")
    if rules.stuck_above:
        raise Unsupported("who is stuck may lose before the connection counts")
    condition = Normalizer(rules, player, player)(ends[0].condition)
    own = m.Apply(Type.SITES, "owned", (Const(Type.PLAYER, value=player),))
    groups = _groups(condition, rules.board)
    if groups is not None and groups.sites == own and groups.steps is not None:
        masks = [g.value for g in groups.goals if isinstance(g, Const)]
        sets = [mask for mask in masks if isinstance(mask, int)]
        if len(groups.goals) == len(sets) == 2:
            return groups.steps, (sets[0], sets[1])
    raise Unsupported("what wins is not a group of own pieces that meets two given sets")


def _groups(e: m.Expr, board: Board) -> Groups | None:
    """Read a condition that there is a group of some kind; None for any other."""
    if isinstance(e, m.Quantified) and e.quantifier == "some" and len(e.domains) == 1:
        with suppress(Unsupported):
            return read_groups(e, board) if is_apply(e.domains[0], "groups") else None
    return None


# --- why both cannot be connected ---


def _check_drawing(steps: tuple[tuple[Step, ...], ...]) -> None:
    """Raise `Unsupported` if two segments between connected sites may meet but at their ends."""
    every = {step for own in steps for step in own}
    if any(max(abs(across), abs(down)) != 1 for across, down in every):
        raise Unsupported("a step leads over other sites")
    if len({across * down for across, down in every} - {0}) > 1:
        raise Unsupported("diagonal steps cross each other")


def _is_crossing(board: Board, goals: tuple[Goals, Goals]) -> bool:
    """Whether one player connects two opposite sides of a rectangle, and the other the others."""
    if board.is_drawn:
        return False
    upright, across = _sides(board.rows), _sides(board.columns)
    return any(
        _joins(goals[0], first_sides) and _joins(goals[1], second_sides)
        for first_sides, second_sides in ((upright, across), (across, upright))
    )


def _sides(places: tuple[int, ...]) -> Goals:
    """Return the sites of the first row (or column) and of the last."""
    ends = min(places), max(places)
    first, last = (mask_of([i for i, p in enumerate(places) if p == end]) for end in ends)
    return first, last


def _joins(goals: Goals, sides: Goals) -> bool:
    """Whether one goal lies in one side, and the other goal in the opposite side."""
    return any(not (goals[0] & ~first or goals[1] & ~last) for first, last in (sides, sides[::-1]))
