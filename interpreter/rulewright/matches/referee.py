"""One game between players, refereed.

In: a game, a player for each seat, an opening, limits.  Out: the record's moves and how it ended.
The referee trusts nobody: a player that fails, answers illegally or too late loses there and then,
and all others share the first place.
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
from rulewright.games.engine.luck import throw
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
from rulewright.search.listing import followed, listed_decisions
from rulewright.search.results import person
from rulewright.search.thread_arrays import ThreadArrays

Places = tuple[int, ...]
"""The place of each seat, from 1."""


@frozen
class PlayedGame:
    """A finished game: see `GameRecord` for the names.

    `places` are those of two players, too; nobody has a place after a fault of the rules.
    """

    moves: tuple[RecordedMove, ...]
    places: Places
    reason: str
    detail: str
    turns: int
    fixed: bool = False

    @property
    def winner(self) -> int | None:
        """The seat that is first alone; None for nobody."""
        return self.places.index(1) if self.places.count(1) == 1 else None


@frozen
class GameTerms:
    """The terms of a game: limits of all seats, and when it ends early."""

    limits: tuple[GameLimits, ...] = field(factory=lambda: (GameLimits(), GameLimits()))
    longest: int = LONGEST
    adjudication: Adjudication | None = None
    lifeless: Lifeless | None = None
    """Tells positions that nobody can win any more."""
    refused: Refusal = "void"
    """How a game counts in which a program refuses a legal decision."""
    luck: int = 0
    """The seed of what chance decides; the games of a pair have the same."""

    def loser_of(self, seat: int, reason: str) -> int | None:
        """The seat that loses where a player failed; None where that counts for nobody."""
        return None if reason == "refused" and self.refused != "lost" else seat


@define
class _Table:
    """A game under way."""

    state: State
    players: tuple[Player, ...]
    terms: GameTerms
    moves: list[RecordedMove]
    clocks: list[float | None] = field(init=False)
    fixed: bool = True
    """Whether every decision so far would come again."""
    lead: list[float] = field(factory=list)
    """The value of each turn since the opening as the first seat sees it, of its first decision."""

    def __attrs_post_init__(self) -> None:
        self.clocks = [limits.clock for limits in self.terms.limits]

    def end(self, places: Places, reason: str, detail: str) -> PlayedGame:
        fixed = self.fixed and reason in ("rules", "claimed", "long", "adjudicated")
        return PlayedGame(tuple(self.moves), places, reason, detail, len(self.state.turns()), fixed)

    def end_shared(self, reason: str, detail: str) -> PlayedGame:
        """End the game; all share the first place."""
        return self.end((1,) * len(self.players), reason, detail)

    def failed(self, seat: int, failure: Failed) -> PlayedGame:
        """End the game for the failure of a player: it is last, unless that counts for nobody."""
        detail, reason = f"{self.players[seat].name}: {failure}", failure.reason
        if self.terms.loser_of(seat, reason) is None:
            return self.end_shared(reason, detail)
        return self.end(with_last(seat, len(self.players)), reason, detail)

    def run(self) -> PlayedGame:
        while not self.state.over:
            if self.state.ply >= self.terms.longest:
                return self.end_shared("long", f"longer than {amount(self.terms.longest, 'turn')}")
            if self.state.by_chance:
                self._throw()
                continue
            seat = person(self.state)
            try:
                claimed = not self._decide(seat)
            except Failed as failure:
                return self.failed(seat, failure)
            if claimed:
                return self.end_shared("claimed", f"{self.players[seat].name} claims a draw")
            rule = self.terms.adjudication
            agreed = None if rule is None else rule.winner(self.lead)
            if agreed is not None and not self.state.over:
                return self.end(
                    with_last(1 - agreed, 2), "adjudicated", "both players' values agree"
                )
            if self._nobody_wins():
                assert self.terms.lifeless is not None
                detail = f"nobody can win any more, by {self.terms.lifeless.text}"
                return self.end_shared("adjudicated", detail)
        result = self.state.result
        assert result is not None
        detail = f"{result.rule} ({result.place})"
        return self.end(seat_places(self.state, result), "rules", detail)

    def _throw(self) -> None:
        """Let chance decide, and put it on record."""
        text = throw(self.state, self.terms.luck)
        self.moves.append(RecordedMove(text, person(self.state)))
        self.state, self.fixed = followed(self.state, text), False

    def _decide(self, seat: int) -> bool:
        """Ask a player, hold him to the clock and the rules; play, unless he claims a draw."""
        limits, seconds_left = self.terms.limits[seat], self.clocks[seat]
        begins = self.state.turn_begins
        _ = self.state.moves.texts  # what is legal is asked by the referee, and nobody's time
        started = time.perf_counter()
        decision = decision_of(
            self.players[seat], self.state, Clock(limits.seconds, seconds_left, limits.increment)
        )
        seconds = time.perf_counter() - started
        self._charge(seat, seconds)
        if decision.move not in self.state.moves:
            raise Failed("illegal", f"`{decision.move}` is no legal decision here")
        if claims_draw(self.state, decision):
            self.fixed = self.fixed and decision.fixed
            return False
        self.state = followed(self.state, decision.move)
        self.fixed = self.fixed and decision.fixed
        if begins:
            self.lead.append(decision.ahead if seat == 0 else -decision.ahead)
        if seconds_left is not None and (self.state.over or self.state.turn_begins):
            self.clocks[seat] = (self.clocks[seat] or 0.0) + limits.increment
        figures = (
            decision.value, decision.depth, decision.nodes, seconds, decision.searched,
            decision.result,
        )  # fmt: skip
        self.moves.append(RecordedMove(decision.move, seat, *figures))
        return True

    def _charge(self, seat: int, seconds: float) -> None:
        """Take the time of a decision off the clock; being late loses."""
        limits, seconds_left = self.terms.limits[seat], self.clocks[seat]
        if limits.seconds is not None and seconds > limits.seconds + limits.grace:
            raise Failed(
                "time", f"{seconds:.2f} s for a decision, {limits.seconds:g} s are allowed"
            )
        if seconds_left is not None:
            self.clocks[seat] = seconds_left - seconds
            if seconds_left - seconds < -limits.grace:
                raise Failed("time", f"the clock of {limits.clock:g} s has run out")

    def _nobody_wins(self) -> bool:
        """Whether a draw is all that is left, asked after whole turns."""
        lifeless = self.terms.lifeless
        if lifeless is None or self.state.over or not self.state.turn_begins:
            return False
        return lifeless(self.state)


def seat_places(state: State, result: Result) -> Places:
    """The places of all seats in a game which ended so; those of two players are (1, 1) or 1, 2."""
    if result.places:
        return tuple(place for _, place in result.places)
    if result.winner is None:
        return (1, 1)
    return with_last(1 - (state.game.players.index(result.winner) ^ state.swapped), 2)


def with_last(seat: int, seats: int) -> Places:
    """The places where one seat is last and all others share the first place."""
    return tuple(seats if other == seat else 1 for other in range(seats))


def decision_of(player: Player, state: State, clock: Clock) -> Decision:
    """Ask a player for its decision; whatever goes wrong inside it is its failure.

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
    players: tuple[Player, ...],
    opening: Sequence[str] = (),
    seeds: Sequence[int] = (0, 0),
    terms: GameTerms | None = None,
) -> PlayedGame:
    """Play one game; the first player begins, after the decisions of the opening."""
    terms = terms or GameTerms()
    try:
        state, moves = game.start(), list[RecordedMove]()
        listed_decisions(state)
        for text in opening:
            moves.append(RecordedMove(text, person(state)))
            state = followed(state, text)
        table = _Table(state, players, terms, moves)
    except Fault as fault:
        return PlayedGame((), (), "fault", str(fault), 0)
    try:
        for seat, player in enumerate(players):
            failure = not_ready(game, player, terms.limits[seat], seeds[seat])
            if failure is not None:
                return table.failed(seat, failure)
        return table.run()
    except Fault as fault:
        return table.end((), "fault", str(fault))


def not_ready(game: Game, player: Player, limits: GameLimits, seed: int) -> Failed | None:
    """What keeps a player from its first decision, if anything does."""
    try:
        player.start(game, limits, seed)
    except Failed as failure:
        return failure
    except CannotStart:
        raise
    except Exception as error:  # a player may be anybody's program
        return Failed("crash", f"{type(error).__name__}: {error}")
    return None


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
        name, _, value_name = self.text.partition(":")
        if not name or not value_name:
            raise RulewrightError(f"--drawn takes EVALUATOR:VALUE, not `{self.text}`")
        evaluator = load_file(EVALUATOR, self.game, name)
        value = evaluator.value(value_name)
        if value is None or value.of_move:
            names = ", ".join(f"`{v.name}`" for v in evaluator.values if not v.of_move)
            message = f"the evaluator {name} has no value of positions called `{value_name}`"
            raise RulewrightError(f"{message}; it has {names}")
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
