"""Patterns tried one by one: what fires where, and which condition stands in the way.

In: patterns and a position.  Out: the moves that they propose to a player, or the first condition
that fails.  Slow and obvious: the compiled matcher must agree with this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from random import Random

from attrs import evolve, field, frozen

from rulewright.model import patterns as m
from rulewright.model import rules as r
from rulewright.model.board import Board, Mask, Step, bits, union
from rulewright.model.expressions import Type
from rulewright.model.patterns import Condition, Frame, Pattern, Patterns, Placed, Test, aside
from rulewright.reference.cheapest import PassedSite
from rulewright.reference.evaluate import evaluate
from rulewright.reference.evaluation import StaticEvaluator, chosen_slots
from rulewright.reference.play import ReferencePlay
from rulewright.reference.position import LinkTable, Position


@frozen
class ReferencePoint:
    """A point that patterns are tried around, and the direction in which its path leaves it."""

    site: int
    direction: Step


Way = tuple[ReferencePoint, Placed]
"""A pattern as it lies around a reference point."""


@frozen
class PassedPoint:
    """A piece and a direction around which no pattern is tried, and why, in words."""

    at: ReferencePoint
    why: str


@frozen
class Fired:
    """A pattern that fires: around which point, how it lies there, and the site it proposes."""

    pattern: int
    at: ReferencePoint
    frame: Frame
    move: int


@frozen
class Near:
    """A pattern that would propose a site, but for conditions that fail: the first and how many."""

    pattern: int
    at: ReferencePoint
    frame: Frame
    move: int
    failed: Condition | None
    number: int
    """The number of failed conditions; `failed` is None where only the move itself is not legal."""


@frozen(eq=False)
class Matcher:
    """A pattern file on the rules of its game."""

    play: ReferencePlay
    file: Patterns
    _placed: dict[tuple[Step, bool], list[Placed]] = field(factory=dict, init=False, repr=False)

    @property
    def _board(self) -> Board:
        return self.play.rules.board

    @cached_property
    def _judges(self) -> list[tuple[m.EndsOf, StaticEvaluator]]:
        """The paths whose ends are reference points, each with its evaluator on these rules."""
        return [(path, StaticEvaluator(self.play, path.evaluator)) for path in self.file.around]

    @cached_property
    def directions(self) -> tuple[tuple[Step, ...], ...]:
        """For each player the directions that reference points may have."""
        if not self.file.around:
            return ((m.NORTH,),) * len(self.play.rules.players)
        back = self._board.opposite
        return tuple((ahead, back(ahead)) for ahead in headings(self.play, self.file.around[0]))

    def references(self, position: Position, player: int) -> list[ReferencePoint]:
        """The reference points of *player*, in reading order."""
        if not self.file.around:
            return [ReferencePoint(site, m.NORTH) for site in bits(position.owned[player])]
        forward, back = self.directions[player]
        ends = {
            (end.site, end.forward)
            for ends_of, judge in self._judges
            for end in judge.path_ends(
                ends_of.path, _position_of_path(ends_of, position, player), player
            )
        }
        return [ReferencePoint(site, forward if ahead else back) for site, ahead in sorted(ends)]

    def not_looked_at(self, position: Position, player: int) -> list[PassedPoint]:
        """Sites and directions of *player* that are no reference points, with the reason."""
        reference_points = set(
            self.references(position, player)
        )  # without a path every piece is one
        points: dict[ReferencePoint, PassedPoint] = {}
        for ends_of, judge in self._judges:
            as_next = _position_of_path(ends_of, position, player)
            for passed in judge.path_passed(ends_of.path, as_next, player):
                for direction in self.directions[player]:
                    point = ReferencePoint(passed.site, direction)
                    if point not in reference_points:
                        points.setdefault(point, PassedPoint(point, _reason(passed)))
        return list(points.values())

    def reaching(
        self, position: Position, at: ReferencePoint, defends: bool, site: int
    ) -> list[Near]:
        """The ways in which patterns of one kind would propose *site* from a point."""
        ways = ((at, way) for way in self.placed(at.direction, defends))
        return self._nearest(ways, position, site)

    def placed(self, direction: Step, defends: bool) -> list[Placed]:
        """The ways in which patterns of one kind lie at points of a direction."""
        key = (direction, defends)
        if key not in self._placed:
            self._placed[key] = m.all_placed(self.file, self._board, direction, defends)
        return self._placed[key]

    def fired(self, position: Position) -> list[Fired]:
        """Every pattern that fires for the player to move, and where."""
        legal = placements(self.play, position)
        return [
            Fired(way.pattern, at, way.frame, move)
            for at, way in self._ways(position)
            if (move := self._site(at.site, way.move)) in legal
            and not any(self._failing(way, at, position))
        ]

    def proposals(self, position: Position) -> dict[int, tuple[int, ...]]:
        """The sites that patterns propose to the player to move, each with its patterns."""
        proposed: dict[int, set[int]] = {}
        for fired in self.fired(position):
            proposed.setdefault(fired.move, set()).add(fired.pattern)
        return {site: tuple(sorted(proposed[site])) for site in sorted(proposed)}

    def near(self, position: Position, site: int | None = None) -> list[Near]:
        """Every way in which a pattern could propose *site* (or any), the nearest first."""
        return self._nearest(self._ways(position), position, site)

    def _nearest(self, ways: Iterable[Way], position: Position, site: int | None) -> list[Near]:
        """List the ways that propose *site* (None: any), fewest failing conditions first."""
        legal = placements(self.play, position)
        candidates = []
        for at, way in ways:
            move = self._site(at.site, way.move)
            if move >= 0 and site in (None, move):
                failing = list(self._failing(way, at, position))
                number = len(failing) + (move not in legal)
                first = failing[0] if failing else None
                candidates.append(Near(way.pattern, at, way.frame, move, first, number))
        return sorted(candidates, key=lambda near: near.number)

    def _ways(self, position: Position) -> Iterator[Way]:
        for defends, player in self.users(position):
            for at in self.references(position, player):
                for way in self.placed(at.direction, defends):
                    yield at, way

    def users(self, position: Position) -> list[tuple[bool, int]]:
        """Around whose points patterns are tried, and whether they defend there.

        They attack around those of the player to move, and defend around those of all others.
        """
        players = self.play.rules.views
        first, *others = (players[(position.mover + i) % len(players)] for i in players)
        return [(False, first), *((True, player) for player in others)]

    def enemies(self, position: Position, site: int) -> Mask:
        """The pieces that `Opp` means around a point: whose it is, of all others at an own one."""
        others = [position.owned[player] for defends, player in self.users(position) if defends]
        return next((owned for owned in others if owned >> site & 1), union(others))

    def _failing(self, way: Placed, at: ReferencePoint, position: Position) -> Iterator[Condition]:
        """The conditions that do not hold, as the file writes them."""
        conditions = self.file.patterns[way.pattern].conditions
        for condition, as_written in zip(way.conditions, conditions, strict=True):
            if not self.holds(condition, at.site, way.frame.ahead, position):
                yield as_written

    def fires(self, pattern: Pattern, at: ReferencePoint, site: int, position: Position) -> bool:
        """Whether a pattern, tried around one point, proposes *site*, whatever others do."""
        return self.first_failed(pattern, at, site, position) == ""

    def first_failed(
        self, pattern: Pattern, at: ReferencePoint, site: int, position: Position
    ) -> str:
        """Why a pattern does not propose *site* from a point, in words; nothing if it does."""
        number = next(i for i, candidate in enumerate(self.file.patterns) if candidate is pattern)
        ways = [
            way
            for way in self.placed(at.direction, pattern.defends)
            if way.pattern == number and self._site(at.site, way.move) == site
        ]
        if not ways:
            return "its `Set` lies elsewhere"
        failing = [list(self._failing(way, at, position)) for way in ways]
        least = min(failing, key=len)
        if least:
            return f"`{least[0]}` does not hold"
        return "" if can_place(self.play, position, site) else "the move is not legal"

    def _site(self, site: int, step: Step) -> int:
        return self._board.beside(site, step)

    # --- conditions ---

    def holds(self, c: Condition, site: int, ahead: Step, position: Position) -> bool:
        """Whether a condition that lies on the board holds around *site* for the mover."""
        if c.test is Test.ROW:
            return self._rows(site, ahead) == c.number
        if c.test.counts:
            return self._lies(c, aside(self._board, site, ahead), ahead)
        place = self._site(site, c.spot)
        if c.test.joins:
            return self._joined(c.test, place, self._site(site, c.other), position)
        if place < 0:
            return c.test is Test.EDGE
        mover, here = position.mover, 1 << place
        match c.test:
            case Test.OWN:
                return bool(position.owned[mover] & here)
            case Test.OPP:
                return bool(self.enemies(position, site) & here)
            case Test.FREE:
                return not position.full & here
            case Test.STRONG:
                return self._links(place, position)
            case Test.WEAK:
                return not self._links(place, position)
        return False

    def _lies(self, c: Condition, sideways: int, ahead: Step) -> bool:
        """Whether a point lies as far beside the middle as a condition wants it."""
        if c.test is Test.MIDDLE:
            return abs(sideways) <= c.number
        return (-sideways if Frame(c.spot, ahead).mirrored else sideways) >= c.number

    def _rows(self, site: int, ahead: Step) -> int:
        """Steps from a site to the border of the lattice."""
        board = self._board
        column, row = board.columns[site], board.rows[site]
        steps = -1
        while 0 <= column < board.width and 0 <= row < board.height:
            column, row, steps = column + ahead[0], row + ahead[1], steps + 1
        return steps

    @property
    def _table(self) -> LinkTable:
        return self.play.links[0]

    def _links(self, site: int, position: Position) -> bool:
        at = self._table.at.get(site, ()) if self.play.links else ()
        return any(position.links[0] >> number & 1 for _, number in at)

    def _joined(self, test: Test, first: int, second: int, position: Position) -> bool:
        number = self._table.number.get((min(first, second), max(first, second)))
        if number is None:
            return False
        there = bool(position.links[0] >> number & 1)
        if test is Test.EXISTS:
            return there
        return not there and not position.links[0] & self._table.crossing(first, second)


def _reason(passed: PassedSite) -> str:
    """Why a site of a player is no reference point in some direction."""
    if passed.least is None:
        return "there is no way from where the path begins to where it may end"
    if passed.outer:
        return "the path begins or may end here, and does not leave its group in this direction"
    if passed.through is None:
        return "no way leads through it"
    through, least = passed.through, passed.least
    if through > least:
        return f"the cheapest way through it costs {through}, the cheapest of all {least}"
    return "a cheapest way goes through it, and does not leave its group here in this direction"


def _position_of_path(ends_of: m.EndsOf, position: Position, player: int) -> Position:
    """The position in which the path of *player* is found."""
    return evolve(position, mover=player) if ends_of.as_next else position


def headings(play: ReferencePlay, ends_of: m.EndsOf) -> tuple[Step, ...]:
    """The direction of each player's path, as a step."""
    judge = StaticEvaluator(play, ends_of.evaluator)
    return tuple(_heading(judge, ends_of.path, player) for player in play.rules.views)


def _heading(judge: StaticEvaluator, name: str, player: int) -> Step:
    """The step that leads best from where a path begins to where it may end, on the first board."""
    play = judge.play
    path = next(p for p in judge.evaluator.paths if p.name == name)
    context = judge.context(play.first, player, judge.evaluator.defaults, Random(0))
    starts = union(evaluate(start.sites, context) for start in path.starts)
    board = play.rules.board
    begin, end = _middle(board, starts), _middle(board, evaluate(path.target, context))
    dx, dy = end[0] - begin[0], end[1] - begin[1]
    steps = {frame.ahead for frame in m.frames(board)}
    return max(sorted(steps), key=lambda s: (s[0] * dx + s[1] * dy) / (s[0] ** 2 + s[1] ** 2))


def _middle(board: Board, sites: Mask) -> tuple[float, float]:
    places = [(board.columns[s], board.rows[s]) for s in bits(sites)] or [(0, 0)]
    return sum(c for c, _ in places) / len(places), sum(r for _, r in places) / len(places)


def placements(play: ReferencePlay, position: Position) -> dict[int, str]:
    """The sites that a legal decision of one choice puts a piece on, and how it is written."""
    texts: dict[int, str] = {}
    for number in sorted({o.move for o in play.options(position) if o.move is not None}):
        if places_one(play.rules.moves[number]):
            for text, site in _placed(play, position, number):
                texts.setdefault(site, text)
    return texts


def places_one(move: r.MoveKind) -> bool:
    """Whether a move chooses one thing, a site, and puts something on the board."""
    choices = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay)]
    return (
        len(choices) == 1
        and isinstance(choices[0], r.Choose)
        and choices[0].domain.type in (Type.SITE, Type.SITES)
        and any(isinstance(s, r.Put) for s in move.body)
    )


def _placed(play: ReferencePlay, position: Position, number: int) -> Iterator[tuple[str, int]]:
    move = play.rules.moves[number]
    ((_, slot),) = chosen_slots(move)
    context = play.context(evolve(position, fresh=False))
    for branch in play.effects.branches(move, context):
        yield branch.text, context.frame[slot].bit_length() - 1


def can_place(play: ReferencePlay, position: Position, site: int) -> bool:
    """Whether some move could put a piece on *site*, whatever the turn would have now."""
    return any(
        _plays(play, position, move, 1 << site) for move in play.rules.moves if places_one(move)
    )


def _plays(play: ReferencePlay, position: Position, move: r.MoveKind, sites: Mask) -> bool:
    context = play.context(evolve(position, fresh=False), slots=move.slots)
    for statement in move.body:
        if isinstance(statement, r.Choose):
            context.frame[statement.slot] = sites
            if sites & ~evaluate(statement.domain, context):
                return False
        elif not play.effects.do(statement, context):
            return False
    return True
