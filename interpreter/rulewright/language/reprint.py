"""The formatter: one layout for the files of all languages.

In: a text that parses.  Out: the same statements and comments in the one layout: two blanks a
block level, one blank between words and signs but for the tight places of the tables below,
comments in line with what they stand beside, never two blank lines.  Line breaks inside brackets
stay where they are.  Refuses: texts that do not parse, and (a fault of this module) to return a
text that says something else than the one it was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field

from rulewright.ground.records import Record, record
from rulewright.language import source_lines, syntax
from rulewright.language.diagnostics import Collector, TextError
from rulewright.language.grammar import Token
from rulewright.language.languages import LANGUAGES, Tree, parse_as
from rulewright.language.parse import kind_of
from rulewright.language.phrases import Language
from rulewright.language.reprint_patterns import formatted_patterns
from rulewright.language.source import Source, clean
from rulewright.language.source_lines import SourceLine

BLOCK, CONTINUED = 2, 4
"""Blanks before a line: for each level of its block, and more where a bracket is still open."""
BESIDE = 2
"""Blanks between a line and the comment beside it, at the least."""

_OPENS = frozenset({"CALL", "LPAR", "LSQB", "LBRACE"})
_CLOSES = frozenset({"RPAR", "RSQB", "RBRACE"})
_OFTEN = frozenset({"STAR", "PLUS", "QUERY"})
# A token stands tight by its type, or by one of the parts that only its surroundings give it:
_NEGATES, _REPEATS, _NAMES_PART, _RAY_OPENS, _RAY_CLOSES = (
    "unary minus", "how often", "colon of a part", "ray opens", "ray closes",
)  # fmt: skip
_TIGHT_AFTER = _OPENS | {"DOTS", _NEGATES, _RAY_OPENS}
_TIGHT_BEFORE = _CLOSES | {"COMMA", "DOTS", "LBRACE", _REPEATS, _NAMES_PART, _RAY_CLOSES}


def formatted(text: str) -> str:
    """*text* in the one layout; raises `TextError` if it does not parse."""
    kind = kind_of(text)
    if kind == "patterns":
        return formatted_patterns(text)
    source = Source("<text>", text)
    rules, report = _parsed(source, kind)
    if report.failed:
        raise TextError(report.diagnostics)
    rows = _spaced(_rows(source, _marks(rules), LANGUAGES[kind]))
    result = "".join(f"{line}\n" for line in _with_comments(rows))
    again, report = _parsed(Source("<formatted>", result), kind)
    if report.failed or again != rules:
        raise AssertionError("the formatter would change what this text says; please report it")
    return result


def _parsed(source: Source, kind: str) -> tuple[Tree, Collector]:
    report = Collector()
    return parse_as(kind, source, report), report


# --- what only the syntax knows: `-` and `/` have two meanings each ---


@record
class _Marks(Record):
    """Offsets: unary minus signs, where the direction of a ray ends, where a ray ends."""

    signs: frozenset[int]
    directions: frozenset[int]
    ends: frozenset[int]


def _marks(rules: Tree) -> _Marks:
    nodes = list(syntax.nodes(rules.items, texts=False))
    rays = [n for n in nodes if isinstance(n, syntax.Ray)]
    return _Marks(
        frozenset(n.span.start for n in nodes if _is_signed(n)),
        frozenset(r.along.span.end for r in rays),
        frozenset(r.span.end for r in rays),
    )


def _is_signed(node: syntax.Node) -> bool:
    minus = isinstance(node, syntax.Prefix) and node.sign == "-"
    return minus or isinstance(node, syntax.Quantity)


# --- tokens ---


def _parts(tokens: Sequence[Token], marks: _Marks) -> Iterator[str]:
    """For each token of a statement its type, or the part that it plays there."""
    regular = [tokens[0].type == "TURN" or [t.type for t in tokens[:2]] == ["FIRST", "TURN"]]
    outer = "LSQB" if tokens[0].type == "LINE" else ""  # a line's name stands as a mark's does
    opened, before = (
        [outer],
        -1,
    )  # `regular`: is this, between these brackets, a regular expression?
    for token in tokens:
        part = _part(token, regular[-1], opened[-1], before, marks)
        if part in _OPENS or part == _RAY_OPENS:
            opened.append(part)
            regular.append(part == _RAY_OPENS or (regular[-1] and part in ("LPAR", "LSQB")))
        elif part in _CLOSES or part == _RAY_CLOSES:
            opened.pop()
            regular.pop()
        before = _end(token)
        yield part


def _part(token: Token, regular: bool, opened: str, before: int, marks: _Marks) -> str:
    if token.type == "SLASH" and before in marks.directions:
        return _RAY_OPENS
    if token.type == "SLASH" and _end(token) in marks.ends:
        return _RAY_CLOSES
    if token.type == "MINUS" and token.start_pos in marks.signs:
        return _NEGATES
    if token.type in _OFTEN and regular:
        return _REPEATS
    if token.type == "COLON" and opened == "LSQB":
        return _NAMES_PART
    return token.type


def _end(token: Token) -> int:
    assert token.end_pos is not None
    return token.end_pos


def _words(tokens: Sequence[Token], marks: _Marks) -> Iterator[tuple[Token, bool]]:
    """Each token, and whether it stands tight to the one before."""
    before = ""
    for token, part in zip(tokens, _parts(tokens, marks), strict=True):
        yield token, before in _TIGHT_AFTER or part in _TIGHT_BEFORE
        before = part


# --- rows: the lines as they stand in the file ---


@define(repr=False, eq=False)
class _Row(Record):
    """A line of the file: code, a comment (which began at `column`), both, or nothing."""

    code: str = ""
    comment: str = ""
    column: int = 0
    level: int = 0
    continued: bool = False
    stood: int = 0  # the column at which its statement stood
    end: int = 0  # the column after its code, where it stood

    @property
    def margin(self) -> int:
        return BLOCK * self.level + CONTINUED * self.continued

    @property
    def width(self) -> int:
        return self.margin + len(self.code)


@define(repr=False, eq=False)
class _Reader(Record):
    """Puts rows at their levels; comments wait for the code that follows them."""

    path: list[int] = field(factory=list)  # for each open level the column where it stood
    waiting: list[_Row] = field(factory=list)

    def follow(self, code: _Row) -> None:
        """Settle what waits before *code*, which is at its level already."""
        for row in self.waiting:
            row.level, row.continued = code.level, code.continued
            if not code.continued:
                row.level = self._level(row.column, code.level)
        self.waiting = []
        self.path = [*self.path[: code.level], code.stood]

    def _level(self, column: int, least: int) -> int:
        """The level of a comment where a block ends: inside, if it is indented like the block."""
        levels = range(least + 1, len(self.path))
        return max((k for k in levels if self.path[k] <= column), default=least)


def _rows(source: Source, marks: _Marks, language: Language) -> list[_Row]:
    text = clean(source, Collector(), language.percent)
    tokens = language.grammar().tokens(text)
    tree = source_lines.blocks(source_lines.lines(tokens, language.begins))
    code = dict(_code(tree, 0, marks))
    reader, rows = _Reader(), []
    for number, line in enumerate(source.text.split("\n"), 1):
        row = code.get(number, _Row())
        row.comment = line[row.end :].strip()
        row.column = line.find("#", row.end)
        if row.code:
            reader.follow(row)
        elif row.comment:
            reader.waiting.append(row)
        rows.append(row)
    reader.follow(_Row())
    return rows


def _code(lines: Iterable[SourceLine], level: int, marks: _Marks) -> Iterator[tuple[int, _Row]]:
    """The rows that hold code, each with the number of its line."""
    lines = list(lines)
    widths = _widths(lines, marks)
    margin = _margin(lines, widths, marks)
    for line in lines:
        rows: dict[int, _Row] = {}
        if source_lines.is_row(line):
            row = _table_row(line, level, widths, marks)
            row.stood = margin
            yield line.tokens[0].line or 0, row
            continue
        for token, tight in _words(line.tokens[:-1], marks):
            assert token.line is not None
            assert token.end_column is not None
            fresh = _Row(level=level, continued=bool(rows), stood=line.indent)
            row = rows.setdefault(token.line, fresh)
            row.code += token.value if tight or not row.code else f" {token.value}"
            row.end = token.end_column - 1
        yield from rows.items()
        yield from _code(line.block, level + 1, marks)


def _cells(line: SourceLine, marks: _Marks) -> list[str]:
    """The numbers of a row of a table."""
    cells: list[str] = []
    for token, tight in _words(line.tokens[:-1], marks):
        if tight and cells:
            cells[-1] += token.value
        else:
            cells.append(token.value)
    return cells


def _widths(lines: Sequence[SourceLine], marks: _Marks) -> list[int]:
    """The widths of a table's columns, all the same as on a board; nothing for other blocks."""
    rows = [_cells(line, marks) for line in lines if source_lines.is_row(line)]
    widest = max((len(cell) for row in rows for cell in row), default=0)
    return [widest] * max(map(len, rows), default=0)


def _margin(lines: Sequence[SourceLine], widths: Sequence[int], marks: _Marks) -> int:
    """The margin of a table's columns: a narrow number stands further to the right."""
    rows = [(line.indent, _cells(line, marks)) for line in lines if source_lines.is_row(line)]
    return max(1, min((at - widths[0] + len(cells[0]) for at, cells in rows), default=1))


def _table_row(line: SourceLine, level: int, widths: Sequence[int], marks: _Marks) -> _Row:
    cells = [c.rjust(w) for c, w in zip(_cells(line, marks), widths, strict=False)]
    last = line.tokens[-2]
    assert last.end_column is not None
    return _Row(" ".join(cells), level=level, end=last.end_column - 1)


def _spaced(rows: Iterable[_Row]) -> Iterator[_Row]:
    """Without superfluous blank lines: two in a row, at the ends, below the head of a block."""
    last, gap = None, False
    for row in rows:
        if not row.code and not row.comment:
            gap = last is not None
            continue
        if gap and last is not None and not (last.code and row.level > last.level):
            yield _Row()
        yield row
        last, gap = row, False


def _with_comments(rows: Iterable[_Row]) -> Iterator[str]:
    """The lines; comments beside consecutive lines begin at one column."""
    run: list[_Row] = []
    for row in [*rows, None]:
        if row is not None and row.code and row.comment:
            run.append(row)
            continue
        yield from _aligned(run)
        run = []
        if row is not None:
            yield " " * row.margin + row.code + row.comment


def _aligned(run: Sequence[_Row]) -> Iterator[str]:
    if not run:
        return
    column = max(row.width for row in run) + BESIDE
    if len({row.column for row in run}) == 1:
        column = max(column, run[0].column)  # aligned by hand, further to the right
    for row in run:
        yield (" " * row.margin + row.code).ljust(column) + row.comment
