"""A cache of tokens and syntax nodes by line, for texts that are edited: an edit changes few lines.

In: a text cut at the lines that begin at the margin, or a line with the block it stands in.  Out:
tokens, and the node of a line, at the places where they stand now.  Only lines without a mistake
are kept.  Nothing is kept outside a `with` block of `KeptLines.used`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any

from attrs import define, field

from rulewright.ground.scoped import set_temporarily
from rulewright.language import syntax
from rulewright.language.grammar import Grammar, Token
from rulewright.language.source import Span

_MOST = 4_000
"""Lines, and parts of texts, that are kept; beyond that the cache is emptied."""
_MARGIN = re.compile(r"^(?=[^ \r\n#])", re.MULTILINE)
"""The margin, where every token ends: a line break takes in the blanks and comments behind it."""
Key = tuple[str, ...]


@define(eq=False)
class KeptLines:
    """Tokens and nodes by what stands in the text, each with the place where it stood last."""

    _tokens: dict[Key, tuple[int, list[Token]]] = field(factory=dict)
    _nodes: dict[Key, tuple[int, Any]] = field(factory=dict)

    def used(self) -> AbstractContextManager[None]:
        """Let `kept()` return this cache in the `with` block."""
        return set_temporarily(_LINES, self)

    def tokens(self, language: str, grammar: Grammar, text: str) -> Iterator[Token]:
        """The tokens of a text; lines and columns are not those of the text."""
        starts = [0, *(match.start() for match in _MARGIN.finditer(text) if match.start())]
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            part = text[start:end]
            key = language, part
            stood, tokens = self._tokens.get(key) or (0, list(grammar.tokens(part)))
            if stood != start:
                tokens = [_moved_token(token, start - stood) for token in tokens]
            _keep(self._tokens, key, (start, tokens))
            yield from tokens

    def node(self, key: Key, start: int, read: Callable[[], Any]) -> Any:
        """The node of a line that begins at *start*, else what *read* makes of it."""
        entry = self._nodes.get(key)
        node = read() if entry is None else moved(entry[1], start - entry[0])
        _keep(self._nodes, key, (start, node))
        return node


_LINES: ContextVar[KeptLines | None] = ContextVar("kept_lines", default=None)
kept_lines = _LINES.get
"""The cache that holds in this context; None outside `KeptLines.used`."""


def _keep(entries: dict[Key, Any], key: Key, entry: Any) -> None:
    if len(entries) >= _MOST and key not in entries:
        entries.clear()
    entries[key] = entry


def _moved_token(token: Token, by: int) -> Token:
    start, end = (token.start_pos or 0) + by, (token.end_pos or 0) + by
    return Token(
        token.type, token.value, start, token.line, token.column, token.end_line,
        token.end_column, end,
    )  # fmt: skip


_FIELDS: dict[type, tuple[str, ...]] = {}
_set = object.__setattr__


def moved(node: Any, by: int) -> Any:
    """A copy of a node, or of a tuple of nodes, with all spans *by* characters further on."""
    if by == 0:
        return node
    if isinstance(node, tuple):
        return tuple(moved(part, by) for part in node)
    kind = type(node)
    if kind is Span:
        return Span(node.start + by, node.end + by)
    if not isinstance(node, syntax.Node):
        return node
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(a.name for a in kind.__attrs_attrs__)
    copy = object.__new__(kind)  # not by its constructor, which would check what was checked
    for name in _FIELDS[kind]:
        _set(copy, name, moved(getattr(node, name), by))
    return copy
