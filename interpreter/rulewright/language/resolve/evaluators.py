"""A whole evaluator: from syntax to the model, for one game with its options fixed.

In: syntax, the rules, and what has read them.  Out: the model, or None when any error was reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector, did_you_mean
from rulewright.language.languages import EVALUATOR
from rulewright.language.resolve import cost
from rulewright.language.resolve.claims import left_out
from rulewright.language.resolve.evaluator_expressions import choices_in, evaluator_scope
from rulewright.language.resolve.evaluator_names import (
    Borrowing,
    EvaluatorGround,
    chosen_by,
    declare_chosen,
    declare_chosen_elsewhere,
    declare_names,
)
from rulewright.language.resolve.name_lookup import read_unused_definitions
from rulewright.language.resolve.scans_and_paths import EvaluatorScope, read_walk
from rulewright.language.resolve.scope import (
    SYMMETRIES,
    Declared,
    Locals,
    is_unknown,
    names_used,
)
from rulewright.language.resolve.statements import FileStatements, check_parameters
from rulewright.language.resolve.values import accept, read_as, read_closed
from rulewright.language.source import Source
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model import properties
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type

MOST_TERMS = 40
"""Summands into which a value is split at the most."""
_ONCE: dict[type[syntax.Node], str] = {
    syntax.Format: "format", syntax.EvaluatorName: "evaluator"
}  # fmt: skip


def resolve_evaluator(
    tree: syntax.Evaluator, source: Source, report: Collector, ground: EvaluatorGround
) -> v.Evaluator | None:
    """Give every name and statement its meaning; report what has none."""
    scope = evaluator_scope(tree, source, report, ground.rules, ground.names)
    file = FileStatements(tree, scope, EVALUATOR.head, _ONCE)
    return None if file.says_nothing() else _read_file(file, scope, ground)


def _read_file(
    file: FileStatements, scope: EvaluatorScope, ground: EvaluatorGround
) -> v.Evaluator | None:
    rules, head = ground.rules, _read_head(file, scope, ground)
    nodes = file.all(syntax.ValueOf)
    declare_chosen(scope, rules, nodes)
    check_parameters(file)
    values = _read_values(scope, rules, nodes)
    lines = _OpeningReader(scope, rules).resolve(file.all(syntax.OpeningLine))
    examples = [_read_example(scope, node) for node in file.all(syntax.ClaimAfter)]
    claims = [_read_claim(scope, node) for node in file.all(syntax.Claim)]
    untested = left_out(file.all(syntax.Untested), properties.EVALUATOR, scope)
    declare_chosen_elsewhere(scope, rules)
    _read_the_rest(scope)
    _check_unused(file, scope)
    if not values and not scope.report.failed and head is not None:
        message = "this evaluator values nothing"
        scope.complain("missing-statement", head, message, "`value of position for mover = ...`")
    if scope.report.failed or head is None:
        return None
    return v.Evaluator(
        name=head.name.text,
        game=head.game.text,
        factors=tuple(scope.factors),
        functions=tuple(scope.functions),
        scans=tuple(scope.scans),
        paths=tuple(scope.paths),
        values=values,
        examples=tuple(filter(None, examples)),
        view=values[0].player,
        origins=tuple(scope.origins),
        openings=tuple(line for line in lines if not line.reply),
        replies=tuple(line for line in lines if line.reply),
        claims=tuple(filter(None, claims)),
        untested=untested,
    )


def _read_head(
    file: FileStatements, scope: EvaluatorScope, ground: EvaluatorGround
) -> syntax.EvaluatorName | None:
    """Read the head; declare the names that the file borrows, and its own."""
    head = file.first(syntax.EvaluatorName)
    name, borrowing = head.name.text if head else "", Borrowing(file, scope, ground)
    file.check_head(head)
    file.check_once()
    if head is not None:
        file.check_game(head.game, ground.rules)
    for use in file.all(syntax.Use):
        for other in use.names:
            borrowing.use(other, [name])
    declare_names(file, scope, name)
    return head


# --- values ---


def _read_values(
    scope: EvaluatorScope, rules: r.Rules, nodes: list[syntax.ValueOf]
) -> tuple[v.ValueOf, ...]:
    """Read values with a name each; who leaves it out means the first, which is used unnamed."""
    values, earlier = [], dict[str, syntax.ValueOf]()
    for node in nodes:
        name = node.name.text if node.name else "value"
        first = earlier.setdefault(name, node)
        if first is not node:
            line = scope.source.line_of(first.span.start)
            message = f"the value `{name}` is there already, in line {line}"
            scope.complain("defined-twice", node.name or node, message, "give it a name")
        values.append(_read_value(scope, rules, node, name))
    for node in nodes[1:]:
        if node.name is None and nodes[0].name is not None:
            first_name = nodes[0].name.text
            message = f"`{first_name}` stands before this value, which has no name"
            advice = "put this value first: it counts where no value is named"
            scope.complain("value-behind", node, message, advice)
    return tuple(filter(None, values))


def _read_value(
    scope: EvaluatorScope, rules: r.Rules, node: syntax.ValueOf, name: str
) -> v.ValueOf | None:
    player = _read_side(scope, node.player)
    parts = tuple(read_closed(scope, part, Type.REAL) for part in node.parts)
    fine = [
        _fits(scope, rules, part, node, place)
        for part, place in zip(parts, node.parts, strict=True)
    ]
    if player is None or is_unknown(*parts) or not all(fine):
        return None
    moves = [scope.moves.get(move.text) for move in node.moves]
    if None in moves or not _harmless(scope, parts, node):
        return None
    _check_choices(scope, rules, node, parts)
    numbers = tuple(move.index for move in moves if move is not None)
    terms = tuple(_terms(scope, node.parts[0], False, ()))
    if not 1 < len(terms) <= MOST_TERMS or any(is_unknown(t.value) for t in terms):
        terms = (v.Term(scope.text_of(node.parts[0]), False, parts[0]),)
    texts = tuple(" ".join(scope.text_of(part).split()) for part in node.parts)
    return v.ValueOf(name, numbers, player, parts, terms, scope.origin(node), texts)


def _read_side(scope: EvaluatorScope, name: syntax.Name) -> int | None:
    if name.text == "mover":
        return m.MOVER
    if name.text in scope.players:
        return scope.players.index(name.text)
    if name.text in ("own", "enemy"):
        message = f"a value is for a player or for `mover`, and `{name.text}` is neither"
        scope.complain("unknown-word", name, message)
    else:
        scope.unknown(name, "player", ("mover", *scope.players))
    return None


def _fits(
    scope: EvaluatorScope, rules: r.Rules, part: Expr, node: syntax.ValueOf, place: syntax.Expr
) -> bool:
    """Whether a part asks only for what its moves choose; reports it if not."""
    if is_unknown(part):
        return False
    needs_move = bool(scope.measures.of(part).flags & cost.CHOICE)
    if needs_move and not node.moves:
        message = "a value of positions knows no move, so it cannot ask what a move chooses"
        scope.complain("misplaced", place, message, "`value of move M for P = ...`")
        return False
    for move in node.moves:
        missing = choices_in(scope, part) - chosen_by(scope, rules, move).keys()
        if missing and move.text in scope.moves:
            message = f"the move `{move.text}` chooses no `{min(missing)}`"
            scope.complain("misplaced", move, message)
            return False
    return True


def _check_choices(
    scope: EvaluatorScope, rules: r.Rules, node: syntax.ValueOf, parts: tuple[Expr, ...]
) -> None:
    """Report a value of moves that asks nothing of what they choose; plain numbers mark a move."""
    chosen = [name for move in node.moves for name in chosen_by(scope, rules, move)]
    if not chosen or all(isinstance(part, Const | m.FactorValue) for part in parts):
        return
    if any(scope.measures.of(part).flags & cost.CHOICE for part in parts):
        return
    moves = " or ".join(move.text for move in node.moves)
    message = f"this value is the same for all decisions of `{moves}`"
    hint = f"ask for `{chosen[0]}`, which the move chooses, or for `change(...)`"
    scope.complain("same-value", node.parts[0], message, hint)


def _harmless(scope: EvaluatorScope, parts: tuple[Expr, ...], node: syntax.ValueOf) -> bool:
    """Report a constant part that cannot be worked out, such as a division by zero."""
    for part, place in zip(parts, node.parts, strict=True):
        if isinstance(part, Const) and not isinstance(part.value, int | float):
            scope.complain("wrong-type", place, "a value is a number")
            return False
    return True


def _terms(
    scope: EvaluatorScope, node: syntax.Expr, subtract: bool, views: tuple[syntax.Name, ...]
) -> Iterator[v.Term]:
    """The summands of a value, through brackets, `for` and definitions that are sums."""
    match node:
        case syntax.Bracketed(inner):
            yield from _terms(scope, inner, subtract, views)
        case syntax.Binary("+" | "-" as sign, left, right):
            yield from _terms(scope, left, subtract, views)
            yield from _terms(scope, right, subtract ^ (sign == "-"), views)
        case syntax.Prefix("-", operand):
            yield from _terms(scope, operand, not subtract, views)
        case syntax.Viewed(operand, player):
            yield from _terms(scope, operand, subtract, (*views, player))
        case _:
            body = _sum_behind(scope, node)
            if body is not None:
                yield from _terms(scope, body, subtract, views)
                return
            yield _term(scope, node, subtract, views)


def _term(
    scope: EvaluatorScope, node: syntax.Expr, subtract: bool, views: tuple[syntax.Name, ...]
) -> v.Term:
    whole, text = node, " ".join(scope.text_of(node).split())
    for player in reversed(views):
        whole = syntax.Viewed(whole, player, span=node.span)
        text = f"{text} for {player.text}"
    return v.Term(text, subtract, read_closed(scope, whole, Type.REAL))


def _sum_behind(scope: EvaluatorScope, node: syntax.Expr) -> syntax.Expr | None:
    """The sum that a name of this file stands for, if it does."""
    if not isinstance(node, syntax.Name) or node.text in scope.homes:
        return None
    declared = scope.declared.get(node.text)
    if declared is None or declared.kind != "let" or len(declared.nodes) != 1:
        return None
    let: syntax.Let = declared.nodes[0]
    inner = let.value
    while isinstance(inner, syntax.Bracketed):
        inner = inner.inner
    additive = isinstance(inner, syntax.Binary) and inner.sign in "+-"
    return inner if additive and not let.parameters else None


def _read_example(scope: EvaluatorScope, node: syntax.ClaimAfter) -> v.ClaimAfter | None:
    value = read_closed(scope, node.value, Type.TRUTH)
    if is_unknown(value):
        return None
    if scope.measures.of(value).flags & cost.CHOICE:
        message = "a claim is about a position, so it cannot ask what a move chooses"
        scope.complain("misplaced", node.value, message)
        return None
    return v.ClaimAfter(node.moves, value, scope.origin(node))


def _read_claim(scope: EvaluatorScope, node: syntax.Claim) -> r.Claim | None:
    """A law of all positions."""
    what = node.what.text if node.what else ""
    if node.what is not None and what not in SYMMETRIES:
        advice = did_you_mean(what, SYMMETRIES) or f"expected {' or '.join(SYMMETRIES)}"
        message = f"`{what}` cannot be claimed here"
        scope.complain("unknown-word", node.what, message, advice)
        return None
    return r.Claim(node.kind, what, None, (), node.swap, scope.origin(node))


# --- what is not used ---


def _read_the_rest(scope: EvaluatorScope) -> None:
    """Read scans and paths that nothing could use yet."""
    for name, declared in list(scope.declared.items()):
        if declared.kind in ("scan", "path") and name not in scope.homes:
            read_walk(scope, declared.name, declared)
    read_unused_definitions(scope)


def _check_unused(file: FileStatements, scope: EvaluatorScope) -> None:
    used = {*names_used(file.tree.items), *scope.mentioned}
    for name, declared in scope.declared.items():
        if name in scope.homes or declared.kind not in _WORTH_USING or name in used:
            continue
        if declared.kind == "factor" and scope.factors[declared.index].for_search:
            continue
        what = "definition" if declared.kind == "let" else declared.kind
        message = f"the {what} `{name}` is never used"
        advice = "say `for search` if only searches use it" if what == "factor" else ""
        scope.complain("unused-name", declared.name, message, advice)


_WORTH_USING = ("let", "factor", "table", "scan", "path")


@record
class _OpeningReader(Record):
    """Reads openings and replies: lines that say decisions by sets, and when they do."""

    scope: EvaluatorScope
    rules: r.Rules

    def resolve(self, nodes: list[syntax.OpeningLine]) -> tuple[v.OpeningLine, ...]:
        """The lines that have no mistakes."""
        scope, earlier = self.scope, dict[str, syntax.OpeningLine]()
        for node in nodes:
            first = earlier.setdefault(node.name.text, node)
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

    def _read(self, node: syntax.Expr, frame: Locals, type_: Type) -> Expr:
        expression = accept(self.scope, read_as(self.scope, node, frame, type_), node)
        if not is_unknown(expression) and self.scope.measures.of(expression).flags & cost.CHOICE:
            message = "an opening is about a position, so it cannot ask what a move chooses"
            self.scope.complain("misplaced", node, message)
        return expression

    def _chance(self, node: syntax.Quantity | None) -> float:
        if node is None:
            return 1
        scope = self.scope
        if not node.percent:
            message, advice = "the chance of a line is a percentage", "write `with 50%`"
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
