"""What is left out of kernels: values that are known by another name, and names nobody reads.

In: a function.  Out: the same function with fewer statements.  A value stays known until a name in
it gets another one, or an element that it reads may; a branch forgets what it learnt, and a loop
what it changes before it begins.  Arrays of different names share no element.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

from attrs import define, evolve, field

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import Const, Expr, Function, Local, Module, Stmt
from rulewright.compiler.ir.types import INT

Place = str | tuple[str, int | None]
"""A location that may change: a name, an element of an array, or (None) any element of it."""
CALLED = ""
"""Any element of any array."""


def optimised(module: Module) -> Module:
    """Run all passes over the kernels of a module, which itself does not change."""
    functions = dict(module.functions)
    for change in PASSES:
        functions = {name: change(function) for name, function in functions.items()}
    return Module(functions, module.constants, module.types, module.outside)


# --- the same value twice ---


def reuse(function: Function) -> Function:
    """Replace a value that a name still holds by that name (common subexpressions)."""
    count = dict.fromkeys((name for name, _ in function.signature.flat), 1)
    for s in n.statements(function.body):
        if isinstance(s, n.Set | n.For):
            count[s.name] = count.get(s.name, 0) + 1
    single = {name for name, times in count.items() if times == 1}
    return evolve(function, body=_Reuse(single).block(function.body, _Values()))


@define
class _Values:
    """Names that stand for others, and values that have names, with the places they depend on."""

    names: dict[str, Expr] = field(factory=dict)
    values: dict[Hashable, tuple[Expr, frozenset[Place]]] = field(factory=dict)

    def copy(self) -> _Values:
        """Copy the tables, for a block that is not always run."""
        return _Values(dict(self.names), dict(self.values))

    def forget(self, places: Collection[Place]) -> None:
        """Forget the values that depend on places which have changed."""
        if places:
            for key in [k for k, (_, reads) in self.values.items() if _touched(reads, places)]:
                del self.values[key]


def _touched(reads: frozenset[Place], places: Collection[Place]) -> bool:
    if not reads:
        return False
    for place in places:
        if place in reads:
            return True
        if place == CALLED and any(type(r) is tuple for r in reads):
            return True
        if type(place) is tuple:
            array, index = place
            if index is None and any(type(r) is tuple and r[0] == array for r in reads):
                return True
            if index is not None and (array, None) in reads:
                return True
    return False


@define
class _Reuse:
    """Rewrite blocks with known values; *single* are the names that get a value once."""

    single: set[str]

    def block(self, body: list[Stmt], values: _Values) -> list[Stmt]:
        """Rewrite a block; what follows a jump is left out."""
        statements: list[Stmt] = []
        for s in body:
            statements += self._statement(s, values)
            if statements and isinstance(statements[-1], n.Return | n.Break | n.Continue):
                break  # what follows is never reached
        return statements

    def _statement(self, s: Stmt, values: _Values) -> list[Stmt]:
        match s:
            case n.Set(name=name, value=value):
                assigned = n.Set(name, self._reused(value, values))
                if name not in self.single or n.has_call(assigned.value):
                    values.forget(_changed([assigned]))
                self._assign(name, assigned.value, values)
                return [assigned]
            case n.Store(array=array, index=index, value=value):
                stored = self._reused(value, values)
                store = n.Store(array, self._reused(index, values), stored)
                values.forget(_changed([store]))
                self._note_store(store, values)
                return [store]
            case n.Do(call=call):
                args = tuple(self._reused(a, values) for a in call.args)
                values.forget({CALLED})
                return [n.Do(n.Call(call.name, args, call.type))]
            case n.If():
                return self._if(s, values)
            case n.While(test=test, body=body):
                values.forget(_changed([s]))
                return [n.While(self._reused(test, values), self.block(body, values.copy()))]
            case n.For():
                ends = self._reused(s.low, values), self._reused(s.high, values)
                values.forget(_changed([s]))
                return [n.For(s.name, *ends, s.step, self.block(s.body, values.copy()))]
            case n.Return(value=value) if value is not None:
                return [n.Return(self._reused(value, values))]
        return [s]

    def _if(self, s: n.If, values: _Values) -> list[Stmt]:
        test = self._reused(s.test, values)
        if isinstance(test, Const):
            return self.block(s.then if test.value else s.otherwise, values)
        if n.has_call(test):
            values.forget({CALLED})
        sides = self.block(s.then, values.copy()), self.block(s.otherwise, values.copy())
        for inner in sides:
            if not (inner and isinstance(inner[-1], n.Return | n.Break | n.Continue)):
                values.forget(_changed(inner))
        return [n.If(test, *sides)]

    def _assign(self, name: str, value: Expr, values: _Values) -> None:
        """Note the value of a name."""
        if name not in self.single:
            return
        if isinstance(value, Const) or (isinstance(value, Local) and value.name in self.single):
            values.names[name] = value
            return
        key = _key(value)
        if key is not None and not isinstance(value, Local):
            values.values[key] = Local(name, value.type), self._reads(value)

    def _note_store(self, s: n.Store, values: _Values) -> None:
        """Note the value of an element, where it is a name or a constant."""
        value = s.value
        if isinstance(value, Const) or (isinstance(value, Local) and value.name in self.single):
            element = n.Element(s.array, s.index)
            values.values[_key(element)] = value, self._reads(element)

    def _reads(self, e: Expr) -> frozenset[Place]:
        """Return the places that a value depends on."""
        if isinstance(e, Local):
            return frozenset() if e.name in self.single else frozenset({e.name})
        places: frozenset[Place] = frozenset()
        if isinstance(e, n.Element):
            places = frozenset({_cell(e.array, e.index)})
        for part in n.parts(e):
            places |= self._reads(part)
        return places

    def _reused(self, e: Expr, values: _Values) -> Expr:
        """Rewrite an expression with the names that hold its parts."""
        if isinstance(e, Local):
            return values.names.get(e.name, e)
        parts = n.parts(e)
        if not parts:
            return e
        inner = tuple([self._reused(part, values) for part in parts])
        if any(a is not b for a, b in zip(parts, inner, strict=True)):
            e = n.with_parts(e, inner)
        key = _key(e)
        return values.values[key][0] if key is not None and key in values.values else e


def _key(e: Expr) -> Hashable:
    """Return a key that is equal for expressions of equal value; None for those without one."""
    match e:
        case Local(name=name):
            return name
        case Const(value=value, type=type_):
            return (value, type_) if type_ == INT else (repr(value), type_)
        case n.Op(name=name, args=args):
            return _keys(name, args)
        case n.Element(array=array, index=index, volatile=False):
            return _keys("[" + array.name, (index,))
        case n.Logic(both=both, items=items):
            return _keys("and " if both else "or ", items)
        case n.Choice():
            return _keys("if", n.parts(e))
    return None


def _keys(word: str, parts: Sequence[Expr]) -> Hashable:
    keys = [_key(part) for part in parts]
    return None if None in keys else (word, *keys)


def _cell(array: n.Array, index: Expr) -> Place:
    return array.name, int(index.value) if isinstance(index, Const) else None


def _changed(body: Iterable[Stmt]) -> set[Place]:
    """Return the places that statements may change."""
    places: set[Place] = set()
    for s in body:
        if isinstance(s, n.Set | n.For):
            places.add(s.name)
        elif isinstance(s, n.Store):
            places.add(_cell(s.array, s.index))
        for inner in n.blocks(s):
            places |= _changed(inner)
        if any(map(n.has_call, n.values(s))):
            places.add(CALLED)
    return places


# --- names that nobody reads ---


def drop_unread(function: Function) -> Function:
    """Drop assignments to names that are never read, and `if`s without statements."""
    uses: dict[str, int] = {}
    for s in n.statements(function.body):
        for e in n.values(s):
            _use(e, uses, 1)
    return evolve(function, body=_used_part(function.body, uses))


def _used_part(body: list[Stmt], uses: dict[str, int]) -> list[Stmt]:
    statements: list[Stmt] = []
    for s in (_used_blocks(s, uses) for s in reversed(body)):
        if _does_nothing(s, uses):
            for e in n.values(s):
                _use(e, uses, -1)
        else:
            statements.append(s)
    return statements[::-1]


def _used_blocks(s: Stmt, uses: dict[str, int]) -> Stmt:
    """Drop unread statements from the blocks of a statement, the last block first."""
    match s:
        case n.If(test=test, then=then, otherwise=otherwise):
            other_side = _used_part(otherwise, uses)
            return n.If(test, _used_part(then, uses), other_side)
        case n.While(test=test, body=body):
            return n.While(test, _used_part(body, uses))
        case n.For(body=body):
            return n.For(s.name, s.low, s.high, s.step, _used_part(body, uses))
    return s


def _does_nothing(s: Stmt, uses: dict[str, int]) -> bool:
    unread = isinstance(s, n.Set) and not uses.get(s.name)
    empty = isinstance(s, n.If) and not s.then and not s.otherwise
    return (unread or empty) and not any(map(_matters, n.values(s)))


def _matters(e: Expr) -> bool:
    """Whether evaluating an expression may have an effect: a call, or a volatile read."""
    if isinstance(e, n.Call) or (isinstance(e, n.Element) and e.volatile):
        return True
    return any(map(_matters, n.parts(e)))


def _use(e: Expr, uses: dict[str, int], by: int) -> None:
    if isinstance(e, Local):
        uses[e.name] = uses.get(e.name, 0) + by
    for part in n.parts(e):
        _use(part, uses, by)


PASSES: Sequence[Callable[[Function], Function]] = (reuse, drop_unread)
"""In this order."""
