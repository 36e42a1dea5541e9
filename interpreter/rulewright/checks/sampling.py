"""What is tried, and how much of it: positions of short games and of random ones, and their cost.

In: a game, an effort and a seed.  Out: states; the same seed gives the same states.  What a
position costs is counted in steps of the reference (`budget.py`), which follow from the clauses of
the rules, not from the machine, its load or how the reference is written.  For `check` a diagnostic
says where a person would wait for a position: to list its decisions (every attempt that a `need`
refuses included), or to play one and test the ends.
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

from rulewright import budget
from rulewright.budget import Budget, within_steps
from rulewright.checks.findings import Clause, Finding, PropertyResult, place_of
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, OutOfBudget
from rulewright.language.diagnostics import Diagnostic
from rulewright.language.limits import LOOKING_STEPS, POSITION_STEPS, SLOW_STEPS
from rulewright.model.rules import Untested
from rulewright.printable import amount
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
_LATE = 12
"""Decisions before the end of a game, at the most, in which a position is called late."""
_LOOKED = 12
"""Positions of one random game that tell what a game costs."""
_COSTS = 0.25
"""The share of a limited time in which they are looked at."""
_TOO_SLOW = "the first position takes more than a quarter of the time; give more with --time"


@frozen
class Workload:
    """What may be tried: steps of the reference, and random games by kernels."""

    steps: int = STEPS
    games: int = GAMES

    @classmethod
    def of(cls, effort: float, games: int | None = None) -> Workload:
        """So many times what is tried by default; *games* says how many random games."""
        number = round(GAMES * effort) if games is None else games
        return cls(round(STEPS * effort), number)


# --- costs ---


@frozen
class Cost:
    """Steps that it takes to list the decisions of a position, and to play one at random."""

    listing: int
    playing: int


def cost_of(game: Game, seed: int) -> Cost:
    """What the first dozen positions of a random game cost, on average.

    Where time is limited they are as many as a part of it allows.
    """
    found: list[Cost] = []
    with suppress(OutOfBudget), budget.share(_COSTS):
        for one in islice(_costs(game, seed), _LOOKED):
            found.append(one)
    if not found:
        raise OutOfBudget(_TOO_SLOW if budget.left() else budget.why())
    return Cost(
        sum(one.listing for one in found) // len(found),
        sum(one.playing for one in found) // len(found),
    )


def _costs(game: Game, seed: int) -> Iterator[Cost]:
    """What each position of a random game costs."""
    random, here = Random(seed), game.start()
    while True:
        listing, _ = steps_of(lambda: here.situation.options)  # noqa: B023 - called at once
        playing, following = steps_of(partial(stepped, here, random))
        yield Cost(listing, playing)
        if following is None or following.position.ended is not None:
            return
        here = following


def steps_of(act: Callable[[], T]) -> tuple[int, T | None]:
    """How many steps of the reference it takes, and what comes of it; nothing after a fault.

    Statements are left out: an effort is shared out by what is chosen, tried and called.
    """
    found = None
    with within_steps(sys.maxsize, "") as counted, suppress(Fault):
        found = act()
    return counted.spent - counted.statements + _OVERHEAD, found


# --- random games ---


Step = Callable[[State, Random], "State | None"]
"""The state after a random decision; None at the end."""


def any_decision(state: State, random: Random) -> State | None:
    """The state after one of all decisions; quick where machine code lists them."""
    if state.over:
        return None
    moves = state.moves
    return state.play_decision(moves[random.randrange(len(moves))])


def stepped(state: State, random: Random) -> State | None:
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


def walk(game: Game, random: Random, most: int, step: Step = stepped) -> Walk:
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
    random, found = Random(seed), 0
    while found < number:
        open_ = walk(game, random, 200).open
        if not open_:
            return
        chosen = [] if found else [0]
        chosen += random.sample(range(len(open_)), min(4, len(open_), number - found))
        for index in sorted(set(chosen)):
            found += 1
            yield open_[index]


def late_states(game: Game, number: int, seed: int) -> Iterator[State]:
    """States of random games that are not over, few decisions before the end of these."""
    random, found = Random(seed), 0
    while found < number:
        late = walk(game, random, 200).open[-_LATE:]
        if not late:
            return
        chosen = random.sample(late, min(4, len(late), number - found))
        found += len(chosen)
        yield from chosen


def earliest_states(game: Game, number: int, seed: int) -> list[State]:
    """The same states, those after the fewest decisions first."""
    return sorted(states(game, number, seed), key=lambda state: len(state.decisions()))


def games_of(looked: Sequence[State]) -> int:
    """How many games these states are of."""
    return len({id(state.states()[0]) for state in looked})


# --- what comes of it ---

Check = Callable[[], Iterator[Finding]]


def results(
    names: Sequence[str], checks: Mapping[str, Check], untested: Sequence[Untested], looked: str
) -> tuple[PropertyResult, ...]:
    """What the checks of so many properties find, but for those that are left out."""
    left_out = {u.what: u.reason for u in untested}
    return tuple(
        PropertyResult(name, skipped=left_out[name])
        if name in left_out
        else PropertyResult(name, tuple(checks[name]()), looked)
        for name in names
    )


def first_shown(
    name: str,
    looked: Iterable[State],
    check: Callable[[State], str | None],
    about: Clause | None = None,
) -> Iterator[Finding]:
    """The finding in the first state of which *check* says something."""
    for state in looked:
        message = check(state)
        if message:
            yield Finding(name, message, tuple(state.decisions()), state.board(), about)
            return


# --- positions to look at ---

_MOST = 400
"""Decisions of a random game that are followed."""
_PER_GAME = 4
"""Positions of each random game that are looked at, and its end."""
_BREADTH = 0.35
"""The share of the steps that goes into short games."""


def positions(
    game: Game, cost: Cost, steps: int, seed: int, step: Step = stepped
) -> Iterator[State]:
    """States that are worth looking at; each takes the reference about *cost* to list."""
    left = steps * _BREADTH
    for state in short_games(game):
        left -= cost.listing
        yield state
        if left < 0:
            break
    yield from sampled(game, cost, round(steps * (1 - _BREADTH)), seed, step)


def short_games(game: Game) -> Iterator[State]:
    """Every position once, those of the shortest games first (each on every way, with repeats).

    Decisions are played when their turn comes, but for those that a fault keeps from being.
    """
    first, known = game.start(), set[State]()
    waiting: deque[tuple[State, str]] = deque([(first, "")])
    while waiting:
        before, move = waiting.popleft()
        try:
            state = before.play_decision(move) if move else before
        except Fault:
            continue
        if not game.rules.looks_back:
            if state in known:
                continue
            known.add(state)
        yield state
        with suppress(Fault):
            waiting.extend((state, text) for text in state.moves.texts)


def sampled(game: Game, cost: Cost, steps: int, seed: int, step: Step = stepped) -> Iterator[State]:
    """Positions of random games, and how each of these ends."""
    random, left = Random(seed), steps
    while left > 0:
        found = walk(game, random, _MOST, step)
        open_ = found.open
        chosen = random.sample(range(len(open_)), min(_PER_GAME, len(open_)))
        left -= cost.listing * (len(chosen) + 1) + cost.playing * len(found.states)
        for index in sorted(chosen):
            yield open_[index]
        yield found.states[-1]


# --- how long a person waits ---


@define
class _Wait:
    """What was found slow so far, and what looking took."""

    game: Game
    found: Diagnostic | None = None
    spent: int = 0
    _worst: int = field(default=SLOW_STEPS)

    def at(self, state: State, random: Random) -> State | None:
        """Look at a position; the next one of the game, None where there is nothing to go on to."""
        self._counted(LISTING, state, lambda: state.situation.outcome)
        return self._counted(PLAYING, state, partial(stepped, state, random))

    def _counted(self, what: str, state: State, act: Callable[[], T]) -> T | None:
        if self._refused:
            return None
        with within_steps(POSITION_STEPS, "") as counted:
            try:
                return act()
            except Fault as fault:
                if state.before is None and fault.code in _BEFORE_ANYTHING:
                    self.found = cannot_begin(self.game, fault)
                return None  # which is not slow: `test` is about other faults
            except OutOfBudget as spent:
                self._refuse(what, state, counted, spent)
                return None
            finally:
                self.spent += counted.spent
                self._warn(what, state, counted.spent)

    @property
    def _refused(self) -> bool:
        return self.found is not None and self.found.severity == "error"

    def _refuse(self, what: str, state: State, counted: Budget, spent: OutOfBudget) -> None:
        if not counted.used_up:
            raise spent
        message = too_long(what, state)
        advice = "choose from fewer values, and let fewer variables run inside each other"
        place = place_of(self.game.rules, spent.origin)
        self.found = Diagnostic("too-slow", message, place, advice)

    def _warn(self, what: str, state: State, steps: int) -> None:
        if self._refused or steps <= self._worst:
            return
        self._worst = steps
        message = f"{what} takes {amount(steps, 'step')} {moment(state)}, which can be felt in play"
        place = place_of(self.game.rules, self.game.rules.turn)
        self.found = Diagnostic("slow", message, place)


_BEFORE_ANYTHING = ("too-many", "stuck")
"""Faults of a position; the reference meets others in what one of its decisions does."""


def cannot_begin(game: Game, fault: Fault) -> Diagnostic:
    """A fault that is met before anybody has played anything."""
    message = f"the game cannot begin: {fault.message}"
    return Diagnostic("cannot-begin", message, place_of(game.rules, fault.origin))


@frozen
class Looked:
    """What is slow, one diagnostic at most; the steps that looking took, what was left alone."""

    found: tuple[Diagnostic, ...]
    spent: int = 0
    left_out: str = ""


def waiting(game: Game, seed: int = 0, most: int = _LOOKED) -> list[Diagnostic]:
    """What is slow in the first position or in some of a random game: one diagnostic at most."""
    return list(looked_at(game, seed, most).found)


def looked_at(game: Game, seed: int = 0, most: int = _LOOKED, steps: int = LOOKING_STEPS) -> Looked:
    """What looking at *most* positions shows, or at fewer where these take more than *steps*."""
    look, random = _Wait(game), Random(seed)
    try:
        state: State | None = game.start()
    except Fault as fault:
        return Looked((cannot_begin(game, fault),))
    left_out = ""
    for number in range(most):
        if state is None or state.position.ended:
            break
        if look.spent > steps:
            left_out = f"{amount(most - number, 'position')} of a random game"
            break
        state = look.at(state, random)
    return Looked((look.found,) if look.found else (), look.spent, left_out)
