"""What lines of a text ask, and the answers that an editor shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.app.service.questions import answer, questions
from rulewright.games.files.games import bundled_games
from rulewright.ground.disk import root


def opened(path: Path, text: str) -> tuple[Workspace, Document]:
    """A text as an editor holds it."""
    workspace = Workspace()
    return workspace, workspace.open(path, text)


def asked(path: Path, text: str, line: str) -> tuple[str, str]:
    """The title of what a line asks, and the answer."""
    workspace, document = opened(path, text)
    at = text.index(line)
    question = next(q for q in questions(document) if q.span.start <= at < q.span.end)
    return question.title, answer(workspace, document, question.kind, question.span.start)


@pytest.mark.parametrize(
    ("line", "title", "message"),
    [
        ('claim no "a1" after "a1"', "Why is `a1` not legal?", "choose cell in empty"),
        ('claim cross wins after "a1 b1 a2 b2 a3"', "Why is `a3` legal, and then?", "cross wins"),
        ('claim no "b3" with width = 2, height = 2', "Why is `b3` not legal?", "no move of"),
        ('claim no "a1" after "z9"', "Why is `a1` not legal?", "z9"),
    ],
)
def test_claims_ask_why(line: str, title: str, message: str) -> None:
    text = bundled_games()["tictactoe"].read_text("utf-8") + f"{line}\n"
    found, answered = asked(Path("/nowhere/tictactoe.rules"), text, line)
    assert found == title
    assert message in answered


def test_examples_of_patterns_ask_why_their_move_is_proposed() -> None:
    path = root("patterns") / "twixt/basics.patterns"
    text = path.read_text("utf-8").replace("at l12 north set k10", "at l12 north set a2")
    title, answered = asked(path, text, "Example own l12 at l12 north set a2")
    assert title == "Why is a2 proposed, or not?"
    assert answered.startswith("a2 is not proposed to red\n")


def test_edits_are_asked_what_they_play_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "mine.rules"
    text = bundled_games()["tictactoe"].read_text("utf-8")
    path.write_text(text, "utf-8")
    _, document = opened(path, text)
    assert "diff" not in {q.kind for q in questions(document)}
    changed = text.replace("choose cell in empty", "choose cell in empty corners")
    assert changed != text
    title, answered = asked(path, changed, "game tictactoe")
    assert title == "What do these edits change in play?"
    assert answered.startswith("they differ after 0 decisions: (the first position)")
    assert "the file: only here: b3 a2 b2" in answered
    assert "no difference found" in asked(path, text + "# more\n", "game tictactoe")[1]


def test_nothing_is_asked_where_there_is_no_question(tmp_path: Path) -> None:
    workspace, document = opened(tmp_path / "a.rules", "format 1\ngame a\n")
    assert answer(workspace, document, "why", 3) == "nothing is asked here"
