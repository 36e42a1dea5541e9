"""The claims of a file, tried as far as `check` goes, once it reads without mistakes.

In: the report of a file of any kind.  Out: a diagnostic for each claim that does not hold, and for
positions that take too long; what plays the game, where the file is rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from rulewright.checks.claims import failing
from rulewright.checks.findings import place_of, whole_line
from rulewright.checks.sampling import measured_positions
from rulewright.compiler.defects import Defect, listening
from rulewright.compiler.layout import ChosenForm
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import PlayingBackend, playing_backend
from rulewright.games.files.kinds import Report
from rulewright.ground.limits import CLAIM_STEPS, LOOKING_STEPS
from rulewright.language.diagnostics import Diagnostic, Place, errors
from rulewright.model.evaluation import Evaluator
from rulewright.model.patterns import Patterns

TrialAnswer: TypeAlias = tuple[Iterable[Diagnostic], PlayingBackend | None]
"""Diagnostics of what does not hold, and what plays a game of rules."""


def try_claims(kind: str, report: Report[Any], left_out: list[str] | None = None) -> TrialAnswer:
    """Try the claims of a file of a kind: what does not hold, and what plays its game.

    *left_out* takes descriptions of what is not tried since too many steps were taken before.
    """
    if report.model is None or report.game is None or kind not in _BY_KIND:
        return (), None
    with listening() as defects:
        diagnostics, played = _BY_KIND[kind](report, [] if left_out is None else left_out)
        diagnostics = list(diagnostics)  # here, for kernels may be compiled on the way
    return [*diagnostics, *map(_of_defect, defects)], played


def _of_defect(defect: Defect) -> Diagnostic:
    """The diagnostic for a fault of this program, at the line that it was compiling."""
    line = defect.origin
    place = whole_line(line) if line else Place(defect.text.name, 1, 1, 1, 1)
    message = f"{defect}, so that the reference plays"
    advice = "nothing is wrong with the text; please report it with this message"
    return Diagnostic("compiler-fault", message, place, advice)


def _of_rules(report: Report[Game], left_out: list[str]) -> TrialAnswer:
    assert report.game is not None
    slow = measured_positions(report.game)
    if errors(slow.diagnostics):
        return slow.diagnostics, None
    left_out += [slow.left_out] if slow.left_out else []
    steps = max(0, CLAIM_STEPS - slow.spent)
    diagnostics = [*slow.diagnostics, *failing(report.game, steps=steps)]
    if slow.spent > LOOKING_STEPS:
        left_out.append("whether it is compiled")
        return diagnostics, None
    backend = playing_backend(report.game)
    return [*diagnostics, *(_of_slow(report.game, note) for note in backend.slow)], backend


def _of_slow(game: Game, note: ChosenForm) -> Diagnostic:
    """The diagnostic for a part of the text that kernels do slowly, and a faster way."""
    message = f"{note.part}: {note.form}"
    return Diagnostic("slow-form", message, place_of(game.rules, note.origin), note.advice)


def _of_evaluator(report: Report[Evaluator], _: list[str]) -> TrialAnswer:
    assert report.game is not None
    from rulewright.checks.properties_of_evaluators import failing_examples

    return failing_examples(report.game, report.loaded()), None


def _of_patterns(report: Report[Patterns], _: list[str]) -> TrialAnswer:
    assert report.game is not None
    assert report.source is not None
    from rulewright.checks.properties_of_players import failing_patterns

    return failing_patterns(report.game, report.loaded(), report.source), None


_BY_KIND: dict[str, Callable[[Report[Any], list[str]], TrialAnswer]] = {
    "rules": _of_rules, "evaluator": _of_evaluator, "patterns": _of_patterns,
}  # fmt: skip
