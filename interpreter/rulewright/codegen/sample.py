"""One random ply, and how many decisions there are, without writing every decision down.

In: the rules and a plan.  Out: for each player the kernels `ply_P` (plays one decision, each
equally likely; 0 if there is none) and `how_many_P`.  A move that chooses one site is a set: its
size is the number of decisions, and a random one of its bits is picked.  A move from one site to
another by single steps is a set for each step.  All other moves write their rows as `decisions`
does, and one row is picked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field, frozen

from rulewright.codegen import plan as p
from rulewright.codegen.alike import Alike
from rulewright.codegen.choices import distinct, has_need
from rulewright.codegen.fills import Unfit
from rulewright.codegen.forms import GENERAL
from rulewright.codegen.grown import UNION_FIND, Grown
from rulewright.codegen.lift import attempt
from rulewright.codegen.moves import ARRAYS, PASSED, MoveWriter
from rulewright.codegen.pick import Picker
from rulewright.codegen.plain import FALSE
from rulewright.codegen.plan import NoPlan, Plan
from rulewright.codegen.values import Values
from rulewright.codegen.writer import Writer
from rulewright.language import limits
from rulewright.model import rules as r
from rulewright.model.rules import EMPTY, Course
from rulewright.model.walk import everything
from rulewright.reference.courses import follow, may_end


@frozen
class _Part:
    """Decisions of one kind: their number, and how the k-th of them is picked and played."""

    count: str
    play: Callable[[str], None]


@define
class PlyWriter:
    """Writes the kernels of one player."""

    plan: Plan
    player: int
    row: int
    grown: Grown | None = None
    """What `grow_P` keeps up to date; it plays fast forms only."""
    w: Writer = field(init=False)

    def count(self) -> str:
        """`how_many_P(..., n)`: how many decisions; `may_end`: the turn may do without."""
        return self._function(
            "how_many", ", n: i64", lambda total, _: self.w.put(f"return {total}")
        )

    def ply(self) -> str:
        """`ply_P(g, chance, n)`: plays a random decision and gives 1; 0 if there is none."""
        name = "grow" if self.grown else "ply"
        return self._function(name, ", chance: Chance, n: i64", self._pick)

    def _function(self, name: str, more: str, use: Callable[[str, list[_Part]], None]) -> str:
        self.w = Writer(self.plan)
        if self.plan.may_end:
            self.w.put("g.scratch.may_end = 0")
        self.w.put("g.scratch.listed = 0")
        running = self.plan.running
        for course, number in running.items():
            if len(running) == 1:
                self._course(course, use)
            else:
                with self.w.block(f"if g.state.rest == {number}:"):
                    self._course(course, use)
        head = f"def {name}_{self.player}({ARRAYS}{more}) -> i64:"
        return "\n".join([head, *self.w.lines, "    return 0"])

    def _course(self, course: Course, use: Callable[[str, list[_Part]], None]) -> None:
        alike = Alike.of(self.plan).clash(course)
        parts = [self._distinct()] if alike else self._parts(course, EMPTY)
        total = self._sum(parts)
        if not alike:
            with self.w.block(f"if {total} > {limits.BRANCHES}:"):  # listing all says where
                with self.w.block(f"if g.state.fault == {p.TOO_MANY}:"):
                    self.w.put("g.state.fault = 0")
                self.w.put(f"return 0 * decisions_{self.player}({PASSED}, n)")
        use(total, parts)

    def _distinct(self) -> _Part:
        """All decisions as rows, where some may stand there twice."""
        if self.grown:
            raise Unfit
        return self._listed(f"decisions_{self.player}({PASSED}, n)")

    def _sum(self, parts: Sequence[_Part]) -> str:
        return self.w.let(" + ".join(part.count for part in parts) or "0", "n")

    def _pick(self, total: str, parts: list[_Part]) -> None:
        w = self.w
        with w.block(f"if {total} == 0:"):
            w.put("return 0")
        if not parts:
            return
        k = w.let(f"shift_right(wrap_mul(random_half(chance), {total}), 32)", "k")
        for part in parts[:-1]:
            with w.block(f"if {k} < {part.count}:"):
                part.play(k)
                w.put("return 1")
            w.put(f"{k} = {k} - {part.count}")
        parts[-1].play(k)
        w.put("return 1")

    # --- the decisions of a course, in parts ---

    def _parts(self, course: Course, rest: Course) -> list[_Part]:
        match course:
            case r.One(move):
                return self._move(move, rest)
            case r.InOrder(()):
                if rest != EMPTY:
                    return self._parts(rest, EMPTY)
                if self.plan.may_end:
                    self.w.put("g.scratch.may_end = 1")
                return []
            case r.InOrder((first, *others)):
                return self._parts(first, follow(r.InOrder(tuple(others)), rest))
            case r.Either(items):
                return [part for item in items for part in self._parts(item, rest)]
            case r.Otherwise(first, second):
                return self._else(self._parts(first, rest), second, rest)
            case r.Maybe(item):
                return [*self._parts(item, rest), self._none(rest)]
            case r.While(item, free):
                found = self._parts(item, follow(course, rest))
                return [*found, self._none(rest)] if free else self._else(found, EMPTY, rest)
        raise TypeError(course)

    def _else(self, first: list[_Part], second: Course, rest: Course) -> list[_Part]:
        """The second course's parts have no decisions while the first has some."""
        w, total = self.w, self._sum(first)
        at, level = len(w.lines), w.level
        with w.block(f"if {total} == 0:"):
            found = self._parts(second, rest)
            counts = [w.let(part.count) for part in found]
            names = [w.fresh("n") for _ in counts]
            w.assign(names, counts)
        w.lines[at:at] = [f"{'    ' * level}{name} = 0" for name in names]
        return [*first, *(_Part(n, q.play) for n, q in zip(names, found, strict=True))]

    def _none(self, rest: Course) -> _Part:
        def play(_: str) -> None:
            self.w.put("swapped = g.state.swapped")
            self.w.put("g.state.fresh = 0")
            self._after(rest, simple=True)

        return _Part("1", play)

    def _move(self, number: int, rest: Course) -> list[_Part]:
        """The decisions of a move, in a fast form if there is one."""
        move = self.plan.rules.moves[number]
        if any(isinstance(s, r.Need) and s.condition == FALSE for s in move.body):
            return []
        found: _Part | None = attempt(self.w, lambda: self._fast(number, rest))
        how = (
            "a random one is picked as a bit of a set"
            if found
            else "random ones are picked from rows"
        )
        self.plan.note(f"decisions of {move.name}", how)
        if found is None and self.grown:
            raise Unfit
        return [found or self._rows(number, rest)]

    def _rows(self, number: int, rest: Course) -> _Part:
        """Rows below those that other moves have written."""
        return self._listed(f"moves_{number}_{self.player}({PASSED}, n, {self.plan.courses[rest]})")

    def _listed(self, call: str) -> _Part:
        """The rows that a kernel adds."""
        w, first = self.w, self.w.fresh("n")
        w.put(f"{first} = n")
        w.put(f"n = {call}")

        def play(k: str) -> None:
            w.put(f"play({PASSED}, ({first} + {k}) * {self.row}, n)")

        return _Part(w.let(f"n - {first}", "n"), play)

    # --- fast forms ---

    def _fast(self, number: int, rest: Course) -> _Part:
        move = self.plan.rules.moves[number]
        tests = _before_effects(move)
        if has_need(move.body[len(tests) :], self.plan.rules):
            raise Unfit
        if any(isinstance(s, r.Choose) for s in tests) and not distinct(move, self.plan.rules):
            raise Unfit
        v = Values(GENERAL, self.plan, self.w, self.player, self.player)
        count, pick = Picker(v, tests).read()

        def play(k: str) -> None:
            v.frame = pick(k)
            self._effects(number, v, rest)

        return _Part(count, play)

    def _effects(self, number: int, v: Values, rest: Course) -> None:
        w, move = self.w, self.plan.rules.moves[number]
        simple = not _turns_odd(move, self.plan.rules) and rest == EMPTY
        w.put("swapped = g.state.swapped")
        w.put(f"g.state.rest = {self.plan.courses[rest]}")
        w.put("g.state.fresh = 0")
        writer = MoveWriter(self.plan, number, self.player, self.row)
        met = writer.write_effects(v, self.grown)
        if self.grown:
            self._grown_ends(v, self.grown, met)
        else:
            result = w.let(f"ends_{self.player}({PASSED})", "e")
            w.put(f"g.state.result = {result}")
        with w.block(f"if g.state.result == {p.RUNNING}:"):
            self._after(rest, simple)

    def _grown_ends(self, v: Values, grown: Grown, met: dict[int, str]) -> None:
        """The end rules in order, those that are kept up to date at the last piece only."""
        tested = [end for end in self.plan.rules.ends if not end.stuck]
        for number, end in enumerate(tested):
            test = grown.condition(number, self.player, met)
            with self.w.block(f"if g.state.result == {p.RUNNING}:"):
                v.frame = {}
                with self.w.block(f"if {test or v.truth(end.condition)}:"):
                    self.w.put(f"g.state.result = {verdict(v, end, self.player)}")

    def _after(self, rest: Course, simple: bool) -> None:
        """What follows a decision that has not ended the game."""
        w = self.w
        if simple and rest == EMPTY and not self._next_turn_is_long():
            w.put("g.state.ply = g.state.ply + 1")
            w.put(f"g.state.mover = {1 - self.player}")
            w.put("g.state.fresh = 1")
            w.put(f"g.state.rest = {self.plan.courses[self.plan.rules.course]}")
            return
        w.put(f"g.state.rest = {self.plan.courses[rest]}")
        w.put(f"go_on({PASSED}, swapped, n)")

    def _next_turn_is_long(self) -> bool:
        rules = self.plan.rules
        again = any(isinstance(node, r.Again) for node in everything(rules))  # earlier in the turn
        return again or rules.looks_back or any(s.within_turn for s in rules.states)


def _before_effects(move: r.Move) -> list[r.Effect]:
    """The statements of a move before its first effect."""
    found: list[r.Effect] = []
    for s in move.body:
        if not isinstance(s, r.Choose | r.ChooseRay | r.Bind | r.Need | r.Write):
            break
        found.append(s)
    return found


def _turns_odd(move: r.Move, rules: r.Rules) -> bool:
    """Whether the next turn may belong to somebody else than the other player."""
    actions = any(isinstance(s, r.Perform | r.Branch) for s in move.body)
    return actions or any(isinstance(s, r.Again | r.SwapSides) for s in move.body)


def verdict(v: Values, end: r.End, player: int) -> str:
    """The result that an end rule gives when its condition holds."""
    if end.score is None:
        return str({"win": player, "lose": 1 - player, "draw": p.DRAWN}[end.verdict])
    score = v.number(end.score)
    return f"{p.DRAWN} if {score} == 0 else ({player} if {score} > 0 else {1 - player})"


def grown_kernels(plan: Plan, row: int) -> list[str]:
    """`grow`, `ready` and what they call; for most games, that nothing is kept up to date."""
    mark = plan.mark()
    try:
        grown = Grown(plan)
        plies = [PlyWriter(plan, player, row, grown).ply() for player in (0, 1)]
    except (Unfit, NoPlan):
        plan.undo(mark)
        plan.note("random games", "test ends on the whole board")
        return [f"def ready({ARRAYS}) -> i64:\n    return 0", _grow("ply", "ply")]
    for number, form in enumerate(grown.ends[0]):
        if form is not None:
            plan.note(f"random games, end rule {number + 1}", form.reason)
    return [UNION_FIND, *plies, grown.ready(), _grow("grow_0", "grow_1")]


def _grow(first: str, second: str) -> str:
    more = f"{PASSED}, chance, n"
    return (
        f"def grow({ARRAYS}, chance: Chance, n: i64) -> i64:\n"
        f"    if g.state.mover == 0:\n"
        f"        return {first}({more})\n"
        f"    return {second}({more})"
    )


def go_on(plan: Plan) -> str:
    """`go_on`: what follows a decision that has not ended the game, up to the next one."""
    may = [n for course, n in plan.running.items() if may_end(course)]
    over = plan.courses.get(EMPTY, -1)
    lines = [f"def go_on({ARRAYS}, swapped: i64, top: i64) -> None:"]
    if plan.rules.looks_back:
        lines.append(f"    push({PASSED})")
    lines += [
        "    if g.state.swapped != swapped:",
        "        g.state.mover = 1 - g.state.mover",
        f"    if g.state.rest == {over}:",
        f"        next_turn({PASSED})",
        "        return",
    ]
    for number in may:
        lines += [
            f"    if g.state.rest == {number}:",
            f"        if decisions({PASSED}, top) == top and g.scratch.may_end == 1:",
            f"            next_turn({PASSED})",
            "        return",
        ]
    return "\n".join([*lines, "    return"])
