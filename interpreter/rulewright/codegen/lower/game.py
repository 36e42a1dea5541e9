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
from copy import copy
from inspect import get_annotations
from random import Random

from attrs import evolve, frozen

from rulewright.codegen.backend import Linked
from rulewright.codegen.ir.types import Signature
from rulewright.codegen.layout import (
    CONSTANTS,
    DECISIONS,
    MARGIN,
    PLY,
    RUNNING,
    STUCK,
    TOO_MANY,
    Emitted,
    StateLayout,
    Unsupported,
    key_words,
    state_words,
)
from rulewright.codegen.lower.definitions import GENERAL
from rulewright.codegen.lower.deltas import EXACT, guard
from rulewright.codegen.lower.evaluators import FORMS, EvaluatorValues, JudgedMove, Shared
from rulewright.codegen.lower.moves import MoveWriter
from rulewright.codegen.lower.playouts import PlyWriter, go_on, incremental_kernels, verdict
from rulewright.codegen.lower.values import Values
from rulewright.codegen.lower.writer import Writer
from rulewright.codegen.passes.duplicates import (
    Duplicates,
    Instead,
    Offer,
    Option,
    TurnEnds,
    distinct,
    options,
    row_length,
)
from rulewright.codegen.passes.normalize import inline_lets
from rulewright.codegen.runtime import EVERY_GAME, Game
from rulewright.language import limits
from rulewright.model import evaluation as ev
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.expressions import MOVER, Apply, Expr, Type
from rulewright.model.rules import EMPTY, Course, Rules
from rulewright.model.walk import nodes, reached
from rulewright.reference.evaluation import chosen_slots
from rulewright.reference.play import Play

_SMALL = ("mover", "swapped", "again", "fresh")
"""Words that are 0 or 1; they share one word with the rest of the turn."""


def key_offsets(layout: StateLayout) -> list[int]:
    """The words of a position that determine its future, without those that are mixed into one."""
    found = list(range(layout.owned, layout.links + layout.link_words))
    for index, state in enumerate(layout.rules.states):
        size = (layout.words if state.type is Type.SITES else 1) * (2 if state.each else 1)
        found += [layout.states[index] + i for i in range(size)]
    return found + [PLY] * reads_ply(layout.rules)


def reads_ply(rules: Rules) -> bool:
    """Whether the number of finished turns changes what may be played, or who wins."""
    parts = (rules.functions, rules.actions, rules.moves, rules.ends)
    return any(isinstance(n, Apply) and n.operation == "ply" for n in nodes(parts))


def _key_text(layout: StateLayout) -> str:
    """The kernel: every word is mixed on its own by two products, the sum of all once more."""
    chance = Random(0x5EED)
    turn = " | ".join(f"state.{name} << {i}" for i, name in enumerate(_SMALL))
    lines = ["def position_key(state: State) -> i64:"]
    values = [
        f"{turn} | state.rest << {len(_SMALL)}",
        *(layout.word("state", i) for i in key_offsets(layout)),
    ]
    for number, value in enumerate(values):
        first, second, third = (_odd(chance) for _ in range(3))
        mixed = f"wrap_mul(({value}) ^ {first}, {second})"
        lines.append(f"    m = {mixed}")
        product = f"wrap_mul(m ^ shift_right(m, 32), {third})"
        lines.append(f"    h = {product}" if number == 0 else f"    h = wrap_add(h, {product})")
    lines.append(f"    h = wrap_mul(h ^ shift_right(h, 29), {_odd(chance)})")
    return "\n".join([*lines, "    return shift_right(h ^ shift_right(h, 32), 2)"])


def _odd(chance: Random) -> int:
    return chance.getrandbits(62) | 1


def lower_game(play: Play) -> Emitted:
    """The kernels of a game; raises `Unsupported` with the reason when they cannot hold it."""
    rules = inline_lets(play.rules)
    layout = StateLayout(rules, play.links[0] if play.links else None)
    _check(rules)
    layout.row = row_length(layout)
    duplicates = Duplicates.of(layout)
    parts = [f'"""Kernels of {rules.name}."""\n\n{_constants(layout)}\n\n\n{layout.records()}']
    clashing = [course for course in layout.courses if duplicates.clash(course)]
    if clashing:
        parts.append(duplicates.text(layout))
    for player in (0, 1):
        for number in range(len(rules.moves)):
            writer = MoveWriter(layout, number, player)
            parts.append("\n".join(writer.all_decisions()))
            parts.append("\n".join(writer.effects()))
        parts.append(_decisions(layout, player, clashing))
        parts.append(_ends(layout, player, stuck=False))
        parts.append(_ends(layout, player, stuck=True))
        plies = PlyWriter(layout, player, clashing)
        parts += [plies.ply(), plies.count()]
    parts += incremental_kernels(layout, clashing)
    parts += [_dispatch(layout), _note_past(layout, key_words(layout)), _next_turn(layout, play)]
    parts += [go_on(layout), _key_text(layout), EVERY_GAME]
    parts[1:1] = layout.kernels
    if layout.kernels:
        layout.note("definitions and actions", f"{len(layout.kernels)} are kernels of their own")
    return Emitted("\n\n\n".join(parts) + "\n", layout)


def _constants(layout: StateLayout) -> str:
    """Numbers of the game for the kernels that are the same for every game."""
    values = (
        layout.size, layout.row, DECISIONS - 3 * MARGIN, RUNNING, STUCK, TOO_MANY, limits.KEPT,
        len(key_words(layout)), layout.links + layout.link_words - layout.owned, layout.rules.turn,
    )  # fmt: skip
    return "\n".join(f"{name} = {value}" for name, value in zip(CONSTANTS, values, strict=True))


def _check(rules: r.Rules) -> None:
    """Refuse what the general form does not do as the reference does."""
    if any(s.type is Type.REAL for s in rules.states):
        raise Unsupported("a state that is not a whole number")


# --- decisions of a position ---


def _decisions(layout: StateLayout, player: int, clashing: Collection[Course]) -> str:
    w = Writer(layout)
    if layout.may_end:
        w.put("g.scratch.may_end = 0")
    w.put("g.scratch.listed = 0")
    w.put("g.scratch.dropped = 0")
    w.put("first = n")
    for course, number in layout.running.items():
        with w.block(f"if g.state.rest == {number}:"):
            _write(w, player, options(course))
            if course in clashing:
                w.put("kept = distinct(g.rows, g.tables, first, n)")
                w.put("g.scratch.dropped = g.scratch.dropped + n - kept")
                w.put("n = kept")
            w.put("return n")
    head = f"def decisions_{player}(g: Game, n: i64) -> i64:"
    return "\n".join([head, *w.lines, "    return n"])


def _write(w: Writer, player: int, found: Sequence[Option]) -> None:
    """Rows for every decision that options offer; `may_end`: the turn may."""
    layout = w.layout
    for option in found:
        match option:
            case Offer(move=None, rest=rest):
                w.put(f"g.rows[n * {layout.row}] = -1")
                w.put(f"g.rows[n * {layout.row} + 1] = {layout.courses[rest]}")
                w.put("n = n + 1")
            case Offer(move=move, rest=rest):
                w.put(f"n = moves_{move}_{player}(g, n, {layout.courses[rest]})")
            case Instead(first=first, second=second):
                before, ends = w.fresh("n"), w.fresh("b")
                w.put(f"{before} = n")
                w.put(f"{ends} = g.scratch.may_end")
                _write(w, player, first)
                with w.block(f"if n == {before}:"):
                    w.put(f"g.scratch.may_end = {ends}")  # it is for the second part to say
                    _write(w, player, second)
            case TurnEnds() if layout.may_end:
                w.put("g.scratch.may_end = 1")


# --- ends ---


def _ends(layout: StateLayout, player: int, stuck: bool) -> str:
    w = Writer(layout)
    values = Values(GENERAL, layout, w, player, player, stuck=stuck)
    for end in layout.rules.ends:
        if end.stuck is stuck:
            values.frame = {}
            with w.block(f"if {values.truth(end.condition)}:"):
                w.put(f"g.scratch.ended = {end.origin}")
                w.put(f"return {verdict(values, end, player)}")
    name = "stuck" if stuck else "ends"
    head = f"def {name}_{player}(g: Game) -> i64:"
    return "\n".join([head, *w.lines, f"    return {RUNNING}"])


# --- what is the same for both players ---


def _dispatch(layout: StateLayout) -> str:
    """`decisions`, `ends` and `stuck` for whoever is at move, and the effects of a row."""
    parts = []
    for name, more, given in (
        ("decisions", ", n: i64", ", n"), ("how_many", ", n: i64", ", n"), ("ends", "", ""),
        ("stuck", "", ""), ("ply", ", chance: Chance, n: i64", ", chance, n"),
    ):  # fmt: skip
        passed = f"g{given}"
        parts.append(
            f"def {name}(g: Game{more}) -> i64:\n"
            f"    if g.state.mover == 0:\n"
            f"        return {name}_0({passed})\n"
            f"    return {name}_1({passed})"
        )
    lines = ["def effects(g: Game, at: i64) -> None:"]
    for player in (0, 1):
        for number in range(len(layout.rules.moves)):
            lines.append(f"    if g.state.mover == {player} and g.rows[at] == {number}:")
            lines.append(f"        do_{number}_{player}(g, at)")
            lines.append("        return")
    parts.append("\n".join([*lines, "    return"]))
    return "\n\n\n".join(parts)


def _note_past(layout: StateLayout, words: Sequence[tuple[int, bool]]) -> str:
    """`note_past` writes down what `repeats` compares, behind the earlier positions."""
    over = layout.courses.get(EMPTY, -1)
    lines = ["def note_past(g: Game) -> None:", "    at = g.state.past * KEY"]
    for i, (offset, hidden) in enumerate(words):
        word = layout.word("g.state", offset)
        value = f"0 if g.state.rest == {over} else {word}" if hidden else word
        lines.append(f"    g.past[at + {i}] = {value}")
    return "\n".join([*lines, "    return"])


def _next_turn(layout: StateLayout, play: Play) -> str:
    """The turn ends: the other player, states back to their first values."""
    lines = [
        "def next_turn(g: Game) -> None:",
        "    g.state.ply = g.state.ply + 1",
        "    if g.state.again == 0:",
        "        g.state.mover = 1 - g.state.mover",
        "    g.state.again = 0",
        "    g.state.fresh = 1",
        f"    g.state.rest = {layout.courses[layout.rules.course]}",
    ]
    for index, (state, values) in enumerate(
        zip(layout.rules.states, play.first.states, strict=True)
    ):
        if state.within_turn:
            for offset, word in state_words(layout, index, values):
                lines.append(f"    {layout.word('g.state', offset)} = {word}")
    return "\n".join([*lines, "    return"])


_FLAT = (*((f"g.{name}", "ints") for name in get_annotations(Game)), ("n", "i64"))
_COUNTING = {"how_many": Signature((("g", "Game"), ("n", "i64")), "i64", _FLAT)}
"""What an evaluator may call of its game."""


def lower_value(layout: StateLayout, evaluator: ev.Evaluator, value: ev.ValueOf) -> Linked:
    """The module of a value; its tables are added to those of *layout*."""
    module = _Module(_own_plan(layout, evaluator), evaluator, value)
    head = f'"""Value {value.name} of {evaluator.name}."""\n\n\n{layout.records()}'
    parts = [head, *module.texts()]
    layout.scratch_size = module.layout.scratch_size
    parts[1:1] = module.layout.kernels
    return Linked("\n\n\n".join(parts) + "\n", _COUNTING)


def draws_chance(kernels: Linked) -> bool:
    """Whether a value asks for `random`."""
    return "g.scratch.chance = " in kernels.text


def _own_plan(layout: StateLayout, evaluator: ev.Evaluator) -> StateLayout:
    """The same places and tables, but definitions of the evaluator and kernels of its own."""
    inner = copy(layout)
    inner.rules = evolve(layout.rules, functions=evaluator.functions)
    inner.shared, inner.kernels, inner.sizes, inner.notes = {}, [], {}, {}
    return inner


@frozen
class _Case:
    """Who decides, and which move is judged (None: a position is)."""

    mover: int
    move: int | None

    def name(self, part: int) -> str:
        """The kernel of one part."""
        return f"part{part}_{'p' if self.move is None else self.move}_{self.mover}"

    @property
    def test(self) -> str:
        """When this case is the present one."""
        who = f"g.state.mover == {self.mover}"
        return who if self.move is None else f"{who} and g.rows[at] == {self.move}"


@frozen
class _Module:
    """The kernels of one value."""

    layout: StateLayout
    evaluator: ev.Evaluator
    value: ev.ValueOf

    def texts(self) -> Iterator[str]:
        """One text for each kernel."""
        cases = [_Case(who, n) for who in (0, 1) for n in self.value.moves or (None,)]
        shared = (Shared(), Shared())
        for case in cases:
            yield from self._parts(case, shared[case.mover])
        yield self._all_parts(cases)
        if not self.value.of_move:
            if len(self.value.parts) == 1:
                yield self._first(cases, "value", "")
            return
        yield self._first(cases, "worth", ", at: i64")
        yield from self._looks(shared)
        known = " or ".join(f"rows[at] == {n}" for n in self.value.moves)
        yield f"def judges(rows: ints, at: i64) -> i64:\n    return 1 if {known} else 0"

    def _judging(self, mover: int, judged: JudgedMove | None = None) -> EvaluatorValues:
        view = mover if self.value.player == MOVER else self.value.player
        writer = Writer(self.layout)
        return EvaluatorValues(
            FORMS, self.layout, writer, view, mover, evaluator=self.evaluator, judged=judged
        )

    def _parts(self, case: _Case, shared: Shared) -> Iterator[str]:
        for number, part in enumerate(self.value.parts):
            v = self._judging(case.mover)
            if case.move is not None:
                v.judged = self._judged(v, case.move, part, shared)
                v.w.books = [v.judged.changes, shared.before, shared.guards]
            found = v.number(part)
            gives = "f64" if part.type is Type.REAL else "i64"
            head = f"def {case.name(number)}(g: Game, factors: floats, at: i64) -> {gives}:"
            yield "\n".join([head, *v.w.lines, f"    return {found}"])

    def _judged(self, v: EvaluatorValues, number: int, part: Expr, shared: Shared) -> JudgedMove:
        move = self.layout.rules.moves[number]
        if not distinct(move, self.layout.rules):
            raise Unsupported(f"different choices of `{move.name}` can be the same decision")
        by_slot = MoveWriter(self.layout, number, v.mover).choices(v)
        by_name = {name: by_slot[slot] for name, slot in chosen_slots(move)}
        asked = (
            n.body for n in reached(part, self.layout.rules.functions) if isinstance(n, m.Change)
        )
        bodies = tuple(dict.fromkeys(asked))
        return JudgedMove(number, by_name, by_slot, shared, bodies)

    def _all_parts(self, cases: Sequence[_Case]) -> str:
        lines = ["def parts(g: Game, factors: floats, parts: ints, at: i64) -> None:"]
        for case in cases:
            lines.append(f"    if {case.test}:")
            for number, part in enumerate(self.value.parts):
                call = f"{case.name(number)}(g, factors, at)"
                bits = f"float_bits({call})" if part.type is Type.REAL else call
                lines.append(f"        parts[{number}] = {bits}")
            lines.append("        return")
        return "\n".join([*lines, "    return"])

    def _first(self, cases: Sequence[_Case], name: str, more: str) -> str:
        """The first part as a float, bigger for the first colour."""
        whole = self.value.parts[0].type is not Type.REAL
        lines = [f"def {name}(g: Game, factors: floats{more}) -> f64:"]
        for case in cases:
            view = case.mover if self.value.player == MOVER else self.value.player
            r, most = f"r{case.mover}", EXACT
            lines.append(f"    if {case.test}:")
            lines.append(f"        {r} = {case.name(0)}(g, factors, {'at' if more else '0'})")
            if whole:
                lines.append(f"        if {r} > {most} or {r} < -{most}:")
                lines.append("            g.scratch.rounded = 1")
            lines.append(f"        return {'-' * view}{f'real({r})' if whole else r}")
        return "\n".join([*lines, "    return 0.0"])

    def _looks(self, shared: Sequence[Shared]) -> Iterator[str]:
        """What all decisions of a position share, worked out once."""
        for mover, known in enumerate(shared):
            v = self._judging(mover)
            for (view, e), place in known.before.items():
                v.view, v.frame = view, {}
                found = v.number(e)
                bits = f"float_bits({found})" if e.type is Type.REAL else found
                v.w.put(f"g.scratch[{place}] = {bits}")
            for (view, _), form in known.guards.items():
                v.view, v.frame = view, {}
                guard(v, form)
            yield "\n".join(
                [f"def look_{mover}(g: Game, factors: floats) -> None:", *v.w.lines, "    return"]
            )
        lines = ["def look(g: Game, factors: floats) -> None:", "    if g.state.mover == 0:"]
        lines += ["        look_0(g, factors)", "        return", "    look_1(g, factors)"]
        yield "\n".join([*lines, "    return"])
