"""The text of kernels: from nodes to kernel Python, for people and for the parser.

In: a module or a function.  Out: text from which the parser makes the same nodes; fields that are
handed over together are written as the record that they make.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import AND, ATOM, CHOICE, OPERATIONS, OR, Expr, Function, Module
from rulewright.compiler.ir.types import BOOL, INT, Layout, RecordType, Signature, Types
from rulewright.ground.records import Record

_INDENT = "    "


def module_text(module: Module) -> str:
    """Print a module."""
    constants = [f"{name} = {value}" for name, value in module.constants.items()]
    records = [record_text(name, declared) for name, declared in module.types.declared.items()]
    parts = ["\n".join(constants)] if constants else []
    functions = (
        function_text(f, module.types, module.signatures) for f in module.functions.values()
    )
    return "\n\n\n".join([*parts, *records, *functions]) + "\n"


def record_text(name: str, record: RecordType | Layout) -> str:
    """Print the declaration of a record, or of an array with names."""
    if isinstance(record, RecordType):
        lines = [f"{_INDENT}{part}: {inner}" for part, inner in record.fields.items()]
        return "\n".join([f"class {name}:", *lines])
    element = {"ints": "i64", "floats": "f64"}[record.array]
    lines = [f"{_INDENT}{word}: {element} = {place}" for word, place in record.words.items()]
    return "\n".join([f"class {name}({record.array}):", *lines])


def function_text(
    function: Function,
    types: Types | None = None,
    signatures: Mapping[str, Signature] | None = None,
) -> str:
    """Print one kernel."""
    return "\n".join(Printer(function, types or Types(), signatures or {}).lines())


@define(repr=False, eq=False)
class Printer(Record):
    """Print one function."""

    function: Function
    types: Types
    signatures: Mapping[str, Signature]
    _layouts: dict[str, dict[int, str]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for name, type_ in self.function.signature.parameters:
            for path, inner in self.types.paths(name, type_):
                layout = self.types.declared.get(inner)
                if isinstance(layout, Layout):
                    self._layouts[path] = {at: word for word, at in layout.words.items()}

    def lines(self) -> Iterator[str]:
        """Print the lines of the function: its head, and the body below it."""
        signature = self.function.signature
        takes = ", ".join(f"{name}: {type_}" for name, type_ in signature.parameters)
        if self.function.apart:
            yield f"@{n.APART}"
        if self.function.atomic:
            yield f"@{n.ATOMIC}"
        yield f"def {self.function.name}({takes}) -> {signature.gives}:"
        yield from self._block(self.function.body, 1)

    # --- statements ---

    def _block(self, body: Sequence[n.Stmt], level: int) -> Iterator[str]:
        indent = _INDENT * level
        if not body:
            yield f"{indent}pass"
        for s in body:
            match s:
                case n.If():
                    yield from self._if(s, level, "if")
                case n.While(test=test, body=inner):
                    yield f"{indent}while {self.expr(test)}:"
                    yield from self._block(inner, level + 1)
                case n.For(body=inner):
                    yield f"{indent}for {self.name(s.name)} in range({self._range(s)}):"
                    yield from self._block(inner, level + 1)
                case _:
                    yield indent + self._simple(s)

    def _if(self, s: n.If, level: int, word: str) -> Iterator[str]:
        indent = _INDENT * level
        yield f"{indent}{word} {self.expr(s.test)}:"
        yield from self._block(s.then, level + 1)
        if len(s.otherwise) == 1 and isinstance(s.otherwise[0], n.If):
            yield from self._if(s.otherwise[0], level, "elif")
        elif s.otherwise:
            yield f"{indent}else:"
            yield from self._block(s.otherwise, level + 1)

    def _simple(self, s: n.Stmt) -> str:
        match s:
            case n.Set(name=name, value=value):
                return f"{self.name(name)} = {self.expr(value)}"
            case n.Store(array=array, index=index, value=value):
                return f"{self._element(array, index)} = {self.expr(value)}"
            case n.Do(call=call):
                return self.expr(call)
            case n.Return(value=None):
                return "return"
            case n.Return(value=value) if value is not None:
                return f"return {self.expr(value)}"
        return "break" if isinstance(s, n.Break) else "continue"

    def _range(self, s: n.For) -> str:
        low, high = self.expr(s.low), self.expr(s.high)
        if s.step != 1:
            return f"{low}, {high}, {s.step}"
        return high if low == "0" else f"{low}, {high}"

    # --- expressions ---

    def name(self, name: str) -> str:
        """Print a name."""
        return name

    def expr(self, e: Expr, level: int = CHOICE) -> str:
        """Print an expression, in parentheses if it binds less than *level*."""
        if type(e) is n.Local:
            return self.name(e.name)
        text, own = self._text_and_level(e)
        return text if own >= level else f"({text})"

    def _text_and_level(self, e: Expr) -> tuple[str, int]:
        match e:
            case n.Const():
                return self._const(e)
            case n.Local(name=name) | n.Array(name=name):
                return self.name(name), ATOM
            case n.Element(array=array, index=index, volatile=volatile):
                text = self._element(array, index)
                return (f"volatile({text})" if volatile else text), ATOM
            case n.Op(name=name, args=args):
                return self.operation(name, args)
            case n.Logic(both=both, items=items):
                level, word = (AND, " and ") if both else (OR, " or ")
                return word.join(self.expr(i, level + 1) for i in items), level
            case n.Choice(test=test, then=then, otherwise=otherwise):
                sides = self.expr(then, OR), self.expr(otherwise, OR)
                return f"{sides[0]} if {self.expr(test, OR)} else {sides[1]}", CHOICE
            case n.Call():
                return self._call(e), ATOM
        raise TypeError(e)

    def _const(self, e: n.Const) -> tuple[str, int]:
        if e.name:
            return e.name, ATOM
        if e.type == BOOL:
            return f"0 == {0 if e.value else 1}", n.COMPARED
        text = str(e.value) if e.type == INT else repr(float(e.value))
        return text, OPERATIONS["neg"].level if text.startswith("-") else ATOM

    def operation(self, name: str, args: Sequence[Expr]) -> tuple[str, int]:
        """Print an operation; also returns its precedence."""
        entry = OPERATIONS[name]
        if name in n.BUILT_IN:
            return f"{name}({', '.join(map(self.expr, args))})", ATOM
        if len(args) == 1:
            return entry.text + self.expr(args[0], entry.level), entry.level
        level = entry.level + (entry.level == n.COMPARED)
        text = f"{self.expr(args[0], level)} {entry.text} {self.expr(args[1], entry.level + 1)}"
        return text, entry.level

    def _element(self, array: n.Array, index: Expr) -> str:
        names = self._layouts.get(array.name)
        if names and isinstance(index, n.Const) and index.value in names:
            return f"{self.name(array.name)}.{names[int(index.value)]}"
        return f"{self.name(array.name)}[{self.expr(index)}]"

    def _call(self, e: n.Call) -> str:
        signature = self.signatures.get(e.name)
        if signature is None:
            return f"{e.name}({', '.join(map(self.expr, e.args))})"
        rest, arguments = list(e.args), list[str]()
        for _, type_ in signature.parameters:
            count = len(list(self.types.flat("", type_)))
            group, rest = rest[:count], rest[count:]
            arguments.append(self._argument(type_, group))
        return f"{e.name}({', '.join(arguments)})"

    def _argument(self, type_: str, group: Sequence[Expr]) -> str:
        """Print one argument: a value, the record whose fields these are, or one made of them."""
        record = self.types.declared.get(type_)
        if not isinstance(record, RecordType):
            return self.expr(group[0])
        names = [e.name if isinstance(e, n.Local | n.Array) else "" for e in group]
        whole = names[0].rsplit(".", next(self.types.flat("", type_))[0].count("."))[0]
        if names == [name for name, _ in self.types.flat(whole, type_)]:
            return whole
        inner, rest = list[str](), list(group)
        for part in record.fields.values():
            count = len(list(self.types.flat("", part)))
            inner.append(self._argument(part, rest[:count]))
            rest = rest[count:]
        return f"{type_}({', '.join(inner)})"
