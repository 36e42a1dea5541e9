"""The subset of Python that kernels are written in.

In: the text of a module.  Out: `Module`, its functions with the types of all names, or a
`SubsetError` with the line of whatever is not in the subset.

Records exist only here: a parameter that is one stands for its fields, in order (`g.state`), and
a word of an array that has names (`g.state.result`) is an element of that array.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from threading import Lock

from attrs import define, field, frozen

ONE_TREE = Lock()
"""Python 3.11 counts the depth of trees in one place for all threads, so that two of them building
trees at once may end in a `SystemError` (CPython issue 106905)."""


def parsed(text: str, file: str = "<kernels>") -> ast.Module:
    """The tree of a text."""
    with ONE_TREE:
        return ast.parse(text, file)


INT, FLOAT, INTS, FLOATS, NOTHING = "i64", "f64", "ints", "floats", "None"
SCALARS = (INT, FLOAT)
ARRAYS = {INTS: INT, FLOATS: FLOAT}

INTRINSICS: dict[str, tuple[tuple[str, ...], str]] = {
    "popcount": ((INT,), INT),  # ones among the 64 bits
    "trailing": ((INT,), INT),  # zeros below the lowest one; 64 for 0
    "select_bit": ((INT, INT), INT),  # the place of the one number k (from 0) among the 64 bits
    "wrap_add": ((INT, INT), INT),  # modulo 2**64, as are the next two
    "wrap_mul": ((INT, INT), INT),
    "wrap_shl": ((INT, INT), INT),
    "shift_right": ((INT, INT), INT),  # of the unsigned value
    "real": ((INT,), FLOAT),
    "volatile": ((INT,), INT),  # an element that another thread may write, read anew
    "float_bits": ((FLOAT,), INT),  # the same 64 bits
    "bits_float": ((INT,), FLOAT),
    "sqrt": ((FLOAT,), FLOAT),
}
"""Functions every kernel may call: what they take and give."""

_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor,
           ast.LShift, ast.RShift, ast.Div)  # fmt: skip
_FLOAT_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_COMPARE = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class SubsetError(Exception):
    """The text is not in the subset; the message begins with the line."""

    def __init__(self, node: ast.AST, message: str) -> None:
        self.line = getattr(node, "lineno", 0)
        super().__init__(f"line {self.line}: {message}")


@frozen
class Record:
    """Named fields that are handed over together: numbers, arrays, other records."""

    fields: Mapping[str, str]


@frozen
class Layout:
    """An array some of whose elements have names."""

    array: str
    words: Mapping[str, int]


@define
class Types:
    """The records and layouts that a module declares."""

    declared: dict[str, Record | Layout] = field(factory=dict)

    def base(self, type_: str) -> str:
        """The type of an array without the names of its words; every other type is its own."""
        found = self.declared.get(type_)
        return found.array if isinstance(found, Layout) else type_

    def element(self, type_: str) -> str | None:
        """The type of an array's elements."""
        return ARRAYS.get(self.base(type_))

    def flat(self, name: str, type_: str) -> Iterator[tuple[str, str]]:
        """What is handed over for a value of a type: the fields of a record by dotted names."""
        found = self.declared.get(type_)
        if isinstance(found, Record):
            for part, inner in found.fields.items():
                yield from self.flat(f"{name}.{part}", inner)
        else:
            yield name, self.base(type_)

    def named(self, name: str, type_: str) -> Iterator[tuple[str, str]]:
        """A name and all the dotted names below it, with their types."""
        yield name, type_
        found = self.declared.get(type_)
        if isinstance(found, Record):
            for part, inner in found.fields.items():
                yield from self.named(f"{name}.{part}", inner)


@frozen
class Signature:
    """Names and types of the parameters, as written and as handed over; the type of the result."""

    parameters: tuple[tuple[str, str], ...]
    gives: str
    flat: tuple[tuple[str, str], ...] = field()

    @flat.default
    def _no_records(self) -> tuple[tuple[str, str], ...]:
        return self.parameters

    @classmethod
    def of(cls, parameters: Iterable[tuple[str, str]], gives: str, types: Types) -> Signature:
        """The signature of a kernel that may take records."""
        written = tuple(parameters)
        return cls(written, gives, tuple(f for n, t in written for f in types.flat(n, t)))


@define
class Function:
    """One kernel with the types of its names, dotted where they are fields of a record."""

    name: str
    node: ast.FunctionDef
    signature: Signature
    known: Types
    types: dict[str, str] = field(factory=dict)

    def element(self, node: ast.expr) -> tuple[str, ast.expr | int] | None:
        """The array and the index that `array[index]` or the name of a word stands for."""
        if isinstance(node, ast.Subscript):
            return dotted(node.value), node.slice
        if isinstance(node, ast.Attribute):
            array = dotted(node.value)
            layout = self.known.declared.get(self.types.get(array, ""))
            if isinstance(layout, Layout) and node.attr in layout.words:
                return array, layout.words[node.attr]
        return None

    def handed(self, node: ast.expr) -> list[tuple[str, str]] | None:
        """The fields that are handed over for a record, or for one made here of names."""
        if isinstance(node, ast.Call):
            if not isinstance(self.known.declared.get(dotted(node.func)), Record):
                return None
            return [part for a in node.args for part in self.handed(a) or [self._named(a)]]
        name = dotted(node)
        type_ = self.types.get(name, "")
        if isinstance(self.known.declared.get(type_), Record):
            return list(self.known.flat(name, type_))
        return None

    def _named(self, node: ast.expr) -> tuple[str, str]:
        return dotted(node), self.known.base(self.types[dotted(node)])


@frozen
class Module:
    """A checked text: its constants, its records and its functions, in order."""

    text: str
    constants: Mapping[str, int]
    types: Types
    functions: Mapping[str, Function]


def dotted(node: ast.expr) -> str:
    """A name, or a path through the fields of records; empty where it is neither."""
    if isinstance(node, ast.Name):
        return node.id
    inner = dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{inner}.{node.attr}" if inner and isinstance(node, ast.Attribute) else ""


def check(text: str, externals: Mapping[str, Signature] | None = None) -> Module:
    """Parse and type a module; `externals` are kernels of other modules it may call."""
    constants: dict[str, int] = {}
    functions: dict[str, Function] = {}
    types = Types()
    for node in parsed(text).body:
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = Function(node.name, node, _signature(node, types), types)
        elif isinstance(node, ast.ClassDef):
            _declare(node, types, constants)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            constants[node.targets[0].id] = constant(node.value, constants)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            raise SubsetError(node, "a module holds constants, records and functions")
    signatures = {**(externals or {}), **{f.name: f.signature for f in functions.values()}}
    for function in functions.values():
        _Checker(function, constants, signatures).run()
    return Module(text, constants, types, functions)


def _declare(node: ast.ClassDef, types: Types, constants: Mapping[str, int]) -> None:
    """Note a record, or the names of an array's words (`class State(ints)`)."""
    array = dotted(node.bases[0]) if len(node.bases) == 1 else ""
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
    types.declared[node.name] = Layout(array, words) if array else Record(fields)


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
    odd = (arguments.posonlyargs, arguments.kwonlyargs, arguments.defaults, node.decorator_list)
    if any(odd) or arguments.vararg or arguments.kwarg:
        raise SubsetError(node, "a kernel takes plain parameters")
    parameters = [(a.arg, _type(a.annotation, a, types)) for a in arguments.args]
    return Signature.of(parameters, _type(node.returns, node, None), types)


def _type(node: ast.expr | None, at: ast.AST, types: Types | None) -> str:
    """The type that an annotation names; without *types* it is the type of a result."""
    if types is None and isinstance(node, ast.Constant) and node.value is None:
        return NOTHING
    name = node.id if isinstance(node, ast.Name) else ""
    known = SCALARS if types is None else (*SCALARS, *ARRAYS, *types.declared)
    if name not in known:
        raise SubsetError(at, f"a type is needed here: {', '.join((*SCALARS, *ARRAYS))}")
    return name


def number(node: ast.expr) -> int | None:
    """The whole number of 64 bits that a literal writes, None where there is none.

    The least of them is `-9223372036854775808`, which Python reads as minus of a number that is
    none of 64 bits: sign and digits are looked at together.
    """
    minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    digits = node.operand if isinstance(node, ast.UnaryOp) and minus else node
    if not isinstance(digits, ast.Constant) or type(digits.value) is not int:
        return None
    value = -digits.value if minus else digits.value
    return value if -(2**63) <= value < 2**63 else None


def constant(node: ast.expr, known: Mapping[str, int]) -> int:
    """The value of a constant of a module, `-NAME` too; refuses everything else."""
    value = number(node)
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id=name)) if name in known:
            value = -known[name]
        case ast.Name(id=name):
            value = known.get(name)
    if value is None or value == 2**63:
        raise SubsetError(node, "a constant is a whole number of 64 bits")
    return value


@define
class _Checker:
    function: Function
    constants: Mapping[str, int]
    signatures: Mapping[str, Signature]

    def run(self) -> None:
        for name, type_ in self.function.signature.parameters:
            if name in self.function.known.declared:
                raise SubsetError(self.function.node, f"`{name}` has another meaning already")
            self.function.types.update(self.function.known.named(name, type_))
        self._block(self.function.node.body)

    def _block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, s: ast.stmt) -> None:
        match s:
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self.expr(value))
            case ast.AugAssign(target=target, op=op, value=value):
                whole = ast.BinOp(_loaded(target), op, value)
                ast.copy_location(whole, s)
                self._assign(target, self.expr(whole))
            case ast.If(test=test, body=body, orelse=orelse):
                self.condition(test)
                self._block(body)
                self._block(orelse)
            case ast.While(test=test, body=body, orelse=[]):
                self.condition(test)
                self._block(body)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range")) as r,
                         body=body, orelse=[]):  # fmt: skip
                self._range(r)
                self._bind(name, INT, s)
                self._block(body)
            case ast.Return(value=value):
                self._return(s, value)
            case ast.Expr(value=ast.Call() as call):
                self.call(call, statement=True)
            case (
                ast.Expr(value=ast.Constant(value=str()))
                | ast.Pass()
                | ast.Break()
                | ast.Continue()
            ):
                pass
            case _:
                raise SubsetError(s, f"{type(s).__name__} is not a statement of kernels")

    def _range(self, call: ast.Call) -> None:
        if not 1 <= len(call.args) <= 3 or call.keywords:
            raise SubsetError(call, "range takes one to three numbers")
        for argument in call.args[:2]:
            self._want(argument, INT)
        if len(call.args) == 3 and constant(call.args[2], self.constants) == 0:
            raise SubsetError(call, "a range of step 0 never ends")

    def _return(self, s: ast.Return, value: ast.expr | None) -> None:
        gives = self.function.signature.gives
        if (value is None) != (gives == NOTHING):
            raise SubsetError(s, f"this kernel returns {gives}")
        if value is not None:
            self._want(value, gives)

    def _assign(self, target: ast.expr, type_: str) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, type_, target)
            case _:
                found = self.function.element(target)
                if found is None:
                    raise SubsetError(target, "only names and elements of arrays are set")
                array, index = found
                if not isinstance(index, int):
                    self._want(index, INT)
                if self.function.known.element(self.function.types.get(array, "")) != type_:
                    raise SubsetError(target, f"`{array}` is no array of {type_}")

    def _bind(self, name: str, type_: str, at: ast.AST) -> None:
        taken = self.constants, self.signatures, INTRINSICS, self.function.known.declared
        if any(name in names for names in taken):
            raise SubsetError(at, f"`{name}` has another meaning already")
        known = self.function.types.setdefault(name, type_)
        if known != type_ or type_ not in SCALARS:
            raise SubsetError(at, f"`{name}` is {known} and cannot become {type_}")

    def _want(self, node: ast.expr, wanted: str) -> None:
        found = self.expr(node)
        if wanted not in (found, self.function.known.base(found)):
            raise SubsetError(node, f"{wanted} is needed here, and this is {found}")

    def condition(self, node: ast.expr) -> None:
        """A truth: a comparison, or truths joined by `and`, `or`, `not`."""
        match node:
            case ast.BoolOp(values=values):
                for value in values:
                    self.condition(value)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.condition(operand)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARE):
                self._want(right, self._scalar(left))
            case _:
                raise SubsetError(node, "a condition is a comparison, or several joined")

    def expr(self, node: ast.expr) -> str:
        """The type of an expression."""
        if number(node) is not None:
            return INT
        match node:
            case ast.Constant(value=bool()):
                raise SubsetError(node, "truths are 0 and 1 in kernels")
            case ast.Constant(value=float()):
                return FLOAT
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self._named(node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._scalar(operand)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                self._want(operand, INT)
                return INT
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _BINARY):
                return self._binary(node, left, op, right)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.condition(test)
                type_ = self._scalar(body)
                self._want(orelse, type_)
                return type_
            case ast.Call():
                return self.call(node, statement=False)
        raise SubsetError(node, f"{type(node).__name__} is not an expression of kernels")

    def _scalar(self, node: ast.expr) -> str:
        found = self.expr(node)
        if found not in SCALARS:
            raise SubsetError(node, "a number is needed here")
        return found

    def _named(self, node: ast.expr) -> str:
        """The type of a name, a field or an element."""
        types, found = self.function.types, self.function.element(node)
        if found is None:
            name = dotted(node)
            if name in types:
                return types[name]
            if name in self.constants:
                return INT
            if isinstance(node, ast.Attribute):
                raise SubsetError(node, f"{self.expr(node.value)} has no field `{node.attr}`")
            raise SubsetError(node, f"`{name}` has no value here")
        array, index = found
        if not isinstance(index, int):
            self._want(index, INT)
        type_ = self.function.known.element(types.get(array, ""))
        if type_ is None:
            raise SubsetError(node, f"`{array}` is no array")
        return type_

    def _binary(self, node: ast.expr, left: ast.expr, op: ast.operator, right: ast.expr) -> str:
        type_ = self._scalar(left)
        self._want(right, type_)
        fits = isinstance(op, _FLOAT_BINARY) if type_ == FLOAT else not isinstance(op, ast.Div)
        if not fits:
            raise SubsetError(node, f"{type(op).__name__} is not for {type_}")
        return type_

    def call(self, node: ast.Call, statement: bool) -> str:
        """The type that a call gives."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        record = self.function.known.declared.get(name)
        if isinstance(record, Record) and not statement:
            if not all(dotted(a) in self.function.types for a in node.args):
                raise SubsetError(node, "a record is made of names")
            takes, gives = tuple(record.fields.values()), name
        elif name in INTRINSICS:
            takes, gives = INTRINSICS[name]
        elif name in self.signatures:
            signature = self.signatures[name]
            takes, gives = tuple(t for _, t in signature.parameters), signature.gives
        else:
            raise SubsetError(node, f"there is no kernel called `{name}`")
        if len(node.args) != len(takes) or node.keywords:
            raise SubsetError(node, f"`{name}` takes {len(takes)} arguments")
        for argument, wanted in zip(node.args, takes, strict=True):
            self._want(argument, wanted)
        if name == "volatile" and self.function.element(node.args[0]) is None:
            raise SubsetError(node, "`volatile` takes an element of an array")
        if name in self.signatures:
            self._same_fields(node, self.signatures[name])
        if gives == NOTHING and not statement:
            raise SubsetError(node, f"`{name}` gives nothing")
        return gives

    def _same_fields(self, node: ast.Call, signature: Signature) -> None:
        """Refuse a record that has other fields here than where the kernel is."""
        given = [t for a in node.args for _, t in self.function.handed(a) or [("", "")]]
        taken = [t if "." in name else "" for name, t in signature.flat]
        if given != taken:
            raise SubsetError(node, f"`{dotted(node.func)}` takes records of other fields")


def _loaded(target: ast.expr) -> ast.expr:
    """The target of `+=` as an expression."""
    if not isinstance(target, ast.Name | ast.Subscript | ast.Attribute):
        raise SubsetError(target, "only names and elements of arrays are set")
    loaded = copy(target)
    loaded.ctx = ast.Load()
    return loaded
