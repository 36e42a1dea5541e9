"""Decisions taken apart: what a value is made of, at the end of the line that is expected.

In: a personality, a state, a decision with its line.  Out: the value's parts, what each summand of
its formula adds, what each factor does.  Terms name the player that they are for: at the end of a
line whose turn it is has changed, and an `enemy` would be anybody.

A search by machine code knows only the values of decisions.  So a line is found again: at every
step the first of the best decisions, as each is found by a search of what is left of the depth.  A
line whose end is not worth its score (it was broken off by a limit) has no end.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random

from attrs import evolve, field, frozen

from rulewright.errors import Fault
from rulewright.games.engine.game import State
from rulewright.ground.records import fields_as_json
from rulewright.model.personality import Number
from rulewright.model.walk import draws
from rulewright.players.choose import best_of
from rulewright.players.machine import SearchResources, SearchTask, full_width, parts_at
from rulewright.players.personality import Personality
from rulewright.reference import evaluation
from rulewright.reference.evaluation import EvaluatorContext, MoveChoice, side
from rulewright.reference.position import Position
from rulewright.search.reference_search import Scorer
from rulewright.search.results import (
    FAR,
    MEBIBYTE,
    Limits,
    Line,
    Score,
    person,
    plain_value,
    told_result,
)

AHEAD = "look-ahead"
"""The term for what a beam expects to follow a decision."""


@frozen
class ExplainedMove:
    """A decision with its value; `terms` add up to it, unless chance or the game's end speak.

    `ends` is `win` or `loss` where the line reaches the end of the game, `distance` decisions on.
    Of a value of several parts all `parts` are told, and the `steps` of those that compare or add
    numbers along directions.
    """

    move: str
    value: Number
    terms: Mapping[str, Number]
    factors: Mapping[str, Number]
    line: tuple[str, ...]
    ends: str = ""
    distance: int | None = None
    parts: Mapping[str, Number] = field(factory=dict)
    steps: Mapping[str, Mapping[str, Number]] = field(factory=dict)

    def as_data(self) -> dict[str, object]:
        """The decision with the names of `explain --format json`."""
        fields = fields_as_json(self, "move value parts steps terms factors line ends? distance")
        rank = 0 if self.distance is None else FAR - self.distance
        result = told_result((rank if self.ends == "win" else -rank, self.value))
        return fields | {"value": plain_value(self.value)} | ({"result": result} if result else {})


@frozen
class _Leaf:
    """A position that is valued, or its decision in a *row* by what it chooses."""

    position: Position
    choice: MoveChoice | None = None
    row: int | None = None


def _by_kernels(
    personality: Personality,
    state: State,
    scorer: Scorer,
    leaf: _Leaf,
    factor_sets: Sequence[tuple[Number, ...]],
) -> list[Score | None]:
    """The parts of a value with each set of factors; None where the reference has to tell them."""
    if not personality.native:
        return [None] * len(factor_sets)
    task = SearchTask(scorer, Limits(), consider=personality.model.consider)
    return parts_at(state, task, (leaf.position, leaf.row), factor_sets)


@frozen
class Explainer:
    """Takes decisions of one state apart, by one value of a personality."""

    personality: Personality
    state: State
    name: str
    seed: int

    def explain(self, move: str, line: Line) -> ExplainedMove:
        """A decision with its value taken apart."""
        rank, number = line.score[0], line.score[1] if len(line.score) > 1 else 0
        if rank:
            ends, distance = ("win", FAR - rank) if rank > 0 else ("loss", rank + FAR)
            return ExplainedMove(move, number, {}, {}, line.moves, ends, int(distance))
        if self.personality.judge is None:
            return ExplainedMove(move, number, {}, {}, line.moves)
        parts = self._parts(line)
        if line.depth and line.leaf is None:  # a limit came before the line's end
            return ExplainedMove(move, number, {}, {}, line.moves, parts=parts)
        leaf = self._leaf(move, line)
        terms = self._terms(leaf)
        whole, factors = self._factors(leaf)
        if number != whole and self.personality.value(self.name).of_move:
            terms[AHEAD] = number - whole
        steps = self._steps(leaf)
        return ExplainedMove(move, number, terms, factors, line.moves, parts=parts, steps=steps)

    def _parts(self, line: Line) -> dict[str, Number]:
        """The parts of a value that has several."""
        texts = self.personality.value(self.name).texts
        return dict(zip(texts, line.score[1:], strict=False)) if len(texts) > 1 else {}

    def _leaf(self, move: str, line: Line) -> _Leaf:
        """Where a line's value comes from."""
        situation = self.state.situation
        judge = self.personality.judge
        assert judge is not None
        if not self.personality.value(self.name).of_move:
            position = (line.leaf or self.state.play_decision(move).situation).position
            if self.state.game.rules.has_several:  # as if who decides here were to move
                position = evolve(position, mover=self.state.position.mover)
            return _Leaf(position)
        row, option = next((i, o) for i, o in enumerate(situation.options) if o.text == move)
        return _Leaf(situation.position, judge.choices(situation.position, option), row)

    def _view(self, position: Position) -> int:
        return side(self.personality.value(self.name), position)

    def _sign(self, position: Position) -> int:
        player = person(self.state)
        return 1 if self._view(position) ^ position.swapped == player else -1

    def _context(self, leaf: _Leaf) -> EvaluatorContext:
        judge, factors = self.personality.judge, self.personality.model.factors
        assert judge is not None
        value, chance = self.personality.value(self.name), Random(self.seed)
        return judge.at(value, leaf.position, leaf.choice, factors, chance)

    def _terms(self, leaf: _Leaf) -> dict[str, Number]:
        value, sign = self.personality.value(self.name), self._sign(leaf.position)
        numbers: dict[str, Number] = {}
        view, players = self._view(leaf.position), self.state.game.players
        for text, number in evaluation.terms(value, self._context(leaf)):
            term = term_for(text, view, players, always=leaf.choice is None)
            numbers[term] = numbers.get(term, 0) + sign * number
        return numbers

    def _steps(self, leaf: _Leaf) -> dict[str, dict[str, Number]]:
        """What each direction gives to the parts of a value; the same list is told once."""
        value, sign = self.personality.value(self.name), self._sign(leaf.position)
        names = {step: name for name, step in self.state.game.rules.board.compass.items()}
        steps_of_parts = evaluation.steps(value, self._context(leaf))
        numbers_of_parts: dict[str, dict[str, Number]] = {}
        for text, steps in zip(value.texts, steps_of_parts, strict=False):
            numbers = {names.get(step, "line"): sign * number for step, number in steps}
            if len(numbers) == len(steps) > 1 and numbers not in numbers_of_parts.values():
                numbers_of_parts[text] = numbers
        return numbers_of_parts

    def _factors(self, leaf: _Leaf) -> tuple[Number, dict[str, Number]]:
        """The value, and the share of each factor: the value less that with the factor at 0."""
        own, without = self.personality.model.factors, dict(_without_each_factor(self.personality))
        scorer = self.personality.scorer(self.state, self.name, Random(self.seed))
        first, *rest = _by_kernels(
            self.personality, self.state, scorer, leaf, [own, *without.values()]
        )
        whole, effects = self._value(leaf, own, first), dict[str, Number]()
        for (name, factors), parts in zip(without.items(), rest, strict=True):
            with suppress(Fault):  # the formula has no value without this factor
                effects[name] = whole - self._value(leaf, factors, parts)
        return whole, effects

    def _value(self, leaf: _Leaf, factors: tuple[Number, ...], parts: Score | None) -> Number:
        """The value by its parts, which the reference tells where kernels have not."""
        judge, value = self.personality.judge, self.personality.value(self.name)
        assert judge is not None
        chance = Random(self.seed)
        parts = parts or judge.of_move(value, leaf.position, leaf.choice, factors, chance)
        return self._sign(leaf.position) * parts[0]


def _without_each_factor(personality: Personality) -> Iterator[tuple[str, tuple[Number, ...]]]:
    """For each factor that formulas look at and that is not 0: all factors, with it at 0."""
    values = personality.model.factors
    for index, (factor, value) in enumerate(personality.model.factor_values()):
        if value and not factor.for_search:
            yield factor.name, (*values[:index], 0, *values[index + 1 :])


def term_for(text: str, view: int, players: tuple[str, ...], *, always: bool = True) -> str:
    """The text of a summand, as player *view* sees it, with players by name.

    `pawns for enemy` is `pawns for black` when white looks; what says nothing of players is
    for *view*, which is added unless a choice of the player's own is meant (not *always*).
    """
    player, says_player = view, False
    while summand := re.fullmatch(r"(.*) for (\w+)", text):
        word = summand[2]
        if word != "enemy" and word not in players:
            break
        player, says_player = (1 - player if word == "enemy" else players.index(word)), True
        text = summand[1]
    other = players[1 - player] if len(players) == 2 else "enemy"
    inside = re.sub(r"\benemy\b", other, text)
    return f"{inside} for {players[player]}" if says_player or always else inside


# --- lines ---

_TIMES = 4
"""How many times as long as a decision the lines of all of them may take."""
_SMALL = SearchResources(4 * MEBIBYTE, quick=True)
"""For many short searches: a larger table would take longer to clear than to use."""


@frozen
class LineWriter:
    """The lines of one search; `until` is when to stop writing them (of `perf_counter`)."""

    personality: Personality
    state: State
    name: str
    scorer: Scorer
    turns: bool
    until: float | None

    @classmethod
    def of(cls, personality: Personality, state: State, name: str) -> LineWriter:
        """The lines of a personality's search; a timed one takes a few times as long for them."""
        model = personality.model
        depth, seconds = model.search.setting("depth"), model.number("time")
        until = None if seconds is None else time.perf_counter() + _TIMES * seconds
        turns = depth is not None and depth.unit == "turns"
        scorer = personality.scorer(state, name, Random(0))
        return cls(personality, state, name, scorer, turns, until)

    def whole(self, line: Line) -> Line:
        """The line to its end, where there is one."""
        if line.leaf is not None or not line.depth:
            return line
        if self.until is not None and len(line.moves) > 1:
            end = self._end_of_moves(line.moves)
            if end is not None and self._score(end, len(line.moves)) == line.score:
                return evolve(line, leaf=end.situation)
        for depth in (line.depth, line.depth + 1):  # the last iteration may have been broken off
            *_, end = self._states(line.moves[0], depth)
            if self._late() and not end.over:
                return line
            distance = len(end.decisions()) - len(self.state.decisions())
            if self._draws or self._score(end, distance) == line.score:
                moves = tuple(end.decisions()[-distance:])
                return evolve(line, moves=moves, leaf=end.situation)
        return line

    def _end_of_moves(self, moves: tuple[str, ...]) -> State | None:
        """The end of what a search says will follow, unless the game ends before that."""
        state = self.state
        for move in moves:
            if state.over:
                return None
            state = state.play_decision(move)
        return state

    @property
    def _draws(self) -> bool:
        """Whether values are drawn at random, so that no two are the same."""
        value, judge = self.scorer.value, self.personality.judge
        return judge is not None and draws(judge.evaluator, value)

    def _late(self) -> bool:
        return self.until is not None and time.perf_counter() > self.until

    def _score(self, end: State, distance: int) -> tuple[float, ...]:
        if end.over:
            return self.scorer.ended(end.situation, distance)
        leaf, scorer = _Leaf(end.situation.position), self.scorer
        (parts,) = _by_kernels(self.personality, self.state, scorer, leaf, [scorer.factors])
        return scorer.scored(leaf.position, parts) if parts else scorer.open(leaf.position)

    def _states(self, first: str, depth: int) -> Iterator[State]:
        """The states of the line, one after the other."""
        state = self.state.play_decision(first)
        yield state
        while not (state.over or state.by_chance or self._late()):
            depth_so_far = state.ply - self.state.ply if self.turns else self._distance(state)
            if depth_so_far >= depth:
                return
            seconds = None if self.until is None else max(0.001, self.until - time.perf_counter())
            limits = Limits(seconds, depth=depth - depth_so_far, turns=self.turns)
            scorer = self.personality.scorer(state, self.name, Random(0))
            exact = seconds is None  # in a hurry any best one will do
            task = SearchTask(scorer, limits, exact, _SMALL, self.personality.model.consider)
            best = best_of(full_width(state, task) or {})
            if not best:
                return
            state = state.play_decision(best[0])
            yield state

    def _distance(self, state: State) -> int:
        return len(state.decisions()) - len(self.state.decisions())
