"""Evaluators as machine code: what the native search asks instead of the reference.

In: a game's kernels, an evaluator, one of its values.  Out: the search's `Evaluator`, and the
scores of a personality's decisions by it.  None where the value has no kernel (values of moves, of
several parts); the searches over the reference serve there.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from random import Random
from weakref import WeakKeyDictionary

from attrs import field, frozen

from rulewright.codegen.backend import Linked
from rulewright.codegen.engine import Engine
from rulewright.codegen.layout import Unsupported
from rulewright.codegen.lower.game import draws_chance, lower_value
from rulewright.engine.game import State
from rulewright.model.evaluation import Evaluator, Factor, ValueOf
from rulewright.model.personality import Personality
from rulewright.players.narrowing import narrowed_root
from rulewright.players.scores import FAR, Score
from rulewright.players.searches import Limits, Line, Root
from rulewright.players.spent import tell
from rulewright.search.best import best
from rulewright.search.engines import load_engine
from rulewright.search.kernels.layout import SURE, WIN
from rulewright.search.results import MEBIBYTE
from rulewright.search.results import Limits as SearchLimits
from rulewright.search.workspace import Evaluator as Kernel

Found = tuple[Evaluator, Linked | None]
"""An evaluator, kept alive, and the kernel of one of its values."""
_KNOWN: WeakKeyDictionary[Engine, dict[tuple[int, str], Found]] = WeakKeyDictionary()


def native_evaluator(
    engine: Engine,
    evaluator: Evaluator,
    value: ValueOf,
    factors: Sequence[float],
    judges_ends: bool,
) -> Kernel | None:
    """A value as the search takes it; compiled once, whatever the factors are."""
    known = _KNOWN.setdefault(engine, {})
    key = (id(evaluator), value.name)
    if key not in known:
        known[key] = (evaluator, _linked(engine, evaluator, value))
    linked = known[key][1]
    if linked is None:
        return None
    draws = draws_chance(linked)
    return Kernel(linked, packed(evaluator.factors, factors), judges_ends, draws)


def _linked(engine: Engine, evaluator: Evaluator, value: ValueOf) -> Linked | None:
    try:
        return lower_value(engine.plan, evaluator, value)
    except Unsupported:
        return None


def packed(factors: Sequence[Factor], values: Sequence[float]) -> tuple[float, ...]:
    """Values as the array F holds them: a whole one as the float of the same 64 bits."""
    return tuple(
        struct.unpack("<d", struct.pack("<q", int(value)))[0] if factor.whole else float(value)
        for factor, value in zip(factors, values, strict=True)
    )


@frozen
class Means:
    """What a search may use: `memory` in bytes.

    A `quick` one does without the line that it expects and without a thread that watches it.
    """

    memory: int = 64 * MEBIBYTE
    quick: bool = False


@frozen
class Asked:
    """What a search is asked for: by which value, within what, and whether for all scores."""

    value: ValueOf
    limits: Limits
    exact: bool
    means: Means = field(factory=Means)


def native_root(state: State, model: Personality, asked: Asked, random: Random) -> Root | None:
    """The scores that `full_width` gives; None where the game or the value has no kernels.

    Only the best decision comes with its line.
    """
    engine = load_engine(state.game)
    if isinstance(engine, str) or model.evaluator is None:
        return None
    ends = model.search.setting("ends")
    valued = ends is not None and ends.value == "valued"
    judge = native_evaluator(engine, model.evaluator, asked.value, model.factors, valued)
    if judge is None or len(asked.value.parts) != 1:
        return None
    limits = asked.limits
    within = SearchLimits(
        limits.seconds, limits.nodes, limits.depth, asked.means.memory, turns=limits.turns,
        line=not asked.means.quick, watched=not asked.means.quick,
    )  # fmt: skip
    seed = random.getrandbits(30) if judge.draws else 0
    narrowed = None
    if model.consider is not None:
        try:
            narrowed = narrowed_root(state, engine, model.consider)
        except Unsupported:
            return None
    algorithm = "exact" if asked.exact else "alphabeta"
    found = best(state, within, seed, algorithm, evaluator=judge, narrowed=narrowed)
    tell(found.nodes, found.depth)
    lines = {found.move: found.pv}
    return {
        text: None
        if score is None
        else Line(_as_score(score, valued), lines.get(text, (text,)), depth=found.depth)
        for text, score in found.root
    }


def _as_score(value: float, valued: bool) -> Score:
    """A value of the native search as the reference scores it: results come before values."""
    if valued or abs(value) <= SURE:
        return (0, value)
    distance = round(WIN - abs(value))
    return (FAR - distance if value > 0 else distance - FAR, 0)
