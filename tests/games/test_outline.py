"""Outlines, which are read off the heads of lines, beside the names that parsed texts declare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.app.service.document import Document
from rulewright.app.service.documents import SUFFIXES
from rulewright.app.service.names import FILES
from rulewright.app.service.outline import OutlineEntry, outline
from rulewright.games.files.games import load
from rulewright.ground import disk
from rulewright.language import syntax
from rulewright.language.source import Span
from rulewright.language.syntax.statement_roles import ROLES
from tests.generators import pattern_files, rule_files
from tests.shared.effort import tries
from tests.shared.places import REJECTED
from tests.shared.sample import chosen

Named = tuple[str, str, Span]
_LINES_OF_BLOCKS = re.compile(r"^ +(?:let|each) (\w+)", re.MULTILINE)
_RAY = re.compile(r"choose ray[^/]*/([^/]*)/")
_OPEN = re.compile(r"[(\[](?=[^\n\"#]*\n)")
"""A bracket behind which its line has neither a text nor a comment."""


def inside(entries: list[OutlineEntry]) -> Iterator[Named]:
    """The names, kinds and places of entries and of those inside them."""
    for entry in entries:
        yield entry.name, entry.kind, entry.span
        yield from inside(list(entry.parts))


def declared(document: Document) -> set[Named]:
    """What an outline lists of a text that is right, by its tree."""
    names: set[Named] = set()
    lines = {m.start(1) for m in _LINES_OF_BLOCKS.finditer(document.plain)}
    rays = [m.span(1) for m in _RAY.finditer(document.plain)]
    for mention in document.mentions:
        everywhere = mention.home is None and mention.of not in FILES
        place = mention.span.start
        in_ray = any(start <= place < end for start, end in rays)
        in_block = mention.kind in ("choice", "register") or in_ray or place in lines
        if mention.declares and (everywhere or in_block):
            names.add((mention.text, mention.kind, mention.span))
    spans = {line.span.start: line.span for line in document.lines}
    for item in document.items:
        role = ROLES.get(type(item))
        word = role.word if role is not None and role.outlined else ""
        word = "search" if isinstance(item, syntax.Search) else word
        if word:
            span = spans[item.span.start]  # a course in brackets has none of its own
            first = document.plain[span.start : span.end].partition("\n")[0]
            names.add((first.partition("#")[0].rstrip(), word, span))
    return names


def compare(document: Document) -> None:
    """An outline has what the tree declares, each statement with the lines of its block."""
    entries = outline(document)
    assert "_form" not in vars(document), "it is not parsed"
    assert not document.diagnostics
    assert sorted(inside(entries), key=repr) == sorted(declared(document), key=repr)
    ends = {line.span.start: line.end for line in document.lines}
    for entry in entries if document.lines else ():
        assert entry.whole.end == ends[entry.whole.start]


def texts(game: str) -> Iterator[Path]:
    for folder in (disk.root("rulesets") / game, disk.root("patterns") / game):
        paths = sorted(folder.iterdir()) if folder.is_dir() else []
        yield from (path for path in paths if path.suffix in SUFFIXES)


@pytest.mark.parametrize("game", chosen())
def test_bundled_texts_have_the_outline_of_their_trees(game: str) -> None:
    for path in texts(game):
        compare(Document(path, path.read_text("utf-8")))


@given(text=rule_files(), data=st.data())
@settings(max_examples=tries(60), deadline=None)
def test_so_have_generated_rules_however_their_lines_go_on(text: str, data: st.DataObject) -> None:
    """Lines go on while a bracket is open, over comments and at any indentation."""
    brackets = [match.end() for match in _OPEN.finditer(text)]
    for place in sorted(data.draw(st.sets(st.sampled_from(brackets or [0]), max_size=4)))[::-1]:
        text = text[:place] + "  # (\n" + " " * data.draw(st.integers(0, 6)) + text[place:]
    document = Document(Path("x.rules"), text)
    if not document.diagnostics:
        compare(Document(Path("x.rules"), text))


@given(text=pattern_files(load("twixt")))
@settings(max_examples=tries(20), deadline=None)
def test_so_have_generated_patterns(text: str) -> None:
    compare(Document(Path("x.patterns"), text))


def test_a_faulty_line_hides_no_other() -> None:
    text = "format 1\ngame x\nlet a = count(own\nmove m\n  choose s in empty +\n  let b = s )\n"
    names = [name for name, _, _ in inside(outline(Document(Path("x.rules"), text)))]
    assert names == ["a", "m", "s", "b"]


@pytest.mark.parametrize("path", sorted(REJECTED.iterdir()), ids=lambda path: path.name)
def test_entries_of_rejected_texts_lie_in_the_text(path: Path) -> None:
    document = Document(path, path.read_bytes().decode("utf-8", "replace"))
    for entry in outline(document):
        assert entry.whole.start <= entry.span.start < entry.span.end <= entry.whole.end
        assert entry.whole.end <= len(document.plain)
        assert all(entry.whole.start <= part.span.start for part in entry.parts)
