"""What patterns propose; the figure of the document of T1, and its own example."""

from __future__ import annotations

from functools import cache

import pytest

from rulewright.app.cli import main
from rulewright.compiler.engine import Engine
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.games import load
from rulewright.games.files.kinds import FileContext, check_file
from rulewright.model.patterns import Patterns
from rulewright.players.pattern_use import Workbench
from rulewright.reference.matching import Matcher, placements
from rulewright.search.candidates import Proposing

TWO = "Off 2\n  Own 3 3\n  Set 2 1\n  BPoss 0 0 2 1\n  BPoss 3 3 2 1\n"
"""The document's own example, without a head."""


FIGURE = "h5 h9 g7 j8 e2 x20"
"""Red at H5, G7 and E2, blue at H9 and J8, as in the document's figure; red is to move."""


@cache
def game(name: str, **options: int | bool) -> Game:
    return load(name, **options)


def read(text: str, board: Game, name: str = "x.patterns") -> Patterns:
    report = check_file(PATTERNS, name, text.encode(), FileContext(board))
    assert [d.render() for d in report.diagnostics if d.severity == "error"] == []
    assert report.model is not None
    return report.model


def proposed(text: str, state: State) -> dict[str, set[str]]:
    """What patterns propose: by decision the directions they were tried in."""
    bench = Workbench(state.game, read(text, state.game))
    found: dict[str, set[str]] = {}
    for use in bench.fired(state):
        found.setdefault(use.move, set()).add(f"{use.site} {use.direction}")
    return found


def proposed_alike(board: Game, file: Patterns, state: State) -> int:
    """How many sites kernels, run by Python, propose in a position: the reference says the same."""
    position = state.situation.position
    legal = placements(board.play, position)
    found = Proposing.of(Engine(board.play, "python"), file).proposals(position)
    theirs = Matcher(board.play, file).proposals(position)
    assert {s: p for s, p in found.items() if s in legal} == theirs
    return len(theirs)


@cache
def figure() -> State:
    return game("twixt").start().play(FIGURE)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit status, the output, and the output with what went to standard error."""
    status = main(list(words))
    told = capsys.readouterr()
    return status, told.out, told.out + told.err
