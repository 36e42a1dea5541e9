"""Texts as they are while somebody types, and every question that an editor asks of them."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

from rulewright.app.service import completion, edits, hover, navigation, tokens
from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.app.service.navigation import CannotRename
from rulewright.app.service.outline import outline

PIECES = (
    "(", ")", '"', "{", "\n", "  ", "#", "let x = ", "some(x in own : ", "/", "\t", "\r", "\u2028",
    "\ufeff", "é", "\0", "𝄞", "for ", "choose ", "\r\n", "if ", "format 1\n", ":=", "own", "", "a",
)  # fmt: skip
"""What may be typed or pasted; an empty one takes something away."""


def ask_everything(workspace: Workspace, document: Document, offset: int) -> None:
    """Every question at a place; whatever is answered lies in the text."""
    length = len(document.text)
    for one in workspace.diagnostics(document):
        span = edits.span_of(document, one)
        assert 0 <= span.start <= span.end <= length
    edits.actions(document, workspace.diagnostics(document))
    shown = hover.hover(workspace, document, offset)
    assert shown is None or shown.span.end <= length
    found = completion.complete(workspace, document, offset)
    assert found.span.end == offset
    for place in navigation.references(workspace, document, offset):
        assert place.span.end <= len(place.document.text)
    navigation.definition(workspace, document, offset)
    colours = tokens.colours(workspace, document)
    assert all(a.span.end <= b.span.start for a, b in pairwise(colours))
    outline(document)
    navigation.folds(document)
    edits.formatting_of(document, 0, offset)
    hover.inlays(workspace, document, 0, length)
    with suppress(CannotRename):
        navigation.rename(workspace, document, offset, "fresh_name")
