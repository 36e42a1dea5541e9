"""A game and its player, which decides in time for a program from outside.

In: options, positions, clocks.  Out: decisions.  Nobody who asks is kept waiting: code is compiled
in a thread, and if the player is not ready or late, the best result known by then decides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from random import Random
from threading import Lock
from typing import Any

from attrs import define, evolve, field

from rulewright.compiler.arrays import require_memory
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import PERSONALITY
from rulewright.games.files.games import load_with
from rulewright.games.files.kinds import files_of
from rulewright.ground.budget import LONGEST as EVER
from rulewright.ground.budget import within_seconds
from rulewright.matches.protocols.format_settings import formats
from rulewright.matches.protocols.serving import MEMORY, Requests, whole_number
from rulewright.players.builtin import PersonalityPlayer, RandomPlayer, SearchPlayer, budget
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, GameLimits, Player
from rulewright.search.background import BackgroundWork
from rulewright.search.fallback import plain_search
from rulewright.search.listing import followed, listed_decisions
from rulewright.search.results import (
    MEBIBYTE,
    Cancelled,
    Limits,
    SearchResult,
    Solved,
    Watch,
    refuse_secrets,
)

COMPUTER = "computer"
"""The player that knows the rules alone."""
_REHEARSED, _INSTANT = 3, 0.001
"""Decisions of a rehearsal, more than most opening books have, and the seconds of each."""
ANSWERING, _SHORTEST_THINKING = 0.05, 0.01
"""Seconds kept for answering, and the shortest time to think."""
_WAITING, _LATE, _STOPPING = 0.5, 0.1, 0.2
"""Shares of a decision's time to wait for a busy player, and to be late; seconds until a stop."""
_LOOK_SECONDS = 0.02
"""Seconds between two looks whether a decision was stopped."""
_ATTEMPTS = 20
"""Random decisions that are tried where listing all of them fails."""
_MOST_LINES = 8
"""Games that a service keeps loaded."""


@define
class KnownLine:
    """The last position that was sent, with the states before it: a prefix is not played again."""

    start: State | None = None
    texts: list[str] = field(factory=list)
    states: list[State] = field(factory=list)
    """The state after each of the texts."""

    def common_length(self, start: State, texts: Sequence[str]) -> int:
        """Count the texts that have been played already from this start."""
        if self.start is None or not self.start.same(start):
            return 0
        pairs = enumerate(zip(self.texts, texts, strict=False))
        alike = min(len(self.texts), len(texts))
        return next((number for number, (old, new) in pairs if old != new), alike)

    def keep(self, start: State, texts: Sequence[str], count: int, states: list[State]) -> None:
        """Keep *states* after the first *count* ones."""
        self.start, self.texts = start, list(texts)
        self.states[count:] = states


@define(eq=False)
class Thought:
    """A decision in the making, in a thread; if it is `dropped` nobody waits for it any more."""

    watch: Watch
    dropped: bool = False
    last: SearchResult | None = None
    _reporting: Lock = field(factory=Lock)
    """Held while a report is passed on: none comes after the answer, however slow its thread is."""

    def tell(self, result: SearchResult) -> object:
        """Take the result of an iteration; a true answer ends the search."""
        with self._reporting:
            if self.dropped:
                return True
            self.last = result
            return self.watch.progress is not None and self.watch.progress(result)

    def look(self, move: str, number: int) -> None:
        """Pass on which move is being searched."""
        with self._reporting:
            if self.watch.looking is not None and not self.dropped:
                self.watch.looking(move, number)

    def drop(self) -> None:
        """Wait for this decision no more: nothing is passed on from here."""
        with self._reporting:
            self.dropped = True

    def is_over(self) -> bool:
        """Whether the search should end now."""
        return self.dropped or (self.watch.cancelled is not None and self.watch.cancelled())

    def allows(self, text: str) -> bool:
        """Whether a decision may be made."""
        return self.watch.only is None or text in self.watch.only

    def first(self, state: State) -> str:
        """The first decision that may be made."""
        return next(text for text in state.moves.texts if self.allows(text))

    def wait(self, work: BackgroundWork[Any], until: float | None) -> bool:
        """Wait for the work up to the time *until*, or shortly after a stop; whether it is done."""
        now = time.perf_counter()
        while not work.completion.wait(_LOOK_SECONDS if until is None else _look(until - now)):
            now = time.perf_counter()
            if self.is_over():
                until = min(until or EVER, now + _STOPPING)
                return work.completion.wait(max(0.0, until - now))
            if until is not None and now >= until:
                return False
        return True


@define
class _LoadedGame:
    """A loaded game, its player, and the limits for which the player was rehearsed."""

    game: Game
    player: Player
    rehearsed: set[tuple[object, ...]] = field(factory=set)
    ready_for: tuple[object, ...] | None = None
    """The limits for which the player was started last."""


@define
class GameService:
    """A game and its player: the common part of all protocols.

    `player_name` is a personality, `computer` or `random`; by default the best that the game has.
    `overrides` are options that the caller has set.
    """

    source: str
    player_name: str = ""
    overrides: dict[str, object] = field(factory=dict)
    seed: int = 0
    memory: int = 64
    threads: int = 1
    player: Player = field(init=False)
    game: Game = field(init=False)
    state: State = field(init=False)
    requests: Requests = field(factory=Requests, init=False)
    thinking: bool = field(default=False, init=False)
    stand_in: str = field(default="", init=False)
    """Says what made the last decision in place of the player; empty if the player did."""
    leaving: bool = field(default=False, init=False)
    """Whether the other side has quit and waits for nothing."""
    _line: KnownLine = field(factory=KnownLine, init=False)
    _now: _LoadedGame = field(init=False)
    _loaded: dict[tuple[object, ...], _LoadedGame] = field(factory=dict, init=False)
    """The last few players with their options: the same boards are asked for again and again."""
    _busy: BackgroundWork[Any] | None = field(default=None, init=False)
    """The work of a player that is still running; nobody else runs kernels meanwhile."""

    def __attrs_post_init__(self) -> None:
        self.use_memory(self.memory)
        self.open({})

    # --- games and players ---

    def open(self, options: dict[str, object]) -> None:
        """Load the game with options, and its player; games loaded lately are kept."""
        options = self.overrides | options
        if not self.player_name:
            self.player_name = formats(load_with(self.source, options)).play.best or COMPUTER
        key = (self.source, self.player_name, *sorted(options.items()))
        if key not in self._loaded:
            game = load_with(self.source, options)
            refuse_secrets(game, "a protocol, which sends all decisions,")
            listed_decisions(game.start())
            self._loaded[key] = _LoadedGame(game, load_player(self.player_name, game))
            if len(self._loaded) > _MOST_LINES:
                del self._loaded[next(iter(self._loaded))]
        self._now = self._loaded[key]
        self._now.ready_for = None
        self.game, self.player = self._now.game, self._now.player
        self.state = self.game.start()

    def reseed(self, seed: int) -> None:
        """Use another seed from now on."""
        self.seed, self._now.ready_for = seed, None

    def seat(self, player_name: str) -> None:
        """Load another player, which decides from now on."""
        self.player, self.player_name = load_player(player_name, self.game), player_name
        self._now = _LoadedGame(self.game, self.player)

    def use_memory(self, mebibytes: int) -> None:
        """Set the memory of searches; raises `RulewrightError` for more than there is."""
        memory = whole_number(str(mebibytes), "memory in MiB", 1, MEMORY)
        require_memory(memory * MEBIBYTE)
        self.memory = memory

    def use_threads(self, count: int) -> None:
        """Let so many threads search together."""
        self.threads = count

    def change(self, source: str) -> None:
        """Go over to another game, with the best of its players."""
        self.source, self.player_name, self.overrides = source, "", {}
        self.open({})

    @property
    def personalities(self) -> list[str]:
        """The names of the game's personalities."""
        return sorted(files_of(PERSONALITY, self.game))

    # --- positions ---

    def follow(
        self, start: State, texts: Sequence[str], play: Callable[[State, str], State] = State.play
    ) -> None:
        """Go to the state that *texts* lead to; changes nothing if one of them raises an error."""
        count, states = self._line.common_length(start, texts), list[State]()
        state = self._line.states[count - 1] if count else start
        self.thinking = True
        try:
            with self._compiling_nothing():
                for text in texts[count:]:
                    if self.leaving:
                        raise RulewrightError("the other program has ended the session")
                    state = play(state, text)
                    states.append(state)
        finally:
            self.thinking = False
        self._line.keep(start, texts, count, states)
        self.state = state

    def _compiling_nothing(self) -> AbstractContextManager[object]:
        """A block in which nothing is compiled while a thread compiles."""
        busy = self._busy is not None and not self._busy.completion.is_set()
        return within_seconds(EVER, 0, "") if busy else nullcontext()

    # --- deciding ---

    def decide(
        self,
        clock: Clock,
        nodes: int | None = None,
        depth: int | None = None,
        watch: Watch | None = None,
    ) -> Decision:
        """Let the player decide in time, while somebody watches.

        If the player is not ready in time, or late, the best result known by then decides, else a
        search of the reference, else the first legal decision.
        """
        start, seconds = time.perf_counter(), budget(clock)
        limits = GameLimits(
            clock.seconds, clock.reserve, clock.increment, nodes, depth, self.memory,
            2 * ANSWERING, self.threads,
        )  # fmt: skip
        thought, now, state, seed = Thought(watch or Watch()), self._now, self.state, self.seed
        with self._compiling_nothing():
            texts = [text for text in listed_decisions(state) if thought.allows(text)]
        until = None if seconds is None else start + seconds + max(ANSWERING, _LATE * seconds)

        def think() -> Decision:
            _prepare_player(now, limits, seed)
            seconds_gone = time.perf_counter() - start if clock.seconds is not None else 0.0
            return _watched_decision(now.player, state, _less(clock, seconds_gone), thought)

        self.thinking, self.stand_in = True, ""
        try:
            if self._free(thought, None if seconds is None else start + _WAITING * seconds):
                work = BackgroundWork(think)
                if thought.wait(work, until):
                    return work.result()
                self._busy = work
            thought.drop()
            return self._last_result(thought) or self._stopgap(state, until, thought, texts[0])
        finally:
            self.thinking = False

    def prove(self, seconds: float | None, is_over: Cancelled) -> Solved | None:
        """Prove the value of the state, with the shortest win; None where that takes too long."""
        from rulewright.search.solve import solve  # loads kernels that decisions do not need

        thought, state = Thought(Watch(cancelled=is_over)), self.state
        until = None if seconds is None else time.perf_counter() + seconds
        limits = Limits(seconds, None, None, self.memory * MEBIBYTE, self.threads)
        self.thinking = True
        try:
            if not self._free(thought, until):
                return None
            work = BackgroundWork(
                lambda: solve(state, limits, shortest=True, cancelled=thought.is_over)
            )
            if thought.wait(work, None if until is None else until + ANSWERING):
                return work.result()
            self._busy = work
            thought.drop()
            return None
        finally:
            self.thinking = False

    def _last_result(self, thought: Thought) -> Decision | None:
        """The decision of the last iteration of a search that nobody waits for; None before one."""
        result, self.stand_in = thought.last, ""
        return None if result is None else _as_decision(result)

    def _stopgap(self, state: State, until: float | None, before: Thought, first: str) -> Decision:
        """Decide by the reference in the time that is left, else by the first legal decision."""
        thought = Thought(Watch(cancelled=before.watch.cancelled))
        seconds = 0.0 if until is None else until - time.perf_counter()
        if seconds > _SHORTEST_THINKING and not thought.is_over():
            limits = Limits(seconds * (1 - _LATE))
            work = BackgroundWork(lambda: plain_search(state, limits, 0, thought.is_over))
            if thought.wait(work, until):
                with suppress(RulewrightError):
                    result = work.result()
                    if not before.allows(result.move):
                        return Decision(first)
                    self.stand_in = "code is still being compiled: the reference has decided"
                    return _as_decision(result)
            thought.drop()
        self.stand_in = "there was no time for a search: this is the first legal decision"
        return Decision(first)

    def _free(self, thought: Thought, until: float | None) -> bool:
        """Wait for work that is still running up to the time *until*; whether it has ended."""
        if self._busy is None or thought.wait(self._busy, until):
            self._busy = None
        return self._busy is None

    def prepare(self) -> None:
        """Begin to compile in a thread; only the next decision waits for it."""
        if self._busy is None or self._busy.completion.is_set():
            now, limits, seed = self._now, self._usual(), self.seed
            self._busy = BackgroundWork(lambda: _prepare_player(now, limits, seed))

    def ready(self) -> None:
        """Compile now, before any clock runs."""
        _prepare_player(self._now, self._usual(), self.seed)

    def _usual(self) -> GameLimits:
        """Limits for compiling before the limits of a decision are known."""
        return GameLimits(seconds=1.0, memory=self.memory, threads=self.threads)

    def any_decision(self) -> str | None:
        """Some legal decision, also where a rule has drawn the game; None if there is none."""
        state, play = self.state, self.state.game.play
        position = play.unended(state.situation.position)
        with suppress(RulewrightError):
            if not state.over:
                return state.moves.texts[0]
            if state.result is None or state.result.winner is not None:
                return None
        for seed in range(_ATTEMPTS):  # another decision may not meet the fault
            with suppress(RulewrightError):
                decision = play.sample(position, Random(seed))
                return None if decision is None else decision.text
        return None


def _prepare_player(loaded: _LoadedGame, limits: GameLimits, seed: int) -> None:
    """Start a player, and compile everything that decisions within these limits need."""
    work = (limits.nodes, limits.depth, limits.timed)
    resources = limits.memory, limits.threads
    if loaded.ready_for == (*work, *resources):
        return
    loaded.player.start(loaded.game, limits, seed)
    if work not in loaded.rehearsed:
        _rehearse(loaded)
        loaded.rehearsed.add(work)
        loaded.player.start(loaded.game, limits, seed)
    loaded.ready_for = (*work, *resources)


def _rehearse(loaded: _LoadedGame) -> None:
    """Let the player decide in almost no time: the first decision compiles its evaluator."""
    state = loaded.game.start()
    for _ in range(_REHEARSED):
        if not state.over:
            if not state.by_chance:
                loaded.player.choose(state, Clock(_INSTANT))
            state = followed(state, state.moves.texts[0])


def _watched_decision(player: Player, state: State, clock: Clock, thought: Thought) -> Decision:
    """Let a player decide while its search is watched."""
    watch = player.watch if isinstance(player, PersonalityPlayer | SearchPlayer) else Watch()
    looking = thought.look if thought.watch.looking is not None else None
    watch.take(
        evolve(thought.watch, progress=thought.tell, cancelled=thought.is_over, looking=looking)
    )
    try:
        decision = player.choose(state, clock)
    finally:
        watch.take(Watch())
    return decision if thought.allows(decision.move) else Decision(thought.first(state))


def _as_decision(result: SearchResult) -> Decision:
    return Decision(result.move, result.value, result.depth, result.nodes)


def _less(clock: Clock, seconds: float) -> Clock:
    """The clock of a decision that was begun so many seconds ago."""
    if clock.seconds is None:
        return clock
    return evolve(clock, seconds=max(_SHORTEST_THINKING, clock.seconds - seconds))


def load_player(player_name: str, game: Game) -> Player:
    """Load a player by its name: `random`, `computer` or a personality."""
    if player_name == "random":
        return RandomPlayer()
    if player_name == COMPUTER:
        return SearchPlayer()
    return PersonalityPlayer(player_name, Personality.load(player_name, game))


def _look(seconds: float) -> float:
    """The time until the next look whether a decision was stopped, which has so many seconds."""
    return max(0.0, min(_LOOK_SECONDS, seconds))


def less_answering(clock: Clock, share: float, least: float = ANSWERING) -> Clock:
    """The clock without the time kept for answering: *share* of each time, *least* at the least.

    An increment pays for its own answer first: a small one is for answering alone.
    """

    def less(seconds: float | None) -> float | None:
        if seconds is None:
            return None
        return max(_SHORTEST_THINKING, seconds - max(least, share * seconds))

    increment = max(0.0, clock.increment - least)
    return evolve(
        clock, seconds=less(clock.seconds), reserve=less(clock.reserve), increment=increment
    )
