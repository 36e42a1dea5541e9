"""Moves as people write them: what searches say, in the notation of chess and its relatives.

In: a state, and an answer about it that names decisions by their texts.  Out: the same answer, with
each move as people write it.  A game without such a notation keeps its texts.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.app.studio.answers import Analysis, Candidate, Explained, JudgedNode
from rulewright.games.engine.game import State
from rulewright.matches.protocols.san import WrittenMoves


class WrittenAnswers(WrittenMoves):
    """Writes the moves of answers to a page."""

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
