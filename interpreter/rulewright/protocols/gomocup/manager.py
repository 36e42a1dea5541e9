"""The manager's side of Gomocup's protocol: what we say to a brain.

In: a brain that runs, games and positions.  Out: its decisions.  Refuses games that are no placing
of pieces on a rectangle; a brain that answers ERROR, UNKNOWN or no field fails.
"""

from __future__ import annotations

from attrs import define, field

from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.players.player import Clock, Decision, Failed, Limits
from rulewright.protocols.gomocup import board
from rulewright.protocols.process import Child

_TALK = ("MESSAGE", "DEBUG")
_MILLISECONDS = 1000
_EVER = 2**31 - 1
_MEBIBYTE = 1 << 20


@define
class Manager:
    """Speaks to one brain; remembers what it has been told."""

    farewell: tuple[str, ...] = ("END",)
    _known: list[str] | None = field(default=None, init=False)
    """The decisions that the brain knows of, None when it has no board."""

    def begin(self, child: Child, game: Game, limits: Limits, seed: int, deadline: float) -> None:
        """START or RECTSTART, and the limits."""
        try:
            board.refuse_others(game)
        except RulewrightError as error:
            raise Failed("crash", str(error)) from None
        width, height = game.rules.board.width, game.rules.board.height
        child.say(f"START {width}" if width == height else f"RECTSTART {width},{height}")
        answer = _answer(child, deadline)
        if not answer.upper().startswith("OK"):
            raise Failed("crash", f"refuses the board: {answer}")
        child.say(*_infos(game, limits))
        self._known = []

    def ask(self, child: Child, state: State, clock: Clock, deadline: float) -> Decision:
        """BEGIN, TURN, or BOARD where the brain knows another way here."""
        game, way = state.game, state.decisions()
        left = _EVER if clock.left is None else max(0, round(clock.left * _MILLISECONDS))
        child.say(f"INFO time_left {left}")
        if not way:
            child.say("BEGIN")
        elif self._known == way[:-1]:
            child.say(f"TURN {board.field(game, way[-1])}")
        else:
            if self._known:
                child.say("RESTART")
                _answer(child, deadline)
            child.say("BOARD", *board.stones(state), "DONE")
        answer = _answer(child, deadline)
        if answer.upper().startswith("SUGGEST"):
            child.say(f"PLAY {answer[len('SUGGEST') :].strip()}")
            answer = _answer(child, deadline)
        move = board.decision(game, answer)
        if move is None:
            reason = "crash" if answer.upper().startswith(("ERROR", "UNKNOWN")) else "illegal"
            raise Failed(reason, f"answers `{answer[:80]}` instead of a field")
        self._known = [*way, move]
        return Decision(move)


def _answer(child: Child, deadline: float) -> str:
    """The next line that is not talk."""
    while True:
        line = child.hear(deadline)
        if not line.upper().startswith(_TALK):
            return line


def _infos(game: Game, limits: Limits) -> list[str]:
    """What a brain has to know before the first move; times in milliseconds."""
    turn, whole = limits.seconds or limits.clock, limits.clock
    told = {
        "timeout_turn": round(turn * _MILLISECONDS) if turn else _EVER,
        "timeout_match": round(whole * _MILLISECONDS) if whole else 0,
        "max_memory": limits.memory * _MEBIBYTE,
        "game_type": 1,
        "rule": board.rule_of(game) or 0,
    }
    return [f"INFO {name} {value}" for name, value in told.items()]
