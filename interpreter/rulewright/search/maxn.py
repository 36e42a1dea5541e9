"""Looking ahead by an evaluator where more than two play: max^n, and the paranoid search.

In: a state, a scorer, a depth, limits.  Out: a score for each decision, with the line that is
expected.  What a position is worth to a player is what the evaluator says with that player to move.
By max^n (Luckhardt and Irani 1986) everybody takes what is best for themselves; the paranoid search
(Sturtevant and Korf 2000) takes all others for allies against whoever decides at the root, so that
alpha-beta applies.  Looking stops where chance decides.  Patterns may narrow what is looked at.
Machine code plays and judges where it can, else the reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from attrs import define, evolve, field, frozen

from rulewright.compiler import layout as p
from rulewright.compiler.runtime import bits_float
from rulewright.compiler.seats import outcome_of
from rulewright.errors import Fault
from rulewright.games.engine.game import State
from rulewright.model.expressions import Type
from rulewright.reference.play import Outcome, Situation
from rulewright.search.candidates import Considered
from rulewright.search.reference_search import OutOfTime, Scorer, SearchBudget
from rulewright.search.results import FAR, UNCERTAIN, Line, Lines, Number, Score, tell
from rulewright.search.several import worths_of
from rulewright.search.thread_arrays import ThreadArrays


@frozen
class Children:
    """Positions after decisions, each with the decision's number among all of *count*."""

    count: int
    numbered: Sequence[tuple[int, JudgedPosition]]

    @property
    def narrowed(self) -> bool:
        """Whether decisions were left out."""
        return len(self.numbered) < self.count


class JudgedPosition(Protocol):
    """A position of the game as a search sees it."""

    @property
    def mover(self) -> int:
        """Whoever decides."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended."""

    @property
    def by_chance(self) -> bool:
        """Whether chance decides."""

    def children(self, only: Sequence[int] | None = None) -> Children:
        """The positions after decisions: those given by number, or those worth a look."""

    def parts(self, player: int) -> tuple[Number, ...]:
        """What the position is worth to a player."""


@frozen
class JudgedByReference:
    """A position that the reference plays and judges."""

    situation: Situation
    scorer: Scorer
    considered: Considered | None = None
    """What narrows its decisions."""

    @property
    def mover(self) -> int:
        """Whoever decides."""
        return self.situation.position.mover

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended."""
        return self.situation.outcome

    @property
    def by_chance(self) -> bool:
        """Whether chance decides."""
        return self.situation.by_chance

    def children(self, only: Sequence[int] | None = None) -> Children:
        """The positions after decisions: those given by number, or those worth a look."""
        options = self.situation.options
        numbers = self._worth_a_look() if only is None else only
        after = (evolve(self, situation=self.situation.after(options[n])) for n in numbers)
        return Children(len(options), tuple(zip(numbers, after, strict=True)))

    def _worth_a_look(self) -> Sequence[int]:
        options = self.situation.options
        if self.considered is None:
            return range(len(options))
        texts = {option.text for option in self.considered.options(self.situation)}
        return [number for number, option in enumerate(options) if option.text in texts]

    def parts(self, player: int) -> tuple[Number, ...]:
        """What the position is worth to a player: as if that one were to move."""
        s, position = self.scorer, evolve(self.situation.position, mover=player)
        return s.judge.of_position(s.value, position, s.factors, s.random)


@define(eq=False)
class JudgingArrays:
    """The arrays in which machine code plays and judges, for one value of an evaluator."""

    arrays: ThreadArrays
    types: tuple[Type, ...]
    narrowing: ThreadArrays | None = None
    """The arrays in which patterns narrow decisions, where some do."""
    sees_stuck: bool = field(init=False)
    """Whether a game may end where nobody can decide."""
    _parts: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sees_stuck = any(end.stuck for end in self.arrays.engine.play.rules.ends)
        self._parts = self.arrays.ints(len(self.types))

    def children(self, words: Sequence[int], only: Sequence[int] | None) -> Children:
        """The positions after decisions of one."""
        count = self.arrays.put(words)
        if count == 0:
            raise Fault("stuck", "nobody can decide here")  # the reference says who, and where
        numbers = self._worth_a_look(words, count) if only is None else only
        after = (JudgedByKernels(self, tuple(self.arrays.after(row))) for row in numbers)
        return Children(count, tuple(zip(numbers, after, strict=True)))

    def _worth_a_look(self, words: Sequence[int], count: int) -> Sequence[int]:
        """The decisions that patterns leave, by number: their rows are a part of all, in order."""
        arrays = self.narrowing
        if arrays is None:
            return range(count)
        game, kernels = arrays.game, arrays.kernels
        arrays.put(words)
        end = kernels["narrow"](*game, count, kernels["decisions"](*game, count))
        rows = enumerate(arrays.decision_words(0, count))
        left = arrays.decision_words(count, end)
        return [next(number for number, row in rows if row == other) for other in left]

    def result(self, words: Sequence[int]) -> int:
        """The result as kernels write it."""
        arrays, result = self.arrays, words[p.RESULT]
        if result == p.RUNNING and self.sees_stuck and arrays.put(words) == 0:
            return int(arrays.kernels["stuck"](*arrays.game))
        return result

    def parts(self, words: Sequence[int], player: int) -> tuple[Number, ...]:
        """What a position is worth to a player."""
        arrays = self.arrays
        arrays.write(words)
        arrays.game[0][p.MOVER] = player
        arrays.kernels["parts"](*arrays.game, arrays.arrays[6], self._parts, 0)
        arrays.check(arrays.game[0][p.FAULT])
        numbers = zip(self.types, self._parts, strict=False)
        return tuple(bits_float(n) if type_ is Type.REAL else int(n) for type_, n in numbers)


@frozen
class JudgedByKernels:
    """A position in words of machine code, of a game without chance."""

    board: JudgingArrays
    words: tuple[int, ...]

    @property
    def mover(self) -> int:
        """Whoever decides."""
        return self.words[p.MOVER]

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended."""
        result, rules = self.board.result(self.words), self.board.arrays.engine.play.rules
        return None if result == p.RUNNING else outcome_of(result, 0, len(rules.players))

    @property
    def by_chance(self) -> bool:
        """Chance decides nothing here."""
        return False

    def children(self, only: Sequence[int] | None = None) -> Children:
        """The positions after decisions: those given by number, or those worth a look."""
        return self.board.children(self.words, only)

    def parts(self, player: int) -> tuple[Number, ...]:
        """What the position is worth to a player."""
        return self.board.parts(self.words, player)


@define
class JudgedLeaf:
    """A position where looking stops, with the numbers of the decisions behind the first one."""

    position: JudgedPosition
    outcome: Outcome | None
    players: int
    line: tuple[int, ...]
    sure: bool = True
    """Whether its outcome is certain: it is not where all considered decisions lose."""
    _scores: dict[int, Score] = field(factory=dict)

    def score(self, player: int) -> Score:
        """What it is worth to a player: a first place soon, the evaluator's value, the last late.

        Places between the first and the last count as a value of nothing.
        """
        if player not in self._scores:
            self._scores[player] = self._score(player)
        return self._scores[player]

    def _score(self, player: int) -> Score:
        if self.outcome is None:
            return (0, *self.position.parts(player))
        worth = worths_of(self.outcome, self.players)[player]
        if not self.sure:
            return (0, UNCERTAIN * worth)
        return (round(worth) * (FAR - 1 - len(self.line)) if abs(worth) == 1 else 0, 0)


LOWEST, HIGHEST = (-2 * FAR,), (2 * FAR,)
"""Below and above all scores."""


@define
class SeveralValues:
    """Looks so many decisions ahead, by max^n or *paranoid*."""

    root: JudgedPosition
    clock: SearchBudget
    players: int
    paranoid: bool = False
    whole: bool = False
    """Whether the lines of all decisions are written out, and not that of the best alone."""
    only: frozenset[str] | None = None
    """The decisions that are looked at, all if None."""

    def run(self, state: State, depth: int) -> Lines:
        """Deepen until the depth or a limit is reached; the scores of the last whole depth."""
        texts, children = self._children(state.moves.texts)
        leaves, reached = dict[str, JudgedLeaf](), 0
        for level in range(1, depth + 1):
            deeper = self._deepened(texts, children, level)
            if len(deeper) < len(texts) and leaves:
                break
            leaves, reached = deeper, level
            if len(deeper) < len(texts):
                break
        tell(self.clock.nodes, reached)
        return self._lines(state, leaves, reached)

    def _children(self, texts: Sequence[str]) -> tuple[list[str], list[JudgedPosition]]:
        """The decisions that are looked at, and the positions after them."""
        only = self.only
        numbers = [n for n, text in enumerate(texts) if only is None or text in only]
        numbered = self.root.children(numbers).numbered
        return [texts[number] for number in numbers], [child for _, child in numbered]

    def _deepened(
        self, texts: Sequence[str], children: Sequence[JudgedPosition], depth: int
    ) -> dict[str, JudgedLeaf]:
        """What each decision leads to, as far as there is time."""
        leaves = dict[str, JudgedLeaf]()
        try:
            for text, child in zip(texts, children, strict=True):
                if self.paranoid:
                    leaves[text] = self._against_all(child, depth - 1, (), LOWEST, HIGHEST)
                else:
                    leaves[text] = self._each_for_themselves(child, depth - 1, ())
        except OutOfTime:
            pass
        return leaves

    def _lines(self, state: State, leaves: Mapping[str, JudgedLeaf], depth: int) -> Lines:
        """The lines of all decisions, as far as they are written out."""
        me = self.root.mover
        lines: Lines = dict.fromkeys(state.moves.texts)
        scores = {text: leaf.score(me) for text, leaf in leaves.items()}
        best = max(scores, key=lambda text: scores[text], default=None)
        for text, leaf in leaves.items():
            if self.whole or text == best:
                end = state_behind(state, text, leaf.line)
                moves = tuple(end.decisions()[len(state.decisions()) :])
                lines[text] = Line(scores[text], moves, end.situation, depth)
            else:  # what one decision leads to is no search that might go on
                lines[text] = Line(scores[text], (text,), None, depth if depth > 1 else 0)
        return lines

    def _leaf(
        self, position: JudgedPosition, depth: int, line: tuple[int, ...]
    ) -> JudgedLeaf | None:
        """The leaf that a position is, None where there is more to look at."""
        self.clock.spend()
        outcome = position.outcome
        if outcome is None and depth > 0 and not position.by_chance:
            return None
        return JudgedLeaf(position, outcome, self.players, line)

    def _each_for_themselves(
        self, position: JudgedPosition, depth: int, line: tuple[int, ...]
    ) -> JudgedLeaf:
        """Where play leads if everybody takes what is best for themselves."""
        if (leaf := self._leaf(position, depth, line)) is not None:
            return leaf
        mover, best, children = position.mover, None, position.children()
        for number, child in children.numbered:
            after = self._each_for_themselves(child, depth - 1, (*line, number))
            if best is None or after.score(mover) > best.score(mover):
                best = after
        assert best is not None
        return _doubted(best, mover) if children.narrowed else best

    def _against_all(
        self, position: JudgedPosition, depth: int, line: tuple[int, ...], low: Score, high: Score
    ) -> JudgedLeaf:
        """Where play leads if all others want what is worst for who decides at the root."""
        if (leaf := self._leaf(position, depth, line)) is not None:
            return leaf
        me, best, children = self.root.mover, None, position.children()
        sign = position.mover == me
        for number, child in children.numbered:
            after = self._against_all(child, depth - 1, (*line, number), low, high)
            score = after.score(me)
            if best is None or (score > best.score(me) if sign else score < best.score(me)):
                best = after
            low, high = (max(low, score), high) if sign else (low, min(high, score))
            if low >= high:
                break
        assert best is not None
        return _doubted(best, position.mover) if children.narrowed else best


def _doubted(leaf: JudgedLeaf, mover: int) -> JudgedLeaf:
    """What is best of some decisions: where it is a loss, one that was left out may hold."""
    return evolve(leaf, sure=False) if leaf.score(mover)[0] < 0 else leaf


def state_behind(state: State, first: str, numbers: Sequence[int]) -> State:
    """The state after a decision, and those behind it, given by their numbers."""
    after = state.play_decision(first)
    for number in numbers:
        after = after.play_decision(after.moves.texts[number])
    return after
