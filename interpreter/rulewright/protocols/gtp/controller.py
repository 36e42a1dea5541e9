"""The controller's side of GTP: what we say to an engine.

In: an engine that runs, games and positions.  Out: its decisions.  An engine that refuses a command
or answers what is no move fails; one that resigns loses at once, which a referee hears as a failure
by `illegal`, since the rules know no other end.
"""

from __future__ import annotations

from attrs import define, field

from rulewright.engine.game import Game, State
from rulewright.errors import RulewrightError
from rulewright.players.player import Clock, Decision, Failed, Limits
from rulewright.protocols.gtp.moves import Moves
from rulewright.protocols.process import Child


@define
class Controller:
    """Speaks to one engine; remembers what it has been told."""

    farewell: tuple[str, ...] = ("quit",)
    _moves: Moves | None = field(default=None, init=False)
    _known: list[str] = field(factory=list, init=False)
    _turned: list[bool] = field(factory=lambda: [False], init=False)

    def begin(self, child: Child, game: Game, limits: Limits, seed: int, deadline: float) -> None:
        """boardsize, clear_board, options and the time."""
        try:
            self._moves = Moves.of(game)
        except RulewrightError as error:
            raise Failed("crash", str(error)) from None
        self._known, self._turned = [], [False]
        board = game.rules.board
        square = board.width == board.height
        size = f"{board.width}" if square else f"{board.width} {board.height}"
        _ask(child, f"boardsize {size}", deadline)
        for command, option in self._moves.style.options.items():
            _ask(child, f"{command} {game.options[option]}", deadline)
        _ask(child, "clear_board", deadline)
        if limits.seconds is not None or limits.clock is not None:
            main = 0 if limits.clock is None else limits.clock
            each = f"{limits.seconds:g} 1" if limits.clock is None else "0 0"
            _ask(child, f"time_settings {main:g} {each}", deadline, may_refuse=True)

    def ask(self, child: Child, state: State, clock: Clock, deadline: float) -> Decision:
        """Tell what has been played since, and ask."""
        assert self._moves is not None
        way = state.states()
        common = 0
        told = [after.move for after in way[1:]]
        while common < min(len(told), len(self._known)) and told[common] == self._known[common]:
            common += 1
        for _ in self._known[common:]:
            _ask(child, "undo", deadline)
        self._known, self._turned = self._known[:common], self._turned[: common + 1]
        for before, after in zip(way[common:], way[common + 1 :], strict=False):
            colour = self._moves.colour(before, self._turned[-1])
            text = self._moves.write(after.move, self._turned[-1])
            _ask(child, f"play {colour} {text}", deadline)
            self._remember(after.move, text)
        return self._generate(child, state, clock, deadline)

    def _remember(self, move: str, text: str) -> None:
        assert self._moves is not None
        self._known.append(move)
        self._turned.append(self._turned[-1] ^ self._moves.turns(text))

    def _generate(self, child: Child, state: State, clock: Clock, deadline: float) -> Decision:
        assert self._moves is not None
        colour = self._moves.colour(state, self._turned[-1])
        if clock.left is not None:
            _ask(child, f"time_left {colour} {int(clock.left)} 0", deadline, may_refuse=True)
        text = _ask(child, f"genmove {colour}", deadline)
        if text.casefold() == "resign":
            raise Failed("illegal", "resigns")
        move = self._moves.read(text, self._turned[-1])
        if move not in state.moves:
            raise Failed("illegal", f"answers `{text[:80]}`, which is no legal decision here")
        self._remember(move, text)
        return Decision(move)


def _ask(child: Child, command: str, deadline: float, may_refuse: bool = False) -> str:
    """The answer to a command, which may be several lines; only the first counts."""
    child.say(command)
    while True:
        line = child.hear(deadline)
        if line.startswith("="):
            return line[1:].strip()
        if line.startswith("?"):
            if may_refuse:
                return ""
            raise Failed("crash", f"refuses `{command}`: {line[1:].strip()[:200]}")
