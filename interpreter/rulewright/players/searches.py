"""The searches of personalities, in plain Python over the reference.

In: a state, a scorer, and the settings of a search.  Out: a score for each legal decision (none for
those that a search leaves out) with the line it comes from.  Slow and obvious: the native searches
must agree with these.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from math import floor

from attrs import define, field, frozen

from rulewright.engine.game import State
from rulewright.players.considered import Considered, root_of, safe
from rulewright.players.scores import UNCERTAIN, Score, Scorer, person
from rulewright.reference.play import Option, Situation


@frozen
class Limits:
    """When a search stops: seconds, nodes (values asked for); its depth in turns or decisions."""

    depth: int = 1
    turns: bool = False
    seconds: float | None = None
    nodes: int | None = None


@frozen
class Line:
    """A score, the decisions that lead to it, and the situation that was valued.

    A native search tells no situation, but the `depth` that it has searched.
    """

    score: Score
    moves: tuple[str, ...]
    leaf: Situation | None = None
    depth: int = 0


class OutOfTime(Exception):
    """A limit is reached."""


@define
class Clock:
    """Counts what a search may still spend."""

    scorer: Scorer
    limits: Limits
    started: float = field(factory=time.perf_counter)

    def check(self) -> None:
        """Stop the search when a limit is reached."""
        limits = self.limits
        if limits.nodes is not None and self.scorer.nodes >= limits.nodes:
            raise OutOfTime
        if limits.seconds is not None and self.seconds >= limits.seconds:
            raise OutOfTime

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.started

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """What is done once for all searches, like compiling, is not this one's time."""
        begun = time.perf_counter()
        yield
        self.started += time.perf_counter() - begun


Root = dict[str, Line | None]


def one_ply(state: State, scorer: Scorer, limits: Limits | None = None) -> Root:
    """The value of every decision: of the move itself, or of the position after it.

    With a limit of time, decisions are tried in random order, and at least one.
    """
    found: Root = dict.fromkeys(state.moves.texts)
    options, clock = list(state.situation.options), Clock(scorer, limits or Limits())
    if clock.limits.seconds is not None:
        scorer.random.shuffle(options)
    for option in options:
        late = clock.limits.seconds is not None and clock.seconds > clock.limits.seconds
        if late and any(found.values()):
            break
        if scorer.value.of_move:
            judged = scorer.decision(state.situation.position, option)
            found[option.text] = Line(judged[0], (option.text,)) if judged else None
            continue
        after = state.situation.after(option)
        score = scorer.ended(after, 1) if after.outcome else scorer.open(after.position)
        found[option.text] = Line(score, (option.text,), after)
    return found


# --- full width ---


@define
class FullWidth:
    """Minimax with alpha-beta (Knuth and Moore 1975); a leaf is where the depth is used up.

    `considered` leaves out decisions; a loss is not certain then, only as bad as can be.
    """

    scorer: Scorer
    clock: Clock
    depth: int
    turns: bool
    considered: Considered | None = None
    only: Collection[str] | None = None
    """The decisions of the root that are searched; None means all."""
    ply: int = 0
    partial: Root = field(factory=dict)
    """Scores of the root found before a limit was reached."""

    def root(self, state: State, known: Mapping[str, Line | None], exact: bool) -> Root:
        """A score for each decision; unless *exact*, only the best ones are sure."""
        self.ply = state.situation.position.ply
        wanted = [o for o in state.situation.options if self.only is None or o.text in self.only]
        options = sorted(wanted, key=lambda o: _order(known.get(o.text)))
        found = self.partial
        best: Score | None = None
        for option in options:
            after = state.situation.after(option)
            line = self.search(after, 1, None if exact else best, None)
            line = Line(line.score, (option.text, *line.moves), line.leaf)
            sure = exact or best is None or line.score > best
            found[option.text] = line if sure else None
            best = line.score if best is None else max(best, line.score)
        return {option.text: found.get(option.text) for option in state.situation.options}

    def _is_leaf(self, situation: Situation, distance: int) -> bool:
        if self.turns:
            return situation.position.ply - self.ply >= self.depth
        return distance >= self.depth

    def search(
        self, situation: Situation, distance: int, alpha: Score | None, beta: Score | None
    ) -> Line:
        """The score of a situation; None as a bound means that there is none.

        Scores that are not above *alpha* (not below *beta*) may be off, on that side.
        """
        self.clock.check()
        if situation.outcome:
            return Line(self.scorer.ended(situation, distance), (), situation)
        if self._is_leaf(situation, distance):
            return Line(self.scorer.open(situation.position), (), situation)
        mine = person(situation.position) == self.scorer.person
        best: Line | None = None
        options = self.considered.options(situation) if self.considered else situation.options
        for option in options:
            line = self.search(situation.after(option), distance + 1, alpha, beta)
            better = best is None or (line.score > best.score if mine else line.score < best.score)
            if better:
                best = Line(line.score, (option.text, *line.moves), line.leaf)
                alpha = _above(alpha, line.score) if mine else alpha
                beta = beta if mine else _below(beta, line.score)
            if alpha is not None and beta is not None and alpha >= beta:
                break
        assert best is not None
        if len(options) < len(situation.options) and _lost(best.score, mine):
            return Line((0, -UNCERTAIN if mine else UNCERTAIN), best.moves, best.leaf)
        return best


def _lost(score: Score, mine: bool) -> bool:
    """Whether the person to move has lost for certain."""
    return score[0] < 0 if mine else score[0] > 0


def _above(bound: Score | None, score: Score) -> Score:
    return score if bound is None or score > bound else bound


def _below(bound: Score | None, score: Score) -> Score:
    return score if bound is None or score < bound else bound


def _order(line: Line | None) -> tuple[int, list[float]]:
    """The best of an earlier search first; then what it left out, in reading order."""
    return (1, []) if line is None else (0, [-part for part in line.score])


def full_width(
    state: State,
    scorer: Scorer,
    limits: Limits,
    exact: bool,
    considered: Considered | None = None,
) -> Root:
    """Minimax to a depth; with a limit of time or nodes it deepens, and keeps the last whole depth.

    *exact* gives every decision its true value, else only the best is sure.
    """
    clock, only = Clock(scorer, limits), None
    if considered is not None:
        start = state.situation
        kept = [o.text for o in considered.options(start)]
        only = root_of(start, lambda: kept, lambda: safe(start))
    if limits.seconds is None and limits.nodes is None:
        whole = FullWidth(scorer, clock, limits.depth, limits.turns, considered, only)
        return whole.root(state, {}, exact)
    found: Root = dict.fromkeys(state.moves.texts)
    for depth in range(1, limits.depth + 1):
        search = FullWidth(scorer, clock, depth, limits.turns, considered, only)
        try:
            found = search.root(state, found, exact)
        except OutOfTime:
            return found if any(found.values()) else found | search.partial
    return found


# --- beam ---


@define
class Beam:
    """Looks ahead along the best decisions only, by the values of moves."""

    scorer: Scorer
    clock: Clock
    depth: int
    trim: float
    fade: float

    def root(self, state: State, breadth: int) -> Root:
        """Scores of the best decisions; time running out leaves those found so far."""
        whole = one_ply(state, self.scorer)
        kept = foremost(whole, breadth)
        if self.depth <= 1:
            return {text: line if text in kept else None for text, line in whole.items()}
        found: Root = dict.fromkeys(whole)
        options = {option.text: option for option in state.situation.options}
        for text in kept:
            line = whole[text]
            assert line is not None
            try:
                after = state.situation.after(options[text])
                found[text] = self._worth(line.score[1], text, after, 1, breadth)
            except OutOfTime:
                break
        return found if any(found.values()) else {t: whole[t] if t in kept else None for t in whole}

    def _worth(self, weight: float, text: str, after: Situation, level: int, breadth: int) -> Line:
        """A decision's value less what the other player can make of what follows it."""
        self.clock.check()
        if level >= self.depth or after.outcome:
            return Line((0, weight), (text,), after)
        reply = self._look(after, level + 1, half_up(breadth * (1 - self.trim)))
        if reply is None:
            return Line((0, weight), (text,), after)
        score = weight + (1 - self.fade) * reply.score[1]
        return Line((0, score), (text, *reply.moves), reply.leaf)

    def _look(self, situation: Situation, level: int, breadth: int) -> Line | None:
        """The best of a player's decisions here, seen by the person at the root."""
        judged: list[tuple[float, Option]] = []
        for option in situation.options:
            self.clock.check()
            found = self.scorer.decision(situation.position, option)
            if found is not None:
                judged.append((found[0][1], option))
        mine = person(situation.position) == self.scorer.person
        judged.sort(key=lambda one: -one[0] if mine else one[0])
        best: Line | None = None
        for weight, option in judged[: max(1, breadth)]:
            after = situation.after(option)
            line = self._worth(weight, option.text, after, level, breadth)
            if best is None or (line.score > best.score if mine else line.score < best.score):
                best = line
        return best


def half_up(number: float) -> int:
    """The nearest whole number; halves go up."""
    return floor(number + 0.5)


def foremost(root: Root, breadth: int) -> list[str]:
    """The decisions of the best scores, in the order of the scores."""
    judged = [(line.score, text) for text, line in root.items() if line is not None]
    judged.sort(key=lambda one: [-part for part in one[0]])
    return [text for _, text in judged[: max(1, breadth)]]
