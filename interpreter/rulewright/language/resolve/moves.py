"""Moves of a file: what each does, and who decides, chance or the player to move.

In: moves, the set-up, the courses of turns, states with their first values.  Out: moves; a set-up
in which chance chooses is one too.  Refuses turns in which both could decide at once, and states
that look at a board on which nothing stands yet.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.language import syntax
from rulewright.language.resolve import cost
from rulewright.language.resolve.effects import Actions, BlockReader, read_action
from rulewright.language.resolve.scope import Scope, moves_named
from rulewright.language.resolve.statements import FileStatements
from rulewright.model import rules as r
from rulewright.model.expressions import Type
from rulewright.model.rules import Course
from rulewright.reference.courses import after_one, offered_together


def read_move(scope: Scope, actions: Actions, node: syntax.MoveKind) -> r.MoveKind:
    """Read a move with its notation: what it writes, or the names it chooses, or its own name."""
    body = BlockReader(scope, actions, "move")
    statements = body.with_notation(body.read_block(node.block), node, node.name.text)
    body.complain_unused(node.block)
    return r.MoveKind(node.name.text, body.frame.size, statements, scope.origin(node))


def read_setup(scope: Scope, actions: Actions, node: syntax.Setup) -> r.MoveKind:
    """Read the start position: its statements, as a move of chance where they have `chance`."""
    body = BlockReader(scope, actions, "setup", shuffles=shuffles(node))
    scope.stateless = "`setup`"
    statements = body.read_block(node.block)
    scope.stateless = ""
    if body.shuffles:
        statements = body.with_notation(statements, node, "setup")
    body.complain_unused(node.block)
    return r.MoveKind("setup", body.frame.size, statements, scope.origin(node))


def shuffles(node: syntax.Setup | None) -> bool:
    """Whether chance makes choices in `setup`."""
    block = () if node is None else node.block
    return any(isinstance(s, syntax.Choose) and s.by_chance for s in block)


def check_deciders(
    file: FileStatements, moves: Sequence[r.MoveKind], courses: Sequence[Course]
) -> None:
    """Report turns that offer what chance decides beside anything else."""
    chances = {number for number, move in enumerate(moves) if move.by_chance}
    if not chances:
        return
    turns = file.all(syntax.Turn)
    _check_longest(file.scope, turns, {moves[number].name for number in chances})
    for course in _reached(courses):
        for offered in offered_together(course):
            if len(offered) > 1 and chances & offered:
                _complain(file.scope, turns, moves, offered)
                return


def _reached(courses: Sequence[Course]) -> set[Course]:
    """All that can be left of some courses."""
    reached, todo = set[Course](), set(courses)
    while todo:
        course = todo.pop()
        if course not in reached:
            reached.add(course)
            todo |= after_one(course)
    return reached


def _complain(
    scope: Scope,
    turns: Sequence[syntax.Turn],
    moves: Sequence[r.MoveKind],
    offered: frozenset[int | None],
) -> None:
    names = ["-" if n is None else moves[n].name for n in sorted(offered, key=str)]
    lucky = next(moves[n].name for n in offered if n is not None and moves[n].by_chance)
    others = ", ".join(f"`{name}`" for name in names if name != lucky)
    message = f"chance makes the move `{lucky}`, and beside it the turn offers {others}"
    advice = f"a move of chance stands alone: `turn {lucky} ...`, or behind `else`"
    at = next((t for t in turns if lucky in {n.text for n in moves_named(t.course)}), turns[0])
    scope.complain("who-decides", at, message, advice)


def _check_longest(scope: Scope, turns: Sequence[syntax.Turn], chances: set[str]) -> None:
    """Report moves of chance inside of `longest`: nobody knows how long a way will be."""
    for part in syntax.nodes(*turns):
        if isinstance(part, syntax.Longest):
            for name in moves_named(part.item):
                if name.text in chances:
                    message = "nobody can choose the longest way where chance decides on it"
                    advice = f"take it out: `{name.text} longest ...`"
                    scope.complain("who-decides", name, message, advice)


def check_first_values(
    scope: Scope,
    setup: syntax.Setup,
    nodes: Sequence[syntax.StateVariable],
    states: Sequence[r.StateVariable],
) -> None:
    """Report states whose first value looks at the board, where chance has yet to set it up."""
    assigned = {n.name.text for n in syntax.nodes(setup) if isinstance(n, syntax.Assign)}
    for node, state in zip(nodes, states, strict=False):
        looks = scope.measures.of(state.first).flags & cost.POSITION
        if looks and state.name not in assigned:
            message = f"`{state.name}` begins with what stands on the board, and chance sets it up"
            advice = f"set it in `setup` as well: `{state.name} := ...`"
            scope.complain("not-constant", node, message, advice)


def read_unused_actions(scope: Scope, actions: Actions) -> None:
    """Read the actions that nothing performs, as far as that goes without arguments."""
    performed = {name for name, _ in actions.numbers}
    for declared in list(scope.declared.values()):
        if declared.kind == "action" and declared.name.text not in performed:
            action: syntax.Action = declared.nodes[0]
            read_action(scope, actions, action, (Type.UNKNOWN,) * len(action.parameters))
