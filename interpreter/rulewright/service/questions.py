"""What lines of a text ask: why a decision is legal or not or proposed, what edits play otherwise.

In: a workspace, a document and a place in it.  Out: questions as titles; answers as lines for
people, which take work.  Claims of rules ask `why` of their last decision, examples of
patterns why their move is proposed or not, and rules what they play otherwise than their file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rulewright import disk
from rulewright.budget import within_seconds
from rulewright.checks.compare import Comparison, alike_text, difference_lines
from rulewright.checks.properties_of_players import Unfounded, example_position
from rulewright.checks.reasons import why_not
from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.files.games import RULES
from rulewright.files.kinds import FileContext, check_file
from rulewright.language import syntax
from rulewright.language.source import Span
from rulewright.language.syntax import patterns
from rulewright.model.patterns import Example, Pattern, Patterns
from rulewright.players.pattern_use import Workbench, told_ways
from rulewright.service.document import Document
from rulewright.service.documents import Workspace

SECONDS = 20.0
"""How long an answer may take."""


@frozen
class Question:
    """A question that a line asks, as a title; `what` is `why` or `diff`."""

    span: Span
    title: str
    what: str


def questions(document: Document) -> Iterator[Question]:
    """What the lines of a text ask."""
    for item in document.items:
        match item:
            case syntax.Claim(kind="illegal", decision=decision) if decision:
                yield Question(item.span, f"Why is `{decision}` not legal?", "why")
            case syntax.Claim(moves=moves) if moves.split():
                yield Question(item.span, f"Why is `{moves.split()[-1]}` legal, and then?", "why")
            case patterns.PatternExample(words=words):
                yield Question(item.span, f"Why is {words[-1].text} proposed, or not?", "why")
            case syntax.GameName() if _differs(document):
                yield Question(item.span, "What do these edits play otherwise?", "diff")


def _differs(document: Document) -> bool:
    """Whether an editor holds another text than the file."""
    try:
        return document.open and disk.read_source(document.path) != document.data
    except OSError:
        return False


def answer(workspace: Workspace, document: Document, what: str, offset: int) -> str:
    """The lines that answer the question of a place; what is wrong instead, where there is none."""
    found = [q for q in questions(document) if q.what == what and q.span.start <= offset]
    asked = found[-1] if found else None
    item = next((i for i in document.items if asked and i.span == asked.span), None)
    try:
        with disk.held(workspace.texts()), within_seconds(SECONDS, 1.0, "this took too long"):
            match item:
                case syntax.Claim():
                    return _of_claim(document, item)
                case patterns.PatternExample():
                    return _of_example(workspace, document, item)
                case syntax.GameName():
                    return _of_edits(document)
    except (RulewrightError, Unfounded) as error:
        return str(error)
    return "nothing is asked here"


def _game(document: Document, options: dict[str, str]) -> Game:
    where = FileContext(None, document.path.parent, dict[str, Any](options))
    return check_file(RULES, document.name, document.data, where).loaded()


def _of_claim(document: Document, claim: syntax.Claim) -> str:
    options = {
        c.name.text: document.text[c.value.span.start : c.value.span.end] for c in claim.chosen
    }
    moves = claim.moves.split()
    before, last = (moves, claim.decision) if claim.decision else (moves[:-1], moves[-1])
    state = _game(document, options).start()
    state = state.play(" ".join(before)) if before else state
    return f"{state.board()}\n{why_not(state, last)}"


def _of_example(workspace: Workspace, document: Document, asked: patterns.PatternExample) -> str:
    report = workspace.report(document)
    file: Patterns = report.loaded()
    assert report.game is not None
    line = document.text.count("\n", 0, asked.span.start) + 1
    pattern, example = next(_examples(file, line))
    bench = Workbench(report.game, file)
    position, _ = example_position(report.game, bench.matcher, pattern, example)
    return "\n".join(told_ways(bench, position, example.move))


def _examples(file: Patterns, line: int) -> Iterator[tuple[Pattern, Example]]:
    for pattern in file.patterns:
        yield from ((pattern, example) for example in pattern.examples if example.line == line)


def _of_edits(document: Document) -> str:
    with disk.held({}):
        saved = disk.read_source(document.path)
    before = check_file(
        RULES, document.name, saved, FileContext(None, document.path.parent)
    ).loaded()
    looked = Comparison(before, _game(document, {}), effort=0.3).run()
    if looked.difference is None:
        return alike_text(looked)
    return "\n".join(difference_lines(looked.difference, "the file", "these edits"))
