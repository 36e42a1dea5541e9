"""What judges the positions of an engine to take away: a personality, or results alone.

In: a personality.  Out: its value as kernels, and how deep it searches.  Refuses, with the reason,
what an engine cannot do: searches other than alpha-beta, one decision ahead or random games, values
of moves or in several parts, patterns that narrow decisions.
"""

from __future__ import annotations

from rulewright.build.plan import Judge
from rulewright.codegen.engine import Engine
from rulewright.codegen.layout import Unsupported
from rulewright.errors import RulewrightError
from rulewright.model.personality import Guidance
from rulewright.players.machine import native_evaluator
from rulewright.players.personality import Personality
from rulewright.search.guides import guide

_BY_VALUE = ("one_ply", "minimax", "alphabeta")


def judge_of(engine: Engine, personality: Personality) -> Judge:
    """The judge that a personality is, as far as values and depth go."""
    model = personality.model
    kind = model.search.kind
    if kind == "mcts":
        return Judge()
    if kind not in _BY_VALUE or model.evaluator is None:
        raise _refused(personality, f"its search is `{kind}`, not {', '.join(_BY_VALUE)} or mcts")
    if model.consider is not None:
        raise _refused(personality, "it considers what patterns propose")
    value = personality.value()
    if value.of_move or len(value.parts) > 1:
        what = "moves" if value.of_move else "positions in several parts"
        raise _refused(personality, f"`{value.name}` values {what}")
    ends = model.search.setting("ends")
    valued = ends is not None and ends.value == "valued"
    evaluator = native_evaluator(engine, model.evaluator, value, model.factors, valued)
    if evaluator is None:
        raise _refused(personality, f"`{value.name}` has no kernels")
    led = None
    if model.guidance != Guidance():
        try:
            led = guide(engine, model.evaluator, model.guidance)
        except Unsupported as reason:
            raise _refused(personality, f"what leads its search has no kernels: {reason}") from None
    depth = model.search.setting("depth")
    return Judge(
        evaluator,
        int(model.number("depth") or 1),
        depth is not None and depth.unit == "turns",
        led,
    )


def _refused(personality: Personality, why: str) -> RulewrightError:
    return RulewrightError(f"{personality.name} cannot be built into an engine: {why}")
