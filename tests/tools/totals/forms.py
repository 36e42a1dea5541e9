"""The fast forms of random play against the general form, both as machine code.

In: a game.  Out: how many random games agree: every decision that the sampling or incremental form
of the kernels plays must be among those that the general form lists and plays, with the same
position after it, and games must end alike.  Where they do not, the seed of the game is told.  A
decision is looked for first among those that stand to the change of the position as the last one
did, and then among all others: so most are found at once, and none is missed.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulewright.compiler import layout as p
from rulewright.compiler.backend import Linked
from rulewright.compiler.engine import Engine
from rulewright.compiler.layout import Unsupported
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine

MOST = 3000
"""Decisions of a game at the most."""
TEXT = f'''"""The fast forms beside the general form."""


class StateWords(ints):
    mover: i64 = {p.MOVER}
    result: i64 = {p.RESULT}
    fault: i64 = {p.FAULT}


class Scratch(ints):
    may_end: i64 = 0


class Chance(ints):
    x: i64 = 0
    stop: i64 = 1


class GameArrays:
    state: StateWords
    tables: ints
    rows: ints
    past: ints
    scratch: Scratch
    trial: StateWords


def same(one: StateWords, other: StateWords) -> i64:
    for i in range({p.PAST}):
        if one[i] != other[i]:
            return 0
    for i in range({p.HEAD}, SIZE):
        if one[i] != other[i]:
            return 0
    return 1


def changed(one: StateWords, other: StateWords) -> i64:
    for i in range({p.HEAD}, SIZE):
        if one[i] != other[i]:
            return i * 64 + trailing(one[i] ^ other[i])
    return 0


def likely(rows: ints, row: i64, at: i64, hints: ints, hint: i64) -> i64:
    for k in range(ROW):
        if rows[row + k] - at == hints[hint + k]:
            return 1
    return 0


def match(fast: GameArrays, plain: GameArrays, saved: ints, hints: ints) -> i64:
    n = decisions(plain, 0)
    if plain.state.fault != 0:
        return 2
    copy_in(plain.state, saved, 0)
    at = changed(fast.state, plain.state)
    hint = plain.state.mover * ROW
    for others in range(2):
        for i in range(n):
            if likely(plain.rows, i * ROW, at, hints, hint) != others:
                play(plain, i * ROW, n)
                if same(fast.state, plain.state) == 1:
                    for k in range(ROW):
                        hints[hint + k] = plain.rows[i * ROW + k] - at
                    return 1
                if plain.state.fault != 0 and fast.state.fault != 0:
                    return 2
                copy_out(plain.state, saved, 0)
    return 0


def compared(
    fast: GameArrays, plain: GameArrays, saved: ints, chance: Chance, hints: ints, most: i64
) -> i64:
    plies = 0
    incremental = begin_incremental(fast)
    while fast.state.result == {p.RUNNING} and fast.state.fault == 0 and plies < most:
        done = 0
        if incremental == 1:
            done = incremental_ply(fast, chance, 0)
        else:
            done = ply(fast, chance, 0)
        if done == 0 and fast.state.fault == 0:
            n = decisions(plain, 0)
            if n != 0:
                return 0 - 1
            return plies
        found = match(fast, plain, saved, hints)
        if found == 0:
            return 0 - 1
        if found == 2:
            return plies
        plies = plies + 1
    return plies
'''
_OTHERS = (
    "decisions", "play", "ply", "incremental_ply", "begin_incremental", "copy_in", "copy_out",
)  # fmt: skip


@define(eq=False)
class Forms:
    """Both forms of one game, ready to be compared."""

    game: Game
    engine: Engine = field(init=False)
    _kernels: Any = field(init=False)
    _fast: dict[str, Any] = field(init=False)
    _plain: dict[str, Any] = field(init=False)

    def __attrs_post_init__(self) -> None:
        found = load_engine(self.game, "native")
        if isinstance(found, str):
            raise Unsupported(found)
        self.engine = engine = found
        known = engine.lowered.module.functions
        outside = {name: known[name].signature for name in _OTHERS}
        text = f"SIZE = {engine.plan.size}\nROW = {engine.row}\n{TEXT}"
        self._kernels = engine.linked(Linked(text, outside))
        sizes = {**engine.sizes(), "Y": engine.plan.whole, "R": 16, "hints": 2 * engine.row}
        self._fast = {name: engine.zeros(size) for name, size in sizes.items()}
        self._plain = {name: engine.zeros(size) for name, size in sizes.items()}

    def play(self, seed: int) -> int:
        """Play a random game; its decisions, or -1 where the forms differ."""
        fast, plain, engine = self._fast, self._plain, self.engine
        for arrays in (fast, plain):
            engine.put(engine.play.first, arrays["S"], arrays["H"])
        fast["R"][0] = (seed * 2654435761 + 88172645463325252) % 2**62 | 1
        given = [
            engine.constants if name == "K" else arrays[name]
            for arrays in (fast, plain)
            for name in "SKMHXT"
        ]
        return int(self._kernels["compared"](*given, fast["Y"], fast["R"], fast["hints"], MOST))
