"""Lists of positions with scores, one a line: moves without blanks, and the score behind them.

In: lines such as `2252576253462244111563365343671351441 -1`.  Out: games of these moves, with the
score as a note.  A score is how many moves before the last possible one the winner wins, seen by
whoever is to move; 0 is a draw.  From where it is counted says the table `[scored]` of `GAME.toml`.
Refuses lines of another form and moves that are not legal, at their places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from rulewright.games.engine.game import State
from rulewright.language.source import Span
from rulewright.matches.protocols.format_settings import bundled_with, formats
from rulewright.matches.protocols.move_list import state_after_joined
from rulewright.matches.protocols.recorded import (
    Recorded,
    RecordReading,
    UnreadGame,
    readings,
)

FIRST = re.compile(r"\d{4,}\s+-?\d{1,2}")
"""Matches the first line."""
_LINE = re.compile(r"\s*(\d+)\s+(-?\d{1,4})\s*")
_RESULT = re.compile(r"(win|loss) in (\d+)")
SCORE = "score"
"""The note that holds a score."""


def parts(
    lines: Iterable[bytes], name: str, source: str = "", options: Mapping[str, object] | None = None
) -> Iterator[UnreadGame]:
    """The positions of a file called *name*, none of them read yet; `#` begins a comment."""
    for reading in readings(lines, name):
        yield UnreadGame(partial(_read, reading, source, options or {}))


def _read(reading: RecordReading, source: str, options: Mapping[str, object]) -> Recorded:
    text = reading.source.text
    match = _LINE.fullmatch(text)
    if match is None:
        message = "a line has moves without blanks, and a score: `4435217 2`"
        reading.fail("bad-record", Span(0, max(len(text.rstrip()), 1)), message)
    source = source or bundled_with("scored")[0]
    game = reading.load(source, options, Span(0, 1))
    if formats(game).scored is None:
        message = f"{game.name} has no lists with scores: {game.name}.toml has no [scored]"
        reading.fail("bad-record", Span(0, 1), message)
    state = state_after_joined(game.start(), match[1])
    if state is None:
        message = f"`{match[1]}` are no moves of {game.name} one after the other"
        reading.fail("illegal-move", Span(match.start(1), match.end(1)), message)
    return Recorded(source, state, notes={SCORE: (match[2],)})


def score_of(state: State, result: str, value: float | None) -> int | None:
    """The score of a position whose search ended with a result (`win in 5`) or a value.

    None where the end was not seen; a value of 0 stands for a draw.
    """
    style, match = formats(state.game).scored, _RESULT.fullmatch(result)
    if style is None or match is None:
        return 0 if not result and value == 0 else None
    last = len(state.decisions()) + int(match[2])
    return (style.end - (last + 1) // 2) * (1 if match[1] == "win" else -1)
