"""From the nodes of kernels to LLVM's assembly text.

A name that gets a value once, before all of its uses, is that value; every other name is a stack
slot, and LLVM's own passes make registers of them.  Functions keep their names, so that another
module can be linked to them, but for those of one player (`ends_0`, `ends_1`): they are called from
within their module only, and LLVM need not keep those that it writes out.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

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
    """The assembly text of a module; calls of kernels outside are declared.

    *deposit*: the processor has a fast instruction that spreads bits (x86's pdep).
    *quick*: rather short than fast.
    """
    size = sum(1 for f in module.functions.values() for _ in n.statements(f.body))
    inline = INLINE if size < LONG and not quick else INLINE_IN_LONG
    parts = [_declaration(name, s) for name, s in module.outside.items()]
    for function in module.functions.values():
        parts.append(_at_once(function) if function.atomic else _Writer(function, inline).run())
    return _DECLARED + (_DEPOSIT if deposit else _SELECT) + "\n".join(parts) + "\n"


def _at_once(function: Function) -> str:
    """A function that adds to an element, as one instruction of the processor.

    Whatever it has written before this, other threads see no later.
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
    """The names that get a value once, in a block that holds all of their uses, before these."""
    seen: dict[str, bool] = dict.fromkeys((name for name, _ in function.signature.flat), False)
    _look(function.body, set(), seen)
    return {name for name, once in seen.items() if once}


def _look(body: Sequence[Stmt], known: set[str], seen: dict[str, bool]) -> None:
    """Note for each name whether it is set once and used only where that value is known."""
    fresh: list[str] = []
    for s in body:
        for e in n.values(s):
            _used(e, known, seen)
        if isinstance(s, n.Set):
            seen[s.name] = s.name not in seen
            if s.name not in known:
                known.add(s.name)
                fresh.append(s.name)
        elif isinstance(s, n.For):
            seen[s.name] = False
        for block in n.blocks(s):
            _look(block, known, seen)
    known.difference_update(fresh)


def _used(e: Expr, known: set[str], seen: dict[str, bool]) -> None:
    todo = [e]
    while todo:
        part = todo.pop()
        if not isinstance(part, n.Local):
            todo += n.parts(part)
        elif part.name not in known:
            seen[part.name] = False


@define(repr=False, eq=False)
class _Writer(Record):
    function: Function
    inline: int
    lines: list[str] = field(factory=list)
    slots: list[str] = field(factory=list)
    loops: list[tuple[str, str]] = field(factory=list)
    once: set[str] = field(init=False)
    values: dict[str, str] = field(factory=dict)
    """What the names are that are set once."""
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
                first = f"%p.{name}" if name in parameters else "0" if type_ == INT else "0.0"
                self._put(f"store {_TYPES[type_]} {first}, ptr %v.{name}")
        self._block(f.body)
        gives = _TYPES[f.signature.gives]
        if not self.ended:
            zero = {"void": "ret void", "i64": "ret i64 0", "double": "ret double 0.0"}
            self._put(zero[gives])
        written = "\n".join([*self.slots, *self.lines])
        short = len(self.lines) < self.inline and f"@{f.name}(" not in written
        inlined = " noinline" if f.apart else " alwaysinline" if short else ""
        return f"define {linkage}{gives} @{f.name}({takes}){inlined} {{\nentry:\n{written}\n}}"

    # --- writing ---

    def _put(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def _new(self, line: str) -> str:
        self.count += 1
        name = f"%t{self.count}"
        self.lines.append(f"  {name} = {line}")
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

    def _block(self, body: Sequence[Stmt]) -> None:
        for s in body:
            if self.ended:  # what follows a `return` or `break` is never reached
                return
            _STATEMENTS[type(s)](self, s)

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
        """The address of an element."""
        at = self.expr(index)
        return self._new(
            f"getelementptr {_TYPES[ARRAYS[array.type]]}, ptr %p.{array.name}, i64 {at}"
        )

    def _do(self, s: n.Do) -> None:
        self._call(s.call)

    def _if(self, s: n.If) -> None:
        yes, no, after = self._label("then"), self._label("else"), self._label("endif")
        self._branch(s.test, yes, no if s.otherwise else after)
        self._start(yes)
        self._block(s.then)
        self._jump(f"br label %{after}")
        if s.otherwise:
            self._start(no)
            self._block(s.otherwise)
            self._jump(f"br label %{after}")
        self._start(after)

    def _branch(self, test: Expr, yes: str, no: str) -> None:
        """To one label or the other; `and` and `or` stop early."""
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
        head, inner, after = self._label("while"), self._label("do"), self._label("done")
        self._start(head)
        self._branch(s.test, inner, after)
        self._start(inner)
        self._loop(s.body, head, after)
        self._jump(f"br label %{head}")
        self._start(after)

    def _loop(self, body: Sequence[Stmt], again: str, after: str) -> None:
        self.loops.append((again, after))
        self._block(body)
        self.loops.pop()

    def _for(self, s: n.For) -> None:
        low, high = self.expr(s.low), self.expr(s.high)
        head, inner = self._label("for"), self._label("do")
        again, after = self._label("next"), self._label("done")
        counter = self._slot("i64")
        self._put(f"store i64 {low}, ptr {counter}")
        self._start(head)
        now = self._new(f"load i64, ptr {counter}")
        test = "slt" if s.step > 0 else "sgt"
        more = self._new(f"icmp {test} i64 {now}, {high}")
        self._jump(f"br i1 {more}, label %{inner}, label %{after}")
        self._start(inner)
        self._put(f"store i64 {now}, ptr %v.{s.name}")
        self._loop(s.body, again, after)
        self._start(again)
        following = self._new(f"add i64 {now}, {s.step}")
        self._put(f"store i64 {following}, ptr {counter}")
        self._jump(f"br label %{head}")
        self._start(after)

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
        """The value of an expression: a register or a number."""
        found: str = _EXPRESSIONS[type(e)](self, e)
        return found

    def _const(self, e: n.Const) -> str:
        return f"0x{_double(e.value):016x}" if e.type == FLOAT else str(int(e.value))

    def _local(self, e: n.Local) -> str:
        if e.name in self.values:
            return self.values[e.name]
        return self._new(f"load {_TYPES[e.type]}, ptr %v.{e.name}")

    def _array(self, e: n.Array) -> str:
        """A parameter, or what lies in the module."""
        handed = any(name == e.name for name, _ in self.function.signature.flat)
        return f"%p.{e.name}" if handed else f"@{e.name}"

    def _element(self, e: n.Element) -> str:
        place = self._place(e.array, e.index)
        if e.volatile:
            return self._new(f"load atomic volatile {_TYPES[e.type]}, ptr {place} acquire, align 8")
        return self._new(f"load {_TYPES[e.type]}, ptr {place}")

    def _operation(self, e: n.Op) -> str:
        args = [self.expr(a) for a in e.args]
        if e.name in ("div", "mod"):
            return self._floor(args[0], args[1], remainder=e.name == "mod")
        return self._new(_LINES[e.name].format(*args))

    def _logic(self, e: n.Logic) -> str:
        yes, no, after = self._label("true"), self._label("false"), self._label("known")
        self._branch(e, yes, no)
        place = self._slot("i1")
        for label, truth in ((yes, "true"), (no, "false")):
            self._start(label)
            self._put(f"store i1 {truth}, ptr {place}")
            self._jump(f"br label %{after}")
        self._start(after)
        return self._new(f"load i1, ptr {place}")

    def _choice(self, e: n.Choice) -> str:
        yes, no, after = self._label("then"), self._label("else"), self._label("endif")
        type_ = _TYPES[e.type]
        place = self._slot(type_)
        self._branch(e.test, yes, no)
        for label, side in ((yes, e.then), (no, e.otherwise)):
            self._start(label)
            self._put(f"store {type_} {self.expr(side)}, ptr {place}")
            self._jump(f"br label %{after}")
        self._start(after)
        return self._new(f"load {type_}, ptr {place}")

    def _floor(self, a: str, b: str, *, remainder: bool) -> str:
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

    def _call(self, e: n.Call) -> str:
        args = [(_TYPES[a.type], self.expr(a)) for a in e.args]
        line = f"call {_TYPES[e.type]} @{e.name}({', '.join(f'{t} {a}' for t, a in args)})"
        if e.type == NOTHING:
            self._put(line)
            return ""
        return self._new(line)


_STATEMENTS: Mapping[type, Callable[[_Writer, Any], None]] = {
    n.Set: _Writer._set, n.Store: _Writer._store, n.Do: _Writer._do, n.If: _Writer._if,
    n.While: _Writer._while, n.For: _Writer._for, n.Break: _Writer._break,
    n.Continue: _Writer._continue, n.Return: _Writer._return,
}  # fmt: skip
_EXPRESSIONS: Mapping[type, Callable[[_Writer, Any], str]] = {
    n.Const: _Writer._const, n.Local: _Writer._local, n.Array: _Writer._array,
    n.Element: _Writer._element, n.Op: _Writer._operation, n.Logic: _Writer._logic,
    n.Choice: _Writer._choice, n.Call: _Writer._call,
}  # fmt: skip


def _double(value: float) -> int:
    bits: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return bits
