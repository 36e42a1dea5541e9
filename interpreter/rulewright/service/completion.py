"""What may stand at a place: by the grammar, and by the names that are known there.

In: a workspace, a document, a place.  Out: words that the parser accepts there, each with its
entry of the table and as a snippet where it begins a statement; names that fit, with the line that
declares them.  The line up to the place is read alone, so nothing around it needs to be right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import frozen
from lark.exceptions import LarkError

from rulewright.files.games import known_games
from rulewright.language import syntax
from rulewright.language.build import TooDeep
from rulewright.language.grammar import Token
from rulewright.language.parse import RULES, Unreadable
from rulewright.language.source import Span, blanked
from rulewright.model.personality import KINDS
from rulewright.service import names, words
from rulewright.service.document import Document, StatementLine, lines_of, walk
from rulewright.service.documents import Workspace
from rulewright.service.names import FILES
from rulewright.service.words import Word

_CURSOR = "zz_cursor"
_MARGIN = re.compile(r"^[A-Za-z_]\w*", re.MULTILINE)
_VALUES = ("set", "steps", "function", "question", "value")
_NEW = {
    "game", "option", "players", "links", "state", "let", "label", "action", "evaluator", "factor",
    "table", "scan", "path", "with", "personality", "format", "opening", "reply",
}  # fmt: skip
"""Statements whose first word is a new name (or, of players, both)."""


@frozen
class Item:
    """Something that may stand at a place; `insert` may have stops of a snippet in it."""

    label: str
    kind: str
    detail: str = ""
    about: str = ""
    insert: str = ""
    snippet: bool = False


@frozen
class Completion:
    """What may stand in the place of a span: the word that is half typed there."""

    span: Span
    items: tuple[Item, ...] = ()


@frozen
class _Here:
    """The line up to a place: its block, its tokens, and whether it is inside a text's braces."""

    document: Document
    block: str
    tokens: tuple[Token, ...]
    offset: int
    hole: bool = False

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(t.type for t in self.tokens)

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(t.value for t in self.tokens)


def complete(workspace: Workspace, document: Document, offset: int) -> Completion:
    """What may stand at a place."""
    span = Span(document.word_at(offset).start, offset)
    if document.source is None:
        return Completion(span)
    if document.grammar is None:
        return Completion(span, tuple(_plain(workspace, document, span.start)))
    here = _here(document, span.start)
    if here is None:
        return Completion(span)
    found = [*_words(here), *_names(workspace, here)]
    return Completion(span, tuple({item.label: item for item in reversed(found)}.values())[::-1])


def _here(document: Document, offset: int) -> _Here | None:
    """The line up to a place; None in a comment, or in a text outside its braces."""
    text = document.plain[:offset]
    line = text[text.rfind("\n") + 1 :]
    quoted = _open_text(line)
    if quoted is None:
        return None
    if quoted:
        brace = quoted.rfind("{")
        if brace < 0 or "}" in quoted[brace:]:
            return None
        tokens = RULES.grammar().tokens(blanked(quoted[brace + 1 :]))
        outer = _last(document, text[: len(text) - len(quoted) - 1])
        return _Here(document, outer.block if outer else "effect", tuple(tokens), offset, hole=True)
    found = _last(document, text)
    return _Here(document, found.block, found.tokens[:-2], offset) if found is not None else None


def _open_text(line: str) -> str | None:
    """What stands behind an open quote; empty where none is open, None in a comment."""
    opened = -1
    for index, character in enumerate(line):
        if character == '"':
            opened = index if opened < 0 else -1
        elif character == "#" and opened < 0:
            return None
    return line[opened:][1:] + ("" if opened < 0 else " ") if opened >= 0 else ""


def _last(document: Document, text: str) -> StatementLine | None:
    """The line that a place is in, with a name where the place is."""
    assert document.grammar is not None
    part = text[_top(document, len(text)) :]
    text = blanked(f"{part}{_CURSOR}", document.grammar.percent)
    found = document.grammar.grammar().tokens(text)
    lines = walk(lines_of(found, document.grammar, document.language))
    return next((n for n in lines if n.tokens[-2].value == _CURSOR), None)


def _top(document: Document, offset: int) -> int:
    """Where the statement at the margin begins that a place is in."""
    assert document.grammar is not None
    known = document.grammar.blocks["item"]
    found = [m for m in _MARGIN.finditer(document.plain, 0, offset) if m[0] in known]
    return found[-1].start() if found else 0


# --- words ---


def _accepted(here: _Here) -> frozenset[str]:
    """The terminals that may stand here; none where the line is wrong already."""
    assert here.document.grammar is not None
    grammar = (RULES if here.hole else here.document.grammar).grammar()
    try:
        return grammar.accepted([*here.tokens], "hole" if here.hole else here.block)
    except (LarkError, Unreadable, TooDeep):
        return frozenset()


def _words(here: _Here) -> Iterator[Item]:
    assert here.document.grammar is not None
    keywords, language = here.document.grammar.grammar().keywords, here.document.language
    for terminal in sorted(_accepted(here) & keywords.keys()):
        word = keywords[terminal]
        entry = words.entry(language, word, "" if here.tokens else here.block)
        yield _of_word(entry, begins=not here.tokens) if entry else Item(word, "word")


def _of_word(entry: Word, begins: bool = False) -> Item:
    if begins:
        return Item(
            entry.word, "statement", entry.form, entry.shown(), entry.snippet(), snippet=True
        )
    return Item(entry.word, "word", entry.form, entry.shown())


def _of_table(language: str, places: Iterable[str]) -> Iterator[Item]:
    for place in places:
        for entry in words.entries(language, place).values():
            if place in ("function", "question") or "(" in entry.form:
                insert = f"{entry.word}($1)"
                yield Item(entry.word, place, entry.form, entry.shown(), insert, snippet=True)
            else:
                yield Item(entry.word, place, entry.form, entry.shown())


# --- names ---


def _names(workspace: Workspace, here: _Here) -> Iterator[Item]:
    accepted = _accepted(here)
    if here.tokens and accepted and not accepted & {"NAME", "CALL"}:
        return
    language, known = here.document.language, _asked(here)
    if known is None:
        if language == "personality":
            yield from _settings(workspace, here) if not here.tokens else ()
        elif here.hole or here.tokens:
            yield from _locals(here)
            yield from _declared(workspace, here.document, ())
            yield from _chosen(workspace, here.document)
            yield from _of_table(language, _VALUES)
        elif here.block == "effect":
            yield from _declared(workspace, here.document, ("state", "action"))
        return
    for what in known:
        yield from _of_kind(workspace, here, what)


def _asked(here: _Here) -> tuple[str, ...] | None:
    """What a place asks for, where that is not any value: kinds of names, or places of words."""
    types, values = here.types, here.values
    if here.hole or not types:
        return None
    first, last = values[0], types[-1]
    if here.document.language == "personality":
        return _asked_by_personality(here)
    if last == "FOR":
        head = first in ("evaluator", "personality")
        return ("game",) if head else ("player", "viewer")
    match first:
        case "turn" | "first":
            return (syntax.MOVE,)
        case "board" if len(types) == 1:
            return ("shape",)
        case "put" if len(types) == 1:
            return ("kind of piece", "player", "owner")
        case "put" if len(types) == 2:
            return ("kind of piece",)
        case "claim":
            return _asked_by_claim(types)
        case "untested":
            return ("property",) if len(types) == 1 else ()
        case "use":
            return ("evaluator",)
        case "value" if "MOVE" in types and "FOR" not in types:
            return (syntax.MOVE,)
        case "opening" | "reply" if last in ("MOVE", "AFTER"):
            return (syntax.MOVE,) if last == "MOVE" else ()
        case "choose" | "players" | "pieces" if len(types) == 1:
            return ()
        case "pieces":
            return ()
    new = first in _NEW and len(types) == 1 and here.block != "effect"
    return () if new or last == "EACH" or (first == "let" and len(types) == 1) else None


def _asked_by_claim(types: Sequence[str]) -> tuple[str, ...] | None:
    match types[-1]:
        case "CLAIM":
            return ("claimed", "player", "owner")
        case "NO" if len(types) == 2:
            return ("claimed",)
        case "UNDER":
            return ("symmetry",)
        case "BY":
            return ("claimed",)
        case "WITH":
            return ("option",)
        case "COMMA" if "WITH" in types and "AFTER" not in types:
            return ("option",)
    return ("claimed",) if len(types) == 2 and types[-1] == "NAME" else None


def _asked_by_personality(here: _Here) -> tuple[str, ...]:
    types, first = here.types, here.values[0]
    if types[-1] == "FOR":
        return ("game",)
    match first:
        case "use":
            return ("evaluator",)
        case "extends":
            return ("personality",)
        case "search":
            return ("search",) if len(types) == 1 else ("limit", "factor", "word")
        case "consider":
            return ("word", syntax.VALUE) if len(types) == 1 else ("patterns", "word", "limit")
        case "pick":
            return (syntax.VALUE, "word") if len(types) > 1 else ("search", "word")
        case (
            "forcing" | "must" | "threats" | "order" | "passing" | "drawn" | "decided" | "hopeless"
        ):
            return (syntax.VALUE,) if len(types) == 1 else ("limit",)
        case "reduce":
            return ("word",)
        case "prefer":
            return (syntax.MOVE, "word")
        case "ties":
            return ("search", "word")
        case "opening":
            return (syntax.OPENING, "search", "word")
        case "reply":
            return (syntax.REPLY,)
        case "untested":
            return ("property",)
    return ()


def _of_kind(workspace: Workspace, here: _Here, what: str) -> Iterator[Item]:
    document, language = here.document, here.document.language
    match what:
        case "viewer":
            known = words.entries("rules", "set")
            yield from (_of_word(known[w]) for w in ("own", "enemy", "mover"))
        case "owner":
            yield _of_word(words.entries("rules", "player")["nobody"])
        case "limit":
            taken = KINDS.get(here.values[1]) if len(here.values) > 1 else None
            for item in _of_table(language, ("limit",)):
                if taken is None or item.label in taken.settings:
                    yield item
        case "symmetry":
            yield from _of_table("rules", ("symmetry",))
        case "game":
            yield from (Item(name, "game") for name in sorted(_games(workspace, document)))
        case "shape" | "claimed" | "property" | "search" | "word":
            yield from _of_table(language, (what,))
        case _ if what in {*FILES, syntax.MOVE, syntax.VALUE, syntax.OPENING, syntax.REPLY}:
            yield from _listed(workspace.of(document, what))
        case _:
            yield from _declared(workspace, document, (what,))


def _games(workspace: Workspace, document: Document) -> set[str]:
    beside = (p.stem for p in document.path.parent.glob("*.rules"))
    return {*known_games(), *beside}


def _declared(workspace: Workspace, document: Document, kinds: Sequence[str]) -> Iterator[Item]:
    """The names that a text can use, of some kinds or of all but actions."""
    for item in _listed(workspace.visible(document)):
        if item.kind in kinds or (not kinds and item.kind != "action"):
            yield item


def _listed(found: Mapping[str, tuple[Document, names.Mention]]) -> Iterator[Item]:
    for name, (home, mention) in found.items():
        whole = mention.whole
        line = home.plain[whole.start : whole.end].partition("\n")[0] if whole else home.name
        insert = f"{name}($1)" if mention.call or mention.kind == "scan" else ""
        yield Item(
            name, mention.kind, line, f"*{mention.kind} of {home.name}*", insert, bool(insert)
        )


def _chosen(workspace: Workspace, document: Document) -> Iterator[Item]:
    """What moves choose, which an evaluator of moves can ask for."""
    rules = workspace.rules_of(document) if document.language == "evaluator" else None
    for mention in rules.mentions if rules is not None else ():
        if mention.kind == "choice" and rules is not None:
            yield Item(mention.text, "choice", f"what a move of {rules.name} chooses")


def _settings(workspace: Workspace, here: _Here) -> Iterator[Item]:
    """The factors that a personality can set, with their defaults."""
    for item in _declared(workspace, here.document, ("factor",)):
        value = item.detail.partition("=")[2].strip().partition(" ")[0]
        insert = f"{item.label} = ${{1:{value}}}"
        yield Item(item.label, item.kind, item.detail, item.about, insert, snippet=True)


def _locals(here: _Here) -> Iterator[Item]:
    """The local names that are known at the end of a line that is half typed."""
    document = here.document
    home = _top(document, here.offset)
    found = {m.text: m.kind for m in document.mentions if m.declares and m.home == home}
    found |= dict.fromkeys(_bound(here.tokens), "local")
    yield from (Item(name, kind, f"a {kind} of this statement") for name, kind in found.items())


def _bound(tokens: Sequence[Token]) -> Iterator[str]:
    """The names that a line binds up to its end: variables, marks of rays, parameters."""
    for before, token in pairwise(tokens):
        if before.type == "AFTER" and token.type == "NAME":
            yield token.value
        if token.type == "IN" and before.type == "NAME":
            yield before.value
        if token.type == "COLON" and before.type == "NAME":
            yield before.value
        if before.type in ("FROM", "TO") and token.type == "NAME" and tokens[0].type == "STEP":
            yield token.value
    if tokens and tokens[0].value in ("let", "action", "scan") and len(tokens) > 1:
        head = [t.type for t in tokens]
        close = head.index("RPAR") if "RPAR" in head else 0
        # A parameter may be called by a soft word, which the reader of tokens does not know.
        yield from (t.value for t in tokens[2:close] if t.value.isidentifier())


# --- languages without a parser ---


def _plain(workspace: Workspace, document: Document, offset: int) -> Iterator[Item]:
    """Patterns and cases: the words of a line tell what follows them."""
    line = document.plain[document.plain.rfind("\n", 0, offset) + 1 : offset]
    if "#" in line:
        return
    before, language = line.casefold().split(), document.language
    if not before:
        blocks = ("item",) if language == "patterns" else ("line",) if line else ("item",)
        for block in blocks:
            for entry in words.entries(language, block).values():
                label = entry.form.partition(" ")[0]
                insert = entry.snippet()
                yield Item(label, "statement", entry.form, entry.shown(), insert, snippet=True)
        return
    match before:
        case ["patterns" | "cases", "for"]:
            yield from (Item(name, "game") for name in sorted(_games(workspace, document)))
        case ["patterns" | "cases"]:
            yield Item("for", "word")
        case ["use"]:
            yield from _listed(workspace.of(document, "patterns"))
        case ["around"]:
            yield from (Item("own", "word"), Item("ends of", "word"))
        case ["around", "ends", "of"]:  # which evaluator's is said later
            for other in workspace.family(document):
                if other.language == "evaluator":
                    yield from _declared(workspace, other, ("path",))
        case ["around", "ends", "of", _, "in"]:
            yield from _listed(workspace.of(document, "evaluator"))
        case ["around", "ends", "of", _] | ["around", "ends", "of", _, "in", _]:
            yield from (Item("in", "word"), Item("as next", "word"))[len(before) > 4 :]
        case ["symmetry"]:
            yield from (Item(word, "word") for word in ("mirror", "all", "none"))
        case ["case"]:
            yield from _of_table("cases", ("property",))
        case ["set"] if language == "cases":
            yield from _declared(workspace, document, ("option",))
