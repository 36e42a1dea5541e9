"""The statements of a file: its head, which there must be and how often, the names they declare.

In: syntax.  Out: declared names, definitions and options in the scope.  Refuses statements that
are missing, repeated or too many, names that are taken, and settings that no option takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from attrs import define, field

from rulewright.errors import OptionError
from rulewright.ground import limits
from rulewright.language import syntax
from rulewright.language.diagnostics import did_you_mean, offer
from rulewright.language.parse import RULES
from rulewright.language.resolve.scope import (
    BUILT_IN,
    UNKNOWN,
    Locals,
    Scope,
    Tree,
    kinds_named,
    names_used,
    players_named,
)
from rulewright.language.resolve.values import constant_value, read_closed
from rulewright.language.source import Span
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Type

N = TypeVar("N", bound=syntax.Node)


class FileStatements:
    """The statements of one file of any kind, and what is checked of them all."""

    tree: Tree
    scope: Scope
    form: ClassVar[str]
    """How the second line of such a file reads."""
    once: ClassVar[Mapping[type[syntax.Node], str]]
    """The statements that may stand only once, and their words."""

    def all(self, node: type[N]) -> list[N]:
        """The statements of one kind, in order."""
        return [item for item in self.tree.items if isinstance(item, node)]

    def first(self, node: type[N]) -> N | None:
        """The first statement of one kind."""
        return next((item for item in self.tree.items if isinstance(item, node)), None)

    def _shown(self, node: syntax.Node) -> str:
        return self.scope.source.text[node.span.start : node.span.end]

    # --- the head ---

    def _says_nothing(self) -> bool:
        """Whether the file has no statements; reports it, unless what it has cannot be read."""
        if self.tree.items or "" not in self.tree.missing:
            return False
        if not self.scope.report.failed:
            message = "this file says nothing"
            advice = f"begin with the lines `format 1` and `{self.form}`"
            self.scope.complain("bad-head", Span(0, 1), message, advice)
        return True

    def _check_head(self, head: syntax.Node | None, noun: str) -> None:
        """Report a head that is missing or stands too far down."""
        scope, word, gone = self.scope, self.form.partition(" ")[0], self.tree.missing
        self._check_format({"format", "move"} if word == "game" else {"format"})
        if head is None and word not in gone:
            advice = f"write `{self.form}` below `format 1`"
            place = self.first(syntax.Format) or self._top
            scope.complain("missing-statement", place, f"{noun} has no name", advice)
        elif head is not None and self._far_down(head) and not gone:
            message, advice = f"`{self.form}` stands too far down", "make it the second line"
            scope.complain("bad-head", head, message, advice)

    @property
    def _top(self) -> Span:
        return Span(0, max(1, len(self.scope.source.line(1))))

    def _check_format(self, lost: set[str]) -> None:
        scope, format_, gone = self.scope, self.first(syntax.Format), self.tree.missing
        if format_ is None and not lost & gone:
            advice = "write `format 1` above everything else"
            scope.complain("bad-head", self._top, "a file begins with `format 1`", advice)
        elif format_ is not None and repr(format_.number.value) != "1":
            message = f"format {format_.number.value} is unknown; this version reads format 1"
            advice = "a newer rulewright may read it"
            scope.complain("unknown-format", format_.number, message, advice)
        elif format_ is not None and self.tree.items[0] is not format_ and not gone:
            message, advice = "`format 1` stands too far down", "make it the first line"
            scope.complain("bad-head", format_, message, advice)

    def _far_down(self, head: syntax.Node) -> bool:
        """Whether anything but `format 1` stands above *head*."""
        where = next(i for i, item in enumerate(self.tree.items) if item is head)
        return any(not isinstance(item, syntax.Format) for item in self.tree.items[:where])

    # --- how often ---

    def _check_statements_once(self) -> None:
        for kind, word in self.once.items():
            self._check_once(self.all(kind), word)

    def _check_once(self, nodes: Sequence[syntax.Node], word: str) -> None:
        for again in nodes[1:]:
            line = self.scope.source.line_of(nodes[0].span.start)
            message = f"`{word}` stands here a second time; it is in line {line} already"
            self.scope.complain("repeated-statement", again, message)

    # --- other files ---

    def _check_game(self, noun: str, named: syntax.Name, game: str) -> None:
        if named.text != game:
            message = f"this {noun} is for `{named.text}`, and the game is {game}"
            self.scope.complain("other-game", named, message)

    def _not_found(self, noun: str, name: syntax.Name, game: str, known: Iterable[str]) -> None:
        message = f"there is no {noun} `{name.text}` for {game}"
        self.scope.complain("unknown-name", name, message, offer(name.text, known))

    def _has_mistakes(self, noun: str, name: syntax.Name, file: str) -> None:
        message = f"the {noun} `{name.text}` has mistakes of its own"
        self.scope.complain("other-file", name, message, f"check {file}")


@define
class Definitions(FileStatements):
    """The statements of one file, and its definitions."""

    tree: syntax.Rules | syntax.Evaluator
    scope: Scope

    def _check_number(self, noun: str, names: list[syntax.Name], limit: int) -> None:
        if len(names) > limit:
            first = sorted(names, key=lambda name: name.span.start)[limit]
            message = f"this file has {len(names)} {noun}; at most {limit} are possible"
            self.scope.complain("too-large", first, message)

    def _check_parameters(self) -> None:
        """Parameters are new names, each of them once."""
        nodes: list[syntax.Let | syntax.Action] = [*self.all(syntax.Let), *self.all(syntax.Action)]
        for node in nodes:
            frame = Locals()
            for parameter in node.parameters:
                if self.scope.check_local(parameter, frame):
                    frame.add(parameter, Type.UNKNOWN)
            inside = node.value if isinstance(node, syntax.Let) else node.block
            used = set(names_used(inside)) | self.scope.mentioned
            for name, span in frame.spans.items():
                if name not in used:
                    self.scope.complain(
                        "unused-name", span, f"the parameter `{name}` is never used"
                    )

    def _declare_lets(self) -> None:
        """Definitions; those that differ by player are one name with two nodes."""
        by_name: dict[str, list[syntax.Let]] = {}
        for let in self.all(syntax.Let):
            if let.player is not None and self._player_of(let) is None:
                self.scope.excused.add(let.name.text)
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
        if let.player.text in self.scope.players:
            return self.scope.players.index(let.player.text)
        self.scope.unknown(let.player, "player", self.scope.players)
        return None

    @staticmethod
    def _completes(others: list[syntax.Let], let: syntax.Let) -> bool:
        """Whether *let* is the other player's version of a definition already seen."""
        if let.player is None or len(others) > 1:
            return False
        other, same = others[0], len(others[0].parameters) == len(let.parameters)
        return same and other.player is not None and other.player.text != let.player.text


OptionSetting = int | float | bool
_EXAMPLES = {
    "players": "players red blue", "board": "board square 8 by 8", "pieces": "pieces stone",
    "move": "move place", "turn": "turn place", "win": "draw when stuck",
}  # fmt: skip
_NEEDED: dict[str, type[syntax.Node]] = {
    "players": syntax.Players, "board": syntax.Board, "pieces": syntax.Pieces,
    "move": syntax.MoveKind, "turn": syntax.Turn, "win": syntax.End,
}  # fmt: skip
_ENDS = {"win", "lose", "draw", "score"}


@define
class Statements(Definitions):
    """The statements of a rules file and the names in them."""

    tree: syntax.Rules
    scope: Scope
    settings: Mapping[str, OptionSetting]
    options: list[r.OptionValue] = field(factory=list)
    form = RULES.head
    once: ClassVar = {
        syntax.Format: "format", syntax.GameName: "game", syntax.Players: "players",
        syntax.Board: "board", syntax.Pieces: "pieces", syntax.Links: "links",
        syntax.Setup: "setup", syntax.WriteTogether: "write turn together",
    }  # fmt: skip

    def _check_statements(self) -> None:
        self._check_statements_once()
        turns = self.all(syntax.Turn)
        self._check_once([t for t in turns if not t.first], "turn")
        self._check_once([t for t in turns if t.first], "first turn")
        present = {type(item) for item in self.tree.items}
        if all(t.first for t in turns):
            present.discard(syntax.Turn)
        if all(end.verdict == "claim" for end in self.all(syntax.End)):
            present.discard(syntax.End)
        gone = self.tree.missing
        if "" in gone:
            return
        absent = [w for w, kind in _NEEDED.items() if kind not in present and w not in gone]
        if _ENDS & gone and "win" in absent:
            absent.remove("win")
        if absent:
            self._missing(absent)

    def _missing(self, words: list[str]) -> None:
        """Report all the statements that the file lacks, at its end."""
        needs = [f"`{word}`" if word != "win" else "an end (`win`, `lose`, ...)" for word in words]
        shown = " and ".join([", ".join(needs[:-1]), needs[-1]] if needs[:-1] else needs)
        advice = ", ".join(f"`{_EXAMPLES[word]}`" for word in words)
        end = len(self.scope.source.text.rstrip())
        span = Span(max(0, end - 1), max(1, end))
        message = f"the file ends, and it still needs {shown}"
        self.scope.complain("missing-statement", span, message, f"for example {advice}")

    def _excuse(self) -> None:
        """Words that only a statement which is missing could have declared are no mistakes."""
        items, excused = self.tree.items, self.scope.excused
        if self.first(syntax.Players) is None:
            excused.update({*players_named(items)} - BUILT_IN)
        if self.first(syntax.Pieces) is None:
            excused.update(kinds_named(items))

    def _declare(self) -> None:
        scope, players = self.scope, self.first(syntax.Players)
        if players is not None:
            self.scope.players = (players.first.text, players.second.text)
            for index, name in enumerate((players.first, players.second)):
                scope.declare("player", name, (players,), index)
        for index, option in enumerate(self.all(syntax.Option)):
            scope.declare("option", option.name, (option,), index)
        pieces_ = self.first(syntax.Pieces)
        kinds = pieces_.kinds if pieces_ else ()
        self.scope.kinds = tuple(k.name.text for k in kinds)
        for index, kind in enumerate(kinds):
            scope.declare("kind of piece", kind.name, (kind,), index)
        for index, link in enumerate(self.all(syntax.Links)[:1]):
            scope.declare("link", link.name, (link,), index)
        for index, state in enumerate(self.all(syntax.StateVariable)):
            scope.declare("state", state.name, (state,), index)
        for index, action in enumerate(self.all(syntax.Action)):
            scope.declare("action", action.name, (action,), index)
        for index, move in enumerate(self.all(syntax.MoveKind)):
            scope.declare("move", move.name, (move,), index)
        self._declare_lets()
        every = [d.name for d in (*scope.declared.values(), *scope.moves.values())]
        self._check_number("names", every, limits.NAMES)
        self._check_number("options", [o.name for o in self.all(syntax.Option)], limits.OPTIONS)
        self._check_number("kinds of pieces", [k.name for k in kinds], limits.KINDS)


@define
class OptionStatements(Statements):
    """The options of one file, in the order in which they may build on each other."""

    def _resolve_options(self) -> None:
        self.scope.settings_given = bool(self.settings)
        known = {option.name.text for option in self.all(syntax.Option)}
        for name in self.settings:
            if name not in known:
                advice = did_you_mean(name, known)
                has = ", ".join(sorted(known)) or "none"
                message = f"this game has no option `{name}`; it has {has}"
                raise OptionError(f"{message}; {advice}" if advice else message)
        for option in self.all(syntax.Option):
            value = self._option(option)
            if value is None:
                self.scope.options.setdefault(option.name.text, UNKNOWN)
                continue
            self.options.append(value)
            type_ = {bool: Type.TRUTH, int: Type.INT, float: Type.REAL}[type(value.value)]
            self.scope.options[value.name] = Const(type_, value.value)

    def _option(self, node: syntax.Option) -> r.OptionValue | None:
        scope, name = self.scope, node.name.text
        default = constant_value(
            scope, read_closed(scope, node.default, Type.UNKNOWN), node.default
        )
        limits_ = self._range(node.range) if node.range is not None else None
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
            return r.OptionValue(name, value, default, None, None, self.scope.origin(node))
        if node.range is None:
            message = f"the option `{name}` is a number, so it needs its range"
            advice = f"`option {name} = {default} in 1..{max(default, 9)}`"
            self.scope.complain("bad-option", node, message, advice)
            return None
        if limits_ is None:
            return None
        low, high = limits_
        if name not in self.settings and not low <= default <= high:
            message = f"{default} lies outside the range {low}..{high}"
            self.scope.complain("out-of-range", node.default, message)
            return None
        value = setting_of(name, self.settings.get(name, default), default, low, high)
        return r.OptionValue(name, value, default, low, high, self.scope.origin(node))

    def _range(self, node: syntax.Expr) -> tuple[int, int] | None:
        """The ends of a constant range."""
        value = constant_value(self.scope, read_closed(self.scope, node, Type.RANGE), node)
        if not isinstance(value, tuple):
            return None
        low, high = value
        assert isinstance(low, int)
        assert isinstance(high, int)
        if low > high:
            self.scope.complain("out-of-range", node, f"the range {low}..{high} is empty")
            return None
        return low, high


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
