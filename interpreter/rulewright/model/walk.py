"""Walking over the model: every record inside others, and what they use.

In: any records of the model.  Out: their nodes, the same with other expressions inside, the
operations that they use, whether they draw numbers at random.  Bodies of definitions are not inside
their calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve

from rulewright.ground.records import field_types, is_record, names_of
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Apply, CallFunction, PathValue, ScanValue

if TYPE_CHECKING:
    from rulewright.model.evaluation import Evaluator, ValueOf

T = TypeVar("T")
_FIELDS: dict[type, tuple[str, ...]] = {}
_READERS: dict[type, Callable[[Any], tuple[Any, ...]] | None] = {}
_INNER: dict[type, tuple[str, ...]] = {}
_LISTS = (tuple, list)


def nodes(*roots: object) -> Iterator[Any]:
    """All records in *roots*, outer ones first."""
    todo: list[Any] = list(reversed(roots))
    while todo:
        node = todo.pop()
        if isinstance(node, _LISTS):
            todo += reversed(node)
            continue
        kind = type(node)
        read = _READERS[kind] if kind in _READERS else _reader(kind)
        if read is not None:
            yield node
            todo += read(node)


def _reader(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """What gives the fields of a record in which others may stand, last ones first; or None."""
    _READERS[kind] = None
    if is_record(kind):
        types = field_types(kind)
        names = [n for n in reversed(_fields(kind)) if not _PLAIN.fullmatch(types[n])]
        _READERS[kind] = _reader_of(names)
    return _READERS[kind]


def _reader_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda node: tuple(getattr(node, name) for name in names)


_PLAIN = re.compile(r"((int|str|bool|float|None|tuple|frozenset|\.\.\.|Type)\b|[\[\], .|])*")
"""The types of fields in which no record stands, as they are written."""


def _fields(kind: Any) -> tuple[str, ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(n for n in names_of(kind) if n != "origin")
    return _FIELDS[kind]


def parts(e: m.Expression) -> tuple[m.Expr, ...]:
    """The expressions directly inside *e*; bodies of definitions are not among them."""
    names = _inner(type(e))
    return tuple(_outer_expressions([getattr(e, name) for name in names])) if names else ()


def outermost(statement: object) -> list[m.Expr]:
    """The expressions of a statement that stand in no other one."""
    expressions = list[m.Expr]()

    def keep(e: m.Expr) -> m.Expr:
        expressions.append(e)
        return e

    rebuilt(statement, keep)
    return expressions


def _outer_expressions(values: Iterable[Any]) -> Iterator[m.Expr]:
    for part in values:
        if isinstance(part, m.Expression):
            yield part  # type: ignore[misc]
        elif isinstance(part, tuple):
            yield from _outer_expressions(part)
        elif part is not None:  # the pattern of a ray
            yield from _outer_expressions([getattr(part, name) for name in _inner(type(part))])


def _inner(kind: Any) -> tuple[str, ...]:
    """The fields in which other expressions stand, by what their class says of them."""
    if kind not in _INNER:
        fields = field_types(kind).items()
        _INNER[kind] = tuple(n for n, type_ in fields if "Expr" in type_ or "RayPattern" in type_)
    return _INNER[kind]


def reachable_nodes(e: object, functions: Sequence[m.Function]) -> Iterator[Any]:
    """All records in an expression and in the definitions that it calls."""
    todo, visited = [e], set[int]()
    while todo:
        for node in nodes(todo.pop()):
            yield node
            if isinstance(node, CallFunction) and node.function not in visited:
                visited.add(node.function)
                todo += functions[node.function].bodies


def content(part: Any, called: Callable[[int], int]) -> Any:
    """A part of the model as tuples that are equal where it means the same.

    *called* gives the number of a definition a meaning of its own; places in texts are left out.
    """
    if isinstance(part, tuple):
        return tuple(content(item, called) for item in part)
    kind = type(part)
    if not is_record(kind):
        return kind, part  # 1, 1.0 and True are equal and not the same
    fields = (getattr(part, name) for name in _fields(kind))
    if isinstance(part, CallFunction):
        return kind, part.type, called(part.function), content(part.arguments, called)
    return kind, *(content(item, called) for item in fields)


def depends_only_on_position(
    number: int, functions: Sequence[m.Function], dependent: dict[int, bool] | None = None
) -> bool:
    """Whether a definition is a set of sites that the position and the player alone determine.

    Such a definition is evaluated once a position, however often it is used.  *dependent* caches
    by number which definitions depend on more.
    """
    function = functions[number]
    if function.parameters or any(body.type is not m.Type.SITES for body in function.bodies):
        return False
    return not _asks_anew(number, functions, {} if dependent is None else dependent)


def settled_definitions(functions: Sequence[m.Function]) -> frozenset[int]:
    """The definitions that are sets of sites which position and player alone determine."""
    dependent = dict[int, bool]()
    return frozenset(
        n for n in range(len(functions)) if depends_only_on_position(n, functions, dependent)
    )


def _asks_anew(number: int, functions: Sequence[m.Function], dependent: dict[int, bool]) -> bool:
    """Whether a definition, or one that it calls, depends on more than position and player."""
    if number not in dependent:
        dependent[number] = True  # for whoever asks for it while it is looked at: notes do
        dependent[number] = any(
            isinstance(node, _UNSETTLED)
            or (isinstance(node, Apply) and node.operation in _ASKED_ANEW)
            or (isinstance(node, CallFunction) and _asks_anew(node.function, functions, dependent))
            for node in nodes(functions[number].bodies)
        )
    return dependent[number]


_UNSETTLED = (m.FactorValue, m.ChosenValue, m.Change, ScanValue, PathValue)
_ASKED_ANEW = frozenset({"random", "mobility", "repeats", "board_repeats", "stuck"})


def rebuilt(node: T, change: Callable[[m.Expr], m.Expr]) -> T:
    """Return a record (or tuple) with *change* applied to the outermost expressions inside it."""
    if isinstance(node, tuple):
        parts = tuple(_inside(part, change) for part in node)
        return node if all(a is b for a, b in zip(parts, node, strict=True)) else parts  # type: ignore[return-value]
    fresh: dict[str, Any] = {}
    for name in names_of(type(node)):
        part = getattr(node, name)
        inner = _inside(part, change)
        if inner is not part:
            fresh[name] = inner
    made_anew: T = evolve(node, **fresh) if fresh else node  # type: ignore[misc]
    return made_anew


def _inside(part: Any, change: Callable[[m.Expr], m.Expr]) -> Any:
    if isinstance(part, m.Expression):
        return change(part)  # type: ignore[arg-type]
    return rebuilt(part, change) if isinstance(part, tuple) or names_of(type(part)) else part


def everything(rules: r.Rules) -> Iterator[Any]:
    """All records of a game's moves, definitions, actions and ends."""
    return nodes(rules.functions, rules.actions, rules.moves, rules.ends)


def operations(*roots: object) -> set[str]:
    """The operations that *roots* use."""
    return {n.operation for n in nodes(*roots) if isinstance(n, m.Apply)}


def reached_operations(part: object, rules: r.Rules) -> set[str]:
    """The operations that a part of the rules uses, and the definitions that it calls."""
    return {n.operation for n in reachable_nodes(part, rules.functions) if isinstance(n, m.Apply)}


def draws(evaluator: Evaluator, value: ValueOf) -> bool:
    """Whether a value asks for numbers drawn at random."""
    todo: list[object] = [value.parts]
    pairs = set[tuple[type, int]]()
    while todo:
        for node in reachable_nodes(todo.pop(), evaluator.functions):
            match node:
                case Apply(operation="random"):
                    return True
                case ScanValue(scan=number) if (ScanValue, number) not in pairs:
                    pairs.add((ScanValue, number))
                    todo.append(evaluator.scans[number])
                case PathValue(path=number) if (PathValue, number) not in pairs:
                    pairs.add((PathValue, number))
                    todo.append(evaluator.paths[number])
    return False
