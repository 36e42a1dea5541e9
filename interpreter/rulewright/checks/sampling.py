"""Sampling of positions, from short games and random ones, and what each costs to look at.

In: a game, an effort and a seed.  Out: states; the same seed gives the same states.  What a
position costs is counted in steps of the reference (`ground/budget.py`), which follow from the
clauses of the rules, not from the machine, its load or how the reference is written.  For `check` a
diagnostic says where a person would wait for a position: to list its decisions (every attempt that
a `need` refuses included), or to play one and test the ends.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from random import Random
from typing import TypeVar

from attrs import define, field, frozen

from rulewright.checks.findings import Clause, Finding, PropertyResult, place_of
from rulewright.errors import Fault, OutOfBudget
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.luck import random_decision
from rulewright.ground import budget
from rulewright.ground.budget import Budget, within_steps
from rulewright.ground.limits import LOOKING_STEPS, POSITION_STEPS, SLOW_STEPS
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import Diagnostic
from rulewright.model.courses import Longest
from rulewright.model.rules import Rules, Untested
from rulewright.model.walk import nodes
from rulewright.search.listing import LISTING, PLAYING, moment, too_long

T = TypeVar("T")
STEPS = 150_000
"""Steps of the reference for one file at effort 1: a second or two."""
GAMES = 1000
"""Random games by kernels at effort 1."""
LONGEST = 5000
"""Decisions after which a random game is said not to end."""
_OVERHEAD = 3
"""Steps that anything costs which is asked of the reference."""
_PER_GAME = 4
"""Positions of each random game that are looked at."""
_LATE = 12
"""Decisions before the end of a game, at the most, in which a position is called late."""
_LOOKED = 12
"""Positions of one random game that tell what a game costs."""
_COSTS = 0.25
"""The share of a limited time in which they are looked at."""
_TOO_SLOW = "the first position takes more than a quarter of the time; give more with --time"


@frozen
class Workload:
    """The work of a test: steps of the reference, and random games by kernels."""

    steps: int = STEPS
    games: int = GAMES

    @classmethod
    def of(cls, effort: float, games: int | None = None) -> Workload:
        """The default work times *effort*; *games* overrides the number of random games."""
        number = round(GAMES * effort) if games is None else games
        return cls(round(STEPS * effort), number)


# --- costs ---


@frozen
class Cost:
    """Steps that it takes to list the decisions of a position, and to play one at random."""

    listing: int
    playing: int


def cost_of(game: Game, seed: int) -> Cost:
    """The average cost of the first dozen positions of a random game.

    Where time is limited they are as many as a part of it allows.
    """
    costs: list[Cost] = []
    with suppress(OutOfBudget), budget.share(_COSTS):
        for cost in islice(_costs(game, seed), _LOOKED):
            costs.append(cost)
    if not costs:
        raise OutOfBudget(_TOO_SLOW if budget.seconds_left() else budget.why())
    totals = sum(cost.listing for cost in costs), sum(cost.playing for cost in costs)
    return Cost(totals[0] // len(costs), totals[1] // len(costs))


def _costs(game: Game, seed: int) -> Iterator[Cost]:
    """The cost of each position of a random game, in its order."""
    random, here = Random(seed), game.start()
    while True:
        listing, _ = steps_of(lambda: here.situation.options)  # noqa: B023 - called at once
        playing, following = steps_of(partial(random_step, here, random))
        yield Cost(listing, playing)
        if following is None or following.position.ended is not None:
            return
        here = following


def steps_of(act: Callable[[], T]) -> tuple[int, T | None]:
    """The steps of the reference that *act* takes, and its result; None after a fault.

    Statements are left out: an effort is shared out by what is chosen, tried and called.
    """
    result = None
    with within_steps(sys.maxsize, "") as counted, suppress(Fault):
        result = act()
    return counted.spent - counted.statements + _OVERHEAD, result


# --- random games ---


Step = Callable[[State, Random], "State | None"]
"""The state after a random decision; None at the end."""


def any_decision(state: State, random: Random) -> State | None:
    """The state after one of all decisions; quick where machine code lists them."""
    if state.over:
        return None
    if state.by_chance:
        return state.play_decision(random_decision(state, random))
    moves = state.moves
    return state.play_decision(moves[random.randrange(len(moves))])


def random_step(state: State, random: Random) -> State | None:
    """The state after a random decision that the reference finds without listing all."""
    game = state.game
    if state.position.ended is not None:
        return None
    with game.located():
        option = game.play.sample(state.situation.position, random)
        if option is None:
            return None
        return game.state(game.play.follow(state.situation.position, option), state, option.text)


@frozen
class Walk:
    """A random game: its states, whether it came to an end, the fault that stopped it."""

    states: list[State]
    finished: bool
    fault: Fault | None = None

    @property
    def open(self) -> list[State]:
        """The states in which somebody has to decide."""
        return self.states[:-1] if self.finished else self.states


def walk(game: Game, random: Random, most: int, step: Step = random_step) -> Walk:
    """A random game of so many decisions at the most."""
    states = [game.start()]
    while len(states) <= most:
        try:
            following = step(states[-1], random)
        except Fault as fault:
            return Walk(states, False, fault)
        if following is None:
            return Walk(states, True)
        states.append(following)
    return Walk(states, states[-1].position.ended is not None)


def openings(game: Game, number: int, plies: int, seed: int) -> Iterator[State]:
    """The first plies of some games: what openings are about comes nowhere else."""
    random = Random(seed)
    for _ in range(number):
        yield from (state for state in walk(game, random, plies).states[1:] if not state.over)


def endings(game: Game, number: int, seed: int) -> Iterator[State]:
    """The last positions of some games: searches may value these too."""
    random = Random(seed)
    for _ in range(number):
        yield walk(game, random, LONGEST).states[-1]


def states(game: Game, number: int, seed: int) -> Iterator[State]:
    """States of random games that are not over, from all parts of them; the first is the start."""
    random, remaining_states = Random(seed), number
    while remaining_states > 0:
        open_ = walk(game, random, 200).open
        if not open_:
            return
        numbers = [0] if remaining_states == number else []
        numbers += random.sample(range(len(open_)), min(_PER_GAME, len(open_), remaining_states))
        for index in sorted(set(numbers)):
            remaining_states -= 1
            yield open_[index]


def late_states(game: Game, number: int, seed: int) -> Iterator[State]:
    """States of random games that are not over, few decisions before the end of these."""
    random, remaining_states = Random(seed), number
    while remaining_states > 0:
        late = walk(game, random, 200).open[-_LATE:]
        if not late:
            return
        sample = random.sample(late, min(_PER_GAME, len(late), remaining_states))
        remaining_states -= len(sample)
        yield from sample


def earliest_states(game: Game, number: int, seed: int) -> list[State]:
    """List sampled states of random games as `states` does, those nearest the start first."""
    return sorted(states(game, number, seed), key=lambda state: len(state.decisions()))


def games_of(positions: Sequence[State]) -> int:
    """The number of games that these states are of."""
    return len({id(state.states()[0]) for state in positions})


# --- results ---

Check = Callable[[], Iterator[Finding]]


def results(
    names: Sequence[str], checks: Mapping[str, Check], untested: Sequence[Untested], extent: str
) -> tuple[PropertyResult, ...]:
    """The results of the checks *names*; those of `untested` are skipped with their reason."""
    left_out = {u.what: u.reason for u in untested}
    return tuple(
        PropertyResult(name, skipped=left_out[name])
        if name in left_out
        else PropertyResult(name, tuple(checks[name]()), extent)
        for name in names
    )


def first_shown(
    name: str,
    positions: Iterable[State],
    check: Callable[[State], str | None],
    about: Clause | None = None,
) -> Iterator[Finding]:
    """The finding in the first state of which *check* says something."""
    for state in positions:
        message = check(state)
        if message:
            yield Finding(name, message, tuple(state.decisions()), state.board(), about)
            return


# --- positions to look at ---

_MOST = 400
"""Decisions of a random game that are followed."""
_BREADTH = 0.35
"""The share of the steps that goes into short games."""


def positions(
    game: Game, cost: Cost, steps: int, seed: int, step: Step = random_step
) -> Iterator[State]:
    """States that are worth looking at; each takes the reference about *cost* to list."""
    remaining_steps = steps * _BREADTH
    for state in short_games(game):
        remaining_steps -= cost.listing
        yield state
        if remaining_steps < 0:
            break
    yield from sampled_positions(game, cost, round(steps * (1 - _BREADTH)), seed, step)


def short_games(game: Game) -> Iterator[State]:
    """Yield every position once, those of the shortest games first.

    Where rules look back a position comes once for each way to it.  Decisions that end in a fault
    are left out.
    """
    first, earlier_states = game.start(), set[State]()
    waiting: deque[tuple[State, str]] = deque([(first, "")])
    while waiting:
        before, move = waiting.popleft()
        try:
            state = before.play_decision(move) if move else before
        except Fault:
            continue
        if not game.rules.looks_back:
            if state in earlier_states:
                continue
            earlier_states.add(state)
        yield state
        with suppress(Fault):
            waiting.extend((state, text) for text in state.moves.texts)


def sampled_positions(
    game: Game, cost: Cost, steps: int, seed: int, step: Step = random_step
) -> Iterator[State]:
    """Positions of random games, and how each of these ends."""
    random, remaining_steps = Random(seed), steps
    while remaining_steps > 0:
        game_walk = walk(game, random, _MOST, step)
        open_states = game_walk.open
        numbers = random.sample(range(len(open_states)), min(_PER_GAME, len(open_states)))
        remaining_steps -= cost.listing * (len(numbers) + 1) + cost.playing * len(game_walk.states)
        for index in sorted(numbers):
            yield open_states[index]
        yield game_walk.states[-1]


# --- how long a person waits ---


@define
class _Stopwatch:
    """Counts the steps of positions, and keeps the diagnostic of the slowest."""

    game: Game
    diagnostic: Diagnostic | None = None
    spent: int = 0
    _worst: int = field(default=SLOW_STEPS)

    def at(self, state: State, random: Random) -> State | None:
        """Count the steps of a position; return the next one of a random game, None at its end."""
        self._counted(LISTING, state, lambda: state.situation.outcome)
        return self._counted(PLAYING, state, partial(random_step, state, random))

    def _counted(self, action: str, state: State, act: Callable[[], T]) -> T | None:
        if self._refused:
            return None
        with within_steps(POSITION_STEPS, "") as counted:
            try:
                return act()
            except Fault as fault:
                if state.before is None and fault.code in _BEFORE_ANYTHING:
                    self.diagnostic = cannot_begin(self.game, fault)
                return None  # which is not slow: `test` is about other faults
            except OutOfBudget as spent:
                self._refuse(action, state, counted, spent)
                return None
            finally:
                self.spent += counted.spent
                self._warn(action, state, counted.spent)

    @property
    def _refused(self) -> bool:
        return self.diagnostic is not None and self.diagnostic.severity == "error"

    def _refuse(self, action: str, state: State, counted: Budget, spent: OutOfBudget) -> None:
        if not counted.used_up:
            raise spent
        message = too_long(action, state)
        advice = "choose from fewer values, and let fewer variables run inside each other"
        place = place_of(self.game.rules, spent.origin)
        self.diagnostic = Diagnostic("too-slow", message, place, advice)

    def _warn(self, action: str, state: State, steps: int) -> None:
        if self._refused or steps <= self._worst:
            return
        if state.before is None and state.by_chance:
            return  # a set-up by chance is made once a game
        self._worst = steps
        message = (
            f"{action} takes {amount(steps, 'step')} {moment(state)}, which can be felt in play"
        )
        place = place_of(self.game.rules, self.game.rules.turn)
        self.diagnostic = Diagnostic("slow", message, place, _way_to_stop(self.game.rules))


def _way_to_stop(rules: Rules) -> str:
    """A hint for turns of which all ways are tried, since nothing says that none is longer."""
    parts = (node for node in nodes(rules.course) if isinstance(node, Longest))
    return _CEILING if any(part.by is None for part in parts) else ""


_CEILING = (
    "every way through a `longest` part is tried: `longest by NAME`, where NAME counts up to the "
    "end of its range, stops at a way that none exceeds"
)
_BEFORE_ANYTHING = ("too-many", "stuck")
"""Faults of a position; the reference meets others in what one of its decisions does."""


def cannot_begin(game: Game, fault: Fault) -> Diagnostic:
    """A fault that is met before anybody has played anything."""
    message = f"the game cannot begin: {fault.message}"
    return Diagnostic("cannot-begin", message, place_of(game.rules, fault.origin))


@frozen
class SlowPositions:
    """A diagnostic where positions are slow; the steps that were counted, what was left out."""

    diagnostics: tuple[Diagnostic, ...]
    spent: int = 0
    left_out: str = ""


def waiting(game: Game, seed: int = 0, most: int = _LOOKED) -> list[Diagnostic]:
    """A diagnostic where one of the first *most* positions of a random game is slow."""
    return list(measured_positions(game, seed, most).diagnostics)


def measured_positions(
    game: Game, seed: int = 0, most: int = _LOOKED, steps: int = LOOKING_STEPS
) -> SlowPositions:
    """Count the steps of *most* positions of a random game; of fewer beyond *steps* in all."""
    watch, random = _Stopwatch(game), Random(seed)
    try:
        state: State | None = game.start()
    except Fault as fault:
        return SlowPositions((cannot_begin(game, fault),))
    left_out = ""
    for number in range(most):
        if state is None or state.position.ended:
            break
        if watch.spent > steps:
            left_out = f"{amount(most - number, 'position')} of a random game"
            break
        state = watch.at(state, random)
    return SlowPositions((watch.diagnostic,) if watch.diagnostic else (), watch.spent, left_out)
