"""Coverage of a file: how often games used each line, and lines that can never matter.

In: what the tracepoints of instrumented games tell, or counts made elsewhere.  Out: the file with
its counts, and the lines that nothing used, each with a proof where there is a cheap one: an end
rule that an earlier one always comes before, a state that is compared with a number outside its
range, a condition that is constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from attrs import define, field, frozen

from rulewright.checks.findings import Clause, LocatedText, clause
from rulewright.checks.instrument import TracePoint, Tracer
from rulewright.ground.records import as_json, fields_as_json
from rulewright.language.source import Source
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import Const, Expr, Type
from rulewright.model.walk import nodes
from rulewright.reference.position import Context


@frozen
class ClauseUsage:
    """A clause, or a part of one: how often it was reached, and how often it was true or found any.

    `why` says what is remarkable: `never reached`, `never true`, `always true`, `never any`.  What
    another value of an option brings to life names it in `only`.
    """

    kind: str
    line: int
    clause: Clause
    reached: int
    true: int
    why: str = ""
    proof: str = ""
    only: str = ""
    point: TracePoint | None = field(default=None, eq=False, repr=False)

    @property
    def count(self) -> int:
        """The count shown for a line: of reaching it, or of being true where all are reached."""
        return self.true if self.kind in ("factor", "pick", "consider", "pattern") else self.reached

    @property
    def noted(self) -> str:
        """The remark on a clause (`never true`), or on a part of it (`a part is never true`)."""
        if self.only:
            return f"only with {self.only}"
        return f"a part is {self.why}" if self.kind == "part" and self.why else self.why

    def as_data(self) -> dict[str, object]:
        """The use as plain data."""
        data = fields_as_json(self, "kind reached true why? proof? only?")
        return {**fields_as_json(self.clause, "place text"), **data}


@frozen
class UnusedLine:
    """A line that nothing used, or that always comes out alike, and why that must be so."""

    place: str
    text: str
    why: str
    proof: str = ""

    def as_data(self) -> dict[str, object]:
        """The line as plain data."""
        return fields_as_json(self, "place text why proof?")


@frozen
class Coverage:
    """The usage of every clause in the order of the text, and how much was looked at."""

    game: str
    options: dict[str, Any]
    uses: tuple[ClauseUsage, ...]
    positions: int
    games: int
    whole: bool = False
    """Whether every position of the game was looked at."""

    @property
    def dead(self) -> list[UnusedLine]:
        """The lines that nothing used, each once, and conditions that always come out alike."""
        unused: dict[str, UnusedLine] = {}
        for use in sorted(self.uses, key=lambda use: use.line):
            place = use.clause.place
            if use.why and not use.only and place not in unused:
                unused[place] = UnusedLine(place, use.clause.text, use.noted, use.proof)
        return list(unused.values())

    def as_data(self) -> dict[str, object]:
        """The coverage as plain data, with the names of `cover --format json`."""
        data = fields_as_json(self, "game options positions games whole")
        return {**data, "clauses": as_json(self.uses), "dead": as_json(self.dead)}

    def annotated(self, text: str) -> Iterator[str]:
        """The lines of the file, each with how often it was reached and what is remarkable."""
        ordered = sorted(self.uses, key=lambda use: use.line)
        by_line = {number: list(uses) for number, uses in groupby(ordered, lambda u: u.line)}
        for number, line in enumerate(text.splitlines(), 1):
            uses = by_line.get(number, [])
            count = f"{max(u.count for u in uses):,}" if uses else ""
            notes = list(dict.fromkeys(u.noted for u in uses if u.noted))
            mark = f"   <- {', '.join(notes)}" if notes else ""
            yield f"{count:>10} | {line}{mark}"


def use_of_line(
    source: Source, line: int, kind: str, counts: tuple[int, int], why: str
) -> ClauseUsage:
    """The usage of a line by its counts; *why* is the remark where it was never true."""
    reached, true = counts
    about = Clause(f"{source.name}:{line}", source.line(line).partition("#")[0].strip())
    return ClauseUsage(kind, line, about, reached, true, "" if true else why)


@define(eq=False)
class Counter:
    """Counts what a tracer tells: how often each tracepoint was reached, and was true."""

    reached: dict[int, int] = field(factory=dict)
    true: dict[int, int] = field(factory=dict)

    def __call__(self, point: TracePoint, value: Any, context: Context) -> None:
        """Count that a point was reached, and whether its value was true or had members."""
        self.reached[point.number] = self.reached.get(point.number, 0) + 1
        if value:
            self.true[point.number] = self.true.get(point.number, 0) + 1

    def uses(self, tracer: Tracer, text: LocatedText) -> Iterator[ClauseUsage]:
        """The usage of every tracepoint."""
        for point in tracer.points:
            reached, true = self.reached.get(point.number, 0), self.true.get(point.number, 0)
            line, about = text.origins[point.origin].line, clause(text, point.origin)
            why = _why(point, reached, true)
            yield ClauseUsage(point.kind, line, about, reached, true, why, point=point)


def _why(point: TracePoint, reached: int, true: int) -> str:
    """The remark on a clause by its counts: `never reached`, `never true` and others, or empty."""
    if not reached:
        return "never reached"
    truth = getattr(point.node, "type", None) is Type.TRUTH or point.kind == "end"
    if point.kind in ("choice", "effect") or not truth:
        return "never any" if point.kind in ("choice", "effect") and not true else ""
    if not true:
        return "never true"
    return "always true" if true == reached and point.kind in ("need", "if", "part") else ""


def proofs(rules: r.Rules) -> dict[int, str]:
    """Clauses that can never matter, by their origin, each with the reason."""
    reasons: dict[int, str] = {}
    for origin, why in (*_ends(rules), *_conditions(rules)):
        reasons.setdefault(origin, why)
    return reasons


def _ends(rules: r.Rules) -> Iterator[tuple[int, str]]:
    """End rules that need all that an earlier one needs."""
    for number, end in enumerate(rules.ends):
        needs = conjuncts(end.condition)
        for earlier in rules.ends[:number]:
            same = earlier.stuck == end.stuck and "claim" not in (earlier.verdict, end.verdict)
            same = same and (end.after_turn or not earlier.after_turn)
            if same and all(part in needs for part in conjuncts(earlier.condition)):
                yield end.origin, f"{rules.place(earlier.origin)} comes first whenever this holds"
                break


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The parts of a condition that must all be true for it to hold."""
    if isinstance(condition, m.Logic) and condition.conjunction:
        return condition.items
    return (condition,)


def _conditions(rules: r.Rules) -> Iterator[tuple[int, str]]:
    """Conditions that are the same in every position."""
    bodies = [*(v.body for v in rules.moves), *(a.body for a in rules.actions)]
    for node in nodes(bodies):
        if isinstance(node, r.Need | r.If):
            yield from _constant(rules, node.condition, node.origin)
    for end in rules.ends:
        yield from _constant(rules, end.condition, end.origin)


def _constant(rules: r.Rules, condition: Expr, origin: int) -> Iterator[tuple[int, str]]:
    for part in conjuncts(condition):
        if isinstance(part, Const) and part.type is Type.TRUTH:
            yield (
                origin,
                "with these options this is " + ("always so" if part.value else "never so"),
            )
            return
        why = _out_of_range(rules, part)
        if why:
            yield origin, why
            return


def _out_of_range(rules: r.Rules, part: Expr) -> str:
    """A state compared with a number that its range excludes."""
    match part:
        case m.Apply(_, "equal", (m.StateValue(_, index), Const(_, int(number)))):
            state = rules.states[index]
        case _:
            return ""
    if state.low is None or state.high is None or state.low <= number <= state.high:
        return ""
    return f"`{state.name}` is never {number}: its range is {state.low}..{state.high}"
