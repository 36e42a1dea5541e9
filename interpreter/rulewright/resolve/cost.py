"""What an expression looks at, and how many elementary steps it can take at the worst."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch

from rulewright.model import expressions as m
from rulewright.model.expressions import Expr, Function, Type
from rulewright.model.operations import OPERATIONS

_HEAVY = frozenset({"groups", "groups_linked", "reach", "reach_linked", "lines", "crossed"})
_MOST = 10**15  # beyond this the number itself no longer matters


def parts(e: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside *e*; bodies of definitions are not among them."""
    match e:
        case m.Apply() | m.CallFunction():
            return e.arguments
        case m.Logic():
            return e.items
        case m.Choice():
            return (e.condition, e.then, e.otherwise)
        case m.Seen():
            return (e.body,)
        case m.Each():
            return (*e.domains, e.body)
        case m.Ray():
            return (e.source, e.along, *_pattern_parts(e.pattern))
    return ()


@singledispatch
def _pattern_parts(pattern: object) -> tuple[Expr, ...]:
    raise TypeError(pattern)


@_pattern_parts.register
def _(pattern: m.OnSite) -> tuple[Expr, ...]:
    return (pattern.sites,)


@_pattern_parts.register
def _(pattern: m.Sequence | m.Alternatives) -> tuple[Expr, ...]:
    return tuple(e for item in pattern.items for e in _pattern_parts(item))


@_pattern_parts.register
def _(pattern: m.Repeated) -> tuple[Expr, ...]:
    times = (pattern.low,) if pattern.high is None else (pattern.low, pattern.high)
    return (*times, *_pattern_parts(pattern.item))


@_pattern_parts.register
def _(pattern: m.Marked) -> tuple[Expr, ...]:
    return _pattern_parts(pattern.item)


def walk(e: Expr, functions: Sequence[Function]) -> Iterator[Expr]:
    """*e* and everything inside it, each definition once."""
    todo, seen = [e], set[int]()
    while todo:
        here = todo.pop()
        yield here
        todo += parts(here)
        if isinstance(here, m.CallFunction) and here.function not in seen:
            seen.add(here.function)
            todo += functions[here.function].bodies


def mentions(e: Expr, operations: set[str], functions: Sequence[Function]) -> bool:
    """Whether any of *operations* is used inside *e*."""
    return any(isinstance(i, m.Apply) and i.operation in operations for i in walk(e, functions))


def reads_position(e: Expr, functions: Sequence[Function]) -> bool:
    """Whether the value of *e* can change while a game is played."""
    for inner in walk(e, functions):
        if isinstance(inner, m.StateValue):
            return True
        if isinstance(inner, m.Apply) and OPERATIONS[inner.operation].reads == "position":
            return True
    return False


def cost(e: Expr, functions: Sequence[Function], sites: int) -> int:
    """Elementary steps to evaluate *e* once on a board of so many sites, at the worst."""
    return _Costs(functions, sites).of(e)


class _Costs:
    def __init__(self, functions: Sequence[Function], sites: int) -> None:
        self.functions, self.sites = functions, max(1, sites)
        self.known: dict[int, int] = {}

    def of(self, e: Expr) -> int:
        inner = sum(self.of(part) for part in parts(e))
        match e:
            case m.Each():
                inner = self._each(e)
            case m.CallFunction():
                inner += self._function(e.function)
            case m.Ray():
                inner += self.sites * 64
            case m.Apply() if e.operation in _HEAVY:
                inner += self.sites
        return min(_MOST, 1 + inner)

    def _each(self, e: m.Each) -> int:
        total, times = 0, 1
        for domain in e.domains:
            total += times * self.of(domain)
            times = min(_MOST, times * self._members(domain))
        return min(_MOST, total + times * self.of(e.body))

    def _members(self, domain: Expr) -> int:
        match domain.type:
            case Type.FAMILY:
                return 4 * self.sites
            case Type.RANGE if isinstance(domain, m.Const) and isinstance(domain.value, tuple):
                low, high = domain.value
                assert isinstance(low, int) and isinstance(high, int)
                return max(1, high - low + 1)
            case Type.RANGE:
                return _MOST
            case Type.SITES:
                return self.sites
        return 16

    def _function(self, number: int) -> int:
        if number not in self.known:
            self.known[number] = max(self.of(b) for b in self.functions[number].bodies)
        return self.known[number]
