"""Scans and paths of evaluators: walks that remember, and ways that cost.

In: the blocks of `scan` and `path`.  Out: their models, each resolved once, with a measure of what
they cost at the worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from rulewright.language import syntax
from rulewright.language.resolve import cost
from rulewright.language.resolve.scope import (
    UNKNOWN,
    Declared,
    Locals,
    Scope,
    in_chains,
    is_unknown,
    names_used,
)
from rulewright.language.resolve.values import (
    NUMBERS,
    SETS,
    accept,
    apply,
    constant_value,
    fit,
    read,
    read_as,
    read_closed,
)
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model.expressions import Const, Expr, Type


@define(repr=False, eq=False)
class EvaluatorScope(Scope):
    """What is known of an evaluator while it is read, on top of what it borrows."""

    factors: list[v.Factor] = field(factory=list)
    choice_types: dict[str, Type] = field(factory=dict)
    moves_of_used: list[syntax.Name] = field(factory=list)
    """The moves that evaluators judge which this one uses."""
    """The names that judged moves choose."""
    tables: dict[str, Expr] = field(factory=dict)
    scans: list[v.Scan] = field(factory=list)
    paths: list[v.CheapestPath] = field(factory=list)
    walks: dict[str, tuple[int, Type]] = field(factory=dict)
    """The scans and paths read so far, by name: their number, and the type of their value."""


def read_walk(scope: EvaluatorScope, node: syntax.Node, declared: Declared) -> tuple[int, Type]:
    """Read a scan or a path, once: its number, and the type of its value."""
    name = declared.name.text
    if name in scope.walks:
        return scope.walks[name]
    if name in scope.resolving:
        scope.complain("cycle", node, f"`{name}` needs itself")
        return 0, Type.UNKNOWN
    scope.resolving.append(name)
    with scope.inside(name, node):
        reader = _read_scan if declared.kind == "scan" else _read_path
        scope.walks[name] = reader(scope, declared.nodes[0])
    scope.resolving.pop()
    return scope.walks[name]


# --- scans ---


def _read_scan(scope: EvaluatorScope, node: syntax.Scan) -> tuple[int, Type]:
    frame = Locals()
    if len(node.parameters) != 2:
        message = "a scan takes a site and a step"
        scope.complain("wrong-arguments", node, message, f"`scan {node.name.text}(s, d)`")
        return 0, Type.UNKNOWN
    for parameter, type_ in zip(node.parameters, (Type.SITE, Type.STEP), strict=True):
        if not scope.check_local(parameter, frame):
            return 0, Type.UNKNOWN
        frame.add(parameter, type_)
    sets = [_read_watched(scope, n, frame) for n in node.block if isinstance(n, syntax.Reaction)]
    registers = _read_registers(scope, node, frame)
    nodes = [n for n in node.block if isinstance(n, syntax.Reaction)]
    blocks = [_read_effects(scope, n.block, frame) for n in nodes]
    give = _read_give(scope, node, frame)
    if give is None or is_unknown(give, *(s for s, _ in sets)) or None in blocks:
        return 0, Type.UNKNOWN
    reactions = tuple(
        v.Reaction(sites, outside, deeds or ())
        for (sites, outside), deeds in zip(sets, blocks, strict=True)
    )
    origin = scope.origin(node)
    scan = v.Scan(node.name.text, frame.size, registers, reactions, give, origin)
    scope.scans.append(scan)
    index = len(scope.scans) - 1
    scope.measures.walks[m.ScanValue, index] = _measure_scan(scope, scan)
    return index, give.type


def _read_registers(
    scope: EvaluatorScope, node: syntax.Scan, frame: Locals
) -> tuple[v.SetRegister, ...]:
    registers = []
    for register in (n for n in node.block if isinstance(n, syntax.Register)):
        value = read(scope, register.value, frame)
        if value.type not in (*NUMBERS, Type.TRUTH, *SETS, Type.UNKNOWN):
            message = f"a register holds a number, a truth or sites, not {value.type}"
            scope.complain("wrong-type", register.value, message)
            value = UNKNOWN
        if value.type in SETS:
            value = fit(scope, value, register.value, Type.SITES)
        if scope.check_local(register.name, frame):
            kind = Type.SITES if value.type in SETS else value.type
            local = frame.add(register.name, kind)
            origin = scope.origin(register)
            registers.append(v.SetRegister(local.slot, value, origin=origin))
    return tuple(registers)


def _read_watched(scope: EvaluatorScope, node: syntax.Reaction, frame: Locals) -> tuple[Expr, bool]:
    """The sites of a reaction, and whether it is for the place past the border too."""
    items = node.sites.items if isinstance(node.sites, syntax.Many) else (node.sites,)
    inside = [i for i in items if not (isinstance(i, syntax.Name) and i.text == "outside")]
    united = isinstance(node.sites, syntax.Many) and node.sites.sign == "or"
    if len(inside) == len(items) or not (united or not inside):
        return read_as(scope, node.sites, frame, Type.SITES), False
    sets = tuple(read_as(scope, i, frame, Type.SITES) for i in inside)
    if not sets:
        return Const(Type.SITES, 0), True
    return apply(scope, "unite", sets, node), True


def _read_effects(
    scope: EvaluatorScope, nodes: tuple[Any, ...], frame: Locals
) -> tuple[v.ScanEffect, ...] | None:
    effects: list[v.ScanEffect | None] = []
    for chain in in_chains(nodes):
        match chain[0]:
            case syntax.If():
                effects.append(_read_if(scope, chain, frame))
            case syntax.Stop():
                effects.append(v.Stop())
            case syntax.Assign() as node:
                effects.append(_read_assignment(scope, node, frame))
    readable = tuple(d for d in effects if d is not None)
    return readable if len(readable) == len(effects) else None


def _read_if(scope: EvaluatorScope, chain: list[syntax.If], frame: Locals) -> v.If | None:
    first, rest = chain[0], chain[1:]
    assert first.condition is not None
    condition = read_as(scope, first.condition, frame, Type.TRUTH)
    then = _read_effects(scope, first.block, frame)
    otherwise: tuple[v.ScanEffect, ...] | None = ()
    if rest and rest[0].condition is None:
        otherwise = _read_effects(scope, rest[0].block, frame)
    elif rest:
        inner = _read_if(scope, rest, frame)
        otherwise = None if inner is None else (inner,)
    if is_unknown(condition) or then is None or otherwise is None:
        return None
    return v.If(condition, then, otherwise, origin=scope.origin(first))


def _read_assignment(
    scope: EvaluatorScope, node: syntax.Assign, frame: Locals
) -> v.SetRegister | None:
    local = frame.names.get(node.name.text)
    value = read(scope, node.value, frame)
    if local is None or local.slot < 2:
        registers = [n for n, variable in frame.names.items() if variable.slot >= 2]
        if local is not None:
            message = f"`{node.name.text}` cannot be changed; only a register can"
            scope.complain("wrong-type", node.name, message)
        else:
            advice = f"declare it above: `with {node.name.text} = 0`"
            scope.unknown(node.name, "register of this scan", registers, advice)
        return None
    value = fit(scope, value, node.value, local.type, "begin with `0.0` to allow fractions")
    if is_unknown(value) or local.type is Type.UNKNOWN:
        return None
    return v.SetRegister(local.slot, value, origin=scope.origin(node))


def _read_give(scope: EvaluatorScope, node: syntax.Scan, frame: Locals) -> Expr | None:
    gives = [n for n in node.block if isinstance(n, syntax.Give)]
    if not gives and "give" in scope.missing:
        return None
    if len(gives) != 1:
        message = "a scan needs one `give`, its value"
        scope.complain("missing-statement", gives[1] if gives else node.name, message)
        return None
    return accept(scope, read_as(scope, gives[0].value, frame, Type.REAL), gives[0].value)


def _measure_scan(scope: EvaluatorScope, scan: v.Scan) -> cost.Measure:
    sets = [scope.measures.of(r.sites) for r in scan.reactions]
    inner = [scope.measures.of(e) for r in scan.reactions for e in _inside(r.deeds)]
    ends = [scope.measures.of(e) for e in (*(r.value for r in scan.registers), scan.give)]
    every = cost.worst([*sets, *inner, *ends])
    steps = sum(i.cost for i in (*sets, *ends)) + scope.measures.longest * (
        sum(i.cost for i in inner) + len(scan.reactions)
    )
    return cost.Measure(steps, every.height + 1, every.flags, every.once)


# --- paths ---


def _read_path(scope: EvaluatorScope, node: syntax.CheapestPath) -> tuple[int, Type]:
    starts = [_read_start(scope, n) for n in node.block if isinstance(n, syntax.PathFrom)]
    steps = [_read_step(scope, n) for n in node.block if isinstance(n, syntax.PathStep)]
    targets = [n for n in node.block if isinstance(n, syntax.PathTo)]
    others = [n for n in node.block if isinstance(n, syntax.PathElse)]
    for lines, words in (
        (starts, "`from SET costs E`"), (targets, "`to SET`"),
        (steps, "`step STEPS costs E`"), (others, "`else E`, its value when there is no way"),
    ):  # fmt: skip
        if not lines and words[1:].partition(" ")[0] not in scope.missing:
            scope.complain("missing-statement", node.name, f"a path needs {words}")
    for again in (*targets[1:], *others[1:]):
        scope.complain("repeated-statement", again, "a path has one such line")
    target = read_closed(scope, targets[0].sites, Type.SITES) if targets else UNKNOWN
    other = read_closed(scope, others[0].value, Type.REAL) if others else UNKNOWN
    if is_unknown(target, other) or None in starts or None in steps or not starts or not steps:
        return 0, Type.UNKNOWN
    begin, ways = tuple(filter(None, starts)), tuple(filter(None, steps))
    origin = scope.origin(node)
    unit = _read_unit(scope, targets[0].unit) if targets and targets[0].unit else 1
    path = v.CheapestPath(node.name.text, begin, target, ways, other, unit, origin)
    scope.paths.append(path)
    index = len(scope.paths) - 1
    scope.measures.walks[m.PathValue, index] = _measure_path(scope, path)
    costs = [*(s.cost for s in begin), *(s.cost for s in ways), other]
    return index, Type.INT if all(c.type is Type.INT for c in costs) else Type.REAL


def _read_unit(scope: EvaluatorScope, node: syntax.Expr) -> int:
    """The whole number in which costs are compared for the ends of a path."""
    unit = constant_value(scope, read_closed(scope, node, Type.INT), node)
    if not isinstance(unit, int):
        return 1
    if unit < 1:
        scope.complain("out-of-range", node, "costs are compared in units of at least 1")
    return max(1, unit)


def _read_start(scope: EvaluatorScope, node: syntax.PathFrom) -> v.PathFrom | None:
    sites = read_closed(scope, node.sites, Type.SITES)
    price = _checked_price(scope, read_closed(scope, node.cost, Type.REAL), node.cost)
    return None if is_unknown(sites, price) else v.PathFrom(sites, price)


def _read_step(scope: EvaluatorScope, node: syntax.PathStep) -> v.PathStep | None:
    frame = Locals()
    for name in (node.first, node.second):
        if name is not None and scope.check_local(name, frame):
            frame.add(name, Type.SITE)
    frame.size = max(frame.size, 2)
    steps = read(scope, node.steps, frame)
    if steps.type is not Type.LINK:
        steps = fit(scope, steps, node.steps, Type.STEPS)
    sites = Const(Type.SITES, scope.board.sites if scope.board else 0)
    over = read_closed(scope, node.over, Type.SITES) if node.over else None
    outer = frame if over is None else Locals()  # of two steps at once no site has a name
    into = read_as(scope, node.into, outer, Type.SITES) if node.into else sites
    when = Const(Type.TRUTH, True)
    tested = read_as(scope, node.condition, frame, Type.TRUTH) if node.condition else when
    price = _checked_price(scope, read_as(scope, node.cost, outer, Type.REAL), node.cost)
    if is_unknown(steps, into, tested, price, *([over] if over else [])):
        return None
    linked = steps.type is Type.LINK
    origin = scope.origin(node)
    named = node.first is not None
    local = node.first is not None and node.first.text in names_used(node.into)
    return v.PathStep(
        steps, linked, named, local, frame.size, into, tested, price, origin, over
    )  # fmt: skip


def _checked_price(scope: EvaluatorScope, price: Expr, node: syntax.Expr) -> Expr:
    if isinstance(price, Const) and isinstance(price.value, int | float) and price.value < 0:
        scope.complain("out-of-range", node, "a path cannot cost less than nothing")
        return UNKNOWN
    return price


def _measure_path(scope: EvaluatorScope, path: v.CheapestPath) -> cost.Measure:
    once = [path.target, path.otherwise, *(e for s in path.starts for e in (s.sites, s.cost))]
    once += [s.into for s in path.steps if not s.local]
    once += [s.over for s in path.steps if s.over is not None]
    each = [e for s in path.steps for e in (s.when, s.cost)]
    each += [s.into for s in path.steps if s.local]
    outer = [scope.measures.of(e) for e in (*once, *(s.steps for s in path.steps))]
    inner = [scope.measures.of(e) for e in each]
    every = cost.worst([*outer, *inner])
    steps = sum(o.cost for o in outer) + 8 * scope.measures.sites * sum(i.cost for i in inner)
    return cost.Measure(steps, every.height + 1, every.flags | cost.POSITION, every.once)


def _inside(deeds: tuple[v.ScanEffect, ...]) -> Iterator[Expr]:
    for deed in deeds:
        match deed:
            case v.SetRegister():
                yield deed.value
            case v.If():
                yield deed.condition
                yield from _inside(deed.then)
                yield from _inside(deed.otherwise)
