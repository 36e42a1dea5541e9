"""Writing a kernel: statements one after the other, blocks as `with`, forms that may be taken back.

In: expressions, in the order in which things happen.  Out: a `Function`.  What is known now is not
written: a block whose condition never holds is left out.  Nothing is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from attrs import define, field

from rulewright.codegen.ir import nodes as n
from rulewright.codegen.ir.fold import simplified
from rulewright.codegen.ir.nodes import Const, Element, Expr, Function, Local, Stmt, Value, as_expr
from rulewright.codegen.ir.types import ARRAYS, INT, NOTHING, SCALARS, Signature


@define(eq=False)
class FunctionBuilder:
    """One function under way; `body` is the block that is being written."""

    body: list[Stmt] = field(factory=list)
    locals: dict[str, str] = field(factory=dict)
    level: int = 0
    """Blocks around what is being written."""
    count: int = 0
    size: int = 0
    _last: Expr | None = field(default=None, init=False)
    _if: n.If | None = field(default=None, init=False)

    # --- names and values ---

    def fresh(self, word: str = "t", type_: str = INT) -> Local:
        """A name that nothing else has, without a value as yet."""
        self.count += 1
        name = f"{word}{self.count}"
        self.locals[name] = type_
        return Local(name, type_)

    def let(self, value: Value, word: str = "t") -> Expr:
        """A value worked out here; names and constants are their own."""
        found = simplified(as_expr(value))
        if isinstance(found, Local | Const):
            return found
        return self._named(found, word)

    def var(self, value: Value, word: str = "t") -> Local:
        """A fresh name with a first value, which may change."""
        return self._named(simplified(as_expr(value)), word)

    def _named(self, value: Expr, word: str) -> Local:
        name = self.fresh(word, value.type)
        self.put(n.Set(name.name, value))
        return name

    def flag(self, condition: Expr) -> Expr:
        """A truth kept in a name, as 0 or 1."""
        return self.let(n.choice(condition, 1, 0), "b")

    # --- statements ---

    def put(self, s: Stmt) -> None:
        """Add a statement."""
        self.size += 1
        self.body.append(s)

    def set(self, target: Expr, value: Value) -> None:
        """A name or an element of an array gets a value."""
        found = simplified(as_expr(value))
        if isinstance(target, Local):
            self.put(n.Set(target.name, found))
        else:
            assert isinstance(target, Element)
            self.put(n.Store(target.array, simplified(target.index), found))

    def do(self, name: str, *args: Value | Sequence[Expr]) -> None:
        """Call a kernel that gives nothing; a record is the sequence of its fields."""
        call = simplified(self.call(name, *args, gives=NOTHING))
        assert isinstance(call, n.Call)
        self.put(n.Do(call))

    @staticmethod
    def call(name: str, *args: Value | Sequence[Expr], gives: str = INT) -> Expr:
        """What a kernel gives."""
        flat: list[Expr] = []
        for a in args:
            flat += [as_expr(a)] if isinstance(a, Expr | int | float) else a
        return n.Call(name, tuple(flat), gives)

    def give(self, value: Value | None = None) -> None:
        """Leave the kernel."""
        self.put(n.Return(None if value is None else simplified(as_expr(value))))

    # --- blocks ---

    @contextmanager
    def block(self, into: list[Stmt]) -> Iterator[None]:
        """What is written meanwhile goes there."""
        before, self.body = self.body, into
        self.level += 1
        try:
            yield
        finally:  # also where a form turns out not to fit
            self.body = before
            self.level -= 1

    @contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        """What happens if a truth holds."""
        test = simplified(condition)
        made = None if isinstance(test, Const) else n.If(test, [])
        with self._known(made.then if made else None, isinstance(test, Const) and bool(test.value)):
            yield
        if made:
            self.put(made)
        self._last, self._if = test, made

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """What happens if the truth of the last `when` does not hold."""
        test, made = self._last, self._if
        assert test is not None, "no `when` before"
        happens = isinstance(test, Const) and not test.value
        with self._known(made.otherwise if made else None, happens):
            yield
        self._last = None

    @contextmanager
    def _known(self, into: list[Stmt] | None, happens: bool) -> Iterator[None]:
        """A block of an `if`; written here, or nowhere, if the truth is known now."""
        if into is None and happens:
            yield
            return
        size = self.size
        with self.block([] if into is None else into):
            yield
        if into is None:
            self.size = size

    @contextmanager
    def loop(self, condition: Expr) -> Iterator[None]:
        """What happens as long as a truth holds."""
        made = n.While(simplified(condition), [])
        with self.block(made.body):
            yield
        self.put(made)

    @contextmanager
    def each(self, low: Value, high: Value, word: str = "i") -> Iterator[Local]:
        """What happens for every number from *low* to before *high*."""
        name = self.fresh(word)
        made = n.For(name.name, simplified(as_expr(low)), simplified(as_expr(high)), 1, [])
        with self.block(made.body):
            yield name
        self.put(made)

    # --- the whole ---

    def function(self, name: str, signature: Signature, end: Value | None = None) -> Function:
        """The kernel as written, with what it gives at its end."""
        if end is not None:
            self.give(end)
        given = {name: t for name, t in signature.flat if t in SCALARS}
        assert not {t for _, t in signature.flat} - {*SCALARS, *ARRAYS}
        return Function(name, signature, given | self.locals, self.body)
