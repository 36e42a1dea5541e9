"""Random rules files on all executions: what each does, and the smallest text that still does it.

In: the text of a rules file.  Out: a `Verdict`; a finding is one that names what went wrong.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr
from io import StringIO

from attrs import frozen
from hypothesis import HealthCheck, Phase, given, seed, settings

from rulewright.compiler.defects import DEFECTS, Defect
from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import Unsupported
from rulewright.errors import Fault
from rulewright.games.engine.game import Game
from rulewright.games.files.games import check, loads
from rulewright.games.files.kinds import Report
from rulewright.language.reprint import formatted
from tests.generators import rule_files
from tests.tools.agreement.pair import Counts, DisagreementError, Pair
from tests.tools.agreement.states import walk

AGREES, REFUSED, FALLS_BACK, FAULTY = "agrees", "refused", "falls back", "cannot begin"
TOO_SLOW = "too slow for the reference"
BATCH = 100
"""Files of one run of Hypothesis, which varies what it has found: other seeds bring other files."""


@frozen
class Verdict:
    """What became of a file; `why` is the reason of a refusal or a fall back."""

    what: str
    why: str = ""
    trace: str = ""

    @property
    def finding(self) -> bool:
        """Whether something is wrong."""
        return self.what not in (AGREES, REFUSED, FALLS_BACK, FAULTY, TOO_SLOW)


def texts(files: int, first_seed: int, **kind: bool) -> Iterator[str]:
    """So many random rules files, all different, of a *kind* as `rule_files` knows them."""
    known: set[str] = set()
    for number in range(files):
        for text in _batch(first_seed * 1_000_003 + number, kind):
            if text not in known:
                known.add(text)
                yield text
            if len(known) == files:
                return


def _batch(number: int, kind: Mapping[str, bool]) -> list[str]:
    found: list[str] = []

    @seed(number)
    @settings(
        max_examples=BATCH, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(rule_files(**kind))
    def note(text: str) -> None:
        found.append(text)

    note()
    return found


def verdict(text: str, backend: str, games: int, most: int, counts: Counts) -> Verdict:
    """Check a file, and play it on the reference and on kernels."""
    try:
        return _verdict(text, backend, games, most, counts)
    except Defect as defect:
        return Verdict(f"{defect}: {defect.error}"[:70], trace=traceback.format_exc())
    except Unsupported as reason:
        return Verdict(FALLS_BACK, str(reason))
    except DisagreementError as error:
        return Verdict(str(error).splitlines()[0], trace=str(error))
    except Exception as error:  # whatever it is, it is a finding
        return Verdict(f"{type(error).__name__}: {error}"[:70], trace=traceback.format_exc())


def _verdict(text: str, backend: str, games: int, most: int, counts: Counts) -> Verdict:
    report = check(text)
    if report.game is None:
        return Verdict(REFUSED, refusal(report))
    play = report.game.play
    try:
        play.start()
    except Fault as fault:
        return Verdict(FAULTY, fault.code)
    pair = Pair(play, Engine(play, backend, use_cache=False), counts)
    for number in range(games):
        pair.game(number, most)
        pair.sampled(number, most)
    pair.perft(2)
    written(report.game, backend, most)
    return Verdict(AGREES)


def written(game: Game, backend: str, most: int) -> None:
    """Compare a game by states, which says how decisions are written as well."""
    DEFECTS.clear()
    with redirect_stderr(StringIO()):  # what went wrong in writing is told there
        walk(game, 1, most, {"native": "llvm"}.get(backend, backend))
    if DEFECTS:
        raise DEFECTS[0]


def refusal(report: Report[Game]) -> str:
    """The code of the first error of a refused file; every error has a place in the text."""
    errors = [d for d in report.diagnostics if d.severity == "error"]
    assert errors, "refused without an error"
    for error in errors:
        assert error.render().startswith("<text>:"), f"no place: {error.render()}"
    return errors[0].code


def round_trip(text: str) -> None:
    """The text is in the one layout already, and a text laid out otherwise is the same game."""
    if formatted(text) != text:
        raise DisagreementError(f"layout changes\n{formatted(text)}")
    other = text.replace(" = ", "=").replace(", ", " ,").replace("  ", "      ")
    again = formatted(other)
    if again != text or loads(again).rules != loads(text).rules:
        raise DisagreementError(f"a text that is laid out otherwise is read otherwise\n{again}")


def smallest(text: str, same: Callable[[str], bool]) -> str:
    """*text* without the lines, and the blocks of lines, that *same* does not need."""
    lines, before = text.split("\n"), list[str]()
    while lines != before:
        before, at = lines, 0
        while at < len(lines):
            shorter = next((s for s in _shorter(lines, at) if same("\n".join(s))), None)
            lines, at = (lines, at + 1) if shorter is None else (shorter, at)
    return "\n".join(lines)


def _shorter(lines: list[str], at: int) -> Iterator[list[str]]:
    """*lines* without the block that begins at *at*, and without that line alone."""
    after = range(at + 1, len(lines))
    end = next((n for n in after if not lines[n].startswith("  ")), len(lines))
    for stop in (end, at + 1):
        yield lines[:at] + lines[stop:]
