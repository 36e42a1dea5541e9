"""The sites of a look: where something lies or is drawn, from where to where, what one click means.

In: expressions of a look, which may bind a name: `at s in SET`.  Out: sites of the whole lattice,
worked out before the game begins, and for strokes on all its sites, those that `where` cut away
included.  Refuses what depends on the position, what takes too long, and strokes that end nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from attrs import evolve

from rulewright.errors import Fault
from rulewright.ground.records import Record
from rulewright.language import syntax
from rulewright.language.resolve import cost
from rulewright.language.resolve.scope import Locals, Scope, is_unknown
from rulewright.language.resolve.values import (
    accept,
    constant_value,
    is_affordable,
    read_as,
    read_closed,
    static_context,
)
from rulewright.model.board import Board, bits
from rulewright.model.expressions import Expr, Type
from rulewright.model.look import Spans
from rulewright.reference.evaluate import evaluate


class LookSites(Record):
    """Works out the sites of one look."""

    def __init__(self, scope: Scope, board: Board) -> None:
        """Stand on a board."""
        self.scope, self.board = scope, board

    @cached_property
    def _lattice(self) -> Board:
        """The board with all sites of its lattice, those that `where` cuts away included."""
        return evolve(self.board, sites=(1 << len(self.board.names)) - 1)

    def of(self, node: syntax.Expr) -> tuple[int, ...] | None:
        """The sites behind `at`; None where they cannot be worked out."""
        _, domain = bound_name(node)
        value = constant_value(self.scope, read_closed(self.scope, domain, Type.SITES), domain)
        return tuple(bits(value)) if isinstance(value, int) else None

    def of_position(self, node: syntax.Expr) -> Expr | None:
        """The sites behind `at` as an expression, where they depend on the position; else None."""
        name, domain = bound_name(node)
        if name is not None:
            return None
        sites = read_as(self.scope, domain, Locals(), Type.SITES)
        if is_unknown(sites) or not self.scope.measures.of(sites).flags & cost.POSITION:
            return None
        sites = read_closed(self.scope, domain, Type.SITES)
        return None if is_unknown(sites) else sites

    def spans(
        self, node: syntax.Expr, sites: tuple[int, ...], ends: tuple[syntax.Expr, syntax.Expr]
    ) -> Spans | None:
        """For each of *sites* the sites between which something is drawn."""
        name, _ = bound_name(node)
        lists = [self._for_each(name, sites, end) for end in ends]
        if lists[0] is None or lists[1] is None:
            return None
        firsts, lasts = (
            [self._single(end, pair) for pair in zip(sites, masks, strict=True)]
            for end, masks in zip(ends, (lists[0], lists[1]), strict=True)
        )
        if None in firsts or None in lasts:
            return None
        return tuple(zip(sites, zip(firsts, lasts, strict=True), strict=True))  # type: ignore[arg-type]

    def groups(self, node: syntax.Expr) -> tuple[tuple[int, ...], ...] | None:
        """The different sets that `click s in SET` has for the sites of the board."""
        name, domain = bound_name(node)
        sites = tuple(bits(self.board.sites))
        masks = self._for_each(name, sites if name is not None else sites[:1], domain)
        if masks is None:
            return None
        return tuple(
            tuple(bits(m)) for m in dict.fromkeys(m & self.board.sites for m in masks) if m
        )

    def labels(self, node: syntax.Expr, value: syntax.Expr) -> tuple[tuple[int, int], ...] | None:
        """For each site of `s in SET` the whole number that a value has there."""
        name, sites = bound_name(node)[0], self.of(node)
        masks = None if sites is None else self._for_each(name, sites, value, Type.INT)
        return None if sites is None or masks is None else tuple(zip(sites, masks, strict=True))

    def _single(self, node: syntax.Expr, pair: tuple[int, int]) -> int | None:
        """The one site that a stroke of a site goes to; reported, for the first, if it is none."""
        site, mask = pair
        if mask.bit_count() == 1:
            return mask.bit_length() - 1
        shown, count = self.board.names[site], mask.bit_count() or "none"
        message = f"a stroke goes to one site, and for {shown} this is {count}"
        self.scope.complain("off-board", node, message)
        return None

    def _for_each(
        self,
        name: syntax.Name | None,
        sites: tuple[int, ...],
        node: syntax.Expr,
        kind: Type = Type.SITES,
    ) -> list[int] | None:
        """The set (or the number) that an expression has where *name* is each of *sites*."""
        scope, frame = self.scope, Locals()
        if name is not None and not scope.check_local(name, frame):
            return None
        if name is not None:
            frame.add(name, Type.SITE)
        expression = accept(scope, read_as(scope, node, frame, kind), node)
        if is_unknown(expression) or not self._is_fixed(expression, node, len(sites)):
            return None
        try:
            return [*self._values(expression, sites, frame.size)]
        except Fault as fault:
            scope.complain("arithmetic", node, fault.message)
            return None

    def _is_fixed(self, expression: Expr, node: syntax.Expr, times: int) -> bool:
        measure = self.scope.measures.of(expression)
        if measure.flags & cost.POSITION:
            message = "this must be known before the game begins, and it depends on the position"
            self.scope.complain("not-constant", node, message)
            return False
        return is_affordable(self.scope, measure, node, max(1, times), expression)

    def _values(self, expression: Expr, sites: Iterable[int], size: int) -> Iterator[int]:
        for site in sites:
            context = static_context(self.scope)
            context.board, context.frame = self._lattice, [1 << site] + [0] * size
            yield evaluate(expression, context)


def sites_having(sites: syntax.Expr | None, table: syntax.Name, value: int) -> syntax.Expr:
    """The text of `those(s in SITES : TABLE(s) = VALUE)`; all sites where none are named."""
    at = table.span
    site = syntax.Name("a site", span=at)  # with a blank, so that no name of a file is this one
    domain = syntax.Binary("in", site, sites or syntax.Name("sites", span=at), span=at)
    entry = syntax.Call(table, (site,), None, span=at)
    test = syntax.Binary("=", entry, syntax.Number(value, span=at), span=at)
    return syntax.Call(syntax.Name("those", span=at), (domain,), test, span=at)


def bound_name(node: syntax.Expr) -> tuple[syntax.Name | None, syntax.Expr]:
    """The name that `s in SET` binds, and the set; no name where it is a set alone."""
    if isinstance(node, syntax.Binary) and node.sign == "in" and isinstance(node.left, syntax.Name):
        return node.left, node.right
    return None, node
