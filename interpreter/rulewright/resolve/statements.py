"""The statements of a file: which there must be, how often, and the names that they declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from attrs import define, field

from rulewright.language import limits, syntax
from rulewright.language.source import Span
from rulewright.model import rules as r
from rulewright.model.expressions import Type
from rulewright.resolve import vocabulary
from rulewright.resolve.effects import EffectResolver
from rulewright.resolve.scope import Frame, Scope
from rulewright.resolve.uses import kinds_named, names_used, players_named

OptionSetting = int | float | bool
N = TypeVar("N", bound=syntax.Node)
_ONCE = {
    syntax.Format: "format", syntax.GameName: "game", syntax.Players: "players",
    syntax.Board: "board", syntax.Pieces: "pieces", syntax.Links: "links",
    syntax.Setup: "setup", syntax.Joined: "write turn together",
}  # fmt: skip
_EXAMPLES = {
    "players": "players red blue", "board": "board square 8 by 8", "pieces": "pieces stone",
    "move": "move place", "turn": "turn place", "win": "draw when stuck",
}  # fmt: skip
_NEEDED = ("players", "board", "pieces", "move", "turn")


@define
class Statements:
    """The statements of one file and the names in them."""

    tree: syntax.Rules
    resolver: EffectResolver
    settings: Mapping[str, OptionSetting]
    options: list[r.OptionValue] = field(factory=list)

    @property
    def scope(self) -> Scope:
        """Names and diagnostics."""
        return self.resolver.scope

    def all(self, node: type[N]) -> list[N]:
        """The statements of one kind, in order."""
        return [item for item in self.tree.items if isinstance(item, node)]

    def one(self, node: type[N]) -> N | None:
        """The first statement of one kind."""
        return next((item for item in self.tree.items if isinstance(item, node)), None)

    def _check_head(self) -> None:
        items, source = self.tree.items, self.scope.source
        format_, game = self.one(syntax.Format), self.one(syntax.GameName)
        top = Span(0, max(1, len(source.line(1))))
        if format_ is None and not {"format", "move"} & self.tree.missing:
            advice = "write `format 1` above everything else"
            self.scope.complain("bad-head", top, "a file begins with `format 1`", advice)
        elif format_ is not None and repr(format_.number.value) != "1":
            message = f"format {format_.number.value} is unknown; this version reads format 1"
            advice = "a newer rulewright may read it"
            self.scope.complain("unknown-format", format_.number, message, advice)
        elif format_ is not None and items[0] is not format_ and not self.tree.missing:
            message, advice = "`format 1` stands too far down", "make it the first line"
            self.scope.complain("bad-head", format_, message, advice)
        if game is None and "game" not in self.tree.missing:
            below = format_ or top
            advice = "write `game NAME` below `format 1`"
            self.scope.complain("missing-statement", below, "the game has no name", advice)
        elif game is not None and self._far_down(game) and not self.tree.missing:
            message, advice = "`game NAME` stands too far down", "make it the second line"
            self.scope.complain("bad-head", game, message, advice)

    def check_for_nothing(self) -> None:
        """Report a file without statements, unless what it has cannot be read."""
        if not self.scope.report.failed:
            message = "this file says nothing"
            advice = "begin with the lines `format 1` and `game NAME`"
            self.scope.complain("bad-head", Span(0, 1), message, advice)

    def _far_down(self, game: syntax.GameName) -> bool:
        """Whether anything but `format 1` stands above `game NAME`."""
        above = self.tree.items[: self.tree.items.index(game)]
        return any(not isinstance(item, syntax.Format) for item in above)

    def _check_statements(self) -> None:
        for kind, word in _ONCE.items():
            self._check_once(self.all(kind), word)
        turns = self.all(syntax.Turn)
        self._check_once([t for t in turns if not t.first], "turn")
        self._check_once([t for t in turns if t.first], "first turn")
        present, gone = {type(item).__name__.lower() for item in self.tree.items}, self.tree.missing
        if not any(not t.first for t in turns):
            present.discard("turn")
        if "" in gone:
            return
        absent = [word for word in _NEEDED if word not in present and word not in gone]
        if "end" not in present and not {"win", "lose", "draw", "score"} & gone:
            absent.append("win")
        if absent:
            self._missing(absent)

    def _check_once(self, nodes: Sequence[syntax.Node], word: str) -> None:
        for again in nodes[1:]:
            line = self.scope.source.line_of(nodes[0].span.start)
            message = f"`{word}` stands here a second time; it is in line {line} already"
            self.scope.complain("repeated-statement", again, message)

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
        if self.one(syntax.Players) is None:
            excused.update({*players_named(items)} - vocabulary.BUILT_IN)
        if self.one(syntax.Pieces) is None:
            excused.update(kinds_named(items))
        self.resolver.lines_missing = "line" in self.tree.missing
        self.resolver.links_missing = "links" in self.tree.missing

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
        every = [d.name for d in (*scope.declared.values(), *scope.moves.values())]
        self._check_number("names", every, limits.NAMES)
        self._check_number("options", [o.name for o in self.all(syntax.Option)], limits.OPTIONS)
        self._check_number("kinds of pieces", [k.name for k in kinds], limits.KINDS)

    def _check_number(self, what: str, names: list[syntax.Name], limit: int) -> None:
        if len(names) > limit:
            first = sorted(names, key=lambda name: name.span.start)[limit]
            message = f"this file has {len(names)} {what}; at most {limit} are possible"
            self.scope.complain("too-large", first, message)

    def _check_parameters(self) -> None:
        """Parameters are new names, each of them once."""
        nodes: list[syntax.Let | syntax.Action] = [*self.all(syntax.Let), *self.all(syntax.Action)]
        for node in nodes:
            frame = Frame()
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
