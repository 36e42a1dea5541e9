"""From checked kernels to LLVM's assembly text.

Every local name is a stack slot; LLVM's own passes make registers of them.  Functions keep their
names, so that another module can be linked to them, but for those of one player (`ends_0`,
`ends_1`): they are called from within their module only, and LLVM need not keep those that it
writes out.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Mapping

from attrs import define, field

from rulewright.codegen.backend.subset import (
    ARRAYS,
    FLOAT,
    FLOATS,
    INT,
    INTRINSICS,
    INTS,
    NOTHING,
    SCALARS,
    Function,
    Module,
    Signature,
    constant,
    dotted,
    number,
)

_TYPES = {INT: "i64", FLOAT: "double", INTS: "ptr", FLOATS: "ptr", NOTHING: "void"}
_INT = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or",
    ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
_FLOAT = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_INT_COMPARE = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge",
}  # fmt: skip
_FLOAT_COMPARE = {
    ast.Eq: "oeq", ast.NotEq: "une", ast.Lt: "olt", ast.LtE: "ole", ast.Gt: "ogt", ast.GtE: "oge",
}  # fmt: skip
_INTRINSICS = {
    "popcount": "call i64 @llvm.ctpop.i64(i64 {0})",
    "trailing": "call i64 @llvm.cttz.i64(i64 {0}, i1 false)",
    "select_bit": "call i64 @select_bit(i64 {0}, i64 {1})",
    "wrap_add": "add i64 {0}, {1}",
    "wrap_mul": "mul i64 {0}, {1}",
    "wrap_shl": "shl i64 {0}, {1}",
    "shift_right": "lshr i64 {0}, {1}",
    "real": "sitofp i64 {0} to double",
    "float_bits": "bitcast double {0} to i64",
    "bits_float": "bitcast i64 {0} to double",
    "sqrt": "call double @llvm.sqrt.f64(double {0})",
}
INLINE, INLINE_IN_LONG, LONG = 100, 30, 3100
"""A kernel with fewer lines of assembly is written out where it is called; in texts of more than
LONG lines only the smallest are."""
_DECLARED = """declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare double @llvm.sqrt.f64(double)
"""
_DEPOSIT = """declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
define internal i64 @select_bit(i64 %x, i64 %k) alwaysinline {
  %one = shl i64 1, %k
  %there = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %x)
  %place = call i64 @llvm.cttz.i64(i64 %there, i1 false)
  ret i64 %place
}
"""
_SELECT = """define internal i64 @select_bit(i64 %x, i64 %k) {
entry:
  br label %test
test:
  %bits = phi i64 [ %x, %entry ], [ %less, %drop ]
  %left = phi i64 [ %k, %entry ], [ %fewer, %drop ]
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %drop, label %done
drop:
  %below = sub i64 %bits, 1
  %less = and i64 %bits, %below
  %fewer = sub i64 %left, 1
  br label %test
done:
  %place = call i64 @llvm.cttz.i64(i64 %bits, i1 false)
  ret i64 %place
}
"""


def translate(
    module: Module, externals: Mapping[str, Signature] | None = None, deposit: bool = False
) -> str:
    """The assembly text of a module; calls to `externals` are declared.

    *deposit*: the processor has a fast instruction that spreads bits (x86's pdep).
    """
    outside = externals or {}
    inline = INLINE if module.text.count("\n") < LONG else INLINE_IN_LONG
    parts = [_declaration(name, s) for name, s in outside.items()]
    for function in module.functions.values():
        signatures = {**outside, **{f.name: f.signature for f in module.functions.values()}}
        parts.append(_Writer(function, module.constants, signatures, inline).run())
    return _DECLARED + (_DEPOSIT if deposit else _SELECT) + "\n".join(parts) + "\n"


def _declaration(name: str, signature: Signature) -> str:
    takes = ", ".join(_TYPES[t] for _, t in signature.flat)
    return f"declare {_TYPES[signature.gives]} @{name}({takes})"


@define
class _Writer:
    function: Function
    constants: Mapping[str, int]
    signatures: Mapping[str, Signature]
    inline: int
    lines: list[str] = field(factory=list)
    slots: list[str] = field(factory=list)
    loops: list[tuple[str, str]] = field(factory=list)
    count: int = 0
    ended: bool = False

    def run(self) -> str:
        f = self.function
        takes = ", ".join(
            f"{_TYPES[t]} {'noalias ' if t in ARRAYS else ''}%p.{n}" for n, t in f.signature.flat
        )
        linkage = "internal " if f.name.endswith(("_0", "_1")) else ""
        head = f"define {linkage}{_TYPES[f.signature.gives]} @{f.name}({takes}) {{\nentry:"
        parameters = dict(f.signature.flat)
        for name, type_ in f.types.items():
            if type_ in SCALARS:
                self.slots.append(f"  %v.{name} = alloca {_TYPES[type_]}")
                first = f"%p.{name}" if name in parameters else "0" if type_ == INT else "0.0"
                self._put(f"store {_TYPES[type_]} {first}, ptr %v.{name}")
        self._block(f.node.body)
        if not self.ended:
            gives = _TYPES[f.signature.gives]
            zero = {"void": "ret void", "i64": "ret i64 0", "double": "ret double 0.0"}
            self._put(zero[gives])
        calls_itself = any(f"@{f.name}(" in line for line in self.lines)
        if len(self.lines) < self.inline and not calls_itself:
            head = head.replace(") {\n", ") alwaysinline {\n", 1)
        return "\n".join([head, *self.slots, *self.lines, "}"])

    # --- writing ---

    def _put(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def _new(self, line: str) -> str:
        self.count += 1
        name = f"%t{self.count}"
        self._put(f"{name} = {line}")
        return name

    def _slot(self, type_: str) -> str:
        """Room on the stack, taken at the entry: only there can LLVM make a register of it."""
        self.count += 1
        self.slots.append(f"  %s{self.count} = alloca {type_}")
        return f"%s{self.count}"

    def _label(self, word: str) -> str:
        self.count += 1
        return f"{word}{self.count}"

    def _start(self, label: str) -> None:
        if not self.ended:
            self._put(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.ended = False

    def _jump(self, line: str) -> None:
        if not self.ended:
            self._put(line)
        self.ended = True

    # --- statements ---

    def _block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if self.ended:  # what follows a `return` or `break` is never reached
                return
            self._statement(statement)

    def _statement(self, s: ast.stmt) -> None:
        match s:
            case ast.Assign(targets=[target], value=value):
                self._store(target, *self.expr(value))
            case ast.AugAssign(target=target, op=op, value=value):
                left = self.expr(target)
                self._store(target, *self._operate(op, left, self.expr(value)))
            case ast.If(test=test, body=body, orelse=orelse):
                self._if(test, body, orelse)
            case ast.While(test=test, body=body):
                self._while(test, body)
            case ast.For():
                self._for(s)
            case ast.Return(value=None):
                self._jump("ret void")
            case ast.Return(value=value) if value is not None:
                found, type_ = self.expr(value)
                self._jump(f"ret {_TYPES[type_]} {found}")
            case ast.Break():
                self._jump(f"br label %{self.loops[-1][1]}")
            case ast.Continue():
                self._jump(f"br label %{self.loops[-1][0]}")
            case ast.Expr(value=ast.Call() as call):
                self._call(call)

    def _store(self, target: ast.expr, value: str, type_: str) -> None:
        if isinstance(target, ast.Name):
            self._put(f"store {_TYPES[type_]} {value}, ptr %v.{target.id}")
        else:
            self._put(f"store {_TYPES[type_]} {value}, ptr {self._element(target)[0]}")

    def _element(self, node: ast.expr) -> tuple[str, str]:
        """The address of an element, and its type."""
        found = self.function.element(node)
        if found is None:
            raise TypeError(node)
        type_ = self.function.known.element(self.function.types[found[0]])
        assert type_ is not None
        index = found[1] if isinstance(found[1], int) else self.expr(found[1])[0]
        place = self._new(f"getelementptr {_TYPES[type_]}, ptr %p.{found[0]}, i64 {index}")
        return place, type_

    def _if(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        yes, no, after = self._label("then"), self._label("else"), self._label("endif")
        self._branch(test, yes, no if orelse else after)
        self._start(yes)
        self._block(body)
        self._jump(f"br label %{after}")
        if orelse:
            self._start(no)
            self._block(orelse)
            self._jump(f"br label %{after}")
        self._start(after)

    def _branch(self, test: ast.expr, yes: str, no: str) -> None:
        condition = self._condition(test)
        self._jump(f"br i1 {condition}, label %{yes}, label %{no}")

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> None:
        head, inner, after = self._label("while"), self._label("do"), self._label("done")
        self._start(head)
        self._branch(test, inner, after)
        self._start(inner)
        self._loop(body, head, after)
        self._jump(f"br label %{head}")
        self._start(after)

    def _loop(self, body: list[ast.stmt], again: str, after: str) -> None:
        self.loops.append((again, after))
        self._block(body)
        self.loops.pop()

    def _for(self, s: ast.For) -> None:
        """`for i in range(...)`: the count is kept apart, so the body may change the name."""
        assert isinstance(s.target, ast.Name)
        assert isinstance(s.iter, ast.Call)
        low, high, step = self._range(s.iter)
        head, inner = self._label("for"), self._label("do")
        again, after = self._label("next"), self._label("done")
        counter = self._slot("i64")
        self._put(f"store i64 {low}, ptr {counter}")
        self._start(head)
        now = self._new(f"load i64, ptr {counter}")
        test = "slt" if step > 0 else "sgt"
        more = self._new(f"icmp {test} i64 {now}, {high}")
        self._jump(f"br i1 {more}, label %{inner}, label %{after}")
        self._start(inner)
        self._put(f"store i64 {now}, ptr %v.{s.target.id}")
        self._loop(s.body, again, after)
        self._start(again)
        following = self._new(f"add i64 {now}, {step}")
        self._put(f"store i64 {following}, ptr {counter}")
        self._jump(f"br label %{head}")
        self._start(after)

    def _range(self, call: ast.Call) -> tuple[str, str, int]:
        ends = [self.expr(a)[0] for a in call.args[:2]]
        step = constant(call.args[2], self.constants) if len(call.args) == 3 else 1
        return ("0", ends[0], step) if len(ends) == 1 else (ends[0], ends[1], step)

    # --- expressions ---

    def _condition(self, node: ast.expr) -> str:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._new(f"xor i1 {self._condition(operand)}, true")
            case ast.BoolOp(op=op, values=values):
                return self._joined(isinstance(op, ast.And), values)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                a, type_ = self.expr(left)
                b, _ = self.expr(right)
                if type_ == INT:
                    return self._new(f"icmp {_INT_COMPARE[type(op)]} i64 {a}, {b}")
                return self._new(f"fcmp {_FLOAT_COMPARE[type(op)]} double {a}, {b}")
        raise TypeError(node)

    def _joined(self, both: bool, values: list[ast.expr]) -> str:
        """`and` and `or` stop early, as Python's do."""
        place, after = self._slot("i1"), self._label("known")
        for value in values:
            found, following = self._condition(value), self._label("also")
            self._put(f"store i1 {found}, ptr {place}")
            ways = (following, after) if both else (after, following)
            self._jump(f"br i1 {found}, label %{ways[0]}, label %{ways[1]}")
            self._start(following)
        self._start(after)
        return self._new(f"load i1, ptr {place}")

    def expr(self, node: ast.expr) -> tuple[str, str]:
        """The value and the type of an expression."""
        literal = number(node)
        if literal is not None:
            return str(literal), INT
        match node:
            case ast.Constant(value=float(value)):
                return f"0x{_double(value):016x}", FLOAT
            case ast.Name(id=name) if name in self.constants:
                return str(self.constants[name]), INT
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self._named(node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner, type_ = self.expr(operand)
                line = f"sub i64 0, {inner}" if type_ == INT else f"fneg double {inner}"
                return self._new(line), type_
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self._new(f"xor i64 {self.expr(operand)[0]}, -1"), INT
            case ast.BinOp(left=left, op=op, right=right):
                return self._operate(op, self.expr(left), self.expr(right))
            case ast.IfExp():
                return self._either(node)
            case ast.Call():
                found, type_ = self._call(node)
                return found, type_
        raise TypeError(node)

    def _named(self, node: ast.expr) -> tuple[str, str]:
        """The value of a name, a field or an element."""
        name = "" if isinstance(node, ast.Subscript) else dotted(node)
        if name not in self.function.types:
            place, type_ = self._element(node)
            return self._new(f"load {_TYPES[type_]}, ptr {place}"), type_
        return self._handed(name, self.function.known.base(self.function.types[name]))

    def _handed(self, name: str, type_: str) -> tuple[str, str]:
        if type_ in ARRAYS:
            return f"%p.{name}", type_
        return self._new(f"load {_TYPES[type_]}, ptr %v.{name}"), type_

    def _arguments(self, node: ast.expr) -> list[tuple[str, str]]:
        """What is handed over for an argument: the fields of a record, or one value."""
        fields = self.function.handed(node)
        return [self.expr(node)] if fields is None else [self._handed(*f) for f in fields]

    def _either(self, node: ast.IfExp) -> tuple[str, str]:
        yes, no, after = self._label("then"), self._label("else"), self._label("endif")
        place = self._slot("i64")  # a double has the same size
        self._branch(node.test, yes, no)
        type_ = INT
        for label, side in ((yes, node.body), (no, node.orelse)):
            self._start(label)
            value, type_ = self.expr(side)
            self._put(f"store {_TYPES[type_]} {value}, ptr {place}")
            self._jump(f"br label %{after}")
        self._start(after)
        return self._new(f"load {_TYPES[type_]}, ptr {place}"), type_

    def _operate(
        self, op: ast.operator, left: tuple[str, str], right: tuple[str, str]
    ) -> tuple[str, str]:
        (a, type_), (b, _) = left, right
        if type_ == FLOAT:
            return self._new(f"{_FLOAT[type(op)]} double {a}, {b}"), FLOAT
        if isinstance(op, ast.FloorDiv | ast.Mod):
            return self._floor(a, b, isinstance(op, ast.Mod)), INT
        return self._new(f"{_INT[type(op)]} i64 {a}, {b}"), INT

    def _floor(self, a: str, b: str, remainder: bool) -> str:
        """Python rounds down where machines round towards zero."""
        rest = self._new(f"srem i64 {a}, {b}")
        some = self._new(f"icmp ne i64 {rest}, 0")
        signs = self._new(f"xor i64 {rest}, {b}")
        differ = self._new(f"icmp slt i64 {signs}, 0")
        fix = self._new(f"and i1 {some}, {differ}")
        if remainder:
            return self._new(f"add i64 {rest}, {self._new(f'select i1 {fix}, i64 {b}, i64 0')}")
        quotient = self._new(f"sdiv i64 {a}, {b}")
        return self._new(f"add i64 {quotient}, {self._new(f'sext i1 {fix} to i64')}")

    def _call(self, node: ast.Call) -> tuple[str, str]:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name == "volatile":
            place, type_ = self._element(node.args[0])
            return self._new(f"load volatile {_TYPES[type_]}, ptr {place}"), type_
        arguments = [given for a in node.args for given in self._arguments(a)]
        if name in INTRINSICS:
            line = _INTRINSICS[name].format(*(value for value, _ in arguments))
            return self._new(line), INTRINSICS[name][1]
        given = ", ".join(f"{_TYPES[t]} {a}" for a, t in arguments)
        gives = self.signatures[name].gives
        line = f"call {_TYPES[gives]} @{name}({given})"
        if gives == NOTHING:
            self._put(line)
            return "", NOTHING
        return self._new(line), gives


def _double(value: float) -> int:
    bits: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return bits
