"""Pattern files: from syntax to the model.

In: syntax, the rules of the game, and ways to find evaluators.  Out: the model, or None when any
error was reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import TypeVar

from attrs import define, evolve, field

from rulewright.ground.records import Record, record
from rulewright.language.diagnostics import Collector, did_you_mean, offer
from rulewright.language.parse_patterns import BEGINS, HEADS
from rulewright.language.resolve.pattern_bodies import Body, Reporter
from rulewright.language.source import Source, Span
from rulewright.language.syntax import Format, Name, Node
from rulewright.language.syntax import patterns as syntax
from rulewright.model import patterns as m
from rulewright.model.evaluation import Evaluator
from rulewright.model.rules import Rules
from rulewright.reference.matching import headings, places_one
from rulewright.reference.play import ReferencePlay

SYMMETRIES = ("mirror", "all", "none")
N = TypeVar("N", bound=Node)


@record
class PatternShelf(Record):
    """The rules of the game, an evaluator of it by name, and all that have a path of a name."""

    rules: Rules
    evaluator: Callable[[str], Evaluator | None]
    with_path: Callable[[str], dict[str, Evaluator]]
    patterns: Callable[[str], m.Patterns | str | None]
    """Another pattern file by its name; a text says what is wrong with it."""
    names_of: Callable[[str], Iterable[str]]
    """The names of the files there are of a kind: `eval`, `patterns`."""


def resolve_patterns(
    tree: syntax.Patterns,
    head: Iterable[syntax.PatternItem],
    source: Source,
    report: Collector,
    shelf: PatternShelf,
) -> m.Patterns | None:
    """Give every line its meaning; *head* are the lines that stand for a head that is missing."""
    return _File(tree, tuple(head), Reporter(source, report), shelf).resolve()


@define(repr=False, eq=False)
class _Group(Record):
    """A pattern and the lines below it; `begin` is None for one whose first line cannot be read."""

    begin: syntax.Begin | None
    lines: list[syntax.PatternItem] = field(factory=list)


_HEADS = (Format, syntax.PatternsFor, syntax.UsePatterns, syntax.Around, syntax.Symmetry)
_LINES = (syntax.Condition, syntax.Priority, syntax.PictureRow, syntax.PatternExample)


@define(repr=False, eq=False)
class _File(Record):
    """A whole file."""

    tree: syntax.Patterns
    head: tuple[syntax.PatternItem, ...]
    reporter: Reporter
    shelf: PatternShelf
    heads: list[syntax.PatternItem] = field(factory=list)
    groups: list[_Group] = field(factory=list)
    unread: set[str] = field(factory=set)

    def resolve(self) -> m.Patterns | None:
        self._sort()
        self._check_heads()
        around = self._around()
        symmetry = self._symmetry()
        bodies = [Body(self.reporter, self.shelf.rules, g.begin, g.lines) for g in self.groups]
        name = self.reporter.source.name
        patterns = [evolve(p, file=name) for body in bodies if (p := body.resolve()) is not None]
        self._check_names()
        used = self._used()
        patterns = [*used, *patterns]
        self._check_same(patterns, used, symmetry)
        if not self.groups and not used and not self.reporter.failed:
            top = Span(0, 1)
            hint = "a pattern begins with `Off` or `Def` and a name"
            self.reporter("missing-statement", top, "this file has no patterns", hint)
        if self.reporter.failed:
            return None
        return m.Patterns("", self.shelf.rules.name, around, symmetry, tuple(patterns))

    def _sort(self) -> None:
        """Give every line its place: the head, or a pattern."""
        stray = False
        for item in self.tree.items:
            word = item.word if isinstance(item, syntax.Unread) else ""
            if isinstance(item, syntax.Begin) or word in BEGINS:
                self.groups.append(_Group(item if isinstance(item, syntax.Begin) else None))
            elif isinstance(item, _HEADS) or word in HEADS:
                self._head(item, word)
            elif self.groups:
                self.groups[-1].lines.append(item)
            elif isinstance(item, _LINES) and not stray:
                stray = True
                message = "this stands above the first pattern"
                hint = "a pattern begins with `Off` or `Def` and a name"
                self.reporter("misplaced", item, message, hint)

    def _head(self, item: syntax.PatternItem, word: str) -> None:
        if word:
            self.unread.add(word)
            return
        if self.groups:
            message, hint = "this belongs to the head of the file", "write it above all patterns"
            self.reporter("misplaced", item, message, hint)
            return
        self.heads.append(item)

    def head_line(self, kind: type[N]) -> N | None:
        """The line of the head of that kind; also from the head that stands for a missing one."""
        return next(iter(self.every(kind)), None)

    def every(self, kind: type[N]) -> list[N]:
        """All lines of the head of that kind."""
        own: list[N] = [i for i in self.heads if isinstance(i, kind)]
        if own or self.heads or self.unread:
            return own
        return [i for i in self.head if isinstance(i, kind)]

    # --- the head ---

    def _check_heads(self) -> None:
        for _, items in groupby(sorted(self.heads, key=_kind), _kind):
            first, *others = items
            line = self.reporter.line(first)
            for item in others:
                if _is_path(first) and _is_path(item):
                    continue  # the ends of several paths
                message = f"this stands here a second time; it is in line {line} already"
                self.reporter("repeated-statement", item, message)
        if not self.heads and not self.unread:
            return
        form = self.head_line(Format)
        top = self.heads[0] if self.heads else Span(0, 1)  # none where no line could be read
        if form is None and "format" not in self.unread:
            hint = "write `format 1` above everything else"
            self.reporter("bad-head", top, "a head begins with `format 1`", hint)
        elif form is not None and form.number.value != 1:
            message = f"format {form.number.value} is unknown; this version reads format 1"
            hint = "a newer rulewright may read it"
            self.reporter("unknown-format", form.number, message, hint)
        elif form is not None and self.tree.items[0] is not form:
            hint = "make it the first line"
            self.reporter("bad-head", form, "`format 1` stands too far down", hint)
        named = self.head_line(syntax.PatternsFor)
        if named is None and "patterns" not in self.unread:
            hint = f"write `Patterns for {self.shelf.rules.name}` below `format 1`"
            self.reporter("missing-statement", top, "the head names no game", hint)
        elif named is not None and named.game.text != self.shelf.rules.name:
            game = self.shelf.rules.name
            message = f"these patterns are for `{named.game.text}`, and the game is {game}"
            self.reporter("other-game", named.game, message)
        elif named is not None:
            self._check_fit(named.game)

    def _check_fit(self, name: Name) -> None:
        """Whether a game is one that patterns can say anything of."""
        rules = self.shelf.rules
        if not m.has_frames(rules.board):
            message = f"the board of {rules.name} is no lattice, so no pattern lies on it"
            self.reporter("other-game", name, message)
        elif not any(places_one(move) for move in rules.moves):
            message = (
                f"no decision of {rules.name} puts a piece on one site, which patterns propose"
            )
            self.reporter("other-game", name, message)

    def _around(self) -> tuple[m.EndsOf, ...]:
        """The paths whose ends patterns are tried around; none for own stones."""
        nodes = self.every(syntax.Around)
        if not nodes and "around" not in self.unread and (self.heads or self.unread):
            hint = "`Around own` or `Around ends of PATH`"
            message = "the head does not say what patterns are tried around"
            place = (
                self.head_line(syntax.PatternsFor) or self.heads[0] if self.heads else Span(0, 1)
            )
            self.reporter("missing-statement", place, message, hint)
        ends: list[m.EndsOf] = []
        for node in nodes:
            judge = self._judge(node.path, node.evaluator) if node.path else None
            if node.path is not None and judge is not None:
                end = m.EndsOf(node.path.text, judge, node.as_next)
                self._check_beside(node, end, ends)
                ends.append(end)
        return tuple(ends)

    def _judge(self, path: Name, evaluator: Name | None) -> Evaluator | None:
        """The evaluator that has a path."""
        if evaluator is not None:
            return self._named(path, evaluator)
        evaluators = self.shelf.with_path(path.text)
        if len(evaluators) == 1:
            return next(iter(evaluators.values()))
        if evaluators:
            message = f"several evaluators have a path `{path.text}`: {', '.join(evaluators)}"
            hint = f"`Around ends of {path.text} in {next(iter(evaluators))}`"
        else:
            message = f"no evaluator of {self.shelf.rules.name} has a path `{path.text}`"
            hint = ""
        self.reporter("unknown-name", path, message, hint)
        return None

    def _check_beside(self, node: syntax.Around, end: m.EndsOf, others: list[m.EndsOf]) -> None:
        """Paths stand beside each other that are different, and lead the same way."""
        if end in others:
            self.reporter("repeated-statement", node, "the head names this path already")
        elif others:
            play = ReferencePlay(self.shelf.rules)
            if headings(play, end) != headings(play, others[0]):
                message = f"`{end.path}` leads another way than `{others[0].path}`"
                hint = (
                    "a pattern takes its direction from a path, so all paths must lead the same way"
                )
                self.reporter("misplaced", node, message, hint)

    def _named(self, path: Name, name: Name) -> Evaluator | None:
        evaluator = self.shelf.evaluator(name.text)
        if evaluator is None:
            message = f"there is no evaluator `{name.text}` for {self.shelf.rules.name}"
            self.reporter(
                "unknown-name", name, message, offer(name.text, self.shelf.names_of("eval"))
            )
            return None
        names = [p.name for p in evaluator.paths]
        if path.text not in names:
            message = f"the evaluator `{name.text}` has no path `{path.text}`"
            self.reporter("unknown-name", path, message, did_you_mean(path.text, names))
            return None
        return evaluator

    def _used(self) -> tuple[m.Pattern, ...]:
        """The patterns of the file that this one uses."""
        node = self.head_line(syntax.UsePatterns)
        if node is None:
            return ()
        file = self.shelf.patterns(node.name.text)
        if isinstance(file, m.Patterns):
            return file.patterns
        if file is None:
            message = f"there is no pattern file `{node.name.text}` for {self.shelf.rules.name}"
            hint = offer(node.name.text, self.shelf.names_of("patterns"))
            self.reporter("unknown-name", node.name, message, hint)
        else:
            self.reporter("other-file", node.name, file)
        return ()

    def _symmetry(self) -> str:
        node = self.head_line(syntax.Symmetry)
        if node is None:
            return "mirror"
        text = node.name.text.casefold()
        if text not in SYMMETRIES:
            message = f"no symmetry is called `{node.name.text}`"
            hint = offer(text, SYMMETRIES)
            self.reporter("unknown-word", node.name, message, hint)
            return "mirror"
        if text == "all" and any(map(_is_path, self.every(syntax.Around))):
            message = "`Symmetry all` needs `Around own`: a path leaves its ends in one direction"
            self.reporter("misplaced", node, message, "`Symmetry mirror`")
        return text

    # --- patterns among each other ---

    def _check_names(self) -> None:
        earlier: dict[tuple[bool, str], syntax.Begin] = {}
        for begin in (g.begin for g in self.groups if g.begin is not None):
            key = (begin.word.startswith("Def"), begin.name.text.casefold())
            other = earlier.setdefault(key, begin)
            if other is not begin:
                line = self.reporter.line(other)
                message = f"`{begin.name.text}` is already a pattern, in line {line}"
                self.reporter("defined-twice", begin.name, message, "choose another name")

    def _check_same(
        self, patterns: list[m.Pattern], used: tuple[m.Pattern, ...], symmetry: str
    ) -> None:
        frames = m.frames(self.shelf.rules.board)
        frames = frames if symmetry == "all" else frames[: 2 if symmetry == "mirror" else 1]
        earlier: dict[object, m.Pattern] = {}
        for number, pattern in enumerate(patterns):
            lies = [f for f in frames if not (pattern.symmetric and f.mirrored)]
            own = m.Condition(m.Test.OPP if pattern.defends else m.Test.OWN, m.HERE)
            rest = tuple(c for c in pattern.conditions if c != own)
            bare = evolve(pattern, conditions=rest)
            ways = [(m.place_pattern(0, bare, frame).key, pattern.defends) for frame in lies]
            same = next((earlier[way] for way in ways if way in earlier), None)
            if same is None or number < len(used):
                earlier.setdefault(ways[0], pattern)
                continue
            place = f"line {same.line}" if same.file == pattern.file else f"{same.file}:{same.line}"
            message = f"`{pattern.name}` proposes what `{same.name}` ({place}) proposes"
            begins = (g.begin for g in self.groups if g.begin is not None)
            span = next(b for b in begins if self.reporter.line(b) == pattern.line)
            self.reporter("same-pattern", span, message, "leave out one of the two patterns")


def _is_path(item: syntax.PatternItem) -> bool:
    return isinstance(item, syntax.Around) and item.path is not None


def _kind(item: syntax.PatternItem) -> str:
    return type(item).__name__
