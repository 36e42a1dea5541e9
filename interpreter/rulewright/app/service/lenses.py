"""Code lenses above the lines of a text: commands such as play and test, perft, examples.

In: a workspace and a document; a lens whose text takes work.  Out: lenses at once, and their texts
later.  Perft stops at the depth where the next count would take too long.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from attrs import frozen

from rulewright.app.service.document import Document
from rulewright.app.service.documents import Workspace
from rulewright.app.service.navigation import Edit
from rulewright.app.service.studies import COMMANDS
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.ground.printable import amount, plural
from rulewright.language import syntax
from rulewright.language.source import Span
from rulewright.language.syntax import patterns

MOST_COUNTED = 30_000
"""Decisions that perft counts at most."""
SECONDS = 3.0
"""Seconds after which no further depth is begun."""
DEEPEST = 6


@frozen
class Lens:
    """A lens at a span: a command such as `play`, or the name of a text to be computed."""

    span: Span
    action: str


def lenses(document: Document) -> Iterator[Lens]:
    """The lenses of a text."""
    for item in document.items:
        match item:
            case syntax.GameName():
                yield from (Lens(item.span, action) for action in ("play", "test", *COMMANDS))
            case syntax.Turn(first=False):
                yield Lens(item.span, "perft")
            case syntax.EvaluatorName() | syntax.PersonalityName():
                yield Lens(item.span, "test")
            case patterns.PatternsFor():
                yield Lens(item.span, "examples")


def lens_text(workspace: Workspace, document: Document, action: str) -> str:
    """Compute the text of a lens; empty for lenses that are commands."""
    if action == "perft":
        counts = perft_counts(workspace.report(document).game)
        return f"perft {' '.join(map(str, counts))}" if counts else ""
    if action == "examples":
        examples = sum(isinstance(i, patterns.PatternExample) for i in document.items)
        if workspace.report(document).model is None or not examples:
            return ""
        wrong = {d.place.line for d in workspace.claim_diagnostics(document)}
        hits = examples - len(wrong)
        return f"{hits} of {amount(examples, 'example')} {plural(hits, 'holds', 'hold')}"
    return ""


def perft_counts(game: Game | None) -> list[int]:
    """Perft by decisions from depth 1 on, as far as it is fast; empty without a game."""
    counts: list[int] = []
    if game is None:
        return counts
    start, state = time.perf_counter(), game.start()
    try:
        while len(counts) < DEEPEST and time.perf_counter() - start < SECONDS:
            growth = counts[-1] / counts[-2] if len(counts) > 1 and counts[-2] else 1
            if counts and counts[-1] * max(growth, counts[0]) > MOST_COUNTED:
                break
            counts.append(state.perft(len(counts) + 1))
            if not counts[-1]:
                break
    except RulewrightError:
        pass  # the tests of the rules report their faults
    return [n for n in counts if n]


def claim_of(workspace: Workspace, document: Document) -> Edit | None:
    """The edit that writes perft as a claim, behind the other claims or at the end."""
    rules = document.language == "rules"
    counts = perft_counts(workspace.report(document).game) if rules else []
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
