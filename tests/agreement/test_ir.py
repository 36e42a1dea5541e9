"""The representation of kernels: its text, its verifier, random programs through all machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.arrays import Arrays, Guarded, InMemory
from rulewright.compiler.backend import Linked
from rulewright.compiler.backend.python import run
from rulewright.compiler.backend.wasm_host import Wasm, wasm_is_there
from rulewright.compiler.engine import emitted_of, native_is_there
from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.inline import inlined
from rulewright.compiler.ir.nodes import Array, Local, Op, Stmt
from rulewright.compiler.ir.packing import pack, unpack
from rulewright.compiler.ir.parse import parse
from rulewright.compiler.ir.passes import PASSES, optimised
from rulewright.compiler.ir.printer import function_text, module_text
from rulewright.compiler.ir.types import INT, INTS, Signature
from rulewright.compiler.lower.random_rows import lower_draws
from rulewright.search.thread_arrays import alpha_beta
from rulewright.search.trees import tree_search
from tests.shared.bundled import GAMES, game
from tests.shared.effort import tries
from tests.shared.ir_programs import (
    HALF,
    ONE,
    REAL,
    WORD,
    A,
    programs,
)
from tests.shared.verify import InvalidKernel, verify

# --- text and nodes ---


@cache
def of_game(name: str) -> n.Module:
    return emitted_of(game(name).play).linked.module


@pytest.mark.parametrize("name", GAMES)
def test_the_text_of_a_game_gives_the_same_nodes(name: str) -> None:
    text = module_text(of_game(name))
    assert module_text(parse(text)) == text


@pytest.mark.parametrize("name", GAMES)
def test_what_is_kept_of_a_game_gives_the_same_nodes(name: str) -> None:
    module = of_game(name)
    again = unpack(pack(module))
    verify(again)
    assert pack(again) == pack(module)
    assert module_text(again) == module_text(module)


@pytest.mark.parametrize("name", GAMES)
def test_no_definition_or_action_is_written_twice(name: str) -> None:
    texts = [
        function_text(kernel).partition("(")[2]
        for kernel in of_game(name).functions.values()
        if kernel.name.startswith(("let", "act"))
    ]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("name", GAMES)
def test_who_moves_and_which_move_it_is_are_read_once(name: str) -> None:
    functions = of_game(name).functions
    for kernel in ("effects", "legal"):
        if kernel in functions:
            text = function_text(functions[kernel])
            assert text.count("g.state[0]") <= 1
            assert text.count("g.rows[at]") <= 1


@pytest.mark.parametrize("linked", [alpha_beta, tree_search])
def test_the_text_of_the_search_gives_the_same_nodes(linked: Any) -> None:
    module = linked().module
    verify(module)
    text = module_text(module)
    assert module_text(parse(text, module.outside)) == text


def test_a_kernel_that_stands_apart_does_so_as_text_too() -> None:
    text = """@apart
def one(a: i64) -> i64:
    return a + 1


def two(a: i64) -> i64:
    return one(a)
"""
    module = parse(text)
    assert module_text(module) == text
    assert "return one(a)" in module_text(inlined(module))
    assert "one(a)" not in module_text(inlined(parse(text.removeprefix("@apart\n"))))


# --- what the verifier refuses ---

TRUE = Op("eq", (ONE, ONE))


def of(body: list[Stmt], **names: str) -> n.Module:
    """A module of one kernel `f(a, A)`."""
    signature = Signature((("a", INT), ("A", INTS)), INT)
    return n.Module({"f": n.Function("f", signature, {"a": INT, **names}, body)})


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "it may end without a value"),
        ([n.If(TRUE, [n.Return(ONE)])], "it may end without a value"),
        ([n.Return(HALF)], "it returns f64"),
        ([n.Return(Local("x", INT))], "`x` may have no value"),
        ([n.If(TRUE, [n.Set("x", ONE)]), n.Return(Local("x", INT))], "`x` may have no value"),
        ([n.While(TRUE, [n.Set("x", ONE)]), n.Return(Local("x", INT))], "`x` may have no value"),
        ([n.Return(Local("y", INT))], "no local is needed where i64 stands"),
        ([n.Set("x", HALF), n.Return(ONE)], "i64 is needed where f64 stands"),
        ([n.Return(Op("add", (ONE, HALF)))], "i64 is needed where f64 stands"),
        ([n.Return(Op("add", (ONE,)))], "`add` takes 2 values"),
        ([n.Return(Op("inv", (TRUE,)))], "i64 is needed where bool stands"),
        ([n.If(ONE, []), n.Return(ONE)], "bool is needed where i64 stands"),
        ([n.Return(n.Element(Array("B", INTS), ONE))], "no array `B` of ints"),
        ([n.Return(n.Call("g", (ONE,), INT))], "no kernel `g` gives i64"),
        ([n.Return(n.Call("f", (ONE,), INT))], "`f` takes 2 values"),
        ([n.Return(n.Call("f", (ONE, ONE), INT))], "ints is needed where i64 stands"),
        ([n.Break(), n.Return(ONE)], "no loop to leave"),
        ([n.Store(A, ONE, HALF), n.Return(ONE)], "i64 is needed where f64 stands"),
        ([n.For("x", ONE, ONE, 0, []), n.Return(ONE)], "`x` cannot count"),
    ],
)
def test_nodes_that_are_refused(body: list[Stmt], message: str) -> None:
    with pytest.raises(InvalidKernel, match=message):
        verify(of(body, x=INT))


# --- random programs ---


@settings(max_examples=tries(50), deadline=None)
@given(programs(), WORD, REAL, st.tuples(WORD, WORD, WORD, WORD))
def test_all_machines_agree_on_random_programs(
    module: n.Module, a: int, x: float, words: tuple[int, int, int, int]
) -> None:
    """Before the passes and after them, and as the text says it; what is kept is all there is."""
    verify(module)
    text = module_text(module)
    assert module_text(unpack(pack(module))) == text
    shorter = one_by_one(inlined(module))
    assert module_text(module) == text, "passes leave what they are given as it is"
    found = set()
    for kernels, arrays in [*machines(module), *machines(parse(text)), *machines(shorter)]:
        whole, floats = arrays.of(words), arrays.of([1.5, -2.25])
        given = kernels["f"](a, x, whole, floats)
        found.add((given, *(whole[i] for i in range(4)), *(floats[i] for i in range(2))))
    assert len(found) == 1


def machines(module: n.Module) -> Iterator[tuple[Any, Arrays]]:
    """The kernels of a module by every backend that is there, with what makes their arrays."""
    yield run(module, "random"), Guarded()
    if native_is_there():
        from rulewright.compiler.backend.native import Native

        yield Native([Linked.of(module)], use_cache=False, quick=True), InMemory()
    if wasm_is_there():
        kernels = Wasm([Linked.of(module)], use_cache=False)
        yield kernels, InMemory(kernels.host.memory)


# --- passes ---

LESS = """def f(a: i64, A: ints) -> i64:
    x = A[1] + a
    y = A[1] + a
    unread = A[2]
    if x == y:
        A[0] = x
    while A[2] < x:
        A[2] = A[2] + x
    z = A[0] + (A[1] + a)
    A[1] = z
    a = 7
    return A[1] + A[2] + (A[1] + a)
"""
LEFT = """def f(a: i64, A: ints) -> i64:
    x = A[1] + a
    A[0] = x
    while A[2] < x:
        A[2] = A[2] + x
    z = x + x
    A[1] = z
    a = 7
    return z + A[2] + (z + a)
"""


CALLS = """def g(a: i64, A: ints) -> i64:
    if a == 0:
        A[1] = 3
        return 1
    if a < 5:
        return A[a]
    return -a


def f(b: i64, A: ints) -> i64:
    c = b + g(b, A) + 1
    d = A[0] + g(c, A)
    return d if c < d else g(d, A)
"""
WRITTEN_OUT = """def f(b: i64, A: ints) -> i64:
    if b == 0:
        A[1] = 3
        n = 1
    elif b < 5:
        n = A[b]
    else:
        n = -b
    c = b + n + 1
    d = A[0] + g(c, A)
    return d if c < d else g(d, A)
"""


def test_calls_that_come_first_anyway_are_written_out() -> None:
    text = module_text(optimised(inlined(parse(CALLS)))).split("\n\n\n")[1]
    assert re.sub(r"g__\d", "n", text) == WRITTEN_OUT


def test_what_is_known_is_not_worked_out_again() -> None:
    assert module_text(optimised(parse(LESS))) == LEFT


def one_by_one(module: n.Module) -> n.Module:
    """What all passes leave, valid after each of them."""
    verify(module)
    for one in PASSES:
        shorter = {name: one(function) for name, function in module.functions.items()}
        module = n.Module(shorter, module.constants, module.types, module.outside)
        verify(module)
    return module


@pytest.mark.parametrize("name", GAMES)
def test_each_pass_leaves_kernels_of_games_valid_and_all_make_them_shorter(name: str) -> None:
    module = of_game(name)
    shorter = one_by_one(module)
    one_by_one(inlined(module))
    assert module_text(shorter) == module_text(optimised(module))
    assert len(module_text(shorter)) < len(module_text(module))


def test_a_module_of_draws_is_the_same_in_every_process() -> None:
    """The names of what it calls stand in the game's order, not in that of a set."""
    emitted = emitted_of(game("chess").play)
    outside = list(lower_draws(emitted.layout, emitted.linked).module.outside)
    assert len(outside) > 1
    assert outside == [name for name in emitted.linked.module.functions if name in outside]
