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
"""What may change: a name, an element of an array, or (None) any element of it."""
CALLED = ""
"""Any element of any array."""


def optimised(module: Module) -> Module:
    """The same kernels after all passes; those given stay as they are."""
    functions = dict(module.functions)
    for change in PASSES:
        functions = {name: change(function) for name, function in functions.items()}
    return Module(functions, module.constants, module.types, module.outside)


# --- the same value twice ---


def reuse(function: Function) -> Function:
    """A value that a name still holds is not worked out again."""
    count = dict.fromkeys((name for name, _ in function.signature.flat), 1)
    for s in n.statements(function.body):
        if isinstance(s, n.Set | n.For):
            count[s.name] = count.get(s.name, 0) + 1
    single = {name for name, times in count.items() if times == 1}
    return evolve(function, body=_Reuse(single).block(function.body, _Known()))


@define
class _Known:
    """Names that stand for others, and values that have names, with the places they depend on."""

    names: dict[str, Expr] = field(factory=dict)
    values: dict[Hashable, tuple[Expr, frozenset[Place]]] = field(factory=dict)

    def copy(self) -> _Known:
        """For a block that is not always run."""
        return _Known(dict(self.names), dict(self.values))

    def forget(self, places: Collection[Place]) -> None:
        """These have changed."""
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
    """*single* are the names that get a value once."""

    single: set[str]

    def block(self, body: list[Stmt], known: _Known) -> list[Stmt]:
        """The statements that are left of a block."""
        found: list[Stmt] = []
        for s in body:
            found += self._statement(s, known)
            if found and isinstance(found[-1], n.Return | n.Break | n.Continue):
                break  # what follows is never reached
        return found

    def _statement(self, s: Stmt, known: _Known) -> list[Stmt]:
        match s:
            case n.Set(name=name, value=value):
                assigned = n.Set(name, self._seen(value, known))
                if name not in self.single or n.has_call(assigned.value):
                    known.forget(_changed([assigned]))
                self._named(name, assigned.value, known)
                return [assigned]
            case n.Store(array=array, index=index, value=value):
                stored = self._seen(value, known)
                store = n.Store(array, self._seen(index, known), stored)
                known.forget(_changed([store]))
                self._stored(store, known)
                return [store]
            case n.Do(call=call):
                args = tuple(self._seen(a, known) for a in call.args)
                known.forget({CALLED})
                return [n.Do(n.Call(call.name, args, call.type))]
            case n.If():
                return self._if(s, known)
            case n.While(test=test, body=body):
                known.forget(_changed([s]))
                return [n.While(self._seen(test, known), self.block(body, known.copy()))]
            case n.For():
                ends = self._seen(s.low, known), self._seen(s.high, known)
                known.forget(_changed([s]))
                return [n.For(s.name, *ends, s.step, self.block(s.body, known.copy()))]
            case n.Return(value=value) if value is not None:
                return [n.Return(self._seen(value, known))]
        return [s]

    def _if(self, s: n.If, known: _Known) -> list[Stmt]:
        test = self._seen(s.test, known)
        if isinstance(test, Const):
            return self.block(s.then if test.value else s.otherwise, known)
        if n.has_call(test):
            known.forget({CALLED})
        sides = self.block(s.then, known.copy()), self.block(s.otherwise, known.copy())
        for inner in sides:
            if not (inner and isinstance(inner[-1], n.Return | n.Break | n.Continue)):
                known.forget(_changed(inner))
        return [n.If(test, *sides)]

    def _named(self, name: str, value: Expr, known: _Known) -> None:
        """A name has a value from here on."""
        if name not in self.single:
            return
        if isinstance(value, Const) or (isinstance(value, Local) and value.name in self.single):
            known.names[name] = value
            return
        key = _key(value)
        if key is not None and not isinstance(value, Local):
            known.values[key] = Local(name, value.type), self._reads(value)

    def _stored(self, s: n.Store, known: _Known) -> None:
        """An element is what was stored there, where that has a name."""
        value = s.value
        if isinstance(value, Const) or (isinstance(value, Local) and value.name in self.single):
            element = n.Element(s.array, s.index)
            known.values[_key(element)] = value, self._reads(element)

    def _reads(self, e: Expr) -> frozenset[Place]:
        """The places that a value depends on."""
        if isinstance(e, Local):
            return frozenset() if e.name in self.single else frozenset({e.name})
        found: frozenset[Place] = frozenset()
        if isinstance(e, n.Element):
            found = frozenset({_cell(e.array, e.index)})
        for part in n.parts(e):
            found |= self._reads(part)
        return found

    def _seen(self, e: Expr, known: _Known) -> Expr:
        """An expression with the names that are known for its parts."""
        if isinstance(e, Local):
            return known.names.get(e.name, e)
        parts = n.parts(e)
        if not parts:
            return e
        inner = tuple([self._seen(part, known) for part in parts])
        if any(a is not b for a, b in zip(parts, inner, strict=True)):
            e = n.with_parts(e, inner)
        key = _key(e)
        return known.values[key][0] if key is not None and key in known.values else e


def _key(e: Expr) -> Hashable:
    """What two expressions have in common that give the same; None where each is its own."""
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
    """The places that statements may change."""
    found: set[Place] = set()
    for s in body:
        if isinstance(s, n.Set | n.For):
            found.add(s.name)
        elif isinstance(s, n.Store):
            found.add(_cell(s.array, s.index))
        for inner in n.blocks(s):
            found |= _changed(inner)
        if any(map(n.has_call, n.values(s))):
            found.add(CALLED)
    return found


# --- names that nobody reads ---


def drop_unread(function: Function) -> Function:
    """A name that nobody reads gets no value, a test that decides nothing is not made."""
    uses: dict[str, int] = {}
    for s in n.statements(function.body):
        for e in n.values(s):
            _use(e, uses, 1)
    return evolve(function, body=_kept(function.body, uses))


def _kept(body: list[Stmt], uses: dict[str, int]) -> list[Stmt]:
    kept: list[Stmt] = []
    for s in (_inside(s, uses) for s in reversed(body)):
        if _does_nothing(s, uses):
            for e in n.values(s):
                _use(e, uses, -1)
        else:
            kept.append(s)
    return kept[::-1]


def _inside(s: Stmt, uses: dict[str, int]) -> Stmt:
    """What is kept of the blocks in a statement, from its end."""
    match s:
        case n.If(test=test, then=then, otherwise=otherwise):
            other = _kept(otherwise, uses)
            return n.If(test, _kept(then, uses), other)
        case n.While(test=test, body=body):
            return n.While(test, _kept(body, uses))
        case n.For(body=body):
            return n.For(s.name, s.low, s.high, s.step, _kept(body, uses))
    return s


def _does_nothing(s: Stmt, uses: dict[str, int]) -> bool:
    unread = isinstance(s, n.Set) and not uses.get(s.name)
    empty = isinstance(s, n.If) and not s.then and not s.otherwise
    return (unread or empty) and not any(map(_matters, n.values(s)))


def _matters(e: Expr) -> bool:
    """Whether something may happen while it is worked out, or somebody wants it read."""
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
