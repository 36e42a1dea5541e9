"""Turns: a course of moves, and the courses that can never end or never be played."""

from __future__ import annotations

from collections.abc import Set
from itertools import accumulate

from attrs import frozen

from rulewright.language import syntax
from rulewright.language.elsewhere import JOINING
from rulewright.language.source import Span
from rulewright.model import rules as r
from rulewright.model.rules import Course
from rulewright.resolve.scope import Scope


def resolve_course(node: syntax.Course, scope: Scope, always: Set[str] = frozenset()) -> Course:
    """The model's course; *always* are the moves that are possible in every position."""
    indices = {scope.moves[name].index for name in always if name in scope.moves}
    return _Courses(scope, frozenset(indices)).of(node)


@frozen
class _Courses:
    scope: Scope
    always: frozenset[int]

    def of(self, node: syntax.Course) -> Course:
        match node:
            case syntax.OneMove(name):
                return self._one(name)
            case syntax.InOrder(items):
                self._check_or(items)
                return r.InOrder(tuple(self.of(i) for i in items))
            case syntax.Either(items):
                return r.Either(tuple(self.of(i) for i in items))
            case syntax.Otherwise(first, second):
                return self._otherwise(first, second)
            case syntax.Often():
                return self._often(node)

    def _one(self, name: syntax.Name) -> Course:
        declared = self.scope.moves.get(name.text)
        if declared is None:
            moves = [move for move in self.scope.moves if move != name.text]
            hint = "moves of a turn stand side by side: `turn A B`" * (name.text in JOINING)
            self.scope.unknown(name, "move", moves if not hint else (), hint)
            return r.EMPTY
        self.scope.uses.setdefault(name.text, []).append(name.span)
        return r.OneMove(declared.index)

    def _check_or(self, items: tuple[syntax.Course, ...]) -> None:
        """Warn of an `or` beside moves that follow: it binds closer than one may think."""
        for item in items:
            if isinstance(item, syntax.Either) and not self._has_brackets(item.span):
                text = self.scope.source.text[item.span.start : item.span.end]
                message = "`or` joins only its two neighbours here, and the rest follows either"
                advice = f"write brackets: `({text})`, or around what belongs together"
                self.scope.complain("unbracketed-or", item, message, advice)

    def _has_brackets(self, span: Span) -> bool:
        text = self.scope.source.text
        inner = text[span.start : span.end]
        depths = list(accumulate((c == "(") - (c == ")") for c in inner))
        around = text[: span.start].rstrip()[-1:] + text[span.end :].lstrip()[:1]
        return around == "()" and min(depths) >= 0

    def _otherwise(self, first: syntax.Course, second: syntax.Course) -> Course:
        tried, other = self.of(first), self.of(second)
        if tried != r.EMPTY and self._never_fails(tried):
            message = "this is never played: what stands before `else` is always possible"
            self.scope.complain("unreachable", second, message)
        return r.Otherwise(tried, other)

    def _often(self, node: syntax.Often) -> Course:
        item = self.of(node.item)
        if item != r.EMPTY and can_be_nothing(item):
            message = f"what `{node.sign}` repeats can be left out by itself, so it would never end"
            if node.sign == "?":
                message = "this can be left out already, so the `?` behind it means nothing"
            advice = "a chain that the player may break off is written `A?*`"
            self.scope.complain("turn-course", node, message, advice)
            return item
        if node.sign in ("*", "+") and item != r.EMPTY and self._never_fails(item):
            message = f"what `{node.sign}` repeats is always possible, so the turn would never end"
            advice = "a chain that the player may break off is written `A?*`"
            self.scope.complain("turn-course", node, message, advice)
        match node.sign:
            case "?":
                return r.Maybe(item)
            case "*":
                return r.While(item, free=False)
            case "?*":
                return r.While(item, free=True)
        return r.InOrder((item, r.While(item, free=False)))

    def _never_fails(self, course: Course) -> bool:
        """Whether a course has a decision in every position."""
        match course:
            case r.OneMove(move):
                return move in self.always
            case r.InOrder(items):
                return bool(items) and self._never_fails(items[0])
            case r.Either(items):
                return any(self._never_fails(i) for i in items)
            case r.Otherwise(first, second):
                return self._never_fails(first) or self._never_fails(second)
            case r.Maybe():
                return True
            case r.While(item, free):
                return free and self._never_fails(item)


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
