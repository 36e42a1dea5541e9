"""Expressions of evaluators: what the rules know, and factors, tables, scans, paths, `change`.

In: syntax, the names of a game and those of the evaluator.  Out: expressions of the model.  A
definition of the rules is read where it stands; a mistake that shows only when an evaluator uses it
is reported at the use.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, evolve, field

from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.source import Source
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model.expressions import Expr, Type
from rulewright.model.walk import parts, reached
from rulewright.records import Record, record
from rulewright.resolve.calls import Calls
from rulewright.resolve.names import UNKNOWN
from rulewright.resolve.scans_and_paths import ScansAndPaths
from rulewright.resolve.scope import Declared, Locals, Scope, is_unknown

OWN_WORDS = frozenset({"change", "random", "power", "mobility", "outside"})
"""Built-in names that only evaluators have."""


@record
class Home(Record):
    """Where a borrowed definition stands: its text, and the names that it can see."""

    source: Source
    declared: dict[str, Declared]


@define
class EvaluatorScope(Scope):
    """The names of an evaluator, on top of those it borrows."""

    homes: dict[str, Home] = field(factory=dict)

    def declare(self, kind: str, name: syntax.Name, nodes: tuple[object, ...], index: int) -> None:
        """Add a name of the file; report one that is taken."""
        if name.text in OWN_WORDS:
            message = f"`{name.text}` is a built-in name, so it cannot be given to something else"
            self.refuse("reserved-word", name, message)
        elif name.text in self.homes:
            where = self.homes[name.text].source.name
            message = f"`{name.text}` is a name of {where} already"
            self.refuse("defined-twice", name, message)
        else:
            super().declare(kind, name, nodes, index)

    def visible(self, frame: Locals) -> set[str]:
        """Every name an expression could use, those of evaluators included."""
        return super().visible(frame) | OWN_WORDS

    @contextmanager
    def inside(self, name: str, node: syntax.Node) -> Iterator[None]:
        """Read a borrowed definition where it stands."""
        home = self.homes.get(name)
        if home is None or home.source is self.source:
            yield
            return
        outer = self.source, self.declared, self.report
        self.source, self.declared, self.report = home.source, home.declared, Collector()
        yield
        inner = self.report
        self.source, self.declared, self.report = outer
        if inner.failed:
            first = inner.diagnostics[0]
            message = f"`{name}` cannot be used like this: {first.message}"
            self.complain(first.code, node, message, f"it is defined in {home.source.name}")

    @contextmanager
    def where(self, name: str) -> Iterator[None]:
        """Read a definition that nothing uses: mistakes are reported in the text it stands in."""
        home, outer = self.homes.get(name), self.source
        self.source = outer if home is None else home.source
        yield
        self.source = outer


@define
class EvaluatorExpressions(ScansAndPaths):
    """Resolves the expressions of one evaluator."""

    factors: list[v.Factor] = field(factory=list)
    chosen: dict[str, Type] = field(factory=dict)
    tables: dict[str, Expr] = field(factory=dict)

    def borrow(self, names: Calls) -> None:
        """Know what the rules know."""
        self.settings_given = names.settings_given
        self.measures.settles = True
        self.measures.sites = names.measures.sites
        self.measures.longest = names.measures.longest
        self.measures.ranges = dict(names.measures.ranges)
        self._instances = dict(names._instances)
        self.worked_out = names.worked_out
        self._read = set(names.scope.declared)

    def choices_in(self, whole: Expr) -> set[str]:
        """The names of what *whole* asks of the judged move, through definitions."""
        asked = reached(whole, self.functions)
        return {part.name for part in asked if isinstance(part, m.ChosenValue)}

    # --- names ---

    def name(self, node: syntax.Name, frame: Locals) -> Expr:
        """What a name stands for."""
        text = node.text
        known = text in frame.names or text in self.scope.declared
        if text in self.scope.doubtful and text not in frame.names:
            return UNKNOWN
        if text == "mobility" and not known:
            return self.apply("mobility", (), node)
        if text in OWN_WORDS and not known:
            message = f"`{text}` is a function and needs its arguments: `{text}(...)`"
            if text == "outside":
                message = "`outside` can stand only behind `on`, for the place past the border"
            self.scope.complain("wrong-arguments", node, message)
            return UNKNOWN
        return super().name(node, frame)

    def _declared(self, node: syntax.Name, declared: Declared) -> Expr:
        match declared.kind:
            case "factor":
                factor = self.factors[declared.index]
                most = int(max(abs(factor.low), abs(factor.high))) if factor.whole else None
                type_ = Type.INT if factor.whole else Type.REAL
                return m.FactorValue(type_, declared.index, most)
            case "chosen value":
                return m.ChosenValue(self.chosen[node.text], node.text)
            case "table":
                return self.tables.get(node.text, UNKNOWN)
            case "path":
                return self._path_value(node, declared)
            case "scan":
                message = f"`{node.text}` is a scan and needs a site and a step"
                self.scope.complain("wrong-arguments", node, message, f"`{node.text}(a, north)`")
                return UNKNOWN
        return super()._declared(node, declared)

    def _check_view(self, node: syntax.Viewed) -> None:
        if isinstance(node.operand, syntax.Name):
            declared = self.scope.declared.get(node.operand.text)
            if node.operand.text == "mobility" or (declared and declared.kind in ("path", "table")):
                return
        super()._check_view(node)

    # --- calls ---

    def call(self, node: syntax.Call, frame: Locals) -> Expr:
        """What a call stands for."""
        text = node.name.text
        declared = self.scope.declared.get(text)
        if text in frame.names or node.body is not None:
            return super().call(node, frame)
        if declared is not None and declared.kind == "scan":
            return self._scan_value(node, declared, frame)
        if declared is not None and declared.kind == "table":
            return self._placed(node, frame)
        if declared is None and text in OWN_WORDS:
            return self._own_word(node, frame)
        return self._as_whole(super().call(node, frame))

    def _own_word(self, node: syntax.Call, frame: Locals) -> Expr:
        takes = {"change": (Type.REAL,), "random": (Type.INT, Type.INT)}
        wanted = takes.get(node.name.text, (Type.REAL, Type.INT))
        if node.name.text in ("mobility", "outside") or len(wanted) != len(node.arguments):
            count = 0 if node.name.text in ("mobility", "outside") else len(wanted)
            self._wrong_number(node, node.name.text, count, len(node.arguments))
            self._skip(node.arguments, frame)
            return UNKNOWN
        pairs = zip(node.arguments, wanted, strict=True)
        found = [self.want(argument, frame, type_) for argument, type_ in pairs]
        if is_unknown(*found):
            return UNKNOWN
        if node.name.text == "change":
            return m.Change(found[0].type, found[0], origin=self.scope.origin(node))
        whole = node.name.text == "power" and found[0].type is Type.INT
        result = self.apply(node.name.text, tuple(found), node)
        return evolve(result, type=Type.INT) if whole and not is_unknown(result) else result

    def _as_whole(self, found: Expr) -> Expr:
        """A number of a list of whole numbers is whole."""
        looked_up = isinstance(found, m.Apply) and found.operation == "item"
        if looked_up and self._all_whole(parts(found)[0]):
            return evolve(found, type=Type.INT)
        return found

    def _all_whole(self, numbers: Expr) -> bool:
        match numbers:
            case m.Const(_, value):
                return isinstance(value, tuple) and all(isinstance(n, int) for n in value)
            case m.Apply(_, "numbers", items):
                return all(item.type is Type.INT for item in items)
            case m.CallFunction(_, number):
                return all(self._all_whole(body) for body in self.functions[number].bodies)
            case m.Viewed():
                return self._all_whole(numbers.body)
        return False

    def _placed(self, node: syntax.Call, frame: Locals) -> Expr:
        if len(node.arguments) != 1:
            self._wrong_number(node, node.name.text, 1, len(node.arguments))
            self._skip(node.arguments, frame)
            return UNKNOWN
        site = self.want(node.arguments[0], frame, Type.SITES)
        self.scope.use(node.name)
        table = self.name(node.name, frame)
        if is_unknown(site, table):
            return UNKNOWN
        type_ = Type.INT if self._all_whole(table) else Type.REAL
        origin = self.scope.origin(node)
        return m.Apply(type_, "placed", (table, site), origin=origin)

    # --- scans ---

    def _scan_value(self, node: syntax.Call, declared: Declared, frame: Locals) -> Expr:
        self.scope.use(node.name)
        if len(node.arguments) != 2:
            self._wrong_number(node, node.name.text, 2, len(node.arguments))
            self._skip(node.arguments, frame)
            return UNKNOWN
        site = self.want(node.arguments[0], frame, Type.SITES)
        step = self.want(node.arguments[1], frame, Type.STEPS)
        index, type_ = self.walk(node, declared)
        if is_unknown(site, step) or type_ is Type.UNKNOWN:
            return UNKNOWN
        return m.ScanValue(type_, index, site, step, origin=self.scope.origin(node))

    def _path_value(self, node: syntax.Name, declared: Declared) -> Expr:
        index, type_ = self.walk(node, declared)
        if type_ is Type.UNKNOWN:
            return UNKNOWN
        return m.PathValue(type_, index, origin=self.scope.origin(node))
