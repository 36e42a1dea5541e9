"""A whole file: from syntax to `Rules`, with its options fixed.

In: syntax, and values for options.  Out: the model, or None when any error was reported.  The order
is: names, options, the whole board, `where`, labels, then everything that stands on the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define, field, frozen

from rulewright.errors import OptionError
from rulewright.language import limits, syntax
from rulewright.language.diagnostics import Collector, did_you_mean
from rulewright.language.source import Source, Span
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Step
from rulewright.model.expressions import Const, Expr, Type
from rulewright.resolve import boards, cost, pieces, vocabulary
from rulewright.resolve.courses import resolve_course
from rulewright.resolve.effects import EffectResolver
from rulewright.resolve.expressions import UNKNOWN
from rulewright.resolve.scope import Scope, is_unknown

OptionSetting = int | float | bool
N = TypeVar("N", bound=syntax.Node)
_STATE_TYPES = (Type.INT, Type.TRUTH, Type.SITES)
_ONCE = {
    syntax.Format: "format", syntax.GameName: "game", syntax.Players: "players",
    syntax.Board: "board", syntax.Pieces: "pieces", syntax.Links: "links",
    syntax.Setup: "setup", syntax.Joined: "write turn together",
}  # fmt: skip
_NEEDED = ("players", "board", "pieces", "move", "turn")


@frozen
class Symbol:
    """A name of the file with the places where it is declared and used, for editors."""

    name: str
    kind: str
    declared: Span
    uses: tuple[Span, ...]


@frozen
class Resolved:
    """The model of a file (None when it has errors) and its names."""

    rules: r.Rules | None
    symbols: tuple[Symbol, ...]


def resolve(
    tree: syntax.Rules, source: Source, report: Collector, settings: Mapping[str, OptionSetting]
) -> Resolved:
    """Give every name and statement its meaning; report what has none."""
    file = _File(tree, EffectResolver(Scope(source, report, tree.excused)), settings)
    rules = file.resolve()
    scope = file.scope
    symbols = tuple(
        Symbol(d.name.text, d.kind, d.name.span, tuple(sorted(scope.uses.get(d.name.text, ()), key=_start)))  # noqa: E501
        for d in (*scope.declared.values(), *scope.moves.values())
    )
    return Resolved(None if report.failed else rules, symbols)


def _start(span: Span) -> int:
    return span.start


@define
class _File:
    tree: syntax.Rules
    resolver: EffectResolver
    settings: Mapping[str, OptionSetting]
    options: list[r.OptionValue] = field(factory=list)

    @property
    def scope(self) -> Scope:
        return self.resolver.scope

    def all(self, node: type[N]) -> list[N]:
        """The statements of one kind, in order."""
        return [item for item in self.tree.items if isinstance(item, node)]

    def one(self, node: type[N]) -> N | None:
        """The first statement of one kind."""
        return next((item for item in self.tree.items if isinstance(item, node)), None)

    def resolve(self) -> r.Rules | None:
        self._check_head()
        self._check_statements()
        self._declare()
        self._resolve_options()
        board = self._board()
        if board is None:
            self._without_board()
            return None
        self.resolver.board = board
        return self._on_board(board)

    # --- statements and names ---

    def _check_head(self) -> None:
        items, source = self.tree.items, self.scope.source
        format_, game = self.one(syntax.Format), self.one(syntax.GameName)
        top = Span(0, max(1, len(source.line(1))))
        if format_ is None and not {"format", "move"} & self.tree.missing:
            advice = "write `format 1` above everything else"
            self.scope.complain("bad-head", top, "a file begins with `format 1`", advice)
        elif format_ is not None and format_.number.value != 1:
            message = f"format {format_.number.value} is unknown; this version reads format 1"
            advice = "a newer rulewright may read it"
            self.scope.complain("unknown-format", format_.number, message, advice)
        elif format_ is not None and items[0] is not format_ and not self.tree.missing:
            self.scope.complain("bad-head", format_, "`format 1` must be the first statement")
        if game is None and "game" not in self.tree.missing:
            self.scope.complain("bad-head", top, "the game has no name", "write `game NAME` second")
        elif game is not None and game not in items[:2] and not self.tree.missing:
            self.scope.complain("bad-head", game, "`game NAME` must be the second statement")

    def _check_statements(self) -> None:
        for kind, word in _ONCE.items():
            for again in self.all(kind)[1:]:
                message = f"`{word}` stands here a second time"
                self.scope.complain("repeated-statement", again, message)
        for first in (False, True):
            for again in [t for t in self.all(syntax.Turn) if t.first is first][1:]:
                self.scope.complain("repeated-statement", again, "`turn` stands a second time")
        present = {type(item).__name__.lower() for item in self.tree.items}
        gone = self.tree.missing
        for word in _NEEDED:
            if word not in present and word not in gone and "" not in gone:
                self._missing(word, f"every game needs `{word}`")
        ends = {"win", "lose", "draw", "score"}
        if "end" not in present and not (ends | {""}) & gone:
            self._missing("win", "the game never ends: it needs `win`, `lose`, `draw` or `score`")

    def _missing(self, word: str, message: str) -> None:
        examples = {
            "players": "players red blue", "board": "board square 8 by 8", "pieces": "pieces stone",
            "move": "move place", "turn": "turn place", "win": "draw when stuck",
        }  # fmt: skip
        end = len(self.scope.source.text.rstrip())
        span = Span(max(0, end - 1), max(1, end))
        self.scope.complain("missing-statement", span, message, f"for example `{examples[word]}`")

    def _declare(self) -> None:
        scope, players = self.scope, self.one(syntax.Players)
        if players is not None:
            self.resolver.players = (players.first.text, players.second.text)
            for index, name in enumerate((players.first, players.second)):
                scope.declare("player", name, (players,), index)
        for index, option in enumerate(self.all(syntax.Option)):
            scope.declare("option", option.name, (option,), index)
        pieces_ = self.one(syntax.Pieces)
        kinds = pieces_.kinds if pieces_ else ()
        self.resolver.kinds = tuple(k.name.text for k in kinds)
        for index, kind in enumerate(kinds):
            scope.declare("kind of piece", kind.name, (kind,), index)
        for index, link in enumerate(self.all(syntax.Links)[:1]):
            scope.declare("link", link.name, (link,), index)
        for index, state in enumerate(self.all(syntax.StateItem)):
            scope.declare("state", state.name, (state,), index)
        for index, action in enumerate(self.all(syntax.Action)):
            scope.declare("action", action.name, (action,), index)
        for index, move in enumerate(self.all(syntax.Move)):
            scope.declare("move", move.name, (move,), index)
        self._declare_lets()
        for count, limit, what in (
            (len(scope.declared) + len(scope.moves), limits.NAMES, "names"),
            (len(self.all(syntax.Option)), limits.OPTIONS, "options"),
            (len(kinds), limits.KINDS, "kinds of pieces"),
        ):
            if count > limit:
                message = f"{count} {what}; at most {limit} are possible"
                scope.complain("too-large", Span(0, 1), message)

    def _declare_lets(self) -> None:
        """Definitions; those that differ by player are one name with two nodes."""
        by_name: dict[str, list[syntax.Let]] = {}
        for let in self.all(syntax.Let):
            if let.player is not None and self._player_of(let) is None:
                continue
            others = by_name.setdefault(let.name.text, [])
            if others and not self._completes(others, let):
                self.scope.declare("let", let.name, (let,), 0)  # reports that it is taken
                continue
            others.append(let)
            if len(others) == 1:
                self.scope.declare("let", let.name, (), 0)
        for name, lets in by_name.items():
            declared = self.scope.declared.get(name)
            if declared is not None and declared.kind == "let":
                object.__setattr__(declared, "nodes", tuple(lets))
            if lets[0].player is not None and len(lets) == 1 and "let" not in self.tree.missing:
                message = f"`{name}` is defined for {lets[0].player.text} only"
                advice = "define it for the other player too, or leave `for` out"
                self.scope.complain("one-sided", lets[0].name, message, advice)

    def _player_of(self, let: syntax.Let) -> int | None:
        assert let.player is not None
        if let.player.text in self.resolver.players:
            return self.resolver.players.index(let.player.text)
        self.scope.unknown(let.player, "player", self.resolver.players)
        return None

    @staticmethod
    def _completes(others: list[syntax.Let], let: syntax.Let) -> bool:
        """Whether *let* is the other player's version of a definition already seen."""
        if let.player is None or len(others) > 1:
            return False
        other, same = others[0], len(others[0].parameters) == len(let.parameters)
        return same and other.player is not None and other.player.text != let.player.text

    # --- options and board ---

    def _resolve_options(self) -> None:
        known = {option.name.text for option in self.all(syntax.Option)}
        for name in self.settings:
            if name not in known:
                advice = did_you_mean(name, known)
                has = ", ".join(sorted(known)) or "none"
                message = f"this game has no option `{name}`; it has {has}"
                raise OptionError(f"{message}; {advice}" if advice else message)
        for option in self.all(syntax.Option):
            value = self._option(option)
            if value is not None:
                self.options.append(value)
                truth = isinstance(value.value, bool)
                type_ = Type.TRUTH if truth else Type.INT
                type_ = Type.REAL if isinstance(value.value, float) else type_
                self.resolver.options[value.name] = Const(type_, value.value)

    def _option(self, node: syntax.Option) -> r.OptionValue | None:
        resolver, name = self.resolver, node.name.text
        default = resolver.constant(resolver.closed(node.default, Type.UNKNOWN), node.default)
        if not isinstance(default, bool | int | float):
            if default is not None:
                message = "an option is a number, `true` or `false`"
                self.scope.complain("wrong-type", node.default, message)
            return None
        if isinstance(default, bool):
            if node.range is not None:
                message = "an option that is true or false has no range"
                self.scope.complain("wrong-type", node.range, message)
            value = setting_of(name, self.settings.get(name, default), default, None, None)
            return r.OptionValue(name, value, default, None, None)
        if node.range is None:
            message = f"the option `{name}` needs its range"
            self.scope.complain("bad-option", node, message, f"option {name} = {default} in 1..{max(default, 9)}")  # noqa: E501
            return None
        limits_ = self._range(node.range)
        if limits_ is None:
            return None
        low, high = limits_
        if name not in self.settings and not low <= default <= high:
            message = f"{default} lies outside the range {low}..{high}"
            self.scope.complain("out-of-range", node.default, message)
            return None
        value = setting_of(name, self.settings.get(name, default), default, low, high)
        return r.OptionValue(name, value, default, low, high)

    def _range(self, node: syntax.Expr) -> tuple[int, int] | None:
        """The ends of a constant range."""
        found = self.resolver.closed(node, Type.RANGE)
        value = self.resolver.constant(found, node)
        if not isinstance(value, tuple):
            return None
        low, high = value
        assert isinstance(low, int) and isinstance(high, int)
        if low > high:
            self.scope.complain("out-of-range", node, f"the range {low}..{high} is empty")
            return None
        return low, high

    def _board(self) -> Board | None:
        node = self.one(syntax.Board)
        if node is None:
            return None
        whole = boards.whole_board(self.resolver, node)
        if whole is None:
            return None
        self.resolver.board = whole
        final = boards.cut(self.resolver, node, whole)
        if final is None:
            return None
        self.resolver.forget()
        self.resolver.board = final
        return boards.label(self.resolver, self.all(syntax.Label), final)

    def _without_board(self) -> None:
        """Check what can be checked when there is no board: the turns."""
        for turn in self.all(syntax.Turn):
            resolve_course(turn.course, self.scope)
        self._check_moves_used()

    # --- everything else ---

    def _on_board(self, board: Board) -> r.Rules | None:
        resolver, scope = self.resolver, self.scope
        resolver.forget()
        links = tuple(self._links(node) for node in self.all(syntax.Links)[:1])
        resolver.link_steps = tuple(link.steps for link in links)
        states = self._states()
        setup_node = self.one(syntax.Setup)
        setup, setup_slots = resolver.setup(setup_node) if setup_node else ((), 0)
        moves = tuple(resolver.move(node) for node in self.all(syntax.Move))
        course, first_course = self._turns()
        ends = tuple(e for e in (self._end(node) for node in self.all(syntax.End)) if e)
        claims = tuple(c for c in (self._claim(node) for node in self.all(syntax.Claim)) if c)
        self._check_unused()
        self._check_moves_used()
        kinds = pieces.kinds(self.tree, resolver)
        game = self.one(syntax.GameName)
        if scope.report.failed or game is None:
            return None
        return r.Rules(
            name=game.name.text,
            players=(resolver.players[0], resolver.players[1]),
            options=tuple(self.options),
            board=board,
            kinds=kinds,
            links=links,
            states=states,
            functions=tuple(resolver.functions),
            actions=tuple(resolver.actions),
            setup=setup,
            setup_slots=setup_slots,
            moves=moves,
            course=course,
            first_course=first_course,
            joined=self.one(syntax.Joined) is not None,
            ends=ends,
            claims=claims,
            looks_back=self._looks_back(),
            origins=tuple(scope.origins),
        )

    def _links(self, node: syntax.Links) -> r.LinkKind:
        found = self.resolver.closed(node.steps, Type.STEPS)
        value = self.resolver.constant(found, node.steps)
        steps: tuple[Step, ...] = value if isinstance(value, tuple) else ()  # type: ignore[assignment]
        return r.LinkKind(node.name.text, steps)

    def _states(self) -> tuple[r.StateVariable, ...]:
        nodes = self.all(syntax.StateItem)
        for index, node in enumerate(nodes):
            self.resolver.state_types[index] = Type.UNKNOWN
        found = []
        for index, node in enumerate(nodes):
            state = self._state(node)
            self.resolver.state_types[index] = state.type
            if state.type is not Type.UNKNOWN:
                self.resolver.states.setdefault(node.name.text, state)
            found.append(state)
        return tuple(found)

    def _state(self, node: syntax.StateItem) -> r.StateVariable:
        resolver = self.resolver
        first: Expr = resolver.closed(node.value, Type.UNKNOWN)
        if first.type in (Type.SITE, Type.KIND, Type.PLAYER, Type.FAMILY):
            first = resolver.fit(first, node.value, Type.SITES)
        if first.type is Type.SITE:
            first = m.Apply(Type.SITES, "unite", (first,))
        if first.type not in (*_STATE_TYPES, Type.UNKNOWN):
            message = f"a state is a whole number, a truth or a set of sites, not {first.type}"
            self.scope.complain("wrong-type", node.value, message)
            first = UNKNOWN
        low = high = None
        if node.range is not None:
            ends = self._range(node.range)
            low, high = ends or (None, None)
            if first.type not in (Type.INT, Type.UNKNOWN):
                self.scope.complain("wrong-type", node.range, "only a number has a range")
        value = first.value if isinstance(first, Const) and first.type is Type.INT else None
        if isinstance(value, int) and low is not None and high is not None:
            if not low <= value <= high:
                message = f"{value} lies outside the range {low}..{high}"
                self.scope.complain("out-of-range", node.value, message)
        origin, name = self.scope.origin(node), node.name.text
        return r.StateVariable(
            name, first.type, node.each, first, low, high, node.within_turn, node.unseen, origin
        )

    def _turns(self) -> tuple[r.Course, r.Course]:
        course: r.Course = r.EMPTY
        first_course: r.Course | None = None
        for node in self.all(syntax.Turn):
            found = resolve_course(node.course, self.scope)
            if node.first:
                first_course = found
            else:
                course = found
        return course, first_course or course

    def _end(self, node: syntax.End) -> r.End | None:
        resolver = self.resolver
        resolver.in_end = True
        condition = resolver.closed(node.condition, Type.TRUTH)
        score = resolver.closed(node.score, Type.REAL) if node.score else None
        resolver.in_end = False
        if is_unknown(condition) or (score is not None and is_unknown(score)):
            return None
        stuck = cost.mentions(condition, {"stuck"}, resolver.functions)
        return r.End(node.verdict, condition, score, stuck, self.scope.origin(node))

    def _looks_back(self) -> bool:
        words = {"repeats", "board_repeats"}
        return any(name in words for name in _names(self.tree.items))

    def _claim(self, node: syntax.Claim) -> r.Claim | None:
        what = node.what.text if node.what else ""
        known = {
            "never": ("draws",), "bound": ("ends",), "symmetric": vocabulary.SYMMETRIES,
            "perft": ("turns", "decisions"),
        }.get(node.kind, ())  # fmt: skip
        if node.what is not None and what not in known:
            advice = did_you_mean(what, known) or f"expected {' or '.join(known)}"
            message = f"`{what}` is nothing that can be claimed here"
            self.scope.complain("unknown-word", node.what, message, advice)
            return None
        value = None
        if node.value is not None:
            wanted = Type.INT if node.kind == "bound" else Type.TRUTH
            value = self.resolver.closed(node.value, wanted)
            if is_unknown(value):
                return None
        origin = self.scope.origin(node)
        return r.Claim(node.kind, what, value, node.numbers, node.swap, origin)

    # --- what is not used ---

    def _check_unused(self) -> None:
        known = ("let", "state", "option", "action", "link", "kind of piece")
        for name, declared in self.scope.declared.items():
            quiet = name in self.scope.used or name in self.scope.excused
            if declared.kind in known and not quiet:
                message = f"{declared.kind} `{name}` is never used"
                self.scope.complain("unused-name", declared.name, message)
                if declared.kind == "let":
                    self._check_unused_let(declared.nodes)

    def _check_unused_let(self, lets: tuple[syntax.Let, ...]) -> None:
        """An unused definition is still read, as far as that goes without its arguments."""
        for let in lets:
            if not let.parameters:
                self.resolver.closed(let.value, Type.UNKNOWN)

    def _check_moves_used(self) -> None:
        for name, declared in self.scope.moves.items():
            quiet = f"move {name}" in self.scope.used or name in self.scope.excused
            if not quiet and "turn" not in self.tree.missing and self.all(syntax.Turn):
                message = f"no turn mentions the move `{name}`, so it can never be played"
                self.scope.complain("unused-move", declared.name, message)


def _names(node: Any) -> list[str]:
    """Every word used as a name inside *node*."""
    if isinstance(node, syntax.Name):
        return [node.text]
    if isinstance(node, tuple | list):
        return [n for item in node for n in _names(item)]
    if isinstance(node, syntax.Node):
        return [n for a in node.__attrs_attrs__ for n in _names(getattr(node, a.name))]  # type: ignore[attr-defined]
    return []


def setting_of(
    name: str, value: Any, default: OptionSetting, low: float | None, high: float | None
) -> OptionSetting:
    """A caller's value for an option, tested; raises `OptionError`."""
    if isinstance(value, str):
        value = _read(name, value, default)
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise OptionError(f"option {name} is yes or no, not {value!r}")
        return value
    whole = isinstance(default, int)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise OptionError(f"option {name} is a number, not {value!r}")
    if whole and not isinstance(value, int):
        raise OptionError(f"option {name} is a whole number, not {value!r}")
    if low is not None and high is not None and not low <= value <= high:
        raise OptionError(f"option {name} must be in {low}..{high}, not {value}")
    return value


def _read(name: str, text: str, default: OptionSetting) -> OptionSetting:
    if isinstance(default, bool):
        words = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
        if text.casefold() not in words:
            raise OptionError(f"option {name} is yes or no, not {text!r}")
        return words[text.casefold()]
    try:
        return int(text) if isinstance(default, int) else float(text)
    except ValueError:
        raise OptionError(f"option {name} is a number, not {text!r}") from None
