"""Courses as text: what is left of a turn, printed and found again."""

from __future__ import annotations

from itertools import product

from rulewright.model import rules as r
from rulewright.model.expressions import StateValue
from rulewright.model.rules import EMPTY, Course
from rulewright.model.walk import nodes


def follow(first: Course, second: Course) -> Course:
    """Two courses joined in order, without empty parts."""
    items = [
        part
        for course in (first, second)
        for part in (course.items if isinstance(course, r.InOrder) else (course,))
    ]
    return items[0] if len(items) == 1 else r.InOrder(tuple(items))


def rest_of(course: r.Longest, inside: Course) -> Course:
    """What remains of a longest part when *inside* remains of the course in it."""
    return inside if inside == EMPTY else r.Longest(inside, course.by, course.name)


def may_end(course: Course) -> bool:
    """Whether *course* can come to its end without a decision, when nothing more can be played."""
    match course:
        case r.InOrder(items):
            return all(may_end(i) for i in items)
        case r.Either(items):
            return any(may_end(i) for i in items)
        case r.Otherwise(first, second):
            return may_end(first) or may_end(second)
        case r.While(_, free):
            return not free
        case r.Longest(item):
            return may_end(item)
    return False


def ends_by_itself(course: Course) -> bool:
    """Whether *course* comes to its end where none of its moves has a decision."""
    match course:
        case r.InOrder(items):
            return all(ends_by_itself(i) for i in items)
        case r.Either(items):
            return any(ends_by_itself(i) for i in items)
        case r.Otherwise(_, second):
            return ends_by_itself(second)
        case r.While(_, free):
            return not free
        case r.Longest(item):
            return ends_by_itself(item)
    return False


def ceiling_of(part: r.Longest, rules: r.Rules) -> int | None:
    """What no way through a longest part exceeds: the top of its state's range, if it has one."""
    if not isinstance(part.by, StateValue):
        return None
    high = rules.states[part.by.index].high
    return high if isinstance(high, int) else None


def may_stop(course: Course) -> bool:
    """Whether the decision `none` ends a turn of which this is left, whatever else can be done."""
    match course:
        case r.Maybe():
            return True
        case r.While(_, free):
            return free
        case r.Either(items):
            return any(map(may_stop, items))
    return False


def offered_together(course: Course, tail: Course = EMPTY) -> set[frozenset[int | None]]:
    """The moves (None: `-`) that a course with *tail* behind it may offer at its beginning.

    Each set is what may be offered in one position; behind `else` stand others.
    """
    match course:
        case r.OneMove(move):
            return {frozenset({move})}
        case r.InOrder(()):
            return {frozenset()} if tail == EMPTY else offered_together(tail)
        case r.InOrder((first, *others)):
            return offered_together(first, follow(r.InOrder(tuple(others)), tail))
        case r.Either(items):
            ways = product(*(offered_together(i, tail) for i in items))
            return {frozenset[int | None]().union(*way) for way in ways}
        case r.Otherwise(first, second):
            return offered_together(first, tail) | offered_together(second, tail)
        case r.Maybe(item):
            return {way | {None} for way in offered_together(item, tail)}
        case r.Longest(item):
            return offered_together(item) | offered_together(EMPTY, tail)
    assert isinstance(course, r.While)
    chained = offered_together(course.item, follow(course, tail))
    if course.free:
        return {way | {None} for way in chained}
    return chained | offered_together(EMPTY, tail)


def after_one(course: Course, tail: Course = EMPTY) -> set[Course]:
    """The courses that can be left of *course*, with *tail* behind it, after one decision."""
    match course:
        case r.OneMove():
            return {tail}
        case r.InOrder(()):
            return after_one(tail) if tail != EMPTY else set()
        case r.InOrder((first, *others)):
            return after_one(first, follow(r.InOrder(tuple(others)), tail))
        case r.Either(items):
            return set().union(*(after_one(i, tail) for i in items))
        case r.Otherwise(first, second):
            return after_one(first, tail) | after_one(second, tail)
        case r.Maybe(item):
            return after_one(item, tail) | {tail}
        case r.Longest(item):
            inside = {follow(rest_of(course, remaining), tail) for remaining in after_one(item)}
            return inside | (after_one(EMPTY, tail) if ends_by_itself(item) else set())
    assert isinstance(course, r.While)
    chained = after_one(course.item, follow(course, tail))
    return chained | ({tail} if course.free else after_one(EMPTY, tail))


def is_single(course: Course) -> bool:
    """Whether every turn is one decision, and that of a move."""
    return not count_nones(course) and after_one(course) == {EMPTY}


def count_nones(course: Course) -> int:
    """Count how often a course offers the decision not to move."""
    return sum(isinstance(n, r.Maybe) or (isinstance(n, r.While) and n.free) for n in nodes(course))


def remainders(rules: r.Rules, most: int | None = None) -> dict[str, Course]:
    """Every course that a turn of the game can have left, by its text; about *most* at the most."""
    courses: set[Course] = set()
    todo = {rules.course, rules.first_course}
    while todo and (most is None or len(courses) < most):
        course = todo.pop()
        if course not in courses:
            courses.add(course)
            todo |= after_one(course)
    by_text = {text(course, rules): course for course in courses}
    return dict(sorted(by_text.items()))


def text(course: Course, rules: r.Rules) -> str:
    """*course* as a rules file writes it."""
    match course:
        case r.OneMove(move):
            return rules.moves[move].name
        case r.InOrder(items):
            return " ".join(_part(i, rules) for i in items)
        case r.Either(items):
            return " or ".join(_part(i, rules) for i in items)
        case r.Otherwise(first, second):
            return f"{_part(first, rules)} else {_part(second, rules)}"
        case r.Maybe(item):
            return f"{_part(item, rules)}?"
        case r.Longest(item, _, name):
            return f"longest {f'by {name} ' if name else ''}{_part(item, rules)}"
    return f"{_part(course.item, rules)}{'?*' if course.free else '*'}"


def _part(course: Course, rules: r.Rules) -> str:
    inner = text(course, rules)
    return (
        f"({inner})"
        if isinstance(course, r.InOrder | r.Either | r.Otherwise | r.Longest)
        else inner
    )
