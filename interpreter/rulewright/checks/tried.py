"""What a file claims, tried as far as `check` goes, once reading it has shown no mistake.

In: the report of a file of any kind.  Out: a diagnostic for each claim that does not hold, and for
positions that take too long; what plays the game, where the file is rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from rulewright.checks.claims import failing
from rulewright.checks.sampling import looked_at
from rulewright.codegen.defects import Defect, listening
from rulewright.engine.game import Game
from rulewright.engine.kernels import PlayingBackend, playing_backend
from rulewright.files.kinds import Report
from rulewright.language.diagnostics import Diagnostic, Place, errors
from rulewright.language.limits import CLAIM_STEPS, LOOKING_STEPS
from rulewright.model.evaluation import Evaluator
from rulewright.model.patterns import Patterns

Tried: TypeAlias = tuple[Iterable[Diagnostic], PlayingBackend | None]
"""What does not hold, and what plays a game of rules."""


def tried(kind: str, report: Report[Any], left_out: list[str] | None = None) -> Tried:
    """What is wrong with a file of a kind beyond what reading it shows.

    *left_out* takes what is not tried since too much was done before.
    """
    if report.model is None or report.game is None:
        return (), None
    with listening() as defects:
        told, played = _BY_KIND.get(kind, _nothing)(report, [] if left_out is None else left_out)
        found = list(told)
    return [*found, *map(_of_ours, defects)], played


def _of_ours(defect: Defect) -> Diagnostic:
    """A fault of the program's own, at the line that it was at work on."""
    where = defect.origin
    place = (
        Place(where.file, where.line, 1, where.line, len(where.text) + 1, where.text)
        if where
        else Place(defect.text.name, 1, 1, 1, 1)
    )
    return Diagnostic(
        "compiler-fault",
        f"{defect}, so that the reference plays",
        place,
        "nothing is wrong with the text; please report it with this message",
    )


def _nothing(_: Report[Any], __: list[str]) -> Tried:
    return (), None


def _of_rules(report: Report[Game], left_out: list[str]) -> Tried:
    assert report.game is not None
    looked = looked_at(report.game)
    if errors(looked.found):
        return looked.found, None
    left_out += [looked.left_out] if looked.left_out else []
    steps = max(0, CLAIM_STEPS - looked.spent)
    found = [*looked.found, *failing(report.game, steps=steps)]
    if looked.spent > LOOKING_STEPS:
        left_out.append("whether it is compiled")
        return found, None
    return found, playing_backend(report.game)


def _of_evaluator(report: Report[Evaluator], _: list[str]) -> Tried:
    assert report.game is not None
    from rulewright.checks.properties_of_evaluators import failing_examples

    return failing_examples(report.game, report.loaded()), None


def _of_patterns(report: Report[Patterns], _: list[str]) -> Tried:
    assert report.game is not None
    assert report.source is not None
    from rulewright.checks.properties_of_players import failing_patterns

    return failing_patterns(report.game, report.loaded(), report.source), None


_BY_KIND: dict[str, Callable[[Report[Any], list[str]], Tried]] = {
    "rules": _of_rules, "evaluator": _of_evaluator, "patterns": _of_patterns,
}  # fmt: skip
