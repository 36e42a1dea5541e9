"""`change(E)` as kernel text: the judged choice is made in S, E is worked out there, S comes back.

In: a `Change`, and what the judged move has chosen.  Out: a number.  Behind `for enemy` the other
player makes the choice: what was chosen is tested against his domains and needs, and where he
cannot make it nothing changes.  Refuses (`NoPlan`) a change within a change, choices of the other
player along rays or among sets, and needs of his inside actions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulewright.codegen import touched
from rulewright.codegen.choices import SETS, has_need
from rulewright.codegen.fills import Unfit
from rulewright.codegen.lift import attempt
from rulewright.codegen.moves import MoveWriter
from rulewright.codegen.plan import NoPlan
from rulewright.codegen.values import OneStep, Site, Value
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Expr, Type
from rulewright.model.walk import nodes

if TYPE_CHECKING:
    from rulewright.codegen.judging import Judged, Judging


def changed(v: Judging, e: m.Change) -> str:
    """What a number becomes after the judged choice, less what it is now."""
    judged = v.judged
    if judged is None:
        raise NoPlan("a change, where no move is judged")
    if any(isinstance(n, m.Change) for n in nodes(e.body)):
        raise NoPlan("a change within a change")
    known = judged.changes.get((v.view, e.body))
    if known is not None:
        return known
    fast: str | None = attempt(v.w, lambda: _touched(v, judged, e))
    return fast or _anywhere(v, judged, e)


def _anywhere(v: Judging, judged: Judged, e: m.Change) -> str:
    """The number after the choice, less the number now."""
    w, real = v.w, e.type is Type.REAL
    before, result = now(v, judged, e.body), w.fresh("c")
    w.put(f"{result} = {'0.0' if real else '0'}")

    def use() -> None:
        w.put(f"{result} = {v.number(e.body)} - {before}")

    with v.kept():
        after_choice(v, judged, use)
    v.no_overflow(result, real)
    return result


def _touched(v: Judging, judged: Judged, e: m.Change) -> str:
    """The same for sums over groups, by the groups that the choice touches.

    All changes of sums over the same groups are worked out together, where that is done in any
    case.
    """
    first, w = touched.grouped(v, e.body), v.w
    forms = {e.body: first}
    if w.level == 1:
        for body in judged.bodies:
            other = _form(v, body)
            if other and (other.sites, other.steps) == (first.sites, first.steps):
                forms[body] = other
    near = w.variable(w.constant(0))
    results = {body: w.fresh("c") for body in forms}
    for name in results.values():
        w.put(f"{name} = 0")

    with v.kept() as room:

        def use() -> None:
            changed = touched.difference(v, room)
            w.assign(near, touched.neighbourhood(v, first, changed))
            for body, form in forms.items():
                w.put(f"{results[body]} = {touched.total(v, form, near)}")

        after_choice(v, judged, use)
    for body, form in forms.items():
        judged.shared.guards[v.view, body] = form
        w.put(f"{results[body]} = {results[body]} - {touched.total(v, form, near)}")
        if w.level == 1:
            judged.changes[v.view, body] = results[body]
    return results[e.body]


def _form(v: Judging, e: Expr) -> touched.Grouped | None:
    try:
        return touched.grouped(v, e)
    except Unfit:
        return None


def now(v: Judging, judged: Judged, e: Expr) -> str:
    """A number in the position as it is; worked out once for all decisions where they share it."""
    if not shared(v, e):
        return v.number(e)
    place = judged.shared.before.setdefault((v.view, e), v.plan.scratch_size)
    if place == v.plan.scratch_size:
        v.plan.scratch(1)
    return v.w.let(
        f"bits_float(g.scratch[{place}])" if e.type is Type.REAL else f"g.scratch[{place}]", "n"
    )


def shared(v: Judging, e: Expr) -> bool:
    """Whether all decisions of a position see the same number."""
    todo, known = [e], set[int]()
    while todo:
        for node in nodes(todo.pop()):
            match node:
                case m.Chosen() | m.Change() | m.Apply(operation="random"):
                    return False
                case m.CallFunction(function=number) if number not in known:
                    known.add(number)
                    todo += v.plan.rules.functions[number].bodies
                case m.ScanValue(scan=number) if -1 - number not in known:
                    known.add(-1 - number)
                    todo.append(v.judge.scans[number])  # type: ignore[arg-type]
    return not any(isinstance(n, m.Local) for n in nodes(e)) or _closed(e)


def _closed(e: Expr) -> bool:
    """Whether every variable belongs to a quantifier inside."""
    own = {slot for n in nodes(e) if isinstance(n, m.Each) for slot in n.slots}
    return {n.slot for n in nodes(e) if isinstance(n, m.Local)} <= own


# --- the choice made ---


def after_choice(v: Judging, judged: Judged, use: Callable[[], None]) -> None:
    """Write the effects of the judged choice as the player looked at makes it, then *use*.

    Inside *use* the position is the one after the choice, and whoever is to decide still is.
    """
    here, player, outer, place = v.mover, v.view, v.frame, v.origin
    v.w.put(f"g.state.mover = {player}")
    v.w.put("g.state.fresh = 0")
    v.frame, v.mover = dict(judged.by_slot), player
    writer = MoveWriter(v.plan, judged.move, player, 0, reading=True)
    writer.begin_with(v)

    def after() -> None:
        inner, v.frame, v.mover = v.frame, outer, here
        v.w.put(f"g.state.mover = {here}")
        with v.at(place):
            use()
        v.frame, v.mover = inner, player

    body = writer.move.body
    try:
        if player == here:
            writer.run(body, after)
        else:
            _tested(writer, v, body, after)
    finally:  # also where the choice turns out to have no kernel
        v.frame, v.mover, v.view, v.origin = outer, here, player, place


def _tested(
    writer: MoveWriter, v: Judging, body: tuple[r.Effect, ...], after: Callable[[], None]
) -> None:
    """The same for the other player, who may not be able to do it."""
    for index, s in enumerate(body):
        rest = body[index + 1 :]
        match s:
            case r.Choose(slot=slot, domain=domain):
                with v.w.block(f"if {_member(v, domain, v.frame[slot])} != 0:"):
                    _tested(writer, v, rest, after)
                return
            case r.Need(condition=condition):
                with v.at(s.origin):
                    test = v.truth(condition)
                with v.w.block(f"if {test}:"):
                    _tested(writer, v, rest, after)
                return
            case r.ChooseRay():
                raise NoPlan("a ray that the other player might choose")
            case r.Perform() | r.Branch() if has_need((s,), v.plan.rules):
                raise NoPlan("a need of the other player inside an action or `if`")
        writer.run((s,), lambda: None)
    after()


def _member(v: Judging, domain: Expr, value: Value) -> str:
    """1 if a chosen value is in a domain as the player looked at sees it, else 0."""
    match domain.type:
        case _ if domain.type in SETS:
            assert isinstance(value, Site)
            return v.w.has(v.words(domain), value.number)
        case Type.STEP | Type.STEPS:
            assert isinstance(value, OneStep)
            known = v.known_steps(domain)
            inside = [int(step in known) for step in value.steps]
            table = v.plan.number_table(f"among {inside}", inside)
            return v.w.let(f"g.tables[{table} + {value.index}]", "b")
        case Type.RANGE:
            low, high = v.ends(domain)
            return v.flag(f"{value} >= {low} and {value} <= {high}")
        case Type.NUMBERS | Type.KINDS if isinstance(domain, m.Const):
            values = domain.value if isinstance(domain.value, tuple) else ()
            return v.flag(" or ".join(f"{value} == {n}" for n in values) or "1 == 0")
    raise NoPlan("a choice that the other player might not have")
