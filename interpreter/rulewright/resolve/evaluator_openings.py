"""Openings and replies of evaluators: lines that say decisions by sets, and when they do.

In: the lines, what has read the rest of the evaluator, and the rules.  Out: the model's lines.
Refuses a set where the move does not choose one site, and what asks for the judged move.
"""

from __future__ import annotations

from rulewright.language import syntax
from rulewright.model import evaluation as v
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type
from rulewright.records import Record, record
from rulewright.resolve import cost
from rulewright.resolve.evaluator_expressions import EvaluatorExpressions
from rulewright.resolve.scope import Declared, Locals, is_unknown


@record
class OpeningReader(Record):
    """Gives the lines of one evaluator their meaning."""

    resolver: EvaluatorExpressions
    rules: r.Rules

    def resolve(self, nodes: list[syntax.OpeningLine]) -> tuple[v.OpeningLine, ...]:
        """The lines that have no mistakes."""
        scope, seen = self.resolver.scope, dict[str, syntax.OpeningLine]()
        for node in nodes:
            first = seen.setdefault(node.name.text, node)
            if first is not node:
                line = scope.source.line_of(first.span.start)
                message = f"the line `{node.name.text}` is there already, in line {line}"
                scope.complain("defined-twice", node.name, message)
        return tuple(filter(None, map(self._line, nodes)))

    def _line(self, node: syntax.OpeningLine) -> v.OpeningLine | None:
        scope, frame = self.resolver.scope, Locals()
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
        found = self.resolver.accept(self.resolver.want(node, frame, wanted), node)
        if not is_unknown(found) and self.resolver.measures.of(found).flags & cost.CHOICE:
            message = "this asks what a move chooses, and an opening is about the position before"
            self.resolver.scope.complain("misplaced", node, message)
        return found

    def _chance(self, node: syntax.Quantity | None) -> float:
        if node is None:
            return 1
        scope = self.resolver.scope
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
        self.resolver.scope.complain("misplaced", node.sets[0], message, "leave out `from`")
        return False


def _chooses(statement: object) -> bool:
    return isinstance(statement, r.Choose | r.ChooseRay)
