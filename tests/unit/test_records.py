"""Records of the subset: parameters that stand for their fields, and arrays whose words have names.

A text with records is also ordinary Python: run as such, with real objects, it must do what the
fields that are handed over do, as plain Python and as machine code.
"""

from __future__ import annotations

import ctypes
import inspect
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler import backend
from rulewright.compiler.backend.python import run
from rulewright.compiler.engine import Engine, native_is_there
from rulewright.compiler.ir.parse import SubsetError, parse
from rulewright.compiler.layout import CONSTANTS, FAULT, StateLayout
from rulewright.compiler.runtime import GuardedArray
from rulewright.games.files.games import loads
from tests.shared.bundled import GAMES, game
from tests.shared.effort import tries

needs_llvm = pytest.mark.skipif(not native_is_there(), reason="llvmlite is not installed")

HEAD = """FIRST = 1
class State(ints):
    \"\"\"Two words have names.\"\"\"
    mover: i64 = 0
    ply: i64 = FIRST
class Pair:
    a: State
    n: i64
class Whole:
    pair: Pair
    w: floats
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return g.b.n", "line 13: Whole has no field `b`"),
        ("return g.pair", "line 13: i64 is needed here, and this is Pair"),
        ("return g.pair + 1", "line 13: a number is needed here"),
        ("return g.pair.a.result", "line 13: State has no field `result`"),
        ("return g.pair.n.x", "line 13: i64 has no field `x`"),
        ("return h.pair.n", "line 13: `h` has no value here"),
        ("return g.w", "line 13: i64 is needed here, and this is floats"),
        ("return g.pair[0]", "line 13: `g.pair` is no array"),
        ("g.pair.n = 1\n    return 0", "line 13: only names and elements of arrays are set"),
        ("g.pair.a = A\n    return 0", "line 13: only names and elements of arrays are set"),
        ("g.pair.a.ply = 0.5\n    return 0", "line 13: `g.pair.a` is no array of f64"),
        ("p = g.pair\n    return 0", "line 13: `p` is Pair and cannot become Pair"),
        ("Pair = 1\n    return 0", "line 13: `Pair` has another meaning already"),
        ("return f(g.pair, A)", "line 13: Whole is needed here, and this is Pair"),
        ("return f(A, A)", "line 13: Whole is needed here, and this is ints"),
        ("return on(A)", "line 13: State is needed here, and this is ints"),
        ("return volatile(g.pair.n)", "line 13: `volatile` takes an element of an array"),
        ("if g.w == g.w:\n        return 1\n    return 0", "line 13: a number is needed here"),
    ],
)
def test_what_is_refused(body: str, message: str) -> None:
    text = f"{HEAD}def f(g: Whole, A: ints) -> i64:\n    {body}\n"
    text += "def on(s: State) -> i64:\n    return s.ply\n"
    with pytest.raises(SubsetError) as caught:
        parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("class A(str):\n    x: i64 = 0", "line 1: a record is a plain class, or one of ints"),
        ("class A(ints, floats):\n    x: i64 = 0", "line 1: a record is a plain class"),
        ("@f\nclass A:\n    x: i64", "line 2: a record is a plain class"),
        ("class A:\n    x: i64 = 0", "line 2: the field `x` has no value"),
        ("class A(ints):\n    x: i64", "line 2: the field `x` needs its place in the array"),
        ("class A(ints):\n    x: f64 = 0", "line 2: a word of ints is i64"),
        ("class A(ints):\n    x: i64 = -1", "line 2: an array has no element before its first"),
        ("class A(ints):\n    x: i64 = 1.0", "line 2: a constant is a whole number of 64 bits"),
        ("class A:\n    x: B", "line 2: a type is needed here"),
        ("class A:\n    x: A", "line 2: a type is needed here"),
        ("class A:\n    x: i64\n    x: i64", "line 3: `x` is a field already"),
        ("class A:\n    x: i64\nclass A:\n    x: i64", "line 3: `A` is a type already"),
        ("class i64:\n    x: ints", "line 1: `i64` is a type already"),
        ("class A:\n    def f(self): pass", "line 2: a record holds fields"),
        ("class A:\n    x: i64\ndef f(a: A) -> A:\n    return a", "line 3: a type is needed here"),
    ],
)
def test_declarations_that_are_refused(declared: str, message: str) -> None:
    with pytest.raises(SubsetError) as caught:
        parse(declared + "\n")
    assert str(caught.value).startswith(message)


def test_a_kernel_elsewhere_takes_the_same_fields() -> None:
    there = parse("class Pair:\n    a: ints\n    n: i64\ndef f(p: Pair) -> i64:\n    return p.n\n")
    outside = {name: f.signature for name, f in there.functions.items()}
    call = "class Pair:\n    a: ints\n    n: {}\ndef g(p: Pair) -> i64:\n    return f(p)\n"
    parse(call.format("i64"), outside)
    with pytest.raises(SubsetError, match="line 5: `f` takes records of other fields"):
        parse(call.format("f64"), outside)


# --- random records: as objects, as fields in plain Python, as machine code ---


@frozen
class Type:
    """A type of the random text: its name, and the fields of a record."""

    name: str
    fields: tuple[Type, ...] = ()
    words: tuple[int, ...] = ()


I64, INTS = Type("i64"), Type("ints")


@st.composite
def records(draw: st.DrawFn) -> list[Type]:
    """Types declared one after the other; the last is a record, and holds one before it."""
    known: list[Type] = []
    for number in range(draw(st.integers(1, 2))):
        places = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4, unique=True))
        known.append(Type(f"L{number}", words=tuple(places)))
    for number in range(draw(st.integers(1, 3))):
        fields = draw(st.lists(st.sampled_from([I64, INTS, *known]), min_size=1, max_size=3))
        known.append(Type(f"R{number}", fields=(known[-1], *fields)))
    return known


def declared(known: list[Type]) -> str:
    """The types as text."""
    lines: list[str] = []
    for type_ in known:
        lines.append(f"class {type_.name}{'(ints)' if type_.words else ''}:")
        lines += [f"    f{i}: {f.name}" for i, f in enumerate(type_.fields)]
        lines += [f"    w{i}: i64 = {place}" for i, place in enumerate(type_.words)]
    return "\n".join(lines) + "\n"


def paths(name: str, type_: Type) -> Iterator[tuple[str, Type]]:
    """All fields below a name."""
    yield name, type_
    for i, inner in enumerate(type_.fields):
        yield from paths(f"{name}.f{i}", inner)


def body(draw: st.DrawFn, name: str, type_: Type) -> list[str]:
    """Lines that read and write what a record holds."""
    places = list(paths(name, type_))
    numbers = [n for n, t in places if t is I64] + ["k"]
    arrays = [n for n, t in places if t is INTS or t.words]
    elements = [f"{n}[{i}]" for n in arrays for i in range(4)]
    elements += [f"{n}.w{i}" for n, t in places for i in range(len(t.words))]
    lines = []
    for _ in range(draw(st.integers(1, 6))):
        to, of = draw(st.sampled_from(elements)), draw(st.sampled_from(elements + numbers))
        by = draw(st.sampled_from([*numbers, "volatile(" + draw(st.sampled_from(elements)) + ")"]))
        lines.append(draw(st.sampled_from([f"{to} ^= {of}", f"{to} = wrap_add({of}, {by})"])))
    return lines


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, list[Type]]:
    """A kernel over the last record that calls kernels over what it holds."""
    known = draw(records())
    outer = known[-1]
    text = declared(known)
    lines = body(draw, "r", outer)
    for i, (path, type_) in enumerate(p for p in paths("r", outer) if p[1].fields):
        inner = "".join(f"    {line}\n" for line in body(draw, "q", type_))
        text += f"def g{i}(k: i64, q: {type_.name}) -> i64:\n{inner}    return k\n"
        lines.append(f"k = g{i}(wrap_add(k, {i}), {path})")
    main = "".join(f"    {line}\n" for line in lines)
    return text + f"def f(r: {outer.name}, k: i64) -> i64:\n{main}    return k\n", known


def objects(type_: Type, values: Iterator[int], names: dict[str, Any]) -> Any:
    """A value of a type as ordinary Python has it."""
    if type_ is I64:
        return next(values)
    if not type_.fields:
        return names[type_.name]([next(values) for _ in range(4)])
    made = names[type_.name]()
    for i, inner in enumerate(type_.fields):
        setattr(made, f"f{i}", objects(inner, values, names))
    return made


def handed(made: Any) -> list[Any]:
    """What is handed over for such a value."""
    if isinstance(made, int | GuardedArray):
        return [made]
    return [part for field in made.__annotations__ for part in handed(getattr(made, field))]


def elements(values: list[Any]) -> list[Any]:
    """All numbers, for comparing."""
    return [value if isinstance(value, int) else list(value) for value in values]


@needs_llvm
@settings(max_examples=tries(60), deadline=None)
@given(made=programs(), start=st.integers(-(2**62), 2**62))
def test_objects_fields_and_machine_code_agree(made: tuple[str, list[Type]], start: int) -> None:
    from rulewright.compiler.backend.native import Native

    text, known = made
    names: dict[str, Any] = {}
    exec(f"from rulewright.compiler.runtime import *\n{text}", names)
    numbers = [start + 977 * i for i in range(400)]
    whole = objects(known[-1], iter(numbers), names)
    found = names["f"](whole, 5)
    fields = handed(objects(known[-1], iter(numbers), names))
    assert run(parse(text), "records")["f"](*fields, 5) == found
    assert elements(fields) == elements(handed(whole))
    native = [
        f if isinstance(f, int) else (ctypes.c_int64 * 4)(*f)
        for f in handed(objects(known[-1], iter(numbers), names))
    ]
    assert Native([backend.Linked(text, {})], use_cache=False)["f"](*native, 5) == found
    assert elements(native) == elements(handed(whole))


# --- records of other files ---


def module(name: str, text: str) -> ModuleType:
    """A module of a text, as if it stood in a file."""
    made = ModuleType(name)
    exec(compile(text, name, "exec"), made.__dict__)
    sys.modules[name] = made
    return made


def test_records_are_imported_with_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    head = "from __future__ import annotations\nfrom rulewright.compiler.runtime import i64, ints\n"
    texts = {
        "far": f"{head}class State(ints):\n    mover: i64 = 2\nclass Game:\n    s: State\n"
        "    k: ints\ndef play(g: Game, n: i64) -> None:\n    raise NotImplementedError\n",
        "near": f"{head}from rulewright.compiler.runtime import Scratch\n"
        "from far import Game, play\nclass Thread:\n    game: Game\n    n: i64\n"
        "def f(t: Thread) -> i64:\n    play(t.game, t.n)\n    return t.game.s.mover\n",
    }
    for name, text in texts.items():
        monkeypatch.setitem(sys.modules, name, module(name, text))
    monkeypatch.setattr(inspect, "getsource", lambda m: texts[m.__name__])
    linked = backend.load(sys.modules["near"])
    assert "Scratch" in linked.module.types.declared
    assert linked.module.outside["play"].flat == (("g.s", "ints"), ("g.k", "ints"), ("n", "i64"))
    game = parse("def play(a: ints, k: ints, n: i64) -> None:\n    a[2] = k[0] + n\n    return\n")
    others = run(game, "game")
    state = GuardedArray([0, 0, 0])
    assert run(linked.module, "near", others)["f"](state, GuardedArray([40]), 2) == 42


# --- the layout of a game's positions ---


@pytest.mark.parametrize("name", GAMES)
def test_every_word_of_a_position_has_a_name_of_its_own(name: str) -> None:
    play = game(name).play
    layout = StateLayout(play.rules, play.links[0] if play.links else None)
    assert sorted(layout.names) == list(range(layout.size))
    assert len(set(layout.names.values())) == layout.size
    assert not set(layout.bases.values()) & set(CONSTANTS)
    declared = layout.types().declared
    assert declared["StateWords"].words == {word: at for at, word in layout.names.items()}  # type: ignore[union-attr]


NAMED_LIKE_WORDS = """format 1
game words
players result pass
board square 3 by 3
pieces fault "Aa", import "Bb"
state rest = 0 in 0..9
state class each = 0 in 0..99
move place
  choose cell in empty
  put fault at cell
  rest := rest + 1
  class := class + 2
turn place
win when any own and rest > 3
draw when stuck
"""


def test_names_of_the_rules_that_kernels_cannot_have_are_changed() -> None:
    play = loads(NAMED_LIKE_WORDS).play
    engine = Engine(play, "python")
    names = engine.plan.names
    assert names[FAULT] == "fault"
    assert [names[at] for at in range(FAULT + 2, engine.plan.size)] == [
        "result_", "pass_", "fault_", "import_", "rest_", "class_result", "class_pass",
    ]  # fmt: skip
    assert engine.perft(play.first, 2) == 72
