"""Completion: the words that the grammar allows at a place, and the names that fit there.

In: a workspace, a document, an offset.  Out: words that the parser accepts, each with its entry of
the table of words and as a snippet where it begins a statement; names, with the line that declares
them.  Only the line up to the offset is parsed, so the text around it may be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from attrs import frozen
from lark.exceptions import LarkError

from rulewright.app.service import names, words
from rulewright.app.service.document import Document, StatementLine, lines_of, walk
from rulewright.app.service.documents import Workspace
from rulewright.app.service.names import FILES
from rulewright.app.service.words import Word
from rulewright.games.files.games import known_games
from rulewright.games.files.looks import WORDS
from rulewright.games.render.piece_drawings import drawing_names, drawing_words
from rulewright.language import syntax
from rulewright.language.grammar import Token
from rulewright.language.node_rows import TooDeep
from rulewright.language.parse import RULES, Unreadable
from rulewright.language.source import Span, blanked
from rulewright.model.personality import KINDS

_CURSOR = "zz_cursor"
_FIRST_WORD = re.compile(r"^[A-Za-z_]\w*", re.MULTILINE)
_VALUES = ("set", "steps", "function", "question", "value")
_NAMING = {
    "game", "option", "players", "links", "state", "let", "label", "action", "evaluator", "factor",
    "table", "scan", "path", "with", "personality", "format", "opening", "reply",
}  # fmt: skip
"""Statements whose first argument is a new name, which nothing can complete."""


@frozen
class Item:
    """A completion; `insert` is the text or snippet to insert, the label where it is empty."""

    label: str
    kind: str
    detail: str = ""
    about: str = ""
    insert: str = ""
    snippet: bool = False


@frozen
class Completion:
    """Completions for the half typed word at a span."""

    span: Span
    items: tuple[Item, ...] = ()


@frozen
class _LinePrefix:
    """A line up to an offset: its block and tokens; `hole`: inside the braces of a text."""

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
    """Complete the word at an offset."""
    span = Span(document.word_at(offset).start, offset)
    if document.source is None:
        return Completion(span)
    if document.grammar is None:
        return Completion(span, tuple(_by_words(workspace, document, span.start)))
    prefix = _line_prefix(document, span.start)
    if prefix is None:
        return Completion(span)
    items = [*_words(prefix), *_names(workspace, prefix)]
    return Completion(span, tuple({item.label: item for item in reversed(items)}.values())[::-1])


def _line_prefix(document: Document, offset: int) -> _LinePrefix | None:
    """Read the line up to an offset; None in a comment, or in a text outside of braces."""
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
        outer = _unfinished_line(document, text[: len(text) - len(quoted) - 1])
        block = outer.block if outer else "effect"
        return _LinePrefix(document, block, tuple(tokens), offset, hole=True)
    prefix = _unfinished_line(document, text)
    return _LinePrefix(document, prefix.block, prefix.tokens[:-2], offset) if prefix else None


def _open_text(line: str) -> str | None:
    """The text behind an open quote in a line; empty if no quote is open, None in a comment."""
    opened = -1
    for index, character in enumerate(line):
        if character == '"':
            opened = index if opened < 0 else -1
        elif character == "#" and opened < 0:
            return None
    return line[opened:][1:] + ("" if opened < 0 else " ") if opened >= 0 else ""


def _unfinished_line(document: Document, text: str) -> StatementLine | None:
    """Read the line at the end of *text*, with the name `_CURSOR` as its last token."""
    assert document.grammar is not None
    part = text[_statement_start(document, len(text)) :]
    text = blanked(f"{part}{_CURSOR}", document.grammar.percent)
    tokens = document.grammar.grammar().tokens(text)
    lines = walk(lines_of(tokens, document.grammar, document.language))
    return next((n for n in lines if n.tokens[-2].value == _CURSOR), None)


def _statement_start(document: Document, offset: int) -> int:
    """The offset at which the statement at the margin begins that holds *offset*."""
    assert document.grammar is not None
    words = document.grammar.blocks["item"]
    starts = [m for m in _FIRST_WORD.finditer(document.plain, 0, offset) if m[0] in words]
    return starts[-1].start() if starts else 0


# --- words ---


def _accepted(prefix: _LinePrefix) -> frozenset[str]:
    """The terminals that the grammar accepts next; none if the line does not parse."""
    assert prefix.document.grammar is not None
    grammar = (RULES if prefix.hole else prefix.document.grammar).grammar()
    try:
        return grammar.accepted([*prefix.tokens], "hole" if prefix.hole else prefix.block)
    except (LarkError, Unreadable, TooDeep):
        return frozenset()


def _words(prefix: _LinePrefix) -> Iterator[Item]:
    assert prefix.document.grammar is not None
    keywords, language = prefix.document.grammar.grammar().keywords, prefix.document.language
    for terminal in sorted(_accepted(prefix) & keywords.keys()):
        word = keywords[terminal]
        entry = words.entry(language, word, "" if prefix.tokens else prefix.block)
        yield _of_word(entry, begins=not prefix.tokens) if entry else Item(word, "word")


def _of_word(entry: Word, begins: bool = False) -> Item:
    if begins:
        return Item(
            entry.word, "statement", entry.form, entry.about(), entry.snippet(), snippet=True
        )
    return Item(entry.word, "word", entry.form, entry.about())


def _of_table(language: str, places: Iterable[str]) -> Iterator[Item]:
    for place in places:
        for entry in words.entries(language, place).values():
            if place in ("function", "question") or "(" in entry.form:
                insert = f"{entry.word}($1)"
                yield Item(entry.word, place, entry.form, entry.about(), insert, snippet=True)
            else:
                yield Item(entry.word, place, entry.form, entry.about())


# --- names ---


def _names(workspace: Workspace, prefix: _LinePrefix) -> Iterator[Item]:
    accepted = _accepted(prefix)
    if prefix.tokens and accepted and not accepted & {"NAME", "CALL"}:
        return
    language, kinds = prefix.document.language, _expected_kinds(prefix)
    if kinds is None:
        if language == "personality":
            yield from _settings(workspace, prefix) if not prefix.tokens else ()
        elif prefix.hole or prefix.tokens:
            yield from _locals(prefix)
            yield from _visible(workspace, prefix.document, ())
            yield from _choices(workspace, prefix.document)
            yield from _of_table(language, _VALUES)
        elif prefix.block == "effect":
            yield from _visible(workspace, prefix.document, ("state", "action"))
        return
    for kind in kinds:
        yield from _of_kind(workspace, prefix, kind)


def _expected_kinds(prefix: _LinePrefix) -> tuple[str, ...] | None:
    """The kinds of names or words that may come next; None where any value may."""
    types, values = prefix.types, prefix.values
    if prefix.hole or not types:
        return None
    first, last = values[0], types[-1]
    if prefix.document.language == "personality":
        return _kinds_in_personality(prefix)
    if prefix.document.language == "look":
        return _kinds_in_look(first, types)
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
            return _kinds_in_claim(types)
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
    new = first in _NAMING and len(types) == 1 and prefix.block != "effect"
    return () if new or last == "EACH" or (first == "let" and len(types) == 1) else None


_BEGUN = {
    "side": ("player",), "board": ("material",), "pitch": ("axis",), "extends": ("look",),
    "coordinates": ("coordinates",), "piece": ("kind of piece",), "links": ("link",),
    "mark": ("state of a site",), "animate": (syntax.MOVE,), "button": (syntax.MOVE,),
    "word": (syntax.MOVE,), "refuse": (syntax.MOVE,), "look": (), "let": (), "title": (),
    "tell": (), "colour": (), "thumbnail": (), "view": (),
    "family": (), "learn": (), "puzzle": (),
}  # fmt: skip
"""What stands behind the first word of a line of a look."""
_DRAWN_AS = {
    "ground": "shape", "piece": "drawing", "links": "style", "mark": "mark", "animate": "motion",
    "show": "display",
}  # fmt: skip


def _kinds_in_look(first: str, types: Sequence[str]) -> tuple[str, ...] | None:
    if len(types) == 1 and first in _BEGUN:
        return _BEGUN[first]
    match types[-1]:
        case "FOR":
            return ("game",) if first == "look" else ("player", "viewer")
        case "AS":
            more = ("kind of piece",) if first == "show" else ()
            return (_DRAWN_AS[first], *more) if first in _DRAWN_AS else ()
        case "IS":
            return ("colour",)
        case "WITH":
            return ("sign",)
        case "IN" if "AS" in types:
            return ("colour",)
        case "MEANS":
            return (syntax.MOVE,)
        case "BESIDE":
            return ("beside", "player")
        case "FROM" if first in ("view", "animate"):
            return ("start",) if first == "animate" else ("player", "viewer")
    return ("colour",) if first == "board" else None


def _kinds_in_claim(types: Sequence[str]) -> tuple[str, ...] | None:
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


def _kinds_in_personality(prefix: _LinePrefix) -> tuple[str, ...]:
    types, first = prefix.types, prefix.values[0]
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


def _of_kind(workspace: Workspace, prefix: _LinePrefix, kind: str) -> Iterator[Item]:
    document, language = prefix.document, prefix.document.language
    match kind:
        case "viewer":
            entries = words.entries("rules", "set")
            yield from (_of_word(entries[w]) for w in ("own", "enemy", "mover"))
        case "owner":
            yield _of_word(words.entries("rules", "player")["nobody"])
        case "limit":
            groups = KINDS.get(prefix.values[1]) if len(prefix.values) > 1 else None
            for item in _of_table(language, ("limit",)):
                if groups is None or item.label in groups.settings:
                    yield item
        case _ if kind in _LOOK_WORDS:
            yield from _look_words(document, kind)
        case "symmetry":
            yield from _of_table("rules", ("symmetry",))
        case "game":
            yield from (Item(name, "game") for name in sorted(_games(workspace, document)))
        case "shape" | "claimed" | "property" | "search" | "word":
            yield from _of_table(language, (kind,))
        case _ if kind in FILES or kind in (
            syntax.MOVE,
            syntax.VALUE,
            syntax.OPENING,
            syntax.REPLY,
        ):
            yield from _items(workspace.of(document, kind))
        case _:
            yield from _visible(workspace, document, (kind,))


_LOOK_WORDS: dict[str, Callable[[], frozenset[str]]] = {
    **{place: partial(frozenset, words) for place, words in WORDS.items() if place != "state"},
    "drawing": drawing_names, "sign": lambda: drawing_words()["sign"],
    "state of a site": partial(frozenset, WORDS["state"]),
}  # fmt: skip
"""The words of looks by their places; a `state` is one of the rules."""


def _look_words(document: Document, kind: str) -> Iterator[Item]:
    """Completions for the words of a place of a look; colours with those that it makes."""
    entries = words.entries("look", "word")
    own = {m.text for m in document.mentions if m.of == syntax.COLOUR and m.declares}
    for name in sorted(_LOOK_WORDS[kind]() | (own if kind == "colour" else set())):
        entry = entries.get(name)
        yield _of_word(entry) if entry and kind != "colour" else Item(name, kind)


def _games(workspace: Workspace, document: Document) -> set[str]:
    beside = (p.stem for p in document.path.parent.glob("*.rules"))
    return {*known_games(), *beside}


def _visible(workspace: Workspace, document: Document, kinds: Sequence[str]) -> Iterator[Item]:
    """Completions for the names that a text can use, of some kinds or of all but actions."""
    for item in _items(workspace.visible(document)):
        if item.kind in kinds or (not kinds and item.kind != "action"):
            yield item


def _items(declared: Mapping[str, tuple[Document, names.Mention]]) -> Iterator[Item]:
    for name, (home, mention) in declared.items():
        whole = mention.whole
        line = home.plain[whole.start : whole.end].partition("\n")[0] if whole else home.name
        insert = f"{name}($1)" if mention.call or mention.kind == "scan" else ""
        yield Item(
            name, mention.kind, line, f"*{mention.kind} of {home.name}*", insert, bool(insert)
        )


def _choices(workspace: Workspace, document: Document) -> Iterator[Item]:
    """Completions for the choices of moves, which an evaluator of moves can use."""
    rules = workspace.rules_of(document) if document.language == "evaluator" else None
    for mention in rules.mentions if rules is not None else ():
        if mention.kind == "choice" and rules is not None:
            yield Item(mention.text, "choice", f"what a move of {rules.name} chooses")


def _settings(workspace: Workspace, prefix: _LinePrefix) -> Iterator[Item]:
    """Snippets that set the factors of a personality, with their defaults."""
    for item in _visible(workspace, prefix.document, ("factor",)):
        value = item.detail.partition("=")[2].strip().partition(" ")[0]
        insert = f"{item.label} = ${{1:{value}}}"
        yield Item(item.label, item.kind, item.detail, item.about, insert, snippet=True)


def _locals(prefix: _LinePrefix) -> Iterator[Item]:
    """Completions for the local names that are known at the end of a half typed line."""
    document = prefix.document
    home = _statement_start(document, prefix.offset)
    kinds = {m.text: m.kind for m in document.mentions if m.declares and m.home == home}
    kinds |= dict.fromkeys(_bound_names(prefix.tokens), "local")
    yield from (Item(name, kind, f"a {kind} of this statement") for name, kind in kinds.items())


def _bound_names(tokens: Sequence[Token]) -> Iterator[str]:
    """The names that a half typed line binds: variables, marks of rays, parameters."""
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


def _by_words(workspace: Workspace, document: Document, offset: int) -> Iterator[Item]:
    """Completions in patterns and cases, by the words of the line so far."""
    line = document.plain[document.plain.rfind("\n", 0, offset) + 1 : offset]
    if "#" in line:
        return
    before, language = line.casefold().split(), document.language
    if not before:
        block = "line" if line and language != "patterns" else "item"
        for entry in words.entries(language, block).values():
            label, insert = entry.form.partition(" ")[0], entry.snippet()
            yield Item(label, "statement", entry.form, entry.about(), insert, snippet=True)
        return
    match before:
        case ["patterns" | "cases", "for"]:
            yield from (Item(name, "game") for name in sorted(_games(workspace, document)))
        case ["patterns" | "cases"]:
            yield Item("for", "word")
        case ["use"]:
            yield from _items(workspace.of(document, "patterns"))
        case ["around"]:
            yield from (Item("own", "word"), Item("ends of", "word"))
        case ["around", "ends", "of"]:  # which evaluator's is said later
            for other in workspace.family(document):
                if other.language == "evaluator":
                    yield from _visible(workspace, other, ("path",))
        case ["around", "ends", "of", _, "in"]:
            yield from _items(workspace.of(document, "evaluator"))
        case ["around", "ends", "of", _] | ["around", "ends", "of", _, "in", _]:
            yield from (Item("in", "word"), Item("as next", "word"))[len(before) > 4 :]
        case ["symmetry"]:
            yield from (Item(word, "word") for word in ("mirror", "all", "none"))
        case ["case"]:
            yield from _of_table("cases", ("property",))
        case ["set"] if language == "cases":
            yield from _visible(workspace, document, ("option",))
