"""What a move chooses, how its decisions lie in rows, and which of them may be one decision.

In: the moves of a game.  Out: the words of each row, and kernels that drop the second of two rows
that are written alike; the reference counts such decisions once.  Two moves, or one that can choose
the same twice, are compared only where their notations can be equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, product, starmap
from operator import and_
from typing import TypeAlias

from attrs import evolve

from rulewright.compiler.ir.nodes import Expr, Function, Local
from rulewright.compiler.ir.types import INT, INTS, Signature
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.writer import Writer, at
from rulewright.compiler.passes.choices import choices, chosen
from rulewright.compiler.passes.normalize import (
    Normalizer,
    Ways,
    between,
    is_inside,
    may_be_nothing,
    narrowest,
)
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Type
from rulewright.model.rules import EMPTY, Course
from rulewright.model.walk import reached
from rulewright.reference.courses import follow

SETS = (Type.SITE, Type.SITES)


def row_length(layout: StateLayout) -> int:
    """Words of one decision."""
    return max((sum(key_place(move, layout)) for move in layout.rules.moves), default=2)


def key_place(move: r.MoveKind, layout: StateLayout) -> tuple[int, int]:
    """Where in a row the words of the notation lie, and how many there are."""
    return 2 + sum(c[2] for c in chosen(move, layout.words).values()), _key_length(move, layout)


def _key_length(move: r.MoveKind, layout: StateLayout) -> int:
    if distinct(move, layout.rules):
        return 0
    return sum(_length(s.notation, layout.words) for s in move.body if isinstance(s, r.Write))


def _length(notation: m.Notation, words: int) -> int:
    if isinstance(notation, m.TextChoice):
        return 1 + _length(notation.then, words) + _length(notation.otherwise, words)
    sets = (Type.SITES, Type.FAMILY)
    return sum(words if p_.type in sets else 1 for p_ in notation.parts if not isinstance(p_, str))


def shows_choices(move: r.MoveKind) -> bool:
    """Whether the notation names everything the move chooses, so that no two look alike."""
    return {slot for s in move.body for slot, _ in choices(s)} <= shown_slots(move)


def shown_slots(move: r.MoveKind) -> set[int]:
    """The choices that the notation always names."""
    shown: set[int] = set()
    for statement in move.body:
        if isinstance(statement, r.Write) and isinstance(statement.notation, m.Text):
            locals_ = (part for part in statement.notation.parts if isinstance(part, m.Local))
            shown |= {part.slot for part in locals_}
    return shown


def distinct(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether no two decisions of a move are the same decision.

    They are not when they are written differently, or when the one chosen site, which is empty,
    gets a piece: then two that are written alike do different things, a fault that the reference
    tells.
    """
    if shows_choices(move):
        return True
    chosen = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay)]
    puts = [s for s in move.body if isinstance(s, r.Put)]
    if len(chosen) != 1 or not puts or not isinstance(chosen[0], r.Choose):
        return False
    domain = Normalizer(rules, 0, 0)(chosen[0].domain)
    vacant = domain.type in SETS and is_inside(domain, m.Apply(Type.SITES, "empty"))
    site = puts[0].sites
    return vacant and isinstance(site, m.Local) and site.slot == chosen[0].slot


def has_need(statements: Sequence[r.Effect], rules: r.Rules) -> bool:
    """Whether any of *statements* can discard a branch."""
    for s in statements:
        match s:
            case r.Need():
                return True
            case r.Perform(action=action) if has_need(rules.actions[action].body, rules):
                return True
            case r.If() if has_need((*s.then, *s.otherwise), rules):
                return True
    return False


def _turning(move: r.MoveKind, rules: r.Rules) -> object:
    """How often a move exchanges the sides, and whether it gives another turn; None: it depends."""
    inside = (s for s in move.body if isinstance(s, r.Perform | r.If))
    if any(isinstance(n, _TURNING) for s in inside for n in _done(s, rules)):
        return None
    swaps = sum(isinstance(s, r.SwapSides) for s in move.body) % 2
    return swaps, any(isinstance(s, r.Again) for s in move.body)


def _done(s: r.Effect, rules: r.Rules) -> Iterator[r.Effect]:
    """A statement, and all that stand in its blocks and in its action."""
    yield s
    match s:
        case r.Perform(action=action):
            inner = rules.actions[action].body
        case r.If():
            inner = (*s.then, *s.otherwise)
        case _:
            inner = ()
    for one in inner:
        yield from _done(one, rules)


_TURNING = (r.SwapSides, r.Again)
Chosen = Mapping[int, tuple[Type, int, int]]
Form = tuple[object, ...]
Facts = tuple[tuple[int, ...], tuple[int, ...]]
"""The owners and the kinds that pieces on a site can have; empty where they are not known."""
_SURE = frozenset({"lines", "groups", "groups_linked"})
"""Families whose members all differ."""


@record
class Written(Record):
    """One way in which a move is written: when, in what form, and where the values lie in its row.

    `tests` are words of the row with the values they have when the move is written this way.
    """

    tests: tuple[tuple[int, int], ...]
    form: Form
    places: tuple[int, ...]
    kinds: tuple[tuple[int, Facts], ...] = ()
    """What is known of the sites that stand at some of the places, by the place's number."""
    ways: Mapping[tuple[int, int], Ways] = {}
    """In which ways the site at a place can lie from that at another, by their words in the row."""


def apart(x: Written, y: Written) -> bool:
    """Whether no two rows written in the same form can have equal values."""
    known = dict(y.kinds)
    if any(place in known and _disjoint(facts, known[place]) for place, facts in x.kinds):
        return True
    words = dict(zip(x.places, y.places, strict=True))
    for (a, b), ways in x.ways.items():
        others = y.ways.get((words.get(a, -1), words.get(b, -1)))
        if others and all(p.isdisjoint(q) for p, q in zip(ways, others, strict=True)):
            return True
    return False


def _disjoint(a: Facts, b: Facts) -> bool:
    return any(not set(x) & set(y) for x, y in zip(a, b, strict=True) if x and y)


def _facts(domain: m.Expr, rules: r.Rules) -> Facts:
    """The owners and the kinds that pieces on the sites of a domain can have; none if unknown."""
    e = Normalizer(rules, 0, 0)(domain)
    owners, kinds = (tuple(sorted(narrowest(e, name) or ())) for name in ("owned", "of_kind"))
    return owners, kinds


def may_repeat(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether a move may choose the same values twice in one position."""
    return any(_repeats(statement, rules) for statement in move.body)


def _repeats(statement: r.Effect, rules: r.Rules) -> bool:
    match statement:
        case r.Choose(domain=domain) if domain.type is Type.FAMILY:
            return not (isinstance(domain, m.Apply) and domain.operation in _SURE)
        case r.Choose(domain=domain) if domain.type in (Type.NUMBERS, Type.KINDS):
            values = domain.value if isinstance(domain, m.Const) else None
            return not isinstance(values, tuple) or len(set(values)) < len(values)
        case r.ChooseRay(pattern=pattern, along=along):
            return not (_one_way(along, rules) and _one_end(pattern))
    return False


def _one_way(along: m.Expr, rules: r.Rules) -> bool:
    """Whether no two of the steps can lead to the same site: no two go the same way."""
    if rules.board.is_drawn:
        return False
    for node in reached(along, rules.functions):
        if isinstance(node, m.Apply) and node.operation == "join_steps":
            return False
        steps = node.steps if isinstance(node, m.Const) and node.type is Type.STEPS else ()
        if any(starmap(parallel, combinations(steps, 2))):
            return False
    return True


def parallel(one: Step, other: Step) -> bool:
    """Whether two steps go the same way, so that one may lead where several of the other do."""
    ahead = one[0] * other[0] + one[1] * other[1] > 0
    return ahead and one[0] * other[1] == one[1] * other[0]


def _one_end(pattern: m.RayPattern) -> bool:
    """Whether the marks of a match say which way it went, and how far each part of it."""
    items = pattern.items if isinstance(pattern, m.Sequence) else (pattern,)
    marked = [i.item for i in items if isinstance(i, m.Marked)]
    single = any(isinstance(i, m.OnSite) for i in marked)
    return single and not any(may_be_nothing(i) for i in marked)


def written(rules: r.Rules, number: int, words: int) -> tuple[Written, ...]:
    """Every way in which a move is written."""
    move, found = rules.moves[number], list[Written]()
    choices = chosen(move, words)
    domains = {s.slot: s.domain for s in move.body if isinstance(s, r.Choose)}
    facts = {n: _facts(d, rules) for n, d in domains.items() if d.type in SETS}
    for statement in move.body:
        if not isinstance(statement, r.Write):
            continue
        if distinct(move, rules):
            shown = statement.notation if shows_choices(move) else None
            found.append(_by_choices(shown, choices, number, facts))
        else:
            key = 2 + sum(size for _, _, size in choices.values())
            _Keyed(words, facts, found).add(statement.notation, key)
    sites = {slot: at for slot, (type_, at, _) in choices.items() if type_ is Type.SITE}
    ways = between(move, sites, rules) if distinct(move, rules) else {}
    return tuple(
        evolve(w, form=tuple(_apart(part, number) for part in w.form), ways=ways) for w in found
    )


def _apart(part: object, number: int) -> object:
    """Steps are numbered anew in every move, so two moves cannot be compared by them."""
    return (part, number) if part in (Type.STEP, Type.STEPS) else part


def _by_choices(
    notation: m.Notation | None, choices: Chosen, number: int, facts: Mapping[int, Facts]
) -> Written:
    """All choices are shown: in order where nothing else is, or compared within the move only."""
    parts = notation.parts if isinstance(notation, m.Text) else ()
    if parts and all(isinstance(p, str | m.Local) for p in parts):
        slots = [p.slot for p in parts if isinstance(p, m.Local)]
        if all(slot in choices for slot in slots):
            places = tuple(i for s in slots for i in _words(choices[s]))
            kinds = tuple((i, facts[s]) for i, s in enumerate(slots) if s in facts)
            return Written((), _form(parts), places, kinds)
    everything = tuple(i for choice in choices.values() for i in _words(choice))
    return Written((), (number,), everything)


def _words(choice: tuple[Type, int, int]) -> range:
    _, at, size = choice
    return range(at, at + size)


def _form(parts: tuple[str | m.Expr, ...]) -> Form:
    return tuple(part if isinstance(part, str) else part.type for part in parts)


@record
class _Keyed(Record):
    """The ways in which a move is written whose row holds the values of its notation."""

    words: int
    facts: Mapping[int, Facts]
    found: list[Written]

    def add(self, notation: m.Notation, at: int, tests: tuple[tuple[int, int], ...] = ()) -> int:
        """Add the ways of *notation*, whose values begin at *at*; gives where they end."""
        if isinstance(notation, m.TextChoice):
            end = self.add(notation.then, at + 1, (*tests, (at, 1)))
            return self.add(notation.otherwise, end, (*tests, (at, 0)))
        sets = (Type.SITES, Type.FAMILY)
        holes = [part for part in notation.parts if not isinstance(part, str)]
        size = sum(self.words if hole.type in sets else 1 for hole in holes)
        kinds = tuple(
            (i, self.facts[hole.slot])
            for i, hole in enumerate(holes)
            if isinstance(hole, m.Local) and hole.slot in self.facts and size == len(holes)
        )
        places = tuple(range(at, at + size))
        self.found.append(Written(tests, _form(notation.parts), places, kinds))
        return at + size


# --- which decisions stand in one list ---


@record
class Offer(Record):
    """A move (None: the decision `none`), and what it leaves of the turn."""

    move: int | None
    rest: Course


@record
class TurnEnds(Record):
    """The turn may end without a decision."""


@record
class Instead(Record):
    """What `second` offers counts only where `first` offers nothing."""

    first: tuple[Option, ...]
    second: tuple[Option, ...]


Option: TypeAlias = Offer | TurnEnds | Instead


def options(course: Course, rest: Course = EMPTY) -> tuple[Option, ...]:
    """What may be decided first in a course with *rest* to follow, in order."""
    match course:
        case r.OneMove(move):
            return (Offer(move, rest),)
        case r.InOrder(()):
            return (TurnEnds(),) if rest == EMPTY else options(rest)
        case r.InOrder((first, *others)):
            return options(first, follow(r.InOrder(tuple(others)), rest))
        case r.Either(items):
            return tuple(option for item in items for option in options(item, rest))
        case r.Otherwise(first, second):
            return (Instead(options(first, rest), options(second, rest)),)
        case r.Maybe(item):
            return (*options(item, rest), Offer(None, rest))
        case r.While(item, free):
            found = options(item, follow(course, rest))
            return (*found, Offer(None, rest)) if free else (Instead(found, options(EMPTY, rest)),)
    raise TypeError(course)


@record
class Duplicates(Record):
    """Compares the decisions of a game."""

    moves: tuple[tuple[Written, ...], ...]
    repeating: frozenset[int]
    """The moves that may choose the same twice, and show all they choose."""
    turning: tuple[object, ...]
    """What each move does to whose turn is next; None where it may do this and that."""

    @classmethod
    def of(cls, layout: StateLayout) -> Duplicates:
        """For the game of *layout*."""
        rules, numbers = layout.rules, range(len(layout.rules.moves))
        repeating = (
            n
            for n in numbers
            if may_repeat(rules.moves[n], rules) and shows_choices(rules.moves[n])
        )
        return cls(
            tuple(written(rules, n, layout.words) for n in numbers), frozenset(repeating),
            tuple(_turning(move, rules) for move in rules.moves),
        )  # fmt: skip

    def clash(self, course: Course) -> bool:
        """Whether a list of decisions of *course* may hold one twice."""
        return self._together(options(course))[1]

    def _together(self, found: Sequence[Option]) -> tuple[list[Offer], bool]:
        """What options offer, and whether one decision may be offered twice."""
        parts = [self._offers(option) for option in found]
        clash = any(part[1] for part in parts)
        for one, other in combinations(parts, 2):
            clash = clash or any(self._same(a, b) for a in one[0] for b in other[0])
        return [offer for part in parts for offer in part[0]], clash

    def _offers(self, option: Option) -> tuple[list[Offer], bool]:
        match option:
            case Offer(move=move):
                return [option], move in self.repeating
            case Instead():
                first, second = self._together(option.first), self._together(option.second)
                return first[0] + second[0], first[1] or second[1]
        return [], False

    def _same(self, a: Offer, b: Offer) -> bool:
        one, other = a.move, b.move
        if a.rest != b.rest or (one is None) != (other is None):
            return False
        if one is None or other is None:
            return True
        if any(_mixed(x.form, y.form) for x in self.moves[one] for y in self.moves[other]):
            raise Unsupported("a site and a set of one site may be written alike")
        if not self._pairs(one, other):
            return False
        if one != other and not self._turn_alike(one, other):
            raise Unsupported("moves that may be written alike go on with different turns")
        return True

    def _turn_alike(self, one: int, other: int) -> bool:
        """Whether two moves surely do the same to whose turn is next."""
        return self.turning[one] is not None and self.turning[one] == self.turning[other]

    def _pairs(self, one: int, other: int) -> list[tuple[Written, Written]]:
        """The ways of two moves that may be alike."""
        ways = ((x, y) for x in self.moves[one] for y in self.moves[other])
        return [(x, y) for x, y in ways if x.form == y.form and not apart(x, y)]

    def _compared(self, one: int, other: int) -> bool:
        """Whether rows of two moves are ever compared."""
        return (one != other or one in self.repeating) and bool(self._pairs(one, other))

    def partners(self, layout: StateLayout) -> int:
        """A table: for every move the moves, as bits, whose rows may be written alike."""
        numbers = range(len(self.moves))
        found = [sum(1 << a for a in numbers if self._compared(a, b)) for b in numbers]
        return layout.number_table("partners of moves", found)

    def same_decision(self, layout: StateLayout) -> Function:
        """The kernel that compares two rows, at the words a and b."""
        w = Writer(layout=layout)
        with w.when(at("rows", _A + 1).ne(at("rows", _B + 1))):
            w.give(0)
        a, b = w.let(at("rows", _A), "m"), w.let(at("rows", _B), "m")
        with w.when((a < 0) & (b < 0)):
            w.give(1)
        numbers = range(len(self.moves))
        for one, other in product(numbers, numbers):
            if self._compared(one, other):
                for x, y in self._pairs(one, other):
                    with w.when(reduce(and_, (a.eq(one), b.eq(other), *_equal(x, y)))):
                        w.give(1)
        takes = (("rows", INTS), ("a", INT), ("b", INT))
        return w.function("same_decision", Signature(takes, INT), 0)


_A, _B = Local("a", INT), Local("b", INT)


def _mixed(one: Form, other: Form) -> bool:
    """Whether two forms differ in nothing but sites here and sets of sites there."""
    return one != other and _as_sets(one) == _as_sets(other)


def _as_sets(form: Form) -> Form:
    return tuple(Type.SITES if part is Type.SITE else part for part in form)


def _equal(x: Written, y: Written) -> Iterator[Expr]:
    """What holds where two rows are written alike in these forms."""
    yield from (at("rows", _A + place).eq(value) for place, value in x.tests)
    yield from (at("rows", _B + place).eq(value) for place, value in y.tests)
    places = zip(x.places, y.places, strict=True)
    yield from (at("rows", _A + i).eq(at("rows", _B + j)) for i, j in places)


DISTINCT = """def distinct(rows: ints, tables: ints, partners: i64, first: i64, n: i64) -> i64:
    kept = first
    there = 0
    for i in range(first, n):
        if rows[i * ROW] >= 0:
            there = there | wrap_shl(1, rows[i * ROW] & 63)
    for i in range(first, n):
        same = 0
        move = rows[i * ROW]
        others = -1
        if move >= 0:
            others = tables[partners + move] & there
        if others != 0:
            j = first
            while j < kept and same == 0:
                if move < 0 or shift_right(others, rows[j * ROW] & 63) & 1 != 0:
                    same = same_decision(rows, j * ROW, i * ROW)
                j = j + 1
        if same == 0:
            if kept < i:
                for k in range(ROW):
                    rows[kept * ROW + k] = rows[i * ROW + k]
            kept = kept + 1
    return kept


"""
"""The kernel that drops rows that are written like one before; it gives how many are left."""
