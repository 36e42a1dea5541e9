"""The statements of a file: which there must be, how often, and the names that they declare."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from rulewright.language import limits, syntax
from rulewright.language.source import Span
from rulewright.model import rules as r
from rulewright.resolve import vocabulary
from rulewright.resolve.definitions import Definitions
from rulewright.resolve.effects import EffectResolver
from rulewright.resolve.heads import check_for_nothing, check_head
from rulewright.resolve.uses import kinds_named, players_named

OptionSetting = int | float | bool
_ONCE = {
    syntax.Format: "format", syntax.GameName: "game", syntax.Players: "players",
    syntax.Board: "board", syntax.Pieces: "pieces", syntax.Links: "links",
    syntax.Setup: "setup", syntax.WriteTogether: "write turn together",
}  # fmt: skip
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
    resolver: EffectResolver
    settings: Mapping[str, OptionSetting]
    options: list[r.OptionValue] = field(factory=list)

    def _check_head(self) -> None:
        check_head(self.tree, self.scope, self.one(syntax.GameName), "game NAME", "the game")

    def check_for_nothing(self) -> None:
        """Report a file without statements, unless what it has cannot be read."""
        check_for_nothing(self.scope, "game NAME")

    def _check_statements(self) -> None:
        for kind, word in _ONCE.items():
            self._check_once(self.all(kind), word)
        turns = self.all(syntax.Turn)
        self._check_once([t for t in turns if not t.first], "turn")
        self._check_once([t for t in turns if t.first], "first turn")
        present = {type(item) for item in self.tree.items}
        if all(t.first for t in turns):
            present.discard(syntax.Turn)
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
