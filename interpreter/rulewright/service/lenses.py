"""What stands above lines of a text to be done or known: play, test, counts, examples.

In: a workspace and a document; a lens whose words take work.  Out: lenses at once, and their words
later.  Counting stops where the next count would take too long.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from attrs import frozen

from rulewright.engine.game import Game
from rulewright.errors import RulewrightError
from rulewright.language import syntax
from rulewright.language.source import Span
from rulewright.language.syntax import patterns
from rulewright.printable import amount, plural
from rulewright.service.document import Document
from rulewright.service.documents import Workspace
from rulewright.service.navigation import Edit
from rulewright.service.studies import COMMANDS

MOST_COUNTED = 30_000
"""Decisions that are counted to show perft."""
SECONDS = 3.0
"""Time after which no further depth is begun."""
DEEPEST = 6


@frozen
class Lens:
    """A place and what is shown there: `play`, `test`, or words to be worked out."""

    span: Span
    what: str


def lenses(document: Document) -> list[Lens]:
    """Where something can be done or known."""
    return list(_lenses(document))


def _lenses(document: Document) -> Iterator[Lens]:
    for item in document.items:
        match item:
            case syntax.GameName():
                yield from (Lens(item.span, what) for what in ("play", "test", *COMMANDS))
            case syntax.Turn(first=False):
                yield Lens(item.span, "perft")
            case syntax.EvaluatorName() | syntax.PersonalityName():
                yield Lens(item.span, "test")
            case patterns.PatternsFor():
                yield Lens(item.span, "examples")


def told(workspace: Workspace, document: Document, what: str) -> str:
    """The words of a lens that take work; empty where there are none."""
    if what == "perft":
        game = workspace.report(document).game
        counts = counted(game) if game is not None else []
        return f"perft {' '.join(map(str, counts))}" if counts else ""
    if what == "examples":
        every = sum(isinstance(i, patterns.PatternExample) for i in document.items)
        if workspace.report(document).model is None or not every:
            return ""
        wrong = {d.place.line for d in workspace.tried(document)}
        right = every - len(wrong)
        return f"{right} of {amount(every, 'example')} {plural(right, 'holds', 'hold')}"
    return ""


def counted(game: Game) -> list[int]:
    """Perft by decisions from depth 1, as far as it is soon done."""
    found: list[int] = []
    begun = time.perf_counter()
    state = game.start()
    try:
        while len(found) < DEEPEST and time.perf_counter() - begun < SECONDS:
            growth = found[-1] / found[-2] if len(found) > 1 and found[-2] else 1
            if found and found[-1] * max(growth, found[0]) > MOST_COUNTED:
                break
            found.append(state.perft(len(found) + 1))
            if not found[-1]:
                break
    except RulewrightError:
        pass  # a fault of the rules is told where they are tested
    return [n for n in found if n]


def claim_of(workspace: Workspace, document: Document) -> Edit | None:
    """The edit that writes what was counted as a claim, behind the other claims or at the end."""
    game = workspace.report(document).game if document.language == "rules" else None
    counts = counted(game) if game is not None else []
    if not counts:
        return None
    line = f"claim perft {', '.join(map(str, counts))}"
    for item in document.items:
        if isinstance(item, syntax.Claim) and item.kind == "perft" and item.what is None:
            return Edit(item.span, line)
    claims = [i.span.end for i in document.items if isinstance(i, syntax.Claim)]
    at = document.text.find("\n", claims[-1]) + 1 if claims else len(document.text)
    at = at or len(document.text)
    before = "" if document.text[:at].endswith("\n") else "\n"
    return Edit(Span(at, at), f"{before}{'' if claims else chr(10)}{line}\n")
