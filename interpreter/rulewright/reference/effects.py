"""Moves: from a position to every decision of one kind of move, with its effects done.

In: a move of the model and a `Context` whose position is before the move.  Out: one `MoveBranch`
for each way to choose that no `need` discards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from attrs import evolve, frozen

from rulewright.errors import Fault, OutOfBudget
from rulewright.model import rules as r
from rulewright.model.board import Mask, bits
from rulewright.model.expressions import Notation, Text, Type, Value
from rulewright.reference import piles
from rulewright.reference.attributes import bring, set_back
from rulewright.reference.evaluate import evaluate, members, place_in, player_of, ray_matches
from rulewright.reference.position import Context, Position, single


@frozen
class MoveBranch:
    """One surviving way through a move: its notation and the position after its effects."""

    text: str
    position: Position
    frame: tuple[Value, ...]
    """The values that the move has chosen and worked out, by slot."""
    chance: Fraction | int = 1
    """How likely it is where chance chooses, before needs discard any."""
    fault: Fault | None = None
    """What its effects meet, so that they are done in part: only where `context.patient`."""


@frozen(eq=False)
class Effects:
    """Does statements; knows the rules' actions, states and kinds."""

    rules: r.Rules

    def branches(self, move: r.MoveKind, context: Context) -> Iterator[MoveBranch]:
        """Every decision of *move*, in reading order of what it chooses.

        With `context.order` it says which choices are tried, and in which order.  With
        `context.patient` a fault behind all choices and needs waits until the decision is played.
        """
        context.frame = [None] * move.slots
        try:
            for _ in self._run(move.body, 0, context):
                frame = tuple(context.frame)
                c = context
                yield MoveBranch(c.notation, c.position, frame, c.chance, c.fault)
        except OutOfBudget as spent:
            spent.origin = spent.origin or move.origin
            raise

    def _run(self, body: Sequence[r.Effect], index: int, c: Context) -> Iterator[None]:
        """Do the statements from *index*; yields once for each branch that survives them all."""
        before = c.position
        for at in range(index, len(body)):
            statement = body[at]
            if isinstance(statement, r.Choose | r.ChooseRay):
                here = c.position
                for _ in self._choices(statement, c):
                    c.position = here
                    yield from self._run(body, at + 1, c)
                c.position = before
                return
            if c.budget is not None:
                c.budget.spend_statement()
            try:
                succeeds = self.do(statement, c)
            except Fault as fault:
                if not c.patient or self._chooses_on(body[at:]):
                    raise
                c.fault = fault
                break
            if not succeeds:
                c.position = before
                return
        yield
        c.position, c.fault = before, None

    def _chooses_on(self, body: Sequence[r.Effect]) -> bool:
        """Whether any statement chooses, or can discard what was chosen."""
        chooses = any(isinstance(s, r.Choose | r.ChooseRay) for s in body)
        return chooses or has_need(body, self.rules)

    def _choices(self, statement: r.Choose | r.ChooseRay, c: Context) -> Iterator[None]:
        if isinstance(statement, r.Choose) and statement.by_chance:
            yield from self._lots(statement, c)
            return
        if isinstance(statement, r.Choose):
            domain = members(evaluate(statement.domain, c), statement.domain.type)
            for member in c.order(statement, domain) if c.order else domain:
                if c.budget is not None:
                    c.budget.spend()
                c.frame[statement.slot] = member
                yield
            return
        s = statement
        matches = ray_matches(s.source, s.along, s.pattern, len(s.slots), c)
        if r.one_site(s) is not None:
            matches = iter(sorted(set(matches)))  # in reading order, as sites are
        for marks in c.order(s, matches) if c.order else matches:
            if c.budget is not None:
                c.budget.spend()
            for slot, marked in zip(s.slots, marks, strict=True):
                c.frame[slot] = marked
            yield

    @staticmethod
    def _lots(s: r.Choose, c: Context) -> Iterator[None]:
        """Everything that chance may choose, with how likely it is; nothing of weight 0."""
        domain, before = list(members(evaluate(s.domain, c), s.domain.type)), c.chance
        weights = []
        for member in domain:
            if c.budget is not None:
                c.budget.spend()
            c.frame[s.slot] = member
            weights.append(1 if s.weight is None else _weight(s, c))
        likely = dict(zip(domain, weights, strict=True))
        for member in c.order(s, domain) if c.order else domain:
            if weight := likely[member]:
                c.frame[s.slot] = member
                c.chance = before * Fraction(weight, sum(weights))
                yield
        c.chance = before

    def do(self, statement: r.Effect, c: Context) -> bool:
        """Carry out one statement; False where it is a `need` that discards the branch."""
        try:
            return _DO[type(statement)](self, statement, c) is not False
        except OutOfBudget as spent:
            spent.origin = spent.origin or statement.origin
            raise
        except Fault as fault:
            if fault.origin == 0:
                fault.origin = statement.origin
            raise

    def all(self, body: Sequence[r.Effect], c: Context) -> bool:
        """Do statements that choose nothing, each of them a step."""
        for statement in body:
            if c.budget is not None:
                c.budget.spend_statement()
            if not self.do(statement, c):
                return False
        return True

    @staticmethod
    def written(notation: Notation, c: Context, rules: r.Rules | None = None) -> str:
        """The text of *notation* with the values that are in the frame."""
        while not isinstance(notation, Text):
            holds = evaluate(notation.condition, c)
            notation = notation.then if holds else notation.otherwise
        if c.budget is not None:
            c.budget.spend(len(notation.parts) // PARTS_PER_STEP)
        return "".join(
            part if isinstance(part, str) else _shown(evaluate(part, c), part.type, c, rules)
            for part in notation.parts
        )

    # --- one method a statement; False discards the branch ---

    def bind(self, s: r.Let, c: Context) -> None:
        c.frame[s.slot] = evaluate(s.value, c)

    def need(self, s: r.Need, c: Context) -> bool:
        return bool(evaluate(s.condition, c))

    def write(self, s: r.Write, c: Context) -> None:
        c.notation = self.written(s.notation, c, self.rules)

    def put(self, s: r.Put, c: Context) -> None:
        owner = c.view if s.owner == r.OWN else player_of(s.owner, c.view, c.position)
        sites: Mask = evaluate(s.sites, c)
        bare = self._unlinked(c, sites & c.position.full)
        kind: int = evaluate(s.kind, c)
        if c.board.stacked:
            c.position = piles.laid(bare, c.board, owner, kind, sites)
        else:
            c.position = set_back(self.rules, bare.put(owner, kind, sites), sites)

    def clear(self, s: r.Clear, c: Context) -> None:
        number = None if s.number is None else evaluate(s.number, c)
        sites = evaluate(s.sites, c)
        bare = self._unlinked(c, sites)
        if number is not None:
            c.position = piles.lifted(bare, c.board, number, sites)
        elif c.board.stacked:
            c.position = piles.with_piles(bare, dict.fromkeys(bits(sites), ()))
        else:
            c.position = set_back(self.rules, bare.without(sites), sites)

    def _unlinked(self, c: Context, sites: Mask) -> Position:
        if not sites or not any(c.position.links):
            return c.position
        pairs = zip(c.links, c.position.links, strict=True)
        return evolve(c.position, links=tuple(m & ~t.touching(sites) for t, m in pairs))

    def carry(self, s: r.MovePiece, c: Context) -> None:
        number = None if s.number is None else evaluate(s.number, c)
        source, target = evaluate(s.source, c), evaluate(s.target, c)
        single(source, "`move`")
        single(target, "`move ... to`")
        if not source & c.position.full:
            name = c.board.names[source.bit_length() - 1]
            raise Fault("no-piece", f"there is no piece on {name} to move")
        if c.board.stacked:
            bare, ends = self._unlinked(c, source | target), (_number(source), _number(target))
            c.position = piles.carried(bare, c.board, number, ends, s.under)
        else:
            self._carry(c, source | target, [(source, target)])

    def carry_each(self, s: r.MoveEach, c: Context) -> None:
        moves, domain = [], evaluate(s.domain, c)
        _spend(domain, c)
        for site in bits(domain):
            c.frame[s.slot] = 1 << site
            target = evaluate(s.target, c)
            if target:
                single(target, "`move each ... to`")
            moves.append((1 << site, target))
        touched = domain
        for _, target in moves:
            touched |= target
        if c.board.stacked:
            ends = [(_number(a), _number(b)) for a, b in moves if a & c.position.full]
            self._unlinked(c, touched).carried(moves)  # what is carried to no site, or twice to one
            c.position = piles.carried_each(self._unlinked(c, touched), c.board, ends)
        else:
            self._carry(c, touched, moves)

    def _carry(self, c: Context, touched: Mask, moves: list[tuple[Mask, Mask]]) -> None:
        """Carry pieces at once, with what states say of them; *touched* sites lose their links."""
        after = self._unlinked(c, touched).carried(moves)
        c.position = bring(self.rules, c.position, after, moves)

    def tie(self, s: r.Link, c: Context) -> None:
        self._tie(evaluate(s.source, c), evaluate(s.target, c), s.remove, c)

    def tie_each(self, s: r.LinkEach, c: Context) -> None:
        domain = evaluate(s.domain, c)
        _spend(domain, c)
        for site in bits(domain):
            c.frame[s.slot] = 1 << site
            self._tie(1 << site, evaluate(s.target, c), s.remove, c)

    @staticmethod
    def _tie(source: Mask, targets: Mask, remove: bool, c: Context) -> None:
        table, links = c.links[0], c.position.links[0]
        for site in bits(targets):
            bit = 1 << table.between(source, 1 << site)
            links = links & ~bit if remove else links | bit
        c.position = evolve(c.position, links=(links,))

    def assign(self, s: r.Assign, c: Context) -> None:
        state = self.rules.states[s.index]
        value = evaluate(s.value, c)
        player = c.view if s.player == r.OWN else player_of(s.player, c.view, c.position)
        places = _places(s, state, c)
        if c.ranged and (places or not s.at):
            check_range(state, value, s.origin)
        if -1 in places:
            raise Fault("not-in-list", f"`{state.name}` has no such entry", s.origin)
        if s.at:
            entries = list(c.position.states[s.index][player])  # type: ignore[arg-type]
            for place in places:
                entries[place] = value
            value = tuple(entries)
        c.position = c.position.with_state(s.index, player, value, shared=not state.each)

    def perform(self, s: r.Perform, c: Context) -> bool:
        action = self.rules.actions[s.action]
        arguments = [evaluate(a, c) for a in s.arguments]
        outer = c.frame
        c.frame = arguments + [None] * (action.slots - len(arguments))
        try:
            return self.all(action.body, c)
        finally:
            c.frame = outer

    def branch(self, s: r.If, c: Context) -> bool:
        return self.all(s.then if evaluate(s.condition, c) else s.otherwise, c)

    def each(self, s: r.Each, c: Context) -> bool:
        for member in members(evaluate(s.domain, c), s.domain.type):
            if c.budget is not None:
                c.budget.spend()
            c.frame[s.slot] = member
            if not self.all(s.body, c):
                return False
        return True

    def again(self, s: r.Again, c: Context) -> None:
        c.position = evolve(c.position, again=True)

    def swap_sides(self, s: r.SwapSides, c: Context) -> None:
        c.position = evolve(c.position, swapped=not c.position.swapped)


def has_need(statements: Sequence[r.Effect], rules: r.Rules) -> bool:
    """Whether any of *statements* can discard a branch."""
    for s in statements:
        match s:
            case r.Need():
                return True
            case r.Perform(action=action) if has_need(rules.actions[action].body, rules):
                return True
            case r.If() | r.Each() if has_need(r.block_of(s), rules):
                return True
    return False


PARTS_PER_STEP = 4
"""So many parts of a notation take as long as a step of a budget; decisions have fewer, mostly."""


def _shown(value: Any, type_: Type, c: Context, rules: r.Rules | None) -> str:
    match type_:
        case Type.SITE | Type.SITES:
            return ",".join(c.board.names[i] for i in bits(value))
        case Type.STEP | Type.STEPS:
            return ",".join(c.board.direction_name(step) for step in value)
        case Type.KIND if rules is not None:
            kind: r.PieceKind = rules.kinds[value]
            return kind.name
        case Type.PLAYER if rules is not None:
            return rules.players[int(value)]
        case Type.TRUTH:
            return "yes" if value else "no"
    return str(value)


def blank_value(state: r.StateVariable, players: int) -> tuple[Value, ...]:
    """What a state is until the first position is made, for each of some players."""
    blank = (0,) * state.entries if state.indices else 0
    return (blank,) * players


def first_value(state: r.StateVariable, c: Context) -> Value:
    """What a state is when the game begins, in the view of a context; checks its range."""
    if not state.indices:
        value: Value = evaluate(state.first, c)
        check_range(state, value, state.origin)
        return value
    entries: list[Value] = [False if state.type is Type.TRUTH else 0] * state.entries
    for at in state.entry_places():
        c.frame = [None] * state.slots
        for slot, (place, index) in enumerate(zip(at, state.indices, strict=True)):
            c.frame[slot] = 1 << place if index.type is Type.SITE else place + index.low
        entry = evaluate(state.first, c)
        check_range(state, entry, state.origin)
        entries[state.place(at)] = entry
    return tuple(entries)


def _places(s: r.Assign, state: r.StateVariable, c: Context) -> list[int]:
    """The places of the entries that a statement sets, of every site of a set; -1 for none."""
    if not s.at:
        return []
    ways: list[list[int]] = []
    for argument, index in zip(s.at, state.indices, strict=True):
        member = evaluate(argument, c)
        is_set = argument.type is Type.SITES
        ways.append(list(bits(member)) if is_set else [place_in(member, argument.type, index)])
    return [state.place(at) for at in product(*ways)]


def check_range(state: r.StateVariable, value: Any, origin: int) -> None:
    """Refuse a value outside the declared range of *state*."""
    low, high = state.low, state.high
    if low is not None and high is not None and not low <= value <= high:
        message = f"`{state.name}` would be {value}; its range is {low}..{high}"
        raise Fault("out-of-range", message, origin)


def _weight(s: r.Choose, c: Context) -> int:
    """How often chance makes the choice that is in the frame, compared with others."""
    weight: int = evaluate(s.weight, c)  # type: ignore[arg-type]
    if weight < 0:
        raise Fault("out-of-range", f"a weight of chance would be {weight}", s.origin)
    return weight


_DO: dict[type, Callable[[Effects, Any, Context], bool | None]] = {
    r.Let: Effects.bind,
    r.Need: Effects.need,
    r.Write: Effects.write,
    r.Put: Effects.put,
    r.Clear: Effects.clear,
    r.MovePiece: Effects.carry,
    r.MoveEach: Effects.carry_each,
    r.Link: Effects.tie,
    r.LinkEach: Effects.tie_each,
    r.Assign: Effects.assign,
    r.Perform: Effects.perform,
    r.If: Effects.branch,
    r.Each: Effects.each,
    r.Again: Effects.again,
    r.SwapSides: Effects.swap_sides,
}


def _spend(sites: Mask, c: Context) -> None:
    """Spend a step of the budget for each of *sites*."""
    if c.budget is not None:
        c.budget.spend(sites.bit_count())


def _number(site: Mask) -> int:
    """The number of the site of a set of one."""
    return site.bit_length() - 1
