"""What the page's editor asks of the language service: mistakes, colours, meanings, completions.

In: a path below the opened folder, the text that the editor holds, an offset in code points.  Out:
answers of `messages.py`.  The last text of each path stands for its file, so that what other texts
of the game mean follows what is typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.language.source import Span
from rulewright.service import completion, edits, hover, navigation, studies, tokens
from rulewright.service.document import Document
from rulewright.service.documents import Workspace
from rulewright.studio import answers as a
from rulewright.studio import messages as m
from rulewright.studio.folder import BUNDLED, Folder


@define(eq=False)
class Writing:
    """The texts that a page's editor holds."""

    folder: Folder
    workspace: Workspace = field(factory=Workspace)

    def look(self, asked: m.Text) -> a.Checked:
        """What is wrong with a text, how hints mend it, and what each word is."""
        document = self._document(asked)
        found = self.workspace.diagnostics(document)
        mended = [
            a.Mend(action.title, found.index(action.mends), tuple(map(_edit, action.edits)))
            for action in edits.actions(document, found)
            if action.mends in found
        ]
        colours = tokens.colours(self.workspace, document)
        shown = tuple((one.span.start, one.span.end, one.kind) for one in colours)
        spans = (edits.span_of(document, one) for one in found)
        problems = [d.as_data() | _at(span) for d, span in zip(found, spans, strict=True)]
        return a.Checked(problems, tuple(mended), shown)

    def hover(self, asked: m.Spot) -> a.Meaning:
        """What the word at a place means, as Markdown; empty where nothing is known."""
        found = hover.hover(self.workspace, *self._spot(asked))
        if found is None:
            return a.Meaning("", asked.offset, asked.offset)
        return a.Meaning(found.text, found.span.start, found.span.end)

    def complete(self, asked: m.Spot) -> a.Completions:
        """What may stand at a place."""
        found = completion.complete(self.workspace, *self._spot(asked))
        items = tuple(
            a.Item(one.label, one.kind, one.detail, one.about, one.insert or one.label, one.snippet)
            for one in found.items
        )
        return a.Completions(found.span.start, items)

    def define(self, asked: m.Spot) -> list[a.Where]:
        """Where the name at a place is declared."""
        return self._places(navigation.definition(self.workspace, *self._spot(asked)))

    def format(self, asked: m.Text) -> list[a.Edit]:
        """The edits that give a text its one layout."""
        return [_edit(one) for one in edits.formatting(self._document(asked))]

    def rename(self, asked: m.Rename) -> a.Renamed:
        """Rename what a place names: other files are written, the text's own edits are told.

        Nothing is written where any of the files may not be.
        """
        path = self.folder.find(asked.path)
        for other in self.workspace.documents:  # texts that were left count as they are saved
            if other.path != path:
                self.workspace.close(other.path)
        self.workspace.files_changed()
        document, offset = self._spot(asked)
        found = navigation.rename(self.workspace, document, offset, asked.name)
        mine = tuple(map(_edit, found.pop(document, [])))
        others = {self.folder.name(one.path): (one, edits) for one, edits in found.items()}
        refused = next((name for name in others if not name or name.startswith(BUNDLED)), None)
        if refused is not None:
            told = refused or "a file elsewhere"
            raise RulewrightError(f"to write `{asked.name}` would change {told} too")
        self._write_all({name: _edited(one.text, edits) for name, (one, edits) in others.items()})
        return a.Renamed(mine, tuple(others))

    def _write_all(self, texts: Mapping[str, str]) -> None:
        """Write files; where one cannot be written the others are as they were."""
        before = {name: self.folder.read(name) for name in texts}
        done = list[a.FileText]()
        try:
            for name, text in texts.items():
                done.append(self.folder.write(name, text, before[name].digest))
        except (RulewrightError, OSError):
            for one in done:
                with suppress(RulewrightError, OSError):  # the first that failed is told
                    self.folder.write(one.path, before[one.path].text, one.digest)
            raise

    def claim(self, asked: m.AddClaims) -> list[a.Edit]:
        """The edits that add claims to a rules text."""
        document = self._document(asked)
        return [_edit(one) for one in studies.claim_edits(document, list(asked.claims))]

    def _spot(self, asked: m.Spot | m.Rename) -> tuple[Document, int]:
        if not 0 <= asked.offset <= len(asked.text):
            raise RulewrightError(f"there is no place {asked.offset} in this text")
        return self._document(asked), asked.offset

    def _document(self, asked: m.Text | m.Spot | m.Rename | m.AddClaims) -> Document:
        path = self.folder.find(asked.path)
        known = self.workspace.document(path)
        if known is not None and known.text == asked.text:
            return known
        return self.workspace.open(path, asked.text)

    def _places(self, found: list[navigation.Location]) -> list[a.Where]:
        named = ((self.folder.name(one.document.path), one.span) for one in found)
        return [a.Where(name, span.start, span.end) for name, span in named if name]


def _edited(text: str, edits: list[navigation.Edit]) -> str:
    for one in sorted(edits, key=lambda one: -one.span.start):
        text = text[: one.span.start] + one.text + text[one.span.end :]
    return text


def _edit(one: navigation.Edit) -> a.Edit:
    return a.Edit(one.span.start, one.span.end, one.text)


def _at(span: Span) -> dict[str, int]:
    return {"start": span.start, "end": span.end}
