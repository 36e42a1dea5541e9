"""The players that rulewright has itself: a personality, the plain search, chance.

In: a game and limits.  Out: decisions, see `player.py`.  Limits that a personality's search has no
use for are refused: nothing is ignored silently.  Before a clock runs, code is compiled for so
long; work that is late goes on beside, and as it ends by running kernels, nobody else runs kernels
meanwhile: the next one who gets ready waits for it.  Code is quick at first, and careful later.
Who has to decide before there is any waits for it as long as the clock allows; then the reference
plays, and a decision for which there was no search says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from contextvars import ContextVar
from functools import partial
from random import Random
from threading import Lock

from attrs import define, evolve, field

from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.engine.sight import open_game
from rulewright.ground.budget import seconds_left, within_seconds
from rulewright.ground.scoped import set_temporarily
from rulewright.model import personality as m
from rulewright.players.choose import ChosenDecision
from rulewright.players.machine import ScoreMemory, SearchResources
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, GameLimits
from rulewright.search.background import BackgroundWork
from rulewright.search.best import best, first_decision, open_search
from rulewright.search.completions import Completions
from rulewright.search.fallback import plain_search
from rulewright.search.results import (
    MEBIBYTE,
    Limits,
    SearchResult,
    Watch,
    counting_searches,
    told_result,
)
from rulewright.search.sampled import sampled_decision

NODES = 10_000
"""What the plain search may use where nothing limits it."""
_FIRST = 0.01
"""Seconds of a search that is there to have everything compiled."""
_COMPILED = 0.5
"""The share of a decision's time for which code that is not ready is waited for."""
_PATIENCE = 0.25
"""The share of a game's clock for which it is."""
DECISIONS_LEFT = 30
"""Among how many decisions the rest of a clock is divided."""


def budget(clock: Clock) -> float | None:
    """The seconds that a decision should take: its limit, or a share of what is left."""
    limits = [] if clock.seconds is None else [clock.seconds]
    if clock.reserve is not None:
        share = clock.reserve / DECISIONS_LEFT + 0.8 * clock.increment
        limits.append(max(0.001, min(share, clock.reserve / 2)))
    return min(limits) if limits else None


def _waits(clock: Clock, seconds: float) -> bool:
    """Wait for searches under compilation as long as the clock allows; whether none is left."""
    most = _COMPILED * seconds
    if clock.seconds is None and clock.reserve is not None:
        most = max(most, _PATIENCE * clock.reserve)
    return _queue().wait(most)


def _in_time(seconds: float, limits: GameLimits | None) -> AbstractContextManager[object]:
    """Ends what a decision does when it is late, soon enough to play something before it loses."""
    grace = (limits or GameLimits()).grace / 2
    return within_seconds(seconds, grace, f"no decision was found within {seconds:g} s")


SECONDS = 10.0
"""What getting ready may take where decisions are limited by time, of a processor's as well."""
_BUSY = 6
"""How many times as long it may take where other processes have the processors."""
_LOOK = 0.05
"""Seconds between two looks at what getting ready has taken."""


@define(eq=False)
class WarmUp:
    """Get players ready, one after the other; each may hold its caller up for *limit* seconds."""

    limit: float = SECONDS
    _last: BackgroundWork[None] | None = None
    _lock: Lock = field(factory=Lock, init=False, repr=False)

    def do(self, work: Callable[[], None]) -> None:
        """Do the work; what takes longer than the limit goes on in its thread."""
        with self._lock:
            before = self._last

            def in_turn() -> None:
                if before is not None:
                    before.completion.wait()
                work()

            mine = self._last = BackgroundWork(in_turn)
        if self._is_done(mine):
            with self._lock:
                if self._last is mine:  # or another has begun to wait since
                    self._last = None
            mine.result()

    def _is_done(self, work: BackgroundWork[None]) -> bool:
        """Whether work is done in time."""
        start, work_start = time.perf_counter(), time.process_time()
        while not work.completion.wait(min(self.limit, _LOOK)):
            seconds, own = time.perf_counter() - start, time.process_time() - work_start
            if seconds > self.limit and (own > self.limit or seconds > _BUSY * self.limit):
                return False
        return True

    def wait(self, seconds: float) -> bool:
        """Wait up to *seconds* for the work that goes on; return whether none is left."""
        last = self._last
        return last is None or last.completion.wait(seconds)


warming = WarmUp()
"""That of this process."""
_QUEUE: ContextVar[WarmUp | None] = ContextVar("warming", default=None)


def own_queue(own: WarmUp) -> AbstractContextManager[None]:
    """A block whose players wait for others of *own* alone, and not for all of the process."""
    return set_temporarily(_QUEUE, own)


def _queue() -> WarmUp:
    return _QUEUE.get() or warming


def _warm_up(personality: Personality) -> None:
    """Have all compiled that decisions will ask for, before a clock runs."""
    load_engine(personality.game, quick=True)
    picks = [pick for pick in personality.model.picks if pick.how == "best"]
    sides = [side for p in picks if (c := p.condition) for side in (c.first, c.second)]
    names = {p.value for p in picks} | {side for side in sides if isinstance(side, str)}
    with within_seconds(_BUSY * SECONDS, 0, ""):
        for name in sorted(names):
            with suppress(RulewrightError):  # what is wrong will be told where it is met
                personality.root(personality.game.start(), name, Random(0), _FIRST)


@define
class RandomPlayer:
    """Plays any legal decision, all of them alike."""

    name: str = "random"
    _random: Random = field(factory=Random, init=False)

    def start(self, game: Game, limits: GameLimits, seed: int) -> None:
        """Begin a game."""
        self._random = Random(seed)

    def choose(self, state: State, clock: Clock) -> Decision:
        """Any of the legal decisions."""
        return Decision(self._random.choice(state.moves.texts))

    def close(self) -> None:
        """Nothing is held."""


@define
class SearchPlayer:
    """The search that knows the rules alone."""

    name: str = "computer"
    watch: Watch = field(factory=Watch)
    _limits: GameLimits = field(factory=GameLimits, init=False)
    _random: Random = field(factory=Random, init=False)
    _warm: Game | None = field(default=None, init=False)
    _completions: dict[int, Completions] = field(factory=dict, init=False)
    """What fits the observations of this game, by the colour that is played."""

    def start(self, game: Game, limits: GameLimits, seed: int) -> None:
        """Begin a game; the first time compiles the rules."""
        self._limits, self._random = limits.or_nodes(NODES), Random(seed)
        self._completions.clear()
        game = open_game(game)
        if not limits.timed:
            load_engine(game, quick=True)
        elif self._warm is not game:
            self._warm = game
            _queue().do(partial(self._warm_up, game))

    def _warm_up(self, game: Game) -> None:
        load_engine(game, quick=True)
        quick = Limits(_FIRST, memory=self._limits.memory * MEBIBYTE)
        with suppress(RulewrightError), within_seconds(_BUSY * SECONDS, 0, ""):
            best(game.start(), quick, 0)  # what is wrong will be told where it is met

    def choose(self, state: State, clock: Clock) -> Decision:
        """Choose the decision that the plain search finds best."""
        limits = self._limits
        memory = limits.memory * MEBIBYTE
        within = Limits(budget(clock), limits.nodes, limits.depth, memory, limits.threads)
        seed = self._random.getrandbits(30)
        if state.game.rules.has_secrets:
            answer = self._sampled(state, within, seed)
        elif within.seconds is None:
            answer = self._best(state, within, seed)
        else:
            compiled = _waits(clock, within.seconds)
            try:
                with _in_time(within.seconds, limits):
                    answer = self._search(state, within, seed, compiled)
            except OutOfBudget:
                answer = first_decision(state)
        numbers = answer.value, answer.depth, answer.nodes
        sure = answer.proven if answer.distance else ""
        result = f"{sure} in {answer.distance}" if sure else ""
        return Decision(answer.move, *numbers, searched=answer.searched, result=result)

    def _sampled(self, state: State, within: Limits, seed: int) -> SearchResult:
        """In a game with secrets: by what fits all that was observed."""
        player = state.position.mover
        if player not in self._completions:
            self._completions[player] = Completions(state.game, player, Random(seed))
        return sampled_decision(state, within, seed, open_search, self._completions[player])

    def _search(self, state: State, within: Limits, seed: int, compiled: bool) -> SearchResult:
        """By machine code, or by the reference where that is still being compiled."""
        if compiled:
            return self._best(state, within, seed)
        short = evolve(within, seconds=seconds_left() or _FIRST)
        return plain_search(state, short, seed, self.watch.cancelled)

    def _best(self, state: State, within: Limits, seed: int) -> SearchResult:
        watch = self.watch
        answer = best(
            state, within, seed, only=watch.only, lines=watch.lines,
            progress=watch.progress, cancelled=watch.cancelled,
        )  # fmt: skip
        if watch.progress is not None:
            watch.progress(answer)
        return answer

    def close(self) -> None:
        """Nothing is held."""


@define
class PersonalityPlayer:
    """A personality; what it has thought of one position it still knows in the next game."""

    name: str
    personality: Personality
    watch: Watch = field(factory=Watch)
    tells_line: bool = False
    """Whether a decision has the line that is expected, which takes a while to write."""
    _ready: Personality | None = field(default=None, init=False)
    _limits: GameLimits | None = field(default=None, init=False)
    _random: Random = field(factory=Random, init=False)

    def start(self, game: Game, limits: GameLimits, seed: int) -> None:
        """Begin a game; the first time compiles rules and evaluator."""
        if self._ready is None or limits != self._limits:
            model = limited(self.personality.model, limits)
            resources = SearchResources(
                limits.memory * MEBIBYTE, not self.tells_line, self.watch, limits.threads, True
            )
            self._ready = evolve(
                self.personality, model=model, score_memory=ScoreMemory(), resources=resources
            )
            self._limits = limits
            if self._ready.timed(limits.seconds or limits.clock):
                _queue().do(partial(_warm_up, self._ready))
            else:
                load_engine(game, quick=True)
        self._random = Random(seed)

    def choose(self, state: State, clock: Clock) -> Decision:
        """Choose as the personality does, with the value of the line that it expects."""
        assert self._ready is not None
        seconds, chance = budget(clock), self._random.getstate()
        with counting_searches() as spent:
            decision = self._decide(self._ready, state, clock)
        free = self._ready.timed(seconds) or self._ready.resources.threads > 1
        fixed = not free and self._random.getstate() == chance
        nodes = spent.nodes or None
        line = decision.line
        result = told_result(line.score) if line else ""
        value = None if line is None or result else line.score[1]
        expected = line.moves if line and self.tells_line else ()
        return Decision(
            decision.move, value, spent.depth, nodes, fixed, decision.searched, result, expected
        )

    def _decide(self, personality: Personality, state: State, clock: Clock) -> ChosenDecision:
        """What the personality decides, by the reference while there is no code."""
        seconds, start = budget(clock), time.perf_counter()
        if seconds is None:
            return personality.decide(state, self._random)
        own = personality.limits(seconds).seconds or seconds  # it may think shorter by itself
        compiled, waited = _waits(clock, own), time.perf_counter() - start
        late = 0.0 if clock.seconds is None else waited
        if compiled:
            share = max(_FIRST, seconds - late)
            with suppress(OutOfBudget), _in_time(share, self._limits):
                return personality.decide(state, self._random, share)
            late = own - (self._limits or GameLimits()).grace / 8  # half of it is gone
        return personality.stopgap(state, self._random, max(_FIRST, own - late))

    def close(self) -> None:
        """Forget what was thought."""
        self._ready = None


def limited(model: m.Personality, limits: GameLimits) -> m.Personality:
    """The personality with the depth and nodes of *limits* in place of its own.

    Its own time goes then too, so that the same limits give the same games on every machine.
    Raises `RulewrightError` for a search that they mean nothing to.
    """
    values = {"depth": limits.depth, "nodes": limits.nodes}
    numbers = {name: value for name, value in values.items() if value is not None}
    return evolve(model, search=_limited_search(model, numbers))


def with_depth(model: m.Personality, depth: int) -> m.Personality:
    """The personality with another depth, where its search has one; its other limits stay."""
    return _with_settings(model, ("depth",), lambda s: evolve(s, value=depth, factor=None))


def within_time(model: m.Personality, seconds: float) -> m.Personality:
    """The personality with other seconds for a decision, where its search has a time."""
    return _with_settings(
        model, ("time",), lambda s: evolve(s, value=seconds, unit="s", factor=None)
    )


def longer(model: m.Personality, times: int) -> m.Personality:
    """The personality with so many times the time and the nodes, where it has limits."""
    return _with_settings(
        model,
        ("time", "nodes"),
        lambda s: s if isinstance(s.value, str) else evolve(s, value=s.value * times),
    )


def _with_settings(
    model: m.Personality, names: tuple[str, ...], change: Callable[[m.Setting], m.Setting]
) -> m.Personality:
    """Change the settings of a search that have one of these names."""
    settings = tuple(change(s) if s.name in names else s for s in model.search.settings)
    return evolve(model, search=evolve(model.search, settings=settings))


def _limited_search(model: m.Personality, limits: Mapping[str, int]) -> m.Search:
    search = model.search
    if search.kind in ("random", "one_ply"):
        return search  # it looks no further than the next decision, which is within every limit
    for name in limits:
        if name not in m.KINDS[search.kind].settings:
            message = f"{model.name} searches by {search.kind}, which takes no {name}"
            raise RulewrightError(f"{message}; limit the match by something else")
    if not limits:
        return search
    units = {s.name: s.unit for s in search.settings}
    others = tuple(s for s in search.settings if s.name not in (*limits, "time"))
    settings = tuple(
        m.Setting(n, v, units.get(n, m.SETTINGS[n].units[0])) for n, v in limits.items()
    )
    return evolve(search, settings=(*others, *settings))
