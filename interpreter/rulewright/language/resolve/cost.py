"""What an expression looks at, how deep it is, and how many elementary steps it takes at the worst.

Everything is measured before it is evaluated, so that no text can keep the checker busy.  Of what
takes too many steps, the part is found that multiplies its work most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, evolve, field

from rulewright.ground import limits
from rulewright.ground.printable import amount
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model.board import Board, Mask, bits
from rulewright.model.expressions import OPERATIONS, Expr, Function, Type
from rulewright.model.walk import depends_only_on_position, parts

POSITION, STATE, STUCK, UNBOUNDED, TABLE, BOARD, CHOICE = 1, 2, 4, 8, 16, 32, 64
"""Flags: reads the position, reads a state, asks whether someone is stuck, has unknown length,
needs a table of lines that is made at its first use, looks at the board, looks at what the judged
move chooses."""
_READS, _NEEDS = {"position": POSITION, "board": BOARD}, {"end": STUCK, "table": TABLE}
_PLACES = frozenset({Type.SITE, Type.SITES, Type.FAMILY, Type.STEP, Type.STEPS})
_MOST = 10**15  # beyond this the number itself no longer matters


@record
class Measure(Record):
    """Elementary steps at the worst, levels of evaluation, and flags."""

    cost: int = 1
    height: int = 1
    flags: int = 0
    once: frozenset[int] = frozenset()
    """Definitions that are worked out once and whose steps are not among the cost."""


def longest_line(board: Board) -> int:
    """The number of sites of the longest line of *board*."""
    longest = max((len(line.sites) for line in board.named_lines), default=1)
    if board.is_drawn:
        return max(longest, *map(len, board.paths))
    if any(board.wraps):
        return max(longest, *map(board.longest, board.axes))
    for step in board.axes:
        targets, back = board.targets(step), board.targets(board.opposite(step))
        for first in bits(board.sites):
            if not back[first]:
                longest = max(longest, _length(targets, first))
    return longest


def _length(targets: Sequence[Mask], site: int) -> int:
    length = 1
    while targets[site] and length < len(targets):
        site = targets[site].bit_length() - 1
        length += 1
    return length


@define(repr=False, eq=False)
class Measures(Record):
    """Measures expressions for one board; every definition is measured once."""

    functions: Sequence[Function]
    sites: int = 1
    longest: int = 1
    ranges: dict[int, tuple[int, int]] = field(factory=dict)
    pile: int = 0
    """Pieces of a pile, where the board is stacked."""
    walks: dict[tuple[type, int], Measure] = field(factory=dict)
    settles: bool = False
    """Whether definitions that a position settles are worked out once, as in evaluators."""
    _worst_cost: dict[int, Measure] = field(factory=dict)
    _measured: dict[int, tuple[Expr, Measure]] = field(factory=dict)
    """By identity: what stands inside another expression was mostly measured before it."""
    _settled: dict[int, bool] = field(factory=dict)
    _anew: dict[int, bool] = field(factory=dict)

    def forget(self) -> None:
        """Drop what is known of the definitions."""
        self._worst_cost.clear()
        self._measured.clear()
        self._settled.clear()
        self._anew.clear()

    def _is_settled(self, number: int) -> bool:
        if self.settles and number not in self._settled:
            self._settled[number] = depends_only_on_position(number, self.functions, self._anew)
        return self._settled.get(number, False)

    def function(self, number: int) -> Measure:
        """The worst of the bodies of a definition."""
        if number not in self._worst_cost:
            bodies = [self.of(b) for b in self.functions[number].bodies]
            self._worst_cost[number] = worst(bodies)
        return self._worst_cost[number]

    def of(self, e: Expr) -> Measure:
        """The measure of *e*, the definitions that it uses included."""
        entry = self._measured.get(id(e))
        if entry is None:
            self._measured[id(e)] = entry = e, self._measure(e)
        return entry[1]

    def _measure(self, e: Expr) -> Measure:
        inner = [self.of(part) for part in parts(e)]
        whole = worst(inner)
        cost, flags = sum(i.cost for i in inner), whole.flags
        match e:
            case m.StateValue():
                flags |= STATE | POSITION
            case m.Const(type_, _) if type_ in _PLACES:
                flags |= BOARD
            case m.Apply():
                operation = OPERATIONS[e.operation]
                flags |= _READS.get(operation.reads, 0) | _NEEDS.get(operation.needs, 0)
                steps = operation.steps
                cost += steps if isinstance(steps, int) else steps(self, e.arguments)
            case m.CallFunction():
                called = self.function(e.function)
                whole, flags = worst([whole, called]), flags | called.flags
                if self._is_settled(e.function):
                    whole = evolve(whole, once=whole.once | {e.function})
                else:
                    cost += called.cost
            case m.FactorValue():
                flags |= POSITION
            case m.ChosenValue():
                flags |= POSITION | CHOICE
            case m.Change():
                cost, flags = 2 * cost + 20 * self.sites, flags | CHOICE
            case m.ScanValue(_, index) | m.PathValue(_, index):
                walk = self.walks.get((type(e), index), Measure())
                whole = worst([whole, walk])
                cost, flags = cost + walk.cost, flags | walk.flags
            case m.Quantified():
                cost = self._each(e, inner)
                if any(self._length_of(d) is None for d in e.domains):
                    flags |= UNBOUNDED
            case m.Ray():
                starts = self.members(e.source) * self.members(e.along)
                cost += starts * self.matching(e.pattern)
        return Measure(min(_MOST, cost + 1), whole.height + 1, flags, whole.once)

    def steps(self, measure: Measure) -> int:
        """The steps of all, definitions that are worked out once among them."""
        return measure.cost + sum(2 * self.function(number).cost for number in measure.once)

    def _each(self, e: m.Quantified, inner: list[Measure]) -> int:
        total, times = 0, 1
        for domain, measure in zip(e.domains, inner, strict=False):
            total += times * measure.cost
            times = min(_MOST, times * self.members(domain))
        return total + times * inner[-1].cost

    def members(self, domain: Expr) -> int:
        """How many members *domain* has at most."""
        length = self._length_of(domain)
        return self.sites if length is None else length

    def _length_of(self, domain: Expr) -> int | None:
        """How many members *domain* has at most; None for a range of unknown length."""
        match domain.type:
            case Type.SITE | Type.STEP:
                return 1
            case Type.SITES:
                return self.sites
            case Type.FAMILY:
                return self._sets(domain)
            case Type.RANGE:
                return self._range_length(domain)
        if isinstance(domain, m.Const) and isinstance(domain.value, tuple):
            return len(domain.value)
        if isinstance(domain, m.Apply) and domain.type is not Type.STEPS:
            return max(1, len(domain.arguments))
        return limits.DIRECTIONS

    def _sets(self, family: Expr) -> int:
        """How many sets *family* has at most: those of a list and the sides are known."""
        match family:
            case m.Const(_, tuple(sets)):
                return max(1, len(sets))
            case m.Apply(operation="family"):
                return max(1, len(family.arguments))
        return 4 * self.sites

    def _range_length(self, domain: Expr) -> int | None:
        if isinstance(domain, m.Const):
            assert isinstance(domain.value, tuple)
            low, high = domain.value
            assert isinstance(low, int)
            assert isinstance(high, int)
            return max(1, high - low + 1)
        if not isinstance(domain, m.Apply):
            return None
        first, last = (self.bounds(a) for a in domain.arguments)
        return None if first is None or last is None else max(1, last[1] - first[0] + 1)

    def bounds(self, e: Expr) -> tuple[int, int] | None:
        """The least and the greatest value that *e* can have, where that is clear."""
        match e:
            case m.Const(_, value) if isinstance(value, int):
                return value, value
            case m.StateValue():
                return self.ranges.get(e.index)
            case m.Apply(operation="height", arguments=(sites,)):
                return 0, self.pile * (1 if sites.type is Type.SITE else self.sites)
            case m.Apply() if (span := OPERATIONS[e.operation].span) is not None:
                bounds = [self.bounds(a) for a in e.arguments if a.type in (Type.INT, Type.REAL)]
                numbers = [interval for interval in bounds if interval is not None]
                return span(self.sites, numbers) if len(numbers) == len(bounds) else None
        return None

    def matching(self, pattern: m.RayPattern) -> int:
        """Steps to match *pattern* from one site, at the worst."""
        match pattern:
            case m.OnSite():
                return 1
            case m.Sequence(items) | m.Alternatives(items):
                total = sum(self.matching(item) for item in items)
                return min(_MOST, total * self.longest)
            case m.Repeated(item):
                many = _branches(item) and _marks(item)
                ends = min(limits.BRANCHES, 2 ** min(self.longest, 40)) if many else self.longest
                return min(_MOST, self.longest * ends * self.matching(item))
            case m.Marked(_, item):
                return self.longest + self.matching(item)


def worst(measures: Sequence[Measure]) -> Measure:
    """The greatest cost and height, and the flags of all."""
    cost = height = flags = 0
    once: frozenset[int] = frozenset()
    for measure in measures:
        cost, height = max(cost, measure.cost), max(height, measure.height)
        flags, once = flags | measure.flags, once | measure.once
    return Measure(cost, height, flags, once)


def _branches(pattern: m.RayPattern) -> bool:
    match pattern:
        case m.Sequence(items):
            return any(_branches(item) for item in items)
        case m.Marked(_, item):
            return _branches(item)
        case m.Alternatives() | m.Repeated():
            return True
    return False


def _marks(pattern: m.RayPattern) -> bool:
    match pattern:
        case m.Sequence(items) | m.Alternatives(items):
            return any(_marks(item) for item in items)
        case m.Repeated(item):
            return _marks(item)
        case m.Marked():
            return True
    return False


@record
class Multiplier(Record):
    """A part of an expression: how often it multiplies the work, and what to say of it."""

    times: int
    text: str
    advice: str


def largest(e: Expr, measures: Measures) -> Multiplier | None:
    """Find the part of *e* that multiplies its work most; None where it is just long."""
    return max(_factors(e, measures), key=lambda factor: factor.times, default=None)


def _factors(e: Expr, measures: Measures) -> Iterator[Multiplier]:
    """The factors on the way down the part that takes most steps."""
    inner: tuple[Expr, ...] = parts(e)
    match e:
        case m.Quantified():
            yield _variables(e, measures)
        case m.Ray():
            yield _ray(e, measures)
        case m.CallFunction():
            function = measures.functions[e.function]
            steps = measures.function(e.function).cost
            advice = "each use works it out anew: use it less often, or once for all in a `let`"
            yield Multiplier(
                2, f"`{function.name}` takes {amount(steps, 'step')}, each time", advice
            )
            inner = (*inner, *function.bodies)
    if inner:
        yield from _factors(max(inner, key=lambda part: measures.of(part).cost), measures)


def _variables(e: m.Quantified, measures: Measures) -> Multiplier:
    sizes = [measures.members(domain) for domain in e.domains]
    many = 1
    for size in sizes:
        many *= size
    steps = measures.of(e.body).cost
    shown = " x ".join(
        f"{size:,} {_members_noun(d)}" for size, d in zip(sizes, e.domains, strict=True)
    )
    text = f"{shown} are tried, each in {amount(steps, 'step')}"
    if len(sizes) > 1:
        advice = "each variable multiplies the work: use fewer, over smaller sets"
        return Multiplier(many, text, f"{advice}; often a ray, `groups` or `reach` says it at once")
    return Multiplier(many, text, "a smaller set, or a quicker condition, would make it fast")


def _members_noun(domain: Expr) -> str:
    kinds = {Type.SITES: "sites", Type.SITE: "sites", Type.FAMILY: "sets", Type.RANGE: "numbers"}
    return kinds.get(domain.type, "directions")


def _ray(e: m.Ray, measures: Measures) -> Multiplier:
    starts, ways = measures.members(e.source), measures.members(e.along)
    steps = measures.matching(e.pattern)
    where = f"from {amount(starts, 'site')} in {amount(ways, 'direction')}"
    text = f"this ray is matched {where}, each in {amount(steps, 'step')}"
    advice = (
        "repeat a part with one meaning, and mark outside of what repeats: `/[over: enemy+], own/`"
    )
    return Multiplier(starts * ways * steps, text, advice)
