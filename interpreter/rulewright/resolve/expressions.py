"""Expressions: every name and sign gets its meaning and its type.

In: a syntax expression and the local names.  Out: an expression of the model.  A mistake is reported
once and replaced by a value of unknown type, which fits everywhere.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from attrs import define, field

from rulewright.errors import Fault
from rulewright.language import limits, syntax
from rulewright.model import expressions as m
from rulewright.model.board import Board
from rulewright.model.expressions import Apply, Const, Expr, Function, Type
from rulewright.model.operations import OPERATIONS
from rulewright.reference.context import Context
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Position
from rulewright.resolve import cost, vocabulary
from rulewright.resolve.scope import Declared, Frame, Scope, is_unknown, looks_like_site
from rulewright.resolve.typing import NUMBERS, SETS, STEPS, coerce, common, hint

UNKNOWN = Const(Type.UNKNOWN, 0)
_ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_WHOLE = {"div": "div", "mod": "mod"}
_COMPARE = {"<": ("less", False), "<=": ("less_equal", False), ">": ("less", True), ">=": ("less_equal", True)}  # fmt: skip


@define
class Expressions:
    """Resolves expressions against the names of one file and one board."""

    scope: Scope
    board: Board | None = None
    options: dict[str, Const] = field(factory=dict)
    players: tuple[str, ...] = ()
    state_types: dict[int, Type] = field(factory=dict)
    link_steps: tuple[m.Value, ...] = ()
    functions: list[Function] = field(factory=list)
    in_end: bool = False

    @abstractmethod
    def call(self, node: syntax.Call, frame: Frame) -> Expr:
        """A call; see `calls.py`."""

    @abstractmethod
    def ray(self, node: syntax.Ray, frame: Frame) -> Expr:
        """A ray as a value; see `calls.py`."""

    @abstractmethod
    def definition(self, declared: Declared, arguments: tuple[Expr, ...], node: syntax.Node) -> Expr:
        """A `let` applied to arguments; see `calls.py`."""

    # --- entry points ---

    def want(self, node: syntax.Expr, frame: Frame, wanted: Type) -> Expr:
        """The expression as a value of the wanted type; a mismatch is reported."""
        return self.fit(self.expr(node, frame), node, wanted)

    def fit(self, found: Expr, node: syntax.Node, wanted: Type) -> Expr:
        """*found* as the wanted type; a mismatch is reported at *node*."""
        fitting = coerce(found, wanted)
        if fitting is None:
            message = f"{wanted} is needed here, and this is {found.type}"
            self.scope.complain("wrong-type", node, message, hint(found.type, wanted))
            return UNKNOWN
        return fitting

    def closed(self, node: syntax.Expr, wanted: Type) -> Expr:
        """An expression outside any body; its variables get a frame of their own."""
        frame = Frame()
        return self.enclose(self.want(node, frame, wanted), frame, node)

    def enclose(self, found: Expr, frame: Frame, node: syntax.Node) -> Expr:
        """*found*, with a frame for the variables it needs."""
        self.check_cost(found, node)
        if frame.size == 0:
            return found
        self.functions.append(Function("", 0, frame.size, (found,), self.scope.origin(node)))
        return m.CallFunction(found.type, len(self.functions) - 1, ())

    def check_cost(self, found: Expr, node: syntax.Node) -> None:
        """Report an expression that could take too long in play."""
        sites = self.board.count if self.board else 1
        if cost.cost(found, self.functions, sites) > limits.PLAY_COST:
            message = "this would take too long: more than 200 million steps at the worst"
            self.scope.complain("too-large", node, message)

    def constant(self, found: Expr, node: syntax.Node) -> m.Value | None:
        """The value of *found*, which must not depend on a position; reports it otherwise."""
        if is_unknown(found):
            return None
        if isinstance(found, Const):
            return found.value
        if cost.reads_position(found, self.functions):
            message = "this must be known before the game begins, and it depends on the position"
            self.scope.complain("not-constant", node, message)
            return None
        sites = self.board.count if self.board else 1
        if cost.cost(found, self.functions, sites) > limits.STATIC_COST:
            message = f"this takes more than {limits.STATIC_COST:,} steps to work out"
            self.scope.complain("too-large", node, message)
            return None
        try:
            value: m.Value = evaluate(found, self.static_context())
        except Fault as fault:
            self.scope.complain("arithmetic", node, fault.message)
            return None
        return value

    def static_context(self) -> Context:
        """A context without a position."""
        board = self.board or _NO_BOARD
        return Context(board, tuple(self.functions), (), _NO_POSITION, 0, [])

    def number(self, node: syntax.Expr, frame: Frame | None = None) -> int | None:
        """The value of a constant whole number."""
        inner = frame or Frame()
        found = self.enclose(self.want(node, inner, Type.INT), inner, node)
        value = self.constant(found, node)
        return value if isinstance(value, int) else None

    # --- nodes ---

    def expr(self, node: syntax.Expr, frame: Frame) -> Expr:
        """The model's expression for *node*, of whatever type it has."""
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

    def apply(self, operation: str, arguments: tuple[Expr, ...], node: syntax.Node) -> Expr:
        """An operation; whole-number arithmetic stays whole, constants are worked out."""
        if is_unknown(*arguments):
            return UNKNOWN
        signature = OPERATIONS[operation]
        gives = signature.gives
        if gives is Type.REAL and operation != "divide" and all(a.type is Type.INT for a in arguments):
            gives = Type.INT
        found = Apply(gives, operation, arguments, origin=self.scope.origin(node))
        fixed = signature.reads != "position" and gives is not Type.FAMILY
        if not fixed or not all(isinstance(a, Const) for a in arguments):
            return found
        value = self.constant(found, node)
        return UNKNOWN if value is None else Const(gives, value)

    # --- names ---

    def name(self, node: syntax.Name, frame: Frame) -> Expr:
        """What a name stands for."""
        text = node.text
        if text in frame.names:
            frame.used.add(text)
            return frame.names[text]
        if text in self.scope.declared:
            self.scope.use(node)
            return self._declared(node, self.scope.declared[text])
        if text in vocabulary.VALUES:
            return self._value(node)
        if text in vocabulary.CONSTANTS:
            return self._constant_name(node)
        if text in vocabulary.FUNCTIONS or text in vocabulary.QUANTIFIERS:
            message = f"`{text}` is a function and needs its arguments: `{text}(...)`"
            self.scope.complain("wrong-arguments", node, message)
            return UNKNOWN
        return self._site(node, frame)

    def _declared(self, node: syntax.Name, declared: Declared) -> Expr:
        match declared.kind:
            case "let":
                return self.definition(declared, (), node)
            case "state":
                type_ = self.state_types.get(declared.index, Type.UNKNOWN)
                return m.StateValue(type_, declared.index) if type_ is not Type.UNKNOWN else UNKNOWN
            case "option":
                return self.options.get(node.text, UNKNOWN)
            case "kind of piece":
                return Const(Type.KIND, declared.index)
            case "player":
                return Const(Type.PLAYER, declared.index)
            case "link":
                return Const(Type.LINK, declared.index)
        message = f"`{node.text}` is an {declared.kind}, which has no value"
        self.scope.complain("wrong-type", node, message)
        return UNKNOWN

    def _value(self, node: syntax.Name) -> Expr:
        if node.text == "stuck" and not self.in_end:
            message = "`stuck` is known only where an end of the game is tested"
            self.scope.complain("misplaced", node, message, "use it after `when`")
            return UNKNOWN
        operation, type_ = vocabulary.VALUES[node.text]
        return Apply(type_, operation, origin=self.scope.origin(node))

    def _constant_name(self, node: syntax.Name) -> Expr:
        text = node.text
        match text:
            case "true" | "false":
                return Const(Type.TRUTH, text == "true")
            case "nowhere":
                return Const(Type.SITES, 0)
            case "mover":
                return m.Seen(Type.PLAYER, m.MOVER, Apply(Type.PLAYER, "viewer"))
        if self.board is None:
            return UNKNOWN if self._no_board(node) else UNKNOWN
        found: Expr | None = None
        if text == "sites":
            found = Const(Type.SITES, self.board.sites)
        elif text == "sides":
            sides = tuple(s & self.board.sites for s in self.board.sides)
            found = Const(Type.FAMILY, sides) if sides else None
        elif text in vocabulary.REGIONS:
            region = self.board.region(text)
            found = None if region is None else Const(Type.SITES, region)
        elif text in self.board.steps:
            steps = self.board.steps[text]
            found = Const(Type.STEP if len(steps) == 1 else Type.STEPS, steps)
        if found is None:
            message = f"a {self.board.shape} board has no `{text}`"
            self.scope.complain("no-direction", node, message, self._steps_hint(text))
        return found or UNKNOWN

    def _steps_hint(self, text: str) -> str:
        assert self.board is not None
        steps = ", ".join(self.board.steps)
        return f"it has {steps}" if text in vocabulary.STEP_NAMES else ""

    def _no_board(self, node: syntax.Name) -> bool:
        if "board" not in self.scope.excused:
            message = f"`{node.text}` needs the board, which is not known here"
            self.scope.complain("not-constant", node, message)
        return True

    def _site(self, node: syntax.Name, frame: Frame) -> Expr:
        board = self.board
        if board is not None and node.text in board.by_name:
            return Const(Type.SITE, 1 << board.by_name[node.text])
        if board is not None and looks_like_site(node.text) and node.text not in self.scope.excused:
            first, last = board.names[0], board.names[-1]
            columns = f"its sites go from {min(first, last)} to {max(first, last)}"
            message = f"there is no site `{node.text}` on this board"
            self.scope.complain("off-board", node, message, columns)
            return UNKNOWN
        hints = {"capture": "`clear` removes pieces", "none": "`no ...` asks whether a set is empty"}
        known = self.scope.visible(frame)
        self.scope.unknown(node, "set, value or definition", known, hints.get(node.text, ""))
        return UNKNOWN

    # --- signs ---

    def _number(self, node: syntax.Number) -> Expr:
        if isinstance(node.value, int) and node.value >= limits.NUMBER:
            self.scope.complain("out-of-range", node, "a number of more than 62 bits")
            return UNKNOWN
        return Const(Type.INT if isinstance(node.value, int) else Type.REAL, node.value)

    def _prefix(self, node: syntax.Prefix, frame: Frame) -> Expr:
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

    def _binary(self, node: syntax.Binary, frame: Frame) -> Expr:
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
        left, right = self.expr(node.left, frame), self.expr(node.right, frame)
        if is_unknown(left, right):
            return UNKNOWN
        if sign == "in":
            return self._in(node, left, right)
        if sign == "meets":
            sites = self.fit(left, node.left, Type.SITES), self.fit(right, node.right, Type.SITES)
            return self.apply("meets", sites, node)
        same = self._equal(node, left, right)
        return same if sign == "=" else self.apply("not", (same,), node)

    def _in(self, node: syntax.Binary, left: Expr, right: Expr) -> Expr:
        if right.type is Type.RANGE and isinstance(right, Apply | Const):
            number = self.fit(left, node.left, Type.REAL)
            return self.apply("between", (number, *self._ends_of(right)), node)
        if left.type in NUMBERS and right.type is not Type.RANGE:
            self.fit(right, node.right, Type.RANGE)
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
        shared = common(left.type, right.type)
        if shared is None or shared in (Type.FAMILY, Type.TEXT, Type.RANGE, Type.LINK):
            message = f"{left.type} cannot be compared with {right.type}"
            advice = hint(left.type, right.type) or hint(right.type, left.type)
            self.scope.complain("wrong-type", node, message, advice)
            return UNKNOWN
        if shared in SETS and shared not in (Type.KIND, Type.PLAYER):
            left = self.fit(left, node.left, Type.SITES)
            right = self.fit(right, node.right, Type.SITES)
        return self.apply("equal", (left, right), node)

    def _many(self, node: syntax.Many, frame: Frame) -> Expr:
        items = [self.expr(item, frame) for item in node.items]
        if is_unknown(*items):
            return UNKNOWN
        if node.sign == "&":
            return self._adjoined(node, items)
        if items[0].type in STEPS and node.sign == "or":
            parts = self._fit_all(items, node.items, Type.STEPS)
            return self.apply("join_steps", parts, node)
        if items[0].type in SETS:
            sets = self._fit_all(items, node.items, Type.SITES)
            return self.apply("unite" if node.sign == "or" else "intersect", sets, node)
        truths = self._fit_all(items, node.items, Type.TRUTH)
        return UNKNOWN if is_unknown(*truths) else m.Logic(Type.TRUTH, node.sign == "and", truths)

    def _fit_all(
        self, items: Sequence[Expr], nodes: Sequence[syntax.Expr], wanted: Type
    ) -> tuple[Expr, ...]:
        return tuple(self.fit(i, n, wanted) for i, n in zip(items, nodes, strict=True))

    def _adjoined(self, node: syntax.Many, items: list[Expr]) -> Expr:
        for item, part in zip(items, node.items, strict=True):
            if item.type not in SETS:
                message = f"sets stand side by side, and this is {item.type}"
                advice = "join truths with `and`" if item.type is Type.TRUTH else ""
                self.scope.complain("wrong-type", part, message, advice)
                return UNKNOWN
        self._warn_apart(node, items)
        return self.apply("intersect", self._fit_all(items, node.items, Type.SITES), node)

    def _warn_apart(self, node: syntax.Many, items: list[Expr]) -> None:
        fixed = [i for i in items if isinstance(i, Const)]
        kinds = {i.value for i in fixed if i.type is Type.KIND}
        players = {i.value for i in fixed if i.type is Type.PLAYER}
        sides = {i.operation for i in items if isinstance(i, Apply) and not i.arguments}
        if len(kinds) > 1 or len(players) > 1 or {"own", "enemy"} <= sides:
            message = "these sets have no site in common, so this is always empty"
            self.scope.complain("always-empty", node, message, "`or` unites sets")

    def _conditional(self, node: syntax.Conditional, frame: Frame) -> Expr:
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
        return m.Choice(shared, condition, then, other)

    def _viewed(self, node: syntax.Viewed, frame: Frame) -> Expr:
        player = self.player(node.player)
        found = self.expr(node.operand, frame)
        if player is None or is_unknown(found):
            return UNKNOWN
        return found if player == -1 else m.Seen(found.type, player, found)

    def player(self, node: syntax.Name) -> int | None:
        """The player a name stands for: 0, 1, ENEMY, MOVER, or -1 for own."""
        words = {"own": -1, "enemy": m.ENEMY, "mover": m.MOVER}
        if node.text in words:
            return words[node.text]
        if node.text in self.players:
            self.scope.use(node)
            return self.players.index(node.text)
        self.scope.unknown(node, "player", (*words, *self.players))
        return None

    def _list(self, node: syntax.ListOf, frame: Frame) -> Expr:
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


_NO_POSITION = Position((0, 0, 0), (), (), (), 0, 0, None)  # type: ignore[arg-type]
_NO_BOARD = Board("square", 0, 0, 0, (), (), (), (), {}, ())
