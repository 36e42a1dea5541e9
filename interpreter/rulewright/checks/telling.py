"""A report on faults as people read it: each survivor with its game and the claim to add.

In: a file under trial and what became of its faults.  Out: lines of text.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checks.mutants import MutationSubject
from rulewright.checks.mutate import Mutant, MutationReport


def told_report(trial: MutationSubject, report: MutationReport) -> Iterator[str]:
    """The lines of a report."""
    told: set[str] = set()
    for mutant in report.survivors:
        yield from (*_survivor(trial, mutant, told), "")
    if report.alike:
        yield "no game tells these from the file:"
        for mutant in report.alike:
            looked = mutant.survivor.looked if mutant.survivor else ""
            yield f"  {_head(trial, mutant)} ({looked})"
        yield ""
    yield _score(trial, report)


def _head(trial: MutationSubject, mutant: Mutant) -> str:
    old, new = (" ".join(t.split()) for t in (mutant.old, mutant.mutation.new))
    change = f"`{old}` as `{new}`" if new else f"without `{old}`"
    return f"{trial.name}:{mutant.line}:{mutant.column}: {mutant.mutation.what}: {change}"


def _survivor(trial: MutationSubject, mutant: Mutant, told: set[str]) -> list[str]:
    """What nothing found, the game that shows it, and the claim that would catch it."""
    known = mutant.survivor
    assert known is not None
    lines = [_head(trial, mutant)]
    if known.claim in told:
        return [*lines, f"  caught too by: {known.claim}"]
    moves = " ".join(known.moves or ()) or "(the first position)"
    options = f" with {known.settings}" if known.settings else ""
    lines.append(f"  plays otherwise{options} after: {moves}")
    if known.first or known.second:
        lines.append(f"    the file: {known.first}; changed so: {known.second}")
    if known.claim:
        told.add(known.claim)
        lines.append(f"  add: {known.claim}")
    return lines


def _score(trial: MutationSubject, report: MutationReport) -> str:
    whole = report.found + len(report.survivors)
    parts = [f"{report.found} of {whole} found ({report.score:.0%})"]
    parts += [f"{len(report.alike)} play alike"] if report.alike else []
    parts += [f"{report.late} took too long"] if report.late else []
    parts += [f"{report.untried} not tried"] if report.untried else []
    return f"{trial.name}: {'; '.join(parts)}"
