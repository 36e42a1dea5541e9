"""What never decides who wins: which of several sites holds a piece, or whose a piece is.

In: rules.  Out: classes of sites that may change places with each other, everything else staying
where it is, and whether pieces of players matter by their sites and their numbers alone.  Both are
proven from the normal form of all moves and ends for either player, as symmetries of the whole
board are (`symmetry`): positions that differ in no more are worth the same.

Sites are alike that lie in the same sets of the text and have the same neighbours by every step of
it.  Refuses all that asks for more of a site: lines, rays, links, columns and rows, single steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import evolve

from rulewright.compiler.layout import StateLayout, Unsupported, set_places
from rulewright.compiler.passes.normalize import Normalizer, is_apply
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import bits
from rulewright.model.expressions import Apply, Const, Expr, Type
from rulewright.model.walk import nodes, rebuilt

Classes: TypeAlias = tuple[tuple[int, ...], ...]
"""Sites by number, those that are alike together."""
MOST = 64
"""Sites in classes that a hash goes through one by one."""
_OF_SETS = frozenset({
    "add", "subtract", "multiply", "div", "mod", "negate", "abs", "sign", "count", "members",
    "less", "less_equal", "equal", "between", "not", "inside", "meets", "any", "unite", "intersect",
    "complement", "gather", "owned", "of_kind", "full", "empty", "ply", "viewer", "item", "numbers",
    "kind_item",
    "kinds", "range", "stuck", "family",
})  # fmt: skip
"""Operations that commute with every way to move sites."""
_OF_NEIGHBOURS = {"step": 0, "groups": 1, "reach": 2}
"""Those that commute where neighbours stay neighbours, and which argument says the steps."""
_TYING = (m.Ray, r.ChooseRay, r.Link, r.LinkEach)
_TAKING = (r.Clear, r.MovePiece, r.MoveEach)
_OWNED = tuple(Apply(Type.SITES, "owned", (Const(Type.PLAYER, value=p),)) for p in (0, 1))


def alike(rules: r.Rules) -> Classes:
    """Return classes of at least two sites that the rules do not tell apart."""
    try:
        parts = [n for mover in (0, 1) for n in nodes(_normal_parts(rules, mover))]
    except Unsupported:
        return ()
    if rules.has_several or rules.looks_back or rules.board.stacked or any(_ties(n) for n in parts):
        return ()
    constants = [n for n in parts if isinstance(n, Const)]
    classes = dict[object, list[int]]()
    for site in bits(rules.board.sites):
        classes.setdefault(_site_facts(rules, constants, site), []).append(site)
    several = tuple(tuple(sites) for sites in classes.values() if len(sites) > 1)
    return several if sum(map(len, several)) <= MOST else ()


def _normal_parts(rules: r.Rules, mover: int) -> list[object]:
    """Return all statements and ends, in the normal form for a player."""
    normal = Normalizer(rules, mover, mover)
    bodies = [item.body for item in rules.moves] + [item.body for item in rules.actions]
    return [rebuilt(part, normal) for part in (*(s for b in bodies for s in b), *rules.ends)]


def _ties(node: object) -> bool:
    """Whether a part of the rules may ask for more of a site than its sets and neighbours."""
    if isinstance(node, Apply) and node.operation in _OF_NEIGHBOURS:
        return not isinstance(node.arguments[_OF_NEIGHBOURS[node.operation]], Const)
    if isinstance(node, Apply):
        return node.operation not in _OF_SETS or node.type is Type.REAL
    if isinstance(node, m.StateValue | r.Assign) and node.at:
        return True
    return isinstance(node, _TYING)


def _site_facts(rules: r.Rules, constants: Iterable[Const], site: int) -> object:
    """Return all that the rules tell of a site: the sets that it lies in, and its neighbours."""
    facts: list[object] = []
    for e in constants:
        if e.type in (Type.SITE, Type.SITES) and isinstance(e.value, int):
            facts.append(e.value >> site & 1)
        elif e.type is Type.FAMILY:
            facts.append(tuple(mask >> site & 1 for mask in e.numbers or ()))
        elif e.type in (Type.STEP, Type.STEPS):
            near = rules.board.neighbours(e.steps)
            facts.append((near[site], tuple(mask >> site & 1 for mask in near)))
    return tuple(facts)


def all_alike(layout: StateLayout, classes: Classes, words: Sequence[int]) -> bool:
    """Whether all sites of each class hold the same in a position."""
    places = set_places(layout)
    return all(
        len({tuple(words[at + s // 64] >> s % 64 & 1 for at in places) for s in members}) == 1
        for members in classes
    )


# --- pieces that only count ---


def only_counted(rules: r.Rules) -> bool:
    """Whether it never matters which player owns a piece, but for how many each of them has."""
    if rules.looks_back or rules.board.stacked:
        return False
    if any(isinstance(n, _TAKING) for n in nodes(rules.moves, rules.actions)):
        return False
    try:
        hidden = [_without_counts(p) for mover in (0, 1) for p in _normal_parts(rules, mover)]
        return not any(is_apply(n, "owned") for n in nodes(hidden)) and _takes_nothing(rules)
    except Unsupported:
        return False


def _without_counts(part: Any) -> Any:
    """Drop from an expression the counts of players' pieces, and the set of all of them."""
    if isinstance(part, Apply):
        if part.operation == "count" and part.arguments[0] in _OWNED:
            return Const(part.type, value=0)
        if _is_all(part):
            rest = tuple(a for a in part.arguments if a not in _OWNED)
            return rebuilt(evolve(part, arguments=rest), _without_counts)
    return rebuilt(part, _without_counts)


def _is_all(e: Expr) -> bool:
    """Whether a set holds the pieces of both players, and perhaps more."""
    return is_apply(e, "unite") and all(pieces in e.arguments for pieces in _OWNED)


def _takes_nothing(rules: r.Rules) -> bool:
    """Whether no piece is ever put where a player had one before the decision."""
    if any(isinstance(n, r.Put) for n in nodes(rules.actions)):
        return False
    return all(_puts_on_free_sites(rules, move, mover) for move in rules.moves for mover in (0, 1))


def _puts_on_free_sites(rules: r.Rules, move: r.MoveKind, mover: int) -> bool:
    normal = Normalizer(rules, mover, mover)
    domains = dict[int, Expr]()
    for s in nodes(move.body):
        if isinstance(s, r.Choose):
            domains[s.slot] = normal(s.domain)
        elif isinstance(s, r.Let):
            domains[s.slot] = normal(s.value)
    puts = [s for s in nodes(move.body) if isinstance(s, r.Put)]
    return all(_is_free(normal(s.sites), domains) for s in puts)


def _is_free(e: Expr, domains: Mapping[int, Expr]) -> bool:
    """Whether no site of a set holds a player's piece when the set is evaluated."""
    match e:
        case m.Local(slot=slot):
            return slot in domains and _is_free(domains[slot], domains)
        case m.Quantified(quantifier="those"):
            return _is_free(e.domains[0], domains)
        case Apply(operation="empty"):
            return True
        case Apply(operation="complement"):
            return _is_all(e.arguments[0])
        case Apply(operation="intersect"):
            return any(_is_free(a, domains) for a in e.arguments)
        case Apply(operation="unite"):
            return all(_is_free(a, domains) for a in e.arguments)
    return False
