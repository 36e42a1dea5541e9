"""A whole evaluator: from syntax to the model, for one game with its options fixed.

In: syntax, the rules, and what has read them.  Out: the model, or None when any error was reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, field, frozen

from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.source import Source
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Function, Type
from rulewright.resolve import cost
from rulewright.resolve.calls import member_type
from rulewright.resolve.definitions import Definitions
from rulewright.resolve.effects import EffectResolver
from rulewright.resolve.heads import check_for_nothing, check_head
from rulewright.resolve.judging import Home, Judging, JudgingScope
from rulewright.resolve.scope import Declared, is_unknown
from rulewright.resolve.uses import names_used

FORM = "evaluator NAME for GAME"
MOST_TERMS = 40
"""Summands into which a value is split at the most."""


@frozen
class Borrowed:
    """The text of another evaluator, read; `failed` when it has mistakes."""

    tree: syntax.Evaluator
    source: Source
    failed: bool


Finder = Callable[[str], Borrowed | None]


@frozen
class Ground:
    """What an evaluator stands on: the rules, what has read them, and other evaluators by name."""

    rules: r.Rules
    names: EffectResolver
    find: Finder


def resolve_evaluator(
    tree: syntax.Evaluator, source: Source, report: Collector, ground: Ground
) -> v.Evaluator | None:
    """Give every name and statement its meaning; report what has none."""
    rules, names = ground.rules, ground.names
    declared = dict(names.scope.declared)
    home = Home(names.scope.source, names.scope.declared)
    scope = JudgingScope(
        source, report, {*tree.excused, ""}, {*tree.excused, *tree.mentioned},
        declared, names.scope.moves, origins=list(rules.origins),
        homes=dict.fromkeys(declared, home),
    )  # fmt: skip
    resolver = Judging(
        scope, rules.board, dict(names.options), names.players, dict(names.state_types),
        names.link_steps, list(names.functions),
    )  # fmt: skip
    resolver.borrow(names)
    resolver.missing = tree.missing
    return _File(tree, resolver, rules, ground.find).resolve()


@define
class _File(Definitions):
    """A whole file."""

    tree: syntax.Evaluator
    resolver: Judging
    rules: r.Rules
    find: Finder
    used: dict[str, Borrowed] = field(factory=dict)
    examples: list[v.Example] = field(factory=list)

    @property
    def names(self) -> JudgingScope:
        """The names of this file."""
        assert isinstance(self.resolver.scope, JudgingScope)
        return self.resolver.scope

    def resolve(self) -> v.Evaluator | None:
        scope, head = self.names, self.one(syntax.EvaluatorName)
        if not self.tree.items and "" in self.tree.missing:
            check_for_nothing(scope, FORM)
            return None
        check_head(self.tree, scope, head, FORM, "the evaluator")
        self._check_once(self.all(syntax.Format), "format")
        self._check_once(self.all(syntax.EvaluatorName), "evaluator")
        self._check_game(head)
        for use in self.all(syntax.Use):
            for name in use.names:
                self._use(name, [head.name.text if head else ""])
        self._declare(self.tree, head.name.text if head else "")
        self._declare_lets()
        self._declare_chosen()
        self._check_parameters()
        values = [self._value(node) for node in self._values()]
        for example in self.all(syntax.Example):
            self._example(example)
        self._read_the_rest()
        self._check_unused()
        known = tuple(value for value in values if value is not None)
        if not known and not scope.report.failed and head is not None:
            message = "this evaluator values nothing"
            advice = "`value of position for mover = ...`"
            scope.complain("missing-statement", head, message, advice)
        if scope.report.failed or head is None:
            return None
        return self._model(head, known)

    def _model(self, head: syntax.EvaluatorName, values: tuple[v.Value, ...]) -> v.Evaluator:
        resolver = self.resolver
        return v.Evaluator(
            name=head.name.text,
            game=head.game.text,
            factors=tuple(resolver.factors),
            functions=tuple(resolver.functions),
            scans=tuple(resolver.scans),
            paths=tuple(resolver.paths),
            values=values,
            examples=tuple(self.examples),
            view=values[0].player,
            origins=tuple(self.names.origins),
        )

    def _check_game(self, head: syntax.EvaluatorName | None) -> None:
        if head is not None and head.game.text != self.rules.name:
            message = f"this evaluator is for `{head.game.text}`, and the game is {self.rules.name}"
            self.names.complain("other-game", head.game, message)

    # --- names ---

    def _use(self, name: syntax.Name, way: list[str]) -> None:
        """Take over the names of another evaluator, and of those it uses."""
        scope = self.names
        if name.text in way:
            shown = " -> ".join([*way[way.index(name.text) :], name.text])
            scope.complain("cycle", name, f"`{name.text}` uses itself: {shown}")
            return
        if name.text in self.used:
            return
        found = self.find(name.text)
        if found is None:
            message = f"there is no evaluator `{name.text}` for {self.rules.name}"
            scope.complain("unknown-name", name, message)
            return
        if found.failed:
            message = f"the evaluator `{name.text}` has mistakes of its own"
            scope.complain("other-file", name, message, f"check {found.source.name}")
            return
        self.used[name.text] = found
        outer, report = scope.source, scope.report
        for item in found.tree.items:
            if isinstance(item, syntax.Use):
                for inner in item.names:
                    scope.source = found.source
                    self._use(inner, [*way, name.text])
                    scope.source = outer
        scope.report = Collector()
        self._borrow(found, name.text)
        found_out, scope.report = scope.report, report
        if found_out.failed:
            first = found_out.diagnostics[0]
            message = f"`{name.text}` cannot be used here: {first.message}"
            scope.complain(first.code, name, message)

    def _borrow(self, found: Borrowed, name: str) -> None:
        """Declare what another evaluator declares."""
        scope, before = self.names, set(self.names.declared)
        outer, own = scope.source, self.tree
        scope.source, self.tree = found.source, found.tree
        self._declare(found.tree, name)
        self._declare_lets()
        scope.source, self.tree = outer, own
        home = Home(found.source, scope.declared)
        for fresh in scope.declared.keys() - before:
            scope.homes[fresh] = home

    def _declare(self, tree: syntax.Evaluator, evaluator: str) -> None:
        scope, resolver = self.names, self.resolver
        for item in tree.items:
            match item:
                case syntax.Factor():
                    scope.declare("factor", item.name, (item,), len(resolver.factors))
                    resolver.factors.append(self._factor(item, evaluator))
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
            resolver.tables[name] = self._table(nodes)

    def _factor(self, node: syntax.Factor, evaluator: str) -> v.Factor:
        default, low, high = node.default, node.low, node.high
        quantities = (default, low, high)
        percent = any(q.percent for q in quantities)
        if percent and not all(q.percent for q in quantities):
            message = f"`{node.name.text}` is a percentage in one place and not in another"
            plain = next(q for q in quantities if not q.percent)
            shown = self._shown(plain)
            self.names.complain("unit", plain, message, f"is {shown}% meant?")
        elif not low.value <= default.value <= high.value:
            shown = f"{self._shown(low)}..{self._shown(high)}"
            message = f"{self._shown(default)} lies outside the range {shown}"
            if low.value > high.value:
                message = "this range is empty"
            self.names.complain("out-of-range", default, message)
        whole = all(isinstance(q.value, int) for q in quantities)
        unit = "%" if percent else node.unit.text if node.unit else ""
        if percent and node.unit is not None:
            message = f"a percentage has no other unit, and this says `{node.unit.text}`"
            self.names.complain("unit", node.unit, message)
        return v.Factor(
            node.name.text, default.value, low.value, high.value, whole, percent, unit,
            node.for_search, node.meaning, evaluator,
        )  # fmt: skip

    def _shown(self, node: syntax.Node) -> str:
        return self.names.source.text[node.span.start : node.span.end]

    def _table(self, nodes: list[syntax.Table]) -> Expr:
        """The numbers of a table by site, for one player or for both."""
        scope, first = self.names, nodes[0]
        for node in nodes[1:]:
            if node.flipped_for is None:
                self.names.complain("defined-twice", node.name, "this table is there already")
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
        self.resolver.functions.append(Function(name, 0, 0, bodies, origin))
        return m.CallFunction(type_, len(self.resolver.functions) - 1, ())

    def _rows(self, node: syntax.Table) -> list[list[int | float]] | None:
        scope, board = self.names, self.rules.board
        faulty = any(not row.cells for row in node.rows)  # a row that could not be read
        if not node.rows or faulty or board.shape == "graph":
            if node.rows and not faulty:
                scope.complain("wrong-type", node, "a drawn board has no rows for a table")
            return None
        if len(node.rows) != board.height:
            message = f"this table has {len(node.rows)} rows, and the board has {board.height}"
            scope.complain("table-size", node.name, message, "the top row comes first")
            return None
        bad = next((row for row in node.rows if len(row.cells) != board.width), None)
        if bad is not None:
            message = f"this row has {len(bad.cells)} numbers, and the board {board.width} columns"
            scope.complain("table-size", bad, message)
            return None
        return [[cell.value for cell in row.cells] for row in node.rows]

    def _declare_chosen(self) -> None:
        """The names that the judged moves choose."""
        for node in self._values():
            for move in node.moves:
                for name, type_ in self._chosen_by(move).items():
                    known = self.resolver.chosen.get(name)
                    if known is not None and known is not type_:
                        message = f"`{name}` is {known} in one move and {type_} in another"
                        self.names.complain("wrong-type", move, message)
                    elif known is None:
                        self.resolver.chosen[name] = type_
                        self._declare_one_chosen(name, move)

    def _declare_one_chosen(self, name: str, move: syntax.Name) -> None:
        scope = self.names
        if name in scope.declared:
            message = f"the move `{move.text}` chooses `{name}`, which means something else here"
            scope.complain("defined-twice", scope.declared[name].name, message)
            return
        place = syntax.Name(name, span=move.span)
        scope.declared[name] = Declared("chosen value", 0, place, ())

    def _chosen_by(self, name: syntax.Name) -> dict[str, Type]:
        declared = self.names.moves.get(name.text)
        if declared is None:
            self.names.unknown(name, "move", self.names.moves)
            return {}
        found: dict[str, Type] = {}
        for statement in self.rules.moves[declared.index].body:
            if isinstance(statement, r.Choose):
                found[statement.name] = member_type(statement.domain) or Type.UNKNOWN
            elif isinstance(statement, r.ChooseRay):
                found |= dict.fromkeys(statement.names, Type.SITES)
        return found

    # --- values ---

    def _values(self) -> list[syntax.ValueOf]:
        return self.all(syntax.ValueOf)

    def _value(self, node: syntax.ValueOf) -> v.Value | None:
        name = node.name.text if node.name else "value"
        same = [n for n in self._values() if (n.name.text if n.name else "value") == name]
        if same[0] is not node:
            line = self.names.source.line_of(same[0].span.start)
            message = f"the value `{name}` is there already, in line {line}"
            self.names.complain("defined-twice", node.name or node, message, "give it a name")
        player = self._side(node.player)
        parts = tuple(self.resolver.closed(part, Type.REAL) for part in node.parts)
        fine = [self._fits(p, node, n) for p, n in zip(parts, node.parts, strict=True)]
        if player is None or is_unknown(*parts) or not all(fine):
            return None
        moves = [self.names.moves.get(move.text) for move in node.moves]
        if None in moves or not self._harmless(parts, node):
            return None
        numbers = tuple(move.index for move in moves if move is not None)
        terms = tuple(self._terms(node.parts[0], False, ()))
        if not 1 < len(terms) <= MOST_TERMS or any(is_unknown(t.value) for t in terms):
            terms = (v.Term(self._shown(node.parts[0]), False, parts[0]),)
        return v.Value(name, numbers, player, parts, terms, self.names.origin(node))

    def _side(self, name: syntax.Name) -> int | None:
        if name.text == "mover":
            return m.MOVER
        if name.text in self.rules.players:
            return self.rules.players.index(name.text)
        if name.text in ("own", "enemy"):
            message = f"a value is for a player or for `mover`; who would `{name.text}` be?"
            self.names.complain("unknown-word", name, message)
        else:
            self.names.unknown(name, "player", ("mover", *self.rules.players))
        return None

    def _fits(self, part: Expr, node: syntax.ValueOf, place: syntax.Expr) -> bool:
        """Whether a part asks only for what its moves choose; reports it if not."""
        if is_unknown(part):
            return False
        asked = bool(self.resolver.measures.of(part).flags & cost.CHOICE)
        if asked and not node.moves:
            message = "this asks what a move chooses, and this is the value of a position"
            self.names.complain("misplaced", place, message, "`value of move M for P = ...`")
            return False
        for move in node.moves:
            missing = self.resolver.choices_in(part) - self._chosen_by(move).keys()
            if missing and move.text in self.names.moves:
                message = f"the move `{move.text}` chooses no `{min(missing)}`"
                self.names.complain("misplaced", move, message)
                return False
        return True

    def _harmless(self, parts: tuple[Expr, ...], node: syntax.ValueOf) -> bool:
        """Report a constant part that cannot be worked out, such as a division by zero."""
        for part, place in zip(parts, node.parts, strict=True):
            if isinstance(part, Const) and not isinstance(part.value, int | float):
                self.names.complain("wrong-type", place, "a value is a number")
                return False
        return True

    def _terms(
        self, node: syntax.Expr, subtract: bool, views: tuple[syntax.Name, ...]
    ) -> Iterator[v.Term]:
        """The summands of a value, through brackets, `for` and definitions that are sums."""
        match node:
            case syntax.Bracketed(inner):
                yield from self._terms(inner, subtract, views)
            case syntax.Binary("+" | "-" as sign, left, right):
                yield from self._terms(left, subtract, views)
                yield from self._terms(right, subtract ^ (sign == "-"), views)
            case syntax.Prefix("-", operand):
                yield from self._terms(operand, not subtract, views)
            case syntax.Viewed(operand, player):
                yield from self._terms(operand, subtract, (*views, player))
            case _:
                body = self._sum_behind(node)
                if body is not None:
                    yield from self._terms(body, subtract, views)
                    return
                yield self._term(node, subtract, views)

    def _term(self, node: syntax.Expr, subtract: bool, views: tuple[syntax.Name, ...]) -> v.Term:
        whole, text = node, " ".join(self._shown(node).split())
        for player in reversed(views):
            whole = syntax.Viewed(whole, player, span=node.span)
            text = f"{text} for {player.text}"
        return v.Term(text, subtract, self.resolver.closed(whole, Type.REAL))

    def _sum_behind(self, node: syntax.Expr) -> syntax.Expr | None:
        """The sum that a name of this file stands for, if it does."""
        if not isinstance(node, syntax.Name) or node.text in self.names.homes:
            return None
        declared = self.names.declared.get(node.text)
        if declared is None or declared.kind != "let" or len(declared.nodes) != 1:
            return None
        let: syntax.Let = declared.nodes[0]
        inner = let.value
        while isinstance(inner, syntax.Bracketed):
            inner = inner.inner
        additive = isinstance(inner, syntax.Binary) and inner.sign in "+-"
        return inner if additive and not let.parameters else None

    def _example(self, node: syntax.Example) -> None:
        value = self.resolver.closed(node.value, Type.TRUTH)
        if is_unknown(value):
            return
        if self.resolver.measures.of(value).flags & cost.CHOICE:
            message = "this asks what a move chooses, and a claim is about a position"
            self.names.complain("misplaced", node.value, message)
            return
        self.examples.append(v.Example(node.moves, value, self.names.origin(node)))

    # --- what is not used ---

    def _read_the_rest(self) -> None:
        """Read scans and paths that nothing could use yet."""
        for name, declared in list(self.names.declared.items()):
            if declared.kind in ("scan", "path") and name not in self.names.homes:
                self.resolver.walk(declared.name, declared)
        self.resolver.read_the_rest()

    def _check_unused(self) -> None:
        used = {*names_used(self.tree.items), *self.names.mentioned}
        for name, declared in self.names.declared.items():
            if name in self.names.homes or declared.kind not in _WORTH_USING or name in used:
                continue
            if declared.kind == "factor" and self.resolver.factors[declared.index].for_search:
                continue
            what = "definition" if declared.kind == "let" else declared.kind
            message = f"the {what} `{name}` is never used"
            advice = "say `for search` if only searches use it" if what == "factor" else ""
            self.names.complain("unused-name", declared.name, message, advice)


_WORTH_USING = ("let", "factor", "table", "scan", "path")
