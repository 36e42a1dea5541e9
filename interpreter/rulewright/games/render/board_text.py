"""The board of a scene as lines of text: what a person looks at, and what reads back.

In: a scene.  Out: lines of runs, each a piece of text with what it shows, so that a terminal may
colour it; `plain` makes text of them.  The signs of sites stand row by row from the top, with row
labels at the left and column labels below; lines and links are drawn between them.  Empty sites
show the numbers that the rules hold there, but for 0.  The last turn's sites stand in parentheses,
the winning ones in brackets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Literal, TypeAlias

from attrs import define, evolve, field, frozen

from rulewright.games.render.scene import Scene, SceneSite
from rulewright.ground.printable import amount

Look: TypeAlias = Literal[
    "", "label", "empty", "line", "nobody",
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
]  # fmt: skip
SEATS: tuple[Look, ...] = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
)  # fmt: skip
"""The looks of the pieces of players."""


def _look(scene: Scene, owner: int) -> Look:
    """The look of an owner's pieces."""
    return SEATS[owner] if owner < scene.nobody else "nobody"


EMPTY = "."
STROKES = "-|/\\`'"
"""The characters of lines and links in a row of sites; between rows there are full stops too."""
BRACKETS = "()[]"


@frozen
class TextRun:
    """A piece of a line with one look; `last` and `winning` say what it belongs to."""

    text: str
    look: Look = ""
    last: bool = False
    winning: bool = False


TextLine: TypeAlias = tuple[TextRun, ...]


def board_lines(scene: Scene, width: int | None = None, marked: bool = True) -> list[TextLine]:
    """The board, *width* characters wide at the most.

    A board that is wider has the letters of its column labels one below the other; if that is not
    enough, the columns around the last turn are shown, and a last line says which.  *marked* puts
    the last turn in parentheses and what won in brackets.
    """
    canvas = _canvas_of(scene, marked, stacked=False)
    if width is None or canvas.width <= width:
        return canvas.lines()
    canvas = _canvas_of(scene, marked, stacked=True)
    return canvas.lines() if canvas.width <= width else _window(canvas, width)


def _canvas_of(scene: Scene, marked: bool, stacked: bool) -> _Canvas:
    canvas = _Canvas(scene, marked and bool(scene.last | scene.winning), stacked)
    canvas.draw()
    return canvas


def plain(lines: Iterable[TextLine]) -> str:
    """The lines without their looks."""
    return "\n".join("".join(run.text for run in line).rstrip() for line in lines)


@define
class BlankBoard:
    """The picture of a board with nothing on it, into which pieces and links are put."""

    at: Mapping[int, tuple[int, int]]
    """The line and the column of each site."""
    linked: bool
    """Whether links are drawn."""
    lines: tuple[str, ...]
    fixed: frozenset[tuple[int, int]]
    """The lines and columns where links are hidden: under sites and labels."""
    _marks: dict[tuple[int, int], list[tuple[int, int, str]]] = field(factory=dict, init=False)

    def filled(self, links: Iterable[tuple[int, int]], pieces: Iterable[tuple[int, str]]) -> str:
        """The board with these links, by their sites, and these letters on sites."""
        rows = [list(line) for line in self.lines]
        if self.linked:
            for ends in links:
                for line, column, character in self._link(ends):
                    rows[line][column] = character
        for site, letter in pieces:
            line, column = self.at[site]
            rows[line][column] = letter
        return "\n".join(["".join(row).rstrip() for row in rows])

    def _link(self, ends: tuple[int, int]) -> list[tuple[int, int, str]]:
        """The characters of a link with their lines and columns, kept for the next position."""
        if ends not in self._marks:
            marks = _marks(self.at, *ends)
            self._marks[ends] = [mark for mark in marks if mark[:2] not in self.fixed]
        return self._marks[ends]


def blank_board(empty: Scene) -> BlankBoard | None:
    """The picture of an empty board; None where pieces change more of it than their own sign."""
    if empty.named or any(len(letter) != len(EMPTY) for letter in empty.letters):
        return None
    canvas = _canvas_of(empty, marked=False, stacked=False)
    width = canvas.width
    lines = ["".join(run.text for run in line).ljust(width) for line in canvas.lines()]
    fixed = frozenset(at for at, run in canvas.cells.items() if run.look != "line")
    return BlankBoard(canvas.at, not canvas._used(STROKES), tuple(lines), fixed)


@define
class _Canvas:
    """Characters by line and column; sites stand `step` lines and `wide` + 1 columns apart."""

    scene: Scene
    marked: bool
    stacked: bool
    cells: dict[tuple[int, int], TextRun] = field(factory=dict, init=False)
    wide: int = field(init=False)
    margin: int = field(init=False)
    step: int = field(init=False)
    at: dict[int, tuple[int, int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        scene, labels = self.scene, () if self.stacked else self.scene.columns
        self.wide = max(1, *(len(t) for t in (*map(self._sign, scene.spots), *labels)))
        named_margin = 1 if self.marked else 0
        self.margin = 1 + max(map(len, scene.rows.values())) if scene.rows else named_margin
        self.step = 2 if scene.linked and not scene.named else 1
        lines = {row: i for i, row in enumerate(sorted({spot.row for spot in scene.spots}))}
        self.at = {
            s.site: (lines[s.row] * self.step, self.column(s.row, s.column)) for s in scene.spots
        }

    def column(self, row: int, column: int) -> int:
        """The column at which the sign of a site begins."""
        shift = row * (self.wide + 1) // 2 if self.scene.hexagonal else 0
        return self.margin + shift + column * (self.wide + 1)

    @property
    def width(self) -> int:
        """The characters of the longest line."""
        return 1 + max(left for _, left in self.cells)

    def draw(self) -> None:
        """Write all characters; pieces come after the lines that they cover."""
        self._strokes()
        for spot in self.scene.spots:
            self._spot(spot)
        self._labels()
        if self.marked and not self._used(BRACKETS):
            self._enclose(self.scene.last - self.scene.winning, "()")
            self._enclose(self.scene.winning, "[]")

    def _write(self, line: int, left: int, run: TextRun) -> None:
        for i, character in enumerate(run.text):
            self.cells[line, left + i] = evolve(run, text=character)

    def _sign(self, spot: SceneSite) -> str:
        if spot.piece:
            return "".join(piece.letter for piece in (*spot.below, spot.piece))
        if number := self.scene.shown.numbers.get(spot.site):
            return str(number)
        return spot.name if self.scene.named else EMPTY

    def _used(self, characters: str) -> bool:
        """Whether pieces or names are written with any of *characters*."""
        signs = {*self.scene.letters, *(self._sign(spot) for spot in self.scene.spots)}
        return bool(set(characters) & {character for sign in signs for character in sign})

    def _spot(self, spot: SceneSite) -> None:
        look = _look(self.scene, spot.piece.owner) if spot.piece else "empty"
        last = self.marked and spot.site in self.scene.last
        winning = self.marked and spot.site in self.scene.winning
        self._write(*self.at[spot.site], TextRun(self._sign(spot), look, last, winning))

    def _labels(self) -> None:
        for spot in self.scene.spots:
            label = self.scene.rows.get(spot.row, "").rjust(self.margin - 1)
            self._write(self.at[spot.site][0], 0, TextRun(label, "label"))
        below = 1 + max(line for line, _ in self.at.values())
        row = 1 + max(spot.row for spot in self.scene.spots)
        for column, label in enumerate(self.scene.columns):
            for i, part in enumerate(label if self.stacked else [label]):
                self._write(below + i, self.column(row, column), TextRun(part, "label"))

    def _enclose(self, sites: frozenset[int], pair: str) -> None:
        """Signs before and after *sites*; none between two of them that stand side by side."""
        ends = {self.at[s.site]: len(self._sign(s)) for s in self.scene.spots if s.site in sites}
        for (line, left), length in ends.items():
            if (line, left - self.wide - 1) not in ends:
                self._bracket(line, left - 1, pair[0])
            if (line, left + self.wide + 1) not in ends:
                self._bracket(line, left + length, pair[1])

    def _bracket(self, line: int, left: int, sign: str) -> None:
        """Write a bracket, unless a link stands in its place: links matter more."""
        if self.cells.get((line, left), TextRun(" ")).look in {"", "line"}:
            self.cells[line, left] = TextRun(sign)

    # --- lines and links ---

    def _strokes(self) -> None:
        scene = self.scene
        if scene.named or self._used(STROKES):
            return  # names are no points to draw between, and a line would read like such a piece
        for a, b in scene.strokes:
            self._stroke(a, b, TextRun("", "line"))
        for link in scene.links:
            if link.change != "gone":
                new = self.marked and link.change == "new"
                won = self.marked and scene.winning.issuperset(link.ends)
                self._stroke(*link.ends, TextRun("", _look(self.scene, link.owner), new, won))

    def _stroke(self, a: int, b: int, run: TextRun) -> None:
        for line, column, character in _marks(self.at, a, b):
            self._write(line, column, evolve(run, text=character))

    # --- lines of runs ---

    def lines(self, first: int = 0, width: int | None = None) -> list[TextLine]:
        """All lines; right of the margin only *width* columns from *first*."""
        lines: list[TextLine] = []
        stop = self.width if width is None else self.margin + first + width
        for line in range(1 + max(line for line, _ in self.cells)):
            end = 1 + max((left for at, left in self.cells if at == line), default=-1)
            columns = [*range(min(end, self.margin)), *range(self.margin + first, min(end, stop))]
            lines.append(_joined(self.cells.get((line, left), TextRun(" ")) for left in columns))
        return lines


Marks: TypeAlias = Iterator[tuple[int, int, str]]
"""Characters with their lines and columns."""


def _marks(at: Mapping[int, tuple[int, int]], a: int, b: int) -> Marks:
    """The characters of a line from a site to another one."""
    (top, left), (bottom, right) = sorted((at[a], at[b]))
    if abs(right - left) <= bottom - top:
        return _steep(top, left, bottom, right)
    return _flat(top, left, bottom, right, {line for line, _ in at.values()})


def _steep(top: int, left: int, bottom: int, right: int) -> Marks:
    """One character in each line between; halves are rounded to the middle."""
    character = "|" if left == right else "\\" if right > left else "/"
    middle = (left + right) / 2
    for line in range(top + 1, bottom):
        exact = left + (right - left) * (line - top) / (bottom - top)
        yield line, _towards(exact, middle), character


def _flat(top: int, left: int, bottom: int, right: int, rows: set[int]) -> Marks:
    """One character in each column between, high or low in its line as the way is."""
    middle = (top + bottom) / 2
    for column in range(min(left, right) + 1, max(left, right)):
        exact = top + (bottom - top) * (column - left) / (right - left)
        line = _towards(exact, middle)
        high = "`" if right > left else "'"
        low = "-" if line in rows else "."
        yield line, column, high if exact < line else low if exact > line else "-"


def _towards(exact: float, middle: float) -> int:
    """The whole number nearest to *exact*; halves go to *middle*: mirror images are drawn alike."""
    return math.floor(exact + 0.5) if exact < middle else math.ceil(exact - 0.5)


def _window(canvas: _Canvas, width: int) -> list[TextLine]:
    """As many columns as fit, around the last turn or the middle."""
    scene, unit = canvas.scene, canvas.wide + 1
    count = 1 + max(left for _, left in canvas.at.values()) - canvas.margin
    fitting = max(1, (width - canvas.margin) // unit)
    columns = [canvas.at[s][1] for s in scene.last or canvas.at]
    middle = (sum(columns) / len(columns) - canvas.margin) / unit
    most = math.ceil(count / unit) - fitting
    first = min(max(0, round(middle - fitting / 2)), max(0, most))
    lines = canvas.lines(first * unit, fitting * unit)
    if scene.columns and not scene.hexagonal:
        ends = scene.columns[first], scene.columns[min(first + fitting, len(scene.columns)) - 1]
        text = f"columns {ends[0]} to {ends[1]} of {scene.columns[0]} to {scene.columns[-1]}"
    else:
        text = f"{width} of {amount(canvas.width, 'character')} of each line"
    return [*lines, (TextRun(text, "label"),)]


def _joined(runs: Iterator[TextRun]) -> TextLine:
    """The runs of one character, with neighbours of the same look joined."""
    return tuple(
        evolve(look, text="".join(run.text for run in same))
        for look, same in groupby(runs, lambda run: evolve(run, text=""))
    )
