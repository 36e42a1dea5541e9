"""Expressions of evaluators: what the rules know, and factors, tables, scans, paths, `change`.

In: syntax, the names of a game and those of the evaluator.  Out: expressions of the model.  A
definition of the rules is read where it stands; a mistake that shows only when an evaluator uses it
is reported at the use.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.resolve import calls, expressions, name_lookup
from rulewright.language.resolve.name_lookup import complain_arguments
from rulewright.language.resolve.scans_and_paths import EvaluatorScope, read_walk
from rulewright.language.resolve.scope import (
    UNKNOWN,
    Declared,
    Home,
    Locals,
    Reader,
    Scope,
    is_unknown,
)
from rulewright.language.resolve.values import apply, are_whole, as_whole, read_all, read_as
from rulewright.language.source import Source
from rulewright.model import expressions as m
from rulewright.model.expressions import Expr, Type
from rulewright.model.rules import Rules
from rulewright.model.walk import reachable_nodes

_TAKES: dict[str, tuple[Type, ...]] = {"change": (Type.REAL,), "outside": ()} | {
    name: row.takes for name, row in m.OPERATIONS.items() if row.word == "evaluator"
}
"""The types of the arguments of built-in names that only evaluators have."""
OWN_WORDS = frozenset(_TAKES)


def evaluator_scope(
    tree: syntax.Evaluator, source: Source, report: Collector, rules: Rules, rules_scope: Scope
) -> EvaluatorScope:
    """The scope of an evaluator, which begins with the names of the rules."""
    scope = EvaluatorScope.of(tree, source, report, READERS)
    scope.own_words = OWN_WORDS
    stand_on_rules(scope, rules, rules_scope)
    return scope


def stand_on_rules(scope: Scope, rules: Rules, rules_scope: Scope) -> None:
    """Let the scope of another file begin with the names of the rules."""
    scope.homes = dict.fromkeys(
        rules_scope.declared, Home(rules_scope.source, rules_scope.declared)
    )
    scope.declared, scope.moves = dict(rules_scope.declared), rules_scope.moves
    scope.origins[:0] = rules.origins
    scope.board, scope.players, scope.absent = rules.board, rules_scope.players, rules.absent
    scope.options, scope.state_types = dict(rules_scope.options), dict(rules_scope.state_types)
    scope.states = rules_scope.states
    scope.settings_given = rules_scope.settings_given
    scope.functions += rules_scope.functions
    measures = rules_scope.measures
    scope.measures.settles = True
    scope.measures.sites, scope.measures.longest = measures.sites, measures.longest
    scope.measures.ranges = dict(measures.ranges)
    scope.instances, scope.worked_out = dict(rules_scope.instances), rules_scope.worked_out
    scope.instantiated = set(rules_scope.declared)


def choices_in(scope: Scope, whole: Expr) -> set[str]:
    """The names of what *whole* asks of the judged move, also through definitions."""
    parts = reachable_nodes(whole, scope.functions)
    return {part.name for part in parts if isinstance(part, m.ChosenValue)}


# --- names ---


def _read_name(scope: EvaluatorScope, node: syntax.Name, frame: Locals) -> Expr:
    text = node.text
    if text in frame.names or text in scope.doubtful:
        return name_lookup.read_name(scope, node, frame)
    declared = scope.declared.get(text)
    if declared is not None and declared.kind in _DECLARED:
        scope.use(node)
        return _DECLARED[declared.kind](scope, node, declared)
    if declared is not None or text not in OWN_WORDS:
        return name_lookup.read_name(scope, node, frame)
    if text == "mobility":
        return apply(scope, "mobility", (), node)
    message = f"`{text}` is a function and needs its arguments: `{text}(...)`"
    if text == "outside":
        message = "`outside` can stand only behind `on`, for the place past the border"
    scope.complain("wrong-arguments", node, message)
    return UNKNOWN


def _factor_value(scope: EvaluatorScope, node: syntax.Name, declared: Declared) -> Expr:
    factor = scope.factors[declared.index]
    if not factor.whole:
        return m.FactorValue(Type.REAL, declared.index)
    return m.FactorValue(Type.INT, declared.index, int(max(abs(factor.low), abs(factor.high))))


def _chosen_value(scope: EvaluatorScope, node: syntax.Name, declared: Declared) -> Expr:
    return m.ChosenValue(scope.choice_types[node.text], node.text)


def _table_value(scope: EvaluatorScope, node: syntax.Name, declared: Declared) -> Expr:
    return scope.tables.get(node.text, UNKNOWN)


def _path_value(scope: EvaluatorScope, node: syntax.Name, declared: Declared) -> Expr:
    index, type_ = read_walk(scope, node, declared)
    if type_ is Type.UNKNOWN:
        return UNKNOWN
    return m.PathValue(type_, index, origin=scope.origin(node))


def _refuse_scan(scope: EvaluatorScope, node: syntax.Name, declared: Declared) -> Expr:
    message = f"`{node.text}` is a scan and needs a site and a step"
    scope.complain("wrong-arguments", node, message, f"`{node.text}(a, north)`")
    return UNKNOWN


_DECLARED = {
    "factor": _factor_value, "chosen value": _chosen_value, "table": _table_value,
    "path": _path_value, "scan": _refuse_scan,
}  # fmt: skip
"""What a name stands for that only evaluators declare, by its kind."""


# --- calls ---


def _read_call(scope: EvaluatorScope, node: syntax.Call, frame: Locals) -> Expr:
    text = node.name.text
    declared = scope.declared.get(text)
    if text in frame.names or node.body is not None:
        return calls.read_call(scope, node, frame)
    if declared is not None and declared.kind == "scan":
        return _call_scan(scope, node, declared, frame)
    if declared is not None and declared.kind == "table":
        return _look_up(scope, node, frame)
    if declared is None and text in OWN_WORDS:
        return _call_own_word(scope, node, frame)
    number = calls.read_call(scope, node, frame)
    return as_whole(number, scope.functions) or number


def _call_own_word(scope: EvaluatorScope, node: syntax.Call, frame: Locals) -> Expr:
    name = node.name.text
    takes = _TAKES[name]
    if not takes or len(takes) != len(node.arguments):
        complain_arguments(scope, node, name, len(takes), len(node.arguments))
        read_all(scope, node.arguments, frame)
        return UNKNOWN
    pairs = zip(node.arguments, takes, strict=True)
    arguments = [read_as(scope, argument, frame, type_) for argument, type_ in pairs]
    if is_unknown(*arguments):
        return UNKNOWN
    if name == "change":
        return m.Change(arguments[0].type, arguments[0], origin=scope.origin(node))
    return apply(scope, name, tuple(arguments), node)


def _look_up(scope: EvaluatorScope, node: syntax.Call, frame: Locals) -> Expr:
    if len(node.arguments) != 1:
        complain_arguments(scope, node, node.name.text, 1, len(node.arguments))
        read_all(scope, node.arguments, frame)
        return UNKNOWN
    site = read_as(scope, node.arguments[0], frame, Type.SITES)
    scope.use(node.name)
    table = _read_name(scope, node.name, frame)
    if is_unknown(site, table):
        return UNKNOWN
    type_ = Type.INT if are_whole(table, scope.functions) else Type.REAL
    origin = scope.origin(node)
    return m.Apply(type_, "placed", (table, site), origin=origin)


# --- scans ---


def _call_scan(scope: EvaluatorScope, node: syntax.Call, declared: Declared, frame: Locals) -> Expr:
    scope.use(node.name)
    if len(node.arguments) != 2:
        complain_arguments(scope, node, node.name.text, 2, len(node.arguments))
        read_all(scope, node.arguments, frame)
        return UNKNOWN
    site = read_as(scope, node.arguments[0], frame, Type.SITES)
    step = read_as(scope, node.arguments[1], frame, Type.STEPS)
    index, type_ = read_walk(scope, node, declared)
    if is_unknown(site, step) or type_ is Type.UNKNOWN:
        return UNKNOWN
    return m.ScanValue(type_, index, site, step, origin=scope.origin(node))


READERS: Mapping[type[syntax.Node], Reader] = {
    **expressions.READERS, syntax.Name: _read_name, syntax.Call: _read_call,
}  # fmt: skip
