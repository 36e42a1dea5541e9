"""Expressions and texts: every name and sign gets its meaning and its type.

In: a syntax expression and the local names.  Out: an expression of the model, or a notation.  A
mistake is reported once and replaced by a value of unknown type, which fits everywhere.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress

from attrs import define

from rulewright.errors import Fault
from rulewright.language import limits, syntax
from rulewright.language.diagnostics import nearest
from rulewright.model import expressions as m
from rulewright.model.board import Step
from rulewright.model.expressions import Apply, Const, Expr, Function, Type
from rulewright.model.walk import nodes as walked
from rulewright.reference.evaluate import evaluate
from rulewright.resolve import cost
from rulewright.resolve.names import NUMBERS, SETS, STEPS, UNKNOWN, Names, common, hint
from rulewright.resolve.scope import VALUES, Locals, is_unknown

_ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_WHOLE = {"div": "div", "mod": "mod"}
_COMPARE = {
    "<": ("less", False), "<=": ("less_equal", False),
    ">": ("less", True), ">=": ("less_equal", True),
}  # fmt: skip


@define
class Expressions(Names):
    """Resolves expressions against the names of one file and one board."""

    @abstractmethod
    def call(self, node: syntax.Call, frame: Locals) -> Expr:
        """A call; see `calls.py`."""

    @abstractmethod
    def ray(self, node: syntax.Ray, frame: Locals) -> Expr:
        """A ray as a value; see `calls.py`."""

    # --- entry points ---

    def want(self, node: syntax.Expr, frame: Locals, wanted: Type) -> Expr:
        """The expression as a value of the wanted type; a mismatch is reported."""
        return self.fit(self.expr(node, frame), node, wanted)

    def closed(self, node: syntax.Expr, wanted: Type) -> Expr:
        """An expression outside any body; its variables get a frame of their own."""
        frame = Locals()
        return self.enclose(self.want(node, frame, wanted), frame, node)

    def enclose(self, found: Expr, frame: Locals, node: syntax.Node) -> Expr:
        """*found*, with a frame for the variables it needs."""
        found = self.accept(found, node)
        if frame.size == 0:
            return found
        self.functions.append(Function("", 0, frame.size, (found,), self.scope.origin(node)))
        return m.CallFunction(found.type, len(self.functions) - 1, ())

    def number(self, node: syntax.Expr, frame: Locals | None = None) -> int | None:
        """The value of a constant whole number."""
        inner = frame or Locals()
        found = self.enclose(self.want(node, inner, Type.INT), inner, node)
        value = self.constant(found, node)
        return value if isinstance(value, int) else None

    # --- nodes ---

    def expr(self, node: syntax.Expr, frame: Locals) -> Expr:
        """The model's expression for *node*, of whatever type it has."""
        if self._level > limits.HEIGHT or not self.within_budget(node):
            if self._level > limits.HEIGHT:
                self._complain_height(node)
            return UNKNOWN
        self._level += 1
        found = self._expr(node, frame)
        self._level -= 1
        return found

    def _expr(self, node: syntax.Expr, frame: Locals) -> Expr:
        match node:
            case syntax.Name():
                return self.name(node, frame)
            case syntax.Number():
                return self._number(node)
            case syntax.Call():
                return self.call(node, frame)
            case syntax.Prefix():
                return self._prefix(node, frame)
            case syntax.Binary():
                return self._binary(node, frame)
            case syntax.Many():
                return self._many(node, frame)
            case syntax.Conditional():
                return self._conditional(node, frame)
            case syntax.Viewed():
                return self._viewed(node, frame)
            case syntax.Interval():
                low = self.want(node.low, frame, Type.INT)
                high = self.want(node.high, frame, Type.INT)
                return self.apply("range", (low, high), node)
            case syntax.Bracketed():
                return self.expr(node.inner, frame)
            case syntax.ListOf():
                return self._list(node, frame)
            case syntax.Ray():
                return self.ray(node, frame)
            case syntax.Text():
                message = "a text can stand only after `write`, `label` and in `pieces`"
                self.scope.complain("wrong-type", node, message)
                return UNKNOWN

    # --- signs ---

    def _number(self, node: syntax.Number) -> Expr:
        if node.value >= limits.NUMBER:
            message = "this number is too large: it needs more than 62 bits"
            self.scope.complain("out-of-range", node, message)
            return UNKNOWN
        return Const(Type.INT if isinstance(node.value, int) else Type.REAL, node.value)

    def _prefix(self, node: syntax.Prefix, frame: Locals) -> Expr:
        found = self.expr(node.operand, frame)
        if is_unknown(found):
            return UNKNOWN
        match node.sign:
            case "-":
                return self.apply("negate", (self.fit(found, node.operand, Type.REAL),), node)
            case "count" if found.type is Type.FAMILY:
                return self.apply("members", (found,), node)
            case "count":
                return self.apply("count", (self.fit(found, node.operand, Type.SITES),), node)
            case "not" if found.type in SETS:
                sites = self.fit(found, node.operand, Type.SITES)
                return self.apply("complement", (sites,), node)
            case "not":
                return self.apply("not", (self.fit(found, node.operand, Type.TRUTH),), node)
        some = self.apply("any", (self.fit(found, node.operand, Type.SITES),), node)
        return some if node.sign == "any" else self.apply("not", (some,), node)

    def _binary(self, node: syntax.Binary, frame: Locals) -> Expr:
        sign = node.sign
        if sign in _ARITHMETIC or sign in _WHOLE:
            wanted = Type.INT if sign in _WHOLE else Type.REAL
            left = self.want(node.left, frame, wanted)
            right = self.want(node.right, frame, wanted)
            return self.apply(_ARITHMETIC.get(sign) or _WHOLE[sign], (left, right), node)
        if sign in _COMPARE:
            operation, turned = _COMPARE[sign]
            left = self.want(node.left, frame, Type.REAL)
            right = self.want(node.right, frame, Type.REAL)
            return self.apply(operation, (right, left) if turned else (left, right), node)
        if sign == "meets":
            left = self.want(node.left, frame, Type.SITES)
            return self.apply("meets", (left, self.want(node.right, frame, Type.SITES)), node)
        left, right = self.expr(node.left, frame), self.expr(node.right, frame)
        if sign == "in" and not is_unknown(right):
            return self._in(node, left, right)
        if is_unknown(left, right):
            return UNKNOWN
        same = self._equal(node, left, right)
        return same if sign == "=" else self.apply("not", (same,), node)

    def _in(self, node: syntax.Binary, left: Expr, right: Expr) -> Expr:
        if right.type is Type.RANGE and isinstance(right, Apply | Const):
            number = self.fit(left, node.left, Type.REAL)
            return self.apply("between", (number, *self._ends_of(right)), node)
        if left.type in NUMBERS and right.type is not Type.RANGE:
            self.fit(right, node.right, Type.RANGE)
            return UNKNOWN
        if right.type is Type.RANGE:
            self.fit(left, node.left, Type.INT)
            return UNKNOWN
        sites = self.fit(left, node.left, Type.SITES), self.fit(right, node.right, Type.SITES)
        if isinstance(left, Apply) and left.operation in ("step", "linked", "ends"):
            message = "this set can be empty (at the border, say), and then `in` is false"
            advice = "say what must not be there: `no south(a) empty`"
            self.scope.complain("empty-in", node.left, message, advice)
        return self.apply("inside", sites, node)

    @staticmethod
    def _ends_of(interval: Apply | Const) -> tuple[Expr, Expr]:
        if isinstance(interval, Apply):
            return interval.arguments[0], interval.arguments[1]
        assert isinstance(interval.value, tuple)
        low, high = interval.value
        return Const(Type.INT, low), Const(Type.INT, high)

    def _equal(self, node: syntax.Binary, left: Expr, right: Expr) -> Expr:
        types = {left.type, right.type}
        shared = common(left.type, right.type)
        if shared is None or shared in (Type.FAMILY, Type.TEXT, Type.RANGE, Type.LINK):
            message = f"{left.type} cannot be compared with {right.type}"
            advice = hint(left.type, right.type) or hint(right.type, left.type)
            self.scope.complain("wrong-type", node, message, advice)
            return UNKNOWN
        if self._unlike(left, right) or self._unlike(right, left):
            one, other = ("player", "players") if Type.PLAYER in types else ("kind", "kinds")
            message = f"a {one} is compared with a set of sites here, as the set of its pieces"
            advice = f"compare {other} with each other; of sites, write `in`: `b in king`"
            self.scope.complain("wrong-type", node, message, advice)
            return UNKNOWN
        if shared in SETS and shared not in (Type.KIND, Type.PLAYER):
            left = self.fit(left, node.left, Type.SITES)
            right = self.fit(right, node.right, Type.SITES)
        return self.apply("equal", (left, right), node)

    @staticmethod
    def _unlike(one: Expr, other: Expr) -> bool:
        """Whether the sites of a player or a kind are compared, where something else is meant.

        A set of own pieces may be those of a player; a site, or what a state holds, hardly is; and
        `mover` is who is to move.
        """
        if one.type not in (Type.KIND, Type.PLAYER):
            return False
        if other.type is Type.SITE or isinstance(other, m.StateValue):
            return True
        return other.type is Type.SITES and not isinstance(one, Const) and one.type is Type.PLAYER

    def _many(self, node: syntax.Many, frame: Locals) -> Expr:
        items = [self.expr(item, frame) for item in node.items]
        known = [item.type for item in items if not is_unknown(item)]
        if not known:
            return UNKNOWN
        if node.sign == "&":
            return self._adjoined(node, items)
        if known[0] in STEPS and node.sign == "or":
            parts = self._fit_all(items, node.items, Type.STEPS)
            return self.apply("join_steps", parts, node)
        if known[0] in SETS:
            sets = self._fit_all(items, node.items, Type.SITES)
            return self.apply("unite" if node.sign == "or" else "intersect", sets, node)
        truths = self._truths(node, items)
        return UNKNOWN if is_unknown(*truths) else m.Logic(Type.TRUTH, node.sign == "and", truths)

    def _fit_all(
        self, items: Sequence[Expr], nodes: Sequence[syntax.Expr], wanted: Type
    ) -> tuple[Expr, ...]:
        return tuple(self.fit(i, n, wanted) for i, n in zip(items, nodes, strict=True))

    def _truths(self, node: syntax.Many, items: list[Expr]) -> tuple[Expr, ...]:
        """The items as truths; `a in king or man` is read as `(a in king) or man`."""
        found, advice = [], ""
        for item, part in zip(items, node.items, strict=True):
            set_of_sites = item.type in SETS
            found.append(self.fit(item, part, Type.TRUTH, advice if set_of_sites else ""))
            if isinstance(part, syntax.Binary) and part.sign in ("in", "meets", "="):
                advice = f"put sets in brackets: `... {part.sign} (A {node.sign} B)`"
        return tuple(found)

    def _adjoined(self, node: syntax.Many, items: list[Expr]) -> Expr:
        for item, part in zip(items, node.items, strict=True):
            if item.type not in SETS and not is_unknown(item):
                message = f"only sets stand side by side, and this is {item.type}"
                advice = "join truths with `and`" if item.type is Type.TRUTH else ""
                advice = advice or hint(item.type, Type.SITES)
                self.scope.complain("wrong-type", part, message, advice)
                return UNKNOWN
        self._warn_apart(node, items)
        return self.apply("intersect", self._fit_all(items, node.items, Type.SITES), node)

    def _warn_apart(self, node: syntax.Many, items: list[Expr]) -> None:
        fixed = [i for i in items if isinstance(i, Const)]
        kinds = {i.value for i in fixed if i.type is Type.KIND}
        players = {i.value for i in fixed if i.type is Type.PLAYER}
        sides = {i.operation for i in items if isinstance(i, Apply) and not i.arguments}
        sites = {i.value for i in fixed if i.type is Type.SITE}
        several = max(len(kinds), len(players), len(sites)) > 1
        if several or {"own", "enemy"} <= sides or {"empty", "full"} <= sides:
            message = "these sets have no site in common, so this is always empty"
            self.scope.complain("always-empty", node, message, "`or` unites sets")
        names = [n.text for n in node.items if isinstance(n, syntax.Name)]
        twice = next((n for n in names if names.count(n) > 1), None)
        if twice:
            message = f"`{twice}` stands here twice, which changes nothing"
            self.scope.complain("same-twice", node, message)

    def warn_one_way(self, node: syntax.Node, along: Expr) -> None:
        """Report steps of `groups` some of which do not lead back; neighbours count either way."""
        if self.board is None or is_unknown(along):
            return
        known = [self._steps_known(along, view) for view in (0, 1)]
        if any(set(self.board.both_ways(steps)) - set(steps) for steps in known):
            message = "some of these steps do not lead back; `groups` counts neighbours either way"
            advice = "what steps lead to in one direction is `reach(A, B, D)`"
            self.scope.complain("one-way-groups", node, message, advice)

    def _steps_known(self, along: Expr, view: int) -> tuple[Step, ...]:
        """The steps as a player sees them; none where a position or a variable matters."""
        measure = self.measures.of(along)
        free = any(isinstance(n, m.Local) for n in walked(along))
        if free or measure.flags & cost.POSITION or not self.affordable(measure, None):
            return ()
        context = self.static_context()
        context.view = view
        with suppress(Fault):
            return tuple(evaluate(along, context))
        return ()

    def _conditional(self, node: syntax.Conditional, frame: Locals) -> Expr:
        condition = self.want(node.condition, frame, Type.TRUTH)
        then, other = self.expr(node.then, frame), self.expr(node.otherwise, frame)
        if is_unknown(condition, then, other):
            return UNKNOWN
        shared = common(then.type, other.type)
        if shared is None:
            message = f"the two sides differ: {then.type} and {other.type}"
            self.scope.complain("wrong-type", node, message)
            return UNKNOWN
        then = self.fit(then, node.then, shared)
        other = self.fit(other, node.otherwise, shared)
        return m.Conditional(shared, condition, then, other)

    def _viewed(self, node: syntax.Viewed, frame: Locals) -> Expr:
        player = self.player(node.player)
        found = self.expr(node.operand, frame)
        if player is None or is_unknown(found):
            return UNKNOWN
        self._check_view(node)
        return found if player == -1 else m.Viewed(found.type, player, found)

    def _check_view(self, node: syntax.Viewed) -> None:
        """Report `for` behind a name that looks the same to every player."""
        if not isinstance(node.operand, syntax.Name):
            return
        name, player = node.operand.text, node.player.text
        declared = self.scope.declared.get(name)
        kind = declared.kind if declared else ""
        if kind in ("let", "state") or name in (*VALUES, "mover"):
            return
        advice = f"to give it to one player, write `let NAME for {player} = {name}`"
        if kind == "kind of piece":
            advice = f"the pieces of one player are `own {name} for {player}`"
        message = f"`{name}` is the same for both players, so `for` changes nothing"
        self.scope.complain("same-for-both", node, message, advice)

    def _list(self, node: syntax.ListOf, frame: Locals) -> Expr:
        items = [self.expr(item, frame) for item in node.items]
        if is_unknown(*items):
            return UNKNOWN
        types = {item.type for item in items}
        if types <= NUMBERS:
            return self.apply("numbers", tuple(items), node)
        if types == {Type.KIND}:
            return self.apply("kinds", tuple(items), node)
        sets = self._fit_all(items, node.items, Type.SITES)
        return self.apply("family", sets, node)

    # --- texts: a hole may hold anything that can be shown ---

    def no_blanks(self, text: syntax.Expr) -> None:
        """Report a notation that could not be told from two moves."""
        match text:
            case syntax.Text(parts):
                if any(isinstance(part, str) and " " in part for part in parts):
                    message = "blanks part the moves of a game, so no move can have one"
                    self.scope.complain("notation", text, message)
            case syntax.Conditional(then, _, otherwise):
                self.no_blanks(then)
                self.no_blanks(otherwise)

    def notation(self, node: syntax.Expr, frame: Locals) -> m.Notation | None:
        """A text with holes, or a choice between two."""
        match node:
            case syntax.Text(parts):
                shown: list[str | Expr] = []
                for part in parts:
                    shown.append(part if isinstance(part, str) else self._hole(part, frame))
                if any(not isinstance(p, str) and is_unknown(p) for p in shown):
                    return None
                return m.Text(tuple(shown))
            case syntax.Conditional(then, condition, otherwise):
                tested = self.want(condition, frame, Type.TRUTH)
                one, two = self.notation(then, frame), self.notation(otherwise, frame)
                if one is None or two is None or is_unknown(tested):
                    return None
                return m.TextChoice(tested, one, two)
            case syntax.Bracketed(inner):
                return self.notation(inner, frame)
        self.scope.complain("wrong-type", node, 'a text is needed here: `"{a}-{b}"`')
        return None

    def _hole(self, node: syntax.Expr, frame: Locals) -> Expr:
        if isinstance(node, syntax.Name) and node.text not in self.scope.visible(frame):
            if node.text in self.scope.excused:
                return UNKNOWN
            message = f"the notation names `{node.text}`, which is not chosen here"
            close = nearest(node.text, frame.names)
            self.scope.mentioned.add(close)
            known = ", ".join(f"`{n}`" for n in frame.names) or "nothing"
            advice = f"did you mean `{close}`?" if close else f"chosen here: {known}"
            self.scope.complain("notation", node, message, advice)
            return UNKNOWN
        found = self.expr(node, frame)
        if found.type in (Type.LINK, Type.RANGE, Type.NUMBERS, Type.KINDS):
            self.scope.complain("wrong-type", node, f"{found.type} cannot be written")
            return UNKNOWN
        return self.fit(found, node, Type.SITES) if found.type is Type.FAMILY else found
