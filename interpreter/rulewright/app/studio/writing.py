"""The language service for the page's editor: diagnostics, colours, hover, completion, renaming.

In: a path below the opened folder, the text that the editor holds, an offset in code points.  Out:
answers of `answers.py`.  The last text of each path stands in for its file, so that other texts of
the game are resolved with what is typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from attrs import define, field

from rulewright.app.service import (
    completion,
    edits,
    hover,
    navigation,
    recipes,
    studies,
    tokens,
)
from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.app.studio import answers as a
from rulewright.app.studio import messages as m
from rulewright.app.studio.folder import BUNDLED, Folder
from rulewright.app.studio.studying import TextStudy, compare_games, game_of
from rulewright.app.studio.thinking import Telling
from rulewright.errors import RulewrightError
from rulewright.games.files.games import load_with
from rulewright.ground.disk import read_text
from rulewright.language.source import Span


@define(eq=False)
class Writing:
    """The texts that a page's editor holds; public methods answer the requests of their name."""

    folder: Folder
    workspace: Workspace = field(factory=Workspace)

    def read(self, params: m.File) -> a.FileText:
        """A text of the folder, with its digest."""
        return self.folder.read(params.path)

    def write(self, params: m.Write) -> a.FileText:
        """Write a text, unless it has changed since it was read."""
        return self.folder.write(params.path, params.text, params.digest)

    def check(self, params: m.Text) -> a.Checked:
        """The diagnostics of a text, their quick fixes, and the kinds of its words."""
        document = self._document(params)
        diagnostics = self.workspace.diagnostics(document)
        mended = [
            a.Mend(action.title, diagnostics.index(action.mends), tuple(map(_edit, action.edits)))
            for action in edits.actions(document, diagnostics)
            if action.mends in diagnostics
        ]
        colours = tokens.colours(self.workspace, document)
        colours_shown = tuple((item.span.start, item.span.end, item.kind) for item in colours)
        spans = (edits.span_of(document, item) for item in diagnostics)
        problems = [d.as_data() | _at(span) for d, span in zip(diagnostics, spans, strict=True)]
        return a.Checked(problems, tuple(mended), colours_shown)

    def hover(self, params: m.TextOffset) -> a.Meaning:
        """The meaning of the word at an offset, as Markdown; empty if nothing is known."""
        explanation = hover.hover(self.workspace, *self._spot(params))
        if explanation is None:
            return a.Meaning("", params.offset, params.offset)
        return a.Meaning(explanation.text, explanation.span.start, explanation.span.end)

    def complete(self, params: m.TextOffset) -> a.Completions:
        """The completions at an offset."""
        completions = completion.complete(self.workspace, *self._spot(params))
        items = tuple(
            a.Item(i.label, i.kind, i.detail, i.about, i.insert or i.label, i.snippet)
            for i in completions.items
        )
        return a.Completions(completions.span.start, items)

    def define(self, params: m.TextOffset) -> list[a.Where]:
        """The places where the name at an offset is declared."""
        return self._places(navigation.definition(self.workspace, *self._spot(params)))

    def format(self, params: m.Text) -> list[a.Edit]:
        """The edits that format a text."""
        return [_edit(edit) for edit in edits.formatting(self._document(params))]

    def new_name(self, params: m.NewName) -> a.Named:
        """The path that a new text of a name gets, or why it may not have that name."""
        try:
            return a.Named(self.folder.new_path(params.name, params.like), "")
        except RulewrightError as refusal:
            return a.Named("", str(refusal))

    def rename(self, params: m.Rename) -> a.Renamed:
        """Rename the name at an offset: other files are written, the edits of the text returned.

        Nothing is written if any of the files may not be.
        """
        path = self.folder.find(params.path)
        for other in self.workspace.documents:  # of other files the saved texts count
            if other.path != path:
                self.workspace.close(other.path)
        self.workspace.files_changed()
        document, offset = self._spot(params)
        changes = navigation.rename(self.workspace, document, offset, params.name)
        own = tuple(map(_edit, changes.pop(document, [])))
        others = {self.folder.name(other.path): (other, edits) for other, edits in changes.items()}
        refused = next((name for name in others if not name or name.startswith(BUNDLED)), None)
        if refused is not None:
            file = refused or "a file elsewhere"
            raise RulewrightError(f"to write `{params.name}` would change {file} too")
        self._write_all({n: _edited(other.text, edits) for n, (other, edits) in others.items()})
        return a.Renamed(own, tuple(others))

    def _write_all(self, texts: Mapping[str, str]) -> None:
        """Write files; if one cannot be written, the others are restored."""
        before = {name: self.folder.read(name) for name in texts}
        written_files = list[a.FileText]()
        try:
            for name, text in texts.items():
                written_files.append(self.folder.write(name, text, before[name].digest))
        except (RulewrightError, OSError):
            for file in written_files:
                with suppress(RulewrightError, OSError):  # the first error is raised
                    self.folder.write(file.path, before[file.path].text, file.digest)
            raise

    def claim(self, params: m.AddClaims) -> list[a.Edit]:
        """The edits that add claims to a rules text."""
        document = self._document(params)
        return [_edit(edit) for edit in studies.claim_edits(document, list(params.claims))]

    def recipes(self, params: m.Text) -> list[recipes.Recipe]:
        """The recipes that fit a text, in its names."""
        return list(recipes.recipes(self._document(params)))

    def recipe(self, params: m.PutRecipe) -> list[a.Edit]:
        """The edits that put a recipe into a text at an offset."""
        document, offset = self._spot(params)
        recipe = next((r for r in recipes.recipes(document) if r.title == params.title), None)
        if recipe is None:
            raise RulewrightError("there is no such recipe for this text")
        return [_edit(edit) for edit in recipes.insertion(document, offset, recipe)]

    def study(self, params: m.FindOut, telling: Telling) -> a.Study:
        """Study a text: its properties, what is used of it, faults that nothing notices."""
        path = self.folder.find(params.path)
        return TextStudy(path, params.text, params.seconds, telling).study(params.what)

    def diff(self, params: m.Diff, telling: Telling) -> a.Differed:
        """Compare the game of a text with that of its file, of another text, or of a game."""
        path = self.folder.find(params.path)
        first = game_of(path, params.text, params.options)
        name = params.against or path.name
        if params.other is not None:
            second = game_of(path, params.other, params.options)
        elif params.against:
            second = load_with(self.folder.game_path(params.against), dict(params.options))
        else:
            second = game_of(path, read_text(path), params.options)
        names = ("as you have it", name if params.against else "as it is saved")
        return compare_games((first, second), names, params.moves, params.seconds, telling)

    def _spot(self, params: m.TextOffset) -> tuple[Document, int]:
        if not 0 <= params.offset <= len(params.text):
            raise RulewrightError(f"there is no place {params.offset} in this text")
        return self._document(params), params.offset

    def _document(self, params: m.Text) -> Document:
        path = self.folder.find(params.path)
        document = self.workspace.document(path)
        if document is not None and document.text == params.text:
            return document
        return self.workspace.open(path, params.text)

    def _places(self, locations: list[navigation.Location]) -> list[a.Where]:
        places = ((self.folder.name(place.document.path), place.span) for place in locations)
        return [a.Where(name, span.start, span.end) for name, span in places if name]


def _edited(text: str, edits: list[navigation.Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: -edit.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _edit(edit: navigation.Edit) -> a.Edit:
    return a.Edit(edit.span.start, edit.span.end, edit.text)


def _at(span: Span) -> dict[str, int]:
    return {"start": span.start, "end": span.end}
