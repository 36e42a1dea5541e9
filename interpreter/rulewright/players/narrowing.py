"""The root of a narrowed search by machine code.

In: a state, its engine, and the patterns of a personality.  Out: the kernels that narrow positions,
and the decisions of this one; the same as `considered.py` says, without the reference.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.codegen import layout as p
from rulewright.codegen.engine import Engine
from rulewright.engine.game import State
from rulewright.model.personality import Consider
from rulewright.search.candidates import Candidates, candidates
from rulewright.search.root import Root
from rulewright.search.workspace import Workspace


def narrowed_root(state: State, engine: Engine, consider: Consider) -> tuple[Candidates, list[str]]:
    """What narrows the positions of a search, and the decisions that are searched here."""
    found = candidates(engine, consider.patterns, consider.most)
    return found, _Look(state, engine, found).root()


class _Look:
    """A look at the decisions of one position and those that follow it."""

    def __init__(self, state: State, engine: Engine, found: Candidates) -> None:
        self.engine, self.position = engine, state.situation.position
        self.space = Workspace(engine, 0, candidates=found)
        rows = Root(state, engine).place(self.space)
        self.texts = dict(zip(rows, state.moves.texts, strict=True))
        self.person = self.position.mover ^ self.position.swapped

    def root(self) -> list[str]:
        """The decisions that are searched, in the order of the game."""
        wins = self._winning(self.person)
        if wins:
            return [self.texts[row] for row in wins]
        kept = self._kept()
        if not self._threatened():
            return kept
        sound = self._safe()
        return [text for text in kept if text in sound] or sound or kept

    def _words_after(self) -> list[list[int]]:
        return [self.space.after(row) for row in range(self.space.rows)]

    def _winning(self, who: int) -> list[int]:
        """The rows that win at once for a person."""
        return [n for n, words in enumerate(self._words_after()) if _won(words, who)]

    def _kept(self) -> list[str]:
        """The decisions that patterns leave; all where none fires."""
        whole = self.space.rows
        rows = {row: number for number, row in enumerate(self.space.written(0, whole))}
        end = self.space.kernels["narrow"](*self.space.game, 0, whole)
        kept = [rows[row] for row in self.space.written(0, end)]
        self.space.place(self.position)
        return [self.texts[number] for number in sorted(kept) if number in self.texts]

    def _threatened(self) -> bool:
        """Whether the other colour would win at once, if it were its turn."""
        course = self.engine.play.rules.course
        passed = evolve(self.position, mover=1 - self.position.mover, rest=course, fresh=True)
        self.space.place(passed)
        wins = self._winning(passed.mover ^ passed.swapped)
        self.space.place(self.position)
        return bool(wins)

    def _safe(self) -> list[str]:
        """The decisions after which the other person cannot win at once; his last win first."""
        found, last = [], 0
        after = self._words_after()
        for row, text in self.texts.items():
            running = after[row][p.RESULT] == p.RUNNING
            win = self._reply(after[row], last) if running else -1
            last = max(win, 0)
            if win < 0:
                found.append(text)
        self.space.place(self.position)
        return found

    def _reply(self, words: list[int], first: int) -> int:
        """A reply that wins at once, tried from row *first* on; -1 if there is none."""
        who = words[p.MOVER] ^ words[p.SWAPPED]
        count = self.space.put(words)
        order = [first, *range(first), *range(first + 1, count)] if first < count else range(count)
        return next((n for n in order if _won(self.space.after(n), who)), -1)


def _won(words: list[int], who: int) -> bool:
    result = words[p.RESULT]
    return result not in (p.RUNNING, p.DRAWN) and result ^ words[p.SWAPPED] == who
