"""Kernel Python: from the text of a module to its nodes.

In: the text of a module.  Out: `Module`, or a `SubsetError` with the line of whatever is not in the
subset of Python that kernels are written in.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock

from attrs import define, field

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import BUILT_IN, OPERATIONS, Array, Const, Expr, Module, Stmt
from rulewright.compiler.ir.types import (
    ARRAYS,
    FLOAT,
    INT,
    NOTHING,
    SCALARS,
    Layout,
    RecordType,
    Signature,
    Types,
)
from rulewright.ground.records import Record

ONE_TREE = Lock()
"""Python 3.11 counts the depth of trees in one place for all threads, so that two of them building
trees at once may end in a `SystemError` (CPython issue 106905)."""


def tree_of(text: str, file: str = "<kernels>") -> ast.Module:
    """Parse a text into Python's own syntax tree."""
    with ONE_TREE:
        return ast.parse(text, file)


_INT_OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "div", ast.Mod: "mod",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "shr",
}  # fmt: skip
_FLOAT_OPERATORS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_COMPARISONS = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip


class SubsetError(Exception):
    """The text is not in the subset; the message begins with the line."""

    def __init__(self, node: ast.AST, message: str) -> None:
        self.line = getattr(node, "lineno", 0)
        super().__init__(f"line {self.line}: {message}")


def parse(text: str, outside: Mapping[str, Signature] | None = None) -> Module:
    """Parse a module; *outside* are kernels of other modules that it may call.

    Raises `SubsetError`.
    """
    module = Module({}, outside=outside or {})
    read_into(module, tree_of(text).body)
    return module


def read_into(module: Module, body: Iterable[ast.stmt]) -> None:
    """Add the definitions of a text to a module, whose kernels, constants and records it may name.

    Raises `SubsetError`.
    """
    constants = dict(module.constants)
    functions: list[ast.FunctionDef] = []
    for node in body:
        if isinstance(node, ast.FunctionDef):
            functions.append(node)
            signature = _signature(node, module.types)
            decorators = [dotted_name(d) for d in node.decorator_list]
            module.functions[node.name] = n.Function(
                node.name, signature, apart=n.APART in decorators, atomic=n.ATOMIC in decorators
            )
        elif isinstance(node, ast.ClassDef):
            _declare(node, module.types, constants)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            constants[node.targets[0].id] = constant(node.value, constants)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            raise SubsetError(node, "a module holds constants, records and functions")
    module.constants = constants
    module.forget()
    for node in functions:
        _Reader(module.functions[node.name], module).run(node)


def dotted_name(node: ast.expr) -> str:
    """Return a name, or a path through the fields of records; "" for any other expression."""
    if isinstance(node, ast.Name):
        return node.id
    inner = dotted_name(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{inner}.{node.attr}" if inner and isinstance(node, ast.Attribute) else ""


def _declare(node: ast.ClassDef, types: Types, constants: Mapping[str, int]) -> None:
    """Note a record, or the names of an array's words (`class State(ints)`)."""
    array = dotted_name(node.bases[0]) if len(node.bases) == 1 else ""
    if node.keywords or node.decorator_list or (node.bases and array not in ARRAYS):
        raise SubsetError(node, "a record is a plain class, or one of ints or floats")
    if node.name in (*types.declared, *SCALARS, *ARRAYS):
        raise SubsetError(node, f"`{node.name}` is a type already")
    fields: dict[str, str] = {}
    words: dict[str, int] = {}
    for line in node.body:
        match line:
            case ast.Expr(value=ast.Constant(value=str())):
                continue
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=value):
                if name in fields:
                    raise SubsetError(line, f"`{name}` is a field already")
                fields[name] = _type(kind, line, types)
                if (value is not None) != bool(array):
                    at = "needs its place in the array" if array else "has no value"
                    raise SubsetError(line, f"the field `{name}` {at}")
                if value is not None:
                    words[name] = _place(line, value, fields[name], array, constants)
            case _:
                raise SubsetError(line, "a record holds fields, `name: type`")
    types.declared[node.name] = Layout(array, words) if array else RecordType(fields)


def _place(
    at: ast.AST, value: ast.expr, type_: str, array: str, constants: Mapping[str, int]
) -> int:
    if type_ != ARRAYS[array]:
        raise SubsetError(at, f"a word of {array} is {ARRAYS[array]}")
    place = constant(value, constants)
    if place < 0:
        raise SubsetError(at, "an array has no element before its first")
    return place


def _signature(node: ast.FunctionDef, types: Types) -> Signature:
    arguments = node.args
    odd = (arguments.posonlyargs, arguments.kwonlyargs, arguments.defaults)
    if any(odd) or arguments.vararg or arguments.kwarg:
        raise SubsetError(node, "a kernel takes plain parameters")
    if [dotted_name(d) for d in node.decorator_list] not in ([], [n.APART], [n.ATOMIC]):
        raise SubsetError(node, f"a kernel has no decorator but `@{n.APART}` or `@{n.ATOMIC}`")
    parameters = [(a.arg, _type(a.annotation, a, types)) for a in arguments.args]
    return Signature.of(parameters, _type(node.returns, node, None), types)


def _type(node: ast.expr | None, at: ast.AST, types: Types | None) -> str:
    """Return the type that an annotation names; without *types* the type of a result."""
    if types is None and isinstance(node, ast.Constant) and node.value is None:
        return NOTHING
    name = node.id if isinstance(node, ast.Name) else ""
    names = SCALARS if types is None else (*SCALARS, *ARRAYS, *types.declared)
    if name not in names:
        raise SubsetError(at, f"a type is needed here: {', '.join((*SCALARS, *ARRAYS))}")
    return name


def number(node: ast.expr) -> int | None:
    """Return the whole number of 64 bits that a literal writes, None for anything else.

    The least of them is `-9223372036854775808`, which Python reads as minus of a number that is
    none of 64 bits: sign and digits are looked at together.
    """
    minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    digits = node.operand if isinstance(node, ast.UnaryOp) and minus else node
    if not isinstance(digits, ast.Constant) or type(digits.value) is not int:
        return None
    value = -digits.value if minus else digits.value
    return value if -(2**63) <= value < 2**63 else None


def constant(node: ast.expr, constants: Mapping[str, int]) -> int:
    """Return the value of a constant of a module, `-NAME` too; raises `SubsetError`."""
    value = number(node)
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id=name)) if name in constants:
            value = -constants[name]
        case ast.Name(id=name):
            value = constants.get(name)
    if value is None or value == 2**63:
        raise SubsetError(node, "a constant is a whole number of 64 bits")
    return value


@define(repr=False, eq=False)
class _Reader(Record):
    """Read one function; `names` are the types of everything that has a name in it."""

    function: n.Function
    module: Module
    names: dict[str, str] = field(factory=dict)

    def run(self, node: ast.FunctionDef) -> None:
        """Read the body and the locals of the function."""
        for name, type_ in self.function.signature.parameters:
            if name in self.module.types.declared:
                raise SubsetError(node, f"`{name}` has another meaning already")
            self.names.update(self.module.types.paths(name, type_))
        self.function.body = self._block(node.body)
        self.function.locals = {k: t for k, t in self.names.items() if t in SCALARS}

    # --- statements ---

    def _block(self, body: Sequence[ast.stmt]) -> list[Stmt]:
        statements: list[Stmt] = []
        for s in body:
            reader = _STATEMENTS.get(type(s))
            if reader is None:
                raise self._no_statement(s)
            node = reader(self, s)
            if node is not None:
                statements.append(node)
        return statements

    def _no_statement(self, s: ast.AST) -> SubsetError:
        return SubsetError(s, f"{type(s).__name__} is not a statement of kernels")

    def _set(self, s: ast.Assign) -> Stmt:
        if len(s.targets) != 1:
            raise self._no_statement(s)
        return self._assignment(s.targets[0], self.expr(s.value))

    def _change(self, s: ast.AugAssign) -> Stmt:
        if not isinstance(s.target, ast.Name | ast.Subscript | ast.Attribute):
            raise SubsetError(s.target, "only names and elements of arrays are set")
        return self._assignment(s.target, self._binary(s, s.target, s.op, s.value))

    def _assignment(self, target: ast.expr, value: Expr) -> Stmt:
        if isinstance(target, ast.Name):
            self._bind(target.id, value.type, target)
            return n.Set(target.id, value)
        place = self._element(target)
        if place is None:
            raise SubsetError(target, "only names and elements of arrays are set")
        name, index = place
        if ARRAYS.get(self.module.types.base(self.names.get(name, ""))) != value.type:
            raise SubsetError(target, f"`{name}` is no array of {value.type}")
        return n.Store(self._array(name), index, value)

    def _bind(self, name: str, type_: str, at: ast.AST) -> None:
        module = self.module
        scopes = module.constants, module.signatures, BUILT_IN, module.types.declared
        if any(name in names for names in scopes):
            raise SubsetError(at, f"`{name}` has another meaning already")
        present = self.names.setdefault(name, type_)
        if present != type_ or type_ not in SCALARS:
            raise SubsetError(at, f"`{name}` is {present} and cannot become {type_}")

    def _if(self, s: ast.If) -> Stmt:
        return n.If(self.condition(s.test), self._block(s.body), self._block(s.orelse))

    def _while(self, s: ast.While) -> Stmt:
        if s.orelse:
            raise self._no_statement(s)
        return n.While(self.condition(s.test), self._block(s.body))

    def _for(self, s: ast.For) -> Stmt:
        match s:
            case ast.For(target=ast.Name(id=name), orelse=[],
                         iter=ast.Call(func=ast.Name(id="range"), args=args) as call):  # fmt: skip
                pass
            case _:
                raise self._no_statement(s)
        if not 1 <= len(args) <= 3 or call.keywords:
            raise SubsetError(call, "range takes one to three numbers")
        ends = [self._want(a, INT) for a in args[:2]]
        step = constant(args[2], self.module.constants) if len(args) == 3 else 1
        if step == 0:
            raise SubsetError(call, "a range of step 0 never ends")
        low, high = ends if len(ends) == 2 else (Const(0, INT), ends[0])
        self._bind(name, INT, s)
        return n.For(name, low, high, step, self._block(s.body))

    def _return(self, s: ast.Return) -> Stmt:
        gives = self.function.signature.gives
        if (s.value is None) != (gives == NOTHING):
            raise SubsetError(s, f"this kernel returns {gives}")
        return n.Return(None if s.value is None else self._want(s.value, gives))

    def _expression(self, s: ast.Expr) -> Stmt | None:
        if isinstance(s.value, ast.Call):
            call = self._call(s.value, statement=True)
            return n.Do(call) if isinstance(call, n.Call) else None
        if isinstance(s.value, ast.Constant) and isinstance(s.value.value, str):
            return None
        raise self._no_statement(s)

    # --- expressions ---

    def _want(self, node: ast.expr, type_: str) -> Expr:
        operand = self.expr(node)
        if type_ not in (operand.type, self.module.types.base(operand.type)):
            raise SubsetError(node, f"{type_} is needed here, and this is {operand.type}")
        return operand

    def _scalar(self, node: ast.expr) -> Expr:
        operand = self.expr(node)
        if operand.type not in SCALARS:
            raise SubsetError(node, "a number is needed here")
        return operand

    def condition(self, node: ast.expr) -> Expr:
        """Read a truth: a comparison, or truths joined by `and`, `or`, `not`."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sign = _COMPARISONS.get(type(node.ops[0]))
            if sign:
                left = self._scalar(node.left)
                right = self._want(node.comparators[0], left.type)
                return n.Op(sign if left.type == INT else f"f{sign}", (left, right))
        if isinstance(node, ast.BoolOp):
            items = tuple(self.condition(v) for v in node.values)
            return n.Logic(isinstance(node.op, ast.And), items)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return n.Op("not", (self.condition(node.operand),))
        raise SubsetError(node, "a condition is a comparison, or several joined")

    def expr(self, node: ast.expr) -> Expr:
        """Read an expression; a record is an `Array` of its type until its fields replace it."""
        reader = _EXPRESSIONS.get(type(node))
        if reader is None:
            raise self._no_expression(node)
        return reader(self, node)

    def _no_expression(self, node: ast.expr) -> SubsetError:
        return SubsetError(node, f"{type(node).__name__} is not an expression of kernels")

    def _literal(self, node: ast.Constant) -> Expr:
        value = number(node)
        if value is not None:
            return Const(value, INT)
        if isinstance(node.value, bool):
            raise SubsetError(node, "truths are 0 and 1 in kernels")
        if not isinstance(node.value, float):
            raise self._no_expression(node)
        return Const(node.value, FLOAT)

    def _name(self, node: ast.Name | ast.Attribute | ast.Subscript) -> Expr:
        """A name, a field or an element."""
        place = self._element(node)
        if place is None:
            return self._whole(node)
        if self.module.types.base(self.names.get(place[0], "")) not in ARRAYS:
            raise SubsetError(node, f"`{place[0]}` is no array")
        return n.Element(self._array(place[0]), place[1])

    def _whole(self, node: ast.expr) -> Expr:
        name, constants = dotted_name(node), self.module.constants
        type_ = self.names.get(name)
        if type_ in SCALARS:
            return n.Local(name, type_)
        if type_ is not None:
            return Array(name, type_)
        if name in constants:
            return Const(constants[name], INT, name)
        if isinstance(node, ast.Attribute):
            raise SubsetError(node, f"{self.expr(node.value).type} has no field `{node.attr}`")
        raise SubsetError(node, f"`{name}` has no value here")

    def _element(self, node: ast.expr) -> tuple[str, Expr] | None:
        """Read `array[index]` or a named word as an array and an index; None for anything else."""
        if isinstance(node, ast.Subscript):
            return dotted_name(node.value), self._want(node.slice, INT)
        if isinstance(node, ast.Attribute):
            array = dotted_name(node.value)
            layout = self.module.types.declared.get(self.names.get(array, ""))
            if isinstance(layout, Layout) and node.attr in layout.words:
                return array, Const(layout.words[node.attr], INT)
        return None

    def _array(self, name: str) -> Array:
        return Array(name, self.module.types.base(self.names[name]))

    def _opposite(self, node: ast.UnaryOp) -> Expr:
        literal = number(node)
        if literal is not None:
            return Const(literal, INT)
        if isinstance(node.op, ast.USub):
            inner = self._scalar(node.operand)
            return n.Op("neg" if inner.type == INT else "fneg", (inner,))
        if isinstance(node.op, ast.Invert):
            return n.Op("inv", (self._want(node.operand, INT),))
        raise self._no_expression(node)

    def _operation(self, node: ast.BinOp) -> Expr:
        return self._binary(node, node.left, node.op, node.right)

    def _binary(self, node: ast.AST, left: ast.expr, op: ast.operator, right: ast.expr) -> Expr:
        if type(op) not in _INT_OPERATORS and type(op) not in _FLOAT_OPERATORS:
            raise SubsetError(node, f"{type(node).__name__} is not an expression of kernels")
        a = self._scalar(left)
        b = self._want(right, a.type)
        name = (_FLOAT_OPERATORS if a.type == FLOAT else _INT_OPERATORS).get(type(op))
        if name is None:
            raise SubsetError(node, f"{type(op).__name__} is not for {a.type}")
        return n.Op(name, (a, b))

    def _choice(self, node: ast.IfExp) -> Expr:
        test, then = self.condition(node.test), self._scalar(node.body)
        return n.Choice(test, then, self._want(node.orelse, then.type))

    def _nested_call(self, node: ast.Call) -> Expr:
        return self._call(node, statement=False)

    def _call(self, node: ast.Call, statement: bool) -> Expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        types = self.module.types
        record = types.declared.get(name)
        if isinstance(record, RecordType) and not statement:
            if not all(dotted_name(a) in self.names for a in node.args):
                raise SubsetError(node, "a record is made of names")
            takes, gives = tuple(record.fields.values()), name
        elif name in BUILT_IN:
            takes, gives = OPERATIONS[name].takes, OPERATIONS[name].gives
        elif name == "volatile":
            takes, gives = (INT,), INT
        elif name in self.module.signatures:
            signature = self.module.signatures[name]
            takes, gives = tuple(t for _, t in signature.parameters), signature.gives
        else:
            raise SubsetError(node, f"there is no kernel called `{name}`")
        if len(node.args) != len(takes) or node.keywords:
            raise SubsetError(node, f"`{name}` takes {len(takes)} arguments")
        args = [self._want(a, t) for a, t in zip(node.args, takes, strict=True)]
        if gives == NOTHING and not statement:
            raise SubsetError(node, f"`{name}` gives nothing")
        return self._call_node(node, name, args, gives)

    def _call_node(self, node: ast.Call, name: str, args: list[Expr], gives: str) -> Expr:
        """Make the node of a call whose arguments have been checked."""
        if name == "volatile":
            if not isinstance(args[0], n.Element):
                raise SubsetError(node, "`volatile` takes an element of an array")
            return n.Element(args[0].array, args[0].index, volatile=True)
        if name in BUILT_IN:
            return n.Op(name, tuple(args))
        groups = [self._fields(a) for a in args]
        flat = tuple(e for group in groups for e in group)
        if name not in self.module.signatures:
            return n.Call(name, flat, gives)  # the constructor of a record
        expected = [t if "." in field else "" for field, t in self.module.signatures[name].flat]
        present = [
            e.type if self._is_record(a) else ""
            for a, group in zip(args, groups, strict=True)
            for e in group
        ]
        if present != expected:
            raise SubsetError(node, f"`{name}` takes records of other fields")
        return n.Call(name, flat, gives)

    def _is_record(self, e: Expr) -> bool:
        return isinstance(self.module.types.declared.get(e.type), RecordType)

    def _fields(self, e: Expr) -> tuple[Expr, ...]:
        """Flatten an argument: the fields of a record, or one value."""
        types = self.module.types
        if isinstance(e, n.Call) and self._is_record(e):
            return e.args
        if not isinstance(e, Array):
            return (e,)
        return tuple(
            n.Local(name, t) if t in SCALARS else Array(name, t)
            for name, t in types.flat(e.name, e.type)
        )


_STATEMENTS: dict[type, Callable[..., Stmt | None]] = {
    ast.Assign: _Reader._set,
    ast.AugAssign: _Reader._change,
    ast.If: _Reader._if,
    ast.While: _Reader._while,
    ast.For: _Reader._for,
    ast.Return: _Reader._return,
    ast.Expr: _Reader._expression,
    ast.Pass: lambda _, s: None,
    ast.Break: lambda _, s: n.Break(),
    ast.Continue: lambda _, s: n.Continue(),
}
_EXPRESSIONS: dict[type, Callable[..., Expr]] = {
    ast.Constant: _Reader._literal,
    ast.Name: _Reader._name,
    ast.Attribute: _Reader._name,
    ast.Subscript: _Reader._name,
    ast.UnaryOp: _Reader._opposite,
    ast.BinOp: _Reader._operation,
    ast.IfExp: _Reader._choice,
    ast.Call: _Reader._nested_call,
}
