"""A whole file: from syntax to `Rules`, with its options fixed.

In: syntax, and values for options.  Out: the model, or None when any error was reported.  The order
is: names, options, the whole board, `where`, labels, then everything that stands on the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import accumulate

from attrs import evolve

from rulewright.ground import limits
from rulewright.ground.records import Record, record
from rulewright.language import syntax
from rulewright.language.diagnostics import Collector
from rulewright.language.elsewhere import JOINING
from rulewright.language.parse import RULES
from rulewright.language.resolve import boards, cost
from rulewright.language.resolve.claims import Claims, left_out
from rulewright.language.resolve.effects import (
    AFTER_TURN,
    Actions,
    BlockReader,
)
from rulewright.language.resolve.expressions import READERS
from rulewright.language.resolve.moves import (
    check_deciders,
    check_first_values,
    read_move,
    read_setup,
    read_unused_actions,
    shuffles,
)
from rulewright.language.resolve.name_lookup import read_unused_definitions
from rulewright.language.resolve.options import OptionSetting, resolve_options
from rulewright.language.resolve.scope import (
    Declared,
    Scope,
    is_unknown,
    moves_named,
    names_used,
)
from rulewright.language.resolve.seats import choose_players
from rulewright.language.resolve.sight import check_sight, read_sees
from rulewright.language.resolve.statements import (
    FileStatements,
    check_parameters,
    check_statements,
    declare,
    excuse,
)
from rulewright.language.resolve.states import read_states
from rulewright.language.resolve.values import constant_value, read_closed
from rulewright.language.source import Source, Span
from rulewright.language.syntax.statement_roles import ROLES, statements_that
from rulewright.model import properties
from rulewright.model import rules as r
from rulewright.model.board import LINE, Board, Step
from rulewright.model.expressions import Type
from rulewright.model.rules import Course
from rulewright.reference.courses import follow, is_single


def resolve_course(node: syntax.Course, scope: Scope, always: Set[str] = frozenset()) -> Course:
    """The model's course; *always* are the moves that are possible in every position."""
    indices = {scope.moves[name].index for name in always if name in scope.moves}
    return _CourseReader(scope, frozenset(indices)).of(node)


@record
class _CourseReader(Record):
    scope: Scope
    always: frozenset[int]

    def of(self, node: syntax.Course) -> Course:
        match node:
            case syntax.OneMove(name):
                return self._move_course(name)
            case syntax.InOrder(items):
                self._check_or(items)
                return r.InOrder(tuple(self.of(i) for i in items))
            case syntax.Either(items):
                return r.Either(tuple(self.of(i) for i in items))
            case syntax.Otherwise(first, second):
                return self._otherwise(first, second)
            case syntax.Often():
                return self._often(node)
            case syntax.Longest(item, by):
                return self._longest(node, self.of(item), by)

    def _move_course(self, name: syntax.Name) -> Course:
        declared = self.scope.moves.get(name.text)
        if declared is None:
            moves = [move for move in self.scope.moves if move != name.text]
            hint = "moves of a turn stand side by side: `turn A B`" * (name.text in JOINING)
            self.scope.unknown(name, "move", moves if not hint else (), hint)
            return r.EMPTY
        self.scope.move_uses.setdefault(name.text, {})[name.span] = None
        return r.OneMove(declared.index)

    def _check_or(self, items: tuple[syntax.Course, ...]) -> None:
        """Warn of an `or` beside moves that follow: it binds closer than one may think."""
        for item in items:
            if isinstance(item, syntax.Either) and not self._has_brackets(item.span):
                text = self.scope.text_of(item)
                message = "`or` joins only its two neighbours here, and the rest follows either"
                advice = f"write brackets: `({text})`, or around what belongs together"
                self.scope.complain("unbracketed-or", item, message, advice)

    def _has_brackets(self, span: Span) -> bool:
        text = self.scope.source.text
        inner = text[span.start : span.end]
        depths = list(accumulate((c == "(") - (c == ")") for c in inner))
        around = text[: span.start].rstrip()[-1:] + text[span.end :].lstrip()[:1]
        return around == "()" and min(depths) >= 0

    def _otherwise(self, first: syntax.Course, second: syntax.Course) -> Course:
        tried, other = self.of(first), self.of(second)
        if tried != r.EMPTY and self._never_fails(tried):
            message = "this is never played: what stands before `else` is always possible"
            self.scope.complain("unreachable", second, message)
        return r.Otherwise(tried, other)

    def _often(self, node: syntax.Often) -> Course:
        item = self.of(node.item)
        if item != r.EMPTY and can_be_nothing(item):
            message = (
                f"the part before `{node.sign}` can be empty, so its repetition would never end"
            )
            if node.sign == "?":
                message = "this can be left out already, so the `?` behind it means nothing"
            advice = "a chain that the player may break off is written `A?*`"
            self.scope.complain("turn-course", node, message, advice)
            return item
        if node.sign in ("*", "+") and item != r.EMPTY and self._never_fails(item):
            message = (
                f"the part before `{node.sign}` is always possible, so the turn would never end"
            )
            advice = "a chain that the player may break off is written `A?*`"
            self.scope.complain("turn-course", node, message, advice)
        match node.sign:
            case "?":
                return r.Maybe(item)
            case "*":
                return r.While(item, free=False)
            case "?*":
                return r.While(item, free=True)
        return r.InOrder((item, r.While(item, free=False)))

    def _longest(self, node: syntax.Longest, item: Course, by: syntax.Expr | None) -> Course:
        if any(isinstance(n, syntax.Longest) for n in syntax.nodes(node.item)):
            message = "`longest` stands inside another `longest`, which compares whole ways already"
            self.scope.complain("misplaced", node, message, "leave out the inner `longest`")
            return item
        value = None if by is None else read_closed(self.scope, by, Type.INT)
        return r.Longest(item, value, by.text if isinstance(by, syntax.Name) else "")

    def _never_fails(self, course: Course) -> bool:
        """Whether a course has a decision in every position."""
        match course:
            case r.OneMove(move):
                return move in self.always
            case r.InOrder(items):
                return bool(items) and self._never_fails(items[0])
            case r.Either(items):
                return any(self._never_fails(i) for i in items)
            case r.Otherwise(first, second):
                return self._never_fails(first) or self._never_fails(second)
            case r.Maybe():
                return True
            case r.Longest(item):
                return self._never_fails(item)
            case r.While(item, free):
                return free and self._never_fails(item)


def can_be_nothing(course: Course) -> bool:
    """Whether a whole course may pass without a move."""
    match course:
        case r.InOrder(items):
            return all(can_be_nothing(i) for i in items)
        case r.Either(items):
            return any(can_be_nothing(i) for i in items)
        case r.Otherwise(first, second):
            return can_be_nothing(first) or can_be_nothing(second)
        case r.Maybe() | r.While():
            return True
        case r.Longest(item):
            return can_be_nothing(item)
    return False


@record
class Symbol(Record):
    """A name of the file with the places where it is declared and used, for editors."""

    name: str
    kind: str
    declared: Span
    uses: tuple[Span, ...]


@record
class Resolved(Record):
    """The model of a file (None when it has errors), its names, and what has read them.

    `names` is how an evaluator finds what the rules define.
    """

    rules: r.Rules | None
    symbols: tuple[Symbol, ...]
    names: Scope


def resolve(
    tree: syntax.Rules, source: Source, report: Collector, settings: Mapping[str, OptionSetting]
) -> Resolved:
    """Give every name and statement its meaning; report what has none."""
    scope = Scope.of(tree, source, report, READERS)
    rules = _read_file(FileStatements(tree, scope, RULES.head, _ONCE), settings)
    tables = (scope.declared, scope.uses), (scope.moves, scope.move_uses)
    symbols = tuple(
        _symbol(declared, uses.get(name, {}))
        for names, uses in tables
        for name, declared in names.items()
    )
    return Resolved(None if report.failed else rules, symbols, scope)


def _symbol(declared: Declared, uses: Iterable[Span]) -> Symbol:
    name = declared.name
    in_order = tuple(sorted(uses, key=lambda span: span.start))
    return Symbol(name.text, declared.kind, name.span, in_order)


_ONCE = {kind: ROLES[kind].word for kind in statements_that("once")}


def _read_file(file: FileStatements, settings: Mapping[str, OptionSetting]) -> r.Rules | None:
    if file.says_nothing():
        return None
    file.check_head(file.first(syntax.GameName))
    check_statements(file)
    excuse(file)
    declare(file)
    check_parameters(file)
    options = resolve_options(file.scope, file.all(syntax.Option), settings)
    choose_players(file)
    rules = _read_rest(file, options, _read_board(file))
    return None if rules is None else evolve(rules, absent=file.scope.absent)


def _read_board(file: FileStatements) -> Board:
    """Read the board; when it cannot be made, take one that lets the rest of the file be read."""
    node, scope = file.first(syntax.Board), file.scope
    whole = boards.whole_board(scope, node) if node is not None else None
    if whole is None:
        scope.board_known = False
        whole, scope.shape_known = boards.stand_in(node)
    scope.stand_on(whole)
    scope.whole = whole
    if node is not None:
        cut = boards.cut(scope, node, whole) or whole
        scope.of_board.update(scope.instantiated)
        scope.stand_on(cut)
    assert scope.board is not None
    labelled = boards.label(scope, file.all(syntax.Label), scope.board)
    return labelled if node is None else boards.name_lines(scope, node, labelled)


# --- everything else ---


def _read_rest(
    file: FileStatements, options: tuple[r.OptionValue, ...], board: Board
) -> r.Rules | None:
    """Read what stands on the board."""
    scope, actions = file.scope, Actions()
    scope.stand_on(board)
    links = tuple(_read_links(scope, node) for node in file.all(syntax.Links)[:1])
    states = read_states(scope, file.all(syntax.StateVariable))
    sees = read_sees(scope, file.first(syntax.Sees))
    setup, moves, course, first_course = _read_moves(file, actions, states)
    check_sight(file, moves, states, sees)
    closing, moves = _read_after_turn(file, actions, moves, (course, first_course))
    turn = next((scope.origin(n) for n in file.all(syntax.Turn) if not n.first), 0)
    ends = tuple(filter(None, [_read_end(scope, node) for node in file.all(syntax.End)]))
    claims = Claims(scope, options).read(file.all(syntax.Claim))
    untested = left_out(file.all(syntax.Untested), properties.RULES, scope)
    _check_unused(file)
    _check_moves_used(file)
    kinds = boards.piece_kinds(file.tree, scope)
    functions, performed = tuple(scope.functions), tuple(actions.read)
    read_unused_actions(scope, actions)
    read_unused_definitions(scope)
    game = file.first(syntax.GameName)
    if scope.report.failed or game is None:
        return None
    return r.Rules(
        name=game.name.text,
        players=scope.players if len(scope.players) > 1 else (*scope.players, r.IDLE),
        options=options,
        board=board,
        kinds=kinds,
        links=links,
        states=states,
        functions=functions,
        actions=performed,
        setup=setup.body,
        setup_slots=setup.slots,
        moves=moves,
        course=course,
        first_course=first_course,
        joined=file.first(syntax.WriteTogether) is not None,
        ends=ends,
        claims=claims,
        looks_back=not _LOOKING_BACK.isdisjoint(names_used(file.tree.items)),
        origins=tuple(scope.origins),
        untested=untested,
        turn=turn,
        closing=closing,
        sees=sees,
    )


def _read_moves(
    file: FileStatements, actions: Actions, states: Sequence[r.StateVariable]
) -> tuple[r.MoveKind, tuple[r.MoveKind, ...], Course, Course]:
    """Read the set-up, moves, and the courses of turns.

    A set-up by chance is a move with which the first turn begins.
    """
    scope, node, empty = file.scope, file.first(syntax.Setup), r.MoveKind("setup", 0, ())
    setup = read_setup(scope, actions, node) if node else empty
    moves = tuple(read_move(scope, actions, move) for move in file.all(syntax.MoveKind))
    course, first_course = _read_turns(file)
    if node and shuffles(node):
        check_first_values(scope, node, file.all(syntax.StateVariable), states)
        first_course = follow(r.OneMove(len(moves)), first_course)
        moves, setup = (*moves, setup), empty
    check_deciders(file, moves, (course, first_course))
    return setup, moves, course, first_course


_LOOKING_BACK = {"repeats", "board_repeats"}


def _read_links(scope: Scope, node: syntax.Links) -> r.LinkKind:
    value = constant_value(scope, read_closed(scope, node.steps, Type.STEPS), node.steps)
    steps: tuple[Step, ...] = value if isinstance(value, tuple) else ()  # type: ignore[assignment]
    board = scope.board
    if any(across >= LINE for across, _ in steps):
        scope.complain("wrong-type", node.steps, "links cannot follow a line that has a name")
    if board is not None and board.layers > 1:
        scope.complain("bad-board", node, "a board with a third extent has no links")
    if board is not None and any(board.wraps):
        scope.complain("bad-board", node, "a board with joined sides has no links")
    if board is not None and board.count * len(steps) > 2 * limits.LINKS:
        message = f"more than {limits.LINKS:,} links would be possible on this board"
        scope.complain("too-large", node, message)
    return r.LinkKind(node.name.text, steps)


def _read_turns(file: FileStatements) -> tuple[r.Course, r.Course]:
    """Read the course of a turn, and that of the first one."""
    courses: dict[bool, r.Course] = {False: r.EMPTY}
    always = {move.name.text for move in file.all(syntax.MoveKind) if not _can_fail(move.block)}
    for node in file.all(syntax.Turn):
        courses[node.first] = resolve_course(node.course, file.scope, always)
    return courses[False], courses.get(True) or courses[False]


def _read_closing(scope: Scope, actions: Actions, node: syntax.AfterTurn) -> int:
    """Read what is done when a turn is over, as an action; its number."""
    body = BlockReader(scope, actions, AFTER_TURN)
    scope.after_turn = True
    statements = body.read_block(node.block)
    scope.after_turn = False
    body.complain_unused(node.block)
    actions.read.append(r.Action(AFTER_TURN, body.frame.size, statements))
    return len(actions.read) - 1


def _read_after_turn(
    file: FileStatements, actions: Actions, moves: tuple[r.MoveKind, ...], courses: Iterable[Course]
) -> tuple[int | None, tuple[r.MoveKind, ...]]:
    """Read what is done when a turn is over: the action, and the moves.

    Where every decision ends its turn, the moves do it themselves, and there is no such action.
    """
    node = file.first(syntax.AfterTurn)
    if node is None:
        return None, moves
    closing = _read_closing(file.scope, actions, node)
    if not all(map(is_single, courses)):
        return closing, moves
    done = r.Perform(closing, (), origin=file.scope.origin(node))
    return None, tuple(evolve(move, body=(*move.body, done)) for move in moves)


def _read_end(scope: Scope, node: syntax.End) -> r.End | None:
    scope.in_end = True
    condition = read_closed(scope, node.condition, Type.TRUTH)
    score = read_closed(scope, node.score, Type.REAL) if node.score else None
    scope.in_end = False
    if is_unknown(condition) or (score is not None and is_unknown(score)):
        return None
    stuck = bool(scope.measures.of(condition).flags & cost.STUCK)
    if stuck and node.verdict == "claim":
        message = "a draw is claimed instead of a decision, and a stuck player has no decision"
        scope.complain("misplaced", node, message, "write `draw when` for it")
        return None
    if stuck and node.after_turn:
        message = "a stuck player has no decision, so no turn ends then"
        scope.complain("misplaced", node, message, "leave `after turn` out")
        return None
    return r.End(node.verdict, condition, score, stuck, scope.origin(node), node.after_turn)


# --- what is not used ---


def _check_unused(file: FileStatements) -> None:
    scope, used = file.scope, set(names_used(file.tree.items)) | file.scope.mentioned
    shown = _shown_states(file)
    for name, declared in scope.declared.items():
        if declared.kind not in _WORTH_USING or name in used:
            continue
        message = f"the {_WORTH_USING[declared.kind]} `{name}` is never used"
        if declared.kind == "state" and name in scope.uses:
            if name in shown:
                continue
            message = f"the state `{name}` is set, and nothing ever looks at it"
        scope.complain("unused-name", declared.name, message)


def _shown_states(file: FileStatements) -> set[str]:
    """The states that tell players something in a game with secrets, though no rule reads them."""
    states = file.all(syntax.StateVariable)
    if not (file.all(syntax.Sees) or any(state.hidden for state in states)):
        return set()
    return {state.name.text for state in states if not state.hidden}


def _check_moves_used(file: FileStatements) -> None:
    scope, turns = file.scope, file.all(syntax.Turn)
    if "turn" in file.tree.missing or not turns:
        return
    used = {name.text for turn in turns for name in moves_named(turn.course)} | scope.mentioned
    for name, declared in scope.moves.items():
        if name not in used:
            message = f"no turn mentions the move `{name}`, so it can never be played"
            advice = f"write it into the turn: `turn ... or {name}`"
            scope.complain("unused-move", declared.name, message, advice)


_WORTH_USING = {
    "let": "definition", "state": "state", "option": "option", "action": "action",
    "link": "kind of link", "kind of piece": "kind of piece",
}  # fmt: skip


def _can_fail(block: Sequence[syntax.Effect]) -> bool:
    """Whether there may be positions in which a move with this block has no decision."""
    tests = (syntax.Need, syntax.Choose, syntax.ChooseRay, syntax.Perform)
    return any(
        isinstance(node, tests) or (isinstance(node, syntax.If) and _can_fail(node.block))
        for node in block
    )
