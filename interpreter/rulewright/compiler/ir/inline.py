"""Kernels by other names, and short ones written out where they are called.

In: a module.  Out: the same kernels by other names, or with fewer calls, for machines that do not
write these out themselves.  A kernel is written out if it is short, or called from few places and
not long; not one that calls itself, nor one that returns out of a loop.  A call is replaced where
nothing else in its statement could notice that it comes first.  Nodes that are given stay as they
are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import define, evolve, field, frozen

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import Expr, Function, Local, Module, Stmt
from rulewright.compiler.ir.types import ARRAYS, NOTHING

SHORT, LONG, FEW = 12, 45, 2
"""Statements of a kernel that is always written out, of one that may be, and calls of that one."""


def inlined(module: Module) -> Module:
    """Inline short kernels into those that call them; the nodes of *module* do not change."""
    calls = Counter(call.name for f in module.functions.values() for call in n.calls(f))
    work = _Inliner(module.functions, calls)
    functions = {name: work.function(name) for name in module.functions}
    return Module(functions, module.constants, module.types, module.outside)


@define
class _Inliner:
    functions: Mapping[str, Function]
    calls: Mapping[str, int]
    finished: dict[str, Function] = field(factory=dict)
    under_way: set[str] = field(factory=set)
    count: int = 0

    def function(self, name: str) -> Function:
        """Return a kernel with its calls inlined."""
        if name not in self.finished:
            self.under_way.add(name)
            f = self.functions[name]
            types = dict(f.locals)
            self.finished[name] = evolve(f, body=self._block(f.body, types), locals=types)
            self.under_way.discard(name)
        return self.finished[name]

    def _block(self, body: Sequence[Stmt], types: dict[str, str]) -> list[Stmt]:
        return [line for s in body for line in self._statement(s, types)]

    def _statement(self, s: Stmt, types: dict[str, str]) -> Iterator[Stmt]:
        match s:
            case n.Do(call=call):
                unused = self._name(call.name)
                replacement = self._body_of(call, unused, types)
                if replacement is not None and call.type != NOTHING:
                    types[unused] = call.type
                yield from [s] if replacement is None else replacement
                return
            case n.If(test=test, then=then, otherwise=otherwise):
                ahead, test = self._hoisted(test, types)
                yield from ahead
                sides = self._block(then, types), self._block(otherwise, types)
                yield n.If(test, *sides)
                return
            case n.While(test=test, body=body):
                yield n.While(test, self._block(body, types))
                return
            case n.For(body=body):
                yield n.For(s.name, s.low, s.high, s.step, self._block(body, types))
                return
            case n.Set(name=name, value=value):
                ahead, value = self._hoisted(value, types)
                yield from (*ahead, n.Set(name, value))
                return
            case n.Store(array=array, index=index, value=value) if _is_still(index):
                ahead, value = self._hoisted(value, types)
                yield from (*ahead, n.Store(array, index, value))
                return
            case n.Return(value=value) if value is not None:
                ahead, value = self._hoisted(value, types)
                yield from (*ahead, n.Return(value))
                return
        yield s

    def _hoisted(self, e: Expr, types: dict[str, str]) -> tuple[list[Stmt], Expr]:
        """Return the statements of a call's inlined body, and the expression without the call."""
        if isinstance(e, n.Call):
            name = self._name(e.name)
            replacement = self._body_of(e, name, types)
            if replacement is None:
                return [], e
            types[name] = e.type
            return replacement, Local(name, e.type)
        if isinstance(e, n.Op):
            inner = [a for a in e.args if not _is_still(a)]
            if len(inner) == 1:
                ahead, remainder = self._hoisted(inner[0], types)
                return ahead, n.Op(e.name, tuple(remainder if a is inner[0] else a for a in e.args))
        return [], e

    def _name(self, name: str) -> str:
        self.count += 1
        return f"{name}__{self.count}"

    def _body_of(self, call: n.Call, result: str, types: dict[str, str]) -> list[Stmt] | None:
        """Return the body of a called kernel, with its value in *result*; None: do not inline."""
        if call.name not in self.functions or call.name in self.under_way:
            return None
        callee = self.function(call.name)
        if callee.apart:
            return None
        size = sum(1 for _ in n.statements(callee.body))
        if size > (LONG if self.calls[call.name] <= FEW else SHORT):
            return None
        body = _without_returns(callee.body, result)
        if body is None:
            return None
        arrays, names, ahead = dict[str, n.Array](), dict[str, str](), list[Stmt]()
        for (name, type_), argument in zip(callee.signature.flat, call.args, strict=True):
            if type_ in ARRAYS:
                assert isinstance(argument, n.Array)
                arrays[name] = argument
            else:
                names[name] = self._name(name)
                ahead.append(n.Set(names[name], argument))
        for name, type_ in callee.locals.items():
            names.setdefault(name, self._name(name))
            types[names[name]] = type_
        names[result] = result
        return [*ahead, *OtherNames(names, arrays).block(body)]


def _is_still(e: Expr) -> bool:
    """Whether no call can change the value of an expression."""
    return isinstance(e, n.Const | n.Local | n.Array)


def _without_returns(body: Sequence[Stmt], result: str) -> list[Stmt] | None:
    """Replace returns by an assignment to *result*; None where one stands inside a loop."""
    block = list[Stmt]()
    for i, s in enumerate(body):
        match s:
            case n.Return(value=value):
                return [*block, *([] if value is None else [n.Set(result, value)])]
            case n.If(test=test, then=then, otherwise=otherwise) if _returns(s):
                rest = list(body[i + 1 :])
                if not _leaves(then) and not _leaves(otherwise) and rest:
                    return None
                then_side = _without_returns(then if _leaves(then) else [*then, *rest], result)
                other_side = _without_returns(
                    [*otherwise, *rest] if _leaves(then) else list(otherwise), result
                )
                if then_side is None or other_side is None:
                    return None
                return [*block, n.If(test, then_side, other_side)]
        if _returns(s):
            return None
        block.append(s)
    return block


def _returns(s: Stmt) -> bool:
    return any(isinstance(inner, n.Return) for inner in n.statements([s]))


def _leaves(body: Sequence[Stmt]) -> bool:
    """Whether a block always returns."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, n.If):
        return _leaves(last.then) and _leaves(last.otherwise)
    return isinstance(last, n.Return)


# --- the same by other names ---


def renamed(function: Function, kernels: Mapping[str, str]) -> Function:
    """Rename a kernel and the kernels that it calls, by *kernels*."""
    name = kernels.get(function.name, function.name)
    if all(kernels.get(call.name, call.name) == call.name for call in n.calls(function)):
        return function if name == function.name else evolve(function, name=name)
    return evolve(function, name=name, body=OtherNames(kernels=kernels).block(function.body))


def with_suffix(module: Module, suffix: str) -> Module:
    """Rename all kernels of a module: *suffix* is put behind their names."""
    kernels = {name: f"{name}{suffix}" for name in module.functions}
    functions = {kernels[name]: renamed(f, kernels) for name, f in module.functions.items()}
    return Module(functions, module.constants, module.types, module.outside)


@frozen
class OtherNames:
    """Rename locals, arrays and kernels; those that are not listed keep their names."""

    locals: Mapping[str, str] = field(factory=dict)
    arrays: Mapping[str, n.Array] = field(factory=dict)
    kernels: Mapping[str, str] = field(factory=dict)

    def block(self, body: Sequence[Stmt]) -> list[Stmt]:
        """Return the statements of a block with new names."""
        return [self._statement(s) for s in body]

    def _statement(self, s: Stmt) -> Stmt:
        match s:
            case n.Set(name=name, value=value):
                return n.Set(self._local(name), self._expr(value))
            case n.Store(array=array, index=index, value=value):
                array = self.arrays.get(array.name, array)
                return n.Store(array, self._expr(index), self._expr(value))
            case n.Do(call=call):
                return n.Do(self._call(call))
            case n.If(test=test):
                sides = self.block(s.then), self.block(s.otherwise)
                return n.If(self._expr(test), *sides)
            case n.While(test=test, body=body):
                return n.While(self._expr(test), self.block(body))
            case n.For(name=name, body=body):
                ends = self._expr(s.low), self._expr(s.high)
                return n.For(self._local(name), *ends, s.step, self.block(body))
            case n.Return(value=value) if value is not None:
                return n.Return(self._expr(value))
        return s

    def _local(self, name: str) -> str:
        return self.locals.get(name, name)

    def _call(self, e: n.Call) -> n.Call:
        name = self.kernels.get(e.name, e.name)
        return n.Call(name, tuple(map(self._expr, e.args)), e.type)

    def _expr(self, e: Expr) -> Expr:
        match e:
            case Local(name=name, type=type_):
                return Local(self._local(name), type_)
            case n.Array(name=name):
                return self.arrays.get(name, e)
            case n.Element(array=array, index=index, volatile=volatile):
                return n.Element(self.arrays.get(array.name, array), self._expr(index), volatile)
            case n.Call():
                return self._call(e)
        return n.with_parts(e, tuple(map(self._expr, n.parts(e))))
