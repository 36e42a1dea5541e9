"""Replaying the games that `rulewright test` has kept."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from rulewright.checks import cases
from rulewright.checks.cases import CasesError
from rulewright.checks.replay import Replayed, game_of, replayed
from rulewright.errors import RulewrightError
from rulewright.model.properties import RULES


def replay_cases(path: Path, arguments: Namespace) -> tuple[int, dict[str, object], str]:
    """Each case (or one) with what it shows now; 1 when one is broken or cannot be played."""
    known = cases.read(path)
    numbered = list(enumerate(known.cases, 1))
    if arguments.case is not None:
        numbered = [one for one in numbered if one[0] == arguments.case]
        if not numbered:
            raise RulewrightError(f"{path} has {len(known.cases)} cases, and no {arguments.case}")
    shown, lost = list[tuple[int, Replayed]](), list[str]()
    for number, case in numbered:
        try:
            shown.append((number, replayed(case, game_of(path, known.game, case))))
        except CasesError as error:
            lost.append(str(error))
    texts = [*(_text(path, number, one) for number, one in shown), *lost]
    broken = sum(one.finding is not None for _, one in shown)
    stopped = len(lost) + sum(not one.whole for _, one in shown)
    told = f"{len(numbered)} cases, {broken} of them still broken"
    texts.append(told + (f", {stopped} cannot be played any more" if stopped else ""))
    data: dict[str, object] = {
        "file": str(path),
        "game": known.game,
        "cases": [{"case": number, **one.as_data()} for number, one in shown],
        "lost": lost,
    }
    return int(broken + stopped > 0), data, "\n\n".join(texts)


def _text(path: Path, number: int, one: Replayed) -> str:
    head = f"{path}:{one.case.line}: case {number}, "
    if one.finding is not None:
        return head + one.finding.render(RULES[one.case.property])
    told = (
        "holds now" if one.whole else f"cannot be played to its end: `{one.stopped}` is not legal"
    )
    return f"{head}{one.case.property}: {told}"
