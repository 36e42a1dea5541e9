"""A controller of the Universal Chess Interface, for chess and for games that are written like it.

In: a running engine, games and positions.  Out: the decisions of the engine.  An engine that
answers what is no move fails.  `dialects.py` knows the words of USI and UCCI as well.

What FEN and moves look like is the game's to say, see `fen.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import dropwhile, pairwise

from attrs import define, field

from rulewright.errors import MoveError
from rulewright.games.engine.game import Game, State
from rulewright.matches.protocols.dialects import Dialect
from rulewright.matches.protocols.process import Program
from rulewright.players.player import Clock, Decision, Failed, GameLimits

_NO_MOVES = ("0000", "(none)", "resign", "win")
"""Answers that are no move."""

# --- the controller ---


@define
class UciController:
    """Controls an engine; `options` are set before its first game."""

    options: Mapping[str, str] = field(factory=dict)
    interface: type[Dialect] = Dialect
    farewell: tuple[str, ...] = ("quit",)
    _limits: GameLimits = field(factory=GameLimits, init=False)
    _offered: list[str] | None = field(default=None, init=False)
    _dialect: Dialect | None = field(default=None, init=False)

    def begin(
        self, program: Program, game: Game, limits: GameLimits, seed: int, deadline: float
    ) -> None:
        """Greet the engine, set its options, and begin a game."""
        self._limits, dialect = limits, self.interface(game)
        self._dialect = dialect
        if self._offered is None:
            self._offered = _offered(program, dialect, deadline)
            for name in dict.fromkeys(("Hash", dialect.option_name("Hash"))):
                self._set(dialect, name, str(limits.memory), program, must=False)
            for name, value in (dialect.needs() | {**self.options}).items():
                self._set(dialect, name, value, program)
        program.say(*filter(None, (dialect.new_game, "isready")))
        _hear(program, "readyok", deadline)

    def _set(
        self, dialect: Dialect, name: str, value: str, program: Program, must: bool = True
    ) -> None:
        """Set an option that the engine offers."""
        names = {option.casefold(): option for option in self._offered or ()}
        if name.casefold() in names:
            program.say(dialect.setting_line(names[name.casefold()], value))
        elif must:
            raise Failed("crash", f"has no option `{name}`: {', '.join(names.values()) or 'none'}")

    def ask(self, program: Program, state: State, clock: Clock, deadline: float) -> Decision:
        """Send all decisions played and the limits, and read the engine's decision."""
        dialect = self._dialect
        assert dialect is not None
        states = [*dropwhile(lambda before: before.by_chance, state.states())]
        moves = [dialect.write(after.move) for after in states[1:]]
        start = dialect.position_text(states[0])
        program.say(" ".join(["position", start, *(["moves", *moves] if moves else [])]))
        limits = self._limits
        program.say(" ".join(["go", *dialect.limits(limits.depth, limits.nodes, clock)]))
        last_info = dict[str, float]()
        while True:
            word, *rest = program.hear(deadline).split() or [""]
            if word == "info":
                last_info |= _information(rest)
            elif word in ("bestmove", "nobestmove"):
                return self._decision(dialect, rest, state, last_info)

    @staticmethod
    def _decision(
        dialect: Dialect, words: list[str], state: State, info: dict[str, float]
    ) -> Decision:
        if not words or words[0] in _NO_MOVES:
            raise Failed("illegal", "resigns" if words == ["resign"] else "answers no move")
        try:
            move = dialect.read(words[0], state)
        except MoveError:
            move = words[0]
        if move not in state.moves:
            raise Failed("illegal", f"answers `{words[0][:80]}`, which is no legal decision here")
        depth, nodes = info.get("depth"), info.get("nodes")
        return Decision(
            move, info.get("score"), None if depth is None else int(depth),
            None if nodes is None else int(nodes),
        )  # fmt: skip


def _offered(program: Program, dialect: Dialect, deadline: float) -> list[str]:
    """The names of the options that an engine offers."""
    program.say(dialect.greeting)
    names = []
    while True:
        line = program.hear(deadline)
        option = re.match(r"option\s+(?:name\s+)?(.+?)\s+type\s", line)
        if option:
            names.append(option[1])
        if line.split()[:1] == [f"{dialect.greeting}ok"]:
            return names


def _hear(program: Program, word: str, deadline: float) -> None:
    """Skip lines up to the first that begins with a word."""
    while program.hear(deadline).split()[:1] != [word]:
        pass


def _information(words: list[str]) -> dict[str, float]:
    """Read the numbers of an `info` line: depth, nodes, and the score (a mate as about 100,000).

    UCCI has a number alone behind `score`.
    """
    numbers = dict[str, float]()
    if words[:1] == ["string"]:
        return numbers
    for name, value in pairwise(words):
        if re.fullmatch(r"-?\d{1,15}", value) and name in ("depth", "nodes", "cp", "score"):
            numbers["score" if name == "cp" else name] = float(value)
        elif re.fullmatch(r"-?\d{1,6}", value) and name == "mate":
            numbers["score"] = (100_000.0 - abs(int(value))) * (-1 if value.startswith("-") else 1)
        elif name == "pv":
            break
    return numbers
