"""The subset of Python for kernels: what it refuses, and that it means the same both ways."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.compiler.backend import Linked, signatures
from rulewright.compiler.backend.python import run
from rulewright.compiler.backend.wasm_host import Wasm
from rulewright.compiler.ir.parse import SubsetError, parse
from rulewright.compiler.runtime import GuardedArray, KernelFault
from tests.shared.backends import BACKENDS, COMPILED, loaded, needs_llvm
from tests.shared.effort import tries


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return x", "line 2: `x` has no value here"),
        ("return a + 1.0", "line 2: i64 is needed here, and this is f64"),
        ("return a / 2", "line 2: Div is not for i64"),
        ("return A[0.5]", "line 2: i64 is needed here"),
        ("return a[0]", "line 2: `a` is no array"),
        ("if a:\n        return 1\n    return 0", "line 2: a condition is a comparison"),
        ("return 1 < a < 3", "line 2: Compare is not an expression of kernels"),
        ("return [1]", "line 2: List is not an expression of kernels"),
        ("import os\n    return 0", "line 2: Import is not a statement of kernels"),
        ("return print(a)", "line 2: there is no kernel called `print`"),
        ("return popcount(a, a)", "line 2: `popcount` takes 1 arguments"),
        ("return f(A)", "line 2: `f` takes 2 arguments"),
        ("a = 1.5\n    return a", "line 2: `a` is i64 and cannot become f64"),
        ("for i in A:\n        a = 1\n    return a", "line 2: For is not a statement of kernels"),
        ("for i in range(3, 1, 0):\n        a = 1\n    return a", "a range of step 0 never ends"),
        ("A = A\n    return 0", "line 2: `A` is ints and cannot become ints"),
        ("return", "line 2: this kernel returns i64"),
        ("return True", "line 2: truths are 0 and 1 in kernels"),
        ("return 9223372036854775808", "line 2: Constant is not an expression of kernels"),
        ("with a:\n        pass\n    return a", "line 2: With is not a statement of kernels"),
    ],
)
def test_what_is_refused(body: str, message: str) -> None:
    with pytest.raises(SubsetError) as caught:
        parse(f"def f(a: i64, A: ints) -> i64:\n    {body}\n")
    assert str(caught.value).startswith(message) or message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "def f(*a) -> i64:\n    return 0\n",
        "def f(a) -> i64:\n    return 0\n",
        "def f(a: str) -> i64:\n    return 0\n",
        "def f(a: i64 = 1) -> i64:\n    return a\n",
        "x = 1.5\n",
        "class X:\n    pass\n",
        "@f\ndef f(a: i64) -> i64:\n    return a\n",
    ],
)
def test_modules_that_are_refused(text: str) -> None:
    with pytest.raises(SubsetError):
        parse(text)


def call(text: str, *arguments: Any) -> Any:
    return run(parse(text), "test")["f"](*arguments)


@pytest.mark.parametrize(
    "body",
    [
        "return A[-1]",
        "return A[3]",
        "A[3] = 1\n    return 0",
        "return 9223372036854775807 + a",
        "return -9223372036854775807 - a - a",
        "return 4611686018427387904 * (a + 1)",
        "return 1 << (a + 63)",
        "return 1 << (a - 2)",
        "return 3 << 62",
    ],
)
def test_python_refuses_what_machine_code_would_wrap(body: str) -> None:
    with pytest.raises(KernelFault):
        call(f"def f(a: i64, A: ints) -> i64:\n    {body}\n", 1, GuardedArray([5, 6, 7]))


# --- random programs, both ways ---

WORDS = st.one_of(
    st.integers(-9, 9),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([0, 1, -1, 2**63 - 1, -(2**63), 2**32, 63, 64]),
)


def expressions() -> st.SearchStrategy[str]:
    leaves = st.one_of(st.sampled_from(["a", "b", "c"]), st.integers(-5, 70).map(str))

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        pair = st.tuples(inner, inner)
        return st.one_of(
            pair.map(lambda p: f"wrap_add({p[0]}, {p[1]})"),
            pair.map(lambda p: f"wrap_mul({p[0]}, {p[1]})"),
            pair.map(lambda p: f"wrap_shl({p[0]}, {p[1]} & 63)"),
            pair.map(lambda p: f"shift_right({p[0]}, {p[1]} & 63)"),
            pair.map(lambda p: f"({p[0]} >> ({p[1]} & 63))"),
            st.tuples(inner, st.sampled_from("&|^"), inner).map(lambda t: f"({' '.join(t)})"),
            st.tuples(inner, st.sampled_from(["//", "%"]), st.sampled_from([-7, -2, 2, 3, 64])).map(
                lambda t: f"(({t[0]}) {t[1]} {t[2]})"
            ),
            inner.map(lambda e: f"(~{e})"),
            inner.map(lambda e: f"popcount({e})"),
            inner.map(lambda e: f"trailing({e})"),
            pair.map(lambda p: f"select_bit({p[0]}, {p[1]} & 63)"),
            st.tuples(inner, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), inner, inner).map(
                lambda t: f"({t[3]} if {t[0]} {t[1]} {t[2]} and not (a == b or c > 3) else {t[0]})"
            ),
        )

    return st.recursive(leaves, grow, max_leaves=12)


PROGRAM = """def g(a: i64, b: i64) -> i64:
    return a if a > b else b


def f(A: ints, n: i64) -> i64:
    a = A[0]
    b = A[1]
    c = A[2]
    for i in range(n):
        if {test} > b:
            c = wrap_add(c, {first})
            continue
        while c > 0 and i < 3:
            c = c >> 2
            if popcount(c) == 3:
                break
        b = g(b, {second})
        A[i % 3] = c
    return wrap_add(a, wrap_mul(b, c))
"""


@pytest.mark.parametrize("backend", COMPILED)
@settings(max_examples=tries(60), deadline=None)
@given(
    values=st.tuples(WORDS, WORDS, WORDS),
    test=expressions(),
    first=expressions(),
    second=expressions(),
)
def test_python_and_machine_code_agree_on_random_programs(
    backend: str, values: tuple[int, int, int], test: str, first: str, second: str
) -> None:
    text = PROGRAM.format(test=test, first=first, second=second)
    module = parse(text)
    interpreted = GuardedArray(list(values))
    slow = run(module, "test")["f"](interpreted, 5)
    kernels, arrays = loaded(text, backend)
    compiled = arrays.of(values)
    fast = kernels["f"](compiled, 5)
    assert (fast, list(compiled)) == (slow, list(interpreted))


@pytest.mark.parametrize("backend", COMPILED)
def test_floats_are_the_same_to_the_last_bit(backend: str) -> None:
    text = (
        "def f(F: floats, n: i64) -> f64:\n    t = 0.1\n    for i in range(n):\n"
        "        t = t * 1.1 + F[i] / 3.0 - real(i)\n        F[i] = -t if t > 2.5 else t\n"
        "    return t\n"
    )
    module, values = parse(text), [0.1 * i for i in range(9)]
    interpreted = GuardedArray(values)
    kernels, arrays = loaded(text, backend)
    compiled = arrays.of(values)
    slow = run(module, "floats")["f"](interpreted, 9)
    assert kernels["f"](compiled, 9) == slow
    assert list(compiled) == list(interpreted)


@needs_llvm
def test_two_kernels_of_one_name_are_not_linked() -> None:
    from rulewright.compiler.backend.native import Native

    one, other = (Linked(f"def f(n: i64) -> i64:\n    return n + {k}\n", {}) for k in (1, 2))
    with pytest.raises(KernelFault, match="two modules have a kernel `f`"):
        Native([one, other], use_cache=False, quick=True)
    below = Native([one], use_cache=False, quick=True)
    with pytest.raises(KernelFault, match="two modules have a kernel `f`"):
        Native([other], False, below, quick=True)


def link(parts: list[Linked], backend: str) -> Any:
    """Modules as the kernels of a backend; the last may call those of the others."""
    if backend == "wasm":
        return Wasm(parts, use_cache=False)
    if backend == "native":
        from rulewright.compiler.backend.native import Native

        return Native(parts, use_cache=False, quick=True)
    *below, top = (part.module for part in parts)
    return run(top, "test", {name: f for module in below for name, f in run(module, "").items()})


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_kernel_that_no_module_has_is_refused(backend: str) -> None:
    count = Linked("def count(n: i64) -> i64:\n    return n\n", {})
    caller = Linked("def f(n: i64) -> i64:\n    return count(n)\n", signatures([count.module]))
    assert link([count, caller], backend)["f"](3) == 3
    with pytest.raises(KernelFault, match="`f` calls `count`, which no linked module has"):
        link([caller], backend)["f"]
