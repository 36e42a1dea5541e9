"""One random ply, and how many decisions there are, without writing every decision down.

In: the rules and a plan.  Out: for each player the kernels `ply_P` (plays one decision, each equally
likely; 0 if there is none) and `how_many_P`.  A move that chooses one site is a set: its size is the number
of decisions, and a random one of its bits is picked.  A move from one site to another by single steps is
a set for each step.  All other moves write their rows as `decisions` does, and one row is picked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field, frozen

from rulewright.kernels import plan as p
from rulewright.kernels.alike import Alike
from rulewright.kernels.fills import Fill, Unfit
from rulewright.kernels.forms import GENERAL
from rulewright.kernels.grown import UNION_FIND, Grown
from rulewright.kernels.lift import Lift, attempt, uses_slot
from rulewright.kernels.moves import ARRAYS, PASSED, MoveWriter, distinct, has_need
from rulewright.kernels.narrow import narrowed
from rulewright.kernels.plain import FALSE, Plainer, is_apply
from rulewright.kernels.plan import NoPlan, Plan
from rulewright.kernels.values import Site, Value, Values
from rulewright.kernels.writer import Words, Writer
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Const, Expr, Type
from rulewright.model.walk import everything
from rulewright.model.rules import EMPTY, Course
from rulewright.reference.courses import follow, may_end

_SETS = (Type.SITE, Type.SITES)
Frame = dict[int, Value]


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
        """`how_many_P(..., n)`: the number of decisions; X[0] = 1 if the turn may end without one."""
        return self._function(
            "how_many", ", n: i64", lambda total, _: self.w.put(f"return {total}")
        )

    def ply(self) -> str:
        """`ply_P(..., R, n)`: plays a random decision and gives 1; 0 if there is none."""
        name = "grow" if self.grown else "ply"
        return self._function(name, ", R: ints, n: i64", self._pick)

    def _function(self, name: str, more: str, use: Callable[[str, list[_Part]], None]) -> str:
        self.w = Writer(self.plan)
        if self.plan.may_end:
            self.w.put("X[0] = 0")
        running = self.plan.running
        for course, number in running.items():
            if len(running) == 1:
                self._course(course, use)
            else:
                with self.w.block(f"if S[{p.REST}] == {number}:"):
                    self._course(course, use)
        head = f"def {name}_{self.player}({ARRAYS}{more}) -> i64:"
        return "\n".join([head, *self.w.lines, "    return 0"])

    def _course(self, course: Course, use: Callable[[str, list[_Part]], None]) -> None:
        alike = Alike.of(self.plan).clash(course)
        parts = [self._distinct()] if alike else self._parts(course, EMPTY)
        use(self._sum(parts), parts)

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
        k = w.let(f"shift_right(wrap_mul(random_half(R), {total}), 32)", "k")
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
                    self.w.put("X[0] = 1")
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
            self.w.put("swapped = S[%d]" % p.SWAPPED)
            self.w.put(f"S[{p.FRESH}] = 0")
            self._after(rest, simple=True)

        return _Part("1", play)

    def _move(self, number: int, rest: Course) -> list[_Part]:
        """The decisions of a move, in a fast form if there is one."""
        move = self.plan.rules.moves[number]
        if any(isinstance(s, r.Need) and s.condition == FALSE for s in move.body):
            return []
        found: _Part | None = attempt(self.w, lambda: self._fast(number, rest))
        if found is None and self.grown:
            raise Unfit
        return [found or self._rows(number, rest)]

    def _rows(self, number: int, rest: Course) -> _Part:
        """Rows below those that other moves have written."""
        return self._listed(
            f"moves_{number}_{self.player}({PASSED}, n, {self.plan.courses[rest]})"
        )

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
        count, pick = _Picker(v, tests).read()

        def play(k: str) -> None:
            v.frame = pick(k)
            self._effects(number, v, rest)

        return _Part(count, play)

    def _effects(self, number: int, v: Values, rest: Course) -> None:
        w, move = self.w, self.plan.rules.moves[number]
        simple = not _turns_odd(move, self.plan.rules) and rest == EMPTY
        w.put(f"swapped = S[{p.SWAPPED}]")
        w.put(f"S[{p.REST}] = {self.plan.courses[rest]}")
        w.put(f"S[{p.FRESH}] = 0")
        writer = MoveWriter(self.plan, number, self.player, self.row)
        met = writer.write_effects(v, self.grown)
        if self.grown:
            self._grown_ends(v, self.grown, met)
        else:
            result = w.let(f"ends_{self.player}({PASSED})", "e")
            w.put(f"S[{p.RESULT}] = {result}")
        with w.block(f"if S[{p.RESULT}] == {p.RUNNING}:"):
            self._after(rest, simple)

    def _grown_ends(self, v: Values, grown: Grown, met: dict[int, str]) -> None:
        """The end rules in order, those that are kept up to date at the last piece only."""
        tested = [end for end in self.plan.rules.ends if not end.stuck]
        for number, end in enumerate(tested):
            test = grown.condition(number, self.player, met)
            with self.w.block(f"if S[{p.RESULT}] == {p.RUNNING}:"):
                v.frame = {}
                with self.w.block(f"if {test or v.truth(end.condition)}:"):
                    self.w.put(f"S[{p.RESULT}] = {verdict(v, end, self.player)}")

    def _after(self, rest: Course, simple: bool) -> None:
        """What follows a decision that has not ended the game."""
        w = self.w
        if simple and rest == EMPTY and not self._next_turn_is_long():
            w.put(f"S[{p.PLY}] = S[{p.PLY}] + 1")
            w.put(f"S[{p.MOVER}] = {1 - self.player}")
            w.put(f"S[{p.FRESH}] = 1")
            w.put(f"S[{p.REST}] = {self.plan.courses[self.plan.rules.course]}")
            return
        w.put(f"S[{p.REST}] = {self.plan.courses[rest]}")
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


@define
class _Picker:
    """Reads the choices of a move as sets."""

    v: Values
    tests: list[r.Effect]

    def read(self) -> tuple[str, Callable[[str], Frame]]:
        """The number of decisions, and how the k-th is picked."""
        chooses = [i for i, s in enumerate(self.tests) if isinstance(s, r.Choose)]
        if any(isinstance(s, r.ChooseRay) for s in self.tests) or len(chooses) > 2:
            raise Unfit
        if any(self.tests[i].domain.type not in _SETS for i in chooses):  # type: ignore[union-attr]
            raise Unfit
        if not chooses:
            return self._single()
        before = self._needs(self.tests[: chooses[0]])
        if len(chooses) == 1:
            return self._one(self.tests[chooses[0] :], before)
        return self._two(self.tests[chooses[0] :], chooses[1] - chooses[0], before)

    def _needs(self, statements: Sequence[r.Effect]) -> list[Expr]:
        if any(isinstance(s, r.Bind) for s in statements):
            raise Unfit
        return [s.condition for s in statements if isinstance(s, r.Need)]

    def _single(self) -> tuple[str, Callable[[str], Frame]]:
        """A move without a choice: one decision if its needs are met."""
        w, found = self.v.w, self.v.w.fresh("n")
        w.put(f"{found} = 1")
        for need in self._needs(self.tests):
            with w.block(f"if {found} != 0:"):
                w.put(f"{found} = 1 if {self.v.truth(need)} else 0")
        return found, lambda _: {}

    def _allowed(self, words: Words, needs: Sequence[Expr]) -> Words:
        """A set, or nothing when a need that does not depend on the choice is not met."""
        for need in needs:
            words = self.v.w.each("{0} & {1}", words, Lift(self.v, -1).truth(need))
        return words

    def _one(
        self, tests: Sequence[r.Effect], before: list[Expr]
    ) -> tuple[str, Callable[[str], Frame]]:
        choose = tests[0]
        assert isinstance(choose, r.Choose)
        choice = narrowed(self.v, choose, tests[1:])
        if len(choice.settled) != sum(isinstance(s, r.Need) for s in tests):
            raise Unfit
        sites = self._allowed(choice.sites, before)
        counts = [self.v.w.let(f"popcount({word})", "n") for word in sites]
        total = self.v.w.let(" + ".join(counts), "n")
        return total, lambda k: {choose.slot: Site(pick_bit(self.v.w, sites, counts, k))}

    # --- two choices, the second a step from the first ---

    def _two(
        self, tests: Sequence[r.Effect], second: int, before: list[Expr]
    ) -> tuple[str, Callable[[str], Frame]]:
        first, other = tests[0], tests[second]
        assert isinstance(first, r.Choose)
        assert isinstance(other, r.Choose)
        w, plain = self.v.w, Plainer(self.v.plan.rules, self.v.view, self.v.mover)
        choice = narrowed(self.v, first, tests[1:second])
        after = tests[second + 1 :]
        needs = [plain(n) for n in self._needs(after)]
        if len(choice.settled) != len(self._needs(tests[1:second])):
            raise Unfit
        if any(uses_slot(n, first.slot) for n in needs):
            raise Unfit
        sources = self._allowed(choice.sites, before)
        held = [Lift(self.v, other.slot).truth(need) for need in needs]
        by_step = self._targets(plain(other.domain), first.slot, sources)
        sets: list[tuple[int, Words, list[str]]] = []
        for step, words in by_step.items():
            for test in held:
                words = w.each("{0} & {1}", words, test)
            counts = [w.let(f"popcount({word})", "n") for word in words]
            sets.append((step[0] + step[1] * self.v.plan.rules.board.width, words, counts))
        totals = [w.let(" + ".join(counts), "n") for _, _, counts in sets]
        total = w.let(" + ".join(totals), "n")
        slots = first.slot, other.slot
        return total, lambda k: self._pick_step(sets, totals, slots, k)

    def _pick_step(
        self,
        sets: list[tuple[int, Words, list[str]]],
        totals: list[str],
        slots: tuple[int, int],
        k: str,
    ) -> Frame:
        w, a, b, done = self.v.w, *(self.v.w.fresh("s") for _ in range(2)), self.v.w.fresh("d")
        w.put(f"{a} = 0")
        w.put(f"{b} = 0")
        w.put(f"{done} = 0")
        for (by, words, counts), total in zip(sets, totals, strict=True):
            with w.block(f"if {done} == 0 and {k} < {total}:"):
                w.put(f"{b} = {pick_bit(w, words, counts, k)}")
                w.put(f"{a} = {b} - {by}" if by >= 0 else f"{a} = {b} + {-by}")
                w.put(f"{done} = 1")
            w.put(f"{k} = {k} - {total}")
        return {slots[0]: Site(a), slots[1]: Site(b)}

    def _targets(self, e: Expr, slot: int, sources: Words) -> dict[Step, Words]:
        """For every step the sites that can be chosen after a step from *sources*."""
        w, found = self.v.w, dict[Step, Words]()
        fill = Fill(w, self.v.plan.rules.board)
        if self.v.plan.rules.board.shape == "graph":
            raise Unfit
        terms = e.arguments if is_apply(e, "unite") else (e,)  # type: ignore[union-attr]
        for term in terms:
            steps, conditions = _step_term(term, slot)
            allowed = w.constant(self.v.plan.rules.board.sites)
            for condition in conditions:
                allowed = w.each("{0} & {1}", allowed, self.v.words(condition))
            for step in steps:
                already = found.get(step, w.constant(0))
                found[step] = w.each("{0} | {1}", already, allowed)
        for step, allowed in found.items():
            found[step] = w.each("{0} & {1}", allowed, fill.stepped([sources], step))
        return found


def _step_term(e: Expr, slot: int) -> tuple[tuple[Step, ...], list[Expr]]:
    """The steps and the conditions of `steps(a) and ...`, where the slot is a."""
    parts = e.arguments if is_apply(e, "intersect") else (e,)  # type: ignore[union-attr]
    varying = [part for part in parts if uses_slot(part, slot)]
    if len(varying) != 1 or not is_apply(varying[0], "step"):
        raise Unfit
    way, site = varying[0].arguments  # type: ignore[union-attr]
    if not isinstance(way, Const) or not isinstance(site, m.Local):
        raise Unfit
    steps: tuple[Step, ...] = tuple(dict.fromkeys(way.value))  # type: ignore[arg-type]
    return steps, [part for part in parts if part is not varying[0]]


def pick_bit(w: Writer, words: Words, counts: Sequence[str], k: str) -> str:
    """The site of the k-th bit of a set, given the number of bits of each word."""
    if len(words) == 1:
        return w.let(f"select_bit({words[0]}, {k})", "s")
    word, left, base, passed = (w.fresh(n) for n in "mknp")
    w.put(f"{word} = {words[0]}")
    w.put(f"{left} = {k}")
    w.put(f"{base} = 0")
    w.put(f"{passed} = {counts[0]}")
    for index in range(1, len(words)):
        w.put(f"{word} = {words[index]} if {k} >= {passed} else {word}")
        w.put(f"{left} = {k} - {passed} if {k} >= {passed} else {left}")
        w.put(f"{base} = {64 * index} if {k} >= {passed} else {base}")
        if index < len(words) - 1:
            w.put(f"{passed} = {passed} + {counts[index]}")
    return w.let(f"{base} + select_bit({word}, {left})", "s")


def verdict(v: Values, end: r.End, player: int) -> str:
    """The result that an end rule gives when its condition holds."""
    if end.score is None:
        return str({"win": player, "lose": 1 - player, "draw": p.DRAWN}[end.verdict])
    score = v.number(end.score)
    return f"{p.DRAWN} if {score} == 0 else ({player} if {score} > 0 else {1 - player})"


def grown_kernels(plan: Plan, row: int) -> list[str]:
    """`grow`, `ready` and what they call; for most games, that nothing is kept up to date."""
    try:
        grown = Grown(plan)
        plies = [PlyWriter(plan, player, row, grown).ply() for player in (0, 1)]
    except (Unfit, NoPlan):
        plan.extra = 0
        return [f"def ready({ARRAYS}) -> i64:\n    return 0", _grow("ply", "ply")]
    return [UNION_FIND, *plies, grown.ready(), _grow("grow_0", "grow_1")]


def _grow(first: str, second: str) -> str:
    more = f"{PASSED}, R, n"
    return (
        f"def grow({ARRAYS}, R: ints, n: i64) -> i64:\n"
        f"    if S[{p.MOVER}] == 0:\n"
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
        f"    if S[{p.SWAPPED}] != swapped:",
        f"        S[{p.MOVER}] = 1 - S[{p.MOVER}]",
        f"    if S[{p.REST}] == {over}:",
        f"        next_turn({PASSED})",
        "        return",
    ]
    for number in may:
        lines += [
            f"    if S[{p.REST}] == {number}:",
            f"        if decisions({PASSED}, top) == top and X[0] == 1:",
            f"            next_turn({PASSED})",
            "        return",
        ]
    return "\n".join([*lines, "    return"])
