"""The names of an evaluator: what it takes over from others, its factors and tables, chosen values.

In: the statements of a file, and a way to find other evaluators.  Out: declared names, with their
models in the scope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define, field

from rulewright.ground.printable import amount
from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.resolve.calls import member_type
from rulewright.language.resolve.scans_and_paths import EvaluatorScope
from rulewright.language.resolve.scope import Declared, Home
from rulewright.language.resolve.statements import Definitions
from rulewright.language.source import Source
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Function, Type


@record
class BorrowedEvaluator(Record):
    """The text of another evaluator, read; `failed` when it has mistakes."""

    tree: syntax.Evaluator
    source: Source
    failed: bool


Finder = Callable[[str], BorrowedEvaluator | None]


@define
class EvaluatorNames(Definitions):
    """Declares the names of one evaluator."""

    tree: syntax.Evaluator
    scope: EvaluatorScope
    rules: r.Rules
    find: Finder
    known: Iterable[str]
    used: dict[str, BorrowedEvaluator] = field(factory=dict)

    def _values(self) -> list[syntax.ValueOf]:
        return self.all(syntax.ValueOf)

    def _use(self, name: syntax.Name, way: list[str]) -> None:
        """Take over the names of another evaluator, and of those it uses."""
        scope = self.scope
        if name.text in way:
            shown = " -> ".join([*way[way.index(name.text) :], name.text])
            scope.complain("cycle", name, f"`{name.text}` uses itself: {shown}")
            return
        if name.text in self.used:
            return
        borrowed = self.find(name.text)
        if borrowed is None:
            self._not_found("evaluator", name, self.rules.name, self.known)
            return
        if borrowed.failed:
            self._has_mistakes("evaluator", name, borrowed.source.name)
            return
        self.used[name.text] = borrowed
        outer, report = scope.source, scope.report
        for item in borrowed.tree.items:
            if isinstance(item, syntax.Use):
                for inner in item.names:
                    scope.source = borrowed.source
                    self._use(inner, [*way, name.text])
                    scope.source = outer
        scope.report = Collector()
        self._borrow(borrowed, name.text)
        problems, scope.report = scope.report, report
        if problems.failed:
            first = problems.diagnostics[0]
            message = f"`{name.text}` cannot be used here: {first.message}"
            scope.complain(first.code, name, message)

    def _borrow(self, borrowed: BorrowedEvaluator, name: str) -> None:
        """Declare what another evaluator declares."""
        scope, before = self.scope, set(self.scope.declared)
        outer, own = scope.source, self.tree
        scope.source, self.tree = borrowed.source, borrowed.tree
        self._declare(borrowed.tree, name)
        self._declare_lets()
        scope.source, self.tree = outer, own
        home = Home(borrowed.source, scope.declared)
        for fresh in scope.declared.keys() - before:
            scope.homes[fresh] = home

    def _declare(self, tree: syntax.Evaluator, evaluator: str) -> None:
        scope = self.scope
        for item in tree.items:
            match item:
                case syntax.Factor():
                    scope.declare("factor", item.name, (item,), len(scope.factors))
                    scope.factors.append(self._factor(item, evaluator))
                case syntax.Scan():
                    scope.declare("scan", item.name, (item,), 0)
                case syntax.CheapestPath():
                    scope.declare("path", item.name, (item,), 0)
        tables: dict[str, list[syntax.Table]] = {}
        for item in tree.items:
            if isinstance(item, syntax.Table):
                tables.setdefault(item.name.text, []).append(item)
        for name, nodes in tables.items():
            scope.declare("table", nodes[0].name, tuple(nodes), 0)
            scope.tables[name] = self._table(nodes)

    def _factor(self, node: syntax.Factor, evaluator: str) -> v.Factor:
        default, low, high = node.default, node.low, node.high
        quantities = (default, low, high)
        percent = any(q.percent for q in quantities)
        if percent and not all(q.percent for q in quantities):
            message = f"`{node.name.text}` is a percentage in one place and not in another"
            plain = next(q for q in quantities if not q.percent)
            shown = self._shown(plain)
            self.scope.complain("unit", plain, message, f"is {shown}% meant?")
        elif not low.value <= default.value <= high.value:
            shown = f"{self._shown(low)}..{self._shown(high)}"
            message = f"{self._shown(default)} lies outside the range {shown}"
            if low.value > high.value:
                message = "this range is empty"
            self.scope.complain("out-of-range", default, message)
        whole = all(isinstance(q.value, int) for q in quantities)
        unit = "%" if percent else node.unit.text if node.unit else ""
        if percent and node.unit is not None:
            message = f"a percentage has no other unit, and this says `{node.unit.text}`"
            self.scope.complain("unit", node.unit, message)
        return v.Factor(
            node.name.text, default.value, low.value, high.value, whole, percent, unit,
            node.for_search, node.meaning, evaluator,
        )  # fmt: skip

    def _table(self, nodes: list[syntax.Table]) -> Expr:
        """The numbers of a table by site, for one player or for both."""
        scope, first = self.scope, nodes[0]
        for node in nodes[1:]:
            if node.flipped_for is None:
                self.scope.complain("defined-twice", node.name, "this table is there already")
        if first.flipped_for is not None:
            message = f"there is no table `{first.name.text}` above that could be flipped"
            scope.complain("unknown-name", first.name, message)
            return m.Const(Type.UNKNOWN, 0)
        rows = self._rows(first)
        if rows is None:
            return m.Const(Type.UNKNOWN, 0)
        plain = Const(Type.NUMBERS, tuple(n for row in rows for n in row))
        flipped = next((n.flipped_for for n in nodes if n.flipped_for), None)
        if flipped is None:
            return plain
        if flipped.text not in self.rules.players:
            scope.unknown(flipped, "player", self.rules.players)
            return plain
        turned = Const(Type.NUMBERS, tuple(n for row in reversed(rows) for n in row))
        bodies = (plain, turned) if flipped.text == self.rules.players[1] else (turned, plain)
        return self._function(first.name.text, bodies, Type.NUMBERS, scope.origin(first))

    def _function(self, name: str, bodies: tuple[Expr, ...], type_: Type, origin: int) -> Expr:
        self.scope.functions.append(Function(name, 0, 0, bodies, origin))
        return m.CallFunction(type_, len(self.scope.functions) - 1, ())

    def _rows(self, node: syntax.Table) -> list[list[int | float]] | None:
        scope, board = self.scope, self.rules.board
        faulty = any(not row.cells for row in node.block)  # a row that could not be read
        if not node.block or faulty or board.is_drawn:
            if node.block and not faulty:
                scope.complain("wrong-type", node, "a drawn board has no rows for a table")
            return None
        if len(node.block) != board.height:
            message = (
                f"this table has {amount(len(node.block), 'row')}, and the board has {board.height}"
            )
            scope.complain("table-size", node.name, message, "the top row comes first")
            return None
        bad = next((row for row in node.block if len(row.cells) != board.width), None)
        if bad is not None:
            columns = amount(board.width, "column")
            message = f"this row has {amount(len(bad.cells), 'number')}, and the board {columns}"
            scope.complain("table-size", bad, message)
            return None
        return [[cell.value for cell in row.cells] for row in node.block]

    def _declare_chosen(self) -> None:
        """The names that the judged moves choose."""
        for node in self._values():
            for move in node.moves:
                for name, type_ in self._chosen_by(move).items():
                    known = self.scope.chosen.get(name)
                    if known is not None and known is not type_:
                        message = f"`{name}` is {known} in one move and {type_} in another"
                        self.scope.complain("wrong-type", move, message)
                    elif known is None:
                        self.scope.chosen[name] = type_
                        self._declare_one_chosen(name, move)

    def _declare_one_chosen(self, name: str, move: syntax.Name) -> None:
        scope = self.scope
        if name in scope.declared:
            message = f"the move `{move.text}` chooses `{name}`, which means something else here"
            scope.complain("defined-twice", scope.declared[name].name, message)
            return
        place = syntax.Name(name, span=move.span)
        scope.declared[name] = Declared("chosen value", 0, place, ())

    def _chosen_by(self, name: syntax.Name) -> dict[str, Type]:
        declared = self.scope.moves.get(name.text)
        if declared is None:
            self.scope.unknown(name, "move", self.scope.moves)
            return {}
        chosen: dict[str, Type] = {}
        for statement in self.rules.moves[declared.index].body:
            if isinstance(statement, r.Choose):
                chosen[statement.name] = member_type(statement.domain) or Type.UNKNOWN
            elif isinstance(statement, r.ChooseRay):
                chosen |= dict.fromkeys(statement.names, Type.SITES)
        return chosen
