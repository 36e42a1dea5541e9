"""Constants of rules in all executions: sets of any site of any board, numbers of any size."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.compiler.backend import Linked
from rulewright.compiler.backend.python import run
from rulewright.compiler.engine import Engine
from rulewright.compiler.ir.nodes import Module
from rulewright.compiler.ir.parse import SubsetError, parse
from rulewright.compiler.ir.types import INTS, NOTHING, Signature
from rulewright.compiler.layout import StateLayout
from rulewright.compiler.lower.writer import Writer
from rulewright.compiler.runtime import KernelFault
from rulewright.games.files.games import loads
from rulewright.model.board import bits
from tests.shared.backends import BACKENDS, loaded, needs_llvm
from tests.shared.effort import tries
from tests.tools.agreement.pair import Pair

HEAD = """format 1
game small
players red blue
board square {} by {}
pieces stone
"""
PLACE = """move place
  choose cell in empty
  put stone at cell
turn place
draw when stuck
"""
SIZES = (*range(1, 13), 16, 19, 24)
"""Sides of boards: every small one, and some whose sets take several words."""


def sites_of(size: int) -> list[int]:
    """The sites to try: all of a small board; of a large one the edges of words and some others."""
    return [s for s in range(size * size) if size < 13 or s % 64 in (0, 1, 62, 63) or s % 11 == 0]


# --- every single site of boards of many sizes ---


@cache
def plan_of(size: int) -> StateLayout:
    return StateLayout(loads(HEAD.format(size, size) + PLACE).rules, None)


@cache
def kernels_of_constants() -> Linked:
    """For every size a kernel that writes the set of each single site, one after the other."""
    module, array = Module({}), Signature((("A", INTS),), NOTHING)
    for size in SIZES:
        plan = plan_of(size)
        w = Writer(layout=plan)
        for place, site in enumerate(sites_of(size)):
            w.store("A", place * plan.words, w.constant(1 << site))
        module.add([w.function(f"of{size}", array)])
    return Linked.of(module)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_single_site_of_every_board_is_a_constant_set(backend: str) -> None:
    """The highest site of a word is its sign bit: the least number of 64 bits."""
    kernels, arrays = loaded(kernels_of_constants().text, backend)
    for size in SIZES:
        words = plan_of(size).words
        sites = sites_of(size)
        array = arrays.ints(len(sites) * words)
        kernels[f"of{size}"](array)
        found = [w & 2**64 - 1 for w in array]
        for place, site in enumerate(sites):
            row = found[place * words : (place + 1) * words]
            assert sum(word << 64 * i for i, word in enumerate(row)) == 1 << site


# --- random constants in rules ---

EDGES = [(8, 8), (9, 7), (13, 5), (9, 9), (16, 8), (16, 12), (2, 1)]
"""Boards whose last word is full, nearly full, or holds a single site."""
GENERAL = """state n = {number}
state here = {some}
move place
  choose cell in empty {some}
  need cell <> {one}
  put stone at cell
move note
  choose k in [{number}, {other}]
  need some(s in ({one} or {some}) : s in here or s in empty)
  n := k if n <> k else 0 - k
  here := here and not {one} if n > {other} else {some}
turn place or note
win when {one} in own
draw when ply = 4 or n = {other} - 1
draw when stuck
"""


@st.composite
def rules_with_constants(draw: st.DrawFn) -> str:
    """Rules with random sets of sites and numbers; the sign bits of words are drawn often."""
    width, height = draw(st.sampled_from(EDGES))
    head = HEAD.format(width, height)
    board = loads(head + PLACE).rules.board
    names = [board.names[site] for site in bits(board.sites)]
    highest = names[63::64] or names[-1:]
    site = st.one_of(st.sampled_from(names), st.sampled_from(highest))
    some = draw(st.lists(site, min_size=1, max_size=5, unique=True))
    number = st.one_of(
        st.sampled_from([0, 1, 63, 64, 2**31, 2**32, 2**61, 2**62 - 2]), st.integers(0, 2**62 - 2)
    )
    return head + GENERAL.format(
        some=f"({' or '.join(some)})", one=draw(site), number=draw(number), other=draw(number)
    )


few = settings(deadline=None, suppress_health_check=list(HealthCheck))


def agrees(text: str, backend: str) -> None:
    play = loads(text).play
    pair = Pair(play, Engine(play, backend, use_cache=False))
    pair.game(1, most=5)
    pair.sampled(1, most=5)


@settings(few, max_examples=tries(25))
@given(rules_with_constants())
def test_constants_of_rules_in_python(text: str) -> None:
    agrees(text, "python")


@needs_llvm
@settings(few, max_examples=4)
@given(rules_with_constants())
def test_constants_of_rules_as_machine_code(text: str) -> None:
    agrees(text, "native")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("board", "need"), [((8, 8), "cell <> h1"), ((9, 9), "cell in (row(1) or row(2))")]
)
def test_the_highest_site_of_a_word(board: tuple[int, int], need: str, backend: str) -> None:
    rules = HEAD.format(*board) + PLACE.replace("  put", f"  need {need}\n  put")
    game = loads(rules)
    kernels = Engine(game.play, backend, use_cache=False)
    assert kernels.perft(game.start().situation.position, 2) == game.start("reference").perft(2)


# --- the least number of 64 bits ---

LEAST = -(2**63)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("value", [LEAST, LEAST + 1, 2**63 - 1, -1, 0])
def test_numbers_at_the_edge(value: int, backend: str) -> None:
    text = (
        f"EDGE = {value}\n\n\ndef f(A: ints, a: i64) -> i64:\n    A[0] = {value}\n"
        f"    A[1] = EDGE\n    A[2] = a if a == {value} else 7\n"
        f"    A[3] = wrap_add({value}, EDGE) ^ {value}\n    return {value}\n"
    )
    kernels, arrays = loaded(text, backend)
    array = arrays.ints(4)
    found = kernels["f"](array, value)
    twice = (2 * value + 2**63) % 2**64 - 2**63
    assert (found, list(array)) == (value, [value, value, value, twice ^ value])


@pytest.mark.parametrize(
    "body", ["-9223372036854775809", "--9223372036854775808", "9223372036854775808", "-EDGE"]
)
def test_numbers_beyond_the_edge_are_refused(body: str) -> None:
    with pytest.raises(SubsetError):
        parse(f"EDGE = {LEAST}\nOTHER = {body}\n")
    if "EDGE" not in body and "--" not in body:
        with pytest.raises(SubsetError):
            parse(f"def f() -> i64:\n    return {body}\n")


@pytest.mark.parametrize("body", ["-a", "a // -1", "-(-9223372036854775808)"])
def test_the_least_number_has_no_opposite(body: str) -> None:
    module = parse(f"def f(a: i64) -> i64:\n    return {body}\n")
    with pytest.raises(KernelFault):
        run(module, "edge")["f"](LEAST)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_step_of_a_range_may_have_a_name(backend: str) -> None:
    text = (
        "BACK = -2\n\n\ndef f(n: i64) -> i64:\n    t = 0\n    for i in range(n, 0, BACK):\n"
        "        t = t * 10 + i\n    return t\n"
    )
    assert loaded(text, backend)[0]["f"](7) == 7531
