"""Writing a kernel: statements one after the other, blocks as `with`, forms that may be taken back.

In: expressions, in the order in which things happen.  Out: a `Function`.  What is known now is not
written: a block whose condition never holds is left out.  Nothing is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from attrs import define, field

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import Const, Element, Expr, Function, Local, Stmt, Value, as_expr
from rulewright.compiler.ir.types import ARRAYS, INT, NOTHING, SCALARS, Signature


@define(eq=False)
class FunctionBuilder:
    """One function under way; `body` is the block that is being written."""

    body: list[Stmt] = field(factory=list)
    locals: dict[str, str] = field(factory=dict)
    level: int = 0
    """Blocks around what is being written."""
    count: int = 0
    _last: n.If | None = field(default=None, init=False)

    # --- names and values ---

    def fresh(self, word: str = "t", type_: str = INT) -> Local:
        """A name that nothing else has, without a value as yet."""
        self.count += 1
        name = f"{word}{self.count}"
        self.locals[name] = type_
        return Local(name, type_)

    def let(self, value: Value, word: str = "t") -> Expr:
        """A value worked out here; names and constants are their own."""
        worth = as_expr(value)
        return worth if isinstance(worth, Local | Const) else self._named(worth, word)

    def var(self, value: Value, word: str = "t") -> Local:
        """A fresh name with a first value, which may change."""
        return self._named(as_expr(value), word)

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
        self.body.append(s)

    def set(self, target: Expr, value: Value) -> None:
        """A name or an element of an array gets a value."""
        if isinstance(target, Local):
            self.put(n.Set(target.name, as_expr(value)))
        else:
            assert isinstance(target, Element)
            self.put(n.Store(target.array, target.index, as_expr(value)))

    def do(self, name: str, *args: Value | Sequence[Expr]) -> None:
        """Call a kernel that gives nothing; a record is the sequence of its fields."""
        self.put(n.Do(self.call(name, *args, gives=NOTHING)))

    @staticmethod
    def call(name: str, *args: Value | Sequence[Expr], gives: str = INT) -> n.Call:
        """What a kernel gives."""
        flat: list[Expr] = []
        for a in args:
            flat += [as_expr(a)] if isinstance(a, Expr | int | float) else a
        return n.Call(name, tuple(flat), gives)

    def give(self, value: Value | None = None) -> None:
        """Leave the kernel."""
        self.put(n.Return(None if value is None else as_expr(value)))

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
        made = n.If(condition, [])
        with self._side(made, holds=True):
            yield
        if not isinstance(condition, Const):
            self.put(made)
        self._last = made

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """What happens if the truth of the last `when` does not hold."""
        assert self._last is not None, "no `when` before"
        with self._side(self._last, holds=False):
            yield
        self._last = None

    @contextmanager
    def _side(self, made: n.If, holds: bool) -> Iterator[None]:
        """One side of an `if`; written here, or nowhere, if the truth is known now."""
        if not isinstance(made.test, Const):
            with self.block(made.then if holds else made.otherwise):
                yield
        elif bool(made.test.value) is holds:
            yield
        else:
            with self.block([]):
                yield

    @contextmanager
    def loop(self, condition: Expr) -> Iterator[None]:
        """What happens as long as a truth holds."""
        made = n.While(condition, [])
        with self.block(made.body):
            yield
        self.put(made)

    @contextmanager
    def each(self, low: Value, high: Value, word: str = "i") -> Iterator[Local]:
        """What happens for every number from *low* to before *high*."""
        name = self.fresh(word)
        made = n.For(name.name, as_expr(low), as_expr(high), 1, [])
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
