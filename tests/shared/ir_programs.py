"""Random kernels for every machine."""

from __future__ import annotations

from hypothesis import strategies as st

from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.nodes import Array, Const, Expr, Local, Op, Stmt
from rulewright.compiler.ir.types import BOOL, FLOAT, FLOATS, INT, INTS, NOTHING, Signature

A = Array("A", INTS)
ONE, HALF = Const(1, INT), Const(0.5, FLOAT)
FAULTY = {"add", "sub", "mul", "div", "mod", "shl", "neg", "sqrt", "fdiv", "bits_float"}
SAFE = sorted({*n.OPERATIONS} - FAULTY)
"""Operations that are no fault for any number; shifts and divisions get a number that fits."""
WORD = st.one_of(
    st.integers(-9, 70),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([2**63 - 1, -(2**63), 2**32]),
)
REAL = st.floats(-1e9, 1e9, allow_nan=False)
INTS_KNOWN, FLOATS_KNOWN = ("a", "b", "i"), ("x", "y")


def leaf(type_: str) -> st.SearchStrategy[Expr]:
    """A number or a truth without anything inside."""
    if type_ == BOOL:
        return st.booleans().map(lambda v: Const(v, BOOL))
    if type_ == FLOAT:
        names = st.sampled_from(FLOATS_KNOWN).map(lambda name: Local(name, FLOAT))
        return REAL.map(lambda v: Const(v, FLOAT)) | names
    return WORD.map(lambda v: Const(v, INT)) | st.sampled_from(INTS_KNOWN).map(
        lambda name: Local(name, INT)
    )


def within(e: Expr, below: int) -> Expr:
    """A number made to fit: 0 to *below* - 1, which is a power of two."""
    return Op("and", (e, Const(below - 1, INT)))


def tame(name: str, value: Expr) -> list[Stmt]:
    """A float gets a value that does not grow beyond all bounds, round for round."""
    x = Local(name, FLOAT)
    ends = (Op("flt", (x, Const(1e9, FLOAT))), Op("fgt", (x, Const(-1e9, FLOAT))))
    return [n.Set(name, value), n.Set(name, n.Choice(n.Logic(True, ends), x, HALF))]


@st.composite
def expr(draw: st.DrawFn, type_: str, depth: int = 3) -> Expr:
    """An expression of a type."""
    if depth == 0:
        return draw(leaf(type_))

    def inner(t: str) -> st.SearchStrategy[Expr]:
        return expr(t, depth - 1)

    kind = draw(st.sampled_from(["leaf", "op", "op", "op", "choice", "element", "logic", "div"]))
    if kind == "choice" and type_ != BOOL:
        return n.Choice(draw(inner(BOOL)), draw(inner(type_)), draw(inner(type_)))
    if kind == "element" and type_ == INT:
        return n.Element(A, within(draw(inner(INT)), 4), draw(st.booleans()))
    if kind == "element" and type_ == FLOAT:
        return n.Element(Array("F", FLOATS), within(draw(inner(INT)), 2))
    if kind == "logic" and type_ == BOOL:
        items = draw(st.lists(inner(BOOL), min_size=2, max_size=3))
        return n.Logic(draw(st.booleans()), tuple(items))
    if kind == "div" and type_ == INT:
        by = Const(draw(st.sampled_from([-7, -2, 2, 3, 64])), INT)
        return Op(draw(st.sampled_from(["div", "mod"])), (draw(inner(INT)), by))
    if kind == "leaf":
        return draw(leaf(type_))
    name = draw(st.sampled_from([o for o in SAFE if n.OPERATIONS[o].gives == type_]))
    args = [draw(inner(t)) for t in n.OPERATIONS[name].takes]
    if name in ("wrap_shl", "shift_right", "shr", "select_bit"):
        args[1] = within(args[1], 64)
    return Op(name, tuple(args))


@st.composite
def body(draw: st.DrawFn, depth: int = 2, loop: bool = False) -> list[Stmt]:
    """Statements that end: loops count."""
    found: list[Stmt] = []
    for _ in range(draw(st.integers(1, 4))):
        kinds = ["set", "set", "store", "real", "call"] + ["if", "for"] * (depth > 0)
        match draw(st.sampled_from(kinds + ["leave"] * loop)):
            case "set":
                found.append(n.Set(draw(st.sampled_from("ab")), draw(expr(INT))))
            case "real":
                found += tame(draw(st.sampled_from("xy")), draw(expr(FLOAT, 2)))
            case "store":
                found.append(n.Store(A, within(draw(expr(INT, 1)), 4), draw(expr(INT))))
            case "call":
                found.append(n.Do(n.Call("g", (draw(expr(INT, 1)), A), NOTHING)))
            case "if":
                sides = draw(body(depth - 1, loop)), draw(st.just([]) | body(depth - 1, loop))
                found.append(n.If(draw(expr(BOOL)), *sides))
            case "for":
                step = draw(st.sampled_from([-2, -1, 1, 3]))
                ends = [Const(draw(st.integers(-3, 3)), INT) for _ in range(2)]
                inner = draw(body(depth - 1, loop=True))
                found.append(n.For("i", ends[0], ends[1], step, inner))
            case "leave":
                found.append(n.Break() if draw(st.booleans()) else n.Continue())
    return found


def locals_of(body: list[Stmt]) -> dict[str, str]:
    """The names that a block gives values to, with their types."""
    found: dict[str, str] = {}
    for s in n.statements(body):
        if isinstance(s, n.Set | n.For):
            found[s.name] = s.value.type if isinstance(s, n.Set) else INT
    return found


HALF_NAMES = {"i": INT, "x": FLOAT, "y": FLOAT}


@st.composite
def programs(draw: st.DrawFn) -> n.Module:
    """Three kernels; the first writes a word of the array, the second returns from its middle."""
    inner = Signature((("a", INT), ("A", INTS)), NOTHING)
    write = n.Store(A, within(Local("a", INT), 4), Op("xor", (Local("a", INT), ONE)))
    signature = Signature((("a", INT), ("x", FLOAT), ("A", INTS), ("F", FLOATS)), INT)
    start: list[Stmt] = [n.Set("b", ONE), n.Set("i", ONE), n.Set("y", HALF)]
    half = Signature((("a", INT), ("b", INT), ("A", INTS), ("F", FLOATS)), INT)
    early: list[Stmt] = [n.Return(draw(expr(INT, 2)))]
    middle: list[Stmt] = [n.Set("i", ONE), n.Set("x", HALF), n.Set("y", HALF)]
    leaves = n.If(draw(expr(BOOL, 2)), early, draw(st.sampled_from([[write], []])))
    second = [*middle, leaves, write, n.Set("i", draw(expr(INT, 1))), n.Return(draw(expr(INT, 2)))]
    more = (Local("b", INT), A, Array("F", FLOATS))
    asked = [n.Call("h", (draw(expr(INT, 1)), *more), INT) for _ in range(2)]
    start += [n.Set("b", Op("xor", (Local("a", INT), asked[0])))]
    start += [n.If(Op("lt", (asked[1], Local("a", INT))), [write], [])]
    end = Op("xor", (Local("b", INT), Op("float_bits", (Local("y", FLOAT),))))
    whole = [*start, *draw(body()), n.Return(Op("wrap_add", (Local("a", INT), end)))]
    names = {"a": INT, "x": FLOAT, **locals_of(whole)}
    return n.Module(
        {
            "g": n.Function("g", inner, {"a": INT}, [write]),
            "h": n.Function("h", half, {"a": INT, "b": INT, **HALF_NAMES}, second),
            "f": n.Function("f", signature, names, whole),
        }
    )
