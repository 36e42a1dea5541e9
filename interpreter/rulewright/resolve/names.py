"""What names stand for, what is known before the game begins, and what may be asked in play.

In: names, and expressions of the model.  Out: values of names; the values of expressions where no
position is needed, also where another type is wanted.  What is too deep, too slow, known too late
or of the wrong type is reported, and a stand-in of unknown type takes its place.
"""

from __future__ import annotations

from abc import abstractmethod

from attrs import Factory, define, field

from rulewright.errors import Fault
from rulewright.language import limits, syntax
from rulewright.model import expressions as m
from rulewright.model.board import Board, bits, letters
from rulewright.model.expressions import OPERATIONS, Apply, Const, Expr, Function, Type
from rulewright.model.rules import EMPTY
from rulewright.records import Record
from rulewright.reference.evaluate import evaluate
from rulewright.reference.position import Context, Position
from rulewright.resolve import cost
from rulewright.resolve.cost import largest
from rulewright.resolve.scope import (
    CONSTANTS,
    FUNCTIONS,
    QUANTIFIERS,
    REGIONS,
    STEP_NAMES,
    VALUES,
    Declared,
    Locals,
    Scope,
    is_unknown,
    looks_like_site,
)

SETS = frozenset({Type.SITE, Type.SITES, Type.FAMILY, Type.KIND, Type.PLAYER})
NUMBERS = frozenset({Type.INT, Type.REAL})
STEPS = frozenset({Type.STEP, Type.STEPS})

_HINTS: dict[tuple[Type, Type], str] = {
    (Type.SITES, Type.TRUTH): "ask `any ...` or `no ...` of a set",
    (Type.SITE, Type.TRUTH): "ask `... in SET` or `any ...`",
    (Type.FAMILY, Type.TRUTH): "ask `some(x in ... : condition)`",
    (Type.SITES, Type.INT): "`count ...` gives the number of its sites",
    (Type.SITES, Type.REAL): "`count ...` gives the number of its sites",
    (Type.FAMILY, Type.INT): "`count ...` gives the number of its members",
    (Type.FAMILY, Type.REAL): "`count ...` gives the number of its members",
    (Type.TRUTH, Type.INT): "write `1 if ... else 0`",
    (Type.TRUTH, Type.REAL): "write `1 if ... else 0`",
    (Type.STEPS, Type.SITES): "a step is used as a function: `north(a)`",
    (Type.STEP, Type.SITES): "a step is used as a function: `north(a)`",
    (Type.TRUTH, Type.SITES): "join truths with `and`; sets stand side by side",
    (Type.REAL, Type.INT): "`div` divides whole numbers",
    (Type.INT, Type.TRUTH): "compare it: `... > 0`",
    (Type.LINK, Type.STEPS): "a link is used as a function, or in `groups(X, link)`",
}


def coerce(expression: Expr, wanted: Type) -> Expr | None:
    """*expression* as a value of the wanted type, or None if it cannot be one."""
    have = expression.type
    if have is Type.UNKNOWN or wanted is Type.UNKNOWN or have is wanted:
        return expression
    match wanted:
        case Type.REAL if have is Type.INT:
            return expression
        case Type.STEPS if have is Type.STEP:
            return expression
        case Type.SITES:
            return _as_sites(expression)
    return None


def _as_sites(expression: Expr) -> Expr | None:
    match expression.type:
        case Type.SITE:
            return expression
        case Type.FAMILY if isinstance(expression, Const):
            whole = 0
            assert isinstance(expression.value, tuple)
            for sites in expression.value:
                assert isinstance(sites, int)
                whole |= sites
            return Const(Type.SITES, whole)
        case Type.FAMILY:
            return Apply(Type.SITES, "gather", (expression,), origin=expression.origin)
        case Type.KIND:
            return Apply(Type.SITES, "of_kind", (expression,), origin=expression.origin)
        case Type.PLAYER:
            return Apply(Type.SITES, "owned", (expression,), origin=expression.origin)
    return None


def hint(have: Type, wanted: Type) -> str:
    """What to write instead, where that is clear."""
    return _HINTS.get((have, wanted), "")


def common(first: Type, second: Type) -> Type | None:
    """The type that two values share, as in `A if C else B`."""
    if first is Type.UNKNOWN or second is Type.UNKNOWN:
        return Type.UNKNOWN
    if first is second and first not in (Type.KIND, Type.PLAYER):
        return first
    if {first, second} <= NUMBERS:
        return Type.REAL
    if {first, second} <= STEPS:
        return Type.STEPS
    if first is second:
        return first
    return Type.SITES if {first, second} <= SETS else None


UNKNOWN = Const(Type.UNKNOWN, 0)


@define(repr=False, eq=False)
class Constants(Record):
    """Names, board and limits of one file, and what is worked out before the game begins."""

    scope: Scope
    board: Board | None = None
    options: dict[str, Const] = field(factory=dict)
    players: tuple[str, ...] = ()
    state_types: dict[int, Type] = field(factory=dict)
    link_steps: tuple[m.Value, ...] = ()
    functions: list[Function] = field(factory=list)
    measures: cost.Measures = Factory(lambda self: cost.Measures(self.functions), takes_self=True)
    in_end: bool = False
    board_known: bool = True
    shape_known: bool = True
    lines_missing: bool = False
    links_missing: bool = False
    settings_given: bool = False
    """Whether a caller has set options: his board may be smaller than the lines of a file."""
    stateless: str = ""
    _open: list[str] = field(factory=list)
    _faulty_options: set[str] = field(factory=set)
    _level: int = 0
    _too_high: bool = False
    _resolved: int = 0
    _spent: int = 0

    def fit(self, found: Expr, node: syntax.Node, wanted: Type, advice: str = "") -> Expr:
        """*found* as the wanted type; a mismatch is reported at *node*."""
        fitting = coerce(found, wanted)
        if fitting is None:
            verb = "are" if wanted is Type.STEPS else "is"
            message = f"{wanted} {verb} needed here, and this is {found.type}"
            self.scope.complain("wrong-type", node, message, advice or hint(found.type, wanted))
            return UNKNOWN
        return fitting

    def said_as_set(self, found: Expr, node: syntax.Node) -> Expr:
        """*found*, unless it is a player or a kind, of which only the sites could be kept here."""
        if found.type not in (Type.KIND, Type.PLAYER):
            return found
        text = self.scope.source.text[node.span.start : node.span.end]
        held = "a player" if found.type is Type.PLAYER else "a kind of piece"
        message = f"`{text}` is {held}, and a state holds a number, a truth or a set of sites"
        advice = f"`sites {text}` is the set of its pieces"
        if found.type is Type.PLAYER:
            advice += "; who it is can be kept as a truth: `mover = red`"
        self.scope.complain("wrong-type", node, message, advice)
        return UNKNOWN

    def accept(self, found: Expr, node: syntax.Node) -> Expr:
        """*found*, unless it is too deep or too slow for play, or asks what is not known here."""
        measure = self.measures.of(found)
        if self.measures.steps(measure) > limits.PLAY_COST:
            self._complain_cost(found, node)
        elif measure.height > limits.HEIGHT:
            self._complain_height(node)
        elif measure.flags & cost.STUCK and not self.in_end and not self._open:
            message = "this asks for `stuck`, which is known only where an end is tested"
            self.scope.complain("misplaced", node, message, "use it after `when`")
        elif measure.flags & cost.STATE and self.stateless and not self._open:
            self.scope.complain("not-constant", node, f"{self.stateless} cannot look at a state")
        else:
            return found
        return UNKNOWN

    def _complain_cost(self, found: Expr, node: syntax.Node) -> None:
        """Report an expression that is too slow for play, with the part that makes it so."""
        steps = f"{limits.PLAY_COST // 10**6} million steps"
        message = f"this would take too long: more than {steps} at the worst"
        factor = largest(found, self.measures)
        told, advice = (f"; {factor.told}", factor.advice) if factor else ("", "")
        self.scope.complain("too-large", node, message + told, advice)

    def _complain_height(self, node: syntax.Node) -> None:
        if self._too_high:
            return
        self._too_high = True
        message = f"definitions and signs are nested deeper than {limits.HEIGHT} levels here"
        self.scope.complain("too-deep", node, message)

    def stand_on(self, board: Board) -> None:
        """Take *board* as the board; what was worked out for another one is dropped."""
        if board is not self.board:
            self.board = board
            self.forget()

    def forget(self) -> None:
        """Drop the definitions that were worked out."""
        self.functions.clear()
        self.measures.forget()
        self.measures.sites = self.board.count if self.board else 1
        self.measures.longest = cost.longest_line(self.board) if self.board else 1

    def constant(self, found: Expr, node: syntax.Node) -> m.Value | None:
        """The value of *found*, which must not depend on a position; reports it otherwise."""
        if is_unknown(found):
            return None
        if isinstance(found, Const):
            return found.value
        measure = self.measures.of(found)
        if measure.flags & cost.POSITION:
            message = "this must be known before the game begins, and it depends on the position"
            self.scope.complain("not-constant", node, message)
            return None
        if not self.board_known and measure.flags & cost.BOARD:
            return None
        if not self.affordable(measure, node, made_of=found):
            return None
        try:
            value: m.Value = evaluate(found, self.static_context())
        except Fault as fault:
            self.scope.complain("arithmetic", node, fault.message)
            return None
        return value

    def affordable(
        self,
        measure: cost.Measure,
        node: syntax.Node | None,
        times: int = 1,
        made_of: Expr | None = None,
    ) -> bool:
        """Whether so much work may be done now; reports it at *node* if not."""
        steps = self.measures.steps(measure) * times
        if measure.flags & cost.TABLE:
            steps *= 20 * self.measures.sites
        endless = measure.flags & cost.UNBOUNDED or steps > limits.STATIC_COST
        if not endless and self._spent + steps <= limits.STATIC_TOTAL:
            self._spent += steps
            return True
        if node is not None and self._spent <= limits.STATIC_TOTAL:
            message = f"this takes more than {limits.STATIC_COST:,} steps to work out"
            factor = made_of and largest(made_of, self.measures)
            advice = "a smaller board, or fewer variables, would make it fast"
            if factor:
                message, advice = f"{message}: {factor.told}", factor.advice
            if not endless:
                message = f"the constants of this file take more than {limits.STATIC_TOTAL:,} steps"
                self._spent = limits.STATIC_TOTAL + 1  # said once
            self.scope.complain("too-large", node, message, advice)
        return False

    def static_context(self) -> Context:
        """A context without a position."""
        board = self.board or _NO_BOARD
        return Context(board, tuple(self.functions), (), _NO_POSITION, 0, [])

    def within_budget(self, node: syntax.Node) -> bool:
        """Count one more part of the text read; false, and reported once, when it is too much."""
        self._resolved += 1
        if self._resolved == limits.RESOLVED:
            message = "too many definitions are used with too many types of arguments"
            self.scope.complain("too-large", node, message)
        return self._resolved < limits.RESOLVED

    def apply(self, operation: str, arguments: tuple[Expr, ...], node: syntax.Node) -> Expr:
        """An operation; whole-number arithmetic stays whole, constants are worked out."""
        if is_unknown(*arguments):
            return UNKNOWN
        signature = OPERATIONS[operation]
        gives = signature.gives
        if signature.reads == "board" and self.board is None:
            self._no_board(node)
            return UNKNOWN
        if (
            gives is Type.REAL
            and operation != "divide"
            and all(a.type is Type.INT for a in arguments)
        ):
            gives = Type.INT
        found = Apply(gives, operation, arguments, origin=self.scope.origin(node))
        fixed = signature.reads != "position" and gives is not Type.FAMILY
        if not fixed or not all(isinstance(a, Const) for a in arguments):
            return found
        value = self.constant(found, node)
        return UNKNOWN if value is None else Const(gives, value)

    def _no_board(self, node: syntax.Node) -> None:
        what = f"`{node.text}`" if isinstance(node, syntax.Name) else "this"
        message = f"{what} needs the board, and the board is made from what stands here"
        self.scope.complain("not-constant", node, message)


_NO_POSITION = Position((0, 0, 0), (), (), (), 0, 0, EMPTY)
_NO_BOARD = Board("square", 0, 0, 0, (), (), (), (), {}, ())


@define(repr=False, eq=False)
class Names(Constants):
    """Looks names up: local ones first, then those of the file, then built-in ones and sites."""

    @abstractmethod
    def definition(
        self, declared: Declared, arguments: tuple[Expr, ...], node: syntax.Node
    ) -> Expr:
        """A `let` applied to arguments; see `calls.py`."""

    def name(self, node: syntax.Name, frame: Locals) -> Expr:
        """What a name stands for."""
        text = node.text
        if text in frame.names:
            return frame.names[text]
        if text in self.scope.doubtful:
            self.scope.use(node)
            return UNKNOWN
        if text in self.scope.declared:
            self.scope.use(node)
            return self._declared(node, self.scope.declared[text])
        if text in VALUES:
            return self._value(node)
        if text in CONSTANTS:
            return self._constant_name(node)
        if text in FUNCTIONS or text in QUANTIFIERS:
            message = f"`{text}` is a function and needs its arguments: `{text}(...)`"
            self.scope.complain("wrong-arguments", node, message)
            return UNKNOWN
        return self._site(node, frame)

    def _declared(self, node: syntax.Name, declared: Declared) -> Expr:
        match declared.kind:
            case "let":
                return self.definition(declared, (), node)
            case "state":
                return self._state(node, declared.index)
            case "option":
                return self._option(node)
            case "kind of piece":
                return Const(Type.KIND, declared.index)
            case "player":
                return Const(Type.PLAYER, declared.index)
            case "link":
                return Const(Type.LINK, declared.index)
        message = f"`{node.text}` is an {declared.kind}, which has no value"
        self.scope.complain("wrong-type", node, message)
        return UNKNOWN

    def _state(self, node: syntax.Name, index: int) -> Expr:
        if index not in self.state_types:
            message = f"the state `{node.text}` has no value before the game begins"
            self.scope.complain("not-constant", node, message)
            return UNKNOWN
        type_ = self.state_types[index]
        return m.StateValue(type_, index) if type_ is not Type.UNKNOWN else UNKNOWN

    def faulty(self, option: syntax.Name) -> None:
        """Note that an option has no value, for a reason that is reported."""
        self._faulty_options.add(option.text)

    def _option(self, node: syntax.Name) -> Expr:
        if node.text not in self.options and node.text not in self._faulty_options:
            message = f"the option `{node.text}` is not known yet: options are worked out in order"
            self.scope.complain("not-constant", node, message, "declare it further up")
        return self.options.get(node.text, UNKNOWN)

    def _value(self, node: syntax.Name) -> Expr:
        if node.text in ("stuck", "repeats") and not self.in_end and not self._open:
            message = f"`{node.text}` is known only where an end of the game is tested"
            self.scope.complain("misplaced", node, message, "use it after `when`")
            return UNKNOWN
        type_ = OPERATIONS[node.text].gives
        return Apply(type_, node.text, origin=self.scope.origin(node))

    def _constant_name(self, node: syntax.Name) -> Expr:
        text = node.text
        match text:
            case "true" | "false":
                return Const(Type.TRUTH, text == "true")
            case "nowhere":
                return Const(Type.SITES, 0)
            case "mover":
                return m.Viewed(Type.PLAYER, m.MOVER, Apply(Type.PLAYER, "viewer"))
        if self.board is None:
            self._no_board(node)
            return UNKNOWN
        found: Expr | None = None
        if text == "sites":
            found = Const(Type.SITES, self.board.sites)
        elif text == "sides":
            sides = tuple(s & self.board.sites for s in self.board.sides)
            found = Const(Type.FAMILY, sides) if sides else None
        elif text in REGIONS:
            region = self.board.region(text)
            found = None if region is None else Const(Type.SITES, region)
        elif text in self.board.steps:
            steps = self.board.steps[text]
            found = Const(Type.STEP if len(steps) == 1 else Type.STEPS, steps)
        if found is None and self.shape_known:
            message = f"a {self.board.shape} board has no `{text}`"
            self.scope.complain("no-direction", node, message, self._steps_hint(text))
        return found or UNKNOWN

    def _steps_hint(self, text: str) -> str:
        assert self.board is not None
        steps = ", ".join(self.board.steps)
        return f"it has {steps}" if text in STEP_NAMES else ""

    def _site(self, node: syntax.Name, frame: Locals) -> Expr:
        board = self.board
        if board is not None and node.text in board.by_name:
            return Const(Type.SITE, 1 << board.by_name[node.text])
        if not self.board_known and looks_like_site(node.text):
            return UNKNOWN
        if board is not None and looks_like_site(node.text) and node.text not in self.scope.excused:
            columns = _extent(board)
            message = f"there is no site `{node.text}` on this board"
            self.scope.complain("off-board", node, message, columns)
            return UNKNOWN
        hints = {"capture": "`clear` removes pieces"}
        known = self.scope.visible(frame)
        self.scope.unknown(node, "set, value or definition", known, hints.get(node.text, ""))
        return UNKNOWN

    def player(self, node: syntax.Name) -> int | None:
        """The player a name stands for: 0, 1, ENEMY, MOVER, or -1 for own."""
        words = {"own": -1, "enemy": m.ENEMY, "mover": m.MOVER}
        if node.text in words:
            return words[node.text]
        if node.text in self.players:
            self.scope.use(node)
            return self.players.index(node.text)
        if not self.players:
            return None  # what is wrong with `players` is reported there
        self.scope.unknown(node, "player", (*words, *self.players))
        return None


def _extent(board: Board) -> str:
    if board.is_drawn or board.labelled:
        names = [board.names[i] for i in bits(board.sites)][:6]
        return f"its sites are {', '.join(names)} ..."
    first, last = letters(1), letters(board.width)
    return f"its columns go from {first} to {last}, its rows from 1 to {board.height}"
