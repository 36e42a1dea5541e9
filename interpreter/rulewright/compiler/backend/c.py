"""From the nodes of kernels to C: text for people and compilers.

In: a module whose kernels call no others, and the arrays that lie in it.  Out: the text of one C99
file: an `int64_t` is a whole number, wraps where it is said to, and is shifted only by what it can
be.  The nodes are typed already, so nothing is refused here.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

from attrs import define, field

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import Expr, Function, Module, Stmt
from rulewright.compiler.ir.types import BOOL, FLOAT, FLOATS, INT, INTS, NOTHING

TYPES = {
    INT: "int64_t", FLOAT: "double", INTS: "int64_t *", FLOATS: "double *", NOTHING: "void",
    BOOL: "bool",
}  # fmt: skip
_SIGNS = {
    "and": "&", "or": "|", "xor": "^", "shr": ">>", "fadd": "+", "fsub": "-", "fmul": "*",
    "fdiv": "/", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "feq": "==", "fne": "!=", "flt": "<", "fle": "<=", "fgt": ">", "fge": ">=",
}  # fmt: skip
_WRAPPED = {"add": "+", "sub": "-", "mul": "*", "wrap_add": "+", "wrap_mul": "*"}
_PREFIXES = {"inv": "~", "fneg": "-", "not": "!"}
_FUNCTIONS = {
    "popcount": "popcount", "trailing": "trailing", "select_bit": "select_bit", "div": "floor_div",
    "mod": "floor_mod", "float_bits": "float_bits", "bits_float": "bits_float", "sqrt": "sqrt",
}  # fmt: skip
HEAD = """#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;

static inline i64 popcount(i64 x) {
  u64 v = (u64)x;
  v -= v >> 1 & 0x5555555555555555u;
  v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
  return (i64)(((v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}
/* The zeros below the lowest one; 64 for 0. */
static inline i64 trailing(i64 x) { return popcount((i64)(~(u64)x & ((u64)x - 1))); }
/* The place of the one number k; 64 if there are not so many. */
static inline i64 select_bit(i64 x, i64 k) {
  u64 v = (u64)x;
  for (; k > 0 && v; k--) v &= v - 1;
  return trailing((i64)v);
}
/* Division and remainder that round down. */
static inline i64 floor_div(i64 a, i64 b) { return a / b - (a % b && (a ^ b) < 0); }
static inline i64 floor_mod(i64 a, i64 b) { i64 r = a % b; return r && (r ^ b) < 0 ? r + b : r; }
static inline i64 float_bits(double x) { i64 r; memcpy(&r, &x, 8); return r; }
static inline double bits_float(i64 x) { double r; memcpy(&r, &x, 8); return r; }
"""
_RESERVED = (
    "auto bool break case char const continue default do double else enum extern false float for "
    "goto if inline int long register restrict return short signed sizeof static struct switch "
    "true typedef union unsigned void volatile while main index y0 y1 yn j0 j1 jn gamma signal "
    "time exp log pow abs div remove rename exit abort system select read write open close "
    "i64 u64 int64_t uint64_t popcount trailing select_bit floor_div floor_mod float_bits "
    "bits_float sqrt memcpy"
)
"""Words of C and names of its library, which no other thing may have as its name."""
_WORDS = frozenset(_RESERVED.split())


def c_name(name: str) -> str:
    """Return a name for C: without dots, and no word of C or of its library."""
    word = name.replace(".", "_").replace("'", "_")
    return f"{word}_" if word in _WORDS else word


def text(module: Module, exported: Iterable[str]) -> str:
    """Translate the functions of a module; those that are not exported are `static`."""
    names = set(exported)
    writers = [_Writer(f, module.functions) for f in module.functions.values()]
    heads = [f"{writer.head(names)};" for writer in writers]
    bodies = [writer.run(writer.head(names)) for writer in writers]
    return "\n".join(heads) + "\n\n" + "\n\n".join(bodies) + "\n"


def _type(type_: str) -> str:
    word = TYPES[type_].replace("int64_t", "i64")
    return word if word.endswith("*") else f"{word} "


def number(value: float, type_: str) -> str:
    """Write a number as a literal of C."""
    if type_ == FLOAT:
        return "(0.0 / 0.0)" if math.isnan(value) else float(value).hex()
    if value == -(2**63):
        return "INT64_MIN"
    return f"{int(value)}" if abs(value) < 2**31 else f"INT64_C({int(value)})"


@define
class _Writer:
    function: Function
    functions: Collection[str]
    lines: list[str] = field(factory=list)
    depth: int = 1
    count: int = 0

    def head(self, exported: set[str]) -> str:
        """Write the head of the function."""
        function = self.function
        takes = ", ".join(f"{_type(t)}{self._var(m)}" for m, t in function.signature.flat)
        linkage = "" if function.name in exported else "static "
        gives = _type(function.signature.gives)
        return f"{linkage}{gives}{c_name(function.name)}({takes or 'void'})"

    def _var(self, name: str) -> str:
        """Return a variable's name, which must not be that of a function."""
        return f"{c_name(name)}_" if name in self.functions else c_name(name)

    def run(self, head: str) -> str:
        """Write the function."""
        parameters = {name for name, _ in self.function.signature.flat}
        for name, type_ in self.function.locals.items():
            if name not in parameters:
                self._put(f"{_type(type_)}{self._var(name)} = 0;")
        self._block(self.function.body)
        return "\n".join([f"{head} {{", *self.lines, "}"])

    def _put(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    # --- statements ---

    def _block(self, body: Sequence[Stmt]) -> None:
        for s in body:
            _METHODS[type(s)](self, s)

    def _braced(self, head: str, body: Sequence[Stmt], tail: str = "}") -> None:
        self._put(f"{head} {{")
        self.depth += 1
        self._block(body)
        self.depth -= 1
        if tail:
            self._put(tail)

    def _set(self, s: n.Set) -> None:
        self._put(f"{self._var(s.name)} = {self._bare(s.value)};")

    def _store(self, s: n.Store) -> None:
        self._put(f"{self._var(s.array.name)}[{self._bare(s.index)}] = {self._bare(s.value)};")

    def _do(self, s: n.Do) -> None:
        self._put(f"{self.expr(s.call)};")

    def _if(self, s: n.If) -> None:
        self._braced(f"if ({self._bare(s.test)})", s.then, "" if s.otherwise else "}")
        if s.otherwise:
            self._braced("} else", s.otherwise)

    def _while(self, s: n.While) -> None:
        self._braced(f"while ({self._bare(s.test)})", s.body)

    def _for(self, s: n.For) -> None:
        """Write a loop whose count has a name of its own: the body may change the variable."""
        self.count += 1
        at, end = f"at_{self.count}", f"end_{self.count}"
        low, high = self._bare(s.low), self._bare(s.high)
        test, step = "<" if s.step > 0 else ">", f"{at} += {s.step}"
        self._put(f"for (i64 {at} = {low}, {end} = {high}; {at} {test} {end}; {step}) {{")
        self.depth += 1
        self._put(f"{self._var(s.name)} = {at};")
        self._block(s.body)
        self.depth -= 1
        self._put("}")

    def _break(self, _: n.Break) -> None:
        self._put("break;")

    def _continue(self, _: n.Continue) -> None:
        self._put("continue;")

    def _return(self, s: n.Return) -> None:
        self._put("return;" if s.value is None else f"return {self._bare(s.value)};")

    # --- expressions ---

    def expr(self, e: Expr) -> str:
        """Write an expression that may stand anywhere."""
        c_text: str = _METHODS[type(e)](self, e)
        return c_text

    def _bare(self, e: Expr) -> str:
        """Write an expression that stands alone, without brackets around it."""
        c_text = self.expr(e)
        return c_text[1:-1] if _wrapped(c_text) else c_text

    def _const(self, e: n.Const) -> str:
        if e.type == BOOL:
            return "true" if e.value else "false"
        literal = number(e.value, e.type)
        return f"({literal})" if literal.startswith("-") else literal

    def _local(self, e: n.Local | n.Array) -> str:
        return self._var(e.name)

    _array = _local

    def _element(self, e: n.Element) -> str:
        place = f"{self._var(e.array.name)}[{self._bare(e.index)}]"
        return f"(*(volatile {_type(e.type)}*)&{place})" if e.volatile else place

    def _op(self, e: n.Op) -> str:
        args = [self.expr(a) for a in e.args]
        if e.name in _SIGNS:
            return f"({args[0]} {_SIGNS[e.name]} {args[1]})"
        if e.name in _WRAPPED:
            return f"(i64)((u64){args[0]} {_WRAPPED[e.name]} (u64){args[1]})"
        if e.name in _PREFIXES:
            return f"({_PREFIXES[e.name]}{args[0]})"
        if e.name in _FUNCTIONS:
            return f"{_FUNCTIONS[e.name]}({', '.join(self._bare(a) for a in e.args)})"
        match e.name:
            case "shl" | "wrap_shl":
                return f"(i64)((u64){args[0]} << ({args[1]} & 63))"
            case "shift_right":
                return f"(i64)((u64){args[0]} >> ({args[1]} & 63))"
            case "neg":
                return f"(i64)(0 - (u64){args[0]})"
        return f"(double){args[0]}"

    def _logic(self, e: n.Logic) -> str:
        return f"({(' && ' if e.both else ' || ').join(self.expr(i) for i in e.items)})"

    def _choice(self, e: n.Choice) -> str:
        return f"({self.expr(e.test)} ? {self.expr(e.then)} : {self.expr(e.otherwise)})"

    def _call(self, e: n.Call) -> str:
        return f"{c_name(e.name)}({', '.join(self._bare(a) for a in e.args)})"


def _wrapped(text_: str) -> bool:
    """Whether one pair of brackets holds a whole expression."""
    if not text_.startswith("("):
        return False
    depth = 0
    for i, sign in enumerate(text_):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return i == len(text_) - 1
    return False


_METHODS = n.methods(_Writer)
