"""Sites told apart by a coordinate: `those(s in X : y(s) <= N)`, a line of the board at a time.

In: such a set, where N asks for a site by its other coordinate only, and for whether it lies in one
set.  Out: the same set; N is worked out once for each line (and for the sites of it that lie in
that set), not for each site.  Refuses (`Unsupported`) everything else, and all N that can meet
another fault than numbers that are too large: the first one could be another's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import define, evolve, field

from rulewright.codegen.ir.nodes import choice
from rulewright.codegen.layout import Unsupported
from rulewright.codegen.lower.values import Values
from rulewright.codegen.lower.writer import Sites
from rulewright.codegen.passes.normalize import Normalizer, harmless, is_apply, uses_slot
from rulewright.model import expressions as m
from rulewright.model.board import Board, bits
from rulewright.model.expressions import Const, Type
from rulewright.model.walk import nodes, rebuilt
from rulewright.records import Record

_ACROSS = {"x": "y", "y": "x"}
_TESTS: Mapping[str, Callable[[int, int], bool]] = {
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "equal": lambda a, b: a == b,
}


def lower_by_coordinate(v: Values, e: m.Quantified) -> Sites:
    """The set, if it has this form."""
    slot, body = e.slots[0], e.body
    if len(e.slots) != 1 or e.type is not Type.SITES or not is_apply(body, *_TESTS):
        raise Unsupported
    _only_overflows(Normalizer(v.rules, v.view, v.mover)(e))
    key, first = _coordinate(body, slot)
    limit = _Limit(slot, _ACROSS[key])
    limit.of(body.arguments[first])
    places = places_of(v.board, key)
    rows = _rows(v.board, places, _TESTS[body.operation], first=first == 1)
    table = v.layout.mask_table(rows)
    lines = lines_of(v.board, places_of(v.board, limit.across))
    starts, w, found = v.layout.mask_table(lines), v.w, v.w.empty()
    domain = v.sites(e.domains[0])
    within = None if limit.within is None else v.sites(limit.within)
    with w.each(0, len(lines)) as index:
        v.frame[slot] = index
        line = domain & w.load("g.tables", starts + index * v.layout.words)
        sides = (
            [(line, None)] if within is None else [(line & within, True), (line - within, False)]
        )
        for sites, inside in sides:
            with w.when(sites.any()):
                number = w.let(v.number(limit.of(body.arguments[first], inside)), "n")
                least = choice(number < -1, -1, number)
                place = w.let(choice(least > len(rows) - 2, len(rows) - 2, least) + 1, "k")
                row = w.load("g.tables", table + place * v.layout.words)
                w.add(found, sites & row)
    v.layout.note_at(e.origin, "those", "a line of the board at a time")
    return found


def _coordinate(body: m.Apply, slot: int) -> tuple[str, int]:
    """Which coordinate of the site is compared, and which argument it is compared with."""
    for first, e in enumerate(reversed(body.arguments)):
        if is_apply(e, *_ACROSS) and e.arguments == (m.Local(Type.SITE, slot),):
            return e.operation, first
    raise Unsupported


@define(repr=False, eq=False)
class _Limit(Record):
    """What a coordinate is compared with, for all sites of a line."""

    slot: int
    across: str
    within: m.Expr | None = field(default=None, init=False)
    """The set that it asks for, if any."""

    def of(self, e: m.Expr, inside: bool | None = None) -> m.Expr:
        """The same number with the line's own number for the site's, and *inside* known."""
        site = m.Local(Type.SITE, self.slot)
        match e:
            case m.Local(slot=slot) if slot == self.slot:
                raise Unsupported
            case m.Apply(operation=self.across, arguments=(one,)) if one == site:
                return m.Local(Type.INT, self.slot)
            case m.Apply(operation="inside", arguments=(one, whole)) if one == site:
                if uses_slot(whole, self.slot) or self.within not in (None, whole):
                    raise Unsupported
                self.within = whole
                return Const(Type.TRUTH, value=bool(inside))
        return rebuilt(e, lambda x: self.of(x, inside))


def _only_overflows(e: m.Expr) -> None:
    """Refuse where another fault could be met."""
    if not all(map(_is_sound, nodes(e))):
        raise Unsupported


def _is_sound(node: m.Expr) -> bool:
    """Whether a node by itself meets no fault but a number that is too large."""
    if is_apply(node, "div", "mod"):
        by = node.arguments[1]
        return isinstance(by, Const) and bool(by.value)
    if isinstance(node, m.Apply):
        return node.operation in _ACROSS or harmless(evolve(node, arguments=()))
    return not (isinstance(node, m.Quantified) and node.quantifier in ("max", "min"))


def places_of(board: Board, key: str) -> list[int]:
    """For every site its column or row, from 1 on."""
    return [c + 1 for c in board.columns] if key == "x" else list(board.numbers)


def lines_of(board: Board, places: list[int]) -> tuple[int, ...]:
    """The sites of each column or row, by its number."""
    numbers = range(max(places) + 1)
    return tuple(sum(1 << s for s in bits(board.sites) if places[s] == n) for n in numbers)


def _rows(
    board: Board, places: list[int], test: Callable[[int, int], bool], *, first: bool
) -> tuple[int, ...]:
    """The sites whose coordinate passes, for every limit from -1 to one more than the largest.

    *first*: the coordinate is the first of the two that are compared.
    """
    held = []
    for limit in range(-1, max(places) + 2):
        passing = (s for s in bits(board.sites) if _passes(test, places[s], limit, first=first))
        held.append(sum(1 << s for s in passing))
    return tuple(held)


def _passes(test: Callable[[int, int], bool], place: int, limit: int, *, first: bool) -> bool:
    return test(place, limit) if first else test(limit, place)
