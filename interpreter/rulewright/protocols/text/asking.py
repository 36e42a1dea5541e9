"""The asking side of the text protocol: what we say to an engine.

In: an engine that runs, games and positions.  Out: its decisions.  An engine that answers `error`
or what is no answer fails.
"""

from __future__ import annotations

import math

from attrs import define, field

from rulewright.engine.game import Game, State
from rulewright.players.player import Clock, Decision, Failed, Limits
from rulewright.protocols.process import Child
from rulewright.protocols.text import VERSION
from rulewright.protocols.text.words import Line, pair


@define
class Asking:
    """Speaks to one engine."""

    farewell: tuple[str, ...] = ("quit",)
    _limits: Limits = field(factory=Limits)

    def begin(self, child: Child, game: Game, limits: Limits, seed: int, deadline: float) -> None:
        """Who are you, this is the game, this is your chance."""
        self._limits = limits
        options = "".join(pair(name, value) for name, value in game.options.items())
        _ask(child, f"rulewright {VERSION}", "rulewright", deadline)
        _ask(child, f"game {game.name}{options}", "ok", deadline)
        _ask(child, f"seed {seed}", "ok", deadline)

    def ask(self, child: Child, state: State, clock: Clock, deadline: float) -> Decision:
        """The whole way here, and the limits of this decision."""
        way = " ".join(["position", "moves", *state.decisions()])
        _ask(child, way if state.before else "position", "ok", deadline)
        limits = self._limits
        given = {
            "time": clock.seconds, "clock": clock.left, "increment": clock.increment or None,
            "nodes": limits.nodes, "depth": limits.depth, "memory": limits.memory,
        }  # fmt: skip
        go = "go" + "".join(pair(name, value) for name, value in given.items())
        answer = _ask(child, go, "best", deadline)
        if not answer.plain:
            raise Failed("illegal", "answers `best` without a move")
        value = _number(answer, "value")
        depth, nodes = _number(answer, "depth"), _number(answer, "nodes")
        return Decision(answer.plain[0], value, _whole(depth), _whole(nodes))


def _number(line: Line, name: str) -> float | None:
    """A number that an engine tells of itself; what is none is not known."""
    try:
        value = float(line.pairs[name])
    except (KeyError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _ask(child: Child, line: str, wanted: str, deadline: float) -> Line:
    """The answer to a line, which begins with *wanted*; lines `info ...` are passed over."""
    child.say(line)
    while True:
        text = child.hear(deadline)
        answer = Line.parse(text)
        if answer.word == wanted:
            return answer
        if answer.word == "error":
            raise Failed("crash", f"refuses `{line[:80]}`: {text[len('error') :].strip()[:200]}")
        if answer.word != "info":
            raise Failed("illegal", f"answers `{text[:80]}` to `{line[:80]}`")
