"""One game between two players, refereed.

In: a game, two players, an opening, limits.  Out: the record's moves and how it ended.  The referee
trusts nobody: a player that fails, answers illegally or too late loses there and then.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random
from typing import Any

from attrs import define, field, frozen

from rulewright.compiler.defects import Defect
from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.interpreted import Result
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.catalog import EVALUATOR
from rulewright.games.files.kinds import load_file
from rulewright.ground.printable import amount
from rulewright.matches.game_record import RecordedMove
from rulewright.matches.plan import LONGEST, Adjudication, Refusal
from rulewright.matches.protocols.process import CannotStart
from rulewright.model.evaluation import ValueOf
from rulewright.players.machine import native_evaluator
from rulewright.players.player import Clock, Decision, Failed, GameLimits, Player, claims_draw
from rulewright.reference.evaluation import StaticEvaluator
from rulewright.search.listing import followed, listed
from rulewright.search.results import person
from rulewright.search.thread_arrays import ThreadArrays


@frozen
class PlayedGame:
    """A finished game: see `GameRecord` for the names."""

    moves: tuple[RecordedMove, ...]
    winner: int | None
    reason: str
    detail: str
    turns: int
    fixed: bool = False


@frozen
class GameTerms:
    """What a game is played under: limits of both seats, and when it ends early."""

    limits: tuple[GameLimits, GameLimits] = field(factory=lambda: (GameLimits(), GameLimits()))
    longest: int = LONGEST
    adjudication: Adjudication | None = None
    lifeless: Lifeless | None = None
    """Tells positions that nobody can win any more."""
    refused: Refusal = "void"
    """How a game counts in which a program refuses a legal decision."""

    def loser_of(self, who: int, reason: str) -> int | None:
        """Who loses where a player failed by a reason; None where that counts for nobody."""
        return None if reason == "refused" and self.refused != "lost" else who


@define
class _Table:
    """A game under way."""

    state: State
    players: tuple[Player, Player]
    terms: GameTerms
    moves: list[RecordedMove]
    left: list[float | None] = field(init=False)
    fixed: bool = True
    """Whether every decision so far would come again."""
    lead: list[float] = field(factory=list)
    """The value of each turn since the opening as the first seat sees it, of its first decision."""

    def __attrs_post_init__(self) -> None:
        self.left = [limits.clock for limits in self.terms.limits]

    def ended(self, winner: int | None, reason: str, detail: str) -> PlayedGame:
        fixed = self.fixed and reason in ("rules", "claimed", "long", "adjudicated")
        return PlayedGame(tuple(self.moves), winner, reason, detail, len(self.state.turns()), fixed)

    def run(self) -> PlayedGame:
        while not self.state.over:
            if self.state.ply >= self.terms.longest:
                return self.ended(None, "long", f"longer than {amount(self.terms.longest, 'turn')}")
            who = person(self.state)
            try:
                claimed = not self._decide(who)
            except Failed as failure:
                told, loser = (
                    f"{self.players[who].name}: {failure}",
                    self.terms.loser_of(who, failure.reason),
                )
                return self.ended(None if loser is None else 1 - loser, failure.reason, told)
            if claimed:
                return self.ended(None, "claimed", f"{self.players[who].name} claims a draw")
            rule = self.terms.adjudication
            agreed = None if rule is None else rule.winner(self.lead)
            if agreed is not None and not self.state.over:
                return self.ended(agreed, "adjudicated", "both players' values agree")
            if self._nobody_wins():
                assert self.terms.lifeless is not None
                told = f"nobody can win any more, by {self.terms.lifeless.text}"
                return self.ended(None, "adjudicated", told)
        result = self.state.result
        assert result is not None
        told = f"{result.rule} ({result.place})"
        return self.ended(winning_seat(self.state, result), "rules", told)

    def _decide(self, who: int) -> bool:
        """Ask a player, hold him to the clock and the rules; play, unless he claims a draw."""
        limits, left = self.terms.limits[who], self.left[who]
        begins = self.state.turn_begins
        _ = self.state.moves.texts  # what is legal is asked by the referee, and nobody's time
        started = time.perf_counter()
        decision = _asked(
            self.players[who], self.state, Clock(limits.seconds, left, limits.increment)
        )
        seconds = time.perf_counter() - started
        self._charge(who, seconds)
        if decision.move not in self.state.moves:
            raise Failed("illegal", f"`{decision.move}` is no legal decision here")
        if claims_draw(self.state, decision):
            self.fixed = self.fixed and decision.fixed
            return False
        self.state = followed(self.state, decision.move)
        self.fixed = self.fixed and decision.fixed
        if begins:
            self.lead.append(decision.ahead if who == 0 else -decision.ahead)
        if left is not None and (self.state.over or self.state.turn_begins):
            self.left[who] = (self.left[who] or 0.0) + limits.increment
        thought = (
            decision.value, decision.depth, decision.nodes, seconds, decision.searched,
            decision.result,
        )  # fmt: skip
        self.moves.append(RecordedMove(decision.move, who, *thought))
        return True

    def _charge(self, who: int, seconds: float) -> None:
        """Take the time of a decision off the clock; being late loses."""
        limits, left = self.terms.limits[who], self.left[who]
        if limits.seconds is not None and seconds > limits.seconds + limits.grace:
            raise Failed(
                "time", f"{seconds:.2f} s for a decision, {limits.seconds:g} s are allowed"
            )
        if left is not None:
            self.left[who] = left - seconds
            if left - seconds < -limits.grace:
                raise Failed("time", f"the clock of {limits.clock:g} s has run out")

    def _nobody_wins(self) -> bool:
        """Whether a draw is all that is left, asked after whole turns."""
        asked = self.terms.lifeless
        if asked is None or self.state.over or not self.state.turn_begins:
            return False
        return asked(self.state)


def winning_seat(state: State, result: Result) -> int | None:
    """The seat that has won a game which ended so; None for a draw."""
    if result.winner is None:
        return None
    return state.game.players.index(result.winner) ^ state.swapped


def _asked(player: Player, state: State, clock: Clock) -> Decision:
    """What a player decides; whatever goes wrong inside it is its failure.

    Except the rules: where a search meets a fault of theirs, every player would.
    """
    try:
        return player.choose(state, clock)
    except Failed:
        raise
    except Fault as fault:
        if fault.origin < len(state.game.rules.origins):
            raise
        raise Failed("crash", str(fault)) from fault
    except Exception as error:  # a player may be anybody's program
        raise Failed("crash", f"{type(error).__name__}: {error}") from error


def play_game(
    game: Game,
    players: tuple[Player, Player],
    opening: Sequence[str] = (),
    seeds: tuple[int, int] = (0, 0),
    terms: GameTerms | None = None,
) -> PlayedGame:
    """Play one game; the first player begins, after the decisions of the opening."""
    terms = terms or GameTerms()
    try:
        state, moves = game.start(), list[RecordedMove]()
        listed(state)
        for text in opening:
            moves.append(RecordedMove(text, person(state)))
            state = followed(state, text)
        table = _Table(state, players, terms, moves)
    except Fault as fault:
        return PlayedGame((), None, "fault", str(fault), 0)
    try:
        for who in (0, 1):
            _ready(game, players[who], who, terms, seeds[who])
        return table.run()
    except _NotReady as failure:
        return table.ended(1 - failure.who, failure.reason, str(failure))
    except Fault as fault:
        return table.ended(None, "fault", str(fault))


class _NotReady(Failed):
    """A player failed before its first decision."""

    def __init__(self, who: int, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.who = who


def _ready(game: Game, player: Player, who: int, terms: GameTerms, seed: int) -> None:
    try:
        player.start(game, terms.limits[who], seed)
    except Failed as failure:
        raise _NotReady(who, failure.reason, f"{player.name}: {failure}") from failure
    except CannotStart:
        raise
    except Exception as error:  # a player may be anybody's program
        message = f"{player.name}: {type(error).__name__}: {error}"
        raise _NotReady(who, "crash", message) from error


# --- positions that nobody can win ---


@define(eq=False)
class Lifeless:
    """`EVALUATOR:VALUE`: positions where that value is not 0 are drawn, for nobody can win them.

    Worked out by machine code where the value has kernels.  Refuses evaluators and values that the
    game does not have, and values of moves.
    """

    game: Game
    text: str
    judge: StaticEvaluator = field(init=False)
    value: ValueOf = field(init=False)
    _kernel: _Kernel | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        name, _, wanted = self.text.partition(":")
        if not name or not wanted:
            raise RulewrightError(f"--drawn takes EVALUATOR:VALUE, not `{self.text}`")
        evaluator = load_file(EVALUATOR, self.game, name)
        value = evaluator.value(wanted)
        if value is None or value.of_move:
            there = ", ".join(f"`{v.name}`" for v in evaluator.values if not v.of_move)
            raise RulewrightError(
                f"the evaluator {name} has no value of positions called `{wanted}`; it has {there}"
            )
        self.judge, self.value = StaticEvaluator(self.game.play, evaluator), value
        self._kernel = _Kernel.of(self.game, self.judge, value)

    def __call__(self, state: State) -> bool:
        """Whether the value is not 0 here."""
        if self._kernel is not None:
            return self._kernel(state)
        factors = self.judge.evaluator.defaults
        position = state.situation.position
        return any(self.judge.of_position(self.value, position, factors, Random(0)))


@frozen(eq=False)
class _Kernel:
    """The value as machine code."""

    space: ThreadArrays
    value: Any

    @classmethod
    def of(cls, game: Game, judge: StaticEvaluator, value: ValueOf) -> _Kernel | None:
        engine, evaluator = load_engine(game, quick=True), judge.evaluator
        if isinstance(engine, str) or len(value.parts) > 1:
            return None
        kernel = native_evaluator(engine, evaluator, value, evaluator.defaults, judges_ends=False)
        if kernel is None:
            return None
        try:
            space = ThreadArrays(engine, 0, kernel)
        except Defect:
            return None
        return cls(space, space.kernels["value"])

    def __call__(self, state: State) -> bool:
        """Whether the value is not 0 here."""
        self.space.place(state.situation.position)
        value: float = self.value(*self.space.game, self.space.arrays[len(self.space.game)])
        return value != 0
