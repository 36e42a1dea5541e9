"""Claims of a rules file: what can be tested in little time is tested whenever the file is checked.

In: a game whose file has no errors, and a limit of nodes.  Out: a diagnostic for each claim that
does not hold.  Claims that need more work than the limit allows are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.errors import Fault
from rulewright.game import Game
from rulewright.language.diagnostics import Diagnostic, Place
from rulewright.model.rules import Claim
from rulewright.reference.evaluate import evaluate

QUICK_NODES = 1500
"""Decisions that the claims of one file may need when it is only checked."""


def failing(game: Game, nodes: int = QUICK_NODES) -> Iterator[Diagnostic]:
    """A diagnostic for each claim that is tested and does not hold."""
    for claim in game.rules.claims:
        try:
            with game.located():
                message = _failure(game, claim, nodes)
        except Fault as fault:
            message = f"testing this claim ends in a fault: {fault}"
        if message:
            origin = game.rules.origins[claim.origin]
            end = len(origin.text) + 1
            place = Place(origin.file, origin.line, 1, origin.line, end, origin.text)
            yield Diagnostic("claim-fails", message, place)


def _failure(game: Game, claim: Claim, nodes: int) -> str:
    match claim.kind:
        case "start" | "always":
            context = game.play.context(game.play.first)
            assert claim.value is not None
            return "" if evaluate(claim.value, context) else "this does not hold at the start"
        case "perft":
            return _perft(game, claim, nodes)
    return ""


def _perft(game: Game, claim: Claim, nodes: int) -> str:
    unit = "turn" if claim.what == "turns" else "decision"
    changed = [o.name for o in game.rules.options if o.value != o.default]
    spent = 0
    for depth, claimed in enumerate(claim.numbers, 1):
        spent += claimed if depth < len(claim.numbers) or unit == "turn" else claimed // 4
        if spent > nodes or changed:
            break
        counted = game.start().perft(depth, unit)
        if counted != claimed:
            return f"perft {depth} is {counted:,}, not {claimed:,} (in {unit}s)"
    return ""
