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
    """Build one function; `body` is the block that is being written."""

    body: list[Stmt] = field(factory=list)
    locals: dict[str, str] = field(factory=dict)
    level: int = 0
    """How many blocks stand around the one that is being written."""
    count: int = 0
    _last_branch: n.If | None = field(default=None, init=False)

    # --- names and values ---

    def fresh(self, word: str = "t", type_: str = INT) -> Local:
        """Declare a name that nothing else has, and that has no value as yet."""
        self.count += 1
        name = f"{word}{self.count}"
        self.locals[name] = type_
        return Local(name, type_)

    def let(self, value: Value, word: str = "t") -> Expr:
        """Work a value out here and return its name; names and constants are their own."""
        expr = as_expr(value)
        return expr if isinstance(expr, Local | Const) else self._assign(expr, word)

    def var(self, value: Value, word: str = "t") -> Local:
        """Set a fresh name to a first value; it may change."""
        return self._assign(as_expr(value), word)

    def _assign(self, value: Expr, word: str) -> Local:
        name = self.fresh(word, value.type)
        self.put(n.Set(name.name, value))
        return name

    def flag(self, condition: Expr) -> Expr:
        """Set a name to a truth, as 0 or 1."""
        return self.let(n.choice(condition, 1, 0), "b")

    # --- statements ---

    def put(self, s: Stmt) -> None:
        """Add a statement."""
        self.body.append(s)

    def set(self, target: Expr, value: Value) -> None:
        """Set a name or an element of an array to a value."""
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
        """Return the call of a kernel; a record is the sequence of its fields."""
        flat: list[Expr] = []
        for a in args:
            flat += [as_expr(a)] if isinstance(a, Expr | int | float) else a
        return n.Call(name, tuple(flat), gives)

    def give(self, value: Value | None = None) -> None:
        """Return from the kernel."""
        self.put(n.Return(None if value is None else as_expr(value)))

    # --- blocks ---

    @contextmanager
    def block(self, into: list[Stmt]) -> Iterator[None]:
        """Write the statements of the `with` block into *into*."""
        outer, self.body = self.body, into
        self.level += 1
        try:
            yield
        finally:  # also where a form turns out not to fit
            self.body = outer
            self.level -= 1

    @contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        """Write an `if`: the `with` block is done where a truth holds."""
        branch = n.If(condition, [])
        with self._side(branch, holds=True):
            yield
        if not isinstance(condition, Const):
            self.put(branch)
        self._last_branch = branch

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Write the `else` of the last `when`."""
        assert self._last_branch is not None, "no `when` before"
        with self._side(self._last_branch, holds=False):
            yield
        self._last_branch = None

    @contextmanager
    def _side(self, branch: n.If, holds: bool) -> Iterator[None]:
        """Write one side of an `if`; if the truth is constant, in this block or nowhere."""
        if not isinstance(branch.test, Const):
            with self.block(branch.then if holds else branch.otherwise):
                yield
        elif bool(branch.test.value) is holds:
            yield
        else:
            with self.block([]):
                yield

    @contextmanager
    def loop(self, condition: Expr) -> Iterator[None]:
        """Write a `while` loop."""
        loop_node = n.While(condition, [])
        with self.block(loop_node.body):
            yield
        self.put(loop_node)

    @contextmanager
    def each(self, low: Value, high: Value, word: str = "i") -> Iterator[Local]:
        """Write a `for` loop over the numbers from *low* to before *high*."""
        name = self.fresh(word)
        loop_node = n.For(name.name, as_expr(low), as_expr(high), 1, [])
        with self.block(loop_node.body):
            yield name
        self.put(loop_node)

    # --- the whole ---

    def function(self, name: str, signature: Signature, end: Value | None = None) -> Function:
        """Return the kernel as written; *end* is the value at its end."""
        if end is not None:
            self.give(end)
        parameters = {name: t for name, t in signature.flat if t in SCALARS}
        assert not {t for _, t in signature.flat} - {*SCALARS, *ARRAYS}
        return Function(name, signature, parameters | self.locals, self.body)
