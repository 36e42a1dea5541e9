"""What nodes must be, between any two stages: types, arity, names that have values.

In: a module.  Out: nothing, or an `InvalidKernel` that says where a rule of the representation is
broken: a mistake of this package, never of a user.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import OPERATIONS, Expr, Function, Module, Stmt
from rulewright.compiler.ir.types import ARRAYS, BOOL, INT, NOTHING, SCALARS


class InvalidKernel(Exception):
    """Nodes that no backend could translate."""


def verify(module: Module) -> None:
    """Check every function of a module; raises `InvalidKernel`."""
    for function in module.functions.values():
        _Verifier(function, module).run()


def adds(function: Function) -> bool:
    """Whether a function adds to an element of an array, and gives what was there before.

    An atomic one does this and nothing else: `old = words[at]`, `words[at] = old + more`,
    `return old`, of the parameters `words`, `at` and `more`.
    """
    match function.signature.flat, function.body:
        case (
            ((words, "ints"), (at, "i64"), (more, "i64")),
            [
                n.Set(name=old, value=n.Element(array=source, index=n.Local(name=i))),
                n.Store(array=target, index=n.Local(name=j), value=n.Op("add", (one, other))),
                n.Return(value=n.Local(name=given)),
            ],
        ):
            named = one.name if isinstance(one, n.Local) else "", getattr(other, "name", "")
            return (source.name, target.name, i, j) == (words, words, at, at) and (
                named == (old, more) and given == old
            )
    return False


@define
class _Verifier:
    function: Function
    module: Module
    loops: int = 0
    arrays: dict[str, str] = field(factory=dict)

    def run(self) -> None:
        f = self.function
        self.arrays = {name: t for name, t in f.signature.flat if t in ARRAYS}
        given = {name for name, t in f.signature.flat if t in SCALARS}
        if not given <= set(f.locals) or not set(f.locals.values()) <= set(SCALARS):
            raise self._invalid("its names have no types")
        if f.atomic and not adds(f):
            raise self._invalid("it is atomic, and does not add to an element")
        after = self._block(f.body, frozenset(given))
        if after is not None and f.signature.gives != NOTHING:
            raise self._invalid("it may end without a value")

    def _invalid(self, message: str) -> InvalidKernel:
        return InvalidKernel(f"{self.function.name}: {message}")

    # --- statements: the names that have values after them, None where nothing follows ---

    def _block(self, body: Sequence[Stmt], known: frozenset[str]) -> frozenset[str] | None:
        now: frozenset[str] | None = known
        for s in body:
            if now is None:
                self._statement(s, frozenset(self.function.locals))  # never reached
            else:
                now = self._statement(s, now)
        return now

    def _statement(self, s: Stmt, known: frozenset[str]) -> frozenset[str] | None:
        for e in n.values(s):
            self._expr(e, known)
        match s:
            case n.Set(name=name, value=value):
                self._type(value, self.function.locals.get(name, "no local"))
                return known | {name}
            case n.Store(array=array, index=index, value=value):
                self._array(array)
                self._type(index, INT)
                self._type(value, ARRAYS[array.type])
            case n.If(test=test, then=then, otherwise=otherwise):
                self._type(test, BOOL)
                return _either(self._block(then, known), self._block(otherwise, known))
            case n.While(test=test, body=body):
                self._type(test, BOOL)
                self._loop(body, known)
            case n.For(name=name, low=low, high=high):
                self._type(low, INT)
                self._type(high, INT)
                if self.function.locals.get(name) != INT or s.step == 0:
                    raise self._invalid(f"`{name}` cannot count")
                self._loop(s.body, known | {name})
            case n.Break() | n.Continue():
                if not self.loops:
                    raise self._invalid("no loop to leave")
                return None
            case n.Return(value=value):
                gives = NOTHING if value is None else value.type
                if gives != self.function.signature.gives:
                    raise self._invalid(f"it returns {gives}")
                return None
        return known

    def _loop(self, body: Sequence[Stmt], known: frozenset[str]) -> None:
        self.loops += 1
        self._block(body, known)
        self.loops -= 1

    # --- expressions ---

    def _expr(self, e: Expr, known: frozenset[str]) -> None:
        for part in n.parts(e):
            self._expr(part, known)
        match e:
            case n.Local(name=name):
                self._type(e, self.function.locals.get(name, "no local"))
                if name not in known:
                    raise self._invalid(f"`{name}` may have no value")
            case n.Array():
                self._array(e)
            case n.Element(array=array, index=index):
                self._array(array)
                self._type(index, INT)
            case n.Op(name=name, args=args):
                self._types(name, args, OPERATIONS[name].takes)
            case n.Logic(items=items):
                self._types("logic", items, [BOOL] * len(items))
            case n.Choice(test=test, then=then, otherwise=otherwise):
                self._type(test, BOOL)
                self._type(otherwise, then.type)
            case n.Call(name=name, args=args):
                signature = self.module.signatures.get(name)
                if signature is None or signature.gives != e.type:
                    raise self._invalid(f"no kernel `{name}` gives {e.type}")
                self._types(name, args, [t for _, t in signature.flat])

    def _array(self, array: n.Array) -> None:
        if self.arrays.get(array.name) != array.type:
            raise self._invalid(f"no array `{array.name}` of {array.type}")

    def _types(self, name: str, args: Sequence[Expr], takes: Sequence[str]) -> None:
        if len(args) != len(takes):
            raise self._invalid(f"`{name}` takes {len(takes)} values")
        for e, type_ in zip(args, takes, strict=True):
            self._type(e, type_)

    def _type(self, e: Expr, wanted: str) -> None:
        if e.type != wanted:
            raise self._invalid(f"{wanted} is needed where {e.type} stands")


def _either(a: frozenset[str] | None, b: frozenset[str] | None) -> frozenset[str] | None:
    if a is None or b is None:
        return b if a is None else a
    return a & b
