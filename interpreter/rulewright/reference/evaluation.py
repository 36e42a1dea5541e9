"""Values of positions and moves: evaluators walked directly.

In: an evaluator, the values of its factors, and a position.  Out: tuples of numbers, bigger is
better for the player that the value names.  What cannot be computed is a `Fault` that carries the
place in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from attrs import define, evolve, field, frozen

from rulewright.errors import Fault
from rulewright.model import evaluation as v
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step, bits
from rulewright.model.expressions import MOVER, Expr, Type
from rulewright.model.walk import settled_definitions
from rulewright.reference import cheapest
from rulewright.reference.decisions import LegalDecision
from rulewright.reference.evaluate import WALK, evaluate, members, player_of, ray_matches
from rulewright.reference.operate import OPERATE
from rulewright.reference.play import ReferencePlay
from rulewright.reference.position import Context, Position, Settled, checked, single

Number = int | float


@frozen
class MoveChoice:
    """A decision of a move that is judged: its move and what it chose, by name."""

    move: int
    choices: Mapping[str, Any]


@define
class EvaluatorContext(Context):
    """A context that knows an evaluator, its factors, and the choice that is judged (if any)."""

    judge: StaticEvaluator = field(kw_only=True)
    factors: tuple[Number, ...] = field(kw_only=True)
    random: Random = field(kw_only=True)
    choice: MoveChoice | None = field(default=None, kw_only=True)
    after: dict[int, Position | None] = field(factory=dict, kw_only=True)


def terms(value: v.ValueOf, c: EvaluatorContext) -> tuple[tuple[str, Number], ...]:
    """The summands of the first part of a value with texts and numbers, in the text's order."""
    signed = ((t.text, t.subtract, evaluate(t.value, c)) for t in value.terms)
    return tuple((text, -number if subtract else number) for text, subtract, number in signed)


def steps(value: v.ValueOf, c: EvaluatorContext) -> tuple[tuple[tuple[Step, Number], ...], ...]:
    """For each part of a value the number that every step gives; empty for parts without steps."""
    return tuple(tuple(along_steps(part, c)) for part in value.parts)


@frozen(eq=False)
class StaticEvaluator:
    """An evaluator in motion, on the rules of its game."""

    play: ReferencePlay
    evaluator: v.Evaluator
    settled: frozenset[int] = field(init=False, repr=False)
    """Definitions that are worked out once a position."""
    _last: tuple[Position, int, dict[str, dict[str, Any]]] | None = field(
        default=None, init=False, repr=False
    )
    """A cache of one entry: a position, a move, and what its decisions choose, by their texts."""
    _counted: tuple[Position, dict[int, int]] | None = field(default=None, init=False, repr=False)
    """A cache of one entry: a position, and how many decisions each player would have there."""

    @settled.default
    def _settled(self) -> frozenset[int]:
        return settled_definitions(self.evaluator.functions)

    def context(
        self, position: Position, view: int, factors: tuple[Number, ...], random: Random
    ) -> EvaluatorContext:
        """A context for *position* as player *view* sees it."""
        return EvaluatorContext(
            self.play.rules.board, self.evaluator.functions, self.play.links, position, view,
            judge=self, factors=factors, random=random, settled=Settled(self.settled),
            states=self.play.rules.states,
        )  # fmt: skip

    def of_position(
        self,
        value: v.ValueOf,
        position: Position,
        factors: tuple[Number, ...] | None = None,
        random: Random | None = None,
    ) -> tuple[Number, ...]:
        """The parts of a position's value, bigger better for `side(value, position)`."""
        return self.of_move(value, position, None, factors, random)

    def of_move(
        self,
        value: v.ValueOf,
        position: Position,
        choice: MoveChoice | None,
        factors: tuple[Number, ...] | None = None,
        random: Random | None = None,
    ) -> tuple[Number, ...]:
        """The parts of a move's value; those of the position's where nothing is chosen."""
        c = self.at(value, position, choice, factors, random)
        return tuple(evaluate(part, c) for part in value.parts)

    def at(
        self,
        value: v.ValueOf,
        position: Position,
        choice: MoveChoice | None = None,
        factors: tuple[Number, ...] | None = None,
        random: Random | None = None,
    ) -> EvaluatorContext:
        """The context in which the parts of a value are evaluated."""
        numbers = self.evaluator.defaults if factors is None else factors
        c = self.context(position, side(value, position), numbers, random or Random(0))
        c.choice = choice
        return c

    def path_ends(
        self, name: str, position: Position, view: int, factors: tuple[Number, ...] | None = None
    ) -> list[cheapest.PathEnd]:
        """The ends of own groups on the cheapest paths called *name*, for player *view*."""
        numbers = self.evaluator.defaults if factors is None else factors
        context = self.context(position, view, numbers, Random(0))
        return cheapest.ends(self._path_called(name), context)

    def path_passed(self, name: str, position: Position, view: int) -> list[cheapest.PassedSite]:
        """How the cheapest paths called *name* pass each site of player *view*."""
        context = self.context(position, view, self.evaluator.defaults, Random(0))
        return cheapest.passed_sites(self._path_called(name), context)

    def _path_called(self, name: str) -> v.CheapestPath:
        return next(path for path in self.evaluator.paths if path.name == name)

    # --- moves ---

    def choices(self, position: Position, option: LegalDecision) -> MoveChoice | None:
        """The choices of *option*, a legal decision of *position*; None for the decision `none`."""
        if option.move is None:
            return None
        if self._last is None or self._last[0] is not position or self._last[1] != option.move:
            branches = dict(self._branches(position, option.move))
            object.__setattr__(self, "_last", (position, option.move, branches))
        assert self._last is not None
        values = self._last[2].get(option.text)
        return None if values is None else MoveChoice(option.move, values)

    def mobility(self, position: Position, view: int) -> int:
        """How many legal decisions player *view* would have, had that player the turn now.

        A position is valued once for each factor when it is explained; its decisions stay the same.
        """
        if self._counted is None or self._counted[0] is not position:
            object.__setattr__(self, "_counted", (position, {}))
        assert self._counted is not None
        counts = self._counted[1]
        if view not in counts:
            of_view = position
            if position.mover != view:
                course = self.play.rules.course
                of_view = evolve(position, mover=view, rest=course, fresh=True)
            counts[view] = len(self.play.options(of_view))
        return counts[view]

    def _branches(self, position: Position, number: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every decision of a move with what it chooses; the last of those written the same."""
        move, play = self.play.rules.moves[number], self.play
        context = play.context(evolve(position, fresh=False))
        for branch in play.effects.branches(move, context):
            values = {name: context.frame[slot] for name, slot in chosen_slots(move)}
            yield branch.text, values

    def played(self, position: Position, player: int, choice: MoveChoice) -> Position | None:
        """The position after *player* makes a choice here; None if that player cannot make it."""
        move = self.play.rules.moves[choice.move]
        context = self.play.context(evolve(position, mover=player, fresh=False), player)
        context.frame = [None] * move.slots
        if self.play.rules.looks_back:
            context.key = self.play.key(position)  # with who really moves
        for statement in move.body:
            match statement:
                case r.Choose():
                    fine = self._may_choose(statement, choice, context)
                case r.ChooseRay():
                    fine = self._may_walk(statement, choice, context)
                case _:
                    fine = self.play.effects.do(statement, context)
            if not fine:
                return None
        return context.position

    @staticmethod
    def _may_choose(s: r.Choose, choice: MoveChoice, c: Context) -> bool:
        value = c.frame[s.slot] = choice.choices[s.name]
        return value in members(evaluate(s.domain, c), s.domain.type)

    @staticmethod
    def _may_walk(s: r.ChooseRay, choice: MoveChoice, c: Context) -> bool:
        values = tuple(choice.choices[name] for name in s.names)
        for slot, value in zip(s.slots, values, strict=True):
            c.frame[slot] = value
        return values in ray_matches(s.source, s.along, s.pattern, len(s.slots), c)


def side(value: v.ValueOf, position: Position) -> int:
    """The player for whom a bigger value is better."""
    return position.mover if value.player == MOVER else value.player


def chosen_slots(move: r.MoveKind) -> Iterator[tuple[str, int]]:
    """The names that a move chooses, with their places in its frame."""
    for statement in move.body:
        if isinstance(statement, r.Choose):
            yield statement.name, statement.slot
        elif isinstance(statement, r.ChooseRay):
            yield from zip(statement.names, statement.slots, strict=True)


# --- what only evaluators have ---


def _judging(c: Context) -> EvaluatorContext:
    assert isinstance(c, EvaluatorContext)
    return c


def _factor(e: m.FactorValue, c: Context) -> Any:
    return _judging(c).factors[e.index]


def _choice_value(e: m.ChosenValue, c: Context) -> Any:
    choice = _judging(c).choice
    assert choice is not None
    return choice.choices[e.name]


def _change(e: m.Change, c: Context) -> Any:
    j = _judging(c)
    assert j.choice is not None
    if j.view not in j.after:
        j.after[j.view] = j.judge.played(j.position, j.view, j.choice)
    after, here = j.after[j.view], j.position
    if after is None:
        return 0
    before = evaluate(e.body, j)
    inner, j.after = j.after, {}
    j.position = evolve(after, mover=here.mover)
    try:
        return checked(evaluate(e.body, j) - before)
    finally:
        j.position, j.after = here, inner


def _scan(e: m.ScanValue, c: Context) -> Any:
    scan = _judging(c).judge.evaluator.scans[e.scan]
    site, steps = evaluate(e.site, c), evaluate(e.step, c)
    outer = c.frame
    c.frame = [site, steps] + [None] * (scan.slots - 2)
    try:
        return _walked(scan, c)
    except Fault as fault:
        fault.origin = fault.origin or scan.origin
        raise
    finally:
        c.frame = outer


def _walked(scan: v.Scan, c: Context) -> Any:
    site, steps = single(c.frame[0], "a scan"), c.frame[1]
    if len(steps) != 1:
        raise Fault("not-one-step", f"a scan walks along one step, not {len(steps)}")
    sets = [evaluate(reaction.sites, c) for reaction in scan.reactions]
    for register in scan.registers:
        c.frame[register.slot] = evaluate(register.value, c)
    for place in (*c.board.walk(site, steps[0]), 0):
        if c.budget is not None:
            c.budget.spend()
        for sites, reaction in zip(sets, scan.reactions, strict=True):
            if place & sites or (not place and reaction.outside):
                if not _react(reaction.deeds, c):
                    return evaluate(scan.give, c)
                break
    return evaluate(scan.give, c)


def _react(deeds: tuple[v.ScanEffect, ...], c: Context) -> bool:
    """Carry out the effects of a reaction; False where one of them stops the scan."""
    for deed in deeds:
        match deed:
            case v.SetRegister():
                c.frame[deed.slot] = evaluate(deed.value, c)
            case v.If():
                if not _react(deed.then if evaluate(deed.condition, c) else deed.otherwise, c):
                    return False
            case v.Stop():
                return False
    return True


def _path(e: m.PathValue, c: Context) -> Any:
    path = _judging(c).judge.evaluator.paths[e.path]
    try:
        costs, _ = cheapest.search(path, c)
        within = evaluate(path.target, c)
        ends = [costs[site] for site in bits(within) if site in costs]
        return min(ends) if ends else evaluate(path.otherwise, c)
    except Fault as fault:
        fault.origin = fault.origin or path.origin
        raise


def _random(c: Context, low: int, high: int) -> int:
    """A whole number; both ends belong, in either order."""
    return _judging(c).random.randint(min(low, high), max(low, high))


def _mobility(c: Context) -> int:
    """The number of legal decisions of the player looked at, had that player the turn now."""
    j = _judging(c)
    return j.judge.mobility(j.position, c.view)


WALK.update({
    m.FactorValue: _factor,
    m.ChosenValue: _choice_value,
    m.Change: _change,
    m.ScanValue: _scan,
    m.PathValue: _path,
})  # fmt: skip
OPERATE.update({"random": _random, "mobility": _mobility})


_FOLDS = ("max", "min", "sum")


def along_steps(part: Expr, c: Context) -> Iterator[tuple[Step, Number]]:
    """The operand of `max`, `min` or `sum` over steps for each step, also inside definitions."""
    match part:
        case m.Viewed(player=player, body=body):
            outer = c.view
            c.view = player_of(player, outer, c.position)
            yield from along_steps(body, c)
            c.view = outer
        case m.CallFunction(function=number, arguments=()):
            function, frame = c.functions[number], c.frame
            c.frame = [None] * function.slots
            yield from along_steps(function.body(c.view), c)
            c.frame = frame
        case m.Quantified(quantifier=how, slots=(slot,), domains=(domain,), body=body):
            if how in _FOLDS and domain.type in (Type.STEP, Type.STEPS):
                for member in members(evaluate(domain, c), domain.type):
                    c.frame[slot] = member
                    yield member[0], evaluate(body, c)
