"""Recorded games judged move by move.

In: a recorded game, and who judges: a personality, or the plain search within limits.  Out: for
each decision its rank among all, the best of the others, the loss in value and what decided.
Values are those of the judge, bigger is better for whoever decides; a win or a loss by force has no
value but a distance.  Refuses a personality that judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from random import Random
from typing import Protocol

from attrs import evolve, field, frozen

from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.ground import budget
from rulewright.model.personality import Number
from rulewright.players.builtin import limited, with_depth
from rulewright.players.explain import weigh
from rulewright.players.personality import Personality
from rulewright.players.player import GameLimits
from rulewright.search.best import best
from rulewright.search.listing import listed_decisions
from rulewright.search.results import (
    FAR,
    MEBIBYTE,
    UNCERTAIN,
    Limits,
    Line,
    Lines,
    Score,
    person,
    result_of,
)

NODES = 2000
"""What the plain search may use for each decision where nothing limits it."""
_SEARCHES = 3
"""Searches of a position that a personality may need to judge all its decisions."""
_LATE = 0.5
"""Seconds by which searches of a position may be late, and those to tell what is known."""
_TABLE = 4
"""MiB for each of many small searches: a larger table would take longer to clear than to use."""


@frozen
class Worth:
    """What a decision is worth: a value, or an end by force so many decisions on."""

    value: Number | None
    ends: str = ""
    distance: int | None = None

    def __str__(self) -> str:
        if self.ends:
            return self.ends if self.distance is None else f"{self.ends} in {self.distance}"
        return "?" if self.value is None else f"{self.value:.4g}"


@frozen
class JudgedMove:
    """One decision of a game; `number` counts from 1, `choices` are the legal decisions there.

    `judged` of them have a value: a search that considers some decisions only leaves others out.

    `rank` is 1 for the best (decisions of equal worth share it), None where the judge gives no
    value; `best` is the best of the others, `loss` how much better it is, 0 when it is not;
    `decided_by` is what speaks most for the better of the two, and by how much.
    """

    number: int
    side: str
    move: str
    choices: int
    judged: int
    rank: int | None
    worth: Worth
    best: str | None
    best_worth: Worth
    loss: Number | None
    decided_by: str = ""
    margin: Number = 0

    def as_data(self) -> dict[str, object]:
        """The decision with the names of `analyze --format json`."""
        return {
            "number": self.number, "side": self.side, "move": self.move, "rank": self.rank,
            "of": self.choices, "judged": self.judged, "value": self.worth.value,
            "ends": self.worth.ends or None, "distance": self.worth.distance, "best": self.best,
            "best_value": self.best_worth.value, "best_ends": self.best_worth.ends or None,
            "best_distance": self.best_worth.distance, "loss": self.loss,
            "decided_by": self.decided_by or None, "margin": self.margin,
        }  # fmt: skip


class RecordedGame(Protocol):
    """A game that was recorded."""

    @property
    def game(self) -> Game:
        """Which game."""

    @property
    def end(self) -> State:
        """Its last position, which knows the way."""


class Judge(Protocol):
    """Gives every decision of a position a score, as far as it can."""

    @property
    def name(self) -> str:
        """The name of the judge."""

    def scores(self, state: State, move: str) -> dict[str, Score | None]:
        """A score for each legal decision, as far as it can, and for *move* if it can at all."""

    def why(self, state: State, better: str, worse: str) -> tuple[str, Number]:
        """What speaks most for one decision against another; nothing where it cannot say."""


@frozen
class SearchJudge:
    """Judges by the plain search, which looks at what follows each decision for itself.

    One search of the whole position would look long at the best decisions only, and what it says of
    the others would be chance.  A time limit is divided among the decisions; nodes and depth hold
    for each of them.
    """

    limits: GameLimits
    seed: int = 0
    name: str = "search"

    def scores(self, state: State, move: str) -> dict[str, Score | None]:
        """A score for each decision; sure results before what is open."""
        moves, limits = state.moves.texts, self.limits
        seconds = None if limits.seconds is None else max(0.001, limits.seconds / len(moves))
        memory = min(limits.memory, _TABLE) * MEBIBYTE
        within = Limits(seconds, limits.nodes, limits.depth, memory)
        scores: dict[str, Score | None] = dict.fromkeys(moves)
        with suppress(OutOfBudget), _time_limit(limits.seconds):
            for text in (move, *(text for text in moves if text != move)):
                scores[text] = self._score(state, state.play_decision(text), within)
        return scores

    def _score(self, state: State, after: State, within: Limits) -> Score:
        """Compute the score of a decision, which led to *after*, for the player who makes it."""
        player, decisions = person(state), 1
        answer = None if after.over else best(after, within, self.seed)
        while answer is not None and not answer.nodes:  # of a single decision a search says nothing
            if budget.over():
                raise OutOfBudget(budget.why())
            after, decisions = after.play_decision(answer.move), decisions + 1
            answer = None if after.over else best(after, within, self.seed)
        outcome = after.situation.outcome
        if outcome is not None or answer is None:
            assert outcome is not None
            result = result_of(outcome, after.situation.position, player)
            return (result * (FAR - decisions), result)
        sign = 1 if person(after) == player else -1
        if answer.proven in ("win", "loss") and answer.distance is not None:
            rank = FAR - answer.distance - decisions
            return (sign * (rank if answer.proven == "win" else -rank), sign * answer.value)
        return (0, sign * answer.value + 0.0)  # no -0.0

    def why(self, state: State, better: str, worse: str) -> tuple[str, Number]:
        """The search knows no reasons."""
        return "", 0


@frozen
class ByPersonality:
    """Judges by a personality: by the value that it would choose by."""

    personality: Personality
    seconds: float | None = None
    seed: int = 0
    _roots: dict[int, tuple[str, Lines]] = field(factory=dict)

    @property
    def name(self) -> str:
        """The personality's name."""
        return self.personality.name

    def scores(self, state: State, move: str) -> dict[str, Score | None]:
        """The scores of its search, all of them exact where the search can.

        A decision that it does not even consider is searched by what follows it.
        """
        seconds = None if self.seconds is None else _SEARCHES * self.seconds
        with suppress(OutOfBudget), _time_limit(seconds):
            return self._scores(state, move)
        return {}

    def _scores(self, state: State, move: str) -> dict[str, Score | None]:
        value, root = self._root(state)
        judges = self.personality.judge is not None
        if root.get(move) is None and judges and not self.personality.value(value).of_move:
            root[move] = self._line_after(state, move, value)
        return {text: None if line is None else line.score for text, line in root.items()}

    def _line_after(self, state: State, move: str, value: str) -> Line | None:
        """The line of a decision as the search sees it that begins after it, one decision less."""
        after, chance = state.play_decision(move), Random(self.seed)
        scorer = self.personality.scorer(state, value, chance)
        depth = self._depth_after(after)
        if after.over:
            return Line(scorer.ended(after.situation, 1), (move,), after.situation)
        if depth < 1:
            return Line(scorer.open(after.situation.position), (move,), after.situation)
        model = with_depth(self.personality.model, depth)
        root = evolve(self.personality, model=model).root(after, value, chance, self.seconds, True)
        lines = [line for line in root.values() if line is not None]
        if not lines:
            return None
        line = max(lines, key=lambda line: line.score)
        sign = 1 if person(after) == person(state) else -1
        rank = line.score[0] - (line.score[0] > 0) + (line.score[0] < 0)  # one decision later
        score = (sign * rank, *(sign * part or 0 for part in line.score[1:]))
        return Line(score, (move, *line.moves), line.leaf)

    def _depth_after(self, after: State) -> int:
        """Return the depth left to a search after a decision, in decisions or in turns."""
        setting = self.personality.model.search.setting("depth")
        whole = int(self.personality.model.number("depth") or 1)
        turns = setting is not None and setting.unit == "turns"
        return whole - (after.turn_begins or not turns)

    def _root(self, state: State) -> tuple[str, Lines]:
        if id(state) not in self._roots:
            decision = self.personality.decide(state, Random(self.seed), self.seconds)
            root = dict(decision.root)
            if not root or self.personality.model.search.kind == "alphabeta":
                chance = Random(self.seed)
                root = dict(
                    self.personality.root(state, decision.value, chance, self.seconds, True)
                )
            self._roots.clear()
            self._roots[id(state)] = (decision.value, root)
        return self._roots[id(state)]

    def why(self, state: State, better: str, worse: str) -> tuple[str, Number]:
        """The factor or term that differs most at the ends of the two lines it expects."""
        value, root = self._root(state)
        first, second = (self._line(state, value, move, root[move]) for move in (better, worse))
        if first is None or second is None or self.personality.judge is None:
            return "", 0
        with state.game.located():
            lines = {better: first, worse: second}
            return weigh(state, self.personality, value, lines, self.seed)

    def _line(self, state: State, value: str, move: str, line: Line | None) -> Line | None:
        """The line of a decision with its last position, which a native search does not keep."""
        if line is None or line.leaf is not None or line.score[0]:
            return line
        if self.personality.value(value).of_move:
            return line
        after, moves = state.play_decision(move), list(line.moves[1:])
        if not moves and not after.over and (self.personality.model.number("depth") or 1) > 1:
            moves = self._expected_moves(after, value)
        for text in moves:
            after = after.play_decision(text)
        return evolve(line, leaf=after.situation)

    def _expected_moves(self, state: State, value: str) -> list[str]:
        """Search the best line from *state*: the decisions that the personality expects."""
        root = self.personality.root(state, value, Random(self.seed), self.seconds)
        lines = [line for line in root.values() if line is not None]
        return list(max(lines, key=lambda line: line.score).moves) if lines else []


def judge_of(game: Game, name: str = "", limits: GameLimits | None = None, seed: int = 0) -> Judge:
    """Return the judge: the personality of a name or path, or the plain search without one."""
    limits = limits or GameLimits()
    if not name:
        load_engine(game, quick=True)  # compiled before any clock runs
        return SearchJudge(limits.or_nodes(NODES), seed)
    personality = Personality.load(name, game)
    if personality.model.search.kind == "random":
        raise RulewrightError(f"{personality.name} judges nothing: it plays at random")
    model = limited(personality.model, limits)
    return ByPersonality(evolve(personality, model=model), limits.seconds, seed)


def analyze(
    recorded: RecordedGame,
    judge: Judge | str = "",
    first: int = 1,
    last: int | None = None,
    limits: GameLimits | None = None,
) -> Iterator[JudgedMove]:
    """Judge the decisions of a game from number *first* to *last*, both included.

    *judge* may be the name or path of a personality, or empty for the plain search, within
    *limits*.
    """
    judge = judge_of(recorded.game, judge, limits) if isinstance(judge, str) else judge
    for number, after in enumerate(recorded.end.states()[1:], 1):
        if first <= number and (last is None or number <= last):
            assert after.before is not None
            if after.before.by_chance:
                continue  # nobody has decided it
            yield _judge_move(number, after.before, after.move, judge)


def _time_limit(seconds: float | None) -> AbstractContextManager[object]:
    """Limit the time for all decisions of a position to *seconds*; the rest have no score."""
    return nullcontext() if seconds is None else budget.within_seconds(seconds + _LATE, _LATE, "")


def _judge_move(number: int, state: State, move: str, judge: Judge) -> JudgedMove:
    listed_decisions(state)
    scores = {t: score for t, score in judge.scores(state, move).items() if score is not None}
    rivals = (text for text in scores if text != move)
    best_rival = max(rivals, key=lambda text: scores[text], default=None)
    mine = scores.get(move)
    rank = None if mine is None else 1 + sum(score > mine for score in scores.values())
    side = state.mover
    assert side is not None
    loss, reason, margin = _loss(state, move, best_rival, scores, judge)
    return JudgedMove(
        number, side, move, len(state.moves), len(scores), rank, worth_of(mine), best_rival,
        worth_of(scores[best_rival] if best_rival else None), loss, reason, margin,
    )  # fmt: skip


def _loss(
    state: State, move: str, rival: str | None, scores: dict[str, Score], judge: Judge
) -> tuple[Number | None, str, Number]:
    """Compute the loss in value against the best *rival*, the reason for it and its margin."""
    if move not in scores:
        return None, "", 0
    if rival is None:
        return 0, "", 0
    mine, best_score = scores[move], scores[rival]
    certain = max(abs(mine[1]), abs(best_score[1])) < UNCERTAIN
    difference = best_score[1] - mine[1] if mine[0] == best_score[0] == 0 and certain else None
    loss = 0 if mine >= best_score else difference
    if mine == best_score:
        return loss, "", 0
    better, worse = (rival, move) if best_score > mine else (move, rival)
    return loss, *judge.why(state, better, worse)


def worth_of(score: Score | None) -> Worth:
    """Return what a score says: a value, or an end by force."""
    if score is None:
        return Worth(None)
    rank = int(score[0])
    if rank:
        return Worth(None, "win", FAR - rank) if rank > 0 else Worth(None, "loss", FAR + rank)
    if abs(score[1]) >= UNCERTAIN:  # decisions were left out, and all that were looked at lose
        return Worth(
            None, "a win as far as considered" if score[1] > 0 else "a loss as far as considered"
        )
    return Worth(score[1])
