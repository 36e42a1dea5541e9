"""One layout for pattern files, and the older dialect in today's words.

In: a text that parses.  Out: the same lines in the one layout: the lines of a pattern are indented
by two blanks, words are written as the language writes them, never two blank lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulewright.language.diagnostics import Collector, TextError
from rulewright.language.older_patterns import DIALECT, plain_form
from rulewright.language.parse_patterns import (
    BEGINS,
    CONDITIONS,
    Row,
    example_word,
    parse_patterns,
    rows,
)
from rulewright.language.source import Source

_HEADS = ("format", "patterns", "use", "around", "symmetry")
_SHOWN = {
    **BEGINS, **{word: shown for word, (shown, _) in CONDITIONS.items()},
    "format": "format", "patterns": "Patterns", "use": "Use",
    "around": "Around", "symmetry": "Symmetry",
    "priority": "Priority", "example": "Example",
}  # fmt: skip


def formatted_patterns(text: str) -> str:
    """*text* in the one layout; raises `TextError` if it cannot be read."""
    return _written(text, {})


def converted_patterns(text: str) -> str:
    """A text of T1's older dialect in today's words, its comments and names kept."""
    return _written(plain_form(text.replace("\r\n", "\n")), DIALECT)


def _written(text: str, dialect: Mapping[str, str]) -> str:
    source, found = Source("<text>", text.replace("\r\n", "\n")), Collector()
    tree = parse_patterns(source, found, dialect)
    if found.failed:
        raise TextError(found.diagnostics)
    result = "".join(f"{line}\n" for line in _spaced(_lines(rows(source), dialect)))
    again = Collector()
    if parse_patterns(Source("<formatted>", result), again).items != tree.items or again.failed:
        raise AssertionError("the formatter would change what this text says; please report it")
    return result


def _lines(found: Iterable[Row], dialect: Mapping[str, str]) -> Iterator[str]:
    """The lines; one that holds a comment alone stands like the line that follows it."""
    waiting: list[str] = []
    for row in found:
        if not row.tokens:
            waiting.append(row.comment)
            continue
        indent, words = _said(row, dialect)
        blank = _last_blank(waiting)
        for number, line in enumerate(waiting):
            yield f"{indent}{line}" if line and number > blank else line
        waiting.clear()
        yield f"{indent}{words}{'  ' if row.comment else ''}{row.comment}"
    yield from waiting


def _last_blank(lines: list[str]) -> int:
    return max((n for n, line in enumerate(lines) if not line), default=-1)


def _said(row: Row, dialect: Mapping[str, str]) -> tuple[str, str]:
    """The indentation and the words of a line."""
    first = row.tokens[0]
    if first.kind == "picture":
        return "  ", f"| {' '.join(first.text[1:-1].split())} |"
    low = first.text.casefold()
    word = dialect.get(low, low)
    indent = "" if word in BEGINS or word in _HEADS else "  "
    rest = [_word(token.kind, token.text, word) for token in row.tokens[1:]]
    return indent, " ".join([_SHOWN[word], *rest]).replace(" ,", ",")


def _word(kind: str, text: str, line: str) -> str:
    if kind == "number" and line not in BEGINS and line not in _NAMES:
        return str(int(text))
    if line == "example":
        return example_word(text)
    if line in ("around", "symmetry"):
        return text.casefold() if line != "around" or text.casefold() in _AROUND else text
    return text.casefold() if line == "patterns" and text.casefold() == "for" else text


_NAMES = ("use", "around", "patterns", "symmetry")
_AROUND = ("own", "ends", "of", "in")


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
