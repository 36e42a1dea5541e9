"""What the language service keeps from one edit to the next never shows in an answer."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.errors import OutOfBudget
from rulewright.games.engine.game import Game
from rulewright.ground import budget, disk
from rulewright.search.background import in_time
from tests.shared.editing import PIECES

EDITED = (
    "rulesets/tictactoe/tictactoe.rules", "rulesets/conniption/flip.personality",
    "rulesets/connect4/connect4.eval", "rulesets/draughts/draughts.rules",
)  # fmt: skip
EDITS = 8


def typed(text: str, chance: Random) -> str:
    """A text with something typed, taken away, or a line doubled."""
    at = chance.randrange(len(text) + 1)
    if not chance.randrange(4):
        lines = text.splitlines(keepends=True)
        lines.insert(chance.randrange(len(lines)), chance.choice(lines))
        return "".join(lines)
    return text[:at] + chance.choice(PIECES) + text[at + chance.choice((0, 0, 1, 5)) :]


def found(workspace: Workspace, document: Document) -> tuple[object, ...]:
    report = workspace.report(document)
    model = report.model.rules if isinstance(report.model, Game) else report.model
    return report.diagnostics, model, document.items, document.mentions


@pytest.mark.parametrize("name", EDITED)
def test_edits_one_after_the_other_say_what_each_alone_says(name: str) -> None:
    folder, _, rest = name.partition("/")
    path, chance = disk.root(folder) / rest, Random(name)
    first, workspace = path.read_text("utf-8"), Workspace()
    text = first
    for number in range(EDITS):
        document = workspace.open(path, text, number)
        fresh = Workspace()
        assert found(workspace, document) == found(fresh, fresh.open(path, text, number)), text
        spans = [m.span for m in document.mentions]
        assert spans == [m.span for m in Document(path, text).mentions]
        text = typed(text if chance.randrange(3) else first, chance)


def test_a_file_that_another_names_is_read_again_when_it_changes(tmp_path: Path) -> None:
    source = disk.root("rulesets") / "connect4"
    for name in ("connect4.rules", "connect4.eval", "counter.personality"):
        (tmp_path / name).write_bytes((source / name).read_bytes())
    evaluator, path = tmp_path / "connect4.eval", tmp_path / "counter.personality"
    text, workspace = path.read_text("utf-8"), Workspace()
    good = evaluator.read_text("utf-8")

    def wrong(number: int) -> bool:
        return bool(workspace.diagnostics(workspace.open(path, f"{text}# {number}\n", number)))

    assert [wrong(1), wrong(2)] == [False, False]
    evaluator.write_text("format 1\nevaluator counter for connect4\n", "utf-8")
    assert wrong(3)
    evaluator.write_text(good, "utf-8")
    assert not wrong(4)
    workspace.open(evaluator, good.replace("evaluator", "evluator", 1), 1)  # not on the disk
    assert wrong(5)
    workspace.close(evaluator)
    assert not wrong(6)
    evaluator.unlink()  # the bundled one is found
    assert not wrong(7)
    evaluator.write_text("format 1\nevaluator connect4 for connect4\n", "utf-8")
    assert wrong(8)


def test_time_of_the_processor_is_not_spent_by_waiting() -> None:
    with budget.within_seconds(0.05, 0.0, "late", time.process_time):
        in_time(lambda: time.sleep(0.2))
        assert not budget.over()
    with pytest.raises(OutOfBudget), budget.within_seconds(0.05, 0.0, "late", time.process_time):
        in_time(busy)


def busy() -> None:
    while True:
        sum(range(1000))
        if budget.over():
            time.sleep(0.3)  # who waits has an answer before
            return
