"""From the nodes of kernels to one module of WebAssembly.

In: modules whose kernels call each other by name.  Out: a `WasmModule` that exports all of them:
arrays are handed over as addresses in one memory, whole numbers as i64, floats as f64.  Control
flow stays as it is.  The nodes are typed already, so nothing is refused here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field

from rulewright.compiler.backend import calls_outside, refuse_unresolved
from rulewright.compiler.backend.wasm_binary import (
    F64,
    I32,
    I64,
    WasmCode,
    WasmFunction,
    WasmModule,
    WasmShape,
)
from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.inline import inlined
from rulewright.compiler.ir.nodes import Expr, Function, Module, Stmt
from rulewright.compiler.ir.parse import parse
from rulewright.compiler.ir.passes import optimised
from rulewright.compiler.ir.types import ARRAYS, BOOL, FLOAT, FLOATS, INT, INTS, NOTHING, Signature

TYPES = {INT: I64, FLOAT: F64, INTS: I32, FLOATS: I32, BOOL: I32}
WORD = 8
_SHIFT, _SIGN = 3, 63
_FAR = 1 << 24
"""Elements up to which a place in an array is written into the instruction."""
_PLAIN = {
    "add": "i64.add", "sub": "i64.sub", "mul": "i64.mul", "and": "i64.and", "or": "i64.or",
    "xor": "i64.xor", "shl": "i64.shl", "shr": "i64.shr_s",
    "fadd": "f64.add", "fsub": "f64.sub", "fmul": "f64.mul", "fdiv": "f64.div",
    "eq": "i64.eq", "ne": "i64.ne", "lt": "i64.lt_s", "le": "i64.le_s", "gt": "i64.gt_s",
    "ge": "i64.ge_s", "feq": "f64.eq", "fne": "f64.ne", "flt": "f64.lt", "fle": "f64.le",
    "fgt": "f64.gt", "fge": "f64.ge", "fneg": "f64.neg", "not": "i32.eqz",
    "popcount": "i64.popcnt", "trailing": "i64.ctz", "wrap_add": "i64.add", "wrap_mul": "i64.mul",
    "wrap_shl": "i64.shl", "shift_right": "i64.shr_u", "real": "f64.convert_i64_s",
    "float_bits": "i64.reinterpret_f64", "bits_float": "f64.reinterpret_i64", "sqrt": "f64.sqrt",
}  # fmt: skip
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_SELECT, _DIVIDE, _REMAIN = "select_bit", "floor_div", "floor_mod"
_PAIRS, _FOURS, _BYTES = (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F)
_EACH_BYTE, _TOPS, _DIAGONAL = 0x0101010101010101, -0x7F7F7F7F7F7F7F80, -0x7FBFDFEFF7FBFDFF
_SELECT_BIT = f"""
def {_SELECT}(x: i64, k: i64) -> i64:
    ones = wrap_add(x, -(shift_right(x, 1) & {_PAIRS}))
    ones = (ones & {_FOURS}) + (shift_right(ones, 2) & {_FOURS})
    ones = wrap_mul(ones + shift_right(ones, 4) & {_BYTES}, {_EACH_BYTE})
    if k >= shift_right(ones, 56):
        return 64
    place = popcount(wrap_add(wrap_mul(k, {_EACH_BYTE}) | {_TOPS}, -ones) & {_TOPS}) << 3
    left = k - (shift_right(wrap_shl(ones, 8), place) & 255)
    bits = wrap_mul(shift_right(x, place) & 255, {_EACH_BYTE}) & {_DIAGONAL}
    counts = shift_right((bits | wrap_add(bits | {_TOPS}, -{_EACH_BYTE})) & {_TOPS}, 7)
    counts = wrap_mul(counts, {_EACH_BYTE})
    return place + popcount(wrap_add(wrap_mul(left, {_EACH_BYTE}) | {_TOPS}, -counts) & {_TOPS})
"""
"""WebAssembly counts ones, but has no instruction that finds one by its number.

All bytes at once, without branches: how many ones stand up to each byte, which byte it therefore
is, and the same for the bits of that byte (Vigna, Broadword implementation of rank/select queries).
"""


def binary(modules: Iterable[Module], arrays: Mapping[str, int] | None = None) -> WasmModule:
    """Translate modules, each of which may call its own kernels and those of modules before it.

    *arrays* are the addresses of arrays that kernels name and are not handed.  Raises `KernelFault`
    if a kernel that is called is missing.
    """
    numbers = {_DIVIDE: 0, _REMAIN: 1, _SELECT: 2}
    bodies, exports = [_divide(), _remain()], dict[str, int]()
    for module in (parse(_SELECT_BIT), *(optimised(inlined(module)) for module in modules)):
        own = {name: len(bodies) + i for i, name in enumerate(module.functions)}
        numbers = numbers | own
        refuse_unresolved(calls_outside(module), numbers)
        bodies += [_Writer(f, numbers, arrays or {}).body() for f in module.functions.values()]
        exports |= own
    return WasmModule(functions=bodies, exports=exports)


def shape(signature: Signature) -> WasmShape:
    """Return the types of a kernel's arguments and result in WebAssembly."""
    gives = () if signature.gives == NOTHING else (TYPES[signature.gives],)
    return WasmShape(tuple(TYPES[t] for _, t in signature.flat), gives)


_TWO = WasmShape((I64, I64), (I64,))


def _divide() -> WasmFunction:
    """Make the division that rounds down: one less where the signs differ and there is a rest."""
    code, a, b, quotient = WasmCode(), 0, 1, 2
    code.get(a)
    code.get(b)
    code.op("i64.div_s")
    code.tee(quotient)
    code.get(quotient)
    code.get(b)
    code.op("i64.mul")
    code.get(a)
    code.op("i64.ne")
    _signs_differ(code, a, b)
    code.op("i32.and", "i64.extend_i32_s", "i64.sub")
    return WasmFunction(_TWO, [I64], code)


def _remain() -> WasmFunction:
    """Make the remainder of that division: it has the sign of the divisor."""
    code, a, b, remainder = WasmCode(), 0, 1, 2
    code.get(a)
    code.get(b)
    code.op("i64.rem_s")
    code.tee(remainder)
    code.get(b)
    code.i64(0)
    code.get(remainder)
    code.i64(0)
    code.op("i64.ne")
    _signs_differ(code, remainder, b)
    code.op("i32.and", "select", "i64.add")
    return WasmFunction(_TWO, [I64], code)


def _signs_differ(code: WasmCode, a: int, b: int) -> None:
    code.get(a)
    code.get(b)
    code.op("i64.xor")
    code.i64(0)
    code.op("i64.lt_s")


@define
class _Writer:
    function: Function
    numbers: Mapping[str, int]
    arrays: Mapping[str, int]
    code: WasmCode = field(factory=WasmCode)
    places: dict[str, int] = field(factory=dict)
    """The local of each name."""
    extra_locals: list[int] = field(factory=list)
    """The types of locals behind the parameters."""
    loops: list[tuple[int, int]] = field(factory=list)
    """Labels: where the next round begins, and where the loop is left."""
    spare: tuple[int, int] | None = None

    def body(self) -> WasmFunction:
        f = self.function
        for name, _ in f.signature.flat:
            self.places[name] = len(self.places)
        for name, type_ in f.locals.items():
            if name not in self.places:
                self.places[name] = self._new_local(TYPES[type_])
        self._block(f.body)
        if f.signature.gives != NOTHING:
            self.code.op("unreachable")
        return WasmFunction(shape(f.signature), self.extra_locals, self.code)

    def _new_local(self, type_: int) -> int:
        """Declare a local behind the others; returns its number."""
        self.extra_locals.append(type_)
        return len(self.function.signature.flat) + len(self.extra_locals) - 1

    # --- statements ---

    def _block(self, body: Sequence[Stmt]) -> None:
        for s in body:
            _METHODS[type(s)](self, s)

    def _set(self, s: n.Set) -> None:
        self._expr(s.value)
        self.code.set(self.places[s.name])

    def _store(self, s: n.Store) -> None:
        offset = self._address(s.array, s.index)
        self._expr(s.value)
        self.code.store(TYPES[ARRAYS[s.array.type]], offset)

    def _do(self, s: n.Do) -> None:
        self._expr(s.call)
        if s.call.type != NOTHING:
            self.code.op("drop")

    def _if(self, s: n.If) -> None:
        self._expr(s.test)
        self.code.if_()
        self._block(s.then)
        if s.otherwise:
            self.code.op("else")
            self._block(s.otherwise)
        self.code.end()

    def _while(self, s: n.While) -> None:
        leave = self.code.block()
        start = self.code.loop()
        self._expr(_negated(s.test))
        self.code.jump_if(leave)
        self._loop(s.body, start, leave)
        self.code.jump(start)
        self.code.end()
        self.code.end()

    def _loop(self, body: Sequence[Stmt], start: int, leave: int) -> None:
        self.loops.append((start, leave))
        self._block(body)
        self.loops.pop()

    def _for(self, s: n.For) -> None:
        """The count has a local of its own, as the body may change the name."""
        code, count, end = self.code, self._new_local(I64), self._new_local(I64)
        self._expr(s.low)
        code.set(count)
        self._expr(s.high)
        code.set(end)
        leave = code.block()
        start = code.loop()
        code.get(count)
        code.get(end)
        code.op("i64.ge_s" if s.step > 0 else "i64.le_s")
        code.jump_if(leave)
        code.get(count)
        code.set(self.places[s.name])
        next_ = code.block()
        self._loop(s.body, next_, leave)
        code.end()
        code.get(count)
        code.i64(s.step)
        code.op("i64.add")
        code.set(count)
        code.jump(start)
        code.end()
        code.end()

    def _break(self, _: n.Break) -> None:
        self.code.jump(self.loops[-1][1])

    def _continue(self, _: n.Continue) -> None:
        self.code.jump(self.loops[-1][0])

    def _return(self, s: n.Return) -> None:
        if s.value is not None:
            self._expr(s.value)
        self.code.op("return")

    # --- expressions: each leaves its value on the stack ---

    def _expr(self, e: Expr) -> None:
        _METHODS[type(e)](self, e)

    def _const(self, e: n.Const) -> None:
        if e.type == FLOAT:
            self.code.f64(e.value)
        elif e.type == BOOL:
            self.code.i32(int(e.value))
        else:
            self.code.i64(int(e.value))

    def _local(self, e: n.Local) -> None:
        self.code.get(self.places[e.name])

    def _array(self, e: n.Array) -> None:
        if e.name in self.places:
            self.code.get(self.places[e.name])
        else:
            self.code.i32(self.arrays[e.name])

    def _element(self, e: n.Element) -> None:
        """A load may be taken for an earlier one only where no call lies between them.

        All loops that look at a word of another thread call something.
        """
        offset = self._address(e.array, e.index)
        self.code.load(TYPES[e.type], offset)

    def _address(self, array: n.Array, index: Expr) -> int:
        """Push an address; returns the offset in bytes from there to the element."""
        code, offset = self.code, 0
        self._array(array)
        if isinstance(index, n.Op) and index.name == "add" and _is_place(index.args[1]):
            offset, index = WORD * _number(index.args[1]), index.args[0]
        if _is_place(index):
            return offset + WORD * _number(index)
        self._expr(index)
        code.op("i32.wrap_i64")
        code.i32(_SHIFT)
        code.op("i32.shl", "i32.add")
        return offset

    def _op(self, e: n.Op) -> None:
        code = self.code
        match e.name:
            case "div" | "mod":
                self._floor(e)
            case "neg":
                code.i64(0)
                self._expr(e.args[0])
                code.op("i64.sub")
            case "inv":
                self._expr(e.args[0])
                code.i64(-1)
                code.op("i64.xor")
            case "select_bit":
                self._all(e.args)
                code.call(self.numbers[_SELECT])
            case name:
                self._all(e.args)
                code.op(_PLAIN[name])

    def _all(self, items: Iterable[Expr]) -> None:
        for item in items:
            self._expr(item)

    def _floor(self, e: n.Op) -> None:
        """Python rounds down where machines round towards zero."""
        divisor = e.args[1]
        if isinstance(divisor, n.Const) and divisor.value > 0:
            self._expr(e.args[0])
            self._by_known(e.name, int(divisor.value))
            return
        self._all(e.args)
        self.code.call(self.numbers[_DIVIDE if e.name == "div" else _REMAIN])

    def _by_known(self, name: str, divisor: int) -> None:
        """Divide what lies on the stack by a number above 0."""
        code = self.code
        if divisor & divisor - 1 == 0:
            code.i64(divisor.bit_length() - 1 if name == "div" else divisor - 1)
            code.op("i64.shr_s" if name == "div" else "i64.and")
            return
        dividend, result = self.spare = self.spare or (self._new_local(I64), self._new_local(I64))
        if name == "div":  # a quotient that was rounded up leaves something below 0
            code.tee(dividend)
            code.i64(divisor)
            code.op("i64.div_s")
            code.tee(result)
            code.get(dividend)
            code.get(result)
            code.i64(divisor)
            code.op("i64.mul", "i64.sub")
        else:
            code.i64(divisor)
            code.op("i64.rem_s")
            code.tee(result)
            code.get(result)
        code.i64(_SIGN)
        code.op("i64.shr_s")
        if name == "mod":
            code.i64(divisor)
            code.op("i64.and")
        code.op("i64.add")

    def _logic(self, e: n.Logic) -> None:
        """Each later truth stands inside the `if` of those before it."""
        code = self.code
        for item in e.items[:-1]:
            self._expr(item)
            code.if_(I32)
            if not e.both:
                code.i32(1)
                code.op("else")
        self._expr(e.items[-1])
        for _ in e.items[:-1]:
            if e.both:
                code.op("else")
                code.i32(0)
            code.end()

    def _choice(self, e: n.Choice) -> None:
        code = self.code
        if _is_at_hand(e.then) and _is_at_hand(e.otherwise):
            self._all((e.then, e.otherwise, e.test))
            code.op("select")
            return
        self._expr(e.test)
        code.if_(TYPES[e.type])
        self._expr(e.then)
        code.op("else")
        self._expr(e.otherwise)
        code.end()

    def _call(self, e: n.Call) -> None:
        self._all(e.args)
        self.code.call(self.numbers[e.name])


def _is_place(e: Expr) -> bool:
    return isinstance(e, n.Const) and 0 <= e.value < _FAR


def _number(e: Expr) -> int:
    assert isinstance(e, n.Const)
    return int(e.value)


def _is_at_hand(e: Expr) -> bool:
    """Whether a value costs nothing and has no effect, so that both sides may be evaluated."""
    return isinstance(e, n.Const | n.Local)


def _negated(test: Expr) -> Expr:
    """Return the opposite of a truth."""
    match test:
        case n.Op(name="not", args=(inner,)):
            return inner
        case n.Op(name=name) if name in _OPPOSITE:
            return n.Op(_OPPOSITE[name], test.args)
    return n.Op("not", (test,))


_METHODS = n.methods(_Writer)
