"""The modules of kernels: a game's, and those of an evaluator's values.

`lower_game` takes rules and gives `Emitted`: decisions, effects and ends, the hash of a position,
perft and random games.  Every kernel takes `g`, the game's arrays.

`lower_value` takes an evaluator and one of its values and gives a module, `Linked`:

- `parts(g, factors, parts, at)` writes all parts of the value, for the player it is said for.
- `value(g, factors)`, for values of positions with one part, is bigger for the first colour.
- For values of moves `worth(g, factors, at)` is the first part, bigger for the first colour, of the
  decision in the row at word `at`, and `judges(rows, at)` whether that decision is judged.
  `look(g, factors)` has to be called first in every position: it works out what decisions share.

A part that is not whole is written as its 64 bits.  A whole number that a float cannot hold sets
`g.scratch.rounded`, and the reference decides.  Refuses (`Unsupported`) moves whose decisions can
be the same decision though something else was chosen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from functools import cache, partial, reduce
from operator import or_

from rulewright.compiler.backend import Linked
from rulewright.compiler.earlier import EarlierRow
from rulewright.compiler.faults import STUCK, TOO_MANY
from rulewright.compiler.ir.nodes import Array, Const, Expr, Function, Module, choice, op, truth
from rulewright.compiler.ir.parse import read_into, tree_of
from rulewright.compiler.ir.types import FLOAT, FLOATS, INT, INTS, NOTHING, Signature
from rulewright.compiler.layout import (
    CONSTANTS,
    DECISIONS,
    MARGIN,
    RUNNING,
    Emitted,
    SharedCaches,
    StateLayout,
    Unsupported,
    state_words,
)
from rulewright.compiler.lower.definitions import GENERAL
from rulewright.compiler.lower.deltas import EXACT, JudgedChoice, SharedValues, guard
from rulewright.compiler.lower.evaluators import FORMS, EvaluatorValues
from rulewright.compiler.lower.keys import position_key, result_key, wrapping_sum
from rulewright.compiler.lower.longest import (
    kernel_of,
    longest_kernels,
    longest_text,
    search_words,
)
from rulewright.compiler.lower.lots import LOT
from rulewright.compiler.lower.moves import AT, MoveWriter, N
from rulewright.compiler.lower.picks import is_product
from rulewright.compiler.lower.playouts import CHANCE_PARAM, PlyWriter, incremental_kernels
from rulewright.compiler.lower.trying import (
    KEYED_BEFORE,
    WRITTEN_BEFORE,
    go_on,
    go_on_past_stuck,
    leaves_needs,
    legal_row,
    outranking_kernel,
)
from rulewright.compiler.lower.turn_ends import end_turn, turn_is_over
from rulewright.compiler.lower.turn_finishing import (
    finishing_kernels,
    finishing_text,
    finishing_words,
    keep_finished,
)
from rulewright.compiler.lower.values import Values
from rulewright.compiler.lower.verdicts import counting_first_places, pass_on, verdict
from rulewright.compiler.lower.writer import (
    GAME,
    SCRATCH,
    STATE,
    Writer,
    at,
    by_mover,
    each_decider,
    signature,
)
from rulewright.compiler.passes.decision_rows import DISTINCT, Duplicates, distinct, row_length
from rulewright.compiler.passes.lets import inline_lets
from rulewright.compiler.passes.notations import shown_slots
from rulewright.compiler.passes.offers import Instead, Offer, Option, TurnEnds, Within, options
from rulewright.compiler.passes.structures import UNION_FIND
from rulewright.compiler.piles import PILES
from rulewright.compiler.runtime import game_text
from rulewright.ground import limits
from rulewright.ground.records import Record, record
from rulewright.model import evaluation as ev
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import MOVER as WHOEVER
from rulewright.model.expressions import Type
from rulewright.model.rules import EMPTY, Course
from rulewright.model.walk import reachable_nodes
from rulewright.reference.evaluation import chosen_slots
from rulewright.reference.play import ReferencePlay

_tree = cache(tree_of)
"""Python's tree of a text that many games share: there are few of these, and parsing takes 2 ms."""


def lower_game(play: ReferencePlay) -> Emitted:
    """Lower a game to kernels; raises `Unsupported` with the reason when they cannot hold it."""
    rules = inline_lets(play.rules)
    layout = StateLayout(rules, play.links[0] if play.links else None)
    _check(rules)
    layout.row = row_length(layout)
    ways = search_words(layout) + finishing_words(layout)
    layout.search = layout.scratch(ways) if ways else 0
    duplicates = Duplicates.of(layout)
    clashing = [course for course in layout.courses if duplicates.clash(course)]
    duplicates.note_comparisons(layout, bool(clashing))
    kernels: list[Function] = []
    for player in rules.views:
        for number in range(len(rules.moves)):
            writer = MoveWriter(layout, number, player)
            kernels += [writer.all_decisions(), writer.effects()]
            if writer.tries or is_product(rules.moves[number], rules):
                kernels.append(MoveWriter(layout, number, player).trial())
        kernels.append(_decisions(layout, player, clashing, duplicates))
        kernels += [_ends(layout, player, stuck=False), _ends(layout, player, stuck=True)]
        kernels += [_claims(layout, player)] * bool(layout.claimable)
        plies = PlyWriter(layout, player, clashing)
        kernels += [plies.ply(), plies.count()]
    kernels += longest_kernels(layout, _write) + finishing_kernels(layout)
    kernels += incremental_kernels(layout, clashing)
    kernels += [*_dispatch(layout), *_past(layout), _next_turn(layout, play)]
    if rules.stuck_above:
        kernels.append(outranking_kernel(layout))
    if layout.over:
        kernels.append(end_turn(layout))
    kernels += [go_on_past_stuck(layout)] * bool(layout.out)
    kernels += [go_on(layout), position_key(layout), result_key(layout)]
    if layout.kernels:
        layout.note("definitions and actions", f"{len(layout.kernels)} are kernels of their own")
    module = module_of(layout, {})
    module.add(layout.kernels)
    if clashing:
        module.add([duplicates.same_decision(layout)])
    tries_needs = any(leaves_needs(move, rules) for move in rules.moves)
    if tries_needs:
        module.add([legal_row(layout)])
    module.add(kernels)
    texts = (DISTINCT + WRITTEN_BEFORE * tries_needs) * bool(clashing) + KEYED_BEFORE * tries_needs
    piles = PILES * bool(rules.board.stacked) + LOT * rules.has_chance
    text = piles + UNION_FIND + texts + longest_text(layout) + finishing_text(layout)
    text += game_text(bool(rules.stuck_above), bool(layout.over), rules.looks_back)
    text = counting_first_places(text) if rules.has_several else text
    read_into(module, _tree(text).body)
    layout.budget = limits.PLAYERS  # theirs are counted for themselves
    return Emitted.of(module, layout)


def module_of(layout: StateLayout, outside: dict[str, Signature]) -> Module:
    """Make a module without kernels, with the constants and records of a game."""
    bases = {name: place for place, name in layout.bases.items()}
    before = {name: s for linked in layout.needs for name, s in linked.module.signatures.items()}
    return Module({}, bases | _constants(layout), layout.types(), before | outside)


def _constants(layout: StateLayout) -> dict[str, int]:
    """Return the constants of a game, by name, for the kernels that all games share."""
    values = (
        layout.size, layout.row, DECISIONS - 3 * MARGIN, RUNNING, STUCK, TOO_MANY, limits.KEPT,
        len(EarlierRow.of(layout)), layout.rules.turn,
    )  # fmt: skip
    of_piles = layout.piles.constants(layout.owned, layout.words)
    return dict(zip(CONSTANTS, values, strict=True)) | of_piles


def _check(rules: r.Rules) -> None:
    """Raise `Unsupported` for rules that the general form does not play as the reference does."""
    if any(s.type is Type.REAL for s in rules.states):
        raise Unsupported("a state that is not a whole number")
    if len(rules.ends) > limits.ENDS:  # some ask for those above them: work grows by the square
        raise Unsupported(f"more than {limits.ENDS} ends")


# --- decisions of a position ---


def _decisions(
    layout: StateLayout, player: int, clashing: Collection[Course], duplicates: Duplicates
) -> Function:
    w = Writer(layout=layout)
    if layout.may_end:
        w.set(SCRATCH.may_end, 0)
    w.set(SCRATCH.listed, 0)
    w.set(SCRATCH.dropped, 0)
    first = w.var(N, "n")
    for course, number in layout.running.items():
        with w.when(STATE.rest.eq(number)):
            _write(w, player, options(course))
            if course in clashing:
                partners = duplicates.partners(layout)
                rows, tables = GAME[2], GAME[1]
                count = w.let(w.call("distinct", (rows, tables), partners, first, N), "n")
                w.set(SCRATCH.dropped, SCRATCH.dropped + N - count)
                w.set(N, count)
            w.give(N)
    return w.function(f"decisions_{player}", signature("n"), N)


def _write(w: Writer, player: int, offers: Sequence[Option]) -> None:
    """Write rows for every decision that options offer, and `may_end` if the turn may end."""
    layout, may_end = w.layout, SCRATCH.may_end
    closes = layout.rules.closing is not None
    for option in offers:
        match option:
            case Offer(move=None, tail=rest):
                first = w.var(N, "n") if closes else N
                w.set(at("g.rows", N * layout.row), -1)
                w.set(at("g.rows", N * layout.row + 1), layout.courses[rest])
                for i in range(2, layout.row):
                    w.set(at("g.rows", N * layout.row + i), 0)
                w.set(N, N + 1)
                keep_finished(w, first, N, rest)
            case Offer(move=move, tail=rest):
                first = w.var(N, "n") if closes else N
                w.set(N, w.call(f"moves_{move}_{player}", GAME, N, layout.courses[rest]))
                keep_finished(w, first, N, rest)
            case Instead(first=first, second=second):
                start, ends = w.var(N, "n"), w.var(may_end, "b")
                _write(w, player, first)
                with w.when(N.eq(start)):
                    w.set(may_end, ends)  # it is for the second part to say
                    _write(w, player, second)
            case Within():
                w.set(N, w.call(kernel_of(option, layout, player), GAME, N))
            case TurnEnds() if layout.may_end:
                w.set(may_end, 1)


# --- ends ---


def _ends(layout: StateLayout, player: int, stuck: bool) -> Function:
    w = Writer(layout=layout)
    values = Values(GENERAL, layout, w, player, player, stuck=stuck)
    if layout.claimable and not stuck:
        w.set(at("g.state", layout.claimable), 0)
    for end in layout.rules.ends:
        if end.stuck is stuck and end.verdict != "claim":
            values.frame = {}
            with ExitStack() as blocks:
                if end.after_turn:
                    blocks.enter_context(w.when(turn_is_over(layout).ne(0)))
                blocks.enter_context(w.when(values.truth(end.condition)))
                w.set(SCRATCH.ended, end.origin)
                w.give(verdict(values, end, player))
    return w.function(f"{'stuck' if stuck else 'ends'}_{player}", signature(), RUNNING)


def _claims(layout: StateLayout, player: int) -> Function:
    w = Writer(layout=layout)
    values = Values(GENERAL, layout, w, player, player)
    for end in layout.rules.claimable_ends:
        values.frame = {}
        with w.when(values.truth(end.condition)):
            w.give(1)
    return w.function(f"claims_{player}", signature(), 0)


# --- what is the same for both players ---

_FOR_MOVER = {
    "decisions": signature("n"), "how_many": signature("n"), "ends": signature(),
    "stuck": signature(), "ply": signature("n", more=CHANCE_PARAM), "claims": signature(),
}  # fmt: skip


def _dispatch(layout: StateLayout) -> Iterator[Function]:
    """Write the kernels that choose by who is to move, and `effects`, by the move of a row."""
    for name, takes in _FOR_MOVER.items():
        if name != "claims" or layout.claimable:
            yield by_mover(layout, name, takes)
    w = Writer(layout=layout)
    for player, number in each_decider(w, range(len(layout.rules.moves))):
        w.do(f"do_{number}_{player}", GAME, AT)
        w.give()
    yield w.function("effects", signature("at", gives=NOTHING))


def _past(layout: StateLayout) -> Iterator[Function]:
    """Write `note_past`, where rules look back: the row of the position goes behind the earlier."""
    if not layout.rules.looks_back:
        return
    w, row = Writer(layout=layout), EarlierRow.of(layout)
    start = w.let(STATE.past * Const(len(row), INT, "KEY"), "k")
    words = [w.let(_kept_word(layout, *word), "w") for word in row.words]
    if row.factors:
        words.insert(0, wrapping_sum(w, map(partial(op, "wrap_mul"), words, row.factors)))
    for i, word in enumerate(words):
        w.set(at("g.past", start + i), word)
    yield w.function("note_past", signature(gives=NOTHING))


def _kept_word(layout: StateLayout, offset: int, hidden: bool) -> Expr:
    """Write a word of the position as it is kept: 0 where it only counts while the turn goes on."""
    word = at("g.state", offset)
    return choice(STATE.rest.eq(layout.courses.get(EMPTY, -1)), 0, word) if hidden else word


def _next_turn(layout: StateLayout, play: ReferencePlay) -> Function:
    """Write `next_turn`: the next player, and first values of states `within turn`."""
    w = Writer(layout=layout)
    w.set(STATE.ply, STATE.ply + 1)
    if not layout.rules.is_puzzle:
        with w.when(STATE.again.eq(0)):
            pass_on(w)
    w.set(STATE.again, 0)
    w.set(STATE.fresh, 1)
    w.set(STATE.rest, layout.courses[layout.rules.course])
    for index, (state, values) in enumerate(
        zip(layout.rules.states, play.first.states, strict=True)
    ):
        if state.within_turn:
            for offset, word in state_words(layout, index, values):
                w.set(at("g.state", offset), word)
    return w.function("next_turn", signature(gives=NOTHING))


_COUNTING = {"how_many": signature("n")}
"""Kernels of its game that an evaluator may call."""


def lower_value(layout: StateLayout, evaluator: ev.Evaluator, value: ev.ValueOf) -> Linked:
    """Lower a value of an evaluator; its tables are added to those of *layout*."""
    inner, kernels = _kernels_of(layout, evaluator, value)
    module = module_of(layout, _COUNTING)
    module.add([*inner.kernels, *kernels])
    return Linked.of(module, layout.needs)


def lower_first_value(
    layout: StateLayout, evaluator: ev.Evaluator, value: ev.ValueOf
) -> tuple[Linked, SharedCaches]:
    """Lower a value, its caches in a module of their own that modules lowered later may call."""
    inner, kernels = _kernels_of(layout, evaluator, value)
    module = module_of(layout, _COUNTING)
    module.add(inner.kernels)
    linked = Linked.of(module, layout.needs)
    layout.shared_caches = SharedCaches(evaluator.functions, inner.caches, linked)
    own = module_of(layout, _COUNTING)
    own.add([*(kernel for kernel in inner.kernels if not kernel.apart), *kernels])
    return Linked.of(own, layout.needs), layout.shared_caches


def _kernels_of(
    layout: StateLayout, evaluator: ev.Evaluator, value: ev.ValueOf
) -> tuple[StateLayout, list[Function]]:
    """Lower a value to its kernels, and a layout with those of definitions."""
    lowering = _Module(layout.for_definitions(evaluator.functions), evaluator, value)
    kernels = list(lowering.functions())
    layout.scratch_size = lowering.layout.scratch_size
    return lowering.layout, kernels


FACTORS = Array("factors", FLOATS)
JUDGES = (("factors", FLOATS),)


@record
class _Case(Record):
    """The player to move, and the move that is judged (None: a position is)."""

    mover: int
    move: int | None

    def name(self, part: int) -> str:
        """Return the name of the kernel of one part."""
        return f"part{part}_{'p' if self.move is None else self.move}_{self.mover}"

    @property
    def test(self) -> Expr:
        """The condition that this is the present case."""
        is_mover = STATE.mover.eq(self.mover)
        return is_mover if self.move is None else is_mover & at("g.rows", AT).eq(self.move)


@record
class _Module(Record):
    """The kernels of one value."""

    layout: StateLayout
    evaluator: ev.Evaluator
    value: ev.ValueOf

    def functions(self) -> Iterator[Function]:
        """Write all kernels."""
        players = self.layout.rules.views
        cases = [_Case(player, n) for player in players for n in self.value.moves or (None,)]
        pool = [SharedValues() for _ in players]
        for case in cases:
            yield from self._parts(case, pool[case.mover])
        yield self._all_parts(cases)
        if not self.value.of_move:
            if len(self.value.parts) == 1:
                yield self._first_part(cases, "value")
            return
        yield self._first_part(cases, "worth", "at")
        yield from self._looks(pool)
        is_judged = reduce(or_, [at("rows", AT).eq(n) for n in self.value.moves], truth(False))
        takes = Signature((("rows", INTS), ("at", INT)), INT)
        yield Writer(layout=self.layout).function("judges", takes, choice(is_judged, 1, 0))

    def _values(self, mover: int, judged: JudgedChoice | None = None) -> EvaluatorValues:
        view = mover if self.value.player == WHOEVER else self.value.player
        writer = Writer(layout=self.layout)
        return EvaluatorValues(
            FORMS, self.layout, writer, view, mover, evaluator=self.evaluator, judged=judged
        )

    def _parts(self, case: _Case, pool: SharedValues) -> Iterator[Function]:
        for number, part in enumerate(self.value.parts):
            v = self._values(case.mover)
            if case.move is not None:
                v.judged = self._judged_choice(v, case.move, part, pool)
                v.w.books = [v.judged.changes, pool.numbers, pool.guards, pool.sets]
            else:
                v.begin()
            result = v.number(part)
            takes = signature("at", gives=result.type, more=JUDGES)
            yield v.w.function(case.name(number), takes, result)

    def _judged_choice(
        self, v: EvaluatorValues, number: int, part: m.Expr, pool: SharedValues
    ) -> JudgedChoice:
        move = self.layout.rules.moves[number]
        expressions = list(reachable_nodes(part, self.layout.rules.functions))
        bodies = tuple(dict.fromkeys(n.body for n in expressions if isinstance(n, m.Change)))
        names = {n.name for n in expressions if isinstance(n, m.ChosenValue)}
        hidden = {name for name, slot in chosen_slots(move) if slot not in shown_slots(move)}
        if (bodies or names & hidden) and not distinct(move, self.layout.rules):
            raise Unsupported(f"different choices of `{move.name}` can be the same decision")
        by_slot = MoveWriter(self.layout, number, v.mover).choices(v)
        by_name = {name: by_slot[slot] for name, slot in chosen_slots(move)}
        return JudgedChoice(number, by_name, by_slot, pool, bodies)

    def _part(self, case: _Case, number: int, place: Expr) -> Expr:
        """Call the kernel of one part."""
        real = self.value.parts[number].type is Type.REAL
        gives = FLOAT if real else INT
        return Writer.call(case.name(number), GAME, (FACTORS,), place, gives=gives)

    def _all_parts(self, cases: Sequence[_Case]) -> Function:
        w = Writer(layout=self.layout)
        for case in cases:
            with w.when(case.test):
                for number in range(len(self.value.parts)):
                    result = self._part(case, number, AT)
                    bits = op("float_bits", result) if result.type == FLOAT else result
                    w.set(at("parts", number), bits)
                w.give()
        parameters = (*JUDGES, ("parts", INTS))
        return w.function("parts", signature("at", gives=NOTHING, more=parameters))

    def _first_part(self, cases: Sequence[_Case], name: str, *numbers: str) -> Function:
        """Write the kernel of the first part: a float, bigger for the first colour."""
        w = Writer(layout=self.layout)
        for case in cases:
            view = case.mover if self.value.player == WHOEVER else self.value.player
            with w.when(case.test):
                result = w.let(self._part(case, 0, AT if numbers else Const(0, INT)), "r")
                if result.type == INT:
                    with w.when((result > EXACT) | (result < -EXACT)):
                        w.set(SCRATCH.rounded, 1)
                    result = op("real", result)
                w.give(-result if view else result)
        return w.function(name, signature(*numbers, gives=FLOAT, more=JUDGES), 0.0)

    def _looks(self, pool: Sequence[SharedValues]) -> Iterator[Function]:
        """Write the kernels that work out what all decisions of a position share."""
        takes = signature(gives=NOTHING, more=JUDGES)
        for mover, values in enumerate(pool):
            v = self._values(mover)
            for (view, e), place in values.sets.items():
                v.view, v.frame = view, {}
                v.ready[view, e] = sites = v.sites(e)
                v.w.store("g.scratch", place, sites)
            for (view, e), place in values.numbers.items():
                v.view, v.frame = view, {}
                number = v.number(e)
                bits = op("float_bits", number) if e.type is Type.REAL else number
                v.w.set(at("g.scratch", place), bits)
            for (view, _), form in values.guards.items():
                v.view, v.frame = view, {}
                guard(v, form)
            yield v.w.function(f"look_{mover}", takes)
        yield by_mover(self.layout, "look", takes)
