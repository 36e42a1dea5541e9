"""Scans and paths of evaluators: walks that remember, and ways that cost.

In: the blocks of `scan` and `path`.  Out: their models, each resolved once, with a measure of what
they cost at the worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from rulewright.language import syntax
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model.expressions import Const, Expr, Type
from rulewright.resolve import cost
from rulewright.resolve.calls import Calls
from rulewright.resolve.names import NUMBERS, SETS, UNKNOWN
from rulewright.resolve.scope import Declared, Locals, in_chains, is_unknown, names_used


@define
class ScansAndPaths(Calls):
    """Resolves the scans and paths of one evaluator, and keeps them."""

    scans: list[v.Scan] = field(factory=list)
    paths: list[v.CheapestPath] = field(factory=list)
    walked: dict[str, tuple[int, Type]] = field(factory=dict)
    missing: frozenset[str] = frozenset()
    """Statements that faulty lines were meant to be; their absence is not reported again."""

    def walk(self, node: syntax.Node, declared: Declared) -> tuple[int, Type]:
        """The number of a scan or a path, and the type of its value."""
        name = declared.name.text
        if name in self.walked:
            return self.walked[name]
        if name in self._open:
            self.scope.complain("cycle", node, f"`{name}` needs itself")
            return 0, Type.UNKNOWN
        self._open.append(name)
        with self.scope.inside(name, node):
            found = (self._scan if declared.kind == "scan" else self._path)(declared.nodes[0])
        self._open.pop()
        self.walked[name] = found
        return found

    # --- scans ---

    def _scan(self, node: syntax.Scan) -> tuple[int, Type]:
        frame = Locals()
        if len(node.parameters) != 2:
            message = "a scan takes a site and a step"
            self.scope.complain("wrong-arguments", node, message, f"`scan {node.name.text}(s, d)`")
            return 0, Type.UNKNOWN
        for parameter, type_ in zip(node.parameters, (Type.SITE, Type.STEP), strict=True):
            if not self.scope.check_local(parameter, frame):
                return 0, Type.UNKNOWN
            frame.add(parameter, type_)
        sets = [self._watched(n, frame) for n in node.block if isinstance(n, syntax.Reaction)]
        registers = self._registers(node, frame)
        nodes = [n for n in node.block if isinstance(n, syntax.Reaction)]
        done = [self._deeds(n.block, frame) for n in nodes]
        give = self._give(node, frame)
        if give is None or is_unknown(give, *(s for s, _ in sets)) or None in done:
            return 0, Type.UNKNOWN
        reactions = tuple(
            v.Reaction(sites, outside, deeds or ())
            for (sites, outside), deeds in zip(sets, done, strict=True)
        )
        origin = self.scope.origin(node)
        scan = v.Scan(node.name.text, frame.size, registers, reactions, give, origin)
        self.scans.append(scan)
        index = len(self.scans) - 1
        self.measures.walks[m.ScanValue, index] = self._measure_scan(scan)
        return index, give.type

    def _registers(self, node: syntax.Scan, frame: Locals) -> tuple[v.SetRegister, ...]:
        found = []
        for register in (n for n in node.block if isinstance(n, syntax.Register)):
            value = self.expr(register.value, frame)
            if value.type not in (*NUMBERS, Type.TRUTH, *SETS, Type.UNKNOWN):
                message = f"a register holds a number, a truth or sites, not {value.type}"
                self.scope.complain("wrong-type", register.value, message)
                value = UNKNOWN
            if value.type in SETS:
                value = self.fit(value, register.value, Type.SITES)
            if self.scope.check_local(register.name, frame):
                kind = Type.SITES if value.type in SETS else value.type
                local = frame.add(register.name, kind)
                origin = self.scope.origin(register)
                found.append(v.SetRegister(local.slot, value, origin=origin))
        return tuple(found)

    def _watched(self, node: syntax.Reaction, frame: Locals) -> tuple[Expr, bool]:
        """The sites of a reaction, and whether it is for the place past the border too."""
        items = node.sites.items if isinstance(node.sites, syntax.Many) else (node.sites,)
        inside = [i for i in items if not (isinstance(i, syntax.Name) and i.text == "outside")]
        united = isinstance(node.sites, syntax.Many) and node.sites.sign == "or"
        if len(inside) == len(items) or not (united or not inside):
            return self.want(node.sites, frame, Type.SITES), False
        sets = tuple(self.want(i, frame, Type.SITES) for i in inside)
        if not sets:
            return Const(Type.SITES, 0), True
        return self.apply("unite", sets, node), True

    def _deeds(self, nodes: tuple[Any, ...], frame: Locals) -> tuple[v.ScanEffect, ...] | None:
        found: list[v.ScanEffect | None] = []
        for chain in in_chains(nodes):
            match chain[0]:
                case syntax.If():
                    found.append(self._test(chain, frame))
                case syntax.Stop():
                    found.append(v.Stop())
                case syntax.Assign() as node:
                    found.append(self._set_register(node, frame))
        known = tuple(d for d in found if d is not None)
        return known if len(known) == len(found) else None

    def _test(self, chain: list[syntax.If], frame: Locals) -> v.If | None:
        first, rest = chain[0], chain[1:]
        assert first.condition is not None
        condition = self.want(first.condition, frame, Type.TRUTH)
        then = self._deeds(first.block, frame)
        otherwise: tuple[v.ScanEffect, ...] | None = ()
        if rest and rest[0].condition is None:
            otherwise = self._deeds(rest[0].block, frame)
        elif rest:
            inner = self._test(rest, frame)
            otherwise = None if inner is None else (inner,)
        if is_unknown(condition) or then is None or otherwise is None:
            return None
        return v.If(condition, then, otherwise, origin=self.scope.origin(first))

    def _set_register(self, node: syntax.Assign, frame: Locals) -> v.SetRegister | None:
        local = frame.names.get(node.name.text)
        value = self.expr(node.value, frame)
        if local is None or local.slot < 2:
            registers = [n for n, one in frame.names.items() if one.slot >= 2]
            if local is not None:
                message = f"`{node.name.text}` cannot be changed; only a register can"
                self.scope.complain("wrong-type", node.name, message)
            else:
                advice = f"declare it above: `with {node.name.text} = 0`"
                self.scope.unknown(node.name, "register of this scan", registers, advice)
            return None
        value = self.fit(value, node.value, local.type, "begin with `0.0` to allow fractions")
        if is_unknown(value) or local.type is Type.UNKNOWN:
            return None
        return v.SetRegister(local.slot, value, origin=self.scope.origin(node))

    def _give(self, node: syntax.Scan, frame: Locals) -> Expr | None:
        gives = [n for n in node.block if isinstance(n, syntax.Give)]
        if not gives and "give" in self.missing:
            return None
        if len(gives) != 1:
            message = "a scan needs one `give`, its value"
            self.scope.complain("missing-statement", gives[1] if gives else node.name, message)
            return None
        return self.accept(self.want(gives[0].value, frame, Type.REAL), gives[0].value)

    def _measure_scan(self, scan: v.Scan) -> cost.Measure:
        sets = [self.measures.of(r.sites) for r in scan.reactions]
        inner = [self.measures.of(e) for r in scan.reactions for e in _inside(r.deeds)]
        ends = [self.measures.of(e) for e in (*(r.value for r in scan.registers), scan.give)]
        every = cost.worst([*sets, *inner, *ends])
        steps = sum(i.cost for i in (*sets, *ends)) + self.measures.longest * (
            sum(i.cost for i in inner) + len(scan.reactions)
        )
        return cost.Measure(steps, every.height + 1, every.flags, every.once)

    # --- paths ---

    def _path(self, node: syntax.CheapestPath) -> tuple[int, Type]:
        starts = [self._start(n) for n in node.block if isinstance(n, syntax.PathFrom)]
        steps = [self._road_step(n) for n in node.block if isinstance(n, syntax.PathStep)]
        targets = [n for n in node.block if isinstance(n, syntax.PathTo)]
        others = [n for n in node.block if isinstance(n, syntax.PathElse)]
        for lines, words in (
            (starts, "`from SET costs E`"), (targets, "`to SET`"),
            (steps, "`step STEPS costs E`"), (others, "`else E`, its value when there is no way"),
        ):  # fmt: skip
            if not lines and words[1:].partition(" ")[0] not in self.missing:
                self.scope.complain("missing-statement", node.name, f"a path needs {words}")
        for again in (*targets[1:], *others[1:]):
            self.scope.complain("repeated-statement", again, "a path has one such line")
        target = self.closed(targets[0].sites, Type.SITES) if targets else UNKNOWN
        other = self.closed(others[0].value, Type.REAL) if others else UNKNOWN
        if is_unknown(target, other) or None in starts or None in steps or not starts or not steps:
            return 0, Type.UNKNOWN
        begin, ways = tuple(filter(None, starts)), tuple(filter(None, steps))
        origin = self.scope.origin(node)
        unit = self._unit(targets[0].unit) if targets and targets[0].unit else 1
        path = v.CheapestPath(node.name.text, begin, target, ways, other, unit, origin)
        self.paths.append(path)
        index = len(self.paths) - 1
        self.measures.walks[m.PathValue, index] = self._measure_path(path)
        costs = [*(s.cost for s in begin), *(s.cost for s in ways), other]
        return index, Type.INT if all(c.type is Type.INT for c in costs) else Type.REAL

    def _unit(self, node: syntax.Expr) -> int:
        """The whole number in which costs are compared for the ends of a path."""
        found = self.constant(self.closed(node, Type.INT), node)
        if not isinstance(found, int):
            return 1
        if found < 1:
            self.scope.complain("out-of-range", node, "costs are compared in units of at least 1")
        return max(1, found)

    def _start(self, node: syntax.PathFrom) -> v.PathFrom | None:
        sites = self.closed(node.sites, Type.SITES)
        price = self._price(self.closed(node.cost, Type.REAL), node.cost)
        return None if is_unknown(sites, price) else v.PathFrom(sites, price)

    def _road_step(self, node: syntax.PathStep) -> v.PathStep | None:
        frame = Locals()
        for name in (node.first, node.second):
            if name is not None and self.scope.check_local(name, frame):
                frame.add(name, Type.SITE)
        frame.size = max(frame.size, 2)
        steps = self.expr(node.steps, frame)
        if steps.type is not Type.LINK:
            steps = self.fit(steps, node.steps, Type.STEPS)
        sites = Const(Type.SITES, self.board.sites if self.board else 0)
        over = self.closed(node.over, Type.SITES) if node.over else None
        outer = frame if over is None else Locals()  # of two steps at once no site has a name
        into = self.want(node.into, outer, Type.SITES) if node.into else sites
        when = Const(Type.TRUTH, True)
        tested = self.want(node.condition, frame, Type.TRUTH) if node.condition else when
        price = self._price(self.want(node.cost, outer, Type.REAL), node.cost)
        if is_unknown(steps, into, tested, price, *([over] if over else [])):
            return None
        linked = steps.type is Type.LINK
        origin = self.scope.origin(node)
        named = node.first is not None
        local = node.first is not None and node.first.text in names_used(node.into)
        return v.PathStep(
            steps, linked, named, local, frame.size, into, tested, price, origin, over
        )  # fmt: skip

    def _price(self, price: Expr, node: syntax.Expr) -> Expr:
        if isinstance(price, Const) and isinstance(price.value, int | float) and price.value < 0:
            self.scope.complain("out-of-range", node, "a path cannot cost less than nothing")
            return UNKNOWN
        return price

    def _measure_path(self, path: v.CheapestPath) -> cost.Measure:
        once = [path.target, path.otherwise, *(e for s in path.starts for e in (s.sites, s.cost))]
        once += [s.into for s in path.steps if not s.local]
        once += [s.over for s in path.steps if s.over is not None]
        each = [e for s in path.steps for e in (s.when, s.cost)]
        each += [s.into for s in path.steps if s.local]
        outer = [self.measures.of(e) for e in (*once, *(s.steps for s in path.steps))]
        inner = [self.measures.of(e) for e in each]
        every = cost.worst([*outer, *inner])
        steps = sum(o.cost for o in outer) + 8 * self.measures.sites * sum(i.cost for i in inner)
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
