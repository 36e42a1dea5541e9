"""What patterns do in a position and over games: the workbench behind `rulewright patterns`.

In: a state, or games, and a pattern file.  Out: plain records: which patterns fire where and for
whom, what stands in the way of the others, and how often each was of use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import Any

from attrs import define, field, frozen

from rulewright.compiler.layout import Unsupported
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.kernels import load_engine
from rulewright.games.files.catalog import PATTERNS
from rulewright.games.files.kinds import load_file
from rulewright.games.render.markup import rich
from rulewright.model.board import Step, bits
from rulewright.model.patterns import Frame, Pattern, Patterns
from rulewright.reference.matching import Fired, Matcher, Near, ReferencePoint, placements
from rulewright.reference.position import Position
from rulewright.search.candidates import Proposing


@frozen
class PatternUse:
    """A pattern at a point: whose point, where, how it lies, the decision it is about.

    `failed` is the first condition that does not hold (if any), `failing` how many there are.
    """

    pattern: Pattern
    player: str
    site: str
    direction: str
    mirrored: bool
    move: str
    failed: str = ""
    line: int = 0
    failing: int = 0
    own: bool = True
    """Whether the pattern stands in the file itself, not in one that it uses."""
    frame: Frame | None = field(default=None, eq=False)
    """How it lies on the board."""

    def __str__(self) -> str:
        way = ", mirrored" if self.mirrored else ""
        place = f"{self.pattern.title} at {self.player}'s {self.site} {self.direction}{way}"
        if not self.failing:
            return f"{self.move}  {place}"
        where = f"line {self.line}" if self.own else f"{self.pattern.file}:{self.line}"
        obstacle = f"`{self.failed}` ({where})" if self.failed else "the move is not legal"
        rest = f" and {self.failing - 1} more" if self.failing > 1 else ""
        return f"{self.move}  {place}: fails at {obstacle}{rest}"

    def as_data(self) -> dict[str, Any]:
        """The record with the names that JSON has."""
        return {
            "pattern": self.pattern.name, "kind": self.pattern.kind, "player": self.player,
            "at": self.site, "direction": self.direction, "mirrored": self.mirrored,
            "move": self.move, "failed": self.failed, "line": self.line, "failing": self.failing,
        }  # fmt: skip


@frozen
class PassedUse:
    """What the nearest pattern would do at a point around which none is tried, and why none is."""

    use: PatternUse
    why: str

    def __str__(self) -> str:
        failure = f"fails there too, at `{self.use.failed}`" if self.use.failed else ""
        effect = failure or "cannot: the move is not legal" if self.use.failing else "would fire"
        point = f"{self.use.player}'s {self.use.site} {self.use.direction}"
        return f"{point}: {self.why}; {self.use.pattern.title} {effect}"

    def as_data(self) -> dict[str, Any]:
        """The record with the names that JSON has."""
        return {**self.use.as_data(), "why": self.why}


@frozen(eq=False)
class Workbench:
    """A pattern file at work on its game."""

    game: Game
    file: Patterns
    matcher: Matcher = field(init=False, repr=False)
    _fast: Proposing | None = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "matcher", Matcher(self.game.play, self.file))
        object.__setattr__(self, "_fast", _compile(self.game, self.file))

    def proposals(self, position: Position) -> dict[str, tuple[int, ...]]:
        """The decisions that patterns propose to the player to move, each with its patterns."""
        legal = placements(self.game.play, position)
        sites = self.sites(position) if legal else {}
        return {legal[site]: patterns for site, patterns in sites.items() if site in legal}

    def sites(self, position: Position) -> dict[int, tuple[int, ...]]:
        """The sites that patterns propose, legal or not, each with its patterns."""
        return (self._fast or self.matcher).proposals(position)

    def points(self, position: Position, player: int) -> list[ReferencePoint]:
        """The reference points of *player* in a position."""
        if self._fast is None or not self.file.around:
            return self.matcher.references(position, player)
        ends = self._fast.path_ends(position, player)
        ways = self.matcher.directions[player]
        return [
            ReferencePoint(site, way)
            for way, mask in zip(ways, ends, strict=True)
            for site in bits(mask)
        ]

    def references(self, state: State) -> list[tuple[str, str, str]]:
        """The reference points of all players: whose, where, in which direction."""
        position = state.situation.position
        return [
            (self.game.players[player], *self._place(at.site, at.direction))
            for _, player in self.matcher.users(position)
            for at in self.matcher.references(position, player)
        ]

    def fired(self, state: State) -> list[PatternUse]:
        """The patterns that fire for the player to move."""
        position = state.situation.position
        return [self._use(position, firing) for firing in self.matcher.fired(position)]

    def near(self, state: State, most: int = 1) -> list[PatternUse]:
        """Patterns that would fire but for at most so many conditions."""
        position = state.situation.position
        misses = self.matcher.near(position)
        return [self._use(position, miss) for miss in misses if 0 < miss.number <= most]

    def why(self, position: Position, hole: str) -> list[PatternUse]:
        """Every way in which *hole* could be proposed, with what stands in the way."""
        site = self.game.rules.board.by_name[hole]
        return [self._use(position, n) for n in self.matcher.near(position, site)]

    def not_looked_at(self, position: Position, hole: str) -> list[PassedUse]:
        """Pieces from which a pattern would reach *hole*, but around which none is tried.

        Those come first from which a pattern would propose it.
        """
        site = self.game.rules.board.by_name[hole]
        uses = []
        for defends, player in self.matcher.users(position):
            for piece in self.matcher.not_looked_at(position, player):
                ways = self.matcher.reaching(position, piece.at, defends, site)
                if ways:
                    uses.append(PassedUse(self._use(position, ways[0]), piece.why))
        return sorted(uses, key=lambda passed: passed.use.failing)

    def _place(self, site: int, direction: Step) -> tuple[str, str]:
        board = self.game.rules.board
        return board.names[site], board.direction_name(direction)

    def _use(self, position: Position, match: Fired | Near) -> PatternUse:
        pattern = self.file.patterns[match.pattern]
        owners = enumerate(self.game.players)
        player = next(name for owner, name in owners if position.owned[owner] >> match.at.site & 1)
        condition = match.failed if isinstance(match, Near) else None
        return PatternUse(
            pattern, player, *self._place(match.at.site, match.frame.ahead), match.frame.mirrored,
            self.game.rules.board.names[match.move], str(condition or ""),
            condition.line if condition else 0, match.number if isinstance(match, Near) else 0,
            PurePath(pattern.file).stem == self.file.name, match.frame,
        )  # fmt: skip


@frozen(repr=False)
class Proposals:
    """What the patterns of a file propose in a position: `uses` in the order of the file."""

    file: str
    uses: tuple[PatternUse, ...]

    def __repr__(self) -> str:
        moves = dict.fromkeys(use.move for use in self.uses)
        return f"<Proposals of {self.file}: {' '.join(moves) or 'none'}>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What a notebook shows: each pattern with where it looks from."""
        rows = ((u.move, u.pattern.title, u.player, u.site, u.direction) for u in self.uses)
        return rich(self, ("decision", "pattern", "of", "from", "looking"), rows)


def patterns(state: State, name: str | Path = "") -> Proposals:
    """What the patterns of a file propose to whoever is to move; unsaid, those named as the game.

    Raises `TextError` with every mistake of the file.
    """
    file = load_file(PATTERNS, state.game, name)
    uses = () if state.over else tuple(Workbench(state.game, file).fired(state))
    return Proposals(file.name, uses)


def tell_ways(bench: Workbench, position: Position, hole: str, most: int = 8) -> list[str]:
    """Why *hole* is proposed or not: *most* ways, and as many points that are passed over."""
    ways = bench.why(position, hole)
    fires = any(not use.failing for use in ways)
    mover = bench.game.players[position.mover]
    lines = [f"{hole} is {'' if fires else 'not '}proposed to {mover}"]
    lines += [str(use) for use in ways[:most]] or ["no pattern reaches it from a reference point"]
    others = [] if fires else bench.not_looked_at(position, hole)
    if others:
        lines += ["", "no reference points, so that nothing is tried there:"]
        lines += [str(use) for use in others[:most]]
        lines += [f"... and {len(others) - most} more"] * (len(others) > most)
    elif not ways:
        lines.append("nor from any other piece")
    return lines


def _compile(game: Game, file: Patterns) -> Proposing | None:
    """The patterns compiled, where they can be."""
    engine = load_engine(game, quick=True)
    if isinstance(engine, str):
        return None
    try:
        return Proposing.of(engine, file)
    except Unsupported:
        return None


# --- over many games ---


@define
class Count:
    """How often a pattern fired (once a position), proposed what was played, and what was best."""

    pattern: Pattern
    fired: int = 0
    matches: int = 0
    best: int = 0
    covered: set[int] = field(factory=set)
    """The patterns that proposed all that it proposed so far."""


@frozen
class PatternCoverage:
    """How often the patterns of a file fired, proposed and decided over some games."""

    games: int
    positions: int
    empty: int
    """Positions in which nothing fired."""
    proposed: int
    """Decisions played that were proposed by some pattern."""
    counts: tuple[Count, ...]


Best = Callable[[State, list[str]], str]
"""The best of some decisions of a state."""


def cover(
    bench: Workbench,
    games: Iterable[State],
    best: Best | None = None,
    on_board: Callable[[State], Workbench] | None = None,
) -> PatternCoverage:
    """Count over every position of *games*, each given by its last state.

    *on_board* gives the same patterns for the board of a game, when games have several.
    """
    counts = [Count(pattern) for pattern in bench.file.patterns]
    number = positions = empty = proposed = 0
    for game in games:
        number += 1
        board = on_board(game) if on_board else bench
        for state, after in zip(states := game.states(), states[1:], strict=False):
            sites = board.proposals(state.situation.position)
            positions += 1
            empty += not sites
            proposed += after.move in sites
            top = best(state, list(sites)) if best and sites else ""
            _count(counts, sites, after.move, top)
    return PatternCoverage(number, positions, empty, proposed, tuple(counts))


def _count(counts: list[Count], sites: dict[str, tuple[int, ...]], played: str, top: str) -> None:
    for index in {i for patterns in sites.values() for i in patterns}:
        count = counts[index]
        mine = [set(patterns) for patterns in sites.values() if index in patterns]
        always = set.intersection(*mine) - {index}
        count.covered = always if not count.fired else count.covered & always
        count.fired += 1
    for index in sites.get(played, ()):
        counts[index].matches += 1
    for index in sites.get(top, ()):
        counts[index].best += 1
