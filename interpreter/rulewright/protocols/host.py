"""A game and a player who decides in it, in time, for a program from outside.

In: options, positions, clocks.  Out: decisions.  Whoever asks is never kept waiting: code is
compiled beside, and where the player is not ready, or late, what is known by then decides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from random import Random
from typing import Any

from attrs import define, evolve, field

from rulewright.budget import LONGEST as EVER
from rulewright.budget import within_seconds
from rulewright.codegen.arrays import reserved
from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.files.catalog import PERSONALITY
from rulewright.files.games import load_with
from rulewright.files.kinds import files_of
from rulewright.players.inside import PersonalityPlayer, RandomPlayer, SearchPlayer, budget
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, GameLimits, Player
from rulewright.protocols.formats import formats
from rulewright.protocols.serving import MEMORY, Requests, whole_number
from rulewright.search.beside import Beside
from rulewright.search.fallback import plain_search
from rulewright.search.listing import followed, listed
from rulewright.search.results import MEBIBYTE, Cancelled, Limits, Progress, SearchResult, Watch

COMPUTER = "computer"
"""The player who knows the rules alone."""
_REHEARSED, _INSTANT = 3, 0.001
"""Decisions of a rehearsal, more than the opening of most personalities has, and their seconds."""
_SPARE, _SHORTEST = 0.05, 0.01
"""Seconds that answering takes besides thinking, and the shortest time to think."""
_WAITING, _LATE, _STOPPING = 0.5, 0.1, 0.2
"""The shares of a decision's time for which a player that is not ready is waited for, and by which
a decision may be late; the seconds after which the answer of one that is stopped is due."""
_LOOK = 0.02
"""Seconds between two looks at whether a decision is still waited for."""
_ATTEMPTS = 20
"""How often a decision is drawn where listing all of them fails."""
_KEPT = 8
"""Games that a service keeps."""


@define
class KnownLine:
    """The position that was told last, with the states before it, which are not played again."""

    start: State | None = None
    texts: list[str] = field(factory=list)
    states: list[State] = field(factory=list)
    """Those after each of the texts."""

    def known(self, start: State, texts: Sequence[str]) -> int:
        """How many of the texts have been played from there."""
        if self.start is None or not self.start.same(start):
            return 0
        pairs = enumerate(zip(self.texts, texts, strict=False))
        alike = min(len(self.texts), len(texts))
        return next((number for number, (old, new) in pairs if old != new), alike)

    def keep(self, start: State, texts: Sequence[str], known: int, more: list[State]) -> None:
        """Keep what was played after those that were known."""
        self.start, self.texts = start, list(texts)
        self.states[known:] = more


@define(eq=False)
class Thought:
    """What a player thinks beside; when it is `dropped` nobody waits for it any more."""

    progress: Progress | None
    cancelled: Cancelled | None
    dropped: bool = False
    last: SearchResult | None = None

    def tell(self, found: SearchResult) -> object:
        """Hear what is known after an iteration; a true answer ends the search."""
        if self.dropped:
            return True
        self.last = found
        return self.progress is not None and self.progress(found)

    def ended(self) -> bool:
        """Whether an answer is wanted now, or none any more."""
        return self.dropped or (self.cancelled is not None and self.cancelled())

    def wait(self, work: Beside[Any], until: float | None) -> bool:
        """Wait for the work, but not past *until*, nor long after somebody wants the answer now."""
        while not work.done.wait(_LOOK):
            now = time.perf_counter()
            if self.ended():
                until = min(until or EVER, now + _STOPPING)
                return work.done.wait(max(0.0, until - now))
            if until is not None and now >= until:
                return False
        return True


@define
class _Opened:
    """A game, who plays it, and the limits of time and work with which that was rehearsed."""

    game: Game
    player: Player
    rehearsed: set[tuple[object, ...]] = field(factory=set)
    ready_for: tuple[object, ...] | None = None
    """The limits for which the player has begun to play, if it has."""


@define
class GameService:
    """A game and a player who decides in it: what all services have in common.

    `who` is a personality, `computer` or `random`; unsaid, the best that the game has.  `given` are
    options that the caller has set.
    """

    source: str
    who: str = ""
    given: dict[str, object] = field(factory=dict)
    seed: int = 0
    memory: int = 64
    player: Player = field(init=False)
    game: Game = field(init=False)
    state: State = field(init=False)
    requests: Requests = field(factory=Requests, init=False)
    thinking: bool = field(default=False, init=False)
    stand_in: str = field(default="", init=False)
    """What decided last in place of the player, if anything did."""
    leaving: bool = field(default=False, init=False)
    """Whether the other side has said good-bye and waits for nothing."""
    _line: KnownLine = field(factory=KnownLine, init=False)
    _now: _Opened = field(init=False)
    _opened: dict[tuple[object, ...], _Opened] = field(factory=dict, init=False)
    """Those of the last few players and options: the same boards are asked for again and again."""
    _busy: Beside[Any] | None = field(default=None, init=False)
    """What a player still does beside: as it may run kernels, nobody else does meanwhile."""

    def __attrs_post_init__(self) -> None:
        self.use_memory(self.memory)
        self.open({})

    # --- games and players ---

    def open(self, options: dict[str, object]) -> None:
        """Load the game with options, and let the player read what it needs for it."""
        options = self.given | options
        if not self.who:
            self.who = formats(load_with(self.source, options)).play.best or COMPUTER
        asked = (self.who, *sorted(options.items()))
        if asked not in self._opened:
            game = load_with(self.source, options)
            listed(game.start())
            self._opened[asked] = _Opened(game, opened(self.who, game))
            if len(self._opened) > _KEPT:
                del self._opened[next(iter(self._opened))]
        self._now = self._opened[asked]
        self._now.ready_for = None
        self.game, self.player = self._now.game, self._now.player
        self.state = self.game.start()

    def reseed(self, seed: int) -> None:
        """Draw everything random from another seed from now on."""
        self.seed, self._now.ready_for = seed, None

    def seat(self, who: str) -> None:
        """Another player decides from now on."""
        self.player, self.who = opened(who, self.game), who
        self._now = _Opened(self.game, self.player)

    def use_memory(self, mebibytes: int) -> None:
        """Let searches take so much from now on; refuses more than there is."""
        memory = whole_number(str(mebibytes), "memory in MiB", 1, MEMORY)
        reserved(memory * MEBIBYTE)
        self.memory = memory

    @property
    def personalities(self) -> list[str]:
        """The names of the personalities that the game has."""
        return sorted(files_of(PERSONALITY, self.game))

    # --- positions ---

    def follow(
        self, start: State, texts: Sequence[str], play: Callable[[State, str], State] = State.play
    ) -> None:
        """Go to the state that *texts* lead to; where one cannot be played nothing changes."""
        known, more = self._line.known(start, texts), list[State]()
        state = self._line.states[known - 1] if known else start
        self.thinking = True
        try:
            with self._compiling_nothing():
                for text in texts[known:]:
                    if self.leaving:
                        raise RulewrightError("the other side has said good-bye")
                    state = play(state, text)
                    more.append(state)
        finally:
            self.thinking = False
        self._line.keep(start, texts, known, more)
        self.state = state

    def _compiling_nothing(self) -> AbstractContextManager[object]:
        """While code is compiled beside nothing is compiled here too."""
        busy = self._busy is not None and not self._busy.done.is_set()
        return within_seconds(EVER, 0, "") if busy else nullcontext()

    # --- deciding ---

    def decide(
        self,
        clock: Clock,
        nodes: int | None = None,
        depth: int | None = None,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Decision:
        """What the player decides here, in time; *progress* and *cancelled* as for a search.

        A player that is not ready in time, or late, does not keep anybody waiting: then the best
        that is known decides, or the rules' own reference.
        """
        begun, seconds = time.perf_counter(), budget(clock)
        limits = GameLimits(
            clock.seconds, clock.left, clock.increment, nodes, depth, self.memory, 2 * _SPARE
        )
        thought, now, state, seed = Thought(progress, cancelled), self._now, self.state, self.seed
        with self._compiling_nothing():
            texts = listed(state)
        until = None if seconds is None else begun + seconds + max(_SPARE, _LATE * seconds)

        def think() -> Decision:
            _get_ready(now, limits, seed)
            spent = time.perf_counter() - begun if clock.seconds is not None else 0.0
            return _chosen(now.player, state, _less(clock, spent), thought)

        self.thinking, self.stand_in = True, ""
        try:
            if self._free(thought, None if seconds is None else begun + _WAITING * seconds):
                work = Beside(think)
                if thought.wait(work, until):
                    return work.result()
                self._busy = work
            thought.dropped = True
            return self._known(thought) or self._stopgap(state, until, cancelled, texts[0])
        finally:
            self.thinking = False

    def _known(self, thought: Thought) -> Decision | None:
        """What a search that nobody waits for has found so far."""
        found, self.stand_in = thought.last, ""
        return None if found is None else _as_decision(found)

    def _stopgap(
        self, state: State, until: float | None, cancelled: Cancelled | None, first: str
    ) -> Decision:
        """What the reference finds in the time that is left, else the first legal decision."""
        thought = Thought(None, cancelled)
        seconds = 0.0 if until is None else until - time.perf_counter()
        if seconds > _SHORTEST and not thought.ended():
            limits = Limits(seconds * (1 - _LATE))
            work = Beside(lambda: plain_search(state, limits, 0, thought.ended))
            if thought.wait(work, until):
                with suppress(RulewrightError):
                    found = work.result()
                    self.stand_in = "code is still being compiled: the reference has decided"
                    return _as_decision(found)
            thought.dropped = True
        self.stand_in = "nothing was found in time: this is the first legal decision"
        return Decision(first)

    def _free(self, thought: Thought, until: float | None) -> bool:
        """Whether nothing is done beside any more, waiting until then."""
        if self._busy is None or thought.wait(self._busy, until):
            self._busy = None
        return self._busy is None

    def prepare(self) -> None:
        """Begin to compile what has to be compiled; only the next decision waits for it."""
        if self._busy is None or self._busy.done.is_set():
            now, limits, seed = self._now, self._usual(), self.seed
            self._busy = Beside(lambda: _get_ready(now, limits, seed))

    def ready(self) -> None:
        """Compile what has to be compiled, before any clock runs."""
        _get_ready(self._now, self._usual(), self.seed)

    def _usual(self) -> GameLimits:
        return GameLimits(seconds=1.0, memory=self.memory)

    def any_decision(self) -> str | None:
        """Some legal decision whatever is wrong, also where a rule has drawn the game; or none."""
        state, play = self.state, self.state.game.play
        position = play.unended(state.situation.position)
        with suppress(RulewrightError):
            if not state.over:
                return state.moves.texts[0]
            if state.result is None or state.result.winner is not None:
                return None
        for seed in range(_ATTEMPTS):  # another one may not meet the fault
            with suppress(RulewrightError):
                found = play.sample(position, Random(seed))
                return None if found is None else found.text
        return None


def _get_ready(opened: _Opened, limits: GameLimits, seed: int) -> None:
    """Have everything compiled that decisions within these limits ask for."""
    work = (limits.nodes, limits.depth, limits.timed)
    if opened.ready_for == (*work, limits.memory):
        return
    opened.player.start(opened.game, limits, seed)
    if work not in opened.rehearsed:
        _rehearse(opened)
        opened.rehearsed.add(work)
        opened.player.start(opened.game, limits, seed)
    opened.ready_for = (*work, limits.memory)


def _rehearse(opened: _Opened) -> None:
    """Let the player decide in no time: the first decision compiles what it judges by."""
    state = opened.game.start()
    for _ in range(_REHEARSED):
        if not state.over:
            opened.player.choose(state, Clock(_INSTANT))
            state = followed(state, state.moves.texts[0])


def _chosen(player: Player, state: State, clock: Clock, thought: Thought) -> Decision:
    """The decision of a player, who is looked on at."""
    watch = player.watch if isinstance(player, PersonalityPlayer | SearchPlayer) else Watch()
    watch.progress, watch.cancelled = thought.tell, thought.ended
    try:
        return player.choose(state, clock)
    finally:
        watch.progress = watch.cancelled = None


def _as_decision(found: SearchResult) -> Decision:
    return Decision(found.move, found.value, found.depth, found.nodes)


def _less(clock: Clock, spent: float) -> Clock:
    """The clock of a decision that was begun a while ago."""
    if clock.seconds is None:
        return clock
    return evolve(clock, seconds=max(_SHORTEST, clock.seconds - spent))


def opened(who: str, game: Game) -> Player:
    """A player of our own by its name."""
    if who == "random":
        return RandomPlayer()
    if who == COMPUTER:
        return SearchPlayer()
    return PersonalityPlayer(who, Personality.load(who, game))


def less_answering(clock: Clock, share: float) -> Clock:
    """The clock less what answering may take: *share* of each time, or a little more."""

    def less(seconds: float | None) -> float | None:
        if seconds is None:
            return None
        return max(_SHORTEST, seconds - max(_SPARE, share * seconds))

    return evolve(clock, seconds=less(clock.seconds), left=less(clock.left))
