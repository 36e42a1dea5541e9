"""The fast forms of random play against the general form, both as machine code.

In: a game.  Out: how many random games agree: every decision that the sampling or incremental form
of the kernels plays must be among those that the general form lists and plays, with the same
position after it, and games must end alike.  Where they do not, the seed of the game is told.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulewright.codegen import layout as p
from rulewright.codegen.backend import Linked
from rulewright.codegen.backend.subset import check
from rulewright.codegen.engine import Engine
from rulewright.codegen.layout import Unsupported
from rulewright.engine.game import Game
from rulewright.search.engines import load_engine

MOST = 3000
"""Decisions of a game at the most."""
_FAST = "S: ints, K: ints, M: ints, H: ints, X: ints, T: ints"
_PLAIN = "A: ints, B: ints, C: ints, D: ints, E: ints"
TEXT = f'''"""The fast forms beside the general form."""


def same(S: ints, A: ints) -> i64:
    for i in range({p.PAST}):
        if S[i] != A[i]:
            return 0
    for i in range({p.HEAD}, SIZE):
        if S[i] != A[i]:
            return 0
    return 1


def match({_FAST}, {_PLAIN}, Y: ints) -> i64:
    n = decisions(A, K, B, C, D, E, 0)
    if A[{p.FAULT}] != 0:
        return 2
    copy_in(A, Y, 0)
    for i in range(n):
        play(A, K, B, C, D, E, i * ROW, n)
        if same(S, A) == 1:
            return 1
        if A[{p.FAULT}] != 0 and S[{p.FAULT}] != 0:
            return 2
        copy_out(A, Y, 0)
    return 0


def compared({_FAST}, {_PLAIN}, Y: ints, R: ints, most: i64) -> i64:
    plies = 0
    fast = ready(S, K, M, H, X, T)
    while S[{p.RESULT}] == {p.RUNNING} and S[{p.FAULT}] == 0 and plies < most:
        done = 0
        if fast == 1:
            done = grow(S, K, M, H, X, T, R, 0)
        else:
            done = ply(S, K, M, H, X, T, R, 0)
        if done == 0 and S[{p.FAULT}] == 0:
            n = decisions(A, K, B, C, D, E, 0)
            if n != 0:
                return 0 - 1
            return plies
        found = match(S, K, M, H, X, T, A, B, C, D, E, Y)
        if found == 0:
            return 0 - 1
        if found == 2:
            return plies
        plies = plies + 1
    return plies
'''
_OTHERS = ("decisions", "play", "ply", "grow", "ready", "copy_in", "copy_out")


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
        known = check(engine.text).functions
        outside = {name: known[name].signature for name in _OTHERS}
        text = f"SIZE = {engine.plan.size}\n{TEXT}".replace(" * ROW", f" * {engine.row}")
        self._kernels = engine.linked(Linked(text, outside))
        sizes = {**engine.sizes(), "Y": engine.plan.whole, "R": 16}
        self._fast = {name: engine.zeros(size) for name, size in sizes.items()}
        self._plain = {name: engine.zeros(size) for name, size in sizes.items()}

    def play(self, seed: int) -> int:
        """Play a random game; its decisions, or -1 where the forms differ."""
        fast, plain, engine = self._fast, self._plain, self.engine
        for arrays in (fast, plain):
            engine.put(engine.play.first, arrays["S"], arrays["H"])
        fast["R"][0] = (seed * 2654435761 + 88172645463325252) % 2**62 | 1
        given = [engine.constants if name == "K" else fast[name] for name in "SKMHXT"]
        given += [plain[name] for name in "SMHXT"]
        return int(self._kernels["compared"](*given, fast["Y"], fast["R"], MOST))
