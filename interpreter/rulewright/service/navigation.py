"""Where things are: definition, references, another name for one, an outline, what can be folded.

In: a workspace, a document and a place in it.  Out: places in documents, edits of texts.  Another
name is refused with the reason where it is no name, means something already, or the name is not the
text's to give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import frozen

from rulewright.errors import RulewrightError
from rulewright.language import syntax
from rulewright.language.limits import WORD as LONGEST
from rulewright.language.source import Span
from rulewright.resolve.evaluator_expressions import OWN_WORDS
from rulewright.resolve.scope import BUILT_IN
from rulewright.service import names
from rulewright.service.document import Document, StatementLine, walk
from rulewright.service.documents import Workspace
from rulewright.service.names import FILES, Mention

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COMMENTS = re.compile(r"^[ ]*#[^\n]*(?:\n[ ]*#[^\n]*)+", re.MULTILINE)


class CannotRename(RulewrightError):
    """A name cannot be changed, or not to this; the message says why."""


@frozen
class Location:
    """A place in a text."""

    document: Document
    span: Span


@frozen
class Edit:
    """*text* instead of what stands at a place."""

    span: Span
    text: str


def definition(workspace: Workspace, document: Document, offset: int) -> list[Location]:
    """Where the name at a place is declared."""
    mention = names.at(document.mentions, offset)
    if mention is None:
        return []
    return [Location(d, m.span) for d, m in workspace.declarations(document, mention)]


def references(
    workspace: Workspace, document: Document, offset: int, declared: bool = True
) -> list[Location]:
    """Where the name at a place is used, in all files of the game; also where it is *declared*."""
    mention = names.at(document.mentions, offset)
    if mention is None:
        return []
    found = workspace.references(document, mention)
    return [Location(d, m.span) for d, m in found if declared or not m.declares]


# --- another name ---


def renamable(workspace: Workspace, document: Document, offset: int) -> Mention:
    """The name at a place, if it can be changed; raises `CannotRename`."""
    mention = names.at(document.mentions, offset)
    if mention is None:
        raise CannotRename("there is no name here")
    declared = workspace.declarations(document, mention)
    if mention.of in FILES:
        raise CannotRename(f"`{mention.text}` is the name of a file, which is renamed with it")
    chosen = [d for d, m in declared if m.home is not None and d is not document]
    if chosen:
        raise CannotRename(f"`{mention.text}` is what a move of {chosen[0].name} chooses")
    if mention.of == syntax.WORD or not declared:
        raise CannotRename(f"`{mention.text}` is no name that a file of this game declares")
    outside = next((d for d, _ in declared if not _writable(d, document)), None)
    if outside is not None:
        raise CannotRename(f"`{mention.text}` is declared in {outside.name}, a bundled file")
    return mention


def _writable(declared: Document, document: Document) -> bool:
    """Whether a text may be changed: it is open, or beside the one that is edited."""
    return declared.open or declared.path.parent == document.path.parent


def rename(
    workspace: Workspace, document: Document, offset: int, name: str
) -> dict[Document, list[Edit]]:
    """The edits that give a name another text wherever it stands; raises `CannotRename`."""
    mention = renamable(workspace, document, offset)
    found = workspace.references(document, mention)
    _refuse_bad_names(mention, name)
    for other in {d for d, _ in found}:
        _refuse_taken(workspace, other, [m for d, m in found if d is other], name)
    _refuse_chosen(workspace, document, mention)
    edits: dict[Document, list[Edit]] = {}
    for other, one in found:
        edits.setdefault(other, []).append(Edit(one.span, name))
    if any(m.kind in _WRITTEN for _, m in found):
        for other in workspace.family(document):
            played = [Edit(span, name) for span in _in_moves(other, mention.text)]
            if played:
                edits.setdefault(other, []).extend(played)
    return edits


_WRITTEN = ("kind of piece", "move")
"""Names that stand in the notation of moves, and so in what claims and cases play."""
_PLAYED = (syntax.Claim, syntax.ClaimAfter, syntax.OpeningMoves)
_QUOTED = re.compile(r'"([^"\n]*)"')
_CASE_MOVES = re.compile(r"^[ ]+moves\b([^\n]*)", re.MULTILINE)


def _in_moves(document: Document, name: str) -> Iterator[Span]:
    """Where a name stands among the moves that a text plays."""
    spans = [item.span for item in document.items if isinstance(item, _PLAYED)]
    texts = [m for s in spans for m in _QUOTED.finditer(document.plain, s.start, s.end)]
    if document.language == "cases":
        texts = list(_CASE_MOVES.finditer(document.plain))
    for text in texts:
        for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text[1]):
            start = text.start(1) + found.start()
            yield Span(start, start + len(name))


def _refuse_bad_names(mention: Mention, name: str) -> None:
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise CannotRename(f"`{name}` is no name: names are letters, digits and `_`")
    if mention.of == syntax.NAME and name in BUILT_IN | OWN_WORDS:
        raise CannotRename(f"`{name}` is a built-in name")


def _refuse_taken(
    workspace: Workspace, document: Document, changed: Sequence[Mention], name: str
) -> None:
    grammar = document.grammar
    if grammar is not None:
        reserved = set(grammar.grammar().keywords.values()) - grammar.grammar().soft_words
        if name in reserved:
            raise CannotRename(f"`{name}` is a word of the language, so it cannot be a name")
    of = changed[0].of
    homes = {m.home for m in changed}
    for one in document.mentions:
        local = one.home is None or None in homes or _overlap(document, one, changed)
        if one.text == name and one.of == of and local:
            raise CannotRename(f"`{name}` means something already in {document.name}")
    known = workspace.visible(document)
    if of == syntax.NAME and name in known:
        raise CannotRename(f"`{name}` means something already in {known[name][0].name}")


def _overlap(document: Document, one: Mention, changed: Sequence[Mention]) -> bool:
    """Whether a local name stands in a statement with one of those that change."""
    starts = {_statement(document, m.span.start) for m in changed}
    return _statement(document, one.span.start) in starts


def _statement(document: Document, offset: int) -> int:
    """Where the statement at the margin begins that a place is in."""
    before = (line.span.start for line in document.lines if line.span.start <= offset)
    return max(before, default=-1)


def _refuse_chosen(workspace: Workspace, document: Document, mention: Mention) -> None:
    """Evaluators ask for what moves choose by its name; which of several moves, they do not say."""
    if mention.home is None or document.language != "rules":
        return
    for other in workspace.family(document):
        for use in other.mentions if other.language == "evaluator" else ():
            if use.text == mention.text and use.home is None:
                found = workspace.declarations(other, use)
                if any(m.home is not None for _, m in found):
                    message = f"{other.name} asks for `{mention.text}`, which a move chooses"
                    raise CannotRename(message)


# --- outline ---


@frozen
class OutlineEntry:
    """A part of an outline: what it is called, of what kind, where, and the parts in it."""

    name: str
    detail: str
    kind: str
    whole: Span
    span: Span
    parts: tuple[OutlineEntry, ...] = ()


_NAMELESS = {
    syntax.Board: "board", syntax.Setup: "setup", syntax.Turn: "turn", syntax.End: "end",
    syntax.Search: "search",
}  # fmt: skip


def outline(document: Document) -> list[OutlineEntry]:
    """The declarations of a text, with the choices and names of each block in it."""
    found: list[OutlineEntry] = []
    for item in document.items:
        inside = [m for m in document.mentions if _within(m.span, _whole(document, item))]
        tops = [m for m in inside if m.declares and m.home is None and m.of not in FILES]
        parts = tuple(_part(m) for m in inside if m.declares and m.kind in _PARTS)
        whole = _whole(document, item)
        for index, mention in enumerate(tops):
            shown = parts if index == 0 else ()
            found.append(
                OutlineEntry(mention.text, mention.kind, mention.kind, whole, mention.span, shown)
            )
        if not tops and type(item) in _NAMELESS:
            word = _NAMELESS[type(item)]
            text = document.plain[item.span.start : item.span.end].partition("\n")[0]
            found.append(OutlineEntry(text, word, word, whole, item.span, parts))
    return found


_PARTS = ("choice", "local", "register")


def _part(mention: Mention) -> OutlineEntry:
    return OutlineEntry(mention.text, mention.kind, mention.kind, mention.span, mention.span)


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _whole(document: Document, item: syntax.Node) -> Span:
    """A statement with the lines below it."""
    line = next((n for n in document.lines if n.span.start == item.span.start), None)
    return Span(item.span.start, max(item.span.end, line.end if line else 0))


# --- folding ---


@frozen
class Fold:
    """Lines, from 1, of which all but the first can be hidden."""

    first: int
    last: int
    comment: bool = False


def folds(document: Document) -> list[Fold]:
    """Blocks, long statements, and comments of several lines."""
    source = document.source
    if source is None:
        return []
    spans = [(s, False) for s in (*_blocks(document.lines), *_pattern_blocks(document))]
    spans += [(Span(c.start(), c.end()), True) for c in _COMMENTS.finditer(source.text)]
    found = [
        Fold(source.line_of(s.start), source.line_of(max(s.start, s.end - 1)), comment)
        for s, comment in spans
    ]
    return sorted({f for f in found if f.last > f.first}, key=lambda f: (f.first, f.last))


def _blocks(lines: Sequence[StatementLine]) -> Iterator[Span]:
    for line in walk(lines):
        yield Span(line.span.start, line.end)


def _pattern_blocks(document: Document) -> Iterator[Span]:
    """A pattern with its lines, a case with its own."""
    heads = [m for m in document.mentions if m.of == syntax.PATTERN]
    starts = [document.plain.rfind("\n", 0, m.span.start) + 1 for m in heads]
    if document.language == "cases":
        starts = [m.start() for m in re.finditer(r"^case ", document.plain, re.MULTILINE)]
    for start, end in pairwise([*starts, len(document.plain)]):
        block = document.plain[start:end]
        kept = re.sub(r"(?:\s*#[^\n]*)*\s*$", "", block)
        yield Span(start, start + len(kept))
