"""The names of an evaluator: what it takes over from others, its factors and tables, chosen values.

In: the statements of a file, and a way to find other evaluators.  Out: declared names, with their
models in the scope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define, evolve, field

from rulewright.ground.printable import amount
from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.resolve.calls import member_type
from rulewright.language.resolve.scans_and_paths import EvaluatorScope
from rulewright.language.resolve.scope import UNKNOWN, Declared, Home, Scope
from rulewright.language.resolve.statements import FileStatements, declare_lets
from rulewright.language.source import Source
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board
from rulewright.model.expressions import Const, Expr, Function, Type


@record
class BorrowedEvaluator(Record):
    """The text of another evaluator, read; `failed` when it has mistakes."""

    tree: syntax.Evaluator
    source: Source
    failed: bool


@record
class EvaluatorGround(Record):
    """What an evaluator stands on: the rules, what has read them, and other evaluators by name."""

    rules: r.Rules
    names: Scope
    find: Callable[[str], BorrowedEvaluator | None]
    evaluators: Iterable[str]
    """The names of the evaluators there are."""


@define
class Borrowing:
    """Takes over the names of other evaluators, each of them once."""

    file: FileStatements
    scope: EvaluatorScope
    ground: EvaluatorGround
    used: set[str] = field(factory=set)

    def use(self, name: syntax.Name, way: list[str]) -> None:
        """Take over the names of another evaluator, and of those it uses."""
        borrowed = self._find(name, way)
        if borrowed is None:
            return
        self.used.add(name.text)
        scope, file = self.scope, evolve(self.file, tree=borrowed.tree)
        outer, report = scope.source, scope.report
        scope.source = borrowed.source
        for inner in (inner for use in file.all(syntax.Use) for inner in use.names):
            self.use(inner, [*way, name.text])
        scope.moves_of_used += (m for value in file.all(syntax.ValueOf) for m in value.moves)
        scope.report, before = Collector(), set(scope.declared)
        declare_names(file, scope, name.text)
        problems, scope.source, scope.report = scope.report, outer, report
        home = Home(borrowed.source, scope.declared)
        scope.homes |= dict.fromkeys(scope.declared.keys() - before, home)
        if problems.failed:
            first = problems.diagnostics[0]
            message = f"`{name.text}` cannot be used here: {first.message}"
            scope.complain(first.code, name, message)

    def _find(self, name: syntax.Name, way: list[str]) -> BorrowedEvaluator | None:
        """Find an evaluator that is not used yet; report one that cannot be used."""
        if name.text in way:
            shown = " -> ".join([*way[way.index(name.text) :], name.text])
            self.scope.complain("cycle", name, f"`{name.text}` uses itself: {shown}")
            return None
        if name.text in self.used:
            return None
        ground, borrowed = self.ground, self.ground.find(name.text)
        if borrowed is None:
            self.file.complain_missing("evaluator", name, ground.rules.name, ground.evaluators)
        elif borrowed.failed:
            self.file.complain_faulty("evaluator", name, borrowed.source.name)
            return None
        return borrowed


def declare_names(file: FileStatements, scope: EvaluatorScope, evaluator: str) -> None:
    """Declare factors, scans, paths, tables and definitions."""
    for item in file.tree.items:
        match item:
            case syntax.Factor():
                scope.declare("factor", item.name, (item,), len(scope.factors))
                scope.factors.append(_read_factor(scope, item, evaluator))
            case syntax.Scan():
                scope.declare("scan", item.name, (item,), 0)
            case syntax.CheapestPath():
                scope.declare("path", item.name, (item,), 0)
    tables: dict[str, list[syntax.Table]] = {}
    for table in file.all(syntax.Table):
        tables.setdefault(table.name.text, []).append(table)
    for name, nodes in tables.items():
        scope.declare("table", nodes[0].name, tuple(nodes), 0)
        scope.tables[name] = _read_table(scope, nodes)
    declare_lets(file)


def _read_factor(scope: EvaluatorScope, node: syntax.Factor, evaluator: str) -> v.Factor:
    default, low, high = node.default, node.low, node.high
    quantities = (default, low, high)
    percent = any(q.percent for q in quantities)
    if percent and not all(q.percent for q in quantities):
        message = f"`{node.name.text}` is a percentage in one place and not in another"
        plain = next(q for q in quantities if not q.percent)
        shown = scope.text_of(plain)
        scope.complain("unit", plain, message, f"is {shown}% meant?")
    elif not low.value <= default.value <= high.value:
        shown = f"{scope.text_of(low)}..{scope.text_of(high)}"
        message = f"{scope.text_of(default)} lies outside the range {shown}"
        if low.value > high.value:
            message = "this range is empty"
        scope.complain("out-of-range", default, message)
    whole = all(isinstance(q.value, int) for q in quantities)
    unit = "%" if percent else node.unit.text if node.unit else ""
    if percent and node.unit is not None:
        message = f"a percentage has no other unit, and this says `{node.unit.text}`"
        scope.complain("unit", node.unit, message)
    return v.Factor(
        node.name.text, default.value, low.value, high.value, whole, percent, unit,
        node.for_search, node.meaning, evaluator,
    )  # fmt: skip


def _read_table(scope: EvaluatorScope, nodes: list[syntax.Table]) -> Expr:
    """The numbers of a table by site, for one player or for both."""
    first, players = nodes[0], scope.players
    for node in nodes[1:]:
        if node.flipped_for is None:
            scope.complain("defined-twice", node.name, "this table is there already")
    if first.flipped_for is not None:
        message = f"there is no table `{first.name.text}` above that could be flipped"
        scope.complain("unknown-name", first.name, message)
        return UNKNOWN
    rows = _read_rows(scope, first)
    if rows is None:
        return UNKNOWN
    plain = Const(Type.NUMBERS, tuple(n for row in rows for n in row))
    flipped = next((n.flipped_for for n in nodes if n.flipped_for), None)
    if flipped is None:
        return plain
    if flipped.text not in players:
        scope.unknown(flipped, "player", players)
        return plain
    turned = Const(Type.NUMBERS, tuple(n for row in reversed(rows) for n in row))
    bodies = (plain, turned) if flipped.text == players[1] else (turned, plain)
    scope.functions.append(Function(first.name.text, 0, 0, bodies, scope.origin(first)))
    return m.CallFunction(Type.NUMBERS, len(scope.functions) - 1, ())


def _read_rows(scope: Scope, node: syntax.Table) -> list[list[int | float]] | None:
    board = scope.board
    assert board is not None
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
    across = board.layers * (board.lift - 1) if board.layers > 1 else board.width
    bad = next((row for row in node.block if len(row.cells) != across), None)
    if bad is not None:
        columns = amount(across, "column")
        message = f"this row has {amount(len(bad.cells), 'number')}, and the board {columns}"
        scope.complain("table-size", bad, message)
        return None
    return [_with_gaps(board, [cell.value for cell in row.cells]) for row in node.block]


def _with_gaps(board: Board, numbers: list[int | float]) -> list[int | float]:
    """The numbers of a row with a 0 for the column between two layers."""
    if board.layers == 1:
        return numbers
    wide = board.lift - 1
    layers = [[*numbers[i : i + wide], 0] for i in range(0, len(numbers), wide)]
    return [number for layer in layers for number in layer][:-1]


def declare_chosen(scope: EvaluatorScope, rules: r.Rules, values: list[syntax.ValueOf]) -> None:
    """Declare the names that the judged moves choose."""
    for node in values:
        for move in node.moves:
            for name, type_ in chosen_by(scope, rules, move).items():
                previous = scope.choice_types.get(name)
                if previous is not None and previous is not type_:
                    message = f"`{name}` is {previous} in one move and {type_} in another"
                    scope.complain("wrong-type", move, message)
                elif previous is None:
                    scope.choice_types[name] = type_
                    _declare_chosen_value(scope, name, move)


def declare_chosen_elsewhere(scope: EvaluatorScope, rules: r.Rules) -> None:
    """Declare what moves choose that only used evaluators judge; their definitions ask for it."""
    for move in scope.moves_of_used:
        chosen = chosen_by(scope, rules, move) if move.text in scope.moves else {}
        for name in sorted(chosen.keys() - scope.declared.keys()):
            scope.choice_types[name] = chosen[name]
            _declare_chosen_value(scope, name, move)


def _declare_chosen_value(scope: EvaluatorScope, name: str, move: syntax.Name) -> None:
    if name in scope.declared:
        message = f"the move `{move.text}` chooses `{name}`, which means something else here"
        scope.complain("defined-twice", scope.declared[name].name, message)
        return
    place = syntax.Name(name, span=move.span)
    scope.declared[name] = Declared("chosen value", 0, place, ())


def chosen_by(scope: EvaluatorScope, rules: r.Rules, name: syntax.Name) -> dict[str, Type]:
    """The names that a move chooses, with their types."""
    declared = scope.moves.get(name.text)
    if declared is None:
        scope.unknown(name, "move", scope.moves)
        return {}
    types: dict[str, Type] = {}
    for statement in rules.moves[declared.index].body:
        if isinstance(statement, r.Choose):
            types[statement.name] = member_type(statement.domain) or Type.UNKNOWN
        elif isinstance(statement, r.ChooseRay):
            types |= dict.fromkeys(statement.names, Type.SITES)
    return types
