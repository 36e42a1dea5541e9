"""Guides: how the text of a player leads a search, as kernels.

In: a game's kernels, an evaluator, and which of its values say what forces, what is tried first,
and whether passing a turn is harmless.  Out: a `Guide`.  Raises `Unsupported` for values that have
no kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from attrs import evolve

from rulewright.compiler.backend import Linked
from rulewright.compiler.engine import Engine
from rulewright.compiler.ir.inline import with_suffix
from rulewright.compiler.ir.nodes import Const, Expr, Function, Local, choice
from rulewright.compiler.ir.types import FLOAT, INT, NOTHING
from rulewright.compiler.layout import MOVER
from rulewright.compiler.lower.game import FACTORS, JUDGES, lower_value, module_of
from rulewright.compiler.lower.moves import AT
from rulewright.compiler.lower.random_rows import lower_draws, lower_replies
from rulewright.compiler.lower.writer import GAME, Writer, array, at, signature
from rulewright.games.engine.kept_lowering import Lowered, content, kept_lowering
from rulewright.model.evaluation import Evaluator
from rulewright.model.personality import Guidance
from rulewright.search.kernels import thread
from rulewright.search.results import TreeSettings
from rulewright.search.thread_arrays import Guide

_GUIDES: WeakKeyDictionary[Engine, dict[tuple[str, Guidance], Guide]] = WeakKeyDictionary()
_GROWN: WeakKeyDictionary[Engine, dict[tuple[str, Guidance], Guide]] = WeakKeyDictionary()
RARELY = 1e-9
"""The weight in random games of a decision that is not judged."""
_ROLE = Local("role", INT)


def guide(engine: Engine, evaluator: Evaluator, guidance: Guidance) -> Guide:
    """The guide that a personality asks for; compiled once for an engine."""
    guides = _GUIDES.setdefault(engine, {})
    key = (content(evaluator), guidance)
    if key not in guides:
        guides[key] = _make_guide(engine, evaluator, guidance)
    return guides[key]


def grown_guide(
    engine: Engine, evaluator: Evaluator | None, guidance: Guidance, grown: TreeSettings
) -> Guide:
    """The guide of trees that grow by random games; compiled once for an engine."""
    guides = _GROWN.setdefault(engine, {})
    key = (content(evaluator), guidance)
    if key not in guides:
        guide = _make_guide(engine, evaluator, guidance)
        lowered = kept_lowering(
            engine, ("games", evaluator, guidance.replies),
            lambda: _games(engine, evaluator, guidance),
        )  # fmt: skip
        guides[key] = evolve(guide, linked=(*guide.linked, *lowered.linked))
    return evolve(guides[key], grown=grown)


def _games(engine: Engine, evaluator: Evaluator | None, guidance: Guidance) -> Lowered:
    """The kernels that lead random games: weights of draws, and replies."""
    draws = lower_draws(engine.plan, engine.lowered)
    lines = [evaluator.reply(name) for name in guidance.replies] if evaluator else []
    present = [line for line in lines if line is not None]
    return Lowered((draws, lower_replies(engine.plan, engine.lowered, evaluator, present)))


def _make_guide(engine: Engine, evaluator: Evaluator | None, guidance: Guidance) -> Guide:
    g = guidance
    named = (g.forcing, g.must, g.threats, g.consider, g.order, g.passing, g.policy, g.drawn,
             g.decided, g.hopeless)  # fmt: skip
    lowered = kept_lowering(
        engine, ("guide", evaluator, guidance), lambda: _values(engine, evaluator, guidance, named)
    )
    return Guide(
        lowered.linked, g.reach if g.forcing else 0,
        bool(g.order), bool(g.passing), g.late, g.bold, bool(g.must),
        bool(g.threats),
        g.most if g.consider else 0, bool(g.drawn),
        decided=bool(g.decided), hopeless=bool(g.hopeless),
    )  # fmt: skip


def _values(
    engine: Engine, evaluator: Evaluator | None, guidance: Guidance, named: Sequence[str]
) -> Lowered:
    """The values that lead a search, and what it asks them by."""
    modules = {
        name: by_suffix(_lowered(engine, evaluator, name), f"_guide{number}")
        for number, name in enumerate(dict.fromkeys(name for name in named if name))
    }
    return Lowered((*modules.values(), _face(engine, modules, guidance)))


def _lowered(engine: Engine, evaluator: Evaluator | None, name: str) -> Linked:
    value = evaluator.value(name) if evaluator else None
    assert evaluator is not None
    assert value is not None
    return lower_value(engine.plan, evaluator, value)


def by_suffix(linked: Linked, suffix: str) -> Linked:
    """Rename kernels, so that those of several values can be linked together."""
    return Linked.of(with_suffix(linked.module, suffix), linked.needs)


def _face(engine: Engine, modules: dict[str, Linked], guidance: Guidance) -> Linked:
    """The kernels of a guide under the names by which the search calls them."""
    outside = {
        name: signature
        for linked in modules.values()
        for name, signature in linked.module.signatures.items()
    }
    number = {name: f"_guide{i}" for i, name in enumerate(modules)}
    roles = [
        (role, number[name])
        for role, name in (
            (thread.FORCES, guidance.forcing), (thread.NEEDED, guidance.must),
            (thread.THREATENS, guidance.threats), (thread.CONSIDERED, guidance.consider),
            (thread.ORDER, guidance.order), (thread.POLICY, guidance.policy),
        )
        if name
    ]  # fmt: skip
    module = module_of(engine.plan, outside)
    module.add([_looks(engine, roles), _gives(engine, roles)])
    for question, name in (
        ("passes", guidance.passing), ("lifeless", guidance.drawn), ("decides", guidance.decided),
        ("barred", guidance.hopeless),
    ):  # fmt: skip
        module.add([_value_kernel(engine, question, number[name] if name else None)])
    return Linked.of(module)


def _looks(engine: Engine, roles: Sequence[tuple[int, str]]) -> Function:
    w = Writer(layout=engine.plan)
    for role, suffix in roles:
        with w.when(_ROLE.eq(role)):
            w.do(f"look{suffix}", GAME, FACTORS)
    return w.function("look_guided", signature("role", gives=NOTHING, more=JUDGES))


def _gives(engine: Engine, roles: Sequence[tuple[int, str]]) -> Function:
    w = Writer(layout=engine.plan)
    for role, suffix in roles:
        with w.when(_ROLE.eq(role)):
            if role == thread.POLICY:  # moves that the value does not judge are a last resort
                with w.when(w.call(f"judges{suffix}", array("g.rows"), AT).eq(0)):
                    w.give(choice(at("g.state", MOVER).eq(0), RARELY, -RARELY))
            w.give(w.call(f"worth{suffix}", GAME, FACTORS, AT, gives=FLOAT))
    return w.function("guided", signature("role", "at", gives=FLOAT, more=JUDGES), 0.0)


def _value_kernel(engine: Engine, name: str, suffix: str | None) -> Function:
    """A kernel that gives the value of a position; 0 where the text has none."""
    w, zero = Writer(layout=engine.plan), Const(0.0, FLOAT)
    worth: Expr = zero if suffix is None else w.call(f"value{suffix}", GAME, FACTORS, gives=FLOAT)
    return w.function(name, signature(gives=FLOAT, more=JUDGES), worth)
