"""Claims of a rules file: what can be tested in little time is tested whenever the file is checked.

In: a game whose file has no errors, and limits of nodes and of steps.  Out: a diagnostic for each
claim that does not hold.  Claims that count more nodes than the limit allows are left alone, and
where the steps are used up a warning says so.
"""

from __future__ import annotations

from rulewright.budget import within_steps
from rulewright.checks.counts import likely
from rulewright.engine.game import Game
from rulewright.errors import Fault, OutOfBudget
from rulewright.language.diagnostics import Diagnostic, Place
from rulewright.language.limits import CLAIM_STEPS
from rulewright.model.rules import Claim
from rulewright.reference.evaluate import evaluate

QUICK_NODES = 1500
"""Decisions that the claims of one file may need when it is only checked."""


def failing(game: Game, nodes: int = QUICK_NODES, steps: int = CLAIM_STEPS) -> list[Diagnostic]:
    """A diagnostic for each claim that is tested and does not hold.

    All claims of the file share *steps*; it is said where they are used up, and nothing more.
    """
    found: list[Diagnostic] = []
    for claim in game.rules.claims:
        with within_steps(steps, "") as budget:
            try:
                message = _tested(game, claim, nodes)
            except OutOfBudget:
                if not budget.used_up:
                    raise
                return [*found, _untested(game, claim)]
        steps -= budget.spent
        if message:
            found.append(Diagnostic("claim-fails", message, place_of(game, claim.origin)))
    return found


def place_of(game: Game, origin: int) -> Place:
    """The whole line of a clause."""
    line = game.rules.origins[origin]
    return Place(line.file, line.line, 1, line.line, len(line.text) + 1, line.text)


def _untested(game: Game, claim: Claim) -> Diagnostic:
    message = f"the claims of this file take more than {CLAIM_STEPS:,} steps: not tested from here"
    advice = "`rulewright test` tests every claim"
    return Diagnostic("claim-untested", message, place_of(game, claim.origin), advice)


def _tested(game: Game, claim: Claim, nodes: int) -> str:
    try:
        with game.located():
            return _failure(game, claim, nodes)
    except Fault as fault:
        return f"testing this claim ends in a fault: {fault}"


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
    known = list[int]()
    for depth, claimed in enumerate(claim.numbers, 1):
        more = likely(known, claimed)
        more //= 1 if depth < len(claim.numbers) or unit == "turn" else 4
        if sum(known) + more > nodes or changed:
            break
        counted = game.start().perft(depth, unit)
        known.append(counted)
        if counted != claimed:
            return f"perft {depth} is {counted:,}, not {claimed:,} (in {unit}s)"
    return ""
