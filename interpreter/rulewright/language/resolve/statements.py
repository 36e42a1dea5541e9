"""The statements of a file: its head, which there must be and how often, the names they declare.

In: syntax.  Out: declared names and definitions in the scope.  Refuses statements that are missing,
repeated or too many, and names that are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from attrs import define

from rulewright.ground import limits
from rulewright.language import syntax
from rulewright.language.diagnostics import offer
from rulewright.language.resolve.scope import (
    BUILT_IN,
    Locals,
    Scope,
    Tree,
    kinds_named,
    names_used,
    players_named,
)
from rulewright.language.source import Span
from rulewright.model.expressions import Type
from rulewright.model.rules import Rules

N = TypeVar("N", bound=syntax.Node)


@define
class FileStatements:
    """The statements of one file of any kind, and what is checked of them all."""

    tree: Tree
    scope: Scope
    form: str
    """How the second line of such a file reads."""
    once: Mapping[type[syntax.Node], str]
    """The statements that may stand only once, and their words."""

    def all(self, kind: type[N]) -> list[N]:
        """The statements of one kind, in order."""
        return [item for item in self.tree.items if isinstance(item, kind)]

    def first(self, kind: type[N]) -> N | None:
        """The first statement of one kind."""
        return next((item for item in self.tree.items if isinstance(item, kind)), None)

    # --- the head ---

    def says_nothing(self) -> bool:
        """Whether the file has no statements; reports it, unless what it has cannot be read."""
        if self.tree.items or "" not in self.tree.missing:
            return False
        if not self.scope.report.failed:
            message = "this file says nothing"
            advice = f"begin with the lines `format 1` and `{self.form}`"
            self.scope.complain("bad-head", Span(0, 1), message, advice)
        return True

    def check_head(self, head: syntax.Node | None) -> None:
        """Report a head that is missing or stands too far down."""
        scope, word, gone = self.scope, self.form.partition(" ")[0], self.tree.missing
        self._check_format({"format", "move"} if word == "game" else {"format"})
        if head is None and word not in gone:
            advice = f"write `{self.form}` below `format 1`"
            place = self.first(syntax.Format) or self._top
            scope.complain("missing-statement", place, f"the {word} has no name", advice)
        elif head is not None and self._far_down(head) and not gone:
            message, advice = f"`{self.form}` stands too far down", "make it the second line"
            scope.complain("bad-head", head, message, advice)

    @property
    def _top(self) -> Span:
        return Span(0, max(1, len(self.scope.source.line(1))))

    def _check_format(self, missing: set[str]) -> None:
        scope, format_, gone = self.scope, self.first(syntax.Format), self.tree.missing
        if format_ is None and not missing & gone:
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

    def check_once(self) -> None:
        """Report what may stand only once and stands again."""
        for kind, word in self.once.items():
            self.check_repeated(self.all(kind), word)

    def check_repeated(self, nodes: Sequence[syntax.Node], word: str) -> None:
        """Report all *nodes* but the first as repeated."""
        for again in nodes[1:]:
            line = self.scope.source.mention(nodes[0].span)
            message = f"`{word}` stands here a second time; it is in {line} already"
            self.scope.complain("repeated-statement", again, message)

    # --- other files ---

    def check_game(self, named: syntax.Name, game: Rules) -> None:
        """Report a head that names another game, none that this one builds on."""
        if named.text not in game.names:
            noun = self.form.partition(" ")[0]
            message = f"this {noun} is for `{named.text}`, and the game is {game.name}"
            self.scope.complain("other-game", named, message)

    def complain_missing(
        self, noun: str, name: syntax.Name, game: str, names: Iterable[str]
    ) -> None:
        """Report that there is no such file."""
        message = f"there is no {noun} `{name.text}` for {game}"
        self.scope.complain("unknown-name", name, message, offer(name.text, names))

    def complain_faulty(self, noun: str, name: syntax.Name, file: str) -> None:
        """Report that a file which is named has mistakes."""
        message = f"the {noun} `{name.text}` has mistakes of its own"
        self.scope.complain("other-file", name, message, f"check {file}")


# --- definitions ---


def check_parameters(file: FileStatements) -> None:
    """Report parameters that are no new names, or that nothing uses."""
    scope = file.scope
    nodes: list[syntax.Let | syntax.Action] = [*file.all(syntax.Let), *file.all(syntax.Action)]
    for node in nodes:
        frame = Locals()
        for parameter in node.parameters:
            if scope.check_local(parameter, frame):
                frame.add(parameter, Type.UNKNOWN)
        inside = node.value if isinstance(node, syntax.Let) else node.block
        used = set(names_used(inside)) | scope.mentioned
        for name, span in frame.spans.items():
            if name not in used:
                scope.complain("unused-name", span, f"the parameter `{name}` is never used")


def declare_lets(file: FileStatements) -> None:
    """Declare definitions; those that differ by player are one name with two nodes."""
    scope = file.scope
    by_name: dict[str, list[syntax.Let]] = {}
    for let in file.all(syntax.Let):
        if _is_of_nobody(scope, let):
            scope.excused.add(let.name.text)
            continue
        others = by_name.setdefault(let.name.text, [])
        if others and not _completes(others, let):
            scope.declare("let", let.name, (let,), 0)  # reports that it is taken
            continue
        others.append(let)
        if len(others) == 1:
            scope.declare("let", let.name, (), 0)
    for name, lets in by_name.items():
        declared = scope.declared.get(name)
        if declared is not None and declared.kind == "let":
            object.__setattr__(declared, "nodes", tuple(lets))
        if "let" not in file.tree.missing and len(file.all(syntax.Players)) < 2:
            check_sides(scope, name, lets)


def check_sides(scope: Scope, name: str, lets: Sequence[syntax.Let]) -> None:
    """Report a definition that some players have and others lack."""
    sides = [let.player.text for let in lets if let.player is not None]
    lacking = [player for player in scope.players if player not in sides]
    if not sides or not lacking:
        return
    if len(scope.players) == 2:
        message = f"`{name}` is defined for {sides[0]} only"
        advice = "define it for the other player too, or leave `for` out"
    else:
        message = f"`{name}` is not defined for {lacking[0]}"
        advice = "define it for every player, or leave `for` out"
    scope.complain("one-sided", lets[0].name, message, advice)


def _is_of_nobody(scope: Scope, let: syntax.Let) -> bool:
    """Whether a definition is for somebody who plays with no options; reports it if so."""
    if let.player is None or let.player.text in (*scope.players, *scope.absent):
        return False
    scope.unknown(let.player, "player", scope.players)
    return True


def _completes(others: list[syntax.Let], let: syntax.Let) -> bool:
    """Whether *let* is the other player's version of a definition already seen."""
    if let.player is None or len(others[0].parameters) != len(let.parameters):
        return False
    sides = [other.player and other.player.text for other in others]
    return None not in sides and let.player.text not in sides


# --- rules ---

_EXAMPLES = {
    "players": "players red blue", "board": "board square 8 by 8", "pieces": "pieces stone",
    "move": "move place", "turn": "turn place", "win": "draw when stuck",
}  # fmt: skip
_NEEDED: dict[str, type[syntax.Node]] = {
    "players": syntax.Players, "board": syntax.Board, "pieces": syntax.Pieces,
    "move": syntax.MoveKind, "turn": syntax.Turn, "win": syntax.End,
}  # fmt: skip
_ENDS = {"win", "lose", "draw", "score"}


def check_statements(file: FileStatements) -> None:
    """Report statements of rules that are repeated or missing."""
    file.check_once()
    turns, gone = file.all(syntax.Turn), file.tree.missing
    lines = file.all(syntax.Players)
    file.check_repeated([line for line in lines if line.condition is None], "players")
    file.check_repeated([t for t in turns if not t.first], "turn")
    file.check_repeated([t for t in turns if t.first], "first turn")
    present = {type(item) for item in file.tree.items}
    if all(t.first for t in turns):
        present.discard(syntax.Turn)
    if all(end.verdict == "claim" for end in file.all(syntax.End)):
        present.discard(syntax.End)
    if any(state.indices for state in file.all(syntax.StateVariable)):
        present.add(syntax.Pieces)  # a game of numbers has a table instead
    absent = [w for w, kind in _NEEDED.items() if kind not in present and w not in gone]
    if _ENDS & gone and "win" in absent:
        absent.remove("win")
    if absent and "" not in gone:
        _complain_absent(file.scope, absent)


def _complain_absent(scope: Scope, words: list[str]) -> None:
    """Report all the statements that the file lacks, at its end."""
    needs = [f"`{word}`" if word != "win" else "an end (`win`, `lose`, ...)" for word in words]
    shown = " and ".join([", ".join(needs[:-1]), needs[-1]] if needs[:-1] else needs)
    advice = ", ".join(f"`{_EXAMPLES[word]}`" for word in words)
    end = len(scope.source.text.rstrip())
    span = Span(max(0, end - 1), max(1, end))
    message = f"the file ends, and it still needs {shown}"
    scope.complain("missing-statement", span, message, f"for example {advice}")


def excuse(file: FileStatements) -> None:
    """Excuse words that only a statement which is missing could have declared."""
    items, excused = file.tree.items, file.scope.excused
    if file.first(syntax.Players) is None:
        excused.update({*players_named(items)} - BUILT_IN)
    if file.first(syntax.Pieces) is None:
        excused.update(kinds_named(items))


def declare(file: FileStatements) -> None:
    """Declare the names of rules."""
    scope, players, pieces = file.scope, file.first(syntax.Players), file.first(syntax.Pieces)
    options, kinds = file.all(syntax.Option), pieces.kinds if pieces else ()
    if players is not None:
        declare_players(file)
    scope.kinds = tuple(kind.name.text for kind in kinds)
    nodes: dict[str, Sequence[Any]] = {
        "option": options, "kind of piece": kinds, "link": file.all(syntax.Links)[:1],
        "state": file.all(syntax.StateVariable), "action": file.all(syntax.Action),
        "move": file.all(syntax.MoveKind),
    }  # fmt: skip
    for kind, declaring in nodes.items():
        for index, node in enumerate(declaring):
            scope.declare(kind, node.name, (node,), index)
    _declare_lines(file)
    declare_lets(file)
    every = [d.name for d in (*scope.declared.values(), *scope.moves.values())]
    _check_number(scope, "names", every, limits.NAMES)
    _check_number(scope, "options", [option.name for option in options], limits.OPTIONS)
    _check_number(scope, "kinds of pieces", [kind.name for kind in kinds], limits.KINDS)


def declare_players(file: FileStatements) -> None:
    """Declare the players of all lines `players`; options choose later which of these play."""
    scope, names = file.scope, dict[str, syntax.Name]()
    for line in file.all(syntax.Players):
        for number, name in enumerate(line.names):
            is_twice = name.text in {other.text for other in line.names[:number]}
            if is_twice or name.text not in names:
                scope.declare("player", name, (line,), len(names))
            names.setdefault(name.text, name)
        if len(line.names) > limits.SEATS:
            message = f"a game has at most {limits.SEATS} players"
            scope.complain("too-large", line.names[limits.SEATS], message)
    scope.players = tuple(names)


def _declare_lines(file: FileStatements) -> None:
    """Declare the lines of the board that have names; each player may have one of a name."""
    board = file.first(syntax.Board)
    pairs = set[tuple[str, str]]()
    for line in board.block if board else ():
        if line.name is None:
            continue
        whose = line.player.text if line.player else ""
        is_other = (
            whose
            and (line.name.text, whose) not in pairs
            and line.name.text in {name for name, player in pairs if player}
        )
        if not is_other:
            file.scope.declare("line", line.name, (line,), 0)
        pairs.add((line.name.text, whose))


def _check_number(scope: Scope, noun: str, names: list[syntax.Name], limit: int) -> None:
    if len(names) > limit:
        first = sorted(names, key=lambda name: name.span.start)[limit]
        message = f"this file has {len(names)} {noun}; at most {limit} are possible"
        scope.complain("too-large", first, message)
