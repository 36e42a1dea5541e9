"""Names: what each word stands for where a value is wanted, and which player a word means."""

from __future__ import annotations

from abc import abstractmethod

from attrs import define

from rulewright.language import syntax
from rulewright.model import expressions as m
from rulewright.model.board import Board, bits, letters
from rulewright.model.expressions import OPERATIONS, Apply, Const, Expr, Type
from rulewright.resolve.constants import UNKNOWN, Constants
from rulewright.resolve.scope import (
    CONSTANTS,
    FUNCTIONS,
    QUANTIFIERS,
    REGIONS,
    STEP_NAMES,
    VALUES,
    Declared,
    Locals,
    looks_like_site,
)


@define
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
