"""The formatter of pattern files, and the converter of T1's older dialect.

In: a text that parses.  Out: the same lines in the one layout: the lines of a pattern are indented
by two blanks, words are written as the language writes them, never two blank lines.

T1 counts the rows of `R` from 1 where today's `Row` counts rows to the border, and passes over its
second number.  Its file begins patterns with a bare `O` or `D`, and lists mirror images by hand:
there each pattern gets a number, of two that mirror each other the second is left out, and one that
has no mirror image is marked as one-sided (`OS`, `DS`).  What cannot be read stays as it is and is
told at its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import define, field

from rulewright.ground.records import Record
from rulewright.language.diagnostics import Collector, TextError
from rulewright.language.parse_patterns import (
    BEGINS,
    CONDITIONS,
    HEADS,
    OLD,
    PatternLine,
    example_word,
    parse_patterns,
    rows,
)
from rulewright.language.source import Source

_SHOWN = {
    **BEGINS, **{word: shown for word, (shown, _) in CONDITIONS.items()},
    "format": "format", "patterns": "Patterns", "use": "Use",
    "around": "Around", "symmetry": "Symmetry",
    "priority": "Priority", "example": "Example",
}  # fmt: skip


def formatted_patterns(text: str) -> str:
    """*text* in the one layout; raises `TextError` if it cannot be read."""
    return _reprint(text, {})


def converted_patterns(text: str) -> str:
    """A text of T1's older dialect in today's words, its comments and names kept."""
    return _reprint(plain_form(text.replace("\r\n", "\n")), DIALECT)


def is_older(text: str) -> bool:
    """Whether a text is patterns in T1's older dialect, without a mistake."""
    try:
        lines = converted_patterns(text).splitlines()
    except TextError:
        return False
    return any(line.startswith(("Off", "Def")) for line in lines)


def _reprint(text: str, dialect: Mapping[str, str]) -> str:
    source, report = Source("<text>", text.replace("\r\n", "\n")), Collector()
    tree = parse_patterns(source, report, dialect)
    if report.failed:
        raise TextError(report.diagnostics)
    result = "".join(f"{line}\n" for line in _spaced(_lines(rows(source), dialect)))
    again = Collector()
    if parse_patterns(Source("<formatted>", result), again).items != tree.items or again.failed:
        raise AssertionError("the formatter would change what this text says; please report it")
    return result


def _lines(pattern_lines: Iterable[PatternLine], dialect: Mapping[str, str]) -> Iterator[str]:
    """The lines; one that holds a comment alone stands like the line that follows it."""
    waiting: list[str] = []
    for row in pattern_lines:
        if not row.tokens:
            waiting.append(row.comment)
            continue
        indent, words = _indent_and_words(row, dialect)
        blank = max((n for n, line in enumerate(waiting) if not line), default=-1)
        for number, line in enumerate(waiting):
            yield f"{indent}{line}" if line and number > blank else line
        waiting.clear()
        yield f"{indent}{words}{'  ' if row.comment else ''}{row.comment}"
    yield from waiting


def _indent_and_words(row: PatternLine, dialect: Mapping[str, str]) -> tuple[str, str]:
    """The indentation and the words of a line."""
    first = row.tokens[0]
    if first.kind == "picture":
        return "  ", f"| {' '.join(first.text[1:-1].split())} |"
    low = first.text.casefold()
    word = dialect.get(low, low)
    indent = "" if word in BEGINS or word in HEADS else "  "
    rest = [_word(token.kind, token.text, word) for token in row.tokens[1:]]
    if word == "around":  # a path and an evaluator keep their capitals: the words behind `of`, `in`
        named = (2, 4) if len(rest) > 3 and rest[3].casefold() == "in" else (2,)
        rest = [text if n in named else text.casefold() for n, text in enumerate(rest)]
    return indent, " ".join([_SHOWN[word], *rest]).replace(" ,", ",")


def _word(kind: str, text: str, line: str) -> str:
    if kind == "number" and line not in BEGINS and line not in _NAMES:
        return str(int(text))
    if line == "example":
        return example_word(text)
    if line == "symmetry":
        return text.casefold()
    return text.casefold() if line == "patterns" and text.casefold() == "for" else text


_NAMES = ("use", "around", "patterns", "symmetry")


def _spaced(lines: Iterable[str]) -> Iterator[str]:
    """Never two blank lines, none at either end."""
    waiting = started = False
    for line in lines:
        if not line:
            waiting = started
            continue
        if waiting:
            yield ""
        waiting, started = False, True
        yield line


DIALECT: Mapping[str, str] = {**OLD, "os": "offs", "ds": "defs"}
"""The words of the older dialect, and those that mark one-sided patterns here."""
_LINKS = ("b", "v")
Deed = tuple[str, tuple[int, ...]]


@define(repr=False, eq=False)
class _Block(Record):
    """A pattern: its first line, its lines, and what they say."""

    begin: int
    kind: str
    name: str
    lines: list[int] = field(factory=list)
    says: list[Deed] = field(factory=list)
    clear: bool = True
    """Whether all of its lines can be read."""


def plain_form(text: str) -> str:
    """The text with numbers for patterns, no mirror images, and rows as they are counted today."""
    source = Source("<text>", text)
    pattern_lines = list(rows(source))
    lines = [_line(row, source) for row in pattern_lines]
    blocks = list(_blocks(pattern_lines))
    if any(not block.name for block in blocks):
        _number(blocks, pattern_lines, lines)
    return "\n".join(lines)


def _line(row: PatternLine, source: Source) -> str:
    """The line as it is written, but for the number of a row of T1, which is counted as today."""
    words = [token.text for token in row.tokens]
    indent = source.text[: row.span.start].rpartition("\n")[2]
    if len(words) in (2, 3) and words[0].casefold() == "r" and _whole(words[1:]):
        numbered = f"{indent}{words[0]} {int(words[1]) - 1}"  # `R` counts from 1, `Row` from 0
        return f"{numbered}  {row.comment}" if row.comment else numbered
    return indent + source.text[row.span.start :].partition("\n")[0]


def _whole(words: Sequence[str]) -> bool:
    return all(word.lstrip("+-").isdecimal() for word in words)


def _blocks(pattern_lines: Sequence[PatternLine]) -> Iterator[_Block]:
    block: _Block | None = None
    for number, row in enumerate(pattern_lines):
        words = [token.text for token in row.tokens]
        low = words[0].casefold() if words else ""
        if low in ("o", "d"):
            if block:
                yield block
            block = _Block(number, low, words[1] if len(words) > 1 else "")
        elif block and words:
            block.lines.append(number)
            block.clear &= low in OLD and _whole(words[1:])
            if block.clear:
                block.says.append((low, tuple(map(int, words[1:]))))
    if block:
        yield block


def _number(blocks: list[_Block], pattern_lines: Sequence[PatternLine], lines: list[str]) -> None:
    """Give patterns numbers, and leave out those that mirror an earlier one."""
    names = {block.name for block in blocks}
    free = (str(n) for n in range(1, len(blocks) * 2 + 2) if str(n) not in names)
    gone: set[int] = set()
    for index, block in enumerate(blocks):
        if index in gone:
            for line in (block.begin, *block.lines):
                lines[line] = pattern_lines[line].comment
            continue
        same = (i for i in range(index + 1, len(blocks)) if i not in gone)
        image = next((i for i in same if _mirrors(block, blocks[i])), None)
        gone |= {image} if image is not None else set()
        begin = pattern_lines[block.begin]
        sided = "" if image is not None or not block.clear else "S"
        name = block.name or next(free)
        comment = f"  {begin.comment}" if begin.comment else ""
        lines[block.begin] = f"{begin.tokens[0].text}{sided} {name}{comment}"


def _mirrors(block: _Block, other: _Block) -> bool:
    """Whether two patterns are mirror images: all conditions but `R`, which counts rows alone."""
    if block.kind != other.kind or not (block.clear and other.clear):
        return False
    mirrored = {_canonical(word, _mirror(numbers)) for word, numbers in block.says if word != "r"}
    conditions = {_canonical(word, numbers) for word, numbers in other.says if word != "r"}
    here, there = ({n[:1] for w, n in pattern.says if w == "r"} for pattern in (block, other))
    return mirrored == conditions and here == there


def _mirror(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(-n if index % 2 == 0 else n for index, n in enumerate(numbers))


def _canonical(word: str, numbers: tuple[int, ...]) -> Deed:
    """A condition with the ends of its link in a fixed order, so that equal ones are equal."""
    if word in _LINKS and len(numbers) == 4:
        first, second = sorted((numbers[:2], numbers[2:]))
        numbers = (*first, *second)
    return word, numbers
