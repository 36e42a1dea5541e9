"""Guides: how the text of a player leads a search, as kernels.

In: a game's kernels, an evaluator, and which of its values say what forces, what is tried first,
and whether passing a turn is harmless.  Out: a `Guide`.  Raises `Unsupported` for values that have
no kernels.
"""

from __future__ import annotations

import re
from weakref import WeakKeyDictionary

from attrs import evolve

from rulewright.codegen.backend import Linked
from rulewright.codegen.engine import Engine
from rulewright.codegen.ir.printer import module_text
from rulewright.codegen.lower.game import lower_value, module_of
from rulewright.codegen.lower.openings import lower_replies
from rulewright.codegen.lower.random_rows import lower_draws
from rulewright.model.evaluation import Evaluator
from rulewright.model.personality import Guidance
from rulewright.search.kernels import thread
from rulewright.search.results import Grown
from rulewright.search.thread_arrays import Guide

_KNOWN: WeakKeyDictionary[Engine, dict[tuple[int, Guidance], tuple[Evaluator, Guide]]] = (
    WeakKeyDictionary()
)
"""Guides with the evaluators they were made of, which are kept alive."""
_GROWN: WeakKeyDictionary[Engine, dict[tuple[int, Guidance], tuple[Evaluator | None, Guide]]] = (
    WeakKeyDictionary()
)
RARELY = 1e-9
"""The weight in random games of a decision that is not judged."""
_DEFINED = re.compile(r"^def (\w+)\(", re.MULTILINE)


def guide(engine: Engine, evaluator: Evaluator, told: Guidance) -> Guide:
    """The guide that a personality asks for; compiled once for an engine."""
    known = _KNOWN.setdefault(engine, {})
    key = (id(evaluator), told)
    if key not in known:
        known[key] = (evaluator, _made(engine, evaluator, told))
    return known[key][1]


def grown_guide(engine: Engine, evaluator: Evaluator | None, told: Guidance, grown: Grown) -> Guide:
    """The guide of trees that grow by random games; compiled once for an engine."""
    known = _GROWN.setdefault(engine, {})
    key = (id(evaluator), told)
    if key not in known:
        assert engine.emitted is not None
        game = Linked(engine.text, {}, engine.emitted.module)
        made = _made(engine, evaluator, told)
        draws = lower_draws(engine.plan, game)
        lines = [evaluator.reply(name) for name in told.replies] if evaluator else []
        replies = lower_replies(engine.plan, game, evaluator, [n for n in lines if n is not None])
        known[key] = (evaluator, evolve(made, linked=(*made.linked, draws, replies)))
    return evolve(known[key][1], grown=grown)


def _made(engine: Engine, evaluator: Evaluator | None, told: Guidance) -> Guide:
    named = (told.forcing, told.must, told.threats, told.consider, told.order, told.passing,
             told.policy, told.drawn)  # fmt: skip
    names = [name for name in named if name]
    modules = {
        name: renamed(_lowered(engine, evaluator, name), f"_guide{number}")
        for number, name in enumerate(dict.fromkeys(names))
    }
    face = _face(engine, modules, told)
    return Guide(
        (*modules.values(), face), told.reach if told.forcing else 0,
        bool(told.order), bool(told.passing), told.late, told.bold, bool(told.must),
        bool(told.threats),
        told.most if told.consider else 0, bool(told.drawn),
    )  # fmt: skip


def _lowered(engine: Engine, evaluator: Evaluator | None, name: str) -> Linked:
    value = evaluator.value(name) if evaluator else None
    assert evaluator is not None
    assert value is not None
    return lower_value(engine.plan, evaluator, value)


def renamed(linked: Linked, suffix: str) -> Linked:
    """The same kernels by other names: several values stand beside each other."""
    names = "|".join(_DEFINED.findall(linked.text))
    text = re.sub(rf"\b({names})\(", rf"\1{suffix}(", linked.text)
    return Linked(text, linked.outside)


def _face(engine: Engine, modules: dict[str, Linked], told: Guidance) -> Linked:
    """What the search asks for, by the names that it knows."""
    outside = {
        name: signature
        for linked in modules.values()
        for name, signature in linked.module.signatures.items()
    }
    number = {name: f"_guide{i}" for i, name in enumerate(modules)}
    parts = [module_text(module_of(engine.plan, {})).rstrip()]
    looks = ["def look_guided(g: GameArrays, factors: floats, role: i64) -> None:\n    pass"]
    gives = ["def guided(g: GameArrays, factors: floats, role: i64, at: i64) -> f64:"]
    for role, name in (
        (thread.FORCES, told.forcing), (thread.NEEDED, told.must),
        (thread.THREATENS, told.threats), (thread.CONSIDERED, told.consider),
        (thread.ORDER, told.order), (thread.POLICY, told.policy),
    ):  # fmt: skip
        if name:
            when = f"    if role == {role}:\n        "
            looks.append(f"{when}look{number[name]}(g, factors)")
            if role == thread.POLICY:  # moves that the value does not judge are a last resort
                rare = f"{RARELY} if g.state.mover == 0 else {-RARELY}"
                gives.append(f"{when}if judges{number[name]}(g.rows, at) == 0:")
                gives.append(f"            return {rare}")
                when = "        "
            gives.append(f"{when}return worth{number[name]}(g, factors, at)")
    parts += ["\n".join(looks), "\n".join([*gives, "    return 0.0"])]
    for asked, name in (("passes", told.passing), ("lifeless", told.drawn)):
        worth = f"value{number[name]}(g, factors)" if name else "0.0"
        parts.append(f"def {asked}(g: GameArrays, factors: floats) -> f64:\n    return {worth}")
    return Linked("\n\n\n".join(parts) + "\n", outside)
