"""Navigation: definition, references, renaming, folding.

In: a workspace, a document and an offset in it.  Out: places in documents, edits of texts.  A new
name is refused with the reason if it is no name, is taken, or if the text does not declare the old
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import frozen

from rulewright.app.service import names
from rulewright.app.service.document import Document, walk
from rulewright.app.service.documents import Workspace
from rulewright.app.service.names import FILES, Mention
from rulewright.errors import RulewrightError
from rulewright.ground.limits import WORD as LONGEST
from rulewright.language import syntax
from rulewright.language.resolve.evaluator_expressions import OWN_WORDS
from rulewright.language.resolve.scope import BUILT_IN
from rulewright.language.source import Span

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COMMENTS = re.compile(r"^[ ]*#[^\n]*(?:\n[ ]*#[^\n]*)+", re.MULTILINE)


class CannotRename(RulewrightError):
    """Raised if a name cannot be changed, or not to this; the message says why."""


@frozen
class Location:
    """A place in a text."""

    document: Document
    span: Span


@frozen
class Edit:
    """Replaces the text at a span."""

    span: Span
    text: str


def definition(workspace: Workspace, document: Document, offset: int) -> list[Location]:
    """The places where the name at an offset is declared."""
    mention = names.at(document.mentions, offset)
    if mention is None:
        return []
    return [Location(d, m.span) for d, m in workspace.declarations(document, mention)]


def references(
    workspace: Workspace, document: Document, offset: int, declared: bool = True
) -> list[Location]:
    """The uses of the name at an offset in all files of the game, and where it is *declared*."""
    mention = names.at(document.mentions, offset)
    if mention is None:
        return []
    uses = workspace.references(document, mention)
    return [Location(d, m.span) for d, m in uses if declared or not m.declares]


# --- renaming ---


def renamable(workspace: Workspace, document: Document, offset: int) -> Mention:
    """The name at an offset, if it can be changed; raises `CannotRename`."""
    mention = names.at(document.mentions, offset)
    if mention is None:
        raise CannotRename("there is no name here")
    declared = workspace.declarations(document, mention)
    if mention.of in FILES:
        raise CannotRename(f"`{mention.text}` is the name of a file, which is renamed with it")
    foreign = [d for d, m in declared if m.home is not None and d is not document]
    if foreign:
        raise CannotRename(f"`{mention.text}` is what a move of {foreign[0].name} chooses")
    if mention.of == syntax.WORD or not declared:
        raise CannotRename(f"`{mention.text}` is no name that a file of this game declares")
    rules = workspace.rules_of(document)
    for base in workspace.bases_of(rules) if rules is not None else ():
        if any(m.declares and (m.text, m.of) == (mention.text, mention.of) for m in base.mentions):
            raise CannotRename(f"`{mention.text}` is a name of {base.name}, which this builds on")
    outside = next((d for d, _ in declared if not _writable(d, document)), None)
    if outside is not None:
        raise CannotRename(f"`{mention.text}` is declared in {outside.name}, a bundled file")
    return mention


def _writable(declared: Document, document: Document) -> bool:
    """Whether renaming may change a text: it is open, or in the folder of the edited one."""
    return declared.open or declared.path.parent == document.path.parent


def rename(
    workspace: Workspace, document: Document, offset: int, name: str
) -> dict[Document, list[Edit]]:
    """The edits that rename a name in all files of the game; raises `CannotRename`."""
    mention = renamable(workspace, document, offset)
    uses = workspace.references(document, mention)
    _refuse_bad_names(mention, name)
    for other in {d for d, _ in uses}:
        _refuse_taken(workspace, other, [m for d, m in uses if d is other], name)
    _refuse_ambiguous_choices(workspace, document, mention)
    edits: dict[Document, list[Edit]] = {}
    for other, use in uses:
        edits.setdefault(other, []).append(Edit(use.span, name))
    if any(m.kind in _KINDS_IN_NOTATION for _, m in uses):
        for other in workspace.family(document):
            moves = [Edit(span, name) for span in _spans_in_moves(other, mention.text)]
            if moves:
                edits.setdefault(other, []).extend(moves)
    return edits


_KINDS_IN_NOTATION = ("kind of piece", "move")
"""Kinds of names that the texts of moves contain, and so the moves in claims and cases."""
_STATEMENTS_WITH_MOVES = (syntax.Claim, syntax.ClaimAfter, syntax.OpeningMoves, syntax.BookLine)
_QUOTED = re.compile(r'"([^"\n]*)"')
_CASE_MOVES = re.compile(r"^[ ]+moves\b([^\n]*)", re.MULTILINE)


def _spans_in_moves(document: Document, name: str) -> Iterator[Span]:
    """The places of a name in the moves that a text plays."""
    spans = [item.span for item in document.items if isinstance(item, _STATEMENTS_WITH_MOVES)]
    texts = [m for s in spans for m in _QUOTED.finditer(document.plain, s.start, s.end)]
    if document.language == "cases":
        texts = list(_CASE_MOVES.finditer(document.plain))
    for text in texts:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text[1]):
            start = text.start(1) + match.start()
            yield Span(start, start + len(name))


def _refuse_bad_names(mention: Mention, name: str) -> None:
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise CannotRename(f"`{name}` is no name: names are letters, digits and `_`")
    if mention.of == syntax.NAME and name in BUILT_IN | OWN_WORDS:
        raise CannotRename(f"`{name}` is a built-in name")


def _refuse_taken(
    workspace: Workspace, document: Document, mentions: Sequence[Mention], name: str
) -> None:
    grammar = document.grammar
    if grammar is not None:
        reserved = set(grammar.grammar().keywords.values()) - grammar.grammar().soft_words
        if name in reserved:
            raise CannotRename(f"`{name}` is a word of the language, so it cannot be a name")
    of = mentions[0].of
    homes = {m.home for m in mentions}
    for mention in document.mentions:
        local = mention.home is None or None in homes or _meets(document, mention, mentions)
        if mention.text == name and mention.of == of and local:
            raise CannotRename(f"`{name}` means something already in {document.name}")
    visible = workspace.visible(document)
    if of == syntax.NAME and name in visible:
        raise CannotRename(f"`{name}` means something already in {visible[name][0].name}")


def _meets(document: Document, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a local name is in the same statement as one of those that change."""
    starts = {_statement(document, m.span.start) for m in mentions}
    return _statement(document, mention.span.start) in starts


def _statement(document: Document, offset: int) -> int:
    """The offset at which the statement at the margin begins that holds *offset*."""
    before = (line.span.start for line in document.lines if line.span.start <= offset)
    return max(before, default=-1)


def _refuse_ambiguous_choices(workspace: Workspace, document: Document, mention: Mention) -> None:
    """Refuse to rename a choice that an evaluator uses: it does not say of which move."""
    if mention.home is None or document.language != "rules":
        return
    for other in workspace.family(document):
        for use in other.mentions if other.language == "evaluator" else ():
            if use.text == mention.text and use.home is None:
                declared = workspace.declarations(other, use)
                if any(m.home is not None for _, m in declared):
                    message = f"{other.name} asks for `{mention.text}`, which a move chooses"
                    raise CannotRename(message)


# --- folding ---


@frozen
class Fold:
    """A range of lines (from 1) that can be folded to the first."""

    first: int
    last: int
    comment: bool = False


def folds(document: Document) -> list[Fold]:
    """The foldable ranges: blocks, long statements, comments of several lines."""
    source = document.source
    if source is None:
        return []
    blocks = (Span(line.span.start, line.end) for line in walk(document.lines))
    spans = [(s, False) for s in (*blocks, *_pattern_blocks(document))]
    spans += [(Span(c.start(), c.end()), True) for c in _COMMENTS.finditer(source.text)]
    ranges = [
        Fold(source.line_of(s.start), source.line_of(max(s.start, s.end - 1)), comment)
        for s, comment in spans
    ]
    return sorted({f for f in ranges if f.last > f.first}, key=lambda f: (f.first, f.last))


def _pattern_blocks(document: Document) -> Iterator[Span]:
    """The spans of patterns, and of cases, with their lines."""
    heads = [m for m in document.mentions if m.of == syntax.PATTERN]
    starts = [document.plain.rfind("\n", 0, m.span.start) + 1 for m in heads]
    if document.language == "cases":
        starts = [m.start() for m in re.finditer(r"^case ", document.plain, re.MULTILINE)]
    for start, end in pairwise([*starts, len(document.plain)]):
        block = document.plain[start:end]
        lines = re.sub(r"(?:\s*#[^\n]*)*\s*$", "", block)
        yield Span(start, start + len(lines))
