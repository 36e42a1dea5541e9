"""Expressions of kernels: what is worked out, and the operations there are.

In: numbers, names, and operators between them.  Out: nodes, as simple as what is known now allows.
Nodes compare by identity and are never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, frozen

from rulewright.compiler.ir.types import ARRAYS, BOOL, FLOAT, INT
from rulewright.compiler.runtime import INTRINSICS


@frozen
class Operation:
    """An operation: types of arguments and result, its sign, and Python's precedence (`level`)."""

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
_CALL_TYPES = {
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
    **{n: Operation(takes, gives, n, ATOM) for n, (takes, gives) in _CALL_TYPES.items()},
}
"""Everything that is worked out of numbers alone.  `div` and `mod` round down; a sum, difference,
product, quotient, opposite or `shl` that leaves 64 bits is a fault of whoever wrote it."""
BUILT_IN = frozenset(_CALL_TYPES)
"""Operations that are written as calls."""


# --- expressions ---


class Expr:
    """A number or a truth.  Operators make a node of two, numbers of Python become constants.

    `&`, `|` and `~` join truths as they join whole numbers; equality is `eq` and `ne`.  What is
    known already is worked out, and what changes nothing is left out.
    """

    __slots__ = ()

    @property
    def type(self) -> str:
        """The type of the value."""
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
            return join_truths(True, (self, as_expr(other)))
        return _two("and", self, other)

    def __or__(self, other: Value) -> Expr:
        if self.type == BOOL:
            return join_truths(False, (self, as_expr(other)))
        return _two("or", self, other)

    def __xor__(self, other: Value) -> Expr:
        return _two("xor", self, other)

    def __lshift__(self, other: Value) -> Expr:
        return _two("shl", self, other)

    def __rshift__(self, other: Value) -> Expr:
        return _two("shr", self, other)

    def __invert__(self) -> Expr:
        return operation("not" if self.type == BOOL else "inv", (self,))

    def __neg__(self) -> Expr:
        return operation("fneg" if self.type == FLOAT else "neg", (self,))

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
    """Return a value as an expression: a number of Python becomes a constant."""
    if isinstance(value, Expr):
        return value
    return Const(value, FLOAT if isinstance(value, float) else INT)


def _two(name: str, left: Value, right: Value) -> Expr:
    a, b = as_expr(left), as_expr(right)
    if (a.type == BOOL) != (b.type == BOOL):
        raise TypeError(f"`{name}` of {a.type} and {b.type}: a truth is no number")
    return operation(f"f{name}" if a.type == FLOAT else name, (a, b))


def op(name: str, *args: Value) -> Expr:
    """Apply an operation that is written as a call: `op("popcount", x)`."""
    return operation(name, tuple(map(as_expr, args)))


def choice(test: Expr, then: Value, otherwise: Value) -> Expr:
    """Return `then if test else otherwise`; one side, if the test is constant."""
    if isinstance(test, Const):
        return as_expr(then if test.value else otherwise)
    return Choice(test, as_expr(then), as_expr(otherwise))


def truth(value: bool) -> Expr:
    """Return a constant truth."""
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
        """The type of the array's elements."""
        return ARRAYS[self.array.type]


@define(eq=False)
class Op(Expr):
    """One of `OPERATIONS`."""

    name: str
    args: tuple[Expr, ...]

    @property
    def type(self) -> str:
        """The type of the operation's result."""
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
        """The type of both sides."""
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


# --- parts ---


_PARTS: Mapping[type, Callable[[Any], tuple[Expr, ...]]] = {
    Op: lambda e: e.args,
    Call: lambda e: e.args,
    Element: lambda e: (e.index,),
    Logic: lambda e: e.items,
    Choice: lambda e: (e.test, e.then, e.otherwise),
}


def parts(e: Expr) -> tuple[Expr, ...]:
    """Return the direct operands of an expression, in the order in which they are evaluated."""
    reader = _PARTS.get(type(e))
    return reader(e) if reader else ()


def with_parts(e: Expr, inner: tuple[Expr, ...]) -> Expr:
    """Replace the operands of an expression, and simplify it where these allow it."""
    match e:
        case Op(name=name):
            return operation(name, inner)
        case Call(name=name, type=type_):
            return Call(name, inner, type_)
        case Element(array=array, volatile=volatile):
            return Element(array, inner[0], volatile)
        case Logic(both=both):
            return join_truths(both, inner)
        case Choice():
            return choice(*inner)
    return e


def has_call(e: Expr) -> bool:
    """Whether an expression calls a kernel, which may have effects."""
    return isinstance(e, Call) or any(map(has_call, parts(e)))


# --- folding: no call is left out, nor a result beyond 64 bits, which is a fault ---

_LEAST, _MOST = -(2**63), 2**63 - 1
_FOLDERS: Mapping[str, Callable[..., int | float | bool]] = {
    **{name: f for name, f in INTRINSICS.items() if name != "volatile"},
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "neg": lambda a: -a, "inv": lambda a: ~a, "not": lambda a: not a,
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip
_NEUTRAL = {
    "add": 0, "sub": 0, "or": 0, "xor": 0, "mul": 1, "div": 1, "and": -1, "shl": 0, "shr": 0,
    "wrap_add": 0, "wrap_mul": 1, "wrap_shl": 0, "shift_right": 0,
}  # fmt: skip
"""Right operands that change nothing, by operation."""
_OF_ITSELF = {
    "eq": True, "le": True, "ge": True, "ne": False, "lt": False, "gt": False, "xor": 0, "sub": 0,
}  # fmt: skip
"""Results of operations on a number and itself."""
_SAME_BOTH_WAYS = {"add", "mul", "and", "or", "xor", "wrap_add", "wrap_mul"}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def operation(name: str, args: tuple[Expr, ...]) -> Expr:
    """Apply an operation to *args*; constants are folded, neutral operands dropped."""
    if len(args) == 2 and type(args[0]) is not Const and type(args[1]) is not Const:
        a, b = args  # as most are: nothing is known of them
        if type(a) is Local and type(b) is Local and a.name == b.name and name in _OF_ITSELF:
            return Const(_OF_ITSELF[name], OPERATIONS[name].gives)
        return Op(name, args)
    numbers = [type(a) is Const and a.type != FLOAT for a in args]
    if all(numbers) and name in _FOLDERS:
        return _worked_out(Op(name, args))
    if name == "not":
        return _opposite(args[0])
    if len(args) == 2:
        a, b = args
        if numbers[0] and name in _SAME_BOTH_WAYS:
            a, b, numbers[1] = b, a, True
        if numbers[1]:
            return _with_number(name, a, b)
    return Op(name, args)


def _with_number(name: str, a: Expr, b: Expr) -> Expr:
    """Simplify an operation with a constant on its right."""
    assert isinstance(b, Const)
    if _NEUTRAL.get(name) == b.value:
        return a
    if name in ("and", "mul", "wrap_mul") and b.value == 0 and not has_call(a):
        return b
    if name in ("ne", "eq") and isinstance(a, Choice):
        return _flag(name, a, b)
    if name == "add" and isinstance(a, Op) and a.name == "add" and type(a.args[1]) is Const:
        return operation("add", (a.args[0], _worked_out(Op("add", (a.args[1], b)))))
    return Op(name, (a, b))


def _worked_out(e: Op) -> Expr:
    value = _FOLDERS[e.name](*(a.value for a in e.args if isinstance(a, Const)))
    if e.type == INT and not _LEAST <= value <= _MOST:
        return e  # a fault, met where it is evaluated
    return Const(value, e.type)


def _opposite(e: Expr) -> Expr:
    if isinstance(e, Op) and e.name in _OPPOSITE:
        return Op(_OPPOSITE[e.name], e.args)
    return e.args[0] if isinstance(e, Op) and e.name == "not" else Op("not", (e,))


def _flag(name: str, a: Choice, b: Const) -> Expr:
    """`(1 if C else 0) != 0` is C."""
    if isinstance(a.then, Const) and isinstance(a.otherwise, Const):
        then, otherwise = ((s.value == b.value) == (name == "eq") for s in (a.then, a.otherwise))
        if then != otherwise:
            return a.test if then else _opposite(a.test)
    return Op(name, (a, b))


def join_truths(both: bool, items: tuple[Expr, ...]) -> Expr:
    """Join truths by `and` (*both*) or `or`; what constants decide is left out."""
    operands: list[Expr] = []
    for item in items:
        if isinstance(item, Const):
            if bool(item.value) is not both:
                operands.append(item)
                break  # what follows is never looked at
        elif isinstance(item, Logic) and item.both is both:
            operands += item.items
        else:
            operands.append(item)
    if not operands:
        return truth(both)
    if isinstance(operands[-1], Const) and not any(map(has_call, operands)):
        return operands[-1]
    return operands[0] if len(operands) == 1 else Logic(both, tuple(operands))
