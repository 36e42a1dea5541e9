"""Kernels as typed nodes: what lowering builds, passes rewrite and backends translate.

Values are whole numbers of 64 bits, floats and truths; a truth stands only where something depends
on it.  Arrays are named and never values; a record is gone: its fields have dotted names
(`g.state`).  Control flow is structured.  Nodes compare by identity and are never shared between
places that differ, but expressions may be: a pass that changes one makes a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from attrs import define, field, frozen

from rulewright.codegen.ir.types import ARRAYS, BOOL, FLOAT, INT, NOTHING, Signature, Types


@frozen
class Operation:
    """What an operation takes and gives, and how it is written; `level` is Python's precedence."""

    takes: tuple[str, ...]
    gives: str
    text: str
    level: int


CHOICE, OR, AND, NOT, COMPARED, ATOM = 0, 1, 2, 3, 4, 12
_SIGNS = {
    "or": ("|", 5), "xor": ("^", 6), "and": ("&", 7), "shl": ("<<", 8), "shr": (">>", 8),
    "add": ("+", 9), "sub": ("-", 9), "mul": ("*", 10), "div": ("//", 10), "mod": ("%", 10),
}  # fmt: skip
_FLOAT_SIGNS = {"fadd": ("+", 9), "fsub": ("-", 9), "fmul": ("*", 10), "fdiv": ("/", 10)}
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_CALLED = {
    "popcount": ((INT,), INT),  # ones among the 64 bits
    "trailing": ((INT,), INT),  # zeros below the lowest one; 64 for 0
    "select_bit": ((INT, INT), INT),  # the place of the one number k (from 0) among the 64 bits
    "wrap_add": ((INT, INT), INT),  # modulo 2**64, as are the next two
    "wrap_mul": ((INT, INT), INT),
    "wrap_shl": ((INT, INT), INT),
    "shift_right": ((INT, INT), INT),  # of the unsigned value
    "real": ((INT,), FLOAT),
    "float_bits": ((FLOAT,), INT),  # the same 64 bits
    "bits_float": ((INT,), FLOAT),
    "sqrt": ((FLOAT,), FLOAT),
}

OPERATIONS: Mapping[str, Operation] = {
    **{n: Operation((INT, INT), INT, s, level) for n, (s, level) in _SIGNS.items()},
    **{n: Operation((FLOAT, FLOAT), FLOAT, s, level) for n, (s, level) in _FLOAT_SIGNS.items()},
    **{n: Operation((INT, INT), BOOL, s, COMPARED) for n, s in _COMPARISONS.items()},
    **{f"f{n}": Operation((FLOAT, FLOAT), BOOL, s, COMPARED) for n, s in _COMPARISONS.items()},
    "neg": Operation((INT,), INT, "-", 11),
    "fneg": Operation((FLOAT,), FLOAT, "-", 11),
    "inv": Operation((INT,), INT, "~", 11),
    "not": Operation((BOOL,), BOOL, "not ", NOT),
    **{n: Operation(takes, gives, n, ATOM) for n, (takes, gives) in _CALLED.items()},
}
"""Everything that is worked out of numbers alone.  `div` and `mod` round down; a sum, difference,
product, quotient, opposite or `shl` that leaves 64 bits is a fault of whoever wrote it."""
BUILT_IN = frozenset(_CALLED)
"""Operations that are written as calls."""


# --- expressions ---


class Expr:
    """A number or a truth.  Operators make a node of two, numbers of Python become constants.

    `&`, `|` and `~` join truths as they join whole numbers; equality is `eq` and `ne`.
    """

    __slots__ = ()

    @property
    def type(self) -> str:
        """That of the value."""
        raise NotImplementedError

    def __add__(self, other: Value) -> Expr:
        return _two("add", self, other)

    def __radd__(self, other: float) -> Expr:
        return _two("add", other, self)

    def __sub__(self, other: Value) -> Expr:
        return _two("sub", self, other)

    def __rsub__(self, other: float) -> Expr:
        return _two("sub", other, self)

    def __mul__(self, other: Value) -> Expr:
        return _two("mul", self, other)

    def __rmul__(self, other: float) -> Expr:
        return _two("mul", other, self)

    def __floordiv__(self, other: Value) -> Expr:
        return _two("div", self, other)

    def __rfloordiv__(self, other: int) -> Expr:
        return _two("div", other, self)

    def __mod__(self, other: Value) -> Expr:
        return _two("mod", self, other)

    def __truediv__(self, other: Value) -> Expr:
        return _two("div", self, other)

    def __and__(self, other: Value) -> Expr:
        if self.type == BOOL:
            return Logic(True, (self, as_expr(other)))
        return _two("and", self, other)

    def __or__(self, other: Value) -> Expr:
        if self.type == BOOL:
            return Logic(False, (self, as_expr(other)))
        return _two("or", self, other)

    def __xor__(self, other: Value) -> Expr:
        return _two("xor", self, other)

    def __lshift__(self, other: Value) -> Expr:
        return _two("shl", self, other)

    def __rshift__(self, other: Value) -> Expr:
        return _two("shr", self, other)

    def __invert__(self) -> Expr:
        return Op("not" if self.type == BOOL else "inv", (self,))

    def __neg__(self) -> Expr:
        return Op("fneg" if self.type == FLOAT else "neg", (self,))

    def __lt__(self, other: Value) -> Expr:
        return _two("lt", self, other)

    def __le__(self, other: Value) -> Expr:
        return _two("le", self, other)

    def __gt__(self, other: Value) -> Expr:
        return _two("gt", self, other)

    def __ge__(self, other: Value) -> Expr:
        return _two("ge", self, other)

    def eq(self, other: Value) -> Expr:
        """Whether two numbers are equal."""
        return _two("eq", self, other)

    def ne(self, other: Value) -> Expr:
        """Whether two numbers differ."""
        return _two("ne", self, other)


Value = Expr | int | float


def as_expr(value: Value) -> Expr:
    """A number of Python as a constant."""
    if isinstance(value, Expr):
        return value
    return Const(value, FLOAT if isinstance(value, float) else INT)


def _two(name: str, left: Value, right: Value) -> Expr:
    a, b = as_expr(left), as_expr(right)
    return Op(f"f{name}" if a.type == FLOAT else name, (a, b))


def op(name: str, *args: Value) -> Expr:
    """An operation that is written as a call: `op("popcount", x)`."""
    return Op(name, tuple(map(as_expr, args)))


def choice(test: Expr, then: Value, otherwise: Value) -> Expr:
    """`then if test else otherwise`."""
    return Choice(test, as_expr(then), as_expr(otherwise))


def truth(value: bool) -> Expr:
    """A truth known now."""
    return Const(value, BOOL)


@define(eq=False)
class Const(Expr):
    """A number, or a truth; `name` is what the module calls it."""

    value: int | float
    type: str
    name: str = ""


@define(eq=False)
class Local(Expr):
    """A number that has a name in its function."""

    name: str
    type: str


@define(eq=False)
class Array(Expr):
    """An array, as it is handed to a kernel."""

    name: str
    type: str


@define(eq=False)
class Element(Expr):
    """An element of an array, read; `volatile`: another thread may write it."""

    array: Array
    index: Expr
    volatile: bool = False

    @property
    def type(self) -> str:
        """That of the array's elements."""
        return ARRAYS[self.array.type]


@define(eq=False)
class Op(Expr):
    """One of `OPERATIONS`."""

    name: str
    args: tuple[Expr, ...]

    @property
    def type(self) -> str:
        """What the operation gives."""
        return OPERATIONS[self.name].gives


@define(eq=False)
class Logic(Expr):
    """`and` (both) or `or` of truths; later ones are worked out only where they matter."""

    both: bool
    items: tuple[Expr, ...]
    type: str = BOOL


@define(eq=False)
class Choice(Expr):
    """`then if test else otherwise`; only one of them is worked out."""

    test: Expr
    then: Expr
    otherwise: Expr

    @property
    def type(self) -> str:
        """That of both sides."""
        return self.then.type


@define(eq=False)
class Call(Expr):
    """A call of a kernel; the fields of records are handed over one by one."""

    name: str
    args: tuple[Expr, ...]
    type: str


def same(a: Expr, b: Expr) -> bool:
    """Whether two values are the same name or the same constant."""
    if isinstance(a, Local) and isinstance(b, Local):
        return a.name == b.name
    return isinstance(a, Const) and isinstance(b, Const) and (a.value, a.type) == (b.value, b.type)


# --- statements ---


@define(eq=False)
class Set:
    """A name gets a value."""

    name: str
    value: Expr


@define(eq=False)
class Store:
    """An element of an array gets a value."""

    array: Array
    index: Expr
    value: Expr


@define(eq=False)
class Do:
    """A call whose value nobody wants."""

    call: Call


@define(eq=False)
class If:
    """One block or the other."""

    test: Expr
    then: list[Stmt]
    otherwise: list[Stmt] = field(factory=list)


@define(eq=False)
class While:
    """A block as long as a truth holds."""

    test: Expr
    body: list[Stmt]


@define(eq=False)
class For:
    """`for name in range(low, high, step)`: the ends are worked out once; the step is known.

    The count is kept apart, so that the body may change the name.
    """

    name: str
    low: Expr
    high: Expr
    step: int
    body: list[Stmt]


@define(eq=False)
class Break:
    """Leave the loop."""


@define(eq=False)
class Continue:
    """Begin the loop's next round."""


@define(eq=False)
class Return:
    """Leave the kernel."""

    value: Expr | None = None


Stmt = Set | Store | Do | If | While | For | Break | Continue | Return


# --- functions ---

APART = "apart"
"""The decorator of a kernel that stands apart."""
ATOMIC = "atomic"
"""The decorator of a kernel that no other thread sees half done."""


@define(eq=False)
class Function:
    """One kernel; `locals` are the types of all its names that hold numbers, parameters first.

    One that stands `apart` (`@apart`) is never written into those that call it.  One that is
    `atomic` adds to an element of an array in one step; it is `old = words[at]`,
    `words[at] = old + more`, `return old`.
    """

    name: str
    signature: Signature
    locals: dict[str, str] = field(factory=dict)
    body: list[Stmt] = field(factory=list)
    apart: bool = False
    atomic: bool = False


@define(eq=False, slots=False)
class Module:
    """Kernels in order, with the constants and records that their text declares."""

    functions: dict[str, Function]
    constants: Mapping[str, int] = field(factory=dict)
    types: Types = field(factory=Types)
    outside: Mapping[str, Signature] = field(factory=dict)
    """Kernels of other modules that these may call."""

    @cached_property
    def signatures(self) -> dict[str, Signature]:
        """Of all kernels that can be called here."""
        own = {name: function.signature for name, function in self.functions.items()}
        return {**self.outside, **own}

    def add(self, functions: Iterable[Function]) -> None:
        """Put kernels behind those that are there."""
        self.functions |= {function.name: function for function in functions}
        self.forget()

    def forget(self) -> None:
        """Work the signatures out anew: there are more kernels."""
        self.__dict__.pop("signatures", None)

    @property
    def length(self) -> int:
        """Lines of all kernels as text, about: a statement takes one, a kernel three besides."""
        return sum(length(function.body) + 3 for function in self.functions.values())


# --- walking ---


_PARTS: Mapping[type, Callable[[Any], tuple[Expr, ...]]] = {
    Op: lambda e: e.args,
    Call: lambda e: e.args,
    Element: lambda e: (e.index,),
    Logic: lambda e: e.items,
    Choice: lambda e: (e.test, e.then, e.otherwise),
}
_VALUES: Mapping[type, Callable[[Any], tuple[Expr, ...]]] = {
    Set: lambda s: (s.value,),
    Store: lambda s: (s.value, s.index),
    Do: lambda s: (s.call,),
    If: lambda s: (s.test,),
    While: lambda s: (s.test,),
    For: lambda s: (s.low, s.high),
    Return: lambda s: () if s.value is None else (s.value,),
}
_BLOCKS: Mapping[type, Callable[[Any], tuple[list[Stmt], ...]]] = {
    If: lambda s: (s.then, s.otherwise),
    While: lambda s: (s.body,),
    For: lambda s: (s.body,),
}


def parts(e: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside an expression, in the order in which they are worked out."""
    found = _PARTS.get(type(e))
    return found(e) if found else ()


def with_parts(e: Expr, inner: tuple[Expr, ...]) -> Expr:
    """The same expression made of other parts."""
    match e:
        case Op(name=name):
            return Op(name, inner)
        case Call(name=name, type=type_):
            return Call(name, inner, type_)
        case Element(array=array, volatile=volatile):
            return Element(array, inner[0], volatile)
        case Logic(both=both):
            return Logic(both, inner)
        case Choice():
            return Choice(*inner)
    return e


def blocks(s: Stmt) -> tuple[list[Stmt], ...]:
    """The blocks directly inside a statement."""
    found = _BLOCKS.get(type(s))
    return found(s) if found else ()


def values(s: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement itself, in the order in which they are worked out."""
    found = _VALUES.get(type(s))
    return found(s) if found else ()


def statements(body: list[Stmt]) -> Iterator[Stmt]:
    """All statements of a block, those inside others too, in order."""
    for s in body:
        yield s
        for block in blocks(s):
            yield from statements(block)


def length(body: list[Stmt]) -> int:
    """How many statements a block has, those inside others too."""
    return len(body) + sum(length(block) for s in body for block in blocks(s))


def calls(function: Function) -> Iterator[Call]:
    """All calls in a kernel, those inside other expressions too."""
    todo = [e for s in statements(function.body) for e in values(s)]
    while todo:
        e = todo.pop()
        if isinstance(e, Call):
            yield e
        todo += parts(e)


def gives_nothing(function: Function) -> bool:
    """Whether a kernel is called for what it does."""
    return function.signature.gives == NOTHING
