"""What long requests of the page share, its players, and patterns of a position.

In: a state, a limit of seconds, and a `Telling`.  Out: thoughts of players, personalities with
their factors, patterns that fire.  Progress is reported at most four times a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock

from attrs import define, field

from rulewright.app.play.seats import COMPUTER, HUMAN, SEARCH, Seat
from rulewright.app.studio import answers as a
from rulewright.app.studio.drawing import placed_conditions
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import PATTERNS, PERSONALITY
from rulewright.games.files.kinds import FileContext, check_path, files_of, load_file, summary
from rulewright.ground.disk import read_text
from rulewright.ground.scoped import on_part_compiled
from rulewright.model.personality import RESERVED
from rulewright.players.builtin import PersonalityPlayer, SearchPlayer
from rulewright.players.pattern_use import PatternUse, Workbench
from rulewright.players.personality import Personality
from rulewright.search.results import SearchResult, Watch

_BETWEEN = 0.25
"""Seconds between two reports of progress."""
MOST_SECONDS = 600.0
_EXPECTED = 4
"""Decisions of the line that a player expects which the page shows."""
_LOOK = 0.1
"""Seconds between two looks whether a waiting request is still wanted."""
_SHOWN = 12
"""Candidates of a search that are shown at most."""


@define
class Telling:
    """Reports the progress of a long request by `tell`, and asks by `ended` whether to stop.

    What is known of the answer is told, or a `Doing` that says what is done meanwhile.
    """

    tell: Callable[[object], None]
    ended: Callable[[], bool]
    _last: float = field(default=0.0, init=False)
    _parts: int = field(default=0, init=False)
    _began: float = field(factory=time.monotonic, init=False)

    def part(self) -> None:
        """Report that another part is compiled."""
        self._parts += 1
        self.tell(a.Doing("compiling", self._parts, time.monotonic() - self._began))

    def sometimes(self, make: Callable[[], object]) -> None:
        """Report progress, unless the last report was just now."""
        now = time.monotonic()
        if now - self._last >= _BETWEEN:
            self._last = now
            self.tell(make())


@contextmanager
def in_turn(lock: Lock, telling: Telling) -> Iterator[None]:
    """A block that runs alone and tells of each part that it compiles.

    Raises `RulewrightError` where a later request comes before it.
    """
    while not lock.acquire(timeout=_LOOK):
        if telling.ended():
            raise RulewrightError("a newer question has replaced this question")
        telling.sometimes(lambda: a.Doing("waiting"))
    try:
        with on_part_compiled(telling.part):
            yield
    finally:
        lock.release()


def refuse_endless(seconds: float) -> None:
    """Refuse a time limit of 0, or above `MOST_SECONDS`."""
    if not 0 < seconds <= MOST_SECONDS:
        raise RulewrightError(f"thinking takes up to {MOST_SECONDS:.0f} seconds")


@contextmanager
def tell_thoughts(
    seat: Seat, telling: Telling, soon: Event, spelling: Callable[[Sequence[str]], tuple[str, ...]]
) -> Iterator[None]:
    """A block in which a seat that decides tells what it thinks.

    A search that is stopped, or that *soon* hurries, decides by what it has found.  *spelling*
    gives the decisions of a line as people write them.
    """

    def ended() -> bool:
        return soon.is_set() or telling.ended()

    def progress(result: SearchResult) -> bool:
        telling.sometimes(lambda: _thought(result, spelling(result.pv[:_EXPECTED])))
        return ended()

    player = seat.player
    watch = player.watch if isinstance(player, PersonalityPlayer | SearchPlayer) else Watch()
    watch.progress, watch.cancelled = progress, ended
    try:
        yield
    finally:
        watch.progress = watch.cancelled = None


def _thought(result: SearchResult, line: tuple[str, ...]) -> a.Doing:
    return a.Doing(
        "thinking", 0, result.seconds, result.depth, result.value, result.proven, line,
        result.move,
    )  # fmt: skip


def personalities(game: Game) -> Iterator[a.PersonalityShown]:
    """The personalities of a game; only those of a base are checked, as the page cannot wait."""
    builds_on = len(game.rules.names) > 1
    for name, path in sorted(files_of(PERSONALITY, game).items()):
        if not builds_on or check_path(PERSONALITY, path, FileContext(game, path.parent)).ok:
            yield a.PersonalityShown(name, summary(read_text(path, "replace")))


def personality_of(game: Game, name: str) -> Personality:
    """Load a personality of a game by its name; a page names no other files."""
    if name not in files_of(PERSONALITY, game):
        raise RulewrightError(f"{game.name} has no personality `{name}`")
    return Personality.load(name, game)


def refuse_no_sites(state: State, *sites: int) -> None:
    """Refuse numbers that are no sites of the board."""
    board = state.game.rules.board.sites
    for site in sites:
        if not (site >= 0 and board >> site & 1):
            raise RulewrightError(f"there is no site {site} on this board")


def refuse_outsiders(game: Game, *players: str) -> None:
    """Refuse players that are no personality of the game: a page starts no programs."""
    names = {HUMAN, COMPUTER, SEARCH, *RESERVED, *files_of(PERSONALITY, game)}
    for player in players:
        name = player.removeprefix(f"{HUMAN}:").partition("@")[0]
        if name.partition(":")[0] not in names:
            raise RulewrightError(f"`{player}` is no player of {game.name} on this page")


def factors(personality: Personality) -> list[a.FactorShown]:
    """The factors of a personality, with its values."""
    judge = personality.model.evaluator
    pairs = zip(judge.factors if judge else (), personality.model.factors, strict=True)
    return [
        a.FactorShown(
            f.name, float(value), float(f.default), float(f.low), float(f.high),
            f.whole, f.percent, f.unit, f.meaning,
        )
        for f, value in pairs
    ]  # fmt: skip


def whole_where_needed(player: Personality, factors: dict[str, float]) -> dict[str, int | float]:
    """Round the values of factors that are whole numbers."""
    judge = player.model.evaluator
    whole = {f.name for f in judge.factors if f.whole} if judge else set()
    return {n: round(v) if n in whole else v for n, v in factors.items()}


def match_patterns(state: State, name: str) -> a.Matched:
    """Match the patterns of a file, also those that nearly fire; without a name list the files."""
    game = state.game
    files = tuple(sorted(files_of(PATTERNS, game)))
    if not name or state.over:
        return a.Matched(files, (), ())
    if name not in files:
        raise RulewrightError(f"{game.name} has no patterns `{name}`")
    bench = Workbench(game, load_file(PATTERNS, game, name))
    sites = game.rules.board.by_name
    points = tuple(dict.fromkeys(sites[at] for _, at, _ in bench.references(state)))
    uses = [(use, True) for use in bench.fired(state)]
    uses += [(use, False) for use in bench.near(state)]
    fired = (
        a.Fired(
            use.pattern.title, sites[use.site], sites[use.move], str(use), fires,
            _conditions(state, use),
        )
        for use, fires in uses
    )  # fmt: skip
    return a.Matched(files, points, tuple(fired))


def _conditions(state: State, use: PatternUse) -> tuple[a.LaidCondition, ...]:
    site = state.game.rules.board.by_name[use.site]
    return placed_conditions(state, site, use.frame, use.pattern) if use.frame else ()
