"""The tables of a parser: a grammar's text, worked out by Lark once for all.

In: the name of a language.  Out: what Lark makes a parser of, without building anything.  The
package brings the tables of its own grammars (`make tables` writes them),
because building them takes longer than reading, checking and compiling a small game.  Tables for
another text or another Lark are built, and kept in the user's cache directory; a file that cannot
be read or written is ignored.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulewright import cache, disk

STARTS = {
    "rules": ["item", "effect", "path", "hole"],
    "evaluator": ["item", "row", "watch", "deed", "road", "hole"],
    "personality": ["item", "hole"],
}
"""The rules with which a parser of each language may begin."""
SHIPPED = Path(__file__).parent / "built"
_IGNORED = "\n%ignore COMMENT\n%ignore BLANKS\n"
_MOST_BYTES = 4 * 1024 * 1024
Tables = tuple[dict[str, Any], dict[int, Any]]
"""Lark's data of a parser, and the rules and terminals that it refers to by number."""


def tables(language: str) -> Tables:
    """The tables of a language: those that came with the package, kept ones, or new ones."""
    text = _text(language)
    key = key_of(text, language)
    kept = cache.cache_folder() / "grammar" / f"{language}-{key}.tables"
    for data in (_shipped(language), cache.read(kept)):
        found = _read(data, key)
        if found:
            return found
    data = write(language)
    cache.write(kept, data, _MOST_BYTES)
    return _read(data, key) or _build(language, text)


def key_of(text: str, language: str) -> str:
    """What tables depend on."""
    return cache.digest(text, lark.__version__, *STARTS[language])


def write(language: str) -> bytes:
    """The tables of a language as they are kept."""
    text = _text(language)
    data, memo = _build(language, text)
    return json.dumps([key_of(text, language), data, memo], separators=(",", ":")).encode()


def _text(language: str) -> str:
    folder = disk.root("grammar")
    names = (f"{language}.lark", "expressions.lark", "terminals.lark")
    return "\n".join((folder / n).read_text("utf-8") for n in names) + _IGNORED


def _shipped(language: str) -> bytes | None:
    try:
        return (SHIPPED / f"{language}.json").read_bytes()
    except OSError:
        return None


def _build(language: str, text: str) -> Tables:
    parser = Lark(text, parser="lalr", lexer="basic", start=STARTS[language])
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return data, memo


def _read(data: bytes | None, key: str) -> Tables | None:
    """The tables in a file, if they are those of this grammar."""
    if data is None or not data.startswith(f'["{key}"'.encode()):
        return None
    _, tables, memo = json.loads(data)
    parser = tables["parser"]["parser"]
    for name in ("tokens", "states"):
        parser[name] = _numbered(parser[name])
    parser["states"] = {n: _numbered(actions) for n, actions in parser["states"].items()}
    return tables, _numbered(memo)


def _numbered(named: dict[str, Any]) -> dict[int, Any]:
    """JSON knows no numbers as keys."""
    return {int(key): value for key, value in named.items()}


def main() -> None:
    """Write the tables that the package brings, where their grammar has changed."""
    SHIPPED.mkdir(exist_ok=True)
    for language in STARTS:
        if not _read(_shipped(language), key_of(_text(language), language)):
            (SHIPPED / f"{language}.json").write_bytes(write(language))


if __name__ == "__main__":
    main()
