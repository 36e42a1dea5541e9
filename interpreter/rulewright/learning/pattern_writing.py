"""Mined patterns as the text of a file.

In: patterns with what is known of them.  Out: a text in the one layout: each pattern with its
picture, its counts and strength beside its name, and a position of a game, as a comment that says
where it was and as an example that `check` tries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from attrs import frozen

from rulewright.games.engine.game import Game
from rulewright.games.render.pattern_pictures import pattern_text
from rulewright.language.reprint_patterns import formatted_patterns
from rulewright.learning.mining import MinedPattern
from rulewright.learning.placements import PlacedDecision
from rulewright.model.board import Mask, bits
from rulewright.model.patterns import Pattern, Patterns, Placed
from rulewright.players.pattern_use import Workbench
from rulewright.reference.matching import ReferencePoint
from rulewright.reference.position import Position


def patterns_text(
    bench: Workbench, mined: Sequence[MinedPattern], reach: int, about: Sequence[str]
) -> str:
    """Return the text of a file; *about* are lines on where the patterns are from."""
    lines = [f"# {line}".rstrip() for line in about]
    lines += [*_head(bench.game, bench.file), ""]
    for entry in mined:
        lines += [*_pattern_lines(bench, entry, reach), ""]
    return formatted_patterns("\n".join(lines))


def _head(game: Game, file: Patterns) -> Iterator[str]:
    yield "format 1"
    yield f"Patterns for {game.name}"
    for ends in file.around:
        rest = " as next" if ends.as_next else ""
        yield f"Around ends of {ends.path} in {ends.evaluator.name}{rest}"
    if not file.around:
        yield "Around own"
    yield f"Symmetry {file.symmetry}"


def _pattern_lines(bench: Workbench, entry: MinedPattern, reach: int) -> Iterator[str]:
    pattern = entry.pattern
    share = f"{entry.played:,} of {entry.proposed:,} were played"
    strength = float(f"{entry.strength:.2g}")
    yield f"{pattern.title}  # {share}, {strength:,.10g} times a move elsewhere"
    yield from pattern_text(pattern).splitlines()[1:]
    if entry.example is None:
        return
    shown = ShownDecision.of(bench, pattern, entry.example)
    if shown is not None:
        decision = entry.example
        mover = bench.game.players[decision.position.mover]
        name = bench.game.rules.board.names[decision.site]
        yield f"# game {decision.game}, after {decision.after} decisions: {mover} played {name}"
        yield shown.line(reach)


@frozen(eq=False)
class ShownDecision:
    """A pattern that fires in a position of a game, and from where."""

    bench: Workbench
    decision: PlacedDecision
    at: ReferencePoint
    way: Placed

    @classmethod
    def of(cls, bench: Workbench, pattern: Pattern, decision: PlacedDecision) -> Self | None:
        """Return how a pattern proposes the move of a decision; None if it does not."""
        position, matcher = decision.position, bench.matcher
        number = bench.file.patterns.index(pattern)
        users = (owner for defends, owner in matcher.users(position) if defends == pattern.defends)
        for at in (point for owner in users for point in bench.points(position, owner)):
            for way in matcher.placed(at.direction, pattern.defends):
                lies = bench.game.rules.board.beside(at.site, way.move) == decision.site
                if way.pattern == number and lies and _holds(bench, way, at, position):
                    return cls(bench, decision, at, way)
        return None

    def line(self, reach: int) -> str:
        """Return the line of an example: pieces and links within *reach* of point or move."""
        position, mover = self.decision.position, self.decision.position.mover
        board = self.bench.game.rules.board
        near = self._near(reach)
        words = ["Example"]
        enemies = self.bench.matcher.enemies(position, self.at.site)
        for word, pieces in (("own", position.owned[mover]), ("opp", enemies)):
            names = [board.names[site] for site in bits(pieces & near)]
            words += [f"{word} {', '.join(names)}"] * bool(names)
        links = self._links(near)
        words += [f"link {', '.join(f'{a} {b}' for a, b in links)}"] * bool(links)
        words.append(f"at {board.names[self.at.site]}")
        words += [board.direction_name(self.at.direction)] * bool(self.bench.file.around)
        return " ".join([*words, f"set {board.names[self.decision.site]}"])

    def _near(self, reach: int) -> Mask:
        """Return the sites near the point, or near the move, or of which a condition asks."""
        board, ends = self.bench.game.rules.board, (self.at.site, self.decision.site)
        places = {
            board.beside(self.at.site, s) for c in self.way.conditions for s in (c.spot, c.other)
        }
        near = 0
        for site in bits(board.sites):
            steps = [
                (board.columns[site] - board.columns[end], board.rows[site] - board.rows[end])
                for end in ends
            ]
            close = any(max(abs(x), abs(y)) <= reach for x, y in steps)
            near |= (close or site in places) << site
        return near

    def _links(self, near: Mask) -> list[tuple[str, str]]:
        """Return the links between sites nearby, each by the names of its ends."""
        tables, names = self.bench.game.play.links, self.bench.game.rules.board.names
        if not tables:
            return []
        ends = (tables[0].ends[number] for number in bits(self.decision.position.links[0]))
        return [(names[a], names[b]) for a, b in ends if near >> a & near >> b & 1]


def _holds(bench: Workbench, way: Placed, at: ReferencePoint, position: Position) -> bool:
    ahead = way.frame.ahead
    return all(bench.matcher.holds(c, at.site, ahead, position) for c in way.conditions)
