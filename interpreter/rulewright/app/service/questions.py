"""Questions about lines of a text: why a decision is legal, illegal or proposed, what edits change.

In: a workspace, a document and an offset in it.  Out: questions as titles; answers as lines for
people, which take work.  A claim of rules has the question why its last decision is legal or not,
an example of patterns why its move is proposed or not, rules how they differ from their file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.checks.compare import Comparison, alike_text, difference_lines
from rulewright.checks.properties_of_players import Unfounded, example_position
from rulewright.checks.reasons import why_not
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import RULES
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.ground import disk
from rulewright.ground.budget import within_seconds
from rulewright.language import syntax
from rulewright.language.source import Span
from rulewright.language.syntax import patterns
from rulewright.model.patterns import Example, Pattern, Patterns
from rulewright.players.pattern_use import Workbench, tell_ways

SECONDS = 20.0
"""Seconds for an answer."""


@frozen
class Question:
    """A question about a line, as a title; `kind` is `why` or `diff`."""

    span: Span
    title: str
    kind: str


def questions(document: Document) -> Iterator[Question]:
    """The questions about the lines of a text."""
    for item in document.items:
        match item:
            case syntax.Claim(kind="illegal", decision=decision) if decision:
                yield Question(item.span, f"Why is `{decision}` not legal?", "why")
            case syntax.Claim(moves=moves) if moves.split():
                yield Question(item.span, f"Why is `{moves.split()[-1]}` legal, and then?", "why")
            case patterns.PatternExample(words=words):
                yield Question(item.span, f"Why is {words[-1].text} proposed, or not?", "why")
            case syntax.GameName() if _differs(document):
                yield Question(item.span, "What do these edits change in play?", "diff")


def _differs(document: Document) -> bool:
    """Whether an open text differs from its file."""
    try:
        return document.open and disk.read_source(document.path) != document.data
    except OSError:
        return False


def answer(workspace: Workspace, document: Document, kind: str, offset: int) -> str:
    """Answer the last question of a kind before an offset, or say why it has no answer."""
    matching = [q for q in questions(document) if q.kind == kind and q.span.start <= offset]
    question = matching[-1] if matching else None
    item = next((i for i in document.items if question and i.span == question.span), None)
    try:
        with disk.held_texts(workspace.texts()), within_seconds(SECONDS, 1.0, "this took too long"):
            match item:
                case syntax.Claim():
                    return _answer_claim(document, item)
                case patterns.PatternExample():
                    return _answer_example(workspace, document, item)
                case syntax.GameName():
                    return _answer_edits(document)
    except (RulewrightError, Unfounded) as error:
        return str(error)
    return "nothing is asked here"


def _game(document: Document, data: bytes, options: Mapping[str, Any] | None = None) -> Game:
    """Load rules with these bytes in the place of a document."""
    context = FileContext(None, document.path.parent, dict(options or {}))
    return check_file(RULES, document.name, data, context).loaded()


def _answer_claim(document: Document, claim: syntax.Claim) -> str:
    options = {
        c.name.text: document.text[c.value.span.start : c.value.span.end] for c in claim.chosen
    }
    moves = claim.moves.split()
    before, last = (moves, claim.decision) if claim.decision else (moves[:-1], moves[-1])
    state = _game(document, document.data, options).start()
    state = state.play(" ".join(before)) if before else state
    return f"{state.board()}\n{why_not(state, last)}"


def _answer_example(workspace: Workspace, document: Document, node: patterns.PatternExample) -> str:
    report = workspace.report(document)
    file: Patterns = report.loaded()
    assert report.game is not None
    line = document.text.count("\n", 0, node.span.start) + 1
    pattern, example = next(_examples(file, line))
    bench = Workbench(report.game, file)
    position, _ = example_position(report.game, bench.matcher, pattern, example)
    return "\n".join(tell_ways(bench, position, example.move))


def _examples(file: Patterns, line: int) -> Iterator[tuple[Pattern, Example]]:
    for pattern in file.patterns:
        yield from ((pattern, example) for example in pattern.examples if example.line == line)


def _answer_edits(document: Document) -> str:
    with disk.held_texts({}):
        data = disk.read_source(document.path)
    before, now = _game(document, data), _game(document, document.data)
    comparison = Comparison(before, now, effort=0.3).run()
    if comparison.difference is None:
        return alike_text(comparison)
    return "\n".join(difference_lines(comparison.difference, "the file", "these edits"))
