"""The one obvious search, over the reference: what the searches by machine code must agree with.

In: a state, a scorer, limits, and what is left out.  Out: a score for each legal decision (none for
those that a search leaves out) with the line it comes from.  Full width and beams are the same
walk: they differ in which decisions are tried, where looking stops, and whether a decision is worth
what follows it alone, or its own weight too.  Slow, and also the fallback without kernels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import Protocol

from attrs import define, evolve, field

from rulewright.errors import OutOfBudget
from rulewright.games.engine.game import State
from rulewright.model.evaluation import ValueOf
from rulewright.model.personality import Guidance
from rulewright.reference.decisions import LegalDecision
from rulewright.reference.evaluation import MoveChoice, StaticEvaluator, side
from rulewright.reference.play import Situation
from rulewright.reference.position import Position
from rulewright.search.candidates import Considered, least_kept, root_of
from rulewright.search.kernels.thread import LEVELS
from rulewright.search.results import (
    FAR,
    UNCERTAIN,
    BeamShape,
    Limits,
    Line,
    Lines,
    Number,
    Score,
    foremost,
    person_at,
    result_of,
)


class Scoring(Protocol):
    """Scores positions for one person."""

    person: int

    def open(self, position: Position) -> Score:
        """The score of a position where looking stops."""

    def ended(self, situation: Situation, distance: int) -> Score:
        """The score of a finished game, *distance* decisions after the root."""


@define
class ResultScorer:
    """Scores results alone: a win is a win, and what is open is worth a draw."""

    person: int

    def open(self, position: Position) -> Score:
        """Score what is open as a draw."""
        return (0,)

    def ended(self, situation: Situation, distance: int) -> Score:
        """Score a finished game: 1, 0 or -1."""
        assert situation.outcome is not None
        return (result_of(situation.outcome, situation.position, self.person),)


@define
class Scorer:
    """Scores positions and decisions for one person by one value of an evaluator."""

    judge: StaticEvaluator
    value: ValueOf
    factors: tuple[Number, ...]
    random: Random
    person: int
    valued_ends: bool = False
    guidance: Guidance = field(factory=Guidance)
    """Of it the reference knows what is looked at; all else changes no value, or is a shortcut."""

    def open(self, position: Position) -> Score:
        """The score of a position as the evaluator values it."""
        parts = self.judge.of_position(self.value, position, self.factors, self.random)
        return self.scored(position, parts)

    def scored(self, position: Position, parts: Score) -> Score:
        """The score of a position by the parts of its value."""
        return (0, *self.signed(parts, side(self.value, position), position.swapped))

    def ended(self, situation: Situation, distance: int) -> Score:
        """The score of a finished game: a sooner win is better, unless ends are valued."""
        if self.valued_ends:
            return self.open(situation.position)
        assert situation.outcome is not None
        result = result_of(situation.outcome, situation.position, self.person)
        return (result * (FAR - distance), *((0,) * len(self.value.parts)))

    def decision(
        self, position: Position, option: LegalDecision
    ) -> tuple[Score, MoveChoice] | None:
        """The score of a decision by the value of a move; None when that value judges others."""
        if option.move not in self.value.moves:
            return None
        choice = self.judge.choices(position, option)
        assert choice is not None
        parts = self.judge.of_move(self.value, position, choice, self.factors, self.random)
        return (0, *self.signed(parts, side(self.value, position), position.swapped)), choice

    def signed(self, parts: Score, colour: int, swapped: bool) -> Score:
        """The parts of a value that is said for a colour, as the person sees them."""
        return parts if colour ^ swapped == self.person else tuple(-part for part in parts)


class OutOfTime(Exception):
    """A limit is reached."""


@define
class SearchBudget:
    """Counts what a search may still spend: nodes are decisions played, or weighed."""

    limits: Limits
    cancelled: Callable[[], bool] | None = None
    started: float = field(factory=time.perf_counter)
    nodes: int = 0
    share: float = 1.0
    """The share of the limits that may be used."""

    def spend(self) -> None:
        """Count a node; stop the search when a limit is reached."""
        self.nodes += 1
        if self.over():
            raise OutOfTime

    def over(self) -> bool:
        """Whether a limit is reached."""
        limits, share = self.limits, self.share
        if self.cancelled is not None and self.cancelled():
            return True
        if limits.nodes is not None and self.nodes >= share * limits.nodes:
            return True
        return limits.seconds is not None and self.seconds >= share * limits.seconds

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.started


def one_ply(state: State, scorer: Scorer, clock: SearchBudget) -> Lines:
    """The value of every decision: of the move itself, or of the position after it.

    With a limit of time, decisions are tried in random order, and at least one.  Where a budget is
    used up, those that were weighed before are known.
    """
    lines: Lines = dict.fromkeys(state.moves.texts)
    options, seconds = list(state.situation.options), clock.limits.seconds
    if seconds is not None:
        scorer.random.shuffle(options)
    for option in options:
        if seconds is not None and clock.seconds > seconds and any(lines.values()):
            break
        try:
            line = lines[option.text] = _weighed(state.situation, scorer, option)
        except OutOfBudget:
            if not any(lines.values()):
                raise
            break
        clock.nodes += line is not None
    return lines


def _weighed(situation: Situation, scorer: Scorer, option: LegalDecision) -> Line | None:
    """The line of a decision alone; None for what a value of moves does not judge."""
    if scorer.value.of_move:
        judged = scorer.decision(situation.position, option)
        return Line(judged[0], (option.text,)) if judged else None
    after = situation.after(option)
    score = scorer.ended(after, 1) if after.outcome else scorer.open(after.position)
    return Line(score, (option.text,), after)


@define
class Reference:
    """Minimax with alpha-beta (Knuth and Moore 1975), or a beam of a shape, which knows no bounds.

    `considered` leaves out decisions; a loss is not certain then, only as bad as can be.
    """

    scorer: Scoring
    clock: SearchBudget
    depth: int
    turns: bool = False
    considered: Considered | None = None
    only: Collection[str] | None = None
    """The decisions of the root that are searched; None means all."""
    beam: BeamShape | None = None
    ply: int = 0
    settled: bool = True
    """Whether the last value depends on no position where looking stopped."""
    partial: Lines = field(factory=dict)
    """Scores of the root found before a limit was reached."""

    def root(self, state: State, weights: Mapping[str, Line | None], exact: bool) -> Lines:
        """A score for each decision; unless *exact*, only the best ones are sure."""
        self.ply = state.situation.position.ply
        options = [o for o in state.situation.options if self.only is None or o.text in self.only]
        lines, best = self.partial, None
        for option in sorted(options, key=lambda o: _order(weights.get(o.text))):
            weight = weights[option.text] if self.beam else None
            line = self._behind(state.situation, option, weight, 1, (None if exact else best, None))
            lines[option.text] = line if exact or best is None or line.score > best else None
            best = line.score if best is None else max(best, line.score)
        return {option.text: lines.get(option.text) for option in state.situation.options}

    def search(
        self, situation: Situation, distance: int, alpha: Score | None, beta: Score | None
    ) -> Line | None:
        """The best line of a situation; None as a bound means that there is none.

        Scores that are not above *alpha* (not below *beta*) may be off, on that side.  A beam has
        no line where looking stops, or where no decision is judged.
        """
        self.settled = True
        if situation.outcome or self._is_leaf(situation, distance):
            led = self.scorer.guidance if isinstance(self.scorer, Scorer) else None
            if situation.outcome or led is None or not led.forcing or self.beam:
                return self._leaf(situation, distance)
            return self._pursued(situation, distance, led.reach, (alpha, beta))
        called = self._called_line(situation)
        if called is not None:
            self.settled = False
            return called
        mine = person_at(situation.position) == self.scorer.person
        best: Line | None = None
        settled, (tried, left_out) = True, self._try_decisions(situation, distance, mine)
        for option, weight in tried:
            line = self._behind(situation, option, weight, distance + 1, (alpha, beta))
            settled &= self.settled
            if best is None or (line.score > best.score if mine else line.score < best.score):
                best = line
            if mine:
                alpha = _above(alpha, line.score)
            else:
                beta = _below(beta, line.score)
            if self.beam is None and alpha is not None and beta is not None and alpha >= beta:
                settled = self.settled
                break
        self.settled = settled or (best is not None and best.score[0] != 0)
        if best and left_out and not self.beam and _is_lost(best.score, mine):
            return Line((0, -UNCERTAIN if mine else UNCERTAIN), best.moves, best.leaf)
        return best

    def _called_line(self, situation: Situation) -> Line | None:
        """The line of a position that the text calls drawn or decided, None if it does neither."""
        scorer = self.scorer
        if self.beam or not isinstance(scorer, Scorer):
            return None
        if self._worth(scorer.guidance.drawn, situation) != 0:
            return Line((0, *((0,) * len(scorer.value.parts))), (), situation)
        worth = self._worth(scorer.guidance.decided, situation)
        if worth == 0:
            return None
        return Line((0, UNCERTAIN if worth > 0 else -UNCERTAIN), (), situation)

    def _worth(self, name: str, situation: Situation) -> Number:
        """What a value that the text names says of a position, for the scorer's person."""
        scorer, position = self.scorer, situation.position
        if not name or not isinstance(scorer, Scorer):
            return 0
        value = scorer.judge.evaluator.value(name)
        assert value is not None
        parts = scorer.judge.of_position(value, position, scorer.factors, scorer.random)
        return scorer.signed(parts, side(value, position), position.swapped)[0]

    def _behind(
        self, situation: Situation, option: LegalDecision, weight: Line | None, distance: int,
        window: tuple[Score | None, Score | None],
    ) -> Line:  # fmt: skip
        """The line of a decision: worth what follows, in a beam a share of that and its weight."""
        if not self.beam:
            self.clock.spend()
        elif self.clock.over():
            raise OutOfTime
        after = situation.after(option)
        line = self.search(after, distance, *window)
        if self.beam is None or weight is None:
            assert line is not None
            line = self.claimed(after, line)
            return Line(line.score, (option.text, *line.moves), line.leaf)
        if line is None:
            return Line(weight.score, (option.text,), after)
        score = weight.score[1] + (1 - self.beam.fade) * line.score[1]
        return Line((0, score), (option.text, *line.moves), line.leaf)

    def claimed(self, situation: Situation, line: Line) -> Line:
        """The line of a situation, worth a draw where that may be claimed and is better."""
        scorer, position = self.scorer, situation.position
        if not position.claimable or situation.outcome:
            return line
        if isinstance(scorer, Scorer) and scorer.valued_ends:
            return line
        draw: Score = (0,) * len(line.score)
        mine = person_at(position) == scorer.person
        better = line.score > draw if mine else line.score < draw
        return line if better else evolve(line, score=draw)

    def _is_leaf(self, situation: Situation, distance: int) -> bool:
        if distance >= LEVELS - 1:  # as long as lines of kernels are, and as Python can nest calls
            return True
        if self.turns:
            return situation.position.ply - self.ply >= self.depth
        return distance >= self.depth

    def _leaf(self, situation: Situation, distance: int) -> Line | None:
        if self.beam:
            return None
        if situation.outcome:
            return Line(self.scorer.ended(situation, distance), (), situation)
        self.settled = False
        return Line(self.scorer.open(situation.position), (), situation)

    def _pursued(
        self, situation: Situation, distance: int, length: int,
        window: tuple[Score | None, Score | None],
    ) -> Line:  # fmt: skip
        """The best of stopping here and of the decisions that force, *length* of them in a row.

        What must be done is done: then there is no stopping.
        """
        if situation.outcome or length == 0:
            best = self._leaf(situation, distance)
            assert best is not None
            return best
        assert isinstance(self.scorer, Scorer)
        led, mine = self.scorer.guidance, person_at(situation.position) == self.scorer.person
        best, (alpha, beta) = None, window
        follow = _above_nothing(worths(self.scorer, led.must, situation)) if led.must else []
        settled = bool(follow)
        if not follow:
            best = self._leaf(situation, distance)
            follow = _above_nothing(worths(self.scorer, led.forcing, situation))
        for option in follow:
            if best is not None:
                alpha = _above(alpha, best.score) if mine else alpha
                beta = beta if mine else _below(beta, best.score)
            if alpha is not None and beta is not None and alpha >= beta:
                break
            self.clock.spend()
            after = situation.after(option)
            line = self._pursued(after, distance + 1, length - 1, (alpha, beta))
            line = self.claimed(after, line)
            settled &= self.settled
            if best is None or (line.score > best.score if mine else line.score < best.score):
                best = Line(line.score, (option.text, *line.moves), line.leaf)
        assert best is not None
        self.settled = settled or best.score[0] != 0
        return best

    def _try_decisions(
        self, situation: Situation, distance: int, mine: bool
    ) -> tuple[list[tuple[LegalDecision, Line | None]], bool]:
        """The decisions that are looked behind; in a beam those of the most weight, with it.

        Also whether others are left out that may matter.
        """
        if self.beam is None:
            scorer = self.scorer if isinstance(self.scorer, Scorer) else None
            options, left_out = looked_at(scorer, situation, self.considered)
            return [(option, None) for option in options], left_out
        assert isinstance(self.scorer, Scorer)
        judged: list[tuple[LegalDecision, Line | None]] = []
        for option in situation.options:
            score = self.scorer.decision(situation.position, option)
            if score is not None:
                judged.append((option, Line(score[0], (option.text,))))
                self.clock.spend()
        weights = {option.text: line.score[1] for option, line in judged if line}
        judged.sort(key=lambda pair: -weights[pair[0].text] if mine else weights[pair[0].text])
        return judged[: self.beam.breadths()[distance]], False


# --- what a text says of decisions ---


def worths(scorer: Scorer, name: str, situation: Situation) -> list[tuple[LegalDecision, Number]]:
    """What decisions are worth by a value of moves, for who is to decide; in the game's order."""
    value = scorer.judge.evaluator.value(name)
    assert value is not None
    judged = evolve(scorer, value=value, person=person_at(situation.position))
    scores = [(o, judged.decision(situation.position, o)) for o in situation.options]
    return [(o, score[0][1]) for o, score in scores if score is not None]


def _above_nothing(scores: list[tuple[LegalDecision, Number]]) -> list[LegalDecision]:
    """The decisions worth more than 0, the best ones first."""
    return [o for o, v in sorted(scores, key=lambda pair: -pair[1]) if v > 0]


def looked_at(
    scorer: Scorer | None, situation: Situation, considered: Considered | None
) -> tuple[tuple[LegalDecision, ...], bool]:
    """The decisions of a position that are looked at, and whether others may matter as well."""
    led = scorer.guidance if scorer else Guidance()
    if scorer and led.must:
        required = tuple(o for o, v in worths(scorer, led.must, situation) if v > 0)
        if required:
            return required, False
    options = considered.options(situation) if considered else situation.options
    if scorer and led.consider:
        weights = [(o, v) for o, v in worths(scorer, led.consider, situation) if v > 0]
        least = least_kept([v for _, v in weights], led.most)
        options = tuple(o for o, v in weights if v >= least) or situation.options
    return options, len(options) < len(situation.options)


def _root(scorer: Scoring, situation: Situation, considered: Considered | None) -> list[str] | None:
    """The decisions of a root that are searched; None where they are all."""
    led = scorer.guidance if isinstance(scorer, Scorer) else None
    if led is None or not (led.must or led.consider):
        return considered.root(situation) if considered else None
    assert isinstance(scorer, Scorer)
    options, left_out = looked_at(scorer, situation, considered)
    texts = [option.text for option in options]
    if led.must or not left_out:
        return texts
    return root_of(situation, lambda: texts)


def _is_lost(score: Score, mine: bool) -> bool:
    """Whether the person to move has lost for certain."""
    return score[0] < 0 if mine else score[0] > 0


def _above(bound: Score | None, score: Score) -> Score:
    return score if bound is None or score > bound else bound


def _below(bound: Score | None, score: Score) -> Score:
    return score if bound is None or score < bound else bound


def _order(line: Line | None) -> tuple[int, list[Number]]:
    """The best of an earlier search first; then what it left out, in reading order."""
    return (1, []) if line is None else (0, [-part for part in line.score])


def full_width(
    state: State,
    scorer: Scoring,
    clock: SearchBudget,
    exact: bool,
    considered: Considered | None = None,
) -> Lines:
    """Minimax to a depth; with a limit of time or nodes it deepens, and keeps the last whole depth.

    Where it comes to none, only the first decision is named.  *exact* gives every decision its true
    value, else only the best is sure.
    """
    limits = clock.limits
    only = _root(scorer, state.situation, considered)
    last = limits.depth or 1
    deepens = limits.seconds is not None or limits.nodes is not None
    lines: Lines = dict.fromkeys(state.moves.texts)
    for depth in range(1, last + 1) if deepens else (last,):
        search = Reference(scorer, clock, depth, limits.turns, considered, only)
        try:
            lines = search.root(state, lines, exact)
        except OutOfTime:
            if any(lines.values()):
                return lines
            if search.partial:
                return lines | search.partial
            return {next(iter(only or lines)): None}
    return lines


def beam(state: State, scorer: Scorer, clock: SearchBudget, shape: BeamShape) -> Lines:
    """Scores of the best decisions; time running out leaves those found so far."""
    whole = one_ply(state, scorer, SearchBudget(Limits(None)))
    clock.nodes += sum(line is not None for line in whole.values())
    foremost_lines = foremost(whole, shape.breadth)
    first = {text: line if text in foremost_lines else None for text, line in whole.items()}
    if shape.depth <= 1:
        return first
    search = Reference(scorer, clock, shape.depth, only=foremost_lines, beam=shape)
    try:
        return search.root(state, whole, exact=True)
    except OutOfTime:
        lines: Lines = dict.fromkeys(whole)
        return lines | search.partial if search.partial else first
