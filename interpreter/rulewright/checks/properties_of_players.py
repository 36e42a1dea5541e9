"""Properties of personalities and of pattern files, in positions of random games.

In: a game, a model, a seed and how many positions.  Out: what was tried, with the position that
shows what does not hold; for `check` a diagnostic for each example, a small position in which a
pattern must propose a move, that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from random import Random

from attrs import define, evolve, field

from rulewright.checks.findings import Clause, Finding, PropertyResult
from rulewright.checks.sampling import earliest_states, first_shown, late_states, results, states
from rulewright.checks.subject import BoardSymmetry, symmetry
from rulewright.errors import OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.ground.printable import amount
from rulewright.language.diagnostics import Diagnostic, Place
from rulewright.language.source import Source
from rulewright.model import patterns as m
from rulewright.model.board import Step, mask_of
from rulewright.model.patterns import Example as PatternExample
from rulewright.model.patterns import Pattern, Patterns
from rulewright.model.personality import BELIEVED, Search
from rulewright.model.personality import Personality as Model
from rulewright.model.properties import PATTERNS, PERSONALITY
from rulewright.players.lint import lint, matter_deeper
from rulewright.players.machine import proving
from rulewright.players.personality import Personality
from rulewright.reference.matching import Matcher, ReferencePoint
from rulewright.reference.position import Position
from rulewright.search.results import MEBIBYTE, Limits
from rulewright.search.solve import solve

_DECIDED = 24
"""Positions of a round at the least."""
ROUNDS = 3
"""Rounds of positions for factors that have changed no decision yet."""
LITTLE = Limits(None, 20_000, memory=MEBIBYTE)
"""The limits of a proof in a late position."""


@define(eq=False)
class PersonalityProperties:
    """A personality under test."""

    game: Game
    model: Model
    seed: int = 0
    number: int = 12

    def run(self, properties: Sequence[str] = tuple(PERSONALITY)) -> tuple[PropertyResult, ...]:
        """Try every property."""
        checks = {"decides": self._decides, "leads": self._leads, "factors": self._factors}
        names = [n for n in PERSONALITY if n in properties]
        return results(names, checks, self.model.untested, amount(self.number, "position"))

    def _decides(self) -> Iterator[Finding]:
        quick = Personality.of(quickly(self.model), self.game)
        for state in states(self.game, self.number, self.seed):
            try:
                twice = [quick.choose(state, Random(self.seed)) for _ in range(2)]
            except OutOfBudget:
                raise
            except RulewrightError as error:
                message = f"no decision: {error}"
            else:
                if twice[0] == twice[1] and twice[0] in state.moves.texts:
                    continue
                message = f"decides on {twice[0]}, then on {twice[1]}"
                if twice[0] not in state.moves.texts:
                    message = f"decides on {twice[0]}, which is not legal"
            yield Finding("decides", message, tuple(state.decisions()), state.board())
            return

    def _leads(self) -> Iterator[Finding]:
        if not self.model.beliefs(BELIEVED):
            return
        led = proving(self.model)
        for state in late_states(self.game, 2 * self.number, self.seed):
            try:
                result = solve(state, LITTLE).value
                value = result and solve(state, LITTLE, leading=led).value
            except OutOfBudget:
                raise
            except RulewrightError:
                return  # nothing proves anything where there are no kernels
            if value and value != result:
                message = f"proves a {value} for {state.mover}; without these words a {result}"
                yield Finding("leads", message, tuple(state.decisions()), state.board())
                return

    def _factors(self) -> Iterator[Finding]:
        if self.model.search.kind in ("mcts", "random"):
            return  # these ask no evaluator
        personality = Personality.of(self.model, self.game)
        idle: list[str] | None = None
        positions: list[State] = []
        for again in range(ROUNDS):
            positions = list(states(self.game, max(self.number, _DECIDED), self.seed + again))
            uses = lint(personality, seed=self.seed, states=positions, shallow=True)
            same = [use.factor for use in uses if not use.changed]
            idle = same if idle is None else [name for name in idle if name in same]
            if not idle:
                return
        idle = idle or []
        deeper = matter_deeper(personality, idle, positions, self.seed)
        for name in (factor for factor in idle if factor not in deeper):
            number = ROUNDS * max(self.number, _DECIDED)
            message = f"`{name}` changes no decision in {amount(number, 'position')}"
            yield Finding("factors", message)


def quickly(model: Model) -> Model:
    """Return the personality with a search of one ply in place of a deeper one."""
    if model.search.kind in ("random", "one_ply", "mcts"):
        return model
    return evolve(model, search=Search("one_ply"))


# --- patterns ---


@define(eq=False, slots=False)
class PatternProperties:
    """A pattern file under test."""

    game: Game
    file: Patterns
    source: Source
    seed: int = 0
    number: int = 10
    matcher: Matcher = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.matcher = Matcher(self.game.play, self.file)

    def run(self, properties: Sequence[str] = tuple(PATTERNS)) -> tuple[PropertyResult, ...]:
        """Try the chosen properties."""
        checks = {
            "examples": self._examples, "proposals": self._legal, "turned": self._turned,
        }  # fmt: skip
        names = [name for name in PATTERNS if name in properties]
        return results(names, checks, (), amount(self.number, "position"))

    def _examples(self) -> Iterator[Finding]:
        for diagnostic in failing_patterns(self.game, self.file, self.source):
            place = diagnostic.place
            about = Clause(f"{place.file}:{place.line}", place.excerpt)
            yield Finding("examples", diagnostic.message, about=about)

    def _legal(self) -> Iterator[Finding]:
        return first_shown("proposals", self._states, self._illegal)

    def _illegal(self, state: State) -> str | None:
        """A proposed site at which no legal decision puts a piece."""
        for site, by in self.matcher.proposals(state.situation.position).items():
            name = self._site(site)
            texts = [o.text for o in state.situation.options if name in o.text]
            if not any(self._gains(state, text) >> site & 1 for text in texts):
                return f"{self._named(by)} proposes {name}, where nothing can be put"
        return None

    def _gains(self, state: State, text: str) -> int:
        """The set of sites that a decision gives to the one who makes it."""
        before = state.situation.position
        after = state.play_decision(text).situation.position
        return after.owned[before.mover] & ~before.owned[before.mover]

    def _turned(self) -> Iterator[Finding]:
        for claim in self.game.rules.claims:
            board_symmetry = None
            if claim.kind == "symmetric":
                board_symmetry = symmetry(self.game.play, claim.what, claim.swap)
            if board_symmetry is not None:
                check = partial(self._differs, claim.what, board_symmetry)
                yield from first_shown("turned", self._states, check)

    def _differs(self, name: str, symmetry: BoardSymmetry, state: State) -> str | None:
        """A site that is proposed, while the site it turns to is not, in the turned position.

        Of paths that cost the same one is taken, so that the points may turn to others: such a
        position says nothing.
        """
        position = state.situation.position
        turned = symmetry.position(position)
        for player in (0, 1):
            points = {symmetry.mask(group) for group in self._points(position, player)}
            if points != self._points(turned, symmetry.player(player)):
                return None
        here, there = self.matcher.proposals(position), self.matcher.proposals(turned)
        for site, by in here.items():
            if symmetry.sites[site] not in there and not self._one_sided.issuperset(by):
                other = self._site(symmetry.sites[site])
                return (
                    f"{self._named(by)} proposes {self._site(site)}; turned by `{name}`, "
                    f"nothing proposes {other}"
                )
        return None

    @cached_property
    def _states(self) -> list[State]:
        """The positions that are looked at, the earliest first."""
        return earliest_states(self.game, self.number, self.seed)

    @cached_property
    def _one_sided(self) -> set[int]:
        """Patterns that are used as they are written only, and say another thing mirrored."""
        written, mirrored = m.frames_towards(self.game.rules.board, m.NORTH)
        return {
            number
            for number, pattern in enumerate(self.file.patterns)
            if (pattern.symmetric or self.file.symmetry == "none")
            and m.place_pattern(number, pattern, written).key
            != m.place_pattern(number, pattern, mirrored).key
        }

    def _points(self, position: Position, player: int) -> set[int]:
        """A player's reference points, a set of sites for each direction that they have."""
        groups: dict[Step, int] = {}
        for point in self.matcher.references(position, player):
            groups[point.direction] = groups.get(point.direction, 0) | 1 << point.site
        return set(groups.values())

    def _named(self, by: Sequence[int]) -> str:
        return f"`{self.file.patterns[by[0]].name}`"

    def _site(self, site: int) -> str:
        return self.game.rules.board.names[site]


# --- examples of patterns ---


class Unfounded(Exception):
    """The position of an example cannot be made."""


def failing_patterns(game: Game, file: Patterns, source: Source) -> Iterator[Diagnostic]:
    """A diagnostic for each example that does not hold; none where options change the board."""
    if any(option.value != option.default for option in game.rules.options):
        return  # the sites are those of the game as it comes
    matcher = Matcher(game.play, file)
    for pattern in (p for p in file.patterns if p.file == source.name):
        for example in pattern.examples:
            message = _failure(game, matcher, pattern, example)
            if message:
                text = source.line(example.line)
                column = len(text) - len(text.lstrip()) + 1
                end = len(text.partition("#")[0].rstrip()) + 1
                place = Place(source.name, example.line, column, example.line, end, text)
                yield Diagnostic("claim-fails", message, place)


def _failure(game: Game, matcher: Matcher, pattern: Pattern, example: PatternExample) -> str:
    """The message on why an example does not hold; empty when its pattern proposes its move."""
    try:
        position, at = example_position(game, matcher, pattern, example)
    except Unfounded as error:
        return str(error)
    site = game.rules.board.by_name[example.move]
    if matcher.fires(pattern, at, site, position):
        return ""
    failed = matcher.first_failed(pattern, at, site, position)
    return f"`{pattern.name}` does not propose {example.move} here: {failed}"


def example_position(
    game: Game, matcher: Matcher, pattern: Pattern, example: PatternExample
) -> tuple[Position, ReferencePoint]:
    """The position of an example with the pattern's user to move, and its reference point."""
    board, play = game.rules.board, game.play
    of = _player(matcher, example)
    beside = (of + 1) % len(game.players)
    own, other = (beside, of) if pattern.defends else (of, beside)
    position = play.first
    for player, names in ((own, example.own), (other, example.opponents)):
        position = position.put(player, 0, mask_of([board.by_name[n] for n in names]))
    site = board.by_name[example.at]
    if not position.owned[of] >> site & 1:
        whose = "opponent's" if pattern.defends else "own"
        raise Unfounded(f"the reference point {example.at} holds no {whose} piece")
    links = 0
    for first, second in example.links:
        a, b = sorted((board.by_name[first], board.by_name[second]))
        number = play.links[0].number.get((a, b)) if play.links else None
        if number is None:
            raise Unfounded(f"no link can join {first} and {second}")
        links |= 1 << number
    position = evolve(
        position, links=(links, *position.links[1:]) if play.links else (),
        mover=own, ply=2 + own, rest=game.rules.course,
    )  # fmt: skip
    return position, ReferencePoint(site, example.direction or matcher.directions[of][0])


def _player(matcher: Matcher, example: PatternExample) -> int:
    """The player of an example's reference point, by the direction."""
    if not matcher.file.around:
        return 0
    if example.direction is None:
        raise Unfounded(f"say in which direction the path leaves {example.at}")
    ways = enumerate(matcher.directions)
    players = [player for player, directions in ways if example.direction in directions]
    if not players:
        raise Unfounded("no path of this game leads in that direction")
    return players[0]
