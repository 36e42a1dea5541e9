"""States: what a game remembers besides the board, as single values and as tables.

In: the statement `state`, what asks for an entry of a table, and what sets a state.  Out: states of
the model, expressions and effects.  Refuses tables that are too large, indices that are not known
before play, and values outside of a range.
"""

from __future__ import annotations

from rulewright.ground import limits
from rulewright.ground.printable import amount
from rulewright.language import syntax
from rulewright.language.resolve.cost import Measures
from rulewright.language.resolve.name_lookup import complain_arguments, read_player
from rulewright.language.resolve.options import read_range
from rulewright.language.resolve.scope import UNKNOWN, Locals, Scope, a, is_unknown, outside
from rulewright.language.resolve.values import (
    accept,
    as_storable,
    constant_value,
    fit,
    read,
    read_all,
    read_as,
    read_closed,
)
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import mask_of
from rulewright.model.expressions import OPERATIONS, Const, Expr, Type
from rulewright.model.walk import rebuilt

_TYPES = (Type.INT, Type.TRUTH, Type.SITES)
_ENTRY_TYPES = (Type.INT, Type.TRUTH)
Interval = tuple[int, int]


def read_states(scope: Scope, nodes: list[syntax.StateVariable]) -> tuple[r.StateVariable, ...]:
    """Read the states of a file, in order."""
    states = []
    for index, node in enumerate(nodes):
        state = _read_state(scope, node)
        scope.state_types[index] = state.type
        if state.low is not None and state.high is not None:
            scope.measures.ranges[index] = (state.low, state.high)
        if state.type is not Type.UNKNOWN:
            scope.states.setdefault(node.name.text, state)
        states.append(state)
    return tuple(states)


def _read_state(scope: Scope, node: syntax.StateVariable) -> r.StateVariable:
    frame = Locals()
    indices = _read_indices(scope, node, frame)
    first = _read_first_value(scope, node, frame if indices else None)
    low = high = None
    if node.range is not None:
        ends = read_range(scope, node.range)
        low, high = ends or (None, None)
        if first.type not in (Type.INT, Type.UNKNOWN):
            scope.complain("wrong-type", node.range, "only a number has a range")
    value = first.value if isinstance(first, Const) and first.type is Type.INT else None
    if outside(value, low, high):
        message = f"{value} lies outside the range {low}..{high}"
        scope.complain("out-of-range", node.value, message)
    is_each = node.each and len(indices) == sum(i.name is not None for i in node.indices)
    is_each = is_each and (not node.indices or any(i.name is None for i in node.indices))
    origin, name = scope.origin(node), node.name.text
    state = r.StateVariable(
        name, first.type, is_each, first, low, high, node.within_turn, node.unseen, origin,
        indices, frame.size, node.with_pieces, node.hidden,
    )  # fmt: skip
    if node.with_pieces and not _is_of_sites(scope, state, len(node.indices)):
        message = f"`{name}` says nothing of single sites, so it cannot go where a piece goes"
        advice = f"`state {name} = nowhere with pieces`, or a table `each s in sites`"
        scope.complain("wrong-type", node, message, advice)
    if node.with_pieces and scope.board is not None and scope.board.stacked:
        message = "a state cannot go `with pieces` where these are piled up: sites hold several"
        scope.complain("misplaced", node, message)
    entries = state.entries * (len(scope.views) if is_each else 1)
    if entries > limits.TABLE:
        message = f"this table has {amount(entries, 'entry', 'entries')}"
        advice = f"at most {limits.TABLE:,} are possible"
        scope.complain("too-large", node, message, advice)
    return state


def _is_of_sites(scope: Scope, state: r.StateVariable, indices: int) -> bool:
    """Whether a state says something of each site, and the same to both players."""
    if state.type is Type.UNKNOWN or scope.board is None:
        return True  # what is wrong is reported elsewhere
    if state.each or len(state.indices) < indices:
        return False
    if not state.indices:
        return state.type is Type.SITES
    sites = scope.board.sites
    return [i.type for i in state.indices] == [Type.SITE] and state.indices[0].members == sites


def _read_first_value(scope: Scope, state: syntax.StateVariable, frame: Locals | None) -> Expr:
    """Read what a state is when the game begins; a table's in the *frame* of its indices."""
    node = state.value
    scope.stateless = "the first value of a state"
    if frame is None:
        first: Expr = read_closed(scope, node, Type.UNKNOWN)
    else:
        first = accept(scope, read(scope, node, frame), node)
    scope.stateless = ""
    first = as_storable(scope, first, node)
    if first.type in (Type.SITE, Type.FAMILY):
        first = fit(scope, first, node, Type.SITES)
    if first.type is Type.SITE:
        first = m.Apply(Type.SITES, "unite", (first,))
    types = _TYPES if frame is None else _ENTRY_TYPES
    if first.type not in (*types, Type.UNKNOWN):
        message = f"a state is a whole number, a truth or a set of sites, not {first.type}"
        if frame is not None:
            message = f"an entry of a table is a whole number or a truth, not {first.type}"
        scope.complain("wrong-type", node, message, _in_brackets(scope, state))
        return UNKNOWN
    return first


def _in_brackets(scope: Scope, state: syntax.StateVariable) -> str:
    """Advise brackets where the `in` of a truth was taken for that of a range."""
    if state.range is None:
        return ""
    truth = f"{scope.text_of(state.value)} in {scope.text_of(state.range)}"
    return f"`in` begins the range of a number here; a truth stands in brackets: `({truth})`"


# --- tables ---


def _read_indices(
    scope: Scope, node: syntax.StateVariable, frame: Locals
) -> tuple[r.StateIndex, ...]:
    """Read what a table runs over; add the names of its members to *frame*."""
    indices, players = list[r.StateIndex](), 0
    for index in node.indices:
        players += index.name is None
        if index.name is None or index.domain is None:
            if players > 1:
                message = "a table has an entry for each player, so `player` stands here once"
                advice = "the value of the other player is `NAME(...) for enemy`"
                scope.complain("wrong-arguments", index, message, advice)
            continue
        read_index = _read_index(scope, index.domain)
        if not scope.check_local(index.name, frame):
            continue
        type_ = Type.UNKNOWN if read_index is None else read_index.type
        frame.add(index.name, type_)
        if read_index is not None:
            indices.append(read_index)
    return tuple(indices)


def _read_index(scope: Scope, node: syntax.Expr) -> r.StateIndex | None:
    domain = read_closed(scope, node, Type.UNKNOWN)
    if domain.type is Type.KIND:
        domain = fit(scope, domain, node, Type.SITES)
    value = constant_value(scope, domain, node)
    if value is None or scope.board is None:
        return None
    match domain.type:
        case Type.SITE | Type.SITES if isinstance(value, int):
            return r.StateIndex(Type.SITE, 0, len(scope.board.names), value)
        case Type.RANGE if isinstance(value, tuple):
            low, high = (int(end) for end in value)  # type: ignore[arg-type]
            if 0 < high - low + 1 <= limits.TABLE:
                return r.StateIndex(Type.INT, low, high - low + 1, (1 << high - low + 1) - 1)
            message = f"this range has {amount(max(0, high - low + 1), 'number')}"
            scope.complain("too-large", node, message, f"1 to {limits.TABLE:,} are possible")
            return None
        case Type.KINDS if isinstance(value, tuple):
            kinds = mask_of(int(kind) for kind in value)  # type: ignore[arg-type]
            return r.StateIndex(Type.KIND, 0, len(scope.kinds), kinds)
    message = f"a table runs over sites, a range or a list of kinds, not {domain.type}"
    scope.complain("wrong-type", node, message)
    return None


def read_entry(scope: Scope, node: syntax.Call, frame: Locals) -> Expr:
    """Read `seeds(k)`: an entry of a table; of a set of sites a number is the sum."""
    name = node.name.text
    scope.use(node.name)
    declared, state = scope.declared[name], scope.states.get(name)
    if state is None or declared.index not in scope.state_types:
        read_all(scope, node.arguments, frame)
        if declared.index not in scope.state_types:
            message = f"the state `{name}` has no value before the game begins"
            scope.complain("not-constant", node, message)
        return UNKNOWN
    at = _read_places(scope, node, node.arguments, state, frame)
    if at is None or is_unknown(*at):
        return UNKNOWN
    origin = scope.origin(node)
    summed = [e.type is Type.SITES and state.type is Type.INT for e in at]
    if not any(summed):
        return m.StateValue(state.type, declared.index, at, origin=origin)
    slots, places = list[int](), list[Expr]()
    for expression, is_summed in zip(at, summed, strict=True):
        local = frame.add(syntax.Name("", span=node.span), Type.SITE) if is_summed else None
        slots += [local.slot] if local else []
        places.append(local or expression)
    frame.names.pop("", None)
    domains = tuple(e for e, is_summed in zip(at, summed, strict=True) if is_summed)
    entry = m.StateValue(state.type, declared.index, tuple(places), origin=origin)
    return m.Quantified(Type.INT, "sum", tuple(slots), domains, entry, origin=origin)


def _read_places(
    scope: Scope,
    node: syntax.Node,
    arguments: tuple[syntax.Expr, ...],
    state: r.StateVariable,
    frame: Locals,
) -> tuple[Expr, ...] | None:
    """Read what stands in the brackets behind a table; None where that is not what it needs."""
    if len(arguments) != len(state.indices):
        complain_arguments(scope, node, state.name, len(state.indices), len(arguments))
        read_all(scope, arguments, frame)
        return None
    pairs = zip(arguments, state.indices, strict=True)
    return tuple(_read_place(scope, argument, state, index, frame) for argument, index in pairs)


def _read_place(
    scope: Scope,
    node: syntax.Expr,
    state: r.StateVariable,
    index: r.StateIndex,
    frame: Locals,
) -> Expr:
    place = read_as(scope, node, frame, Type.SITES if index.type is Type.SITE else index.type)
    if is_unknown(place) or not isinstance(place, Const) or not isinstance(place.value, int):
        return place
    is_site = index.type is Type.SITE
    fits = not place.value & ~index.members if is_site else index.holds(place.value - index.low)
    if not fits:
        message = f"`{state.name}` has no entry for `{scope.text_of(node)}`"
        scope.complain("out-of-range", node, message)
    return place


# --- setting ---


def read_assign(scope: Scope, frame: Locals, node: syntax.Assign) -> r.Assign | None:
    """Read `NAME := E`, and `NAME(A) := E` of a table."""
    name = node.name
    declared = scope.declared.get(name.text)
    if declared is None or declared.kind != "state":
        states = [n for n, d in scope.declared.items() if d.kind == "state"]
        if declared is not None or name.text in frame.names:
            scope.mentioned.add(name.text)
            kind = a(declared.kind) if declared else "a local name"
            message = f"`{name.text}` is {kind}; only a state can be set"
            scope.complain("wrong-type", name, message)
        else:
            scope.unknown(name, "state", states)
        read_all(scope, (*node.at, node.value), frame)
        return None
    scope.use(name)
    state = scope.states.get(name.text)
    if state is None:
        read_all(scope, (*node.at, node.value), frame)
        return None
    at = _read_target(scope, frame, node, state)
    player = _whose(scope, node, state)
    value = as_storable(scope, read(scope, node.value, frame), node.value)
    value = accept(scope, fit(scope, value, node.value, state.type), node.value)
    if isinstance(value, Const) and outside(value.value, state.low, state.high):
        message = f"`{name.text}` has the range {state.low}..{state.high}"
        scope.complain("out-of-range", node.value, message)
    return r.Assign(declared.index, player, value, at, origin=scope.origin(node))


def _read_target(
    scope: Scope, frame: Locals, node: syntax.Assign, state: r.StateVariable
) -> tuple[Expr, ...]:
    if not node.at and not state.indices:
        return ()
    if not state.indices:
        message = f"`{state.name}` is one value, not a table"
        advice = f"declare a table as `state {state.name} each s in sites = ...`"
        scope.complain("wrong-arguments", node.name, message, advice)
        return ()
    at = _read_places(scope, node.name, node.at, state, frame) or ()
    pairs = zip(at, node.at, strict=False)
    return tuple(accept(scope, place, argument) for place, argument in pairs)


def _whose(scope: Scope, node: syntax.Assign, state: r.StateVariable) -> int:
    if node.player is None:
        return r.OWN
    if not state.each:
        message = f"`{state.name}` is one value for both players"
        advice = f"declare it `state {state.name} each` to have one for each"
        if state.indices:
            advice = f"declare it `state {state.name} each player, ...` to have one for each"
        scope.complain("wrong-arguments", node.player, message, advice)
    player = read_player(scope, node.player)
    return r.OWN if player is None else player


# --- how often a block of `each` is done ---


def rounds_of(domain: Expr, lets: dict[int, Expr], measures: Measures) -> int | None:
    """How many members *domain* has at most; None where nobody knows.

    *lets* are the values of local names, and the domains of those that are chosen.
    """

    def put_in(e: Expr) -> Expr:
        if isinstance(e, m.Local) and e.slot in lets:
            value = lets[e.slot]
            return put_in(value) if value.type is e.type else e
        return rebuilt(e, put_in)

    if domain.type is not Type.RANGE or isinstance(domain, Const):
        return measures.members(domain)
    if not isinstance(domain, m.Apply):
        return None
    low, high = (_interval(put_in(end), measures, lets) for end in domain.arguments)
    return None if low is None or high is None else max(1, high[1] - low[0] + 1)


def _interval(e: Expr, measures: Measures, lets: dict[int, Expr]) -> Interval | None:
    """The least and the greatest value that *e* can have; None where nobody knows."""
    bounds = measures.bounds(e)
    if bounds is not None:
        return bounds

    def bounds_of(part: Expr) -> Interval | None:
        return _interval(part, measures, lets)

    match e:
        case m.Local(slot=slot) if slot in lets:
            return bounds_of(lets[slot])
        case Const(value=(int(low), int(high)), type=Type.RANGE):
            return low, high
        case m.Apply(operation="range", arguments=ends):
            return _hull([bounds_of(end) for end in ends])
        case m.Viewed(body=body):
            return bounds_of(body)
        case m.CallFunction(function=number):
            bodies = measures.functions[number].bodies  # with local names of their own
            return _hull([_interval(body, measures, {}) for body in bodies])
        case m.Conditional(then=then, otherwise=otherwise):
            return _hull([bounds_of(then), bounds_of(otherwise)])
        case m.Quantified(quantifier="sum", domains=(domain,), body=body):
            summand, many = bounds_of(body), measures.members(domain)
            return (
                None if summand is None else (min(0, many * summand[0]), max(0, many * summand[1]))
            )
        case m.Apply(operation="div", arguments=(dividend, Const(value=int(by)))) if by > 0:
            divided = bounds_of(dividend)
            return None if divided is None else (divided[0] // by, divided[1] // by)
        case m.Apply(operation="mod", arguments=(_, Const(value=int(by)))) if by > 0:
            return 0, by - 1
        case m.Apply() if (span := OPERATIONS[e.operation].span) is not None:
            intervals = [bounds_of(part) for part in e.arguments]
            numbers = [interval for interval in intervals if interval is not None]
            return span(measures.sites, numbers) if len(numbers) == len(intervals) else None
    return None


def _hull(intervals: list[Interval | None]) -> Interval | None:
    numbers = [interval for interval in intervals if interval is not None]
    if len(numbers) < len(intervals):
        return None
    return min(low for low, _ in numbers), max(high for _, high in numbers)
