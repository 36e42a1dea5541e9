"""Turns: a course of moves, and the courses that can never end."""

from __future__ import annotations

from rulewright.language import syntax
from rulewright.model import rules as r
from rulewright.model.rules import Course
from rulewright.resolve.scope import Scope


def resolve_course(node: syntax.Course, scope: Scope) -> Course:
    """The model's course; unknown moves and endless repetitions are reported."""
    match node:
        case syntax.OneMove(name):
            return _one(name, scope)
        case syntax.InOrder(items):
            return r.InOrder(tuple(resolve_course(i, scope) for i in items))
        case syntax.EitherCourse(items):
            return r.Either(tuple(resolve_course(i, scope) for i in items))
        case syntax.Otherwise(first, second):
            return r.Otherwise(resolve_course(first, scope), resolve_course(second, scope))
        case syntax.Often():
            return _often(node, scope)


def _one(name: syntax.Name, scope: Scope) -> Course:
    declared = scope.moves.get(name.text)
    if declared is None:
        scope.unknown(name, "move", scope.moves)
        return r.EMPTY
    scope.used.add(f"move {name.text}")
    scope.uses.setdefault(name.text, []).append(name.span)
    return r.One(declared.index)


def _often(node: syntax.Often, scope: Scope) -> Course:
    item = resolve_course(node.item, scope)
    if item != r.EMPTY and can_be_nothing(item):
        message = f"what `{node.sign}` repeats can be left out by itself, so it would never end"
        advice = "a chain that the player may break off is written `A?*`"
        scope.complain("turn-course", node, message, advice)
        return item
    match node.sign:
        case "?":
            return r.Maybe(item)
        case "*":
            return r.While(item, free=False)
        case "?*":
            return r.While(item, free=True)
    return r.InOrder((item, r.While(item, free=False)))


def can_be_nothing(course: Course) -> bool:
    """Whether a whole course may pass without a move."""
    match course:
        case r.InOrder(items):
            return all(can_be_nothing(i) for i in items)
        case r.Either(items):
            return any(can_be_nothing(i) for i in items)
        case r.Otherwise(first, second):
            return can_be_nothing(first) or can_be_nothing(second)
        case r.Maybe() | r.While():
            return True
    return False
