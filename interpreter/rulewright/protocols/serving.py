"""Serving a program from outside that speaks to us through standard input and output.

In: lines.  Out: answers, each written at once.  The end of the input ends the service like `quit`;
a mistake of the other side is answered and never ends the service.
"""

from __future__ import annotations

from typing import Protocol, TextIO

from attrs import define, evolve, field

from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.files.games import load_with
from rulewright.players.inside import PersonalityPlayer, RandomPlayer, SearchPlayer
from rulewright.players.personality import Personality
from rulewright.players.player import Clock, Decision, Limits, Player
from rulewright.search.listing import followed, listed

_REHEARSED, _INSTANT = 3, 0.001
"""Decisions of a rehearsal, more than the opening of most personalities has, and their seconds."""
_SPARE, _SHORTEST = 0.05, 0.01
"""Seconds that answering takes besides thinking, and the shortest time to think."""
LONGEST = 1 << 20
"""Characters of a line that are read; what is longer is cut into several lines."""


class Service(Protocol):
    """What answers lines."""

    @property
    def done(self) -> bool:
        """Whether the other side has said good-bye."""

    def answer(self, line: str) -> str:
        """The answer to a line, with all its line ends; empty for none."""


def serve(service: Service, lines: TextIO, out: TextIO) -> None:
    """Answer line by line until the other side says good-bye or its lines end."""
    while not service.done and (line := lines.readline(LONGEST)):
        answer = service.answer(line.strip("\ufeff\r\n\t "))
        if answer:
            out.write(answer)
            out.flush()


@define
class Host:
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
    _limits: Limits | None = field(default=None, init=False)
    _played_for: Game | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.open({})

    def open(self, options: dict[str, object]) -> None:
        """Load the game with options, and let the player read what it needs for it."""
        game = load_with(self.source, self.given | options)
        player = opened(self.who, game)
        self.game, self.player, self._played_for = game, player, None
        self.state = game.start()
        listed(self.state)

    def reseed(self, seed: int) -> None:
        """Draw everything random from another seed from now on."""
        self.seed, self._played_for = seed, None

    def decide(self, clock: Clock, nodes: int | None = None, depth: int | None = None) -> Decision:
        """What the player decides here."""
        limits = Limits(clock.seconds, clock.left, clock.increment, nodes, depth, self.memory)
        listed(self.state)
        self.ready(limits)
        return self.player.choose(self.state, clock)

    def ready(self, limits: Limits | None = None) -> None:
        """Compile what has to be compiled, before any clock runs."""
        limits = limits or Limits(seconds=1.0, memory=self.memory)
        stays = (limits.nodes, limits.depth, limits.timed, limits.memory)
        before = self._limits
        known = before and (before.nodes, before.depth, before.timed, before.memory)
        if self._played_for is not self.game or known != stays:
            self.player.start(self.game, limits, self.seed)
            self._rehearse()
            self.player.start(self.game, limits, self.seed)
            self._played_for, self._limits = self.game, limits

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
