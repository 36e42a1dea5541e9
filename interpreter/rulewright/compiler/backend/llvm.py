"""From the nodes of kernels to LLVM's assembly text.

A name that gets a value once, before all of its uses, is that value; every other name is a stack
slot, and LLVM's own passes make registers of them.  Functions keep their names, so that another
module can be linked to them, but for those of one player (`ends_0`, `ends_1`): they are called from
within their module only, and LLVM need not keep those that it writes out.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from attrs import define, field

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import Expr, Function, Module, Stmt
from rulewright.compiler.ir.types import (
    ARRAYS,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    NOTHING,
    Signature,
    is_internal,
)
from rulewright.ground.records import Record

_TYPES = {INT: "i64", FLOAT: "double", INTS: "ptr", FLOATS: "ptr", NOTHING: "void"}
_LINES = {
    "add": "add i64 {0}, {1}", "sub": "sub i64 {0}, {1}", "mul": "mul i64 {0}, {1}",
    "and": "and i64 {0}, {1}", "or": "or i64 {0}, {1}", "xor": "xor i64 {0}, {1}",
    "shl": "shl i64 {0}, {1}", "shr": "ashr i64 {0}, {1}",
    "fadd": "fadd double {0}, {1}", "fsub": "fsub double {0}, {1}",
    "fmul": "fmul double {0}, {1}", "fdiv": "fdiv double {0}, {1}",
    "eq": "icmp eq i64 {0}, {1}", "ne": "icmp ne i64 {0}, {1}", "lt": "icmp slt i64 {0}, {1}",
    "le": "icmp sle i64 {0}, {1}", "gt": "icmp sgt i64 {0}, {1}", "ge": "icmp sge i64 {0}, {1}",
    "feq": "fcmp oeq double {0}, {1}", "fne": "fcmp une double {0}, {1}",
    "flt": "fcmp olt double {0}, {1}", "fle": "fcmp ole double {0}, {1}",
    "fgt": "fcmp ogt double {0}, {1}", "fge": "fcmp oge double {0}, {1}",
    "neg": "sub i64 0, {0}", "fneg": "fneg double {0}", "inv": "xor i64 {0}, -1",
    "not": "xor i1 {0}, true",
    "popcount": "call i64 @llvm.ctpop.i64(i64 {0})",
    "trailing": "call i64 @llvm.cttz.i64(i64 {0}, i1 false)",
    "select_bit": "call i64 @select_bit(i64 {0}, i64 {1})",
    "wrap_add": "add i64 {0}, {1}", "wrap_mul": "mul i64 {0}, {1}", "wrap_shl": "shl i64 {0}, {1}",
    "shift_right": "lshr i64 {0}, {1}", "real": "sitofp i64 {0} to double",
    "float_bits": "bitcast double {0} to i64", "bits_float": "bitcast i64 {0} to double",
    "sqrt": "call double @llvm.sqrt.f64(double {0})",
}  # fmt: skip
INLINE, INLINE_IN_LONG, LONG = 50, 15, 3100
"""A kernel with fewer lines of assembly is written out where it is called; in modules of more than
LONG statements, and in quick code, only the smallest are."""
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


def translate(module: Module, deposit: bool = False, quick: bool = False) -> str:
    """Translate a module into LLVM's assembly; kernels outside are declared.

    *deposit*: the processor has a fast instruction that spreads bits (x86's pdep).
    *quick*: compile soon rather than run fast.
    """
    size = sum(1 for f in module.functions.values() for _ in n.statements(f.body))
    inline = INLINE if size < LONG and not quick else INLINE_IN_LONG
    parts = [_declaration(name, s) for name, s in module.outside.items()]
    for function in module.functions.values():
        parts.append(_atomic(function) if function.atomic else _Writer(function, inline).run())
    return _DECLARED + (_DEPOSIT if deposit else _SELECT) + "\n".join(parts) + "\n"


def _atomic(function: Function) -> str:
    """Translate a kernel that adds to an element into one instruction of the processor.

    Other threads see what was written before it no later than its own result.
    """
    return f"""define i64 @{function.name}(ptr %words, i64 %at, i64 %more) alwaysinline {{
  %place = getelementptr inbounds i64, ptr %words, i64 %at
  %old = atomicrmw add ptr %place, i64 %more seq_cst
  ret i64 %old
}}"""


def _declaration(name: str, signature: Signature) -> str:
    takes = ", ".join(_TYPES[t] for _, t in signature.flat)
    return f"declare {_TYPES[signature.gives]} @{name}({takes})"


def set_once(function: Function) -> set[str]:
    """Return the names that get a value once, in a block that holds all uses, before these."""
    single: dict[str, bool] = dict.fromkeys((name for name, _ in function.signature.flat), False)
    _note_uses(function.body, set(), single)
    return {name for name, is_single in single.items() if is_single}


def _note_uses(body: Sequence[Stmt], assigned: set[str], single: dict[str, bool]) -> None:
    """Note for each name whether it is set once and read only after that, in the same block."""
    fresh: list[str] = []
    for s in body:
        for e in n.values(s):
            _note_reads(e, assigned, single)
        if isinstance(s, n.Set):
            single[s.name] = s.name not in single
            if s.name not in assigned:
                assigned.add(s.name)
                fresh.append(s.name)
        elif isinstance(s, n.For):
            single[s.name] = False
        for block in n.blocks(s):
            _note_uses(block, assigned, single)
    assigned.difference_update(fresh)


def _note_reads(e: Expr, assigned: set[str], single: dict[str, bool]) -> None:
    todo = [e]
    while todo:
        part = todo.pop()
        if not isinstance(part, n.Local):
            todo += n.parts(part)
        elif part.name not in assigned:
            single[part.name] = False


@define(repr=False, eq=False)
class _Writer(Record):
    function: Function
    inline: int
    lines: list[str] = field(factory=list)
    slots: list[str] = field(factory=list)
    loops: list[tuple[str, str]] = field(factory=list)
    once: set[str] = field(init=False)
    values: dict[str, str] = field(factory=dict)
    """The values of the names that are set once."""
    count: int = 0
    ended: bool = False

    def run(self) -> str:
        f = self.function
        self.once = set_once(f)
        takes = ", ".join(
            f"{_TYPES[t]} {'noalias ' if t in ARRAYS else ''}%p.{name}"
            for name, t in f.signature.flat
        )
        linkage = "internal " if is_internal(f.name) else ""
        parameters = dict(f.signature.flat)
        for name, type_ in f.locals.items():
            if name not in self.once:
                self.slots.append(f"  %v.{name} = alloca {_TYPES[type_]}")
                start = f"%p.{name}" if name in parameters else "0" if type_ == INT else "0.0"
                self._put(f"store {_TYPES[type_]} {start}, ptr %v.{name}")
        self._block(f.body)
        gives = _TYPES[f.signature.gives]
        if not self.ended:
            zero = {"void": "ret void", "i64": "ret i64 0", "double": "ret double 0.0"}
            self._put(zero[gives])
        body = "\n".join([*self.slots, *self.lines])
        short = len(self.lines) < self.inline and f"@{f.name}(" not in body
        inlined = " noinline" if f.apart else " alwaysinline" if short else ""
        return f"define {linkage}{gives} @{f.name}({takes}){inlined} {{\nentry:\n{body}\n}}"

    # --- writing ---

    def _put(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def _let(self, line: str) -> str:
        self.count += 1
        name = f"%t{self.count}"
        self.lines.append(f"  {name} = {line}")
        return name

    def _slot(self, type_: str) -> str:
        """Take room on the stack at the entry: only there can LLVM make a register of it."""
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

    def _block(self, body: Sequence[Stmt]) -> None:
        for s in body:
            if self.ended:  # what follows a `return` or `break` is never reached
                return
            _METHODS[type(s)](self, s)

    def _set(self, s: n.Set) -> None:
        value = self.expr(s.value)
        if s.name in self.once:
            self.values[s.name] = value
        else:
            self._put(f"store {_TYPES[s.value.type]} {value}, ptr %v.{s.name}")

    def _store(self, s: n.Store) -> None:
        value = self.expr(s.value)
        place = self._place(s.array, s.index)
        self._put(f"store {_TYPES[s.value.type]} {value}, ptr {place}")

    def _place(self, array: n.Array, index: Expr) -> str:
        """Work out the address of an element."""
        at = self.expr(index)
        return self._let(
            f"getelementptr {_TYPES[ARRAYS[array.type]]}, ptr %p.{array.name}, i64 {at}"
        )

    def _do(self, s: n.Do) -> None:
        self._call(s.call)

    def _if(self, s: n.If) -> None:
        yes, no, end = self._label("then"), self._label("else"), self._label("endif")
        self._branch(s.test, yes, no if s.otherwise else end)
        self._start(yes)
        self._block(s.then)
        self._jump(f"br label %{end}")
        if s.otherwise:
            self._start(no)
            self._block(s.otherwise)
            self._jump(f"br label %{end}")
        self._start(end)

    def _branch(self, test: Expr, yes: str, no: str) -> None:
        """Jump to one label or the other; `and` and `or` stop early."""
        match test:
            case n.Logic(both=both, items=items):
                for item in items[:-1]:
                    following = self._label("also")
                    self._branch(item, following if both else yes, no if both else following)
                    self._start(following)
                self._branch(items[-1], yes, no)
            case n.Op(name="not", args=(inner,)):
                self._branch(inner, no, yes)
            case _:
                self._jump(f"br i1 {self.expr(test)}, label %{yes}, label %{no}")

    def _while(self, s: n.While) -> None:
        head, inner, end = self._label("while"), self._label("do"), self._label("done")
        self._start(head)
        self._branch(s.test, inner, end)
        self._start(inner)
        self._loop(s.body, head, end)
        self._jump(f"br label %{head}")
        self._start(end)

    def _loop(self, body: Sequence[Stmt], step: str, end: str) -> None:
        self.loops.append((step, end))
        self._block(body)
        self.loops.pop()

    def _for(self, s: n.For) -> None:
        low, high = self.expr(s.low), self.expr(s.high)
        head, inner = self._label("for"), self._label("do")
        step, end = self._label("next"), self._label("done")
        counter = self._slot("i64")
        self._put(f"store i64 {low}, ptr {counter}")
        self._start(head)
        now = self._let(f"load i64, ptr {counter}")
        test = "slt" if s.step > 0 else "sgt"
        goes_on = self._let(f"icmp {test} i64 {now}, {high}")
        self._jump(f"br i1 {goes_on}, label %{inner}, label %{end}")
        self._start(inner)
        self._put(f"store i64 {now}, ptr %v.{s.name}")
        self._loop(s.body, step, end)
        self._start(step)
        following = self._let(f"add i64 {now}, {s.step}")
        self._put(f"store i64 {following}, ptr {counter}")
        self._jump(f"br label %{head}")
        self._start(end)

    def _break(self, _: n.Break) -> None:
        self._jump(f"br label %{self.loops[-1][1]}")

    def _continue(self, _: n.Continue) -> None:
        self._jump(f"br label %{self.loops[-1][0]}")

    def _return(self, s: n.Return) -> None:
        if s.value is None:
            self._jump("ret void")
        else:
            self._jump(f"ret {_TYPES[s.value.type]} {self.expr(s.value)}")

    # --- expressions ---

    def expr(self, e: Expr) -> str:
        """Work out an expression; returns a register or a number."""
        register: str = _METHODS[type(e)](self, e)
        return register

    def _const(self, e: n.Const) -> str:
        return f"0x{_double(e.value):016x}" if e.type == FLOAT else str(int(e.value))

    def _local(self, e: n.Local) -> str:
        if e.name in self.values:
            return self.values[e.name]
        return self._let(f"load {_TYPES[e.type]}, ptr %v.{e.name}")

    def _array(self, e: n.Array) -> str:
        """Return the name of an array: a parameter, or one that lies in the module."""
        is_parameter = any(name == e.name for name, _ in self.function.signature.flat)
        return f"%p.{e.name}" if is_parameter else f"@{e.name}"

    def _element(self, e: n.Element) -> str:
        place = self._place(e.array, e.index)
        if e.volatile:
            return self._let(f"load atomic volatile {_TYPES[e.type]}, ptr {place} acquire, align 8")
        return self._let(f"load {_TYPES[e.type]}, ptr {place}")

    def _op(self, e: n.Op) -> str:
        args = [self.expr(a) for a in e.args]
        if e.name in ("div", "mod"):
            return self._floor(args[0], args[1], remainder=e.name == "mod")
        return self._let(_LINES[e.name].format(*args))

    def _logic(self, e: n.Logic) -> str:
        yes, no, end = self._label("true"), self._label("false"), self._label("known")
        self._branch(e, yes, no)
        place = self._slot("i1")
        for label, truth in ((yes, "true"), (no, "false")):
            self._start(label)
            self._put(f"store i1 {truth}, ptr {place}")
            self._jump(f"br label %{end}")
        self._start(end)
        return self._let(f"load i1, ptr {place}")

    def _choice(self, e: n.Choice) -> str:
        yes, no, end = self._label("then"), self._label("else"), self._label("endif")
        type_ = _TYPES[e.type]
        place = self._slot(type_)
        self._branch(e.test, yes, no)
        for label, side in ((yes, e.then), (no, e.otherwise)):
            self._start(label)
            self._put(f"store {type_} {self.expr(side)}, ptr {place}")
            self._jump(f"br label %{end}")
        self._start(end)
        return self._let(f"load {type_}, ptr {place}")

    def _floor(self, a: str, b: str, *, remainder: bool) -> str:
        """Divide as Python does, which rounds down where machines round towards zero."""
        rest = self._let(f"srem i64 {a}, {b}")
        inexact = self._let(f"icmp ne i64 {rest}, 0")
        signs = self._let(f"xor i64 {rest}, {b}")
        differ = self._let(f"icmp slt i64 {signs}, 0")
        fix = self._let(f"and i1 {inexact}, {differ}")
        if remainder:
            return self._let(f"add i64 {rest}, {self._let(f'select i1 {fix}, i64 {b}, i64 0')}")
        quotient = self._let(f"sdiv i64 {a}, {b}")
        return self._let(f"add i64 {quotient}, {self._let(f'sext i1 {fix} to i64')}")

    def _call(self, e: n.Call) -> str:
        args = [(_TYPES[a.type], self.expr(a)) for a in e.args]
        line = f"call {_TYPES[e.type]} @{e.name}({', '.join(f'{t} {a}' for t, a in args)})"
        if e.type == NOTHING:
            self._put(line)
            return ""
        return self._let(line)


_METHODS = n.methods(_Writer)


def _double(value: float) -> int:
    bits: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return bits
