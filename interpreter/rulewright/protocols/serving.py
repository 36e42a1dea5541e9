"""Serving a program from outside that speaks to us through standard input and output.

In: lines.  Out: answers, each written at once.  The end of the input ends the service like `quit`;
a mistake of the other side is answered and never ends the service.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Protocol, TextIO

from attrs import define, evolve, field

from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.files.catalog import PERSONALITY
from rulewright.files.games import load_with
from rulewright.files.kinds import files_of
from rulewright.players.inside import PersonalityPlayer, RandomPlayer, SearchPlayer
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, GameLimits, Player
from rulewright.search.listing import followed, listed
from rulewright.search.results import Cancelled, Progress, Watch

_REHEARSED, _INSTANT = 3, 0.001
"""Decisions of a rehearsal, more than the opening of most personalities has, and their seconds."""
_SPARE, _SHORTEST = 0.05, 0.01
"""Seconds that answering takes besides thinking, and the shortest time to think."""
_KEPT = 8
"""Games that a service keeps."""
LONGEST = 1 << 20
"""Characters of a line that are read; what is longer is cut into several lines."""


class Service(Protocol):
    """What answers lines."""

    @property
    def done(self) -> bool:
        """Whether the other side has said good-bye."""

    def answer(self, line: str) -> str:
        """The answer to a line, with all its line ends; empty for none."""


class Interruptible(Service, Protocol):
    """A service that hears lines while it thinks."""

    tell: Callable[[str], None]
    """What it says before its answer is ready."""

    def urgent(self, line: str) -> str | None:
        """The answer to a line that cannot wait for those before it; None: it waits its turn."""

    def hang_up(self) -> None:
        """No more lines will come."""


def serve_beside(service: Interruptible, lines: TextIO, out: TextIO) -> None:
    """Answer as `serve` does, in a thread of its own: lines are read while an answer is found."""
    waiting, writing = SimpleQueue[str | None](), Lock()

    def write(text: str) -> None:
        with writing:
            out.write(text)
            out.flush()

    failed: list[BaseException] = []

    def work() -> None:
        try:
            while not service.done and (line := waiting.get()) is not None:
                write(service.answer(line))
        except BaseException as error:  # told by the thread that others know of
            failed.append(error)

    service.tell = write
    worker = Thread(target=copy_context().run, args=(work,), daemon=True)
    worker.start()
    while worker.is_alive() and (read := lines.readline(LONGEST)):
        line = read.strip("\ufeff\r\n\t ")
        answer = service.urgent(line)
        if answer is None:
            waiting.put(line)
        elif answer:
            write(answer)
        if line == "quit":
            break
    service.hang_up()
    waiting.put(None)
    worker.join()
    if failed:
        raise failed[0]


def serve(service: Service, lines: TextIO, out: TextIO) -> None:
    """Answer line by line until the other side says good-bye or its lines end."""
    while not service.done and (line := lines.readline(LONGEST)):
        answer = service.answer(line.strip("\ufeff\r\n\t "))
        if answer:
            out.write(answer)
            out.flush()


@define
class _Opened:
    """A game, who plays it, and the limits of time and work with which that was rehearsed."""

    game: Game
    player: Player
    rehearsed: set[tuple[object, ...]] = field(factory=set)


@define
class GameService:
    """A game and a player who decides in it: what all services have in common.

    `who` is a personality, `computer` or `random`; `given` are options that the caller has set.
    """

    source: str
    who: str = "computer"
    given: dict[str, object] = field(factory=dict)
    seed: int = 0
    memory: int = 64
    player: Player = field(init=False)
    game: Game = field(init=False)
    state: State = field(init=False)
    halt: Event = field(factory=Event, init=False)
    """Set by whoever wants the answer that is thought about now."""
    thinking: bool = field(default=False, init=False)
    _ready_for: tuple[object, ...] | None = field(default=None, init=False)
    """The limits for which the player has begun to play, if it has."""
    _now: _Opened = field(init=False)
    _opened: dict[tuple[object, ...], _Opened] = field(factory=dict, init=False)
    """Those of the last few players and options: the same boards are asked for again and again."""

    def __attrs_post_init__(self) -> None:
        self.open({})

    def open(self, options: dict[str, object]) -> None:
        """Load the game with options, and let the player read what it needs for it."""
        options = self.given | options
        asked = (self.who, *sorted(options.items()))
        if asked not in self._opened:
            game = load_with(self.source, options)
            listed(game.start())
            self._opened[asked] = _Opened(game, opened(self.who, game))
            if len(self._opened) > _KEPT:
                del self._opened[next(iter(self._opened))]
        self._now, self._ready_for = self._opened[asked], None
        self.game, self.player = self._now.game, self._now.player
        self.state = self.game.start()

    def reseed(self, seed: int) -> None:
        """Draw everything random from another seed from now on."""
        self.seed, self._ready_for = seed, None

    def seat(self, who: str) -> None:
        """Another player decides from now on."""
        self.player, self.who, self._ready_for = opened(who, self.game), who, None
        self._now = _Opened(self.game, self.player)

    @property
    def personalities(self) -> list[str]:
        """The names of the personalities that the game has."""
        return sorted(files_of(PERSONALITY, self.game))

    def decide(
        self,
        clock: Clock,
        nodes: int | None = None,
        depth: int | None = None,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Decision:
        """What the player decides here; *progress* and *cancelled* as for a search."""
        limits = GameLimits(clock.seconds, clock.left, clock.increment, nodes, depth, self.memory)
        listed(self.state)
        self.ready(limits)
        plays = self.player
        watch = plays.watch if isinstance(plays, PersonalityPlayer | SearchPlayer) else Watch()
        watch.progress, watch.cancelled, self.thinking = progress, cancelled, True
        try:
            return self.player.choose(self.state, clock)
        finally:
            watch.progress = watch.cancelled = None
            self.thinking = False

    def ready(self, limits: GameLimits | None = None) -> None:
        """Compile what has to be compiled, before any clock runs."""
        limits = limits or GameLimits(seconds=1.0, memory=self.memory)
        stays = (limits.nodes, limits.depth, limits.timed, limits.memory)
        if self._ready_for == stays:
            return
        if stays not in self._now.rehearsed:
            self.player.start(self.game, limits, self.seed)
            self._rehearse()
            self._now.rehearsed.add(stays)
        self.player.start(self.game, limits, self.seed)
        self._ready_for = stays

    def _rehearse(self) -> None:
        """Let the player decide in no time: the first decision compiles what it judges by."""
        state = self.game.start()
        for _ in range(_REHEARSED):
            if not state.over:
                self.player.choose(state, Clock(_INSTANT))
                state = followed(state, state.moves.texts[0])


def opened(who: str, game: Game) -> Player:
    """A player of our own by its name."""
    if who == "random":
        return RandomPlayer()
    if who == "computer":
        return SearchPlayer()
    return PersonalityPlayer(who, Personality.load(who, game))


def one_line(error: RulewrightError) -> str:
    """The message of an error in one line."""
    return " ".join(str(error).split())


def less_answering(clock: Clock, share: float) -> Clock:
    """The clock less what answering may take: *share* of each time, or a little more."""

    def less(seconds: float | None) -> float | None:
        if seconds is None:
            return None
        return max(_SHORTEST, seconds - max(_SPARE, share * seconds))

    return evolve(clock, seconds=less(clock.seconds), left=less(clock.left))
