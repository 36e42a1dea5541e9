"""Patterns on the board: showing the conditions of a pattern, and editing its text by clicks.

In: the text of a pattern file, an offset in it, a state, and the placement of the pattern: a site,
and one of the board's frames.  Out: its conditions at their sites, each with whether it holds; and
edits that add or remove a condition.  A text with mistakes is drawn as far as its lines parse.
Refuses files of another game, and boards without frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from attrs import evolve, field, frozen

from rulewright.app.studio import answers as a
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.language.diagnostics import Collector
from rulewright.language.parse_patterns import parse_patterns
from rulewright.language.source import Source
from rulewright.language.syntax import patterns as syntax
from rulewright.model import patterns as m
from rulewright.model.board import Step, bits, union
from rulewright.model.patterns import HERE, Condition, Frame, Spot, Test
from rulewright.reference.matching import Fired, Matcher, ReferencePoint

SET = "Set"
ERASE = "erase"
_SIGNS = {"o": "Own", "x": "Opp", ".": "Free", "#": "Edge", "+": SET}
_CELLS = {word: sign for sign, word in _SIGNS.items()}
_TESTS = {test.value: test for test in Test}
_JOINS = tuple(test.value for test in Test if test.joins)
_COUNTS = tuple(test.value for test in Test if test.counts)
_STANDS = ("Own", "Opp", "Free", "Edge", SET)
"""Words about the piece at a site, of which at most one applies."""
_ALIKE = (_STANDS, ("Strong", "NStrong"), _JOINS)
TOOLS = (*_STANDS[:3], SET, "Strong", "NStrong", *_JOINS, ERASE)
"""The words that clicks on sites can add; those about links take two sites."""


@frozen
class TextCondition:
    """A condition, or the move, in a text: its word, its spots, and its offsets in the text.

    `cell`: it is a sign of a picture, and no line of its own.
    """

    word: str
    spot: Spot
    other: Spot
    number: int
    line: int
    start: int
    end: int
    cell: bool = False

    @property
    def ends(self) -> frozenset[Spot]:
        """The spots that it is about."""
        return frozenset({self.spot, self.other}) if self.word in _JOINS else frozenset({self.spot})

    def __str__(self) -> str:
        if self.word in _COUNTS:
            return f"{self.word} {self.number}"
        return " ".join(map(str, (self.word, *self.spot, *self.other * (self.word in _JOINS))))


@frozen
class DrawnPattern:
    """A pattern of a text: its statements, and its lines."""

    source: Source
    begin: syntax.Begin
    lines: tuple[syntax.PatternItem, ...]

    @cached_property
    def statements(self) -> tuple[TextCondition, ...]:
        """List the conditions and the move of a pattern: of its picture, then of its lines."""
        return (*self._in_picture(), *self._in_lines())

    def _in_lines(self) -> Iterator[TextCondition]:
        for item in self.lines:
            if isinstance(item, syntax.Condition):
                word, numbers = item.word, item.numbers
                counts = word in _COUNTS
                spot, other = (HERE, HERE) if counts else (numbers[:2], numbers[2:4] or HERE)
                span, line = item.span, self.source.line_of(item.span.start)
                number = numbers[0] if counts else 0
                yield TextCondition(
                    word, _pair(spot), _pair(other), number, line, span.start, span.end
                )

    def _in_picture(self) -> Iterator[TextCondition]:
        rows = [item for item in self.lines if isinstance(item, syntax.PictureRow)]
        origin = [(r, row.cells.index("@")) for r, row in enumerate(rows) if "@" in row.cells]
        for r, row in enumerate(rows if origin else ()):
            (top, column), text = origin[0], self.source.text
            places = [i for i in range(row.span.start, row.span.end) if text[i] not in "| \t"]
            line = self.source.line_of(row.span.start)
            for c, (sign, at) in enumerate(zip(row.cells, places, strict=True)):
                if sign != "@":
                    spot = (column - c, top - r)
                    yield TextCondition(_SIGNS.get(sign, ""), spot, HERE, 0, line, at, at + 1, True)

    # --- edits ---

    def changed(self, word: str, spot: Spot, other: Spot) -> Iterator[a.Edit]:
        """The edits that add *word* about a spot, or two; remove it where it is there already."""
        ends = frozenset({spot, other}) if word in _JOINS else frozenset({spot})
        if word == ERASE:
            about = (s for s in self.statements if s.word and spot in s.ends)
            yield from map(self._removed, about)
            return
        alike = next(words for words in _ALIKE if word in words)
        statements = [s for s in self.statements if s.word in alike and s.ends == ends]
        if not statements:
            yield self._added(word, spot, other)
        elif statements[0].word == word:
            yield self._removed(statements[0])
        else:
            yield self._replaced(statements[0], word)
        if word == SET:  # a pattern proposes only one move
            moves = (s for s in self.statements if s.word == SET and s not in statements)
            yield from map(self._removed, moves)

    def _removed(self, statement: TextCondition) -> a.Edit:
        if statement.cell:
            return a.Edit(statement.start, statement.end, "?")
        text = self.source.text
        start = text.rfind("\n", 0, statement.start) + 1
        end = text.find("\n", statement.end) + 1 or len(text)
        return a.Edit(start, end, "")

    def _replaced(self, statement: TextCondition, word: str) -> a.Edit:
        new = _CELLS[word] if statement.cell else str(evolve(statement, word=word))
        return a.Edit(statement.start, statement.end, new)

    def _added(self, word: str, spot: Spot, other: Spot) -> a.Edit:
        """The edit that adds a statement: in the picture, else as a line behind the others."""
        cell = next((s for s in self.statements if s.cell and s.spot == spot), None)
        if cell is not None and word in _CELLS:
            return a.Edit(cell.start, cell.end, _CELLS[word])
        text, last = self.source.text, self.begin.span.end
        for item in self.lines:
            if isinstance(item, syntax.Condition | syntax.PictureRow):
                last = item.span.end
        end = text.find("\n", last)
        at = len(text) if end < 0 else end
        return a.Edit(at, at, f"\n  {TextCondition(word, spot, other, 0, 0, 0, 0)}")


def _pair(numbers: tuple[int, ...]) -> Spot:
    return numbers[0], numbers[1]


@frozen
class PlacedPattern:
    """The placement of a pattern on the board: a state, a site and a frame."""

    state: State
    at: int
    frame: Frame

    def site(self, spot: Spot) -> int:
        """The site of a spot; -1 beyond the board."""
        board, (dx, dy) = self.state.game.rules.board, self.frame(spot)
        return board.at(board.columns[self.at] + dx, board.rows[self.at] + dy)

    def spot(self, site: int) -> Spot:
        """The spot of a site."""
        board, (lx, ly), (ax, ay) = self.state.game.rules.board, self.frame.left, self.frame.ahead
        dx = board.columns[site] - board.columns[self.at]
        dy = board.rows[site] - board.rows[self.at]
        turned = lx * ay - ly * ax
        return (dx * ay - dy * ax) // turned, (lx * dy - ly * dx) // turned

    def laid(self, word: str, spot: Spot, other: Spot, number: int, line: int) -> a.LaidCondition:
        """A condition, or the move, at its sites."""
        text = str(TextCondition(word, spot, other, number, line, 0, 0))
        site = self.at if word in _COUNTS else self.site(spot)
        end = self.site(other) if word in _JOINS else None
        holds = self._holds(word, spot, other, number)
        return a.LaidCondition(word, site, end, text, holds, line)

    def _holds(self, word: str, spot: Spot, other: Spot, number: int) -> bool:
        position, matcher = self.state.situation.position, _matcher(self.state)
        if word == SET:
            site = self.site(spot)
            return site >= 0 and not position.full >> site & 1
        origin = m.ASIDE if _TESTS[word] is Test.LEFT else spot
        condition = Condition(_TESTS[word], self.frame(origin), self.frame(other), number)
        return matcher.holds(condition, self.at, self.frame.ahead, position)


def _matcher(state: State) -> Matcher:
    """A matcher without patterns, which tests single conditions."""
    return Matcher(state.game.play, m.Patterns("", state.game.name, (), "none", ()))


def placed_conditions(
    state: State, at: int, frame: Frame, pattern: m.Pattern
) -> tuple[a.LaidCondition, ...]:
    """The conditions of a pattern at a site in a frame, its move last."""
    here = PlacedPattern(state, at, frame)
    conditions = [
        here.laid(c.test.value, c.spot, c.other, c.number, c.line) for c in pattern.conditions
    ]
    return (*conditions, here.laid(SET, pattern.move, HERE, 0, pattern.line))


@frozen(eq=False)
class Drawing:
    """The pattern at an offset of a text, on the board of a state; *name* and *folder* of its file.

    *at* and *frame* place it; by default it is placed where it fires, or as in its example.
    """

    state: State
    name: str
    folder: Path
    text: str
    offset: int
    at: int | None = None
    frame: int | None = None
    source: Source = field(init=False)
    tree: syntax.Patterns = field(init=False)

    def __attrs_post_init__(self) -> None:
        game = self.state.game
        if not m.has_frames(game.rules.board):
            raise RulewrightError(f"the board of {game.name} has no directions for patterns")
        object.__setattr__(self, "source", Source(self.name, self.text))
        object.__setattr__(self, "tree", parse_patterns(self.source, Collector()))
        heads = (item for item in self.tree.items if isinstance(item, syntax.PatternsFor))
        head = next(heads, None)
        if head is not None and head.game.text != game.name:
            message = f"these patterns are for {head.game.text}; put that game on the board"
            raise RulewrightError(message)

    @cached_property
    def pattern(self) -> DrawnPattern | None:
        """The pattern at the offset; None before the first."""
        items, index = self.tree.items, None
        end = self.text.find("\n", self.offset)
        for number, item in enumerate(items):
            if isinstance(item, syntax.Begin) and item.span.start <= (end if end >= 0 else 1 << 40):
                index = number
        if index is None:
            return None
        begin, rest = items[index], items[index + 1 :]
        stop = next((i for i, item in enumerate(rest) if isinstance(item, syntax.Begin)), len(rest))
        assert isinstance(begin, syntax.Begin)
        return DrawnPattern(self.source, begin, rest[:stop])

    @cached_property
    def _file(self) -> m.Patterns | None:
        """The file with this pattern alone; None if the text has mistakes."""
        context = FileContext(self.state.game, self.folder)
        data = self.text.encode("utf-8", "surrogatepass")
        patterns = check_file(PATTERNS, self.name, data, context).model
        if patterns is None or self.pattern is None:
            return None
        line = self.source.line_of(self.pattern.begin.span.start)
        name = self.pattern.begin.name.text
        own = (p for p in patterns.patterns if (p.name, p.line) == (name, line))
        return evolve(patterns, patterns=tuple(own))

    @cached_property
    def fired(self) -> list[Fired]:
        """The places where the drawn pattern fires for the player to move."""
        if self._file is None or not self._file.patterns or self.state.over:
            return []
        matcher = Matcher(self.state.game.play, self._file)
        return matcher.fired(self.state.situation.position)

    @cached_property
    def lies(self) -> PlacedPattern:
        """Its placement on the board."""
        frames = m.frames(self.state.game.rules.board)
        at, ahead = self._point()
        if self.frame is not None and 0 <= self.frame < len(frames):
            return PlacedPattern(self.state, at, frames[self.frame])
        fired = next((candidate for candidate in self.fired if candidate.at.site == at), None)
        facing = (frame for frame in frames if frame.ahead == ahead and not frame.mirrored)
        return PlacedPattern(self.state, at, fired.frame if fired else next(facing, frames[0]))

    def _point(self) -> tuple[int, Step]:
        board = self.state.game.rules.board
        if self.at is not None and self.at >= 0 and board.sites >> self.at & 1:
            return self.at, m.NORTH
        if self.fired:
            return self.fired[0].at.site, self.fired[0].frame.ahead
        for pattern in self._file.patterns if self._file else ():
            for example in pattern.examples:
                return board.by_name[example.at], example.direction or m.NORTH
        points = self._points()
        if points:
            return points[0].site, points[0].direction
        position = self.state.situation.position
        pieces = [*bits(union(position.owned[player] for player in self._users))]
        if pieces:
            return pieces[0], m.NORTH
        sites = [*bits(board.sites)]
        return sites[len(sites) // 2 + board.width // 2 * (board.height % 2 == 0)], m.NORTH

    def _points(self) -> list[ReferencePoint]:
        """The reference points at which it is tried."""
        if self._file is None or self.pattern is None or self.state.over:
            return []
        position = self.state.situation.position
        matcher = Matcher(self.state.game.play, self._file)
        return [at for player in self._users for at in matcher.references(position, player)]

    @property
    def _users(self) -> list[int]:
        """Whose points it is tried around."""
        defends = self.pattern is not None and self.pattern.begin.word.startswith("Def")
        users = _matcher(self.state).users(self.state.situation.position)
        return [player for defending, player in users if defending == defends]

    def view(self) -> a.PatternShown:
        """The pattern as the page draws it."""
        board = self.state.game.rules.board
        frames = tuple(_frame_name(item, self.state) for item in m.frames(board))
        if self.pattern is None:
            return a.PatternShown("", 0, -1, 0, frames, (), (), (), False)
        lies, begin = self.lies, self.pattern.begin
        statements = [item for item in self.pattern.statements if item.word]
        conditions = [lies.laid(s.word, s.spot, s.other, s.number, s.line) for s in statements]
        points = tuple(dict.fromkeys(point.site for point in self._points()))
        fired = tuple(dict.fromkeys((use.at.site, use.move) for use in self.fired))
        return a.PatternShown(
            f"{begin.word} {begin.name.text}", self.source.line_of(begin.span.start), lies.at,
            m.frames(board).index(lies.frame), frames, tuple(conditions), points, fired,
            self._file is not None,
        )  # fmt: skip

    def edits(self, word: str, site: int, other: int | None) -> list[a.Edit]:
        """The edits for a click: *word* is one of `TOOLS`, about a site, or two."""
        board = self.state.game.rules.board
        if word not in TOOLS:
            raise RulewrightError(f"`{word}` is no condition on a site")
        if self.pattern is None:
            raise RulewrightError("there is no pattern at this place; begin one")
        ends = [site, *([] if other is None else [other])]
        if not all(end >= 0 and board.sites >> end & 1 for end in ends):
            raise RulewrightError("there is no such site")
        if (word in _JOINS) != (other is not None):
            raise RulewrightError(f"`{word}` is about {'two sites' if word in _JOINS else 'one'}")
        spots = [self.lies.spot(end) for end in ends]
        return [*self.pattern.changed(word, spots[0], spots[-1])]


def _frame_name(frame: Frame, state: State) -> str:
    name = state.game.rules.board.direction_name(frame.ahead)
    return f"{name}, mirrored" if frame.mirrored else name
