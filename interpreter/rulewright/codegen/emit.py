"""A game's kernels: the text of a module that knows its decisions, their effects and its ends.

In: rules.  Out: `Emitted`, the text and the plan.  Every kernel takes `g`, the game's arrays.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.codegen import plan as p
from rulewright.codegen.alike import Alike
from rulewright.codegen.choices import row_length
from rulewright.codegen.emitted import Emitted, key_words, state_words
from rulewright.codegen.forms import GENERAL
from rulewright.codegen.lets import written_out
from rulewright.codegen.moves import ARRAYS, PASSED, MoveWriter
from rulewright.codegen.plan import NoPlan, Plan
from rulewright.codegen.sample import PlyWriter, go_on, grown_kernels, verdict
from rulewright.codegen.values import Values
from rulewright.codegen.writer import Writer
from rulewright.language import limits
from rulewright.model import rules as r
from rulewright.model.expressions import Type
from rulewright.model.rules import EMPTY, Course
from rulewright.reference.courses import follow
from rulewright.reference.play import Play


def emit(play: Play) -> Emitted:
    """The kernels of a game; raises `NoPlan` with the reason when they cannot hold it."""
    rules = written_out(play.rules)
    plan = Plan(rules, play.links[0] if play.links else None)
    _check(rules)
    row = row_length(plan)
    alike = Alike.of(plan)
    parts = [f'"""Kernels of {rules.name}."""\n\n\n{plan.records()}']
    if any(alike.clash(course) for course in plan.courses):
        parts.append(alike.text(plan, row))
    for player in (0, 1):
        for number in range(len(rules.moves)):
            writer = MoveWriter(plan, number, player, row)
            parts.append("\n".join(writer.all_decisions()))
            parts.append("\n".join(writer.effects()))
        parts.append(_decisions(plan, player, row, alike))
        parts.append(_ends(plan, player, stuck=False))
        parts.append(_ends(plan, player, stuck=True))
        parts += [PlyWriter(plan, player, row).ply(), PlyWriter(plan, player, row).count()]
    parts += grown_kernels(plan, row)
    parts += [_dispatch(plan), _history(plan), _next_turn(plan, play), go_on(plan), _play(plan)]
    parts[1:1] = plan.kernels
    if plan.kernels:
        plan.note("definitions and actions", f"{len(plan.kernels)} are kernels of their own")
    return Emitted("\n\n\n".join(parts) + "\n", plan, row)


def _check(rules: r.Rules) -> None:
    """Refuse what the general form does not do as the reference does."""
    if any(s.type is Type.REAL for s in rules.states):
        raise NoPlan("a state that is not a whole number")


# --- decisions of a position ---


def _decisions(plan: Plan, player: int, row: int, alike: Alike) -> str:
    w = Writer(plan)
    if plan.may_end:
        w.put("g.scratch.may_end = 0")
    w.put("g.scratch.listed = 0")
    w.put("g.scratch.dropped = 0")
    w.put("first = n")
    for course, number in plan.running.items():
        with w.block(f"if g.state.rest == {number}:"):
            _options(w, plan, player, course, EMPTY, row)
            if alike.clash(course):
                w.put("kept = distinct(g.rows, g.tables, first, n)")
                w.put("g.scratch.dropped = g.scratch.dropped + n - kept")
                w.put("n = kept")
            w.put("return n")
    head = f"def decisions_{player}({ARRAYS}, n: i64) -> i64:"
    return "\n".join([head, *w.lines, "    return n"])


def _options(w: Writer, plan: Plan, player: int, course: Course, rest: Course, row: int) -> None:
    """Rows for every decision of *course* with *rest* to follow; `may_end`: the turn may."""

    def options(inner: Course, after: Course) -> None:
        _options(w, plan, player, inner, after, row)

    match course:
        case r.One(move):
            w.put(f"n = moves_{move}_{player}({PASSED}, n, {plan.courses[rest]})")
        case r.InOrder(()):
            if rest != EMPTY:
                options(rest, EMPTY)
            elif plan.may_end:
                w.put("g.scratch.may_end = 1")
        case r.InOrder((first, *others)):
            options(first, follow(r.InOrder(tuple(others)), rest))
        case r.Either(items):
            for item in items:
                options(item, rest)
        case r.Otherwise(first, second):
            _fallback(w, lambda: options(first, rest), lambda: options(second, rest))
        case r.Maybe(item):
            options(item, rest)
            _none(w, plan, rest, row)
        case r.While(item, free):
            tail = follow(course, rest)
            if free:
                options(item, tail)
                _none(w, plan, rest, row)
            else:
                _fallback(w, lambda: options(item, tail), lambda: options(EMPTY, rest))


def _fallback(w: Writer, first: Callable[[], None], second: Callable[[], None]) -> None:
    before, ends = w.fresh("n"), w.fresh("b")
    w.put(f"{before} = n")
    w.put(f"{ends} = g.scratch.may_end")
    first()
    with w.block(f"if n == {before}:"):
        w.put(
            f"g.scratch.may_end = {ends}"
        )  # whether the turn may end is for the second part to say
        second()


def _none(w: Writer, plan: Plan, rest: Course, row: int) -> None:
    w.put(f"g.rows[n * {row}] = -1")
    w.put(f"g.rows[n * {row} + 1] = {plan.courses[rest]}")
    w.put("n = n + 1")


# --- ends ---


def _ends(plan: Plan, player: int, stuck: bool) -> str:
    w = Writer(plan)
    values = Values(GENERAL, plan, w, player, player, stuck=stuck)
    for end in plan.rules.ends:
        if end.stuck is stuck:
            values.frame = {}
            with w.block(f"if {values.truth(end.condition)}:"):
                w.put(f"g.scratch.ended = {end.origin}")
                w.put(f"return {verdict(values, end, player)}")
    name = "stuck" if stuck else "ends"
    head = f"def {name}_{player}({ARRAYS}) -> i64:"
    return "\n".join([head, *w.lines, f"    return {p.RUNNING}"])


# --- what is the same for both players ---


def _dispatch(plan: Plan) -> str:
    """`decisions`, `ends` and `stuck` for whoever is at move, and the effects of a row."""
    parts = []
    for name, more, given in (
        ("decisions", ", n: i64", ", n"), ("how_many", ", n: i64", ", n"), ("ends", "", ""),
        ("stuck", "", ""), ("ply", ", chance: Chance, n: i64", ", chance, n"),
    ):  # fmt: skip
        passed = f"{PASSED}{given}"
        parts.append(
            f"def {name}({ARRAYS}{more}) -> i64:\n"
            f"    if g.state.mover == 0:\n"
            f"        return {name}_0({passed})\n"
            f"    return {name}_1({passed})"
        )
    lines = [f"def effects({ARRAYS}, at: i64) -> None:"]
    for player in (0, 1):
        for number in range(len(plan.rules.moves)):
            lines.append(f"    if g.state.mover == {player} and g.rows[at] == {number}:")
            lines.append(f"        do_{number}_{player}({PASSED}, at)")
            lines.append("        return")
    parts.append("\n".join([*lines, "    return"]))
    return "\n\n\n".join(parts)


def _history(plan: Plan) -> str:
    """`push` keeps a position; `repeats` and `board_repeats` count how often it stood before."""
    words = key_words(plan)
    board = plan.links + plan.link_words - plan.owned
    over = plan.courses.get(EMPTY, -1)
    size = len(words)
    note = [f"def note_past({ARRAYS}) -> None:", f"    at = g.state.past * {size}"]
    for i, (offset, hidden) in enumerate(words):
        word = plan.word("g.state", offset)
        value = f"0 if g.state.rest == {over} else {word}" if hidden else word
        note.append(f"    g.past[at + {i}] = {value}")
    note.append("    return")
    push = [
        f"def push({ARRAYS}) -> None:",
        f"    if g.state.past >= {limits.KEPT}:",
        "        if g.state.fault == 0:",
        f"            g.state.fault = {p.TOO_MANY}",
        f"            g.scratch.origin = {plan.rules.turn}",
        "        return",
        f"    note_past({PASSED})",
        "    g.state.past = g.state.past + 1",
        "    return",
    ]
    counts = [
        f"def count_past({ARRAYS}, size: i64) -> i64:",
        f"    note_past({PASSED})",
        f"    last = g.state.past * {size}",
        "    count = 0",
        "    for i in range(g.state.past):",
        "        same = 1",
        "        j = 0",
        "        while same == 1 and j < size:",
        f"            if g.past[i * {size} + j] != g.past[last + j]:",
        "                same = 0",
        "            j = j + 1",
        "        count = count + same",
        "    return count",
    ]
    constants = f"KEY = {size}\nBOARD_KEY = {board}"
    return "\n\n\n".join([constants, *("\n".join(lines) for lines in (note, push, counts))])


def _next_turn(plan: Plan, play: Play) -> str:
    """The turn ends: the other player, states back to their first values."""
    lines = [
        f"def next_turn({ARRAYS}) -> None:",
        "    g.state.ply = g.state.ply + 1",
        "    if g.state.again == 0:",
        "        g.state.mover = 1 - g.state.mover",
        "    g.state.again = 0",
        "    g.state.fresh = 1",
        f"    g.state.rest = {plan.courses[plan.rules.course]}",
    ]
    for index, (state, values) in enumerate(zip(plan.rules.states, play.first.states, strict=True)):
        if state.within_turn:
            for offset, word in state_words(plan, index, values):
                lines.append(f"    {plan.word('g.state', offset)} = {word}")
    return "\n".join([*lines, "    return"])


def _play(plan: Plan) -> str:
    """`play`: the decision in the row at `at`, then ends, and the next turn where one begins."""
    lines = [
        f"def play({ARRAYS}, at: i64, top: i64) -> None:",
        "    swapped = g.state.swapped",
        "    g.state.rest = g.rows[at + 1]",
        "    g.state.fresh = 0",
        "    if g.rows[at] >= 0:",
        f"        effects({PASSED}, at)",
        f"        g.state.result = ends({PASSED})",
        f"        if g.state.result != {p.RUNNING}:",
        "            return",
        f"    go_on({PASSED}, swapped, top)",
        "    return",
    ]
    return "\n".join(lines)
