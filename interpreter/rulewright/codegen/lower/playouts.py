"""Random decisions, and how many there are, without writing all of them out.

In: a state layout.  Out: kernels that play a random decision of a position, and that count
decisions.  The choices of a move are sets where it chooses no site, one site, or two of which the
second is a single step from the first; then the k-th decision is a bit of a set.  Every other move
is written out as rows, and one of these is played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from attrs import define, field, frozen

from rulewright.codegen.layout import DRAWN, RUNNING, TOO_MANY, StateLayout, Unsupported
from rulewright.codegen.lower.definitions import GENERAL
from rulewright.codegen.lower.moves import MoveWriter
from rulewright.codegen.lower.rays import Fill
from rulewright.codegen.lower.values import Site, Value, Values
from rulewright.codegen.lower.writer import Words, Writer
from rulewright.codegen.passes.duplicates import (
    SETS,
    Instead,
    Offer,
    Option,
    TurnEnds,
    distinct,
    has_need,
    options,
)
from rulewright.codegen.passes.incremental import UNION_FIND, Incremental
from rulewright.codegen.passes.normalize import FALSE, Normalizer, is_apply, uses_slot
from rulewright.codegen.passes.pushdown import Pushdown, narrow_choice
from rulewright.language import limits
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Const, Expr
from rulewright.model.rules import EMPTY, Course
from rulewright.model.walk import everything
from rulewright.reference.courses import may_end

Frame = dict[int, Value]
"""Values of the choices, by slot."""


@define
class Picker:
    """Reads the choices of a move as sets."""

    v: Values
    tests: list[r.Effect]

    def read(self) -> tuple[str, Callable[[str], Frame]]:
        """The number of decisions, and how the k-th is picked."""
        chooses = [i for i, s in enumerate(self.tests) if isinstance(s, r.Choose)]
        if any(isinstance(s, r.ChooseRay) for s in self.tests) or len(chooses) > 2:
            raise Unsupported
        if any(self.tests[i].domain.type not in SETS for i in chooses):  # type: ignore[union-attr]
            raise Unsupported
        if not chooses:
            return self._single()
        before = self._needs(self.tests[: chooses[0]])
        if len(chooses) == 1:
            return self._one(self.tests[chooses[0] :], before)
        return self._two(self.tests[chooses[0] :], chooses[1] - chooses[0], before)

    def _needs(self, statements: Sequence[r.Effect]) -> list[Expr]:
        if any(isinstance(s, r.Let) for s in statements):
            raise Unsupported
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
            words = self.v.w.both(words, Pushdown(self.v, -1).truth(need))
        return words

    def _one(
        self, tests: Sequence[r.Effect], before: list[Expr]
    ) -> tuple[str, Callable[[str], Frame]]:
        choose = tests[0]
        assert isinstance(choose, r.Choose)
        choice = narrow_choice(self.v, choose, tests[1:])
        if len(choice.settled) != sum(isinstance(s, r.Need) for s in tests):
            raise Unsupported
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
        w, normal = self.v.w, Normalizer(self.v.rules, self.v.view, self.v.mover)
        choice = narrow_choice(self.v, first, tests[1:second])
        after = tests[second + 1 :]
        needs = [normal(n) for n in self._needs(after)]
        if len(choice.settled) != len(self._needs(tests[1:second])):
            raise Unsupported
        if any(uses_slot(n, first.slot) for n in needs):
            raise Unsupported
        sources = self._allowed(choice.sites, before)
        held = [Pushdown(self.v, other.slot).truth(need) for need in needs]
        by_step = self._targets(normal(other.domain), first.slot, sources)
        sets: list[tuple[int, Words, list[str]]] = []
        for step, reached in by_step.items():
            words = reached
            for test in held:
                words = w.both(words, test)
            counts = [w.let(f"popcount({word})", "n") for word in words]
            sets.append((step[0] + step[1] * self.v.board.width, words, counts))
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
        fill = Fill(w, self.v.board)
        if self.v.board.is_drawn:
            raise Unsupported
        terms = e.arguments if is_apply(e, "unite") else (e,)
        for term in terms:
            steps, conditions = _step_term(term, slot)
            allowed = w.constant(self.v.board.sites)
            for condition in conditions:
                allowed = w.both(allowed, self.v.words(condition))
            for step in steps:
                already = found.get(step, w.constant(0))
                found[step] = w.either(already, allowed)
        for step, allowed in found.items():
            found[step] = w.both(allowed, fill.stepped([sources], step))
        return found


def _step_term(e: Expr, slot: int) -> tuple[tuple[Step, ...], list[Expr]]:
    """The steps and the conditions of `steps(a) and ...`, where the slot is a."""
    parts = e.arguments if is_apply(e, "intersect") else (e,)
    varying = [part for part in parts if uses_slot(part, slot)]
    if len(varying) != 1 or not is_apply(varying[0], "step"):
        raise Unsupported
    way, site = varying[0].arguments
    if not isinstance(way, Const) or not isinstance(site, m.Local):
        raise Unsupported
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


@frozen
class _Part:
    """Decisions of one kind: their number, and how the k-th of them is picked and played."""

    count: str
    play: Callable[[str], None]


@define
class PlyWriter:
    """Writes the kernels of one player."""

    layout: StateLayout
    player: int
    clashing: Collection[Course]
    """Courses whose decisions may stand in a list twice."""
    incremental: Incremental | None = None
    """What `incremental_ply_P` keeps up to date; it plays fast forms only."""
    w: Writer = field(init=False)

    def count(self) -> str:
        """`how_many_P(..., n)`: how many decisions; `may_end`: the turn may do without."""
        return self._function(
            "how_many", ", n: i64", lambda total, _: self.w.put(f"return {total}")
        )

    def ply(self) -> str:
        """`ply_P(g, chance, n)`: plays a random decision and gives 1; 0 if there is none."""
        name = "incremental_ply" if self.incremental else "ply"
        return self._function(name, ", chance: Chance, n: i64", self._pick)

    def _function(self, name: str, more: str, use: Callable[[str, list[_Part]], None]) -> str:
        self.w = Writer(self.layout)
        if self.layout.may_end:
            self.w.put("g.scratch.may_end = 0")
        self.w.put("g.scratch.listed = 0")
        running = self.layout.running
        for course, number in running.items():
            if len(running) == 1:
                self._course(course, use)
            else:
                with self.w.block(f"if g.state.rest == {number}:"):
                    self._course(course, use)
        head = f"def {name}_{self.player}(g: Game{more}) -> i64:"
        return "\n".join([head, *self.w.lines, "    return 0"])

    def _course(self, course: Course, use: Callable[[str, list[_Part]], None]) -> None:
        alike = course in self.clashing
        parts = [self._distinct()] if alike else self._parts(options(course))
        total = self._sum(parts)
        if not alike:
            with self.w.block(f"if {total} > {limits.BRANCHES}:"):  # listing all says where
                with self.w.block(f"if g.state.fault == {TOO_MANY}:"):
                    self.w.put("g.state.fault = 0")
                self.w.put(f"return 0 * decisions_{self.player}(g, n)")
        use(total, parts)

    def _distinct(self) -> _Part:
        """All decisions as rows, where some may stand there twice."""
        if self.incremental:
            raise Unsupported
        return self._listed(f"decisions_{self.player}(g, n)")

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

    def _parts(self, found: Sequence[Option]) -> list[_Part]:
        return [part for option in found for part in self._offered(option)]

    def _offered(self, option: Option) -> list[_Part]:
        match option:
            case Offer(move=None, rest=rest):
                return [self._none(rest)]
            case Offer(move=int(move), rest=rest):
                return self._move(move, rest)
            case Instead(first=first, second=second):
                return self._else(self._parts(first), second)
            case TurnEnds() if self.layout.may_end:
                self.w.put("g.scratch.may_end = 1")
        return []

    def _else(self, first: list[_Part], second: Sequence[Option]) -> list[_Part]:
        """The second options have no decisions while the first have some."""
        w, total = self.w, self._sum(first)
        at, level = len(w.lines), w.level
        with w.block(f"if {total} == 0:"):
            found = self._parts(second)
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
        move = self.layout.rules.moves[number]
        if any(isinstance(s, r.Need) and s.condition == FALSE for s in move.body):
            return []
        found: _Part | None = self.w.attempt(lambda: self._fast(number, rest))
        how = (
            "a random one is picked as a bit of a set"
            if found
            else "random ones are picked from rows"
        )
        self.layout.note(f"decisions of {move.name}", how)
        if found is None and self.incremental:
            raise Unsupported
        return [found or self._rows(number, rest)]

    def _rows(self, number: int, rest: Course) -> _Part:
        """Rows below those that other moves have written."""
        return self._listed(f"moves_{number}_{self.player}(g, n, {self.layout.courses[rest]})")

    def _listed(self, call: str) -> _Part:
        """The rows that a kernel adds."""
        w, first = self.w, self.w.fresh("n")
        w.put(f"{first} = n")
        w.put(f"n = {call}")

        def play(k: str) -> None:
            w.put(f"play(g, ({first} + {k}) * {self.layout.row}, n)")

        return _Part(w.let(f"n - {first}", "n"), play)

    # --- fast forms ---

    def _fast(self, number: int, rest: Course) -> _Part:
        move = self.layout.rules.moves[number]
        tests = _before_effects(move)
        if has_need(move.body[len(tests) :], self.layout.rules):
            raise Unsupported
        if any(isinstance(s, r.Choose) for s in tests) and not distinct(move, self.layout.rules):
            raise Unsupported
        v = Values(GENERAL, self.layout, self.w, self.player, self.player)
        count, pick = Picker(v, tests).read()

        def play(k: str) -> None:
            v.frame = pick(k)
            self._effects(number, v, rest)

        return _Part(count, play)

    def _effects(self, number: int, v: Values, rest: Course) -> None:
        w, move = self.w, self.layout.rules.moves[number]
        simple = not _turns_odd(move, self.layout.rules) and rest == EMPTY
        w.put("swapped = g.state.swapped")
        w.put(f"g.state.rest = {self.layout.courses[rest]}")
        w.put("g.state.fresh = 0")
        writer = MoveWriter(self.layout, number, self.player)
        met = writer.write_effects(v, self.incremental)
        if self.incremental:
            self._incremental_ends(v, self.incremental, met)
        else:
            result = w.let(f"ends_{self.player}(g)", "e")
            w.put(f"g.state.result = {result}")
        with w.block(f"if g.state.result == {RUNNING}:"):
            self._after(rest, simple)

    def _incremental_ends(self, v: Values, incremental: Incremental, met: dict[int, str]) -> None:
        """The end rules in order, those that are kept up to date at the last piece only."""
        tested = [end for end in self.layout.rules.ends if not end.stuck]
        for number, end in enumerate(tested):
            test = incremental.condition(number, self.player, met)
            with self.w.block(f"if g.state.result == {RUNNING}:"):
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
            w.put(f"g.state.rest = {self.layout.courses[self.layout.rules.course]}")
            return
        w.put(f"g.state.rest = {self.layout.courses[rest]}")
        w.put("go_on(g, swapped, n)")

    def _next_turn_is_long(self) -> bool:
        rules = self.layout.rules
        again = any(isinstance(node, r.Again) for node in everything(rules))  # earlier in the turn
        return again or rules.looks_back or any(s.within_turn for s in rules.states)


def _before_effects(move: r.MoveKind) -> list[r.Effect]:
    """The statements of a move before its first effect."""
    found: list[r.Effect] = []
    for s in move.body:
        if not isinstance(s, r.Choose | r.ChooseRay | r.Let | r.Need | r.Write):
            break
        found.append(s)
    return found


def _turns_odd(move: r.MoveKind, rules: r.Rules) -> bool:
    """Whether the next turn may belong to somebody else than the other player."""
    actions = any(isinstance(s, r.Perform | r.If) for s in move.body)
    return actions or any(isinstance(s, r.Again | r.SwapSides) for s in move.body)


def verdict(v: Values, end: r.End, player: int) -> str:
    """The result that an end rule gives when its condition holds."""
    if end.score is None:
        return str({"win": player, "lose": 1 - player, "draw": DRAWN}[end.verdict])
    score = v.number(end.score)
    return f"{DRAWN} if {score} == 0 else ({player} if {score} > 0 else {1 - player})"


def incremental_kernels(layout: StateLayout, clashing: Collection[Course]) -> list[str]:
    """`incremental_ply`, `begin_incremental`; for most games that nothing is kept up to date."""
    mark = layout.mark()
    try:
        incremental = Incremental(layout)
        plies = [PlyWriter(layout, player, clashing, incremental).ply() for player in (0, 1)]
    except Unsupported:
        layout.undo(mark)
        layout.note("random games", "test ends on the whole board")
        return ["def begin_incremental(g: Game) -> i64:\n    return 0", _dispatched("ply", "ply")]
    for number, form in enumerate(incremental.ends[0]):
        if form is not None:
            layout.note(f"random games, end rule {number + 1}", form.reason)
    return [
        UNION_FIND,
        *plies,
        incremental.begin(),
        _dispatched("incremental_ply_0", "incremental_ply_1"),
    ]


def _dispatched(first: str, second: str) -> str:
    more = "g, chance, n"
    return (
        f"def incremental_ply(g: Game, chance: Chance, n: i64) -> i64:\n"
        f"    if g.state.mover == 0:\n"
        f"        return {first}({more})\n"
        f"    return {second}({more})"
    )


def go_on(layout: StateLayout) -> str:
    """`go_on`: what follows a decision that has not ended the game, up to the next one."""
    may = [n for course, n in layout.running.items() if may_end(course)]
    over = layout.courses.get(EMPTY, -1)
    lines = ["def go_on(g: Game, swapped: i64, top: i64) -> None:"]
    if layout.rules.looks_back:
        lines.append("    push(g)")
    lines += [
        "    if g.state.swapped != swapped:",
        "        g.state.mover = 1 - g.state.mover",
        f"    if g.state.rest == {over}:",
        "        next_turn(g)",
        "        return",
    ]
    for number in may:
        lines += [
            f"    if g.state.rest == {number}:",
            "        if decisions(g, top) == top and g.scratch.may_end == 1:",
            "            next_turn(g)",
            "        return",
        ]
    return "\n".join([*lines, "    return"])
