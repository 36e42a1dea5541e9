"""Bundled texts, and what the parser says that each word of them is."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from rulewright.app.service import tokens
from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.app.service.highlighting import SUFFIXES
from rulewright.ground import disk
from tests.shared.sample import chosen

FOLDERS = [disk.root("patterns"), *(disk.root("rulesets") / game for game in chosen())]
FILES = [
    path
    for folder in FOLDERS
    for path in sorted(folder.rglob("*"))
    if path.suffix in SUFFIXES.values()
]
CASES = """format 1
cases for connect4

# kept
case exclusive
  set width = 4
  moves 1 2
  saw "both"
"""
SURE = ("comment", "string", "number", "keyword")
Marks = dict[int, tuple[int, str]]
"""Kinds by the place where each stretch of a text begins, with where it ends."""


@cache
def documents() -> list[tuple[Document, Marks]]:
    """Every bundled file and what the service says of it."""
    found = [Document(path, path.read_text("utf-8")) for path in FILES]
    found.append(Document(Path("/x/connect4.cases"), CASES))
    return [(document, by_parser(document)) for document in found]


def by_parser(document: Document) -> Marks:
    """What the service says, the names in braces of texts as part of the text."""
    found: Marks = {}
    for colour in tokens.colours(Workspace(), document):
        if colour.kind in SURE:
            found[colour.span.start] = (colour.span.end, colour.kind)
    texts = re.compile(r'#[^\n]*|("[^"\n]*")') if document.language != "patterns" else None
    for text in texts.finditer(document.text) if texts else ():
        if text[1]:
            inside = [at for at in found if text.start() <= at < text.end()]
            for at in inside:
                del found[at]
            found[text.start()] = (text.end(), "string")
    return found
