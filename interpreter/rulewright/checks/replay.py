"""Kept games played again: whether they still show what they showed.

In: a case and its game.  Out: the finding, or that there is none any more.
"""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from rulewright.checks.battery import finding
from rulewright.checks.cases import Case, CasesError
from rulewright.checks.facts import FACTS
from rulewright.checks.findings import Finding
from rulewright.checks.ground import Ground
from rulewright.checks.probes import PROBES, complaint_of
from rulewright.engine.game import Game
from rulewright.errors import Fault, OptionError, RulewrightError
from rulewright.files.games import bundled, load_with
from rulewright.language.diagnostics import TextError


@frozen
class Replayed:
    """A case with what it shows now; `stopped` is its first decision that is no longer legal."""

    case: Case
    finding: Finding | None
    stopped: str = ""

    @property
    def whole(self) -> bool:
        """Whether all of its decisions are still legal."""
        return not self.stopped

    def as_data(self) -> dict[str, object]:
        """The result as plain data."""
        return {
            "property": self.case.property,
            "options": self.case.options,
            "moves": list(self.case.moves),
            "broken": self.finding is not None,
            "stopped": self.stopped or None,
            "finding": self.finding.as_data() if self.finding else None,
        }


def replayed(case: Case, game: Game) -> Replayed:
    """Play the decisions of a case and try its property at the end of them."""
    ground, state, stopped = Ground(game), game.start(), ""
    for text in case.moves:
        try:
            following = ground.after(state, text)
        except Fault:
            following = None
        if following is None:
            stopped = text
            break
        state = following
    if case.property in PROBES and complaint_of(case.property, ground, state):
        return Replayed(case, finding(ground, case.property, state), stopped)
    if case.property == "ends" and not stopped and state.situation.outcome is None:
        message = f"the game goes on after {len(case.moves)} decisions"
        return Replayed(case, Finding(case.property, message, case.moves, state.board()))
    if case.property in FACTS:
        for wrong in FACTS[case.property](ground):
            if wrong.moves == case.moves:
                moves, board = wrong.moves, state.board()
                return Replayed(case, Finding(case.property, wrong.message, moves, board))
    return Replayed(case, None, stopped)


def game_of(path: Path, name: str, case: Case) -> Game:
    """The game beside a file of cases, or the bundled one, with the options of a case."""
    beside = path.with_suffix(".rules")
    if not beside.is_file() and name not in bundled():
        raise RulewrightError(f"there are no rules of {name} beside {path}")
    try:
        return load_with(beside if beside.is_file() else name, dict(case.options))
    except TextError as error:
        reason = error.diagnostics[0].message
    except OptionError as error:
        reason = str(error)
    raise CasesError(f"{path}:{case.line}: the game of this case cannot be loaded: {reason}")
