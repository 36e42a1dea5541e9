"""What a number is about: the sites that a term of a value, or a factor in it, speaks of.

In: a personality, a state, a decision with its expected line, the name of a term or of a factor.
Out: the position whose value is explained, and the sites.  They are read off the formula: the sets
that it counts, the members of a `sum` that add something, the cheapest paths, where scans begin.
Refuses names that the explained value does not have; a number that no site is about has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from attrs import evolve, frozen

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.model import expressions as m
from rulewright.model.board import Mask, bits
from rulewright.model.evaluation import ValueOf
from rulewright.model.expressions import Expr, Type
from rulewright.model.walk import nodes, parts
from rulewright.players.personality import Personality
from rulewright.players.terms import term_for
from rulewright.reference import cheapest
from rulewright.reference.evaluate import bindings, evaluate, player_of
from rulewright.reference.evaluation import EvaluatorContext

_SETS = (Type.SITE, Type.SITES, Type.FAMILY)


@frozen
class LitSites:
    """The sites that a number is about, on the board of the state where it is worked out."""

    state: State
    sites: tuple[int, ...]


def lit_sites(
    state: State, personality: Personality, value: str, line: Sequence[str], name: str
) -> LitSites:
    """Find the sites that a term or factor is about, on the board after a line's first decision."""
    if personality.judge is None or personality.model.evaluator is None:
        raise RulewrightError(f"{personality.name} has no evaluator, and no terms")
    formula = personality.value(value)
    end, choice = state, None
    if formula.of_move:
        option = next((o for o in state.situation.options if o.text == line[0]), None)
        choice = personality.judge.choices(state.situation.position, option) if option else None
    else:
        for move in line:
            end = end.play_decision(move)
    position = end.situation.position
    c = personality.judge.at(formula, position, choice, personality.model.factors, Random(0))
    return LitSites(end, tuple(bits(_sites_of_name(formula, name, personality, c))))


def _sites_of_name(
    value: ValueOf, name: str, personality: Personality, c: EvaluatorContext
) -> Mask:
    """The sites of the terms, or else of the factor, of this name."""
    view, players, always = c.view, personality.game.players, c.choice is None
    terms = [t for t in value.terms if term_for(t.text, view, players, always=always) == name]
    if terms:
        return _union([term.value for term in terms], c, None)
    assert personality.model.evaluator is not None
    factors = [factor.name for factor in personality.model.evaluator.factors]
    if name not in factors:
        raise RulewrightError(f"`{name}` is no term and no factor of this value")
    return _union([term.value for term in value.terms], c, factors.index(name))


def _union(expressions: Sequence[Expr], c: EvaluatorContext, factor: int | None) -> Mask:
    sites = 0
    for e in expressions:
        sites |= _sites(e, c, factor)
    return sites


def _sites(e: Expr, c: EvaluatorContext, factor: int | None) -> Mask:
    """The sites that *e* speaks of; with a *factor* only those of what it is applied to."""
    if factor is not None and isinstance(e, m.Apply) and _applies(e, factor):
        return _union(e.arguments, c, None)
    if e.type in _SETS:
        return _mask(evaluate(e, c)) if factor is None else 0
    match e:
        case m.Viewed():
            view = player_of(e.player, c.view, c.position)
            return _sites(e.body, evolve(c, view=view, after={}), factor)
        case m.CallFunction():
            return _call(e, c, factor)
        case m.Conditional():
            side_ = e.then if evaluate(e.condition, c) else e.otherwise
            return _union((e.condition, side_), c, factor)
        case m.Quantified():
            return _bound(e, c, factor)
        case m.PathValue() if factor is None or _prices(e, factor, c):
            return _path(e, c)
        case m.Change():
            return _change(e, c, factor)
    return _union(parts(e), c, factor)


def _applies(e: m.Apply, factor: int) -> bool:
    return any(isinstance(a, m.FactorValue) and a.index == factor for a in e.arguments)


def _prices(e: m.PathValue, factor: int, c: EvaluatorContext) -> bool:
    """Whether a factor says what steps of a path cost."""
    path = c.judge.evaluator.paths[e.path]
    return any(isinstance(node, m.FactorValue) and node.index == factor for node in nodes(path))


def _mask(value: Any) -> Mask:
    if isinstance(value, tuple):
        mask = 0
        for part in value:
            mask |= int(part)
        return mask
    return int(value or 0)


def _call(e: m.CallFunction, c: EvaluatorContext, factor: int | None) -> Mask:
    inside = _sites(*_body(e, c), factor)
    return inside | (_union(e.arguments, c, None) if factor is None else 0)


def _body(e: m.CallFunction, c: EvaluatorContext) -> tuple[Expr, EvaluatorContext]:
    """The body of a definition, and its arguments."""
    function = c.functions[e.function]
    arguments = [evaluate(a, c) for a in e.arguments]
    frame = arguments + [None] * (function.slots - len(arguments))
    body = function.bodies[c.view if len(function.bodies) > 1 else 0]
    return body, evolve(c, frame=frame, after={})


def _bound(e: m.Quantified, c: EvaluatorContext, factor: int | None) -> Mask:
    """The sites of its variables where its body counts, and those that the body reads there."""
    pairs = zip(e.slots, e.domains, strict=True)
    slots = [slot for slot, domain in pairs if domain.type in (Type.SITES, Type.SITE, Type.FAMILY)]
    mask = 0
    for _ in bindings(e, c):
        if evaluate(e.body, c):
            mask |= _sites(e.body, c, factor)
            if factor is None or _counts(e.body, c, factor):
                for slot in slots:
                    mask |= _mask(c.frame[slot])
    return mask


def _counts(e: Expr, c: EvaluatorContext, factor: int) -> bool:
    """Whether a factor has a part in a number here."""
    match e:
        case m.FactorValue():
            return e.index == factor
        case m.Conditional():
            return _counts(e.then if evaluate(e.condition, c) else e.otherwise, c, factor)
        case m.CallFunction():
            return _counts(*_body(e, c), factor)
    return any(_counts(part, c, factor) for part in parts(e))


def _path(e: m.PathValue, c: EvaluatorContext) -> Mask:
    """The sites of the cheapest ways."""
    path = c.judge.evaluator.paths[e.path]
    mask = 0
    for site, next_site, _ in cheapest.cheapest_steps(path, c):
        mask |= 1 << site | 1 << next_site
    return mask


def _change(e: m.Change, c: EvaluatorContext, factor: int | None) -> Mask:
    """The sites that a change reads after the choice."""
    after = None if c.choice is None else c.judge.played(c.position, c.view, c.choice)
    if after is None:
        return 0
    context = evolve(c, position=evolve(after, mover=c.position.mover), after={})
    return _sites(e.body, context, factor)
