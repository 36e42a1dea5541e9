"""Properties of pattern files, in positions of random games.

In: a game, patterns, a seed and how many positions.  Out: what was tried, with the position that
shows what does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

from attrs import define, field

from rulewright.checks.clauses import Clause
from rulewright.checks.findings import Finding, Tried
from rulewright.checks.judged import states, tried
from rulewright.checks.pattern_examples import failing_patterns
from rulewright.checks.symmetry import Symmetry, symmetry
from rulewright.engine.game import Game, State
from rulewright.language.source import Source
from rulewright.model import patterns as m
from rulewright.model.board import Step
from rulewright.model.patterns import Patterns
from rulewright.model.properties import PATTERNS
from rulewright.reference.patterns import Matcher
from rulewright.reference.position import Position


@define(eq=False, slots=False)
class Proposed:
    """A pattern file under test."""

    game: Game
    file: Patterns
    source: Source
    seed: int = 0
    number: int = 10
    matcher: Matcher = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.matcher = Matcher(self.game.play, self.file)

    def run(self, chosen: Sequence[str] = tuple(PATTERNS)) -> tuple[Tried, ...]:
        """Try the chosen properties."""
        checks: dict[str, Callable[[], Iterator[Finding]]] = {
            "examples": self._examples, "proposals": self._legal, "turned": self._turned,
        }  # fmt: skip
        names = [name for name in PATTERNS if name in chosen]
        return tried(names, checks, (), f"{self.number} positions")

    def _examples(self) -> Iterator[Finding]:
        for diagnostic in failing_patterns(self.game, self.file, self.source):
            place = diagnostic.place
            about = Clause(f"{place.file}:{place.line}", place.excerpt)
            yield Finding("examples", diagnostic.message, about=about)

    def _first(self, name: str, check: Callable[[State], str | None]) -> Iterator[Finding]:
        """The finding in the earliest position in which *check* complains."""
        known = sorted(states(self.game, self.number, self.seed), key=lambda s: len(s.decisions()))
        for state in known:
            message = check(state)
            if message:
                yield Finding(name, message, tuple(state.decisions()), state.board())
                return

    def _legal(self) -> Iterator[Finding]:
        yield from self._first("proposals", self._illegal)

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
            found = None
            if claim.kind == "symmetric":
                found = symmetry(self.game.play, claim.what, claim.swap)
            if found is not None:
                yield from self._first("turned", partial(self._differs, claim.what, found))

    def _differs(self, name: str, found: Symmetry, state: State) -> str | None:
        """A site that is proposed, while the site it turns to is not, in the turned position.

        Of paths that cost the same one is taken, so that the points may turn to others: such a
        position says nothing.
        """
        position = state.situation.position
        turned = found.position(position)
        for player in (0, 1):
            points = {found.mask(group) for group in self._points(position, player)}
            if points != self._points(turned, found.player(player)):
                return None
        here, there = self.matcher.proposals(position), self.matcher.proposals(turned)
        for site, by in here.items():
            if found.sites[site] not in there and not self._one_sided.issuperset(by):
                other = self._site(found.sites[site])
                return (
                    f"{self._named(by)} proposes {self._site(site)}; turned by `{name}`, "
                    f"nothing proposes {other}"
                )
        return None

    @cached_property
    def _one_sided(self) -> set[int]:
        """Patterns that are used as they are written only, and say another thing mirrored."""
        written, mirrored = m.frames_towards(self.game.rules.board, m.NORTH)
        return {
            number
            for number, pattern in enumerate(self.file.patterns)
            if (pattern.symmetric or self.file.symmetry == "none")
            and m.placed(number, pattern, written).key != m.placed(number, pattern, mirrored).key
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
