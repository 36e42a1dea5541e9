"""Definitions that are kernels of their own, and the general form put together.

In: a call of a definition.  Out: a call of its kernel, which is written when it is first asked for.
Small definitions, and those whose arguments or results are more than a word, are written out
instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulewright.compiler.ir.nodes import Expr, Local, choice
from rulewright.compiler.ir.types import INT
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.invariants import lower_with_invariants
from rulewright.compiler.lower.line_sites import lower_by_coordinate, lower_line_sites
from rulewright.compiler.lower.lines import lower_quantifier
from rulewright.compiler.lower.operations import OPERATIONS, each_set
from rulewright.compiler.lower.rays import lower_ray
from rulewright.compiler.lower.values import Forms, Values
from rulewright.compiler.lower.writer import (
    Lowered,
    Once,
    OneStep,
    Site,
    Sites,
    Writer,
    at,
    signature,
    unify,
)
from rulewright.compiler.passes.choices import chosen_steps
from rulewright.compiler.passes.decision_rows import is_alike
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Type
from rulewright.model.walk import nodes

_SETS = (Type.SITE, Type.SITES)
_Form = Callable[[Values, m.Quantified], Lowered]
LARGE = 40
"""A definition with more nodes than this, all that it calls included, is written once."""


def call_kernel(v: Values, e: m.CallFunction) -> Lowered | None:
    """Call the kernel of a definition; None if the definition has to be written out.

    Constant arguments are part of the kernel; the others must be single words.
    """
    if nodes_in(v.layout, e.function) < LARGE or not _one_word(v.layout, e.type):
        return None
    if not all(isinstance(a, m.Const) or _one_word(v.layout, a.type) for a in e.arguments):
        return None
    fixed = tuple(a if isinstance(a, m.Const) else None for a in e.arguments)
    key = (e.function, v.view, v.mover, v.stuck, fixed)
    if key not in v.layout.callees:
        v.layout.callees[key] = ""  # while it is being written; a definition never calls itself
        name = _kernel(v, e, fixed)
        v.layout.callees[key] = name
    if not v.layout.callees[key]:
        return None
    free = [a for a, constant in zip(e.arguments, fixed, strict=True) if constant is None]
    words = [_as_word(v, a) for a in free]
    result = v.w.let(v.w.call(v.layout.callees[key], v.game, *words), "r")
    return from_word(v.w, e.type, result)


def nodes_in(layout: StateLayout, number: int) -> int:
    """Count the nodes of a definition and of all that it calls."""
    if number not in layout.sizes:
        body = layout.rules.functions[number].bodies[0]
        inner = list(nodes(body))
        calls = [n.function for n in inner if isinstance(n, m.CallFunction)]
        layout.sizes[number] = len(inner) + sum(nodes_in(layout, c) for c in calls)
    return layout.sizes[number]


def _one_word(layout: StateLayout, type_: Type) -> bool:
    return type_ in (Type.INT, Type.TRUTH, Type.KIND) or (type_ in _SETS and layout.words == 1)


def _as_word(v: Values, e: m.Expr) -> Expr:
    if e.type is Type.TRUTH:
        return v.w.flag(v.truth(e))
    return v.sites(e).words[0] if e.type in _SETS else v.word(e)


def as_words(value: Lowered) -> list[Expr]:
    """Split a value into the words of a row."""
    match value:
        case Site(number=number):
            return [number]
        case OneStep(index=index):
            return [index]
        case Expr():
            return [value]
        case Sites(words=words):
            return list(words)
        case Once():
            return as_words(value.value())
    raise TypeError(value)


def row_value(v: Values, move: r.MoveKind, slot: int, member: Lowered) -> Lowered:
    """Return a chosen value as rows hold it: a step by its place among all possible steps."""
    if not isinstance(member, OneStep):
        return member
    steps = chosen_steps(move, v.rules, v.mover)[slot]
    if member.steps == steps:
        return member
    places = [steps.index(step) for step in member.steps]
    table = v.layout.number_table(f"places {places}", places)
    return OneStep(steps, v.w.let(at("g.tables", table + member.index), "i"))


def from_row(v: Values, move: r.MoveKind, slot: int, type_: Type, words: list[Expr]) -> Lowered:
    """Read a chosen value from the words of a row."""
    if type_ is Type.SITE:
        return Site(words[0])
    if type_ is Type.STEP:
        return OneStep(chosen_steps(move, v.rules, v.mover)[slot], words[0])
    return Sites(v.w, tuple(words)) if type_ is Type.SITES else words[0]


def notation_words(v: Values, notation: m.Notation) -> list[Expr]:
    """Write a notation as words that are equal exactly when its texts are."""
    key: list[Expr] = []
    if isinstance(notation, m.TextChoice):
        flag = v.w.flag(v.truth(notation.condition))
        if is_alike(notation):
            sides = (notation_words(v, side) for side in (notation.then, notation.otherwise))
            return [v.w.let(choice(flag.ne(0), a, b)) for a, b in zip(*sides, strict=True)]
        key.append(flag)
        for side, when in ((notation.then, flag.ne(0)), (notation.otherwise, flag.eq(0))):
            words = notation_words(v, side)  # the side that is not written counts as 0
            key += [v.w.let(choice(when, word, 0)) for word in words]
        return key
    for part in notation.parts:
        if not isinstance(part, str):
            is_truth = part.type is Type.TRUTH
            key += [v.w.flag(v.truth(part))] if is_truth else as_words(v.value(part))
    return key


def from_word(w: Writer, type_: Type, name: Expr) -> Lowered:
    """Read a value of a type that is passed as one word."""
    if type_ is Type.TRUTH:
        return name.ne(0)
    return Sites(w, (name,)) if type_ in _SETS else name


def _kernel(v: Values, e: m.CallFunction, fixed: tuple[m.Const | None, ...]) -> str:
    """Write the kernel of a definition; returns its name, "" if there cannot be one."""
    function = v.rules.functions[e.function]
    w = Writer(layout=v.layout)
    inner = Values(v.forms, v.layout, w, v.view, v.mover, stuck=v.stuck, rounds=v.rounds)
    names = []
    for slot, (argument, constant) in enumerate(zip(e.arguments, fixed, strict=True)):
        if constant is None:
            names.append(f"a{slot}")
            inner.frame[slot] = from_word(w, argument.type, Local(f"a{slot}", INT))
        else:
            inner.frame[slot] = inner.value(constant)
    body, mark = function.bodies[v.view if len(function.bodies) > 1 else 0], v.layout.mark()
    try:
        result = _as_word(inner, body)
    except Unsupported:
        v.layout.undo(mark)
        return ""
    name = f"let{len(v.layout.kernels)}_{v.view}"
    return unify(v.layout, w.function(name, signature(*names), result))


def _fast(v: Values, e: m.Quantified) -> Lowered | None:
    of_those: tuple[_Form, ...] = (lower_line_sites, lower_by_coordinate)
    for form in (
        *(of_those if e.quantifier == "those" else (lower_quantifier,)),
        lower_with_invariants,
    ):
        value: Lowered | None = v.w.attempt(partial(form, v, e))
        if value is not None:
            return value
    return None


GENERAL = Forms(OPERATIONS, each_set, lower_ray, _fast, call_kernel)
