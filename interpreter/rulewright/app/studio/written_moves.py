"""Moves as people write them: what searches say, in the notation of chess and its relatives.

In: a state, and an answer about it that names decisions by their texts.  Out: the same answer, with
each move as people write it.  A game without such a notation keeps its texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from attrs import evolve, frozen

from rulewright.app.studio.answers import Analysis, Candidate, Explained, JudgedNode
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.san import San


@frozen
class WrittenMoves:
    """Writes moves of a game; empty texts where *san* is None."""

    san: San | None = None

    @classmethod
    def of(cls, game: Game) -> WrittenMoves:
        """The standard notation of a game whose table says how its moves are written."""
        with suppress(RulewrightError):
            style = formats(game).pgn
            return cls(San(game, style) if style and style.plain else None)
        return cls()

    def move(self, before: State, after: State) -> str:
        """The decision that leads from one state to another."""
        return self.san.write(before, after) if self.san else ""

    def line(self, state: State, texts: Sequence[str]) -> tuple[str, ...]:
        """The decisions of a line; from one that cannot be played on, their own texts."""
        shown = list[str]()
        with suppress(RulewrightError):
            for text in texts if self.san else ():
                after = state.play_decision(text)
                shown.append(self.move(state, after))
                state = after
        return (*shown, *texts[len(shown) :])

    def text(self, state: State, decision: str) -> str:
        """A decision of a state as people write it; its own text where the game has no notation."""
        return self.line(state, (decision,))[0]

    def analysis(self, state: State, analysis: Analysis) -> Analysis:
        """The best moves as people write them, and the line that is expected."""
        if self.san is None:
            return analysis
        candidates = tuple(self._candidate(state, c) for c in analysis.candidates)
        return evolve(analysis, line=self.line(state, analysis.line), candidates=candidates)

    def _candidate(self, state: State, candidate: Candidate) -> Candidate:
        return evolve(candidate, shown=self.text(state, candidate.move))

    def explained(self, state: State, explained: Explained) -> Explained:
        """An explanation, with the line of each decision as people write it."""
        if self.san is None:
            return explained
        moves = explained.explanation["moves"]
        lines = {m["move"]: self.line(state, m["line"] or (m["move"],)) for m in moves}
        return evolve(explained, lines=lines)

    def judged(self, states: dict[int, State], entry: JudgedNode) -> JudgedNode:
        """A judged move, with what was better and what refutes it; *states* by their nodes."""
        after = states[entry.node]
        if self.san is None or not entry.best or after.before is None:
            return entry
        better = self.text(after.before, entry.best)
        return evolve(entry, shown=better, refutation=self.line(after, entry.refutation))
