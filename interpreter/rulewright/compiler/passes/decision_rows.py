"""What a move chooses, how its decisions lie in rows, and which of them may be one decision.

In: the moves of a game.  Out: the words of each row, and kernels that drop the second of two rows
that are written alike; the reference counts such decisions once.  Two moves, or one that can choose
the same twice, are compared only where their notations can be equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, combinations_with_replacement, product, starmap
from operator import and_

from attrs import evolve

from rulewright.compiler.ir.nodes import Expr, Function, Local
from rulewright.compiler.ir.types import INT, INTS, Signature
from rulewright.compiler.layout import StateLayout, Unsupported
from rulewright.compiler.lower.loops import note_compared
from rulewright.compiler.lower.writer import Writer, at
from rulewright.compiler.passes.choices import choice_places, choices
from rulewright.compiler.passes.normalize import (
    Normalizer,
    Ways,
    between,
    is_inside,
    may_be_nothing,
    narrowest,
)
from rulewright.compiler.passes.notations import last_mark, parallel, shows_choices
from rulewright.compiler.passes.offers import Instead, Offer, Option, Within, options
from rulewright.ground.records import Record, record
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Type
from rulewright.model.rules import Course
from rulewright.model.walk import reachable_nodes

SETS = (Type.SITE, Type.SITES)


def row_length(layout: StateLayout) -> int:
    """Return the words of one decision."""
    words = max((sum(key_place(move, layout)) for move in layout.rules.moves), default=2)
    return words + layout.rules.has_chance  # how likely it is


def key_place(move: r.MoveKind, layout: StateLayout) -> tuple[int, int]:
    """Return where in a row the words of the notation lie, and how many there are."""
    return 2 + sum(c[2] for c in choice_places(move, layout.words).values()), _key_length(
        move, layout
    )


def _key_length(move: r.MoveKind, layout: StateLayout) -> int:
    if not is_keyed(move, layout.rules):
        return 0
    return sum(_length(s.notation, layout.words) for s in move.body if isinstance(s, r.Write))


def _length(notation: m.Notation, words: int) -> int:
    if isinstance(notation, m.TextChoice) and is_alike(notation):
        return _length(notation.then, words)
    if isinstance(notation, m.TextChoice):
        return 1 + _length(notation.then, words) + _length(notation.otherwise, words)
    sets = (Type.SITES, Type.FAMILY)
    return sum(words if p_.type in sets else 1 for p_ in notation.parts if not isinstance(p_, str))


def is_alike(notation: m.TextChoice) -> bool:
    """Whether both sides hold the same letters and values of the same types, in the same places."""
    shapes = [
        tuple(p if isinstance(p, str) else p.type for p in side.parts)
        for side in (notation.then, notation.otherwise)
        if isinstance(side, m.Text)
    ]
    return len(shapes) == 2 and shapes[0] == shapes[1]


def distinct(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether no two decisions of a move are the same decision.

    They are not when they are written differently, or when the one chosen site, which is empty,
    gets a piece: then two that are written alike do different things, a fault that the reference
    tells.
    """
    if shows_choices(move, rules):
        return True
    choosing = [s for s in move.body if isinstance(s, r.Choose | r.ChooseRay)]
    puts = [s for s in move.body if isinstance(s, r.Put)]
    if len(choosing) != 1 or not puts or not isinstance(choosing[0], r.Choose):
        return False
    domain = Normalizer(rules, 0, 0)(choosing[0].domain)
    vacant = domain.type in SETS and is_inside(domain, m.Apply(Type.SITES, "empty"))
    site = puts[0].sites
    return vacant and isinstance(site, m.Local) and site.slot == choosing[0].slot


def is_keyed(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether rows hold what a move is written by, and not its choices alone.

    So it is where two decisions of the move may be written alike, or one of another move in the
    same form, and values are named that nobody chooses.
    """
    if not distinct(move, rules):
        return True
    chosen = {slot for s in move.body for slot, _ in choices(s)}
    values = [part for form in _texts(move) for part in form if not isinstance(part, str)]
    if all(isinstance(part, m.Local) and part.slot in chosen for part in values):
        return False
    others = {_as_sets(_form(form)) for o in rules.moves if o is not move for form in _texts(o)}
    return any(_as_sets(_form(form)) in others for form in _texts(move))


def _texts(move: r.MoveKind) -> Iterator[tuple[str | m.Expr, ...]]:
    """Walk the texts that a move may be written by, each as its parts."""
    notations = [s.notation for s in move.body if isinstance(s, r.Write)]
    while notations:
        match notations.pop():
            case m.TextChoice() as choice:
                notations += [choice.then, choice.otherwise]
            case text:
                yield text.parts


def _turning(move: r.MoveKind, rules: r.Rules) -> object:
    """Return the parity of side swaps of a move, and whether it gives a turn; None: it varies."""
    inside = (s for s in move.body if isinstance(s, r.Perform | r.If | r.Each))
    if any(isinstance(n, _TURNING) for s in inside for n in _nested(s, rules)):
        return None
    swaps = sum(isinstance(s, r.SwapSides) for s in move.body) % 2
    return swaps, any(isinstance(s, r.Again) for s in move.body)


def _nested(s: r.Effect, rules: r.Rules) -> Iterator[r.Effect]:
    """Walk a statement and all that stand in its blocks and in its action."""
    yield s
    match s:
        case r.Perform(action=action):
            inner = rules.actions[action].body
        case _:
            inner = r.block_of(s)
    for statement in inner:
        yield from _nested(statement, rules)


_TURNING = (r.SwapSides, r.Again)
ChoicePlaces = Mapping[int, tuple[Type, int, int]]
Form = tuple[object, ...]
Facts = tuple[tuple[int, ...], tuple[int, ...]]
"""The owners and the kinds that pieces on a site can have; empty if unknown."""
_SURE = frozenset({"lines", "groups", "groups_linked"})
"""Families whose members all differ."""


@record
class WrittenForm(Record):
    """One way in which a move is written: when, in what form, and where the values lie in its row.

    `tests` are words of the row with the values they have when the move is written this way.
    """

    tests: tuple[tuple[int, int], ...]
    form: Form
    places: tuple[int, ...]
    kinds: tuple[tuple[int, Facts], ...] = ()
    """Facts about the sites at some of the places, by the place's number."""
    ways: Mapping[tuple[int, int], Ways] = {}
    """The steps by which sites can lie from each other, by their words in the row."""


def never_equal(x: WrittenForm, y: WrittenForm) -> bool:
    """Whether no two rows written in the same form can have equal values."""
    kinds = dict(y.kinds)
    if any(place in kinds and _disjoint(facts, kinds[place]) for place, facts in x.kinds):
        return True
    words = dict(zip(x.places, y.places, strict=True))
    for (a, b), ways in x.ways.items():
        other_ways = y.ways.get((words.get(a, -1), words.get(b, -1)))
        if other_ways and all(p.isdisjoint(q) for p, q in zip(ways, other_ways, strict=True)):
            return True
    return False


def _disjoint(a: Facts, b: Facts) -> bool:
    return any(not set(x) & set(y) for x, y in zip(a, b, strict=True) if x and y)


def _facts(domain: m.Expr, rules: r.Rules) -> Facts:
    """Return the owners and the kinds that pieces in a domain can have; empty if unknown."""
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
            is_once = _one_end(pattern) or last_mark(pattern, Normalizer(rules, 0, 0)) is not None
            return not (_one_way(along, rules) and is_once)
    return False


def _one_way(along: m.Expr, rules: r.Rules) -> bool:
    """Whether no two of the steps can lead to the same site: no two go the same way."""
    if rules.board.is_irregular:
        return False
    for node in reachable_nodes(along, rules.functions):
        if isinstance(node, m.Apply) and node.operation == "join_steps":
            return False
        steps = node.steps if isinstance(node, m.Const) and node.type is Type.STEPS else ()
        if any(starmap(parallel, combinations(steps, 2))):
            return False
    return True


def _one_end(pattern: m.RayPattern) -> bool:
    """Whether the marks of a match determine its direction, and the length of each part."""
    items = pattern.items if isinstance(pattern, m.Sequence) else (pattern,)
    marked = [i.item for i in items if isinstance(i, m.Marked)]
    single = any(isinstance(i, m.OnSite) for i in marked)
    return single and not any(may_be_nothing(i) for i in marked)


def written_forms(rules: r.Rules, number: int, words: int) -> tuple[WrittenForm, ...]:
    """List the forms in which a move is written."""
    move, forms = rules.moves[number], list[WrittenForm]()
    choices = choice_places(move, words)
    domains = {s.slot: s.domain for s in move.body if isinstance(s, r.Choose)}
    facts = {n: _facts(d, rules) for n, d in domains.items() if d.type in SETS}
    for statement in move.body:
        if not isinstance(statement, r.Write):
            continue
        if not is_keyed(move, rules):
            notation = statement.notation if shows_choices(move, rules) else None
            forms.append(_by_choices(notation, choices, number, facts))
        else:
            key = 2 + sum(size for _, _, size in choices.values())
            _Keyed(words, facts, forms).add(statement.notation, key)
    sites = {slot: at for slot, (type_, at, _) in choices.items() if type_ is Type.SITE}
    ways = between(move, sites, rules) if not is_keyed(move, rules) else {}
    return tuple(
        evolve(w, form=tuple(_tag_steps(part, number) for part in w.form), ways=ways) for w in forms
    )


def _tag_steps(part: object, number: int) -> object:
    """Tag a step with its move: steps of different moves have other numbers."""
    return (part, number) if part in (Type.STEP, Type.STEPS) else part


def _by_choices(
    notation: m.Notation | None, choices: ChoicePlaces, number: int, facts: Mapping[int, Facts]
) -> WrittenForm:
    """Return the form of a move by its choices; others than plain ones match this move only."""
    parts = notation.parts if isinstance(notation, m.Text) else ()
    if parts and all(isinstance(p, str | m.Local) for p in parts):
        slots = [p.slot for p in parts if isinstance(p, m.Local)]
        if all(slot in choices for slot in slots):
            places = tuple(i for s in slots for i in _words(choices[s]))
            kinds = tuple((i, facts[s]) for i, s in enumerate(slots) if s in facts)
            return WrittenForm((), _form(parts), places, kinds)
    everything = tuple(i for choice in choices.values() for i in _words(choice))
    return WrittenForm((), (number,), everything)


def _words(choice: tuple[Type, int, int]) -> range:
    _, at, size = choice
    return range(at, at + size)


def _form(parts: tuple[str | m.Expr, ...]) -> Form:
    return tuple(part if isinstance(part, str) else part.type for part in parts)


@record
class _Keyed(Record):
    """Collect the forms of a move whose row holds the values of its notation."""

    words: int
    facts: Mapping[int, Facts]
    forms: list[WrittenForm]

    def add(self, notation: m.Notation, at: int, tests: tuple[tuple[int, int], ...] = ()) -> int:
        """Add the forms of *notation*, whose values begin at *at*; returns where they end."""
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
        self.forms.append(WrittenForm(tests, _form(notation.parts), places, kinds))
        return at + size


# --- which decisions stand in one list ---


@record
class Duplicates(Record):
    """Compare the decisions of a game."""

    moves: tuple[tuple[WrittenForm, ...], ...]
    repeating: frozenset[int]
    """The moves that may choose the same twice, and show all they choose."""
    turning: tuple[object, ...]
    """The effect of each move on whose turn is next; None if it varies."""

    @classmethod
    def of(cls, layout: StateLayout) -> Duplicates:
        """Read the moves of the game of *layout*."""
        rules, numbers = layout.rules, range(len(layout.rules.moves))
        repeating = (
            n
            for n in numbers
            if may_repeat(rules.moves[n], rules) and shows_choices(rules.moves[n], rules)
        )
        return cls(
            tuple(written_forms(rules, n, layout.words) for n in numbers), frozenset(repeating),
            tuple(_turning(move, rules) for move in rules.moves),
        )  # fmt: skip

    def clash(self, course: Course) -> bool:
        """Whether a list of decisions of *course* may hold one twice."""
        return self._together(options(course))[1]

    def _together(self, offers: Sequence[Option]) -> tuple[list[Offer], bool]:
        """Return the offers of options, and whether one decision may be offered twice."""
        parts = [self._offers(option) for option in offers]
        clash = any(part[1] for part in parts)
        for left, right in combinations(parts, 2):
            clash = clash or any(self._may_be_same(a, b) for a in left[0] for b in right[0])
        return [offer for part in parts for offer in part[0]], clash

    def _offers(self, option: Option) -> tuple[list[Offer], bool]:
        match option:
            case Offer(move=move):
                return [option], move in self.repeating
            case Within(offers=offers):
                return self._together(offers)
            case Instead():
                first, second = self._together(option.first), self._together(option.second)
                return first[0] + second[0], first[1] or second[1]
        return [], False

    def _may_be_same(self, a: Offer, b: Offer) -> bool:
        move, other_move = a.move, b.move
        if a.tail != b.tail or (move is None) != (other_move is None):
            return False
        if move is None or other_move is None:
            return True
        if any(_mixed(x.form, y.form) for x in self.moves[move] for y in self.moves[other_move]):
            raise Unsupported("a site and a set of one site may be written alike")
        if not self._pairs(move, other_move):
            return False
        if move != other_move and not self._turn_alike(move, other_move):
            raise Unsupported("moves that may be written alike go on with different turns")
        return True

    def _turn_alike(self, a: int, b: int) -> bool:
        """Whether two moves surely do the same to whose turn is next."""
        return self.turning[a] is not None and self.turning[a] == self.turning[b]

    def _pairs(self, a: int, b: int) -> list[tuple[WrittenForm, WrittenForm]]:
        """Return the pairs of forms of two moves that may be alike."""
        ways = ((x, y) for x in self.moves[a] for y in self.moves[b])
        return [(x, y) for x, y in ways if x.form == y.form and not never_equal(x, y)]

    def _compared(self, a: int, b: int) -> bool:
        """Whether rows of two moves are ever compared."""
        return (a != b or a in self.repeating) and bool(self._pairs(a, b))

    def note_comparisons(self, layout: StateLayout, clash: bool) -> None:
        """Note the moves whose decisions are compared, since two texts may be alike.

        *clash*: whether decisions of two moves that may be alike ever stand in one list.
        """
        moves = layout.rules.moves
        for a, b in combinations_with_replacement(range(len(moves)), 2):
            if clash and self._compared(a, b):
                names = " and ".join(f"`{moves[n].name}`" for n in sorted({a, b}))
                form = "compared, because two may be written alike"
                layout.note(f"decisions of {names}", form, moves[b].origin)
        for move in moves:
            if not distinct(move, layout.rules):
                note_compared(layout, move)

    def partners(self, layout: StateLayout) -> int:
        """Add a table: for every move the moves, as bits, whose rows may be written alike."""
        numbers = range(len(self.moves))
        masks = [sum(1 << a for a in numbers if self._compared(a, b)) for b in numbers]
        return layout.number_table("partners of moves", masks)

    def same_decision(self, layout: StateLayout) -> Function:
        """Write the kernel that compares two rows, at the words a and b."""
        w = Writer(layout=layout)
        with w.when(at("rows", _A + 1).ne(at("rows", _B + 1))):
            w.give(0)
        a, b = w.let(at("rows", _A), "m"), w.let(at("rows", _B), "m")
        with w.when((a < 0) & (b < 0)):
            w.give(1)
        numbers = range(len(self.moves))
        for first, second in product(numbers, numbers):
            if self._compared(first, second):
                for x, y in self._pairs(first, second):
                    with w.when(reduce(and_, (a.eq(first), b.eq(second), *_equal(x, y)))):
                        w.give(1)
        takes = (("rows", INTS), ("a", INT), ("b", INT))
        return w.function("same_decision", Signature(takes, INT), 0)


_A, _B = Local("a", INT), Local("b", INT)


def _mixed(a: Form, b: Form) -> bool:
    """Whether two forms differ only in sites of one that are sets of sites in the other."""
    return a != b and _as_sets(a) == _as_sets(b)


def _as_sets(form: Form) -> Form:
    return tuple(Type.SITES if part is Type.SITE else part for part in form)


def _equal(x: WrittenForm, y: WrittenForm) -> Iterator[Expr]:
    """Walk the conditions by which two rows in these forms are written alike."""
    yield from (at("rows", _A + place).eq(value) for place, value in x.tests)
    yield from (at("rows", _B + place).eq(value) for place, value in y.tests)
    places = zip(x.places, y.places, strict=True)
    yield from (at("rows", _A + i).eq(at("rows", _B + j)) for i, j in places)


DISTINCT = """def distinct(rows: ints, tables: ints, partners: i64, first: i64, n: i64) -> i64:
    free_row = first
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
            while j < free_row and same == 0:
                if move < 0 or shift_right(others, rows[j * ROW] & 63) & 1 != 0:
                    same = same_decision(rows, j * ROW, i * ROW)
                j = j + 1
        if same == 0:
            if free_row < i:
                for k in range(ROW):
                    rows[free_row * ROW + k] = rows[i * ROW + k]
            free_row = free_row + 1
    return free_row


"""
"""The kernel that drops rows written like one before; it returns how many are left."""
