"""Answers of UCI and its dialects that need no player: counts, proven ends, errors.

In: a state, arguments of a command, what writes moves.  Out: lines.  `ReportSoFar` is what was said
before an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.games.engine.game import State
from rulewright.matches.protocols import serving
from rulewright.search.results import SearchResult, Solved

Write = Callable[[str], str]
_DEEPEST_PERFT = 20
"""Moves in a sequence that `go perft` counts."""
LONGEST = 10**12
"""The longest time that is accepted, in milliseconds."""


@define
class ReportSoFar:
    """What was said of a decision before it is answered."""

    started: float = field(factory=time.perf_counter)
    depth: int = 0
    last: SearchResult | None = None
    best: str = ""
    """The first move of the last best line that was sent."""
    current: str = ""

    @property
    def seconds(self) -> float:
        """Seconds since the decision was asked for."""
        return time.perf_counter() - self.started


def perft_lines(state: State, words: list[str], write: Write) -> str:
    """Count the sequences of moves behind each move, and all of them; raises `RulewrightError`."""
    depth = serving.whole_number(words[0] if words else "", "`perft`", 1, _DEEPEST_PERFT)
    counts = dict[str, int]()
    for move in [] if state.over else state.moves.texts:
        counts[move] = state.play_decision(move).perft(depth - 1)
    lines = [f"{write(move)}: {count}\n" for move, count in counts.items()]
    return "".join([*lines, f"\nNodes searched: {sum(counts.values())}\n"])


def mate_seconds(words: list[str]) -> float | None:
    """The time behind `mate`, in seconds; None where it is endless.  Raises `RulewrightError`."""
    text = "".join(words[words.index("mate") + 1 :][:1])
    if text in ("", "infinite"):
        return None
    return serving.whole_number(text, "`mate`", 1, LONGEST) / 1000


def mate_line(solved: Solved | None, write: Write) -> str:
    """The answer of USI to `go mate`: a line of play that wins, no such win, or no answer yet."""
    if solved is not None and solved.value == "win" and solved.pv:
        return f"checkmate {' '.join(map(write, solved.pv))}\n"
    return "checkmate timeout\n" if solved is None or solved.most == "win" else "checkmate nomate\n"


def error_text(error: Exception) -> str:
    """The message of an error in one line; errors of other classes are faults of this program."""
    if isinstance(error, RulewrightError):
        return serving.one_line(error)
    return f"a fault of this program: {type(error).__name__} {' '.join(str(error).split())[:200]}"
