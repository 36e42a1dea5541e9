"""A whole evaluator: from syntax to the model, for one game with its options fixed.

In: syntax, the rules, and what has read them.  Out: the model, or None when any error was reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from attrs import define, evolve, field

from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector, did_you_mean
from rulewright.language.parse import EVALUATOR
from rulewright.language.resolve import cost
from rulewright.language.resolve.claims import left_out
from rulewright.language.resolve.evaluator_expressions import choices_in, evaluator_scope
from rulewright.language.resolve.evaluator_names import EvaluatorNames, Finder
from rulewright.language.resolve.names import read_unused_definitions
from rulewright.language.resolve.scans_and_paths import EvaluatorScope, read_walk
from rulewright.language.resolve.scope import (
    SYMMETRIES,
    Declared,
    Locals,
    Scope,
    is_unknown,
    names_used,
)
from rulewright.language.resolve.values import accept, read_as, read_closed
from rulewright.language.source import Source
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model import properties
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type

MOST_TERMS = 40
"""Summands into which a value is split at the most."""


@record
class EvaluatorGround(Record):
    """What an evaluator stands on: the rules, what has read them, and other evaluators by name."""

    rules: r.Rules
    names: Scope
    find: Finder
    known: Iterable[str]
    """The names of the evaluators there are."""


def resolve_evaluator(
    tree: syntax.Evaluator, source: Source, report: Collector, ground: EvaluatorGround
) -> v.Evaluator | None:
    """Give every name and statement its meaning; report what has none."""
    rules, names = ground.rules, ground.names
    scope = evaluator_scope(tree, source, report, rules, names)
    return _File(tree, scope, rules, ground.find, ground.known).resolve()


@define
class _File(EvaluatorNames):
    """A whole file."""

    examples: list[v.ClaimAfter] = field(factory=list)
    claims: tuple[r.Claim, ...] = ()
    untested: tuple[r.Untested, ...] = ()
    form = EVALUATOR.head
    once: ClassVar = {syntax.Format: "format", syntax.EvaluatorName: "evaluator"}

    def resolve(self) -> v.Evaluator | None:
        scope, head = self.scope, self.first(syntax.EvaluatorName)
        if self._says_nothing():
            return None
        self._check_head(head, "the evaluator")
        self._check_statements_once()
        if head is not None:
            self._check_game("evaluator", head.game, self.rules.name)
        for use in self.all(syntax.Use):
            for name in use.names:
                self._use(name, [head.name.text if head else ""])
        self._declare(self.tree, head.name.text if head else "")
        self._declare_lets()
        self._declare_chosen()
        self._check_parameters()
        values = [self._value(node) for node in self._values()]
        self._check_first()
        openings = _Openings(self.scope, self.rules)
        lines = openings.resolve(self.all(syntax.OpeningLine))
        for example in self.all(syntax.ClaimAfter):
            self._example(example)
        self.claims = tuple(filter(None, map(self._claim, self.all(syntax.Claim))))
        self.untested = left_out(self.all(syntax.Untested), properties.EVALUATOR, self.scope)
        self._read_the_rest()
        self._check_unused()
        known = tuple(value for value in values if value is not None)
        if not known and not scope.report.failed and head is not None:
            message = "this evaluator values nothing"
            advice = "`value of position for mover = ...`"
            scope.complain("missing-statement", head, message, advice)
        if scope.report.failed or head is None:
            return None
        opening, replies = (tuple(n for n in lines if n.reply is it) for it in (False, True))
        return evolve(self._model(head, known), openings=opening, replies=replies)

    def _model(self, head: syntax.EvaluatorName, values: tuple[v.ValueOf, ...]) -> v.Evaluator:
        scope = self.scope
        return v.Evaluator(
            name=head.name.text,
            game=head.game.text,
            factors=tuple(scope.factors),
            functions=tuple(scope.functions),
            scans=tuple(scope.scans),
            paths=tuple(scope.paths),
            values=values,
            examples=tuple(self.examples),
            view=values[0].player,
            origins=tuple(self.scope.origins),
            claims=self.claims,
            untested=self.untested,
        )

    # --- values ---

    def _check_first(self) -> None:
        """Who leaves the name of a value out means the one that is used where none is named."""
        values = self._values()
        for node in values[1:]:
            if node.name is None and values[0].name is not None:
                first = values[0].name.text
                message = f"`{first}` stands before this value, and is used where none is named"
                self.scope.complain("value-behind", node, message, "let this value come first")

    def _value(self, node: syntax.ValueOf) -> v.ValueOf | None:
        name = node.name.text if node.name else "value"
        same = [n for n in self._values() if (n.name.text if n.name else "value") == name]
        if same[0] is not node:
            line = self.scope.source.line_of(same[0].span.start)
            message = f"the value `{name}` is there already, in line {line}"
            self.scope.complain("defined-twice", node.name or node, message, "give it a name")
        player = self._side(node.player)
        parts = tuple(read_closed(self.scope, part, Type.REAL) for part in node.parts)
        fine = [self._fits(p, node, n) for p, n in zip(parts, node.parts, strict=True)]
        if player is None or is_unknown(*parts) or not all(fine):
            return None
        moves = [self.scope.moves.get(move.text) for move in node.moves]
        if None in moves or not self._harmless(parts, node):
            return None
        numbers = tuple(move.index for move in moves if move is not None)
        terms = tuple(self._terms(node.parts[0], False, ()))
        if not 1 < len(terms) <= MOST_TERMS or any(is_unknown(t.value) for t in terms):
            terms = (v.Term(self._shown(node.parts[0]), False, parts[0]),)
        texts = tuple(" ".join(self._shown(part).split()) for part in node.parts)
        return v.ValueOf(name, numbers, player, parts, terms, self.scope.origin(node), texts)

    def _side(self, name: syntax.Name) -> int | None:
        if name.text == "mover":
            return m.MOVER
        if name.text in self.rules.players:
            return self.rules.players.index(name.text)
        if name.text in ("own", "enemy"):
            message = f"a value is for a player or for `mover`; who would `{name.text}` be?"
            self.scope.complain("unknown-word", name, message)
        else:
            self.scope.unknown(name, "player", ("mover", *self.rules.players))
        return None

    def _fits(self, part: Expr, node: syntax.ValueOf, place: syntax.Expr) -> bool:
        """Whether a part asks only for what its moves choose; reports it if not."""
        if is_unknown(part):
            return False
        asked = bool(self.scope.measures.of(part).flags & cost.CHOICE)
        if asked and not node.moves:
            message = "this asks what a move chooses, and this is the value of a position"
            self.scope.complain("misplaced", place, message, "`value of move M for P = ...`")
            return False
        for move in node.moves:
            missing = choices_in(self.scope, part) - self._chosen_by(move).keys()
            if missing and move.text in self.scope.moves:
                message = f"the move `{move.text}` chooses no `{min(missing)}`"
                self.scope.complain("misplaced", move, message)
                return False
        return True

    def _harmless(self, parts: tuple[Expr, ...], node: syntax.ValueOf) -> bool:
        """Report a constant part that cannot be worked out, such as a division by zero."""
        for part, place in zip(parts, node.parts, strict=True):
            if isinstance(part, Const) and not isinstance(part.value, int | float):
                self.scope.complain("wrong-type", place, "a value is a number")
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
        return v.Term(text, subtract, read_closed(self.scope, whole, Type.REAL))

    def _sum_behind(self, node: syntax.Expr) -> syntax.Expr | None:
        """The sum that a name of this file stands for, if it does."""
        if not isinstance(node, syntax.Name) or node.text in self.scope.homes:
            return None
        declared = self.scope.declared.get(node.text)
        if declared is None or declared.kind != "let" or len(declared.nodes) != 1:
            return None
        let: syntax.Let = declared.nodes[0]
        inner = let.value
        while isinstance(inner, syntax.Bracketed):
            inner = inner.inner
        additive = isinstance(inner, syntax.Binary) and inner.sign in "+-"
        return inner if additive and not let.parameters else None

    def _example(self, node: syntax.ClaimAfter) -> None:
        value = read_closed(self.scope, node.value, Type.TRUTH)
        if is_unknown(value):
            return
        if self.scope.measures.of(value).flags & cost.CHOICE:
            message = "this asks what a move chooses, and a claim is about a position"
            self.scope.complain("misplaced", node.value, message)
            return
        self.examples.append(v.ClaimAfter(node.moves, value, self.scope.origin(node)))

    def _claim(self, node: syntax.Claim) -> r.Claim | None:
        """A law of all positions."""
        what = node.what.text if node.what else ""
        if node.what is not None and what not in SYMMETRIES:
            advice = did_you_mean(what, SYMMETRIES) or f"expected {' or '.join(SYMMETRIES)}"
            message = f"`{what}` is nothing that can be claimed here"
            self.scope.complain("unknown-word", node.what, message, advice)
            return None
        return r.Claim(node.kind, what, None, (), node.swap, self.scope.origin(node))

    # --- what is not used ---

    def _read_the_rest(self) -> None:
        """Read scans and paths that nothing could use yet."""
        for name, declared in list(self.scope.declared.items()):
            if declared.kind in ("scan", "path") and name not in self.scope.homes:
                read_walk(self.scope, declared.name, declared)
        read_unused_definitions(self.scope)

    def _check_unused(self) -> None:
        used = {*names_used(self.tree.items), *self.scope.mentioned}
        for name, declared in self.scope.declared.items():
            if name in self.scope.homes or declared.kind not in _WORTH_USING or name in used:
                continue
            if declared.kind == "factor" and self.scope.factors[declared.index].for_search:
                continue
            what = "definition" if declared.kind == "let" else declared.kind
            message = f"the {what} `{name}` is never used"
            advice = "say `for search` if only searches use it" if what == "factor" else ""
            self.scope.complain("unused-name", declared.name, message, advice)


_WORTH_USING = ("let", "factor", "table", "scan", "path")


@record
class _Openings(Record):
    """Reads openings and replies: lines that say decisions by sets, and when they do."""

    scope: EvaluatorScope
    rules: r.Rules

    def resolve(self, nodes: list[syntax.OpeningLine]) -> tuple[v.OpeningLine, ...]:
        """The lines that have no mistakes."""
        scope, seen = self.scope, dict[str, syntax.OpeningLine]()
        for node in nodes:
            first = seen.setdefault(node.name.text, node)
            if first is not node:
                line = scope.source.line_of(first.span.start)
                message = f"the line `{node.name.text}` is there already, in line {line}"
                scope.complain("defined-twice", node.name, message)
        return tuple(filter(None, map(self._line, nodes)))

    def _line(self, node: syntax.OpeningLine) -> v.OpeningLine | None:
        scope, frame = self.scope, Locals()
        if node.reply and len(node.last) > v.REMEMBERED:
            message = f"a reply knows the last {v.REMEMBERED} decisions"
            scope.complain("out-of-range", node.last[v.REMEMBERED], message)
        for name in node.last:
            if scope.check_local(name, frame):
                frame.add(name, Type.SITE)
        sets = tuple(self._read(s, frame, Type.SITES) for s in node.sets)
        when: Expr = Const(Type.TRUTH, True)
        if node.condition is not None:
            when = self._read(node.condition, frame, Type.TRUTH)
        declared = scope.moves.get(node.move.text)
        if declared is None:
            scope.unknown(node.move, "move", scope.moves)
        chance = self._chance(node.chance)
        if declared is None or is_unknown(when, *sets) or not self._one_site(node, declared):
            return None
        origin, last = scope.origin(node), len(node.last)
        return v.OpeningLine(
            node.name.text, declared.index, last, frame.size, sets, when, chance, origin, node.reply
        )

    def _read(self, node: syntax.Expr, frame: Locals, wanted: Type) -> Expr:
        expression = accept(self.scope, read_as(self.scope, node, frame, wanted), node)
        if not is_unknown(expression) and self.scope.measures.of(expression).flags & cost.CHOICE:
            message = "this asks what a move chooses, and an opening is about the position before"
            self.scope.complain("misplaced", node, message)
        return expression

    def _chance(self, node: syntax.Quantity | None) -> float:
        if node is None:
            return 1
        scope = self.scope
        if not node.percent:
            message, advice = "how often a line is followed is a share", "write `with 50%`"
            scope.complain("unit", node, message, advice)
        elif not 0 < node.value <= 1:
            message = "a line is followed in more than 0% and at most 100% of cases"
            scope.complain("out-of-range", node, message)
        return node.value

    def _one_site(self, node: syntax.OpeningLine, declared: Declared) -> bool:
        """Whether a set can say which decision is meant; reports it if not."""
        body = self.rules.moves[declared.index].body
        single = [s for s in body if isinstance(s, r.Choose) and s.domain.type is Type.SITES]
        if not node.sets or len(single) == 1 == sum(map(_chooses, body)):
            return True
        message = f"`{node.move.text}` does not choose one site, so a set cannot say which is meant"
        self.scope.complain("misplaced", node.sets[0], message, "leave out `from`")
        return False


def _chooses(statement: object) -> bool:
    return isinstance(statement, r.Choose | r.ChooseRay)
