"""Random decisions, and how many there are, without writing all of them out.

In: a state layout.  Out: kernels that play a random decision of a position, and that count
decisions.  The choices of a move are sets where it chooses no site, one site, or two of which the
second is a single step from the first; then the k-th decision is a bit of a set.  Every other move
is written out as rows, and one of these is played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import reduce
from operator import and_

from attrs import define, field, frozen

from rulewright.codegen.ir.nodes import Expr, Function, Local, Set, as_expr, choice, op, truth
from rulewright.codegen.ir.types import INT, NOTHING
from rulewright.codegen.layout import (
    DRAWN,
    FAULT,
    FRESH,
    MOVER,
    OFFERED,
    PLY,
    REST,
    RESULT,
    RUNNING,
    SWAPPED,
    TOO_MANY,
    TURN_ENDS,
    StateLayout,
    Unsupported,
)
from rulewright.codegen.lower.definitions import GENERAL
from rulewright.codegen.lower.moves import MoveWriter, N
from rulewright.codegen.lower.rays import Fill
from rulewright.codegen.lower.values import Site, Values
from rulewright.codegen.lower.writer import GAME, Sites, Writer, array, at, signature, total
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
from rulewright.codegen.passes.incremental import Incremental
from rulewright.codegen.passes.normalize import FALSE, Normalizer, is_apply, uses_slot
from rulewright.codegen.passes.pushdown import Pushdown, narrow_choice
from rulewright.language import limits
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.board import Step
from rulewright.model.expressions import Const
from rulewright.model.rules import EMPTY, Course
from rulewright.model.walk import everything
from rulewright.reference.courses import may_end

Frame = dict[int, object]
"""Values of the choices, by slot."""
CHANCE = array("chance")
_DRAWN = (("chance", "Chance"),)
_SWAPPED = Local("swapped", INT)
Pick = Callable[[Expr], Frame]
"""How the decision of a number is picked."""


@define
class Picker:
    """Reads the choices of a move as sets."""

    v: Values
    tests: list[r.Effect]

    def read(self) -> tuple[Expr, Pick]:
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

    def _needs(self, statements: Sequence[r.Effect]) -> list[m.Expr]:
        if any(isinstance(s, r.Let) for s in statements):
            raise Unsupported
        return [s.condition for s in statements if isinstance(s, r.Need)]

    def _single(self) -> tuple[Expr, Pick]:
        """A move without a choice: one decision if its needs are met."""
        w, found = self.v.w, self.v.w.var(1, "n")
        for need in self._needs(self.tests):
            with w.when(found.ne(0)):
                w.set(found, choice(self.v.truth(need), 1, 0))
        return found, lambda _: {}

    def _allowed(self, sites: Sites, needs: Sequence[m.Expr]) -> Sites:
        """A set, or nothing when a need that does not depend on the choice is not met."""
        for need in needs:
            sites = sites & Pushdown(self.v, -1).truth(need)
        return sites

    def _one(self, tests: Sequence[r.Effect], before: list[m.Expr]) -> tuple[Expr, Pick]:
        choose = tests[0]
        assert isinstance(choose, r.Choose)
        choice = narrow_choice(self.v, choose, tests[1:])
        if len(choice.settled) != sum(isinstance(s, r.Need) for s in tests):
            raise Unsupported
        sites = self._allowed(choice.sites, before)
        counts = counted(sites)
        found = self.v.w.let(total(counts), "n")
        return found, lambda k: {choose.slot: Site(pick_bit(sites, counts, k))}

    # --- two choices, the second a step from the first ---

    def _two(
        self, tests: Sequence[r.Effect], second: int, before: list[m.Expr]
    ) -> tuple[Expr, Pick]:
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
        sets: list[tuple[int, Sites, list[Expr]]] = []
        for step, reached in by_step.items():
            sites = reduce(and_, held, reached)
            sets.append((step[0] + step[1] * self.v.board.width, sites, counted(sites)))
        totals = [w.let(total(counts), "n") for _, _, counts in sets]
        slots = first.slot, other.slot
        return w.let(total(totals), "n"), lambda k: self._pick_step(sets, totals, slots, k)

    def _pick_step(
        self,
        sets: list[tuple[int, Sites, list[Expr]]],
        totals: list[Expr],
        slots: tuple[int, int],
        number: Expr,
    ) -> Frame:
        w = self.v.w
        a, b, done, k = w.var(0, "s"), w.var(0, "s"), w.var(0, "d"), w.var(number, "k")
        for (by, sites, counts), found in zip(sets, totals, strict=True):
            with w.when(done.eq(0) & (k < found)):
                w.set(b, pick_bit(sites, counts, k))
                w.set(a, b - by)
                w.set(done, 1)
            w.set(k, k - found)
        return {slots[0]: Site(a), slots[1]: Site(b)}

    def _targets(self, e: m.Expr, slot: int, sources: Sites) -> dict[Step, Sites]:
        """For every step the sites that can be chosen after a step from *sources*."""
        w, found = self.v.w, dict[Step, Sites]()
        fill = Fill(w, self.v.board)
        if self.v.board.is_drawn:
            raise Unsupported
        terms = e.arguments if is_apply(e, "unite") else (e,)
        for term in terms:
            steps, conditions = _step_term(term, slot)
            allowed = w.constant(self.v.board.sites)
            for condition in conditions:
                allowed = allowed & self.v.sites(condition)
            for step in steps:
                found[step] = found[step] | allowed if step in found else allowed
        for step, allowed in found.items():
            found[step] = allowed & fill.stepped([sources], step)
        return found


def _step_term(e: m.Expr, slot: int) -> tuple[tuple[Step, ...], list[m.Expr]]:
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


def counted(sites: Sites) -> list[Expr]:
    """How many sites each word of a set holds."""
    return [sites.w.let(op("popcount", word), "n") for word in sites.words]


def pick_bit(sites: Sites, counts: Sequence[Expr], k: Expr) -> Expr:
    """The site of the k-th bit of a set, given the number of bits of each word."""
    w, words = sites.w, sites.words
    if len(words) == 1:
        return w.let(op("select_bit", words[0], k), "s")
    word, left, base = w.var(words[0], "m"), w.var(k, "k"), w.var(0, "n")
    passed: Expr = w.var(counts[0], "p")
    for index in range(1, len(words)):
        beyond = k >= passed
        w.set(word, choice(beyond, words[index], word))
        w.set(left, choice(beyond, k - passed, left))
        w.set(base, choice(beyond, 64 * index, base))
        if index < len(words) - 1:
            w.set(passed, passed + counts[index])
    return w.let(base + op("select_bit", word, left), "s")


@frozen
class _Part:
    """Decisions of one kind: their number, and how the k-th of them is picked and played."""

    count: Expr
    play: Callable[[Expr], None]


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

    def count(self) -> Function:
        """`how_many_P(..., n)`: how many decisions; `may_end`: the turn may do without."""
        return self._function("how_many", False, lambda total, _: self.w.give(total))

    def ply(self) -> Function:
        """`ply_P(g, chance, n)`: plays a random decision and gives 1; 0 if there is none."""
        name = "incremental_ply" if self.incremental else "ply"
        return self._function(name, True, self._pick)

    def _function(
        self, name: str, draws: bool, use: Callable[[Expr, list[_Part]], None]
    ) -> Function:
        w = self.w = Writer(layout=self.layout)
        if self.layout.may_end:
            w.set(at("g.scratch", TURN_ENDS), 0)
        w.set(at("g.scratch", OFFERED), 0)
        running = self.layout.running
        for course, number in running.items():
            with w.when(truth(True) if len(running) == 1 else at("g.state", REST).eq(number)):
                self._course(course, use)
        return w.function(f"{name}_{self.player}", signature("n", more=_DRAWN * draws), 0)

    def _course(self, course: Course, use: Callable[[Expr, list[_Part]], None]) -> None:
        w, alike = self.w, course in self.clashing
        parts = [self._distinct()] if alike else self._parts(options(course))
        found = self._sum(parts)
        if not alike:
            with w.when(found > limits.BRANCHES):  # listing all says where
                with w.when(at("g.state", FAULT).eq(TOO_MANY)):
                    w.set(at("g.state", FAULT), 0)
                w.give(0 * w.let(self._decisions(), "n"))
        use(found, parts)

    def _decisions(self) -> Expr:
        return self.w.call(f"decisions_{self.player}", GAME, N)

    def _distinct(self) -> _Part:
        """All decisions as rows, where some may stand there twice."""
        if self.incremental:
            raise Unsupported
        return self._listed(self._decisions())

    def _sum(self, parts: Sequence[_Part]) -> Expr:
        return self.w.let(total(part.count for part in parts), "n")

    def _pick(self, found: Expr, parts: list[_Part]) -> None:
        w = self.w
        with w.when(found.eq(0)):
            w.give(0)
        if not parts:
            return
        half = w.call("random_half", (CHANCE,))
        k = w.var(op("shift_right", op("wrap_mul", half, found), 32), "k")
        for part in parts[:-1]:
            with w.when(k < part.count):
                part.play(k)
                w.give(1)
            w.set(k, k - part.count)
        parts[-1].play(k)
        w.give(1)

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
                self.w.set(at("g.scratch", TURN_ENDS), 1)
        return []

    def _else(self, first: list[_Part], second: Sequence[Option]) -> list[_Part]:
        """The second options have no decisions while the first have some."""
        w, before = self.w, self._sum(first)
        place, known = len(w.body), len(w.locals)
        with w.when(before.eq(0)):
            found = self._parts(second)
            names = [w.var(part.count, "n") for part in found]
        new = list(w.locals)[known:]  # they have values where nothing is played, too
        w.body[place:place] = [Set(name, as_expr(0)) for name in new if w.locals[name] == INT]
        return [*first, *(_Part(n, q.play) for n, q in zip(names, found, strict=True))]

    def _none(self, rest: Course) -> _Part:
        def play(_: Expr) -> None:
            self._remember()
            self.w.set(at("g.state", FRESH), 0)
            self._after(rest, simple=True)

        return _Part(as_expr(1), play)

    def _remember(self) -> None:
        """Note whether the sides were swapped before the decision."""
        self.w.locals["swapped"] = INT
        self.w.set(_SWAPPED, at("g.state", SWAPPED))

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
        name, left = f"moves_{number}_{self.player}", self.layout.courses[rest]
        return self._listed(self.w.call(name, GAME, N, left))

    def _listed(self, call: Expr) -> _Part:
        """The rows that a kernel adds."""
        w, first = self.w, self.w.var(N, "n")
        w.set(N, call)

        def play(k: Expr) -> None:
            w.do("play", GAME, (first + k) * self.layout.row, N)

        return _Part(w.let(N - first, "n"), play)

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

        def play(k: Expr) -> None:
            v.frame = pick(k)
            self._effects(number, v, rest)

        return _Part(count, play)

    def _effects(self, number: int, v: Values, rest: Course) -> None:
        w, move = self.w, self.layout.rules.moves[number]
        simple = not _turns_odd(move, self.layout.rules) and rest == EMPTY
        self._remember()
        w.set(at("g.state", REST), self.layout.courses[rest])
        w.set(at("g.state", FRESH), 0)
        writer = MoveWriter(self.layout, number, self.player)
        met = writer.write_effects(v, self.incremental)
        if self.incremental:
            self._incremental_ends(v, self.incremental, met)
        else:
            w.set(at("g.state", RESULT), w.call(f"ends_{self.player}", GAME))
        with w.when(at("g.state", RESULT).eq(RUNNING)):
            self._after(rest, simple)

    def _incremental_ends(self, v: Values, incremental: Incremental, met: dict[int, Expr]) -> None:
        """The end rules in order, those that are kept up to date at the last piece only."""
        tested = [end for end in self.layout.rules.ends if not end.stuck]
        for number, end in enumerate(tested):
            test = incremental.condition(number, self.player, met)
            with self.w.when(at("g.state", RESULT).eq(RUNNING)):
                v.frame = {}
                with self.w.when(v.truth(end.condition) if test is None else test):
                    self.w.set(at("g.state", RESULT), verdict(v, end, self.player))

    def _after(self, rest: Course, simple: bool) -> None:
        """What follows a decision that has not ended the game."""
        w = self.w
        if simple and rest == EMPTY and not self._next_turn_is_long():
            w.set(at("g.state", PLY), at("g.state", PLY) + 1)
            w.set(at("g.state", MOVER), 1 - self.player)
            w.set(at("g.state", FRESH), 1)
            w.set(at("g.state", REST), self.layout.courses[self.layout.rules.course])
            return
        w.set(at("g.state", REST), self.layout.courses[rest])
        w.do("go_on", GAME, _SWAPPED, N)

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


def verdict(v: Values, end: r.End, player: int) -> Expr:
    """The result that an end rule gives when its condition holds."""
    if end.score is None:
        return as_expr({"win": player, "lose": 1 - player, "draw": DRAWN}[end.verdict])
    score = v.number(end.score)
    return choice(score.eq(0), DRAWN, choice(score > 0, player, 1 - player))


def incremental_kernels(layout: StateLayout, clashing: Collection[Course]) -> list[Function]:
    """`incremental_ply`, `begin_incremental`; for most games that nothing is kept up to date."""
    mark = layout.mark()
    try:
        incremental = Incremental(layout)
        plies = [PlyWriter(layout, player, clashing, incremental).ply() for player in (0, 1)]
    except Unsupported:
        layout.undo(mark)
        layout.note("random games", "test ends on the whole board")
        never = Writer(layout=layout).function("begin_incremental", signature(), 0)
        return [never, _dispatched(layout, "ply")]
    for number, form in enumerate(incremental.ends[0]):
        if form is not None:
            layout.note(f"random games, end rule {number + 1}", form.reason)
    return [*plies, incremental.begin(), _dispatched(layout, "incremental_ply")]


def _dispatched(layout: StateLayout, name: str) -> Function:
    """`incremental_ply`: the kernel of that name for whoever is at move."""
    w, given = Writer(layout=layout), (GAME, (CHANCE,), N)
    with w.when(at("g.state", MOVER).eq(0)):
        w.give(w.call(f"{name}_0", *given))
    return w.function("incremental_ply", signature("n", more=_DRAWN), w.call(f"{name}_1", *given))


def go_on(layout: StateLayout) -> Function:
    """`go_on`: what follows a decision that has not ended the game, up to the next one."""
    w, top = Writer(layout=layout), Local("top", INT)
    if layout.rules.looks_back:
        w.do("push", GAME)
    with w.when(at("g.state", SWAPPED).ne(_SWAPPED)):
        w.set(at("g.state", MOVER), 1 - at("g.state", MOVER))
    with w.when(at("g.state", REST).eq(layout.courses.get(EMPTY, -1))):
        w.do("next_turn", GAME)
        w.give()
    for course, number in layout.running.items():
        if may_end(course):
            with w.when(at("g.state", REST).eq(number)):
                none = w.call("decisions", GAME, top).eq(top)
                with w.when(none & at("g.scratch", TURN_ENDS).eq(1)):
                    w.do("next_turn", GAME)
                w.give()
    return w.function("go_on", signature("swapped", "top", gives=NOTHING))
